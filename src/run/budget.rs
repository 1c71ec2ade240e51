//! How runs stop: limits, cancelling, slices and progress.
//!
//! Every long loop is a resumable step. It asks its [`Budget`] for a handful of nodes at a time
//! ([`Budget::take`]) and returns when it is refused, keeping its state so that the next call goes on
//! where it left off. Whoever drives it sets a slice of time, and between slices looks at signals,
//! reports progress, or simply calls again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The time limit.
    Time,
    /// The node limit (or an engine's own number of attempts).
    Nodes,
    /// The memory limit.
    Memory,
    /// Somebody cancelled the run.
    Cancelled,
}

impl Limit {
    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Nodes => "nodes",
            Limit::Memory => "memory",
            Limit::Cancelled => "cancelled",
        }
    }
}

/// Why a step returned before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The slice is over: call again.
    Slice,
    /// A limit is reached: nothing more will come.
    Limit(Limit),
}

/// The limits of a run; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Nodes (an engine's unit of work, documented with it).
    pub nodes: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// A switch that stops the runs it was given to, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops them.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether they were stopped.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Units of work done, of the kind that `message` names.
    pub done: u64,
    /// All units of work, where known.
    pub total: Option<u64>,
    /// What is being done.
    pub message: String,
}

/// Bytes that no machine is too small for: looking at what is free would take longer than many a run.
const ALWAYS_THERE: u64 = 1 << 26;

/// More bytes than any machine has: what would take this many, or cannot be done for its size, is refused whatever the
/// limit. Some of them can be added up.
pub const NO_MACHINE: u64 = 1 << 57;

/// What a run may still spend. Shared by the threads of a run.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    slice_end: Option<Instant>,
    limits: Limits,
    spent: AtomicU64,
    safe_memory: OnceLock<u64>,
    cancels: Vec<Cancel>,
}

impl Budget {
    /// A budget that starts now.
    #[must_use]
    pub fn new(limits: Limits) -> Budget {
        let started = Instant::now();
        Budget {
            started,
            // A limit beyond what the clock can say is no limit.
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            slice_end: None,
            limits,
            spent: AtomicU64::new(0),
            safe_memory: OnceLock::new(),
            cancels: Vec::new(),
        }
    }

    /// Without limits.
    #[must_use]
    pub fn unlimited() -> Budget {
        Budget::new(Limits::default())
    }

    /// Gives the run one more switch to be stopped with.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Option<Cancel>) -> Budget {
        self.cancels.extend(cancel);
        self
    }

    /// The switches.
    #[must_use]
    pub fn cancels(&self) -> &[Cancel] {
        &self.cancels
    }

    /// The limits it was made with.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// From now on [`Budget::take`] answers [`Pause::Slice`] after this time.
    pub fn begin_slice(&mut self, length: Duration) {
        self.slice_end = Some(Instant::now() + length);
    }

    /// Claims up to `wanted` nodes and says how many may be spent: at least one. Give back what is
    /// not spent. Reads the clock, so ask for some microseconds' worth of work.
    pub fn take(&self, wanted: u64) -> Result<u64, Pause> {
        if self.is_cancelled() {
            return Err(Pause::Limit(Limit::Cancelled));
        }
        if self.deadline.is_some() || self.slice_end.is_some() {
            let now = Instant::now();
            if self.deadline.is_some_and(|deadline| now >= deadline) {
                return Err(Pause::Limit(Limit::Time));
            }
            if self.slice_end.is_some_and(|end| now >= end) {
                return Err(Pause::Slice);
            }
        }
        let Some(limit) = self.limits.nodes else {
            self.spent.fetch_add(wanted, Ordering::Relaxed);
            return Ok(wanted);
        };
        let before = self
            .spent
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |spent| {
                (spent < limit).then(|| spent + wanted.min(limit - spent))
            })
            .map_err(|_| Pause::Limit(Limit::Nodes))?;
        Ok(wanted.min(limit - before))
    }

    /// Whether a limit ends what does not go in slices: as [`Budget::take`] of nothing, but for the slice.
    pub fn go_on(&self) -> Result<(), Pause> {
        match self.take(0) {
            Err(why @ Pause::Limit(_)) => Err(why),
            Ok(_) | Err(Pause::Slice) => Ok(()),
        }
    }

    /// The same once in some microseconds of a loop, of which this is step number `at`.
    #[inline]
    pub fn go_on_at(&self, at: usize) -> Result<(), Pause> {
        if at % 1024 == 1023 { self.go_on() } else { Ok(()) }
    }

    /// Gives back nodes that were claimed and not spent.
    pub fn give_back(&self, unspent: u64) {
        self.spent.fetch_sub(unspent, Ordering::Relaxed);
    }

    /// A part of what is left: at most this many nodes, and all else as it is here. Its nodes are not
    /// counted here until they are charged ([`Budget::charge`]).
    #[must_use]
    pub fn part(&self, nodes: u64) -> Budget {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.spent()));
        Budget {
            limits: Limits { nodes: Some(nodes.min(left)), ..self.limits },
            spent: AtomicU64::new(0),
            safe_memory: self.safe_memory.clone(),
            cancels: self.cancels.clone(),
            ..*self
        }
    }

    /// Does a part of a run that has nodes of its own: what it spends is taken from them, and counted here.
    pub fn part_of<T>(&self, left: &mut u64, work: impl FnOnce(&Budget) -> T) -> T {
        let part = self.part(*left);
        let done = work(&part);
        *left = left.saturating_sub(part.spent());
        self.charge(part.spent());
        done
    }

    /// All that is left, but for so long at most: then [`Budget::take`] answers [`Pause::Slice`]. To be
    /// charged as a part is.
    #[must_use]
    pub fn within(&self, length: Duration) -> Budget {
        let end = Instant::now().checked_add(length);
        let slice_end = [self.slice_end, end].into_iter().flatten().min();
        Budget { slice_end, ..self.part(u64::MAX) }
    }

    /// All that is left, in one slice. To be charged as a part is.
    #[must_use]
    pub fn unsliced(&self) -> Budget {
        Budget { slice_end: None, ..self.part(u64::MAX) }
    }

    /// Whether somebody cancelled the run.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancels.iter().any(Cancel::is_cancelled)
    }

    /// Counts nodes that were spent without asking: a bounded number, before the run proper.
    pub fn charge(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes spent so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Whether the node limit is reached. Unlike [`Budget::take`] it does not ask the clock.
    pub fn check_nodes(&self) -> Result<(), Pause> {
        match self.limits.nodes {
            Some(limit) if self.spent() >= limit => Err(Pause::Limit(Limit::Nodes)),
            _ => Ok(()),
        }
    }

    /// Time since the run began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes that the run may take: [`Budget::check_memory`] refuses more.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.limits.memory.unwrap_or_else(|| ALWAYS_THERE.max(*self.safe_memory.get_or_init(safe_memory)))
    }

    /// Whether this many bytes are within the memory limit; without one, within what the machine can
    /// safely give ([`safe_memory`], asked once, when it first matters).
    pub fn check_memory(&self, bytes: u64) -> Result<(), Pause> {
        let within = match self.limits.memory {
            Some(limit) => bytes <= limit && bytes < NO_MACHINE,
            None => bytes <= ALWAYS_THERE || bytes <= *self.safe_memory.get_or_init(safe_memory),
        };
        if within { Ok(()) } else { Err(Pause::Limit(Limit::Memory)) }
    }

    /// The memory limit in bytes, if one was given.
    #[must_use]
    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }
}

/// A look at the budget now and then, for loops whose turns are too short to ask each time.
#[derive(Debug)]
pub(crate) struct Watch<'b> {
    budget: &'b Budget,
    /// Turns until the next look.
    left: u64,
    /// Whether each turn is a node.
    counts: bool,
}

impl<'b> Watch<'b> {
    /// Some microseconds' worth of turns.
    const TURNS: u64 = 512;

    /// One that takes no nodes.
    pub(crate) fn new(budget: &'b Budget) -> Watch<'b> {
        Watch { budget, left: 0, counts: false }
    }

    /// One that takes a node for each turn.
    pub(crate) fn counting(budget: &'b Budget) -> Watch<'b> {
        Watch { budget, left: 0, counts: true }
    }

    /// To be called at each turn; the loop can be gone on with after an error.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Pause> {
        if self.left == 0 {
            let granted = self.budget.take(if self.counts { Watch::TURNS } else { 0 })?;
            self.left = if self.counts { granted } else { Watch::TURNS };
        }
        self.left -= 1;
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if self.counts {
            self.budget.give_back(self.left);
        }
    }
}

/// Bytes that a run may take where no limit is given: three quarters of what the machine, or the
/// container it runs in, has free.
#[must_use]
pub fn safe_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    // A machine that does not tell is taken for a small one.
    let free = match system.available_memory() {
        0 => 1 << 30,
        free => free,
    };
    free.min(container) / 4 * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_exactly() {
        let budget = Budget::new(Limits { nodes: Some(10), ..Limits::default() });
        assert_eq!(budget.take(6), Ok(6));
        budget.give_back(2);
        assert_eq!(budget.take(20), Ok(6));
        assert_eq!(budget.spent(), 10);
        assert_eq!(budget.take(1), Err(Pause::Limit(Limit::Nodes)));
        assert_eq!(budget.spent(), 10);
    }

    #[test]
    fn time_slices_and_cancelling_stop() {
        let mut budget = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(budget.take(1), Err(Pause::Limit(Limit::Time)));
        budget = Budget::unlimited();
        assert_eq!(budget.take(1), Ok(1));
        budget.begin_slice(Duration::ZERO);
        assert_eq!(budget.take(1), Err(Pause::Slice));
        let cancel = Cancel::default();
        let budget = Budget::new(Limits { time: Some(Duration::MAX), ..Limits::default() });
        let budget = budget.with_cancel(Some(cancel.clone()));
        assert_eq!(budget.take(1), Ok(1));
        cancel.cancel();
        assert_eq!(budget.take(1), Err(Pause::Limit(Limit::Cancelled)));
        let small = Budget::new(Limits { memory: Some(100), ..Limits::default() });
        assert!(small.check_memory(100).is_ok() && small.check_memory(101).is_err());
        let large = Budget::new(Limits { memory: Some(u64::MAX), ..Limits::default() });
        assert!(large.check_memory(NO_MACHINE - 1).is_ok() && large.check_memory(NO_MACHINE).is_err());
    }
}
