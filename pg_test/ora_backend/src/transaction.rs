//! What this transaction has done, as far as Oracle would mind.

use std::cell::RefCell;

use pgrx::prelude::*;

/// Schemas whose tables are no part of what plays the Oracle side: writing there is no DML of a package.
const OF_THE_STANDIN: &[&str] = &["SYS", "DBMS_LOGMNR", "TEST", "ora"];

/// State of one transaction; another transaction begins with an empty one.
#[derive(Default)]
struct Done {
    transaction: Option<u32>,
    wrote: bool,
    /// Table of a direct-path insert that comes next.
    expected: Option<String>,
    /// Tables that were filled by direct path.
    filled: Vec<pg_sys::Oid>,
    /// A database link was used.
    reached_out: bool,
}

thread_local! {
    static DONE: RefCell<Done> = RefCell::default();
}

static mut PREVIOUS_HOOK: pg_sys::ExecutorStart_hook_type = None;

/// Looks at every statement of the session from now on.
pub fn watch_statements() {
    // SAFETY: called once, while the library is loaded; a backend has one thread.
    unsafe {
        PREVIOUS_HOOK = pg_sys::ExecutorStart_hook;
        pg_sys::ExecutorStart_hook = Some(executor_start);
    }
}

pub fn has_written() -> bool {
    with_done(|done| done.wrote)
}

/// The next INSERT into this table is a direct-path insert.
pub fn expect_direct_path(table: &str) {
    with_done(|done| done.expected = Some(table.to_owned()));
}

/// What Oracle refuses to a statement that reaches through a database link, or to one that inserts by direct path.
pub fn refused(is_remote: bool, is_direct_path: bool) -> Option<(i32, &'static str)> {
    with_done(|done| {
        let refused = if is_remote && !done.filled.is_empty() {
            Some((
                12840,
                "cannot access a remote table after parallel/insert direct load txn",
            ))
        } else if is_direct_path && done.reached_out {
            Some((
                12855,
                "cannot run parallel or insert direct load in a loopback",
            ))
        } else {
            None
        };
        done.reached_out |= is_remote;
        refused
    })
}

fn with_done<T>(use_it: impl FnOnce(&mut Done) -> T) -> T {
    // SAFETY: MyProc is valid in every backend.
    let current = unsafe { (*pg_sys::MyProc).lxid };
    DONE.with_borrow_mut(|done| {
        if done.transaction != Some(current) {
            *done = Done {
                transaction: Some(current),
                ..Done::default()
            };
        }
        use_it(done)
    })
}

#[pg_guard]
unsafe extern "C-unwind" fn executor_start(query: *mut pg_sys::QueryDesc, flags: std::ffi::c_int) {
    // SAFETY: the executor passes a valid query with its plan, and the chain of hooks is called as it is meant to be.
    unsafe {
        look_at(&*(*query).plannedstmt);
        match PREVIOUS_HOOK {
            Some(previous) => previous(query, flags),
            None => pg_sys::standard_ExecutorStart(query, flags),
        }
    }
}

/// Refuses a statement that names a table filled by direct path, and remembers what the statement does.
fn look_at(plan: &pg_sys::PlannedStmt) {
    let named = oids(plan.relationOids);
    let target = target_of(plan);
    let refused = with_done(|done| {
        let refused = named.iter().copied().find(|oid| done.filled.contains(oid));
        match target {
            _ if refused.is_some() => {}
            Some(target) => {
                if done.expected.as_deref() == name_of(target).as_deref() {
                    done.expected = None;
                    done.filled.push(target);
                }
                done.wrote |= !is_of_the_standin(target);
            }
            // SELECT ... FOR UPDATE: DDL would release the lock.
            None => done.wrote |= !plan.rowMarks.is_null(),
        }
        refused
    });
    if let Some(oid) = refused {
        let table = name_of(oid).unwrap_or_default();
        ereport!(
            ERROR,
            PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            format!(
                "ORA-12838: cannot read/modify an object after modifying it in parallel: {table}"
            )
        );
    }
}

/// The table that the statement changes.
fn target_of(plan: &pg_sys::PlannedStmt) -> Option<pg_sys::Oid> {
    // SAFETY: resultRelations and rtable are lists of a valid plan; indexes begin at 1.
    unsafe {
        let targets = pgrx::PgList::<std::ffi::c_int>::from_pg(plan.resultRelations);
        let index = targets.get_int(0)?;
        let entries = pgrx::PgList::<pg_sys::RangeTblEntry>::from_pg(plan.rtable);
        entries
            .get_ptr(usize::try_from(index).ok()?.checked_sub(1)?)
            .map(|entry| (*entry).relid)
    }
}

fn oids(list: *mut pg_sys::List) -> Vec<pg_sys::Oid> {
    // SAFETY: a list of OIDs of a valid plan, or null.
    let list = unsafe { pgrx::PgList::<pg_sys::Oid>::from_pg(list) };
    (0..list.len()).filter_map(|at| list.get_oid(at)).collect()
}

fn name_of(table: pg_sys::Oid) -> Option<String> {
    // SAFETY: get_rel_name copies the name, or gives null.
    unsafe { text_of(pg_sys::get_rel_name(table)) }
}

fn is_of_the_standin(table: pg_sys::Oid) -> bool {
    // SAFETY: both look into the catalog and copy what they find.
    let schema = unsafe { text_of(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(table))) };
    schema.is_some_and(|schema| OF_THE_STANDIN.contains(&schema.as_str()))
}

/// # Safety
/// `text` is null or a text of PostgreSQL.
unsafe fn text_of(text: *const std::ffi::c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller vouches for it.
    Some(
        unsafe { std::ffi::CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    )
}
