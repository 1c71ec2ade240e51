//! Warnsdorff's rule: go on to the square with the fewest onward moves, and never take a move back.
//!
//! The rule is H. C. von Warnsdorff's (1823). It says nothing about squares that tie, and all depends
//! on them: [`Ties`] lists the ways to choose. A run keeps one byte a square, the number of its
//! unvisited neighbours, and lowers up to eight of them at each step; that beats counting onward
//! moves afresh from a bitmap of visited squares, which looks at 64 squares a step. A step away from
//! the edges costs eight loads at fixed distances and no division; only squares near an edge (or a
//! seam) go through [`Grid::targets`](crate::moves::Grid::targets).
//!
//! A neighbour without onward moves counts as having the fewest, so that a run may enter it and end
//! there. That is the rule as stated, and the published rates of success are those of this rule.
//!
//! Where the board fits one word, `word` counts onward moves from bitboards instead: nothing is set up.

mod word;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::budget::{Budget, Limit, Pause};
use crate::request::RequestError;
use crate::rng::Rng;
use crate::square::Square;

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

    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Ties> {
        Ties::ALL.into_iter().find(|ties| ties.name() == name)
    }
}

/// One run of the rule, step by step.
///
/// ```
/// use knightstour::warnsdorff::{Run, Ties};
/// use knightstour::{Board, Budget};
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
    /// left corner). It is the same run as trial 0 of [`Trials`] with the same seed.
    ///
    /// Nothing is allocated yet. The first call of [`Run::advance`] takes [`Run::bytes`].
    pub fn new(board: &Board, start: Option<u32>, ties: Ties, seed: u64) -> Result<Run, RequestError> {
        let mut walk = Walk::new(board, start, ties)?;
        walk.begin(seed, 0);
        Ok(Run { walk, degrees: Degrees::default() })
    }

    /// Bytes of memory that a run on this board takes.
    #[must_use]
    pub fn bytes(board: &Board) -> u64 {
        board.squares() + 4 * board.len() as u64
    }

    /// Goes on to the end of the run, or until the budget pauses it; then call again. A node is a step.
    pub fn advance(&mut self, budget: &Budget) -> Result<(), Pause> {
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

/// Many runs of one kind. Run number i draws from stream i of the seed, so that the outcome does not
/// depend on the threads that share the work.
#[derive(Clone, Debug)]
pub struct Trials {
    walk: Walk,
    trials: u64,
    seed: u64,
    threads: usize,
    /// The onward moves of the empty board, copied at the start of each run.
    fresh: Degrees,
    workers: Vec<Worker>,
    next: u64,
    lengths: Vec<u32>,
    completed: u64,
    done: u64,
}

/// What one thread has under way, on cache lines of its own.
#[repr(align(128))]
#[derive(Clone, Debug)]
struct Worker {
    walk: Walk,
    degrees: Vec<u8>,
    trial: Option<u64>,
    finished: Vec<(u64, u32)>,
}

impl Trials {
    /// `trials` runs on `threads` threads (at least one), each from `start` or from a square of its own.
    pub fn new(
        board: &Board,
        trials: u64,
        start: Option<u32>,
        ties: Ties,
        seed: u64,
        threads: usize,
    ) -> Result<Trials, RequestError> {
        let walk = Walk::new(board, start, ties)?;
        let threads = threads.clamp(1, 1024).min(usize::try_from(trials).unwrap_or(usize::MAX).max(1));
        Ok(Trials {
            walk,
            trials,
            seed,
            threads,
            fresh: Degrees::default(),
            workers: Vec::new(),
            next: 0,
            lengths: Vec::new(),
            completed: 0,
            done: 0,
        })
    }

    /// Bytes of memory that the trials take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let board = &self.walk.board;
        (Run::bytes(board) * self.threads as u64 + board.squares()).saturating_add(self.trials.saturating_mul(4))
    }

    /// Goes on until all runs have ended or the budget pauses; then call again. A node is a step.
    pub fn advance(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.workers.is_empty() {
            budget.check_memory(self.bytes())?;
            let trials = usize::try_from(self.trials).map_err(|_| Pause::Limit(Limit::Memory))?;
            // Zeros that the system hands out when they are first touched.
            self.lengths = vec![0; trials];
            for _ in 0..self.threads {
                let mut walk = self.walk.clone();
                walk.reserve()?;
                let is_word = self.walk.board.table().is_some();
                let degrees = bytes(if is_word { 0 } else { self.walk.board.squares() })?;
                self.workers.push(Worker { walk, degrees, trial: None, finished: Vec::new() });
            }
        }
        if self.walk.board.table().is_none() {
            self.fresh.fill(&self.walk.board, budget)?;
        }
        let next = AtomicU64::new(self.next);
        let (fresh, trials, seed) = (&self.fresh.bytes[..], self.trials, self.seed);
        let outcome = if let [worker] = &mut self.workers[..] {
            worker.work(fresh, seed, trials, &next, budget)
        } else {
            let next = &next;
            std::thread::scope(|scope| {
                let threads: Vec<_> = self
                    .workers
                    .iter_mut()
                    .map(|worker| scope.spawn(move || worker.work(fresh, seed, trials, next, budget)))
                    .collect();
                // Every thread is waited for. A limit outweighs the end of a slice.
                let mut outcome = Ok(());
                for thread in threads {
                    match (outcome, thread.join()) {
                        (_, Err(panic)) => std::panic::resume_unwind(panic),
                        (Ok(()) | Err(Pause::Slice), Ok(Err(pause))) => outcome = Err(pause),
                        _ => {}
                    }
                }
                outcome
            })
        };
        self.next = next.into_inner().min(self.trials);
        for worker in &mut self.workers {
            for (trial, length) in worker.finished.drain(..) {
                self.lengths[trial as usize] = length;
                self.completed += u64::from(length as usize == self.walk.board.len());
                self.done += 1;
            }
        }
        outcome
    }

    /// How many runs were asked for.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// How many runs have ended.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many runs visited every open square.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.completed
    }

    /// How many squares each run visited, by its number; 0 for those that have not ended yet.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Steps to ask the budget for at a time: a fraction of a millisecond.
const SLICE: u64 = 1 << 14;

impl Worker {
    fn work(&mut self, fresh: &[u8], seed: u64, trials: u64, next: &AtomicU64, budget: &Budget) -> Result<(), Pause> {
        loop {
            let mut steps = budget.take(SLICE)?;
            while steps > 0 {
                let trial = match self.trial {
                    Some(trial) => trial,
                    None => {
                        let trial = next.fetch_add(1, Ordering::Relaxed);
                        if trial >= trials {
                            budget.give_back(steps);
                            return Ok(());
                        }
                        self.degrees.copy_from_slice(fresh);
                        self.walk.begin(seed, trial);
                        self.trial = Some(trial);
                        trial
                    }
                };
                self.walk.advance(&mut self.degrees, &mut steps);
                if self.walk.ended {
                    self.finished.push((trial, self.walk.squares.len() as u32));
                    self.trial = None;
                }
            }
        }
    }
}

/// The byte of a square: eight times the number of its unvisited neighbours (at most 8 of them),
const ONE: u8 = 8;
/// whether it is neither visited nor blocked,
const UNVISITED: u8 = 1;
/// and whether some of the moves from it go over an edge or the leaper has fewer than eight.
const EDGE: u8 = 2;

/// How many unvisited neighbours each square has, and two marks.
#[derive(Clone, Debug, Default)]
struct Degrees {
    bytes: Vec<u8>,
}

impl Degrees {
    /// Fills in the empty board, row by row; a paused call goes on with the next row.
    fn fill(&mut self, board: &Board, budget: &Budget) -> Result<(), Pause> {
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

fn bytes(count: u64) -> Result<Vec<u8>, Pause> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count as usize).map_err(|_| Pause::Limit(Limit::Memory))?;
    bytes.resize(count as usize, 0);
    Ok(bytes)
}

/// The walker: where it is and how it chooses. The onward moves are lent to it.
#[derive(Clone, Debug)]
struct Walk {
    board: Board,
    start: Option<u32>,
    ties: Ties,
    rng: Rng,
    orderings: Option<Orderings>,
    offsets: [u32; 8],
    /// Where the board fits one word.
    unvisited: Bitboard,
    squares: Vec<u32>,
    ended: bool,
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

/// Whether the leaper has eight moves (blocked ones included) and none of them goes over an edge.
fn has_all_moves(board: &Board, square: Square) -> bool {
    let reach = u64::from(board.leaper().b);
    let inside = |at: u32, side: u32| u64::from(at) >= reach && u64::from(at) + reach < u64::from(side);
    let eight = board.leaper().a != 0 && board.leaper().a != board.leaper().b;
    eight && inside(square.row, board.rows()) && inside(square.col, board.cols())
}

impl Walk {
    fn new(board: &Board, start: Option<u32>, ties: Ties) -> Result<Walk, RequestError> {
        if let Some(start) = start
            && !board.is_open(start)
        {
            let on_board = u64::from(start) < board.squares();
            return Err(RequestError::Square {
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
            rng: Rng::seeded(0),
            orderings,
            offsets: offsets(board),
            unvisited: Bitboard::EMPTY,
            squares: Vec::new(),
            ended: false,
        })
    }

    fn reserve(&mut self) -> Result<(), Pause> {
        self.squares.try_reserve_exact(self.board.len()).map_err(|_| Pause::Limit(Limit::Memory))
    }

    /// Back to the start, as run number `trial`.
    fn begin(&mut self, seed: u64, trial: u64) {
        self.squares.clear();
        self.ended = false;
        self.rng = Rng::stream(seed, trial);
        if let Some(orderings) = &mut self.orderings {
            orderings.stage = 0;
        }
    }

    fn is_complete(&self) -> bool {
        self.squares.len() == self.board.len()
    }

    fn first_square(&mut self) -> u32 {
        match (self.start, &self.orderings) {
            (Some(start), _) => start,
            (None, Some(_)) => 0,
            (None, None) => {
                let nth = self.rng.below(self.board.len() as u64);
                match self.board.is_rectangle() {
                    true => nth as u32,
                    false => self.board.open_squares().nth(nth as usize).unwrap_or(0),
                }
            }
        }
    }

    /// Takes up to so many steps, counting them down.
    fn advance(&mut self, degrees: &mut [u8], steps: &mut u64) {
        if self.ended || *steps == 0 {
            return;
        }
        if self.board.table().is_some() {
            return self.advance_word(steps);
        }
        self.advance_bytes(degrees, steps);
    }

    fn advance_bytes(&mut self, degrees: &mut [u8], steps: &mut u64) {
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
    fn choose(
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

/// Takes one off the onward moves of a square, visited or not, and returns its byte.
#[inline]
fn lower(degree: &mut u8) -> u8 {
    // All neighbours of a square are visited once, so this never passes zero.
    *degree = degree.wrapping_sub(ONE);
    *degree
}

/// Up to eight targets sorted by their onward moves, of which each has at most seven, since it was
/// just reached from a visited square: a byte for each number, with a bit for each target. Nothing
/// here branches on the numbers, which are not to be foretold.
#[derive(Clone, Copy, Default)]
struct Sorted(u64);

impl Sorted {
    #[inline]
    fn add(&mut self, place: usize, degree: u8) {
        self.0 |= u64::from(degree & UNVISITED) << (u32::from(degree & (7 * ONE)) + place as u32);
    }

    /// Those with the fewest onward moves, if any target is unvisited.
    #[inline]
    fn least(self) -> Option<Tied> {
        (self.0 != 0).then(|| Tied((self.0 >> (self.0.trailing_zeros() & !7)) as u8))
    }
}

/// Which of up to eight targets tie: a bit each.
#[derive(Clone, Copy, Default)]
struct Tied(u8);

/// For each set of bits, the places of its members in rising order.
static MEMBERS: [[u8; 8]; 256] = members();

const fn members() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 != 0 {
                table[set][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
}

impl Tied {
    #[inline]
    fn add(&mut self, place: usize) {
        self.0 |= 1 << place;
    }

    #[inline]
    fn count(self) -> u64 {
        self.0.count_ones().into()
    }

    #[inline]
    fn nth(self, n: usize) -> usize {
        MEMBERS[usize::from(self.0)][n & 7].into()
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        MEMBERS[usize::from(self.0)].iter().take(self.count() as usize).map(|&place| place.into())
    }
}

/// Four times the square of the distance from the centre of the board.
fn from_centre(board: &Board, number: u32) -> u64 {
    let Square { row, col } = board.square(number);
    let off = |at: u32, side: u32| (2 * i64::from(at) + 1 - i64::from(side)).unsigned_abs();
    let (down, right) = (off(row, board.rows()), off(col, board.cols()));
    // Both are below 2^31, or one of them is below 2^32 and the other 0.
    down * down + right * right
}

/// An ordering of the eight moves, and the (1-based) square which ends its use.
type Stage = (&'static str, (i64, i64));

/// The eight moves that the orderings speak of, numbered from 1.
const MOVES: [(i64, i64); 8] = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)];

/// No square.
const NEVER: (i64, i64) = (0, 0);

/// The orderings of Squirrel and Cull for one board, seen from the corner where the run starts.
#[derive(Clone, Debug)]
struct Orderings {
    side: u32,
    flip_rows: bool,
    flip_cols: bool,
    stages: Vec<Stage>,
    /// Which of the stages the run has come to.
    stage: usize,
}

impl Orderings {
    fn new(board: &Board, start: Option<u32>) -> Result<Orderings, RequestError> {
        let side = board.rows();
        let start = board.square(start.unwrap_or(0));
        let is_corner = (start.row == 0 || start.row + 1 == side) && (start.col == 0 || start.col + 1 == side);
        if !board.is_knights_rectangle() || side != board.cols() || side < 5 || !is_corner {
            return Err(RequestError::Misuse(format!(
                "ties \"squirrel\" are for the knight on plain square boards of side 5 or more, from a corner; \
                 not for the {} from {}",
                board.describe(),
                start.name(side)
            )));
        }
        let (flip_rows, flip_cols) = (start.row != 0, start.col != 0);
        Ok(Orderings { side, flip_rows, flip_cols, stages: stages(i64::from(side)), stage: 0 })
    }

    /// The square as seen from the corner, counted from 1.
    fn seen(&self, square: Square) -> (i64, i64) {
        let turn = |at: u32, flip: bool| i64::from(if flip { self.side - at } else { at + 1 });
        (turn(square.row, self.flip_rows), turn(square.col, self.flip_cols))
    }

    /// Goes on to the next ordering if this is the square where it begins.
    fn reach(&mut self, square: Square) {
        if self.seen(square) == self.stages[self.stage].1 {
            self.stage += 1;
        }
    }

    /// Where a move stands in the present ordering.
    fn rank(&self, from: Square, to: Square) -> usize {
        let ((row, col), (to_row, to_col)) = (self.seen(from), self.seen(to));
        let by = (to_row - row, to_col - col);
        self.stages[self.stage].0.bytes().position(|digit| MOVES[usize::from(digit - b'1')] == by).unwrap_or(8)
    }
}

fn stages(n: i64) -> Vec<Stage> {
    match n % 8 {
        0 => vec![
            ("34261578", (n - 1, n - 2)),
            ("87642135", (2, 2)),
            ("51867342", (n - 8, 1)),
            ("51342678", (7, n - 3)),
            ("21435678", NEVER),
        ],
        1 => vec![
            ("34261578", (n - 1, n - 2)),
            ("87642135", (2, 2)),
            ("51324678", (n - 6, (n + 9) / 2)),
            ("32481765", NEVER),
        ],
        2 => vec![
            ("34261578", (6, 1)),
            ("87642135", (3, 1)),
            ("54132678", (n - 15, 4)),
            ("52431678", (10, n - 2)),
            ("85647123", (5, (n - 6) / 2)),
            ("15746823", NEVER),
        ],
        3 => vec![
            ("34625718", (n - 1, n - 2)),
            ("42681357", (n - 6, n)),
            ("86512347", (2, 5)),
            ("51867342", (n - 10, 3)),
            ("61825437", ((n + 1) / 2, n - 2)),
            ("71642538", NEVER),
        ],
        4 => vec![
            ("34261578", (n - 1, n - 2)),
            ("87642135", (2, 2)),
            ("51867342", (n - 8, 1)),
            ("51342678", (10, n - 5)),
            ("86753421", (13, (n + 2) / 2)),
            ("78563421", NEVER),
        ],
        5 => vec![
            ("34261578", (n - 1, n - 2)),
            ("87642135", (2, 2)),
            ("51324678", (n - 2, if n % 16 == 5 { (n - 5) / 2 } else { (n - 13) / 2 })),
            ("15234678", NEVER),
        ],
        6 => vec![
            ("34261578", (6, 1)),
            ("87642135", (3, 1)),
            ("54132678", (n - 10, 1)),
            ("52431678", (10, n - 2)),
            ("85647123", (3, (n + 8) / 2)),
            ("12453678", NEVER),
        ],
        _ => vec![
            ("34625718", (n - 1, n - 2)),
            ("42681357", (n - 6, n)),
            ("86512347", (2, 5)),
            ("51867342", (n - 6, 3)),
            ("61825437", ((n + 1) / 2, n - 2)),
            ("61357284", NEVER),
        ],
    }
}
