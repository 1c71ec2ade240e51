//! One step of the sweep: from the states before it to those after it.
//!
//! Each group of the layer to come is built on its own: the weights of its sources ([`Links`](super::links)) are gathered
//! through tables of ranks. So no two threads ever write to the same place.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::block::{Group, Ranks, StateBlock};
use super::layer::Layer;
use super::links::Link;
use super::mask::Mask;
use super::partition::Partition;
use super::plan::{Plan, Step};
use super::scratch::{Loaded, Scratch};
use super::state::{MOST_ENDS, Matching, Op, Shape};
use super::tables::{Table, Tables};
use super::weights::{Weights, add_limbs, add_long, bits_of};
use crate::run::{Budget, Limit, Pause};
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

/// Ranks treated at a time.
const BLOCK: usize = 512;
/// The part of a memory limit that the links to more than one target may take.
const LINKS: u64 = 8;
/// Where a group has this many times as many pairings as states come to it, those that occur are marked.
const SPARSE: u128 = 4;

/// One change of ranks.
#[derive(Clone, Copy)]
enum Map<'a> {
    Narrow(&'a [u16]),
    Broad(&'a [u32]),
    Shape(Shape),
}

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
    /// The bins of the step after it: what a task writes to disk goes in their order, and each reads few places.
    pub next: Option<Partition<'a>>,
    /// Bytes in use, the tables and what a worker has come to hold since its last task aside.
    pub held: &'a AtomicU64,
    /// The most bytes in use at the end of a task, the tables among them.
    pub most: &'a AtomicU64,
    /// Bytes that were asked for and refused.
    pub refused: &'a AtomicU64,
    /// Where to put states that would take the bytes in use beyond this many, by pieces of this many bytes.
    pub spill: Option<(&'a Arc<Spill>, [u64; 2])>,
    /// What went wrong with a file; then the pause is that of a cancelled run.
    pub fault: &'a Mutex<Option<StoreError>>,
}

impl Transition<'_> {
    /// Builds the groups with these keys, all of a bin.
    pub fn groups(
        &self,
        bin: usize,
        keys: &[Mask],
        budget: &Budget,
        scratch: &mut Scratch,
    ) -> Result<StateBlock, Pause> {
        let sources = self.layer.bin(bin);
        // Targets that differ only where the step looks have the same sources: one after the other,
        // they find them in the cache.
        let mut targets = std::mem::take(&mut scratch.targets);
        targets.clear();
        targets.extend_from_slice(keys);
        let untouched = Mask { ends: self.step.untouched, full: self.step.untouched }.number();
        targets.sort_unstable_by_key(|key| (key.number() & untouched, key.number()));
        let mut links = std::mem::take(&mut scratch.links);
        let mut chunk = std::mem::take(&mut scratch.chunk);
        let mut loaded = std::mem::take(&mut scratch.loaded);
        let mut result = self.load(sources.clone(), budget, &mut loaded);
        // Where memory is scarce the links to some of the targets are found at a time.
        let mut rest = &targets[..];
        let mut piece = rest.len();
        while result.is_ok() && !rest.is_empty() {
            let now = &rest[..piece.min(rest.len())];
            scratch.index.set(now);
            // Taken from the worker's memory for now, they count as part of it.
            let own = (targets.capacity() * size_of::<Mask>()) as u64;
            scratch.lent = links.bytes() + own;
            let grown = (scratch.bytes() + loaded.bytes() + chunk.capacity()).saturating_sub(scratch.counted);
            let beside =
                (self.held.load(Ordering::Relaxed) + self.tables.bytes() + grown).saturating_sub(links.bytes());
            let room = budget.memory_limit().map_or(u64::MAX, |limit| {
                let room = limit.saturating_sub(beside);
                if now.len() > 1 { room.min(limit / LINKS) } else { room }
            });
            let found = (self.plan, self.step);
            match links.find(found, &self.layer.keys, sources.clone(), (now, &scratch.index), room) {
                Ok(()) => {
                    scratch.lent = links.bytes() + own;
                    let mut now = now.iter().enumerate();
                    result = now.try_for_each(|(target, &key)| {
                        self.gather(key, links.to(target), budget, scratch, &mut loaded, &mut chunk)
                    });
                    rest = &rest[piece.min(rest.len())..];
                }
                Err(_) if now.len() > 1 => piece = now.len().div_ceil(2),
                Err(_) if self.spill.is_some() && chunk.written < chunk.len() => {
                    result = self.write(&mut chunk, scratch, loaded.bytes());
                }
                Err(wanted) => {
                    self.refused.fetch_max(beside + wanted, Ordering::Relaxed);
                    result = Err(Pause::Limit(Limit::Memory));
                }
            }
        }
        loaded.groups.clear();
        (scratch.links, scratch.loaded, scratch.targets, scratch.lent) = (links, loaded, targets, 0);
        self.count(scratch, chunk.capacity());
        // Before they are checked, so that no two tasks take the same bytes.
        let taken = chunk.bytes();
        let held = self.held.fetch_add(taken, Ordering::Relaxed) + taken;
        let total = held + self.tables.bytes();
        let done = match (result, self.spill) {
            (Ok(()), Some((spill, [most, _]))) if chunk.written > 0 || chunk.states > 1 && held > most => {
                self.sort(&mut chunk);
                chunk.take_away(spill).map_err(|error| self.fail(error))
            }
            (Ok(()), _) => self.check(total, budget).map(|()| chunk.take()),
            (Err(why), _) => Err(why),
        };
        let kept = done.as_ref().map_or(0, StateBlock::bytes);
        self.held.fetch_sub(taken - kept, Ordering::Relaxed);
        if done.is_ok() {
            self.most.fetch_max(total - (taken - kept), Ordering::Relaxed);
        }
        chunk.clear();
        self.count(scratch, chunk.capacity());
        scratch.chunk = chunk;
        done
    }

    /// Counts what a worker has now as in use, with this many bytes that are elsewhere for the moment.
    fn count(&self, scratch: &mut Scratch, lent: u64) {
        let now = scratch.bytes() + lent;
        let before = std::mem::replace(&mut scratch.counted, now);
        if scratch.counted >= before {
            self.held.fetch_add(scratch.counted - before, Ordering::Relaxed);
        } else {
            self.held.fetch_sub(before - scratch.counted, Ordering::Relaxed);
        }
    }

    /// Moves what a chunk has so far to disk: one task may build more states than there is memory for.
    fn write(&self, chunk: &mut StateBlock, scratch: &mut Scratch, lent: u64) -> Result<(), Pause> {
        if let Some((spill, _)) = self.spill
            && chunk.written < chunk.len()
        {
            self.sort(chunk);
            chunk.write(spill).map_err(|error| self.fail(error))?;
        }
        self.count(scratch, lent + chunk.capacity());
        Ok(())
    }

    /// Bytes in use, with what this worker has come to hold since its last task.
    fn in_use(&self, scratch: &Scratch, loaded: &Loaded, chunk: &StateBlock) -> u64 {
        let grown = (scratch.bytes() + loaded.bytes() + chunk.capacity()).saturating_sub(scratch.counted);
        self.held.load(Ordering::Relaxed) + self.tables.bytes() + grown
    }

    fn check(&self, total: u64, budget: &Budget) -> Result<(), Pause> {
        budget.check_memory(total).inspect_err(|_| {
            self.refused.fetch_max(total, Ordering::Relaxed);
        })
    }

    /// When the sources of a group have been read: lets go of them, so that the chunk may grow by this many bytes.
    #[cold]
    fn let_go(
        &self,
        growth: u64,
        scratch: &mut Scratch,
        loaded: &mut Loaded,
        chunk: &StateBlock,
        budget: &Budget,
    ) -> Result<(), Pause> {
        *loaded = Loaded::default();
        let total = self.in_use(scratch, loaded, chunk) + growth;
        // The sums must be zeros for the next group.
        self.check(total, budget).inspect_err(|_| scratch.release())
    }

    /// Puts groups in the order in which they are written to disk.
    fn sort(&self, chunk: &mut StateBlock) {
        if let Some(next) = self.next {
            chunk.sort(|key| next.order(key));
        }
    }

    fn fail(&self, error: StoreError) -> Pause {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Pause::Limit(Limit::Cancelled)
    }

    /// Reads all states of a bin that are on disk, if there is room enough: else each group is read when it is asked for.
    fn load(&self, sources: Range<usize>, budget: &Budget, loaded: &mut Loaded) -> Result<(), Pause> {
        if self.spill.is_none() {
            return Ok(());
        }
        // What they become takes about as much, and once more when that is copied. A worker keeps the room.
        let bytes = self.layer.bytes_away(sources.clone());
        let needed = (bytes * 4).saturating_sub(loaded.bytes());
        let held = self.held.load(Ordering::Relaxed) + self.tables.bytes();
        if bytes == 0 || held + needed > budget.memory() || bytes > budget.memory() / 64 {
            return Ok(());
        }
        self.layer.load(sources, loaded).map_err(|error| self.fail(error))
    }

    /// The states of a group of the layer before, read if need be.
    #[inline]
    fn source<'s>(&'s self, number: u32, loaded: &'s mut Loaded) -> Result<(&'s Group, &'s StateBlock), Pause> {
        self.layer.source(number, loaded).map_err(|error| self.fail(error))
    }

    /// Builds the group of a key from the links to it.
    #[inline(never)]
    fn gather(
        &self,
        key: Mask,
        links: &[Link],
        budget: &Budget,
        scratch: &mut Scratch,
        loaded: &mut Loaded,
        chunk: &mut StateBlock,
    ) -> Result<(), Pause> {
        if links.is_empty() {
            return Ok(());
        }
        if key.ends.count_ones() > MOST_ENDS {
            // Their ranks do not fit 128 bits; the states would not fit any memory.
            self.refused.fetch_max(u64::MAX, Ordering::Relaxed);
            return Err(Pause::Limit(Limit::Memory));
        }
        let mut entries = 0u64;
        let mut ways = 0u64;
        let mut bits = 0;
        let mut to_load = 0;
        for link in links {
            let source = &self.layer.groups[link.source as usize];
            if self.layer.chunks[source.chunk as usize].spill.is_some() {
                to_load = to_load.max(source.bytes());
            }
            entries += source.count as u64;
            bits = bits.max(source.bits);
            // Only a join takes several ranks to one: as many as there are pairs to have been cut, in two ways.
            let [middle, pushed] = link.ends_after(self.layer.keys[link.source as usize].ends);
            ways += join_ways(link.ops[0], middle) * join_ways(link.ops[1], pushed);
        }
        chunk.transitions += entries;
        // A sum of this many weights has at most this many bits: nothing below can overflow.
        let sum_bits = bits + (64 - entries.min(ways).leading_zeros());
        let limbs = (sum_bits.div_ceil(64) as usize).max(self.tuning.least_limbs);
        let count = key.pairings();
        let is_wide = key.ends.count_ones() > self.tuning.narrow_ends;
        let is_short = limbs == 1 && !is_wide;
        let entry = if is_short { size_of::<(u32, u64)>() as u64 } else { 48 + 16 * limbs as u64 };
        // Where memory is scarce a long table gives way to a list, if that is shorter.
        let table = (count.min(1 << 40) as u64) * limbs as u64 * 8;
        let is_scarce = budget.memory_limit().is_some_and(|limit| table > limit / 16) && table > entries * entry;
        let is_dense = count <= self.tuning.dense && !is_scarce && (count <= 1 << 14 || entries * 64 >= count as u64);
        let growth = |chunk: &StateBlock| chunk.growth((count.min(entries.into())) as usize, limbs, is_wide);
        let all = |scratch: &Scratch, loaded: &Loaded, chunk: &StateBlock| {
            let sums = (count.min(1 << 40) as u64 * limbs as u64).saturating_sub(scratch.sums.capacity() as u64) * 8;
            let wanted = if is_dense { sums } else { entries * entry } + growth(chunk);
            self.in_use(scratch, loaded, chunk) + wanted + (2 * to_load).saturating_sub(loaded.bytes())
        };
        let mut total = all(scratch, loaded, chunk);
        let mut is_late = false;
        if let Some((_, [most, piece])) = self.spill {
            let is_short = budget.check_memory(total).is_err();
            if is_short {
                scratch.release();
                *loaded = Loaded::default();
            }
            if is_short || total > most && chunk.room_for_states() > piece {
                self.write(chunk, scratch, loaded.bytes())?;
                total = all(scratch, loaded, chunk);
            }
            // Where all at once is too much, what is read goes before the chunk grows.
            is_late = budget.check_memory(total).is_err();
        }
        self.check(if is_late { total - growth(chunk) } else { total }, budget)?;
        scratch.room = budget.memory_limit().map_or(u64::MAX, |limit| limit.saturating_sub(total));
        if is_dense {
            let size = (count as usize + 1) * limbs;
            if scratch.sums.len() < size {
                scratch.sums.reserve_exact(size - scratch.sums.len());
                scratch.sums.resize(size, 0);
            }
            let is_sparse = limbs == 1 && count > u128::from(entries) * SPARSE;
            if is_sparse && scratch.marks.len() * 64 < size {
                scratch.marks.resize(size.div_ceil(64), 0);
            }
            for link in links {
                match self.source(link.source, loaded) {
                    Ok(source) if is_sparse => self.add_link::<true>(key, link, source, limbs, scratch),
                    Ok(source) => self.add_link::<false>(key, link, source, limbs, scratch),
                    Err(why) => {
                        // They must be zeros for the next group.
                        scratch.sums.fill(0);
                        scratch.marks.fill(0);
                        return Err(why);
                    }
                }
            }
            if is_late {
                self.let_go(growth(chunk), scratch, loaded, chunk, budget)?;
            }
            if is_sparse {
                keep_marked(key, count as usize, entries as usize, scratch, chunk);
            } else {
                self.keep_dense(key, count as usize, limbs, scratch, chunk);
            }
        } else if is_short {
            scratch.pairs.clear();
            scratch.pairs.shrink_to(entries as usize);
            scratch.pairs.reserve_exact(entries as usize);
            for link in links {
                let source = self.source(link.source, loaded)?;
                self.add_link::<false>(key, link, source, 0, scratch);
            }
            if is_late {
                self.let_go(growth(chunk), scratch, loaded, chunk, budget)?;
            }
            self.keep_pairs(key, scratch, chunk);
        } else {
            scratch.listed.clear();
            scratch.listed_weights.clear();
            for link in links {
                let source = self.source(link.source, loaded)?;
                self.list_link(key, link, source, limbs, scratch);
            }
            if is_late {
                self.let_go(growth(chunk), scratch, loaded, chunk, budget)?;
            }
            self.keep_listed(key, limbs, scratch, chunk);
        }
        Ok(())
    }

    /// Adds the weights of a source, by their ranks in the target: to sums of this many limbs, `MARKED` or not, or, if that
    /// is none, to the list of pairs.
    fn add_link<const MARKED: bool>(
        &self,
        key: Mask,
        link: &Link,
        (source, chunk): (&Group, &StateBlock),
        limbs: usize,
        scratch: &mut Scratch,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let weights = chunk.weights_of(source);
        let count = source.count;
        // Up to three changes of the ranks in a row: the two vertices and the mirror.
        let mut maps = [Map::Narrow(&[]); 3];
        let mut changes = 0;
        let mut missing = 0;
        for shape in link.shapes(stored.ends).into_iter().flatten() {
            maps[changes] = match self.tables.find(shape, count, scratch.room) {
                Some(Table::Narrow(table)) => Map::Narrow(table),
                Some(Table::Broad(table)) => Map::Broad(table),
                None => {
                    missing += 1;
                    Map::Shape(shape)
                }
            };
            changes += 1;
        }
        let is_direct = source.how == Ranks::Wide || {
            let [middle, pushed] = link.ends_after(stored.ends);
            let most = stored.ends.count_ones().max(middle.count_ones()).max(pushed.count_ones());
            // One way through the pairing itself is as dear as one change of the ranks without a table.
            most > self.tuning.narrow_ends || (missing > 0 && (count < 64 || most < 14))
        };
        let none = key.pairings() as u32;
        let mut block = std::mem::take(&mut scratch.block);
        block.resize(BLOCK, 0);
        let mut from = 0;
        while from < count {
            let upto = count.min(from + BLOCK);
            let block = &mut block[..upto - from];
            if is_direct {
                for (to, i) in block.iter_mut().zip(from..upto) {
                    let rank = match source.how {
                        Ranks::All => i as u128,
                        Ranks::Listed => chunk.ranks[source.ranks + i].into(),
                        Ranks::Wide => chunk.wide_ranks[source.ranks + i],
                    };
                    let rank = follow(&mut scratch.pairing, stored, link, key, rank);
                    *to = rank.map_or(none, |rank| rank as u32);
                }
            } else {
                let maps = match source.how {
                    Ranks::All => read_all(block, from, &maps[..changes]),
                    _ => read_listed(block, &chunk.ranks[source.ranks + from..source.ranks + upto], &maps[..changes]),
                };
                for &map in maps {
                    match map {
                        Map::Narrow(table) => block.iter_mut().for_each(|rank| *rank = table[*rank as usize].into()),
                        Map::Broad(table) => block.iter_mut().for_each(|rank| *rank = table[*rank as usize]),
                        Map::Shape(shape) => self.tables.follow(shape, block, &mut scratch.pairing, scratch.room),
                    }
                }
            }
            if MARKED {
                for &rank in &*block {
                    scratch.marks[rank as usize / 64] |= 1 << (rank % 64);
                }
            }
            let sums = &mut scratch.sums[..];
            match weights {
                weights if limbs == 0 => {
                    for (i, &rank) in (from..).zip(&*block).filter(|&(_, &rank)| rank != none) {
                        let mut weight = [0];
                        weights.add_to(i, &mut weight);
                        scratch.pairs.push((rank, weight[0]));
                    }
                }
                Weights::Short(weights) if limbs == 1 => {
                    for (&rank, &weight) in block.iter().zip(&weights[from..upto]) {
                        sums[rank as usize] += u64::from(weight);
                    }
                }
                Weights::Single(weights) if limbs == 1 => {
                    for (&rank, &weight) in block.iter().zip(&weights[from..upto]) {
                        sums[rank as usize] = sums[rank as usize].wrapping_add(weight);
                    }
                }
                weights => match limbs {
                    2 => add_long::<2>(sums, block, weights, from, none),
                    3 => add_long::<3>(sums, block, weights, from, none),
                    4 => add_long::<4>(sums, block, weights, from, none),
                    _ => {
                        for (i, &rank) in block.iter().enumerate().filter(|(_, rank)| **rank != none) {
                            weights.add_to(from + i, &mut sums[rank as usize * limbs..(rank as usize + 1) * limbs]);
                        }
                    }
                },
            }
            from = upto;
        }
        scratch.block = block;
    }

    /// Moves the sums into the chunk and leaves zeros.
    fn keep_dense(&self, key: Mask, count: usize, limbs: usize, scratch: &mut Scratch, chunk: &mut StateBlock) {
        let ranks_from = chunk.ranks.len();
        if limbs == 1 {
            // Ranks that cannot be have left something there.
            scratch.sums[count] = 0;
            let (bits, kept) = scratch.sums[..count]
                .iter()
                .fold((0, 0), |(bits, kept), &sum| (bits | sum, kept + usize::from(sum != 0)));
            let bits = 64 - bits.leading_zeros();
            if kept > 0 {
                let how = if kept == count { Ranks::All } else { Ranks::Listed };
                let weights = chunk.weights_from(bits);
                self.keep_single(count, bits, how, scratch, chunk);
                chunk.add(key, kept, ranks_from, weights, bits, how);
            }
            return;
        }
        let sums = &mut scratch.sums[..count * limbs];
        let is_used = |sum: &[u64]| sum.iter().any(|&limb| limb != 0);
        let bits = sums.chunks_exact(limbs).map(bits_of).max().unwrap_or(0);
        let kept = sums.chunks_exact(limbs).filter(|sum| is_used(sum)).count();
        if kept > 0 {
            let how = if kept == count { Ranks::All } else { Ranks::Listed };
            let weights_from = chunk.weights_from(bits);
            for (rank, sum) in sums.chunks_exact(limbs).enumerate().filter(|(_, sum)| is_used(sum)) {
                if how == Ranks::Listed {
                    chunk.ranks.push(rank as u32);
                }
                chunk.push_weight(sum, bits);
            }
            chunk.add(key, kept, ranks_from, weights_from, bits, how);
        }
        sums.fill(0);
    }

    /// Moves sums of one limb, block by block.
    fn keep_single(&self, count: usize, bits: u32, how: Ranks, scratch: &mut Scratch, chunk: &mut StateBlock) {
        let (ranks, kept_sums) = (&mut scratch.kept_ranks, &mut scratch.kept_sums);
        ranks.resize(ranks.len().max(BLOCK + 8), 0);
        kept_sums.resize(kept_sums.len().max(BLOCK + 8), 0);
        for (block, sums) in scratch.sums[..count].chunks_mut(BLOCK).enumerate() {
            let mut kept = 0;
            for (at, some) in sums.chunks(8).enumerate() {
                if some.iter().fold(0, |any, &sum| any | sum) == 0 {
                    continue;
                }
                for (i, &sum) in some.iter().enumerate() {
                    ranks[kept] = (block * BLOCK + at * 8 + i) as u32;
                    kept_sums[kept] = sum;
                    kept += usize::from(sum != 0);
                }
            }
            if kept == 0 {
                continue;
            }
            sums.fill(0);
            if how == Ranks::Listed {
                chunk.ranks.extend_from_slice(&ranks[..kept]);
            }
            if bits <= 32 {
                chunk.short_weights.extend(kept_sums[..kept].iter().map(|&sum| sum as u32));
            } else {
                chunk.weights.extend_from_slice(&kept_sums[..kept]);
            }
        }
    }

    /// Merges the list of pairs into the chunk.
    fn keep_pairs(&self, key: Mask, scratch: &mut Scratch, chunk: &mut StateBlock) {
        let pairs = &mut scratch.pairs;
        pairs.sort_unstable_by_key(|pair| pair.0);
        pairs.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
            }
            is_same
        });
        if pairs.is_empty() {
            return;
        }
        let bits = 64 - pairs.iter().fold(0, |all, pair| all | pair.1).leading_zeros();
        let (ranks, weights) = (chunk.ranks.len(), chunk.weights_from(bits));
        chunk.ranks.extend(pairs.iter().map(|pair| pair.0));
        pairs.iter().for_each(|pair| chunk.push_weight(&[pair.1], bits));
        chunk.add(key, pairs.len(), ranks, weights, bits, Ranks::Listed);
    }

    /// Lists the weights of a source with their ranks in the target.
    fn list_link(
        &self,
        key: Mask,
        link: &Link,
        (source, chunk): (&Group, &StateBlock),
        limbs: usize,
        scratch: &mut Scratch,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let weights = chunk.weights_of(source);
        for i in 0..source.count {
            let rank = match source.how {
                Ranks::All => i as u128,
                Ranks::Listed => chunk.ranks[source.ranks + i].into(),
                Ranks::Wide => chunk.wide_ranks[source.ranks + i],
            };
            if let Some(rank) = follow(&mut scratch.pairing, stored, link, key, rank) {
                let place = scratch.listed.len();
                scratch.listed.push((rank, place));
                scratch.listed_weights.resize((place + 1) * limbs, 0);
                weights.add_to(i, &mut scratch.listed_weights[place * limbs..]);
            }
        }
    }

    /// Merges the list into the chunk.
    fn keep_listed(&self, key: Mask, limbs: usize, scratch: &mut Scratch, chunk: &mut StateBlock) {
        let listed = &mut scratch.listed;
        listed.sort_unstable();
        // The sum of each rank goes to the first place that has it.
        let mut kept = 0;
        let mut bits = 0;
        for i in 0..listed.len() {
            let (rank, place) = listed[i];
            if kept > 0 && listed[kept - 1].0 == rank {
                let to = listed[kept - 1].1 * limbs;
                let from = place * limbs;
                let (low, high) = scratch.listed_weights.split_at_mut(to.max(from));
                let (to, from) = if to < from {
                    (&mut low[to..to + limbs], &high[..limbs])
                } else {
                    (&mut high[..limbs], &low[from..from + limbs])
                };
                add_limbs(to, from);
            } else {
                listed[kept] = (rank, place);
                kept += 1;
            }
        }
        listed.truncate(kept);
        if kept == 0 {
            return;
        }
        let sum = |place: usize| &scratch.listed_weights[place * limbs..(place + 1) * limbs];
        for &(_, place) in listed.iter() {
            bits = bits.max(bits_of(sum(place)));
        }
        let is_wide = key.ends.count_ones() > self.tuning.narrow_ends;
        let ranks_from = if is_wide { chunk.wide_ranks.len() } else { chunk.ranks.len() };
        let weights_from = chunk.weights_from(bits);
        for &(rank, place) in listed.iter() {
            if is_wide {
                chunk.wide_ranks.push(rank);
            } else {
                chunk.ranks.push(rank as u32);
            }
            chunk.push_weight(sum(place), bits);
        }
        let how = if is_wide { Ranks::Wide } else { Ranks::Listed };
        chunk.add(key, kept, ranks_from, weights_from, bits, how);
    }
}

/// Puts the ranks from one on into the block, changed by the first map; what is left are the others.
#[inline]
fn read_all<'m, 'a>(block: &mut [u32], from: usize, maps: &'m [Map<'a>]) -> &'m [Map<'a>] {
    match maps {
        [Map::Narrow(table), rest @ ..] => {
            block.iter_mut().zip(&table[from..]).for_each(|(to, &rank)| *to = rank.into());
            rest
        }
        [Map::Broad(table), rest @ ..] => {
            block.iter_mut().zip(&table[from..]).for_each(|(to, &rank)| *to = rank);
            rest
        }
        all => {
            block.iter_mut().zip(from as u32..).for_each(|(to, rank)| *to = rank);
            all
        }
    }
}

/// Puts ranks into the block, changed by the first map; what is left are the others.
#[inline]
fn read_listed<'m, 'a>(block: &mut [u32], ranks: &[u32], maps: &'m [Map<'a>]) -> &'m [Map<'a>] {
    match maps {
        [Map::Narrow(table), rest @ ..] => {
            block.iter_mut().zip(ranks).for_each(|(to, &rank)| *to = table[rank as usize].into());
            rest
        }
        [Map::Broad(table), rest @ ..] => {
            block.iter_mut().zip(ranks).for_each(|(to, &rank)| *to = table[rank as usize]);
            rest
        }
        all => {
            block.copy_from_slice(ranks);
            all
        }
    }
}

/// Moves the sums that are marked, of one limb and at most this many, into the chunk; leaves zeros and no marks.
fn keep_marked(key: Mask, count: usize, entries: usize, scratch: &mut Scratch, chunk: &mut StateBlock) {
    // Ranks that cannot be have left something there.
    scratch.sums[count] = 0;
    scratch.marks[count / 64] &= !(1 << (count % 64));
    let (ranks, sums) = (&mut scratch.kept_ranks, &mut scratch.kept_sums);
    let most = ranks.len().max(entries.min(count));
    ranks.resize(most, 0);
    sums.resize(most, 0);
    let (mut all, mut kept) = (0, 0);
    for (word, marks) in scratch.marks[..count / 64 + 1].iter_mut().enumerate() {
        let mut left = std::mem::take(marks);
        while left != 0 {
            let rank = word * 64 + left.trailing_zeros() as usize;
            left &= left - 1;
            let sum = std::mem::take(&mut scratch.sums[rank]);
            all |= sum;
            ranks[kept] = rank as u32;
            sums[kept] = sum;
            kept += 1;
        }
    }
    if kept == 0 {
        return;
    }
    let (ranks, sums) = (&ranks[..kept], &sums[..kept]);
    let bits = 64 - all.leading_zeros();
    let how = if kept == count { Ranks::All } else { Ranks::Listed };
    let (ranks_from, weights) = (chunk.ranks.len(), chunk.weights_from(bits));
    if how == Ranks::Listed {
        chunk.ranks.extend_from_slice(ranks);
    }
    if bits <= 32 {
        chunk.short_weights.extend(sums.iter().map(|&sum| sum as u32));
    } else {
        chunk.weights.extend_from_slice(sums);
    }
    chunk.add(key, kept, ranks_from, weights, bits, how);
}

/// How many pairings an op may take to one.
fn join_ways(op: Op, after: u64) -> u64 {
    match op {
        Op::Join(..) => u64::from(after.count_ones()).max(1),
        _ => 1,
    }
}

/// The rank in the target of a state of the source, without tables.
fn follow(pairing: &mut Matching, stored: Mask, link: &Link, target: Mask, rank: u128) -> Option<u128> {
    let [middle, pushed] = link.ends_after(stored.ends);
    pairing.set(stored.ends, rank);
    if !pairing.apply(link.ops[0], middle == 0) || !pairing.apply(link.ops[1], pushed == 0) {
        return None;
    }
    if link.is_mirrored {
        *pairing = pairing.mirrored(pushed);
    }
    Some(pairing.rank(target.ends))
}
