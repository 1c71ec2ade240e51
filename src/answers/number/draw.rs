//! [`Draw`]: tours drawn at random from a numbering, and classes of them.

use std::sync::{Arc, Mutex, PoisonError};

use super::Numbering;
use crate::answers::{Classes, FindClasses, KeptTours, Pick};
use crate::board::tour::Tour;
use crate::engines::frontier::Natural;
use crate::request::Request;
use crate::run::rng::Rng;
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress, Task, workers};
use crate::store::StoreError;

/// Tours drawn from a numbering, each with the same probability whatever the others are: a resumable computation.
///
/// Draw number i depends on the seed and on i alone, not on how many there are or on the threads.
#[derive(Debug)]
pub struct Draw {
    numbering: Arc<Numbering>,
    /// What is still to be found out of the classes that are drawn.
    finding: Option<Box<FindClasses>>,
    classes: Option<Arc<Classes>>,
    seed: u64,
    /// The number of the first draw.
    first: u64,
    count: usize,
    threads: usize,
    done: Vec<Option<Vec<Drawn>>>,
    /// The same when all is drawn, and what is left to look up.
    kept: Option<PendingDraws>,
}

/// A tour, or the number of one among those that a symmetry keeps.
#[derive(Debug)]
enum Drawn {
    Tour(Tour),
    Fixed(usize, Natural),
}

/// Tours that symmetries keep, being looked up by listing them.
#[derive(Debug)]
struct PendingDraws {
    tours: Vec<Option<Tour>>,
    /// The symmetry, the number and the place among the tours; the last one is the next.
    wanted: Vec<(usize, Natural, usize)>,
    /// The tours that the next one's symmetry keeps, how many were listed, and the last of them.
    list: Option<(usize, KeptTours, u64, Vec<u32>)>,
}

/// Tours that one task draws: this many questions a disk may have to answer at once, and this many tours are drawn between
/// two looks at the budget.
const TOURS_A_TASK: usize = 64;

impl Draw {
    /// This many tours. Of an empty collection there is none to draw.
    #[must_use]
    pub fn new(numbering: Arc<Numbering>, count: usize, seed: u64, threads: usize) -> Draw {
        let count = if numbering.total().is_zero() { 0 } else { count };
        Draw { numbering, finding: None, classes: None, seed, first: 0, count, threads, done: Vec::new(), kept: None }
    }

    /// The draws from this number on, as they are among many: those before are left to others.
    #[must_use]
    pub fn starting_at(self, first: u64) -> Draw {
        Draw { first, ..self }
    }

    /// The same of the classes of the tours, which are those of this request: each class with the same probability, by the
    /// tour that stands for it. See [`Classes`]; where it cannot be counted what symmetries keep, and of tours that
    /// are in memory, a tour is drawn of all until it is one of those, which takes as many draws as a class has tours.
    pub fn of_classes(self, request: &Request) -> Result<Draw, Misuse> {
        let known = self.numbering.classes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(classes) = known.filter(|classes| classes.request() == request) {
            return Ok(Draw { classes: Some(classes), ..self });
        }
        let finding = FindClasses::new(request.clone(), self.numbering.total(), self.threads)?;
        Ok(Draw { finding: Some(Box::new(finding)), ..self })
    }

    /// Whether the classes are not known yet.
    #[must_use]
    pub fn is_finding_classes(&self) -> bool {
        self.finding.is_some()
    }

    /// Bytes that the tours take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let tour = 4 * self.numbering.request.board().len() as u64 + 64;
        (self.count as u64).saturating_mul(tour)
    }

    /// What they are drawn from.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    fn draw(&mut self, budget: &Budget) -> Result<(), Halt> {
        if self.done.is_empty() {
            budget.check_memory(self.bytes())?;
            self.done.resize_with(self.count.div_ceil(TOURS_A_TASK), || None);
        }
        let numbers = |task: usize| task * TOURS_A_TASK..self.count.min((task + 1) * TOURS_A_TASK);
        let fault = Mutex::new(None);
        let total = self.classes.as_ref().and_then(|classes| classes.total());
        let (numbering, classes, seed, first) = (&self.numbering, self.classes.as_deref(), self.seed, self.first);
        let stream = |i: usize| Rng::stream(seed, first.wrapping_add(i as u64));
        let result = workers::run(
            budget,
            &mut vec![(); self.threads.max(1)],
            &mut self.done,
            |task| numbers(task).len() as u64,
            |task, ()| {
                draw_some(numbering, classes, total.as_ref(), numbers(task).map(stream)).map_err(|error| {
                    *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    Pause::Limit(Limit::Cancelled)
                })
            },
        );
        if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        result?;
        let mut kept = PendingDraws { tours: Vec::with_capacity(self.count), wanted: Vec::new(), list: None };
        for drawn in self.done.drain(..).flatten().flatten() {
            match drawn {
                Drawn::Tour(tour) => kept.tours.push(Some(tour)),
                Drawn::Fixed(share, number) => {
                    kept.wanted.push((share, number, kept.tours.len()));
                    kept.tours.push(None);
                }
            }
        }
        kept.wanted.sort_unstable_by(|a, b| b.cmp(a));
        self.kept = Some(kept);
        Ok(())
    }

    /// Looks up what is left, by one listing for each symmetry.
    fn look_up(&mut self, budget: &Budget) -> Result<(), Halt> {
        let (Some(kept), Some(classes)) = (&mut self.kept, &self.classes) else { return Ok(()) };
        while let Some((share, number, place)) = kept.wanted.last() {
            let (_, list, listed, squares) = match &mut kept.list {
                Some(list) if list.0 == *share => list,
                other => other.insert((*share, classes.list(*share, budget)?, 0, Vec::new())),
            };
            while Natural::from(*listed) <= *number {
                *squares = list.advance(budget)?.unwrap_or_else(|| unreachable!("this many were counted"));
                *listed += 1;
            }
            kept.tours[*place] = Some(standing_for(squares, classes));
            kept.wanted.pop();
        }
        Ok(())
    }
}

impl Task for Draw {
    type Answer = Vec<Tour>;

    /// Goes on until all are drawn or the budget refuses. A node of the budget is a tour.
    fn advance(&mut self, budget: &Budget) -> Result<Vec<Tour>, Halt> {
        if let Some(finding) = &mut self.finding {
            let classes = Arc::new(finding.advance(budget)?);
            *self.numbering.classes.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&classes));
            (self.classes, self.finding) = (Some(classes), None);
        }
        if self.kept.is_none() {
            self.draw(budget)?;
        }
        self.look_up(budget)?;
        let tours = self.kept.take().map(|kept| kept.tours).unwrap_or_default();
        Ok(tours.into_iter().flatten().collect())
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        if let Some(finding) = &self.finding {
            return finding.progress();
        }
        let kept = self.kept.as_ref().map_or(0, |kept| kept.tours.iter().flatten().count());
        let done = self.done.iter().flatten().map(Vec::len).sum::<usize>() + kept;
        Progress { done: done as u64, total: Some(self.count as u64), message: "picking: tours".to_owned() }
    }

    fn squares(&self) -> usize {
        self.numbering.request().board().len()
    }
}

/// Tours, one with each generator, or one of a class each. `total`: what the numbers for classes are drawn below, where it
/// is known.
fn draw_some(
    numbering: &Numbering,
    classes: Option<&Classes>,
    total: Option<&Natural>,
    generators: impl Iterator<Item = Rng>,
) -> Result<Vec<Drawn>, StoreError> {
    let all = numbering.total();
    let mut generators: Vec<Rng> = generators.collect();
    let mut drawn: Vec<Option<Drawn>> = generators.iter().map(|_| None).collect();
    let mut left: Vec<usize> = (0..drawn.len()).collect();
    while !left.is_empty() {
        // Those whose tour is to be looked up.
        let mut numbers = Vec::with_capacity(left.len());
        left.retain(|&i| {
            match (classes, total) {
                (Some(classes), Some(total)) => match classes.pick(total.draw_below(&mut generators[i])) {
                    Pick::OfAll(number) => numbers.push(number),
                    Pick::Fixed(share, number) => drawn[i] = Some(Drawn::Fixed(share, number)),
                },
                _ => numbers.push(all.draw_below(&mut generators[i])),
            }
            drawn[i].is_none()
        });
        for (&i, tour) in left.iter().zip(numbering.tours(&numbers)?) {
            drawn[i] = match (classes, total) {
                (Some(classes), Some(_)) => Some(Drawn::Tour(standing_for(tour.squares(), classes))),
                // Unless another tour stands for its class.
                _ => {
                    classes.is_none_or(|classes| classes.group().is_least(tour.squares())).then_some(Drawn::Tour(tour))
                }
            };
        }
        left.retain(|&i| drawn[i].is_none());
    }
    Ok(drawn.into_iter().flatten().collect())
}

/// The tour that stands for the class of one.
fn standing_for(squares: &[u32], classes: &Classes) -> Tour {
    let request = classes.request();
    let mut least = classes.group().least(squares);
    request.list(&mut least);
    Tour::trusted(request.board().clone(), least, request.is_closed())
}
