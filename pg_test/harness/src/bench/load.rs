//! First loads, with one loader and with several, against a plain INSERT ... SELECT from the same foreign table.

use anyhow::{Context, Result, bail};

use super::ground::{self, LONG, Stopwatch};
use super::{median, order};
use crate::args::BenchArguments;
use crate::bed::Bed;
use crate::world::World;

struct Way {
    name: &'static str,
    /// None: the plain statement.
    loaders: usize,
    /// The secondary indexes are made after the rows are in.
    indexed_last: bool,
}

const WAYS: [Way; 5] = [
    way("one", 1, false),
    way("several", 4, false),
    way("plain", 0, false),
    way("one, indexed last", 1, true),
    way("several, indexed last", 4, true),
];
/// Those that differ when there are no secondary indexes.
const WITHOUT_INDEXES: usize = 3;

/// Secondary indexes that a target may have: of random values, of few values, of ascending values.
const INDEXES: [&str; 3] = ["v01", "region_id", "d01, n01"];

const fn way(name: &'static str, loaders: usize, indexed_last: bool) -> Way {
    Way {
        name,
        loaders,
        indexed_last,
    }
}

pub fn run(options: &BenchArguments) -> Result<bool> {
    let ways = if options.with_indexes {
        &WAYS[..]
    } else {
        &WAYS[..WITHOUT_INDEXES]
    };
    let world = World::create()?;
    println!("preparing a table of {} rows at the source", options.rows);
    let bed = ground::start(&world, options.rows)?;
    set_loaders(&bed, 0)?;
    let mut rates = vec![Vec::new(); ways.len()];
    for round in 0..options.rounds.max(1) {
        println!("round {}", round + 1);
        for number in order(ways.len(), round) {
            let seconds = measure(&bed, &ways[number], options)?;
            rates[number].push(f64::from(options.rows) / seconds);
        }
    }
    let medians: Vec<f64> = rates.into_iter().map(median).collect();
    if let [one, several, _, one_last, several_last] = medians[..] {
        println!(
            "indexed last: one {:.2} several {:.2} times faster",
            one_last / one,
            several_last / several
        );
    }
    println!(
        "bench load: one {:.2} several {:.2}",
        medians[0] / medians[2],
        medians[1] / medians[2]
    );
    Ok(true)
}

/// Seconds until all rows and indexes are in, from a load that is planned and waits for its first loader.
fn measure(bed: &Bed, way: &Way, options: &BenchArguments) -> Result<f64> {
    plan(bed)?;
    let columns: &[&str] = if options.with_indexes { &INDEXES } else { &[] };
    if !way.indexed_last {
        create_indexes(bed, columns)?;
    }
    ground::checkpoint(bed)?;
    let watch = Stopwatch::start(bed)?;
    if way.loaders == 0 {
        plain(bed)?;
    } else {
        set_loaders(bed, way.loaders)?;
        all_chunks_are_in(bed)?;
    }
    if way.indexed_last {
        create_indexes(bed, columns)?;
    }
    let taken = watch.stop(bed)?;
    println!(
        "  {:<22} {:>9.0} rows/s ({:.1} s, {:.1} s of CPU)",
        way.name,
        f64::from(options.rows) / taken.seconds,
        taken.seconds,
        taken.cpu
    );
    set_loaders(bed, 0)?;
    let sql = "SELECT count(*) FROM app.bench";
    let loaded: i64 = bed.shard(0)?.query_one(sql, &[])?.get(0);
    if loaded != i64::from(options.rows) {
        bail!("{loaded} rows are in the shard, not {}", options.rows);
    }
    forget(bed)?;
    Ok(taken.seconds)
}

fn create_indexes(bed: &Bed, columns: &[&str]) -> Result<()> {
    let mut owner = bed.owner(0)?;
    for columns in columns {
        owner.batch_execute(&format!("CREATE INDEX ON app.bench ({columns})"))?;
    }
    Ok(())
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
