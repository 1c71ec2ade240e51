//! [`PathSweep`]: all paths at once, counted by their number of squares or measured, by a sweep over the board.
//!
//! The squares are swept in a fixed order; when one has been swept, all edges of a path at it are decided. What the rest
//! needs to know is which squares still to come have been touched: a *state* says of each whether it is free, full, or
//! the end of a fragment and where the other end is (or that the path ends there). Unlike in a tour a square may be left
//! out, and the path is complete as soon as its ends meet, with everything to come left out. (Simpath of D. E. Knuth,
//! TAOCP 7.1.4.)
//!
//! States and the number of ways to come to them stand in a table; for the longest path, instead of that number, the most
//! squares used on the way, and from where, so that the path can be walked back.
//!
//! **Cost.** Exponential in the shorter side: 6x6 takes a second or so and a hundred megabytes, wider boards much more.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::PathRequest;
use crate::request::graph::Graph;
use crate::run::{Budget, Limit, Pause};

/// The most squares to come that may be touched at once.
const WIDEST: usize = 32;

/// What a slot says: no square, a full square, the end of a fragment whose other end is an end of the path; below these,
/// the slot of the fragment's other end, its own for a free square.
const NOBODY: u8 = 255;
const FULL: u8 = 254;
const DONE: u8 = 253;

/// What each slot of the frontier says, and how many squares are used if that is told apart.
type State = ([u8; WIDEST], u16);

/// A multiply-and-rotate hash: the tables are asked hundreds of millions of times, and nobody chooses their keys.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

type Table<V> = HashMap<State, V, BuildHasherDefault<Mixer>>;

/// How a state was come to: the one before, and the later neighbours joined.
#[derive(Clone, Copy, Debug)]
struct Trace {
    before: u32,
    joined: [u32; 2],
}

const NONE: u32 = u32::MAX;

/// What is asked of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The number of paths of this many squares.
    Count(usize),
    /// The longest path.
    Longest,
}

/// A sweep under way: resumable between two states.
#[derive(Debug)]
pub struct PathSweep {
    graph: Arc<Graph>,
    goal: Goal,
    closed: bool,
    /// The vertices that must be ends of the path.
    ends: [Option<u32>; 2],
    /// The vertex that a cycle must go through.
    through: Option<u32>,
    /// The vertices in the order of the sweep, and the place of each in it.
    order: Vec<u32>,
    place: Vec<u32>,
    /// The slot of each vertex while it is in the frontier.
    slot: Vec<u8>,
    free_slots: Vec<u8>,
    at: usize,
    /// The states before the vertex at work, and how far they have been seen to.
    states: Vec<(State, u128)>,
    seen: usize,
    next: Table<(u128, u32)>,
    /// For the longest path: of each layer how its states were come to.
    traces: Vec<Vec<Trace>>,
    new_traces: Vec<Trace>,
    total: u128,
    best: usize,
    /// How the best was completed: the layer, the trace that led to it and the last edges.
    last: Option<(usize, Trace)>,
    nodes: u64,
    overflown: bool,
}

impl PathSweep {
    /// A sweep that counts the paths of a request; `None` if the board is too wide for it.
    #[must_use]
    pub fn count(request: &PathRequest) -> Option<PathSweep> {
        PathSweep::new(request, Goal::Count(request.squares()))
    }

    /// A sweep for the longest path with the ends of a request, whose number of squares does not matter.
    #[must_use]
    pub fn longest(request: &PathRequest) -> Option<PathSweep> {
        PathSweep::new(request, Goal::Longest)
    }

    fn new(request: &PathRequest, goal: Goal) -> Option<PathSweep> {
        let graph = request.graph();
        let board = request.board();
        let (closed, tours) = (request.is_closed(), request.tours());
        if graph.len() > usize::from(u16::MAX) {
            return None;
        }
        let given = [tours.start(), tours.end()].map(|end| end.map(|square| graph.vertex(square)));
        let (ends, through) = if closed { ([None; 2], given[0]) } else { (given, None) };
        let along = |v: u32| (graph.square(v) % board.cols(), graph.square(v) / board.cols());
        let mut by_column: Vec<u32> = (0..graph.len() as u32).collect();
        by_column.sort_unstable_by_key(|&v| along(v));
        let by_row: Vec<u32> = (0..graph.len() as u32).collect();
        let order = [by_row, by_column].into_iter().min_by_key(|order| width(&graph, order))?;
        if width(&graph, &order) > WIDEST {
            return None;
        }
        let mut place = vec![0; graph.len()];
        for (at, &v) in order.iter().enumerate() {
            place[v as usize] = at as u32;
        }
        Some(PathSweep {
            slot: vec![NOBODY; graph.len()],
            free_slots: (0..WIDEST as u8).rev().collect(),
            graph,
            goal,
            closed,
            ends,
            through,
            order,
            place,
            at: 0,
            states: vec![(([NOBODY; WIDEST], 0), 1)],
            seen: 0,
            next: Table::default(),
            traces: Vec::new(),
            new_traces: Vec::new(),
            total: 0,
            best: 0,
            last: None,
            nodes: 0,
            overflown: false,
        })
    }

    /// Bytes in use, from above.
    fn bytes(&self) -> u64 {
        let state = size_of::<State>() as u64;
        let traces = self.traces.iter().map(Vec::len).sum::<usize>() + self.new_traces.len();
        self.states.capacity() as u64 * (state + 16)
            + self.next.capacity() as u64 * (state + 32)
            + traces as u64 * size_of::<Trace>() as u64
    }

    /// Goes on until all is known: then the number of paths, each once in either direction, or the number of squares of
    /// the longest (0: there is none). A node of the budget is a state that is looked at. Numbers beyond 128 bits end as
    /// memory that is not there.
    pub fn advance(&mut self, budget: &Budget) -> Result<u128, Pause> {
        const BATCH: u64 = 256;
        while self.at < self.order.len() {
            if self.seen == 0 {
                self.open();
            }
            while self.seen < self.states.len() {
                budget.check_memory(self.bytes())?;
                let granted = budget.take(BATCH)?;
                let mut left = granted;
                while left > 0 && self.seen < self.states.len() {
                    left -= 1;
                    self.nodes += 1;
                    self.extend(self.seen);
                    self.seen += 1;
                }
                budget.give_back(left);
                if self.overflown {
                    return Err(Pause::Limit(Limit::Memory));
                }
            }
            self.close();
        }
        Ok(match self.goal {
            Goal::Count(_) => self.total,
            Goal::Longest => self.best as u128,
        })
    }

    /// States looked at.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Lets the vertex at work and its later neighbours in.
    fn open(&mut self) {
        let v = self.order[self.at];
        let later: Vec<u32> = self.later(v).collect();
        for u in std::iter::once(v).chain(later) {
            if self.slot[u as usize] == NOBODY {
                // As many as the width, which was looked at.
                let slot = self.free_slots.pop().unwrap_or(0);
                self.slot[u as usize] = slot;
                for (state, _) in &mut self.states {
                    state.0[slot as usize] = slot;
                }
            }
        }
    }

    fn later(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let place = self.place[v as usize];
        self.graph.neighbours(v).iter().copied().filter(move |&u| self.place[u as usize] > place)
    }

    /// Takes the vertex at work out, and makes the states to come those to look at.
    fn close(&mut self) {
        let v = self.order[self.at];
        self.free_slots.push(self.slot[v as usize]);
        self.slot[v as usize] = NOBODY;
        let mut states: Vec<(State, (u128, u32))> = std::mem::take(&mut self.next).into_iter().collect();
        // The tables have an order of their own, which is the same each time, but nobody should have to rely on that.
        states.sort_unstable_by_key(|(state, _)| *state);
        if self.goal == Goal::Longest {
            let traces = states.iter().map(|&(_, (_, trace))| self.new_traces[trace as usize]).collect();
            self.traces.push(traces);
            self.new_traces.clear();
        }
        self.states = states.into_iter().map(|(state, (value, _))| (state, value)).collect();
        self.seen = 0;
        self.at += 1;
    }

    /// All that can be decided at the vertex at work, from one state.
    fn extend(&mut self, index: usize) {
        let v = self.order[self.at];
        let (state, value) = self.states[index];
        let own = self.slot[v as usize];
        let mate = state.0[own as usize];
        let must_end = self.ends.contains(&Some(v));
        // With both ends given nowhere else.
        let may_end = !self.closed && (must_end || self.ends.iter().flatten().count() < 2);
        let mut later = [NONE; 8];
        let mut count = 0;
        for &u in self.graph.neighbours(v) {
            if self.place[u as usize] > self.place[v as usize] && state.0[self.slot[u as usize] as usize] != FULL {
                later[count] = u;
                count += 1;
            }
        }
        let later = &later[..count];
        let mut base = state;
        base.0[own as usize] = NOBODY;
        let step = |joined: [u32; 2]| Trace { before: index as u32, joined };
        match mate {
            // Both of its moves are used, so that no path ends there.
            FULL if must_end => {}
            FULL => self.put(base, value, 1, step([NONE; 2])),
            mate if mate != own => {
                // One end of a fragment, whose other end is `mate`.
                if may_end {
                    self.join(base, DONE, mate, value, step([NONE; 2]));
                }
                if !must_end {
                    for &u in later {
                        let mut state = base;
                        let slot = self.slot[u as usize];
                        if mate == slot {
                            self.complete(&mut state, &[slot], value, step([u, NONE]), self.closed);
                        } else {
                            let far = enter(&mut state, slot);
                            self.join(state, mate, far, value, step([u, NONE]));
                        }
                    }
                }
            }
            _ => {
                if !must_end {
                    if self.through != Some(v) {
                        self.put(base, value, 0, step([NONE; 2]));
                    }
                    for (i, &u) in later.iter().enumerate() {
                        for &w in &later[i + 1..] {
                            let mut state = base;
                            let (a, b) = (self.slot[u as usize], self.slot[w as usize]);
                            if state.0[a as usize] == b && a != b {
                                self.complete(&mut state, &[a, b], value, step([u, w]), self.closed);
                            } else {
                                let near = enter(&mut state, a);
                                let far = enter(&mut state, b);
                                self.join(state, near, far, value, step([u, w]));
                            }
                        }
                    }
                }
                if may_end {
                    for &u in later {
                        let mut state = base;
                        let far = enter(&mut state, self.slot[u as usize]);
                        self.join(state, DONE, far, value, step([u, NONE]));
                    }
                }
            }
        }
    }

    /// Makes one fragment of two, or of one and an end of the path, through the vertex at work.
    fn join(&mut self, mut state: State, a: u8, b: u8, value: u128, trace: Trace) {
        if a == DONE && b == DONE {
            self.complete(&mut state, &[], value, trace, !self.closed);
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            if one != DONE {
                state.0[one as usize] = other;
            }
        }
        if state.0.iter().filter(|&&mate| mate == DONE).count() <= 2 {
            self.put(state, value, 1, trace);
        }
    }

    /// The path is complete, if it is all that there is: `full` are slots that it fills.
    fn complete(&mut self, state: &mut State, full: &[u8], value: u128, trace: Trace, is_asked: bool) {
        if !is_asked {
            return;
        }
        for &slot in full {
            state.0[slot as usize] = FULL;
        }
        let rest = |(slot, &mate): (usize, &u8)| mate == FULL || mate == NOBODY || usize::from(mate) == slot;
        if !state.0.iter().enumerate().all(rest) {
            return;
        }
        // What is given as an end and is still to come would be left out.
        let is_left = |&end: &u32| self.place[end as usize] as usize > self.at;
        if self.ends.iter().flatten().any(is_left) {
            return;
        }
        if self.through.is_some_and(|v| is_left(&v) && !self.is_full(state, v)) {
            return;
        }
        let used = self.used_before(trace.before, state) + 1 + state.0.iter().filter(|&&mate| mate == FULL).count();
        match self.goal {
            Goal::Count(wanted) => {
                if used == wanted {
                    match self.total.checked_add(value) {
                        Some(total) => self.total = total,
                        None => self.overflown = true,
                    }
                }
            }
            Goal::Longest => {
                if used > self.best {
                    self.best = used;
                    self.last = Some((self.at, trace));
                }
            }
        }
    }

    /// Whether a vertex to come has both of its moves.
    fn is_full(&self, state: &State, v: u32) -> bool {
        let slot = self.slot[v as usize];
        slot != NOBODY && state.0[slot as usize] == FULL
    }

    /// Squares used before the vertex at work.
    fn used_before(&self, before: u32, state: &State) -> usize {
        match self.goal {
            Goal::Count(_) => usize::from(state.1),
            Goal::Longest => self.states[before as usize].1 as usize - 1,
        }
    }

    /// Notes a state to come.
    fn put(&mut self, mut state: State, value: u128, used: u16, trace: Trace) {
        match self.goal {
            Goal::Count(wanted) => {
                state.1 += used;
                // Squares that are touched will be used.
                let touched =
                    state.0.iter().enumerate().filter(|&(slot, &mate)| mate != NOBODY && usize::from(mate) != slot);
                let sure = usize::from(state.1) + touched.count();
                let left = self.order.len() - self.at - 1;
                if sure > wanted || usize::from(state.1) + left < wanted {
                    return;
                }
                let entry = self.next.entry(state).or_insert((0, 0));
                match entry.0.checked_add(value) {
                    Some(sum) => entry.0 = sum,
                    None => self.overflown = true,
                }
            }
            Goal::Longest => {
                let value = value + u128::from(used);
                let number = self.new_traces.len() as u32;
                let entry = self.next.entry(state).or_insert((0, number));
                if entry.1 == number {
                    self.new_traces.push(trace);
                }
                if value > entry.0 {
                    entry.0 = value;
                    self.new_traces[entry.1 as usize] = trace;
                }
            }
        }
    }

    /// The squares of the longest path, once it is known; from the given start, if there is one.
    #[must_use]
    pub fn path(&self) -> Vec<u32> {
        let Some((layer, last)) = self.last else { return Vec::new() };
        let mut links: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut trace = last;
        let mut at = layer;
        loop {
            let v = self.order[at];
            for u in trace.joined.into_iter().filter(|&u| u != NONE) {
                links.entry(v).or_default().push(u);
                links.entry(u).or_default().push(v);
            }
            if at == 0 {
                break;
            }
            at -= 1;
            trace = self.traces[at][trace.before as usize];
        }
        let first = if self.closed {
            self.through.or_else(|| links.keys().copied().min())
        } else {
            let is_end = |v: &u32| links[v].len() == 1;
            self.ends[0].or_else(|| {
                let mut found: Vec<u32> = links.keys().copied().filter(is_end).collect();
                found.sort_unstable();
                if found.first() == self.ends[1].as_ref() { found.pop() } else { found.first().copied() }
            })
        };
        let Some(first) = first else { return Vec::new() };
        let (mut before, mut v) = (NONE, first);
        let mut path = vec![self.graph.square(first)];
        loop {
            let mut onward = links[&v].clone();
            onward.sort_unstable();
            match onward.into_iter().find(|&u| u != before) {
                Some(u) if u != first => {
                    path.push(self.graph.square(u));
                    (before, v) = (v, u);
                }
                _ => return path,
            }
        }
    }
}

/// A later vertex gets an edge: what is at the far end of the fragment that it belongs to.
fn enter(state: &mut State, slot: u8) -> u8 {
    match state.0[slot as usize] {
        mate if mate == slot => slot,
        mate => {
            state.0[slot as usize] = FULL;
            mate
        }
    }
}

/// The most vertices in play at once.
fn width(graph: &Graph, order: &[u32]) -> usize {
    let mut place = vec![0; graph.len()];
    for (at, &v) in order.iter().enumerate() {
        place[v as usize] = at;
    }
    let mut is_in = vec![false; graph.len()];
    let (mut count, mut most) = (0, 0);
    for (at, &v) in order.iter().enumerate() {
        for u in graph.neighbours(v).iter().copied().filter(|&u| place[u as usize] > at).chain([v]) {
            if !std::mem::replace(&mut is_in[u as usize], true) {
                count += 1;
            }
        }
        most = most.max(count);
        count -= 1;
    }
    most
}
