//! What the scripts of installation must name: each file of the Oracle side, each view of Oracle that it reads; and what
//! they grant must be what the tests grant.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};

use super::report::Report;
use crate::artifacts;
use crate::oracle_side::{self, script};

/// Folders whose files make objects.
pub const FOLDERS: &[&str] = &[
    "sequences",
    "tables",
    "indexes",
    "views",
    "packages",
    "jobs",
    "root/tables",
    "root/views",
    "root/packages",
    "root/jobs",
];

/// What installs, and what grants its owner the rights.
const SCRIPTS: &[(&str, &str)] = &[
    ("install.sql", "rights.sql"),
    ("install_root.sql", "rights_root.sql"),
];

pub fn check(report: &mut Report) -> Result<()> {
    let install = script("install.sql")?;
    outcome(report, "every file is installed", &forgotten()?);
    outcome(report, "every script that is run is there", &absent()?);
    for (by, rights) in SCRIPTS {
        outcome(
            report,
            &format!("{by}: once.sql looks for what its file makes"),
            &mistaken(&script(by)?),
        );
        outcome(
            report,
            &format!("{rights} grants every view that is read"),
            &ungranted(by, &script(rights)?)?,
        );
    }
    let tests = artifacts::repository().join("pg_test/oracle/grants.sql");
    let tests = fs::read_to_string(&tests).context("grants.sql cannot be read")?;
    outcome(
        report,
        "the tests grant what install.sql grants",
        &differing(&install, &tests),
    );
    Ok(())
}

fn forgotten() -> Result<Vec<String>> {
    let mut there = there()?;
    for (by, _) in SCRIPTS {
        let installed = oracle_side::installed(by)?;
        there.retain(|name| !installed.contains(name));
    }
    Ok(there)
}

/// `@@once.sql TABLE ...`, and there is no once.sql.
fn absent() -> Result<Vec<String>> {
    let root = artifacts::repository().join("sql/oracle");
    let mut absent = Vec::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "sql") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let runs = text.lines().filter_map(|line| line.strip_prefix("@@"));
        let names = runs.filter_map(|run| run.split(' ').next());
        absent.extend(
            names
                .filter(|name| !name.starts_with('&') && !root.join(name).exists())
                .map(|name| format!("{name}, in {}", path.display())),
        );
    }
    Ok(absent)
}

fn mistaken(install: &str) -> Vec<String> {
    install
        .lines()
        .filter(|line| asks_for_another(line))
        .map(str::to_owned)
        .collect()
}

fn ungranted(by: &str, rights: &str) -> Result<Vec<String>> {
    let read: BTreeSet<String> = oracle_side::files(by)?
        .iter()
        .flat_map(|(_, text)| dictionary_views(text))
        .collect();
    Ok(read
        .into_iter()
        .filter(|view| !rights.contains(&format!("'{view}'")))
        .collect())
}

fn differing(install: &str, tests: &str) -> Vec<String> {
    rights_of_install(install)
        .symmetric_difference(&rights_of_tests(tests))
        .cloned()
        .collect()
}

fn outcome(report: &mut Report, name: &str, missing: &[String]) {
    if missing.is_empty() {
        report.passed(name);
    } else {
        report.failed(name, &missing.join(", "));
    }
}

/// The files that make objects.
fn there() -> Result<Vec<String>> {
    let root = artifacts::repository().join("sql/oracle");
    let mut names = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if [".sql", ".pks", ".pkb"]
                .iter()
                .any(|end| name.ends_with(end))
            {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    Ok(names)
}

/// `@@once.sql TABLE tx tables/tx.sql`, with another kind or name than those of the file: run again, it would make it twice
/// or never.
fn asks_for_another(line: &str) -> bool {
    let Some(asked) = line.strip_prefix("@@once.sql ") else {
        return false;
    };
    match asked.split(' ').collect::<Vec<_>>()[..] {
        [kind, name, file] => {
            let file = file.strip_prefix("root/").unwrap_or(file);
            let folder = match kind {
                "INDEX" => "indexes".to_owned(),
                _ => format!("{}s", kind.to_lowercase()),
            };
            file != format!("{folder}/{name}.sql")
        }
        _ => true,
    }
}

/// Rights of the shards: `'SELECT ON source_v'`.
fn rights_of_install(text: &str) -> BTreeSet<String> {
    text.split('\'')
        .skip(1)
        .step_by(2)
        .filter(|text| {
            ["SELECT ON ", "INSERT ON ", "EXECUTE ON "]
                .iter()
                .any(|right| text.starts_with(right))
        })
        .map(str::to_uppercase)
        .collect()
}

/// The same of `GRANT SELECT ON "ORAPULL"."SOURCE_V", ... TO`; of a package, which is a schema, all routines.
fn rights_of_tests(text: &str) -> BTreeSet<String> {
    let mut rights = BTreeSet::new();
    for statement in text.split(';') {
        let Some((right, rest)) = statement
            .trim()
            .strip_prefix("GRANT ")
            .and_then(|grant| grant.split_once(" ON "))
        else {
            continue;
        };
        if right == "USAGE" {
            continue;
        }
        let objects = rest.split(" TO ").next().unwrap_or(rest);
        for object in objects.split(',') {
            let name = object.rsplit(['.', ' ']).next().unwrap_or(object);
            rights.insert(format!("{right} ON {}", name.trim_matches('"')));
        }
    }
    rights
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
    fn what_is_asked_for_is_what_is_made() {
        assert!(!asks_for_another("@@once.sql TABLE tx tables/tx.sql"));
        assert!(!asks_for_another(
            "@@once.sql TABLE pass root/tables/pass.sql"
        ));
        assert!(!asks_for_another("@@once.sql INDEX tx_i indexes/tx_i.sql"));
        assert!(!asks_for_another("@@views/a_v.sql"));
        assert!(asks_for_another("@@once.sql TABLE tx tables/carry.sql"));
        assert!(asks_for_another("@@once.sql VIEW tx tables/tx.sql"));
    }

    #[test]
    fn rights_are_compared_by_name() {
        let install = "SELECT 'x' FROM t('SELECT ON a_v', 'EXECUTE ON api')";
        let tests = "GRANT USAGE ON SCHEMA \"API\" TO r;\nGRANT SELECT ON \"ORAPULL\".\"A_V\" TO r;\nGRANT EXECUTE ON ALL ROUTINES IN SCHEMA \"API\" TO r;\n";
        assert_eq!(rights_of_install(install), rights_of_tests(tests));
        assert_eq!(rights_of_tests(tests).len(), 2);
    }

    #[test]
    fn views_are_found_in_code_only() {
        let text = "SELECT 1 FROM v$log l JOIN dba_lobs b -- not v$lock\nJOIN gv$instance i ON i.a = l.dba_x";
        let found: Vec<String> = dictionary_views(text).into_iter().collect();
        assert_eq!(found, ["DBA_LOBS", "DBA_X", "GV_$INSTANCE", "V_$LOG"]);
    }
}
