//! Whether every square can have two moves at all, cycles or not.
//!
//! A tour, seen as a cycle through the apex if it is open (`edge_forcing.rs`), gives every vertex two
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

use std::collections::HashSet;

use super::net::Net;
use super::{Code, Halt, NAMED, Reason, counted};
use crate::run::Watch;

/// The most phases of a flow, and the most vertices times phases of all flows of a request; the
/// question is left open after these.
const PHASES: usize = 64;
const WORK: usize = 1 << 20;

/// The bit of the move to the apex, after those of up to eight neighbours.
const APEX: usize = 8;

/// The level of a node that was not reached.
const FAR: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

struct Flow<'n, 'a> {
    net: &'n Net<'a>,
    state: &'n mut Flows,
}

/// How far the flow is.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    stage: Stage,
    /// The phase, of this many at most.
    phase: usize,
    phases: usize,
    /// The level of each node in the phase.
    level: Vec<u32>,
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

#[derive(Clone, Debug)]
enum Stage {
    /// Vertices with so few open moves give what they can, from this one on.
    Greedy(u32, u32),
    Layers(Layers),
    /// Ways are looked for from each vertex, from this one on.
    Augment(u32),
    Parts(Box<Parts>),
}

/// The nodes of the last layer, those of the next, and the next of the last to look at.
#[derive(Clone, Debug)]
struct Layers {
    layer: Vec<u32>,
    next: Vec<u32>,
    at: usize,
    distance: u32,
    is_found: bool,
}

/// The strongly connected parts of the residual graph (Tarjan 1972, with an explicit stack).
#[derive(Clone, Debug)]
struct Parts {
    part: Vec<u32>,
    time: Vec<u32>,
    low: Vec<u32>,
    waiting: Vec<u32>,
    stack: Vec<(u32, u32)>,
    clock: u32,
    parts: u32,
    root: u32,
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
    pub(super) fn shortage(&mut self, state: &mut Option<Box<Flows>>, watch: &mut Watch) -> Result<bool, Halt> {
        if self.left.is_empty() {
            return Ok(false);
        }
        let state = match state {
            Some(state) => state,
            None => {
                let phases = PHASES.min(WORK.saturating_sub(self.spent) / self.len());
                if phases == 0 {
                    return Ok(false);
                }
                state.insert(Box::new(Flows::new(self, phases)))
            }
        };
        let told = Flow { net: self, state }.advance(watch);
        if !matches!(told, Err(Halt::Pause(_))) {
            self.spent += state.phase * self.len();
        }
        let Some(told) = told? else { return Ok(false) };
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
}

impl Flows {
    fn new(net: &Net, phases: usize) -> Flows {
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
        Flows {
            stage: Stage::Greedy(0, 0),
            phase: 0,
            phases,
            level: vec![FAR; 2 * total as usize],
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
}

impl Flow<'_, '_> {
    /// Looks for a flow. `None` if it cannot tell.
    fn advance(&mut self, watch: &mut Watch) -> Result<Option<Told>, Halt> {
        loop {
            // What is taken out is put back where it is not done with.
            match std::mem::replace(&mut self.state.stage, Stage::Augment(0)) {
                Stage::Greedy(few, from) => {
                    // It notes itself how far it is.
                    self.greedy(few, from, watch)?;
                    self.next_phase();
                }
                Stage::Layers(mut layers) => {
                    if let Err(why) = self.layers(&mut layers, watch) {
                        self.state.stage = Stage::Layers(layers);
                        return Err(why);
                    }
                    if !layers.is_found {
                        return Err(self.proof(&self.state.level).into());
                    }
                }
                Stage::Augment(from) => {
                    for v in from..self.state.total {
                        self.state.stage = Stage::Augment(v);
                        watch.tick()?;
                        while self.state.to_give[v as usize] > 0 && self.augment(v) {}
                    }
                    if self.state.phase == self.state.phases {
                        return Ok(None);
                    }
                    self.next_phase();
                }
                Stage::Parts(mut parts) => {
                    if let Err(why) = self.parts(&mut parts, watch) {
                        self.state.stage = Stage::Parts(parts);
                        return Err(why);
                    }
                    return Ok(Some(self.told(&parts.part)));
                }
            }
        }
    }

    /// The flow is complete, or else there is another phase.
    fn next_phase(&mut self) {
        self.state.phase += 1;
        let givers: Vec<u32> = (0..self.state.total).filter(|&v| self.state.to_give[v as usize] > 0).collect();
        if givers.is_empty() {
            self.state.stage = Stage::Parts(Box::new(Parts::new(2 * self.state.total as usize)));
            return;
        }
        self.state.level.fill(FAR);
        for &v in &givers {
            self.state.level[v as usize] = 0;
        }
        self.state.stage =
            Stage::Layers(Layers { layer: givers, next: Vec::new(), at: 0, distance: 1, is_found: false });
    }

    /// The other side of a move of a vertex that is not the apex.
    fn target(&self, v: u32, i: usize) -> u32 {
        if i == APEX { self.state.count } else { self.net.graph.neighbours(v)[i] }
    }

    /// The bit of the move back from the i-th neighbour.
    fn back(&self, v: u32, i: usize) -> usize {
        let u = self.net.graph.neighbours(v)[i];
        self.net.graph.neighbours(u).binary_search(&v).unwrap_or_default()
    }

    /// Turns what v gives along a move on or off.
    fn toggle(&mut self, from: u32, to: u32) {
        if from == self.state.count {
            self.state.takes[to as usize] ^= 1 << APEX;
        } else if to == self.state.count {
            self.state.gives[from as usize] ^= 1 << APEX;
            match self.state.givers.iter().position(|&v| v == from) {
                Some(at) => {
                    self.state.givers.swap_remove(at);
                }
                None => self.state.givers.push(from),
            }
        } else if let Ok(i) = self.net.graph.neighbours(from).binary_search(&to) {
            let j = self.back(from, i);
            self.state.gives[from as usize] ^= 1 << i;
            self.state.takes[to as usize] ^= 1 << j;
        }
    }

    /// Gives what can be given without taking anything back, squares with few moves first.
    fn greedy(&mut self, few: u32, from: u32, watch: &mut Watch) -> Result<(), Halt> {
        let mut from = from;
        for few in few..=APEX as u32 + 1 {
            for v in from..self.state.count {
                self.state.stage = Stage::Greedy(few, v);
                watch.tick()?;
                if self.state.open[v as usize].count_ones() != few {
                    continue;
                }
                for i in 0..=APEX {
                    if self.state.open[v as usize] >> i & 1 == 0 || self.state.to_give[v as usize] == 0 {
                        continue;
                    }
                    let u = self.target(v, i);
                    if self.state.to_take[u as usize] > 0 {
                        self.toggle(v, u);
                        self.state.to_give[v as usize] -= 1;
                        self.state.to_take[u as usize] -= 1;
                    }
                }
            }
            from = 0;
        }
        Ok(())
    }

    /// The `at`-th arc or later of the residual graph that leaves a node (vertex v on the left is
    /// node v, on the right node total + v): the node it leads to and where to go on looking.
    fn arc(&self, node: u32, mut at: u32) -> Option<(u32, u32)> {
        let apex_left = self.state.count;
        if node >= self.state.total {
            // From the right back to a vertex that gives it something.
            let v = node - self.state.total;
            if v == self.state.count {
                return self.state.givers.get(at as usize).map(|&u| (u, at + 1));
            }
            let takes = self.state.takes[v as usize];
            while at <= APEX as u32 {
                if takes >> at & 1 != 0 {
                    return Some((self.target(v, at as usize), at + 1));
                }
                at += 1;
            }
            return None;
        }
        if node == apex_left {
            while let Some(&u) = self.state.candidates.get(at as usize) {
                if self.state.takes[u as usize] >> APEX & 1 == 0 {
                    return Some((self.state.total + u, at + 1));
                }
                at += 1;
            }
            return None;
        }
        let free = self.state.open[node as usize] & !self.state.gives[node as usize];
        while at <= APEX as u32 {
            if free >> at & 1 != 0 {
                return Some((self.state.total + self.target(node, at as usize), at + 1));
            }
            at += 1;
        }
        None
    }

    /// How many arcs each node is from a vertex that has something to give, as far as the nearest
    /// that can take more.
    fn layers(&mut self, layers: &mut Layers, watch: &mut Watch) -> Result<(), Halt> {
        loop {
            while let Some(&node) = layers.layer.get(layers.at) {
                watch.tick()?;
                layers.at += 1;
                let mut at = 0;
                while let Some((to, onwards)) = self.arc(node, at) {
                    at = onwards;
                    if self.state.level[to as usize] == FAR {
                        self.state.level[to as usize] = layers.distance;
                        let total = self.state.total;
                        layers.is_found |= to >= total && self.state.to_take[(to - total) as usize] > 0;
                        layers.next.push(to);
                    }
                }
            }
            layers.layer = std::mem::take(&mut layers.next);
            layers.at = 0;
            layers.distance += 1;
            if layers.is_found || layers.layer.is_empty() {
                return Ok(());
            }
        }
    }

    /// Looks for a way to give one more from v, through each node at most once a phase.
    fn augment(&mut self, v: u32) -> bool {
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
            if self.state.level[to as usize] != depth {
                continue;
            }
            self.state.level[to as usize] = FAR;
            if to >= self.state.total && self.state.to_take[(to - self.state.total) as usize] > 0 {
                let nodes: Vec<u32> = stack.iter().map(|&(node, _)| node).chain([to]).collect();
                for pair in nodes.windows(2) {
                    let (left, right) =
                        if pair[0] < self.state.total { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                    self.toggle(left, right - self.state.total);
                }
                self.state.to_give[v as usize] -= 1;
                self.state.to_take[(to - self.state.total) as usize] -= 1;
                return true;
            }
            stack.push((to, 0));
        }
        false
    }

    /// The vertices reached from one that cannot give its moves away.
    fn proof(&self, level: &[u32]) -> Reason {
        let is_taker = |u: u32| level[(self.state.total + u) as usize] != FAR;
        let givers: Vec<u32> = (0..self.state.total).filter(|&v| level[v as usize] != FAR).collect();
        let need: u64 = givers.iter().map(|&v| 2 - u64::from(self.used_at(v))).sum();
        let inside: u64 = (0..self.state.total).filter(|&u| is_taker(u)).map(|u| 2 - u64::from(self.used_at(u))).sum();
        let mut outside = 0u64;
        for &v in &givers {
            if v == self.state.count {
                outside += self.state.candidates.iter().filter(|&&u| !is_taker(u)).count() as u64;
            } else {
                let open = self.state.open[v as usize];
                outside += (0..=APEX).filter(|&i| open >> i & 1 != 0 && !is_taker(self.target(v, i))).count() as u64;
            }
        }
        debug_assert!(need > inside + outside);
        let squares: Vec<u32> =
            givers.iter().filter(|&&v| v != self.state.count).map(|&v| self.net.graph.square(v)).collect();
        // Ends count as moves to and from the apex, which is no square.
        let targets: HashSet<u32> = givers
            .iter()
            .filter(|&&v| v < self.state.count)
            .flat_map(|&v| {
                (0..APEX).filter(move |&i| self.state.open[v as usize] >> i & 1 != 0).map(move |i| self.target(v, i))
            })
            .collect();
        let forced = self.net.used.iter().any(|&bits| bits != 0);
        let mut names: Vec<String> =
            squares.iter().take(NAMED).map(|&square| self.net.request.board().name(square)).collect();
        if squares.len() > NAMED {
            names.push("...".to_owned());
        }
        let apart = squares.iter().all(|&square| !targets.contains(&self.net.graph.vertex(square)));
        let (names, taking) = (names.join(", "), counted(targets.len() as u64, "square"));
        let others = if apart { counted(targets.len() as u64, "other") } else { taking.clone() };
        let (it, leads) = if squares.len() == 1 { ("the two", "leads") } else { ("them", "lead") };
        let text = format!(
            "{} ({names}) {leads} to only {others}. A tour needs {need} {}moves between {it}{}; {taking} can take only {}.",
            counted(squares.len() as u64, "square"),
            if forced { "more " } else { "" },
            match (forced, self.state.total > self.state.count) {
                (true, true) => " beside those that are forced, where an end counts as a move",
                (true, false) => " beside those that are forced",
                (false, true) => ", where an end counts as a move",
                (false, false) => "",
            },
            inside + outside
        );
        Reason::new(Code::Shortage, text, squares)
    }

    fn used_at(&self, v: u32) -> u32 {
        if v == self.state.count {
            self.net.must.len() as u32
        } else {
            self.net.used[v as usize].count_ones() + u32::from(self.net.must.contains(&v))
        }
    }

    /// The moves that every saturating flow uses, and those that none uses.
    fn told(&self, part: &[u32]) -> Told {
        let mut told = Told { never: Vec::new(), always: Vec::new(), never_ends: Vec::new(), always_ends: Vec::new() };
        for v in 0..self.state.count {
            for i in 0..=APEX {
                if self.state.open[v as usize] >> i & 1 == 0 {
                    continue;
                }
                let u = self.target(v, i);
                if part[v as usize] == part[(self.state.total + u) as usize] {
                    continue;
                }
                match (self.state.gives[v as usize] >> i & 1 != 0, i == APEX) {
                    (true, true) => told.always_ends.push(v),
                    (false, true) => told.never_ends.push(v),
                    (true, false) => told.always.push((v, i)),
                    (false, false) => told.never.push((v, i)),
                }
            }
        }
        told
    }

    fn parts(&self, parts: &mut Parts, watch: &mut Watch) -> Result<(), Halt> {
        let Parts { part, time, low, waiting, stack, clock, parts: found, root } = parts;
        while (*root as usize) < time.len() {
            watch.tick()?;
            let Some(&(node, at)) = stack.last() else {
                if time[*root as usize] == NONE {
                    stack.push((*root, 0));
                } else {
                    *root += 1;
                }
                continue;
            };
            if at == 0 && time[node as usize] == NONE {
                time[node as usize] = *clock;
                low[node as usize] = *clock;
                *clock += 1;
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
                    part[member as usize] = *found;
                    if member == node {
                        break;
                    }
                }
                *found += 1;
            }
        }
        Ok(())
    }
}

impl Parts {
    fn new(nodes: usize) -> Parts {
        Parts {
            part: vec![NONE; nodes],
            time: vec![NONE; nodes],
            low: vec![0; nodes],
            waiting: Vec::new(),
            stack: Vec::new(),
            clock: 0,
            parts: 0,
            root: 0,
        }
    }
}
