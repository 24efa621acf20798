//! Begin, commit, abort: the only file that touches transactions, subtransactions and the
//! current user of a worker.
//!
//! `BackgroundWorker::transaction` of pgrx commits even when the closure returns `Err` and
//! rethrows errors, so workers have their own.

use std::ffi::CString;
use std::panic::AssertUnwindSafe;

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::error::Error;
use crate::report::from_caught;
use crate::sql;

/// Runs `work` in a transaction of its own. It commits when `work` returns `Ok`; an `Err`, a
/// PostgreSQL error or a panic rolls it back and comes out as an [`Error`]. FATAL (a shutdown)
/// never returns.
pub fn run<R>(what: &str, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
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
        let value = work()?;
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

/// Runs `work` as another role: the owner of a source, or the superuser of the extension.
///
/// Never by SET ROLE: what a trigger or a cast of the owner can RESET would leave it superuser.
/// An error leaves the switch to the abort of the (sub)transaction, which undoes it.
pub fn as_role<R>(role: pg_sys::Oid, work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    let mut user = pg_sys::InvalidOid;
    let mut context = 0;
    // SAFETY: both pointers are to locals; the flags in force are kept and one is added.
    unsafe {
        pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
        pg_sys::SetUserIdAndSecContext(role, context | pg_sys::SECURITY_LOCAL_USERID_CHANGE as i32);
    }
    let result = work();
    // SAFETY: what was in force on entry.
    unsafe { pg_sys::SetUserIdAndSecContext(user, context) };
    result
}

/// Runs statements as the owner of a source. Deferred triggers fire before the switch back: at the commit they would
/// run as the superuser.
pub fn as_owner<R>(
    owner: pg_sys::Oid,
    work: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    as_role(owner, || {
        let result = work()?;
        sql::execute("SET CONSTRAINTS ALL IMMEDIATE", &[])?;
        Ok(result)
    })
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
