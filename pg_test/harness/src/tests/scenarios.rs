//! Runs the scenarios, two at a time, each on a bed of its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use super::Choice;
use super::report::Report;
use crate::bed::Bed;
use crate::scenarios::{Scenario, all};
use crate::world::World;

const AT_A_TIME: usize = 2;
const STILL_BUSY: Duration = Duration::from_secs(20);

pub fn names() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|scenario| scenario.name)
}

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    let chosen: Vec<Scenario> = all()
        .into_iter()
        .filter(|scenario| choice.wants_scenario(scenario.name))
        .collect();
    world.build_product()?;
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            let (sender, next, chosen) = (sender.clone(), &next, &chosen);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    let Some(scenario) = chosen.get(number) else {
                        return;
                    };
                    let start = Instant::now();
                    let result = run(world, scenario, number);
                    if sender.send((scenario.name, start, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        collect(report, chosen.len(), &results);
    });
    Ok(())
}

type Finished = (&'static str, Instant, Result<()>);

fn collect(report: &mut Report, count: usize, results: &mpsc::Receiver<Finished>) {
    let mut done = 0;
    while done < count {
        match results.recv_timeout(STILL_BUSY) {
            Ok((name, began, result)) => {
                report.began(began);
                match result {
                    Ok(()) => report.passed(name),
                    Err(error) => report.failed(name, &format!("{error:#}")),
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                println!("  ... {done} of {count} scenarios done");
                continue;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        done += 1;
    }
}

/// Runs one scenario; a failure carries the ends of the servers' logs.
fn run(world: &World, scenario: &Scenario, number: usize) -> Result<()> {
    let bed = Bed::start(
        world,
        &format!("s{number}"),
        scenario.shards,
        scenario.tables,
    )?;
    catch_unwind(AssertUnwindSafe(|| (scenario.run)(&bed)))
        .unwrap_or_else(|panic| Err(anyhow!(text_of(panic.as_ref()))))
        .map_err(|error| anyhow!("{error:#}\n{}", bed.logs()))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("the scenario panicked")
        .to_owned()
}
