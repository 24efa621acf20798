//! The board in shared memory, and latches: how processes and sessions reach each other.
//!
//! Every function says so in one clear error when the library was not preloaded.

use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::lwlock::{PgLwLockExclusiveGuard, PgLwLockShareGuard};
use pgrx::pg_shmem_init;
use pgrx::prelude::*;
use pgrx::shmem::PGRXSharedMemory;
use pgrx::{PgLwLock, PgXactCallbackEvent, register_xact_callback};

use crate::error::{Error, Kind};

use super::board::Board;
pub use super::board::{Errand, Fate, Live, Puller};
use super::process::Seat;

// SAFETY: the board holds numbers and enums only, no pointers.
unsafe impl PGRXSharedMemory for Board {}

// SAFETY: no other lock of the server has this name.
static BOARD: PgLwLock<Board> = unsafe { PgLwLock::new(c"orapull_board") };

/// Set in the postmaster and inherited by every process.
static PRELOADED: AtomicBool = AtomicBool::new(false);

/// Asks for the shared memory; called from `_PG_init` while libraries are preloaded.
pub fn init() {
    pg_shmem_init!(BOARD = Board::EMPTY);
    PRELOADED.store(true, Ordering::Relaxed);
}

/// Fails unless the server was started with orapull in shared_preload_libraries.
pub fn require_preload() -> Result<(), Error> {
    if PRELOADED.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(Error::new(
        Kind::WrongState,
        "orapull must be in shared_preload_libraries",
    )
    .hint("Add orapull to shared_preload_libraries in postgresql.conf and restart the server."))
}

/// The board to read. Hold it shortly, and call nothing that can fail meanwhile.
pub(super) fn read() -> Result<PgLwLockShareGuard<'static, Board>, Error> {
    require_preload()?;
    Ok(BOARD.share())
}

/// The board to write. Hold it shortly, and call nothing that can fail meanwhile.
pub(super) fn write() -> Result<PgLwLockExclusiveGuard<'static, Board>, Error> {
    require_preload()?;
    Ok(BOARD.exclusive())
}

pub fn now() -> TimestampMicros {
    // SAFETY: reads the clock.
    unsafe { pg_sys::GetCurrentTimestamp() }
}

/// Microseconds since 2000-01-01, as in TimestampTz.
pub type TimestampMicros = i64;

/// The place of a source's puller, running or not.
pub fn puller(database: pg_sys::Oid, source: i32) -> Result<Option<Puller>, Error> {
    Ok(read()?.puller_of(database.to_u32(), source).copied())
}

/// Whether no worker slot was free for a look at this database.
pub fn lacks_worker_slot(database: pg_sys::Oid) -> Result<bool, Error> {
    Ok(read()?.lacks_worker_slot(database.to_u32()))
}

/// What the last poll of a source showed.
pub fn live(database: pg_sys::Oid, source: i32) -> Result<Option<Live>, Error> {
    Ok(puller(database, source)?.and_then(|puller| puller.live))
}

/// A puller tells what its poll showed.
pub fn publish_live(slot: usize, live: Live) -> Result<(), Error> {
    write()?.publish_live(slot, live);
    Ok(())
}

/// A puller tells that its source or the extension is gone: after its end nobody starts it again.
pub fn leave(slot: usize) -> Result<(), Error> {
    write()?.leave(slot);
    Ok(())
}

/// Loaders of a source that run or are about to.
pub fn loaders(database: pg_sys::Oid, source: i32) -> Result<usize, Error> {
    Ok(read()?.loaders_of(database.to_u32(), source, now()))
}

/// The loader at this place claims a chunk of a target; its death frees it, and nobody outside can take it. False: another
/// loader has it.
pub fn claim_chunk(slot: usize, target: i32, chunk: i32) -> Result<bool, Error> {
    Ok(write()?.claim_chunk(slot, (target, chunk)))
}

pub fn release_chunk(slot: usize) -> Result<(), Error> {
    write()?.release_chunk(slot);
    Ok(())
}

/// Gives an errand to the second hand of the puller at this place. False: it cannot take it.
pub fn hand_out(slot: usize, errand: Errand) -> Result<bool, Error> {
    let given = write()?.hand_out(slot, errand);
    if given {
        wake_hand(slot)?;
    }
    Ok(given)
}

/// A second hand begins with what it was given.
pub fn take_errand(slot: usize) -> Result<Option<Errand>, Error> {
    Ok(write()?.take_errand(slot))
}

/// A second hand has committed its errand, or gives it back.
pub fn end_errand(seat: &Seat, done: bool) -> Result<(), Error> {
    write()?.end_errand(seat.slot, done);
    wake_puller(seat.database, seat.source)?;
    Ok(())
}

/// An idle second hand leaves. False: it has just been given something.
pub fn retire(slot: usize) -> Result<bool, Error> {
    Ok(write()?.retire(slot))
}

/// Whether the puller at this place is running.
pub fn puller_runs(slot: usize) -> Result<bool, Error> {
    Ok(read()?.puller_runs(slot))
}

/// What became of an errand.
pub fn fate(slot: usize, errand: Errand) -> Result<Fate, Error> {
    Ok(write()?.fate(slot, errand))
}

/// Makes a second hand look now.
pub fn wake_hand(slot: usize) -> Result<(), Error> {
    let pid = read()?.hand_pid(slot);
    set_latch(pid);
    Ok(())
}

/// Takes back what was not begun. Whether a second hand is at work; with `end`, its process is ended.
pub fn recall(slot: usize, end: bool) -> Result<bool, Error> {
    let mut board = write()?;
    let pid = board.recall(slot);
    if pid != 0 && end {
        // SAFETY: a process on the board lives until it has taken the lock held here.
        unsafe { libc::kill(pid, libc::SIGTERM) };
    }
    Ok(pid != 0)
}

/// Makes the puller of a source look now. False: it is not running.
pub fn wake_puller(database: pg_sys::Oid, source: i32) -> Result<bool, Error> {
    let puller = puller(database, source)?;
    Ok(puller.is_some_and(|puller| set_latch(puller.pid)))
}

/// Once this transaction has committed, makes the puller of a source look; if there is none, has
/// the launcher start one.
pub fn wake_at_commit(database: pg_sys::Oid, source: i32) -> Result<(), Error> {
    at_commit(move || {
        if !wake_puller(database, source)? {
            look_soon(database)?;
        }
        Ok(())
    })
}

/// Once this transaction has committed, has the launcher look at this database: the extension
/// came or went, or a source did.
pub fn scan_at_commit(database: pg_sys::Oid) -> Result<(), Error> {
    at_commit(move || look_soon(database))
}

/// `work` must not raise: an error after the commit record takes the whole server down.
fn at_commit(
    work: impl Fn() -> Result<(), Error> + std::panic::UnwindSafe + std::panic::RefUnwindSafe + 'static,
) -> Result<(), Error> {
    require_preload()?;
    register_xact_callback(PgXactCallbackEvent::Commit, move || {
        if let Err(error) = work() {
            log!("orapull: {error}");
        }
    });
    Ok(())
}

fn look_soon(database: pg_sys::Oid) -> Result<(), Error> {
    write()?.look_soon(database.to_u32());
    wake_launcher()
}

pub(super) fn wake_launcher() -> Result<(), Error> {
    let launcher = read()?.launcher;
    set_latch(launcher);
    Ok(())
}

/// False: no such process.
fn set_latch(pid: i32) -> bool {
    if pid == 0 {
        return false;
    }
    // SAFETY: PGPROC entries live as long as the shared memory. A pid that another backend got
    // meanwhile wakes that one for nothing, which every user of a latch expects.
    unsafe {
        let process = pg_sys::BackendPidGetProc(pid);
        if process.is_null() {
            return false;
        }
        pg_sys::SetLatch(&raw mut (*process).procLatch);
    }
    true
}
