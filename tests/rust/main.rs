//! One integration binary: the engines judged from outside.

mod backtrack;
mod brute;
mod existence;
mod fragments;
mod frontier;
mod warnsdorff;
