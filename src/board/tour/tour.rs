//! [`Tour`]: its checker, and what is wrong with a sequence that is none.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;
use crate::board::{Board, BoardError};

/// A tour: every open square of its board once, each a move from the one before. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tour {
    board: Board,
    /// Not `Arc<[u32]>`, which would copy the hundred million squares of a large tour.
    squares: Arc<Vec<u32>>,
    closed: bool,
}

/// What is wrong with a sequence of squares or a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTour {
    /// Index of the first square that cannot go on from what stands before it; the length of the
    /// sequence if squares are missing; `None` for a grid with doubled or missing numbers.
    pub step: Option<usize>,
    /// The squares concerned: usually the one at `step` and the one before it.
    pub squares: Vec<Square>,
    /// A sentence.
    pub message: String,
    /// Whether the fault is that a square is not an open square of the board.
    pub off_board: bool,
    /// The piece and the joined edges by which each step would be a move.
    pub elsewhere: Option<(Leaper, Wrap)>,
}

impl fmt::Display for InvalidTour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidTour {}

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot be read: {message}")]
pub struct UnreadableText {
    /// What was found, where reading stopped, and what can be read.
    pub message: String,
}

/// Why a text is no tour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTourError {
    /// It describes a sequence of squares which is no tour, or a grid that cannot be one.
    #[error(transparent)]
    Invalid(#[from] InvalidTour),
    /// No reading explains the text: nothing is said of a tour.
    #[error(transparent)]
    Unreadable(#[from] UnreadableText),
    /// The board that the grid draws cannot be.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl Tour {
    /// Checks a sequence of square numbers. `closed`: `Some(true)` for a cycle, `Some(false)` for an
    /// open tour, `None` for a cycle if its ends are a move apart and it has at least three squares.
    ///
    /// Cost: one pass, one bit a square of extra memory.
    pub fn new(board: Board, squares: Vec<u32>, closed: Option<bool>) -> Result<Tour, InvalidTour> {
        check_path(&board, &squares)?;
        let ends_meet = squares.len() >= 3 && board.is_move(squares[squares.len() - 1], squares[0]);
        if closed == Some(true) && !ends_meet {
            return Err(not_a_cycle(&board, &squares));
        }
        Ok(Tour { board, squares: squares.into(), closed: closed.unwrap_or(ends_meet) })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The square numbers in order.
    #[must_use]
    pub fn squares(&self) -> &[u32] {
        &self.squares
    }

    /// Whether it is a cycle.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether its ends are a move apart, so that it could be closed.
    #[must_use]
    pub fn is_reentrant(&self) -> bool {
        let squares = &self.squares;
        squares.len() >= 3 && self.board.is_move(squares[squares.len() - 1], squares[0])
    }

    /// First square.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.squares[0]
    }

    /// Last square.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.squares[self.squares.len() - 1]
    }

    /// The step at which each square of the board is visited, by square number; `u32::MAX` on blocked
    /// squares.
    #[must_use]
    pub fn steps(&self) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.board.squares() as usize];
        for (step, &square) in self.squares.iter().enumerate() {
            steps[square as usize] = step as u32;
        }
        steps
    }

    /// The same tour from its other end. A cycle keeps its first square and runs the other way.
    #[must_use]
    pub fn reversed(&self) -> Tour {
        let mut squares = self.squares.to_vec();
        if self.closed {
            squares[1..].reverse();
        } else {
            squares.reverse();
        }
        Tour { squares: squares.into(), ..self.clone() }
    }

    /// A tour whose validity another tour vouches for: `map` is one to one on the board's squares and
    /// keeps moves (a symmetry), or the order is changed along the cycle.
    pub(crate) fn trusted(board: Board, squares: Vec<u32>, closed: bool) -> Tour {
        debug_assert!(check_path(&board, &squares).is_ok());
        Tour { board, squares: squares.into(), closed }
    }
}

/// Whether `squares` are distinct open squares, each a move from the one before: a walk, perhaps not
/// over all squares.
#[must_use]
pub fn is_walk(board: &Board, squares: &[u32]) -> bool {
    match check_path(board, squares) {
        Ok(()) => true,
        // Nothing is wrong up to the end of the sequence.
        Err(fault) => fault.step == Some(squares.len()),
    }
}

/// Checks that `squares` is an open tour of the board.
pub fn check_path(board: &Board, squares: &[u32]) -> Result<(), InvalidTour> {
    let mut seen = vec![0u64; (board.squares() as usize).div_ceil(64)];
    let (grid, table) = (board.grid(), board.table());
    let mut last = board.square(0);
    for (step, &square) in squares.iter().enumerate() {
        let before = step.checked_sub(1).map(|s| squares[s]);
        let fault = |message: String, off_board: bool| {
            Err(InvalidTour {
                step: Some(step),
                squares: before.into_iter().chain([square]).map(|s| board.square(s)).collect(),
                message: format!("step {step}: {message}"),
                off_board,
                elsewhere: None,
            })
        };
        if !board.is_open(square) {
            let why = if u64::from(square) < board.squares() { "blocked" } else { "not a square of" };
            let text = match why {
                "blocked" => format!("{} is blocked on the {}", place(board, square), board.describe()),
                _ => format!("square number {square} is not on the {}", board.describe()),
            };
            return fault(text, true);
        }
        let (word, bit) = (square as usize / 64, 1u64 << (square % 64));
        if seen[word] & bit != 0 {
            let first = squares.iter().position(|&s| s == square).unwrap_or(0);
            return fault(format!("{} was visited before, at step {first}", place(board, square)), false);
        }
        seen[word] |= bit;
        let here = board.square(square);
        // Both squares are open, so that only the distance between them matters.
        let is_move = |before: u32| match table {
            Some(table) => table[before as usize].contains(square),
            None => grid.joins(last, here),
        };
        if let Some(before) = before
            && !is_move(before)
        {
            let (a, b) = (board.leaper().a, board.leaper().b);
            let piece =
                if (a, b) == (1, 2) { "knight's move".to_owned() } else { format!("move of the ({a}, {b})-leaper") };
            return fault(format!("from {} to {} is not a {piece}", place(board, before), place(board, square)), false);
        }
        last = here;
    }
    if squares.len() < board.len() {
        let missing = board.open_squares().find(|&s| seen[s as usize / 64] >> (s % 64) & 1 == 0);
        let missing = missing.map(|s| format!("; {} is the first one missing", place(board, s))).unwrap_or_default();
        return Err(InvalidTour {
            step: Some(squares.len()),
            squares: squares.last().map(|&s| board.square(s)).into_iter().collect(),
            message: format!(
                "{} of the {} open squares of the {} are visited{missing}",
                squares.len(),
                board.len(),
                board.describe()
            ),
            off_board: false,
            elsewhere: None,
        });
    }
    Ok(())
}

fn not_a_cycle(board: &Board, squares: &[u32]) -> InvalidTour {
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let message = if squares.len() < 3 {
        format!("a closed tour has at least 3 squares, but the {} has {}", board.describe(), board.len())
    } else {
        format!(
            "this is not a closed tour: its ends {} and {} are not a move apart",
            place(board, last),
            place(board, first)
        )
    };
    InvalidTour {
        step: Some(0),
        squares: vec![board.square(last), board.square(first)],
        message,
        off_board: false,
        elsewhere: None,
    }
}

/// `(0, 1) b8`: both ways to say where.
pub(super) fn place(board: &Board, number: u32) -> String {
    format!("{} {}", board.square(number), board.name(number))
}

/// The numbered board, numbers from 1, `#` on blocked squares.
impl fmt::Display for Tour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps();
        let width = self.squares.len().to_string().len();
        let cols = self.board.cols() as usize;
        for (row, line) in steps.chunks(cols).enumerate() {
            if row > 0 {
                f.write_char('\n')?;
            }
            for (col, &step) in line.iter().enumerate() {
                if col > 0 {
                    f.write_char(' ')?;
                }
                if step == u32::MAX { write!(f, "{:>width$}", '#')? } else { write!(f, "{:>width$}", step + 1)? }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Tour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.closed { "closed" } else { "open" };
        write!(f, "{kind} tour of the {} from {}", self.board.describe(), self.board.name(self.start()))?;
        if self.squares.len() <= 400 { write!(f, "\n{self}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of the 16 tours of 3x4 (from 0), found by hand.
    const TOUR_3X4: [u32; 12] = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11];

    fn board(rows: u32, cols: u32) -> Board {
        Board::new(rows, cols).unwrap()
    }

    fn invalid(result: Result<Tour, ParseTourError>) -> InvalidTour {
        match result.unwrap_err() {
            ParseTourError::Invalid(error) => error,
            error => panic!("{error}"),
        }
    }

    fn check(squares: &[u32]) -> InvalidTour {
        Tour::new(board(3, 4), squares.to_vec(), None).unwrap_err()
    }

    #[test]
    fn a_tour_goes_both_ways_through_text() {
        let tour = Tour::new(board(3, 4), TOUR_3X4.to_vec(), None).unwrap();
        assert!(!tour.is_closed() && !tour.is_reentrant());
        let text = " 1  4  7 10\n 8 11  2  5\n 3  6  9 12";
        assert_eq!(tour.to_string(), text);
        for grid in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}\n\n{text}\n\n"),
            "0 3 6 9\n7,10,1,4\n[2\t5;8|11]".to_owned(),
            "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1".to_owned(),
            "\r\nA3-C2-A1, B3;D2\r\nb1 c3 a2\u{a0}c1 d3 b2 d1\r\n".to_owned(),
        ] {
            assert_eq!(Tour::parse(&grid, None).unwrap(), tour, "{grid:?}");
            assert_eq!(Tour::parse(&grid, Some(&board(3, 4))).unwrap(), tour, "{grid:?}");
        }
    }

    #[test]
    fn blocked_squares_are_read_and_written() {
        let tour = Tour::parse("1 6 3\n4 # 8\n7 2 5", None).unwrap();
        assert!(tour.is_closed());
        assert_eq!(tour.board().blocked_squares().collect::<Vec<_>>(), [4]);
        assert_eq!(tour.to_string(), "1 6 3\n4 # 8\n7 2 5");
        assert_eq!(Tour::parse("1 6 3\n4 . 8\n7 2 5", Some(tour.board())).unwrap(), tour);
        for (grid, quoted) in
            [("1 6 3\n4 9 8\n7 2 5", "has a number, but is blocked"), ("1 6 3\n4 # 8\n7 2 #", "has no number (c1)")]
        {
            let error = invalid(Tour::parse(grid, Some(tour.board())));
            assert!(error.message.contains(quoted) && error.step.is_none(), "{error}");
            assert_eq!(error.squares.len(), 1);
        }
        let error = Tour::new(tour.board().clone(), vec![0, 5, 4, 1], None).unwrap_err();
        assert_eq!((error.step, error.off_board), (Some(2), true));
        assert!(error.message.contains("blocked"), "{error}");
    }

    #[test]
    fn the_first_bad_step_is_named() {
        let square = |number| board(3, 4).square(number);
        // A step that is no move, even if worse comes later.
        let error = check(&[0, 6, 8, 2, 99]);
        assert_eq!((error.step, error.squares, error.off_board), (Some(3), vec![square(8), square(2)], false));
        // A square visited before.
        let error = check(&[0, 6, 0]);
        assert_eq!((error.step, error.squares), (Some(2), vec![square(6), square(0)]));
        assert!(error.message.contains("visited before, at step 0"), "{}", error.message);
        // One off the board.
        let error = check(&[0, 12]);
        assert_eq!((error.step, error.off_board), (Some(1), true));
        // Missing ones, and one too many.
        let error = check(&TOUR_3X4[..11]);
        assert_eq!((error.step, error.squares), (Some(11), vec![square(5)]));
        assert!(error.message.contains("11 of the 12") && error.message.contains("d1"), "{}", error.message);
        let error = check(&[&TOUR_3X4[..], &[0]].concat());
        assert_eq!(error.step, Some(12));
        assert_eq!(check(&[]).step, Some(0));
    }

    #[test]
    fn closed_tours_must_close() {
        let ring = Tour::parse("1 6 3\n4 # 8\n7 2 5", None).unwrap();
        let (board, squares) = (ring.board().clone(), ring.squares().to_vec());
        let open = Tour::new(board.clone(), squares.clone(), Some(false)).unwrap();
        assert!(!open.is_closed() && open.is_reentrant() && open != ring);
        assert_eq!(Tour::new(board, squares, Some(true)).unwrap(), ring);
        let error = Tour::new(Board::new(3, 4).unwrap(), TOUR_3X4.to_vec(), Some(true)).unwrap_err();
        assert!(error.message.contains("not a move apart"), "{error}");
        let single = Tour::new(Board::new(1, 1).unwrap(), vec![0], None).unwrap();
        assert!(!single.is_closed());
        assert!(Tour::new(Board::new(1, 1).unwrap(), vec![0], Some(true)).is_err());
    }

    #[test]
    fn two_printed_grids_that_are_no_tours() {
        // An 8x8 grid in which 19, 22 and 43 stand twice, so that 8, 9 and 21 are nowhere.
        let mut numbers: Vec<u32> = (1..=64).collect();
        numbers.rotate_left(17);
        for (missing, doubled) in [(8, 19), (9, 22), (21, 43)] {
            *numbers.iter_mut().find(|n| **n == missing).unwrap() = doubled;
        }
        let lines: Vec<String> =
            numbers.chunks(8).map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")).collect();
        let error = invalid(Tour::parse(&lines.join("\n"), None));
        let said = "read as an 8x8 grid numbered from 1: the grid is not numbered 1 to 64: doubled 19, 22, 43; missing 8, 9, 21";
        assert_eq!(error.message, said);
        assert_eq!(error.step, None);
        // A 5x5 grid with all numbers, in which 5 to 6 is no move: the square of 6 has changed places
        // with that of 25.
        let grid = " 1 20  9 14  3\n10 15  2 19 24\n21  8  6  4 13\n16 11 25 23 18\n 7 22 17 12  5";
        let error = invalid(Tour::parse(grid, None));
        assert_eq!((error.step, error.squares), (Some(5), vec![Square::new(4, 4), Square::new(2, 2)]));
        let said = "read as a 5x5 grid numbered from 1: step 5: from (4, 4) e1 to (2, 2) c3 is not a knight's move";
        assert_eq!(error.message, said);
    }

    #[test]
    fn faulty_texts_are_refused_with_what_was_read() {
        let huge = "9".repeat(1000);
        let long = "x".repeat(1000);
        let not = "read as ";
        let unreadable = "cannot be read: ";
        for (text, verdict, quoted) in [
            ("", unreadable, "empty"),
            (" \n\t", unreadable, "empty"),
            ("1 2\n3", unreadable, "line 2, column 1: 1 number, but the first row has 2"),
            ("1 2\n3 é", unreadable, "\"é\" is neither a number nor a square"),
            ("1 2.5", unreadable, "\"2.5\" is not the number of a step"),
            ("hello", unreadable, "line 1, column 1: \"hello\""),
            ("1 2 3", unreadable, "3 numbers"),
            (&format!("a1 {long}"), unreadable, "\"xxxx"),
            ("# #", unreadable, "0 numbers"),
            ("11 8 5 0\n0 3 10 7\n9 6 1 4", not, "0 to 11: doubled 0; missing 2"),
            (&format!("1 {huge}\n3 2"), not, "out of range 9999"),
            ("a1 b3", not, "2 of the 6 open squares of the 3x2 board"),
            ("1 4 7 .\n. . 2 5\n3 6 . .", not, "5 of the 12 squares have no number"),
            ("a1 b2147483648", unreadable, "smallest rectangle"),
        ] {
            let message = Tour::parse(text, None).unwrap_err().to_string();
            assert!(message.starts_with(verdict) && message.contains(quoted) && message.len() < 300, "{message}");
        }
        let error = invalid(Tour::parse("1 2\n3 4", Some(&board(3, 4))));
        assert!(error.message.contains("2 rows and 2 columns") && error.message.contains("3x4"), "{error}");
        // Of names, too, the first bad step is the one before the name that is none.
        let error = invalid(Tour::parse("a1 b3 b1 z9", Some(&board(3, 4))));
        assert_eq!((error.step, error.off_board), (Some(2), false));
        let error = invalid(Tour::parse("a1 b3 z9", Some(&board(3, 4))));
        assert_eq!((error.step, error.off_board), (Some(2), true));
        // A message lists a few of many.
        let mut numbers: Vec<u32> = (1..=100).collect();
        numbers[50..].fill(1);
        let lines: Vec<String> =
            numbers.chunks(10).map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")).collect();
        let message = Tour::parse(&lines.join("\n"), Some(&board(10, 10))).unwrap_err().to_string();
        assert!(message.contains("and 30 more"), "{message}");
    }

    #[test]
    fn reversing_keeps_the_first_square_of_a_cycle() {
        let ring = Tour::parse("1 6 3\n4 # 8\n7 2 5", None).unwrap();
        assert_eq!(ring.reversed().start(), ring.start());
        assert_eq!(ring.reversed().squares()[1], ring.end());
        let open = Tour::new(board(3, 4), TOUR_3X4.to_vec(), None).unwrap();
        assert_eq!((open.reversed().start(), open.reversed().end()), (11, 0));
        assert_eq!(open.steps()[..4], [0, 3, 6, 9]);
    }
}
