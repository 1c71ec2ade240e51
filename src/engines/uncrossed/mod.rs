//! [`Uncrossed`]: a longest path, or closed circuit, of moves that never cross each other.
//!
//! A move is the straight line between the centres of its squares. Two moves cross if their lines share a point that
//! is not a common end; so a move over the centre of a square crosses the moves of that square, too.
//!
//! # The method
//! A line sweeps over the squares, one after another, along the longer side of the board. At each square it is decided
//! which moves go on from there. Moves whose both squares lie behind the line cannot be crossed by those still to come;
//! so all that matters for the rest are the moves that lie across the line, which of them are connected, and how many
//! ends the path has had. Of all choices that agree in this, the longest is kept, and nothing is missed.
//!
//! Those states are many; few of them matter. A first sweep forgets which moves are connected, which takes circles
//! beside the path for allowed. From one end of the board to its middle, and from the other end to its middle, it says
//! how long a path can be at most, and by which moves across the middle: for 8x8, 37 moves, where 35 is the truth. Then
//! paths of 37, 36, ... moves are looked for by a sweep that drops whatever cannot be that long, by the tables of the
//! first sweep. On the way to 35 this meets some thousand states where all states would be a thousand million.
//!
//! Cost: that of the first sweep, exponential in the shorter side: some 12 times as much for each row more, 30 million
//! states for paths on 8x8, a sixth of that for circuits. A quarter as many are in memory at once.

mod climb;
mod lines;
mod loose;
mod plan;
mod search;
mod strict;
mod table;

pub use search::{Longest, Uncrossed};
