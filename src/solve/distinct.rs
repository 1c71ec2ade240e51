//! [`DistinctCount`]: how many classes of tours there are.
//!
//! By the lemma that is not Burnside's (Cauchy, Frobenius): a group has as many classes of tours as its members keep
//! tours on average. So nothing is listed: the identity keeps all tours, which are counted as ever, and what another
//! symmetry keeps is counted on a quotient ([`super::symmetric`]). Symmetries that are images of one another under the
//! group keep equally many and are counted once.

use std::collections::BTreeMap;

use super::Report;
use super::count::{Count, CountOptions};
use super::symmetric::SymmetricCount;
use crate::budget::{Budget, Limit, Pause, Progress};
use crate::classes::{Grouping, asked};
use crate::frontier::{Halt, Natural};
use crate::group::{Act, Group, generated};
use crate::request::{Request, RequestError};

/// Up to so many acts are compared with their images under all others.
const FEW: usize = 256;

/// A count of classes under way.
#[derive(Debug)]
pub(super) struct DistinctCount {
    request: Request,
    options: CountOptions,
    grouping: Option<Grouping>,
    group: Option<Group>,
    /// The acts by the groups that they make together with those asked for: how often each occurs up to images.
    at: usize,
    kinds: BTreeMap<Vec<Act>, u32>,
    tasks: Option<Vec<(Vec<Act>, u32)>>,
    task: usize,
    work: Option<Work>,
    sum: Natural,
    report: Report,
}

#[derive(Debug)]
enum Work {
    All(Box<Count>),
    Some(Box<SymmetricCount>),
}

impl DistinctCount {
    /// A count that has not begun. Refuses options that do not fit.
    pub(super) fn new(request: Request, options: CountOptions) -> Result<DistinctCount, RequestError> {
        // Refused now rather than later.
        Count::new(request.plain(), options.clone())?;
        Ok(DistinctCount {
            request,
            options,
            grouping: None,
            group: None,
            at: 0,
            kinds: BTreeMap::new(),
            tasks: None,
            task: 0,
            work: None,
            sum: Natural::default(),
            report: Report { method: "theorem", ..Report::default() },
        })
    }

    /// Goes on until the number is known.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Natural, Halt> {
        let Some(group) = &self.group else {
            let grouping = match &mut self.grouping {
                Some(grouping) => grouping,
                none => {
                    let bytes = Grouping::bytes(&self.request);
                    budget.check_memory(bytes).inspect_err(|_| self.report.memory = bytes)?;
                    none.insert(Grouping::new(&self.request))
                }
            };
            self.group = Some(grouping.advance(budget)?);
            self.grouping = None;
            return self.advance(budget);
        };
        let size = group.acts().len();
        let asked = asked(&self.request, group.places());
        while self.tasks.is_none() {
            budget.take(0)?;
            let Some(act) = group.acts().get(self.at) else {
                // The identity first: it is what takes time, and what limits are for.
                let mut tasks: Vec<(Vec<Act>, u32)> = std::mem::take(&mut self.kinds).into_iter().collect();
                tasks.sort_by_key(|(kind, _)| kind.len());
                self.tasks = Some(tasks);
                break;
            };
            *self.kinds.entry(kind(group, &asked, act)).or_default() += 1;
            self.at += 1;
        }
        while let Some((acts, times)) = self.tasks.as_ref().and_then(|tasks| tasks.get(self.task)) {
            let work = match &mut self.work {
                Some(work) => work,
                none => {
                    let places = group.places();
                    let work = match SymmetricCount::new(&self.request, places, acts, self.options.threads) {
                        Some(count) => Work::Some(Box::new(count)),
                        None => match Count::new(self.request.plain(), self.options.clone()) {
                            Ok(count) => Work::All(Box::new(count)),
                            Err(_) => return Err(Pause::Limit(Limit::Cancelled).into()),
                        },
                    };
                    none.insert(work)
                }
            };
            let value = match work {
                Work::All(count) => count.advance(budget)?.value,
                Work::Some(count) => count.advance(budget)?,
            };
            self.sum.add(&value.times(*times));
            self.report = self.report();
            self.work = None;
            self.task += 1;
        }
        let (classes, rest) = self.sum.divided(size as u32);
        assert_eq!(rest, 0, "the tours that the symmetries keep do not come to whole classes");
        Ok(classes)
    }

    pub(super) fn report(&self) -> Report {
        let mut report = self.report;
        match &self.work {
            None => {}
            Some(Work::All(count)) => report.add(&count.report()),
            Some(Work::Some(count)) => report.add(&count.report()),
        }
        report
    }

    pub(super) fn progress(&self) -> Progress {
        match &self.work {
            None => Progress { message: "counting classes".to_owned(), ..Progress::default() },
            Some(Work::All(count)) => count.progress(),
            Some(Work::Some(count)) => count.progress(),
        }
    }
}

/// The group that an act makes together with those asked for; of its images under the group the least.
fn kind(group: &Group, asked: &[Act], act: &Act) -> Vec<Act> {
    let count = group.places().len();
    let most = group.acts().len() * asked.len();
    let generators: Vec<Act> = asked.iter().chain([act]).cloned().collect();
    let own = generated(&generators, count, most).unwrap_or(generators);
    if group.acts().len() > FEW {
        return own;
    }
    let image = |by: &Act| {
        let inverse = by.inverse();
        let mut image: Vec<Act> = own.iter().map(|act| by.after(act).after(&inverse)).collect();
        image.sort_unstable();
        image
    };
    group.acts().iter().map(image).min().unwrap_or(own)
}
