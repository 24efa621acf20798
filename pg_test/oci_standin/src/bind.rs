//! Binds: where a statement reads its input from and writes its output to.

use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::abi::{self, NULL_INDICATOR, Pointer, Status, piece, sqlt};
use crate::dialect::Translation;
use crate::error::{self, OraError, Result};
use crate::handle::{self, Handle};
use crate::libpq::{Oid, c_text};
use crate::statement::Statement;
use crate::value::{self, Source};

type InCallback = unsafe extern "C" fn(
    context: Pointer,
    bind: Pointer,
    iteration: u32,
    index: u32,
    buffer: *mut Pointer,
    length: *mut u32,
    piece: *mut u8,
    indicator: *mut *mut i16,
) -> i32;

type OutCallback = unsafe extern "C" fn(
    context: Pointer,
    bind: Pointer,
    iteration: u32,
    index: u32,
    buffer: *mut Pointer,
    length: *mut *mut u32,
    piece: *mut u8,
    indicator: *mut *mut i16,
    return_code: *mut *mut u16,
) -> i32;

pub struct Bind {
    name: String,
    place: Mutex<Place>,
    /// Rows that RETURNING gives, asked for by the out callback.
    pub rows_returned: AtomicU32,
}

/// The client's arrays, an element for each iteration, or callbacks that name the buffers.
#[derive(Clone, Copy)]
struct Place {
    data_type: u16,
    size: usize,
    values: *mut u8,
    indicators: *mut i16,
    lengths: *mut u32,
    return_codes: *mut u16,
    callbacks: Option<Callbacks>,
}

#[derive(Clone, Copy)]
struct Callbacks {
    input: Option<InCallback>,
    input_context: Pointer,
    output: Option<OutCallback>,
    output_context: Pointer,
}

impl Bind {
    pub fn parameter_type(&self) -> Oid {
        value::parameter_type(self.place.lock().data_type)
    }

    /// The input of an iteration as text, None for NULL.
    ///
    /// # Safety
    /// The client's buffers still live.
    unsafe fn input(&self, iteration: usize) -> Result<Option<String>> {
        let place = *self.place.lock();
        // SAFETY: the client's arrays have an element for each iteration.
        unsafe {
            if let Some(callbacks) = place.callbacks {
                return place.input_by_callback(&callbacks, iteration);
            }
            let is_null = !place.indicators.is_null()
                && place.indicators.add(iteration).read() == NULL_INDICATOR;
            if is_null || place.values.is_null() {
                return Ok(None);
            }
            let length = if place.lengths.is_null() {
                place.size
            } else {
                place.lengths.add(iteration).read() as usize
            };
            let length = if place.data_type == sqlt::INT {
                place.size
            } else {
                length
            };
            value::read(
                place.data_type,
                place.values.add(iteration * place.size),
                length,
            )
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
        let place = *self.place.lock();
        // SAFETY: the client's arrays have an element for each iteration.
        unsafe {
            if let Some(callbacks) = place.callbacks {
                self.rows_returned
                    .store(rows.len() as u32, Ordering::Relaxed);
                for (index, row) in rows.iter().enumerate() {
                    place.output_by_callback(&callbacks, this, iteration, index, *row)?;
                }
                return Ok(());
            }
            let element = place.values.add(iteration * place.size);
            let source = rows.first().copied().flatten();
            let length = match source {
                Some(source) => {
                    let written = value::write(place.data_type, element, place.size, &source)?;
                    if written.truncated {
                        return Err(OraError::known(6502));
                    }
                    written.length
                }
                None => 0,
            };
            let indicator = if source.is_some() { 0 } else { NULL_INDICATOR };
            set(place.indicators, iteration, indicator);
            set(place.lengths, iteration, length as u32);
            set(place.return_codes, iteration, 0);
        }
        Ok(())
    }
}

impl Place {
    /// # Safety
    /// The callback and its context still live.
    unsafe fn input_by_callback(
        &self,
        callbacks: &Callbacks,
        iteration: usize,
    ) -> Result<Option<String>> {
        let Some(callback) = callbacks.input else {
            return Ok(None);
        };
        let (mut buffer, mut length) = (null_mut(), 0);
        let (mut piece, mut indicator) = (piece::ONE, null_mut::<i16>());
        // SAFETY: the callback fills what it is given pointers to.
        unsafe {
            callback(
                callbacks.input_context,
                null_mut(),
                iteration as u32,
                0,
                &mut buffer,
                &mut length,
                &mut piece,
                &mut indicator,
            );
            let is_null = !indicator.is_null() && *indicator == NULL_INDICATOR;
            if is_null || buffer.is_null() {
                return Ok(None);
            }
            if is_descriptor(self.data_type) {
                let descriptor: *const Pointer = &buffer;
                return value::read(self.data_type, descriptor.cast(), size_of::<Pointer>());
            }
            value::read(self.data_type, buffer.cast(), length as usize)
        }
    }

    /// # Safety
    /// The callback and its context still live; `bind` is the handle of the bind.
    unsafe fn output_by_callback(
        &self,
        callbacks: &Callbacks,
        bind: Pointer,
        iteration: usize,
        index: usize,
        row: Option<Source>,
    ) -> Result<()> {
        let Some(callback) = callbacks.output else {
            return Ok(());
        };
        let mut buffer: Pointer = null_mut();
        let (mut length, mut piece) = (null_mut::<u32>(), piece::ONE);
        let (mut indicator, mut return_code) = (null_mut::<i16>(), null_mut::<u16>());
        // SAFETY: the callback fills what it is given pointers to, and they live until the next.
        unsafe {
            callback(
                callbacks.output_context,
                bind,
                iteration as u32,
                index as u32,
                &mut buffer,
                &mut length,
                &mut piece,
                &mut indicator,
                &mut return_code,
            );
            let capacity = if length.is_null() {
                self.size
            } else {
                *length as usize
            };
            if let Some(source) = row {
                let mut descriptor = buffer;
                let target = if is_descriptor(self.data_type) {
                    (&raw mut descriptor).cast()
                } else {
                    buffer.cast()
                };
                let written = value::write(self.data_type, target, capacity, &source)?;
                if written.truncated {
                    return Err(OraError::known(6502));
                }
                set(length, 0, written.length as u32);
            }
            set(indicator, 0, if row.is_some() { 0 } else { NULL_INDICATOR });
            set(return_code, 0, 0);
        }
        Ok(())
    }
}

/// Whether the callback gives the descriptor itself, not a pointer to it.
fn is_descriptor(data_type: u16) -> bool {
    matches!(
        data_type,
        sqlt::CLOB
            | sqlt::BLOB
            | sqlt::RDD
            | sqlt::TIMESTAMP
            | sqlt::TIMESTAMP_TZ
            | sqlt::TIMESTAMP_LTZ
    )
}

/// # Safety
/// `array` is null or has an element of that index.
unsafe fn set<T>(array: *mut T, index: usize, value: T) {
    if !array.is_null() {
        // SAFETY: the caller vouches for the element.
        unsafe { array.add(index).write(value) };
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
unsafe fn bind_place(
    statement: Pointer,
    bind: *mut Pointer,
    find_name: impl FnOnce(&Statement) -> Option<String>,
    place: Place,
) -> Result<Status> {
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
    let place = Place {
        data_type,
        size: usize::try_from(size).unwrap_or(0),
        values,
        indicators,
        lengths,
        return_codes,
        callbacks: None,
    };
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let name = handle::bytes(name, usize::try_from(name_length).unwrap_or(0));
            let name = String::from_utf8_lossy(name);
            let name = name.trim_start_matches(':').to_uppercase();
            bind_place(statement, bind, |_| Some(name), place)
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
    let place = Place {
        data_type,
        size: usize::try_from(size).unwrap_or(0),
        values,
        indicators,
        lengths,
        return_codes,
        callbacks: None,
    };
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            bind_place(
                statement,
                bind,
                |statement| statement.bind_at(position),
                place,
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
