//! [`Strict`]: a sweep over single paths that do not cross themselves.
//!
//! The moves on the frontier are kept from left to right. What was swept over joins some of them in pairs, and leads
//! some to an end of the path; as nothing crosses, the pairs are brackets. Of all choices with the same moves on the
//! frontier and the same brackets, the longest is kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::plan::{Plan, Step};
use crate::run::{Budget, Pause};

/// States between two looks at the budget.
const BATCH: u64 = 64;

/// The lower two bits of a move on the frontier.
const OPENS: u16 = 0;
const CLOSES: u16 = 1;
/// Its other end is an end of the path.
const END: u16 = 2;
const KIND: u16 = 3;

/// No move.
const NOTHING: u8 = 0xF;

/// A sweep under way, forwards.
#[derive(Debug)]
pub(super) struct Strict {
    pub cut: usize,
    states: Vec<State>,
    done: usize,
    next: HashMap<Box<[u16]>, u32, BuildHasherDefault<Mix>>,
    /// What is known of the next states, in the order in which they were found.
    found: Vec<Found>,
    /// Of all steps before: where the states come from.
    trail: Vec<Vec<(u32, u8)>>,
    /// The move at each bit of the frontier.
    at_bit: Vec<u32>,
    trail_states: usize,
}

#[derive(Clone, Debug)]
struct State {
    /// From left to right: the bit of each move, and what it is.
    frontier: Box<[u16]>,
    moves: u16,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    moves: u16,
    parent: u32,
    /// The moves taken: their places among those that can go on, in four bits each.
    taken: u8,
}

/// A state as the filter sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sketch {
    /// The moves on the frontier.
    pub set: u128,
    pub ends: u32,
    pub moves: u16,
}

/// A path or circuit that is whole: its moves.
pub(super) type Whole = Vec<u32>;

impl Strict {
    pub fn new() -> Strict {
        Strict {
            cut: 0,
            states: vec![State { frontier: Box::default(), moves: 0 }],
            done: 0,
            next: HashMap::default(),
            found: Vec::new(),
            trail: Vec::new(),
            at_bit: vec![0; u128::BITS as usize],
            trail_states: 0,
        }
    }

    pub fn bytes(&self) -> u64 {
        // A frontier's moves take some 40 bytes, and a place in a hash table.
        ((self.states.len() + 2 * self.next.len()) * 80 + self.trail_states * 8) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// On over the next square. States that `may_stay` refuses are dropped, and so are all but the `most` that are
    /// longest. A whole path of more than `best` moves, the longest here, is handed out.
    pub fn advance(
        &mut self,
        plan: &Plan,
        budget: &Budget,
        most: usize,
        best: &mut u32,
        nodes: &mut u64,
        may_stay: impl Fn(Sketch) -> bool,
    ) -> Result<Option<Whole>, Pause> {
        let step = &plan.steps[0][self.cut];
        for go in &step.goes {
            self.at_bit[go.bit.trailing_zeros() as usize] = go.index;
        }
        let mut whole = None;
        while self.done < self.states.len() {
            let granted = match budget.take(BATCH) {
                Ok(granted) => granted,
                // What was found is not lost: the step begins again, and this batch with it.
                Err(pause) if whole.is_none() => return Err(pause),
                Err(_) => return Ok(whole),
            };
            let upto = self.states.len().min(self.done + granted as usize);
            budget.give_back(granted - (upto - self.done) as u64);
            *nodes += (upto - self.done) as u64;
            for at in self.done..upto {
                if let Some(moves) = self.follow(plan, step, at, &may_stay)
                    && u32::from(moves) > *best
                {
                    *best = moves.into();
                    whole = Some(self.moves_of(plan, at));
                }
            }
            self.done = upto;
            budget.check_memory(self.bytes())?;
        }
        self.turn(most);
        Ok(whole)
    }

    /// The moves that lead to a state.
    fn moves_of(&self, plan: &Plan, at: usize) -> Whole {
        let mut moves = Vec::new();
        let mut at = at;
        for (cut, trail) in self.trail.iter().enumerate().rev() {
            let (parent, taken) = trail[at];
            let places = [taken & 0xF, taken >> 4].into_iter().filter(|&place| place != NOTHING);
            moves.extend(places.map(|place| plan.steps[0][cut].goes[place as usize].index));
            at = parent as usize;
        }
        moves
    }

    fn turn(&mut self, most: usize) {
        let mut states: Vec<(Box<[u16]>, u32)> = std::mem::take(&mut self.next).into_iter().collect();
        let found = std::mem::take(&mut self.found);
        // In the order found, so that every run is the same.
        states.sort_unstable_by_key(|&(_, at)| at);
        if states.len() > most {
            // A move on the frontier has been paid for by one of its squares, so to speak.
            let promise = |(frontier, at): &(Box<[u16]>, u32)| {
                std::cmp::Reverse(2 * i64::from(found[*at as usize].moves) - frontier.len() as i64)
            };
            states.sort_by_key(promise);
            states.truncate(most);
        }
        let origin = |&(_, at): &(Box<[u16]>, u32)| (found[at as usize].parent, found[at as usize].taken);
        self.trail.push(states.iter().map(origin).collect());
        self.trail_states += states.len();
        let state = |(frontier, at): (Box<[u16]>, u32)| State { frontier, moves: found[at as usize].moves };
        self.states = states.into_iter().map(state).collect();
        (self.cut, self.done) = (self.cut + 1, 0);
    }

    /// All ways to go on from a state. The moves of the path or circuit if it is whole here.
    fn follow(&mut self, plan: &Plan, step: &Step, at: usize, may_stay: &impl Fn(Sketch) -> bool) -> Option<u16> {
        let State { frontier, moves } = self.states[at].clone();
        let is_coming = |&&one: &&u16| step.comes >> (one >> 2) & 1 == 1;
        // Moves that meet here lie side by side.
        let degree = frontier.iter().filter(is_coming).count();
        let place = match frontier.iter().position(|one| is_coming(&one)) {
            Some(place) => place,
            None => self.place(plan, &frontier),
        };
        let coming = place..place + degree;
        let ends = frontier.iter().filter(|&&one| one & KIND == END).count();
        let rest: u128 = frontier.iter().filter(|one| !is_coming(one)).fold(0, |set, &one| set | 1 << (one >> 2));
        let may = |place: &usize| {
            let go = &step.goes[*place];
            rest & go.crosses == 0 && (rest & go.meets).count_ones() < 2
        };
        let goes: Vec<usize> = (0..step.goes.len()).filter(may).collect();
        let bit = |place: usize| (step.goes[place].bit.trailing_zeros() as u16) << 2;
        let mut keep = |frontier: Vec<u16>, more: u16, taken: [usize; 2]| {
            let taken = taken.map(|place| place as u8 & 0xF);
            self.keep(
                frontier,
                Found { moves: moves + more, parent: at as u32, taken: taken[0] | taken[1] << 4 },
                may_stay,
            );
        };
        const NO: usize = NOTHING as usize;
        let with = |here: &[u16]| {
            let mut with = frontier.to_vec();
            with.splice(coming.clone(), here.iter().copied());
            with
        };
        match degree {
            0 => {
                keep(with(&[]), 0, [NO, NO]);
                for (nth, &one) in goes.iter().enumerate() {
                    if !plan.closed && ends < 2 {
                        keep(with(&[bit(one) | END]), 1, [one, NO]);
                    }
                    for &two in &goes[nth + 1..] {
                        keep(with(&[bit(one) | OPENS, bit(two) | CLOSES]), 2, [one, two]);
                    }
                }
            }
            1 => {
                let kind = frontier[place] & KIND;
                for &one in &goes {
                    keep(with(&[bit(one) | kind]), 1, [one, NO]);
                }
                if plan.closed {
                } else if kind == END {
                    return (frontier.len() == 1).then_some(moves);
                } else if ends < 2 {
                    let mut ended = frontier.to_vec();
                    set_kind(&mut ended, mate(&frontier, place), END);
                    ended.remove(place);
                    keep(ended, 0, [NO, NO]);
                }
            }
            2 => {
                let mut joined = frontier.to_vec();
                match (frontier[place] & KIND, frontier[place + 1] & KIND) {
                    (OPENS, CLOSES) => return (plan.closed && frontier.len() == 2).then_some(moves),
                    (END, END) => return (frontier.len() == 2).then_some(moves),
                    (END, _) => set_kind(&mut joined, mate(&frontier, place + 1), END),
                    (_, END) => set_kind(&mut joined, mate(&frontier, place), END),
                    (OPENS, _) => set_kind(&mut joined, mate(&frontier, place + 1), OPENS),
                    (_, CLOSES) => set_kind(&mut joined, mate(&frontier, place), CLOSES),
                    // Between two pairs.
                    _ => {}
                }
                joined.drain(coming);
                keep(joined, 0, [NO, NO]);
            }
            _ => {}
        }
        None
    }

    /// How many moves of the frontier pass the square on its left.
    fn place(&self, plan: &Plan, frontier: &[u16]) -> usize {
        let (along, across) = plan.points[self.cut];
        let is_left = |&one: &u16| {
            let (u, v) = plan.moves[self.at_bit[(one >> 2) as usize] as usize];
            let (from, to) = (plan.points[u as usize], plan.points[v as usize]);
            if from.0 == along {
                return from.1 < across && to.0 > along;
            }
            to.0 > along && from.1 * (to.0 - along) + to.1 * (along - from.0) < across * (to.0 - from.0)
        };
        frontier.partition_point(is_left)
    }

    /// Puts a state down for the next step.
    fn keep(&mut self, frontier: Vec<u16>, new: Found, may_stay: &impl Fn(Sketch) -> bool) {
        let set = frontier.iter().fold(0, |set, one| set | 1 << (one >> 2));
        let ends = frontier.iter().filter(|&&one| one & KIND == END).count() as u32;
        if !may_stay(Sketch { set, ends, moves: new.moves }) {
            return;
        }
        match self.next.entry(frontier.into()) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(self.found.len() as u32);
                self.found.push(new);
            }
            std::collections::hash_map::Entry::Occupied(entry) => {
                let kept = &mut self.found[*entry.get() as usize];
                if kept.moves < new.moves {
                    *kept = new;
                }
            }
        }
    }
}

fn set_kind(frontier: &mut [u16], place: usize, kind: u16) {
    frontier[place] = frontier[place] & !KIND | kind;
}

/// The other end of a pair.
fn mate(frontier: &[u16], place: usize) -> usize {
    let forwards = frontier[place] & KIND == OPENS;
    let (mut at, mut depth) = (place, 0i32);
    loop {
        match frontier[at] & KIND {
            OPENS => depth += 1,
            CLOSES => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        at = if forwards { at + 1 } else { at - 1 };
    }
}

/// A fast hash of words.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
