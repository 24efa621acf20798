//! What changes the source while shards follow it, and what publishes the changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use postgres::Client;
use postgres::error::SqlState;

use crate::cluster::{Cluster, SUPERUSER};

/// Time between two looks at what was committed.
const PUBLISH_EVERY: Duration = Duration::from_millis(100);
/// Operations of one transaction of the workload.
const OPERATIONS: i32 = 50;
/// How long each half of a long transaction waits for its end.
const STAYS_OPEN: Duration = Duration::from_millis(1500);

/// Threads that run until they are told to stop.
#[derive(Default)]
pub struct Background {
    stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    threads: Vec<JoinHandle<Result<()>>>,
}

impl Background {
    pub fn new() -> Self {
        Self::default()
    }

    /// One thread that repeats `step` until it is told to stop; `step` gives what it adds to `done`.
    pub fn repeat(step: impl FnMut() -> Result<u64> + Send + 'static) -> Self {
        let mut background = Self::new();
        background.spawn(step);
        background
    }

    /// How much was done so far: changed rows of a workload, portions of a publisher.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Waits for the end of what is being done; fails if a thread failed.
    pub fn stop(mut self) -> Result<u64> {
        self.stop.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            thread
                .join()
                .map_err(|_| anyhow!("a background thread panicked"))??;
        }
        Ok(self.done())
    }

    /// Repeats `step` in a thread; it gives what it adds to `done`.
    pub fn spawn(&mut self, mut step: impl FnMut() -> Result<u64> + Send + 'static) {
        let (stop, done) = (self.stop.clone(), self.done.clone());
        self.threads.push(std::thread::spawn(move || {
            while !stop.load(Ordering::SeqCst) {
                done.fetch_add(step()?, Ordering::Relaxed);
            }
            Ok(())
        }));
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// Publishes what is committed, and releases what every shard has acked.
pub fn publisher(source: &Cluster, database: &str) -> Result<Background> {
    let mut client = source.connect(database, SUPERUSER)?;
    let mut background = Background::new();
    let mut turns = 0_u64;
    background.spawn(move || {
        let portions = publish(&mut client)?;
        turns += 1;
        if turns.is_multiple_of(20) {
            client
                .execute("SELECT \"TEST\".\"RELEASE_ACKED\"()", &[])
                .context("the publisher cannot release")?;
        }
        std::thread::sleep(PUBLISH_EVERY);
        Ok(portions)
    });
    Ok(background)
}

/// Publishes what is committed now; gives the number of new portions.
pub fn publish(client: &mut Client) -> Result<u64> {
    let row = client
        .query_one("SELECT \"TEST\".\"PUBLISH_COMMITTED\"()::bigint", &[])
        .context("the publisher failed")?;
    Ok(u64::try_from(row.get::<_, i64>(0)).unwrap_or(0))
}

/// Changes the demo's tables from `sessions` sessions; the sequence of operations depends on the seed alone.
pub fn changes(source: &Cluster, database: &str, sessions: u32, seed: i32) -> Result<Background> {
    let mut background = Background::new();
    for session in 0..sessions {
        let mut client = source.connect(database, SUPERUSER)?;
        let mut seed = seed + i32::try_from(session)? * 1_000_000;
        background.spawn(move || {
            seed += 1;
            work(&mut client, seed)
        });
    }
    Ok(background)
}

/// Adds a session whose transactions stay open for seconds; every other one is rolled back.
pub fn stay_open(background: &mut Background, source: &Cluster, database: &str) -> Result<()> {
    let mut client = source.connect(database, SUPERUSER)?;
    let mut commits = false;
    background.spawn(move || {
        commits = !commits;
        let mut transaction = client.transaction()?;
        for _ in 0..2 {
            transaction
                .batch_execute(r#"SELECT "TEST"."WORK_ONCE"() FROM generate_series(1, 20)"#)
                .context("a long transaction failed")?;
            std::thread::sleep(STAYS_OPEN);
        }
        if commits {
            transaction.commit()?;
        } else {
            transaction.rollback()?;
        }
        Ok(0)
    });
    Ok(())
}

fn work(client: &mut Client, seed: i32) -> Result<u64> {
    match client.query_one("SELECT \"TEST\".\"WORK\"($1, $2)", &[&seed, &OPERATIONS]) {
        Ok(row) => Ok(row.get::<_, i32>(0).unsigned_abs().into()),
        // Two sessions met; everything of this one was rolled back.
        Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => Ok(0),
        Err(error) => Err(error).context("the workload failed"),
    }
}
