//! Oracle types here: how a column is read, and what a created table gets.
//!
//! Pure. The reasons behind the choices:
//! * Texts are read as `text`. A length would raise where Oracle counts bytes and PostgreSQL
//!   characters, and `char(n)` would lose its blanks on the way into a `text` column.
//! * NUMBER without a precision holds anything, so only `numeric` does.
//! * Oracle's DATE has a time of day: `date` would drop it.
//! * XML and JSON are read as `text` too; the statement that stores them casts.
//! * A LOB declares no length: it counts as [`LOB_BYTES`].

use crate::error::{Error, Kind};
use crate::source::contract::Column;

/// What a LOB, LONG or XML value counts in the memory of a fetch: oracle_fdw reads that much ahead
/// for each row of an array.
pub const LOB_BYTES: i64 = 1 << 20;

/// Fraction digits that PostgreSQL keeps of a time.
pub(super) const MICROSECONDS: i32 = 6;

/// How a column is read and stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Type of the foreign column and of its staging column.
    pub foreign: String,
    /// Type of the column in a table that orapull creates.
    pub local: String,
    /// Bytes that a value may take in the buffers of a fetch.
    pub width: i64,
}

/// Whether Oracle stores and logs a column as a LOB.
pub fn is_lob(column: &Column) -> bool {
    let (name, _) = split(&column.data_type);
    match name.as_str() {
        "CLOB" | "NCLOB" | "BLOB" | "XMLTYPE" | "JSON" | "VECTOR" | "LONG" | "LONG RAW" => true,
        "VARCHAR2" | "NVARCHAR2" | "VARCHAR" => column.data_length > 4000,
        "RAW" => column.data_length > 2000,
        _ => false,
    }
}

/// How a column of this type is read and stored, or why it cannot be.
pub fn map(column: &Column) -> Result<Mapped, Error> {
    let (name, lengths) = split(&column.data_type);
    let mapped = match name.as_str() {
        "NUMBER" => number(column),
        "FLOAT" => same("numeric", 140),
        "BINARY_FLOAT" => same("real", 42),
        "BINARY_DOUBLE" => same("double precision", 42),
        "VARCHAR2" | "NVARCHAR2" | "VARCHAR" => text(column, "varchar"),
        "CHAR" | "NCHAR" => text(column, "char"),
        "CLOB" | "NCLOB" | "LONG" => same("text", LOB_BYTES),
        "XMLTYPE" => lob_as("text", "xml"),
        "JSON" => lob_as("text", "json"),
        "VECTOR" => same("text", LOB_BYTES),
        "RAW" => same("bytea", 2 * column.data_length + 1),
        "BLOB" | "LONG RAW" => same("bytea", LOB_BYTES),
        "BOOLEAN" => same("boolean", 4),
        "DATE" => same("timestamp(0)", 23),
        "TIMESTAMP" => same(
            &format!(
                "timestamp({})",
                fraction(column, &lengths).min(MICROSECONDS)
            ),
            34,
        ),
        "TIMESTAMP WITH TIME ZONE" | "TIMESTAMP WITH LOCAL TIME ZONE" => same(
            &format!(
                "timestamp({}) with time zone",
                fraction(column, &lengths).min(MICROSECONDS)
            ),
            40,
        ),
        "INTERVAL DAY TO SECOND" | "INTERVAL YEAR TO MONTH" => same("interval", 31),
        other => return Err(unmappable(column, other)),
    };
    Ok(mapped)
}

/// What a local type drops of a column, without raising an error, in words; written as `format_type()` writes it.
pub fn lost(column: &Column, local: &str) -> Option<String> {
    let created = map(column).ok()?.local;
    let (from, _) = split(&created);
    let (to, lengths) = split(local);
    match (from.as_str(), to.as_str()) {
        (time, _) if time.starts_with("timestamp") && to.starts_with("timestamp") => {
            let digits = fraction_digits(column);
            let kept = lengths.first().copied().unwrap_or(MICROSECONDS);
            (digits > kept).then(|| {
                format!("is {local}: of {digits} fraction digits more than {kept} are rounded")
            })
        }
        ("timestamp", "date") => Some("is a date: the time of day is dropped".to_owned()),
        ("numeric", "numeric") => {
            let scale = scale_of(&lengths)?;
            let had = scale_of(&split(&created).1);
            had.is_none_or(|had| had > scale)
                .then(|| format!("is {local}: more than {scale} fraction digits are rounded"))
        }
        ("numeric", "real" | "double precision") => Some(format!(
            "is {local}: digits beyond its precision are rounded"
        )),
        _ => None,
    }
}

/// Fraction digits of `numeric(p)` or `numeric(p,s)`; `numeric` alone keeps all.
fn scale_of(lengths: &[i32]) -> Option<i32> {
    match lengths {
        [] => None,
        [_] => Some(0),
        [_, scale, ..] => Some(*scale),
    }
}

/// A type's name without the lengths in parentheses, and those lengths in order.
pub(super) fn split(data_type: &str) -> (String, Vec<i32>) {
    let mut name = String::new();
    let mut lengths = Vec::new();
    for (at, piece) in data_type.split(['(', ')']).enumerate() {
        if at % 2 == 0 {
            name.push_str(piece);
        } else {
            lengths.extend(
                piece
                    .split(',')
                    .filter_map(|n| n.trim().parse::<i32>().ok()),
            );
        }
    }
    (name.trim().to_owned(), lengths)
}

fn same(data_type: &str, width: i64) -> Mapped {
    Mapped {
        foreign: data_type.to_owned(),
        local: data_type.to_owned(),
        width,
    }
}

fn lob_as(foreign: &str, local: &str) -> Mapped {
    Mapped {
        foreign: foreign.to_owned(),
        local: local.to_owned(),
        width: LOB_BYTES,
    }
}

fn text(column: &Column, local: &str) -> Mapped {
    Mapped {
        foreign: "text".to_owned(),
        local: format!("{local}({})", column.char_length.max(1)),
        // Four bytes are the most that a character takes in UTF-8.
        width: 4 * column.char_length.max(column.data_length / 4) + 1,
    }
}

pub(super) fn number(column: &Column) -> Mapped {
    let Some((precision, scale)) = digits(column) else {
        return same("numeric", 140);
    };
    let width = precision + scale.abs() + 6;
    if scale > 0 {
        return Mapped {
            // Oracle has rounded already; a scale here could only do it again.
            foreign: "numeric".to_owned(),
            // NUMBER(2,5) holds 0.00012: a scale beyond the precision is not for PostgreSQL 14.
            local: format!("numeric({},{scale})", precision.max(scale)),
            width,
        };
    }
    // NUMBER(5,-2) holds 9999900.
    match precision - scale {
        ..=4 => same("smallint", width),
        5..=9 => same("integer", width),
        10..=18 => same("bigint", width),
        digits => Mapped {
            foreign: "numeric".to_owned(),
            local: format!("numeric({digits},0)"),
            width,
        },
    }
}

/// Precision and scale of a NUMBER that has both. Wide enough to reckon with whatever a source says.
pub(super) fn digits(column: &Column) -> Option<(i64, i64)> {
    Some((column.precision?.into(), column.scale?.into()))
}

/// Fraction digits of a column that becomes a timestamp.
fn fraction_digits(column: &Column) -> i32 {
    match split(&column.data_type) {
        (name, _) if name == "DATE" => 0,
        (_, lengths) => fraction(column, &lengths),
    }
}

/// Fraction digits of a TIMESTAMP; Oracle's default is 6.
pub(super) fn fraction(column: &Column, lengths: &[i32]) -> i32 {
    column
        .scale
        .or(lengths.first().copied())
        .unwrap_or(MICROSECONDS)
}

fn unmappable(column: &Column, name: &str) -> Error {
    let reason = match name {
        "BFILE" => "a BFILE is a file on the Oracle server, not a value in the table",
        "ROWID" | "UROWID" => "a row address of that database means nothing in another",
        _ => "object types, collections and references have no counterpart here",
    };
    Error::new(
        Kind::BadTarget,
        format!(
            "column {} of type {}: {reason}",
            column.name, column.data_type
        ),
    )
    .hint("Move the column by other means, or have the source show the table without it.")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn what_a_type_drops_is_said() {
        assert!(lost(&column("DATE"), "date").is_some());
        let number = decimal(None, None);
        assert!(lost(&number, "numeric(10,2)").is_some());
        assert!(lost(&decimal(Some(10), Some(3)), "numeric(10,2)").is_some());
        assert_eq!(lost(&decimal(Some(10), Some(2)), "numeric(12,2)"), None);
        assert!(lost(&number, "numeric(10)").is_some());
        assert_eq!(lost(&number, "numeric"), None);
        assert!(lost(&number, "double precision").is_some());
        assert_eq!(lost(&column("CLOB"), "character varying(3)"), None);
    }

    #[test]
    fn digits_of_a_time_that_are_dropped_are_said() {
        let plain = "timestamp without time zone";
        assert_eq!(lost(&column("TIMESTAMP(6)"), plain), None);
        assert_eq!(
            lost(&column("TIMESTAMP(9)"), plain).expect("three digits"),
            format!("is {plain}: of 9 fraction digits more than 6 are rounded")
        );
        assert!(lost(&column("TIMESTAMP(7)"), "timestamp(6) without time zone").is_some());
        assert!(lost(&column("TIMESTAMP(3)"), "timestamp(0) without time zone").is_some());
        assert_eq!(
            lost(&column("TIMESTAMP(3)"), "timestamp(3) without time zone"),
            None
        );
        assert_eq!(
            lost(&column("DATE"), "timestamp(0) without time zone"),
            None
        );
        for zoned in [
            "TIMESTAMP(8) WITH TIME ZONE",
            "TIMESTAMP(8) WITH LOCAL TIME ZONE",
        ] {
            assert!(lost(&column(zoned), "timestamp with time zone").is_some());
        }
    }

    #[test]
    fn types_of_late_versions_have_counterparts() {
        let mapped = |data_type: &str| map(&column(data_type)).expect("a supported type");
        for (data_type, foreign, local, width) in [
            ("JSON", "text", "json", LOB_BYTES),
            ("VECTOR", "text", "text", LOB_BYTES),
            ("VECTOR(768,FLOAT32)", "text", "text", LOB_BYTES),
            ("BOOLEAN", "boolean", "boolean", 4),
        ] {
            let expected = Mapped {
                foreign: foreign.to_owned(),
                local: local.to_owned(),
                width,
            };
            assert_eq!(mapped(data_type), expected, "{data_type}");
        }
    }

    pub fn column(data_type: &str) -> Column {
        Column {
            name: "C".to_owned(),
            data_type: data_type.to_owned(),
            data_length: 22,
            char_length: 0,
            precision: None,
            scale: None,
            nullable: false,
            key_position: None,
        }
    }

    pub fn decimal(precision: Option<i32>, scale: Option<i32>) -> Column {
        Column {
            precision,
            scale,
            ..column("NUMBER")
        }
    }

    pub fn string(data_type: &str, char_length: i64, data_length: i64) -> Column {
        Column {
            char_length,
            data_length,
            ..column(data_type)
        }
    }

    fn types(column: &Column) -> (String, String) {
        let mapped = map(column).expect("a supported type");
        (mapped.foreign, mapped.local)
    }

    fn both(data_type: &str) -> (String, String) {
        (data_type.to_owned(), data_type.to_owned())
    }

    #[test]
    fn whole_numbers_get_the_narrowest_type_that_takes_them_all() {
        for (precision, expected) in [
            (1, "smallint"),
            (4, "smallint"),
            (5, "integer"),
            (9, "integer"),
            (10, "bigint"),
            (18, "bigint"),
        ] {
            let column = decimal(Some(precision), Some(0));
            assert_eq!(types(&column), both(expected), "{precision}");
        }
        let (_, local) = types(&decimal(Some(19), Some(0)));
        assert_eq!(local, "numeric(19,0)");
        assert_eq!(types(&decimal(None, Some(0))), both("numeric"));
        assert_eq!(types(&decimal(None, None)), both("numeric"));
    }

    #[test]
    fn odd_scales_lose_nothing_and_suit_every_version() {
        assert_eq!(types(&decimal(Some(10), Some(2))).1, "numeric(10,2)");
        assert_eq!(types(&decimal(Some(2), Some(5))).1, "numeric(5,5)");
        assert_eq!(types(&decimal(Some(2), Some(-2))), both("smallint"));
        assert_eq!(types(&decimal(Some(3), Some(-2))), both("integer"));
        assert_eq!(types(&decimal(Some(38), Some(-84))).1, "numeric(122,0)");
    }

    #[test]
    fn texts_are_read_without_a_length_and_stored_with_the_one_in_characters() {
        let expect = |local: &str| ("text".to_owned(), local.to_owned());
        assert_eq!(types(&string("VARCHAR2", 20, 80)), expect("varchar(20)"));
        assert_eq!(types(&string("NVARCHAR2", 20, 40)), expect("varchar(20)"));
        assert_eq!(types(&string("CHAR", 3, 3)), expect("char(3)"));
        assert_eq!(types(&column("CLOB")), both("text"));
        assert_eq!(types(&column("LONG")), both("text"));
        assert_eq!(types(&column("XMLTYPE")), expect("xml"));
    }

    #[test]
    fn times_keep_their_time_of_day_and_at_most_microseconds() {
        assert_eq!(types(&column("DATE")), both("timestamp(0)"));
        assert_eq!(types(&column("TIMESTAMP(3)")), both("timestamp(3)"));
        assert_eq!(types(&column("TIMESTAMP(9)")), both("timestamp(6)"));
        let zoned = both("timestamp(6) with time zone");
        assert_eq!(types(&column("TIMESTAMP(6) WITH TIME ZONE")), zoned);
        assert_eq!(types(&column("TIMESTAMP(9) WITH LOCAL TIME ZONE")), zoned);
        for interval in ["INTERVAL DAY(2) TO SECOND(6)", "INTERVAL YEAR(2) TO MONTH"] {
            assert_eq!(types(&column(interval)), both("interval"));
        }
    }

    #[test]
    fn binary_types_and_floats_have_counterparts() {
        assert_eq!(types(&column("RAW")), both("bytea"));
        assert_eq!(types(&column("BLOB")), both("bytea"));
        assert_eq!(types(&column("LONG RAW")), both("bytea"));
        assert_eq!(types(&column("FLOAT")), both("numeric"));
        assert_eq!(types(&column("BINARY_FLOAT")), both("real"));
        assert_eq!(types(&column("BINARY_DOUBLE")), both("double precision"));
    }

    #[test]
    fn a_refusal_names_the_column_and_the_reason() {
        for (data_type, reason) in [
            ("BFILE", "file on the Oracle server"),
            ("UROWID", "row address"),
            ("SDO_GEOMETRY", "object types"),
        ] {
            let error = map(&column(data_type)).expect_err(data_type);
            assert_eq!(error.kind, Kind::BadTarget);
            let message = error.message;
            assert!(message.contains("column C of type"), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }

    #[test]
    fn the_width_of_a_text_counts_four_bytes_a_character() {
        let width = |column: &Column| map(column).expect("a supported type").width;
        assert_eq!(width(&string("VARCHAR2", 4000, 4000)), 16_001);
        assert_eq!(width(&column("BLOB")), LOB_BYTES);
    }
}
