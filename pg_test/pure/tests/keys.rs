//! Keys as text and back: PostgreSQL itself says which row a pointer names.

use std::cell::RefCell;

use harness::cluster::{Cluster, SUPERUSER};
use harness::world::World;
use postgres::Client;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use pure::pull::statement;
use pure::pull::table::{Column, Identity, Key, Table};
use pure::quote::literal;
use pure::source::keys::KeyKind;

/// A kind of key column: the types of a value on its way, and random values as SQL.
struct Kind {
    kind: KeyKind,
    length: i64,
    foreign: &'static str,
    /// Without its length, as the data path knows it, and with it.
    local: (&'static str, &'static str),
    /// The text that the source writes of a value `v`.
    canonical: &'static str,
    value: fn() -> BoxedStrategy<String>,
}

const KINDS: [Kind; 9] = [
    Kind {
        kind: KeyKind::Number,
        length: 0,
        foreign: "numeric",
        local: ("numeric", "numeric"),
        canonical: "trim_scale(v)::text",
        value: || "-?[0-9]{1,20}(\\.[0-9]{1,20})?(e-?[0-9]{1,2})?".boxed(),
    },
    Kind {
        kind: KeyKind::Number,
        length: 0,
        foreign: "numeric",
        local: ("bigint", "bigint"),
        canonical: "v::text",
        value: || any::<i64>().prop_map(|n| n.to_string()).boxed(),
    },
    Kind {
        kind: KeyKind::Text,
        length: 0,
        foreign: "text",
        local: ("character varying", "varchar(40)"),
        canonical: "v",
        value: text,
    },
    Kind {
        kind: KeyKind::Text,
        length: 0,
        foreign: "text",
        local: ("text", "text COLLATE \"C\""),
        canonical: "v",
        value: text,
    },
    Kind {
        kind: KeyKind::Char,
        length: 9,
        foreign: "text",
        local: ("character", "char(9)"),
        canonical: "rpad(v, 9)",
        value: || "[ -~é]{0,9}".prop_map(|text| format!("{text:9}")).boxed(),
    },
    Kind {
        kind: KeyKind::Date,
        length: 0,
        foreign: "timestamp(0)",
        local: ("timestamp without time zone", "timestamp(0)"),
        canonical: "to_char(v, 'YYYY-MM-DD HH24:MI:SS')",
        value: || time(0),
    },
    Kind {
        kind: KeyKind::Timestamp,
        length: 3,
        foreign: "timestamp(3)",
        local: ("timestamp without time zone", "timestamp(3)"),
        canonical: "to_char(v, 'YYYY-MM-DD HH24:MI:SS.MS')",
        value: || time(3),
    },
    Kind {
        kind: KeyKind::Timestamp,
        length: 6,
        foreign: "timestamp(6)",
        local: ("timestamp without time zone", "timestamp(6)"),
        canonical: "to_char(v, 'YYYY-MM-DD HH24:MI:SS.US')",
        value: || time(6),
    },
    Kind {
        kind: KeyKind::Raw,
        length: 0,
        foreign: "bytea",
        local: ("bytea", "bytea"),
        canonical: "upper(encode(v, 'hex'))",
        value: || {
            "([0-9a-f]{2}){0,12}"
                .prop_map(|hex| format!("\\x{hex}"))
                .boxed()
        },
    },
];

fn text() -> BoxedStrategy<String> {
    // Oracle has no empty text, PostgreSQL no zero byte.
    "[^\\x00]{1,40}".boxed()
}

fn time(digits: usize) -> BoxedStrategy<String> {
    let day = (1..=9999_u32, 1..=12_u32, 1..=28_u32);
    let second = (0..24_u32, 0..60_u32, 0..60_u32, 0..1_000_000_u32);
    (day, second)
        .prop_map(
            move |((year, month, day), (hour, minute, second, fraction))| {
                let fraction = format!("{fraction:06}");
                let fraction = match &fraction[..digits] {
                    "" => String::new(),
                    kept => format!(".{kept}"),
                };
                format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction}")
            },
        )
        .boxed()
}

#[test]
fn a_key_names_its_row_and_no_other() -> anyhow::Result<()> {
    let world = World::create()?;
    let cluster = world.plain_cluster("keys", &[])?;
    cluster.start()?;
    for kind in &KINDS {
        one_kind(&cluster, kind)?;
    }
    Ok(())
}

/// Two random rows, one of which goes through staging into a pointer: as text it names itself, and not the other one.
fn one_kind(cluster: &Cluster, kind: &Kind) -> anyhow::Result<()> {
    let table = Table {
        target_id: 1,
        remote_id: 2,
        relation: "\"t\"".to_owned(),
        foreign_schema: "x".to_owned(),
        identity: Identity::Key(vec![Key {
            column: 0,
            kind: kind.kind,
            length: kind.length,
        }]),
        columns: vec![Column {
            name: "K".to_owned(),
            foreign_type: kind.foreign.to_owned(),
            local_type: kind.local.0.to_owned(),
        }],
        uniques: vec![],
        filter: None,
        referenced: false,
    };
    let mut client = cluster.connect("postgres", SUPERUSER)?;
    let [number, _] = statement::number_rows(&table);
    client.batch_execute(&format!(
        "CREATE TEMP TABLE t (\"K\" {} PRIMARY KEY); {}; {number}; {}",
        kind.local.1,
        statement::create_rows(&table),
        statement::CREATE_POINTERS,
    ))?;
    let client = RefCell::new(client);
    let config = ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let values = ((kind.value)(), (kind.value)());
    let outcome = TestRunner::new(config).run(&values, |(one, other)| {
        let left = named(&mut client.borrow_mut(), &table, kind, &one, &other)
            .map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        prop_assert_eq!(left, 0, "{} as {}", one, kind.local.1);
        Ok(())
    });
    outcome.map_err(|error| anyhow::anyhow!("{}: {error}", kind.local.1))
}

/// Applies two rows, deletes the one that a pointer names, and says how many rows are wrong after that.
fn named(
    client: &mut Client,
    table: &Table,
    kind: &Kind,
    one: &str,
    other: &str,
) -> anyhow::Result<i64> {
    let mut work = client.transaction()?;
    work.batch_execute(&format!(
        "INSERT INTO \"rows_1\" (\"p$n\", \"K\") OVERRIDING SYSTEM VALUE
         VALUES (1, {}::{type_}), (2, {}::{type_})",
        literal(one),
        literal(other),
        type_ = kind.foreign,
    ))?;
    work.execute(&statement::upsert(table, false), &[])?;
    let text = work.query_one(&statement::staged_identity(table), &[&1_i64])?;
    let text: Option<String> = text.get(1);
    let written = work.query_one(
        &format!(
            "SELECT {} FROM (SELECT {}::{} AS v) AS one",
            kind.canonical,
            literal(one),
            kind.foreign
        ),
        &[],
    )?;
    anyhow::ensure!(
        text == written.get(0),
        "{one} is written as {text:?} here, as {:?} at the source",
        written.get::<_, Option<String>>(0)
    );
    work.execute(
        "INSERT INTO \"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", \"k1\") VALUES (2, 'R', 1, 1, $1)",
        &[&text],
    )?;
    // Nothing was fetched: the row is gone at the source.
    work.batch_execute("DELETE FROM \"rows_1\"")?;
    work.execute(&statement::delete_gone(table), &[&2_i64])?;
    let wrong = work.query_one(
        &format!(
            "SELECT count(*) FILTER (WHERE \"K\" = {one}::{type_})
                    + (SELECT count(*) FROM (SELECT {other}::{type_} EXCEPT SELECT {one}::{type_} EXCEPT SELECT \"K\" FROM t) m)
             FROM t",
            one = literal(one),
            other = literal(other),
            type_ = kind.local.1.replace(" COLLATE \"C\"", ""),
        ),
        &[],
    )?;
    let wrong = wrong.get(0);
    work.rollback()?;
    Ok(wrong)
}
