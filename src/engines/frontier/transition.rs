//! One step of the sweep: from the states before it to those after it.
//!
//! Each group of the layer to come is built on its own: the weights of its sources ([`Links`](super::links)) are gathered
//! through tables of ranks. So no two threads ever write to the same place.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::account::Account;
use super::block::{Group, Ranks, StateBlock};
use super::layer::Layer;
use super::links::Link;
use super::mask::Mask;
use super::partition::Partition;
use super::plan::{Plan, Step};
use super::scratch::{Gathering, Lists, Loaded, Scratch};
use super::state::{MOST_ENDS, Matching, Op, Shape};
use super::tables::{Table, Tables};
use super::weights::{Weights, add_limbs, add_long, bits_of};
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
    /// The memory in use.
    pub account: &'a Account<'a>,
    /// Where to put states that would take the bytes in use beyond this many, by pieces of this many bytes.
    pub spill: Option<(&'a Arc<Spill>, [u64; 2])>,
    /// What went wrong with a file; then the pause is that of a cancelled run.
    pub fault: &'a Mutex<Option<StoreError>>,
}

/// How the states of a group are gathered, and what that takes.
struct Way {
    /// Its pairings, and how many states come to it.
    count: u128,
    entries: u64,
    limbs: usize,
    how: How,
    /// Bytes of the lists that its states are gathered in.
    lists: u64,
    /// Bytes of the largest source that is to be read from disk.
    to_load: u64,
    is_wide: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// In a table by rank; where few ranks occur, those are marked.
    Table { is_marked: bool },
    /// In a list of ranks with weights of one limb.
    Pairs,
    /// In a list of wide ranks, or of long weights.
    List,
}

impl Way {
    /// Bytes beside those in use, when all states have been gathered and moved to the chunk.
    fn wanted(&self, gathering: &Gathering) -> u64 {
        let Gathering { lists, loaded, chunk } = gathering;
        let (there, more) = match self.how {
            How::Table { .. } => (lists.sums.capacity() as u64 * 8, self.kept(lists)),
            How::Pairs | How::List => (0, 0),
        };
        let to_load = (2 * self.to_load).saturating_sub(loaded.bytes());
        self.lists.saturating_sub(there) + more + to_load + self.growth(chunk)
    }

    /// Bytes by which the lists grow in which what is not zero of a table is kept for a moment, and the marks.
    fn kept(&self, lists: &Lists) -> u64 {
        let (kept, marks) = match self.how {
            How::Table { is_marked: true } => {
                (self.count.min(self.entries.into()) as usize, self.count as usize / 64 + 1)
            }
            _ => (BLOCK + 8, 0),
        };
        let grown = |to: usize, capacity: usize| if to > capacity { to.max(2 * capacity) } else { 0 };
        let (ranks, sums) = (grown(kept, lists.kept_ranks.capacity()), grown(kept, lists.kept_sums.capacity()));
        (4 * ranks + 8 * sums + 8 * grown(marks, lists.marks.capacity())) as u64
    }

    /// Bytes by which the chunk may grow.
    fn growth(&self, chunk: &StateBlock) -> u64 {
        chunk.growth(self.count.min(self.entries.into()) as usize, self.limbs, self.is_wide)
    }
}

impl Transition<'_> {
    /// Builds the groups with these keys, all of a bin.
    pub fn groups(&self, bin: usize, keys: &[Mask], scratch: &mut Scratch) -> Result<StateBlock, Pause> {
        let built = self.build(self.layer.bin(bin), keys, scratch).and_then(|()| self.finish(scratch));
        scratch.gathering.loaded.groups.clear();
        scratch.gathering.chunk.clear();
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
                Err(_) if self.spill.is_some() && scratch.gathering.chunk.has_states() => {
                    self.write(&mut scratch.gathering.chunk)?;
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

    /// The chunk of a task as a block of its own, on disk if a part of it is there or memory is scarce.
    fn finish(&self, scratch: &mut Scratch) -> Result<StateBlock, Pause> {
        self.settle(scratch);
        let chunk = &mut scratch.gathering.chunk;
        let copy = chunk.bytes();
        if let Some((spill, [most, _])) = self.spill
            && (chunk.written > 0 || chunk.states > 1 && self.account.in_use() + copy > most)
        {
            self.sort(chunk);
            // Without its states and heads it is small.
            self.account.reserve(&mut 0, StateBlock::default().bytes())?;
            return chunk.take_away(spill).map_err(|error| self.fail(error));
        }
        // The copy stays in use when the chunk is empty again.
        self.account.reserve(&mut 0, copy)?;
        Ok(chunk.take())
    }

    /// What a worker has now is its share.
    fn settle(&self, scratch: &mut Scratch) {
        let bytes = scratch.bytes();
        self.account.settle(&mut scratch.share, bytes);
    }

    /// Moves what a chunk has so far to disk: one task may build more states than there is memory for.
    fn write(&self, chunk: &mut StateBlock) -> Result<(), Pause> {
        if let Some((spill, _)) = self.spill
            && chunk.has_states()
        {
            self.sort(chunk);
            chunk.write(spill).map_err(|error| self.fail(error))?;
        }
        Ok(())
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
    fn source<'s>(&'s self, number: u32, loaded: &'s mut Loaded) -> Result<(&'s Group, &'s StateBlock), Pause> {
        self.layer.source(number, loaded).map_err(|error| self.fail(error))
    }

    /// How the group of a key is gathered from the links to it.
    fn way(&self, key: Mask, links: &[Link]) -> Way {
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
        // A sum of this many weights has at most this many bits: nothing below can overflow.
        let sum_bits = bits + (64 - entries.min(ways).leading_zeros());
        let limbs = (sum_bits.div_ceil(64) as usize).max(self.tuning.least_limbs);
        let count = key.pairings();
        let is_wide = key.ends.count_ones() > self.tuning.narrow_ends;
        let is_short = limbs == 1 && !is_wide;
        let list = entries * if is_short { size_of::<(u32, u64)>() as u64 } else { 48 + 16 * limbs as u64 };
        // Where memory is scarce a long table gives way to a list, if that is shorter.
        let table = (count.min(1 << 40) as u64) * limbs as u64 * 8;
        let is_scarce = self.account.limit().is_some_and(|limit| table > limit / 16) && table > list;
        let is_dense = count <= self.tuning.dense && !is_scarce && (count <= 1 << 14 || entries * 64 >= count as u64);
        let (how, lists) = if is_dense {
            (How::Table { is_marked: limbs == 1 && count > u128::from(entries) * SPARSE }, table)
        } else {
            (if is_short { How::Pairs } else { How::List }, list)
        };
        Way { count, entries, limbs, how, lists, to_load, is_wide }
    }

    /// Reserves what gathering a group takes; whether the chunk may grow only when its sources have been let go.
    fn make_room(&self, way: &Way, gathering: &mut Gathering, (share, beside): (&mut u64, u64)) -> Result<bool, Pause> {
        let bytes = |gathering: &Gathering| beside + gathering.bytes() + way.wanted(gathering);
        let mut is_late = false;
        if let Some((_, [most, piece])) = self.spill {
            let is_short = !self.account.fits(*share, bytes(gathering));
            if is_short {
                gathering.release();
            }
            let is_much = || self.account.with(*share, bytes(gathering)) > most;
            if is_short || gathering.chunk.room_for_states() > piece && is_much() {
                self.write(&mut gathering.chunk)?;
                self.account.settle(share, beside + gathering.bytes());
            }
            is_late = !self.account.fits(*share, bytes(gathering));
        }
        let growth = if is_late { way.growth(&gathering.chunk) } else { 0 };
        self.account.reserve(share, bytes(gathering) - growth)?;
        Ok(is_late)
    }

    /// Builds the group of a key from the links to it; `share` is the worker's, of which `beside` bytes are for other things.
    #[inline(never)]
    fn gather(
        &self,
        key: Mask,
        links: &[Link],
        gathering: &mut Gathering,
        (share, beside): (&mut u64, u64),
    ) -> Result<(), Pause> {
        if links.is_empty() {
            return Ok(());
        }
        if key.ends.count_ones() > MOST_ENDS {
            // Their ranks do not fit 128 bits; the states would not fit any memory.
            return Err(self.account.refuse(u64::MAX));
        }
        let way = self.way(key, links);
        let Way { count, entries, limbs, .. } = way;
        gathering.chunk.transitions += entries;
        let is_late = self.make_room(&way, gathering, (&mut *share, beside))?;
        let Gathering { lists, loaded, chunk } = gathering;
        match way.how {
            How::Table { is_marked } => {
                let size = (count as usize + 1) * limbs;
                if lists.sums.len() < size {
                    lists.sums.reserve_exact(size - lists.sums.len());
                    lists.sums.resize(size, 0);
                }
                if is_marked && lists.marks.len() * 64 < size {
                    lists.marks.resize(size.div_ceil(64), 0);
                }
                for link in links {
                    match self.source(link.source, loaded) {
                        Ok(source) if is_marked => self.add_link::<true>(key, link, source, limbs, lists),
                        Ok(source) => self.add_link::<false>(key, link, source, limbs, lists),
                        Err(why) => {
                            // They must be zeros for the next group.
                            lists.sums.fill(0);
                            lists.marks.fill(0);
                            return Err(why);
                        }
                    }
                }
            }
            How::Pairs => {
                lists.pairs.clear();
                lists.pairs.shrink_to(entries as usize);
                lists.pairs.reserve_exact(entries as usize);
                for link in links {
                    let source = self.source(link.source, loaded)?;
                    self.add_link::<false>(key, link, source, 0, lists);
                }
            }
            How::List => {
                lists.listed.clear();
                lists.listed_weights.clear();
                for link in links {
                    let source = self.source(link.source, loaded)?;
                    self.list_link(key, link, source, limbs, lists);
                }
            }
        }
        if is_late {
            *loaded = Loaded::default();
            let bytes = beside + lists.bytes() + chunk.capacity() + way.growth(chunk);
            // The sums must be zeros for the next group.
            self.account.reserve(share, bytes).inspect_err(|_| *lists = Lists::default())?;
        }
        match way.how {
            How::Table { is_marked: true } => keep_marked(key, count as usize, entries as usize, lists, chunk),
            How::Table { .. } => self.keep_dense(key, count as usize, limbs, lists, chunk),
            How::Pairs => self.keep_pairs(key, lists, chunk),
            How::List => self.keep_listed(key, limbs, lists, chunk),
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
        lists: &mut Lists,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let weights = chunk.weights_of(source);
        let count = source.count;
        // Up to three changes of the ranks in a row: the two vertices and the mirror.
        let mut maps = [Map::Narrow(&[]); 3];
        let mut changes = 0;
        let mut missing = 0;
        for shape in link.shapes(stored.ends).into_iter().flatten() {
            maps[changes] = match self.tables.find(shape, count, self.account) {
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
        let mut block = std::mem::take(&mut lists.block);
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
                    let rank = follow(&mut lists.pairing, stored, link, key, rank);
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
                        Map::Shape(shape) => self.tables.follow(shape, block, &mut lists.pairing, self.account),
                    }
                }
            }
            if MARKED {
                for &rank in &*block {
                    lists.marks[rank as usize / 64] |= 1 << (rank % 64);
                }
            }
            let sums = &mut lists.sums[..];
            match weights {
                weights if limbs == 0 => {
                    for (i, &rank) in (from..).zip(&*block).filter(|&(_, &rank)| rank != none) {
                        let mut weight = [0];
                        weights.add_to(i, &mut weight);
                        lists.pairs.push((rank, weight[0]));
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
        lists.block = block;
    }

    /// Moves the sums into the chunk and leaves zeros.
    fn keep_dense(&self, key: Mask, count: usize, limbs: usize, lists: &mut Lists, chunk: &mut StateBlock) {
        let ranks_from = chunk.ranks.len();
        if limbs == 1 {
            // Ranks that cannot be have left something there.
            lists.sums[count] = 0;
            let (bits, kept) = lists.sums[..count]
                .iter()
                .fold((0, 0), |(bits, kept), &sum| (bits | sum, kept + usize::from(sum != 0)));
            let bits = 64 - bits.leading_zeros();
            if kept > 0 {
                let how = if kept == count { Ranks::All } else { Ranks::Listed };
                let weights = chunk.weights_from(bits);
                self.keep_single(count, bits, how, lists, chunk);
                chunk.add(key, kept, ranks_from, weights, bits, how);
            }
            return;
        }
        let sums = &mut lists.sums[..count * limbs];
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
    fn keep_single(&self, count: usize, bits: u32, how: Ranks, lists: &mut Lists, chunk: &mut StateBlock) {
        let (ranks, kept_sums) = (&mut lists.kept_ranks, &mut lists.kept_sums);
        ranks.resize(ranks.len().max(BLOCK + 8), 0);
        kept_sums.resize(kept_sums.len().max(BLOCK + 8), 0);
        for (block, sums) in lists.sums[..count].chunks_mut(BLOCK).enumerate() {
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
    fn keep_pairs(&self, key: Mask, lists: &mut Lists, chunk: &mut StateBlock) {
        let pairs = &mut lists.pairs;
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
        lists: &mut Lists,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let weights = chunk.weights_of(source);
        for i in 0..source.count {
            let rank = match source.how {
                Ranks::All => i as u128,
                Ranks::Listed => chunk.ranks[source.ranks + i].into(),
                Ranks::Wide => chunk.wide_ranks[source.ranks + i],
            };
            if let Some(rank) = follow(&mut lists.pairing, stored, link, key, rank) {
                let place = lists.listed.len();
                lists.listed.push((rank, place));
                lists.listed_weights.resize((place + 1) * limbs, 0);
                weights.add_to(i, &mut lists.listed_weights[place * limbs..]);
            }
        }
    }

    /// Merges the list into the chunk.
    fn keep_listed(&self, key: Mask, limbs: usize, lists: &mut Lists, chunk: &mut StateBlock) {
        let listed = &mut lists.listed;
        listed.sort_unstable();
        // The sum of each rank goes to the first place that has it.
        let mut kept = 0;
        let mut bits = 0;
        for i in 0..listed.len() {
            let (rank, place) = listed[i];
            if kept > 0 && listed[kept - 1].0 == rank {
                let to = listed[kept - 1].1 * limbs;
                let from = place * limbs;
                let (low, high) = lists.listed_weights.split_at_mut(to.max(from));
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
        let sum = |place: usize| &lists.listed_weights[place * limbs..(place + 1) * limbs];
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
fn keep_marked(key: Mask, count: usize, entries: usize, lists: &mut Lists, chunk: &mut StateBlock) {
    // Ranks that cannot be have left something there.
    lists.sums[count] = 0;
    lists.marks[count / 64] &= !(1 << (count % 64));
    let (ranks, sums) = (&mut lists.kept_ranks, &mut lists.kept_sums);
    let most = ranks.len().max(entries.min(count));
    ranks.resize(most, 0);
    sums.resize(most, 0);
    let (mut all, mut kept) = (0, 0);
    for (word, marks) in lists.marks[..count / 64 + 1].iter_mut().enumerate() {
        let mut left = std::mem::take(marks);
        while left != 0 {
            let rank = word * 64 + left.trailing_zeros() as usize;
            left &= left - 1;
            let sum = std::mem::take(&mut lists.sums[rank]);
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
