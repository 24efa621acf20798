//! Waiting for something that must come true.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// Asks again and again until the answer is yes. A failing question is asked again too: servers restart meanwhile.
pub fn eventually(
    what: &str,
    timeout: Duration,
    mut question: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let start = Instant::now();
    loop {
        let answer = question();
        if matches!(answer, Ok(true)) {
            return Ok(());
        }
        if start.elapsed() >= timeout {
            match answer {
                Err(error) => {
                    bail!("not within {timeout:?}: {what}; the last try failed: {error:#}")
                }
                Ok(_) => bail!("not within {timeout:?}: {what}"),
            }
        }
        std::thread::sleep(Duration::from_millis(25));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_come_true_is_named() {
        let error =
            eventually("the moon is full", Duration::from_millis(1), || Ok(false)).unwrap_err();
        assert!(error.to_string().contains("the moon is full"));
    }

    #[test]
    fn a_failing_question_is_asked_again() {
        let mut asked = 0;
        let result = eventually("third time lucky", Duration::from_secs(5), || {
            asked += 1;
            if asked < 3 {
                bail!("not yet")
            } else {
                Ok(true)
            }
        });
        assert!(result.is_ok() && asked == 3);
    }
}
