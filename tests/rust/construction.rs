//! Constructed tours: every answer against a search written anew, the theorems, or the checker.

use std::collections::HashSet;
use std::time::Duration;

use knightstour::board::moves::{Leaper, Wrap};
use knightstour::engines::construction::{Construction, Outcome};
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Limit, Limits, Pause, Request, Tour};

fn open(rows: u32, cols: u32, start: Option<u32>, end: Option<u32>) -> Request {
    let mut request = Request::open(Board::new(rows, cols).unwrap());
    if let Some(start) = start {
        request = request.with_start(start).unwrap();
    }
    if let Some(end) = end {
        request = request.with_end(end).unwrap();
    }
    request
}

/// The tour, checked; or that there is none.
fn solve(request: &Request, seed: Option<u64>) -> Option<Vec<u32>> {
    let outcome = Construction::new(request, seed).unwrap().advance(&Budget::unlimited()).unwrap();
    let Outcome::Squares(squares) = outcome else { return None };
    let tour = Tour::new(request.board().clone(), squares.clone(), Some(request.is_closed())).unwrap();
    if request.is_closed() {
        // Listed from the start, towards the smaller of the two neighbours.
        assert_eq!(tour.start(), request.start().unwrap_or(0));
        assert!(squares[1] < squares[squares.len() - 1]);
    } else {
        assert!(request.start().is_none_or(|start| tour.start() == start));
        assert!(request.end().is_none_or(|end| tour.end() == end));
    }
    Some(squares)
}

/// Whether the colours of two ends are right.
fn is_legal(rows: u32, cols: u32, start: u32, end: u32) -> bool {
    let is_odd = |square: u32| (square / cols + square % cols) % 2 == 1;
    if (rows * cols).is_multiple_of(2) { is_odd(start) != is_odd(end) } else { !is_odd(start) && !is_odd(end) }
}

/// Whether a tour of at most 64 squares goes on from `here` to `end`: plain depth first search that
/// remembers where it failed, and gives up where two squares would have to be the end.
fn goes_on(board: &Board, left: u64, here: u32, end: u32, failed: &mut HashSet<(u64, u32)>) -> bool {
    let moves = |square: u32| board.table().unwrap()[square as usize].0;
    if left == 0 {
        return here == end;
    }
    if left >> end & 1 == 0 || failed.contains(&(left, here)) {
        return false;
    }
    let mut rest = left & !(1 << end);
    let mut hopeless = false;
    while rest != 0 {
        let square = rest.trailing_zeros();
        rest &= rest - 1;
        hopeless |= (moves(square) & (left | 1 << here)).count_ones() < 2;
    }
    if !hopeless {
        let mut onward = moves(here) & left;
        while onward != 0 {
            let next = onward.trailing_zeros();
            onward &= onward - 1;
            if goes_on(board, left & !(1 << next), next, end, failed) {
                return true;
            }
        }
    }
    failed.insert((left, here));
    false
}

fn has_tour(rows: u32, cols: u32, start: u32, end: u32) -> bool {
    let board = Board::new(rows, cols).unwrap();
    let all = u64::MAX >> (64 - rows * cols);
    goes_on(&board, all & !(1 << start), start, end, &mut HashSet::new())
}

/// Squares of one quadrant: the others are their images.
fn quadrant(rows: u32, cols: u32) -> impl Iterator<Item = u32> {
    (0..rows * cols).filter(move |s| s / cols <= (rows - 1) / 2 && s % cols <= (cols - 1) / 2)
}

#[test]
fn every_pair_of_ends_on_small_boards_gets_the_right_answer() {
    let narrow = [(3, 10), (3, 11), (3, 12), (3, 13), (3, 14), (3, 15)];
    for (rows, cols) in (3..=9).flat_map(|rows| (3..=9).map(move |cols| (rows, cols))).chain(narrow) {
        for start in quadrant(rows, cols) {
            for end in (0..rows * cols).filter(|&end| end != start) {
                let found = solve(&open(rows, cols, Some(start), Some(end)), None).is_some();
                if rows.min(cols) >= 6 || !is_legal(rows, cols, start, end) {
                    assert_eq!(found, is_legal(rows, cols, start, end), "{rows}x{cols} {start} {end}");
                } else if rows <= cols {
                    // A tour was checked; that there is none is for the other search to say.
                    assert!(found || !has_tour(rows, cols, start, end), "{rows}x{cols} {start} {end}");
                } else {
                    let turn = |square: u32| square % cols * rows + square / cols;
                    let turned = solve(&open(cols, rows, Some(turn(start)), Some(turn(end))), None).is_some();
                    assert_eq!(found, turned, "{rows}x{cols} {start} {end}");
                }
            }
        }
    }
}

#[test]
fn colours_alone_rule_out_ends() {
    for (rows, cols) in [(3, 4), (3, 7), (4, 5), (5, 5), (4, 6), (5, 6)] {
        for start in quadrant(rows, cols) {
            for end in (0..rows * cols).filter(|&end| end != start && !is_legal(rows, cols, start, end)) {
                assert!(!has_tour(rows, cols, start, end));
            }
        }
    }
}

/// From how many squares an open tour starts (starts.csv), and on boards with a side of 5, how many pairs
/// of legal ends have none (exhaustively computed figures).
#[test]
fn starts_and_exceptions_are_as_known() {
    let table = include_str!("../data/starts.csv");
    let lines: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(lines.len(), 17);
    for line in lines {
        let mut numbers = line.split(',').map_while(|word| word.parse::<u32>().ok());
        let (rows, cols, count) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap() as usize);
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let starts = |request: &dyn Fn(u32) -> Request| {
                (0..rows * cols).filter(|&square| solve(&request(square), None).is_some()).count()
            };
            assert_eq!(starts(&|square| open(rows, cols, Some(square), None)), count, "{rows}x{cols}");
            assert_eq!(starts(&|square| open(rows, cols, None, Some(square))), count, "{rows}x{cols}");
            assert_eq!(solve(&open(rows, cols, None, None), None).is_some(), count > 0);
        }
    }
    for (cols, legal, without) in [(5, 60, 32), (6, 135, 36), (7, 102, 0), (8, 240, 28), (9, 176, 0)] {
        let mut counts = (0, 0);
        for start in quadrant(5, cols) {
            for end in (0..5 * cols).filter(|&end| end != start && is_legal(5, cols, start, end)) {
                counts.0 += 1;
                counts.1 += u32::from(solve(&open(5, cols, Some(start), Some(end)), None).is_none());
            }
        }
        assert_eq!(counts, (legal, without), "5x{cols}");
    }
}

#[test]
fn boards_have_closed_and_open_tours_as_the_theorems_say() {
    for (rows, cols) in (1..=26).flat_map(|rows| (1..=26).map(move |cols| (rows, cols))) {
        let (m, n) = (rows.min(cols), rows.max(cols));
        // Schwenk 1991.
        let closed = !(m * n % 2 == 1 || m == 1 || m == 2 || m == 4 || m == 3 && (n == 4 || n == 6 || n == 8));
        // Cull and De Curtins 1978, and 3 x n before it.
        let is_open = (m, n) == (1, 1) || (m, n) == (3, 4) || m == 3 && n >= 7 || m == 4 && n >= 5 || m >= 5;
        let board = Board::new(rows, cols).unwrap();
        assert_eq!(solve(&Request::closed(board.clone()), None).is_some(), closed, "{rows}x{cols}");
        assert_eq!(solve(&Request::open(board.clone()), None).is_some(), is_open, "{rows}x{cols}");
        if closed {
            let start = (rows * 31 + cols * 17) % (rows * cols);
            assert!(solve(&Request::closed(board).with_start(start).unwrap(), None).is_some());
        }
    }
}

/// Two different random squares.
fn pair(rng: &mut Rng, rows: u32, cols: u32) -> (u32, u32) {
    let count = u64::from(rows * cols);
    let start = rng.below(count);
    (start as u32, ((start + 1 + rng.below(count - 1)) % count) as u32)
}

#[test]
fn wide_boards_have_tours_between_all_legal_ends() {
    let mut rng = Rng::seeded(11);
    let mut check = |rows: u32, cols: u32, count: u32| {
        for _ in 0..count {
            let (start, end) = pair(&mut rng, rows, cols);
            let found = solve(&open(rows, cols, Some(start), Some(end)), None);
            assert_eq!(found.is_some(), is_legal(rows, cols, start, end), "{rows}x{cols} {start} {end}");
            if (rows * cols).is_multiple_of(2) {
                let request = Request::closed(Board::new(rows, cols).unwrap()).with_start(start).unwrap();
                assert!(solve(&request, None).is_some());
            }
        }
    };
    for (rows, cols) in (6..=24).flat_map(|rows| (6..=24).map(move |cols| (rows, cols))) {
        check(rows, cols, 25);
    }
    // Where the number of blocks changes, one long side.
    for long in (25..=64).chain([95, 96, 97, 98, 99, 100, 101, 102, 103]) {
        for short in [6, 7, 11, 12, 13] {
            check(short, long, 2);
            check(long, short, 2);
        }
    }
    let mut sizes = Rng::seeded(12);
    for _ in 0..2000 {
        check(6 + sizes.below(395) as u32, 6 + sizes.below(395) as u32, 1);
    }
}

/// The ends that neighbours of the corners rule out on long strips that lie; `fold` maps each end of
/// the strip onto the left one.
fn is_barred(rows: u32, cols: u32, start: u32, end: u32) -> bool {
    let place = |square: u32, flip: bool| {
        let col = square % cols;
        (square / cols, if flip { cols - 1 - col } else { col })
    };
    [false, true].into_iter().any(|flip| {
        let (a, b) = (place(start, flip), place(end, flip));
        let corners = [(0, 0), (rows - 1, 0)];
        let special = |square| match rows {
            3 if cols.is_multiple_of(2) => square == (1, 2),
            5 => square == (2, 1),
            _ => false,
        };
        let trio = [(0, 2), (2, 2), (1, 3)];
        special(a) && !corners.contains(&b)
            || special(b) && !corners.contains(&a)
            || rows == 3 && cols % 2 == 1 && trio.contains(&a) && trio.contains(&b)
            || rows == 4 && (a.0 % 3 != 0 || b.0 % 3 != 0)
    })
}

#[test]
fn long_strips_get_the_right_answer() {
    let mut rng = Rng::seeded(13);
    let mut answers = [0, 0];
    for rows in 3..=5 {
        for cols in (14..=70).chain([200, 201, 202, 203, 204, 205, 206, 207]) {
            for i in 0..60 {
                let (mut start, end) = pair(&mut rng, rows, cols);
                if i % 2 == 0 {
                    // Half of the pairs are close together.
                    start = end / cols * cols + (end % cols + 1 + rng.below(5) as u32) % cols;
                }
                let right = is_legal(rows, cols, start, end) && !is_barred(rows, cols, start, end);
                let found = solve(&open(rows, cols, Some(start), Some(end)), None).is_some();
                assert_eq!(found, right, "{rows}x{cols} {start} {end}");
                answers[usize::from(found)] += 1;
                if i % 10 == 0 {
                    let turn = |square: u32| square % cols * rows + square / cols;
                    let found = solve(&open(cols, rows, Some(turn(start)), Some(turn(end))), None).is_some();
                    assert_eq!(found, right, "{cols}x{rows} turned");
                }
            }
            for start in [0, cols + 2, 2 * cols + 1, rows * cols / 2 - rows * cols / 2 % 2] {
                let has_end = (0..rows * cols)
                    .any(|end| end != start && is_legal(rows, cols, start, end) && !is_barred(rows, cols, start, end));
                assert_eq!(solve(&open(rows, cols, Some(start), None), None).is_some(), has_end);
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 2000), "{answers:?}");
}

#[test]
fn very_long_and_very_large_boards_cost_no_more_search() {
    let spent = |rows: u32, cols: u32, start: u32, end: u32| {
        let request = open(rows, cols, Some(start), Some(end));
        let budget = Budget::unlimited();
        let outcome = Construction::new(&request, None).unwrap().advance(&budget).unwrap();
        let Outcome::Squares(squares) = outcome else { panic!("no tour of {rows}x{cols}") };
        Tour::new(request.board().clone(), squares, None).unwrap();
        budget.spent()
    };
    // A path of a block has six squares or more on average: nodes are less than squares / 4.
    assert!(spent(5, 100_000, 100_007, 444_445) < 150_000);
    assert!(spent(4, 100_001, 77_777, 300_004) < 150_000);
    assert!(spent(100_000, 3, 0, 299_999) < 150_000);
    // Blocks have 36 squares or more, and up to four paths.
    assert!(spent(1000, 1001, 5, 1_000_998) < 50_000);
    assert!(spent(6, 50_000, 123_456, 100_001) < 20_000);
}

#[test]
fn without_a_seed_always_the_same_with_one_another() {
    for request in [
        open(8, 8, None, None),
        open(5, 31, Some(4), None),
        open(3, 60, Some(0), Some(3)),
        open(20, 21, Some(0), Some(1)),
        Request::closed(Board::new(5, 30).unwrap()),
        Request::closed(Board::new(12, 13).unwrap()),
    ] {
        let plain = solve(&request, None).unwrap();
        let seeded: Vec<Vec<u32>> = (0..6).map(|seed| solve(&request, Some(seed)).unwrap()).collect();
        // What another construction left behind makes no difference.
        assert_eq!(plain, solve(&request, None).unwrap());
        assert_eq!(seeded[3], solve(&request, Some(3)).unwrap());
        assert!(seeded.iter().collect::<HashSet<_>>().len() >= 4, "{request:?}");
    }
    // Seeds do not cost certainty.
    let mut rng = Rng::seeded(14);
    for seed in 0..300 {
        let (rows, cols) = (3 + rng.below(30) as u32, 14 + rng.below(30) as u32);
        let (start, end) = pair(&mut rng, rows, cols);
        let right = is_legal(rows, cols, start, end) && (rows > 5 || !is_barred(rows, cols, start, end));
        let found = solve(&open(rows, cols, Some(start), Some(end)), Some(seed)).is_some();
        assert_eq!(found, right, "{rows}x{cols} {start} {end}");
    }
}

#[test]
fn a_paused_construction_goes_on() {
    for request in [
        open(30, 41, Some(0), Some(1229)),
        open(4, 60, Some(20), Some(31)),
        open(5, 6, Some(12), Some(17)),
        Request::closed(Board::new(26, 33).unwrap()),
    ] {
        let whole = Construction::new(&request, Some(5)).unwrap().advance(&Budget::unlimited()).unwrap();
        let mut paused = Construction::new(&request, Some(5)).unwrap();
        let mut calls = 0;
        let outcome = loop {
            calls += 1;
            let mut budget = Budget::new(Limits { nodes: Some(1 + calls % 7), ..Limits::default() });
            if calls % 3 == 0 {
                budget.begin_slice(Duration::ZERO);
            }
            match paused.advance(&budget) {
                Ok(outcome) => break outcome,
                Err(Pause::Slice | Pause::Limit(Limit::Nodes)) => assert!(budget.spent() <= 1 + calls % 7),
                Err(pause) => panic!("{pause:?}"),
            }
        };
        assert!(calls > 5);
        assert_eq!(whole, outcome);
    }
}

#[test]
fn misuse_and_want_of_memory_are_told_at_once() {
    let plain = Request::open(Board::new(8, 8).unwrap());
    for (request, quoted) in [
        (Request::open(Board::build(8, 8, [3], Leaper::KNIGHT, Wrap::None).unwrap()), "8x8 board with 1 blocked"),
        (Request::open(Board::build(8, 8, [], Leaper::new(2, 3), Wrap::None).unwrap()), "(2, 3)-leaper"),
        (Request::closed(Board::build(8, 8, [], Leaper::KNIGHT, Wrap::Both).unwrap()), "edges joined"),
        (plain.clone().with_excluded(0, 10).unwrap(), "no moves or steps given"),
        (plain.clone().with_included(0, 10).unwrap(), "no moves or steps given"),
        (plain.with_step(5, 7).unwrap(), "no moves or steps given"),
    ] {
        assert!(!Construction::applies_to(&request));
        let message = Construction::new(&request, None).unwrap_err().to_string();
        assert!(message.contains(quoted), "{message}");
    }
    let huge = Request::closed(Board::new(40_000, 50_000).unwrap());
    let small = Budget::new(Limits { memory: Some(8_000_000_000), ..Limits::default() });
    let outcome = Construction::new(&huge, None).unwrap().advance(&small);
    assert_eq!(outcome, Err(Pause::Limit(Limit::Memory)));
    assert!(Construction::bytes(&Board::new(10_000, 10_000).unwrap()) < 600_000_000);
}
