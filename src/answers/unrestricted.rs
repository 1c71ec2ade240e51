//! [`UnrestrictedFind`]: looking for one tour among all that fit a request.

use std::sync::Arc;

use super::portfolio::Portfolio;
use super::{Method, Presolve, Report, checked};
use crate::board::tour::Tour;
use crate::engines::backtracking::{Backtrack, Lookahead, Options, Order, Restarts, Stats, Step};
use crate::engines::construction::{self, Construction, Tidy};
use crate::engines::frontier::{self, Natural, Walk};
use crate::engines::warnsdorff::{Run, Ties};
use crate::request::Request;
use crate::request::graph::{Building, Graph};
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Limit, Misuse, Named, Pause, Progress, Task, Unsuited};
use crate::theorems::{self, Code, Reason};

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
    /// Threads for engines that take turns; 0 is 1. The answer does not depend on it.
    pub threads: usize,
}

/// The answer to a request for one tour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A tour, checked.
    Found(Tour),
    /// There is none.
    Impossible(Reason),
}

/// A tour being looked for.
#[derive(Debug)]
pub(super) struct UnrestrictedFind {
    request: Request,
    options: FindOptions,
    stage: Stage,
    building: Option<Box<Building>>,
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
    Tidy(Box<Tidy>),
    Graph,
    /// A first search, short enough that looking at the graph would take longer.
    Probe(Arc<Graph>, Box<Restarts>),
    Presolve(Box<Presolve>, Option<Box<Restarts>>),
    Portfolio(Box<Portfolio>),
    Backtrack(Box<Backtrack>),
    /// All tours at once, to take one by its number.
    Sweep(Box<frontier::Prepare>),
    Answered(Report),
}

impl UnrestrictedFind {
    /// Refuses options that do not fit each other.
    pub(super) fn new(request: Request, options: FindOptions) -> Result<UnrestrictedFind, Misuse> {
        let (order, ties) = (Named::Option("order"), Named::Option("ties"));
        let (backtracking, warnsdorff) = (Method::Backtracking.named(), Method::Warnsdorff.named());
        if options.method == Method::Frontier && frontier::needs_steps(&request) {
            let text = "{} cannot find tours with squares at given steps";
            return Err(Misuse::options(text, [Method::Frontier.named()]));
        }
        let walks = options.method == Method::Warnsdorff;
        if (options.warnsdorff.is_some() || options.lookahead.is_some()) && options.method != Method::Backtracking {
            return Err(Misuse::options("{} and {} need {}", [order, Named::Option("lookahead"), backtracking]));
        }
        if options.ties.is_some() && options.method == Method::Auto {
            return Err(Misuse::options("{} needs {} or {}", [ties, backtracking, warnsdorff]));
        }
        if walks && !is_walkable(&request) {
            let text =
                "{} cannot be combined with closed tours, an end, given moves or given steps: it only follows the rule";
            return Err(Misuse::options(text, [warnsdorff]));
        }
        if options.ties.is_some() && options.warnsdorff == Some(false) {
            let fixed = Named::With("order", "fixed");
            return Err(Misuse::options("{} cannot be combined with {}, which has no ties", [ties, fixed]));
        }
        if options.ties == Some(Ties::Squirrel) && !walks {
            let text = "{} needs {}: its orderings are for runs without backtracking";
            return Err(Misuse::options(text, [Ties::Squirrel.named(), warnsdorff]));
        }
        if walks {
            // Squirrel and Cull's orderings are for some boards only.
            Run::new(request.board(), request.start(), options.ties.unwrap_or(Ties::Random), 0)?;
        }
        if options.method == Method::Construction {
            // It says what it does not apply to.
            Construction::new(&request, options.seed)?;
        }
        if options.method == Method::Tidy {
            Tidy::new(&request, options.seed)?;
        }
        Ok(UnrestrictedFind { request, options, stage: Stage::Theorems, building: None, memory: 0 })
    }

    /// What is asked.
    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// The answer of a sweep, of whose tours one is taken: the first, or with a seed any, each as likely.
    fn swept(&mut self, walk: &Walk, report: Report) -> Outcome {
        self.stage = Stage::Answered(report);
        let total = walk.total();
        if total.is_zero() {
            return Outcome::Impossible(exhausted(&self.request, None));
        }
        let number = self.options.seed.map_or_else(Natural::default, |seed| total.draw_below(&mut Rng::seeded(seed)));
        // Its layers are in memory, and whole.
        let squares = walk.tour(&number).unwrap_or_else(|fault| panic!("a sweep lost a tour that it counted: {fault}"));
        Outcome::Found(checked(&self.request, squares))
    }

    /// Goes on until there is an answer.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Outcome, Halt> {
        loop {
            match &mut self.stage {
                Stage::Theorems => {
                    if let Some(reason) = theorems::check_board(&self.request) {
                        self.stage = Stage::Answered(Report { method: "theorem", ..self.report() });
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
                        return Err(Limit::Nodes.into());
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
                    self.stage = Stage::Answered(self.report());
                    return Ok(match outcome {
                        construction::Outcome::Squares(squares) => Outcome::Found(checked(&self.request, squares)),
                        construction::Outcome::Impossible => Outcome::Impossible(exhausted(&self.request, None)),
                    });
                }
                Stage::Tidy(tidy) => {
                    self.memory = Construction::bytes(self.request.board());
                    let squares = tidy.advance(budget)?;
                    self.stage = Stage::Answered(self.report());
                    return match squares {
                        Some(squares) => Ok(Outcome::Found(checked(&self.request, squares))),
                        None => Err(Limit::Nodes.into()),
                    };
                }
                Stage::Graph => {
                    budget.take(0)?;
                    self.memory = Graph::bytes(&self.request) + self.engine_bytes();
                    budget.check_memory(self.memory)?;
                    let graph = Arc::new(Building::go_on(&mut self.building, &self.request, budget)?);
                    self.stage = if self.options.method == Method::Auto {
                        let restarts = Restarts::new(&self.request, Arc::clone(&graph), self.options.seed);
                        Stage::Probe(graph, Box::new(restarts))
                    } else {
                        Stage::Presolve(Box::new(Presolve::new(&self.request, graph)), None)
                    };
                }
                Stage::Probe(_, restarts) => match restarts.first_turn(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Paused(pause @ Pause::Limit(_)) => return Err(pause.into()),
                    Step::Paused(Pause::Slice) if restarts.is_in_first_turn() => return Err(Halt::SLICE),
                    Step::Paused(Pause::Slice) | Step::Exhausted => {
                        let Stage::Probe(graph, restarts) = std::mem::replace(&mut self.stage, Stage::Graph) else {
                            continue;
                        };
                        self.stage = Stage::Presolve(Box::new(Presolve::new(&self.request, graph)), Some(restarts));
                    }
                },
                Stage::Presolve(look, _) => {
                    if let Some(reason) = look.run(&self.request, budget)? {
                        self.stage = Stage::Answered(Report { method: "theorem", ..self.report() });
                        return Ok(Outcome::Impossible(reason));
                    }
                    let Stage::Presolve(look, restarts) = std::mem::replace(&mut self.stage, Stage::Graph) else {
                        continue;
                    };
                    self.stage = match restarts {
                        Some(restarts) => {
                            let FindOptions { seed, threads, .. } = self.options;
                            let pairs = look.examination.pairs();
                            let turns =
                                Portfolio::new(&self.request, &look.graph, pairs, *restarts, (seed, threads), budget)?;
                            Stage::Portfolio(Box::new(turns))
                        }
                        None if self.options.method == Method::Frontier && look.graph.len() > 1 => {
                            self.sweeping(look.graph, budget)?
                        }
                        None => self.backtracking(look.graph),
                    };
                }
                Stage::Portfolio(turns) => match turns.advance(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Exhausted => return Ok(self.exhausted()),
                    Step::Paused(pause) => return Err(pause.into()),
                },
                Stage::Backtrack(search) => match search.advance(budget) {
                    Step::Found => return Ok(self.found()),
                    Step::Exhausted => return Ok(self.exhausted()),
                    Step::Paused(pause) => return Err(pause.into()),
                },
                Stage::Sweep(sweep) => match sweep.advance(budget) {
                    Ok(walk) => {
                        let report = Report::of_sweep(sweep.stats(), sweep.bytes_needed());
                        return Ok(self.swept(&walk, report));
                    }
                    Err(Halt::Unsuited(why)) => return Err(self.refused(&why)),
                    Err(halt) => return Err(halt),
                },
                Stage::Answered(..) => return Err(Misuse::Answered("search").into()),
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
        if method == Method::Tidy
            && let Ok(tidy) = Tidy::new(&self.request, seed)
        {
            return Stage::Tidy(Box::new(tidy));
        }
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
            Restarts::bytes(&self.request) + Portfolio::BYTES * self.request.board().len() as u64
        } else {
            Backtrack::bytes(&self.request)
        }
    }

    /// Backtracking as it was chosen; without a choice, the fastest way with restarts.
    fn backtracking(&self, graph: Arc<Graph>) -> Stage {
        let chosen = &self.options;
        if chosen.warnsdorff.is_none() && chosen.ties.is_none() && chosen.lookahead.is_none() {
            let restarts = Restarts::new(&self.request, Arc::clone(&graph), chosen.seed);
            return Stage::Portfolio(Box::new(Portfolio::alone(restarts)));
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

    /// The sweep, if it is for the board.
    fn sweeping(&mut self, graph: Arc<Graph>, budget: &Budget) -> Result<Stage, Halt> {
        self.memory += frontier::Sweep::plan_bytes(&graph);
        budget.check_memory(self.memory)?;
        let threads = self.options.threads.max(1);
        match frontier::Prepare::new(self.request.clone(), graph, threads, None, None, budget) {
            Ok(sweep) => Ok(Stage::Sweep(Box::new(sweep))),
            Err(Halt::Unsuited(why)) => Err(self.refused(&why)),
            Err(halt) => Err(halt),
        }
    }

    fn refused(&mut self, why: &Unsuited) -> Halt {
        self.stage = Stage::Answered(self.report());
        Misuse::UnsuitedBoard { board: self.request.board().describe(), why: *why }.into()
    }

    fn found(&mut self) -> Outcome {
        let report = self.report();
        let squares = match &mut self.stage {
            Stage::Walk { run, .. } => run.squares().to_vec(),
            Stage::Probe(_, restarts) => restarts.tour(),
            Stage::Portfolio(turns) => turns.tour(),
            Stage::Backtrack(search) => search.tour(),
            _ => Vec::new(),
        };
        self.stage = Stage::Answered(report);
        Outcome::Found(checked(&self.request, squares))
    }

    fn exhausted(&mut self) -> Outcome {
        let report = self.report();
        let reason = if let Stage::Portfolio(turns) = &mut self.stage { turns.reason() } else { None };
        self.stage = Stage::Answered(report);
        Outcome::Impossible(reason.unwrap_or_else(|| exhausted(&self.request, Some(report.search.nodes))))
    }

    /// What was done so far.
    pub(super) fn report(&self) -> Report {
        let (search, method) = match &self.stage {
            Stage::Sweep(sweep) => return Report::of_sweep(sweep.stats(), sweep.bytes_needed()),
            Stage::Answered(report) => return *report,
            Stage::Probe(_, restarts) | Stage::Presolve(_, Some(restarts)) => (restarts.stats(), "backtracking"),
            Stage::Portfolio(turns) => (turns.stats(), turns.method()),
            Stage::Backtrack(search) => (search.stats(), "backtracking"),
            Stage::Walk { run, attempts, steps } => {
                let visited = run.squares().len() as u64;
                // A walk that ended without a tour is in `steps` already.
                let nodes = if run.is_ended() && !run.is_complete() { *steps } else { steps + visited };
                let stats = Stats { nodes, greatest_depth: visited, restarts: *attempts, ..Stats::default() };
                (stats, "warnsdorff")
            }
            Stage::Construct(_) => (Stats::default(), "construction"),
            Stage::Tidy(_) => (Stats::default(), "tidy"),
            Stage::Theorems | Stage::Graph | Stage::Presolve(_, None) => (Stats::default(), "backtracking"),
        };
        Report { method, search, memory: self.memory, ..Report::default() }
    }

    /// How far it is.
    pub(super) fn progress(&self) -> Progress {
        if let Stage::Sweep(sweep) = &self.stage {
            return sweep.progress();
        }
        let done = self.report().search.nodes;
        Progress { done, total: None, message: "searching: squares placed".to_owned() }
    }
}

/// Boards of up to this many squares are searched on bitboards, which is faster than all else.
const SMALL: usize = 64;

/// Whether Warnsdorff's rule can be followed to a tour that is asked for.
fn is_walkable(request: &Request) -> bool {
    !request.is_closed() && request.end().is_none() && request.is_unconstrained()
}

/// How often Warnsdorff's rule is begun anew before it is given up.
pub const ATTEMPTS: u64 = 1000;

/// The reason that a search gives. Without nodes: a sweep, or narrow boards, of which the construction knows all.
pub(super) fn exhausted(request: &Request, nodes: Option<u64>) -> Reason {
    let kind = if request.is_closed() { "closed" } else { "open" };
    let steps = nodes.map(|nodes| format!(" ({})", theorems::counted(nodes, "step"))).unwrap_or_default();
    let text = format!(
        "every possibility was tried{steps}: the {} has no {kind} tour{}",
        request.board().describe(),
        if request.is_free() { "" } else { " as asked for" }
    );
    Reason { code: Code::Exhausted, text, squares: Vec::new() }
}
