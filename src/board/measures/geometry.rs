//! [`Geometry`]: the directions of the moves of a board, and the shape of a tour on it.

use crate::board::Board;
use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;

/// A direction: rows down, columns to the right.
pub type Delta = (i64, i64);

/// The directions of a board's moves and the angles between them.
///
/// ```
/// use knightstour::board::measures::Geometry;
/// use knightstour::{Board, Tour};
/// let geometry = Geometry::new(&Board::new(3, 4)?)?;
/// assert_eq!(geometry.slopes(), [(1, -2), (1, 2), (2, -1), (2, 1)]);
/// assert_eq!(geometry.angles(), [36.87, 53.13, 90.0, 126.87, 143.13, 180.0]);
/// let tour = Tour::parse("1 4 7 10\n12 9 2 5\n3 6 11 8", None)?;
/// let shape = geometry.shape(tour.squares(), tour.is_closed());
/// assert_eq!((shape.turns, shape.slopes), (10, vec![3, 4, 3, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Geometry {
    pub(super) rows: u32,
    pub(super) cols: u32,
    pub(super) wrap: Wrap,
    /// How far from its square a move's crossings can lie: two of the longer legs.
    pub(super) reach: u32,
    /// Every direction: the slopes, then their opposites in the same order.
    directions: Vec<Delta>,
    /// In degrees, rounded to two decimals, rising.
    angles: Vec<f64>,
    /// Which of the angles two moves make that follow each other in given directions.
    between: Vec<u8>,
}

/// The turns, angles and slopes of one tour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Squares where the tour does not go straight on.
    pub turns: u64,
    /// How many squares have each angle, in the order of [`Geometry::angles`].
    pub angles: Vec<u64>,
    /// How many moves have each slope, in the order of [`Geometry::slopes`].
    pub slopes: Vec<u64>,
}

/// A move along a joined side can be drawn in more than one direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "turns, angles, slopes and crossings need a board whose joined sides have more than {long} squares (for the \
     ({}, {})-leaper): on the {board}, a move can be drawn in more than one direction",
    leaper.0,
    leaper.1
)]
pub struct ShortJoin {
    /// Squares that a joined side must have more of.
    pub long: u64,
    /// The two distances of the leaper's move.
    pub leaper: (u32, u32),
    /// The board, described.
    pub board: String,
}

impl Geometry {
    /// Of a board; an error if a joined side is so short that moves have no definite direction.
    pub fn new(board: &Board) -> Result<Geometry, ShortJoin> {
        let Leaper { a, b } = board.leaper();
        let (rows, cols, wrap) = (board.rows(), board.cols(), board.wrap());
        let long = 2 * u64::from(b);
        if wrap.joins_rows() && u64::from(rows) <= long || wrap.joins_cols() && u64::from(cols) <= long {
            return Err(ShortJoin { long, leaper: (a, b), board: board.describe() });
        }
        let (a, b) = (i64::from(a), i64::from(b));
        let mut directions = vec![(a, -b), (a, b), (b, -a), (b, a)];
        // A slope is named by the direction that leads down, or to the right.
        directions.retain(|&delta| delta > (0, 0));
        directions.sort_unstable();
        directions.dedup();
        let opposites: Vec<Delta> = directions.iter().map(|&(down, right)| (-down, -right)).collect();
        directions.extend(opposites);
        let angle = |one: Delta, two: Delta| {
            // Between the way back and the way on: straight on is 180 degrees. The tangent's two sides
            // are exact, and so is a right angle.
            let dot = -(one.0 as f64 * two.0 as f64 + one.1 as f64 * two.1 as f64);
            let cross = (one.0 as f64 * two.1 as f64 - one.1 as f64 * two.0 as f64).abs();
            (cross.atan2(dot).to_degrees() * 100.0).round() / 100.0
        };
        let mut angles: Vec<f64> = Vec::new();
        for &one in &directions {
            // A tour never goes back the way it came.
            angles.extend(directions.iter().filter(|&&two| two != (-one.0, -one.1)).map(|&two| angle(one, two)));
        }
        angles.sort_unstable_by(f64::total_cmp);
        angles.dedup();
        let mut between = Vec::new();
        for &one in &directions {
            for &two in &directions {
                let place = angles.iter().position(|&known| known == angle(one, two));
                between.push(place.unwrap_or(0) as u8);
            }
        }
        let reach = u32::try_from(long).unwrap_or(u32::MAX);
        Ok(Geometry { rows, cols, wrap, reach, directions, angles, between })
    }

    /// The slopes of the moves, each by the direction that leads down (or to the right): (rows down,
    /// columns to the right), in rising order.
    #[must_use]
    pub fn slopes(&self) -> &[Delta] {
        &self.directions[..self.directions.len() / 2]
    }

    /// The angles that two moves in succession can make, in degrees, rounded to two decimals, rising. The
    /// last one, 180, is that of going straight on; angles that are alike in these decimals count as one.
    #[must_use]
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// The place among all directions of the move between two squares that are a move apart.
    #[inline]
    pub(super) fn direction(&self, from: Square, to: Square) -> usize {
        let shortest = |from: u32, to: u32, side: u32, joined: bool| {
            let (way, side) = (i64::from(to) - i64::from(from), i64::from(side));
            match joined {
                true if 2 * way > side => way - side,
                true if 2 * way < -side => way + side,
                _ => way,
            }
        };
        let delta = (
            shortest(from.row, to.row, self.rows, self.wrap.joins_rows()),
            shortest(from.col, to.col, self.cols, self.wrap.joins_cols()),
        );
        self.directions.iter().position(|&direction| direction == delta).unwrap_or(0)
    }

    /// The directions of a tour's moves.
    fn moves<'a>(&'a self, squares: &'a [u32], closed: bool) -> impl Iterator<Item = usize> + 'a {
        let mut from = Square::from_number(squares[0], self.cols);
        squares.iter().skip(1).chain(squares.first().filter(|_| closed)).map(move |&number| {
            let to = Square::from_number(number, self.cols);
            let direction = self.direction(from, to);
            from = to;
            direction
        })
    }

    /// Turns, angles and slopes of a tour of the board. Cost: a few nanoseconds a square.
    #[must_use]
    pub fn shape(&self, squares: &[u32], closed: bool) -> Shape {
        let count = self.directions.len();
        let mut slopes = vec![0; count / 2];
        let mut angles = vec![0; self.angles.len()];
        let (mut first, mut last) = (None, None);
        for direction in self.moves(squares, closed) {
            slopes[direction % (count / 2)] += 1;
            if let Some(last) = last {
                angles[usize::from(self.between[last * count + direction])] += 1;
            }
            first = first.or(Some(direction));
            last = Some(direction);
        }
        if let (true, Some(first), Some(last)) = (closed, first, last) {
            angles[usize::from(self.between[last * count + first])] += 1;
        }
        Shape { turns: angles.iter().rev().skip(1).sum(), angles, slopes }
    }
}
