//! [`Steps`]: whether fragments can still lie where the squares at given steps want them.

use super::plan::Plan;
use super::search::State;
use crate::graph::Graph;

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
    pub(super) fn new(graph: &Graph, plan: &Plan) -> Option<Steps> {
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
        let directed = plan.apexes.len() == 2 && !plan.both_ways;
        Some(Steps { given, of, at, closed: graph.is_closed(), directed })
    }

    /// Bytes for a graph.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        if graph.steps().is_empty() { 0 } else { 8 * (graph.len() + graph.steps().len() + 1) as u64 }
    }

    /// Whether each fragment with a given square in it can run one way or the other, and of the ends of
    /// these fragments the tightest. Each fragment is walked along once.
    pub(super) fn allow<S: State>(&self, state: &S) -> (bool, Option<u32>) {
        let mut tightest: Option<u32> = None;
        for &(step, v) in &self.given {
            let mut ways = Ways { forward: true, backward: true };
            let links = state.links(v);
            let sides = if state.is_bare(v) { 0 } else { 2 - usize::from(state.is_active(v)) };
            for (side, &link) in links.iter().enumerate().take(sides) {
                if let Some(end) = self.walk(state, (step, v), link, side == 1, &mut ways)
                    && tightest.is_none_or(|t| state.spared(end) < state.spared(t))
                {
                    tightest = Some(end);
                }
                if !ways.forward && !ways.backward {
                    return (false, None);
                }
            }
            if state.is_active(v) && tightest.is_none_or(|t| state.spared(v) < state.spared(t)) {
                tightest = Some(v);
            }
        }
        (true, tightest)
    }

    /// Walks from a given square to one side, as far as the end of the fragment, which is the result, or
    /// the next given square. `reversed`: who walks forward runs backward here.
    fn walk<S: State>(
        &self,
        state: &S,
        (step, from): (u32, u32),
        link: u32,
        reversed: bool,
        ways: &mut Ways,
    ) -> Option<u32> {
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
                return Some(v);
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
