//! [`Loose`]: a sweep that forgets which moves are connected, and so takes circles beside the path for allowed.
//!
//! What it knows of the moves decided is which of them are on the frontier, and how many ends the path has had so far.

use super::plan::{Plan, Step, Word};
use super::table::Table;
use crate::run::{Budget, Limit, Pause};

/// A sweep under way, in one of two directions.
#[derive(Debug)]
pub(super) struct Loose<K> {
    /// 0 forwards, 1 backwards.
    pub way: usize,
    /// The cut it has come to: this many squares lie before it.
    pub cut: usize,
    pub layer: Table<K>,
    next: Table<K>,
    /// How far it is in the layer: the part, and the place there.
    shard: usize,
    slot: usize,
}

/// Places of a table between two looks at the budget.
const BATCH: usize = 4096;

impl<K: Word> Loose<K> {
    /// From one end of the board.
    pub fn new(plan: &Plan, way: usize) -> Loose<K> {
        let mut layer = Table::new(1);
        layer.raise(K::from_wide(0), 0);
        Loose::of(way, if way == 0 { 0 } else { plan.squares.len() }, layer)
    }

    /// From these sets at this cut.
    pub fn of(way: usize, cut: usize, layer: Table<K>) -> Loose<K> {
        let next = Table::new(layer.len());
        Loose { way, cut, layer, next, shard: 0, slot: 0 }
    }

    /// On over the next square; the layer it leaves. `more` bytes are taken elsewhere.
    pub fn advance(
        &mut self,
        plan: &Plan,
        budget: &Budget,
        more: u64,
        nodes: &mut u64,
        memory: &mut u64,
    ) -> Result<Table<K>, Pause> {
        let square = if self.way == 0 { self.cut } else { self.cut - 1 };
        let step = Sets::new(&plan.steps[self.way][square], plan.closed);
        while self.shard < self.layer.shards.len() {
            let shard = &self.layer.shards[self.shard];
            while self.slot < shard.slots() {
                let slots = self.slot..shard.slots().min(self.slot + BATCH);
                let sets = shard.iter_within(slots.clone()).count() as u64;
                take(budget, sets)?;
                *nodes += sets;
                for (key, moves) in shard.iter_within(slots.clone()) {
                    step.follow(key, moves, &mut self.next);
                }
                self.slot = slots.end;
                let bytes = more + self.layer.bytes() + self.next.bytes();
                *memory = bytes.max(*memory);
                budget.check_memory(bytes)?;
            }
            (self.shard, self.slot) = (self.shard + 1, 0);
        }
        self.shard = 0;
        self.cut = if self.way == 0 { square + 1 } else { square };
        let next = std::mem::replace(&mut self.next, Table::new(0));
        self.next = Table::new(next.len());
        Ok(std::mem::replace(&mut self.layer, next))
    }
}

/// Claims this many nodes, all or none.
pub(super) fn take(budget: &Budget, nodes: u64) -> Result<(), Pause> {
    let granted = budget.take(nodes)?;
    if granted < nodes {
        budget.give_back(granted);
        return Err(Pause::Limit(Limit::Nodes));
    }
    Ok(())
}

/// A step in words of the size of the states.
struct Sets<K> {
    closed: bool,
    comes: K,
    /// Each move that can go on, those it crosses, and those that meet it where it goes.
    goes: Vec<[K; 3]>,
}

impl<K: Word> Sets<K> {
    fn new(step: &Step, closed: bool) -> Sets<K> {
        let goes = step.goes.iter().map(|go| [go.bit, go.crosses, go.meets].map(K::from_wide)).collect();
        Sets { closed, comes: K::from_wide(step.comes), goes }
    }

    #[inline]
    fn follow(&self, key: K, moves: u16, next: &mut Table<K>) {
        let coming = key & self.comes;
        let rest = key ^ coming;
        let degree = coming.count();
        // One more end of the path is here.
        let ended = (!self.closed && rest.ends() < 2).then(|| rest.with_ends(rest.ends() + 1));
        if degree != 1 {
            next.raise(rest, moves);
        } else if let Some(ended) = ended {
            next.raise(ended, moves);
        }
        if degree > 1 {
            return;
        }
        let nothing = K::from_wide(0);
        let may = |&[_, crosses, meets]: &[K; 3]| rest & crosses == nothing && (rest & meets).count() < 2;
        for (at, one) in self.goes.iter().enumerate() {
            if !may(one) {
                continue;
            }
            if degree == 1 {
                next.raise(rest | one[0], moves + 1);
                continue;
            }
            if let Some(ended) = ended {
                next.raise(ended | one[0], moves + 1);
            }
            for two in self.goes[at + 1..].iter().filter(|two| may(two)) {
                next.raise(rest | one[0] | two[0], moves + 2);
            }
        }
    }
}
