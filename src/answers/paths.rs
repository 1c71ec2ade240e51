//! [`FindPath`] and [`CountPaths`]: one path of this many squares, and how many there are.

use std::sync::Arc;

use super::choices::Choices;
use super::find::PartFind;
use super::{Outcome, Report};
use crate::engines::backtracking::Stats;
use crate::engines::paths::{Bounding, PathCount, PathList, PathRequest, PathStep, PathSweep};
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Limit, Pause, Progress, Task};
use crate::theorems::{Code, Reason, counted};

/// The answer to a request for one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOutcome {
    /// The squares of a path, as a list has them.
    Found(Vec<u32>),
    /// There is none.
    Impossible(Reason),
}

/// A path being looked for. Resumable.
///
/// Backtracking, which is good for short paths and ends with a proof, takes turns with searches for a tour of this many
/// squares chosen by chance, which are good for long ones, in rounds of nodes that double.
#[derive(Debug)]
pub struct FindPath {
    request: PathRequest,
    seed: u64,
    /// The bound being looked for, and what it is looked for in.
    bounding: Option<(Arc<Graph>, Box<Bounding>)>,
    /// What takes turns, once the squares that a path can visit are known.
    ways: Option<(Choices, Box<PathList>)>,
    /// A search in a choice of squares.
    find: Option<PartFind>,
    left: u64,
    round: u32,
    stats: Stats,
    method: &'static str,
    memory: u64,
}

impl FindPath {
    const NODES: u64 = 20_000;

    /// A search that has not begun.
    #[must_use]
    pub fn new(request: PathRequest, seed: Option<u64>) -> FindPath {
        FindPath {
            request,
            seed: seed.unwrap_or(0),
            bounding: None,
            ways: None,
            find: None,
            left: 0,
            round: 0,
            stats: Stats::default(),
            method: "theorem",
            memory: 0,
        }
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &PathRequest {
        &self.request
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let nodes = self.ways.as_ref().map_or(0, |(_, list)| list.nodes());
        let mut search = self.stats;
        search.nodes += nodes;
        Report { method: self.method, search, memory: self.memory, ..Report::default() }
    }
}

impl Task for FindPath {
    type Answer = PathOutcome;

    fn advance(&mut self, budget: &Budget) -> Result<PathOutcome, Halt> {
        let (k, board) = (self.request.squares(), self.request.board().clone());
        let kind = if self.request.is_closed() { "cycle" } else { "path" };
        let is_free = self.request.tours().is_free() && self.request.tours().start().is_none();
        let impossible = |code, text: String| Ok(PathOutcome::Impossible(Reason { code, text, squares: Vec::new() }));
        if k > board.len() || self.request.is_closed() && k < 3 {
            let has = if k > board.len() {
                format!("the {} has only {}", board.describe(), board.len())
            } else {
                "a cycle has at least 3".to_owned()
            };
            return impossible(Code::TooSmall, format!("no {kind} visits {k} squares: {has}"));
        }
        let (choices, list) = match &mut self.ways {
            Some((choices, list)) => (choices, list),
            none => {
                let (graph, bounding) = match &mut self.bounding {
                    Some(begun) => begun,
                    none => {
                        self.memory = 2 * PathList::bytes(&self.request) + 1000 * board.len() as u64;
                        budget.check_memory(self.memory)?;
                        let graph = self.request.graph();
                        let bounding = Choices::bounding(self.request.tours(), &graph);
                        none.insert((graph, Box::new(bounding)))
                    }
                };
                let bound = bounding.advance(budget)?;
                let graph = Arc::clone(graph);
                self.bounding = None;
                let choices = Choices::new(self.request.tours(), &graph, self.seed, bound);
                if choices.upper < k {
                    let text = format!(
                        "no {kind} of {k} squares fits what was asked for: on the {} it has at most {}",
                        board.describe(),
                        choices.upper
                    );
                    return impossible(Code::Shortage, text);
                }
                self.left = FindPath::NODES;
                let list = Box::new(PathList::over(self.request.clone(), graph, None));
                let (choices, list) = none.insert((choices, list));
                (choices, list)
            }
        };
        loop {
            if let Some(find) = &mut self.find {
                let outcome = find.advance(budget);
                if outcome == Err(Halt::SLICE) {
                    return Err(Halt::SLICE);
                }
                self.stats.add(&find.report().search);
                self.method = find.report().method;
                self.find = None;
                match outcome? {
                    Some(Outcome::Found(tour)) => return Ok(PathOutcome::Found(tour.squares().to_vec())),
                    Some(Outcome::Impossible(reason)) if k == board.len() => {
                        return Ok(PathOutcome::Impossible(reason));
                    }
                    Some(Outcome::Impossible(_)) | None => {}
                }
                self.left = FindPath::NODES << self.round.min(40);
            }
            match budget.part_of(&mut self.left, |part| list.advance(part)) {
                PathStep::Found => {
                    self.method = "backtracking";
                    return Ok(PathOutcome::Found(list.path()));
                }
                PathStep::Exhausted => {
                    self.method = "backtracking";
                    let nodes = list.nodes();
                    let text = format!(
                        "every possibility was tried ({}): the {} has no {kind} of {k} squares{}",
                        counted(nodes, "step"),
                        board.describe(),
                        if is_free { "" } else { " as asked for" }
                    );
                    return impossible(Code::Exhausted, text);
                }
                PathStep::Paused(Pause::Limit(Limit::Nodes)) => {
                    budget.check_nodes()?;
                }
                PathStep::Paused(pause) => return Err(pause.into()),
            }
            let request = choices.choose(k);
            let nodes = FindPath::NODES.max(60 * board.len() as u64) << self.round.min(40);
            self.round += 1;
            self.left = FindPath::NODES << self.round.min(40);
            self.find = request.and_then(|request| PartFind::new(request, nodes).ok());
        }
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        Progress { done: self.report().search.nodes, total: None, message: "searching: squares placed".to_owned() }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }
}

/// The paths of a request being counted: one by one for a while, and then by a sweep where the board is narrow enough.
/// Resumable.
#[derive(Debug)]
pub struct CountPaths {
    request: PathRequest,
    count: Option<Box<PathCount>>,
    sweep: Option<Box<PathSweep>>,
    left: u64,
    nodes: u64,
    sweeps: bool,
    memory: u64,
}

impl CountPaths {
    /// Paths are counted one by one for this many nodes.
    const GLANCE: u64 = 200_000_000;

    /// A count that has not begun.
    #[must_use]
    pub fn new(request: PathRequest) -> CountPaths {
        CountPaths { request, count: None, sweep: None, left: CountPaths::GLANCE, nodes: 0, sweeps: false, memory: 0 }
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &PathRequest {
        &self.request
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let counted = self.count.as_ref().map_or(0, |count| count.nodes());
        let swept = self.sweep.as_ref().map_or(0, |sweep| sweep.nodes());
        let search = Stats { nodes: counted + swept + self.nodes, ..Stats::default() };
        let method = if self.sweeps { "frontier" } else { "backtracking" };
        Report { method, search, memory: self.memory, ..Report::default() }
    }
}

impl Task for CountPaths {
    type Answer = u128;

    /// Goes on until the number is known: of sequences, if the paths are open, in either direction where both are asked
    /// for; of cycles if they are closed.
    fn advance(&mut self, budget: &Budget) -> Result<u128, Halt> {
        loop {
            if let Some(sweep) = &mut self.sweep {
                match sweep.advance(budget) {
                    Ok(paths) => {
                        self.sweeps = true;
                        let tours = self.request.tours();
                        let both_ways = !tours.is_closed() && tours.start().is_none() && tours.end().is_none();
                        // As in the sweep, numbers beyond 128 bits end as memory that is not there.
                        let all = if both_ways { paths.checked_mul(2) } else { Some(paths) };
                        return all.ok_or(Limit::Memory.into());
                    }
                    Err(Pause::Limit(Limit::Memory)) if self.request.board().len() <= 64 => {
                        // Going on one by one takes long, and no memory.
                        (self.sweep, self.left) = (None, u64::MAX);
                    }
                    Err(pause) => return Err(pause.into()),
                }
            }
            let count = match &mut self.count {
                Some(count) => count,
                None => {
                    self.memory = PathList::bytes(&self.request);
                    budget.check_memory(self.memory)?;
                    self.count.insert(Box::new(PathCount::new(self.request.clone(), budget)?))
                }
            };
            match budget.part_of(&mut self.left, |part| count.advance(part)) {
                Err(Pause::Limit(Limit::Nodes)) => {
                    budget.check_nodes()?;
                    self.sweep = PathSweep::count(&self.request).map(Box::new);
                    self.left = u64::MAX;
                }
                result => return Ok(result?),
            }
        }
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        Progress { done: self.report().search.nodes, total: None, message: "counting: squares placed".to_owned() }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }
}
