//! Calls of the package at the source, as typed methods.
//!
//! The worker's side: texts and arguments. `oci_thread.rs` carries a call over, `session.rs` makes it.

use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Kind};
use crate::quote::ident;
use crate::source::contract::{ASK_VIEW, KEY_COLUMNS, PACKAGE};
use crate::source::login::Login;
use crate::source::oci_thread;
use crate::source::session::{Call, Insert, Query, ROWS_A_TRIP, Session};

pub use crate::source::oci_thread::{call_running, install_exit_guard};
pub use crate::source::session::{Argument, Identity, TextRow};

/// What ATTACH returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attached {
    pub token: i64,
    pub first_portion: i64,
    /// The applied portion as the source has it recorded now.
    pub applied: i64,
}

/// A table cut into ranges, numbered 1 to `chunks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub plan_id: i64,
    pub chunks: i64,
}

/// The package of one source. Connects with the first call, and again with the call after one
/// that lost the connection; repeats nothing by itself.
#[derive(Debug)]
pub struct Control {
    session: Arc<Session>,
    remote_schema: String,
    timeout: Duration,
}

impl Control {
    pub fn new(
        login: Login,
        remote_schema: &str,
        client_lib_dir: Option<String>,
        timeout: Duration,
    ) -> Self {
        Control {
            session: Arc::new(Session::new(login, client_lib_dir)),
            remote_schema: remote_schema.to_owned(),
            timeout,
        }
    }

    pub fn attach(
        &self,
        shard: &str,
        holder: &str,
        applied: Option<i64>,
        force: bool,
    ) -> Result<Attached, Error> {
        let arguments = vec![
            text(shard),
            text(holder),
            Argument::Number(applied),
            number(force.into()),
            Argument::Out,
            Argument::Out,
            Argument::Out,
        ];
        let [token, first_portion, applied] = self.call("ATTACH", arguments)?;
        Ok(Attached {
            token,
            first_portion,
            applied,
        })
    }

    pub fn ack(&self, shard: &str, token: i64, portion: i64) -> Result<(), Error> {
        self.call_void("ACK", vec![text(shard), number(token), number(portion)])
    }

    pub fn drop_shard(&self, shard: &str, token: i64) -> Result<(), Error> {
        self.call_void("DROP_SHARD", vec![text(shard), number(token)])
    }

    /// `identity` is AUTO, KEY or ROWID. Returns the table's id.
    pub fn register_table(
        &self,
        shard: &str,
        token: i64,
        owner: &str,
        table: &str,
        identity: &str,
    ) -> Result<i64, Error> {
        let arguments = vec![
            text(shard),
            number(token),
            text(owner),
            text(table),
            text(identity),
            Argument::Out,
        ];
        let [table_id] = self.call("REGISTER_TABLE", arguments)?;
        Ok(table_id)
    }

    pub fn drop_table(&self, shard: &str, token: i64, table_id: i64) -> Result<(), Error> {
        self.call_void(
            "DROP_TABLE",
            vec![text(shard), number(token), number(table_id)],
        )
    }

    pub fn refresh_table(&self, shard: &str, token: i64, table_id: i64) -> Result<(), Error> {
        self.call_void(
            "REFRESH_TABLE",
            vec![text(shard), number(token), number(table_id)],
        )
    }

    pub fn plan_ranges(
        &self,
        shard: &str,
        token: i64,
        table_id: i64,
        chunks: i64,
    ) -> Result<Plan, Error> {
        let arguments = vec![
            text(shard),
            number(token),
            number(table_id),
            number(chunks),
            Argument::Out,
            Argument::Out,
        ];
        let [plan_id, chunks] = self.call("PLAN_RANGES", arguments)?;
        Ok(Plan { plan_id, chunks })
    }

    /// Asks for the rows of these identities; returns the request's id.
    pub fn ask(
        &self,
        shard: &str,
        token: i64,
        table_id: i64,
        identities: &[Identity],
    ) -> Result<i64, Error> {
        let trips = identities.len().div_ceil(ROWS_A_TRIP) + 1;
        let call = Call {
            insert: Some(Insert {
                statement: ask_statement(&self.remote_schema),
                table_id,
                identities: identities.to_vec(),
            }),
            block: block(&self.remote_schema, "ASK", 4),
            arguments: vec![text(shard), number(token), number(table_id), Argument::Out],
        };
        let trips = u32::try_from(trips).unwrap_or(u32::MAX);
        let [request_id] = self.run("ASK", call, trips)?;
        Ok(request_id)
    }

    pub fn done(&self, shard: &str, token: i64, request_id: i64) -> Result<(), Error> {
        self.call_void("DONE", vec![text(shard), number(token), number(request_id)])
    }

    /// Rows of a query on a view of the contract, every value as text. `{}` in the statement stands
    /// for the quoted schema of the source.
    pub fn rows(&self, statement: &str, arguments: Vec<Argument>) -> Result<Vec<TextRow>, Error> {
        let timeout = self.timeout;
        let query = Query {
            statement: statement.replace("{}", &ident(&self.remote_schema)),
            arguments,
        };
        oci_thread::call(&self.session, timeout, move |session| {
            session.rows(&query, timeout)
        })
    }

    /// Whether the source can be reached and lets us in.
    pub fn ping(&self) -> Result<(), Error> {
        let timeout = self.timeout;
        oci_thread::call(&self.session, timeout, move |session| session.ping(timeout))
    }

    /// Gives the connection up; the next call makes another.
    pub fn close(&self) {
        oci_thread::close(&self.session);
    }

    fn call_void(&self, procedure: &str, arguments: Vec<Argument>) -> Result<(), Error> {
        self.call::<0>(procedure, arguments).map(|[]| ())
    }

    fn call<const OUT: usize>(
        &self,
        procedure: &str,
        arguments: Vec<Argument>,
    ) -> Result<[i64; OUT], Error> {
        let call = Call {
            insert: None,
            block: block(&self.remote_schema, procedure, arguments.len()),
            arguments,
        };
        self.run(procedure, call, 1)
    }

    fn run<const OUT: usize>(
        &self,
        procedure: &str,
        call: Call,
        trips: u32,
    ) -> Result<[i64; OUT], Error> {
        let timeout = self.timeout;
        let patience = timeout.saturating_mul(trips);
        let context = |error: Error| error.context(&format!("{PACKAGE}.{procedure}"));
        oci_thread::call(&self.session, patience, move |session| {
            session.call(&call, timeout)
        })
        .map_err(context)?
        .try_into()
        .map_err(|values: Vec<i64>| {
            context(Error::new(
                Kind::Bug,
                format!("{OUT} values expected, {} returned", values.len()),
            ))
        })
    }
}

impl Drop for Control {
    /// The connection ends on the thread that made it.
    fn drop(&mut self) {
        self.close();
    }
}

fn text(value: &str) -> Argument {
    Argument::Text(value.to_owned())
}

fn number(value: i64) -> Argument {
    Argument::Number(Some(value))
}

fn placeholders(count: usize) -> String {
    let numbered: Vec<String> = (1..=count).map(|at| format!(":{at}")).collect();
    numbered.join(", ")
}

fn block(schema: &str, procedure: &str, arguments: usize) -> String {
    format!(
        "BEGIN {}.{}.{}({}); END;",
        ident(schema),
        ident(PACKAGE),
        ident(procedure),
        placeholders(arguments)
    )
}

fn ask_statement(schema: &str) -> String {
    let keys: Vec<String> = (1..=KEY_COLUMNS)
        .map(|at| ident(&format!("K{at}")))
        .collect();
    format!(
        "INSERT INTO {}.{} (\"TABLE_ID\", \"ROW_ID\", {}) VALUES ({})",
        ident(schema),
        ident(ASK_VIEW),
        keys.join(", "),
        placeholders(2 + KEY_COLUMNS)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_a_block_with_quoted_names_and_binds() {
        assert_eq!(
            block("ORAPULL", "ACK", 3),
            r#"BEGIN "ORAPULL"."API"."ACK"(:1, :2, :3); END;"#
        );
    }

    #[test]
    fn identities_are_inserted_with_all_key_columns() {
        let statement = ask_statement("ORAPULL");
        assert!(
            statement.starts_with(r#"INSERT INTO "ORAPULL"."ASK_V" ("TABLE_ID", "ROW_ID", "K1""#)
        );
        assert!(statement.ends_with(":9, :10)"), "{statement}");
    }
}
