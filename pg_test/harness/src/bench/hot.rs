//! Rows that change again and again: many pointers to few rows, against as many pointers to distinct rows.

use anyhow::{Context, Result};

use super::ground::{self, Stopwatch};
use super::{median, order};
use crate::args::BenchArguments;
use crate::bed::Bed;
use crate::compare::Pair;
use crate::world::World;

const PORTIONS: i32 = 100;

struct Kind {
    name: &'static str,
    /// Called with the number of pointers and that of portions.
    publish: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        name: "hot",
        publish: r#"SELECT "TEST"."BENCH_TOUCH_AGAIN"($1::int / $2::int, $2)"#,
    },
    Kind {
        name: "distinct",
        publish: r#"SELECT "TEST"."BENCH_TOUCH"($1, $2)"#,
    },
];

const BENCH: Pair = Pair {
    owner: "APP",
    table: "BENCH",
    relation: "app.bench",
    filter: None,
};

pub fn run(options: &BenchArguments) -> Result<bool> {
    // As many pointers as there are rows, a whole number in each portion.
    let rows = (options.rows / PORTIONS).max(PORTIONS) * PORTIONS;
    let world = World::create()?;
    println!("preparing a table of {rows} rows at the source and at the shard");
    let bed = ground::start(&world, rows)?;
    ground::follow(&bed)?;
    let mut seconds = vec![Vec::new(); KINDS.len()];
    for round in 0..options.rounds.max(1) {
        println!(
            "round {}: {rows} pointers in {PORTIONS} portions",
            round + 1
        );
        for number in order(KINDS.len(), round) {
            seconds[number].push(measure(&bed, &KINDS[number], rows)?);
        }
        bed.identical(0, &BENCH)?;
    }
    let medians: Vec<f64> = seconds.into_iter().map(median).collect();
    println!("bench hot: {:.1} times faster", medians[1] / medians[0]);
    Ok(true)
}

/// Seconds until everything is applied and acked.
fn measure(bed: &Bed, kind: &Kind, rows: i32) -> Result<f64> {
    ground::pause(bed)?;
    bed.source()?
        .execute(kind.publish, &[&rows, &PORTIONS])
        .with_context(|| format!("{} failed", kind.publish))?;
    bed.shard(0)?.batch_execute("VACUUM (ANALYZE) app.bench")?;
    ground::checkpoint(bed)?;
    let before = last_batch(bed)?;
    let watch = Stopwatch::start(bed)?;
    ground::resume_and_pull(bed)?;
    let taken = watch.stop(bed)?;
    println!(
        "  {:<8} {:>6.2} s, {:.2} s of CPU; {}",
        kind.name,
        taken.seconds,
        taken.cpu,
        done_since(bed, before)?
    );
    Ok(taken.seconds)
}

fn last_batch(bed: &Bed) -> Result<i64> {
    let sql = "SELECT coalesce(max(batch_id), 0) FROM orapull.batch";
    Ok(bed.shard(0)?.query_one(sql, &[])?.get(0))
}

fn done_since(bed: &Bed, batch: i64) -> Result<String> {
    let sql = "SELECT format('%s rows read in %s batches, %s by the second hand: fetch %s s, apply %s s', sum(fetched), count(*),
                   count(*) FILTER (WHERE ahead), round(sum(fetch_ms)::numeric / 1000, 2), round(sum(apply_ms)::numeric / 1000, 2))
               FROM orapull.batch WHERE batch_id > $1";
    Ok(bed.shard(0)?.query_one(sql, &[&batch])?.get(0))
}
