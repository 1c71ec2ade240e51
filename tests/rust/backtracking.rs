//! The backtracking engine against published counts and an independent exhaustive search.

use std::sync::Arc;

use knightstour::engines::backtracking::{Backtrack, Counting, Lookahead, Options, Order, Restarts, Step};
use knightstour::engines::warnsdorff::Ties;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Graph, Leaper, Limit, Limits, Pause, Request, Tour, Wrap};

use crate::brute;

const LOOKAHEADS: [Lookahead; 4] = [Lookahead::None, Lookahead::DeadEnds, Lookahead::Forced, Lookahead::Full];
const ORDERS: [Order; 5] = [
    Order::Fixed,
    Order::Warnsdorff(Ties::First),
    Order::Warnsdorff(Ties::Random),
    Order::Warnsdorff(Ties::Outward),
    Order::Warnsdorff(Ties::Pohl),
];

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn graph(request: &Request) -> Arc<Graph> {
    Arc::new(Graph::new(request))
}

fn list(request: &Request, options: Options) -> Vec<Vec<u32>> {
    list_with(Backtrack::new(request, graph(request), options), request)
}

fn list_with(mut search: Backtrack, request: &Request) -> Vec<Vec<u32>> {
    let mut tours = Vec::new();
    loop {
        match search.advance(&Budget::unlimited()) {
            Step::Found => {
                let tour = search.tour();
                Tour::new(request.board().clone(), tour.clone(), Some(request.is_closed())).unwrap();
                tours.push(tour);
            }
            Step::Exhausted => return tours,
            Step::Paused(pause) => panic!("{pause:?} without a limit"),
        }
    }
}

fn count(request: &Request, options: Options, threads: usize) -> u128 {
    Counting::new(request, graph(request), options, threads, false).advance(&Budget::unlimited()).unwrap().value
}

#[test]
fn small_boards_have_their_published_counts() {
    for (rows, cols, open, closed) in [
        (1, 1, 1, 0),
        (1, 2, 0, 0),
        (3, 3, 0, 0),
        (3, 4, 16, 0),
        (4, 3, 16, 0),
        (4, 4, 0, 0),
        (3, 7, 104, 0),
        (4, 5, 164, 0),
        (5, 5, 1728, 0),
        (5, 6, 37568, 8),
        (6, 5, 37568, 8),
        (3, 10, 6096, 16),
    ] {
        for threads in [1, 2, 3] {
            let of = |request| count(&request, Options::EXHAUSTIVE, threads);
            assert_eq!(of(Request::open(board(rows, cols))), open, "{rows}x{cols}");
            assert_eq!(of(Request::closed(board(rows, cols))), closed, "{rows}x{cols}");
        }
    }
    assert_eq!(count(&Request::closed(board(6, 6)), Options::EXHAUSTIVE, 2), 9862);
}

#[test]
fn starts_have_their_published_counts() {
    // George Jelliss and others: 5x5 by orbits of starts; 6x6 as in Knuth's fascicle.
    for (size, table) in [
        (5, vec![(0, 304), (2, 56), (6, 56), (7, 0), (12, 64)]),
        (6, vec![(0, 524486), (1, 289050), (2, 115837), (7, 173402), (8, 49578), (14, 52662)]),
    ] {
        let request = Request::open(board(size, size));
        let mut counting = Counting::new(&request, graph(&request), Options::EXHAUSTIVE, 2, true);
        let totals = counting.advance(&Budget::unlimited()).unwrap();
        for &(square, tours) in &table {
            let found = totals.by_start.iter().find(|&&(s, _)| s == square).map_or(0, |&(_, t)| t);
            assert_eq!(found, tours, "{size}x{size} from {square}");
            let request = request.clone().with_start(square).unwrap();
            assert_eq!(count(&request, Options::EXHAUSTIVE, 1), tours);
        }
        assert_eq!(totals.value, totals.by_start.iter().map(|&(_, tours)| tours).sum::<u128>());
    }
    assert_eq!(count(&Request::open(board(6, 6)), Options::EXHAUSTIVE, 2), 6_637_920);
}

#[test]
fn every_choice_finds_all_64_tours_from_the_centre_of_5x5() {
    let request = Request::open(board(5, 5)).with_start(12).unwrap();
    let mut expected = list(&request, Options { order: Order::Fixed, lookahead: Lookahead::None, seed: None });
    expected.sort_unstable();
    assert_eq!(expected.len(), 64);
    for order in ORDERS {
        for lookahead in LOOKAHEADS {
            for seed in [None, Some(3)] {
                let mut tours = list(&request, Options { order, lookahead, seed });
                tours.sort_unstable();
                assert_eq!(tours, expected, "{order:?} {lookahead:?}");
            }
        }
    }
}

#[test]
fn every_choice_agrees_with_exhaustive_search_on_random_requests() {
    let mut rng = Rng::seeded(20);
    let mut with_tours = 0;
    for case in 0..2500 {
        let board = random_board(&mut rng);
        let request = brute::random_request(&mut rng, board);
        let mut expected = brute::tours(&request);
        expected.sort_unstable();
        with_tours += u32::from(!expected.is_empty());
        let order = ORDERS[rng.below(5) as usize];
        for lookahead in LOOKAHEADS {
            let options = Options { order, lookahead, seed: (case % 2 == 0).then_some(case) };
            let mut tours = list(&request, options);
            tours.sort_unstable();
            assert_eq!(tours, expected, "{options:?} {request:?}");
            assert_eq!(
                count(&request, options, 1 + case as usize % 2),
                expected.len() as u128,
                "{options:?} {request:?}"
            );
        }
        let mut restarts = Restarts::new(&request, graph(&request), (case % 3 == 0).then_some(case));
        match restarts.advance(&Budget::unlimited()) {
            Step::Found => assert!(expected.contains(&restarts.tour()), "{request:?}"),
            step => assert!(step == Step::Exhausted && expected.is_empty(), "{step:?} {request:?}"),
        }
    }
    assert!(with_tours > 350, "only {with_tours} of the requests have tours");
}

#[test]
fn counts_by_symmetry_agree_with_exhaustive_search() {
    let mut rng = Rng::seeded(21);
    for wrap in [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both] {
        for _ in 0..150 {
            let size = 2 + rng.below(3) as u32;
            let keep = 1 + rng.below(9);
            let mut blocked: Vec<u32> = (0..size * size).collect();
            for _ in 0..keep.min(u64::from(size * size)) {
                blocked.remove(rng.below(blocked.len() as u64) as usize);
            }
            let leaper = [Leaper::KNIGHT, Leaper::KNIGHT, Leaper::new(0, 1), Leaper::new(1, 3)][rng.below(4) as usize];
            let board = Board::build(size, size, blocked, leaper, wrap).unwrap();
            for request in [Request::open(board.clone()), Request::closed(board.clone())] {
                let tours = brute::tours(&request);
                assert_eq!(count(&request, Options::EXHAUSTIVE, 2), tours.len() as u128, "{request:?}");
                if !request.is_closed() {
                    let graph = graph(&request);
                    let mut counting = Counting::new(&request, graph, Options::EXHAUSTIVE, 1, true);
                    for (square, found) in counting.advance(&Budget::unlimited()).unwrap().by_start {
                        let expected = tours.iter().filter(|tour| tour[0] == square).count();
                        assert_eq!(found, expected as u128, "{request:?} from {square}");
                    }
                }
            }
        }
    }
}

/// A random board with few enough tours to list.
fn random_board(rng: &mut Rng) -> Board {
    loop {
        let board = brute::random_board(rng, 20);
        let moves: usize = board.open_squares().map(|s| board.moves(s).as_slice().len()).sum();
        if moves <= 70 {
            return board;
        }
    }
}

#[test]
fn large_boards_search_as_small_ones_do() {
    // The same requests on more than 64 vertices: a strip with most squares blocked has few open ones,
    // so lists are exercised by boards that really are larger.
    for (rows, cols, tours) in [(3, 22, 0), (5, 14, 0)] {
        let request = Request::closed(board(rows, cols));
        let mut search = Backtrack::new(&request, graph(&request), Options::BEST);
        let found = search.advance(&Budget::unlimited());
        assert_eq!(found, Step::Found, "{rows}x{cols} {tours}");
        Tour::new(board(rows, cols), search.tour(), Some(true)).unwrap();
    }
}

#[test]
fn searches_stop_and_resume_anywhere() {
    let request = Request::open(board(5, 5)).with_start(0).unwrap();
    let whole = list(&request, Options::EXHAUSTIVE);
    let mut search = Backtrack::new(&request, graph(&request), Options::EXHAUSTIVE);
    let mut tours = Vec::new();
    loop {
        let budget = Budget::new(Limits { nodes: Some(7), ..Limits::default() });
        match search.advance(&budget) {
            Step::Found => tours.push(search.tour()),
            Step::Exhausted => break,
            Step::Paused(pause) => assert_eq!(pause, Pause::Limit(Limit::Nodes)),
        }
    }
    assert_eq!(tours, whole);
    let mut counting = Counting::new(&request, graph(&request), Options::EXHAUSTIVE, 2, false);
    let all = count(&request, Options::EXHAUSTIVE, 1);
    let mut pauses = 0;
    let total = loop {
        let budget = Budget::new(Limits { nodes: Some(100), ..Limits::default() });
        match counting.advance(&budget) {
            Ok(totals) => break totals.value,
            Err(_) => pauses += 1,
        }
    };
    assert_eq!(total, all);
    assert!(pauses > 5);
}

#[test]
fn node_counts_do_not_depend_on_threads() {
    let request = Request::open(board(5, 6));
    let stats = |threads| {
        let mut counting = Counting::new(&request, graph(&request), Options::EXHAUSTIVE, threads, false);
        counting.advance(&Budget::unlimited()).unwrap();
        counting.stats()
    };
    assert_eq!(stats(1), stats(2));
    assert_eq!(stats(1), stats(4));
    assert!(stats(1).nodes < 200_000, "{:?}", stats(1));
}

#[test]
fn the_best_search_never_turns_back_for_long() {
    // Node counts, not seconds: from every square of the chessboard, and for every pair of ends.
    let from = |request: Request| {
        let mut search = Restarts::new(&request, graph(&request), None);
        assert_eq!(search.advance(&Budget::unlimited()), Step::Found, "{request:?}");
        Tour::new(request.board().clone(), search.tour(), Some(request.is_closed())).unwrap();
        search.stats().nodes
    };
    let chessboard = board(8, 8);
    for start in 0..64 {
        assert!(from(Request::open(chessboard.clone()).with_start(start).unwrap()) < 200);
        for end in 0..64 {
            if (start / 8 + start % 8) % 2 == 0 && (end / 8 + end % 8) % 2 == 1 {
                let request = Request::open(chessboard.clone()).with_start(start).unwrap().with_end(end).unwrap();
                assert!(from(request) < 5000);
            }
        }
    }
    assert!(from(Request::closed(chessboard)) < 200);
    for size in [15, 26, 27, 32, 35, 50, 76, 200, 325] {
        let nodes = from(Request::open(board(size, size)).with_start(0).unwrap());
        assert!(nodes < 2 * u64::from(size * size), "{size}: {nodes} nodes");
    }
}

#[test]
fn holes_leapers_and_joined_edges_are_searched() {
    let ring = Board::parse("...\n.#.\n...", Leaper::KNIGHT, Wrap::None).unwrap();
    assert_eq!(list(&Request::closed(ring.clone()), Options::BEST).len(), 1);
    assert_eq!(list(&Request::open(ring), Options::BEST).len(), 16);
    let torus = Board::build(4, 4, [], Leaper::KNIGHT, Wrap::Both).unwrap();
    assert_eq!(list(&Request::closed(torus.clone()), Options::BEST).len(), brute::tours(&Request::closed(torus)).len());
}
