//! libpq, as far as the stand-in needs it: connect, run a statement until a deadline, cancel.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::time::{Duration, Instant};

mod cancel;
mod ffi;
mod rows;

pub use cancel::Cancel;
pub use rows::Rows;

use ffi::*;

/// Object id of a PostgreSQL type; 0 lets the server find the type of a parameter.
pub type Oid = u32;

/// How long a cancelled statement may take to end before the session is given up.
const GRACE: Duration = Duration::from_secs(5);

/// Why a statement has no result.
#[derive(Debug)]
pub enum Failure {
    Server(Box<ServerError>),
    /// The deadline passed; the statement was cancelled, the session goes on.
    TimedOut,
    /// The deadline passed and the server does not react to the cancel.
    NotAnswering,
    /// The session has ended.
    Lost,
}

#[derive(Debug)]
pub struct ServerError {
    pub sqlstate: String,
    pub message: String,
    pub schema: String,
    pub table: String,
    pub column: String,
    pub constraint: String,
}

/// Where and as whom to log on.
pub struct Login<'a> {
    pub host: &'a str,
    pub port: u16,
    pub database: &'a str,
    pub user: &'a str,
    pub password: &'a str,
    pub connect_timeout: Duration,
}

pub struct Connection {
    raw: NonNull<PgConn>,
}

// SAFETY: libpq lets a connection move between threads; it is used by one at a time.
unsafe impl Send for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is open until here.
        unsafe { PQfinish(self.raw.as_ptr()) }
    }
}

impl Connection {
    /// Logs on; the error is libpq's text, which holds no password.
    pub fn open(login: &Login) -> Result<Self, String> {
        let port = login.port.to_string();
        let timeout = login.connect_timeout.as_secs().max(1).to_string();
        let settings = [
            ("host", login.host),
            ("port", &port),
            ("dbname", login.database),
            ("user", login.user),
            ("password", login.password),
            ("connect_timeout", &timeout),
            ("sslmode", "disable"),
            ("gssencmode", "disable"),
            ("client_encoding", "UTF8"),
            ("application_name", "oci_standin"),
            (
                "options",
                "-c datestyle=ISO,YMD -c intervalstyle=sql_standard -c bytea_output=hex \
                 -c extra_float_digits=1 -c timezone=UTC -c client_min_messages=error",
            ),
        ];
        let text = |text: &str| CString::new(text).map_err(|_| "zero byte in the login".to_owned());
        let mut keywords = Vec::new();
        let mut values = Vec::new();
        for (keyword, value) in settings {
            keywords.push(text(keyword)?);
            values.push(text(value)?);
        }
        let terminated = |texts: &[CString]| {
            let pointers = texts.iter().map(|text| text.as_ptr());
            pointers.chain([null()]).collect::<Vec<_>>()
        };
        // SAFETY: both arrays end with null and outlive the call.
        let raw = unsafe {
            let (keywords, values) = (terminated(&keywords), terminated(&values));
            PQconnectdbParams(keywords.as_ptr(), values.as_ptr(), 0)
        };
        let raw = NonNull::new(raw).ok_or("out of memory")?;
        let connection = Self { raw };
        if !connection.is_alive() {
            // SAFETY: the connection exists, also when it failed.
            return Err(unsafe { owned_text(PQerrorMessage(raw.as_ptr())) });
        }
        // SAFETY: the processor keeps nothing of what it is given.
        unsafe { PQsetNoticeProcessor(raw.as_ptr(), ignore_notice, null_mut()) };
        Ok(connection)
    }

    pub fn is_alive(&self) -> bool {
        // SAFETY: the connection is open.
        unsafe { PQstatus(self.raw.as_ptr()) == CONNECTION_OK }
    }

    pub fn in_transaction(&self) -> bool {
        // SAFETY: the connection is open.
        let status = unsafe { PQtransactionStatus(self.raw.as_ptr()) };
        !matches!(status, TRANSACTION_IDLE | TRANSACTION_UNKNOWN)
    }

    pub fn in_failed_transaction(&self) -> bool {
        // SAFETY: the connection is open.
        unsafe { PQtransactionStatus(self.raw.as_ptr()) == TRANSACTION_FAILED }
    }

    pub fn cancel_handle(&self) -> Option<Cancel> {
        // SAFETY: the connection is open.
        unsafe { Cancel::of(self.raw) }
    }

    /// Runs one or several statements without parameters.
    pub fn run(&mut self, sql: &str, deadline: Option<Instant>) -> Result<Rows, Failure> {
        let sql = c_text(sql)?;
        // SAFETY: connection and text live through the call.
        let sent = unsafe { PQsendQuery(self.raw.as_ptr(), sql.as_ptr()) };
        self.finish(sent, deadline)
    }

    /// Prepares the unnamed statement.
    pub fn prepare(
        &mut self,
        sql: &str,
        types: &[Oid],
        deadline: Option<Instant>,
    ) -> Result<(), Failure> {
        let sql = c_text(sql)?;
        // SAFETY: all pointers live through the call; `types` has as many entries as given.
        let sent = unsafe {
            PQsendPrepare(
                self.raw.as_ptr(),
                c"".as_ptr(),
                sql.as_ptr(),
                types.len() as c_int,
                types.as_ptr(),
            )
        };
        self.finish(sent, deadline).map(drop)
    }

    /// The columns of the prepared statement, as a result without rows.
    pub fn describe_prepared(&mut self, deadline: Option<Instant>) -> Result<Rows, Failure> {
        // SAFETY: the connection is open.
        let sent = unsafe { PQsendDescribePrepared(self.raw.as_ptr(), c"".as_ptr()) };
        self.finish(sent, deadline)
    }

    /// Runs the prepared statement.
    pub fn run_prepared(
        &mut self,
        values: &[Option<CString>],
        deadline: Option<Instant>,
    ) -> Result<Rows, Failure> {
        let pointers: Vec<*const c_char> = values
            .iter()
            .map(|value| value.as_ref().map_or(null(), |text| text.as_ptr()))
            .collect();
        // SAFETY: all pointers live through the call; values are texts, so lengths are not used.
        let sent = unsafe {
            PQsendQueryPrepared(
                self.raw.as_ptr(),
                c"".as_ptr(),
                pointers.len() as c_int,
                pointers.as_ptr(),
                null(),
                null(),
                0,
            )
        };
        self.finish(sent, deadline)
    }

    /// Waits for the answer to what was sent; cancels it when the deadline passes.
    fn finish(&mut self, sent: c_int, deadline: Option<Instant>) -> Result<Rows, Failure> {
        if sent == 0 {
            return Err(Failure::Lost);
        }
        let mut timed_out = false;
        if !self.wait(deadline)? {
            timed_out = true;
            if let Some(cancel) = self.cancel_handle() {
                cancel.send();
            }
            if !self.wait(Some(Instant::now() + GRACE))? {
                return Err(Failure::NotAnswering);
            }
        }
        match self.take_results() {
            Err(Failure::Server(error)) if timed_out && error.sqlstate == "57014" => {
                Err(Failure::TimedOut)
            }
            other => other,
        }
    }

    /// Waits until the answer is complete; false when the deadline has passed before.
    fn wait(&mut self, deadline: Option<Instant>) -> Result<bool, Failure> {
        let raw = self.raw.as_ptr();
        loop {
            // SAFETY: the connection is open.
            unsafe {
                if PQconsumeInput(raw) == 0 {
                    return Err(Failure::Lost);
                }
                if PQisBusy(raw) == 0 {
                    return Ok(true);
                }
            }
            let milliseconds = match deadline {
                None => -1,
                Some(at) => {
                    let left = at.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(false);
                    }
                    c_int::try_from(left.as_millis() + 1).unwrap_or(c_int::MAX)
                }
            };
            // SAFETY: one poll entry, which lives through the call.
            unsafe {
                let mut socket = libc::pollfd {
                    fd: PQsocket(raw),
                    events: libc::POLLIN,
                    revents: 0,
                };
                libc::poll(&mut socket, 1, milliseconds);
            }
        }
    }

    /// The last result, or the first error, of what was sent.
    fn take_results(&mut self) -> Result<Rows, Failure> {
        let mut last = None;
        let mut first_error = None;
        // SAFETY: the connection is open.
        while let Some(raw) = NonNull::new(unsafe { PQgetResult(self.raw.as_ptr()) }) {
            // SAFETY: the result was just given and belongs to nobody else.
            let rows = unsafe { Rows::from_raw(raw) };
            if rows.failed() {
                first_error.get_or_insert_with(|| rows.error());
            } else {
                last = Some(rows);
            }
        }
        if !self.is_alive() {
            return Err(Failure::Lost);
        }
        match (first_error, last) {
            (Some(error), _) => Err(Failure::Server(Box::new(error))),
            (None, Some(rows)) => Ok(rows),
            (None, None) => Err(Failure::Lost),
        }
    }
}

/// A text for libpq.
pub fn c_text(text: &str) -> Result<CString, Failure> {
    CString::new(text).map_err(|_| {
        Failure::Server(Box::new(ServerError {
            sqlstate: "22021".to_owned(),
            message: "zero byte in a text".to_owned(),
            schema: String::new(),
            table: String::new(),
            column: String::new(),
            constraint: String::new(),
        }))
    })
}

/// # Safety
/// `text` is null or a text that ends with a zero byte.
unsafe fn owned_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller vouches for the text.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

unsafe extern "C" fn ignore_notice(_argument: *mut c_void, _message: *const c_char) {}
