//! [`State`]: the sets of a search, which a graph of any size (`large.rs`) and one that fits a word (`word.rs`) keep
//! each in their own way.

use std::sync::Arc;

use crate::request::apex::Apexes;
use crate::request::graph::Graph;

/// The sets that say how far the fragments have grown.
///
/// A vertex is *bare* (no edge chosen), an *end* of a fragment (one) or *inner* (two). Bare vertices and
/// ends are *active*. The *usable* edges join active vertices and are neither chosen nor forbidden. A
/// vertex *spares* as many edges as it has usable ones beyond those it still needs; below zero there
/// is no tour, at zero it must use them all.
///
/// The methods that begin with `un` take back the one without it, in reverse order, and may do nothing
/// where [`State::restore`] does it all.
pub(super) trait State: Clone {
    /// What is kept at a branching to come back to.
    type Saved: Clone;

    /// How many nodes are worth one look at the clock.
    const BATCH: u64;

    /// All vertices bare and all edges usable.
    fn new(graph: &Arc<Graph>, plan: &Apexes) -> Self;

    /// The vertex from which on [`State::choose`] prefers the first of several; 0 to begin with.
    fn set_origin(&mut self, origin: u32);

    fn save(&self) -> Self::Saved;
    /// Called after all changes since then have been taken back one by one.
    fn restore(&mut self, saved: &Self::Saved);

    fn is_bare(&self, v: u32) -> bool;
    fn is_active(&self, v: u32) -> bool;
    /// Whether no vertex but these two is active, which are.
    fn are_last(&self, a: u32, b: u32) -> bool;
    /// Whether some vertex spares less than nothing.
    fn has_failed(&self) -> bool;

    /// The other end of the fragment that an active vertex is an end of; a bare one's is itself.
    fn mate(&self, v: u32) -> u32;
    fn set_mates(&mut self, a: u32, b: u32);
    /// Takes `set_mates` back: the mates were `u` and `v`.
    fn unset_mates(&mut self, a: u32, u: u32, b: u32, v: u32);

    /// A bare vertex becomes the end of a fragment by the edge to `to`.
    fn begin(&mut self, v: u32, to: u32);
    fn unbegin(&mut self, v: u32);
    /// An end becomes inner by the edge to `to`. The other ends of its usable edges, `to` left out,
    /// spare one less.
    fn retire(&mut self, v: u32, to: u32);
    fn unretire(&mut self, v: u32, to: u32);

    /// Whether the edge between two active vertices is usable.
    fn is_usable(&self, a: u32, b: u32) -> bool;
    /// Forbids a usable edge. What its ends spare does not change.
    fn cut(&mut self, a: u32, b: u32);
    fn uncut(&mut self, a: u32, b: u32);
    /// Each of the two spares one less.
    fn lose(&mut self, a: u32, b: u32);
    fn unlose(&mut self, a: u32, b: u32);

    /// A vertex that spares nothing, and one of its usable edges.
    fn forced(&self) -> Option<(u32, u32)>;
    /// The same for the apex vertices, and whether one has too few edges left.
    fn forced_apex(&self) -> (Option<(u32, u32)>, bool);
    /// The vertex to branch on, as the module says.
    fn choose(&self) -> Option<u32>;
    /// The edge at this vertex to branch on.
    fn choose_at(&self, v: u32) -> Option<(u32, u32)>;
    /// How many edges a vertex that is no apex spares; only to be compared, bare vertices counting as
    /// if they slack somewhat more.
    fn slack(&self, v: u32) -> usize;

    /// The last edge, between two ends: for [`State::links`] only.
    fn close(&mut self, a: u32, b: u32);
    /// The other ends of the two chosen edges of an inner vertex.
    fn links(&self, v: u32) -> [u32; 2];
}
