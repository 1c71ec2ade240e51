//! One step of the sweep: from the states before it to those after it.
//!
//! Each group of the layer to come is built on its own: the weights of its sources ([`Links`](super::links)) are gathered
//! through tables of ranks (`gather.rs`). So no two threads ever write to the same place.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::account::Account;
use super::block::{Group, StateBlock};
use super::layer::Layer;
use super::mask::Mask;
use super::partition::Partition;
use super::plan::{Plan, Step};
use super::scratch::{Loaded, Scratch};
use super::tables::Tables;
use super::weights::Arithmetic;
use crate::run::{Limit, Pause};
use crate::store::{Spill, StoreError};

/// Where the engine changes its way of working. Answers do not depend on it; tests change it to see every way.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// With at most this many pairings, the states of a group are gathered in a table by rank.
    pub dense: u128,
    /// Ranks of pairings of at most this many ends, at most 20, are kept in 32 bits.
    pub narrow_ends: u32,
    /// Weights are kept in at least this many limbs of 64 bits.
    pub least_limbs: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { dense: 1 << 22, narrow_ends: 20, least_limbs: 1 }
    }
}

/// The part of a memory limit that the links to more than one target may take.
const LINKS: u64 = 8;
/// What the tasks of a step share.
#[derive(Debug)]
pub struct Transition<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The step.
    pub step: &'a Step,
    /// The layer before it.
    pub layer: &'a Layer,
    /// The tables of ranks.
    pub tables: &'a Tables,
    /// The way of working.
    pub tuning: Tuning,
    /// What the weights are.
    pub arithmetic: Arithmetic,
    /// The bins of the step after it: what a task writes to disk goes in their order, and each reads few places.
    pub next: Option<Partition<'a>>,
    /// In how many pieces a task hands its states over, in order of the bins of the step after it.
    pub pieces: usize,
    /// The memory in use.
    pub account: &'a Account<'a>,
    /// Where to put states that would take the bytes in use beyond this many, by pieces of this many bytes.
    pub spill: Option<(&'a Arc<Spill>, [u64; 2])>,
    /// What went wrong with a file; then the pause is that of a cancelled run.
    pub fault: &'a Mutex<Option<StoreError>>,
}

impl Transition<'_> {
    /// Builds the groups with these keys, all of a bin.
    pub fn groups(&self, bin: usize, keys: &[Mask], scratch: &mut Scratch) -> Result<Vec<StateBlock>, Pause> {
        let built = self.build(self.layer.bin(bin), keys, scratch).and_then(|()| self.finish(scratch));
        scratch.gathering.loaded.groups.clear();
        scratch.gathering.block.clear();
        self.settle(scratch);
        if built.is_ok() {
            self.account.note();
        }
        built
    }

    fn build(&self, sources: Range<usize>, keys: &[Mask], scratch: &mut Scratch) -> Result<(), Pause> {
        // Targets that differ only where the step looks have the same sources: one after the other,
        // they find them in the cache.
        scratch.targets.clear();
        scratch.gathering.lists.unpacked.begin(self.account.limit());
        // With the index of them.
        let wanted = scratch.bytes() + keys.len() as u64 * (size_of::<Mask>() as u64 + 32);
        self.account.reserve(&mut scratch.share, wanted)?;
        scratch.targets.reserve_exact(keys.len());
        scratch.targets.extend_from_slice(keys);
        let untouched = Mask { ends: self.step.untouched, full: self.step.untouched }.number();
        scratch.targets.sort_unstable_by_key(|key| (key.number() & untouched, key.number()));
        self.load(sources.clone(), scratch)?;
        // Where memory is scarce the links to some of the targets are found at a time.
        let (mut done, mut piece) = (0, keys.len());
        while done < keys.len() {
            let now = done..keys.len().min(done + piece);
            match self.find_links(sources.clone(), now.clone(), scratch) {
                Ok(()) => {
                    self.gather_all(now.clone(), scratch)?;
                    done = now.end;
                }
                Err(_) if now.len() > 1 => piece = now.len().div_ceil(2),
                Err(_) if self.spill.is_some() && scratch.gathering.block.has_states() => {
                    self.write(&mut scratch.gathering.block)?;
                    self.settle(scratch);
                }
                Err(total) => return Err(self.account.refuse(total)),
            }
        }
        Ok(())
    }

    /// The links to some of the targets, or how many bytes would be in use with them.
    fn find_links(&self, sources: Range<usize>, now: Range<usize>, scratch: &mut Scratch) -> Result<(), u64> {
        let targets = &scratch.targets[now];
        scratch.index.set(targets);
        let most = self.account.limit().map_or(u64::MAX, |limit| limit / LINKS);
        let beside = scratch.bytes_for_links() + scratch.gathering.bytes();
        let (index, share) = (&scratch.index, &mut scratch.share);
        let reserve = |bytes: u64| {
            if bytes > most && targets.len() > 1 { Err(u64::MAX) } else { self.account.ask(share, beside + bytes) }
        };
        scratch.links.find((self.plan, self.step), &self.layer.keys, sources, (targets, index), reserve)
    }

    fn gather_all(&self, now: Range<usize>, scratch: &mut Scratch) -> Result<(), Pause> {
        let beside = scratch.bytes_for_links() + scratch.links.bytes();
        for (target, &key) in scratch.targets[now].iter().enumerate() {
            let links = scratch.links.to(target);
            self.gather(key, links, &mut scratch.gathering, (&mut scratch.share, beside))?;
        }
        Ok(())
    }

    /// The block of a task as blocks of its own, on disk if a part of it is there or memory is scarce.
    fn finish(&self, scratch: &mut Scratch) -> Result<Vec<StateBlock>, Pause> {
        self.settle(scratch);
        let block = &mut scratch.gathering.block;
        let copy = block.bytes() + (self.pieces as u64 - 1) * StateBlock::default().bytes();
        if let Some((spill, [most, _])) = self.spill
            && (block.written > 0 || block.states > 1 && self.account.in_use() + copy > most)
        {
            self.sort(block);
            // Without its states and heads it is small.
            self.account.reserve(&mut 0, StateBlock::default().bytes())?;
            return block.take_away(spill).map(|block| vec![block]).map_err(|error| self.fail(error));
        }
        // The copy stays in use when the block is empty again.
        self.account.reserve(&mut 0, copy)?;
        let piece_of = |key| self.next.map_or(0, |next| next.piece(key, self.pieces));
        Ok(block.take_pieces(self.pieces, piece_of))
    }

    /// What a worker has now is its share.
    fn settle(&self, scratch: &mut Scratch) {
        let bytes = scratch.bytes();
        self.account.settle(&mut scratch.share, bytes);
    }

    /// Moves what a block has so far to disk: one task may build more states than there is memory for.
    pub(super) fn write(&self, block: &mut StateBlock) -> Result<(), Pause> {
        if let Some((spill, _)) = self.spill
            && block.has_states()
        {
            self.sort(block);
            block.write(spill).map_err(|error| self.fail(error))?;
        }
        Ok(())
    }

    /// Puts groups in the order in which they are written to disk.
    fn sort(&self, block: &mut StateBlock) {
        if let Some(next) = self.next {
            block.sort(|key| next.order(key));
        }
    }

    fn fail(&self, error: StoreError) -> Pause {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Pause::Limit(Limit::Cancelled)
    }

    /// Reads all states of a bin that are on disk, if there is room enough: else each group is read when it is asked for.
    fn load(&self, sources: Range<usize>, scratch: &mut Scratch) -> Result<(), Pause> {
        if self.spill.is_none() {
            return Ok(());
        }
        // What they become takes about as much, and once more when that is copied. A worker keeps the room.
        let bytes = self.layer.bytes_away(sources.clone());
        let needed = (bytes * 4).saturating_sub(scratch.gathering.loaded.bytes());
        let is_little = bytes > 0 && bytes <= self.account.memory() / 64;
        let wanted = scratch.bytes() + needed;
        if is_little && self.account.ask(&mut scratch.share, wanted).is_ok() {
            self.layer.load(sources, &mut scratch.gathering.loaded).map_err(|error| self.fail(error))?;
        }
        Ok(())
    }

    /// The states of a group of the layer before, read if need be.
    #[inline]
    pub(super) fn source<'s>(
        &'s self,
        number: u32,
        loaded: &'s mut Loaded,
    ) -> Result<(&'s Group, &'s StateBlock), Pause> {
        self.layer.source(number, loaded).map_err(|error| self.fail(error))
    }
}
