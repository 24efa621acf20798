//! One error type, and which kind of thing went wrong when PostgreSQL or Oracle says so.
//!
//! Pure: knows neither pgrx nor Oracle. `report.rs` turns an [`Error`] into a PostgreSQL error.

use std::fmt;

pub use crate::kind::{Action, Kind};

/// What happened, to what, why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
    pub detail: Option<String>,
    pub hint: Option<String>,
    /// SQLSTATE of the PostgreSQL error this came from, if it came from one.
    pub origin: Option<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(detail) = &self.detail {
            write!(f, " ({detail})")?;
        }
        Ok(())
    }
}

impl Error {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            detail: None,
            hint: None,
            origin: None,
        }
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names what was being done, in front of the message.
    pub fn context(mut self, doing: &str) -> Self {
        self.message = format!("{doing}: {}", self.message);
        self
    }

    /// What to do: in this very case if that is known, else about errors of this kind.
    pub fn advice(&self) -> String {
        let of_kind = || self.kind.about().advice.to_owned();
        self.hint.clone().unwrap_or_else(of_kind)
    }

    /// The SQLSTATE shown to people: the original one where there is one.
    pub fn sqlstate(&self) -> &str {
        self.origin.as_deref().unwrap_or(self.kind.sqlstate())
    }

    /// An error that PostgreSQL raised, told apart by its SQLSTATE and, for errors of a foreign
    /// data wrapper, by the ORA code in its text.
    pub fn from_postgres(sqlstate: &str, message: &str, detail: Option<&str>) -> Self {
        let text = format!("{message} {}", detail.unwrap_or_default());
        let kind = match ora_code(&text) {
            Some(code) if sqlstate.starts_with("HV") => from_ora(code),
            _ => from_sqlstate(sqlstate),
        };
        Error {
            kind,
            message: message.to_owned(),
            detail: detail.map(str::to_owned),
            hint: None,
            origin: Some(sqlstate.to_owned()),
        }
    }

    /// An error of reading the contract: that a view is not there or not granted is no table's fault.
    pub fn of_contract(mut self) -> Self {
        if matches!(self.sqlstate(), "42501" | "42P01" | "42703") {
            self.kind = Kind::Contract;
        }
        self
    }

    /// An error of work here alone: what a trigger says of another server says nothing of the source.
    pub fn of_local_work(mut self) -> Self {
        if self.kind.action() == Action::Stop {
            self.kind = Kind::Other;
        }
        self
    }

    /// An error that the source raised in a call.
    pub fn from_oracle(code: i32, message: &str) -> Self {
        let kind = from_ora(code);
        let mut error = Error::new(kind, message.trim_end());
        error.hint = Some(kind.about().advice.to_owned());
        error
    }
}

/// The first `ORA-nnnnn` in a text.
pub fn ora_code(text: &str) -> Option<i32> {
    text.match_indices("ORA-").find_map(|(at, found)| {
        let rest = &text[at + found.len()..];
        let digits = rest.find(|c: char| !c.is_ascii_digit());
        rest[..digits.unwrap_or(rest.len())].parse().ok()
    })
}

fn from_sqlstate(sqlstate: &str) -> Kind {
    match sqlstate {
        // The FDW could not log in; which of the two it is, only the text tells: be careful.
        "28000" | "28P01" => Kind::Credentials,
        "HV00N" | "HV00M" => Kind::Unreachable,
        "40001" | "40P01" => Kind::Retry,
        "55P03" => Kind::Blocked,
        "23505" | "23P01" => Kind::Unique,
        "XX000" => Kind::Other,
        _ => match sqlstate.get(..2) {
            Some("08" | "57") => Kind::Unreachable,
            Some("22" | "23") => Kind::Value,
            Some("53") => Kind::Resources,
            Some("58") => Kind::Resources,
            _ => Kind::Other,
        },
    }
}

/// Classes of ORA codes. Sources: oracle_fdw.md (errors -> action) and the API's own range 208nn.
fn from_ora(code: i32) -> Kind {
    match code {
        1017 | 1045 | 28000 | 28001 | 28002 | 28003 => Kind::Credentials,
        20801 | 20802 => Kind::LeaseLost,
        20803 => Kind::LeaseHeld,
        20804 => Kind::PortionsGone,
        20805 => Kind::SourceChanged,
        20806 | 20807 | 20810 => Kind::TableRefused,
        20808 => Kind::SourceChanged,
        20809 => Kind::Forgotten,
        942 | 1031 | 4042 | 4043 | 6550 | 6564 => Kind::Contract,
        1578 | 26040 => Kind::TransportLost,
        1555 | 22924 | 1466 | 8103 | 1410 | 8177 | 60 => Kind::Retry,
        1013 | 3136 => Kind::Timeout,
        4030 | 4031 | 4036 | 1652 | 1653 | 18 | 20 | 2391 | 12516 | 12518..=12520 => {
            Kind::Resources
        }
        // Values that do not convert: the row is at fault.
        1406 | 1426 | 1438 | 1801 | 1830 | 1839 | 1841 | 1843 | 1847 | 1858 | 1861 | 6502
        | 1722 | 29275 => Kind::Value,
        28
        | 1012
        | 1033
        | 1034
        | 1089
        | 1090
        | 1092
        | 2396
        | 3113
        | 3114
        | 3135
        | 12150..=12699
        | 25408
        | 30036 => Kind::Unreachable,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ora_code_is_found_in_any_text() {
        assert_eq!(ora_code("x ORA-00942: table"), Some(942));
        assert_eq!(ora_code("ORA-"), None);
        assert_eq!(ora_code("ORA-CLIENT: ORA-01017: x"), Some(1017));
        assert_eq!(ora_code("none"), None);
    }

    #[test]
    fn an_fdw_error_is_told_apart_by_its_ora_code() {
        let error = Error::from_postgres("HV00L", "error executing query", Some("ORA-01555: old"));
        assert_eq!(error.kind, Kind::Retry);
        assert_eq!(error.sqlstate(), "HV00L");
    }

    #[test]
    fn a_wrong_password_stops_and_a_dead_listener_is_tried_again() {
        let wrong = Error::from_oracle(1017, "ORA-01017: invalid username/password\n");
        assert_eq!(wrong.kind.action(), Action::Stop);
        assert!(!wrong.message.ends_with('\n'));
        assert_eq!(Error::from_oracle(12541, "x").kind.action(), Action::Retry);
    }

    #[test]
    fn a_listener_without_a_free_process_is_not_one_that_is_down() {
        for code in [18, 20, 2391, 12516, 12518, 12519, 12520] {
            assert_eq!(
                Error::from_oracle(code, "x").kind,
                Kind::Resources,
                "{code}"
            );
        }
        assert_eq!(Error::from_oracle(12514, "x").kind, Kind::Unreachable);
    }

    #[test]
    fn a_stale_token_never_leads_to_another_attach() {
        assert_eq!(Error::from_oracle(20802, "x").kind, Kind::LeaseLost);
        assert_eq!(Kind::LeaseLost.action(), Action::Stop);
    }

    #[test]
    fn value_errors_park_a_row() {
        for sqlstate in ["22001", "22003", "22023", "22P02", "23502", "23514"] {
            let error = Error::from_postgres(sqlstate, "x", None);
            assert_eq!(error.kind.action(), Action::Park, "{sqlstate}");
        }
    }
}
