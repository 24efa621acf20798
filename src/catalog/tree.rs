//! What neither a local table nor any of its partitions may be: looked at when a table is added, and again in every
//! transaction that writes to it.

use pgrx::prelude::*;

use crate::error::{Error, Kind};
use crate::sql;

/// Something about a table or one of its partitions.
struct Flaw {
    root: String,
    at: String,
    /// Words of the query.
    what: String,
    index: Option<String>,
}

/// Rules of a partition do nothing, as it is written to by way of the table. `pg_partition_tree` has no row of a table
/// that is neither partitioned nor a partition.
const FLAW: &str = "SELECT $1::regclass::text, c.oid::regclass::text, f.what, u.name
    FROM (SELECT $1 AS oid UNION ALL SELECT p.relid FROM pg_partition_tree($1) p WHERE p.relid <> $1) t
    JOIN pg_class c ON c.oid = t.oid
    LEFT JOIN LATERAL (
        SELECT i.indexrelid::regclass::text AS name,
               CASE WHEN i.indisexclusion THEN 'exclusion' WHEN i.indexprs IS NOT NULL THEN 'expression' ELSE 'partial' END AS what
        FROM pg_index i
        WHERE i.indrelid = c.oid AND (i.indisexclusion OR (i.indisunique AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)))
        LIMIT 1
    ) u ON true
    CROSS JOIN LATERAL (
        SELECT CASE
                   WHEN c.relkind NOT IN ('r', 'p') THEN 'kind'
                   WHEN c.relpersistence <> 'p' THEN 'persistence'
                   WHEN c.oid = $1 AND c.relhasrules AND EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = $1) THEN 'rules'
                   WHEN c.oid = $1 AND c.relkind = 'r' AND c.relhassubclass AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = $1)
                       OR c.oid = $1 AND NOT c.relispartition AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = $1)
                       THEN 'inheritance'
                   ELSE u.what
               END AS what
    ) f
    WHERE f.what IS NOT NULL
    LIMIT 1";

/// Refuses a table that rows would be lost in, or could not be written to. In a transaction that writes, call it after the
/// writing: the locks of the partitions that were written to keep them as they are until the commit.
pub fn check(relation: pg_sys::Oid) -> Result<(), Error> {
    let flaw = sql::query_saved(FLAW, &[relation.into()], |row| {
        Ok(Flaw {
            root: row.get(1)?,
            at: row.get(2)?,
            what: row.get(3)?,
            index: row.optional(4)?,
        })
    })?;
    match flaw.first() {
        None => Ok(()),
        Some(flaw) => Err(refusal(flaw)),
    }
}

fn refusal(flaw: &Flaw) -> Error {
    let subject = if flaw.at == flaw.root {
        flaw.root.clone()
    } else {
        format!("{}: its partition {}", flaw.root, flaw.at)
    };
    let index = flaw.index.as_deref().unwrap_or_default();
    let collide =
        |what: &str| format!("has {what}, {index}: rows that pass a value on would collide");
    let later = "Drop it now and create it at cutover, when the source is still.";
    let (why, hint) = match flaw.what.as_str() {
        "kind" => (
            "is not a table".to_owned(),
            "Name an ordinary or a partitioned table.",
        ),
        "persistence" => (
            "is not permanent: what was acked would be lost in a crash".to_owned(),
            "ALTER TABLE ... SET LOGGED. If the server has crashed meanwhile, load the table again: orapull.resync(relation).",
        ),
        "rules" => (
            "has rules, which would rewrite what is applied".to_owned(),
            "Drop the rules.",
        ),
        "inheritance" => (
            "is part of an inheritance tree, where a key is not unique".to_owned(),
            "Use a partitioned table instead.",
        ),
        "exclusion" => (collide("an exclusion constraint"), later),
        "expression" => (collide("a unique index on an expression"), later),
        _ => (collide("a partial unique index"), later),
    };
    Error::new(Kind::BadTarget, format!("{subject} {why}")).hint(hint)
}
