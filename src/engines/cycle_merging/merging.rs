//! [`Merging`]: from a cover by cycles to one cycle.

use std::sync::Arc;

use super::cover::Cover;
use super::exchange::Exchanges;
use crate::engines::cycle_graph::{CycleGraph, Step};
use crate::request::graph::Graph;
use crate::run::Budget;
use crate::run::rng::Rng;

/// What the search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergingStats {
    /// Edges looked at, in steps.
    pub nodes: u64,
    /// Exchanges made.
    pub exchanges: u64,
    /// Attempts after the first one.
    pub restarts: u64,
}

/// Nodes claimed from the budget at a time: some microseconds' worth.
const BATCH: u64 = 256;

/// A search for a tour, which can be paused at any node and sent to another thread.
#[derive(Debug)]
pub struct Merging {
    graph: Arc<Graph>,
    cover: Option<Cover>,
    exchanges: Exchanges,
    stage: Stage,
    rng: Rng,
    stats: MergingStats,
    /// Nodes that the last step took and that are still to be paid for.
    debt: u64,
    /// Nodes of the attempt, and how many they were when there were fewer cycles for the last time.
    spent: u64,
    progress_at: u64,
    fewest: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The greedy cover: how many squares have had their turn.
    Greedy(usize),
    /// Squares with an edge too few get it.
    Complete,
    /// Exchanges of two edges: the next square, and whether the pass so far has merged any.
    Pairs(u32, bool),
    Exchange,
    Found,
    GaveUp,
}

impl Merging {
    /// Bytes that a search takes, from above.
    #[must_use]
    pub fn bytes(graph: &Graph) -> u64 {
        Cover::bytes(graph) + Exchanges::bytes(graph)
    }

    /// A search that has not begun. Cost: linear in the graph.
    #[must_use]
    pub fn new(graph: Arc<Graph>, seed: Option<u64>) -> Merging {
        let cover = CycleGraph::new(&graph).map(Cover::new);
        let stage = if cover.is_some() { Stage::Greedy(0) } else { Stage::GaveUp };
        Merging {
            exchanges: Exchanges::default(),
            cover,
            graph,
            stage,
            rng: Rng::stream(seed.unwrap_or(0), 1),
            stats: MergingStats::default(),
            debt: 0,
            spent: 0,
            progress_at: 0,
            fewest: usize::MAX,
        }
    }

    /// Goes on until a tour is found or the budget refuses.
    pub fn advance(&mut self, budget: &Budget) -> Step {
        loop {
            match self.stage {
                Stage::Found => return Step::Found,
                Stage::GaveUp => return Step::GaveUp,
                _ => {}
            }
            let granted = match budget.take(BATCH) {
                Ok(granted) => granted,
                Err(pause) => return Step::Paused(pause),
            };
            let mut left = granted;
            while left > 0 {
                let paid = left.min(self.debt);
                left -= paid;
                self.debt -= paid;
                if left == 0 || matches!(self.stage, Stage::Found | Stage::GaveUp) {
                    break;
                }
                self.debt = self.step();
            }
            self.stats.nodes += granted - left;
            self.spent += granted - left;
            budget.give_back(left);
        }
    }

    /// Looks at one square; says how many nodes that was.
    fn step(&mut self) -> u64 {
        let Some(cover) = &mut self.cover else {
            self.stage = Stage::GaveUp;
            return 1;
        };
        match self.stage {
            Stage::Greedy(at) => {
                if at == 0 && !cover.begin(&mut self.rng) {
                    self.stage = Stage::GaveUp;
                    return 1;
                }
                self.stage = if cover.grow(at, &mut self.rng) { Stage::Greedy(at + 1) } else { Stage::Complete };
                8
            }
            Stage::Complete => {
                match cover.complete(&mut self.rng) {
                    Some(true) => {
                        cover.number_cycles();
                        self.stage = Stage::Pairs(0, false);
                    }
                    Some(false) => {}
                    None => self.stage = self.after_failure(),
                }
                self.cover.as_mut().map_or(1, Cover::take_work)
            }
            Stage::Pairs(v, any) => {
                let merged = cover.merge_at(v);
                self.stats.exchanges += u64::from(merged);
                let any = any | merged;
                self.stage = if (v as usize) + 1 < cover.len() {
                    Stage::Pairs(v + 1, any)
                } else if any && !cover.is_one_cycle() {
                    Stage::Pairs(0, false)
                } else {
                    self.exchanges.begin(cover);
                    self.fewest = usize::MAX;
                    Stage::Exchange
                };
                4
            }
            Stage::Exchange => {
                if self.exchanges.cycles() == 1 {
                    self.stage = Stage::Found;
                    return 1;
                }
                self.stats.exchanges += u64::from(self.exchanges.step(cover, &mut self.rng));
                if self.exchanges.cycles() < self.fewest {
                    self.fewest = self.exchanges.cycles();
                    self.progress_at = self.spent;
                } else if self.spent - self.progress_at > self.patience() {
                    self.stage = self.restart();
                }
                self.exchanges.take_work()
            }
            Stage::Found | Stage::GaveUp => 1,
        }
    }

    /// Nodes without fewer cycles after which a fresh start is better.
    fn patience(&self) -> u64 {
        20_000 + self.graph.len() as u64 * 100
    }

    fn restart(&mut self) -> Stage {
        self.stats.restarts += 1;
        (self.spent, self.progress_at) = (0, 0);
        Stage::Greedy(0)
    }

    /// Some square cannot have two moves. On a graph of two colours that is for good; elsewhere alternating paths may
    /// miss one that there is.
    fn after_failure(&mut self) -> Stage {
        const ATTEMPTS: u64 = 50;
        if self.stats.restarts < ATTEMPTS { self.restart() } else { Stage::GaveUp }
    }

    /// The squares of the tour just found, open ones from start to end.
    #[must_use]
    pub fn tour(&self) -> Vec<u32> {
        self.cover.as_ref().map(|cover| cover.net().squares(&self.graph, &cover.cycle())).unwrap_or_default()
    }

    /// What has been done so far.
    #[must_use]
    pub fn stats(&self) -> MergingStats {
        self.stats
    }
}
