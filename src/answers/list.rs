//! [`List`]: listing tours, one after another or many at a time.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::listing_workers::Workers;
use super::restricted::RestrictedList;
use super::{FRAGMENT_BYTES, Presolve, Report, checked, relist};
use crate::board::tour::{Tour, check_path};
use crate::engines::backtracking::Stats;
use crate::engines::edge_forcing::{self, EdgeForcing, EdgeForcingStats, Position};
use crate::request::Request;
use crate::request::classes::Grouping;
use crate::request::graph::{Building, Graph};
use crate::run::{Budget, Pause, Progress};
use crate::theorems;

/// The tours of a request by the edge-forcing search, in its order (see [`edge_forcing`](crate::engines::edge_forcing)). Each tour is
/// checked. Memory does not grow.
#[derive(Debug)]
pub struct List {
    request: Request,
    stage: ListStage,
    building: Option<Box<Building>>,
    threads: usize,
    /// Where to go on from, until the search is there.
    from: Option<Position>,
    /// This many tours are to be passed over, having been listed before.
    skip: u64,
    listed: u64,
    memory: u64,
}

#[derive(Debug)]
enum ListStage {
    Theorems,
    Presolve(Box<Presolve>),
    Search(Box<EdgeForcing>),
    /// Several threads.
    Workers(Box<Workers>),
    /// Symmetric tours, or one of each class.
    Chosen(Box<RestrictedList>),
    Ended(EdgeForcingStats),
    /// The position to go on from leads nowhere.
    Refused,
}

/// What a step of a [`List`] led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The next tour.
    Tour(Tour),
    /// There are no more.
    End,
    /// Stopped before the next one.
    Paused(Pause),
    /// The position to go on from is not one of this listing.
    Refused(PositionError),
}

/// What filling a batch led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// As many as were wanted.
    Full,
    /// There are no more.
    End,
    /// Stopped before that; what was listed is there.
    Paused(Pause),
    /// The position to go on from is not one of this listing.
    Refused(PositionError),
}

/// Why a listing cannot go on from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Not what [`List::position`] gave, or not all of it.
    #[error("this is not a position of a listing, or it is damaged")]
    Damaged,
    /// Of another version of the program.
    #[error("the position was written by another version, which lists in another order")]
    Version,
    /// Of another request.
    #[error("the position belongs to another collection (board, kind of tour, ends, moves or steps)")]
    Request,
}

/// What a position begins with. The last byte is the version of the order of listing.
const MAGIC: [u8; 8] = *b"ktlist\0\x01";
/// Bytes of the check at a position's end.
const CHECK: usize = 16;

impl List {
    /// A listing that has not begun.
    #[must_use]
    pub fn new(request: Request) -> List {
        List {
            request,
            stage: ListStage::Theorems,
            building: None,
            threads: 1,
            from: None,
            skip: 0,
            listed: 0,
            memory: 0,
        }
    }

    /// The same by several threads, which [`List::fill`] puts to work: each tour once, but in no
    /// particular order.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> List {
        self.threads = threads.max(1);
        self
    }

    /// The rest of a listing that stood at a position.
    pub fn resume(request: Request, position: &[u8]) -> Result<List, PositionError> {
        let Some((body, check)) = position.split_last_chunk::<CHECK>() else { return Err(PositionError::Damaged) };
        let Some(rest) = body.strip_prefix(&MAGIC[..7]) else { return Err(PositionError::Damaged) };
        if blake3::hash(body).as_bytes()[..CHECK] != *check {
            return Err(PositionError::Damaged);
        }
        let Some((&version, rest)) = rest.split_first() else { return Err(PositionError::Damaged) };
        if version != MAGIC[7] {
            return Err(PositionError::Version);
        }
        let Some((fingerprint, rest)) = rest.split_first_chunk::<32>() else { return Err(PositionError::Damaged) };
        if *fingerprint != request.fingerprint() {
            let is_old = request.was_known_as(fingerprint);
            return Err(if is_old { PositionError::Version } else { PositionError::Request });
        }
        let mut list = List::new(request);
        match rest.split_first() {
            Some((0, [])) => {}
            Some((1, rest)) => {
                let position = Position::decode(rest).ok_or(PositionError::Damaged)?;
                list.listed = position.tours();
                list.from = Some(position);
            }
            Some((2, rest)) => {
                list.listed = u64::from_le_bytes(rest.try_into().map_err(|_| PositionError::Damaged)?);
                list.stage = ListStage::Ended(EdgeForcingStats::default());
            }
            Some((3, rest)) => {
                list.listed = u64::from_le_bytes(rest.try_into().map_err(|_| PositionError::Damaged)?);
                list.skip = list.listed;
            }
            _ => return Err(PositionError::Damaged),
        }
        Ok(list)
    }

    /// Where the listing stands, for [`List::resume`], here or in another process. `None` if several
    /// threads list. Cost: one pass over the way to the last tour, some ten bytes a branching. Of symmetric tours
    /// and of classes it is their number, and those before it are found again.
    #[must_use]
    pub fn position(&self) -> Option<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.request.fingerprint());
        let search = match &self.stage {
            _ if self.threads > 1 => return None,
            ListStage::Search(search) => search.position(),
            _ => None,
        };
        match (&self.stage, self.from.as_ref().or(search.as_ref())) {
            (ListStage::Ended(_), _) => {
                bytes.push(2);
                bytes.extend(self.listed.to_le_bytes());
            }
            _ if !self.request.is_plain() => {
                bytes.push(3);
                bytes.extend(self.listed.to_le_bytes());
            }
            (_, Some(position)) => {
                bytes.push(1);
                bytes.extend(position.encode());
            }
            (_, None) => bytes.push(0),
        }
        let check = blake3::hash(&bytes);
        bytes.extend(&check.as_bytes()[..CHECK]);
        Some(bytes)
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Tours listed so far, those before the position it went on from included.
    #[must_use]
    pub fn listed(&self) -> u64 {
        self.listed
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { done: self.listed, total: None, message: "listing: tours".to_owned() }
    }

    /// What was done.
    #[must_use]
    pub fn report(&self) -> Report {
        let (method, stats) = match &self.stage {
            ListStage::Search(search) => ("fragments", search.stats()),
            ListStage::Workers(workers) => ("fragments", workers.stats()),
            ListStage::Chosen(_) => ("fragments", EdgeForcingStats::default()),
            ListStage::Ended(stats) if stats.nodes > 0 => ("fragments", *stats),
            _ => ("theorem", EdgeForcingStats::default()),
        };
        let search = Stats {
            nodes: stats.nodes,
            backtracks: stats.dead_ends,
            restarts: u64::from(stats.restarts),
            ..Stats::default()
        };
        Report { method, search, memory: self.memory, ..Report::default() }
    }

    /// Goes on to the next tour. (By one thread; [`List::fill`] uses several.)
    pub fn advance(&mut self, budget: &Budget) -> Listed {
        if let Err(stop) = self.prepare(budget) {
            return match stop {
                Filled::Refused(error) => Listed::Refused(error),
                Filled::Paused(pause) => Listed::Paused(pause),
                Filled::Full | Filled::End => Listed::End,
            };
        }
        match &mut self.stage {
            ListStage::Search(search) => match search.advance(budget) {
                edge_forcing::Step::Found => {
                    self.listed += 1;
                    Listed::Tour(checked(&self.request, search.path().to_vec()))
                }
                edge_forcing::Step::Exhausted => {
                    self.stage = ListStage::Ended(search.stats());
                    Listed::End
                }
                edge_forcing::Step::Paused(pause) => Listed::Paused(pause),
            },
            ListStage::Chosen(list) => match next_chosen(list, &mut self.skip, budget) {
                Ok(Some(tour)) => {
                    self.listed += 1;
                    Listed::Tour(tour)
                }
                Ok(None) => {
                    self.stage = ListStage::Ended(EdgeForcingStats::default());
                    Listed::End
                }
                Err(pause) => Listed::Paused(pause),
            },
            _ => {
                let mut squares = Vec::new();
                match self.fill(&mut squares, 1, budget) {
                    Filled::Full => Listed::Tour(checked(&self.request, squares)),
                    Filled::End => Listed::End,
                    Filled::Paused(pause) => Listed::Paused(pause),
                    Filled::Refused(error) => Listed::Refused(error),
                }
            }
        }
    }

    /// Lists this many tours more: their squares, one tour after another, are appended to `rows`.
    pub fn fill(&mut self, rows: &mut Vec<u32>, most: usize, budget: &Budget) -> Filled {
        if let Err(stop) = self.prepare(budget) {
            return stop;
        }
        if most == 0 {
            return Filled::Full;
        }
        let (request, width, before) = (&self.request, self.request.board().len(), rows.len());
        let step = match &mut self.stage {
            ListStage::Search(search) => {
                let full = before + most * width;
                search.visit(budget, |path| {
                    let row = rows.len();
                    rows.extend_from_slice(path);
                    check(request, &mut rows[row..]);
                    if rows.len() == full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
            }
            ListStage::Workers(workers) => workers.fill(rows, most, width, budget, |path| check(request, path)),
            ListStage::Chosen(list) => {
                let full = before + most * width;
                loop {
                    match next_chosen(list, &mut self.skip, budget) {
                        Ok(Some(tour)) => rows.extend_from_slice(tour.squares()),
                        Ok(None) => break edge_forcing::Step::Exhausted,
                        Err(pause) => break edge_forcing::Step::Paused(pause),
                    }
                    if rows.len() == full {
                        break edge_forcing::Step::Found;
                    }
                }
            }
            _ => edge_forcing::Step::Exhausted,
        };
        self.listed += ((rows.len() - before) / width) as u64;
        match (step, &self.stage) {
            (edge_forcing::Step::Found, _) => Filled::Full,
            (edge_forcing::Step::Paused(pause), _) => Filled::Paused(pause),
            (edge_forcing::Step::Exhausted, stage) => {
                let stats = match stage {
                    ListStage::Search(search) => search.stats(),
                    ListStage::Workers(workers) => workers.stats(),
                    _ => EdgeForcingStats::default(),
                };
                self.stage = ListStage::Ended(stats);
                Filled::End
            }
        }
    }

    /// Goes as far as the search, which stands where it is to go on then; or says why there is none.
    fn prepare(&mut self, budget: &Budget) -> Result<(), Filled> {
        loop {
            match &mut self.stage {
                ListStage::Theorems => self.stage = self.begin(budget).map_err(Filled::Paused)?,
                ListStage::Presolve(look) => match look.run(&self.request, budget).map_err(Filled::Paused)? {
                    Some(_) => self.stage = ListStage::Ended(EdgeForcingStats::default()),
                    None if !self.request.is_plain() => {
                        if self.request.is_distinct() {
                            self.memory = Grouping::bytes(&self.request);
                        }
                        let list = RestrictedList::new(&self.request, &look.graph, budget).map_err(Filled::Paused)?;
                        self.stage = ListStage::Chosen(Box::new(list));
                    }
                    None => {
                        let graph = Arc::clone(&look.graph);
                        self.memory = EdgeForcing::bytes(&graph) * self.threads as u64;
                        budget.check_memory(self.memory).map_err(Filled::Paused)?;
                        let mut search = EdgeForcing::new(graph, budget).map_err(Filled::Paused)?;
                        self.stage = match self.from.take() {
                            Some(position) if !search.go_to(&position) => ListStage::Refused,
                            _ if self.threads > 1 => ListStage::Workers(Box::new(Workers::new(search, self.threads))),
                            _ => ListStage::Search(Box::new(search)),
                        };
                    }
                },
                ListStage::Search(_) | ListStage::Workers(_) | ListStage::Chosen(_) => return Ok(()),
                ListStage::Ended(_) => return Err(Filled::End),
                ListStage::Refused => return Err(Filled::Refused(PositionError::Damaged)),
            }
        }
    }

    fn begin(&mut self, budget: &Budget) -> Result<ListStage, Pause> {
        if theorems::check_board(&self.request).is_some() {
            return Ok(ListStage::Ended(EdgeForcingStats::default()));
        }
        let vertices = self.request.board().len() as u64;
        self.memory = Graph::bytes(&self.request) + FRAGMENT_BYTES * vertices;
        budget.check_memory(self.memory)?;
        let graph = Arc::new(Building::go_on(&mut self.building, &self.request, budget)?);
        Ok(ListStage::Presolve(Box::new(Presolve::new(&self.request, graph))))
    }
}

/// The next symmetric tour or class, those to be passed over left out.
fn next_chosen(list: &mut RestrictedList, skip: &mut u64, budget: &Budget) -> Result<Option<Tour>, Pause> {
    while *skip > 0 {
        if list.advance(budget)?.is_none() {
            return Ok(None);
        }
        *skip -= 1;
    }
    list.advance(budget)
}

/// The last word on every row of a batch, as [`checked`] is on a tour.
fn check(request: &Request, squares: &mut [u32]) {
    relist(request, squares);
    let board = request.board();
    if let Err(fault) = check_path(board, squares) {
        panic!("an engine returned what is no tour: {fault}");
    }
    let closes = || squares.len() >= 3 && board.is_move(squares[squares.len() - 1], squares[0]);
    assert!(!request.is_closed() || closes(), "an engine returned a tour that is not closed");
    assert!(request.admits_squares(squares), "an engine returned a tour that was not asked for");
}
