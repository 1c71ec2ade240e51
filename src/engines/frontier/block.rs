//! [`StateBlock`]: the states of some groups, in memory or on disk.

use std::sync::Arc;

use super::mask::Mask;
use super::ranks::{Cursor, Ranks};
use super::state::MOST_ENDS;
use super::weights::Weights;
use crate::store::{self, Check, Reader, Spill, StoreError, Writer};

/// The states of one key.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Which block holds them.
    pub block: u32,
    /// How the ranks are kept.
    pub how: Ranks,
    /// From where in its words of ranks; if the block is on disk, where they begin there.
    pub ranks: usize,
    /// From where in its bytes of weights.
    pub weights: usize,
    /// How many there are.
    pub count: usize,
    /// The bits of the greatest weight.
    pub bits: u32,
    /// The check of their bytes on disk.
    pub check: u32,
}

impl Group {
    /// Bytes of a weight.
    #[inline]
    #[must_use]
    pub fn width(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// Bytes of the states as they are written.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.how.words(self.count) * 4 + self.count * self.width()) as u64
    }
}

/// The states of some groups.
#[derive(Debug, Default)]
pub struct StateBlock {
    /// The keys of the groups, until they are a layer's.
    pub keys: Vec<Mask>,
    /// The groups, until they are a layer's.
    pub groups: Vec<Group>,
    /// Words that tell the ranks of all groups.
    ranks: Vec<u32>,
    /// Their weights, of as many bytes as the greatest of a group needs.
    weights: Vec<u8>,
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

/// Where the keys and groups of a block are on disk.
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
            self.weights.len(),
            // With the allocator's own.
            size_of::<StateBlock>() + 64,
        ];
        sizes.iter().map(|&size| size as u64).sum()
    }

    /// Bytes of its weights alone.
    #[must_use]
    pub fn bytes_of_weights(&self) -> u64 {
        self.weights.len() as u64
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
        (self.ranks.capacity() * 4 + self.weights.capacity()) as u64
    }

    /// Bytes that this many states more, with weights of at most this many bytes, may take for a moment: where a list has no
    /// room for them, it moves to one of twice the length.
    #[must_use]
    pub fn growth(&self, states: usize, width: usize, is_wide: bool) -> u64 {
        let grown = |len: usize, capacity: usize, more: usize| {
            if len + more <= capacity { 0 } else { (len + more).max(capacity * 2) }
        };
        let words = if is_wide { 4 * states } else { states };
        let ranks = grown(self.ranks.len(), self.ranks.capacity(), words) * 4;
        let heads = grown(self.keys.len(), self.keys.capacity().min(self.groups.capacity()), 1) * HEAD as usize;
        let weights = grown(self.weights.len(), self.weights.capacity(), states * width + SPARE);
        (heads + ranks + weights) as u64
    }

    /// A copy without spare room, and this one empty again.
    #[must_use]
    pub fn take(&mut self) -> StateBlock {
        let copy = StateBlock {
            keys: self.keys.as_slice().to_vec(),
            groups: self.groups.as_slice().to_vec(),
            ranks: self.ranks.as_slice().to_vec(),
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

    /// The same in pieces, each with the groups for which `piece_of` says its number.
    #[must_use]
    pub fn take_pieces(&mut self, pieces: usize, piece_of: impl Fn(Mask) -> usize) -> Vec<StateBlock> {
        if pieces == 1 {
            return vec![self.take()];
        }
        let pieces_of: Vec<u8> = self.keys.iter().map(|&key| piece_of(key) as u8).collect();
        let mut blocks: Vec<StateBlock> = (0..pieces).map(|_| StateBlock::default()).collect();
        let mut sizes = vec![[0; 3]; pieces];
        for (group, &piece) in self.groups.iter().zip(&pieces_of) {
            let [groups, words, bytes] = &mut sizes[usize::from(piece)];
            *groups += 1;
            *words += group.how.words(group.count);
            *bytes += group.count * group.width();
        }
        for (block, [groups, words, bytes]) in blocks.iter_mut().zip(sizes) {
            block.keys.reserve_exact(groups);
            block.groups.reserve_exact(groups);
            block.ranks.reserve_exact(words);
            block.weights.reserve_exact(bytes);
        }
        for ((&key, group), &piece) in self.keys.iter().zip(&self.groups).zip(&pieces_of) {
            let block = &mut blocks[usize::from(piece)];
            block.keys.push(key);
            block.groups.push(Group { ranks: block.ranks.len(), weights: block.weights.len(), ..*group });
            block.ranks.extend_from_slice(self.words_of(group));
            block.weights.extend_from_slice(self.weight_bytes(group));
            block.states += group.count as u64;
        }
        blocks[0].transitions = self.transitions;
        self.clear();
        blocks
    }

    /// Gives its states up: nobody asks for them any more.
    pub fn release(&mut self) {
        self.drop_states();
        self.states = 0;
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
        self.weights.clear();
        (self.states, self.transitions, self.written) = (0, 0, 0);
    }

    fn drop_states(&mut self) {
        (self.ranks, self.weights) = (Vec::new(), Vec::new());
    }
}

/// The states of a group as they are written: the ranks, then the weights. They are put behind `to`, and each piece is shown.
fn write_states<E>(
    block: &StateBlock,
    group: &Group,
    to: &mut Vec<u8>,
    mut show: impl FnMut(&mut Vec<u8>, usize) -> Result<(), E>,
) -> Result<(), E> {
    for words in block.words_of(group).chunks(PIECE / 4) {
        let from = to.len();
        to.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        show(to, from)?;
    }
    for bytes in block.weight_bytes(group).chunks(PIECE) {
        let from = to.len();
        to.extend_from_slice(bytes);
        show(to, from)?;
    }
    Ok(())
}

/// Bytes of states that are written at a time.
const PIECE: usize = 1 << 16;
/// Bytes that writing them takes: two pieces, and the heads of the groups.
pub const WRITING: u64 = 3 * PIECE as u64;

/// Writes the states of groups to disk, each from the block that holds it, and says where they are with the check of each.
/// `go_on` is asked from time to time.
pub fn write_away<'c, E: From<StoreError>>(
    groups: impl ExactSizeIterator<Item = (&'c Group, &'c StateBlock)> + Clone,
    spill: &Spill,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<Vec<(usize, u32)>, E> {
    let mut places = Vec::with_capacity(groups.len());
    let mut bytes = Vec::with_capacity(2 * PIECE);
    let mut at = spill.reserve(groups.clone().map(|(group, _)| group.bytes()).sum());
    for (group, block) in groups {
        let place = at as usize + bytes.len();
        let mut check = Check::default();
        write_states(block, group, &mut bytes, |bytes, from| {
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

/// Writes groups to a file, their states from the blocks that hold them: [`StateBlock::restore`] reads them back.
pub fn save<'c>(
    keys: &[Mask],
    groups: &[Group],
    transitions: u64,
    block_of: impl Fn(&Group) -> &'c StateBlock,
    to: &mut Writer,
) -> Result<(), StoreError> {
    to.number(keys.len() as u64)?;
    to.number(transitions)?;
    for (key, group) in keys.iter().zip(groups) {
        to.number(key.ends)?;
        to.number(key.full)?;
        to.number(group.count as u64)?;
        to.bytes(&group.bits.to_le_bytes())?;
        to.bytes(&[group.how.code()])?;
    }
    let mut bytes = Vec::new();
    for group in groups {
        let block = block_of(group);
        if let Some(spill) = &block.spill {
            bytes.resize(group.bytes() as usize, 0);
            spill.read(&mut bytes, group.ranks as u64, group.check)?;
            to.bytes(&bytes)?;
        } else {
            bytes.clear();
            write_states(block, group, &mut bytes, |bytes, _| {
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
        let added = Group { ranks: self.ranks.len(), weights: self.weights.len(), ..*group };
        let (ranks, weights) = bytes.split_at(group.how.words(group.count) * 4);
        self.ranks.extend(ranks.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
        self.weights.extend_from_slice(weights);
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
            bytes.push(group.how.code());
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
            let key = Mask { ends: word(8), full: word(0) };
            // What this process wrote, and read back with its check.
            let how = Ranks::from_code(head[40], key.pairings()).unwrap_or(Ranks::All);
            let group = Group {
                block: 0,
                ranks: word(16) as usize,
                weights: 0,
                count: word(24) as usize,
                bits: half(32),
                how,
                check: half(36),
            };
            show(key, group);
        }
        Ok(())
    }

    /// Shows each group with its key and has them no longer.
    pub fn give_heads(&mut self, show: impl FnMut(Mask, Group)) -> Result<(), StoreError> {
        self.each_head(show)?;
        (self.keys, self.groups, self.heads) = (Vec::new(), Vec::new(), None);
        Ok(())
    }

    /// Writes the block to a file.
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

    /// Reads a block from a file. `room` is asked before this many bytes are taken.
    pub fn restore<E: From<StoreError>>(
        from: &mut Reader,
        narrow_ends: u32,
        mut room: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<StateBlock, E> {
        let count = from.count(HEAD_SAVED)?;
        let mut block = StateBlock { transitions: from.amount()?, ..StateBlock::default() };
        room(count as u64 * HEAD)?;
        let mut bytes_left = from.left().saturating_sub(count as u64 * HEAD_SAVED);
        let (mut words, mut bytes) = (0, 0);
        for _ in 0..count {
            let key = Mask { ends: from.number()?, full: from.number()? };
            let states = from.number()?;
            let (mut bits, mut code) = ([0; 4], [0]);
            from.bytes(&mut bits)?;
            from.bytes(&mut code)?;
            let ends = key.ends.count_ones();
            let bits = u32::from_le_bytes(bits);
            // No more states than pairings, and no more than there are bytes for.
            let is_sane = ends <= MOST_ENDS && ends.is_multiple_of(2) && (1..1 << 20).contains(&bits);
            if !is_sane || states == 0 || states > bytes_left || u128::from(states) > key.pairings() {
                return Err(from.damaged().into());
            }
            let how = Ranks::from_code(code[0], key.pairings());
            let how = how.filter(|&how| how == Ranks::All || how == Ranks::Wide || ends <= narrow_ends);
            let how = how.ok_or_else(|| from.damaged())?;
            let group = Group { block: 0, how, ranks: 0, weights: 0, count: states as usize, bits, check: 0 };
            bytes_left = bytes_left.checked_sub(group.bytes()).ok_or_else(|| from.damaged())?;
            words += how.words(group.count);
            bytes += group.count * group.width();
            block.keys.push(key);
            block.groups.push(group);
            block.states += states;
        }
        room((words * 4 + bytes) as u64)?;
        block.ranks.reserve_exact(words);
        block.weights.reserve_exact(bytes);
        let mut bytes = Vec::new();
        for number in 0..count {
            let group = block.groups[number];
            bytes.resize(group.bytes() as usize, 0);
            from.bytes(&mut bytes)?;
            let group = block.append(&group, &bytes);
            let is_sound = group.how.is_sound(block.words_of(&group), group.count, block.keys[number].pairings());
            if !is_sound || !block.weights_of(&group).are_of(group.bits) {
                return Err(from.damaged().into());
            }
            block.groups[number] = group;
        }
        Ok(block)
    }
}

impl StateBlock {
    fn words_of(&self, group: &Group) -> &[u32] {
        &self.ranks[group.ranks..group.ranks + group.how.words(group.count)]
    }

    /// The weights of a group that is in memory, as they are written.
    #[must_use]
    pub fn weight_bytes(&self, group: &Group) -> &[u8] {
        &self.weights[group.weights..group.weights + group.count * group.width()]
    }

    /// The ranks of a group that is in memory.
    #[inline]
    #[must_use]
    pub fn ranks_of(&self, group: &Group) -> Cursor<'_> {
        Cursor::new(group.how, self.words_of(group), group.count)
    }

    /// Its weights.
    #[inline]
    #[must_use]
    pub fn weights_of(&self, group: &Group) -> Weights<'_> {
        Weights::new(self.weight_bytes(group), group.width())
    }

    /// Begins a group of this many states, of which the greatest weight has so many bits. They are to follow in order.
    pub fn begin(&mut self, key: Mask, count: usize, bits: u32, is_wide: bool) -> Growing<'_> {
        let how = Ranks::shortest(count, key.pairings(), is_wide);
        let group =
            Group { block: 0, how, ranks: self.ranks.len(), weights: self.weights.len(), count, bits, check: 0 };
        self.keys.push(key);
        self.groups.push(group);
        self.states += count as u64;
        if let Ranks::Bits(words) = how {
            self.ranks.resize(self.ranks.len() + words as usize, 0);
        }
        self.weights.resize(self.weights.len() + count * group.width() + SPARE, 0);
        Growing {
            ranks: &mut self.ranks,
            weights: &mut self.weights,
            how,
            first: group.ranks,
            at: group.weights,
            width: group.width(),
        }
    }
}

/// Bytes behind the weights of a group that grows.
const SPARE: usize = 8;

/// A group of which the states follow.
pub struct Growing<'b> {
    ranks: &'b mut Vec<u32>,
    weights: &'b mut Vec<u8>,
    how: Ranks,
    /// The first of its words of ranks, and where the next weight goes.
    first: usize,
    at: usize,
    width: usize,
}

impl Growing<'_> {
    /// The next state, with a weight of one limb.
    #[inline]
    pub fn push(&mut self, rank: u32, weight: u64) {
        self.push_rank(rank.into());
        self.put(weight);
        self.at += self.width;
    }

    /// The next state.
    pub fn push_long(&mut self, rank: u128, weight: &[u64]) {
        self.push_rank(rank);
        let to = &mut self.weights[self.at..self.at + self.width];
        to.iter_mut().zip(weight.iter().flat_map(|limb| limb.to_le_bytes())).for_each(|(to, byte)| *to = byte);
        self.at += self.width;
    }

    /// The states of 32 ranks from `first` on, as far as their sums are not zero.
    #[inline]
    pub fn push_some(&mut self, first: usize, sums: &[u64]) {
        let mut bits = 0;
        for (place, &sum) in sums.iter().enumerate() {
            let is_kept = sum != 0;
            self.put(sum);
            self.at += if is_kept { self.width } else { 0 };
            bits |= u32::from(is_kept) << place;
        }
        match self.how {
            Ranks::Bits(_) => self.ranks[self.first + first / 32] = bits,
            Ranks::Listed => {
                while bits != 0 {
                    self.ranks.push(first as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
            Ranks::All | Ranks::Wide => {}
        }
    }

    /// All eight bytes in one go; the next weight covers what is too many.
    #[inline]
    fn put(&mut self, weight: u64) {
        if let Some(to) = self.weights[self.at..].first_chunk_mut() {
            *to = weight.to_le_bytes();
        }
    }

    #[inline]
    fn push_rank(&mut self, rank: u128) {
        match self.how {
            Ranks::All => {}
            Ranks::Bits(_) => self.ranks[self.first + (rank / 32) as usize] |= 1 << (rank % 32),
            Ranks::Listed => self.ranks.push(rank as u32),
            Ranks::Wide => self.ranks.extend([rank, rank >> 32, rank >> 64, rank >> 96].map(|word| word as u32)),
        }
    }

    /// The end of the group: all of its states have followed.
    pub fn end(self) {
        debug_assert_eq!(self.at, self.weights.len() - SPARE);
        self.weights.truncate(self.at);
    }
}
