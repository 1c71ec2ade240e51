//! [`Examination`]: the look at a graph, theorem by theorem, and the [`Reason`] that it may end in.

use super::cut_vertices::Walk;
use super::degree_flow::Flows;
use super::edge_forcing::Forced;
use super::net::{Degrees, Known, Net, Reach};
use super::reason::{Code, Halt, Reason};
use super::toughness::Pockets;
use super::{Pairs, edges, rectangle};
use crate::request::Request;
use crate::request::graph::{Graph, TwoColours, VertexSet};
use crate::run::{Budget, Pause, Watch};

/// How often forced moves are followed again; each time costs a pass over the board.
const ROUNDS: usize = 8;

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
/// use knightstour::{Board, Request, theorems};
/// let request = Request::closed(Board::new(5, 5)?);
/// let reason = theorems::check_board(&request).unwrap();
/// assert_eq!(reason.code.name(), "colour");
/// # Ok::<(), knightstour::BoardError>(())
/// ```
#[must_use]
pub fn check_board(request: &Request) -> Option<Reason> {
    let fixed = request.placed();
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
    // Nothing pauses it.
    let answer = examination.run(request, graph, &Budget::unlimited());
    answer.unwrap_or_else(|_| Ok(examination.ends()))
}

/// The look at a graph, theorem by theorem. Resumable: it pauses within the theorems as well, on boards of any size.
#[derive(Clone, Debug)]
pub struct Examination {
    known: Known,
    stage: Stage,
    rounds: usize,
    /// The reason, once there is one.
    reason: Option<Reason>,
}

/// What comes next, and how far it is.
#[derive(Clone, Debug)]
enum Stage {
    Moves(Degrees),
    Pieces(Reach),
    Colours(TwoColours),
    Cuts(Box<Walk>),
    Force(Box<Forced>),
    Shortage(Option<Box<Flows>>),
    Pockets(Box<Pockets>),
    Done,
}

impl Examination {
    /// Begins.
    #[must_use]
    pub fn new(request: &Request, graph: &Graph) -> Examination {
        let stage = match graph.len() {
            1 if !graph.is_closed() => Stage::Done,
            _ if rectangle::is_settled(request) => Stage::Colours(TwoColours::new(graph.len())),
            _ => Stage::Moves(Degrees::default()),
        };
        let reason = if matches!(stage, Stage::Done) { None } else { rectangle::too_small(request) };
        Examination { known: Known::new(request, graph), stage, rounds: 0, reason }
    }

    /// Goes on until there is a reason or nothing more can be told, or the budget says to stop;
    /// takes no nodes. The request and the graph are those it began with.
    pub fn run(&mut self, request: &Request, graph: &Graph, budget: &Budget) -> Result<Result<Ends, Reason>, Pause> {
        let mut watch = Watch::new(budget);
        while !matches!(self.stage, Stage::Done) && self.reason.is_none() {
            let mut net = Net::new(request, graph, std::mem::take(&mut self.known));
            let next = self.apply(&mut net, &mut watch);
            self.known = net.into_known();
            match next {
                Ok(stage) => self.stage = stage,
                Err(Halt::Reason(reason)) => self.reason = Some(reason),
                Err(Halt::Pause(pause)) => return Err(pause),
            }
        }
        Ok(self.reason.clone().map_or_else(|| Ok(self.ends()), Err))
    }

    /// What has been told so far, to look for pairs of squares with, which takes longer than all else together.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        let len = self.known.starts.words().len() * 64;
        let pockets = (len > Pockets::LARGE).then(|| Box::new(Pockets::new(len)));
        Pairs::new(self.known.clone(), pockets)
    }

    fn ends(&self) -> Ends {
        Ends { starts: self.known.starts.clone(), ends: self.known.ends.clone() }
    }

    /// Goes on with a theorem; gives what comes next.
    fn apply(&mut self, net: &mut Net, watch: &mut Watch) -> Result<Stage, Halt> {
        let rounds = self.rounds;
        // Moves that are ruled out may cut the board or change its colours, and that may force more
        // moves.
        let then = |halt: Halt| match halt {
            Halt::Reason(reason) if rounds > 0 => {
                let text = format!("after the forced moves: {}", reason.text);
                Halt::Reason(Reason { code: Code::Forced, text, ..reason })
            }
            halt => halt,
        };
        let count = net.len();
        Ok(match &mut self.stage {
            Stage::Moves(degrees) => {
                net.moves(degrees, watch)?;
                Stage::Pieces(Reach::new(count))
            }
            Stage::Pieces(reach) => {
                net.pieces(reach, watch).map_err(then)?;
                Stage::Colours(TwoColours::new(count))
            }
            Stage::Colours(walk) => {
                net.colours(walk, watch).map_err(then)?;
                if rectangle::is_settled(net.request) { Stage::Done } else { Stage::Cuts(Box::new(Walk::new(count))) }
            }
            Stage::Cuts(walk) => {
                net.cuts(walk, watch).map_err(then)?;
                if rounds == ROUNDS { Stage::last(count) } else { Stage::Force(Box::new(Forced::new(net))) }
            }
            Stage::Force(forced) => {
                let is_more = net.force(forced, watch)?;
                self.rounds += 1;
                if is_more { Stage::Pieces(Reach::new(count)) } else { Stage::Shortage(None) }
            }
            Stage::Shortage(flows) => {
                // What is ruled out may leave pieces, or change the colours.
                if net.shortage(flows, watch)? { Stage::Pieces(Reach::new(count)) } else { Stage::last(count) }
            }
            Stage::Pockets(pockets) => match pockets.advance(net, watch)? {
                Some(reason) => return Err(reason.into()),
                None => Stage::Done,
            },
            Stage::Done => Stage::Done,
        })
    }
}

impl Stage {
    /// What comes last. On large boards a few squares have their turn with the pairs.
    fn last(count: usize) -> Stage {
        if count <= Pockets::LARGE { Stage::Pockets(Box::new(Pockets::new(count))) } else { Stage::Done }
    }
}
