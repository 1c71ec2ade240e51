//! [`Sweep`]: a count under way, layer by layer.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::account::Account;
use super::block::{StateBlock, WRITING};
use super::layer::Layer;
use super::mask::{FOR_A_THREAD, Mask};
use super::partition::{Partition, Sorting};
use super::plan::Plan;
use super::reachable::ReachableMasks;
use super::scratch::Scratch;
use super::state::pairings;
use super::tables::Tables;
use super::transition::{Transition, Tuning};
use super::weights::{Arithmetic, Modulus};
use super::{Course, Natural, Needs, Sampled};
use crate::request::Request;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Limit, Pause, Progress, Unsuited, heap, workers};
use crate::store::{Kind, Seal, Spill, StoreError};

/// What a sweep has done so far. Nothing in it depends on the number of threads or on pauses, but for `peak_bytes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepStats {
    /// Steps done.
    pub steps: u64,
    /// Groups built.
    pub groups: u64,
    /// States built.
    pub states: u64,
    /// States of the largest layer.
    pub peak_states: u64,
    /// Ways from a state to a state of the next layer that were followed.
    pub transitions: u64,
    /// The most bytes in use at a time, by the engine's own account.
    pub peak_bytes: u64,
}

/// How to sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepOptions {
    /// How many threads, at least 1.
    pub threads: usize,
    /// Whether the squares are taken in another order than the best, for a second opinion on a count.
    pub another_order: bool,
    /// The count is to be known modulo this number only.
    pub modulus: Option<Modulus>,
}

impl SweepOptions {
    /// The usual way, on this many threads.
    #[must_use]
    pub fn on(threads: usize) -> SweepOptions {
        SweepOptions { threads, another_order: false, modulus: None }
    }
}

/// A count under way: a resumable computation whose result is the number of tours of a request.
///
/// Closed tours count once each; open tours with free ends once for each direction; with a start or an end given, those
/// sequences that have it.
///
/// ```
/// use knightstour::engines::frontier::Sweep;
/// use knightstour::{Board, Budget, Graph, Request};
/// let request = Request::closed(Board::new(6, 6)?);
/// let mut sweep = Sweep::new(&request, &Graph::new(&request), 2)?;
/// let count = sweep.advance(&Budget::unlimited()).expect("without limits it does not pause");
/// assert_eq!(count.to_string(), "9862");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sweep {
    pub(super) plan: Plan,
    pub(super) groups: ReachableMasks,
    tables: Tables,
    pub(super) tuning: Tuning,
    pub(super) arithmetic: Arithmetic,
    /// One for each thread.
    scratch: Vec<Scratch>,
    /// How many of them work.
    workers: usize,
    /// How many may in the step at hand.
    most_workers: usize,
    /// The states before the step at work.
    pub(super) layer: Layer,
    pub(super) step: usize,
    /// The work of all groups to build in the step.
    step_work: u64,
    /// Where the tasks of the step begin and end among the groups to build, and those that are done. Each is a bin.
    bounds: Vec<usize>,
    pub(super) tasks: Vec<Option<Vec<StateBlock>>>,
    sorting: Sorting,
    /// Whether layers stay in one piece, whatever memory the lists of their groups take.
    pub(super) is_whole: bool,
    /// In how many pieces the tasks of the step hand their states over.
    pieces: usize,
    /// Whether the states of a step may go while it is at work, where there are many.
    pub(super) lets_go: bool,
    pub(super) total: Option<Natural>,
    /// All work, once it is known, and what is done of it.
    pub(super) work: Option<u64>,
    pub(super) work_done: u64,
    pub(super) stats: SweepStats,
    pub(super) bytes_needed: u64,
    plan_bytes: u64,
    /// Of a sweep that may be far too large: samples of its groups, to look at once there are many; and then what it needs.
    samples: Option<Box<Sampled>>,
    needs: Option<Needs>,
    /// Whether all layers are kept in memory.
    pub(super) keeps_layers: bool,
    /// What a checkpoint of it must say.
    pub(super) seal: Seal,
    /// Where states go that do not fit the memory; the file of those after the step at work, and that of the keys.
    pub(super) spill_dir: Option<PathBuf>,
    pub(super) spill: Option<Arc<Spill>>,
    pub(super) key_spill: Option<Arc<Spill>>,
    /// What went wrong with a file; then the pause was that of a cancelled run.
    pub(super) fault: Option<StoreError>,
}

/// A run that took more bytes than this gives back to the system what the allocator keeps of them.
const LARGE: u64 = 1 << 26;

/// The version of what a checkpoint holds: of the order of squares, the groups, the ranks.
const ENGINE: u32 = 5;

/// The work for a group, for the division into tasks and for progress.
fn work_of(key: &Mask) -> u64 {
    64 + pairings(key.ends.count_ones()).min(1 << 20) as u64
}

/// Work of a task at most and at least: some milliseconds, and some tenths of one.
const TASK: [u64; 2] = [1 << 16, 1 << 12];

/// How many tasks so much work makes; many in a number that can be cut in pieces.
fn tasks_of(work: u64) -> usize {
    let [most, least] = TASK;
    let tasks = (work / (work / 64).clamp(least, most)).max(1) as usize;
    if tasks < MANY_TASKS { tasks } else { tasks.next_multiple_of(PIECES_OF_LAYER) }
}

/// The states before a step of at least this many tasks are let go in so many pieces.
const MANY_TASKS: usize = 256;
const PIECES_OF_LAYER: usize = 4;

/// A sweep is looked at if it may take more than the memory, as the widths of its layers tell. They often tell far too much,
/// so that it is looked at only when it has found [`MANY`] groups, for which it took longer than for a look; of this many
/// states it is looked at before it begins. It is given up if
/// what the samples tell is this many times the memory. They told at most 1.7 times the truth of 186 counts of boards up to
/// 7x8, 7x7 and 8x10, with holes, of other leapers, on tori, with given ends and moves, but for one of symmetric tours: 3.8
/// times. Beside a disk only the groups of two layers must be in memory: those were told at most 1.6 times too many.
const FAR: f64 = 10.0;
const FAR_BESIDE_DISK: f64 = 2.0;
const MANY: u64 = 1 << 14;
const DOUBTFUL: f64 = 1e16;
/// Groups of each kind, and layers, that are looked at.
const SAMPLES: u32 = 6;
const LAYERS: usize = 24;

/// Bytes of a thread's stack that are used, and of what the allocator keeps for it.
const WORKER: u64 = 1 << 18;

/// The part of the memory that the states take that all workers gather before they write them to disk.
const PIECES: u64 = 32;

/// The part of the memory that the lists of groups of a layer may take before they are brought in by portions.
const LISTS: u64 = 8;

impl Sweep {
    /// A sweep of the graph of a request, on this many threads (at least 1).
    ///
    /// Cost: linear in the board. Memory: [`Sweep::plan_bytes`].
    pub fn new(request: &Request, graph: &Graph, threads: usize) -> Result<Sweep, Unsuited> {
        match Sweep::begin(request, graph, SweepOptions::on(threads), &Budget::unlimited()) {
            Ok(sweep) => Ok(sweep),
            Err(Halt::Unsuited(why)) => Err(why),
            Err(halt) => unreachable!("without limits nothing stops it: {halt}"),
        }
    }

    /// The same under limits, and in other ways.
    pub fn begin(request: &Request, graph: &Graph, options: SweepOptions, budget: &Budget) -> Result<Sweep, Halt> {
        let SweepOptions { threads, another_order, modulus } = options;
        if !graph.steps().is_empty() {
            return Err(Unsuited::Steps.into());
        }
        let total = match graph.len() {
            1 => Some(u64::from(!graph.is_closed() && graph.starts().contains(0) && graph.ends().contains(0))),
            2 if graph.is_closed() => Some(0),
            // A move both to be used and to be avoided.
            _ if graph.required().iter().any(|&(a, b)| !graph.is_edge(a, b)) => Some(0),
            _ => None,
        };
        let plan = Plan::new(graph, another_order, budget)?;
        // No sweep of more than 41 MB took a third of a byte for each state of the guess or more.
        let may_be_too_large = budget.check_memory((plan.guess / 8.0) as u64).is_err();
        let samples = if may_be_too_large {
            let course = Course::of_plan(&plan, graph, budget)?.with_few_layers(LAYERS);
            Some(Box::new(Sampled::roughly(course, SAMPLES)))
        } else {
            None
        };
        let mut asked = graph.encode(request);
        if another_order {
            asked.extend(b"another order");
        }
        if let Some(modulus) = modulus {
            asked.extend(b"modulo");
            asked.extend(modulus.number().to_le_bytes());
        }
        Ok(Sweep {
            groups: ReachableMasks::new(&plan),
            layer: Layer::start(plan.first),
            plan,
            tables: Tables::default(),
            tuning: Tuning::default(),
            arithmetic: modulus.map_or(Arithmetic::Exact, Arithmetic::Residue),
            scratch: (0..threads.max(1)).map(|_| Scratch::default()).collect(),
            step: 0,
            step_work: 0,
            bounds: Vec::new(),
            tasks: Vec::new(),
            sorting: Sorting::default(),
            is_whole: false,
            pieces: 1,
            lets_go: true,
            total: total.map(Natural::from),
            work: None,
            work_done: 0,
            stats: SweepStats { peak_states: 1, ..SweepStats::default() },
            bytes_needed: 0,
            plan_bytes: Sweep::plan_bytes(graph),
            samples,
            needs: None,
            keeps_layers: false,
            workers: threads.max(1),
            most_workers: threads.max(1),
            seal: Seal::new(Kind::Checkpoint, ENGINE, &asked),
            spill_dir: None,
            spill: None,
            key_spill: None,
            fault: None,
        })
    }

    /// Bytes that making the plan for a graph takes, from above.
    #[must_use]
    pub fn plan_bytes(graph: &Graph) -> u64 {
        // The step with its choices (46 of 16 bytes at most), two orders and the tables of one.
        graph.len() as u64 * 1024
    }

    /// A guess at the transitions of the whole sweep, from the widths of the frontier alone: of the right order for
    /// plain rectangles, too high for most other graphs. Ten nanoseconds each are a fair guess at the time.
    #[must_use]
    pub fn estimate(&self) -> f64 {
        if self.total.is_some() { 0.0 } else { self.plan.guess / 30.0 }
    }

    /// Goes on until the count is known or the budget refuses; then the next call goes on from there. A node of the
    /// budget is a group that is looked at or built. A pause for memory comes before the memory is taken;
    /// [`Sweep::bytes_needed`] then says how much would be needed.
    pub fn advance(&mut self, budget: &Budget) -> Result<Natural, Pause> {
        loop {
            if let Some(total) = self.advance_once(budget)? {
                return Ok(total);
            }
        }
    }

    /// Goes on to the next place between two steps, or two passes over groups, at most.
    pub(super) fn advance_once(&mut self, budget: &Budget) -> Result<Option<Natural>, Pause> {
        if self.total.is_some() {
            return Ok(self.total.clone());
        }
        self.workers = self.most_workers;
        if self.work.is_none() {
            self.look_ahead(budget)?;
            while let Err(why) = self.advance_groups(budget) {
                self.make_room(why, budget)?;
            }
            if self.groups.is_done() {
                let work = |layer| self.groups.keys(layer).map(|keys| keys.iter().map(work_of).sum::<u64>());
                let work = (1..self.groups.layers.len()).map(work).sum::<Result<u64, StoreError>>();
                self.work = Some(work.map_err(|error| self.fail(error))?);
            }
            return Ok(None);
        }
        self.tables.limit(budget.memory_limit());
        if self.step < self.plan.steps.len() {
            while let Err(why) = self.advance_step(budget) {
                match why {
                    Halt::Pause(why) => self.make_room(why, budget)?,
                    Halt::Store(error) => return Err(self.fail(error)),
                    Halt::Unsuited(_) | Halt::Misuse(_) => unreachable!("a sweep that was begun is suited"),
                }
            }
            return Ok(None);
        }
        let total = self.layer.total().map_err(|error| self.fail(error))?;
        let total = Natural::from_limbs(total).times(self.plan.times);
        self.total = Some(match self.arithmetic {
            Arithmetic::Exact => total,
            Arithmetic::Residue(modulus) => total.modulo(modulus),
        });
        if self.stats.peak_bytes > LARGE {
            (self.layer, self.groups) = (Layer::default(), ReachableMasks::new(&self.plan));
            self.scratch.iter_mut().for_each(|scratch| *scratch = Scratch::default());
            heap::give_back();
        }
        Ok(self.total.clone())
    }

    /// Says early what the sweep would find out late: that it needs many times the memory there is.
    fn look_ahead(&mut self, budget: &Budget) -> Result<(), Pause> {
        if let Some(samples) = &mut self.samples
            && (self.groups.looked_at_next() >= MANY || self.plan.guess > DOUBTFUL)
        {
            self.needs = Some(samples.advance(budget)?.needs());
            self.samples = None;
        }
        let bytes = self.bytes_expected();
        let far = if self.spill_dir.is_some() { FAR_BESIDE_DISK } else { FAR };
        budget.check_memory((bytes / far) as u64).inspect_err(|_| self.bytes_needed = bytes as u64)
    }

    /// After a pause for want of memory: what is expected may tell more than the layer at work.
    fn tell_what_is_expected(&mut self, budget: &Budget) -> Result<(), Pause> {
        if self.work.is_none()
            && let Some(samples) = &mut self.samples
        {
            self.needs = Some(samples.advance(budget)?.needs());
            self.samples = None;
        }
        self.bytes_needed = self.bytes_needed.max(self.bytes_expected() as u64);
        Ok(())
    }

    /// Bytes of memory that it is expected to need; 0 if nobody looked ahead.
    fn bytes_expected(&self) -> f64 {
        let Some(needs) = self.needs else { return 0.0 };
        let layers = if self.keeps_layers { needs.image } else { 0.0 };
        layers + if self.spill_dir.is_some() { needs.keys } else { needs.memory }
    }

    fn advance_groups(&mut self, budget: &Budget) -> Result<(), Pause> {
        self.groups.beside = self.fixed_bytes();
        let result = self.groups.advance(&self.plan, budget, &mut self.scratch[..self.workers]);
        self.groups.beside = 0;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.groups.peak_bytes);
        if result == Err(Pause::Limit(Limit::Memory)) {
            self.bytes_needed = self.groups.bytes_needed;
        }
        result
    }

    fn fail(&mut self, error: StoreError) -> Pause {
        self.fault = Some(error);
        Pause::Limit(Limit::Cancelled)
    }

    /// The file for what does not fit, if there is a directory for it.
    pub(super) fn spill(&mut self) -> Result<Option<Arc<Spill>>, StoreError> {
        Sweep::spill_of(&self.spill_dir, &mut self.spill)
    }

    pub(super) fn spill_of(
        directory: &Option<PathBuf>,
        spill: &mut Option<Arc<Spill>>,
    ) -> Result<Option<Arc<Spill>>, StoreError> {
        if spill.is_none()
            && let Some(directory) = directory
        {
            *spill = Some(Arc::new(Spill::create(directory)?));
        }
        Ok(spill.clone())
    }

    /// After a pause for want of memory: moves to disk what is best missed. Gives the pause back if there is nothing.
    fn make_room(&mut self, why: Pause, budget: &Budget) -> Result<(), Pause> {
        if why != Pause::Limit(Limit::Memory) {
            return Err(why);
        }
        match self.try_to_make_room(budget) {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.tell_what_is_expected(budget)?;
                Err(why)
            }
            Err(Halt::Pause(why)) => Err(why),
            Err(Halt::Store(error)) => Err(self.fail(error)),
            Err(Halt::Unsuited(_) | Halt::Misuse(_)) => Err(why),
        }
    }

    fn try_to_make_room(&mut self, budget: &Budget) -> Result<bool, Halt> {
        Ok(self.spill_something(budget)? || self.let_fewer_work())
    }

    fn spill_something(&mut self, budget: &Budget) -> Result<bool, Halt> {
        let Some(spill) = self.spill()? else { return Ok(false) };
        let Some(key_spill) = Sweep::spill_of(&self.spill_dir, &mut self.key_spill)? else { return Ok(false) };
        let stay = if self.work.is_none() { self.groups.at_work() } else { [self.step + 1; 2] };
        if self.groups.spill(&stay, &key_spill)? {
            return Ok(true);
        }
        let mut is_any = false;
        for block in self.tasks.iter_mut().flatten().flatten().filter(|block| block.is_in_memory()) {
            budget.go_on()?;
            block.spill(&spill)?;
            is_any = true;
        }
        if !is_any && self.layer.is_in_memory() {
            // Not to the file of the states to come, which will outlive these.
            let Some(spill) = Sweep::spill_of(&self.spill_dir, &mut None)? else { return Ok(false) };
            self.layer.spill(&spill, budget)?;
            is_any = true;
        }
        Ok(is_any)
    }

    /// Each worker has lists of its own, as long as those of the largest task that it had: half of the workers, for the rest
    /// of the step, since in the next slice all of them would run out of memory again.
    fn let_fewer_work(&mut self) -> bool {
        if self.workers == 1 {
            return false;
        }
        self.workers = self.workers.div_ceil(2);
        self.most_workers = self.workers;
        self.scratch.iter_mut().for_each(|scratch| *scratch = Scratch::default());
        true
    }

    /// Puts the keys of the layer to come into bins, and makes a task of each.
    pub(super) fn set_up_step(&mut self, budget: &Budget) -> Result<(), Pause> {
        let layer = self.step + 1;
        let fetched = self.groups.fetch(layer, self.own_bytes(), budget);
        if fetched == Err(Pause::Limit(Limit::Memory)) {
            self.bytes_needed = self.groups.bytes_needed;
        }
        fetched?;
        let keys = &mut self.groups.layers[layer];
        if self.step_work == 0 {
            self.step_work = keys.iter().map(work_of).sum();
        }
        let tasks = tasks_of(self.step_work);
        self.bounds = self.sorting.advance(Partition::new(&self.plan, self.step, tasks), keys, budget, |_, _| ())?;
        self.tasks = (0..tasks).map(|_| None).collect();
        self.pieces = self.pieces_after();
        Ok(())
    }

    pub(super) fn leave_step(&mut self) {
        (self.step_work, self.sorting, self.most_workers) = (0, Sorting::default(), self.scratch.len());
        self.bounds.clear();
        self.tasks.clear();
    }

    /// This many bytes more count as in use from now on.
    pub(super) fn hold(&mut self, bytes: u64) {
        self.plan_bytes += bytes;
    }

    /// Bytes in use, the groups built by the step at work aside.
    pub(super) fn own_bytes(&self) -> u64 {
        self.bytes_beside_layer() + self.layer.bytes()
    }

    /// Bytes that do not depend on the states: of the plan, and of what each worker needs beside its lists.
    fn fixed_bytes(&self) -> u64 {
        let writing = if self.spill_dir.is_some() { WRITING } else { 0 };
        self.plan_bytes + self.workers as u64 * (WORKER + writing)
    }

    fn bytes_beside_layer(&self) -> u64 {
        self.fixed_bytes()
            + self.groups.bytes()
            + self.tables.bytes()
            + Sorting::bytes(self.tasks.len())
            + self.scratch.iter().map(Scratch::bytes).sum::<u64>()
    }

    /// Bytes of what the step at work has built.
    fn built_bytes(&self) -> u64 {
        self.tasks.iter().flatten().flatten().map(StateBlock::bytes).sum()
    }

    fn advance_step(&mut self, budget: &Budget) -> Result<(), Halt> {
        if self.bounds.is_empty() {
            self.set_up_step(budget)?;
        }
        // From the last one down, so that the list of groups gets shorter.
        for turn in (0..self.layer.turns()).rev() {
            let bins = self.layer.bins(turn, self.tasks.len());
            if self.tasks[bins.clone()].iter().any(Option::is_none) {
                self.advance_turn(turn, bins, budget)?;
            }
            self.layer.release(turn, self.tasks.len());
        }
        // The states before the step have done their duty.
        self.layer = Layer::default();
        let mut tasks = std::mem::take(&mut self.tasks);
        let portions = self.portions_of(&mut tasks, budget);
        let assembled = portions.as_ref().map_or(0, |&portions| Layer::bytes_to_assemble(&tasks, portions));
        self.tasks = tasks;
        let portions = portions?;
        let assembled = self.own_bytes() + self.built_bytes() + assembled;
        self.bytes_needed = assembled;
        budget.check_memory(assembled)?;
        self.stats.peak_bytes = self.stats.peak_bytes.max(assembled);
        self.work_done += self.step_work;
        let blocks: Vec<StateBlock> = self.tasks.drain(..).flatten().flatten().collect();
        self.stats.transitions += blocks.iter().map(|block| block.transitions).sum::<u64>();
        self.layer = Layer::new(blocks, self.pieces, portions)?;
        // What the next step writes goes to a file of its own, so that this one can go with the layer.
        self.spill = None;
        self.stats.steps += 1;
        self.stats.states += self.layer.states;
        self.stats.groups += self.layer.count;
        self.stats.peak_states = self.stats.peak_states.max(self.layer.states);
        self.groups.layers[self.step + 1] = Vec::new();
        self.leave_step();
        self.step += 1;
        Ok(())
    }

    /// In how many portions the groups of a layer of these blocks are to be brought in. If it is more than one, the
    /// blocks are on disk afterwards.
    pub(super) fn portions_of(
        &mut self,
        blocks: &mut [Option<Vec<StateBlock>>],
        budget: &Budget,
    ) -> Result<usize, Halt> {
        if self.spill_dir.is_none() || self.is_whole {
            return Ok(1);
        }
        let portions = (Layer::bytes_to_assemble(blocks, 1)).div_ceil((budget.memory() / LISTS).max(1)).max(1);
        if portions > 1
            && let Some(spill) = self.spill()?
        {
            for block in blocks.iter_mut().flatten().flatten() {
                budget.go_on()?;
                block.spill(&spill)?;
            }
        }
        Ok(portions as usize)
    }

    /// In how many pieces the states after the step at work are let go in the step after it.
    fn pieces_after(&self) -> usize {
        let next = self.step + 2;
        if !self.lets_go || self.spill_dir.is_some() || next >= self.groups.layers.len() {
            return 1;
        }
        let is_large = || tasks_of(self.groups.layers[next].iter().map(work_of).sum()) >= MANY_TASKS;
        if is_large() { PIECES_OF_LAYER } else { 1 }
    }

    /// Does the tasks of a turn of the bins.
    fn advance_turn(&mut self, turn: usize, bins: Range<usize>, budget: &Budget) -> Result<(), Halt> {
        // Half of the memory is for states as they come, the rest for what they are made with.
        let spill = if self.spill_dir.is_some() { self.spill()? } else { None };
        let piece = (budget.memory() / PIECES / self.workers as u64).max(WRITING);
        let spill = spill.as_ref().map(|spill| (spill, [budget.memory() / 2, piece]));
        let held = self.bytes_beside_layer() + self.built_bytes();
        let all_bins = Partition::new(&self.plan, self.step, self.tasks.len());
        self.layer.fetch(turn, all_bins, (held, &mut self.bytes_needed), budget)?;
        let own = self.own_bytes();
        self.scratch.iter_mut().for_each(|scratch| scratch.share = scratch.bytes());
        // More may be held than in the step before, such as for more workers.
        self.bytes_needed = own + self.built_bytes();
        budget.check_memory(self.bytes_needed)?;
        let account = Account::new(budget, self.bytes_needed);
        let fault = Mutex::new(None);
        let keys = &self.groups.layers[self.step + 1];
        let pull = Transition {
            plan: &self.plan,
            step: &self.plan.steps[self.step],
            next: (self.step + 1 < self.plan.steps.len()).then(|| Partition::new(&self.plan, self.step + 1, 1)),
            pieces: self.pieces,
            layer: &self.layer,
            tables: &self.tables,
            tuning: self.tuning,
            arithmetic: self.arithmetic,
            account: &account,
            spill,
            fault: &fault,
        };
        let first = bins.start;
        let bounds = &self.bounds;
        let result = workers::run(
            budget,
            workers::enough(&mut self.scratch[..self.workers], keys.len(), FOR_A_THREAD),
            &mut self.tasks[bins],
            |task| (bounds[first + task + 1] - bounds[first + task]) as u64,
            |task, scratch| {
                let bin = first + task;
                pull.groups(bin, &keys[bounds[bin]..bounds[bin + 1]], scratch)
            },
        );
        let (most, refused) = account.most_and_refused();
        self.stats.peak_bytes = self.stats.peak_bytes.max(most);
        if let Some(error) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        if result == Err(Pause::Limit(Limit::Memory)) {
            // The rest of the layer as it has been so far.
            let done = self.done_in_step();
            let grown = self.built_bytes() as f64 * (self.step_work as f64 / done.max(1) as f64);
            self.bytes_needed = refused.max(own.saturating_add(grown as u64));
        }
        Ok(result?)
    }

    /// The work of the tasks of the step that are done.
    fn done_in_step(&self) -> u64 {
        let Some(keys) = self.groups.layers.get(self.step + 1) else { return 0 };
        let done = (0..self.tasks.len()).filter(|&task| self.tasks[task].is_some());
        done.flat_map(|task| &keys[self.bounds[task]..self.bounds[task + 1]]).map(work_of).sum()
    }

    /// How far it is. First the groups are found, about a tenth of the time; how many are to be looked at is known when
    /// the two sides have met. Then their states are built: the total is a number of them from above.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Some(total) = self.work else {
            return Progress {
                done: self.groups.looked_at(),
                total: self.groups.to_look_at(),
                message: "groups".into(),
            };
        };
        Progress { done: self.work_done + self.done_in_step(), total: Some(total), message: "states".into() }
    }

    /// What it has done.
    #[must_use]
    pub fn stats(&self) -> SweepStats {
        self.stats
    }

    /// After a pause for memory: bytes that the layer at work would need in all, as far as can be told.
    #[must_use]
    pub fn bytes_needed(&self) -> u64 {
        self.bytes_needed
    }

    /// After a pause for memory: how many bits of residues may let the count fit; none if its weights are no wider.
    #[must_use]
    pub fn bits_that_may_fit(&self) -> Option<u32> {
        let blocks = || self.tasks.iter().flatten().flatten().chain(&self.layer.blocks);
        let states: u64 = blocks().map(|block| block.states).sum();
        let bytes: u64 = blocks().map(StateBlock::bytes_of_weights).sum();
        [32u32, 16].into_iter().find(|&bits| 0 < states && u64::from(bits) / 8 * states * 5 / 4 < bytes)
    }

    /// The most squares in play between two steps, the apex among them.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.plan.width
    }
}

/// Whether a request asks for squares at steps that its ends and moves do not tell: the sweep does not know them.
#[must_use]
pub fn needs_steps(request: &Request) -> bool {
    !request.terms().steps.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::moves::{Leaper, Wrap};
    use crate::engines::frontier::Starts;

    fn count(request: &Request, tuning: Tuning) -> (String, SweepStats) {
        let mut sweep = Sweep::new(request, &Graph::new(request), 1).unwrap();
        sweep.tuning = tuning;
        let total = sweep.advance(&Budget::unlimited()).unwrap();
        (total.to_string(), sweep.stats())
    }

    /// What samples tell is not far more than what the sweep takes: nothing is refused that fits.
    #[test]
    fn samples_do_not_tell_too_much() {
        let build = |rows, cols, leaper: (u32, u32), wrap| {
            Board::build(rows, cols, [], Leaper::new(leaper.0, leaper.1), wrap).unwrap()
        };
        let board = |rows, cols| build(rows, cols, (1, 2), Wrap::None);
        for request in [
            Request::closed(board(6, 8)),
            Request::open(board(5, 8)),
            Request::open(board(6, 6)).with_start(0).unwrap(),
            Request::open(board(6, 7)).with_start(1).and_then(|r| r.with_end(8)).unwrap(),
            Request::closed(board(7, 8)).with_included(0, 10).and_then(|r| r.with_excluded(1, 11)).unwrap(),
            Request::closed(Board::build(7, 7, [24, 0, 9], Leaper::KNIGHT, Wrap::None).unwrap()),
            Request::closed(build(6, 6, (1, 2), Wrap::Cols)),
            Request::closed(build(4, 5, (1, 2), Wrap::Both)),
            Request::closed(build(3, 7, (1, 2), Wrap::Both)),
            Request::open(build(4, 5, (1, 2), Wrap::Cols)),
            Request::closed(build(8, 8, (2, 3), Wrap::None)),
            Request::closed(build(6, 6, (0, 1), Wrap::None)),
        ] {
            let graph = Graph::new(&request);
            let course = Course::new(&graph, &Budget::unlimited()).unwrap().with_few_layers(LAYERS);
            let needs = Sampled::roughly(course, SAMPLES).advance(&Budget::unlimited()).unwrap().needs();
            let mut sweep = Sweep::new(&request, &graph, 1).unwrap();
            let course = Course::new(&graph, &Budget::unlimited()).unwrap();
            let known = sweep.forecast(&course, &Budget::unlimited()).unwrap().needs();
            sweep.advance(&Budget::unlimited()).unwrap();
            let peak = sweep.stats().peak_bytes as f64;
            assert!(needs.memory < FAR / 3.0 * peak, "{request:?}: {needs:?} for {peak}");
            assert!(needs.keys < 1.8 * known.keys, "{request:?}: {needs:?} for {known:?}");
        }
    }

    #[test]
    fn a_table_of_starts_tells_which_is_at_work() {
        let request = Request::open(Board::new(6, 6).unwrap());
        let mut starts = Starts::new(&request, 1, &Budget::unlimited()).unwrap();
        assert_eq!(starts.progress().total, Some(6));
        let few = Budget::new(crate::run::Limits { nodes: Some(100), ..Default::default() });
        assert!(starts.advance(&few).is_err());
        assert_eq!(starts.progress().message, "start 1 of 6: groups");
    }

    /// A look is for what may be too large.
    #[test]
    fn small_counts_are_not_looked_at() {
        for (request, is_looked_at) in [
            (Request::closed(Board::new(6, 6).unwrap()), false),
            (Request::open(Board::new(6, 6).unwrap()), false),
            (Request::closed(Board::new(12, 12).unwrap()), true),
        ] {
            let sweep = Sweep::new(&request, &Graph::new(&request), 1).unwrap();
            assert_eq!(sweep.samples.is_some(), is_looked_at, "{request:?}");
        }
    }

    #[test]
    fn every_way_of_working_gives_the_same() {
        let usual = Tuning::default();
        let torus = Board::build(4, 4, [], Leaper::KNIGHT, Wrap::Both).unwrap();
        let board = |rows, cols| Board::new(rows, cols).unwrap();
        for (request, expected) in [
            (Request::closed(board(6, 6)), "9862"),
            (Request::closed(board(5, 8)), "44202"),
            (Request::open(board(5, 5)), "1728"),
            (Request::open(board(4, 7)), "12756"),
            (Request::open(board(4, 6)).with_start(1).unwrap(), "116"),
            (Request::closed(torus), "1344"),
        ] {
            for tuning in [
                usual,
                Tuning { dense: 0, ..usual },
                Tuning { dense: 15, ..usual },
                Tuning { dense: 15, narrow_ends: 4, ..usual },
                Tuning { least_limbs: 2, ..usual },
                Tuning { dense: 0, narrow_ends: 0, least_limbs: 3 },
            ] {
                let (total, stats) = count(&request, tuning);
                assert_eq!(total, expected, "{request:?} {tuning:?}");
                assert_eq!(stats.transitions, count(&request, usual).1.transitions);
                assert_eq!(stats.states, count(&request, usual).1.states);
                for number in [5, 65521, 4294967291] {
                    let options = SweepOptions { modulus: Modulus::new(number), ..SweepOptions::on(1) };
                    let graph = Graph::new(&request);
                    let mut sweep = Sweep::begin(&request, &graph, options, &Budget::unlimited()).unwrap();
                    sweep.tuning = tuning;
                    let found = sweep.advance(&Budget::unlimited()).unwrap().to_string();
                    assert_eq!(found, (expected.parse::<u64>().unwrap() % number).to_string(), "{tuning:?} {number}");
                }
            }
        }
    }
}
