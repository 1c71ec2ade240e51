//! Constraints that contradict each other: steps, ends, moves to use and to avoid.

use std::collections::HashMap;

use super::rectangle::role;
use super::{Code, Reason, counted, named};
use crate::board::moves::Wrap;
use crate::request::{Edge, Request, neighbours_in_time, ordered};

/// Each step has one square and each square one step; squares at neighbouring steps are a move
/// apart, and no two are farther apart than the moves between them reach; a move to use joins
/// neighbouring steps. All by definition.
pub(super) fn contradictory_steps(request: &Request, fixed: &[(u32, u32)]) -> Option<Reason> {
    let board = request.board();
    let total = board.len() as u32;
    let reason = |text: String, squares: &[u32]| Some(Reason::new(Code::Steps, text, squares.iter().copied()));
    if let Some(pair) = fixed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let squares = [pair[0].1, pair[1].1];
        return reason(format!("step {} cannot be on both {}", pair[0].0, named(board, &squares)), &squares);
    }
    let mut step_of: HashMap<u32, u32> = HashMap::with_capacity(fixed.len());
    for &(step, square) in fixed {
        if let Some(earlier) = step_of.insert(square, step) {
            let text = format!("{} cannot be visited at both steps {earlier} and {step}", board.name(square));
            return reason(text, &[square]);
        }
    }
    for [(step, from), (next, to)] in neighbours_in_time(fixed, request.is_closed(), total) {
        if !board.is_move(from, to) {
            let text = format!(
                "{} at step {step} and {} at step {next} are not a move apart",
                board.name(from),
                board.name(to)
            );
            return reason(text, &[from, to]);
        }
    }
    if board.wrap() == Wrap::None {
        let (short, long) = (u64::from(board.leaper().a), u64::from(board.leaper().b));
        for pair in fixed.windows(2) {
            let (from, to) = (board.square(pair[0].1), board.square(pair[1].1));
            let (rows, cols) = (u64::from(from.row.abs_diff(to.row)), u64::from(from.col.abs_diff(to.col)));
            let moves = u64::from(pair[1].0 - pair[0].0);
            if rows.max(cols) > long * moves || rows + cols > (short + long) * moves {
                let text = format!(
                    "{} and {} are too far apart for {}",
                    role(request, pair[0].0, pair[0].1),
                    role(request, pair[1].0, pair[1].1),
                    counted(moves, "move")
                );
                return reason(text, &[pair[0].1, pair[1].1]);
            }
        }
    }
    for &(a, b) in request.including() {
        if let (Some(&i), Some(&j)) = (step_of.get(&a), step_of.get(&b)) {
            let apart = i.abs_diff(j);
            // The two ends of an open tour have a reason of their own.
            let are_ends = request.steps().is_empty();
            if apart != 1 && !(request.is_closed() && apart == total - 1) && !are_ends {
                let text = format!(
                    "the move between {} is asked for, but these squares have steps {i} and {j}",
                    named(board, &[a, b])
                );
                return reason(text, &[a, b]);
            }
        }
    }
    None
}

/// The moves that a tour must use (those included and those that fixed steps make) leave at most
/// two at a square and one at a given end; none of them is to be avoided; they close no cycle but a
/// whole closed tour, and do not join the given ends without the other squares. All by definition.
pub(super) fn contradictory_edges(request: &Request, fixed: &[(u32, u32)]) -> Option<Reason> {
    let board = request.board();
    let total = board.len();
    let mut wanted: Vec<Edge> = request.including().to_vec();
    wanted.extend(neighbours_in_time(fixed, request.is_closed(), total as u32).map(|[(_, a), (_, b)]| ordered(a, b)));
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return None;
    }

    if let Some(&(a, b)) = wanted.iter().find(|edge| request.excluding().binary_search(edge).is_ok()) {
        let text = format!("the move between {} is both included and excluded", named(board, &[a, b]));
        return Some(Reason::new(Code::IncludedExcluded, text, [a, b]));
    }

    let last = total as u32 - 1;
    let start = fixed.first().filter(|pair| pair.0 == 0).map(|pair| pair.1);
    let end = fixed.last().filter(|pair| pair.0 == last).map(|pair| pair.1);
    let is_end = |square: u32| !request.is_closed() && (start == Some(square) || end == Some(square));
    let mut both_ways: Vec<Edge> = wanted.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    both_ways.sort_unstable();
    for group in both_ways.chunk_by(|x, y| x.0 == y.0) {
        let (square, count) = (group[0].0, group.len());
        let most = if is_end(square) { 1 } else { 2 };
        if count > most {
            let what = if most == 1 { "the end of an open tour" } else { "a square" };
            let text = format!(
                "{} at {} are asked for, but a tour makes at most {most} at {what}",
                counted(count as u64, "move"),
                board.name(square)
            );
            return Some(Reason::new(
                Code::TooManyIncluded,
                text,
                [square].into_iter().chain(group.iter().map(|e| e.1)),
            ));
        }
    }

    // Fragments as sets of squares: parent[i] for the i-th square concerned.
    let squares: Vec<u32> = both_ways.chunk_by(|x, y| x.0 == y.0).map(|group| group[0].0).collect();
    let index = |square: u32| squares.binary_search(&square).unwrap_or_default();
    let mut parent: Vec<usize> = (0..squares.len()).collect();
    let mut size = vec![1usize; squares.len()];
    let root = |parent: &mut Vec<usize>, mut i: usize| {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    };
    for &(a, b) in &wanted {
        let (mut x, mut y) = (root(&mut parent, index(a)), root(&mut parent, index(b)));
        if x == y {
            if request.is_closed() && size[x] == total {
                continue;
            }
            let text = format!(
                "the moves asked for make a cycle of {} through {}; {}",
                counted(size[x] as u64, "square"),
                named(board, &[a, b]),
                if request.is_closed() {
                    format!("a closed tour visits all {total} squares")
                } else {
                    "an open tour has no cycle".to_owned()
                }
            );
            return Some(Reason::new(Code::IncludedCycle, text, [a, b]));
        }
        if size[x] < size[y] {
            (x, y) = (y, x);
        }
        parent[y] = x;
        size[x] += size[y];
    }

    if !request.is_closed()
        && let (Some(start), Some(end)) = (start, end)
        && let (Ok(i), Ok(j)) = (squares.binary_search(&start), squares.binary_search(&end))
    {
        let (x, y) = (root(&mut parent, i), root(&mut parent, j));
        if x == y && size[x] < total {
            let text = format!(
                "the moves asked for lead from the start {} to the end {} through only {} of {} squares",
                board.name(start),
                board.name(end),
                size[x],
                total
            );
            return Some(Reason::new(Code::EndsJoined, text, [start, end]));
        }
    }
    None
}
