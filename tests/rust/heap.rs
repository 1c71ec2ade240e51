//! What a sweep really allocates, byte by byte, against its memory limit.
//!
//! Beside what the engine accounts for itself nothing may be taken: neither lists that grow, old and new side by side, nor
//! buffers for a moment. What the allocator keeps is another matter, which `tests/python/test_memory.py` looks at.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use knightstour::engines::frontier::{CheckpointedSweep, Files, Sweep};
use knightstour::{Board, Budget, Graph, Limits, Request};

use crate::place::Place;

/// The system's allocator, which counts for each thread what it has allocated and not freed.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Bytes of the allocator's own for each block.
const HEAD: usize = 16;

fn add(bytes: isize) {
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: all is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add((layout.size() + HEAD) as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add((layout.size() + HEAD) as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        add(-((layout.size() + HEAD) as isize));
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old and the new block may stand side by side for a moment.
        add((size + HEAD) as isize);
        add(-((layout.size() + HEAD) as isize));
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most bytes that this thread has allocated at a time in the course of some work.
fn peak(work: impl FnOnce()) -> u64 {
    let before = LIVE.get();
    PEAK.set(before);
    work();
    (PEAK.get() - before) as u64
}

/// Whether a sweep on this thread is done within a number of bytes; and the most that it really takes.
fn sweep(request: &Request, limit: u64, place: Option<&Place>) -> (bool, u64) {
    let graph = Graph::new(request);
    let budget = Budget::new(Limits { memory: Some(limit), ..Limits::default() });
    let mut is_done = false;
    let taken = peak(|| {
        let files = Files { spill_dir: place.map(|place| place.0.clone()), ..Files::default() };
        let mut kept = CheckpointedSweep::new(Sweep::new(request, &graph, 1).unwrap(), files).unwrap();
        is_done = kept.advance(&budget).is_ok();
        let stats = kept.sweep().stats();
        assert!(stats.peak_bytes <= limit, "{stats:?} {limit}");
        assert!(is_done || kept.sweep().bytes_needed() > limit, "{stats:?} {limit}");
    });
    (is_done, taken)
}

#[test]
fn all_that_is_taken_is_within_the_limit() {
    let place = Place::new("heap");
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    let (mut done, mut refused) = (0, 0);
    for (request, limits) in [
        (Request::closed(board(6, 8)), &[1, 2, 3, 4, 6][..]),
        (Request::open(board(6, 6)), &[1, 2, 3, 4, 5]),
        (Request::open(board(6, 8)), &[3, 4, 6]),
        (Request::closed(board(7, 8)), &[3, 5, 12]),
        // More than any limit here, and wide.
        (Request::open(board(9, 9)), &[4, 12]),
    ] {
        for &megabytes in limits {
            for place in [None, Some(&place)] {
                if place.is_some() && request.board().len() > 60 {
                    continue;
                }
                let limit = megabytes << 20;
                let (is_done, taken) = sweep(&request, limit, place);
                assert!(taken <= limit, "{taken} of {limit} {request:?} {}", place.is_some());
                // Nor is much left of the memory when a count is refused, unless it is seen early that it is far too large.
                let is_far = request.board().len() > 80;
                let is_used = is_far || taken * 2 > limit;
                assert!(is_done || place.is_some() || limit < 3 << 20 || is_used, "{taken} of {limit}");
                *(if is_done { &mut done } else { &mut refused }) += 1;
            }
        }
    }
    assert!(done > 8 && refused > 8, "{done} {refused}");
}
