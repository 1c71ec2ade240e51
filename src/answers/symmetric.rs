//! Tours that a group of symmetries keeps: [`FixedTours`] says where they are, [`SymmetricList`] lists them, and
//! [`SymmetricCount`] counts them, by sweeps over quotients ([`crate::request::quotient`]) and without listing where the group is
//! made by one symmetry.

use std::sync::Arc;

use super::Report;
use crate::engines::backtracking::Stats;
use crate::engines::edge_forcing::{EdgeForcing, Step};
use crate::engines::frontier::{Natural, Sweep, SweepOptions};
use crate::request::Request;
use crate::request::classes::{asked, closure};
use crate::request::graph::Graph;
use crate::request::quotient::{Lifts, Quotient};
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Limit, Pause, Progress, Unsuited};
use crate::symmetry::group::{Act, Group, Places};

/// The tours of a request that a group of acts keeps: those of some quotients that pass the checks.
#[derive(Clone, Debug)]
pub(crate) struct FixedTours {
    request: Request,
    graph: Arc<Graph>,
    parts: Vec<Quotient>,
    /// Whether a quotient is left out because its cycles are even.
    is_even: bool,
    /// Where the group is not made by one act: all of it.
    checks: Option<Arc<Group>>,
}

/// Of a group that is not made by one act, this many are looked at for the one that keeps the fewest tours.
const CANDIDATES: usize = 8;

impl FixedTours {
    /// The tours of the request, without its own symmetries and classes, that these acts keep, which are a group. `None`:
    /// all tours, since no square moves.
    ///
    /// Cost: linear in the board.
    pub(super) fn new(
        request: &Request,
        places: &Places,
        acts: &[Act],
        budget: &Budget,
    ) -> Result<Option<FixedTours>, Pause> {
        Ok(FixedTours::candidates(request, places, acts, budget)?.map(|mut kept| kept.swap_remove(0)))
    }

    /// The tours that have the symmetries asked for. `None`: all tours.
    pub(crate) fn asked(request: &Request, places: &Places, budget: &Budget) -> Result<Option<FixedTours>, Pause> {
        match asked(request, places, budget)? {
            Some(acts) => FixedTours::new(request, places, &acts, budget),
            None => Ok(Some(FixedTours::none(request.plain()))),
        }
    }

    /// No tours.
    fn none(request: Request) -> FixedTours {
        let graph = Arc::new(Graph::new(&request));
        FixedTours { request, graph, parts: Vec::new(), is_even: false, checks: None }
    }

    /// The same in several ways if there are such: by each of some acts, checks apart. `None`: all tours.
    fn candidates(
        request: &Request,
        places: &Places,
        acts: &[Act],
        budget: &Budget,
    ) -> Result<Option<Vec<FixedTours>>, Pause> {
        let moving: Vec<&Act> = acts.iter().filter(|act| act.runs_backwards || !act.stays()).collect();
        if moving.is_empty() {
            return Ok(None);
        }
        // An open tour is kept by running it backwards only, and not in place.
        let is_out = |act: &&Act| !request.is_closed() && (!act.runs_backwards || act.stays());
        let closed = if moving.iter().any(is_out) { None } else { closure(request, places, acts) };
        let Some(closed) = closed else { return Ok(Some(vec![FixedTours::none(request.plain())])) };
        let graph = Arc::new(Graph::new(&closed));
        // A move both to be used and to be avoided.
        if graph.required().iter().any(|&(a, b)| !graph.is_edge(a, b)) {
            return Ok(Some(vec![FixedTours::none(closed)]));
        }
        // The half of the board that begins at a short side.
        let (rows, cols) = (request.board().rows(), request.board().cols());
        let mut preferred: Vec<u32> = (0..graph.len() as u32).collect();
        if cols > rows {
            preferred.sort_by_key(|&v| graph.square(v) % cols);
        }
        let mut orders: Vec<(u64, &Act)> = Vec::with_capacity(moving.len());
        for act in moving {
            budget.go_on()?;
            orders.push((act.order(), act));
        }
        orders.sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        let is_cyclic = orders[0].0 == acts.len() as u64;
        orders.truncate(if is_cyclic { 1 } else { CANDIDATES });
        let checks = (!is_cyclic).then(|| Arc::new(Group::new(places.clone(), request.is_closed(), acts.to_vec())));
        let kept = orders.into_iter().map(|(_, act)| {
            let (even, parts): (Vec<_>, Vec<_>) =
                Quotient::all(&graph, &act.map, &preferred).into_iter().partition(Quotient::is_even);
            FixedTours {
                request: closed.clone(),
                graph: Arc::clone(&graph),
                parts,
                is_even: !even.is_empty(),
                checks: checks.clone(),
            }
        });
        Ok(Some(kept.collect()))
    }

    /// The quotients whose paths and cycles stand for all of them, if that is so and a sweep can tell them apart, or they are
    /// few; and the graph that they are of.
    pub(crate) fn swept(&self) -> Option<(&[Quotient], &Arc<Graph>)> {
        let is_swept = |part: &Quotient| {
            // A walk needs a move to take.
            let is_walked = part.graph().len() > 1 && part.graph().steps().is_empty();
            part.few().is_some() || part.is_countable() && is_walked
        };
        let is_swept = self.is_sure() && self.request.steps().is_empty() && self.parts.iter().all(is_swept);
        is_swept.then_some((&self.parts, &self.graph))
    }

    /// Whether it is plain that there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether tours that the symmetry moves on are ruled out by the parity of the moves.
    pub(super) fn is_even(&self) -> bool {
        self.is_even
    }

    /// Whether each path or cycle of a quotient stands for tours that need no further look.
    fn is_sure(&self) -> bool {
        self.checks.is_none() && (!self.request.is_closed() || self.graph.steps().is_empty())
    }
}

/// The tours one after another, in the order in which the search finds the paths and cycles of the quotients.
#[derive(Debug)]
pub(super) struct SymmetricList {
    kept: FixedTours,
    part: usize,
    search: Option<Box<EdgeForcing>>,
    lifts: Option<Lifts>,
    few: usize,
    /// Chooses another order.
    rng: Option<Rng>,
    stats: Stats,
    memory: u64,
}

impl SymmetricList {
    pub(super) fn new(kept: FixedTours) -> SymmetricList {
        SymmetricList {
            kept,
            part: 0,
            search: None,
            lifts: None,
            few: 0,
            rng: None,
            stats: Stats::default(),
            memory: 0,
        }
    }

    /// In another order, which depends on the seed.
    pub(super) fn seeded(kept: FixedTours, seed: u64) -> SymmetricList {
        SymmetricList { rng: Some(Rng::seeded(seed)), ..SymmetricList::new(kept) }
    }

    /// The squares of the next tour, in its listed form; `None` after the last one.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
        while let Some(part) = self.kept.parts.get(self.part) {
            if let Some(few) = part.few() {
                match few.get(self.few) {
                    Some(tour) => {
                        self.few += 1;
                        if let Some(squares) = self.take(tour) {
                            return Ok(Some(squares));
                        }
                    }
                    None => (self.part, self.few) = (self.part + 1, 0),
                }
                continue;
            }
            if let Some(lifts) = &mut self.lifts {
                budget.take(1).inspect(|_| self.stats.nodes += 1)?;
                match part.next(lifts) {
                    Some(true) => {
                        let tour = lifts.tour().to_vec();
                        if let Some(squares) = self.take(&tour) {
                            return Ok(Some(squares));
                        }
                    }
                    Some(false) => {}
                    None => self.lifts = None,
                }
                continue;
            }
            let search = match &mut self.search {
                Some(search) => search,
                none => {
                    self.memory = self.memory.max(EdgeForcing::bytes(part.graph()));
                    let search = EdgeForcing::new(Arc::clone(part.graph()), budget)?;
                    let origin = self.rng.as_mut().map_or(0, |rng| rng.below(part.graph().len() as u64) as u32);
                    none.insert(Box::new(search.starting_at(origin)))
                }
            };
            match search.advance(budget) {
                Step::Found => {
                    let lifts = part.lifts(search.path());
                    self.lifts = Some(match &mut self.rng {
                        Some(rng) => part.shuffled(lifts, rng),
                        None => lifts,
                    });
                }
                Step::Paused(pause) => return Err(pause),
                Step::Exhausted => {
                    self.stats.nodes += search.stats().nodes;
                    self.stats.backtracks += search.stats().dead_ends;
                    self.search = None;
                    self.part += 1;
                }
            }
        }
        Ok(None)
    }

    /// The squares of a tour given by its vertices, if it passes the checks.
    fn take(&self, tour: &[u32]) -> Option<Vec<u32>> {
        let FixedTours { request, graph, checks, .. } = &self.kept;
        let mut squares: Vec<u32> = tour.iter().map(|&v| graph.square(v)).collect();
        request.list(&mut squares);
        if checks.as_ref().is_some_and(|group| !group.keeps(&squares)) {
            return None;
        }
        (self.kept.is_sure() || request.admits_squares(&squares)).then_some(squares)
    }

    pub(super) fn report(&self) -> Report {
        let mut search = self.stats;
        if let Some(fragments) = &self.search {
            search.nodes += fragments.stats().nodes;
            search.backtracks += fragments.stats().dead_ends;
        }
        Report { method: "fragments", search, memory: self.memory, ..Report::default() }
    }
}

/// A count of them under way.
#[derive(Debug)]
pub(super) struct SymmetricCount {
    /// Counts to compare, where the group is not made by one act; else the one count.
    counts: Vec<PartCount>,
    is_compared: bool,
    at: usize,
    /// The one that lists, with all checks.
    list: Option<SymmetricList>,
    found: u64,
    report: Report,
}

impl SymmetricCount {
    /// A count of the tours of the request, without its own symmetries and classes, that these acts keep, which are a
    /// group. `None`: all tours.
    pub(super) fn new(
        request: &Request,
        places: &Places,
        acts: &[Act],
        threads: usize,
        budget: &Budget,
    ) -> Result<Option<SymmetricCount>, Pause> {
        let candidates = FixedTours::candidates(request, places, acts, budget)?;
        Ok(candidates.map(|candidates| SymmetricCount::of(candidates, threads)))
    }

    /// A count of the tours that have the symmetries asked for. `None`: all tours.
    pub(super) fn asked(
        request: &Request,
        places: &Places,
        threads: usize,
        budget: &Budget,
    ) -> Result<Option<SymmetricCount>, Pause> {
        match asked(request, places, budget)? {
            Some(acts) => SymmetricCount::new(request, places, &acts, threads, budget),
            None => Ok(Some(SymmetricCount::of(vec![FixedTours::none(request.plain())], threads))),
        }
    }

    fn of(candidates: Vec<FixedTours>, threads: usize) -> SymmetricCount {
        let is_compared = candidates[0].checks.is_some();
        let counts = candidates.into_iter().map(|kept| PartCount::new(kept, threads)).collect();
        let report = Report { method: "frontier", ..Report::default() };
        SymmetricCount { counts, is_compared, at: 0, list: None, found: 0, report }
    }

    /// Whether nothing needs to be listed.
    pub(super) fn is_swept(&self) -> bool {
        let is_swept = |part: &Quotient| part.is_countable() || part.few().is_some();
        !self.is_compared
            && self.counts.iter().all(|count| count.kept.is_sure() && count.kept.parts.iter().all(is_swept))
    }

    /// Goes on until the count is known.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Natural, Pause> {
        if !self.is_compared {
            return self.counts[0].advance(budget);
        }
        while self.list.is_none() {
            if self.at < self.counts.len() {
                // What keeps no tour is enough.
                if self.counts[self.at].advance(budget)?.is_zero() {
                    return Ok(Natural::default());
                }
                self.at += 1;
                continue;
            }
            let fewest = self.counts.iter().min_by(|a, b| a.value.cmp(&b.value));
            self.list = fewest.map(|count| SymmetricList::new(count.kept.clone()));
        }
        if let Some(list) = &mut self.list {
            while list.advance(budget)?.is_some() {
                self.found += 1;
            }
        }
        Ok(self.found.into())
    }

    pub(super) fn report(&self) -> Report {
        let mut report = self.report;
        self.counts.iter().for_each(|count| report.add(&count.report()));
        if let Some(list) = &self.list {
            report.add(&list.report());
        }
        report
    }

    pub(super) fn progress(&self) -> Progress {
        match (&self.list, self.counts.get(self.at).and_then(|count| count.sweep.as_ref())) {
            (None, Some(sweep)) => sweep.progress(),
            _ => Progress { done: self.report().search.nodes, total: None, message: "symmetric tours".to_owned() },
        }
    }
}

/// The tours of the quotients of one act, checks aside.
#[derive(Debug)]
struct PartCount {
    kept: FixedTours,
    threads: usize,
    part: usize,
    sweep: Option<Box<Sweep>>,
    list: Option<Box<SymmetricList>>,
    found: u64,
    value: Natural,
    report: Report,
}

impl PartCount {
    fn new(kept: FixedTours, threads: usize) -> PartCount {
        let report = Report { method: "frontier", ..Report::default() };
        PartCount { kept, threads, part: 0, sweep: None, list: None, found: 0, value: Natural::default(), report }
    }

    fn advance(&mut self, budget: &Budget) -> Result<Natural, Pause> {
        while self.part < self.kept.parts.len() {
            if self.sweep.is_none() && self.list.is_none() {
                self.begin(budget)?;
            }
            if let Some(sweep) = &mut self.sweep {
                let result = sweep.advance(budget);
                if result == Err(Pause::Limit(Limit::Memory)) {
                    self.report.memory = self.report.memory.max(sweep.bytes_needed());
                }
                let count = result?;
                let part = &self.kept.parts[self.part];
                let count = count.times(part.times());
                self.value.add(&if part.is_halved() { count.half() } else { count });
            } else if let Some(list) = &mut self.list {
                while list.advance(budget)?.is_some() {
                    self.found += 1;
                }
                self.value.add(&std::mem::take(&mut self.found).into());
            }
            self.report = self.report();
            (self.sweep, self.list) = (None, None);
            self.part += 1;
        }
        Ok(self.value.clone())
    }

    fn begin(&mut self, budget: &Budget) -> Result<(), Pause> {
        let part = &self.kept.parts[self.part];
        let is_plain = !self.kept.request.is_closed() || self.kept.graph.steps().is_empty();
        if part.is_countable() && is_plain {
            budget.check_memory(Sweep::plan_bytes(part.graph()))?;
            match Sweep::begin(&self.kept.request, part.graph(), SweepOptions::on(self.threads), budget) {
                Ok(sweep) => {
                    self.sweep = Some(Box::new(sweep));
                    return Ok(());
                }
                Err(Halt::Unsuited(Unsuited::TooWide)) => {
                    self.report.memory = u64::MAX;
                    return Err(Pause::Limit(Limit::Memory));
                }
                Err(Halt::Pause(pause)) => return Err(pause),
                Err(_) => {}
            }
        }
        let kept = FixedTours { parts: vec![part.clone()], checks: None, ..self.kept.clone() };
        self.list = Some(Box::new(SymmetricList::new(kept)));
        Ok(())
    }

    fn report(&self) -> Report {
        let mut report = self.report;
        if let Some(sweep) = &self.sweep {
            report.add(&Report::of_sweep(sweep.stats(), sweep.bytes_needed()));
        }
        if let Some(list) = &self.list {
            report.add(&list.report());
        }
        report
    }
}
