//! One error type and one policy: what kind of thing went wrong, and what follows from it.
//!
//! Pure: knows neither pgrx nor Oracle. `report.rs` turns an [`Error`] into a PostgreSQL error.

use std::fmt;

/// What went wrong. Each kind has one SQLSTATE, so that scripts can tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The source does not answer, or the connection broke.
    Unreachable,
    /// The source refuses the user or password. Trying again would lock the account.
    Credentials,
    /// The Oracle client library was not found or does not load.
    NoClient,
    /// A call outlived its timeout.
    Timeout,
    /// The views or the package of the source are missing, too old or not granted.
    Contract,
    /// Another server holds the shard's lease.
    LeaseHeld,
    /// The token is stale: another server attached as this shard.
    LeaseLost,
    /// The source is not the database that was followed so far.
    SourceChanged,
    /// Portions that this shard has not applied are gone.
    PortionsGone,
    /// The source cannot read its own pointers.
    TransportLost,
    /// The source refuses a table, or forgot one.
    TableRefused,
    /// The source does not know the request or plan any more: ask or plan again.
    Forgotten,
    /// Something changed between the steps of a turn: drop the turn and begin again.
    Changed,
    /// A relation, filter or option that cannot be used.
    BadTarget,
    /// An argument that makes no sense.
    BadArgument,
    /// There is no such source or table in the catalog.
    NotFound,
    /// It exists already.
    Exists,
    /// Not possible in the present state.
    WrongState,
    /// The caller is not a member of the source's owner.
    Forbidden,
    /// This server is a copy of the one that attached.
    Copied,
    /// Worker slots, connections or memory are used up.
    Resources,
    /// A value does not fit: a row's fault, not the table's.
    Value,
    /// Two rows want the same value of a unique index.
    Unique,
    /// A lock was not granted within `lock_timeout`.
    Blocked,
    /// Deadlock or serialization failure: the same again will do.
    Retry,
    /// Any other error of PostgreSQL.
    Other,
    /// A case the code believed impossible.
    Bug,
}

/// What the puller does about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Back off and try the turn again.
    Retry,
    /// The source stops until an operator acts.
    Stop,
    /// The row is parked, the others go on.
    Park,
    /// The table is paused, the others go on.
    PauseTable,
}

impl Kind {
    pub fn action(self) -> Action {
        use Kind::*;
        match self {
            Unreachable | NoClient | Timeout | Contract | LeaseHeld | Forgotten | Changed
            | Resources | Retry => Action::Retry,
            Credentials | LeaseLost | SourceChanged | PortionsGone | TransportLost | Copied => {
                Action::Stop
            }
            Value | Unique => Action::Park,
            TableRefused | BadTarget | BadArgument | NotFound | Exists | WrongState | Forbidden
            | Blocked | Other | Bug => Action::PauseTable,
        }
    }

    /// The SQLSTATE under which PostgreSQL reports this kind.
    pub fn sqlstate(self) -> &'static str {
        use Kind::*;
        match self {
            Unreachable => "08001",
            Credentials => "28000",
            NoClient => "58P01",
            Timeout => "57014",
            Contract => "HV000",
            LeaseHeld => "55006",
            LeaseLost => "08003",
            SourceChanged => "HV00N",
            PortionsGone => "02000",
            TransportLost => "58030",
            TableRefused => "HV00R",
            Forgotten => "HV010",
            Changed => "40001",
            BadTarget => "42809",
            BadArgument => "22023",
            NotFound => "42704",
            Exists => "42710",
            WrongState => "55000",
            Forbidden => "42501",
            Copied => "0A000",
            Resources => "53000",
            Value => "22000",
            Unique => "23505",
            Blocked => "55P03",
            Retry => "40P01",
            Other => "38000",
            Bug => "XX000",
        }
    }
}

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

    /// An error that the source raised in a call.
    pub fn from_oracle(code: i32, message: &str) -> Self {
        let kind = from_ora(code);
        let mut error = Error::new(kind, message.trim_end());
        error.hint = hint_of(kind).map(str::to_owned);
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
        "22023" => Kind::BadArgument,
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
        4030 | 4031 | 4036 | 1652 | 1653 | 18 | 20 => Kind::Resources,
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

/// What an operator can do, where it does not depend on the case.
fn hint_of(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Unreachable => {
            Some("Is the listener up, and are host, port and service of the foreign server right?")
        }
        Kind::Credentials => Some(
            "Mend the user mapping, then call orapull.resume(source). Nothing is tried until then, because tries lock the account.",
        ),
        Kind::Contract => Some(
            "Is orapull installed in this Oracle database, and are its views and package granted to the user of the user mapping?",
        ),
        Kind::LeaseLost => Some(
            "Another server attached as this shard. If this server is the right one, call orapull.adopt(source).",
        ),
        _ => None,
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
    fn a_stale_token_never_leads_to_another_attach() {
        assert_eq!(Error::from_oracle(20802, "x").kind, Kind::LeaseLost);
        assert_eq!(Kind::LeaseLost.action(), Action::Stop);
    }

    #[test]
    fn value_errors_park_a_row() {
        for sqlstate in ["22001", "22003", "22P02", "23502", "23514"] {
            let error = Error::from_postgres(sqlstate, "x", None);
            assert_eq!(error.kind.action(), Action::Park, "{sqlstate}");
        }
    }
}
