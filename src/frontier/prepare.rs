//! [`Prepare`]: a sweep that keeps all its layers, to number and draw tours by.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::image::{Image, ImageWriter};
use super::plan::Plan;
use super::walk::Walk;
use super::{Halt, Natural, Sweep, SweepStats, Unsuited};
use crate::budget::{Budget, Limit, Pause, Progress};
use crate::graph::Graph;
use crate::request::Request;
use crate::store::{BlockFile, BlockWriter, Kind, Seal, StoreError};

/// The version of what an index holds: of the order of squares, of the sources of a state, and of the bytes.
const ENGINE: u32 = 1;

/// Where the layers are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// In memory.
    #[default]
    Memory,
    /// In this file.
    File(PathBuf),
    /// In a file in this directory that goes with the run; states that do not fit the memory meanwhile, too.
    Directory(PathBuf),
}

/// The layers of a sweep being made: a resumable computation whose result is a [`Walk`].
#[derive(Debug)]
pub struct Prepare {
    request: Request,
    graph: Arc<Graph>,
    sweep: Sweep,
    writer: Option<ImageWriter>,
}

impl Prepare {
    /// A sweep, not begun, that keeps its layers. A file is begun at once, under another name until it is whole.
    pub fn new(
        request: Request,
        graph: Arc<Graph>,
        threads: usize,
        keep: &Keep,
    ) -> Result<Result<Prepare, Unsuited>, StoreError> {
        let mut sweep = match Sweep::new(&request, &graph, threads) {
            Ok(sweep) => sweep,
            Err(why) => return Ok(Err(why)),
        };
        let seal = Seal::new(Kind::Index, ENGINE, &request.encode());
        let file = match keep {
            Keep::Memory => None,
            Keep::File(path) => Some(BlockWriter::create(path, seal)?),
            Keep::Directory(directory) => {
                sweep.spill_dir = Some(directory.clone());
                Some(BlockWriter::temporary(directory, seal)?)
            }
        };
        Ok(Ok(Prepare { request, graph, sweep, writer: Some(ImageWriter::new(file)) }))
    }

    /// Goes on until the layers are made or the budget refuses.
    pub fn advance(&mut self, budget: &Budget) -> Result<Walk, Halt> {
        loop {
            let Some(writer) = &mut self.writer else { return Err(Pause::Limit(Limit::Cancelled).into()) };
            let is_next = self.sweep.work.is_some() && writer.layers() == self.sweep.step;
            if is_next && self.sweep.step < self.sweep.plan.steps.len() {
                let own = self.sweep.own_bytes();
                let held = writer.held;
                let result = writer.write(&self.sweep.plan, &self.sweep.layer, own, budget);
                if result == Err(Halt::Pause(Pause::Limit(Limit::Memory))) {
                    self.sweep.bytes_needed = self.sweep.bytes_needed.max(self.needed());
                }
                result?;
                if let Some(writer) = &self.writer {
                    self.sweep.hold(writer.held - held);
                }
                continue;
            }
            let total = self.sweep.advance_once(budget);
            if let Some(error) = self.sweep.fault.take().or_else(|| self.sweep.groups.fault.take()) {
                return Err(error.into());
            }
            if let Some(total) = total? {
                return self.finish(&total);
            }
        }
    }

    /// About the bytes that all layers would take, after one was refused.
    fn needed(&self) -> u64 {
        let Some(writer) = &self.writer else { return 0 };
        let (all, done) = (self.sweep.work.unwrap_or(0) as f64, self.sweep.work_done.max(1) as f64);
        writer.bytes_needed.max((writer.held as f64 * (all / done).max(1.0)) as u64)
    }

    fn finish(&mut self, total: &Natural) -> Result<Walk, Halt> {
        let Some(writer) = self.writer.take() else { return Err(Pause::Limit(Limit::Cancelled).into()) };
        let mut head = self.request.encode();
        head.extend(order(&self.sweep.plan).to_le_bytes());
        let cycles = if self.sweep.plan.times == 2 { total.half() } else { total.clone() };
        let image = writer.finish(cycles, &head)?;
        Ok(Walk::new(self.sweep.plan.clone(), Arc::clone(&self.graph), image))
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.sweep.progress()
    }

    /// What it has done.
    #[must_use]
    pub fn stats(&self) -> SweepStats {
        self.sweep.stats()
    }

    /// After a pause for memory: about the bytes that would be needed.
    #[must_use]
    pub fn bytes_needed(&self) -> u64 {
        self.sweep.bytes_needed()
    }
}

/// The order of the squares and of the choices, as a number.
fn order(plan: &Plan) -> u32 {
    let hash = blake3::hash(format!("{:?}", plan.steps).as_bytes());
    u32::from_le_bytes(std::array::from_fn(|i| hash.as_bytes()[i]))
}

/// Opens an index: the request whose tours it numbers, and its layers.
///
/// Cost: linear in the board; reads a thousandth of the file. The rest is checked where it is looked at.
pub fn open(path: &Path, budget: &Budget) -> Result<(Request, Walk), Halt> {
    let (file, said, fingerprint) = BlockFile::open(path, Kind::Index, ENGINE)?;
    let (image, head) = Image::of_file(file, &said)?;
    let (encoded, found) = head.split_last_chunk::<4>().ok_or_else(|| image.damaged())?;
    let request = Request::decode(encoded).filter(|request| request.encode() == encoded);
    let request = request.ok_or_else(|| image.damaged())?;
    if fingerprint != Seal::new(Kind::Index, ENGINE, encoded).fingerprint {
        return Err(image.damaged().into());
    }
    budget.check_memory(Graph::bytes(&request))?;
    let graph = Arc::new(Graph::new(&request));
    budget.check_memory(Graph::bytes(&request) + Sweep::plan_bytes(&graph))?;
    let plan = Plan::new(request.board(), &graph).map_err(|_| image.damaged())?;
    let (found, known) = (u32::from_le_bytes(*found), order(&plan));
    if found != known {
        let other = image.file().map(|file| file.other_version("order of squares", found, known));
        return Err(other.unwrap_or_else(|| image.damaged()).into());
    }
    if image.layers() != plan.steps.len() && !image.total().is_zero() {
        return Err(image.damaged().into());
    }
    Ok((request, Walk::new(plan, graph, image)))
}
