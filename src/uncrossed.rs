//! [`Uncrossed`]: a longest path, or closed circuit, of moves that never cross each other.
//!
//! A move is the straight line between the centres of its squares. Two moves cross if their lines share a point that
//! is not a common end; so a move over the centre of a square crosses the moves of that square, too.
//!
//! # The method
//! The moves are decided one after another, in reading order of their later square along the shorter side of the board:
//! taken or not. What the moves still undecided need to know of those decided is little: which squares on the frontier
//! are ends of fragments and of which, which are free or done with, and which undecided moves are crossed. All
//! choices that agree in this are one state, of which the longest is kept. So nothing is missed.
//!
//! Before that, two sweeps over the same states make the search small. One forgets which ends belong together, so that it
//! takes circles beside the path for allowed: it says how many moves at most can follow a state. Another keeps only
//! the most promising states of each step and finds a path that is long, often the longest. A state that cannot lead to a
//! longer one is dropped.
//!
//! Cost: exponential in the shorter side, some ten times as much for each row more: 10 million states on 7x7.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::Board;
use crate::budget::{Budget, Limit, Pause, Progress};
use crate::moves::Wrap;
use crate::request::RequestError;
use crate::square::Square;

/// Slots of the frontier and words of crossed moves that a state has room for.
const SLOTS: usize = 40;
const WORDS: usize = 4;

/// No board with a longer shorter side has room in a state.
const WIDEST: u32 = SLOTS as u32;

/// A mate: the vertex is not on the frontier, or done with; or its fragment's other end stays an end for good.
const DONE: u8 = u8::MAX;
const END: u8 = u8::MAX - 1;
/// No state.
const NOWHERE: u32 = u32::MAX;

/// States between two looks at the budget.
const BATCH: u64 = 256;
/// States of a step that the sweep for a long path keeps.
const KEPT: usize = 4000;
/// States of a step beyond which the sweep for the bound forgets which squares have a move already.
const BOUND_STATES: usize = 400_000;

/// What is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// The squares in order; of a circuit the first is not repeated. At least one square of a path.
    pub squares: Vec<u32>,
    /// No path has more moves.
    pub upper_bound: u32,
    /// Why it was not settled whether this is the longest.
    pub stopped: Option<Limit>,
    /// States that were followed.
    pub nodes: u64,
    /// Bytes that the states took at most.
    pub memory: u64,
}

impl Longest {
    /// Moves of a path or circuit over such squares.
    #[must_use]
    pub fn moves(squares: &[u32], closed: bool) -> u32 {
        let count = squares.len() as u32;
        if closed { count } else { count.saturating_sub(1) }
    }
}

/// A search for a longest path that does not cross itself.
#[derive(Debug)]
pub struct Uncrossed {
    plan: Plan,
    sweep: Sweep,
    stage: Stage,
    /// Of each step the states of the sweep for the bound: their successors without and with the move.
    after: Vec<Vec<[u32; 2]>>,
    /// How many moves at most can follow each of these states.
    bounds: Vec<Vec<u16>>,
    best: u32,
    moves: Vec<(u32, u32)>,
    nodes: u64,
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Bound,
    Long,
    Exact,
    Done,
}

/// A choice of moves, up to what matters for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// By slot: the slot of the other end of the fragment, its own if no move was taken.
    mates: [u8; SLOTS],
    /// Ends that are fixed, where ends are not told apart.
    ends: u8,
    /// Undecided moves that are crossed or whose squares are done with, by bit.
    crossed: [u64; WORDS],
}

impl std::hash::Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for bytes in self.mates.as_chunks::<8>().0 {
            hasher.write_u64(u64::from_le_bytes(*bytes));
        }
        self.crossed.iter().for_each(|&word| hasher.write_u64(word));
        hasher.write_u64(self.ends.into());
    }
}

/// A fast hash of words.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type States = HashMap<State, u32, BuildHasherDefault<Mix>>;

/// The moves in order and what they have to do with each other.
#[derive(Debug)]
struct Plan {
    closed: bool,
    vertices: usize,
    /// (earlier, later) vertex of each move, in the order of deciding.
    moves: Vec<(u32, u32)>,
    /// The moves that each one crosses.
    crossings: Vec<Vec<u32>>,
    /// The moves of each vertex.
    at: Vec<Vec<u32>>,
    squares: Vec<u32>,
}

/// What a sweep in one direction looks up.
#[derive(Debug)]
struct Steps {
    steps: Vec<StepPlan>,
}

#[derive(Clone, Debug, Default)]
struct StepPlan {
    /// Slots of vertices that come to the frontier.
    enter: Vec<u8>,
    /// Slots of the two squares.
    ends: (u8, u8),
    /// The bit of the move.
    bit: u16,
    /// Bits of the undecided moves that it crosses.
    crosses: [u64; WORDS],
    /// Slots on the frontier after the step, with the bits of their undecided moves.
    open: Vec<(u8, [u64; WORDS])>,
    /// Slots that leave.
    leave: Vec<u8>,
}

/// A sweep under way.
#[derive(Debug)]
struct Sweep {
    steps: Steps,
    /// Ends are not told apart.
    loose: bool,
    /// With so many states it forgets something.
    patience: usize,
    at: usize,
    states: Vec<Placed>,
    done: usize,
    next: States,
    /// The same for the states of the next step, by the order in which they were found.
    found: Vec<Found>,
    /// For the bound: what each state here leads to, as it was found, without the move and with it.
    leads: Vec<[u32; 2]>,
    /// Where a state that was found went when something was forgotten.
    alias: Vec<u32>,
    /// The same of the steps before: the parent, and the choice in its lowest bit.
    trail: Vec<Vec<u32>>,
}

/// A state of this step.
#[derive(Clone, Copy, Debug)]
struct Placed {
    state: State,
    moves: u32,
    /// Which state it is for the sweep for the bound.
    loose: u32,
}

/// What is known of a state of the next step.
#[derive(Clone, Copy, Debug)]
struct Found {
    moves: u32,
    /// The parent, and the choice in its lowest bit.
    choice: u32,
    loose: u32,
}

/// Bytes a state takes while a sweep works on it, hash table and all.
const STATE_BYTES: u64 = (2 * size_of::<State>() + 48) as u64;

impl Uncrossed {
    /// A search that has not begun. Refuses joined edges, on which lines are not defined.
    pub fn new(board: &Board, closed: bool, budget: &Budget) -> Result<Uncrossed, UncrossedError> {
        if board.wrap() != Wrap::None {
            let text = format!("crossings are defined on flat boards: the {} has joined edges", board.describe());
            return Err(UncrossedError::Request(RequestError::Misuse(text)));
        }
        if board.rows().min(board.cols()) > WIDEST {
            return Err(too_wide(board));
        }
        // Below a state for each step no board gets by.
        budget.check_memory(board.len() as u64 * 400).map_err(UncrossedError::Pause)?;
        let plan = Plan::new(board, closed);
        let order: Vec<u32> = (0..plan.moves.len() as u32).collect();
        let Some(steps) = plan.steps(&order) else {
            return Err(too_wide(board));
        };
        let sweep = Sweep::new(steps, true);
        Ok(Uncrossed {
            plan,
            sweep,
            stage: Stage::Bound,
            after: Vec::new(),
            bounds: Vec::new(),
            best: 0,
            moves: Vec::new(),
            nodes: 0,
            memory: 0,
        })
    }

    /// Goes on to the answer.
    pub fn advance(&mut self, budget: &Budget) -> Result<Longest, Pause> {
        loop {
            if self.stage == Stage::Done {
                return Ok(self.answer(None));
            }
            if let Err(pause) = self.sweep(budget) {
                return match pause {
                    Pause::Slice => Err(pause),
                    Pause::Limit(limit) => Ok(self.answer(Some(limit))),
                };
            }
            let forward: Vec<u32> = (0..self.plan.moves.len() as u32).collect();
            let again = |plan: &Plan| plan.steps(&forward).map(|steps| Sweep::new(steps, false));
            self.stage = match self.stage {
                Stage::Bound => {
                    self.bounds = bounds(&self.after, self.sweep.states.len());
                    Stage::Long
                }
                Stage::Long => Stage::Exact,
                Stage::Exact | Stage::Done => Stage::Done,
            };
            match again(&self.plan) {
                Some(sweep) if self.stage != Stage::Done => self.sweep = sweep,
                _ => self.stage = Stage::Done,
            }
        }
    }

    /// What is known when a limit is reached.
    #[must_use]
    pub fn answer(&self, stopped: Option<Limit>) -> Longest {
        let squares = self.plan.in_order(&self.moves);
        let upper_bound = match (stopped, self.stage) {
            (None, _) => self.best,
            (Some(_), Stage::Bound) => self.plan.most(),
            (Some(_), Stage::Exact) => {
                // Whatever is longer goes through a state of this step or of the next.
                let reach = |step: usize, moves: u32, loose: u32| moves + u32::from(self.bounds[step][loose as usize]);
                let sweep = &self.sweep;
                let waiting = sweep.states[sweep.done..].iter().map(|s| reach(sweep.at, s.moves, s.loose));
                let next = sweep.found.iter().map(|f| reach(sweep.at + 1, f.moves, f.loose));
                waiting.chain(next).max().unwrap_or(0).max(self.best)
            }
            (Some(_), _) => self.bounds[0][0].into(),
        };
        Longest {
            squares,
            upper_bound: upper_bound.min(self.plan.most()).max(self.best),
            stopped: stopped.filter(|_| upper_bound > self.best),
            nodes: self.nodes,
            memory: self.memory,
        }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let sweep = match self.stage {
            Stage::Bound => 0,
            Stage::Long => 1,
            Stage::Exact | Stage::Done => 2,
        };
        let count = self.plan.moves.len() as u64;
        let message = format!("searching: moves decided, {} in a row so far", self.best);
        Progress { done: sweep * count + self.sweep.at as u64, total: Some(3 * count), message }
    }

    /// Goes on with the sweep to its end.
    fn sweep(&mut self, budget: &Budget) -> Result<(), Pause> {
        while self.sweep.at < self.plan.moves.len() {
            while self.sweep.done < self.sweep.states.len() {
                let granted = budget.take(BATCH)?;
                let upto = self.sweep.states.len().min(self.sweep.done + granted as usize);
                budget.give_back(granted - (upto - self.sweep.done) as u64);
                self.nodes += (upto - self.sweep.done) as u64;
                for at in self.sweep.done..upto {
                    self.follow(at);
                }
                self.sweep.done = upto;
                if self.sweep.loose && self.sweep.next.len() > self.sweep.patience {
                    self.sweep.forget();
                }
            }
            let trail: usize = self.sweep.trail.iter().map(Vec::len).sum();
            let states = (self.sweep.states.len() + self.sweep.next.len()) as u64;
            let after: usize = self.after.iter().map(Vec::len).sum();
            let bytes = states * STATE_BYTES + 4 * trail as u64 + 10 * after as u64;
            self.memory = self.memory.max(bytes);
            // The next step may have twice as many.
            budget.check_memory(bytes + 2 * self.sweep.next.len() as u64 * STATE_BYTES)?;
            let kept = if self.stage == Stage::Long { KEPT } else { usize::MAX };
            if let Some(after) = self.sweep.turn(kept, &self.bounds) {
                self.after.push(after);
            }
        }
        Ok(())
    }

    /// Decides the move of this step in a state, both ways.
    fn follow(&mut self, at: usize) {
        let Placed { state, moves, .. } = self.sweep.states[at];
        let step = &self.sweep.steps.steps[self.sweep.at];
        let mut without = state;
        for &slot in &step.enter {
            without.mates[slot as usize] = slot;
        }
        let (word, bit) = (step.bit as usize / 64, 1u64 << (step.bit % 64));
        let is_crossed = without.crossed[word] & bit != 0;
        without.crossed[word] &= !bit;
        if !is_crossed && let Some((with, whole)) = self.take(&without) {
            if whole {
                self.offer(at, moves + 1);
            } else {
                self.keep(at, with, moves + 1, true);
            }
        }
        self.keep(at, without, moves, false);
    }

    /// The state with the move taken, and whether it is a whole circuit. `None` if it cannot be taken.
    fn take(&self, state: &State) -> Option<(State, bool)> {
        let step = &self.sweep.steps.steps[self.sweep.at];
        let (a, b) = step.ends;
        let mut state = *state;
        let (u, v) = (state.mates[a as usize], state.mates[b as usize]);
        if u == DONE || v == DONE {
            return None;
        }
        for (crossed, crosses) in state.crossed.iter_mut().zip(step.crosses) {
            *crossed |= crosses;
        }
        if self.sweep.loose {
            // An end has END as its mate here, whatever its fragment.
            for slot in [a, b] {
                let mate = &mut state.mates[slot as usize];
                *mate = if *mate == END { DONE } else { END };
            }
            return Some((state, false));
        }
        if u == b {
            let others = |(slot, &mate): (usize, &u8)| {
                mate != DONE && mate as usize != slot && slot != a as usize && slot != b as usize
            };
            let alone = !state.mates.iter().enumerate().any(others);
            return (self.plan.closed && alone && u != a).then_some((state, true));
        }
        // A fragment's inner vertices are done with.
        if u != a {
            state.mates[a as usize] = DONE;
        }
        if v != b {
            state.mates[b as usize] = DONE;
        }
        let (left, right) = (if u == a { a } else { u }, if v == b { b } else { v });
        match (left, right) {
            (END, END) => {
                // Both ends are fixed: it is a whole path, if it is alone.
                let alone = state.mates.iter().enumerate().all(|(slot, &m)| m == DONE || m as usize == slot);
                return alone.then_some((state, true));
            }
            (END, end) | (end, END) => state.mates[end as usize] = END,
            (left, right) => {
                state.mates[left as usize] = right;
                state.mates[right as usize] = left;
            }
        }
        Some((state, false))
    }

    /// Puts a state down for the next step, in its simplest form.
    fn keep(&mut self, parent: usize, mut state: State, moves: u32, taken: bool) {
        let step = &self.sweep.steps.steps[self.sweep.at];
        let loose = self.sweep.loose;
        for (slot, undecided) in &step.open {
            let slot = *slot as usize;
            let covers =
                |state: &State| undecided.iter().zip(state.crossed).all(|(open, crossed)| open & !crossed == 0);
            if state.mates[slot] != DONE && covers(&state) {
                // It has no move left.
                if !settle(&mut state, slot, self.plan.closed, loose) {
                    return;
                }
            }
            if state.mates[slot] == DONE {
                for (crossed, open) in state.crossed.iter_mut().zip(undecided) {
                    *crossed |= open;
                }
            }
        }
        for &slot in &step.leave {
            let slot = slot as usize;
            if state.mates[slot] != DONE && !settle(&mut state, slot, self.plan.closed, loose) {
                return;
            }
        }
        let fragments = |&(slot, &mate): &(usize, &u8)| mate != DONE && mate as usize != slot;
        if !loose {
            let ends = state.mates.iter().filter(|&&mate| mate == END).count();
            let open = state.mates.iter().enumerate().filter(fragments).count();
            // A path that may end here. (Its parts beyond are other states.)
            let is_whole = !self.plan.closed && (ends == 1 && open == 1 || ends == 0 && open <= 2);
            if is_whole && taken {
                self.record(parent, moves);
            }
            if ends == 0 && open == 0 && moves > 0 {
                return;
            }
        }
        let at = self.sweep.at;
        let mut loose_state = 0;
        if !loose {
            loose_state = self.after[at][self.sweep.states[parent].loose as usize][usize::from(taken)];
            let bound = self.bounds[at + 1].get(loose_state as usize).copied().unwrap_or(0);
            if moves + u32::from(bound) <= self.best {
                return;
            }
        }
        let choice = (parent as u32) << 1 | u32::from(taken);
        let sweep = &mut self.sweep;
        let index = match sweep.next.entry(state) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                let index = sweep.found.len() as u32;
                entry.insert(index);
                sweep.found.push(Found { moves, choice, loose: loose_state });
                index
            }
            std::collections::hash_map::Entry::Occupied(entry) => {
                let kept = &mut sweep.found[*entry.get() as usize];
                if kept.moves < moves {
                    (kept.moves, kept.choice) = (moves, choice);
                }
                *entry.get()
            }
        };
        if loose {
            sweep.leads[parent][usize::from(taken)] = index;
        }
    }

    /// A whole path or circuit, by the last move taken from a state.
    fn offer(&mut self, parent: usize, moves: u32) {
        self.record(parent, moves);
    }

    fn record(&mut self, parent: usize, moves: u32) {
        if moves <= self.best {
            return;
        }
        let mut taken = vec![self.plan.moves[self.sweep.at]];
        let mut at = parent;
        for (step, trail) in self.sweep.trail.iter().enumerate().rev() {
            let choice = trail[at];
            if choice & 1 == 1 {
                taken.push(self.plan.moves[step]);
            }
            at = (choice >> 1) as usize;
        }
        debug_assert_eq!(taken.len() as u32, moves);
        (self.best, self.moves) = (moves, taken);
    }
}

/// A vertex has no move left: it is done with, or an end for good. False if that cannot be.
fn settle(state: &mut State, slot: usize, closed: bool, loose: bool) -> bool {
    let mate = state.mates[slot];
    state.mates[slot] = DONE;
    if mate as usize == slot {
        return true;
    }
    if closed {
        return false;
    }
    // A path has two ends.
    if loose {
        state.ends += 1;
        return state.ends <= 2;
    }
    if mate == END {
        // A path with both ends fixed is whole: it has been recorded, or is not alone.
        return state.mates.iter().enumerate().all(|(slot, &m)| m == DONE || m as usize == slot);
    }
    state.mates[mate as usize] = END;
    state.mates.iter().filter(|&&mate| mate == END).count() <= 2
}

impl Sweep {
    fn new(steps: Steps, loose: bool) -> Sweep {
        let state = State { mates: [DONE; SLOTS], ends: 0, crossed: [0; WORDS] };
        Sweep {
            steps,
            loose,
            patience: BOUND_STATES,
            at: 0,
            states: vec![Placed { state, moves: 0, loose: 0 }],
            leads: vec![[NOWHERE; 2]],
            alias: Vec::new(),
            done: 0,
            next: States::default(),
            found: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// On to the next step, with so many of the most promising states; what the states of this step lead to, if that
    /// was noted.
    fn turn(&mut self, most: usize, bounds: &[Vec<u16>]) -> Option<Vec<[u32; 2]>> {
        let mut states: Vec<(State, u32)> = std::mem::take(&mut self.next).into_iter().collect();
        let found = std::mem::take(&mut self.found);
        // In the order found, so that every run is the same.
        states.sort_unstable_by_key(|&(_, at)| at);
        self.at += 1;
        if states.len() > most {
            let promise = |&(_, at): &(State, u32)| {
                let Found { moves, loose, .. } = found[at as usize];
                std::cmp::Reverse((moves + u32::from(bounds[self.at][loose as usize]), moves))
            };
            states.sort_by_key(promise);
            states.truncate(most);
        }
        let after = self.loose.then(|| {
            let mut place = vec![NOWHERE; found.len()];
            for (to, &(_, at)) in (0..).zip(&states) {
                place[at as usize] = to;
            }
            let mut leads = std::mem::take(&mut self.leads);
            for index in leads.iter_mut().flatten().filter(|index| **index != NOWHERE) {
                let mut at = *index as usize;
                while self.alias.get(at).is_some_and(|&alias| alias as usize != at) {
                    at = self.alias[at] as usize;
                }
                *index = place[at];
            }
            leads
        });
        if !self.loose {
            self.trail.push(states.iter().map(|&(_, at)| found[at as usize].choice).collect());
        }
        let placed = |(state, at): (State, u32)| {
            let Found { moves, loose, .. } = found[at as usize];
            Placed { state, moves, loose }
        };
        self.states = states.into_iter().map(placed).collect();
        self.leads = if self.loose { vec![[NOWHERE; 2]; self.states.len()] } else { Vec::new() };
        self.alias = Vec::new();
        (self.patience, self.done) = (BOUND_STATES, 0);
        after
    }

    /// Forgets something of the states, which makes fewer of them that can do more.
    fn forget(&mut self) {
        let mut fewer = States::default();
        self.alias.extend(self.alias.len() as u32..self.found.len() as u32);
        let mut states: Vec<(State, u32)> = std::mem::take(&mut self.next).into_iter().collect();
        states.sort_unstable_by_key(|&(_, at)| at);
        for (mut state, at) in states {
            for (slot, mate) in state.mates.iter_mut().enumerate() {
                if *mate == END {
                    *mate = slot as u8;
                }
            }
            state.ends = 0;
            self.alias[at as usize] = *fewer.entry(state).or_insert(at);
        }
        self.patience = BOUND_STATES.max(2 * fewer.len());
        self.next = fewer;
    }
}

/// How many moves at most can follow each state, from what each leads to.
fn bounds(after: &[Vec<[u32; 2]>], last: usize) -> Vec<Vec<u16>> {
    let mut bounds = vec![vec![0; last]];
    for leads in after.iter().rev() {
        let next = &bounds[bounds.len() - 1];
        let follows = |index: u32, more: u16| next.get(index as usize).map_or(0, |&bound| bound + more);
        let here = leads.iter().map(|&[without, with]| follows(without, 0).max(follows(with, 1))).collect();
        bounds.push(here);
    }
    bounds.reverse();
    bounds
}

impl Plan {
    fn new(board: &Board, closed: bool) -> Plan {
        let mut squares: Vec<u32> = board.open_squares().collect();
        if board.cols() > board.rows() {
            // Along the shorter side.
            squares.sort_by_key(|&square| {
                let Square { row, col } = board.square(square);
                (col, row)
            });
        }
        let vertex: HashMap<u32, u32> = squares.iter().copied().zip(0..).collect();
        let mut moves: Vec<(u32, u32)> = Vec::new();
        for (v, &square) in (0..).zip(&squares) {
            let targets = board.moves(square);
            let earlier = targets.as_slice().iter().filter_map(|to| vertex.get(to).copied()).filter(|&u| u < v);
            moves.extend(earlier.map(|u| (u, v)));
        }
        moves.sort_unstable_by_key(|&(u, v)| (v, u));
        let mut at = vec![Vec::new(); squares.len()];
        for (index, &(u, v)) in (0..).zip(&moves) {
            at[u as usize].push(index);
            at[v as usize].push(index);
        }
        let line = |&(u, v): &(u32, u32)| [board.square(squares[u as usize]), board.square(squares[v as usize])];
        let lines: Vec<[Square; 2]> = moves.iter().map(line).collect();
        let along = |square: Square| if board.cols() > board.rows() { square.col } else { square.row };
        let reach = board.leaper().a.max(board.leaper().b);
        let mut crossings = vec![Vec::new(); moves.len()];
        for i in 0..moves.len() {
            for j in i + 1..moves.len() {
                // The moves are in the order of their later squares, and none is longer than that.
                if along(lines[j][1]) > along(lines[i][1]).saturating_add(reach) {
                    break;
                }
                if cross(lines[i], lines[j]) {
                    crossings[i].push(j as u32);
                    crossings[j].push(i as u32);
                }
            }
        }
        Plan { closed, vertices: squares.len(), moves, crossings, at, squares }
    }

    /// The most moves that there could be.
    fn most(&self) -> u32 {
        let count = self.vertices as u32;
        if self.closed { count } else { count.saturating_sub(1) }
    }

    /// What a sweep that decides the moves in this order looks up; `None` if a state has no room for it.
    fn steps(&self, order: &[u32]) -> Option<Steps> {
        let count = order.len();
        let mut place = vec![0u32; count];
        for (step, &index) in (0..).zip(order) {
            place[index as usize] = step;
        }
        let span = |v: usize| {
            let places = self.at[v].iter().map(|&index| place[index as usize]);
            places.clone().min().zip(places.max())
        };
        // A slot for each vertex while it has moves decided and undecided.
        let mut steps = vec![StepPlan::default(); count];
        let mut slot_of = vec![DONE; self.vertices];
        let mut enters = vec![Vec::new(); count];
        let mut leaves = vec![Vec::new(); count];
        for v in 0..self.vertices {
            if let Some((first, last)) = span(v) {
                enters[first as usize].push(v);
                leaves[last as usize].push(v);
            }
        }
        let mut free: Vec<u8> = (0..SLOTS as u8).rev().collect();
        // A bit for each move from when it may be crossed, or one of its squares is on the frontier, until it is decided.
        let mut bits_from = vec![Vec::new(); count];
        for index in 0..count {
            let (u, v) = self.moves[index];
            let squares = [u, v].into_iter().filter_map(|v| span(v as usize)).map(|(first, _)| first);
            let crossing = self.crossings[index].iter().map(|&other| place[other as usize]);
            let first = squares.chain(crossing).min().unwrap_or(0).min(place[index]);
            bits_from[first as usize].push(index);
        }
        let mut free_bits: Vec<u16> = (0..(WORDS * 64) as u16).rev().collect();
        let mut bit_of = vec![u16::MAX; count];
        let mut frontier: Vec<usize> = Vec::new();
        for step in 0..count {
            for &v in &enters[step] {
                slot_of[v] = free.pop()?;
                steps[step].enter.push(slot_of[v]);
                frontier.push(v);
            }
            for &index in &bits_from[step] {
                bit_of[index] = free_bits.pop()?;
            }
            let index = order[step] as usize;
            let (u, v) = self.moves[index];
            steps[step].ends = (slot_of[u as usize], slot_of[v as usize]);
            steps[step].bit = bit_of[index];
            let set = |indices: &[u32]| {
                let mut words = [0; WORDS];
                for &other in indices {
                    if place[other as usize] as usize > step {
                        let bit = bit_of[other as usize] as usize;
                        words[bit / 64] |= 1u64 << (bit % 64);
                    }
                }
                words
            };
            steps[step].crosses = set(&self.crossings[index]);
            frontier.retain(|v| !leaves[step].contains(v));
            steps[step].open = frontier.iter().map(|&v| (slot_of[v], set(&self.at[v]))).collect();
            for &v in &leaves[step] {
                steps[step].leave.push(slot_of[v]);
                free.push(slot_of[v]);
            }
            free_bits.push(bit_of[index]);
        }
        Some(Steps { steps })
    }

    /// The squares of a path or circuit in order.
    fn in_order(&self, moves: &[(u32, u32)]) -> Vec<u32> {
        let mut near: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(u, v) in moves {
            near.entry(u).or_default().push(v);
            near.entry(v).or_default().push(u);
        }
        let start = if self.closed {
            near.keys().copied().min()
        } else {
            near.iter().filter(|(_, to)| to.len() == 1).map(|(&v, _)| v).min()
        };
        let Some(start) = start else {
            // Without a move a path is a square, and there is no circuit.
            return if self.closed { Vec::new() } else { self.squares.first().copied().into_iter().collect() };
        };
        let (mut path, mut before, mut at) = (vec![start], None, start);
        while let Some(&next) =
            near[&at].iter().filter(|&&to| Some(to) != before && (path.len() < 2 || to != start)).min()
        {
            path.push(next);
            (before, at) = (Some(at), next);
        }
        path.into_iter().map(|v| self.squares[v as usize]).collect()
    }
}

/// Why there is no search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncrossedError {
    /// What is asked makes no sense.
    Request(RequestError),
    /// The memory is not enough to begin with.
    Pause(Pause),
}

fn too_wide(board: &Board) -> UncrossedError {
    let text = format!("the {} is too wide for a search for uncrossed paths with this leaper", board.describe());
    UncrossedError::Request(RequestError::Misuse(text))
}

/// Whether the boxes around two lines touch.
fn near(a: [Square; 2], b: [Square; 2]) -> bool {
    let overlap = |a: [u32; 2], b: [u32; 2]| a[0].min(a[1]) <= b[0].max(b[1]) && b[0].min(b[1]) <= a[0].max(a[1]);
    overlap(a.map(|s| s.row), b.map(|s| s.row)) && overlap(a.map(|s| s.col), b.map(|s| s.col))
}

/// Whether two lines share a point that is not a common end.
fn cross(a: [Square; 2], b: [Square; 2]) -> bool {
    let point = |s: Square| (i64::from(s.row), i64::from(s.col));
    let [p, q, r, s] = [a[0], a[1], b[0], b[1]].map(point);
    let turn =
        |o: (i64, i64), a: (i64, i64), b: (i64, i64)| ((a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)).signum();
    if !near(a, b) {
        return false;
    }
    let shared = [p, q].into_iter().find(|&end| end == r || end == s);
    if let Some(end) = shared {
        // They overlap if they lie on one line, on the same side of their common end.
        let (other, there) = (if p == end { q } else { p }, if r == end { s } else { r });
        let forward = (other.0 - end.0) * (there.0 - end.0) + (other.1 - end.1) * (there.1 - end.1) > 0;
        return turn(end, other, there) == 0 && forward;
    }
    let (d1, d2, d3, d4) = (turn(p, q, r), turn(p, q, s), turn(r, s, p), turn(r, s, q));
    if d1 != d2 && d3 != d4 && d1 * d2 <= 0 && d3 * d4 <= 0 {
        return true;
    }
    // On one line, and the boxes touch.
    d1 == 0 && d2 == 0 && d3 == 0 && d4 == 0
}
