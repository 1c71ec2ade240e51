//! What cutting a count into parts asks of the core.

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::board::PyBoard;
use super::detach::detached;
use super::errors::{RequestError, limit_reached};
use super::options::{GivenFiles, GivenLimits, read_budget, read_files, read_threads};
use super::run;
use super::tours::{PyRequest, count};
use crate::answers::{CountOptions, Method};
use crate::engines::frontier::{Forecasting, Needs};
use crate::request::Request;
use crate::request::classes::Grouping;
use crate::request::graph::Graph;
use crate::run::{Budget, Halt, Unsuited};

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

/// Bytes that a run may take if no limit is given.
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
pub fn stabiliser(py: Python<'_>, request: &Bound<'_, PyRequest>) -> PyResult<Vec<Vec<u32>>> {
    const MOST: u64 = 1 << 20;
    // A torus has as many symmetries as squares, eight times.
    const MOST_BYTES: u64 = 1 << 28;
    let request = request.get().request();
    let board = request.board();
    if board.squares() > MOST || Grouping::bytes(request) > MOST_BYTES {
        let board = board.describe();
        return Err(RequestError::new_err(format!("the {board} is too large to be counted in parts")));
    }
    let map = |symmetry: &crate::Symmetry| {
        (0..board.squares() as u32).map(|square| symmetry.map(square, board.rows(), board.cols())).collect()
    };
    let (asked, all) = (request.clone(), usize::MAX);
    let symmetries = detached(py, all, move || asked.stabiliser())?;
    Ok(py.detach(|| symmetries.iter().map(map).collect()))
}

/// The square numbers of the first colour, if moves change the colour and the board is connected.
#[pyfunction(name = "_first_colour")]
pub fn first_colour(py: Python<'_>, board: &Bound<'_, PyBoard>) -> Option<HashSet<u32>> {
    let request = Request::open(board.get().board.clone());
    py.detach(|| {
        let graph = Graph::new(&request);
        graph.colouring().map(|colouring| colouring.first.iter().map(|v| graph.square(v)).collect())
    })
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

/// What a sweep is expected to take, from `samples` samples of each kind of groups, or from all groups.
///
/// It is ("known", states at the peak, groups, transitions, bytes at the peak), or why not.
#[pyfunction(name = "_forecast")]
pub fn forecast<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    between: Option<Ends>,
    samples: Option<u32>,
    limits: GivenLimits<'py>,
    threads: Option<&Bound<'py, PyAny>>,
    cancel: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let request = request.get().request();
    let between = check(request, between)?;
    let outlook = Forecasting::new(request.clone(), between, samples, read_threads(threads)?);
    match run::drive(py, outlook, read_budget(&limits, None, cancel)?, None)?.1 {
        Ok(None) => ("not two-coloured",).into_pyobject(py),
        Ok(Some(forecast)) => {
            let Needs { states, groups, transitions, memory, .. } = forecast.needs();
            ("known", states, groups, transitions, memory).into_pyobject(py)
        }
        Err(Halt::Unsuited(Unsuited::TooWide)) => ("too wide",).into_pyobject(py),
        Err(halt) => ("stopped", limit_reached(halt)?.name()).into_pyobject(py),
    }
}
