//! The Oracle side as seen from a shard.

pub mod checks;
pub mod contract;
pub mod control;
pub mod dictionary;
pub mod fdw;
pub mod foreign;
pub mod keys;
pub mod login;
mod oci_thread;
mod session;
pub mod types;
