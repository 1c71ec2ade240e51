//! [`Graph`]: a [`Request`] as vertices and edges. Search, sweep and walk see only this, and never ask
//! about holes, leapers or joined edges.
//!
//! Vertices are the open squares in reading order, numbered from 0. Avoided moves are gone. So are the
//! other moves of a square that has two moves which must be used, since no tour can use a third.
//! An open tour may be seen as a cycle through one more vertex, the *apex*, which is joined to every
//! square that may be an end; the graph tells which those are and leaves it to the engines to add it.
//!
//! A graph may also be the quotient of another one (see [`crate::request::quotient`]). Then several edges may join two
//! vertices, and each is even or odd.

#[allow(clippy::module_inception)]
mod graph;
mod two_colours;
mod vertex_set;

pub(crate) use graph::Parts;
pub use graph::{Building, Colouring, Drawing, Graph};
pub(crate) use two_colours::{TwoColours, two_colours};
pub use vertex_set::VertexSet;
