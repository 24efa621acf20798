//! From a value of PostgreSQL to a buffer of the client.

use parking_lot::Mutex;

use crate::abi::{Pointer, sqlt};
use crate::datetime::DateTime;
use crate::error::{OraError, Result};
use crate::handle;
use crate::libpq::Oid;
use crate::lob::Lob;
use crate::{number, pg_type};

/// A value of the server: PostgreSQL's text and its type, never empty.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub text: &'a [u8],
    pub pg_type: Oid,
}

impl<'a> Source<'a> {
    /// None for NULL, and for the empty text, which is NULL in Oracle.
    pub fn new(text: Option<&'a [u8]>, pg_type: Oid) -> Option<Self> {
        let text = text.filter(|text| !text.is_empty())?;
        Some(Self { text, pg_type })
    }

    /// The bytes that a text or binary buffer gets.
    pub fn bytes(&self) -> Vec<u8> {
        match self.pg_type {
            pg_type::BYTEA => unhex(self.text),
            pg_type::BOOL => self.number_text().as_bytes().to_vec(),
            _ => self.text.to_vec(),
        }
    }

    fn number_text(&self) -> &str {
        match self.text {
            b"t" if self.pg_type == pg_type::BOOL => "1",
            b"f" if self.pg_type == pg_type::BOOL => "0",
            text => std::str::from_utf8(text).unwrap_or(""),
        }
    }

    fn datetime(&self) -> Result<DateTime> {
        std::str::from_utf8(self.text)
            .ok()
            .and_then(DateTime::parse)
            .ok_or_else(|| OraError::new(1801, "date format is too long for internal buffer"))
    }

    fn parse<T: std::str::FromStr>(&self) -> Result<T> {
        self.number_text()
            .parse()
            .map_err(|_| OraError::known(1722))
    }
}

/// What was written to a buffer.
pub struct Written {
    pub length: usize,
    pub truncated: bool,
}

/// Writes a value to a buffer.
///
/// # Safety
/// `pointer` has room for a value of the type, `capacity` bytes where the type has no size of
/// its own; where the type is a descriptor it points to one of this library.
pub unsafe fn write(
    data_type: u16,
    pointer: *mut u8,
    capacity: usize,
    source: &Source,
) -> Result<Written> {
    // SAFETY: the caller vouches for the buffer; each type writes its own size.
    let length = unsafe {
        match data_type {
            sqlt::CHR | sqlt::LNG | sqlt::AFC | sqlt::VCS | sqlt::BIN | sqlt::LBI => {
                let bytes = source.bytes();
                let length = bytes.len().min(capacity);
                pointer.copy_from_nonoverlapping(bytes.as_ptr(), length);
                return Ok(Written {
                    length,
                    truncated: length < bytes.len(),
                });
            }
            sqlt::NUM | sqlt::VNU => {
                let number =
                    number::encode(source.number_text()).ok_or_else(|| OraError::known(1722))?;
                pointer.cast::<[u8; number::SIZE]>().write(number);
                number::SIZE
            }
            sqlt::INT => write_integer(pointer, capacity, integer(source)?)?,
            sqlt::UIN => {
                pointer.cast::<u64>().write_unaligned(source.parse()?);
                8
            }
            sqlt::BDOUBLE | sqlt::IBDOUBLE => {
                pointer.cast::<f64>().write_unaligned(source.parse()?);
                8
            }
            sqlt::BFLOAT | sqlt::IBFLOAT => {
                pointer.cast::<f32>().write_unaligned(source.parse()?);
                4
            }
            sqlt::BOL => {
                let value = source.number_text() != "0";
                pointer.cast::<i32>().write_unaligned(i32::from(value));
                4
            }
            sqlt::ODT => {
                pointer
                    .cast::<[u8; 8]>()
                    .write(source.datetime()?.to_date_bytes());
                8
            }
            _ => {
                let descriptor = pointer.cast::<Pointer>().read_unaligned();
                write_descriptor(data_type, descriptor, source)?;
                size_of::<Pointer>()
            }
        }
    };
    Ok(Written {
        length,
        truncated: false,
    })
}

/// # Safety
/// `descriptor` is a descriptor of this library.
unsafe fn write_descriptor(data_type: u16, descriptor: Pointer, source: &Source) -> Result<()> {
    // SAFETY: the caller vouches for the descriptor.
    unsafe {
        match data_type {
            sqlt::TIMESTAMP | sqlt::TIMESTAMP_TZ | sqlt::TIMESTAMP_LTZ => {
                *handle::get::<Mutex<DateTime>>(descriptor)?.lock() = source.datetime()?;
            }
            sqlt::CLOB | sqlt::BLOB => {
                let is_text = data_type == sqlt::CLOB;
                handle::get::<Lob>(descriptor)?.replace(source.bytes(), is_text);
            }
            sqlt::RDD => *handle::get::<Mutex<Vec<u8>>>(descriptor)?.lock() = source.bytes(),
            other => {
                return Err(OraError::unsupported(format_args!(
                    "values of type {other}"
                )));
            }
        }
    }
    Ok(())
}

/// The whole number of a value; Oracle rounds.
fn integer(source: &Source) -> Result<i64> {
    let text = source.number_text();
    if let Ok(value) = text.parse() {
        return Ok(value);
    }
    let rounded = source.parse::<f64>()?.round();
    if rounded.abs() < 9.2e18 {
        Ok(rounded as i64)
    } else {
        Err(OraError::new(
            1455,
            "converting column overflows integer datatype",
        ))
    }
}

/// # Safety
/// `pointer` has room for an integer of `size` bytes.
unsafe fn write_integer(pointer: *mut u8, size: usize, value: i64) -> Result<usize> {
    let too_large = |_| OraError::new(1455, "converting column overflows integer datatype");
    // SAFETY: the caller vouches for the size.
    unsafe {
        match size {
            4 => {
                let value = i32::try_from(value).map_err(too_large)?;
                pointer.cast::<i32>().write_unaligned(value);
            }
            8 => pointer.cast::<i64>().write_unaligned(value),
            _ => {
                return Err(OraError::unsupported(format_args!(
                    "integers of {size} bytes"
                )));
            }
        }
    }
    Ok(size)
}

fn unhex(text: &[u8]) -> Vec<u8> {
    let nibble = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    let digits = text.strip_prefix(b"\\x").unwrap_or(text);
    digits
        .chunks_exact(2)
        .map(|pair| nibble(pair[0]) << 4 | nibble(pair[1]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, pg_type: Oid) -> Source<'_> {
        Source::new(Some(text.as_bytes()), pg_type).unwrap()
    }

    #[test]
    fn an_empty_text_is_null() {
        assert!(Source::new(Some(b""), pg_type::TEXT).is_none());
    }

    #[test]
    fn hex_becomes_bytes() {
        assert_eq!(source("\\x00ff", pg_type::BYTEA).bytes(), [0, 255]);
    }

    #[test]
    fn a_text_that_does_not_fit_is_cut_and_says_so() {
        let mut buffer = [0u8; 3];
        let value = source("abcdef", pg_type::TEXT);
        // SAFETY: the buffer has the size given.
        let written = unsafe { write(sqlt::CHR, buffer.as_mut_ptr(), 3, &value) }.unwrap();
        assert!(written.truncated);
        assert_eq!(&buffer, b"abc");
    }

    #[test]
    fn integers_are_rounded_and_checked() {
        let mut buffer = [0u8; 8];
        // SAFETY: the buffer has the size given.
        unsafe {
            write(
                sqlt::INT,
                buffer.as_mut_ptr(),
                8,
                &source("41.6", pg_type::NUMERIC),
            )
            .unwrap();
            assert_eq!(i64::from_ne_bytes(buffer), 42);
            let error = write(
                sqlt::INT,
                buffer.as_mut_ptr(),
                8,
                &source("1e30", pg_type::NUMERIC),
            );
            assert_eq!(error.err().map(|error| error.code), Some(1455));
            let error = write(
                sqlt::INT,
                buffer.as_mut_ptr(),
                8,
                &source("x", pg_type::TEXT),
            );
            assert_eq!(error.err().map(|error| error.code), Some(1722));
        }
    }
}
