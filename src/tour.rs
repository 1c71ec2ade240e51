//! [`Tour`]: a sequence of squares that has been checked, and numbered grids in and out.
//!
//! The checker is the judge of every engine: it shares nothing with them but the board's moves.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::board::{Board, BoardError};
use crate::moves::{Leaper, Wrap};
use crate::square::Square;

/// A tour: every open square of its board once, each a move from the one before. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tour {
    board: Board,
    squares: Arc<[u32]>,
    closed: bool,
}

/// What is wrong with a sequence of squares or a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTour {
    /// Index of the first square that cannot go on from what stands before it; the length of the
    /// sequence if squares are missing; `None` for a grid with doubled or missing numbers.
    pub step: Option<usize>,
    /// The squares concerned: usually the one at `step` and the one before it.
    pub squares: Vec<u32>,
    /// A sentence.
    pub message: String,
    /// Whether the fault is that a square is not an open square of the board.
    pub off_board: bool,
}

impl fmt::Display for InvalidTour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidTour {}

/// Why a text is no tour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTourError {
    /// It describes a sequence of squares which is no tour, or a grid that cannot be one.
    #[error(transparent)]
    Invalid(#[from] InvalidTour),
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

    /// Reads a numbered grid (numbers from 0 or from 1; `#` or `.` is a blocked square) or a list of
    /// square names. Without a board a grid draws its own, and names take the smallest rectangle
    /// that they cover fully.
    pub fn parse(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
        let text = text.trim_start_matches('\u{feff}');
        let is_names = text.split([' ', '\t', '\n', '\r', ',', ';', '-']).find(|word| !word.is_empty());
        match is_names {
            None => Err(unreadable("the text is empty: a tour has at least one square".to_owned()).into()),
            Some(word) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => parse_names(text, board),
            Some(_) => parse_grid(text, board),
        }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The square numbers in order.
    #[must_use]
    pub fn squares(&self) -> &Arc<[u32]> {
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

/// Checks that `squares` is an open tour of the board.
pub fn check_path(board: &Board, squares: &[u32]) -> Result<(), InvalidTour> {
    let mut seen = vec![0u64; (board.squares() as usize).div_ceil(64)];
    for (step, &square) in squares.iter().enumerate() {
        let before = step.checked_sub(1).map(|s| squares[s]);
        let fault = |message: String, off_board: bool| {
            Err(InvalidTour {
                step: Some(step),
                squares: before.into_iter().chain([square]).collect(),
                message: format!("step {step}: {message}"),
                off_board,
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
        if let Some(before) = before
            && !board.is_move(before, square)
        {
            let (a, b) = (board.leaper().a, board.leaper().b);
            let piece = if (a, b) == (1, 2) { "knight's move".to_owned() } else { format!("({a}, {b}) move") };
            return fault(format!("from {} to {} is no {piece}", place(board, before), place(board, square)), false);
        }
    }
    if squares.len() < board.len() {
        let missing = board.open_squares().find(|&s| seen[s as usize / 64] >> (s % 64) & 1 == 0);
        let missing = missing.map(|s| format!("; {} is the first one missing", place(board, s))).unwrap_or_default();
        return Err(InvalidTour {
            step: Some(squares.len()),
            squares: squares.last().copied().into_iter().collect(),
            message: format!(
                "{} of the {} open squares of the {} are visited{missing}",
                squares.len(),
                board.len(),
                board.describe()
            ),
            off_board: false,
        });
    }
    Ok(())
}

fn not_a_cycle(board: &Board, squares: &[u32]) -> InvalidTour {
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let message = if squares.len() < 3 {
        format!("a closed tour has at least 3 squares, and the {} has {}", board.describe(), board.len())
    } else {
        format!("the ends {} and {} are not a move apart: not a closed tour", place(board, last), place(board, first))
    };
    InvalidTour { step: Some(0), squares: vec![last, first], message, off_board: false }
}

/// `(0, 1) b8`: both ways to say where.
fn place(board: &Board, number: u32) -> String {
    format!("{} {}", board.square(number), board.name(number))
}

fn unreadable(message: String) -> InvalidTour {
    InvalidTour { step: None, squares: Vec::new(), message, off_board: false }
}

fn parse_names(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let words: Vec<&str> = text.split([' ', '\t', '\n', '\r', ',', ';', '-']).filter(|w| !w.is_empty()).collect();
    let board = match board {
        Some(board) => board.clone(),
        None => {
            // On a board with 2^31 rows `a1` is row 2^31 - 1, so the rank is what is left of it.
            const TALL: u32 = 1 << 31;
            let mut size = (0, 0);
            for word in &words {
                let square = Square::from_name(word, TALL, TALL)
                    .ok_or_else(|| unreadable(format!("{word:?} is no name of a square")))?;
                size = (size.0.max(TALL - square.row), size.1.max(square.col + 1));
            }
            if u64::from(size.0) * u64::from(size.1) != words.len() as u64 {
                return Err(unreadable(format!(
                    "{} squares do not cover the smallest rectangle around them, {}x{}; give the board",
                    words.len(),
                    size.0,
                    size.1
                ))
                .into());
            }
            Board::new(size.0, size.1)?
        }
    };
    let mut squares = Vec::with_capacity(words.len());
    for (step, word) in words.iter().enumerate() {
        match Square::from_name(word, board.rows(), board.cols()) {
            Some(square) => squares.push(square.number(board.cols())),
            None => {
                return Err(InvalidTour {
                    step: Some(step),
                    squares: squares.last().copied().into_iter().collect(),
                    message: format!("step {step}: {word:?} is no square of the {}", board.describe()),
                    off_board: true,
                }
                .into());
            }
        }
    }
    Ok(Tour::new(board, squares, None)?)
}

fn parse_grid(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let rows: Vec<(usize, Vec<&str>)> = text
        .lines()
        .enumerate()
        .map(|(line, text)| {
            let words = text.split(|c: char| c.is_whitespace() || ",;|[]()".contains(c));
            (line + 1, words.filter(|w| !w.is_empty()).collect())
        })
        .filter(|(_, words): &(usize, Vec<&str>)| !words.is_empty())
        .collect();
    let mut cells: Vec<Option<u64>> = Vec::new();
    let cols = rows.first().map_or(0, |(_, words)| words.len());
    for (line, words) in &rows {
        if words.len() != cols {
            return Err(unreadable(format!(
                "line {line} of the grid has {} cells where the first has {cols}",
                words.len()
            ))
            .into());
        }
        for (column, word) in words.iter().enumerate() {
            cells.push(match *word {
                "#" | "." => None,
                digits if digits.bytes().all(|b| b.is_ascii_digit()) && digits.len() <= 19 => digits.parse().ok(),
                other => {
                    let other: String = other.chars().take(40).collect();
                    let column = column + 1;
                    return Err(
                        unreadable(format!("line {line}, cell {column} of the grid: {other:?} is no number")).into()
                    );
                }
            });
        }
    }
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let board = match board {
        None => {
            let blocked = cells.iter().enumerate().filter(|(_, cell)| cell.is_none()).map(|(n, _)| n as u32);
            Board::build(size(rows.len()), size(cols), blocked, Leaper::KNIGHT, Wrap::None)?
        }
        Some(board) if (board.rows(), board.cols()) != (size(rows.len()), size(cols)) => {
            return Err(unreadable(format!(
                "the grid has {} rows and {cols} columns, which is not the size of the {}",
                rows.len(),
                board.describe()
            ))
            .into());
        }
        Some(board) => {
            for (number, cell) in cells.iter().enumerate() {
                let number = number as u32;
                if cell.is_some() != board.is_open(number) {
                    let what = if cell.is_some() { "a number stands on blocked" } else { "no number stands on open" };
                    return Err(InvalidTour {
                        step: None,
                        squares: vec![number],
                        message: format!("{what} square {} of the {}", place(board, number), board.describe()),
                        off_board: false,
                    }
                    .into());
                }
            }
            board.clone()
        }
    };
    let numbers: Vec<u64> = cells.iter().flatten().copied().collect();
    let first = if numbers.contains(&0) { 0 } else { 1 };
    let mut squares = vec![u32::MAX; board.len()];
    let (mut doubled, mut outside) = (Vec::new(), Vec::new());
    for (number, cell) in cells.iter().enumerate() {
        let Some(value) = *cell else { continue };
        match value.checked_sub(first).map(|step| squares.get_mut(step as usize)) {
            Some(Some(place)) if *place == u32::MAX => *place = number as u32,
            Some(Some(_)) => doubled.push(value),
            _ => outside.push(value),
        }
    }
    let missing: Vec<u64> =
        squares.iter().enumerate().filter(|(_, s)| **s == u32::MAX).map(|(step, _)| step as u64 + first).collect();
    if !(doubled.is_empty() && outside.is_empty() && missing.is_empty()) {
        let last = board.len() as u64 - 1 + first;
        let mut message = format!("the grid is not numbered {first} to {last}:");
        for (what, list) in [("doubled", &mut doubled), ("out of range", &mut outside), ("missing", &mut { missing })] {
            list.sort_unstable();
            list.dedup();
            if !list.is_empty() {
                let shown: Vec<String> = list.iter().take(20).map(u64::to_string).collect();
                let more = if list.len() > 20 { format!(" and {} more", list.len() - 20) } else { String::new() };
                let _ = write!(message, " {what} {}{more};", shown.join(", "));
            }
        }
        message.pop();
        return Err(unreadable(message).into());
    }
    Ok(Tour::new(board, squares, None)?)
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
