//! What operators do with sources and tables, and what tables do by themselves.

use anyhow::{Context, Result, anyhow, bail};
use postgres::error::SqlState;

use super::items::{self, SOON};
use super::{Scenario, others, scenario};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "states/a_paused_table_holds_what_changes",
        a_paused_table_holds_what_changes,
    ),
    scenario(
        "states/a_paused_source_reads_nothing",
        a_paused_source_reads_nothing,
    ),
    scenario(
        "states/a_dropped_table_can_be_added_again",
        a_dropped_table_can_be_added_again,
    ),
    scenario(
        "states/an_added_column_is_taken_up",
        an_added_column_is_taken_up,
    ),
    scenario(
        "states/a_dropped_column_pauses_its_table_only",
        a_dropped_column_pauses_its_table_only,
    ),
    scenario(
        "states/a_lock_pauses_its_table_only",
        a_lock_pauses_its_table_only,
    ),
    scenario(
        "states/a_deadlock_is_tried_again",
        a_deadlock_is_tried_again,
    ),
    scenario(
        "states/too_many_held_rows_wait_for_a_load",
        too_many_held_rows_wait_for_a_load,
    ),
    scenario(
        "states/a_source_that_cannot_publish_is_told",
        a_source_that_cannot_publish_is_told,
    ),
    scenario(
        "states/what_waits_is_counted_and_its_age_told",
        what_waits_is_counted_and_its_age_told,
    ),
    scenario(
        "states/waiting_that_could_not_end_is_refused",
        waiting_that_could_not_end_is_refused,
    ),
];

fn held(bed: &Bed) -> Result<i64> {
    let sql = "SELECT held FROM orapull.tables WHERE relation = 'app.items'::regclass";
    items::number(&mut bed.shard(0)?, sql)
}

fn reason(bed: &Bed) -> Result<String> {
    let sql = "SELECT reason FROM orapull.tables WHERE relation = 'app.items'::regclass";
    items::text(&mut bed.shard(0)?, sql)
}

fn pause_items(bed: &Bed) -> Result<()> {
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")
}

fn resume_items(bed: &Bed) -> Result<()> {
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")
}

fn a_paused_table_holds_what_changes(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    pause_items(bed)?;
    items::change(bed)?;
    others::go_on(bed)?;
    let first = held(bed)?;
    assert!(first > 0);
    // The same rows again are not held twice.
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'again' WHERE "ID" % 3 = 0"#)?;
    bed.publish()?;
    others::go_on(bed)?;
    assert!(held(bed)? <= first + 10, "{first} and then {}", held(bed)?);
    resume_items(bed)?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(held(bed)?, 0);
    Ok(())
}

fn a_paused_source_reads_nothing(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    let applied = items::applied(bed)?;
    items::change(bed)?;
    let waited = bed
        .owner(0)?
        .execute("SELECT orapull.pull_now('main', '1 second')", &[]);
    assert!(waited.is_err(), "nothing comes while it is paused");
    assert_eq!(items::applied(bed)?, applied);
    bed.crash_shard(0)?;
    items::source_becomes(bed, "PAUSED")?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::is_equal_and_acked(bed)
}

fn a_dropped_table_can_be_added_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    pause_items(bed)?;
    items::change(bed)?;
    bed.eventually("rows are held", SOON, || Ok(held(bed)? > 0))?;
    items::call(bed, "SELECT orapull.drop_table('app.items')")?;
    bed.eventually("the table is forgotten", SOON, || {
        Ok(items::kept_of_tables(bed)? == 0)
    })?;
    items::change(bed)?;
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items', load => 'replace'")?;
    items::is_equal_and_acked(bed)
}

/// Tells the shard that the table was altered, as the source does in a portion.
fn alter(bed: &Bed, change: &str) -> Result<()> {
    bed.at_source(&format!(
        r#"SELECT "TEST"."PUBLISH_COMMITTED"();
           SELECT "TEST"."ALTER"('APP', 'ITEMS', '{change}');
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'ALTER TABLE');
           SELECT "TEST"."PUBLISH"()"#
    ))
}

fn an_added_column_is_taken_up(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "ALTER TABLE app.items ADD COLUMN extra numeric(5)")?;
    alter(bed, r#"ADD COLUMN "EXTRA" numeric(5)"#)?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "EXTRA" = "ID" % 7 WHERE "ID" > 500"#)?;
    items::is_equal_and_acked(bed)?;
    let filled = "SELECT count(*) FROM app.items WHERE extra IS NOT NULL";
    assert_eq!(items::number(&mut bed.shard(0)?, filled)?, 500);
    Ok(())
}

fn a_dropped_column_pauses_its_table_only(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" <= 10"#)?;
    alter(bed, r#"DROP COLUMN "NAME""#)?;
    bed.at_source(r#"DELETE FROM "APP"."ITEMS" WHERE "ID" BETWEEN 11 AND 20"#)?;
    bed.publish()?;
    items::table_becomes(bed, "paused")?;
    assert!(
        reason(bed)?.contains("column name is gone"),
        "{}",
        reason(bed)?
    );
    others::go_on(bed)?;
    for _ in 0..3 {
        bed.at_source(
            r#"SELECT "TEST"."POINT"('APP', 'ITEMS', 'D', p_note => 'again');
               SELECT "TEST"."PUBLISH"()"#,
        )?;
        others::go_on(bed)?;
    }
    assert!(held(bed)? >= 10, "nothing is lost meanwhile");
    let told = "SELECT count(*) FROM orapull.events WHERE what LIKE '%is paused%'";
    assert_eq!(
        items::number(&mut bed.shard(0)?, told)?,
        1,
        "it is told once"
    );
    Ok(())
}

fn a_lock_pauses_its_table_only(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    others::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    let mut lock = items::hold(bed, "LOCK TABLE app.items IN SHARE MODE")?;
    let pid = items::number(&mut lock, "SELECT pg_backend_pid()::bigint")?;
    items::change(bed)?;
    items::table_becomes(bed, "paused")?;
    let reason = reason(bed)?;
    assert!(reason.contains(&format!("process {pid}")), "{reason}");
    others::go_on(bed)?;
    lock.batch_execute("COMMIT")?;
    // It resumes by itself.
    items::is_equal_and_acked(bed)
}

fn a_deadlock_is_tried_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    // The puller writes the first row, and waits for the second. Meanwhile another session, which has the third, wants
    // the first. It is the puller that finds the deadlock.
    let mut second = items::hold(bed, "SELECT FROM app.items WHERE id = 2 FOR UPDATE")?;
    let mut third = items::hold(bed, "SELECT FROM app.items WHERE id = 3 FOR UPDATE")?;
    third.batch_execute("SET LOCAL deadlock_timeout = '10min'")?;
    let pid = items::number(&mut third, "SELECT pg_backend_pid()::bigint")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" <= 3"#)?;
    bed.publish()?;
    items::worker_waits_for_a_lock(bed)?;
    let other = std::thread::spawn(move || {
        third.batch_execute("SELECT FROM app.items WHERE id = 1 FOR UPDATE; COMMIT")
    });
    bed.eventually("the other session waits for the first", SOON, || {
        let sql = format!("SELECT cardinality(pg_blocking_pids({pid}))::bigint");
        Ok(items::number(&mut bed.shard(0)?, &sql)? == 1)
    })?;
    second.batch_execute("COMMIT")?;
    other
        .join()
        .map_err(|_| anyhow!("the other session panicked"))?
        .context("the deadlock was the other session's")?;
    items::is_equal_and_acked(bed)?;
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    bed.eventually("there was a deadlock", SOON, || {
        Ok(items::number(&mut bed.shard(0)?, deadlocks)? == 1)
    })?;
    let paused = "SELECT count(*) FROM orapull.events WHERE what LIKE '%is paused%'";
    assert_eq!(items::number(&mut bed.shard(0)?, paused)?, 0);
    Ok(())
}

fn waiting_that_could_not_end_is_refused(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let mut owner = bed.owner(0)?;
    let too_late = "SELECT orapull.wait_for('main', 1::bigint << 60, '200ms')";
    let wrong_state = SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE;
    refused(&mut owner, too_late, &SqlState::QUERY_CANCELED)?;
    let written = "BEGIN; CREATE TABLE app.mine (i int); SELECT orapull.pull_now('main')";
    refused(&mut owner, written, &wrong_state)?;
    let old_snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT orapull.wait_for('main', 1)";
    refused(&mut owner, old_snapshot, &wrong_state)
}

fn refused(client: &mut postgres::Client, sql: &str, expected: &SqlState) -> Result<()> {
    let result = client.batch_execute(sql);
    client.batch_execute("ROLLBACK")?;
    match result {
        Ok(()) => bail!("not refused: {sql}"),
        Err(error) if error.code() == Some(expected) => Ok(()),
        Err(error) => bail!("{sql}: {error:?}"),
    }
}

/// Also when an operator has paused the table: nobody may look at it for weeks.
fn too_many_held_rows_wait_for_a_load(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.max_held_rows", Some("1000"))?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'all'; INSERT INTO "APP"."ITEMS" VALUES (5000, 'one more')"#)?;
    bed.publish()?;
    items::table_becomes(bed, "needs_resync")?;
    let held = "SELECT held FROM orapull.tables";
    assert_eq!(items::number(&mut bed.shard(0)?, held)?, 0);
    items::call(
        bed,
        "SELECT orapull.resync('app.items'), orapull.resume('main', 'app.items')",
    )?;
    items::is_equal_and_acked(bed)
}

fn a_source_that_cannot_publish_is_told(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let told = "SELECT concat_ws(' | ', state, sqlstate, message, hint) FROM orapull.status";
    bed.at_source(
        r#"SELECT "TEST"."SET"('STATE', 'GAP'), "TEST"."SET"('STATE_DETAIL', 'thread 1 sequence 7 was deleted')"#,
    )?;
    bed.eventually("the gap is told", SOON, || {
        Ok(items::text(&mut bed.shard(0)?, told)?
            == "RUNNING | the source is in state GAP: thread 1 sequence 7 was deleted | \
                Mend it at the source; what it has published is applied meanwhile.")
    })?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    bed.at_source(r#"SELECT "TEST"."UNSET"()"#)?;
    bed.eventually("all is well", SOON, || {
        Ok(items::text(&mut bed.shard(0)?, told)? == "RUNNING")
    })
}

fn what_waits_is_counted_and_its_age_told(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let lag = "SELECT concat_ws(' ', lag_portions, lag_pointers > 0, lag_scn > 0, lag_seconds BETWEEN 2 AND 30)
               FROM orapull.status";
    // Nothing can be written, and the source is looked at again.
    items::set(bed, "orapull.lock_timeout", Some("200ms"))?;
    let mut held = items::hold(bed, "SELECT FROM orapull.progress FOR UPDATE")?;
    items::change(bed)?;
    std::thread::sleep(std::time::Duration::from_secs(2));
    items::change(bed)?;
    bed.eventually("two portions wait", SOON, || {
        Ok(items::text(&mut bed.shard(0)?, lag)? == "2 t t t")
    })?;
    held.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    bed.eventually("nothing waits", SOON, || {
        Ok(items::text(
            &mut bed.shard(0)?,
            "SELECT concat_ws(' ', lag_portions, lag_pointers, lag_seconds) FROM orapull.status",
        )? == "0 0 0")
    })
}
