//! Which local tables can be followed into. Each rule closes a way to lose rows or to fail later.

use pgrx::prelude::*;

use crate::api::as_superuser;
use crate::catalog::source::Source;
use crate::catalog::{target, tree};
use crate::error::{Error, Kind};
use crate::pull::drift::Described;
use crate::pull::statement::ROWID_COLUMN;
use crate::pull::tx;
use crate::register::Load;
use crate::source::contract::local_name;
use crate::source::keys;
use crate::source::types;
use crate::sql;

pub fn check(
    source: &Source,
    relation: pg_sys::Oid,
    described: &Described,
    load: Load,
) -> Result<(), Error> {
    let identity: Vec<String> = if described.keys.is_empty() {
        vec![ROWID_COLUMN.to_owned()]
    } else {
        described.keys.iter().map(|key| key.name.clone()).collect()
    };
    let found = look(relation)?;
    tree::check(relation)?;
    not_followed(relation, &found)?;
    reachable(source, relation, &found)?;
    identity_index(relation, &found, &identity)?;
    tell_what_is_not_enforced(relation, &found)?;
    key_types(relation, &found, described)?;
    identity_columns(relation, &found, &identity)?;
    if load == Load::Auto {
        empty(source, &found)?;
    }
    tell_what_is_lost(relation, &found, described)
}

/// Columns whose local type keeps less than the source has, without an error for each row: that may
/// be meant, so it is said and not refused.
fn tell_what_is_lost(
    relation: pg_sys::Oid,
    found: &Found,
    described: &Described,
) -> Result<(), Error> {
    for (column, _) in &described.columns {
        let name = local_name(&column.name);
        let lost = sql::first(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute
             WHERE attrelid = $1 AND attname = $2 AND attnum > 0 AND NOT attisdropped",
            &[relation.into(), name.as_str().into()],
            |row| row.get::<String>(1),
        )?
        .and_then(|local| types::lost(column, &local));
        if let Some(lost) = lost {
            notice!("{}: column {name} {lost}", found.name);
        }
    }
    Ok(())
}

/// What the catalog says of a relation.
struct Found {
    name: String,
    partition_key: Option<Vec<String>>,
}

fn look(relation: pg_sys::Oid) -> Result<Found, Error> {
    sql::first(
        r#"SELECT c.oid::regclass::text,
                  (SELECT array_agg(coalesce(a.attname::text, '(expression)')) FROM pg_partitioned_table p
                   CROSS JOIN unnest(p.partattrs::int2[]) k
                   LEFT JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = k AND k > 0
                   WHERE p.partrelid = c.oid)
           FROM pg_class c WHERE c.oid = $1"#,
        &[relation.into()],
        |row| {
            Ok(Found {
                name: row.get(1)?,
                partition_key: row.optional(2)?,
            })
        },
    )?
    .ok_or_else(|| Error::new(Kind::NotFound, "there is no such table"))
}

fn refuse(found: &Found, why: &str, hint: &str) -> Error {
    Error::new(Kind::BadTarget, format!("{} {why}", found.name)).hint(hint)
}

fn not_followed(relation: pg_sys::Oid, found: &Found) -> Result<(), Error> {
    match as_superuser(|| target::by_relation(relation))? {
        None => Ok(()),
        Some(_) => Err(Error::new(
            Kind::Exists,
            format!("{} is followed into already", found.name),
        )
        .hint("One local table follows one table of one source: orapull.drop_table first.")),
    }
}

/// The owner of the source can write the table, and sees all its rows.
fn reachable(source: &Source, relation: pg_sys::Oid, found: &Found) -> Result<(), Error> {
    let missing = sql::first(
        "SELECT string_agg(p, ', ') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p
         WHERE NOT has_table_privilege($1, $2, p)",
        &[source.owner.into(), relation.into()],
        |row| row.optional::<String>(1),
    )?;
    if let Some(Some(missing)) = missing {
        return Err(Error::new(
            Kind::Forbidden,
            format!(
                "the owner of source {} has no {missing} on {}",
                source.name, found.name
            ),
        )
        .hint("Grant it, or make the owner of the source the owner of the table."));
    }
    let policies = tx::as_owner(source.owner, || {
        sql::first(
            "SELECT row_security_active($1)",
            &[relation.into()],
            |row| row.get::<bool>(1),
        )
    })?;
    if policies == Some(true) {
        return Err(refuse(
            found,
            "has row security that applies to the owner of the source: rows it does not see would be missed",
            "Give that role BYPASSRLS, or make it the owner of the table without FORCE ROW LEVEL SECURITY.",
        ));
    }
    Ok(())
}

/// A valid, non-partial, non-deferrable unique index on exactly the identity, and none that folds:
/// ON CONFLICT goes by all of them.
fn identity_index(relation: pg_sys::Oid, found: &Found, identity: &[String]) -> Result<(), Error> {
    let found_indexes = sql::first(
        "SELECT bool_or(i.indisvalid AND i.indimmediate AND i.indpred IS NULL),
                bool_or(EXISTS (SELECT FROM pg_collation c WHERE c.oid = ANY (i.indcollation) AND NOT c.collisdeterministic))
         FROM pg_index i
         WHERE i.indrelid = $1 AND i.indisunique AND i.indexprs IS NULL AND i.indnkeyatts = cardinality($2)
           AND (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(n, at)
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n WHERE k.at <= i.indnkeyatts)
             = (SELECT array_agg(c ORDER BY c) FROM unnest($2) c)",
        &[relation.into(), identity.to_vec().into()],
        |row| Ok((row.optional::<bool>(1)?, row.optional::<bool>(2)?)),
    )?;
    let (fits, folds) = found_indexes.unwrap_or_default();
    let columns = identity.join(", ");
    if folds == Some(true) {
        return Err(refuse(
            found,
            &format!(
                "has a unique index on ({columns}) with a nondeterministic collation, which folds different values into one"
            ),
            "Drop that index, or give column and index a deterministic collation, for instance \"C\".",
        ));
    }
    match fits {
        Some(true) => {}
        Some(false) => {
            return Err(refuse(
                found,
                &format!(
                    "has a unique index on ({columns}) that is deferrable, partial or invalid"
                ),
                "ON CONFLICT needs a plain one: create it beside or instead.",
            ));
        }
        None => {
            return Err(refuse(
                found,
                &format!("has no unique index on ({columns}), by which rows are told apart"),
                &format!("CREATE UNIQUE INDEX ON {} ({columns});", found.name),
            ));
        }
    }
    let outside = found
        .partition_key
        .iter()
        .flatten()
        .find(|column| !identity.contains(column));
    match outside {
        Some(column) => Err(refuse(
            found,
            &format!("is partitioned by {column}, which is not part of the identity ({columns})"),
            "Partition by columns of the key: a row that moves between partitions must be found by its key.",
        )),
        None => Ok(()),
    }
}

fn tell_what_is_not_enforced(relation: pg_sys::Oid, found: &Found) -> Result<(), Error> {
    let deferrable = sql::query(
        "SELECT k.conname::text || CASE k.conrelid WHEN $1 THEN '' ELSE ' of ' || k.conrelid::regclass::text END
         FROM pg_constraint k
         WHERE (k.conrelid = $1 OR k.conrelid IN (SELECT t.relid FROM pg_partition_tree($1) t) AND k.conparentid = 0)
           AND k.condeferrable AND k.contype IN ('u', 'p')
         ORDER BY 1",
        &[relation.into()],
        |row| row.get::<String>(1),
    )?;
    for name in deferrable {
        notice!(
            "{}: the deferrable constraint {name} is not enforced while orapull writes (session_replication_role is replica)",
            found.name
        );
    }
    Ok(())
}

/// The key here must keep every two values of the source apart.
fn key_types(relation: pg_sys::Oid, found: &Found, described: &Described) -> Result<(), Error> {
    for key in &described.keys {
        let local = sql::first(
            "SELECT format_type(coalesce(nullif(t.typbasetype, 0), t.oid), CASE WHEN t.typbasetype = 0 THEN a.atttypmod ELSE t.typtypmod END),
                    coalesce(NOT c.collisdeterministic, false), a.attgenerated <> ''
             FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
             LEFT JOIN pg_collation c ON c.oid = a.attcollation
             WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped",
            &[relation.into(), key.name.as_str().into()],
            |row| Ok((row.get::<String>(1)?, row.get::<bool>(2)?, row.get::<bool>(3)?)),
        )?;
        let Some((local_type, folding, generated)) = local else {
            return Err(refuse(
                found,
                &format!("has no column {}, which is part of the key", key.name),
                "Add the column, or use identity => 'rowid'.",
            ));
        };
        if generated {
            return Err(refuse(
                found,
                &format!(
                    "has {}, which is part of the key, as a generated column",
                    key.name
                ),
                "Make it an ordinary column: ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION.",
            ));
        }
        let column = described
            .columns
            .iter()
            .map(|(column, _)| column)
            .find(|column| local_name(&column.name) == key.name);
        if let Some(column) = column {
            keys::fits(key.kind, column, &local_type, folding)?;
        }
    }
    Ok(())
}

fn identity_columns(
    relation: pg_sys::Oid,
    found: &Found,
    identity: &[String],
) -> Result<(), Error> {
    let always = sql::first(
        "SELECT attname::text FROM pg_attribute WHERE attrelid = $1 AND attidentity = 'a'
           AND NOT attisdropped AND attname <> ALL ($2)",
        &[relation.into(), identity.to_vec().into()],
        |row| row.get::<String>(1),
    )?;
    match always {
        Some(column) => Err(refuse(
            found,
            &format!("generates {column} always: it cannot be set to what the source has"),
            &format!(
                "ALTER TABLE {} ALTER {column} SET GENERATED BY DEFAULT;",
                found.name
            ),
        )),
        None => Ok(()),
    }
}

/// A table that has rows is made equal only when that was asked for.
fn empty(source: &Source, found: &Found) -> Result<(), Error> {
    let row = tx::as_owner(source.owner, || {
        sql::first(
            &format!("SELECT 1 FROM {} LIMIT 1", found.name),
            &[],
            |row| row.get::<i32>(1),
        )
    })?;
    match row {
        Some(_) => Err(refuse(
            found,
            "is not empty",
            "load => 'replace' makes it equal to the source (rows that the source does not have are deleted); load => 'none' leaves the first load to you.",
        )),
        None => Ok(()),
    }
}
