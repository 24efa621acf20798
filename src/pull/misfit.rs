//! Rows that do not fit their target: narrowed down to single ones, which are parked, while the rest
//! is applied; or that must make way for another row's unique value. Nothing is read of the source:
//! here are subtransactions.

use std::collections::HashSet;

use crate::catalog::event;
use crate::catalog::parked::{self, Reason};
use crate::catalog::source::Source;
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::fetch::Bad;
use crate::pull::statement;
use crate::pull::table::Table;
use crate::pull::tx;
use crate::settings;
use crate::source::control::Identity;
use crate::sql;

/// Upserts the staged rows that fit and parks the others; returns how many of each.
pub fn upsert_in_slices(source: &Source, table: &Table) -> Result<(u64, u64), Error> {
    for statement in statement::number_rows(table) {
        sql::execute(&statement, &[])?;
    }
    let (written, failed) = tx::as_owner(source.owner, || slices(table))?;
    for (identity, error) in &failed {
        parked::park(table.target_id, identity, Reason::Parked, Some(error))?;
    }
    Ok((written, failed.len() as u64))
}

/// Rows of one slice.
const SLICE: i64 = 1000;

/// Upserts slice by slice; returns rows written and the rows that cannot be.
fn slices(table: &Table) -> Result<(u64, Vec<(Identity, Error)>), Error> {
    let rows = sql::first(&statement::count_rows(table), &[], |row| row.get::<i64>(1))?;
    let end = rows.unwrap_or(0) + 1;
    let mut todo: Vec<(i64, i64)> = (1..end)
        .step_by(SLICE as usize)
        .map(|from| (from, (from + SLICE).min(end)))
        .collect();
    let upsert = statement::upsert(table, true);
    let mut written = 0;
    let mut failed = Vec::new();
    while let Some((from, to)) = todo.pop() {
        match tx::subtransaction(|| sql::execute_saved(&upsert, &[from.into(), to.into()])) {
            Ok(n) => written += n,
            Err(error) if !matches!(error.kind, Kind::Value | Kind::Unique) => return Err(error),
            Err(error) if to - from == 1 => {
                failed.push((staged_identity(table, from)?, error));
                if failed.len() as i64 > settings::max_parked_rows() {
                    return Err(too_many(failed.len() as u64));
                }
            }
            Err(_) => {
                let middle = from + (to - from) / 2;
                todo.extend([(from, middle), (middle, to)]);
            }
        }
    }
    Ok((written, failed))
}

fn staged_identity(table: &Table, n: i64) -> Result<Identity, Error> {
    sql::first(&statement::staged_identity(table), &[n.into()], |row| {
        parked::identity(row, 1)
    })?
    .ok_or_else(|| Error::new(Kind::Bug, "a staged row vanished"))
}

pub fn too_many(parked: u64) -> Error {
    Error::new(
        Kind::BadTarget,
        format!("{parked} rows of one batch do not fit the table"),
    )
    .detail(format!(
        "More than orapull.max_parked_rows = {}.",
        settings::max_parked_rows()
    ))
    .hint("Mend the table (types, constraints), then SELECT orapull.resume(source, relation).")
}

/// Parks the pointers whose rows could not be read.
pub fn park_bad(bad: &[Bad], target: &Target) -> Result<u64, Error> {
    let mut parked = 0;
    for bad in bad.iter().filter(|bad| bad.target == target.id) {
        let identity = sql::first(
            r#"SELECT "row_id", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8" FROM pg_temp."pointers"
               WHERE "table_id" = $1 AND "portion" = $2 AND "ptr" = $3 AND "kind" = 'R'"#,
            &[bad.remote_id.into(), bad.portion.into(), bad.ptr.into()],
            |row| parked::identity(row, 1),
        )?;
        if let Some(identity) = identity {
            parked::park(target.id, &identity, Reason::Parked, Some(&bad.error))?;
            parked += 1;
        }
    }
    Ok(parked)
}

/// Deletes the rows that hold a value which a staged row wants in a secondary unique index, to be asked
/// again: at the source the value has moved, so they have changed as well. `tired` are rows that made way
/// too often: they are parked. Returns the rows, and how many were parked.
pub fn make_way(
    source: &Source,
    table: &Table,
    tired: &HashSet<(i32, Identity)>,
) -> Result<(Vec<(i32, Identity)>, u64), Error> {
    let mut displaced = Vec::new();
    let mut parked = 0;
    for index in &table.uniques {
        let identities = tx::as_owner(source.owner, || {
            sql::query(&statement::delete_colliding(table, index), &[], |row| {
                parked::identity(row, 1)
            })
        })?;
        for identity in identities {
            let row = (table.target_id, identity);
            if tired.contains(&row) {
                park_tired(source, table, &row.1, &index.name)?;
                parked += 1;
            } else {
                parked::park(table.target_id, &row.1, Reason::FetchAgain, None)?;
            }
            displaced.push(row);
        }
    }
    Ok((displaced, parked))
}

fn park_tired(
    source: &Source,
    table: &Table,
    identity: &Identity,
    index: &str,
) -> Result<(), Error> {
    let error = no_such_index(index);
    parked::park(table.target_id, identity, Reason::Parked, Some(&error))?;
    event::note(
        source.id,
        Some(table.target_id),
        Event::SameValue(index),
        serde_json::json!({ "index": index }),
    )
}

fn no_such_index(index: &str) -> Error {
    Error::new(Kind::Unique, Event::SameValue(index).what())
    .hint("The source has no such unique index, or not in the same form: drop it here and create it at cutover.")
}
