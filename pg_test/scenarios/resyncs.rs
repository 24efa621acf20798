//! Loading a table again: the shard becomes equal whatever it had before.

use anyhow::Result;

use super::items::{self, ITEMS, SOON};
use super::loads::{self, IN, chunks};
use super::{Scenario, scenario};
use super::{released, steps};
use crate::bed::Bed;

pub const SCENARIOS: &[Scenario] = &[
    scenario(
        "resyncs/replace_deletes_what_is_only_here",
        replace_deletes_what_is_only_here,
    ),
    scenario(
        "resyncs/an_empty_text_is_no_key_of_the_source",
        an_empty_text_is_no_key_of_the_source,
    ),
    scenario(
        "resyncs/a_resync_mends_any_difference",
        a_resync_mends_any_difference,
    ),
    scenario(
        "resyncs/a_truncated_table_is_followed_on",
        a_truncated_table_is_followed_on,
    ),
    scenario(
        "resyncs/what_cannot_be_located_needs_a_resync",
        what_cannot_be_located_needs_a_resync,
    ),
    scenario(
        "resyncs/a_restart_takes_back_what_was_not_mined",
        a_restart_takes_back_what_was_not_mined,
    ),
    scenario(
        "resyncs/a_restart_takes_back_what_was_asked",
        a_restart_takes_back_what_was_asked,
    ),
    scenario(
        "resyncs/a_restart_takes_back_what_a_chunk_has_just_read",
        a_restart_takes_back_what_a_chunk_has_just_read,
    ),
    scenario(
        "resyncs/a_restart_takes_back_what_a_request_has_just_read",
        a_restart_takes_back_what_a_request_has_just_read,
    ),
    scenario(
        "resyncs/a_pause_does_not_end_a_resync",
        a_pause_does_not_end_a_resync,
    ),
];

fn replace_deletes_what_is_only_here(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.create_source(0)?;
    let mut owner = bed.owner(0)?;
    owner.batch_execute(
        "CREATE TABLE app.items (id numeric(10) PRIMARY KEY, name varchar(40));
         INSERT INTO app.items SELECT i, 'item ' || i FROM generate_series(1, 900) i;
         UPDATE app.items SET name = 'other' WHERE id <= 10;
         INSERT INTO app.items SELECT i, 'only here' FROM generate_series(2001, 2050) i",
    )?;
    let written = "SELECT xmin::text FROM app.items WHERE id = 500";
    let before = items::text(&mut owner, written)?;
    let refused = bed.add_table(0, "APP.ITEMS", "relation => 'app.items'");
    assert!(
        refused.is_err(),
        "a table with rows is not loaded by itself"
    );
    bed.add_table(0, "APP.ITEMS", "relation => 'app.items', load => 'replace'")?;
    items::is_equal_and_acked(bed)?;
    let deleted = "SELECT rows_deleted FROM orapull.tables";
    assert_eq!(items::number(&mut bed.shard(0)?, deleted)?, 50);
    assert_eq!(
        items::text(&mut owner, written)?,
        before,
        "an equal row is not written"
    );
    Ok(())
}

/// To Oracle, an empty text is NULL: there is no such key, and it cannot be asked for.
fn an_empty_text_is_no_key_of_the_source(bed: &Bed) -> Result<()> {
    steps::captured_table(
        bed,
        "CODES",
        r#""CODE" varchar(9), "N" numeric(9), PRIMARY KEY ("CODE", "N")"#,
        "SELECT 'c' || i, i FROM generate_series(1, 10) AS i",
    )?;
    bed.create_source(0)?;
    steps::at_shard(
        bed,
        "CREATE TABLE app.codes (code text, n numeric(9), PRIMARY KEY (code, n));
         INSERT INTO app.codes VALUES ('', 1), ('', 2), ('c1', 1), ('only here', 3)",
    )?;
    bed.add_table(0, "APP.CODES", "relation => 'app.codes', load => 'replace'")?;
    bed.catch_up(0)?;
    assert_eq!(bed.identical(0, &steps::pair("CODES", "app.codes"))?, 10);
    Ok(())
}

/// Rows of the shard that differ from the source in every way.
fn spoil(bed: &Bed) -> Result<()> {
    items::call(
        bed,
        "DELETE FROM app.items WHERE id % 10 = 1;
         UPDATE app.items SET name = 'spoilt' WHERE id % 10 = 2;
         INSERT INTO app.items SELECT i, 'only here' FROM generate_series(5001, 5100) i ON CONFLICT DO NOTHING",
    )
}

fn a_resync_mends_any_difference(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    for generation in 2..=3 {
        spoil(bed)?;
        items::call(bed, "SELECT orapull.resync('app.items')")?;
        items::change(bed)?;
        resynced(bed, generation)?;
        items::is_equal_and_acked(bed)?;
    }
    // Wished twice at once: one load, begun after the last wish, is enough.
    spoil(bed)?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    resynced(bed, 4)?;
    items::is_equal_and_acked(bed)
}

/// Waits until a load of at least this generation has begun: until then the table may still look followed.
pub fn resynced(bed: &Bed, generation: i64) -> Result<()> {
    bed.eventually("a load has begun", SOON, || {
        let sql = "SELECT max(generation) FROM orapull.target_state";
        Ok(items::number(&mut bed.shard(0)?, sql)? >= generation)
    })
}

fn a_truncated_table_is_followed_on(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(
        r#"UPDATE "APP"."ITEMS" SET "NAME" = 'before' WHERE "ID" < 100;
           TRUNCATE "APP"."ITEMS";
           INSERT INTO "APP"."ITEMS" VALUES (1, 'again'), (3000, 'new')"#,
    )?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 2);
    // Paused, nobody knows any more which of the held rows are gone.
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    bed.at_source(r#"TRUNCATE "APP"."ITEMS"; INSERT INTO "APP"."ITEMS" VALUES (4, 'four')"#)?;
    bed.publish()?;
    items::table_becomes(bed, "needs_resync")?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 1);
    Ok(())
}

fn what_cannot_be_located_needs_a_resync(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    // An unrecoverable load: rows change, and nothing says which.
    bed.at_source(
        r#"SET session_replication_role = replica;
           UPDATE "APP"."ITEMS" SET "NAME" = 'loaded' WHERE "ID" % 5 = 0;
           DELETE FROM "APP"."ITEMS" WHERE "ID" % 5 = 1;
           SELECT "TEST"."POINT"('APP', 'ITEMS', 'U', p_note => 'direct load without redo');
           SELECT "TEST"."PUBLISH"()"#,
    )?;
    let incomplete = "SELECT incomplete FROM orapull.tables";
    bed.eventually("the table is incomplete", SOON, || {
        let reason = items::text(&mut bed.shard(0)?, incomplete)?;
        Ok(reason.contains("direct load without redo"))
    })?;
    items::table_becomes(bed, "following")?;
    items::change(bed)?;
    bed.catch_up(0)?;
    assert_ne!(
        items::text(&mut bed.shard(0)?, incomplete)?,
        "",
        "only a load mends it"
    );
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    resynced(bed, 2)?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(items::text(&mut bed.shard(0)?, incomplete)?, "");
    Ok(())
}

fn a_restart_takes_back_what_was_not_mined(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    // Not published from here on: the source does not mine past what the chunks read.
    bed.at_source(
        r#"SET session_replication_role = replica;
           INSERT INTO "APP"."ITEMS" VALUES (9000, 'not yet safe');
           UPDATE "APP"."ITEMS" SET "NAME" = 'not yet safe' WHERE "ID" = 5"#,
    )?;
    items::set(bed, "orapull.load_workers", Some("2"))?;
    bed.eventually("all chunks are in", SOON, || {
        Ok(chunks(bed, &format!("NOT ({IN})"))? == 0)
    })?;
    items::table_becomes(bed, "loading")?;
    // The crash takes the commit back, and the restart says so.
    bed.at_source(
        r#"SET session_replication_role = replica;
           DELETE FROM "APP"."ITEMS" WHERE "ID" = 9000;
           UPDATE "APP"."ITEMS" SET "NAME" = 'item 5' WHERE "ID" = 5;
           SELECT "TEST"."RESTART"()"#,
    )?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3000);
    Ok(())
}

fn a_restart_takes_back_what_was_asked(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = 'held' WHERE "ID" <= 10"#)?;
    bed.publish()?;
    items::call(bed, "SELECT orapull.pull_now('main')")?;
    // Not published from here on, as above.
    bed.at_source(
        r#"SET session_replication_role = replica;
           DELETE FROM "APP"."ITEMS" WHERE "ID" = 4;
           UPDATE "APP"."ITEMS" SET "NAME" = 'not yet safe' WHERE "ID" = 5"#,
    )?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    bed.eventually("what is not yet safe is here", SOON, || {
        let sql = "SELECT count(*) FROM app.items WHERE id = 4 OR name = 'not yet safe'";
        let asked = "SELECT count(*) FROM app.items WHERE name = 'not yet safe'";
        let mut shard = bed.shard(0)?;
        Ok(items::number(&mut shard, sql)? == 1 && items::number(&mut shard, asked)? == 1)
    })?;
    bed.at_source(
        r#"SET session_replication_role = replica;
           INSERT INTO "APP"."ITEMS" VALUES (4, 'held');
           UPDATE "APP"."ITEMS" SET "NAME" = 'held' WHERE "ID" = 5;
           SELECT "TEST"."RESTART"()"#,
    )?;
    items::is_equal_and_acked(bed)
}

/// Names that all rows have for a moment, until a crash takes their commit back.
const UNSAFE: &str = r#"UPDATE "APP"."ITEMS" SET "NAME" = 'not yet safe'"#;
const TAKEN_BACK: &str = r#"SET session_replication_role = replica;
    UPDATE "APP"."ITEMS" SET "NAME" = 'item ' || "ID"; SELECT "TEST"."RESTART"()"#;

/// The source crashes after rows were read and before it is asked for its SCN: what says when it was started then is of
/// the next instance.
fn a_restart_takes_back_what_a_chunk_has_just_read(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 1000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)?;
    bed.at_source(&format!("SET session_replication_role = replica; {UNSAFE}"))?;
    let mut rows = released::locked(bed, r#"LOCK TABLE "APP"."ITEMS""#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    items::reading_waits_at_the_source(bed)?;
    // A look that has begun sees the source as it was: the crash comes between two transactions of the loader, while it
    // waits for the commit of the first.
    items::no_standby_answers(bed)?;
    rows.batch_execute("COMMIT")?;
    bed.eventually("the chunk is read", SOON, || {
        let sql = "SELECT count(*) FROM pg_stat_activity
                   WHERE backend_type = 'orapull loader' AND query LIKE 'orapull: reading chunk %' AND wait_event = 'SyncRep'";
        Ok(items::number(&mut bed.shard(0)?, sql)? == 1)
    })?;
    bed.at_source(TAKEN_BACK)?;
    items::set(bed, "synchronous_standby_names", None)?;
    items::is_equal_and_acked(bed)
}

fn a_restart_takes_back_what_a_request_has_just_read(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    bed.at_source(r#"UPDATE "APP"."ITEMS" SET "NAME" = "NAME""#)?;
    bed.publish()?;
    steps::pull(bed)?;
    bed.at_source(&format!("SET session_replication_role = replica; {UNSAFE}"))?;
    let mut rows = released::locked(bed, r#"LOCK TABLE "APP"."ITEMS""#)?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::reading_waits_at_the_source(bed)?;
    let queued = released::queue_up(bed, &format!("{TAKEN_BACK}; COMMIT"))?;
    rows.batch_execute("COMMIT")?;
    released::came_to_turn(queued)?;
    items::is_equal_and_acked(bed)
}

fn a_pause_does_not_end_a_resync(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    spoil(bed)?;
    // Chunks are in and not done, because the source does not mine on.
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    resynced(bed, 2)?;
    bed.eventually("all chunks are in", SOON, || {
        Ok(chunks(bed, IN)? > 0 && chunks(bed, &format!("NOT ({IN})"))? == 0)
    })?;
    items::table_becomes(bed, "loading")?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::call(bed, "SELECT orapull.resume('main', 'app.items')")?;
    items::is_equal_and_acked(bed)
}
