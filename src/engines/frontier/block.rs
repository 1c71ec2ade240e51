//! [`StateBlock`]: the states of some groups, in memory or on disk.

use std::sync::Arc;

use super::mask::Mask;
use super::state::MOST_ENDS;
use super::weights::{Weights, bits_of};
use crate::store::{self, Check, Reader, Spill, StoreError, Writer};

/// The states of one key.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Which chunk holds them.
    pub chunk: u32,
    /// From where in its ranks; if the chunk is on disk, where they begin there.
    pub ranks: usize,
    /// From where in its weights.
    pub weights: usize,
    /// How many there are.
    pub count: usize,
    /// The bits of the greatest weight.
    pub bits: u32,
    /// How the ranks are kept.
    pub how: Ranks,
    /// The check of their bytes on disk.
    pub check: u32,
}

impl Group {
    /// Words of 64 bits a weight; 0: 32 bits.
    #[must_use]
    pub fn limbs(&self) -> u32 {
        if self.bits <= 32 { 0 } else { self.bits.div_ceil(64) }
    }

    /// Bytes of the states as they are written.
    #[must_use]
    pub fn bytes(&self) -> u64 {
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
pub enum Ranks {
    /// All ranks occur.
    All,
    /// A rising list.
    Listed,
    /// A rising list of wide numbers.
    Wide,
}

/// The states of some groups.
#[derive(Debug, Default)]
pub struct StateBlock {
    /// The keys of the groups, until they are a layer's.
    pub keys: Vec<Mask>,
    /// The groups, until they are a layer's.
    pub groups: Vec<Group>,
    /// Ranks of all groups, of 32 bits and wide.
    pub ranks: Vec<u32>,
    /// Ranks of the groups with [`Ranks::Wide`].
    pub wide_ranks: Vec<u128>,
    /// Weights of the groups with at most 32 bits.
    pub short_weights: Vec<u32>,
    /// Weights of the others, in limbs of 64 bits.
    pub weights: Vec<u64>,
    /// How many states there are.
    pub states: u64,
    /// States that were looked at to build it.
    pub transitions: u64,
    /// While it grows: how many of its groups have their states on disk already.
    pub written: usize,
    /// Where the ranks and weights are, if they are not here.
    pub spill: Option<Arc<Spill>>,
    /// Where the keys and groups are there, if they are not here.
    pub heads: Option<Heads>,
}

/// Where the keys and groups of a chunk are on disk.
#[derive(Clone, Copy, Debug)]
pub struct Heads {
    at: u64,
    check: u32,
    count: usize,
}

/// Bytes of a key and its group in memory.
pub const HEAD: u64 = (size_of::<Mask>() + size_of::<Group>()) as u64;
/// Bytes of them on disk, with and without the place of the states.
const HEAD_AWAY: usize = 16 + 8 + 8 + 4 + 4 + 1;
const HEAD_SAVED: u64 = 16 + 8 + 4 + 1;

impl StateBlock {
    /// Whether there is something to move to disk: more than the one state of a finished sweep.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.states > 1 && (self.spill.is_none() || !self.keys.is_empty())
    }

    /// How many groups it has, or had before they became a layer's.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.map_or(self.keys.len(), |heads| heads.count)
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sizes = [
            self.keys.len() * size_of::<Mask>(),
            self.groups.len() * size_of::<Group>(),
            self.ranks.len() * 4,
            self.wide_ranks.len() * 16,
            self.short_weights.len() * 4,
            self.weights.len() * 8,
            // With the allocator's own.
            size_of::<StateBlock>() + 64,
        ];
        sizes.iter().map(|&size| size as u64).sum()
    }

    /// Bytes that it takes with its spare room.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        let heads = self.keys.capacity() * size_of::<Mask>() + self.groups.capacity() * size_of::<Group>();
        heads as u64 + self.room_for_states()
    }

    /// Bytes of the lists of states with their spare room.
    #[must_use]
    pub fn room_for_states(&self) -> u64 {
        let sizes = [
            self.ranks.capacity() * 4,
            self.wide_ranks.capacity() * 16,
            self.short_weights.capacity() * 4,
            self.weights.capacity() * 8,
        ];
        sizes.iter().map(|&size| size as u64).sum()
    }

    /// Bytes that this many states more, with weights of this many limbs, may take for a moment: where a list has no room for
    /// them, it moves to one of twice the length.
    #[must_use]
    pub fn growth(&self, states: usize, limbs: usize, is_wide: bool) -> u64 {
        let grown = |len: usize, capacity: usize, more: usize| {
            if len + more <= capacity { 0 } else { (len + more).max(capacity * 2) }
        };
        let ranks = if is_wide {
            grown(self.wide_ranks.len(), self.wide_ranks.capacity(), states) * 16
        } else {
            grown(self.ranks.len(), self.ranks.capacity(), states) * 4
        };
        let heads = grown(self.keys.len(), self.keys.capacity().min(self.groups.capacity()), 1) * HEAD as usize;
        // Weights of one limb may turn out to be short.
        let short = grown(self.short_weights.len(), self.short_weights.capacity(), states) * 4;
        let weights = grown(self.weights.len(), self.weights.capacity(), states * limbs) * 8;
        (heads + ranks + if limbs == 1 { weights.max(short) } else { weights }) as u64
    }

    /// A copy without spare room, and this one empty again.
    #[must_use]
    pub fn take(&mut self) -> StateBlock {
        let copy = StateBlock {
            keys: self.keys.as_slice().to_vec(),
            groups: self.groups.as_slice().to_vec(),
            ranks: self.ranks.as_slice().to_vec(),
            wide_ranks: self.wide_ranks.as_slice().to_vec(),
            short_weights: self.short_weights.as_slice().to_vec(),
            weights: self.weights.as_slice().to_vec(),
            states: self.states,
            transitions: self.transitions,
            written: 0,
            spill: None,
            heads: None,
        };
        self.clear();
        copy
    }

    /// Puts the groups in order, which is that in which they are written to disk, but for those that were.
    pub fn sort(&mut self, order: impl Fn(Mask) -> u32) {
        let (keys, groups) = (&mut self.keys[self.written..], &mut self.groups[self.written..]);
        let mut heads: Vec<(u32, Mask, Group)> =
            keys.iter().zip(&*groups).map(|(&key, &group)| (order(key), key, group)).collect();
        heads.sort_unstable_by_key(|head| head.0);
        for (at, &(_, key, group)) in heads.iter().enumerate() {
            (keys[at], groups[at]) = (key, group);
        }
    }

    /// Whether it has states that are not on disk.
    #[must_use]
    pub fn has_states(&self) -> bool {
        self.written < self.groups.len()
    }

    /// Moves the states that it has so far to disk, and goes on growing.
    pub fn write(&mut self, spill: &Spill) -> Result<(), StoreError> {
        let states = self.groups[self.written..].iter().map(|group| (group, &*self));
        let places = write_away(states, spill, || Ok::<(), StoreError>(()))?;
        for (group, place) in self.groups[self.written..].iter_mut().zip(places) {
            (group.ranks, group.check) = place;
        }
        self.written = self.groups.len();
        self.drop_states();
        Ok(())
    }

    /// A copy on disk, and this one empty again.
    pub fn take_away(&mut self, spill: &Arc<Spill>) -> Result<StateBlock, StoreError> {
        let result = self.write(spill).and_then(|()| {
            let heads = Some(self.write_heads(spill)?);
            let (states, transitions) = (self.states, self.transitions);
            Ok(StateBlock { states, transitions, heads, spill: Some(Arc::clone(spill)), ..StateBlock::default() })
        });
        self.clear();
        result
    }

    /// Makes it empty.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.groups.clear();
        self.ranks.clear();
        self.wide_ranks.clear();
        self.short_weights.clear();
        self.weights.clear();
        (self.states, self.transitions, self.written) = (0, 0, 0);
    }

    fn drop_states(&mut self) {
        (self.ranks, self.wide_ranks) = (Vec::new(), Vec::new());
        (self.short_weights, self.weights) = (Vec::new(), Vec::new());
    }
}

/// The states of a group as they are written: the ranks, then the weights. They are put behind `to`, and each piece is shown.
fn write_states<E>(
    chunk: &StateBlock,
    group: &Group,
    to: &mut Vec<u8>,
    mut show: impl FnMut(&mut Vec<u8>, usize) -> Result<(), E>,
) -> Result<(), E> {
    fn put<T: Copy, const N: usize, E>(
        numbers: &[T],
        bytes_of: impl Fn(T) -> [u8; N],
        to: &mut Vec<u8>,
        show: &mut impl FnMut(&mut Vec<u8>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in numbers.chunks(PIECE / N) {
            let from = to.len();
            to.extend(piece.iter().flat_map(|&number| bytes_of(number)));
            show(to, from)?;
        }
        Ok(())
    }
    let listed = group.ranks..group.ranks + group.count;
    match group.how {
        Ranks::All => {}
        Ranks::Listed => put(&chunk.ranks[listed], u32::to_le_bytes, to, &mut show)?,
        Ranks::Wide => put(&chunk.wide_ranks[listed], u128::to_le_bytes, to, &mut show)?,
    }
    match chunk.weights_of(group) {
        Weights::Short(weights) => put(weights, u32::to_le_bytes, to, &mut show),
        Weights::Single(weights) | Weights::Long(weights, _) => put(weights, u64::to_le_bytes, to, &mut show),
    }
}

/// Bytes of states that are written at a time.
const PIECE: usize = 1 << 16;
/// Bytes that writing them takes: two pieces, and the heads of the groups.
pub const WRITING: u64 = 3 * PIECE as u64;

/// Writes the states of groups to disk, each from the chunk that holds it, and says where they are with the check of each.
/// `go_on` is asked from time to time.
pub fn write_away<'c, E: From<StoreError>>(
    groups: impl ExactSizeIterator<Item = (&'c Group, &'c StateBlock)> + Clone,
    spill: &Spill,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<Vec<(usize, u32)>, E> {
    let mut places = Vec::with_capacity(groups.len());
    let mut bytes = Vec::with_capacity(2 * PIECE);
    let mut at = spill.reserve(groups.clone().map(|(group, _)| group.bytes()).sum());
    for (group, chunk) in groups {
        let place = at as usize + bytes.len();
        let mut check = Check::default();
        write_states(chunk, group, &mut bytes, |bytes, from| {
            check.update(&bytes[from..]);
            if bytes.len() >= PIECE {
                go_on()?;
                spill.write(bytes, at)?;
                at += bytes.len() as u64;
                bytes.clear();
            }
            Ok::<(), E>(())
        })?;
        places.push((place, check.finalize()));
    }
    go_on()?;
    spill.write(&bytes, at)?;
    Ok(places)
}

/// Writes groups to a file, their states from the chunks that hold them: [`StateBlock::restore`] reads them back.
pub fn save<'c>(
    keys: &[Mask],
    groups: &[Group],
    transitions: u64,
    chunk_of: impl Fn(&Group) -> &'c StateBlock,
    to: &mut Writer,
) -> Result<(), StoreError> {
    to.number(keys.len() as u64)?;
    to.number(transitions)?;
    for (key, group) in keys.iter().zip(groups) {
        to.number(key.ends)?;
        to.number(key.full)?;
        to.number(group.count as u64)?;
        to.bytes(&group.bits.to_le_bytes())?;
        to.bytes(&[group.how as u8])?;
    }
    let mut bytes = Vec::new();
    for group in groups {
        let chunk = chunk_of(group);
        if let Some(spill) = &chunk.spill {
            bytes.resize(group.bytes() as usize, 0);
            spill.read(&mut bytes, group.ranks as u64, group.check)?;
            to.bytes(&bytes)?;
        } else {
            bytes.clear();
            write_states(chunk, group, &mut bytes, |bytes, _| {
                to.bytes(bytes)?;
                bytes.clear();
                Ok::<(), StoreError>(())
            })?;
        }
    }
    Ok(())
}

impl StateBlock {
    /// Adds the states of a group from its bytes; says where they are now.
    pub fn append(&mut self, group: &Group, bytes: &[u8]) -> Group {
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

    /// Moves it to disk. If that fails all is as it was.
    pub fn spill(&mut self, spill: &Arc<Spill>) -> Result<(), StoreError> {
        if !self.is_in_memory() {
            return Ok(());
        }
        if self.spill.is_none() {
            let states = self.groups.iter().map(|group| (group, &*self));
            let places = write_away(states, spill, || Ok::<(), StoreError>(()))?;
            for (group, place) in self.groups.iter_mut().zip(places) {
                (group.ranks, group.check) = place;
            }
            self.forget(spill);
        }
        // Keys and groups go where the states are, so that they vanish with them.
        let spill = self.spill.as_ref().unwrap_or(spill);
        self.heads = Some(self.write_heads(spill)?);
        (self.keys, self.groups) = (Vec::new(), Vec::new());
        Ok(())
    }

    fn write_heads(&self, spill: &Spill) -> Result<Heads, StoreError> {
        let mut bytes = Vec::with_capacity(self.keys.len() * HEAD_AWAY);
        for (key, group) in self.keys.iter().zip(&self.groups) {
            bytes.extend(key.number().to_le_bytes());
            bytes.extend((group.ranks as u64).to_le_bytes());
            bytes.extend((group.count as u64).to_le_bytes());
            bytes.extend(group.bits.to_le_bytes());
            bytes.extend(group.check.to_le_bytes());
            bytes.push(group.how as u8);
        }
        Ok(Heads { at: spill.append(&bytes)?, check: store::check(&bytes), count: self.keys.len() })
    }

    /// The states are on disk now.
    pub fn forget(&mut self, spill: &Arc<Spill>) {
        self.drop_states();
        self.spill = Some(Arc::clone(spill));
    }

    /// Shows each group with its key; reads them if need be.
    pub fn each_head(&self, mut show: impl FnMut(Mask, Group)) -> Result<(), StoreError> {
        let (Some(spill), Some(heads)) = (&self.spill, self.heads) else {
            self.keys.iter().zip(&self.groups).for_each(|(&key, &group)| show(key, group));
            return Ok(());
        };
        let mut bytes = vec![0; heads.count * HEAD_AWAY];
        spill.read(&mut bytes, heads.at, heads.check)?;
        for head in bytes.as_chunks::<HEAD_AWAY>().0 {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
            let half = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
            let how = match head[40] {
                0 => Ranks::All,
                1 => Ranks::Listed,
                _ => Ranks::Wide,
            };
            let group = Group {
                chunk: 0,
                ranks: word(16) as usize,
                weights: 0,
                count: word(24) as usize,
                bits: half(32),
                how,
                check: half(36),
            };
            show(Mask { ends: word(8), full: word(0) }, group);
        }
        Ok(())
    }

    /// Shows each group with its key and has them no longer.
    pub fn give_heads(&mut self, show: impl FnMut(Mask, Group)) -> Result<(), StoreError> {
        self.each_head(show)?;
        (self.keys, self.groups, self.heads) = (Vec::new(), Vec::new(), None);
        Ok(())
    }

    /// Writes the chunk to a file.
    pub fn save(&self, to: &mut Writer) -> Result<(), StoreError> {
        if self.heads.is_none() {
            return save(&self.keys, &self.groups, self.transitions, |_| self, to);
        }
        let (mut keys, mut groups) = (Vec::new(), Vec::new());
        self.each_head(|key, group| {
            keys.push(key);
            groups.push(group);
        })?;
        save(&keys, &groups, self.transitions, |_| self, to)
    }

    /// Reads a chunk from a file. `room` is asked before this many bytes are taken.
    pub fn restore<E: From<StoreError>>(
        from: &mut Reader,
        narrow_ends: u32,
        mut room: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<StateBlock, E> {
        let count = from.count(HEAD_SAVED)?;
        let mut chunk = StateBlock { transitions: from.amount()?, ..StateBlock::default() };
        room(count as u64 * HEAD)?;
        let mut bytes_left = from.left().saturating_sub(count as u64 * HEAD_SAVED);
        let mut sizes = [0usize; 4];
        for _ in 0..count {
            let key = Mask { ends: from.number()?, full: from.number()? };
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

impl StateBlock {
    /// The weights of a group that is in memory.
    #[must_use]
    pub fn weights_of(&self, group: &Group) -> Weights<'_> {
        let (from, count) = (group.weights, group.count);
        match group.limbs() {
            0 => Weights::Short(&self.short_weights[from..from + count]),
            1 => Weights::Single(&self.weights[from..from + count]),
            limbs => Weights::Long(&self.weights[from..from + count * limbs as usize], limbs as usize),
        }
    }

    /// Where the weights of a group with this many bits will begin.
    #[must_use]
    pub fn weights_from(&self, bits: u32) -> usize {
        if bits <= 32 { self.short_weights.len() } else { self.weights.len() }
    }

    /// Appends a weight of a group with this many bits.
    pub fn push_weight(&mut self, sum: &[u64], bits: u32) {
        if bits <= 32 {
            self.short_weights.push(sum[0] as u32);
        } else {
            self.weights.extend_from_slice(&sum[..bits.div_ceil(64) as usize]);
        }
    }

    /// Adds the group of what was appended.
    pub fn add(&mut self, key: Mask, count: usize, ranks: usize, weights: usize, bits: u32, how: Ranks) {
        self.keys.push(key);
        self.groups.push(Group { chunk: 0, ranks, weights, count, bits, how, check: 0 });
        self.states += count as u64;
    }
}
