//! [`Search`]: the control flow, the same for every size of graph. It joins fragments, follows what is
//! forced, branches, and takes back; a [`State`] keeps the sets.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Step;
use super::position::Choice;
use super::state::State;
use super::steps::Steps;
use crate::request::apex::Apexes;
use crate::request::graph::Graph;
use crate::run::Budget;

/// What a choice led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Some vertex has several possibilities left.
    Undecided,
    /// No tour has these edges.
    Dead,
    /// One edge is left to choose, and it closes the cycle.
    Tour,
}

/// A change to take back.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// The edge from `u` to `v` was chosen; the fragment reaches from `a` to `b`, and `cut` says
    /// whether the edge between those was forbidden for it.
    Join { u: u32, v: u32, a: u32, b: u32, cut: bool },
    /// The edge was forbidden.
    Forbid { u: u32, v: u32 },
}

/// A branching whose second half, without the edge, is still to be searched.
#[derive(Clone, Debug)]
struct Frame<Saved> {
    saved: Saved,
    trail: usize,
    u: u32,
    v: u32,
}

/// The search: an explicit stack of branchings and a trail of changes.
#[derive(Clone, Debug)]
pub(super) struct Search<S: State> {
    state: S,
    trail: Vec<Change>,
    frames: Vec<Frame<S::Saved>>,
    steps: Option<Arc<Steps>>,
    /// Where to branch next, rather than where the state would choose.
    preferred: Option<u32>,
    /// What the node visited last turned out to be.
    outcome: Outcome,
    /// Whether the first node has been visited.
    begun: bool,
    exhausted: bool,
    nodes: u64,
    joins: u64,
    dead_ends: u64,
    restarts: u32,
    /// The number of nodes at which to start afresh; not after a tour has been found.
    restart_at: u64,
    /// For how many nodes the first attempt to find a tour goes on, and each later one twice as long.
    patience: u64,
    /// The vertex from which on the first of several is preferred.
    origin: u32,
    vertices: u32,
    apexes: u32,
}

impl<S: State> Search<S> {
    /// The edges that must be used are chosen; nothing is followed from that yet. Cost: linear.
    pub(super) fn new(graph: &Arc<Graph>, plan: &Apexes) -> Self {
        let mut search = Search {
            state: S::new(graph, plan),
            trail: Vec::new(),
            frames: Vec::new(),
            steps: Steps::new(graph, plan).map(Arc::new),
            preferred: None,
            outcome: Outcome::Undecided,
            begun: false,
            exhausted: false,
            nodes: 0,
            joins: 0,
            dead_ends: 0,
            restarts: 0,
            restart_at: 0,
            patience: 0,
            origin: 0,
            vertices: graph.len() as u32,
            apexes: plan.apexes.len() as u32,
        };
        search.set_patience(4 * graph.len() as u64 + 1000);
        if search.state.has_failed() {
            search.outcome = Outcome::Dead;
        }
        for &(u, v) in &plan.required {
            if search.outcome == Outcome::Undecided {
                let state = &search.state;
                let refused = state.has_failed() || !state.is_active(u) || !state.is_active(v) || state.mate(u) == v;
                search.outcome = if refused { Outcome::Dead } else { search.join(u, v) };
            } else if search.outcome == Outcome::Tour && !search.neighbours(u).contains(&v) {
                search.outcome = Outcome::Dead;
            }
        }
        search
    }

    /// Sets for how many nodes the search goes on before it starts afresh; before it begins only.
    pub(super) fn set_patience(&mut self, nodes: u64) {
        (self.patience, self.restart_at) = (nodes, nodes);
    }

    /// Goes to the next node and says whether there is one.
    #[inline(always)]
    fn step(&mut self) -> bool {
        if self.outcome == Outcome::Undecided && self.begun {
            let chosen = self.preferred.take().or_else(|| self.state.choose());
            if let Some((u, v)) = chosen.and_then(|v| self.state.choose_at(v)) {
                self.frames.push(Frame { saved: self.state.save(), trail: self.trail.len(), u, v });
                self.outcome = self.join(u, v);
            } else {
                // Every active vertex spares something, so there is one to choose.
                self.outcome = Outcome::Dead;
            }
        } else if !self.begun {
            self.begun = true;
        } else if let Some(frame) = self.frames.pop() {
            self.take_back(&frame);
            self.outcome = Outcome::Undecided;
        } else {
            self.exhausted = true;
            return false;
        }
        self.follow();
        true
    }

    /// Follows what a choice brings about.
    #[inline(always)]
    fn follow(&mut self) {
        if self.outcome == Outcome::Undecided {
            self.outcome = self.settle();
        }
        if self.outcome == Outcome::Undecided
            && let Some(steps) = &self.steps
        {
            let (possible, preferred) = steps.allow(&self.state);
            self.preferred = preferred;
            if !possible {
                self.outcome = Outcome::Dead;
            }
        }
    }

    /// The choices that lead to where the search is, in order; of a search that was not split.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let mut frames = self.frames.iter().peekable();
        let made = self.trail.iter().enumerate().filter_map(|(at, change)| match *change {
            Change::Join { u, v, .. } => frames.next_if(|frame| frame.trail == at).map(|_| Choice { u, v, with: true }),
            Change::Forbid { u, v } => Some(Choice { u, v, with: false }),
        });
        made.collect()
    }

    /// Goes straight to where such choices lead, on a search that has not begun. False if they cannot be
    /// choices of this search.
    pub(super) fn replay(&mut self, origin: u32, choices: &[Choice]) -> bool {
        if origin >= self.vertices {
            return false;
        }
        self.origin = origin;
        self.state.set_origin(origin);
        self.begun = true;
        self.restart_at = u64::MAX;
        self.follow();
        choices.iter().all(|&Choice { u, v, with }| {
            // A choice is made at a vertex that is no apex; the other end may be one.
            let state = &self.state;
            let known = |v: u32| v < self.vertices + self.apexes && state.is_active(v);
            let is_open = self.outcome == Outcome::Undecided && u != v && u < self.vertices;
            if !is_open || !known(u) || !known(v) || !state.is_usable(u, v) {
                return false;
            }
            self.preferred = None;
            if with {
                self.frames.push(Frame { saved: self.state.save(), trail: self.trail.len(), u, v });
                self.outcome = self.join(u, v);
            } else {
                self.forbid(u, v);
            }
            self.follow();
            true
        })
    }

    /// Prefers the first of several from another vertex on; before it begins only.
    pub(super) fn set_origin(&mut self, origin: u32) {
        self.origin = origin;
        self.state.set_origin(origin);
    }

    /// The vertex from which on the first of several is preferred.
    pub(super) fn origin(&self) -> u32 {
        self.origin
    }

    /// Whether the last node is a tour.
    pub(super) fn is_at_tour(&self) -> bool {
        self.begun && self.outcome == Outcome::Tour
    }

    /// The two neighbours of a vertex in the tour just found.
    #[inline(always)]
    pub(super) fn neighbours(&self, v: u32) -> [u32; 2] {
        self.state.links(v)
    }

    /// Nodes, joins, dead ends and restarts so far.
    pub(super) fn work(&self) -> (u64, u64, u64, u32) {
        (self.nodes, self.joins, self.dead_ends, self.restarts)
    }

    /// Visits node after node and hands over each tour, until that breaks off, no node is left, or the
    /// budget refuses. A node is the budget's unit.
    #[inline]
    pub(super) fn run(&mut self, budget: &Budget, mut on_tour: impl FnMut(&Self) -> ControlFlow<()>) -> Step {
        while !self.exhausted {
            let mut left = match budget.take(S::BATCH) {
                Ok(granted) => granted,
                Err(pause) => return Step::Paused(pause),
            };
            while left > 0 && self.step() {
                left -= 1;
                self.nodes += 1;
                match self.outcome {
                    Outcome::Tour => {
                        self.restart_at = u64::MAX;
                        if on_tour(self).is_break() {
                            budget.give_back(left);
                            return Step::Found;
                        }
                    }
                    Outcome::Dead => {
                        self.dead_ends += 1;
                        if self.nodes >= self.restart_at {
                            self.restart();
                        }
                    }
                    Outcome::Undecided => {}
                }
            }
            budget.give_back(left);
        }
        Step::Exhausted
    }

    /// Starts afresh from another part of the board. What the first branchings have shown so far, that
    /// no tour has their edges, stays.
    #[cold]
    fn restart(&mut self) {
        self.restarts += 1;
        self.restart_at = self.nodes.saturating_add(self.patience.saturating_mul(1 << self.restarts.min(62)));
        // Multiples of the golden section spread evenly.
        let part = u64::from(self.restarts.wrapping_mul(0x9E37_79B9));
        self.origin = ((part * u64::from(self.vertices)) >> 32) as u32;
        self.state.set_origin(self.origin);
        if !self.frames.is_empty() {
            self.frames.truncate(1);
            if let Some(frame) = self.frames.pop() {
                self.rewind(&frame);
                self.preferred = None;
                self.outcome = Outcome::Undecided;
            }
        }
    }

    /// Splits off the later half of the oldest branching: the search it returns visits what would have
    /// come last here. `None` if no branching is open.
    pub(super) fn split(&mut self) -> Option<Self> {
        if self.frames.is_empty() {
            return None;
        }
        let mut other = self.clone();
        self.frames.remove(0);
        // A restart would search here what is split off.
        (self.restart_at, other.restart_at) = (u64::MAX, u64::MAX);
        other.frames.truncate(1);
        let frame = other.frames.pop()?;
        other.take_back(&frame);
        other.outcome = Outcome::Undecided;
        other.begun = false;
        (other.nodes, other.joins, other.dead_ends, other.restarts) = (0, 0, 0, 0);
        Some(other)
    }

    /// Goes back to a branching and forbids its edge.
    #[inline]
    fn take_back(&mut self, frame: &Frame<S::Saved>) {
        self.rewind(frame);
        self.forbid(frame.u, frame.v);
    }

    /// Forbids a usable edge.
    #[inline(always)]
    fn forbid(&mut self, u: u32, v: u32) {
        self.state.cut(u, v);
        self.state.lose(u, v);
        self.trail.push(Change::Forbid { u, v });
    }

    /// Goes back to how things were at a branching.
    #[inline]
    fn rewind(&mut self, frame: &Frame<S::Saved>) {
        while self.trail.len() > frame.trail
            && let Some(change) = self.trail.pop()
        {
            let state = &mut self.state;
            match change {
                Change::Join { u, v, a, b, cut } => {
                    if cut {
                        if (a, b) != (u, v) {
                            state.unlose(a, b);
                        }
                        state.uncut(a, b);
                    }
                    if b == v {
                        state.unbegin(v)
                    } else {
                        state.unretire(v, u)
                    }
                    if a == u {
                        state.unbegin(u)
                    } else {
                        state.unretire(u, v)
                    }
                    state.unset_mates(a, u, b, v);
                }
                Change::Forbid { u, v } => {
                    state.unlose(u, v);
                    state.uncut(u, v);
                }
            }
        }
        self.state.restore(&frame.saved);
    }

    /// Chooses a usable edge.
    #[inline(always)]
    fn join(&mut self, u: u32, v: u32) -> Outcome {
        self.joins += 1;
        let state = &mut self.state;
        let (a, b) = (state.mate(u), state.mate(v));
        state.set_mates(a, b);
        if a == u {
            state.begin(u, v)
        } else {
            state.retire(u, v)
        }
        if b == v {
            state.begin(v, u)
        } else {
            state.retire(v, u)
        }
        let closes = state.is_usable(a, b);
        let last = state.are_last(a, b);
        let cut = closes && !last;
        self.trail.push(Change::Join { u, v, a, b, cut });
        if last {
            state.close(a, b);
            return if closes { Outcome::Tour } else { Outcome::Dead };
        }
        if cut {
            state.cut(a, b);
            // The edge just chosen is no longer usable, but it is no longer needed, either.
            if (a, b) != (u, v) {
                state.lose(a, b);
            }
        }
        Outcome::Undecided
    }

    /// Follows what is forced until nothing is.
    #[inline(always)]
    fn settle(&mut self) -> Outcome {
        loop {
            if self.state.has_failed() {
                return Outcome::Dead;
            }
            let mut forced = self.state.forced();
            if forced.is_none() {
                let (apex, too_few) = self.state.forced_apex();
                if too_few {
                    return Outcome::Dead;
                }
                forced = apex;
            }
            let Some((u, v)) = forced else { return Outcome::Undecided };
            let outcome = self.join(u, v);
            if outcome != Outcome::Undecided {
                return outcome;
            }
        }
    }
}
