//! Why there can be no tour: theorems that need no search, one function each.
//!
//! [`check_board`] asks only the request: sizes, colours, constraints that contradict each other.
//! It costs no more than the constraints and the blocked squares, so a board of 2^31 squares is
//! judged at once. [`check_graph`] looks at the moves themselves, in time close to linear: squares
//! with too few moves, pieces that do not hang together, colours, squares on which the board hangs
//! together, and what follows move by move. [`Pairs`] looks for pairs of squares on which it does, in its own time.
//! [`narrow_ends`] is what the same look tells about the
//! squares on which an open tour may start and end.
//!
//! Soundness is all: a [`Reason`] is never given for a request that has a tour. The converse holds
//! only where a theorem is complete (open and closed tours of plain knight's rectangles with free ends);
//! elsewhere no reason means that a search has to find out.

mod cuts;
mod edges;
mod forced;
mod net;
mod pairs;
mod rectangle;
mod shortage;

use std::fmt;

use net::{Known, Net};
pub use pairs::Pairs;

use crate::board::Board;
use crate::budget::{Budget, Pause};
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
    /// The board hangs together by one or two squares in a way that no tour can follow.
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
/// Cost: close to linear in the moves (a few microseconds on small boards), and about 100 bytes a
/// square. Plain knight's rectangles whose ends leave nothing more to be found than [`check_board`]
/// finds are not looked at.
#[must_use]
pub fn check_graph(request: &Request, graph: &Graph) -> Option<Reason> {
    if rectangle::is_settled(request) { None } else { examine(request, graph).err() }
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
    let mut examination = Examination::new(request, graph);
    while examination.step(request, graph)? {}
    Ok(examination.ends())
}

/// The look at a graph, theorem by theorem, so that it can be stopped on large boards.
///
/// Each step is a pass or a few over the moves: about 0.1 seconds for a million squares.
#[derive(Clone, Debug)]
pub struct Examination {
    known: Known,
    stage: Stage,
    rounds: usize,
    /// The reason, once there is one.
    reason: Option<Reason>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Moves,
    Pieces,
    Colours,
    Cuts,
    Force,
    Shortage,
    Done,
}

impl Examination {
    /// Begins.
    #[must_use]
    pub fn new(request: &Request, graph: &Graph) -> Examination {
        let stage = match graph.len() {
            1 if !graph.is_closed() => Stage::Done,
            _ if rectangle::is_settled(request) => Stage::Colours,
            _ => Stage::Moves,
        };
        Examination { known: Known::new(request, graph), stage, rounds: 0, reason: None }
    }

    /// Goes on until there is a reason or nothing more can be told, or the budget says to stop;
    /// takes no nodes. The request and the graph are those it began with.
    pub fn run(&mut self, request: &Request, graph: &Graph, budget: &Budget) -> Result<Result<Ends, Reason>, Pause> {
        loop {
            let claimed = budget.take(1)?;
            budget.give_back(claimed);
            match self.step(request, graph) {
                Ok(true) => {}
                Ok(false) => return Ok(Ok(self.ends())),
                Err(reason) => return Ok(Err(reason)),
            }
        }
    }

    /// What has been told so far, to look for pairs of squares with, which takes longer than all else together.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        Pairs::new(self.known.clone())
    }

    fn ends(&self) -> Ends {
        Ends { starts: self.known.starts.clone(), ends: self.known.ends.clone() }
    }

    /// Applies one theorem; says whether there are more.
    fn step(&mut self, request: &Request, graph: &Graph) -> Result<bool, Reason> {
        if let Some(reason) = &self.reason {
            return Err(reason.clone());
        }
        self.apply(request, graph).inspect_err(|reason| self.reason = Some(reason.clone()))
    }

    fn apply(&mut self, request: &Request, graph: &Graph) -> Result<bool, Reason> {
        if let Some(reason) = rectangle::too_small(request) {
            return Err(reason);
        }
        // The sets stay behind if a theorem applies, as there is nothing more to be known then.
        let mut net = Net::new(request, graph, std::mem::take(&mut self.known));
        let rounds = self.rounds;
        // Moves that are ruled out may cut the board or change its colours, and that may force more
        // moves.
        let then = |reason: Reason| match rounds {
            0 => reason,
            _ => {
                let text = format!("after the moves that are forced: {}", reason.text);
                Reason { code: Code::Forced, text, ..reason }
            }
        };
        self.stage = match self.stage {
            Stage::Moves => {
                net.moves()?;
                Stage::Pieces
            }
            Stage::Pieces => {
                net.pieces().map_err(then)?;
                Stage::Colours
            }
            Stage::Colours => {
                net.colours().map_err(then)?;
                if rectangle::is_settled(request) { Stage::Done } else { Stage::Cuts }
            }
            Stage::Cuts => {
                net.cuts().map_err(then)?;
                Stage::Force
            }
            Stage::Force if self.rounds == ROUNDS => Stage::Done,
            Stage::Force => {
                self.rounds += 1;
                if net.force()? { Stage::Pieces } else { Stage::Shortage }
            }
            Stage::Shortage => {
                // What is ruled out may leave pieces, or change the colours.
                if net.shortage()? { Stage::Pieces } else { Stage::Done }
            }
            Stage::Done => Stage::Done,
        };
        self.known = net.into_known();
        Ok(self.stage != Stage::Done)
    }
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
