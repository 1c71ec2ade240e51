//! Tours in JSON. The keys and their meanings are a contract: files outlive versions.
//!
//! ```json
//! {"version": 1,
//!  "board": {"rows": 3, "cols": 4, "blocked": [], "leaper": [1, 2], "wrap": null},
//!  "closed": false,
//!  "tour": ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]}
//! ```
//!
//! Squares are names; pairs [row, column] from 0 are read as well. All but `tour` may be left out when reading; of
//! a board, all but its size. Other keys are skipped, so that what the command line prints is read, too.

use std::fmt::Write as _;

use serde::Deserialize;

use super::given::{Given, Reading};
use super::words::{off_board, quoted};
use super::{InvalidTour, ParseTourError, Tour, UnreadableText};
use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;
use crate::board::{Board, BoardError};

/// The version that is written, and the newest that is read.
const VERSION: u64 = 1;

#[derive(Deserialize)]
struct Written {
    #[serde(default = "version")]
    version: u64,
    board: Option<WrittenBoard>,
    closed: Option<bool>,
    tour: Vec<WrittenSquare>,
}

fn version() -> u64 {
    VERSION
}

#[derive(Deserialize)]
struct WrittenBoard {
    rows: u32,
    cols: u32,
    #[serde(default)]
    blocked: Vec<WrittenSquare>,
    leaper: Option<(u32, u32)>,
    wrap: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a square is a name or a pair [row, column]")]
enum WrittenSquare {
    Name(String),
    Pair(u32, u32),
}

impl WrittenSquare {
    fn on(&self, rows: u32, cols: u32) -> Option<Square> {
        match self {
            WrittenSquare::Name(name) => Square::from_name(name, rows, cols),
            &WrittenSquare::Pair(row, col) => (row < rows && col < cols).then(|| Square::new(row, col)),
        }
    }

    fn quoted(&self) -> String {
        match self {
            WrittenSquare::Name(name) => quoted(name),
            WrittenSquare::Pair(row, col) => format!("({row}, {col})"),
        }
    }
}

/// Reads JSON of ours.
pub(super) fn read(text: &str, given: &Given) -> Result<Reading, ParseTourError> {
    let text = text.trim_start_matches('\u{feff}');
    let written: Written = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        // The message ends with the place, where there is one.
        let message = error.to_string();
        let what =
            if error.is_eof() { "the text ends too early" } else { message.split(" at line ").next().unwrap_or("") };
        unreadable(format!("line {line}, column {column}: this is not a tour in JSON: {}", shortened(what)))
    })?;
    tour(written, given)
}

/// Reads JSON that may be of ours: nothing if its keys are others; a tour, a fault of the tour, or why it cannot be
/// read, with how well the text is explained.
pub(super) fn attempt(text: &str, given: &Given) -> Option<(Result<Reading, ParseTourError>, f64)> {
    let written: Written = match serde_json::from_str(text) {
        Ok(written) => written,
        // An object that breaks off, or has a comma too many, is JSON all the same.
        Err(error) if is_object(text) && (error.is_eof() || error.is_syntax() && !is_more(&error)) => {
            return Some((read(text, given), 0.0));
        }
        Err(_) => return None,
    };
    let result = tour(written, given).map_err(|error| match error {
        ParseTourError::Invalid(fault) => {
            let message = format!("read as JSON: {}", fault.message);
            InvalidTour { message, ..fault }.into()
        }
        other => other,
    });
    let fit = match &result {
        Ok(_) => 1.0,
        Err(ParseTourError::Invalid(_)) => 0.9,
        Err(_) => 0.2,
    };
    Some((result, fit))
}

/// Whether a text begins as an object with a key.
fn is_object(text: &str) -> bool {
    let key = text.trim_start().strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    key.and_then(|rest| rest.split_once('"')).is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
}

/// Whether only something behind the object is wrong, such as another one.
fn is_more(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("trailing characters")
}

fn tour(written: Written, given: &Given) -> Result<Reading, ParseTourError> {
    if written.version > VERSION || written.version == 0 {
        let version = written.version;
        return Err(unreadable(format!("this is JSON of version {version}; version {VERSION} can be read")));
    }
    let drawn = written.board.as_ref().map(read_board).transpose()?;
    let board = match (&given.board, drawn) {
        (Some(board), Some(drawn)) if *board != drawn => {
            let (board, drawn) = (board.describe(), drawn.describe());
            let message = format!("the tour is on the {drawn}, not on the {board}");
            let fault = InvalidTour { step: None, squares: Vec::new(), message, off_board: false, elsewhere: None };
            return Err(fault.into());
        }
        (Some(board), _) => board.clone(),
        (None, Some(drawn)) => drawn,
        (None, None) => around(&written.tour, given)?,
    };
    let mut squares = Vec::new();
    for (step, square) in written.tour.iter().enumerate() {
        let Some(found) = square.on(board.rows(), board.cols()) else {
            return Err(off_board(&board, &squares, step, &square.quoted(), None).into());
        };
        squares.push(found.number(board.cols()));
    }
    let closed = given.closed.or(written.closed);
    let tour = Tour::new(board, squares, closed)?;
    let kind_is_said = closed.is_some() || !tour.is_closed();
    Ok(Reading { tour, read_as: "read as JSON".to_owned(), note: None, kind_is_said })
}

fn unreadable(message: String) -> ParseTourError {
    ParseTourError::Unreadable(UnreadableText { message })
}

/// The beginning of a message that may quote anything.
fn shortened(message: &str) -> String {
    const LENGTH: usize = 120;
    let mut short: String = message.chars().take(LENGTH).collect();
    if short.len() < message.len() {
        short.push_str("...");
    }
    short
}

fn read_board(written: &WrittenBoard) -> Result<Board, ParseTourError> {
    let &WrittenBoard { rows, cols, .. } = written;
    let mut blocked = Vec::with_capacity(written.blocked.len());
    // Refuses a size that cannot be before squares are numbered by it.
    let whole = Board::new(rows, cols)?;
    for square in &written.blocked {
        let Some(found) = square.on(rows, cols) else {
            let (square, board) = (square.quoted(), whole.describe());
            return Err(unreadable(format!("the blocked square {square} is not on the {board}")));
        };
        blocked.push(found.number(cols));
    }
    let leaper = match written.leaper {
        None => Leaper::KNIGHT,
        Some((a, b)) if (a, b) != (0, 0) && a.max(b) <= 1 << 31 => Leaper::new(a, b),
        Some((a, b)) => return Err(unreadable(format!("({a}, {b}) is not a leaper"))),
    };
    let wrap = match written.wrap.as_deref() {
        None => Wrap::None,
        Some(name) => Wrap::from_name(name)
            .ok_or_else(|| unreadable(format!("wrap must be null, cols, rows or both, not {}", quoted(name))))?,
    };
    Board::build(rows, cols, blocked, leaper, wrap).map_err(|error: BoardError| error.into())
}

/// The smallest board around squares.
fn around(squares: &[WrittenSquare], given: &Given) -> Result<Board, ParseTourError> {
    // On a board with 2^31 rows `a1` is row 2^31 - 1, so the rank is what is left of it.
    const TALL: u32 = 1 << 31;
    let (mut rows, mut cols, mut names) = (0, 0, 0);
    for (step, square) in squares.iter().enumerate() {
        let (row, col) = match square {
            WrittenSquare::Name(name) => {
                names += 1;
                let square = Square::from_name(name, TALL, TALL)
                    .ok_or_else(|| unreadable(format!("step {step}: {} is not the name of a square", quoted(name))))?;
                (TALL - square.row, square.col + 1)
            }
            &WrittenSquare::Pair(row, col) => (row.saturating_add(1), col.saturating_add(1)),
        };
        (rows, cols) = (rows.max(row), cols.max(col));
    }
    if squares.is_empty() {
        return Err(unreadable("the tour is empty: a tour has at least one square".to_owned()));
    }
    if names != 0 && names != squares.len() {
        return Err(unreadable("without a board, all squares must be names, or all must be pairs".to_owned()));
    }
    given.board_around(rows, cols, squares.len()).map_err(unreadable)
}

/// The board as an object.
pub(crate) fn write_board(board: &Board) -> String {
    let (rows, cols, leaper) = (board.rows(), board.cols(), board.leaper());
    let mut text = format!(r#"{{"rows": {rows}, "cols": {cols}, "blocked": "#);
    names(&mut text, board, board.blocked_squares());
    let wrap = board.wrap().name().map_or("null".to_owned(), |name| format!("\"{name}\""));
    let _ = write!(text, r#", "leaper": [{}, {}], "wrap": {wrap}}}"#, leaper.a, leaper.b);
    text
}

pub(super) fn write(tour: &Tour) -> String {
    let board = tour.board();
    let mut text = format!(r#"{{"version": {VERSION}, "board": "#);
    text.push_str(&write_board(board));
    // Writing to a string never fails.
    let _ = write!(text, r#", "closed": {}, "tour": "#, tour.is_closed());
    names(&mut text, board, tour.squares().iter().copied());
    text.push('}');
    text
}

/// A list of names, which are letters and digits only.
fn names(text: &mut String, board: &Board, squares: impl Iterator<Item = u32>) {
    text.push('[');
    for (index, square) in squares.enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = write!(text, r#"{comma}"{}""#, board.name(square));
    }
    text.push(']');
}
