//! The service context: which session calls go to, ping, break, version.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::time::Duration;

use crate::abi::{self, Pointer, Status};
use crate::buffer;
use crate::call_log::{self, Call};
use crate::connect::{Server, User};
use crate::error::{self, OraError, Result};
use crate::handle;
use crate::session::Session;

/// The service context: which server, which user, and the call timeout.
#[derive(Default)]
pub struct Service {
    pub server: AtomicPtr<c_void>,
    pub user: AtomicPtr<c_void>,
    /// Milliseconds, 0 for none.
    pub call_timeout: AtomicU32,
}

impl Service {
    /// The session of the context.
    ///
    /// # Safety
    /// The user handle that was set is null or still lives.
    pub unsafe fn session(&self) -> Result<Arc<Session>> {
        let user = self.user.load(Ordering::Acquire);
        // SAFETY: the caller vouches for the user handle.
        let user = unsafe { handle::get::<User>(user) };
        user.ok()
            .and_then(User::session)
            .ok_or_else(|| OraError::known(1012))
    }

    pub fn timeout(&self) -> Option<Duration> {
        match self.call_timeout.load(Ordering::Relaxed) {
            0 => None,
            milliseconds => Some(Duration::from_millis(milliseconds.into())),
        }
    }
}

/// # Safety
/// `service` and `error` are handles of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIPing(service: Pointer, error: Pointer, _mode: u32) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let service = handle::get::<Service>(service)?;
            let session = service.session()?;
            session.call(&Call::Ping, service.timeout(), |running| {
                running.run("").map(|_| abi::SUCCESS)
            })
        })
    }
}

/// Comes from another thread than the call that it ends.
///
/// # Safety
/// `service` is a service or server handle, `error` an error handle of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIBreak(service: Pointer, error: Pointer) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let sessions = match handle::get::<Service>(service) {
                Ok(service) => vec![service.session()?],
                Err(_) => handle::get::<Server>(service)?.sessions(),
            };
            for session in sessions {
                session.interrupt();
            }
            call_log::ended(&Call::Break, &Ok(()));
            Ok(abi::SUCCESS)
        })
    }
}

/// After a break nothing is left to be read.
#[unsafe(no_mangle)]
pub extern "C" fn OCIReset(_service: Pointer, _error: Pointer) -> Status {
    abi::SUCCESS
}

const BANNER: &str = "Oracle Database 19c, played by PostgreSQL\nVersion 19.3.0.0.0";

/// # Safety
/// `buffer` is null or has room for `size` bytes; `version` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIServerRelease(
    _service: Pointer,
    _error: Pointer,
    buffer: *mut u8,
    size: u32,
    _handle_type: u8,
    version: *mut u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        if !buffer.is_null() && size > 0 {
            buffer::write_text(buffer, size as usize, BANNER);
        }
        *version = (19 << 24) | (3 << 20);
    }
    abi::SUCCESS
}

/// The same with the version laid out as clients since 18 want it.
///
/// # Safety
/// As for OCIServerRelease.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIServerRelease2(
    service: Pointer,
    error: Pointer,
    buffer: *mut u8,
    size: u32,
    handle_type: u8,
    version: *mut u32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        let status = OCIServerRelease(service, error, buffer, size, handle_type, version);
        *version = (19 << 24) | (3 << 16);
        status
    }
}
