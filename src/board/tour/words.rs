//! The lines of texts that tours are read from, and where in them something stands.

use super::{InvalidTour, check_path};
use crate::board::Board;

/// Quotes a word, which may be of any length.
pub(super) fn quoted(word: &str) -> String {
    let end = word.char_indices().nth(40).map_or(word.len(), |(at, _)| at);
    format!("{:?}{}", &word[..end], if end < word.len() { "..." } else { "" })
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
        message: format!("step {step}: {given}{place} is not a square of the {}", board.describe()),
        off_board: true,
        elsewhere: None,
    }
}
