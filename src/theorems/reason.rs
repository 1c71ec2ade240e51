//! [`Reason`]: why there can be no tour.

use std::fmt;

use crate::board::Board;
use crate::run::Pause;

/// Which theorem rules a tour out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A closed tour has at least three squares.
    TooSmall,
    /// Fixed steps contradict each other, the ends or the moves.
    Steps,
    /// A move is to be used and to be avoided.
    IncludedExcluded,
    /// A square has more moves to use than a tour makes there.
    TooManyIncluded,
    /// The moves to use close a cycle too early.
    IncludedCycle,
    /// The moves to use lead from the start to the end without visiting every square.
    EndsJoined,
    /// The colours of the chessboard do not balance.
    Colour,
    /// Schwenk's theorem: the plain rectangles without a closed knight's tour.
    Schwenk,
    /// The theorem of Cull and De Curtins: the plain rectangles without an open knight's tour.
    CullDeCurtins,
    /// On four rows both ends lie in the outer ones.
    FourRows,
    /// The leaper cannot reach every square.
    Leaper,
    /// A square has too few moves.
    TooFewMoves,
    /// The squares are not connected.
    Pieces,
    /// The colours which the moves themselves define do not balance.
    GraphColour,
    /// A few squares connect the board in a way that no tour can follow.
    Cut,
    /// Moves that follow one from another end in a contradiction.
    Forced,
    /// Some squares cannot all get the two moves that a tour needs of each.
    Shortage,
    /// No tour can have the symmetry that is asked for.
    Symmetry,
    /// Every possibility was tried.
    Exhausted,
}

impl Code {
    /// All codes, in the fixed order in which they are tested; the first that applies is given.
    pub const ALL: [Code; 19] = [
        Code::TooSmall,
        Code::Steps,
        Code::IncludedExcluded,
        Code::TooManyIncluded,
        Code::IncludedCycle,
        Code::EndsJoined,
        Code::Colour,
        Code::Schwenk,
        Code::CullDeCurtins,
        Code::FourRows,
        Code::Leaper,
        Code::TooFewMoves,
        Code::Pieces,
        Code::GraphColour,
        Code::Cut,
        Code::Forced,
        Code::Shortage,
        Code::Symmetry,
        Code::Exhausted,
    ];

    /// The code's stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Code::TooSmall => "too-small",
            Code::Steps => "steps",
            Code::IncludedExcluded => "included-excluded",
            Code::TooManyIncluded => "too-many-included",
            Code::IncludedCycle => "included-cycle",
            Code::EndsJoined => "ends-joined",
            Code::Colour => "colour",
            Code::Schwenk => "schwenk",
            Code::CullDeCurtins => "cull-de-curtins",
            Code::FourRows => "four-rows",
            Code::Leaper => "leaper",
            Code::TooFewMoves => "too-few-moves",
            Code::Pieces => "pieces",
            Code::GraphColour => "graph-colour",
            Code::Cut => "cut",
            Code::Forced => "forced",
            Code::Shortage => "shortage",
            Code::Symmetry => "symmetry",
            Code::Exhausted => "exhausted",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why there is no tour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason {
    /// The theorem.
    pub code: Code,
    /// A sentence with the figures.
    pub text: String,
    /// The numbers of the squares concerned; of many, the first few.
    pub squares: Vec<u32>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a theorem was not applied to its end.
pub(super) enum Halt {
    /// The budget stopped it; the next call goes on from there.
    Pause(Pause),
    /// There can be no tour.
    Reason(Reason),
}

impl From<Pause> for Halt {
    fn from(pause: Pause) -> Halt {
        Halt::Pause(pause)
    }
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Halt {
        Halt::Reason(reason)
    }
}

/// How many squares a reason names.
const SHOWN: usize = 16;

impl Reason {
    pub(super) fn new(code: Code, text: String, squares: impl IntoIterator<Item = u32>) -> Reason {
        Reason { code, text, squares: squares.into_iter().take(SHOWN).collect() }
    }
}

/// `3 squares`, `1 square`, `1,024 squares`.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How many squares a sentence names.
pub(super) const NAMED: usize = 6;

/// The squares' names in a row: `a1, b3 and c5`; of many, the first few.
pub(super) fn named(board: &Board, squares: &[u32]) -> String {
    let mut names: Vec<String> = squares.iter().take(NAMED).map(|&s| board.name(s)).collect();
    if squares.len() > NAMED {
        names.push(format!("{} more", squares.len() - NAMED));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
