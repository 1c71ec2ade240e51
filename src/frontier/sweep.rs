//! One step of the sweep: from the states before it to those after it.
//!
//! Each group of the layer to come is built on its own: its sources are found by undoing the choices of
//! the swept vertices, and their weights are gathered through tables of ranks. So no two threads ever write to
//! the same place.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::groups::{Index, canonical};
use super::plan::{Plan, Step, Swept};
use super::state::{Key, Kind, MOST_ENDS, Op, Pairing, Shape, pairings};
use crate::budget::{Budget, Limit, Pause};
use crate::store::{self, Reader, Spill, StoreError, Writer};

/// Where the engine changes its way of working. Answers do not depend on it; tests change it to see every way.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// With at most so many pairings, the states of a group are gathered in a table by rank.
    pub dense: u128,
    /// Ranks of pairings of at most so many ends, at most 20, are kept in 32 bits.
    pub narrow_ends: u32,
    /// Weights are kept in at least so many limbs of 64 bits.
    pub least_limbs: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { dense: 1 << 22, narrow_ends: 20, least_limbs: 1 }
    }
}

/// Ranks treated at a time.
const BLOCK: usize = 512;

/// The states of one key.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Which chunk holds them, and from where; if that is on disk, `ranks` is where they begin there.
    chunk: u32,
    ranks: usize,
    weights: usize,
    /// How many there are.
    count: usize,
    /// The bits of the greatest weight.
    bits: u32,
    how: Ranks,
    /// Of their bytes on disk.
    check: u32,
}

impl Group {
    /// Words of 64 bits a weight; 0: 32 bits.
    fn limbs(&self) -> u32 {
        if self.bits <= 32 { 0 } else { self.bits.div_ceil(64) }
    }

    /// Bytes of the states as they are written.
    fn bytes(&self) -> u64 {
        let rank = match self.how {
            Ranks::All => 0,
            Ranks::Listed => 4,
            Ranks::Wide => 16,
        };
        let weight = if self.bits <= 32 { 4 } else { 8 * u64::from(self.limbs()) };
        self.count as u64 * (rank + weight)
    }
}

/// How the ranks of a group are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ranks {
    /// All ranks occur.
    All,
    /// A rising list.
    Listed,
    /// A rising list of wide numbers.
    Wide,
}

/// The states of some groups.
#[derive(Debug, Default)]
pub struct Chunk {
    keys: Vec<Key>,
    groups: Vec<Group>,
    ranks: Vec<u32>,
    wide_ranks: Vec<u128>,
    short_weights: Vec<u32>,
    weights: Vec<u64>,
    states: u64,
    transitions: u64,
    /// Where the ranks and weights are, if they are not here.
    spill: Option<Arc<Spill>>,
}

impl Chunk {
    /// States that were looked at to build it.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// Whether there is something to move to disk: more than the one state of a finished sweep.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.spill.is_none() && self.states > 1
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sizes = [
            self.keys.len() * size_of::<Key>(),
            self.groups.len() * size_of::<Group>(),
            self.ranks.len() * 4,
            self.wide_ranks.len() * 16,
            self.short_weights.len() * 4,
            self.weights.len() * 8,
        ];
        sizes.iter().map(|&size| size as u64).sum()
    }

    /// Bytes that it takes with its spare room.
    fn capacity(&self) -> u64 {
        let sizes = [
            self.keys.capacity() * size_of::<Key>(),
            self.groups.capacity() * size_of::<Group>(),
            self.ranks.capacity() * 4,
            self.wide_ranks.capacity() * 16,
            self.short_weights.capacity() * 4,
            self.weights.capacity() * 8,
        ];
        sizes.iter().map(|&size| size as u64).sum()
    }

    /// A copy without spare room, and this one empty again.
    fn take(&mut self) -> Chunk {
        let copy = Chunk {
            keys: self.keys.as_slice().to_vec(),
            groups: self.groups.as_slice().to_vec(),
            ranks: self.ranks.as_slice().to_vec(),
            wide_ranks: self.wide_ranks.as_slice().to_vec(),
            short_weights: self.short_weights.as_slice().to_vec(),
            weights: self.weights.as_slice().to_vec(),
            states: self.states,
            transitions: self.transitions,
            spill: None,
        };
        self.clear();
        copy
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.groups.clear();
        self.ranks.clear();
        self.wide_ranks.clear();
        self.short_weights.clear();
        self.weights.clear();
        (self.states, self.transitions) = (0, 0);
    }
}

/// Bytes of the states of a group as they are written: the ranks, then the weights.
fn write_states(chunk: &Chunk, group: &Group, to: &mut Vec<u8>) {
    let listed = group.ranks..group.ranks + group.count;
    match group.how {
        Ranks::All => {}
        Ranks::Listed => to.extend(chunk.ranks[listed].iter().flat_map(|rank| rank.to_le_bytes())),
        Ranks::Wide => to.extend(chunk.wide_ranks[listed].iter().flat_map(|rank| rank.to_le_bytes())),
    }
    match chunk.weights_of(group) {
        Weights::Short(weights) => to.extend(weights.iter().flat_map(|weight| weight.to_le_bytes())),
        Weights::Single(weights) | Weights::Long(weights, _) => {
            to.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
    }
}

/// Bytes of states that are written at a time.
const PIECE: usize = 1 << 17;

/// Bytes of what is written of a group beside its states.
const HEAD: u64 = 16 + 8 + 4 + 1;

impl Chunk {
    /// Adds the states of a group from its bytes; says where they are now.
    fn append(&mut self, group: &Group, bytes: &[u8]) -> Group {
        let is_wide = group.how == Ranks::Wide;
        let added = Group {
            ranks: if is_wide { self.wide_ranks.len() } else { self.ranks.len() },
            weights: self.weights_from(group.bits),
            ..*group
        };
        let rank_bytes = match group.how {
            Ranks::All => 0,
            Ranks::Listed => group.count * 4,
            Ranks::Wide => group.count * 16,
        };
        let (ranks, weights) = bytes.split_at(rank_bytes);
        match group.how {
            Ranks::All => {}
            Ranks::Listed => self.ranks.extend(ranks.as_chunks().0.iter().map(|&rank| u32::from_le_bytes(rank))),
            Ranks::Wide => self.wide_ranks.extend(ranks.as_chunks().0.iter().map(|&rank| u128::from_le_bytes(rank))),
        }
        if group.bits <= 32 {
            self.short_weights.extend(weights.as_chunks().0.iter().map(|&weight| u32::from_le_bytes(weight)));
        } else {
            self.weights.extend(weights.as_chunks().0.iter().map(|&weight| u64::from_le_bytes(weight)));
        }
        added
    }

    /// Moves the states to disk.
    pub fn spill(&mut self, spill: &Arc<Spill>) -> Result<(), StoreError> {
        let mut groups = std::mem::take(&mut self.groups);
        let result = self.spill_states(&mut groups, spill);
        self.groups = groups;
        result
    }

    /// Moves the states to disk, given the groups. If that fails all is as it was.
    fn spill_states(&mut self, groups: &mut [Group], spill: &Arc<Spill>) -> Result<(), StoreError> {
        if !self.is_in_memory() {
            return Ok(());
        }
        let mut places = Vec::with_capacity(groups.len());
        let mut bytes = Vec::with_capacity(PIECE);
        let mut from = 0;
        for upto in 1..=groups.len() {
            let start = bytes.len();
            write_states(self, &groups[upto - 1], &mut bytes);
            places.push((start, store::check(&bytes[start..])));
            if bytes.len() >= PIECE || upto == groups.len() {
                let at = spill.append(&bytes)? as usize;
                places[from..].iter_mut().for_each(|place| place.0 += at);
                from = upto;
                bytes.clear();
            }
        }
        for (group, (at, check)) in groups.iter_mut().zip(places) {
            (group.ranks, group.check) = (at, check);
        }
        (self.ranks, self.wide_ranks) = (Vec::new(), Vec::new());
        (self.short_weights, self.weights) = (Vec::new(), Vec::new());
        self.spill = Some(Arc::clone(spill));
        Ok(())
    }

    /// Writes the chunk to a file.
    pub fn save(&self, to: &mut Writer) -> Result<(), StoreError> {
        self.save_groups(&self.keys, &self.groups, to)
    }

    fn save_groups(&self, keys: &[Key], groups: &[Group], to: &mut Writer) -> Result<(), StoreError> {
        to.number(keys.len() as u64)?;
        to.number(self.transitions)?;
        for (key, group) in keys.iter().zip(groups) {
            to.number(key.ends)?;
            to.number(key.full)?;
            to.number(group.count as u64)?;
            to.bytes(&group.bits.to_le_bytes())?;
            to.bytes(&[group.how as u8])?;
        }
        let mut bytes = Vec::new();
        for group in groups {
            bytes.clear();
            if let Some(spill) = &self.spill {
                bytes.resize(group.bytes() as usize, 0);
                spill.read(&mut bytes, group.ranks as u64, group.check)?;
            } else {
                write_states(self, group, &mut bytes);
            }
            to.bytes(&bytes)?;
        }
        Ok(())
    }

    /// Reads a chunk from a file. `room` is asked before so many bytes are taken.
    pub fn restore<E: From<StoreError>>(
        from: &mut Reader,
        narrow_ends: u32,
        mut room: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Chunk, E> {
        let count = from.count(HEAD)?;
        let mut chunk = Chunk { transitions: from.amount()?, ..Chunk::default() };
        room(count as u64 * (size_of::<Key>() + size_of::<Group>()) as u64)?;
        let mut bytes_left = from.left().saturating_sub(count as u64 * HEAD);
        let mut sizes = [0usize; 4];
        for _ in 0..count {
            let key = Key { ends: from.number()?, full: from.number()? };
            let states = from.number()?;
            let (mut bits, mut how) = ([0; 4], [0]);
            from.bytes(&mut bits)?;
            from.bytes(&mut how)?;
            let ends = key.ends.count_ones();
            let how = match how {
                [0] if u128::from(states) == key.pairings() => Ranks::All,
                [1] if ends <= narrow_ends => Ranks::Listed,
                [2] => Ranks::Wide,
                _ => return Err(from.damaged().into()),
            };
            // No more states than pairings, and no more than there are bytes for.
            let bits = u32::from_le_bytes(bits);
            let is_sane = ends <= MOST_ENDS && ends.is_multiple_of(2) && (1..1 << 20).contains(&bits);
            if !is_sane || states == 0 || states > bytes_left || u128::from(states) > key.pairings() {
                return Err(from.damaged().into());
            }
            let group = Group { chunk: 0, ranks: 0, weights: 0, count: states as usize, bits, how, check: 0 };
            bytes_left = bytes_left.checked_sub(group.bytes()).ok_or_else(|| from.damaged())?;
            sizes[0] += if how == Ranks::Listed { group.count } else { 0 };
            sizes[1] += if how == Ranks::Wide { group.count } else { 0 };
            sizes[if bits <= 32 { 2 } else { 3 }] += group.count * group.limbs().max(1) as usize;
            chunk.keys.push(key);
            chunk.groups.push(group);
            chunk.states += states;
        }
        room((sizes[0] * 4 + sizes[1] * 16 + sizes[2] * 4 + sizes[3] * 8) as u64)?;
        chunk.ranks.reserve_exact(sizes[0]);
        chunk.wide_ranks.reserve_exact(sizes[1]);
        chunk.short_weights.reserve_exact(sizes[2]);
        chunk.weights.reserve_exact(sizes[3]);
        let mut bytes = Vec::new();
        for number in 0..count {
            let group = chunk.groups[number];
            bytes.resize(group.bytes() as usize, 0);
            from.bytes(&mut bytes)?;
            let group = chunk.append(&group, &bytes);
            let pairings = chunk.keys[number].pairings();
            let listed = group.ranks..group.ranks + group.count;
            let is_rising = match group.how {
                Ranks::All => true,
                Ranks::Listed => {
                    let ranks = &chunk.ranks[listed];
                    ranks.is_sorted_by(|a, b| a < b) && ranks.last().is_some_and(|&rank| u128::from(rank) < pairings)
                }
                Ranks::Wide => {
                    let ranks = &chunk.wide_ranks[listed];
                    ranks.is_sorted_by(|a, b| a < b) && ranks.last().is_some_and(|&rank| rank < pairings)
                }
            };
            let limbs = group.limbs() as usize;
            let is_bounded = match chunk.weights_of(&group) {
                Weights::Short(weights) => weights.iter().all(|&weight| bits_of(&[weight.into()]) <= group.bits),
                Weights::Single(weights) | Weights::Long(weights, _) => {
                    weights.chunks_exact(limbs).all(|weight| bits_of(weight) <= group.bits)
                }
            };
            if !is_rising || !is_bounded {
                return Err(from.damaged().into());
            }
            chunk.groups[number] = group;
        }
        Ok(chunk)
    }
}

/// All states between two steps.
#[derive(Debug, Default)]
pub struct Layer {
    index: Index,
    keys: Vec<Key>,
    groups: Vec<Group>,
    chunks: Vec<Chunk>,
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

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> u64 {
        self.groups.len() as u64
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

#[derive(Clone, Copy)]
enum Weights<'a> {
    Short(&'a [u32]),
    Single(&'a [u64]),
    /// So many limbs each.
    Long(&'a [u64], usize),
}

/// Tables are made for at most so many ranks before and after.
const TABLE_RANKS: u128 = 135_135;
/// Bytes that all tables together may take.
const TABLE_BYTES: u64 = 128 << 20;

/// For each rank before an op the rank after it, or the number of pairings after it where it cannot be
/// done; and once more that number for the number before.
#[derive(Debug)]
enum Table {
    Narrow(Box<[u16]>),
    Broad(Box<[u32]>),
}

impl Table {
    #[inline]
    fn get(&self, rank: u32) -> u32 {
        match self {
            Table::Narrow(table) => table[rank as usize].into(),
            Table::Broad(table) => table[rank as usize],
        }
    }
}

/// The tables of the shapes, made when they have been missed often enough to pay.
#[derive(Debug)]
pub struct Tables {
    /// By half the ends, kind and places.
    slots: Vec<OnceLock<Table>>,
    /// How many ranks were done without a table.
    missed: Vec<AtomicU32>,
    bytes: AtomicU64,
    /// Bytes from which on no more are made.
    most_bytes: u64,
}

const PLACES: usize = 20;

impl Default for Tables {
    fn default() -> Self {
        let count = PLACES / 2 * 4 * PLACES * PLACES;
        Tables {
            slots: (0..count).map(|_| OnceLock::new()).collect(),
            missed: (0..count).map(|_| AtomicU32::new(0)).collect(),
            bytes: AtomicU64::new(0),
            most_bytes: TABLE_BYTES,
        }
    }
}

impl Tables {
    /// Leaves most of the memory to the states.
    pub fn limit(&mut self, memory_limit: Option<u64>) {
        self.most_bytes = memory_limit.map_or(TABLE_BYTES, |limit| TABLE_BYTES.min(limit / 8));
    }

    /// Bytes of the tables made so far, and of the list of them.
    pub fn bytes(&self) -> u64 {
        let slot = size_of::<OnceLock<Table>>() + size_of::<AtomicU32>();
        self.bytes.load(Ordering::Relaxed) + (self.slots.len() * slot) as u64
    }

    /// The table of a shape, if there is one or it is time to make it: `ranks` are to be looked up.
    fn find(&self, shape: Shape, ranks: usize) -> Option<&Table> {
        let before = pairings(shape.ends.into());
        if before > TABLE_RANKS || pairings(shape.ends_after().into()) > TABLE_RANKS {
            return None;
        }
        let at = place(shape);
        if let Some(table) = self.slots[at].get() {
            return Some(table);
        }
        let missed = self.missed[at].fetch_add(ranks.min(1 << 24) as u32, Ordering::Relaxed);
        if u128::from(missed) * 4 < before || self.bytes() > self.most_bytes {
            return None;
        }
        Some(self.make(shape))
    }

    /// Changes ranks by a shape without a table of its own, by smaller ones where they serve.
    fn follow(&self, shape: Shape, ranks: &mut [u32], pairing: &mut Pairing) {
        let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
        let rest = before / u32::from(shape.ends.max(2) - 1);
        let mut smaller: [Option<(u32, u32, &Table)>; PLACES] = [None; PLACES];
        for (digit, smaller) in smaller.iter_mut().enumerate().take(shape.ends.saturating_sub(1).into()) {
            if let Some((to, shape)) = shape.below(digit as u8)
                && let Some(table) = self.find(shape, ranks.len() / 8)
            {
                let rest_after = pairings(shape.ends_after().into()) as u32;
                *smaller = Some((u32::from(to) * rest_after, rest_after, table));
            }
        }
        for rank in ranks {
            if *rank == before {
                *rank = after;
                continue;
            }
            *rank = match smaller[(*rank / rest) as usize] {
                Some((offset, none, table)) => {
                    let rank = table.get(*rank % rest);
                    if rank == none { after } else { offset + rank }
                }
                None => shape.follow(pairing, *rank).unwrap_or(after),
            };
        }
    }

    /// The table of a shape, made now if need be.
    fn make(&self, shape: Shape) -> &Table {
        self.slots[place(shape)].get_or_init(|| {
            let (before, after) = (pairings(shape.ends.into()) as u32, pairings(shape.ends_after().into()) as u32);
            let mut ranks = Vec::with_capacity(before as usize + 1);
            let mut pairing = Pairing::default();
            // By the partner of the lowest end: where neither is touched, a smaller table says the rest.
            let digits = u32::from(shape.ends.max(2) - 1);
            for digit in 0..digits {
                let rest = before / digits;
                match shape.below(digit as u8) {
                    Some((to, smaller)) => {
                        let rest_after = pairings(smaller.ends_after().into()) as u32;
                        let offset = u32::from(to) * rest_after;
                        let table = self.make(smaller);
                        ranks.extend((0..rest).map(|rank| {
                            let rank = table.get(rank);
                            if rank == rest_after { after } else { offset + rank }
                        }));
                    }
                    None => ranks.extend(
                        (digit * rest..(digit + 1) * rest)
                            .map(|rank| shape.follow(&mut pairing, rank).unwrap_or(after)),
                    ),
                }
            }
            ranks.push(after);
            let table = if after < 1 << 16 {
                Table::Narrow(ranks.iter().map(|&rank| rank as u16).collect())
            } else {
                Table::Broad(ranks.into())
            };
            let size = match &table {
                Table::Narrow(t) => t.len() * 2,
                Table::Broad(t) => t.len() * 4,
            };
            self.bytes.fetch_add(size as u64, Ordering::Relaxed);
            table
        })
    }
}

fn place(shape: Shape) -> usize {
    let kind = match shape.kind {
        Kind::New => 0,
        Kind::Move => 1,
        Kind::Join => 2,
        Kind::Mirror => 3,
    };
    ((usize::from(shape.ends) / 2 * 4 + kind) * PLACES + usize::from(shape.a)) * PLACES + usize::from(shape.b)
}

/// One change of ranks.
#[derive(Clone, Copy)]
enum Map<'a> {
    None,
    Table(&'a Table),
    Shape(Shape),
}

/// One way to come from a group of the layer before.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The number of the group.
    source: u32,
    is_mirrored: bool,
    /// The key before the step, in the mirror or not, and after its first vertex.
    before: Key,
    middle: Key,
    ops: [Op; 2],
}

/// A worker's own memory.
#[derive(Debug, Default)]
pub struct Scratch {
    links: Vec<Link>,
    /// Weights by rank, all zero between two groups.
    sums: Vec<u64>,
    /// Ranks of a block.
    block: Vec<u32>,
    /// Ranks and sums that are not zero.
    kept_ranks: Vec<u32>,
    kept_sums: Vec<u64>,
    /// Where the groups of a task grow.
    chunk: Chunk,
    /// Ranks with the place of their weights, for groups that are not gathered by rank.
    listed: Vec<(u128, usize)>,
    listed_weights: Vec<u64>,
    pairing: Pairing,
    loaded: Loaded,
    /// Bytes of it that are among those in use by now.
    counted: u64,
}

/// The states of a group that were read from disk.
#[derive(Debug, Default)]
struct Loaded {
    bytes: Vec<u8>,
    chunk: Chunk,
    group: Option<Group>,
}

impl Loaded {
    fn bytes(&self) -> u64 {
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

/// What the tasks of a step share.
#[derive(Debug)]
pub struct Pull<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The step.
    pub step: &'a Step,
    /// The vertex swept last before it.
    pub last: Option<&'a Swept>,
    /// The layer before it.
    pub layer: &'a Layer,
    /// The tables of ranks.
    pub tables: &'a Tables,
    /// The way of working.
    pub tuning: Tuning,
    /// Bytes in use, the tables and what a worker has come to hold since its last task aside.
    pub held: &'a AtomicU64,
    /// Bytes that were asked for and refused.
    pub refused: &'a AtomicU64,
    /// Where to put states that would take the bytes in use beyond so many.
    pub spill: Option<(&'a Arc<Spill>, u64)>,
    /// What went wrong with a file; then the pause is that of a cancelled run.
    pub fault: &'a Mutex<Option<StoreError>>,
}

impl Pull<'_> {
    /// Builds the groups with these keys.
    pub fn groups(&self, keys: &[Key], budget: &Budget, scratch: &mut Scratch) -> Result<Chunk, Pause> {
        let mut chunk = std::mem::take(&mut scratch.chunk);
        let result = keys.iter().try_for_each(|&key| self.group(key, budget, scratch, &mut chunk));
        let mut done = chunk.take();
        scratch.chunk = chunk;
        let grown = scratch.bytes().saturating_sub(scratch.counted);
        scratch.counted += grown;
        self.held.fetch_add(grown, Ordering::Relaxed);
        result?;
        if let Some((spill, most)) = self.spill
            && self.held.load(Ordering::Relaxed) + done.bytes() > most
        {
            done.spill(spill).map_err(|error| self.fail(error))?;
        }
        self.held.fetch_add(done.bytes(), Ordering::Relaxed);
        Ok(done)
    }

    fn fail(&self, error: StoreError) -> Pause {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Pause::Limit(Limit::Cancelled)
    }

    /// The states of a group of the layer before, read if need be.
    #[inline]
    fn source<'s>(&'s self, number: u32, loaded: &'s mut Loaded) -> Result<(&'s Group, &'s Chunk), Pause> {
        let group = &self.layer.groups[number as usize];
        let chunk = &self.layer.chunks[group.chunk as usize];
        match &chunk.spill {
            None => Ok((group, chunk)),
            Some(spill) => self.load(group, spill, loaded),
        }
    }

    #[cold]
    fn load<'s>(&self, group: &Group, spill: &Spill, loaded: &'s mut Loaded) -> Result<(&'s Group, &'s Chunk), Pause> {
        loaded.bytes.resize(group.bytes() as usize, 0);
        spill.read(&mut loaded.bytes, group.ranks as u64, group.check).map_err(|error| self.fail(error))?;
        loaded.chunk.clear();
        let group = loaded.chunk.append(group, &loaded.bytes);
        Ok((loaded.group.insert(group), &loaded.chunk))
    }

    fn find_links(&self, target: Key, links: &mut Vec<Link>) {
        links.clear();
        let mut add = |before: Key, middle: Key, ops: [Op; 2]| {
            if self.last.is_some_and(|last| !before.is_possible(last)) {
                return;
            }
            let key = canonical(self.plan, before);
            if let Some(source) = self.layer.index.find(&self.layer.keys, key) {
                links.push(Link { source, is_mirrored: key != before, before, middle, ops });
            }
        };
        match &self.step.swept[..] {
            [first, second] => target.pull(second, |middle, choice| {
                if middle.is_possible(first) {
                    let then = Op::new(second, middle, choice);
                    middle.pull(first, |before, choice| add(before, middle, [Op::new(first, before, choice), then]));
                }
            }),
            rest => rest.iter().for_each(|swept| {
                target.pull(swept, |before, choice| {
                    add(before, target, [Op::new(swept, before, choice), Op::Keep]);
                });
            }),
        }
    }

    fn group(&self, key: Key, budget: &Budget, scratch: &mut Scratch, chunk: &mut Chunk) -> Result<(), Pause> {
        let mut links = std::mem::take(&mut scratch.links);
        self.find_links(key, &mut links);
        let mut loaded = std::mem::take(&mut scratch.loaded);
        let result = self.gather(key, &links, budget, scratch, &mut loaded, chunk);
        scratch.links = links;
        scratch.loaded = loaded;
        result
    }

    fn gather(
        &self,
        key: Key,
        links: &[Link],
        budget: &Budget,
        scratch: &mut Scratch,
        loaded: &mut Loaded,
        chunk: &mut Chunk,
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
            ways += join_ways(link.ops[0], link.middle) * join_ways(link.ops[1], key);
        }
        chunk.transitions += entries;
        // A sum of so many weights has at most so many bits: nothing below can overflow.
        let sum_bits = bits + (64 - entries.min(ways).leading_zeros());
        let limbs = (sum_bits.div_ceil(64) as usize).max(self.tuning.least_limbs);
        let count = key.pairings();
        let is_dense = count <= self.tuning.dense && (count <= 1 << 14 || entries * 64 >= count as u64);
        let wanted = if is_dense {
            let sums = count as u64 * limbs as u64 * 8;
            sums.saturating_sub(scratch.sums.capacity() as u64 * 8)
                + (count as u64).min(entries) * (4 + 8 * limbs as u64)
        } else {
            entries * (32 + 16 + 16 * limbs as u64)
        };
        let wanted = wanted + (2 * to_load).saturating_sub(loaded.bytes());
        let grown = (scratch.bytes() + loaded.bytes() + chunk.capacity()).saturating_sub(scratch.counted);
        let total = self.held.load(Ordering::Relaxed) + self.tables.bytes() + grown + wanted;
        budget.check_memory(total).inspect_err(|_| {
            self.refused.fetch_max(total, Ordering::Relaxed);
        })?;
        if is_dense {
            let size = (count as usize + 1) * limbs;
            if scratch.sums.len() < size {
                scratch.sums.resize(size, 0);
            }
            for link in links {
                match self.source(link.source, loaded) {
                    Ok(source) => self.add_link(key, link, source, limbs, scratch),
                    Err(why) => {
                        // They must be zeros for the next group.
                        scratch.sums.fill(0);
                        return Err(why);
                    }
                }
            }
            self.keep_dense(key, count as usize, limbs, scratch, chunk);
        } else {
            scratch.listed.clear();
            scratch.listed_weights.clear();
            for link in links {
                let source = self.source(link.source, loaded)?;
                self.list_link(key, link, source, limbs, scratch);
            }
            self.keep_listed(key, limbs, scratch, chunk);
        }
        Ok(())
    }

    /// Adds the weights of a source, by their ranks in the target.
    fn add_link(&self, key: Key, link: &Link, (source, chunk): (&Group, &Chunk), limbs: usize, scratch: &mut Scratch) {
        let stored = self.layer.keys[link.source as usize];
        let weights = chunk.weights_of(source);
        let count = source.count;
        // Up to three changes of the ranks in a row: the mirror and the two vertices.
        let shapes = [
            link.is_mirrored.then(|| Shape::mirror(stored.ends)),
            link.ops[0].shape(link.before.ends, link.middle.ends),
            link.ops[1].shape(link.middle.ends, key.ends),
        ];
        let mut maps = [const { Map::None }; 3];
        let mut missing = 0;
        for (map, shape) in maps.iter_mut().zip(shapes) {
            if let Some(shape) = shape {
                *map = match self.tables.find(shape, count) {
                    Some(table) => Map::Table(table),
                    None => {
                        missing += 1;
                        Map::Shape(shape)
                    }
                };
            }
        }
        let most = stored.ends.count_ones().max(link.middle.ends.count_ones()).max(key.ends.count_ones());
        // One way through the pairing itself is as dear as one change of the ranks without a table.
        let is_direct =
            source.how == Ranks::Wide || most > self.tuning.narrow_ends || (missing > 0 && (count < 64 || most < 14));
        let none = key.pairings() as u32;
        let mut from = 0;
        while from < count {
            let upto = count.min(from + BLOCK);
            let block = &mut scratch.block;
            block.clear();
            if is_direct {
                for i in from..upto {
                    let rank = match source.how {
                        Ranks::All => i as u128,
                        Ranks::Listed => chunk.ranks[source.ranks + i].into(),
                        Ranks::Wide => chunk.wide_ranks[source.ranks + i],
                    };
                    let rank = follow(&mut scratch.pairing, stored, link, key, rank);
                    block.push(rank.map_or(none, |rank| rank as u32));
                }
            } else {
                match source.how {
                    Ranks::All => block.extend(from as u32..upto as u32),
                    _ => block.extend_from_slice(&chunk.ranks[source.ranks + from..source.ranks + upto]),
                }
                for map in maps {
                    match map {
                        Map::None => {}
                        Map::Table(Table::Narrow(table)) => {
                            block.iter_mut().for_each(|rank| *rank = table[*rank as usize].into());
                        }
                        Map::Table(Table::Broad(table)) => {
                            block.iter_mut().for_each(|rank| *rank = table[*rank as usize]);
                        }
                        Map::Shape(shape) => self.tables.follow(shape, block, &mut scratch.pairing),
                    }
                }
            }
            let sums = &mut scratch.sums[..];
            match weights {
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
    }

    /// Moves the sums into the chunk and leaves zeros.
    fn keep_dense(&self, key: Key, count: usize, limbs: usize, scratch: &mut Scratch, chunk: &mut Chunk) {
        let ranks_from = chunk.ranks.len();
        if limbs == 1 {
            let sums = &mut scratch.sums[..count];
            let (ranks, kept_sums) = (&mut scratch.kept_ranks, &mut scratch.kept_sums);
            if ranks.len() < count + 8 {
                ranks.resize(count + 8, 0);
                kept_sums.resize(count + 8, 0);
            }
            let mut kept = 0;
            let mut all = 0;
            for (at, some) in sums.chunks(8).enumerate() {
                let any = some.iter().fold(0, |any, &sum| any | sum);
                if any == 0 {
                    continue;
                }
                all |= any;
                for (i, &sum) in some.iter().enumerate() {
                    ranks[kept] = (at * 8 + i) as u32;
                    kept_sums[kept] = sum;
                    kept += usize::from(sum != 0);
                }
            }
            sums.fill(0);
            // Ranks that cannot be have left something here.
            scratch.sums[count] = 0;
            let bits = 64 - all.leading_zeros();
            if kept > 0 {
                let how = if kept == count { Ranks::All } else { Ranks::Listed };
                if how == Ranks::Listed {
                    chunk.ranks.extend_from_slice(&ranks[..kept]);
                }
                let weights = chunk.weights_from(bits);
                if bits <= 32 {
                    chunk.short_weights.extend(kept_sums[..kept].iter().map(|&sum| sum as u32));
                } else {
                    chunk.weights.extend_from_slice(&kept_sums[..kept]);
                }
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

    /// Lists the weights of a source with their ranks in the target.
    fn list_link(&self, key: Key, link: &Link, (source, chunk): (&Group, &Chunk), limbs: usize, scratch: &mut Scratch) {
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
    fn keep_listed(&self, key: Key, limbs: usize, scratch: &mut Scratch, chunk: &mut Chunk) {
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

impl Chunk {
    fn weights_of(&self, group: &Group) -> Weights<'_> {
        let (from, count) = (group.weights, group.count);
        match group.limbs() {
            0 => Weights::Short(&self.short_weights[from..from + count]),
            1 => Weights::Single(&self.weights[from..from + count]),
            limbs => Weights::Long(&self.weights[from..from + count * limbs as usize], limbs as usize),
        }
    }

    fn weights_from(&self, bits: u32) -> usize {
        if bits <= 32 { self.short_weights.len() } else { self.weights.len() }
    }

    fn push_weight(&mut self, sum: &[u64], bits: u32) {
        if bits <= 32 {
            self.short_weights.push(sum[0] as u32);
        } else {
            self.weights.extend_from_slice(&sum[..bits.div_ceil(64) as usize]);
        }
    }

    fn add(&mut self, key: Key, count: usize, ranks: usize, weights: usize, bits: u32, how: Ranks) {
        self.keys.push(key);
        self.groups.push(Group { chunk: 0, ranks, weights, count, bits, how, check: 0 });
        self.states += count as u64;
    }
}

impl Weights<'_> {
    /// Adds one of the weights to a sum that has room for it.
    #[inline]
    fn add_to(&self, at: usize, sum: &mut [u64]) {
        match *self {
            Weights::Short(weights) => add_limbs(sum, &[weights[at].into()]),
            Weights::Single(weights) => add_limbs(sum, &[weights[at]]),
            Weights::Long(weights, limbs) => add_limbs(sum, &weights[at * limbs..(at + 1) * limbs]),
        }
    }
}

/// Adds weights to the sums of so many limbs at their ranks, but not at `none`.
fn add_long<const LIMBS: usize>(sums: &mut [u64], ranks: &[u32], weights: Weights<'_>, from: usize, none: u32) {
    let (sums, _) = sums.as_chunks_mut::<LIMBS>();
    for (i, &rank) in ranks.iter().enumerate() {
        if rank == none {
            continue;
        }
        let mut weight = [0; LIMBS];
        match weights {
            Weights::Short(weights) => weight[0] = weights[from + i].into(),
            Weights::Single(weights) => weight[0] = weights[from + i],
            Weights::Long(weights, limbs) => {
                let limbs = limbs.min(LIMBS);
                weight[..limbs].copy_from_slice(&weights[(from + i) * limbs..(from + i + 1) * limbs]);
            }
        }
        let mut carry = false;
        for (limb, add) in sums[rank as usize].iter_mut().zip(weight) {
            let (value, first) = limb.overflowing_add(add);
            let (value, second) = value.overflowing_add(carry.into());
            (*limb, carry) = (value, first | second);
        }
    }
}

#[inline]
fn add_limbs(sum: &mut [u64], weight: &[u64]) {
    let mut carry = false;
    for (i, limb) in sum.iter_mut().enumerate() {
        if i >= weight.len() && !carry {
            break;
        }
        let (value, first) = limb.overflowing_add(weight.get(i).copied().unwrap_or(0));
        let (value, second) = value.overflowing_add(u64::from(carry));
        *limb = value;
        carry = first || second;
    }
    debug_assert!(!carry, "the bits of a sum are bounded before it is formed");
}

fn bits_of(sum: &[u64]) -> u32 {
    sum.iter().rposition(|&limb| limb != 0).map_or(0, |at| at as u32 * 64 + 64 - sum[at].leading_zeros())
}

/// How many pairings an op may take to one.
fn join_ways(op: Op, after: Key) -> u64 {
    match op {
        Op::Join(..) => u64::from(after.ends.count_ones()).max(1),
        _ => 1,
    }
}

/// The rank in the target of a state of the source, without tables.
fn follow(pairing: &mut Pairing, stored: Key, link: &Link, target: Key, rank: u128) -> Option<u128> {
    pairing.set(stored.ends, rank);
    if link.is_mirrored {
        *pairing = pairing.mirrored(stored.ends);
    }
    let is_possible = pairing.apply(link.ops[0], link.middle.ends == 0) && pairing.apply(link.ops[1], target.ends == 0);
    is_possible.then(|| pairing.rank(target.ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_made_from_smaller_ones_agree_with_the_definition() {
        let tables = Tables::default();
        let mut pairing = Pairing::default();
        for ends in (0..=10u8).step_by(2) {
            for kind in [Kind::New, Kind::Move, Kind::Join, Kind::Mirror] {
                for a in 0..ends + 2 {
                    for b in 0..ends + 2 {
                        let fits = match kind {
                            Kind::New => a < b,
                            Kind::Move => a != b && a < ends && b < ends,
                            Kind::Join => a < b && b < ends,
                            Kind::Mirror => a + b <= ends,
                        };
                        if !fits {
                            continue;
                        }
                        let shape = Shape { kind, ends, a, b };
                        let table = tables.make(shape);
                        let none = pairings(shape.ends_after().into()) as u32;
                        for rank in 0..pairings(ends.into()) as u32 {
                            let expected = shape.follow(&mut pairing, rank).unwrap_or(none);
                            assert_eq!(table.get(rank), expected, "{shape:?} {rank}");
                        }
                        assert_eq!(table.get(pairings(ends.into()) as u32), none);
                    }
                }
            }
        }
    }
}
