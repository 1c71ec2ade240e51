//! Symmetric tours and one tour of each class: [`RestrictedFind`] looks for one, [`RestrictedList`] lists them.

use std::sync::Arc;

use super::symmetric::{FixedTours, SymmetricList};
use super::unrestricted::{UnrestrictedFind, exhausted};
use super::{FindOptions, Outcome, Presolve, Report, checked};
use crate::board::tour::Tour;
use crate::engines::edge_forcing::{EdgeForcing, Step};
use crate::request::Request;
use crate::request::classes::Grouping;
use crate::request::graph::Graph;
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Misuse, Named, Pause, Progress};
use crate::symmetry::Symmetry;
use crate::symmetry::group::{Group, Places};
use crate::theorems::{self, Code, Reason};

/// With a seed, fewer tours than this many are passed over: those that come after one another are alike.
const SKIPPED: u64 = 64;

/// A search for a symmetric tour, or for one that stands for its class.
#[derive(Debug)]
pub(super) struct RestrictedFind {
    request: Request,
    options: FindOptions,
    stage: Stage,
    report: Report,
}

#[derive(Debug)]
enum Stage {
    Begin,
    /// Any tour will do, since each has a class.
    Any(Box<UnrestrictedFind>),
    Presolve(Box<Presolve>),
    /// This many are passed over, the last of which is kept.
    Symmetric {
        list: Box<SymmetricList>,
        skip: u64,
        last: Option<Vec<u32>>,
    },
    Class(Box<Grouping>, Vec<u32>),
}

impl RestrictedFind {
    /// A search that has not begun. Refuses options that do not fit.
    pub(super) fn new(request: Request, options: FindOptions) -> Result<RestrictedFind, Misuse> {
        if !request.symmetric().is_empty()
            && (FindOptions { threads: 0, seed: None, ..options }) != FindOptions::default()
        {
            let options = ["order", "ties", "lookahead"].map(Named::Option);
            let text = "symmetric tours cannot be combined with {}, {}, {} or a method other than auto";
            return Err(Misuse::options(text, options));
        }
        UnrestrictedFind::new(request.plain(), options)?;
        let report = Report { method: "fragments", ..Report::default() };
        Ok(RestrictedFind { request, options, stage: Stage::Begin, report })
    }

    /// What is asked.
    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// Goes on until there is an answer.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Outcome, Halt> {
        loop {
            match &mut self.stage {
                Stage::Begin => {
                    if let Some(reason) = theorems::check_board(&self.request) {
                        self.report.method = "theorem";
                        return Ok(Outcome::Impossible(reason));
                    }
                    budget.take(0)?;
                    self.stage = if self.request.symmetric().is_empty() {
                        self.any()?
                    } else {
                        self.report.memory = Graph::bytes(&self.request);
                        budget.check_memory(self.report.memory)?;
                        let graph = Arc::new(Graph::new(&self.request));
                        Stage::Presolve(Box::new(Presolve::new(&self.request, graph)))
                    };
                }
                Stage::Any(find) => match find.advance(budget)? {
                    Outcome::Impossible(reason) => {
                        self.report = find.report();
                        return Ok(Outcome::Impossible(reason));
                    }
                    Outcome::Found(tour) => {
                        self.report = find.report();
                        if let Some(found) = self.found(tour.squares().to_vec(), budget)? {
                            return Ok(found);
                        }
                    }
                },
                Stage::Presolve(look) => {
                    if let Some(reason) = look.run(&self.request, budget)? {
                        self.report.method = "theorem";
                        return Ok(Outcome::Impossible(reason));
                    }
                    let places = Places::new(self.request.board());
                    self.stage = match FixedTours::asked(&self.request, &places, budget)? {
                        None => self.any()?,
                        Some(kept) if kept.is_empty() => {
                            self.report.method = "theorem";
                            return Ok(Outcome::Impossible(self.no_room(kept.is_even())));
                        }
                        Some(kept) => {
                            let (list, skip) = match self.options.seed {
                                None => (SymmetricList::new(kept), 0),
                                Some(seed) => (SymmetricList::seeded(kept, seed), Rng::stream(seed, 1).below(SKIPPED)),
                            };
                            Stage::Symmetric { list: Box::new(list), skip, last: None }
                        }
                    };
                }
                Stage::Symmetric { list, skip, last } => {
                    let found = match list.advance(budget)? {
                        Some(squares) if *skip > 0 => {
                            (*skip, *last) = (*skip - 1, Some(squares));
                            continue;
                        }
                        None => last.take(),
                        found => found,
                    };
                    self.report = list.report();
                    let Some(squares) = found else { return Ok(Outcome::Impossible(self.none())) };
                    if let Some(found) = self.found(squares, budget)? {
                        return Ok(found);
                    }
                }
                Stage::Class(grouping, squares) => {
                    let group = grouping.advance(budget)?;
                    let mut squares = group.least(squares);
                    self.request.list(&mut squares);
                    return Ok(Outcome::Found(checked(&self.request, squares)));
                }
            }
        }
    }

    fn any(&self) -> Result<Stage, Misuse> {
        Ok(Stage::Any(Box::new(UnrestrictedFind::new(self.request.plain(), self.options)?)))
    }

    /// The answer, if it need not be the one that stands for its class.
    fn found(&mut self, squares: Vec<u32>, budget: &Budget) -> Result<Option<Outcome>, Pause> {
        if !self.request.is_distinct() {
            return Ok(Some(Outcome::Found(checked(&self.request, squares))));
        }
        let bytes = Grouping::bytes(&self.request);
        budget.check_memory(bytes).inspect_err(|_| self.report.memory = bytes)?;
        self.stage = Stage::Class(Box::new(Grouping::new(&self.request)), squares);
        Ok(None)
    }

    fn wanted(&self) -> String {
        let names: Vec<String> = self.request.symmetric().iter().map(Symmetry::to_string).collect();
        let kind = if self.request.is_closed() { "closed" } else { "open" };
        let asked = if self.request.is_free() { "" } else { " as asked for" };
        format!(
            "no {kind} tour of the {}{asked} has the {} {}",
            self.request.board().describe(),
            if names.len() == 1 { "symmetry" } else { "symmetries" },
            names.join(" and ")
        )
    }

    fn no_room(&self, is_even: bool) -> Reason {
        let why = if is_even {
            "the symmetry would shift the tour along itself by a part of its length. A square and its image would then \
             be that number of moves apart, and their colours do not allow it"
        } else if self.request.is_closed() {
            "a symmetry of a closed tour either shifts it along itself, and then no square stays in place, or reverses \
             it, and then at most two squares do; all shifts are repetitions of one shift"
        } else {
            "a symmetry of an open tour reverses it. Done once, it leaves at most the middle square in place; done twice, \
             all squares"
        };
        Reason { code: Code::Symmetry, text: format!("{}: {why}", self.wanted()), squares: Vec::new() }
    }

    fn none(&self) -> Reason {
        let inner = exhausted(&self.request, Some(self.report.search.nodes));
        let tried = inner.text.split(':').next().unwrap_or_default();
        Reason { code: Code::Exhausted, text: format!("{tried}: {}", self.wanted()), squares: Vec::new() }
    }

    pub(super) fn report(&self) -> Report {
        match &self.stage {
            Stage::Any(find) => find.report(),
            Stage::Symmetric { list, .. } => list.report(),
            _ => self.report,
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let done = self.report().search.nodes;
        Progress { done, total: None, message: "searching: squares placed".to_owned() }
    }
}

/// The tours one after another: of all or of the symmetric ones those that stand for their class, or the symmetric
/// ones. Memory does not grow.
#[derive(Debug)]
pub(super) struct RestrictedList {
    request: Request,
    source: Source,
    grouping: Option<Grouping>,
    group: Option<Group>,
}

#[derive(Debug)]
enum Source {
    All(Box<EdgeForcing>),
    Some(Box<SymmetricList>),
}

impl RestrictedList {
    /// A listing that has not begun; theorems have been asked.
    pub(super) fn new(request: &Request, graph: &Arc<Graph>, budget: &Budget) -> Result<RestrictedList, Pause> {
        let places = Places::new(request.board());
        let source = match FixedTours::asked(request, &places, budget)? {
            None => Source::All(Box::new(EdgeForcing::new(Arc::clone(graph), budget)?)),
            Some(kept) => Source::Some(Box::new(SymmetricList::new(kept))),
        };
        let mut grouping = None;
        if request.is_distinct() {
            budget.check_memory(Grouping::bytes(request))?;
            grouping = Some(Grouping::new(request));
        }
        Ok(RestrictedList { request: request.clone(), source, grouping, group: None })
    }

    /// The next tour; `None` after the last one.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Option<Tour>, Pause> {
        if let Some(grouping) = &mut self.grouping {
            self.group = Some(grouping.advance(budget)?);
            self.grouping = None;
        }
        let is_chosen = |squares: &[u32]| self.group.as_ref().is_none_or(|group| group.is_least(squares));
        loop {
            let squares = match &mut self.source {
                Source::All(search) => match search.advance(budget) {
                    Step::Found if !is_chosen(search.path()) => {
                        budget.take(0)?;
                        continue;
                    }
                    Step::Found => search.path().to_vec(),
                    Step::Exhausted => return Ok(None),
                    Step::Paused(pause) => return Err(pause),
                },
                Source::Some(list) => match list.advance(budget)? {
                    Some(squares) if !is_chosen(&squares) => {
                        budget.take(0)?;
                        continue;
                    }
                    Some(squares) => squares,
                    None => return Ok(None),
                },
            };
            return Ok(Some(checked(&self.request, squares)));
        }
    }
}
