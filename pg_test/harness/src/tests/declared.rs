//! What the extension declares in its sources and no catalog shows: states, kinds of errors, what each file is for.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::artifacts;

/// A variant of an enum, with its comment.
struct Variant {
    name: String,
    comment: String,
}

/// The states of sources and tables as sections of the reference.
pub fn states() -> Result<String> {
    let text = source("src/state.rs")?;
    let mut sections = String::new();
    for (title, name) in [("source", "SourceState"), ("table", "TargetState")] {
        write!(
            sections,
            "\n## States of a {title}\n\n| state | meaning |\n| --- | --- |\n"
        )?;
        for variant in variants(&text, name)? {
            let shown = between(&text, &format!("({name}::{}, \"", variant.name), "\"")?;
            writeln!(sections, "| {shown} | {} |", variant.comment)?;
        }
    }
    Ok(sections)
}

/// The kinds of errors as a section of the reference.
pub fn errors() -> Result<String> {
    let text = source("src/error.rs")?;
    let mut section = String::from(
        "\n## Errors\n\nAn error that PostgreSQL or a trigger raised keeps its own SQLSTATE. The last column is what a \
         puller does about it.\n\n| SQLSTATE | kind | meaning | puller |\n| --- | --- | --- | --- |\n",
    );
    let actions = between(&text, "pub fn action", "\n    }\n")?;
    for variant in variants(&text, "Kind")? {
        let sqlstate = between(&text, &format!(" {} => \"", variant.name), "\"")?;
        let action = action(actions, &variant.name)
            .with_context(|| format!("no action for {}", variant.name))?;
        writeln!(
            section,
            "| {sqlstate} | {} | {} | {action} |",
            variant.name, variant.comment
        )?;
    }
    Ok(section)
}

/// One line for each file of the extension: the first sentence of its comment.
pub fn code_map() -> Result<String> {
    let mut map = String::from("| file | | |\n| --- | --- | --- |\n");
    for file in files("src")? {
        let text = source(&file)?;
        let comment = text
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(str::trim)
            .take_while(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        let first = comment.split_inclusive(". ").next().unwrap_or_default();
        let pure = text
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .any(|line| line.contains("Pure"));
        writeln!(
            map,
            "| `{file}` | {} | {} |",
            if pure { "P" } else { "" },
            first
                .trim_end()
                .trim_end_matches('.')
                .replace("[`", "`")
                .replace("`]", "`")
        )?;
    }
    Ok(map)
}

/// The Rust files below a folder of the repository, in order.
pub fn files(folder: &str) -> Result<Vec<String>> {
    let root = artifacts::repository();
    let mut found = Vec::new();
    let mut todo = vec![root.join(folder)];
    while let Some(folder) = todo.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path: PathBuf = entry?.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path.strip_prefix(&root)?.display().to_string());
            }
        }
    }
    found.sort();
    Ok(found)
}

pub fn source(file: &str) -> Result<String> {
    let path: &Path = &artifacts::repository().join(file);
    fs::read_to_string(path).with_context(|| format!("cannot read {file}"))
}

fn variants(text: &str, name: &str) -> Result<Vec<Variant>> {
    let mut found = Vec::new();
    let mut comment = Vec::new();
    for line in between(text, &format!("pub enum {name} {{\n"), "\n}")?.lines() {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("///") {
            comment.push(text.trim());
        } else if let Some(name) = line.strip_suffix(',') {
            found.push(Variant {
                name: name.to_owned(),
                comment: std::mem::take(&mut comment).join(" "),
            });
        }
    }
    Ok(found)
}

/// The action of a kind: arms read `Kind | Kind => Action::Name`.
fn action<'a>(arms: &'a str, kind: &str) -> Option<&'a str> {
    let mut parts = arms.split("Action::");
    let mut patterns = parts.next()?;
    for part in parts {
        let end = part
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(part.len());
        let named = patterns
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == kind);
        if named {
            return Some(&part[..end]);
        }
        patterns = &part[end..];
    }
    None
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Result<&'a str> {
    let begin = text
        .find(start)
        .with_context(|| format!("there is no {start:?}"))?
        + start.len();
    let length = text[begin..]
        .find(end)
        .with_context(|| format!("{start:?} has no end"))?;
    Ok(&text[begin..begin + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enum_is_read_with_its_comments() -> Result<()> {
        let text = "pub enum Kind {\n    /// One\n    /// line.\n    First,\n    Second,\n}\n";
        let found = variants(text, "Kind")?;
        let pairs: Vec<_> = found.iter().map(|v| (&*v.name, &*v.comment)).collect();
        assert_eq!(pairs, [("First", "One line."), ("Second", "")]);
        Ok(())
    }

    #[test]
    fn each_kind_has_the_action_of_its_own_arm() {
        let arms = "match self {\n A | B\n | C => Action::Retry,\n D | E => {\n Action::Stop\n }\n F => Action::Park";
        let all = ["A", "C", "E", "F", "G"].map(|kind| action(arms, kind));
        assert_eq!(
            all,
            [
                Some("Retry"),
                Some("Retry"),
                Some("Stop"),
                Some("Park"),
                None
            ]
        );
    }
}
