//! The Oracle side as seen from a shard.

pub mod contract;
pub mod fdw;
pub mod foreign;
pub mod login;
pub mod types;
