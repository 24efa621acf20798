//! Begin, commit, abort: the only file that touches transactions, subtransactions and the
//! current user of a worker.
//!
//! `BackgroundWorker::transaction` of pgrx commits even when the closure returns `Err` and
//! rethrows errors, so workers have their own.

use std::ffi::{CStr, CString};
use std::panic::AssertUnwindSafe;

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::error::Error;
use crate::report::from_caught;

/// Runs `work` in a transaction of its own. It commits when `work` returns `Ok`; an `Err`, a
/// PostgreSQL error or a panic rolls it back and comes out as an [`Error`]. FATAL (a shutdown)
/// never returns.
pub fn run<R>(what: &str, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    transaction(what, c"on", work)
}

/// The same for what a crash may take back: the commit does not wait for the disk.
pub fn run_lazily<R>(what: &str, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    transaction(what, c"off", work)
}

fn transaction<R>(
    what: &str,
    synchronous_commit: &CStr,
    work: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    // SAFETY: workers call this outside any transaction; the calls below are the ones of
    // PostgreSQL's own worker example, in its order.
    unsafe {
        pg_sys::SetCurrentStatementStartTimestamp();
        pg_sys::StartTransactionCommand();
    }
    show_activity(Some(what));
    let result = PgTryBuilder::new(AssertUnwindSafe(|| {
        // SAFETY: a transaction is in progress.
        unsafe { pg_sys::PushActiveSnapshot(pg_sys::GetTransactionSnapshot()) };
        constraints_are_immediate();
        let value = work()?;
        // Last: an ack must follow a commit that lasts, whatever code has run.
        set_local(c"synchronous_commit", synchronous_commit);
        // SAFETY: the snapshot pushed above is the active one; nothing of the caller is open.
        unsafe {
            pg_sys::PopActiveSnapshot();
            pg_sys::CommitTransactionCommand();
        }
        Ok(value)
    }))
    .catch_others(|caught| Err(from_caught(&caught)))
    .catch_rust_panic(|caught| Err(from_caught(&caught)))
    .execute();
    if result.is_err() {
        // SAFETY: the transaction failed or was given up; this cleans all of it up. Interrupts
        // are held off by the abort itself.
        unsafe { pg_sys::AbortCurrentTransaction() };
    }
    show_activity(None);
    // SAFETY: no transaction is in progress.
    unsafe { pg_sys::pgstat_report_stat(true) };
    end_if_told_to();
    result
}

/// Deferred triggers of the tables fire at the end of their statement, while it runs as the owner of
/// the table's source, and not at the commit.
fn constraints_are_immediate() {
    let mut all = pg_sys::ConstraintsSetStmt {
        type_: pg_sys::NodeTag::T_ConstraintsSetStmt,
        constraints: std::ptr::null_mut(),
        deferred: false,
    };
    // SAFETY: what SET CONSTRAINTS ALL IMMEDIATE does, in a transaction that has just begun.
    unsafe { pg_sys::AfterTriggerSetState(&mut all) };
}

/// SET LOCAL.
fn set_local(setting: &CStr, value: &CStr) {
    // SAFETY: both texts are copied.
    unsafe {
        pg_sys::set_config_option(
            setting.as_ptr(),
            value.as_ptr(),
            pg_sys::GucContext::PGC_USERSET,
            pg_sys::GucSource::PGC_S_SESSION,
            pg_sys::GucAction::GUC_ACTION_LOCAL,
            true,
            0,
            false,
        );
    }
}

/// SIGTERM breaks off the wait for a synchronous standby, and the commit looks like any other. Nobody
/// may go on from it: an ack would follow a commit that a failover takes back.
fn end_if_told_to() {
    // SAFETY: a flag that only the signal handler sets.
    if unsafe { (&raw const pg_sys::ProcDiePending).read_volatile() } != 0 {
        pg_sys::check_for_interrupts!();
    }
}

/// Runs `work` in a subtransaction of the current one. Only for purely local work: an Oracle
/// session lost in a subtransaction can PANIC the cluster (oracle_fdw issue 328).
pub fn subtransaction<R>(work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // SAFETY: a transaction is in progress; context and owner are put back on both ways out, as
    // PL/pgSQL does for its exception blocks.
    let (context, owner) = unsafe {
        let saved = (pg_sys::CurrentMemoryContext, pg_sys::CurrentResourceOwner);
        pg_sys::BeginInternalSubTransaction(std::ptr::null());
        pg_sys::MemoryContextSwitchTo(saved.0);
        saved
    };
    let result = PgTryBuilder::new(AssertUnwindSafe(work))
        .catch_others(|caught| Err(from_caught(&caught)))
        .catch_rust_panic(|caught| Err(from_caught(&caught)))
        .execute();
    // SAFETY: the subtransaction begun above is the innermost one.
    unsafe {
        pg_sys::MemoryContextSwitchTo(context);
        match &result {
            Ok(_) => pg_sys::ReleaseCurrentSubTransaction(),
            Err(_) => pg_sys::RollbackAndReleaseCurrentSubTransaction(),
        }
        pg_sys::MemoryContextSwitchTo(context);
        pg_sys::CurrentResourceOwner = owner;
    }
    result
}

/// Runs `work` as the owner of a source, and with it all code that comes from tables, casts, filters
/// and views of that role.
///
/// A security-restricted operation, as when PostgreSQL itself runs code of others: nothing can change
/// the user, and nothing can be left behind that would run later, as the superuser (a cursor WITH
/// HOLD, a deferred trigger, a prepared statement, a temporary table).
pub fn as_owner<R>(
    owner: pg_sys::Oid,
    work: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    switch(owner, pg_sys::SECURITY_RESTRICTED_OPERATION, work)
}

/// Runs statements of orapull itself in the session of a caller, who has no right to what they touch.
pub fn as_superuser<R>(work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    let superuser = pg_sys::BOOTSTRAP_SUPERUSERID.into();
    switch(superuser, pg_sys::SECURITY_LOCAL_USERID_CHANGE, work)
}

/// Never by SET ROLE, which whoever comes to run can RESET. What is set meanwhile (search_path,
/// TimeZone, synchronous_commit) is as before afterwards, whether it was set for the transaction or
/// the session. An error leaves the way back to the abort of the (sub)transaction.
fn switch<R>(
    role: pg_sys::Oid,
    restriction: u32,
    work: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    let mut user = pg_sys::InvalidOid;
    let mut context = 0;
    // SAFETY: both pointers are to locals; restrictions in force are kept and one is added.
    let settings = unsafe {
        pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
        pg_sys::SetUserIdAndSecContext(role, context | restriction as i32);
        pg_sys::NewGUCNestLevel()
    };
    let result = work();
    // SAFETY: the level begun above, and what was in force on entry.
    unsafe {
        pg_sys::AtEOXact_GUC(false, settings);
        pg_sys::SetUserIdAndSecContext(user, context);
    }
    result
}

/// Text for pg_stat_activity.
fn show_activity(what: Option<&str>) {
    let text = what.and_then(|what| CString::new(format!("orapull: {what}")).ok());
    let (state, text) = match &text {
        Some(text) => (pg_sys::BackendState::STATE_RUNNING, text.as_ptr()),
        None => (pg_sys::BackendState::STATE_IDLE, std::ptr::null()),
    };
    // SAFETY: the text is copied.
    unsafe { pg_sys::pgstat_report_activity(state, text) };
}
