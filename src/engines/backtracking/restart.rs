//! Restarts: finding one tour where a single search may be unlucky.
//!
//! A backtracking search that begins badly can spend ages below its first moves. So several searches
//! take turns, in rounds of fixed numbers of nodes that double each time: two that never restart, and
//! so end with a tour or a proof that there is none, and probes that begin anew in each round with
//! other starts and other ties. Nothing depends on the clock: a run repeats on any machine.

use std::sync::Arc;

use super::{Backtrack, Lookahead, Options, Order, Stats, Step};
use crate::engines::warnsdorff::Ties;
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::rng::Rng;
use crate::run::{Budget, Pause};

/// The look-ahead for cut vertices costs about this many times as much as the others, and on boards of more than 512 squares
/// in proportion to those that are left.
const COST_OF_FULL: u64 = 8;

/// On boards of more squares that look-ahead is not begun anew: it would not come to an end of the board in a round.
const LARGE: usize = 4096;

/// Up to this many squares Warnsdorff's rule with random ties and look-ahead hardly ever goes astray.
const VARIED: usize = 400;

/// What the probes of a round are.
const PROBES: [(Ties, Lookahead); 4] = [
    (Ties::Outward, Lookahead::Forced),
    (Ties::Random, Lookahead::Forced),
    (Ties::Outward, Lookahead::Full),
    (Ties::Pohl, Lookahead::Forced),
];

/// Searches that take turns until one finds a tour or proves that there is none.
#[derive(Debug)]
pub struct Restarts {
    searches: Vec<Backtrack>,
    /// Which one's turn it is, and what is left of it.
    turn: usize,
    left: u64,
    round: u32,
    base: u64,
    rng: Rng,
    restarts: u64,
    found: usize,
    request: Request,
    graph: Arc<Graph>,
}

impl Restarts {
    /// Bytes that the searches take beyond their graph, from above.
    #[must_use]
    pub fn bytes(request: &Request) -> u64 {
        Backtrack::bytes(request) * (2 + PROBES.len() as u64)
    }

    /// Searches over the graph of the request. The same seed gives the same tour; none is a seed, too.
    #[must_use]
    pub fn new(request: &Request, graph: Arc<Graph>, seed: Option<u64>) -> Restarts {
        let base = 2000.max(4 * graph.len() as u64);
        let mut rng = Rng::seeded(seed.unwrap_or(0));
        // With a seed, small boards can afford ties that are all broken by chance.
        let order =
            if seed.is_some() && graph.len() <= VARIED { Order::Warnsdorff(Ties::Random) } else { Options::BEST.order };
        let mut first = Backtrack::new(request, Arc::clone(&graph), Options { seed, order, ..Options::BEST });
        if seed.is_some() {
            first.shuffle(&mut rng);
        }
        Restarts {
            searches: vec![first],
            turn: 0,
            left: base,
            round: 0,
            base,
            rng,
            restarts: 0,
            found: 0,
            request: request.clone(),
            graph,
        }
    }

    /// Runs until a tour is found, none is left, or the budget pauses.
    pub fn advance(&mut self, budget: &Budget) -> Step {
        loop {
            let step = self.searches[self.turn].advance_within(budget, &mut self.left);
            match step {
                Step::Paused(Pause::Slice) if self.left == 0 => {
                    if let Err(pause) = self.next_turn(budget) {
                        return Step::Paused(pause);
                    }
                }
                // A probe has begun at one root only: it proves nothing.
                Step::Exhausted if self.turn >= 2 => {
                    self.left = 0;
                    if let Err(pause) = self.next_turn(budget) {
                        return Step::Paused(pause);
                    }
                }
                Step::Found => {
                    self.found = self.turn;
                    return step;
                }
                _ => return step,
            }
        }
    }

    /// The same, but for the first search's first turn only; see [`Restarts::is_in_first_turn`].
    pub fn first_turn(&mut self, budget: &Budget) -> Step {
        self.searches[0].advance_within(budget, &mut self.left)
    }

    /// Whether the first turn is not over.
    #[must_use]
    pub fn is_in_first_turn(&self) -> bool {
        self.round == 0 && self.turn == 0 && self.left > 0
    }

    fn next_turn(&mut self, budget: &Budget) -> Result<(), Pause> {
        // The first node of a probe.
        budget.take(1)?;
        let vertices = self.graph.len();
        let is_full = |turn: usize| turn == 1 || turn >= 2 && PROBES[turn - 2].1 == Lookahead::Full;
        loop {
            self.turn += 1;
            if self.turn == 2 + PROBES.len() {
                self.turn = 0;
                self.round += 1;
            }
            if vertices <= LARGE || self.turn < 2 || !is_full(self.turn) {
                break;
            }
        }
        let nodes = self.base << self.round.min(40);
        // The others are made when they are needed, which is rarely.
        while self.turn >= self.searches.len() {
            let options = match self.searches.len().checked_sub(2).map(|probe| PROBES[probe]) {
                None => Options { lookahead: Lookahead::Full, ..Options::BEST },
                Some((ties, lookahead)) => Options { order: Order::Warnsdorff(ties), lookahead, seed: Some(0) },
            };
            self.searches.push(Backtrack::new(&self.request, Arc::clone(&self.graph), options));
        }
        self.left = match self.turn {
            0 => 4 * nodes,
            turn if is_full(turn) && vertices > LARGE => (nodes * 64 / vertices as u64).max(1),
            turn if is_full(turn) => (nodes / COST_OF_FULL).max(2 * vertices as u64),
            _ => nodes,
        };
        if self.turn >= 2 {
            self.restarts += 1;
            self.left -= 1;
            let (pick, seed) = (self.rng.bits(), self.rng.bits());
            self.searches[self.turn].probe(pick, seed);
        } else {
            budget.give_back(1);
        }
        Ok(())
    }

    /// The squares of the tour just found.
    #[must_use]
    pub fn tour(&mut self) -> Vec<u32> {
        self.searches[self.found].tour()
    }

    /// What all the searches did.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = Stats { restarts: self.restarts, ..Stats::default() };
        for search in &self.searches {
            stats.add(&search.stats());
        }
        stats
    }
}

impl Backtrack {
    /// Puts the roots in a random order.
    fn shuffle(&mut self, rng: &mut Rng) {
        let roots = &mut self.plan.roots;
        for at in (1..roots.len()).rev() {
            roots.swap(at, rng.below(at as u64 + 1) as usize);
        }
    }

    /// Begins anew at one of the roots, with other random ties.
    fn probe(&mut self, pick: u64, seed: u64) {
        let roots = self.plan.roots.len();
        if roots > 0 {
            self.reseed(seed);
            let root = self.plan.root((pick % roots as u64) as usize);
            self.next_root = roots;
            self.begin(&root);
        }
    }
}
