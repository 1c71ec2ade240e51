//! [`Quotient`]: how it is made of a graph and a symmetry, and how a tour is made of what is found in it.

use std::sync::Arc;

use super::orbits::{Map, Orbits};
use crate::board::moves::gcd;
use crate::request::graph::{Graph, Parts, VertexSet};

/// What is looked for in a quotient, and how a tour is made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A path, then the middle square if there is one, then the image of the path backwards.
    Open { middle: Option<u32> },
    /// A path and its image, with squares that stay before and after it if there are such.
    Mirror {
        before: Option<u32>,
        after: Option<u32>,
        /// Whether each cycle has its path found in both directions.
        is_twice: bool,
    },
    /// A cycle.
    Turn,
}

/// The tours of a graph that a symmetry maps to themselves in one of the ways that the module tells.
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(super) base: Arc<Graph>,
    pub(super) graph: Arc<Graph>,
    pub(super) kind: Kind,
    /// The members of each orbit, in turn.
    pub(super) members: Vec<Vec<u32>>,
    pub(super) order: u32,
    /// The voltages of the edges of each arc of the graph.
    pub(super) voltages: Vec<Vec<u32>>,
    /// For a turn by fewer than three orbits: all its tours, which a graph could not tell apart.
    few: Option<Vec<Vec<u32>>>,
}

impl Quotient {
    /// The quotients whose tours together are the tours of the graph that the permutation maps to themselves, each
    /// once. The permutation moves some vertex, maps the graph to itself and, if it is of open tours, its starts to its
    /// ends.
    ///
    /// `preferred` lists all vertices: where an orbit is drawn is where the first of its members is. For a sweep that
    /// should be a half of the board with short sides.
    ///
    /// Cost: linear in the edges of the graph, and sorting.
    #[must_use]
    pub fn all(base: &Arc<Graph>, map: &Map, preferred: &[u32]) -> Vec<Quotient> {
        let orbits = Orbits::new(map, preferred);
        let stay: Vec<u32> = orbits.members.iter().filter(|orbit| orbit.len() == 1).map(|orbit| orbit[0]).collect();
        let mut found = Vec::new();
        if base.is_closed() {
            if base.len() >= 3 && stay.is_empty() {
                found.extend(Quotient::turn(base, &orbits));
            }
            if base.len() >= 3 && orbits.order == 2 && stay.len() <= 2 {
                found.extend(Quotient::mirror(base, &orbits, &stay));
            }
        } else if orbits.order == 2 && stay.len() == base.len() % 2 {
            found.extend(Quotient::open(base, &orbits, stay.first().copied()));
        }
        found
    }

    /// The graph in which to look: cycles if it is closed, else paths from its starts to its ends.
    #[must_use]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// All tours, if there are so few vertices that a graph cannot tell cycles apart.
    #[must_use]
    pub fn few(&self) -> Option<&[Vec<u32>]> {
        self.few.as_deref()
    }

    /// Whether the tours can be counted by the paths or cycles of [`Quotient::graph`]: each path or cycle, of which
    /// parallel edges make several, stands for [`Quotient::times`] tours, or two for one ([`Quotient::is_halved`]).
    #[must_use]
    pub fn is_countable(&self) -> bool {
        self.few.is_none()
            && match self.kind {
                Kind::Open { middle } => !self.is_pinned_twice(middle),
                Kind::Mirror { .. } => true,
                Kind::Turn => self.order.is_power_of_two(),
            }
    }

    /// Whether squares are given at two places of the first half of an open tour: a path from the orbit of the one to
    /// that of the other may lead to the other square of that orbit.
    fn is_pinned_twice(&self, middle: Option<u32>) -> bool {
        let last = self.base.len() as u32 - 1;
        let steps = self.base.steps().iter().filter(|&&(_, v)| Some(v) != middle);
        let mut places: Vec<u32> = steps.map(|&(step, _)| step.min(last - step)).collect();
        places.extend(self.base.start().map(|_| 0));
        places.iter().any(|place| *place != places[0])
    }

    /// How many tours each path or cycle stands for.
    #[must_use]
    pub fn times(&self) -> u32 {
        // An open tour begins on either square of the first orbit, unless something says on which. A step of the middle
        // square does not.
        let is_free = |middle: Option<u32>| {
            self.base.start().is_none() && self.base.steps().iter().all(|&(_, v)| Some(v) == middle)
        };
        if matches!(self.kind, Kind::Open { middle } if is_free(middle)) { 2 } else { 1 }
    }

    /// Whether two paths stand for each tour.
    #[must_use]
    pub fn is_halved(&self) -> bool {
        matches!(self.kind, Kind::Mirror { is_twice: true, .. })
    }

    /// Open tours, which the permutation runs backwards.
    fn open(base: &Arc<Graph>, orbits: &Orbits, middle: Option<u32>) -> Option<Quotient> {
        let mut quotient = Quotient::bare(base, orbits, Kind::Open { middle });
        let half = base.len() as u32 / 2;
        let mut parts = quotient.parts(orbits, middle.as_slice())?;
        parts.ends = match middle {
            // A square and its image are as far from the middle, so no move joins them.
            Some(_) if !quotient.required_mirrors(orbits).is_empty() => return None,
            Some(middle) => quotient.next_to(orbits, middle)?,
            None => quotient.mirrored(orbits)?,
        };
        for v in base.starts().iter().filter(|&v| Some(v) != middle) {
            parts.starts.add(quotient.vertex(orbits, v)?);
        }
        for &(step, v) in base.steps() {
            if (Some(v) == middle) != (base.len() % 2 == 1 && step == half) {
                return None;
            }
            // Which of the two squares is at the step is seen when the tour is made.
            let vertex = if Some(v) == middle { continue } else { quotient.vertex(orbits, v)? };
            if step + 1 == half {
                parts.ends = Quotient::only_of(&parts.ends, vertex);
            } else if step > 0 && step < half {
                parts.steps.push((step, vertex));
            }
        }
        quotient.graph = Arc::new(Graph::of_parts(parts));
        Some(quotient)
    }

    /// Closed tours whose direction the permutation turns round.
    fn mirror(base: &Arc<Graph>, orbits: &Orbits, stay: &[u32]) -> Option<Quotient> {
        let (before, after) = (stay.first().copied(), stay.get(1).copied());
        let mut quotient = Quotient::bare(base, orbits, Kind::Mirror { before, after, is_twice: false });
        let mut parts = quotient.parts(orbits, stay)?;
        if let (Some(a), Some(b)) = (before, after)
            && base.required().binary_search(&(a, b)).is_ok()
        {
            return None;
        }
        match (before, after) {
            // The cycle crosses its axis on these two, and on no move.
            (Some(_), Some(_)) if !quotient.required_mirrors(orbits).is_empty() => return None,
            (Some(a), Some(b)) => {
                parts.starts = quotient.next_to(orbits, a)?;
                parts.ends = quotient.next_to(orbits, b)?;
            }
            (Some(a), None) => {
                parts.starts = quotient.next_to(orbits, a)?;
                parts.ends = quotient.mirrored(orbits)?;
            }
            _ => {
                // The moves to their images that must be used: two at most.
                let required: Vec<u32> = quotient.required_mirrors(orbits);
                let all = quotient.mirrors(orbits);
                let only = |v: u32| Quotient::only_of(&all, v);
                match required[..] {
                    [] => {
                        (parts.starts, parts.ends) = (all.clone(), all);
                        quotient.kind = Kind::Mirror { before, after, is_twice: true };
                    }
                    [a] => {
                        let mut others = all.clone();
                        others.discard(a);
                        (parts.starts, parts.ends) = (only(a), others);
                    }
                    [a, b] => (parts.starts, parts.ends) = (only(a), only(b)),
                    _ => return None,
                }
            }
        }
        quotient.graph = Arc::new(Graph::of_parts(parts));
        Some(quotient)
    }

    /// Closed tours that the permutation moves on.
    fn turn(base: &Arc<Graph>, orbits: &Orbits) -> Option<Quotient> {
        if orbits.members.iter().any(|orbit| orbit.len() as u64 != orbits.order) {
            return None;
        }
        let mut quotient = Quotient::bare(base, orbits, Kind::Turn);
        if quotient.members.len() < 3 {
            quotient.few = Some(quotient.few_turns(orbits));
            return Some(quotient);
        }
        // A move within an orbit would close too early.
        let is_within = |&(a, b): &(u32, u32)| orbits.of[a as usize].0 == orbits.of[b as usize].0;
        if base.required().iter().any(is_within) {
            return None;
        }
        let mut parts = quotient.parts(orbits, &[])?;
        parts.closed = true;
        parts.parity = quotient.order.is_power_of_two().then_some(true);
        quotient.graph = Arc::new(Graph::of_parts(parts));
        Some(quotient)
    }

    /// A quotient with its orbits and no graph yet; squares that stay are no vertices of it.
    fn bare(base: &Arc<Graph>, orbits: &Orbits, kind: Kind) -> Quotient {
        let order = orbits.order as u32;
        let members: Vec<Vec<u32>> = orbits.members.iter().filter(|orbit| orbit.len() > 1).cloned().collect();
        Quotient {
            base: Arc::clone(base),
            graph: Arc::clone(base),
            kind,
            members,
            order,
            voltages: Vec::new(),
            few: None,
        }
    }

    /// The vertex of the quotient whose orbit a vertex is of.
    fn vertex(&self, orbits: &Orbits, v: u32) -> Option<u32> {
        let first = orbits.members[orbits.of[v as usize].0 as usize][0];
        self.members.binary_search_by_key(&first, |orbit| orbit[0]).ok().map(|at| at as u32)
    }

    /// The edges between different orbits. `None`: more edges must be used than there can be.
    fn parts(&mut self, orbits: &Orbits, stay: &[u32]) -> Option<Parts> {
        let count = self.members.len();
        let mut required = Vec::new();
        let mut neighbours = Vec::with_capacity(count);
        for at in 0..count {
            let first = self.members[at][0];
            let is_required = |to: u32| self.base.required().binary_search(&(first, to)).is_ok();
            let mut edges: Vec<(u32, u32, bool)> = Vec::new();
            for &to in self.base.neighbours(first).iter().filter(|to| !stay.contains(to)) {
                let vertex = self.vertex(orbits, to)?;
                if vertex != at as u32 {
                    edges.push((vertex, orbits.of[to as usize].1, is_required(to)));
                }
            }
            edges.sort_unstable();
            let mut list = Vec::new();
            for group in edges.chunk_by(|a, b| a.0 == b.0) {
                let to = group[0].0;
                let must = group.iter().filter(|edge| edge.2).count();
                if must > 1 {
                    return None;
                }
                if must == 1 {
                    required.push((at as u32, to));
                }
                let used = group.iter().filter(|edge| edge.2 || must == 0).map(|edge| edge.1);
                let voltages: Vec<u32> = used.collect();
                let odd = voltages.iter().filter(|&&voltage| voltage % 2 == 1).count() as u8;
                list.push((to, [voltages.len() as u8 - odd, odd]));
                self.voltages.push(voltages);
            }
            neighbours.push(list);
        }
        Some(Parts {
            closed: false,
            drawing: self.base.drawing(),
            squares: self.members.iter().map(|orbit| self.base.square(orbit[0])).collect(),
            neighbours,
            parity: None,
            starts: VertexSet::empty(count),
            ends: VertexSet::empty(count),
            required,
            steps: Vec::new(),
        })
    }

    /// The orbits with a move to a square that stays; only that which must be used, if there is one.
    fn next_to(&self, orbits: &Orbits, square: u32) -> Option<VertexSet> {
        let mut set = VertexSet::empty(self.members.len());
        let required = self.base.required_at(square);
        let near: Vec<u32> = match required {
            [] => self.base.neighbours(square).to_vec(),
            some => some.iter().map(|&(_, to)| to).collect(),
        };
        for to in near {
            // Two squares that both stay cannot be next to each other.
            if let Some(vertex) = self.vertex(orbits, to) {
                set.add(vertex);
            } else if !required.is_empty() {
                return None;
            }
        }
        (required.is_empty() || set.count() == 1).then_some(set)
    }

    /// The orbits of two squares that are a move apart.
    fn mirrors(&self, orbits: &Orbits) -> VertexSet {
        let mut set = VertexSet::empty(self.members.len());
        for orbit in self.members.iter().filter(|orbit| self.base.is_edge(orbit[0], orbit[1])) {
            if let Some(vertex) = self.vertex(orbits, orbit[0]) {
                set.add(vertex);
            }
        }
        set
    }

    fn required_mirrors(&self, orbits: &Orbits) -> Vec<u32> {
        let is_required = |orbit: &&Vec<u32>| self.base.required().binary_search(&(orbit[0], orbit[1])).is_ok();
        self.members.iter().filter(is_required).filter_map(|orbit| self.vertex(orbits, orbit[0])).collect()
    }

    /// Of a set at most the one vertex.
    fn only_of(set: &VertexSet, vertex: u32) -> VertexSet {
        let mut only = set.minus(set);
        if set.contains(vertex) {
            only.add(vertex);
        }
        only
    }

    /// The orbits of two squares that are a move apart; only that which must be used, if there is one.
    fn mirrored(&self, orbits: &Orbits) -> Option<VertexSet> {
        match self.required_mirrors(orbits)[..] {
            [] => Some(self.mirrors(orbits)),
            [only] => Some(Quotient::only_of(&self.mirrors(orbits), only)),
            _ => None,
        }
    }

    /// The tours that are turned by one or two orbits.
    fn few_turns(&self, orbits: &Orbits) -> Vec<Vec<u32>> {
        let order = self.order;
        let is_unit = |voltage: u32| gcd(voltage.into(), order.into()) == 1;
        let all = |from: u32, to: u32| {
            let near = self.base.neighbours(from).iter();
            near.filter(move |&&v| orbits.of[v as usize].0 == to).map(|&v| orbits.of[v as usize].1)
        };
        let mut found = Vec::new();
        if let [orbit] = &self.members[..] {
            for voltage in all(orbit[0], 0).filter(|&voltage| is_unit(voltage) && 2 * voltage <= order) {
                found.push((0..order).map(|i| orbit[(i * voltage % order) as usize]).collect());
            }
        } else if let [first, second] = &self.members[..] {
            let voltages: Vec<u32> = all(first[0], 1).collect();
            for (i, &out) in voltages.iter().enumerate() {
                for &home in &voltages[..i] {
                    let turn = (out + order - home) % order;
                    if is_unit(turn) {
                        let at = |orbit: &[u32], shift: u32| orbit[(shift % order) as usize];
                        let pair = |i: u32| [at(first, i * turn), at(second, i * turn + out)];
                        found.push((0..order).flat_map(pair).collect());
                    }
                }
            }
        }
        found.retain(|tour: &Vec<u32>| self.uses_required(tour));
        found
    }

    fn uses_required(&self, cycle: &[u32]) -> bool {
        let mut next = vec![0; cycle.len()];
        for (i, &v) in cycle.iter().enumerate() {
            next[v as usize] = cycle[(i + 1) % cycle.len()];
        }
        self.base.required().iter().all(|&(a, b)| next[a as usize] == b || next[b as usize] == a)
    }

    /// Whether the voltages of every cycle add up to an even number for a plain reason: there are numbers for the
    /// vertices such that the voltage of each edge is, modulo 2, the sum of those at its ends, or for all edges that
    /// and 1, and the cycles have an even number of edges. Then there is no tour. (On 8x8 a quarter turn
    /// changes the colour of a square, as every move does, so it is the colours that tell an even number of quarter turns
    /// from an odd one; and 16 moves do not change the colour.)
    #[must_use]
    pub fn is_even(&self) -> bool {
        if self.kind != Kind::Turn || self.few.is_some() || !self.order.is_power_of_two() {
            return false;
        }
        let count = self.graph.len() as u32;
        let is_balanced = |constant: u32| {
            let mut number = vec![None; count as usize];
            for root in 0..count {
                if number[root as usize].is_some() {
                    continue;
                }
                number[root as usize] = Some(0);
                let mut queue = vec![root];
                while let Some(v) = queue.pop() {
                    let own = number[v as usize].unwrap_or(0);
                    for (&to, arc) in self.graph.neighbours(v).iter().zip(self.graph.arcs(v)) {
                        let wanted = |voltage: u32| (voltage + own + constant) % 2;
                        let mut sums = self.voltages[arc as usize].iter().map(|&voltage| wanted(voltage));
                        let Some(first) = sums.next() else { continue };
                        if sums.any(|sum| sum != first) || number[to as usize].is_some_and(|n| n != first) {
                            return false;
                        }
                        if number[to as usize].is_none() {
                            number[to as usize] = Some(first);
                            queue.push(to);
                        }
                    }
                }
            }
            true
        };
        is_balanced(0) || count.is_multiple_of(2) && is_balanced(1)
    }
}
