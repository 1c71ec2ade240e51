//! The buffer protocol: a tour's square numbers as memory that Python reads in place.
//!
//! Python's interface here is a C structure filled through a pointer, so this is the one module of the
//! binding with unsafe code.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Shape and strides of a one-dimensional view of 32-bit numbers, kept where the view can point to them.
pub struct Layout {
    shape: [isize; 1],
    strides: [isize; 1],
}

impl Layout {
    /// Of so many numbers.
    pub fn of(numbers: &[u32]) -> Layout {
        Layout { shape: [numbers.len() as isize], strides: [size_of::<u32>() as isize] }
    }
}

/// Answers a request for a read-only view of `numbers`.
///
/// # Safety
///
/// `view` is null or points to a `Py_buffer` that may be written. `numbers` and `layout` live where they
/// are, unchanged, for as long as `owner` does.
pub unsafe fn fill(
    owner: Bound<'_, PyAny>,
    numbers: &[u32],
    layout: &Layout,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no view to fill"));
    }
    let wants = |flag: c_int| flags & flag == flag;
    if wants(ffi::PyBUF_WRITABLE) {
        // SAFETY: `view` may be written. Python wants `obj` null where a request is refused.
        unsafe { (*view).obj = ptr::null_mut() };
        return Err(PyBufferError::new_err("a tour is read-only"));
    }
    let format = if wants(ffi::PyBUF_FORMAT) { c"I".as_ptr().cast_mut() } else { ptr::null_mut() };
    let shape = if wants(ffi::PyBUF_ND) { layout.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
    let strides = if wants(ffi::PyBUF_STRIDES) { layout.strides.as_ptr().cast_mut() } else { ptr::null_mut() };
    // SAFETY: `view` may be written. The pointers put into it lead to static text or to what `owner` keeps,
    // and `view.obj` keeps `owner` until the view is released. Python writes through none of them, for the
    // view is marked read-only.
    unsafe {
        (*view).obj = owner.into_ptr();
        (*view).buf = numbers.as_ptr().cast::<c_void>().cast_mut();
        (*view).len = size_of_val(numbers) as isize;
        (*view).itemsize = size_of::<u32>() as isize;
        (*view).readonly = 1;
        (*view).ndim = 1;
        (*view).format = format;
        (*view).shape = shape;
        (*view).strides = strides;
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
    }
    Ok(())
}
