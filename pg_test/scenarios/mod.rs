//! Behaviours of the whole: a source, its shards, and what a person would see. One file for each theme.

mod ahead;
mod altered;
mod answers;
mod apart;
mod away;
mod backlog;
mod broken_reads;
mod every_state;
mod exhausted;
mod filters;
mod follow;
mod forgotten;
mod hands;
mod identity;
mod install;
mod items;
mod lease;
mod loads;
mod many_tables;
mod memory;
mod mined;
mod names;
mod one_table;
mod others;
mod owner;
mod parked;
mod plans;
mod poison;
mod pushdown;
mod refused;
mod released;
mod resyncs;
mod second_look;
mod sessions;
mod standbys;
mod states;
mod steps;
mod stops;
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

/// One shard, and a source whose tables the scenario creates.
const fn scenario(name: &'static str, run: fn(&Bed) -> Result<()>) -> Scenario {
    Scenario {
        name,
        shards: 1,
        tables: Tables::None,
        run,
    }
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
        stops::SCENARIOS,
        standbys::SCENARIOS,
        ahead::SCENARIOS,
        hands::SCENARIOS,
        second_look::SCENARIOS,
        released::SCENARIOS,
        apart::SCENARIOS,
        pushdown::SCENARIOS,
        memory::SCENARIOS,
        mined::SCENARIOS,
        loads::SCENARIOS,
        plans::SCENARIOS,
        many_tables::SCENARIOS,
        resyncs::SCENARIOS,
        lease::SCENARIOS,
        forgotten::SCENARIOS,
        away::SCENARIOS,
        exhausted::SCENARIOS,
        broken_reads::SCENARIOS,
        states::SCENARIOS,
        answers::SCENARIOS,
        one_table::SCENARIOS,
        owner::SCENARIOS,
        names::SCENARIOS,
        sessions::SCENARIOS,
        altered::SCENARIOS,
        every_state::SCENARIOS,
        parked::SCENARIOS,
        poison::SCENARIOS,
        refused::SCENARIOS,
    ]
    .concat()
}
