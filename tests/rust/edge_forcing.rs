//! The edge-forcing search against published counts and against an exhaustive search that grows tours
//! square by square and shares nothing with it.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use knightstour::engines::edge_forcing::{EdgeForcing, Position, Step};
use knightstour::run::rng::Rng;
use knightstour::{Board, Budget, Graph, Leaper, Limit, Limits, Pause, Request, Tour, Wrap};

use crate::brute;

fn search(request: &Request) -> EdgeForcing {
    EdgeForcing::new(Arc::new(Graph::new(request)), &Budget::unlimited()).unwrap()
}

fn count(request: &Request) -> u64 {
    search(request).count(&Budget::unlimited()).unwrap()
}

/// The tours in the order in which they are listed; closed ones as the judge numbers them.
fn list(request: &Request) -> Vec<Vec<u32>> {
    let mut tours = Vec::new();
    let step = search(request).visit(&Budget::unlimited(), |path| {
        tours.push(if request.is_closed() {
            brute::numbered(path, request.start(), request.steps()).unwrap()
        } else {
            path.to_vec()
        });
        ControlFlow::Continue(())
    });
    assert_eq!(step, Step::Exhausted);
    tours
}

/// A row of `counts.csv`.
struct Row {
    rows: u32,
    cols: Option<u32>,
    kind: &'static str,
    value: u128,
}

/// The rows whose values are known to be right and are at most `most`.
fn published(most: u128) -> Vec<Row> {
    let rows = include_str!("../data/counts.csv").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let (rows, cols, kind, value) = (fields[0], fields[1], fields[2], fields[3]);
        (rows, cols, kind, value, fields[fields.len() - 1])
    });
    rows.filter(|row| row.4 != "unconfirmed")
        .filter_map(|(rows, cols, kind, value, _)| {
            let value = value.parse().ok().filter(|&value| value <= most)?;
            Some(Row { rows: rows.parse().ok()?, cols: cols.parse().ok(), kind, value })
        })
        .collect()
}

#[test]
fn whole_boards_have_the_published_counts() {
    let mut checked = 0;
    for Row { rows, cols, kind, value } in published(3_400_000) {
        let Some(cols) = cols.filter(|cols| rows * cols <= 52) else { continue };
        // Published for both ways to lay the board, often; the other way is as true.
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let board = Board::new(rows, cols).unwrap();
            let found = match kind {
                "closed_undirected" => count(&Request::closed(board)),
                "open_directed" => count(&Request::open(board)),
                // The reverse of a tour of one square is itself.
                "open_undirected" if rows * cols == 1 => count(&Request::open(board)),
                "open_undirected" => count(&Request::open(board)) / 2,
                _ => continue,
            };
            assert_eq!(u128::from(found), value, "{rows}x{cols} {kind}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn the_6x6_board_has_all_its_tours() {
    let board = Board::new(6, 6).unwrap();
    assert_eq!(count(&Request::open(board.clone())), 6_637_920);
    let closed = list(&Request::closed(board.clone()));
    assert_eq!(closed.len(), 9862);
    assert_eq!(closed.iter().collect::<HashSet<_>>().len(), 9862);
    for path in closed {
        assert!(path[0] == 0 && path[1] < path[35]);
        Tour::new(board.clone(), path, Some(true)).unwrap();
    }
}

#[test]
fn each_start_has_its_published_share() {
    let mut checked = 0;
    for Row { rows, cols, kind, value } in published(1_000_000) {
        let square: Option<(u32, u32)> = match kind.split_once('@') {
            Some(("start_square_directed", at)) => {
                at.split_once('_').map(|(r, c)| (r.parse().unwrap(), c.parse().unwrap()))
            }
            _ if kind == "from_corner_open" => Some((0, 0)),
            _ => None,
        };
        let (Some((row, col)), Some(cols)) = (square, cols) else { continue };
        if rows * cols > 36 {
            continue;
        }
        let board = Board::new(rows, cols).unwrap();
        let square = row * cols + col;
        assert_eq!(u128::from(count(&Request::open(board.clone()).with_start(square).unwrap())), value, "{kind}");
        assert_eq!(u128::from(count(&Request::open(board).with_end(square).unwrap())), value, "{kind}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn boards_with_blocked_squares_have_the_published_counts() {
    let mut checked = 0;
    for Row { rows, kind, value, .. } in published(3_000_000) {
        let Some((kind, cells)) = kind.split_once(':') else { continue };
        let closed = match kind {
            "closed_first_cells_columnwise" => true,
            "open_first_cells_columnwise" => false,
            _ => continue,
        };
        let cells: u32 = cells.parse().unwrap();
        let cols = cells.div_ceil(rows);
        let blocked = (cells..rows * cols).map(|at| at % rows * cols + at / rows);
        let board = Board::build(rows, cols, blocked, Leaper::KNIGHT, Wrap::None).unwrap();
        assert_eq!(board.len(), cells as usize);
        let found = if closed {
            count(&Request::closed(board))
        } else if cells == 1 {
            count(&Request::open(board))
        } else {
            count(&Request::open(board)) / 2
        };
        assert_eq!(u128::from(found), value, "{rows} rows, {cells} cells, {kind}");
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn small_tori_have_the_computed_counts() {
    let mut checked = 0;
    for Row { rows, cols, kind, value } in published(6_000_000) {
        if let ("torus_closed_undirected", Some(cols)) = (kind, cols) {
            let board = Board::build(rows, cols, [], Leaper::KNIGHT, Wrap::Both).unwrap();
            assert_eq!(u128::from(count(&Request::closed(board))), value, "{rows}x{cols}");
            checked += 1;
        }
    }
    assert!(checked >= 2, "{checked}");
}

/// What a request asks, spelt out without the library.
#[derive(Clone, Debug, Default)]
struct Asked {
    closed: bool,
    start: Option<u32>,
    end: Option<u32>,
    including: Vec<(u32, u32)>,
    excluding: Vec<(u32, u32)>,
    steps: Vec<(u32, u32)>,
}

/// Every tour there is, by trying every move from every start.
fn brute_force(board: &Board, asked: &Asked) -> Vec<Vec<u32>> {
    let squares: Vec<u32> = board.open_squares().collect();
    let mut tours = Vec::new();
    let mut path = Vec::new();
    let starts = match (asked.closed, asked.start) {
        (true, start) => vec![start.unwrap_or(squares[0])],
        (false, Some(start)) => vec![start],
        (false, None) => squares,
    };
    for start in starts {
        path.push(start);
        extend(board, asked, &mut path, &mut tours);
        path.pop();
    }
    tours
}

fn extend(board: &Board, asked: &Asked, path: &mut Vec<u32>, tours: &mut Vec<Vec<u32>>) {
    let last = path[path.len() - 1];
    if path.len() == board.len() {
        tours.extend(asked_for(board, asked, path));
        return;
    }
    for &to in board.moves(last).as_slice() {
        if !path.contains(&to) {
            path.push(to);
            extend(board, asked, path, tours);
            path.pop();
        }
    }
}

fn asked_for(board: &Board, asked: &Asked, path: &[u32]) -> Option<Vec<u32>> {
    let last = path[path.len() - 1];
    let mut moves: Vec<(u32, u32)> = path.windows(2).map(|pair| (pair[0], pair[1])).collect();
    if asked.closed {
        if path.len() < 3 || !board.is_move(last, path[0]) || path[1] > last {
            return None;
        }
        moves.push((last, path[0]));
    }
    let uses = |&(a, b): &(u32, u32)| moves.contains(&(a, b)) || moves.contains(&(b, a));
    if asked.end.is_some_and(|end| end != last) || !asked.including.iter().all(uses) || asked.excluding.iter().any(uses)
    {
        return None;
    }
    if asked.closed {
        let steps: Vec<_> = asked.steps.iter().map(|&(square, step)| (step, square)).collect();
        return brute::numbered(path, asked.start, &steps);
    }
    asked.steps.iter().all(|&(square, step)| path[step as usize] == square).then(|| path.to_vec())
}

fn request(board: &Board, asked: &Asked) -> Request {
    let mut request = if asked.closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
    if let Some(start) = asked.start {
        request = request.with_start(start).unwrap();
    }
    if let Some(end) = asked.end {
        request = request.with_end(end).unwrap();
    }
    for &(a, b) in &asked.including {
        request = request.with_included(a, b).unwrap();
    }
    for &(a, b) in &asked.excluding {
        request = request.with_excluded(a, b).unwrap();
    }
    for &(square, step) in &asked.steps {
        request = request.with_step(square, step.into()).unwrap();
    }
    request
}

/// A small board: holes, leapers and joined edges, chosen so that many have tours.
fn random_board(rng: &mut Rng) -> Board {
    loop {
        let (rows, cols) = (1 + rng.below(6) as u32, 1 + rng.below(6) as u32);
        let wrap = [Wrap::None, Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both][rng.below(5) as usize];
        let leapers = [(1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (0, 2), (1, 4)];
        let (a, b) = leapers[rng.below(9) as usize];
        let holes = rng.below(5);
        let blocked: Vec<u32> = (0..holes).map(|_| rng.below(u64::from(rows * cols)) as u32).collect();
        let Ok(board) = Board::build(rows, cols, blocked, Leaper::new(a, b), wrap) else { continue };
        // So that the exhaustive search stays short.
        if board.len() <= if wrap == Wrap::None { 17 } else { 11 } {
            return board;
        }
    }
}

/// A request of the board; half of the time one that a tour of the board, if there is one, meets.
fn random_asked(board: &Board, closed: bool, tours: &[Vec<u32>], rng: &mut Rng) -> Asked {
    let squares: Vec<u32> = board.open_squares().collect();
    let any = |rng: &mut Rng| squares[rng.below(squares.len() as u64) as usize];
    let model =
        if tours.is_empty() || rng.below(4) == 0 { None } else { Some(&tours[rng.below(tours.len() as u64) as usize]) };
    let mut asked = Asked { closed, ..Asked::default() };
    if rng.below(3) == 0 {
        asked.start = Some(model.map_or_else(|| any(rng), |tour| tour[0]));
    }
    if !closed && rng.below(3) == 0 {
        let end = model.map_or_else(|| any(rng), |tour| tour[tour.len() - 1]);
        asked.end = (asked.start != Some(end) || squares.len() == 1).then_some(end);
    }
    let edge = |rng: &mut Rng| {
        let from = any(rng);
        let moves = board.moves(from);
        let moves = moves.as_slice();
        (!moves.is_empty()).then(|| (from, moves[rng.below(moves.len() as u64) as usize]))
    };
    for _ in 0..rng.below(3) {
        match model {
            Some(tour) if tour.len() > 1 => {
                let at = rng.below(tour.len() as u64 - 1) as usize;
                asked.including.push((tour[at], tour[at + 1]));
            }
            _ => asked.including.extend(edge(rng)),
        }
    }
    for _ in 0..rng.below(3) {
        asked.excluding.extend(edge(rng));
    }
    for _ in 0..rng.below(3) {
        let step = rng.below(squares.len() as u64) as u32;
        let square = model.map_or_else(|| any(rng), |tour| tour[step as usize]);
        if asked.steps.iter().all(|&(s, n)| s != square && n != step) {
            asked.steps.push((square, step));
        }
    }
    asked
}

#[test]
fn listings_are_those_of_an_exhaustive_search() {
    let mut rng = Rng::seeded(20_240_607);
    let (mut with_tours, mut without, mut constrained) = (0, 0, 0);
    for _ in 0..1500 {
        let board = random_board(&mut rng);
        for closed in [false, true] {
            let plain = Asked { closed, ..Asked::default() };
            let tours = brute_force(&board, &plain);
            let mut cases = vec![plain];
            cases.extend((0..6).map(|_| random_asked(&board, closed, &tours, &mut rng)));
            for (number, asked) in cases.iter().enumerate() {
                let expected: HashSet<Vec<u32>> = if asked.closed && asked.start.is_some() {
                    // Listed from another square.
                    brute_force(&board, asked).into_iter().collect()
                } else {
                    let starts = |tour: &&Vec<u32>| asked.closed || asked.start.is_none_or(|s| s == tour[0]);
                    tours.iter().filter(starts).filter_map(|tour| asked_for(&board, asked, tour)).collect()
                };
                let request = request(&board, asked);
                let listed = list(&request);
                let shown = || format!("{board:?} {asked:?}");
                assert_eq!(listed.len(), expected.len(), "{}", shown());
                assert_eq!(count(&request), expected.len() as u64, "{}", shown());
                assert_eq!(listed.into_iter().collect::<HashSet<_>>(), expected, "{}", shown());
                match expected.len() {
                    0 => without += 1,
                    _ => with_tours += 1,
                }
                constrained += u32::from(number > 0 && !expected.is_empty() && expected.len() < tours.len());
            }
        }
    }
    // Neither side, nor the constraints, went untested.
    assert!(with_tours > 3000 && without > 3000 && constrained > 1000, "{with_tours} {without} {constrained}");
}

#[test]
fn one_square_has_one_open_tour_and_two_or_less_no_closed_one() {
    let one = Board::new(1, 1).unwrap();
    assert_eq!(list(&Request::open(one.clone())), [[0]]);
    assert_eq!(list(&Request::open(one.clone()).with_start(0).and_then(|r| r.with_end(0)).unwrap()), [[0]]);
    assert_eq!(list(&Request::open(one.clone()).with_step(0, 0).unwrap()), [[0]]);
    assert_eq!(count(&Request::closed(one)), 0);
    let two = Board::build(1, 2, [], Leaper::new(0, 1), Wrap::None).unwrap();
    assert_eq!(list(&Request::open(two.clone())), [[0, 1], [1, 0]]);
    assert_eq!(count(&Request::closed(two)), 0);
}

#[test]
fn pausing_at_every_node_changes_nothing() {
    for request in [
        Request::open(Board::new(5, 5).unwrap()),
        Request::closed(Board::new(5, 6).unwrap()),
        Request::open(Board::new(4, 6).unwrap()).with_start(0).unwrap(),
        Request::open(Board::new(5, 5).unwrap()).with_step(12, 3).unwrap(),
    ] {
        let whole = list(&request);
        let mut tours = search(&request);
        let mut sliced = Vec::new();
        let mut nodes = 0;
        loop {
            let budget = Budget::new(Limits { nodes: Some(1), ..Limits::default() });
            match tours.advance(&budget) {
                Step::Found => sliced.push(tours.path().to_vec()),
                Step::Exhausted => break,
                Step::Paused(pause) => {
                    assert_eq!(pause, Pause::Limit(Limit::Nodes));
                    assert_eq!(budget.spent(), 1);
                }
            }
            nodes += budget.spent();
        }
        assert_eq!(sliced, whole);
        assert_eq!(tours.stats().nodes, nodes);
        assert_eq!(tours.stats().tours, whole.len() as u64);
        assert_eq!(tours.advance(&Budget::unlimited()), Step::Exhausted);
    }
}

#[test]
fn limits_stop_and_counting_goes_on_after_listing() {
    let request = Request::open(Board::new(5, 5).unwrap());
    let mut tours = search(&request);
    let budget = Budget::new(Limits { nodes: Some(1000), ..Limits::default() });
    assert_eq!(tours.count(&budget), Err(Pause::Limit(Limit::Nodes)));
    assert_eq!((budget.spent(), tours.stats().nodes), (1000, 1000));
    // One tour listed, its reverse not: it counts all the same.
    assert_eq!(tours.advance(&Budget::unlimited()), Step::Found);
    assert_eq!(tours.count(&Budget::unlimited()), Ok(1728));
    let mut budget = Budget::unlimited();
    budget.begin_slice(Duration::ZERO);
    assert_eq!(search(&request).advance(&budget), Step::Paused(Pause::Slice));
    let small = Budget::new(Limits { memory: Some(1000), ..Limits::default() });
    let refused = EdgeForcing::new(Arc::new(Graph::new(&request)), &small);
    assert_eq!(refused.err(), Some(Pause::Limit(Limit::Memory)));
}

#[test]
fn parts_list_in_order_what_the_whole_does() {
    for request in [Request::open(Board::new(5, 5).unwrap()), Request::closed(Board::new(6, 6).unwrap())] {
        let whole = list(&request);
        let mut rng = Rng::seeded(7);
        let mut parts = vec![search(&request)];
        let mut listed = vec![Vec::new()];
        for _ in 0..60 {
            // One part goes on for a while, then gives away its later half.
            let at = rng.below(parts.len() as u64) as usize;
            for _ in 0..rng.below(4) {
                if parts[at].advance(&Budget::unlimited()) == Step::Found {
                    let path = parts[at].path().to_vec();
                    listed[at].push(path);
                }
            }
            if let Some(part) = parts[at].split() {
                parts.insert(at + 1, part);
                listed.insert(at + 1, Vec::new());
            }
        }
        assert!(parts.len() > 10);
        let mut tours = 0;
        for (part, listed) in parts.iter_mut().zip(&mut listed) {
            while part.advance(&Budget::unlimited()) == Step::Found {
                listed.push(part.path().to_vec());
            }
            tours += part.stats().tours;
        }
        assert_eq!(listed.concat(), whole);
        assert_eq!(tours, whole.len() as u64);
    }
}

#[test]
fn first_tours_of_large_boards_come_without_much_search() {
    for (rows, cols, closed) in [
        (8, 8, false),
        (8, 8, true),
        (11, 11, false),
        (20, 20, true),
        (20, 21, false),
        (33, 33, false),
        (100, 100, true),
        (97, 113, false),
    ] {
        let board = Board::new(rows, cols).unwrap();
        let request = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
        let mut tours = search(&request);
        let mut seen = HashSet::new();
        for _ in 0..50 {
            assert_eq!(tours.advance(&Budget::unlimited()), Step::Found);
            assert!(seen.insert(tours.path().to_vec()));
            Tour::new(board.clone(), tours.path().to_vec(), Some(closed)).unwrap();
        }
        let stats = tours.stats();
        assert!(stats.nodes < u64::from(rows * cols) * 2 + 400, "{rows}x{cols}: {stats:?}");
    }
}

#[test]
fn a_search_that_gets_stuck_starts_afresh() {
    // Without fresh starts this closed tour of the zebra is not found in 200,000 nodes.
    let board = Board::build(20, 21, [], Leaper::new(2, 3), Wrap::None).unwrap();
    let mut tours = search(&Request::closed(board.clone()));
    assert_eq!(tours.advance(&Budget::unlimited()), Step::Found);
    Tour::new(board, tours.path().to_vec(), Some(true)).unwrap();
    let stats = tours.stats();
    assert!(stats.restarts > 0 && stats.nodes < 50_000, "{stats:?}");
}

#[test]
fn every_tour_has_some_square_at_each_step() {
    let from_a_square = Request::closed(Board::new(5, 6).unwrap()).with_start(9).unwrap();
    for (request, total) in [(Request::open(Board::new(5, 5).unwrap()), 1728), (from_a_square, 8)] {
        let squares = request.board().len() as u32;
        for step in [0, 1, 2, 7, 12, 13, 15, squares - 2, squares - 1] {
            let at = |square| count(&request.clone().with_step(square, step.into()).unwrap());
            // A closed tour has one in either direction, but for the first and the one opposite to it.
            let ways = if request.is_closed() && step % (squares / 2) > 0 { 2 } else { 1 };
            assert_eq!((0..squares).map(at).sum::<u64>(), total * ways, "step {step}");
        }
    }
}

#[test]
fn many_given_steps_leave_little_to_search() {
    let board = Board::new(8, 8).unwrap();
    for closed in [false, true] {
        let whole = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
        let mut tours = search(&whole);
        assert_eq!(tours.advance(&Budget::unlimited()), Step::Found);
        let path = tours.path().to_vec();
        let given = (0..64).step_by(2).try_fold(whole, |r, step| r.with_step(path[step], step as u64)).unwrap();
        let mut tours = search(&given);
        let mut listed = Vec::new();
        while tours.advance(&Budget::unlimited()) == Step::Found {
            listed.push(tours.path().to_vec());
        }
        assert!(listed.contains(&path));
        assert!(listed.iter().all(|tour| (0..64).step_by(2).all(|step| tour[step] == path[step])));
        assert!(tours.stats().nodes < 20_000, "{:?}", tours.stats());
    }
}

#[test]
fn contradictions_are_seen_at_once() {
    let board = Board::new(6, 6).unwrap();
    let closed = || Request::closed(board.clone());
    // Three moves of one square; a cycle of four squares; a move both to use and to avoid.
    let including = |edges: &[(u32, u32)]| edges.iter().try_fold(closed(), |r, &(a, b)| r.with_included(a, b));
    let three = including(&[(14, 1), (14, 3), (14, 6)]);
    let cycle = including(&[(1, 9), (9, 20), (20, 12), (12, 1)]);
    let both = including(&[(0, 8)]).and_then(|r| r.with_excluded(0, 8));
    for request in [three, cycle, both] {
        let mut tours = search(&request.unwrap());
        assert_eq!(tours.count(&Budget::unlimited()), Ok(0));
        assert!(tours.stats().nodes <= 1);
    }
    // Colours: a step of the wrong parity, ends of one colour.
    let open = || Request::open(board.clone());
    for request in
        [open().with_start(0).and_then(|r| r.with_end(2)), open().with_step(0, 3).and_then(|r| r.with_step(1, 5))]
    {
        assert_eq!(count(&request.unwrap()), 0);
    }
    fn is_send<T: Send>(_: &T) {}
    is_send(&search(&open()));
}

#[test]
fn a_listing_goes_on_from_each_position() {
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    let torus = Board::build(3, 5, [], Leaper::KNIGHT, Wrap::Both).unwrap();
    for request in [
        Request::open(board(5, 5)),
        Request::closed(board(5, 6)),
        Request::open(board(4, 5)).with_start(0).unwrap(),
        Request::open(board(5, 5)).with_step(12, 5).unwrap(),
        Request::open(board(1, 1)),
        Request::closed(torus),
    ] {
        let graph = Arc::new(Graph::new(&request));
        let all = list(&request);
        let mut walk = search(&request);
        assert_eq!(walk.position(), None);
        for at in 1..=all.len() {
            assert_eq!(walk.advance(&Budget::unlimited()), Step::Found);
            if at % 211 != 1 && at + 3 < all.len() {
                continue;
            }
            let position = walk.position().unwrap();
            assert_eq!(Position::decode(&position.encode()), Some(position.clone()));
            let mut resumed = EdgeForcing::new(Arc::clone(&graph), &Budget::unlimited()).unwrap();
            assert!(resumed.go_to(&position));
            assert_eq!(resumed.position(), Some(position));
            let mut rest = Vec::new();
            resumed.visit(&Budget::unlimited(), |path| {
                rest.push(path.to_vec());
                if rest.len() < 40 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert_eq!(rest, all[at..].iter().take(40).cloned().collect::<Vec<_>>());
        }
    }
}

#[test]
fn positions_made_up_are_refused_or_lead_somewhere() {
    let request = Request::open(Board::new(5, 5).unwrap());
    let mut walk = search(&request);
    for _ in 0..100 {
        walk.advance(&Budget::unlimited());
    }
    let bytes = walk.position().unwrap().encode();
    let mut rng = Rng::seeded(7);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut changed = bytes.clone();
        let at = rng.below(bytes.len() as u64) as usize;
        changed[at] = rng.below(256) as u8;
        changed.truncate(if rng.below(3) == 0 { rng.below(bytes.len() as u64) as usize } else { bytes.len() });
        let mut resumed = search(&request);
        match Position::decode(&changed) {
            Some(position) if resumed.go_to(&position) => {
                for _ in 0..5 {
                    resumed.advance(&Budget::unlimited());
                }
            }
            _ => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused}");
}
