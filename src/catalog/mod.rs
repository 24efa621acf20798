//! Typed access to the tables of schema `orapull` and to what PostgreSQL knows of relations.
//!
//! These statements run as the superuser of the worker, or under [`crate::pull::tx`]'s switch to it:
//! they never contain text that a user can influence.

pub mod chunk;
pub mod event;
pub mod parked;
pub mod relation;
pub mod source;
pub mod target;
pub mod tree;

/// Has foreign keys delete what refers to a row, for the rest of the transaction: in a worker's session
/// no trigger fires.
const CASCADE: &str = "SET LOCAL session_replication_role = origin";
