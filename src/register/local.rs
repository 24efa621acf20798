//! The local table, when none was given.

use pgrx::prelude::*;

use crate::catalog::source::Source;
use crate::error::{Error, Kind};
use crate::pull::drift::Described;
use crate::pull::statement::ROWID_COLUMN;
use crate::pull::tx;
use crate::quote::{ident, qualified};
use crate::register::Wanted;
use crate::source::contract::local_name;
use crate::sql;

/// Creates `lower(owner).lower(table)` as the owner of the source.
pub fn create(
    source: &Source,
    wanted: &Wanted,
    described: &Described,
) -> Result<pg_sys::Oid, Error> {
    let (schema, table) = (local_name(&wanted.owner), local_name(&wanted.table));
    let there = sql::first(
        "SELECT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = $2)
         FROM pg_namespace n WHERE n.nspname = $1",
        &[schema.as_str().into(), table.as_str().into()],
        |row| row.get::<bool>(1),
    )?;
    match there {
        None => {
            return Err(Error::new(
                Kind::NotFound,
                format!("there is no schema {schema} for table {}.{}", wanted.owner, wanted.table),
            )
            .hint(format!(
                "CREATE SCHEMA {} AUTHORIZATION <owner of the source>; or name the local table: relation => '...'",
                ident(&schema)
            )));
        }
        Some(true) => {
            return Err(
                Error::new(Kind::Exists, format!("{schema}.{table} exists already")).hint(format!(
                    "To follow into it, name it: relation => '{schema}.{table}'. Does it follow already? orapull.tables shows that."
                )),
            );
        }
        Some(false) => {}
    }
    let name = qualified(&schema, &table);
    tx::as_owner(source.owner, || {
        sql::execute(&definition(&name, described)?, &[])
    })?;
    sql::first("SELECT $1::regclass::oid", &[name.into()], |row| row.get(1))?
        .ok_or_else(|| Error::new(Kind::Bug, "a created table is not there"))
}

fn definition(name: &str, described: &Described) -> Result<String, Error> {
    let mut parts: Vec<String> = described
        .columns
        .iter()
        .map(|(column, mapped)| {
            let not_null = if column.nullable { "" } else { " NOT NULL" };
            format!(
                "{} {}{not_null}",
                ident(&local_name(&column.name)),
                mapped.local
            )
        })
        .collect();
    if described.keys.is_empty() {
        let taken = described
            .columns
            .iter()
            .any(|(column, _)| local_name(&column.name) == ROWID_COLUMN);
        if taken {
            return Err(Error::new(
                Kind::BadTarget,
                format!("the table has a column {ROWID_COLUMN}, which orapull needs for the ROWID"),
            ));
        }
        // "C": other collations cost twice the upsert, and a ROWID is not a word.
        parts.push(format!(
            "{} text COLLATE \"C\" NOT NULL UNIQUE",
            ident(ROWID_COLUMN)
        ));
    } else {
        let keys: Vec<String> = described.keys.iter().map(|key| ident(&key.name)).collect();
        parts.push(format!("PRIMARY KEY ({})", keys.join(", ")));
    }
    // Room in each page keeps updates on it (HOT).
    Ok(format!(
        "CREATE TABLE {name} ({}) WITH (fillfactor = 90)",
        parts.join(", ")
    ))
}
