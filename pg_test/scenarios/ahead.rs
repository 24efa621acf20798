//! Two hands: while the puller applies a batch, a second process reads the next one and applies it when its turn comes.

use anyhow::Result;

use super::backlog::*;
use super::items::{self, ITEMS, SOON};
use super::steps;
use super::{Scenario, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "ahead/a_backlog_is_applied_in_order",
        a_backlog_is_applied_in_order,
    ),
    scenario(
        "ahead/what_changes_after_it_was_read_comes_later",
        what_changes_after_it_was_read_comes_later,
    ),
    scenario(
        "ahead/a_second_hand_ends_while_it_reads",
        a_second_hand_ends_while_it_reads,
    ),
    scenario(
        "ahead/a_second_hand_ends_while_it_waits",
        a_second_hand_ends_while_it_waits,
    ),
    scenario(
        "ahead/a_power_cut_while_it_waits",
        a_power_cut_while_it_waits,
    ),
    scenario(
        "ahead/the_puller_ends_while_it_waits",
        the_puller_ends_while_it_waits,
    ),
    scenario(
        "ahead/an_earlier_puller_cannot_have_its_batch_applied",
        an_earlier_puller_cannot_have_its_batch_applied,
    ),
    scenario(
        "ahead/a_commit_that_did_not_reach_the_standby_is_not_acked",
        a_commit_that_did_not_reach_the_standby_is_not_acked,
    ),
    scenario(
        "ahead/a_truncate_before_rows_that_were_read",
        a_truncate_before_rows_that_were_read,
    ),
    scenario(
        "ahead/a_truncate_among_rows_that_were_read",
        a_truncate_among_rows_that_were_read,
    ),
    scenario(
        "ahead/a_table_paused_after_it_was_read_is_held",
        a_table_paused_after_it_was_read_is_held,
    ),
    scenario(
        "ahead/a_table_altered_in_the_backlog_is_paused",
        a_table_altered_in_the_backlog_is_paused,
    ),
    scenario(
        "ahead/a_row_that_does_not_fit_is_parked",
        a_row_that_does_not_fit_is_parked,
    ),
    scenario("ahead/requests_go_between", requests_go_between),
    scenario(
        "ahead/a_pause_does_not_wait_for_the_source",
        a_pause_does_not_wait_for_the_source,
    ),
    scenario(
        "ahead/switched_off_nobody_reads_ahead",
        switched_off_nobody_reads_ahead,
    ),
];

fn a_backlog_is_applied_in_order(bed: &Bed) -> Result<()> {
    lag(bed)?;
    for turn in 0..12 {
        items::change(bed)?;
        portion(bed, "OTHERS", &format!("turn {turn}"))?;
        portion(bed, "ITEMS", &format!("turn {turn}"))?;
    }
    resume(bed)?;
    equal(bed)?;
    assert!(read_ahead(bed)? > 5, "both hands were at work");
    Ok(())
}

fn what_changes_after_it_was_read_comes_later(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "held up")?;
    portion(bed, "OTHERS", "read early")?;
    let mut lock = held_up(bed)?;
    bed.at_source(
        r#"UPDATE "APP"."OTHERS" SET "NAME" = 'newer' WHERE "ID" < 10; DELETE FROM "APP"."OTHERS" WHERE "ID" BETWEEN 10 AND 15;
           UPDATE "APP"."OTHERS" SET "ID" = "ID" + 5000 WHERE "ID" > 15"#,
    )?;
    bed.publish()?;
    lock.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 1);
    Ok(())
}

fn a_second_hand_ends_while_it_reads(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    portion(bed, "ITEMS", "third")?;
    let mut source = bed.source()?;
    source.batch_execute(r#"BEGIN; LOCK TABLE "APP"."OTHERS""#)?;
    resume(bed)?;
    items::reading_waits_at_the_source(bed)?;
    ends(bed, HAND)?;
    source.batch_execute("COMMIT")?;
    equal(bed)
}

fn a_second_hand_ends_while_it_waits(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut lock = held_up(bed)?;
    ends(bed, HAND)?;
    lock.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 0);
    Ok(())
}

fn a_power_cut_while_it_waits(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let _lock = held_up(bed)?;
    bed.crash_shard(0)?;
    equal(bed)
}

fn the_puller_ends_while_it_waits(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut lock = held_up(bed)?;
    ends(bed, PULLER)?;
    lock.batch_execute("COMMIT")?;
    equal(bed)
}

fn an_earlier_puller_cannot_have_its_batch_applied(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut lock = held_up(bed)?;
    // As if another puller had taken over and applied the first portion: nothing but the epoch is wrong. The launcher
    // waits a second before it starts one.
    bed.shard(0)?.batch_execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE backend_type = 'orapull puller';
         UPDATE orapull.progress SET epoch = epoch + 1, applied_portion = applied_portion + 1",
    )?;
    lock.batch_execute("COMMIT")?;
    steps::pull(bed)?;
    assert_eq!(read_ahead(bed)?, 0);
    portion(bed, "ITEMS", "third")?;
    steps::pull(bed)?;
    same(bed)
}

fn a_commit_that_did_not_reach_the_standby_is_not_acked(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut items_lock = held_up(bed)?;
    let mut others_lock = items::hold(bed, "LOCK TABLE app.others IN EXCLUSIVE MODE")?;
    let first = items::applied(bed)? + 1;
    items_lock.batch_execute("COMMIT")?;
    bed.eventually("the first portion is acked", SOON, || {
        Ok(items::acked(bed)? == first)
    })?;
    items::no_standby_answers(bed)?;
    bed.eventually("the second hand applies", SOON, || {
        waits(bed, HAND, "relation")
    })?;
    others_lock.batch_execute("COMMIT")?;
    bed.eventually("its commit waits for the standby", SOON, || {
        waits(bed, HAND, "SyncRep")
    })?;
    // It does not end at once: as it drops its temporary tables, it waits for the standby again.
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_type = 'orapull second hand'";
    assert_eq!(items::number(&mut bed.shard(0)?, end)?, 1);
    bed.eventually("its commit is here for all to see", SOON, || {
        Ok(items::applied(bed)? == first + 1)
    })?;
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(items::acked(bed)?, first);
    items::set(bed, "synchronous_standby_names", None)?;
    equal(bed)
}

fn a_truncate_before_rows_that_were_read(bed: &Bed) -> Result<()> {
    lag(bed)?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'first' WHERE "ID" < 10; TRUNCATE "APP"."OTHERS";
           INSERT INTO "APP"."OTHERS" SELECT i, 'after' FROM generate_series(1, 30) AS i"#,
    )?;
    bed.publish()?;
    portion(bed, "OTHERS", "second")?;
    let mut lock = held_up(bed)?;
    lock.batch_execute("COMMIT")?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 1);
    Ok(())
}

fn a_truncate_among_rows_that_were_read(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    bed.at_source(
        r#"TRUNCATE "APP"."OTHERS"; INSERT INTO "APP"."OTHERS" SELECT i, 'after' FROM generate_series(1, 30) AS i"#,
    )?;
    bed.publish()?;
    portion(bed, "ITEMS", "third")?;
    portion(bed, "OTHERS", "fourth")?;
    resume(bed)?;
    equal(bed)
}

fn a_table_paused_after_it_was_read_is_held(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut lock = held_up(bed)?;
    // As the puller would, which waits for the lock.
    bed.shard(0)?.batch_execute(
        "UPDATE orapull.target SET wished = 'pause' WHERE relation = 'app.others'::regclass;
         UPDATE orapull.target_state SET state = 'paused'
         WHERE target_id = (SELECT target_id FROM orapull.target WHERE relation = 'app.others'::regclass)",
    )?;
    lock.batch_execute("COMMIT")?;
    steps::pull(bed)?;
    let held = "SELECT held FROM orapull.tables WHERE relation = 'app.others'::regclass";
    assert_eq!(items::number(&mut bed.shard(0)?, held)?, 20);
    assert_eq!(read_ahead(bed)?, 0);
    items::call(bed, "SELECT orapull.resume('main', 'app.others')")?;
    equal(bed)
}

fn a_table_altered_in_the_backlog_is_paused(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'OTHERS', 'DROP COLUMN "NAME"'); INSERT INTO "APP"."OTHERS" VALUES (2001)"#,
    )?;
    bed.publish()?;
    portion(bed, "ITEMS", "third")?;
    bed.at_source(r#"INSERT INTO "APP"."OTHERS" VALUES (2002)"#)?;
    bed.publish()?;
    resume(bed)?;
    steps::pull(bed)?;
    bed.identical(0, &ITEMS)?;
    let held = "SELECT held FROM orapull.tables WHERE state = 'paused'";
    assert_eq!(items::number(&mut bed.shard(0)?, held)?, 2);
    steps::at_shard(
        bed,
        "ALTER TABLE app.others DROP COLUMN name; SELECT orapull.resume('main', 'app.others')",
    )?;
    equal(bed)
}

fn a_row_that_does_not_fit_is_parked(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    bed.at_source(
        r#"UPDATE "APP"."OTHERS" SET "NAME" = 'fits' WHERE "ID" < 30;
           UPDATE "APP"."OTHERS" SET "NAME" = 'longer than twenty letters' WHERE "ID" = 7"#,
    )?;
    bed.publish()?;
    portion(bed, "ITEMS", "third")?;
    resume(bed)?;
    steps::pull(bed)?;
    bed.identical(0, &ITEMS)?;
    let applied = "SELECT count(*) FROM app.others WHERE id < 30 AND name = 'fits'";
    assert_eq!(items::number(&mut bed.shard(0)?, applied)?, 28);
    let parked = "SELECT count(*) FROM orapull.parked WHERE reason = 'parked' AND key = '{7}'";
    assert_eq!(items::number(&mut bed.shard(0)?, parked)?, 1);
    portion(bed, "OTHERS", "short")?;
    equal(bed)?;
    assert_eq!(items::number(&mut bed.shard(0)?, parked)?, 0);
    Ok(())
}

fn requests_go_between(bed: &Bed) -> Result<()> {
    lag(bed)?;
    resume(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.others')")?;
    bed.eventually("app.others is paused", SOON, || {
        let sql = "SELECT count(*) FROM orapull.tables WHERE state = 'paused'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    portion(bed, "OTHERS", "held")?;
    steps::pull(bed)?;
    items::set(bed, "orapull.request_rows", Some("3"))?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    for turn in 0..10 {
        portion(bed, "ITEMS", &format!("turn {turn}"))?;
    }
    items::call(bed, "SELECT orapull.resume('main', 'app.others')")?;
    resume(bed)?;
    equal(bed)?;
    assert!(read_ahead(bed)? > 0, "both hands were at work");
    let asked = "SELECT count(*) FROM orapull.batches WHERE request IS NOT NULL";
    assert!(items::number(&mut bed.shard(0)?, asked)? >= 6);
    Ok(())
}

fn a_pause_does_not_wait_for_the_source(bed: &Bed) -> Result<()> {
    lag(bed)?;
    portion(bed, "ITEMS", "first")?;
    portion(bed, "OTHERS", "second")?;
    let mut source = bed.source()?;
    source.batch_execute(r#"BEGIN; LOCK TABLE "APP"."OTHERS""#)?;
    resume(bed)?;
    items::reading_waits_at_the_source(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    let applied = items::applied(bed)?;
    source.batch_execute("COMMIT")?;
    portion(bed, "ITEMS", "third")?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(
        items::applied(bed)?,
        applied,
        "a paused source applies nothing"
    );
    resume(bed)?;
    equal(bed)
}

fn switched_off_nobody_reads_ahead(bed: &Bed) -> Result<()> {
    lag(bed)?;
    items::set(bed, "orapull.read_ahead", Some("off"))?;
    for turn in 0..6 {
        portion(bed, "ITEMS", &format!("turn {turn}"))?;
        portion(bed, "OTHERS", &format!("turn {turn}"))?;
    }
    resume(bed)?;
    equal(bed)?;
    assert_eq!(read_ahead(bed)?, 0);
    let hands = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'orapull second hand'";
    assert_eq!(items::number(&mut bed.shard(0)?, hands)?, 0);
    Ok(())
}
