//! [`Backtrack`]: one search along the path.

use std::sync::Arc;

use super::list::{ListGraph, ListPosition};
use super::order::Ranking;
use super::walk::{Event, Position, Root, State, Stats, Walk};
use super::word::{WordGraph, WordPosition};
use super::{Lookahead, Order};
use crate::board::Bitboard;
use crate::engines::warnsdorff::Ties;
use crate::request::Request;
use crate::request::graph::{Colouring, Graph, VertexSet};
use crate::run::{Budget, Pause};

/// The choices of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// What to try first.
    pub order: Order,
    /// When to cut.
    pub lookahead: Lookahead,
    /// For random ties; with a seed, what other rules leave tied goes by chance as well.
    pub seed: Option<u64>,
}

impl Options {
    /// The fastest choices known for finding a tour.
    pub const BEST: Options =
        Options { order: Order::Warnsdorff(Ties::Outward), lookahead: Lookahead::Forced, seed: None };
    /// The fastest choices known for visiting all tours.
    pub const EXHAUSTIVE: Options = Options { order: Order::Fixed, lookahead: Lookahead::Forced, seed: None };
}

/// What a call of [`Backtrack::advance`] led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A tour: see [`Backtrack::tour`].
    Found,
    /// There are no more.
    Exhausted,
    /// Stopped before the next one.
    Paused(Pause),
}

/// The paths that make up a request: one root for each place to begin.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) graph: Arc<Graph>,
    colouring: Option<Colouring>,
    /// Whether paths are run from the end to the start.
    backwards: bool,
    /// For cycles: the vertex where paths begin and end.
    pub(super) anchor: Option<u32>,
    /// The board's sides.
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// (start, second vertex) of each root.
    pub(super) roots: Vec<(u32, Option<u32>)>,
}

impl Plan {
    /// A path whose end alone is given is run from there, unless its starts matter.
    pub(super) fn new(request: &Request, graph: Arc<Graph>, by_start: bool) -> Plan {
        let backwards = graph.start().is_none() && graph.end().is_some() && !by_start;
        let graph = match request.reversed() {
            Some(reversed) if backwards => Arc::new(Graph::new(&reversed)),
            _ => graph,
        };
        let (rows, cols) = (request.board().rows(), request.board().cols());
        let mut plan =
            Plan { colouring: graph.colouring(), graph, backwards, anchor: None, rows, cols, roots: Vec::new() };
        let graph = &plan.graph;
        if graph.is_closed() {
            let fewest = (0..graph.len() as u32).min_by_key(|&v| graph.neighbours(v).len()).unwrap_or(0);
            // Steps are counted from the start.
            let anchor = graph.start().filter(|_| !graph.steps().is_empty()).unwrap_or(fewest);
            plan.anchor = Some(anchor);
            if graph.len() >= 3 {
                plan.roots = graph.neighbours(anchor).iter().map(|&v| (anchor, Some(v))).collect();
            }
        } else {
            plan.roots =
                graph.starts().iter().filter(|&v| plan.is_start_of_right_colour(v)).map(|v| (v, None)).collect();
        }
        plan
    }

    /// Whether the colours allow a path over everything from here.
    fn is_start_of_right_colour(&self, start: u32) -> bool {
        let Some(colouring) = &self.colouring else { return true };
        let (own, other) = if colouring.first.contains(start) {
            (colouring.first_count, colouring.second_count)
        } else {
            (colouring.second_count, colouring.first_count)
        };
        own == other || own == other + 1
    }

    /// A root with its ends.
    pub(super) fn root(&self, at: usize) -> Root {
        let (start, first) = self.roots[at];
        let graph = &self.graph;
        let ends = match (self.anchor, first) {
            (Some(anchor), Some(first)) => {
                let mut ends = VertexSet::empty(graph.len());
                let needed: Vec<u32> =
                    graph.required_at(anchor).iter().map(|&(_, v)| v).filter(|&v| v != first).collect();
                let is_met_once = graph.has_direction();
                for &v in graph.neighbours(anchor).iter().filter(|&&v| v > first || is_met_once && v < first) {
                    if needed.is_empty() || needed == [v] {
                        ends.add(v);
                    }
                }
                ends
            }
            _ => self.ends_from(start),
        };
        Root { start, first, cycle: self.anchor.is_some(), ends }
    }

    /// Where an open path from `start` may end: of the right colour, and not where it starts.
    pub(super) fn ends_from(&self, start: u32) -> VertexSet {
        let mut ends = self.graph.ends().clone();
        if self.graph.len() > 1 {
            ends.discard(start);
        }
        if let Some(colouring) = &self.colouring {
            let same = self.graph.len() % 2 == 1;
            let start_first = colouring.first.contains(start);
            for v in self.graph.ends().iter() {
                if (colouring.first.contains(v) == start_first) != same {
                    ends.discard(v);
                }
            }
        }
        ends
    }
}

/// One of the two representations.
#[derive(Debug)]
pub(super) enum AnyWalk {
    Word(Box<Walk<WordPosition>>),
    List(Box<Walk<ListPosition>>),
}

macro_rules! on_walk {
    ($any:expr, $walk:ident => $what:expr) => {
        match $any {
            AnyWalk::Word($walk) => $what,
            AnyWalk::List($walk) => $what,
        }
    };
}

impl AnyWalk {
    pub(super) fn new(plan: &Plan, options: Options, word_limit: usize) -> AnyWalk {
        let graph = &plan.graph;
        let ranking = Ranking::new(options.order, graph, plan.rows, plan.cols, options.seed);
        let first = plan.colouring.as_ref().map(|c| &c.first);
        if graph.len() <= word_limit.min(64) {
            let colour = first.map(|first| first.iter().collect::<Bitboard>());
            let word = Arc::new(WordGraph::new(graph, colour));
            AnyWalk::Word(Box::new(Walk::new(WordPosition::new(word, ranking, options.lookahead))))
        } else {
            let shared = Arc::new(ListGraph::new(Arc::clone(graph), first.cloned()));
            AnyWalk::List(Box::new(Walk::new(ListPosition::new(shared, ranking, options.lookahead))))
        }
    }
}

/// Nodes claimed from the budget at a time: some microseconds' worth.
pub(super) const BATCH: u64 = 4096;

/// Squares that the look-ahead for cut vertices may pass over at a time: some milliseconds' worth.
const PASSED_OVER: u64 = 1 << 18;

/// A search that lists the tours of a request one after another.
#[derive(Debug)]
pub struct Backtrack {
    request: Request,
    pub(super) plan: Plan,
    walk: AnyWalk,
    pub(super) next_root: usize,
    path: Vec<u32>,
    /// Nodes claimed at a time.
    batch: u64,
}

impl Backtrack {
    /// Bytes that a search takes beyond its graph, from above.
    #[must_use]
    pub fn bytes(request: &Request) -> u64 {
        ListPosition::bytes(request.board().len() as u64)
    }

    /// A search over the graph of the request.
    #[must_use]
    pub fn new(request: &Request, graph: Arc<Graph>, options: Options) -> Backtrack {
        Backtrack::with_word_limit(request, graph, options, 64)
    }

    /// The same on lists for graphs of more than `word_limit` vertices, so that tests can compare the
    /// two representations on small boards.
    #[doc(hidden)]
    #[must_use]
    pub fn with_word_limit(request: &Request, graph: Arc<Graph>, options: Options, word_limit: usize) -> Backtrack {
        let plan = Plan::new(request, graph, false);
        let walk = AnyWalk::new(&plan, options, word_limit);
        let batch = match options.lookahead {
            Lookahead::Full => (PASSED_OVER / plan.graph.len() as u64).clamp(1, BATCH),
            _ => BATCH,
        };
        Backtrack { request: request.clone(), plan, walk, next_root: 0, path: Vec::new(), batch }
    }

    /// Runs to the next tour.
    ///
    /// Order: starts in reading order, then moves in the order of the options. Memory does not grow.
    pub fn advance(&mut self, budget: &Budget) -> Step {
        self.advance_within(budget, &mut u64::MAX.clone())
    }

    /// The same, for at most this many nodes, which are counted down. Pauses when they are spent.
    pub(super) fn advance_within(&mut self, budget: &Budget, nodes: &mut u64) -> Step {
        loop {
            if *nodes == 0 {
                return Step::Paused(Pause::Slice);
            }
            let granted = match budget.take(self.batch.min(*nodes)) {
                Ok(fuel) => fuel,
                Err(pause) => return Step::Paused(pause),
            };
            let mut fuel = granted;
            let step = self.burn(&mut fuel);
            budget.give_back(fuel);
            *nodes -= granted - fuel;
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Goes on until something happens or the fuel is burnt.
    fn burn(&mut self, fuel: &mut u64) -> Option<Step> {
        while *fuel > 0 {
            match on_walk!(&mut self.walk, walk => walk.run(fuel)) {
                Event::Complete => return Some(Step::Found),
                Event::OutOfFuel => {}
                Event::Exhausted if self.next_root < self.plan.roots.len() => {
                    let root = self.plan.root(self.next_root);
                    self.next_root += 1;
                    *fuel -= 1;
                    if self.begin(&root) {
                        return Some(Step::Found);
                    }
                }
                Event::Exhausted => return Some(Step::Exhausted),
            }
        }
        None
    }

    /// Begins at a root. Whether that is a tour already.
    pub(super) fn begin(&mut self, root: &Root) -> bool {
        let vertices = self.plan.graph.len();
        on_walk!(&mut self.walk, walk => {
            walk.begin(root, vertices);
            walk.state == State::Complete
        })
    }

    /// The squares of the tour just found, in the order in which it is listed.
    #[must_use]
    pub fn tour(&mut self) -> Vec<u32> {
        on_walk!(&self.walk, walk => walk.position.path(&mut self.path));
        let graph = &self.plan.graph;
        let mut squares: Vec<u32> = self.path.iter().map(|&v| graph.square(v)).collect();
        if self.plan.backwards {
            squares.reverse();
        }
        if graph.is_closed() {
            self.request.list(&mut squares);
        }
        squares
    }

    pub(super) fn reseed(&mut self, seed: u64) {
        on_walk!(&mut self.walk, walk => walk.position.reseed(seed));
    }

    /// What was done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        on_walk!(&self.walk, walk => walk.stats)
    }
}
