//! The log of calls that tests assert on: the file `calls.log` in the folder OCI_STANDIN_DIR.
//!
//! One line for each call, written when it ends:
//! `<unix ms> <pid> <call> <outcome> <text on one line>`, where the call is connect, execute,
//! commit, rollback, ping, break or close, the outcome is `ok` or `ORA-nnnnn`, and the text is
//! the SQL of an execute and `user@address` of a connect. It never has a password or the value
//! of a bind.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::OraError;

/// A call to the database.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    Connect(&'a str),
    Execute(&'a str),
    Commit,
    Rollback,
    Ping,
    Break,
    Close,
}

impl<'a> Call<'a> {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Connect(_) => "connect",
            Self::Execute(_) => "execute",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Ping => "ping",
            Self::Break => "break",
            Self::Close => "close",
        }
    }

    pub fn sql(&self) -> Option<&'a str> {
        match self {
            Self::Execute(sql) => Some(sql),
            _ => None,
        }
    }

    fn text(&self) -> &'a str {
        match self {
            Self::Connect(text) | Self::Execute(text) => text,
            _ => "",
        }
    }
}

/// The folder of log and fault rules; none when the environment names none.
pub fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| std::env::var_os("OCI_STANDIN_DIR").map(PathBuf::from))
        .as_deref()
}

/// Logs a call that has ended.
pub fn ended<T>(call: &Call, outcome: &Result<T, OraError>) {
    let outcome = match outcome {
        Ok(_) => "ok".to_owned(),
        Err(error) => format!("ORA-{:05}", error.code),
    };
    write(&format!(
        "{} {outcome} {}",
        call.name(),
        one_line(call.text())
    ));
}

fn write(text: &str) {
    let Some(folder) = folder() else { return };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let line = format!(
        "{} {} {}\n",
        now.as_millis(),
        std::process::id(),
        text.trim_end()
    );
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("calls.log"));
    // A log that cannot be written must not change what the call answers.
    if let Ok(mut file) = file {
        let _ = file.write_all(line.as_bytes());
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_becomes_one_line() {
        assert_eq!(
            one_line("BEGIN\n  API.ACK(:1);\n\tEND;"),
            "BEGIN API.ACK(:1); END;"
        );
    }
}
