//! Loads that have to begin anew: nothing of the one before counts, or stays.

use anyhow::{Context, Result};
use postgres::Client;

use super::items::{self, ITEMS, SOON};
use super::loads;
use super::{Scenario, scenario};
use crate::bed::{Bed, Tables};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "plans/shards_plan_the_same_table_apart",
        shards: 2,
        tables: Tables::None,
        run: shards_plan_the_same_table_apart,
    },
    scenario(
        "plans/a_plan_forgotten_during_a_turn_ends_no_load",
        a_plan_forgotten_during_a_turn_ends_no_load,
    ),
    scenario(
        "plans/a_chunk_of_one_plan_is_none_of_the_next",
        a_chunk_of_one_plan_is_none_of_the_next,
    ),
    scenario(
        "plans/a_truncate_while_the_table_cannot_be_emptied",
        a_truncate_while_the_table_cannot_be_emptied,
    ),
];

/// A load of several chunks that is planned; no loader runs yet.
fn planned(bed: &Bed) -> Result<()> {
    loads::many_chunks(bed, 3000)?;
    bed.add_table(0, "APP.ITEMS", "")?;
    loads::planned(bed)
}

/// A session of the source that locks a table.
fn lock(bed: &Bed, table: &str) -> Result<Client> {
    let mut session = bed.source()?;
    session
        .batch_execute(&format!("BEGIN; LOCK TABLE {table}"))
        .with_context(|| format!("cannot lock {table}"))?;
    Ok(session)
}

/// Waits until so many sessions of the shard's user wait for locks at the source.
fn waiting(bed: &Bed, sessions: i64) -> Result<()> {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shard1' AND wait_event_type = 'Lock'";
    bed.eventually(&format!("{sessions} wait at the source"), SOON, || {
        Ok(items::number(&mut bed.source()?, sql)? == sessions)
    })
}

/// Each has the plan that it made, whatever the other does with its own.
fn shards_plan_the_same_table_apart(bed: &Bed) -> Result<()> {
    planned(bed)?;
    bed.create_source(1)?;
    bed.add_table(1, "APP.ITEMS", "")?;
    bed.catch_up(1)?;
    assert_eq!(bed.identical(1, &ITEMS)?, 3000);
    let plans = r#"SELECT count(*) FROM "ORAPULL"."PLAN""#;
    assert_eq!(items::number(&mut bed.source()?, plans)?, 2);
    assert_eq!(loads::chunks(bed, loads::IN)?, 0);
    // The second one plans again, in the middle of the load of the first.
    items::set(bed, "orapull.load_rows_per_second", Some("2000"))?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is in", SOON, || {
        Ok(loads::chunks(bed, loads::IN)? > 0)
    })?;
    bed.owner(1)?
        .execute("SELECT orapull.resync('app.items')", &[])?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3000);
    bed.catch_up(1)?;
    assert_eq!(bed.identical(1, &ITEMS)?, 3000);
    Ok(())
}

fn a_plan_forgotten_during_a_turn_ends_no_load(bed: &Bed) -> Result<()> {
    planned(bed)?;
    // The loader stops as it reads a chunk, the puller as it looks at tables: it has read the plan by then.
    let mut chunk = lock(bed, r#""APP"."ITEMS""#)?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    waiting(bed, 1)?;
    let mut turn = lock(bed, r#""ORAPULL"."REGISTERED""#)?;
    waiting(bed, 2)?;
    bed.at_source(r#"DELETE FROM "ORAPULL"."PLAN""#)?;
    chunk.batch_execute("COMMIT")?;
    bed.eventually("the plan is forgotten", SOON, || {
        Ok(loads::chunks(bed, "true")? == 0)
    })?;
    turn.batch_execute("COMMIT")?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3000);
    Ok(())
}

fn a_chunk_of_one_plan_is_none_of_the_next(bed: &Bed) -> Result<()> {
    planned(bed)?;
    let mut state = items::hold(bed, "SELECT FROM orapull.target_state FOR UPDATE")?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is read and about to be applied", SOON, || {
        let sql = "SELECT FROM pg_stat_activity
                   WHERE backend_type = 'orapull loader' AND query LIKE '%applying a chunk%' AND wait_event_type = 'Lock'";
        Ok(bed.shard(0)?.query_opt(sql, &[])?.is_some())
    })?;
    // As another loader and the puller do: the plan is forgotten, and one of a single chunk is made.
    let row = bed.shard(0)?.query_one(
        "SELECT token, remote_id FROM orapull.progress, orapull.target_state",
        &[],
    )?;
    let (token, table): (i64, i64) = (row.get(0), row.get(1));
    let plan: i64 = bed
        .source()?
        .query_one(
            r#"SELECT "P_PLAN_ID" FROM "API"."PLAN_RANGES"('shard1', $1, $2, 1)"#,
            &[&token, &table],
        )?
        .get(0);
    state.batch_execute(&format!(
        "UPDATE orapull.target_state SET plan_id = {plan}, chunks = 1;
         DELETE FROM orapull.load_chunk;
         INSERT INTO orapull.load_chunk (target_id, generation, chunk)
         SELECT target_id, generation, 1 FROM orapull.target_state;
         COMMIT"
    ))?;
    items::is_equal_and_acked(bed)?;
    assert_eq!(bed.identical(0, &ITEMS)?, 3000);
    Ok(())
}

fn a_truncate_while_the_table_cannot_be_emptied(bed: &Bed) -> Result<()> {
    planned(bed)?;
    items::set(bed, "orapull.load_rows_per_second", Some("1000"))?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    bed.eventually("a chunk is in", SOON, || {
        Ok(loads::chunks(bed, loads::IN)? > 0)
    })?;
    items::set(bed, "orapull.load_workers", Some("0"))?;
    loads::loaders_become(bed, 0)?;
    assert!(items::number(&mut bed.shard(0)?, "SELECT count(*) FROM app.items")? > 0);
    items::call(bed, "ALTER TABLE app.items RENAME COLUMN id TO number")?;
    bed.at_source(
        r#"TRUNCATE "APP"."ITEMS"; INSERT INTO "APP"."ITEMS" VALUES (1, 'again'), (5000, 'new')"#,
    )?;
    bed.publish()?;
    bed.eventually("another load has begun", SOON, || {
        Ok(loads::chunks(bed, "generation = 2")? > 0)
    })?;
    items::call(bed, "ALTER TABLE app.items RENAME COLUMN number TO id")?;
    items::set(bed, "orapull.load_workers", Some("1"))?;
    items::is_equal_and_acked(bed)
}
