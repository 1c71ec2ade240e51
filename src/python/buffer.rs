//! The buffer protocol: the square numbers of tours as memory that Python reads in place.
//!
//! Python's interface here is a C structure filled through a pointer, so this is the one module of the
//! binding with unsafe code.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Shape and strides of a view of 32-bit numbers, kept where the view can point to them.
pub struct Layout {
    dimensions: usize,
    shape: [isize; 2],
    strides: [isize; 2],
}

impl Layout {
    /// One row of this many numbers.
    pub fn of(numbers: &[u32]) -> Layout {
        Layout { dimensions: 1, shape: [numbers.len() as isize, 0], strides: [size_of::<u32>() as isize, 0] }
    }

    /// Rows of this many numbers, one after another.
    pub fn of_rows(rows: usize, width: usize) -> Layout {
        let item = size_of::<u32>();
        Layout {
            dimensions: 2,
            shape: [rows as isize, width as isize],
            strides: [(item * width) as isize, item as isize],
        }
    }

    fn is_column_major(&self) -> bool {
        self.shape[..self.dimensions].iter().filter(|&&side| side != 1).count() < 2
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
        return Err(PyBufferError::new_err("tours are read-only"));
    }
    if wants(ffi::PyBUF_F_CONTIGUOUS) && !layout.is_column_major() {
        // SAFETY: as above.
        unsafe { (*view).obj = ptr::null_mut() };
        return Err(PyBufferError::new_err("the tours are stored row by row, not column by column"));
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
        // Without a shape it is a stretch of bytes.
        (*view).ndim = if wants(ffi::PyBUF_ND) { layout.dimensions as c_int } else { 1 };
        (*view).format = format;
        (*view).shape = shape;
        (*view).strides = strides;
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
    }
    Ok(())
}
