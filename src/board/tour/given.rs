//! What is known of a tour beside its text, and what a text was read as.

use super::Tour;
use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;
use crate::board::{Board, BoardError, MAX_SQUARES};

/// What is known of a tour beside its text.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Its board.
    pub board: Option<Board>,
    /// The piece that moves, on the board that the text tells.
    pub leaper: Option<Leaper>,
    /// The edges that are joined on the board that the text tells.
    pub wrap: Option<Wrap>,
    /// The names of blocked squares of the board that the text tells.
    pub blocked: Vec<String>,
    /// Whether it is a closed tour.
    pub closed: Option<bool>,
    /// Whether the text is made of data: a row of numbers are square numbers there.
    pub is_data: bool,
}

/// A tour that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The tour.
    pub tour: Tour,
    /// How the text was read: "read as a 5x5 grid numbered from 1".
    pub read_as: String,
    /// That another reading is another tour.
    pub note: Option<String>,
    /// Whether the text or the caller says that the tour is open or closed, or it cannot be but open.
    pub kind_is_said: bool,
}

impl Given {
    /// The board of a grid of this size with these blocked squares, or the one that is given.
    pub(super) fn board_of(
        &self,
        rows: u32,
        cols: u32,
        blocked: impl IntoIterator<Item = u32>,
    ) -> Result<Board, BoardError> {
        if let Some(board) = &self.board {
            return Ok(board.clone());
        }
        let leaper = self.leaper.unwrap_or(Leaper::KNIGHT);
        let wrap = self.wrap.unwrap_or(Wrap::None);
        let named = self.blocked.iter().filter_map(|name| Square::from_name(name, rows, cols));
        let blocked = blocked.into_iter().chain(named.map(|square| square.number(cols)));
        Board::build(rows, cols, blocked, leaper, wrap)
    }

    /// The board that this many squares lie on, which fill it.
    pub(super) fn board_around(&self, rows: u32, cols: u32, count: usize) -> Result<Board, String> {
        let area = u64::from(rows) * u64::from(cols);
        if self.board.is_none() && (area == 0 || area > MAX_SQUARES || area > 64 + 16 * count as u64) {
            let squares = self::count(count as u64, "square");
            return Err(format!(
                "{squares} cannot fill the smallest rectangle around them, {rows}x{cols}; give the board"
            ));
        }
        self.board_of(rows, cols, []).map_err(|error| error.to_string())
    }
}

/// `1 step`, `2 steps`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
