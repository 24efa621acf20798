//! What changes at the source while a batch is read: the second look drops the turn.

use anyhow::Result;
use postgres::Client;

use super::items::{self, ITEMS, SOON};
use super::{Scenario, others, scenario};
use crate::bed::Bed;
use crate::workload::{self, Background};

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "second_look/a_slot_that_moved_is_read_again",
        a_slot_that_moved_is_read_again,
    ),
    scenario(
        "second_look/a_released_portion_is_not_taken_for_an_empty_one",
        a_released_portion_is_not_taken_for_an_empty_one,
    ),
    scenario(
        "second_look/rows_hidden_by_a_new_shape_are_not_deleted",
        rows_hidden_by_a_new_shape_are_not_deleted,
    ),
    scenario(
        "second_look/tables_come_and_go_while_portions_flow",
        tables_come_and_go_while_portions_flow,
    ),
    scenario(
        "second_look/what_is_published_after_a_table_was_added_is_held",
        what_is_published_after_a_table_was_added_is_held,
    ),
    scenario(
        "second_look/a_request_that_was_dropped_is_asked_again",
        a_request_that_was_dropped_is_asked_again,
    ),
];

/// Publishes changes, and stops the turn that reads them just before it reads rows.
pub fn stop_before_rows(bed: &Bed) -> Result<Client> {
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" % 2 = 0;
           DELETE FROM "APP"."ITEMS" WHERE "ID" % 10 = 7"#,
    )?;
    let mut lock = bed.source()?;
    lock.batch_execute(r#"BEGIN; LOCK TABLE "APP"."ITEMS""#)?;
    bed.publish()?;
    items::reading_waits_at_the_source(bed)?;
    Ok(lock)
}

fn a_slot_that_moved_is_read_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut lock = stop_before_rows(bed)?;
    let last = items::last_portion(bed)?;
    bed.at_source(&format!(r#"SELECT "TEST"."MOVE_SLOT"({last})"#))?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}

fn a_released_portion_is_not_taken_for_an_empty_one(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let applied = items::applied(bed)?;
    let mut lock = stop_before_rows(bed)?;
    let last = items::last_portion(bed)?;
    bed.at_source(&format!(r#"SELECT "TEST"."RELEASE"({last})"#))?;
    lock.batch_execute("COMMIT")?;
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    assert_eq!(items::applied(bed)?, applied);
    let rows = "SELECT count(*) FROM app.items";
    assert_eq!(
        items::number(&mut bed.shard(0)?, rows)?,
        1000,
        "nothing was deleted"
    );
    items::call(bed, "SELECT orapull.adopt('main', force => true)")?;
    items::table_becomes(bed, "needs_resync")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)
}

fn rows_hidden_by_a_new_shape_are_not_deleted(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let sql = r#"SELECT pg_get_viewdef('"ORAPULL"."PULL_1"'::regclass)"#;
    let view = items::text(&mut bed.source()?, sql)?;
    let view = view.trim_end_matches(';');
    // A row-level policy that came between two turns: rows are hidden, and SHAPE is another one.
    let mut at_once = bed.source()?;
    at_once.batch_execute(&format!(
        r#"BEGIN;
           CREATE OR REPLACE VIEW "ORAPULL"."PULL_1" AS {view} AND false;
           SELECT "TEST"."RESHAPE"('APP', 'ITEMS');
           UPDATE "APP"."ITEMS" SET "NAME" = 'changed';
           COMMIT"#
    ))?;
    bed.publish()?;
    // The refresh that follows makes PULL_1 anew, without the policy.
    items::is_equal_and_acked(bed)?;
    let deleted = "SELECT rows_deleted FROM orapull.tables";
    assert_eq!(items::number(&mut bed.shard(0)?, deleted)?, 0);
    Ok(())
}

fn tables_come_and_go_while_portions_flow(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(
        r#"CREATE TABLE "APP"."OTHERS" ("ID" numeric(10) PRIMARY KEY, "N" numeric(10));
           SELECT "TEST"."ADD_ROWID"('APP', 'OTHERS');
           SELECT "TEST"."CAPTURE"('APP', 'OTHERS');
           INSERT INTO "APP"."OTHERS" SELECT i, 0 FROM generate_series(1, 500) AS i"#,
    )?;
    let publisher = workload::publisher(&bed.source, crate::bed::SOURCE_DATABASE)?;
    let changing = keep_changing(bed)?;
    for round in 0..3 {
        bed.add_table(0, "APP.OTHERS", "")?;
        following(bed, "app.others")?;
        items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
        items::table_becomes(bed, "paused")?;
        let seen = changing.done();
        bed.eventually("changes go on", SOON, || Ok(changing.done() > seen + 20))?;
        items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
        following(bed, "app.items")?;
        if round < 2 {
            items::call(bed, "SELECT orapull.drop_table('app.others')")?;
            bed.eventually("the table is forgotten", SOON, || {
                let sql = "SELECT count(*) FROM orapull.tables";
                Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
            })?;
            items::call(bed, "DROP TABLE app.others")?;
        }
    }
    changing.stop()?;
    publisher.stop()?;
    bed.catch_up(0)?;
    bed.identical(0, &others::OTHERS)?;
    bed.identical(0, &ITEMS)?;
    Ok(())
}

fn following(bed: &Bed, relation: &str) -> Result<()> {
    bed.eventually(&format!("{relation} is followed"), SOON, || {
        let found = bed.shard(0)?.query_opt(
            "SELECT FROM orapull.tables WHERE relation = $1::text::regclass AND state = 'following'",
            &[&relation],
        )?;
        Ok(found.is_some())
    })
}

/// Changes rows of both tables, each change in a transaction of its own.
fn keep_changing(bed: &Bed) -> Result<Background> {
    let mut client = bed.source()?;
    let mut turn = 0_i32;
    Ok(Background::repeat(move || {
        turn += 1;
        client.execute(
            r#"UPDATE "APP"."ITEMS" SET "NAME" = 'turn ' || $1::int WHERE "ID" % 100 = $1 % 100"#,
            &[&turn],
        )?;
        client.execute(
            r#"UPDATE "APP"."OTHERS" SET "N" = $1::int WHERE "ID" % 50 = $1 % 50"#,
            &[&turn],
        )?;
        client.execute(
            r#"DELETE FROM "APP"."OTHERS" WHERE "ID" = $1::int % 500"#,
            &[&turn],
        )?;
        std::thread::sleep(std::time::Duration::from_millis(10));
        Ok(1)
    }))
}

/// The first turn that sees the table sees the portion too.
fn what_is_published_after_a_table_was_added_is_held(bed: &Bed) -> Result<()> {
    items::create(bed, 100)?;
    bed.create_source(0)?;
    items::source_becomes(bed, "RUNNING")?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    // Its rows are brought, so no load covers what is skipped.
    bed.add_table(0, "APP.ITEMS", "load => 'none'")?;
    items::change(bed)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    bed.eventually("everything is applied", SOON, || {
        Ok(items::applied(bed)? == items::last_portion(bed)?)
    })?;
    let held = "SELECT held FROM orapull.tables";
    assert!(items::number(&mut bed.shard(0)?, held)? > 0);
    Ok(())
}

fn a_request_that_was_dropped_is_asked_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    bed.eventually("everything is held", SOON, || {
        Ok(items::applied(bed)? == items::last_portion(bed)?)
    })?;
    let mut lock = bed.source()?;
    lock.batch_execute(r#"BEGIN; LOCK TABLE "APP"."ITEMS""#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::reading_waits_at_the_source(bed)?;
    // Rows of a request that is gone would all look deleted.
    bed.at_source(
        r#"DELETE FROM "ORAPULL"."REQUEST"; DELETE FROM "ORAPULL"."POINTER" WHERE "P$SLOT" = 0"#,
    )?;
    lock.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)
}
