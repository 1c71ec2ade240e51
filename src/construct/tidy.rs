//! Tidy tours: closed tours of rectangles with few turns and few crossings.
//!
//! Nearly all of the board is covered by straight lines of moves two rows down and one column to the
//! right. Four neighbouring lines, whose squares make blocks of 2 x 2, are a *lane*. At the edges of the board *heels*
//! join each lane to the next one, so that four knights who keep together go to and fro over the whole
//! board: along the top and bottom a heel is 4 columns wide and 2 rows deep and has 8 turns and 10
//! crossings, along the left and right it is 8 rows high and 3 columns deep, with 20 turns and 23
//! crossings. In each corner a small block is covered by search, in such a way that all becomes one cycle. On
//! n x n that makes 9 n turns and 10.75 n crossings, but for a constant.
//!
//! The idea of the formation of four is that of J. J. Besa, T. Johnson, N. Mamano, M. C. Osegueda and
//! P. Williams, "Taming the Knight's Tour: Minimizing Turns and Crossings", Theoretical Computer Science
//! 902 (2022), who have 9.25 n turns and 12 n crossings. These heels were found by exhausting what
//! fits into their depth.

use super::Construction;
use super::block::{DELTAS, Search};
use crate::board::Board;
use crate::budget::{Budget, Pause};
use crate::request::{Request, RequestError};

/// The directions of a square's two moves: bit d stands for `DELTAS[d]`.
type Links = u8;

/// Straight on: two rows down and one column to the right, and back.
const DOWN: usize = 7;
const UP: usize = 0;
const STRAIGHT: Links = 1 << DOWN | 1 << UP;

/// The heel of the top edge, column by column.
const TOP: [[Links; 2]; 4] = [[0xa0, 0x88], [0xa0, 0x88], [0x90, 0x84], [0x90, 0x84]];

/// The heel of the left edge, row by row.
const LEFT: [[Links; 3]; 8] = [
    [0x82, 0x42, 0x81],
    [0x82, 0x41, 0x81],
    [0x82, 0x41, 0x90],
    [0x0a, 0x41, 0x90],
    [0x0a, 0x41, 0x90],
    [0x0a, 0xc0, 0x90],
    [0x0a, 0xc0, 0xc0],
    [0x82, 0xc0, 0x81],
];

/// How many covers of a corner are looked at, to take the one with the fewest turns.
const COVERS: u32 = 16;

/// Decisions after which a corner is given up.
const PATIENCE: u64 = 20_000;

/// A place by row and column.
type Place = (u32, u32);

/// A block in a corner.
#[derive(Clone, Debug)]
struct Corner {
    top: u32,
    left: u32,
    rows: u32,
    cols: u32,
    links: Vec<Links>,
    /// Where moves come in from the outside: the square's number in the block, and the direction out.
    stubs: Vec<(u8, usize)>,
}

impl Corner {
    fn contains(&self, (row, col): Place) -> bool {
        // Smaller numbers wrap round to large ones.
        row.wrapping_sub(self.top) < self.rows && col.wrapping_sub(self.left) < self.cols
    }

    fn index(&self, (row, col): Place) -> usize {
        ((row - self.top) * self.cols + col - self.left) as usize
    }

    fn place(&self, index: usize) -> Place {
        let index = index as u32;
        (self.top + index / self.cols, self.left + index % self.cols)
    }
}

/// Which moves a tidy tour has: where it goes on from each square.
#[derive(Clone, Debug)]
struct Weave {
    rows: u32,
    cols: u32,
    /// Which lanes the heels join at the top and left, and, seen from the opposite corner, at the
    /// bottom and right.
    phases: [u32; 2],
    corners: [Corner; 4],
}

/// A stub: corner, and place among its stubs.
type Stub = (usize, usize);

impl Weave {
    /// The board without its corners' covers. `phase` says which lanes are joined. None if the corners
    /// cannot be covered.
    fn new(rows: u32, cols: u32, phase: u32, shape: (u32, u32)) -> Option<Weave> {
        let (height, width) = shape;
        let corner = |low: bool, right: bool| Corner {
            top: if low { rows - height } else { 0 },
            left: if right { cols - width } else { 0 },
            rows: height,
            cols: width,
            links: vec![0; (height * width) as usize],
            stubs: Vec::new(),
        };
        let corners = [corner(false, false), corner(true, true), corner(true, false), corner(false, true)];
        let other = cols.wrapping_sub(rows / 2).wrapping_sub(phase + 1) % 4;
        let mut weave = Weave { rows, cols, phases: [phase, other], corners };
        for number in 0..4 {
            let corner = &weave.corners[number];
            let mut stubs = Vec::new();
            for index in 0..corner.links.len() {
                let place = corner.place(index);
                for (d, _) in DELTAS.iter().enumerate() {
                    if let Some(near) = weave.step(place, d)
                        && !corner.contains(near)
                        && weave.corner_at(near).is_none()
                        && weave.links(near) >> (7 - d) & 1 != 0
                    {
                        stubs.push((index as u8, d));
                    }
                }
            }
            if stubs.len() % 2 != 0 {
                return None;
            }
            weave.corners[number].stubs = stubs;
        }
        Some(weave)
    }

    fn step(&self, (row, col): Place, d: usize) -> Option<Place> {
        let (down, right) = DELTAS[d];
        let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
        (row < self.rows && col < self.cols).then_some((row, col))
    }

    fn corner_at(&self, place: Place) -> Option<usize> {
        self.corners.iter().position(|corner| corner.contains(place))
    }

    /// The moves of a square.
    fn links(&self, place: Place) -> Links {
        match self.corner_at(place) {
            Some(corner) => self.corners[corner].links[self.corners[corner].index(place)],
            None => self.regular(place),
        }
    }

    /// The moves of a square outside the corners.
    fn regular(&self, (row, col): Place) -> Links {
        let [near, far] = self.phases;
        let (below, beyond) = (self.rows - 1 - row, self.cols - 1 - col);
        let top = |row: u32, col: u32, phase: u32| TOP[(col.wrapping_sub(phase) % 4) as usize][row as usize];
        let left = |row: u32, col: u32, phase: u32| LEFT[(row.wrapping_add(2 * phase) % 8) as usize][col as usize];
        // Seen from the opposite corner, direction d is direction 7 - d.
        if row < 2 {
            top(row, col, near)
        } else if below < 2 {
            top(below, beyond, far).reverse_bits()
        } else if col < 3 {
            left(row, col, near)
        } else if beyond < 3 {
            left(below, beyond, far).reverse_bits()
        } else {
            STRAIGHT
        }
    }

    /// How many moves go straight on in direction `DOWN` or `UP` from a square, at least; none where it
    /// is not plain that they do.
    fn run(&self, place: Place, d: usize) -> u32 {
        // All is seen from where the line goes down: away from the top left corner, and towards the
        // bottom right one.
        let Corner { rows: height, cols: width, .. } = self.corners[0];
        let (below, beyond) = (self.rows - 1 - place.0, self.cols - 1 - place.1);
        let ((row, col), (below, beyond)) = if d == DOWN { (place, (below, beyond)) } else { ((below, beyond), place) };
        if row < height || col < width {
            return 0;
        }
        let to_edge = (below.saturating_sub(2) / 2).min(beyond.saturating_sub(3));
        let to_corner = (below.saturating_sub(height) / 2).max(beyond.saturating_sub(width));
        to_edge.min(to_corner)
    }

    /// How many moves from a square on have direction `d`, at least: one, or all but the ends of a line.
    fn line(&self, place: Place, d: usize) -> u32 {
        if d == DOWN || d == UP { self.run(place, d).max(1) } else { 1 }
    }

    /// Where the line that leaves a corner by a stub comes to a corner again.
    fn outside(&self, (corner, stub): Stub) -> Option<Stub> {
        let (index, mut d) = self.corners[corner].stubs[stub];
        let mut place = self.corners[corner].place(usize::from(index));
        loop {
            let moves = self.line(place, d) as i32;
            let (down, right) = DELTAS[d];
            place = (place.0.checked_add_signed(down * moves)?, place.1.checked_add_signed(right * moves)?);
            if let Some(corner) = self.corner_at(place) {
                let stub = (self.corners[corner].index(place) as u8, 7 - d);
                return Some((corner, self.corners[corner].stubs.iter().position(|&known| known == stub)?));
            }
            d = (self.links(place) & !(1 << (7 - d))).trailing_zeros() as usize;
        }
    }
}

/// Which ways to lay the board, upright or turned, the better first: lines run two rows down for each
/// column, the number of rows must be even, and heels on the left and right cost more.
fn turns(board: &Board) -> &'static [bool] {
    match (board.rows().is_multiple_of(2), board.cols().is_multiple_of(2)) {
        (true, true) if board.rows() <= board.cols() => &[false, true],
        (true, true) => &[true, false],
        (true, false) => &[false],
        (false, true) => &[true],
        (false, false) => &[],
    }
}

/// The corners of a weave in the making.
#[derive(Debug)]
struct Covering {
    weave: Weave,
    /// Which stubs are joined by lines outside the corners.
    outside: [Vec<Stub>; 4],
    /// Which stubs of a corner are joined inside it; for corners that are not yet covered, such that all
    /// would be one cycle.
    inside: [Vec<usize>; 4],
    /// The corner under way, its search, the best cover found for it and how many there were.
    corner: usize,
    search: Option<Search>,
    best: Option<(u32, Vec<Links>)>,
    covers: u32,
    /// Turns in the corners that are covered.
    turns: u32,
    seed: Option<u64>,
}

impl Covering {
    fn new(weave: Weave, seed: Option<u64>) -> Option<Covering> {
        let mut outside: [Vec<Stub>; 4] = Default::default();
        for (corner, partners) in outside.iter_mut().enumerate() {
            for stub in 0..weave.corners[corner].stubs.len() {
                partners.push(weave.outside((corner, stub))?);
            }
        }
        // Neighbours at first.
        let inside = std::array::from_fn(|corner| (0..outside[corner].len()).map(|stub| stub ^ 1).collect());
        let mut covering =
            Covering { weave, outside, inside, corner: 0, search: None, best: None, covers: 0, turns: 0, seed };
        covering.make_one().then_some(covering)
    }

    /// Joins stubs inside the corners in such a way that all lines make one cycle.
    fn make_one(&mut self) -> bool {
        loop {
            // Which cycle each stub is on.
            let mut cycle: [Vec<usize>; 4] = std::array::from_fn(|corner| vec![usize::MAX; self.inside[corner].len()]);
            let mut cycles = 0;
            for corner in 0..4 {
                for stub in 0..cycle[corner].len() {
                    let mut here = (corner, stub);
                    if cycle[corner][stub] != usize::MAX {
                        continue;
                    }
                    while cycle[here.0][here.1] == usize::MAX {
                        cycle[here.0][here.1] = cycles;
                        here = (here.0, self.inside[here.0][here.1]);
                        cycle[here.0][here.1] = cycles;
                        here = self.outside[here.0][here.1];
                    }
                    cycles += 1;
                }
            }
            if cycles == 1 {
                return true;
            }
            // Two cycles that meet in a corner become one if they exchange partners there.
            let meeting = (0..4).find_map(|corner| {
                let first = *cycle[corner].first()?;
                let other = cycle[corner].iter().position(|&cycle| cycle != first)?;
                Some((corner, other))
            });
            let Some((corner, c)) = meeting else { return false };
            let inside = &mut self.inside[corner];
            let (a, b, d) = (0, inside[0], inside[c]);
            (inside[a], inside[c], inside[b], inside[d]) = (c, a, d, b);
        }
    }

    /// The stubs of a corner that are joined by all that lies outside it.
    fn bonds(&self, corner: usize) -> Vec<(usize, usize)> {
        let mut bonds = Vec::new();
        for stub in 0..self.outside[corner].len() {
            let mut here = self.outside[corner][stub];
            while here.0 != corner {
                here = self.outside[here.0][self.inside[here.0][here.1]];
            }
            if stub < here.1 {
                bonds.push((stub, here.1));
            }
        }
        bonds
    }

    /// Covers the corners one after the other. False if one of them has no cover.
    fn advance(&mut self, budget: &Budget) -> Result<bool, Pause> {
        while self.corner < 4 {
            let bonds = self.bonds(self.corner);
            let corner = &self.weave.corners[self.corner];
            let square = |stub: usize| corner.stubs[stub].0;
            let seed = self.seed.unwrap_or(0).wrapping_add(u64::from(self.covers));
            let search = self.search.get_or_insert_with(|| {
                let bonds = bonds.iter().map(|&(a, b)| (square(a), square(b))).collect();
                Search::new((corner.rows as u8, corner.cols as u8), bonds, seed)
            });
            let found = search.advance(budget, PATIENCE)?;
            self.search = None;
            self.covers += 1;
            if let Some(paths) = found {
                let links = corner_links(corner, &paths);
                let turns = links.iter().filter(|&&links| links != links.reverse_bits()).count() as u32;
                if self.best.as_ref().is_none_or(|&(least, _)| turns < least) {
                    self.best = Some((turns, links));
                }
            } else if self.best.is_none() {
                return Ok(false);
            }
            // A seed is for variety: the first cover will do.
            if (self.covers == COVERS || self.seed.is_some())
                && let Some((turns, links)) = self.best.take()
            {
                self.turns += turns;
                self.weave.corners[self.corner].links = links;
                self.inside[self.corner] = (0..self.inside[self.corner].len()).map(|stub| self.through(stub)).collect();
                self.corner += 1;
                self.covers = 0;
            }
        }
        Ok(true)
    }

    /// The stub by which the path that comes in by one leaves the corner under way.
    fn through(&self, stub: usize) -> usize {
        let corner = &self.weave.corners[self.corner];
        let (index, mut from) = corner.stubs[stub];
        let mut index = usize::from(index);
        loop {
            let d = (corner.links[index] & !(1 << from)).trailing_zeros() as usize;
            match self.weave.step(corner.place(index), d) {
                Some(to) if corner.contains(to) => (index, from) = (corner.index(to), 7 - d),
                _ => return corner.stubs.iter().position(|&stub| stub == (index as u8, d)).unwrap_or(stub),
            }
        }
    }
}

/// The moves of a corner covered by the given paths.
fn corner_links(corner: &Corner, paths: &[Vec<u8>]) -> Vec<Links> {
    let mut links = vec![0; corner.links.len()];
    for &(index, d) in &corner.stubs {
        links[usize::from(index)] |= 1 << d;
    }
    for pair in paths.iter().flat_map(|path| path.windows(2)) {
        let [a, b] = [pair[0], pair[1]].map(|index| corner.place(usize::from(index)));
        let delta = (b.0 as i32 - a.0 as i32, b.1 as i32 - a.1 as i32);
        if let Some(d) = DELTAS.iter().position(|&known| known == delta) {
            links[usize::from(pair[0])] |= 1 << d;
            links[usize::from(pair[1])] |= 1 << (7 - d);
        }
    }
    links
}

/// A tidy tour in the making.
///
/// ```
/// use knightstour::construct::Tidy;
/// use knightstour::measures::crossings;
/// use knightstour::{Board, Budget, Request, Tour};
/// let board = Board::new(40, 60)?;
/// let mut tidy = Tidy::new(&Request::closed(board.clone()), None)?;
/// let Ok(Some(squares)) = tidy.advance(&Budget::unlimited()) else { panic!() };
/// let tour = Tour::new(board, squares, Some(true))?;
/// assert!(crossings(&tour)? < 12 * 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tidy {
    board: Board,
    start: u32,
    seed: Option<u64>,
    /// Which of the ways to lay the board out comes next, and the best so far with the turns in its
    /// corners.
    attempt: usize,
    best: Option<(u32, Box<Weave>)>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// A way to lay the board out is to be tried.
    Laying,
    Covering(Box<Covering>),
    /// The tour is being written: where it stands, and the direction on.
    Writing(Box<Weave>, Place, usize, Vec<u32>),
}

/// Lines to write before asking the budget again.
const BATCH: u64 = 1 << 8;

/// The sizes of the corners that are tried, one after the other. Small ones leave more of the board to
/// lines; none fits all boards.
const SHAPES: [(u32, u32); 4] = [(6, 4), (6, 5), (6, 6), (5, 5)];

impl Tidy {
    /// The shortest side of a board that has a tidy tour here.
    pub const LEAST: u32 = 12;

    /// A tidy tour that has yet to begin. Without a seed it is always the same tour; with one the corners
    /// vary.
    pub fn new(request: &Request, seed: Option<u64>) -> Result<Tidy, RequestError> {
        let board = request.board();
        let fits = board.is_knights_rectangle()
            && board.squares().is_multiple_of(2)
            && board.rows().min(board.cols()) >= Tidy::LEAST
            && request.is_closed()
            && request.is_unconstrained();
        if !fits {
            return Err(RequestError::Misuse(format!(
                "method=\"tidy\" makes closed tours of plain rectangles for the knight, with an even number of squares \
                 and both sides at least {}, without edges or steps asked for; not {} of the {}{}",
                Tidy::LEAST,
                if request.is_closed() { "closed tours" } else { "open tours" },
                board.describe(),
                if request.is_unconstrained() { "" } else { " with such" }
            )));
        }
        let start = request.start().unwrap_or(0);
        Ok(Tidy { board: board.clone(), start, seed, attempt: 0, best: None, stage: Stage::Laying })
    }

    /// Goes on until the squares of the tour are there or the budget pauses; then call again. The tour
    /// begins on the start, or on square 0, and runs towards the smaller-numbered of the two neighbours. A node is a
    /// decision of a corner's search, or a line written down. `None` if no way to lay the board out
    /// has led to a tour, which claims nothing.
    pub fn advance(&mut self, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
        loop {
            match &mut self.stage {
                Stage::Laying => {
                    budget.check_memory(Construction::bytes(&self.board))?;
                    budget.take(1)?;
                    let attempt = self.attempt;
                    self.attempt += 1;
                    let ways = turns(&self.board);
                    let (shape, phase) = (attempt / 4 % SHAPES.len(), attempt as u32 % 4);
                    // The best of the four phases is taken, as soon as there is one.
                    if phase == 0
                        && let Some((_, weave)) = self.best.take()
                    {
                        self.stage = self.begin(*weave)?;
                        continue;
                    }
                    let Some(&turned) = ways.get(attempt / 4 / SHAPES.len()) else { return Ok(None) };
                    let (rows, cols) = (self.board.rows(), self.board.cols());
                    let (rows, cols) = if turned { (cols, rows) } else { (rows, cols) };
                    let weave = Weave::new(rows, cols, phase, SHAPES[shape]);
                    if let Some(covering) = weave.and_then(|weave| Covering::new(weave, self.seed)) {
                        self.stage = Stage::Covering(Box::new(covering));
                    }
                }
                Stage::Covering(covering) => {
                    let covered = covering.advance(budget)?;
                    let turns = covering.turns;
                    if covered && self.best.as_ref().is_none_or(|&(least, _)| turns < least) {
                        self.best = Some((turns, Box::new(covering.weave.clone())));
                    }
                    self.stage = Stage::Laying;
                }
                Stage::Writing(..) => return self.write(budget).map(Some),
            }
        }
    }

    /// Sets out to write the tour.
    fn begin(&self, weave: Weave) -> Result<Stage, Pause> {
        let strides = strides(&self.board, &weave);
        let (row, col) = (self.start / self.board.cols(), self.start % self.board.cols());
        let first = if strides.0 == 1 { (col, row) } else { (row, col) };
        let links = weave.links(first);
        let number = |d: usize| weave.step(first, d).map(|place| place.0 * strides.0 + place.1 * strides.1);
        // A square of a tour has two moves.
        let d = (0..8).filter(|d| links >> d & 1 != 0).min_by_key(|&d| number(d)).unwrap_or(DOWN);
        Ok(Stage::Writing(Box::new(weave), first, d, super::reserve(self.board.squares())?))
    }

    fn write(&mut self, budget: &Budget) -> Result<Vec<u32>, Pause> {
        let size = self.board.squares() as usize;
        let Stage::Writing(weave, place, d, squares) = &mut self.stage else { return Ok(Vec::new()) };
        let strides = strides(&self.board, weave);
        while squares.len() < size {
            budget.take(BATCH)?;
            for _ in 0..BATCH {
                let moves = weave.line(*place, *d).min((size - squares.len()) as u32);
                if moves == 0 {
                    break;
                }
                let (down, right) = DELTAS[*d];
                let step = (strides.0 as i32 * down + strides.1 as i32 * right) as u32;
                let first = place.0 * strides.0 + place.1 * strides.1;
                squares.extend((0..moves).map(|i| first.wrapping_add(step.wrapping_mul(i))));
                place.0 = place.0.wrapping_add_signed(down * moves as i32);
                place.1 = place.1.wrapping_add_signed(right * moves as i32);
                if squares.len() < size {
                    *d = (weave.links(*place) & !(1 << (7 - *d))).trailing_zeros() as usize;
                }
            }
        }
        let squares = std::mem::take(squares);
        (self.stage, self.attempt) = (Stage::Laying, 0);
        Ok(squares)
    }
}

/// What a step down and a step right add to a square's number.
fn strides(board: &Board, weave: &Weave) -> (u32, u32) {
    if (board.rows(), board.cols()) == (weave.rows, weave.cols) { (board.cols(), 1) } else { (1, board.cols()) }
}
