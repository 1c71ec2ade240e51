//! Why there can be no tour: theorems that need no search, one function each.
//!
//! [`check_board`] asks only the request: sizes, colours, constraints that contradict each other. It
//! costs no more than the constraints and the blocked squares, so a board of 2^31 squares is judged
//! at once. [`check_graph`] looks at the moves themselves, in time close to linear: squares with too
//! few moves, pieces that do not hang together, colours, squares on which the board hangs together,
//! and what follows move by move. [`narrow_ends`] is what the same look tells about the squares on which an
//! open tour may start and end.
//!
//! Soundness is all: a [`Reason`] is never given for a request that has a tour. The converse holds
//! only where a theorem is complete (open and closed tours of plain knight's rectangles with free ends);
//! elsewhere no reason means that a search has to find out.

mod cuts;
mod edges;
mod forced;
mod net;
mod rectangle;

use std::fmt;

use crate::board::Board;
use crate::graph::{Graph, VertexSet};
use crate::request::Request;

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
    /// The squares do not hang together.
    Pieces,
    /// The colours which the moves themselves define do not balance.
    GraphColour,
    /// The board hangs together by single squares in a way that no tour can follow.
    Cut,
    /// Moves that follow one from another end in a contradiction.
    Forced,
    /// Some squares cannot all get the two moves that a tour needs of each.
    Shortage,
    /// Every possibility was tried.
    Exhausted,
}

impl Code {
    /// All codes, in the fixed order in which they are tested; the first that applies is given.
    pub const ALL: [Code; 18] = [
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

/// How often forced moves are followed again; each time costs a pass over the board.
const ROUNDS: usize = 8;

/// How many squares a reason names.
const SHOWN: usize = 16;

impl Reason {
    fn new(code: Code, text: String, squares: impl IntoIterator<Item = u32>) -> Reason {
        Reason { code, text, squares: squares.into_iter().take(SHOWN).collect() }
    }
}

/// The squares on which an open tour may start and end, as vertices of its graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Where it may start.
    pub starts: VertexSet,
    /// Where it may end.
    pub ends: VertexSet,
}

/// Looks for a reason that can be seen without the moves of the board being listed.
///
/// Cost: linear in the constraints and in the words of the set of blocked squares; no memory that
/// grows with the board.
///
/// ```
/// use knightstour::{Board, Request, existence};
/// let request = Request::closed(Board::new(5, 5)?);
/// let reason = existence::check_board(&request).unwrap();
/// assert_eq!(reason.code.name(), "colour");
/// # Ok::<(), knightstour::BoardError>(())
/// ```
#[must_use]
pub fn check_board(request: &Request) -> Option<Reason> {
    let fixed = edges::fixed(request);
    rectangle::too_small(request)
        .or_else(|| edges::contradictory_steps(request, &fixed))
        .or_else(|| edges::contradictory_edges(request, &fixed))
        .or_else(|| rectangle::colour(request, &fixed))
        .or_else(|| rectangle::schwenk(request))
        .or_else(|| rectangle::cull_de_curtins(request))
        .or_else(|| rectangle::four_rows(request, &fixed))
        .or_else(|| rectangle::leaper(request))
}

/// Looks for a reason in the graph of the request.
///
/// Cost: close to linear in the moves; about 40 bytes a square.
#[must_use]
pub fn check_graph(request: &Request, graph: &Graph) -> Option<Reason> {
    examine(request, graph).err()
}

/// Looks for a reason in the request and then in its graph.
#[must_use]
pub fn check(request: &Request, graph: &Graph) -> Option<Reason> {
    check_board(request).or_else(|| check_graph(request, graph))
}

/// Where the tours of an open request may start and end, as far as [`check_graph`]'s theorems tell;
/// both sets are empty if they rule every tour out, and for closed requests.
#[must_use]
pub fn narrow_ends(request: &Request, graph: &Graph) -> Ends {
    let none = || Ends { starts: VertexSet::empty(graph.len()), ends: VertexSet::empty(graph.len()) };
    examine(request, graph).unwrap_or_else(|_| none())
}

/// [`check_graph`] and [`narrow_ends`] in one look.
pub fn examine(request: &Request, graph: &Graph) -> Result<Ends, Reason> {
    if let Some(reason) = rectangle::too_small(request) {
        return Err(reason);
    }
    let mut net = net::Net::new(request, graph);
    if graph.len() == 1 {
        return Ok(net.into_ends());
    }
    net.moves()?;
    net.pieces()?;
    net.colours()?;
    net.cuts()?;
    // Moves that are ruled out may cut the board or change its colours, and that may force more moves.
    for _ in 0..ROUNDS {
        if !net.force()? {
            break;
        }
        let then = |reason: Reason| {
            let text = format!("after the moves that are forced: {}", reason.text);
            Reason { code: Code::Forced, text, ..reason }
        };
        net.pieces().map_err(then)?;
        net.colours().map_err(then)?;
        net.cuts().map_err(then)?;
    }
    Ok(net.into_ends())
}

/// `3 squares`, `1 square`.
fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The squares' names in a row: `a1, b3 and c5`; of many, the first few.
fn named(board: &Board, squares: &[u32]) -> String {
    const NAMED: usize = 6;
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
