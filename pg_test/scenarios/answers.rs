//! What functions and views answer, against what is known to have happened.

use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, anyhow};
use postgres::Client;

use super::items::{self, SOON};
use super::{Scenario, loads, scenario, steps};
use crate::bed::Bed;
use crate::cluster::Stop;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "answers/pull_now_counts_what_was_done",
        pull_now_counts_what_was_done,
    ),
    scenario(
        "answers/wait_for_waits_for_its_scn",
        wait_for_waits_for_its_scn,
    ),
    scenario("answers/compare_reads_a_share", compare_reads_a_share),
    scenario(
        "answers/a_load_tells_its_speed_and_end",
        a_load_tells_its_speed_and_end,
    ),
    scenario("answers/a_catch_up_tells_its_end", a_catch_up_tells_its_end),
    scenario(
        "answers/rows_that_are_equal_are_not_counted",
        rows_that_are_equal_are_not_counted,
    ),
    scenario(
        "answers/an_incomplete_table_is_loaded_again_if_wished",
        an_incomplete_table_is_loaded_again_if_wished,
    ),
    scenario(
        "answers/a_table_that_is_dropped_is_not_loaded_again",
        a_table_that_is_dropped_is_not_loaded_again,
    ),
    scenario(
        "answers/check_source_tells_what_fails",
        check_source_tells_what_fails,
    ),
];

/// Locks the table, so that nothing is applied until the session commits, and changes known rows.
fn held_up(bed: &Bed) -> Result<Client> {
    items::follow(bed)?;
    items::set(bed, "orapull.lock_timeout", Some("10min"))?;
    let lock = items::hold(bed, "LOCK TABLE app.items IN SHARE MODE")?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'changed' WHERE "ID" <= 3;
           UPDATE "APP"."ITEMS" SET "NAME" = "NAME" WHERE "ID" = 4;
           DELETE FROM "APP"."ITEMS" WHERE "ID" IN (5, 6);
           INSERT INTO "APP"."ITEMS" VALUES (2000, 'new')"#,
    )?;
    bed.publish()?;
    items::worker_waits_for_a_lock(bed)?;
    Ok(lock)
}

/// Runs something as the owner in a thread; returns once it waits for the puller.
fn waiting<T: Send + 'static>(
    bed: &Bed,
    work: impl FnOnce(&mut Client) -> Result<T> + Send + 'static,
) -> Result<JoinHandle<Result<T>>> {
    let mut owner = bed.owner(0)?;
    let pid = items::number(&mut owner, "SELECT pg_backend_pid()::bigint")?;
    let waiting = std::thread::spawn(move || work(&mut owner));
    bed.eventually("it waits", SOON, || {
        let sql = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE pid = {pid} AND state = 'active' AND wait_event_type = 'Extension'"
        );
        Ok(items::number(&mut bed.shard(0)?, &sql)? == 1)
    })?;
    Ok(waiting)
}

fn ended<T>(waiting: JoinHandle<Result<T>>) -> Result<T> {
    waiting
        .join()
        .map_err(|_| anyhow!("the session panicked"))?
}

fn pull_now_counts_what_was_done(bed: &Bed) -> Result<()> {
    let mut lock = held_up(bed)?;
    let pulling = waiting(bed, |owner| {
        let row = owner.query_one("SELECT * FROM orapull.pull_now('main')", &[])?;
        Ok((0..row.len())
            .map(|at| row.get::<_, Option<i64>>(at))
            .collect::<Vec<_>>())
    })?;
    lock.batch_execute("COMMIT")?;
    let last = items::last_portion(bed)?;
    // Portions, pointers, upserted, deleted, unchanged, held, parked.
    let expected = [last, last, 7, 4, 2, 1, 0, 0].map(Some);
    assert_eq!(ended(pulling)?, expected);
    let nothing = "SELECT count(*) FROM orapull.pull_now('main') WHERE portion_from IS NULL AND portion_to IS NULL AND pointers = 0";
    assert_eq!(items::number(&mut bed.owner(0)?, nothing)?, 1);
    Ok(())
}

fn wait_for_waits_for_its_scn(bed: &Bed) -> Result<()> {
    let mut lock = held_up(bed)?;
    let scn = items::number(
        &mut bed.source()?,
        r#"SELECT max("SCN_TO") FROM "ORAPULL"."PORTION""#,
    )?;
    let too_soon = format!("SELECT orapull.wait_for('main', {scn}, '500ms')");
    assert_eq!(steps::refusal(bed, &too_soon)?.0, "57014");
    let waits = waiting(bed, move |owner| {
        owner.execute("SELECT orapull.wait_for('main', $1)", &[&scn])?;
        items::number(
            owner,
            "SELECT count(*) FROM app.items WHERE name = 'changed'",
        )
    })?;
    std::thread::sleep(Duration::from_millis(500));
    assert!(!waits.is_finished(), "nothing is applied yet");
    lock.batch_execute("COMMIT")?;
    assert_eq!(ended(waits)?, 3, "what was committed up to the SCN is seen");
    Ok(())
}

/// Differences of a kind that compare() finds.
fn differences(bed: &Bed, kind: &str, sample: &str) -> Result<i64> {
    let sql = format!(
        "SELECT count(*) FROM orapull.compare('app.items', {sample}) WHERE difference = '{kind}'"
    );
    items::number(&mut bed.owner(0)?, &sql)
}

fn compare_reads_a_share(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 10_000)?;
    items::set(bed, "orapull.load_workers", None)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    bed.catch_up(0)?;
    assert_eq!(differences(bed, "missing", "1")?, 0);
    items::call(
        bed,
        "DELETE FROM app.items WHERE id % 100 = 0; INSERT INTO app.items VALUES (20000, 'extra')",
    )?;
    assert_eq!(differences(bed, "missing", "1")?, 100);
    assert_eq!(differences(bed, "extra", "1")?, 1);
    // 4 of 11 chunks.
    let found = differences(bed, "missing", "0.3")?;
    assert!((30..=45).contains(&found), "{found}");
    assert_eq!(differences(bed, "extra", "0.3")?, 0);
    for sample in ["0", "1.01", "'NaN'"] {
        let sql = format!("SELECT orapull.compare('app.items', {sample})");
        assert_eq!(steps::refusal(bed, &sql)?.0, "22023", "{sample}");
    }
    Ok(())
}

/// Whether the row of the table in orapull.tables is like this.
fn told(bed: &Bed, condition: &str) -> Result<bool> {
    steps::value(
        bed,
        &format!("SELECT coalesce(bool_and({condition}), false) FROM orapull.tables"),
    )
}

fn a_load_tells_its_speed_and_end(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 10_000)?;
    items::set(bed, "orapull.load_rows_per_second", Some("2000"))?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    assert!(told(
        bed,
        "state = 'loading' AND chunks_planned = 11 AND chunks_loaded = 0 AND load_end IS NULL AND load_rows_per_second IS NULL AND last_change_at IS NULL"
    )?);
    items::set(bed, "orapull.load_workers", None)?;
    bed.eventually("some chunks are in", SOON, || {
        told(bed, "chunks_loaded BETWEEN 7 AND 9")
    })?;
    assert!(told(
        bed,
        "load_rows_per_second BETWEEN 1000 AND 5000
         AND load_end BETWEEN clock_timestamp() AND clock_timestamp() + interval '20 seconds'"
    )?);
    items::is_equal_and_acked(bed)?;
    assert!(told(
        bed,
        "load_end IS NULL AND load_rows_per_second IS NULL AND chunks_loaded = 11 AND rows_upserted = 10000 AND rows_deleted = 0"
    )?);
    Ok(())
}

fn a_catch_up_tells_its_end(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::set(bed, "orapull.request_rows", Some("100"))?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'held'"#)?;
    bed.publish()?;
    bed.eventually("all are held", SOON, || {
        told(bed, "held = 1000 AND catch_up_end IS NULL")
    })?;
    bed.fault(0, r#""API"."ASK" * delay 1"#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    // A hundred rows a second, and less than half is left.
    bed.eventually("its end is told", SOON, || {
        told(
            bed,
            "state = 'catching_up' AND held BETWEEN 1 AND 500
             AND catch_up_end > clock_timestamp() AND catch_up_end < clock_timestamp() + interval '70 seconds'",
        )
    })?;
    bed.clear_faults(0)?;
    items::is_equal_and_acked(bed)?;
    assert!(told(bed, "catch_up_end IS NULL AND held = 0")?);
    Ok(())
}

fn rows_that_are_equal_are_not_counted(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    assert!(told(bed, "rows_upserted = 1000 AND rows_deleted = 0")?);
    let changed = "SELECT last_change_at::text FROM orapull.tables";
    let first: String = steps::value(bed, changed)?;
    let loads = "SELECT generation FROM orapull.target_state";
    let resync = || -> Result<()> {
        let before: i64 = steps::value(bed, loads)?;
        items::call(bed, "SELECT orapull.resync('app.items')")?;
        bed.eventually("it is loaded again", SOON, || {
            Ok(steps::value::<i64>(bed, loads)? > before)
        })?;
        items::is_equal_and_acked(bed)
    };
    resync()?;
    assert!(told(bed, "rows_upserted = 1000 AND rows_deleted = 0")?);
    assert_eq!(steps::value::<String>(bed, changed)?, first);
    items::call(
        bed,
        "DELETE FROM app.items WHERE id <= 2; INSERT INTO app.items VALUES (5000, 'only here')",
    )?;
    resync()?;
    assert!(told(bed, "rows_upserted = 1002 AND rows_deleted = 1")?);
    assert!(told(bed, &format!("last_change_at > '{first}'"))?);
    Ok(())
}

/// A change that no pointer tells, and the pointer that says so.
fn change_unseen(bed: &Bed) -> Result<()> {
    bed.at_source(
        r#"BEGIN; SET LOCAL session_replication_role = replica;
           UPDATE "APP"."ITEMS" SET "NAME" = "NAME" || '?' WHERE "ID" <= 10; COMMIT"#,
    )?;
    steps::publish(bed, &[("ITEMS", "'U', p_note => 'a change without redo'")])?;
    steps::pull(bed)
}

fn an_incomplete_table_is_loaded_again_if_wished(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    change_unseen(bed)?;
    bed.publish()?;
    steps::pull(bed)?;
    assert!(told(
        bed,
        "state = 'following' AND incomplete = 'a change without redo'"
    )?);
    assert!(
        bed.identical(0, &items::ITEMS).is_err(),
        "nothing is loaded by itself"
    );
    items::set(bed, "orapull.auto_resync", Some("on"))?;
    bed.eventually("the setting is read", SOON, || {
        change_unseen(bed)?;
        bed.publish()?;
        Ok(bed.identical(0, &items::ITEMS).is_ok())
    })?;
    items::is_equal_and_acked(bed)?;
    assert!(told(bed, "incomplete IS NULL")?);
    Ok(())
}

fn a_table_that_is_dropped_is_not_loaded_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.source.stop(Stop::Fast)?;
    items::call(bed, "SELECT orapull.drop_table('app.items')")?;
    let (code, message) = steps::refusal(bed, "SELECT orapull.resync('app.items')")?;
    assert!(
        code == "55000" && message.contains("is being dropped"),
        "{code} {message}"
    );
    bed.source.start()
}

/// What check_source finds wrong.
fn wrong(bed: &Bed) -> Result<Vec<String>> {
    let sql = r#"SELECT "check" || ': ' || found || ' -> ' || advice FROM orapull.check_source('main') WHERE NOT ok"#;
    let rows = bed.owner(0)?.query(sql, &[])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// What is done to the source, the check that fails, a part of what it tells, and how it is undone.
const BROKEN: [(&str, &str, &str, &str); 5] = [
    (
        r#"SELECT "TEST"."SET"('CONTRACT_VERSION', '99')"#,
        "contract version",
        "99",
        r#"SELECT "TEST"."UNSET"()"#,
    ),
    (
        r#"REVOKE SELECT ON "ORAPULL"."POINTER_V" FROM orapull_shard"#,
        "view POINTER_V",
        "GRANT orapull_shard",
        r#"GRANT SELECT ON "ORAPULL"."POINTER_V" TO orapull_shard"#,
    ),
    (
        r#"REVOKE EXECUTE ON FUNCTION "API"."DONE"(text, bigint, bigint) FROM orapull_shard"#,
        "package API",
        "GRANT orapull_shard",
        r#"GRANT EXECUTE ON FUNCTION "API"."DONE"(text, bigint, bigint) TO orapull_shard"#,
    ),
    (
        r#"REVOKE INSERT ON "ORAPULL"."ASK_V" FROM orapull_shard"#,
        "insert into ASK_V",
        "GRANT orapull_shard",
        r#"GRANT INSERT ON "ORAPULL"."ASK_V" TO orapull_shard"#,
    ),
    (
        r#"UPDATE "ORAPULL"."SHARD" SET "HOLDER" = 'somebody else'"#,
        "lease",
        "somebody else until 2",
        "",
    ),
];

fn check_source_tells_what_fails(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    assert_eq!(wrong(bed)?, Vec::<String>::new());
    let lease = r#"SELECT found FROM orapull.check_source('main') WHERE "check" = 'lease'"#;
    let found = items::text(&mut bed.owner(0)?, lease)?;
    assert!(found.starts_with("this source, until 2"), "{found}");
    // Nobody may be asking for the shard meanwhile.
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    for (spoil, check, told, mend) in BROKEN {
        bed.at_source(spoil)?;
        let wrong = wrong(bed)?;
        assert!(
            wrong.len() == 1
                && wrong[0].starts_with(&format!("{check}: "))
                && wrong[0].contains(told),
            "{spoil}: {wrong:?}"
        );
        bed.at_source(mend)?;
    }
    let asked = r#"SELECT (SELECT count(*) FROM "ORAPULL"."REQUEST") + (SELECT count(*) FROM "ORAPULL"."ASKED")"#;
    assert_eq!(
        items::number(&mut bed.source()?, asked)?,
        0,
        "a check leaves nothing at the source"
    );
    Ok(())
}
