//! [`Portfolio`]: several engines that take turns at one request.
//!
//! No engine is best on every board. So they work in rounds: in each round every engine has a fixed number of nodes,
//! which doubles from round to round, and the answer is that of the first engine, in a fixed order, of the first
//! round in which one answers. Nothing depends on the clock. From the second round on the engines of a round run on
//! several threads at once, and what those do that come after the one that answers is forgotten: the answer and its
//! statistics are the same with any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::FRAGMENT_BYTES;
use crate::engines::backtracking::{Restarts, Stats, Step};
use crate::engines::cycle_graph;
use crate::engines::cycle_merging::Merging;
use crate::engines::edge_forcing::{self, EdgeForcing};
use crate::engines::frontier::{Natural, Sweep, SweepOptions};
use crate::engines::rotation::Rotation;
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Cancel, Halt, Limit, Pause, workers};
use crate::theorems::{Pairs, Reason};

/// The engines, in the order in which they have their turns.
#[derive(Debug)]
enum Engine {
    /// Rotates and extends a path: the fastest on most odd boards; proves nothing.
    Rotation(Arc<Graph>, Option<Box<Rotation>>, u64),
    /// Forces edges: slower at finding, better at proving.
    EdgeForcing(Arc<Graph>, Option<Box<EdgeForcing>>),
    /// Looks for pairs of squares on which the board is connected: tells why there is no tour, or nothing.
    Pairs(Box<(Request, Arc<Graph>, Pairs)>, Option<Reason>),
    /// Merges the cycles of a cover: for large boards; proves nothing.
    Merging(Arc<Graph>, Option<Box<Merging>>, u64),
    /// Backtracks, with restarts.
    Restarts(Box<Restarts>),
    /// Counts, and so tells that there is no tour; not which one there is.
    Sweep(Box<Sweep>),
}

/// What an engine's turn came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Some nodes of the round are left.
    Open,
    /// The nodes of the round are spent.
    Over,
    /// It found a tour, or that there is none.
    Answered(bool),
    /// It can do no more, and knows nothing.
    Retired,
}

#[derive(Debug)]
struct Member {
    engine: Engine,
    turn: Turn,
    /// Nodes left of the round.
    left: u64,
    /// What it had done before the round.
    before: Stats,
}

/// The engines and the round they are in.
#[derive(Debug)]
pub(super) struct Portfolio {
    members: Vec<Member>,
    round: u32,
    /// Whether there is one engine only, whose turn does not end.
    alone: bool,
    threads: usize,
    /// The member that answered.
    winner: Option<usize>,
}

impl Engine {
    /// On boards of more squares what takes longer than a pass over the board has its turn after what does not.
    const LARGE: usize = 1 << 14;

    fn name(&self) -> &'static str {
        match self {
            Engine::EdgeForcing(..) => "fragments",
            Engine::Pairs(..) => "theorem",
            Engine::Merging(..) => "merging",
            Engine::Rotation(..) => "rotation",
            Engine::Restarts(_) => "backtracking",
            Engine::Sweep(_) => "frontier",
        }
    }

    /// Nodes of the first round. They stand for about as much time: a node of the search that forces edges follows all
    /// that is forced, one of a sweep is a group of states.
    fn first_round(&self) -> u64 {
        match self {
            Engine::EdgeForcing(graph, _) => 2_000.max(graph.len() as u64),
            // Each square's vicinity, and something for those that need more.
            Engine::Pairs(pairs, _) => 20_000 + 150 * pairs.1.len().min(Engine::LARGE) as u64,
            // One pass over the board, and something for the cycles that are left.
            Engine::Merging(graph, ..) => 20_000 + 150 * graph.len() as u64,
            // A path over the board, and something for the squares that it leaves out.
            Engine::Rotation(graph, ..) => 20_000 + 50 * graph.len().min(Engine::LARGE) as u64,
            Engine::Restarts(_) => 20_000,
            Engine::Sweep(_) => 2_000,
        }
    }

    fn advance(&mut self, budget: &Budget) -> Step {
        match self {
            Engine::EdgeForcing(graph, search) => {
                if search.is_none() {
                    match EdgeForcing::new(Arc::clone(graph), budget) {
                        Ok(fragments) => *search = Some(Box::new(fragments)),
                        Err(pause) => return Step::Paused(pause),
                    }
                }
                match search.as_mut().map(|search| search.advance(budget)) {
                    Some(edge_forcing::Step::Found) => Step::Found,
                    Some(edge_forcing::Step::Paused(pause)) => Step::Paused(pause),
                    Some(edge_forcing::Step::Exhausted) | None => Step::Exhausted,
                }
            }
            Engine::Pairs(pairs, reason) => {
                let (request, graph, pairs) = &mut **pairs;
                match pairs.advance(request, graph, budget) {
                    Ok(None) => Step::Found,
                    Ok(why) => {
                        *reason = why;
                        Step::Exhausted
                    }
                    Err(pause) => Step::Paused(pause),
                }
            }
            Engine::Restarts(restarts) => restarts.advance(budget),
            Engine::Merging(graph, search, seed) => {
                if search.is_none()
                    && let Err(pause) = budget.check_memory(Merging::bytes(graph))
                {
                    return Step::Paused(pause);
                }
                let search = search.get_or_insert_with(|| Box::new(Merging::new(Arc::clone(graph), Some(*seed))));
                or_exhausted(search.advance(budget))
            }
            Engine::Rotation(graph, search, seed) => {
                if search.is_none()
                    && let Err(pause) = budget.check_memory(Rotation::bytes(graph))
                {
                    return Step::Paused(pause);
                }
                let search = search.get_or_insert_with(|| Box::new(Rotation::new(Arc::clone(graph), Some(*seed))));
                or_exhausted(search.advance(budget))
            }
            Engine::Sweep(sweep) => match sweep.advance(budget) {
                Ok(count) if count == Natural::default() => Step::Exhausted,
                Ok(_) => Step::Found,
                Err(pause) => Step::Paused(pause),
            },
        }
    }

    fn stats(&self) -> Stats {
        match self {
            Engine::EdgeForcing(_, Some(search)) => {
                let done = search.stats();
                let restarts = u64::from(done.restarts);
                Stats { nodes: done.nodes, backtracks: done.dead_ends, restarts, ..Stats::default() }
            }
            Engine::Merging(_, Some(search), _) => {
                let done = search.stats();
                Stats { nodes: done.nodes, restarts: done.restarts, ..Stats::default() }
            }
            Engine::Rotation(_, Some(search), _) => {
                let done = search.stats();
                Stats { nodes: done.nodes, restarts: done.restarts, ..Stats::default() }
            }
            Engine::Pairs(pairs, _) => Stats { nodes: pairs.2.nodes(), ..Stats::default() },
            Engine::Restarts(restarts) => restarts.stats(),
            Engine::Sweep(sweep) => Stats { nodes: sweep.stats().groups, ..Stats::default() },
            _ => Stats::default(),
        }
    }
}

/// The step of an engine that proves nothing, as of one that could: `Member` knows which do.
fn or_exhausted(step: cycle_graph::Step) -> Step {
    match step {
        cycle_graph::Step::Found => Step::Found,
        cycle_graph::Step::Paused(pause) => Step::Paused(pause),
        cycle_graph::Step::GaveUp => Step::Exhausted,
    }
}

impl Member {
    fn new(engine: Engine) -> Member {
        Member { engine, turn: Turn::Over, left: 0, before: Stats::default() }
    }

    /// Goes on with its turn; an error if the budget pauses before that is over.
    fn advance(&mut self, budget: &Budget, cancel: Option<&Cancel>) -> Result<(), Pause> {
        while self.turn == Turn::Open {
            if self.left == 0 {
                self.turn = Turn::Over;
                break;
            }
            let part = budget.part(self.left).with_cancel(cancel.cloned());
            let step = self.engine.advance(&part);
            self.left -= part.spent().min(self.left);
            let finds = !matches!(self.engine, Engine::Sweep(_) | Engine::Pairs(..));
            let proves = !matches!(self.engine, Engine::Merging(..) | Engine::Rotation(..));
            self.turn = match step {
                Step::Found if !finds => Turn::Retired,
                Step::Found => Turn::Answered(true),
                Step::Exhausted if !proves => Turn::Retired,
                Step::Exhausted => Turn::Answered(false),
                Step::Paused(Pause::Limit(Limit::Nodes)) => Turn::Over,
                // These are not the only engines.
                Step::Paused(Pause::Limit(Limit::Memory)) if !finds || !proves => Turn::Retired,
                Step::Paused(pause) => return Err(pause),
            };
        }
        Ok(())
    }
}

impl Portfolio {
    /// Transitions up to which a sweep is worth it: a few seconds' worth.
    const SWEEP: f64 = 5e8;

    /// Of large boards only those with a side of this many squares at most are looked at for it.
    const NARROW: u32 = 8;

    /// All engines that can do something for the request; backtracking has begun.
    pub(super) fn new(
        request: &Request,
        graph: &Arc<Graph>,
        pairs: Pairs,
        restarts: Restarts,
        (seed, threads): (Option<u64>, usize),
        budget: &Budget,
    ) -> Result<Portfolio, Pause> {
        let mut engines = Vec::new();
        let knows_cycles_only = graph.steps().is_empty();
        if knows_cycles_only {
            engines.push(Engine::Rotation(Arc::clone(graph), None, seed.unwrap_or(0)));
        }
        engines.push(Engine::EdgeForcing(Arc::clone(graph), None));
        if knows_cycles_only {
            engines.push(Engine::Merging(Arc::clone(graph), None, seed.unwrap_or(0)));
        }
        engines.push(Engine::Pairs(Box::new((request.clone(), Arc::clone(graph), pairs)), None));
        engines.push(Engine::Restarts(Box::new(restarts)));
        // The plan of a sweep takes longer than a pass over the board.
        let board = request.board();
        let is_narrow = graph.len() <= Engine::LARGE || board.rows().min(board.cols()) <= Portfolio::NARROW;
        if is_narrow {
            match Sweep::begin(request, graph, SweepOptions::on(1), budget) {
                Ok(sweep) if sweep.estimate() <= Portfolio::SWEEP => engines.push(Engine::Sweep(Box::new(sweep))),
                Err(Halt::Pause(pause)) => return Err(pause),
                _ => {}
            }
        }
        let members = engines.into_iter().map(Member::new).collect();
        Ok(Portfolio { members, round: 0, alone: false, threads: threads.max(1), winner: None })
    }

    /// Backtracking, and nothing else.
    pub(super) fn alone(restarts: Restarts) -> Portfolio {
        let members = vec![Member::new(Engine::Restarts(Box::new(restarts)))];
        Portfolio { members, round: 0, alone: true, threads: 1, winner: None }
    }

    /// Bytes a square that the engines take beyond backtracking, from above: squares have at most eight moves.
    pub(super) const BYTES: u64 = FRAGMENT_BYTES;

    /// Goes on until an engine answers or the budget pauses.
    pub(super) fn advance(&mut self, budget: &Budget) -> Step {
        loop {
            if let Some(found) = self.answer() {
                return if found { Step::Found } else { Step::Exhausted };
            }
            if self.members.iter().all(|member| member.turn != Turn::Open)
                && let Err(pause) = self.next_round(budget)
            {
                return Step::Paused(pause);
            }
            let before = self.left();
            let result = if self.round > 1 && self.threads > 1 { self.together(budget) } else { self.in_turn(budget) };
            budget.charge(before - self.left());
            if let (Err(pause), None) = (result, self.answer()) {
                return Step::Paused(pause);
            }
        }
    }

    /// Whether a tour was found or proven not to be, once that cannot change any more: those before the first that
    /// answered have had their turn.
    fn answer(&mut self) -> Option<bool> {
        let at = self.members.iter().position(|member| !matches!(member.turn, Turn::Over | Turn::Retired))?;
        let Turn::Answered(found) = self.members[at].turn else { return None };
        self.winner = Some(at);
        Some(found)
    }

    /// Nodes left of the round.
    fn left(&self) -> u64 {
        self.members.iter().fold(0, |sum, member| sum.saturating_add(member.left))
    }

    /// Deals out the nodes of the next round.
    fn next_round(&mut self, budget: &Budget) -> Result<(), Pause> {
        let limit = budget.limits().nodes.unwrap_or(u64::MAX);
        let mut free = limit.saturating_sub(budget.spent());
        if free == 0 {
            return Err(Pause::Limit(Limit::Nodes));
        }
        for member in &mut self.members {
            member.before = member.engine.stats();
            if member.turn != Turn::Retired {
                member.turn = Turn::Open;
                member.left =
                    free.min(if self.alone { u64::MAX } else { member.engine.first_round() << self.round.min(40) });
                free -= member.left;
            }
        }
        self.round += 1;
        Ok(())
    }

    /// One engine after the other.
    fn in_turn(&mut self, budget: &Budget) -> Result<(), Pause> {
        for member in &mut self.members {
            member.advance(budget, None)?;
            if matches!(member.turn, Turn::Answered(_)) {
                break;
            }
        }
        Ok(())
    }

    /// The engines of the round on several threads, those first that come first.
    fn together(&mut self, budget: &Budget) -> Result<(), Pause> {
        let answered = self.members.iter().position(|member| matches!(member.turn, Turn::Answered(_)));
        let upto = answered.unwrap_or(self.members.len());
        let candidates = &mut self.members[..upto];
        let open = candidates.iter_mut().filter(|member| member.turn == Turn::Open);
        let jobs: Vec<(Mutex<&mut Member>, Cancel)> =
            open.map(|member| (Mutex::new(member), Cancel::default())).collect();
        let next = AtomicUsize::new(0);
        let labour = |(): &mut ()| {
            let mut pause = Ok(());
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((member, cancel)) = jobs.get(at) else { return pause };
                // Nobody else has this job.
                let mut member = member.lock().unwrap_or_else(PoisonError::into_inner);
                match member.advance(budget, Some(cancel)) {
                    Ok(()) if matches!(member.turn, Turn::Answered(_)) => {
                        jobs[at + 1..].iter().for_each(|(_, cancel)| cancel.cancel());
                    }
                    Ok(()) => {}
                    Err(_) if cancel.is_cancelled() => {}
                    Err(why) => pause = Err(why),
                }
            }
        };
        workers::outcome(workers::together(&mut vec![(); self.threads.min(jobs.len())], labour))
    }

    /// The squares of the tour found.
    pub(super) fn tour(&mut self) -> Vec<u32> {
        match self.winner.map(|at| &mut self.members[at].engine) {
            Some(Engine::EdgeForcing(_, Some(search))) => search.path().to_vec(),
            Some(Engine::Merging(_, Some(search), _)) => search.tour(),
            Some(Engine::Rotation(_, Some(search), _)) => search.tour(),
            Some(Engine::Restarts(restarts)) => restarts.tour(),
            _ => Vec::new(),
        }
    }

    /// Why there is no tour, if it is a theorem that told.
    pub(super) fn reason(&mut self) -> Option<Reason> {
        match self.winner.map(|at| &mut self.members[at].engine) {
            Some(Engine::Pairs(_, reason)) => reason.take(),
            _ => None,
        }
    }

    /// The engine that answered; before that, the one whose turn it is.
    pub(super) fn method(&self) -> &'static str {
        let at = self.winner.or_else(|| self.members.iter().position(|member| member.turn == Turn::Open));
        self.members[at.unwrap_or(self.members.len() - 1)].engine.name()
    }

    /// What the engines did until the one that answered did.
    pub(super) fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        for (at, member) in self.members.iter().enumerate() {
            let is_late = self.winner.is_some_and(|winner| at > winner);
            stats.add(&if is_late { member.before } else { member.engine.stats() });
        }
        stats
    }
}
