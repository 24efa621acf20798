//! Portions that are released, or moved to another slot, at any moment of a turn: never taken for rows that are gone.
//!
//! A slot is emptied by TRUNCATE, which a read that has begun before sees too, as in Oracle.

use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use postgres::Client;

use super::backlog;
use super::items::{self, SOON};
use super::{Scenario, scenario};
use super::{loads, second_look, steps};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "released/changes_between_the_scans",
        changes_between_the_scans,
    ),
    scenario("released/before_the_rows", before_the_rows),
    scenario(
        "released/between_rows_and_pointers",
        between_rows_and_pointers,
    ),
    scenario("released/after_the_pointers", after_the_pointers),
    scenario("released/between_commit_and_ack", between_commit_and_ack),
    scenario(
        "released/before_the_second_hand_reads",
        before_the_second_hand_reads,
    ),
    scenario(
        "released/while_the_second_hand_reads",
        while_the_second_hand_reads,
    ),
    scenario(
        "released/after_the_second_hand_has_read",
        after_the_second_hand_has_read,
    ),
    scenario("released/in_a_request", in_a_request),
    scenario(
        "released/after_the_pointers_of_a_request",
        after_the_pointers_of_a_request,
    ),
    scenario("released/in_a_chunk", in_a_chunk),
];

const POINTERS: &str = r#"LOCK TABLE "ORAPULL"."POINTER""#;

/// Releases all portions, acked or not.
fn release(bed: &Bed) -> Result<String> {
    let last = items::last_portion(bed)?;
    Ok(format!(
        r#"SELECT "TEST"."RELEASE"({last}); TRUNCATE "ORAPULL"."POINTER""#
    ))
}

/// The last portion is lost with its slot, and rebuilt in another one.
fn rebuild(bed: &Bed) -> Result<String> {
    let last = items::last_portion(bed)?;
    Ok(format!(
        r#"SELECT "TEST"."MOVE_SLOT"({last});
           CREATE TEMP TABLE rebuilt ON COMMIT DROP AS SELECT * FROM "ORAPULL"."POINTER";
           TRUNCATE "ORAPULL"."POINTER";
           INSERT INTO "ORAPULL"."POINTER" SELECT * FROM rebuilt"#
    ))
}

/// A session of the source in which a statement has locked something.
pub fn locked(bed: &Bed, statement: &str) -> Result<Client> {
    let mut source = bed.source()?;
    source.batch_execute(&format!("BEGIN; {statement}"))?;
    Ok(source)
}

/// Waits for the lock on the pointers, which a read has, and then runs statements, before the next read gets it.
pub fn queue_up(
    bed: &Bed,
    statements: &str,
) -> Result<JoinHandle<Result<Client, postgres::Error>>> {
    let mut client = bed.source()?;
    let pid = items::number(&mut client, "SELECT pg_backend_pid()::bigint")?;
    let sql = format!("BEGIN; {POINTERS}; {statements}");
    let queued = std::thread::spawn(move || client.batch_execute(&sql).map(|()| client));
    bed.eventually("a read has the pointers", SOON, || {
        let sql = format!("SELECT cardinality(pg_blocking_pids({pid}))::bigint");
        Ok(items::number(&mut bed.source()?, &sql)? > 0)
    })?;
    Ok(queued)
}

pub fn came_to_turn(queued: JoinHandle<Result<Client, postgres::Error>>) -> Result<Client> {
    let ended = queued.join().map_err(|_| anyhow!("the session panicked"))?;
    ended.context("what was queued")
}

/// Publishes changes, and stops the turn that reads them before it has read anything.
fn stop_before_rows(bed: &Bed) -> Result<Client> {
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    items::change(bed)?;
    let lock = locked(bed, POINTERS)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::reading_waits_at_the_source(bed)?;
    Ok(lock)
}

/// Statements that lose portions at the source.
type Lose = fn(&Bed) -> Result<String>;

/// Runs a test with a portion that is rebuilt, and then with one that is gone.
fn rebuilt_and_gone(bed: &Bed, test: fn(&Bed, Lose) -> Result<()>) -> Result<()> {
    items::follow(bed)?;
    test(bed, rebuild)?;
    items::is_equal_and_acked(bed)?;

    let (applied, rows) = (items::applied(bed)?, image(bed)?);
    test(bed, release)?;
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    assert_eq!(items::applied(bed)?, applied);
    assert!(image(bed)? == rows, "nothing was applied of it");
    adopt_and_resync(bed, &["app.items"])?;
    items::is_equal_and_acked(bed)
}

/// All that the shard has of the table.
fn image(bed: &Bed) -> Result<String> {
    let sql = "SELECT md5(string_agg(i::text, '|' ORDER BY id)) FROM app.items i";
    items::text(&mut bed.shard(0)?, sql)
}

fn adopt_and_resync(bed: &Bed, relations: &[&str]) -> Result<()> {
    items::call(bed, "SELECT orapull.adopt('main', force => true)")?;
    bed.eventually("all tables need a resync", SOON, || {
        let sql = "SELECT count(*) FROM orapull.tables WHERE state <> 'needs_resync'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 0)
    })?;
    for relation in relations {
        items::call(bed, &format!("SELECT orapull.resync('{relation}')"))?;
    }
    Ok(())
}

fn before_the_rows(bed: &Bed) -> Result<()> {
    rebuilt_and_gone(bed, |bed, lost| {
        let mut lock = stop_before_rows(bed)?;
        lock.batch_execute(&format!("{}; COMMIT", lost(bed)?))?;
        Ok(())
    })
}

/// What is committed and published between the scan of the rows and that of the pointers comes with the next portion,
/// and no row is deleted or taken back for it.
fn changes_between_the_scans(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut rows = second_look::stop_before_rows(bed)?;
    let queued = queue_up(bed, "SELECT")?;
    rows.batch_execute("COMMIT")?;
    let mut before_pointers = came_to_turn(queued)?;
    before_pointers.batch_execute(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'between' WHERE "ID" IN (3, 6, 5);
           DELETE FROM "APP"."ITEMS" WHERE "ID" IN (9, 11);
           INSERT INTO "APP"."ITEMS" VALUES (7, 'again'), (7777, 'new');
           SELECT "TEST"."PUBLISH_COMMITTED"();
           COMMIT"#,
    )?;
    items::is_equal_and_acked(bed)
}

fn between_rows_and_pointers(bed: &Bed) -> Result<()> {
    rebuilt_and_gone(bed, |bed, lost| {
        let mut rows = second_look::stop_before_rows(bed)?;
        let queued = queue_up(bed, &format!("{}; COMMIT", lost(bed)?))?;
        rows.batch_execute("COMMIT")?;
        came_to_turn(queued)?;
        Ok(())
    })
}

/// The read of the pointers has begun, and sees them as they were.
fn after_the_pointers(bed: &Bed) -> Result<()> {
    rebuilt_and_gone(bed, |bed, lost| {
        let mut rows = second_look::stop_before_rows(bed)?;
        let queued = queue_up(bed, "SELECT")?;
        rows.batch_execute("COMMIT")?;
        let mut pointers = came_to_turn(queued)?;
        items::reading_waits_at_the_source(bed)?;
        let lost = lost(bed)?;
        let kept = lost.split("TRUNCATE").next().unwrap_or_default();
        pointers.batch_execute(&format!("{kept} COMMIT"))?;
        Ok(())
    })
}

fn between_commit_and_ack(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    for crash in [false, true] {
        bed.fault(0, r#""API"."ACK" 1 delay 3"#)?;
        let acked = items::acked(bed)?;
        items::change(bed)?;
        bed.eventually("everything is applied", SOON, || {
            Ok(items::applied(bed)? == items::last_portion(bed)?)
        })?;
        bed.at_source(&release(bed)?)?;
        assert_eq!(items::acked(bed)?, acked, "the ack is on its way");
        if crash {
            bed.crash_shard(0)?;
        }
        items::is_equal_and_acked(bed)?;
        items::source_becomes(bed, "RUNNING")?;
    }
    Ok(())
}

/// A portion of ITEMS for the puller, and one of OTHERS for the second hand.
fn two_portions(bed: &Bed) -> Result<()> {
    backlog::lag(bed)?;
    backlog::portion(bed, "ITEMS", "first")?;
    backlog::portion(bed, "OTHERS", "second")
}

/// Rows that have a name.
fn named(bed: &Bed, relation: &str, name: &str) -> Result<i64> {
    let sql = format!("SELECT count(*) FROM {relation} WHERE name = '{name}'");
    items::number(&mut bed.shard(0)?, &sql)
}

/// The portions are gone: so many rows of the first are in, none of the second.
fn gone(bed: &Bed, first: i64) -> Result<()> {
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    assert_eq!(backlog::read_ahead(bed)?, 0);
    assert_eq!(named(bed, "app.items", "first")?, first);
    assert_eq!(named(bed, "app.others", "second")?, 0);
    adopt_and_resync(bed, &["app.items", "app.others"])?;
    bed.catch_up(0)?;
    backlog::same(bed)
}

fn before_the_second_hand_reads(bed: &Bed) -> Result<()> {
    two_portions(bed)?;
    let mut lock = locked(bed, POINTERS)?;
    backlog::resume(bed)?;
    bed.eventually("both hands wait at the source", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shard1' AND wait_event_type = 'Lock'";
        Ok(items::number(&mut bed.source()?, sql)? == 2)
    })?;
    lock.batch_execute(&format!("{}; COMMIT", release(bed)?))?;
    gone(bed, 0)
}

fn while_the_second_hand_reads(bed: &Bed) -> Result<()> {
    two_portions(bed)?;
    let mut apply = items::hold(bed, "LOCK TABLE app.items IN EXCLUSIVE MODE")?;
    let mut rows = locked(bed, r#"LOCK TABLE "APP"."OTHERS""#)?;
    backlog::resume(bed)?;
    items::worker_waits_for_a_lock(bed)?;
    items::reading_waits_at_the_source(bed)?;
    let queued = queue_up(bed, &format!("{}; COMMIT", release(bed)?))?;
    rows.batch_execute("COMMIT")?;
    came_to_turn(queued)?;
    apply.batch_execute("COMMIT")?;
    gone(bed, 20)
}

fn after_the_second_hand_has_read(bed: &Bed) -> Result<()> {
    two_portions(bed)?;
    let mut apply = backlog::held_up(bed)?;
    bed.at_source(&release(bed)?)?;
    apply.batch_execute("COMMIT")?;
    backlog::equal(bed)?;
    assert_eq!(backlog::read_ahead(bed)?, 1);
    items::source_becomes(bed, "RUNNING")
}

/// A request that is read: its rows are being read for as long as the session lives.
fn asking(bed: &Bed) -> Result<Client> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    steps::pull(bed)?;
    let rows = locked(bed, r#"LOCK TABLE "APP"."ITEMS""#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::reading_waits_at_the_source(bed)?;
    assert_eq!(items::calls_of(bed, "ASK"), 1);
    Ok(rows)
}

const DROP_REQUESTS: &str = r#"DELETE FROM "ORAPULL"."REQUEST""#;

fn in_a_request(bed: &Bed) -> Result<()> {
    let mut rows = asking(bed)?;
    let lost = format!("{DROP_REQUESTS}; {}; COMMIT", release(bed)?);
    let queued = queue_up(bed, &lost)?;
    rows.batch_execute("COMMIT")?;
    came_to_turn(queued)?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(items::calls_of(bed, "ASK"), 2);
    Ok(())
}

/// The read of the pointers has begun, and sees them as they were: there is nothing to ask again.
fn after_the_pointers_of_a_request(bed: &Bed) -> Result<()> {
    let mut rows = asking(bed)?;
    let queued = queue_up(bed, "SELECT")?;
    rows.batch_execute("COMMIT")?;
    let mut pointers = came_to_turn(queued)?;
    items::reading_waits_at_the_source(bed)?;
    pointers.batch_execute(&format!(
        r#"{DROP_REQUESTS}; DELETE FROM "ORAPULL"."POINTER"; COMMIT"#
    ))?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(items::calls_of(bed, "ASK"), 1);
    Ok(())
}

fn in_a_chunk(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    let mut chunk = locked(bed, r#"LOCK TABLE "ORAPULL"."PLAN_RANGE""#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    items::reading_waits_at_the_source(bed)?;
    let applied = items::applied(bed)?;
    // What changes is held, or would be.
    let mut lock = stop_before_holding(bed)?;
    lock.batch_execute(&format!("{}; COMMIT", release(bed)?))?;
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    assert_eq!(items::applied(bed)?, applied);
    chunk.batch_execute("COMMIT")?;
    bed.eventually("the chunk is in", SOON, || {
        Ok(loads::chunks(bed, loads::IN)? > 0)
    })?;
    items::table_becomes(bed, "loading")?;
    adopt_and_resync(bed, &["app.items"])?;
    items::is_equal_and_acked(bed)
}

/// Publishes changes, and stops the turn that holds them before it has read a pointer. A loader waits as well.
fn stop_before_holding(bed: &Bed) -> Result<Client> {
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    items::change(bed)?;
    let lock = locked(bed, POINTERS)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    bed.eventually("puller and loader wait", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shard1' AND wait_event_type = 'Lock'";
        Ok(items::number(&mut bed.source()?, sql)? == 2)
    })?;
    Ok(lock)
}
