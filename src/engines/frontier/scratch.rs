//! [`Scratch`]: what a worker keeps from one task to the next.

use super::block::{Group, StateBlock};
use super::links::Links;
use super::mask::Mask;
use super::ranks::Unpacked;
use super::reachable::Index;
use super::state::Matching;
use crate::store::{Spill, StoreError};

/// A worker's own memory.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The keys to build groups of, in turn.
    pub targets: Vec<Mask>,
    /// The index of them.
    pub index: Index,
    /// The ways to come to them.
    pub links: Links,
    pub gathering: Gathering,
    /// Bytes of all this that count as in use.
    pub share: u64,
}

/// What the states of a group are gathered with.
#[derive(Debug, Default)]
pub struct Gathering {
    pub lists: Lists,
    /// What was read of the layer before.
    pub loaded: Loaded,
    /// Where the groups of a task grow.
    pub block: StateBlock,
}

/// Lists for the weights of a group.
#[derive(Debug, Default)]
pub struct Lists {
    /// Weights by rank, all zero between two groups.
    pub sums: Vec<u64>,
    /// A bit for each, where they are few; all zero between two groups.
    pub marks: Vec<u64>,
    /// Ranks of the sources.
    pub unpacked: Unpacked,
    /// Ranks that are changed at a time.
    pub batch: Vec<u32>,
    /// Ranks with their weights, for groups that are not gathered by rank.
    pub pairs: Vec<(u32, u64)>,
    /// Where that is too narrow: ranks with the place of their weights, for groups that are not gathered by rank.
    pub listed: Vec<(u128, usize)>,
    pub listed_weights: Vec<u64>,
    pub pairing: Matching,
}

/// The states of a group, or of all groups of a bin, that were read from disk.
#[derive(Debug, Default)]
pub struct Loaded {
    /// As they were written.
    pub bytes: Vec<u8>,
    /// The states.
    pub block: StateBlock,
    /// The group of them.
    group: Option<Group>,
    /// The number of the first group of the bin, and where the states of each are now; none of those that were in memory.
    pub first: usize,
    pub groups: Vec<Option<Group>>,
    /// The numbers of those that are read, in order of their places.
    pub order: Vec<u32>,
}

impl Loaded {
    /// The states of a group, if they were read with those of the bin.
    #[inline]
    #[must_use]
    pub fn group(&self, number: u32) -> Option<&Group> {
        self.groups.get((number as usize).wrapping_sub(self.first))?.as_ref()
    }

    /// Reads the states of a group.
    #[cold]
    pub fn read(&mut self, group: &Group, spill: &Spill) -> Result<(&Group, &StateBlock), StoreError> {
        self.bytes.resize(group.bytes() as usize, 0);
        spill.read(&mut self.bytes, group.ranks as u64, group.check)?;
        self.block.clear();
        let group = self.block.append(group, &self.bytes);
        Ok((self.group.insert(group), &self.block))
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let groups = self.groups.capacity() * size_of::<Option<Group>>() + self.order.capacity() * 4;
        self.bytes.capacity() as u64 + self.block.capacity() + groups as u64
    }
}

impl Scratch {
    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes_for_links() + self.links.bytes() + self.gathering.bytes()
    }

    /// Bytes of what links are found with.
    #[must_use]
    pub fn bytes_for_links(&self) -> u64 {
        self.index.bytes() + (self.targets.capacity() * size_of::<Mask>()) as u64
    }
}

impl Gathering {
    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.lists.bytes() + self.loaded.bytes() + self.block.capacity()
    }

    /// Gives up what is not part of the result.
    pub fn release(&mut self) {
        (self.lists, self.loaded) = (Lists::default(), Loaded::default());
    }
}

impl Lists {
    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.unpacked.bytes()
            + ((self.sums.capacity() + self.marks.capacity()) * 8
                + self.pairs.capacity() * size_of::<(u32, u64)>()
                + self.listed.capacity() * 32
                + self.listed_weights.capacity() * 8) as u64
    }
}
