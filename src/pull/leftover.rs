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
        if sql::execute(statement::FORGET_EMPTY, &[])? > 0 {
            tx::as_owner(source.owner, || {
                sql::execute(&statement::delete_empty(&table), &[])
            })?;
        }
        let held = parked::hold(target.id, target.remote_id, Reason::Suspected)?;
        // Last: whoever changes the state waits for this transaction from here on.
        target::confirm(target)?;
        chunk::leftover_is_held(target.id, target.generation, held)?;
        Ok(held)
    })?;
    tx::run("forgetting what a resync has seen", || {
        chunk::forget_seen(target.id, target.generation)
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
