//! The SQL of fetch, delete, upsert, hold and park. Pure; with `quote.rs` the only place that
//! quotes names on the data path.
//!
//! Staging tables live in `pg_temp`. `rows_<n>` belongs to the owner of the source and is touched
//! as the owner only. `pointers` and `seen` belong to the superuser of the worker, the owner may
//! only read and insert: what the superuser reads back, the owner cannot have replaced by a view.

use crate::pull::table::{Column, Identity, Key, Table, UniqueIndex};
use crate::quote::{ident, literal};
use crate::source::keys::KeyKind;

/// The column of a target in ROWID identity.
pub const ROWID_COLUMN: &str = "ora_rowid";

const KEYS: [&str; 8] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"];

/// Staged pointers of all tables of a batch or request.
pub const CREATE_POINTERS: &str = r#"CREATE TEMP TABLE "pointers" (
    "table_id" bigint NOT NULL, "kind" text NOT NULL, "portion" bigint NOT NULL, "ptr" bigint NOT NULL,
    "row_id" text COLLATE "C",
    "k1" text COLLATE "C", "k2" text COLLATE "C", "k3" text COLLATE "C", "k4" text COLLATE "C",
    "k5" text COLLATE "C", "k6" text COLLATE "C", "k7" text COLLATE "C", "k8" text COLLATE "C",
    "note" text, "bad" boolean NOT NULL DEFAULT false)"#;

/// Identities seen by a chunk of a resync.
pub const CREATE_SEEN: &str = r#"CREATE TEMP TABLE "seen" ("digest" bytea NOT NULL)"#;

/// sha256 over ROWID and keys, NULLs marked. `parts` are nine SQL expressions of type text.
fn digest(parts: &[String]) -> String {
    let marked: Vec<String> = parts
        .iter()
        .map(|part| format!("coalesce(length({part}) || ':' || {part}, '-')"))
        .collect();
    format!(
        "sha256(convert_to(concat_ws('|', {}), 'UTF8'))",
        marked.join(", ")
    )
}

/// The digest of the keys alone, NULL for an identity without keys.
fn key_digest(parts: &[String]) -> String {
    let mut keys = parts.to_vec();
    keys[0] = "NULL::text".to_owned();
    format!(
        "CASE WHEN {} IS NOT NULL THEN {} END",
        parts[1],
        digest(&keys)
    )
}

/// The nine identity columns of an alias that has them (pointers, parked rows).
fn identity_columns(alias: &str) -> Vec<String> {
    std::iter::once("row_id")
        .chain(KEYS)
        .map(|name| format!("{alias}.\"{name}\""))
        .collect()
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

fn rows_table(table: &Table) -> String {
    format!("pg_temp.\"rows_{}\"", table.target_id)
}

fn pull_table(table: &Table) -> String {
    format!(
        "{}.\"pull_{}\"",
        ident(&table.foreign_schema),
        table.remote_id
    )
}

fn load_table(table: &Table) -> String {
    format!(
        "{}.\"load_{}\"",
        ident(&table.foreign_schema),
        table.remote_id
    )
}

/// A staged value as the target's type.
///
/// Through the text form unless the types are the same: numeric to integer would round, an error
/// is wanted. Lengths and domains are left to the assignment, which raises where a cast would cut.
fn converted(column: &Column, value: &str) -> String {
    let (from, to) = (column.foreign_type.as_str(), column.local_type.as_str());
    match (from, to) {
        _ if from == to => value.to_owned(),
        ("text", "character varying" | "character") => value.to_owned(),
        (_, "character varying" | "character" | "text") => format!("{value}::text"),
        // 64.00 is an integer, 64.8 is none.
        ("numeric", "smallint" | "integer" | "bigint") => {
            format!("CAST(trim_scale({value})::text AS {to})")
        }
        // bit alone is bit(1): the assignment checks the length.
        (_, "bit") => format!("CAST({value}::text AS bit varying)"),
        ("bytea", "uuid") => format!("encode({value}, 'hex')::uuid"),
        _ => format!("CAST({value}::text AS {to})"),
    }
}

/// A key value as the type in which it is compared with the target.
fn comparable(column: &Column, value: String) -> String {
    match column.local_type.as_str() {
        "character" => format!("CAST({value} AS bpchar)"),
        "character varying" => format!("CAST({value} AS text)"),
        _ => value,
    }
}

/// K1..K8 of a pointer as the target's type.
fn key_from_text(table: &Table, key: &Key, text: &str) -> String {
    let column = &table.columns[key.column];
    let value = match (key.kind, column.local_type.as_str()) {
        (KeyKind::Raw, "bytea") => format!("decode({text}, 'hex')"),
        (_, "text" | "character varying" | "character") => text.to_owned(),
        (_, to) => format!("CAST({text} AS {to})"),
    };
    comparable(column, value)
}

/// A key value of the target's type as canonical text, as the source writes it.
fn key_to_text(table: &Table, key: &Key, value: &str) -> String {
    match (key.kind, table.columns[key.column].local_type.as_str()) {
        (KeyKind::Number, _) => format!("trim_scale(CAST({value}::text AS numeric))::text"),
        (KeyKind::Text, _) => format!("{value}::text"),
        (KeyKind::Char, _) => format!("rpad({value}::text, {})", key.length),
        (KeyKind::Timestamp, _) if key.length > 0 => {
            format!("to_char({value}, 'YYYY-MM-DD HH24:MI:SS.FF{}')", key.length)
        }
        (KeyKind::Date | KeyKind::Timestamp, _) => {
            format!("to_char({value}, 'YYYY-MM-DD HH24:MI:SS')")
        }
        (KeyKind::Raw, "bytea") => format!("upper(encode({value}, 'hex'))"),
        (KeyKind::Raw, _) => format!("upper(replace({value}::text, '-', ''))"),
    }
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

fn and_filter(table: &Table) -> String {
    match &table.filter {
        Some(filter) => format!(" AND ({filter})"),
        None => String::new(),
    }
}

/// Rows of pointers. $1 slot, $2 and $3 first and last portion, $4 upper bound of P$PREV,
/// $5 and $6 first and last pointer number.
pub fn fetch_rows(table: &Table) -> String {
    format!(
        "INSERT INTO {rows} SELECT {columns} FROM {pull} \
         WHERE \"p$slot\" = $1 AND \"p$portion\" >= $2 AND \"p$portion\" <= $3 AND \"p$prev\" < $4 \
         AND \"p$ptr\" >= $5 AND \"p$ptr\" <= $6{filter}",
        rows = rows_table(table),
        columns = staged_names(table),
        pull = pull_table(table),
        filter = and_filter(table),
    )
}

/// Rows of one chunk. $1 plan, $2 chunk.
pub fn fetch_chunk(table: &Table) -> String {
    format!(
        "INSERT INTO {rows} SELECT {columns} FROM {load} \
         WHERE \"p$plan\" = $1 AND \"p$chunk\" = $2{filter}",
        rows = rows_table(table),
        columns = staged_names(table),
        load = load_table(table),
        filter = and_filter(table),
    )
}

/// Identities of one chunk, as pointers: for a chunk with a value that cannot be read. $1 plan,
/// $2 chunk.
pub fn fetch_chunk_identities(table: &Table) -> String {
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", \"row_id\", {keys}) \
         SELECT {id}, 'R', 0, 0, {texts} FROM {load} s \
         WHERE \"p$plan\" = $1 AND \"p$chunk\" = $2{filter}",
        keys = list(KEYS.map(|k| format!("\"{k}\""))),
        id = table.remote_id,
        texts = list(staged_text(table)),
        load = load_table(table),
        filter = and_filter(table),
    )
}

/// Pointers to the tables of this shard, with the predicate of [`fetch_rows`]. $1 slot, $2 and $3
/// portions, $4 upper bound of P$PREV, $5 table ids (filtered here: arrays are not pushed down by
/// every FDW). Of K1..K8 only the first `keys` are read: the others are NULL in every pointer.
pub fn fetch_pointers(foreign_schema: &str, keys: usize) -> String {
    let read = ["row_id"].into_iter().chain(KEYS.into_iter().take(keys));
    let identity = list(read.map(|name| format!("\"{name}\"")));
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", {identity}, \"note\") \
         SELECT \"table_id\", \"kind\", \"p$portion\", \"p$ptr\", {identity}, \"note\" FROM {schema}.\"pointer_v\" \
         WHERE \"p$slot\" = $1 AND \"p$portion\" >= $2 AND \"p$portion\" <= $3 AND \"p$prev\" < $4 \
         AND \"table_id\" = ANY ($5)",
        schema = ident(foreign_schema),
    )
}

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
         WHERE p.\"table_id\" = $1 AND p.\"kind\" = 'R' AND NOT p.\"bad\" AND {known} \
         EXCEPT SELECT {fetched} FROM {rows} s) e) g WHERE {same}",
        relation = table.relation,
        rows = rows_table(table),
    )
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

/// Deletes the rows of other identity that hold a value of unique index `index` which a staged row
/// wants; returns their identities (ROWID, K1..K8). One that is staged itself comes back with the
/// upsert; asking for it once more is harmless.
pub fn delete_colliding(table: &Table, index: &UniqueIndex) -> String {
    let parts = parts(table);
    let same = index
        .columns
        .iter()
        .map(|c| format!("t.{0} = d.{0}", ident(c)))
        .collect::<Vec<_>>()
        .join(" AND ");
    let itself = parts
        .iter()
        .map(|p| format!("t.{0} = d.{0}", p.column))
        .collect::<Vec<_>>()
        .join(" AND ");
    format!(
        "DELETE FROM {relation} t USING ({rows}) d WHERE {same} AND NOT ({itself}) RETURNING {identity}",
        relation = table.relation,
        rows = distinct_rows(table, false),
        identity = list(identity_text(table, "t")),
    )
}

/// Empties the target.
pub fn empty(table: &Table) -> String {
    if table.referenced {
        format!("DELETE FROM {}", table.relation)
    } else {
        format!("TRUNCATE {}", table.relation)
    }
}

/// Holds the identities of a table's pointers. $1 table id, $2 target id, $3 reason.
pub fn hold() -> String {
    let columns = list(
        std::iter::once("row_id")
            .chain(KEYS)
            .map(|c| format!("\"{c}\"")),
    );
    let digest = digest(&identity_columns("p"));
    let key_digest = key_digest(&identity_columns("p"));
    format!(
        "INSERT INTO \"orapull\".\"parked_row\" AS h (\"target_id\", \"digest\", \"key_digest\", {columns}, \"reason\") \
         SELECT DISTINCT ON (\"digest\") $2, \"digest\", \"key_digest\", {columns}, $3 \
         FROM (SELECT {digest} AS \"digest\", {key_digest} AS \"key_digest\", p.* FROM pg_temp.\"pointers\" p \
               WHERE p.\"table_id\" = $1 AND p.\"kind\" = 'R') p ORDER BY \"digest\" \
         ON CONFLICT (\"target_id\", \"digest\") DO UPDATE SET \
         \"seq\" = nextval('\"orapull\".\"parked_seq\"'), \"asked_scn\" = NULL, \"asked_started_at\" = NULL, \
         \"next_attempt\" = clock_timestamp(), \"reason\" = CASE WHEN h.\"reason\" = 'parked' THEN 'parked' ELSE excluded.\"reason\" END"
    )
}

/// Parks one identity. $1 target id, $2 ROWID, $3..$10 keys, $11 reason, $12 SQLSTATE, $13 message,
/// $14 seconds until the first attempt.
pub fn park() -> String {
    let columns = list(
        std::iter::once("row_id")
            .chain(KEYS)
            .map(|c| format!("\"{c}\"")),
    );
    let arguments: Vec<String> = (2..=10).map(|i| format!("${i}::text")).collect();
    format!(
        "INSERT INTO \"orapull\".\"parked_row\" AS h \
         (\"target_id\", \"digest\", \"key_digest\", {columns}, \"reason\", \"sqlstate\", \"message\", \"attempts\", \"next_attempt\") \
         VALUES ($1, {digest}, {key_digest}, {values}, $11, $12, $13, CASE WHEN $12 IS NULL THEN 0 ELSE 1 END, \
         clock_timestamp() + make_interval(secs => $14)) \
         ON CONFLICT (\"target_id\", \"digest\") DO UPDATE SET \
         \"seq\" = nextval('\"orapull\".\"parked_seq\"'), \"asked_scn\" = NULL, \"asked_started_at\" = NULL, \
         \"reason\" = excluded.\"reason\", \"sqlstate\" = excluded.\"sqlstate\", \"message\" = excluded.\"message\", \
         \"attempts\" = h.\"attempts\" + excluded.\"attempts\", \
         \"next_attempt\" = clock_timestamp() + make_interval(secs => least(3600, $14 * power(2, least(h.\"attempts\", 12))))",
        digest = digest(&arguments),
        key_digest = key_digest(&arguments),
        values = arguments.join(", "),
    )
}

/// Deletes parked rows whose identity, or whose key, a portion has applied. $1 table id, $2 target id.
pub fn unpark() -> [String; 2] {
    let applied = "p.\"table_id\" = $1 AND p.\"kind\" = 'R' AND NOT p.\"bad\"";
    [
        format!(
            "DELETE FROM \"orapull\".\"parked_row\" h USING pg_temp.\"pointers\" p \
             WHERE {applied} AND h.\"target_id\" = $2 AND h.\"digest\" = {}",
            digest(&identity_columns("p"))
        ),
        format!(
            "DELETE FROM \"orapull\".\"parked_row\" h USING pg_temp.\"pointers\" p \
             WHERE {applied} AND p.\"k1\" IS NOT NULL AND h.\"target_id\" = $2 AND h.\"key_digest\" = {}",
            key_digest(&identity_columns("p"))
        ),
    ]
}

/// Notes the identities of staged rows in `seen`.
pub fn see(table: &Table) -> String {
    format!(
        "INSERT INTO pg_temp.\"seen\" SELECT {} FROM {} s",
        digest(&staged_text(table)),
        rows_table(table)
    )
}

/// Puts the identities of the target's rows that `seen` does not have into `pointers`.
pub fn suspect(table: &Table) -> String {
    let texts = identity_text(table, "t");
    format!(
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", \"row_id\", {keys}) \
         SELECT {id}, 'R', 0, 0, {texts} FROM {relation} t \
         WHERE NOT EXISTS (SELECT FROM pg_temp.\"seen\" s WHERE s.\"digest\" = {digest})",
        keys = list(KEYS.map(|k| format!("\"{k}\""))),
        id = table.remote_id,
        texts = list(texts.clone()),
        relation = table.relation,
        digest = digest(&texts),
    )
}

/// Staged rows that the target does not have equal: what, both rows as jsonb, identity. $1 limit.
pub fn unequal(table: &Table) -> String {
    let same = parts(table)
        .iter()
        .map(|p| format!("t.{0} = d.{0}", p.column))
        .collect::<Vec<_>>()
        .join(" AND ");
    // Images are compared only between values of one type.
    let image = |alias: &str, c: &Column| {
        let kind = match c.local_type.as_str() {
            "character" => "bpchar",
            other => other,
        };
        format!("CAST({alias}.{} AS {kind})", ident(&c.name))
    };
    let here = table.columns.iter().map(|c| image("t", c));
    let there = table.columns.iter().map(|c| image("d", c));
    let json = |alias: &str| {
        let pairs = table.columns.iter().map(|c| {
            format!(
                "{}, to_jsonb({alias}.{}::text)",
                literal(&c.name),
                ident(&c.name)
            )
        });
        // A function takes 100 arguments at most.
        let pairs: Vec<String> = pairs.collect();
        pairs
            .chunks(50)
            .map(|some| format!("jsonb_build_object({})", some.join(", ")))
            .collect::<Vec<_>>()
            .join(" || ")
    };
    format!(
        "SELECT CASE WHEN t.tableoid IS NULL THEN 'missing' ELSE 'different' END, \
         CASE WHEN t.tableoid IS NOT NULL THEN {json_here} END, {json_there}, {identity} \
         FROM ({rows}) d LEFT JOIN {relation} t ON {same} \
         WHERE t.tableoid IS NULL OR ROW({old})::record *<> ROW({new})::record LIMIT $1",
        json_here = json("t"),
        json_there = json("d"),
        identity = list(identity_text(table, "d")),
        rows = distinct_rows(table, false),
        relation = table.relation,
        old = list(here),
        new = list(there),
    )
}

/// Identities of the target's rows that `seen` does not have. $1 limit.
pub fn extra(table: &Table) -> String {
    let texts = identity_text(table, "t");
    format!(
        "SELECT {} FROM {} t WHERE NOT EXISTS \
         (SELECT FROM pg_temp.\"seen\" s WHERE s.\"digest\" = {}) LIMIT $1",
        list(texts.clone()),
        table.relation,
        digest(&texts),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, foreign_type: &str, local_type: &str) -> Column {
        Column {
            name: name.to_owned(),
            foreign_type: foreign_type.to_owned(),
            local_type: local_type.to_owned(),
        }
    }

    fn table() -> Table {
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
        assert!(rows.contains(r#""orapull_""x"."pull_7""#), "{rows}");
        assert!(rows.contains(r#""say ""hi""""#), "{rows}");
    }

    #[test]
    fn lengths_are_left_to_the_assignment_and_other_types_go_through_text() {
        let cases = [
            (("text", "character varying"), "v"),
            (("numeric", "numeric"), "v"),
            (("numeric", "text"), "v::text"),
            (("numeric", "bigint"), "CAST(trim_scale(v)::text AS bigint)"),
            (("text", "jsonb"), "CAST(v::text AS jsonb)"),
            (("bytea", "uuid"), "encode(v, 'hex')::uuid"),
        ];
        for ((foreign, local), expected) in cases {
            assert_eq!(converted(&column("c", foreign, local), "v"), expected);
        }
    }

    #[test]
    fn no_key_part_can_pass_for_another() {
        let parts = ["a", "b"].map(str::to_owned);
        assert_eq!(
            digest(&parts),
            "sha256(convert_to(concat_ws('|', coalesce(length(a) || ':' || a, '-'), coalesce(length(b) || ':' || b, '-')), 'UTF8'))"
        );
    }
}
