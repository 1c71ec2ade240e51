//! [`LayerIndex`]: all layers of a sweep as bytes, in memory or in a file, to look weights up in.
//!
//! A layer has two sections. All numbers are little-endian.
//!
//! | section | what |
//! |---|---|
//! | directory | for each bin of groups ([`super::partition`]) where it begins, in 64 bits; and where the last one ends |
//! | bins | one after another; of one without groups nothing |
//!
//! | a bin | what |
//! |---|---|
//! | 32 bits | how many groups it has |
//! | records | 32 bytes a group: key (128 bits), where its states begin (48), how many there are (48), bytes of a weight (32) |
//! | states | of each group which ranks occur ([`RankSet`]), then the weights of those, in order |
//!
//! Groups that the step after the layer can join with one state are of one bin: all that a step back from a state may ask for
//! is close by. Within a bin the keys rise.

use std::path::PathBuf;

use super::block::{Group, StateBlock};
use super::layer::Layer;
use super::mask::Mask;
use super::natural::Natural;
use super::partition::Partition;
use super::plan::Plan;
use super::scratch::Loaded;
use super::state::{MOST_ENDS, pairings};
use crate::run::{Budget, Halt};
use crate::store::{Asked, BlockFile, BlockWriter, StoreError};

/// Bytes of a group's record.
const RECORD: usize = 32;
/// Bytes before the records of a bin.
const COUNT: usize = 4;
/// Bytes of a place in the directory.
const PLACE: usize = 8;
/// Sections of a layer.
const SECTIONS: usize = 2;

/// The bytes of sections.
#[derive(Debug)]
enum Bytes {
    Memory(Vec<Vec<u8>>),
    /// Where each begins in the body of the file, and its length.
    File(Box<BlockFile>, Vec<(u64, u64)>),
}

impl Bytes {
    #[inline]
    fn get(&self, section: usize, at: u64, length: usize, asked: &mut Asked) -> Result<&[u8], Lack> {
        match self {
            Bytes::Memory(sections) => {
                let at = at as usize;
                sections[section].get(at..at + length).ok_or_else(|| Lack::Sense(self.damaged()))
            }
            Bytes::File(file, sections) => {
                let (from, size) = sections[section];
                if at.checked_add(length as u64).is_none_or(|end| end > size) {
                    return Err(Lack::Sense(file.damaged()));
                }
                file.bytes(from + at, length, asked)?.ok_or(Lack::Bytes)
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

/// What is lacking to answer.
#[derive(Debug)]
pub enum Lack {
    /// Bytes that were asked for just now.
    Bytes,
    /// Any sense in the bytes.
    Sense(StoreError),
}

impl From<StoreError> for Lack {
    fn from(error: StoreError) -> Lack {
        Lack::Sense(error)
    }
}

/// How a file says which ranks of a group occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RankSet {
    /// All do: not at all.
    All,
    /// Lines of 64 bytes: how many occur of the ranks in the lines before (32 bits), and a bit for each of the next
    /// [`LINE_RANKS`] ranks. So one line says whether a rank occurs and where its weight is.
    Lines,
    /// A list of those that do, rising, of this many bytes each: where that is shorter.
    List(u32),
}

/// Bytes of a line, and ranks that it tells of.
const LINE: usize = 64;
const LINE_RANKS: usize = 8 * (LINE - 4);

impl RankSet {
    /// How a file says which `count` of all pairings occur, and in how many bytes.
    fn of(count: u64, pairings: u128) -> (RankSet, u64) {
        if u128::from(count) == pairings {
            return (RankSet::All, 0);
        }
        let size = match pairings {
            0..=0x1_0000 => 2,
            0x1_0001..=0x1_0000_0000 => 4,
            _ => 16,
        };
        let list = count * size;
        match u64::try_from(pairings.div_ceil(LINE_RANKS as u128)) {
            Ok(lines) if size < 16 && lines * LINE as u64 <= list => (RankSet::Lines, lines * LINE as u64),
            _ => (RankSet::List(size as u32), list),
        }
    }
}

/// Where a key's states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Of what tells the ranks, and of the weights.
    at: u64,
    weights_at: u64,
    count: u64,
    rank_set: RankSet,
    /// Bytes of a weight.
    width: u32,
}

/// The bits of a place or of a number of states.
const LOW: u64 = (1 << 48) - 1;

/// All layers but the last, which is the total.
#[derive(Debug)]
pub struct LayerIndex {
    /// How many bins the groups of each layer are in.
    bins: Vec<usize>,
    bytes: Bytes,
    total: Natural,
}

impl LayerIndex {
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

    /// Waits for what was asked for.
    pub fn wait(&self, asked: &mut Asked) -> Result<(), StoreError> {
        self.file().map_or(Ok(()), |file| file.wait(asked))
    }

    /// Looks a key up in the layer before a step.
    pub fn find(&self, plan: &Plan, layer: usize, key: Mask, asked: &mut Asked) -> Result<Option<Found>, Lack> {
        let bin = Partition::new(plan, layer, self.bins[layer]).of(key);
        let bounds = self.bytes.get(layer * SECTIONS, (bin * PLACE) as u64, 2 * PLACE, asked)?;
        let &[begin, end] = bounds.as_chunks::<PLACE>().0 else { return Err(self.damaged().into()) };
        if begin == end {
            return Ok(None);
        }
        let section = layer * SECTIONS + 1;
        let begin = u64::from_le_bytes(begin);
        let records = begin.saturating_add(COUNT as u64);
        let count = self.bytes.get(section, begin, COUNT, asked)?;
        let &[count] = count.as_chunks().0 else { return Err(self.damaged().into()) };
        let count = u64::from(u32::from_le_bytes(count));
        let at = self.search(section, (records, RECORD), count, (16, key.number()), asked)?;
        let Some(at) = at else { return Ok(None) };
        let rest = self.bytes.get(section, records + at * RECORD as u64 + 16, 16, asked)?;
        let &[rest] = rest.as_chunks().0 else { return Err(self.damaged().into()) };
        let rest = u128::from_le_bytes(rest);
        let (at, count, width) = (rest as u64 & LOW, (rest >> 48) as u64 & LOW, (rest >> 96) as u32);
        let ends = key.ends.count_ones();
        let pairings = pairings(ends);
        if ends > MOST_ENDS || u128::from(count) > pairings {
            return Err(self.damaged().into());
        }
        let (rank_set, bytes) = RankSet::of(count, pairings);
        Ok(Some(Found { at, weights_at: at.saturating_add(bytes), count, rank_set, width }))
    }

    /// The weight of a rank, lowest byte first.
    #[inline]
    pub fn weight(&self, layer: usize, found: &Found, rank: u128, asked: &mut Asked) -> Result<Option<&[u8]>, Lack> {
        let Found { at, weights_at, count, rank_set, width } = *found;
        let section = layer * SECTIONS + 1;
        let place = match rank_set {
            RankSet::All => Some(rank as u64),
            RankSet::Lines => {
                let (line, at_line) = (rank as u64 / LINE_RANKS as u64, rank as usize % LINE_RANKS + 32);
                let line = self.bytes.get(section, at.saturating_add(line * LINE as u64), LINE, asked)?;
                let Ok(words) = <[[u8; 8]; LINE / 8]>::try_from(line.as_chunks().0) else {
                    return Err(self.damaged().into());
                };
                place_in_line(words.map(u64::from_le_bytes), at_line)
            }
            RankSet::List(size) => {
                let size = size as usize;
                self.search(section, (at, size), count, (size, rank), asked)?
            }
        };
        let Some(place) = place else { return Ok(None) };
        // In a file that makes no sense this may be anything; a place beyond its end is refused.
        let at = weights_at.saturating_add(place.saturating_mul(width.into()));
        self.bytes.get(section, at, width as usize, asked).map(Some)
    }

    /// Searches a list of `count` rising numbers: the first `size` bytes of what takes `stride` bytes each. Of a long list
    /// the least is read.
    #[inline]
    fn search(
        &self,
        section: usize,
        (at, stride): (u64, usize),
        count: u64,
        (size, number): (usize, u128),
        asked: &mut Asked,
    ) -> Result<Option<u64>, Lack> {
        if count * stride as u64 <= NEAR {
            let list = self.bytes.get(section, at, count as usize * stride, asked)?;
            let place = match (stride, size) {
                (2, _) => list.as_chunks().0.binary_search_by_key(&(number as u16), |&n| u16::from_le_bytes(n)),
                (4, _) => list.as_chunks().0.binary_search_by_key(&(number as u32), |&n| u32::from_le_bytes(n)),
                (16, _) => list.as_chunks().0.binary_search_by_key(&number, |&n| u128::from_le_bytes(n)),
                _ => {
                    let halves = list.as_chunks::<16>().0.as_chunks::<2>().0;
                    halves.binary_search_by_key(&number, |&[key, _]| u128::from_le_bytes(key))
                }
            };
            return Ok(place.ok().map(|place| place as u64));
        }
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let bytes = self.bytes.get(section, at.saturating_add(middle * stride as u64), size, asked)?;
            let found = bytes.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
            match found.cmp(&number) {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

/// How many ranks occur before that of a bit of a line, if it occurs itself.
#[inline]
fn place_in_line(mut words: [u64; LINE / 8], bit: usize) -> Option<u64> {
    let before = words[0] & 0xffff_ffff;
    words[0] ^= before;
    let (word, bit) = (bit / 64, bit % 64);
    let is_there = words[word] >> bit & 1 != 0;
    let ones = |word: u64| u64::from(word.count_ones());
    let earlier = words[..word].iter().map(|&word| ones(word)).sum::<u64>();
    is_there.then(|| before + earlier + ones(words[word] & ((1 << bit) - 1)))
}

/// Groups for which there is a bin: with fewer, most bins would be empty, since groups that go together are many.
const GROUPS_A_BIN: usize = 8;

/// Lists of at most this many bytes are looked at as a whole.
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
    /// Where each bin begins among them, and where the last one ends.
    bounds: Vec<u32>,
    /// How many of the groups are written, and how many bins were begun.
    next: usize,
    bin: usize,
    directory: Vec<u8>,
    /// Bytes of bins written.
    written: u64,
}

/// An image being written, layer by layer.
#[derive(Debug)]
pub struct LayerIndexWriter {
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

impl LayerIndexWriter {
    /// An image in memory, or in a file.
    #[must_use]
    pub fn new(file: Option<BlockWriter>) -> LayerIndexWriter {
        let sink = match file {
            None => Sink::Memory(Vec::new()),
            Some(file) => Sink::File(Box::new(file), Vec::new()),
        };
        LayerIndexWriter {
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
            self.buffer.clear();
            let upto = work.order.len().min(work.next + GROUPS);
            while work.next < upto {
                work.begin_bin(layer, &mut self.buffer);
                for &number in &work.order[work.next..upto.min(work.bounds[work.bin] as usize)] {
                    let key = layer.keys[number as usize];
                    let (group, block) = layer.source(number, &mut self.loaded)?;
                    encode(key, group, block, &mut self.buffer);
                    work.next += 1;
                }
            }
            work.written += self.buffer.len() as u64;
            match &mut self.sink {
                Sink::Memory(sections) => {
                    if let Some(bins) = sections.last_mut() {
                        bins.extend_from_slice(&self.buffer);
                    }
                }
                Sink::File(file, _) => file.bytes(&self.buffer)?,
            }
        }
        let Work { bounds, bin, mut directory, written, .. } = self.work.take().unwrap_or_else(|| unreachable!());
        bounds[bin..].iter().for_each(|_| directory.extend(written.to_le_bytes()));
        match &mut self.sink {
            Sink::Memory(sections) => {
                let bins = sections.pop().unwrap_or_default();
                debug_assert_eq!(bins.len(), bins.capacity(), "the sizes are known before");
                sections.extend([directory, bins]);
            }
            Sink::File(file, sections) => {
                let at = file.position();
                sections.push((at, directory.len() as u64));
                sections.push((at - written, written));
                file.bytes(&directory)?;
            }
        }
        Ok(())
    }

    /// Puts the groups of a layer in order, and takes the memory for it.
    fn begin(&mut self, plan: &Plan, layer: &Layer, own: u64, budget: &Budget) -> Result<(), Halt> {
        let count = layer.keys.len();
        let states: u64 = layer.keys.iter().zip(&layer.groups).map(|(&key, group)| encoded_bytes(key, group)).sum();
        let is_in_memory = matches!(self.sink, Sink::Memory(_));
        let bins = Partition::new(plan, self.bins.len(), count / GROUPS_A_BIN);
        let directory_bytes = (bins.count() + 1) * PLACE;
        let records = (count * RECORD + bins.count().min(count) * COUNT) as u64;
        // Of a file the records of one bin are in memory, which may be all.
        let needed = directory_bytes as u64 + records + if is_in_memory { states } else { 0 };
        // The order, which takes as much again twice while it is sorted, and the bounds.
        self.bytes_needed = own + self.held + needed + count as u64 * 24;
        budget.check_memory(self.bytes_needed)?;
        let mut order: Vec<(u32, u32)> =
            layer.keys.iter().zip(0..).map(|(&key, number)| (bins.of(key) as u32, number)).collect();
        order.sort_unstable_by_key(|&(bin, number)| (bin, layer.keys[number as usize].number()));
        let mut bounds = Vec::with_capacity(bins.count() + 1);
        let (mut first, mut filled) = (0u32, 0);
        for bin in 0..=bins.count() as u32 {
            bounds.push(first);
            let groups = order[first as usize..].iter().take_while(|&&(of, _)| of == bin).count();
            first += groups as u32;
            filled += u64::from(groups > 0);
        }
        if let Sink::Memory(sections) = &mut self.sink {
            sections.push(Vec::with_capacity((states + filled * COUNT as u64) as usize + count * RECORD));
            self.held += needed;
        }
        self.bins.push(bins.count());
        self.work = Some(Work {
            order: order.into_iter().map(|(_, number)| number).collect(),
            bounds,
            next: 0,
            bin: 0,
            directory: Vec::with_capacity(directory_bytes),
            written: 0,
        });
        Ok(())
    }

    /// The image, all layers of which are written. `head` is what a file of it says first.
    pub fn finish(self, total: Natural, head: &[u8]) -> Result<LayerIndex, StoreError> {
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
        Ok(LayerIndex { bins: self.bins, bytes, total })
    }
}

impl Work {
    /// Where a bin begins, notes that, and appends its records to what is in the buffer already.
    fn begin_bin(&mut self, layer: &Layer, to: &mut Vec<u8>) {
        let first = self.next as u32;
        if self.bounds[self.bin] != first {
            return;
        }
        let begin = self.written + to.len() as u64;
        // Those without groups begin where the next one does.
        while self.bounds[self.bin] == first {
            self.directory.extend(begin.to_le_bytes());
            self.bin += 1;
        }
        let groups = &self.order[self.next..self.bounds[self.bin] as usize];
        to.extend((groups.len() as u32).to_le_bytes());
        let mut at = begin + (COUNT + groups.len() * RECORD) as u64;
        for &number in groups {
            let (key, group) = (layer.keys[number as usize], &layer.groups[number as usize]);
            to.extend(key.number().to_le_bytes());
            to.extend_from_slice(&at.to_le_bytes()[..6]);
            to.extend_from_slice(&(group.count as u64).to_le_bytes()[..6]);
            to.extend(group.bits.div_ceil(8).to_le_bytes());
            at += encoded_bytes(key, group);
        }
    }
}

impl LayerIndex {
    /// The image in a file, of which its writer said this; and what its head is.
    pub fn of_file(file: BlockFile, said: &[u8]) -> Result<(LayerIndex, Vec<u8>), StoreError> {
        let Some((bins, sections, total, head)) = read(said) else { return Err(file.damaged()) };
        let body = file.body();
        let is_inside = |&(from, length): &(u64, u64)| from.checked_add(length).is_some_and(|end| end <= body);
        let is_sane = sections.iter().all(is_inside)
            && bins
                .iter()
                .zip(sections.chunks(SECTIONS))
                .all(|(&bins, sections)| (1..1 << 32).contains(&bins) && sections[0].1 == (bins + 1) * PLACE as u64);
        if !is_sane {
            return Err(file.damaged());
        }
        let bins = bins.into_iter().map(|bins| bins as usize).collect();
        // Every tour goes by them.
        sections.iter().step_by(SECTIONS).for_each(|&(from, length)| file.ask(from, length));
        Ok((LayerIndex { bins, bytes: Bytes::File(Box::new(file), sections), total }, head))
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
fn encoded_bytes(key: Mask, group: &Group) -> u64 {
    let (_, ranks) = RankSet::of(group.count as u64, pairings(key.ends.count_ones()));
    ranks + group.count as u64 * group.width() as u64
}

/// Appends the states of a group.
fn encode(key: Mask, group: &Group, block: &StateBlock, to: &mut Vec<u8>) {
    tell(block.ranks_of(group).take(group.count), key, group.count, to);
    to.extend_from_slice(block.weight_bytes(group));
}

/// Appends which ranks occur.
fn tell(ranks: impl Iterator<Item = u128>, key: Mask, count: usize, to: &mut Vec<u8>) {
    match RankSet::of(count as u64, pairings(key.ends.count_ones())) {
        (RankSet::All, _) => {}
        (RankSet::Lines, bytes) => {
            let from = to.len();
            to.resize(from + bytes as usize, 0);
            let (lines, _) = to[from..].as_chunks_mut::<LINE>();
            let mut begun = 0;
            for (before, rank) in (0u32..).zip(ranks) {
                let (line, bit) = (rank as usize / LINE_RANKS, rank as usize % LINE_RANKS + 32);
                lines[begun..=line].iter_mut().for_each(|line| line[..4].copy_from_slice(&before.to_le_bytes()));
                begun = line + 1;
                lines[line][bit / 8] |= 1 << (bit % 8);
            }
            // In those after the last rank there is nothing to find.
        }
        (RankSet::List(size), _) => ranks.for_each(|rank| to.extend_from_slice(&rank.to_le_bytes()[..size as usize])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines say of each rank whether it occurs, and how many do before.
    #[test]
    fn lines_of_bits() {
        let pairings = 2027025;
        for step in [1, 2, 3, 7, 29] {
            let ranks: Vec<u128> = (step - 1..pairings).step_by(step as usize).collect();
            let (rank_set, bytes) = RankSet::of(ranks.len() as u64, pairings);
            assert_eq!(rank_set == RankSet::Lines, step == 2 || step == 3 || step == 7 || step == 29, "{step}");
            let mut to = vec![7; 5];
            tell(ranks.iter().copied(), Mask { ends: (1 << 16) - 1, full: 0 }, ranks.len(), &mut to);
            assert_eq!(to.len() as u64, 5 + bytes);
            let (lines, _) = to[5..].as_chunks::<LINE>();
            for rank in 0..if rank_set == RankSet::Lines { pairings as usize } else { 0 } {
                let line = lines[rank / LINE_RANKS].as_chunks().0.to_vec().try_into().unwrap();
                let words: [[u8; 8]; LINE / 8] = line;
                let place = place_in_line(words.map(u64::from_le_bytes), rank % LINE_RANKS + 32);
                let step = step as usize;
                assert_eq!(place, (rank % step == step - 1).then_some((rank / step) as u64), "{rank}");
            }
        }
        assert_eq!(RankSet::of(10, 945), (RankSet::List(2), 20));
        assert_eq!(RankSet::of(1, 1), (RankSet::All, 0));
        assert_eq!(RankSet::of(1, super::pairings(56)), (RankSet::List(16), 16));
    }
}
