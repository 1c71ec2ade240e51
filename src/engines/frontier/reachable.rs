//! Which keys can be reached from the empty board and still finish, pairings aside.
//!
//! A group that cannot finish is never built; that cuts the states by a factor of 3 to 5. The
//! sets grow in both directions, from the empty board and from the finished one, always on the side
//! where the set is smaller, until they meet; then what the other side does not reach is dropped.

use std::borrow::Cow;
use std::sync::Arc;

use super::account::Account;
use super::mask::{FOR_A_THREAD, Mask, hash};
use super::partition::{Partition, Sorting};
use super::plan::{Plan, Step};
use crate::run::{Budget, Limit, Pause, workers};
use crate::store::{self, Reader, Spill, StoreError, Writer};

/// Where the keys of a layer are: a hash table of their numbers, open addressing.
#[derive(Debug, Default)]
pub struct Index {
    /// The low half of the hash, and the number plus one; 0 is free.
    entries: Vec<u64>,
    /// The top bits of a hash that are left after this shift say where to look first.
    shift: u32,
}

impl Index {
    /// The index of these keys, all different.
    #[must_use]
    pub fn new(keys: &[Mask]) -> Index {
        let mut index = Index::default();
        index.set(keys);
        index
    }

    /// Makes this the index of these keys, all different.
    pub fn set(&mut self, keys: &[Mask]) {
        let length = (keys.len() * 2).next_power_of_two().max(2);
        if self.entries.capacity() < length {
            // The old ones go first.
            self.entries = Vec::new();
            self.entries.reserve_exact(length);
        }
        let entries = &mut self.entries;
        entries.clear();
        entries.resize(length, 0);
        let mask = entries.len() - 1;
        self.shift = 64 - entries.len().trailing_zeros();
        for (number, &key) in keys.iter().enumerate() {
            let hash = hash(key);
            let mut at = (hash >> self.shift) as usize;
            while entries[at] != 0 {
                at = (at + 1) & mask;
            }
            entries[at] = hash << 32 | (number as u64 + 1);
        }
    }

    /// The number of a key.
    #[inline]
    #[must_use]
    pub fn find(&self, keys: &[Mask], key: Mask) -> Option<u32> {
        let hash = hash(key);
        let mask = self.entries.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        loop {
            let entry = self.entries[at];
            if entry == 0 {
                return None;
            }
            if (entry >> 32) as u32 == hash as u32 {
                let number = entry as u32 - 1;
                if keys[number as usize] == key {
                    return Some(number);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.entries.capacity() as u64 * 8
    }
}

/// Keys, each once, while they are being found.
#[derive(Debug)]
struct KeySet<'a> {
    keys: Vec<Mask>,
    index: Index,
    account: &'a Account<'a>,
    /// Bytes of it that count as in use.
    share: u64,
    /// Whether it cannot go on, for want of memory.
    refused: Option<Pause>,
}

impl<'a> KeySet<'a> {
    /// Place for some keys.
    fn new(account: &'a Account<'a>) -> KeySet<'a> {
        let index = Index { entries: vec![0; 1 << 8], shift: 64 - 8 };
        KeySet { keys: Vec::with_capacity(1 << 7), index, account, share: 0, refused: None }
    }

    #[inline]
    fn add(&mut self, key: Mask) {
        let hash = hash(key);
        let mask = self.index.entries.len() - 1;
        let mut at = (hash >> self.index.shift) as usize & mask;
        loop {
            let entry = self.index.entries[at];
            if entry == 0 {
                break;
            }
            if (entry >> 32) as u32 == hash as u32 && self.keys[entry as u32 as usize - 1] == key {
                return;
            }
            at = (at + 1) & mask;
        }
        self.keys.push(key);
        self.index.entries[at] = hash << 32 | self.keys.len() as u64;
        if self.keys.len() * 2 > self.index.entries.len() {
            self.grow();
        }
    }

    /// Doubles it, unless that takes too much.
    #[cold]
    fn grow(&mut self) {
        let length = self.index.entries.len() * 2;
        // The old list of keys and the new one side by side.
        let bytes = (length * 8 + (self.keys.capacity() + length / 2) * size_of::<Mask>()) as u64;
        // As long as it is small nobody counts: then there are places enough for all that one more key leads to.
        if length > 1 << 13
            && let Err(pause) = self.account.reserve(&mut self.share, bytes)
        {
            self.refused = Some(pause);
            // What it has is of no use any more.
            self.keys.clear();
            self.index.entries.fill(0);
            return;
        }
        self.keys.reserve_exact(length / 2 + 1 - self.keys.len());
        self.index.set(&self.keys);
    }

    /// Bytes that it takes.
    fn bytes(&self) -> u64 {
        (self.keys.capacity() * size_of::<Mask>()) as u64 + self.index.bytes()
    }
}

/// The key that stands for a key and its mirror image.
#[inline]
#[must_use]
pub fn canonical(plan: &Plan, key: Mask) -> Mask {
    if plan.is_folded { key.min(key.mirrored()) } else { key }
}

/// Whether one of the keys to which a step leads, each as often as there are ways, is the one: they are shown until it is.
#[inline]
pub fn any_pushed(step: &Step, key: Mask, mut is_it: impl FnMut(Mask) -> bool) -> bool {
    match &step.swept[..] {
        [first, second] => key.pushed(first).any(|(middle, _)| middle.pushed(second).any(|(to, _)| is_it(to))),
        rest => rest.iter().any(|swept| key.pushed(swept).any(|(to, _)| is_it(to))),
    }
}

/// The same of the keys from which a step leads to this one.
#[inline]
pub fn any_pulled(step: &Step, key: Mask, mut is_it: impl FnMut(Mask) -> bool) -> bool {
    match &step.swept[..] {
        [first, second] => key
            .pulled(second)
            .any(|(middle, _)| middle.is_possible(first) && middle.pulled(first).any(|(source, _)| is_it(source))),
        rest => rest.iter().any(|swept| key.pulled(swept).any(|(source, _)| is_it(source))),
    }
}

/// Where the keys of a layer are on disk: pieces of [`PIECE`] keys, the last one shorter, each with its check.
#[derive(Debug)]
struct Away {
    spill: Arc<Spill>,
    pieces: Vec<(u64, u32)>,
    len: usize,
}

const PIECE: usize = 1 << 14;

fn write_keys(keys: &[Mask], to: &mut Vec<u8>) {
    to.clear();
    to.extend(keys.iter().flat_map(|key| key.number().to_le_bytes()));
}

fn read_keys(bytes: &[u8], to: &mut Vec<Mask>) {
    to.extend(bytes.as_chunks().0.iter().map(|&bytes| {
        let number = u128::from_le_bytes(bytes);
        Mask { ends: (number >> 64) as u64, full: number as u64 }
    }));
}

impl Away {
    fn write(keys: &[Mask], spill: &Arc<Spill>) -> Result<Away, StoreError> {
        let mut bytes = Vec::new();
        let mut pieces = Vec::new();
        for piece in keys.chunks(PIECE) {
            write_keys(piece, &mut bytes);
            pieces.push((spill.append(&bytes)?, store::check(&bytes)));
        }
        Ok(Away { spill: Arc::clone(spill), pieces, len: keys.len() })
    }

    fn read(&self) -> Result<Vec<Mask>, StoreError> {
        let mut keys = Vec::with_capacity(self.len);
        let mut bytes = Vec::new();
        for &(at, check) in &self.pieces {
            bytes.resize((self.len - keys.len()).min(PIECE) * size_of::<Mask>(), 0);
            self.spill.read(&mut bytes, at, check)?;
            read_keys(&bytes, &mut keys);
        }
        Ok(keys)
    }
}

/// Keys of a layer that one task looks at, more or less; and at least, where there are few tasks to share.
const KEYS_A_TASK: usize = 2048;
const FEW_KEYS: usize = 256;
const FEW_TASKS: usize = 8;

/// How many tasks there are for this many keys.
fn tasks_of(keys: usize) -> usize {
    keys.div_ceil(KEYS_A_TASK).max(FEW_TASKS.min(keys / FEW_KEYS)).max(1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// The two sides grow towards each other.
    Meet,
    /// The forward sets lose what cannot finish, from the meeting back to the start; the layer at work.
    TrimForward(usize),
    /// The backward sets lose what cannot be reached, from the meeting to the end.
    TrimBackward(usize),
    Done,
}

/// The sets of keys, layer by layer, and how far they are.
#[derive(Debug)]
pub struct ReachableMasks {
    /// The keys of each layer, in any order, but for those on disk.
    pub layers: Vec<Vec<Mask>>,
    away: Vec<Option<Away>>,
    front: usize,
    back: usize,
    pass: Pass,
    /// What has been found in each bin of the layer at work.
    tasks: Vec<Option<Vec<Mask>>>,
    /// Where the bins of the layer at work begin, and those of the layer beside it.
    bounds: [Vec<usize>; 2],
    sorting: Sorting,
    is_set_up: bool,
    /// Keys looked at in the passes over a layer that are done, and keys of the layer at work.
    done: u64,
    at_work: usize,
    /// What went wrong with a file; then the pause is that of a cancelled run.
    pub fault: Option<StoreError>,
    /// Bytes in use beside the sets, which count as theirs.
    pub beside: u64,
    /// Bytes that were asked for last.
    pub bytes_needed: u64,
    /// The most bytes in use at a time.
    pub peak_bytes: u64,
}

impl ReachableMasks {
    /// Nothing known yet.
    #[must_use]
    pub fn new(plan: &Plan) -> ReachableMasks {
        let back = plan.steps.len();
        let mut layers = vec![Vec::new(); back + 1];
        layers[0] = vec![plan.first];
        layers[back] = vec![Mask::default()];
        ReachableMasks {
            layers,
            away: (0..=back).map(|_| None).collect(),
            fault: None,
            front: 0,
            back,
            pass: Pass::Meet,
            tasks: Vec::new(),
            bounds: Default::default(),
            sorting: Sorting::default(),
            is_set_up: false,
            done: 0,
            at_work: 0,
            beside: 0,
            bytes_needed: 0,
            peak_bytes: 0,
        }
    }

    /// Keys looked at so far.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        let done = self.tasks.iter().flatten().count();
        self.done + (self.at_work * done / self.tasks.len().max(1)) as u64
    }

    /// Keys to look at in all, from above: known when both sides have met.
    #[must_use]
    pub fn to_look_at(&self) -> Option<u64> {
        let (before, after) = match self.pass {
            Pass::Meet => return None,
            Pass::TrimForward(at) => (0..at, self.front + 1),
            Pass::TrimBackward(at) => (0..0, at + 1),
            Pass::Done => (0..0, self.layers.len()),
        };
        let left: usize = before.chain(after..self.layers.len()).map(|layer| self.len(layer)).sum();
        Some(self.done + left as u64)
    }

    /// The same as [`ReachableMasks::looked_at`] when the pass at work is over.
    #[must_use]
    pub fn looked_at_next(&self) -> u64 {
        let [at, _] = self.at_work();
        self.done + self.len(at) as u64
    }

    /// Bytes of all sets and of what is being built.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let size = size_of::<Mask>() as u64;
        let tasks: usize = self.tasks.iter().flatten().map(Vec::len).sum();
        self.beside
            + self.layers.iter().map(|l| l.len() as u64 * size).sum::<u64>()
            + tasks as u64 * size
            + self.tasks.len() as u64 * (size_of::<Vec<Mask>>() + 4 * size_of::<usize>()) as u64
    }

    /// Whether all sets are known.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.pass == Pass::Done
    }

    /// Goes on by a pass over a layer at most.
    pub fn advance<S: Send>(&mut self, plan: &Plan, budget: &Budget, scratch: &mut [S]) -> Result<(), Pause> {
        match self.pass {
            Pass::Done => {}
            Pass::Meet if self.front == self.back => self.pass = Pass::TrimForward(self.front),
            Pass::Meet => self.meet(plan, budget, scratch)?,
            Pass::TrimForward(0) => self.pass = Pass::TrimBackward(self.back),
            Pass::TrimForward(at) => {
                self.trim(plan, budget, scratch, at - 1, at)?;
                self.pass = Pass::TrimForward(at - 1);
            }
            Pass::TrimBackward(at) if at + 1 == self.layers.len() => self.pass = Pass::Done,
            Pass::TrimBackward(at) => {
                self.trim(plan, budget, scratch, at + 1, at)?;
                self.pass = Pass::TrimBackward(at + 1);
            }
        }
        Ok(())
    }

    /// How many keys a layer has.
    fn len(&self, layer: usize) -> usize {
        self.away[layer].as_ref().map_or(self.layers[layer].len(), |away| away.len)
    }

    /// The keys of a layer, read if need be.
    pub fn keys(&self, layer: usize) -> Result<Cow<'_, [Mask]>, StoreError> {
        match &self.away[layer] {
            Some(away) => away.read().map(Cow::Owned),
            None => Ok(Cow::Borrowed(&self.layers[layer])),
        }
    }

    /// Brings the keys of a layer back into memory.
    pub fn fetch(&mut self, layer: usize, held: u64, budget: &Budget) -> Result<(), Pause> {
        let Some(away) = &self.away[layer] else { return Ok(()) };
        self.bytes_needed = held + (away.len * size_of::<Mask>()) as u64;
        budget.check_memory(self.bytes_needed)?;
        match away.read() {
            Ok(keys) => {
                self.layers[layer] = keys;
                self.away[layer] = None;
                Ok(())
            }
            Err(error) => {
                self.fault = Some(error);
                Err(Pause::Limit(Limit::Cancelled))
            }
        }
    }

    /// Moves keys to disk that are not at work: those of all layers but these. Says whether there were any.
    pub fn spill(&mut self, stay: &[usize], spill: &Arc<Spill>) -> Result<bool, StoreError> {
        let mut is_any = false;
        for layer in 0..self.layers.len() {
            // A few keys are not worth a read.
            if self.layers[layer].len() < 256 || stay.contains(&layer) {
                continue;
            }
            self.away[layer] = Some(Away::write(&self.layers[layer], spill)?);
            self.layers[layer] = Vec::new();
            is_any = true;
        }
        Ok(is_any)
    }

    /// The layers that the pass at work looks at.
    #[must_use]
    pub fn at_work(&self) -> [usize; 2] {
        match self.pass {
            Pass::Meet if self.len(self.front) <= self.len(self.back) => [self.front, (self.front + 1).min(self.back)],
            Pass::Meet => [self.back, self.back.saturating_sub(1).max(self.front)],
            Pass::TrimForward(at) => [at.saturating_sub(1), at],
            Pass::TrimBackward(at) => [at, at + 1],
            Pass::Done => [0, 0],
        }
    }

    /// Writes all to a file.
    pub fn save(&self, to: &mut Writer) -> Result<(), StoreError> {
        let (pass, at) = match self.pass {
            Pass::Meet => (0, 0),
            Pass::TrimForward(at) => (1, at),
            Pass::TrimBackward(at) => (2, at),
            Pass::Done => (3, 0),
        };
        for number in [pass, at, self.front, self.back, usize::from(self.is_set_up)] {
            to.number(number as u64)?;
        }
        to.number(self.done)?;
        let mut bytes = Vec::new();
        let mut list = |keys: &[Mask], to: &mut Writer| {
            to.number(keys.len() as u64)?;
            for piece in keys.chunks(PIECE) {
                write_keys(piece, &mut bytes);
                to.bytes(&bytes)?;
            }
            Ok::<(), StoreError>(())
        };
        to.number(self.layers.len() as u64)?;
        for layer in 0..self.layers.len() {
            list(&self.keys(layer)?, to)?;
        }
        to.number(self.tasks.len() as u64)?;
        for task in &self.tasks {
            to.number(u64::from(task.is_some()))?;
            list(task.as_deref().unwrap_or_default(), to)?;
        }
        Ok(())
    }

    /// Reads all from a file. `room` is told the bytes that are held before more are taken, and may ask for keys to go to
    /// disk.
    pub fn restore<E: From<StoreError>>(
        plan: &Plan,
        from: &mut Reader,
        mut room: impl FnMut(u64) -> Result<Option<Arc<Spill>>, E>,
    ) -> Result<ReachableMasks, E> {
        let mut groups = ReachableMasks::new(plan);
        let last = plan.steps.len();
        let [pass, at, front, back, is_set_up, done] = {
            let mut numbers = [0; 6];
            for number in &mut numbers {
                *number = from.amount()?;
            }
            numbers
        };
        let layers = from.count(8)?;
        let is_sane = layers == last + 1 && front <= back && back <= last as u64 && at <= last as u64 && is_set_up < 2;
        if !is_sane || is_set_up == 1 && (pass == 3 || pass == 0 && front == back) {
            return Err(from.damaged().into());
        }
        let at = at as usize;
        (groups.front, groups.back) = (front as usize, back as usize);
        groups.pass = match pass {
            0 => Pass::Meet,
            1 => Pass::TrimForward(at),
            2 => Pass::TrimBackward(at),
            3 => Pass::Done,
            _ => return Err(from.damaged().into()),
        };
        groups.done = done;
        let key_size = size_of::<Mask>() as u64;
        let mut bytes = Vec::new();
        let mut list = |from: &mut Reader, count: usize| {
            let mut keys = Vec::with_capacity(count);
            while keys.len() < count {
                bytes.resize((count - keys.len()).min(PIECE) * size_of::<Mask>(), 0);
                from.bytes(&mut bytes)?;
                read_keys(&bytes, &mut keys);
            }
            Ok::<_, StoreError>(keys)
        };
        for layer in 0..layers {
            let count = from.count(key_size)?;
            if let Some(spill) = room(groups.bytes() + count as u64 * key_size)? {
                groups.spill(&[], &spill)?;
            }
            groups.layers[layer] = list(from, count)?;
        }
        let tasks = from.count(16)?;
        let [at_work, beside] = groups.at_work();
        // Trimming forward looks at the layer before, backward at the one after.
        let (at_work, beside) = if pass == 2 { (beside, at_work) } else { (at_work, beside) };
        let keys = groups.layers.get(at_work).map_or(0, |_| groups.len(at_work));
        let expected = if is_set_up == 1 { tasks_of(keys) } else { 0 };
        if tasks != expected
            || is_set_up == 1 && pass != 0 && (at_work >= layers || beside >= layers || at_work == beside)
        {
            return Err(from.damaged().into());
        }
        for _ in 0..tasks {
            let is_done = from.number()? == 1;
            let count = from.count(key_size)?;
            if let Some(spill) = room(groups.bytes() + count as u64 * key_size)? {
                groups.spill(&[], &spill)?;
            }
            let keys = list(from, count)?;
            groups.tasks.push(is_done.then_some(keys));
        }
        groups.is_set_up = is_set_up == 1;
        groups.at_work = if groups.is_set_up { keys } else { 0 };
        // The keys at work are in bins already; where those begin is found again.
        Ok(groups)
    }

    /// Brings two neighbouring layers into memory and puts those keys into bins that the pass looks at: all of the
    /// layer at work, and those of the layer beside it if that `is_known`.
    fn set_up(
        &mut self,
        plan: &Plan,
        budget: &Budget,
        at_work: usize,
        beside: usize,
        is_known: bool,
    ) -> Result<(), Pause> {
        let tasks = tasks_of(self.len(at_work));
        let bins = Partition::new(plan, at_work.min(beside), tasks);
        for (bounds, layer) in [at_work, beside].into_iter().enumerate() {
            if bounds == 1 && !is_known || !self.bounds[bounds].is_empty() {
                continue;
            }
            self.fetch(layer, self.bytes(), budget)?;
            self.bytes_needed = self.bytes() + 2 * Sorting::bytes(tasks);
            budget.check_memory(self.bytes_needed)?;
            let keys = &mut self.layers[layer];
            self.bounds[bounds] = self.sorting.advance(bins, keys, budget, |_, _| ())?;
        }
        if !self.is_set_up {
            self.at_work = self.layers[at_work].len();
            self.tasks = vec![None; tasks];
            self.is_set_up = true;
        }
        Ok(())
    }

    /// Takes the keys that the tasks have left, one after the other.
    fn collect(&mut self) -> Vec<Mask> {
        let mut all = Vec::with_capacity(self.tasks.iter().flatten().map(Vec::len).sum());
        self.tasks.drain(..).flatten().for_each(|part| all.extend(part));
        self.is_set_up = false;
        self.bounds = Default::default();
        all
    }

    /// Grows the smaller of the two sides by a layer.
    fn meet<S: Send>(&mut self, plan: &Plan, budget: &Budget, scratch: &mut [S]) -> Result<(), Pause> {
        let is_front = self.len(self.front) <= self.len(self.back);
        let (from, to) = if is_front { (self.front, self.front + 1) } else { (self.back, self.back - 1) };
        let step = &plan.steps[from.min(to)];
        // Undoing a step does not see whether the key could have come about.
        let last = to.checked_sub(1).and_then(|before| plan.steps[before].swept.last());
        // Where the two sides meet only what both reach stays.
        let is_meeting = self.back - self.front == 1;
        self.set_up(plan, budget, from, to, is_meeting)?;
        let keys = &self.layers[from];
        let [bounds, others_bounds] = &self.bounds;
        let others = &self.layers[to];
        let key_size = size_of::<Mask>() as u64;
        let account = Account::new(budget, self.bytes());
        let result = workers::run(
            budget,
            workers::enough(scratch, keys.len(), FOR_A_THREAD),
            &mut self.tasks,
            |task| (bounds[task + 1] - bounds[task]) as u64,
            |task, _| {
                let mut found = KeySet::new(&account);
                for &key in &keys[bounds[task]..bounds[task + 1]] {
                    if let Some(pause) = found.refused {
                        account.settle(&mut found.share, 0);
                        return Err(pause);
                    }
                    if is_front {
                        any_pushed(step, key, |to| {
                            found.add(canonical(plan, to));
                            false
                        });
                    } else {
                        any_pulled(step, key, |source| {
                            if last.is_none_or(|swept| source.is_possible(swept)) {
                                found.add(canonical(plan, source));
                            }
                            false
                        });
                    }
                }
                // While it grows, a set has spare room and an index.
                let grown = found.bytes();
                if is_meeting {
                    let others = &others[others_bounds[task]..others_bounds[task + 1]];
                    let both = others.iter().filter(|&&key| found.index.find(&found.keys, key).is_some());
                    found.keys = both.copied().collect();
                }
                let own = found.keys.len() as u64 * key_size;
                account.reserve(&mut found.share, own + grown)?;
                account.note();
                // What it was copied from is gone when the task is done.
                account.settle(&mut found.share, own);
                Ok(found.keys.as_slice().to_vec())
            },
        );
        let (most, refused) = account.most_and_refused();
        self.peak_bytes = self.peak_bytes.max(most);
        if result.is_err() {
            // The rest of the layer as it has been so far; and once more when the parts are put together.
            let built: usize = self.tasks.iter().flatten().map(Vec::len).sum();
            let done = self.tasks.iter().flatten().count().max(1);
            let all = (built as u64 * key_size).saturating_mul(2) / done as u64 * self.tasks.len() as u64;
            self.bytes_needed = (self.bytes() - built as u64 * key_size + all).max(refused);
            return result;
        }
        // All of them stand beside their parts for a moment.
        let count: usize = self.tasks.iter().flatten().map(Vec::len).sum();
        self.bytes_needed = self.bytes() + count as u64 * key_size;
        budget.check_memory(self.bytes_needed)?;
        self.peak_bytes = self.peak_bytes.max(self.bytes_needed);
        self.done += keys.len() as u64;
        self.layers[to] = self.collect();
        if is_front {
            self.front = to;
        } else {
            self.back = to;
        }
        Ok(())
    }

    /// Drops the keys of a layer that no step joins with its neighbour layer.
    fn trim<S: Send>(
        &mut self,
        plan: &Plan,
        budget: &Budget,
        scratch: &mut [S],
        layer: usize,
        beside: usize,
    ) -> Result<(), Pause> {
        let step = &plan.steps[layer.min(beside)];
        self.set_up(plan, budget, layer, beside, true)?;
        let (keys, others) = (&self.layers[layer], &self.layers[beside]);
        let [bounds, others_bounds] = &self.bounds;
        // All keys of the layer once more, in parts.
        let parts: usize = keys.len() - self.tasks.iter().flatten().map(Vec::len).sum::<usize>().min(keys.len());
        // Each worker has an index of the other keys of a bin.
        let largest = others_bounds.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        let index = (largest * 2).next_power_of_two() * 8 * scratch.len();
        self.bytes_needed = self.bytes() + (parts * size_of::<Mask>() + index) as u64;
        budget.check_memory(self.bytes_needed)?;
        self.peak_bytes = self.peak_bytes.max(self.bytes_needed);
        workers::run(
            budget,
            workers::enough(scratch, keys.len(), FOR_A_THREAD),
            &mut self.tasks,
            |task| (bounds[task + 1] - bounds[task]) as u64,
            |task, _| {
                let others = &others[others_bounds[task]..others_bounds[task + 1]];
                let index = Index::new(others);
                let mut kept = keys[bounds[task]..bounds[task + 1]].to_vec();
                let is_there = |key| index.find(others, canonical(plan, key)).is_some();
                if layer < beside {
                    kept.retain(|&key| any_pushed(step, key, is_there));
                } else {
                    kept.retain(|&key| any_pulled(step, key, is_there));
                }
                kept.shrink_to_fit();
                Ok(kept)
            },
        )?;
        self.done += keys.len() as u64;
        // First the old keys go, then the new ones are put together.
        self.layers[layer] = Vec::new();
        self.layers[layer] = self.collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::request::Request;
    use crate::request::graph::Graph;
    use std::collections::BTreeSet;

    /// The sets by definition: forward from the start, then backward from the end.
    fn by_definition(plan: &Plan) -> Vec<Vec<Mask>> {
        let mut layers = vec![BTreeSet::from([plan.first])];
        for step in &plan.steps {
            let mut next = BTreeSet::new();
            for &key in layers.last().unwrap() {
                any_pushed(step, key, |to| {
                    next.insert(canonical(plan, to));
                    false
                });
            }
            layers.push(next);
        }
        for at in (0..plan.steps.len()).rev() {
            let (low, high) = layers.split_at_mut(at + 1);
            low[at].retain(|&key| any_pushed(&plan.steps[at], key, |to| high[0].contains(&canonical(plan, to))));
        }
        layers.into_iter().map(|layer| layer.into_iter().collect()).collect()
    }

    #[test]
    fn the_sets_are_what_both_sides_reach() {
        let board = |rows, cols| Board::new(rows, cols).unwrap();
        let requests = [
            Request::closed(board(6, 6)),
            Request::closed(board(5, 8)),
            Request::open(board(5, 5)),
            Request::open(board(4, 7)).with_start(1).unwrap(),
            Request::open(board(5, 6)).with_start(1).and_then(|r| r.with_end(8)).unwrap(),
        ];
        for request in requests {
            let graph = Graph::new(&request);
            let plan = Plan::new(&graph, false, &Budget::unlimited()).unwrap();
            let mut groups = ReachableMasks::new(&plan);
            let mut to_look_at = u64::MAX;
            while !groups.is_done() {
                groups.advance(&plan, &Budget::unlimited(), &mut [()]).unwrap();
                if let Some(all) = groups.to_look_at() {
                    assert!(groups.looked_at() <= all && all <= to_look_at);
                    to_look_at = all;
                }
            }
            assert_eq!(groups.looked_at(), to_look_at);
            groups.layers.iter_mut().for_each(|layer| layer.sort_unstable());
            assert_eq!(groups.layers, by_definition(&plan), "{request:?}");
        }
    }
}
