//! [`Tour`]: a sequence of squares that has been checked, and texts in and out.
//!
//! The checker is the judge of every engine: it shares nothing with them but the board's moves.

mod given;
mod json;
mod text;
mod texts;
#[allow(clippy::module_inception)]
mod tour;
mod words;

pub use given::{Given, Reading};
pub(crate) use json::write_board;
use tour::place;
pub use tour::{InvalidTour, ParseTourError, Tour, UnreadableText, check_path, is_walk};
