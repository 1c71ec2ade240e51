//! Knight's tours: found and verified, proven impossible with a reason, or counted exactly.
pub mod backtrack;
pub mod bitboard;
pub mod board;
pub mod budget;
pub mod construct;
pub mod existence;
pub mod fragments;
pub mod frontier;
pub mod graph;
pub mod moves;
#[cfg(feature = "python")]
pub mod python;
pub mod request;
pub mod rng;
pub mod solve;
pub mod square;
pub mod store;
pub mod symmetry;
pub mod tour;
pub mod warnsdorff;

pub use bitboard::Bitboard;
pub use board::{Board, BoardError};
pub use budget::{Budget, Cancel, Limit, Limits, Pause, Progress};
pub use fragments::Fragments;
pub use graph::Graph;
pub use moves::{Leaper, Wrap};
pub use request::{Request, RequestError};
pub use square::Square;
pub use symmetry::Symmetry;
pub use tour::{InvalidTour, Tour};
pub use warnsdorff::Ties;
