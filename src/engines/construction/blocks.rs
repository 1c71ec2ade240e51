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
//! 6 is a theorem for squares (Conrad, Hindrichs, Morsy and Wegener 1994), and all pairs have been
//! constructed on all rectangles with sides from 6 to 13. Should a block of the chain resist, the board is
//! cut and joined anew; nothing is claimed.

use std::collections::HashMap;

use super::block::Shape;
use super::layout::{End, Layout, Pattern, Side, Templates};
use crate::run::rng::Rng;
use crate::run::{Budget, Limit, Pause};

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

/// A square as (row, column).
type Square = (u32, u32);

/// A board being laid out in blocks.
#[derive(Debug)]
pub(super) struct Plan {
    rows: u32,
    cols: u32,
    /// Start and end; none for a cycle.
    ends: Option<(Square, Square)>,
    /// What the order of choices is drawn from.
    salt: Option<u64>,
    /// The cuts, and the templates of the blocks so far.
    layout: Layout,
    chain: Chain,
    /// The column of blocks that joins the rows of blocks.
    spine: usize,
    known: HashMap<(Shape, Seams), u32>,
    steps: HashMap<Step, (u8, Choice)>,
}

/// The blocks along the chain: down or up the spine, then along a row. And the choices made for them.
#[derive(Debug, Default)]
struct Chain {
    from: (usize, usize),
    upto: (usize, usize),
    /// How many blocks; 0 for a cycle.
    len: usize,
    /// For each block with a choice, and for the next one, which way to leave it comes next.
    tried: Vec<u8>,
    choices: Vec<Choice>,
}

/// How a block of the chain is covered.
#[derive(Clone, Copy, Debug)]
struct Choice {
    template: u32,
    seams: Seams,
    /// The move by which it is left; of the last block only the first square counts.
    crossing: Crossing,
}

/// All that the choice for a block inside the chain depends on: its shape and the next one's, the
/// sides by which it is entered and left, where it is entered, and which other sides have a seam.
type Step = (Shape, Shape, Side, Side, (u8, u8), [bool; 4]);

/// Blocks to lay before asking the budget again.
const BATCH: usize = 1 << 12;

impl Plan {
    /// A plan for a board with both sides at least 6. Cost: linear in the number of blocks along the sides.
    pub(super) fn new(rows: u32, cols: u32, ends: Option<(Square, Square)>, seed: Option<u64>) -> Plan {
        let mut rng = seed.map(Rng::seeded);
        let (start, end) = ends.unwrap_or_default();
        let tops = cuts(rows, start.0, &mut rng);
        let lefts = cuts(cols, start.1, &mut rng);
        let layout = Layout { tops, lefts, which: Vec::new() };
        let from = layout.block_of(start.0, start.1);
        let mut chain = Chain { from, tried: vec![0], ..Chain::default() };
        if ends.is_some() {
            chain.upto = layout.block_of(end.0, end.1);
            chain.len = from.0.abs_diff(chain.upto.0) + from.1.abs_diff(chain.upto.1) + 1;
        }
        let salt = rng.as_mut().map(Rng::bits);
        let (known, steps) = (HashMap::new(), HashMap::new());
        Plan { rows, cols, ends, salt, layout, chain, spine: from.1, known, steps }
    }

    /// Goes on until all blocks are laid out; a paused call goes on. Cost: linear in the number of blocks.
    /// False if no way was found to cover a block of the chain, which has not been seen with ends of the
    /// right colours.
    pub(super) fn advance(&mut self, templates: &mut Templates, budget: &Budget) -> Result<bool, Pause> {
        if !self.choose(templates, budget)? {
            return Ok(false);
        }
        let (down, across) = (self.layout.tops.len(), self.layout.lefts.len());
        if self.layout.which.capacity() == 0 {
            self.layout.which.try_reserve_exact(down * across).map_err(|_| Pause::Limit(Limit::Memory))?;
        }
        // Blocks side by side are mostly alike.
        let mut before = None;
        while self.layout.which.len() < down * across {
            let number = self.layout.which.len();
            if number.is_multiple_of(BATCH) {
                budget.take(1)?;
                budget.give_back(1);
            }
            let at = (number / across, number % across);
            if let Some(i) = self.chain.place(at) {
                self.layout.which.push(self.chain.choices[i].template);
                continue;
            }
            let mut seams = [Seam::None; 4];
            for (side, next) in self.joined(at) {
                // A block of the chain has chosen for both.
                let chosen = self.chain.place(next).map(|i| self.chain.choices[i].seams[opposite(side) as usize]);
                seams[side as usize] = chosen.unwrap_or(Seam::Pair(PLACES[0]));
            }
            let shape = self.shape(at);
            let template = match before {
                Some((same, template)) if same == (shape, seams) => template,
                _ => match self.known.get(&(shape, seams)) {
                    Some(&template) => template,
                    None => match templates.get(&pattern(shape, seams, None), u64::MAX, budget)? {
                        Some(template) => *self.known.entry((shape, seams)).insert_entry(template).get(),
                        None => return Ok(false),
                    },
                },
            };
            before = Some(((shape, seams), template));
            self.layout.which.push(template);
        }
        Ok(true)
    }

    /// The layout, once all blocks are laid out.
    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }

    fn shape(&self, (row, col): (usize, usize)) -> Shape {
        let size = |starts: &[u32], at: usize, side: u32| (starts.get(at + 1).unwrap_or(&side) - starts[at]) as u8;
        (size(&self.layout.tops, row, self.rows), size(&self.layout.lefts, col, self.cols))
    }

    /// The blocks that a block is joined to, and the sides between: left and right, and along the spine.
    fn joined(&self, at: (usize, usize)) -> impl Iterator<Item = (Side, (usize, usize))> {
        let (down, across) = (self.layout.tops.len(), self.layout.lefts.len());
        let on_spine = at.1 == self.spine;
        let sides = SIDES.into_iter().filter(move |side| on_spine || matches!(side, Side::Left | Side::Right));
        sides.filter_map(move |side| Some((side, beside(at, side, down, across)?)))
    }

    /// Chooses the moves of the chain from block to block. False if there is no way.
    fn choose(&mut self, templates: &mut Templates, budget: &Budget) -> Result<bool, Pause> {
        let Some((start, end)) = self.ends else {
            return Ok(true);
        };
        let reserve = self.chain.len - self.chain.choices.len();
        self.chain.choices.try_reserve_exact(reserve).map_err(|_| Pause::Limit(Limit::Memory))?;
        self.chain.tried.try_reserve_exact(reserve + 1).map_err(|_| Pause::Limit(Limit::Memory))?;
        let inside = |layout: &Layout, (row, col): Square, (top, left): (usize, usize)| {
            ((row - layout.tops[top]) as u8, (col - layout.lefts[left]) as u8)
        };
        while self.chain.choices.len() < self.chain.len {
            let i = self.chain.choices.len();
            if i.is_multiple_of(BATCH) {
                budget.take(1)?;
                budget.give_back(1);
            }
            let block = self.chain.block(i);
            let shape = self.shape(block);
            let entry = match i.checked_sub(1) {
                None => (End::Tour, inside(&self.layout, start, block)),
                Some(j) => (End::Port(opposite(self.chain.side(j)), 0), self.chain.choices[j].crossing.1),
            };
            if i + 1 == self.chain.len {
                let last = inside(&self.layout, end, block);
                if self.chain.tried[i] == 0
                    && let Some((template, seams)) = self.cover(i, [entry, (End::Tour, last)], templates, budget)?
                {
                    self.chain.choices.push(Choice { template, seams, crossing: (last, last) });
                    break;
                }
            } else {
                let side = self.chain.side(i);
                let next = self.shape(self.chain.block(i + 1));
                let mut seams = [false; 4];
                self.joined(block).for_each(|(side, _)| seams[side as usize] = true);
                let step = match entry.0 {
                    End::Port(from, _) => Some((shape, next, from, side, entry.1, seams)),
                    End::Tour => None,
                };
                let mut found = None;
                if self.chain.tried[i] == 0
                    && let Some(&(tried, choice)) = step.as_ref().and_then(|step| self.steps.get(step))
                {
                    self.chain.tried[i] = tried;
                    found = Some(choice);
                } else {
                    let options = crossings(shape, next, side, entry.1, self.salt);
                    while let (None, Some(&crossing)) = (found, options.get(usize::from(self.chain.tried[i]))) {
                        let exit = (End::Port(side, 0), crossing.0);
                        let covered = self.cover(i, [entry, exit], templates, budget)?;
                        found = covered.map(|(template, seams)| Choice { template, seams, crossing });
                        self.chain.tried[i] += 1;
                        if let (Some(choice), Some(step), 1) = (found, step, self.chain.tried[i]) {
                            self.steps.insert(step, (1, choice));
                        }
                    }
                }
                if let Some(choice) = found {
                    self.chain.choices.push(choice);
                    self.chain.tried.push(0);
                    continue;
                }
            }
            // No way on from here: back to the block before, and out of it by another way.
            self.chain.tried.pop();
            if self.chain.choices.pop().is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Covers block `i` of the chain with its path between two ends, trying all places of its other seams.
    fn cover(
        &self,
        i: usize,
        own: [(End, (u8, u8)); 2],
        templates: &mut Templates,
        budget: &Budget,
    ) -> Result<Option<(u32, Seams)>, Pause> {
        let block = self.chain.block(i);
        let shape = self.shape(block);
        let mut free = Vec::new();
        let mut seams = [Seam::None; 4];
        for (side, next) in self.joined(block) {
            if self.chain.place(next).is_some() {
                seams[side as usize] = Seam::Chain;
            } else {
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
            // A board of one block has no other way.
            let patience = if free.is_empty() && self.chain.len == 1 { u64::MAX } else { PATIENCE };
            if let Some(number) = templates.get(&pattern(shape, seams, Some(own)), patience, budget)? {
                return Ok(Some((number, seams)));
            }
        }
        Ok(None)
    }
}

impl Chain {
    /// Blocks up and down the spine, besides the first.
    fn turn(&self) -> usize {
        self.from.0.abs_diff(self.upto.0)
    }

    /// Block number `i`.
    fn block(&self, i: usize) -> (usize, usize) {
        let towards = |from: usize, upto: usize, by: usize| if from < upto { from + by } else { from - by };
        match i.checked_sub(self.turn()) {
            None => (towards(self.from.0, self.upto.0, i), self.from.1),
            Some(along) => (self.upto.0, towards(self.from.1, self.upto.1, along)),
        }
    }

    /// The side by which block number `i` is left.
    fn side(&self, i: usize) -> Side {
        match (i < self.turn(), self.from.0 < self.upto.0, self.from.1 < self.upto.1) {
            (true, true, _) => Side::Down,
            (true, false, _) => Side::Up,
            (false, _, true) => Side::Right,
            (false, _, false) => Side::Left,
        }
    }

    /// The number of a block, if it is on the chain.
    fn place(&self, (row, col): (usize, usize)) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let between = |at: usize, a: usize, b: usize| (a.min(b)..=a.max(b)).contains(&at);
        if col == self.from.1 && between(row, self.from.0, self.upto.0) {
            Some(row.abs_diff(self.from.0))
        } else if row == self.upto.0 && between(col, self.from.1, self.upto.1) {
            Some(self.turn() + col.abs_diff(self.from.1))
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
fn crossings(shape: Shape, next: Shape, side: Side, entry: (u8, u8), salt: Option<u64>) -> Vec<Crossing> {
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
    match salt {
        None => all.sort_by_key(|&(from, _)| (2 * i16::from(from) - i16::from(length) + 1).abs()),
        Some(salt) => {
            // One order for the whole chain, so that its blocks are alike.
            let mut rng = Rng::seeded(salt);
            for i in (1..all.len()).rev() {
                all.swap(i, rng.below(i as u64 + 1) as usize);
            }
        }
    }
    all.into_iter().map(|(_, crossing)| crossing).collect()
}
