//! [`Task`]: whatever takes time.

use super::{Budget, Halt, Limit, Progress};
use crate::store::Unfinished;

/// A search, a count, a listing: something with an answer to come.
///
/// It is run by calling [`Task::advance`] until that gives an answer, or an error other than the end of a slice. Between two
/// calls whoever runs it looks at signals and tells the progress.
pub trait Task: Send + 'static {
    /// What it answers.
    type Answer: Send + 'static;

    /// Goes on until the answer is known, or the budget refuses. After the end of a slice ([`Halt::SLICE`]) the next call goes
    /// on where this one left off; after a limit it does so with a budget that allows more.
    fn advance(&mut self, budget: &Budget) -> Result<Self::Answer, Halt>;

    /// The best answer so far, where a limit ends the run and part of an answer is one.
    fn best(&mut self, _limit: Limit) -> Option<Self::Answer> {
        None
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        Progress::default()
    }

    /// Squares of the board: on large ones a step may last longer than a slice.
    fn squares(&self) -> usize;

    /// Whether it reads or writes files, which may take longer than a slice from the first one on.
    fn uses_files(&self) -> bool {
        false
    }

    /// The files that it is writing: where it is given up, they go.
    fn unfinished(&self) -> Unfinished {
        Unfinished::default()
    }
}
