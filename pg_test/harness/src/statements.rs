//! Which statements a shard runs, at itself and at its source, as pg_stat_statements counts them.

use std::collections::HashSet;

use anyhow::Result;
use postgres::Client;

use crate::bed::Bed;

/// Settings of a shard whose statements are counted; those of workers run inside functions.
pub const OF_SHARD: [(&str, &str); 2] = [
    ("shared_preload_libraries", "orapull, pg_stat_statements"),
    ("pg_stat_statements.track", "all"),
];
/// Settings of such a source.
pub const OF_SOURCE: [(&str, &str); 1] = [("shared_preload_libraries", "pg_stat_statements")];

/// A statement, and how often it ran.
#[derive(Debug)]
pub struct Counted {
    pub text: String,
    pub calls: i64,
}

/// The counts of the source and of one of its shards.
pub struct Statements {
    source: Client,
    shard: Client,
    /// As whom the shard logs in at the source.
    user: String,
}

impl Statements {
    /// Counts from now on; both servers have the settings above.
    pub fn count(bed: &Bed, shard: usize) -> Result<Self> {
        let mut counts = Self {
            source: bed.source()?,
            shard: bed.shard(shard)?,
            user: bed.shards[shard].database.clone(),
        };
        for client in [&mut counts.source, &mut counts.shard] {
            client.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")?;
        }
        counts.from_now_on()?;
        Ok(counts)
    }

    pub fn from_now_on(&mut self) -> Result<()> {
        for client in [&mut self.source, &mut self.shard] {
            client.batch_execute("SELECT pg_stat_statements_reset()")?;
        }
        Ok(())
    }

    /// What has run, at both.
    pub fn so_far(&mut self) -> Result<Vec<Counted>> {
        let here =
            "SELECT query, calls FROM pg_stat_statements JOIN pg_database AS d ON d.oid = dbid
                    WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%'";
        let there = "SELECT query, calls FROM pg_stat_statements JOIN pg_roles AS r ON r.oid = userid WHERE r.rolname = $1";
        let mut rows = self.shard.query(here, &[])?;
        rows.extend(self.source.query(there, &[&self.user])?);
        Ok(rows
            .iter()
            .map(|row| Counted {
                text: row.get(0),
                calls: row.get(1),
            })
            .collect())
    }
}

/// The names under which statements know the tables of a shard with this condition: relation, foreign tables, views at
/// the source, staging table.
pub fn names_of(shard: &mut Client, condition: &str) -> Result<HashSet<String>> {
    let sql = format!(
        "SELECT relname::text, target_id, remote_id FROM orapull.target AS t JOIN orapull.target_state USING (target_id)
         JOIN pg_class AS c ON c.oid = t.relation WHERE {condition}"
    );
    let mut names = HashSet::new();
    for row in shard.query(&sql, &[])? {
        let (relation, target, remote): (String, i32, i64) = (row.get(0), row.get(1), row.get(2));
        names.extend([
            relation,
            format!("rows_{target}"),
            format!("pull_{remote}"),
            format!("load_{remote}"),
        ]);
    }
    Ok(names)
}

/// Whether a statement has one of these names, in whatever case.
pub fn has_name(statement: &str, names: &HashSet<String>) -> bool {
    statement
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| names.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word() {
        let names = HashSet::from(["pull_1".to_owned()]);
        assert!(has_name(r#"SELECT FROM "ORAPULL"."PULL_1" AS p"#, &names));
        assert!(!has_name(r#"SELECT FROM "ORAPULL"."PULL_11""#, &names));
    }
}
