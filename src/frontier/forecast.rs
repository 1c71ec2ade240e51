//! [`Forecast`]: how large a sweep will be, from the sweep without pairings.

use super::plan::{Cycles, Plan};
use super::{Halt, Sweep};
use crate::budget::{Budget, Pause};
use crate::graph::{Graph, VertexSet};

/// The groups of a sweep by layers. (How many states a group has is another question.)
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// The layers after each step.
    pub layers: Vec<LayerForecast>,
}

/// The groups between two steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerForecast {
    /// Vertices swept before.
    pub swept: u32,
    /// Squares of the frontier.
    pub squares: u32,
    /// Those of them with only one neighbour swept.
    pub fresh: u32,
    /// Apexes of the frontier.
    pub apexes: u32,
    /// Those of them that no square still to be swept is joined to.
    pub spent: u32,
    /// Numbers of ends, and how many groups have so many.
    pub groups: Vec<(u32, f64)>,
}

/// The graph that a sweep goes over, and the order in which it does.
#[derive(Clone, Debug)]
pub struct Course {
    /// For each vertex its neighbours, and whether the edge must be used. The apexes come last.
    pub near: Vec<Vec<(u32, bool)>>,
    /// How many of the vertices are squares.
    pub squares: usize,
    /// The squares of the first of two colours, if moves change the colour and all squares hang together.
    pub first: Option<VertexSet>,
    /// When each is swept.
    pub position: Vec<u32>,
    /// How many are swept at the end of each step.
    pub swept: Vec<u32>,
    /// Whether a state and its mirror image are kept once.
    pub is_folded: bool,
    /// Whether no two vertices are joined twice, nor does it matter how many edges are odd.
    pub is_simple: bool,
}

impl Course {
    /// That of the sweep of a graph. Cost and memory: linear in the board.
    pub fn new(graph: &Graph, budget: &Budget) -> Result<Course, Halt> {
        Ok(Course::of_plan(&Plan::new(graph, false, budget)?, graph, budget)?)
    }

    /// That of a plan for a graph.
    pub(super) fn of_plan(plan: &Plan, graph: &Graph, budget: &Budget) -> Result<Course, Pause> {
        let (cycles, _) = Cycles::new(graph);
        let mut near = Vec::with_capacity(cycles.len());
        let mut list = Vec::new();
        let mut is_simple = graph.parity().is_none();
        for v in 0..cycles.len() as u32 {
            budget.go_on_at(v as usize)?;
            cycles.neighbours(v, &mut list);
            near.push(list.iter().map(|&u| (u, cycles.is_required(v, u))).collect::<Vec<_>>());
            is_simple = is_simple && list.iter().all(|&u| cycles.parallel(v, u) == [1, 0]);
        }
        let mut position = vec![0; cycles.len()];
        let (mut swept, mut count) = (Vec::new(), 0);
        for step in &plan.steps {
            for vertex in &step.swept {
                position[vertex.vertex as usize] = count;
                count += 1;
            }
            swept.push(count);
        }
        let first = graph.colouring().map(|colouring| colouring.first);
        Ok(Course { near, squares: graph.len(), first, position, swept, is_folded: plan.is_folded, is_simple })
    }

    /// Whether a vertex is among the first so many.
    #[must_use]
    pub fn is_swept(&self, v: u32, swept: u32) -> bool {
        self.position[v as usize] < swept
    }

    /// How many neighbours of a vertex are swept.
    #[must_use]
    pub fn seen(&self, v: u32, swept: u32) -> usize {
        self.near[v as usize].iter().filter(|&&(u, _)| self.is_swept(u, swept)).count()
    }

    /// A layer, its groups aside.
    #[must_use]
    pub fn layer(&self, swept: u32) -> LayerForecast {
        let mut layer = LayerForecast { swept, ..LayerForecast::default() };
        for v in (0..self.near.len() as u32).filter(|&v| !self.is_swept(v, swept)) {
            let seen = self.seen(v, swept);
            if seen == 0 {
                continue;
            }
            if (v as usize) < self.squares {
                layer.squares += 1;
                layer.fresh += u32::from(seen == 1);
            } else {
                let is_left = |&(u, _): &(u32, bool)| (u as usize) < self.squares && !self.is_swept(u, swept);
                layer.apexes += 1;
                layer.spent += u32::from(!self.near[v as usize].iter().any(is_left));
            }
        }
        layer
    }
}

impl Sweep {
    /// Finds the groups, if that is not yet done, and says how many there are. The sweep can go on to count.
    ///
    /// Cost: about a tenth of that of the count.
    pub fn forecast(&mut self, course: &Course, budget: &Budget) -> Result<Forecast, Halt> {
        while self.work.is_none() && self.total.is_none() {
            self.advance_once(budget)?;
        }
        let mut forecast = Forecast::default();
        if self.total.is_some() {
            return Ok(forecast);
        }
        for (number, &swept) in (1..).zip(&course.swept) {
            let keys = self.groups.keys(number)?;
            let mut counts = [0u64; 65];
            keys.iter().for_each(|key| counts[key.ends.count_ones() as usize] += 1);
            let groups = (0..).zip(counts).filter(|count| count.1 > 0).map(|(ends, count)| (ends, count as f64));
            forecast.layers.push(LayerForecast { groups: groups.collect(), ..course.layer(swept) });
        }
        Ok(forecast)
    }
}
