//! Which statements a shard runs, at itself and at its source, as pg_stat_statements counts them.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::Result;
use postgres::Client;

use crate::bed::Bed;
use crate::cluster::{Cluster, Stop};

/// How long one turn may take.
const TURN: Duration = Duration::from_secs(60);

/// A statement, and how often it ran.
#[derive(Debug)]
pub struct Counted {
    /// Or else at the shard.
    pub at_source: bool,
    pub text: String,
    pub calls: i64,
}

/// Has all servers of a bed count from now on; starts them again.
pub fn preload(bed: &Bed) -> Result<()> {
    count_at(&bed.source, &mut || bed.source(), "'pg_stat_statements'")?;
    for (number, shard) in bed.shards.iter().enumerate() {
        let libraries = "'orapull', 'pg_stat_statements'";
        count_at(&shard.cluster, &mut || bed.shard(number), libraries)?;
    }
    Ok(())
}

fn count_at(
    cluster: &Cluster,
    connect: &mut dyn FnMut() -> Result<Client>,
    libraries: &str,
) -> Result<()> {
    connect()?.batch_execute(&format!(
        "ALTER SYSTEM SET shared_preload_libraries = {libraries}"
    ))?;
    cluster.stop(Stop::Fast)?;
    cluster.start()?;
    let mut client = connect()?;
    // What workers run counts as run inside functions.
    client.batch_execute("ALTER SYSTEM SET pg_stat_statements.track = 'all'")?;
    client.batch_execute("SELECT pg_reload_conf(); CREATE EXTENSION pg_stat_statements")?;
    Ok(())
}

/// What a shard runs, at itself and at its source, to apply and ack the portions that are published now.
pub fn of_turns(bed: &Bed, shard: usize) -> Result<Vec<Counted>> {
    let (mut here, mut there) = (bed.shard(shard)?, bed.source()?);
    for client in [&mut here, &mut there] {
        client.batch_execute("SELECT pg_stat_statements_reset()")?;
    }
    // Only wakes the puller: pull_now() would look at the progress until it is done, and be counted too.
    bed.owner(shard)?
        .execute("SELECT orapull.resume('main')", &[])?;
    bed.eventually("everything is acked", TURN, || bed.has_acked_all(shard))?;
    let name = &bed.shards[shard].database;
    let of_database = "SELECT query, calls FROM pg_stat_statements JOIN pg_database AS d ON d.oid = dbid
                       WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%'";
    let of_shard = "SELECT query, calls FROM pg_stat_statements JOIN pg_roles AS r ON r.oid = userid WHERE r.rolname = $1";
    let mut rows = here.query(of_database, &[])?;
    let ran_here = rows.len();
    rows.extend(there.query(of_shard, &[name])?);
    Ok(rows
        .iter()
        .enumerate()
        .map(|(n, row)| Counted {
            at_source: n >= ran_here,
            text: row.get(0),
            calls: row.get(1),
        })
        .collect())
}

/// Names of tables: numbers of one side mean other tables at the other.
#[derive(Default)]
pub struct Names {
    /// Relations, foreign tables, staging tables.
    pub here: HashSet<String>,
    /// Views.
    pub at_source: HashSet<String>,
}

/// The names under which statements know the tables of a shard with this condition.
pub fn names_of(shard: &mut Client, condition: &str) -> Result<Names> {
    let sql = format!(
        "SELECT relname::text, target_id, remote_id FROM orapull.target AS t JOIN orapull.target_state USING (target_id)
         JOIN pg_class AS c ON c.oid = t.relation WHERE {condition}"
    );
    let mut names = Names::default();
    for row in shard.query(&sql, &[])? {
        let (relation, target, remote): (String, i32, i64) = (row.get(0), row.get(1), row.get(2));
        names.here.extend([
            relation,
            format!("rows_{target}"),
            format!("pull_{target}"),
            format!("load_{target}"),
        ]);
        names
            .at_source
            .extend([format!("pull_{remote}"), format!("load_{remote}")]);
    }
    Ok(names)
}

impl Counted {
    /// Whether it is about one of these tables.
    pub fn is_about(&self, names: &Names) -> bool {
        has_name(
            &self.text,
            if self.at_source {
                &names.at_source
            } else {
                &names.here
            },
        )
    }
}

/// Whether a statement has one of these names, in whatever case.
fn has_name(statement: &str, names: &HashSet<String>) -> bool {
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
