//! One connection to the source: the only file that knows the `oracle` crate.
//!
//! Everything here but [`Session::interrupt`] runs on the OCI thread. No PostgreSQL call may be
//! made there, not even to log.

use std::sync::Arc;
use std::time::Duration;

use oracle::sql_type::{OracleType, ToSql};
use oracle::{Connection, ErrorKind, InitParams};
use parking_lot::Mutex;

use crate::error::{Error, Kind};
use crate::source::contract::KEY_COLUMNS;
use crate::source::login::Login;

/// Rows of an array insert that go to the source in one round trip.
pub const ROWS_A_TRIP: usize = 1_000;

/// The client library is older than 18.1 and knows no call timeout. The worker watches the clock
/// as well, so that this is no reason to stop.
const DPI_NO_CALL_TIMEOUT: i32 = 1050;

/// An argument of a procedure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    Text(String),
    Number(Option<i64>),
    /// A number that the procedure returns.
    Out,
}

/// Which row a request is about: its ROWID, its key, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    pub row_id: Option<String>,
    pub keys: [Option<String>; KEY_COLUMNS],
}

/// Rows that are inserted in the transaction of a call, before it.
#[derive(Debug)]
pub struct Insert {
    pub statement: String,
    pub table_id: i64,
    pub identities: Vec<Identity>,
}

/// One call of a procedure.
#[derive(Debug)]
pub struct Call {
    pub insert: Option<Insert>,
    pub block: String,
    pub arguments: Vec<Argument>,
}

/// A query on a view of the contract.
#[derive(Debug)]
pub struct Query {
    pub statement: String,
    pub arguments: Vec<Argument>,
}

/// One row, every value as text.
pub type TextRow = Vec<Option<String>>;

/// How to get a connection, and the connection while there is one.
#[derive(Debug)]
pub struct Session {
    login: Login,
    client_lib_dir: Option<String>,
    open: Mutex<Option<Arc<Connection>>>,
}

impl Session {
    pub fn new(login: Login, client_lib_dir: Option<String>) -> Self {
        Session {
            login,
            client_lib_dir,
            open: Mutex::new(None),
        }
    }

    /// Makes a call and returns its OUT numbers. Connects if need be, but repeats nothing: only
    /// the caller knows what a lost answer means.
    pub fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<i64>, Error> {
        self.with_connection(timeout, |connection| {
            if let Some(insert) = &call.insert {
                insert_identities(connection, insert)?;
            }
            execute(connection, call)
        })
    }

    /// Rows of a query on a view of the contract, every value as text.
    pub fn rows(&self, query: &Query, timeout: Duration) -> Result<Vec<TextRow>, Error> {
        self.with_connection(timeout, |connection| read(connection, query))
    }

    pub fn ping(&self, timeout: Duration) -> Result<(), Error> {
        self.with_connection(timeout, Connection::ping)
    }

    /// Gives the connection up. Whatever was not committed is rolled back by the source.
    pub fn close(&self) {
        let open = self.open.lock().take();
        if let Some(connection) = open {
            // A connection that cannot be closed is gone already.
            let _ = connection.close();
        }
    }

    /// Asks the source to end the running call. For any thread.
    pub fn interrupt(&self) {
        let open = self.open.lock().clone();
        if let Some(connection) = open {
            // Whether it helped shows in the answer to the call.
            let _ = connection.break_execution();
        }
    }

    fn with_connection<T>(
        &self,
        timeout: Duration,
        work: impl FnOnce(&Connection) -> oracle::Result<T>,
    ) -> Result<T, Error> {
        let connection = self.connection()?;
        let outcome = limit(&connection, timeout).and_then(|()| work(&connection));
        outcome.map_err(|error| {
            let error = translate(&error);
            let lost = matches!(error.kind, Kind::Unreachable | Kind::Timeout);
            if lost || connection.rollback().is_err() {
                self.close();
            }
            error
        })
    }

    fn connection(&self) -> Result<Arc<Connection>, Error> {
        if let Some(connection) = self.open.lock().clone() {
            return Ok(connection);
        }
        let Login {
            connect,
            user,
            password,
        } = &self.login;
        let connection = init(self.client_lib_dir.as_deref())
            .and_then(|_| Connection::connect(user, password.reveal(), connect))
            .map_err(|error| {
                translate(&error).context(&format!("connecting to {connect} as {user}"))
            })?;
        let connection = Arc::new(connection);
        *self.open.lock() = Some(Arc::clone(&connection));
        Ok(connection)
    }
}

/// Loads the client library. Does nothing once that has succeeded in this process.
fn init(client_lib_dir: Option<&str>) -> oracle::Result<bool> {
    let mut params = InitParams::new();
    params.default_driver_name(concat!("orapull : ", env!("CARGO_PKG_VERSION")))?;
    if let Some(dir) = client_lib_dir {
        params.oracle_client_lib_dir(dir)?;
    }
    params.init()
}

fn limit(connection: &Connection, timeout: Duration) -> oracle::Result<()> {
    match connection.set_call_timeout(Some(timeout)) {
        Err(error) if error.dpi_code() == Some(DPI_NO_CALL_TIMEOUT) => Ok(()),
        outcome => outcome,
    }
}

fn execute(connection: &Connection, call: &Call) -> oracle::Result<Vec<i64>> {
    let mut statement = connection.statement(&call.block).build()?;
    for (at, argument) in call.arguments.iter().enumerate() {
        let value: &dyn ToSql = match argument {
            Argument::Text(text) => text,
            Argument::Number(number) => number,
            Argument::Out => &None::<i64>,
        };
        statement.bind(at + 1, value)?;
    }
    statement.execute(&[])?;
    call.arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| **argument == Argument::Out)
        .map(|(at, _)| statement.bind_value(at + 1))
        .collect()
}

fn read(connection: &Connection, query: &Query) -> oracle::Result<Vec<TextRow>> {
    let mut statement = connection.statement(&query.statement).build()?;
    for (at, argument) in query.arguments.iter().enumerate() {
        match argument {
            Argument::Text(text) => statement.bind(at + 1, text)?,
            Argument::Number(number) => statement.bind(at + 1, number)?,
            Argument::Out => {}
        }
    }
    let mut rows = Vec::new();
    for row in statement.query(&[])? {
        let row = row?;
        let values: oracle::Result<TextRow> = row
            .sql_values()
            .iter()
            .map(|value| value.get::<Option<String>>())
            .collect();
        rows.push(values?);
    }
    Ok(rows)
}

fn insert_identities(connection: &Connection, insert: &Insert) -> oracle::Result<()> {
    let rows = insert.identities.len().clamp(1, ROWS_A_TRIP);
    let mut batch = connection.batch(&insert.statement, rows).build()?;
    // The size is where it begins; it grows with the values.
    for text in 2..2 + 1 + KEY_COLUMNS {
        batch.set_type(text, &OracleType::Varchar2(64))?;
    }
    for identity in &insert.identities {
        let mut row: Vec<&dyn ToSql> = vec![&insert.table_id, &identity.row_id];
        row.extend(identity.keys.iter().map(|key| key as &dyn ToSql));
        batch.append_row(&row)?;
    }
    batch.execute()
}

/// What an error of the client library means to us.
fn translate(error: &oracle::Error) -> Error {
    let text = error.db_error().map_or_else(
        || error.to_string(),
        |db_error| db_error.message().to_owned(),
    );
    match (error.oci_code(), error.dpi_code()) {
        (Some(code), _) => of_source(code, &text),
        (None, Some(1047 | 1072)) => no_client(&text),
        (None, Some(1067)) => Error::new(Kind::Timeout, first_line(&text)),
        (None, Some(1010 | 1080)) => Error::new(Kind::Unreachable, first_line(&text)),
        _ if error.kind() == ErrorKind::NullValue => Error::new(
            Kind::Contract,
            "the source returned NULL where it must return a number",
        ),
        _ => Error::new(Kind::Other, text),
    }
}

/// An error of the source: its first line says what, the others where in the package.
fn of_source(code: i32, text: &str) -> Error {
    let mut error = Error::from_oracle(code, first_line(text));
    let place = text
        .trim_end()
        .split_once('\n')
        .map(|(_, place)| place.trim());
    error.detail = place.filter(|place| !place.is_empty()).map(str::to_owned);
    error
}

fn no_client(text: &str) -> Error {
    Error::new(Kind::NoClient, first_line(text)).hint(
        "Install Oracle Instant Client (19 or 23) on this server, then set orapull.client_library_dir to the folder that holds libclntsh.so, or put that folder into LD_LIBRARY_PATH of the postmaster and restart it.",
    )
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::login::Secret;

    fn session(client_lib_dir: &str) -> Session {
        let login = Login {
            connect: "//nowhere:1/x".to_owned(),
            user: "scott".to_owned(),
            password: Secret::new("tiger".to_owned()),
        };
        Session::new(login, Some(client_lib_dir.to_owned()))
    }

    #[test]
    fn without_a_client_library_the_error_says_what_to_install_and_set() {
        let error = session("/does/not/exist")
            .ping(Duration::from_secs(1))
            .expect_err("there is no library");
        assert_eq!(error.kind, Kind::NoClient);
        assert!(error.message.contains("DPI-1047"), "{}", error.message);
        assert!(
            error
                .hint
                .is_some_and(|hint| hint.contains("orapull.client_library_dir"))
        );
        assert!(!error.message.contains("tiger"));
    }

    #[test]
    fn the_place_in_the_package_is_a_detail() {
        let error = of_source(
            20803,
            "ORA-20803: held\nORA-06512: at \"ORAPULL.API\", line 7\n",
        );
        assert_eq!(error.kind, Kind::LeaseHeld);
        assert_eq!(error.message, "ORA-20803: held");
        assert!(
            error
                .detail
                .is_some_and(|detail| detail.starts_with("ORA-06512"))
        );
    }
}
