//! [`Numbering`]: tours and their numbers; [`Prepare`] makes one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::symmetric::{PrepareSymmetric, Symmetric};
use crate::answers::{Classes, FixedTours, List, Listed, Report};
use crate::board::tour::Tour;
use crate::engines::frontier::{self, Natural, Walk};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Limit, Misuse, Named, Pause, Progress, Task, Unsuited};
use crate::store::{StoreError, Unfinished};
use crate::symmetry::group::Places;
use crate::theorems;

/// Where the layers are kept: in memory if there is no place for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The file that is to hold them for good. If it is there it must be of the request, and is used as it is.
    pub index: Option<PathBuf>,
    /// The directory for layers that are not to be kept, and for states that do not fit the memory.
    pub spill_dir: Option<PathBuf>,
    /// The files that are being written.
    pub unfinished: Unfinished,
}

/// A collection as a list. Threads may share it.
#[derive(Debug)]
pub struct Numbering {
    pub(super) request: Request,
    way: Way,
    /// The classes that were drawn of it last.
    pub(super) classes: Mutex<Option<Arc<Classes>>>,
}

#[derive(Debug)]
enum Way {
    Walk(Box<Walk>),
    Symmetric(Box<Symmetric>),
    Table(Table),
}

/// Tours in memory.
#[derive(Debug, Default)]
struct Table {
    /// One tour after another.
    squares: Vec<u32>,
    /// Their numbers in the order of their squares.
    order: Vec<u32>,
}

impl Numbering {
    fn new(request: Request, way: Way) -> Numbering {
        Numbering { request, way, classes: Mutex::new(None) }
    }

    /// Opens an index that was written by [`Prepare`]. Nothing in it is trusted: see [`frontier::open`].
    pub fn open(path: &Path, budget: &Budget) -> Result<Numbering, Halt> {
        let (request, walk) = frontier::open(path, budget)?;
        let way = walk.map_or_else(|| Way::Table(Table::default()), |walk| Way::Walk(Box::new(walk)));
        Ok(Numbering::new(request, way))
    }

    /// What is numbered.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// How many tours there are.
    #[must_use]
    pub fn total(&self) -> Natural {
        match &self.way {
            Way::Walk(walk) => walk.total(),
            Way::Symmetric(tours) => tours.total(),
            Way::Table(table) => Natural::from(table.order.len() as u64),
        }
    }

    /// Bytes that it takes, in memory or in a file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.way {
            Way::Walk(walk) => walk.bytes(),
            Way::Symmetric(tours) => tours.bytes(),
            Way::Table(table) => 4 * (table.squares.len() + table.order.len()) as u64,
        }
    }

    /// The tour with a number, closed ones in their listed form; `None` beyond the last.
    pub fn tour(&self, number: &Natural) -> Result<Option<Tour>, StoreError> {
        if *number >= self.total() {
            return Ok(None);
        }
        self.tours(std::slice::from_ref(number)).map(|mut tours| tours.pop())
    }

    /// The tours with these numbers, all of which are below the total. Of many that are in a file, and not in memory yet,
    /// each takes less time than one alone.
    pub(super) fn tours(&self, numbers: &[Natural]) -> Result<Vec<Tour>, StoreError> {
        let (board, is_closed) = (self.request.board(), self.request.is_closed());
        match &self.way {
            Way::Walk(walk) => {
                let tour = |squares| {
                    let tour = Tour::new(board.clone(), squares, Some(is_closed)).ok();
                    // A file can be made such that all its checks are right and its numbers are not.
                    tour.and_then(|tour| self.request.listed(&tour)).ok_or_else(|| walk.damaged())
                };
                walk.tours(numbers)?.into_iter().map(tour).collect()
            }
            Way::Symmetric(tours) => {
                let tour = |number| Ok(Tour::trusted(board.clone(), tours.tour(number)?, is_closed));
                numbers.iter().map(tour).collect()
            }
            Way::Table(table) => {
                let tour = |number: &Natural| {
                    let number = number.limbs().first().map_or(0, |&limb| limb as usize);
                    Tour::trusted(board.clone(), table.tour(number, board.len()).to_vec(), is_closed)
                };
                Ok(numbers.iter().map(tour).collect())
            }
        }
    }

    /// The number of a tour; `None` if it is none of these. A closed one may begin anywhere and run either way.
    pub fn number(&self, tour: &Tour) -> Result<Option<Natural>, StoreError> {
        let Some(tour) = self.request.listed(tour) else { return Ok(None) };
        match &self.way {
            Way::Walk(walk) => walk.number(tour.squares()),
            Way::Symmetric(tours) => tours.number(tour.squares()),
            Way::Table(table) => Ok(table.number(tour.squares())),
        }
    }
}

impl Table {
    fn tour(&self, number: usize, length: usize) -> &[u32] {
        &self.squares[number * length..(number + 1) * length]
    }

    fn number(&self, tour: &[u32]) -> Option<Natural> {
        let compare = |&number: &u32| self.tour(number as usize, tour.len()).cmp(tour);
        let place = self.order.binary_search_by(compare).ok()?;
        Some(Natural::from(u64::from(self.order[place])))
    }

    /// Bytes that one more tour takes, if it takes more than there are: lists are moved when they grow.
    fn bytes_to_add(&self, length: usize) -> Option<u64> {
        let is_room = self.squares.capacity() - self.squares.len() >= length;
        (!is_room).then(|| (self.squares.capacity() as u64 * 3).max(length as u64 * 16) * 4)
    }
}

/// A numbering being made: a resumable computation.
#[derive(Debug)]
pub struct Prepare {
    request: Request,
    threads: usize,
    files: Files,
    stage: Stage,
    report: Report,
}

#[derive(Debug)]
enum Stage {
    Theorems,
    Sweep(Box<frontier::Prepare>),
    Symmetric(Box<PrepareSymmetric>),
    List { list: Box<List>, table: Table },
    Done,
}

impl Prepare {
    /// The numbering of the tours of a request, on this many threads. Refuses files that cannot be.
    pub fn new(request: Request, threads: usize, files: Files) -> Result<Prepare, Misuse> {
        if files != Files::default() && !is_walked(&request) {
            let what = if !request.is_plain() {
                "symmetric tours and classes"
            } else if request.board().len() == 1 {
                "tours of one square"
            } else {
                "tours with squares at given steps"
            };
            let text = "files ({} or {}) are for tours that a sweep numbers: ";
            let files = ["path", "spill-dir"].map(Named::Option);
            return Err(Misuse::options(format!("{text}{what} are always kept in memory"), files));
        }
        Ok(Prepare { request, threads, files, stage: Stage::Theorems, report: Report::default() })
    }

    /// What is numbered.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Where it writes.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    fn go_on(&mut self, budget: &Budget) -> Result<Way, Halt> {
        loop {
            match &mut self.stage {
                Stage::Theorems => match self.find_index(budget)? {
                    Some(way) => return Ok(way),
                    None => self.stage = self.begin(budget)?,
                },
                Stage::Sweep(sweep) => return Ok(Way::Walk(Box::new(sweep.advance(budget)?))),
                Stage::Symmetric(tours) => match tours.advance(budget) {
                    Err(Halt::Unsuited(_)) => self.stage = self.list(),
                    tours => return Ok(Way::Symmetric(Box::new(tours?))),
                },
                Stage::List { list, table } => match list.advance(budget) {
                    Listed::Tour(tour) => {
                        if let Some(bytes) = table.bytes_to_add(tour.squares().len()) {
                            self.report.memory = bytes;
                            budget.check_memory(bytes)?;
                        }
                        table.order.push(u32::try_from(table.order.len()).map_err(|_| Pause::Limit(Limit::Memory))?);
                        table.squares.extend_from_slice(tour.squares());
                    }
                    Listed::Paused(pause) => return Err(pause.into()),
                    Listed::Refused(_) => unreachable!("it begins at its beginning"),
                    Listed::End => {
                        let Table { squares, mut order } = std::mem::take(table);
                        let length = self.request.board().len();
                        order.sort_unstable_by_key(|&number| &squares[number as usize * length..][..length]);
                        return Ok(Way::Table(Table { squares, order }));
                    }
                },
                Stage::Done => return Err(Misuse::Answered("numbering").into()),
            }
        }
    }

    /// What is in the file already, which must be of this request.
    fn find_index(&self, budget: &Budget) -> Result<Option<Way>, Halt> {
        // What cannot be looked at cannot be written either: that tells why.
        let Some(path) = self.files.index.as_ref().filter(|path| path.exists()) else { return Ok(None) };
        let Numbering { request, way, .. } = Numbering::open(path, budget)?;
        if request == self.request { Ok(Some(way)) } else { Err(StoreError::Request { path: path.clone() }.into()) }
    }

    fn begin(&mut self, budget: &Budget) -> Result<Stage, Halt> {
        budget.take(0)?;
        let is_none = theorems::check_board(&self.request).is_some();
        if is_none && let Some(path) = &self.files.index {
            frontier::write_empty(&self.request, path)?;
        }
        if is_none || !is_walked(&self.request) {
            // Where there is none, the list ends at once.
            let symmetric = if is_none { None } else { self.symmetric(budget)? };
            return Ok(symmetric.unwrap_or_else(|| self.list()));
        }
        self.report.memory = Graph::bytes(&self.request);
        budget.check_memory(self.report.memory)?;
        let graph = Arc::new(Graph::new(&self.request));
        self.report.memory += frontier::Sweep::plan_bytes(&graph);
        budget.check_memory(self.report.memory)?;
        match frontier::Prepare::new(
            self.request.clone(),
            graph,
            self.threads,
            self.files.index.as_deref().map(|path| (path, &self.files.unfinished)),
            self.files.spill_dir.as_deref(),
            budget,
        ) {
            Ok(sweep) => Ok(Stage::Sweep(Box::new(sweep))),
            Err(Halt::Unsuited(Unsuited::TooWide)) if self.files != Files::default() => {
                self.report.memory = u64::MAX;
                Err(Pause::Limit(Limit::Memory).into())
            }
            Err(Halt::Unsuited(_)) => Ok(self.list()),
            Err(halt) => Err(halt),
        }
    }

    fn list(&self) -> Stage {
        Stage::List { list: Box::new(List::new(self.request.clone())), table: Table::default() }
    }

    /// Sweeps over the quotients, where symmetric tours are asked for that these can tell apart.
    fn symmetric(&mut self, budget: &Budget) -> Result<Option<Stage>, Halt> {
        if self.request.symmetric().is_empty() || self.request.is_distinct() || self.request.board().len() < 2 {
            return Ok(None);
        }
        self.report.memory = Graph::bytes(&self.request);
        budget.check_memory(self.report.memory)?;
        let kept = FixedTours::asked(&self.request, &Places::new(self.request.board()), budget)?;
        let swept = kept.as_ref().and_then(FixedTours::swept);
        let sweep = |quotients| PrepareSymmetric::new(self.request.clone(), quotients, self.threads);
        Ok(swept.map(|quotients| Stage::Symmetric(Box::new(sweep(quotients)))))
    }

    /// What was done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.stage {
            Stage::Sweep(sweep) => Report::of_sweep(sweep.stats(), sweep.bytes_needed()),
            Stage::Symmetric(tours) => {
                let (stats, bytes) = tours.stats();
                Report::of_sweep(stats, bytes)
            }
            Stage::List { .. } => Report { method: "fragments", ..self.report },
            Stage::Theorems | Stage::Done => self.report,
        }
    }
}

impl Task for Prepare {
    type Answer = Numbering;

    /// Goes on until the numbering is made or the budget refuses.
    fn advance(&mut self, budget: &Budget) -> Result<Numbering, Halt> {
        let result = self.go_on(budget);
        if !matches!(result, Err(Halt::Pause(Pause::Slice))) {
            self.report = self.report();
            self.stage = Stage::Done;
        }
        result.map(|way| Numbering::new(self.request.clone(), way))
    }

    /// How far it is.
    fn progress(&self) -> Progress {
        match &self.stage {
            Stage::Sweep(sweep) => {
                let progress = sweep.progress();
                Progress { message: format!("preparing: {}", progress.message), ..progress }
            }
            Stage::Symmetric(tours) => {
                let progress = tours.progress();
                Progress { message: format!("preparing: {}", progress.message), ..progress }
            }
            Stage::List { table, .. } => {
                let done = table.order.len() as u64;
                Progress { done, total: None, message: "preparing: tours listed".to_owned() }
            }
            Stage::Theorems | Stage::Done => Progress { message: "preparing".to_owned(), ..Progress::default() },
        }
    }

    fn squares(&self) -> usize {
        self.request().board().len()
    }

    fn unfinished(&self) -> Unfinished {
        self.files().unfinished.clone()
    }
}

/// Whether the sweep can answer a request, if it is not too wide.
fn is_walked(request: &Request) -> bool {
    request.is_plain() && request.board().len() > 1 && !frontier::needs_steps(request)
}
