//! Knight's tours: found and verified, proven impossible with a reason, or counted exactly.
//!
//! The folders, each importing only from those before it: [`store`] (files that can be trusted), [`run`] (limits,
//! progress, workers), [`board`] (squares, moves, tours and their texts), [`symmetry`], [`request`] (what is asked, and
//! the graph that it becomes), [`theorems`] (why there can be no tour), [`engines`], [`answers`] (which engine answers
//! which question) and, with the feature `python`, the binding.
//!
//! A [`Request`] says which tours of a [`Board`] are meant; [`answers`] answers it: [`answers::Find`] looks for one tour,
//! [`answers::Count`] counts, [`answers::List`] lists. Each is a step function under a [`Budget`], which stops it at
//! limits and lets it go on later.
//!
//! ```
//! use knightstour::answers::{Find, FindOptions, Outcome};
//! use knightstour::{Board, Budget, Request, Task};
//! let request = Request::open(Board::new(8, 8)?).with_start(0)?;
//! let mut find = Find::new(request, FindOptions::default())?;
//! let Ok(Outcome::Found(tour)) = find.advance(&Budget::unlimited()) else { panic!() };
//! assert_eq!(tour.squares().len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answers;
pub mod board;
pub mod engines;
#[cfg(feature = "python")]
pub mod python;
pub mod request;
pub mod run;
pub mod store;
pub mod symmetry;
pub mod theorems;

pub use board::{Bitboard, Board, BoardError, InvalidTour, Leaper, Square, Tour, Wrap};
pub use engines::edge_forcing::EdgeForcing;
pub use engines::frontier::Natural;
pub use engines::warnsdorff::Ties;
pub use request::{Graph, Request};
pub use run::{Budget, Cancel, Limit, Limits, Misuse, Pause, Progress, Task};
pub use symmetry::Symmetry;
