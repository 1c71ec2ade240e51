//! [`Prepare`]: a sweep that keeps all its layers, to number and draw tours by.

use std::path::Path;
use std::sync::Arc;

use super::index::{LayerIndex, LayerIndexWriter};
use super::plan::Plan;
use super::walk::Walk;
use super::{Natural, Sweep, SweepOptions, SweepStats};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress};
use crate::store::{BlockFile, BlockWriter, Kind, Seal, StoreError, Unfinished};

/// The version of what an index holds: of the order of squares, of the sources of a state, and of the bytes.
const ENGINE: u32 = 3;

/// The layers of a sweep being made: a resumable computation whose result is a [`Walk`].
#[derive(Debug)]
pub struct Prepare {
    request: Request,
    graph: Arc<Graph>,
    sweep: Sweep,
    writer: Option<LayerIndexWriter>,
}

impl Prepare {
    /// A sweep, not begun, that keeps its layers: in the file `index`, which is written under another name until it is
    /// whole; else in a file in `spill_dir` that goes with the run; else in memory. States that do not fit the memory
    /// meanwhile go to `spill_dir`.
    pub fn new(
        request: Request,
        graph: Arc<Graph>,
        threads: usize,
        index: Option<(&Path, &Unfinished)>,
        spill_dir: Option<&Path>,
        budget: &Budget,
    ) -> Result<Prepare, Halt> {
        let mut sweep = Sweep::begin(&request, &graph, SweepOptions::on(threads), budget)?;
        sweep.spill_dir = spill_dir.map(Path::to_owned);
        sweep.keeps_layers = index.is_none() && spill_dir.is_none();
        // A layer is written with its groups in an order of its own.
        sweep.is_whole = true;
        let seal = seal(&request.encode());
        let file = match (index, spill_dir) {
            (Some((path, unfinished)), _) => Some(BlockWriter::create(path, seal, unfinished)?),
            (None, Some(directory)) => Some(BlockWriter::temporary(directory, seal)?),
            (None, None) => None,
        };
        Ok(Prepare { request, graph, sweep, writer: Some(LayerIndexWriter::new(file)) })
    }

    /// Goes on until the layers are made or the budget refuses.
    pub fn advance(&mut self, budget: &Budget) -> Result<Walk, Halt> {
        loop {
            let Some(writer) = &mut self.writer else { return Err(Misuse::Answered("sweep").into()) };
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
        let Some(writer) = self.writer.take() else { return Err(Misuse::Answered("sweep").into()) };
        let head = head(&self.request, self.sweep.plan.fingerprint());
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

fn seal(request: &[u8]) -> Seal {
    Seal::new(Kind::Index, ENGINE, request)
}

/// What a file says first.
fn head(request: &Request, order: u32) -> Vec<u8> {
    let mut head = request.encode();
    head.extend(order.to_le_bytes());
    head
}

/// Writes the index of a request without tours: no layers.
pub fn write_empty(request: &Request, path: &Path) -> Result<(), StoreError> {
    let file = BlockWriter::create(path, seal(&request.encode()), &Unfinished::default())?;
    LayerIndexWriter::new(Some(file)).finish(Natural::default(), &head(request, 0)).map(|_| ())
}

/// Opens an index: the request whose tours it numbers, and its layers; no layers if there are no tours.
///
/// Nothing in the file is trusted. The header, and what the file says of itself, are checked here; a block of a layer when
/// it is first looked at; and every offset before it is used.
///
/// Cost: linear in the board; reads a thousandth of the file.
pub fn open(path: &Path, budget: &Budget) -> Result<(Request, Option<Walk>), Halt> {
    let (file, said, fingerprint) = BlockFile::open(path, Kind::Index, ENGINE)?;
    let (image, head) = LayerIndex::of_file(file, &said)?;
    let (encoded, found) = head.split_last_chunk::<4>().ok_or_else(|| image.damaged())?;
    let request = Request::decode(encoded).filter(|request| request.encode() == encoded);
    let request = request.ok_or_else(|| image.damaged())?;
    if fingerprint != seal(encoded).fingerprint {
        return Err(image.damaged().into());
    }
    if image.total().is_zero() {
        return Ok((request, None));
    }
    budget.check_memory(Graph::bytes(&request))?;
    let graph = Arc::new(Graph::new(&request));
    budget.check_memory(Graph::bytes(&request) + Sweep::plan_bytes(&graph))?;
    let plan = Plan::new(&graph, false, budget).map_err(|halt| match halt {
        Halt::Unsuited(_) => image.damaged().into(),
        halt => halt,
    })?;
    let (found, known) = (u32::from_le_bytes(*found), plan.fingerprint());
    if found != known {
        let other = image.file().map(|file| file.other_version("order of squares", found, known));
        return Err(other.unwrap_or_else(|| image.damaged()).into());
    }
    if image.layers() != plan.steps.len() {
        return Err(image.damaged().into());
    }
    Ok((request, Some(Walk::new(plan, graph, image))))
}
