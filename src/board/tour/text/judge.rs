//! The judge of readings: keeps the first tour, whether another reading is another tour, and the best of the faults.

use super::{Given, Reading};
use crate::board::moves::{Leaper, Wrap};
use crate::board::tour::{InvalidTour, Tour, check_path};
use crate::board::{Board, BoardError};

/// A step without a square.
const NOWHERE: u32 = u32::MAX;

/// Beyond this many tokens the first reading that is a tour is taken, and no other one is looked for.
const SMALL: usize = 1 << 16;

/// What a reading makes of a text.
pub struct Candidate {
    pub board: Board,
    /// The squares in order; `u32::MAX` where there is none.
    pub squares: Vec<u32>,
    /// What is wrong, if that is known.
    pub problem: Option<InvalidTour>,
    pub closed: Option<bool>,
    /// "read as a 5x5 grid numbered from 1"
    pub read_as: String,
    /// How many tokens it explains.
    pub explained: usize,
    /// How many squares the text names, repeats included.
    pub items: usize,
    /// Whether the text is surely meant so, if it is no tour; else half of the steps at least must be moves.
    pub sure: Option<bool>,
    /// How much of a tour it is, where squares do not tell.
    pub fit: Option<f64>,
    /// How much it is at least.
    pub least: f64,
}

impl Candidate {
    pub fn new(board: Board) -> Candidate {
        Candidate {
            board,
            squares: Vec::new(),
            problem: None,
            closed: None,
            read_as: String::new(),
            explained: 0,
            items: 0,
            sure: None,
            fit: None,
            least: 0.0,
        }
    }
}

/// The best reading so far.
pub struct Judge<'a> {
    pub given: &'a Given,
    /// The first numbers of the text that are none of a board, as they are written.
    pub beyond: Vec<String>,
    tokens: usize,
    found: Option<Reading>,
    fault: Option<(f64, String, InvalidTour)>,
    no_board: Option<BoardError>,
    unreadable: Option<String>,
}

impl<'a> Judge<'a> {
    pub fn new(given: &'a Given, tokens: usize) -> Judge<'a> {
        Judge { given, beyond: Vec::new(), tokens, found: None, fault: None, no_board: None, unreadable: None }
    }

    /// Whether nothing more is to be learned.
    pub fn is_done(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.note.is_some() || self.tokens > SMALL)
    }

    /// Whether there is a tour.
    pub fn has_tour(&self) -> bool {
        self.found.is_some()
    }

    /// Whether nothing explains the text.
    pub fn is_at_a_loss(&self) -> bool {
        self.found.is_none() && self.fault.is_none()
    }

    /// Hears that the board that a reading needs cannot be.
    pub fn no_board(&mut self, read_as: String, explained: usize, error: BoardError) {
        if explained * 2 >= self.tokens && self.fault.is_none() && self.no_board.is_none() {
            let _ = read_as;
            self.no_board = Some(error);
        }
    }

    /// Hears why a reading that explains the text has no board.
    pub fn unreadable(&mut self, message: String) {
        self.unreadable.get_or_insert(message);
    }

    /// Hears what a reading makes of the text.
    pub fn offer(&mut self, candidate: Candidate) {
        if self.is_done() {
            return;
        }
        let closed = self.given.closed.or(candidate.closed);
        if let Some(found) = &mut self.found {
            // Only whether it is another tour is still asked.
            if candidate.problem.is_none()
                && candidate.squares != found.tour.squares()
                && check_path(&candidate.board, &candidate.squares).is_ok()
            {
                found.note = Some(format!("{}, it is another tour", candidate.read_as));
            }
            return;
        }
        let Candidate { board, squares, problem, read_as, explained, items, sure, fit: known, least, .. } = candidate;
        let share = explained as f64 / self.tokens.max(1) as f64;
        let (worth, half) = if known.is_some() { (0.0, false) } else { fit(&board, &squares, items) };
        let worth = known.unwrap_or(worth).max(least);
        let (fault, fit) = match problem {
            Some(problem) => (problem, worth),
            None if is_path(&board, &squares) => match Tour::new(board.clone(), squares, closed) {
                Ok(tour) => {
                    let kind_is_said = closed.is_some() || !tour.is_closed();
                    self.found = Some(Reading { tour, read_as, note: None, kind_is_said });
                    return;
                }
                Err(fault) => (fault, 1.0),
            },
            None => {
                let Err(mut fault) = check_path(&board, &squares) else { return };
                if fault.step == Some(squares.len()) && self.given.board.is_none() {
                    fault.message.push_str("; if squares are blocked, give the board");
                }
                fault.elsewhere = elsewhere(&board, &squares, self.given);
                let fit = if fault.elsewhere.is_some() && sure == Some(true) { 0.9995 } else { worth };
                (fault, fit)
            }
        };
        if share < 0.5 || !sure.unwrap_or(half) {
            return;
        }
        let fit = fit * share;
        if self.fault.as_ref().is_none_or(|(best, ..)| fit > *best + 1e-9) {
            self.fault = Some((fit, read_as, fault));
        }
    }

    /// What the text is, how well it is explained (a tour: 1), or what is said where nothing explains it.
    pub fn decide(self) -> (Result<Reading, Verdict>, f64) {
        if let Some(found) = self.found {
            return (Ok(found), 1.0);
        }
        if let Some((fit, read_as, mut fault)) = self.fault {
            fault.message = format!("{read_as}: {}", fault.message);
            return (Err(Verdict::NotATour(fault)), fit);
        }
        if let Some(error) = self.no_board {
            return (Err(Verdict::NoBoard(error)), 0.1);
        }
        match self.unreadable {
            Some(message) => (Err(Verdict::Unreadable(message)), 0.05),
            None => (Err(Verdict::Nothing), 0.0),
        }
    }
}

/// What a text is that is no tour.
pub enum Verdict {
    NotATour(InvalidTour),
    NoBoard(BoardError),
    /// A reading explains it, but for what is missing.
    Unreadable(String),
    /// No reading explains it.
    Nothing,
}

/// Whether all squares are open and each is a move from the one before: quick where it is not.
fn is_path(board: &Board, squares: &[u32]) -> bool {
    squares.len() == board.len() && squares.windows(2).all(|two| board.is_move(two[0], two[1]))
}

/// How much of a tour it is: moves and different squares among what should be; and whether half of the steps are
/// moves.
fn fit(board: &Board, squares: &[u32], items: usize) -> (f64, bool) {
    let mut seen = vec![0u64; (board.squares() as usize).div_ceil(64)];
    let mut distinct = 0;
    for &square in squares.iter().filter(|&&square| board.is_open(square)) {
        let (word, bit) = (square as usize / 64, 1u64 << (square % 64));
        distinct += usize::from(seen[word] & bit == 0);
        seen[word] |= bit;
    }
    let grid = board.grid();
    let is_move =
        |two: &&[u32]| two[0] != NOWHERE && two[1] != NOWHERE && grid.joins(board.square(two[0]), board.square(two[1]));
    let moves = squares.windows(2).filter(is_move).count();
    let whole = items.max(squares.len()).max(board.len()).max(1);
    let worth = (distinct + 2 * (moves + 1)) as f64 / (3 * whole) as f64;
    (worth.min(0.999), items > 2 && moves * 2 + 2 >= items.max(squares.len()))
}

/// The leaper and the joined edges by which each step is a move, where nothing was said of them.
fn elsewhere(board: &Board, squares: &[u32], given: &Given) -> Option<(Leaper, Wrap)> {
    let grid = board.grid();
    let whole = squares.len() == board.len() && squares.len() > 3 && given.board.is_none();
    if !whole || !squares.iter().all(|&square| board.is_open(square)) {
        return None;
    }
    let mut all = squares.to_vec();
    all.sort_unstable();
    if all.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let (from, to) = (board.square(squares[0]), board.square(squares[1]));
    let (down, across) = (from.row.abs_diff(to.row), from.col.abs_diff(to.col));
    let (up, back) = (board.rows() - down, board.cols() - across);
    let leapers = [(1, 2), (down, across), (up, across), (down, back), (up, back)];
    for wrap in [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both] {
        for (a, b) in leapers {
            let leaper = Leaper::new(a, b);
            let fits = given.leaper.is_none_or(|given| given == leaper) && given.wrap.is_none_or(|given| given == wrap);
            let grid = crate::board::moves::Grid { leaper, wrap, ..grid };
            if fits
                && leaper.b > 0
                && grid != board.grid()
                && squares.windows(2).all(|two| grid.joins(board.square(two[0]), board.square(two[1])))
            {
                return Some((leaper, wrap));
            }
        }
    }
    None
}
