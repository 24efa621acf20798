//! Behaviours of the whole: a source, its shards, and what a person would see. One file for each theme.

mod altered;
mod follow;
mod install;
mod parked;

use anyhow::Result;

use crate::bed::{Bed, Tables};

#[derive(Clone, Copy)]
pub struct Scenario {
    /// `theme/behaviour`.
    pub name: &'static str,
    /// How many shards its bed has.
    pub shards: usize,
    pub tables: Tables,
    pub run: fn(&Bed) -> Result<()>,
}

/// All scenarios, in the order in which they begin.
pub fn all() -> Vec<Scenario> {
    [
        install::SCENARIOS,
        follow::SCENARIOS,
        altered::SCENARIOS,
        parked::SCENARIOS,
    ]
    .concat()
}
