//! [`Net`]: the moves that a tour may still use and the squares on which it may still end, narrowed
//! theorem by theorem.

use super::rectangle::{self, balance};
use super::{Code, Halt, Reason, named};
use crate::request::Request;
use crate::request::graph::{Graph, TwoColours, VertexSet, two_colours};
use crate::run::Watch;

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Where an open tour may start and end.
    pub(super) starts: VertexSet,
    pub(super) ends: VertexSet,
    /// Of each vertex the neighbours that are left, a bit each in the graph's order; empty while
    /// all are left.
    pub(super) left: Vec<u8>,
    /// Of each vertex the neighbours whose moves every tour uses, a bit each; empty while none is known.
    pub(super) used: Vec<u8>,
    /// The vertices that must be ends, as far as is known.
    pub(super) must: Vec<u32>,
    /// Work spent on flows, of which there is only so much.
    pub(super) spent: usize,
}

impl Known {
    pub(super) fn new(request: &Request, graph: &Graph) -> Self {
        let (mut starts, mut ends) = (graph.starts().clone(), graph.ends().clone());
        let board = request.board();
        if !graph.is_closed()
            && graph.len() > 1
            && board.is_knights_rectangle()
            && (board.rows() == 4 || board.cols() == 4)
        {
            for v in (0..graph.len() as u32).filter(|&v| !rectangle::four_rows_allow(board, graph.square(v))) {
                starts.discard(v);
                ends.discard(v);
            }
        }
        Known { starts, ends, left: Vec::new(), used: Vec::new(), must: Vec::new(), spent: 0 }
    }
}

/// The walk of [`Net::moves`]: the next vertex, and those with a single move.
#[derive(Clone, Debug, Default)]
pub(super) struct Degrees {
    at: u32,
    single: Vec<u32>,
}

/// The walk of [`Net::pieces`].
#[derive(Clone, Debug)]
pub(super) struct Reach {
    reached: VertexSet,
    stack: Vec<u32>,
    count: usize,
}

impl Reach {
    pub(super) fn new(count: usize) -> Reach {
        let mut reached = VertexSet::empty(count);
        reached.add(0);
        Reach { reached, stack: vec![0], count: 1 }
    }
}

/// A graph some of whose moves have been ruled out, for the length of one step.
pub(super) struct Net<'a> {
    pub(super) request: &'a Request,
    pub(super) graph: &'a Graph,
    pub(super) starts: VertexSet,
    pub(super) ends: VertexSet,
    pub(super) left: Vec<u8>,
    pub(super) used: Vec<u8>,
    pub(super) must: Vec<u32>,
    pub(super) spent: usize,
}

impl<'a> Net<'a> {
    pub(super) fn new(request: &'a Request, graph: &'a Graph, known: Known) -> Self {
        let Known { starts, ends, left, used, must, spent } = known;
        Net { request, graph, starts, ends, left, used, must, spent }
    }

    pub(super) fn into_known(self) -> Known {
        let Net { starts, ends, left, used, must, spent, .. } = self;
        Known { starts, ends, left, used, must, spent }
    }

    pub(super) fn len(&self) -> usize {
        self.graph.len()
    }

    /// The neighbours that are left.
    pub(super) fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let mask = self.left.get(vertex as usize).copied();
        let all = self.graph.neighbours(vertex).iter().copied().enumerate();
        all.filter(move |&(i, _)| mask.is_none_or(|mask| mask >> i & 1 != 0)).map(|(_, u)| u)
    }

    /// Whether the i-th neighbour of a vertex is left.
    pub(super) fn is_left(&self, vertex: u32, i: u8) -> bool {
        self.left.get(vertex as usize).is_none_or(|mask| mask >> i & 1 != 0)
    }

    /// How many neighbours are left.
    pub(super) fn degree(&self, vertex: u32) -> u32 {
        match self.left.get(vertex as usize) {
            Some(mask) => mask.count_ones(),
            None => self.graph.neighbours(vertex).len() as u32,
        }
    }

    /// Rules out, or notes as used, the move from a vertex to its i-th neighbour, on both sides.
    pub(super) fn mark(&mut self, vertex: u32, i: usize, used: bool) {
        let other = self.graph.neighbours(vertex)[i];
        let Ok(j) = self.graph.neighbours(other).binary_search(&vertex) else { return };
        for (v, i) in [(vertex as usize, i), (other as usize, j)] {
            if used {
                self.used[v] |= 1 << i;
            } else {
                self.left[v] &= !(1 << i);
            }
        }
    }

    /// Whether an open tour may still start or end on a vertex.
    pub(super) fn may_be_end(&self, vertex: u32) -> bool {
        self.starts.contains(vertex) || self.ends.contains(vertex)
    }

    pub(super) fn name(&self, vertex: u32) -> String {
        self.request.board().name(self.graph.square(vertex))
    }

    /// A reason about vertices.
    pub(super) fn reason(&self, code: Code, text: String, vertices: &[u32]) -> Reason {
        Reason::new(code, text, vertices.iter().map(|&v| self.graph.square(v)))
    }

    fn names(&self, vertices: &[u32]) -> String {
        let squares: Vec<u32> = vertices.iter().map(|&v| self.graph.square(v)).collect();
        named(self.request.board(), &squares)
    }

    /// A tour makes two moves at every square, an open one a single move at each of its two ends. So
    /// no square has none, and those with a single one are ends: at most two, and ends the request
    /// allows; none in a closed tour. By definition.
    pub(super) fn moves(&mut self, degrees: &mut Degrees, watch: &mut Watch) -> Result<(), Halt> {
        while (degrees.at as usize) < self.len() {
            watch.tick()?;
            let v = degrees.at;
            match self.degree(v) {
                0 => {
                    let text = format!("{} has no move that a tour could use", self.name(v));
                    return Err(self.reason(Code::TooFewMoves, text, &[v]).into());
                }
                1 => degrees.single.push(v),
                _ => {}
            }
            degrees.at += 1;
        }
        let single = std::mem::take(&mut degrees.single);
        if self.graph.is_closed() {
            if let Some(&v) = single.first() {
                let text = format!("{} has 1 usable move, and a closed tour needs 2 at every square", self.name(v));
                return Err(self.reason(Code::TooFewMoves, text, &single).into());
            }
            return Ok(());
        }
        let fits = self.must_be_ends(&single).map_err(|why| {
            let names = self.names(&single);
            let text = match single.len() {
                0 => format!("no square is left for an end of the tour: {why}"),
                1 => format!("{names} has only 1 usable move, so it must be an end of the tour; {why}"),
                _ => format!("{names} have only 1 usable move each, so they must be ends of the tour; {why}"),
            };
            self.reason(Code::TooFewMoves, text, &single)
        });
        Ok(fits?)
    }

    /// Takes note that an open tour ends on all the given vertices; says why if it cannot.
    pub(super) fn must_be_ends(&mut self, must: &[u32]) -> Result<(), String> {
        if must.len() > 2 {
            return Err(format!("an open tour has 2 ends, not {}", must.len()));
        }
        if let Some(&v) = must.iter().find(|&&v| !self.may_be_end(v)) {
            return Err(format!("the tour cannot end on {}", self.name(v)));
        }
        match *must {
            [v] if !self.starts.contains(v) => keep_only(&mut self.ends, &[v]),
            [v] if !self.ends.contains(v) => keep_only(&mut self.starts, &[v]),
            [v, u] => {
                // The one that can be no end is the start, and the other way round.
                keep_only(&mut self.starts, must);
                keep_only(&mut self.ends, must);
                for (one, other) in [(v, u), (u, v)] {
                    if !self.starts.contains(one) {
                        self.ends.discard(other);
                    }
                    if !self.ends.contains(one) {
                        self.starts.discard(other);
                    }
                }
            }
            _ => {}
        }
        // Whatever is the only possible start is not the end.
        for _ in 0..2 {
            if let Some(v) = only_member(&self.starts) {
                self.ends.discard(v);
            }
            if let Some(v) = only_member(&self.ends) {
                self.starts.discard(v);
            }
        }
        let (starts, ends) = (self.starts.count(), self.ends.count());
        if starts == 0 || ends == 0 {
            let which = if starts > 0 { "end" } else { "start" };
            return Err(format!("no square is left for its {which}"));
        }
        Ok(())
    }

    /// Every square is reached from every other. By definition.
    pub(super) fn pieces(&self, reach: &mut Reach, watch: &mut Watch) -> Result<(), Halt> {
        loop {
            watch.tick()?;
            let Some(v) = reach.stack.pop() else { break };
            for u in self.neighbours(v) {
                if !reach.reached.contains(u) {
                    reach.reached.add(u);
                    reach.count += 1;
                    reach.stack.push(u);
                }
            }
        }
        let (reached, count) = (&reach.reached, reach.count);
        if count == self.len() {
            return Ok(());
        }
        let Some(other) = (0..self.len() as u32).find(|&v| !reached.contains(v)) else { return Ok(()) };
        let text = format!(
            "the usable moves from {} reach only {count} of {} squares, and not {}",
            self.name(0),
            self.len(),
            self.name(other)
        );
        Err(self.reason(Code::Pieces, text, &[0, other]).into())
    }

    /// The colours of the vertices, if every move left joins two colours.
    pub(super) fn colouring(&self) -> Option<VertexSet> {
        two_colours(self.len(), |v| self.neighbours(v)).map(|(first, _)| first)
    }

    /// The argument of [`Code::Colour`] for the colouring that the moves left define, whatever the
    /// leaper, the holes and the joined edges; and what it says of the ends. The squares are
    /// connected.
    pub(super) fn colours(&mut self, walk: &mut TwoColours, watch: &mut Watch) -> Result<(), Halt> {
        loop {
            watch.tick()?;
            if !walk.step(|v| self.neighbours(v)) {
                break;
            }
        }
        Ok(self.judge_colours(walk.clone().first())?)
    }

    fn judge_colours(&mut self, first: Option<VertexSet>) -> Result<(), Reason> {
        let Some(first) = first else { return Ok(()) };
        let fixed = self.request.placed();
        let count = first.count();
        let counts = [count as u64, (self.len() - count) as u64];
        let colour_of = |square: u32| usize::from(!first.contains(self.graph.vertex(square)));
        if let Some((text, squares)) =
            balance(self.request, "every usable move changes colour", counts, &fixed, colour_of)
        {
            let text = format!("The squares can be coloured so that every usable move changes colour. {text}");
            return Err(Reason::new(Code::GraphColour, text, squares));
        }
        if self.graph.is_closed() {
            return Ok(());
        }
        let vertices = 0..self.len() as u32;
        // The colours that the start may have; on an even number of squares the end has the other one.
        let mut start_may_be = [counts[0] >= counts[1], counts[1] >= counts[0]];
        let differ = usize::from(self.len().is_multiple_of(2));
        let colour = |v: u32| usize::from(!first.contains(v));
        for &(step, square) in &fixed {
            start_may_be[colour(self.graph.vertex(square)) ^ (step & 1) as usize ^ 1] = false;
        }
        for (c, may_be) in start_may_be.iter_mut().enumerate() {
            *may_be &= self.starts.iter().any(|v| colour(v) == c) && self.ends.iter().any(|v| colour(v) == c ^ differ);
        }
        if start_may_be == [true, true] {
            return Ok(());
        }
        for v in vertices {
            if !start_may_be[colour(v)] {
                self.starts.discard(v);
            }
            if !start_may_be[colour(v) ^ differ] {
                self.ends.discard(v);
            }
        }
        self.must_be_ends(&[]).map_err(|why| {
            let text = format!(
                "every usable move goes between two sets of squares, of {} and {}, so the ends of a tour must lie in \
                 certain ones: {why}",
                counts[0], counts[1]
            );
            self.reason(Code::GraphColour, text, &[])
        })
    }
}

/// Takes everything else out of the set.
pub(super) fn keep_only(set: &mut VertexSet, only: &[u32]) {
    let others: Vec<u32> = set.iter().filter(|v| !only.contains(v)).collect();
    for v in others {
        set.discard(v);
    }
}

/// The member of a set of one.
pub(super) fn only_member(set: &VertexSet) -> Option<u32> {
    let mut members = set.iter();
    members.next().filter(|_| members.next().is_none())
}
