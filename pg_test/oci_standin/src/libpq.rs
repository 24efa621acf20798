//! libpq, as far as the stand-in needs it: connect, run a statement until a deadline, cancel.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::time::{Duration, Instant};

#[repr(C)]
struct PgConn {
    _opaque: [u8; 0],
}
#[repr(C)]
struct PgResult {
    _opaque: [u8; 0],
}
#[repr(C)]
struct PgCancel {
    _opaque: [u8; 0],
}

/// Object id of a PostgreSQL type; 0 lets the server find the type of a parameter.
pub type Oid = u32;

type NoticeProcessor = unsafe extern "C" fn(*mut c_void, *const c_char);

unsafe extern "C" {
    fn PQconnectdbParams(
        keywords: *const *const c_char,
        values: *const *const c_char,
        expand_dbname: c_int,
    ) -> *mut PgConn;
    fn PQfinish(connection: *mut PgConn);
    fn PQstatus(connection: *const PgConn) -> c_int;
    fn PQtransactionStatus(connection: *const PgConn) -> c_int;
    fn PQerrorMessage(connection: *const PgConn) -> *const c_char;
    fn PQsocket(connection: *const PgConn) -> c_int;
    fn PQsetNoticeProcessor(
        connection: *mut PgConn,
        processor: NoticeProcessor,
        argument: *mut c_void,
    ) -> Option<NoticeProcessor>;
    fn PQsendQuery(connection: *mut PgConn, sql: *const c_char) -> c_int;
    fn PQsendPrepare(
        connection: *mut PgConn,
        name: *const c_char,
        sql: *const c_char,
        count: c_int,
        types: *const Oid,
    ) -> c_int;
    fn PQsendDescribePrepared(connection: *mut PgConn, name: *const c_char) -> c_int;
    fn PQsendQueryPrepared(
        connection: *mut PgConn,
        name: *const c_char,
        count: c_int,
        values: *const *const c_char,
        lengths: *const c_int,
        formats: *const c_int,
        result_format: c_int,
    ) -> c_int;
    fn PQconsumeInput(connection: *mut PgConn) -> c_int;
    fn PQisBusy(connection: *mut PgConn) -> c_int;
    fn PQgetResult(connection: *mut PgConn) -> *mut PgResult;
    fn PQclear(result: *mut PgResult);
    fn PQresultStatus(result: *const PgResult) -> c_int;
    fn PQresultErrorField(result: *const PgResult, field: c_int) -> *const c_char;
    fn PQntuples(result: *const PgResult) -> c_int;
    fn PQnfields(result: *const PgResult) -> c_int;
    fn PQfname(result: *const PgResult, column: c_int) -> *const c_char;
    fn PQftype(result: *const PgResult, column: c_int) -> Oid;
    fn PQfmod(result: *const PgResult, column: c_int) -> c_int;
    fn PQgetisnull(result: *const PgResult, row: c_int, column: c_int) -> c_int;
    fn PQgetvalue(result: *const PgResult, row: c_int, column: c_int) -> *const c_char;
    fn PQgetlength(result: *const PgResult, row: c_int, column: c_int) -> c_int;
    fn PQcmdTuples(result: *mut PgResult) -> *const c_char;
    fn PQgetCancel(connection: *mut PgConn) -> *mut PgCancel;
    fn PQcancel(cancel: *mut PgCancel, error: *mut c_char, size: c_int) -> c_int;
    fn PQfreeCancel(cancel: *mut PgCancel);
}

const CONNECTION_OK: c_int = 0;
const TRANSACTION_IDLE: c_int = 0;
const TRANSACTION_FAILED: c_int = 3;
const TRANSACTION_UNKNOWN: c_int = 4;
const FATAL_ERROR: c_int = 7;

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
            ("client_encoding", "UTF8"),
            ("application_name", "oci_standin"),
            (
                "options",
                "-c datestyle=ISO,YMD -c intervalstyle=sql_standard -c bytea_output=hex \
                 -c extra_float_digits=1 -c client_min_messages=error",
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
        NonNull::new(unsafe { PQgetCancel(self.raw.as_ptr()) }).map(Cancel)
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
            let rows = Rows(raw);
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

/// The right to cancel what a connection runs, from any thread.
pub struct Cancel(NonNull<PgCancel>);

// SAFETY: libpq's cancel object is made for use from other threads, and PQcancel only reads it.
unsafe impl Send for Cancel {}

impl Cancel {
    /// Asks the server to cancel; has no effect when nothing runs.
    pub fn send(&self) {
        let mut error = [0 as c_char; 256];
        // SAFETY: the object lives until it is dropped, the buffer has the size given.
        unsafe { PQcancel(self.0.as_ptr(), error.as_mut_ptr(), error.len() as c_int) };
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        // SAFETY: made by PQgetCancel and freed once.
        unsafe { PQfreeCancel(self.0.as_ptr()) }
    }
}

/// The result of a statement.
pub struct Rows(NonNull<PgResult>);

// SAFETY: a result belongs to no thread and does not change.
unsafe impl Send for Rows {}

impl Drop for Rows {
    fn drop(&mut self) {
        // SAFETY: made by PQgetResult and freed once.
        unsafe { PQclear(self.0.as_ptr()) }
    }
}

impl Rows {
    pub fn row_count(&self) -> usize {
        // SAFETY: the result lives.
        usize::try_from(unsafe { PQntuples(self.0.as_ptr()) }).unwrap_or(0)
    }

    pub fn column_count(&self) -> usize {
        // SAFETY: the result lives.
        usize::try_from(unsafe { PQnfields(self.0.as_ptr()) }).unwrap_or(0)
    }

    pub fn column_name(&self, column: usize) -> String {
        // SAFETY: the result lives; libpq answers null for a column that is not there.
        unsafe { owned_text(PQfname(self.0.as_ptr(), column as c_int)) }
    }

    pub fn column_type(&self, column: usize) -> Oid {
        // SAFETY: as above, with 0 instead of null.
        unsafe { PQftype(self.0.as_ptr(), column as c_int) }
    }

    pub fn column_modifier(&self, column: usize) -> i32 {
        // SAFETY: as above.
        unsafe { PQfmod(self.0.as_ptr(), column as c_int) }
    }

    /// The value as text; None for NULL and for what is not there.
    pub fn value(&self, row: usize, column: usize) -> Option<&[u8]> {
        if row >= self.row_count() || column >= self.column_count() {
            return None;
        }
        let (raw, row, column) = (self.0.as_ptr(), row as c_int, column as c_int);
        // SAFETY: row and column exist; the value lives as long as the result.
        unsafe {
            if PQgetisnull(raw, row, column) != 0 {
                return None;
            }
            let length = usize::try_from(PQgetlength(raw, row, column)).unwrap_or(0);
            Some(std::slice::from_raw_parts(
                PQgetvalue(raw, row, column).cast(),
                length,
            ))
        }
    }

    pub fn text(&self, row: usize, column: usize) -> Option<&str> {
        std::str::from_utf8(self.value(row, column)?).ok()
    }

    /// Rows that the statement changed.
    pub fn affected(&self) -> u64 {
        // SAFETY: the result lives; the text is part of it.
        let text = unsafe { owned_text(PQcmdTuples(self.0.as_ptr())) };
        text.parse().unwrap_or(0)
    }

    fn failed(&self) -> bool {
        // SAFETY: the result lives.
        unsafe { PQresultStatus(self.0.as_ptr()) == FATAL_ERROR }
    }

    fn error(&self) -> ServerError {
        // SAFETY: the result lives; libpq answers null for a field that is not there.
        let field = |name: u8| unsafe {
            owned_text(PQresultErrorField(self.0.as_ptr(), c_int::from(name)))
        };
        ServerError {
            sqlstate: field(b'C'),
            message: field(b'M'),
            schema: field(b's'),
            table: field(b't'),
            column: field(b'c'),
            constraint: field(b'n'),
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
