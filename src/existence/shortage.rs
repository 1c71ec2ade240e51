//! Whether every square can have two moves at all, cycles or not.
//!
//! A tour, seen as a cycle through the apex if it is open (`forced.rs`), gives every vertex two
//! moves, each of them another. Leave out that the moves make one cycle: what remains is a question
//! of flow. Each vertex stands once on the left, with two moves to give, and once on the right,
//! with two to take; each move is an arc from left to right in both directions and carries at most
//! one. If no flow saturates every vertex there is no tour, and the vertices reached from one that
//! cannot give its moves away are the proof: they need more moves than the squares around them can
//! take. This contains the classic argument that removing k squares must not leave more than k (k +
//! 1 for open tours) single squares, for every set of squares at once.
//!
//! If there is a flow, a move that no saturating flow uses is ruled out, and one that every flow
//! uses is forced: a move is free exactly if its two sides lie in one strongly connected part of
//! the residual graph. Sources: L. R. Ford and D. R. Fulkerson, "Flows in Networks", 1962
//! (degree-constrained subgraphs); J.-C. Régin, "Generalized arc consistency for global cardinality
//! constraint", AAAI 1996 (what no flow uses).
//!
//! The flow is found in phases of shortest augmentations after a greedy start (Hopcroft and Karp
//! 1973; Dinitz 1970). A phase costs a pass over the moves, and boards seldom need more than a few;
//! where they do nothing is claimed.

use super::net::Net;
use super::{Code, Reason, named};

/// The most phases of a flow, and the most vertices times phases of all flows of a request; the
/// question is left open after these.
const PHASES: usize = 64;
const WORK: usize = 1 << 20;

/// The bit of the move to the apex, after those of up to eight neighbours.
const APEX: usize = 8;

/// The level of a node that was not reached.
const FAR: u32 = u32::MAX;

struct Flow<'n, 'a> {
    net: &'n Net<'a>,
    /// The apex, if there is one, is vertex `count`.
    count: u32,
    /// How many vertices there are, with the apex.
    total: u32,
    /// Of each vertex the moves that may carry something: neighbours' bits and the apex's.
    open: Vec<u16>,
    /// What each vertex gives along which move, and what it takes.
    gives: Vec<u16>,
    takes: Vec<u16>,
    /// What each vertex has still to give and to take.
    to_give: Vec<u8>,
    to_take: Vec<u8>,
    /// The vertices with an open move to the apex, and those that give it something.
    candidates: Vec<u32>,
    givers: Vec<u32>,
}

/// What the flow tells.
struct Told {
    /// Moves that no tour uses, as (vertex, index of the neighbour), each in one direction at least.
    never: Vec<(u32, usize)>,
    /// Moves that every tour uses.
    always: Vec<(u32, usize)>,
    /// Vertices on which no tour ends.
    never_ends: Vec<u32>,
    /// Vertices on which every tour ends.
    always_ends: Vec<u32>,
}

impl Net<'_> {
    /// See the module. Says whether moves or ends were ruled out or forced.
    pub(super) fn shortage(&mut self) -> Result<bool, Reason> {
        if self.left.is_empty() {
            return Ok(false);
        }
        let Some(told) = self.flow()? else { return Ok(false) };
        for &v in &told.never_ends {
            self.starts.discard(v);
            self.ends.discard(v);
        }
        for &v in &told.always_ends {
            if !self.must.contains(&v) {
                self.must.push(v);
            }
        }
        for &(v, i) in &told.never {
            self.mark(v, i, false);
        }
        for &(v, i) in &told.always {
            self.mark(v, i, true);
        }
        let news = told.never.len() + told.always.len() + told.never_ends.len() + told.always_ends.len();
        Ok(news > 0)
    }

    /// Looks for a flow. `None` if it cannot tell.
    fn flow(&mut self) -> Result<Option<Told>, Reason> {
        let phases = PHASES.min(WORK.saturating_sub(self.spent) / self.len());
        if phases == 0 {
            return Ok(None);
        }
        let (told, taken) = self.flow_in(phases);
        self.spent += taken * self.len();
        told
    }

    /// Looks for a flow in so many phases; says how many it took.
    fn flow_in(&self, phases: usize) -> (Result<Option<Told>, Reason>, usize) {
        let mut flow = Flow::new(self);
        flow.greedy();
        let mut level = vec![FAR; 2 * flow.total as usize];
        for phase in 1..=phases {
            if flow.to_give.iter().all(|&left| left == 0) {
                return (Ok(Some(flow.told())), phase);
            }
            if !flow.layers(&mut level) {
                return (Err(flow.proof(&level)), phase);
            }
            for v in 0..flow.total {
                while flow.to_give[v as usize] > 0 && flow.augment(v, &mut level) {}
            }
        }
        (Ok(None), phases)
    }
}

impl<'n, 'a> Flow<'n, 'a> {
    fn new(net: &'n Net<'a>) -> Self {
        let count = net.len() as u32;
        let total = count + u32::from(!net.graph.is_closed());
        let mut open: Vec<u16> = Vec::with_capacity(count as usize);
        let mut to_give = Vec::with_capacity(total as usize);
        let mut candidates = Vec::new();
        for v in 0..count {
            let at = v as usize;
            let must = net.must.contains(&v);
            let mut bits = u16::from(net.left[at] & !net.used[at]);
            if !must && net.may_be_end(v) {
                bits |= 1 << APEX;
                candidates.push(v);
            }
            open.push(bits);
            to_give.push(2u8.saturating_sub(net.used[at].count_ones() as u8 + u8::from(must)));
        }
        if total > count {
            to_give.push(2u8.saturating_sub(net.must.len() as u8));
        }
        let none = vec![0; count as usize];
        let to_take = to_give.clone();
        Flow {
            net,
            count,
            total,
            open,
            gives: none.clone(),
            takes: none,
            to_give,
            to_take,
            candidates,
            givers: Vec::new(),
        }
    }

    /// The other side of a move of a vertex that is not the apex.
    fn target(&self, v: u32, i: usize) -> u32 {
        if i == APEX { self.count } else { self.net.graph.neighbours(v)[i] }
    }

    /// The bit of the move back from the i-th neighbour.
    fn back(&self, v: u32, i: usize) -> usize {
        let u = self.net.graph.neighbours(v)[i];
        self.net.graph.neighbours(u).binary_search(&v).unwrap_or_default()
    }

    /// Turns what v gives along a move on or off.
    fn toggle(&mut self, from: u32, to: u32) {
        if from == self.count {
            self.takes[to as usize] ^= 1 << APEX;
        } else if to == self.count {
            self.gives[from as usize] ^= 1 << APEX;
            match self.givers.iter().position(|&v| v == from) {
                Some(at) => {
                    self.givers.swap_remove(at);
                }
                None => self.givers.push(from),
            }
        } else if let Ok(i) = self.net.graph.neighbours(from).binary_search(&to) {
            let j = self.back(from, i);
            self.gives[from as usize] ^= 1 << i;
            self.takes[to as usize] ^= 1 << j;
        }
    }

    /// Gives what can be given without taking anything back, squares with few moves first.
    fn greedy(&mut self) {
        for few in 0..=APEX as u32 + 1 {
            for v in 0..self.count {
                if self.open[v as usize].count_ones() != few {
                    continue;
                }
                for i in 0..=APEX {
                    if self.open[v as usize] >> i & 1 == 0 || self.to_give[v as usize] == 0 {
                        continue;
                    }
                    let u = self.target(v, i);
                    if self.to_take[u as usize] > 0 {
                        self.toggle(v, u);
                        self.to_give[v as usize] -= 1;
                        self.to_take[u as usize] -= 1;
                    }
                }
            }
        }
    }

    /// The `at`-th arc or later of the residual graph that leaves a node (vertex v on the left is
    /// node v, on the right node total + v): the node it leads to and where to go on looking.
    fn arc(&self, node: u32, mut at: u32) -> Option<(u32, u32)> {
        let apex_left = self.count;
        if node >= self.total {
            // From the right back to a vertex that gives it something.
            let v = node - self.total;
            if v == self.count {
                return self.givers.get(at as usize).map(|&u| (u, at + 1));
            }
            let takes = self.takes[v as usize];
            while at <= APEX as u32 {
                if takes >> at & 1 != 0 {
                    return Some((self.target(v, at as usize), at + 1));
                }
                at += 1;
            }
            return None;
        }
        if node == apex_left {
            while let Some(&u) = self.candidates.get(at as usize) {
                if self.takes[u as usize] >> APEX & 1 == 0 {
                    return Some((self.total + u, at + 1));
                }
                at += 1;
            }
            return None;
        }
        let free = self.open[node as usize] & !self.gives[node as usize];
        while at <= APEX as u32 {
            if free >> at & 1 != 0 {
                return Some((self.total + self.target(node, at as usize), at + 1));
            }
            at += 1;
        }
        None
    }

    /// How many arcs each node is from a vertex that has something to give, as far as the nearest
    /// that can take more; says whether there is one.
    fn layers(&self, level: &mut [u32]) -> bool {
        level.fill(FAR);
        let mut layer: Vec<u32> = (0..self.total).filter(|&v| self.to_give[v as usize] > 0).collect();
        for &v in &layer {
            level[v as usize] = 0;
        }
        let mut found = false;
        let mut distance = 0;
        while !found && !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for &node in &layer {
                let mut at = 0;
                while let Some((to, onwards)) = self.arc(node, at) {
                    at = onwards;
                    if level[to as usize] == FAR {
                        level[to as usize] = distance;
                        found |= to >= self.total && self.to_take[(to - self.total) as usize] > 0;
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        found
    }

    /// Looks for a way to give one more from v, through each node at most once a phase.
    fn augment(&mut self, v: u32, level: &mut [u32]) -> bool {
        let mut stack = vec![(v, 0u32)];
        while let Some(&(node, at)) = stack.last() {
            let Some((to, next)) = self.arc(node, at) else {
                stack.pop();
                continue;
            };
            let depth = stack.len() as u32;
            if let Some(top) = stack.last_mut() {
                top.1 = next;
            }
            if level[to as usize] != depth {
                continue;
            }
            level[to as usize] = FAR;
            if to >= self.total && self.to_take[(to - self.total) as usize] > 0 {
                let nodes: Vec<u32> = stack.iter().map(|&(node, _)| node).chain([to]).collect();
                for pair in nodes.windows(2) {
                    let (left, right) = if pair[0] < self.total { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                    self.toggle(left, right - self.total);
                }
                self.to_give[v as usize] -= 1;
                self.to_take[(to - self.total) as usize] -= 1;
                return true;
            }
            stack.push((to, 0));
        }
        false
    }

    /// The vertices reached from one that cannot give its moves away.
    fn proof(&self, level: &[u32]) -> Reason {
        let is_taker = |u: u32| level[(self.total + u) as usize] != FAR;
        let givers: Vec<u32> = (0..self.total).filter(|&v| level[v as usize] != FAR).collect();
        let need: u64 = givers.iter().map(|&v| 2 - u64::from(self.used_at(v))).sum();
        let inside: u64 = (0..self.total).filter(|&u| is_taker(u)).map(|u| 2 - u64::from(self.used_at(u))).sum();
        let mut outside = 0u64;
        for &v in &givers {
            if v == self.count {
                outside += self.candidates.iter().filter(|&&u| !is_taker(u)).count() as u64;
            } else {
                let open = self.open[v as usize];
                outside += (0..=APEX).filter(|&i| open >> i & 1 != 0 && !is_taker(self.target(v, i))).count() as u64;
            }
        }
        debug_assert!(need > inside + outside);
        let squares: Vec<u32> =
            givers.iter().filter(|&&v| v != self.count).map(|&v| self.net.graph.square(v)).collect();
        let forced = self.net.used.iter().any(|&bits| bits != 0);
        let text = format!(
            "a tour makes two moves at each square{}: {} {} {need}{}, and the squares that they lead to \
             have room for {}",
            if self.total > self.count { ", an end counting as a move" } else { "" },
            named(self.net.request.board(), &squares),
            if squares.len() == 1 { "needs" } else { "need together" },
            if forced { " beside those that are forced" } else { "" },
            inside + outside
        );
        Reason::new(Code::Shortage, text, squares)
    }

    fn used_at(&self, v: u32) -> u32 {
        if v == self.count {
            self.net.must.len() as u32
        } else {
            self.net.used[v as usize].count_ones() + u32::from(self.net.must.contains(&v))
        }
    }

    /// The moves that every saturating flow uses, and those that none uses.
    fn told(&self) -> Told {
        let part = self.parts();
        let mut told = Told { never: Vec::new(), always: Vec::new(), never_ends: Vec::new(), always_ends: Vec::new() };
        for v in 0..self.count {
            for i in 0..=APEX {
                if self.open[v as usize] >> i & 1 == 0 {
                    continue;
                }
                let u = self.target(v, i);
                if part[v as usize] == part[(self.total + u) as usize] {
                    continue;
                }
                match (self.gives[v as usize] >> i & 1 != 0, i == APEX) {
                    (true, true) => told.always_ends.push(v),
                    (false, true) => told.never_ends.push(v),
                    (true, false) => told.always.push((v, i)),
                    (false, false) => told.never.push((v, i)),
                }
            }
        }
        told
    }

    /// The strongly connected parts of the residual graph (Tarjan 1972, with an explicit stack).
    fn parts(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let nodes = 2 * self.total;
        let mut part = vec![NONE; nodes as usize];
        let mut time = vec![NONE; nodes as usize];
        let mut low = vec![0u32; nodes as usize];
        let mut waiting = Vec::new();
        let mut stack: Vec<(u32, u32)> = Vec::new();
        let (mut clock, mut parts) = (0, 0);
        for root in 0..nodes {
            if time[root as usize] != NONE {
                continue;
            }
            stack.push((root, 0));
            while let Some(&(node, at)) = stack.last() {
                if at == 0 && time[node as usize] == NONE {
                    time[node as usize] = clock;
                    low[node as usize] = clock;
                    clock += 1;
                    waiting.push(node);
                }
                if let Some((to, next)) = self.arc(node, at) {
                    if let Some(top) = stack.last_mut() {
                        top.1 = next;
                    }
                    if time[to as usize] == NONE {
                        stack.push((to, 0));
                    } else if part[to as usize] == NONE {
                        low[node as usize] = low[node as usize].min(time[to as usize]);
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(below, _)) = stack.last() {
                    low[below as usize] = low[below as usize].min(low[node as usize]);
                }
                if low[node as usize] == time[node as usize] {
                    while let Some(member) = waiting.pop() {
                        part[member as usize] = parts;
                        if member == node {
                            break;
                        }
                    }
                    parts += 1;
                }
            }
        }
        part
    }
}
