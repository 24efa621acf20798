//! From a buffer of the client to text for PostgreSQL.

use parking_lot::Mutex;

use crate::abi::{Pointer, sqlt};
use crate::buffer;
use crate::datetime::DateTime;
use crate::error::{OraError, Result};
use crate::handle;
use crate::libpq::Oid;
use crate::lob::Lob;
use crate::{number, pg_type};

/// The type of PostgreSQL that holds a bind of the given type.
pub fn parameter_type(data_type: u16) -> Oid {
    match data_type {
        sqlt::NUM | sqlt::INT | sqlt::VNU | sqlt::UIN => pg_type::NUMERIC,
        sqlt::BDOUBLE | sqlt::IBDOUBLE => pg_type::FLOAT8,
        sqlt::BFLOAT | sqlt::IBFLOAT => pg_type::FLOAT4,
        sqlt::ODT | sqlt::TIMESTAMP => pg_type::TIMESTAMP,
        sqlt::TIMESTAMP_TZ | sqlt::TIMESTAMP_LTZ => pg_type::TIMESTAMPTZ,
        sqlt::BIN | sqlt::LBI | sqlt::LVB | sqlt::BLOB => pg_type::BYTEA,
        sqlt::BOL => pg_type::BOOL,
        _ => pg_type::TEXT,
    }
}

/// Reads a buffer as PostgreSQL's text; an empty text is NULL, as in Oracle.
///
/// # Safety
/// `pointer` has a value of the type, `length` bytes long where the type has no size of its own.
pub unsafe fn read(data_type: u16, pointer: *const u8, length: usize) -> Result<Option<String>> {
    // SAFETY: the caller vouches for the buffer; each type reads its own size.
    let text = unsafe {
        match data_type {
            sqlt::CHR | sqlt::LNG | sqlt::AFC | sqlt::VCS => {
                return Ok(non_empty(buffer::bytes(pointer, length)));
            }
            sqlt::STR => {
                let bytes = buffer::bytes(pointer, length);
                let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(length);
                return Ok(non_empty(&bytes[..end]));
            }
            sqlt::NUM | sqlt::VNU => {
                number::decode(&pointer.cast::<[u8; number::SIZE]>().read_unaligned())
            }
            sqlt::INT => read_integer(pointer, length)?.to_string(),
            sqlt::UIN => pointer.cast::<u64>().read_unaligned().to_string(),
            sqlt::BDOUBLE | sqlt::IBDOUBLE => pointer.cast::<f64>().read_unaligned().to_string(),
            sqlt::BFLOAT | sqlt::IBFLOAT => pointer.cast::<f32>().read_unaligned().to_string(),
            sqlt::BOL => (pointer.cast::<i32>().read_unaligned() != 0).to_string(),
            sqlt::BIN | sqlt::LBI => {
                let bytes = buffer::bytes(pointer, length);
                return Ok((!bytes.is_empty()).then(|| hex(bytes)));
            }
            sqlt::ODT => DateTime::from_date_bytes(&pointer.cast::<[u8; 8]>().read()).to_string(),
            _ => {
                let descriptor = pointer.cast::<Pointer>().read_unaligned();
                return read_descriptor(data_type, descriptor);
            }
        }
    };
    Ok(Some(text))
}

/// # Safety
/// `descriptor` is a descriptor of this library.
unsafe fn read_descriptor(data_type: u16, descriptor: Pointer) -> Result<Option<String>> {
    // SAFETY: the caller vouches for the descriptor.
    unsafe {
        match data_type {
            sqlt::TIMESTAMP => {
                let value = handle::get::<Mutex<DateTime>>(descriptor)?.lock();
                Ok(Some(value.to_string()))
            }
            sqlt::TIMESTAMP_TZ | sqlt::TIMESTAMP_LTZ => {
                let value = handle::get::<Mutex<DateTime>>(descriptor)?.lock();
                Ok(Some(value.with_zone()))
            }
            sqlt::CLOB => Ok(handle::get::<Lob>(descriptor)?.read(non_empty)),
            sqlt::BLOB => Ok(Some(handle::get::<Lob>(descriptor)?.read(hex))),
            sqlt::RDD => {
                let value = handle::get::<Mutex<Vec<u8>>>(descriptor)?.lock();
                Ok(non_empty(&value))
            }
            other => Err(OraError::unsupported(format_args!("binds of type {other}"))),
        }
    }
}

/// # Safety
/// `pointer` has an integer of `size` bytes.
unsafe fn read_integer(pointer: *const u8, size: usize) -> Result<i64> {
    // SAFETY: the caller vouches for the size.
    unsafe {
        match size {
            1 => Ok(i64::from(pointer.cast::<i8>().read())),
            2 => Ok(i64::from(pointer.cast::<i16>().read_unaligned())),
            4 => Ok(i64::from(pointer.cast::<i32>().read_unaligned())),
            8 => Ok(pointer.cast::<i64>().read_unaligned()),
            _ => Err(OraError::unsupported(format_args!(
                "integers of {size} bytes"
            ))),
        }
    }
}

fn non_empty(bytes: &[u8]) -> Option<String> {
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes).into_owned())
}

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\\x{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_null() {
        // SAFETY: the buffer is valid.
        let read = unsafe { read(sqlt::CHR, b"".as_ptr(), 0) };
        assert_eq!(read.unwrap(), None);
    }

    #[test]
    fn bytes_become_hex() {
        // SAFETY: the buffer has two bytes.
        let read = unsafe { read(sqlt::BIN, [0u8, 255].as_ptr(), 2) };
        assert_eq!(read.unwrap().as_deref(), Some("\\x00ff"));
    }
}
