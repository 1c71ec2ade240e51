//! [`Board`]: its size, its blocked squares, the leaper that moves on it and the edges that are joined.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::board::Bitboard;
use crate::board::moves::{Grid, Leaper, Targets, Wrap};
use crate::board::square::Square;

/// The most squares a board may have, blocked ones included.
pub const MAX_SQUARES: u64 = 1 << 31;

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side is zero, or the squares are too many.
    #[error(
        "a board of {rows} x {cols} squares: both sides must be at least 1, and there can be at most 2,147,483,648 squares"
    )]
    Size {
        /// Rows asked for.
        rows: u64,
        /// Columns asked for.
        cols: u64,
    },
    /// A (0, 0)-leaper never leaves its square.
    #[error("a (0, 0)-leaper does not move")]
    Leaper,
    /// A blocked square is not on the board.
    #[error("blocked square number {number} is not on the {rows}x{cols} board")]
    Blocked {
        /// The number given.
        number: u32,
        /// Rows of the board.
        rows: u32,
        /// Columns of the board.
        cols: u32,
    },
    /// No square is open.
    #[error("all {0} squares of the board are blocked; at least one must be open")]
    NoOpenSquare(u64),
    /// A picture has a letter that is neither `.` nor `#`.
    #[error("line {line}, column {column} of the picture: {found:?} is neither '.' (open) nor '#' (blocked)")]
    Letter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A picture has lines of different lengths.
    #[error("line {line} of the picture has {found} squares, but the first line has {expected}: {text:?}")]
    Ragged {
        /// Line, from 1.
        line: usize,
        /// Squares of the first line.
        expected: usize,
        /// Squares of this line.
        found: usize,
        /// The line, shortened.
        text: String,
    },
    /// A picture without lines.
    #[error("the picture is empty: a board has at least one square")]
    EmptyPicture,
}

/// A board. Cheap to clone, immutable, comparable and hashable.
///
/// ```
/// use knightstour::Board;
/// let board = Board::new(3, 4)?;
/// assert_eq!(board.len(), 12);
/// assert_eq!(board.moves(0).as_slice(), [6, 9]);
/// assert_eq!(board.to_string(), "....\n....\n....");
/// # Ok::<(), knightstour::BoardError>(())
/// ```
#[derive(Clone)]
pub struct Board {
    shared: Arc<Shared>,
}

struct Shared {
    grid: Grid,
    blocked: Blocked,
    /// The targets of each square, blocked ones left out, where the board fits one word.
    table: Option<Box<[Bitboard]>>,
}

/// The blocked squares as a bit each; empty where none is blocked.
#[derive(PartialEq, Eq, Hash)]
struct Blocked {
    words: Vec<u64>,
    count: u64,
}

impl Blocked {
    #[inline]
    fn contains(&self, number: u32) -> bool {
        self.count > 0 && self.words[number as usize / 64] >> (number % 64) & 1 != 0
    }
}

impl Board {
    /// A plain board of `rows` x `cols` squares for the knight.
    pub fn new(rows: u32, cols: u32) -> Result<Board, BoardError> {
        Board::build(rows, cols, [], Leaper::KNIGHT, Wrap::None)
    }

    /// A board with everything a board can have. `blocked` holds square numbers; repeats are harmless.
    ///
    /// Memory: one bit a square if any square is blocked, else none that grows with the board.
    pub fn build(
        rows: u32,
        cols: u32,
        blocked: impl IntoIterator<Item = u32>,
        leaper: Leaper,
        wrap: Wrap,
    ) -> Result<Board, BoardError> {
        let squares = u64::from(rows) * u64::from(cols);
        if squares == 0 || squares > MAX_SQUARES {
            return Err(BoardError::Size { rows: rows.into(), cols: cols.into() });
        }
        if leaper.b == 0 {
            return Err(BoardError::Leaper);
        }
        let mut bits = Blocked { words: Vec::new(), count: 0 };
        for number in blocked {
            if u64::from(number) >= squares {
                return Err(BoardError::Blocked { number, rows, cols });
            }
            if bits.words.is_empty() {
                bits.words = vec![0; squares.div_ceil(64) as usize];
            }
            let (word, bit) = (number as usize / 64, 1 << (number % 64));
            if bits.words[word] & bit == 0 {
                bits.words[word] |= bit;
                bits.count += 1;
            }
        }
        if bits.count == squares {
            return Err(BoardError::NoOpenSquare(squares));
        }
        let grid = Grid { rows, cols, leaper, wrap };
        let table = (squares <= 64).then(|| {
            let mut table = grid.table();
            if let Some(&word) = bits.words.first() {
                for (number, targets) in table.iter_mut().enumerate() {
                    let here = word >> number & 1 != 0;
                    *targets = if here { Bitboard::EMPTY } else { targets.minus(Bitboard(word)) };
                }
            }
            table
        });
        Ok(Board { shared: Arc::new(Shared { grid, blocked: bits, table }) })
    }

    /// Reads a picture: one line a row, `.` for an open square, `#` for a blocked one. White space
    /// around lines, and empty lines before and after, do not count.
    pub fn parse(picture: &str, leaper: Leaper, wrap: Wrap) -> Result<Board, BoardError> {
        let text = picture.trim_start_matches('\u{feff}').trim_end();
        let lines = text.lines().map(str::trim).enumerate().skip_while(|(_, line)| line.is_empty());
        let (mut rows, mut cols) = (0, 0);
        let mut blocked = Vec::new();
        for (line, text) in lines {
            let found = text.chars().count();
            if rows == 0 {
                cols = found;
            }
            if found != cols {
                let text = text.chars().take(40).collect();
                return Err(BoardError::Ragged { line: line + 1, expected: cols, found, text });
            }
            if (rows + 1) as u64 * cols as u64 > MAX_SQUARES {
                return Err(BoardError::Size { rows: rows as u64 + 1, cols: cols as u64 });
            }
            for (col, letter) in text.chars().enumerate() {
                match letter {
                    '.' => {}
                    '#' => blocked.push((rows * cols + col) as u32),
                    found => return Err(BoardError::Letter { line: line + 1, column: col + 1, found }),
                }
            }
            rows += 1;
        }
        if rows == 0 {
            return Err(BoardError::EmptyPicture);
        }
        Board::build(rows as u32, cols as u32, blocked, leaper, wrap)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.shared.grid.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn cols(&self) -> u32 {
        self.shared.grid.cols
    }

    /// The piece that moves.
    #[must_use]
    pub fn leaper(&self) -> Leaper {
        self.shared.grid.leaper
    }

    /// The edges that are joined.
    #[must_use]
    pub fn wrap(&self) -> Wrap {
        self.shared.grid.wrap
    }

    /// Size, leaper and joined edges, without the blocked squares.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.shared.grid
    }

    /// Number of squares, blocked ones included.
    #[must_use]
    pub fn squares(&self) -> u64 {
        u64::from(self.rows()) * u64::from(self.cols())
    }

    /// Number of open squares: what a tour visits.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a board is never empty")]
    pub fn len(&self) -> usize {
        (self.squares() - self.shared.blocked.count) as usize
    }

    /// Whether no square is blocked.
    #[must_use]
    pub fn is_rectangle(&self) -> bool {
        self.shared.blocked.count == 0
    }

    /// Whether this is a plain rectangle for the knight: no holes, no joined edges.
    #[must_use]
    pub fn is_knights_rectangle(&self) -> bool {
        self.is_rectangle() && self.leaper() == Leaper::KNIGHT && self.wrap() == Wrap::None
    }

    /// Whether the number is that of a square of the board which is not blocked.
    #[must_use]
    #[inline]
    pub fn is_open(&self, number: u32) -> bool {
        u64::from(number) < self.squares() && !self.shared.blocked.contains(number)
    }

    /// The numbers of the open squares, rising.
    pub fn open_squares(&self) -> impl Iterator<Item = u32> + '_ {
        // The last number may be u32::MAX / 2: a range of u64 avoids its overflow past the end.
        (0..self.squares()).map(|n| n as u32).filter(|&n| !self.shared.blocked.contains(n))
    }

    /// The numbers of the blocked squares, rising.
    pub fn blocked_squares(&self) -> impl Iterator<Item = u32> + '_ {
        self.shared
            .blocked
            .words
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Bitboard(bits).map(move |bit| word as u32 * 64 + bit))
    }

    /// The open squares a move away from an open square, rising. At most eight; a table look-up on
    /// boards of up to 64 squares, arithmetic beyond.
    #[must_use]
    #[inline]
    pub fn moves(&self, number: u32) -> Targets {
        if let Some(table) = &self.shared.table {
            return Targets::from_set(table[number as usize]);
        }
        let mut targets = self.shared.grid.targets(number);
        if self.shared.blocked.count > 0 {
            if self.shared.blocked.contains(number) {
                targets.retain(|_| false);
            } else {
                targets.retain(|to| !self.shared.blocked.contains(to));
            }
        }
        targets
    }

    /// The number of open squares a move away from an open square; 0 from a blocked one.
    #[must_use]
    #[inline]
    pub fn degree(&self, number: u32) -> u32 {
        match &self.shared.table {
            Some(table) => table[number as usize].count(),
            None => self.moves(number).as_slice().len() as u32,
        }
    }

    /// The bitboards of moves, one a square (empty for blocked ones), on boards of up to 64 squares.
    #[must_use]
    pub fn table(&self) -> Option<&[Bitboard]> {
        self.shared.table.as_deref()
    }

    /// Whether two open squares are a move apart.
    #[must_use]
    #[inline]
    pub fn is_move(&self, from: u32, to: u32) -> bool {
        match &self.shared.table {
            Some(table) => {
                (from as usize) < table.len() && (to as usize) < table.len() && table[from as usize].contains(to)
            }
            None => {
                self.is_open(from) && self.is_open(to) && self.shared.grid.joins(self.square(from), self.square(to))
            }
        }
    }

    /// The square with this number.
    #[must_use]
    pub fn square(&self, number: u32) -> Square {
        Square::from_number(number, self.cols())
    }

    /// The name of the square with this number.
    #[must_use]
    pub fn name(&self, number: u32) -> String {
        self.square(number).name(self.rows())
    }

    /// Rows, columns and all that is not plain, for messages: `8x8`, `8x8 board with 3 blocked squares`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = format!("{}x{} board", self.rows(), self.cols());
        let blocked = self.shared.blocked.count;
        if blocked > 0 {
            text += &format!(" with {blocked} blocked square{}", if blocked == 1 { "" } else { "s" });
        }
        if self.leaper() != Leaper::KNIGHT {
            text += &format!(" for the ({}, {})-leaper", self.leaper().a, self.leaper().b);
        }
        match self.wrap() {
            Wrap::None => {}
            Wrap::Cols => text += " with left and right joined",
            Wrap::Rows => text += " with top and bottom joined",
            Wrap::Both => text += " with both pairs of edges joined",
        }
        text
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
            || (self.shared.grid == other.shared.grid && self.shared.blocked == other.shared.blocked)
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shared.grid.hash(state);
        // Holes alone tell boards of one size apart; hashing the numbers costs no more than the holes.
        for number in self.blocked_squares() {
            number.hash(state);
        }
    }
}

/// The picture: `.` for open squares, `#` for blocked ones.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for row in 0..self.rows() {
            if row > 0 {
                f.write_char('\n')?;
            }
            for col in 0..self.cols() {
                let open = !self.shared.blocked.contains(Square::new(row, col).number(self.cols()));
                f.write_char(if open { '.' } else { '#' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.describe())?;
        if self.squares() <= 10_000 { fmt::Display::fmt(self, f) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(picture: &str) -> Result<Board, BoardError> {
        Board::parse(picture, Leaper::KNIGHT, Wrap::None)
    }

    #[test]
    fn pictures_go_both_ways() {
        let board = parse("\n  ..#.\r\n  ....\n  #...\n\n").unwrap();
        assert_eq!(board.to_string(), "..#.\n....\n#...");
        assert_eq!(board.blocked_squares().collect::<Vec<_>>(), [2, 8]);
        assert_eq!((board.len(), board.squares()), (10, 12));
        assert_eq!(parse(&board.to_string()).unwrap(), board);
    }

    #[test]
    fn blocked_squares_have_no_moves() {
        let board = Board::build(8, 8, [17], Leaper::KNIGHT, Wrap::None).unwrap();
        assert_eq!(board.moves(0).as_slice(), [10]);
        assert!(board.moves(17).as_slice().is_empty());
        assert!(!board.is_move(0, 17) && board.is_move(0, 10));
        for number in 0..64 {
            assert_eq!(board.table().unwrap()[number as usize].collect::<Vec<_>>(), board.moves(number).as_slice());
        }
    }

    #[test]
    fn bad_boards_are_refused_with_what_was_given() {
        for (result, quoted) in [
            (Board::new(0, 5), "0 x 5"),
            (Board::new(65536, 65536), "65536 x 65536"),
            (Board::build(2, 2, [4], Leaper::KNIGHT, Wrap::None), "number 4"),
            (Board::build(2, 2, 0..4, Leaper::KNIGHT, Wrap::None), "all 4 squares"),
            (Board::build(2, 2, [], Leaper::new(0, 0), Wrap::None), "(0, 0)-leaper"),
            (parse("..\n..."), "line 2"),
            (parse("..\n.x"), "'x'"),
            (parse(" \n"), "empty"),
            (parse("##"), "all 2 squares"),
        ] {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(quoted), "{message}");
        }
    }

    #[test]
    fn the_largest_board_costs_nothing() {
        let board = Board::new(1 << 16, 1 << 15).unwrap();
        let last = (board.squares() - 1) as u32;
        assert_eq!(board.moves(last).as_slice().len(), 2);
        assert!(board.is_open(last) && !board.is_open(last + 1));
    }
}
