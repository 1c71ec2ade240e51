//! [`Lifts`]: the tours for which a path or a cycle of a quotient stands.

use super::{Kind, Quotient};
use crate::moves::gcd;

/// The tours for which a path or cycle of a quotient stands, one after another: see [`Quotient::next`].
#[derive(Clone, Debug)]
pub struct Lifts {
    path: Vec<u32>,
    /// For each edge of the path which of the parallel ones.
    chosen: Vec<usize>,
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

impl Quotient {
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
        Lifts { path, chosen, start: 0, is_over, tour: Vec::with_capacity(self.base.len()) }
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
                shift = (shift + arc(i)[chosen]) % self.order;
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
