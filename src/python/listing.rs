//! The iterators over a collection's tours: one at a time, or many.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::answers::{stats_object, stopped};
use super::batch::PyBatch;
use super::detach::on_thread;
use super::errors::RequestError;
use super::limits::PyLimits;
use super::registry::Asked;
use super::run::{LARGE, PROGRESS_EVERY, progress_object};
use super::tour::PyTour;
use crate::answers::{Filled, List, Listed, PositionError, SLICE};
use crate::board::tour::Tour;
use crate::run::{Budget, Cancel, Limit, Pause};

/// Rows that a batch has room for before it is known to be long.
const FIRST_ROWS: usize = 4096;

/// The exception for a position that a listing cannot resume from.
pub fn refused(error: PositionError) -> PyErr {
    RequestError::new_err(error.to_string())
}

/// What a listing gives next.
enum Next<T> {
    Some(T),
    End,
    Limit(Limit),
    Refused(PositionError),
}

/// What is kept between two tours or batches.
struct State {
    list: List,
    budget: Budget,
    /// Squares of the tours of the batch to come.
    rows: Vec<u32>,
    /// Where the listing stood after the last batch.
    position: Option<Vec<u8>>,
}

/// A listing under its limits, driven from Python.
struct Driver {
    /// Held for a slice at most, and never while waiting for the interpreter.
    state: Arc<Mutex<State>>,
    /// Squares of the board.
    squares: usize,
    time: Option<Duration>,
    memory: Option<u64>,
    cancels: Vec<Cancel>,
    /// Ends the work that an exception leaves behind.
    abandon: Cancel,
    progress: Option<Py<PyAny>>,
    made: Instant,
    /// When signals were looked at, in milliseconds since then: loops written in C (`list`, `deque`) run
    /// no Python code between two tours.
    looked: AtomicU64,
    /// When progress was reported, in the same way.
    reported: AtomicU64,
}

impl Driver {
    fn new(list: List, given: &Bound<'_, PyLimits>) -> Driver {
        let (abandon, budget) = (Cancel::default(), given.get().budget());
        let (limits, cancels) = (budget.limits(), budget.cancels().to_vec());
        let squares = list.request().board().len();
        let position = list.position();
        let budget = budget.with_cancel(Some(abandon.clone()));
        Driver {
            state: Arc::new(Mutex::new(State { list, budget, rows: Vec::new(), position })),
            squares,
            time: limits.time,
            memory: limits.memory,
            cancels,
            abandon,
            progress: given.get().progress().map(|function| function.clone_ref(given.py())),
            made: Instant::now(),
            looked: AtomicU64::new(0),
            reported: AtomicU64::new(0),
        }
    }

    /// What comes next, slice by slice.
    fn next<T: Send + 'static>(
        &self,
        py: Python<'_>,
        advance: impl Fn(&mut State) -> Option<Next<T>> + Send + Sync + Copy + 'static,
    ) -> PyResult<Option<T>> {
        let now = self.made.elapsed().as_millis() as u64;
        if now > self.looked.load(Ordering::Relaxed) + 10 {
            self.looked.store(now, Ordering::Relaxed);
            py.check_signals()?;
            self.report(py, now)?;
        }
        let next = loop {
            let slice = move |state: &Mutex<State>| {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.budget.begin_slice(SLICE);
                advance(&mut state)
            };
            let next = if self.squares > LARGE {
                // A step may take long: it runs on a thread that can be left behind.
                let state = Arc::clone(&self.state);
                self.apart(py, move || slice(&state))?
            } else {
                py.detach(|| slice(&self.state))
            };
            if let Some(next) = next {
                break next;
            }
            py.check_signals()?;
            self.report(py, self.made.elapsed().as_millis() as u64)?;
        };
        match next {
            Next::Some(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Refused(error) => Err(refused(error)),
            Next::Limit(limit) => Err(self.stopped(py, limit, 0, "")),
        }
    }

    fn apart<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Option<Next<T>> + Send + 'static,
    ) -> PyResult<Option<Next<T>>> {
        let mut cut = None;
        let next = on_thread(py, work, |py| {
            py.check_signals()?;
            let late = self.time.is_some_and(|time| self.made.elapsed() > time + Duration::from_millis(50));
            cut = if self.cancels.iter().any(Cancel::is_cancelled) {
                Some(Limit::Cancelled)
            } else {
                late.then_some(Limit::Time)
            };
            Ok(cut.map(|_| {
                self.abandon.cancel();
                Duration::from_millis(100)
            }))
        })
        .inspect_err(|_| self.abandon.cancel())?;
        Ok(cut.map(Next::Limit).or_else(|| next.flatten()))
    }

    fn report(&self, py: Python<'_>, now: u64) -> PyResult<()> {
        let Some(function) = &self.progress else { return Ok(()) };
        if now < self.reported.load(Ordering::Relaxed) + PROGRESS_EVERY.as_millis() as u64 {
            return Ok(());
        }
        self.reported.store(now, Ordering::Relaxed);
        let progress = py.detach(|| self.lock().list.progress());
        function.call1(py, (progress_object(py, &progress)?,)).map(|_| ())
    }

    /// Not while holding the interpreter: another thread may have it for a slice.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exception for a limit that ran out; `more` bytes would be needed beside the search, `how` they are listed.
    fn stopped(&self, py: Python<'_>, limit: Limit, more: u64, how: &str) -> PyErr {
        let raise = || {
            let (mut report, board) = py.detach(|| match self.state.try_lock() {
                Ok(state) => (state.list.report(), state.list.request().board().describe()),
                // A thread that was left behind still has it.
                Err(_) => (crate::answers::Report::default(), "board".to_owned()),
            });
            report.memory = report.memory.saturating_add(more);
            let stats = stats_object(py, &report, self.made.elapsed())?;
            let doing = format!("listing the tours of the {board}{how}");
            Asked::RaiseLimit.get(py)?.call1((stopped(py, limit.into(), &stats)?, doing, self.memory))
        };
        match raise() {
            Ok(_) => RequestError::new_err("a limit was reached"),
            Err(error) => error,
        }
    }

    fn listed(&self, py: Python<'_>) -> u64 {
        py.detach(|| {
            let state = self.lock();
            // What waits for its batch has not been handed out.
            state.list.listed() - (state.rows.len() / self.squares) as u64
        })
    }
}

/// An iterator over tours. Threads may share it: each tour is handed out once.
#[pyclass(name = "TourIterator", module = "knightstour._core", frozen)]
pub struct TourIterator(Driver);

impl TourIterator {
    /// Of a listing under its limits.
    pub fn new(list: List, limits: &Bound<'_, PyLimits>) -> TourIterator {
        TourIterator(Driver::new(list, limits))
    }
}

fn next_tour(state: &mut State) -> Option<Next<Tour>> {
    match state.list.advance(&state.budget) {
        Listed::Tour(tour) => Some(Next::Some(tour)),
        Listed::End => Some(Next::End),
        Listed::Paused(Pause::Slice) => None,
        Listed::Paused(Pause::Limit(limit)) => Some(Next::Limit(limit)),
        Listed::Refused(error) => Some(Next::Refused(error)),
    }
}

#[pymethods]
impl TourIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyTour>> {
        Ok(self.0.next(py, next_tour)?.map(PyTour::from))
    }

    /// How many tours came before the next one, from the beginning of the collection.
    #[getter]
    fn listed(&self, py: Python<'_>) -> u64 {
        self.0.listed(py)
    }

    /// The position of the listing, as bytes.
    ///
    /// With them, ``listing(position=...)`` and ``batches(size, position=...)`` resume with the next tour, in this
    /// process or another.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let position = py.detach(|| self.0.lock().list.position());
        position.map(|bytes| PyBytes::new(py, &bytes))
    }
}

/// An iterator over batches of tours. Threads may share it: each tour is handed out once.
#[pyclass(name = "BatchIterator", module = "knightstour._core", frozen)]
pub struct BatchIterator {
    driver: Driver,
    size: usize,
    wait: Option<Duration>,
}

impl BatchIterator {
    /// Of a listing under its limits, in batches of a size, which was given so.
    pub fn new(
        py: Python<'_>,
        list: List,
        limits: &Bound<'_, PyLimits>,
        size: usize,
        given: &str,
        wait: Option<Duration>,
    ) -> PyResult<BatchIterator> {
        let bytes = (size as u64).saturating_mul(4 * list.request().board().len() as u64);
        let driver = Driver::new(list, limits);
        if limits.get().budget().check_memory(bytes).is_err() {
            let batches = format!(" in batches of {given}");
            return Err(driver.stopped(py, Limit::Memory, bytes, &batches));
        }
        Ok(BatchIterator { driver, size, wait })
    }
}

/// The squares of the next batch.
fn next_batch(state: &mut State, size: usize, wait: Option<Instant>) -> Option<Next<Vec<u32>>> {
    let width = state.list.request().board().len();
    let missing = size - state.rows.len() / width;
    let next = match state.list.fill(&mut state.rows, missing, &state.budget) {
        Filled::Paused(Pause::Slice) if state.rows.is_empty() || wait.is_none_or(|until| Instant::now() < until) => {
            return None;
        }
        Filled::Full | Filled::Paused(Pause::Slice) => None,
        Filled::End => Some(Next::End),
        Filled::Paused(Pause::Limit(limit)) => Some(Next::Limit(limit)),
        Filled::Refused(error) => Some(Next::Refused(error)),
    };
    match next {
        // What was listed before a limit is not lost; the next call meets the limit again.
        Some(end) if state.rows.is_empty() => Some(end),
        _ => {
            let room = state.rows.len().min(size.saturating_mul(width));
            let mut rows = std::mem::replace(&mut state.rows, Vec::with_capacity(room));
            rows.shrink_to_fit();
            state.position = state.list.position();
            Some(Next::Some(rows))
        }
    }
}

#[pymethods]
impl BatchIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyBatch>> {
        let size = self.size;
        let wait = self.wait.and_then(|wait| Instant::now().checked_add(wait));
        let rows = self.driver.next(py, move |state| {
            if state.rows.capacity() == 0 {
                let width = state.list.request().board().len();
                state.rows.reserve_exact(size.min(FIRST_ROWS).saturating_mul(width).min(1 << 20));
            }
            next_batch(state, size, wait)
        })?;
        Ok(rows.map(|rows| {
            let (board, closed) = py.detach(|| {
                let state = self.driver.lock();
                (state.list.request().board().clone(), state.list.request().is_closed())
            });
            PyBatch::new(board, closed, rows)
        }))
    }

    /// How many tours came before the next batch, from the beginning of the collection.
    #[getter]
    fn listed(&self, py: Python<'_>) -> u64 {
        self.driver.listed(py)
    }

    /// The position of the listing, as bytes.
    ///
    /// With them, ``batches(size, position=...)`` and ``listing(position=...)`` resume with the next tour, in this
    /// process or another. ``None`` if several threads list.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let position = py.detach(|| self.driver.lock().position.clone());
        position.map(|bytes| PyBytes::new(py, &bytes))
    }
}
