//! Which engine answers which request, and in which order they get their turn.
//!
//! Theorems come first, then the search; every tour passes the checker before it leaves. The answer
//! is one of three ([`Outcome`]): a tour, a proof that there is none, or that a limit was reached.

use std::sync::Arc;
use std::time::Duration;

use crate::backtrack::{Backtrack, Counting, Lookahead, Options, Order, Restarts, Stats, Step, Ties, Totals};
use crate::budget::{Budget, Limit, Pause, Progress, safe_memory};
use crate::existence::{self, Code, Reason};
use crate::graph::Graph;
use crate::request::{Request, RequestError};
use crate::tour::Tour;

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whatever is best.
    #[default]
    Auto,
    /// Backtracking along the path.
    Backtracking,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 2] = [Method::Auto, Method::Backtracking];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Backtracking => "backtracking",
        }
    }
}

/// How to find a tour; `None` leaves the choice to the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FindOptions {
    /// The engine.
    pub method: Method,
    /// The order of moves; goes with backtracking.
    pub warnsdorff: Option<bool>,
    /// How Warnsdorff's ties are broken.
    pub ties: Option<Ties>,
    /// How far to look ahead; goes with backtracking.
    pub lookahead: Option<Lookahead>,
    /// For varied tours.
    pub seed: Option<u64>,
}

/// The answer to a request for one tour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A tour, checked.
    Found(Tour),
    /// There is none.
    Impossible(Reason),
    /// A limit was reached first; nothing is claimed.
    Stopped(Limit),
}

/// What was done for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The engine that gave the answer.
    pub method: &'static str,
    /// What the search did.
    pub search: Stats,
    /// Bytes that the engine set aside.
    pub memory: u64,
}

/// A tour being looked for. Resumable: call [`Find::advance`] until it answers.
#[derive(Debug)]
pub struct Find {
    request: Request,
    options: FindOptions,
    stage: Stage,
    memory: u64,
}

#[derive(Debug)]
enum Stage {
    Theorems,
    Graph,
    /// A first search, short enough that looking at the graph would take longer.
    Glance(Arc<Graph>, Box<Restarts>),
    Look(Arc<Graph>, Option<Box<Restarts>>),
    Restarts(Box<Restarts>),
    Backtrack(Box<Backtrack>),
    Answered(Stats, &'static str),
}

impl Find {
    /// Refuses options that do not fit each other.
    pub fn new(request: Request, options: FindOptions) -> Result<Find, RequestError> {
        let misuse = |text: &str| Err(RequestError::Misuse(text.to_owned()));
        let chosen = options.warnsdorff.is_some() || options.lookahead.is_some() || options.ties.is_some();
        if chosen && options.method == Method::Auto {
            return misuse(
                "order, ties and lookahead choose among ways to backtrack: they go with method=\"backtracking\"",
            );
        }
        if options.ties.is_some() && options.warnsdorff == Some(false) {
            return misuse("ties are broken in order=\"warnsdorff\" only, not in order=\"fixed\"");
        }
        Ok(Find { request, options, stage: Stage::Theorems, memory: 0 })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Goes on until there is an answer, or the slice of the budget is over.
    pub fn advance(&mut self, budget: &Budget) -> Option<Outcome> {
        match self.go_on(budget) {
            Ok(outcome) => Some(outcome),
            Err(Pause::Slice) => None,
            Err(Pause::Limit(limit)) => Some(Outcome::Stopped(limit)),
        }
    }

    fn go_on(&mut self, budget: &Budget) -> Result<Outcome, Pause> {
        loop {
            match &mut self.stage {
                Stage::Theorems => {
                    if let Some(reason) = existence::check_board(&self.request) {
                        self.stage = Stage::Answered(Stats::default(), "theorem");
                        return Ok(Outcome::Impossible(reason));
                    }
                    self.stage = Stage::Graph;
                }
                Stage::Graph => {
                    budget.take(0)?;
                    self.memory = Graph::bytes(&self.request) + self.engine_bytes();
                    within_memory(budget, self.memory)?;
                    let graph = Arc::new(Graph::new(&self.request));
                    self.stage = if self.options.method == Method::Auto {
                        let restarts = Restarts::new(&self.request, Arc::clone(&graph), self.options.seed);
                        Stage::Glance(graph, Box::new(restarts))
                    } else {
                        Stage::Look(graph, None)
                    };
                }
                Stage::Glance(_, restarts) => match restarts.first_turn(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Paused(pause @ Pause::Limit(_)) => return Err(pause),
                    Step::Paused(Pause::Slice) if restarts.is_in_first_turn() => return Err(Pause::Slice),
                    Step::Paused(Pause::Slice) | Step::Exhausted => {
                        let Stage::Glance(graph, restarts) = std::mem::replace(&mut self.stage, Stage::Graph) else {
                            continue;
                        };
                        self.stage = Stage::Look(graph, Some(restarts));
                    }
                },
                Stage::Look(graph, _) => {
                    if let Some(reason) = existence::check_graph(&self.request, graph) {
                        self.stage = Stage::Answered(self.report().search, "theorem");
                        return Ok(Outcome::Impossible(reason));
                    }
                    let Stage::Look(graph, restarts) = std::mem::replace(&mut self.stage, Stage::Graph) else {
                        continue;
                    };
                    self.stage = match restarts {
                        Some(restarts) => Stage::Restarts(restarts),
                        None => self.backtracking(graph),
                    };
                }
                Stage::Restarts(restarts) => match restarts.advance(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Exhausted => return Ok(self.exhausted()),
                    Step::Paused(pause) => return Err(pause),
                },
                Stage::Backtrack(search) => match search.advance(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Exhausted => return Ok(self.exhausted()),
                    Step::Paused(pause) => return Err(pause),
                },
                Stage::Answered(..) => return Err(Pause::Limit(Limit::Cancelled)),
            }
        }
    }

    fn engine_bytes(&self) -> u64 {
        if self.options.method == Method::Auto {
            Restarts::bytes(&self.request)
        } else {
            Backtrack::bytes(&self.request)
        }
    }

    /// Backtracking as it was chosen; without a choice, the fastest way with restarts.
    fn backtracking(&self, graph: Arc<Graph>) -> Stage {
        let chosen = &self.options;
        if chosen.warnsdorff.is_none() && chosen.ties.is_none() && chosen.lookahead.is_none() {
            return Stage::Restarts(Box::new(Restarts::new(&self.request, graph, chosen.seed)));
        }
        let order = match (chosen.warnsdorff, chosen.ties) {
            (Some(false), _) => Order::Fixed,
            (_, Some(ties)) => Order::Warnsdorff(ties),
            _ => Options::BEST.order,
        };
        let lookahead = chosen.lookahead.unwrap_or(Options::BEST.lookahead);
        let options = Options { order, lookahead, seed: chosen.seed };
        Stage::Backtrack(Box::new(Backtrack::new(&self.request, graph, options)))
    }

    fn found(&mut self) -> Outcome {
        let squares = match &mut self.stage {
            Stage::Glance(_, restarts) | Stage::Restarts(restarts) => restarts.tour(),
            Stage::Backtrack(search) => search.tour(),
            _ => Vec::new(),
        };
        self.stage = Stage::Answered(self.report().search, "backtracking");
        Outcome::Found(checked(&self.request, squares))
    }

    fn exhausted(&mut self) -> Outcome {
        let stats = self.report().search;
        self.stage = Stage::Answered(stats, "backtracking");
        Outcome::Impossible(exhausted(&self.request, stats.nodes))
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (search, method) = match &self.stage {
            Stage::Glance(_, restarts) | Stage::Restarts(restarts) | Stage::Look(_, Some(restarts)) => {
                (restarts.stats(), "backtracking")
            }
            Stage::Backtrack(search) => (search.stats(), "backtracking"),
            Stage::Answered(stats, method) => (*stats, *method),
            _ => (Stats::default(), "backtracking"),
        };
        Report { method, search, memory: self.memory }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let done = self.report().search.nodes;
        Progress { done, total: None, message: "searching: squares placed".to_owned() }
    }
}

/// How to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CountOptions {
    /// The engine.
    pub method: Method,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Whether to keep the tours of each start apart.
    pub by_start: bool,
}

/// A count under way. Resumable: call [`Count::advance`] until it answers.
#[derive(Debug)]
pub struct Count {
    request: Request,
    options: CountOptions,
    stage: CountStage,
    memory: u64,
}

#[derive(Debug)]
enum CountStage {
    Theorems,
    Backtrack(Box<Counting>),
    Answered(Stats, &'static str),
}

impl Count {
    /// A count of the tours of a request. Refuses options that do not fit it.
    pub fn new(request: Request, options: CountOptions) -> Result<Count, RequestError> {
        if options.by_start && request.is_closed() {
            return Err(RequestError::Misuse("closed tours have no starts to count by".to_owned()));
        }
        Ok(Count { request, options, stage: CountStage::Theorems, memory: 0 })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Goes on counting; says what stopped it if it is not done.
    pub fn advance(&mut self, budget: &Budget) -> Result<Totals, Pause> {
        loop {
            match &mut self.stage {
                CountStage::Theorems => {
                    if existence::check_board(&self.request).is_some() {
                        return Ok(self.none());
                    }
                    budget.take(0)?;
                    self.memory = Graph::bytes(&self.request) + Counting::bytes(&self.request);
                    within_memory(budget, self.memory)?;
                    let graph = Arc::new(Graph::new(&self.request));
                    if existence::check_graph(&self.request, &graph).is_some() {
                        return Ok(self.none());
                    }
                    let CountOptions { threads, by_start, .. } = self.options;
                    let counting = Counting::new(&self.request, graph, Options::EXHAUSTIVE, threads, by_start);
                    budget.charge(counting.stats().nodes);
                    self.stage = CountStage::Backtrack(Box::new(counting));
                }
                CountStage::Backtrack(counting) => {
                    let totals = counting.advance(budget)?;
                    self.stage = CountStage::Answered(counting.stats(), "backtracking");
                    return Ok(totals);
                }
                CountStage::Answered(..) => return Err(Pause::Limit(Limit::Cancelled)),
            }
        }
    }

    fn none(&mut self) -> Totals {
        self.stage = CountStage::Answered(Stats::default(), "theorem");
        Totals { value: 0, by_start: Vec::new() }
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (search, method) = match &self.stage {
            CountStage::Theorems => (Stats::default(), "theorem"),
            CountStage::Backtrack(counting) => (counting.stats(), "backtracking"),
            CountStage::Answered(stats, method) => (*stats, *method),
        };
        Report { method, search, memory: self.memory }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match &self.stage {
            CountStage::Backtrack(counting) => counting.progress(),
            _ => Progress { message: "counting".to_owned(), ..Progress::default() },
        }
    }
}

/// The tours of a request, one after another.
///
/// Order: by start in reading order (closed tours: by the second square from the square with the
/// fewest moves), then by the moves in reading order. Each tour is checked. Memory does not grow.
#[derive(Debug)]
pub struct List {
    request: Request,
    search: Option<Box<Backtrack>>,
    begun: bool,
}

/// What a step of a [`List`] led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The next tour.
    Tour(Tour),
    /// There are no more.
    End,
    /// Stopped before the next one.
    Paused(Pause),
}

impl List {
    /// A listing that has not begun.
    #[must_use]
    pub fn new(request: Request) -> List {
        List { request, search: None, begun: false }
    }

    /// Goes on to the next tour.
    pub fn advance(&mut self, budget: &Budget) -> Listed {
        if !self.begun {
            if let Err(pause) = self.begin(budget) {
                return Listed::Paused(pause);
            }
            self.begun = true;
        }
        let Some(search) = &mut self.search else { return Listed::End };
        match search.advance(budget) {
            Step::Found => Listed::Tour(checked(&self.request, search.tour())),
            Step::Exhausted => {
                self.search = None;
                Listed::End
            }
            Step::Paused(pause) => Listed::Paused(pause),
        }
    }

    fn begin(&mut self, budget: &Budget) -> Result<(), Pause> {
        if existence::check_board(&self.request).is_some() {
            return Ok(());
        }
        budget.take(0)?;
        within_memory(budget, Graph::bytes(&self.request) + Backtrack::bytes(&self.request))?;
        let graph = Arc::new(Graph::new(&self.request));
        if existence::check_graph(&self.request, &graph).is_none() {
            self.search = Some(Box::new(Backtrack::new(&self.request, graph, Options::EXHAUSTIVE)));
        }
        Ok(())
    }
}

/// The last word on every tour that leaves: a wrong one would be a fault of the engine, and must not
/// be taken for an answer.
fn checked(request: &Request, squares: Vec<u32>) -> Tour {
    let tour = Tour::new(request.board().clone(), squares, Some(request.is_closed()));
    let tour = tour.unwrap_or_else(|fault| panic!("an engine returned what is no tour: {fault}"));
    assert!(request.admits(&tour), "an engine returned a tour that was not asked for");
    tour
}

fn exhausted(request: &Request, nodes: u64) -> Reason {
    let kind = if request.is_closed() { "closed" } else { "open" };
    let text = format!(
        "every possibility was tried, in {nodes} steps of search: the {} has no {kind} tour{}",
        request.board().describe(),
        if request.is_free() { "" } else { " as asked for" }
    );
    Reason { code: Code::Exhausted, text, squares: Vec::new() }
}

/// Small boards need no look at what the machine has free.
const SMALL: u64 = 1 << 26;

fn within_memory(budget: &Budget, bytes: u64) -> Result<(), Pause> {
    budget.check_memory(bytes)?;
    if budget.memory_limit().is_none() && bytes > SMALL && bytes > safe_memory() {
        return Err(Pause::Limit(Limit::Memory));
    }
    Ok(())
}

/// How long a slice is: short enough that Ctrl-C and progress feel immediate.
pub const SLICE: Duration = Duration::from_millis(30);
