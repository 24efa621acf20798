//! The linter for Oracle's SQL, in an environment of its own below `target`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::artifacts;
use crate::progress::{self, Outcome};

const VERSION: &str = "4.5.0";

/// Lints files of the repository; `.sqlfluff` in its root says how.
pub fn lint(files: &[String]) -> Result<Outcome> {
    let program = install()?;
    let mut command = Command::new(program);
    command
        .current_dir(artifacts::repository())
        .args([
            "lint",
            "--processes",
            "2",
            "--disable-progress-bar",
            "--nocolor",
        ])
        .args(files);
    progress::run("sqlfluff", &mut command)
}

fn install() -> Result<PathBuf> {
    let folder = artifacts::repository().join(format!("target/sqlfluff-{VERSION}"));
    let program = folder.join("bin/sqlfluff");
    if program.exists() {
        return Ok(program);
    }
    let environment = "an environment for sqlfluff";
    must_succeed(
        environment,
        Command::new("python3").args(["-m", "venv"]).arg(&folder),
    )?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]);
    must_succeed(
        &format!("sqlfluff {VERSION}"),
        pip.arg(format!("sqlfluff=={VERSION}")),
    )?;
    Ok(program)
}

fn must_succeed(what: &str, command: &mut Command) -> Result<()> {
    let outcome = progress::run(&format!("installing {what}"), command)?;
    if !outcome.success {
        bail!("installing {what} failed:\n{}", outcome.output.trim_end());
    }
    Ok(())
}
