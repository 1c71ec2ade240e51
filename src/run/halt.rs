//! [`Halt`]: why a run returned before it was done.

use super::{Limit, Misuse, Pause, Unsuited};
use crate::store::StoreError;

/// Why a run returned before it was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The slice is over, or a limit is reached.
    #[error("paused: {0:?}")]
    Pause(Pause),
    /// A file cannot be trusted, or cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The engine is not for this request.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// Misuse: there is no such request, or nothing more to ask.
    #[error(transparent)]
    Misuse(#[from] Misuse),
}

impl Halt {
    /// The slice is over: call again.
    pub const SLICE: Halt = Halt::Pause(Pause::Slice);

    /// The limit that was reached, if that is why.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Halt::Pause(Pause::Limit(limit)) => Some(*limit),
            _ => None,
        }
    }
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Halt {
        Halt::Pause(Pause::Limit(limit))
    }
}

impl From<Pause> for Halt {
    fn from(pause: Pause) -> Halt {
        Halt::Pause(pause)
    }
}
