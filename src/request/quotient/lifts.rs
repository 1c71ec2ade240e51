//! [`Lifts`]: the tours for which a path or a cycle of a quotient stands.

use super::{Kind, Quotient};
use crate::board::moves::gcd;
use crate::run::rng::Rng;

/// The tours for which a path or cycle of a quotient stands, one after another: see [`Quotient::next`].
#[derive(Clone, Debug)]
pub struct Lifts {
    path: Vec<u32>,
    /// For each edge of the path which of the parallel ones.
    chosen: Vec<usize>,
    /// Which of them is counted as the first; nothing where it is the first.
    shifts: Vec<usize>,
    start: u32,
    is_over: bool,
    tour: Vec<u32>,
}

impl Lifts {
    /// The tour last found.
    #[must_use]
    pub fn tour(&self) -> &[u32] {
        &self.tour
    }
}

/// What a tour is in a quotient of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The path or cycle, by the squares of the vertices of [`Quotient::graph`].
    pub squares: Vec<u32>,
    /// The voltage of each of its edges.
    pub voltages: Vec<u32>,
    /// On which square of the first orbit the tour begins: 0 or 1 for an open tour.
    pub start: u32,
}

/// Which of several edges side by side a cycle takes, from a vertex to those that are swept later.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The vertex.
    pub vertex: u32,
    /// The one or two others, in the order of their slots; an apex is none of the graph's vertices.
    pub to: Vec<u32>,
    /// Whether an odd number of the edges is odd, where that matters.
    pub odd: bool,
    /// Of all ways to take such edges, in the order of the edges to the first and then of those to the second, the number.
    pub ordinal: u32,
}

impl Quotient {
    /// The tour of a path or cycle, of which each edge has the voltage that is said. An open one begins on the square of
    /// its first orbit with the number `start`; where [`Quotient::times`] is 1 on the one where it may. `None`: no tour.
    #[must_use]
    pub fn lift(&self, squares: &[u32], voltage: impl Fn(u32, u32) -> u32, start: u32) -> Option<Vec<u32>> {
        let mut lifts = self.lifts(squares);
        let path = &lifts.path;
        for i in 0..lifts.chosen.len() {
            let (from, to) = (path[i], path[(i + 1) % path.len()]);
            let wanted = voltage(from, to);
            lifts.chosen[i] = self.voltages_of(from, to).iter().position(|&voltage| voltage == wanted)?;
        }
        let is_free = self.times() == 2;
        lifts.start = if is_free { start } else { 0 };
        lifts.is_over = false;
        let chosen = lifts.chosen.clone();
        let mut is_tour = self.next(&mut lifts)?;
        if !is_tour && !is_free && matches!(self.kind, Kind::Open { .. }) {
            (lifts.chosen, lifts.start, lifts.is_over) = (chosen, 1, false);
            is_tour = self.next(&mut lifts)?;
        }
        is_tour.then_some(lifts.tour)
    }

    /// The voltage of a way to take edges from a vertex to one or two others.
    #[must_use]
    pub fn voltages_taken(&self, taken: &Taken) -> Vec<(u32, u32)> {
        let ways = self.ways(taken.vertex, &taken.to, taken.odd);
        let way = ways.into_iter().nth(taken.ordinal as usize).unwrap_or_default();
        taken.to.iter().copied().zip(way).collect()
    }

    /// All choices of edges from a vertex to one or two others of which an odd number is odd, where that matters.
    fn ways(&self, vertex: u32, to: &[u32], odd: bool) -> Vec<Vec<u32>> {
        let mut ways = vec![Vec::new()];
        for &to in to {
            let is_apex = to as usize >= self.members.len();
            let voltages = if is_apex { &[0][..] } else { self.voltages_of(vertex, to) };
            ways = ways
                .iter()
                .flat_map(|way: &Vec<u32>| voltages.iter().map(move |&voltage| [way.as_slice(), &[voltage]].concat()))
                .collect();
        }
        let is_odd = |way: &Vec<u32>| way.iter().sum::<u32>() % 2 == 1;
        ways.retain(|way| self.graph.parity().is_none() || is_odd(way) == odd);
        ways
    }

    /// Which edges from a vertex to others a tour takes: [`Taken::odd`] and [`Taken::ordinal`].
    #[must_use]
    pub fn taken(&self, vertex: u32, to: &[u32], voltage: impl Fn(u32, u32) -> u32) -> (bool, u32) {
        let is_apex = |to: u32| to as usize >= self.members.len();
        let way: Vec<u32> = to.iter().map(|&to| if is_apex(to) { 0 } else { voltage(vertex, to) }).collect();
        let odd = self.graph.parity().is_some() && way.iter().sum::<u32>() % 2 == 1;
        let ordinal = self.ways(vertex, to, odd).iter().position(|other| *other == way);
        (odd, ordinal.unwrap_or(0) as u32)
    }

    /// What a tour, given by its vertices, is in the quotient; `None` if it is not of the kind that this is for.
    #[must_use]
    pub fn fold(&self, tour: &[u32]) -> Option<Fold> {
        let mut place = vec![(u32::MAX, 0); self.base.len()];
        for (orbit, members) in (0..).zip(&self.members) {
            for (shift, &v) in (0..).zip(members) {
                place[v as usize] = (orbit, shift);
            }
        }
        let length = self.members.len();
        let count = tour.len();
        let image = |v: u32| match place[v as usize] {
            (u32::MAX, _) => v,
            (orbit, shift) => self.members[orbit as usize][(shift as usize + 1) % self.order as usize],
        };
        let mut tour = tour.to_vec();
        if let Kind::Mirror { before, .. } = self.kind {
            // So that it crosses its axis where it is closed.
            let at = match before {
                Some(before) => tour.iter().position(|&v| v == before)? + 1,
                None => (0..count).find(|&i| image(tour[i]) == tour[(i + 1) % count])? + 1,
            };
            tour.rotate_left(at % count);
        }
        let is_turned = match self.kind {
            Kind::Turn => {
                let by = (place[tour[length % count] as usize].1 + self.order - place[tour[0] as usize].1) % self.order;
                (0..count).all(|i| {
                    let (from, to) = (place[tour[i] as usize], place[tour[(i + length) % count] as usize]);
                    from.0 == to.0 && (from.1 + by) % self.order == to.1
                })
            }
            Kind::Open { .. } => (0..count).all(|i| image(tour[i]) == tour[count - 1 - i]),
            Kind::Mirror { before, .. } => {
                let last = count - usize::from(before.is_some());
                (0..last).all(|i| image(tour[i]) == tour[last - 1 - i])
            }
        };
        if !is_turned {
            return None;
        }
        let edges = if self.kind == Kind::Turn { length } else { length - 1 };
        let mut path: Vec<u32> = tour[..length].iter().map(|&v| place[v as usize].0).collect();
        let shift = |i: usize| place[tour[i % count] as usize].1;
        let mut voltages: Vec<u32> = (0..edges).map(|i| (shift(i + 1) + self.order - shift(i)) % self.order).collect();
        if let Kind::Mirror { is_twice, .. } = self.kind {
            let (first, last) = (path[0], path[length - 1]);
            let fits = self.graph.starts().contains(first) && self.graph.ends().contains(last);
            if !fits || is_twice && first > last {
                path.reverse();
                voltages.reverse();
            }
        }
        let squares = path.iter().map(|&vertex| self.graph.square(vertex)).collect();
        Some(Fold { squares, voltages, start: shift(0) })
    }

    /// The tours for which a path or cycle stands that an engine found, given by the squares of the vertices of
    /// [`Quotient::graph`] in turn. Parallel edges give several, too many to keep perhaps.
    #[must_use]
    pub fn lifts(&self, squares: &[u32]) -> Lifts {
        let path: Vec<u32> = squares.iter().map(|&square| self.graph.vertex(square)).collect();
        let length = path.len();
        let (first, last) = (path[0], path[length - 1]);
        let is_turn = self.kind == Kind::Turn;
        let is_path = self.graph.starts().contains(first) && self.graph.ends().contains(last);
        let is_over = self.is_halved() && first > last || !is_turn && !is_path;
        let chosen = vec![0; if is_turn { length } else { length - 1 }];
        Lifts { path, chosen, shifts: Vec::new(), start: 0, is_over, tour: Vec::with_capacity(self.base.len()) }
    }

    /// The same in another order: each of several edges side by side has its turn as chance will have it.
    #[must_use]
    pub fn shuffled(&self, lifts: Lifts, rng: &mut Rng) -> Lifts {
        let length = lifts.path.len();
        let first = |i: usize| self.voltages_of(lifts.path[i], lifts.path[(i + 1) % length]).len() as u64;
        let shifts = (0..lifts.chosen.len()).map(|i| rng.below(first(i).max(1)) as usize).collect();
        Lifts { shifts, ..lifts }
    }

    /// The next tour, as vertices of the graph of which this is the quotient; a closed one in some direction
    /// from some vertex. Or nothing yet (`Some(false)`), or no more (`None`).
    pub fn next(&self, lifts: &mut Lifts) -> Option<bool> {
        if lifts.is_over {
            return None;
        }
        let length = lifts.path.len();
        let arc = |i: usize| self.voltages_of(lifts.path[i], lifts.path[(i + 1) % length]);
        lifts.tour.clear();
        let mut shift = lifts.start;
        for (i, &vertex) in lifts.path.iter().enumerate() {
            lifts.tour.push(self.members[vertex as usize][shift as usize]);
            if let Some(&chosen) = lifts.chosen.get(i) {
                let voltages = arc(i);
                let first = lifts.shifts.get(i).copied().unwrap_or(0);
                shift = (shift + voltages[(first + chosen) % voltages.len()]) % self.order;
            }
        }
        let is_tour = self.complete(&lifts.path, shift, &mut lifts.tour);
        // The next: the other start of an open tour, then the next choice of edges, as an odometer counts.
        if matches!(self.kind, Kind::Open { .. }) && lifts.start == 0 {
            lifts.start = 1;
            return Some(is_tour);
        }
        lifts.start = 0;
        lifts.is_over = true;
        for i in 0..lifts.chosen.len() {
            lifts.chosen[i] += 1;
            if lifts.chosen[i] < arc(i).len() {
                lifts.is_over = false;
                break;
            }
            lifts.chosen[i] = 0;
        }
        Some(is_tour)
    }

    /// The voltage of an edge the other way round.
    #[must_use]
    pub fn opposite(&self, voltage: u32) -> u32 {
        (self.order - voltage) % self.order
    }

    /// The voltage of the one edge between two vertices.
    #[must_use]
    pub fn only(&self, from: u32, to: u32) -> u32 {
        self.voltages_of(from, to).first().copied().unwrap_or(0)
    }

    fn voltages_of(&self, from: u32, to: u32) -> &[u32] {
        let at = self.graph.neighbours(from).binary_search(&to);
        at.map_or(&[], |at| &self.voltages[self.graph.arcs(from).start as usize + at])
    }

    /// Makes a tour of its first part. `shift`: where the part ends, or its next square is. Says whether it is one.
    fn complete(&self, path: &[u32], shift: u32, tour: &mut Vec<u32>) -> bool {
        let length = path.len();
        match self.kind {
            Kind::Turn => {
                if gcd(shift.into(), self.order.into()) != 1 {
                    return false;
                }
                // Each round begins where the last one left off.
                let shifts: Vec<u32> = (0..length).map(|i| self.shift_in(path[i], tour[i])).collect();
                for round in 1..self.order {
                    let on = (u64::from(round) * u64::from(shift) % u64::from(self.order)) as u32;
                    for (&vertex, &own) in path.iter().zip(&shifts) {
                        tour.push(self.members[vertex as usize][((own + on) % self.order) as usize]);
                    }
                }
                true
            }
            Kind::Open { middle } => {
                let is_start = self.base.starts().contains(tour[0]);
                tour.extend(middle);
                self.fold_back(path, tour);
                let is_end = self.base.ends().contains(tour[tour.len() - 1]);
                is_start && is_end && self.base.steps().iter().all(|&(step, v)| tour[step as usize] == v)
            }
            Kind::Mirror { before, after, .. } => {
                tour.extend(after);
                self.fold_back(path, tour);
                tour.extend(before);
                true
            }
        }
    }

    /// Adds the images of the first squares, backwards.
    fn fold_back(&self, path: &[u32], tour: &mut Vec<u32>) {
        for i in (0..path.len()).rev() {
            let orbit = &self.members[path[i] as usize];
            tour.push(if tour[i] == orbit[0] { orbit[1] } else { orbit[0] });
        }
    }

    fn shift_in(&self, vertex: u32, square: u32) -> u32 {
        self.members[vertex as usize].iter().position(|&member| member == square).unwrap_or(0) as u32
    }
}
