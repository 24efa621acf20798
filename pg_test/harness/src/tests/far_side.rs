//! The far side by itself: the OCI stand-in, and the scripted source with its own assertions.

use std::fs;

use anyhow::{Context, Result};

use super::Choice;
use super::code::cargo_test;
use super::report::Report;
use crate::artifacts;
use crate::bed;
use crate::world::World;

pub fn check(world: &World, _: &Choice, report: &mut Report) -> Result<()> {
    let mut standin = artifacts::cargo();
    cargo_test(
        report,
        "oci_standin",
        standin.args(["test", "--package", "oci_standin"]),
    )?;
    let scripts = artifacts::repository().join("pg_test/oracle");
    let source = bed::start_source(world, "check", bed::Tables::Demo, &[])?;
    // One file for each theme; each raises at the first promise that is not kept.
    let themes = fs::read_dir(scripts.join("check"))
        .context("pg_test/oracle/check cannot be read")?
        .count();
    match bed::run_file(&source, &scripts.join("check.sql")) {
        Ok(()) => report.passed_many("scripted source", themes),
        Err(error) => report.failed("scripted source", &format!("{error:#}")),
    }
    Ok(())
}
