//! Knight's tours: found and verified, proven impossible with a reason, or counted exactly.
//!
//! A [`Request`] says which tours of a [`Board`] are meant. [`solve`] answers it: [`solve::Find`] looks for one
//! tour, [`solve::Count`] counts, [`solve::List`] lists. Each is a step function under a [`Budget`], which stops it
//! at limits and lets it go on later. Behind them are the engines: [`existence`] (theorems), [`construct`],
//! [`backtrack`], [`fragments`], [`frontier`] and [`warnsdorff`]; all but the first two see only a [`Graph`].
//!
//! ```
//! use knightstour::solve::{Find, FindOptions, Outcome};
//! use knightstour::{Board, Budget, Request};
//! let request = Request::open(Board::new(8, 8)?).with_start(0)?;
//! let mut find = Find::new(request, FindOptions::default())?;
//! let Some(Outcome::Found(tour)) = find.advance(&Budget::unlimited()) else { panic!() };
//! assert_eq!(tour.squares().len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod backtrack;
pub mod bitboard;
pub mod board;
pub mod budget;
pub mod classes;
pub mod construct;
mod cycle_graph;
pub mod existence;
pub mod fragments;
pub mod frontier;
pub mod graph;
pub mod group;
mod heap;
pub mod lines;
pub mod measures;
pub mod merging;
pub mod moves;
pub mod number;
pub mod paths;
pub mod puzzle;
#[cfg(feature = "python")]
pub mod python;
pub mod quotient;
pub mod request;
pub mod rng;
pub mod rotation;
pub mod solve;
pub mod square;
pub mod store;
pub mod symmetry;
pub mod tour;
pub mod uncrossed;
pub mod warnsdorff;

pub use bitboard::Bitboard;
pub use board::{Board, BoardError};
pub use budget::{Budget, Cancel, Limit, Limits, Pause, Progress};
pub use fragments::Fragments;
pub use frontier::Natural;
pub use graph::Graph;
pub use moves::{Leaper, Wrap};
pub use request::{Request, RequestError};
pub use square::Square;
pub use symmetry::Symmetry;
pub use tour::{InvalidTour, Tour};
pub use warnsdorff::Ties;
