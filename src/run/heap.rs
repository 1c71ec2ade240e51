//! Gives memory that is free back to the system.
//!
//! The allocator keeps what was freed for later: of closed 8x8 up to a third of what is in use. Where a memory limit is to
//! hold for the process as the system sees it, that is too much.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::run::Budget;

/// Milliseconds between two times, for a large limit or none, a small and a tiny one: so that little is kept in between.
const SELDOM: u64 = 100;
const EVERY: u64 = 10;
const OFTEN: u64 = 1;
const LARGE: u64 = 1 << 30;
const TINY: u64 = 1 << 25;

/// Gives free memory back; now and then only, since it is not for nothing.
pub fn trim(budget: &Budget) {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let every = match budget.memory_limit() {
        Some(..=TINY) => OFTEN,
        Some(..LARGE) => EVERY,
        Some(_) | None => SELDOM,
    };
    let now = budget.elapsed().as_millis() as u64;
    // Runs that began at different times share the clock: then it is done a little more often, or less.
    if now.abs_diff(LAST.load(Ordering::Relaxed)) >= every {
        LAST.store(now, Ordering::Relaxed);
        give_back();
    }
}

/// While it is there, what is freed in large blocks or at the end of a heap goes back to the system at once.
#[derive(Debug)]
pub struct Tight(());

/// So for a run with a memory limit.
#[must_use]
pub fn tight(budget: &Budget) -> Option<Tight> {
    let limit = budget.memory_limit()?;
    if RUNS.fetch_add(1, Ordering::Relaxed) == 0 {
        // A thousandth of the limit, which a hundred such blocks do not take far beyond it.
        let block = (limit >> 10).clamp(1 << 16, 1 << 20) as i32;
        keep([block, block]);
    }
    Some(Tight(()))
}

impl Drop for Tight {
    fn drop(&mut self) {
        if RUNS.fetch_sub(1, Ordering::Relaxed) == 1 {
            // As the allocator itself would have it after blocks of such a size.
            keep([1 << 22, 1 << 23]);
        }
    }
}

/// The runs with a memory limit.
static RUNS: AtomicUsize = AtomicUsize::new(0);

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

/// Blocks of this many bytes are asked of the system, each on its own, and this many free bytes are kept at the end of a
/// heap. Of itself the allocator raises both, up to 32 MB, each time a large block is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn keep([block, free]: [i32; 2]) {
    use std::ffi::c_int;
    const TRIM_THRESHOLD: c_int = -1;
    const MMAP_THRESHOLD: c_int = -3;
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    // SAFETY: functions of the C library for any thread at any time; they change where blocks to come are taken from, and
    // the allocator knows of each where it came from.
    unsafe {
        mallopt(MMAP_THRESHOLD, block);
        mallopt(TRIM_THRESHOLD, free);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep(_: [i32; 2]) {}
