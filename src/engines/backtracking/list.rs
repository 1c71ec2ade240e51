//! The path on a graph of any size: arrays, and a trail to undo what a move changed.

use std::sync::Arc;

use super::lookahead::{CutCheck, Lookahead, Prune, Remaining};
use super::order::{self, Order, Ranking};
use super::{Entered, Position, Root};
use crate::request::graph::{Graph, VertexSet};

/// A vertex of the path, with what is still to be tried from it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    vertex: u32,
    /// Indices into the vertex's neighbours still to be tried, four bits each, the first one lowest.
    queue: u32,
    left: u8,
}

/// What never changes during a search.
#[derive(Debug)]
pub(super) struct ListGraph {
    pub(super) graph: Arc<Graph>,
    /// The colour of vertex 0, if the graph is two-coloured.
    pub(super) first_colour: Option<VertexSet>,
    /// Vertices with a given step, or empty.
    stepped: Option<VertexSet>,
}

impl ListGraph {
    pub(super) fn new(graph: Arc<Graph>, first_colour: Option<VertexSet>) -> ListGraph {
        let stepped = (!graph.steps().is_empty()).then(|| {
            let mut set = VertexSet::empty(graph.len());
            graph.steps().iter().for_each(|&(_, v)| set.add(v));
            set
        });
        ListGraph { graph, first_colour, stepped }
    }

    fn at_step(&self, step: u32) -> Option<u32> {
        let steps = self.graph.steps();
        steps.binary_search_by_key(&step, |&(step, _)| step).ok().map(|at| steps[at].1)
    }
}

#[derive(Clone, Debug)]
pub(super) struct ListPosition {
    shared: Arc<ListGraph>,
    ranking: Ranking,
    lookahead: Lookahead,
    cuts: CutCheck,
    visited: VertexSet,
    /// Usable edges of each unvisited vertex.
    usable: Vec<u8>,
    /// Vertices on which the path may end, and how many of them are unvisited.
    ends: VertexSet,
    ends_left: u32,
    /// Unvisited vertices whose two usable edges include the one to the apex.
    must_end: u32,
    frames: Vec<Frame>,
    last: Option<u32>,
    base: usize,
    /// Moves until the next look at pieces and cuts, which costs as much as what is left is large.
    until_check: u32,
}

impl ListPosition {
    pub(super) fn bytes(vertices: u64) -> u64 {
        // Frames, counts, marks, and the scratch and stack of the full look-ahead.
        vertices * (12 + 1 + 1 + 4 + 36)
    }

    pub(super) fn new(shared: Arc<ListGraph>, ranking: Ranking, lookahead: Lookahead) -> ListPosition {
        let vertices = shared.graph.len();
        ListPosition {
            ranking,
            lookahead,
            cuts: CutCheck::new(if lookahead == Lookahead::Full { vertices } else { 0 }),
            visited: VertexSet::empty(vertices),
            usable: vec![0; vertices],
            ends: VertexSet::empty(vertices),
            ends_left: 0,
            must_end: 0,
            frames: Vec::with_capacity(vertices),
            last: None,
            base: 0,
            until_check: 0,
            shared,
        }
    }

    fn left(&self) -> u32 {
        (self.shared.graph.len() - self.frames.len()) as u32
    }

    /// Visits the vertex and takes the edge from the head before it away from the head's neighbours.
    fn visit(&mut self, vertex: u32, head: Option<u32>) -> Result<(), Prune> {
        self.visited.add(vertex);
        if self.lookahead == Lookahead::None {
            self.ends_left -= u32::from(self.ends.contains(vertex));
            return Ok(());
        }
        if self.ends.contains(vertex) {
            self.ends_left -= 1;
            self.must_end -= u32::from(self.usable[vertex as usize] == 2);
        }
        let mut result = if self.ends_left == 0 { Err(Prune::DeadEnd) } else { Ok(()) };
        if let Some(head) = head {
            for &u in self.shared.graph.neighbours(head) {
                if !self.visited.contains(u) {
                    let usable = &mut self.usable[u as usize];
                    if self.ends.contains(u) {
                        self.must_end = self.must_end - u32::from(*usable == 2) + u32::from(*usable == 3);
                    }
                    *usable -= 1;
                    if *usable < 2 {
                        result = Err(Prune::DeadEnd);
                    }
                }
            }
        }
        if result.is_ok() && self.lookahead >= Lookahead::Forced && self.must_end > 1 {
            result = Err(Prune::Forced);
        }
        result
    }

    /// Undoes [`ListPosition::visit`].
    fn unvisit(&mut self, vertex: u32, head: Option<u32>) {
        if self.lookahead != Lookahead::None {
            if let Some(head) = head {
                for &u in self.shared.graph.neighbours(head) {
                    if !self.visited.contains(u) {
                        let usable = &mut self.usable[u as usize];
                        *usable += 1;
                        if self.ends.contains(u) {
                            self.must_end = self.must_end + u32::from(*usable == 2) - u32::from(*usable == 3);
                        }
                    }
                }
            }
            if self.ends.contains(vertex) {
                self.must_end += u32::from(self.usable[vertex as usize] == 2);
            }
        }
        self.ends_left += u32::from(self.ends.contains(vertex));
        self.visited.discard(vertex);
    }

    /// Looks ahead from the head and pushes its frame, or says why not.
    fn push(&mut self, head: u32, root: Option<&Root>) -> Result<(), Prune> {
        let shared = Arc::clone(&self.shared);
        let near = shared.graph.neighbours(head);
        // The head itself has no frame yet.
        let left = self.left() - 1;
        let step_vertex = shared.at_step(self.frames.len() as u32 + 1);
        let only = root.and_then(|root| root.first);
        let in_cycle = root.is_some_and(|root| root.cycle);
        let required = if in_cycle { &[] } else { shared.graph.required_at(head) };
        let must_use = required.iter().map(|&(_, u)| u).filter(|&u| !self.visited.contains(u)).count();
        if must_use > 1 {
            return Err(Prune::Forced);
        }
        let must_come = if self.lookahead >= Lookahead::Forced {
            near.iter().filter(|&&u| !self.visited.contains(u) && self.usable[u as usize] == 2).count()
        } else {
            0
        };
        if must_come > 1 {
            return Err(Prune::Forced);
        }
        let mut keys = [(0, 0, 0); 8];
        let mut len = 0;
        for (index, &u) in near.iter().enumerate() {
            let fits = !self.visited.contains(u)
                && only.is_none_or(|only| only == u)
                && (must_use == 0 || required.contains(&(head, u)))
                && (must_come == 0 || self.usable[u as usize] == 2)
                // The only vertex to end on comes last.
                && !(left > 1 && self.ends_left == 1 && self.ends.contains(u))
                && step_vertex.map_or_else(
                    || shared.stepped.as_ref().is_none_or(|stepped| !stepped.contains(u)),
                    |v| v == u,
                );
            if !fits {
                continue;
            }
            let key = if self.ranking.order == Order::Fixed {
                (0, 0, 0)
            } else {
                let onward = |v: u32| shared.graph.neighbours(v).iter().filter(|&&w| !self.visited.contains(w));
                let second = || onward(u).map(|&v| onward(v).filter(|&&w| w != u).count() as u32).sum();
                self.ranking.key(u, onward(u).count() as u32, second)
            };
            keys[len] = (key.0, key.1, index as u32);
            len += 1;
        }
        if len == 0 && self.lookahead >= Lookahead::Forced {
            return Err(Prune::Forced);
        }
        if self.lookahead == Lookahead::Full && left > 2 {
            self.until_check = self.until_check.saturating_sub(1);
            if self.until_check == 0 {
                let remaining = Left { shared: &self.shared, visited: &self.visited, ends: &self.ends, head };
                let found = self.cuts.check(&remaining, head, left);
                // Small rests are looked at each time; for large ones the look is spread over moves.
                self.until_check = if found.is_ok() { left / 64 } else { 0 };
                found?;
            }
        }
        order::sort(&mut keys[..len]);
        let queue = keys[..len].iter().rev().fold(0, |queue, key| queue << 4 | key.2);
        self.frames.push(Frame { vertex: head, queue, left: len as u8 });
        Ok(())
    }
}

/// The unvisited part of a [`ListGraph`] and the head.
struct Left<'a> {
    shared: &'a ListGraph,
    visited: &'a VertexSet,
    ends: &'a VertexSet,
    head: u32,
}

impl Remaining for Left<'_> {
    fn next_neighbour(&self, vertex: u32, index: &mut u32) -> Option<u32> {
        let near = self.shared.graph.neighbours(vertex);
        while let Some(&u) = near.get(*index as usize) {
            *index += 1;
            if u == self.head || !self.visited.contains(u) {
                return Some(u);
            }
        }
        None
    }

    fn may_end(&self, vertex: u32) -> bool {
        vertex != self.head && self.ends.contains(vertex)
    }

    fn colour(&self, vertex: u32) -> Option<bool> {
        self.shared.first_colour.as_ref().map(|first| first.contains(vertex))
    }
}

impl Position for ListPosition {
    fn begin(&mut self, root: &Root, vertices: usize) -> Result<Entered, Prune> {
        self.frames.clear();
        self.base = 0;
        self.last = None;
        self.until_check = 0;
        self.visited = VertexSet::empty(vertices);
        self.ends.clone_from(&root.ends);
        let start = root.start;
        let fits = match self.shared.at_step(0) {
            Some(v) => v == start,
            None => self.shared.stepped.as_ref().is_none_or(|stepped| !stepped.contains(start)),
        };
        if !fits {
            return Err(Prune::Forced);
        }
        if vertices == 1 {
            self.last = Some(start);
            return if self.ends.contains(start) { Ok(Entered::Complete) } else { Err(Prune::DeadEnd) };
        }
        self.ends.discard(start);
        self.ends_left = self.ends.count() as u32;
        self.must_end = 0;
        let mut result = if self.ends_left == 0 { Err(Prune::DeadEnd) } else { Ok(()) };
        for v in 0..vertices as u32 {
            let may_end = self.ends.contains(v);
            let usable = self.shared.graph.neighbours(v).len() as u8 + u8::from(may_end);
            self.usable[v as usize] = usable;
            self.must_end += u32::from(may_end && usable == 2 && v != start);
            if self.lookahead >= Lookahead::DeadEnds && usable < 2 && v != start {
                result = Err(Prune::DeadEnd);
            }
        }
        if self.lookahead >= Lookahead::Forced && self.must_end > 1 {
            result = Err(Prune::Forced);
        }
        result?;
        self.visited.add(start);
        self.push(start, Some(root))?;
        Ok(Entered::Moved)
    }

    fn next(&mut self) -> Option<u32> {
        let frame = self.frames.last_mut()?;
        if frame.left == 0 {
            return None;
        }
        let index = (frame.queue & 0xF) as usize;
        frame.queue >>= 4;
        frame.left -= 1;
        Some(self.shared.graph.neighbours(frame.vertex)[index])
    }

    fn enter(&mut self, vertex: u32) -> Result<Entered, Prune> {
        if self.frames.len() + 1 == self.shared.graph.len() {
            if !self.ends.contains(vertex) {
                return Err(Prune::DeadEnd);
            }
            self.last = Some(vertex);
            return Ok(Entered::Complete);
        }
        let head = self.frames.last().map(|frame| frame.vertex);
        let result = self.visit(vertex, head).and_then(|()| self.push(vertex, None));
        if result.is_err() {
            self.unvisit(vertex, head);
        }
        result.map(|()| Entered::Moved)
    }

    fn leave(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            let head = self.frames.last().map(|frame| frame.vertex);
            if head.is_some() {
                self.unvisit(frame.vertex, head);
            }
        }
        self.frames.len() > self.base
    }

    fn resume(&mut self) {
        self.last = None;
    }

    fn depth(&self) -> usize {
        self.frames.len() + usize::from(self.last.is_some())
    }

    fn path(&self, into: &mut Vec<u32>) {
        into.clear();
        into.extend(self.frames.iter().map(|frame| frame.vertex));
        into.extend(self.last);
    }

    #[inline]
    fn end(&self) -> u32 {
        self.last.unwrap_or(0)
    }

    fn seal(&mut self) {
        self.base = self.frames.len().saturating_sub(1);
    }

    fn reseed(&mut self, seed: u64) {
        self.ranking.reseed(seed);
    }
}
