//! The process-wide part of OCI: version, threads, environment, character sets.

use std::ffi::{CStr, c_char, c_void};

use crate::abi::{self, CHARSET_UTF8, Pointer, Status};
use crate::buffer;
use crate::handle::Handle;

/// # Safety
/// All arguments can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIClientVersion(
    major: *mut i32,
    minor: *mut i32,
    update: *mut i32,
    patch: *mut i32,
    port_update: *mut i32,
) {
    // SAFETY: as above.
    unsafe {
        *major = 19;
        *minor = 3;
        *update = 0;
        *patch = 0;
        *port_update = 0;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn OCIThreadProcessInit() {}

/// Thread keys are those of the system; a key is boxed, because OCI wants a pointer.
///
/// # Safety
/// `key` can be written; `destructor` is null or a function that takes a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIThreadKeyInit(
    _environment: Pointer,
    _error: Pointer,
    key: *mut Pointer,
    destructor: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Status {
    let mut new: libc::pthread_key_t = 0;
    // SAFETY: as above.
    unsafe {
        if libc::pthread_key_create(&mut new, destructor) != 0 {
            return abi::ERROR;
        }
        *key = Box::into_raw(Box::new(new)).cast();
    }
    abi::SUCCESS
}

/// # Safety
/// `*key` was made by OCIThreadKeyInit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIThreadKeyDestroy(
    _environment: Pointer,
    _error: Pointer,
    key: *mut Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe {
        let key = Box::from_raw((*key).cast::<libc::pthread_key_t>());
        libc::pthread_key_delete(*key);
    }
    abi::SUCCESS
}

/// # Safety
/// `key` was made by OCIThreadKeyInit, `value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIThreadKeyGet(
    _environment: Pointer,
    _error: Pointer,
    key: Pointer,
    value: *mut Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe { *value = libc::pthread_getspecific(*key.cast::<libc::pthread_key_t>()) };
    abi::SUCCESS
}

/// # Safety
/// `key` was made by OCIThreadKeyInit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIThreadKeySet(
    _environment: Pointer,
    _error: Pointer,
    key: Pointer,
    value: Pointer,
) -> Status {
    // SAFETY: as above.
    let failed = unsafe { libc::pthread_setspecific(*key.cast::<libc::pthread_key_t>(), value) };
    if failed == 0 {
        abi::SUCCESS
    } else {
        abi::ERROR
    }
}

/// # Safety
/// `environment` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIEnvNlsCreate(
    environment: *mut Pointer,
    _mode: u32,
    _context: Pointer,
    _alloc: Pointer,
    _realloc: Pointer,
    _free: Pointer,
    _extra_size: usize,
    _extra: *mut Pointer,
    _charset: u16,
    _national_charset: u16,
) -> Status {
    // SAFETY: as above.
    unsafe { *environment = Handle::Plain.into_pointer() };
    abi::SUCCESS
}

/// The only number asked for is the bytes of the longest character.
///
/// # Safety
/// `value` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCINlsNumericInfoGet(
    _environment: Pointer,
    _error: Pointer,
    value: *mut i32,
    _item: u16,
) -> Status {
    // SAFETY: as above.
    unsafe { *value = 4 };
    abi::SUCCESS
}

/// # Safety
/// `value` has room for a character set number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCINlsEnvironmentVariableGet(
    value: *mut u16,
    _size: usize,
    _item: u16,
    _charset: u16,
    size: *mut usize,
) -> Status {
    // SAFETY: as above.
    unsafe {
        *value = CHARSET_UTF8;
        if !size.is_null() {
            *size = size_of::<u16>();
        }
    }
    abi::SUCCESS
}

/// # Safety
/// `name` ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCINlsCharSetNameToId(_environment: Pointer, name: *const c_char) -> u16 {
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(name) }
        .to_string_lossy()
        .to_uppercase();
    match name.as_str() {
        "AL32UTF8" | "UTF8" | "UTF-8" => CHARSET_UTF8,
        _ => 0,
    }
}

/// # Safety
/// `buffer` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCINlsCharSetIdToName(
    _environment: Pointer,
    buffer: *mut u8,
    size: usize,
    _id: u16,
) -> Status {
    // SAFETY: as above.
    unsafe { buffer::write_text(buffer, size, "AL32UTF8") };
    abi::SUCCESS
}

/// Between the names of IANA and Oracle.
///
/// # Safety
/// `buffer` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCINlsNameMap(
    _environment: Pointer,
    buffer: *mut u8,
    size: usize,
    _name: *const c_char,
    direction: u32,
) -> Status {
    const IANA_TO_ORACLE: u32 = 0;
    let name = if direction == IANA_TO_ORACLE {
        "AL32UTF8"
    } else {
        "UTF-8"
    };
    // SAFETY: as above.
    unsafe { buffer::write_text(buffer, size, name) };
    abi::SUCCESS
}
