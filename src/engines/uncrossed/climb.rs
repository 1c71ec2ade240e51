//! [`Climb`]: a path or circuit that is made longer and longer, without proof.
//!
//! A stretch of a few moves is taken out, chosen by chance, and another is looked for in its place by a short search: a
//! longer one, one as long, now and then one that is shorter. An end of a path grows the same way, or moves on as in
//! [`crate::engines::rotation`]: it is joined to a square of the path, and the move behind that square goes. What is longest of all is
//! kept. A climb begins with the longest of some paths that go on by chance until they cannot.
//!
//! For each move it is counted how many moves of the path cross it; so whether a move may be taken is seen at once.
//!
//! The run depends on the board and the nodes alone. A node is a move tried, some 50 nanoseconds.

use super::lines::cross;
use super::plan::Plan;
use crate::run::rng::Rng;
use crate::run::{Budget, Pause};

/// Nodes of one change, at most.
const MOST: u64 = 256;

/// Nodes of a beginning, at most.
const BEGINNING: u64 = 1 << 13;

/// Nodes without a longer path after which the climb begins anew from a square, and this many times the squares.
const PATIENCE: u64 = 1 << 20;

/// Paths that go on by chance, of which the longest is the first.
const WALKS: usize = 64;

/// Moves taken out at once, at most.
const STRETCH: u64 = 12;

#[derive(Debug)]
pub(super) struct Climb {
    rng: Rng,
    /// The moves of each square: the other square, and the move.
    near: Vec<Vec<(u32, u32)>>,
    /// The moves that cross each move, where they were asked for.
    crossing: Vec<Option<Box<[u32]>>>,
    /// How many moves of the path cross each move.
    crossed: Vec<u16>,
    used: Vec<bool>,
    /// The squares in order, and the move from each to the next. A circuit has as many moves as squares.
    path: Vec<u32>,
    moves: Vec<u32>,
    best: Vec<u32>,
    /// Of this climb the longest, and when it was found.
    top: usize,
    top_at: u64,
    nodes: u64,
    /// When the longest of all was found.
    best_at: u64,
    stack: Vec<Look>,
}

/// A square of a short search, and which of its moves have been tried.
#[derive(Clone, Copy, Debug)]
struct Look {
    square: u32,
    /// The move that leads here.
    by: u32,
    /// The first of its moves that is tried, and how many were.
    first: u32,
    tried: u32,
}

const NONE: u32 = u32::MAX;

impl Climb {
    pub fn new(plan: &Plan) -> Climb {
        let mut near = vec![Vec::new(); plan.squares.len()];
        for (&(u, v), index) in plan.moves.iter().zip(0..) {
            near[u as usize].push((v, index));
            near[v as usize].push((u, index));
        }
        Climb {
            rng: Rng::seeded(0),
            crossing: vec![None; plan.moves.len()],
            crossed: vec![0; plan.moves.len()],
            used: vec![false; near.len()],
            near,
            path: Vec::new(),
            moves: Vec::new(),
            best: Vec::new(),
            top: 0,
            top_at: 0,
            nodes: 0,
            best_at: 0,
            stack: Vec::new(),
        }
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The moves of the longest path so far.
    pub fn best(&self) -> &[u32] {
        &self.best
    }

    /// Nodes since the longest was found.
    pub fn idle(&self) -> u64 {
        self.nodes.saturating_sub(self.best_at)
    }

    /// Goes on until this many nodes are done, or a path has this many moves.
    pub fn advance(&mut self, plan: &Plan, budget: &Budget, upto: u64, enough: u32) -> Result<(), Pause> {
        while self.nodes < upto && (self.best.len() as u32) < enough {
            let granted = budget.take(if self.is_new() { BEGINNING } else { MOST })?;
            let before = self.nodes;
            // A change that was begun is ended, and may look at some moves more than were granted.
            let spent = self.change(plan, granted).min(granted);
            self.nodes = before + spent;
            budget.give_back(granted - spent);
        }
        Ok(())
    }

    /// Some moves that no budget was asked for.
    pub fn hurry(&mut self, plan: &Plan) {
        self.change(plan, BEGINNING);
    }

    /// Whether a path is to be begun.
    fn is_new(&self) -> bool {
        self.path.is_empty() || self.nodes.saturating_sub(self.top_at) > PATIENCE + 64 * self.near.len() as u64
    }

    /// One change that takes this many nodes at most; how many it took, at least one.
    fn change(&mut self, plan: &Plan, most: u64) -> u64 {
        let before = self.nodes;
        self.nodes += 1;
        let most = before + most;
        if self.is_new() {
            self.begin(plan, most);
            self.measure();
            return self.nodes - before;
        }
        if plan.closed || self.moves.len() > 2 && self.rng.below(4) > 0 {
            self.replace(plan, most);
        } else if self.rng.below(4) == 0 {
            self.rotate(plan);
        } else {
            self.regrow(plan, most);
        }
        self.measure();
        self.nodes - before
    }

    /// Keeps the path if it is the longest.
    fn measure(&mut self) {
        if self.moves.len() > self.top {
            (self.top, self.top_at) = (self.moves.len(), self.nodes);
        }
        if self.top > self.best.len() {
            (self.best, self.best_at) = (self.moves.clone(), self.nodes);
        }
    }

    /// The longest of some paths that go on by chance, or of the circuits that they close; a square if there is none. This many
    /// nodes at most are spent.
    fn begin(&mut self, plan: &Plan, most: u64) {
        let (mut squares, mut moves) = (Vec::new(), Vec::new());
        for _ in 0..WALKS {
            if self.nodes >= most && !moves.is_empty() {
                break;
            }
            self.clear(plan);
            let square = self.rng.below(self.near.len() as u64) as u32;
            self.add(plan, square, None);
            while let Some((to, index)) = self.onward(most) {
                self.add(plan, to, Some(index));
                if plan.closed
                    && self.moves.len() > moves.len()
                    && let Some((at, index)) = self.closing(to)
                    && self.path.len() - at > moves.len()
                {
                    squares = self.path[at..].to_vec();
                    moves = self.moves[at..].to_vec();
                    moves.push(index);
                }
            }
            if !plan.closed && self.moves.len() >= moves.len() {
                (squares, moves) = (self.path.clone(), self.moves.clone());
            }
        }
        self.clear(plan);
        if squares.is_empty() {
            squares.push(self.rng.below(self.near.len() as u64) as u32);
        }
        for &square in &squares {
            self.used[square as usize] = true;
        }
        for &index in &moves {
            self.count(plan, index, true);
        }
        (self.path, self.moves) = (squares, moves);
        (self.top, self.top_at) = (self.moves.len(), self.nodes);
    }

    fn clear(&mut self, plan: &Plan) {
        for index in std::mem::take(&mut self.moves) {
            self.count(plan, index, false);
        }
        for square in std::mem::take(&mut self.path) {
            self.used[square as usize] = false;
        }
    }

    /// Makes the path longer by a square, and the move that leads there.
    fn add(&mut self, plan: &Plan, square: u32, by: Option<u32>) {
        if let Some(index) = by {
            self.count(plan, index, true);
            self.moves.push(index);
        }
        self.used[square as usize] = true;
        self.path.push(square);
    }

    /// Where a path may go on, by chance: from its other end if it has to.
    fn onward(&mut self, most: u64) -> Option<(u32, u32)> {
        for _ in 0..2 {
            let end = *self.path.last()?;
            let near = &self.near[end as usize];
            let first = self.rng.below(near.len().max(1) as u64) as usize;
            for &(to, index) in near[first..].iter().chain(&near[..first]) {
                self.nodes += 1;
                if self.nodes < most && self.crossed[index as usize] == 0 && !self.used[to as usize] {
                    return Some((to, index));
                }
            }
            self.path.reverse();
            self.moves.reverse();
        }
        None
    }

    /// The first square of the path to which a move leads back from its end, which makes a circuit; and the move.
    fn closing(&self, end: u32) -> Option<(usize, u32)> {
        let near = self.near[end as usize].iter();
        let clear = near.filter(|&&(_, index)| self.crossed[index as usize] == 0 && self.moves.last() != Some(&index));
        let places = clear.filter_map(|&(to, index)| Some((self.path.iter().position(|&square| square == to)?, index)));
        places.min()
    }

    /// Counts the crossings of a move that comes to the path or leaves it.
    fn count(&mut self, plan: &Plan, index: u32, is_new: bool) {
        let crossing = self.crossing[index as usize].get_or_insert_with(|| plan.crossing(index as usize));
        for &other in crossing.iter() {
            let crossed = &mut self.crossed[other as usize];
            *crossed = if is_new { *crossed + 1 } else { *crossed - 1 };
        }
    }

    /// How many moves the new stretch is to have for a number of old ones.
    fn wanted(&mut self, old: usize) -> usize {
        match self.rng.below(64) {
            0 => old.saturating_sub(2),
            1 => old.saturating_sub(1),
            2..24 => old,
            24..40 => old + 1,
            _ => old + 2,
        }
    }

    /// Another stretch between two squares of the path.
    fn replace(&mut self, plan: &Plan, most: u64) {
        let count = self.moves.len();
        let mut long = 1 + self.rng.below(STRETCH.min(count.max(1) as u64)) as usize;
        if plan.closed {
            if count == 0 {
                // The first circuit: from a square back to it.
                long = 0;
                self.clear(plan);
                let square = self.rng.below(self.near.len() as u64) as u32;
                self.add(plan, square, None);
            } else {
                let turn = self.rng.below(count as u64) as usize;
                self.path.rotate_left(turn);
                self.moves.rotate_left(turn);
                long = long.min(count - 1);
            }
        }
        let at = if plan.closed { 0 } else { self.rng.below((count - long + 1) as u64) as usize };
        let (from, to) = (self.path[at], self.path[if plan.closed && count == 0 { at } else { at + long }]);
        let wanted = if count == 0 { 4 + self.rng.below(5) as usize } else { self.wanted(long) };
        // A circuit does not go back by the move that it came by.
        if !plan.closed || wanted + count - long > 2 {
            self.exchange(plan, at, long, from, Some(to), wanted, most);
        }
    }

    /// Another end of the path.
    fn regrow(&mut self, plan: &Plan, most: u64) {
        if self.rng.below(2) == 0 {
            self.path.reverse();
            self.moves.reverse();
        }
        let long = self.rng.below(STRETCH.min(self.moves.len() as u64 + 1)) as usize;
        let at = self.moves.len() - long;
        let wanted = self.wanted(long).max(1);
        self.exchange(plan, at, long, self.path[at], None, wanted, most);
    }

    /// Takes `long` moves out from place `at`, and puts `wanted` others in, from one square to another or, without one, to
    /// any; the old ones if there are none.
    #[expect(clippy::too_many_arguments, reason = "a stretch, and what takes its place")]
    fn exchange(&mut self, plan: &Plan, at: usize, long: usize, from: u32, to: Option<u32>, wanted: usize, most: u64) {
        let old_moves: Vec<u32> = self.moves[at..at + long].to_vec();
        let inner = if to.is_some() { long.saturating_sub(1) } else { long };
        let old_squares: Vec<u32> = self.path[at + 1..at + 1 + inner].to_vec();
        for &index in &old_moves {
            self.count(plan, index, false);
        }
        for &square in &old_squares {
            self.used[square as usize] = false;
        }
        if self.find(plan, from, to, wanted, most) {
            let inner = if to.is_some() { wanted - 1 } else { wanted };
            let squares: Vec<u32> = self.stack[1..=inner].iter().map(|look| look.square).collect();
            let moves: Vec<u32> = self.stack[1..].iter().map(|look| look.by).collect();
            self.path.splice(at + 1..at + 1 + old_squares.len(), squares);
            self.moves.splice(at..at + long, moves);
        } else {
            for &index in &old_moves {
                self.count(plan, index, true);
            }
            for &square in &old_squares {
                self.used[square as usize] = true;
            }
        }
    }

    /// Looks for this many moves from a square, to another if one is given, and leaves them on the stack.
    fn find(&mut self, plan: &Plan, from: u32, to: Option<u32>, wanted: usize, most: u64) -> bool {
        self.stack.clear();
        if wanted == 0 {
            return false;
        }
        self.push(from, NONE);
        while let Some(look) = self.stack.last_mut() {
            let Look { square, by, first, tried } = *look;
            let depth = self.stack.len();
            let near = &self.near[square as usize];
            if tried as usize == near.len() || self.nodes >= most {
                // Back.
                self.stack.pop();
                if by != NONE {
                    self.count(plan, by, false);
                    self.used[square as usize] = false;
                }
                continue;
            }
            let (next, index) = near[(first + tried) as usize % near.len()];
            self.stack[depth - 1].tried += 1;
            self.nodes += 1;
            let is_last = depth == wanted;
            let is_home = to == Some(next);
            let fits = if to.is_some() { is_home == is_last } else { true };
            // Two moves between the same squares are the same move.
            if !fits || index == by || self.crossed[index as usize] > 0 || self.used[next as usize] && !is_home {
                continue;
            }
            if let Some(to) = to
                && !plan.within(next, to, wanted - depth)
            {
                continue;
            }
            self.count(plan, index, true);
            self.push(next, index);
            if is_last {
                return true;
            }
        }
        false
    }

    fn push(&mut self, square: u32, by: u32) {
        let count = self.near[square as usize].len() as u64;
        let first = if count == 0 { 0 } else { self.rng.below(count) as u32 };
        self.used[square as usize] = true;
        self.stack.push(Look { square, by, first, tried: 0 });
    }

    /// The end of the path goes elsewhere, and its length stays.
    fn rotate(&mut self, plan: &Plan) {
        if self.rng.below(2) == 0 {
            self.path.reverse();
            self.moves.reverse();
        }
        let (Some(&end), Some(&last)) = (self.path.last(), self.moves.last()) else { return };
        let near = &self.near[end as usize];
        let (to, index) = near[self.rng.below(near.len() as u64) as usize];
        if index == last || self.crossed[index as usize] > 0 || !self.used[to as usize] {
            return;
        }
        let Some(at) = self.path.iter().position(|&square| square == to) else { return };
        let out = self.moves[at];
        self.nodes += self.path.len() as u64 / 64;
        self.count(plan, out, false);
        self.count(plan, index, true);
        // … to, next … end becomes … to, end … next.
        self.path[at + 1..].reverse();
        self.moves[at + 1..].reverse();
        self.moves[at] = index;
    }
}

impl Plan {
    /// The moves that cross a move.
    fn crossing(&self, index: usize) -> Box<[u32]> {
        let line = self.line(index);
        let reach = self.reach;
        let along = [line[0].0.min(line[1].0) - reach, line[0].0.max(line[1].0)];
        let across = [line[0].1.min(line[1].1) - reach, line[0].1.max(line[1].1) + reach];
        let mut crossing = Vec::new();
        // Each move is that of the earlier of its squares.
        for row in along[0]..=along[1] {
            let [from, to] =
                [(row, across[0]), (row, across[1] + 1)].map(|end| self.points.partition_point(|p| *p < end));
            let [from, to] = [from, to].map(|v| self.moves.partition_point(|&(u, _)| (u as usize) < v));
            let is_crossing = |&other: &usize| other != index && cross(line, self.line(other));
            crossing.extend((from..to).filter(is_crossing).map(|other| other as u32));
        }
        crossing.into()
    }

    /// Whether this many moves may be enough to come from one square to another.
    fn within(&self, from: u32, to: u32, moves: usize) -> bool {
        let (from, to) = (self.points[from as usize], self.points[to as usize]);
        let far = (from.0 - to.0).abs().max((from.1 - to.1).abs());
        far <= self.reach * moves as i64
    }
}
