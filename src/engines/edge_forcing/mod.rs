//! [`EdgeForcing`]: an edge-forcing search that lists, or counts, every tour of a graph.
//!
//! # The method
//! A tour is not grown from its start square by square. EdgeForcing of it grow everywhere at once, edge
//! by edge. Each square needs two edges, and which of its moves are still *usable* is known throughout:
//! - a square that has just as many usable moves left as it needs must use them all;
//! - a square that has its two edges is done, and its other moves are usable no longer;
//! - the move between the two ends of one fragment would close a cycle too early, so it is forbidden,
//!   unless it is the last.
//!
//! Each of these may bring about others, so they are followed until nothing is forced. If some square is
//! left with too few moves there is no tour below. Otherwise one move of the square that could best
//! spare none is tried: first the tours with it are searched, then those without it. The two have no
//! tour in common, so each tour is found once. Changes are written on a trail and taken back from it;
//! there is no recursion.
//!
//! An *open* tour is searched as a cycle through an apex, a vertex more that is joined to every square
//! which may be an end. Where the two ends are of different kinds (given ends, or the two colours of a
//! board with an even number of squares, on which a tour's ends differ in colour) there are two apexes,
//! one for each kind, joined to each other.
//!
//! The rules are those of exhaustive searches for Hamiltonian cycles since Rubin, "A search procedure for
//! Hamilton paths and circuits" (Journal of the ACM 21, 1974).
//!
//! # The order of listing
//! It depends on the request alone. The square to branch on is the one that can spare the fewest
//! moves; of several, one that is the end of a fragment; of several, the first in reading order. The
//! move tried leads to that one of the squares in its reach which the same three rules choose (and to an
//! end of the tour where there is none). With free ends each tour is followed by its reverse. Open tours
//! run from their start to their end; closed ones from the given start (by default the first square in
//! reading order) towards the smaller-numbered of the two neighbours it has in the tour.
//!
//! Where squares are asked for at given steps, the square to branch on is instead the end of a fragment
//! with one of them in it from which the next of them is the fewest steps away.
//!
//! Now and then a search gets stuck before it has found any tour: some part of the board can no longer
//! be filled, which shows only late. So as long as there is no tour, it starts afresh after a number of
//! nodes (four a vertex and a thousand more, doubled each time), and "the first in reading order" is
//! counted from another square. With the first tour this ends. It depends on the nodes alone, and not on
//! the clock.
//!
//! # Cost
//! On boards where tours abound, about one node in ten finds none, and a tour costs as many steps as it
//! differs in edges from the one before: well under a microsecond on boards of up to 64 squares, for
//! which the sets are machine words. Memory is linear in the board and does not grow with the tours
//! listed. Where there is no tour, the search may take exponential time to say so.

mod classes;
mod fragments;
mod large;
mod position;
mod search;
mod state;
mod step;
mod steps;
mod word;

pub use fragments::{EdgeForcing, EdgeForcingStats};
pub use position::Position;
pub use step::Step;
