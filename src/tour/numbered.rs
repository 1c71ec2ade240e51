//! Numbered grids and pairs (row, column): texts of numbers.

use std::fmt::Write as _;

use super::words::{covered, lines, off_board, place, quoted, unreadable};
use super::{InvalidTour, ParseTourError, Tour, place as square_place};
use crate::board::{Board, MAX_SQUARES};
use crate::moves::{Leaper, Wrap};

/// Reads a grid, or pairs.
pub(super) fn read(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let cells = Cells::read(text)?;
    if cells.are_pairs(board) {
        let pairs: Vec<(u32, u32)> = cells.numbers.as_chunks().0.iter().map(|&[row, col]| (row, col)).collect();
        return read_pairs(&pairs, board);
    }
    read_grid(cells, board)
}

/// The tour through squares given as (row, column), from 0 or from 1.
pub(super) fn read_pairs(pairs: &[(u32, u32)], board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let most = pairs.iter().fold((0, 0), |(rows, cols), &(row, col)| (rows.max(row), cols.max(col)));
    let zero = pairs.iter().any(|&(row, col)| row == 0 || col == 0);
    let first = match board {
        // From 1 only where that is what they must mean.
        Some(board) => u32::from(!zero && (most.0 == board.rows() || most.1 == board.cols())),
        None => u32::from(!zero),
    };
    let board = match board {
        Some(board) => board.clone(),
        None => covered((most.0 - first).saturating_add(1), (most.1 - first).saturating_add(1), pairs.len() as u64)?,
    };
    let mut squares = Vec::with_capacity(pairs.len());
    for (step, &(row, col)) in pairs.iter().enumerate() {
        if row - first >= board.rows() || col - first >= board.cols() {
            return Err(off_board(&board, &squares, step, &format!("({row}, {col})"), None).into());
        }
        squares.push((row - first) * board.cols() + (col - first));
    }
    Ok(Tour::new(board, squares, None)?)
}

/// The cells of a grid, row by row.
struct Cells {
    rows: usize,
    cols: usize,
    /// Their numbers; [`Cells::BLOCKED`] for blocked squares, [`Cells::HUGE`] for a number beyond any board.
    numbers: Vec<u32>,
    /// The huge numbers as they stand there.
    huge: Shown,
    /// Whether there are parentheses, as around pairs.
    parentheses: bool,
}

/// A row while it is read.
struct Row {
    /// Where it begins, in numbers and in the text.
    start: usize,
    at: usize,
    /// Whether the last thing in it was a comma.
    comma: bool,
}

impl Cells {
    const BLOCKED: u32 = u32::MAX;
    const HUGE: u32 = u32::MAX - 1;
    /// Nothing between two commas: a blocked square, unless brackets say where the rows are.
    const EMPTY: u32 = u32::MAX - 2;

    fn read(text: &str) -> Result<Cells, InvalidTour> {
        // Brackets end the rows as lines do.
        let brackets = text.contains(['[', ']', '(', ')']);
        let mut cells =
            Cells { rows: 0, cols: 0, numbers: Vec::new(), huge: Shown::default(), parentheses: text.contains('(') };
        // Where each row starts, and where in the text it does.
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for line in lines(text) {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            if is_ruler(line) {
                continue;
            }
            let mut row = Row { start: cells.numbers.len(), at, comma: true };
            let mut rest = line;
            while let Some(c) = rest.chars().next() {
                let here = rest.as_ptr() as usize - text.as_ptr() as usize;
                if c == ']' || c == ')' {
                    cells.end_row(&mut row, here, &mut starts, false);
                } else if c == ',' || c == ';' {
                    if row.comma && !brackets {
                        cells.numbers.push(Cells::EMPTY);
                    }
                    row.comma = true;
                } else if !is_space(c) {
                    let end = rest.find(|c: char| is_space(c) || ",;])".contains(c)).unwrap_or(rest.len());
                    let number = cells.number(text, &rest[..end])?;
                    cells.numbers.push(number);
                    row.comma = false;
                    rest = &rest[end..];
                    continue;
                }
                rest = &rest[c.len_utf8()..];
            }
            let empty = row.comma && !brackets && cells.numbers.len() > row.start;
            cells.end_row(&mut row, at, &mut starts, empty);
        }
        cells.trim(&mut starts);
        cells.shape(text, &starts)?;
        Ok(cells)
    }

    /// What a word means.
    fn number(&mut self, text: &str, word: &str) -> Result<u32, InvalidTour> {
        match word {
            "#" | "." => Ok(Cells::BLOCKED),
            digits if digits.bytes().all(|b| b.is_ascii_digit()) => match digits.parse() {
                Ok(number) if u64::from(number) <= MAX_SQUARES => Ok(number),
                _ => {
                    self.huge.add(|| quoted(digits).replace('"', ""));
                    Ok(Cells::HUGE)
                }
            },
            other => {
                let place = place(text, other.as_ptr() as usize - text.as_ptr() as usize);
                Err(unreadable(format!("{place}: {} is no number", quoted(other))))
            }
        }
    }

    fn end_row(&mut self, row: &mut Row, at: usize, starts: &mut Vec<(usize, usize)>, empty: bool) {
        if empty {
            self.numbers.push(Cells::EMPTY);
        }
        if self.numbers.len() > row.start {
            starts.push((row.start, row.at));
        }
        *row = Row { start: self.numbers.len(), at, comma: true };
    }

    /// Takes away what commas at the ends of lines leave there, if the lines are of one length without it.
    fn trim(&mut self, starts: &mut [(usize, usize)]) {
        let ends: Vec<usize> = starts.iter().skip(1).map(|&(start, _)| start).chain([self.numbers.len()]).collect();
        let trailing = |end: usize| self.numbers[end - 1] == Cells::EMPTY;
        let length = |(&(start, _), &end): (&(usize, usize), &usize)| end - start - usize::from(trailing(end));
        let mut lengths = starts.iter().zip(&ends).map(length);
        let first = lengths.next();
        if !ends.iter().any(|&end| end > 0 && trailing(end)) || lengths.any(|length| Some(length) != first) {
            return;
        }
        drop(lengths);
        let mut kept = 0;
        for ((start, _), end) in starts.iter_mut().zip(ends) {
            let cut = end - usize::from(self.numbers[end - 1] == Cells::EMPTY);
            self.numbers.copy_within(*start..cut, kept);
            let length = cut - *start;
            *start = kept;
            kept += length;
        }
        self.numbers.truncate(kept);
    }

    /// Checks that the rows are of one length.
    fn shape(&mut self, text: &str, starts: &[(usize, usize)]) -> Result<(), InvalidTour> {
        let ends = starts.iter().skip(1).map(|&(start, _)| start).chain([self.numbers.len()]);
        for (&(start, at), end) in starts.iter().zip(ends) {
            let found = end - start;
            if self.rows == 0 {
                self.cols = found;
            } else if found != self.cols {
                let (place, cols) = (place(text, at), self.cols);
                return Err(unreadable(format!("{place}: a row of {found} cells where the first has {cols}")));
            }
            self.rows += 1;
        }
        for number in &mut self.numbers {
            if *number == Cells::EMPTY {
                *number = Cells::BLOCKED;
            }
        }
        Ok(())
    }

    /// Whether the cells are the squares themselves: two numbers in each row, in parentheses, or some number
    /// twice; a grid of two columns has each number once.
    fn are_pairs(&self, board: Option<&Board>) -> bool {
        if self.cols != 2 || self.numbers.iter().any(|&number| number >= Cells::EMPTY) {
            return false;
        }
        if board.is_some_and(|board| (board.rows() as usize, board.cols() as usize) == (self.rows, 2)) {
            return self.parentheses && self.rows > 1;
        }
        let mut sorted = self.numbers.clone();
        sorted.sort_unstable();
        self.parentheses || self.rows > 1 && sorted.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The board that the cells draw, or the given one if they fit it.
    fn board(&self, board: Option<&Board>) -> Result<Board, ParseTourError> {
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (rows, cols) = (size(self.rows), size(self.cols));
        let cells = || (0..).zip(&self.numbers);
        let Some(board) = board else {
            let blocked = cells().filter(|&(_, &cell)| cell == Cells::BLOCKED).map(|(number, _)| number);
            return Ok(Board::build(rows, cols, blocked, Leaper::KNIGHT, Wrap::None)?);
        };
        if (board.rows(), board.cols()) != (rows, cols) {
            let board = board.describe();
            return Err(unreadable(format!(
                "the grid has {rows} rows and {cols} columns, which is not the size of the {board}"
            ))
            .into());
        }
        for (number, &cell) in cells() {
            if (cell != Cells::BLOCKED) != board.is_open(number) {
                let what =
                    if cell == Cells::BLOCKED { "no number stands on open" } else { "a number stands on blocked" };
                return Err(InvalidTour {
                    step: None,
                    squares: vec![board.square(number)],
                    message: format!("{what} square {} of the {}", square_place(board, number), board.describe()),
                    off_board: false,
                }
                .into());
            }
        }
        Ok(board.clone())
    }
}

/// What stands between numbers and means nothing.
fn is_space(c: char) -> bool {
    c.is_whitespace() || "|[('\"".contains(c)
}

/// Whether a line is drawn, as between the rows of a table.
fn is_ruler(line: &str) -> bool {
    line.contains(['-', '=', '─', '━']) && line.chars().all(|c| c.is_whitespace() || "+-=|:─━│┃┼┬┴├┤┌┐└┘".contains(c))
}

/// The first few of what may be many.
#[derive(Default)]
struct Shown {
    first: Vec<String>,
    count: usize,
}

impl Shown {
    fn add(&mut self, item: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < 20 {
            self.first.push(item());
        }
    }
}

fn read_grid(mut cells: Cells, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let board = cells.board(board)?;
    let first = if cells.numbers.contains(&0) { 0 } else { 1 };
    const NOWHERE: u32 = u32::MAX;
    let mut squares = vec![NOWHERE; board.len()];
    let mut doubled = vec![0u64; board.len().div_ceil(64)];
    let mut outside = std::mem::take(&mut cells.huge);
    for (number, &cell) in (0..).zip(&cells.numbers).filter(|&(_, &cell)| cell < Cells::HUGE) {
        let step = (cell as usize).wrapping_sub(first);
        match squares.get_mut(step) {
            Some(square) if *square == NOWHERE => *square = number,
            Some(_) => doubled[step / 64] |= 1 << (step % 64),
            None => outside.add(|| cell.to_string()),
        }
    }
    let (mut twice, mut missing) = (Shown::default(), Shown::default());
    for (step, &square) in squares.iter().enumerate() {
        if square == NOWHERE {
            missing.add(|| (step + first).to_string());
        } else if doubled[step / 64] >> (step % 64) & 1 != 0 {
            twice.add(|| (step + first).to_string());
        }
    }
    if twice.count + outside.count + missing.count > 0 {
        let mut message = format!("the grid is not numbered {first} to {}:", board.len() - 1 + first);
        for (what, list) in [("doubled", twice), ("out of range", outside), ("missing", missing)] {
            if list.count > 0 {
                let more = list.count - list.first.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let _ = write!(message, " {what} {}{more};", list.first.join(", "));
            }
        }
        message.pop();
        return Err(unreadable(message).into());
    }
    drop(cells);
    Ok(Tour::new(board, squares, None)?)
}
