//! [`PathRequest`]: which paths are meant.

use std::sync::Arc;

use crate::board::Board;
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::Misuse;

/// All paths, or cycles, of this many squares of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathRequest {
    tours: Request,
    squares: usize,
}

impl PathRequest {
    /// Paths of this many squares. `tours` says of which board, open or closed, and where they begin and end: what else
    /// it asks for is refused. A cycle with a given start goes through it. More squares than the board has are no
    /// error: there is no such path.
    pub fn new(tours: Request, squares: usize) -> Result<PathRequest, Misuse> {
        if squares == 0 {
            return Err(Misuse::NoSquares { board: tours.board().describe() });
        }
        if !tours.is_plain() || !tours.is_unconstrained() {
            return Err(Misuse::TooMuchGiven { what: "paths" });
        }
        Ok(PathRequest { tours, squares })
    }

    /// The tours that it would be with all squares.
    #[must_use]
    pub fn tours(&self) -> &Request {
        &self.tours
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.tours.board()
    }

    /// How many squares a path visits.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// Whether cycles are asked for.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.tours.is_closed()
    }

    /// The moves of the board; all of them, whatever the ends.
    #[must_use]
    pub fn graph(&self) -> Arc<Graph> {
        Arc::new(Graph::new(&Request::open(self.board().clone())))
    }
}
