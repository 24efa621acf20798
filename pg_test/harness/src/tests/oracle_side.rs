//! The Oracle side on a PostgreSQL that plays Oracle: single constructs, the real packages, what they promise.

use std::fs;

use anyhow::{Context, Result, bail};

use super::report::Report;
use super::{Choice, probes};
use crate::artifacts;
use crate::bed;
use crate::oracle_side::OracleSide;
use crate::world::World;

/// Scripts in pg_test/oracle with a folder of the same name: each file of it is a theme, each raises at the first
/// promise that is not kept.
const SCRIPTS: &[&str] = &["mining", "publishing", "service", "jobs"];

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let side = OracleSide::start(world, "plsql")?;
    probes::check(&side, report)?;
    if side.routines() == 0 {
        bail!("there is no package in sql/oracle");
    }
    let findings = side.check()?;
    if findings.is_empty() {
        report.passed_many("plpgsql_check, a test for each routine", side.routines());
    }
    for finding in findings {
        report.failed(&finding.place, &finding.message);
    }
    let folder = artifacts::repository().join("pg_test/oracle");
    for script in SCRIPTS.iter().filter(|script| choice.wants_text(script)) {
        let file = folder.join(format!("{script}.sql"));
        let themes = fs::read_dir(folder.join(script))
            .with_context(|| format!("pg_test/oracle/{script} cannot be read"))?
            .count();
        side.database(script)?;
        match bed::run_file_in(&side.cluster, script, &file) {
            Ok(()) => report.passed_many(script, themes),
            Err(error) => report.failed(script, &format!("{error:#}")),
        }
    }
    Ok(())
}
