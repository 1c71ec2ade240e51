//! [`Apexes`]: tours as the cycles of a graph with a vertex more, or two.
//!
//! Such an *apex* is joined to every square that may be an end, so that a search for cycles never has to tell an end from
//! another vertex. (The sweep has its own, `frontier/plan.rs`: it makes do with one apex where an end is given, but does not
//! look at colours.)

use crate::request::graph::{Colouring, Graph, VertexSet};

/// What is to be searched: the cycles of the graph with its apex vertices that use the required edges.
#[derive(Clone, Debug)]
pub(crate) struct Apexes {
    /// The vertices that each apex is joined to: none for closed tours, one or two for open ones.
    /// Apex number `k` is vertex `len + k`.
    pub(crate) apexes: Vec<VertexSet>,
    /// Edges to choose at once. Two apexes are joined by the first of them.
    pub(crate) required: Vec<(u32, u32)>,
    /// Whether each cycle stands for a tour and its reverse, both of them asked for.
    pub(crate) both_ways: bool,
}

impl Apexes {
    /// `None` if there clearly is no tour. Needs two vertices at least.
    pub(crate) fn new(graph: &Graph) -> Option<Apexes> {
        let count = graph.len() as u32;
        if graph.pieces().1 > 1 {
            return None;
        }
        let mut required: Vec<(u32, u32)> = graph.required().iter().copied().filter(|(a, b)| a < b).collect();
        let steps = graph.steps();
        required.extend(
            steps
                .windows(2)
                .filter(|pair| pair[0].0 + 1 == pair[1].0)
                .map(|pair| crate::request::ordered(pair[0].1, pair[1].1)),
        );
        let colouring = graph.colouring();
        let (apexes, both_ways) = if graph.is_closed() {
            let start = graph.start().unwrap_or(0);
            if count < 3 || steps.iter().any(|&(step, v)| (step == 0) != (v == start)) {
                return None;
            }
            for &(step, v) in steps {
                if step == 1 || step == count - 1 {
                    required.push(crate::request::ordered(start, v));
                }
            }
            if let Some(colours) = &colouring {
                let colour = colours.first.contains(start);
                let fits = |&(step, v): &(u32, u32)| (colours.first.contains(v) == colour) == step.is_multiple_of(2);
                if colours.first_count != colours.second_count || !steps.iter().all(fits) {
                    return None;
                }
            }
            (Vec::new(), false)
        } else {
            let (starts, ends) = (graph.starts().clone(), graph.ends().clone());
            match &colouring {
                None => open_apexes(starts, ends),
                Some(colours) => coloured_apexes(graph, colours, starts, ends)?,
            }
        };
        // Steps that follow one another may repeat required edges.
        required.sort_unstable();
        required.dedup();
        if required.iter().any(|&(a, b)| !graph.is_edge(a, b)) {
            return None;
        }
        if apexes.len() == 2 {
            required.insert(0, (count, count + 1));
        }
        Some(Apexes { apexes, required, both_ways })
    }

    /// Vertices and apexes.
    pub(crate) fn vertices(&self, graph: &Graph) -> usize {
        graph.len() + self.apexes.len()
    }
}

/// One apex and each tour one way, if starts and ends are the same; else an apex for each.
fn open_apexes(starts: VertexSet, ends: VertexSet) -> (Vec<VertexSet>, bool) {
    if starts == ends { (vec![starts], true) } else { (vec![starts, ends], false) }
}

/// The same where the graph has two colours: they alternate along a tour.
fn coloured_apexes(
    graph: &Graph,
    colours: &Colouring,
    starts: VertexSet,
    ends: VertexSet,
) -> Option<(Vec<VertexSet>, bool)> {
    let is_even = graph.len().is_multiple_of(2);
    let second = VertexSet::full(graph.len()).minus(&colours.first);
    // Whether a tour may begin on the first colour, or on the second.
    let fits = |first: bool| {
        let surplus = colours.first_count as i64 - colours.second_count as i64;
        let needed = if is_even { 0 } else { i64::from(first) * 2 - 1 };
        let steps = graph.steps();
        surplus == needed && steps.iter().all(|&(step, v)| colours.first.contains(v) == (first == (step % 2 == 0)))
    };
    let class = |first: bool| if first { &colours.first } else { &second };
    match (fits(true), fits(false)) {
        (false, false) => None,
        // With free ends it is enough to find the tours that begin on the first colour.
        (true, true) if starts == ends => Some((vec![starts.and(&colours.first), ends.and(&second)], true)),
        (true, true) => Some((vec![starts, ends], false)),
        (first, _) => Some(open_apexes(starts.and(class(first)), ends.and(class(first != is_even)))),
    }
}
