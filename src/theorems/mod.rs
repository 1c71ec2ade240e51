//! Why there can be no tour: theorems that need no search, one function each.
//!
//! [`check_board`] asks only the request: sizes, colours, constraints that contradict each other.
//! It costs no more than the constraints and the blocked squares, so a board of 2^31 squares is
//! judged at once. [`check_graph`] looks at the moves themselves, in time close to linear: squares
//! with too few moves, pieces that are not connected, colours, squares without which the board is
//! split, what follows move by move, and a few squares without which too many pieces are left. [`Pairs`] looks for
//! pairs of squares without which it is split, in its own time. [`narrow_ends`] is what the same look tells about
//! the squares on which an open tour may start and end.
//!
//! Soundness is all: a [`Reason`] is never given for a request that has a tour. The converse holds
//! only where a theorem is complete (open and closed tours of plain knight's rectangles with free ends);
//! elsewhere no reason means that a search has to find out.

mod cut_vertices;
mod degree_flow;
mod edge_forcing;
mod edges;
mod examination;
mod net;
mod reason;
mod rectangle;
mod separation_pairs;
mod toughness;

pub use examination::{Ends, Examination, check, check_board, check_graph, examine, narrow_ends};
pub(crate) use reason::counted;
pub use reason::{Code, Reason};
use reason::{Halt, NAMED, named};
pub use separation_pairs::Pairs;
