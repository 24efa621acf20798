//! Makes each mutant of the shard side in a copy of the sources, and runs the scenarios that must notice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Choice;
use super::report::Report;
use crate::artifacts;
use crate::mutants::{self, Mutant};
use crate::progress;
use crate::world::World;

pub fn check(_: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let mutants: Vec<Mutant> = mutants::all()?
        .into_iter()
        .filter(|mutant| choice.wants_text(&mutant.name))
        .collect();
    if mutants.is_empty() {
        bail!("no mutant has such a name: pg_test/mutants/shard.txt lists them");
    }
    let copy = artifacts::origin().join("target/mutants");
    seed_builds(&copy)?;
    refresh(&copy)?;
    // A scenario that fails anyway would kill every mutant.
    let tests: BTreeSet<&String> = mutants.iter().flat_map(|mutant| &mutant.tests).collect();
    let (passed, output) = run(&copy, "the scenarios without a mutant", tests)?;
    if !passed {
        bail!("without a mutant:\n{output}");
    }
    let mut killed = 0;
    for mutant in &mutants {
        refresh(&copy)?;
        mutant.apply(&copy)?;
        let (passed, output) = run(&copy, &mutant.name, &mutant.tests)?;
        if passed {
            report.failed(&mutant.name, "survived: no scenario has noticed");
        } else if let Some(reason) = noticed(&output) {
            killed += 1;
            report.passed(&format!("{}: {reason}", mutant.name));
        } else {
            report.failed(&mutant.name, &output);
        }
    }
    refresh(&copy)?;
    report.closing(format!("mutants: {killed} of {} killed", mutants.len()));
    Ok(())
}

/// Builds begin with what is built already. Hard links: compilers put new files in the place of old ones. Cargo does
/// not in its notes of what is built, and with those of a mutant the sources would count as built when they are not.
fn seed_builds(copy: &Path) -> Result<()> {
    let (from, to) = (
        artifacts::origin().join("target/pgrx/release"),
        copy.join("target/pgrx/release"),
    );
    if to.exists() || !from.exists() {
        return Ok(());
    }
    fs::create_dir_all(copy.join("target/pgrx"))?;
    copy_folder("-al", &from, &to)?;
    let notes = ".fingerprint";
    fs::remove_dir_all(to.join(notes))?;
    copy_folder("-a", &from.join(notes), &to.join(notes))?;
    // A lock of its own.
    let lock = to.join(".cargo-lock");
    if lock.exists() {
        fs::remove_file(lock)?;
    }
    Ok(())
}

fn copy_folder(how: &str, from: &Path, to: &Path) -> Result<()> {
    let status = Command::new("cp").arg(how).arg(from).arg(to).status()?;
    if !status.success() {
        bail!("cannot copy {}", from.display());
    }
    Ok(())
}

/// Makes the copy equal to the sources. What is equal stays untouched, and is not built again.
fn refresh(copy: &Path) -> Result<()> {
    let origin = artifacts::origin();
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(&origin)
        .output()?;
    if !listed.status.success() {
        bail!(
            "git ls-files failed: {}",
            String::from_utf8_lossy(&listed.stderr)
        );
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let mut wanted = BTreeSet::new();
    for file in listed.lines() {
        // Deleted and not committed yet.
        let Ok(now) = fs::read(origin.join(file)) else {
            continue;
        };
        let there: PathBuf = copy.join(file);
        wanted.insert(there.clone());
        if fs::read(&there).is_ok_and(|had| had == now) {
            continue;
        }
        if let Some(folder) = there.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&there, now).with_context(|| format!("cannot write {}", there.display()))?;
    }
    remove_others(copy, &wanted)
}

/// Removes files that the sources do not have any more. Builds are kept.
fn remove_others(folder: &Path, wanted: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("target") {
                remove_others(&path, wanted)?;
            }
        } else if !wanted.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Whether the scenarios pass in the copy, and what the harness printed.
fn run(
    copy: &Path,
    what: &str,
    tests: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<(bool, String)> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("test-all").env(artifacts::COPY, copy);
    for test in tests {
        command.arg(format!("--only=scenarios/{}", test.as_ref()));
    }
    let outcome = progress::run(what, &mut command)?;
    Ok((outcome.success, outcome.output))
}

/// Which scenario failed first, and why: it may be for another reason than the mutant. `None` when it was the build.
fn noticed(output: &str) -> Option<String> {
    let mut lines = output.lines().map(str::trim);
    let failed = lines.find(|line| line.starts_with("FAILED  ") && line.contains('/'))?;
    let scenario = failed.split_whitespace().nth(1)?;
    Some(format!("{scenario}: {}", lines.next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_sources_do_not_have_any_more_goes_but_no_build() -> Result<()> {
        let root = std::env::temp_dir().join(format!("orapull-mutants.{}", std::process::id()));
        let [kept, old, built] = ["src/a.rs", "src/b.rs", "target/c"].map(|file| root.join(file));
        for file in [&kept, &old, &built] {
            fs::create_dir_all(file.parent().context("no folder")?)?;
            fs::write(file, "")?;
        }
        remove_others(&root, &BTreeSet::from([kept.clone()]))?;
        let left = [&kept, &old, &built].map(|file| file.exists());
        fs::remove_dir_all(&root)?;
        assert_eq!(left, [true, false, true]);
        Ok(())
    }

    #[test]
    fn a_build_that_fails_has_noticed_nothing() {
        let failed = "  ok      a/a (1.0 s)\n  FAILED  a/b (2.0 s)\n          a row is lost\n0 passed, 1 failed";
        assert_eq!(noticed(failed).as_deref(), Some("a/b: a row is lost"));
        assert_eq!(
            noticed("  FAILED  scenarios\n          error: no such name\n"),
            None
        );
    }
}
