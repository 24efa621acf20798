//! Values on their way between staged rows, texts of pointers and the columns of a target. Pure.

use crate::pull::table::{Column, Key, Table};
use crate::source::keys::KeyKind;

/// A staged value as the target's type.
///
/// Through the text form unless the types are the same: numeric to integer would round, an error
/// is wanted. Lengths and domains are left to the assignment, which raises where a cast would cut.
pub(super) fn converted(column: &Column, value: &str) -> String {
    let (from, to) = (column.foreign_type.as_str(), column.local_type.as_str());
    match (from, to) {
        _ if from == to => value.to_owned(),
        ("text", "character varying" | "character") => value.to_owned(),
        (_, "character varying" | "character" | "text") => format!("{value}::text"),
        // 64.00 is an integer, 64.8 is none.
        ("numeric", "smallint" | "integer" | "bigint") => {
            format!("CAST(trim_scale({value})::text AS {to})")
        }
        // bit alone is bit(1): the assignment checks the length.
        (_, "bit") => format!("CAST({value}::text AS bit varying)"),
        ("bytea", "uuid") => format!("encode({value}, 'hex')::uuid"),
        _ => format!("CAST({value}::text AS {to})"),
    }
}

/// A key value as the type in which it is compared with the target.
pub(super) fn comparable(column: &Column, value: String) -> String {
    match column.local_type.as_str() {
        "character" => format!("CAST({value} AS bpchar)"),
        "character varying" => format!("CAST({value} AS text)"),
        _ => value,
    }
}

/// K1..K8 of a pointer as the target's type.
pub(super) fn key_from_text(table: &Table, key: &Key, text: &str) -> String {
    let column = &table.columns[key.column];
    let value = match (key.kind, column.local_type.as_str()) {
        (KeyKind::Raw, "bytea") => format!("decode({text}, 'hex')"),
        (_, "text" | "character varying" | "character") => text.to_owned(),
        (_, to) => format!("CAST({text} AS {to})"),
    };
    comparable(column, value)
}

/// A key value of the target's type as canonical text, as the source writes it.
pub(super) fn key_to_text(table: &Table, key: &Key, value: &str) -> String {
    match (key.kind, table.columns[key.column].local_type.as_str()) {
        (KeyKind::Number, _) => format!("trim_scale(CAST({value}::text AS numeric))::text"),
        (KeyKind::Text, _) => format!("{value}::text"),
        (KeyKind::Char, _) => format!("rpad({value}::text, {})", key.length),
        (KeyKind::Timestamp, _) if key.length > 0 => {
            format!("to_char({value}, 'YYYY-MM-DD HH24:MI:SS.FF{}')", key.length)
        }
        (KeyKind::Date | KeyKind::Timestamp, _) => {
            format!("to_char({value}, 'YYYY-MM-DD HH24:MI:SS')")
        }
        (KeyKind::Raw, "bytea") => format!("upper(encode({value}, 'hex'))"),
        (KeyKind::Raw, _) => format!("upper(replace({value}::text, '-', ''))"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pull::statement::samples::column;

    #[test]
    fn lengths_are_left_to_the_assignment_and_other_types_go_through_text() {
        let cases = [
            (("text", "character varying"), "v"),
            (("numeric", "numeric"), "v"),
            (("numeric", "text"), "v::text"),
            (("numeric", "bigint"), "CAST(trim_scale(v)::text AS bigint)"),
            (("text", "jsonb"), "CAST(v::text AS jsonb)"),
            (("bytea", "uuid"), "encode(v, 'hex')::uuid"),
        ];
        for ((foreign, local), expected) in cases {
            assert_eq!(converted(&column("c", foreign, local), "v"), expected);
        }
    }
}
