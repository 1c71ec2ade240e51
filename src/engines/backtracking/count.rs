//! Counting by visiting every tour, on all cores, with the symmetries of the request.
//!
//! The starts of open tours fall into orbits under the symmetries, and only one start of each is
//! searched. An open tour whose ends are both free is met from one end only: the one whose orbit comes
//! first, or from both if the two lie in one orbit. From each start, moves that a symmetry maps to
//! each other are tried once. On graphs of more than 64 vertices, whose tours are hopelessly many or
//! very few, the symmetries are left alone, and each start is a part of the work by itself.

use std::sync::{Arc, Mutex, PoisonError};

use super::list::ListPosition;
use super::word::WordPosition;
use super::{AnyWalk, BATCH, Backtrack, Event, Options, Plan, Position, Root, State, Stats, Walk};
use crate::request::Request;
use crate::request::graph::{Graph, VertexSet};
use crate::run::{Budget, Limit, Pause, Progress, workers};
use crate::symmetry::Symmetry;

/// The search is cut into about this many parts, whatever the number of threads.
const PARTS: usize = 256;

/// The most moves from a square, and so the most nodes that cutting one part takes.
const BRANCHES: u64 = 8;

/// A root of the count: its ends are worked out when it is begun.
#[derive(Clone, Copy, Debug)]
struct CountRoot {
    start: u32,
    first: Option<u32>,
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

/// The work in one of the two representations.
#[derive(Debug)]
enum Parts {
    Word(Work<WordPosition>),
    List(Work<ListPosition>),
}

/// What is to be done and what is done.
#[derive(Debug)]
struct Work<P> {
    /// A walk that has not begun.
    fresh: Walk<P>,
    /// The first root that has not begun.
    next_root: usize,
    /// While this is some, no thread works.
    cutting: Option<Cutting<P>>,
    /// Parts that wait, begun or not.
    waiting: Vec<Part<P>>,
    done: Done,
}

/// Parts to be cut further, those already cut, and how deep the cuts are.
#[derive(Debug)]
struct Cutting<P> {
    coarse: Vec<Part<P>>,
    fine: Vec<Part<P>>,
    depth: usize,
}

/// What is done.
#[derive(Debug, Default)]
struct Done {
    /// Tours by the rank of their start; cycles under rank 0.
    tours: Vec<u128>,
    stats: Stats,
    parts: usize,
}

/// What the threads of a count share.
#[derive(Debug)]
struct Shared {
    plan: Plan,
    roots: Vec<CountRoot>,
    /// The orbit of each vertex, by rank.
    ranks: Vec<u32>,
    /// Whether tours are met from one of their ends only.
    reversible: bool,
}

/// A count that can be stopped and resumed.
#[derive(Debug)]
pub struct Counting {
    shared: Shared,
    orbits: Vec<Vec<u32>>,
    parts: Parts,
    threads: usize,
    by_start: bool,
}

impl Counting {
    /// Bytes that a count takes beyond its graph, from above.
    #[must_use]
    pub fn bytes(request: &Request, threads: usize) -> u64 {
        let vertices = request.board().len() as u64;
        // A position for each thread, or for each part of a small search; orbits and roots.
        let positions = if vertices <= 64 { 8 * PARTS as u64 } else { threads as u64 + 2 };
        positions * Backtrack::bytes(request).max(5000) + 120 * vertices
    }

    /// A count of the request. `by_start`: keep the tours of each start apart, which gives up the
    /// saving by reversal.
    #[must_use]
    pub fn new(request: &Request, graph: Arc<Graph>, options: Options, threads: usize, by_start: bool) -> Counting {
        let plan = Plan::new(request, graph, by_start);
        let orbits = Orbits::new(request, &plan, by_start);
        let roots = orbits.roots(&plan);
        let ranks = orbits.members.len().max(1);
        let parts = match AnyWalk::new(&plan, options, 64) {
            AnyWalk::Word(walk) => Parts::Word(Work::new(*walk, ranks, true)),
            AnyWalk::List(walk) => Parts::List(Work::new(*walk, ranks, false)),
        };
        let Orbits { members, ranks, reversible, .. } = orbits;
        let shared = Shared { plan, roots, ranks, reversible };
        Counting { shared, orbits: members, parts, threads: threads.max(1), by_start }
    }

    /// Goes on counting; the totals when it is done.
    pub fn advance(&mut self, budget: &Budget) -> Result<Totals, Pause> {
        self.run(budget, self.threads)
    }

    /// The same in one thread, so that what a limit of nodes cuts short does not depend on how several share them.
    pub fn advance_alone(&mut self, budget: &Budget) -> Result<Totals, Pause> {
        self.run(budget, 1)
    }

    fn run(&mut self, budget: &Budget, threads: usize) -> Result<Totals, Pause> {
        match &mut self.parts {
            Parts::Word(work) => work.run(budget, &self.shared, threads)?,
            Parts::List(work) => work.run(budget, &self.shared, threads)?,
        }
        Ok(self.totals())
    }

    fn done(&self) -> &Done {
        match &self.parts {
            Parts::Word(work) => &work.done,
            Parts::List(work) => &work.done,
        }
    }

    fn totals(&self) -> Totals {
        let tours = &self.done().tours;
        let mut by_start = Vec::new();
        if self.by_start {
            for (members, tours) in self.orbits.iter().zip(tours) {
                let each = tours / members.len().max(1) as u128;
                by_start.extend(members.iter().map(|&v| (self.shared.plan.graph.square(v), each)));
            }
            by_start.sort_unstable();
        }
        Totals { value: tours.iter().sum(), by_start }
    }

    /// What was done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        match &self.parts {
            Parts::Word(work) => work.stats(),
            Parts::List(work) => work.stats(),
        }
    }

    /// Parts of the search done, of all.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let left = match &self.parts {
            Parts::Word(work) => work.left(&self.shared),
            Parts::List(work) => work.left(&self.shared),
        };
        let done = self.done().parts;
        Progress {
            done: done as u64,
            total: Some((done + left) as u64),
            message: "counting: parts of the search".to_owned(),
        }
    }
}

impl Shared {
    fn root(&self, at: usize) -> Root {
        let CountRoot { start, first, rank, .. } = self.roots[at];
        if self.plan.anchor.is_some() {
            return self.plan.root(at);
        }
        let mut ends = self.plan.ends_from(start);
        if self.reversible {
            let earlier: Vec<u32> = ends.iter().filter(|&v| self.ranks[v as usize] < rank).collect();
            earlier.into_iter().for_each(|v| ends.discard(v));
        }
        Root { start, first, cycle: false, ends }
    }
}

impl<P: Position> Work<P> {
    fn new(fresh: Walk<P>, ranks: usize, cuts: bool) -> Work<P> {
        Work {
            fresh,
            next_root: 0,
            cutting: cuts.then(|| Cutting { coarse: Vec::new(), fine: Vec::new(), depth: 0 }),
            waiting: Vec::new(),
            done: Done { tours: vec![0; ranks], ..Done::default() },
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.done.stats;
        self.waiting.iter().for_each(|part| stats.add(&part.walk.stats));
        if let Some(cutting) = &self.cutting {
            cutting.coarse.iter().chain(&cutting.fine).for_each(|part| stats.add(&part.walk.stats));
        }
        stats
    }

    /// Parts that are not done.
    fn left(&self, shared: &Shared) -> usize {
        let cutting = self.cutting.as_ref().map_or(0, |cutting| cutting.coarse.len() + cutting.fine.len());
        shared.roots.len() - self.next_root + self.waiting.len() + cutting
    }

    /// Begins at all roots and cuts the searches from there into parts, breadth first.
    fn cut(&mut self, budget: &Budget, shared: &Shared) -> Result<(), Pause> {
        let vertices = shared.plan.graph.len();
        let Some(Cutting { coarse, fine, depth }) = &mut self.cutting else { return Ok(()) };
        while self.next_root < shared.roots.len() {
            budget.take(1)?;
            let root = self.next_root;
            self.next_root += 1;
            let mut walk = self.fresh.clone();
            walk.begin(&shared.root(root), vertices);
            // The tour of a single square is complete at once.
            let found = u128::from(walk.state == State::Complete);
            self.done.stats.add(&std::mem::take(&mut walk.stats));
            if walk.state != State::Exhausted {
                fine.push(Part { walk, root, found });
            }
        }
        // Two moves must be left after the cut.
        // A cut that was interrupted is finished first.
        while !coarse.is_empty() || *depth < 8 && !fine.is_empty() && fine.len() < PARTS && *depth + 3 <= vertices {
            if coarse.is_empty() {
                std::mem::swap(coarse, fine);
                coarse.reverse();
                *depth += 1;
            }
            while let Some(part) = coarse.pop() {
                let granted = match budget.take(BRANCHES) {
                    Ok(granted) if granted == BRANCHES => granted,
                    short => {
                        coarse.push(part);
                        budget.give_back(short?);
                        return Err(Pause::Limit(Limit::Nodes));
                    }
                };
                let root = part.root;
                let before = self.done.stats.nodes;
                let branches = part.walk.split(&mut self.done.stats);
                budget.give_back(granted - (self.done.stats.nodes - before));
                fine.extend(branches.into_iter().map(|walk| Part { walk, root, found: 0 }));
            }
        }
        self.waiting = std::mem::take(fine);
        self.cutting = None;
        Ok(())
    }

    /// Goes on with the parts that are not done, on several threads, until all are or the budget pauses.
    fn run(&mut self, budget: &Budget, shared: &Shared, threads: usize) -> Result<(), Pause> {
        self.cut(budget, shared)?;
        let vertices = shared.plan.graph.len();
        let fresh = &self.fresh;
        let queue = Mutex::new((std::mem::take(&mut self.waiting), self.next_root));
        let done = Mutex::new(std::mem::take(&mut self.done));
        let work = |(): &mut ()| -> Result<(), Pause> {
            // The walk of the last part, to be used again.
            let mut spare = None;
            loop {
                let (mut part, root) = {
                    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                    match queue.0.pop() {
                        Some(part) => (part, None),
                        None if queue.1 < shared.roots.len() => {
                            budget.take(1)?;
                            let root = queue.1;
                            queue.1 += 1;
                            let walk = spare.take().unwrap_or_else(|| fresh.clone());
                            (Part { walk, root, found: 0 }, Some(root))
                        }
                        None => return Ok(()),
                    }
                };
                if let Some(root) = root {
                    part.walk.stats = Stats::default();
                    part.walk.begin(&shared.root(root), vertices);
                    part.found = u128::from(part.walk.state == State::Complete);
                }
                if let Err(pause) = part.run(budget, shared) {
                    queue.lock().unwrap_or_else(PoisonError::into_inner).0.push(part);
                    return Err(pause);
                }
                let CountRoot { rank, weight, .. } = shared.roots[part.root];
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.tours[rank as usize] += part.found * u128::from(weight);
                done.stats.add(&part.walk.stats);
                done.parts += 1;
                spare = Some(part.walk);
            }
        };
        let result = workers::outcome(workers::together(&mut vec![(); threads], work));
        (self.waiting, self.next_root) = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        result
    }
}

impl<P: Position> Part<P> {
    fn run(&mut self, budget: &Budget, shared: &Shared) -> Result<(), Pause> {
        let own = shared.roots[self.root].rank;
        loop {
            let mut fuel = budget.take(BATCH)?;
            while fuel > 0 {
                match self.walk.run(&mut fuel) {
                    Event::Complete => {
                        let end = self.walk.position.end();
                        let twice = shared.reversible && shared.ranks[end as usize] > own;
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
        // Working out the images of every start would take longer on large boards than it could ever save.
        let symmetries = if graph.len() <= 64 { request.stabiliser() } else { vec![Symmetry::IDENTITY] };
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
    fn roots(&self, plan: &Plan) -> Vec<CountRoot> {
        if plan.graph.is_closed() {
            let root = |&(start, first): &(u32, Option<u32>)| CountRoot { start, first, rank: 0, weight: 1 };
            return plan.roots.iter().map(root).collect();
        }
        let mut roots = Vec::new();
        for (rank, members) in self.members.iter().enumerate() {
            let (start, rank, weight) = (members[0], rank as u32, members.len() as u64);
            if plan.graph.len() == 1 || self.symmetries.len() == 1 {
                roots.push(CountRoot { start, first: None, rank, weight });
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
                roots.push(CountRoot { start, first: Some(first), rank, weight: weight * same });
            }
        }
        roots
    }
}
