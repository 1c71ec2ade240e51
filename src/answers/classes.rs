//! [`Classes`]: what it takes to draw classes of tours, each with the same probability.
//!
//! By the lemma that is not Burnside's: a symmetry of the group is drawn, each as often as it keeps tours, and then
//! one of the tours that it keeps. Each class comes up as often as the group has members, over all symmetries together;
//! so all classes are equally likely. Mostly the symmetry is the identity, and the tour one of all.

use super::CountOptions;
use super::distinct::DistinctCount;
use super::symmetric::{FixedTours, SymmetricList};
use crate::engines::frontier::Natural;
use crate::request::Request;
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress};
use crate::symmetry::group::{Act, Group};

/// The classes of a request.
#[derive(Debug)]
pub struct Classes {
    request: Request,
    group: Group,
    /// All tours.
    all: Natural,
    /// The other symmetries; `None` if what they keep cannot be counted without listing it.
    shares: Option<Vec<Share>>,
}

/// Symmetries that are images of one another.
#[derive(Debug)]
struct Share {
    acts: Vec<Act>,
    times: u32,
    /// The tours that one of them keeps.
    tours: Natural,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Of all tours that with this number.
    OfAll(Natural),
    /// Of the tours that one of the symmetries keeps ([`Classes::list`]), that with this number.
    Fixed(usize, Natural),
}

impl Classes {
    /// What is asked for.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The symmetries that leave the request as it is.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// What all symmetries keep, in all: what numbers are drawn below. `None`: tours must be drawn until one stands for
    /// its class, since it is not known what symmetries keep.
    #[must_use]
    pub fn total(&self) -> Option<Natural> {
        let mut total = self.all.clone();
        for share in self.shares.as_ref()? {
            total.add(&share.tours.times(share.times));
        }
        Some(total)
    }

    /// What a number below the total stands for.
    #[must_use]
    pub fn pick(&self, mut number: Natural) -> Pick {
        if !number.take(&self.all) {
            return Pick::OfAll(number);
        }
        for (at, share) in self.shares.iter().flatten().enumerate() {
            for _ in 0..share.times {
                if !number.take(&share.tours) {
                    return Pick::Fixed(at, number);
                }
            }
        }
        unreachable!("the number is below the total")
    }

    /// The tours that one of the symmetries keeps.
    pub fn list(&self, share: usize, budget: &Budget) -> Result<KeptTours, Pause> {
        let acts = self.shares.as_ref().and_then(|shares| shares.get(share)).map(|share| &share.acts[..]);
        let kept = match acts {
            Some(acts) => FixedTours::new(&self.request, self.group.places(), acts, budget)?,
            None => None,
        };
        Ok(KeptTours(kept.map(SymmetricList::new)))
    }
}

/// The tours that a symmetry keeps, one after another, in an order that depends on the request alone.
#[derive(Debug)]
pub struct KeptTours(Option<SymmetricList>);

impl KeptTours {
    /// The squares of the next one; `None` after the last.
    pub fn advance(&mut self, budget: &Budget) -> Result<Option<Vec<u32>>, Pause> {
        self.0.as_mut().map_or(Ok(None), |list| list.advance(budget))
    }
}

/// Finds out about the classes of a request: a resumable computation.
#[derive(Debug)]
pub struct FindClasses {
    request: Request,
    all: Natural,
    count: DistinctCount,
}

impl FindClasses {
    /// For a request of which this many tours are known to be.
    pub fn new(request: Request, all: Natural, threads: usize) -> Result<FindClasses, Misuse> {
        let options = CountOptions { threads, ..CountOptions::default() };
        Ok(FindClasses { count: DistinctCount::new(request.clone(), options)?, request, all })
    }

    /// Goes on until all is known.
    pub fn advance(&mut self, budget: &Budget) -> Result<Classes, Halt> {
        self.count.group(budget)?;
        self.count.find_kinds(budget)?;
        self.count.count_all_as(&self.all);
        let is_known = loop {
            if !self.count.is_next_swept(budget)? {
                break false;
            }
            match self.count.count_next(budget) {
                Ok(true) => {}
                Ok(false) => break true,
                // A frontier too wide for any memory.
                Err(Halt::Pause(Pause::Limit(Limit::Memory))) if self.count.report().memory == u64::MAX => break false,
                Err(halt) => return Err(halt),
            }
        };
        let shares = is_known.then(|| {
            let share = |(acts, times, tours)| Share { acts, times, tours };
            self.count.kinds_kept().skip(1).map(share).collect()
        });
        let group = self.count.group(budget)?.clone();
        Ok(Classes { request: self.request.clone(), group, all: self.all.clone(), shares })
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.count.progress()
    }
}
