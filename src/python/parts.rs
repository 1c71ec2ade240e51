//! What cutting a count into parts asks of the core.

use std::collections::HashSet;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::answers::{stats_object, stopped};
use super::board::PyBoard;
use super::detach::detached;
use super::errors::RequestError;
use super::limits::PyLimits;
use super::options::{GivenFiles, read_files};
use super::tours::{PyRequest, count};
use crate::answers::{CountOptions, Method, Report};
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
pub fn count_between<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    between: Option<Ends>,
    another_order: bool,
    limits: &Bound<'py, PyLimits>,
    files: GivenFiles,
) -> PyResult<Bound<'py, PyAny>> {
    let (request, limits) = (request.get().request(), limits.get());
    let options = CountOptions {
        method: if between.is_some() || another_order { Method::Frontier } else { Method::Auto },
        threads: limits.threads()?,
        by_start: false,
        files: read_files(files),
        between: check(request, between)?,
        another_order,
        modulus: None,
    };
    count(py, request, options, limits)
}

/// What a sweep is expected to take, from `samples` samples of each kind of groups, or from all groups.
///
/// It is a dict of the states at the peak, the groups, the transitions and the bytes at the peak; None where the
/// board has no two colours; "too wide"; or a `Stopped`.
#[pyfunction(name = "_forecast")]
pub fn forecast<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    between: Option<Ends>,
    samples: Option<u32>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = request.get().request();
    let between = check(request, between)?;
    let forecasting = Forecasting::new(request.clone(), between, samples, limits.get().threads()?);
    let (_, forecast, elapsed) = limits.get().drive(py, forecasting)?;
    match forecast {
        Ok(None) => Ok(py.None().into_bound(py)),
        Ok(Some(forecast)) => {
            let (Needs { states, groups, transitions, memory, .. }, fields) = (forecast.needs(), PyDict::new(py));
            fields.set_item("states", states)?;
            fields.set_item("groups", groups)?;
            fields.set_item("transitions", transitions)?;
            fields.set_item("memory", memory)?;
            Ok(fields.into_any())
        }
        Err(Halt::Unsuited(Unsuited::TooWide)) => "too wide".into_bound_py_any(py),
        Err(halt) => stopped(py, halt, &stats_object(py, &Report::default(), elapsed)?),
    }
}
