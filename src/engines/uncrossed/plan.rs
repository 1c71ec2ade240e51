//! [`Plan`]: the moves of a board on their way across the frontier, and which of them cross.

use std::collections::HashMap;
use std::ops::{BitAnd, BitOr, BitXor};

use super::lines::{Line, Point, cross};
use crate::board::Board;
use crate::board::square::Square;

/// A set of moves on the frontier, and above them the number of ends of the path met so far.
pub(super) trait Word:
    Copy + Eq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// Slots for moves.
    const SLOTS: u32;
    /// No set: it has more ends than a path.
    const NONE: Self;
    fn from_wide(set: u128) -> Self;
    fn count(self) -> u32;
    fn hash(self) -> u64;
    /// The set of the moves alone.
    fn moves(self) -> Self;
    fn ends(self) -> u32;
    /// These moves with this many ends, at most two.
    fn with_ends(self, ends: u32) -> Self;
}

macro_rules! word {
    ($word:ty, $fold:expr) => {
        impl Word for $word {
            const SLOTS: u32 = <$word>::BITS - 2;
            const NONE: $word = <$word>::MAX;

            fn from_wide(set: u128) -> $word {
                set as $word
            }
            fn count(self) -> u32 {
                self.count_ones()
            }
            fn hash(self) -> u64 {
                let folded: u64 = $fold(self);
                let product = u128::from(folded ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xA076_1D64_78BD_642F);
                (product >> 64) as u64 ^ product as u64
            }
            fn moves(self) -> $word {
                self & (<$word>::MAX >> 2)
            }
            fn ends(self) -> u32 {
                (self >> Self::SLOTS) as u32
            }
            fn with_ends(self, ends: u32) -> $word {
                self.moves() | (<$word>::from(ends) << Self::SLOTS)
            }
        }
    };
}

word!(u64, |word: u64| word);
word!(u128, |word: u128| (word as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ (word >> 64) as u64);

/// The squares in the order in which they are swept over, and their moves.
#[derive(Debug)]
pub(super) struct Plan {
    pub closed: bool,
    pub squares: Vec<u32>,
    /// Where they lie: along the sweep, and across it.
    pub points: Vec<Point>,
    /// (earlier, later) square of each move.
    pub moves: Vec<(u32, u32)>,
    /// The bit of each move on the frontier.
    slots: Vec<u8>,
    /// Where a half turn takes these bits; empty if the board has none.
    turned: Vec<u8>,
    /// How far a move goes along the sweep.
    pub reach: i64,
    /// Bits that are needed.
    pub width: u32,
    /// What happens at each square, swept over forwards, and backwards.
    pub steps: [Vec<Step>; 2],
}

/// What happens at a square.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The moves on the frontier that end here.
    pub comes: u128,
    /// The moves that go on from here, from left to right.
    pub goes: Vec<Going>,
}

/// A move that a square can put on the frontier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Going {
    pub index: u32,
    pub bit: u128,
    /// Those on the frontier that it crosses.
    pub crosses: u128,
    /// Those on the frontier that go to the same square.
    pub meets: u128,
}

impl Plan {
    /// `None` if the frontier is too wide.
    pub fn new(board: &Board, closed: bool) -> Option<Plan> {
        // Along the longer side.
        let point = |square: u32| {
            let Square { row, col } = board.square(square);
            let (row, col) = (i64::from(row), i64::from(col));
            if board.cols() > board.rows() { (col, row) } else { (row, col) }
        };
        let mut squares: Vec<u32> = board.open_squares().collect();
        squares.sort_by_key(|&square| point(square));
        let points: Vec<Point> = squares.iter().map(|&square| point(square)).collect();
        let vertex: HashMap<u32, u32> = squares.iter().copied().zip(0..).collect();
        let mut moves: Vec<(u32, u32)> = Vec::new();
        for (v, &square) in (0..).zip(&squares) {
            let targets = board.moves(square);
            let later = targets.as_slice().iter().filter_map(|to| vertex.get(to).copied()).filter(|&w| w > v);
            let first = moves.len();
            moves.extend(later.map(|w| (v, w)));
            let ahead = |&(_, w): &(u32, u32)| {
                let (from, to) = (points[v as usize], points[w as usize]);
                (to.0 - from.0, to.1 - from.1)
            };
            // From left to right: those along the frontier go farthest to the right.
            moves[first..].sort_by(|a, b| (ahead(a).1 * ahead(b).0).cmp(&(ahead(b).1 * ahead(a).0)));
        }
        let slots = slots(&moves, squares.len())?;
        let width = slots.iter().max().map_or(0, |&slot| u32::from(slot) + 1);
        let reach = i64::from(board.leaper().a.max(board.leaper().b));
        let steps = Default::default();
        let mut plan = Plan { closed, squares, points, moves, slots, turned: Vec::new(), reach, width, steps };
        plan.steps = plan.plan_steps();
        plan.turned = plan.turned();
        Some(plan)
    }

    fn plan_steps(&self) -> [Vec<Step>; 2] {
        let mut steps = [vec![Step::default(); self.squares.len()], vec![Step::default(); self.squares.len()]];
        // The moves that may be on the frontier before a square is swept over.
        let mut frontier: Vec<usize> = Vec::new();
        let mut next = 0;
        for v in 0..self.squares.len() as u32 {
            let begins = next;
            while next < self.moves.len() && self.moves[next].0 == v {
                next += 1;
            }
            let (ending, staying): (Vec<usize>, Vec<usize>) =
                frontier.iter().partition(|&&index| self.moves[index].1 == v);
            let beginning: Vec<usize> = (begins..next).collect();
            // Forwards it goes from the moves that end here to those that begin here; backwards the other way round.
            for (way, from, to) in [(0, &ending, &beginning), (1, &beginning, &ending)] {
                let going = |&index: &usize| self.going(index, way, &staying);
                let goes: Vec<Going> = to.iter().map(going).collect();
                steps[way][v as usize] = Step { comes: self.set(from), goes };
            }
            frontier = staying;
            frontier.extend(beginning);
        }
        steps
    }

    fn going(&self, index: usize, way: usize, staying: &[usize]) -> Going {
        let target = |index: usize| if way == 0 { self.moves[index].1 } else { self.moves[index].0 };
        let crossing = |&&other: &&usize| cross(self.line(index), self.line(other));
        let meeting = |&&other: &&usize| target(other) == target(index);
        Going {
            index: index as u32,
            bit: self.bit(index),
            crosses: staying.iter().filter(crossing).fold(0, |set, &other| set | self.bit(other)),
            meets: staying.iter().filter(meeting).fold(0, |set, &other| set | self.bit(other)),
        }
    }

    pub fn line(&self, index: usize) -> Line {
        let (u, v) = self.moves[index];
        [self.points[u as usize], self.points[v as usize]]
    }

    pub fn bit(&self, index: usize) -> u128 {
        1 << self.slots[index]
    }

    pub fn set(&self, moves: &[usize]) -> u128 {
        moves.iter().fold(0, |set, &index| set | self.bit(index))
    }

    /// The most moves that there could be.
    pub fn most(&self) -> u32 {
        let count = self.squares.len() as u32;
        if self.closed { count } else { count.saturating_sub(1) }
    }

    /// Whether a half turn maps the board to itself.
    pub fn turns(&self) -> bool {
        !self.turned.is_empty()
    }

    fn turned(&self) -> Vec<u8> {
        let ends = self.points.iter().zip(self.points.iter().rev());
        let mut sums = ends.map(|(a, b)| (a.0 + b.0, a.1 + b.1));
        let first = sums.next();
        if !sums.all(|sum| Some(sum) == first) {
            return Vec::new();
        }
        let last = self.squares.len() as u32 - 1;
        let slots: HashMap<(u32, u32), u8> = self.moves.iter().copied().zip(self.slots.iter().copied()).collect();
        self.moves.iter().filter_map(|&(u, v)| slots.get(&(last - v, last - u)).copied()).collect()
    }

    /// Bits on the frontier before a square, and where a half turn takes them.
    pub fn half_turn(&self, cut: usize) -> Vec<[u128; 2]> {
        let Some(point) = self.points.get(cut) else { return Vec::new() };
        let first = self.points.partition_point(|other| other.0 + self.reach < point.0);
        let [from, to] = [first, cut].map(|v| self.moves.partition_point(|&(u, _)| (u as usize) < v));
        let across = (from..to).filter(|&index| self.moves[index].1 as usize >= cut);
        across.map(|index| [self.bit(index), 1 << self.turned[index]]).collect()
    }

    /// The squares of a path or circuit in order.
    pub fn in_order(&self, moves: &[u32]) -> Vec<u32> {
        let mut near: HashMap<u32, Vec<u32>> = HashMap::new();
        for &index in moves {
            let (u, v) = self.moves[index as usize];
            near.entry(u).or_default().push(v);
            near.entry(v).or_default().push(u);
        }
        let start = if self.closed {
            near.keys().copied().min()
        } else {
            near.iter().filter(|(_, to)| to.len() == 1).map(|(&v, _)| v).min()
        };
        let Some(start) = start else {
            // Without a move a path is a square, and there is no circuit.
            return if self.closed { Vec::new() } else { self.squares.first().copied().into_iter().collect() };
        };
        let (mut path, mut before, mut at) = (vec![start], None, start);
        while let Some(&next) =
            near[&at].iter().filter(|&&to| Some(to) != before && (path.len() < 2 || to != start)).min()
        {
            path.push(next);
            (before, at) = (Some(at), next);
        }
        path.into_iter().map(|v| self.squares[v as usize]).collect()
    }
}

/// A bit for each move, from its earlier square to its later one. `None` if they are too many.
fn slots(moves: &[(u32, u32)], squares: usize) -> Option<Vec<u8>> {
    let mut ends = vec![Vec::new(); squares];
    for (index, &(_, v)) in moves.iter().enumerate() {
        ends[v as usize].push(index);
    }
    let mut free: Vec<u8> = (0..u128::SLOTS as u8).rev().collect();
    let mut slots = vec![0; moves.len()];
    let mut next = 0;
    for (v, ending) in ends.iter().enumerate() {
        // Those that begin here are told apart from those that end here, whichever way it goes.
        while next < moves.len() && moves[next].0 as usize == v {
            slots[next] = free.pop()?;
            next += 1;
        }
        free.extend(ending.iter().map(|&index| slots[index]));
    }
    Some(slots)
}
