//! Counting by a sweep over the board.
#![allow(missing_docs)]
pub mod crew;
pub mod groups;
pub mod natural;
pub mod plan;
pub mod state;
pub mod sweep;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::Board;
use crate::budget::{Budget, Pause, Progress};
use crate::graph::Graph;
use groups::Groups;
pub use natural::Natural;
use plan::Plan;
use state::{Key, pairings};
use sweep::{Chunk, Layer, Pull, Scratch, Tables};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    #[error("the frontier engine does not count tours with squares at given steps")]
    Steps,
    #[error("the board is too wide for the frontier engine: more than 64 squares would be in play at once")]
    TooWide,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepStats {
    pub layers: u64,
    pub groups: u64,
    pub peak_states: u64,
    pub states: u64,
    pub transitions: u64,
    pub peak_bytes: u64,
}

#[derive(Debug)]
pub struct Sweep {
    plan: Plan,
    groups: Groups,
    tables: Tables,
    scratch: Vec<Scratch>,
    layer: Layer,
    step: usize,
    /// Task boundaries in the groups of the layer to come.
    bounds: Vec<usize>,
    tasks: Vec<Option<Chunk>>,
    total: Option<Natural>,
    work: Option<u64>,
    work_done: u64,
    stats: SweepStats,
    needed: u64,
}

/// The work of a group, for the division into tasks and for progress.
fn weight(key: Key) -> u64 {
    64 + pairings(key.ends.count_ones()).min(1 << 20) as u64
}

/// Work of a task.
const TASK: u64 = 1 << 18;

impl Sweep {
    pub fn new(board: &Board, graph: &Graph, threads: usize) -> Result<Sweep, Unsuited> {
        let last = graph.len() as u32 - 1;
        let is_free = |&(step, _): &(u32, u32)| step == 0 || step == last;
        if graph.is_closed() && !graph.steps().is_empty() || !graph.steps().iter().all(is_free) {
            return Err(Unsuited::Steps);
        }
        let total = match graph.len() {
            1 => Some(u64::from(!graph.is_closed() && graph.starts().contains(0) && graph.ends().contains(0))),
            2 if graph.is_closed() => Some(0),
            // A move both to be used and to be avoided.
            _ if graph.required().iter().any(|&(a, b)| !graph.is_edge(a, b)) => Some(0),
            _ => None,
        };
        let plan = Plan::new(board, graph).map_err(|_| Unsuited::TooWide)?;
        Ok(Sweep::with_plan(plan, threads, total))
    }

    fn with_plan(plan: Plan, threads: usize, total: Option<u64>) -> Sweep {
        Sweep {
            groups: Groups::new(&plan),
            plan,
            tables: Tables::default(),
            scratch: (0..threads.max(1)).map(|_| Scratch::default()).collect(),
            layer: Layer::start(),
            step: 0,
            bounds: Vec::new(),
            tasks: Vec::new(),
            total: total.map(Natural::from),
            work: None,
            work_done: 0,
            stats: SweepStats { peak_states: 1, ..SweepStats::default() },
            needed: 0,
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn stats(&self) -> SweepStats {
        self.stats
    }

    pub fn bytes_needed(&self) -> u64 {
        self.needed
    }

    pub fn progress(&self) -> Progress {
        match self.work {
            None => Progress { done: self.groups.done, total: None, message: "groups".into() },
            Some(total) => Progress { done: self.work_done, total: Some(total), message: "states".into() },
        }
    }

    pub fn advance(&mut self, budget: &Budget) -> Result<Natural, Pause> {
        if let Some(total) = &self.total {
            return Ok(total.clone());
        }
        if self.work.is_none() {
            let result = self.groups.advance(&self.plan, budget, &mut self.scratch);
            if result.is_err() {
                self.needed = self.groups.needed;
            }
            result?;
            self.work = Some(self.groups.layers[1..].iter().flatten().map(|&key| weight(key)).sum());
        }
        while self.step < self.plan.steps.len() {
            let step = &self.plan.steps[self.step];
            if self.bounds.is_empty() {
                // Targets that differ only where the step looks have the same sources: one after the other,
                // they find them in the cache.
                let untouched = Key { ends: step.untouched, full: step.untouched }.number();
                self.groups.layers[self.step + 1].sort_unstable_by_key(|key| (key.number() & untouched, key.number()));
            }
            let keys = &self.groups.layers[self.step + 1];
            if self.bounds.is_empty() {
                let mut sum = 0;
                self.bounds.push(0);
                for (i, &key) in keys.iter().enumerate() {
                    sum += weight(key);
                    if sum >= TASK {
                        self.bounds.push(i + 1);
                        sum = 0;
                    }
                }
                if self.bounds.last() != Some(&keys.len()) {
                    self.bounds.push(keys.len());
                }
                self.tasks = (1..self.bounds.len()).map(|_| None).collect();
            }
            let chunks = self.tasks.iter().flatten();
            let held = self.groups.bytes()
                + self.layer.bytes
                + chunks.map(Chunk::bytes).sum::<u64>()
                + self.tables.bytes()
                + self.scratch.iter().map(Scratch::bytes).sum::<u64>();
            let held = AtomicU64::new(held);
            let refused = AtomicU64::new(0);
            let pull = Pull {
                plan: &self.plan,
                step,
                last: self.step.checked_sub(1).and_then(|before| self.plan.steps[before].swept.last()),
                layer: &self.layer,
                tables: &self.tables,
                held: &held,
                refused: &refused,
            };
            let bounds = &self.bounds;
            let result = crew::run(
                budget,
                &mut self.scratch,
                &mut self.tasks,
                |task| (bounds[task + 1] - bounds[task]) as u64,
                |task, scratch| pull.groups(&keys[bounds[task]..bounds[task + 1]], budget, scratch),
            );
            self.stats.peak_bytes = self.stats.peak_bytes.max(held.into_inner());
            if let Err(why) = result {
                self.needed = refused.into_inner();
                return Err(why);
            }
            let chunks: Vec<Chunk> = self.tasks.drain(..).flatten().collect();
            self.stats.transitions += chunks.iter().map(Chunk::transitions).sum::<u64>();
            self.work_done += keys.iter().map(|&key| weight(key)).sum::<u64>();
            self.layer = Layer::new(chunks);
            self.stats.layers += 1;
            self.stats.states += self.layer.states;
            self.stats.groups += self.layer.groups();
            self.stats.peak_states = self.stats.peak_states.max(self.layer.states);
            self.groups.layers[self.step + 1] = Vec::new();
            self.bounds.clear();
            self.step += 1;
        }
        let total = Natural::from_limbs(self.layer.total()).times(self.plan.times);
        self.total = Some(total.clone());
        Ok(total)
    }
}
