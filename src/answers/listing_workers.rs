//! [`Workers`]: a listing by several threads. It is cut into parts, each a search of its own; who has
//! none left takes one from the others, and who is asked splits his in two. Threads run only while a
//! batch is being filled.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::engines::edge_forcing::{EdgeForcing, EdgeForcingStats, Step};
use crate::run::{Budget, Limit, Limits, Pause, workers};

/// Nodes between two looks at the others and at the limits, on small boards and on large ones, where
/// a node takes longer.
const NODES: [u64; 2] = [8192, 128];
/// Tours that a thread claims at a time.
const CLAIM: usize = 64;

#[derive(Debug)]
pub(super) struct Workers {
    parts: Vec<EdgeForcing>,
    threads: usize,
    /// What the parts did that are done.
    done: EdgeForcingStats,
    /// A tour has been found; before, a split would keep the search from starting afresh.
    found: bool,
}

/// What the threads of a batch share.
struct Shared {
    pool: Mutex<Pool>,
    changed: Condvar,
    /// Rows that nobody has claimed.
    unclaimed: AtomicUsize,
    /// Somebody waits for a part.
    hungry: AtomicBool,
    found: AtomicBool,
    /// Nodes at a time.
    nodes: u64,
}

struct Pool {
    /// Parts that nobody works on.
    parts: Vec<EdgeForcing>,
    /// Parts that are being worked on.
    active: usize,
    /// Parts put aside until the next batch.
    aside: Vec<EdgeForcing>,
    done: EdgeForcingStats,
    /// Nobody takes a part any more.
    over: bool,
    pause: Option<Pause>,
}

impl Workers {
    pub(super) fn new(search: EdgeForcing, threads: usize) -> Workers {
        Workers { parts: vec![search], threads, done: EdgeForcingStats::default(), found: false }
    }

    pub(super) fn stats(&self) -> EdgeForcingStats {
        self.parts.iter().fold(self.done, |sum, part| add(sum, part.stats()))
    }

    /// Appends the squares of this many tours to `rows`, having called `check` for each.
    pub(super) fn fill(
        &mut self,
        rows: &mut Vec<u32>,
        most: usize,
        width: usize,
        budget: &Budget,
        check: impl Fn(&mut [u32]) + Sync,
    ) -> Step {
        let full = rows.len() + most * width;
        loop {
            let missing = (full - rows.len()) / width;
            let pause = self.round(rows, missing, width, budget, &check);
            if rows.len() == full {
                return Step::Found;
            }
            if let Some(pause) = pause {
                return Step::Paused(pause);
            }
            // Tours that one thread had claimed and not found may have been left by the others.
            if self.parts.is_empty() {
                return Step::Exhausted;
            }
        }
    }

    /// All threads, until nothing is left to claim or the budget refuses.
    fn round(
        &mut self,
        rows: &mut Vec<u32>,
        most: usize,
        width: usize,
        budget: &Budget,
        check: &(impl Fn(&mut [u32]) + Sync),
    ) -> Option<Pause> {
        let pool = Pool {
            parts: std::mem::take(&mut self.parts),
            active: 0,
            aside: Vec::new(),
            done: self.done,
            over: false,
            pause: None,
        };
        let shared = Shared {
            pool: Mutex::new(pool),
            changed: Condvar::new(),
            unclaimed: AtomicUsize::new(most),
            hungry: AtomicBool::new(false),
            found: AtomicBool::new(self.found),
            nodes: NODES[usize::from(width > 126)],
        };
        let work = |(): &mut ()| {
            let mut own = Vec::new();
            shared.work(budget, &mut |path| {
                let row = own.len();
                own.extend_from_slice(path);
                check(&mut own[row..]);
            });
            own
        };
        rows.extend(workers::together(&mut vec![(); self.threads], work).into_iter().flatten());
        self.found = shared.found.into_inner();
        let pool = shared.pool.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.parts, self.done) = (pool.parts, pool.done);
        self.parts.extend(pool.aside);
        pool.pause
    }
}

/// Lets nobody wait for a thread that panicked.
struct OnPanic<'a>(&'a Shared);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().over = true;
            self.0.changed.notify_all();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes parts and lists their tours until the batch is full, the budget refuses, or none is left.
    fn work(&self, budget: &Budget, take: &mut impl FnMut(&[u32])) {
        let _guard = OnPanic(self);
        while let Some(mut part) = self.next_part() {
            match self.list(&mut part, budget, take) {
                Step::Exhausted => {
                    let mut pool = self.lock();
                    pool.done = add(pool.done, part.stats());
                    pool.active -= 1;
                    pool.over |= pool.active == 0 && pool.parts.is_empty();
                    self.changed.notify_all();
                }
                stop => {
                    let mut pool = self.lock();
                    pool.active -= 1;
                    pool.aside.push(part);
                    pool.over = true;
                    if let Step::Paused(pause) = stop {
                        pool.pause = Some(pause);
                    }
                    self.changed.notify_all();
                }
            }
        }
    }

    fn next_part(&self) -> Option<EdgeForcing> {
        let mut pool = self.lock();
        loop {
            if pool.over {
                return None;
            }
            if let Some(part) = pool.parts.pop() {
                pool.active += 1;
                return Some(part);
            }
            self.hungry.store(true, Ordering::Relaxed);
            pool = self.changed.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lists the tours of a part: [`Step::Found`] when the batch is full.
    fn list(&self, part: &mut EdgeForcing, budget: &Budget, take: &mut impl FnMut(&[u32])) -> Step {
        loop {
            let mut claimed = 0;
            let claim = |left: usize| {
                claimed = left.min(CLAIM);
                (left > 0).then(|| left - claimed)
            };
            if self.unclaimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim).is_err() {
                return Step::Found;
            }
            let granted = match budget.take(self.nodes) {
                Ok(granted) => granted,
                Err(pause) => {
                    self.unclaimed.fetch_add(claimed, Ordering::Relaxed);
                    return Step::Paused(pause);
                }
            };
            let turn = Budget::new(Limits { nodes: Some(granted), ..Limits::default() });
            let step = part.visit(&turn, |path| {
                take(path);
                self.found.store(true, Ordering::Relaxed);
                claimed -= 1;
                if claimed == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            budget.give_back(granted - turn.spent());
            self.unclaimed.fetch_add(claimed, Ordering::Relaxed);
            match step {
                Step::Found | Step::Paused(Pause::Limit(Limit::Nodes)) => {}
                step => return step,
            }
            if self.hungry.load(Ordering::Relaxed)
                && self.found.load(Ordering::Relaxed)
                && let Some(other) = part.split()
            {
                let mut pool = self.lock();
                pool.parts.push(other);
                self.hungry.store(false, Ordering::Relaxed);
                self.changed.notify_all();
            }
        }
    }
}

fn add(sum: EdgeForcingStats, more: EdgeForcingStats) -> EdgeForcingStats {
    EdgeForcingStats {
        nodes: sum.nodes + more.nodes,
        joins: sum.joins + more.joins,
        dead_ends: sum.dead_ends + more.dead_ends,
        restarts: sum.restarts + more.restarts,
        tours: sum.tours + more.tours,
    }
}
