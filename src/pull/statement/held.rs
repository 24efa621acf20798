//! Identities that are held or parked, and those that a load has seen. Pure.

use super::{
    identity_list, identity_names, identity_text, list, readable, rows_table, staged_text,
};
use crate::pull::table::Table;

/// Identities seen by a chunk of a resync.
pub const CREATE_SEEN: &str = r#"CREATE TEMP TABLE "seen" ("digest" bytea NOT NULL)"#;

/// sha256 over ROWID and keys, NULLs marked. `parts` are nine SQL expressions of type text.
pub(super) fn digest(parts: &[String]) -> String {
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
    identity_names()
        .map(|name| format!("{alias}.\"{name}\""))
        .collect()
}

/// Holds the identities of a table's pointers. $1 table id, $2 target id, $3 reason.
pub fn hold() -> String {
    let columns = identity_list();
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
    let columns = identity_list();
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
    let applied = format!(
        "p.\"table_id\" = $1 AND p.\"kind\" = 'R' AND {}",
        readable("$2")
    );
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
        "INSERT INTO pg_temp.\"pointers\" (\"table_id\", \"kind\", \"portion\", \"ptr\", {identity}) \
         SELECT {id}, 'R', 0, 0, {texts} FROM {relation} t \
         WHERE NOT EXISTS (SELECT FROM pg_temp.\"seen\" s WHERE s.\"digest\" = {digest})",
        identity = identity_list(),
        id = table.remote_id,
        texts = list(texts.clone()),
        relation = table.relation,
        digest = digest(&texts),
    )
}

/// Takes identities that the source cannot have from the suspects: to Oracle, an empty text is NULL.
pub const FORGET_EMPTY: &str = r#"DELETE FROM pg_temp."pointers"
    WHERE '' IN ("row_id", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8")"#;

/// Deletes the target's rows with such an identity.
pub fn delete_empty(table: &Table) -> String {
    format!(
        "DELETE FROM {} t WHERE '' IN ({})",
        table.relation,
        list(identity_text(table, "t"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_part_can_pass_for_another() {
        let parts = ["a", "b"].map(str::to_owned);
        assert_eq!(
            digest(&parts),
            "sha256(convert_to(concat_ws('|', coalesce(length(a) || ':' || a, '-'), coalesce(length(b) || ':' || b, '-')), 'UTF8'))"
        );
    }
}
