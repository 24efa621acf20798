//! What is read of the source, and the staging tables that it goes to. Pure.

use super::{identity_list, identity_names, list, rows_table, staged_text};
use crate::pull::table::{Identity, Table};
use crate::quote::{ident, qualified};
use crate::source::contract;

/// Staged pointers of all tables of a batch or request. `bad`: the targets that cannot read its row; of two targets on
/// one table, one may.
pub const CREATE_POINTERS: &str = r#"CREATE TEMP TABLE "pointers" (
    "table_id" bigint NOT NULL, "kind" text NOT NULL, "portion" bigint NOT NULL, "ptr" bigint NOT NULL,
    "row_id" text COLLATE "C",
    "k1" text COLLATE "C", "k2" text COLLATE "C", "k3" text COLLATE "C", "k4" text COLLATE "C",
    "k5" text COLLATE "C", "k6" text COLLATE "C", "k7" text COLLATE "C", "k8" text COLLATE "C",
    "note" text, "bad" integer[])"#;

/// What is staged of a row, with its types: what apply reads and nothing else, for each column is
/// written as text, sent and parsed.
fn staged_columns(table: &Table) -> Vec<(String, &str)> {
    let rowid = match table.identity {
        Identity::Rowid => Some(("\"p$rowid\"".to_owned(), "text COLLATE \"C\"")),
        Identity::Key(_) => None,
    };
    let columns = table
        .columns
        .iter()
        .map(|c| (ident(&c.name), c.foreign_type.as_str()));
    rowid.into_iter().chain(columns).collect()
}

fn staged_names(table: &Table) -> String {
    list(staged_columns(table).into_iter().map(|(name, _)| name))
}

/// Staging table for the rows of one target.
pub fn create_rows(table: &Table) -> String {
    let columns = list(
        staged_columns(table)
            .into_iter()
            .map(|(name, of_type)| format!("{name} {of_type}")),
    );
    format!("CREATE TEMP TABLE \"rows_{}\" ({columns})", table.target_id)
}

pub fn drop_rows(table: &Table) -> String {
    format!("DROP TABLE IF EXISTS {}", rows_table(table))
}

pub fn truncate_rows(table: &Table) -> String {
    format!("TRUNCATE {}", rows_table(table))
}

const CHUNK: &str = "\"p$plan\" = $1 AND \"p$chunk\" = $2";

fn pull_table(table: &Table) -> String {
    qualified(
        &table.foreign_schema,
        &contract::pull_table(table.target_id),
    )
}

fn load_table(table: &Table) -> String {
    qualified(
        &table.foreign_schema,
        &contract::load_table(table.target_id),
    )
}

fn and_filter(table: &Table) -> String {
    match &table.filter {
        Some(filter) => format!(" AND ({filter})"),
        None => String::new(),
    }
}

fn fetch(table: &Table, from: &str, predicate: &str) -> String {
    format!(
        "INSERT INTO {rows} SELECT {columns} FROM {from} WHERE {predicate}{filter}",
        rows = rows_table(table),
        columns = staged_names(table),
        filter = and_filter(table),
    )
}

/// Rows of pointers. $1 slot, $2 and $3 first and last portion, $4 upper bound of P$PREV,
/// $5 and $6 first and last pointer number.
pub fn fetch_rows(table: &Table) -> String {
    fetch(
        table,
        &pull_table(table),
        "\"p$slot\" = $1 AND \"p$portion\" >= $2 AND \"p$portion\" <= $3 AND \"p$prev\" < $4 \
         AND \"p$ptr\" >= $5 AND \"p$ptr\" <= $6",
    )
}

/// Rows of one chunk. $1 plan, $2 chunk.
pub fn fetch_chunk(table: &Table) -> String {
    fetch(table, &load_table(table), CHUNK)
}

/// Identities of one chunk, as pointers: for a chunk with a value that cannot be read. Without the
/// filter, which may be what cannot be evaluated. $1 plan, $2 chunk.
pub fn fetch_chunk_identities(table: &Table) -> String {
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", {identity}) \
         SELECT {id}, 'R', 0, 0, {texts} FROM {load} s \
         WHERE {CHUNK}",
        identity = identity_list(),
        id = table.remote_id,
        texts = list(staged_text(table)),
        load = load_table(table),
    )
}

/// Pointers to the tables of this shard, with the predicate of [`fetch_rows`]. $1 slot, $2 and $3
/// portions, $4 upper bound of P$PREV, $5 table ids (filtered here: arrays are not pushed down by
/// every FDW). Of K1..K8 only the first `keys` are read: the others are NULL in every pointer.
pub fn fetch_pointers(foreign_schema: &str, keys: usize) -> String {
    let read = identity_names().take(1 + keys);
    let identity = list(read.map(|name| format!("\"{name}\"")));
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", {identity}, \"note\") \
         SELECT \"table_id\", \"kind\", \"p$portion\", \"p$ptr\", {identity}, \"note\" FROM {schema}.\"pointer_v\" \
         WHERE \"p$slot\" = $1 AND \"p$portion\" >= $2 AND \"p$portion\" <= $3 AND \"p$prev\" < $4 \
         AND \"table_id\" = ANY ($5)",
        schema = ident(foreign_schema),
    )
}

/// The same of one table and with pointer numbers from $6 to $7. $5 table id.
pub fn fetch_pointers_between(foreign_schema: &str, keys: usize) -> String {
    fetch_pointers(foreign_schema, keys).replace(
        "\"table_id\" = ANY ($5)",
        "\"table_id\" = $5 AND \"p$ptr\" >= $6 AND \"p$ptr\" <= $7",
    )
}

/// As [`fetch_pointers_between`], without what cannot be read: rows that changed, and nobody knows which.
pub fn fetch_pointers_without_key(foreign_schema: &str) -> String {
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\") \
         SELECT \"table_id\", CASE \"kind\" WHEN 'R' THEN 'U' ELSE \"kind\" END, \"p$portion\", \"p$ptr\" FROM {schema}.\"pointer_v\" \
         WHERE \"p$slot\" = $1 AND \"p$portion\" >= $2 AND \"p$portion\" <= $3 AND \"p$prev\" < $4 \
         AND \"table_id\" = $5 AND \"p$ptr\" >= $6 AND \"p$ptr\" <= $7",
        schema = ident(foreign_schema),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pull::statement::samples::table;
    use crate::pull::table::Key;
    use crate::source::keys::KeyKind;

    /// What follows WHERE, up to what only the rows have.
    fn predicate(statement: &str) -> &str {
        let (_, after) = statement.split_once(" WHERE ").expect("a predicate");
        let end = after
            .find(" AND \"p$ptr\"")
            .or(after.find(" AND \"table_id\""));
        &after[..end.expect("what only one of both has")]
    }

    #[test]
    fn rows_and_pointers_are_read_with_the_same_predicate() {
        let (rows, pointers) = (fetch_rows(&table()), fetch_pointers("s", 2));
        assert_eq!(predicate(&rows), predicate(&pointers));
        assert!(predicate(&rows).contains("\"p$prev\" < $4"), "{rows}");
    }

    #[test]
    fn the_filter_chooses_rows_and_never_pointers() {
        let table = table();
        for rows in [fetch_rows(&table), fetch_chunk(&table)] {
            assert!(rows.ends_with(" AND (region_id = 7)"), "{rows}");
        }
        assert!(!fetch_pointers(&table.foreign_schema, 1).contains("region_id"));
    }

    #[test]
    fn nothing_is_fetched_that_apply_does_not_read() {
        let mut table = table();
        assert!(create_rows(&table).contains("p$rowid"));
        assert!(!create_rows(&table).contains("p$portion"));
        table.identity = Identity::Key(vec![Key {
            column: 0,
            kind: KeyKind::Text,
            length: 0,
        }]);
        for statement in [create_rows(&table), fetch_rows(&table), fetch_chunk(&table)] {
            assert!(!statement.contains("p$rowid"), "{statement}");
        }
        let pointers = fetch_pointers("s", 2);
        assert!(
            pointers.contains("\"row_id\", \"k1\", \"k2\", \"note\""),
            "{pointers}"
        );
        assert!(!pointers.contains("k3"), "{pointers}");
    }

    #[test]
    fn quotes_in_names_are_doubled() {
        let rows = fetch_rows(&table());
        assert!(rows.contains(r#""orapull_""x"."pull_3""#), "{rows}");
        assert!(rows.contains(r#""say ""hi""""#), "{rows}");
    }
}
