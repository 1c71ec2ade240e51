//! How the states of one group are gathered from their sources, and kept.

use super::block::{Group, StateBlock};
use super::links::Link;
use super::mask::Mask;
use super::ranks::{Cursor, Ranks, SPARE, Straight};
use super::scratch::{Gathering, Lists, Loaded};
use super::state::{MOST_ENDS, Matching, Op, Shape};
use super::tables::Table;
use super::transition::Transition;
use super::weights::{add_limbs, bits_of};
use crate::run::Pause;

/// Ranks that are changed at a time.
const BATCH: usize = 512;
/// Where a group has this many times as many pairings as states come to it, those that occur are marked.
const SPARSE: u128 = 4;

/// One change of ranks.
#[derive(Clone, Copy)]
enum Map<'a> {
    Narrow(&'a [u16]),
    Broad(&'a [u32]),
    Shape(Shape),
}

impl Map<'_> {
    /// Changes each rank.
    fn change(self, ranks: &mut [u32], change: impl FnOnce(Shape, &mut [u32])) {
        match self {
            Map::Narrow(table) => ranks.iter_mut().for_each(|rank| *rank = table[*rank as usize].into()),
            Map::Broad(table) => ranks.iter_mut().for_each(|rank| *rank = table[*rank as usize]),
            Map::Shape(shape) => change(shape, ranks),
        }
    }
}

/// How the states of a group are gathered, and what that takes.
struct Way {
    /// Its pairings, and how many states come to it.
    count: u128,
    entries: u64,
    /// Limbs of a sum, and the most bytes that it is kept in.
    limbs: usize,
    width: usize,
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
    /// Bytes beside those in use, when all states have been gathered and moved to the block.
    fn wanted(&self, gathering: &Gathering) -> u64 {
        let Gathering { lists, loaded, block } = gathering;
        let grown = |to: usize, capacity: usize| if to > capacity { to.max(2 * capacity) } else { 0 };
        let (there, marks) = match self.how {
            How::Table { is_marked: true } => {
                (lists.sums.capacity(), grown(self.count as usize / 64 + 1, lists.marks.capacity()))
            }
            How::Table { .. } => (lists.sums.capacity(), 0),
            How::Pairs | How::List => (0, 0),
        };
        let to_load = (2 * self.to_load).saturating_sub(loaded.bytes());
        self.lists.saturating_sub(8 * there as u64) + 8 * marks as u64 + to_load + self.growth(block)
    }

    /// Bytes by which the block may grow.
    fn growth(&self, block: &StateBlock) -> u64 {
        block.growth(self.count.min(self.entries.into()) as usize, self.width, self.is_wide)
    }
}

impl Transition<'_> {
    /// How the group of a key is gathered from the links to it.
    fn way(&self, key: Mask, links: &[Link]) -> Way {
        let mut entries = 0u64;
        let mut ways = 0u64;
        let mut bits = 0;
        let mut to_load = 0;
        for link in links {
            let source = &self.layer.groups[link.source as usize];
            if self.layer.blocks[source.block as usize].spill.is_some() {
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
        let width = self.arithmetic.most_bits(sum_bits).div_ceil(8) as usize;
        Way { count, entries, limbs, width, how, lists, to_load, is_wide }
    }

    /// Reserves what gathering a group takes; whether the block may grow only when its sources have been let go.
    fn make_room(&self, way: &Way, gathering: &mut Gathering, (share, beside): (&mut u64, u64)) -> Result<bool, Pause> {
        let bytes = |gathering: &Gathering| beside + gathering.bytes() + way.wanted(gathering);
        let mut is_late = false;
        if let Some((_, [most, piece])) = self.spill {
            let is_short = !self.account.fits(*share, bytes(gathering));
            if is_short {
                gathering.release();
            }
            let is_much = || self.account.with(*share, bytes(gathering)) > most;
            if is_short || gathering.block.room_for_states() > piece && is_much() {
                self.write(&mut gathering.block)?;
                self.account.settle(share, beside + gathering.bytes());
            }
            is_late = !self.account.fits(*share, bytes(gathering));
        }
        let growth = if is_late { way.growth(&gathering.block) } else { 0 };
        self.account.reserve(share, bytes(gathering) - growth)?;
        Ok(is_late)
    }

    /// Builds the group of a key from the links to it; `share` is the worker's, of which `beside` bytes are for other things.
    #[inline(never)]
    pub(super) fn gather(
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
        gathering.block.transitions += entries;
        let is_late = self.make_room(&way, gathering, (&mut *share, beside))?;
        let Gathering { lists, loaded, block } = gathering;
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
            let bytes = beside + lists.bytes() + block.capacity() + way.growth(block);
            // The sums must be zeros for the next group.
            self.account.reserve(share, bytes).inspect_err(|_| *lists = Lists::default())?;
        }
        match way.how {
            How::Table { is_marked: true } => self.keep_marked(key, count as usize, lists, block),
            How::Table { .. } if limbs == 1 => self.keep_table(key, count as usize, lists, block),
            How::Table { .. } => keep_long_table(key, &mut lists.sums[..count as usize * limbs], limbs, block),
            How::Pairs => self.keep_pairs(key, lists, block),
            How::List => self.keep_list(key, limbs, lists, block),
        }
        Ok(())
    }

    /// Adds the weights of a source, by their ranks in the target: to sums of this many limbs, `MARKED` or not, or, if that
    /// is none, to the list of pairs.
    fn add_link<const MARKED: bool>(
        &self,
        key: Mask,
        link: &Link,
        (source, block): (&Group, &StateBlock),
        limbs: usize,
        lists: &mut Lists,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let count = source.count;
        // Up to three changes of the ranks in a row: the two vertices and the mirror.
        let mut maps = [Map::Narrow(&[]); 3];
        let (mut changes, mut missing) = (0, 0);
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
        let Lists { batch, unpacked, sums, marks, pairs, pairing, .. } = lists;
        batch.resize(BATCH + SPARE, 0);
        let mut ranks = unpacked.read(link.source, count, block.ranks_of(source));
        let weights = block.weights_of(source);
        let mut from = 0;
        while from < count {
            let upto = count.min(from + BATCH);
            if is_direct {
                for (to, rank) in batch.iter_mut().zip((&mut ranks).take(upto - from)) {
                    let rank = follow(pairing, stored, link, key, rank);
                    *to = rank.map_or(none, |rank| rank as u32);
                }
            } else {
                let maps = read(&mut ranks, batch, upto - from, &maps[..changes]);
                for map in maps {
                    map.change(&mut batch[..upto - from], |shape, ranks| {
                        self.tables.follow(shape, ranks, pairing, self.account);
                    });
                }
            }
            let batch = &batch[..upto - from];
            if MARKED {
                for &rank in batch {
                    marks[rank as usize / 64] |= 1 << (rank % 64);
                }
            }
            let weights = weights.from(from);
            match limbs {
                0 => {
                    let kept = batch.iter().enumerate().filter(|&(_, &rank)| rank != none);
                    pairs.extend(kept.map(|(at, &rank)| (rank, weights.get(at))));
                }
                1 => weights.add_all(batch, sums),
                2 => weights.add_all_long::<2>(batch, sums, none),
                3 => weights.add_all_long::<3>(batch, sums, none),
                4 => weights.add_all_long::<4>(batch, sums, none),
                _ => {
                    for (at, &rank) in batch.iter().enumerate().filter(|&(_, &rank)| rank != none) {
                        weights.add_to(at, &mut sums[rank as usize * limbs..(rank as usize + 1) * limbs]);
                    }
                }
            }
            from = upto;
        }
    }

    /// Moves sums of one limb into the block and leaves zeros.
    fn keep_table(&self, key: Mask, count: usize, lists: &mut Lists, block: &mut StateBlock) {
        // Ranks that cannot be have left something there.
        lists.sums[count] = 0;
        let sums = &mut lists.sums[..count];
        let (mut all, mut kept) = (0, 0);
        self.arithmetic.keep_all(sums);
        for &sum in &*sums {
            all |= sum;
            kept += usize::from(sum != 0);
        }
        if kept == 0 {
            return;
        }
        let mut group = block.begin(key, kept, 64 - all.leading_zeros(), false);
        for (number, some) in sums.chunks_mut(32).enumerate() {
            if some.iter().fold(0, |any, &sum| any | sum) != 0 {
                group.push_some(number * 32, some);
                some.fill(0);
            }
        }
        group.end();
    }

    /// Moves the sums that are marked, of one limb, into the block; leaves zeros and no marks.
    fn keep_marked(&self, key: Mask, count: usize, lists: &mut Lists, block: &mut StateBlock) {
        // Ranks that cannot be have left something there.
        lists.sums[count] = 0;
        lists.marks[count / 64] &= !(1 << (count % 64));
        let (sums, marks) = (&mut lists.sums, &mut lists.marks[..count / 64 + 1]);
        let (mut all, mut kept) = (0, 0);
        each_marked(marks, |rank| {
            sums[rank] = self.arithmetic.kept(sums[rank]);
            all |= sums[rank];
            kept += usize::from(sums[rank] != 0);
        });
        if kept > 0 {
            let mut group = block.begin(key, kept, 64 - all.leading_zeros(), false);
            each_marked(marks, |rank| {
                let sum = std::mem::take(&mut sums[rank]);
                if sum != 0 {
                    group.push(rank as u32, sum);
                }
            });
            group.end();
        }
        marks.fill(0);
    }

    /// Merges the list of pairs into the block.
    fn keep_pairs(&self, key: Mask, lists: &mut Lists, block: &mut StateBlock) {
        let pairs = &mut lists.pairs;
        pairs.sort_unstable_by_key(|pair| pair.0);
        pairs.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
            }
            is_same
        });
        pairs.iter_mut().for_each(|pair| pair.1 = self.arithmetic.kept(pair.1));
        pairs.retain(|pair| pair.1 != 0);
        if !pairs.is_empty() {
            let bits = 64 - pairs.iter().fold(0, |all, pair| all | pair.1).leading_zeros();
            let mut group = block.begin(key, pairs.len(), bits, false);
            pairs.iter().for_each(|&(rank, sum)| group.push(rank, sum));
            group.end();
        }
    }

    /// Lists the weights of a source with their ranks in the target.
    fn list_link(
        &self,
        key: Mask,
        link: &Link,
        (source, block): (&Group, &StateBlock),
        limbs: usize,
        lists: &mut Lists,
    ) {
        let stored = self.layer.keys[link.source as usize];
        let weights = block.weights_of(source);
        for (at, rank) in block.ranks_of(source).take(source.count).enumerate() {
            if let Some(rank) = follow(&mut lists.pairing, stored, link, key, rank) {
                let place = lists.listed.len();
                lists.listed.push((rank, place));
                lists.listed_weights.resize((place + 1) * limbs, 0);
                weights.add_to(at, &mut lists.listed_weights[place * limbs..]);
            }
        }
    }

    /// Merges the list into the block.
    fn keep_list(&self, key: Mask, limbs: usize, lists: &mut Lists, block: &mut StateBlock) {
        let (listed, weights) = (&mut lists.listed, &mut lists.listed_weights);
        listed.sort_unstable();
        // The sum of each rank goes to the first place that has it.
        let mut kept = 0;
        for i in 0..listed.len() {
            let (rank, place) = listed[i];
            if kept > 0 && listed[kept - 1].0 == rank {
                let (to, from) = (listed[kept - 1].1 * limbs, place * limbs);
                let (low, high) = weights.split_at_mut(to.max(from));
                if to < from {
                    add_limbs(&mut low[to..to + limbs], &high[..limbs]);
                } else {
                    add_limbs(&mut high[..limbs], &low[from..from + limbs]);
                }
            } else {
                listed[kept] = (rank, place);
                kept += 1;
            }
        }
        listed.truncate(kept);
        if limbs == 1 {
            self.arithmetic.keep_all(weights);
            listed.retain(|&(_, place)| weights[place] != 0);
        }
        let sum = |place: usize| &weights[place * limbs..(place + 1) * limbs];
        let bits = listed.iter().map(|&(_, place)| bits_of(sum(place))).max().unwrap_or(0);
        if bits > 0 {
            let is_wide = key.ends.count_ones() > self.tuning.narrow_ends;
            let mut group = block.begin(key, listed.len(), bits, is_wide);
            listed.iter().for_each(|&(rank, place)| group.push_long(rank, sum(place)));
            group.end();
        }
    }
}

/// Moves sums of several limbs into the block and leaves zeros.
fn keep_long_table(key: Mask, sums: &mut [u64], limbs: usize, block: &mut StateBlock) {
    let kept = |sum: &&[u64]| sum.iter().any(|&limb| limb != 0);
    let bits = sums.chunks_exact(limbs).map(bits_of).max().unwrap_or(0);
    if bits > 0 {
        let count = sums.chunks_exact(limbs).filter(kept).count();
        let mut group = block.begin(key, count, bits, false);
        let ranks = (0u128..).zip(sums.chunks_exact(limbs));
        ranks.filter(|(_, sum)| kept(sum)).for_each(|(rank, sum)| group.push_long(rank, sum));
        group.end();
    }
    sums.fill(0);
}

/// Reads ranks into the first places of a list, changed by the first map if there is a table for it; what is left are the others.
#[inline]
fn read<'m, 'a>(ranks: &mut Cursor<'_>, to: &mut [u32], count: usize, maps: &'m [Map<'a>]) -> &'m [Map<'a>] {
    if let [first @ (Map::Narrow(_) | Map::Broad(_)), rest @ ..] = maps
        && let Some(straight) = ranks.straight(count)
    {
        let to = to[..count].iter_mut();
        match (first, straight) {
            (Map::Narrow(table), Straight::List(list)) => {
                to.zip(list).for_each(|(to, &rank)| *to = table[rank as usize].into());
            }
            (Map::Broad(table), Straight::List(list)) => {
                to.zip(list).for_each(|(to, &rank)| *to = table[rank as usize]);
            }
            (Map::Narrow(table), Straight::From(from)) => {
                to.zip(&table[from..]).for_each(|(to, &rank)| *to = rank.into())
            }
            (Map::Broad(table), Straight::From(from)) => to.zip(&table[from..]).for_each(|(to, &rank)| *to = rank),
            (Map::Shape(_), _) => {}
        }
        return rest;
    }
    ranks.fill(to, count);
    maps
}

/// Shows the places of the ones of a list of bits.
#[inline]
fn each_marked(marks: &[u64], mut show: impl FnMut(usize)) {
    for (word, &marks) in marks.iter().enumerate() {
        let mut left = marks;
        while left != 0 {
            show(word * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
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
