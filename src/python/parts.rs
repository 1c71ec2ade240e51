//! What cutting a count into parts asks of the core.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::errors::RequestError;
use super::run::{self, Job};
use super::tours::{GivenFiles, GivenLimits, PyRequest, count, read_budget, read_files, read_threads};
use crate::budget::{Budget, Limit, Pause, Progress};
use crate::frontier::{Forecast, Sweep};
use crate::graph::Graph;
use crate::request::Request;
use crate::solve::{CountOptions, Method};

/// The squares on which tours may start, and those on which they may end.
type Ends = (Vec<u32>, Vec<u32>);

fn check(request: &Request, between: Option<Ends>) -> PyResult<Option<Ends>> {
    if let Some((starts, ends)) = &between
        && let Some(square) = starts.iter().chain(ends).find(|&&square| !request.board().is_open(square))
    {
        let board = request.board().describe();
        return Err(RequestError::new_err(format!("square number {square} is not an open square of the {board}")));
    }
    Ok(between)
}

/// The request as bytes that are stable across versions.
#[pyfunction(name = "_encode")]
pub fn encode<'py>(py: Python<'py>, request: &Bound<'py, PyRequest>) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &request.get().request().encode())
}

/// Bytes that a run may take where no limit is given.
#[pyfunction(name = "_memory")]
pub fn memory() -> u64 {
    Budget::unlimited().memory()
}

/// Raises what a run with such limits would raise before it begins.
#[pyfunction(name = "_check_limits")]
pub fn check_limits(
    limits: GivenLimits<'_>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    read_threads(threads)?;
    read_budget(&limits, progress, cancel).map(drop)
}

/// The symmetries that leave a request as it is: for each, where it takes each square number.
#[pyfunction(name = "_stabiliser")]
pub fn stabiliser(request: &Bound<'_, PyRequest>) -> PyResult<Vec<Vec<u32>>> {
    const MOST: u64 = 1 << 20;
    let request = request.get().request();
    let board = request.board();
    if board.squares() > MOST {
        let board = board.describe();
        return Err(RequestError::new_err(format!("the {board} is too large to be counted in parts")));
    }
    let map = |symmetry: &crate::Symmetry| {
        (0..board.squares() as u32).map(|square| symmetry.map(square, board.rows(), board.cols())).collect()
    };
    Ok(request.stabiliser().iter().map(map).collect())
}

/// Counts the open tours that start and end on some squares: as the method `count` of a request.
#[pyfunction(name = "_count_between")]
#[expect(clippy::too_many_arguments, reason = "the options of a public call")]
pub fn count_between<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    between: Option<Ends>,
    another_order: bool,
    limits: GivenLimits<'py>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    cancel: Option<&Bound<'py, PyAny>>,
    files: GivenFiles,
) -> PyResult<Bound<'py, PyTuple>> {
    let request = request.get().request();
    let options = CountOptions {
        method: if between.is_some() || another_order { Method::Frontier } else { Method::Auto },
        threads: read_threads(threads)?,
        by_start: false,
        files: read_files(files),
        between: check(request, between)?,
        another_order,
    };
    count(py, request, options, read_budget(&limits, progress, cancel)?, progress)
}

/// How large a sweep would be: ("known", groups, peak groups, pairings, peak pairings, width), or why not.
#[pyfunction(name = "_forecast")]
pub fn forecast<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    between: Option<Ends>,
    limits: GivenLimits<'py>,
    threads: Option<&Bound<'py, PyAny>>,
    cancel: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let request = request.get().request();
    let between = check(request, between)?;
    let threads = read_threads(threads)?;
    let budget = read_budget(&limits, None, cancel)?;
    if Graph::bytes(request) > budget.memory() {
        return ("stopped", Limit::Memory.name()).into_pyobject(py);
    }
    let mut graph = Graph::new(request);
    if let Some((starts, ends)) = &between {
        graph = graph.with_ends_among(starts, ends);
    }
    let sweep = match Sweep::new(request, &graph, threads) {
        Ok(sweep) => sweep,
        Err(crate::frontier::Unsuited::TooWide) => return ("too wide",).into_pyobject(py),
        Err(unsuited) => return Err(RequestError::new_err(unsuited.to_string())),
    };
    match run::drive(py, Looking { sweep, squares: graph.len() }, budget, None)?.1 {
        Ok(Forecast { groups, peak_groups, pairings, peak_pairings, width }) => {
            ("known", groups, peak_groups, pairings, peak_pairings, width).into_pyobject(py)
        }
        Err(limit) => ("stopped", limit.name()).into_pyobject(py),
    }
}

struct Looking {
    sweep: Sweep,
    squares: usize,
}

impl Job for Looking {
    type Answer = Result<Forecast, Limit>;

    fn advance(&mut self, budget: &Budget) -> Option<Self::Answer> {
        match self.sweep.forecast(budget) {
            Ok(forecast) => Some(Ok(forecast)),
            Err(Pause::Slice) => None,
            Err(Pause::Limit(limit)) => Some(Err(limit)),
        }
    }

    fn stopped(limit: Limit) -> Self::Answer {
        Err(limit)
    }

    fn progress(&self) -> Progress {
        self.sweep.progress()
    }

    fn squares(&self) -> usize {
        self.squares
    }
}
