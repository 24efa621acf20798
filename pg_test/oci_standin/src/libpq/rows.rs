//! Results of statements.

use std::ffi::c_int;
use std::ptr::NonNull;

use super::ffi::*;
use super::{Oid, ServerError, owned_text};

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
    /// # Safety
    /// `raw` is a result that nobody else frees.
    pub(super) unsafe fn from_raw(raw: NonNull<PgResult>) -> Self {
        Self(raw)
    }

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

    pub(super) fn failed(&self) -> bool {
        // SAFETY: the result lives.
        unsafe { PQresultStatus(self.0.as_ptr()) == FATAL_ERROR }
    }

    pub(super) fn error(&self) -> ServerError {
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
