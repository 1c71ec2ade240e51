//! Paths and cycles that visit just some of the squares: [`PathRequest`] names them, [`PathList`] lists and counts them
//! one by one, and [`PathSweep`] counts them, or finds the longest one, without listing.
//!
//! Such a path is a tour in which most squares may be left out, and the graph of the board's moves says which are a
//! move apart, as for tours. An *open* path is a sequence of squares; its reverse is another. A *closed* one is a cycle
//! of at least three squares, with no start or direction.

mod bound;
mod list;
mod request;
mod sweep;

pub use bound::{Bound, Bounding};
pub use list::{PathCount, PathList, PathStep};
pub use request::PathRequest;
pub use sweep::PathSweep;
