//! Checks of the source text, and the tests that need no server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::report::Report;
use super::{Choice, installation};
use crate::artifacts;
use crate::oracle_side;
use crate::progress;
use crate::sqlfluff;
use crate::sqlplus;
use crate::world::World;

/// What nobody may leave in the repository: put together here, so that this file does not find itself.
const FORBIDDEN: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("X", "XX"),
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("db", "g!("),
    concat!("allow(clippy", "::all)"),
];

/// Packages that are built without PostgreSQL's headers.
const TEST_BED: &[&str] = &["dialect", "harness", "oci_standin", "plsql", "pure"];

/// Files whose text is not ours.
const NOT_OURS: &[&str] = &["Cargo.lock", "LICENSE"];

pub fn check(_: &World, _: &Choice, report: &mut Report) -> Result<()> {
    command(
        report,
        "cargo fmt",
        artifacts::cargo().args(["fmt", "--all", "--check"]),
    )?;
    let lints = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    let mut clippy = artifacts::cargo();
    clippy
        .arg("clippy")
        .args(TEST_BED.iter().flat_map(|name| ["--package", name]))
        .args(lints);
    command(report, "cargo clippy, test bed", &mut clippy)?;
    let mut clippy = artifacts::cargo_for_extension()?;
    clippy
        .args(["clippy", "--package", "orapull", "--package", "ora_backend"])
        .args(["--features", "orapull/pg_test"])
        .args(lints);
    command(report, "cargo clippy, extension", &mut clippy)?;
    translation(report)?;
    syntax(report)?;
    installation::check(report)?;
    words(report)
}

/// What is refused in the files of the Oracle side.
fn translation(report: &mut Report) -> Result<()> {
    let name = "the Oracle side can be translated";
    match oracle_side::translate()? {
        Ok(_) => report.passed(name),
        Err(refusals) => report.failed(name, &oracle_side::listed(&refusals)),
    }
    Ok(())
}

/// What another reader of Oracle's SQL says. One that cannot read a file ends at its first statement.
fn syntax(report: &mut Report) -> Result<()> {
    let root = artifacts::repository().join("sql/oracle");
    let (mut files, mut left_out) = (Vec::new(), BTreeMap::new());
    for name in installation::sources(&root)? {
        let is_object = installation::FOLDERS
            .iter()
            .any(|folder| installation::is_in(&name, folder));
        if is_object {
            files.push(format!("sql/oracle/{name}"));
        } else {
            files.push(copy_as_readable(&root, &name, &mut left_out)?);
        }
    }
    let outcome = sqlfluff::lint(&files)?;
    let unused = sqlplus::UNKNOWN
        .iter()
        .find(|kind| !left_out.contains_key(*kind));
    if !outcome.success {
        report.failed("sqlfluff on the Oracle side", &outcome.output);
    } else if let Some(kind) = unused {
        report.failed(
            "sqlfluff on the Oracle side",
            &format!("no statement has {kind}: it need not be left out"),
        );
    } else {
        let kinds: Vec<String> = left_out
            .iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        let name = format!(
            "sqlfluff on the Oracle side, without what its grammar does not have ({})",
            kinds.join(", ")
        );
        report.passed_many(&name, files.len());
    }
    Ok(())
}

/// Commands of SQL*Plus are nothing for sqlfluff.
fn copy_as_readable(
    root: &Path,
    name: &str,
    left_out: &mut BTreeMap<&'static str, usize>,
) -> Result<String> {
    let copy = format!("target/sqlplus/{name}");
    let path = artifacts::repository().join(&copy);
    let readable = sqlplus::readable(&fs::read_to_string(root.join(name))?);
    fs::create_dir_all(path.parent().unwrap_or(root))?;
    fs::write(&path, readable.text)?;
    for kind in readable.left_out {
        *left_out.entry(kind).or_default() += 1;
    }
    Ok(copy)
}

pub fn unit_tests(_: &World, _: &Choice, report: &mut Report) -> Result<()> {
    let mut pure = artifacts::cargo_for_extension()?;
    cargo_test(
        report,
        "extension",
        pure.args(["test", "--package", "orapull", "--lib"]),
    )?;
    for name in ["dialect", "plsql", "pure", "harness"] {
        let mut command = artifacts::cargo();
        command.args(["test", "--package", name, "--no-fail-fast"]);
        cargo_test(report, name, &mut command)?;
    }
    Ok(())
}

/// Runs `cargo test` and counts the tests that it ran; each failing one is told by name.
pub fn cargo_test(report: &mut Report, name: &str, command: &mut Command) -> Result<()> {
    let outcome = progress::run(&format!("tests of {name}"), command)?;
    let results: Vec<(&str, bool)> = outcome.output.lines().filter_map(test_result).collect();
    let passed = results.iter().filter(|(_, ok)| *ok).count();
    for (test, _) in results.iter().filter(|(_, ok)| !ok) {
        report.failed(
            &format!("{name}: {test}"),
            &output_of(&outcome.output, test),
        );
    }
    if passed == results.len() && !outcome.success {
        bail!(
            "the tests of {name} did not run:\n{}",
            outcome.output.trim_end()
        );
    }
    if results.is_empty() {
        bail!("there is not one test in {name}");
    }
    report.passed_many(name, passed);
    Ok(())
}

/// Reads `test NAME ... ok` and `test NAME ... FAILED`.
fn test_result(line: &str) -> Option<(&str, bool)> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    match result.trim() {
        "ok" => Some((name, true)),
        "FAILED" => Some((name, false)),
        _ => None,
    }
}

fn output_of(all: &str, test: &str) -> String {
    let heading = format!("---- {test} stdout ----");
    let lines = all.lines().skip_while(|line| *line != heading).skip(1);
    lines
        .take_while(|line| !line.starts_with("---- ") && *line != "failures:")
        .collect::<Vec<_>>()
        .join("\n")
}

fn command(report: &mut Report, name: &str, command: &mut Command) -> Result<()> {
    let outcome = progress::run(name, command)?;
    if outcome.success {
        report.passed(name);
    } else {
        report.failed(name, &outcome.output);
    }
    Ok(())
}

fn words(report: &mut Report) -> Result<()> {
    let name = "no left-overs in the text";
    let root = artifacts::repository();
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output()?;
    if !listed.status.success() {
        bail!(
            "git ls-files failed: {}",
            String::from_utf8_lossy(&listed.stderr)
        );
    }
    let files = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut found = Vec::new();
    for file in files.lines().filter(|file| !NOT_OURS.contains(file)) {
        // What is no text, or was deleted and not committed yet, has no words.
        let Ok(text) = fs::read_to_string(root.join(file)) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = FORBIDDEN.iter().find(|word| line.contains(**word)) {
                found.push(format!("{file}:{}: {word}", number + 1));
            }
        }
    }
    if found.is_empty() {
        report.passed(name)
    } else {
        report.failed(name, &found.join("\n"))
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finished_tests_are_counted() {
        assert_eq!(test_result("test a::b ... ok"), Some(("a::b", true)));
        assert_eq!(test_result("test a::b ... FAILED"), Some(("a::b", false)));
        assert_eq!(test_result("test result: ok. 3 passed; 0 failed"), None);
        assert_eq!(test_result("test a::b ... ignored"), None);
    }

    #[test]
    fn the_output_of_a_failing_test_is_found() {
        let all = "failures:\n\n---- a stdout ----\nwhy a\n---- b stdout ----\nwhy b\n\nfailures:\n    a\n";
        assert_eq!(output_of(all, "a"), "why a");
        assert_eq!(output_of(all, "b"), "why b\n");
    }
}
