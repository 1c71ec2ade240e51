//! Which moves a tidy tour has: lanes, heels along the edges, and corners left to be covered.

use super::super::block::DELTAS;

/// The directions of a square's two moves: bit d stands for `DELTAS[d]`.
pub(super) type Links = u8;

/// Straight on: two rows down and one column to the right, and back.
pub(super) const DOWN: usize = 7;
pub(super) const UP: usize = 0;
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

/// A place by row and column.
pub(super) type Place = (u32, u32);

/// A block in a corner.
#[derive(Clone, Debug)]
pub(super) struct Corner {
    top: u32,
    left: u32,
    pub(super) rows: u32,
    pub(super) cols: u32,
    pub(super) links: Vec<Links>,
    /// Where moves come in from the outside: the square's number in the block, and the direction out.
    pub(super) stubs: Vec<(u8, usize)>,
}

impl Corner {
    pub(super) fn contains(&self, (row, col): Place) -> bool {
        // Smaller numbers wrap round to large ones.
        row.wrapping_sub(self.top) < self.rows && col.wrapping_sub(self.left) < self.cols
    }

    pub(super) fn index(&self, (row, col): Place) -> usize {
        ((row - self.top) * self.cols + col - self.left) as usize
    }

    pub(super) fn place(&self, index: usize) -> Place {
        let index = index as u32;
        (self.top + index / self.cols, self.left + index % self.cols)
    }
}

/// Which moves a tidy tour has: where it goes on from each square.
#[derive(Clone, Debug)]
pub(super) struct Weave {
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// Which lanes the heels join at the top and left, and, seen from the opposite corner, at the
    /// bottom and right.
    phases: [u32; 2],
    pub(super) corners: [Corner; 4],
}

/// A stub: corner, and place among its stubs.
pub(super) type Stub = (usize, usize);

impl Weave {
    /// The board without its corners' covers. `phase` says which lanes are joined. None if the corners
    /// cannot be covered.
    pub(super) fn new(rows: u32, cols: u32, phase: u32, shape: (u32, u32)) -> Option<Weave> {
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

    pub(super) fn step(&self, (row, col): Place, d: usize) -> Option<Place> {
        let (down, right) = DELTAS[d];
        let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
        (row < self.rows && col < self.cols).then_some((row, col))
    }

    fn corner_at(&self, place: Place) -> Option<usize> {
        self.corners.iter().position(|corner| corner.contains(place))
    }

    /// The moves of a square.
    pub(super) fn links(&self, place: Place) -> Links {
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
    pub(super) fn line(&self, place: Place, d: usize) -> u32 {
        if d == DOWN || d == UP { self.run(place, d).max(1) } else { 1 }
    }

    /// Follows the tour from a square on in direction `d`, over this many lines at most, until it comes to a
    /// corner.
    pub(super) fn follow(&self, mut place: Place, mut d: usize, lines: u64) -> Followed {
        for _ in 0..lines {
            let moves = self.line(place, d);
            place = moved(place, d, moves);
            if let Some(corner) = self.corner_at(place) {
                let known = &self.corners[corner];
                let stub = known.stubs.iter().position(|&stub| stub == (known.index(place) as u8, 7 - d));
                return stub.map_or(Followed::Nowhere, |stub| Followed::Corner((corner, stub)));
            }
            d = self.onward(place, d);
        }
        Followed::Outside(place, d)
    }

    /// The direction on from a square that was reached in direction `d`.
    pub(super) fn onward(&self, place: Place, d: usize) -> usize {
        (self.links(place) & !(1 << (7 - d))).trailing_zeros() as usize
    }
}

/// Where a number of moves in direction `d` lead, which stay on the board.
pub(super) fn moved((row, col): Place, d: usize, moves: u32) -> Place {
    let (down, right) = DELTAS[d];
    (row.wrapping_add_signed(down * moves as i32), col.wrapping_add_signed(right * moves as i32))
}

/// What following the tour outside the corners came to.
pub(super) enum Followed {
    /// Not yet to a corner, but to this square, to be left in this direction.
    Outside(Place, usize),
    Corner(Stub),
    /// Into a corner where nothing comes in.
    Nowhere,
}
