//! The table that scenarios of time follow, and what they look at while it is followed.

use std::time::Duration;

use anyhow::{Context, Result};
use postgres::Client;

use crate::bed::Bed;
use crate::compare::Pair;
use crate::workload::Background;

pub const ITEMS: Pair = Pair {
    owner: "APP",
    table: "ITEMS",
    relation: "app.items",
    filter: None,
};

/// How long something that needs no waiting may take on a busy machine.
pub const SOON: Duration = Duration::from_secs(30);

/// Makes `"APP"."ITEMS"` with rows 1 to `rows` at the source. Changes are captured from then on: no pointer
/// brings a row that a load has missed.
pub fn create(bed: &Bed, rows: u32) -> Result<()> {
    bed.at_source(&format!(
        r#"CREATE SCHEMA IF NOT EXISTS "APP";
           CREATE TABLE "APP"."ITEMS" ("ID" numeric(10) PRIMARY KEY, "NAME" varchar(40));
           SELECT "TEST"."ADD_ROWID"('APP', 'ITEMS');
           INSERT INTO "APP"."ITEMS" SELECT i, 'item ' || i FROM generate_series(1, {rows}) AS i;
           SELECT "TEST"."CAPTURE"('APP', 'ITEMS');
           ANALYZE "APP"."ITEMS""#
    ))
}

/// A table of 1,000 rows, loaded and followed by the first shard.
pub fn follow(bed: &Bed) -> Result<()> {
    create(bed, 1000)?;
    bed.create_source(0)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 1000);
    Ok(())
}

/// Updates, deletes, inserts and moves rows at the source, and publishes that.
pub fn change(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = "NAME" || '!' WHERE "ID" % 3 = 0;
           DELETE FROM "APP"."ITEMS" WHERE "ID" % 10 = 7;
           UPDATE "APP"."ITEMS" SET "ID" = "ID" + 100000 WHERE "ID" % 10 = 9 AND "ID" < 100000;
           INSERT INTO "APP"."ITEMS" SELECT coalesce(max("ID"), 0) + 1, 'new' FROM "APP"."ITEMS""#,
    )?;
    bed.publish()?;
    Ok(())
}

/// The same as the source, and the source knows it.
pub fn is_equal_and_acked(bed: &Bed) -> Result<()> {
    bed.catch_up(0)?;
    bed.identical(0, &ITEMS)?;
    assert_eq!(acked(bed)?, last_portion(bed)?, "the last ack arrived");
    Ok(())
}

/// Changes a setting of the shard's server while it runs; `None` takes the change back.
pub fn set(bed: &Bed, setting: &str, value: Option<&str>) -> Result<()> {
    let mut client = bed.shard(0)?;
    match value {
        Some(value) => client.batch_execute(&format!("ALTER SYSTEM SET {setting} = '{value}'"))?,
        None => client.batch_execute(&format!("ALTER SYSTEM RESET {setting}"))?,
    }
    client.batch_execute("SELECT pg_reload_conf()")?;
    Ok(())
}

/// From now on commits of the shard wait for a standby that is not there. The setting holds once the
/// checkpointer has read it, so a session commits until it has to wait, and is ended.
pub fn no_standby_answers(bed: &Bed) -> Result<()> {
    set(bed, "synchronous_standby_names", Some("nobody"))?;
    let mut client = bed.shard(0)?;
    let committing = Background::repeat(move || {
        client.batch_execute("SELECT pg_logical_emit_message(true, 'test', 'a commit')")?;
        Ok(1)
    });
    bed.eventually("commits wait for a standby", SOON, || {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE backend_type = 'client backend' AND wait_event = 'SyncRep'";
        Ok(bed.shard(0)?.query_opt(sql, &[])?.is_some())
    })?;
    assert!(committing.stop().is_err(), "the session was ended");
    Ok(())
}

/// A session of the shard with an open transaction in which a statement has run.
pub fn hold(bed: &Bed, statement: &str) -> Result<Client> {
    let mut client = bed.shard(0)?;
    client
        .batch_execute(&format!("BEGIN; {statement}"))
        .with_context(|| format!("cannot hold {statement}"))?;
    Ok(client)
}

/// Waits until a worker of orapull on the shard waits for a lock.
pub fn worker_waits_for_a_lock(bed: &Bed) -> Result<()> {
    worker_waits(bed, "Lock")
}

/// Waits until a worker of orapull on the shard waits for an event of this type.
pub fn worker_waits(bed: &Bed, wait_event_type: &str) -> Result<()> {
    let what = format!("a worker waits for an event of type {wait_event_type}");
    bed.eventually(&what, SOON, || {
        let found = bed.shard(0)?.query(
            "SELECT FROM pg_stat_activity WHERE backend_type LIKE 'orapull %' AND wait_event_type = $1",
            &[&wait_event_type],
        )?;
        Ok(!found.is_empty())
    })
}

/// Waits until a session of the shard's user waits for a lock at the source.
pub fn reading_waits_at_the_source(bed: &Bed) -> Result<()> {
    bed.eventually("reading waits at the source", SOON, || {
        let found = bed.source()?.query(
            "SELECT FROM pg_stat_activity WHERE usename = 'shard1' AND wait_event_type = 'Lock'",
            &[],
        )?;
        Ok(!found.is_empty())
    })
}

/// The portion that the source thinks this shard has applied.
pub fn acked(bed: &Bed) -> Result<i64> {
    number(
        &mut bed.source()?,
        r#"SELECT "ACKED_PORTION" FROM "ORAPULL"."SHARD" WHERE "SHARD" = 'shard1'"#,
    )
}

pub fn last_portion(bed: &Bed) -> Result<i64> {
    number(
        &mut bed.source()?,
        r#"SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE""#,
    )
}

pub fn applied(bed: &Bed) -> Result<i64> {
    number(
        &mut bed.shard(0)?,
        "SELECT coalesce(applied_portion, -1) FROM orapull.progress",
    )
}

pub fn number(client: &mut Client, sql: &str) -> Result<i64> {
    Ok(client.query_one(sql, &[]).context(sql.to_owned())?.get(0))
}

pub fn text(client: &mut Client, sql: &str) -> Result<String> {
    let text: Option<String> = client.query_one(sql, &[]).context(sql.to_owned())?.get(0);
    Ok(text.unwrap_or_default())
}

/// Rows that the shard's catalog keeps of followed tables.
pub fn kept_of_tables(bed: &Bed) -> Result<i64> {
    let tables = [
        "target",
        "target_state",
        "target_stats",
        "load_chunk",
        "seen_row",
        "parked_row",
    ];
    let counts = tables.map(|table| format!("(SELECT count(*) FROM orapull.{table})"));
    number(
        &mut bed.shard(0)?,
        &format!("SELECT {}", counts.join(" + ")),
    )
}

/// Waits for a state of the source.
pub fn source_becomes(bed: &Bed, state: &str) -> Result<()> {
    bed.eventually(&format!("the source is {state}"), SOON, || {
        Ok(text(&mut bed.shard(0)?, "SELECT state FROM orapull.status")? == state)
    })
    .with_context(|| source_now(bed))
}

/// State, message and hint, for a failure.
fn source_now(bed: &Bed) -> String {
    let sql = "SELECT concat_ws(' | ', state, message, hint) FROM orapull.status";
    let now = bed.shard(0).and_then(|mut client| text(&mut client, sql));
    format!("{now:?}")
}

/// Waits for a state of `app.items`.
pub fn table_becomes(bed: &Bed, state: &str) -> Result<()> {
    bed.eventually(&format!("app.items is {state}"), SOON, || {
        let sql = "SELECT state FROM orapull.tables WHERE relation = 'app.items'::regclass";
        Ok(text(&mut bed.shard(0)?, sql)? == state)
    })
    .with_context(|| source_now(bed))
}

/// Calls pause() and then resume() for the source of a database, with time for the puller to look in between.
pub fn pause_and_resume(owner: &mut Client) -> Result<()> {
    owner.batch_execute("SELECT orapull.pause('main')")?;
    std::thread::sleep(Duration::from_millis(500));
    owner.batch_execute("SELECT orapull.resume('main')")?;
    std::thread::sleep(Duration::from_millis(500));
    Ok(())
}

/// Runs one statement as the owner of the source.
pub fn call(bed: &Bed, sql: &str) -> Result<()> {
    bed.owner(0)?
        .batch_execute(sql)
        .with_context(|| sql.to_owned())
}

/// How often a procedure of the package was called, whatever came of it.
pub fn calls_of(bed: &Bed, procedure: &str) -> usize {
    let name = format!(r#""API"."{procedure}""#);
    let calls = bed.calls(0);
    calls
        .iter()
        .filter(|call| call.text.contains(&name))
        .count()
}
