//! [`Account`]: the memory in use by a step. Whoever wants memory asks here before it takes any.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::run::{Budget, Pause};

/// The bytes in use while the tasks of a step are done: what was there before, and the share of each worker.
///
/// A worker reserves what it may take at most, works, and settles for what it has taken. Reserved bytes count as used, so
/// that no two workers take the same ones.
#[derive(Debug)]
pub struct Account<'a> {
    budget: &'a Budget,
    /// Bytes in use or reserved.
    held: AtomicU64,
    /// The most bytes in use when a task was done.
    most: AtomicU64,
    /// The most bytes that were asked for and refused.
    refused: AtomicU64,
}

impl<'a> Account<'a> {
    /// With this many bytes in use.
    pub fn new(budget: &'a Budget, held: u64) -> Account<'a> {
        let [most, refused] = [AtomicU64::new(0), AtomicU64::new(0)];
        Account { budget, held: AtomicU64::new(held), most, refused }
    }

    /// Bytes in use or reserved.
    pub fn in_use(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// The given limit.
    pub fn limit(&self) -> Option<u64> {
        self.budget.memory_limit()
    }

    /// Bytes that there are in all.
    pub fn memory(&self) -> u64 {
        self.budget.memory()
    }

    /// What would be in use if a share grew to this many bytes.
    pub fn with(&self, share: u64, bytes: u64) -> u64 {
        self.in_use() + bytes.saturating_sub(share)
    }

    /// Whether a share may grow to this many bytes.
    pub fn fits(&self, share: u64, bytes: u64) -> bool {
        self.budget.check_memory(self.with(share, bytes)).is_ok()
    }

    /// Lets a share grow to this many bytes, or says how many would be in use then.
    pub fn ask(&self, share: &mut u64, bytes: u64) -> Result<(), u64> {
        let Some(more) = bytes.checked_sub(*share) else { return Ok(()) };
        let total = self.held.fetch_add(more, Ordering::Relaxed) + more;
        if self.budget.check_memory(total).is_err() {
            self.held.fetch_sub(more, Ordering::Relaxed);
            return Err(total);
        }
        *share = bytes;
        Ok(())
    }

    /// The same; a refusal ends the task, and is remembered as what the step needs.
    pub fn reserve(&self, share: &mut u64, bytes: u64) -> Result<(), Pause> {
        self.ask(share, bytes).map_err(|total| self.refuse(total))
    }

    /// The share is this many bytes now: what was reserved beyond that is free again.
    pub fn settle(&self, share: &mut u64, bytes: u64) {
        let before = std::mem::replace(share, bytes);
        if bytes >= before {
            self.held.fetch_add(bytes - before, Ordering::Relaxed);
        } else {
            self.held.fetch_sub(before - bytes, Ordering::Relaxed);
        }
    }

    /// Makes what stays and takes at most this many bytes, if memory is left for it; `make` says what it took.
    pub fn make<T>(&self, most: u64, make: impl FnOnce() -> (T, u64)) -> Option<T> {
        let mut share = 0;
        self.ask(&mut share, most).ok()?;
        let (made, bytes) = make();
        self.settle(&mut share, bytes);
        Some(made)
    }

    /// At the end of a task: what is in use now has been.
    pub fn note(&self) {
        self.most.fetch_max(self.in_use(), Ordering::Relaxed);
    }

    /// This many bytes in use would be too many.
    pub fn refuse(&self, total: u64) -> Pause {
        self.refused.fetch_max(total, Ordering::Relaxed);
        Pause::Limit(crate::run::Limit::Memory)
    }

    /// The most bytes in use when a task was done, and the most that were asked for and refused.
    pub fn most_and_refused(self) -> (u64, u64) {
        (self.most.into_inner(), self.refused.into_inner())
    }
}
