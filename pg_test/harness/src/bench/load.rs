//! First loads, with one loader and with several, against a plain INSERT ... SELECT from the same foreign table.

use anyhow::{Context, Result, bail};

use super::ground::{self, LONG, Stopwatch};
use super::{median, order};
use crate::args::BenchArguments;
use crate::bed::Bed;
use crate::world::World;

const SEVERAL: usize = 4;

/// Loaders; none: the plain statement.
const WAYS: [(&str, usize); 3] = [("one", 1), ("several", SEVERAL), ("plain", 0)];

pub fn run(options: &BenchArguments) -> Result<bool> {
    let world = World::create()?;
    println!("preparing a table of {} rows at the source", options.rows);
    let bed = ground::start(&world, options.rows)?;
    set_loaders(&bed, 0)?;
    let mut rates = vec![Vec::new(); WAYS.len()];
    for round in 0..options.rounds.max(1) {
        println!("round {}", round + 1);
        for number in order(WAYS.len(), round) {
            let (name, loaders) = WAYS[number];
            let seconds = measure(&bed, name, loaders, options.rows)?;
            rates[number].push(f64::from(options.rows) / seconds);
        }
    }
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    println!(
        "bench load: one {:.2} several {:.2}",
        medians[0] / medians[2],
        medians[1] / medians[2]
    );
    Ok(true)
}

/// Seconds until all rows are in, from a load that is planned and waits for its first loader.
fn measure(bed: &Bed, name: &str, loaders: usize, rows: i32) -> Result<f64> {
    plan(bed)?;
    ground::checkpoint(bed)?;
    let watch = Stopwatch::start(bed)?;
    if loaders == 0 {
        plain(bed)?;
    } else {
        set_loaders(bed, loaders)?;
        all_chunks_are_in(bed)?;
    }
    let taken = watch.stop(bed)?;
    println!(
        "  {name:<8} {:>9.0} rows/s ({:.1} s, {:.1} s of CPU)",
        f64::from(rows) / taken.seconds,
        taken.seconds,
        taken.cpu
    );
    set_loaders(bed, 0)?;
    let sql = "SELECT count(*) FROM app.bench";
    let loaded: i64 = bed.shard(0)?.query_one(sql, &[])?.get(0);
    if loaded != i64::from(rows) {
        bail!("{loaded} rows are in the shard, not {rows}");
    }
    forget(bed)?;
    Ok(taken.seconds)
}

/// Has the table followed, as far as the plan of its first load.
fn plan(bed: &Bed) -> Result<()> {
    bed.add_table(0, "APP.BENCH", "")?;
    let mut shard = bed.shard(0)?;
    bed.eventually("the load is planned", LONG, || {
        bed.publish()?;
        let sql = "SELECT coalesce(bool_and(plan_id IS NOT NULL), false) FROM orapull.target_state";
        Ok(shard.query_one(sql, &[])?.get(0))
    })
}

fn all_chunks_are_in(bed: &Bed) -> Result<()> {
    let mut shard = bed.shard(0)?;
    bed.eventually("all chunks are in", LONG, || {
        let sql = "SELECT bool_and(applied_scn IS NOT NULL) FROM orapull.load_chunk";
        Ok(shard.query_one(sql, &[])?.get(0))
    })
}

/// All ranges of the plan by one statement, as the owner, into the same empty table.
fn plain(bed: &Bed) -> Result<()> {
    let sql = "SELECT format('INSERT INTO app.bench SELECT %s FROM %I.%I WHERE \"p$plan\" = %s',
                          (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                           WHERE attrelid = t.relation AND attnum > 0 AND NOT attisdropped),
                          s.local_schema, 'load_' || x.remote_id, x.plan_id)
               FROM orapull.source AS s JOIN orapull.target AS t USING (source_id) JOIN orapull.target_state AS x USING (target_id)";
    let insert: String = bed.shard(0)?.query_one(sql, &[])?.get(0);
    bed.owner(0)?
        .batch_execute(&insert)
        .with_context(|| insert.clone())
}

/// The shard as it was before the table was added.
fn forget(bed: &Bed) -> Result<()> {
    let mut shard = bed.shard(0)?;
    bed.owner(0)?
        .execute("SELECT orapull.drop_table('app.bench')", &[])?;
    bed.eventually("the table is not followed any more", LONG, || {
        bed.publish()?;
        let sql = "SELECT NOT EXISTS (SELECT FROM orapull.target)";
        Ok(shard.query_one(sql, &[])?.get(0))
    })?;
    shard.batch_execute("DROP TABLE app.bench")?;
    Ok(())
}

fn set_loaders(bed: &Bed, loaders: usize) -> Result<()> {
    let mut shard = bed.shard(0)?;
    shard.batch_execute(&format!(
        "ALTER SYSTEM SET orapull.load_workers = {loaders}"
    ))?;
    shard.batch_execute("SELECT pg_reload_conf()")?;
    Ok(())
}
