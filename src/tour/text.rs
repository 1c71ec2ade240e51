//! Reading tours that people and programs write.
//!
//! What a text is shows in its first word: `{` begins JSON, a letter a list of names or the head of a table, anything
//! else numbers. Lines may end as on any system, white space is any, and a byte-order mark is skipped. What cannot
//! be read is told with its line and its column, both from 1.

use super::words::{around_names, lines, off_board, place, quoted, unreadable, words};
use super::{ParseTourError, Tour, json, numbered};
use crate::board::Board;
use crate::square::Square;

/// Reads a tour in any of the forms.
pub(super) fn read(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let text = text.trim_start_matches('\u{feff}');
    match words(text).next() {
        None => Err(unreadable("the text is empty: a tour has at least one square".to_owned()).into()),
        Some(first) if first.text.starts_with('{') => json::read(text, board),
        Some(first) if first.text.starts_with(|c: char| c.is_ascii_alphabetic()) => match Head::read(text) {
            Some(head) => read_table(text, &head, board),
            None => read_names(text, board),
        },
        Some(_) => numbered::read(text, board),
    }
}

fn read_names(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let board = match board {
        Some(board) => board.clone(),
        None => {
            let named = words(text).map(|word| (word.text, move || word.place(text)));
            around_names(named)?
        }
    };
    let mut squares = Vec::new();
    for (step, word) in words(text).enumerate() {
        let Some(square) = Square::from_name(word.text, board.rows(), board.cols()) else {
            return Err(off_board(&board, &squares, step, &quoted(word.text), Some(word.place(text))).into());
        };
        squares.push(square.number(board.cols()));
    }
    Ok(Tour::new(board, squares, None)?)
}

/// The head of a table with a line a square: which of its columns say what.
struct Head {
    columns: usize,
    step: Option<usize>,
    square: SquareColumns,
}

enum SquareColumns {
    Name(usize),
    Pair(usize, usize),
}

/// The cells of a line of a table.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = [',', ';', '\t'].into_iter().find(|&separator| line.contains(separator));
    let white = separator.is_none();
    line.split(move |c: char| separator.map_or(c.is_whitespace(), |separator| c == separator))
        .map(|cell| cell.trim().trim_matches('"'))
        .filter(move |cell| !white || !cell.is_empty())
}

impl Head {
    /// The head, if the first line is one: words that name columns, and no others.
    fn read(text: &str) -> Option<Head> {
        let line = lines(text).find(|line| !line.trim().is_empty())?;
        let (mut step, mut name, mut row, mut col, mut columns) = (None, None, None, None, 0);
        for cell in cells(line) {
            let slot = match cell.to_ascii_lowercase().as_str() {
                "step" | "number" | "move" => &mut step,
                "square" | "name" => &mut name,
                "row" => &mut row,
                "col" | "column" => &mut col,
                _ => return None,
            };
            if slot.replace(columns).is_some() {
                return None;
            }
            columns += 1;
        }
        let square = match (name, row, col) {
            (Some(name), _, _) => SquareColumns::Name(name),
            (None, Some(row), Some(col)) => SquareColumns::Pair(row, col),
            _ => return None,
        };
        Some(Head { columns, step, square })
    }
}

fn read_table(text: &str, head: &Head, board: Option<&Board>) -> Result<Tour, ParseTourError> {
    let at = |part: &str| place(text, part.as_ptr() as usize - text.as_ptr() as usize);
    let number = |cell: &str| {
        let digits = !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
        let number = digits.then(|| cell.parse::<u32>().ok()).flatten();
        number.ok_or_else(|| unreadable(format!("{}: {} is no number of a square or step", at(cell), quoted(cell))))
    };
    let mut records = Vec::new();
    for line in lines(text).filter(|line| !line.trim().is_empty()).skip(1) {
        let cells: Vec<&str> = cells(line).take(head.columns + 1).collect();
        if cells.len() != head.columns {
            let (where_to, columns) = (at(line), head.columns);
            return Err(unreadable(format!("{where_to}: the head has {columns} cells, and this line has not")).into());
        }
        let step = match head.step {
            Some(column) => number(cells[column])?,
            None => records.len() as u32,
        };
        let square = match head.square {
            SquareColumns::Name(column) => Cell::Name(cells[column]),
            SquareColumns::Pair(row, col) => Cell::Pair(number(cells[row])?, number(cells[col])?),
        };
        records.push((step, square));
    }
    records.sort_by_key(|&(step, _)| step);
    let first = records.first().map_or(0, |&(step, _)| step.min(1));
    for (&(step, _), expected) in records.iter().zip(first..) {
        if step != expected {
            let last = u64::from(first) + records.len() as u64 - 1;
            let what = if step < expected { "doubled" } else { "missing" };
            let number = step.min(expected);
            return Err(unreadable(format!("the steps are not {first} to {last}: {number} is {what}")).into());
        }
    }
    match head.square {
        SquareColumns::Name(_) => {
            let names = || records.iter().filter_map(|(_, cell)| cell.name());
            let board = match board {
                Some(board) => board.clone(),
                None => around_names(names().map(|name| (name, move || at(name))))?,
            };
            squares_of_names(board, names(), None)
        }
        SquareColumns::Pair(..) => {
            numbered::read_pairs(&records.iter().filter_map(|(_, cell)| cell.pair()).collect::<Vec<_>>(), board)
        }
    }
}

/// The tour through named squares.
fn squares_of_names<'a>(
    board: Board,
    names: impl Iterator<Item = &'a str>,
    closed: Option<bool>,
) -> Result<Tour, ParseTourError> {
    let mut squares = Vec::new();
    for (step, name) in names.enumerate() {
        let Some(square) = Square::from_name(name, board.rows(), board.cols()) else {
            return Err(off_board(&board, &squares, step, &quoted(name), None).into());
        };
        squares.push(square.number(board.cols()));
    }
    Ok(Tour::new(board, squares, closed)?)
}

/// A square in a table.
enum Cell<'a> {
    Name(&'a str),
    Pair(u32, u32),
}

impl<'a> Cell<'a> {
    fn name(&self) -> Option<&'a str> {
        match self {
            Cell::Name(name) => Some(name),
            Cell::Pair(..) => None,
        }
    }

    fn pair(&self) -> Option<(u32, u32)> {
        match *self {
            Cell::Pair(row, col) => Some((row, col)),
            Cell::Name(_) => None,
        }
    }
}
