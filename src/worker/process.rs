//! What every process of orapull does: signals, its place on the board, connection, session
//! settings, waiting.

use std::ffi::{CStr, CString};
use std::time::Duration;

use pgrx::bgworkers::BackgroundWorkerBuilder;
use pgrx::prelude::*;

use super::board::Hire;
use super::shared;
use crate::error::{Error, Kind};
use crate::settings;

/// The place of a puller, its second hand or a loader, and what it is for.
#[derive(Debug, Clone, Copy)]
pub struct Seat {
    pub slot: usize,
    pub database: pg_sys::Oid,
    pub source: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Puller,
    Hand,
    Loader,
}

/// Begins a process of one source: the first call of its main function, with that function's argument.
/// `None`: it is not wanted any more and should return at once.
pub fn start(role: Role, argument: pg_sys::Datum) -> Option<Seat> {
    signals();
    let seat = take_seat(role, argument.value())?;
    connect(seat.database);
    let name = match role {
        Role::Puller => format!("orapull puller {}", seat.source),
        Role::Hand => format!("orapull second hand {}", seat.source),
        Role::Loader => format!("orapull loader {}", seat.source),
    };
    session(&name);
    Some(seat)
}

/// Starts a loader for the source of a puller. The puller's latch is set when it ends.
pub fn start_loader(puller: &Seat) -> Result<(), Error> {
    let (database, source) = (puller.database.to_u32(), puller.source);
    let reserved = shared::write()?.reserve_loader(database, source, shared::now());
    let slot = reserved.ok_or_else(|| {
        Error::new(Kind::Resources, "all places for loaders are taken")
            .hint("Lower orapull.load_workers.")
    })?;
    let started = worker("orapull loader", "orapull_loader_main", slot)
        .load_dynamic()
        .is_ok();
    if !started {
        shared::write()?.release_loader(slot);
        return Err(Error::new(
            Kind::Resources,
            "no background worker slot is free for a loader",
        )
        .hint("Raise max_worker_processes, or lower orapull.load_workers."));
    }
    Ok(())
}

/// Makes sure that the puller at this place has a second hand, or will soon. False: no background
/// worker slot is free for one.
pub fn hire_hand(slot: usize) -> Result<bool, Error> {
    let hired = shared::write()?.hire(slot, shared::now());
    match hired {
        Hire::There => return Ok(true),
        Hire::Taken => return Ok(false),
        Hire::Start => {}
    }
    let started = worker("orapull second hand", "orapull_hand_main", slot)
        .load_dynamic()
        .is_ok();
    if !started {
        shared::write()?.release_hand(slot, 0);
    }
    Ok(started)
}

/// A dynamic worker of this library that is never restarted by the postmaster and whose start and
/// end set the latch of this process.
pub(super) fn worker(kind: &str, function: &str, argument: usize) -> BackgroundWorkerBuilder {
    // SAFETY: set once, when the process starts.
    let me = unsafe { pg_sys::MyProcPid };
    BackgroundWorkerBuilder::new(kind)
        .set_type(kind)
        .set_library("orapull")
        .set_function(function)
        .set_argument(Some(pg_sys::Datum::from(argument)))
        .set_notify_pid(me)
        .set_restart_time(None)
        .enable_spi_access()
}

/// The place is taken before the connection is made: then `stop_workers` sees this process, or
/// this process sees that it is not wanted. It is given back after the open transaction, because
/// exit callbacks run in the reverse order of their registration.
fn take_seat(role: Role, slot: usize) -> Option<Seat> {
    // SAFETY: set once, when the process starts.
    let pid = unsafe { pg_sys::MyProcPid };
    let (claimed, give_back) = {
        let mut board = shared::write().ok()?;
        match role {
            Role::Puller => (
                board.claim_puller(slot, pid, shared::now()),
                give_puller_back as ExitCallback,
            ),
            Role::Hand => (board.claim_hand(slot, pid), give_hand_back as ExitCallback),
            Role::Loader => (
                board.claim_loader(slot, pid),
                give_loader_back as ExitCallback,
            ),
        }
    };
    let (database, source) = claimed?;
    at_exit(give_back, slot);
    Some(Seat {
        slot,
        database: database.into(),
        source,
    })
}

pub(super) type ExitCallback = unsafe extern "C-unwind" fn(i32, pg_sys::Datum);

pub(super) fn at_exit(callback: ExitCallback, argument: usize) {
    // SAFETY: the callback takes its argument by value and raises nothing.
    unsafe { pg_sys::before_shmem_exit(Some(callback), pg_sys::Datum::from(argument)) };
}

#[pg_guard]
unsafe extern "C-unwind" fn give_puller_back(_code: i32, slot: pg_sys::Datum) {
    if let Ok(mut board) = shared::write() {
        board.release_puller(slot.value(), shared::now());
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn give_hand_back(_code: i32, slot: pg_sys::Datum) {
    // SAFETY: set once, when the process starts.
    let pid = unsafe { pg_sys::MyProcPid };
    if let Ok(mut board) = shared::write() {
        board.release_hand(slot.value(), pid);
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn give_loader_back(_code: i32, slot: pg_sys::Datum) {
    if let Ok(mut board) = shared::write() {
        board.release_loader(slot.value());
    }
}

// PostgreSQL's own handlers, raw: pgrx's wrappers of C functions are not made for signals.
unsafe extern "C-unwind" {
    #[link_name = "die"]
    fn end_at_next_interrupt(signal: i32);
    #[link_name = "SignalHandlerForConfigReload"]
    fn reload_soon(signal: i32);
    #[link_name = "StatementCancelHandler"]
    fn cancel_statement(signal: i32);
    #[link_name = "get_timeout_indicator"]
    fn timeout_fired(timeout: u32, reset: bool) -> bool;
}

/// enum TimeoutId of utils/timeout.h, which pgrx does not bind; the same from 14 to 18.
const LOCK_TIMEOUT: u32 = 2;

/// SIGINT comes from people, who are ignored: a cancelled wait for a synchronous standby is a
/// commit that a failover takes back. It also comes from this process itself: that is how
/// lock_timeout works.
unsafe extern "C-unwind" fn cancel_after_lock_timeout(signal: i32) {
    // SAFETY: both are async-signal-safe; the first reads a flag that was set before the signal
    // was sent, the second is PostgreSQL's handler.
    unsafe {
        if timeout_fired(LOCK_TIMEOUT, false) {
            cancel_statement(signal);
        }
    }
}

/// Installs the signal handlers. SIGTERM ends the process at the next interrupt check, also inside
/// a query.
pub fn signals() {
    #[cfg(not(feature = "pg18"))]
    use pg_sys::pqsignal as handle;
    #[cfg(feature = "pg18")]
    use pg_sys::pqsignal_be as handle;
    // SAFETY: the handlers are PostgreSQL's own or safe in a signal, see above.
    unsafe {
        handle(pg_sys::SIGTERM as i32, Some(end_at_next_interrupt));
        pg_sys::BackgroundWorkerUnblockSignals();
    }
    signals_but_term();
}

/// The same but for SIGTERM. The Oracle client library puts its own handlers in place, without which
/// lock_timeout would not work; oracle_fdw's handler of SIGTERM also breaks off a running scan, so
/// that one is left alone.
pub fn signals_but_term() {
    #[cfg(not(feature = "pg18"))]
    use pg_sys::pqsignal as handle;
    #[cfg(feature = "pg18")]
    use pg_sys::pqsignal_be as handle;
    // SAFETY: the handlers are safe in a signal, see above.
    unsafe {
        handle(pg_sys::SIGHUP as i32, Some(reload_soon));
        handle(pg_sys::SIGINT as i32, Some(cancel_after_lock_timeout));
    }
}

/// Connects as superuser. If that fails the process ends.
pub(super) fn connect(database: pg_sys::Oid) {
    // SAFETY: called once, by a worker registered with database access.
    unsafe {
        pg_sys::BackgroundWorkerInitializeConnectionByOid(database, pg_sys::InvalidOid, 0);
    }
}

/// What a session needs whatever the server, the database or the role has configured.
const SESSION: &[(&CStr, &CStr)] = &[
    // Foreign keys and user triggers do not fire.
    (c"session_replication_role", c"replica"),
    // Nobody's function or operator is found by an unqualified name.
    (c"search_path", c"pg_catalog, pg_temp"),
    // A batch of 100,000 rows of 300 bytes is sorted, and told from its pointers, in memory.
    (c"work_mem", c"64MB"),
    (c"temp_buffers", c"64MB"),
    // Values have one text form.
    (c"TimeZone", c"UTC"),
    (c"DateStyle", c"ISO"),
    (c"IntervalStyle", c"postgres"),
    (c"extra_float_digits", c"1"),
    (c"bytea_output", c"hex"),
    (c"xmloption", c"content"),
    (c"standard_conforming_strings", c"on"),
    // A policy raises instead of hiding rows.
    (c"row_security", c"off"),
    // An ack follows a commit that lasts.
    (c"synchronous_commit", c"on"),
    // Each step sees what was committed before it.
    (c"default_transaction_isolation", c"read committed"),
    (c"default_transaction_read_only", c"off"),
    // In a deadlock the worker gives way and tries again; DROP EXTENSION, or a user, would see an error.
    (c"deadlock_timeout", c"100ms"),
    // Batches take as long as they take.
    (c"statement_timeout", c"0"),
    (c"idle_in_transaction_session_timeout", c"0"),
    #[cfg(any(feature = "pg17", feature = "pg18"))]
    (c"transaction_timeout", c"0"),
    // Binds are pushed down to the source only by generic plans.
    (c"plan_cache_mode", c"force_generic_plan"),
    (c"jit", c"off"),
    (c"client_min_messages", c"warning"),
];

pub(super) fn session(name: &str) {
    for (setting, value) in SESSION {
        set(setting, value);
    }
    if let Ok(name) = CString::new(name) {
        set(c"application_name", &name);
    }
    // A reload that came before the signal handlers were in place was ignored.
    reload();
}

/// Session settings that come from settings of orapull.
fn follow_settings() {
    let milliseconds = settings::lock_timeout().as_millis().to_string();
    if let Ok(value) = CString::new(milliseconds) {
        set(c"lock_timeout", &value);
    }
}

fn set(setting: &CStr, value: &CStr) {
    // SAFETY: both texts are copied. As an override it outlasts reloads and what ALTER DATABASE
    // or ALTER ROLE say.
    unsafe {
        pg_sys::SetConfigOption(
            setting.as_ptr(),
            value.as_ptr(),
            pg_sys::GucContext::PGC_SUSET,
            pg_sys::GucSource::PGC_S_OVERRIDE,
        );
    }
}

/// Waits until the latch is set or the time is over, and returns whether the configuration was read
/// again. Not inside a transaction.
pub fn nap(time: Duration) -> bool {
    rest(time);
    reload_if_asked()
}

/// Waits until the latch is set or the time is over. Ends the process when it was told to, or when
/// the postmaster has died.
pub fn rest(time: Duration) {
    let milliseconds = i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
    let wait = pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH;
    // SAFETY: the latch of this process.
    unsafe {
        pg_sys::WaitLatch(
            pg_sys::MyLatch,
            wait as i32,
            milliseconds.into(),
            pg_sys::PG_WAIT_EXTENSION,
        );
        pg_sys::ResetLatch(pg_sys::MyLatch);
    }
    pg_sys::check_for_interrupts!();
}

/// Reads the configuration again if a SIGHUP came. Not inside a transaction.
pub fn reload_if_asked() -> bool {
    // SAFETY: a flag that only the signal handler sets.
    let asked = unsafe { (&raw const pg_sys::ConfigReloadPending).read_volatile() } != 0;
    if asked {
        reload();
    }
    asked
}

fn reload() {
    // SAFETY: the flag is cleared before the file is read, so that no later signal is lost; outside
    // of a transaction, as PostgreSQL's own main loops do it.
    unsafe {
        (&raw mut pg_sys::ConfigReloadPending).write_volatile(0);
        pg_sys::ProcessConfigFile(pg_sys::GucContext::PGC_SIGHUP);
    }
    follow_settings();
}
