//! The merging of cycles, and the engines that take turns.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use knightstour::merging::{Merging, Step};
use knightstour::rng::Rng;
use knightstour::solve::{Find, FindOptions, Outcome, Report};
use knightstour::{Board, Budget, Graph, Leaper, Limit, Limits, Pause, Request, Tour, Wrap};

use crate::brute;

pub fn nodes(nodes: u64) -> Budget {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn tour(request: &Request, search: &Merging) -> Tour {
    let tour = Tour::new(request.board().clone(), search.tour(), Some(request.is_closed())).unwrap();
    assert!(request.admits(&tour), "{request:?} {tour:?}");
    tour
}

#[test]
fn what_merging_finds_is_asked_for_and_it_finds_nearly_all() {
    let mut rng = Rng::seeded(11);
    let (mut with_tours, mut found) = (0, 0);
    for round in 0..3000 {
        let board = brute::random_board(&mut rng, 20);
        let request = brute::random_request(&mut rng, board);
        let mut search = Merging::new(Arc::new(Graph::new(&request)), Some(round));
        let has_tour = brute::each_tour(&request, 50_000, |_| ControlFlow::Break(()));
        // `false`: broken off, by a tour or by the limit.
        let step = search.advance(&nodes(20_000));
        if step == Step::Found {
            tour(&request, &search);
            assert!(!has_tour, "{request:?}");
        }
        if request.steps().is_empty() && brute::first(&request, 50_000).is_some_and(|tour| tour.is_some()) {
            with_tours += u32::from(request.board().len() > 2);
            found += u32::from(step == Step::Found);
        }
    }
    assert!(with_tours > 150, "{with_tours}");
    assert!(found * 100 >= with_tours * 95, "{found} of {with_tours}");
}

/// A large board with so many squares blocked of either colour, and none with fewer than two moves.
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

#[test]
fn large_boards_with_holes_take_nodes_in_proportion() {
    for (size, seed) in [(30, 1), (60, 2), (100, 3)] {
        let board = holed(size, size * size / 20 / 2 * 2, seed);
        let open: Vec<u32> = board.open_squares().collect();
        let (first, last) = (open[0], open[open.len() - 1]);
        let is_legal = (board.square(first).row + board.square(first).col) % 2
            != (board.square(last).row + board.square(last).col) % 2;
        let mut requests = vec![Request::closed(board.clone()), Request::open(board.clone())];
        if is_legal {
            requests.push(Request::open(board.clone()).with_start(first).and_then(|r| r.with_end(last)).unwrap());
        }
        for request in requests {
            let mut search = Merging::new(Arc::new(Graph::new(&request)), None);
            let budget = nodes(1500 * board.len() as u64);
            assert_eq!(search.advance(&budget), Step::Found, "{size} {}", search.stats().nodes);
            tour(&request, &search);
        }
    }
}

#[test]
fn a_search_that_is_paused_goes_on_where_it_was() {
    let request = Request::closed(holed(16, 20, 5));
    let graph = Arc::new(Graph::new(&request));
    let mut whole = Merging::new(Arc::clone(&graph), Some(3));
    assert_eq!(whole.advance(&Budget::unlimited()), Step::Found);
    let mut bit_by_bit = Merging::new(graph, Some(3));
    let mut pauses = 0;
    while bit_by_bit.advance(&nodes(7)) == Step::Paused(Pause::Limit(Limit::Nodes)) {
        pauses += 1;
    }
    assert!(pauses > 10);
    assert_eq!(bit_by_bit.tour(), whole.tour());
    assert_eq!(bit_by_bit.stats(), whole.stats());
}

#[test]
fn given_moves_are_used_and_given_steps_are_left_to_others() {
    let board = Board::new(12, 12).unwrap();
    let request = Request::closed(board.clone()).with_all_included([(0, 14), (25, 50), (77, 54), (100, 75)]).unwrap();
    let mut search = Merging::new(Arc::new(Graph::new(&request)), None);
    assert_eq!(search.advance(&nodes(100_000)), Step::Found);
    tour(&request, &search);
    let request = Request::closed(board).with_step(14, 1).unwrap();
    assert_eq!(Merging::new(Arc::new(Graph::new(&request)), None).advance(&nodes(10)), Step::GaveUp);
}

fn run(request: &Request, options: FindOptions, limit: Option<u64>, slice: Option<Duration>) -> (Outcome, Report) {
    let mut find = Find::new(request.clone(), options).unwrap();
    let mut budget = Budget::new(Limits { nodes: limit, ..Limits::default() });
    loop {
        if let Some(slice) = slice {
            budget.begin_slice(slice);
        }
        if let Some(outcome) = find.advance(&budget) {
            return (outcome, find.report());
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_threads_or_slices() {
    let zebra = Board::build(12, 8, [], Leaper::new(2, 3), Wrap::Cols).unwrap();
    let giraffe = Board::build(10, 10, [], Leaper::new(1, 4), Wrap::None).unwrap();
    let requests = [
        Request::open(zebra).with_start(0).and_then(|r| r.with_end(95)).unwrap(),
        Request::closed(giraffe),
        Request::closed(holed(24, 58, 8)),
        Request::open(Board::new(6, 7).unwrap()).with_step(20, 13).and_then(|r| r.with_step(2, 30)).unwrap(),
    ];
    for request in requests {
        for seed in [None, Some(9)] {
            let options = |threads| FindOptions { seed, threads, ..FindOptions::default() };
            // Some of them are stopped by it, in one of the later rounds.
            let limit = Some(400_000);
            let (outcome, report) = run(&request, options(1), limit, None);
            for threads in [2, 5] {
                let (again, other) = run(&request, options(threads), limit, Some(Duration::from_millis(1)));
                assert_eq!((&again, other.method), (&outcome, report.method), "{request:?} {threads}");
                assert_eq!(other.search, report.search, "{request:?} {threads}");
            }
        }
    }
}
