//! [`UnrestrictedCount`]: counting all tours that fit a request.

use std::sync::Arc;

use super::residues::Residues;
use super::{Method, Presolve, Report};
use crate::engines::backtracking::{Counting, Options, Totals};
use crate::engines::frontier::{self, CheckpointedSweep, Files, Modulus, Natural, Starts, Sweep, SweepOptions};
use crate::request::Request;
use crate::request::graph::{Building, Graph};
use crate::run::{Budget, Halt, Limit, Misuse, Named, Pause, Progress, Unsuited};
use crate::theorems;

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
    /// Squares on which the tours may start, and squares on which they may end: a part of the collection, counted by
    /// the sweep.
    pub between: Option<(Vec<u32>, Vec<u32>)>,
    /// Whether the sweep takes the squares in another order than its best, for a second opinion.
    pub another_order: bool,
    /// The count is asked for modulo this number only.
    pub modulus: Option<Modulus>,
}

impl CountOptions {
    fn is_for_the_sweep(&self) -> bool {
        self.uses_files() || self.between.is_some() || self.another_order
    }

    fn of_sweep(&self) -> SweepOptions {
        SweepOptions { threads: self.threads, another_order: self.another_order, modulus: self.modulus }
    }

    pub(super) fn uses_files(&self) -> bool {
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
    /// What each pass of the sweep counted modulo; none where it was exact.
    pub moduli: Vec<Modulus>,
}

impl From<Totals> for Counted {
    fn from(totals: Totals) -> Counted {
        let natural = |value: u128| Natural::from_limbs(vec![value as u64, (value >> 64) as u64]);
        let by_start = totals.by_start.into_iter().map(|(square, tours)| (square, natural(tours)));
        Counted { value: natural(totals.value), by_start: by_start.collect(), moduli: Vec::new() }
    }
}

/// A count under way.
#[derive(Debug)]
pub(super) struct UnrestrictedCount {
    request: Request,
    options: CountOptions,
    stage: Stage,
    building: Option<Box<Building>>,
    report: Report,
}

#[derive(Debug)]
enum Stage {
    Theorems,
    Presolve(Box<Presolve>),
    /// Backtracking, for this many nodes at most where there is another way.
    Backtrack {
        counting: Box<Counting>,
        graph: Arc<Graph>,
        left: Option<u64>,
    },
    Sweep {
        sweep: Box<Sweep>,
        graph: Arc<Graph>,
    },
    CheckpointedSweep(Box<CheckpointedSweep>),
    Starts(Box<Starts>),
    /// Where exact sums do not fit the memory.
    Residues(Box<Residues>),
    Answered,
}

impl UnrestrictedCount {
    /// Nodes after which a count by backtracking gives way to the sweep: a fraction of a millisecond.
    const GLANCE: u64 = 20_000;

    /// A count of the tours of a request. Refuses options that do not fit it.
    pub(super) fn new(request: Request, options: CountOptions) -> Result<UnrestrictedCount, Misuse> {
        if matches!(options.method, Method::Warnsdorff | Method::Construction | Method::Tidy) {
            return Err(Misuse::options("{} finds tours; it cannot count them", [options.method.named()]));
        }
        if options.by_start && request.is_closed() {
            return Err(Unsuited::Closed.into());
        }
        if options.uses_files() && options.method == Method::Backtracking {
            let files = [Named::Option("checkpoint"), Named::Option("spill-dir"), options.method.named()];
            return Err(Misuse::options("{} and {} cannot be combined with {}", files));
        }
        if options.between.is_some()
            && (request.is_closed() || options.by_start || !matches!(options.method, Method::Auto | Method::Frontier))
        {
            let text = "parts with given sets of ends need open tours and {}";
            return Err(Misuse::options(text, [Method::Frontier.named()]));
        }
        // The squares of a given beginning cost nothing; only tables of squares and sets of ends are of the whole board.
        let is_whole = options.by_start || options.between.is_some();
        let rest = if is_whole { None } else { request.after_beginning() };
        let request = rest.unwrap_or(request);
        let is_swept = options.method == Method::Frontier || options.uses_files();
        if is_swept && frontier::needs_steps(&request) {
            return Err(Unsuited::Steps.into());
        }
        Ok(UnrestrictedCount { request, options, stage: Stage::Theorems, building: None, report: Report::default() })
    }

    /// Goes on counting; says what stopped it if it is not done.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        let result = self.go_on(budget);
        if result != Err(Halt::Pause(Pause::Slice)) {
            self.report = self.report();
            self.stage = Stage::Answered;
        }
        result
    }

    fn go_on(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        loop {
            match &mut self.stage {
                Stage::Theorems => {
                    self.report.method = "theorem";
                    if theorems::check_board(&self.request).is_some() {
                        return Ok(none());
                    }
                    budget.take(0)?;
                    self.report.memory = Graph::bytes(&self.request);
                    budget.check_memory(self.report.memory)?;
                    let mut graph = Building::go_on(&mut self.building, &self.request, budget)?;
                    if let Some((starts, ends)) = &self.options.between {
                        graph = graph.with_ends_among(starts, ends);
                    }
                    let graph = Arc::new(graph);
                    self.stage = Stage::Presolve(Box::new(Presolve::new(&self.request, graph)));
                }
                Stage::Presolve(look) => {
                    if look.run(&self.request, budget)?.is_some() {
                        return Ok(none());
                    }
                    let graph = Arc::clone(&look.graph);
                    self.stage = self.engine(graph, budget)?;
                }
                Stage::Backtrack { counting, left: None, .. } => return Ok(counting.advance(budget)?.into()),
                Stage::Backtrack { counting, graph, left: Some(left) } => {
                    budget.take(0)?;
                    // Whether it gets to its end decides the engine, and must not hang on threads and their timing.
                    let result = budget.part_of(left, |part| counting.advance_alone(part));
                    match result {
                        Ok(totals) => return Ok(totals.into()),
                        Err(Pause::Limit(Limit::Nodes)) => {
                            // Its own part is spent; or the whole budget, or the slice, which may end just then.
                            budget.take(0)?;
                            *left = u64::MAX;
                            match sweep(&self.request, &Arc::clone(graph), &self.options, budget) {
                                Ok(stage) => self.stage = stage,
                                Err(halt) if !matches!(halt, Halt::Unsuited(_)) => return Err(halt),
                                Err(_) => {
                                    let Stage::Backtrack { left, .. } = &mut self.stage else { continue };
                                    *left = None;
                                }
                            }
                        }
                        Err(pause) => return Err(pause.into()),
                    }
                }
                Stage::CheckpointedSweep(kept) => {
                    let value = kept.advance(budget)?;
                    let moduli = self.options.modulus.into_iter().collect();
                    return Ok(Counted { value, by_start: Vec::new(), moduli });
                }
                Stage::Sweep { sweep, graph } => match sweep.advance(budget) {
                    Ok(value) => {
                        let moduli = self.options.modulus.into_iter().collect();
                        return Ok(Counted { value, by_start: Vec::new(), moduli });
                    }
                    Err(pause @ Pause::Limit(Limit::Memory)) if self.options.modulus.is_none() => {
                        let Some(bits) = sweep.bits_that_may_fit() else { return Err(pause.into()) };
                        let (request, options) = (self.request.clone(), self.options.of_sweep());
                        let residues = Residues::new(request, Arc::clone(graph), options, bits);
                        self.stage = Stage::Residues(Box::new(residues.ok_or(pause)?));
                    }
                    Err(pause) => return Err(pause.into()),
                },
                Stage::Residues(residues) => {
                    let value = residues.advance(budget)?;
                    return Ok(Counted { value, by_start: Vec::new(), moduli: residues.moduli().to_vec() });
                }
                Stage::Starts(starts) => {
                    let by_start = starts.advance(budget)?;
                    let mut value = Natural::default();
                    by_start.iter().for_each(|(_, tours)| value.add(tours));
                    return Ok(Counted { value, by_start, moduli: Vec::new() });
                }
                Stage::Answered => return Err(Misuse::Answered("count").into()),
            }
        }
    }

    /// The engine to count with.
    fn engine(&mut self, graph: Arc<Graph>, budget: &Budget) -> Result<Stage, Halt> {
        let CountOptions { method, threads, by_start, .. } = self.options;
        budget.check_memory(Sweep::plan_bytes(&graph))?;
        if method == Method::Frontier || self.options.is_for_the_sweep() {
            return sweep(&self.request, &graph, &self.options, budget);
        }
        let needed = Graph::bytes(&self.request) + Counting::bytes(&self.request, threads);
        if let Err(pause) = budget.check_memory(needed) {
            if method == Method::Auto {
                match sweep(&self.request, &graph, &self.options, budget) {
                    Err(Halt::Unsuited(_)) => {}
                    other => return other,
                }
            }
            self.report.memory = needed;
            return Err(pause.into());
        }
        let counting = Counting::new(&self.request, Arc::clone(&graph), Options::EXHAUSTIVE, threads, by_start);
        let left = (method == Method::Auto).then_some(UnrestrictedCount::GLANCE);
        Ok(Stage::Backtrack { counting: Box::new(counting), graph, left })
    }

    /// What was done so far.
    pub(super) fn report(&self) -> Report {
        match &self.stage {
            Stage::Theorems | Stage::Presolve(_) | Stage::Answered => self.report,
            Stage::Backtrack { counting, .. } => {
                Report { method: "backtracking", search: counting.stats(), ..self.report }
            }
            Stage::Sweep { sweep, .. } => Report::of_sweep(sweep.stats(), sweep.bytes_needed()),
            Stage::Residues(residues) => residues.report(),
            Stage::CheckpointedSweep(kept) => Report::of_sweep(kept.sweep().stats(), kept.sweep().bytes_needed()),
            Stage::Starts(starts) => Report::of_sweep(starts.stats(), starts.bytes_needed()),
        }
    }

    /// How far it is.
    pub(super) fn progress(&self) -> Progress {
        match &self.stage {
            Stage::Backtrack { counting, .. } => counting.progress(),
            Stage::Sweep { sweep, .. } => counting(sweep.progress()),
            Stage::Residues(residues) => counting(residues.progress()),
            Stage::CheckpointedSweep(kept) => counting(kept.sweep().progress()),
            Stage::Starts(starts) => counting(starts.progress()),
            _ => Progress { message: "counting".to_owned(), ..Progress::default() },
        }
    }
}

/// No tours.
pub(super) fn none() -> Counted {
    Counted { value: Natural::default(), by_start: Vec::new(), moduli: Vec::new() }
}

/// The sweep that counts, if it can.
fn sweep(request: &Request, graph: &Arc<Graph>, options: &CountOptions, budget: &Budget) -> Result<Stage, Halt> {
    if options.by_start {
        let starts = Starts::new(request, options.threads, budget)?.with_files(options.files.clone())?;
        return Ok(Stage::Starts(Box::new(starts)));
    }
    let sweep = Sweep::begin(request, graph, options.of_sweep(), budget)?;
    if options.uses_files() {
        return Ok(Stage::CheckpointedSweep(Box::new(CheckpointedSweep::new(sweep, options.files.clone())?)));
    }
    Ok(Stage::Sweep { sweep: Box::new(sweep), graph: Arc::clone(graph) })
}

pub(super) fn counting(progress: Progress) -> Progress {
    Progress { message: format!("counting: {}", progress.message), ..progress }
}
