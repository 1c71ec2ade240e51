//! [`Merging`]: tours of large odd boards, from a cover of the board by cycles.
//!
//! A tour is hard to find on a large board because a path that goes wrong early shows it late. A *cover*, in
//! which every square has two of its moves used and cycles may be as many as they like, is easy: it is a matter of
//! flow. Two cycles become one where an edge of one lies opposite an edge of the other, so that both can be taken
//! out and two others put in; nearly all cycles of a cover of a leaper's board merge that way at once. What is left
//! is merged by *exchanges* of a few edges more:
//!
//! 1. a greedy cover by paths, squares that can spare the fewest moves first (`cover.rs`);
//! 2. squares with an edge too few get one along alternating paths (J. Petersen 1891; for graphs of two colours this
//!    finds a cover if there is one, for others nearly always);
//! 3. cycles merge by exchanges of two edges;
//! 4. the last cycles merge by exchanges of up to five edges, through a walk at random over covers with as many
//!    cycles, as in the search for travelling salesmen of S. Lin and B. W. Kernighan (1973) (`exchange.rs`).
//!
//! An open tour is a cycle through an apex, or through two, as for the search that forces edges. This search proves
//! nothing: it finds a tour or goes on for ever. It is seeded, and a run depends on the seed and the nodes alone.
//!
//! **Cost.** A node is about as much work as looking at one edge and what it leads to, some 50 nanoseconds. Steps 1 to 3
//! are linear in practice (some microseconds a square); an exchange in step 4 costs as much as the cycles that it
//! touches are long.

mod cover;
mod exchange;
mod merging;

pub use crate::engines::cycle_graph::Step;
pub use merging::{Merging, MergingStats};
