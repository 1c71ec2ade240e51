//! Covers of one small block, by search: a cycle, a path between two squares, or several paths.
//!
//! A *bond* is an edge that stands for what lies outside the block. A path from one square to another
//! is a cycle through a bond that joins them; several paths are a cycle through several bonds. The
//! search looks for a cycle through all squares and all bonds. It places edges wherever they are
//! forced: a square with as many usable edges as it needs takes them all, a square that has its two
//! loses the others, and the edge that would close a cycle too early goes. Where nothing is forced, the square with the fewest usable edges tries one of them, then does without.
//! Ties are broken by a seed, and a search that has gone on for long starts anew with other ties and
//! twice the patience, so that bad luck is short and an impossible block is still exhausted. The
//! stack is explicit, at most one frame an edge.

use crate::run::rng::Rng;
use crate::run::{Budget, Pause};

/// The most squares a block may have.
pub(super) const MOST: usize = 128;

/// Rows, columns of a block.
pub(super) type Shape = (u8, u8);

/// The knight's deltas, in such an order that direction d is undone by direction 7 - d.
pub(super) const DELTAS: [(i32, i32); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

const OFF: u8 = u8::MAX;

/// The squares a move away from each square, by direction.
#[derive(Clone, Debug)]
struct Net {
    count: usize,
    near: [[u8; 8]; MOST],
}

impl Net {
    fn new((rows, cols): Shape) -> Net {
        let mut near = [[OFF; 8]; MOST];
        let count = usize::from(rows) * usize::from(cols);
        for (square, near) in near[..count].iter_mut().enumerate() {
            let (row, col) = (square as i32 / i32::from(cols), square as i32 % i32::from(cols));
            for (near, (down, right)) in near.iter_mut().zip(DELTAS) {
                let (to_row, to_col) = (row + down, col + right);
                if (0..rows.into()).contains(&to_row) && (0..cols.into()).contains(&to_col) {
                    *near = (to_row * i32::from(cols) + to_col) as u8;
                }
            }
        }
        Net { count, near }
    }

    fn direction(&self, from: u8, to: u8) -> Option<u8> {
        self.near[usize::from(from)].iter().position(|&near| near == to && to != OFF).map(|d| d as u8)
    }
}

/// Which edges are used, usable or gone.
#[derive(Clone, Debug)]
struct Links {
    /// Directions that may still be used, a bit each.
    usable: [u8; MOST],
    /// Directions that are used.
    used: [u8; MOST],
    /// How many more edges a square needs.
    need: [u8; MOST],
    /// The other end of the fragment that ends here.
    mate: [u8; MOST],
    /// Edges still to be placed.
    left: u8,
    /// Squares to look at again.
    dirty: u128,
}

impl Links {
    /// Takes an edge away.
    fn drop_edge(&mut self, net: &Net, v: u8, d: u8) {
        let u = net.near[usize::from(v)][usize::from(d)];
        self.usable[usize::from(v)] &= !(1 << d);
        self.usable[usize::from(u)] &= !(1 << (7 - d));
        self.dirty |= 1 << v | 1 << u;
    }

    /// Uses an edge. False if it closes a cycle too early.
    fn use_edge(&mut self, net: &Net, v: u8, d: u8) -> bool {
        let u = net.near[usize::from(v)][usize::from(d)];
        self.drop_edge(net, v, d);
        self.used[usize::from(v)] |= 1 << d;
        self.used[usize::from(u)] |= 1 << (7 - d);
        self.join(net, v, u)
    }

    /// Joins two squares by an edge or a bond. False if that closes a cycle too early.
    fn join(&mut self, net: &Net, v: u8, u: u8) -> bool {
        let (a, b) = (self.mate[usize::from(v)], self.mate[usize::from(u)]);
        if a == u && self.left > 1 {
            return false;
        }
        self.left -= 1;
        self.dirty |= 1 << v | 1 << u;
        for square in [v, u] {
            self.need[usize::from(square)] -= 1;
            if self.need[usize::from(square)] == 0 {
                self.drop_rest(net, square);
            }
        }
        self.mate[usize::from(a)] = b;
        self.mate[usize::from(b)] = a;
        if self.left > 1
            && let Some(d) = net.direction(a, b)
            && self.usable[usize::from(a)] >> d & 1 != 0
        {
            self.drop_edge(net, a, d);
        }
        true
    }

    fn drop_rest(&mut self, net: &Net, v: u8) {
        while self.usable[usize::from(v)] != 0 {
            self.drop_edge(net, v, self.usable[usize::from(v)].trailing_zeros() as u8);
        }
    }

    /// Places all forced edges. False at a contradiction.
    fn settle(&mut self, net: &Net) -> bool {
        while self.dirty != 0 {
            let v = self.dirty.trailing_zeros() as u8;
            self.dirty &= self.dirty - 1;
            let (usable, need) = (self.usable[usize::from(v)], self.need[usize::from(v)]);
            if need == 0 {
                continue;
            }
            if usable.count_ones() < u32::from(need) {
                return false;
            }
            if usable.count_ones() == u32::from(need) {
                while self.usable[usize::from(v)] != 0 {
                    if !self.use_edge(net, v, self.usable[usize::from(v)].trailing_zeros() as u8) {
                        return false;
                    }
                }
                if self.need[usize::from(v)] > 0 {
                    return false;
                }
            }
        }
        true
    }

    /// Whether all squares are connected by used and usable edges.
    fn is_connected(&self, net: &Net, bonds: &[(u8, u8)]) -> bool {
        let mut reached: u128 = 1;
        let mut queue = reached;
        while queue != 0 {
            let v = queue.trailing_zeros() as usize;
            queue &= queue - 1;
            let mut directions = self.usable[v] | self.used[v];
            let mut found = 0u128;
            while directions != 0 {
                found |= 1 << net.near[v][directions.trailing_zeros() as usize];
                directions &= directions - 1;
            }
            for &(a, b) in bonds {
                if usize::from(a) == v {
                    found |= 1 << b;
                } else if usize::from(b) == v {
                    found |= 1 << a;
                }
            }
            queue |= found & !reached;
            reached |= found;
        }
        reached.count_ones() as usize == net.count
    }
}

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct Search {
    net: Box<Net>,
    root: Option<Box<Links>>,
    bonds: Vec<(u8, u8)>,
    frames: Vec<Links>,
    rng: Rng,
    patience: u64,
    nodes: u64,
    spent: u64,
}

impl Search {
    /// A search for covers of the block. Bonds are pairs of squares that are joined outside it.
    pub(super) fn new(shape: Shape, bonds: Vec<(u8, u8)>, seed: u64) -> Search {
        // A block that is too large counts as one without covers.
        let fits = usize::from(shape.0) * usize::from(shape.1) <= MOST;
        let net = Box::new(Net::new(if fits { shape } else { (0, 0) }));
        let count = net.count;
        let root = if fits { root(&net, shape, &bonds).map(Box::new) } else { None };
        let frames = root.iter().map(|root| (**root).clone()).collect();
        Search { net, root, bonds, frames, rng: Rng::seeded(seed), patience: count as u64, nodes: 0, spent: 0 }
    }

    /// Goes on to the next cover, or to `None` if there is none (after the first one: if there are
    /// no more; a search that starts anew may find one again). The paths stand one after the other,
    /// each from one bond to the next along the cycle, the first from the second square of the first
    /// bond on: with one bond (a, b) that is the path from b to a. Without bonds the cycle starts
    /// on square 0. A node is a decision.
    /// `None` also stands for more decisions than `patience`.
    pub(super) fn advance(&mut self, budget: &Budget, patience: u64) -> Result<Option<Vec<Vec<u8>>>, Pause> {
        loop {
            let granted = budget.take(64)?;
            for spent in 0..granted {
                let (Some(mut links), true) = (self.frames.pop(), self.spent < patience) else {
                    budget.give_back(granted - spent);
                    return Ok(None);
                };
                self.nodes += 1;
                self.spent += 1;
                if links.left == 0 {
                    budget.give_back(granted - spent);
                    return Ok(Some(self.read(&links)));
                }
                if self.nodes > self.patience {
                    self.patience += self.patience / 4;
                    self.nodes = 0;
                    self.frames.clear();
                    self.frames.extend(self.root.as_deref().cloned());
                    continue;
                }
                if !links.is_connected(&self.net, &self.bonds) {
                    continue;
                }
                let (v, d) = self.branch(&links);
                let mut with = links.clone();
                links.drop_edge(&self.net, v, d);
                if links.settle(&self.net) {
                    self.frames.push(links);
                }
                if with.use_edge(&self.net, v, d) && with.settle(&self.net) {
                    self.frames.push(with);
                }
            }
        }
    }

    /// Which edge to decide next: of the square with the fewest to spare, the one to the neighbour
    /// with the fewest.
    fn branch(&mut self, links: &Links) -> (u8, u8) {
        let mut best = (u8::MAX, 0);
        let turn = self.rng.below(self.net.count as u64) as usize;
        for v in (turn..self.net.count).chain(0..turn) {
            let need = links.need[v];
            if need > 0 {
                let spare = links.usable[v].count_ones() as u8 - need;
                if spare < best.0 {
                    best = (spare, v);
                }
            }
        }
        let v = best.1;
        let mut edge = (u8::MAX, 0);
        let turn = (self.rng.bits() % 8) as u8;
        for d in (0..8).map(|d| (d + turn) % 8) {
            if links.usable[v] >> d & 1 != 0 {
                let u = usize::from(self.net.near[v][usize::from(d)]);
                let spare = links.usable[u].count_ones() as u8 - links.need[u];
                if spare < edge.0 {
                    edge = (spare, d);
                }
            }
        }
        (v as u8, edge.1)
    }

    fn read(&self, links: &Links) -> Vec<Vec<u8>> {
        let mut bonds = self.bonds.clone();
        let mut here = if bonds.is_empty() { 0 } else { bonds.swap_remove(0).1 };
        let mut paths = Vec::new();
        let mut seen: u128 = 0;
        loop {
            // Along the edges to the end of this path: the next square is one not seen yet.
            let mut path = Vec::new();
            loop {
                path.push(here);
                seen |= 1 << here;
                let near = self.net.near[usize::from(here)];
                let used = links.used[usize::from(here)];
                match near.iter().enumerate().find(|&(d, &to)| used >> d & 1 != 0 && seen >> to & 1 == 0) {
                    Some((_, &to)) => here = to,
                    None => break,
                }
            }
            paths.push(path);
            let Some(bond) = bonds.iter().position(|&(a, b)| a == here || b == here) else {
                return paths;
            };
            let (a, b) = bonds.swap_remove(bond);
            here = if a == here { b } else { a };
        }
    }
}

/// The start of a search; none if what is asked contradicts itself at once.
fn root(net: &Net, shape: Shape, bonds: &[(u8, u8)]) -> Option<Links> {
    let mut links = Links {
        usable: [0; MOST],
        used: [0; MOST],
        need: [0; MOST],
        mate: std::array::from_fn(|v| v as u8),
        left: net.count as u8,
        dirty: if net.count == MOST { u128::MAX } else { (1 << net.count) - 1 },
    };
    for v in 0..net.count {
        links.need[v] = 2;
        for d in 0..8 {
            links.usable[v] |= u8::from(net.near[v][d] != OFF) << d;
        }
    }
    for &(a, b) in bonds {
        if a == b || links.need[usize::from(a)] == 0 || links.need[usize::from(b)] == 0 || !links.join(net, a, b) {
            return None;
        }
    }
    // A bond between two squares of one colour makes up for one square of that colour too many.
    let colour = |square: u8| {
        let (row, col) = (square / shape.1, square % shape.1);
        if (row + col) % 2 == 0 { 1 } else { -1 }
    };
    let squares: i32 = (0..net.count as u8).map(colour).sum();
    let bonded: i32 = bonds.iter().map(|&(a, b)| colour(a) + colour(b)).sum();
    (2 * squares == bonded && links.settle(net)).then_some(links)
}
