//! How squares at given steps number a tour: the form in which closed tours are listed, and what the steps come to.
//!
//! An open tour is numbered from its start. A closed one fits if some first square and direction number it as asked.

use std::collections::HashMap;

use super::request::{Edge, Request, insert, ordered};
use crate::board::tour::Tour;
use crate::symmetry::list_cycle;

/// What ends, moves and steps come to, in the fewest words. Engines go by them.
///
/// Squares at steps one after another are joined by a move. Where such moves lead on from a given end, or where
/// a closed tour has one path of them and nothing else, they say all that the steps said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The first square. Of a closed tour the one from which `steps` are counted.
    pub start: Option<u32>,
    /// The last square of an open tour.
    pub end: Option<u32>,
    /// Moves to use, sorted.
    pub moves: Vec<Edge>,
    /// The steps, as (step, square), sorted; none if start, end and moves tell them all. A closed tour may run through them in
    /// either direction.
    pub steps: Vec<(u32, u32)>,
}

/// The pairs of placed squares between which a tour of `count` squares makes one move, from the last to the first of a
/// closed one too.
pub(crate) fn neighbours_in_time(
    placed: &[(u32, u32)],
    closed: bool,
    count: u32,
) -> impl Iterator<Item = [(u32, u32); 2]> + '_ {
    let around = placed.first().zip(placed.last()).filter(|(first, last)| closed && first.0 + count == last.0 + 1);
    let around = around.filter(|(first, last)| first.1 != last.1).map(|(&first, &last)| [last, first]);
    placed.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0).map(|pair| [pair[0], pair[1]]).chain(around)
}

impl Request {
    /// A tour in the form in which it is listed here, if it is one of those asked for; symmetric tours and classes
    /// aside, of which [`crate::request::classes::is_member`] knows.
    ///
    /// Cost: some passes of the tour if it is closed, or where moves or steps are given; else constant.
    #[must_use]
    pub fn listed(&self, tour: &Tour) -> Option<Tour> {
        if tour.board() != &self.board || tour.is_closed() != self.closed {
            return None;
        }
        let listed = if self.closed {
            let mut squares = tour.squares().to_vec();
            self.list(&mut squares);
            Tour::trusted(self.board.clone(), squares, true)
        } else {
            tour.clone()
        };
        self.admits_squares(listed.squares()).then_some(listed)
    }

    /// Turns a closed tour into the form in which it is listed: numbered as the steps ask, else from the given start or
    /// the first square. Of two directions that fit it takes the one towards the smaller-numbered neighbour of the
    /// square that is placed first. What cannot be numbered so is left in some form that [`Request::admits_squares`]
    /// refuses. Open tours stay as they are.
    pub(crate) fn list(&self, squares: &mut [u32]) {
        if !self.closed {
            return;
        }
        let anchor = self.anchor();
        list_cycle(squares, anchor.map(|(_, square)| square));
        let step = anchor.map_or(0, |(step, _)| step as usize);
        squares.rotate_right(step);
        if !self.are_at_steps(squares) {
            squares.rotate_left(step);
            squares[1..].reverse();
            squares.rotate_right(step);
        }
    }

    /// Of a closed request the first square that has a place, with its step.
    fn anchor(&self) -> Option<(u32, u32)> {
        self.start.map(|start| (0, start)).or(self.steps.first().copied())
    }

    /// Whether each square is at the step that is given for it.
    pub(super) fn are_at_steps(&self, squares: &[u32]) -> bool {
        self.steps.iter().all(|&(step, square)| squares[step as usize] == square)
    }

    /// The squares that have a place, as (step, square), sorted: the given steps, the start and the end. (The start of a
    /// closed tour has one only beside given steps; without them it says where tours are listed from.)
    #[must_use]
    pub fn placed(&self) -> Vec<(u32, u32)> {
        let mut placed = self.steps.clone();
        if !self.closed || !placed.is_empty() {
            placed.extend(self.start.map(|square| (0, square)));
        }
        placed.extend(self.end.map(|square| (self.board.len() as u32 - 1, square)));
        placed.sort_unstable();
        placed.dedup();
        placed
    }

    /// What the given ends, moves and steps come to, in the fewest words: see [`Terms`].
    ///
    /// Cost: linear in what is given.
    #[must_use]
    pub fn terms(&self) -> Terms {
        let placed = self.placed();
        let count = self.board.len() as u32;
        let is_joined = |from: &(u32, u32), to: &(u32, u32)| {
            (from.0 + 1) % count == to.0 && from.0 != to.0 && self.board.is_move(from.1, to.1)
        };
        let joined: Vec<bool> = placed.windows(2).map(|pair| is_joined(&pair[0], &pair[1])).collect();
        let wraps = self.closed && placed.len() > 1 && is_joined(&placed[placed.len() - 1], &placed[0]);
        let pairs = placed.windows(2).zip(&joined).filter(|(_, is_joined)| **is_joined);
        let mut made: Vec<Edge> = pairs.map(|(pair, _)| ordered(pair[0].1, pair[1].1)).collect();
        made.extend(wraps.then(|| ordered(placed[0].1, placed[placed.len() - 1].1)));
        let mut moves = self.including.clone();
        insert(&mut moves, made);
        if self.closed {
            let (first, start) = self.anchor().unzip();
            // One path of moves to be used says the same in either direction.
            let gaps = joined.iter().filter(|is_joined| !**is_joined).count();
            // Where a cycle begins does not matter: steps are counted from the first square that has a place.
            let steps = placed.iter().filter(|_| gaps > usize::from(wraps));
            let steps = steps.filter(|&&pair| Some(pair) != self.anchor());
            let steps = steps.map(|&(step, square)| (step - first.unwrap_or(0), square)).collect();
            return Terms { start, end: None, moves, steps };
        }
        let start = placed.first().filter(|first| first.0 == 0).map(|first| first.1);
        let end = placed.last().filter(|last| last.0 == count - 1).map(|last| last.1);
        // Squares that moves to be used join to an end have their places by that.
        let run = |is_given: bool, joined: &mut dyn Iterator<Item = &bool>| {
            if is_given { 1 + joined.take_while(|is_joined| **is_joined).count() } else { 0 }
        };
        let told = run(start.is_some(), &mut joined.iter()) + run(end.is_some(), &mut joined.iter().rev());
        if told >= placed.len() {
            return Terms { start, end, moves, steps: Vec::new() };
        }
        Terms { start: self.start, end: self.end, moves, steps: self.steps.clone() }
    }

    /// Whether no closed tour can be numbered as asked in two ways.
    #[must_use]
    pub(crate) fn tells_direction(&self) -> bool {
        let placed = self.placed();
        let count = self.board.len() as u32;
        // Run the other way round, a square stays where it is only if it is opposite to the first.
        placed.iter().any(|&(step, _)| !(2 * (step - placed[0].0)).is_multiple_of(count))
    }

    /// Whether a map of the squares, beginning elsewhere or running the other way, leaves the squares of a closed tour
    /// that have a place at their steps.
    pub(super) fn is_turned_by(&self, map: impl Fn(u32) -> u32) -> bool {
        let placed = self.placed();
        if placed.len() < 2 {
            return true;
        }
        let count = self.board.len() as u64;
        let step_of: HashMap<u32, u64> = placed.iter().map(|&(step, square)| (square, step.into())).collect();
        let images: Option<Vec<(u64, u64)>> =
            placed.iter().map(|&(step, square)| Some((step.into(), *step_of.get(&map(square))?))).collect();
        images.is_some_and(|images| {
            let is_same = |turn: &dyn Fn(&(u64, u64)) -> u64| images.iter().all(|pair| turn(pair) == turn(&images[0]));
            is_same(&|(step, image)| (image + count - step) % count) || is_same(&|(step, image)| (image + step) % count)
        })
    }
}
