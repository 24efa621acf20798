//! The filter of a table: PostgreSQL itself says whether it will do.

use std::ffi::CString;

use pgrx::prelude::*;

use crate::catalog::source::Source;
use crate::error::{Error, Kind};
use crate::pull::drift::Described;
use crate::pull::tx;
use crate::quote::{ident, qualified};
use crate::source::contract::local_name;
use crate::source::types;
use crate::sql;

/// Checks a filter and returns it as PostgreSQL prints it. An index predicate may be what a filter
/// may be: boolean, immutable, over the columns of the table, without subqueries and aggregates. So
/// the filter is made the predicate of an index on an empty table, as the owner of the source. Not on
/// a temporary one: that role can make none while its code may run.
pub fn normalised(source: &Source, described: &Described, text: &str) -> Result<String, Error> {
    one_expression(text)?;
    let columns: Vec<String> = described
        .columns
        .iter()
        .map(|(column, mapped)| format!("{} {}", ident(&local_name(&column.name)), mapped.foreign))
        .collect();
    // SAFETY: set once, when the session began.
    let session = unsafe { pg_sys::MyProcPid };
    let table = qualified(&source.local_schema, &format!("filter_{session}"));
    tx::as_owner(source.owner, || {
        let create = format!("CREATE TABLE {table} ({})", columns.join(", "));
        sql::execute(&create, &[])?;
        let index = format!("CREATE INDEX ON {table} ((1)) WHERE ({text})");
        sql::execute(&index, &[])?;
        let filter = sql::first(
            "SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indrelid = $1::regclass",
            &[table.as_str().into()],
            |row| row.optional::<String>(1),
        )?
        .ok_or_else(|| Error::new(Kind::Bug, "a created index is not there"))?;
        if !described.keys.is_empty() {
            no_lob(described, &used_columns(&table)?)?;
        }
        sql::execute(&format!("DROP TABLE {table}"), &[])?;
        // To PostgreSQL an index WHERE true has no predicate.
        Ok(filter.unwrap_or_else(|| "true".to_owned()))
    })
}

/// Columns that an index of the table is made of.
fn used_columns(table: &str) -> Result<Vec<String>, Error> {
    sql::query(
        "SELECT a.attname::text FROM pg_depend d
         JOIN pg_index i ON i.indexrelid = d.objid
         JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
         WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
           AND i.indrelid = $1::regclass AND d.refobjid = i.indrelid AND d.refobjsubid > 0",
        &[table.into()],
        |row| row.get(1),
    )
}

/// LogMiner tells writes to a LOB without the key of their row. A row that leaves the filter by one could not be found here.
fn no_lob(described: &Described, used: &[String]) -> Result<(), Error> {
    let lob = described
        .columns
        .iter()
        .map(|(column, _)| column)
        .find(|column| types::is_lob(column) && used.contains(&local_name(&column.name)));
    lob.map_or(Ok(()), |column| {
        Err(Error::new(
            Kind::BadArgument,
            format!(
                "the filter looks at column {}, a LOB ({}): a row that leaves the filter by a change of it would stay here",
                local_name(&column.name),
                column.data_type
            ),
        )
        .hint("Filter by other columns, or follow the table by its ROWIDs: identity => 'rowid'."))
    })
}

/// Refuses text that is more than one expression: it would be pasted into statements.
fn one_expression(text: &str) -> Result<(), Error> {
    let statement = CString::new(format!("SELECT 1 WHERE (\n{text}\n)"))
        .map_err(|_| Error::new(Kind::BadArgument, "the filter contains a zero byte"))?;
    // SAFETY: a C string that lives through the call; the list belongs to the current memory
    // context. A syntax error is raised as such.
    let statements = unsafe {
        let list = pg_sys::raw_parser(statement.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT);
        if list.is_null() { 0 } else { (*list).length }
    };
    if statements == 1 {
        Ok(())
    } else {
        Err(Error::new(
            Kind::BadArgument,
            "the filter must be one boolean expression over the columns of the table",
        ))
    }
}
