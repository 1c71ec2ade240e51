//! How a leaper moves: eight deltas, a grid to move on, and the squares they reach.
//!
//! Boards that fit one word get a table of [`Bitboard`]s, one a square; larger ones compute the at
//! most eight targets of a square each time, which costs a few nanoseconds and no memory.

use crate::board::Bitboard;
use crate::board::square::Square;

/// Which opposite edges of the board are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Wrap {
    /// A plain board.
    #[default]
    None,
    /// The left and right edges meet: columns are counted round a cylinder.
    Cols,
    /// The top and bottom edges meet.
    Rows,
    /// Both pairs meet: a torus.
    Both,
}

impl Wrap {
    /// The name; a plain board's edges have none.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Wrap::None => None,
            Wrap::Cols => Some("cols"),
            Wrap::Rows => Some("rows"),
            Wrap::Both => Some("both"),
        }
    }

    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Wrap> {
        [Wrap::Cols, Wrap::Rows, Wrap::Both].into_iter().find(|wrap| wrap.name() == Some(name))
    }

    /// Whether the left and right edges meet.
    #[must_use]
    pub const fn joins_cols(self) -> bool {
        matches!(self, Wrap::Cols | Wrap::Both)
    }

    /// Whether the top and bottom edges meet.
    #[must_use]
    pub const fn joins_rows(self) -> bool {
        matches!(self, Wrap::Rows | Wrap::Both)
    }

    /// The joined edges after rows and columns change places.
    #[must_use]
    pub const fn transposed(self) -> Self {
        match self {
            Wrap::Cols => Wrap::Rows,
            Wrap::Rows => Wrap::Cols,
            same => same,
        }
    }
}

/// A free leaper: it moves `a` squares along one axis and `b` along the other, either way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leaper {
    /// The shorter leg.
    pub a: u32,
    /// The longer leg.
    pub b: u32,
}

impl Leaper {
    /// The knight, a (1, 2)-leaper.
    pub const KNIGHT: Leaper = Leaper { a: 1, b: 2 };

    /// The (a, b)-leaper; the order of the two makes no difference.
    #[must_use]
    pub const fn new(a: u32, b: u32) -> Self {
        if a <= b { Leaper { a, b } } else { Leaper { a: b, b: a } }
    }

    /// The deltas (rows, columns) in lexicographic order: from the topmost row down, left before
    /// right. Eight of them, or four where the legs are equal or one of them is 0 (the rest of the
    /// array repeats earlier entries then).
    #[must_use]
    const fn deltas(self) -> ([(i64, i64); 8], usize) {
        let (a, b) = (self.a as i64, self.b as i64);
        if a == b {
            let four = [(-a, -a), (-a, a), (a, -a), (a, a)];
            ([four[0], four[1], four[2], four[3], four[0], four[1], four[2], four[3]], 4)
        } else if a == 0 {
            let four = [(-b, 0), (0, -b), (0, b), (b, 0)];
            ([four[0], four[1], four[2], four[3], four[0], four[1], four[2], four[3]], 4)
        } else {
            ([(-b, -a), (-b, a), (-a, -b), (-a, b), (a, -b), (a, b), (b, -a), (b, a)], 8)
        }
    }
}

/// The squares that one move reaches, at most eight, in rising order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    numbers: [u32; 8],
    len: u8,
}

impl Targets {
    const NONE: Targets = Targets { numbers: [0; 8], len: 0 };

    #[inline]
    fn push(&mut self, number: u32) {
        self.numbers[usize::from(self.len)] = number;
        self.len += 1;
    }

    /// A set of at most eight squares.
    #[must_use]
    #[inline]
    pub fn from_set(set: Bitboard) -> Targets {
        let mut targets = Targets::NONE;
        set.for_each(|number| targets.push(number));
        targets
    }

    /// Keeps the targets that pass.
    #[inline]
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut kept = Targets::NONE;
        for &number in self.as_slice() {
            if keep(number) {
                kept.push(number);
            }
        }
        *self = kept;
    }

    /// The numbers of the squares reached, rising.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[..usize::from(self.len)]
    }
}

/// A leaper on a grid of `rows` x `cols` squares with or without joined edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    /// The piece that moves.
    pub leaper: Leaper,
    /// The edges that are joined.
    pub wrap: Wrap,
}

impl Grid {
    /// The squares that a move from square `number` reaches, rising. Where edges are joined, two
    /// moves onto one square count once, and a move onto its own square is none.
    #[must_use]
    #[inline]
    pub fn targets(&self, number: u32) -> Targets {
        let from = Square::from_number(number, self.cols);
        let (deltas, count) = self.leaper.deltas();
        let mut targets = Targets::NONE;
        for &(rows, cols) in &deltas[..count] {
            let row = step(from.row, rows, self.rows, self.wrap.joins_rows());
            let col = step(from.col, cols, self.cols, self.wrap.joins_cols());
            if let (Some(row), Some(col)) = (row, col) {
                targets.push(Square::new(row, col).number(self.cols));
            }
        }
        if self.wrap != Wrap::None {
            targets.sort_merge(number);
        }
        targets
    }

    /// Whether a move leads from one square of the grid to another.
    #[must_use]
    #[inline]
    pub fn joins(&self, from: Square, to: Square) -> bool {
        let Leaper { a, b } = self.leaper;
        let (rows, cols) = (self.wrap.joins_rows(), self.wrap.joins_cols());
        let fits = |down: u32, across: u32| {
            is_apart(from.row, to.row, down, self.rows, rows) && is_apart(from.col, to.col, across, self.cols, cols)
        };
        from != to && (fits(a, b) || fits(b, a))
    }

    /// One [`Bitboard`] of targets a square, for a grid of at most 64 squares.
    #[must_use]
    pub fn table(&self) -> Box<[Bitboard]> {
        let squares = self.rows * self.cols;
        assert!(squares <= 64, "a bitboard holds at most 64 squares");
        (0..squares).map(|number| self.targets(number).as_slice().iter().copied().collect()).collect()
    }
}

impl Targets {
    /// Sorts, merges equal targets and drops the square itself (all three only with joined edges).
    fn sort_merge(&mut self, own: u32) {
        let len = usize::from(self.len);
        self.numbers[..len].sort_unstable();
        let mut kept = Targets::NONE;
        for &number in &self.numbers[..len] {
            if number != own && kept.as_slice().last() != Some(&number) {
                kept.push(number);
            }
        }
        *self = kept;
    }
}

/// Whether a step of `leg` leads from one place on an axis of `size` to another, going round if `joined`.
#[inline]
fn is_apart(from: u32, to: u32, leg: u32, size: u32, joined: bool) -> bool {
    let round = |a: u32, b: u32| (u64::from(a) + u64::from(leg)) % u64::from(size) == u64::from(b);
    from.abs_diff(to) == leg || joined && (round(from, to) || round(to, from))
}

/// `at + by` on an axis of `size`, going round if `joined`.
#[inline]
fn step(at: u32, by: i64, size: u32, joined: bool) -> Option<u32> {
    let to = i64::from(at) + by;
    if joined {
        Some(to.rem_euclid(i64::from(size)) as u32)
    } else if (0..i64::from(size)).contains(&to) {
        Some(to as u32)
    } else {
        None
    }
}

/// The greatest common divisor: of a leaper's legs, of a shift and the length of a line.
#[must_use]
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knight(rows: u32, cols: u32, wrap: Wrap) -> Grid {
        Grid { rows, cols, leaper: Leaper::KNIGHT, wrap }
    }

    #[test]
    fn a_knight_on_the_chessboard() {
        let grid = knight(8, 8, Wrap::None);
        assert_eq!(grid.targets(0).as_slice(), [10, 17]);
        assert_eq!(grid.targets(27).as_slice(), [10, 12, 17, 21, 33, 37, 42, 44]);
        let table = grid.table();
        assert_eq!(table.iter().map(|b| b.count()).sum::<u32>(), 336);
        assert!((0..64).all(|s| table[s as usize].collect::<Vec<_>>() == grid.targets(s).as_slice()));
    }

    #[test]
    fn joined_edges_merge_moves() {
        // On the 4 x 4 torus +2 and -2 are the same step, so the eight moves land on four squares.
        assert_eq!(knight(4, 4, Wrap::Both).targets(0).as_slice(), [6, 9, 11, 14]);
        // One row round: (0, 2) is out of reach, since a knight needs a row to step to.
        assert!(knight(1, 5, Wrap::Cols).targets(0).as_slice().is_empty());
        // On a 1 x 1 torus every move lands on its own square.
        assert!(knight(1, 1, Wrap::Both).targets(0).as_slice().is_empty());
    }

    #[test]
    fn two_squares_are_joined_if_one_is_a_target_of_the_other() {
        for wrap in [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both] {
            for (rows, cols) in [(1, 1), (2, 3), (3, 3), (4, 6), (7, 5)] {
                for leaper in [Leaper::KNIGHT, Leaper::new(0, 2), Leaper::new(2, 2), Leaper::new(3, 4)] {
                    let grid = Grid { rows, cols, leaper, wrap };
                    for from in 0..rows * cols {
                        for to in 0..rows * cols {
                            let square = |number| Square::from_number(number, cols);
                            let is_target = grid.targets(from).as_slice().contains(&to);
                            assert_eq!(grid.joins(square(from), square(to)), is_target, "{grid:?} {from} {to}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn leapers_with_equal_or_zero_legs_have_four_moves() {
        for (leaper, count) in [(Leaper::new(1, 1), 4), (Leaper::new(0, 1), 4), (Leaper::new(3, 1), 8)] {
            let grid = Grid { rows: 9, cols: 9, leaper, wrap: Wrap::None };
            assert_eq!(grid.targets(40).as_slice().len(), count);
            assert!(grid.targets(40).as_slice().is_sorted());
        }
    }
}
