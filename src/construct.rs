//! Tours of rectangles of any size in linear time.

mod block;
mod blocks;
mod layout;

use crate::board::Board;
use crate::budget::{Budget, Pause};
use layout::{Templates, Walk};

/// temp
pub fn quick(board: &Board, ends: Option<(u32, u32)>, start: u32, seed: Option<u64>, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
    let strides = (board.cols(), 1);
    let mut templates = Templates::new(strides, seed);
    let pair = |n: u32| (n / board.cols(), n % board.cols());
    let plan = blocks::Plan { rows: board.rows(), cols: board.cols(), ends: ends.map(|(a, b)| (pair(a), pair(b))) };
    let Some(layout) = plan.layout(&mut templates, seed, budget)? else { return Ok(None) };
    let mut walk = Walk::new(layout, templates, ends.map_or(pair(start), |(a, _)| pair(a)), ends.is_none(), board.squares())?;
    walk.advance(budget).map(Some)
}
