//! Rows that do not fit: parked with the reason, while everything else of the batch is applied.

use std::time::Duration;

use anyhow::{Context, Result};

use super::Scenario;
use super::steps;
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "poison/a_value_that_does_not_fit_is_parked_and_healed",
        shards: 1,
        tables: Tables::None,
        run: a_value_that_does_not_fit_is_parked_and_healed,
    },
    Scenario {
        name: "poison/the_next_pointer_heals_a_row_whatever_its_key",
        shards: 1,
        tables: Tables::None,
        run: the_next_pointer_heals_a_row_whatever_its_key,
    },
    Scenario {
        name: "poison/a_value_that_cannot_be_read_parks_its_row_alone",
        shards: 1,
        tables: Tables::None,
        run: a_value_that_cannot_be_read_parks_its_row_alone,
    },
    Scenario {
        name: "poison/too_many_bad_rows_pause_their_table_alone",
        shards: 1,
        tables: Tables::None,
        run: too_many_bad_rows_pause_their_table_alone,
    },
];

const PATIENCE: Duration = Duration::from_secs(20);

/// What is poured into row `id`, and with which SQLSTATE and words it is parked.
const POISON: [(i32, &str, &str, &str); 7] = [
    (1, r#""N" = 64.8"#, "22P02", "integer"),
    (2, r#""S" = 100000"#, "22003", "out of range"),
    (3, r#""V" = 'sixteen letters!'"#, "22001", "too long"),
    (4, r#""R" = NULL"#, "23502", "null value"),
    (5, r#""J" = '{"a": "\u0000"}'"#, "22P05", "Unicode"),
    (6, r#""D" = 'longer than three'"#, "22001", "too long"),
    (7, r#""C" = -1"#, "23514", "check constraint"),
];

fn a_value_that_does_not_fit_is_parked_and_healed(bed: &Bed) -> Result<()> {
    steps::table(
        bed,
        "MIXED",
        r#""ID" numeric(9) PRIMARY KEY, "N" numeric, "S" numeric, "V" varchar(40), "R" varchar(40), "J" text, "D" varchar(40),
           "C" numeric"#,
        "SELECT i, i, i, 'v', 'r', '{}', 'd', i FROM generate_series(1, 2000) AS i",
    )?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        "CREATE DOMAIN app.short AS varchar(3);
         CREATE TABLE app.mixed (id integer PRIMARY KEY, n integer, s smallint, v varchar(5), r text NOT NULL, j jsonb,
                                 d app.short, c integer CHECK (c > 0))",
    )?;
    bed.add_table(0, "APP.MIXED", "relation => 'app.mixed'")?;
    bed.catch_up(0)?;
    let mixed = steps::pair("MIXED", "app.mixed");
    assert_eq!(bed.identical(0, &mixed)?, 2000);

    for (id, poison, ..) in POISON {
        bed.at_source(&format!(
            r#"UPDATE "APP"."MIXED" SET {poison} WHERE "ID" = {id}"#
        ))?;
    }
    bed.at_source(
        r#"UPDATE "APP"."MIXED" SET "V" = 'fits' WHERE "ID" BETWEEN 8 AND 1990; DELETE FROM "APP"."MIXED" WHERE "ID" > 1990;
           INSERT INTO "APP"."MIXED" VALUES (9001, 1, 1, 'new', 'r', '{}', 'd', 1)"#,
    )?;
    let pointers: Vec<String> = (1..=2000)
        .chain([9001])
        .map(|id| format!("p_k1 => '{id}'"))
        .collect();
    let pointers: Vec<(&str, &str)> = pointers.iter().map(|p| ("MIXED", p.as_str())).collect();
    let done = steps::publish_and_pull(bed, &pointers)?;
    assert_eq!((done.upserted, done.deleted, done.parked), (1984, 10, 7));
    assert_parked(bed, &[1, 2, 3, 4, 5, 6, 7])?;
    // The parked ones are here as they were.
    let old = "SELECT count(*) FROM app.mixed WHERE id <= 7 AND (n, s, v, r, d, c) = (id, id, 'v', 'r', 'd', id)";
    assert_eq!(steps::value::<i64>(bed, old)?, 7);

    // 1 to 3 are corrected and pointed to, 4 is deleted and pointed to, 5 to 7 are only tried again.
    bed.at_source(
        r#"UPDATE "APP"."MIXED" SET "N" = 65, "S" = 1, "V" = 'fits' WHERE "ID" <= 3; DELETE FROM "APP"."MIXED" WHERE "ID" = 4;
           UPDATE "APP"."MIXED" SET "J" = '{"a": 1}', "D" = 'd2' WHERE "ID" IN (5, 6)"#,
    )?;
    let pointers =
        ["p_k1 => '1'", "p_k1 => '2'", "p_k1 => '3'", "p_k1 => '4'"].map(|p| ("MIXED", p));
    let done = steps::publish_and_pull(bed, &pointers)?;
    assert_eq!((done.upserted, done.deleted, done.parked), (3, 1, 0));
    assert_parked(bed, &[5, 6, 7])?;
    retry(bed, "app.mixed")?;
    bed.eventually("5 and 6 are healed", PATIENCE, || {
        bed.publish()?;
        Ok(parked(bed)?.len() == 1)
    })?;
    assert_parked(bed, &[7])?;
    steps::at_shard(bed, "ALTER TABLE app.mixed DROP CONSTRAINT mixed_c_check")?;
    retry(bed, "app.mixed")?;
    bed.eventually("7 is healed", PATIENCE, || {
        bed.publish()?;
        Ok(parked(bed)?.is_empty())
    })?;
    assert_eq!(bed.identical(0, &mixed)?, 1990);
    Ok(())
}

/// Fails unless exactly these rows are parked, each with its SQLSTATE and message.
fn assert_parked(bed: &Bed, ids: &[i32]) -> Result<()> {
    let parked = parked(bed)?;
    let keys: Vec<String> = parked.iter().map(|(key, ..)| key.clone()).collect();
    let expected: Vec<String> = ids.iter().map(|id| format!("{{{id}}}")).collect();
    assert_eq!(keys, expected);
    for ((_, sqlstate, message), id) in parked.iter().zip(ids) {
        let (_, _, code, words) = POISON[*id as usize - 1];
        assert!(
            sqlstate == code && message.contains(words),
            "{id}: {sqlstate} {message}"
        );
    }
    Ok(())
}

/// Key, SQLSTATE and message of what is parked, in order.
fn parked(bed: &Bed) -> Result<Vec<(String, String, String)>> {
    let rows = bed.shard(0)?.query(
        "SELECT key::text, sqlstate, message FROM orapull.parked WHERE reason = 'parked' ORDER BY key",
        &[],
    )?;
    Ok(rows
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2)))
        .collect())
}

fn retry(bed: &Bed, relation: &str) -> Result<()> {
    bed.owner(0)?
        .execute(&format!("SELECT orapull.retry_parked('{relation}')"), &[])
        .context("retry_parked failed")?;
    Ok(())
}

fn the_next_pointer_heals_a_row_whatever_its_key(bed: &Bed) -> Result<()> {
    // Type of the key at the source, a value of it, type of the key here.
    let keys = [
        ("numeric(12,3)", "10.500", "numeric(12,3)"),
        ("varchar(9)", "'a|:2'", "text"),
        ("char(5)", "'ab'", "char(5)"),
        ("char(5)", "'ab'", "text"),
        ("timestamp(0)", "'2024-02-29 23:59:59'", "timestamp(0)"),
        ("timestamp(3)", "'2024-02-29 23:59:59.120'", "timestamp(3)"),
        ("timestamp(6)", "'2024-02-29 23:59:59.123400'", "timestamp"),
        ("bytea", r"'\xab01'", "bytea"),
    ];
    bed.create_source(0)?;
    for (number, (there, value, here)) in keys.iter().enumerate() {
        let table = format!("KEYS{number}");
        let columns = format!(r#""K" {there} PRIMARY KEY, "V" varchar(20)"#);
        steps::table(bed, &table, &columns, &format!("VALUES ({value}, 'ok')"))?;
        if *there == "bytea" {
            steps::oracle_type(bed, &table, "K", "RAW")?;
        }
        bed.at_source(&format!(r#"SELECT "TEST"."CAPTURE"('APP', '{table}')"#))?;
        steps::at_shard(
            bed,
            &format!("CREATE TABLE app.keys{number} (k {here} PRIMARY KEY, v varchar(5))"),
        )?;
        bed.add_table(
            0,
            &format!("APP.{table}"),
            &format!("relation => 'app.keys{number}'"),
        )?;
    }
    bed.catch_up(0)?;
    let everywhere = |value: &str| -> Result<()> {
        for number in 0..keys.len() {
            bed.at_source(&format!(
                r#"UPDATE "APP"."KEYS{number}" SET "V" = '{value}'"#
            ))?;
        }
        bed.publish()?;
        steps::pull(bed)
    };
    everywhere("much too long")?;
    assert_eq!(parked(bed)?.len(), keys.len());
    everywhere("fits")?;
    assert_eq!(parked(bed)?, []);
    for (number, key) in keys.iter().enumerate() {
        let healed = format!("SELECT count(*) = 1 AND bool_and(v = 'fits') FROM app.keys{number}");
        assert!(steps::value::<bool>(bed, &healed)?, "{key:?}");
    }
    Ok(())
}

/// Makes the foreign table of a followed table read a column as another type, as a wrong ALTER by hand would.
pub fn read_as(bed: &Bed, table: &str, column: &str, data_type: &str) -> Result<()> {
    let foreign: String = steps::value(
        bed,
        &format!(
            "SELECT format('%I.%I', s.local_schema, 'pull_' || x.remote_id)
             FROM orapull.target t JOIN orapull.source s USING (source_id) JOIN orapull.target_state x USING (target_id)
             WHERE t.remote_table = '{table}'"
        ),
    )?;
    steps::at_shard(
        bed,
        &format!("ALTER FOREIGN TABLE {foreign} ALTER COLUMN {column} TYPE {data_type}"),
    )
}

fn a_value_that_cannot_be_read_parks_its_row_alone(bed: &Bed) -> Result<()> {
    let rows = "SELECT i, i FROM generate_series(1, 500) AS i";
    steps::captured_table(
        bed,
        "READINGS",
        r#""ID" numeric(9) PRIMARY KEY, "N" numeric"#,
        rows,
    )?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.READINGS", "")?;
    bed.catch_up(0)?;
    read_as(bed, "READINGS", "n", "smallint")?;
    bed.at_source(
        r#"UPDATE "APP"."READINGS" SET "N" = "N" + 1; UPDATE "APP"."READINGS" SET "N" = 1000000 WHERE "ID" IN (17, 444);
           DELETE FROM "APP"."READINGS" WHERE "ID" = 18"#,
    )?;
    bed.publish()?;
    steps::pull(bed)?;
    let found = parked(bed)?;
    let keys: Vec<&str> = found.iter().map(|(key, ..)| key.as_str()).collect();
    assert_eq!(keys, ["{17}", "{444}"]);
    assert!(
        found
            .iter()
            .all(|(_, sqlstate, message)| sqlstate == "22003" && message.contains("1000000")),
        "{found:?}"
    );
    let done = "SELECT count(*) FILTER (WHERE n = id + 1) = 497 AND count(*) FILTER (WHERE n = id AND id IN (17, 444)) = 2 FROM app.readings";
    assert!(steps::value::<bool>(bed, done)?);
    // The one is corrected at the source, for the other the foreign table is mended.
    bed.at_source(r#"UPDATE "APP"."READINGS" SET "N" = 17 WHERE "ID" = 17"#)?;
    bed.publish()?;
    steps::pull(bed)?;
    assert_eq!(parked(bed)?.len(), 1);
    read_as(bed, "READINGS", "n", "numeric")?;
    retry(bed, "app.readings")?;
    bed.eventually("the row is read", PATIENCE, || {
        bed.publish()?;
        Ok(parked(bed)?.is_empty())
    })?;
    assert_eq!(
        bed.identical(0, &steps::pair("READINGS", "app.readings"))?,
        499
    );
    Ok(())
}

fn too_many_bad_rows_pause_their_table_alone(bed: &Bed) -> Result<()> {
    let columns = r#""ID" numeric(9) PRIMARY KEY, "N" numeric"#;
    bed.create_source(0)?;
    let mut admin = bed.shard(0)?;
    admin.batch_execute("ALTER SYSTEM SET orapull.max_parked_rows = 3")?;
    admin.batch_execute("SELECT pg_reload_conf()")?;
    for table in ["GOOD", "MIXED", "UNFIT", "UNREAD"] {
        steps::captured_table(
            bed,
            table,
            columns,
            "SELECT i, i FROM generate_series(1, 50) AS i",
        )?;
        let relation = table.to_lowercase();
        steps::at_shard(
            bed,
            &format!("CREATE TABLE app.{relation} (id integer PRIMARY KEY, n integer)"),
        )?;
        bed.add_table(
            0,
            &format!("APP.{table}"),
            &format!("relation => 'app.{relation}'"),
        )?;
    }
    bed.catch_up(0)?;
    read_as(bed, "UNREAD", "n", "smallint")?;
    // Two rows that cannot be read and two that do not fit are four.
    read_as(bed, "MIXED", "n", "smallint")?;
    steps::at_shard(
        bed,
        "ALTER TABLE app.mixed ADD CHECK (n < 100);
         CREATE SEQUENCE app.tries;
         ALTER TABLE app.unfit ADD CHECK (nextval('app.tries') > 0 AND n < 100)",
    )?;
    let tries = "SELECT last_value FROM app.tries";
    let before: i64 = steps::value(bed, tries)?;
    bed.at_source(
        r#"UPDATE "APP"."GOOD" SET "N" = 7; UPDATE "APP"."UNFIT" SET "N" = 100;
           UPDATE "APP"."UNREAD" SET "N" = 100000 WHERE "ID" <= 5;
           UPDATE "APP"."MIXED" SET "N" = CASE WHEN "ID" <= 2 THEN 100000 ELSE 100 END WHERE "ID" <= 4"#,
    )?;
    bed.publish()?;
    steps::pull(bed)?;
    let states: String = steps::value(
        bed,
        "SELECT string_agg(concat_ws(' ', relation, state), ', ' ORDER BY relation::text) FROM orapull.tables",
    )?;
    assert_eq!(
        states,
        "app.good following, app.mixed paused, app.unfit paused, app.unread paused"
    );
    assert!(steps::value::<bool>(
        bed,
        "SELECT bool_and(reason ~ CASE relation::text WHEN 'app.unread' THEN 'cannot be read' ELSE 'do not fit' END) FROM orapull.tables WHERE state = 'paused'"
    )?);
    assert_eq!(bed.identical(0, &steps::pair("GOOD", "app.good"))?, 50);
    // Alone, each of the 50 would have been tried.
    let tried = steps::value::<i64>(bed, tries)? - before;
    assert!((4..40).contains(&tried), "{tried} tries");
    // Resumed without being mended it is paused again, and still keeps no other table waiting.
    let paused = "SELECT state_since::text FROM orapull.tables WHERE relation = 'app.unread'::regclass AND state = 'paused'";
    let before: String = steps::value(bed, paused)?;
    steps::at_shard(bed, "SELECT orapull.resume('main', 'app.unread')")?;
    bed.eventually("the table is paused again", PATIENCE, || {
        Ok(steps::value::<String>(bed, paused)? != before)
    })?;
    assert!(steps::value::<bool>(
        bed,
        "SELECT state = 'RUNNING' FROM orapull.status"
    )?);
    // Mended and resumed: nothing was lost meanwhile.
    bed.at_source(
        r#"DELETE FROM "APP"."UNFIT" WHERE "ID" = 50; DELETE FROM "APP"."UNREAD" WHERE "ID" = 50"#,
    )?;
    bed.publish()?;
    steps::pull(bed)?;
    steps::at_shard(bed, "ALTER TABLE app.unfit DROP CONSTRAINT unfit_n_check")?;
    read_as(bed, "UNREAD", "n", "numeric")?;
    read_as(bed, "MIXED", "n", "numeric")?;
    steps::at_shard(bed, "ALTER TABLE app.mixed DROP CONSTRAINT mixed_n_check")?;
    for table in ["mixed", "unfit", "unread"] {
        let resume = format!("SELECT orapull.resume('main', 'app.{table}')");
        steps::at_shard(bed, &resume)?;
    }
    bed.catch_up(0)?;
    bed.eventually("all held rows are asked", PATIENCE, || {
        bed.publish()?;
        steps::value::<bool>(bed, "SELECT NOT EXISTS (SELECT FROM orapull.parked_row)")
    })?;
    assert_eq!(bed.identical(0, &steps::pair("MIXED", "app.mixed"))?, 50);
    assert_eq!(bed.identical(0, &steps::pair("UNFIT", "app.unfit"))?, 49);
    assert_eq!(bed.identical(0, &steps::pair("UNREAD", "app.unread"))?, 49);
    Ok(())
}
