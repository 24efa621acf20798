//! Tests that run inside a server: functions of schema `tests` in a build with the feature `pg_test`.
//!
//! `cargo pgrx test` runs the same functions, but it installs the extension into the system and needs a server that
//! it may start itself. Here they run on a scratch cluster: one transaction each, which is rolled back.

use anyhow::{Context, Result, bail};

use super::Choice;
use super::report::Report;
use crate::artifacts::Flavour;
use crate::cluster::SUPERUSER;
use crate::compare::quoted;
use crate::world::World;

pub fn check(world: &World, _: &Choice, report: &mut Report) -> Result<()> {
    let cluster = world.shard_cluster(Flavour::WithTests, "inside", &[])?;
    cluster.start()?;
    let mut client = cluster.connect("postgres", SUPERUSER)?;
    client
        .batch_execute("CREATE EXTENSION postgres_fdw; CREATE EXTENSION orapull")
        .with_context(|| cluster.log_tail(40))?;
    let tests = client.query(
        "SELECT p.proname::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
         WHERE n.nspname = 'tests' AND p.pronargs = 0 ORDER BY 1",
        &[],
    )?;
    if tests.is_empty() {
        bail!("the extension has no function in schema tests");
    }
    for row in tests {
        let name: String = row.get(0);
        let mut client = cluster.connect("postgres", SUPERUSER)?;
        let run = format!("BEGIN; SELECT tests.{}(); ROLLBACK;", quoted(&name));
        match client.batch_execute(&run) {
            Ok(()) => report.passed(&name),
            Err(error) => report.failed(
                &name,
                &format!("{:#}\n{}", anyhow::Error::from(error), cluster.log_tail(15)),
            ),
        }
    }
    Ok(())
}
