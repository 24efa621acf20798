//! The SQL of fetch, delete, upsert, hold and park. Pure; with `quote.rs` the only place that
//! quotes names on the data path.
//!
//! Staging tables live in `pg_temp` and belong to the superuser of the worker; the owner of the source
//! may only read and insert. What has values of `rows_<n>` runs as the owner: types and casts may be
//! that role's.

mod apply;
mod differences;
mod fetch;
mod held;
mod value;

pub use apply::*;
pub use differences::*;
pub use fetch::*;
pub use held::*;

use crate::pull::table::{Identity, Table};
use crate::quote::ident;
use value::{comparable, converted, key_from_text, key_to_text};

/// The column of a target in ROWID identity.
pub const ROWID_COLUMN: &str = "ora_rowid";

const KEYS: [&str; 8] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"];

/// The identity columns of pointers and parked rows.
fn identity_names() -> impl Iterator<Item = &'static str> {
    std::iter::once("row_id").chain(KEYS)
}

fn identity_list() -> String {
    list(identity_names().map(|name| format!("\"{name}\"")))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

/// The staging table for the rows of one target.
pub fn rows_table(table: &Table) -> String {
    format!("pg_temp.\"rows_{}\"", table.target_id)
}

/// That a target can read the row of pointer `p`.
fn readable(target: &str) -> String {
    format!("({target} = ANY (p.\"bad\")) IS NOT TRUE")
}

/// One identity part: its column in the target, and how it is got from staged rows and pointers.
struct Part {
    column: String,
    staged: String,
    pointer: String,
    /// Its type has collations.
    text: bool,
}

fn parts(table: &Table) -> Vec<Part> {
    match &table.identity {
        Identity::Rowid => vec![Part {
            column: ident(ROWID_COLUMN),
            staged: "s.\"p$rowid\"".to_owned(),
            pointer: "p.\"row_id\"".to_owned(),
            text: true,
        }],
        Identity::Key(keys) => keys
            .iter()
            .enumerate()
            .map(|(i, key)| {
                let column = &table.columns[key.column];
                let name = ident(&column.name);
                Part {
                    staged: comparable(column, converted(column, &format!("s.{name}"))),
                    pointer: key_from_text(table, key, &format!("p.\"{}\"", KEYS[i])),
                    column: name,
                    text: matches!(
                        column.local_type.as_str(),
                        "text" | "character varying" | "character"
                    ),
                }
            })
            .collect(),
    }
}

/// That a row of the target and a row of [`distinct_rows`] have one identity.
fn same_identity(table: &Table) -> String {
    let same = parts(table)
        .into_iter()
        .map(|part| format!("t.{0} = d.{0}", part.column));
    same.collect::<Vec<_>>().join(" AND ")
}

/// ROWID and K1..K8 of rows of the target, as text; NULL where the identity has no such part.
fn identity_text(table: &Table, alias: &str) -> Vec<String> {
    let mut texts = vec!["NULL::text".to_owned(); 9];
    match &table.identity {
        Identity::Rowid => texts[0] = format!("{alias}.{}::text", ident(ROWID_COLUMN)),
        Identity::Key(keys) => {
            for (text, key) in texts[1..].iter_mut().zip(keys) {
                let name = ident(&table.columns[key.column].name);
                *text = key_to_text(table, key, &format!("{alias}.{name}"));
            }
        }
    }
    texts
}

/// ROWID, K1..K8 of staged rows `s`, as text.
fn staged_text(table: &Table) -> Vec<String> {
    let mut texts = vec!["NULL::text".to_owned(); 9];
    match &table.identity {
        Identity::Rowid => texts[0] = "s.\"p$rowid\"".to_owned(),
        Identity::Key(keys) => {
            for (text, key) in texts[1..].iter_mut().zip(keys) {
                let column = &table.columns[key.column];
                let value = converted(column, &format!("s.{}", ident(&column.name)));
                *text = key_to_text(table, key, &value);
            }
        }
    }
    texts
}

/// Staged rows as rows of the target, one per identity, sorted by it: a row twice in one statement
/// fails, and sorted input halves the cost of the upsert.
fn distinct_rows(table: &Table, range: bool) -> String {
    let order = list(parts(table).into_iter().map(|part| part.staged));
    let mut values: Vec<String> = table
        .columns
        .iter()
        .map(|c| {
            format!(
                "{} AS {}",
                converted(c, &format!("s.{}", ident(&c.name))),
                ident(&c.name)
            )
        })
        .collect();
    if table.identity == Identity::Rowid {
        values.push(format!("s.\"p$rowid\" AS {}", ident(ROWID_COLUMN)));
    }
    let slice = if range {
        " WHERE s.\"p$n\" >= $1 AND s.\"p$n\" < $2"
    } else {
        ""
    };
    format!(
        "SELECT DISTINCT ON ({order}) {values} FROM {rows} s{slice} ORDER BY {order}",
        values = values.join(", "),
        rows = rows_table(table),
    )
}

#[cfg(test)]
mod samples {
    use crate::pull::table::{Column, Identity, Table};

    pub fn column(name: &str, foreign_type: &str, local_type: &str) -> Column {
        Column {
            name: name.to_owned(),
            foreign_type: foreign_type.to_owned(),
            local_type: local_type.to_owned(),
        }
    }

    pub fn table() -> Table {
        Table {
            target_id: 3,
            remote_id: 7,
            relation: "\"app\".\"a\"\"b\"".to_owned(),
            foreign_schema: "orapull_\"x".to_owned(),
            identity: Identity::Rowid,
            columns: vec![column("say \"hi\"", "text", "text")],
            uniques: Vec::new(),
            filter: Some("region_id = 7".to_owned()),
            referenced: false,
        }
    }
}
