//! How many unvisited neighbours each square has: a byte a square.

use crate::board::Board;
use crate::board::square::Square;
use crate::run::{Budget, Limit, Pause};

/// Steps to ask the budget for at a time: a fraction of a millisecond.
pub(super) const SLICE: u64 = 1 << 14;

/// The byte of a square: eight times the number of its unvisited neighbours (at most 8 of them),
pub(super) const ONE: u8 = 8;
/// whether it is neither visited nor blocked,
pub(super) const UNVISITED: u8 = 1;
/// and whether some of the moves from it go over an edge or the leaper has fewer than eight.
pub(super) const EDGE: u8 = 2;

/// How many unvisited neighbours each square has, and two marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Degrees {
    pub(super) bytes: Vec<u8>,
}

impl Degrees {
    /// Fills in the empty board, row by row; a paused call goes on with the next row.
    pub(super) fn fill(&mut self, board: &Board, budget: &Budget) -> Result<(), Pause> {
        let squares = board.squares();
        if self.bytes.len() as u64 == squares {
            return Ok(());
        }
        if self.bytes.capacity() == 0 {
            self.bytes.try_reserve_exact(squares as usize).map_err(|_| Pause::Limit(Limit::Memory))?;
        }
        let (rows, cols) = (board.rows(), board.cols());
        let edge = board.leaper().b;
        // Away from the top and bottom edges all rows of a rectangle are alike.
        let is_middle = |row: u32| row >= edge && u64::from(row) + u64::from(edge) < u64::from(rows);
        let mut claimed = 0;
        for row in (self.bytes.len() / cols as usize) as u32..rows {
            if claimed < cols {
                budget.take(1)?;
                budget.give_back(1);
                claimed = SLICE as u32;
            }
            claimed = claimed.saturating_sub(cols);
            if board.is_rectangle() && row > 0 && is_middle(row - 1) && is_middle(row) {
                self.bytes.extend_from_within(self.bytes.len() - cols as usize..);
            } else {
                self.bytes.extend((0..cols).map(|col| {
                    let square = Square::new(row, col);
                    let number = square.number(cols);
                    let mark = if has_all_moves(board, square) { 0 } else { EDGE };
                    let open = board.is_open(number);
                    let degree = board.degree(number) as u8;
                    // A blocked square counts as if all around it were open: what it says is never read.
                    if open { (degree * ONE) | UNVISITED | mark } else { 8 * ONE }
                }));
            }
        }
        Ok(())
    }
}

/// Whether the leaper has eight moves (blocked ones included) and none of them goes over an edge.
pub(super) fn has_all_moves(board: &Board, square: Square) -> bool {
    let reach = u64::from(board.leaper().b);
    let inside = |at: u32, side: u32| u64::from(at) >= reach && u64::from(at) + reach < u64::from(side);
    let eight = board.leaper().a != 0 && board.leaper().a != board.leaper().b;
    eight && inside(square.row, board.rows()) && inside(square.col, board.cols())
}

/// Takes one off the onward moves of a square, visited or not, and returns its byte.
#[inline]
pub(super) fn lower(degree: &mut u8) -> u8 {
    // All neighbours of a square are visited once, so this never passes zero.
    *degree = degree.wrapping_sub(ONE);
    *degree
}
