//! [`Sweep`]: exact counts by a sweep over the board, far past what listing can reach.
//!
//! The squares are swept in a fixed order. When a square has been swept, all edges of a tour at it are
//! decided. What the rest needs to know is the *frontier*: the squares not yet swept that already touch a swept one.
//! Each is *free* (no edge yet), the *end* of a path fragment (one edge) or *full* (two), and the ends
//! are paired by the fragments. That is a *state*; its weight is the number of ways to come to it, and the weight of
//! the one state after the last square is the count. (Knuth's Simpath, TAOCP 7.1.4, is of this family.) What makes it
//! fast here:
//!
//! 1. States are grouped by what is free, end or full. A group is swept as one (`state.rs`).
//! 2. The groups of the next layer pull their weights from the last one, each on its own, so that threads share the
//!    work without locks (`transition.rs`, `gather.rs`). A pairing is a number, and what a step does to it is looked up in tables.
//! 3. Groups that cannot finish are never built (`reachable.rs`).
//! 4. On boards that look the same in a mirror each line is swept from the outside in, two squares a step, and a state
//!    and its mirror image are kept once (`plan.rs`).
//! 5. Open tours are cycles through one more vertex, the apex.
//!
//! A state takes the bytes that its weight needs (those of the greatest in its group), and a bit or four bytes for its pairing
//! (`ranks.rs`). What a step has swept is let go in pieces while it goes on.
//!
//! Weights are sums of weights, or what these leave modulo a number (`weights.rs`); before a sum is formed, its bits are bounded from the bits of its parts and their number, and it
//! gets the words of 64 bits that it needs. So no count can be wrong by a multiple of 2^64.
//!
//! **Cost.** It grows exponentially with the shorter side and linearly with the longer one. Closed tours of 8x8
//! take 2.5 thousand million transitions of about 8 ns, shared by the threads, and 0.55 GB; another column three
//! times as many. Most other graphs of the same width cost less.

mod account;
mod block;
mod checkpointed;
mod factor;
mod forecast;
mod forecasting;
mod gather;
mod index;
mod layer;
mod links;
mod mask;
mod natural;
mod partition;
mod plan;
mod prepare;
mod ranks;
mod reachable;
mod sampled;
mod scratch;
mod starts;
mod state;
mod sweep;
mod tables;
mod transition;
mod walk;
mod weights;

pub use checkpointed::{CheckpointedSweep, Files};
pub use forecast::{Course, Forecast, LayerForecast, Needs};
pub use forecasting::Forecasting;
pub use natural::Natural;
pub use prepare::{Prepare, open, write_empty};
pub use sampled::Sampled;
pub use starts::Starts;
pub use sweep::{Sweep, SweepOptions, SweepStats, needs_steps};
pub use walk::Walk;
pub use weights::Modulus;
