//! Counting by visiting every tour, on all cores, with the symmetries of the request.
//!
//! The starts of open tours fall into orbits under the symmetries, and only one start of each is
//! searched. An open tour whose ends are both free is met from one end only: the one whose orbit comes
//! first, or from both if the two lie in one orbit. From each start, moves that a symmetry maps to
//! each other are tried once.

use std::sync::{Arc, Mutex, PoisonError};

use super::list::ListPosition;
use super::word::WordPosition;
use super::{AnyWalk, BATCH, Backtrack, Event, Options, Plan, Position, Root, State, Stats, Walk};
use crate::budget::{Budget, Pause, Progress};
use crate::graph::{Graph, VertexSet};
use crate::request::Request;
use crate::symmetry::Symmetry;

/// The search is cut into about this many parts, whatever the number of threads.
const PARTS: usize = 256;

/// A root of the count.
#[derive(Clone, Debug)]
struct CountRoot {
    root: Root,
    /// The rank of the start's orbit, and how many starts and moves the root stands for.
    rank: u32,
    weight: u64,
}

/// What a finished count says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Members of the request: directed open tours, or cycles.
    pub value: u128,
    /// For open requests with free ends that were counted by start: tours from each open square that
    /// has any, as (square, tours), by square.
    pub by_start: Vec<(u32, u128)>,
}

/// A part of the search that one thread does at a time.
#[derive(Debug)]
struct Part<P> {
    walk: Walk<P>,
    root: usize,
    found: u128,
}

/// The parts in one of the two representations.
#[derive(Debug)]
enum Parts {
    Word(Work<WordPosition>),
    List(Work<ListPosition>),
}

#[derive(Debug)]
struct Work<P> {
    waiting: Vec<Part<P>>,
    done: Vec<(usize, u128, Stats)>,
    all: usize,
}

/// A count that can be stopped and resumed.
#[derive(Debug)]
pub struct Counting {
    plan: Plan,
    roots: Vec<CountRoot>,
    /// The orbit of each vertex, by rank; empty where each root is counted for itself.
    ranks: Vec<u32>,
    orbits: Vec<Vec<u32>>,
    parts: Parts,
    split_stats: Stats,
    threads: usize,
    by_start: bool,
}

impl Counting {
    /// Bytes that a count takes beyond its graph, from above.
    #[must_use]
    pub fn bytes(request: &Request) -> u64 {
        // Each part waits with a position of its own.
        8 * PARTS as u64 * Backtrack::bytes(request).max(5000)
    }

    /// A count of the request. `by_start`: keep the tours of each start apart, which gives up the
    /// saving by reversal.
    #[must_use]
    pub fn new(request: &Request, graph: Arc<Graph>, options: Options, threads: usize, by_start: bool) -> Counting {
        let plan = Plan::new(request, graph, by_start);
        let mut orbits = Orbits::new(request, &plan, by_start);
        let roots = orbits.roots(&plan);
        let walk = AnyWalk::new(&plan, options, 64);
        let mut split_stats = Stats::default();
        let vertices = plan.graph.len();
        let parts = match walk {
            AnyWalk::Word(walk) => Parts::Word(Work::cut(&walk, &roots, vertices, &mut split_stats)),
            AnyWalk::List(walk) => Parts::List(Work::cut(&walk, &roots, vertices, &mut split_stats)),
        };
        let ranks = if orbits.reversible { orbits.ranks } else { Vec::new() };
        Counting { plan, roots, ranks, orbits: orbits.members, parts, split_stats, threads: threads.max(1), by_start }
    }

    /// Goes on counting; the totals when it is done.
    pub fn advance(&mut self, budget: &Budget) -> Result<Totals, Pause> {
        let (roots, ranks) = (&self.roots, &self.ranks[..]);
        match &mut self.parts {
            Parts::Word(work) => work.run(budget, roots, ranks, self.threads)?,
            Parts::List(work) => work.run(budget, roots, ranks, self.threads)?,
        }
        Ok(self.totals())
    }

    fn done(&self) -> &[(usize, u128, Stats)] {
        match &self.parts {
            Parts::Word(work) => &work.done,
            Parts::List(work) => &work.done,
        }
    }

    fn totals(&self) -> Totals {
        let mut value = 0;
        let mut of_orbit = vec![0; self.orbits.len()];
        for &(root, found, _) in self.done() {
            let tours = found * u128::from(self.roots[root].weight);
            value += tours;
            if let Some(of_orbit) = of_orbit.get_mut(self.roots[root].rank as usize) {
                *of_orbit += tours;
            }
        }
        let mut by_start = Vec::new();
        if self.by_start {
            for (members, tours) in self.orbits.iter().zip(of_orbit) {
                let each = tours / members.len().max(1) as u128;
                by_start.extend(members.iter().map(|&v| (self.plan.graph.square(v), each)));
            }
            by_start.sort_unstable();
        }
        Totals { value, by_start }
    }

    /// What was done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = self.split_stats;
        self.done().iter().for_each(|(_, _, done)| stats.add(done));
        match &self.parts {
            Parts::Word(work) => work.waiting.iter().for_each(|part| stats.add(&part.walk.stats)),
            Parts::List(work) => work.waiting.iter().for_each(|part| stats.add(&part.walk.stats)),
        }
        stats
    }

    /// Parts of the search done, of all.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let all = match &self.parts {
            Parts::Word(work) => work.all,
            Parts::List(work) => work.all,
        };
        Progress {
            done: self.done().len() as u64,
            total: Some(all as u64),
            message: "counting: parts of the search".to_owned(),
        }
    }
}

impl<P: Position> Work<P> {
    /// Cuts the searches from all roots into parts, breadth first.
    fn cut(walk: &Walk<P>, roots: &[CountRoot], vertices: usize, stats: &mut Stats) -> Work<P> {
        let mut parts: Vec<Part<P>> = Vec::new();
        let mut done = Vec::new();
        for (root, count_root) in roots.iter().enumerate() {
            let mut walk = Walk::new(walk.position.clone());
            walk.begin(&count_root.root, vertices);
            stats.add(&std::mem::take(&mut walk.stats));
            if walk.state != State::Exhausted {
                parts.push(Part { walk, root, found: 0 });
            }
        }
        for depth in 1..9 {
            if parts.is_empty() || parts.len() >= PARTS || depth + 2 > vertices {
                break;
            }
            let mut finer = Vec::with_capacity(parts.len() * 4);
            for part in parts {
                let root = part.root;
                let branches = part.walk.split(stats);
                finer.extend(branches.into_iter().map(|walk| Part { walk, root, found: 0 }));
            }
            parts = finer;
        }
        // The tour of a single square is complete at once.
        for part in &mut parts {
            part.found = u128::from(part.walk.state == State::Complete);
        }
        let all = parts.len();
        done.reserve(all);
        Work { waiting: parts, done, all }
    }

    /// Goes on with the parts that wait, on several threads, until all are done or the budget pauses.
    fn run(&mut self, budget: &Budget, roots: &[CountRoot], ranks: &[u32], threads: usize) -> Result<(), Pause> {
        let waiting = Mutex::new(std::mem::take(&mut self.waiting));
        let done = Mutex::new(std::mem::take(&mut self.done));
        let work = || -> Result<(), Pause> {
            loop {
                let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some(mut part) = next else { return Ok(()) };
                match part.run(budget, &roots[part.root], ranks) {
                    Ok(()) => {
                        let entry = (part.root, part.found, part.walk.stats);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
                    }
                    Err(pause) => {
                        waiting.lock().unwrap_or_else(PoisonError::into_inner).push(part);
                        return Err(pause);
                    }
                }
            }
        };
        let result = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut result = work();
            for other in others {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(other);
            }
            result
        });
        self.waiting = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        result
    }
}

impl<P: Position> Part<P> {
    fn run(&mut self, budget: &Budget, root: &CountRoot, ranks: &[u32]) -> Result<(), Pause> {
        loop {
            let mut fuel = budget.take(BATCH)?;
            while fuel > 0 {
                match self.walk.run(&mut fuel) {
                    Event::Complete => {
                        let twice = ranks.get(self.walk.position.end() as usize).is_some_and(|&rank| rank > root.rank);
                        self.found += 1 + u128::from(twice);
                    }
                    Event::OutOfFuel => {}
                    Event::Exhausted => {
                        budget.give_back(fuel);
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// The orbits of the starts.
struct Orbits {
    symmetries: Vec<Symmetry>,
    members: Vec<Vec<u32>>,
    /// The orbit of each vertex.
    ranks: Vec<u32>,
    /// Whether tours may be met from either end.
    reversible: bool,
}

impl Orbits {
    fn new(request: &Request, plan: &Plan, by_start: bool) -> Orbits {
        let graph = &plan.graph;
        let symmetries = request.stabiliser();
        let free = !graph.is_closed() && graph.start().is_none() && graph.end().is_none();
        let mut orbits = Orbits {
            symmetries,
            members: Vec::new(),
            ranks: vec![u32::MAX; graph.len()],
            reversible: free && graph.steps().is_empty() && !by_start && graph.len() > 1,
        };
        // Squares with few moves first: from there on, the others need not end here.
        let mut starts: Vec<u32> = plan.roots.iter().map(|&(start, _)| start).collect();
        starts.sort_by_key(|&v| (graph.neighbours(v).len(), v));
        for start in starts {
            if orbits.ranks[start as usize] == u32::MAX {
                let rank = orbits.members.len() as u32;
                let mut members = orbits.images(plan, start);
                members.retain(|&v| orbits.ranks[v as usize] == u32::MAX);
                members.iter().for_each(|&v| orbits.ranks[v as usize] = rank);
                orbits.members.push(members);
            }
        }
        orbits
    }

    /// The images of a vertex, each once, rising.
    fn images(&self, plan: &Plan, vertex: u32) -> Vec<u32> {
        let mut images: Vec<u32> = self.symmetries.iter().map(|s| self.map(plan, s, vertex)).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    fn map(&self, plan: &Plan, symmetry: &Symmetry, vertex: u32) -> u32 {
        let graph = &plan.graph;
        graph.vertex(symmetry.map(graph.square(vertex), plan.rows, plan.cols))
    }

    /// The roots: one a start orbit and orbit of first moves; for cycles as they are.
    fn roots(&mut self, plan: &Plan) -> Vec<CountRoot> {
        if plan.graph.is_closed() {
            let root = |at| CountRoot { root: plan.root(at), rank: u32::MAX, weight: 1 };
            return (0..plan.roots.len()).map(root).collect();
        }
        let mut roots = Vec::new();
        for (rank, members) in self.members.iter().enumerate() {
            let start = members[0];
            let ends = self.ends(plan, start, rank as u32);
            let weight = members.len() as u64;
            if plan.graph.len() == 1 {
                roots.push(CountRoot {
                    root: Root { start, first: None, cycle: false, ends },
                    rank: rank as u32,
                    weight,
                });
                continue;
            }
            let fixing: Vec<&Symmetry> = self.symmetries.iter().filter(|s| self.map(plan, s, start) == start).collect();
            let mut tried = VertexSet::empty(plan.graph.len());
            for &first in plan.graph.neighbours(start) {
                if tried.contains(first) {
                    continue;
                }
                let mut same = 0;
                for symmetry in &fixing {
                    let image = self.map(plan, symmetry, first);
                    same += u64::from(!tried.contains(image));
                    tried.add(image);
                }
                let root = Root { start, first: Some(first), cycle: false, ends: ends.clone() };
                roots.push(CountRoot { root, rank: rank as u32, weight: weight * same });
            }
        }
        roots
    }

    /// Where tours from a start of this rank may end, to be met from here.
    fn ends(&self, plan: &Plan, start: u32, rank: u32) -> VertexSet {
        let mut ends = plan.ends_from(start);
        if self.reversible {
            let earlier: Vec<u32> = ends.iter().filter(|&v| self.ranks[v as usize] < rank).collect();
            earlier.into_iter().for_each(|v| ends.discard(v));
        }
        ends
    }
}
