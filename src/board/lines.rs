//! Tours as lines of text.

use crate::board::Board;

/// How a tour is written on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The names of its squares between blanks.
    Names,
    /// The numbers of its squares between commas.
    Csv,
    /// An object: `{"tour": ["a1", "b3", ...], "closed": false, "board": {...}}`.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Names, Format::Csv, Format::Json];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Names => "names",
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }
}

/// Writes tours, the squares of one after another in `rows`, each on a line. Cost: a few nanoseconds a square.
///
/// ```
/// use knightstour::board::lines::{self, Format};
/// let board = knightstour::Board::new(1, 1)?;
/// assert_eq!(lines::write(&board, false, &[0], Format::Names), b"a1\n");
/// # Ok::<(), knightstour::BoardError>(())
/// ```
#[must_use]
pub fn write(board: &Board, closed: bool, rows: &[u32], format: Format) -> Vec<u8> {
    let (before, between, after) = match format {
        Format::Names => ("", " ", "\n".to_owned()),
        Format::Csv => ("", ",", "\n".to_owned()),
        Format::Json => {
            let board = crate::board::tour::write_board(board);
            ("{\"tour\": [", ", ", format!("], \"closed\": {closed}, \"board\": {board}}}\n"))
        }
    };
    let word = |square: u32| match format {
        Format::Names => board.name(square),
        Format::Csv => square.to_string(),
        Format::Json => format!("\"{}\"", board.name(square)),
    };
    let width = board.len();
    // Each square's word once, if there is more than one tour to be written.
    let words: Vec<String> =
        if rows.len() > width { (0..board.squares() as u32).map(word).collect() } else { Vec::new() };
    let mut text = Vec::new();
    for (nth, row) in rows.chunks_exact(width).enumerate() {
        if nth == 1 {
            // All lines are of about one length, names being so.
            text.reserve(text.len() * (rows.len() / width));
        }
        text.extend_from_slice(before.as_bytes());
        for (step, &square) in row.iter().enumerate() {
            if step > 0 {
                text.extend_from_slice(between.as_bytes());
            }
            match words.get(square as usize) {
                Some(word) => text.extend_from_slice(word.as_bytes()),
                None => text.extend_from_slice(word(square).as_bytes()),
            }
        }
        text.extend_from_slice(after.as_bytes());
    }
    text
}
