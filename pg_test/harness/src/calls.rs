//! The outside of the OCI stand-in: its call log, and the faults it is told to make.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::account::Account;

/// The folder that one shard's stand-in reads and writes.
pub struct StandinFolder {
    path: PathBuf,
}

/// One line of the call log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub unix_ms: u64,
    pub pid: u32,
    /// connect, execute, commit, rollback, ping, break, close.
    pub what: String,
    pub text: String,
    /// `ok` or `ORA-nnnnn`.
    pub outcome: String,
}

impl StandinFolder {
    pub fn create(path: PathBuf, account: Account) -> Result<Self> {
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        account.give(&path)?;
        let faults = path.join("faults");
        File::create(&faults).with_context(|| format!("cannot create {}", faults.display()))?;
        account.give(&faults)?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a rule: `<text to match> <n or *> <action> [argument]`; `~` in the text is a blank.
    pub fn add_fault(&self, rule: &str) -> Result<()> {
        let mut file = OpenOptions::new()
            .append(true)
            .open(self.path.join("faults"))?;
        // Servers count rules down in the same file.
        file.lock()?;
        writeln!(file, "{rule}")?;
        Ok(())
    }

    /// Rules that were not used up.
    pub fn faults_left(&self) -> Result<usize> {
        let file = self.path.join("faults");
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(text.lines().count())
    }

    pub fn clear_faults(&self) -> Result<()> {
        let file = OpenOptions::new()
            .write(true)
            .open(self.path.join("faults"))?;
        file.lock()?;
        file.set_len(0)?;
        Ok(())
    }

    /// What was called so far, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        let text = fs::read(self.path.join("calls.log")).unwrap_or_default();
        String::from_utf8_lossy(&text)
            .lines()
            .filter_map(parse)
            .collect()
    }
}

/// Reads `<unix ms> <pid> <call> <outcome> <text>`.
fn parse(line: &str) -> Option<Call> {
    let mut fields = line.splitn(5, ' ');
    Some(Call {
        unix_ms: fields.next()?.parse().ok()?,
        pid: fields.next()?.parse().ok()?,
        what: fields.next()?.to_owned(),
        outcome: fields.next()?.to_owned(),
        text: fields.next().unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_call_log_is_taken_apart() {
        let line = "1764455000123 77 execute ORA-03113 BEGIN ORAPULL.API.ACK(:1, :2, :3); END;";
        let call = parse(line).expect("a well-formed line");
        assert_eq!(
            (call.unix_ms, call.pid, call.what.as_str()),
            (1_764_455_000_123, 77, "execute")
        );
        assert_eq!(call.text, "BEGIN ORAPULL.API.ACK(:1, :2, :3); END;");
        assert_eq!(call.outcome, "ORA-03113");
    }

    #[test]
    fn a_call_without_text_has_an_outcome() {
        let call = parse("1764455000123 77 ping ok").expect("a well-formed line");
        assert_eq!((call.text.as_str(), call.outcome.as_str()), ("", "ok"));
    }
}
