//! [`DistinctCount`]: how many classes of tours there are.
//!
//! By the lemma that is not Burnside's (Cauchy, Frobenius): a group has as many classes of tours as its members keep
//! tours on average. So nothing is listed: the identity keeps all tours, which are counted as ever, and what another
//! symmetry keeps is counted on a quotient ([`super::symmetric`]). Symmetries that are images of one another under the
//! group keep equally many and are counted once.

use std::collections::BTreeMap;

use super::symmetric::SymmetricCount;
use super::unrestricted_count::UnrestrictedCount;
use super::{CountOptions, Report};
use crate::engines::frontier::Natural;
use crate::request::Request;
use crate::request::classes::{Grouping, asked};
use crate::run::{Budget, Halt, Misuse, Pause, Progress};
use crate::symmetry::group::{Act, Group, generated};

/// Up to this many acts are compared with their images under all others.
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
    /// How many tours each keeps.
    kept: Vec<Natural>,
    work: Option<Work>,
    report: Report,
}

#[derive(Debug)]
enum Work {
    All(Box<UnrestrictedCount>),
    Some(Box<SymmetricCount>),
}

impl DistinctCount {
    /// A count that has not begun. Refuses options that do not fit.
    pub(super) fn new(request: Request, options: CountOptions) -> Result<DistinctCount, Misuse> {
        // Refused now rather than later.
        UnrestrictedCount::new(request.plain(), options.clone())?;
        Ok(DistinctCount {
            request,
            options,
            grouping: None,
            group: None,
            at: 0,
            kinds: BTreeMap::new(),
            tasks: None,
            kept: Vec::new(),
            work: None,
            report: Report { method: "theorem", ..Report::default() },
        })
    }

    /// Goes on until the number is known.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<Natural, Halt> {
        let group = self.group(budget)?.acts().len();
        self.find_kinds(budget)?;
        while self.count_next(budget)? {}
        let mut sum = Natural::default();
        for (kept, (_, times)) in self.kept.iter().zip(self.tasks.iter().flatten()) {
            sum.add(&kept.times(*times));
        }
        let (classes, rest) = sum.divided(group as u32);
        assert_eq!(rest, 0, "the tours that the symmetries keep do not come to whole classes");
        Ok(classes)
    }

    /// The group of the request, once it is known.
    pub(super) fn group(&mut self, budget: &Budget) -> Result<&Group, Halt> {
        let group = match self.group.take() {
            Some(group) => group,
            None => self.find_group(budget)?,
        };
        Ok(self.group.insert(group))
    }

    fn find_group(&mut self, budget: &Budget) -> Result<Group, Pause> {
        let grouping = match &mut self.grouping {
            Some(grouping) => grouping,
            none => {
                let bytes = Grouping::bytes(&self.request);
                budget.check_memory(bytes).inspect_err(|_| self.report.memory = bytes)?;
                none.insert(Grouping::new(&self.request))
            }
        };
        let group = grouping.advance(budget)?;
        self.grouping = None;
        Ok(group)
    }

    /// Finds what there is to be counted: the acts of the group, how often each occurs up to images; first those that
    /// make the smallest groups.
    pub(super) fn find_kinds(&mut self, budget: &Budget) -> Result<(), Halt> {
        let Some(group) = self.group.as_ref().filter(|_| self.tasks.is_none()) else { return Ok(()) };
        let Some(asked) = asked(&self.request, group.places(), budget)? else {
            self.tasks = Some(Vec::new());
            return Ok(());
        };
        while let Some(act) = group.acts().get(self.at) {
            budget.take(0)?;
            *self.kinds.entry(kind(group, &asked, act, budget)?).or_default() += 1;
            self.at += 1;
        }
        // The identity first: it is what takes time, and what limits are for.
        let mut tasks: Vec<(Vec<Act>, u32)> = std::mem::take(&mut self.kinds).into_iter().collect();
        tasks.sort_by_key(|(kind, _)| kind.len());
        self.tasks = Some(tasks);
        Ok(())
    }

    /// Takes it from here how many tours there are in all, which are those that the identity keeps.
    pub(super) fn count_all_as(&mut self, all: &Natural) {
        if self.kept.is_empty() && self.work.is_none() {
            self.kept.push(all.clone());
        }
    }

    /// Whether the tours that come next are counted by sweeps, and not by listing them.
    pub(super) fn is_next_swept(&mut self, budget: &Budget) -> Result<bool, Halt> {
        Ok(match self.next_work(budget)? {
            Some(Work::Some(count)) => count.is_swept(),
            Some(Work::All(_)) | None => true,
        })
    }

    /// The acts of each kind, how many kinds are its images, and how many tours it keeps.
    pub(super) fn kinds_kept(&self) -> impl Iterator<Item = (Vec<Act>, u32, Natural)> {
        let tasks = self.tasks.iter().flatten().cloned();
        tasks.zip(self.kept.iter().cloned()).map(|((acts, times), kept)| (acts, times, kept))
    }

    /// The count of the tours that come next; `None` if there are no more.
    fn next_work(&mut self, budget: &Budget) -> Result<Option<&mut Work>, Halt> {
        let task = self.tasks.as_ref().and_then(|tasks| tasks.get(self.kept.len()));
        let (Some((acts, _)), Some(group)) = (task, &self.group) else { return Ok(None) };
        if self.work.is_none() {
            let places = group.places();
            self.work = Some(match SymmetricCount::new(&self.request, places, acts, self.options.threads, budget)? {
                Some(count) => Work::Some(Box::new(count)),
                None => Work::All(Box::new(UnrestrictedCount::new(self.request.plain(), self.options.clone())?)),
            });
        }
        Ok(self.work.as_mut())
    }

    /// Goes on until it is known how many tours the next of them keep. False: there are no more.
    pub(super) fn count_next(&mut self, budget: &Budget) -> Result<bool, Halt> {
        let value = match self.next_work(budget)? {
            None => return Ok(false),
            Some(Work::All(count)) => count.advance(budget)?.value,
            Some(Work::Some(count)) => count.advance(budget)?,
        };
        self.report = self.report();
        self.work = None;
        self.kept.push(value);
        Ok(true)
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
fn kind(group: &Group, asked: &[Act], act: &Act, budget: &Budget) -> Result<Vec<Act>, Pause> {
    let count = group.places().len();
    let most = group.acts().len() * asked.len();
    let generators: Vec<Act> = asked.iter().chain([act]).cloned().collect();
    let own = generated(&generators, count, most, budget)?.unwrap_or(generators);
    if group.acts().len() > FEW {
        return Ok(own);
    }
    let image = |by: &Act| {
        let inverse = by.inverse();
        let mut image: Vec<Act> = own.iter().map(|act| by.after(act).after(&inverse)).collect();
        image.sort_unstable();
        image
    };
    Ok(group.acts().iter().map(image).min().unwrap_or(own))
}
