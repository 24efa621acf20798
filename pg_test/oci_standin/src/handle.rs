//! Handles and descriptors: what OCI calls by pointer, each with its own type here.
//!
//! A handle is a boxed [`Handle`]. It is only ever used through shared references, because a
//! break comes from another thread; whatever changes is behind a lock inside the handle.

use parking_lot::Mutex;

use crate::abi::{self, Pointer, Status, handle_type};
use crate::bind::Bind;
use crate::connect::{Server, User};
use crate::datetime::DateTime;
use crate::define::{Column, Define};
use crate::error::{ErrorHandle, OraError, Result};
use crate::lob::Lob;
use crate::service::Service;
use crate::statement::Statement;

pub enum Handle {
    /// Environments and everything without a state of its own.
    Plain,
    Error(ErrorHandle),
    Service(Service),
    Server(Server),
    User(User),
    Statement(Statement),
    Bind(Bind),
    Define(Define),
    Column(Column),
    Lob(Lob),
    DateTime(Mutex<DateTime>),
    Rowid(Mutex<Vec<u8>>),
}

/// A type that is the content of one kind of handle.
pub trait Content: Sized {
    const NAME: &'static str;
    fn of(handle: &Handle) -> Option<&Self>;
}

macro_rules! content {
    ($($kind:ident: $type:ty),* $(,)?) => {
        $(impl Content for $type {
            const NAME: &'static str = stringify!($kind);
            fn of(handle: &Handle) -> Option<&Self> {
                match handle {
                    Handle::$kind(content) => Some(content),
                    _ => None,
                }
            }
        })*
    };
}

content! {
    Error: ErrorHandle,
    Service: Service,
    Server: Server,
    User: User,
    Statement: Statement,
    Bind: Bind,
    Define: Define,
    Column: Column,
    Lob: Lob,
    DateTime: Mutex<DateTime>,
    Rowid: Mutex<Vec<u8>>,
}

impl Handle {
    fn new(kind: u32) -> Self {
        match kind {
            handle_type::ERROR => Self::Error(ErrorHandle::default()),
            handle_type::SERVICE => Self::Service(Service::default()),
            handle_type::SERVER => Self::Server(Server::default()),
            handle_type::SESSION => Self::User(User::default()),
            handle_type::LOB => Self::Lob(Lob::default()),
            handle_type::ROWID => Self::Rowid(Mutex::default()),
            handle_type::DATE..=handle_type::TIMESTAMP_LTZ => Self::DateTime(Mutex::default()),
            _ => Self::Plain,
        }
    }

    /// Gives the handle to the caller of OCI, who frees it.
    pub fn into_pointer(self) -> Pointer {
        Box::into_raw(Box::new(self)).cast()
    }
}

/// The content of a handle of the expected kind.
///
/// # Safety
/// `pointer` is null or a handle of this library that lives for `'a`.
pub unsafe fn get<'a, T: Content + 'a>(pointer: Pointer) -> Result<&'a T> {
    // SAFETY: the caller vouches for the pointer.
    unsafe { pointer.cast::<Handle>().as_ref() }
        .and_then(T::of)
        .ok_or_else(|| OraError::internal(format_args!("no {} handle", T::NAME)))
}

/// Frees a handle.
///
/// # Safety
/// `pointer` is null or a handle of this library that nobody uses any more.
pub unsafe fn free(pointer: Pointer) {
    if !pointer.is_null() {
        // SAFETY: made by `into_pointer`, and the caller gives it back.
        drop(unsafe { Box::from_raw(pointer.cast::<Handle>()) });
    }
}

/// # Safety
/// `handle` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIHandleAlloc(
    _parent: Pointer,
    handle: *mut Pointer,
    kind: u32,
    _extra_size: usize,
    _extra: Pointer,
) -> Status {
    // SAFETY: the caller passes a place for the handle.
    unsafe { *handle = Handle::new(kind).into_pointer() };
    abi::SUCCESS
}

/// # Safety
/// `handle` is a handle of this library that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIHandleFree(handle: Pointer, _kind: u32) -> Status {
    // SAFETY: as above.
    unsafe { free(handle) };
    abi::SUCCESS
}

/// # Safety
/// `descriptor` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDescriptorAlloc(
    parent: Pointer,
    descriptor: *mut Pointer,
    kind: u32,
    extra_size: usize,
    extra: Pointer,
) -> Status {
    // SAFETY: as above.
    unsafe { OCIHandleAlloc(parent, descriptor, kind, extra_size, extra) }
}

/// # Safety
/// `descriptor` is a descriptor of this library that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIDescriptorFree(descriptor: Pointer, kind: u32) -> Status {
    // SAFETY: as above.
    unsafe { OCIHandleFree(descriptor, kind) }
}

/// OCI frees such an array knowing only its first element, so the length of each is kept here.
static ARRAYS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// # Safety
/// `descriptors` has room for `count` pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIArrayDescriptorAlloc(
    _parent: Pointer,
    descriptors: *mut Pointer,
    kind: u32,
    count: u32,
    _extra_size: usize,
    _extra: Pointer,
) -> Status {
    for index in 0..count as usize {
        // SAFETY: the array has `count` places.
        unsafe { *descriptors.add(index) = Handle::new(kind).into_pointer() };
    }
    if count > 0 {
        ARRAYS.lock().push((descriptors as usize, count as usize));
    }
    abi::SUCCESS
}

/// # Safety
/// `descriptors` was filled by OCIArrayDescriptorAlloc and is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OCIArrayDescriptorFree(descriptors: *mut Pointer, _kind: u32) -> Status {
    let mut arrays = ARRAYS.lock();
    let Some(at) = arrays
        .iter()
        .position(|(array, _)| *array == descriptors as usize)
    else {
        return abi::INVALID_HANDLE;
    };
    let (_, count) = arrays.swap_remove(at);
    drop(arrays);
    for index in 0..count {
        // SAFETY: the array still has the `count` descriptors it was filled with.
        unsafe { free(*descriptors.add(index)) };
    }
    abi::SUCCESS
}
