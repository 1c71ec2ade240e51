//! The engines: each sees a [`Graph`](crate::Graph), or a whole board where its method is for boards.

pub mod backtracking;
pub mod construction;
pub(crate) mod cycle_graph;
pub mod cycle_merging;
pub mod edge_forcing;
pub mod frontier;
pub mod paths;
pub mod rotation;
pub mod uncrossed;
pub mod warnsdorff;
