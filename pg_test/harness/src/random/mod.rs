//! Random work at the source, random faults on both sides, and in the end the same rows.
//!
//! A run depends on its seed: what happens, to what, and in which order. When it happens, and what the workers do
//! meanwhile, is up to the machine, so that a seed that has failed may have to be tried some times.

mod acts;
mod application;
mod converge;
mod copies;
pub mod dice;
mod far_side;
mod journal;
mod near_side;
mod operator;
mod publisher;
mod run;
mod set_up;
mod tables;
mod work;

use anyhow::{Result, anyhow};

use crate::bed::Bed;
use journal::Journal;
use run::Run;

/// What a run did, in words.
pub fn one(bed: &Bed, seed: u64) -> Result<String> {
    let mut run = Run::new(bed, seed, Journal::begin(seed)?);
    match run.go() {
        Ok(()) => {
            let told = format!("{} shards, {} steps", run.shards.len(), run.journal.lines());
            run.journal.discard()?;
            Ok(told)
        }
        Err(error) => {
            run.note(&format!("{error:#}\n{}", bed.ends_of_logs(500)))?;
            Err(anyhow!(
                "seed {seed}: {error:#}\nwhat was done, and the logs of the servers: {}",
                run.journal.path().display()
            ))
        }
    }
}
