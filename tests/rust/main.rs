//! One integration binary: the engines judged from outside.

mod backtracking;
mod brute;
mod construction;
mod cycle_merging;
mod edge_forcing;
mod frontier;
mod heap;
mod improving;
mod measures;
mod number;
mod paths;
mod place;
mod properties;
mod rotation;
mod runs;
mod store;
mod symmetric;
mod theorems;
mod tidy;
mod uncrossed;
mod warnsdorff;
