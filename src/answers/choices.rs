//! [`Choices`]: which squares a path of this many squares visits, by chance. Such a path is a tour of the board without the
//! others, which can be searched as any board is.

use std::sync::Arc;

use crate::board::Board;
use crate::engines::paths::{Bound, Bounding};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::rng::Rng;

/// The pieces of a board with the bound of each, and a stream of random numbers.
#[derive(Debug)]
pub(super) struct Choices {
    request: Request,
    graph: Arc<Graph>,
    pieces: Vec<u32>,
    most: Vec<usize>,
    /// No path has more squares.
    pub(super) upper: usize,
    rng: Rng,
}

impl Choices {
    /// The bound that it needs (`paths/bound.rs`).
    pub(super) fn bounding(request: &Request, graph: &Arc<Graph>) -> Bounding {
        let ends = if request.is_closed() { [None, None] } else { Choices::ends(request, graph) };
        Bounding::new(Arc::clone(graph), request.is_closed(), ends)
    }

    fn ends(request: &Request, graph: &Graph) -> [Option<u32>; 2] {
        [request.start(), request.end()].map(|square| square.map(|square| graph.vertex(square)))
    }

    pub(super) fn new(request: &Request, graph: &Arc<Graph>, seed: u64, bound: Bound) -> Choices {
        let ends = Choices::ends(request, graph);
        let upper = match ends[0] {
            Some(start) if request.is_closed() => bound.most[bound.pieces[start as usize] as usize],
            _ => bound.squares,
        };
        Choices {
            request: request.clone(),
            graph: Arc::clone(graph),
            pieces: bound.pieces,
            most: bound.most,
            upper,
            rng: Rng::seeded(seed),
        }
    }

    /// The request for a tour of `target` squares, the others left out by chance: those first that can have no two
    /// moves, then of the colour of which there are too many.
    pub(super) fn choose(&mut self, target: usize) -> Option<Request> {
        let graph = Arc::clone(&self.graph);
        let count = graph.len();
        if target == count {
            return Some(self.request.clone());
        }
        let keep: Vec<u32> =
            [self.request.start(), self.request.end()].into_iter().flatten().map(|s| graph.vertex(s)).collect();
        let pieces: Vec<u32> =
            (0..self.most.len() as u32).filter(|&piece| self.most[piece as usize] >= target).collect();
        let piece = match keep.first() {
            Some(&v) => self.pieces[v as usize],
            None => *pieces.get(self.rng.below(pieces.len().max(1) as u64) as usize)?,
        };
        let mut left: Vec<bool> = (0..count).map(|v| self.pieces[v] == piece).collect();
        let mut size = left.iter().filter(|&&is| is).count();
        let colours = graph.colouring().map(|colours| colours.first);
        let degree = |left: &[bool], v: u32| graph.neighbours(v).iter().filter(|&&u| left[u as usize]).count();
        let weight = |v: u32| colours.as_ref().map_or(0, |first| if first.contains(v) { 1i64 } else { -1 });
        let mut surplus: i64 = (0..count as u32).filter(|&v| left[v as usize]).map(weight).sum();
        let mut candidates: Vec<u32> = (0..count as u32).filter(|&v| left[v as usize] && !keep.contains(&v)).collect();
        while size > target {
            let drop = size - target;
            if candidates.is_empty() {
                return None;
            }
            let wanted = |v: u32| match &colours {
                // With as many to drop as there are too many, only of that colour.
                Some(first) if surplus.unsigned_abs() as usize >= drop.min(2) => first.contains(v) == (surplus > 0),
                _ => true,
            };
            // The best of some by chance: poor in moves, and with neighbours that can spare one.
            let mut best: Option<((bool, usize, usize), usize)> = None;
            for _ in 0..(candidates.len() / 4).clamp(2, 24) {
                let at = self.rng.below(candidates.len() as u64) as usize;
                let v = candidates[at];
                let poor = graph.neighbours(v).iter().filter(|&&u| left[u as usize] && degree(&left, u) <= 2).count();
                let key = (!wanted(v), poor, degree(&left, v));
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, at));
                }
            }
            let v = candidates.swap_remove(best?.1);
            left[v as usize] = false;
            surplus -= weight(v);
            size -= 1;
        }
        let board = self.request.board();
        let blocked: Vec<u32> = board
            .blocked_squares()
            .chain((0..count as u32).filter(|&v| !left[v as usize]).map(|v| graph.square(v)))
            .collect();
        let board = Board::build(board.rows(), board.cols(), blocked, board.leaper(), board.wrap()).ok()?;
        let mut request = if self.request.is_closed() { Request::closed(board) } else { Request::open(board) };
        if let Some(start) = self.request.start() {
            request = request.with_start(start).ok()?;
        }
        if let Some(end) = self.request.end() {
            request = request.with_end(end).ok()?;
        }
        Some(request)
    }
}
