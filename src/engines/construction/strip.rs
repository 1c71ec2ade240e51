//! Boards with a side of 3, 4 or 5: which ends have a tour, and long ones with a repeating middle.
//!
//! # Which ends have a tour
//! Short strips are searched to the end. For the others these rules decide, rows being the short side.
//! Colours must be right, and
//! - 3 rows, from 11 columns on. Even length: the square (1, 2) is next to the two corners (0, 0) and
//!   (2, 0), which have one more neighbour each, so (1, 2) can end a tour only if one of those corners
//!   is the other end. Odd length: of (0, 2), (2, 2) and (1, 3) no two are the ends. (If (0, 2) and
//!   (2, 2) are, (1, 0) joins them and nothing else. If (0, 2) and (1, 3) are, the squares (1, 0),
//!   (2, 0), (0, 0) have their moves forced and close the path after nine squares.) On 3x13 besides
//!   (0, 2) does not go with (0, 10) and (2, 10).
//! - 4 rows, from 7 columns on. Both ends lie in the outer rows: outer squares are half of the board
//!   and no two are a move apart, so a path that strictly alternates between outer and inner ones
//!   would have all outer ones of one colour; hence two inner squares follow each other once, and both
//!   ends are outer.
//! - 5 rows, from 7 columns on. The square (2, 1) is next to the corners (0, 0) and (4, 0): as for 3 rows.
//!
//! And the same from the other side, and upside down. That nothing else stands in the way was found by
//! exhausting all pairs of ends up to 3x20, 4x13 and 5x12; beyond, a tour is constructed or the run
//! goes on: the rules never claim one.
//!
//! # Long strips
//! A *window* of some columns holds an end or both, and is covered by search. What lies between two
//! windows, or between a window and the end of the strip, repeats a *tube* of a few columns. The moves
//! across a seam are always the same, so that any two pieces fit: two beyond the ends of the tour,
//! which are joined by a *cap* at the end of the strip, and between the ends one. With 4 rows there
//! are four beyond the ends, joined two and two, and three between them. (A part that is cut off by
//! one or two moves has its paths' ends in the outer rows, so two inner squares follow each other in
//! it, which can happen only once.)

use std::ops::Range;

use super::layout::{End, Layout, Pattern, Side, Templates};
use crate::run::{Budget, Limit, Pause};

/// A move across a seam: its row and how many columns before the seam it begins (from 1), its row and
/// how many columns after the seam it ends (from 0).
type Move = ((u8, u8), (u8, u8));

/// How to go on beyond the ends: the moves across each seam, and the lengths of caps, one for each
/// length modulo [`PERIOD`] that is possible.
const MARGINS: [&[(&[Move], &[u32])]; 3] = [
    &[(&[((0, 1), (1, 1)), ((1, 2), (0, 0))], &[7, 9]), (&[((0, 1), (1, 1)), ((1, 1), (0, 1))], &[8, 10])],
    &[(&[((0, 1), (2, 0)), ((1, 1), (3, 0)), ((2, 1), (0, 0)), ((3, 1), (1, 0))], &[4, 5, 6, 7])],
    &[(&[((0, 1), (2, 0)), ((1, 1), (3, 0))], &[4, 6])],
];

/// Columns of a tube beyond the ends.
const PERIOD: u32 = 4;

/// The moves across the seams between the ends, and the columns of the tube.
struct Middle {
    moves: &'static [Move],
    period: u32,
}

/// With three moves the first goes on from the left end, and the second and third are joined on the
/// left; on the right the first two are joined.
const MIDDLES: [&[Middle]; 3] = [
    &[Middle { moves: &[((0, 1), (2, 0))], period: 4 }, Middle { moves: &[((1, 1), (0, 1))], period: 8 }],
    &[Middle { moves: &[((1, 1), (3, 0)), ((2, 1), (0, 0)), ((3, 1), (1, 0))], period: 4 }],
    &[Middle { moves: &[((0, 1), (2, 0))], period: 4 }, Middle { moves: &[((1, 1), (3, 0))], period: 4 }],
];

/// The most columns of a strip that is searched as a whole.
const WIDEST: [u32; 3] = [26, 20, 18];

/// The most columns from one end to the other for which both are put into one window.
const NEAR: [u32; 3] = [14, 12, 9];

/// Decisions that a window may cost before another one is tried.
const PATIENCE: u64 = 3_000;

/// Row and column.
type Place = (u32, u32);

/// What is asked of the strip: `rows` is 3, 4 or 5, and at most `cols`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) rows: u32,
    pub(super) cols: u32,
}

/// What the rules say of two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Tour,
    NoTour,
    /// The strip is so short that it has to be searched.
    Search,
}

impl Strip {
    /// Whether there are closed tours (Schwenk 1991).
    pub(super) fn has_cycle(&self) -> bool {
        (self.rows * self.cols).is_multiple_of(2) && self.rows != 4 && !(self.rows == 3 && self.cols < 10)
    }

    /// Whether there is a tour with these ends.
    pub(super) fn verdict(&self, start: Place, end: Place) -> Verdict {
        let Strip { rows, cols } = *self;
        let odd = |(row, col): Place| (row + col) % 2 == 1;
        let even_area = rows * cols % 2 == 0;
        if if even_area { odd(start) == odd(end) } else { odd(start) || odd(end) } {
            return Verdict::NoTour;
        }
        let is_outer = |(row, _): Place| row == 0 || row == 3;
        if rows == 4 && !(is_outer(start) && is_outer(end)) {
            return Verdict::NoTour;
        }
        if cols < [11, 7, 7][rows as usize - 3] {
            return Verdict::Search;
        }
        let mirrored = |(row, col): Place| (row, cols - 1 - col);
        let ways = [(start, end), (end, start), (mirrored(start), mirrored(end)), (mirrored(end), mirrored(start))];
        let barred = ways.into_iter().any(|(a, b)| match rows {
            3 if even_area => a == (1, 2) && b != (0, 0) && b != (2, 0),
            3 => {
                let near = [(0, 2), (2, 2), (1, 3)];
                near.contains(&a) && near.contains(&b) || cols == 13 && a.0 != 1 && a.1 == 2 && b.0 != 1 && b.1 == 10
            }
            5 => a == (2, 1) && b != (0, 0) && b != (4, 0),
            _ => false,
        });
        if barred { Verdict::NoTour } else { Verdict::Tour }
    }

    /// Finds the pieces of a tour with these ends, or of a cycle. None if there is no such tour. A paused
    /// call begins anew, but what was searched is known to `templates`.
    pub(super) fn course(
        &self,
        ends: Option<(Place, Place)>,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<Course>, Pause> {
        // From left to right.
        let ends = ends.map(|(a, b)| if a.1 <= b.1 { [a, b] } else { [b, a] });
        if self.cols <= WIDEST[self.rows as usize - 3] {
            let whole = self.window(0..self.cols, &Ground::Edge, &Ground::Edge, ends.iter().flatten());
            let found = templates.get(&whole, u64::MAX, budget)?;
            return Ok(found.map(|template| Course::new(vec![Piece { template, width: self.cols, repeat: 1 }])));
        }
        // Windows are tried with more and more patience, until they are covered.
        let mut patience = PATIENCE;
        loop {
            let found = match ends {
                None => self.ring(patience, templates, budget)?,
                Some([a, b]) if b.1 - a.1 <= NEAR[self.rows as usize - 3] => {
                    self.near(a, b, patience, templates, budget)?
                }
                Some([a, b]) => self.far(a, b, patience, templates, budget)?,
            };
            if let Some(pieces) = found {
                return Ok(Some(Course::new(pieces)));
            }
            patience = patience.saturating_mul(4);
        }
    }

    /// A cycle: a window with a margin on both sides.
    fn ring(&self, patience: u64, templates: &mut Templates, budget: &Budget) -> Result<Option<Vec<Piece>>, Pause> {
        for right in self.margins(true) {
            for &after in right.caps {
                for width in 4..=12 {
                    for left in self.margins(false) {
                        let before = self.cols - width - after;
                        if left.cap(before).is_none() {
                            continue;
                        }
                        let window = self.window(before..before + width, &left.ground, &right.ground, [].iter());
                        if let Some(number) = templates.get(&window, patience, budget)?
                            && let Some(mut pieces) = self.margin(&left, before, patience, templates, budget)?
                            && let Some(end) = self.margin(&right, after, patience, templates, budget)?
                        {
                            pieces.push(Piece { template: number, width, repeat: 1 });
                            pieces.extend(end);
                            return Ok(Some(pieces));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Both ends in one window.
    fn near(
        &self,
        a: Place,
        b: Place,
        patience: u64,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<Vec<Piece>>, Pause> {
        for (from, left) in self.outsides(a.1, false) {
            for (after, right) in self.outsides(self.cols - 1 - b.1, true) {
                let upto = self.cols - after;
                let (l, r) = (ground(&left), ground(&right));
                let window = self.window(from..upto, l, r, [a, b].iter());
                if let Some(number) = templates.get(&window, patience, budget)?
                    && let Some(mut pieces) = self.outside(&left, from, patience, templates, budget)?
                    && let Some(end) = self.outside(&right, after, patience, templates, budget)?
                {
                    pieces.push(Piece { template: number, width: upto - from, repeat: 1 });
                    pieces.extend(end);
                    return Ok(Some(pieces));
                }
            }
        }
        Ok(None)
    }

    /// A window for each end.
    fn far(
        &self,
        a: Place,
        b: Place,
        patience: u64,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<Vec<Piece>>, Pause> {
        for middle in MIDDLES[self.rows as usize - 3] {
            for flip in [false, true] {
                let moves = self.turned(middle.moves, false, flip);
                let tube = self.tube(&moves, middle.period, patience, templates, budget)?;
                let Some(tube) = tube else { continue };
                let seam = Ground::Middle(moves);
                // How far to the right of the left end, and to the left of the right end, the middle may begin.
                let mut lefts = Vec::new();
                let mut rights = Vec::new();
                for gap in 3..=11.min(b.1 - a.1 - 1) {
                    let upto = a.1 + 1 + gap;
                    for (from, outside) in self.outsides(a.1, false) {
                        let window = self.window(from..upto, ground(&outside), &seam, [a].iter());
                        if let Some(number) = templates.get(&window, patience, budget)? {
                            lefts.push((from, upto, outside, number));
                            break;
                        }
                    }
                    let from = b.1 - gap;
                    for (after, outside) in self.outsides(self.cols - 1 - b.1, true) {
                        let window = self.window(from..self.cols - after, &seam, ground(&outside), [b].iter());
                        if let Some(number) = templates.get(&window, patience, budget)? {
                            rights.push((from, after, outside, number));
                            break;
                        }
                    }
                    for (from, upto, left, left_number) in &lefts {
                        for (on, after, right, right_number) in &rights {
                            if on < upto || (on - upto) % middle.period != 0 {
                                continue;
                            }
                            if let Some(mut pieces) = self.outside(left, *from, patience, templates, budget)?
                                && let Some(end) = self.outside(right, *after, patience, templates, budget)?
                            {
                                pieces.push(Piece { template: *left_number, width: upto - from, repeat: 1 });
                                let repeat = (on - upto) / middle.period;
                                pieces.push(Piece { template: tube, width: middle.period, repeat });
                                let width = self.cols - after - on;
                                pieces.push(Piece { template: *right_number, width, repeat: 1 });
                                pieces.extend(end);
                                return Ok(Some(pieces));
                            }
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Where a window may begin whose outermost end is `gap` columns from the end of the strip: so
    /// many columns are left beyond it. The margins of the right side are mirrored.
    fn outsides(&self, gap: u32, mirrored: bool) -> Vec<(u32, Option<Margin>)> {
        let mut all = Vec::new();
        let edge = [14, 11, 9][self.rows as usize - 3];
        if gap <= edge {
            all.push((0, None));
        }
        for inside in [4, 5, 6, 3, 7, 8, 2, 9] {
            for margin in self.margins(mirrored) {
                if let Some(beyond) = gap.checked_sub(inside)
                    && margin.cap(beyond).is_some()
                {
                    all.push((beyond, Some(margin)));
                }
            }
        }
        all
    }

    /// The ways to go on beyond the ends, and the same upside down.
    fn margins(&self, mirrored: bool) -> impl Iterator<Item = Margin> {
        MARGINS[self.rows as usize - 3].iter().flat_map(move |&(moves, caps)| {
            [false, true].map(|flip| Margin {
                ground: Ground::Margin(self.turned(moves, mirrored, flip)),
                caps,
                mirrored,
            })
        })
    }

    fn turned(&self, moves: &[Move], mirrored: bool, flip: bool) -> Vec<Move> {
        let row = |row: u8| if flip { self.rows as u8 - 1 - row } else { row };
        let turn = |&((from, back), (to, forth)): &Move| {
            if mirrored { ((row(to), forth + 1), (row(from), back - 1)) } else { ((row(from), back), (row(to), forth)) }
        };
        moves.iter().map(turn).collect()
    }

    fn outside(
        &self,
        margin: &Option<Margin>,
        length: u32,
        patience: u64,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<Vec<Piece>>, Pause> {
        match margin {
            Some(margin) => self.margin(margin, length, patience, templates, budget),
            None => Ok(Some(Vec::new())),
        }
    }

    /// Cap and tubes, from left to right.
    fn margin(
        &self,
        margin: &Margin,
        length: u32,
        patience: u64,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<Vec<Piece>>, Pause> {
        let (Some(cap), Ground::Margin(moves)) = (margin.cap(length), &margin.ground) else {
            return Ok(None);
        };
        let (left, right): (&[Move], &[Move]) = if margin.mirrored { (moves, &[]) } else { (&[], moves) };
        let mut closing = self.ports(cap, left, right);
        let count = moves.len() as u8;
        // The cap joins 0 to 1 and 2 to 3; seen from there, the other ends are joined.
        closing.bonds = (1..count).step_by(2).map(|i| (i, (i + 1) % count)).collect();
        closing.wanted = pairs(0, count).collect();
        let Some(end) = templates.get(&closing, patience, budget)? else {
            return Ok(None);
        };
        let Some(tube) = self.tube(moves, PERIOD, patience, templates, budget)? else {
            return Ok(None);
        };
        let end = Piece { template: end, width: cap, repeat: 1 };
        let tubes = Piece { template: tube, width: PERIOD, repeat: (length - cap) / PERIOD };
        Ok(Some(if margin.mirrored { vec![tubes, end] } else { vec![end, tubes] }))
    }

    /// A tube that begins and ends with the same moves.
    fn tube(
        &self,
        moves: &[Move],
        period: u32,
        patience: u64,
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<u32>, Pause> {
        let mut pattern = self.ports(period, moves, moves);
        let count = moves.len() as u8;
        // Ends 0, 1, … are on the left, `count`, … on the right.
        match count {
            2 => pattern.bonds = pairs(0, 4).collect(),
            _ => {
                pattern.bonds = (0..count).map(|i| (count + i, (i + 1) % count)).collect();
                pattern.wanted = (0..count).map(|i| (i, count + i)).collect();
            }
        }
        templates.get(&pattern, patience, budget)
    }

    /// A block of this many columns with moves over its left and its right side, not joined yet.
    fn ports(&self, width: u32, left: &[Move], right: &[Move]) -> Pattern {
        let number = |row: u8, col: u32| row * width as u8 + col as u8;
        let mut ends = Vec::new();
        for (i, &(_, (row, forth))) in left.iter().enumerate() {
            ends.push((End::Port(Side::Left, i as u8), number(row, forth.into())));
        }
        for (i, &((row, back), _)) in right.iter().enumerate() {
            ends.push((End::Port(Side::Right, i as u8), number(row, width - u32::from(back))));
        }
        let shape = (self.rows as u8, width as u8);
        Pattern { shape, ends, bonds: Vec::new(), wanted: Vec::new(), detours: Vec::new() }
    }

    /// Columns with none, one or both ends of the tour.
    fn window<'a>(
        &self,
        columns: Range<u32>,
        left: &Ground,
        right: &Ground,
        ends: impl Iterator<Item = &'a Place>,
    ) -> Pattern {
        let width = columns.end - columns.start;
        let mut pattern = self.ports(width, left.moves(), right.moves());
        let (l, r) = (0, left.moves().len() as u8);
        for (ground, from) in [(left, l), (right, r)] {
            if let Ground::Margin(moves) = ground {
                pattern.bonds.extend(pairs(from, moves.len() as u8));
            }
        }
        pattern.detours = pattern.bonds.clone();
        let first = pattern.ends.len() as u8;
        for &(row, col) in ends {
            pattern.ends.push((End::Tour, (row * width + col - columns.start) as u8));
        }
        match (left, right) {
            // On the right the first two moves are joined, and the third leads to the other end.
            (_, Ground::Middle(moves)) if moves.len() == 3 => {
                pattern.bonds.extend([(r, r + 1), (r + 2, first)]);
                pattern.wanted.extend([(first, r), (r + 1, r + 2)]);
            }
            // On the left the last two are joined.
            (Ground::Middle(moves), _) if moves.len() == 3 => {
                pattern.bonds.extend([(l + 1, l + 2), (l, first)]);
                pattern.wanted.extend([(first, l + 2), (l, l + 1)]);
            }
            (_, Ground::Middle(_)) => pattern.bonds.push((r, first)),
            (Ground::Middle(_), _) => pattern.bonds.push((l, first)),
            _ if pattern.ends.len() as u8 == first + 2 => pattern.bonds.push((first, first + 1)),
            _ => {}
        }
        pattern
    }
}

/// A strip being laid out, from left to right.
#[derive(Debug)]
pub(super) struct Course {
    pieces: Vec<Piece>,
    /// How many pieces are laid, and how many blocks of the next one.
    laid: (usize, u32),
    layout: Layout,
    at: u32,
}

/// Blocks to lay before asking the budget again.
const BATCH: usize = 1 << 12;

impl Course {
    fn new(pieces: Vec<Piece>) -> Course {
        let layout = Layout { tops: vec![0], lefts: Vec::new(), which: Vec::new() };
        Course { pieces, laid: (0, 0), layout, at: 0 }
    }

    /// Goes on until all blocks are laid out; a paused call goes on.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.layout.which.capacity() == 0 {
            let count = self.pieces.iter().map(|piece| piece.repeat as usize).sum();
            let full = |_| Pause::Limit(Limit::Memory);
            self.layout.lefts.try_reserve_exact(count).map_err(full)?;
            self.layout.which.try_reserve_exact(count).map_err(full)?;
        }
        while let Some(piece) = self.pieces.get(self.laid.0) {
            if self.layout.which.len().is_multiple_of(BATCH) {
                budget.take(1)?;
                budget.give_back(1);
            }
            if self.laid.1 == piece.repeat {
                self.laid = (self.laid.0 + 1, 0);
            } else {
                self.layout.lefts.push(self.at);
                self.layout.which.push(piece.template);
                self.at += piece.width;
                self.laid.1 += 1;
            }
        }
        Ok(())
    }

    /// The layout, once all blocks are laid out.
    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }
}

/// Blocks of one template, side by side.
#[derive(Debug)]
struct Piece {
    template: u32,
    width: u32,
    repeat: u32,
}

/// What is beyond a side of a window.
enum Ground {
    /// Nothing.
    Edge,
    /// Columns that are covered by paths which join the moves two and two.
    Margin(Vec<Move>),
    /// The other end of the tour.
    Middle(Vec<Move>),
}

impl Ground {
    fn moves(&self) -> &[Move] {
        match self {
            Ground::Edge => &[],
            Ground::Margin(moves) | Ground::Middle(moves) => moves,
        }
    }
}

/// `count` moves from `first` on, two and two.
fn pairs(first: u8, count: u8) -> impl Iterator<Item = (u8, u8)> {
    (first..first + count).step_by(2).map(|i| (i, i + 1))
}

fn ground(margin: &Option<Margin>) -> &Ground {
    margin.as_ref().map_or(&Ground::Edge, |margin| &margin.ground)
}

/// How a strip goes on beyond the ends of the tour.
struct Margin {
    ground: Ground,
    caps: &'static [u32],
    mirrored: bool,
}

impl Margin {
    /// The cap that leaves room for tubes, if this many columns can be covered.
    fn cap(&self, length: u32) -> Option<u32> {
        self.caps.iter().copied().find(|&cap| cap <= length && (length - cap).is_multiple_of(PERIOD))
    }
}
