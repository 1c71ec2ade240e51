//! Backtracking along the path: one square after another, and back where it does not go on.
//!
//! The search is an explicit stack of frames, one a square of the path, and can be stopped after any
//! node and resumed. What to try ([`Order`]), when to cut ([`Lookahead`]) and when to stop
//! ([`Budget`](crate::Budget)) are three places, so that the classic lessons (plain search, Warnsdorff's rule,
//! looking ahead) are choices on one engine. Graphs of up to 64 vertices run on bitboards, larger
//! ones on lists; both are a `Position` under the same loop.
//!
//! A cycle is a path from an *anchor* (the square with the fewest moves) that ends next to it; each
//! cycle is met in one direction only: the one that given steps ask for, or whose first square has the smaller number.
//!
//! Counting visits each class of starts under the symmetries of the request once, and each open tour
//! from one of its two ends only.

mod backtrack;
mod count;
mod list;
mod lookahead;
mod order;
mod restart;
mod walk;
mod word;

use backtrack::{AnyWalk, BATCH, Plan};
pub use backtrack::{Backtrack, Options, Step};
pub use count::{Counting, Totals};
pub use lookahead::{Lookahead, Prunes};
pub use order::Order;
pub use restart::Restarts;
pub use walk::Stats;
use walk::{Entered, Event, Position, Root, State, Walk};
