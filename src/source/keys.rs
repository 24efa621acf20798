//! What may be a part of the identity: keys there, and the columns here that keep all their values
//! apart. Pure.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind};
use crate::source::contract::Column;
use crate::source::types::{MICROSECONDS, digits, fraction, number, split};

/// Digits of an integer NUMBER(*,0): 38 are promised, 40 can be stored.
const WIDEST_INTEGER: i64 = 40;

/// What a key column holds; decides how the text in K1 to K8 becomes a value again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyKind {
    Number,
    Text,
    Char,
    Date,
    Timestamp,
    Raw,
}

/// What a column holds as a part of the identity, or why it cannot be one.
pub fn kind(column: &Column) -> Result<KeyKind, Error> {
    let (name, lengths) = split(&column.data_type);
    match name.as_str() {
        "NUMBER" => Ok(KeyKind::Number),
        "VARCHAR2" => Ok(KeyKind::Text),
        "CHAR" => Ok(KeyKind::Char),
        "DATE" => Ok(KeyKind::Date),
        "RAW" => Ok(KeyKind::Raw),
        "TIMESTAMP" if fraction(column, &lengths) <= MICROSECONDS => Ok(KeyKind::Timestamp),
        "TIMESTAMP" => Err(no_key(
            column,
            "PostgreSQL keeps 6 fraction digits, so that two different values could become one",
        )),
        _ => Err(no_key(column, "keys of this type are not supported")),
    }
}

/// How long the canonical text of a key is where the value does not say it: the characters to which
/// a CHAR is padded, the fraction digits of a TIMESTAMP.
pub fn length(kind: KeyKind, column: &Column) -> i64 {
    match kind {
        KeyKind::Char => column.char_length,
        KeyKind::Timestamp => fraction(column, &split(&column.data_type).1).into(),
        KeyKind::Number | KeyKind::Text | KeyKind::Date | KeyKind::Raw => 0,
    }
}

/// Checks that a local key column keeps every two values of the source apart: that it neither
/// rounds nor folds, and takes every value the source can have. `local_type` is written as
/// `format_type()` writes it; for a domain, give its base type.
pub fn fits(
    kind: KeyKind,
    column: &Column,
    local_type: &str,
    folding_collation: bool,
) -> Result<(), Error> {
    let (name, lengths) = split(local_type);
    let (fits, wanted) = match kind {
        KeyKind::Number => number_fits(column, &name, &lengths),
        KeyKind::Text => (
            is_text(&name) && length_fits(column, &lengths),
            format!("text or varchar({})", column.char_length),
        ),
        KeyKind::Char => (
            (is_text(&name) || is_char(&name, &lengths)) && length_fits(column, &lengths),
            format!("char({})", column.char_length),
        ),
        KeyKind::Date => (
            name == "timestamp without time zone",
            "timestamp(0)".to_owned(),
        ),
        KeyKind::Timestamp => timestamp_fits(column, &name, &lengths),
        KeyKind::Raw => (name == "bytea", "bytea".to_owned()),
    };
    if !fits {
        return Err(no_key(
            column,
            &format!("{local_type} could make two different values equal or refuse one"),
        )
        .hint(format!("Give the local column the type {wanted}.")));
    }
    if folding_collation && matches!(kind, KeyKind::Text | KeyKind::Char) {
        return Err(no_key(
            column,
            "the nondeterministic collation of the local column makes different values equal",
        )
        .hint("Give the local column a deterministic collation, for instance \"C\"."));
    }
    Ok(())
}

fn is_text(name: &str) -> bool {
    matches!(name, "text" | "character varying")
}

/// `bpchar` without a length counts too: all values of a CHAR(n) have the same length.
fn is_char(name: &str, lengths: &[i32]) -> bool {
    name == "bpchar" || (name == "character" && !lengths.is_empty())
}

fn length_fits(column: &Column, lengths: &[i32]) -> bool {
    lengths
        .first()
        .is_none_or(|length| i64::from(*length) >= column.char_length)
}

fn timestamp_fits(column: &Column, name: &str, lengths: &[i32]) -> (bool, String) {
    let (_, declared) = split(&column.data_type);
    let digits = fraction(column, &declared);
    let kept = lengths.first().copied().unwrap_or(MICROSECONDS);
    (
        name == "timestamp without time zone" && kept >= digits,
        format!("timestamp({digits})"),
    )
}

fn number_fits(column: &Column, name: &str, lengths: &[i32]) -> (bool, String) {
    let wanted = number(column).local;
    // Digits before and after the point; none: no bound.
    let (before, after) = match (digits(column), column.scale) {
        (Some((precision, scale)), _) => (Some(precision - scale), Some(scale.max(0))),
        (None, Some(0)) => (Some(WIDEST_INTEGER), Some(0)),
        _ => (None, None),
    };
    let holds = |digits: i64| after == Some(0) && before.is_some_and(|n| n <= digits);
    let fits = match (name, lengths) {
        ("smallint", _) => holds(4),
        ("integer", _) => holds(9),
        ("bigint", _) => holds(18),
        ("numeric", []) => true,
        ("numeric", [precision, scale]) => {
            let (precision, scale) = (i64::from(*precision), i64::from(*scale));
            before.is_some_and(|n| n <= precision - scale) && after.is_some_and(|n| n <= scale)
        }
        _ => false,
    };
    (fits, wanted)
}

fn no_key(column: &Column, reason: &str) -> Error {
    Error::new(
        Kind::BadTarget,
        format!(
            "column {} of type {} cannot be part of the identity: {reason}",
            column.name, column.data_type
        ),
    )
    .hint("Add the table with identity => 'rowid'.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::types::tests::{column, decimal, string};

    #[test]
    fn a_key_must_have_a_type_with_a_canonical_text() {
        assert_eq!(kind(&column("NUMBER")), Ok(KeyKind::Number));
        assert_eq!(kind(&column("VARCHAR2")), Ok(KeyKind::Text));
        assert_eq!(kind(&column("CHAR")), Ok(KeyKind::Char));
        assert_eq!(kind(&column("DATE")), Ok(KeyKind::Date));
        assert_eq!(kind(&column("TIMESTAMP(6)")), Ok(KeyKind::Timestamp));
        assert_eq!(kind(&column("RAW")), Ok(KeyKind::Raw));
        for refused in [
            "TIMESTAMP(7)",
            "TIMESTAMP(6) WITH TIME ZONE",
            "FLOAT",
            "CLOB",
        ] {
            assert!(kind(&column(refused)).is_err(), "{refused}");
        }
    }

    fn takes(column: &Column, local: &str) -> bool {
        let kind = kind(column).expect("a key type");
        fits(kind, column, local, false).is_ok()
    }

    #[test]
    fn a_number_key_must_not_be_rounded_or_cut() {
        let any = decimal(None, None);
        assert!(takes(&any, "numeric"));
        for narrow in ["bigint", "numeric(38,10)", "double precision", "text"] {
            assert!(!takes(&any, narrow), "{narrow}");
        }
        let nine = decimal(Some(9), Some(0));
        for wide in [
            "integer",
            "bigint",
            "numeric",
            "numeric(9,0)",
            "numeric(12,2)",
        ] {
            assert!(takes(&nine, wide), "{wide}");
        }
        for narrow in ["smallint", "numeric(9,1)", "real"] {
            assert!(!takes(&nine, narrow), "{narrow}");
        }
        let cents = decimal(Some(10), Some(2));
        assert!(takes(&cents, "numeric(10,2)"));
        assert!(!takes(&cents, "bigint"));
        assert!(!takes(&cents, "numeric(10,1)"));
        assert!(takes(&decimal(None, Some(0)), "numeric(40,0)"));
        assert!(!takes(&decimal(None, Some(0)), "bigint"));
    }

    #[test]
    fn a_text_key_must_not_be_folded_padded_or_cut() {
        let name = string("VARCHAR2", 20, 20);
        for kept in ["text", "character varying", "character varying(20)"] {
            assert!(takes(&name, kept), "{kept}");
        }
        for lossy in ["character varying(19)", "character(20)", "citext", "uuid"] {
            assert!(!takes(&name, lossy), "{lossy}");
        }
        let folded = fits(KeyKind::Text, &name, "text", true);
        assert!(folded.is_err_and(|error| error.message.contains("collation")));
    }

    #[test]
    fn a_char_key_may_be_char_because_all_its_values_have_one_length() {
        let code = string("CHAR", 4, 4);
        for kept in ["character(4)", "character(9)", "bpchar", "text"] {
            assert!(takes(&code, kept), "{kept}");
        }
        assert!(!takes(&code, "character(3)"));
        assert!(!takes(&code, "\"char\""));
    }

    #[test]
    fn a_time_key_keeps_its_time_and_fraction() {
        assert!(takes(&column("DATE"), "timestamp(0) without time zone"));
        assert!(!takes(&column("DATE"), "date"));
        let millis = column("TIMESTAMP(3)");
        assert!(takes(&millis, "timestamp without time zone"));
        assert!(!takes(&millis, "timestamp(2) without time zone"));
        assert!(takes(&column("RAW"), "bytea"));
        assert!(!takes(&column("RAW"), "uuid"));
    }
}
