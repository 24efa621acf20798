//! Columns of a query, and the client's buffers that rows are fetched into.

use std::ptr::null_mut;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::abi::{self, NULL_INDICATOR, Pointer, Status, piece, sqlt};
use crate::buffer::{self, Arrays};
use crate::error::{self, OraError, Result};
use crate::handle::{self, Handle};
use crate::libpq::Rows;
use crate::pg_type;
use crate::statement::Statement;
use crate::value::Source;

type DefineCallback = unsafe extern "C" fn(
    context: Pointer,
    define: Pointer,
    row: u32,
    buffer: *mut Pointer,
    length: *mut *mut u32,
    piece: *mut u8,
    indicator: *mut *mut i16,
    return_code: *mut *mut u16,
) -> i32;

/// A column as OCI describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Clients keep a pointer to the name for as long as the statement lives.
    pub name: Arc<str>,
    pub data_type: u16,
    pub size: u16,
    pub chars: u16,
    pub precision: i16,
    pub scale: i8,
}

impl Column {
    fn new(name: &str, data_type: u16, size: u16) -> Self {
        Self {
            name: name.into(),
            data_type,
            size,
            chars: 0,
            precision: 0,
            scale: 0,
        }
    }

    fn number(name: &str, precision: i16, scale: i8) -> Self {
        Self {
            precision,
            scale,
            ..Self::new(name, sqlt::NUM, 22)
        }
    }

    fn characters(name: &str, data_type: u16, chars: u16) -> Self {
        const MAX_BYTES_PER_CHAR: u16 = 4;
        Self {
            chars,
            ..Self::new(name, data_type, chars.saturating_mul(MAX_BYTES_PER_CHAR))
        }
    }

    fn timestamp(name: &str, data_type: u16, size: u16, modifier: i32) -> Self {
        Self {
            scale: i8::try_from(modifier)
                .ok()
                .filter(|digits| *digits >= 0)
                .unwrap_or(6),
            ..Self::new(name, data_type, size)
        }
    }

    /// The column of a result; a timestamp without fraction is a DATE.
    fn of(rows: &Rows, at: usize) -> Self {
        /// Of a numeric without precision.
        const FLOATING: i8 = -127;
        let name = &rows.column_name(at);
        let modifier = rows.column_modifier(at);
        let length = |default| u16::try_from(modifier - 4).unwrap_or(default);
        match rows.column_type(at) {
            pg_type::BOOL => Self::number(name, 1, 0),
            pg_type::INT2 => Self::number(name, 5, 0),
            pg_type::INT4 | pg_type::OID => Self::number(name, 10, 0),
            pg_type::INT8 => Self::number(name, 19, 0),
            pg_type::NUMERIC if modifier >= 4 => {
                let packed = modifier - 4;
                Self::number(name, (packed >> 16) as i16, (packed & 0x7ff) as i8)
            }
            pg_type::NUMERIC => Self::number(name, 0, FLOATING),
            pg_type::FLOAT4 => Self::new(name, sqlt::IBFLOAT, 4),
            pg_type::FLOAT8 => Self::new(name, sqlt::IBDOUBLE, 8),
            pg_type::TEXT => Self::new(name, sqlt::CLOB, 0),
            pg_type::BYTEA => Self::new(name, sqlt::BLOB, 0),
            pg_type::BPCHAR => Self::characters(name, sqlt::AFC, length(1)),
            pg_type::DATE => Self::new(name, sqlt::DAT, 7),
            pg_type::TIMESTAMP if modifier == 0 => Self::new(name, sqlt::DAT, 7),
            pg_type::TIMESTAMP => Self::timestamp(name, sqlt::TIMESTAMP, 11, modifier),
            pg_type::TIMESTAMPTZ => Self::timestamp(name, sqlt::TIMESTAMP_TZ, 13, modifier),
            _ => Self::characters(name, sqlt::CHR, length(4000)),
        }
    }

    /// All columns of a result; those that have not changed are the same as before.
    pub fn describe(rows: &Rows, before: &[Self]) -> Vec<Self> {
        (0..rows.column_count())
            .map(|at| {
                let column = Self::of(rows, at);
                match before.get(at) {
                    Some(old) if *old == column => old.clone(),
                    _ => column,
                }
            })
            .collect()
    }
}

/// Where the values of a column go.
pub struct Define(Mutex<Place>);

#[derive(Clone, Copy)]
struct Place {
    arrays: Arrays,
    /// Where the client names its buffers piece by piece.
    callback: Option<(DefineCallback, Pointer)>,
}

impl Define {
    /// Writes a value to the element of a row.
    ///
    /// # Safety
    /// The client's arrays have that many elements; `this` is the handle of the define.
    pub unsafe fn store(&self, this: Pointer, row: usize, source: Option<Source>) -> Result<()> {
        let Place { arrays, callback } = *self.0.lock();
        // SAFETY: the caller vouches for the arrays.
        unsafe {
            if let Some((callback, context)) = callback {
                return store_in_pieces(callback, context, this, row, source);
            }
            if source.is_none() && arrays.indicators.is_null() {
                return Err(OraError::known(1405));
            }
            let fits = arrays.write(row, source)?;
            if !fits && arrays.return_codes.is_null() {
                return Err(OraError::known(1406));
            }
        }
        Ok(())
    }
}

/// Hands a long value over in the pieces that the client asks for.
///
/// # Safety
/// The callback and its context still live.
unsafe fn store_in_pieces(
    callback: DefineCallback,
    context: Pointer,
    define: Pointer,
    row: usize,
    source: Option<Source>,
) -> Result<()> {
    let bytes = source.map(|source| source.bytes());
    let mut rest = bytes.as_deref().unwrap_or(&[]);
    let mut next = piece::FIRST;
    loop {
        let mut buffer: Pointer = null_mut();
        let mut length = null_mut::<u32>();
        let (mut indicator, mut return_code) = (null_mut::<i16>(), null_mut::<u16>());
        // SAFETY: the callback fills what it is given pointers to.
        unsafe {
            callback(
                context,
                define,
                row as u32,
                &mut buffer,
                &mut length,
                &mut next,
                &mut indicator,
                &mut return_code,
            );
            if buffer.is_null() || length.is_null() || *length == 0 {
                return Err(OraError::internal("no buffer for a piece"));
            }
            let (part, left) = rest.split_at(rest.len().min(*length as usize));
            buffer
                .cast::<u8>()
                .copy_from_nonoverlapping(part.as_ptr(), part.len());
            *length = part.len() as u32;
            buffer::set(
                indicator,
                0,
                if bytes.is_some() { 0 } else { NULL_INDICATOR },
            );
            buffer::set(return_code, 0, 0);
            rest = left;
        }
        if rest.is_empty() {
            return Ok(());
        }
        next = piece::NEXT;
    }
}

/// # Safety
/// `statement` and `error` are handles of this library, `define` can be written; the arrays
/// live as long as rows are fetched.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDefineByPos2(
    statement: Pointer,
    define: *mut Pointer,
    error: Pointer,
    position: u32,
    values: *mut u8,
    size: u64,
    data_type: u16,
    indicators: *mut i16,
    lengths: *mut u32,
    return_codes: *mut u16,
    _mode: u32,
) -> Status {
    let place = Place {
        arrays: Arrays {
            data_type,
            size: usize::try_from(size).unwrap_or(0),
            values,
            indicators,
            lengths,
            return_codes,
        },
        callback: None,
    };
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let statement = handle::get::<Statement>(statement)?;
            let mut state = statement.state.lock();
            let at = (position as usize).checked_sub(1);
            let at = at.ok_or_else(|| OraError::new(24334, "no descriptor for this position"))?;
            if state.defines.len() <= at {
                state.defines.resize(at + 1, null_mut());
            }
            if state.defines[at].is_null() {
                state.defines[at] = Handle::Define(Define(Mutex::new(place))).into_pointer();
            } else {
                *handle::get::<Define>(state.defines[at])?.0.lock() = place;
            }
            *define = state.defines[at];
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `define` and `error` are handles of this library; the callback takes what OCI gives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDefineDynamic(
    define: Pointer,
    error: Pointer,
    context: Pointer,
    callback: Option<DefineCallback>,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let define = handle::get::<Define>(define)?;
            define.0.lock().callback = callback.map(|callback| (callback, context));
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `statement` and `error` are handles of this library, `column` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIParamGet(
    statement: Pointer,
    _kind: u32,
    error: Pointer,
    column: *mut Pointer,
    position: u32,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let state = handle::get::<Statement>(statement)?.state.lock();
            let found = (position as usize)
                .checked_sub(1)
                .and_then(|at| state.columns.get(at))
                .ok_or_else(|| OraError::new(24334, "no descriptor for this position"))?;
            *column = Handle::Column(found.clone()).into_pointer();
            Ok(abi::SUCCESS)
        })
    }
}
