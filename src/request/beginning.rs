//! Tours that begin with given squares, and what is left of their board.
//!
//! Squares at steps 0, 1, 2 ... are a path. As no tour comes back to the squares inside it, they may as well be blocked:
//! so a count takes no longer than for the squares that are left.

use super::request::{Request, contains, ordered};
use crate::board::Board;
use crate::run::Misuse;

impl Request {
    /// The same tours from a square with which a given path begins; an error if they start elsewhere.
    pub fn with_beginning(self, first: u32) -> Result<Request, Misuse> {
        match self.start {
            Some(start) if start != first => {
                Err(Misuse::OtherStart { start: self.board.name(start), first: self.board.name(first) })
            }
            _ => self.with_start(first),
        }
    }

    /// The squares at steps 0, 1, 2 and so on, as far as they are given; `None` if two of them are not a move apart,
    /// or if the tours are asked for from elsewhere.
    fn beginning(&self) -> Option<Vec<u32>> {
        let path: Vec<u32> =
            self.steps.iter().zip(0..).take_while(|(at, step)| at.0 == *step).map(|(at, _)| at.1).collect();
        let &first = path.first()?;
        let is_from_there = self.start.is_none_or(|start| start == first);
        let is_path = path.windows(2).all(|pair| self.board.is_move(pair[0], pair[1]));
        (is_from_there && is_path).then_some(path)
    }

    /// A request that has as many tours: from the end of the given beginning over the squares that are left, and for
    /// closed tours back to the start. `None` where nothing can be left out.
    #[must_use]
    pub(crate) fn after_beginning(&self) -> Option<Request> {
        let path = self.beginning().filter(|path| path.len() > 2 && self.is_plain())?;
        let last = path.len() - 1;
        let (passed, end) = if self.closed { (&path[1..last], Some(path[0])) } else { (&path[..last], self.end) };
        let mut moves: Vec<_> = path.windows(2).map(|pair| ordered(pair[0], pair[1])).collect();
        moves.sort_unstable();
        let mut gone = passed.to_vec();
        gone.sort_unstable();
        let is_left = |&(a, b): &(u32, u32)| gone.binary_search(&a).is_err() && gone.binary_search(&b).is_err();
        // A move to use that leads aside, or one to avoid that the path makes: the theorems say so.
        let fits = self.including.iter().all(|edge| contains(&moves, *edge) || is_left(edge));
        if !fits || self.excluding.iter().any(|edge| contains(&moves, *edge)) {
            return None;
        }
        let board = &self.board;
        let blocked = board.blocked_squares().chain(passed.iter().copied());
        let board = Board::build(board.rows(), board.cols(), blocked, board.leaper(), board.wrap()).ok()?;
        let mut rest = Request::open(board).with_start(path[last]).ok()?;
        if let Some(end) = end {
            rest = rest.with_end(end).ok()?;
        }
        let including = self.including.iter().filter(|edge| !contains(&moves, **edge)).copied();
        let excluding = self.excluding.iter().filter(|edge| is_left(edge)).copied();
        let later = self.steps[path.len()..].iter().map(|&(step, square)| (square, u64::from(step) - last as u64));
        let rest = rest.with_all_included(including).and_then(|rest| rest.with_all_excluded(excluding));
        rest.and_then(|rest| rest.with_all_steps(later)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of five squares of 5x5 from its corner.
    const PATH: [u32; 5] = [0, 7, 4, 13, 24];

    fn begun(request: Request, squares: &[u32]) -> Request {
        request.with_all_steps(squares.iter().copied().zip(0..)).unwrap()
    }

    #[test]
    fn what_is_no_path_from_the_start_stays_as_it_is() {
        let open = Request::open(Board::new(5, 5).unwrap());
        for other in [
            begun(open.clone(), &PATH[..2]),
            begun(open.clone(), &[0, 1, 2]),
            open.clone().with_step(7, 1).unwrap(),
            begun(open.clone().with_start(4).unwrap(), &PATH),
        ] {
            assert_eq!(other.after_beginning(), None);
        }
    }

    #[test]
    fn the_squares_passed_are_left_out() {
        let board = Board::new(5, 5).unwrap();
        let rest = begun(Request::open(board.clone()), &PATH).with_step(20, 9).unwrap().after_beginning().unwrap();
        assert_eq!((rest.board().len(), rest.start(), rest.end()), (21, Some(24), None));
        assert_eq!(rest.steps(), [(5, 20)]);
        let closed = begun(Request::closed(board), &PATH).after_beginning().unwrap();
        assert_eq!((closed.board().len(), closed.start(), closed.end()), (22, Some(24), Some(0)));
        assert!(!closed.is_closed());
    }
}
