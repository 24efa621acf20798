//! Cancels what a session runs.

use std::ffi::{c_char, c_int};
use std::ptr::NonNull;

use super::ffi::*;

/// The right to cancel what a connection runs, from any thread.
pub struct Cancel(NonNull<PgCancel>);

// SAFETY: libpq's cancel object is made for use from other threads, and PQcancel only reads it.
unsafe impl Send for Cancel {}

impl Cancel {
    /// # Safety
    /// The connection is open.
    pub(super) unsafe fn of(connection: NonNull<PgConn>) -> Option<Self> {
        // SAFETY: the caller vouches for the connection.
        NonNull::new(unsafe { PQgetCancel(connection.as_ptr()) }).map(Self)
    }

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
