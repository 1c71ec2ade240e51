//! Boards, the moves of leapers, tours and what is measured of them.
//!
//! In reading order: [`Square`] and [`Bitboard`]; [`Leaper`] moves with their [`Wrap`]; [`Board`]; [`Tour`] and its
//! texts; lines of a board and [`measures`] of a tour.

mod bitboard;
#[allow(clippy::module_inception)]
mod board;
pub mod lines;
pub mod measures;
pub mod moves;
pub mod square;
pub mod tour;

pub use bitboard::Bitboard;
pub use board::{Board, BoardError, MAX_SQUARES};
pub use moves::{Leaper, Wrap};
pub use square::Square;
pub use tour::{InvalidTour, Tour};
