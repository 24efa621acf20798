//! The far side by itself: the OCI stand-in, the scripted source and the stand-in of the database with their own
//! assertions.

use std::fs;

use anyhow::{Context, Result};

use super::Choice;
use super::code::cargo_test;
use super::report::Report;
use crate::artifacts;
use crate::bed;
use crate::cluster::Cluster;
use crate::world::World;

pub fn check(world: &World, _: &Choice, report: &mut Report) -> Result<()> {
    let mut standin = artifacts::cargo();
    cargo_test(
        report,
        "oci_standin",
        standin.args(["test", "--package", "oci_standin"]),
    )?;
    let scripted = bed::start_source(world, "check", bed::Tables::Demo, &[])?;
    run_checks(report, "scripted source", &scripted, "check")?;
    let database = bed::start_database(world, "check-database", &["standin"], &[])?;
    run_checks(
        report,
        "stand-in of the database",
        &database,
        "check_standin",
    )
}

/// Runs NAME.sql, which runs the files of folder NAME: one for each theme, each raises at the first promise that is
/// not kept.
fn run_checks(report: &mut Report, what: &str, cluster: &Cluster, name: &str) -> Result<()> {
    let scripts = artifacts::repository().join("pg_test/oracle");
    let themes = fs::read_dir(scripts.join(name))
        .with_context(|| format!("pg_test/oracle/{name} cannot be read"))?
        .count();
    match bed::run_file(cluster, &scripts.join(format!("{name}.sql"))) {
        Ok(()) => report.passed_many(what, themes),
        Err(error) => report.failed(what, &format!("{error:#}")),
    }
    Ok(())
}
