//! Between [`Error`] and PostgreSQL's errors, both ways.

use pgrx::pg_sys::panic::{CaughtError, ErrorReport};
use pgrx::prelude::*;
use pgrx::spi;

use crate::error::{Error, Kind};

impl From<Error> for ErrorReport {
    fn from(error: Error) -> Self {
        let code = encode_sqlstate(error.sqlstate());
        // What PostgreSQL says is left as it said it.
        let hint = match error.origin {
            None => Some(error.advice()),
            Some(_) => error.hint,
        };
        let mut report = ErrorReport::new(code, error.message, "orapull");
        if let Some(detail) = error.detail {
            report = report.set_detail(detail);
        }
        if let Some(hint) = hint {
            report = report.set_hint(hint);
        }
        report
    }
}

impl From<spi::Error> for Error {
    fn from(error: spi::Error) -> Self {
        Error::new(Kind::Bug, format!("SPI: {error}"))
    }
}

/// What was caught around a call into PostgreSQL.
pub fn from_caught(caught: &CaughtError) -> Error {
    match caught {
        CaughtError::PostgresError(report) | CaughtError::ErrorReport(report) => {
            let sqlstate = decode_sqlstate(report.sql_error_code());
            let mut error = Error::from_postgres(&sqlstate, report.message(), report.detail());
            error.hint = report.hint().map(str::to_owned);
            error
        }
        CaughtError::RustPanic { ereport, .. } => {
            Error::new(Kind::Bug, format!("panic: {}", ereport.message()))
        }
    }
}

/// MAKE_SQLSTATE of elog.h: five characters of six bits each.
fn encode_sqlstate(sqlstate: &str) -> PgSqlErrorCode {
    let code = sqlstate.bytes().rev().fold(0, |code, byte| {
        (code << 6) + ((i32::from(byte) - i32::from(b'0')) & 0x3f)
    });
    code.into()
}

fn decode_sqlstate(code: PgSqlErrorCode) -> String {
    let code = code as isize;
    (0..5)
        .map(|i| char::from(((code >> (6 * i)) & 0x3f) as u8 + b'0'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sqlstate_survives_the_way_into_postgresql_and_back() {
        for sqlstate in ["42704", "HV00N", "XX000", "08P01", "0A000", "02000"] {
            assert_eq!(decode_sqlstate(encode_sqlstate(sqlstate)), sqlstate);
        }
    }

    #[test]
    fn an_error_keeps_its_detail_and_its_advice() {
        let error = Error::new(Kind::NotFound, "gone").detail("d").hint("h");
        let report = ErrorReport::from(error);
        assert_eq!(report.message(), "gone");
        assert_eq!((report.detail(), report.hint()), (Some("d"), Some("h")));
    }

    #[test]
    fn an_error_without_advice_has_that_of_its_kind_and_one_of_postgresql_has_none() {
        let report = ErrorReport::from(Error::new(Kind::Exists, "taken"));
        assert_eq!(report.hint(), Some(Kind::Exists.about().advice));
        let report = ErrorReport::from(Error::from_postgres("42P07", "taken", None));
        assert_eq!(report.hint(), None);
    }
}
