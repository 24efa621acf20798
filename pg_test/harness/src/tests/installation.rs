//! What the scripts of installation must name: each file of the Oracle side, each view of Oracle that it reads.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};

use super::report::Report;
use crate::artifacts;
use crate::oracle_side;

const FOLDER: &str = "sql/oracle/";

pub fn check(report: &mut Report) -> Result<()> {
    let files = oracle_side::files()?;
    let install = script("install.sql")?;
    let jobs = jobs()?;
    let forgotten: Vec<&str> = files
        .iter()
        .filter_map(|(name, _)| name.strip_prefix(FOLDER))
        .chain(jobs.iter().map(String::as_str))
        .filter(|name| !runs(&install, name))
        .collect();
    outcome(report, "install.sql runs every file", &forgotten);

    let rights = script("rights.sql")?;
    let read: BTreeSet<String> = files
        .iter()
        .flat_map(|(_, text)| dictionary_views(text))
        .collect();
    let ungranted: Vec<&str> = read
        .iter()
        .map(String::as_str)
        .filter(|view| !rights.contains(&format!("'{view}'")))
        .collect();
    outcome(
        report,
        "rights.sql grants every view that is read",
        &ungranted,
    );
    Ok(())
}

fn outcome(report: &mut Report, name: &str, missing: &[&str]) {
    if missing.is_empty() {
        report.passed(name);
    } else {
        report.failed(name, &format!("not named: {}", missing.join(", ")));
    }
}

/// The files of the jobs, which are not translated.
fn jobs() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(artifacts::repository().join(FOLDER).join("jobs"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".sql") {
            names.push(format!("jobs/{name}"));
        }
    }
    names.sort();
    Ok(names)
}

fn script(name: &str) -> Result<String> {
    let file = artifacts::repository().join(FOLDER).join(name);
    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}

fn runs(install: &str, file: &str) -> bool {
    install.lines().any(|line| {
        line.starts_with("@@")
            && line
                .trim_start_matches("@@")
                .split(' ')
                .any(|word| word == file)
    })
}

/// Views of SYS in the code, not in comments, as they are granted: `V_$LOG` for `v$log`.
fn dictionary_views(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#');
    text.lines()
        .filter_map(|line| line.split("--").next())
        .flat_map(|code| code.split(|c| !is_part(c)))
        .map(str::to_uppercase)
        .filter(|word| {
            ["V$", "GV$", "DBA_"]
                .iter()
                .any(|start| word.starts_with(start))
                || word == "REDACTION_POLICIES"
        })
        .map(|word| word.replacen("V$", "V_$", 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_found_in_code_only() {
        let text = "SELECT 1 FROM v$log l JOIN dba_lobs b -- not v$lock\nJOIN gv$instance i ON i.a = l.dba_x";
        let found: Vec<String> = dictionary_views(text).into_iter().collect();
        assert_eq!(found, ["DBA_LOBS", "DBA_X", "GV_$INSTANCE", "V_$LOG"]);
    }

    #[test]
    fn a_file_is_run_by_its_name() {
        let install = "@@once.sql TABLE tx tables/tx.sql\n-- views/a_v.sql\n@@views/source_v.sql\n";
        assert!(runs(install, "tables/tx.sql"));
        assert!(runs(install, "views/source_v.sql"));
        assert!(!runs(install, "views/a_v.sql"));
        assert!(!runs(install, "source_v.sql"));
    }
}
