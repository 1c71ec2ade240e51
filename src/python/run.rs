//! The one loop that runs an engine for Python: off the interpreter's lock, slice by slice, with a
//! look at Ctrl-C, limits, cancelling and progress in between.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use super::detach::on_thread;
use super::registry::Asked;
use crate::answers::SLICE;
use crate::run::{Budget, Cancel, Halt, Limit, Progress, Task};

/// Between two calls of the progress function.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// Above this many squares a single step of an engine (building a graph, planning a sweep, checking a tour) may last
/// longer than a slice, so that the engine runs on a thread of its own, which can be left behind.
pub const LARGE: usize = 1 << 14;

/// So do runs of any size after this many slices: what they have built by then may take longer to put in order, to
/// write to a disk or to read than anybody would wait for after Ctrl-C.
const SHORT: u32 = 4;

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

/// What a run came to: the task, if it is still there to be asked; its answer, or why there is none; and the time it took.
pub type Ran<T> = (Option<T>, Result<<T as Task>::Answer, Halt>, Duration);

/// Runs a task to its answer, or to a limit.
pub fn drive<T: Task>(
    py: Python<'_>,
    mut task: T,
    mut budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ran<T>> {
    let mut report = Report { function: progress, at: None };
    let is_large = task.squares() > LARGE;
    if !is_large && !task.uses_files() {
        for _ in 0..SHORT {
            budget.begin_slice(SLICE);
            let answer = py.detach(|| task.advance(&budget));
            if answer.as_ref().err() != Some(&Halt::SLICE) {
                return Ok((Some(task), answer, budget.elapsed()));
            }
            py.check_signals()?;
            if report.is_due(budget.elapsed()) {
                report.call(py, &task.progress())?;
            }
        }
    }
    drive_apart(py, task, budget, is_large, report)
}

/// The same on a thread of its own. `is_cut`: where the time limit is passed, what the task does then is not waited for.
fn drive_apart<T: Task>(
    py: Python<'_>,
    mut task: T,
    budget: Budget,
    is_cut: bool,
    mut report: Report<'_, '_>,
) -> PyResult<Ran<T>> {
    let (abandon, unfinished) = (Cancel::default(), task.unfinished());
    let (time, cancels) = (budget.limits().time, budget.cancels().to_vec());
    let (began, started) = (budget.elapsed(), Instant::now());
    let mut budget = budget.with_cancel(Some(abandon.clone()));
    // Looked at where somebody wants to know, between two slices.
    let shown = report.function.map(|_| Arc::new(Mutex::new(task.progress())));
    let seen = shown.clone();
    let work = move || loop {
        budget.begin_slice(SLICE);
        let answer = task.advance(&budget);
        if answer.as_ref().err() != Some(&Halt::SLICE) {
            return (task, answer);
        }
        if let Some(shown) = &shown {
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = task.progress();
        }
    };
    let mut cut = None;
    let returned = on_thread(py, work, |py| {
        py.check_signals()?;
        let elapsed = began + started.elapsed();
        let late = is_cut && time.is_some_and(|time| elapsed > time + Duration::from_millis(30));
        cut =
            if cancels.iter().any(Cancel::is_cancelled) { Some(Limit::Cancelled) } else { late.then_some(Limit::Time) };
        if cut.is_some() {
            abandon.cancel();
            // A moment to come back and say what it did; if it does not, it is left behind.
            return Ok(Some(Duration::from_millis(70)));
        }
        if let Some(seen) = seen.as_ref().filter(|_| report.is_due(elapsed)) {
            let progress = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
            report.call(py, &progress)?;
        }
        Ok(None)
    })
    .inspect_err(|_| {
        abandon.cancel();
        unfinished.give_up();
    })?;
    let elapsed = began + started.elapsed();
    Ok(match (returned, cut) {
        (Some((mut task, _)), Some(limit)) => {
            let answer = task.best(limit).ok_or(limit.into());
            (Some(task), answer, elapsed)
        }
        (Some((task, answer)), None) => (Some(task), answer, elapsed),
        (None, limit) => {
            unfinished.give_up();
            (None, Err(limit.unwrap_or(Limit::Cancelled).into()), elapsed)
        }
    })
}

/// The progress function of a run.
struct Report<'a, 'py> {
    function: Option<&'a Bound<'py, PyAny>>,
    /// When it was last called.
    at: Option<Instant>,
}

impl Report<'_, '_> {
    fn is_due(&self, elapsed: Duration) -> bool {
        self.function.is_some() && elapsed >= PROGRESS_EVERY && self.at.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY)
    }

    fn call(&mut self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        if let Some(function) = self.function {
            function.call1((progress_object(py, progress)?,))?;
            self.at = Some(Instant::now());
        }
        Ok(())
    }
}

/// A `Progress` of Python's.
pub fn progress_object<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyAny>> {
    Asked::Progress.get(py)?.call1((progress.done, progress.total, &progress.message))
}
