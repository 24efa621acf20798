//! Random histories of the source, in two databases at a time.

use std::fmt::Write as _;
use std::iter::once;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result, bail};

use super::Choice;
use super::report::Report;
use crate::histories::{Small, Stage};
use crate::oracle_side::OracleSide;
use crate::world::World;

/// As many as take about four minutes on two processors.
const HISTORIES: u64 = 1000;
const LANES: u64 = 2;
/// Of a failing history so many findings are printed.
const PRINTED: usize = 5;

struct Failure {
    seed: u64,
    small: Small,
    told: String,
}

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let first = choice.seed.unwrap_or(1);
    let count = choice
        .count
        .unwrap_or(if choice.seed.is_some() { 1 } else { HISTORIES });
    let side = OracleSide::start(world, "histories")?;
    let next = AtomicU64::new(first);
    let (sender, failures) = mpsc::channel();
    let (mut lost, mut premature, mut failed) = (0, 0, 0);
    let results = thread::scope(|scope| {
        let lanes: Vec<_> = (1..=LANES.min(count))
            .map(|lane| {
                let (side, next, sender) = (&side, &next, sender.clone());
                scope.spawn(move || run_lane(side, lane, next, first..first + count, &sender))
            })
            .collect();
        drop(sender);
        for failure in failures {
            failed += 1;
            lost += usize::from(has(&failure, &["lost", "different"]));
            premature += usize::from(has(&failure, &["premature"]));
            report.failed(&format!("seed {}", failure.seed), &tell(&failure));
        }
        lanes
            .into_iter()
            .map(|lane| lane.join())
            .collect::<Vec<_>>()
    });
    let mut tales = Vec::new();
    for result in results {
        match result {
            Ok(tale) => tales.push(tale?),
            Err(_) => bail!("a lane of histories has panicked"),
        }
    }
    compare(&tales, first, report);
    let passed = usize::try_from(count)? - failed;
    if passed > 0 {
        report.passed_many(&format!("seeds {first} to {}", first + count - 1), passed);
    }
    report.closing(format!(
        "histories: {count} checked, {lost} lost, {premature} premature"
    ));
    Ok(())
}

/// A seed means the same in every database, whatever has happened there before.
fn compare(tales: &[String], seed: u64, report: &mut Report) {
    let differing = tales
        .windows(2)
        .find_map(|pair| lines(&pair[0]).zip(lines(&pair[1])).find(|(a, b)| a != b));
    match differing {
        Some((one, other)) => report.failed(
            "a seed tells the same everywhere",
            &format!("seed {seed}: {one}\nelsewhere: {other}\n"),
        ),
        None if tales.len() > 1 => report.passed("a seed tells the same everywhere"),
        None => {}
    }
}

fn lines(tale: &str) -> impl Iterator<Item = &str> {
    tale.lines().chain(once("the end"))
}

/// Runs histories until none is left; each lane has a database of its own. Returns what the first seed tells there at last.
fn run_lane(
    side: &OracleSide,
    lane: u64,
    next: &AtomicU64,
    seeds: Range<u64>,
    failures: &mpsc::Sender<Failure>,
) -> Result<String> {
    let database = format!("histories_{lane}");
    side.database(&database)?;
    let mut stage = Stage::on(side, &database)?;
    loop {
        let seed = next.fetch_add(1, Ordering::SeqCst);
        if seed >= seeds.end {
            stage.run(seeds.start)?;
            return stage.told();
        }
        if stage.run(seed)?.is_empty() {
            continue;
        }
        let failure = Failure {
            seed,
            small: stage.shrink(seed)?,
            told: stage.told()?,
        };
        failures
            .send(failure)
            .context("nobody listens to the lanes any more")?;
    }
}

fn has(failure: &Failure, kinds: &[&str]) -> bool {
    failure
        .small
        .wrong
        .iter()
        .any(|wrong| kinds.contains(&wrong.what.as_str()))
}

fn tell(failure: &Failure) -> String {
    let mut text = format!("these steps of it are enough: {}\n", failure.small.steps);
    text += &failure.told;
    if failure.small.wrong.is_empty() {
        text += "went wrong once, and not when it was run again\n";
    }
    for wrong in failure.small.wrong.iter().take(PRINTED) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {}", wrong.what, wrong.detail);
    }
    text
}
