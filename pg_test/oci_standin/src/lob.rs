//! LOB locators: each holds its own copy of the value, so they need no server.

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status, piece};
use crate::buffer;
use crate::error::{self, OraError, Result};
use crate::handle;

#[derive(Default)]
pub struct Lob(Mutex<Content>);

#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    is_text: bool,
    /// Where a read in pieces goes on.
    next: usize,
}

impl Lob {
    pub fn read<T>(&self, reader: impl FnOnce(&[u8]) -> T) -> T {
        reader(&self.0.lock().bytes)
    }

    pub fn replace(&self, bytes: Vec<u8>, is_text: bool) {
        *self.0.lock() = Content {
            bytes,
            is_text,
            next: 0,
        };
    }
}

impl Content {
    /// The byte at which a character (of a CLOB) or byte (of a BLOB) begins.
    fn byte_offset(&self, units: usize) -> usize {
        if !self.is_text {
            return units.min(self.bytes.len());
        }
        let text = String::from_utf8_lossy(&self.bytes);
        text.char_indices()
            .nth(units)
            .map_or(text.len(), |(at, _)| at)
    }

    fn units(&self, bytes: &[u8]) -> u64 {
        let count = if self.is_text {
            String::from_utf8_lossy(bytes).chars().count()
        } else {
            bytes.len()
        };
        count as u64
    }
}

/// OCI counts from 1.
fn from_zero(offset: u64) -> Result<usize> {
    let offset = offset
        .checked_sub(1)
        .and_then(|offset| usize::try_from(offset).ok());
    offset.ok_or_else(|| OraError::new(24801, "illegal parameter value in OCI lob function"))
}

/// # Safety
/// `lob` is a LOB descriptor of this library, `length` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobGetLength2(
    _service: Pointer,
    error: Pointer,
    lob: Pointer,
    length: *mut u64,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let content = handle::get::<Lob>(lob)?.0.lock();
            *length = content.units(&content.bytes);
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `lob` is a LOB descriptor of this library, `buffer` has room for `size` bytes, the amounts
/// can be read and written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobRead2(
    _service: Pointer,
    error: Pointer,
    lob: Pointer,
    byte_amount: *mut u64,
    char_amount: *mut u64,
    offset: u64,
    buffer: *mut u8,
    size: u64,
    read_piece: u8,
    _context: Pointer,
    _callback: Pointer,
    _charset: u16,
    _charset_form: u8,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let mut content = handle::get::<Lob>(lob)?.0.lock();
            let in_pieces = read_piece != piece::ONE;
            if read_piece != piece::NEXT {
                content.next = content.byte_offset(from_zero(offset)?);
            }
            let start = content.next;
            let wanted = match (*char_amount, *byte_amount) {
                _ if in_pieces => content.bytes.len(),
                (chars, _) if chars > 0 && content.is_text => {
                    content.byte_offset(from_zero(offset)? + chars as usize)
                }
                (_, bytes) if bytes > 0 => start + bytes as usize,
                _ => content.bytes.len(),
            };
            let room = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
            let end = wanted.min(content.bytes.len()).min(room).max(start);
            let part = &content.bytes[start..end];
            buffer.copy_from_nonoverlapping(part.as_ptr(), part.len());
            *byte_amount = part.len() as u64;
            *char_amount = content.units(part);
            content.next = end;
            let more = in_pieces && end < content.bytes.len();
            Ok(if more { abi::NEED_DATA } else { abi::SUCCESS })
        })
    }
}

/// # Safety
/// `lob` is a LOB descriptor of this library, `buffer` has the bytes of the amount.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobWrite2(
    _service: Pointer,
    error: Pointer,
    lob: Pointer,
    byte_amount: *mut u64,
    _char_amount: *mut u64,
    offset: u64,
    buffer: *const u8,
    size: u64,
    _piece: u8,
    _context: Pointer,
    _callback: Pointer,
    _charset: u16,
    _charset_form: u8,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let mut content = handle::get::<Lob>(lob)?.0.lock();
            let length = (*byte_amount).min(size);
            let new = buffer::bytes(buffer, length as usize);
            let start = content.byte_offset(from_zero(offset)?);
            let end = (start + new.len()).min(content.bytes.len());
            content.bytes.splice(start..end, new.iter().copied());
            *byte_amount = length;
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `lob` is a LOB descriptor of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobTrim2(
    _service: Pointer,
    error: Pointer,
    lob: Pointer,
    length: u64,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let mut content = handle::get::<Lob>(lob)?.0.lock();
            let end = content.byte_offset(length as usize);
            content.bytes.truncate(end);
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `lob` is a LOB descriptor of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobCreateTemporary(
    _service: Pointer,
    error: Pointer,
    lob: Pointer,
    _charset: u16,
    _charset_form: u8,
    lob_type: u8,
    _cache: i32,
    _duration: u16,
) -> Status {
    const TEMPORARY_CLOB: u8 = 2;
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            handle::get::<Lob>(lob)?.replace(Vec::new(), lob_type == TEMPORARY_CLOB);
            Ok(abi::SUCCESS)
        })
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn OCILobFreeTemporary(_service: Pointer, _error: Pointer, _lob: Pointer) -> Status {
    abi::SUCCESS
}

/// A locator that was fetched is not temporary, and freeing the others costs nothing.
///
/// # Safety
/// `is_temporary` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobIsTemporary(
    _environment: Pointer,
    _error: Pointer,
    _lob: Pointer,
    is_temporary: *mut i32,
) -> Status {
    // SAFETY: as above.
    unsafe { *is_temporary = 0 };
    abi::SUCCESS
}

/// # Safety
/// `source` and `*target` are LOB descriptors of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobLocatorAssign(
    _service: Pointer,
    error: Pointer,
    source: Pointer,
    target: *mut Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe {
        error::answer(error, || {
            let content = handle::get::<Lob>(source)?.0.lock().clone();
            *handle::get::<Lob>(*target)?.0.lock() = content;
            Ok(abi::SUCCESS)
        })
    }
}

/// # Safety
/// `size` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCILobGetChunkSize(
    _service: Pointer,
    _error: Pointer,
    _lob: Pointer,
    size: *mut u32,
) -> Status {
    /// What Oracle answers for a block size of 8 KB.
    const CHUNK: u32 = 8132;
    // SAFETY: as above.
    unsafe { *size = CHUNK };
    abi::SUCCESS
}
