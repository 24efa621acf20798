//! A portion with one row that does not fit, against the same portion without it.

use anyhow::{Result, ensure};

use super::ground::{self, Stopwatch};
use super::{median, order};
use crate::args::BenchArguments;
use crate::bed::Bed;
use crate::world::World;

const ROWS: i32 = 10_000;

/// Where the row fails, and what makes it fail there and takes that back.
struct Kind {
    name: &'static str,
    at_source: [&'static str; 2],
    at_shard: [&'static str; 2],
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "none",
        at_source: ["", ""],
        at_shard: ["", ""],
    },
    Kind {
        name: "apply",
        at_source: ["", ""],
        at_shard: [
            "ALTER TABLE app.bench ADD CONSTRAINT fits CHECK (id <> 7000) NOT VALID",
            "ALTER TABLE app.bench DROP CONSTRAINT fits",
        ],
    },
    Kind {
        name: "fetch",
        at_source: [
            r#"UPDATE "APP"."BENCH" SET "V06" = 'longer than ten' WHERE "ID" = 7000"#,
            r#"UPDATE "APP"."BENCH" SET "V06" = 'B7000' WHERE "ID" = 7000"#,
        ],
        at_shard: ["", ""],
    },
];

pub fn run(options: &BenchArguments) -> Result<bool> {
    let world = World::create()?;
    println!("preparing a table of {ROWS} rows at the source and at the shard");
    let bed = ground::start(&world, ROWS)?;
    ground::follow(&bed)?;
    read_no_more_than_ten_letters(&bed)?;
    let mut cpu = vec![Vec::new(); KINDS.len()];
    for round in 0..options.rounds.max(1) {
        println!("round {}: one portion of {ROWS} pointers", round + 1);
        for number in order(KINDS.len(), round) {
            cpu[number].push(measure(&bed, &KINDS[number])?);
        }
    }
    let medians: Vec<f64> = cpu.into_iter().map(median).collect();
    println!(
        "bench poison: apply {:.1} fetch {:.1} times the CPU",
        medians[1] / medians[0],
        medians[2] / medians[0]
    );
    Ok(true)
}

/// A value that a column of the foreign table cannot hold fails when it is fetched.
fn read_no_more_than_ten_letters(bed: &Bed) -> Result<()> {
    let mut shard = bed.shard(0)?;
    let sql =
        "SELECT format('ALTER FOREIGN TABLE %s ALTER v06 TYPE varchar(10)', ftrelid::regclass)
               FROM pg_foreign_table WHERE ftrelid::regclass::text LIKE '%.pull_%'";
    let alter: String = shard.query_one(sql, &[])?.get(0);
    shard.batch_execute(&alter)?;
    Ok(())
}

/// Seconds of CPU until everything but the row is applied and acked: a portion is over too soon for the clock.
fn measure(bed: &Bed, kind: &Kind) -> Result<f64> {
    publish(bed)?;
    bed.source()?.batch_execute(kind.at_source[0])?;
    bed.shard(0)?.batch_execute(kind.at_shard[0])?;
    bed.shard(0)?.batch_execute("VACUUM (ANALYZE) app.bench")?;
    ground::checkpoint(bed)?;
    let watch = Stopwatch::start(bed)?;
    ground::resume_and_pull(bed)?;
    let taken = watch.stop(bed)?;
    let parked: i64 = bed
        .shard(0)?
        .query_one("SELECT count(*) FROM orapull.parked", &[])?
        .get(0);
    println!(
        "  {:<8} {:>6.2} s, {:.2} s of CPU, {parked} parked",
        kind.name, taken.seconds, taken.cpu
    );
    let expected = i64::from(kind.name != "none");
    ensure!(
        parked == expected,
        "{parked} rows are parked, not {expected}"
    );
    bed.source()?.batch_execute(kind.at_source[1])?;
    bed.shard(0)?.batch_execute(kind.at_shard[1])?;
    // The next pointer heals the row.
    publish(bed)?;
    ground::resume_and_pull(bed)?;
    Ok(taken.cpu)
}

fn publish(bed: &Bed) -> Result<()> {
    ground::pause(bed)?;
    bed.source()?
        .execute(r#"SELECT "TEST"."BENCH_TOUCH"($1, 1)"#, &[&ROWS])?;
    Ok(())
}
