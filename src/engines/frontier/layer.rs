//! [`Layer`]: all states between two steps.

use std::ops::Range;
use std::sync::Arc;

use super::block::{self, Group, HEAD, StateBlock};
use super::mask::Mask;
use super::partition::{Partition, Sorting};
use super::scratch::Loaded;
use crate::run::{Budget, Halt};
use crate::store::{Spill, StoreError, Writer};

/// All states between two steps.
///
/// The groups are in order of the bins of the step to come. Where they do not fit the memory they stay on disk, and a
/// portion of the bins is brought in at a time.
#[derive(Debug, Default)]
pub struct Layer {
    /// The keys of the groups at hand.
    pub keys: Vec<Mask>,
    /// The groups at hand.
    pub groups: Vec<Group>,
    /// What holds the states.
    pub blocks: Vec<StateBlock>,
    /// How many states there are.
    pub states: u64,
    /// How many groups there are.
    pub count: u64,
    /// Where each bin begins among the groups at hand, once they are sorted.
    bounds: Vec<usize>,
    sorting: Sorting,
    /// Of so many blocks in a row the states go to as many pieces of the bins, one after another.
    pieces: usize,
    /// In how many portions the groups are brought in, and which one is at hand.
    portions: usize,
    at_hand: Option<usize>,
}

/// Groups that are saved at a time.
const PIECE: usize = 1 << 12;

impl Layer {
    /// Nothing swept: one state, in one way.
    #[must_use]
    pub fn start(first: Mask) -> Layer {
        let mut block = StateBlock::default();
        let mut group = block.begin(first, 1, 1, false);
        group.push(0, 1);
        group.end();
        Layer {
            keys: std::mem::take(&mut block.keys),
            groups: std::mem::take(&mut block.groups),
            blocks: vec![block],
            states: 1,
            count: 1,
            portions: 1,
            pieces: 1,
            at_hand: Some(0),
            ..Layer::default()
        }
    }

    /// The layer of all its blocks, `pieces` from each task. With more than one portion they are on disk.
    pub fn new(mut blocks: Vec<StateBlock>, pieces: usize, portions: usize) -> Result<Layer, StoreError> {
        let count: usize = blocks.iter().map(StateBlock::len).sum();
        let states = blocks.iter().map(|block| block.states).sum();
        let (mut keys, mut groups) = (Vec::new(), Vec::new());
        if portions == 1 {
            (keys, groups) = (Vec::with_capacity(count), Vec::with_capacity(count));
            for (number, block) in blocks.iter_mut().enumerate() {
                block.give_heads(|key, group| {
                    keys.push(key);
                    groups.push(Group { block: number as u32, ..group });
                })?;
            }
        }
        let at_hand = (portions == 1).then_some(0);
        Ok(Layer { keys, groups, blocks, states, count: count as u64, pieces, portions, at_hand, ..Layer::default() })
    }

    /// Bytes that making a layer of these blocks takes for a moment, their own aside.
    #[must_use]
    pub fn bytes_to_assemble(blocks: &[Option<Vec<StateBlock>>], portions: usize) -> u64 {
        blocks.iter().flatten().flatten().map(StateBlock::len).sum::<usize>() as u64 * HEAD / portions as u64
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let heads = self.keys.capacity() * size_of::<Mask>() + self.groups.capacity() * size_of::<Group>();
        (heads + self.bounds.capacity() * 8) as u64 + self.blocks.iter().map(StateBlock::bytes).sum::<u64>()
    }

    /// In how many turns the bins are gone through: a portion is brought in for each, or a piece let go after each.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.portions.max(self.pieces)
    }

    /// The bins of a turn, of this many in all.
    #[must_use]
    pub fn bins(&self, turn: usize, bins: usize) -> Range<usize> {
        bins * turn / self.turns()..bins * (turn + 1) / self.turns()
    }

    /// Lets go of the states of a turn, the last one of those left, if they are in pieces; there are this many bins in all.
    pub fn release(&mut self, turn: usize, bins: usize) {
        if self.pieces == 1 {
            return;
        }
        let left = self.bounds[self.bins(turn, bins).start];
        if left == self.keys.len() {
            // They went before a pause.
            return;
        }
        self.blocks.iter_mut().skip(turn).step_by(self.pieces).for_each(StateBlock::release);
        self.keys.truncate(left);
        self.keys.shrink_to_fit();
        self.groups.truncate(left);
        self.groups.shrink_to_fit();
    }

    /// The groups at hand that are in a bin.
    #[must_use]
    pub fn bin(&self, bin: usize) -> Range<usize> {
        self.bounds[bin]..self.bounds[bin + 1]
    }

    /// Brings in the groups of a turn, in order of their bins; `held` bytes are in use beside the layer's, and
    /// `needed` is told how many are wanted.
    pub fn fetch(
        &mut self,
        turn: usize,
        bins: Partition<'_>,
        (held, needed): (u64, &mut u64),
        budget: &Budget,
    ) -> Result<(), Halt> {
        let portion = if self.portions > 1 { turn } else { 0 };
        if self.at_hand != Some(portion) {
            self.drop_groups();
            // They are spread evenly, by and large.
            let expected = self.count / self.portions as u64 * 5 / 4;
            let others = held + self.bytes();
            *needed = others + expected * HEAD;
            budget.check_memory(*needed)?;
            let range = self.bins(portion, bins.count());
            self.keys.reserve_exact(expected as usize);
            self.groups.reserve_exact(expected as usize);
            let (keys, groups) = (&mut self.keys, &mut self.groups);
            for (number, block) in self.blocks.iter().enumerate() {
                budget.go_on()?;
                if keys.capacity() - keys.len() < block.len() {
                    // The old lists and the new ones side by side.
                    *needed = others + (2 * keys.len() + block.len()) as u64 * HEAD;
                    budget.check_memory(*needed)?;
                    keys.reserve_exact(block.len());
                    groups.reserve_exact(block.len());
                }
                block.each_head(|key, group| {
                    if range.contains(&bins.of(key)) {
                        keys.push(key);
                        groups.push(Group { block: number as u32, ..group });
                    }
                })?;
            }
            self.at_hand = Some(portion);
        }
        if self.bounds.is_empty() {
            let groups = &mut self.groups;
            self.bounds = self.sorting.advance(bins, &mut self.keys, budget, |a, b| groups.swap(a, b))?;
        }
        Ok(())
    }

    fn drop_groups(&mut self) {
        (self.keys, self.groups, self.bounds) = (Vec::new(), Vec::new(), Vec::new());
        (self.sorting, self.at_hand) = (Sorting::default(), None);
    }

    /// Moves all states to disk.
    pub fn spill(&mut self, spill: &Arc<Spill>, budget: &Budget) -> Result<(), Halt> {
        let in_memory = |group: &&Group| self.blocks[group.block as usize].spill.is_none();
        let groups: Vec<&Group> = self.groups.iter().filter(in_memory).collect();
        let states = groups.iter().map(|&group| (group, &self.blocks[group.block as usize]));
        let places = block::write_away(states, spill, || budget.go_on().map_err(Halt::from))?;
        drop(groups);
        let mut places = places.into_iter();
        for group in &mut self.groups {
            if self.blocks[group.block as usize].spill.is_none()
                && let Some(place) = places.next()
            {
                (group.ranks, group.check) = place;
            }
        }
        self.blocks.iter_mut().filter(|block| block.spill.is_none()).for_each(|block| block.forget(spill));
        Ok(())
    }

    /// Whether there is something to move to disk.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.blocks.iter().any(StateBlock::is_in_memory)
    }

    /// Writes the layer to a file; says whether it got to the end, or was cancelled.
    pub fn save(&self, to: &mut Writer, budget: &Budget) -> Result<bool, StoreError> {
        if self.portions > 1 {
            to.number(self.blocks.len() as u64)?;
            for block in &self.blocks {
                if budget.is_cancelled() {
                    return Ok(false);
                }
                block.save(to)?;
            }
            return Ok(true);
        }
        to.number(self.keys.len().div_ceil(PIECE) as u64)?;
        for (keys, groups) in self.keys.chunks(PIECE).zip(self.groups.chunks(PIECE)) {
            if budget.is_cancelled() {
                return Ok(false);
            }
            block::save(keys, groups, 0, |group| &self.blocks[group.block as usize], to)?;
        }
        Ok(true)
    }

    /// Bytes of the states of a range of groups that are on disk.
    #[must_use]
    pub fn bytes_away(&self, range: Range<usize>) -> u64 {
        let groups = self.groups[range].iter();
        groups.filter(|group| self.blocks[group.block as usize].spill.is_some()).map(Group::bytes).sum()
    }

    /// Reads the states of a range of groups, as far as they are on disk.
    pub fn load(&self, range: Range<usize>, loaded: &mut Loaded) -> Result<(), StoreError> {
        let Loaded { bytes, block, first, groups, order, .. } = loaded;
        block.clear();
        groups.clear();
        groups.resize(range.len(), None);
        *first = range.start;
        let group = |&number: &u32| &self.groups[number as usize];
        let is_away = |number: &u32| self.blocks[group(number).block as usize].spill.is_some();
        order.clear();
        order.extend((range.start as u32..range.end as u32).filter(is_away));
        order.sort_unstable_by_key(|number| (group(number).block, group(number).ranks));
        // What lies side by side is read in one go.
        for run in order.chunk_by(|a, b| {
            let (a, b) = (group(a), group(b));
            a.block == b.block && a.ranks as u64 + a.bytes() == b.ranks as u64
        }) {
            let Some(spill) = &self.blocks[group(&run[0]).block as usize].spill else { continue };
            bytes.resize(run.iter().map(|number| group(number).bytes()).sum::<u64>() as usize, 0);
            spill.read_unchecked(bytes, group(&run[0]).ranks as u64)?;
            let mut rest = &bytes[..];
            for number in run {
                let group = group(number);
                let (states, others) = rest.split_at(group.bytes() as usize);
                spill.check(states, group.check)?;
                groups[*number as usize - *first] = Some(block.append(group, states));
                rest = others;
            }
        }
        Ok(())
    }

    /// A group with what holds its states, read if need be.
    #[inline]
    pub fn source<'s>(
        &'s self,
        number: u32,
        loaded: &'s mut Loaded,
    ) -> Result<(&'s Group, &'s StateBlock), StoreError> {
        let group = &self.groups[number as usize];
        let block = &self.blocks[group.block as usize];
        match &block.spill {
            None => Ok((group, block)),
            Some(_) if loaded.group(number).is_some() => {
                let loaded = &*loaded;
                Ok((loaded.group(number).unwrap_or(group), &loaded.block))
            }
            Some(spill) => loaded.read(group, spill),
        }
    }

    /// The weight of the one state of a finished sweep, in limbs of 64 bits.
    pub fn total(&self) -> Result<Vec<u64>, StoreError> {
        if self.groups.is_empty() {
            return Ok(Vec::new());
        }
        let mut loaded = Loaded::default();
        let (group, block) = self.source(0, &mut loaded)?;
        let mut sum = vec![0; group.width().div_ceil(8)];
        block.weights_of(group).add_to(0, &mut sum);
        Ok(sum)
    }
}
