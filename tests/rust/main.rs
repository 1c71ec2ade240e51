//! One integration binary: the engines judged from outside.

mod backtrack;
mod brute;
mod construct;
mod existence;
mod fragments;
mod frontier;
mod merging;
mod properties;
mod store;
mod symmetric;
mod warnsdorff;
