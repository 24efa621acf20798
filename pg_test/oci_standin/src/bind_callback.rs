//! Binds whose buffers the client names by callback: long values, and RETURNING ... INTO.

use std::ptr::null_mut;

use crate::abi::{NULL_INDICATOR, Pointer, piece, sqlt};
use crate::buffer::{self, Arrays};
use crate::error::{OraError, Result};
use crate::value::{self, Source};

pub type InCallback = unsafe extern "C" fn(
    context: Pointer,
    bind: Pointer,
    iteration: u32,
    index: u32,
    buffer: *mut Pointer,
    length: *mut u32,
    piece: *mut u8,
    indicator: *mut *mut i16,
) -> i32;

pub type OutCallback = unsafe extern "C" fn(
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

#[derive(Clone, Copy)]
pub struct Callbacks {
    pub input: Option<InCallback>,
    pub input_context: Pointer,
    pub output: Option<OutCallback>,
    pub output_context: Pointer,
}

impl Callbacks {
    /// The input of an iteration as text, None for NULL.
    ///
    /// # Safety
    /// The callback and its context still live.
    pub unsafe fn read(&self, arrays: &Arrays, iteration: usize) -> Result<Option<String>> {
        let Some(callback) = self.input else {
            return Ok(None);
        };
        let (mut buffer, mut length): (Pointer, u32) = (null_mut(), 0);
        let (mut piece, mut indicator) = (piece::ONE, null_mut::<i16>());
        // SAFETY: the callback fills what it is given pointers to.
        unsafe {
            callback(
                self.input_context,
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
            let value = if is_descriptor(arrays.data_type) {
                (&raw const buffer).cast()
            } else {
                buffer.cast_const().cast()
            };
            value::read(arrays.data_type, value, length as usize)
        }
    }

    /// Writes an output of an iteration; `index` counts the rows of RETURNING.
    ///
    /// # Safety
    /// The callback and its context still live; `bind` is the handle of the bind.
    pub unsafe fn write(
        &self,
        arrays: &Arrays,
        bind: Pointer,
        iteration: usize,
        index: usize,
        source: Option<Source>,
    ) -> Result<()> {
        let Some(callback) = self.output else {
            return Ok(());
        };
        let mut buffer: Pointer = null_mut();
        let (mut length, mut piece) = (null_mut::<u32>(), piece::ONE);
        let (mut indicator, mut return_code) = (null_mut::<i16>(), null_mut::<u16>());
        // SAFETY: the callback fills what it is given pointers to, and they live until the next.
        unsafe {
            callback(
                self.output_context,
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
                arrays.size
            } else {
                *length as usize
            };
            if let Some(source) = source {
                let element = if is_descriptor(arrays.data_type) {
                    (&raw mut buffer).cast()
                } else {
                    buffer.cast()
                };
                let written = value::write(arrays.data_type, element, capacity, &source)?;
                if written.truncated {
                    return Err(OraError::known(6502));
                }
                buffer::set(length, 0, written.length as u32);
            }
            let indicated = if source.is_some() { 0 } else { NULL_INDICATOR };
            buffer::set(indicator, 0, indicated);
            buffer::set(return_code, 0, 0);
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
