//! [`Quotient`]: the tours that a symmetry maps to themselves, as paths or cycles of a smaller graph.
//!
//! Let a symmetry g of order k map a tour to itself. The vertices of the *quotient* are the orbits of g. An
//! edge of the quotient is an orbit of edges: between two orbits there are as many as g^j takes the first square
//! of the one to a neighbour of the first square of the other; that j is its *voltage*, and several edges may
//! join two orbits. What g does to the tour says what to look for in the quotient:
//!
//! * **An open tour** is run backwards by g. So g undoes itself, and moves every square but, of an odd number, the
//!   middle one of the tour. The first half of the tour is a path that visits each orbit once and ends where a move
//!   leads to the image of its last square or to the middle.
//! * **A closed tour, its direction turned round**: g undoes itself again, and the cycle crosses its axis twice, each
//!   time on a square that stays or on a move between a square and its image. Half of the cycle is a path from one
//!   crossing to the other that visits each orbit once.
//! * **A closed tour, its direction kept**: g moves it on by a part of its length, so no square stays, all
//!   orbits have k squares, and the tour is a cycle that visits each orbit once and whose voltages add up to a number
//!   without a common factor with k. (Adding up to less, it would close too early.) If k is a power of 2, that
//!   means: to an odd number, which a sweep can tell by one bit.
//!
//! Knuth (The Art of Computer Programming, pre-fascicle 8A, Hamiltonian paths and cycles) calls the three kinds of
//! half-turn symmetry of closed tours after Euler, Bergholt and Sulian.

mod lifts;
mod orbits;
#[allow(clippy::module_inception)]
mod quotient;

pub use lifts::{Fold, Lifts, Taken};
pub use orbits::Map;
use quotient::Kind;
pub use quotient::Quotient;
