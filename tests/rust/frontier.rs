//! The frontier engine against an independent search and against published counts.

use knightstour::frontier::{Natural, Sweep};
use knightstour::rng::Rng;
use knightstour::{Board, Budget, Graph, Leaper, Request, Wrap};

/// The count by the engine, in one go.
fn count(request: &Request) -> String {
    let graph = Graph::new(request);
    let mut sweep = Sweep::new(request, &graph, 1).unwrap();
    sweep.advance(&Budget::unlimited()).unwrap().to_string()
}

/// All tours, one by one, straight from the definition.
fn search(request: &Request) -> u64 {
    let board = request.board();
    let mut found = 0;
    for first in board.open_squares() {
        if request.is_closed() && first != board.open_squares().next().unwrap() {
            break;
        }
        if !request.is_closed() && request.start().is_some_and(|s| s != first) {
            continue;
        }
        walk(request, &mut vec![first], &mut found);
    }
    // Each cycle was run both ways round.
    if request.is_closed() { found / 2 } else { found }
}

fn walk(request: &Request, path: &mut Vec<u32>, found: &mut u64) {
    let board = request.board();
    let here = *path.last().unwrap();
    if path.len() == board.len() {
        let mut edges: Vec<(u32, u32)> = path.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))).collect();
        if request.is_closed() {
            if path.len() < 3 || !board.is_move(here, path[0]) {
                return;
            }
            edges.push((here.min(path[0]), here.max(path[0])));
        } else if request.end().is_some_and(|e| e != here) {
            return;
        }
        let uses = request.including().iter().all(|e| edges.contains(e));
        let avoids = request.excluding().iter().all(|e| !edges.contains(e));
        *found += u64::from(uses && avoids);
        return;
    }
    for &to in board.moves(here).as_slice() {
        if !path.contains(&to) {
            path.push(to);
            walk(request, path, found);
            path.pop();
        }
    }
}

struct Random(Rng);

impl Random {
    fn below(&mut self, count: u32) -> u32 {
        self.0.below(count.into()) as u32
    }

    fn board(&mut self) -> Board {
        loop {
            let (rows, cols) = (1 + self.below(6), 1 + self.below(6));
            let leaper = [(1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (0, 2), (1, 3), (2, 3)][self.below(8) as usize];
            let wrap = [Wrap::None, Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both][self.below(5) as usize];
            let squares = rows * cols;
            let most = if wrap == Wrap::None && leaper != (0, 1) { 20 } else { 13 };
            let symmetric = self.below(2) == 0;
            let mut blocked: Vec<u32> = Vec::new();
            for _ in 0..self.below(squares / 2 + 1) {
                let square = self.below(squares);
                blocked.push(square);
                if symmetric {
                    blocked.push(square / cols * cols + cols - 1 - square % cols);
                }
            }
            if let Ok(board) = Board::build(rows, cols, blocked, Leaper::new(leaper.0, leaper.1), wrap)
                && board.len() <= most
            {
                return board;
            }
        }
    }

    fn request(&mut self) -> Request {
        let board = self.board();
        let open: Vec<u32> = board.open_squares().collect();
        let mut request =
            if self.below(2) == 0 { Request::closed(board.clone()) } else { Request::open(board.clone()) };
        if !request.is_closed() {
            if self.below(2) == 0 {
                request = request.with_start(open[self.below(open.len() as u32) as usize]).unwrap();
            }
            if self.below(2) == 0 {
                let with_end = request.clone().with_end(open[self.below(open.len() as u32) as usize]);
                request = with_end.unwrap_or(request);
            }
        }
        for _ in 0..self.below(4) {
            let from = open[self.below(open.len() as u32) as usize];
            let moves = board.moves(from);
            if moves.as_slice().is_empty() {
                continue;
            }
            let to = moves.as_slice()[self.below(moves.as_slice().len() as u32) as usize];
            let next = if self.below(2) == 0 {
                request.clone().with_included(from, to)
            } else {
                request.clone().with_excluded(from, to)
            };
            request = next.unwrap();
        }
        request
    }
}

#[test]
fn agrees_with_exhaustive_search_on_random_boards() {
    let mut random = Random(Rng::seeded(3));
    let mut with_tours = 0;
    for _ in 0..6000 {
        let request = random.request();
        let expected = search(&request);
        with_tours += u32::from(expected > 0);
        assert_eq!(count(&request), expected.to_string(), "{request:?}");
    }
    // Most random boards have none; enough must, or the test says little.
    assert!(with_tours > 700, "{with_tours}");
}

#[test]
fn half_of_a_count_is_exact() {
    assert_eq!(Natural::from(7).half(), Natural::from(3));
}
