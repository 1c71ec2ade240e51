//! [`Growth`]: a path or cycle through as many squares as it comes to, without proof.
//!
//! A path grows by Warnsdorff's rule; where it cannot it is rotated (see [`crate::engines::rotation`], which looks for tours that
//! way). Here squares may be left out, so no path is in vain: the longest is kept, of cycles the longest that a move from
//! the end of the path closes. A run depends on the request and the nodes alone.
//!
//! Cost: a node is an extension, a rotation or sixteen squares turned round, some 30 nanoseconds.

use std::sync::Arc;

use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::rng::Rng;
use crate::run::{Budget, Pause};
use crate::symmetry::list_cycle;

const NONE: u32 = u32::MAX;

/// Nodes claimed from the budget at a time: some microseconds' worth.
const BATCH: u64 = 256;

#[derive(Debug)]
pub(super) struct Growth {
    graph: Arc<Graph>,
    closed: bool,
    /// Where the path begins, if that is given; and where it is to end, which it does not visit before.
    first: Option<u32>,
    last: Option<u32>,
    /// The path was asked for from its last square to its first.
    is_reversed: bool,
    path: Vec<u32>,
    /// Where each vertex stands on the path.
    place: Vec<u32>,
    /// Of each vertex how many unvisited neighbours it has.
    free: Vec<u8>,
    /// When each vertex was an end for the last time.
    ended: Vec<u64>,
    clock: u64,
    rng: Rng,
    best: Vec<u32>,
    nodes: u64,
    debt: u64,
    grew_at: u64,
    best_at: u64,
}

impl Growth {
    /// Bytes that it takes, from above.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        21 * graph.len() as u64
    }

    /// A path of the graph of the whole board, with the ends of the request.
    pub(super) fn new(request: &Request, graph: &Arc<Graph>) -> Growth {
        let vertex = |square: Option<u32>| square.map(|square| graph.vertex(square));
        let (start, end) = (vertex(request.start()), vertex(request.end()));
        let is_reversed = start.is_none() && end.is_some();
        let (first, last) = if is_reversed { (end, None) } else { (start, end) };
        let count = graph.len();
        Growth {
            graph: Arc::clone(graph),
            closed: request.is_closed(),
            first,
            last,
            is_reversed,
            path: Vec::with_capacity(count),
            place: vec![NONE; count],
            free: vec![0; count],
            ended: vec![0; count],
            clock: 0,
            rng: Rng::seeded(0),
            best: Vec::new(),
            nodes: 0,
            debt: 0,
            grew_at: 0,
            best_at: 0,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes since the longest was found.
    pub(super) fn idle(&self) -> u64 {
        self.nodes - self.best_at
    }

    /// Goes on until this many nodes are done, or this many squares are found.
    pub(super) fn advance(&mut self, budget: &Budget, upto: u64, enough: usize) -> Result<(), Pause> {
        while self.nodes < upto && self.longest() < enough {
            let granted = budget.take(BATCH)?;
            let mut left = granted;
            while left > 0 && self.longest() < enough {
                let paid = left.min(self.debt);
                left -= paid;
                self.debt -= paid;
                if left == 0 {
                    break;
                }
                self.debt = 1 + self.step();
            }
            self.nodes += granted - left;
            budget.give_back(left);
        }
        Ok(())
    }

    /// Squares of the longest so far.
    fn longest(&self) -> usize {
        if self.is_free() { self.best.len().max(self.path.len()) } else { self.best.len() }
    }

    /// Whether every path will do.
    fn is_free(&self) -> bool {
        !self.closed && self.last.is_none()
    }

    /// The squares of the longest so far, in order.
    pub(super) fn squares(&mut self, start: Option<u32>) -> Vec<u32> {
        self.keep_path();
        let mut squares: Vec<u32> = self.best.iter().map(|&v| self.graph.square(v)).collect();
        if self.is_reversed {
            squares.reverse();
        }
        if self.closed {
            list_cycle(&mut squares, start);
        }
        squares
    }

    /// Paths only grow, until there is a new one.
    fn keep_path(&mut self) {
        if self.is_free() && self.path.len() > self.best.len() {
            self.best.clone_from(&self.path);
        }
    }

    /// A path of one vertex. The work it was.
    fn begin(&mut self) -> u64 {
        self.keep_path();
        self.path.clear();
        self.place.fill(NONE);
        self.ended.fill(0);
        for v in 0..self.graph.len() as u32 {
            self.free[v as usize] = self.graph.neighbours(v).len().min(usize::from(u8::MAX)) as u8;
        }
        let first = self.first.unwrap_or_else(|| self.rng.below(self.graph.len() as u64) as u32);
        // Where it is to end it cannot go on.
        if let Some(last) = self.last {
            self.leave(last);
        }
        self.push(first);
        self.grew_at = self.nodes;
        self.graph.len() as u64 / 16
    }

    fn leave(&mut self, v: u32) {
        for &u in self.graph.neighbours(v) {
            self.free[u as usize] = self.free[u as usize].saturating_sub(1);
        }
    }

    fn push(&mut self, v: u32) {
        self.place[v as usize] = self.path.len() as u32;
        self.path.push(v);
        self.leave(v);
    }

    fn pop(&mut self) {
        if let Some(v) = self.path.pop() {
            self.place[v as usize] = NONE;
            for &u in self.graph.neighbours(v) {
                self.free[u as usize] += 1;
            }
        }
    }

    fn is_unvisited(&self, v: u32) -> bool {
        self.place[v as usize] == NONE && self.last != Some(v)
    }

    /// Extends the path, or rotates it. The work beyond one node.
    fn step(&mut self) -> u64 {
        let Some(&end) = self.path.last() else { return self.begin() };
        let count = self.graph.neighbours(end).len() as u64;
        // Of equals the first after a place by chance.
        let shift = self.rng.below(count.max(1)) as usize;
        let graph = Arc::clone(&self.graph);
        let near = graph.neighbours(end);
        let around = || near[shift..].iter().chain(&near[..shift]).copied();
        // A square where the path would have to end is the last choice.
        let onward = around().filter(|&u| self.is_unvisited(u)).min_by_key(|&u| {
            let free = self.free[u as usize];
            (free == 0, free)
        });
        if let Some(next) = onward.filter(|&u| graph.neighbours(u).len() == 1) {
            // It can only end there.
            self.push(next);
            self.keep_path();
            self.pop();
        } else if let Some(next) = onward {
            self.push(next);
            self.grew_at = self.nodes;
            if self.is_free() && self.path.len() > self.best.len() {
                self.best_at = self.nodes;
            }
            return self.measure();
        }
        if self.nodes - self.grew_at > 2_000 + 50 * graph.len() as u64 {
            return self.begin();
        }
        self.clock += 1;
        self.ended[end as usize] = self.clock;
        let is_closed = self.path.len() > 2 && near.contains(&self.path[0]);
        if is_closed && self.first.is_none() && self.cut_open() {
            return self.path.len() as u64 / 8;
        }
        // An end from which the path can grow, the nearest; or that was none for the longest time.
        let mut found: Option<((bool, u64), usize)> = None;
        for pivot in around() {
            let Some(at) = self.place.get(pivot as usize).filter(|&&at| at != NONE).map(|&at| at as usize + 1) else {
                continue;
            };
            // The square before the last stays before it.
            if at + 1 >= self.path.len() {
                continue;
            }
            let other = self.path[at];
            let is_good = self.free[other as usize] > 0;
            let key = (!is_good, if is_good { (self.path.len() - at) as u64 } else { self.ended[other as usize] });
            if found.is_none_or(|(least, _)| key < least) {
                found = Some((key, at));
            }
        }
        let from = match found {
            // Now and then the other end has its turn.
            Some((key, at)) if !key.0 || self.first.is_some() || self.rng.below(16) > 0 => at,
            None if self.first.is_some() => return self.begin(),
            _ => 0,
        };
        self.path[from..].reverse();
        for (at, &v) in self.path.iter().enumerate().skip(from) {
            self.place[v as usize] = at as u32;
        }
        (self.path.len() - from) as u64 / 16 + self.measure()
    }

    /// The path is a cycle: lets it end beside an unvisited vertex, one by chance. Says whether there is such a place.
    fn cut_open(&mut self) -> bool {
        let count = self.path.len();
        let shift = self.rng.below(count as u64) as usize;
        let found = (0..count).map(|i| (i + shift) % count).find(|&at| self.free[self.path[at] as usize] > 0);
        let Some(at) = found else { return false };
        self.path.rotate_left((at + 1) % count);
        for (at, &v) in self.path.iter().enumerate() {
            self.place[v as usize] = at as u32;
        }
        true
    }

    /// Keeps the longest path to the given end, or the longest cycle that the end of the path closes, if it is the longest so
    /// far. The work it was.
    fn measure(&mut self) -> u64 {
        let Some(&end) = self.path.last() else { return 0 };
        let places = |v: u32| self.graph.neighbours(v).iter().map(|&u| self.place[u as usize]).filter(|&at| at != NONE);
        let part = if let Some(last) = self.last {
            places(last).max().map(|at| 0..at as usize + 1)
        } else if self.closed {
            // With a given square the cycle is the whole path.
            let first = places(end).min().filter(|&at| self.first.is_none() || at == 0);
            first.map(|at| at as usize..self.path.len())
        } else {
            None
        };
        let Some(part) = part else { return 0 };
        let long = part.len() + usize::from(self.last.is_some());
        if long <= self.best.len() || self.closed && long < 3 {
            return 0;
        }
        self.best.clear();
        self.best.extend_from_slice(&self.path[part]);
        self.best.extend(self.last);
        self.best_at = self.nodes;
        long as u64 / 16
    }
}
