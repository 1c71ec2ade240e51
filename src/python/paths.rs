//! Paths, existence maps and puzzles as Python's modules of these names use them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple};

use super::answers::{impossible, longest_path, stats_object, stopped};
use super::board::{PyBoard, given_board};
use super::detach::{check_every, detached};
use super::errors::{self, RequestError, limit_reached};
use super::limits::PyLimits;
use super::options::read_seed;
use super::quote::quote;
use super::registry::Asked;
use super::square::square_object;
use super::tour::{PyTour, read_path};
use super::tours::PyRequest;
use super::{arguments, reading};
use crate::answers::puzzle::{Made, MakePuzzle};
use crate::answers::{CountPaths, EndSquares, FindPath, Longest, LongestPath, PathOutcome, Report, SLICE, Unique};
use crate::board::{Board, MAX_SQUARES};
use crate::engines::paths::{PathList, PathRequest, PathStep};
use crate::request::Request;
use crate::run::rng::fresh_seed;
use crate::run::{Budget, Halt, Limit};

fn squares_object<'py>(py: Python<'py>, board: &Board, squares: &[u32]) -> PyResult<Bound<'py, PyTuple>> {
    let squares: PyResult<Vec<_>> = squares.iter().map(|&s| square_object(py, board.square(s))).collect();
    PyTuple::new(py, squares?)
}

/// ``squares=``: how many squares a path visits.
fn path_request(request: &PyRequest, squares: &Bound<'_, PyAny>) -> PyResult<PathRequest> {
    let number = arguments::whole(squares)?.and_then(|number| u64::try_from(number).ok());
    let number = number.filter(|number| (1..=MAX_SQUARES).contains(number)).ok_or_else(|| {
        let (squares, board) = (quote(squares), request.request.board().describe());
        RequestError::new_err(format!(
            "squares of a path of the {board} are a whole number of at least 1 (and at most {MAX_SQUARES}, as many \
             as any board has), not {squares}"
        ))
    })?;
    Ok(PathRequest::new(request.request.clone(), number as usize)?)
}

/// Checks the number of squares of a path; returns it.
#[pyfunction(name = "_check_path")]
pub fn check_path(request: &Bound<'_, PyRequest>, squares: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(path_request(request.get(), squares)?.squares())
}

/// Checks a path: (squares, whether it is a cycle); where `closed` is `None` its ends say so.
#[pyfunction(name = "_read_path", signature = (board, squares, closed))]
pub fn read_given_path<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    squares: &Bound<'py, PyAny>,
    closed: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyTuple>, bool)> {
    let board = given_board(board)?;
    let closed = reading::kind(closed)?;
    let path = read_path(py, &board, squares)?;
    let (first, last) = (path[0], path[path.len() - 1]);
    let ends_meet = path.len() >= 3 && board.is_move(last, first);
    if closed == Some(true) && !ends_meet {
        let (start, end) = (board.name(first), board.name(last));
        let message = if path.len() < 3 {
            format!("a cycle has at least 3 squares, not {}", path.len())
        } else {
            format!("the ends {start} and {end} are not a move apart: not a cycle")
        };
        let ends: PyResult<Vec<_>> = [last, first].iter().map(|&s| square_object(py, board.square(s))).collect();
        return Err(errors::not_a_tour(py, &message, Some(0), ends?, false));
    }
    Ok((squares_object(py, &board, &path)?, closed.unwrap_or(ends_meet)))
}

/// Looks for a path of `squares` squares: a `FoundPath`, `Impossible` or `Stopped`.
#[pyfunction(name = "_find_path", signature = (request, squares, seed, limits))]
pub fn find_path<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    squares: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let (board, closed) = (request.get().request.board().clone(), request.get().request.is_closed());
    let find = FindPath::new(path_request(request.get(), squares)?, seed.map(read_seed).transpose()?);
    let (find, outcome, elapsed) = limits.get().drive(py, find)?;
    let stats = stats_object(py, &find.map(|find| find.report()).unwrap_or_default(), elapsed)?;
    match outcome {
        Ok(PathOutcome::Found(path)) => {
            let fields = PyDict::new(py);
            fields.set_item("squares", squares_object(py, &board, &path)?)?;
            fields.set_item("board", PyBoard::from(board))?;
            fields.set_item("closed", closed)?;
            fields.set_item("stats", stats)?;
            Asked::FoundPath.make(py, &fields)
        }
        Ok(PathOutcome::Impossible(reason)) => impossible(py, &board, &reason, &stats),
        Err(halt) => stopped(py, halt, &stats),
    }
}

/// Counts the paths of `squares` squares: (value, stats) or a `Stopped`.
#[pyfunction(name = "_count_paths", signature = (request, squares, limits))]
pub fn count_paths<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    squares: &Bound<'py, PyAny>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let count = CountPaths::new(path_request(request.get(), squares)?);
    let (count, answer, elapsed) = limits.get().drive(py, count)?;
    let stats = stats_object(py, &count.map(|count| count.report()).unwrap_or_default(), elapsed)?;
    match answer {
        Ok(value) => (value, stats).into_bound_py_any(py),
        Err(halt) => stopped(py, halt, &stats),
    }
}

/// `Board.longest_path`: a `LongestPath`.
pub fn longest<'py>(py: Python<'py>, request: Request, limits: &PyLimits) -> PyResult<Bound<'py, PyAny>> {
    let board = request.board().clone();
    let (longest, best, elapsed) = limits.drive(py, Longest::new(request)?)?;
    let stats = stats_object(py, &longest.map(|longest| longest.report()).unwrap_or_default(), elapsed)?;
    // Of a run that could not be asked nothing is known.
    let nothing = |halt| -> PyResult<LongestPath> {
        Ok(LongestPath { stopped: Some(limit_reached(halt)?), upper_bound: board.len(), ..LongestPath::default() })
    };
    let best = best.or_else(nothing)?;
    let squares = squares_object(py, &board, &best.squares)?.into_any();
    longest_path(py, squares, best.is_optimal(), best.upper_bound, best.stopped, &stats)
}

/// `Board.start_squares` and `Board.end_squares`: where open tours of a request can end. Raises the error for a limit.
pub fn end_squares<'py>(py: Python<'py>, request: Request, limits: &PyLimits) -> PyResult<Bound<'py, PyAny>> {
    let (board, began) = (request.board().clone(), Instant::now());
    let (ends, answer, elapsed) = limits.drive(py, EndSquares::new(request)?)?;
    let stats = stats_object(py, &ends.map(|ends| ends.report()).unwrap_or_default(), elapsed)?;
    let raise = |halt: Halt| {
        let doing = format!("looking for the ends of tours of the {}x{} board", board.rows(), board.cols());
        Asked::RaiseLimit.get(py)?.call1((stopped(py, halt, &stats)?, doing, limits.memory_limit()))
    };
    match answer {
        Ok(ends) => {
            // Millions of them take longer to make than to find.
            let mut squares = Vec::with_capacity(ends.len());
            for (index, &square) in ends.iter().enumerate() {
                check_every(py, index)?;
                if index % 4096 == 0 && limits.time().is_some_and(|time| began.elapsed() > time) {
                    return raise(Limit::Time.into());
                }
                squares.push(square_object(py, board.square(square))?);
            }
            PyFrozenSet::new(py, squares).map(Bound::into_any)
        }
        Err(halt) => raise(halt),
    }
}

/// Whether a request has exactly one tour: a bool, or a `Stopped`.
#[pyfunction(name = "_is_unique", signature = (request, limits))]
pub fn is_unique<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let unique = Unique::new(request.get().request.clone());
    let (unique, answer, elapsed) = limits.get().drive(py, unique)?;
    match answer {
        Ok(is_unique) => is_unique.into_bound_py_any(py),
        Err(halt) => {
            let memory = unique.map_or(0, |unique| unique.report().memory);
            let report = Report { method: "fragments", memory, ..Report::default() };
            stopped(py, halt, &stats_object(py, &report, elapsed)?)
        }
    }
}

/// Makes a puzzle: a `Puzzle`, `Impossible` or `Stopped`; None if no puzzle has only one number.
///
/// Or (number, stats), if all puzzles that were made have more numbers than asked for: the fewest of them.
#[pyfunction(name = "_make_puzzle", signature = (request, clues, seed, limits))]
pub fn make_puzzle<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    clues: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = &request.get().request;
    let board = request.board().clone();
    let seed = seed.map_or_else(|| Ok(fresh_seed()), read_seed)?;
    let read = |clues: &Bound<'py, PyAny>| {
        let number =
            arguments::whole(clues)?.and_then(|number| usize::try_from(number).ok()).filter(|&number| number > 0);
        number.ok_or_else(|| {
            let clues = quote(clues);
            RequestError::new_err(format!("clues are a whole number of at least 1, not {clues}"))
        })
    };
    let make = MakePuzzle::new(request.clone(), clues.map(read).transpose()?, seed)?;
    let (make, made, elapsed) = limits.get().drive(py, make)?;
    let memory = make.map_or(0, |make| make.report().memory);
    let stats = stats_object(py, &Report { method: "fragments", memory, ..Report::default() }, elapsed)?;
    match made {
        Ok(Made::Puzzle(puzzle)) => {
            let (fields, clues) = (PyDict::new(py), PyDict::new(py));
            for &(square, step) in &puzzle.clues {
                clues.set_item(square_object(py, board.square(square))?, step)?;
            }
            fields.set_item("clues", clues)?;
            fields.set_item("solution", PyTour::from(puzzle.solution))?;
            fields.set_item("seed", seed)?;
            fields.set_item("stats", stats)?;
            Asked::Puzzle.make(py, &fields)
        }
        Ok(Made::Impossible(reason)) => impossible(py, &board, &reason, &stats),
        Err(halt) => stopped(py, halt, &stats),
        Ok(Made::NeedsMore) => Ok(py.None().into_bound(py)),
        Ok(Made::Fewest(clues)) => (clues, stats).into_bound_py_any(py),
    }
}

/// An iterator over the paths of a given number of squares, each a tuple of squares. Threads may share it.
#[pyclass(name = "PathIterator", module = "knightstour._core", frozen)]
pub struct PathIterator {
    board: Board,
    list: Mutex<PathList>,
    /// How many were asked for: signals are looked at once per some number of them.
    listed: AtomicUsize,
}

/// Lists the paths of `squares` squares.
#[pyfunction(name = "_list_paths")]
pub fn list_paths(
    py: Python<'_>,
    request: &Bound<'_, PyRequest>,
    squares: &Bound<'_, PyAny>,
) -> PyResult<PathIterator> {
    let paths = path_request(request.get(), squares)?;
    let (board, bytes) = (paths.board().clone(), PathList::bytes(&paths));
    if Budget::unlimited().check_memory(bytes).is_err() {
        let board = board.describe();
        let needs = errors::amount(bytes);
        return Err(errors::too_big(py, &format!("a list of paths of the {board} needs {needs}")));
    }
    let list = detached(py, board.len(), move || PathList::new(paths))?;
    Ok(PathIterator { board, list: Mutex::new(list), listed: AtomicUsize::new(0) })
}

#[pymethods]
impl PathIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        check_every(py, self.listed.fetch_add(1, Ordering::Relaxed))?;
        let mut budget = Budget::unlimited();
        loop {
            budget.begin_slice(SLICE);
            // Held for a slice at most, and never while waiting for the interpreter.
            let step = py.detach(|| {
                let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
                let step = list.advance(&budget);
                (step, if step == PathStep::Found { list.path() } else { Vec::new() })
            });
            match step {
                (PathStep::Found, path) => return squares_object(py, &self.board, &path).map(Some),
                (PathStep::Exhausted, _) => return Ok(None),
                (PathStep::Paused(_), _) => py.check_signals()?,
            }
        }
    }
}
