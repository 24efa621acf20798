//! What goes wrong with one table, whatever it is, keeps no other table waiting: it is told, and ends by itself where it
//! can.

use anyhow::{Context, Result, ensure};

use super::items::{self, SOON};
use super::loads::{self, IN};
use super::{Scenario, scenario};
use super::{others, steps};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "one_table/a_row_that_one_of_two_targets_cannot_read",
        a_row_that_one_of_two_targets_cannot_read,
    ),
    scenario(
        "one_table/rows_that_cannot_be_read_are_counted_apart",
        rows_that_cannot_be_read_are_counted_apart,
    ),
    scenario(
        "one_table/a_load_that_cannot_end_for_a_lock",
        a_load_that_cannot_end_for_a_lock,
    ),
    scenario(
        "one_table/a_resync_that_is_long_in_ending",
        a_resync_that_is_long_in_ending,
    ),
    scenario(
        "one_table/a_chunk_that_waits_for_a_lock",
        a_chunk_that_waits_for_a_lock,
    ),
    scenario(
        "one_table/a_relation_dropped_before_its_load_has_ended",
        a_relation_dropped_before_its_load_has_ended,
    ),
    scenario(
        "one_table/foreign_tables_that_somebody_reads",
        foreign_tables_that_somebody_reads,
    ),
    scenario(
        "one_table/a_key_that_cannot_be_read",
        a_key_that_cannot_be_read,
    ),
    scenario(
        "one_table/triggers_that_cannot_reach_another_server",
        triggers_that_cannot_reach_another_server,
    ),
    scenario(
        "one_table/a_filter_that_fails_for_a_row",
        a_filter_that_fails_for_a_row,
    ),
    scenario(
        "one_table/transactions_that_operators_leave_open",
        transactions_that_operators_leave_open,
    ),
    scenario(
        "one_table/refused_while_it_is_loaded",
        refused_while_it_is_loaded,
    ),
    scenario("one_table/claims_are_nobody_elses", claims_are_nobody_elses),
    scenario(
        "one_table/readers_do_not_keep_it_from_being_emptied",
        readers_do_not_keep_it_from_being_emptied,
    ),
    scenario(
        "one_table/a_truncate_while_it_is_blocked",
        a_truncate_while_it_is_blocked,
    ),
];

/// State and reason of app.items.
fn told(bed: &Bed) -> Result<String> {
    steps::value(
        bed,
        "SELECT concat_ws(': ', state, reason) FROM orapull.tables WHERE remote = 'APP.ITEMS'",
    )
}

fn is_told(bed: &Bed, words: &[&str]) -> Result<()> {
    bed.eventually(&format!("tables tells {words:?}"), SOON, || {
        let told = told(bed)?;
        Ok(words.iter().all(|word| told.contains(word)))
    })
    .with_context(|| told(bed).unwrap_or_default())
}

fn a_row_that_one_of_two_targets_cannot_read(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "NOTES",
        r#""ID" numeric(9) PRIMARY KEY, "REGION" varchar(9), "NOTE" varchar(9)"#,
        "SELECT i, 'eu', i FROM generate_series(1, 10) AS i",
    )?;
    bed.create_source(0)?;
    for (relation, filter) in [("app.a", "note::int >= 0"), ("app.b", "region = ''eu''")] {
        steps::at_shard(
            bed,
            &format!("CREATE TABLE {relation} (id integer PRIMARY KEY, region text, note text)"),
        )?;
        let more = format!("relation => '{relation}', filter => '{filter}'");
        bed.add_table(0, "APP.NOTES", &more)?;
    }
    bed.catch_up(0)?;
    bed.at_source(r#"UPDATE "APP"."NOTES" SET "REGION" = 'us', "NOTE" = 'x' WHERE "ID" = 3"#)?;
    bed.publish()?;
    steps::pull(bed)?;
    let here = "SELECT (SELECT count(*) FROM app.a) || ' ' || (SELECT count(*) FROM app.b)";
    assert_eq!(steps::value::<String>(bed, here)?, "10 9");
    let parked = "SELECT string_agg(relation || ' ' || key::text, ', ') FROM orapull.parked";
    assert_eq!(steps::value::<String>(bed, parked)?, "app.a {3}");
    Ok(())
}

fn rows_that_cannot_be_read_are_counted_apart(bed: &Bed) -> Result<()> {
    bed.create_source(0)?;
    items::set(bed, "orapull.max_parked_rows", Some("3"))?;
    for (table, relation) in [("ONE", "app.one"), ("TWO", "app.two")] {
        steps::captured_table(
            bed,
            table,
            r#""ID" numeric(9) PRIMARY KEY, "N" varchar(9)"#,
            "SELECT i, i FROM generate_series(1, 10) AS i",
        )?;
        let more = format!("relation => '{relation}', filter => 'n::int > 0'");
        steps::at_shard(
            bed,
            &format!("CREATE TABLE {relation} (id integer PRIMARY KEY, n text)"),
        )?;
        bed.add_table(0, &format!("APP.{table}"), &more)?;
    }
    bed.catch_up(0)?;
    bed.at_source(
        r#"UPDATE "APP"."ONE" SET "N" = 'x' WHERE "ID" <= 2;
           UPDATE "APP"."TWO" SET "N" = 'x' WHERE "ID" <= 2"#,
    )?;
    bed.publish()?;
    steps::pull(bed)?;
    let sql = "SELECT string_agg(concat_ws(' ', relation, state, parked), ', ' ORDER BY relation::text) FROM orapull.tables";
    assert_eq!(
        steps::value::<String>(bed, sql)?,
        "app.one following 2, app.two following 2"
    );
    Ok(())
}

/// All chunks of a resync of app.items are in, and the source has not mined past them.
fn resync_until_it_ends(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    steps::at_shard(bed, "INSERT INTO app.items VALUES (70001, 'only here')")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::table_becomes(bed, "loading")?;
    bed.eventually("all chunks are in", SOON, || {
        Ok(loads::chunks(bed, IN)? > 0 && loads::chunks(bed, "applied_scn IS NULL")? == 0)
    })?;
    loads::loaders_become(bed, 0)
}

fn a_load_that_cannot_end_for_a_lock(bed: &Bed) -> Result<()> {
    resync_until_it_ends(bed)?;
    let mut lock = items::hold(bed, "LOCK TABLE app.items IN ACCESS EXCLUSIVE MODE")?;
    let pid = items::number(&mut lock, "SELECT pg_backend_pid()::bigint")?;
    others::go_on(bed)?;
    is_told(bed, &["loading", &format!("process {pid}")])?;
    others::go_on(bed)?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}

/// To compare a large table with what its chunks saw takes long. Here it waits for a lock, longer than anything may.
fn a_resync_that_is_long_in_ending(bed: &Bed) -> Result<()> {
    resync_until_it_ends(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'orapull.seen_row'::regclass AND NOT granted";
    let at_its_end = |lock: &mut postgres::Client| -> Result<()> {
        lock.batch_execute("BEGIN; LOCK TABLE orapull.seen_row")?;
        others::go_on(bed)?;
        bed.eventually("what no chunk saw is looked for", SOON, || {
            Ok(items::number(&mut bed.shard(0)?, waits)? == 1)
        })?;
        others::go_on(bed)
    };
    let mut lock = bed.shard(0)?;
    at_its_end(&mut lock)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    lock.batch_execute("COMMIT")?;
    loads::loaders_become(bed, 0)?;
    assert!(bed.identical(0, &items::ITEMS).is_err());

    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::table_becomes(bed, "loading")?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")?;
    let kept = "SELECT count(*) FROM orapull.seen_row";
    assert_eq!(steps::value::<i64>(bed, kept)?, 0);
    Ok(())
}

fn a_chunk_that_waits_for_a_lock(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    // Who only reads is not named.
    let reader = items::hold(bed, "SELECT count(*) FROM app.items")?;
    let mut lock = items::hold(bed, "LOCK TABLE app.items IN SHARE MODE")?;
    let pid = items::number(&mut lock, "SELECT pg_backend_pid()::bigint")?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    is_told(
        bed,
        &["loading", &format!("blocked by a lock of process {pid}")],
    )?;
    ensure!(told(bed)?.ends_with(&format!(" {pid}")), "{}", told(bed)?);
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    drop(reader);
    Ok(())
}

fn a_relation_dropped_before_its_load_has_ended(bed: &Bed) -> Result<()> {
    resync_until_it_ends(bed)?;
    steps::at_shard(bed, "DROP TABLE app.items")?;
    others::go_on(bed)?;
    is_told(bed, &["paused", "the local table of APP.ITEMS was dropped"])?;
    others::go_on(bed)
}

fn foreign_tables_that_somebody_reads(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    items::call(bed, "ALTER TABLE app.items ADD COLUMN extra numeric(5)")?;
    let schema: String = steps::value(bed, "SELECT local_schema FROM orapull.source")?;
    let mut reader = bed.owner(0)?;
    reader.batch_execute(&format!("BEGIN; EXPLAIN SELECT FROM {schema}.load_1"))?;
    let pid = items::number(&mut reader, "SELECT pg_backend_pid()::bigint")?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "EXTRA" numeric(5)');
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'ALTER TABLE');
           SELECT "TEST"."PUBLISH"();
           UPDATE "APP"."ITEMS" SET "EXTRA" = 1 WHERE "ID" <= 10"#,
    )?;
    bed.publish()?;
    is_told(bed, &["paused", &format!("process {pid}")])?;
    others::go_on(bed)?;
    reader.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    let filled = "SELECT count(*) FROM app.items WHERE extra = 1";
    assert_eq!(steps::value::<i64>(bed, filled)?, 10);
    Ok(())
}

fn a_key_that_cannot_be_read(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    // As a client library that finds a byte which is none of its character set, for the key of one row.
    bed.at_source(
        r#"CREATE FUNCTION "TEST"."READABLE"(k text) RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER AS $f$
           BEGIN
               IF k IN ('7', '700') THEN
                   RAISE EXCEPTION USING ERRCODE = '22021', MESSAGE = 'invalid byte sequence for encoding "UTF8": 0xe4';
               END IF;
               RETURN k;
           END $f$;
           GRANT USAGE ON SCHEMA "TEST" TO orapull_shard;
           CREATE OR REPLACE VIEW "ORAPULL"."POINTER_V" AS
           SELECT "P$SLOT", "P$PORTION", "P$PTR", "P$PREV", "TABLE_ID", "KIND", "ROW_ID",
                  CASE WHEN "TABLE_ID" = 1 THEN "TEST"."READABLE"("K1") ELSE "K1" END AS "K1",
                  "K2", "K3", "K4", "K5", "K6", "K7", "K8", "NOTE", "COMMIT_SCN"
           FROM "ORAPULL"."POINTER";
           GRANT EXECUTE ON FUNCTION "TEST"."READABLE"(text) TO PUBLIC"#,
    )?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" IN (1, 7, 300, 999);
           DELETE FROM "APP"."ITEMS" WHERE "ID" IN (2, 700)"#,
    )?;
    others::go_on(bed)?;
    let sql =
        "SELECT concat_ws(' | ', state, incomplete) FROM orapull.tables WHERE remote = 'APP.ITEMS'";
    let told: String = steps::value(bed, sql)?;
    assert!(
        told.starts_with("following | ") && told.contains("cannot be read: invalid byte"),
        "{told}"
    );
    // What can be read is applied; what was deleted and cannot be named is still here.
    let here = "SELECT count(*) FILTER (WHERE name = 'changed') || ' ' || count(*) FROM app.items";
    assert_eq!(steps::value::<String>(bed, here)?, "4 999");
    bed.at_source(
        r#"CREATE OR REPLACE FUNCTION "TEST"."READABLE"(k text) RETURNS text LANGUAGE sql STABLE AS 'SELECT k'"#,
    )?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)
}

fn triggers_that_cannot_reach_another_server(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    let fails_with = |sqlstate: &str| {
        steps::at_shard(
            bed,
            &format!(
                "CREATE SEQUENCE IF NOT EXISTS app.told;
                 CREATE OR REPLACE FUNCTION app.tell() RETURNS trigger LANGUAGE plpgsql AS $f$
                 BEGIN PERFORM nextval('app.told'); RAISE EXCEPTION USING ERRCODE = '{sqlstate}', MESSAGE = 'the other server'; END $f$;
                 CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON app.items FOR EACH ROW EXECUTE FUNCTION app.tell();
                 ALTER TABLE app.items ENABLE ALWAYS TRIGGER tell"
            ),
        )
    };
    // As dblink does in a trigger, when the other server is away.
    fails_with("08006")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = "NAME" || '!' WHERE "ID" % 3 = 0"#)?;
    others::go_on(bed)?;
    is_told(bed, &["paused", "the other server"])?;
    others::go_on(bed)?;
    let told = "SELECT last_value FROM app.told";
    bed.eventually("it was tried again", SOON, || {
        Ok(steps::value::<i64>(bed, told)? > 1)
    })?;
    items::table_becomes(bed, "paused")?;
    let paused = "SELECT count(*) FROM orapull.events WHERE what ~ 'is paused'";
    assert_eq!(
        steps::value::<i64>(bed, paused)?,
        1,
        "that it is in vain is no news"
    );
    steps::at_shard(bed, "DROP TRIGGER tell ON app.items")?;
    // It resumes by itself.
    items::is_equal_and_acked(bed)?;
    // What may be this server's, and pass, is tried again before.
    fails_with("58030")?;
    items::change(bed)?;
    is_told(bed, &["paused", "the other server"])?;
    items::source_becomes(bed, "RUNNING")?;
    others::go_on(bed)?;
    steps::at_shard(bed, "DROP TRIGGER tell ON app.items")?;
    items::is_equal_and_acked(bed)
}

fn a_filter_that_fails_for_a_row(bed: &Bed) -> Result<()> {
    bed.create_source(0)?;
    others::follow(bed)?;
    // What cannot be converted, and what a function does not take.
    for (table, filter, poison) in [
        ("CODES", "code::int > 5", "x"),
        (
            "UNITS",
            "date_trunc(code, timestamp ''2024-02-29 12:00'') > ''2020-01-01''",
            "fortnight",
        ),
    ] {
        let good = if table == "CODES" { "7" } else { "day" };
        steps::captured_table(
            bed,
            table,
            r#""ID" numeric(9) PRIMARY KEY, "CODE" varchar(20)"#,
            &format!(
                "SELECT i, CASE i WHEN 3 THEN '{poison}' ELSE '{good}' END FROM generate_series(1, 50) AS i"
            ),
        )?;
        let relation = format!("app.{}", table.to_lowercase());
        bed.add_table(0, &format!("APP.{table}"), &format!("filter => '{filter}'"))?;
        let is_parked = format!(
            "SELECT string_agg(key::text, ' ' ORDER BY key) FROM orapull.parked WHERE relation = '{relation}'::regclass AND reason = 'parked'"
        );
        let parked = |keys: &str| {
            bed.eventually(&format!("{keys} of {table} is parked"), SOON, || {
                bed.publish()?;
                let found: Option<String> = steps::value(bed, &is_parked)?;
                Ok(found.as_deref() == Some(keys))
            })
        };
        parked("{3}")?;
        let state =
            format!("SELECT state FROM orapull.tables WHERE relation = '{relation}'::regclass");
        bed.eventually("the table is followed", SOON, || {
            bed.publish()?;
            Ok(steps::value::<String>(bed, &state)? == "following")
        })?;
        assert_eq!(
            steps::value::<i64>(bed, &format!("SELECT count(*) FROM {relation}"))?,
            49
        );
        // In a batch as in a load.
        bed.at_source(&format!(
            r#"UPDATE "APP"."{table}" SET "CODE" = '{poison}' WHERE "ID" = 4;
               DELETE FROM "APP"."{table}" WHERE "ID" = 5"#
        ))?;
        others::go_on(bed)?;
        parked("{3} {4}")?;
        assert_eq!(
            steps::value::<i64>(bed, &format!("SELECT count(*) FROM {relation}"))?,
            48
        );
        bed.at_source(&format!(r#"UPDATE "APP"."{table}" SET "CODE" = '{good}'"#))?;
        bed.catch_up(0)?;
        let table = steps::pair(table, &relation);
        bed.eventually("all rows are here", SOON, || {
            bed.publish()?;
            Ok(bed.identical(0, &table)? == 49)
        })?;
    }
    Ok(())
}

fn transactions_that_operators_leave_open(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    items::set(bed, "orapull.auto_resync", Some("on"))?;
    steps::at_shard(bed, "ALTER TABLE app.items ADD CHECK (name <> 'poison')")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'poison' WHERE "ID" = 7"#)?;
    let parked = "SELECT count(*) FROM orapull.parked WHERE reason = 'parked'";
    bed.eventually("a row is parked", SOON, || {
        bed.publish()?;
        Ok(items::number(&mut bed.shard(0)?, parked)? == 1)
    })?;
    let mut operator = items::hold(
        bed,
        "SELECT orapull.retry_parked('app.items'); SELECT orapull.resync('app.items')",
    )?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'cured' WHERE "ID" = 7;
           SELECT "TEST"."PUBLISH_COMMITTED"();
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'U', p_note => 'a load without redo');
           SELECT "TEST"."PUBLISH"()"#,
    )?;
    others::go_on(bed)?;
    items::is_equal_and_acked(bed)?;
    bed.eventually("it is loaded again by itself", SOON, || {
        let loads = "SELECT max(generation) FROM orapull.target_state";
        Ok(items::number(&mut bed.shard(0)?, loads)? == 2)
    })?;
    others::go_on(bed)?;
    operator.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}

fn refused_while_it_is_loaded(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    bed.at_source(r#"SELECT "TEST"."SET_TABLE_STATE"('APP', 'ITEMS', 'REFUSED', 'a policy')"#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    is_told(bed, &["paused", "a policy"])?;
    bed.at_source(r#"SELECT "TEST"."SET_TABLE_STATE"('APP', 'ITEMS', NULL)"#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}

fn claims_are_nobody_elses(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    // The advisory locks that somebody who knows the ids can think of.
    let mut stranger = bed.shard(0)?;
    stranger.batch_execute(
        "SELECT pg_advisory_lock((1869767024::bigint << 32) # (1::bigint << 24) # c) FROM generate_series(1, 10) c",
    )?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    items::is_equal_and_acked(bed)
}

fn readers_do_not_keep_it_from_being_emptied(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    let mut reader = items::hold(bed, "SELECT count(*) FROM app.items")?;
    bed.at_source(r#"TRUNCATE "APP"."ITEMS"; INSERT INTO "APP"."ITEMS" VALUES (1, 'after it')"#)?;
    others::go_on(bed)?;
    items::is_equal_and_acked(bed)?;
    reader.batch_execute("COMMIT")?;
    let paused = "SELECT count(*) FROM orapull.events WHERE what LIKE '%is paused%'";
    assert_eq!(steps::value::<i64>(bed, paused)?, 0);
    Ok(())
}

fn a_truncate_while_it_is_blocked(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    let mut lock = items::hold(bed, "LOCK TABLE app.items IN SHARE MODE")?;
    bed.at_source(r#"TRUNCATE "APP"."ITEMS"; INSERT INTO "APP"."ITEMS" VALUES (1, 'after it')"#)?;
    others::go_on(bed)?;
    lock.batch_execute("COMMIT")?;
    // Nobody has to say anything.
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}
