//! [`Run`]: one walk by the rule.

use super::degrees::{Degrees, EDGE, ONE, SLICE, UNVISITED, has_all_moves, lower};
use super::orderings::Orderings;
use super::tied::{Sorted, Tied};
use crate::board::square::Square;
use crate::board::{Bitboard, Board};
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Limit, Misuse, Named, Pause, Progress, Task};

/// Which of several squares with equally few onward moves to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The one with the smallest number: topmost, then leftmost.
    First,
    /// Each as likely as the others.
    Random,
    /// The one farthest from the centre of the board; among those, the one with the smallest number.
    Outward,
    /// The one with the smallest sum of onward moves one step further; among those, at random
    /// (I. Pohl, "A method for finding Hamilton paths and knight's tours", 1967).
    Pohl,
    /// By the orderings of D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours
    /// on square boards" (1996): square boards of side 5 or more, from a corner. Every side from 5 to
    /// 1000 succeeds but 74.
    Squirrel,
}

impl Ties {
    /// All of them.
    pub const ALL: [Ties; 5] = [Ties::First, Ties::Random, Ties::Outward, Ties::Pohl, Ties::Squirrel];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ties::First => "first",
            Ties::Random => "random",
            Ties::Outward => "outward",
            Ties::Pohl => "pohl",
            Ties::Squirrel => "squirrel",
        }
    }

    /// The rule as a sentence names it.
    pub(crate) const fn named(self) -> Named {
        Named::With("ties", self.name())
    }

    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Ties> {
        Ties::ALL.into_iter().find(|ties| ties.name() == name)
    }
}

/// One run of the rule, step by step.
///
/// ```
/// use knightstour::engines::warnsdorff::{Run, Ties};
/// use knightstour::{Board, Budget, Task};
/// let mut run = Run::new(&Board::new(8, 8)?, Some(0), Ties::Squirrel, 0)?;
/// run.advance(&Budget::unlimited()).unwrap();
/// assert!(run.is_complete());
/// assert_eq!(run.squares()[..3], [0, 10, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    walk: Walk,
    degrees: Degrees,
}

impl Run {
    /// A run from `start`, or from a square drawn from the seed (for [`Ties::Squirrel`]: from the top
    /// left corner). It is the same run as trial 0 of [`Trials`](super::Trials) with the same seed.
    ///
    /// Nothing is allocated yet. The first call of [`Run::advance`] takes [`Run::bytes`].
    pub fn new(board: &Board, start: Option<u32>, ties: Ties, seed: u64) -> Result<Run, Misuse> {
        let mut walk = Walk::new(board, start, ties)?;
        walk.begin(seed, 0);
        Ok(Run { walk, degrees: Degrees::default() })
    }

    /// Bytes of memory that a run on this board takes.
    #[must_use]
    pub fn bytes(board: &Board) -> u64 {
        board.squares() + 4 * board.len() as u64
    }

    /// The squares visited so far.
    #[must_use]
    pub fn squares(&self) -> &[u32] {
        &self.walk.squares
    }

    /// The squares visited, without a copy.
    #[must_use]
    pub fn into_squares(self) -> Vec<u32> {
        self.walk.squares
    }

    /// Whether no unvisited square is in reach, or none is left.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.walk.ended
    }

    /// Whether every open square was visited.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.walk.is_complete()
    }
}

impl Task for Run {
    type Answer = ();

    /// Goes on to the end of the run, or until the budget pauses it; then call again. A node is a step.
    fn advance(&mut self, budget: &Budget) -> Result<(), Halt> {
        if self.walk.squares.capacity() == 0 {
            budget.check_memory(Run::bytes(&self.walk.board))?;
            self.walk.reserve()?;
        }
        if self.walk.board.table().is_none() {
            self.degrees.fill(&self.walk.board, budget)?;
        }
        while !self.walk.ended {
            let granted = budget.take(SLICE)?;
            let mut steps = granted;
            self.walk.advance(&mut self.degrees.bytes, &mut steps);
            budget.give_back(steps);
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        let (done, total) = (self.walk.squares.len() as u64, Some(self.walk.board.len() as u64));
        Progress { done, total, message: "walking: squares visited".to_owned() }
    }

    fn squares(&self) -> usize {
        self.walk.board.len()
    }
}

/// The walker: where it is and how it chooses. The onward moves are lent to it.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) board: Board,
    start: Option<u32>,
    ties: Ties,
    /// Of this run alone: as run 0 of this seed it is the same.
    seed: u64,
    rng: Rng,
    pub(super) orderings: Option<Orderings>,
    offsets: [u32; 8],
    /// Where the board fits one word.
    pub(super) unvisited: Bitboard,
    pub(super) squares: Vec<u32>,
    pub(super) ended: bool,
}

/// How far in numbers each of the eight moves takes a leaper from the squares where it has all eight.
fn offsets(board: &Board) -> [u32; 8] {
    let reach = board.leaper().b;
    let mut offsets = [0; 8];
    if has_all_moves(board, Square::new(reach, reach)) {
        let from = Square::new(reach, reach).number(board.cols());
        for (offset, &to) in offsets.iter_mut().zip(board.grid().targets(from).as_slice()) {
            *offset = to.wrapping_sub(from);
        }
    }
    offsets
}

impl Walk {
    pub(super) fn new(board: &Board, start: Option<u32>, ties: Ties) -> Result<Walk, Misuse> {
        if let Some(start) = start
            && !board.is_open(start)
        {
            let on_board = u64::from(start) < board.squares();
            return Err(Misuse::Square {
                role: "start",
                square: if on_board { board.name(start) } else { format!("square number {start}") },
                why: if on_board { "blocked on" } else { "not on" },
                board: board.describe(),
            });
        }
        let orderings = match ties {
            Ties::Squirrel => Some(Orderings::new(board, start)?),
            _ => None,
        };
        Ok(Walk {
            board: board.clone(),
            start,
            ties,
            seed: 0,
            rng: Rng::seeded(0),
            orderings,
            offsets: offsets(board),
            unvisited: Bitboard::EMPTY,
            squares: Vec::new(),
            ended: false,
        })
    }

    pub(super) fn reserve(&mut self) -> Result<(), Pause> {
        self.squares.try_reserve_exact(self.board.len()).map_err(|_| Pause::Limit(Limit::Memory))
    }

    /// Back to the start, as run number `trial`.
    pub(super) fn begin(&mut self, seed: u64, trial: u64) {
        self.squares.clear();
        self.ended = false;
        self.seed = Rng::seed_of_stream(seed, trial);
        self.rng = Rng::stream(self.seed, 0);
        if let Some(orderings) = &mut self.orderings {
            orderings.stage = 0;
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.squares.len() == self.board.len()
    }

    pub(super) fn first_square(&self) -> u32 {
        match self.first_open() {
            Ok(square) => square,
            Err(nth) if self.board.is_rectangle() => nth as u32,
            Err(nth) => self.board.open_squares().nth(nth).unwrap_or(0),
        }
    }

    /// Where the run starts: a square, or which of the open ones in reading order. That is drawn from a stream of its
    /// own, so that a run which is told to start there goes on alike.
    pub(super) fn first_open(&self) -> Result<u32, usize> {
        match (self.start, &self.orderings) {
            (Some(start), _) => Ok(start),
            (None, Some(_)) => Ok(0),
            (None, None) => Err(Rng::stream(self.seed, u64::MAX).below(self.board.len() as u64) as usize),
        }
    }

    /// Takes up to this many steps, counting them down.
    pub(super) fn advance(&mut self, degrees: &mut [u8], steps: &mut u64) {
        if self.ended || *steps == 0 {
            return;
        }
        if self.board.table().is_some() {
            return self.advance_word(steps);
        }
        self.advance_bytes(degrees, steps);
    }

    pub(super) fn advance_bytes(&mut self, degrees: &mut [u8], steps: &mut u64) {
        let mut here = match self.squares.last() {
            Some(&last) => last,
            None => {
                let first = self.first_square();
                self.squares.push(first);
                degrees[first as usize] &= !UNVISITED;
                *steps -= 1;
                first
            }
        };
        let offsets = self.offsets;
        while *steps > 0 {
            // The last square's neighbours still count it: lower them, and sort them by what is left.
            let (mut targets, mut count) = ([0; 8], 8);
            if degrees[here as usize] & EDGE == 0 {
                targets = offsets.map(|offset| here.wrapping_add(offset));
            } else {
                let reached = self.board.moves(here);
                count = reached.as_slice().len();
                targets[..count].copy_from_slice(reached.as_slice());
            }
            let mut sorted = Sorted::default();
            // Eight rounds with a way out: unrolled, and not turned into slower vector shifts.
            for (place, &target) in targets.iter().enumerate() {
                if place == count {
                    break;
                }
                sorted.add(place, lower(&mut degrees[target as usize]));
            }
            let Some(tied) = sorted.least() else {
                self.ended = true;
                return;
            };
            here = targets[self.choose(here, &targets, tied, |board, target| sum_of_onward(board, target, degrees))];
            degrees[here as usize] &= !UNVISITED;
            self.squares.push(here);
            *steps -= 1;
            if let Some(orderings) = &mut self.orderings {
                orderings.reach(self.board.square(here));
            }
        }
        // The run may have ended with the last step allowed; the next call finds out.
        if self.is_complete() {
            self.ended = true;
        }
    }

    /// Breaks a tie.
    #[inline]
    pub(super) fn choose(
        &mut self,
        here: u32,
        targets: &[u32; 8],
        tied: Tied,
        sum_of_onward: impl Fn(&Board, u32) -> u32,
    ) -> usize {
        match self.ties {
            Ties::First => tied.nth(0),
            Ties::Random => tied.nth(self.rng.below(tied.count()) as usize),
            _ if tied.count() == 1 => tied.nth(0),
            // The first of those at the greatest distance.
            Ties::Outward => tied.iter().min_by_key(|&i| u64::MAX - from_centre(&self.board, targets[i])).unwrap_or(0),
            Ties::Squirrel => {
                let Some(orderings) = &self.orderings else { return tied.nth(0) };
                let from = self.board.square(here);
                tied.iter().min_by_key(|&i| orderings.rank(from, self.board.square(targets[i]))).unwrap_or(0)
            }
            Ties::Pohl => {
                let (mut least, mut best) = (u32::MAX, Tied::default());
                for i in tied.iter() {
                    let sum = sum_of_onward(&self.board, targets[i]);
                    if sum < least {
                        (least, best) = (sum, Tied::default());
                    }
                    if sum == least {
                        best.add(i);
                    }
                }
                best.nth(self.rng.below(best.count()) as usize)
            }
        }
    }
}

/// The sum of the onward moves of a square's unvisited neighbours.
fn sum_of_onward(board: &Board, square: u32, degrees: &[u8]) -> u32 {
    let onward = board.moves(square);
    let degrees = onward.as_slice().iter().map(|&to| degrees[to as usize]);
    degrees.filter(|d| d & UNVISITED != 0).map(|d| u32::from(d / ONE)).sum()
}

/// Four times the square of the distance from the centre of the board.
fn from_centre(board: &Board, number: u32) -> u64 {
    let Square { row, col } = board.square(number);
    let off = |at: u32, side: u32| (2 * i64::from(at) + 1 - i64::from(side)).unsigned_abs();
    let (down, right) = (off(row, board.rows()), off(col, board.cols()));
    // Both are below 2^31, or one of them is below 2^32 and the other 0.
    down * down + right * right
}
