//! Faults that a test asks for, without any SQL: the file `faults` in the folder OCI_STANDIN_DIR.
//!
//! One rule a line: `<text> <n> <action> [argument]`.
//!
//! * The text is the name of a call (`connect`, `execute`, `commit`, `rollback`, `ping`) or a
//!   part of the SQL of an execute, in any case. `~` stands for one blank.
//! * `n` is counted down by each matching call; the call that brings it to 0 gets the fault and
//!   the rule is removed. `*` gives the fault to every matching call and stays.
//! * `refuse`: ORA-12541. `code 1555`: that error, not executed. `delay 60`: seconds before the
//!   call is executed, ended early by a break or the call timeout. `hang 60`: the same, but
//!   nothing ends it, like a network that swallows everything. `cut_before`: the session is
//!   closed, the call is not executed: ORA-03113. `cut_after`: the call is executed, with its
//!   commit if it has one, then the session is closed: ORA-03113.
//!
//! Lines that are empty or begin with `#` are kept and mean nothing; any other line that is no
//! rule makes every call fail, so that a misspelt rule is noticed. The first rule that fires
//! decides; every matching rule before it is counted. The file is read and written under a lock
//! (`File::lock`, which is flock), so several processes count together. Who adds a rule while
//! calls run takes the same lock and appends a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use crate::call_log::{self, Call};
use crate::error::{OraError, Result};

#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Refuse,
    Code(i32),
    Delay(Duration),
    Hang(Duration),
    CutBefore,
    CutAfter,
}

/// The fault for this call, if a rule asks for one.
pub fn for_call(call: &Call) -> Result<Option<Fault>> {
    let Some(folder) = call_log::folder() else {
        return Ok(None);
    };
    take(&folder.join("faults"), call)
        .map_err(|error| OraError::unsupported(format_args!("these fault rules: {error}")))
}

fn take(path: &Path, call: &Call) -> io::Result<Option<Fault>> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    file.lock()?;
    let mut before = String::new();
    file.read_to_string(&mut before)?;
    let (after, fault) = apply_rules(&before, call).map_err(io::Error::other)?;
    if after != before {
        rewrite(&mut file, &after)?;
    }
    Ok(fault)
}

fn rewrite(file: &mut File, text: &str) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

/// The rules after this call, and the fault for it; the error is the line that is no rule.
fn apply_rules(rules: &str, call: &Call) -> std::result::Result<(String, Option<Fault>), String> {
    let mut left = String::new();
    let mut fault = None;
    for line in rules.lines() {
        let kept = if line.trim().is_empty() || line.starts_with('#') {
            Some(line.to_owned())
        } else {
            let rule = Rule::parse(line).ok_or_else(|| line.to_owned())?;
            match rule.count {
                _ if fault.is_some() || !rule.matches(call) => Some(line.to_owned()),
                Some(count) if count > 1 => Some(rule.with_count(count - 1)),
                count => {
                    fault = Some(rule.fault);
                    count.is_none().then(|| line.to_owned())
                }
            }
        };
        if let Some(kept) = kept {
            left.push_str(&kept);
            left.push('\n');
        }
    }
    Ok((left, fault))
}

struct Rule<'a> {
    text: &'a str,
    count: Option<u64>,
    action: String,
    fault: Fault,
}

impl<'a> Rule<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let text = words.next()?;
        let count = match words.next()? {
            "*" => None,
            number => Some(number.parse().ok()?),
        };
        let action: Vec<&str> = words.collect();
        let seconds = |text: &str| {
            let seconds = text.parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let fault = match action.as_slice() {
            ["refuse"] => Fault::Refuse,
            ["code", code] => Fault::Code(code.parse().ok()?),
            ["delay", time] => Fault::Delay(seconds(time)?),
            ["hang", time] => Fault::Hang(seconds(time)?),
            ["cut_before"] => Fault::CutBefore,
            ["cut_after"] => Fault::CutAfter,
            _ => return None,
        };
        Some(Self {
            text,
            count,
            action: action.join(" "),
            fault,
        })
    }

    fn with_count(&self, count: u64) -> String {
        format!("{} {count} {}", self.text, self.action)
    }

    fn matches(&self, call: &Call) -> bool {
        let text = self.text.replace('~', " ").to_lowercase();
        text == call.name()
            || call
                .sql()
                .is_some_and(|sql| sql.to_lowercase().contains(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(rules: &str, call: Call) -> (String, Option<Fault>) {
        apply_rules(rules, &call).unwrap()
    }

    #[test]
    fn a_rule_fires_at_its_count_and_is_gone() {
        let call = Call::Execute("BEGIN API.ACK(:1); END;");
        let (rules, fault) = applied("API.ACK 2 cut_after\n", call);
        assert_eq!((rules.as_str(), fault), ("API.ACK 1 cut_after\n", None));
        let (rules, fault) = applied(&rules, call);
        assert_eq!((rules.as_str(), fault), ("", Some(Fault::CutAfter)));
    }

    #[test]
    fn a_star_stays() {
        let rules = "connect * refuse\n";
        let after = applied(rules, Call::Connect("APP@//h:1/d"));
        assert_eq!(after, (rules.to_owned(), Some(Fault::Refuse)));
    }

    #[test]
    fn names_of_calls_do_not_match_other_calls() {
        let rules = "connect 1 refuse\n";
        assert_eq!(applied(rules, Call::Commit), (rules.to_owned(), None));
        let (_, fault) = applied("ping 1 code 3113\n", Call::Ping);
        assert_eq!(fault, Some(Fault::Code(3113)));
    }

    #[test]
    fn a_tilde_is_a_blank_and_case_does_not_matter() {
        let (_, fault) = applied(
            "from~dual 1 delay 0.5\n",
            Call::Execute("SELECT 1 FROM DUAL"),
        );
        assert_eq!(fault, Some(Fault::Delay(Duration::from_millis(500))));
    }

    #[test]
    fn comments_are_kept_and_misspelt_rules_are_refused() {
        let (left, fault) = applied("# comment\n\nexecute 1 code 1555\n", Call::Execute("x"));
        assert_eq!(left, "# comment\n\n");
        assert_eq!(fault, Some(Fault::Code(1555)));
        for line in ["ping 1 cut", "ping one refuse", "ping", "ping 1 code x"] {
            assert_eq!(apply_rules(line, &Call::Ping).unwrap_err(), line);
        }
    }
}
