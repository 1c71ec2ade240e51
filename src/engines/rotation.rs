//! [`Rotation`]: tours by rotating and extending a path.
//!
//! A path grows at one end by Warnsdorff's rule: to the unvisited neighbour with the fewest unvisited neighbours of its
//! own. Where there is none it is *rotated* (L. Pósa, "Hamiltonian circuits in random graphs", Discrete Mathematics 14,
//! 1976): its last square is a move away from another on the path; with that move in, and the move behind that square
//! out, the rest runs backwards and the path ends elsewhere.
//!
//! ```text
//! first … pivot next … last        becomes        first … pivot last … next
//! ```
//!
//! So the end walks over the board until it meets an unvisited square, those ends first that have been ends the longest
//! time ago. When the two ends of the path are a move apart it is a cycle, which is cut open beside any unvisited square
//! and goes on there; when no square is left it is the tour.
//!
//! An open tour is a cycle through an apex, or through two, as for the search that forces edges. Moves that must be used
//! are taken when the path comes to them and stay. This search proves nothing: it finds a tour or goes on for ever. It is
//! seeded, and a run depends on the seed and the nodes alone.
//!
//! **Cost.** A node is an extension, a rotation or sixteen squares turned round: some 30 nanoseconds. Thousands of squares
//! are a matter of a second; the last few unvisited ones take most of it, as the end meets them by chance.

use std::sync::Arc;

pub use crate::engines::cycle_graph::Step;
use crate::engines::cycle_graph::{CycleGraph, NONE};
use crate::request::graph::Graph;
use crate::run::Budget;
use crate::run::rng::Rng;

/// What the search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationStats {
    /// Extensions, rotations, and squares turned round by sixteens.
    pub nodes: u64,
    /// Rotations, and cycles cut open.
    pub rotations: u64,
    /// Paths after the first one.
    pub restarts: u64,
}

/// Nodes claimed from the budget at a time: some microseconds' worth.
const BATCH: u64 = 256;

/// A search for a tour, which can be paused at any node and sent to another thread.
#[derive(Debug)]
pub struct Rotation {
    graph: Arc<Graph>,
    path: Option<Path>,
    found: bool,
    rng: Rng,
    stats: RotationStats,
    /// Nodes that the last step took and that are still to be paid for.
    debt: u64,
    /// Steps of this path, and how many they were when it grew for the last time.
    steps: u64,
    grew_at: u64,
}

/// The path: from the first vertex to the last, at which it grows.
#[derive(Debug)]
struct Path {
    net: CycleGraph,
    squares: Vec<u32>,
    /// Where each vertex stands on the path.
    place: Vec<u32>,
    /// Of each vertex how many unvisited neighbours it has, apexes aside.
    free: Vec<u8>,
    /// When each vertex was an end for the last time.
    ended: Vec<u64>,
    clock: u64,
    /// Neighbours being looked at.
    some: Vec<u32>,
}

impl Rotation {
    /// Bytes that a search takes, from above.
    #[must_use]
    pub fn bytes(graph: &Graph) -> u64 {
        CycleGraph::bytes(graph) + 17 * (graph.len() as u64 + 2)
    }

    /// A search that has not begun. Cost: linear in the graph.
    #[must_use]
    pub fn new(graph: Arc<Graph>, seed: Option<u64>) -> Rotation {
        let path = CycleGraph::new(&graph).map(Path::new);
        Rotation {
            path,
            graph,
            found: false,
            rng: Rng::stream(seed.unwrap_or(0), 2),
            stats: RotationStats::default(),
            debt: 0,
            steps: 0,
            grew_at: 0,
        }
    }

    /// Goes on until a tour is found or the budget refuses.
    pub fn advance(&mut self, budget: &Budget) -> Step {
        let Some(path) = &mut self.path else { return Step::GaveUp };
        while !self.found {
            let granted = match budget.take(BATCH) {
                Ok(granted) => granted,
                Err(pause) => return Step::Paused(pause),
            };
            let mut left = granted;
            while left > 0 {
                let paid = left.min(self.debt);
                left -= paid;
                self.debt -= paid;
                if left == 0 || self.found {
                    break;
                }
                let length = path.squares.len();
                if length == 0 || self.steps - self.grew_at > patience(path.net.len()) {
                    if !path.begin(&mut self.rng) {
                        self.path = None;
                        budget.give_back(left);
                        return Step::GaveUp;
                    }
                    self.stats.restarts += u64::from(length > 0);
                    (self.steps, self.grew_at) = (0, 0);
                    // The path, and what is known of its vertices, is cleared.
                    self.debt = path.net.len() as u64 / 16;
                    continue;
                }
                self.steps += 1;
                self.debt = path.step(&mut self.rng);
                if path.squares.len() > length {
                    self.grew_at = self.steps;
                } else {
                    self.stats.rotations += 1;
                }
                self.found = path.is_tour();
                if self.found {
                    self.debt = 0;
                }
            }
            self.stats.nodes += granted - left;
            budget.give_back(left);
        }
        Step::Found
    }

    /// The squares of the tour just found, open ones from start to end.
    #[must_use]
    pub fn tour(&self) -> Vec<u32> {
        self.path.as_ref().map(|path| path.net.squares(&self.graph, &path.squares)).unwrap_or_default()
    }

    /// What has been done so far.
    #[must_use]
    pub fn stats(&self) -> RotationStats {
        self.stats
    }
}

/// Rotations in a row after which a new path is better.
fn patience(vertices: usize) -> u64 {
    2_000 + 20 * vertices as u64
}

impl Path {
    fn new(net: CycleGraph) -> Path {
        let vertices = net.len();
        Path {
            net,
            squares: Vec::with_capacity(vertices),
            place: vec![NONE; vertices],
            free: vec![0; vertices],
            ended: vec![0; vertices],
            clock: 0,
            some: Vec::new(),
        }
    }

    /// A path of one vertex by chance. Says whether there is one that it may begin with.
    fn begin(&mut self, rng: &mut Rng) -> bool {
        self.squares.clear();
        self.place.fill(NONE);
        self.ended.fill(0);
        let vertices = self.net.len() as u32;
        for v in 0..vertices {
            let count = self.net.targets(v).iter().filter(|&&u| !self.net.is_apex(u)).count();
            self.free[v as usize] = count.min(usize::from(u8::MAX)) as u8;
        }
        // Where two moves must be used the path may not begin: it would have to grow both ways.
        let shift = rng.below(u64::from(vertices)) as u32;
        let Some(first) = (0..vertices).map(|v| (v + shift) % vertices).find(|&v| self.net.locked_at(v).count() < 2)
        else {
            return false;
        };
        self.push(first);
        true
    }

    fn push(&mut self, v: u32) {
        self.place[v as usize] = self.squares.len() as u32;
        self.squares.push(v);
        if !self.net.is_apex(v) {
            for &u in self.net.targets(v) {
                self.free[u as usize] = self.free[u as usize].saturating_sub(1);
            }
        }
    }

    fn last(&self) -> u32 {
        self.squares[self.squares.len() - 1]
    }

    /// Whether it has all vertices and closes.
    fn is_tour(&self) -> bool {
        self.squares.len() == self.net.len() && self.net.is_edge(self.last(), self.squares[0])
    }

    /// Extends the path, or rotates it. Says how many nodes that was.
    fn step(&mut self, rng: &mut Rng) -> u64 {
        let last = self.last();
        // A move that must be used comes before all else.
        let locked = self.net.locked_at(last).find(|&u| self.place[u as usize] == NONE);
        if let Some(u) = locked {
            self.push(u);
            return 1;
        }
        let mut some = std::mem::take(&mut self.some);
        self.net.some_targets(last, rng, &mut some);
        let onward = some.iter().copied().filter(|&u| self.place[u as usize] == NONE);
        let work = match onward.min_by_key(|&u| self.free[u as usize]) {
            Some(u) => {
                self.push(u);
                1
            }
            None => self.rotate(&some, rng),
        };
        self.some = some;
        work
    }

    /// Makes the path end elsewhere: `some` are neighbours of its last vertex, all on it.
    fn rotate(&mut self, some: &[u32], rng: &mut Rng) -> u64 {
        let (first, last) = (self.squares[0], self.last());
        let is_whole = self.squares.len() == self.net.len();
        if !is_whole && self.squares.len() > 2 && self.net.is_edge(first, last) && self.cut_open(rng) {
            return 1 + self.squares.len() as u64 / 16;
        }
        self.clock += 1;
        self.ended[last as usize] = self.clock;
        // An end with unvisited neighbours, few of them; or one that closes the tour; or that was none for the longest time.
        let mut best: Option<((bool, u64), usize)> = None;
        for &pivot in some {
            let at = self.place[pivot as usize] as usize + 1;
            let Some(&end) = self.squares.get(at) else { continue };
            if end == last || self.net.is_locked(pivot, end) {
                continue;
            }
            let is_good = if is_whole { self.net.is_edge(end, first) } else { self.free[end as usize] > 0 };
            let key = (
                !is_good,
                if is_good && !is_whole { self.free[end as usize].into() } else { self.ended[end as usize] },
            );
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, at));
            }
        }
        let from = match best {
            // Now and then the other end has its turn.
            Some((key, at)) if !key.0 || rng.below(64) > 0 => at,
            _ => 0,
        };
        self.turn(from);
        1 + (self.squares.len() - from) as u64 / 16
    }

    /// Turns the path round from a place on.
    fn turn(&mut self, from: usize) {
        self.squares[from..].reverse();
        for (at, &v) in self.squares.iter().enumerate().skip(from) {
            self.place[v as usize] = at as u32;
        }
    }

    /// The path is a cycle: lets it end beside an unvisited vertex, one by chance. Says whether there is such a place.
    fn cut_open(&mut self, rng: &mut Rng) -> bool {
        let count = self.squares.len();
        let shift = rng.below(count as u64) as usize;
        let found = (0..count).map(|i| (i + shift) % count).find(|&at| {
            let (end, next) = (self.squares[at], self.squares[(at + 1) % count]);
            self.free[end as usize] > 0 && !self.net.is_locked(end, next)
        });
        let Some(at) = found else { return false };
        self.squares.rotate_left((at + 1) % count);
        for (at, &v) in self.squares.iter().enumerate() {
            self.place[v as usize] = at as u32;
        }
        true
    }
}
