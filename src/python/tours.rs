//! The collection of tours as Python's `Tours` uses it: a request, and the runs that answer it.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::answers::{found, impossible, integer, stats_object, stats_of_passes, stopped};
use super::board::given_board;
use super::detach::{check_every, detached};
use super::errors::{RequestError, must_be, too_big};
use super::limits::PyLimits;
use super::listing::{BatchIterator, TourIterator, refused};
use super::options::{
    GivenFiles, LOOKAHEADS, one_of, read_closed, read_files, read_method, read_modulus, read_seconds, read_seed,
    read_ties, read_whole,
};
use super::quote::quote;
use super::square::square_object;
use super::tour::{PyTour, read_path};
use super::{arguments, registry};
use crate::answers::{Count, CountOptions, Find, FindOptions, List, Outcome};
use crate::board::Board;
use crate::request::{Request, classes};
use crate::run::{Budget, Halt, Misuse};
use crate::symmetry::Symmetry;

/// What is asked: a board, open or closed, ends, moves to use and to avoid, steps. Immutable.
#[pyclass(name = "Request", module = "knightstour._core", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyRequest {
    /// The request of the core.
    pub request: Request,
}

impl PyRequest {
    /// What is asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    fn board(&self) -> &Board {
        self.request.board()
    }

    /// A request from what `Board.tours` was given.
    pub fn ask(
        board: Board,
        closed: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        end: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRequest> {
        let closed = read_closed(closed)?;
        let mut request = if closed { Request::closed(board.clone()) } else { Request::open(board.clone()) };
        if let Some(start) = start {
            request = request.with_start(arguments::open_square(&board, start)?)?;
        }
        if let Some(end) = end {
            request = request.with_end(arguments::open_square(&board, end)?)?;
        }
        Ok(PyRequest { request })
    }

    /// Reads edges: pairs of squares a move apart.
    fn edges(&self, edges: &Bound<'_, PyTuple>) -> PyResult<Vec<(u32, u32)>> {
        let mut numbers = Vec::with_capacity(edges.len());
        for (at, edge) in edges.iter().enumerate() {
            check_every(edges.py(), at)?;
            let pair = edge.cast::<PyTuple>().map(|pair| pair.as_sequence().clone()).ok();
            let pair = pair.or_else(|| edge.cast::<pyo3::types::PyList>().map(|pair| pair.as_sequence().clone()).ok());
            match pair {
                Some(pair) if pair.len()? == 2 => numbers.push((
                    arguments::open_square(self.board(), &pair.get_item(0)?)?,
                    arguments::open_square(self.board(), &pair.get_item(1)?)?,
                )),
                _ => {
                    let edge = quote(&edge);
                    return Err(RequestError::new_err(format!(
                        "a move must be a pair of squares, such as ('a1', 'b3'), not {edge}"
                    )));
                }
            }
        }
        Ok(numbers)
    }
}

#[pymethods]
impl PyRequest {
    /// The same with moves to use, each a pair of squares.
    #[pyo3(signature = (*edges))]
    fn including(&self, edges: &Bound<'_, PyTuple>) -> PyResult<PyRequest> {
        let edges = self.edges(edges)?;
        let request = self.request.clone().with_all_included(edges)?;
        Ok(PyRequest { request })
    }

    /// The same with moves to avoid, each a pair of squares.
    #[pyo3(signature = (*edges))]
    fn excluding(&self, edges: &Bound<'_, PyTuple>) -> PyResult<PyRequest> {
        let edges = self.edges(edges)?;
        let request = self.request.clone().with_all_excluded(edges)?;
        Ok(PyRequest { request })
    }

    /// The same with squares to visit at given steps, counted from 0.
    fn with_steps(&self, steps: &Bound<'_, PyAny>) -> PyResult<PyRequest> {
        let Ok(steps) = steps.cast::<PyDict>() else {
            return Err(must_be::<RequestError>("steps", "a dict from squares to numbers, such as {'a1': 0}", steps));
        };
        let last = self.board().len() as u64 - 1;
        let mut given = Vec::with_capacity(steps.len());
        for (at, (square, step)) in steps.iter().enumerate() {
            check_every(steps.py(), at)?;
            let number = arguments::open_square(self.board(), &square)?;
            let Some(step) = arguments::whole(&step)?.and_then(|step| u64::try_from(step).ok()).filter(|&s| s <= last)
            else {
                let (step, board) = (quote(&step), self.board().describe());
                let message = format!("a step of the {board} must be a whole number from 0 to {last}, not {step}");
                return Err(RequestError::new_err(message));
            };
            given.push((number, step));
        }
        Ok(PyRequest { request: self.request.clone().with_all_steps(given)? })
    }

    /// The same with the squares to begin with, in order.
    fn beginning(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<PyRequest> {
        let path = read_path(py, self.board(), path)?;
        let steps = path.iter().copied().zip(0..);
        Ok(PyRequest { request: self.request.clone().with_beginning(path[0])?.with_all_steps(steps)? })
    }

    /// The board.
    #[getter(board)]
    fn whose(&self) -> super::board::PyBoard {
        self.board().clone().into()
    }

    /// Whether closed tours are asked for.
    #[getter]
    fn closed(&self) -> bool {
        self.request.is_closed()
    }

    /// The given start.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.request.start().map(|s| square_object(py, self.board().square(s))).transpose()
    }

    /// The given end.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.request.end().map(|s| square_object(py, self.board().square(s))).transpose()
    }

    /// The moves to use, by the names of their squares.
    #[getter]
    fn included(&self) -> Vec<(String, String)> {
        self.request.including().iter().map(|&(a, b)| (self.board().name(a), self.board().name(b))).collect()
    }

    /// The moves to avoid, by the names of their squares.
    #[getter]
    fn excluded(&self) -> Vec<(String, String)> {
        self.request.excluding().iter().map(|&(a, b)| (self.board().name(a), self.board().name(b))).collect()
    }

    /// The given steps by the names of their squares.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let steps = PyDict::new(py);
        for &(step, square) in self.request.steps() {
            steps.set_item(self.board().name(square), step)?;
        }
        Ok(steps)
    }

    /// The same, of the symmetric tours only.
    fn symmetric(&self, symmetry: &Bound<'_, PyAny>) -> PyResult<PyRequest> {
        let request = self.request.clone().with_symmetric(arguments::symmetry(symmetry)?)?;
        Ok(PyRequest { request })
    }

    /// The same, one of each class.
    fn distinct(&self) -> PyRequest {
        PyRequest { request: self.request.clone().with_distinct() }
    }

    /// The names of the symmetries that the tours must have.
    #[getter]
    fn symmetries(&self) -> Vec<String> {
        self.request.symmetric().iter().map(Symmetry::to_string).collect()
    }

    /// Whether one tour of each class is asked for.
    #[getter]
    fn is_distinct(&self) -> bool {
        self.request.is_distinct()
    }

    /// Whether a tour is one of those asked for.
    fn admits(&self, py: Python<'_>, tour: &Bound<'_, PyTour>) -> PyResult<bool> {
        let (request, tour) = (self.request.clone(), tour.get().tour.clone());
        let is_member = move || classes::is_member(&request, &tour, &Budget::unlimited());
        detached(py, usize::MAX, is_member)?.map_err(|_| {
            let board = self.board().describe();
            too_big(py, &format!("checking the symmetries of the {board} needs more memory than the machine has free"))
        })
    }

    /// Looks for a tour: a `Found`, `Impossible` or `Stopped`.
    #[pyo3(signature = (method, order, ties, lookahead, seed, limits))]
    #[expect(clippy::too_many_arguments, reason = "the options of a public call")]
    fn find<'py>(
        &self,
        py: Python<'py>,
        method: &Bound<'py, PyAny>,
        order: Option<&Bound<'py, PyAny>>,
        ties: Option<&Bound<'py, PyAny>>,
        lookahead: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        limits: &Bound<'py, PyLimits>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = limits.get();
        let options = FindOptions {
            method: read_method(method)?,
            warnsdorff: order
                .map(|order| one_of("order", order, &[("warnsdorff", true), ("fixed", false)]))
                .transpose()?,
            ties: ties.map(read_ties).transpose()?,
            lookahead: lookahead.map(|lookahead| one_of("lookahead", lookahead, &LOOKAHEADS)).transpose()?,
            seed: seed.map(read_seed).transpose()?,
            threads: limits.threads()?,
        };
        let (find, outcome, elapsed) = limits.drive(py, Find::new(self.request.clone(), options)?)?;
        let stats = stats_object(py, &find.as_ref().map(Find::report).unwrap_or_default(), elapsed)?;
        match outcome {
            Ok(Outcome::Found(tour)) => found(py, tour, &stats),
            Ok(Outcome::Impossible(reason)) => impossible(py, self.board(), &reason, &stats),
            Err(halt) => stopped(py, halt, &stats),
        }
    }

    /// Counts: (value, stats), where the value may be a table of start squares, or a `Stopped`.
    #[pyo3(signature = (method, limits, by_start, files, modulus))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        method: &Bound<'py, PyAny>,
        limits: &Bound<'py, PyLimits>,
        by_start: bool,
        files: GivenFiles,
        modulus: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = limits.get();
        let options = CountOptions {
            modulus: modulus.map(read_modulus).transpose()?,
            method: read_method(method)?,
            threads: limits.threads()?,
            by_start,
            files: read_files(files),
            ..CountOptions::default()
        };
        count(py, &self.request, options, limits)
    }

    /// The tours one after another, from a position on.
    #[pyo3(signature = (limits, position))]
    fn list<'py>(&self, limits: &Bound<'py, PyLimits>, position: Option<&Bound<'py, PyAny>>) -> PyResult<TourIterator> {
        Ok(TourIterator::new(read_list(&self.request, position)?, limits))
    }

    /// The same in batches of a size, each handed out after `wait` seconds at the latest if it is not empty.
    #[pyo3(signature = (size, limits, position, wait))]
    fn batches<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        limits: &Bound<'py, PyLimits>,
        position: Option<&Bound<'py, PyAny>>,
        wait: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<BatchIterator> {
        let (given, size) = (quote(size), read_whole("size", size, 1)? as usize);
        // The order holds with one thread only, so that more are for those who ask.
        let threads = limits.get().given_threads().unwrap_or(1);
        if threads > 1 && position.is_some() {
            let text = "a {} needs {}: several threads list the tours in no fixed order";
            return Err(RequestError::new_err((text, [("position", None), ("threads", Some(1))])));
        }
        let wait = wait.map(|wait| read_seconds("wait", wait)).transpose()?;
        let list = read_list(&self.request, position)?.with_threads(threads);
        BatchIterator::new(py, list, limits, size, &given, wait)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = registry::restoring(py, "_restore_request")?;
        let board = super::board::PyBoard::from(self.board().clone());
        let named = |edges: Vec<(String, String)>| PyTuple::new(py, edges);
        let state = (
            board,
            self.closed(),
            self.start(py)?,
            self.end(py)?,
            named(self.included())?,
            named(self.excluded())?,
            self.steps(py)?,
            PyTuple::new(py, self.symmetries())?,
            self.is_distinct(),
        );
        (restore, state).into_pyobject(py)
    }
}

/// What a pickled request calls. Everything is checked again.
#[pyfunction(name = "_restore_request")]
#[pyo3(signature = (board, closed, start, end, included, excluded, steps, symmetries=None, distinct=false))]
#[expect(clippy::too_many_arguments, reason = "all that makes a request")]
pub fn restore_request(
    board: &Bound<'_, PyAny>,
    closed: &Bound<'_, PyAny>,
    start: Option<&Bound<'_, PyAny>>,
    end: Option<&Bound<'_, PyAny>>,
    included: &Bound<'_, PyTuple>,
    excluded: &Bound<'_, PyTuple>,
    steps: &Bound<'_, PyAny>,
    symmetries: Option<&Bound<'_, PyTuple>>,
    distinct: bool,
) -> PyResult<PyRequest> {
    let mut request = PyRequest::ask(given_board(board)?, Some(closed), start, end)?
        .including(included)?
        .excluding(excluded)?
        .with_steps(steps)?;
    for symmetry in symmetries.into_iter().flatten() {
        request = request.symmetric(&symmetry)?;
    }
    Ok(if distinct { request.distinct() } else { request })
}

/// A listing from its beginning, or from a position.
fn read_list(request: &Request, position: Option<&Bound<'_, PyAny>>) -> PyResult<List> {
    let Some(position) = position else { return Ok(List::new(request.clone())) };
    let Ok(bytes) = position.cast::<PyBytes>() else {
        return Err(must_be::<RequestError>("position", "bytes that a listing gave", position));
    };
    List::resume(request.clone(), bytes.as_bytes()).map_err(refused)
}

/// Counts: (value, stats), by start (table, stats), or a `Stopped`.
pub fn count<'py>(
    py: Python<'py>,
    request: &Request,
    options: CountOptions,
    limits: &PyLimits,
) -> PyResult<Bound<'py, PyAny>> {
    let by_start = options.by_start;
    let board = request.board();
    let (count, answer, elapsed) = limits.drive(py, Count::new(request.clone(), options)?)?;
    let moduli = answer.as_ref().map_or(&[][..], |counted| &counted.moduli);
    let stats = stats_of_passes(py, &count.as_ref().map(Count::report).unwrap_or_default(), elapsed, moduli)?;
    match answer {
        Ok(totals) if by_start => {
            let table = PyDict::new(py);
            for square in board.open_squares() {
                table.set_item(square_object(py, board.square(square))?, 0)?;
            }
            for (square, tours) in &totals.by_start {
                table.set_item(square_object(py, board.square(*square))?, integer(py, tours)?)?;
            }
            (table, stats).into_bound_py_any(py)
        }
        Ok(totals) => (integer(py, &totals.value)?, stats).into_bound_py_any(py),
        Err(Halt::Unsuited(why)) => Err(Misuse::UnsuitedBoard { board: board.describe(), why }.into()),
        Err(halt) => stopped(py, halt, &stats),
    }
}
