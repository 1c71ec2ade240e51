//! [`Layer`]: all states between two steps.

use std::ops::Range;
use std::sync::Arc;

use super::chunk::{Chunk, Group, Ranks};
use super::groups::Index;
use super::state::Key;
use crate::store::{Spill, StoreError, Writer};

/// All states between two steps.
#[derive(Debug, Default)]
pub struct Layer {
    /// Where each key is among the keys.
    pub index: Index,
    /// The keys of the groups.
    pub keys: Vec<Key>,
    /// The groups, those of one chunk together.
    pub groups: Vec<Group>,
    /// What holds their states.
    pub chunks: Vec<Chunk>,
    /// How many there are.
    pub states: u64,
    /// Bytes that the layer takes.
    pub bytes: u64,
}

impl Layer {
    /// Nothing swept: one state, in one way.
    #[must_use]
    pub fn start(first: Key) -> Layer {
        let group = Group { chunk: 0, ranks: 0, weights: 0, count: 1, bits: 1, how: Ranks::All, check: 0 };
        let chunk =
            Chunk { keys: vec![first], groups: vec![group], short_weights: vec![1], states: 1, ..Chunk::default() };
        Layer::new(vec![chunk])
    }

    /// The layer of all its chunks.
    #[must_use]
    pub fn new(mut chunks: Vec<Chunk>) -> Layer {
        let count = chunks.iter().map(|c| c.keys.len()).sum();
        let mut keys = Vec::with_capacity(count);
        let mut groups = Vec::with_capacity(count);
        let mut states = 0;
        for (number, chunk) in chunks.iter_mut().enumerate() {
            keys.extend(std::mem::take(&mut chunk.keys));
            groups.extend(
                std::mem::take(&mut chunk.groups).into_iter().map(|group| Group { chunk: number as u32, ..group }),
            );
            states += chunk.states;
        }
        let index = Index::new(&keys);
        let bytes = Index::bytes(count)
            + count as u64 * (size_of::<Key>() + size_of::<Group>()) as u64
            + chunks.iter().map(Chunk::bytes).sum::<u64>();
        Layer { index, keys, groups, chunks, states, bytes }
    }

    fn groups_of(&self, chunk: usize) -> Range<usize> {
        let bound = |chunk: usize| self.groups.partition_point(|group| (group.chunk as usize) < chunk);
        bound(chunk)..bound(chunk + 1)
    }

    /// Moves all states to disk.
    pub fn spill(&mut self, spill: &Arc<Spill>) -> Result<(), StoreError> {
        for number in 0..self.chunks.len() {
            let range = self.groups_of(number);
            let chunk = &mut self.chunks[number];
            self.bytes -= chunk.bytes();
            let result = chunk.spill_states(&mut self.groups[range], spill);
            self.bytes += chunk.bytes();
            result?;
        }
        Ok(())
    }

    /// Whether there is something to move to disk.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.chunks.iter().any(Chunk::is_in_memory)
    }

    /// Writes the layer to a file.
    pub fn save(&self, to: &mut Writer) -> Result<(), StoreError> {
        to.number(self.chunks.len() as u64)?;
        for (number, chunk) in self.chunks.iter().enumerate() {
            let range = self.groups_of(number);
            chunk.save_groups(&self.keys[range.clone()], &self.groups[range], to)?;
        }
        Ok(())
    }

    /// Bytes that making a layer of these chunks takes for a moment, their own aside.
    #[must_use]
    pub fn bytes_to_assemble(chunks: &[Option<Chunk>]) -> u64 {
        let count = chunks.iter().flatten().map(|chunk| chunk.keys.len()).sum();
        Index::bytes(count) + count as u64 * (size_of::<Key>() + size_of::<Group>()) as u64
    }

    /// The weight of the one state of a finished sweep, in limbs of 64 bits.
    #[must_use]
    pub fn total(&self) -> Vec<u64> {
        let (Some(group), Some(chunk)) = (self.groups.first(), self.chunks.iter().find(|c| c.states > 0)) else {
            return Vec::new();
        };
        match group.limbs() {
            0 => chunk.short_weights.iter().map(|&w| w.into()).collect(),
            _ => chunk.weights.clone(),
        }
    }
}
