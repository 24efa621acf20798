//! What benchmarks stand on: the table APP.BENCH at a source, and one shard.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::cpu;
use crate::bed::{Bed, Settings, Tables};
use crate::watch::eventually;
use crate::world::World;

pub const LONG: Duration = Duration::from_secs(900);

/// Starts both, with so many rows at the source; the shard does not follow the table yet.
pub fn start(world: &World, rows: i32) -> Result<Bed> {
    // Vacuum and checkpoints come between measurements, and into none.
    let settings = Settings {
        source: &[
            ("wal_level", "logical".to_owned()),
            ("shared_buffers", "1GB".to_owned()),
            ("autovacuum", "off".to_owned()),
            ("max_wal_size", "16GB".to_owned()),
        ],
        shard: &[
            // Commits must reach the disk, as they do in production.
            ("fsync", "on".to_owned()),
            ("shared_buffers", "1GB".to_owned()),
            ("autovacuum", "off".to_owned()),
            ("max_wal_size", "16GB".to_owned()),
            // As it is by default: an idle puller takes no time from the other ways.
            ("orapull.poll_interval", "1s".to_owned()),
        ],
    };
    let bed = Bed::start_with(world, "bench", 1, Tables::Demo, settings)?;
    bed.source()?
        .execute("SELECT \"TEST\".\"BENCH_TABLE\"($1)", &[&rows])
        .context("BENCH_TABLE failed")?;
    look_up_by_index(&bed)?;
    bed.create_source(0)?;
    Ok(bed)
}

/// Oracle resolves the pointers of a batch by the index of a table that is thousands of times as large. Here a batch is
/// a good part of the table, and a planner would rather read and hash all of it, for each batch.
fn look_up_by_index(bed: &Bed) -> Result<()> {
    bed.source()?.batch_execute(
        "ALTER ROLE shard1 SET enable_hashjoin = off;
         ALTER ROLE shard1 SET enable_mergejoin = off;
         ALTER ROLE shard1 SET enable_memoize = off",
    )?;
    Ok(())
}

/// Has the shard follow the table.
pub fn follow(bed: &Bed) -> Result<()> {
    bed.add_table(0, "APP.BENCH", "")?;
    let mut shard = bed.shard(0)?;
    eventually("the table is loaded", LONG, || {
        bed.publish()?;
        let sql = "SELECT coalesce(bool_and(state = 'following'), false) FROM orapull.tables";
        Ok(shard.query_one(sql, &[])?.get(0))
    })
}

/// Has portions pile up at the source from now on; those that are applied go.
pub fn pause(bed: &Bed) -> Result<()> {
    bed.owner(0)?.execute("SELECT orapull.pause('main')", &[])?;
    bed.source()?
        .execute("SELECT \"TEST\".\"RELEASE_ACKED\"()", &[])?;
    Ok(())
}

/// Brings what has piled up to the shard. Not by `pull_now()`: the snapshot of a statement that waits would keep the shard
/// from using the space of dead rows again.
pub fn resume_and_pull(bed: &Bed) -> Result<()> {
    bed.owner(0)?
        .execute("SELECT orapull.resume('main')", &[])?;
    eventually("everything is acked", LONG, || bed.has_acked_all(0))
}

/// Nothing left to write before the next measurement.
pub fn checkpoint(bed: &Bed) -> Result<()> {
    bed.shard(0)?.batch_execute("CHECKPOINT")?;
    bed.source()?.batch_execute("CHECKPOINT")?;
    Ok(())
}

/// How long something takes, and how much CPU time of both servers and the client.
pub struct Stopwatch {
    began: Instant,
    used: Duration,
}

impl Stopwatch {
    pub fn start(bed: &Bed) -> Result<Self> {
        Ok(Self {
            used: used(bed)?,
            began: Instant::now(),
        })
    }

    pub fn stop(self, bed: &Bed) -> Result<Taken> {
        let seconds = self.began.elapsed().as_secs_f64();
        let cpu = used(bed)?.saturating_sub(self.used);
        Ok(Taken {
            seconds,
            cpu: cpu.as_secs_f64(),
        })
    }
}

/// Seconds.
pub struct Taken {
    pub seconds: f64,
    pub cpu: f64,
}

fn used(bed: &Bed) -> Result<Duration> {
    cpu::used(&[&bed.source, &bed.shards[0].cluster])
}
