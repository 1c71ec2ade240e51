//! The path on a graph of at most 64 vertices: sets are words.
//!
//! The usable edges of all vertices are counted at once, one bit of each count in one of four words,
//! so that leaving a vertex subtracts one from all its neighbours in a dozen instructions.

use std::sync::Arc;

use super::lookahead::{CutCheck, Lookahead, Prune, Remaining};
use super::order::{self, Order, Ranking};
use super::{Entered, Position, Root};
use crate::board::Bitboard;
use crate::request::graph::Graph;

/// Counts from 0 to 15 for each of 64 vertices, bit by bit.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([u64; 4]);

impl Counts {
    #[inline(always)]
    fn add_one(&mut self, to: Bitboard) {
        let mut carry = to.0;
        for word in &mut self.0 {
            let next = *word & carry;
            *word ^= carry;
            carry = next;
        }
    }

    #[inline(always)]
    fn take_one(&mut self, from: Bitboard) {
        let mut borrow = from.0;
        for word in &mut self.0 {
            let next = !*word & borrow;
            *word ^= borrow;
            borrow = next;
        }
    }

    #[inline(always)]
    fn below_two(&self) -> Bitboard {
        Bitboard(!(self.0[1] | self.0[2] | self.0[3]))
    }

    #[inline(always)]
    fn exactly_two(&self) -> Bitboard {
        Bitboard(self.0[1] & !self.0[0] & !self.0[2] & !self.0[3])
    }
}

/// A vertex of the path with what is left after it and what is still to be tried from it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    unvisited: Bitboard,
    usable: Counts,
    /// Unvisited vertices on which the path may end.
    ends: Bitboard,
    /// The vertices still to be tried, first one in the lowest byte.
    queue: u64,
    left: u8,
    head: u8,
}

/// What never changes during a search.
#[derive(Debug)]
pub(super) struct WordGraph {
    near: [Bitboard; 64],
    required: [Bitboard; 64],
    /// The vertices of the colour of vertex 0, if the graph is two-coloured.
    first_colour: Option<Bitboard>,
    /// Vertices with a given step, and the vertex of each given step.
    stepped: Bitboard,
    at_step: Vec<Option<u8>>,
}

impl WordGraph {
    pub(super) fn new(graph: &Graph, first_colour: Option<Bitboard>) -> WordGraph {
        assert!(graph.len() <= 64, "a word holds at most 64 vertices");
        let mut word = WordGraph {
            near: [Bitboard::EMPTY; 64],
            required: [Bitboard::EMPTY; 64],
            first_colour,
            stepped: Bitboard::EMPTY,
            at_step: Vec::new(),
        };
        for v in 0..graph.len() as u32 {
            word.near[v as usize] = graph.neighbours(v).iter().copied().collect();
        }
        for &(a, b) in graph.required() {
            word.required[a as usize].add(b);
        }
        if !graph.steps().is_empty() {
            word.at_step = vec![None; graph.len()];
            for &(step, v) in graph.steps() {
                word.stepped.add(v);
                word.at_step[step as usize] = Some(v as u8);
            }
        }
        word
    }
}

#[derive(Clone, Debug)]
pub(super) struct WordPosition {
    graph: Arc<WordGraph>,
    ranking: Ranking,
    lookahead: Lookahead,
    /// Scratch of the full look-ahead; empty unless it is used.
    cuts: CutCheck,
    /// The frames of the path but its last vertex when it is complete.
    frames: Vec<Frame>,
    last: Option<u8>,
    /// Frames below this one belong to somebody else's part of the search.
    base: usize,
}

impl WordPosition {
    pub(super) fn new(graph: Arc<WordGraph>, ranking: Ranking, lookahead: Lookahead) -> WordPosition {
        let cuts = CutCheck::new(if lookahead == Lookahead::Full { 64 } else { 0 });
        WordPosition { graph, ranking, lookahead, cuts, frames: Vec::with_capacity(64), last: None, base: 0 }
    }

    /// The candidates of `head` in the order to try, as a queue of bytes.
    #[inline(always)]
    fn rank(&mut self, candidates: Bitboard, unvisited: Bitboard) -> (u64, u8) {
        let count = candidates.count() as u8;
        if self.ranking.order == Order::Fixed || count < 2 {
            let mut queue = 0;
            for (at, v) in candidates.enumerate() {
                queue |= u64::from(v) << (8 * at);
            }
            return (queue, count);
        }
        let mut keys = [(0, 0, 0); 8];
        let near = &self.graph.near;
        let mut len = 0;
        for v in candidates {
            let onward = near[v as usize].and(unvisited);
            let second = || onward.map(|u| near[u as usize].and(unvisited).without(v).count()).sum();
            keys[len] = self.ranking.key(v, onward.count(), second);
            len += 1;
        }
        order::sort(&mut keys[..len]);
        let queue = keys[..len].iter().rev().fold(0, |queue, key| queue << 8 | u64::from(key.2));
        (queue, count)
    }

    /// Looks ahead from `head` and pushes its frame, or says why not.
    #[inline(always)]
    fn push(
        &mut self,
        head: u32,
        unvisited: Bitboard,
        mut usable: Counts,
        mut ends: Bitboard,
        root: Option<&Root>,
    ) -> Result<(), Prune> {
        let near = self.graph.near[head as usize];
        let mut candidates = near.and(unvisited);
        if let Some(first) = root.and_then(|root| root.first) {
            candidates = candidates.and(Bitboard::single(first));
        }
        let remaining_many = unvisited.has_several();
        let in_cycle = root.is_some_and(|root| root.cycle);
        let required = if in_cycle { Bitboard::EMPTY } else { self.graph.required[head as usize].and(unvisited) };
        if !required.is_empty() {
            if required.has_several() {
                return Err(Prune::Forced);
            }
            candidates = candidates.and(required);
        }
        if self.lookahead >= Lookahead::DeadEnds {
            if ends.is_empty() {
                return Err(Prune::DeadEnd);
            }
            if !usable.below_two().and(unvisited).is_empty() {
                return Err(Prune::DeadEnd);
            }
        }
        if self.lookahead >= Lookahead::Forced {
            let must_end = usable.exactly_two().and(ends);
            if must_end.has_several() {
                return Err(Prune::Forced);
            }
            if !must_end.is_empty() && must_end != ends {
                usable.take_one(ends.minus(must_end));
                ends = must_end;
                if !usable.below_two().and(unvisited).is_empty() {
                    return Err(Prune::DeadEnd);
                }
            }
            let must_come = usable.exactly_two().and(near).and(unvisited);
            if must_come.has_several() {
                return Err(Prune::Forced);
            }
            if !must_come.is_empty() {
                candidates = candidates.and(must_come);
            }
        }
        if remaining_many && !ends.has_several() {
            // The only vertex to end on comes last.
            candidates = candidates.minus(ends);
        }
        if !self.graph.stepped.is_empty() {
            // The next vertex has the step that the path is long: frames, and the head itself.
            candidates = match self.graph.at_step[self.frames.len() + 1] {
                Some(v) => candidates.and(Bitboard::single(v.into())),
                None => candidates.minus(self.graph.stepped),
            };
        }
        if candidates.is_empty() {
            if self.lookahead >= Lookahead::Forced {
                return Err(Prune::Forced);
            }
        } else if self.lookahead == Lookahead::Full && unvisited.count() > 2 {
            let left = Left { graph: &self.graph, left: unvisited.with(head), ends };
            self.cuts.check(&left, head, unvisited.count())?;
        }
        let (queue, left) = self.rank(candidates, unvisited);
        self.frames.push(Frame { unvisited, usable, ends, queue, left, head: head as u8 });
        Ok(())
    }
}

/// The unvisited part of a [`WordGraph`] and the head.
struct Left<'a> {
    graph: &'a WordGraph,
    left: Bitboard,
    ends: Bitboard,
}

impl Remaining for Left<'_> {
    #[inline]
    fn next_neighbour(&self, vertex: u32, index: &mut u32) -> Option<u32> {
        if *index > 63 {
            return None;
        }
        let next = self.graph.near[vertex as usize].and(self.left).minus(Bitboard::first_n(*index)).first();
        *index = next.map_or(64, |v| v + 1);
        next
    }

    #[inline]
    fn may_end(&self, vertex: u32) -> bool {
        self.ends.contains(vertex)
    }

    #[inline]
    fn colour(&self, vertex: u32) -> Option<bool> {
        self.graph.first_colour.map(|first| first.contains(vertex))
    }
}

impl Position for WordPosition {
    fn begin(&mut self, root: &Root, vertices: usize) -> Result<Entered, Prune> {
        self.frames.clear();
        self.base = 0;
        self.last = None;
        let ends: Bitboard = root.ends.iter().collect();
        let start = root.start;
        if !self.graph.stepped.is_empty() {
            let fits = match self.graph.at_step[0] {
                Some(v) => u32::from(v) == start,
                None => !self.graph.stepped.contains(start),
            };
            if !fits {
                return Err(Prune::Forced);
            }
        }
        let unvisited = Bitboard::first_n(vertices as u32).without(start);
        if unvisited.is_empty() {
            self.last = Some(start as u8);
            return if ends.contains(start) { Ok(Entered::Complete) } else { Err(Prune::DeadEnd) };
        }
        let ends = ends.and(unvisited);
        let mut usable = Counts::default();
        for v in 0..vertices as u32 {
            usable.add_one(self.graph.near[v as usize]);
        }
        usable.add_one(ends);
        self.push(start, unvisited, usable, ends, Some(root))?;
        Ok(Entered::Moved)
    }

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let frame = self.frames.last_mut()?;
        if frame.left == 0 {
            return None;
        }
        let next = (frame.queue & 0xFF) as u32;
        frame.queue >>= 8;
        frame.left -= 1;
        Some(next)
    }

    #[inline(always)]
    fn enter(&mut self, vertex: u32) -> Result<Entered, Prune> {
        let Some(&Frame { unvisited, mut usable, ends, head, .. }) = self.frames.last() else {
            return Err(Prune::DeadEnd);
        };
        let unvisited = unvisited.without(vertex);
        if unvisited.is_empty() {
            if !ends.contains(vertex) {
                return Err(Prune::DeadEnd);
            }
            self.last = Some(vertex as u8);
            return Ok(Entered::Complete);
        }
        usable.take_one(self.graph.near[head as usize].and(unvisited));
        self.push(vertex, unvisited, usable, ends.and(unvisited), None)?;
        Ok(Entered::Moved)
    }

    #[inline(always)]
    fn leave(&mut self) -> bool {
        self.frames.pop();
        self.frames.len() > self.base
    }

    #[inline(always)]
    fn resume(&mut self) {
        self.last = None;
    }

    fn depth(&self) -> usize {
        self.frames.len() + usize::from(self.last.is_some())
    }

    fn path(&self, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.frames.iter().map(|frame| u32::from(frame.head)));
        into.extend(self.last.map(u32::from));
    }

    #[inline]
    fn end(&self) -> u32 {
        self.last.map_or(0, u32::from)
    }

    fn seal(&mut self) {
        self.base = self.frames.len().saturating_sub(1);
    }

    fn reseed(&mut self, seed: u64) {
        self.ranking.reseed(seed);
    }
}
