//! Tidy tours: closed tours of rectangles with few turns and few crossings.
//!
//! Nearly all of the board is covered by straight lines of moves two rows down and one column to the
//! right. Four neighbouring lines, whose squares make blocks of 2 x 2, are a *lane*. At the edges of the board *heels*
//! join each lane to the next one, so that four knights who keep together go to and fro over the whole
//! board: along the top and bottom a heel is 4 columns wide and 2 rows deep and has 8 turns and 10
//! crossings, along the left and right it is 8 rows high and 3 columns deep, with 20 turns and 23
//! crossings. In each corner a small block is covered by search, in such a way that all becomes one cycle. On
//! n x n that makes less than 9 n turns, and 10.75 n crossings but for a constant.
//!
//! The idea of the formation of four is that of J. J. Besa, T. Johnson, N. Mamano, M. C. Osegueda and
//! P. Williams, "Taming the Knight's Tour: Minimizing Turns and Crossings", Theoretical Computer Science
//! 902 (2022), who have 9.25 n turns and 12 n crossings. These heels were found by exhausting what
//! fits into their depth.

mod corners;
mod weave;

use corners::Covering;
use weave::{DOWN, Place, Weave, moved};

use super::Construction;
use super::block::DELTAS;
use crate::board::Board;
use crate::request::Request;
use crate::run::{Budget, Misuse, Named, Pause};

/// Which ways to lay the board, upright or turned, the better first: lines run two rows down for each
/// column, the number of rows must be even, and heels on the left and right cost more.
fn turns(board: &Board) -> &'static [bool] {
    match (board.rows().is_multiple_of(2), board.cols().is_multiple_of(2)) {
        (true, true) if board.rows() <= board.cols() => &[false, true],
        (true, true) => &[true, false],
        (true, false) => &[false],
        (false, true) => &[true],
        (false, false) => &[],
    }
}

/// A tidy tour in the making.
///
/// ```
/// use knightstour::engines::construction::Tidy;
/// use knightstour::board::measures::crossings;
/// use knightstour::{Board, Budget, Request, Tour};
/// let board = Board::new(40, 60)?;
/// let mut tidy = Tidy::new(&Request::closed(board.clone()), None)?;
/// let Ok(Some(squares)) = tidy.advance(&Budget::unlimited()) else { panic!() };
/// let tour = Tour::new(board, squares, Some(true))?;
/// assert!(crossings(&tour)? < 12 * 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tidy {
    board: Board,
    start: u32,
    seed: Option<u64>,
    /// Which of the ways to lay the board out comes next, and the best so far with the turns in its
    /// corners.
    attempt: usize,
    best: Option<(u32, Box<Weave>)>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// A way to lay the board out is to be tried.
    Laying,
    Covering(Box<Covering>),
    /// The tour is being written: where it stands, and the direction on.
    Writing(Box<Weave>, Place, usize, Vec<u32>),
}

/// Lines to follow or to write before asking the budget again.
const LINES: u64 = 1 << 8;

/// The sizes of the corners that are tried, one after the other. Small ones leave more of the board to
/// lines; none fits all boards.
const SHAPES: [(u32, u32); 4] = [(6, 4), (6, 5), (6, 6), (5, 5)];

impl Tidy {
    /// The shortest side of a board that has a tidy tour here.
    pub const LEAST: u32 = 12;

    /// A tidy tour that has yet to begin. Without a seed it is always the same tour; with one the corners
    /// vary.
    pub fn new(request: &Request, seed: Option<u64>) -> Result<Tidy, Misuse> {
        let board = request.board();
        let fits = board.is_knights_rectangle()
            && board.squares().is_multiple_of(2)
            && board.rows().min(board.cols()) >= Tidy::LEAST
            && request.is_closed()
            && request.is_unconstrained();
        if !fits {
            let text = format!(
                "{{}} makes closed tours of plain rectangles for the knight, with an even number of squares \
                 and both sides at least {}, with no moves or steps given; these are {} of the {}{}",
                Tidy::LEAST,
                if request.is_closed() { "closed tours" } else { "open tours" },
                board.describe(),
                if request.is_unconstrained() { "" } else { ", with given moves or steps" }
            );
            return Err(Misuse::options(text, [Named::With("method", "tidy")]));
        }
        let start = request.start().unwrap_or(0);
        Ok(Tidy { board: board.clone(), start, seed, attempt: 0, best: None, stage: Stage::Laying })
    }

    /// Goes on until the squares of the tour are there or the budget pauses; then call again. The tour
    /// begins on the start, or on square 0, and runs towards the smaller-numbered of the two neighbours. A node is a
    /// decision of a corner's search, or a line written down. `None` if no way to lay the board out
    /// has led to a tour, which claims nothing.
    pub fn advance(&mut self, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
        loop {
            match &mut self.stage {
                Stage::Laying => {
                    budget.check_memory(Construction::bytes(&self.board))?;
                    budget.take(1)?;
                    let attempt = self.attempt;
                    self.attempt += 1;
                    let ways = turns(&self.board);
                    let (shape, phase) = (attempt / 4 % SHAPES.len(), attempt as u32 % 4);
                    // The best of the four phases is taken, as soon as there is one.
                    if phase == 0
                        && let Some((_, weave)) = self.best.take()
                    {
                        self.stage = self.begin(*weave)?;
                        continue;
                    }
                    let Some(&turned) = ways.get(attempt / 4 / SHAPES.len()) else { return Ok(None) };
                    let (rows, cols) = (self.board.rows(), self.board.cols());
                    let (rows, cols) = if turned { (cols, rows) } else { (rows, cols) };
                    if let Some(weave) = Weave::new(rows, cols, phase, SHAPES[shape]) {
                        self.stage = Stage::Covering(Box::new(Covering::new(weave, self.seed)));
                    }
                }
                Stage::Covering(covering) => {
                    let covered = covering.advance(budget)?;
                    let turns = covering.turns;
                    if covered && self.best.as_ref().is_none_or(|&(least, _)| turns < least) {
                        self.best = Some((turns, Box::new(covering.weave.clone())));
                    }
                    self.stage = Stage::Laying;
                }
                Stage::Writing(..) => return self.write(budget).map(Some),
            }
        }
    }

    /// Sets out to write the tour.
    fn begin(&self, weave: Weave) -> Result<Stage, Pause> {
        let strides = strides(&self.board, &weave);
        let (row, col) = (self.start / self.board.cols(), self.start % self.board.cols());
        let first = if strides.0 == 1 { (col, row) } else { (row, col) };
        let links = weave.links(first);
        let number = |d: usize| weave.step(first, d).map(|place| place.0 * strides.0 + place.1 * strides.1);
        // A square of a tour has two moves.
        let d = (0..8).filter(|d| links >> d & 1 != 0).min_by_key(|&d| number(d)).unwrap_or(DOWN);
        Ok(Stage::Writing(Box::new(weave), first, d, super::reserve(self.board.squares())?))
    }

    fn write(&mut self, budget: &Budget) -> Result<Vec<u32>, Pause> {
        let size = self.board.squares() as usize;
        let Stage::Writing(weave, place, d, squares) = &mut self.stage else { return Ok(Vec::new()) };
        let strides = strides(&self.board, weave);
        while squares.len() < size {
            let lines = budget.take(LINES)?;
            for _ in 0..lines {
                let moves = weave.line(*place, *d).min((size - squares.len()) as u32);
                if moves == 0 {
                    break;
                }
                let (down, right) = DELTAS[*d];
                let step = (strides.0 as i32 * down + strides.1 as i32 * right) as u32;
                let first = place.0 * strides.0 + place.1 * strides.1;
                squares.extend((0..moves).map(|i| first.wrapping_add(step.wrapping_mul(i))));
                *place = moved(*place, *d, moves);
                if squares.len() < size {
                    *d = weave.onward(*place, *d);
                }
            }
        }
        let squares = std::mem::take(squares);
        (self.stage, self.attempt) = (Stage::Laying, 0);
        Ok(squares)
    }
}

/// What a step down and a step right add to a square's number.
fn strides(board: &Board, weave: &Weave) -> (u32, u32) {
    if (board.rows(), board.cols()) == (weave.rows, weave.cols) { (board.cols(), 1) } else { (1, board.cols()) }
}
