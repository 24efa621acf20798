//! Statement handles: prepare, bind info, execute, fetch, release.

use std::ptr::null_mut;

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status, execute_mode};
use crate::bind::Binds;
use crate::buffer;
use crate::call_log::Call;
use crate::define::{Column, Define};
use crate::error::{self, OraError, Result};
use crate::execute::{self, Outcome};
use crate::handle::{self, Handle};
use crate::libpq::Rows;
use crate::service::Service;
use crate::value::Source;
use dialect::{Body, Kind, Translation};

pub struct Statement {
    pub text: String,
    pub translation: Translation,
    pub state: Mutex<State>,
}

#[derive(Default)]
pub struct State {
    /// Bind and define handles, which belong to the statement.
    pub binds: Vec<Pointer>,
    pub defines: Vec<Pointer>,
    pub columns: Vec<Column>,
    /// Columns of earlier executions, whose names a client may still point to.
    retired: Vec<Column>,
    rows: Option<Rows>,
    next_row: usize,
    pub fetched: u32,
    pub row_count: u64,
}

impl Drop for Statement {
    fn drop(&mut self) {
        let state = self.state.get_mut();
        for owned in state.binds.drain(..).chain(state.defines.drain(..)) {
            // SAFETY: made for this statement, which is the only one to free it.
            unsafe { handle::free(owned) };
        }
    }
}

impl Statement {
    pub fn kind(&self) -> Kind {
        self.translation.kind
    }

    pub fn is_returning(&self) -> bool {
        matches!(&self.translation.body, Body::Sql { returning, .. } if !returning.is_empty())
    }

    /// SQL counts every placeholder, PL/SQL every name.
    pub fn bind_count(&self) -> usize {
        if self.kind().is_plsql() {
            self.translation.binds.len()
        } else {
            self.translation.placeholders.len()
        }
    }

    /// The name of the bind at a position, counted from 1.
    pub fn bind_at(&self, position: u32) -> Option<String> {
        let at = (position as usize).checked_sub(1)?;
        let bind = if self.kind().is_plsql() {
            at
        } else {
            *self.translation.placeholders.get(at)?
        };
        self.translation.binds.get(bind).cloned()
    }
}

impl State {
    fn take(&mut self, outcome: Outcome) {
        self.row_count = outcome.row_count;
        if let Some(rows) = outcome.rows {
            let columns = Column::describe(&rows, &self.columns);
            let before = std::mem::replace(&mut self.columns, columns);
            let unused = before.into_iter().zip(&self.columns);
            self.retired.extend(
                unused
                    .filter(|(old, new)| !std::sync::Arc::ptr_eq(&old.name, &new.name))
                    .map(|(old, _)| old),
            );
            self.rows = Some(rows);
            self.next_row = 0;
        }
    }

    /// Copies the next rows to the client's buffers.
    fn fetch(&mut self, wanted: u32) -> Result<Status> {
        let rows = self.rows.as_ref().ok_or_else(|| OraError::known(1002))?;
        let left = rows.row_count() - self.next_row;
        let count = left.min(wanted as usize);
        self.fetched = 0;
        for row in 0..count {
            for (column, define) in self.defines.iter().enumerate() {
                if define.is_null() {
                    continue;
                }
                let text = rows.value(self.next_row + row, column);
                let source = Source::new(text, rows.column_type(column));
                // SAFETY: the statement owns the handle; OCI demands that the client's arrays
                // have as many elements as it wants rows.
                unsafe { handle::get::<Define>(*define)?.store(*define, row, source) }?;
            }
        }
        self.fetched = count as u32;
        self.next_row += count;
        self.row_count += count as u64;
        Ok(if count < wanted as usize {
            abi::NO_DATA
        } else {
            abi::SUCCESS
        })
    }
}

/// # Safety
/// `service` and `error` are handles of this library, `statement` can be written, the text has
/// `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIStmtPrepare2(
    service: Pointer,
    statement: *mut Pointer,
    error: Pointer,
    text: *const u8,
    length: u32,
    _key: *const u8,
    _key_length: u32,
    _language: u32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            handle::get::<Service>(service)?.session()?;
            let text = buffer::bytes(text, length as usize);
            let text = String::from_utf8_lossy(text).into_owned();
            let translation =
                dialect::translate(&text).map_err(|error| OraError::new(900, error.0))?;
            *statement = Handle::Statement(Statement {
                text,
                translation,
                state: Mutex::default(),
            })
            .into_pointer();
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `statement` is a statement handle that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIStmtRelease(
    statement: Pointer,
    _error: Pointer,
    _key: *const u8,
    _key_length: u32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe { handle::free(statement) };
    abi::SUCCESS
}

/// # Safety
/// `statement` and `error` are handles of this library; the arrays have `size` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIStmtGetBindInfo(
    statement: Pointer,
    error: Pointer,
    size: u32,
    start: u32,
    found: *mut i32,
    names: *mut *const u8,
    name_lengths: *mut u8,
    indicator_names: *mut *const u8,
    indicator_lengths: *mut u8,
    duplicates: *mut u8,
    binds: *mut Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let translation = &handle::get::<Statement>(statement)?.translation;
            let placeholders = &translation.placeholders;
            if placeholders.is_empty() {
                return Ok(abi::NO_DATA);
            }
            let first = (start as usize).saturating_sub(1);
            // Negative: there are more than were asked for, and the caller must ask again.
            let all = placeholders.len() as i32;
            *found = if first + (size as usize) < placeholders.len() {
                -all
            } else {
                all
            };
            let asked = placeholders
                .iter()
                .enumerate()
                .skip(first)
                .take(size as usize);
            for (place, (at, bind)) in asked.enumerate() {
                let name = &translation.binds[*bind];
                *names.add(place) = name.as_ptr();
                *name_lengths.add(place) = u8::try_from(name.len()).unwrap_or(u8::MAX);
                *indicator_names.add(place) = b"".as_ptr();
                *indicator_lengths.add(place) = 0;
                *duplicates.add(place) = u8::from(placeholders[..at].contains(bind));
                *binds.add(place) = null_mut();
            }
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// All are handles of this library; the buffers of all binds live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIStmtExecute(
    service: Pointer,
    statement: Pointer,
    error: Pointer,
    iterations: u32,
    offset: u32,
    _snapshot_in: Pointer,
    _snapshot_out: Pointer,
    mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            if mode & execute_mode::BATCH_ERRORS != 0 {
                return Err(OraError::unsupported("batch errors"));
            }
            let service = handle::get::<Service>(service)?;
            let statement = handle::get::<Statement>(statement)?;
            let session = service.session()?;
            let mut guard = statement.state.lock();
            let state = &mut *guard;
            let job = execute::Job {
                binds: Binds {
                    translation: &statement.translation,
                    handles: &state.binds,
                },
                iterations: offset as usize..iterations.max(1) as usize,
                describe_only: mode & execute_mode::DESCRIBE_ONLY != 0,
                commit: mode & execute_mode::COMMIT_ON_SUCCESS != 0,
            };
            let call = Call::Execute(&statement.text);
            let outcome = session.call(&call, service.timeout(), |running| job.run(running))?;
            state.fetched = 0;
            state.take(outcome);
            if statement.kind() == Kind::Select && iterations > 0 {
                return state.fetch(iterations);
            }
            Ok(abi::SUCCESS)
        })
    }
}

/// Rows have all come with the execution; a fetch only copies them.
///
/// # Safety
/// `statement` and `error` are handles of this library; the buffers of all defines live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIStmtFetch2(
    statement: Pointer,
    error: Pointer,
    rows: u32,
    _orientation: u16,
    _offset: i32,
    _mode: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            handle::get::<Statement>(statement)?
                .state
                .lock()
                .fetch(rows)
        })
    }
}
