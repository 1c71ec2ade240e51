//! [`Symmetric`]: a number for each tour that a symmetry keeps, by walks over sweeps of its quotients.
//!
//! Each path or cycle of a quotient ([`crate::request::quotient`]), with the choice of its edges where several are side by side,
//! stands for one tour, for two that begin on either square of the first orbit, or with its reverse for one. So its number
//! tells the tour, and a number drawn evenly a tour drawn evenly. Nothing is listed.

use std::collections::HashMap;
use std::sync::Arc;

use crate::engines::frontier::{self, Natural, SweepStats, Walk};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::request::quotient::Quotient;
use crate::run::{Budget, Halt, Progress};
use crate::store::StoreError;

/// The symmetric tours of a request as a list.
#[derive(Debug)]
pub(super) struct Symmetric {
    request: Request,
    graph: Arc<Graph>,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    quotient: Quotient,
    way: Way,
    total: Natural,
}

#[derive(Debug)]
enum Way {
    Walk(Box<Walk>),
    /// A few tours, by their squares, in order.
    Few(Vec<Vec<u32>>),
}

impl Symmetric {
    pub(super) fn total(&self) -> Natural {
        let mut total = Natural::default();
        self.parts.iter().for_each(|part| total.add(&part.total));
        total
    }

    pub(super) fn bytes(&self) -> u64 {
        let bytes = |part: &Part| match &part.way {
            Way::Walk(walk) => walk.bytes(),
            Way::Few(tours) => tours.iter().map(|tour| 4 * tour.len() as u64).sum(),
        };
        self.parts.iter().map(bytes).sum()
    }

    /// The squares of the tour with a number below the total.
    pub(super) fn tour(&self, number: &Natural) -> Result<Vec<u32>, StoreError> {
        let mut rest = number.clone();
        for part in &self.parts {
            if rest.take(&part.total) {
                continue;
            }
            return match &part.way {
                Way::Few(tours) => Ok(tours[rest.limbs().first().map_or(0, |&limb| limb as usize)].clone()),
                Way::Walk(walk) => self.walked(&part.quotient, walk, &rest),
            };
        }
        unreachable!("a number below the total is in some part")
    }

    fn walked(&self, quotient: &Quotient, walk: &Walk, number: &Natural) -> Result<Vec<u32>, StoreError> {
        let is_odd = number.limbs().first().is_some_and(|limb| limb & 1 == 1);
        let (number, start) = match (quotient.times(), quotient.is_halved()) {
            (2, _) => (number.half(), u32::from(is_odd)),
            // Of a path and its reverse the one.
            (_, true) => (number.times(2), 0),
            _ => (number.clone(), 0),
        };
        let Some((squares, taken)) = walk.cycles_of(&[number])?.pop() else { return Err(walk.damaged()) };
        let mut voltages = HashMap::new();
        for taken in taken {
            for (to, voltage) in quotient.voltages_taken(&taken) {
                voltages.insert((taken.vertex, to), voltage);
                voltages.insert((to, taken.vertex), quotient.opposite(voltage));
            }
        }
        let voltage =
            |from: u32, to: u32| voltages.get(&(from, to)).copied().unwrap_or_else(|| quotient.only(from, to));
        let tour = quotient.lift(&squares, voltage, start).ok_or_else(|| walk.damaged())?;
        Ok(self.listed(&tour))
    }

    /// The squares of a tour given by its vertices, in its listed form.
    fn listed(&self, tour: &[u32]) -> Vec<u32> {
        let mut squares: Vec<u32> = tour.iter().map(|&v| self.graph.square(v)).collect();
        self.request.list(&mut squares);
        squares
    }

    /// The number of a tour of the request, in its listed form; `None` if it has not the symmetry.
    pub(super) fn number(&self, squares: &[u32]) -> Result<Option<Natural>, StoreError> {
        let vertices: Vec<u32> = squares.iter().map(|&square| self.graph.vertex(square)).collect();
        let mut before = Natural::default();
        for Part { quotient, way, total } in &self.parts {
            let number = match way {
                Way::Few(tours) => {
                    tours.iter().position(|tour| tour == squares).map(|place| Natural::from(place as u64))
                }
                Way::Walk(walk) => match quotient.fold(&vertices) {
                    None => None,
                    Some(fold) => {
                        let graph = quotient.graph();
                        let mut voltages = HashMap::new();
                        for (i, &voltage) in fold.voltages.iter().enumerate() {
                            let ends = [i, (i + 1) % fold.squares.len()].map(|i| graph.vertex(fold.squares[i]));
                            voltages.insert((ends[0], ends[1]), voltage);
                            voltages.insert((ends[1], ends[0]), quotient.opposite(voltage));
                        }
                        let voltage = |from: u32, to: u32| voltages.get(&(from, to)).copied().unwrap_or(u32::MAX);
                        let number = walk.number_of(&fold.squares, |vertex, to| quotient.taken(vertex, to, voltage))?;
                        number.map(|number| match (quotient.times(), quotient.is_halved()) {
                            (2, _) => {
                                let mut twice = number.times(2);
                                twice.add(&Natural::from(u64::from(fold.start)));
                                twice
                            }
                            (_, true) => number.half(),
                            _ => number,
                        })
                    }
                },
            };
            if let Some(number) = number {
                before.add(&number);
                return Ok(Some(before));
            }
            before.add(total);
        }
        Ok(None)
    }
}

/// Such a list being made: a resumable computation.
#[derive(Debug)]
pub(super) struct PrepareSymmetric {
    request: Request,
    graph: Arc<Graph>,
    /// Those to come, the next one last.
    quotients: Vec<Quotient>,
    threads: usize,
    sweep: Option<(Quotient, Box<frontier::Prepare>)>,
    parts: Vec<Part>,
}

impl PrepareSymmetric {
    pub(super) fn new(request: Request, (quotients, graph): (&[Quotient], &Arc<Graph>), threads: usize) -> Self {
        let quotients = quotients.iter().rev().cloned().collect();
        PrepareSymmetric { request, graph: Arc::clone(graph), quotients, threads, sweep: None, parts: Vec::new() }
    }

    /// Goes on until the list is made or the budget refuses.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Symmetric, Halt> {
        loop {
            if let Some((_, sweep)) = &mut self.sweep {
                let walk = sweep.advance(budget)?;
                let Some((quotient, _)) = self.sweep.take() else { continue };
                let count = walk.total().times(quotient.times());
                let total = if quotient.is_halved() { count.half() } else { count };
                self.parts.push(Part { quotient, way: Way::Walk(Box::new(walk)), total });
                continue;
            }
            let Some(quotient) = self.quotients.pop() else {
                let (request, graph) = (self.request.clone(), Arc::clone(&self.graph));
                return Ok(Symmetric { request, graph, parts: std::mem::take(&mut self.parts) });
            };
            if let Some(few) = quotient.few() {
                let listed =
                    Symmetric { request: self.request.clone(), graph: Arc::clone(&self.graph), parts: Vec::new() };
                let mut tours: Vec<Vec<u32>> = few.iter().map(|tour| listed.listed(tour)).collect();
                tours.sort();
                let total = Natural::from(tours.len() as u64);
                self.parts.push(Part { quotient, way: Way::Few(tours), total });
                continue;
            }
            let graph = Arc::clone(quotient.graph());
            budget.check_memory(frontier::Sweep::plan_bytes(&graph))?;
            let sweep = frontier::Prepare::new(self.request.plain(), graph, self.threads, None, None, budget)?;
            self.sweep = Some((quotient, Box::new(sweep)));
        }
    }

    pub(super) fn stats(&self) -> (SweepStats, u64) {
        self.sweep.as_ref().map_or_else(Default::default, |(_, sweep)| (sweep.stats(), sweep.bytes_needed()))
    }

    pub(super) fn progress(&self) -> Progress {
        self.sweep.as_ref().map_or_else(Progress::default, |(_, sweep)| sweep.progress())
    }
}
