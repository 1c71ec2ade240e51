//! The one loop that runs an engine for Python: off the interpreter's lock, slice by slice, with a
//! look at Ctrl-C, limits, cancelling and progress in between.

use crate::run::{Budget, Cancel, Halt, Limit, Pause, Progress};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::detach::on_thread;
use crate::answers::SLICE;
use crate::store::Unfinished;

/// Between two calls of the progress function.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// Above this many squares a single step of an engine (building a graph, planning a sweep, checking a tour) may last
/// longer than a slice, so that the engine runs on a thread of its own, which can be left behind.
pub const LARGE: usize = 1 << 14;

/// So do runs of any size after this many slices: what they have built by then may take longer to put in order, to
/// write to a disk or to read than anybody would wait for after Ctrl-C.
const SHORT: u32 = 4;

/// An engine with an answer to come.
pub trait Job: Send + 'static {
    /// What it answers.
    type Answer: Send + 'static;
    /// Goes on; `None` when the slice is over.
    fn advance(&mut self, budget: &Budget) -> Option<Self::Answer>;
    /// The answer where a limit is reached and the engine cannot be asked.
    fn stopped(limit: Limit) -> Self::Answer;
    /// The answer where a limit is reached and the engine is there.
    fn stop(&mut self, limit: Limit) -> Self::Answer {
        Self::stopped(limit)
    }
    /// How far it is.
    fn progress(&self) -> Progress;
    /// Squares of the board.
    fn squares(&self) -> usize;
    /// Whether it reads or writes files, which may take longer than a slice from the first one on.
    fn uses_files(&self) -> bool {
        false
    }
    /// The files that it is writing: where it is left behind, they go.
    fn unfinished(&self) -> Unfinished {
        Unfinished::default()
    }
}

/// ``cancel=``: an object that stops the runs it was given to, from any thread.
#[pyclass(name = "Cancel", module = "knightstour", frozen)]
#[derive(Default)]
pub struct PyCancel(pub Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Stops the runs that this object was given to, now and later.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether `cancel` was called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn __repr__(&self) -> &'static str {
        if self.0.is_cancelled() { "<Cancel: cancelled>" } else { "<Cancel>" }
    }
}

/// Runs a job to its answer. Returns the job as well, if it is still there to be asked.
pub fn drive<J: Job>(
    py: Python<'_>,
    job: J,
    mut budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Option<J>, J::Answer, Duration)> {
    let mut reported = None;
    let mut report = |job: &J, budget: &Budget| -> PyResult<()> {
        let Some(function) = progress else { return Ok(()) };
        let due = reported.is_none_or(|at: Instant| at.elapsed() >= PROGRESS_EVERY);
        if due && budget.elapsed() >= PROGRESS_EVERY {
            function.call1((progress_object(py, &job.progress())?,))?;
            reported = Some(Instant::now());
        }
        Ok(())
    };
    if job.squares() > LARGE {
        return drive_apart(py, job, budget, true, report);
    }
    if job.uses_files() {
        return drive_apart(py, job, budget, false, report);
    }
    let mut job = job;
    for _ in 0..SHORT {
        budget.begin_slice(SLICE);
        if let Some(answer) = py.detach(|| job.advance(&budget)) {
            return Ok((Some(job), answer, budget.elapsed()));
        }
        py.check_signals()?;
        report(&job, &budget)?;
    }
    drive_apart(py, job, budget, false, report)
}

/// The same, each slice on another thread. `is_cut`: where the time limit is passed, what the job does then is not waited
/// for.
fn drive_apart<J: Job>(
    py: Python<'_>,
    job: J,
    budget: Budget,
    is_cut: bool,
    mut report: impl FnMut(&J, &Budget) -> PyResult<()>,
) -> PyResult<(Option<J>, J::Answer, Duration)> {
    let (abandon, unfinished) = (Cancel::default(), job.unfinished());
    let limits = budget.limits();
    let (began, started, cancels) = (budget.elapsed(), Instant::now(), budget.cancels().to_vec());
    let elapsed = move || began + started.elapsed();
    let mut budget = budget.with_cancel(Some(abandon.clone()));
    let mut job = job;
    loop {
        let mut cut = None;
        let work = move || {
            budget.begin_slice(SLICE);
            let answer = job.advance(&budget);
            (job, budget, answer)
        };
        let returned = on_thread(py, work, |py| {
            py.check_signals()?;
            let late = is_cut && limits.time.is_some_and(|time| elapsed() > time + Duration::from_millis(30));
            cut = if cancels.iter().any(Cancel::is_cancelled) {
                Some(Limit::Cancelled)
            } else {
                late.then_some(Limit::Time)
            };
            Ok(cut.map(|_| {
                abandon.cancel();
                // A moment to come back and say what it did; if it does not, it is left behind.
                Duration::from_millis(70)
            }))
        })
        .inspect_err(|_| {
            abandon.cancel();
            unfinished.give_up();
        })?;
        let answer;
        (job, budget, answer) = match (returned, cut) {
            (Some(returned), None) => returned,
            (None, None) => unreachable!("only what is cut is left behind"),
            (Some((mut job, _, _)), Some(limit)) => {
                let answer = job.stop(limit);
                return Ok((Some(job), answer, elapsed()));
            }
            (None, Some(limit)) => {
                unfinished.give_up();
                return Ok((None, J::stopped(limit), elapsed()));
            }
        };
        if let Some(answer) = answer {
            return Ok((Some(job), answer, budget.elapsed()));
        }
        report(&job, &budget)?;
    }
}

/// A `Progress` of Python's.
pub fn progress_object<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "knightstour.results", "Progress")?;
    class.call1((progress.done, progress.total, &progress.message))
}

/// An answer of a job; none where the slice was over.
pub fn unless_sliced<T>(answer: Result<T, Halt>) -> Option<Result<T, Halt>> {
    match answer {
        Err(Halt::Pause(Pause::Slice)) => None,
        answer => Some(answer),
    }
}
