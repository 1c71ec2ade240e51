//! Warnsdorff's rule: go on to the square with the fewest onward moves, and never take a move back.
//!
//! The rule is H. C. von Warnsdorff's (1823). It says nothing about squares that tie, and all depends
//! on them: [`Ties`] lists the ways to choose. A run keeps one byte a square, the number of its
//! unvisited neighbours, and lowers up to eight of them at each step; that beats counting onward
//! moves afresh from a bitmap of visited squares, which looks at 64 squares a step. A step away from
//! the edges costs eight loads at fixed distances and no division; only squares near an edge (or a
//! seam) go through [`Grid::targets`](crate::board::moves::Grid::targets).
//!
//! A neighbour without onward moves counts as having the fewest, so that a run may enter it and end
//! there. That is the rule as stated, and the published rates of success are those of this rule.
//!
//! Where the board fits one word, `word` counts onward moves from bitboards instead: nothing is set up.

mod degrees;
mod orderings;
mod run;
mod tied;
mod trials;
mod word;

use run::Walk;
pub use run::{Run, Ties};
pub use trials::Trials;
