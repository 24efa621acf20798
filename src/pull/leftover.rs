//! The end of a resync: what the shard has and no chunk saw is held, to be asked and deleted when it is gone.
//!
//! A large table is read for long, so this is a loader's work: the puller goes on with all others.

use crate::catalog::chunk;
use crate::catalog::parked::{self, Reason};
use crate::catalog::relation;
use crate::catalog::source::Source;
use crate::catalog::target::{self, Target};
use crate::error::Error;
use crate::pull::staging::Staging;
use crate::pull::table::Table;
use crate::pull::{statement, tx};
use crate::sql;

/// Holds what is left over; returns how many rows that are. All chunks are done, so nothing but an
/// operator writes the table meanwhile.
pub fn hold(source: &Source, target: &Target, staging: &mut Staging) -> Result<u64, Error> {
    let table = tx::run("describing a table", || relation::describe(source, target))?;
    staging.prepare(source, &[&table])?;
    let what = format!("looking for what no chunk of {} saw", target.name);
    let held = tx::run(&what, || {
        find(source, target, &table)?;
        // Only now: to read takes long, and whoever changes the state waits for this transaction.
        target::confirm(target)?;
        if sql::execute(statement::FORGET_EMPTY, &[])? > 0 {
            tx::as_owner(source.owner, || {
                sql::execute(&statement::delete_empty(&table), &[])
            })?;
        }
        parked::hold(target.id, target.remote_id, Reason::Suspected)
    })?;
    // Apart from the holding: the puller may wait for a row of that while it keeps the state.
    tx::run("ending a resync", || {
        chunk::forget_seen(target.id)?;
        target::end_resync(target)
    })?;
    Ok(held)
}

fn find(source: &Source, target: &Target, table: &Table) -> Result<(), Error> {
    chunk::recall_seen(target.id, target.generation)?;
    sql::execute("TRUNCATE pg_temp.\"pointers\"", &[])?;
    tx::as_owner(source.owner, || {
        sql::execute(&statement::lock_to_read(table), &[])?;
        sql::execute(&statement::suspect(table), &[])
    })?;
    sql::execute("TRUNCATE pg_temp.\"seen\"", &[])?;
    Ok(())
}
