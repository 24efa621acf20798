//! ARCHITECTURE.md: the tests that it names exist, its map has every file.

use std::fs;

use anyhow::{Context, Result};

use super::Choice;
use super::report::Report;
use super::{declared, scenarios};
use crate::artifacts;

const FILE: &str = "ARCHITECTURE.md";
const MAP_BEGINS: &str = "<!-- code map: cargo test-all --only docs --write -->\n";
const MAP_ENDS: &str = "<!-- end of the code map -->\n";

pub fn check(choice: &Choice, report: &mut Report) -> Result<()> {
    let text = declared::source(FILE)?;
    map(&text, choice, report)?;
    let name = "the tests that ARCHITECTURE.md names exist";
    let missing = missing_tests(&text)?;
    if missing.is_empty() {
        report.passed(name);
    } else {
        report.failed(name, &missing.join("\n"));
    }
    Ok(())
}

fn map(text: &str, choice: &Choice, report: &mut Report) -> Result<()> {
    let name = "the code map is that of the files";
    let (before, rest) = text
        .split_once(MAP_BEGINS)
        .context("ARCHITECTURE.md has no code map")?;
    let (written, after) = rest
        .split_once(MAP_ENDS)
        .context("the code map has no end")?;
    let now = declared::code_map()?;
    if choice.write {
        let new = [before, MAP_BEGINS, now.as_str(), MAP_ENDS, after].concat();
        fs::write(artifacts::repository().join(FILE), new)?;
    } else if written != now {
        let lines: Vec<&str> = written.lines().collect();
        let new = now.lines().find(|line| !lines.contains(line));
        let how = format!(
            "not in it: {}; cargo test-all --only docs --write writes it anew",
            new.unwrap_or("(lines of files that are gone)")
        );
        report.failed(name, &how);
        return Ok(());
    }
    report.passed(name);
    Ok(())
}

/// Tests are named in backquotes as `step/name`.
fn missing_tests(text: &str) -> Result<Vec<String>> {
    let known: Vec<&str> = scenarios::names().collect();
    let mut code = String::new();
    for folder in ["src", "pg_test"] {
        for file in declared::files(folder)? {
            code += &declared::source(&file)?;
        }
    }
    let exists = |step: &str, name: &str| match step {
        "scenarios" => known.contains(&name),
        "unit" | "pg" | "standin" => code.contains(&format!("fn {name}()")),
        "regress" => artifacts::repository()
            .join(format!("pg_test/regress/sql/{name}.sql"))
            .exists(),
        _ => true,
    };
    let quoted = text.split('`').skip(1).step_by(2);
    let mut missing: Vec<String> = quoted
        .filter_map(|word| word.split_once('/').map(|(step, name)| (word, step, name)))
        .filter(|(_, step, name)| !exists(step, name))
        .map(|(word, ..)| word.to_owned())
        .collect();
    missing.sort();
    missing.dedup();
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An Oracle session that is lost in a subtransaction can take the whole server down.
    #[test]
    fn subtransactions_stay_where_no_source_is_read() {
        let mut users = declared::files("src").unwrap();
        users.retain(|file| {
            let text = declared::source(file).unwrap();
            text.contains("subtransaction(") && !file.ends_with("/inside.rs")
        });
        let allowed = [
            "src/pull/marks.rs",
            "src/pull/misfit.rs",
            "src/register/mod.rs",
        ];
        assert_eq!(users, allowed);
        for file in &allowed[..2] {
            let text = declared::source(file).unwrap();
            assert!(!text.contains("fetch::rows") && !text.contains("control."));
        }
        // There the source is asked too, but not in what add_tables can undo.
        let text = declared::source(allowed[2]).unwrap();
        let undone = "subtransaction(|| follow(line, &wanted, &ready))";
        let counts = ["subtransaction(", undone].map(|part| text.matches(part).count());
        assert_eq!(counts, [1, 1]);
        let (_, follow) = text.split_once("pub fn follow(").unwrap();
        let (follow, _) = follow.split_once("\n}\n").unwrap();
        assert!(!follow.contains("control") && !follow.contains("dictionary::"));
    }

    #[test]
    fn a_test_that_does_not_exist_is_missed() {
        let text = "`unit/a_test_that_does_not_exist_is_missed` `scenarios/no/such` `unit/nor_this` `src/api.rs`";
        assert_eq!(
            missing_tests(text).unwrap(),
            ["scenarios/no/such", "unit/nor_this"]
        );
    }
}
