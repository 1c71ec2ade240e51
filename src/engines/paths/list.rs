//! [`PathList`]: paths one after another, by backtracking.

use std::sync::Arc;

use super::PathRequest;
use crate::request::classes::stabiliser;
use crate::request::graph::{Graph, VertexSet};
use crate::run::{Budget, Pause};

/// What a call of [`PathList::advance`] led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// A path: see [`PathList::path`].
    Found,
    /// There are no more.
    Exhausted,
    /// The budget refused; the next call goes on.
    Paused(Pause),
}

/// Nodes claimed from the budget at a time.
const BATCH: u64 = 4096;

/// How far from everywhere, as far as is told.
const FAR: u32 = u32::MAX;

/// The paths of a request, one after another. Memory does not grow with them.
///
/// The order depends on the request alone: paths in the lexicographic order of the numbers of their squares. A cycle is
/// written from its given start, or else from its smallest square, towards the smaller of the two neighbours of that.
///
/// A branch is cut where too few moves are left to get to the end, or back to where a cycle began. A node is a square
/// that is placed.
#[derive(Clone, Debug)]
pub struct PathList {
    request: PathRequest,
    graph: Arc<Graph>,
    /// The vertices to begin with, and which is next.
    roots: Vec<u32>,
    next_root: usize,
    /// The vertices of the path with how many of their neighbours have been tried.
    frames: Vec<(u32, u32)>,
    on_path: VertexSet,
    end: Option<u32>,
    /// The moves from each vertex to the end, or of a cycle to its start; empty where there is none.
    away: Vec<u32>,
    /// The vertices of which that is told.
    reached: Vec<u32>,
    nodes: u64,
    /// Whether last squares are not placed but counted, and how many that were.
    tallies: bool,
    tally: u128,
}

impl PathList {
    /// Bytes that a list takes, from above.
    #[must_use]
    pub fn bytes(request: &PathRequest) -> u64 {
        Graph::bytes(request.tours()) + 28 * request.board().len() as u64
    }

    /// A list that has not begun. Cost: linear in the board; memory [`PathList::bytes`].
    #[must_use]
    pub fn new(request: PathRequest) -> PathList {
        let graph = request.graph();
        PathList::over(request, graph, None)
    }

    /// The same over a graph that is there already, from one start if that is given.
    pub(crate) fn over(request: PathRequest, graph: Arc<Graph>, only: Option<u32>) -> PathList {
        let count = graph.len();
        let given = only.or_else(|| request.tours().start().map(|square| graph.vertex(square)));
        let is_possible = request.squares() <= count && (!request.is_closed() || request.squares() >= 3);
        let roots = match given {
            _ if !is_possible => Vec::new(),
            Some(root) => vec![root],
            None => (0..count as u32).collect(),
        };
        let end = request.tours().end().map(|square| graph.vertex(square));
        let (mut away, mut reached) = (Vec::new(), Vec::new());
        if let Some(end) = end {
            measure(&graph, end, request.squares(), &mut away, &mut reached);
        }
        let frames = Vec::with_capacity(request.squares().min(count));
        PathList {
            request,
            roots,
            next_root: 0,
            frames,
            on_path: VertexSet::empty(count),
            end,
            away,
            reached,
            graph,
            nodes: 0,
            tallies: false,
            tally: 0,
        }
    }

    /// Goes on to the next path, which [`PathList::path`] gives then.
    pub fn advance(&mut self, budget: &Budget) -> PathStep {
        self.run(budget, |_| true)
    }

    /// The squares of the path last found.
    #[must_use]
    pub fn path(&self) -> Vec<u32> {
        self.frames.iter().map(|&(v, _)| self.graph.square(v)).collect()
    }

    /// Squares placed so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on until `stop` says so of a path, there are no more, or the budget refuses.
    fn run(&mut self, budget: &Budget, mut stop: impl FnMut(&Self) -> bool) -> PathStep {
        loop {
            let granted = match budget.take(BATCH) {
                Ok(granted) => granted,
                Err(pause) => return PathStep::Paused(pause),
            };
            for spent in 1..=granted {
                self.nodes += 1;
                match self.step() {
                    Some(true) if stop(self) => {
                        budget.give_back(granted - spent);
                        return PathStep::Found;
                    }
                    Some(_) => {}
                    None => {
                        budget.give_back(granted - spent);
                        return PathStep::Exhausted;
                    }
                }
            }
        }
    }

    /// Places the next square, or takes one back. Says whether there is a path now; `None` at the end.
    fn step(&mut self) -> Option<bool> {
        let (closed, wanted) = (self.request.is_closed(), self.request.squares());
        while let Some(&(v, tried)) = self.frames.last() {
            let depth = self.frames.len();
            if self.tallies && depth + 1 == wanted && tried == 0 {
                self.tally += self.last_squares(v);
                self.frames.pop();
                self.on_path.discard(v);
                return Some(false);
            }
            let next = if depth == wanted { None } else { self.graph.neighbours(v).get(tried as usize).copied() };
            let Some(u) = next else {
                self.frames.pop();
                self.on_path.discard(v);
                continue;
            };
            self.frames[depth - 1].1 += 1;
            if self.on_path.contains(u) || !self.may_go_on(u, wanted - depth - 1) {
                continue;
            }
            self.frames.push((u, 0));
            self.on_path.add(u);
            if depth + 1 < wanted {
                return Some(false);
            }
            return Some(self.is_last(u));
        }
        let root = *self.roots.get(self.next_root)?;
        self.next_root += 1;
        self.frames.push((root, 0));
        self.on_path.add(root);
        if closed {
            measure(&self.graph, root, wanted, &mut self.away, &mut self.reached);
        }
        Some(!closed && wanted == 1 && self.end.is_none_or(|end| end == root))
    }

    /// Whether a vertex may be the last of the path that has come to it.
    fn is_last(&self, u: u32) -> bool {
        if self.request.is_closed() {
            return self.graph.is_edge(u, self.frames[0].0) && self.frames[1].0 < u;
        }
        self.end.is_none_or(|end| end == u)
    }

    /// How many vertices may be the last, after this one.
    fn last_squares(&self, v: u32) -> u128 {
        let may_follow = |&&u: &&u32| !self.on_path.contains(u) && self.may_go_on(u, 0) && self.is_last(u);
        self.graph.neighbours(v).iter().filter(may_follow).count() as u128
    }

    /// Whether a path with this many squares still to come can go on from a vertex.
    fn may_go_on(&self, u: u32, left: usize) -> bool {
        if self.request.is_closed() {
            // Other cycles are written from a smaller square.
            let is_smallest = self.request.tours().start().is_some() || u > self.frames[0].0;
            return is_smallest && self.away[u as usize] as usize <= left + 1;
        }
        match self.end {
            Some(end) => (u != end || left == 0) && self.away[u as usize] as usize <= left,
            None => true,
        }
    }
}

/// Notes in `away` how many moves each vertex is away from one, of those no further than `most`, which are `reached`.
/// What was noted there before goes: the vertices of large boards are not all looked at again for each start.
fn measure(graph: &Graph, from: u32, most: usize, away: &mut Vec<u32>, reached: &mut Vec<u32>) {
    away.resize(graph.len(), FAR);
    reached.drain(..).for_each(|v| away[v as usize] = FAR);
    away[from as usize] = 0;
    reached.push(from);
    let mut at = 0;
    while let Some(&v) = reached.get(at) {
        at += 1;
        if away[v as usize] as usize == most {
            break;
        }
        for &u in graph.neighbours(v) {
            if away[u as usize] == FAR {
                away[u as usize] = away[v as usize] + 1;
                reached.push(u);
            }
        }
    }
}

/// The number of paths of a request, counted one by one, but squares that a symmetry maps to each other only once as a
/// start. Resumable.
#[derive(Clone, Debug)]
pub struct PathCount {
    /// Of each class of starts: one of them, and how many there are.
    classes: Vec<(u32, u128)>,
    at: usize,
    list: PathList,
    total: u128,
    /// Paths from the start at work.
    count: u128,
    nodes: u64,
}

impl PathCount {
    /// A count that has not begun. Cost: linear in the board, times its symmetries; memory [`PathList::bytes`].
    pub fn new(request: PathRequest, budget: &Budget) -> Result<PathCount, Pause> {
        let graph = request.graph();
        let board = request.board().clone();
        let mut classes = Vec::new();
        if request.is_closed() || request.tours().start().is_some() {
            classes.push((u32::MAX, 1));
        } else {
            let symmetries = stabiliser(request.tours(), budget)?;
            let mut known = VertexSet::empty(graph.len());
            for v in 0..graph.len() as u32 {
                if known.contains(v) {
                    continue;
                }
                budget.go_on()?;
                let mut members = 0;
                for symmetry in &symmetries {
                    let image = graph.vertex(symmetry.map(graph.square(v), board.rows(), board.cols()));
                    members += u128::from(!known.contains(image));
                    known.add(image);
                }
                classes.push((v, members));
            }
        }
        let first = classes.first().map(|&(v, _)| v).filter(|&v| v != u32::MAX);
        let list = PathList { tallies: true, ..PathList::over(request, graph, first) };
        Ok(PathCount { classes, at: 0, list, total: 0, count: 0, nodes: 0 })
    }

    /// Goes on until the number is known or the budget refuses.
    pub fn advance(&mut self, budget: &Budget) -> Result<u128, Pause> {
        while let Some(&(_, times)) = self.classes.get(self.at) {
            let mut count = self.count;
            let step = self.list.run(budget, |_| {
                count += 1;
                false
            });
            self.count = count;
            if let PathStep::Paused(pause) = step {
                return Err(pause);
            }
            self.total += (self.count + std::mem::take(&mut self.list.tally)) * times;
            self.count = 0;
            self.at += 1;
            if let Some(&(next, _)) = self.classes.get(self.at) {
                self.nodes += self.list.nodes();
                let list = &self.list;
                let next = PathList::over(list.request.clone(), Arc::clone(&list.graph), Some(next));
                self.list = PathList { tallies: true, ..next };
            }
        }
        Ok(self.total)
    }

    /// Squares placed so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes + self.list.nodes()
    }
}
