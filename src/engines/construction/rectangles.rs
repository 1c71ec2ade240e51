//! [`Construction`]: tours of whole rectangles, made in linear time.

use super::blocks::Plan;
use super::layout::{Layout, Templates, Walk};
use super::strip::{Course, Strip, Verdict};
use crate::board::Board;
use crate::request::Request;
use crate::run::rng::Rng;
use crate::run::{Budget, Limit, Misuse, Named, Pause};

/// What a construction comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The squares of a tour in order. A closed one begins at the given start, or on square 0, and
    /// runs towards the smaller-numbered of the two neighbours.
    Squares(Vec<u32>),
    /// There is no such tour.
    Impossible,
}

/// A tour in the making.
///
/// ```
/// use knightstour::engines::construction::{Construction, Outcome};
/// use knightstour::{Board, Budget, Request, Tour};
/// let board = Board::new(100, 200)?;
/// let request = Request::open(board.clone()).with_start(7)?.with_end(4243)?;
/// let mut construction = Construction::new(&request, None)?;
/// let Ok(Outcome::Squares(squares)) = construction.advance(&Budget::unlimited()) else { panic!() };
/// let tour = Tour::new(board, squares, None)?;
/// assert_eq!((tour.start(), tour.end()), (7, 4243));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Construction {
    board: Board,
    closed: bool,
    start: Option<u32>,
    end: Option<u32>,
    seed: Option<u64>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Nothing is done yet, or the outcome was handed out.
    New,
    /// Ends are being chosen and blocks searched and laid out: how many choices have failed, what is
    /// known, and the layout begun.
    Laying { choices: Vec<Option<(Place, Place)>>, failed: usize, templates: Box<Templates>, draft: Option<Draft> },
    /// The tour is being written.
    Writing(Box<Walk>),
}

/// A layout begun.
#[derive(Debug)]
enum Draft {
    Plan(Box<Plan>),
    Course(Course),
}

/// Row and column, the rows being the short side of a strip.
type Place = (u32, u32);

impl Construction {
    /// Whether this engine answers the request: it is about a plain knight's rectangle, and nothing
    /// but the ends matters.
    #[must_use]
    pub fn applies_to(request: &Request) -> bool {
        request.board().is_knights_rectangle() && request.is_unconstrained()
    }

    /// A construction that has yet to begin. Without a seed it always gives the same tour; with one,
    /// one of many.
    pub fn new(request: &Request, seed: Option<u64>) -> Result<Construction, Misuse> {
        if !Construction::applies_to(request) {
            let text = format!(
                "{{}} needs the knight on a plain rectangle, with no moves or steps given; this is the {}{}",
                request.board().describe(),
                if request.is_unconstrained() { "" } else { ", with given moves or steps" }
            );
            return Err(Misuse::options(text, [Named::With("method", "construction")]));
        }
        Ok(Construction {
            board: request.board().clone(),
            closed: request.is_closed(),
            start: request.start(),
            end: request.end(),
            seed,
            stage: Stage::New,
        })
    }

    /// Bytes of memory that a construction on this board takes, from above.
    #[must_use]
    pub fn bytes(board: &Board) -> u64 {
        // The list itself; the blocks, with at most eight bytes for twelve squares or 36 for 36; the searches.
        5 * board.squares() + (1 << 18)
    }

    /// Goes on until the outcome is there or the budget pauses; then call again. A node is a decision of
    /// a block's search, or a path of a block written down. The outcome is handed out once; after
    /// that the construction starts anew.
    pub fn advance(&mut self, budget: &Budget) -> Result<Outcome, Pause> {
        loop {
            match &mut self.stage {
                Stage::New => {
                    budget.check_memory(Construction::bytes(&self.board))?;
                    if self.board.squares() == 1 && !self.closed {
                        return Ok(Outcome::Squares(vec![0]));
                    }
                    let choices = self.choices();
                    let templates = Box::new(Templates::new(self.strides(), self.seed));
                    self.stage = Stage::Laying { choices, failed: 0, templates, draft: None };
                }
                Stage::Laying { choices, failed, templates, draft } => {
                    let Some(&ends) = choices.get(*failed) else {
                        self.stage = Stage::New;
                        return Ok(Outcome::Impossible);
                    };
                    match layout(&self.board, ends, self.seed, draft, templates, budget)? {
                        None => *failed += 1,
                        Some(layout) => {
                            let reserved = reserve(self.board.squares())?;
                            let templates = std::mem::replace(&mut **templates, Templates::new((0, 0), None));
                            let first = ends.map_or_else(|| self.place(self.start.unwrap_or(0)), |(start, _)| start);
                            let walk = Walk::new(layout, templates, first, self.closed, reserved);
                            self.stage = Stage::Writing(Box::new(walk));
                        }
                    }
                }
                Stage::Writing(walk) => {
                    let squares = walk.advance(budget)?;
                    self.stage = Stage::New;
                    return Ok(Outcome::Squares(squares));
                }
            }
        }
    }

    /// The ends to try, in order, those left out that are known to have no tour. For closed tours
    /// one choice without ends, if there are any.
    fn choices(&self) -> Vec<Option<(Place, Place)>> {
        let (rows, cols) = sides(&self.board);
        let strip = Strip { rows, cols };
        if rows < 3 {
            return Vec::new();
        }
        if self.closed {
            let exists = if rows < 6 { strip.has_cycle() } else { rows * cols % 2 == 0 };
            return if exists { vec![None] } else { Vec::new() };
        }
        let start = self.start.map(|start| self.place(start));
        let end = self.end.map(|end| self.place(end));
        let mut choices = Vec::new();
        if rows >= 6 {
            choices.extend(self.wide_ends(start, end));
        } else {
            // A free end is looked for in the columns near the given one or near the left side; all
            // columns are near on strips so short that they have to be searched.
            let near = |place: Option<Place>| {
                let at = place.map_or(0, |(_, col)| col);
                let columns = at.saturating_sub(12)..at.saturating_add(13).min(cols);
                columns.flat_map(move |col| (0..rows).map(move |row| (row, col)))
            };
            let given_or = |given: Option<Place>, other: Option<Place>| -> Vec<Place> {
                given.map_or_else(|| near(other).collect(), |given| vec![given])
            };
            for a in given_or(start, end) {
                for &b in &given_or(end, start) {
                    match strip.verdict(a, b) {
                        _ if a == b => {}
                        Verdict::NoTour => {}
                        Verdict::Tour | Verdict::Search => choices.push((a, b)),
                    }
                }
            }
        }
        if let Some(seed) = self.seed {
            let mut rng = Rng::seeded(seed);
            for i in (1..choices.len()).rev() {
                choices.swap(i, rng.below(i as u64 + 1) as usize);
            }
        }
        choices.into_iter().map(Some).collect()
    }

    /// Ends of the right colours on a board with both sides at least 6.
    fn wide_ends(&self, start: Option<Place>, end: Option<Place>) -> Option<(Place, Place)> {
        let (rows, cols) = sides(&self.board);
        let is_odd = |(row, col): Place| (row ^ col) & 1 == 1;
        let even_area = u64::from(rows) * u64::from(cols) % 2 == 0;
        let fits =
            |a: Place, b: Place| a != b && if even_area { is_odd(a) != is_odd(b) } else { !is_odd(a) && !is_odd(b) };
        let mut rng = self.seed.map(Rng::seeded);
        // Where nothing is given, the first and the last squares that fit, or any.
        let mut free = |last: bool, other: Option<Place>| {
            let allowed = |place: Place| match other {
                Some(other) => fits(place, other),
                None => even_area || !is_odd(place),
            };
            match &mut rng {
                Some(rng) => (0..1000)
                    .map(|_| (rng.below(rows.into()) as u32, rng.below(cols.into()) as u32))
                    .find(|&place| allowed(place)),
                None => {
                    (0..4).map(|i| if last { (rows - 1, cols - 1 - i) } else { (0, i) }).find(|&place| allowed(place))
                }
            }
        };
        let start = start.or_else(|| free(false, end))?;
        let end = end.or_else(|| free(true, Some(start)))?;
        fits(start, end).then_some((start, end))
    }

    /// The place of a square; strips lie on their side.
    fn place(&self, number: u32) -> Place {
        let (row, col) = (number / self.board.cols(), number % self.board.cols());
        if is_turned(&self.board) { (col, row) } else { (row, col) }
    }

    /// What a step down and a step right add to a square's number.
    fn strides(&self) -> (u32, u32) {
        if is_turned(&self.board) { (1, self.board.cols()) } else { (self.board.cols(), 1) }
    }
}

/// Whether the board is a strip that stands upright.
fn is_turned(board: &Board) -> bool {
    board.rows() > board.cols() && board.cols() < 6
}

/// Rows and columns of the board, of a strip when it lies.
fn sides(board: &Board) -> (u32, u32) {
    if is_turned(board) { (board.cols(), board.rows()) } else { (board.rows(), board.cols()) }
}

/// Lays a board out. None if there is no tour with these ends.
fn layout(
    board: &Board,
    ends: Option<(Place, Place)>,
    seed: Option<u64>,
    draft: &mut Option<Draft>,
    templates: &mut Templates,
    budget: &Budget,
) -> Result<Option<Layout>, Pause> {
    let (rows, cols) = sides(board);
    if rows.min(cols) < 6 {
        let mut course = match draft.take() {
            Some(Draft::Course(course)) => course,
            _ => match (Strip { rows, cols }).course(ends, templates, budget)? {
                Some(course) => course,
                None => return Ok(None),
            },
        };
        match course.advance(budget) {
            Ok(()) => Ok(Some(course.into_layout())),
            Err(pause) => {
                *draft = Some(Draft::Course(course));
                Err(pause)
            }
        }
    } else {
        let mut plan = match draft.take() {
            Some(Draft::Plan(plan)) => plan,
            _ => Box::new(Plan::new(rows, cols, ends, seed)),
        };
        loop {
            match plan.advance(templates, budget) {
                Ok(true) => return Ok(Some(plan.into_layout())),
                // A board of one block was searched to the end. Of others nothing is claimed: they are
                // cut and joined anew.
                Ok(false) if rows.max(cols) < 12 => return Ok(None),
                Ok(false) => *plan = Plan::new(rows, cols, ends, Some(templates.renew())),
                Err(pause) => {
                    *draft = Some(Draft::Plan(plan));
                    return Err(pause);
                }
            }
        }
    }
}

/// An empty list with room for this many square numbers.
pub(super) fn reserve(count: u64) -> Result<Vec<u32>, Pause> {
    let mut squares = Vec::new();
    squares.try_reserve_exact(count as usize).map_err(|_| Pause::Limit(Limit::Memory))?;
    Ok(squares)
}
