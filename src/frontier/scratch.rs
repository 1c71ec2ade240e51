//! [`Scratch`]: what a worker keeps from one task to the next.

use super::chunk::{Chunk, Group};
use super::pull::Link;
use super::state::Pairing;

/// A worker's own memory.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The ways to come to the group at work.
    pub links: Vec<Link>,
    /// Weights by rank, all zero between two groups.
    pub sums: Vec<u64>,
    /// Ranks of a block.
    pub block: Vec<u32>,
    /// Ranks and sums that are not zero.
    pub kept_ranks: Vec<u32>,
    pub kept_sums: Vec<u64>,
    /// Where the groups of a task grow.
    pub chunk: Chunk,
    /// Ranks with the place of their weights, for groups that are not gathered by rank.
    pub listed: Vec<(u128, usize)>,
    pub listed_weights: Vec<u64>,
    pub pairing: Pairing,
    pub loaded: Loaded,
    /// Bytes of it that are among those in use by now.
    pub counted: u64,
}

/// The states of a group that were read from disk.
#[derive(Debug, Default)]
pub struct Loaded {
    /// As they were written.
    pub bytes: Vec<u8>,
    /// The states.
    pub chunk: Chunk,
    /// The group of them.
    pub group: Option<Group>,
}

impl Loaded {
    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.capacity() as u64 + self.chunk.capacity()
    }
}

impl Scratch {
    /// Bytes that it takes, which from now on count as in use.
    pub fn count(&mut self) -> u64 {
        self.counted = self.bytes();
        self.counted
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.sums.capacity() * 8
            + self.links.capacity() * size_of::<Link>()
            + self.kept_ranks.capacity() * 12
            + self.listed.capacity() * 32
            + self.listed_weights.capacity() * 8) as u64
            + self.chunk.capacity()
            + self.loaded.bytes()
    }
}
