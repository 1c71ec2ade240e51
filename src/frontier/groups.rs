//! Which keys can be reached from the empty board and still finish, pairings aside.
//!
//! A group that cannot finish is never built; that cuts the states by a factor of 3 to 5. The
//! sets grow in both directions, from the empty board and from the finished one, always on the side
//! where the set is smaller, until they meet; then what the other side does not reach is dropped.

use std::sync::atomic::{AtomicU64, Ordering};

use super::crew;
use super::plan::{Plan, Step};
use super::state::Key;
use crate::budget::{Budget, Pause};

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
    pub fn new(keys: &[Key]) -> Index {
        let mut entries = vec![0u64; (keys.len() * 2).next_power_of_two().max(2)];
        let mask = entries.len() - 1;
        let shift = 64 - entries.len().trailing_zeros();
        for (number, &key) in keys.iter().enumerate() {
            let hash = hash(key);
            let mut at = (hash >> shift) as usize;
            while entries[at] != 0 {
                at = (at + 1) & mask;
            }
            entries[at] = hash << 32 | (number as u64 + 1);
        }
        Index { entries, shift }
    }

    /// The number of a key.
    #[inline]
    #[must_use]
    pub fn find(&self, keys: &[Key], key: Key) -> Option<u32> {
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

    /// Bytes of the index of so many keys.
    #[must_use]
    pub const fn bytes(keys: usize) -> u64 {
        (keys as u64 * 2).next_power_of_two() * 8
    }
}

/// Keys, each once, while they are being found.
#[derive(Debug)]
struct KeySet {
    keys: Vec<Key>,
    index: Index,
}

impl KeySet {
    fn new() -> KeySet {
        KeySet { keys: Vec::new(), index: Index { entries: vec![0; 1 << 12], shift: 64 - 12 } }
    }

    #[inline]
    fn add(&mut self, key: Key) {
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
            self.index = Index::new(&self.keys);
        }
    }
}

#[inline]
fn hash(key: Key) -> u64 {
    // The high bits of a product depend on all bits of its factors, the low ones do not: so the high half is
    // folded down before the last product, and the place is taken from the top.
    let ends = key.ends.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let full = key.full.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (ends ^ ends >> 32 ^ full.rotate_left(32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The key that stands for a key and its mirror image.
#[inline]
#[must_use]
pub fn canonical(plan: &Plan, key: Key) -> Key {
    if plan.is_folded { key.min(key.mirrored()) } else { key }
}

/// The keys to which a step leads, each as often as there are ways.
#[inline]
pub fn push(step: &Step, key: Key, mut found: impl FnMut(Key)) {
    match &step.swept[..] {
        [first, second] => key.push(first, |middle| middle.push(second, &mut found)),
        rest => rest.iter().for_each(|swept| key.push(swept, &mut found)),
    }
}

/// The keys from which a step leads to this one, each as often as there are ways.
#[inline]
pub fn pull(step: &Step, key: Key, mut found: impl FnMut(Key)) {
    match &step.swept[..] {
        [first, second] => key.pull(second, |middle, _| {
            if middle.is_possible(first) {
                middle.pull(first, |source, _| found(source));
            }
        }),
        rest => rest.iter().for_each(|swept| key.pull(swept, |source, _| found(source))),
    }
}

/// Keys of a layer that one task looks at.
const KEYS_A_TASK: usize = 2048;

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
pub struct Groups {
    /// The keys of each layer, in rising order.
    pub layers: Vec<Vec<Key>>,
    front: usize,
    back: usize,
    pass: Pass,
    tasks: Vec<Option<Vec<Key>>>,
    index: Index,
    is_set_up: bool,
    /// Keys looked at in the passes over a layer that are done, and keys of the layer at work.
    done: u64,
    at_work: usize,
    /// Bytes that were asked for last.
    pub bytes_needed: u64,
    /// The most bytes in use at a time.
    pub peak_bytes: u64,
}

impl Groups {
    /// Nothing known yet.
    #[must_use]
    pub fn new(plan: &Plan) -> Groups {
        let back = plan.steps.len();
        let mut layers = vec![Vec::new(); back + 1];
        layers[0] = vec![Key::default()];
        layers[back] = vec![Key::default()];
        Groups {
            layers,
            front: 0,
            back,
            pass: Pass::Meet,
            tasks: Vec::new(),
            index: Index::default(),
            is_set_up: false,
            done: 0,
            at_work: 0,
            bytes_needed: 0,
            peak_bytes: 0,
        }
    }

    /// Keys looked at so far.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        let tasks = (0..self.tasks.len()).filter(|&task| self.tasks[task].is_some());
        self.done
            + tasks.map(|task| self.at_work.min((task + 1) * KEYS_A_TASK) - task * KEYS_A_TASK).sum::<usize>() as u64
    }

    /// Bytes of all sets and of what is being built.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let size = size_of::<Key>() as u64;
        let tasks: usize = self.tasks.iter().flatten().map(Vec::len).sum();
        self.layers.iter().map(|l| l.len() as u64 * size).sum::<u64>()
            + tasks as u64 * size
            + self.index.entries.len() as u64 * 8
    }

    /// Goes on until all sets are known.
    pub fn advance<S: Send>(&mut self, plan: &Plan, budget: &Budget, scratch: &mut [S]) -> Result<(), Pause> {
        loop {
            match self.pass {
                Pass::Done => return Ok(()),
                Pass::Meet => {
                    if self.front == self.back {
                        self.pass = Pass::TrimForward(self.front);
                        continue;
                    }
                    self.meet(plan, budget, scratch)?;
                }
                Pass::TrimForward(at) => {
                    if at == 0 {
                        self.pass = Pass::TrimBackward(self.back);
                        continue;
                    }
                    self.trim(plan, budget, scratch, at - 1, at)?;
                    self.pass = Pass::TrimForward(at - 1);
                }
                Pass::TrimBackward(at) => {
                    if at + 1 == self.layers.len() {
                        self.pass = Pass::Done;
                        self.index = Index::default();
                        continue;
                    }
                    self.trim(plan, budget, scratch, at + 1, at)?;
                    self.pass = Pass::TrimBackward(at + 1);
                }
            }
        }
    }

    /// Grows the smaller of the two sides by a layer.
    fn meet<S: Send>(&mut self, plan: &Plan, budget: &Budget, scratch: &mut [S]) -> Result<(), Pause> {
        let is_front = self.layers[self.front].len() <= self.layers[self.back].len();
        let (from, to) = if is_front { (self.front, self.front + 1) } else { (self.back, self.back - 1) };
        let step = &plan.steps[from.min(to)];
        // Undoing a step does not see whether the key could have come about.
        let last = to.checked_sub(1).and_then(|before| plan.steps[before].swept.last());
        if !self.is_set_up {
            self.at_work = self.layers[from].len();
            self.tasks = vec![None; self.at_work.div_ceil(KEYS_A_TASK)];
            self.is_set_up = true;
        }
        let keys = &self.layers[from];
        let key_size = size_of::<Key>() as u64;
        let held = AtomicU64::new(self.bytes());
        let result = crew::run(
            budget,
            scratch,
            &mut self.tasks,
            |task| slice(keys, task).len() as u64,
            |task, _| {
                let mut found = KeySet::new();
                for &key in slice(keys, task) {
                    if is_front {
                        push(step, key, |to| found.add(canonical(plan, to)));
                    } else {
                        pull(step, key, |source| {
                            if last.is_none_or(|swept| source.is_possible(swept)) {
                                found.add(canonical(plan, source));
                            }
                        });
                    }
                }
                let own = found.keys.len() as u64 * key_size;
                budget.check_memory(held.fetch_add(own, Ordering::Relaxed) + own)?;
                Ok(found.keys)
            },
        );
        if result.is_err() {
            self.bytes_needed = held.into_inner();
            return result;
        }
        // All of them stand beside their parts for a moment.
        let count: usize = self.tasks.iter().flatten().map(Vec::len).sum();
        self.bytes_needed = self.bytes() + count as u64 * key_size;
        budget.check_memory(self.bytes_needed)?;
        self.peak_bytes = self.peak_bytes.max(self.bytes_needed);
        self.done += keys.len() as u64;
        let mut found: Vec<Key> = Vec::with_capacity(count);
        for part in self.tasks.drain(..).flatten() {
            found.extend(part);
        }
        found.sort_unstable();
        found.dedup();
        found.shrink_to_fit();
        self.is_set_up = false;
        if self.back - self.front == 1 {
            // Here they meet: only what both reach stays.
            let other = &self.layers[to];
            found.retain(|key| other.binary_search(key).is_ok());
        }
        self.layers[to] = found;
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
        if !self.is_set_up {
            self.bytes_needed =
                self.bytes() + Index::bytes(self.layers[beside].len()) + self.layers[layer].len() as u64 * 16;
            budget.check_memory(self.bytes_needed)?;
            self.index = Index::new(&self.layers[beside]);
            self.tasks = vec![None; self.layers[layer].len().div_ceil(KEYS_A_TASK)];
            self.at_work = self.layers[layer].len();
            self.is_set_up = true;
        }
        let (keys, others, index) = (&self.layers[layer], &self.layers[beside], &self.index);
        crew::run(
            budget,
            scratch,
            &mut self.tasks,
            |task| slice(keys, task).len() as u64,
            |task, _| {
                let mut kept = slice(keys, task).to_vec();
                kept.retain(|&key| {
                    let mut is_joined = false;
                    let mut look = |other| {
                        is_joined = is_joined || index.find(others, canonical(plan, other)).is_some();
                    };
                    if layer < beside {
                        push(step, key, &mut look)
                    } else {
                        pull(step, key, &mut look)
                    }
                    is_joined
                });
                Ok(kept)
            },
        )?;
        self.done += keys.len() as u64;
        self.layers[layer] = self.tasks.drain(..).flatten().flatten().collect();
        self.is_set_up = false;
        Ok(())
    }
}

fn slice(keys: &[Key], task: usize) -> &[Key] {
    &keys[task * KEYS_A_TASK..keys.len().min((task + 1) * KEYS_A_TASK)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::graph::Graph;
    use crate::request::Request;
    use std::collections::BTreeSet;

    /// The sets by definition: forward from the start, then backward from the end.
    fn by_definition(plan: &Plan) -> Vec<Vec<Key>> {
        let mut layers = vec![BTreeSet::from([Key::default()])];
        for step in &plan.steps {
            let mut next = BTreeSet::new();
            for &key in layers.last().unwrap() {
                push(step, key, |to| next.extend([canonical(plan, to)]));
            }
            layers.push(next);
        }
        for at in (0..plan.steps.len()).rev() {
            let (low, high) = layers.split_at_mut(at + 1);
            low[at].retain(|&key| {
                let mut is_joined = false;
                push(&plan.steps[at], key, |to| is_joined |= high[0].contains(&canonical(plan, to)));
                is_joined
            });
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
            let plan = Plan::new(request.board(), &graph).unwrap();
            let mut groups = Groups::new(&plan);
            groups.advance(&plan, &Budget::unlimited(), &mut [()]).unwrap();
            assert_eq!(groups.layers, by_definition(&plan), "{request:?}");
        }
    }
}
