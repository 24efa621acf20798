//! Commit and rollback of the session's transaction.

use crate::abi::{self, Pointer, Status};
use crate::call_log::Call;
use crate::error;
use crate::handle;
use crate::service::Service;

/// # Safety
/// `service` and `error` are handles of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCITransCommit(service: Pointer, error: Pointer, _flags: u32) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let service = handle::get::<Service>(service)?;
            let session = service.session()?;
            session.call(&Call::Commit, service.timeout(), |running| running.commit())?;
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `service` and `error` are handles of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCITransRollback(service: Pointer, error: Pointer, _flags: u32) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let service = handle::get::<Service>(service)?;
            let session = service.session()?;
            session.call(&Call::Rollback, service.timeout(), |running| {
                running.rollback()
            })?;
            Ok(abi::SUCCESS)
        })
    }
}
