//! [`Forecast`]: how large a sweep will be, from the sweep without pairings.
//!
//! Of k ends there are (k - 1)!! pairings, of which a layer reaches more the further the sweep has come. Which power of
//! them that is, was fitted to the layers of 158 counts of boards from 5x7 to 8x8, closed and open, whole and by rows of
//! their ends (only closed 8x8 that large); so were transitions, and, once states took the bytes that they need, memory to 14
//! of them. On all of them up to 7x8 the states and bytes at the peak and the transitions are within a factor of 2; and so
//! the states were on the parts of open 8x8 by rows, counted afterwards.

use super::mask::Mask;
use super::plan::{Cycles, Plan};
use super::state::pairings;
use crate::request::graph::{Graph, VertexSet};
use crate::run::{Budget, Halt, Pause};

/// The groups of a sweep by layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// The layers after each step, or some of them.
    pub layers: Vec<LayerForecast>,
    /// How many there are.
    pub steps: usize,
    /// How many of the vertices are squares.
    pub squares: usize,
    /// Whether tours may start and end on any square.
    pub has_free_ends: bool,
}

/// What a sweep is expected to take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Needs {
    /// States of the largest layer.
    pub states: f64,
    /// Groups of all layers.
    pub groups: f64,
    /// Ways from a state to a state of the next layer.
    pub transitions: f64,
    /// Bytes at the peak.
    pub memory: f64,
    /// Bytes of what must be in memory even if there is a disk for the rest: the keys of two layers.
    pub keys: f64,
    /// Bytes of all layers where they are kept.
    pub image: f64,
}

/// With more ends than this, few groups have so many states that they are gathered in a table.
const TABLE_ENDS: u32 = 16;

/// This many times more states than the formula says have tours of which any square may be an end.
const FREE_ENDS: f64 = 1.6;

impl Forecast {
    /// What the sweep will take: see above how far it may be off.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let more = if self.has_free_ends { FREE_ENDS } else { 1.0 };
        let groups: Vec<f64> = self.layers.iter().map(LayerForecast::all_groups).collect();
        let states: Vec<f64> = self.layers.iter().map(|layer| layer.states(self.squares) * more).collect();
        let times = self.steps as f64 / self.layers.len().max(1) as f64;
        let [all_groups, all_states] = [&groups, &states].map(|sizes| (sizes.iter().sum::<f64>() * times).max(1.0));
        let peak = 0.77 * states.iter().copied().fold(1.0, f64::max).powf(1.016);
        let bytes: Vec<f64> = self.layers.iter().zip(&states).map(|(layer, states)| layer.bytes() * states).collect();
        let [two_bytes, two_groups] =
            [&bytes, &groups].map(|sizes| sizes.windows(2).map(|two| two[0] + two[1]).fold(1.0, f64::max));
        // The tables of sums of the largest groups, and what is kept of them.
        let ends = |layer: &LayerForecast| layer.groups.iter().map(|&(ends, _)| ends).max();
        let tables = pairings(self.layers.iter().filter_map(ends).max().unwrap_or(0).min(TABLE_ENDS)) as f64 * 8.0;
        Needs {
            states: peak,
            groups: all_groups,
            transitions: 0.297 * all_states.powf(0.507) * all_groups.powf(0.836),
            memory: 800_000.0 + tables + 1.25 * two_bytes + 185.0 * two_groups,
            keys: size_of::<Mask>() as f64 * two_groups,
            image: 4.0 * all_states + 32.0 * all_groups,
        }
    }
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
    /// Numbers of ends, and how many groups have this many.
    pub groups: Vec<(u32, f64)>,
}

impl LayerForecast {
    /// How many groups it has.
    #[must_use]
    pub fn all_groups(&self) -> f64 {
        self.groups.iter().map(|&(_, groups)| groups).sum()
    }

    /// About how many bytes a state takes: its weight has some bits for each square swept, from some on, and its rank a part of
    /// a byte.
    fn bytes(&self) -> f64 {
        (f64::from(self.swept) / 8.0 - 1.8).max(1.0) + 0.7
    }

    /// About how many states its groups hold, on a board of this many squares.
    fn states(&self, squares: usize) -> f64 {
        let left = squares.saturating_sub(self.swept as usize);
        if left == 0 || self.squares < 4 {
            return self.all_groups();
        }
        let width = f64::from(self.squares);
        let (before, after) = ((f64::from(self.swept) / width).ln(), (left as f64 / width).ln());
        let (young, apexes) = (f64::from(self.fresh) / width, f64::from(self.apexes));
        let of_ends = |&(ends, groups): &(u32, f64)| {
            let pairs = f64::from(ends) / width;
            let reach = 8.352 - 1.994 * before - 3.527 * before * before - 13.882 * pairs + 13.58 * pairs * before
                - 1.854 * young
                - 0.743 * after
                - 1.16 * after * after
                + 2.851 * before * after
                + apexes * (0.555 - 0.972 * before + 0.152 * pairs)
                + 0.341 * f64::from(self.spent);
            // The logarithm of the number of pairings.
            let pairings: f64 = (2..ends).rev().step_by(2).map(|k| f64::from(k).ln()).sum();
            groups * (pairings * (1.0 - (-reach.clamp(0.0, 9.0)).exp())).exp()
        };
        self.groups.iter().map(of_ends).sum()
    }
}

/// The graph that a sweep goes over, and the order in which it does.
#[derive(Clone, Debug)]
pub struct Course {
    /// For each vertex its neighbours, and whether the edge must be used. The apexes come last.
    pub near: Vec<Vec<(u32, bool)>>,
    /// How many of the vertices are squares.
    pub squares: usize,
    /// The squares of the first of two colours, if moves change the colour and all squares are connected.
    pub first: Option<VertexSet>,
    /// When each is swept.
    pub position: Vec<u32>,
    /// How many are swept at the end of each step, or of some steps.
    pub swept: Vec<u32>,
    /// How many steps there are.
    pub steps: usize,
    /// Whether a state and its mirror image are kept once.
    pub is_folded: bool,
    /// Whether no two vertices are joined twice, nor does it matter how many edges are odd.
    pub is_simple: bool,
    /// Whether it matters how many edges are odd, which makes two groups of most.
    pub has_parity: bool,
    /// Whether tours may start and end on any square.
    pub has_free_ends: bool,
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
        let is_free = |ends: &VertexSet| ends.count() == graph.len();
        Ok(Course {
            near,
            squares: graph.len(),
            first,
            position,
            steps: swept.len(),
            swept,
            is_folded: plan.is_folded,
            is_simple,
            has_parity: graph.parity().is_some(),
            has_free_ends: !graph.is_closed() && is_free(graph.starts()) && is_free(graph.ends()),
        })
    }

    /// Whether a vertex is among the first this many.
    #[must_use]
    pub fn is_swept(&self, v: u32, swept: u32) -> bool {
        self.position[v as usize] < swept
    }

    /// How many neighbours of a vertex are swept.
    #[must_use]
    pub fn seen(&self, v: u32, swept: u32) -> usize {
        self.near[v as usize].iter().filter(|&&(u, _)| self.is_swept(u, swept)).count()
    }

    /// Only this many of the layers, evenly: for a look at a long board.
    #[must_use]
    pub(super) fn with_few_layers(mut self, most: usize) -> Course {
        let all = self.swept.len();
        if all > most {
            self.swept = (0..most).map(|i| self.swept[(2 * i + 1) * all / (2 * most)]).collect();
        }
        self
    }

    /// The forecast with these layers.
    pub(super) fn forecast(&self, layers: Vec<LayerForecast>) -> Forecast {
        Forecast { layers, steps: self.steps, squares: self.squares, has_free_ends: self.has_free_ends }
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
