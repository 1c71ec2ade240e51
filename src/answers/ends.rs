//! [`EndSquares`]: on which squares the tours of a request start, or end.

use super::find::PartFind;
use super::{Outcome, Report};
use crate::engines::backtracking::Stats;
use crate::request::Request;
use crate::request::classes::stabiliser;
use crate::request::graph::VertexSet;
use crate::run::{Budget, Halt, Misuse, Progress, Task};
use crate::symmetry::Symmetry;
use crate::theorems;

/// The squares on which an open tour of a request can end, square by square: each is asked for as an end, where it is not
/// known already from a symmetry of the request or from a tour that was found. If the request has no start, a tour
/// read backwards is a tour, so that these are the squares on which one can start, too.
///
/// A tour tells of more squares than its ends: its last square is a move away from others on the way, and after such a move
/// the rest of it runs backwards, so that the square after that is an end as well. If there is a closed tour, every square
/// is an end. Resumable.
#[derive(Debug)]
pub struct EndSquares {
    request: Request,
    is_begun: bool,
    symmetries: Vec<Symmetry>,
    squares: Vec<u32>,
    /// Of each open square: whether it is known, and whether it is an end.
    known: VertexSet,
    ends: VertexSet,
    at: usize,
    /// A search, and whether it is for a closed tour.
    find: Option<(PartFind, bool)>,
    stats: Stats,
}

impl EndSquares {
    /// Nodes a square for which a closed tour is looked for.
    const CLOSED: u64 = 200;

    /// Bytes a square beyond those of the searches.
    const BYTES: u64 = 5;

    /// Where the tours of a request for open tours without a given end can end. Cost of the whole: a pass over the board
    /// for each of its symmetries, and a search a square at worst.
    pub fn new(request: Request) -> Result<EndSquares, Misuse> {
        if request.is_closed() || request.end().is_some() || !request.is_plain() || !request.is_unconstrained() {
            return Err(Misuse::EndSquares);
        }
        Ok(EndSquares {
            request,
            is_begun: false,
            symmetries: Vec::new(),
            squares: Vec::new(),
            known: VertexSet::default(),
            ends: VertexSet::default(),
            at: 0,
            find: None,
            stats: Stats::default(),
        })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    fn begin(&mut self, request: Request, closed: bool) -> Result<(), Misuse> {
        let nodes = if closed { EndSquares::CLOSED * self.squares.len() as u64 + 20_000 } else { u64::MAX };
        self.find = Some((PartFind::new(request, nodes)?, closed));
        Ok(())
    }

    /// What a tour tells.
    fn note(&mut self, tour: &[u32]) {
        let board = self.request.board().clone();
        let mut ends = Vec::new();
        let mut look = |tour: &mut dyn Iterator<Item = u32>| {
            let tour: Vec<u32> = tour.collect();
            let Some(&last) = tour.last() else { return };
            ends.push(last);
            for &to in board.moves(last).as_slice() {
                if let Some(at) = tour.iter().position(|&square| square == to)
                    && let Some(&next) = tour.get(at + 1)
                {
                    ends.push(next);
                }
            }
        };
        look(&mut tour.iter().copied());
        if self.request.start().is_none() {
            look(&mut tour.iter().rev().copied());
        }
        for square in ends {
            self.mark(square, true);
        }
    }

    fn mark(&mut self, square: u32, is_end: bool) {
        if self.squares.binary_search(&square).is_ok_and(|at| self.known.contains(at as u32)) {
            return;
        }
        let (rows, cols) = (self.request.board().rows(), self.request.board().cols());
        for symmetry in &self.symmetries {
            if let Ok(at) = self.squares.binary_search(&symmetry.map(square, rows, cols)) {
                self.known.add(at as u32);
                if is_end {
                    self.ends.add(at as u32);
                }
            }
        }
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        Report { method: "search", search: self.stats, ..Report::default() }
    }
}

impl Task for EndSquares {
    type Answer = Vec<u32>;

    /// Goes on until all squares are known; gives the ends, in reading order.
    fn advance(&mut self, budget: &Budget) -> Result<Vec<u32>, Halt> {
        if !self.is_begun {
            let board = self.request.board().clone();
            budget.take(0)?;
            budget.check_memory(EndSquares::BYTES * board.len() as u64)?;
            self.symmetries = stabiliser(&self.request, budget)?;
            self.squares = board.open_squares().collect();
            self.known = VertexSet::empty(self.squares.len());
            self.ends = VertexSet::empty(self.squares.len());
            if theorems::check_board(&self.request).is_some() {
                self.known = VertexSet::full(self.squares.len());
            } else if self.request.start().is_none() {
                self.begin(Request::closed(board), true)?;
            }
            self.is_begun = true;
        }
        loop {
            if let Some((find, closed)) = &mut self.find {
                let closed = *closed;
                let outcome = find.advance(budget);
                if outcome == Err(Halt::SLICE) {
                    return Err(Halt::SLICE);
                }
                self.stats.add(&find.report().search);
                match outcome? {
                    Some(Outcome::Found(_)) if closed => {
                        self.known = VertexSet::full(self.squares.len());
                        self.ends = self.known.clone();
                    }
                    Some(Outcome::Found(tour)) => self.note(tour.squares()),
                    Some(Outcome::Impossible(_)) if !closed => self.mark(self.squares[self.at], false),
                    Some(Outcome::Impossible(_)) | None => {}
                }
                self.find = None;
            }
            while self.at < self.squares.len() && self.known.contains(self.at as u32) {
                self.at += 1;
            }
            let Some(&square) = self.squares.get(self.at) else {
                return Ok(self.ends.iter().map(|at| self.squares[at as usize]).collect());
            };
            // A theorem may answer at once, again and again.
            budget.take(0)?;
            match self.request.clone().with_end(square) {
                Ok(request) => self.begin(request, false)?,
                // It is the start.
                Err(_) => self.mark(square, false),
            }
        }
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        let (done, total) = (self.known.count() as u64, self.squares.len() as u64);
        Progress { done, total: Some(total), message: "squares decided".to_owned() }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }
}
