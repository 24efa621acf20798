//! From PostgreSQL's own catalog to a [`Table`] of the data path.

use pgrx::prelude::*;

use crate::catalog::source::Source;
use crate::catalog::target::Target;
use crate::error::{Error, Kind};
use crate::pull::table::{Column, Identity, Key, Table, UniqueIndex};
use crate::quote::qualified;
use crate::source::contract;
use crate::sql;

/// The table of a target, ready for the statements of `pull/statement`.
pub fn describe(source: &Source, target: &Target) -> Result<Table, Error> {
    let relation = relation_name(target)?;
    let columns = columns(source, target)?;
    let identity = identity(target, &columns)?;
    let names: Vec<&str> = match &identity {
        Identity::Rowid => vec![crate::pull::statement::ROWID_COLUMN],
        Identity::Key(keys) => keys
            .iter()
            .map(|k| columns[k.column].name.as_str())
            .collect(),
    };
    Ok(Table {
        target_id: target.id,
        remote_id: target.remote_id,
        relation,
        foreign_schema: source.local_schema.clone(),
        uniques: uniques(target.relation, &names, &columns)?,
        referenced: referenced(target.relation)?,
        filter: target.filter.clone(),
        identity,
        columns,
    })
}

fn gone(target: &Target) -> Error {
    Error::new(
        Kind::BadTarget,
        format!("the local table of {}.{} was dropped", target.remote_owner, target.remote_table),
    )
    .hint("SELECT orapull.drop_table(...) with the number that orapull.tables shows, then add the table again.")
}

fn relation_name(target: &Target) -> Result<String, Error> {
    sql::first(
        "SELECT n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1",
        &[target.relation.into()],
        |row| Ok(qualified(&row.get::<String>(1)?, &row.get::<String>(2)?)),
    )?
    .ok_or_else(|| gone(target))
}

/// Columns that the foreign table and the local one both have, but for generated ones.
fn columns(source: &Source, target: &Target) -> Result<Vec<Column>, Error> {
    let foreign = contract::pull_table(target.id);
    sql::query(
        "SELECT l.attname::text, format_type(f.atttypid, NULL),
                (WITH RECURSIVE b (type) AS (
                     SELECT l.atttypid
                     UNION ALL
                     SELECT t.typbasetype FROM b JOIN pg_type t ON t.oid = b.type AND t.typtype = 'd'
                 )
                 SELECT format_type(t.oid, NULL) FROM b JOIN pg_type t ON t.oid = b.type AND t.typtype <> 'd')
         FROM pg_attribute l
         JOIN pg_attribute f ON f.attname = l.attname AND f.attnum > 0 AND NOT f.attisdropped
         JOIN pg_class c ON c.oid = f.attrelid
         JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE l.attrelid = $1 AND l.attnum > 0 AND NOT l.attisdropped AND l.attgenerated = ''
           AND n.nspname = $2 AND c.relname = $3 AND f.attname NOT LIKE 'p$%'
         ORDER BY f.attnum",
        &[
            target.relation.into(),
            source.local_schema.as_str().into(),
            foreign.into(),
        ],
        |row| {
            Ok(Column {
                name: row.get(1)?,
                foreign_type: row.get(2)?,
                local_type: row.get(3)?,
            })
        },
    )
}

fn identity(target: &Target, columns: &[Column]) -> Result<Identity, Error> {
    if target.identity == "rowid" {
        return Ok(Identity::Rowid);
    }
    let keys = target.key_columns.iter().map(|key| {
        let column = columns.iter().position(|c| c.name == key.name);
        let column = column.ok_or_else(|| {
            Error::new(
                Kind::BadTarget,
                format!(
                    "{} has no column {}, which is part of the key",
                    target.name, key.name
                ),
            )
        })?;
        Ok(Key {
            column,
            kind: key.kind,
            length: key.length,
        })
    });
    Ok(Identity::Key(keys.collect::<Result<_, Error>>()?))
}

/// Unique indexes on plain columns that come from the source, other than the one of the identity.
/// The values of other columns are the shard's own: they do not pass from row to row.
fn uniques(
    relation: pg_sys::Oid,
    identity: &[&str],
    columns: &[Column],
) -> Result<Vec<UniqueIndex>, Error> {
    let mut indexes = sql::query(
        "SELECT i.indexrelid::regclass::text,
                (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, n)
                 JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum WHERE k.n <= i.indnkeyatts)
         FROM pg_index i WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid
           AND i.indexprs IS NULL AND i.indpred IS NULL",
        &[relation.into()],
        |row| {
            Ok(UniqueIndex {
                name: row.get(1)?,
                columns: row.get(2)?,
            })
        },
    )?;
    indexes.retain(|index| {
        let of_identity = index.columns.len() == identity.len()
            && index.columns.iter().all(|c| identity.contains(&c.as_str()));
        let of_source = |name: &String| columns.iter().any(|c| c.name == *name);
        !of_identity && index.columns.iter().all(of_source)
    });
    Ok(indexes)
}

fn referenced(relation: pg_sys::Oid) -> Result<bool, Error> {
    let found = sql::first(
        "SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = $1 AND conrelid <> $1 LIMIT 1",
        &[relation.into()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}
