//! [`Request`]: what every engine is asked. It names a collection of tours and computes nothing.

use crate::board::Board;
use crate::board::moves::Wrap;
use crate::run::{Misuse, Named};
use crate::symmetry::Symmetry;

/// An unordered pair of squares a move apart, smaller number first.
pub type Edge = (u32, u32);

/// A collection of tours of one board: open or closed, with given ends, with edges to use or avoid,
/// and with squares that must be visited at given steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    pub(super) board: Board,
    pub(super) closed: bool,
    pub(super) start: Option<u32>,
    pub(super) end: Option<u32>,
    pub(super) including: Vec<Edge>,
    pub(super) excluding: Vec<Edge>,
    /// (step, square), by step.
    pub(super) steps: Vec<(u32, u32)>,
    /// The symmetries that must map a tour to itself, sorted.
    pub(super) symmetric: Vec<Symmetry>,
    /// Whether one tour of each class is asked for.
    pub(super) distinct: bool,
}

impl Request {
    /// All open tours of a board.
    #[must_use]
    pub fn open(board: Board) -> Request {
        Request {
            board,
            closed: false,
            start: None,
            end: None,
            including: Vec::new(),
            excluding: Vec::new(),
            steps: Vec::new(),
            symmetric: Vec::new(),
            distinct: false,
        }
    }

    /// All closed tours of a board, each once: a cycle has no start and no direction.
    #[must_use]
    pub fn closed(board: Board) -> Request {
        Request { closed: true, ..Request::open(board) }
    }

    /// Open tours from `start`; or closed tours, listed from there.
    pub fn with_start(mut self, start: u32) -> Result<Request, Misuse> {
        self.check("start", start)?;
        self.start = Some(start);
        self.check_ends()?;
        Ok(self)
    }

    /// Open tours that finish at `end`.
    pub fn with_end(mut self, end: u32) -> Result<Request, Misuse> {
        if self.closed {
            let text = "a closed tour has no end: {} goes with open tours only";
            return Err(Misuse::options(text, [Named::Option("end")]));
        }
        self.check("end", end)?;
        self.end = Some(end);
        self.check_ends()?;
        Ok(self)
    }

    /// Only tours that use this move.
    pub fn with_included(self, a: u32, b: u32) -> Result<Request, Misuse> {
        self.with_all_included([(a, b)])
    }

    /// Only tours that use all of these moves.
    pub fn with_all_included(mut self, moves: impl IntoIterator<Item = Edge>) -> Result<Request, Misuse> {
        let edges: Result<Vec<Edge>, _> = moves.into_iter().map(|(a, b)| self.edge(a, b)).collect();
        insert(&mut self.including, edges?);
        Ok(self)
    }

    /// Only tours that avoid this move.
    pub fn with_excluded(self, a: u32, b: u32) -> Result<Request, Misuse> {
        self.with_all_excluded([(a, b)])
    }

    /// Only tours that avoid all of these moves.
    pub fn with_all_excluded(mut self, moves: impl IntoIterator<Item = Edge>) -> Result<Request, Misuse> {
        let edges: Result<Vec<Edge>, _> = moves.into_iter().map(|(a, b)| self.edge(a, b)).collect();
        insert(&mut self.excluding, edges?);
        Ok(self)
    }

    /// Only tours that can be numbered so that `square` is at `step`, counted from 0.
    pub fn with_step(self, square: u32, step: u64) -> Result<Request, Misuse> {
        self.with_all_steps([(square, step)])
    }

    /// Only tours that can be numbered so that each of these squares is at the step given with it. An open tour is
    /// numbered from its start. A closed one fits if some first square and direction number it so; a given start
    /// is its first square.
    pub fn with_all_steps(mut self, steps: impl IntoIterator<Item = (u32, u64)>) -> Result<Request, Misuse> {
        let mut new = Vec::new();
        for (square, step) in steps {
            self.check("square", square)?;
            if step >= self.board.len() as u64 {
                let (square, board, last) = (self.board.name(square), self.board.describe(), self.board.len() - 1);
                return Err(Misuse::StepRange { step, square, board, last });
            }
            new.push((step as u32, square));
        }
        insert(&mut self.steps, new);
        let mut by_square: Vec<(u32, u32)> = self.steps.iter().map(|&(step, square)| (square, step)).collect();
        by_square.sort_unstable();
        let twice = |sorted: &[(u32, u32)]| sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
        let step_twice = twice(&self.steps);
        let square_twice = twice(&by_square).map(|(square, step)| (step, square));
        if let Some((step, square)) = step_twice.or(square_twice) {
            return Err(Misuse::StepTwice { step: step.into(), square: self.board.name(square) });
        }
        Ok(self)
    }

    /// Only tours that the symmetry of the board maps to themselves, their direction aside.
    pub fn with_symmetric(mut self, symmetry: Symmetry) -> Result<Request, Misuse> {
        if !symmetry.fixes(&self.board) {
            return Err(self.no_symmetry(&symmetry.to_string()));
        }
        let (rows, cols) = (self.board.rows(), self.board.cols());
        self.symmetric.push(Symmetry { down: symmetry.down % rows, right: symmetry.right % cols, ..symmetry });
        self.symmetric.sort_unstable();
        self.symmetric.dedup();
        Ok(self)
    }

    /// Only tours that the symmetry of this name maps to themselves, their direction aside.
    pub fn with_symmetric_named(self, name: &str) -> Result<Request, Misuse> {
        match Symmetry::from_name(name) {
            Some(symmetry) => self.with_symmetric(symmetry),
            None => Err(self.no_symmetry(name)),
        }
    }

    fn no_symmetry(&self, name: &str) -> Misuse {
        // A board with joined edges has many; it is not worth while to make the list of all.
        let known = if self.board.wrap() == Wrap::None {
            let names: Vec<String> = self.board.symmetries().iter().map(Symmetry::to_string).collect();
            names.join(", ")
        } else {
            "those in board.symmetries".to_owned()
        };
        let shown: String = name.chars().take(40).collect();
        let board = &self.board;
        // What it would be without holes.
        let whole = Board::build(board.rows(), board.cols(), [], board.leaper(), board.wrap());
        let fixes = |whole: &Board| Symmetry::from_name(name).is_some_and(|symmetry| symmetry.fixes(whole));
        let why = if whole.is_ok_and(|whole| fixes(&whole)) { " (its blocked squares break it)" } else { "" };
        Misuse::NoSymmetry { name: shown, why, known }
    }

    /// One tour of each class under the symmetries that leave the request as it is; see [`crate::request::classes`].
    #[must_use]
    pub fn with_distinct(mut self) -> Request {
        self.distinct = true;
        self
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether cycles are asked for.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The given first square.
    #[must_use]
    pub fn start(&self) -> Option<u32> {
        self.start
    }

    /// The given last square.
    #[must_use]
    pub fn end(&self) -> Option<u32> {
        self.end
    }

    /// Moves to use, sorted.
    #[must_use]
    pub fn including(&self) -> &[Edge] {
        &self.including
    }

    /// Moves to avoid, sorted.
    #[must_use]
    pub fn excluding(&self) -> &[Edge] {
        &self.excluding
    }

    /// Squares to visit at given steps, as (step, square), sorted.
    #[must_use]
    pub fn steps(&self) -> &[(u32, u32)] {
        &self.steps
    }

    /// The symmetries that must map a tour to itself, sorted.
    #[must_use]
    pub fn symmetric(&self) -> &[Symmetry] {
        &self.symmetric
    }

    /// Whether one tour of each class is asked for.
    #[must_use]
    pub fn is_distinct(&self) -> bool {
        self.distinct
    }

    /// Whether all tours with the given ends, moves and steps are asked for, and not only symmetric ones or one of
    /// each class. Only [`crate::answers`] knows of those two: engines take a request for [`Request::plain`].
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.symmetric.is_empty() && !self.distinct
    }

    /// All tours with the given ends, moves and steps.
    #[must_use]
    pub fn plain(&self) -> Request {
        Request { symmetric: Vec::new(), distinct: false, ..self.clone() }
    }

    /// Whether only the board and the ends matter.
    #[must_use]
    pub fn is_unconstrained(&self) -> bool {
        self.including.is_empty() && self.excluding.is_empty() && self.steps.is_empty()
    }

    /// Whether nothing but the board matters, and whether tours are open or closed.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.is_unconstrained() && (self.closed || self.start.is_none() && self.end.is_none())
    }

    /// Whether all moves, ends and steps asked for are those of a sequence of squares that is a tour of this board and
    /// kind, as it stands.
    #[must_use]
    pub(crate) fn admits_squares(&self, squares: &[u32]) -> bool {
        let is = |given: Option<u32>, square: Option<&u32>| given.is_none() || square == given.as_ref();
        let ends = is(self.start, squares.first()) && is(self.end, squares.last());
        if self.is_unconstrained() || !ends {
            return ends;
        }
        let last = squares.len() - 1;
        let is_used = |edges: &[Edge], a, b| contains(edges, ordered(a, b));
        let count_used = |edges: &[Edge]| {
            let closing = usize::from(self.closed && is_used(edges, squares[last], squares[0]));
            closing + squares.windows(2).filter(|pair| is_used(edges, pair[0], pair[1])).count()
        };
        count_used(&self.including) == self.including.len()
            && count_used(&self.excluding) == 0
            && self.are_at_steps(squares)
    }

    /// The request whose tours are this one's, run from the other end. `None` for closed requests.
    #[must_use]
    pub fn reversed(&self) -> Option<Request> {
        if self.closed {
            return None;
        }
        let last = self.board.len() as u32 - 1;
        let mut steps: Vec<_> = self.steps.iter().map(|&(step, square)| (last - step, square)).collect();
        steps.sort_unstable();
        Some(Request { start: self.end, end: self.start, steps, ..self.clone() })
    }

    /// The group of symmetries of the board that leave the request as it is. (The start of a closed tour is
    /// no part of what is asked; beside given steps it is.)
    #[must_use]
    pub fn stabiliser(&self) -> Vec<Symmetry> {
        let mut symmetries = self.board.symmetries();
        symmetries.retain(|symmetry| self.is_kept_by(symmetry, false));
        symmetries
    }

    /// Whether a symmetry of the board leaves ends, moves and steps as they are; or, if that is asked, makes them those
    /// of the tours run backwards. (Symmetric tours and classes are no matter here.)
    #[must_use]
    pub fn is_kept_by(&self, symmetry: &Symmetry, runs_backwards: bool) -> bool {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let map = |number| symmetry.map(number, rows, cols);
        let keeps = |edges: &[Edge]| edges.iter().all(|&(a, b)| contains(edges, ordered(map(a), map(b))));
        if !keeps(&self.including) || !keeps(&self.excluding) {
            return false;
        }
        let last = self.board.len() as u32 - 1;
        if self.closed {
            return !runs_backwards && self.is_turned_by(map);
        }
        // A square at the first or last step is an end, however it was given.
        let ends = [self.start.map(|square| (0, square)), self.end.map(|square| (last, square))];
        let mut places = ends.into_iter().flatten().chain(self.steps.iter().copied());
        let is_given = |step: u32, square: u32| {
            contains(&self.steps, (step, square))
                || step == 0 && self.start == Some(square)
                || step == last && self.end == Some(square)
        };
        let step_of = |step: u32| if runs_backwards { last - step } else { step };
        places.all(|(step, square)| is_given(step_of(step), map(square)))
    }

    fn check(&self, role: &'static str, number: u32) -> Result<(), Misuse> {
        if self.board.is_open(number) {
            return Ok(());
        }
        let on_board = u64::from(number) < self.board.squares();
        let square = if on_board { self.board.name(number) } else { format!("square number {number}") };
        let why = if on_board { "blocked on" } else { "not on" };
        Err(Misuse::Square { role, square, why, board: self.board.describe() })
    }

    fn check_ends(&self) -> Result<(), Misuse> {
        match (self.start, self.end) {
            (Some(start), Some(end)) if start == end && self.board.len() > 1 => {
                Err(Misuse::EqualEnds { square: self.board.name(start), board: self.board.describe() })
            }
            _ => Ok(()),
        }
    }

    fn edge(&self, a: u32, b: u32) -> Result<Edge, Misuse> {
        self.check("square", a)?;
        self.check("square", b)?;
        if !self.board.is_move(a, b) {
            let (from, to) = (self.board.name(a), self.board.name(b));
            return Err(Misuse::NoEdge { from, to, board: self.board.describe() });
        }
        Ok(ordered(a, b))
    }
}

/// The pair with its smaller member first.
#[must_use]
pub const fn ordered(a: u32, b: u32) -> Edge {
    if a <= b { (a, b) } else { (b, a) }
}

pub(super) fn insert(sorted: &mut Vec<(u32, u32)>, pairs: Vec<(u32, u32)>) {
    sorted.extend(pairs);
    sorted.sort_unstable();
    sorted.dedup();
}

pub(super) fn contains(sorted: &[(u32, u32)], pair: (u32, u32)) -> bool {
    sorted.binary_search(&pair).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Leaper;

    fn board() -> Board {
        Board::build(5, 5, [12], Leaper::KNIGHT, Wrap::None).unwrap()
    }

    #[test]
    fn misuse_is_refused_and_quoted() {
        let open = || Request::open(board());
        for (result, quoted) in [
            (open().with_start(12), "c3 is blocked on the 5x5"),
            (open().with_start(25), "number 25 is not on the 5x5"),
            (open().with_start(0).and_then(|r| r.with_end(0)), "both a5"),
            (Request::closed(board()).with_end(0), "no end"),
            (open().with_included(0, 1), "a5 and b5"),
            (open().with_step(0, 24), "steps 0 to 23"),
            (open().with_step(0, 3).and_then(|r| r.with_step(1, 3)), "contradicts"),
        ] {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(quoted), "{message}");
        }
    }

    #[test]
    fn the_stabiliser_keeps_ends_and_edges() {
        let open = || Request::open(board());
        assert_eq!(open().stabiliser().len(), 8);
        assert_eq!(open().with_start(0).unwrap().stabiliser().len(), 2);
        assert_eq!(open().with_start(1).unwrap().stabiliser().len(), 1);
        assert_eq!(open().with_excluded(0, 7).unwrap().stabiliser().len(), 1);
        assert_eq!(open().with_excluded(0, 7).and_then(|r| r.with_excluded(0, 11)).unwrap().stabiliser().len(), 2);
        assert_eq!(Request::closed(board()).with_start(1).unwrap().stabiliser().len(), 8);
    }

    #[test]
    fn different_requests_have_different_encodings() {
        let open = || Request::open(board());
        let all = [
            open(),
            Request::closed(board()),
            open().with_start(0).unwrap(),
            open().with_end(0).unwrap(),
            open().with_included(0, 7).unwrap(),
            open().with_excluded(0, 7).unwrap(),
            open().with_step(7, 0).unwrap(),
            Request::open(Board::new(5, 5).unwrap()),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a.encode() != b.encode()));
        }
        let twice = open().with_start(0).and_then(|r| r.with_step(3, 4)).unwrap();
        assert_eq!(twice.reversed().unwrap().reversed().unwrap(), twice);
    }
}
