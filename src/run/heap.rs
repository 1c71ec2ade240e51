//! Gives memory that is free back to the system.

/// What the allocator keeps of freed memory for later goes back to the system. Takes some milliseconds after large layers.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    trim();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn trim() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: a function of the C library for any thread at any time; it moves nothing that is in use.
    unsafe { malloc_trim(0) };
}
