//! Changes to the Oracle side that must be noticed: each of pg_test/oracle/mutants.txt is translated and put into a
//! database of its own, where a random history or a check has to fail.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use plsql::Statement;

use super::Choice;
use super::oracle_side::Script;
use super::report::Report;
use crate::artifacts;
use crate::cluster::SUPERUSER;
use crate::histories::Stage;
use crate::oracle_side::{self, OracleSide, Part};
use crate::world::World;

/// A mutant for which random histories are named has to fail in one of so many.
const HISTORIES: u64 = 60;
const LANES: usize = 2;

#[derive(Debug, PartialEq)]
struct Mutant {
    why: String,
    killer: String,
    /// Below sql/oracle.
    file: String,
    find: String,
    replace: String,
}

struct Finished {
    began: Instant,
    why: String,
    result: Result<String>,
}

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let file = artifacts::repository().join("pg_test/oracle/mutants.txt");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mutants: Vec<Mutant> = parse(&text)?
        .into_iter()
        .filter(|mutant| choice.wants_text(&mutant.why))
        .collect();
    let side = OracleSide::start(world, "mutants")?;
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut killed = 0;
    thread::scope(|scope| {
        for _ in 0..LANES {
            let (side, next, sender, mutants) = (&side, &next, sender.clone(), &mutants);
            scope.spawn(move || {
                while let Some((n, mutant)) = take(next, mutants) {
                    let began = Instant::now();
                    let why = mutant.why.clone();
                    let result = kill(side, n, mutant);
                    if sender.send(Finished { began, why, result }).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for Finished { began, why, result } in results {
            report.began(began);
            match result {
                Ok(by) => {
                    killed += 1;
                    report.passed(&format!("{why}: {by}"));
                }
                Err(error) => report.failed(&why, &format!("{error:#}")),
            }
        }
    });
    report.closing(format!("mutants: {killed} of {} killed", mutants.len()));
    Ok(())
}

fn take<'a>(next: &AtomicUsize, mutants: &'a [Mutant]) -> Option<(usize, &'a Mutant)> {
    let n = next.fetch_add(1, Ordering::SeqCst);
    mutants.get(n).map(|mutant| (n, mutant))
}

/// Says what has noticed the mutant; an error when nothing did.
fn kill(side: &OracleSide, n: usize, mutant: &Mutant) -> Result<String> {
    let database = format!("mutant_{n}");
    side.database(&database)?;
    let mut client = side.cluster.connect(&database, SUPERUSER)?;
    let mut places = 0;
    for part in oracle_side::parts() {
        let statements = changed(mutant, &part)?;
        oracle_side::run(&mut client, &statements)?;
        places += statements.len();
    }
    if places == 0 {
        bail!("sql/oracle/{} is not installed", mutant.file);
    }
    match mutant.killer.split_once(' ') {
        Some(("histories", first)) => by_histories(side, &database, Some(first.parse()?)),
        _ if mutant.killer == "histories" => by_histories(side, &database, None),
        _ => by_checks(side, &database, &mutant.killer),
    }
}

/// The changed file for one part; nothing, when the part does not have it.
fn changed(mutant: &Mutant, part: &Part) -> Result<Vec<Statement>> {
    let changed = format!("sql/oracle/{}", mutant.file);
    let mut files = oracle_side::files(part.script)?;
    let Some((_, text)) = files.iter_mut().find(|(name, _)| *name == changed) else {
        return Ok(Vec::new());
    };
    let found = text.matches(&mutant.find).count();
    if found != 1 {
        bail!("the text to change is {found} times in {changed}");
    }
    *text = text.replace(&mutant.find, &mutant.replace);
    let statements = plsql::translate(&files, &part.site)
        .map_err(|refusals| anyhow!("refused:\n{}", oracle_side::listed(&refusals)))?;
    Ok(statements
        .into_iter()
        // Statements of no file set up the session.
        .filter(|statement| statement.file == changed || statement.file.is_empty())
        .collect())
}

/// The seed that noticed it when that was looked at last is the first.
fn by_histories(side: &OracleSide, database: &str, first: Option<u64>) -> Result<String> {
    let mut stage = Stage::on(side, database)?;
    for seed in first.into_iter().chain(1..=HISTORIES) {
        if let Some(wrong) = stage.run(seed)?.first() {
            let detail: String = wrong.detail.chars().take(100).collect();
            return Ok(format!("seed {seed}, {}: {detail}", wrong.what));
        }
    }
    bail!("survived {HISTORIES} histories")
}

fn by_checks(side: &OracleSide, database: &str, script: &str) -> Result<String> {
    match Script::named(script)?.run(side, database) {
        Ok(()) => bail!("survived the checks of {script}"),
        Err(error) => {
            let text = format!("{error:#}");
            let promise = text
                .lines()
                .find_map(|line| line.split_once("check failed: "))
                .with_context(|| format!("{script} fails, but no promise is named:\n{text}"))?;
            Ok(promise.1.to_owned())
        }
    }
}

/// The mutants of the file: what it is, and who notices, the file, lines that are there, lines that take their place.
fn parse(text: &str) -> Result<Vec<Mutant>> {
    text.split("\n-- ").skip(1).map(parse_one).collect()
}

fn parse_one(block: &str) -> Result<Mutant> {
    let mut lines = block.trim_end().lines();
    let (why, killer) = lines
        .next()
        .and_then(|line| line.split_once(" => "))
        .with_context(|| format!("no \"why => who\" in: {block}"))?;
    let file = lines
        .next()
        .with_context(|| format!("no file in: {block}"))?;
    let rest: Vec<&str> = lines.collect();
    let after = |mark: &str| {
        let marked: Vec<&str> = rest
            .iter()
            .filter_map(|line| line.strip_prefix(mark))
            .collect();
        marked.join("\n")
    };
    Ok(Mutant {
        why: why.to_owned(),
        killer: killer.to_owned(),
        file: file.to_owned(),
        find: after("< "),
        replace: after("> "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_has_a_reason_a_killer_a_file_and_lines() -> Result<()> {
        let text = "What this is.\n\n-- no wait => mining\nviews/v.sql\n<   a\n<   b\n>   c\n";
        let expected = Mutant {
            why: "no wait".to_owned(),
            killer: "mining".to_owned(),
            file: "views/v.sql".to_owned(),
            find: "  a\n  b".to_owned(),
            replace: "  c".to_owned(),
        };
        assert_eq!(parse(text)?, [expected]);
        Ok(())
    }

    #[test]
    fn a_mutant_without_a_killer_is_refused() {
        assert!(parse("-\n-- no wait\nviews/v.sql\n").is_err());
    }
}
