//! Symmetries of boards and the groups that they form.

pub mod group;
#[allow(clippy::module_inception)]
mod symmetry;

pub use symmetry::{Point, Symmetries, Symmetry, list_cycle};
