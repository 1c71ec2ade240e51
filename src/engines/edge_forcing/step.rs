//! [`Step`]: what going on with a search led to.

use crate::run::Pause;

/// What a step of the listing came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Here is the next tour.
    Found,
    /// There are no more.
    Exhausted,
    /// The budget refused; the next call goes on.
    Paused(Pause),
}
