//! Gives memory that is free back to the system.
//!
//! The allocator keeps what was freed for later. Where a memory limit of a few megabytes is to hold for the process as
//! the system sees it, that is too much.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::budget::Budget;

/// Beyond so many bytes what the allocator keeps does not matter.
const LARGE: u64 = 1 << 28;
/// Milliseconds between two times; and where the limit is tiny, so that little is kept in between.
const EVERY: u64 = 10;
const OFTEN: u64 = 1;
const TINY: u64 = 1 << 25;

/// Gives free memory back, if the run has a small memory limit; now and then only, since it is not for nothing.
pub fn trim(budget: &Budget) {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let Some(limit) = budget.memory_limit().filter(|&limit| limit <= LARGE) else { return };
    let every = if limit <= TINY { OFTEN } else { EVERY };
    let now = budget.elapsed().as_millis() as u64;
    // Runs that began at different times share the clock: then it is done a little more often, or less.
    if now.abs_diff(LAST.load(Ordering::Relaxed)) >= every {
        LAST.store(now, Ordering::Relaxed);
        give_back();
    }
}

/// How many of some threads work: one where the limit is so small that what the allocator keeps for each would take a
/// good part of it.
#[must_use]
pub fn workers(budget: &Budget, threads: usize) -> usize {
    if budget.memory_limit().is_some_and(|limit| limit <= TINY) { 1 } else { threads }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn give_back() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: a function of the C library for any thread at any time; it moves nothing that is in use.
    unsafe { malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}
