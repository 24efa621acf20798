//! The Oracle side as seen from a shard.

pub mod contract;
pub mod types;
