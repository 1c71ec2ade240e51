//! A board cut into blocks, and the walk through them.
//!
//! Neighbouring blocks are joined at their common side by one, two or three moves. Where such a move
//! leaves a block is a *port*: a side and a number, the same number on both sides of the seam. Inside
//! a block the squares are covered by paths from port to port (or to an end of the tour). A path once
//! found serves every block of the same pattern. To write the tour down, follow a path to its port,
//! go on at the matching port of the next block, and so on: one copy of a short list of offsets after
//! another, in the order of the tour.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::block::{Search, Shape};
use crate::run::{Budget, Pause};

/// A side of a block. Its opposite differs in the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left = 0,
    Right = 1,
    Up = 2,
    Down = 3,
}

/// What a path of a block ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    /// A move over a side, with its number there.
    Port(Side, u8),
    /// The first or last square of the tour.
    Tour,
}

/// What is asked of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    pub(super) shape: Shape,
    /// Where the paths end, and on which square of the block.
    pub(super) ends: Vec<(End, u8)>,
    /// Which ends (by place in `ends`) are joined outside the block.
    pub(super) bonds: Vec<(u8, u8)>,
    /// Which ends the paths must join, where it matters. A path may leave the block and come back by
    /// one of the bonds in `detours`.
    pub(super) wanted: Vec<(u8, u8)>,
    pub(super) detours: Vec<(u8, u8)>,
}

impl Pattern {
    /// Every path ends where another begins, and the ends in `wanted` are joined as they must.
    fn accepts(&self, paths: &[Vec<u8>]) -> bool {
        let matched = self.matched(paths);
        let partner =
            |end: u8| matched.iter().find_map(|&[a, b]| if a == end { Some(b) } else { (b == end).then_some(a) });
        let around =
            |end: u8| self.detours.iter().find_map(|&(a, b)| if a == end { Some(b) } else { (b == end).then_some(a) });
        self.wanted.iter().all(|&(from, to)| {
            let mut here = from;
            for _ in 0..=self.ends.len() {
                match partner(here) {
                    Some(there) if there == to => return true,
                    Some(there) => match around(there) {
                        Some(next) => here = next,
                        None => return false,
                    },
                    None => return false,
                }
            }
            false
        })
    }

    /// For each path, the places in `ends` of its two ends.
    fn matched(&self, paths: &[Vec<u8>]) -> Vec<[u8; 2]> {
        let at = |square: u8, skip: usize| {
            let mut places = (0..self.ends.len()).filter(|&i| self.ends[i].1 == square);
            places.nth(skip).unwrap_or(0) as u8
        };
        if self.ends.is_empty() {
            return Vec::new();
        }
        // A path of one square has both its ends there.
        paths.iter().map(|path| [at(path[0], 0), at(path[path.len() - 1], usize::from(path.len() == 1))]).collect()
    }
}

/// The paths of a block, as offsets from its first square's number.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// All paths one after the other, forwards.
    forwards: Vec<u32>,
    /// The same backwards, each path in its old place.
    backwards: Vec<u32>,
    /// Where each path stands in them, and its two ends.
    paths: Vec<(u32, u32, [End; 2])>,
    /// Path and whether it ends there (or begins), for each side and number.
    ports: [[(u16, bool); 4]; 4],
}

impl Template {
    fn new(pattern: &Pattern, paths: &[Vec<u8>], strides: (u32, u32)) -> Template {
        let cols = u32::from(pattern.shape.1);
        let offset = |&square: &u8| {
            let square = u32::from(square);
            square / cols * strides.0 + square % cols * strides.1
        };
        let mut template =
            Template { forwards: Vec::new(), backwards: Vec::new(), paths: Vec::new(), ports: [[(0, false); 4]; 4] };
        let matched = pattern.matched(paths);
        for (number, path) in paths.iter().enumerate() {
            let from = template.forwards.len() as u32;
            template.forwards.extend(path.iter().map(offset));
            template.backwards.extend(path.iter().rev().map(offset));
            let places = matched.get(number).copied();
            let ends = places.map_or([End::Tour; 2], |places| places.map(|place| pattern.ends[usize::from(place)].0));
            for (at_end, end) in ends.iter().enumerate() {
                if let End::Port(side, index) = *end {
                    template.ports[side as usize][usize::from(index)] = (number as u16, at_end == 1);
                }
            }
            template.paths.push((from, template.forwards.len() as u32, ends));
        }
        template
    }
}

/// Templates found so far, and the search under way.
#[derive(Debug)]
pub(super) struct Templates {
    known: HashMap<Pattern, Option<u32>>,
    pending: Option<(Pattern, Search)>,
    all: Vec<Template>,
    /// What a step down and a step right add to a square's number.
    strides: (u32, u32),
    seed: Option<u64>,
}

/// Covers that do not depend on the ends of a tour, kept for the next construction. There are few.
static KEPT: LazyLock<Mutex<Covers>> = LazyLock::new(Mutex::default);
type Covers = HashMap<Pattern, Arc<Vec<Vec<u8>>>>;
const MOST_KEPT: usize = 1 << 12;

impl Templates {
    pub(super) fn new(strides: (u32, u32), seed: Option<u64>) -> Templates {
        Templates { known: HashMap::new(), pending: None, all: Vec::new(), strides, seed }
    }

    /// Forgets all, and searches from another seed, which is returned.
    pub(super) fn renew(&mut self) -> u64 {
        let seed = self.seed.unwrap_or(0).wrapping_add(0x9E37_79B9_7F4A_7C15);
        *self = Templates::new(self.strides, Some(seed));
        seed
    }

    /// The template of a pattern; none if the block has no such cover, or if none was found within
    /// `patience` decisions. Asked again after a pause, it goes on.
    pub(super) fn get(&mut self, pattern: &Pattern, patience: u64, budget: &Budget) -> Result<Option<u32>, Pause> {
        if let Some(&known) = self.known.get(pattern) {
            return Ok(known);
        }
        let keep = self.seed.is_none() && !pattern.ends.iter().any(|&(end, _)| end == End::Tour);
        let kept = |table: &Mutex<Covers>| {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            table.get(pattern).map(Arc::clone)
        };
        let found = match if keep { kept(&KEPT) } else { None } {
            Some(paths) => Some(paths),
            None => self.search(pattern, patience, budget)?.map(Arc::new),
        };
        if let (true, Some(paths)) = (keep, &found) {
            let mut table = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            if table.len() < MOST_KEPT {
                table.insert(pattern.clone(), Arc::clone(paths));
            }
        }
        let number = found.map(|paths| {
            self.all.push(Template::new(pattern, &paths, self.strides));
            self.all.len() as u32 - 1
        });
        self.known.insert(pattern.clone(), number);
        Ok(number)
    }

    fn search(&mut self, pattern: &Pattern, patience: u64, budget: &Budget) -> Result<Option<Vec<Vec<u8>>>, Pause> {
        let mut search = match self.pending.take() {
            Some((pending, search)) if pending == *pattern => search,
            _ => {
                let square = |place: u8| pattern.ends[usize::from(place)].1;
                let bonds = pattern.bonds.iter().map(|&(a, b)| (square(a), square(b))).collect();
                Search::new(pattern.shape, bonds, self.seed.unwrap_or(0))
            }
        };
        loop {
            match search.advance(budget, patience) {
                Ok(Some(paths)) if pattern.accepts(&paths) => return Ok(Some(paths)),
                Ok(Some(_)) => {}
                Ok(None) => return Ok(None),
                Err(pause) => {
                    self.pending = Some((pattern.clone(), search));
                    return Err(pause);
                }
            }
        }
    }
}

/// A board cut into rows and columns of blocks, each with its template.
#[derive(Debug)]
pub(super) struct Layout {
    /// First row of each row of blocks.
    pub(super) tops: Vec<u32>,
    /// First column of each column of blocks.
    pub(super) lefts: Vec<u32>,
    /// The template of each block, row by row.
    pub(super) which: Vec<u32>,
}

impl Layout {
    /// The row and column of blocks where a square is.
    pub(super) fn block_of(&self, row: u32, col: u32) -> (usize, usize) {
        let last = |starts: &[u32], at: u32| starts.partition_point(|&start| start <= at) - 1;
        (last(&self.tops, row), last(&self.lefts, col))
    }
}

/// The tour on its way into a list of square numbers.
#[derive(Debug)]
pub(super) struct Walk {
    layout: Layout,
    templates: Vec<Template>,
    strides: (u32, u32),
    at: (usize, usize),
    path: usize,
    backwards: bool,
    /// Where a cycle begins: block, path and how far along it.
    origin: Option<((usize, usize), usize, usize)>,
    begun: bool,
    done: bool,
    squares: Vec<u32>,
}

/// Blocks to write before asking the budget again.
const BATCH: u64 = 1 << 10;

impl Walk {
    /// A walk that begins on the given square, an end of the tour or any square of a cycle, and fills `squares`.
    pub(super) fn new(
        layout: Layout,
        templates: Templates,
        first: (u32, u32),
        closed: bool,
        squares: Vec<u32>,
    ) -> Walk {
        let at = layout.block_of(first.0, first.1);
        let (strides, templates) = (templates.strides, templates.all);
        let template = &templates[layout.which[at.0 * layout.lefts.len() + at.1] as usize];
        let inside = (first.0 - layout.tops[at.0]) * strides.0 + (first.1 - layout.lefts[at.1]) * strides.1;
        let place = template.forwards.iter().position(|&offset| offset == inside).unwrap_or(0);
        let path = template.paths.iter().position(|&(_, upto, _)| place < upto as usize).unwrap_or(0);
        let (from, _, ends) = template.paths[path];
        let along = place - from as usize;
        let forwards = closed || (along == 0 && ends[0] == End::Tour);
        let origin = closed.then_some((at, path, along));
        Walk { layout, templates, strides, at, path, backwards: !forwards, origin, begun: false, done: false, squares }
    }

    /// Writes the tour; a paused call goes on.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Vec<u32>, Pause> {
        let width = self.layout.lefts.len();
        while !self.done {
            let granted = budget.take(BATCH)?;
            let mut left = granted;
            while left > 0 && !self.done {
                left -= 1;
                let template = &self.templates[self.layout.which[self.at.0 * width + self.at.1] as usize];
                let (from, upto, ends) = template.paths[self.path];
                let offsets = if self.backwards { &template.backwards } else { &template.forwards };
                let mut offsets = &offsets[from as usize..upto as usize];
                let mut end = ends[usize::from(!self.backwards)];
                if let Some((at, path, along)) = self.origin
                    && (at, path) == (self.at, self.path)
                {
                    // A cycle begins in the midst of a path, and comes back to it in the end.
                    if self.begun {
                        (offsets, end) = (&offsets[..along], End::Tour);
                    } else if end == End::Tour {
                        // The block is the whole board, and its first square that of the block.
                        self.squares.extend_from_slice(&offsets[along..]);
                        offsets = &offsets[..along];
                    } else {
                        offsets = &offsets[along..];
                    }
                }
                self.begun = true;
                let base = self.layout.tops[self.at.0] * self.strides.0 + self.layout.lefts[self.at.1] * self.strides.1;
                self.squares.extend(offsets.iter().map(|offset| base + offset));
                let End::Port(side, index) = end else {
                    self.done = true;
                    break;
                };
                let opposite = match side {
                    Side::Left => {
                        self.at.1 -= 1;
                        Side::Right
                    }
                    Side::Right => {
                        self.at.1 += 1;
                        Side::Left
                    }
                    Side::Up => {
                        self.at.0 -= 1;
                        Side::Down
                    }
                    Side::Down => {
                        self.at.0 += 1;
                        Side::Up
                    }
                };
                let template = &self.templates[self.layout.which[self.at.0 * width + self.at.1] as usize];
                let (path, backwards) = template.ports[opposite as usize][usize::from(index)];
                (self.path, self.backwards) = (path.into(), backwards);
            }
            budget.give_back(left);
        }
        let mut squares = std::mem::take(&mut self.squares);
        if self.origin.is_some() && squares.len() > 2 && squares[1] > squares[squares.len() - 1] {
            squares[1..].reverse();
        }
        Ok(squares)
    }
}
