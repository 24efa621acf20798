//! Behaviours of the whole: a source, its shards, and what a person would see. One file for each theme.

mod filters;
mod follow;
mod identity;
mod install;
mod steps;
mod unique;
mod values;

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
        identity::SCENARIOS,
        filters::SCENARIOS,
        unique::SCENARIOS,
        values::SCENARIOS,
    ]
    .concat()
}
