//! OCIAttrGet and OCIAttrSet: what handles tell about themselves.

use std::sync::atomic::Ordering;

use crate::abi::{self, Pointer, Status, attribute};
use crate::buffer;
use crate::define::Column;
use crate::error::{self, OraError, Result};
use crate::handle::Handle;
use crate::session::Session;
use crate::statement::Statement;

/// The value of an attribute; a text belongs to its handle.
enum Attribute {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    U64(u64),
    Pointer(Pointer),
    Text(*const u8, usize),
}

impl Attribute {
    fn text(text: &[u8]) -> Self {
        Self::Text(text.as_ptr(), text.len())
    }

    /// # Safety
    /// `value` has room for the attribute, `size` is null or can be written.
    unsafe fn write(self, value: Pointer, size: *mut u32) {
        // SAFETY: the caller vouches for both places.
        unsafe {
            let written = match self {
                Self::U8(number) => put(value, number),
                Self::I8(number) => put(value, number),
                Self::U16(number) => put(value, number),
                Self::I16(number) => put(value, number),
                Self::U32(number) => put(value, number),
                Self::I32(number) => put(value, number),
                Self::U64(number) => put(value, number),
                Self::Pointer(pointer) => put(value, pointer),
                Self::Text(text, length) => {
                    put(value, text);
                    length
                }
            };
            if !size.is_null() {
                *size = written as u32;
            }
        }
    }
}

/// # Safety
/// `value` has room for a `T`.
unsafe fn put<T>(value: Pointer, content: T) -> usize {
    // SAFETY: the caller vouches for the place.
    unsafe { value.cast::<T>().write_unaligned(content) };
    size_of::<T>()
}

/// # Safety
/// `target` and `error` are handles of this library; `value` has room for the attribute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIAttrGet(
    target: Pointer,
    _kind: u32,
    value: Pointer,
    size: *mut u32,
    number: u32,
    error: Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let target = target.cast::<Handle>().as_ref();
            let target = target.ok_or_else(|| OraError::internal("no handle"))?;
            let attribute = get(target, number)
                .ok_or_else(|| OraError::new(24315, "illegal attribute type"))?;
            attribute.write(value, size);
            Ok(abi::SUCCESS)
        })
    }
}

fn get(target: &Handle, number: u32) -> Option<Attribute> {
    match (target, number) {
        (_, attribute::CHARSET_ID | attribute::NCHARSET_ID) => {
            Some(Attribute::U16(abi::CHARSET_UTF8))
        }
        (Handle::Service(service), attribute::SERVER) => {
            Some(Attribute::Pointer(service.server.load(Ordering::Acquire)))
        }
        (Handle::Service(service), attribute::SESSION) => {
            Some(Attribute::Pointer(service.user.load(Ordering::Acquire)))
        }
        (Handle::Service(service), attribute::CALL_TIMEOUT) => {
            Some(Attribute::U32(service.call_timeout.load(Ordering::Relaxed)))
        }
        (Handle::Service(_), attribute::STATEMENT_CACHE_SIZE) => Some(Attribute::U32(20)),
        (Handle::Server(server), attribute::SERVER_STATUS) => {
            Some(Attribute::U32(u32::from(server.is_normal())))
        }
        (Handle::User(user), attribute::TRANSACTION_IN_PROGRESS) => {
            let in_transaction = |session: &Session| session.in_transaction();
            let session = user.session();
            Some(Attribute::I32(i32::from(
                session.as_deref().is_some_and(in_transaction),
            )))
        }
        (Handle::Error(_), attribute::ERROR_IS_RECOVERABLE) => Some(Attribute::I32(0)),
        (Handle::Bind(bind), attribute::ROWS_RETURNED) => {
            Some(Attribute::U32(bind.rows_returned.load(Ordering::Relaxed)))
        }
        (Handle::Statement(statement), number) => of_statement(statement, number),
        (Handle::Column(column), number) => of_column(column, number),
        _ => None,
    }
}

fn of_statement(statement: &Statement, number: u32) -> Option<Attribute> {
    Some(match number {
        attribute::STATEMENT_TYPE => Attribute::U16(statement.kind().number()),
        attribute::STATEMENT_IS_RETURNING => Attribute::U8(u8::from(statement.is_returning())),
        attribute::STATEMENT_TEXT => Attribute::text(statement.text.as_bytes()),
        attribute::BIND_COUNT => Attribute::U32(statement.bind_count() as u32),
        attribute::PARSE_ERROR_OFFSET => Attribute::U16(0),
        attribute::PREFETCH_ROWS => Attribute::U32(0),
        attribute::PARAMETER_COUNT => Attribute::U32(statement.state.lock().columns.len() as u32),
        attribute::ROWS_FETCHED => Attribute::U32(statement.state.lock().fetched),
        attribute::ROW_COUNT => Attribute::U32(statement.state.lock().row_count as u32),
        attribute::UB8_ROW_COUNT => Attribute::U64(statement.state.lock().row_count),
        _ => return None,
    })
}

fn of_column(column: &Column, number: u32) -> Option<Attribute> {
    const IMPLICIT_CHARSET: u8 = 1;
    Some(match number {
        attribute::NAME => Attribute::text(column.name.as_bytes()),
        attribute::DATA_TYPE => Attribute::U16(column.data_type),
        attribute::DATA_SIZE => Attribute::U16(column.size),
        attribute::CHAR_SIZE => Attribute::U16(column.chars),
        attribute::PRECISION => Attribute::I16(column.precision),
        attribute::SCALE => Attribute::I8(column.scale),
        attribute::IS_NULL => Attribute::U8(1),
        attribute::CHARSET_FORM => Attribute::U8(IMPLICIT_CHARSET),
        attribute::TYPE_NAME | attribute::SCHEMA_NAME => Attribute::text(b""),
        attribute::JSON_COLUMN => Attribute::U8(0),
        _ => return None,
    })
}

/// Attributes that change nothing here (module, prefetch, cache sizes) are accepted.
///
/// # Safety
/// `target` and `error` are handles of this library; `value` is what the attribute wants.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIAttrSet(
    target: Pointer,
    _kind: u32,
    value: Pointer,
    size: u32,
    number: u32,
    error: Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let target = target.cast::<Handle>().as_ref();
            let target = target.ok_or_else(|| OraError::internal("no handle"))?;
            set(target, number, value, size as usize)?;
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `value` is what the attribute wants.
unsafe fn set(target: &Handle, number: u32, value: Pointer, size: usize) -> Result<()> {
    match (target, number) {
        (Handle::Service(service), attribute::SERVER) => {
            service.server.store(value, Ordering::Release);
        }
        (Handle::Service(service), attribute::SESSION) => {
            service.user.store(value, Ordering::Release);
        }
        (Handle::Service(service), attribute::CALL_TIMEOUT) => {
            // SAFETY: the attribute is a number of 32 bits.
            let milliseconds = unsafe { value.cast::<u32>().read_unaligned() };
            service.call_timeout.store(milliseconds, Ordering::Relaxed);
        }
        (Handle::User(user), attribute::USERNAME) => {
            // SAFETY: the attribute is a text of `size` bytes.
            user.set_name(unsafe { buffer::bytes(value.cast(), size) });
        }
        (Handle::User(user), attribute::PASSWORD) => {
            // SAFETY: the attribute is a text of `size` bytes.
            user.set_password(unsafe { buffer::bytes(value.cast(), size) });
        }
        _ => {}
    }
    Ok(())
}
