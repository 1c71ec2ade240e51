//! [`Table`]: sets of moves on the frontier, and the most moves that lead to each.

use std::ops::Range;

use super::plan::Word;

/// Parts of a large table: each is small enough to grow between two looks at the clock.
const SHARDS: usize = 1024;
/// This many sets are a small table.
const SMALL: usize = 4096;

/// The most moves by set.
#[derive(Clone, Debug)]
pub(super) struct Table<K> {
    pub shards: Vec<Shard<K>>,
    /// The most moves of all.
    pub most: u16,
}

/// A part of it: open addressing.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard<K> {
    keys: Vec<K>,
    values: Vec<u16>,
    len: usize,
}

impl<K: Word> Table<K> {
    /// For about this many sets.
    pub fn new(sets: usize) -> Table<K> {
        let shard = || Shard { keys: Vec::new(), values: Vec::new(), len: 0 };
        let shards = if sets > SMALL { SHARDS } else { 1 };
        Table { shards: std::iter::repeat_with(shard).take(shards).collect(), most: 0 }
    }

    /// The part where a set of this hash belongs.
    fn shard(&self, hash: u64) -> usize {
        (hash >> 54) as usize & (self.shards.len() - 1)
    }

    pub fn get(&self, key: K) -> Option<u16> {
        let hash = key.hash();
        self.shards[self.shard(hash)].get(key, hash)
    }

    pub fn raise(&mut self, key: K, value: u16) {
        let hash = key.hash();
        let shard = self.shard(hash);
        self.shards[shard].raise(key, hash, value);
        self.most = self.most.max(value);
    }

    pub fn iter(&self) -> impl Iterator<Item = (K, u16)> {
        self.shards.iter().flat_map(Shard::iter)
    }

    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len).sum()
    }

    pub fn bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(|shard| shard.keys.len()).sum();
        (slots * (size_of::<K>() + 2) + self.shards.len() * size_of::<Shard<K>>()) as u64
    }
}

impl<K: Word> Shard<K> {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Places for sets.
    pub fn slots(&self) -> usize {
        self.keys.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (K, u16)> {
        self.iter_within(0..self.keys.len())
    }

    /// The sets at these places.
    pub fn iter_within(&self, slots: Range<usize>) -> impl Iterator<Item = (K, u16)> {
        let both = self.keys[slots.clone()].iter().copied().zip(self.values[slots].iter().copied());
        both.filter(|&(key, _)| key != K::NONE)
    }

    fn place(&self, key: K, hash: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut at = hash as usize & mask;
        while self.keys[at] != key && self.keys[at] != K::NONE {
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, key: K, hash: u64) -> Option<u16> {
        if self.keys.is_empty() {
            return None;
        }
        let at = self.place(key, hash);
        (self.keys[at] == key).then(|| self.values[at])
    }

    fn raise(&mut self, key: K, hash: u64, value: u16) {
        if self.len * 8 >= self.keys.len() * 5 {
            self.grow();
        }
        let at = self.place(key, hash);
        if self.keys[at] != key {
            self.keys[at] = key;
            self.values[at] = value;
            self.len += 1;
        } else if self.values[at] < value {
            self.values[at] = value;
        }
    }

    fn grow(&mut self) {
        let slots = (2 * self.keys.len()).max(8);
        let fresh = Shard { keys: vec![K::NONE; slots], values: vec![0; slots], len: 0 };
        let old = std::mem::replace(self, fresh);
        for (key, value) in old.iter() {
            let at = self.place(key, key.hash());
            self.keys[at] = key;
            self.values[at] = value;
        }
        self.len = old.len;
    }
}
