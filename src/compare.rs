//! compare: both sides of a table, row by row.
//!
//! It makes a plan of its own at the source and reads its chunks like a load, in the session of the
//! caller. Rows that change while it reads can show as different; on a still source it is exact.

use pgrx::prelude::*;
use serde_json::{Map, Value, json};

use crate::api::as_superuser;
use crate::catalog::relation;
use crate::catalog::source::Source;
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::table::{Identity, Table};
use crate::pull::{poll, staging, statement, tx};
use crate::register::Line;
use crate::settings;
use crate::source::dictionary;
use crate::sql::{self, Row};

/// Differences that are returned at most: more than that is not a list but a resync.
const MOST: i64 = 1000;

/// One difference.
pub struct Difference {
    /// missing (here), extra (here), different.
    pub difference: String,
    pub identity: Value,
    /// Columns that differ: value here and at the source.
    pub detail: Option<Value>,
}

pub fn compare(line: &Line, target: &Target, sample: f64) -> Result<Vec<Difference>, Error> {
    if !(sample > 0.0 && sample <= 1.0) {
        return Err(Error::new(
            Kind::BadArgument,
            format!("sample must be above 0 and at most 1, not {sample}"),
        ));
    }
    let source = &line.source;
    let table = as_superuser(|| relation::describe(source, target))?;
    let plan = plan(line, target)?;
    let read = chosen(plan.chunks, sample);
    as_superuser(|| staging(source, &table))?;
    let mut differences = Vec::new();
    for chunk in &read {
        as_superuser(|| sql::execute(&statement::truncate_rows(&table), &[]))?;
        tx::as_owner(source.owner, || {
            one_chunk(&table, plan.plan_id, *chunk, &mut differences)
        })?;
        if differences.len() as i64 >= MOST {
            break;
        }
    }
    if read.len() as i64 == plan.chunks && (differences.len() as i64) < MOST {
        tx::as_owner(source.owner, || extra(&table, &mut differences))?;
    }
    as_superuser(|| drop_staging(&table))?;
    still_planned(source, plan.plan_id)?;
    Ok(differences)
}

fn plan(line: &Line, target: &Target) -> Result<crate::source::control::Plan, Error> {
    let rows = dictionary::rows(&line.control, target.remote_id)?;
    let chunks = rows / settings::load_chunk_rows() + 1;
    line.control
        .plan_ranges(&line.source.shard, line.token, target.remote_id, chunks)
}

/// Chunks to read: all, or an evenly spread share of them.
fn chosen(chunks: i64, sample: f64) -> Vec<i64> {
    if sample >= 1.0 {
        return (1..=chunks).collect();
    }
    let wanted = ((chunks as f64 * sample).ceil() as i64).clamp(1, chunks);
    // SAFETY: reads the clock.
    let start = unsafe { pg_sys::GetCurrentTimestamp() }.rem_euclid(chunks);
    (0..wanted)
        .map(|i| 1 + (start + i * chunks / wanted) % chunks)
        .collect()
}

fn staging(source: &Source, table: &Table) -> Result<(), Error> {
    staging::create_rows(source, table)?;
    staging::create_seen(source)
}

fn drop_staging(table: &Table) -> Result<(), Error> {
    sql::execute(&statement::drop_rows(table), &[])?;
    sql::execute("DROP TABLE IF EXISTS pg_temp.\"seen\"", &[])?;
    Ok(())
}

fn one_chunk(
    table: &Table,
    plan: i64,
    chunk: i64,
    differences: &mut Vec<Difference>,
) -> Result<(), Error> {
    sql::execute(&statement::fetch_chunk(table), &[plan.into(), chunk.into()])?;
    sql::execute(&statement::see(table), &[])?;
    let left = MOST - differences.len() as i64;
    let found = sql::query(&statement::unequal(table), &[left.into()], |row| {
        let here = row.optional::<pgrx::JsonB>(2)?.map(|json| json.0);
        let there = row.get::<pgrx::JsonB>(3)?.0;
        Ok(Difference {
            difference: row.get(1)?,
            identity: identity(table, row, 4)?,
            detail: here.map(|here| changed(&here, &there)),
        })
    })?;
    differences.extend(found);
    Ok(())
}

/// Rows here that no chunk had.
fn extra(table: &Table, differences: &mut Vec<Difference>) -> Result<(), Error> {
    let left = MOST - differences.len() as i64;
    let found = sql::query(&statement::extra(table), &[left.into()], |row| {
        Ok(Difference {
            difference: "extra".to_owned(),
            identity: identity(table, row, 1)?,
            detail: None,
        })
    })?;
    differences.extend(found);
    Ok(())
}

/// ROWID or key columns of a row, from nine columns of text.
fn identity(table: &Table, row: &Row, first: usize) -> Result<Value, Error> {
    let mut object = Map::new();
    match &table.identity {
        Identity::Rowid => {
            object.insert(
                statement::ROWID_COLUMN.to_owned(),
                json!(row.optional::<String>(first)?),
            );
        }
        Identity::Key(keys) => {
            for (i, key) in keys.iter().enumerate() {
                object.insert(
                    table.columns[key.column].name.clone(),
                    json!(row.optional::<String>(first + 1 + i)?),
                );
            }
        }
    }
    Ok(Value::Object(object))
}

/// The columns that differ.
fn changed(here: &Value, there: &Value) -> Value {
    let (Some(here), Some(there)) = (here.as_object(), there.as_object()) else {
        return Value::Null;
    };
    there
        .iter()
        .filter(|(name, value)| here.get(*name) != Some(*value))
        .map(|(name, value)| {
            let both = json!({ "here": here.get(name), "source": value });
            (name.clone(), both)
        })
        .collect::<Map<String, Value>>()
        .into()
}

/// An unknown plan would have looked like an empty table.
fn still_planned(source: &Source, plan: i64) -> Result<(), Error> {
    if poll::plan_known(source, plan)? {
        return Ok(());
    }
    Err(Error::new(
        Kind::Forgotten,
        "the source forgot the plan while it was read, or this transaction cannot see it",
    )
    .hint("Compare each table in a transaction of its own."))
}
