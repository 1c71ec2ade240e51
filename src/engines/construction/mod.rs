//! Tours of plain rectangles of any size, open or closed, with free or given ends, in linear time.
//!
//! The board is cut into blocks of a few dozen squares, joined in a tree or a chain by moves across
//! their seams; each block is covered by paths between the moves that enter and leave it. There are
//! few different blocks, so each kind is searched once, and the tour is written down by copying. See
//! `blocks` for boards with both sides at least 6, and `strip` for narrower ones, where not all
//! ends have a tour. The answer is always a tour or the proof that there is none: luck has no part in it.
//! [`Tidy`] makes closed tours with few turns and crossings.
//!
//! Cost: about two nanoseconds and five bytes a square, besides some searches of less than a
//! millisecond that do not grow with the board.

mod block;
mod blocks;
mod layout;
mod rectangles;
mod strip;
mod tidy;

use rectangles::reserve;
pub use rectangles::{Construction, Outcome};
pub use tidy::Tidy;
