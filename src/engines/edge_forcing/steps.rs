//! [`Steps`]: whether fragments can still lie where the squares at given steps want them.
//!
//! A fragment with a given square in it has its place in the tour, up to the way it runs: a square so
//! many edges away from the one at step `i` is at that many steps before or after `i`. That way is not
//! possible if one of its squares is asked for at another step, or another square at one of its steps, or
//! if it leaves the tour. Looking costs a walk along these fragments at each node.
//!
//! The search goes on where a given step is near: the fewer squares lie between, the fewer ways there
//! are to get there, and the sooner a wrong one shows.

use super::state::State;
use crate::request::apex::Apexes;
use crate::request::graph::Graph;

const NONE: u32 = u32::MAX;

/// The steps that are asked for, of which there is one at least.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// (step, vertex), by step; of closed tours with the start at step 0.
    given: Vec<(u32, u32)>,
    /// The step of each vertex, or `NONE`.
    of: Vec<u32>,
    /// The vertex at each step, or `NONE`.
    at: Vec<u32>,
    /// For each step how far the next given one is after it, and before it.
    ahead: [Vec<u32>; 2],
    closed: bool,
    /// Whether the first apex leads to the start and the second to the end.
    directed: bool,
}

/// Which way a fragment can run.
struct Ways {
    forward: bool,
    backward: bool,
}

impl Steps {
    /// `None` if no steps are asked for.
    pub(super) fn new(graph: &Graph, plan: &Apexes) -> Option<Steps> {
        let mut given = graph.steps().to_vec();
        if given.is_empty() {
            return None;
        }
        let start = graph.start().unwrap_or(0);
        if graph.is_closed() && given[0].0 != 0 {
            given.insert(0, (0, start));
        }
        let (mut of, mut at) = (vec![NONE; graph.len()], vec![NONE; graph.len()]);
        for &(step, v) in &given {
            of[v as usize] = step;
            at[step as usize] = v;
        }
        let mut ahead = [vec![NONE; graph.len()], vec![NONE; graph.len()]];
        let count = graph.len();
        for (side, far) in ahead.iter_mut().enumerate() {
            // Twice round, so that a closed tour's first steps know of its last.
            let (mut since, rounds) = (NONE, if graph.is_closed() { 2 } else { 1 });
            for nth in 0..count * rounds {
                let step = if side == 0 { count - 1 - nth % count } else { nth % count };
                far[step] = since;
                since = if at[step] == NONE { since.saturating_add(1) } else { 1 };
            }
        }
        let directed = plan.apexes.len() == 2 && !plan.both_ways;
        Some(Steps { given, of, at, ahead, closed: graph.is_closed(), directed })
    }

    /// Bytes for a graph.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        if graph.steps().is_empty() { 0 } else { 16 * (graph.len() + graph.steps().len() + 1) as u64 }
    }

    /// Whether each fragment with a given square in it can run one way or the other, and the end of these
    /// fragments to branch on: that which is nearest to the next given step, and then spares least.
    pub(super) fn allow<S: State>(&self, state: &S) -> (bool, Option<u32>) {
        let mut nearest: Option<((u32, usize), u32)> = None;
        let mut offer = |gap: u32, v: u32| {
            let key = (gap, state.slack(v));
            if nearest.is_none_or(|(least, _)| key < least) {
                nearest = Some((key, v));
            }
        };
        for &(step, v) in &self.given {
            let mut ways = Ways { forward: true, backward: true };
            let links = state.links(v);
            let sides = if state.is_bare(v) { 0 } else { 2 - usize::from(state.is_active(v)) };
            let mut ends = [None; 2];
            for side in 0..sides {
                ends[side] = self.walk(state, (step, v), links[side], side == 1, &mut ways);
                if !ways.forward && !ways.backward {
                    return (false, None);
                }
            }
            for (side, end) in ends.into_iter().enumerate() {
                if let Some((end, distance)) = end {
                    offer(self.gap(step, distance, &ways, side == 1), end);
                }
            }
            if state.is_active(v) {
                // The side without a link is the one to go on from.
                offer(self.gap(step, 0, &ways, sides == 1), v);
            }
        }
        (true, nearest.map(|(_, v)| v))
    }

    /// How far it is to the next given step, the nearer one if it may lie either way.
    fn gap(&self, step: u32, distance: u32, ways: &Ways, reversed: bool) -> u32 {
        let (up, down) = if reversed { (ways.backward, ways.forward) } else { (ways.forward, ways.backward) };
        let (later, earlier) = self.steps_away(step, distance);
        let far = |way: bool, at: Option<u32>, ahead: &[u32]| {
            if way { at.map_or(NONE, |at| ahead[at as usize]) } else { NONE }
        };
        far(up, later, &self.ahead[0]).min(far(down, earlier, &self.ahead[1]))
    }

    /// Walks from a given square to one side, as far as the end of the fragment, which is the result with
    /// its distance, or the next given square. `reversed`: who walks forward runs backward here.
    fn walk<S: State>(
        &self,
        state: &S,
        (step, from): (u32, u32),
        link: u32,
        reversed: bool,
        ways: &mut Ways,
    ) -> Option<(u32, u32)> {
        let count = self.of.len() as u32;
        let (mut before, mut v) = (from, link);
        for distance in 1..=count {
            let (later, earlier) = self.steps_away(step, distance);
            let (up, down) = if v < count {
                (self.fits(v, later), self.fits(v, earlier))
            } else {
                // The square before the apex is the last or the first one.
                let is_last = step + (distance - 1) == count - 1 && !(self.directed && v == count);
                let is_first = step == distance - 1 && !(self.directed && v != count);
                (is_last, is_first)
            };
            let (forward, backward) = if reversed { (down, up) } else { (up, down) };
            ways.forward &= forward;
            ways.backward &= backward;
            if v >= count || self.of[v as usize] != NONE {
                return None;
            }
            if state.is_active(v) {
                return Some((v, distance));
            }
            let [a, b] = state.links(v);
            (before, v) = (v, if a == before { b } else { a });
        }
        None
    }

    /// The steps so far after and before a step, if there are such.
    fn steps_away(&self, step: u32, distance: u32) -> (Option<u32>, Option<u32>) {
        let count = u64::from(self.of.len() as u32);
        let (step, distance) = (u64::from(step), u64::from(distance));
        if self.closed {
            let earlier = (step + count - distance % count) % count;
            return (Some(((step + distance) % count) as u32), Some(earlier as u32));
        }
        let later = Some(step + distance).filter(|&later| later < count);
        (later.map(|l| l as u32), step.checked_sub(distance).map(|e| e as u32))
    }

    /// Whether the vertex may stand at the step.
    fn fits(&self, v: u32, step: Option<u32>) -> bool {
        step.is_some_and(|step| {
            self.of[v as usize] == step || self.of[v as usize] == NONE && self.at[step as usize] == NONE
        })
    }
}
