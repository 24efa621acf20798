//! Random runs, two at a time, each lane on a bed of its own that is used again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::Choice;
use super::report::Report;
use crate::bed::{Bed, Tables};
use crate::random;
use crate::world::World;

/// The seeds of a plain run are always the same, so that a failure is one of the change and not of luck.
const FIRST_SEED: u64 = 1;
const RUNS: u64 = 20;
const LANES: u64 = 2;
const SHARDS: usize = 2;

struct Finished {
    seed: u64,
    began: Instant,
    result: Result<String>,
}

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let first = choice.seed.unwrap_or(FIRST_SEED);
    let runs = choice
        .count
        .unwrap_or(if choice.seed.is_some() { 1 } else { RUNS });
    world.build_product()?;
    let next = AtomicU64::new(first);
    let (sender, results) = mpsc::channel();
    let mut different = 0;
    thread::scope(|scope| {
        for lane in 1..=LANES.min(runs) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut bed = None;
                loop {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= first + runs {
                        return;
                    }
                    let began = Instant::now();
                    let result = on_a_bed(world, lane, &mut bed, seed);
                    if sender
                        .send(Finished {
                            seed,
                            began,
                            result,
                        })
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for Finished {
            seed,
            began,
            result,
        } in results
        {
            report.began(began);
            match result {
                Ok(told) => report.passed(&format!("seed {seed}: {told}")),
                Err(error) => {
                    different += 1;
                    report.failed(&format!("seed {seed}"), &format!("{error:#}"));
                }
            }
        }
    });
    report.closing(format!("random: {runs} runs, {different} different"));
    Ok(())
}

/// Runs on the bed of the lane; after a failure the next run gets another one.
fn on_a_bed(world: &World, lane: u64, used: &mut Option<Bed>, seed: u64) -> Result<String> {
    let bed = match used.take() {
        Some(bed) => {
            bed.renew()?;
            bed
        }
        None => Bed::start(world, &format!("r{lane}"), SHARDS, Tables::None)?,
    };
    let result = random::one(&bed, seed);
    if result.is_ok() {
        *used = Some(bed);
    }
    result
}
