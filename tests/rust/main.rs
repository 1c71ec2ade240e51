//! One integration binary: the engines judged from outside.

mod backtrack;
mod brute;
mod construct;
mod existence;
mod fragments;
mod frontier;
mod improving;
mod measures;
mod merging;
mod number;
mod paths;
mod place;
mod properties;
mod rotation;
mod runs;
mod store;
mod symmetric;
mod tidy;
mod uncrossed;
mod warnsdorff;
