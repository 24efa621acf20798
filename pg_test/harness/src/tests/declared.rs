//! What the extension declares in its sources: what each file is for, the variants of its enums.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::artifacts;

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

/// The names of the variants of an enum.
pub fn variants(text: &str, name: &str) -> Result<Vec<String>> {
    let body = between(text, &format!("pub enum {name} {{\n"), "\n}")?;
    Ok(body
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
        .map(|line| {
            let end = line.find(|c: char| !c.is_alphanumeric());
            line[..end.unwrap_or(line.len())].to_owned()
        })
        .filter(|name| !name.is_empty())
        .collect())
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
    fn an_enum_is_read_without_its_comments() -> Result<()> {
        let text = "pub enum Kind<'a> {\n    /// One\n    /// line.\n    First,\n    Second(&'a str),\n}\n";
        assert_eq!(variants(text, "Kind<'a>")?, ["First", "Second"]);
        Ok(())
    }
}
