//! The judge: every tour of a small board, by a plain search that shares nothing with the engines. It
//! works out which squares are a move apart on its own, and it never looks ahead.

use std::ops::ControlFlow;

use knightstour::run::rng::Rng;
use knightstour::{Board, Leaper, Request, Wrap};

/// Whether a leaper of legs a and b may go from square x to square y, by definition.
fn is_move(board: &Board, x: u32, y: u32) -> bool {
    let apart = |from: u32, to: u32, size: u32, joined: bool, leg: u32| {
        let straight = u64::from(from.abs_diff(to)) == u64::from(leg);
        straight || joined && ((from + leg) % size == to || (to + leg) % size == from)
    };
    let (rows, cols) = (board.rows(), board.cols());
    let fits = |down: u32, across: u32| {
        apart(x / cols, y / cols, rows, board.wrap().joins_rows(), down)
            && apart(x % cols, y % cols, cols, board.wrap().joins_cols(), across)
    };
    let (a, b) = (board.leaper().a, board.leaper().b);
    x != y && (fits(a, b) || fits(b, a))
}

struct Search<'a, F> {
    request: &'a Request,
    squares: Vec<u32>,
    moves: Vec<Vec<u32>>,
    path: Vec<u32>,
    visited: Vec<bool>,
    nodes: u64,
    found: F,
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Search<'_, F> {
    fn go_on(&mut self) -> ControlFlow<()> {
        let Some(left) = self.nodes.checked_sub(1) else { return ControlFlow::Break(()) };
        self.nodes = left;
        if self.path.len() == self.squares.len() {
            return match asked_for(self.request, &self.path) {
                Some(tour) => (self.found)(&tour),
                None => ControlFlow::Continue(()),
            };
        }
        for to in self.moves[self.path[self.path.len() - 1] as usize].clone() {
            if !self.visited[to as usize] {
                self.visited[to as usize] = true;
                self.path.push(to);
                self.go_on()?;
                self.path.pop();
                self.visited[to as usize] = false;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A sequence of moves over all squares as it is listed, if it is a tour that the request asks for and, of a cycle, runs
/// towards the smaller neighbour of its first square.
fn asked_for(request: &Request, path: &[u32]) -> Option<Vec<u32>> {
    let (count, last) = (path.len(), path[path.len() - 1]);
    let step = |square: u32| path.iter().position(|&s| s == square).unwrap();
    let uses = |&(a, b): &(u32, u32)| {
        let apart = step(a).abs_diff(step(b));
        apart == 1 || request.is_closed() && apart == count - 1
    };
    let shape = if request.is_closed() {
        count >= 3 && is_move(request.board(), last, path[0]) && path[1] < last
    } else {
        request.end().is_none_or(|end| end == last)
    };
    if !shape || !request.including().iter().all(uses) || request.excluding().iter().any(uses) {
        return None;
    }
    if request.is_closed() {
        return numbered(path, request.start(), request.steps());
    }
    request.steps().iter().all(|&(s, square)| path[s as usize] == square).then(|| path.to_vec())
}

/// A cycle as it is listed: from any of its squares, in either direction, so that each (step, square) is as given and it
/// begins on the start; where both directions do, towards the smaller neighbour of the start, or else of the square
/// at the first step given, or else of the smallest square, on which it begins then. `None` if nothing numbers it so.
pub fn numbered(cycle: &[u32], start: Option<u32>, steps: &[(u32, u32)]) -> Option<Vec<u32>> {
    let count = cycle.len();
    let mut placed = steps.to_vec();
    placed.extend(start.map(|start| (0, start)));
    placed.extend(placed.is_empty().then(|| (0, *cycle.iter().min().unwrap())));
    let first = start.map_or_else(|| *placed.iter().min().unwrap(), |start| (0, start));
    let mut found: Option<Vec<u32>> = None;
    for backwards in [false, true] {
        for turn in 0..count {
            let mut squares = cycle.to_vec();
            if backwards {
                squares.reverse();
            }
            squares.rotate_left(turn);
            let next = |squares: &[u32]| squares[(first.0 as usize + 1) % count];
            if placed.iter().all(|&(step, square)| squares[step as usize] == square)
                && found.as_ref().is_none_or(|found| next(&squares) < next(found))
            {
                found = Some(squares);
            }
        }
    }
    found
}

/// Calls `found` with every tour that is asked for: every directed sequence if open, every cycle as it is listed if
/// closed. Says whether the search came to its end within `nodes` nodes and
/// without a break.
pub fn each_tour(request: &Request, nodes: u64, found: impl FnMut(&[u32]) -> ControlFlow<()>) -> bool {
    let board = request.board();
    let squares: Vec<u32> = (0..board.rows() * board.cols()).filter(|&s| board.is_open(s)).collect();
    let starts = match request.start() {
        Some(start) => vec![start],
        None if request.is_closed() => vec![squares[0]],
        None => squares.clone(),
    };
    let all = board.rows() * board.cols();
    let moves = (0..all).map(|x| squares.iter().copied().filter(|&y| is_move(board, x, y)).collect()).collect();
    let visited = vec![false; all as usize];
    let mut search = Search { request, squares, moves, path: Vec::new(), visited, nodes, found };
    for start in starts {
        search.path = vec![start];
        search.visited.fill(false);
        search.visited[start as usize] = true;
        if search.go_on().is_break() {
            return false;
        }
    }
    true
}

/// All tours, in the order of the plain search.
pub fn tours(request: &Request) -> Vec<Vec<u32>> {
    let mut tours = Vec::new();
    assert!(each_tour(request, u64::MAX, |tour| {
        tours.push(tour.to_vec());
        ControlFlow::Continue(())
    }));
    tours
}

/// How many tours there are.
pub fn count(request: &Request) -> u64 {
    let mut count = 0;
    assert!(each_tour(request, u64::MAX, |_| {
        count += 1;
        ControlFlow::Continue(())
    }));
    count
}

/// A tour, if there is one; the outer `None` if `nodes` nodes do not tell.
pub fn first(request: &Request, nodes: u64) -> Option<Option<Vec<u32>>> {
    let mut tour = None;
    let done = each_tour(request, nodes, |path| {
        tour = Some(path.to_vec());
        ControlFlow::Break(())
    });
    (done || tour.is_some()).then_some(tour)
}

/// Leapers to draw from, the knight most often.
const LEAPERS: [(u32, u32); 12] =
    [(1, 2), (1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (0, 2), (1, 4), (2, 2), (0, 3)];

/// A random board of at most `most` open squares: any leaper, any joined edges, holes.
pub fn random_board(rng: &mut Rng, most: u64) -> Board {
    let rows = 1 + rng.below(6) as u32;
    let cols = 1 + rng.below(7) as u32;
    let squares = rows * cols;
    let (a, b) = LEAPERS[rng.below(LEAPERS.len() as u64) as usize];
    let wrap = match rng.below(8) {
        0 => Wrap::Cols,
        1 => Wrap::Rows,
        2 => Wrap::Both,
        _ => Wrap::None,
    };
    let needless = u64::from(squares).saturating_sub(most);
    let holes = if needless > 0 || rng.below(2) == 0 { needless + rng.below(4) } else { 0 };
    let mut blocked: Vec<u32> = Vec::new();
    while (blocked.len() as u64) < holes.min(u64::from(squares) - 1) {
        let square = rng.below(u64::from(squares)) as u32;
        if !blocked.contains(&square) {
            blocked.push(square);
        }
    }
    Board::build(rows, cols, blocked, Leaper::new(a, b), wrap).unwrap()
}

/// A random request on a board: open or closed, ends, moves to use and to avoid, steps. Each kind
/// of constraint is there about one time in three, and contradictions among them are not avoided.
pub fn random_request(rng: &mut Rng, board: Board) -> Request {
    let squares: Vec<u32> = board.open_squares().collect();
    let any = |rng: &mut Rng| squares[rng.below(squares.len() as u64) as usize];
    let mut request = if rng.below(3) == 0 { Request::closed(board) } else { Request::open(board) };
    let mut put = |change: &mut dyn FnMut(Request) -> Result<Request, knightstour::Misuse>| {
        // Misuse (equal ends, a closed tour with an end, one step twice) leaves the request as it was.
        if let Ok(changed) = change(request.clone()) {
            request = changed;
        }
    };
    if rng.below(3) == 0 {
        let start = any(rng);
        put(&mut |r| r.with_start(start));
    }
    if rng.below(3) == 0 {
        let end = any(rng);
        put(&mut |r| r.with_end(end));
    }
    let mut edge = |rng: &mut Rng, include: bool| {
        let from = any(rng);
        put(&mut |r| {
            let moves = r.board().moves(from);
            let Some(&to) = moves.as_slice().get(rng.below(8) as usize) else { return Ok(r) };
            if include { r.with_included(from, to) } else { r.with_excluded(from, to) }
        });
    };
    for include in [true, false] {
        if rng.below(3) == 0 {
            for _ in 0..1 + rng.below(3) {
                edge(rng, include);
            }
        }
    }
    if rng.below(4) == 0 {
        for _ in 0..1 + rng.below(2) {
            let (square, step) = (any(rng), rng.below(squares.len() as u64));
            put(&mut |r| r.with_step(square, step));
        }
    }
    request
}

#[test]
fn the_judge_knows_published_counts() {
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    assert_eq!(count(&Request::open(board(3, 4))), 16);
    assert_eq!(count(&Request::open(board(5, 5))), 1728);
    assert_eq!(count(&Request::open(board(5, 5)).with_start(0).unwrap()), 304);
    assert_eq!(count(&Request::closed(board(5, 6))), 8);
    assert_eq!(count(&Request::closed(board(3, 10))), 16);
    assert_eq!(count(&Request::open(board(1, 1))), 1);
    assert_eq!(count(&Request::closed(board(1, 1))), 0);
}
