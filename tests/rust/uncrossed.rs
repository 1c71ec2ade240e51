//! Longest uncrossed paths against published values, and against trying every path.

use knightstour::engines::uncrossed::{Longest, Uncrossed};
use knightstour::run::Task;
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Leaper, Limit, Limits, Wrap};

fn longest(board: &Board, closed: bool) -> Longest {
    let budget = Budget::unlimited();
    Uncrossed::new(board, closed).unwrap().advance(&budget).unwrap()
}

/// Whether two lines share a point that is not a common end, by exact fractions: the lines are cut at steps so fine
/// that every crossing of short lines is met.
fn cross(a: [(i64, i64); 2], b: [(i64, i64); 2]) -> bool {
    // p + t (q - p) = r + u (s - r), by Cramer's rule.
    let [p, q] = a;
    let [r, s] = b;
    let (d, e) = ((q.0 - p.0, q.1 - p.1), (s.0 - r.0, s.1 - r.1));
    let det = d.0 * e.1 - d.1 * e.0;
    let (x, y) = (r.0 - p.0, r.1 - p.1);
    if det == 0 {
        if x * d.1 != y * d.0 {
            return false;
        }
        // On one line: along it, the stretches may share no more than an end.
        let at = |point: (i64, i64)| (point.0 - p.0) * d.0 + (point.1 - p.1) * d.1;
        let (low, high) = (at(r).min(at(s)).max(0), at(r).max(at(s)).min(at(q)));
        return low < high || low == high && a.iter().all(|end| !b.contains(end));
    }
    let (t, u) = (x * e.1 - y * e.0, x * d.1 - y * d.0);
    let (t, u, det) = if det < 0 { (-t, -u, -det) } else { (t, u, det) };
    let meets = (0..=det).contains(&t) && (0..=det).contains(&u);
    meets && a.iter().all(|end| !b.contains(end))
}

/// The most moves, by trying every path.
fn brute(board: &Board, closed: bool) -> u32 {
    let point = |square: u32| {
        let at = board.square(square);
        (i64::from(at.row), i64::from(at.col))
    };
    fn go(board: &Board, closed: bool, path: &mut Vec<u32>, point: &impl Fn(u32) -> (i64, i64), best: &mut u32) {
        let at = path[path.len() - 1];
        for &to in board.moves(at).as_slice() {
            let line = [point(at), point(to)];
            let clear = path.windows(2).all(|pair| !cross([point(pair[0]), point(pair[1])], line));
            if closed && to == path[0] && path.len() > 2 && clear {
                *best = (*best).max(path.len() as u32);
            }
            if path.contains(&to) || !clear {
                continue;
            }
            path.push(to);
            if !closed {
                *best = (*best).max(path.len() as u32 - 1);
            }
            go(board, closed, path, point, best);
            path.pop();
        }
    }
    let mut best = 0;
    for start in board.open_squares() {
        go(board, closed, &mut vec![start], &point, &mut best);
    }
    best
}

/// Checks that it is what it says it is.
fn check(board: &Board, closed: bool, found: &Longest) {
    let squares = &found.squares;
    let mut lines: Vec<[u32; 2]> = squares.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    if closed && !squares.is_empty() {
        lines.push([squares[squares.len() - 1], squares[0]]);
    }
    assert!(lines.iter().all(|&[a, b]| board.is_move(a, b)));
    let points = lines.iter().map(|line| {
        line.map(|square| {
            let at = board.square(square);
            (i64::from(at.row), i64::from(at.col))
        })
    });
    let points: Vec<_> = points.collect();
    for i in 0..points.len() {
        for j in 0..i {
            assert!(!cross(points[i], points[j]), "{squares:?}");
        }
    }
    let mut distinct = squares.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), squares.len());
}

const KNOWN: [(u32, u32); 9] = [(0, 0), (0, 0), (2, 0), (5, 4), (10, 8), (17, 12), (24, 24), (35, 32), (47, 42)];

fn squares_up_to(most: usize) {
    // OEIS A003192 and A157416.
    for (n, (open, closed)) in (1..).zip(KNOWN).take(most) {
        let board = Board::new(n, n).unwrap();
        for (closed, value) in [(false, open), (true, closed)] {
            let found = longest(&board, closed);
            check(&board, closed, &found);
            assert_eq!(Longest::moves(&found.squares, closed), value, "{n} {closed}");
            assert_eq!((found.upper_bound, found.stopped), (value, None));
        }
    }
}

#[test]
fn squares_have_the_published_values() {
    squares_up_to(7);
}

#[test]
#[ignore = "takes a minute on a busy machine"]
fn uncrossed_on_larger_squares() {
    squares_up_to(8);
}

#[test]
fn boards_of_all_kinds_against_trying_every_path() {
    let mut rng = Rng::seeded(3);
    let leapers = [(1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (0, 2), (1, 3), (2, 3), (2, 2)];
    for case in 0..300 {
        let (rows, cols) = (1 + rng.below(5) as u32, 1 + rng.below(5) as u32);
        let (a, b) = leapers[case % leapers.len()];
        let few = if a + b < 3 { 9 } else { 20 };
        let blocked: Vec<u32> = (0..rows * cols).filter(|_| rng.below(8) == 0).collect();
        let Ok(board) = Board::build(rows, cols, blocked, Leaper { a, b }, Wrap::None) else { continue };
        if board.len() > few {
            continue;
        }
        for closed in [false, true] {
            let found = longest(&board, closed);
            check(&board, closed, &found);
            let most = brute(&board, closed);
            assert_eq!(Longest::moves(&found.squares, closed), most, "{board:?} {closed}");
            assert_eq!((found.upper_bound, found.stopped), (most, None), "{board:?}");
        }
    }
}

#[test]
fn limits_leave_a_path_and_a_bound() {
    let board = Board::new(6, 6).unwrap();
    for nodes in [0, 1000, 100_000, 300_000, 500_000] {
        let budget = Budget::new(Limits { nodes: Some(nodes), ..Limits::default() });
        let found = Uncrossed::new(&board, false).unwrap().advance(&budget).unwrap();
        check(&board, false, &found);
        let moves = Longest::moves(&found.squares, false);
        assert!(moves <= 17 && found.upper_bound >= 17, "{found:?}");
        assert_eq!(found.stopped.is_none(), moves == found.upper_bound);
        assert!(found.nodes <= nodes);
    }
    let budget = Budget::new(Limits { memory: Some(100_000), ..Limits::default() });
    let found = Uncrossed::new(&board, false).unwrap().advance(&budget).unwrap();
    assert_eq!(found.stopped, Some(Limit::Memory));
}

/// The most moves of paths, or circuits, that go on by chance until they cannot, from square after square; a given number of
/// moves is tried in all.
fn greedy(board: &Board, closed: bool, steps: u64) -> u32 {
    let point = |square: u32| {
        let at = board.square(square);
        (i64::from(at.row), i64::from(at.col))
    };
    let squares: Vec<u32> = board.open_squares().collect();
    let mut rng = Rng::seeded(1);
    let (mut best, mut tried) = (0, 0);
    while tried < steps {
        let mut path = vec![squares[rng.below(squares.len() as u64) as usize]];
        loop {
            let at = path[path.len() - 1];
            let clear = |&to: &u32| {
                let line = [point(at), point(to)];
                path.windows(2).all(|pair| !cross([point(pair[0]), point(pair[1])], line))
            };
            let targets = board.moves(at);
            tried += targets.as_slice().len() as u64;
            let onward: Vec<u32> = targets.as_slice().iter().copied().filter(clear).collect();
            if closed && path.len() > 2 && onward.contains(&path[0]) {
                best = best.max(path.len() as u32);
            }
            let onward: Vec<u32> = onward.into_iter().filter(|to| !path.contains(to)).collect();
            if onward.is_empty() {
                break;
            }
            path.push(onward[rng.below(onward.len() as u64) as usize]);
        }
        if !closed {
            best = best.max(path.len() as u32 - 1);
        }
    }
    best
}

#[test]
fn a_limit_leaves_more_than_a_greedy_walk_finds() {
    let boards = [
        Board::new(8, 8).unwrap(),
        Board::new(10, 10).unwrap(),
        Board::new(9, 14).unwrap(),
        Board::new(4, 200).unwrap(),
        Board::build(10, 10, vec![11, 12, 37, 44, 45, 71, 98], Leaper { a: 1, b: 2 }, Wrap::None).unwrap(),
        Board::build(9, 9, vec![], Leaper { a: 2, b: 3 }, Wrap::None).unwrap(),
        Board::build(9, 9, vec![40], Leaper { a: 0, b: 1 }, Wrap::None).unwrap(),
        Board::build(8, 8, vec![], Leaper { a: 1, b: 1 }, Wrap::None).unwrap(),
    ];
    for board in &boards {
        for closed in [false, true] {
            for steps in [30_000, 300_000] {
                let limits = [
                    Limits { nodes: Some(steps), ..Limits::default() },
                    Limits { nodes: Some(steps), memory: Some(1000), ..Limits::default() },
                ];
                let least = greedy(board, closed, steps);
                for limits in limits {
                    let run = || {
                        let budget = Budget::new(limits);
                        Uncrossed::new(board, closed).unwrap().advance(&budget).unwrap()
                    };
                    let found = run();
                    check(board, closed, &found);
                    let moves = Longest::moves(&found.squares, closed);
                    assert!(moves >= least && moves <= found.upper_bound, "{board:?} {closed} {steps} {moves} {least}");
                    assert_eq!(found, run());
                }
            }
        }
    }
}

#[test]
fn known_values_are_found_before_they_are_proven() {
    for (n, closed, moves, nodes) in [(7, false, 24, 4_000_000), (8, true, 32, 8_000_000), (8, false, 35, 16_000_000)] {
        let board = Board::new(n, n).unwrap();
        let budget = Budget::new(Limits { nodes: Some(nodes), memory: Some(1000), ..Limits::default() });
        let found = Uncrossed::new(&board, closed).unwrap().advance(&budget).unwrap();
        check(&board, closed, &found);
        assert_eq!((Longest::moves(&found.squares, closed), found.stopped), (moves, Some(Limit::Memory)));
    }
}

#[test]
fn no_time_and_no_memory_leave_a_path() {
    let board = Board::new(10, 10).unwrap();
    for limits in [
        Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() },
        Limits { memory: Some(0), ..Limits::default() },
    ] {
        let budget = Budget::new(limits);
        let found = Uncrossed::new(&board, false).unwrap().advance(&budget).unwrap();
        check(&board, false, &found);
        assert!(found.squares.len() > 4 && found.stopped.is_some(), "{found:?}");
    }
}
