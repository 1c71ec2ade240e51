//! [`CycleGraph`]: a graph with its apexes as vertices like the others. Its cycles through all vertices are the tours.

use crate::request::Edge;
use crate::request::apex::Apexes;
use crate::request::graph::Graph;
use crate::run::Pause;
use crate::run::rng::Rng;

/// What a call of a search on such a graph, one that proves nothing, led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A tour: see the `tour` of the search.
    Found,
    /// There is nothing that this search can do, such as for squares at given steps. It proves nothing.
    GaveUp,
    /// The budget refused; the next call goes on.
    Paused(Pause),
}

/// No vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// Of an apex this many edges are looked at, chosen at random: it may be joined to every vertex.
pub(crate) const SAMPLED: usize = 8;

/// The graph of a request, open ones closed by apexes, which come last.
#[derive(Clone, Debug)]
pub(crate) struct CycleGraph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    /// Edges that must be used, both ways round, sorted.
    locked: Vec<Edge>,
    apexes: usize,
}

impl CycleGraph {
    /// Bytes for a graph, from above.
    pub(crate) fn bytes(graph: &Graph) -> u64 {
        let (vertices, arcs) = (graph.len() as u64 + 2, graph.arc_count() as u64);
        // Edges to two apexes at most, both ways.
        4 * (arcs + 5 * vertices) + 16 * graph.required().len() as u64
    }

    /// `None` if there clearly is no tour; and for squares at given steps, of which a cycle knows nothing. Cost: linear.
    pub(crate) fn new(graph: &Graph) -> Option<CycleGraph> {
        if !graph.steps().is_empty() || graph.len() <= 2 {
            return None;
        }
        let plan = Apexes::new(graph)?;
        let count = graph.len() as u32;
        let apexes = plan.apexes.len();
        let mut offsets = Vec::with_capacity(count as usize + apexes + 1);
        let mut targets = Vec::with_capacity(graph.arc_count() + 2 * count as usize);
        offsets.push(0);
        for v in 0..count {
            targets.extend_from_slice(graph.neighbours(v));
            targets
                .extend((count..).zip(&plan.apexes).filter(|(_, members)| members.contains(v)).map(|(apex, _)| apex));
            offsets.push(targets.len() as u32);
        }
        for (apex, members) in (count..).zip(&plan.apexes) {
            targets.extend(members.iter());
            targets.extend((count..count + apexes as u32).filter(|&other| other != apex));
            offsets.push(targets.len() as u32);
        }
        let mut locked: Vec<Edge> = plan.required.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        locked.sort_unstable();
        Some(CycleGraph { offsets, targets, locked, apexes })
    }

    /// Number of vertices, apexes among them.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of a vertex.
    #[inline]
    pub(crate) fn targets(&self, v: u32) -> &[u32] {
        &self.targets[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Whether a vertex is an apex.
    #[inline]
    pub(crate) fn is_apex(&self, v: u32) -> bool {
        v as usize >= self.len() - self.apexes
    }

    /// The neighbours of a vertex in an order by chance; of an apex some of them.
    pub(crate) fn some_targets(&self, v: u32, rng: &mut Rng, into: &mut Vec<u32>) {
        into.clear();
        let targets = self.targets(v);
        if targets.len() <= SAMPLED + 2 {
            into.extend_from_slice(targets);
            for i in (1..into.len()).rev() {
                into.swap(i, rng.below(i as u64 + 1) as usize);
            }
        } else {
            into.extend((0..SAMPLED).map(|_| targets[rng.below(targets.len() as u64) as usize]));
        }
    }

    /// Whether two vertices are joined.
    #[inline]
    pub(crate) fn is_edge(&self, a: u32, b: u32) -> bool {
        // Apexes have long lists.
        let (a, b) = if self.is_apex(a) { (b, a) } else { (a, b) };
        self.is_apex(a) || self.targets(a).contains(&b)
    }

    /// Edges that must be used, both ways round, sorted.
    pub(crate) fn locked(&self) -> &[Edge] {
        &self.locked
    }

    /// Whether an edge must be used.
    #[inline]
    pub(crate) fn is_locked(&self, a: u32, b: u32) -> bool {
        !self.locked.is_empty() && self.locked.binary_search(&(a, b)).is_ok()
    }

    /// The other ends of the edges at a vertex that must be used.
    pub(crate) fn locked_at(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.locked.partition_point(|&(a, _)| a < v);
        self.locked[from..].iter().take_while(move |&&(a, _)| a == v).map(|&(_, b)| b)
    }

    /// The squares of a cycle through all vertices, as a tour is listed: closed ones from the given start, open ones from
    /// their start to their end.
    pub(crate) fn squares(&self, graph: &Graph, cycle: &[u32]) -> Vec<u32> {
        let is_apex = |&v: &u32| self.is_apex(v);
        // Two apexes are next to each other, perhaps at both ends of the list.
        let begin = match cycle.iter().rposition(is_apex) {
            Some(last) if last + 1 == cycle.len() => cycle.iter().position(|v| !is_apex(v)).unwrap_or(0),
            Some(last) => last + 1,
            None => 0,
        };
        let around = cycle[begin..].iter().chain(&cycle[..begin]).filter(|v| !is_apex(v));
        let mut squares: Vec<u32> = around.map(|&v| graph.square(v)).collect();
        if graph.is_closed() {
            crate::symmetry::list_cycle(&mut squares, graph.start().map(|v| graph.square(v)));
        } else if let (Some(&first), Some(&last)) = (squares.first(), squares.last()) {
            let fits = |start: u32, end: u32| {
                graph.starts().contains(graph.vertex(start)) && graph.ends().contains(graph.vertex(end))
            };
            if !fits(first, last) {
                squares.reverse();
            }
        }
        squares
    }
}
