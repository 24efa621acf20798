//! Binds: where a statement reads its input from and writes its output to.

use std::ffi::CString;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status};
use crate::bind_callback::{Callbacks, InCallback, OutCallback};
use crate::buffer::{self, Arrays};
use crate::error::{self, OraError, Result};
use crate::handle::{self, Handle};
use crate::libpq::{Oid, c_text};
use crate::statement::Statement;
use crate::value::{self, Source};
use dialect::Translation;

pub struct Bind {
    name: String,
    place: Mutex<Place>,
    /// Rows that RETURNING gives, asked for by the out callback.
    pub rows_returned: AtomicU32,
}

#[derive(Clone, Copy)]
struct Place {
    arrays: Arrays,
    /// Where the client names its buffers one by one.
    callbacks: Option<Callbacks>,
}

impl Bind {
    pub fn parameter_type(&self) -> Oid {
        value::parameter_type(self.place.lock().arrays.data_type)
    }

    /// The input of an iteration as text, None for NULL.
    ///
    /// # Safety
    /// The client's buffers still live.
    unsafe fn input(&self, iteration: usize) -> Result<Option<String>> {
        let place = *self.place.lock();
        // SAFETY: the client's arrays have an element for each iteration.
        unsafe {
            match place.callbacks {
                Some(callbacks) => callbacks.read(&place.arrays, iteration),
                None => place.arrays.read(iteration),
            }
        }
    }

    /// Writes an output of an iteration; more than one comes from RETURNING only.
    ///
    /// # Safety
    /// The client's buffers still live; `this` is the handle of the bind.
    unsafe fn output(
        &self,
        this: Pointer,
        iteration: usize,
        rows: &[Option<Source>],
    ) -> Result<()> {
        // Copied, because the callback asks this handle for the number of rows.
        let Place { arrays, callbacks } = *self.place.lock();
        // SAFETY: the client's arrays have an element for each iteration.
        unsafe {
            let Some(callbacks) = callbacks else {
                let value = rows.first().copied().flatten();
                let fits = arrays.write(iteration, value)?;
                return if fits {
                    Ok(())
                } else {
                    Err(OraError::known(6502))
                };
            };
            self.rows_returned
                .store(rows.len() as u32, Ordering::Relaxed);
            for (index, row) in rows.iter().enumerate() {
                callbacks.write(&arrays, this, iteration, index, *row)?;
            }
        }
        Ok(())
    }
}

/// All binds of a statement, found by their number.
pub struct Binds<'a> {
    pub translation: &'a Translation,
    pub handles: &'a [Pointer],
}

impl Binds<'_> {
    fn find(&self, index: usize) -> Result<(Pointer, &Bind)> {
        let name = self.translation.binds.get(index);
        self.handles
            .iter()
            // SAFETY: the statement owns the handles and they live as long as it.
            .filter_map(|handle| Some((*handle, unsafe { handle::get::<Bind>(*handle) }.ok()?)))
            .find(|(_, bind)| Some(&bind.name) == name)
            .ok_or_else(|| OraError::known(1008))
    }

    pub fn parameter_type(&self, index: usize) -> Result<Oid> {
        Ok(self.find(index)?.1.parameter_type())
    }

    /// The inputs of an iteration, for parameters that stand for these binds.
    pub fn inputs(&self, parameters: &[usize], iteration: usize) -> Result<Vec<Option<CString>>> {
        let input = |index: &usize| {
            // SAFETY: OCI demands that buffers live while the statement is executed.
            let text = unsafe { self.find(*index)?.1.input(iteration) }?;
            text.map(|text| c_text(&text).map_err(OraError::from))
                .transpose()
        };
        parameters.iter().map(input).collect()
    }

    pub fn output(&self, index: usize, iteration: usize, rows: &[Option<Source>]) -> Result<()> {
        let (handle, bind) = self.find(index)?;
        // SAFETY: OCI demands that buffers live while the statement is executed.
        unsafe { bind.output(handle, iteration, rows) }
    }
}

/// # Safety
/// `statement` is a statement handle, `bind` can be written.
unsafe fn bind_arrays(
    statement: Pointer,
    bind: *mut Pointer,
    find_name: impl FnOnce(&Statement) -> Option<String>,
    arrays: Arrays,
) -> Result<Status> {
    let place = Place {
        arrays,
        callbacks: None,
    };
    // SAFETY: as above.
    let statement = unsafe { handle::get::<Statement>(statement) }?;
    let name = find_name(statement)
        .filter(|name| statement.translation.binds.contains(name))
        .ok_or_else(|| OraError::known(1036))?;
    let mut state = statement.state.lock();
    for known in &state.binds {
        // SAFETY: the statement owns the handle.
        let content = unsafe { handle::get::<Bind>(*known) }?;
        if content.name == name {
            *content.place.lock() = place;
            // SAFETY: as above.
            unsafe { *bind = *known };
            return Ok(abi::SUCCESS);
        }
    }
    let new = Handle::Bind(Bind {
        name,
        place: Mutex::new(place),
        rows_returned: AtomicU32::new(0),
    })
    .into_pointer();
    state.binds.push(new);
    // SAFETY: as above.
    unsafe { *bind = new };
    Ok(abi::SUCCESS)
}

/// # Safety
/// `statement` and `error` are handles of this library, `bind` can be written, the name has
/// `name_length` bytes; the arrays live until the statement has been executed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIBindByName2(
    statement: Pointer,
    bind: *mut Pointer,
    error: Pointer,
    name: *const u8,
    name_length: i32,
    values: *mut u8,
    size: i64,
    data_type: u16,
    indicators: *mut i16,
    lengths: *mut u32,
    return_codes: *mut u16,
    _max_array: u32,
    _current_array: *mut u32,
    _mode: u32,
) -> Status {
    let arrays = Arrays {
        data_type,
        size: usize::try_from(size).unwrap_or(0),
        values,
        indicators,
        lengths,
        return_codes,
    };
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let name = buffer::bytes(name, usize::try_from(name_length).unwrap_or(0));
            let name = String::from_utf8_lossy(name);
            let name = name.trim_start_matches(':').to_uppercase();
            bind_arrays(statement, bind, |_| Some(name), arrays)
        })
    }
}

/// # Safety
/// As for OCIBindByName2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIBindByPos2(
    statement: Pointer,
    bind: *mut Pointer,
    error: Pointer,
    position: u32,
    values: *mut u8,
    size: i64,
    data_type: u16,
    indicators: *mut i16,
    lengths: *mut u32,
    return_codes: *mut u16,
    _max_array: u32,
    _current_array: *mut u32,
    _mode: u32,
) -> Status {
    let arrays = Arrays {
        data_type,
        size: usize::try_from(size).unwrap_or(0),
        values,
        indicators,
        lengths,
        return_codes,
    };
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            bind_arrays(
                statement,
                bind,
                |statement| statement.bind_at(position),
                arrays,
            )
        })
    }
}

/// # Safety
/// `bind` and `error` are handles of this library; the callbacks take what OCI gives them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIBindDynamic(
    bind: Pointer,
    error: Pointer,
    input_context: Pointer,
    input: Option<InCallback>,
    output_context: Pointer,
    output: Option<OutCallback>,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            handle::get::<Bind>(bind)?.place.lock().callbacks = Some(Callbacks {
                input,
                input_context,
                output,
                output_context,
            });
            Ok(abi::SUCCESS)
        })
    }
}
