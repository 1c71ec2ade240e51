//! The line by which our own text files say what a grid or names cannot: `# knightstour: leaper 2,3; wrap both; open`.

use std::fmt::Write as _;

use super::super::words::lines;
use super::super::{ParseTourError, Tour, UnreadableText};
use super::Given;
use crate::board::Board;
use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;

/// How the line begins.
pub const BEGINNING: &str = "# knightstour:";

/// The line for a grid, empty where the grid tells all.
pub fn of_grid(tour: &Tour) -> String {
    let mut said = moves(tour.board());
    if tour.is_reentrant() && !tour.is_closed() {
        said.push("open".to_owned());
    }
    line(&said)
}

/// The line for names or square numbers, one tour a line; empty where they tell all.
pub fn of_lines(board: &Board, closed: bool) -> String {
    let mut said = Vec::new();
    if !board.is_knights_rectangle() {
        said.push(format!("board {}x{}", board.rows(), board.cols()));
        let blocked: Vec<String> = board.blocked_squares().map(|square| board.name(square)).collect();
        if !blocked.is_empty() {
            said.push(format!("blocked {}", blocked.join(" ")));
        }
        said.extend(moves(board));
    }
    // The ends of a tour of an odd number of squares are of one colour, which the knight changes.
    if !closed && (board.len().is_multiple_of(2) || !said.is_empty()) {
        said.push("open".to_owned());
    }
    line(&said)
}

fn moves(board: &Board) -> Vec<String> {
    let mut said = Vec::new();
    let leaper = board.leaper();
    if leaper != Leaper::KNIGHT {
        said.push(format!("leaper {},{}", leaper.a, leaper.b));
    }
    match board.wrap() {
        Wrap::None => {}
        Wrap::Cols => said.push("wrap cols".to_owned()),
        Wrap::Rows => said.push("wrap rows".to_owned()),
        Wrap::Both => said.push("wrap both".to_owned()),
    }
    said
}

fn line(said: &[String]) -> String {
    let mut text = String::new();
    if !said.is_empty() {
        let _ = writeln!(text, "{BEGINNING} {}", said.join("; "));
    }
    text
}

/// What a line says.
#[derive(Default)]
pub struct Note {
    size: Option<(u32, u32)>,
    blocked: Vec<String>,
    leaper: Option<Leaper>,
    wrap: Option<Wrap>,
    closed: Option<bool>,
}

/// The first such line of a text and the text without it.
pub fn take(text: &str) -> Option<(Note, String)> {
    if !text.contains(BEGINNING) {
        return None;
    }
    let line = lines(text).find(|line| line.starts_with(BEGINNING))?;
    let at = line.as_ptr() as usize - text.as_ptr() as usize;
    let without = format!("{}{}", &text[..at], &text[at + line.len()..]);
    Some((Note::read(&line[BEGINNING.len()..]), without))
}

impl Note {
    fn read(line: &str) -> Note {
        let mut note = Note::default();
        let two = |text: &str, sign: char| {
            let (one, two) = text.split_once(sign)?;
            Some((one.trim().parse::<u32>().ok()?, two.trim().parse::<u32>().ok()?))
        };
        for part in line.split(';') {
            let (key, value) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
            match key {
                "board" => note.size = two(value, 'x'),
                "blocked" => note.blocked = value.split_whitespace().map(str::to_owned).collect(),
                "leaper" => {
                    note.leaper = two(value, ',')
                        .filter(|&(a, b)| (a, b) != (0, 0) && a.max(b) <= 1 << 31)
                        .map(|(a, b)| Leaper::new(a, b))
                }
                "wrap" => note.wrap = Wrap::from_name(value),
                "open" => note.closed = Some(false),
                "closed" => note.closed = Some(true),
                _ => {}
            }
        }
        note
    }

    /// What is given and what the line says; a caller's word counts more.
    pub fn onto(self, given: &Given) -> Result<Given, ParseTourError> {
        let mut said = given.clone();
        said.closed = given.closed.or(self.closed);
        if given.board.is_some() {
            return Ok(said);
        }
        said.leaper = given.leaper.or(self.leaper);
        said.wrap = given.wrap.or(self.wrap);
        said.blocked.extend(self.blocked);
        if let Some((rows, cols)) = self.size {
            let whole = Board::new(rows, cols)?;
            if let Some(name) = said.blocked.iter().find(|name| Square::from_name(name, rows, cols).is_none()) {
                let (name, board) = (super::quoted(name), whole.describe());
                let message = format!("the blocked square {name} is not on the {board}");
                return Err(ParseTourError::Unreadable(UnreadableText { message }));
            }
            said.board = Some(said.board_of(rows, cols, [])?);
        }
        Ok(said)
    }
}
