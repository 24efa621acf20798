//! The first load: in chunks, while the table changes, and whatever comes in between.

use std::time::Duration;

use anyhow::Result;

use super::items::{self, ITEMS, SOON};
use super::{Scenario, away, scenario};
use crate::bed::{Bed, SOURCE_DATABASE};
use crate::cluster::Stop;
use crate::workload::{self, Background};

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "loads/changes_during_a_load_arrive",
        changes_during_a_load_arrive,
    ),
    scenario(
        "loads/a_stop_reads_no_chunk_twice",
        a_stop_reads_no_chunk_twice,
    ),
    scenario(
        "loads/an_operator_brings_the_rows",
        an_operator_brings_the_rows,
    ),
    scenario(
        "loads/a_truncate_during_a_load_begins_it_anew",
        a_truncate_during_a_load_begins_it_anew,
    ),
    scenario(
        "loads/a_truncate_while_a_chunk_is_written",
        a_truncate_while_a_chunk_is_written,
    ),
    scenario(
        "loads/what_cannot_be_located_during_a_load_is_told_after_it",
        what_cannot_be_located_during_a_load_is_told_after_it,
    ),
    scenario(
        "loads/a_forgotten_plan_is_made_again",
        a_forgotten_plan_is_made_again,
    ),
    scenario(
        "loads/open_transactions_delay_the_load",
        open_transactions_delay_the_load,
    ),
    scenario(
        "loads/views_that_cannot_be_used_are_made_anew",
        views_that_cannot_be_used_are_made_anew,
    ),
    scenario(
        "loads/nothing_is_loaded_from_a_source_that_is_not_followed",
        nothing_is_loaded_from_a_source_that_is_not_followed,
    ),
    scenario(
        "loads/a_chunk_of_another_source_is_not_applied",
        a_chunk_of_another_source_is_not_applied,
    ),
    scenario("loads/the_speed_is_limited", the_speed_is_limited),
    scenario(
        "loads/loaders_come_and_go_with_the_setting",
        loaders_come_and_go_with_the_setting,
    ),
    scenario(
        "loads/a_pause_before_the_plan_does_not_end_the_load",
        a_pause_before_the_plan_does_not_end_the_load,
    ),
    scenario(
        "loads/a_refused_table_is_loaded_when_resumed",
        a_refused_table_is_loaded_when_resumed,
    ),
];

/// A source with items, whose loads are cut into chunks of 1,000 rows; no loader runs before
/// `orapull.load_workers` is set.
pub fn many_chunks(bed: &Bed, rows: u32) -> Result<()> {
    items::create(bed, rows)?;
    bed.create_source(0)?;
    items::set(bed, "orapull.load_chunk_rows", Some("1000"))?;
    items::set(bed, "orapull.load_workers", Some("0"))
}

/// Waits until the load is planned. Publishes: a table is waiting until the source has moved on.
pub fn planned(bed: &Bed) -> Result<()> {
    bed.eventually("the load is planned", SOON, || {
        bed.publish()?;
        Ok(chunks(bed, "true")? > 0)
    })
}

/// Chunks of the present load with this condition.
pub fn chunks(bed: &Bed, condition: &str) -> Result<i64> {
    let sql = format!(
        "SELECT count(*) FROM orapull.load_chunk JOIN orapull.target_state USING (target_id, generation) WHERE {condition}"
    );
    items::number(&mut bed.shard(0)?, &sql)
}

pub const IN: &str = "applied_scn IS NOT NULL";

fn changes_during_a_load_arrive(bed: &Bed) -> Result<()> {
    many_chunks(bed, 10_000)?;
    items::set(bed, "orapull.load_workers", Some("3"))?;
    items::set(bed, "orapull.load_rows_per_second", Some("5000"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    let publisher = workload::publisher(&bed.source, SOURCE_DATABASE)?;
    let changing = keep_changing(bed)?;
    items::table_becomes(bed, "loading")?;
    let seen = changing.done();
    items::table_becomes(bed, "following")?;
    assert!(
        changing.done() > seen,
        "the table changed while it was loaded"
    );
    assert!(chunks(bed, IN)? > 5);
    changing.stop()?;
    publisher.stop()?;
    items::is_equal_and_acked(bed)
}

/// Updates, moves, deletes and inserts all over the table.
fn keep_changing(bed: &Bed) -> Result<Background> {
    let mut client = bed.source()?;
    let mut turn = 0_i32;
    Ok(Background::repeat(move || {
        turn += 1;
        client.batch_execute(&format!(
            r#"UPDATE "APP"."ITEMS" SET "NAME" = 'turn {turn}' WHERE "ID" % 97 = {turn} % 97;
               UPDATE "APP"."ITEMS" SET "ID" = "ID" + 50000 WHERE "ID" = {turn} * 7 % 9000;
               DELETE FROM "APP"."ITEMS" WHERE "ID" = {turn} * 13 % 9000;
               INSERT INTO "APP"."ITEMS" VALUES (200000 + {turn}, 'new')"#
        ))?;
        Ok(1)
    }))
}

fn a_stop_reads_no_chunk_twice(bed: &Bed) -> Result<()> {
    many_chunks(bed, 6000)?;
    items::set(bed, "orapull.load_rows_per_second", Some("1000"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    bed.eventually("some chunks are in", SOON, || Ok(chunks(bed, IN)? >= 2))?;
    bed.crash_shard(0)?;
    let applied = format!("SELECT chunk, applied_at::text FROM orapull.load_chunk WHERE {IN}");
    let before = bed.shard(0)?.query(&applied, &[])?;
    items::change(bed)?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    items::is_equal_and_acked(bed)?;
    let after = bed.shard(0)?.query(&applied, &[])?;
    assert!(after.len() > before.len(), "the load was not over");
    for chunk in before {
        let (number, at): (i32, &str) = (chunk.get(0), chunk.get(1));
        let kept = after.iter().any(|c| (c.get(0), c.get(1)) == (number, at));
        assert!(kept, "chunk {number} was read again");
    }
    Ok(())
}

fn an_operator_brings_the_rows(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ITEMS", "load => 'none'")?;
    bed.eventually("the table is paused", SOON, || {
        bed.publish()?;
        let sql = "SELECT state FROM orapull.tables";
        Ok(items::text(&mut bed.shard(0)?, sql)? == "paused")
    })?;
    let rows = bed
        .source()?
        .query(r#"SELECT "ID"::bigint, "NAME" FROM "APP"."ITEMS""#, &[])?;
    items::change(bed)?;
    let mut owner = bed.owner(0)?;
    for row in rows {
        let (id, name): (i64, String) = (row.get(0), row.get(1));
        owner.execute(
            "INSERT INTO app.items VALUES ($1::bigint, $2)",
            &[&id, &name],
        )?;
    }
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(chunks(bed, "true")?, 0, "nothing was loaded");
    Ok(())
}

/// A load of one loader, which rests for a second after each chunk. One chunk is in, and others are not.
fn slow_load(bed: &Bed, rows: u32) -> Result<()> {
    many_chunks(bed, rows)?;
    items::set(bed, "orapull.load_rows_per_second", Some("1000"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is in", SOON, || Ok(chunks(bed, IN)? > 0))?;
    is_not_over(bed)
}

fn is_not_over(bed: &Bed) -> Result<()> {
    let left = chunks(bed, &format!("NOT ({IN})"))?;
    assert!(left > 0, "the load is not over");
    Ok(())
}

fn a_truncate_during_a_load_begins_it_anew(bed: &Bed) -> Result<()> {
    slow_load(bed, 5000)?;
    bed.at_source(
        r#"TRUNCATE "APP"."ITEMS";
           INSERT INTO "APP"."ITEMS" SELECT i, 'second life' FROM generate_series(4000, 7000) i;
           ANALYZE "APP"."ITEMS""#,
    )?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3001);
    Ok(())
}

/// Rows that a loader has written and not committed are not seen by what empties the table.
fn a_truncate_while_a_chunk_is_written(bed: &Bed) -> Result<()> {
    many_chunks(bed, 3000)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    let mut gate = bed.shard(0)?;
    gate.batch_execute(
        "CREATE FUNCTION app.wait() RETURNS trigger LANGUAGE plpgsql AS $f$
         BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $f$;
         CREATE TRIGGER wait AFTER INSERT ON app.items FOR EACH STATEMENT EXECUTE FUNCTION app.wait();
         ALTER TABLE app.items ENABLE ALWAYS TRIGGER wait;
         SELECT pg_advisory_lock(77)",
    )?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is being written", SOON, || {
        let sql = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    bed.at_source(
        r#"TRUNCATE "APP"."ITEMS";
           INSERT INTO "APP"."ITEMS" SELECT i, 'second life' FROM generate_series(4000, 7000) i;
           ANALYZE "APP"."ITEMS""#,
    )?;
    bed.publish()?;
    bed.eventually("the load begins anew", SOON, || {
        let sql = "SELECT max(generation) FROM orapull.target_state";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 2)
    })?;
    gate.batch_execute("SELECT pg_advisory_unlock(77)")?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3001);
    Ok(())
}

fn what_cannot_be_located_during_a_load_is_told_after_it(bed: &Bed) -> Result<()> {
    many_chunks(bed, 5000)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::is_equal_and_acked(bed)?;
    change_without_pointers(bed, "before the load")?;
    becomes_incomplete(bed, "before the load")?;

    items::set(bed, "orapull.load_workers", Some("0"))?;
    items::set(bed, "orapull.load_rows_per_second", Some("1000"))?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    bed.eventually("the load is planned", SOON, || {
        Ok(chunks(bed, "generation = 2")? > 0)
    })?;
    assert_eq!(incomplete(bed)?, "", "a load covers what came before it");
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is in", SOON, || Ok(chunks(bed, IN)? > 0))?;
    change_without_pointers(bed, "during the load")?;
    becomes_incomplete(bed, "during the load")?;
    is_not_over(bed)?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    bed.catch_up(0)?;
    assert_eq!(
        chunks(bed, "generation = 2")?,
        chunks(bed, IN)?,
        "the load went on"
    );
    assert!(
        bed.identical(0, &ITEMS).is_err(),
        "a chunk was read before the change"
    );
    assert_eq!(incomplete(bed)?, "during the load");

    items::call(bed, "SELECT orapull.resync('app.items')")?;
    bed.eventually("another load has begun", SOON, || {
        Ok(chunks(bed, "generation = 3")? > 0)
    })?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(incomplete(bed)?, "");
    Ok(())
}

/// Changes all rows as a load without redo does: the source knows only that it happened.
fn change_without_pointers(bed: &Bed, note: &str) -> Result<()> {
    bed.at_source(&format!(
        r#"BEGIN;
           SET LOCAL session_replication_role = replica;
           UPDATE "APP"."ITEMS" SET "NAME" = '{note}';
           COMMIT;
           SELECT "TEST"."PUBLISH_COMMITTED"();
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'U', p_note => '{note}');
           SELECT "TEST"."PUBLISH"()"#
    ))
}

fn incomplete(bed: &Bed) -> Result<String> {
    items::text(&mut bed.shard(0)?, "SELECT incomplete FROM orapull.tables")
}

fn becomes_incomplete(bed: &Bed, why: &str) -> Result<()> {
    bed.eventually(&format!("it is incomplete: {why}"), SOON, || {
        Ok(incomplete(bed)? == why)
    })
}

fn a_forgotten_plan_is_made_again(bed: &Bed) -> Result<()> {
    many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    bed.at_source(r#"DELETE FROM "ORAPULL"."PLAN""#)?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3000);
    Ok(())
}

fn open_transactions_delay_the_load(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    // Changed before the registration: the source has no pointer for it.
    let mut open = bed.source()?;
    open.batch_execute(
        r#"BEGIN;
           SET LOCAL session_replication_role = replica;
           INSERT INTO "APP"."ITEMS" VALUES (5000, 'in an open transaction');
           DELETE FROM "APP"."ITEMS" WHERE "ID" = 1"#,
    )?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::change(bed)?;
    bed.owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[])?;
    items::change(bed)?;
    bed.owner(0)?
        .execute("SELECT orapull.pull_now('main')", &[])?;
    items::table_becomes(bed, "waiting")?;
    assert_eq!(chunks(bed, "true")?, 0);
    open.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}

fn the_speed_is_limited(bed: &Bed) -> Result<()> {
    many_chunks(bed, 6000)?;
    items::set(bed, "orapull.load_rows_per_second", Some("2000"))?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::is_equal_and_acked(bed)?;
    let sql = "SELECT 6000 / extract(epoch FROM max(applied_at) - min(applied_at)) < 4000 FROM orapull.load_chunk";
    let slow: bool = bed.shard(0)?.query_one(sql, &[])?.get(0);
    assert!(slow, "the load was faster than twice the limit");
    Ok(())
}

fn loaders_come_and_go_with_the_setting(bed: &Bed) -> Result<()> {
    many_chunks(bed, 8000)?;
    items::set(bed, "orapull.load_rows_per_second", Some("1500"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    loaders_become(bed, 2)?;
    items::set(bed, "orapull.load_workers", Some("0"))?;
    loaders_become(bed, 0)?;
    is_not_over(bed)?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    items::set(bed, "orapull.load_workers", Some("3"))?;
    items::is_equal_and_acked(bed)
}

pub fn loaders_become(bed: &Bed, count: i64) -> Result<()> {
    bed.eventually(&format!("{count} loaders run"), SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'orapull loader'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == count)
    })
}

fn a_pause_before_the_plan_does_not_end_the_load(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    // The table waits for this transaction; then its load begins, and is paused before anything is planned.
    let mut open = bed.source()?;
    open.batch_execute("BEGIN; SELECT pg_current_xact_id()")?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    open.batch_execute("COMMIT")?;
    items::table_becomes(bed, "paused")?;
    assert_eq!(chunks(bed, "true")?, 0, "nothing is planned");
    items::change(bed)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}

fn a_refused_table_is_loaded_when_resumed(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    let mut open = bed.source()?;
    open.batch_execute("BEGIN; SELECT pg_current_xact_id()")?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.at_source(r#"SELECT "TEST"."SET_TABLE_STATE"('APP', 'ITEMS', 'REFUSED', 'a policy')"#)?;
    items::table_becomes(bed, "paused")?;
    open.batch_execute("COMMIT")?;
    bed.at_source(r#"SELECT "TEST"."SET_TABLE_STATE"('APP', 'ITEMS', NULL)"#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}

fn views_that_cannot_be_used_are_made_anew(bed: &Bed) -> Result<()> {
    many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    planned(bed)?;
    bed.at_source(r#"SELECT "ORAPULL"."DROP_RESOLVERS"(1)"#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("all chunks are in", SOON, || {
        Ok(chunks(bed, IN)? > 0 && chunks(bed, "applied_scn IS NULL")? == 0)
    })?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}

/// Lets loaders begin; they have nothing to do.
fn nothing_is_loaded(bed: &Bed, state: &str) -> Result<()> {
    items::source_becomes(bed, state)?;
    let before = chunks(bed, IN)?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(chunks(bed, IN)?, before, "in state {state}");
    items::set(bed, "orapull.load_workers", Some("0"))
}

fn nothing_is_loaded_from_a_source_that_is_not_followed(bed: &Bed) -> Result<()> {
    slow_load(bed, 6000)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    loaders_become(bed, 0)?;
    is_not_over(bed)?;
    items::set(bed, "orapull.load_rows_per_second", None)?;
    nothing_is_loaded(bed, "PAUSED")?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::source_becomes(bed, "RUNNING")?;

    away::change_password_at_source(bed)?;
    items::source_becomes(bed, "CREDENTIALS")?;
    let tries = away::refused(bed)?;
    nothing_is_loaded(bed, "CREDENTIALS")?;
    assert_eq!(
        away::refused(bed)?,
        tries,
        "an account of Oracle would be locked"
    );
    away::change_password_here(bed)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::source_becomes(bed, "RUNNING")?;

    let stranger = "UPDATE orapull.progress SET holder = 'another server'";
    bed.shard(0)?.batch_execute(stranger)?;
    bed.shards[0].cluster.stop(Stop::Immediate)?;
    bed.shards[0].cluster.start()?;
    nothing_is_loaded(bed, "COPIED")?;
    items::call(bed, "SELECT orapull.adopt('main')")?;
    items::source_becomes(bed, "RUNNING")?;

    bed.at_source(r#"SELECT "TEST"."SET"('DBID', '4711')"#)?;
    nothing_is_loaded(bed, "SOURCE_CHANGED")?;
    items::call(bed, "SELECT orapull.adopt('main', force => true)")?;
    items::source_becomes(bed, "RUNNING")?;

    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    items::is_equal_and_acked(bed)?;
    items::table_becomes(bed, "following")
}

/// The puller does not get to noting that it is another one.
fn a_chunk_of_another_source_is_not_applied(bed: &Bed) -> Result<()> {
    slow_load(bed, 6000)?;
    let mut held = items::hold(bed, "SELECT FROM orapull.progress FOR UPDATE")?;
    bed.at_source(r#"SELECT "TEST"."SET"('INCARNATION', '4711')"#)?;
    loaders_become(bed, 0)?;
    is_not_over(bed)?;
    let before = chunks(bed, IN)?;
    held.batch_execute("COMMIT")?;
    items::source_becomes(bed, "SOURCE_CHANGED")?;
    assert_eq!(chunks(bed, IN)?, before);
    Ok(())
}
