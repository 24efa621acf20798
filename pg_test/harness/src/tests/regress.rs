//! The SQL surface: PostgreSQL's own pg_regress on `pg_test/regress`, in the database of a shard.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Choice;
use super::report::Report;
use crate::artifacts;
use crate::bed::{Bed, Tables};
use crate::cluster::SUPERUSER;
use crate::install;
use crate::packages;
use crate::progress;
use crate::world::World;

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let files = artifacts::repository().join("pg_test/regress");
    let tests = names(&files.join("sql"))?;
    if tests.is_empty() {
        bail!("there is no test in {}", files.display());
    }
    let bed = Bed::start(world, "regress", 1, Tables::None)?;
    let shard = &bed.shards[0];
    // The account of the servers may not read the repository.
    let folder = world.scratch.folder("regress")?;
    for part in ["sql", "expected"] {
        copy_files(
            &files.join(part),
            &world.scratch.folder(&format!("regress/{part}"))?,
        )?;
    }
    // pg_regress ends at a test of which it has nothing to compare with.
    for test in &tests {
        let expected = folder.join(format!("expected/{test}.out"));
        if !expected.exists() {
            fs::write(expected, "")?;
        }
    }
    let libraries = install::ask(&packages::pg_config()?, "--pkglibdir")?;
    let mut command = shard
        .cluster
        .server
        .account()
        .command(libraries.join("pgxs/src/test/regress/pg_regress"));
    command
        .arg(format!("--inputdir={}", folder.display()))
        .arg(format!("--outputdir={}", folder.display()))
        .arg(format!(
            "--bindir={}",
            shard.cluster.server.path_of("").display()
        ))
        .arg(format!("--host={}", shard.cluster.folder.display()))
        .arg(format!("--port={}", shard.cluster.port))
        .arg(format!("--dbname={}", shard.database))
        .arg(format!("--user={SUPERUSER}"))
        .args(["--use-existing", "--max-connections=1"])
        .args(&tests);
    let outcome = progress::run("pg_regress", &mut command)?;
    if choice.write {
        copy_files(&folder.join("results"), &files.join("expected"))?;
        report.passed_many("written anew", tests.len());
        return Ok(());
    }
    tell(report, &outcome.output, &tests, &folder)
}

fn tell(report: &mut Report, output: &str, tests: &[String], folder: &Path) -> Result<()> {
    for test in tests {
        let line = output
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(test.as_str()));
        match line {
            Some(line) if line.contains("... ok") => report.passed(test),
            Some(_) => report.failed(test, &difference(folder, test)),
            None => bail!("pg_regress did not run {test}:\n{output}"),
        }
    }
    Ok(())
}

/// What differs between the expected and the actual output.
fn difference(folder: &Path, test: &str) -> String {
    let output = Command::new("diff")
        .arg("-u")
        .arg(folder.join("expected").join(format!("{test}.out")))
        .arg(folder.join("results").join(format!("{test}.out")))
        .output();
    match output {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => format!("cannot run diff: {error}"),
    }
}

/// Names of the tests, in the order in which they run.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            names.extend(
                path.file_stem()
                    .map(|name| name.to_string_lossy().into_owned()),
            );
        }
    }
    names.sort();
    Ok(names)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
