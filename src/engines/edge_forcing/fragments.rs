//! [`EdgeForcing`]: a search that joins fragments at both ends, by the edges that are forced.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::large::LargeState;
use super::search::Search;
use super::state::State;
use super::step::Step;
use super::steps::Steps;
use super::word::WordState;
use super::{Position, word};
use crate::request::apex::Apexes;
use crate::request::graph::Graph;
use crate::run::{Budget, Pause};

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeForcingStats {
    /// Nodes of the search tree: choices followed to where nothing was forced any more.
    pub nodes: u64,
    /// Edges chosen, freely or because they were forced.
    pub joins: u64,
    /// Nodes below which there was no tour.
    pub dead_ends: u64,
    /// Fresh starts from another part of the board before the first tour was found.
    pub restarts: u32,
    /// Tours listed or counted, both directions where both are asked for.
    pub tours: u64,
}

/// A search through all tours of a graph. It can be paused at any node, sent to another thread, and
/// split.
///
/// ```
/// use knightstour::{Board, Budget, Graph, Request};
/// use knightstour::engines::edge_forcing::{EdgeForcing, Step};
/// let graph = Graph::new(&Request::closed(Board::new(5, 6)?));
/// let budget = Budget::unlimited();
/// let mut tours = EdgeForcing::new(graph.into(), &budget).expect("no limit is set");
/// assert_eq!(tours.advance(&budget), Step::Found);
/// assert_eq!(tours.path().len(), 30);
/// assert_eq!(tours.count(&budget), Ok(8));
/// # Ok::<(), knightstour::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeForcing {
    engine: Engine,
    listing: Listing,
    stats: EdgeForcingStats,
    /// A part of its tours was split off, or it is one.
    is_part: bool,
}

/// The search, by the words its sets take.
#[derive(Clone, Debug)]
enum Engine {
    /// There is nothing to search: no tour is left or, if it says so, the one of a single square.
    Trivial {
        single: bool,
    },
    Word(Box<Search<WordState<u64, 64>>>),
    DoubleWord(Box<Search<WordState<u128, 128>>>),
    Large(Box<Search<LargeState>>),
}

impl EdgeForcing {
    /// Bytes that a search takes, from above.
    #[must_use]
    pub fn bytes(graph: &Graph) -> u64 {
        // A change on the trail for each edge chosen or forbidden (20 bytes), and a branching for each
        // edge chosen freely (24); doubled, since vectors grow by doubling. And the path.
        let (vertices, edges) = (graph.len() as u64, graph.arc_count() as u64 / 2);
        2 * (20 * (vertices + edges) + 24 * vertices) + 4 * vertices + LargeState::bytes(graph) + Steps::bytes(graph)
    }

    /// A search that has not begun. Cost: linear in the graph; memory [`EdgeForcing::bytes`], which the
    /// budget is asked for.
    pub fn new(graph: Arc<Graph>, budget: &Budget) -> Result<EdgeForcing, Pause> {
        budget.check_memory(EdgeForcing::bytes(&graph))?;
        Ok(EdgeForcing::with_room(graph, 0))
    }

    /// A search with sets for that many vertices at least. The room makes no difference to the tours.
    fn with_room(graph: Arc<Graph>, room: usize) -> EdgeForcing {
        let mut listing = Listing { graph, both_ways: false, apexes: 0, path: Vec::new(), reverse_next: false };
        let graph = &listing.graph;
        let engine = if graph.len() == 1 {
            Engine::Trivial { single: !graph.is_closed() }
        } else if let Some(plan) = Apexes::new(graph) {
            let moves = (0..graph.len() as u32).map(|v| graph.neighbours(v).len()).max().unwrap_or(0);
            let engine = match plan.vertices(graph).max(room) {
                ..=64 if moves <= word::MOST_SPARED => Engine::Word(Search::new(graph, &plan).into()),
                ..=128 if moves <= word::MOST_SPARED => Engine::DoubleWord(Search::new(graph, &plan).into()),
                _ => Engine::Large(Search::new(graph, &plan).into()),
            };
            (listing.both_ways, listing.apexes) = (plan.both_ways, plan.apexes.len());
            engine
        } else {
            Engine::Trivial { single: false }
        };
        EdgeForcing { engine, listing, stats: EdgeForcingStats::default(), is_part: false }
    }

    /// Goes on to the next tour, which [`EdgeForcing::path`] gives then.
    pub fn advance(&mut self, budget: &Budget) -> Step {
        self.visit(budget, |_| ControlFlow::Break(()))
    }

    /// The squares of the tour last found, in the order in which it is listed; none before the first.
    #[must_use]
    pub fn path(&self) -> &[u32] {
        &self.listing.path
    }

    /// Hands each tour to `take`, until that breaks off ([`Step::Found`]) or there are no more. Cheaper
    /// than advancing tour by tour, since the budget is not asked at each.
    pub fn visit(&mut self, budget: &Budget, mut take: impl FnMut(&[u32]) -> ControlFlow<()>) -> Step {
        let listing = &mut self.listing;
        let mut take = |path: &[u32]| {
            self.stats.tours += 1;
            take(path)
        };
        if listing.offer_reverse(&mut take).is_break() {
            return Step::Found;
        }
        match &mut self.engine {
            Engine::Trivial { single } => {
                if std::mem::take(single) && listing.offer_single(&mut take).is_break() {
                    return Step::Found;
                }
                Step::Exhausted
            }
            Engine::Word(search) => search.run(budget, |tour| listing.offer(tour, &mut take)),
            Engine::DoubleWord(search) => search.run(budget, |tour| listing.offer(tour, &mut take)),
            Engine::Large(search) => search.run(budget, |tour| listing.offer(tour, &mut take)),
        }
    }

    /// Counts the tours that are left without writing them out, and says how many have been listed or
    /// counted in all, this search's share if it has been split. After a pause the next call goes on.
    pub fn count(&mut self, budget: &Budget) -> Result<u64, Pause> {
        let step = if self.listing.graph.steps().is_empty() {
            let each = if self.listing.both_ways { 2 } else { 1 };
            let mut tours = u64::from(std::mem::take(&mut self.listing.reverse_next));
            let step = match &mut self.engine {
                Engine::Trivial { single } => {
                    tours += u64::from(std::mem::take(single));
                    Step::Exhausted
                }
                Engine::Word(search) => search.run(budget, |_| add(&mut tours, each)),
                Engine::DoubleWord(search) => search.run(budget, |_| add(&mut tours, each)),
                Engine::Large(search) => search.run(budget, |_| add(&mut tours, each)),
            };
            self.stats.tours += tours;
            step
        } else {
            self.visit(budget, |_| ControlFlow::Continue(()))
        };
        match step {
            Step::Paused(pause) => Err(pause),
            Step::Found | Step::Exhausted => Ok(self.stats.tours),
        }
    }

    /// The same search in another order: "the first in reading order" is counted from this vertex on. Before it begins only.
    #[must_use]
    pub fn starting_at(mut self, vertex: u32) -> EdgeForcing {
        match &mut self.engine {
            Engine::Trivial { .. } => {}
            Engine::Word(search) => search.set_origin(vertex),
            Engine::DoubleWord(search) => search.set_origin(vertex),
            Engine::Large(search) => search.set_origin(vertex),
        }
        self
    }

    /// What has been done so far.
    #[must_use]
    pub fn stats(&self) -> EdgeForcingStats {
        let (nodes, joins, dead_ends, restarts) = match &self.engine {
            Engine::Trivial { .. } => (0, 0, 0, 0),
            Engine::Word(search) => search.work(),
            Engine::DoubleWord(search) => search.work(),
            Engine::Large(search) => search.work(),
        };
        EdgeForcingStats { nodes, joins, dead_ends, restarts, ..self.stats }
    }

    /// Splits the rest of the search in two. What is split off lists the tours that would have come
    /// last here, so that the one list after the other is still in order. `None` if there is nothing
    /// to split (before the first node, or near the end).
    #[must_use]
    pub fn split(&mut self) -> Option<EdgeForcing> {
        let engine = match &mut self.engine {
            Engine::Trivial { .. } => return None,
            Engine::Word(search) => Engine::Word(search.split()?.into()),
            Engine::DoubleWord(search) => Engine::DoubleWord(search.split()?.into()),
            Engine::Large(search) => Engine::Large(search.split()?.into()),
        };
        self.is_part = true;
        let listing = Listing { reverse_next: false, ..self.listing.clone() };
        Some(EdgeForcing { engine, listing, stats: EdgeForcingStats::default(), is_part: true })
    }

    /// Where the listing stands: [`EdgeForcing::go_to`] goes on from there. `None` before the first tour,
    /// and after a split.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        if self.stats.tours == 0 || self.is_part {
            return None;
        }
        let (origin, choices) = match &self.engine {
            Engine::Trivial { .. } => (0, Vec::new()),
            Engine::Word(search) => (search.origin(), search.choices()),
            Engine::DoubleWord(search) => (search.origin(), search.choices()),
            Engine::Large(search) => (search.origin(), search.choices()),
        };
        Some(Position { tours: self.stats.tours, origin, reverse_next: self.listing.reverse_next, choices })
    }

    /// Goes to where a listing of the same graph stood, on a search that has not begun. False if the
    /// position cannot be one of this graph's; the search is of no use then. Cost: that of the way down to one tour.
    #[must_use]
    pub fn go_to(&mut self, position: &Position) -> bool {
        let listing = &mut self.listing;
        let reverse_next = position.reverse_next;
        let fits = match &mut self.engine {
            Engine::Trivial { single } => std::mem::take(single) && position.choices.is_empty() && !reverse_next,
            Engine::Word(search) => listing.go_to(search, position),
            Engine::DoubleWord(search) => listing.go_to(search, position),
            Engine::Large(search) => listing.go_to(search, position),
        };
        self.stats.tours = position.tours;
        fits && position.tours > 0
    }
}

fn add(tours: &mut u64, more: u64) -> ControlFlow<()> {
    *tours += more;
    ControlFlow::Continue(())
}

/// How tours are written out.
#[derive(Clone, Debug)]
struct Listing {
    graph: Arc<Graph>,
    /// Each tour found stands for its reverse, too.
    both_ways: bool,
    apexes: usize,
    path: Vec<u32>,
    /// The reverse of `path` is to be listed next.
    reverse_next: bool,
}

impl Listing {
    /// Goes to where a listing stood.
    fn go_to<S: State>(&mut self, search: &mut Search<S>, position: &Position) -> bool {
        if !search.replay(position.origin, &position.choices) || position.reverse_next && !self.both_ways {
            return false;
        }
        self.reverse_next = position.reverse_next;
        if search.is_at_tour() {
            self.write(search);
        }
        search.is_at_tour() || !self.reverse_next
    }

    /// Offers a tour that the search has found, one way and then the other.
    fn offer<S: State>(
        &mut self,
        search: &Search<S>,
        take: &mut impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.write(search);
        self.reverse_next = self.both_ways;
        self.pass(take)?;
        self.offer_reverse(take)
    }

    fn offer_reverse(&mut self, take: &mut impl FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        if !std::mem::take(&mut self.reverse_next) {
            return ControlFlow::Continue(());
        }
        self.path.reverse();
        self.pass(take)
    }

    fn offer_single(&mut self, take: &mut impl FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        self.path = vec![self.graph.square(0)];
        self.pass(take)
    }

    /// Hands the path on if it is at the steps asked for, a cycle in either direction.
    fn pass(&mut self, take: &mut impl FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        let fits =
            |path: &[u32], graph: &Graph| graph.steps().iter().all(|&(step, v)| path[step as usize] == graph.square(v));
        if self.graph.has_direction() && !fits(&self.path, &self.graph) {
            self.path[1..].reverse();
        }
        if fits(&self.path, &self.graph) { take(&self.path) } else { ControlFlow::Continue(()) }
    }

    /// Writes down the tour that the search has found.
    fn write<S: State>(&mut self, search: &Search<S>) {
        let count = self.graph.len() as u32;
        self.path.resize(count as usize, 0);
        // From both ends at once: the two walks do not wait for each other.
        let (front, back, squares) = match self.apexes {
            0 => {
                let start = self.graph.start().unwrap_or(0);
                self.path[0] = self.graph.square(start);
                let [a, b] = search.neighbours(start);
                ((start, a.min(b)), (start, a.max(b)), &mut self.path[1..])
            }
            1 => {
                let [a, b] = search.neighbours(count);
                ((count, a.min(b)), (count, a.max(b)), &mut self.path[..])
            }
            _ => {
                let end_of = |apex: u32, other: u32| {
                    let [a, b] = search.neighbours(apex);
                    (apex, if a == other { b } else { a })
                };
                (end_of(count, count + 1), end_of(count + 1, count), &mut self.path[..])
            }
        };
        let (mut front, mut back) = (front, back);
        let onward = |(before, at): (u32, u32)| {
            let [a, b] = search.neighbours(at);
            (at, if a == before { b } else { a })
        };
        let last = squares.len() - 1;
        for k in 0..=last / 2 {
            squares[k] = self.graph.square(front.1);
            squares[last - k] = self.graph.square(back.1);
            (front, back) = (onward(front), onward(back));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::moves::{Leaper, Wrap};
    use crate::request::Request;

    #[test]
    fn sets_of_every_size_visit_the_same_nodes() {
        let plain = |rows, cols| Board::new(rows, cols).unwrap();
        let torus = Board::build(3, 4, [], Leaper::KNIGHT, Wrap::Both).unwrap();
        let holed = Board::build(6, 6, [3, 33], Leaper::KNIGHT, Wrap::None).unwrap();
        for request in [
            Request::open(plain(5, 5)),
            Request::open(plain(4, 6)),
            Request::closed(plain(6, 6)),
            Request::open(torus.clone()),
            Request::closed(torus),
            Request::open(plain(5, 6)).with_start(0).unwrap(),
            Request::open(plain(5, 5)).with_end(12).unwrap(),
            Request::open(plain(5, 5)).with_start(4).and_then(|r| r.with_end(20)).unwrap(),
            Request::closed(holed.clone()).with_start(35).unwrap(),
            Request::open(holed).with_included(0, 8).and_then(|r| r.with_step(1, 5)).unwrap(),
        ] {
            let graph = Arc::new(Graph::new(&request));
            let [word, double, large] = [0, 65, 129].map(|room| {
                let mut search = EdgeForcing::with_room(Arc::clone(&graph), room);
                let mut tours = Vec::new();
                let step = search.visit(&Budget::unlimited(), |path| {
                    tours.push(path.to_vec());
                    // The board with holes has many.
                    if tours.len() < 5000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                let EdgeForcingStats { nodes, dead_ends, .. } = search.stats();
                (tours, step, nodes, dead_ends)
            });
            assert!(!word.0.is_empty(), "{request:?}");
            assert_eq!(word, double);
            assert_eq!(word, large);
        }
    }

    #[test]
    fn fresh_starts_lose_no_tour_and_repeat_none() {
        let board = |rows, cols| Board::new(rows, cols).unwrap();
        let mut restarts = 0;
        for (request, count) in [
            (Request::open(board(5, 5)), 1728),
            (Request::closed(board(6, 6)), 9862),
            (Request::closed(board(5, 6)), 8),
            (Request::closed(board(4, 10)), 0),
            (Request::open(board(5, 5)).with_start(12).unwrap(), 64),
            (Request::open(board(4, 5)).with_end(0).unwrap(), 32),
        ] {
            for room in [0, 65, 129] {
                let mut search = EdgeForcing::with_room(Arc::new(Graph::new(&request)), room);
                match &mut search.engine {
                    Engine::Trivial { .. } => {}
                    Engine::Word(search) => search.set_patience(1),
                    Engine::DoubleWord(search) => search.set_patience(1),
                    Engine::Large(search) => search.set_patience(1),
                }
                let mut tours = std::collections::HashSet::new();
                let step = search.visit(&Budget::unlimited(), |path| {
                    assert!(tours.insert(path.to_vec()));
                    ControlFlow::Continue(())
                });
                assert_eq!((step, tours.len()), (Step::Exhausted, count), "{request:?}");
                restarts += search.stats().restarts;
            }
        }
        assert!(restarts > 30, "{restarts}");
    }
}
