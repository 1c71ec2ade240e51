//! Boards with both sides at least 6: which blocks, and how they are joined.
//!
//! Both sides are cut into pieces of 6 and 8 squares, with one odd piece if the side is odd. Blocks in
//! the same row of blocks are joined side by side, and the rows by one column of blocks, the *spine*:
//! the spine stands where the tour starts. That is a tree, so a tour that goes through every block
//! and every seam in both directions is a cycle: each seam has two moves across it, and the block
//! itself is covered by paths between its seams. An open tour between given squares has a *chain* of
//! blocks from the start's block along the spine and then along the row of the end's block; across
//! the seams of the chain there is one move instead of two.
//!
//! Colours: a block of even area keeps the balance whatever enters it. A board of odd area has one
//! block of odd area, and the cuts are laid so that the tour starts in it.
//!
//! Two moves across a seam stand at fixed places near one end of it (or at others, where that suits a
//! block of the chain better). The one move across a seam of the chain is chosen so that the
//! blocks on both sides can be covered; the choice goes back a block if it must.
//!
//! That a pair of squares of the right colours always has a tour on a board with both sides at least
//! 6 is a theorem for squares (Conrad, Hindrichs, Morsy and Wegener 1994), and was checked
//! exhaustively for the rectangles that are blocks here.

use std::collections::HashMap;

use super::block::Shape;
use super::layout::{End, Layout, Pattern, Side, Templates};
use crate::budget::{Budget, Limit, Pause};
use crate::rng::Rng;

/// Decisions that a block may cost before another way to join it is tried.
const PATIENCE: u64 = 4_000;

/// Cuts one side of the board into pieces. If it is odd, the odd piece holds `odd_at`.
pub(super) fn cuts(side: u32, odd_at: u32, rng: &mut Option<Rng>) -> Vec<u32> {
    let mut pieces = Vec::new();
    if side.is_multiple_of(2) {
        even_pieces(side, &mut pieces, rng);
    } else if side < 12 {
        pieces.push(side);
    } else {
        // The first few places where the odd piece can stand: there is always one.
        'found: for odd in [7, 9, 11] {
            let lowest = (odd_at + 1).saturating_sub(odd).div_ceil(2) * 2;
            for before in (lowest..=odd_at).step_by(2).take(6) {
                let Some(after) = side.checked_sub(before + odd) else { continue };
                if before != 2 && before != 4 && after != 2 && after != 4 {
                    even_pieces(before, &mut pieces, rng);
                    pieces.push(odd);
                    even_pieces(after, &mut pieces, rng);
                    break 'found;
                }
            }
        }
    }
    let mut at = 0;
    pieces
        .into_iter()
        .map(|piece| {
            at += piece;
            at - piece
        })
        .collect()
}

/// Cuts an even length, 0 or at least 6, into pieces of 6, 8 and (10 itself) 10.
fn even_pieces(length: u32, pieces: &mut Vec<u32>, rng: &mut Option<Rng>) {
    if length == 10 {
        pieces.push(10);
        return;
    }
    let sixes = match length % 8 {
        0 => 0,
        2 => 3,
        4 => 2,
        _ => 1,
    };
    let from = pieces.len();
    pieces.extend(std::iter::repeat_n(6, sixes as usize));
    pieces.extend(std::iter::repeat_n(8, (length as usize - 6 * sixes as usize) / 8));
    if let Some(rng) = rng {
        for i in (from + 1..pieces.len()).rev() {
            let j = from + rng.below((i - from + 1) as u64) as usize;
            pieces.swap(i, j);
        }
    }
}

/// How a seam is crossed, as a block sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Seam {
    /// No blocks are joined here.
    None,
    /// One move of the chain.
    Chain,
    /// Two moves.
    Pair(Place),
}

/// Where two moves across a seam stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    /// At the lower or right end of the seam, not at the upper or left end.
    far: bool,
    /// They run towards the corner, not away from it, seen from the left or upper block.
    inwards: bool,
}

/// In the order in which they are tried.
const PLACES: [Place; 4] = [
    Place { far: false, inwards: false },
    Place { far: true, inwards: false },
    Place { far: false, inwards: true },
    Place { far: true, inwards: true },
];

/// A move across a seam of the chain: the square it leaves, in its block, and the one it enters.
type Crossing = ((u8, u8), (u8, u8));

/// What a block knows of its four seams, in the order of [`Side`].
type Seams = [Seam; 4];

const SIDES: [Side; 4] = [Side::Left, Side::Right, Side::Up, Side::Down];

/// The two squares of a block at a seam with two moves.
fn pair(shape: Shape, side: Side, Place { far, inwards }: Place) -> [(u8, u8); 2] {
    let (rows, cols) = shape;
    let places = if matches!(side, Side::Right | Side::Down) == inwards { [2, 3] } else { [0, 1] };
    places.map(|place| match side {
        Side::Left | Side::Right => {
            (if far { rows - 1 - place } else { place }, if side == Side::Left { 0 } else { cols - 1 })
        }
        Side::Up | Side::Down => {
            (if side == Side::Up { 0 } else { rows - 1 }, if far { cols - 1 - place } else { place })
        }
    })
}

/// The pattern of a block: `own` are the ends of the path of the chain, if it passes here.
fn pattern(shape: Shape, seams: Seams, own: Option<[(End, (u8, u8)); 2]>) -> Pattern {
    let number = |(row, col): (u8, u8)| row * shape.1 + col;
    let mut pattern = Pattern { shape, ends: Vec::new(), bonds: Vec::new(), wanted: Vec::new(), detours: Vec::new() };
    let mut add = |first: (End, (u8, u8)), second: (End, (u8, u8))| {
        let place = pattern.ends.len() as u8;
        pattern.bonds.push((place, place + 1));
        pattern.ends.extend([first, second].map(|(end, square)| (end, number(square))));
    };
    if let Some([first, second]) = own {
        add(first, second);
    }
    for side in SIDES {
        if let Seam::Pair(place) = seams[side as usize] {
            let [a, b] = pair(shape, side, place);
            add((End::Port(side, 0), a), (End::Port(side, 1), b));
        }
    }
    pattern
}

/// What is asked of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) rows: u32,
    pub(super) cols: u32,
    /// Start and end; none for a cycle.
    pub(super) ends: Option<((u32, u32), (u32, u32))>,
}

/// The blocks along the chain, and the choices made for them.
struct Chain {
    /// Row and column of blocks.
    blocks: Vec<(usize, usize)>,
    /// The side by which each block but the last is left.
    sides: Vec<Side>,
    /// For each block, its template, and the seams with two moves as chosen for it.
    chosen: Vec<(u32, Seams)>,
}

impl Plan {
    /// Lays the board out in blocks. Cost: linear in the number of blocks. None if a block of the
    /// chain cannot be covered, which does not happen with ends of the right colours.
    pub(super) fn layout(
        &self,
        templates: &mut Templates,
        seed: Option<u64>,
        budget: &Budget,
    ) -> Result<Option<Layout>, Pause> {
        let mut rng = seed.map(Rng::seeded);
        let start = self.ends.map_or((0, 0), |(start, _)| start);
        let tops = cuts(self.rows, start.0, &mut rng);
        let lefts = cuts(self.cols, start.1, &mut rng);
        let mut layout = Layout { tops, lefts, which: Vec::new() };
        let spine = layout.block_of(start.0, start.1).1;
        let Some(chain) = self.chain(&layout, spine, templates, &mut rng, budget)? else {
            return Ok(None);
        };
        let (down, across) = (layout.tops.len(), layout.lefts.len());
        let mut known: HashMap<(Shape, Seams), u32> = HashMap::new();
        // Blocks side by side are mostly alike.
        let mut before = None;
        layout.which.try_reserve_exact(down * across).map_err(|_| Pause::Limit(Limit::Memory))?;
        for at in (0..down).flat_map(|row| (0..across).map(move |col| (row, col))) {
            if layout.which.len().is_multiple_of(4096) {
                budget.take(1)?;
                budget.give_back(1);
            }
            if let Some(i) = chain.place(at) {
                layout.which.push(chain.chosen[i].0);
                continue;
            }
            let mut seams = [Seam::None; 4];
            for side in SIDES {
                if let Some(next) = beside(at, side, down, across)
                    && (matches!(side, Side::Left | Side::Right) || at.1 == spine)
                {
                    // A block of the chain has chosen for both.
                    let chosen = chain.place(next).map(|i| chain.chosen[i].1[opposite(side) as usize]);
                    seams[side as usize] = chosen.unwrap_or(Seam::Pair(PLACES[0]));
                }
            }
            let shape = self.shape(&layout, at);
            let number = match before {
                Some((same, number)) if same == (shape, seams) => number,
                _ => match known.get(&(shape, seams)) {
                    Some(&number) => number,
                    None => match templates.get(&pattern(shape, seams, None), u64::MAX, budget)? {
                        Some(number) => *known.entry((shape, seams)).insert_entry(number).get(),
                        None => return Ok(None),
                    },
                },
            };
            before = Some(((shape, seams), number));
            layout.which.push(number);
        }
        Ok(Some(layout))
    }

    fn shape(&self, layout: &Layout, (row, col): (usize, usize)) -> Shape {
        let size = |starts: &[u32], at: usize, side: u32| (starts.get(at + 1).unwrap_or(&side) - starts[at]) as u8;
        (size(&layout.tops, row, self.rows), size(&layout.lefts, col, self.cols))
    }

    /// Chooses the moves of the chain from block to block.
    fn chain(
        &self,
        layout: &Layout,
        spine: usize,
        templates: &mut Templates,
        rng: &mut Option<Rng>,
        budget: &Budget,
    ) -> Result<Option<Chain>, Pause> {
        let mut chain = Chain { blocks: Vec::new(), sides: Vec::new(), chosen: Vec::new() };
        let Some((start, end)) = self.ends else {
            return Ok(Some(chain));
        };
        let (down, across) = (layout.tops.len(), layout.lefts.len());
        let from = layout.block_of(start.0, start.1);
        let upto = layout.block_of(end.0, end.1);
        let mut at = from;
        chain.blocks.push(at);
        while at != upto {
            let side = match (at.0.cmp(&upto.0), at.1.cmp(&upto.1)) {
                (std::cmp::Ordering::Less, _) => Side::Down,
                (std::cmp::Ordering::Greater, _) => Side::Up,
                (_, std::cmp::Ordering::Less) => Side::Right,
                _ => Side::Left,
            };
            at = beside(at, side, down, across).unwrap_or(upto);
            chain.sides.push(side);
            chain.blocks.push(at);
        }
        let inside = |(row, col): (u32, u32), (top, left): (usize, usize)| {
            ((row - layout.tops[top]) as u8, (col - layout.lefts[left]) as u8)
        };
        let salt = rng.as_mut().map_or(0, Rng::bits);
        // Which of the moves across each seam is being tried; a move is fixed when both its blocks are.
        let mut tried: Vec<usize> = vec![0];
        let mut crossings: Vec<Crossing> = Vec::new();
        while chain.chosen.len() < chain.blocks.len() {
            let i = chain.chosen.len();
            let block = chain.blocks[i];
            let shape = self.shape(layout, block);
            let entry = match i {
                0 => (End::Tour, inside(start, block)),
                _ => (End::Port(opposite(chain.sides[i - 1]), 0), crossings[i - 1].1),
            };
            let last = i + 1 == chain.blocks.len();
            let options = if last {
                vec![(inside(end, block), (0, 0))]
            } else {
                let next = self.shape(layout, chain.blocks[i + 1]);
                crossings_of(shape, next, chain.sides[i], entry.1, salt)
            };
            let mut found = None;
            while tried[i] < options.len() && found.is_none() {
                let crossing = options[tried[i]];
                tried[i] += 1;
                let exit = (if last { End::Tour } else { End::Port(chain.sides[i], 0) }, crossing.0);
                found = self.cover(layout, spine, &chain, i, [entry, exit], templates, budget)?;
                if let (Some(_), false) = (&found, last) {
                    crossings.push(crossing);
                }
            }
            match found {
                Some(chosen) => {
                    chain.chosen.push(chosen);
                    tried.push(0);
                }
                None if i == 0 => return Ok(None),
                None => {
                    tried.pop();
                    chain.chosen.pop();
                    crossings.pop();
                }
            }
        }
        Ok(Some(chain))
    }

    /// Covers block `i` of the chain with its path between two ends, trying both ends of its other seams.
    #[expect(clippy::too_many_arguments, reason = "one place of the chain and what is known of it")]
    fn cover(
        &self,
        layout: &Layout,
        spine: usize,
        chain: &Chain,
        i: usize,
        own: [(End, (u8, u8)); 2],
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<(u32, Seams)>, Pause> {
        let block = chain.blocks[i];
        let (down, across) = (layout.tops.len(), layout.lefts.len());
        let shape = self.shape(layout, block);
        let mut free = Vec::new();
        let mut seams = [Seam::None; 4];
        for side in SIDES {
            let next = beside(block, side, down, across);
            let joined = matches!(side, Side::Left | Side::Right) || block.1 == spine;
            let on_chain = chain.sides.get(i) == Some(&side) || (i > 0 && opposite(chain.sides[i - 1]) == side);
            if on_chain {
                seams[side as usize] = Seam::Chain;
            } else if next.is_some() && joined {
                free.push(side);
            }
        }
        if own[0].1 == own[1].1 {
            return Ok(None);
        }
        for choice in 0..PLACES.len().pow(free.len() as u32) {
            let mut rest = choice;
            for &side in &free {
                seams[side as usize] = Seam::Pair(PLACES[rest % PLACES.len()]);
                rest /= PLACES.len();
            }
            let patience = if free.is_empty() && chain.blocks.len() == 1 { u64::MAX } else { PATIENCE };
            if let Some(number) = templates.get(&pattern(shape, seams, Some(own)), patience, budget)? {
                return Ok(Some((number, seams)));
            }
        }
        Ok(None)
    }
}

impl Chain {
    /// Where on the chain a block is: the chain runs along a column, then along a row.
    fn place(&self, (row, col): (usize, usize)) -> Option<usize> {
        let (&first, &last) = (self.blocks.first()?, self.blocks.last()?);
        let between = |at: usize, a: usize, b: usize| (a.min(b)..=a.max(b)).contains(&at);
        if col == first.1 && between(row, first.0, last.0) {
            Some(row.abs_diff(first.0))
        } else if row == last.0 && between(col, first.1, last.1) {
            Some(first.0.abs_diff(last.0) + col.abs_diff(first.1))
        } else {
            None
        }
    }
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
        Side::Up => Side::Down,
        Side::Down => Side::Up,
    }
}

/// The block on the other side of a seam.
fn beside((row, col): (usize, usize), side: Side, down: usize, across: usize) -> Option<(usize, usize)> {
    match side {
        Side::Left => (col > 0).then(|| (row, col - 1)),
        Side::Right => (col + 1 < across).then(|| (row, col + 1)),
        Side::Up => (row > 0).then(|| (row - 1, col)),
        Side::Down => (row + 1 < down).then(|| (row + 1, col)),
    }
}

/// The moves over one side of a block that leave it from a square of the right colour: the middle of
/// the seam first, or in an order drawn from `salt`.
fn crossings_of(shape: Shape, next: Shape, side: Side, entry: (u8, u8), salt: u64) -> Vec<Crossing> {
    let upright = matches!(side, Side::Left | Side::Right);
    let length = if upright { shape.0 } else { shape.1 };
    let even = u32::from(shape.0) * u32::from(shape.1) % 2 == 0;
    let mut all = Vec::new();
    for (back, forth) in [(0, 0), (0, 1), (1, 0)] {
        for from in 0..length {
            for by in if back + forth == 0 { [-2, 2] } else { [-1, 1] } {
                let to = i16::from(from) + by;
                if to < 0 || to >= length.into() {
                    continue;
                }
                let to = to as u8;
                let crossing = match side {
                    Side::Right => ((from, shape.1 - 1 - back), (to, forth)),
                    Side::Left => ((from, back), (to, next.1 - 1 - forth)),
                    Side::Down => ((shape.0 - 1 - back, from), (forth, to)),
                    Side::Up => ((back, from), (next.0 - 1 - forth, to)),
                };
                let (row, col) = crossing.0;
                let changes = (row + col + entry.0 + entry.1) % 2 == 1;
                if changes == even && crossing.0 != entry {
                    all.push((from, crossing));
                }
            }
        }
    }
    if salt == 0 {
        all.sort_by_key(|&(from, _)| (2 * i16::from(from) - i16::from(length) + 1).abs());
    } else {
        // One order for the whole chain, so that its blocks are alike.
        let mut rng = Rng::seeded(salt);
        for i in (1..all.len()).rev() {
            all.swap(i, rng.below(i as u64 + 1) as usize);
        }
    }
    all.into_iter().map(|(_, crossing)| crossing).collect()
}
