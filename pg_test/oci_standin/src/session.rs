//! A logged-on session: one call at a time, which a break from another thread or the call
//! timeout can end.

use std::ffi::CString;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::breaker::Breaker;
use crate::call_log::{self, Call};
use crate::error::{OraError, Result};
use crate::fault::{self, Fault};
use crate::libpq::{Connection, Failure, Oid, Rows};

/// Oracle undoes a failed statement, not the transaction.
const SAVEPOINT: &str = "\"oci_standin\"";

pub struct Session {
    connection: Mutex<Option<Connection>>,
    breaker: Breaker,
}

impl Session {
    pub fn new(connection: Connection) -> Self {
        let cancel = connection.cancel_handle();
        Self {
            connection: Mutex::new(Some(connection)),
            breaker: Breaker::new(cancel),
        }
    }

    /// Runs a call: faults, call timeout, break, undo of a failed statement, log.
    pub fn call<T>(
        &self,
        call: &Call,
        timeout: Option<Duration>,
        work: impl FnOnce(&mut Running) -> Result<T>,
    ) -> Result<T> {
        let outcome = self.run(call, timeout, work);
        call_log::ended(call, &outcome);
        outcome
    }

    fn run<T>(
        &self,
        call: &Call,
        timeout: Option<Duration>,
        work: impl FnOnce(&mut Running) -> Result<T>,
    ) -> Result<T> {
        let mut place = self.connection.lock();
        let connection = place.as_mut().ok_or_else(|| OraError::known(3114))?;
        let mut running = Running {
            connection,
            breaker: &self.breaker,
            deadline: timeout.map(|timeout| Instant::now() + timeout),
            in_statement: false,
        };
        self.breaker.begin();
        let outcome = running.under_fault(call, work);
        self.breaker.end();

        if let Err(error) = &outcome
            && (error.ends_session() || running.undo_statement().is_err())
        {
            *place = None;
            self.breaker.forget();
        }
        outcome
    }

    /// Ends the running call with ORA-01013; nothing happens when none is running.
    pub fn interrupt(&self) {
        self.breaker.interrupt();
    }

    pub fn is_alive(&self) -> bool {
        match self.connection.try_lock() {
            Some(connection) => connection.as_ref().is_some_and(Connection::is_alive),
            // A call is running.
            None => true,
        }
    }

    pub fn in_transaction(&self) -> bool {
        self.connection
            .lock()
            .as_ref()
            .is_some_and(Connection::in_transaction)
    }

    pub fn close(&self) {
        self.breaker.forget();
        if self.connection.lock().take().is_some() {
            call_log::ended(&Call::Close, &Ok(()));
        }
    }
}

/// The session while a call runs.
pub struct Running<'a> {
    connection: &'a mut Connection,
    breaker: &'a Breaker,
    deadline: Option<Instant>,
    in_statement: bool,
}

impl Running<'_> {
    /// Begins a statement, and the transaction when none is open: Oracle never autocommits.
    pub fn begin_statement(&mut self) -> Result<()> {
        let begin = if self.connection.in_transaction() {
            ""
        } else {
            "BEGIN; "
        };
        self.run(&format!("{begin}SAVEPOINT {SAVEPOINT}"))?;
        self.in_statement = true;
        Ok(())
    }

    pub fn begin_transaction(&mut self) -> Result<()> {
        if !self.connection.in_transaction() {
            self.run("BEGIN")?;
        }
        Ok(())
    }

    pub fn end_statement(&mut self) -> Result<()> {
        self.in_statement = false;
        self.run(&format!("RELEASE SAVEPOINT {SAVEPOINT}"))
            .map(drop)
    }

    /// Takes back what the statement did so far and goes on in it.
    pub fn restart_statement(&mut self) -> Result<()> {
        self.run(&format!("ROLLBACK TO SAVEPOINT {SAVEPOINT}"))
            .map(drop)
    }

    pub fn commit(&mut self) -> Result<()> {
        self.end_transaction("COMMIT")
    }

    pub fn rollback(&mut self) -> Result<()> {
        self.end_transaction("ROLLBACK")
    }

    fn end_transaction(&mut self, sql: &str) -> Result<()> {
        self.in_statement = false;
        if self.connection.in_transaction() {
            self.run(sql)?;
        }
        Ok(())
    }

    /// Runs SQL without parameters.
    pub fn run(&mut self, sql: &str) -> Result<Rows> {
        self.breaker.check(self.deadline)?;
        Ok(self.connection.run(sql, self.deadline)?)
    }

    pub fn prepare(&mut self, sql: &str, types: &[Oid]) -> std::result::Result<(), Refusal> {
        self.breaker.check(self.deadline).map_err(Refusal::Error)?;
        self.connection
            .prepare(sql, types, self.deadline)
            .map_err(Refusal::from)
    }

    pub fn describe_prepared(&mut self) -> Result<Rows> {
        self.breaker.check(self.deadline)?;
        Ok(self.connection.describe_prepared(self.deadline)?)
    }

    pub fn run_prepared(&mut self, values: &[Option<CString>]) -> Result<Rows> {
        self.breaker.check(self.deadline)?;
        Ok(self.connection.run_prepared(values, self.deadline)?)
    }

    /// Does the work of a call, before or after the fault that a rule asks for.
    fn under_fault<T>(
        &mut self,
        call: &Call,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        match fault::for_call(call)? {
            None => work(self),
            Some(Fault::CutAfter) => {
                work(self)?;
                Err(OraError::known(3113))
            }
            Some(fault) => {
                self.suffer(fault)?;
                work(self)
            }
        }
    }

    fn suffer(&mut self, fault: Fault) -> Result<()> {
        match fault {
            Fault::Refuse => Err(OraError::known(12541)),
            Fault::Code(code) => Err(OraError::known(code)),
            Fault::CutBefore | Fault::CutAfter => Err(OraError::known(3113)),
            Fault::Delay(time) => self.breaker.wait(time, self.deadline),
            Fault::Hang(time) => {
                std::thread::sleep(time);
                Ok(())
            }
        }
    }

    fn undo_statement(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.in_statement) {
            return if self.connection.in_failed_transaction() {
                Err(OraError::known(3113))
            } else {
                Ok(())
            };
        }
        let sql = format!("ROLLBACK TO SAVEPOINT {SAVEPOINT}; RELEASE SAVEPOINT {SAVEPOINT}");
        self.connection.run(&sql, None)?;
        Ok(())
    }
}

/// Why a statement could not be prepared.
pub enum Refusal {
    /// The server cannot tell the types of the parameters by itself.
    UnknownTypes(OraError),
    Error(OraError),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let unknown = match &failure {
            Failure::Server(error) => {
                matches!(error.sqlstate.as_str(), "42P18" | "42725" | "42883")
            }
            _ => false,
        };
        let error = OraError::from(failure);
        if unknown {
            Self::UnknownTypes(error)
        } else {
            Self::Error(error)
        }
    }
}
