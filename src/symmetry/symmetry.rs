//! Symmetries: the eight of the square, the translations of joined edges, and their products.

use std::fmt;

use crate::board::Board;
use crate::board::moves::Wrap;
use crate::board::square::Square;
use crate::board::tour::Tour;

/// One of the eight symmetries of the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Nothing moves.
    Identity,
    /// Half a turn.
    HalfTurn,
    /// A quarter turn clockwise as printed.
    QuarterTurn,
    /// Three quarter turns clockwise.
    ThreeQuarterTurn,
    /// Left and right change places.
    FlipHorizontal,
    /// Top and bottom change places.
    FlipVertical,
    /// Rows become columns: the diagonal from the top left corner stays.
    Transpose,
    /// The diagonal from the top right corner stays.
    AntiTranspose,
}

impl Point {
    /// All eight, in the order in which they are listed everywhere.
    pub const ALL: [Point; 8] = [
        Point::Identity,
        Point::HalfTurn,
        Point::QuarterTurn,
        Point::ThreeQuarterTurn,
        Point::FlipHorizontal,
        Point::FlipVertical,
        Point::Transpose,
        Point::AntiTranspose,
    ];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Point::Identity => "identity",
            Point::HalfTurn => "half-turn",
            Point::QuarterTurn => "quarter-turn",
            Point::ThreeQuarterTurn => "three-quarter-turn",
            Point::FlipHorizontal => "flip-horizontal",
            Point::FlipVertical => "flip-vertical",
            Point::Transpose => "transpose",
            Point::AntiTranspose => "anti-transpose",
        }
    }

    /// Whether rows become columns.
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        matches!(self, Point::QuarterTurn | Point::ThreeQuarterTurn | Point::Transpose | Point::AntiTranspose)
    }

    /// What undoes it.
    #[must_use]
    pub const fn inverse(self) -> Point {
        match self {
            Point::QuarterTurn => Point::ThreeQuarterTurn,
            Point::ThreeQuarterTurn => Point::QuarterTurn,
            own => own,
        }
    }

    /// Where a square of a board of `rows` x `cols` goes.
    const fn apply(self, square: Square, rows: u32, cols: u32) -> Square {
        let Square { row, col } = square;
        let (up, left) = (rows - 1 - row, cols - 1 - col);
        match self {
            Point::Identity => square,
            Point::HalfTurn => Square::new(up, left),
            Point::QuarterTurn => Square::new(col, up),
            Point::ThreeQuarterTurn => Square::new(left, row),
            Point::FlipHorizontal => Square::new(row, left),
            Point::FlipVertical => Square::new(up, col),
            Point::Transpose => Square::new(col, row),
            Point::AntiTranspose => Square::new(left, up),
        }
    }
}

/// A symmetry: first one of the eight, then a translation round the joined edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry {
    /// The part that turns or reflects.
    pub point: Point,
    /// Rows moved down, then round.
    pub down: u32,
    /// Columns moved right, then round.
    pub right: u32,
}

impl Symmetry {
    /// Nothing moves.
    pub const IDENTITY: Symmetry = Symmetry { point: Point::Identity, down: 0, right: 0 };

    /// Reads a name as [`fmt::Display`] writes it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Symmetry> {
        let point_named = |name: &str| Point::ALL.into_iter().find(|p| p.name() == name);
        let shift = |text: &str| {
            let (down, right) = text.strip_prefix("translation(")?.strip_suffix(')')?.split_once(',')?;
            Some((down.trim().parse().ok()?, right.trim().parse().ok()?))
        };
        if let Some(point) = point_named(name) {
            return Some(Symmetry { point, down: 0, right: 0 });
        }
        let (point, (down, right)) = match name.split_once('+') {
            Some((point, rest)) => (point_named(point)?, shift(rest)?),
            None => (Point::Identity, shift(name)?),
        };
        Some(Symmetry { point, down, right })
    }

    /// The image of the square with this number. Both numbers are on boards of the right size: the
    /// image's has rows and columns swapped if the symmetry swaps them.
    #[must_use]
    #[inline]
    pub fn map(&self, number: u32, rows: u32, cols: u32) -> u32 {
        let (to_rows, to_cols) = if self.point.swaps_sides() { (cols, rows) } else { (rows, cols) };
        let square = self.point.apply(Square::from_number(number, cols), rows, cols);
        let wide = |at: u32, by: u32, size: u32| ((u64::from(at) + u64::from(by)) % u64::from(size)) as u32;
        Square::new(wide(square.row, self.down, to_rows), wide(square.col, self.right, to_cols)).number(to_cols)
    }

    /// The square whose image is the square with this number, for a symmetry of the board.
    fn unmap(&self, number: u32, rows: u32, cols: u32) -> u32 {
        let back = |at: u32, by: u32, size: u32| (at + (size - by % size)) % size;
        let square = Square::from_number(number, cols);
        let square = Square::new(back(square.row, self.down, rows), back(square.col, self.right, cols));
        self.point.inverse().apply(square, rows, cols).number(cols)
    }

    /// The board's image.
    #[must_use]
    pub fn map_board(&self, board: &Board) -> Board {
        let (rows, cols) = (board.rows(), board.cols());
        let swap = self.point.swaps_sides();
        let (to_rows, to_cols) = if swap { (cols, rows) } else { (rows, cols) };
        let wrap = if swap { board.wrap().transposed() } else { board.wrap() };
        let blocked: Vec<u32> = board.blocked_squares().map(|n| self.map(n, rows, cols)).collect();
        Board::build(to_rows, to_cols, blocked, board.leaper(), wrap).unwrap_or_else(|_| board.clone())
    }

    /// Whether it takes the board to a board: translations need joined edges, of the image where sides
    /// change places.
    #[must_use]
    pub fn applies_to(&self, board: &Board) -> bool {
        let swap = self.point.swaps_sides();
        let (rows, cols) = if swap { (board.cols(), board.rows()) } else { (board.rows(), board.cols()) };
        let wrap = if swap { board.wrap().transposed() } else { board.wrap() };
        (wrap.joins_rows() || self.down.is_multiple_of(rows)) && (wrap.joins_cols() || self.right.is_multiple_of(cols))
    }

    /// Whether this is a symmetry of the board: it maps the board to itself, with its open squares and joined
    /// edges, and so its moves. (On some small cylinders the moves stay the same when rows and columns change places; the
    /// board does not.)
    #[must_use]
    pub fn fixes(&self, board: &Board) -> bool {
        let (rows, cols) = (board.rows(), board.cols());
        if self.point.swaps_sides() && (rows != cols || board.wrap() != board.wrap().transposed()) {
            return false;
        }
        if (!self.down.is_multiple_of(rows) && !board.wrap().joins_rows())
            || (!self.right.is_multiple_of(cols) && !board.wrap().joins_cols())
        {
            return false;
        }
        board.blocked_squares().all(|n| !board.is_open(self.map(n, rows, cols)))
    }
}

/// `quarter-turn`, `translation(0,3)`, `half-turn+translation(1,2)`.
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.point, self.down, self.right) {
            (point, 0, 0) => f.write_str(point.name()),
            (Point::Identity, down, right) => write!(f, "translation({down},{right})"),
            (point, down, right) => write!(f, "{}+translation({down},{right})", point.name()),
        }
    }
}

impl Board {
    /// The board's symmetries, which are a group, the identity first: for each translation of joined edges (by rows,
    /// then by columns) the symmetries of the square in the order of [`Point::ALL`].
    ///
    /// Cost: constant on plain boards; with joined edges, the number of translations that map one
    /// blocked square to another (all of them where no square is blocked).
    #[must_use]
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let candidates = Symmetries::of(self);
        let is_sorted = candidates.blocked.is_empty();
        let mut found: Vec<Symmetry> = candidates.flatten().collect();
        if !is_sorted {
            found.sort_by_key(|s| (s.down, s.right, s.point));
        }
        found
    }
}

/// The symmetries of a board one by one, in constant memory; and `None` for each that was tried and is none.
///
/// Cost: constant for each, or where squares are blocked and edges are joined a look at all blocked squares.
#[derive(Clone, Debug)]
pub struct Symmetries {
    board: Board,
    /// The symmetries of the square that come into question.
    points: Vec<Point>,
    /// Where squares are blocked and edges joined: one of these is where the first of them goes.
    blocked: Vec<u32>,
    at: u64,
    all: u64,
}

impl Symmetries {
    /// None of them tried.
    #[must_use]
    pub fn of(board: &Board) -> Symmetries {
        let (rows, cols) = (board.rows(), board.cols());
        let (mut points, mut blocked) = (Point::ALL.to_vec(), Vec::new());
        let choices = if board.wrap() == Wrap::None || board.is_rectangle() {
            points.retain(|&point| Symmetry { point, down: 0, right: 0 }.fixes(board));
            let downs = if board.wrap().joins_rows() { rows } else { 1 };
            let rights = if board.wrap().joins_cols() { cols } else { 1 };
            u64::from(downs) * u64::from(rights)
        } else {
            points.retain(|point| rows == cols || !point.swaps_sides());
            blocked = board.blocked_squares().collect();
            blocked.len() as u64
        };
        let all = choices * points.len() as u64;
        Symmetries { board: board.clone(), points, blocked, at: 0, all }
    }

    /// Bytes of a list of all that may come.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        2 * size_of::<Symmetry>() as u64 * (self.all - self.at)
    }
}

impl Iterator for Symmetries {
    type Item = Option<Symmetry>;

    fn next(&mut self) -> Option<Option<Symmetry>> {
        if self.at == self.all {
            return None;
        }
        let at = self.at;
        self.at += 1;
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let Some(&first) = self.blocked.first() else {
            let rights = if self.board.wrap().joins_cols() { u64::from(cols) } else { 1 };
            let (shift, point) = (at / self.points.len() as u64, at % self.points.len() as u64);
            let (down, right) = ((shift / rights) as u32, (shift % rights) as u32);
            return Some(Some(Symmetry { point: self.points[point as usize], down, right }));
        };
        // A symmetry takes the first blocked square to some blocked square.
        let (point, to) = (at / self.blocked.len() as u64, at % self.blocked.len() as u64);
        let point = self.points[point as usize];
        let image = self.board.square(Symmetry { point, down: 0, right: 0 }.map(first, rows, cols));
        let to = self.board.square(self.blocked[to as usize]);
        let (down, right) = ((to.row + rows - image.row) % rows, (to.col + cols - image.col) % cols);
        let symmetry = Symmetry { point, down, right };
        Some(symmetry.fixes(&self.board).then_some(symmetry))
    }
}

impl Tour {
    /// The tour's image on the board's image.
    #[must_use]
    pub fn transformed(&self, symmetry: &Symmetry) -> Tour {
        let board = self.board();
        let squares = self.squares().iter().map(|&n| symmetry.map(n, board.rows(), board.cols())).collect();
        Tour::trusted(symmetry.map_board(board), squares, self.is_closed())
    }

    /// The listed form: an open tour as it is; a cycle from its smallest square number towards the
    /// smaller of that square's two neighbours.
    #[must_use]
    pub fn listed(&self) -> Tour {
        self.listed_from(None)
    }

    /// The listed form, for cycles from a given square.
    #[must_use]
    pub fn listed_from(&self, start: Option<u32>) -> Tour {
        if !self.is_closed() {
            return self.clone();
        }
        let mut squares = self.squares().to_vec();
        list_cycle(&mut squares, start);
        Tour::trusted(self.board().clone(), squares, true)
    }

    /// The representative of the tour's class under the board's symmetries and reversal: of the
    /// listed forms of all images, the one with the lexicographically smallest square numbers.
    ///
    /// Cost: a pass of the tour for each symmetry that maps it to itself, and a few squares for each
    /// other symmetry of the board, for most images differ early.
    #[must_use]
    pub fn canonical(&self) -> Tour {
        let steps = self.steps();
        let mut best: Option<Image> = None;
        for symmetry in self.board().symmetries() {
            for image in Image::listed(self, &steps, symmetry) {
                if best.as_ref().is_none_or(|best| image.squares().lt(best.squares())) {
                    best = Some(image);
                }
            }
        }
        best.map_or_else(
            || self.clone(),
            |best| Tour::trusted(self.board().clone(), best.squares().collect(), self.is_closed()),
        )
    }

    /// Whether a symmetry maps this tour to the other, direction aside: one of the eight of the square, which take the
    /// board along, perhaps with a translation round joined edges.
    ///
    /// Cost: as for [`Tour::canonical`].
    #[must_use]
    pub fn is_equivalent(&self, other: &Tour) -> bool {
        let (board, image) = (self.board(), other.board());
        if self.is_closed() != other.is_closed() || board.len() != image.len() {
            return false;
        }
        if board == image {
            return self.canonical() == other.canonical();
        }
        // Any symmetry that maps the one board to the other will do: all others differ from it by symmetries
        // of the board. Where squares are blocked, it takes the first of them to one of the other board's.
        for point in Point::ALL {
            let turn = Symmetry { point, down: 0, right: 0 };
            let first = board.blocked_squares().next().map(|first| turn.map(first, board.rows(), board.cols()));
            let shifts: Vec<(u32, u32)> = match first {
                Some(first) if board.wrap() != Wrap::None => {
                    let (rows, cols) = (image.rows(), image.cols());
                    let from = Square::from_number(first, cols);
                    let to = image.blocked_squares().map(|number| Square::from_number(number, cols));
                    to.map(|to| ((to.row + rows - from.row % rows) % rows, (to.col + cols - from.col) % cols)).collect()
                }
                _ => vec![(0, 0)],
            };
            for (down, right) in shifts {
                let symmetry = Symmetry { point, down, right };
                if symmetry.applies_to(board) && symmetry.map_board(board) == *image {
                    return self.transformed(&symmetry).canonical() == other.canonical();
                }
            }
        }
        false
    }

    /// The symmetries of the board that map the tour to itself, direction aside; the identity first.
    ///
    /// Cost: as for [`Tour::canonical`].
    #[must_use]
    pub fn symmetry(&self) -> Vec<Symmetry> {
        let steps = self.steps();
        let own = Image::listed(self, &steps, Symmetry::IDENTITY).next();
        let mut symmetries = self.board().symmetries();
        symmetries.retain(|&symmetry| {
            let own = own.as_ref();
            let is_own = |image: Image| own.is_some_and(|own| image.squares().eq(own.squares()));
            Image::listed(self, &steps, symmetry).any(is_own)
        });
        symmetries
    }
}

/// The image of a tour under a symmetry of its board, read from `first` on, forwards or backwards. Its
/// squares are worked out when they are asked for.
struct Image<'a> {
    tour: &'a Tour,
    symmetry: Symmetry,
    first: usize,
    backwards: bool,
}

impl<'a> Image<'a> {
    /// The listed forms: an open tour in both directions, a cycle in one.
    fn listed(tour: &'a Tour, steps: &[u32], symmetry: Symmetry) -> impl Iterator<Item = Image<'a>> {
        let last = tour.squares().len() - 1;
        let image = |first, backwards| Image { tour, symmetry, first, backwards };
        if !tour.is_closed() {
            return [Some(image(0, false)), Some(image(last, true))].into_iter().flatten();
        }
        // All open squares are in the image, so it is listed from the first of them.
        let (board, smallest) = (tour.board(), tour.board().open_squares().next());
        let from = smallest.map_or(0, |square| symmetry.unmap(square, board.rows(), board.cols()));
        let first = steps[from as usize] as usize;
        let (forwards, backwards) = (image(first, false), image(first, true));
        let listed = if forwards.squares().nth(1) < backwards.squares().nth(1) { forwards } else { backwards };
        [Some(listed), None].into_iter().flatten()
    }

    fn squares(&self) -> impl Iterator<Item = u32> {
        let (rows, cols) = (self.tour.board().rows(), self.tour.board().cols());
        let squares = self.tour.squares();
        let len = squares.len();
        (0..len).map(move |index| {
            let at = if self.backwards { self.first + len - index } else { self.first + index };
            self.symmetry.map(squares[if at < len { at } else { at - len }], rows, cols)
        })
    }
}

/// Turns a cycle so that it begins at `start` (or at its smallest square) and runs towards the
/// smaller of that square's two neighbours.
pub fn list_cycle(squares: &mut [u32], start: Option<u32>) {
    let at = match start {
        Some(start) => squares.iter().position(|&s| s == start),
        None => (0..squares.len()).min_by_key(|&i| squares[i]),
    };
    squares.rotate_left(at.unwrap_or(0));
    if squares.len() > 2 && squares[1] > squares[squares.len() - 1] {
        squares[1..].reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::moves::Leaper;

    fn names(board: &Board) -> Vec<String> {
        board.symmetries().iter().map(Symmetry::to_string).collect()
    }

    #[test]
    fn boards_have_the_symmetries_they_show() {
        let board = |picture: &str| Board::parse(picture, Leaper::KNIGHT, Wrap::None).unwrap();
        assert_eq!(names(&Board::new(4, 4).unwrap()).len(), 8);
        assert_eq!(names(&Board::new(3, 4).unwrap()), ["identity", "half-turn", "flip-horizontal", "flip-vertical"]);
        assert_eq!(names(&board("#..\n...\n...")), ["identity", "transpose"]);
        assert_eq!(names(&board(".#.\n...\n...")), ["identity", "flip-horizontal"]);
        assert_eq!(names(&board("..#\n...\n...")), ["identity", "anti-transpose"]);
        let torus = Board::build(5, 5, [], Leaper::KNIGHT, Wrap::Both).unwrap();
        assert_eq!(torus.symmetries().len(), 200);
        let holes = Board::build(5, 5, [0, 12], Leaper::KNIGHT, Wrap::Both).unwrap();
        // Each maps the pair {0, 12} to itself: all are found by trying every product.
        let all = Point::ALL
            .into_iter()
            .flat_map(|point| (0..5).flat_map(move |down| (0..5).map(move |right| Symmetry { point, down, right })));
        assert_eq!(holes.symmetries().len(), all.filter(|s| s.fixes(&holes)).count());
    }

    #[test]
    fn every_symmetry_keeps_moves_and_its_name() {
        for wrap in [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both] {
            let board = Board::build(4, 4, [5], Leaper::new(1, 2), wrap).unwrap();
            for symmetry in board.symmetries() {
                assert_eq!(Symmetry::from_name(&symmetry.to_string()), Some(symmetry));
                for from in board.open_squares() {
                    for &to in board.moves(from).as_slice() {
                        assert!(board.is_move(symmetry.map(from, 4, 4), symmetry.map(to, 4, 4)));
                    }
                }
            }
        }
    }

    #[test]
    fn symmetries_are_a_group() {
        let mut rng = crate::run::rng::Rng::seeded(4);
        for case in 0..400 {
            let (rows, cols) = (1 + rng.below(4) as u32, 1 + rng.below(4) as u32);
            let blocked: Vec<u32> = (0..rows * cols).filter(|_| rng.below(6) == 0).collect();
            let leaper = [(1, 2), (0, 1), (1, 1), (2, 3)][case % 4];
            let wrap = [Wrap::None, Wrap::Cols, Wrap::Rows, Wrap::Both][case / 4 % 4];
            let Ok(board) = Board::build(rows, cols, blocked, Leaper::new(leaper.0, leaper.1), wrap) else { continue };
            let permutation = |s: &Symmetry| (0..rows * cols).map(|n| s.map(n, rows, cols)).collect::<Vec<_>>();
            let group: std::collections::HashSet<Vec<u32>> = board.symmetries().iter().map(permutation).collect();
            assert!(board.symmetries()[0] == Symmetry::IDENTITY);
            for a in &group {
                let is_kept =
                    |n: u32| board.moves(n).as_slice().iter().all(|&to| board.is_move(a[n as usize], a[to as usize]));
                assert!(board.open_squares().all(|n| board.is_open(a[n as usize]) && is_kept(n)), "{board:?}");
                for b in &group {
                    let product: Vec<u32> = a.iter().map(|&n| b[n as usize]).collect();
                    assert!(group.contains(&product), "{board:?}");
                }
            }
        }
    }

    #[test]
    fn a_quarter_turn_is_clockwise() {
        let turn = Symmetry::from_name("quarter-turn").unwrap();
        // The top left corner of 3 x 4 goes to the top right corner of 4 x 3.
        assert_eq!(turn.map(0, 3, 4), 2);
        let board = Board::build(3, 4, [0], Leaper::KNIGHT, Wrap::Cols).unwrap();
        let image = turn.map_board(&board);
        assert_eq!((image.rows(), image.cols(), image.wrap()), (4, 3, Wrap::Rows));
        assert_eq!(image.blocked_squares().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn canonical_forms_agree_with_all_images_written_out() {
        let open = Tour::parse("1 4 7 10\n8 11 2 5\n3 6 9 12", None).unwrap();
        let ring = Tour::parse("1 6 3\n4 # 8\n7 2 5", None).unwrap();
        let turned = ring.transformed(&Symmetry::from_name("quarter-turn").unwrap());
        let torus = Board::build(3, 3, [4], Leaper::KNIGHT, Wrap::Both).unwrap();
        let torus = Tour::new(torus, ring.squares().to_vec(), Some(true)).unwrap();
        for tour in [open.reversed(), open, ring.reversed(), ring, turned, torus] {
            let images: Vec<(Symmetry, Vec<u32>)> = tour
                .board()
                .symmetries()
                .into_iter()
                .flat_map(|symmetry| {
                    let image = tour.transformed(&symmetry);
                    [(symmetry, image.listed()), (symmetry, image.reversed().listed())]
                })
                .map(|(symmetry, tour)| (symmetry, tour.squares().to_vec()))
                .collect();
            let smallest = &images.iter().min_by_key(|(_, squares)| squares).unwrap().1;
            assert_eq!(tour.canonical().squares()[..], smallest[..]);
            let own = tour.listed();
            let mut fixing: Vec<Symmetry> =
                images.iter().filter(|(_, squares)| squares[..] == own.squares()[..]).map(|(s, _)| *s).collect();
            fixing.dedup();
            assert_eq!(tour.symmetry(), fixing);
            for (symmetry, _) in images {
                for number in tour.board().open_squares() {
                    let (rows, cols) = (tour.board().rows(), tour.board().cols());
                    assert_eq!(symmetry.unmap(symmetry.map(number, rows, cols), rows, cols), number);
                }
            }
        }
    }
}
