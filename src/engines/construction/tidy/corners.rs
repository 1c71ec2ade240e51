//! The corners of a tidy tour, covered by search so that all becomes one cycle.

use super::super::block::{DELTAS, Search};
use super::LINES;
use super::weave::{Corner, Followed, Links, Place, Stub, Weave};
use crate::run::{Budget, Pause};

/// How many covers of a corner are looked at, to take the one with the fewest turns.
const COVERS: u32 = 16;

/// Decisions after which a corner is given up.
const PATIENCE: u64 = 20_000;

/// The corners of a weave in the making.
#[derive(Debug)]
pub(super) struct Covering {
    pub(super) weave: Weave,
    /// Which stubs are joined by lines outside the corners.
    outside: [Vec<Stub>; 4],
    /// Where the line stands that is being followed from one stub to another.
    on_way: Option<(Place, usize)>,
    /// Which stubs of a corner are joined inside it; for corners that are not yet covered, such that all
    /// would be one cycle.
    inside: [Vec<usize>; 4],
    /// The corner under way, its search, the best cover found for it and how many there were.
    corner: usize,
    search: Option<Search>,
    best: Option<(u32, Vec<Links>)>,
    covers: u32,
    /// Turns in the corners that are covered.
    pub(super) turns: u32,
    seed: Option<u64>,
}

impl Covering {
    pub(super) fn new(weave: Weave, seed: Option<u64>) -> Covering {
        Covering {
            weave,
            outside: Default::default(),
            on_way: None,
            inside: Default::default(),
            corner: 0,
            search: None,
            best: None,
            covers: 0,
            turns: 0,
            seed,
        }
    }

    /// Finds out which stubs are joined outside the corners. False if one is not.
    fn trace(&mut self, budget: &Budget) -> Result<bool, Pause> {
        for corner in 0..4 {
            while let Some(&(index, d)) = self.weave.corners[corner].stubs.get(self.outside[corner].len()) {
                let first = self.weave.corners[corner].place(usize::from(index));
                let (place, d) = self.on_way.unwrap_or((first, d));
                let lines = budget.take(LINES)?;
                self.on_way = None;
                match self.weave.follow(place, d, lines) {
                    Followed::Outside(place, d) => self.on_way = Some((place, d)),
                    Followed::Corner(stub) => self.outside[corner].push(stub),
                    Followed::Nowhere => return Ok(false),
                }
            }
        }
        Ok(true)
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
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<bool, Pause> {
        if self.inside[0].is_empty() {
            if !self.trace(budget)? {
                return Ok(false);
            }
            // Neighbours at first.
            self.inside = std::array::from_fn(|corner| (0..self.outside[corner].len()).map(|stub| stub ^ 1).collect());
            if !self.make_one() {
                return Ok(false);
            }
        }
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
