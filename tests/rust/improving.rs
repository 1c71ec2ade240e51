//! What holds of each search that mends what it has and proves nothing: the rotation of a path, the merging of cycles.

use std::fmt::Debug;
use std::sync::Arc;

use knightstour::engines::cycle_merging::{Merging, Step};
use knightstour::engines::rotation::Rotation;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Graph, Leaper, Limit, Limits, Pause, Request, Tour, Wrap};

use crate::brute;

/// Such a search.
pub trait Improving: Sized {
    fn of_graph(graph: Arc<Graph>, seed: Option<u64>) -> Self;
    fn advance(&mut self, budget: &Budget) -> Step;
    fn squares(&self) -> Vec<u32>;
    fn told(&self) -> impl Debug + PartialEq;

    fn over(request: &Request, seed: Option<u64>) -> Self {
        Self::of_graph(Arc::new(Graph::new(request)), seed)
    }

    /// What was found; the judge says whether it is asked for.
    fn found(&self, request: &Request) -> Tour {
        let tour = Tour::new(request.board().clone(), self.squares(), Some(request.is_closed())).unwrap();
        assert!(request.listed(&tour).is_some(), "{request:?} {tour:?}");
        tour
    }
}

impl Improving for Rotation {
    fn of_graph(graph: Arc<Graph>, seed: Option<u64>) -> Self {
        Rotation::new(graph, seed)
    }

    fn advance(&mut self, budget: &Budget) -> Step {
        Rotation::advance(self, budget)
    }

    fn squares(&self) -> Vec<u32> {
        self.tour()
    }

    fn told(&self) -> impl Debug + PartialEq {
        self.stats()
    }
}

impl Improving for Merging {
    fn of_graph(graph: Arc<Graph>, seed: Option<u64>) -> Self {
        Merging::new(graph, seed)
    }

    fn advance(&mut self, budget: &Budget) -> Step {
        Merging::advance(self, budget)
    }

    fn squares(&self) -> Vec<u32> {
        self.tour()
    }

    fn told(&self) -> impl Debug + PartialEq {
        self.stats()
    }
}

pub fn nodes(nodes: u64) -> Budget {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// A large board with a number of squares blocked of either colour, and none with fewer than two moves.
pub fn holed(size: u32, holes: u32, seed: u64) -> Board {
    let mut rng = Rng::seeded(seed);
    loop {
        let mut blocked: Vec<u32> = Vec::new();
        let mut left = [holes / 2; 2];
        while left != [0, 0] {
            let square = rng.below(u64::from(size * size)) as u32;
            let colour = ((square / size + square % size) % 2) as usize;
            if left[colour] > 0 && !blocked.contains(&square) {
                left[colour] -= 1;
                blocked.push(square);
            }
        }
        let board = Board::build(size, size, blocked, Leaper::KNIGHT, Wrap::None).unwrap();
        if board.open_squares().all(|square| board.moves(square).as_slice().len() >= 2) {
            return board;
        }
    }
}

/// On small boards of any kind it finds tours that are asked for, and for a given share of the boards that have some.
pub fn finds_nearly_all<S: Improving>(seed: u64, percent: u32) {
    let mut rng = Rng::seeded(seed);
    let (mut with_tours, mut found) = (0, 0);
    for round in 0..3000 {
        let board = brute::random_board(&mut rng, 20);
        let request = brute::random_request(&mut rng, board);
        let mut search = S::over(&request, Some(round));
        let step = search.advance(&nodes(20_000));
        if step == Step::Found {
            // No board without a tour is said to have one.
            search.found(&request);
        }
        if request.steps().is_empty() && brute::first(&request, 50_000).is_some_and(|tour| tour.is_some()) {
            with_tours += u32::from(request.board().len() > 2);
            found += u32::from(step == Step::Found);
        }
    }
    assert!(with_tours > 150, "{with_tours}");
    assert!(found * 100 >= with_tours * percent, "{found} of {with_tours}");
}

/// It finds a tour within a given number of nodes a square.
pub fn finds_within<S: Improving>(request: &Request, nodes_a_square: u64) {
    let mut search = S::over(request, None);
    let step = search.advance(&nodes(nodes_a_square * request.board().len() as u64));
    assert_eq!(step, Step::Found, "{} {:?}", request.board().describe(), search.told());
    search.found(request);
}

/// Paused after every few nodes it finds the same, with as much work.
pub fn goes_on_where_it_was<S: Improving>() {
    let request = Request::closed(holed(16, 20, 5));
    let mut whole = S::over(&request, Some(3));
    assert_eq!(whole.advance(&Budget::unlimited()), Step::Found);
    let mut bit_by_bit = S::over(&request, Some(3));
    let mut pauses = 0;
    while bit_by_bit.advance(&nodes(7)) == Step::Paused(Pause::Limit(Limit::Nodes)) {
        pauses += 1;
    }
    assert!(pauses > 10);
    assert_eq!(bit_by_bit.squares(), whole.squares());
    assert_eq!(bit_by_bit.told(), whole.told());
}

/// It uses given moves; squares at given steps are not for it.
pub fn leaves_given_steps_to_others<S: Improving>() {
    let board = Board::new(12, 12).unwrap();
    let edges = [(0, 14), (25, 50), (77, 54), (100, 75)];
    finds_within::<S>(&Request::closed(board.clone()).with_all_included(edges).unwrap(), 700);
    let request = Request::closed(board).with_all_steps([(14, 1), (100, 40)]).unwrap();
    assert_eq!(S::over(&request, None).advance(&nodes(10)), Step::GaveUp);
}
