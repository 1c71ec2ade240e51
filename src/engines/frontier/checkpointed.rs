//! [`CheckpointedSweep`]: a sweep that survives the end of its process, and one that needs more memory than there is.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::block::{HEAD, StateBlock};
use super::layer::Layer;
use super::reachable::ReachableMasks;
use super::{Natural, Sweep, SweepStats};
use crate::run::{Budget, Halt, Limit, Pause, Progress};
use crate::store::{self, Reader, Spill, StoreError, Unfinished, Writer};

/// Where a sweep may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The file that holds the state of the count, to go on from if the process ends.
    pub checkpoint: Option<PathBuf>,
    /// The directory for states that do not fit the memory.
    pub spill_dir: Option<PathBuf>,
    /// The time between two checkpoints.
    pub interval: Duration,
    /// The files that are being written.
    pub unfinished: Unfinished,
}

impl Default for Files {
    /// None; and two minutes.
    fn default() -> Files {
        Files {
            checkpoint: None,
            spill_dir: None,
            interval: Duration::from_secs(120),
            unfinished: Unfinished::default(),
        }
    }
}

/// The shortest time that is worked between two checkpoints in the midst of a step.
const SHORTEST: Duration = Duration::from_millis(50);

/// A sweep with files: a resumable computation, as [`Sweep`] is.
///
/// With a checkpoint its state is saved when the interval is over, between two steps or in the midst of one, and
/// when a limit of time, nodes or memory ends the run; not when it is cancelled, for that must be quick. The file is
/// there from the first save until the count is known: then it is removed. A new `CheckpointedSweep` of the same request goes on from
/// it.
#[derive(Debug)]
pub struct CheckpointedSweep {
    sweep: Sweep,
    checkpoint: Option<PathBuf>,
    interval: Duration,
    unfinished: Unfinished,
    /// A checkpoint to go on from.
    stored: Option<Reader>,
    /// When the file was last written, and what was done by then.
    saved_at: Instant,
    saved: (SweepStats, Progress),
    saves: u64,
}

impl CheckpointedSweep {
    /// A sweep, just made, with files. Reads and checks the checkpoint, if there is one; sees that it can be written
    /// and that the directory for spilling can.
    pub fn new(mut sweep: Sweep, files: Files) -> Result<CheckpointedSweep, StoreError> {
        let mut stored = None;
        if let Some(path) = &files.checkpoint {
            stored = Reader::open(path, sweep.seal)?;
            // Not after minutes only.
            drop(Writer::create(path, sweep.seal, &files.unfinished)?);
        }
        if let Some(directory) = &files.spill_dir {
            drop(Spill::create(directory)?);
        }
        sweep.spill_dir = files.spill_dir;
        // What a checkpoint saves of a step is all that was before it.
        sweep.lets_go = files.checkpoint.is_none();
        Ok(CheckpointedSweep {
            saved: (sweep.stats(), sweep.progress()),
            sweep,
            checkpoint: files.checkpoint,
            interval: files.interval,
            unfinished: files.unfinished,
            stored,
            saved_at: Instant::now(),
            saves: 0,
        })
    }

    /// As [`Sweep::advance`]. After an error of a file the next call tries again.
    pub fn advance(&mut self, budget: &Budget) -> Result<Natural, Halt> {
        if let Some(reader) = &mut self.stored {
            let restored = self.sweep.restore(reader, budget);
            if restored.is_err() {
                reader.rewind()?;
            }
            restored?;
            self.stored = None;
            self.saved = (self.sweep.stats(), self.sweep.progress());
        }
        loop {
            let result = self.advance_until_due(budget);
            if let Some(error) = self.sweep.fault.take().or_else(|| self.sweep.groups.fault.take()) {
                return Err(error.into());
            }
            let is_due = self.saved_at.elapsed() >= self.interval;
            match result {
                Ok(Some(total)) => {
                    if let Some(path) = self.checkpoint.take() {
                        store::remove(&path);
                    }
                    return Ok(total);
                }
                Ok(None) => {
                    if is_due {
                        self.save(budget)?;
                    }
                }
                Err(Pause::Slice) => {
                    if is_due {
                        self.save(budget)?;
                    }
                    // The slice may be the caller's, or only that until the save.
                    budget.take(0)?;
                }
                Err(why @ Pause::Limit(Limit::Cancelled)) => return Err(why.into()),
                Err(why) => {
                    self.save(budget)?;
                    return Err(why.into());
                }
            }
        }
    }

    fn advance_until_due(&mut self, budget: &Budget) -> Result<Option<Natural>, Pause> {
        if self.checkpoint.is_none() {
            return self.sweep.advance_once(budget);
        }
        let part = budget.within(self.interval.saturating_sub(self.saved_at.elapsed()).max(SHORTEST));
        let result = self.sweep.advance_once(&part);
        budget.charge(part.spent());
        result
    }

    /// Saves the state now, if there is a checkpoint to save it to and there is something new.
    pub fn save(&mut self, budget: &Budget) -> Result<(), StoreError> {
        let state = (self.sweep.stats(), self.sweep.progress());
        let Some(path) = &self.checkpoint else { return Ok(()) };
        if self.saved == state || self.sweep.total.is_some() {
            return Ok(());
        }
        let mut writer = Writer::create(path, self.sweep.seal, &self.unfinished)?;
        if self.sweep.save(&mut writer, budget)? {
            writer.finish()?;
            self.saved = state;
            self.saves += 1;
        }
        // A save that takes long does not make the next one follow on its heels.
        self.saved_at = Instant::now();
        Ok(())
    }

    /// How often the state was saved.
    #[must_use]
    pub fn saves(&self) -> u64 {
        self.saves
    }

    /// The sweep itself: how far it is, and what it has done.
    #[must_use]
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }
}

impl Sweep {
    /// Writes the state to a file; says whether it got to the end, or was cancelled.
    fn save(&self, to: &mut Writer, budget: &Budget) -> Result<bool, StoreError> {
        let SweepStats { steps, groups, states, peak_states, transitions, peak_bytes } = self.stats;
        to.number(self.plan.fingerprint().into())?;
        to.number(self.tuning.narrow_ends.into())?;
        for number in [steps, groups, states, peak_states, transitions, peak_bytes] {
            to.number(number)?;
        }
        to.number(self.step as u64)?;
        to.number(self.work.map_or(0, |work| work + 1))?;
        to.number(self.work_done)?;
        self.groups.save(to)?;
        if budget.is_cancelled() {
            return Ok(false);
        }
        if !self.layer.save(to, budget)? {
            return Ok(false);
        }
        to.number(self.tasks.len() as u64)?;
        for task in &self.tasks {
            if budget.is_cancelled() {
                return Ok(false);
            }
            to.number(u64::from(task.is_some()))?;
            for block in task.iter().flatten() {
                block.save(to)?;
            }
        }
        Ok(true)
    }

    /// Takes the state from a file that was checked. Where it fails, the sweep is at its beginning.
    fn restore(&mut self, from: &mut Reader, budget: &Budget) -> Result<(), Halt> {
        let result = self.try_to_restore(from, budget);
        if result.is_err() {
            self.groups = ReachableMasks::new(&self.plan);
            self.layer = Layer::start(self.plan.first);
            (self.step, self.work, self.work_done) = (0, None, 0);
            self.leave_step();
            self.stats = SweepStats { peak_states: 1, ..SweepStats::default() };
            (self.spill, self.key_spill) = (None, None);
        }
        if result == Err(Halt::Pause(Pause::Limit(Limit::Memory))) {
            self.bytes_needed = self.bytes_needed.max(from.left());
        }
        result
    }

    fn try_to_restore(&mut self, from: &mut Reader, budget: &Budget) -> Result<(), Halt> {
        let of_this = [("order of squares", self.plan.fingerprint()), ("width of a state", self.tuning.narrow_ends)];
        for (what, here) in of_this {
            let found = from.number()? as u32;
            if found != here {
                return Err(from.other_version(what, found, here).into());
            }
        }
        let [steps, groups, states, peak_states, transitions, peak_bytes, step, work, work_done] = {
            let mut numbers = [0; 9];
            for number in &mut numbers {
                *number = from.amount()?;
            }
            numbers
        };
        if step > self.plan.steps.len() as u64 {
            return Err(from.damaged().into());
        }
        let room = |held: u64| -> Result<Option<Arc<Spill>>, Halt> {
            budget.go_on()?;
            self.bytes_needed = held;
            if self.spill_dir.is_some() && held > budget.memory() / 2 {
                return Ok(Sweep::spill_of(&self.spill_dir, &mut self.key_spill)?);
            }
            budget.check_memory(held)?;
            Ok(None)
        };
        self.groups = ReachableMasks::restore(&self.plan, from, room)?;
        self.work = work.checked_sub(1);
        if self.work.is_some() && !self.groups.is_done() {
            return Err(from.damaged().into());
        }
        self.step = step as usize;
        self.work_done = work_done;
        let mut blocks = Vec::new();
        let mut held = self.groups.bytes();
        for _ in 0..from.count(16)? {
            let block = self.restore_block(from, held, budget)?;
            // The lists of its groups stand beside those of the layer for a moment.
            held += block.bytes() + block.len() as u64 * HEAD;
            blocks.push(block);
        }
        budget.check_memory(held)?;
        let mut blocks: Vec<Option<Vec<StateBlock>>> = blocks.into_iter().map(|block| Some(vec![block])).collect();
        let portions = self.portions_of(&mut blocks, budget)?;
        self.layer = Layer::new(blocks.into_iter().flatten().flatten().collect(), 1, portions)?;
        // The states after a step have a file of their own.
        self.spill = None;
        let tasks = from.count(8)?;
        if tasks > 0 {
            if self.work.is_none() || self.step >= self.plan.steps.len() {
                return Err(from.damaged().into());
            }
            self.set_up_step(&budget.unsliced())?;
            if tasks != self.tasks.len() {
                return Err(from.damaged().into());
            }
            let mut held = self.own_bytes();
            for task in 0..tasks {
                if from.number()? == 1 {
                    let block = self.restore_block(from, held, budget)?;
                    held += block.bytes();
                    self.tasks[task] = Some(vec![block]);
                }
            }
        }
        if from.left() > 0 {
            return Err(from.damaged().into());
        }
        self.stats = SweepStats { steps, groups, states, peak_states, transitions, peak_bytes };
        Ok(())
    }

    fn restore_block(&mut self, from: &mut Reader, held: u64, budget: &Budget) -> Result<StateBlock, Halt> {
        budget.go_on()?;
        let narrow_ends = self.tuning.narrow_ends;
        let needed = &mut self.bytes_needed;
        let mut block = StateBlock::restore(from, narrow_ends, |bytes| {
            *needed = held + bytes;
            budget.check_memory(held + bytes).map_err(Halt::Pause)
        })?;
        if self.spill_dir.is_some()
            && held + block.bytes() > budget.memory() / 2
            && let Some(spill) = self.spill()?
        {
            block.spill(&spill)?;
        }
        Ok(block)
    }
}
