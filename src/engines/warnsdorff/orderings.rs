//! The orderings of moves of Squirrel and Cull.

use crate::board::Board;
use crate::board::square::Square;
use crate::run::{Misuse, Named};

/// An ordering of the eight moves, and the (1-based) square which ends its use.
type Stage = (&'static str, (i64, i64));

/// The eight moves that the orderings speak of, numbered from 1.
const MOVES: [(i64, i64); 8] = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)];

/// No square.
const NEVER: (i64, i64) = (0, 0);

/// The orderings of Squirrel and Cull for one board, seen from the corner where the run starts.
#[derive(Clone, Debug)]
pub(super) struct Orderings {
    side: u32,
    flip_rows: bool,
    flip_cols: bool,
    stages: Vec<Stage>,
    /// Which of the stages the run has come to.
    pub(super) stage: usize,
}

impl Orderings {
    pub(super) fn new(board: &Board, start: Option<u32>) -> Result<Orderings, Misuse> {
        let side = board.rows();
        let start = board.square(start.unwrap_or(0));
        let is_corner = (start.row == 0 || start.row + 1 == side) && (start.col == 0 || start.col + 1 == side);
        if !board.is_knights_rectangle() || side != board.cols() || side < 5 || !is_corner {
            let text = format!(
                "{{}} needs the knight on a plain square board with sides of at least 5, and a start in a \
                 corner; not the {} from {}",
                board.describe(),
                start.name(side)
            );
            return Err(Misuse::options(text, [Named::With("ties", "squirrel")]));
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
    pub(super) fn reach(&mut self, square: Square) {
        if self.seen(square) == self.stages[self.stage].1 {
            self.stage += 1;
        }
    }

    /// Where a move stands in the present ordering.
    pub(super) fn rank(&self, from: Square, to: Square) -> usize {
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
