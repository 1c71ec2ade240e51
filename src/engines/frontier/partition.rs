//! [`Partition`]: keys that a step can join lie in the same bin.
//!
//! A step looks at some slots only: those that it sweeps and those of their neighbours. A key before it and one
//! after it can only be joined by it if they agree elsewhere, or if one agrees with the mirror image of the other. So keys are
//! spread over bins by a hash of what the step leaves alone, and each bin is a task that needs nothing of the others.

use super::mask::{Mask, hash};
use super::plan::{Plan, Step};
use crate::run::{Budget, Pause};

/// This many bins for the keys before and after a step.
#[derive(Clone, Copy, Debug)]
pub struct Partition<'a> {
    plan: &'a Plan,
    step: &'a Step,
    count: usize,
}

impl<'a> Partition<'a> {
    /// At least one bin.
    #[must_use]
    pub fn new(plan: &'a Plan, step: usize, count: usize) -> Partition<'a> {
        Partition { plan, step: &plan.steps[step], count: count.max(1) }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bin of a key.
    #[inline]
    #[must_use]
    pub fn of(&self, key: Mask) -> usize {
        // No count of bins comes near 32 bits.
        ((u64::from(self.order(key)) * self.count as u64) >> 32) as usize
    }

    /// Which of some pieces of all bins a key is in, where their number divides that of the bins.
    #[inline]
    #[must_use]
    pub fn piece(&self, key: Mask, pieces: usize) -> usize {
        ((u64::from(self.order(key)) * pieces as u64) >> 32) as usize
    }

    /// A number that rises with the bin of a key, however many bins there are.
    #[inline]
    #[must_use]
    pub fn order(&self, key: Mask) -> u32 {
        let untouched = self.step.untouched;
        let rest = Mask { ends: key.ends & untouched, full: key.full & untouched };
        // The step is its own mirror image, so these are what it leaves alone of the mirror image of the key.
        let hash = hash(if self.plan.is_folded { rest.min(rest.mirrored()) } else { rest });
        (hash >> 32) as u32
    }
}

/// Keys being put in order of their bins: a resumable computation.
#[derive(Debug, Default)]
pub struct Sorting {
    /// How many keys have been counted.
    counted: usize,
    /// Where each bin begins, and where its next key goes.
    bounds: Vec<usize>,
    next: Vec<usize>,
    /// The bin being filled.
    bin: usize,
    /// The bin of each key, where those are few.
    kept: Vec<u32>,
}

/// Keys between two looks at the budget.
const KEYS: usize = 1 << 16;
/// Of this many keys at most the bins are kept while they are sorted: the hash is dearer than the rest.
const FEW: usize = 1 << 14;

impl Sorting {
    /// Bytes that it takes for this many bins.
    #[must_use]
    pub fn bytes(bins: usize) -> u64 {
        (bins * 2 * size_of::<usize>()) as u64
    }

    /// Goes on putting the keys in order; says where each bin begins, and where the last one ends. `swap` changes the places
    /// of what goes along with the keys.
    pub fn advance(
        &mut self,
        bins: Partition<'_>,
        keys: &mut [Mask],
        budget: &Budget,
        mut swap: impl FnMut(usize, usize),
    ) -> Result<Vec<usize>, Pause> {
        if bins.count == 1 {
            return Ok(vec![0, keys.len()]);
        }
        let is_few = keys.len() <= FEW;
        if self.bounds.is_empty() {
            self.bounds = vec![0; bins.count + 1];
        }
        while self.counted < keys.len() {
            budget.take(0)?;
            let upto = keys.len().min(self.counted + KEYS);
            for &key in &keys[self.counted..upto] {
                let bin = bins.of(key);
                self.bounds[bin + 1] += 1;
                if is_few {
                    self.kept.push(bin as u32);
                }
            }
            self.counted = upto;
        }
        if self.next.is_empty() {
            for bin in 0..bins.count {
                self.bounds[bin + 1] += self.bounds[bin];
            }
            self.next = self.bounds.clone();
        }
        let mut looked = 0;
        while self.bin < bins.count {
            let at = self.next[self.bin];
            if at == self.bounds[self.bin + 1] {
                self.bin += 1;
                continue;
            }
            looked += 1;
            if looked % KEYS == 0 {
                budget.take(0)?;
            }
            let bin = if is_few { self.kept[at] as usize } else { bins.of(keys[at]) };
            let to = self.next[bin];
            self.next[bin] += 1;
            if to != at {
                keys.swap(at, to);
                swap(at, to);
                if is_few {
                    self.kept.swap(at, to);
                }
            }
        }
        Ok(std::mem::take(self).bounds)
    }
}
