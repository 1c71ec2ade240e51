//! The words, lines and names of texts that tours are read from, and what is said of those that cannot be read.

use super::{InvalidTour, ParseTourError, check_path};
use crate::board::Board;
use crate::square::Square;

pub(super) fn unreadable(message: String) -> InvalidTour {
    InvalidTour { step: None, squares: Vec::new(), message, off_board: false }
}

/// Quotes a word, which may be of any length.
pub(super) fn quoted(word: &str) -> String {
    let end = word.char_indices().nth(40).map_or(word.len(), |(at, _)| at);
    format!("{:?}{}", &word[..end], if end < word.len() { "..." } else { "" })
}

/// A word and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    /// In bytes from the beginning of the whole text.
    at: usize,
}

impl Word<'_> {
    /// `line 3, column 7`, both from 1; counted only where something is wrong.
    pub fn place(&self, whole: &str) -> String {
        place(whole, self.at)
    }
}

/// Line and column of a byte of a text.
pub(super) fn place(whole: &str, at: usize) -> String {
    let before = &whole[..at];
    let returns = before.matches('\r').count();
    let feeds = before.matches('\n').count() - before.matches("\r\n").count();
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    format!("line {}, column {}", 1 + returns + feeds, before[start..].chars().count() + 1)
}

/// The lines of a text, ended by a line feed, a carriage return or both.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    // Of the two together, the first ends the line and the second an empty one, which is dropped.
    text.split_inclusive(['\n', '\r'])
        .scan(false, |after_return, line| {
            let second = *after_return && line == "\n";
            *after_return = line.ends_with('\r');
            Some((!second).then(|| line.trim_end_matches(['\n', '\r'])))
        })
        .flatten()
}

/// The words of a list of names.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let separates = |c: char| c.is_whitespace() || ",;-[]()'\"".contains(c);
    let start = text.as_ptr() as usize;
    text.split(separates)
        .filter(|word| !word.is_empty())
        .map(move |word| Word { text: word, at: word.as_ptr() as usize - start })
}

/// That what was read as the square at `step` is none of the board; `place` says where it stands.
pub(super) fn off_board(board: &Board, before: &[u32], step: usize, given: &str, place: Option<String>) -> InvalidTour {
    // Whatever is wrong before is the first bad step.
    if let Err(earlier) = check_path(board, before)
        && earlier.step.is_some_and(|earlier| earlier < step)
    {
        return earlier;
    }
    let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
    InvalidTour {
        step: Some(step),
        squares: before.last().map(|&s| board.square(s)).into_iter().collect(),
        message: format!("step {step}: {given}{place} is no square of the {}", board.describe()),
        off_board: true,
    }
}

/// On a board with 2^31 rows `a1` is row 2^31 - 1, so the rank is what is left of it.
const TALL: u32 = 1 << 31;

/// The smallest board around all the named squares, if it has as many squares as there are names. A name comes with
/// what tells where it stands.
pub(super) fn around_names<'a, P: FnOnce() -> String>(
    names: impl Iterator<Item = (&'a str, P)>,
) -> Result<Board, ParseTourError> {
    let (mut rows, mut cols, mut count) = (0, 0, 0u64);
    for (name, place) in names {
        let square = Square::from_name(name, TALL, TALL)
            .ok_or_else(|| unreadable(format!("{}: {} is no name of a square", place(), quoted(name))))?;
        (rows, cols, count) = (rows.max(TALL - square.row), cols.max(square.col + 1), count + 1);
    }
    covered(rows, cols, count)
}

/// The board of this size, if `count` squares are all of it.
pub(super) fn covered(rows: u32, cols: u32, count: u64) -> Result<Board, ParseTourError> {
    if u64::from(rows) * u64::from(cols) != count {
        let why = format!("{count} squares do not cover the smallest rectangle around them, {rows}x{cols}");
        return Err(unreadable(format!("{why}; give the board")).into());
    }
    Ok(Board::new(rows, cols)?)
}
