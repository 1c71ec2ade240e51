//! [`Cover`]: every vertex with two of its edges used, or on the way to that.

use crate::engines::cycle_graph::{CycleGraph, NONE, SAMPLED};
use crate::request::graph::Graph;
use crate::run::rng::Rng;

/// The graph with its apexes, and which of its edges are used.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    net: CycleGraph,
    /// The other ends of the used edges, `NONE` where one is missing.
    links: Vec<[u32; 2]>,
    /// Sets of vertices that are connected by used edges (a forest of parents).
    parent: Vec<u32>,
    /// The vertices in the order in which they get their first edges.
    order: Vec<u32>,
    /// Vertices that may have an edge too few.
    lacking: Vec<u32>,
    /// When the search for an alternating path came to a vertex and from where.
    found: Vec<u32>,
    came_from: Vec<(u32, u32)>,
    clock: u32,
    /// Edges looked at for alternating paths.
    work: u64,
}

impl Cover {
    /// Bytes for a graph.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        // Nine numbers a vertex.
        CycleGraph::bytes(graph) + 9 * 4 * (graph.len() as u64 + 2)
    }

    pub(super) fn new(net: CycleGraph) -> Cover {
        let vertices = net.len();
        Cover {
            net,
            links: vec![[NONE; 2]; vertices],
            parent: (0..vertices as u32).collect(),
            order: Vec::new(),
            lacking: Vec::new(),
            found: vec![0; vertices],
            came_from: vec![(NONE, NONE); vertices],
            clock: 0,
            work: 0,
        }
    }

    /// Number of vertices, apexes among them.
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    #[inline]
    pub(super) fn links(&self, v: u32) -> [u32; 2] {
        self.links[v as usize]
    }

    /// What is covered.
    pub(super) fn net(&self) -> &CycleGraph {
        &self.net
    }

    #[inline]
    pub(super) fn is_used(&self, a: u32, b: u32) -> bool {
        self.links[a as usize].contains(&b)
    }

    #[inline]
    fn lacks(&self, v: u32) -> bool {
        self.links[v as usize][1] == NONE
    }

    /// Uses an edge; both ends have room for it.
    pub(super) fn add(&mut self, a: u32, b: u32) {
        for (v, to) in [(a, b), (b, a)] {
            let links = &mut self.links[v as usize];
            debug_assert!(links[1] == NONE && links[0] != to);
            if links[0] == NONE {
                links[0] = to;
            } else {
                links[1] = to;
            }
        }
    }

    /// Uses an edge no longer.
    pub(super) fn remove(&mut self, a: u32, b: u32) {
        for (v, to) in [(a, b), (b, a)] {
            let links = &mut self.links[v as usize];
            debug_assert!(links.contains(&to));
            if links[0] == to {
                links[0] = links[1];
            }
            links[1] = NONE;
        }
    }

    /// The set of vertices that a vertex belongs to.
    fn set_of(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }

    /// No edges but those that must be used. Says whether that is possible.
    pub(super) fn begin(&mut self, rng: &mut Rng) -> bool {
        self.links.fill([NONE; 2]);
        for v in 0..self.len() {
            self.parent[v] = v as u32;
        }
        for at in 0..self.net.locked().len() {
            let (a, b) = self.net.locked()[at];
            if a < b {
                let (x, y) = (self.set_of(a), self.set_of(b));
                if !self.lacks(a) || !self.lacks(b) || x == y || !self.net.is_edge(a, b) {
                    return false;
                }
                self.add(a, b);
                self.parent[x as usize] = y;
            }
        }
        // Those with few edges first, by chance where they have as many.
        let mut keys: Vec<(usize, u64, u32)> =
            (0..self.len() as u32).map(|v| (self.net.targets(v).len(), rng.bits(), v)).collect();
        keys.sort_unstable();
        self.order = keys.into_iter().map(|(_, _, v)| v).collect();
        self.lacking.clear();
        true
    }

    /// Gives the next vertex of the order its edges, if it can without closing a cycle. Says whether there are more.
    pub(super) fn grow(&mut self, at: usize, rng: &mut Rng) -> bool {
        let v = self.order[at];
        while self.lacks(v) {
            let own = self.set_of(v);
            let mut best: Option<((usize, u64), u32)> = None;
            let count = self.net.targets(v).len();
            // An apex takes whatever it meets first from somewhere.
            let shift = if count > 2 * SAMPLED { rng.below(count as u64) as usize } else { 0 };
            for i in 0..count.min(2 * SAMPLED) {
                let u = self.net.targets(v)[(i + shift) % count];
                if self.lacks(u) && !self.is_used(v, u) && self.set_of(u) != own {
                    let free = self.net.targets(u).iter().take(2 * SAMPLED).filter(|&&w| self.lacks(w)).count();
                    let free = free + usize::from(self.links[u as usize][0] != NONE);
                    let key = (free, rng.bits());
                    if best.is_none_or(|(least, _)| key < least) {
                        best = Some((key, u));
                    }
                }
            }
            let Some((_, u)) = best else {
                self.lacking.push(v);
                break;
            };
            let other = self.set_of(u);
            self.parent[other as usize] = own;
            self.add(v, u);
        }
        at + 1 < self.order.len()
    }

    /// Gives a vertex that has an edge too few another one, and takes none from anywhere, along an alternating path.
    /// `Some(true)`: no vertex has too few. `None`: there is no such path.
    pub(super) fn complete(&mut self, rng: &mut Rng) -> Option<bool> {
        while let Some(&v) = self.lacking.last() {
            if self.lacks(v) {
                return self.augment(v, rng).then_some(false);
            }
            self.lacking.pop();
        }
        Some(true)
    }

    /// Nodes for the edges looked at since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        1 + std::mem::take(&mut self.work)
    }

    /// Looks for an alternating path from a vertex with room to another (or itself), and goes along it.
    fn augment(&mut self, start: u32, rng: &mut Rng) -> bool {
        self.clock += 1;
        let mut queue = vec![start];
        self.found[start as usize] = self.clock;
        let mut at = 0;
        let mut others = Vec::new();
        while let Some(&v) = queue.get(at) {
            at += 1;
            others.clear();
            others.extend_from_slice(self.net.targets(v));
            let shift = rng.below(others.len().max(1) as u64) as usize;
            others.rotate_left(shift);
            self.work += others.len() as u64;
            for &u in &others {
                if self.is_used(v, u) {
                    continue;
                }
                let room = u != v && self.lacks(u) && (u != start || self.links[u as usize][0] == NONE);
                if room {
                    if self.flip(start, v, u) {
                        return true;
                    }
                    continue;
                }
                for w in self.links[u as usize] {
                    if w != NONE && self.found[w as usize] != self.clock && !self.net.is_locked(u, w) {
                        self.found[w as usize] = self.clock;
                        self.came_from[w as usize] = (v, u);
                        queue.push(w);
                    }
                }
            }
        }
        false
    }

    /// Uses what is not used along the path from `start` to `v` and `u`, and the other way round. Fails where the path
    /// takes an edge twice, which cannot happen in graphs of two colours.
    fn flip(&mut self, start: u32, v: u32, u: u32) -> bool {
        let mut added = vec![(v, u)];
        let mut removed = Vec::new();
        let mut at = v;
        while at != start {
            let (before, through) = self.came_from[at as usize];
            removed.push((through, at));
            added.push((before, through));
            at = before;
        }
        if added.len() > 1 && self.is_tangled(&added, &removed) {
            return false;
        }
        for &(a, b) in &removed {
            self.remove(a, b);
        }
        for &(a, b) in &added {
            self.add(a, b);
        }
        true
    }

    fn is_tangled(&self, added: &[(u32, u32)], removed: &[(u32, u32)]) -> bool {
        let twice = |edges: &[(u32, u32)]| {
            let mut sorted: Vec<_> = edges.iter().map(|&(a, b)| crate::request::ordered(a, b)).collect();
            sorted.sort_unstable();
            sorted.windows(2).any(|pair| pair[0] == pair[1])
        };
        twice(added) || twice(removed) || added.iter().any(|&(a, b)| a == b)
    }

    /// Finds the cycles, as sets of vertices.
    pub(super) fn number_cycles(&mut self) {
        self.parent.fill(NONE);
        for v in 0..self.len() as u32 {
            if self.parent[v as usize] == NONE {
                let mut at = v;
                let mut before = NONE;
                loop {
                    self.parent[at as usize] = v;
                    let [a, b] = self.links[at as usize];
                    (before, at) = (at, if a == before { b } else { a });
                    if at == v {
                        break;
                    }
                }
            }
        }
    }

    /// Makes one cycle of two by two edges out and two in, where one of those taken out is at `a`.
    pub(super) fn merge_at(&mut self, a: u32) -> bool {
        for b in self.links[a as usize] {
            if self.net.is_locked(a, b) {
                continue;
            }
            let own = self.set_of(a);
            for i in 0..self.net.targets(a).len().min(4 * SAMPLED) {
                let c = self.net.targets(a)[i];
                let other = self.set_of(c);
                if other == own {
                    continue;
                }
                for d in self.links[c as usize] {
                    if self.net.is_edge(b, d) && !self.net.is_locked(c, d) {
                        self.remove(a, b);
                        self.remove(c, d);
                        self.add(a, c);
                        self.add(b, d);
                        self.parent[other as usize] = own;
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether all vertices are on one cycle, walked along.
    pub(super) fn is_one_cycle(&self) -> bool {
        let (mut before, mut at, mut steps) = (NONE, 0, 0);
        loop {
            let [a, b] = self.links[at as usize];
            (before, at) = (at, if a == before { b } else { a });
            steps += 1;
            if at == 0 {
                return steps == self.len();
            }
        }
    }

    /// The vertices along the cycle through vertex 0.
    pub(super) fn cycle(&self) -> Vec<u32> {
        let mut vertices = Vec::with_capacity(self.len());
        let (mut before, mut at) = (NONE, 0);
        loop {
            vertices.push(at);
            let [a, b] = self.links[at as usize];
            (before, at) = (at, if a == before { b } else { a });
            if at == 0 {
                return vertices;
            }
        }
    }
}
