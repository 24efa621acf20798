//! What the scripts of installation must name: each file of the Oracle side, each view of Oracle that it reads and each
//! package that it calls; and what they grant must be what the tests grant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

/// Packages that Oracle grants to PUBLIC.
const FOR_EVERYBODY: &[&str] = &[
    "DBMS_DB_VERSION",
    "DBMS_LOB",
    "DBMS_OUTPUT",
    "DBMS_ROWID",
    "DBMS_SCHEDULER",
    "DBMS_SESSION",
    "DBMS_UTILITY",
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
        let (rights_text, files) = (script(rights)?, oracle_side::files(by)?);
        outcome(
            report,
            &format!("{rights} grants what is read and called, and nothing else"),
            &misgranted(&files, &rights_text),
        );
    }
    outcome(
        report,
        "rights.sql: what shards read can be granted to them",
        &not_passed_on(&install, &script("rights.sql")?)?,
    );
    outcome(
        report,
        "each question of acceptance says what is expected and what was found",
        &silent()?,
    );
    outcome(
        report,
        "every index is LOGGING, whatever its tablespace is",
        &unlogged()?,
    );
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

/// `@@once.sql TABLE ...`, and there is no once.sql beside the script.
fn absent() -> Result<Vec<String>> {
    let root = artifacts::repository().join("sql/oracle");
    let mut absent = Vec::new();
    for script in sources(&root)? {
        let path = root.join(&script);
        let text = fs::read_to_string(&path)?;
        let runs = text.lines().filter_map(|line| line.strip_prefix("@@"));
        let names = runs.filter_map(|run| run.split(' ').next());
        absent.extend(
            names
                .filter(|name| !name.starts_with('&') && !path.with_file_name(name).exists())
                .map(|name| format!("{name}, in {script}")),
        );
    }
    Ok(absent)
}

/// Statements that make an index as its tablespace is, which is NOLOGGING.
fn unlogged() -> Result<Vec<String>> {
    let mut unlogged = Vec::new();
    for (by, _) in SCRIPTS {
        for (file, text) in oracle_side::files(by)? {
            let statements = text.split(';').filter(|one| one.contains("CREATE INDEX"));
            unlogged.extend(
                statements
                    .filter(|one| !one.contains(" LOGGING"))
                    .map(|one| format!("{file}: {}", one.trim())),
            );
        }
    }
    Ok(unlogged)
}

/// Scripts `acceptance/NN_...` that do not say both, themselves or by what they run.
fn silent() -> Result<Vec<String>> {
    let folder = artifacts::repository().join("sql/oracle/acceptance");
    let texts: BTreeMap<String, String> = sources(&folder)?
        .into_iter()
        .map(|name| Ok((name.clone(), fs::read_to_string(folder.join(name))?)))
        .collect::<Result<_>>()?;
    let says = |name: &str, text: &str, word: &str| {
        let runs = texts
            .iter()
            .filter(|(other, _)| other.as_str() == name || text.contains(other.as_str()));
        runs.map(|(_, text)| text).any(|text| {
            text.contains(&format!("PROMPT {word}")) || text.contains(&format!("'{word}, "))
        })
    };
    Ok(texts
        .iter()
        .filter(|(name, _)| name.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|(name, text)| !says(name, text, "expected") || !says(name, text, "found"))
        .map(|(name, _)| name.clone())
        .collect())
}

fn mistaken(install: &str) -> Vec<String> {
    install
        .lines()
        .filter(|line| asks_for_another(line))
        .map(str::to_owned)
        .collect()
}

/// What is read or called and not granted, or granted and neither.
fn misgranted(files: &[(String, String)], rights: &str) -> Vec<String> {
    let needed: BTreeSet<String> = files
        .iter()
        .flat_map(|(_, text)| dictionary_views(text).into_iter().chain(packages(text)))
        .collect();
    let granted: BTreeSet<String> = texts(rights)
        .filter(|text| !text.contains(' '))
        .flat_map(|text| dictionary_names(text).into_iter().chain(packages(text)))
        .collect();
    needed.symmetric_difference(&granted).cloned().collect()
}

/// Views of SYS that a shard reads through views that it is granted (ORA-01720 without the grant option): those that
/// install.sql grants, and PULL_n and LOAD_n, whose texts are in package RESOLVER.
fn not_passed_on(install: &str, rights: &str) -> Result<Vec<String>> {
    let files: BTreeMap<String, String> = oracle_side::files("install.sql")?
        .into_iter()
        .filter_map(|(name, text)| {
            let view = name
                .strip_prefix("sql/oracle/views/")?
                .strip_suffix(".sql")?;
            Some((view.to_uppercase(), text))
        })
        .collect();
    let mut ahead: Vec<String> = rights_of_install(install)
        .iter()
        .filter_map(|right| right.strip_prefix("SELECT ON ").map(str::to_owned))
        .chain(words(&script("packages/resolver.pkb")?))
        .filter(|name| files.contains_key(name))
        .collect();
    let (mut seen, mut read) = (BTreeSet::new(), BTreeSet::new());
    while let Some(view) = ahead.pop() {
        let text = &files[&view];
        read.extend(dictionary_views(text));
        if seen.insert(view) {
            ahead.extend(words(text).filter(|name| files.contains_key(name)));
        }
    }
    let passed_on = rights
        .split_once("c_passed_on")
        .and_then(|(_, rest)| rest.split_once(");"))
        .context("rights.sql has no c_passed_on")?
        .0;
    let passed_on: BTreeSet<String> = texts(passed_on).map(str::to_owned).collect();
    Ok(read.difference(&passed_on).cloned().collect())
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
    let mut names = sources(&root)?;
    names.retain(|name| FOLDERS.iter().any(|folder| is_in(name, folder)));
    Ok(names)
}

pub fn is_in(name: &str, folder: &str) -> bool {
    Path::new(name).parent() == Some(Path::new(folder))
}

/// All SQL below a folder.
pub fn sources(root: &Path) -> Result<Vec<String>> {
    let (mut names, mut ahead) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = ahead.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                ahead.push(path);
            } else if path
                .extension()
                .is_some_and(|end| ["sql", "pks", "pkb"].iter().any(|known| end == *known))
            {
                names.push(path.strip_prefix(root)?.to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
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
    texts(text)
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

/// What is between quotes.
fn texts(text: &str) -> impl Iterator<Item = &str> {
    text.split('\'').skip(1).step_by(2)
}

/// Words of the code, not of comments, in upper case.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#');
    text.lines()
        .filter_map(|line| line.split("--").next())
        .flat_map(move |code| code.split(move |c| !is_part(c)))
        .map(str::to_uppercase)
}

/// Views of SYS, as they are granted: `V_$LOG` for `v$log`.
fn dictionary_views(text: &str) -> BTreeSet<String> {
    words(text)
        .filter(|word| {
            ["V$", "GV$", "DBA_"]
                .iter()
                .any(|start| word.starts_with(start))
                || word == "REDACTION_POLICIES"
        })
        .map(|word| word.replacen("V$", "V_$", 1))
        .collect()
}

/// The same of a text that has them as they are granted.
fn dictionary_names(text: &str) -> BTreeSet<String> {
    dictionary_views(&text.replace("V_$", "V$"))
}

/// Packages of SYS that not everybody may call.
fn packages(text: &str) -> BTreeSet<String> {
    words(text)
        .filter(|word| word.starts_with("DBMS_") && !FOR_EVERYBODY.contains(&word.as_str()))
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
    fn what_is_needed_is_granted_and_nothing_else() {
        let code = "SELECT 1 FROM v$log; -- dba_jobs\nx := DBMS_LOCK.REQUEST(1); DBMS_OUTPUT.PUT_LINE('x');";
        let files = [("a.pkb".to_owned(), code.to_owned())];
        assert!(misgranted(&files, "t('V_$LOG'); t('DBMS_LOCK', 'GRANT x');").is_empty());
        assert_eq!(misgranted(&files, "t('V_$LOG')"), ["DBMS_LOCK"]);
        assert_eq!(
            misgranted(&files, "t('DBMS_LOCK', 'DBA_JOBS')"),
            ["DBA_JOBS", "V_$LOG"]
        );
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
