//! Two hands: who waits for whom, and what the second one leaves to the puller.

use anyhow::Result;
use postgres::Client;

use super::backlog::*;
use super::items::{self, SOON};
use super::poison;
use super::steps;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "hands/nothing_is_applied_before_its_turn",
        nothing_is_applied_before_its_turn,
    ),
    scenario(
        "hands/only_rows_are_applied_ahead",
        only_rows_are_applied_ahead,
    ),
    scenario("hands/no_ack_before_the_commit", no_ack_before_the_commit),
    scenario("hands/a_request_waits", a_request_waits),
    scenario("hands/a_pause_of_a_table_waits", a_pause_of_a_table_waits),
    scenario(
        "hands/nobody_waits_for_a_puller_that_is_gone",
        nobody_waits_for_a_puller_that_is_gone,
    ),
    scenario(
        "hands/nobody_waits_in_an_earlier_epoch",
        nobody_waits_in_an_earlier_epoch,
    ),
    scenario(
        "hands/what_follows_a_lost_batch_is_given_back",
        what_follows_a_lost_batch_is_given_back,
    ),
    scenario(
        "hands/a_pause_waits_for_a_commit_that_waits_for_a_standby",
        a_pause_waits_for_a_commit_that_waits_for_a_standby,
    ),
];

/// Two portions: the puller takes the one of ITEMS, the second hand the one of OTHERS.
fn two_portions(bed: &Bed) -> Result<()> {
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")
}

/// A session of the source in which a statement has locked something.
fn locked(bed: &Bed, statement: &str) -> Result<Client> {
    let mut source = bed.source()?;
    source.batch_execute(&format!("BEGIN; {statement}"))?;
    Ok(source)
}

const WAITS_FOR_ITS_TURN: &str = "orapull: waiting for the batch before";
const WAITS_FOR_THE_HAND: &str = "orapull: looking for wishes";

/// Whether this is what a process did last.
fn did(bed: &Bed, process: &str, what: &str) -> Result<bool> {
    let sql = "SELECT FROM pg_stat_activity WHERE backend_type = $1 AND query = $2";
    Ok(bed.shard(0)?.query_opt(sql, &[&process, &what])?.is_some())
}

/// The puller reads its batch for as long as this session lives.
fn reading(bed: &Bed) -> Result<Client> {
    let lock = locked(bed, r#"LOCK TABLE "APP"."ITEMS""#)?;
    resume(bed)?;
    items::reading_waits_at_the_source(bed)?;
    Ok(lock)
}

/// The puller acks its batch for as long as the second session lives, and the second hand applies its own for as long
/// as the first one does.
fn acking_and_applying(bed: &Bed) -> Result<(Client, Client)> {
    let apply = items::hold(bed, "LOCK TABLE app.others IN EXCLUSIVE MODE")?;
    let ack = locked(bed, r#"SELECT FROM "ORAPULL"."SHARD" FOR UPDATE"#)?;
    resume(bed)?;
    items::reading_waits_at_the_source(bed)?;
    bed.eventually("the second hand applies", SOON, || {
        waits(bed, HAND, "relation")
    })?;
    Ok((apply, ack))
}

fn nothing_is_applied_before_its_turn(bed: &Bed) -> Result<()> {
    lag(bed)?;
    let before = items::applied(bed)?;
    two_portions(bed)?;
    let mut lock = reading(bed)?;
    bed.eventually("the second hand has read its batch", SOON, || {
        Ok(did(bed, HAND, WAITS_FOR_ITS_TURN)? || items::applied(bed)? != before)
    })?;
    assert_eq!(
        items::applied(bed)?,
        before,
        "the first is still being read"
    );
    lock.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 1);
    Ok(())
}

/// What is done to OTHERS: what is more than rows to apply.
const MORE: [(&str, &str); 4] = [
    (
        "T",
        r#"TRUNCATE "APP"."OTHERS"; INSERT INTO "APP"."OTHERS" SELECT i, i::text FROM generate_series(1, 30) AS i"#,
    ),
    (
        "D",
        r#"SELECT "TEST"."POINT"('APP', 'OTHERS', 'D'); SELECT "TEST"."PUBLISH"()"#,
    ),
    (
        "U",
        r#"SELECT "TEST"."POINT"('APP', 'OTHERS', 'U', p_note => 'somewhere'); SELECT "TEST"."PUBLISH"()"#,
    ),
    (
        "a value that cannot be read",
        r#"UPDATE "APP"."OTHERS" SET "NAME" = 'no number' WHERE "ID" = 7; UPDATE "APP"."OTHERS" SET "NAME" = '1' WHERE "ID" < 5"#,
    ),
];

fn only_rows_are_applied_ahead(bed: &Bed) -> Result<()> {
    lag(bed)?;
    for (kind, statements) in MORE {
        portion(bed, "ITEMS", kind)?;
        bed.at_source(&format!("BEGIN; {statements}; COMMIT"))?;
        bed.publish()?;
        if kind.starts_with("a value") {
            poison::read_as(bed, "OTHERS", "name", "smallint")?;
        }
        resume(bed)?;
        items::source_becomes(bed, "RUNNING")?;
        steps::pull(bed)?;
        assert_eq!(read_ahead(bed)?, 0, "{kind}");
        items::call(bed, "SELECT orapull.pause('main')")?;
        items::source_becomes(bed, "PAUSED")?;
        // The next one trusts its second hand again.
        ends(bed, PULLER)?;
    }
    let incomplete =
        "SELECT incomplete FROM orapull.tables WHERE relation = 'app.others'::regclass";
    assert_eq!(items::text(&mut bed.shard(0)?, incomplete)?, "somewhere");
    let rows = "SELECT count(*) FILTER (WHERE name = '1') FROM app.others HAVING count(*) = 30";
    assert_eq!(items::number(&mut bed.shard(0)?, rows)?, 4);
    let parked = "SELECT count(*) FROM orapull.parked WHERE reason = 'parked' AND key = '{7}'";
    assert_eq!(items::number(&mut bed.shard(0)?, parked)?, 1);
    Ok(())
}

fn no_ack_before_the_commit(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    let first = items::applied(bed)? + 1;
    let (mut apply, mut ack) = acking_and_applying(bed)?;
    ack.batch_execute("COMMIT")?;
    bed.eventually("the puller has nothing else to do", SOON, || {
        Ok(did(bed, PULLER, WAITS_FOR_THE_HAND)? || items::acked(bed)? > first)
    })?;
    assert_eq!(items::acked(bed)?, first);
    apply.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 1);
    Ok(())
}

fn a_request_waits(bed: &Bed) -> Result<()> {
    lag(bed)?;
    resume(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    steps::pull(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    two_portions(bed)?;
    let (mut apply, mut ack) = acking_and_applying(bed)?;
    ack.batch_execute("COMMIT")?;
    bed.eventually("the puller would ask", SOON, || {
        Ok(did(bed, PULLER, WAITS_FOR_THE_HAND)? || items::calls_of(bed, "ASK") > 0)
    })?;
    assert_eq!(items::calls_of(bed, "ASK"), 0);
    apply.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 1);
    assert!(items::calls_of(bed, "ASK") > 0);
    Ok(())
}

fn a_pause_of_a_table_waits(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    let (mut apply, mut ack) = acking_and_applying(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.others')")?;
    ack.batch_execute("COMMIT")?;
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = $1 AND wait_event_type = 'Lock'";
    let locked = || -> Result<bool> {
        let waiting: i64 = bed.shard(0)?.query_one(sql, &[&PULLER])?.get(0);
        Ok(waiting > 0)
    };
    bed.eventually("the puller would pause the table", SOON, || {
        Ok(did(bed, PULLER, WAITS_FOR_THE_HAND)? || locked()?)
    })?;
    assert!(!locked()?, "it would wait for the lock as long as it may");
    apply.batch_execute("COMMIT")?;
    bed.eventually("the table is paused", SOON, || {
        let sql = "SELECT count(*) FROM orapull.tables WHERE state = 'paused'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    assert_eq!(read_ahead(bed)?, 1);
    items::call(bed, "SELECT orapull.resume('main', 'app.others')")?;
    equal(bed)
}

fn nobody_waits_for_a_puller_that_is_gone(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    let mut lock = held_up(bed)?;
    ends(bed, PULLER)?;
    // The next one does not get as far as to take over: it may be that there is none, for want of the second hand's slot.
    let mut progress = items::hold(bed, "SELECT FROM orapull.progress FOR UPDATE")?;
    gives_back(bed)?;
    progress.batch_execute("COMMIT")?;
    lock.batch_execute("COMMIT")?;
    equal(bed)
}

fn gives_back(bed: &Bed) -> Result<()> {
    bed.eventually("the second hand gives its batch back", SOON, || {
        Ok(!did(bed, HAND, WAITS_FOR_ITS_TURN)?)
    })
}

fn nobody_waits_in_an_earlier_epoch(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    let mut lock = reading(bed)?;
    hand_waits(bed)?;
    bed.shard(0)?
        .batch_execute("UPDATE orapull.progress SET epoch = epoch + 1")?;
    gives_back(bed)?;
    lock.batch_execute("COMMIT")?;
    equal(bed)
}

fn what_follows_a_lost_batch_is_given_back(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    two_portions(bed)?;
    let mut first = held_up(bed)?;
    ends(bed, HAND)?;
    // The puller goes on to the third portion and hands out the fourth, before it looks for the second.
    let mut third = locked(bed, r#"LOCK TABLE "APP"."ITEMS""#)?;
    first.batch_execute("COMMIT")?;
    hand_waits(bed)?;
    let mut second = items::hold(bed, "LOCK TABLE app.others IN EXCLUSIVE MODE")?;
    third.batch_execute("COMMIT")?;
    bed.eventually("the puller applies the second itself", SOON, || {
        waits(bed, PULLER, "relation")
    })?;
    gives_back(bed)?;
    second.batch_execute("COMMIT")?;
    equal(bed)
}

fn a_pause_waits_for_a_commit_that_waits_for_a_standby(bed: &Bed) -> Result<()> {
    lag(bed)?;
    two_portions(bed)?;
    let first = items::applied(bed)? + 1;
    let (mut apply, mut ack) = acking_and_applying(bed)?;
    ack.batch_execute("COMMIT")?;
    items::no_standby_answers(bed)?;
    apply.batch_execute("COMMIT")?;
    bed.eventually("the second hand waits for the standby", SOON, || {
        waits(bed, HAND, "SyncRep")
    })?;
    items::call(
        bed,
        "SET synchronous_commit = off; SELECT orapull.pause('main')",
    )?;
    // Ended, the second hand would leave a commit that a failover takes back, and nobody would know.
    bed.eventually("the puller waits for its commit", SOON, || {
        waits(bed, PULLER, "transactionid")
    })?;
    assert_eq!(items::applied(bed)?, first);
    items::set(bed, "synchronous_standby_names", None)?;
    items::source_becomes(bed, "PAUSED")?;
    resume(bed)?;
    equal(bed)
}
