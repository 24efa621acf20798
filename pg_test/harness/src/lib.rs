//! Scratch clusters, demo, tests and benchmarks of orapull.
//!
//! `install` copies the installed PostgreSQL into the folder of the run (`scratch`), `cluster` starts servers of it,
//! `bed` makes a source and shards of them. `demo`, `tests` and `bench` are what a person calls.

pub mod account;
pub mod args;
pub mod artifacts;
pub mod bed;
pub mod bench;
pub mod calls;
pub mod cluster;
pub mod compare;
pub mod demo;
pub mod histories;
pub mod install;
pub mod memory;
pub mod mining;
pub mod mutants;
pub mod oracle_side;
pub mod packages;
pub mod progress;
pub mod random;
#[path = "../../scenarios/mod.rs"]
pub mod scenarios;
pub mod scratch;
pub mod sqlfluff;
pub mod sqlplus;
pub mod standby;
pub mod statements;
pub mod tests;
pub mod watch;
pub mod workload;
pub mod world;
