//! Buffers that the client gives: texts in and out, arrays of values.

use crate::abi::{NULL_INDICATOR, sqlt};
use crate::error::Result;
use crate::value::{self, Source};

/// Arrays of the client with an element for each row or iteration. The value is always there,
/// indicator, length and return code where the client wants them.
#[derive(Clone, Copy)]
pub struct Arrays {
    pub data_type: u16,
    /// Bytes from one value to the next.
    pub size: usize,
    pub values: *mut u8,
    pub indicators: *mut i16,
    pub lengths: *mut u32,
    pub return_codes: *mut u16,
}

impl Arrays {
    /// Reads an element as text, None for NULL.
    ///
    /// # Safety
    /// The arrays live and have that element.
    pub unsafe fn read(&self, at: usize) -> Result<Option<String>> {
        // SAFETY: the caller vouches for the element.
        unsafe {
            let is_null =
                !self.indicators.is_null() && self.indicators.add(at).read() == NULL_INDICATOR;
            if is_null || self.values.is_null() {
                return Ok(None);
            }
            let fixed = self.lengths.is_null() || self.data_type == sqlt::INT;
            let length = if fixed {
                self.size
            } else {
                self.lengths.add(at).read() as usize
            };
            value::read(self.data_type, self.values.add(at * self.size), length)
        }
    }

    /// Writes an element; false when the value was cut.
    ///
    /// # Safety
    /// The arrays live and have that element.
    pub unsafe fn write(&self, at: usize, source: Option<Source>) -> Result<bool> {
        const TRUNCATED: u16 = 1406;
        // SAFETY: the caller vouches for the element.
        unsafe {
            let (indicator, length, truncated) = match source {
                Some(source) => {
                    let element = self.values.add(at * self.size);
                    let written = value::write(self.data_type, element, self.size, &source)?;
                    (0, written.length as u32, written.truncated)
                }
                None => (NULL_INDICATOR, 0, false),
            };
            set(self.indicators, at, indicator);
            set(self.lengths, at, length);
            set(self.return_codes, at, if truncated { TRUNCATED } else { 0 });
            Ok(!truncated)
        }
    }
}

/// Writes an element of an array that the client may have left out.
///
/// # Safety
/// `array` is null or has an element of that index.
pub unsafe fn set<T>(array: *mut T, at: usize, value: T) {
    if !array.is_null() {
        // SAFETY: the caller vouches for the element.
        unsafe { array.add(at).write(value) };
    }
}

/// Writes a text with a closing zero byte, cut to the size of the buffer.
///
/// # Safety
/// `buffer` has room for `size` bytes, and `size` is not 0.
pub unsafe fn write_text(buffer: *mut u8, size: usize, text: &str) {
    let length = text.len().min(size - 1);
    // SAFETY: `length` + 1 bytes fit into the buffer.
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr(), length);
        buffer.add(length).write(0);
    }
}

/// The bytes of a text argument.
///
/// # Safety
/// `pointer` is null or has `length` readable bytes that live for `'a`.
pub unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> &'a [u8] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: the caller vouches for pointer and length.
    unsafe { std::slice::from_raw_parts(pointer, length) }
}
