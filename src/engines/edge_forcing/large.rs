//! [`LargeState`]: the sets of a search on a graph of any size. A join costs about as many steps as
//! the vertices concerned have neighbours, and every change is taken back one by one.

use std::sync::Arc;

use super::classes::Classes;
use super::state::State;
use super::word::MOST_SPARED;
use crate::board::Bitboard;
use crate::request::apex::Apexes;
use crate::request::graph::{Graph, VertexSet};
use crate::request::ordered;

/// The sets of a search.
#[derive(Clone, Debug)]
pub(super) struct LargeState {
    graph: Arc<Graph>,
    /// A bit for each arc of the graph: neither chosen nor forbidden.
    usable: VertexSet,
    /// The same for the edges of each apex, by the other end.
    apexes: Vec<VertexSet>,
    /// What each vertex and apex spares.
    slack: Vec<i32>,
    mates: Vec<u32>,
    links: Vec<[u32; 2]>,
    active: VertexSet,
    active_count: usize,
    bare: VertexSet,
    /// How many vertices spare less than nothing.
    failed: usize,
    /// The active vertices, apexes left out, by what they spare: ends of fragments at twice that
    /// number, bare ones after them.
    classes: Classes,
    origin: u32,
}

impl LargeState {
    /// Bytes for a graph.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        let vertices = graph.len() as u64;
        // What is slack, mates and links; 32 classes, four sets, and a bit an arc.
        vertices * (4 + 4 + 8) + vertices * 37 / 8 + graph.arc_count() as u64 / 8 + 4096
    }

    fn count(&self) -> u32 {
        self.graph.len() as u32
    }

    fn arc(&self, from: u32, to: u32) -> Option<u32> {
        let at = self.graph.neighbours(from).binary_search(&to).ok()?;
        Some(self.graph.arcs(from).start + at as u32)
    }

    fn class(&self, v: u32) -> Option<usize> {
        let slack = usize::try_from(self.slack[v as usize]).ok()?;
        Some(slack.min(MOST_SPARED) * 2 + usize::from(self.bare.contains(v)))
    }

    fn enter(&mut self, v: u32) {
        if v < self.count() {
            match self.class(v) {
                Some(class) => self.classes.insert(class, v),
                None => self.failed += 1,
            }
        }
    }

    fn leave(&mut self, v: u32) {
        if v < self.count() {
            match self.class(v) {
                Some(class) => self.classes.remove(class, v),
                None => self.failed -= 1,
            }
        }
    }

    fn spare(&mut self, v: u32, change: i32) {
        self.leave(v);
        self.slack[v as usize] += change;
        self.enter(v);
    }

    /// What the other ends of the usable edges of `v`, but for `to`, spare changes.
    fn spare_around(&mut self, v: u32, to: u32, change: i32) {
        let count = self.count();
        if v >= count {
            let apex = (v - count) as usize;
            for at in 0..self.apexes[apex].words().len() {
                for bit in Bitboard(self.apexes[apex].words()[at]) {
                    let u = at as u32 * 64 + bit;
                    if u != to && self.active.contains(u) {
                        self.spare(u, change);
                    }
                }
            }
            return;
        }
        for at in 0..self.graph.neighbours(v).len() {
            let u = self.graph.neighbours(v)[at];
            let arc = self.graph.arcs(v).start + at as u32;
            if u != to && self.active.contains(u) && self.usable.contains(arc) {
                self.spare(u, change);
            }
        }
        for apex in 0..self.apexes.len() {
            let u = count + apex as u32;
            if u != to && self.active.contains(u) && self.apexes[apex].contains(v) {
                self.slack[u as usize] += change;
            }
        }
    }

    fn set_usable(&mut self, a: u32, b: u32, usable: bool) {
        let count = self.count();
        let (a, b) = ordered(a, b);
        let set = |set: &mut VertexSet, at: u32| if usable { set.add(at) } else { set.discard(at) };
        if b >= count {
            if a < count {
                set(&mut self.apexes[(b - count) as usize], a);
            }
            return;
        }
        for (from, to) in [(a, b), (b, a)] {
            if let Some(arc) = self.arc(from, to) {
                set(&mut self.usable, arc);
            }
        }
    }

    /// The other ends of the usable edges of a vertex that is no apex, apexes left out.
    fn usable_around(&self, v: u32) -> impl Iterator<Item = u32> {
        let arcs = self.graph.arcs(v).zip(self.graph.neighbours(v));
        arcs.filter(|&(arc, &u)| self.usable.contains(arc) && self.active.contains(u)).map(|(_, &u)| u)
    }

    fn first_usable(&self, v: u32) -> Option<u32> {
        let count = self.count();
        if v >= count {
            return self.apexes[(v - count) as usize].iter().find(|&u| self.active.contains(u));
        }
        self.usable_around(v).next().or_else(|| {
            (count..)
                .zip(&self.apexes)
                .find(|&(apex, members)| self.active.contains(apex) && members.contains(v))
                .map(|(apex, _)| apex)
        })
    }
}

impl State for LargeState {
    type Saved = ();

    const BATCH: u64 = 16;

    fn new(graph: &Arc<Graph>, plan: &Apexes) -> Self {
        let count = graph.len() as u32;
        let vertices = plan.vertices(graph);
        let mut slack: Vec<i32> = (0..count).map(|v| graph.neighbours(v).len() as i32 - 2).collect();
        for members in &plan.apexes {
            // Two apexes are joined to each other.
            slack.push((members.count() + plan.apexes.len() - 1) as i32 - 2);
            for v in members.iter() {
                slack[v as usize] += 1;
            }
        }
        let mut state = LargeState {
            graph: Arc::clone(graph),
            usable: VertexSet::full(graph.arc_count()),
            apexes: plan.apexes.clone(),
            slack,
            mates: (0..vertices as u32).collect(),
            links: vec![[0; 2]; vertices],
            active: VertexSet::full(vertices),
            active_count: vertices,
            bare: VertexSet::full(vertices),
            failed: 0,
            classes: Classes::new((MOST_SPARED + 1) * 2, graph.len()),
            origin: 0,
        };
        for v in 0..count {
            state.enter(v);
        }
        state
    }

    fn set_origin(&mut self, origin: u32) {
        self.origin = origin;
    }

    fn save(&self) {}

    fn restore(&mut self, (): &()) {}

    fn is_bare(&self, v: u32) -> bool {
        self.bare.contains(v)
    }

    fn is_active(&self, v: u32) -> bool {
        self.active.contains(v)
    }

    fn are_last(&self, _a: u32, _b: u32) -> bool {
        self.active_count == 2
    }

    fn has_failed(&self) -> bool {
        self.failed > 0
    }

    fn mate(&self, v: u32) -> u32 {
        self.mates[v as usize]
    }

    fn set_mates(&mut self, a: u32, b: u32) {
        self.mates[a as usize] = b;
        self.mates[b as usize] = a;
    }

    fn unset_mates(&mut self, a: u32, u: u32, b: u32, v: u32) {
        self.mates[a as usize] = u;
        self.mates[b as usize] = v;
    }

    fn begin(&mut self, v: u32, to: u32) {
        self.leave(v);
        self.bare.discard(v);
        self.enter(v);
        self.links[v as usize][0] = to;
    }

    fn unbegin(&mut self, v: u32) {
        self.leave(v);
        self.bare.add(v);
        self.enter(v);
    }

    fn retire(&mut self, v: u32, to: u32) {
        self.links[v as usize][1] = to;
        self.leave(v);
        self.active.discard(v);
        self.active_count -= 1;
        self.spare_around(v, to, -1);
    }

    fn unretire(&mut self, v: u32, to: u32) {
        self.spare_around(v, to, 1);
        self.active.add(v);
        self.active_count += 1;
        self.enter(v);
    }

    fn is_usable(&self, a: u32, b: u32) -> bool {
        let count = self.count();
        let (a, b) = ordered(a, b);
        if b < count {
            self.arc(a, b).is_some_and(|arc| self.usable.contains(arc))
        } else {
            a < count && self.apexes[(b - count) as usize].contains(a)
        }
    }

    fn cut(&mut self, a: u32, b: u32) {
        self.set_usable(a, b, false);
    }

    fn uncut(&mut self, a: u32, b: u32) {
        self.set_usable(a, b, true);
    }

    fn lose(&mut self, a: u32, b: u32) {
        self.spare(a, -1);
        self.spare(b, -1);
    }

    fn unlose(&mut self, a: u32, b: u32) {
        self.spare(b, 1);
        self.spare(a, 1);
    }

    fn forced(&self) -> Option<(u32, u32)> {
        let v = self.classes.first(0).or_else(|| self.classes.first(1))?;
        Some((v, self.first_usable(v)?))
    }

    fn forced_apex(&self) -> (Option<(u32, u32)>, bool) {
        for apex in self.count()..self.mates.len() as u32 {
            if self.active.contains(apex) {
                match self.slack[apex as usize] {
                    i32::MIN..0 => return (None, true),
                    0 => return (self.first_usable(apex).map(|v| (apex, v)), false),
                    _ => {}
                }
            }
        }
        (None, false)
    }

    fn choose(&self) -> Option<u32> {
        let first = |class| self.classes.first_from(class, self.origin).or_else(|| self.classes.first(class));
        (2..(MOST_SPARED + 1) * 2).find_map(first)
    }

    fn slack(&self, v: u32) -> usize {
        self.class(v).unwrap_or(0)
    }

    fn choose_at(&self, v: u32) -> Option<(u32, u32)> {
        let to = self.usable_around(v).min_by_key(|&u| (self.class(u), u < self.origin));
        Some((v, to.or_else(|| self.first_usable(v))?))
    }

    fn close(&mut self, a: u32, b: u32) {
        self.links[a as usize][1] = b;
        self.links[b as usize][1] = a;
    }

    fn links(&self, v: u32) -> [u32; 2] {
        self.links[v as usize]
    }
}
