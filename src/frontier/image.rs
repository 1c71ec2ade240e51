//! [`Image`]: all layers of a sweep as bytes, in memory or in a file, to look weights up in.
//!
//! A layer has three sections. All numbers are little-endian.
//!
//! | section | what |
//! |---|---|
//! | directory | for each bin of groups ([`super::bins`]) the number of its first, in 32 bits; and the number of groups |
//! | groups | 32 bytes each: key (128 bits), where its states begin (48), how many there are (48), bytes of a weight (32) |
//! | states | of each group its ranks, rising, of 2, 4 or 16 bytes, unless all ranks occur; then its weights |
//!
//! Groups that the step after the layer can join with one state are of one bin, and their states lie there together: all that a
//! step back from a state may ask for is close by. Within a bin the keys rise.

use std::path::PathBuf;

use super::Halt;
use super::bins::Bins;
use super::chunk::{Chunk, Group, Ranks};
use super::key::Key;
use super::layer::Layer;
use super::natural::Natural;
use super::plan::Plan;
use super::scratch::Loaded;
use super::state::{MOST_ENDS, pairings};
use super::weights::Weights;
use crate::budget::Budget;
use crate::store::{BlockFile, BlockWriter, StoreError};

/// Bytes of a group in its section.
const RECORD: usize = 32;
/// Sections of a layer.
const SECTIONS: usize = 3;

/// The bytes of sections.
#[derive(Debug)]
enum Bytes {
    Memory(Vec<Vec<u8>>),
    /// Where each begins in the body of the file, and its length.
    File(Box<BlockFile>, Vec<(u64, u64)>),
}

impl Bytes {
    #[inline]
    fn get(&self, section: usize, at: u64, length: usize) -> Result<&[u8], StoreError> {
        match self {
            Bytes::Memory(sections) => {
                let at = at as usize;
                sections[section].get(at..at + length).ok_or_else(|| self.damaged())
            }
            Bytes::File(file, sections) => {
                let (from, size) = sections[section];
                let is_inside = at.checked_add(length as u64).is_some_and(|end| end <= size);
                if is_inside { file.bytes(from + at, length) } else { Err(file.damaged()) }
            }
        }
    }

    fn len(&self, section: usize) -> u64 {
        match self {
            Bytes::Memory(sections) => sections[section].len() as u64,
            Bytes::File(_, sections) => sections[section].1,
        }
    }

    #[cold]
    fn damaged(&self) -> StoreError {
        match self {
            // Memory that a fault of this program spoilt.
            Bytes::Memory(_) => StoreError::Damaged { path: PathBuf::from("the layers in memory") },
            Bytes::File(file, _) => file.damaged(),
        }
    }
}

/// Where a key's states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Of the ranks, and of the weights.
    at: u64,
    weights_at: u64,
    count: u64,
    /// Bytes of a rank, none where all occur; and of a weight.
    size: u32,
    width: u32,
}

/// The bits of a place or of a number of states.
const LOW: u64 = (1 << 48) - 1;

/// Bytes of a rank of so many pairings.
fn rank_bytes(pairings: u128) -> usize {
    match pairings {
        0..=0x1_0000 => 2,
        0x1_0001..=0x1_0000_0000 => 4,
        _ => 16,
    }
}

/// All layers but the last, which is the total.
#[derive(Debug)]
pub struct Image {
    /// How many bins the groups of each layer are in.
    bins: Vec<usize>,
    bytes: Bytes,
    total: Natural,
}

impl Image {
    /// The weight of the finished board: how many cycles there are.
    #[must_use]
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// How many layers it has.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.bins.len()
    }

    /// Bytes of all layers.
    #[must_use]
    pub fn size(&self) -> u64 {
        (0..self.bins.len() * SECTIONS).map(|section| self.bytes.len(section)).sum()
    }

    /// The file, if it is in one.
    #[must_use]
    pub fn file(&self) -> Option<&BlockFile> {
        match &self.bytes {
            Bytes::Memory(_) => None,
            Bytes::File(file, _) => Some(file),
        }
    }

    /// The error for what makes no sense.
    #[cold]
    #[must_use]
    pub fn damaged(&self) -> StoreError {
        self.bytes.damaged()
    }

    /// Looks a key up in the layer before a step.
    pub fn find(&self, plan: &Plan, layer: usize, key: Key) -> Result<Option<Found>, StoreError> {
        let bin = Bins::new(plan, layer, self.bins[layer]).of(key);
        let bounds = self.bytes.get(layer * SECTIONS, bin as u64 * 4, 8)?;
        let &[first, last] = bounds.as_chunks::<4>().0 else { return Err(self.damaged()) };
        let (first, last) = (u32::from_le_bytes(first), u32::from_le_bytes(last));
        let count = last.checked_sub(first).ok_or_else(|| self.damaged())? as usize;
        let records = self.bytes.get(layer * SECTIONS + 1, u64::from(first) * RECORD as u64, count * RECORD)?;
        // Sixteen bytes of the key, sixteen of the rest.
        let halves = records.as_chunks::<16>().0.as_chunks::<2>().0;
        let Ok(at) = halves.binary_search_by_key(&key.number(), |&[key, _]| u128::from_le_bytes(key)) else {
            return Ok(None);
        };
        let rest = u128::from_le_bytes(halves[at][1]);
        let (at, count, width) = (rest as u64 & LOW, (rest >> 48) as u64 & LOW, (rest >> 96) as u32);
        let ends = key.ends.count_ones();
        let pairings = pairings(ends);
        if ends > MOST_ENDS || u128::from(count) > pairings {
            return Err(self.damaged());
        }
        let size = if u128::from(count) == pairings { 0 } else { rank_bytes(pairings) };
        Ok(Some(Found { at, weights_at: at + count * size as u64, count, size: size as u32, width }))
    }

    /// The weight of a rank, lowest byte first.
    #[inline]
    pub fn weight(&self, layer: usize, found: &Found, rank: u128) -> Result<Option<&[u8]>, StoreError> {
        let Found { at, weights_at, count, size, width } = *found;
        let section = layer * SECTIONS + 2;
        let place = if size == 0 {
            rank as u64
        } else if count * u64::from(size) <= NEAR {
            let ranks = self.bytes.get(section, at, count as usize * size as usize)?;
            let place = match size {
                2 => ranks.as_chunks().0.binary_search_by_key(&(rank as u16), |&r| u16::from_le_bytes(r)),
                4 => ranks.as_chunks().0.binary_search_by_key(&(rank as u32), |&r| u32::from_le_bytes(r)),
                _ => ranks.as_chunks().0.binary_search_by_key(&rank, |&r| u128::from_le_bytes(r)),
            };
            let Ok(place) = place else { return Ok(None) };
            place as u64
        } else {
            let Some(place) = self.search(section, at, count, size as usize, rank)? else { return Ok(None) };
            place
        };
        // In a file that makes no sense this may be anything; a place beyond its end is refused.
        self.bytes.get(section, weights_at.saturating_add(place.saturating_mul(width.into())), width as usize).map(Some)
    }

    /// Searches a long list of ranks, of which the least is read.
    fn search(&self, section: usize, at: u64, count: u64, size: usize, rank: u128) -> Result<Option<u64>, StoreError> {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let bytes = self.bytes.get(section, at + middle * size as u64, size)?;
            let found = bytes.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
            match found.cmp(&rank) {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

/// Groups for which there is a bin: with fewer, most bins would be empty, since groups that go together are many.
const GROUPS_A_BIN: usize = 8;

/// Lists of ranks of at most so many bytes are looked at as a whole.
const NEAR: u64 = 1 << 14;

/// Where an image is written to.
#[derive(Debug)]
enum Sink {
    Memory(Vec<Vec<u8>>),
    File(Box<BlockWriter>, Vec<(u64, u64)>),
}

/// A layer being written.
#[derive(Debug)]
struct Work {
    /// The numbers of the groups, bin by bin.
    order: Vec<u32>,
    /// How many of them are written.
    next: usize,
    directory: Vec<u8>,
    records: Vec<u8>,
    /// Bytes of states written.
    states: u64,
}

/// An image being written, layer by layer.
#[derive(Debug)]
pub struct ImageWriter {
    bins: Vec<usize>,
    sink: Sink,
    work: Option<Work>,
    loaded: Loaded,
    buffer: Vec<u8>,
    /// Bytes of memory that the layers written take.
    pub held: u64,
    /// Bytes that were asked for last.
    pub bytes_needed: u64,
}

/// Groups written between two looks at the budget.
const GROUPS: usize = 256;

impl ImageWriter {
    /// An image in memory, or in a file.
    #[must_use]
    pub fn new(file: Option<BlockWriter>) -> ImageWriter {
        let sink = match file {
            None => Sink::Memory(Vec::new()),
            Some(file) => Sink::File(Box::new(file), Vec::new()),
        };
        ImageWriter {
            bins: Vec::new(),
            sink,
            work: None,
            loaded: Loaded::default(),
            buffer: Vec::new(),
            held: 0,
            bytes_needed: 0,
        }
    }

    /// How many layers are written.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.bins.len() - usize::from(self.work.is_some())
    }

    /// Writes the layer before a step, or goes on doing so; `own` bytes of memory are in use besides.
    pub fn write(&mut self, plan: &Plan, layer: &Layer, own: u64, budget: &Budget) -> Result<(), Halt> {
        if self.work.is_none() {
            budget.take(0)?;
            self.begin(plan, layer, own, budget)?;
        }
        let Some(work) = &mut self.work else { return Ok(()) };
        while work.next < work.order.len() {
            budget.take(0)?;
            let upto = work.order.len().min(work.next + GROUPS);
            self.buffer.clear();
            for &number in &work.order[work.next..upto] {
                let key = layer.keys[number as usize];
                let (group, chunk) = layer.source(number, &mut self.loaded)?;
                let at = work.states + self.buffer.len() as u64;
                encode(key, group, chunk, &mut self.buffer);
                work.records.extend(key.number().to_le_bytes());
                work.records.extend_from_slice(&at.to_le_bytes()[..6]);
                work.records.extend_from_slice(&(group.count as u64).to_le_bytes()[..6]);
                work.records.extend(group.bits.div_ceil(8).to_le_bytes());
            }
            work.states += self.buffer.len() as u64;
            work.next = upto;
            match &mut self.sink {
                Sink::Memory(sections) => {
                    if let Some(states) = sections.last_mut() {
                        states.extend_from_slice(&self.buffer);
                    }
                }
                Sink::File(file, _) => file.bytes(&self.buffer)?,
            }
        }
        let Work { directory, records, states, .. } = self.work.take().unwrap_or_else(|| unreachable!());
        match &mut self.sink {
            Sink::Memory(sections) => {
                let states = sections.pop().unwrap_or_default();
                sections.extend([directory, records, states]);
            }
            Sink::File(file, sections) => {
                let at = file.position();
                sections.push((at, directory.len() as u64));
                sections.push((at + directory.len() as u64, records.len() as u64));
                sections.push((at - states, states));
                file.bytes(&directory)?;
                file.bytes(&records)?;
            }
        }
        Ok(())
    }

    /// Puts the groups of a layer in order, and takes the memory for it.
    fn begin(&mut self, plan: &Plan, layer: &Layer, own: u64, budget: &Budget) -> Result<(), Halt> {
        let count = layer.keys.len();
        let states: u64 = layer.keys.iter().zip(&layer.groups).map(|(&key, group)| encoded_bytes(key, group)).sum();
        let tables = count as u64 * (RECORD + 4) as u64 + 8;
        // Sorting takes another 16 bytes a group for a moment.
        let is_in_memory = matches!(self.sink, Sink::Memory(_));
        let needed = tables + if is_in_memory { states } else { 0 };
        self.bytes_needed = own + self.held + needed + count as u64 * 20;
        budget.check_memory(self.bytes_needed)?;
        let bins = Bins::new(plan, self.bins.len(), count / GROUPS_A_BIN);
        let mut order: Vec<(u32, u32)> =
            layer.keys.iter().zip(0..).map(|(&key, number)| (bins.of(key) as u32, number)).collect();
        order.sort_unstable_by_key(|&(bin, number)| (bin, layer.keys[number as usize].number()));
        let mut directory = Vec::with_capacity(bins.count() * 4 + 4);
        let mut first = 0u32;
        for at in 0..=bins.count() as u32 {
            while order.get(first as usize).is_some_and(|&(bin, _)| bin < at) {
                first += 1;
            }
            directory.extend(first.to_le_bytes());
        }
        if let Sink::Memory(sections) = &mut self.sink {
            sections.push(Vec::with_capacity(states as usize));
            self.held += needed;
        }
        self.bins.push(bins.count());
        self.work = Some(Work {
            order: order.into_iter().map(|(_, number)| number).collect(),
            next: 0,
            directory,
            records: Vec::with_capacity(count * RECORD),
            states: 0,
        });
        Ok(())
    }

    /// The image, all layers of which are written. `head` is what a file of it says first.
    pub fn finish(self, total: Natural, head: &[u8]) -> Result<Image, StoreError> {
        let bytes = match self.sink {
            Sink::Memory(sections) => Bytes::Memory(sections),
            Sink::File(file, sections) => {
                let mut said = Vec::new();
                let mut list = |bytes: &[u8]| {
                    said.extend((bytes.len() as u64).to_le_bytes());
                    said.extend_from_slice(bytes);
                };
                list(head);
                list(&total.to_le_bytes());
                said.extend((self.bins.len() as u64).to_le_bytes());
                for (&bins, sections) in self.bins.iter().zip(sections.chunks(SECTIONS)) {
                    said.extend((bins as u64).to_le_bytes());
                    for &(from, length) in sections {
                        said.extend(from.to_le_bytes());
                        said.extend(length.to_le_bytes());
                    }
                }
                Bytes::File(Box::new(file.finish(&said)?), sections)
            }
        };
        Ok(Image { bins: self.bins, bytes, total })
    }
}

impl Image {
    /// The image in a file, of which its writer said this; and what its head is.
    pub fn of_file(file: BlockFile, said: &[u8]) -> Result<(Image, Vec<u8>), StoreError> {
        let Some((bins, sections, total, head)) = read(said) else { return Err(file.damaged()) };
        let body = file.body();
        let is_inside = |&(from, length): &(u64, u64)| from.checked_add(length).is_some_and(|end| end <= body);
        let is_sane = sections.iter().all(is_inside)
            && bins.iter().zip(sections.chunks(SECTIONS)).all(|(&bins, sections)| {
                let is_directory = (1..1 << 32).contains(&bins) && sections[0].1 == bins * 4 + 4;
                is_directory && sections[1].1 % RECORD as u64 == 0
            });
        if !is_sane {
            return Err(file.damaged());
        }
        let bins = bins.into_iter().map(|bins| bins as usize).collect();
        Ok((Image { bins, bytes: Bytes::File(Box::new(file), sections), total }, head))
    }
}

/// The parts of what the writer of an image says.
#[expect(clippy::type_complexity, reason = "they are used once")]
fn read(mut said: &[u8]) -> Option<(Vec<u64>, Vec<(u64, u64)>, Natural, Vec<u8>)> {
    fn part<'a>(said: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
        let (part, rest) = said.split_at_checked(length)?;
        *said = rest;
        Some(part)
    }
    fn number(said: &mut &[u8]) -> Option<u64> {
        part(said, 8).map(|bytes| u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }
    fn list<'a>(said: &mut &'a [u8]) -> Option<&'a [u8]> {
        let length = number(said)?;
        part(said, usize::try_from(length).ok()?)
    }
    let head = list(&mut said)?.to_vec();
    let total = Natural::from_le_bytes(list(&mut said)?);
    let layers = number(&mut said)?;
    let (mut bins, mut sections) = (Vec::new(), Vec::new());
    for _ in 0..layers {
        bins.push(number(&mut said)?);
        for _ in 0..SECTIONS {
            sections.push((number(&mut said)?, number(&mut said)?));
        }
    }
    said.is_empty().then_some((bins, sections, total, head))
}

/// Bytes of the states of a group in the image.
fn encoded_bytes(key: Key, group: &Group) -> u64 {
    let ends = key.ends.count_ones();
    let ranks = if group.count as u128 == pairings(ends) { 0 } else { rank_bytes(pairings(ends)) as u64 };
    group.count as u64 * (ranks + u64::from(group.bits.div_ceil(8)))
}

/// Appends the states of a group.
fn encode(key: Key, group: &Group, chunk: &Chunk, to: &mut Vec<u8>) {
    let ends = key.ends.count_ones();
    let listed = group.ranks..group.ranks + group.count;
    if group.count as u128 != pairings(ends) {
        let size = rank_bytes(pairings(ends));
        match group.how {
            Ranks::All => {}
            Ranks::Listed if size == 2 => {
                to.extend(chunk.ranks[listed].iter().flat_map(|&rank| (rank as u16).to_le_bytes()));
            }
            Ranks::Listed => to.extend(chunk.ranks[listed].iter().flat_map(|rank| rank.to_le_bytes())),
            Ranks::Wide => {
                chunk.wide_ranks[listed].iter().for_each(|rank| to.extend_from_slice(&rank.to_le_bytes()[..size]));
            }
        }
    }
    let width = group.bits.div_ceil(8) as usize;
    match chunk.weights_of(group) {
        Weights::Short(weights) => put(weights.iter().map(|&weight| u64::from(weight)), width, to),
        Weights::Single(weights) => put(weights.iter().copied(), width, to),
        Weights::Long(weights, limbs) => {
            for weight in weights.chunks_exact(limbs) {
                let bytes = weight.iter().flat_map(|limb| limb.to_le_bytes());
                to.extend(bytes.take(width));
            }
        }
    }
}

/// Appends so many of the low bytes of each number.
fn put(weights: impl ExactSizeIterator<Item = u64>, width: usize, to: &mut Vec<u8>) {
    let mut at = to.len();
    let end = at + weights.len() * width;
    to.resize(end + 8, 0);
    for weight in weights {
        // All eight bytes in one go; the next number covers what is too many.
        to[at..at + 8].copy_from_slice(&weight.to_le_bytes());
        at += width;
    }
    to.truncate(end);
}
