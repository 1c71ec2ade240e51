//! [`Find`]: looking for one tour, of all or of symmetric ones and classes.

use super::restricted::RestrictedFind;
use super::unrestricted::UnrestrictedFind;
use super::{FindOptions, Outcome, Report};
use crate::request::Request;
use crate::run::{Budget, Halt, Limit, Misuse, Progress, Task};

/// A tour being looked for. Resumable: call [`Find::advance`] until it answers.
#[derive(Debug)]
pub struct Find(Way);

#[derive(Debug)]
enum Way {
    Plain(Box<UnrestrictedFind>),
    Chosen(Box<RestrictedFind>),
}

impl Find {
    /// Refuses options that do not fit each other.
    pub fn new(request: Request, options: FindOptions) -> Result<Find, Misuse> {
        Ok(Find(if request.is_plain() {
            Way::Plain(Box::new(UnrestrictedFind::new(request, options)?))
        } else {
            Way::Chosen(Box::new(RestrictedFind::new(request, options)?))
        }))
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        match &self.0 {
            Way::Plain(find) => find.request(),
            Way::Chosen(find) => find.request(),
        }
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.0 {
            Way::Plain(find) => find.report(),
            Way::Chosen(find) => find.report(),
        }
    }
}

impl Task for Find {
    type Answer = Outcome;

    fn advance(&mut self, budget: &Budget) -> Result<Outcome, Halt> {
        match &mut self.0 {
            Way::Plain(find) => find.advance(budget),
            Way::Chosen(find) => find.advance(budget),
        }
    }

    fn progress(&self) -> Progress {
        match &self.0 {
            Way::Plain(find) => find.progress(),
            Way::Chosen(find) => find.progress(),
        }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }
}

/// A search with nodes of its own, as a step of something larger.
#[derive(Debug)]
pub struct PartFind {
    find: Box<Find>,
    left: u64,
}

impl PartFind {
    /// A search that may visit this many nodes.
    pub fn new(request: Request, nodes: u64) -> Result<PartFind, Misuse> {
        Ok(PartFind { find: Box::new(Find::new(request, FindOptions::default())?), left: nodes })
    }

    /// Goes on to the outcome; `None` where its own nodes are spent, and there are more for the whole.
    pub fn advance(&mut self, budget: &Budget) -> Result<Option<Outcome>, Halt> {
        match budget.part_of(&mut self.left, |part| self.find.advance(part)) {
            Err(halt) if halt.limit() == Some(Limit::Nodes) => {
                budget.check_nodes()?;
                Ok(None)
            }
            outcome => outcome.map(Some),
        }
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.find.report()
    }
}
