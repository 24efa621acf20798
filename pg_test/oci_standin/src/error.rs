//! Oracle's errors: what a call answers when it fails.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status};
use crate::buffer;
use crate::handle;
use crate::libpq::{Failure, ServerError};

pub type Result<T> = std::result::Result<T, OraError>;

/// An error with Oracle's number; the text begins with `ORA-nnnnn: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OraError {
    pub code: i32,
    pub message: String,
}

impl OraError {
    pub fn new(code: i32, text: impl fmt::Display) -> Self {
        Self {
            code,
            message: format!("ORA-{code:05}: {text}"),
        }
    }

    /// The error with Oracle's own text, for numbers that need no detail.
    pub fn known(code: i32) -> Self {
        Self::new(code, text_of(code))
    }

    /// A use of the interface that the stand-in does not know.
    pub fn unsupported(what: impl fmt::Display) -> Self {
        Self::new(
            3115,
            format_args!("the OCI stand-in does not support {what}"),
        )
    }

    /// Something that Oracle would call an internal error.
    pub fn internal(what: impl fmt::Display) -> Self {
        Self::new(
            600,
            format_args!("internal error code, arguments: [{what}]"),
        )
    }

    /// After this error the session is gone.
    pub fn ends_session(&self) -> bool {
        matches!(self.code, 28 | 1012 | 3113 | 3114 | 3135)
    }
}

impl From<Failure> for OraError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Lost => Self::known(3113),
            Failure::NotAnswering => Self::known(3135),
            Failure::TimedOut => Self::known(3136),
            Failure::Server(error) => Self::from(*error),
        }
    }
}

impl From<ServerError> for OraError {
    fn from(error: ServerError) -> Self {
        let code = dialect::code_of_error(&error.sqlstate, &error.message).unwrap_or(600);
        // Raised by a package: it has its text.
        if error.message.starts_with("ORA-") {
            return Self {
                code,
                message: error.message,
            };
        }
        match code {
            1 => Self::new(
                code,
                format_args!(
                    "unique constraint ({}.{}) violated",
                    error.schema, error.constraint
                ),
            ),
            1400 => Self::new(
                code,
                format_args!(
                    "cannot insert NULL into (\"{}\".\"{}\".\"{}\")",
                    error.schema, error.table, error.column
                ),
            ),
            6550 => Self::new(
                code,
                format_args!(
                    "line 1, column 7:\nPLS-00306: {}\nPL/SQL: Statement ignored",
                    error.message
                ),
            ),
            _ if has_fixed_text(code) => Self::known(code),
            _ => Self::new(
                code,
                format_args!("{} [SQLSTATE {}]", error.message, error.sqlstate),
            ),
        }
    }
}

fn has_fixed_text(code: i32) -> bool {
    matches!(code, 54 | 60 | 942 | 955 | 1013 | 1031 | 1476 | 3113 | 8177)
}

fn text_of(code: i32) -> &'static str {
    match code {
        54 => "resource busy and acquire with NOWAIT specified or timeout expired",
        60 => "deadlock detected while waiting for resource",
        942 => "table or view does not exist",
        955 => "name is already used by an existing object",
        1002 => "fetch out of sequence",
        1008 => "not all variables bound",
        1012 => "not logged on",
        1013 => "user requested cancel of current operation",
        1017 => "invalid username/password; logon denied",
        1031 => "insufficient privileges",
        1036 => "illegal variable name/number",
        1089 => "immediate shutdown or close in progress - no operations are permitted",
        1405 => "fetched column value is NULL",
        1406 => "fetched column value was truncated",
        1476 => "divisor is equal to zero",
        1722 => "invalid number",
        2391 => "exceeded simultaneous SESSIONS_PER_USER limit",
        3113 => "end-of-file on communication channel",
        3114 => "not connected to ORACLE",
        3135 => "connection lost contact",
        3136 => "inbound connection timed out",
        6502 => "PL/SQL: numeric or value error: character string buffer too small",
        8177 => "can't serialize access for this transaction",
        12154 => "TNS:could not resolve the connect identifier specified",
        12170 => "TNS:Connect timeout occurred",
        12514 => "TNS:listener does not currently know of service requested in connect descriptor",
        12516 => "TNS:listener could not find available handler with matching protocol stack",
        12520 => "TNS:listener could not find available handler for requested type of server",
        12541 => "TNS:no listener",
        12545 => "Connect failed because target host or object does not exist",
        12560 => "TNS:protocol adapter error",
        28000 => "the account is locked",
        _ => "error asked for by a fault rule of the OCI stand-in",
    }
}

/// The error handle of OCI: holds the last error until OCIErrorGet reads it.
#[derive(Default)]
pub struct ErrorHandle(Mutex<Option<OraError>>);

/// Runs the body of an exported function: errors and panics end up in the error handle.
///
/// # Safety
/// `error_handle` is null or an error handle of this library.
pub unsafe fn answer(error_handle: Pointer, body: impl FnOnce() -> Result<Status>) -> Status {
    let outcome = catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|_| Err(OraError::internal("panic in the OCI stand-in")));
    match outcome {
        Ok(status) => status,
        Err(error) => {
            // SAFETY: the caller vouches for the handle.
            match unsafe { handle::get::<ErrorHandle>(error_handle) } {
                Ok(handle) => {
                    *handle.0.lock() = Some(error);
                    abi::ERROR
                }
                Err(_) => abi::INVALID_HANDLE,
            }
        }
    }
}

/// Reads the error of the last failed call.
///
/// # Safety
/// `error_handle` is an error handle of this library, `code` can be written, `buffer` has
/// room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIErrorGet(
    error_handle: Pointer,
    record: u32,
    _sqlstate: Pointer,
    code: *mut i32,
    buffer: *mut u8,
    size: u32,
    _handle_type: u32,
) -> Status {
    // SAFETY: the caller passes an error handle.
    let Ok(handle) = (unsafe { handle::get::<ErrorHandle>(error_handle) }) else {
        return abi::INVALID_HANDLE;
    };
    let last = handle.0.lock();
    let Some(error) = last.as_ref().filter(|_| record == 1 && size > 0) else {
        return abi::NO_DATA;
    };
    // SAFETY: the caller passes a number to write and a buffer of `size` bytes.
    unsafe {
        *code = error.code;
        buffer::write_text(buffer, size as usize, &error.message);
    }
    abi::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server_error(sqlstate: &str, message: &str) -> ServerError {
        ServerError {
            sqlstate: sqlstate.to_owned(),
            message: message.to_owned(),
            schema: "APP".to_owned(),
            table: "T".to_owned(),
            column: "ID".to_owned(),
            constraint: "T_PK".to_owned(),
        }
    }

    #[test]
    fn a_raised_ora_number_keeps_its_number_and_text() {
        let error = OraError::from(server_error("P0001", "ORA-20801: unknown shard"));
        assert_eq!(error.code, 20801);
        assert_eq!(error.message, "ORA-20801: unknown shard");
    }

    #[test]
    fn sqlstates_get_the_numbers_of_oracle() {
        for (sqlstate, code) in [
            ("42P01", 942),
            ("23502", 1400),
            ("42883", 6550),
            ("XX000", 600),
        ] {
            assert_eq!(OraError::from(server_error(sqlstate, "x")).code, code);
        }
    }

    #[test]
    fn a_duplicate_names_the_constraint() {
        assert_eq!(
            OraError::from(server_error("23505", "x")).message,
            "ORA-00001: unique constraint (APP.T_PK) violated"
        );
    }

    #[test]
    fn a_panic_does_not_leave_the_function() {
        // SAFETY: null is allowed for the error handle.
        let status = unsafe { answer(std::ptr::null_mut(), || panic!("on purpose")) };
        assert_eq!(status, abi::INVALID_HANDLE);
    }
}
