//! What is asked: a [`Request`] says which tours of a board are meant, and becomes a [`Graph`] once.
//!
//! In reading order: [`Request`] with the numberings and beginnings it allows; [`classes`] of tours under symmetries;
//! [`Graph`]; its [`quotient`] by a symmetry.

pub(crate) mod apex;
mod beginning;
pub mod classes;
mod encoding;
pub mod graph;
mod numbering;
pub mod quotient;
#[allow(clippy::module_inception)]
mod request;

pub use graph::Graph;
pub use numbering::Terms;
pub(crate) use numbering::neighbours_in_time;
pub use request::{Edge, Request, ordered};
