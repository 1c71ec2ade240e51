//! [`Unique`]: whether a request has one tour and no other.

use super::{List, Listed, Report};
use crate::budget::{Budget, Pause};
use crate::request::Request;
use crate::tour::Tour;

/// The tours of a request, as far as the second. Resumable.
#[derive(Debug)]
pub struct Unique {
    list: List,
    squares: usize,
    found: u32,
}

impl Unique {
    /// A look that has not begun.
    #[must_use]
    pub fn new(request: Request) -> Unique {
        Unique { squares: request.board().len(), list: List::new(request), found: 0 }
    }

    /// Squares of the board.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.list.report()
    }

    /// Goes on until it is known whether there is exactly one tour.
    pub fn advance(&mut self, budget: &Budget) -> Result<bool, Pause> {
        loop {
            match self.list.advance(budget) {
                Listed::Tour(_) if self.found == 1 => return Ok(false),
                Listed::Tour(_) => self.found = 1,
                // It was not begun anywhere else, which could be refused.
                Listed::End | Listed::Refused(_) => return Ok(self.found == 1),
                Listed::Paused(pause) => return Err(pause),
            }
        }
    }

    /// Goes on to a tour other than the given one; `None` if there is none.
    pub(crate) fn other(&mut self, than: &Tour, budget: &Budget) -> Result<Option<Tour>, Pause> {
        loop {
            match self.list.advance(budget) {
                Listed::Tour(tour) if tour.squares() == than.squares() => {}
                Listed::Tour(tour) => return Ok(Some(tour)),
                Listed::End | Listed::Refused(_) => return Ok(None),
                Listed::Paused(pause) => return Err(pause),
            }
        }
    }
}
