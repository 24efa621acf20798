//! What makes a target equal to the staged rows. Pure.

use super::{
    ROWID_COLUMN, distinct_rows, identity_text, list, parts, readable, rows_table, same_identity,
    staged_text,
};
use crate::pull::table::{Identity, Table, UniqueIndex};
use crate::quote::ident;

/// Deletes the identities that a pointer names and no fetched row has. $1 table id.
///
/// A set difference, not "pointers that returned nothing": a pointer by ROWID can return a row of
/// another key.
pub fn delete_gone(table: &Table) -> String {
    let parts = parts(table);
    let named = list(
        parts
            .iter()
            .enumerate()
            .map(|(i, part)| format!("{} AS \"i{i}\"", part.pointer)),
    );
    let fetched = list(parts.iter().map(|part| part.staged.clone()));
    let known = match table.identity {
        Identity::Rowid => "p.\"row_id\" IS NOT NULL",
        Identity::Key(_) => "p.\"k1\" IS NOT NULL",
    };
    // With the default collation on this side, the comparison takes the one of the target's column,
    // whatever it is, and so that of its index.
    let gone = list(parts.iter().enumerate().map(|(i, part)| {
        let collation = if part.text {
            " COLLATE \"default\""
        } else {
            ""
        };
        format!("e.\"i{i}\"{collation} AS \"i{i}\"")
    }));
    let same = parts
        .iter()
        .enumerate()
        .map(|(i, part)| format!("t.{} = g.\"i{i}\"", part.column))
        .collect::<Vec<_>>()
        .join(" AND ");
    format!(
        "DELETE FROM {relation} t USING (SELECT {gone} FROM (SELECT {named} FROM pg_temp.\"pointers\" p \
         WHERE p.\"table_id\" = $1 AND p.\"kind\" = 'R' AND {readable} AND {known} \
         EXCEPT SELECT {fetched} FROM {rows} s) e) g WHERE {same}",
        relation = table.relation,
        readable = readable(&table.target_id.to_string()),
        rows = rows_table(table),
    )
}

fn insert_columns(table: &Table) -> Vec<String> {
    let mut names: Vec<String> = table.columns.iter().map(|c| ident(&c.name)).collect();
    if table.identity == Identity::Rowid {
        names.push(ident(ROWID_COLUMN));
    }
    names
}

/// Makes the target's rows equal to the staged ones. With `range`: only rows numbered $1 <= n < $2.
///
/// `*<>` compares images: IS DISTINCT FROM hides changes under nondeterministic collations and
/// does not exist for json, xml, point.
pub fn upsert(table: &Table, range: bool) -> String {
    let names = insert_columns(table);
    let identity: Vec<String> = parts(table).into_iter().map(|part| part.column).collect();
    let others: Vec<&String> = names.iter().filter(|n| !identity.contains(n)).collect();
    let action = if others.is_empty() {
        "DO NOTHING".to_owned()
    } else {
        format!(
            "DO UPDATE SET {set} WHERE ROW({old})::record *<> ROW({new})::record",
            set = list(others.iter().map(|n| format!("{n} = excluded.{n}"))),
            old = list(others.iter().map(|n| format!("t.{n}"))),
            new = list(others.iter().map(|n| format!("excluded.{n}"))),
        )
    };
    format!(
        "INSERT INTO {relation} AS t ({columns}) OVERRIDING SYSTEM VALUE \
         SELECT {columns} FROM ({rows}) d ON CONFLICT ({identity}) {action}",
        relation = table.relation,
        columns = names.join(", "),
        rows = distinct_rows(table, range),
        identity = identity.join(", "),
    )
}

/// Deletes the rows of other identity that hold a value of unique index `index` which a staged row
/// wants; returns their identities (ROWID, K1..K8). One that is staged itself comes back with the
/// upsert; asking for it once more is harmless.
pub fn delete_colliding(table: &Table, index: &UniqueIndex) -> String {
    let same = index
        .columns
        .iter()
        .map(|c| format!("t.{0} = d.{0}", ident(c)))
        .collect::<Vec<_>>()
        .join(" AND ");
    format!(
        "DELETE FROM {relation} t USING ({rows}) d WHERE {same} AND NOT ({itself}) RETURNING {identity}",
        relation = table.relation,
        rows = distinct_rows(table, false),
        itself = same_identity(table),
        identity = list(identity_text(table, "t")),
    )
}

/// Empties the target.
pub fn empty(table: &Table) -> String {
    if table.referenced {
        delete_all(table)
    } else {
        format!("TRUNCATE {}", table.relation)
    }
}

pub fn delete_all(table: &Table) -> String {
    format!("DELETE FROM {}", table.relation)
}

/// Locks the target as TRUNCATE does, at once or not at all.
pub fn lock_alone(table: &Table) -> String {
    format!(
        "LOCK TABLE {} IN ACCESS EXCLUSIVE MODE NOWAIT",
        table.relation
    )
}

/// Fails at once while the target must not even be read.
pub fn lock_to_read(table: &Table) -> String {
    format!("LOCK TABLE {} IN ACCESS SHARE MODE NOWAIT", table.relation)
}

/// Numbers the staged rows, for slices. Only a failing batch pays for it.
pub fn number_rows(table: &Table) -> [String; 2] {
    let rows = rows_table(table);
    [
        format!("ALTER TABLE {rows} ADD COLUMN \"p$n\" bigint GENERATED ALWAYS AS IDENTITY"),
        format!("CREATE INDEX ON {rows} (\"p$n\")"),
    ]
}

pub fn count_rows(table: &Table) -> String {
    format!("SELECT count(*) FROM {}", rows_table(table))
}

/// Identity of the staged row numbered $1: ROWID, K1..K8 as text.
pub fn staged_identity(table: &Table) -> String {
    let texts = list(staged_text(table));
    format!(
        "SELECT {texts} FROM {rows} s WHERE s.\"p$n\" = $1",
        rows = rows_table(table)
    )
}
