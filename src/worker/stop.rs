//! Stopping all workers of a database, so that it can be dropped, renamed or copied.

use std::time::{Duration, Instant};

use pgrx::prelude::*;

use super::shared;
use crate::error::{Error, Kind};

const PATIENCE: Duration = Duration::from_secs(10);
const STEP_MS: i64 = 20;

/// Ends every worker of a database and starts no other one there until `start_workers`, a restart
/// of the server, or the end of the database. Takes effect at once, whatever becomes of the
/// transaction.
pub fn stop_workers(database: pg_sys::Oid) -> Result<(), Error> {
    let pids = {
        let mut board = shared::write()?;
        if !board.stop(database.to_u32()) {
            return Err(Error::new(
                Kind::Resources,
                "there are more databases than orapull can keep apart",
            ));
        }
        let pids = board.pids(database.to_u32());
        for &pid in &pids {
            // SAFETY: a process on the board lives until it has taken the lock held here.
            unsafe { libc::kill(pid, libc::SIGTERM) };
        }
        pids
    };
    wait_until_gone(database, &pids)
}

/// Undoes [`stop_workers`].
pub fn start_workers(database: pg_sys::Oid) -> Result<(), Error> {
    shared::write()?.start(database.to_u32());
    shared::wake_launcher()
}

fn wait_until_gone(database: pg_sys::Oid, pids: &[i32]) -> Result<(), Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut left = shared::read()?.pids(database.to_u32());
        left.extend(pids.iter().filter(|&&pid| is_backend(pid)));
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() >= deadline {
            left.sort_unstable();
            left.dedup();
            return Err(Error::new(
                Kind::WrongState,
                format!("workers did not end within {} s", PATIENCE.as_secs()),
            )
            .detail(format!("process ids {left:?}"))
            .hint("They may wait for a call of the source. Nothing is started there any more: try again in orapull.call_timeout."));
        }
        pause();
    }
}

/// A process gives its place back a moment before it stops counting as a user of the database.
fn is_backend(pid: i32) -> bool {
    // SAFETY: looks into shared memory under PostgreSQL's own lock.
    unsafe { !pg_sys::BackendPidGetProc(pid).is_null() }
}

fn pause() {
    let wait = pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH;
    // SAFETY: the latch of this process, reset as everywhere before interrupts are looked at.
    unsafe {
        pg_sys::WaitLatch(
            pg_sys::MyLatch,
            wait as i32,
            STEP_MS as _,
            pg_sys::PG_WAIT_EXTENSION,
        );
        pg_sys::ResetLatch(pg_sys::MyLatch);
    }
    pg_sys::check_for_interrupts!();
}
