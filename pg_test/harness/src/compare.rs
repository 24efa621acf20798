//! Row-by-row comparison of a table of the source with a relation of a shard.
//!
//! It shares nothing with the extension's own `compare`: both sides are read as text in sessions of the harness.

use std::collections::BTreeMap;
use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;

/// How many differing rows are shown.
const SHOWN: usize = 5;

/// A table and what is to be the same.
pub struct Pair<'a> {
    pub owner: &'a str,
    pub table: &'a str,
    /// The shard's relation, as SQL.
    pub relation: &'a str,
    /// Condition on the source's rows, as SQL.
    pub filter: Option<&'a str>,
}

/// What a comparison found.
pub struct Comparison {
    /// Rows of the source that the filter lets through.
    pub rows: u64,
    /// The first differing rows, as text; empty when both sides are the same.
    pub differences: Vec<String>,
}

/// How rows are read on one side: the row's identity and the row itself, as SQL of text.
struct Side {
    from: String,
    identity: String,
    row: String,
}

impl Pair<'_> {
    pub fn compare(&self, source: &mut Client, shard: &mut Client) -> Result<Comparison> {
        let (left, right) = self.sides(source, shard)?;
        // +1 for each row of the source, -1 for each of the shard: what is not 0 at the end differs. That also finds
        // rows that one side has twice.
        let mut balance: HashMap<(String, String), i64> = HashMap::new();
        let rows = left.read(source, |row| *balance.entry(row).or_default() += 1)?;
        right.read(shard, |row| *balance.entry(row).or_default() -= 1)?;

        let mut differing: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        for ((identity, _), count) in balance.into_iter().filter(|(_, count)| *count != 0) {
            let sides = differing.entry(identity).or_default();
            sides.0 |= count > 0;
            sides.1 |= count < 0;
        }
        let found = differing.len();
        let mut differences = Vec::new();
        for (identity, (in_source, in_shard)) in differing.into_iter().take(SHOWN) {
            let what = match (in_source, in_shard) {
                (true, true) => "differs",
                (true, false) => "is missing in the shard",
                (false, _) => "is only in the shard",
            };
            let theirs = left.show(source, &identity)?;
            let ours = right.show(shard, &identity)?;
            differences.push(format!(
                "{}.{} row {identity} {what}\n  source: {theirs}\n  shard:  {ours}",
                self.owner, self.table
            ));
        }
        if found > SHOWN {
            differences.push(format!(
                "{}.{}: {} more rows differ",
                self.owner,
                self.table,
                found - SHOWN
            ));
        }
        Ok(Comparison { rows, differences })
    }

    fn sides(&self, source: &mut Client, shard: &mut Client) -> Result<(Side, Side)> {
        let table = format!("{}.{}", quoted(self.owner), quoted(self.table));
        let columns = columns_of(source, &table)?;
        let shard_columns = columns_of(shard, self.relation)?;
        let names: Vec<&String> = columns.iter().filter(|name| *name != "ROWID$").collect();
        if let Some(lost) = names
            .iter()
            .find(|name| !shard_columns.contains(&name_here(name)))
        {
            bail!(
                "{} has no column for {} of {table}",
                self.relation,
                quoted(lost)
            );
        }
        let key = key_of(source, &table)?;
        let key: Vec<&String> = if key.is_empty() {
            names.clone()
        } else {
            key.iter().collect()
        };
        let by_rowid =
            key.len() == names.len() && shard_columns.iter().any(|name| name == "ora_rowid");
        let side = |from: String, rowid: &str, name: fn(&str) -> String| Side {
            from,
            identity: if by_rowid {
                format!("{rowid}::text")
            } else {
                joined(&key, name)
            },
            row: as_row(&names, name),
        };
        let filter = self.filter.unwrap_or("true");
        Ok((
            side(format!("{table} WHERE {filter}"), "\"ROWID$\"", quoted),
            side(
                format!("{} WHERE true", self.relation),
                "ora_rowid",
                |name| quoted(&name_here(name)),
            ),
        ))
    }
}

/// How a shard calls a column: names that Oracle keeps in upper case are lower case there, others as they are.
fn name_here(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        name.to_owned()
    } else {
        name.to_lowercase()
    }
}

impl Side {
    fn read(&self, client: &mut Client, mut each: impl FnMut((String, String))) -> Result<u64> {
        let sql = format!(
            "SELECT {}, md5({}) FROM {}",
            self.identity, self.row, self.from
        );
        let mut rows = client
            .query_raw(&sql, std::iter::empty::<&str>())
            .with_context(|| format!("cannot read {}", self.from))?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            each((row.get(0), row.get(1)));
            count += 1;
        }
        Ok(count)
    }

    fn show(&self, client: &mut Client, identity: &str) -> Result<String> {
        let sql = format!(
            "SELECT left({}, 400) FROM {} AND {} = $1 LIMIT 2",
            self.row, self.from, self.identity
        );
        let rows = client.query(&sql, &[&identity])?;
        let texts: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        Ok(if texts.is_empty() {
            "no such row".to_owned()
        } else {
            texts.join(" and ")
        })
    }
}

fn columns_of(client: &mut Client, relation: &str) -> Result<Vec<String>> {
    let rows = client
        .query(
            "SELECT attname::text FROM pg_attribute
             WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            &[&relation],
        )
        .with_context(|| format!("cannot look at the columns of {relation}"))?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

fn key_of(client: &mut Client, relation: &str) -> Result<Vec<String>> {
    let rows = client.query(
        "SELECT a.attname::text
         FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, position), pg_attribute a
         WHERE i.indrelid = $1::text::regclass AND i.indisprimary
           AND a.attrelid = i.indrelid AND a.attnum = k.attnum
         ORDER BY k.position",
        &[&relation],
    )?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

fn joined(names: &[&String], quote: fn(&str) -> String) -> String {
    let parts: Vec<String> = names
        .iter()
        .map(|name| format!("coalesce({}::text, '~')", quote(name)))
        .collect();
    parts.join(" || '|' || ")
}

fn as_row(names: &[&String], quote: fn(&str) -> String) -> String {
    let parts: Vec<String> = names
        .iter()
        .map(|name| format!("{}::text", quote(name)))
        .collect();
    format!("ROW({})::text", parts.join(", "))
}

/// A name as SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::SUPERUSER;
    use crate::world::World;

    const SAME: &str = r#"
        CREATE SCHEMA "APP"; CREATE SCHEMA app;
        CREATE TABLE "APP"."T" ("ID" numeric(10) PRIMARY KEY, "A" varchar(9), "ROWID$" text);
        CREATE TABLE app.t (id bigint PRIMARY KEY, a varchar(9), ours integer);
        INSERT INTO "APP"."T" SELECT i, 'a' || i, 'r' || i FROM generate_series(1, 9) AS i;
        INSERT INTO app.t SELECT "ID", "A" FROM "APP"."T" WHERE "ID" > 1"#;

    #[test]
    fn missing_extra_and_changed_rows_are_seen() -> Result<()> {
        let world = World::create()?;
        let cluster = world.plain_cluster("compare", &[])?;
        cluster.start()?;
        let mut source = cluster.connect("postgres", SUPERUSER)?;
        let mut shard = cluster.connect("postgres", SUPERUSER)?;
        source.batch_execute(SAME)?;
        let pair = Pair {
            owner: "APP",
            table: "T",
            relation: "app.t",
            filter: Some("\"ID\" > 1"),
        };
        let same = pair.compare(&mut source, &mut shard)?;
        assert_eq!((same.rows, same.differences), (8, vec![]));

        shard.batch_execute(
            "DELETE FROM app.t WHERE id = 3; INSERT INTO app.t VALUES (30, 'x'); UPDATE app.t SET a = NULL WHERE id = 5",
        )?;
        let found = pair.compare(&mut source, &mut shard)?.differences;
        assert_eq!(found.len(), 3);
        assert!(
            found[0].contains("row 3 is missing in the shard"),
            "{}",
            found[0]
        );
        assert!(
            found[1].contains("row 30 is only in the shard"),
            "{}",
            found[1]
        );
        assert!(found[2].contains("row 5 differs"), "{}", found[2]);
        Ok(())
    }
}
