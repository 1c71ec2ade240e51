//! [`View`]: squares of a board, a tour or a walk, each made when it is asked for.

use std::sync::{Arc, OnceLock};

use crate::board::Board;
use crate::board::square::Square;
use crate::board::tour::Tour;

/// Whose squares they are.
#[derive(Clone)]
pub enum Source {
    /// The open squares of a board, in reading order; with its blocked squares, sorted, once asked for.
    Board(Board, Arc<OnceLock<Vec<u32>>>),
    /// The squares of a tour in its order.
    Tour(Tour),
    /// Squares of a board in the order of a walk.
    Path(Board, Arc<[u32]>),
}

impl Source {
    /// The board that they are on.
    pub fn board(&self) -> &Board {
        match self {
            Source::Board(board, _) => board,
            Source::Tour(tour) => tour.board(),
            Source::Path(board, _) => board,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Source::Board(board, _) => board.len(),
            Source::Tour(tour) => tour.squares().len(),
            Source::Path(_, squares) => squares.len(),
        }
    }

    #[inline]
    fn number(&self, position: usize) -> u32 {
        match self {
            Source::Board(board, _) if board.is_rectangle() => position as u32,
            Source::Board(board, blocked) => {
                let blocked = blocked.get_or_init(|| board.blocked_squares().collect());
                // Before the k-th blocked square there are `number - k` open ones.
                let (mut low, mut high) = (0, blocked.len());
                while low < high {
                    let middle = low.midpoint(high);
                    if blocked[middle] as usize - middle <= position { low = middle + 1 } else { high = middle }
                }
                (position + low) as u32
            }
            Source::Tour(tour) => tour.squares()[position],
            Source::Path(_, squares) => squares[position],
        }
    }
}

/// A stretch of a source: `len` squares from `start`, every `step`-th.
#[derive(Clone)]
pub struct View {
    /// Whose they are.
    pub source: Source,
    /// The position of the first.
    pub start: usize,
    /// From one to the next.
    pub step: isize,
    /// How many there are.
    pub len: usize,
}

impl View {
    /// All of them.
    pub fn whole(source: Source) -> View {
        View { start: 0, step: 1, len: source.len(), source }
    }

    #[inline]
    fn number(&self, index: usize) -> u32 {
        self.source.number((self.start as isize + self.step * index as isize) as usize)
    }

    /// The square at an index.
    pub fn square(&self, index: usize) -> Square {
        self.source.board().square(self.number(index))
    }

    /// A stretch of this one.
    pub fn slice(&self, start: isize, step: isize, len: usize) -> View {
        if len == 0 {
            return View { source: self.source.clone(), start: 0, step: 1, len: 0 };
        }
        View {
            source: self.source.clone(),
            start: (self.start as isize + self.step * start) as usize,
            step: self.step * step,
            len,
        }
    }

    /// Those of this one, the last first.
    pub fn reversed(&self) -> View {
        self.slice(self.len as isize - 1, -1, self.len)
    }

    /// Where a square stands in the view.
    pub fn position(&self, number: u32) -> Option<usize> {
        if !self.source.board().is_open(number) {
            return None;
        }
        if let Source::Board(_, blocked) = &self.source {
            let before = blocked.get().map(|blocked| blocked.partition_point(|&b| b < number));
            let before = match before {
                Some(before) => before,
                None => self.source.board().blocked_squares().take_while(|&b| b < number).count(),
            };
            let offset = (number as usize - before) as isize - self.start as isize;
            let index = offset / self.step;
            return (offset % self.step == 0 && (0..self.len as isize).contains(&index)).then_some(index as usize);
        }
        (0..self.len).find(|&index| self.number(index) == number)
    }

    /// Whether the squares are the same.
    pub fn same(&self, other: &View) -> bool {
        self.len == other.len && (0..self.len).all(|index| self.square(index) == other.square(index))
    }

    /// The hash of the tuple of these squares.
    pub fn hash(&self) -> isize {
        tuple_hash((0..self.len).map(|index| {
            let Square { row, col } = self.square(index);
            tuple_hash([row as isize, col as isize].into_iter())
        }))
    }
}

/// Python's hash of a tuple whose items have these hashes (xxHash, as in CPython since 3.8). The hash
/// of a small whole number is the number.
fn tuple_hash(items: impl ExactSizeIterator<Item = isize>) -> isize {
    const PRIME_1: u64 = 11400714785074694791;
    const PRIME_2: u64 = 14029467366897019727;
    const PRIME_5: u64 = 2870177450012600261;
    let len = items.len() as u64;
    let mut hash = PRIME_5;
    for item in items {
        hash = hash.wrapping_add((item as u64).wrapping_mul(PRIME_2));
        hash = hash.rotate_left(31).wrapping_mul(PRIME_1);
    }
    hash = hash.wrapping_add(len ^ (PRIME_5 ^ 3527539));
    if hash == u64::MAX { 1546275796 } else { hash as isize }
}
