//! Mutants: changes to the sources that each break one rule, and the scenarios that must notice.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::artifacts;

/// The list, in the repository.
const LIST: &str = "pg_test/mutants/shard.txt";

/// One way to break a rule.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mutant {
    /// What is wrong then.
    pub name: String,
    /// Names of scenarios of which at least one must fail.
    pub tests: Vec<String>,
    pub edits: Vec<Edit>,
}

/// Whole lines of a file, and what comes in their place.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Edit {
    pub file: String,
    from: String,
    to: String,
}

pub fn all() -> Result<Vec<Mutant>> {
    let text = fs::read_to_string(artifacts::origin().join(LIST))
        .with_context(|| format!("cannot read {LIST}"))?;
    parse(&text).with_context(|| LIST.to_owned())
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let mut found: Vec<Mutant> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let what = || format!("line {number}: {line}");
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            found.push(Mutant {
                name: name.to_owned(),
                ..Mutant::default()
            });
            continue;
        }
        let mutant = found.last_mut().with_context(what)?;
        if let Some(test) = line.strip_prefix("test ") {
            mutant.tests.push(test.to_owned());
        } else if let Some(file) = line.strip_prefix("file ") {
            mutant.edits.push(Edit {
                file: file.to_owned(),
                ..Edit::default()
            });
        } else {
            let edit = mutant.edits.last_mut().with_context(what)?;
            let (side, text) = line.split_at(1);
            let lines = match side {
                "-" => &mut edit.from,
                "+" => &mut edit.to,
                _ => bail!(what()),
            };
            lines.push_str(text);
            lines.push('\n');
        }
    }
    for mutant in &found {
        let whole = !mutant.tests.is_empty() && !mutant.edits.is_empty();
        ensure!(whole, "{}: needs a test and a change", mutant.name);
    }
    Ok(found)
}

impl Mutant {
    /// Changes the files below `root`, which are as they were.
    pub fn apply(&self, root: &Path) -> Result<()> {
        for edit in &self.edits {
            let file = root.join(&edit.file);
            let text = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let new = edit
                .made_in(&text)
                .with_context(|| format!("{}: {}", self.name, edit.file))?;
            fs::write(&file, new).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }
}

impl Edit {
    fn made_in(&self, text: &str) -> Result<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let from: Vec<&str> = self.from.split_inclusive('\n').collect();
        ensure!(!from.is_empty(), "no line goes");
        let places: Vec<usize> = (0..lines.len())
            .filter(|at| lines[*at..].starts_with(&from))
            .collect();
        let [place] = places[..] else {
            bail!("{} times in the file:\n{}", places.len(), self.from);
        };
        let after = &lines[place + from.len()..];
        Ok([&lines[..place].concat(), &self.to, &after.concat()]
            .map(String::as_str)
            .concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios;

    #[test]
    fn a_list_is_read() -> Result<()> {
        let text = "# comment\n\n== no lock\ntest a/b\nfile x.rs\n-    one\n-two\n+    three\nfile y.rs\n-z\n";
        let found = parse(text)?;
        let edit = |file: &str, from: &str, to: &str| Edit {
            file: file.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let expected = Mutant {
            name: "no lock".to_owned(),
            tests: vec!["a/b".to_owned()],
            edits: vec![
                edit("x.rs", "    one\ntwo\n", "    three\n"),
                edit("y.rs", "z\n", ""),
            ],
        };
        assert_eq!(found, [expected]);
        assert!(parse("test before/any").is_err());
        assert!(parse("== without a change\ntest a/b\n").is_err());
        Ok(())
    }

    #[test]
    fn lines_are_replaced_where_they_stand_once() -> Result<()> {
        let edit = Edit {
            from: "b\n".to_owned(),
            to: "c\nd\n".to_owned(),
            ..Edit::default()
        };
        assert_eq!(edit.made_in("a\nb\nbb\n")?, "a\nc\nd\nbb\n");
        assert!(edit.made_in("a\nb\nb\n").is_err());
        assert!(edit.made_in("a\n").is_err());
        Ok(())
    }

    /// Or the list would rot: it is run seldom.
    #[test]
    fn every_mutant_fits_the_sources_and_names_scenarios() -> Result<()> {
        for mutant in all()? {
            for test in &mutant.tests {
                let known = scenarios::all()
                    .iter()
                    .any(|scenario| scenario.name == test);
                assert!(known, "{}: there is no scenario {test}", mutant.name);
            }
            let mut texts = std::collections::BTreeMap::new();
            for edit in &mutant.edits {
                let text = match texts.remove(&edit.file) {
                    Some(text) => text,
                    None => fs::read_to_string(artifacts::origin().join(&edit.file))?,
                };
                let new = edit.made_in(&text).context(mutant.name.clone())?;
                texts.insert(&edit.file, new);
            }
        }
        Ok(())
    }
}
