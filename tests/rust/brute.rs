//! An exhaustive search that shares nothing with the engines but the board's moves, and random requests.

use knightstour::rng::Rng;
use knightstour::{Board, Leaper, Request, Wrap};

/// All tours of a request, in listed form.
pub fn tours(request: &Request) -> Vec<Vec<u32>> {
    let board = request.board();
    let mut found = Vec::new();
    let starts: Vec<u32> = if request.is_closed() {
        vec![request.start().unwrap_or_else(|| board.open_squares().next().unwrap())]
    } else {
        board.open_squares().filter(|&s| request.start().is_none_or(|start| start == s)).collect()
    };
    for start in starts {
        extend(request, &mut vec![start], &mut found);
    }
    found
}

fn extend(request: &Request, path: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    let board = request.board();
    let (first, last) = (path[0], path[path.len() - 1]);
    if path.len() == board.len() {
        if fits(request, path, first, last) {
            found.push(path.clone());
        }
        return;
    }
    for &to in board.moves(last).as_slice() {
        if !path.contains(&to) {
            path.push(to);
            extend(request, path, found);
            path.pop();
        }
    }
}

fn fits(request: &Request, path: &[u32], first: u32, last: u32) -> bool {
    let closed = request.is_closed();
    if closed && (path.len() < 3 || !request.board().is_move(last, first) || path[1] > last) {
        return false;
    }
    let mut edges: Vec<(u32, u32)> = path.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))).collect();
    if closed {
        edges.push((first.min(last), first.max(last)));
    }
    request.end().is_none_or(|end| end == last)
        && request.including().iter().all(|edge| edges.contains(edge))
        && request.excluding().iter().all(|edge| !edges.contains(edge))
        && request.steps().iter().all(|&(step, square)| path[step as usize] == square)
}

/// A small board of any kind, and any request on it that is no misuse.
pub fn random_request(rng: &mut Rng) -> Request {
    loop {
        let rows = 1 + rng.below(5) as u32;
        let cols = 1 + rng.below(5) as u32;
        if rows * cols > 20 {
            continue;
        }
        let leaper = match rng.below(10) {
            0 => Leaper::new(0, 1),
            1 => Leaper::new(1, 1),
            2 => Leaper::new(1, 3),
            3 => Leaper::new(2, 3),
            _ => Leaper::KNIGHT,
        };
        let wrap = [Wrap::None, Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both][rng.below(5) as usize];
        let holes = rng.below(4);
        let blocked: Vec<u32> = (0..holes).map(|_| rng.below(u64::from(rows * cols)) as u32).collect();
        let Ok(board) = Board::build(rows, cols, blocked, leaper, wrap) else { continue };
        // Tori and the (0, 1)-leaper with many squares have too many paths to list one by one.
        let moves: usize = board.open_squares().map(|s| board.moves(s).as_slice().len()).sum();
        if moves > 70 {
            continue;
        }
        if let Some(request) = constrain(&board, rng) {
            return request;
        }
    }
}

fn constrain(board: &Board, rng: &mut Rng) -> Option<Request> {
    let squares: Vec<u32> = board.open_squares().collect();
    let pick = |rng: &mut Rng| squares[rng.below(squares.len() as u64) as usize];
    let mut request = if rng.below(2) == 0 { Request::closed(board.clone()) } else { Request::open(board.clone()) };
    if rng.below(3) == 0 {
        request = request.with_start(pick(rng)).ok()?;
    }
    if rng.below(4) == 0 && !request.is_closed() {
        request = request.with_end(pick(rng)).ok()?;
    }
    for _ in 0..rng.below(3) {
        let from = pick(rng);
        let moves = board.moves(from);
        if !moves.as_slice().is_empty() {
            let to = moves.as_slice()[rng.below(moves.as_slice().len() as u64) as usize];
            request = if rng.below(2) == 0 { request.with_included(from, to) } else { request.with_excluded(from, to) }
                .ok()?;
        }
    }
    if rng.below(5) == 0 {
        request = request.with_step(pick(rng), rng.below(squares.len() as u64)).ok()?;
    }
    Some(request)
}
