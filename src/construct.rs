//! Tours of rectangles of any size in linear time.

mod block;
mod blocks;
mod layout;
mod strip;

use crate::board::Board;
use crate::budget::{Budget, Pause};
use layout::{Templates, Walk};

/// temp
pub fn quick(board: &Board, ends: Option<(u32, u32)>, start: u32, seed: Option<u64>, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
    let pair = |n: u32| (n / board.cols(), n % board.cols());
    let walk = if board.rows().min(board.cols()) < 6 {
        let turned = board.rows() > board.cols();
        let strides = if turned { (1, board.cols()) } else { (board.cols(), 1) };
        let mut templates = Templates::new(strides, seed);
        let pair = |n: u32| { let (r, c) = pair(n); if turned { (c, r) } else { (r, c) } };
        let strip = strip::Strip { rows: board.rows().min(board.cols()), cols: board.cols().max(board.rows()) };
        if ends.is_some_and(|(a, b)| strip.verdict(pair(a), pair(b)) == strip::Verdict::NoTour) || (ends.is_none() && !strip.has_cycle()) { return Ok(None); }
        let Some(layout) = strip.layout(ends.map(|(a, b)| (pair(a), pair(b))), &mut templates, budget)? else { return Ok(None) };
        Walk::new(layout, templates, ends.map_or(pair(start), |(a, _)| pair(a)), ends.is_none(), board.squares())
    } else {
        let strides = (board.cols(), 1);
        let mut templates = Templates::new(strides, seed);
        let plan = blocks::Plan { rows: board.rows(), cols: board.cols(), ends: ends.map(|(a, b)| (pair(a), pair(b))) };
        let Some(layout) = plan.layout(&mut templates, seed, budget)? else { return Ok(None) };
        Walk::new(layout, templates, ends.map_or(pair(start), |(a, _)| pair(a)), ends.is_none(), board.squares())
    };
    walk?.advance(budget).map(Some)
}
