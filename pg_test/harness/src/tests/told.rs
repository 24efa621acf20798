//! States, checks, events and errors: the sections of the reference that come from the tables of the code, and whether
//! those tables are complete.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs;

use anyhow::{Context, Result};
use pure::error::Kind;
use pure::event::Event;
use pure::source::checks::Item;
use pure::state::{About, SourceState, TargetState};

use super::declared;
use crate::{install, packages};

pub fn sections() -> Result<String> {
    Ok(states() + &checks() + &events() + &errors()?)
}

fn states() -> String {
    let mut text = String::new();
    let section = |text: &mut String, title: &str, states: &[About]| {
        *text +=
            &format!("\n## {title}\n\n| state | meaning | what to do |\n| --- | --- | --- |\n");
        for state in states {
            *text += &row(&[state.name, state.meaning, state.advice.unwrap_or_default()]);
        }
    };
    section(
        &mut text,
        "States of a source",
        &SourceState::ALL.map(SourceState::about),
    );
    section(
        &mut text,
        "States of a table",
        &TargetState::ALL.map(TargetState::about),
    );
    text
}

fn checks() -> String {
    let mut text = String::from(
        "\n## Checks\n\nThe rows of check_source, in the order in which they are worth mending. A check that fails says \
         what to do in this very case; the last column is what it says otherwise.\n\n\
         | check | passes when | what to do |\n| --- | --- | --- |\n",
    );
    for item in Item::ALL {
        text += &row(&[&item.name(), item.meaning(), item.advice()]);
    }
    text
}

fn events() -> String {
    let mut text = String::from(
        "\n## Events\n\nThe rows of orapull.events; words in capitals stand for a name or a text.\n\n\
         | severity | what | meaning | what to do |\n| --- | --- | --- | --- |\n",
    );
    for event in Event::ALL {
        let about = event.about();
        text += &row(&[
            about.severity.as_str(),
            &event.what(),
            about.meaning,
            about.advice,
        ]);
    }
    text
}

fn errors() -> Result<String> {
    let conditions = conditions()?;
    let mut text = String::from(
        "\n## Errors\n\nAn error that PostgreSQL or a trigger raised keeps its own SQLSTATE. Condition: the name of the \
         SQLSTATE in PL/pgSQL. Puller: what a puller does about it.\n\n\
         | SQLSTATE | condition | kind | meaning | puller | what to do |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for kind in Kind::ALL {
        let about = kind.about();
        let condition = conditions
            .get(about.sqlstate)
            .with_context(|| format!("PostgreSQL has no SQLSTATE {}", about.sqlstate))?;
        text += &row(&[
            about.sqlstate,
            condition,
            &format!("{kind:?}"),
            about.meaning,
            &format!("{:?}", about.action),
            about.advice,
        ]);
    }
    Ok(text)
}

fn row(cells: &[&str]) -> String {
    let mut row = String::from("|");
    for cell in cells {
        row += &format!(" {} |", cell.replace('|', "\\|"));
    }
    row + "\n"
}

/// The names of SQLSTATEs, from the list that PostgreSQL is installed with.
fn conditions() -> Result<HashMap<String, String>> {
    let file = install::ask(&packages::pg_config()?, "--sharedir")?.join("errcodes.txt");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut names = HashMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [sqlstate, _, _, name] = words[..] {
            names
                .entry(sqlstate.to_owned())
                .or_insert_with(|| name.to_owned());
        }
    }
    Ok(names)
}

/// Variants that the sources declare and no list has, so that the reference would not have them either.
pub fn unlisted() -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut compare = |file: &str, name: &str, listed: Vec<String>| -> Result<()> {
        let text = declared::source(file)?;
        for variant in declared::variants(&text, name)? {
            if !listed.contains(&variant) {
                found.push(format!("{file}: {name}::{variant} is not in {name}::ALL"));
            }
        }
        Ok(())
    };
    compare("src/state.rs", "SourceState", names(&SourceState::ALL))?;
    compare("src/state.rs", "TargetState", names(&TargetState::ALL))?;
    compare("src/source/checks.rs", "Item", names(&Item::ALL))?;
    compare("src/event.rs", "Event<'a>", names(&Event::ALL))?;
    compare("src/kind.rs", "Kind", names(&Kind::ALL))?;
    Ok(found)
}

fn names(listed: &[impl Debug]) -> Vec<String> {
    listed
        .iter()
        .map(|value| {
            let text = format!("{value:?}");
            let end = text.find(|c: char| !c.is_alphanumeric());
            text[..end.unwrap_or(text.len())].to_owned()
        })
        .collect()
}

/// What has no sentence or no advice.
pub fn untold() -> Vec<String> {
    let states = SourceState::ALL
        .map(SourceState::about)
        .into_iter()
        .chain(TargetState::ALL.map(TargetState::about))
        .map(|state| {
            (
                state.name.to_owned(),
                state.meaning,
                state.advice.unwrap_or("-"),
            )
        });
    let checks = Item::ALL
        .into_iter()
        .map(|item| (item.name(), item.meaning(), item.advice()));
    let events = Event::ALL.into_iter().map(|event| {
        let about = event.about();
        (event.what(), about.meaning, about.advice)
    });
    let errors = Kind::ALL.into_iter().map(|kind| {
        let about = kind.about();
        (format!("{kind:?}"), about.meaning, about.advice)
    });
    states
        .chain(checks)
        .chain(events)
        .chain(errors)
        .filter(|(_, meaning, advice)| meaning.is_empty() || advice.is_empty())
        .map(|(name, ..)| format!("{name} has no meaning or no advice"))
        .collect()
}
