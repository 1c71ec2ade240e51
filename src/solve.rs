//! Which engine answers which request, and in which order they get their turn.
//!
//! Theorems come first, then the search; every tour passes the checker before it leaves. The answer
//! is one of three ([`Outcome`]): a tour, a proof that there is none, or that a limit was reached.

use std::sync::Arc;
use std::time::Duration;

use crate::backtrack::{Backtrack, Counting, Lookahead, Options, Order, Restarts, Stats, Step, Totals};
use crate::budget::{Budget, Limit, Pause, Progress};
use crate::construct::{self, Construction};
use crate::existence::{self, Code, Reason};
use crate::fragments::{self, Fragments};
use crate::frontier::{Files, Halt, Kept, Natural, Starts, Sweep, SweepStats, Unsuited};
use crate::graph::Graph;
use crate::request::{Request, RequestError};
use crate::tour::Tour;
use crate::warnsdorff::{Run, Ties};

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whatever is best.
    #[default]
    Auto,
    /// Backtracking along the path.
    Backtracking,
    /// Tours of plain rectangles put together from blocks, in linear time.
    Construction,
    /// The sweep over the frontier, which counts without listing.
    Frontier,
    /// Warnsdorff's rule, begun anew until it succeeds; for open tours without a given end.
    Warnsdorff,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 5] =
        [Method::Auto, Method::Backtracking, Method::Construction, Method::Frontier, Method::Warnsdorff];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Backtracking => "backtracking",
            Method::Construction => "construction",
            Method::Frontier => "frontier",
            Method::Warnsdorff => "warnsdorff",
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
    /// States of the largest layer of a sweep.
    pub peak_states: u64,
    /// Ways from a state to the next that a sweep followed.
    pub transitions: u64,
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
    /// Warnsdorff's rule: attempts so far, and squares visited in those that ended.
    Walk {
        run: Box<Run>,
        attempts: u64,
        steps: u64,
    },
    Construct(Box<Construction>),
    Graph,
    /// A first search, short enough that looking at the graph would take longer.
    Glance(Arc<Graph>, Box<Restarts>),
    Look(Arc<Graph>, Option<Box<Restarts>>),
    Turns(Box<Turns>),
    Backtrack(Box<Backtrack>),
    Answered(Stats, &'static str),
}

impl Find {
    /// Refuses options that do not fit each other.
    pub fn new(request: Request, options: FindOptions) -> Result<Find, RequestError> {
        let misuse = |text: &str| Err(RequestError::Misuse(text.to_owned()));
        if options.method == Method::Frontier {
            return misuse("method=\"frontier\" counts tours; it does not find them yet");
        }
        let walks = options.method == Method::Warnsdorff;
        if (options.warnsdorff.is_some() || options.lookahead.is_some()) && options.method != Method::Backtracking {
            return misuse("order and lookahead choose among ways to backtrack: they go with method=\"backtracking\"");
        }
        if options.ties.is_some() && options.method == Method::Auto {
            return misuse("ties go with method=\"backtracking\" and method=\"warnsdorff\"");
        }
        if walks && !is_walkable(&request) {
            return misuse(
                "method=\"warnsdorff\" walks from a start to wherever the rule leads: it is for open tours without \
                 a given end, moves to use or to avoid, or steps",
            );
        }
        if options.ties.is_some() && options.warnsdorff == Some(false) {
            return misuse("ties are broken in order=\"warnsdorff\" only, not in order=\"fixed\"");
        }
        if options.ties == Some(Ties::Squirrel) && !walks {
            return misuse("ties=\"squirrel\" is for runs without backtracking: its orderings follow one walk");
        }
        if walks {
            // Squirrel and Cull's orderings are for some boards only.
            Run::new(request.board(), request.start(), options.ties.unwrap_or(Ties::Random), 0)?;
        }
        if options.method == Method::Construction {
            // It says what it does not apply to.
            Construction::new(&request, options.seed)?;
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
                    self.stage = self.after_theorems();
                }
                Stage::Walk { run, attempts, steps } => {
                    self.memory = Run::bytes(self.request.board());
                    budget.check_memory(self.memory)?;
                    run.advance(budget)?;
                    if run.is_complete() {
                        return Ok(self.found());
                    }
                    *attempts += 1;
                    *steps += run.squares().len() as u64;
                    if self.options.method == Method::Auto {
                        self.stage = Stage::Graph;
                    } else if *attempts == ATTEMPTS {
                        return Err(Pause::Limit(Limit::Nodes));
                    } else {
                        let seed = self.options.seed.unwrap_or(0).wrapping_add(*attempts);
                        let ties = self.options.ties.unwrap_or(Ties::Random);
                        if let Ok(next) = Run::new(self.request.board(), self.request.start(), ties, seed) {
                            **run = next;
                        }
                    }
                }
                Stage::Construct(construction) => {
                    self.memory = Construction::bytes(self.request.board());
                    budget.check_memory(self.memory)?;
                    let outcome = construction.advance(budget)?;
                    self.stage = Stage::Answered(Stats::default(), "construction");
                    return Ok(match outcome {
                        construct::Outcome::Squares(squares) => Outcome::Found(checked(&self.request, squares)),
                        construct::Outcome::Impossible => Outcome::Impossible(exhausted(&self.request, None)),
                    });
                }
                Stage::Graph => {
                    budget.take(0)?;
                    self.memory = Graph::bytes(&self.request) + self.engine_bytes();
                    budget.check_memory(self.memory)?;
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
                        Some(restarts) => Stage::Turns(Box::new(Turns::new(*restarts, graph))),
                        None => self.backtracking(graph),
                    };
                }
                Stage::Turns(turns) => match turns.advance(budget) {
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

    /// Plain rectangles are constructed; on other large boards one walk outward, which hardly ever
    /// fails and costs a twentieth of a search, goes before all else.
    fn after_theorems(&self) -> Stage {
        let board = self.request.board();
        let constructs = match self.options.method {
            Method::Auto => board.len() > SMALL && Construction::applies_to(&self.request),
            method => method == Method::Construction,
        };
        if constructs && let Ok(construction) = Construction::new(&self.request, self.options.seed) {
            return Stage::Construct(Box::new(construction));
        }
        let (method, seed) = (self.options.method, self.options.seed);
        let (ties, start) = match method {
            Method::Warnsdorff => (self.options.ties.unwrap_or(Ties::Random), self.request.start()),
            Method::Auto if is_walkable(&self.request) && seed.is_none() && board.len() > SMALL => {
                (Ties::Outward, self.request.start().or_else(|| board.open_squares().next()))
            }
            _ => return Stage::Graph,
        };
        match Run::new(board, start, ties, seed.unwrap_or(0)) {
            Ok(run) => Stage::Walk { run: Box::new(run), attempts: 0, steps: 0 },
            Err(_) => Stage::Graph,
        }
    }

    fn engine_bytes(&self) -> u64 {
        if self.options.method == Method::Auto {
            Restarts::bytes(&self.request) + FRAGMENT_BYTES * self.request.board().len() as u64
        } else {
            Backtrack::bytes(&self.request)
        }
    }

    /// Backtracking as it was chosen; without a choice, the fastest way with restarts.
    fn backtracking(&self, graph: Arc<Graph>) -> Stage {
        let chosen = &self.options;
        if chosen.warnsdorff.is_none() && chosen.ties.is_none() && chosen.lookahead.is_none() {
            let restarts = Restarts::new(&self.request, Arc::clone(&graph), chosen.seed);
            return Stage::Turns(Box::new(Turns::alone(restarts, graph)));
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
        let report = self.report();
        let squares = match &mut self.stage {
            Stage::Walk { run, .. } => run.squares().to_vec(),
            Stage::Glance(_, restarts) => restarts.tour(),
            Stage::Turns(turns) => turns.tour(),
            Stage::Backtrack(search) => search.tour(),
            _ => Vec::new(),
        };
        self.stage = Stage::Answered(report.search, report.method);
        Outcome::Found(checked(&self.request, squares))
    }

    fn exhausted(&mut self) -> Outcome {
        let report = self.report();
        self.stage = Stage::Answered(report.search, report.method);
        Outcome::Impossible(exhausted(&self.request, Some(report.search.nodes)))
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (search, method) = match &self.stage {
            Stage::Glance(_, restarts) | Stage::Look(_, Some(restarts)) => (restarts.stats(), "backtracking"),
            Stage::Turns(turns) => (turns.stats(), turns.method()),
            Stage::Backtrack(search) => (search.stats(), "backtracking"),
            Stage::Walk { run, attempts, steps } => {
                let visited = run.squares().len() as u64;
                // A walk that ended without a tour is in `steps` already.
                let nodes = if run.is_ended() && !run.is_complete() { *steps } else { steps + visited };
                let stats = Stats { nodes, greatest_depth: visited, restarts: *attempts, ..Stats::default() };
                (stats, "warnsdorff")
            }
            Stage::Answered(stats, method) => (*stats, *method),
            Stage::Construct(_) => (Stats::default(), "construction"),
            Stage::Theorems | Stage::Graph | Stage::Look(_, None) => (Stats::default(), "backtracking"),
        };
        Report { method, search, memory: self.memory, ..Report::default() }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let done = self.report().search.nodes;
        Progress { done, total: None, message: "searching: squares placed".to_owned() }
    }
}

/// Bytes a square that the edge-forcing search takes, from above: squares have at most eight moves.
const FRAGMENT_BYTES: u64 = 600;

/// Two engines that take turns, in rounds that double: backtracking with restarts, and the search that
/// forces edges, which is slower at finding and better at proving.
#[derive(Debug)]
struct Turns {
    restarts: Restarts,
    fragments: Option<Box<Fragments>>,
    graph: Arc<Graph>,
    /// Whose turn it is; for ever backtracking's if `alone`.
    forcing: bool,
    alone: bool,
    left: u64,
    round: u32,
}

impl Turns {
    /// Nodes of the first round; a node of the second engine follows all that is forced, and so counts
    /// for several.
    const BACKTRACKING: u64 = 20_000;
    const FORCING: u64 = 2_000;

    fn new(restarts: Restarts, graph: Arc<Graph>) -> Turns {
        Turns { restarts, fragments: None, graph, forcing: true, alone: false, left: Turns::FORCING, round: 0 }
    }

    /// Backtracking, and nothing else.
    fn alone(restarts: Restarts, graph: Arc<Graph>) -> Turns {
        Turns { forcing: false, alone: true, left: u64::MAX, ..Turns::new(restarts, graph) }
    }

    fn advance(&mut self, budget: &Budget) -> Step {
        loop {
            if let Err(pause) = budget.take(0) {
                return Step::Paused(pause);
            }
            let part = budget.part(self.left);
            let step = if self.forcing { self.force(&part) } else { self.restarts.advance(&part) };
            budget.charge(part.spent());
            self.left -= part.spent();
            match step {
                Step::Paused(Pause::Limit(Limit::Nodes)) if self.left == 0 && !self.alone => {
                    self.forcing = !self.forcing;
                    self.round += u32::from(self.forcing);
                    let first = if self.forcing { Turns::FORCING } else { Turns::BACKTRACKING };
                    self.left = first << self.round.min(40);
                }
                step => return step,
            }
        }
    }

    fn force(&mut self, budget: &Budget) -> Step {
        if self.fragments.is_none() {
            match Fragments::new(Arc::clone(&self.graph), budget) {
                Ok(fragments) => self.fragments = Some(Box::new(fragments)),
                Err(pause) => return Step::Paused(pause),
            }
        }
        match self.fragments.as_mut().map(|fragments| fragments.advance(budget)) {
            Some(fragments::Step::Found) => Step::Found,
            Some(fragments::Step::Exhausted) => Step::Exhausted,
            Some(fragments::Step::Paused(pause)) => Step::Paused(pause),
            None => Step::Exhausted,
        }
    }

    fn tour(&mut self) -> Vec<u32> {
        match &self.fragments {
            Some(fragments) if self.forcing => fragments.path().to_vec(),
            _ => self.restarts.tour(),
        }
    }

    fn method(&self) -> &'static str {
        if self.forcing { "fragments" } else { "backtracking" }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.restarts.stats();
        if let Some(fragments) = &self.fragments {
            stats.nodes += fragments.stats().nodes;
            stats.backtracks += fragments.stats().dead_ends;
            stats.restarts += u64::from(fragments.stats().restarts);
        }
        stats
    }
}

/// How to count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountOptions {
    /// The engine.
    pub method: Method,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Whether to keep the tours of each start apart.
    pub by_start: bool,
    /// Where a sweep may write: a checkpoint, and states that do not fit the memory.
    pub files: Files,
}

impl CountOptions {
    fn uses_files(&self) -> bool {
        self.files.checkpoint.is_some() || self.files.spill_dir.is_some()
    }
}

/// What a finished count says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Members of the request: directed open tours, or cycles.
    pub value: Natural,
    /// If they were asked for, the tours from each open square that has any, as (square, tours), by square.
    pub by_start: Vec<(u32, Natural)>,
}

impl From<Totals> for Counted {
    fn from(totals: Totals) -> Counted {
        let natural = |value: u128| Natural::from_limbs(vec![value as u64, (value >> 64) as u64]);
        let by_start = totals.by_start.into_iter().map(|(square, tours)| (square, natural(tours)));
        Counted { value: natural(totals.value), by_start: by_start.collect() }
    }
}

/// A count under way. Resumable: call [`Count::advance`] until it answers.
#[derive(Debug)]
pub struct Count {
    request: Request,
    options: CountOptions,
    stage: CountStage,
    report: Report,
}

#[derive(Debug)]
enum CountStage {
    Theorems,
    /// Backtracking, for so many nodes at most where there is another way.
    Backtrack {
        counting: Box<Counting>,
        graph: Arc<Graph>,
        left: Option<u64>,
    },
    Sweep(Box<Sweep>),
    Kept(Box<Kept>),
    Starts(Box<Starts>),
    Answered,
}

impl Count {
    /// Nodes after which a count by backtracking gives way to the sweep: a fraction of a millisecond.
    const GLANCE: u64 = 20_000;

    /// A count of the tours of a request. Refuses options that do not fit it.
    pub fn new(request: Request, options: CountOptions) -> Result<Count, RequestError> {
        if matches!(options.method, Method::Warnsdorff | Method::Construction) {
            let method = options.method.name();
            return Err(RequestError::Misuse(format!("method={method:?} finds tours; it cannot count them")));
        }
        if options.by_start && request.is_closed() {
            return Err(RequestError::Misuse("closed tours have no starts to count by".to_owned()));
        }
        if options.uses_files() && (options.by_start || options.method == Method::Backtracking) {
            let text = "checkpoint and spill_dir go with a count of all tours by the sweep over the frontier";
            return Err(RequestError::Misuse(text.to_owned()));
        }
        let last = request.board().len() as u32 - 1;
        let is_between = |&(step, _): &(u32, u32)| request.is_closed() || step != 0 && step != last;
        if (options.method == Method::Frontier || options.uses_files()) && request.steps().iter().any(is_between) {
            return Err(RequestError::Misuse(Unsuited::Steps.to_string()));
        }
        Ok(Count { request, options, stage: CountStage::Theorems, report: Report::default() })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Goes on counting; says what stopped it if it is not done.
    pub fn advance(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        let result = self.go_on(budget);
        if result != Err(Halt::Pause(Pause::Slice)) {
            self.report = self.report();
            self.stage = CountStage::Answered;
        }
        result
    }

    fn go_on(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        loop {
            match &mut self.stage {
                CountStage::Theorems => match self.begin(budget)? {
                    Some(stage) => self.stage = stage,
                    None => return Ok(Counted { value: Natural::default(), by_start: Vec::new() }),
                },
                CountStage::Backtrack { counting, left: None, .. } => return Ok(counting.advance(budget)?.into()),
                CountStage::Backtrack { counting, graph, left: Some(left) } => {
                    budget.take(0)?;
                    let part = budget.part(*left);
                    let result = counting.advance(&part);
                    budget.charge(part.spent());
                    *left -= part.spent();
                    match result {
                        Ok(totals) => return Ok(totals.into()),
                        Err(Pause::Limit(Limit::Nodes)) if budget.take(0).is_ok() => {
                            *left = u64::MAX;
                            match sweep(&self.request, &Arc::clone(graph), &self.options) {
                                Some(stage) => self.stage = stage,
                                None => {
                                    let CountStage::Backtrack { left, .. } = &mut self.stage else { continue };
                                    *left = None;
                                }
                            }
                        }
                        Err(pause) => return Err(pause.into()),
                    }
                }
                CountStage::Kept(kept) => {
                    let value = kept.advance(budget)?;
                    return Ok(Counted { value, by_start: Vec::new() });
                }
                CountStage::Sweep(sweep) => {
                    let value = sweep.advance(budget)?;
                    return Ok(Counted { value, by_start: Vec::new() });
                }
                CountStage::Starts(starts) => {
                    let by_start = starts.advance(budget)?;
                    let mut value = Natural::default();
                    by_start.iter().for_each(|(_, tours)| value.add(tours));
                    return Ok(Counted { value, by_start });
                }
                CountStage::Answered => return Err(Pause::Limit(Limit::Cancelled).into()),
            }
        }
    }

    /// The engine to count with; `None` if there is nothing to count.
    fn begin(&mut self, budget: &Budget) -> Result<Option<CountStage>, Halt> {
        self.report.method = "theorem";
        if existence::check_board(&self.request).is_some() {
            return Ok(None);
        }
        budget.take(0)?;
        let CountOptions { method, threads, by_start, .. } = self.options;
        self.report.memory = Graph::bytes(&self.request) + Counting::bytes(&self.request, self.options.threads);
        budget.check_memory(self.report.memory)?;
        let graph = Arc::new(Graph::new(&self.request));
        if existence::check_graph(&self.request, &graph).is_some() {
            return Ok(None);
        }
        budget.check_memory(Sweep::plan_bytes(&graph))?;
        if self.options.uses_files()
            && let Ok(sweep) = Sweep::new(&self.request, &graph, threads)
        {
            return Ok(Some(CountStage::Kept(Box::new(Kept::new(sweep, self.options.files.clone())?))));
        }
        if method == Method::Frontier
            && let Some(stage) = sweep(&self.request, &graph, &self.options)
        {
            return Ok(Some(stage));
        }
        let counting = Counting::new(&self.request, Arc::clone(&graph), Options::EXHAUSTIVE, threads, by_start);
        let left = (method == Method::Auto).then_some(Count::GLANCE);
        Ok(Some(CountStage::Backtrack { counting: Box::new(counting), graph, left }))
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.stage {
            CountStage::Theorems | CountStage::Answered => self.report,
            CountStage::Backtrack { counting, .. } => {
                Report { method: "backtracking", search: counting.stats(), ..self.report }
            }
            CountStage::Sweep(sweep) => swept(sweep.stats(), sweep.bytes_needed()),
            CountStage::Kept(kept) => swept(kept.sweep().stats(), kept.sweep().bytes_needed()),
            CountStage::Starts(starts) => swept(starts.stats(), starts.bytes_needed()),
        }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match &self.stage {
            CountStage::Backtrack { counting, .. } => counting.progress(),
            CountStage::Sweep(sweep) => counting(sweep.progress()),
            CountStage::Kept(kept) => counting(kept.sweep().progress()),
            CountStage::Starts(starts) => counting(starts.progress()),
            _ => Progress { message: "counting".to_owned(), ..Progress::default() },
        }
    }
}

/// The sweep that counts, if it can.
fn sweep(request: &Request, graph: &Graph, options: &CountOptions) -> Option<CountStage> {
    if options.by_start {
        return Starts::new(request, options.threads).ok().map(|starts| CountStage::Starts(Box::new(starts)));
    }
    Sweep::new(request, graph, options.threads).ok().map(|sweep| CountStage::Sweep(Box::new(sweep)))
}

fn counting(progress: Progress) -> Progress {
    Progress { message: format!("counting: {}", progress.message), ..progress }
}

fn swept(stats: SweepStats, bytes_needed: u64) -> Report {
    Report {
        method: "frontier",
        peak_states: stats.peak_states,
        transitions: stats.transitions,
        memory: stats.peak_bytes.max(bytes_needed),
        ..Report::default()
    }
}

/// The tours of a request, one after another, by the edge-forcing search, in its order (see
/// [`fragments`]). Each tour is checked. Memory does not grow.
#[derive(Debug)]
pub struct List {
    request: Request,
    stage: ListStage,
}

#[derive(Debug)]
enum ListStage {
    Theorems,
    Search(Box<Fragments>),
    Ended,
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
        List { request, stage: ListStage::Theorems }
    }

    /// Goes on to the next tour.
    pub fn advance(&mut self, budget: &Budget) -> Listed {
        loop {
            match &mut self.stage {
                ListStage::Theorems => match self.begin(budget) {
                    Ok(stage) => self.stage = stage,
                    Err(pause) => return Listed::Paused(pause),
                },
                ListStage::Search(search) => match search.advance(budget) {
                    fragments::Step::Found => {
                        return Listed::Tour(checked(&self.request, search.path().to_vec()));
                    }
                    fragments::Step::Exhausted => self.stage = ListStage::Ended,
                    fragments::Step::Paused(pause) => return Listed::Paused(pause),
                },
                ListStage::Ended => return Listed::End,
            }
        }
    }

    fn begin(&self, budget: &Budget) -> Result<ListStage, Pause> {
        if existence::check_board(&self.request).is_some() {
            return Ok(ListStage::Ended);
        }
        let vertices = self.request.board().len() as u64;
        budget.check_memory(Graph::bytes(&self.request) + FRAGMENT_BYTES * vertices)?;
        let graph = Graph::new(&self.request);
        if existence::check_graph(&self.request, &graph).is_some() {
            return Ok(ListStage::Ended);
        }
        Ok(ListStage::Search(Box::new(Fragments::new(Arc::new(graph), budget)?)))
    }
}

/// Boards of up to so many squares are searched on bitboards, which is faster than all else.
const SMALL: usize = 64;

/// Whether Warnsdorff's rule can be followed to a tour that is asked for.
fn is_walkable(request: &Request) -> bool {
    !request.is_closed() && request.end().is_none() && request.is_unconstrained()
}

/// How often Warnsdorff's rule is begun anew before it is given up.
pub const ATTEMPTS: u64 = 1000;

/// The last word on every tour that leaves: a wrong one would be a fault of the engine, and must not
/// be taken for an answer.
fn checked(request: &Request, squares: Vec<u32>) -> Tour {
    let tour = Tour::new(request.board().clone(), squares, Some(request.is_closed()));
    let tour = tour.unwrap_or_else(|fault| panic!("an engine returned what is no tour: {fault}"));
    assert!(request.admits(&tour), "an engine returned a tour that was not asked for");
    tour
}

/// The reason that a search gives. Without nodes: narrow boards, of which the construction knows all.
fn exhausted(request: &Request, nodes: Option<u64>) -> Reason {
    let kind = if request.is_closed() { "closed" } else { "open" };
    let steps = nodes.map(|nodes| format!(", in {nodes} steps of search")).unwrap_or_default();
    let text = format!(
        "every possibility was tried{steps}: the {} has no {kind} tour{}",
        request.board().describe(),
        if request.is_free() { "" } else { " as asked for" }
    );
    Reason { code: Code::Exhausted, text, squares: Vec::new() }
}

/// How long a slice is: short enough that Ctrl-C and progress feel immediate.
pub const SLICE: Duration = Duration::from_millis(30);
