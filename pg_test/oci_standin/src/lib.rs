//! An Oracle client library for tests: the OCI calls of ODPI-C, answered by PostgreSQL.
//!
//! The crate `oracle` loads it as `libclntsh.so` and cannot tell it from Oracle's, as far as the
//! calls of orapull go. What is kept of Oracle: no autocommit, rollback of the failed statement
//! only, results that survive a commit, `''` is NULL, names in upper case, Oracle's error
//! numbers, break and call timeout. A PL/SQL package is a schema, its procedures are functions
//! with OUT parameters; a procedure that commits says so by
//! `set_config('standin.commit', 'on', true)`.
//!
//! Tests steer and watch it through the folder named by OCI_STANDIN_DIR, see `fault` and
//! `call_log`.
#![allow(non_snake_case, reason = "exported functions have the names of OCI")]

mod abi;
mod address;
mod attribute;
mod bind;
mod bind_callback;
mod block;
mod breaker;
mod buffer;
mod call_log;
mod connect;
mod datetime;
mod define;
mod environment;
mod error;
mod execute;
mod fault;
mod handle;
mod libpq;
mod lob;
mod number;
mod pg_type;
mod service;
mod session;
mod statement;
mod transaction;
mod value;
