//! Which row is which: keys of all types, ROWIDs, and pointers that name a row in one way, in two, or wrongly.

use anyhow::Result;

use super::Scenario;
use super::steps::{self, Done};
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "identity/keys_of_every_type_are_found_again",
        shards: 1,
        tables: Tables::None,
        run: keys_of_every_type_are_found_again,
    },
    Scenario {
        name: "identity/a_key_may_have_any_deterministic_collation",
        shards: 1,
        tables: Tables::None,
        run: a_key_may_have_any_deterministic_collation,
    },
    Scenario {
        name: "identity/a_changed_key_removes_the_old_row",
        shards: 1,
        tables: Tables::None,
        run: a_changed_key_removes_the_old_row,
    },
    Scenario {
        name: "identity/existence_decides_not_the_operation",
        shards: 1,
        tables: Tables::None,
        run: existence_decides_not_the_operation,
    },
    Scenario {
        name: "identity/a_row_of_another_key_does_not_save_the_one_that_was_named",
        shards: 1,
        tables: Tables::None,
        run: a_row_of_another_key_does_not_save_the_one_that_was_named,
    },
    Scenario {
        name: "identity/rowids_are_moved_and_used_again",
        shards: 1,
        tables: Tables::None,
        run: rowids_are_moved_and_used_again,
    },
    Scenario {
        name: "identity/many_changes_of_a_row_cost_one_fetch",
        shards: 1,
        tables: Tables::None,
        run: many_changes_of_a_row_cost_one_fetch,
    },
];

/// A kind of key: table, columns of the key, and how row `i` gets its value (SQL of a bigint `i`).
struct Kind {
    table: &'static str,
    columns: &'static str,
    key: &'static str,
    value: &'static str,
}

const KINDS: [Kind; 8] = [
    Kind {
        table: "NUMBERS",
        columns: r#""K" numeric"#,
        key: r#""K""#,
        value: "CASE i % 3 WHEN 0 THEN i / 8.0 WHEN 1 THEN -i WHEN 2 THEN i * 1e30 END",
    },
    Kind {
        table: "TEXTS",
        columns: r#""K" varchar(40)"#,
        key: r#""K""#,
        value: r#"CASE i % 4 WHEN 0 THEN 'it''s "' || i WHEN 1 THEN ' ' || i || ' ' WHEN 2 THEN 'Zoë|:' || i ELSE '\' || i END"#,
    },
    Kind {
        table: "CHARS",
        columns: r#""K" char(6)"#,
        key: r#""K""#,
        value: "CASE i % 2 WHEN 0 THEN 'a' || i ELSE lpad(i::text, 6) END",
    },
    Kind {
        table: "DATES",
        columns: r#""K" timestamp(0)"#,
        key: r#""K""#,
        value: "timestamp '0999-12-31 23:59:58' + i * interval '97 days 1 hour 1 second'",
    },
    Kind {
        table: "TIMES",
        columns: r#""K" timestamp(6)"#,
        key: r#""K""#,
        value: "timestamp '2024-02-29 12:00:00' + i * interval '1 microsecond'",
    },
    Kind {
        table: "MILLIS",
        columns: r#""K" timestamp(3)"#,
        key: r#""K""#,
        value: "timestamp '2024-02-29 12:00:00' + i * interval '1 millisecond'",
    },
    Kind {
        table: "RAWS",
        columns: r#""K" bytea"#,
        key: r#""K""#,
        value: r"decode(lpad(to_hex(i * 16777213::bigint), 10, '0'), 'hex')",
    },
    Kind {
        table: "COMPOSITE",
        columns: r#""K1" numeric(9), "K2" numeric(12,3), "K3" varchar(9), "K4" char(4), "K5" timestamp(0), "K6" timestamp(6),
                    "K7" varchar(9), "K8" numeric(3)"#,
        key: r#""K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8""#,
        value: "i / 7, i / 8.0, 'a|' || i % 5, 'c', timestamp '2024-01-01', timestamp '2024-01-01 00:00:00.1', '-', i % 7",
    },
];

fn keys_of_every_type_are_found_again(bed: &Bed) -> Result<()> {
    bed.create_source(0)?;
    for kind in &KINDS {
        let columns = format!(
            r#"{}, "V" varchar(20), PRIMARY KEY ({})"#,
            kind.columns, kind.key
        );
        let rows = format!(
            "SELECT {}, 'loaded ' || i FROM generate_series(1, 60) AS i",
            kind.value
        );
        if kind.table == "RAWS" {
            steps::table(bed, kind.table, &columns, &rows)?;
            steps::oracle_type(bed, kind.table, "K", "RAW")?;
            bed.at_source(r#"SELECT "TEST"."CAPTURE"('APP', 'RAWS')"#)?;
        } else {
            steps::captured_table(bed, kind.table, &columns, &rows)?;
        }
        bed.add_table(0, &format!("APP.{}", kind.table), "identity => 'key'")?;
    }
    bed.catch_up(0)?;
    for Kind {
        table, key, value, ..
    } in &KINDS
    {
        let of = |range: &str| format!("SELECT {value} FROM generate_series({range}) AS i");
        bed.at_source(&format!(
            r#"UPDATE "APP"."{table}" SET "V" = 'changed' WHERE ({key}) IN ({});
               DELETE FROM "APP"."{table}" WHERE ({key}) IN ({});
               UPDATE "APP"."{table}" SET ({key}) = (SELECT {value} FROM (VALUES (6001)) AS t (i)) WHERE ({key}) IN ({})"#,
            of("1, 20"),
            of("21, 40"),
            of("41, 41"),
        ))?;
    }
    bed.catch_up(0)?;
    for kind in &KINDS {
        let relation = format!("app.{}", kind.table.to_lowercase());
        assert_eq!(
            bed.identical(0, &steps::pair(kind.table, &relation))?,
            40,
            "{relation}"
        );
    }
    Ok(())
}

fn a_key_may_have_any_deterministic_collation(bed: &Bed) -> Result<()> {
    let rows = "SELECT 'code ' || i, 'loaded' FROM generate_series(1, 50) AS i";
    let columns = r#""CODE" varchar(20) PRIMARY KEY, "V" varchar(20)"#;
    bed.create_source(0)?;
    for (number, collation) in ["C", "POSIX", "default", "en-x-icu"].iter().enumerate() {
        let table = format!("CODES{number}");
        steps::captured_table(bed, &table, columns, rows)?;
        steps::at_shard(
            bed,
            &format!(
                r#"CREATE TABLE app.here{number} (code text COLLATE "{collation}" PRIMARY KEY, v text)"#
            ),
        )?;
        let relation = format!("relation => 'app.here{number}'");
        bed.add_table(0, &format!("APP.{table}"), &relation)?;
    }
    bed.catch_up(0)?;
    for number in 0..4 {
        bed.at_source(&format!(
            r#"DELETE FROM "APP"."CODES{number}" WHERE "CODE" LIKE 'code 4%';
               UPDATE "APP"."CODES{number}" SET "V" = 'changed' WHERE "CODE" LIKE 'code 1%'"#
        ))?;
    }
    bed.catch_up(0)?;
    for number in 0..4 {
        let (table, relation) = (format!("CODES{number}"), format!("app.here{number}"));
        assert_eq!(bed.identical(0, &steps::pair(&table, &relation))?, 39);
    }
    Ok(())
}

/// APP.ITEMS with rows 1 to 10, followed; its pointers are published by hand.
fn follow_items(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "ITEMS",
        r#""ID" numeric(9) PRIMARY KEY, "V" varchar(20)"#,
        "SELECT i, 'loaded ' || i FROM generate_series(1, 10) AS i",
    )?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.catch_up(0)
}

fn identical_items(bed: &Bed) -> Result<u64> {
    bed.identical(0, &steps::pair("ITEMS", "app.items"))
}

fn a_changed_key_removes_the_old_row(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    // 4 becomes 6 while 5 becomes 4: 4 is the old key of one row and the new key of another.
    bed.at_source(
        r#"DELETE FROM "APP"."ITEMS" WHERE "ID" = 6;
           UPDATE "APP"."ITEMS" SET "ID" = 6 WHERE "ID" = 4;
           UPDATE "APP"."ITEMS" SET "ID" = 4 WHERE "ID" = 5"#,
    )?;
    let done = steps::publish_and_pull(
        bed,
        &[
            ("ITEMS", "p_k1 => '6'"),
            ("ITEMS", "p_k1 => '4'"),
            ("ITEMS", "p_k1 => '6'"),
            ("ITEMS", "p_k1 => '5'"),
            ("ITEMS", "p_k1 => '4'"),
        ],
    )?;
    assert_eq!((done.deleted, done.parked), (1, 0));
    assert_eq!(identical_items(bed)?, 9);
    Ok(())
}

fn existence_decides_not_the_operation(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    let nothing = Done {
        upserted: 0,
        deleted: 0,
        unchanged: 2,
        parked: 0,
    };
    // Superfluous: two rows that are as they were, one that was never there, one without any identity.
    let done = steps::publish_and_pull(
        bed,
        &[
            ("ITEMS", "p_k1 => '1'"),
            ("ITEMS", "p_k1 => '2'"),
            ("ITEMS", "p_k1 => '777'"),
            ("ITEMS", "p_row_id => 'AAAAAAAAAAAAAAAAAA'"),
        ],
    )?;
    assert_eq!(done, nothing);
    // Inserted and deleted again, deleted and inserted again: only what is there now counts.
    bed.at_source(
        r#"INSERT INTO "APP"."ITEMS" VALUES (11, 'short'); DELETE FROM "APP"."ITEMS" WHERE "ID" = 11;
           DELETE FROM "APP"."ITEMS" WHERE "ID" = 3; INSERT INTO "APP"."ITEMS" VALUES (3, 'back again');
           DELETE FROM "APP"."ITEMS" WHERE "ID" = 4"#,
    )?;
    let done = steps::publish_and_pull(
        bed,
        &[
            ("ITEMS", "p_k1 => '11'"),
            ("ITEMS", "p_k1 => '3'"),
            ("ITEMS", "p_k1 => '4'"),
        ],
    )?;
    assert_eq!((done.upserted, done.deleted), (1, 1));
    assert_eq!(identical_items(bed)?, 9);
    // A row that the shard lost comes back with any pointer to it, one that was lost and is gone stays away.
    steps::at_shard(bed, "DELETE FROM app.items WHERE id IN (1, 5)")?;
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" = 5"#)?;
    steps::publish_and_pull(bed, &[("ITEMS", "p_k1 => '1'"), ("ITEMS", "p_k1 => '5'")])?;
    assert_eq!(identical_items(bed)?, 8);
    Ok(())
}

fn a_row_of_another_key_does_not_save_the_one_that_was_named(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    let at = |id: i32| format!(r#"(SELECT "ROWID$" FROM "APP"."ITEMS" WHERE "ID" = {id})"#);
    // 7 became 70 in its place: its pointer, by key and ROWID, returns row 70, and 7 must go.
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "ID" = 70 WHERE "ID" = 7"#)?;
    let pointer = format!("p_k1 => '7', p_row_id => {}", at(70));
    let done = steps::publish_and_pull(bed, &[("ITEMS", &pointer)])?;
    assert_eq!((done.upserted, done.deleted), (1, 1));
    assert_eq!(identical_items(bed)?, 10);
    // 8 is gone and 9 stands in its place: 9 is superfluous, and 8 must go.
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" = 8"#)?;
    let pointer = format!("p_k1 => '8', p_row_id => {}", at(9));
    let done = steps::publish_and_pull(bed, &[("ITEMS", &pointer)])?;
    assert_eq!((done.upserted, done.deleted, done.unchanged), (0, 1, 1));
    assert_eq!(identical_items(bed)?, 9);
    // By ROWID alone and by key, in one batch: one row, written once.
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "V" = 'twice' WHERE "ID" = 10"#)?;
    let (by_rowid, by_both) = (
        format!("p_row_id => {}", at(10)),
        format!("p_k1 => '10', p_row_id => {}", at(10)),
    );
    let done = steps::publish_and_pull(
        bed,
        &[
            ("ITEMS", &by_rowid),
            ("ITEMS", "p_k1 => '10'"),
            ("ITEMS", &by_both),
        ],
    )?;
    assert_eq!((done.upserted, done.deleted), (1, 0));
    assert_eq!(identical_items(bed)?, 9);
    Ok(())
}

fn rowids_are_moved_and_used_again(bed: &Bed) -> Result<()> {
    let rows = "SELECT i, 'loaded ' || i FROM generate_series(1, 20) AS i";
    let columns = r#""ID" numeric(9), "V" varchar(20)"#;
    steps::captured_table(bed, "HEAP", columns, rows)?;
    steps::captured_table(
        bed,
        "KEYED",
        &format!(r#"{columns}, PRIMARY KEY ("ID")"#),
        rows,
    )?;
    steps::captured_table(
        bed,
        "BOTH",
        &format!(r#"{columns}, PRIMARY KEY ("ID")"#),
        rows,
    )?;
    // Equal rows are two rows all the same.
    bed.at_source(
        r#"INSERT INTO "APP"."HEAP" SELECT * FROM (VALUES (1, 'twin'), (1, 'twin')) AS t"#,
    )?;
    bed.create_source(0)?;
    // Not of orapull's own making: without its collation.
    steps::at_shard(
        bed,
        "CREATE TABLE app.heap (id integer, v text, ora_rowid varchar(18) NOT NULL UNIQUE)",
    )?;
    bed.add_table(0, "APP.HEAP", "relation => 'app.heap'")?;
    bed.add_table(0, "APP.KEYED", "")?;
    bed.add_table(0, "APP.BOTH", "identity => 'rowid'")?;
    bed.catch_up(0)?;
    for table in ["HEAP", "KEYED", "BOTH"] {
        bed.at_source(&format!(
            r#"CREATE TEMP TABLE place ON COMMIT DROP AS SELECT "ROWID$" AS free FROM "APP"."{table}" WHERE "ID" = 3;
               DELETE FROM "APP"."{table}" WHERE "ID" IN (3, 4);
               INSERT INTO "APP"."{table}" ("ID", "V", "ROWID$") SELECT 300, 'in the place of 3', free FROM place;
               UPDATE "APP"."{table}" SET "ROWID$" = "ORAPULL"."NEW_ROWID"(99) WHERE "ID" BETWEEN 5 AND 9;
               UPDATE "APP"."{table}" SET "ID" = "ID" + 1000 WHERE "ID" BETWEEN 10 AND 12;
               UPDATE "APP"."{table}" SET "V" = 'changed' WHERE "ID" BETWEEN 13 AND 15"#
        ))?;
    }
    bed.catch_up(0)?;
    let count = |table: &str, relation: &str| bed.identical(0, &steps::pair(table, relation));
    assert_eq!(count("HEAP", "app.heap")?, 21);
    assert_eq!(count("KEYED", "app.keyed")?, 19);
    assert_eq!(count("BOTH", "app.both")?, 19);
    Ok(())
}

fn many_changes_of_a_row_cost_one_fetch(bed: &Bed) -> Result<()> {
    follow_items(bed)?;
    let before = steps::applied(bed)?;
    let mut owner = bed.owner(0)?;
    owner.batch_execute("SELECT orapull.pause('main')")?;
    bed.eventually(
        "the source is paused",
        std::time::Duration::from_secs(10),
        || steps::value::<bool>(bed, "SELECT state = 'PAUSED' FROM orapull.status"),
    )?;
    // Thirty portions lie in several slots.
    for round in 0..30 {
        bed.at_source(&format!(
            r#"UPDATE "APP"."ITEMS" SET "V" = 'round {round}' WHERE "ID" <= 2"#
        ))?;
        steps::publish(bed, &[("ITEMS", "p_k1 => '1'"), ("ITEMS", "p_k1 => '2'")])?;
    }
    steps::publish(bed, &[("ITEMS", "p_k1 => '3'")])?;
    owner.batch_execute("SELECT orapull.resume('main')")?;
    steps::pull(bed)?;
    let row = bed.shard(0)?.query_one(
        "SELECT count(*), sum(pointers)::bigint, sum(fetched)::bigint, sum(upserted)::bigint
         FROM orapull.batch WHERE portion_from > $1",
        &[&before],
    )?;
    let numbers: Vec<i64> = (0..4).map(|column| row.get(column)).collect();
    assert_eq!(numbers, [1, 3, 3, 2]);
    assert_eq!(identical_items(bed)?, 10);
    Ok(())
}
