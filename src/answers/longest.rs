//! [`Longest`]: the longest path, or cycle, of a board.

use std::sync::Arc;

use super::choices::Choices;
use super::find::PartFind;
use super::growth::Growth;
use super::{Outcome, Report};
use crate::engines::backtracking::Stats;
use crate::engines::paths::{Bounding, PathRequest, PathSweep};
use crate::request::Request;
use crate::request::graph::{Building, Graph};
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress, Task};

/// The longest path found, and what is known of longer ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LongestPath {
    /// Its squares, open ones from the given start; none if there is no path as asked for.
    pub squares: Vec<u32>,
    /// No path has more squares: that is proven.
    pub upper_bound: usize,
    /// The limit that ended the search, if one did.
    pub stopped: Option<Limit>,
}

impl LongestPath {
    /// Whether it is proven that none is longer.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.squares.len() == self.upper_bound
    }
}

/// A search for the longest path with the ends of a request. Resumable.
///
/// A flow bounds the length from above (`paths/bound.rs`). A path of this many squares is a tour of the board without the
/// others, so others are chosen by chance, among those that the bound can spare, and the rest is searched as any board
/// is; on boards that are narrow enough a sweep measures all paths at once. Both have their turns, in rounds that double.
/// Before and between them a path grows and is rotated (`growth.rs`), so that there is a long one at any time. It ends with a
/// proof, or, when a limit is reached or after [`Longest::ROUNDS`] rounds, with the best that was found.
#[derive(Debug)]
pub struct Longest {
    request: Request,
    /// Once there is memory for it.
    graph: Option<Arc<Graph>>,
    stage: Stage,
    best: Vec<u32>,
    upper: usize,
    growth: Option<Box<Growth>>,
    /// Nodes of all else.
    others: u64,
    /// There is no memory for all else, or for this too.
    is_refused: bool,
    building: Option<Box<Building>>,
    bounding: Option<Box<Bounding>>,
    choices: Option<Choices>,
    sweep: Option<Box<PathSweep>>,
    sweep_left: u64,
    find: Option<PartFind>,
    /// How many squares are tried next, and how often that has failed in this round.
    target: usize,
    failures: u32,
    round: u32,
    method: &'static str,
    stats: Stats,
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A tour of the whole board is looked for.
    Whole,
    Bound,
    /// Paths of `target` squares are looked for.
    Search,
    Sweep,
    Done,
}

impl Longest {
    /// Rounds after which a search without a limit ends.
    pub const ROUNDS: u32 = 4;

    /// Nodes of the first round: of one search for a path, and of the sweep.
    const NODES: u64 = 20_000;
    const STATES: u64 = 300_000;

    /// Nodes of the path that grows before anything else is done, and of each square. Afterwards it has as many as all else,
    /// until it has found nothing longer for [`Longest::PATIENCE`] times that.
    const GROWTH: u64 = 2_000;
    const GROWTH_OF_SQUARE: u64 = 300;
    const PATIENCE: u64 = 10;

    /// Choices of squares to leave out in each round, for each number of them.
    const CHOICES: u32 = 6;

    /// A search that has not begun. Refuses requests for more than ends.
    pub fn new(request: Request) -> Result<Longest, Misuse> {
        PathRequest::new(request.clone(), 1)?;
        Ok(Longest {
            request,
            graph: None,
            stage: Stage::Whole,
            best: Vec::new(),
            upper: 0,
            growth: None,
            others: 0,
            is_refused: false,
            building: None,
            bounding: None,
            choices: None,
            sweep: None,
            sweep_left: 0,
            find: None,
            target: 0,
            failures: 0,
            round: 0,
            method: "theorem",
            stats: Stats::default(),
            memory: 0,
        })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    fn answer(&mut self, stopped: Option<Limit>) -> LongestPath {
        self.begin_with_a_square();
        self.take_grown();
        let upper_bound = if self.choices.is_none() { self.request.board().len() } else { self.upper };
        LongestPath { squares: self.best.clone(), upper_bound, stopped }
    }

    /// The graph of the whole board.
    fn graph(&mut self, budget: &Budget) -> Result<Arc<Graph>, Pause> {
        if self.graph.is_none() {
            budget.check_memory(Graph::bytes(&self.request))?;
            let all = Request::open(self.request.board().clone());
            self.graph = Some(Arc::new(Building::go_on(&mut self.building, &all, budget)?));
        }
        self.graph.clone().ok_or(Pause::Limit(Limit::Memory))
    }

    /// Lets the path grow for its share of the nodes.
    fn grow(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.growth.is_none() {
            let graph = self.graph(budget)?;
            self.memory = self.memory.max(Graph::bytes(&self.request) + Growth::bytes(&graph));
            budget.check_memory(self.memory)?;
            self.growth = Some(Box::new(Growth::new(&self.request, &graph)));
        }
        let Some(growth) = &mut self.growth else { return Ok(()) };
        let first = Longest::GROWTH + Longest::GROWTH_OF_SQUARE * self.request.board().len() as u64;
        let share = if self.is_refused { u64::MAX } else { first.max(self.others) };
        let share = share.min(growth.nodes() - growth.idle() + Longest::PATIENCE * first);
        growth.advance(budget, share, self.upper)
    }

    /// Keeps the path that grew, if it is the longest.
    fn take_grown(&mut self) {
        if let Some(growth) = &mut self.growth {
            let squares = growth.squares(self.request.start());
            if squares.len() > self.best.len() {
                self.best = squares;
                self.method = "rotation";
            }
        }
    }

    fn go_on(&mut self, budget: &Budget) -> Result<(), Pause> {
        loop {
            self.begin_with_a_square();
            let is_first = self.stage == Stage::Whole;
            if is_first {
                self.upper = self.request.board().len();
            }
            // Tours of rectangles are there at once.
            if self.stage != Stage::Done && !(is_first && self.request.board().is_knights_rectangle()) {
                match self.grow(budget) {
                    Err(Pause::Limit(Limit::Memory)) if is_first => {}
                    grown => grown?,
                }
                self.take_grown();
                if self.best.len() == self.upper {
                    self.stage = Stage::Done;
                }
            }
            match self.stage {
                Stage::Whole => self.look_for_a_tour(budget)?,
                Stage::Bound => {
                    self.memory = 4 * Graph::bytes(&self.request) + 1000 * self.request.board().len() as u64;
                    budget.check_memory(self.memory)?;
                    let graph = &self.graph(budget)?;
                    let begin = || Box::new(Choices::bounding(&self.request, graph));
                    let bound = self.bounding.get_or_insert_with(begin).advance(budget)?;
                    self.bounding = None;
                    let choices = Choices::new(&self.request, graph, 0, bound);
                    self.upper = choices.upper;
                    self.choices = Some(choices);
                    self.begin_round();
                }
                Stage::Search => self.search(budget)?,
                Stage::Sweep => self.measure(budget)?,
                Stage::Done => return Ok(()),
            }
            if self.best.len() == self.upper {
                self.stage = Stage::Done;
            }
        }
    }

    /// A square alone is an open path, unless two ends are given.
    fn begin_with_a_square(&mut self) {
        if self.request.is_closed() || !self.best.is_empty() {
            return;
        }
        self.best = match (self.request.start(), self.request.end()) {
            (None, None) => self.request.board().open_squares().take(1).collect(),
            (Some(only), None) | (None, Some(only)) => vec![only],
            (Some(start), Some(end)) if start == end => vec![start],
            (Some(_), Some(_)) => Vec::new(),
        };
    }

    /// Looks for a tour: where there is one it is often found in less time than the bound takes.
    fn look_for_a_tour(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.find.is_none() {
            let nodes = Longest::NODES.max(60 * self.request.board().len() as u64);
            self.find = PartFind::new(self.request.clone(), nodes).ok();
        }
        if let Some(Outcome::Found(tour)) = self.advance_find(budget)? {
            self.best = tour.squares().to_vec();
        }
        self.stage = Stage::Bound;
        Ok(())
    }

    /// Goes on with the search at hand, for the nodes it has left, to its outcome; without one, nothing is found.
    fn advance_find(&mut self, budget: &Budget) -> Result<Option<Outcome>, Pause> {
        let Some(find) = &mut self.find else { return Ok(None) };
        let before = budget.spent();
        let outcome = find.advance(budget);
        self.others += budget.spent() - before;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Halt::Pause(pause)) => return Err(pause),
            // Only an engine that was asked for refuses.
            Err(_) => None,
        };
        self.stats.add(&find.report().search);
        if matches!(outcome, Some(Outcome::Found(_))) {
            self.method = find.report().method;
        }
        self.find = None;
        Ok(outcome)
    }

    fn begin_round(&mut self) {
        if self.round == Longest::ROUNDS {
            self.stage = Stage::Done;
            return;
        }
        (self.target, self.failures, self.find) = (self.upper, 0, None);
        self.sweep_left = Longest::STATES << (2 * self.round);
        self.round += 1;
        self.stage = Stage::Search;
    }

    /// Looks for a path of `target` squares in one choice of that many squares.
    fn search(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.target <= self.best.len() {
            self.stage = Stage::Sweep;
            return Ok(());
        }
        if self.find.is_none() {
            let left = Longest::NODES.max(60 * self.request.board().len() as u64) << self.round;
            budget.check_nodes()?;
            let request = self.choices.as_mut().and_then(|choices| choices.choose(self.target));
            self.find = request.and_then(|request| PartFind::new(request, left).ok());
        }
        let outcome = self.advance_find(budget)?;
        let is_whole = self.target == self.request.board().len();
        match outcome {
            Some(Outcome::Found(tour)) => {
                self.best = tour.squares().to_vec();
                // Longer ones have had their choices in this round.
                self.stage = Stage::Sweep;
            }
            Some(Outcome::Impossible(_)) if is_whole => {
                // No tour: that is proven, and at two colours a cycle has an even number of squares.
                self.upper -= 1;
                if self.request.is_closed() && self.graph.as_ref().is_some_and(|graph| graph.colouring().is_some()) {
                    self.upper -= self.upper % 2;
                }
                self.target = self.upper;
            }
            _ => {
                self.failures += 1;
                if is_whole || self.failures == Longest::CHOICES {
                    self.failures = 0;
                    self.target -= 1;
                }
            }
        }
        Ok(())
    }

    /// Measures all paths, as far as the round goes.
    fn measure(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.sweep.is_none() && self.round == 1 {
            let paths = PathRequest::new(self.request.clone(), 1).ok();
            self.sweep = paths.and_then(|paths| PathSweep::longest(&paths)).map(Box::new);
        }
        let Some(sweep) = &mut self.sweep else {
            self.begin_round();
            return Ok(());
        };
        let before = budget.spent();
        let answer = budget.part_of(&mut self.sweep_left, |part| sweep.advance(part));
        self.others += budget.spent() - before;
        match answer {
            Ok(length) => {
                self.stats.nodes += sweep.nodes();
                self.method = "frontier";
                let path = sweep.path();
                // A single square is no edge, so that the sweep does not see it.
                if path.len() > self.best.len() {
                    self.best = path;
                }
                self.upper = self.best.len().max(length as usize);
                self.stage = Stage::Done;
            }
            Err(Pause::Limit(Limit::Nodes)) => {
                budget.check_nodes()?;
                self.begin_round();
            }
            // It is not the only way.
            Err(Pause::Limit(Limit::Memory)) => {
                self.sweep = None;
                self.begin_round();
            }
            Err(pause) => return Err(pause),
        }
        Ok(())
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut search = self.stats;
        search.nodes += self.growth.as_ref().map_or(0, |growth| growth.nodes());
        Report { method: self.method, search, memory: self.memory, ..Report::default() }
    }
}

impl Task for Longest {
    type Answer = LongestPath;

    /// Goes on until there is an answer: where a limit is reached it is the best so far, and says so.
    fn advance(&mut self, budget: &Budget) -> Result<LongestPath, Halt> {
        let mut outcome = if self.is_refused { Err(Pause::Limit(Limit::Memory)) } else { self.go_on(budget) };
        if outcome == Err(Pause::Limit(Limit::Memory)) {
            // The path may grow on.
            self.is_refused = true;
            outcome = match self.grow(budget) {
                Ok(()) | Err(Pause::Limit(Limit::Time | Limit::Nodes)) => outcome,
                refused => refused,
            };
        }
        let stopped = match outcome {
            Ok(()) => None,
            Err(Pause::Slice) => return Err(Halt::SLICE),
            Err(Pause::Limit(limit)) => Some(limit),
        };
        Ok(self.answer(stopped))
    }

    /// How far it is: squares of the best path, and the bound.
    fn progress(&self) -> Progress {
        let total = self.choices.is_some().then_some(self.upper as u64);
        Progress { done: self.best.len() as u64, total, message: "longest path: squares".to_owned() }
    }

    fn squares(&self) -> usize {
        self.request.board().len()
    }

    fn best(&mut self, limit: Limit) -> Option<LongestPath> {
        Some(self.answer(Some(limit)))
    }
}
