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
    let assertions = artifacts::repository().join("pg_test/oracle/check.sql");
    let source = bed::start_source(world, "check", bed::Tables::Demo, &[])?;
    // Each block of the file is one promise, and raises when it is not kept.
    let promises = fs::read_to_string(&assertions)
        .with_context(|| format!("cannot read {}", assertions.display()))?
        .matches("DO $")
        .count();
    match bed::run_file(&source, &assertions) {
        Ok(()) => report.passed_many("scripted source", promises),
        Err(error) => report.failed("scripted source", &format!("{error:#}")),
    }
    Ok(())
}
