//! What a tour looks like in numbers: its turns, angles and slopes, its crossings, and the sums of its
//! rows and columns.
//!
//! A move is drawn as the straight segment between the centres of its two squares. Turns, angles and
//! slopes are counted in one pass over the tour, crossings in one more: moves can only cross where
//! their squares are near each other, so each looks round its own square.
//!
//! On joined edges the segments lie on the cylinder or the torus. Which way round a move goes must be
//! plain for that, so a joined side has to be longer than two of the leaper's longer legs.
//!
//! Sources: G. P. Jelliss, *Knight's Tour Notes* (slopes and angles of moves, magic tours);
//! J. J. Besa, T. Johnson, N. Mamano, M. C. Osegueda and P. Williams, "Taming the Knight's Tour: Minimizing Turns
//! and Crossings", Theoretical Computer Science 902 (2022) (turns and crossings).

mod crossings;
mod geometry;
mod sums;
mod table;

pub use crossings::{CountCrossings, Crossings, crossings};
pub use geometry::{Delta, Geometry, Shape, ShortJoin};
pub use sums::Sums;
pub use table::{Column, Fault, Table};
