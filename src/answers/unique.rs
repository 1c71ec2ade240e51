//! [`Unique`]: whether a request has one tour and no other, and where steps are given, one numbering.

use super::{List, Listed, Report};
use crate::board::tour::Tour;
use crate::request::Request;
use crate::run::{Budget, Halt, Pause, Progress, Task};

/// The tours of a request, as far as the second. Resumable.
///
/// Who is given steps writes the other numbers down: of a closed tour that can be numbered in both directions there are
/// two answers.
#[derive(Debug)]
pub struct Unique {
    list: List,
    /// Numberings of each tour, at least.
    each: u32,
    found: u32,
}

impl Unique {
    /// A look that has not begun.
    #[must_use]
    pub fn new(request: Request) -> Unique {
        let is_either_way = request.is_closed() && !request.steps().is_empty() && !request.tells_direction();
        Unique { list: List::new(request), each: if is_either_way { 2 } else { 1 }, found: 0 }
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.list.report()
    }

    /// Goes on to a numbering other than that of the given tour, which is one of those looked for; `None` if there is
    /// none. They are sequences of squares.
    pub(crate) fn other(&mut self, than: &Tour, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
        let request = self.list.request();
        if request.is_closed() && !request.tells_direction() {
            // The same tour in the other direction, the square that has its place left there.
            let mut squares = than.squares().to_vec();
            let step = request.steps().first().map_or(0, |&(step, _)| step as usize);
            squares.rotate_left(step);
            squares[1..].reverse();
            squares.rotate_right(step);
            return Ok(Some(squares));
        }
        loop {
            match self.list.advance(budget) {
                Listed::Tour(tour) if tour.squares() == than.squares() => {}
                Listed::Tour(tour) => return Ok(Some(tour.squares().to_vec())),
                Listed::End | Listed::Refused(_) => return Ok(None),
                Listed::Paused(pause) => return Err(pause),
            }
        }
    }
}

impl Task for Unique {
    type Answer = bool;

    /// Goes on until it is known whether there is exactly one tour.
    fn advance(&mut self, budget: &Budget) -> Result<bool, Halt> {
        loop {
            if self.found > 1 {
                return Ok(false);
            }
            match self.list.advance(budget) {
                Listed::Tour(_) => self.found += self.each,
                // It was not begun anywhere else, which could be refused.
                Listed::End | Listed::Refused(_) => return Ok(self.found == 1),
                Listed::Paused(pause) => return Err(pause.into()),
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress { message: "looking for a second tour".to_owned(), ..Progress::default() }
    }

    fn squares(&self) -> usize {
        self.list.request().board().len()
    }
}
