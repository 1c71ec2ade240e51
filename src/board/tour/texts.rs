//! Texts of tours, in and out.

use std::borrow::Cow;

use super::{Given, ParseTourError, Reading, Tour, json, text};
use crate::board::Board;

impl Tour {
    /// Reads a text that somebody or some program wrote: a numbered grid, names of squares, pairs (row, column), square
    /// numbers, or JSON, in any of the usual spellings. See [`Tour::read`].
    pub fn parse(text: &str, board: Option<&Board>) -> Result<Tour, ParseTourError> {
        Tour::read(text, &Given { board: board.cloned(), ..Given::default() }).map(|reading| reading.tour)
    }

    /// Reads a text, and says how. Without a board, a grid tells its own, and a list is on the rectangle that it
    /// fills. `#` is a blocked square; other signs for "no number" need a board that says that they are blocked.
    ///
    /// Cost: linear in the text, about twenty bytes a square.
    pub fn read(text: &str, given: &Given) -> Result<Reading, ParseTourError> {
        text::read(text, given)
    }

    /// The parts of a text that holds several tours, one per line, or with blank lines or a change of form between; the
    /// whole text if it is one.
    #[must_use]
    pub fn split<'a>(text: &'a str, given: &Given) -> Vec<Cow<'a, str>> {
        text::parts::split(text, given)
    }

    /// The line to be put before [`Tour`]'s grid so that [`Tour::parse`] reads an equal tour: empty where the grid
    /// says all.
    #[must_use]
    pub fn note(&self) -> String {
        text::note::of_grid(self)
    }

    /// The line to be put before tours as lines of names or square numbers, so that each is read as it is.
    #[must_use]
    pub fn note_of_lines(board: &Board, closed: bool) -> String {
        text::note::of_lines(board, closed)
    }

    /// Reads JSON as [`Tour::to_json`] writes it.
    pub fn from_json(text: &str, given: &Given) -> Result<Reading, ParseTourError> {
        json::read(text, given)
    }

    /// The tour in JSON, on one line:
    /// `{"version": 1, "board": {"rows": 3, "cols": 4, "blocked": [], "leaper": [1, 2], "wrap": null}, "closed": false, "tour": ["a3", ...]}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }
}
