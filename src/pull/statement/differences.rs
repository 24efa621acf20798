//! What a comparison looks for. Pure.

use super::held::digest;
use super::{distinct_rows, identity_text, list, same_identity};
use crate::pull::table::{Column, Table};
use crate::quote::{ident, literal};

/// Staged rows that the target does not have equal: what, both rows as jsonb, identity. $1 limit.
pub fn unequal(table: &Table) -> String {
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
        same = same_identity(table),
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
