//! What lists of squares have in common: the words between them, moves instead of squares, a start that is repeated.

use super::Given;
use super::tokens::{Kind, Token, letters};
use crate::board::Board;
use crate::board::tour::{InvalidTour, check_path};

/// Words above a column of names.
const HEADINGS: [(Kind, u32); 6] = [
    (Kind::Letters, letters(b"square")),
    (Kind::Letters, letters(b"name")),
    (Kind::Letters, letters(b"step")),
    (Kind::Letters, letters(b"move")),
    (Kind::Letters, letters(b"number")),
    (Kind::Letters, letters(b"tour")),
];

/// The different words of a text: a few that come again with each square are no prose.
#[derive(Default)]
pub struct Words {
    different: Vec<u32>,
    count: usize,
}

impl Words {
    pub fn add(&mut self, token: Token) {
        // What a column of a table is called says nothing else.
        if HEADINGS.contains(&(token.kind(), token.value)) {
            return;
        }
        self.count += 1;
        if self.different.len() < 40 && !self.different.contains(&token.value) {
            self.different.push(token.value);
        }
    }

    pub fn distinct(&self) -> usize {
        self.different.len()
    }

    /// Whether this many squares may come with them.
    pub fn are_few(&self, squares: usize) -> bool {
        let different = self.different.len();
        let each = different <= 10 && self.count + different >= different * squares;
        self.count == 0 || squares >= 3 && (different <= 3 + squares / 8 || each)
    }
}

/// Squares in order, and whether the text says that they are a cycle.
pub struct Squares<T> {
    pub items: Vec<T>,
    pub closed: Option<bool>,
}

/// Moves (from, to), each from where the last one ended, as the squares they lead over; whether they are moves, and
/// the square at which the first one begins somewhere else.
pub fn chain<T: PartialEq + Copy>(items: &[T]) -> (bool, Vec<T>, Option<usize>) {
    let links = items.len() / 2;
    let joins = |nth: usize| items[2 * nth - 1] == items[2 * nth];
    let joined = (1..links).filter(|&nth| joins(nth)).count();
    if !items.len().is_multiple_of(2) || links < 2 || joined * 4 < (links - 1) * 3 {
        return (false, items.to_vec(), None);
    }
    let squares = items[..1].iter().chain(items[1..].iter().step_by(2)).copied().collect();
    (true, squares, (1..links).find(|&nth| !joins(nth)))
}

/// A closed tour may repeat its first square at the end.
pub fn closing<T: PartialEq>(squares: &mut Squares<T>, given: &Given) {
    let items = &mut squares.items;
    if items.len() > 3 && items.first() == items.last() && given.closed != Some(false) {
        items.pop();
        squares.closed = Some(true);
    }
}

/// That a move begins elsewhere than the one before it ended, unless something is wrong before.
pub fn broken_chain(board: &Board, squares: &[u32], step: usize) -> Option<InvalidTour> {
    match check_path(board, squares) {
        Err(earlier) if earlier.step.is_some_and(|at| at <= step + 1) => None,
        _ => Some(InvalidTour {
            step: Some(step),
            squares: vec![board.square(squares[step])],
            message: format!(
                "step {step}: the next move does not begin at {}, where this one ends",
                super::place(board, squares[step])
            ),
            off_board: false,
            elsewhere: None,
        }),
    }
}
