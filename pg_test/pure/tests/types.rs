//! What a source says of its columns, in range and out of it.

use proptest::prelude::*;

use pure::error::Kind;
use pure::source::contract::{Column, check_names, local_name};
use pure::source::keys::{self, KeyKind};
use pure::source::types::{lost, map};

proptest! {
    // Failing input is printed, and belongs into a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_description_is_mapped_or_refused_by_name(column in any_column()) {
        match map(&column) {
            Ok(mapped) => {
                prop_assert!(!mapped.foreign.is_empty() && !mapped.local.is_empty());
            }
            Err(error) => {
                prop_assert_eq!(error.kind, Kind::BadTarget);
                prop_assert!(error.message.contains(&column.name) && error.hint.is_some());
            }
        }
        if let Ok(kind) = keys::kind(&column) {
            let _ = keys::length(kind, &column);
            for local in ["numeric(5,2)", "text", "character varying(3)", "bytea", "(", "numeric(,)", "timestamp()"] {
                let _ = keys::fits(kind, &column, local, true);
                let _ = lost(&column, local);
            }
        }
    }

    #[test]
    fn a_created_key_column_keeps_all_keys_apart(column in oracle_column()) {
        let mapped = map(&column).expect("a type of Oracle");
        if let Ok(kind) = keys::kind(&column) {
            let local = formatted(&mapped.local);
            prop_assert_eq!(keys::fits(kind, &column, &local, false), Ok(()), "{}", local);
        }
    }

    #[test]
    fn a_created_column_drops_nothing_but_what_postgresql_cannot_keep(column in oracle_column()) {
        let local = formatted(&map(&column).expect("a type of Oracle").local);
        prop_assert_eq!(lost(&column, &local).is_some(), column.data_type == "TIMESTAMP(9)");
    }

    #[test]
    fn a_key_that_fits_fits_into_more_room(
        precision in 1..=38_i32, scale in -84..=127_i32, more in 0..20_i32, room in 1..=60_i32, fraction in 0..=60_i32
    ) {
        let column = number(Some(precision), Some(scale));
        let fits = |precision: i32, scale: i32| {
            keys::fits(KeyKind::Number, &column, &format!("numeric({precision},{scale})"), false).is_ok()
        };
        if fits(room, fraction) {
            prop_assert!(fits(room + more, fraction) && fits(room + more, fraction + more));
        }
    }

    #[test]
    fn names_that_are_accepted_are_names_here_and_differ(names in proptest::collection::vec("\\PC{1,12}|[A-Za-z$#_]{1,3}|p\\$.", 1..8)) {
        let columns: Vec<Column> = names
            .iter()
            .map(|name| Column { name: name.clone(), ..number(None, None) })
            .collect();
        if check_names(&columns).is_ok() {
            let mut local: Vec<String> = names.iter().map(|name| local_name(name)).collect();
            prop_assert!(local.iter().all(|name| name.len() <= 63 && !name.to_lowercase().starts_with("p$")));
            local.sort();
            local.dedup();
            prop_assert_eq!(local.len(), names.len());
        }
    }
}

fn number(precision: Option<i32>, scale: Option<i32>) -> Column {
    Column {
        name: "C".to_owned(),
        data_type: "NUMBER".to_owned(),
        data_length: 22,
        char_length: 0,
        precision,
        scale,
        nullable: false,
        key_position: None,
    }
}

const TYPES: [&str; 24] = [
    "NUMBER",
    "FLOAT",
    "BINARY_FLOAT",
    "BINARY_DOUBLE",
    "VARCHAR2",
    "NVARCHAR2",
    "CHAR",
    "NCHAR",
    "CLOB",
    "NCLOB",
    "LONG",
    "RAW",
    "LONG RAW",
    "BLOB",
    "BOOLEAN",
    "DATE",
    "XMLTYPE",
    "JSON",
    "TIMESTAMP(0)",
    "TIMESTAMP(6)",
    "TIMESTAMP(9)",
    "TIMESTAMP(6) WITH TIME ZONE",
    "TIMESTAMP(3) WITH LOCAL TIME ZONE",
    "INTERVAL DAY(9) TO SECOND(6)",
];

/// A column as Oracle describes one.
fn oracle_column() -> impl Strategy<Value = Column> {
    let decimal = proptest::option::of((1..=38_i32, proptest::option::of(-84..=127_i32)));
    (
        proptest::sample::select(TYPES.to_vec()),
        1..=4000_i64,
        decimal,
    )
        .prop_map(|(data_type, length, decimal)| {
            let is_number = data_type == "NUMBER";
            let scale = decimal.and_then(|(_, scale)| scale);
            Column {
                data_type: data_type.to_owned(),
                data_length: length,
                char_length: length,
                precision: decimal
                    .map(|(precision, _)| precision)
                    .filter(|_| is_number),
                // TIMESTAMP(n) says its digits in its name, and as a scale.
                scale: if is_number {
                    scale.or(decimal.map(|_| 0))
                } else {
                    None
                },
                ..number(None, None)
            }
        })
}

/// Anything that fits into a row of COLUMN_V.
fn any_column() -> impl Strategy<Value = Column> {
    let pieces = prop_oneof![
        proptest::sample::select(TYPES.to_vec()).prop_map(str::to_owned),
        "[()0-9, ]{0,12}",
        "\\PC{0,8}",
    ];
    let data_type = prop_oneof![
        proptest::sample::select(TYPES.to_vec()).prop_map(str::to_owned),
        proptest::collection::vec(pieces, 1..4).prop_map(|pieces| pieces.concat()),
    ];
    // NUMBER(18)
    let length = -999_999_999_999_999_999..=999_999_999_999_999_999_i64;
    (
        data_type,
        length.clone(),
        length,
        any::<Option<i32>>(),
        any::<Option<i32>>(),
        "\\PC{1,9}",
    )
        .prop_map(
            |(data_type, data_length, char_length, precision, scale, name)| Column {
                name,
                data_type,
                data_length,
                char_length,
                precision,
                scale,
                nullable: true,
                key_position: Some(1),
            },
        )
}

/// A type as `format_type()` writes it.
fn formatted(declared: &str) -> String {
    let (name, length) = declared
        .find('(')
        .map_or((declared, ""), |at| declared.split_at(at));
    let (length, rest) = length
        .find(')')
        .map_or(("", length), |at| length.split_at(at + 1));
    match (name, rest) {
        ("varchar", _) => format!("character varying{length}"),
        ("char", _) => format!("character{length}"),
        ("timestamp", "") => format!("timestamp{length} without time zone"),
        _ => declared.to_owned(),
    }
}
