//! When to cut: what is looked at after a move, before the search goes on from there.
//!
//! All rules count the *usable* edges of an unvisited vertex: those to other unvisited vertices, the
//! one to the head of the path, and the one to the *apex*, an extra vertex joined to every vertex on
//! which the path may end. (A cycle is a path from its anchor whose end is a neighbour of the anchor.)
//! Every unvisited vertex needs two usable edges, one to come and one to go.

/// How far to look ahead. Each kind does what the ones before it do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lookahead {
    /// Not at all: walk on until there is no move.
    None,
    /// Cut when an unvisited vertex has fewer than two usable edges.
    DeadEnds,
    /// A vertex with just two usable edges must use both: so at most one such vertex may be next to
    /// the head, which must go there; and at most one may need the apex, which is then the end.
    Forced,
    /// Also cut when the unvisited vertices fall into pieces, or into parts behind a cut vertex that
    /// do not form a chain or whose colours do not balance.
    Full,
}

/// How often each kind of look-ahead cut a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prunes {
    /// A vertex with fewer than two usable edges; or no vertex left to end on.
    pub dead_ends: u64,
    /// Two vertices that both must come next, or both must be the end.
    pub forced: u64,
    /// Unvisited vertices out of reach.
    pub pieces: u64,
    /// Parts behind cut vertices that cannot all be visited.
    pub cuts: u64,
    /// A part whose colours do not balance.
    pub colours: u64,
}

impl Prunes {
    /// Adds another count.
    pub fn add(&mut self, other: &Prunes) {
        self.dead_ends += other.dead_ends;
        self.forced += other.forced;
        self.pieces += other.pieces;
        self.cuts += other.cuts;
        self.colours += other.colours;
    }
}

/// The kind of look-ahead that cut a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prune {
    DeadEnd,
    Forced,
    Pieces,
    Cut,
    Colours,
}

impl Prunes {
    #[inline]
    pub(super) fn note(&mut self, prune: Prune) {
        match prune {
            Prune::DeadEnd => self.dead_ends += 1,
            Prune::Forced => self.forced += 1,
            Prune::Pieces => self.pieces += 1,
            Prune::Cut => self.cuts += 1,
            Prune::Colours => self.colours += 1,
        }
    }
}

/// What [`CutCheck`] needs to know of the part of the graph that is left.
pub(super) trait Remaining {
    /// The neighbours of a vertex that are unvisited or the head, one by one: `index` counts from 0 and goes on from where
    /// the last call left it.
    fn next_neighbour(&self, vertex: u32, index: &mut u32) -> Option<u32>;
    /// Whether the path may end there.
    fn may_end(&self, vertex: u32) -> bool;
    /// The colour, where the graph has two.
    fn colour(&self, vertex: u32) -> Option<bool>;
}

/// Pieces and cut vertices of what is left, by one depth-first walk from the head with an explicit
/// stack (Hopcroft and Tarjan 1973). Linear in what is left.
///
/// The path goes from the head through everything that is left. So what lies behind a cut vertex is
/// visited last, right after it: there is only one such part, those of several cut vertices lie one
/// in another, each holds an end, and each has one square more of the colour it is entered on, or as
/// many of both.
#[derive(Clone, Debug, Default)]
pub(super) struct CutCheck {
    /// When the walk came to a vertex, 0 for not yet; only meaningful if it was in this `walk`.
    found: Vec<u32>,
    stack: Vec<Visit>,
    clock: u32,
}

/// One vertex on the stack of the walk.
#[derive(Clone, Copy, Debug)]
struct Visit {
    vertex: u32,
    index: u32,
    found: u32,
    low: u32,
    /// Of the part of the walk at and below this vertex: vertices, those of the first colour, those
    /// that may be the end, and whether it holds a part cut off.
    size: u32,
    first: u32,
    ends: u32,
    holds_cut: bool,
}

impl CutCheck {
    pub(super) fn new(vertices: usize) -> CutCheck {
        CutCheck { found: vec![0; vertices], ..CutCheck::default() }
    }

    /// Looks at what is left: `count` unvisited vertices, and the `head` from which they are visited.
    pub(super) fn check(&mut self, left: &impl Remaining, head: u32, count: u32) -> Result<(), Prune> {
        // Marks of earlier walks are below this one's, so that they need no clearing.
        if self.clock > u32::MAX - count - 2 {
            self.found.fill(0);
            self.clock = 0;
        }
        let began = self.clock;
        let two_coloured = left.colour(head).is_some();
        self.stack.clear();
        self.visit(left, head);
        while let Some(&Visit { vertex, mut index, .. }) = self.stack.last() {
            let next = left.next_neighbour(vertex, &mut index);
            let depth = self.stack.len();
            self.stack[depth - 1].index = index;
            if let Some(u) = next {
                let found = self.found[u as usize];
                if found > began {
                    let top = &mut self.stack[depth - 1];
                    top.low = top.low.min(found);
                } else {
                    self.visit(left, u);
                }
                continue;
            }
            let done = self.stack[depth - 1];
            self.stack.truncate(depth - 1);
            let Some(parent) = self.stack.last_mut() else { break };
            let mut holds_cut = done.holds_cut;
            // The head is entered no more, so what lies behind it is no part but a piece.
            if parent.vertex != head && done.low >= parent.found {
                holds_cut = true;
                if done.ends == 0 {
                    return Err(Prune::Cut);
                }
                if two_coloured {
                    let entered = left.colour(done.vertex) == Some(true);
                    let of_entered = if entered { done.first } else { done.size - done.first };
                    if !(of_entered * 2 == done.size || of_entered * 2 == done.size + 1) {
                        return Err(Prune::Colours);
                    }
                }
            }
            if holds_cut && parent.holds_cut {
                return Err(Prune::Cut);
            }
            parent.holds_cut |= holds_cut;
            parent.low = parent.low.min(done.low);
            parent.size += done.size;
            parent.first += done.first;
            parent.ends += done.ends;
            if parent.vertex == head && done.size < count {
                return Err(Prune::Pieces);
            }
        }
        Ok(())
    }

    fn visit(&mut self, left: &impl Remaining, vertex: u32) {
        self.clock += 1;
        self.found[vertex as usize] = self.clock;
        self.stack.push(Visit {
            vertex,
            index: 0,
            found: self.clock,
            low: self.clock,
            size: 1,
            first: u32::from(left.colour(vertex) == Some(true)),
            ends: u32::from(left.may_end(vertex)),
            holds_cut: false,
        });
    }
}
