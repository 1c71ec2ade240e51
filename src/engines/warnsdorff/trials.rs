//! Many runs of the rule, on threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::degrees::{Degrees, SLICE};
use super::{Run, Ties, Walk};
use crate::board::Board;
use crate::run::{Budget, Halt, Limit, Misuse, Pause, Progress, Task, workers};

/// Many runs of one kind. Run number i draws from stream i of the seed, so that the outcome does not
/// depend on the threads that share the work.
#[derive(Clone, Debug)]
pub struct Trials {
    walk: Walk,
    trials: u64,
    /// The number of the first run.
    first: u64,
    seed: u64,
    threads: usize,
    /// The onward moves of the empty board, copied at the start of each run.
    fresh: Degrees,
    workers: Vec<Worker>,
    next: u64,
    lengths: Vec<u32>,
    completed: u64,
    done: u64,
}

/// What one thread has under way, on cache lines of its own.
#[repr(align(128))]
#[derive(Clone, Debug)]
struct Worker {
    walk: Walk,
    degrees: Vec<u8>,
    trial: Option<u64>,
    finished: Vec<(u64, u32)>,
}

impl Trials {
    /// `trials` runs on `threads` threads (at least one), each from `start` or from a square of its own.
    pub fn new(
        board: &Board,
        trials: u64,
        start: Option<u32>,
        ties: Ties,
        seed: u64,
        threads: usize,
    ) -> Result<Trials, Misuse> {
        let walk = Walk::new(board, start, ties)?;
        let threads = threads.clamp(1, 1024).min(usize::try_from(trials).unwrap_or(usize::MAX).max(1));
        Ok(Trials {
            walk,
            trials,
            first: 0,
            seed,
            threads,
            fresh: Degrees::default(),
            workers: Vec::new(),
            next: 0,
            lengths: Vec::new(),
            completed: 0,
            done: 0,
        })
    }

    /// The same, with the runs numbered from `first`: a part of more trials, for others to do the rest.
    #[must_use]
    pub fn numbered_from(self, first: u64) -> Trials {
        Trials { first, ..self }
    }

    /// Where each run starts, found again without running it. Takes four bytes a run, and four a square where some are
    /// blocked.
    #[must_use]
    pub fn starts(&self) -> Vec<u32> {
        let (board, mut walk) = (&self.walk.board, self.walk.clone());
        let open: Vec<u32> = if board.is_rectangle() { Vec::new() } else { board.open_squares().collect() };
        let start = |run: u64| {
            walk.begin(self.seed, self.first.wrapping_add(run));
            walk.first_open().unwrap_or_else(|nth| open.get(nth).copied().unwrap_or(nth as u32))
        };
        (0..self.trials).map(start).collect()
    }

    /// Bytes of memory that the trials take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let board = &self.walk.board;
        (Run::bytes(board) * self.threads as u64 + board.squares()).saturating_add(self.trials.saturating_mul(4))
    }

    /// How many runs were asked for.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// How many runs have ended.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many runs visited every open square.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.completed
    }

    /// How many squares each run visited, by its number; 0 for those that have not ended yet.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

impl Task for Trials {
    type Answer = ();

    /// Goes on until all runs have ended or the budget pauses; then call again. A node is a step.
    fn advance(&mut self, budget: &Budget) -> Result<(), Halt> {
        if self.workers.is_empty() {
            budget.check_memory(self.bytes())?;
            let trials = usize::try_from(self.trials).map_err(|_| Pause::Limit(Limit::Memory))?;
            // Zeros that the system hands out when they are first touched.
            self.lengths = vec![0; trials];
            for _ in 0..self.threads {
                let mut walk = self.walk.clone();
                walk.reserve()?;
                let is_word = self.walk.board.table().is_some();
                let degrees = bytes(if is_word { 0 } else { self.walk.board.squares() })?;
                self.workers.push(Worker { walk, degrees, trial: None, finished: Vec::new() });
            }
        }
        if self.walk.board.table().is_none() {
            self.fresh.fill(&self.walk.board, budget)?;
        }
        let next = AtomicU64::new(self.next);
        let (fresh, trials, first, seed) = (&self.fresh.bytes[..], self.trials, self.first, self.seed);
        let work = |worker: &mut Worker| worker.work(fresh, seed, first, trials, &next, budget);
        let outcome = workers::outcome(workers::together(&mut self.workers, work));
        self.next = next.into_inner().min(self.trials);
        for worker in &mut self.workers {
            for (trial, length) in worker.finished.drain(..) {
                self.lengths[trial as usize] = length;
                self.completed += u64::from(length as usize == self.walk.board.len());
                self.done += 1;
            }
        }
        Ok(outcome?)
    }

    fn progress(&self) -> Progress {
        Progress { done: self.done, total: Some(self.trials), message: "walking: trials".to_owned() }
    }

    fn squares(&self) -> usize {
        self.walk.board.len()
    }
}

impl Worker {
    fn work(
        &mut self,
        fresh: &[u8],
        seed: u64,
        first: u64,
        trials: u64,
        next: &AtomicU64,
        budget: &Budget,
    ) -> Result<(), Pause> {
        loop {
            let mut steps = budget.take(SLICE)?;
            while steps > 0 {
                let trial = match self.trial {
                    Some(trial) => trial,
                    None => {
                        let trial = next.fetch_add(1, Ordering::Relaxed);
                        if trial >= trials {
                            budget.give_back(steps);
                            return Ok(());
                        }
                        self.degrees.copy_from_slice(fresh);
                        self.walk.begin(seed, first.wrapping_add(trial));
                        self.trial = Some(trial);
                        trial
                    }
                };
                self.walk.advance(&mut self.degrees, &mut steps);
                if self.walk.ended {
                    self.finished.push((trial, self.walk.squares.len() as u32));
                    self.trial = None;
                }
            }
        }
    }
}

fn bytes(count: u64) -> Result<Vec<u8>, Pause> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count as usize).map_err(|_| Pause::Limit(Limit::Memory))?;
    bytes.resize(count as usize, 0);
    Ok(bytes)
}
