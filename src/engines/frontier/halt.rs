//! [`Halt`]: why a run that may use files returned before it was done.

use super::Unsuited;
use crate::request::RequestError;
use crate::run::{Budget, Pause};
use crate::store::StoreError;

/// Why a sweep with files returned before it was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// As without files.
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
    Request(#[from] RequestError),
}

impl From<Pause> for Halt {
    fn from(pause: Pause) -> Halt {
        Halt::Pause(pause)
    }
}

/// Whether a limit ends what does not go in slices.
pub fn go_on(budget: &Budget) -> Result<(), Pause> {
    budget.go_on()
}
