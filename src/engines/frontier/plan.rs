//! [`Plan`]: the order in which the squares are swept, and what each step may do.
//!
//! A request becomes a question about cycles only: open tours are cycles through one more vertex, the
//! *apex*, that is joined to every square on which a tour may end and is swept last. (Where the two ends
//! may lie on different squares there are two of them, joined by an edge that must be used: one is the
//! neighbour of the start, the other of the end.) So a state never has to tell a tour's end from the end of
//! a fragment, which saves a factor of half the number of ends.
//!
//! A vertex that has been reached and not yet swept has a *slot*, one bit of the two bitboards of a state,
//! and keeps it until it is swept. If the order goes from the outside of each line to its middle and the
//! request looks the same in a mirror, two mirror images have the slots `t` and `63 - t`, and what
//! is its own image has a slot in the middle: the image of a bitboard is then its reversal.

use super::mask::{MIDDLE_SLOTS, Mask, PARITY};
use crate::board::Bitboard;
use crate::request::graph::{Drawing, Graph, VertexSet};
use crate::run::{Budget, Halt, Pause, Unsuited};

/// A request as a question about Hamiltonian cycles.
#[derive(Clone, Debug)]
pub struct Cycles<'g> {
    graph: &'g Graph,
    apex: Apex,
}

#[derive(Clone, Debug)]
enum Apex {
    /// Closed tours.
    None,
    /// One vertex more, joined to these; the edges to the second set must be used.
    One { joined: VertexSet, required: VertexSet },
    /// Two vertices more, the first joined to the starts and the second to the ends.
    Two,
}

impl<'g> Cycles<'g> {
    /// The question, and how many tours each cycle stands for.
    #[must_use]
    pub fn new(graph: &'g Graph) -> (Cycles<'g>, u32) {
        if graph.is_closed() {
            return (Cycles { graph, apex: Apex::None }, 1);
        }
        let (starts, ends) = (graph.starts(), graph.ends());
        let single = |set: &VertexSet| set.count() == 1;
        let mut joined = VertexSet::empty(graph.len());
        let mut required = VertexSet::empty(graph.len());
        if starts == ends {
            return (Cycles { graph, apex: Apex::One { joined: starts.clone(), required } }, 2);
        }
        if !single(starts) && !single(ends) {
            return (Cycles { graph, apex: Apex::Two }, 1);
        }
        for set in [starts, ends] {
            for v in set.iter() {
                joined.add(v);
                if single(set) {
                    required.add(v);
                }
            }
        }
        (Cycles { graph, apex: Apex::One { joined, required } }, 1)
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.len() + self.apexes()
    }

    fn apexes(&self) -> usize {
        match self.apex {
            Apex::None => 0,
            Apex::One { .. } => 1,
            Apex::Two => 2,
        }
    }

    /// Puts the neighbours of a vertex into the list, those of an apex last.
    pub fn neighbours(&self, v: u32, list: &mut Vec<u32>) {
        let count = self.graph.len() as u32;
        list.clear();
        match (v.checked_sub(count), &self.apex) {
            (None, apex) => {
                list.extend_from_slice(self.graph.neighbours(v));
                match apex {
                    Apex::None => {}
                    Apex::One { joined, .. } => list.extend(joined.contains(v).then_some(count)),
                    Apex::Two => {
                        list.extend(self.graph.starts().contains(v).then_some(count));
                        list.extend(self.graph.ends().contains(v).then_some(count + 1));
                    }
                }
            }
            (Some(_), Apex::None) => {}
            (Some(_), Apex::One { joined, .. }) => list.extend(joined.iter()),
            (Some(0), Apex::Two) => list.extend(self.graph.starts().iter().chain([count + 1])),
            (Some(_), Apex::Two) => list.extend(self.graph.ends().iter().chain([count])),
        }
    }

    /// How many edges join two neighbours: even ones and odd ones.
    #[must_use]
    pub fn parallel(&self, a: u32, b: u32) -> [u8; 2] {
        if a.max(b) as usize >= self.graph.len() {
            return [1, 0];
        }
        let at = self.graph.neighbours(a).binary_search(&b);
        at.map_or([0, 0], |at| self.graph.parallel(self.graph.arcs(a).start + at as u32))
    }

    /// Whether the edge must be used.
    #[must_use]
    pub fn is_required(&self, a: u32, b: u32) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let count = self.graph.len() as u32;
        if high < count {
            return self.graph.required_at(low).binary_search(&(low, high)).is_ok();
        }
        match &self.apex {
            Apex::None => false,
            Apex::One { required, .. } => required.contains(low),
            Apex::Two => low == count,
        }
    }

    /// Whether the map of vertices to vertices, its own inverse, keeps the question as it is.
    fn is_kept_by(&self, image: &[u32], budget: &Budget) -> Result<bool, Pause> {
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for v in 0..self.graph.len() as u32 {
            budget.go_on_at(v as usize)?;
            self.neighbours(v, &mut here);
            self.neighbours(image[v as usize], &mut there);
            let is_kept = |&u: &u32| {
                let to = image[u as usize];
                there.contains(&to)
                    && self.is_required(v, u) == self.is_required(image[v as usize], to)
                    && self.parallel(v, u) == self.parallel(image[v as usize], to)
            };
            if here.len() != there.len() || !here.iter().all(is_kept) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// An order of the vertices, and how many of them each step takes.
#[derive(Clone, Debug)]
pub struct Order {
    /// All vertices.
    pub vertices: Vec<u32>,
    /// For each step how many of them it sweeps: 1 or 2.
    pub steps: Vec<u8>,
    /// The mirror image of each vertex, if the picture is its own image after every step.
    pub image: Option<Vec<u32>>,
}

/// At most two edges from a swept vertex to vertices swept later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The slots at their other ends.
    pub mask: u64,
    /// How many there are.
    pub count: u8,
    /// [`PARITY`] if an odd number of them is odd, where that matters.
    pub toggle: u64,
}

/// A vertex when it is swept.
#[derive(Clone, Debug)]
pub struct Swept {
    /// Its number; those of the apexes follow those of the graph.
    pub vertex: u32,
    /// Its slot.
    pub slot: u32,
    /// The edges that it may have to later vertices, by their number.
    pub choices: Vec<Choice>,
    /// How many choices have fewer than one edge, and fewer than two.
    pub fewer: [usize; 2],
    /// The slots in use before, its own among them if it had been reached.
    pub before: u64,
    /// The slots in use afterwards.
    pub after: u64,
    /// Whether all vertices not yet swept have slots.
    pub all_reached: bool,
    /// Of the slots in use afterwards, those of vertices with at least two neighbours swept: others are not full.
    pub may_be_full: u64,
    /// Those of vertices with a neighbour not yet swept: others are full.
    pub may_be_ends: u64,
    /// Those of vertices with at least two neighbours not yet swept: others have an edge.
    pub may_be_free: u64,
    /// [`PARITY`] where that matters: it is among the slots in use before, and of those that may be full.
    pub parity: u64,
}

impl Swept {
    /// The choices with this many edges, at most two.
    #[inline]
    #[must_use]
    pub fn choices_of(&self, count: u8) -> &[Choice] {
        let [none, one] = self.fewer;
        match count {
            0 => &self.choices[..none],
            1 => &self.choices[none..one],
            _ => &self.choices[one..],
        }
    }
}

/// One or two vertices swept together.
#[derive(Clone, Debug)]
pub struct Step {
    /// The vertices, in turn.
    pub swept: Vec<Swept>,
    /// Slots that the step does not look at: those in use before that are neither swept nor neighbours.
    pub untouched: u64,
}

/// What the sweep does, step by step.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
    /// Whether states are stored once for themselves and their mirror image.
    pub is_folded: bool,
    /// How many tours each cycle stands for.
    pub times: u32,
    /// The most slots in use between two steps.
    pub width: u32,
    /// A guess of the states of all layers, from their widths alone.
    pub guess: f64,
    /// The key to begin with; that of the finished board is always the empty one.
    pub first: Mask,
}

impl Plan {
    /// Known by its steps alone: what a file depends on that holds states between two of them. The numbers that it is taken
    /// from, and their order, are part of the formats of checkpoints and indexes.
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = blake3::Hasher::new();
        let mut number = |value: u64| {
            hasher.update(&value.to_le_bytes());
        };
        let first = [self.first.full, self.first.ends];
        [u64::from(self.is_folded), self.times.into(), self.width.into()]
            .into_iter()
            .chain(first)
            .for_each(&mut number);
        for step in &self.steps {
            number(step.swept.len() as u64);
            for swept in &step.swept {
                [swept.vertex.into(), swept.slot.into(), swept.before, swept.after, swept.choices.len() as u64]
                    .into_iter()
                    .for_each(&mut number);
                for choice in &swept.choices {
                    [choice.mask, choice.count.into(), choice.toggle].into_iter().for_each(&mut number);
                }
            }
        }
        let hash = hasher.finalize();
        u32::from_le_bytes(std::array::from_fn(|i| hash.as_bytes()[i]))
    }

    /// The plan with the fewest states, as far as the widths of its layers tell; or the best of those in another order,
    /// for a second opinion. Unsuited is a graph whose frontier does not fit the 64 slots of a state on any order.
    ///
    /// Cost: linear in the board for each of some twelve orders. It is made in one go, and given up where a limit of the
    /// budget is reached.
    pub fn new(graph: &Graph, in_another_order: bool, budget: &Budget) -> Result<Plan, Halt> {
        let (cycles, times) = Cycles::new(graph);
        let mut best: Option<(f64, Order)> = None;
        let mut second: Option<(f64, Order)> = None;
        for order in orders(graph, &cycles, budget)? {
            let bar = if in_another_order { &second } else { &best };
            if let Some(guess) = weigh(&cycles, &order, bar.as_ref().map_or(f64::INFINITY, |b| b.0), budget)? {
                if best.as_ref().is_none_or(|b| guess < b.0) {
                    second = best.replace((guess, order));
                } else {
                    second = Some((guess, order));
                }
            }
        }
        let chosen = if in_another_order { second } else { best };
        let (guess, order) = chosen.ok_or(Unsuited::TooWide)?;
        let mut plan = Plan::of_order(&cycles, &order, budget)?.ok_or(Unsuited::TooWide)?;
        plan.times = times;
        plan.guess = guess;
        Ok(plan)
    }

    /// The plan for one order. `None` if the slots do not suffice.
    pub fn of_order(cycles: &Cycles<'_>, order: &Order, budget: &Budget) -> Result<Option<Plan>, Pause> {
        let count = cycles.len();
        let mut position = vec![0; count];
        for (at, &v) in order.vertices.iter().enumerate() {
            position[v as usize] = at as u32;
        }
        const NO_SLOT: u32 = u32::MAX;
        // The neighbours of each vertex, and those of them that are swept.
        let mut degree = vec![0u32; count];
        let mut seen = vec![0u32; count];
        let mut owner = [0u32; 64];
        let mut slot = vec![NO_SLOT; count];
        let mut used: u64 = 0;
        let parity = if cycles.graph.parity().is_some() { PARITY } else { 0 };
        let mut reached = 0;
        let (mut list, mut near) = (Vec::new(), Vec::new());
        let mut steps = Vec::with_capacity(order.steps.len());
        let mut width = 0;
        let mut from = 0;
        for &size in &order.steps {
            budget.go_on_at(steps.len())?;
            let swept_now = &order.vertices[from..from + size as usize];
            // The slots in use when the step began stay taken until it ends.
            let mut taken = used | parity;
            let mut swept = Vec::with_capacity(swept_now.len());
            let mut touched = 0;
            for &v in swept_now {
                let before = used;
                cycles.neighbours(v, &mut list);
                list.retain(|&u| position[u as usize] > position[v as usize]);
                for u in std::iter::once(v).chain(list.iter().copied()) {
                    if slot[u as usize] == NO_SLOT {
                        let new = match &order.image {
                            None => (0..64).find(|&s| taken >> s & 1 == 0),
                            Some(image) => {
                                let twin = image[u as usize];
                                if twin == u {
                                    MIDDLE_SLOTS.clone().find(|&s| taken >> s & 1 == 0)
                                } else if slot[twin as usize] != NO_SLOT {
                                    Some(63 - slot[twin as usize])
                                } else {
                                    (0..MIDDLE_SLOTS.start).find(|&s| (taken >> s | taken >> (63 - s)) & 1 == 0)
                                }
                            }
                        };
                        let Some(new) = new else { return Ok(None) };
                        slot[u as usize] = new;
                        owner[new as usize] = u;
                        cycles.neighbours(u, &mut near);
                        degree[u as usize] = near.len() as u32;
                        taken |= 1 << new;
                        reached += 1;
                        if order.image.is_some() && !MIDDLE_SLOTS.contains(&new) {
                            taken |= 1 << (63 - new);
                        }
                    }
                }
                let own = 1u64 << slot[v as usize];
                let mut must = 0u64;
                let mut may = Vec::with_capacity(list.len());
                for &u in &list {
                    seen[u as usize] += 1;
                    let bit = 1u64 << slot[u as usize];
                    used |= bit;
                    let [even, odd] = cycles.parallel(v, u);
                    may.extend(std::iter::repeat_n((bit, 0), even.into()));
                    may.extend(std::iter::repeat_n((bit, parity), odd.into()));
                    if cycles.is_required(v, u) {
                        must |= bit;
                    }
                }
                touched |= own | parity | may.iter().fold(0, |a, b| a | b.0);
                used &= !own;
                let mut choices = vec![Choice { mask: 0, count: 0, toggle: 0 }];
                for (i, &(a, toggle)) in may.iter().enumerate() {
                    choices.push(Choice { mask: a, count: 1, toggle });
                    let others = may[..i].iter().filter(|&&(b, _)| b != a);
                    choices.extend(others.map(|&(b, other)| Choice { mask: a | b, count: 2, toggle: toggle ^ other }));
                }
                choices.retain(|c| must & !c.mask == 0);
                choices.sort_by_key(|c| c.count);
                let fewer = [1, 2].map(|count| choices.partition_point(|c| c.count < count));
                // `reached` counts all vertices that ever had a slot, the swept ones too.
                let all_reached = reached == count;
                let those = |holds: &dyn Fn(u32, u32) -> bool| {
                    Bitboard(used)
                        .filter(|&s| {
                            let u = owner[s as usize] as usize;
                            holds(seen[u], degree[u] - seen[u])
                        })
                        .fold(0, |set, s| set | 1 << s)
                };
                swept.push(Swept {
                    vertex: v,
                    slot: slot[v as usize],
                    choices,
                    fewer,
                    before: before | parity,
                    after: used,
                    all_reached,
                    may_be_full: those(&|seen, _| seen >= 2) | parity,
                    may_be_ends: those(&|_, left| left >= 1),
                    may_be_free: those(&|_, left| left >= 2),
                    parity,
                });
            }
            let before = swept[0].before;
            width = width.max(used.count_ones());
            steps.push(Step { swept, untouched: before & !touched });
            from += size as usize;
        }
        let first = Mask { ends: 0, full: if cycles.graph.parity() == Some(true) { PARITY } else { 0 } };
        Ok(Some(Plan { steps, is_folded: order.image.is_some(), times: 1, width, guess: 0.0, first }))
    }
}

/// The states that a layer of this many slots may have: two bitboards and a pairing of the ends.
fn states_of_width(width: u32) -> f64 {
    let width = f64::from(width);
    let mut sum = 0.0;
    // The term for k ends: C(w, k) 2^(w - k) (k - 1)!!; from one k to the next but one.
    let mut term = width.exp2();
    let mut k = 0.0;
    while k <= width {
        sum += term;
        term *= (width - k) * (width - k - 1.0) / ((k + 1.0) * (k + 2.0)) / 4.0 * (k + 1.0);
        k += 2.0;
    }
    sum
}

/// The sum over all layers of what their widths allow, if it stays below `limit`.
fn weigh(cycles: &Cycles<'_>, order: &Order, limit: f64, budget: &Budget) -> Result<Option<f64>, Pause> {
    let mut is_reached = VertexSet::empty(cycles.len());
    let mut list = Vec::new();
    let mut reached = 0;
    let mut sum = 0.0;
    let mut from = 0;
    let fold = if order.image.is_some() { 0.2 } else { 1.0 };
    for (at, &size) in order.steps.iter().enumerate() {
        budget.go_on_at(at)?;
        for &v in &order.vertices[from..from + size as usize] {
            cycles.neighbours(v, &mut list);
            for u in list.iter().copied().chain([v]) {
                if !is_reached.contains(u) {
                    is_reached.add(u);
                    reached += 1;
                }
            }
        }
        from += size as usize;
        let width = (reached - from) as u32;
        if width > 64 {
            return Ok(None);
        }
        sum += states_of_width(width) * fold;
        if sum >= limit {
            return Ok(None);
        }
    }
    Ok(Some(sum))
}

/// The orders worth trying: along each side from each end, within a line from either end or from the
/// outside in, and one that follows the graph alone.
fn orders(graph: &Graph, cycles: &Cycles<'_>, budget: &Budget) -> Result<Vec<Order>, Pause> {
    let Drawing { rows, cols, is_round } = graph.drawing();
    let mut found = Vec::new();
    let finish = |mut vertices: Vec<u32>, mut steps: Vec<u8>, image: Option<Vec<u32>>| {
        for apex in graph.len()..cycles.len() {
            vertices.push(apex as u32);
            steps.push(1);
        }
        Order { vertices, steps, image }
    };
    for is_transposed in [false, true] {
        let (lines, places) = if is_transposed { (cols, rows) } else { (rows, cols) };
        let vertex = |line: u32, place: u32| {
            let square = if is_transposed { place * cols + line } else { line * cols + place };
            graph.find(square)
        };
        let image: Option<Vec<u32>> = (0..cycles.len() as u32)
            .map(|v| {
                if v as usize >= graph.len() {
                    return Some(v);
                }
                let square = graph.square(v);
                let (row, col) = (square / cols, square % cols);
                if is_transposed { vertex(col, rows - 1 - row) } else { vertex(row, cols - 1 - col) }
            })
            .collect();
        let image = match image {
            Some(image) if cycles.is_kept_by(&image, budget)? => Some(image),
            _ => None,
        };
        for is_backward in [false, true] {
            let line_at = |i: u32| if is_backward { lines - 1 - i } else { i };
            for is_reversed in [false, true] {
                budget.go_on()?;
                let place_at = |i: u32| if is_reversed { places - 1 - i } else { i };
                let vertices: Vec<u32> = (0..lines)
                    .flat_map(|l| (0..places).map(move |p| (l, p)))
                    .filter_map(|(l, p)| vertex(line_at(l), place_at(p)))
                    .collect();
                // Two squares a step halve the layers; but with edges that lead round up to eight moves lead on from each, and
                // there are too many ways to undo both at once.
                let mut steps = if is_round { Vec::new() } else { vec![2; vertices.len() / 2] };
                steps.resize(steps.len() + vertices.len() - 2 * steps.len(), 1);
                found.push(finish(vertices, steps, None));
            }
            if let Some(image) = &image {
                let (mut vertices, mut steps) = (Vec::new(), Vec::new());
                for l in 0..lines {
                    for p in 0..places.div_ceil(2) {
                        let pair = [p, places - 1 - p];
                        let pair = if pair[0] == pair[1] { &pair[..1] } else { &pair[..] };
                        let open: Vec<u32> = pair.iter().filter_map(|&p| vertex(line_at(l), p)).collect();
                        if !open.is_empty() {
                            steps.push(open.len() as u8);
                            vertices.extend(open);
                        }
                    }
                }
                found.push(finish(vertices, steps, Some(image.clone())));
            }
        }
    }
    Ok(found)
}
