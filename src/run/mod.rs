//! How anything runs: [`Budget`] with its limits, cancelling, slices and progress; random numbers.

mod budget;
mod halt;
pub(crate) mod heap;
mod misuse;
pub mod rng;
mod task;
pub(crate) mod workers;

pub(crate) use budget::Watch;
pub use budget::{Budget, Cancel, Limit, Limits, NO_MACHINE, Pause, Progress, safe_memory};
pub use halt::Halt;
pub use misuse::{Misuse, Named, Unsuited};
pub use task::Task;
