//! Paths of some of the squares: one by one, by the sweep, and the longest, each against the others and a plain search.

use std::collections::BTreeMap;
use std::sync::Arc;

use knightstour::answers::{EndSquares, FindPath, Longest, PathOutcome};
use knightstour::engines::paths::{Bounding, PathCount, PathList, PathRequest, PathStep, PathSweep};
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Limits, Request};

use crate::brute;

/// The judge: how many paths (or cycles, twice for their directions and once for each square to begin with) there are of
/// each number of squares, by trying every move.
fn numbers(board: &Board, closed: bool, start: Option<u32>, end: Option<u32>) -> BTreeMap<usize, u128> {
    fn go_on(board: &Board, path: &mut Vec<u32>, closed: bool, end: Option<u32>, found: &mut BTreeMap<usize, u128>) {
        let last = path[path.len() - 1];
        let moves: Vec<u32> = board.moves(last).as_slice().to_vec();
        let counts =
            if closed { path.len() >= 3 && moves.contains(&path[0]) } else { end.is_none_or(|end| end == last) };
        if counts {
            *found.entry(path.len()).or_default() += 1;
        }
        for to in moves {
            if !path.contains(&to) {
                path.push(to);
                go_on(board, path, closed, end, found);
                path.pop();
            }
        }
    }
    let mut found = BTreeMap::new();
    for first in board.open_squares().filter(|&square| start.is_none_or(|start| start == square)) {
        go_on(board, &mut vec![first], closed, end, &mut found);
    }
    found
}

fn request(rng: &mut Rng, board: &Board) -> Request {
    let squares: Vec<u32> = board.open_squares().collect();
    let any = |rng: &mut Rng| squares[rng.below(squares.len() as u64) as usize];
    let mut request = if rng.below(3) == 0 { Request::closed(board.clone()) } else { Request::open(board.clone()) };
    if rng.below(3) == 0 {
        request = request.with_start(any(rng)).unwrap();
    }
    if rng.below(3) == 0 {
        request = request.clone().with_end(any(rng)).unwrap_or(request);
    }
    request
}

#[test]
fn counts_lists_sweeps_and_the_longest_agree_with_a_plain_search() {
    let budget = Budget::unlimited();
    let mut rng = Rng::seeded(5);
    let (mut swept, mut none) = (0, 0);
    for _ in 0..1500 {
        let board = brute::random_board(&mut rng, 11);
        let tours = request(&mut rng, &board);
        let (closed, start, end) = (tours.is_closed(), tours.start(), tours.end());
        let numbers = numbers(&board, closed, start, end);
        let most = numbers.keys().next_back().copied().unwrap_or(0);
        for squares in 1..=board.len() + 1 {
            let paths = PathRequest::new(tours.clone(), squares).unwrap();
            let all = numbers.get(&squares).copied().unwrap_or(0);
            let expected = match (closed, start) {
                (false, _) => all,
                (true, None) => all / 2 / squares as u128,
                (true, Some(_)) => all / 2,
            };
            assert_eq!(
                PathCount::new(paths.clone(), &Budget::unlimited()).unwrap().advance(&budget),
                Ok(expected),
                "{paths:?}"
            );
            let mut list = PathList::new(paths.clone());
            let mut listed = 0;
            let mut last = Vec::new();
            while list.advance(&budget) == PathStep::Found {
                listed += 1;
                assert!(last < list.path(), "{paths:?}");
                last = list.path();
            }
            assert_eq!(listed, expected, "{paths:?}");
            if squares > 1
                && let Some(mut sweep) = PathSweep::count(&paths)
            {
                let both_ways = !closed && start.is_none() && end.is_none();
                let undirected = if both_ways { expected / 2 } else { expected };
                assert_eq!(sweep.advance(&budget), Ok(undirected), "{paths:?}");
                swept += 1;
            }
            let mut find = FindPath::new(paths.clone(), Some(1));
            match find.advance(&budget).unwrap() {
                PathOutcome::Found(path) => assert!(expected > 0 && path.len() == squares, "{paths:?}"),
                PathOutcome::Impossible(_) => assert_eq!(expected, 0, "{paths:?}"),
            }
        }
        let longest = Longest::new(tours.clone()).unwrap().advance(&budget).unwrap();
        assert_eq!((longest.squares.len(), longest.upper_bound), (most, most), "{tours:?}");
        assert!(longest.is_optimal());
        if closed && most > 0 {
            assert!(start.is_none_or(|start| longest.squares[0] == start), "{tours:?}");
            assert!((0..most).all(|i| board.is_move(longest.squares[i], longest.squares[(i + 1) % most])), "{tours:?}");
        }
        none += u32::from(most == 0);
        let paths = PathRequest::new(tours.clone(), 1).unwrap();
        let graph = paths.graph();
        let ends = if closed { [None, None] } else { [start, end].map(|s| s.map(|s| graph.vertex(s))) };
        let bound = Bounding::new(Arc::clone(&graph), closed, ends).advance(&budget).unwrap();
        assert!(bound.squares >= most, "{tours:?}");
    }
    assert!(swept > 4000 && none > 100, "{swept} {none}");
}

#[test]
fn pauses_change_nothing() {
    let board = Board::new(4, 5).unwrap();
    let tours = Request::open(board.clone()).with_start(1).unwrap();
    let bit = || Budget::new(Limits { nodes: Some(3), ..Limits::default() });
    let paths = PathRequest::new(tours.clone(), 12).unwrap();
    let whole = PathCount::new(paths.clone(), &Budget::unlimited()).unwrap().advance(&Budget::unlimited()).unwrap();
    let (mut count, mut sweep) =
        (PathCount::new(paths.clone(), &Budget::unlimited()).unwrap(), PathSweep::count(&paths).unwrap());
    let counted = std::iter::repeat_with(|| count.advance(&bit())).find_map(Result::ok).unwrap();
    assert_eq!(counted, whole);
    let swept = std::iter::repeat_with(|| sweep.advance(&bit())).find_map(Result::ok).unwrap();
    assert_eq!(swept, whole);
    let mut longest = PathSweep::longest(&PathRequest::new(Request::closed(board.clone()), 1).unwrap()).unwrap();
    let length = std::iter::repeat_with(|| longest.advance(&bit())).find_map(Result::ok).unwrap();
    let path = longest.path();
    assert_eq!(path.len() as u128, length);
    assert!((0..path.len()).all(|i| board.is_move(path[i], path[(i + 1) % path.len()])));
}

#[test]
fn ends_of_tours_are_those_of_a_plain_search() {
    let mut rng = Rng::seeded(8);
    let mut with_tours = 0;
    for _ in 0..1500 {
        let board = brute::random_board(&mut rng, 12);
        let mut starts = Vec::new();
        let mut pairs = Vec::new();
        for tour in brute::tours(&Request::open(board.clone())) {
            starts.push(tour[0]);
            pairs.push((tour[0], tour[tour.len() - 1]));
        }
        starts.sort_unstable();
        starts.dedup();
        let found = EndSquares::new(Request::open(board.clone())).unwrap().advance(&Budget::unlimited());
        assert_eq!(found, Ok(starts.clone()), "{board:?}");
        with_tours += u32::from(!starts.is_empty());
        let squares: Vec<u32> = board.open_squares().collect();
        let start = squares[rng.below(squares.len() as u64) as usize];
        let mut ends: Vec<u32> = pairs.iter().filter(|pair| pair.0 == start).map(|pair| pair.1).collect();
        ends.sort_unstable();
        ends.dedup();
        let request = Request::open(board.clone()).with_start(start).unwrap();
        assert_eq!(EndSquares::new(request).unwrap().advance(&Budget::unlimited()), Ok(ends), "{board:?} {start}");
    }
    assert!(with_tours > 200, "{with_tours}");
}

#[test]
fn bounds_are_gone_on_with() {
    // A slice that is over at once, until enough of them have passed: each goes on by a few turns.
    let blocked = (0..900).filter(|square| square % 11 == 3);
    let board = Board::build(30, 30, blocked, knightstour::Leaper::KNIGHT, knightstour::Wrap::None).unwrap();
    let graph = Arc::new(knightstour::Graph::new(&Request::open(board)));
    let whole = Bounding::new(Arc::clone(&graph), false, [None, None]).advance(&Budget::unlimited()).unwrap();
    let mut bounding = Bounding::new(graph, false, [None, None]);
    let mut slices = 0;
    let sliced = loop {
        let mut budget = Budget::unlimited();
        budget.begin_slice(std::time::Duration::from_micros(slices));
        slices += 1;
        if let Ok(bound) = bounding.advance(&budget) {
            break bound;
        }
    };
    assert_eq!(sliced, whole);
}
