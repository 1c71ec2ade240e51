//! Crossings: pairs of moves whose segments meet in one point that lies inside both.

use super::{Delta, Geometry, ShortJoin};
use crate::board::square::Square;
use crate::board::tour::Tour;
use crate::run::{Budget, Halt, Pause, Task};

/// Counts the crossings of tours of one board, of one tour after another.
///
/// Moves that share a square, that touch, or that lie along one line do not cross.
///
/// Cost: a byte a square of the board, and about a hundred nanoseconds a move of the knight; the squares
/// to look at grow with the square of the leaper's legs.
#[derive(Clone, Debug)]
pub struct Crossings {
    geometry: Geometry,
    /// Where the moves are that may cross one of each slope.
    windows: Vec<Vec<Window>>,
    /// The same as distances in square numbers, for moves away from the edges; empty where those are long lists.
    offsets: Vec<Vec<(isize, u8)>>,
    /// How many squares all windows of a slope have, at most.
    work: u64,
    /// Which slopes have a move that begins on the square and leads down (or to the right): a bit each.
    marks: Vec<u8>,
    /// Moves marked, then moves looked at, of the tour under way.
    at: usize,
    marked: bool,
    found: u64,
}

/// Some squares of one row, by their distance from the square where a move begins: a move of the given
/// slope that begins there crosses it.
#[derive(Clone, Debug)]
struct Window {
    slope: u8,
    row: i64,
    first: i64,
    last: i64,
}

/// This many squares round a move are kept as a list.
const SHORT: u64 = 64;

/// Moves marked or looked at between two questions to the budget, windows aside.
const CHUNK: u64 = 4096;

impl Crossings {
    /// On boards of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Crossings {
        let slopes = geometry.slopes();
        let windows: Vec<Vec<Window>> = slopes.iter().map(|&one| windows(one, slopes, geometry)).collect();
        let size = |windows: &Vec<Window>| windows.iter().map(|w| (w.last - w.first + 1) as u64).sum::<u64>();
        let work = windows.iter().map(size).max().unwrap_or(0);
        let mut offsets = Vec::new();
        if work <= SHORT {
            let cols = geometry.cols as isize;
            offsets.extend(windows.iter().map(|windows| {
                let squares = |w: &Window| {
                    let (row, slope) = (w.row as isize * cols, w.slope);
                    (w.first..=w.last).map(move |col| (row + col as isize, slope))
                };
                windows.iter().flat_map(squares).collect()
            }));
        }
        Crossings {
            geometry: geometry.clone(),
            windows,
            offsets,
            work,
            marks: Vec::new(),
            at: 0,
            marked: false,
            found: 0,
        }
    }

    /// Bytes of memory that counting takes, from above.
    #[must_use]
    pub fn bytes(geometry: &Geometry) -> u64 {
        let (rows, reach) = (u64::from(geometry.rows), geometry.slopes().iter().map(|delta| delta.0).max());
        let reach = rows.min(reach.unwrap_or(0).unsigned_abs());
        rows * u64::from(geometry.cols) + 16 * reach * size_of::<Window>() as u64
    }

    /// Counts the crossings of a tour of the board, in one go.
    #[must_use]
    pub fn count(&mut self, squares: &[u32], closed: bool) -> u64 {
        loop {
            if let Ok(crossings) = self.advance(squares, closed, &Budget::unlimited()) {
                return crossings;
            }
        }
    }

    /// Goes on counting the crossings of a tour of the board. Call it again with the same tour after a
    /// pause. A node is a square looked at.
    pub fn advance(&mut self, squares: &[u32], closed: bool, budget: &Budget) -> Result<u64, Pause> {
        if self.marks.is_empty() {
            budget.check_memory(Crossings::bytes(&self.geometry))?;
            self.marks = vec![0; self.geometry.rows as usize * self.geometry.cols as usize];
        }
        let moves = squares.len() - usize::from(!closed);
        while !self.marked || self.at < moves {
            let price = if self.marked { self.work + 1 } else { 1 };
            let granted = budget.take(CHUNK.max(price))?;
            let chunk = ((granted / price).max(1) as usize).min(moves - self.at);
            // The move that begins on the last square of a closed tour ends on the first.
            let part = &squares[self.at..(self.at + chunk + 1).min(squares.len())];
            let back = if self.at + chunk == squares.len() { squares.first() } else { None };
            let mut from = Square::from_number(part[0], self.geometry.cols);
            for &number in part[1..].iter().chain(back) {
                let to = Square::from_number(number, self.geometry.cols);
                let direction = self.geometry.direction(from, to);
                let slopes = self.windows.len();
                let (begin, slope) = if direction < slopes { (from, direction) } else { (to, direction - slopes) };
                if self.marked {
                    self.found += self.crossing(begin, slope);
                } else {
                    self.marks[begin.number(self.geometry.cols) as usize] |= 1 << slope;
                }
                from = to;
            }
            self.at += chunk;
            if !self.marked && self.at == moves {
                (self.marked, self.at) = (true, 0);
            }
        }
        // Ready for the next tour.
        for &number in squares {
            self.marks[number as usize] = 0;
        }
        (self.marked, self.at) = (false, 0);
        Ok(std::mem::take(&mut self.found))
    }

    /// The moves found from the square where one begins that cross it.
    fn crossing(&self, begin: Square, slope: usize) -> u64 {
        let Geometry { rows, cols, wrap, .. } = self.geometry;
        if let Some(offsets) = self.offsets.get(slope) {
            let reach = self.geometry.reach;
            let inside = |at: u32, side: u32| at >= reach && side - at > reach;
            if inside(begin.row, rows) && inside(begin.col, cols) {
                let from = begin.number(cols) as isize;
                let is_marked = |&(offset, slope): &(isize, u8)| self.marks[(from + offset) as usize] >> slope & 1;
                return offsets.iter().map(|near| u64::from(is_marked(near))).sum();
            }
        }
        let (rows, cols) = (i64::from(rows), i64::from(cols));
        let mut found = 0;
        for window in &self.windows[slope] {
            let mut row = i64::from(begin.row) + window.row;
            if row >= rows {
                if !wrap.joins_rows() {
                    continue;
                }
                row -= rows;
            }
            let col = i64::from(begin.col);
            let is_marked = |col: i64| self.marks[(row * cols + col) as usize] >> window.slope & 1;
            if wrap.joins_cols() {
                let window = col + window.first..=col + window.last;
                found += window.map(|col| u64::from(is_marked(col.rem_euclid(cols)))).sum::<u64>();
            } else {
                let window = (col + window.first).max(0)..=(col + window.last).min(cols - 1);
                found += window.map(|col| u64::from(is_marked(col))).sum::<u64>();
            }
        }
        found
    }
}

/// Where moves begin that cross a move of slope `one` from (0, 0): of each pair of moves only from the
/// one that begins first in reading order.
///
/// A move of slope `two` from `o` crosses it if `o = x one - y two` with x and y between 0 and 1. With
/// the cross product, x = (o × two) / (one × two) and y = (o × one) / (one × two): four bounds, each linear
/// in the column for a given row.
fn windows(one: Delta, slopes: &[Delta], geometry: &Geometry) -> Vec<Window> {
    let cross = |u: Delta, v: Delta| i128::from(u.0) * i128::from(v.1) - i128::from(u.1) * i128::from(v.0);
    let mut windows = Vec::new();
    for (slope, &two) in slopes.iter().enumerate() {
        let area = cross(one, two);
        for row in 0..one.0.min(i64::from(geometry.rows)) {
            let reach = i128::from(geometry.cols);
            let (mut first, mut last) = (if row == 0 { 1 } else { -reach }, reach);
            for side in [two, one] {
                // 0 < (row * side.1 - col * side.0) / area < 1
                let (fixed, factor) = (i128::from(row) * i128::from(side.1), -i128::from(side.0));
                let (fixed, factor) = (fixed * area.signum(), factor * area.signum());
                let area = area.abs();
                if factor == 0 {
                    if fixed <= 0 || fixed >= area {
                        last = first - 1;
                    }
                } else {
                    // The bounds on col where the value is 0 and where it is `area`, both left out.
                    let (low, high) = if factor > 0 { (-fixed, area - fixed) } else { (fixed - area, fixed) };
                    let factor = factor.abs();
                    first = first.max(low.div_euclid(factor) + 1);
                    last = last.min(-(-high).div_euclid(factor) - 1);
                }
            }
            if first <= last {
                windows.push(Window { slope: slope as u8, row, first: first as i64, last: last as i64 });
            }
        }
    }
    windows
}

/// A count of the crossings of one tour.
#[derive(Debug)]
pub struct CountCrossings {
    geometry: Geometry,
    crossings: Option<Crossings>,
    tour: Tour,
}

impl CountCrossings {
    /// A count that has not begun.
    pub fn new(tour: Tour) -> Result<CountCrossings, ShortJoin> {
        Ok(CountCrossings { geometry: Geometry::new(tour.board())?, crossings: None, tour })
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        Crossings::bytes(&self.geometry)
    }
}

impl Task for CountCrossings {
    type Answer = u64;

    fn advance(&mut self, budget: &Budget) -> Result<u64, Halt> {
        let crossings = self.crossings.get_or_insert_with(|| Crossings::new(&self.geometry));
        Ok(crossings.advance(self.tour.squares(), self.tour.is_closed(), budget)?)
    }

    fn squares(&self) -> usize {
        self.tour.squares().len()
    }
}

/// The crossings of a tour, in one go.
pub fn crossings(tour: &Tour) -> Result<u64, ShortJoin> {
    let mut crossings = Crossings::new(&Geometry::new(tour.board())?);
    Ok(crossings.count(tour.squares(), tour.is_closed()))
}
