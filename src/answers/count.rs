//! [`Count`]: counting tours, all or symmetric ones and classes.

use std::sync::Arc;

use super::distinct::DistinctCount;
use super::symmetric::SymmetricCount;
use super::unrestricted_count::{UnrestrictedCount, counting, none};
use super::{CountOptions, Counted, Method, Presolve, Report};
use crate::engines::frontier::{Files, Modulus, Natural};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Misuse, Named, Pause, Progress, Task};
use crate::store::Unfinished;
use crate::symmetry::group::Places;
use crate::theorems;

/// A count under way. Resumable: call [`Count::advance`] until it answers.
#[derive(Debug)]
pub struct Count {
    request: Request,
    options: CountOptions,
    modulus: Option<Modulus>,
    stage: Stage,
    report: Report,
}

#[derive(Debug)]
enum Stage {
    Plain(Box<UnrestrictedCount>),
    Theorems,
    Presolve(Box<Presolve>),
    Symmetric(Box<SymmetricCount>),
    Distinct(Box<DistinctCount>),
    Answered,
}

impl Count {
    /// A count of the tours of a request. Refuses options that do not fit it.
    pub fn new(request: Request, options: CountOptions) -> Result<Count, Misuse> {
        let plain = UnrestrictedCount::new(request.plain(), options.clone())?;
        let modulus = options.modulus;
        let (stage, options) = if request.is_plain() {
            (Stage::Plain(Box::new(plain)), options)
        } else {
            check_classes(&request, &options)?;
            // They are told by exact counts, of which the least is taken, or a part.
            (Stage::Theorems, CountOptions { modulus: None, ..options })
        };
        Ok(Count { request, options, modulus, stage, report: Report::default() })
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Where it may write.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.options.files
    }

    fn go_on(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        loop {
            match &mut self.stage {
                Stage::Plain(count) => return count.advance(budget),
                Stage::Theorems => {
                    self.report.method = "theorem";
                    if theorems::check_board(&self.request).is_some() {
                        return Ok(none());
                    }
                    budget.take(0)?;
                    self.report.memory = Graph::bytes(&self.request);
                    budget.check_memory(self.report.memory)?;
                    let graph = Arc::new(Graph::new(&self.request));
                    self.stage = Stage::Presolve(Box::new(Presolve::new(&self.request.plain(), graph)));
                }
                Stage::Presolve(look) => {
                    if look.run(&self.request, budget)?.is_some() {
                        return Ok(none());
                    }
                    self.stage = self.classes(budget)?;
                }
                Stage::Symmetric(count) => return Ok(value(count.advance(budget)?)),
                Stage::Distinct(count) => return Ok(value(count.advance(budget)?)),
                Stage::Answered => return Err(Misuse::Answered("count").into()),
            }
        }
    }

    /// The count of symmetric tours or of classes.
    fn classes(&self, budget: &Budget) -> Result<Stage, Halt> {
        if self.request.is_distinct() {
            let count = DistinctCount::new(self.request.clone(), self.options.clone())?;
            return Ok(Stage::Distinct(Box::new(count)));
        }
        let places = Places::new(self.request.board());
        Ok(match SymmetricCount::asked(&self.request, &places, self.options.threads, budget)? {
            Some(count) => Stage::Symmetric(Box::new(count)),
            // The symmetries leave every square in place.
            None => {
                let count = UnrestrictedCount::new(self.request.plain(), self.options.clone())?;
                Stage::Plain(Box::new(count))
            }
        })
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.stage {
            Stage::Theorems | Stage::Presolve(_) | Stage::Answered => self.report,
            Stage::Plain(count) => count.report(),
            Stage::Symmetric(count) => count.report(),
            Stage::Distinct(count) => count.report(),
        }
    }
}

impl Task for Count {
    type Answer = Counted;

    /// Goes on counting; says what stopped it if it is not done.
    fn advance(&mut self, budget: &Budget) -> Result<Counted, Halt> {
        let mut result = self.go_on(budget);
        if let (Ok(counted), Some(modulus)) = (&mut result, self.modulus) {
            counted.value = counted.value.modulo(modulus);
        }
        if result != Err(Halt::Pause(Pause::Slice)) {
            self.report = self.report();
            self.stage = Stage::Answered;
        }
        result
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        match &self.stage {
            Stage::Plain(count) => count.progress(),
            Stage::Symmetric(count) => counting(count.progress()),
            Stage::Distinct(count) => count.progress(),
            Stage::Theorems | Stage::Presolve(_) | Stage::Answered => {
                Progress { message: "counting".to_owned(), ..Progress::default() }
            }
        }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }

    fn uses_files(&self) -> bool {
        self.options.uses_files()
    }

    fn unfinished(&self) -> Unfinished {
        self.files().unfinished.clone()
    }
}

fn value(value: Natural) -> Counted {
    Counted { value, by_start: Vec::new(), moduli: Vec::new() }
}

/// What goes with symmetric tours and classes.
fn check_classes(request: &Request, options: &CountOptions) -> Result<(), Misuse> {
    let (symmetric, distinct) = (Named::Call("symmetric"), Named::Call("distinct"));
    if options.by_start {
        return Err(Misuse::options(
            "{} cannot be combined with {} or {}",
            [Named::Call("starts"), symmetric, distinct],
        ));
    }
    if !request.symmetric().is_empty() && options.uses_files() {
        let files = [Named::Option("checkpoint"), Named::Option("spill-dir"), symmetric];
        return Err(Misuse::options("{} and {} cannot be combined with {}", files));
    }
    if options.between.is_some() || !request.symmetric().is_empty() && options.another_order {
        return Err(Misuse::options("a count in parts cannot be combined with {} or {}", [symmetric, distinct]));
    }
    if !request.symmetric().is_empty() && options.method == Method::Backtracking {
        return Err(Misuse::options(
            "{} tours are counted by {} only, not by {}",
            [symmetric, Method::Auto.named(), Method::Backtracking.named()],
        ));
    }
    Ok(())
}
