//! Warnsdorff runs and trials as Python sees them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::board::{PyBoard, board_or_side, given_board};
use super::detach::detached;
use super::limits::PyLimits;
use super::options::{read_seed, read_ties, read_whole};
use super::quote::quote;
use super::squares::PySquares;
use super::tour::PyTour;
use super::{arguments, errors, registry};
use crate::board::Board;
use crate::board::tour::{Tour, is_walk};
use crate::engines::warnsdorff::{Run, Ties, Trials};
use crate::run::Limit;
use crate::run::rng::{Rng, fresh_seed};

/// The walk that Warnsdorff's rule makes, followed to its end without taking a move back.
///
/// ``squares`` are the squares visited, and ``is_complete`` says whether these are all open squares. If so,
/// ``tour`` is the open tour; if not, it raises `InvalidTourError`. ``seed`` repeats the run. ``len(walk)`` is the
/// number of squares visited, and ``numpy.asarray(walk)`` is the array of ``walk.squares``.
#[pyclass(name = "Walk", module = "knightstour", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PyWalk {
    board: Board,
    squares: Arc<[u32]>,
    seed: u64,
}

impl PyWalk {
    /// A walk that was made or checked.
    pub fn new(board: &Board, squares: &Arc<[u32]>, seed: u64) -> PyWalk {
        PyWalk { board: board.clone(), squares: Arc::clone(squares), seed }
    }
}

/// What a pickled walk calls. Everything is checked again.
#[pyfunction(name = "_restore_walk")]
pub fn restore_walk(board: &Bound<'_, PyAny>, numbers: &[u8], seed: u64) -> PyResult<PyWalk> {
    let board = given_board(board)?;
    let (numbers, rest) = numbers.as_chunks::<4>();
    let squares: Vec<u32> = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    if !rest.is_empty() || !is_walk(&board, &squares) {
        return Err(errors::InvalidTourError::new_err("the pickled walk is damaged"));
    }
    Ok(PyWalk { board, squares: squares.into(), seed })
}

#[pymethods]
impl PyWalk {
    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        self.board.clone().into()
    }

    /// The squares visited, in order.
    #[getter]
    fn squares(&self) -> PySquares {
        PySquares::of_path(&self.board, Arc::clone(&self.squares))
    }

    /// Whether every open square was visited.
    #[getter]
    fn is_complete(&self) -> bool {
        self.squares.len() == self.board.len()
    }

    /// The tour, open; raises `InvalidTourError` if the walk is not complete.
    #[getter]
    fn tour(&self, py: Python<'_>) -> PyResult<PyTour> {
        let (board, squares) = (self.board.clone(), Arc::clone(&self.squares));
        let tour = detached(py, squares.len(), move || Tour::new(board, squares.to_vec(), Some(false)))?;
        tour.map(PyTour::from).map_err(|error| errors::invalid_tour(py, &error))
    }

    /// The seed that repeats the run.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    fn __len__(&self) -> usize {
        self.squares.len()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.squares().array(py, dtype, copy)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers: Vec<u8> = self.squares.iter().flat_map(|number| number.to_le_bytes()).collect();
        let restore = registry::restoring(py, "_restore_walk")?;
        (restore, (self.board(), PyBytes::new(py, &numbers), self.seed)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let (visited, all) = (self.squares.len(), self.board.len());
        let board = self.board.describe();
        format!("<Walk: {visited} of {all} squares of the {board}, seed {}>", self.seed)
    }
}

/// Follow Warnsdorff's rule to its end, without taking a move back.
///
/// Parameters
/// ----------
/// board
///     Any `Board`, or the side of a square one: ``warnsdorff(8)``.
/// start
///     The first square; by default a random one (``"squirrel"``: the top left corner).
/// ties
///     Which square to take if several have equally few onward moves: ``"first"`` (topmost, then
///     leftmost), ``"random"``, ``"outward"`` (farthest from the centre, then as ``"first"``), ``"pohl"``
///     (smallest sum of onward moves one step further, then random), ``"squirrel"`` (the orderings of
///     Squirrel and Cull 1996: square boards of side 5 or more, from a corner; they complete every side
///     from 5 to 1000 except 74).
/// seed
///     A whole number from 0 to 2**64 - 1; by default a random one. ``walk.seed`` is the seed that was used.
///
/// Cost: some twenty nanoseconds and five bytes per square. Raises `RequestError` or `SquareError` for
/// arguments that do not fit, `MemoryLimitError` for a board that is too large for the machine.
#[pyfunction(
    signature = (board, start=None, *, ties=None, seed=None, **others),
    text_signature = "(board, start=None, *, ties='random', seed=None)"
)]
pub fn warnsdorff(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    start: Option<&Bound<'_, PyAny>>,
    ties: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyWalk> {
    arguments::refuse_others("warnsdorff", others, &["board", "start", "ties", "seed"])?;
    let board = board_or_side(board)?;
    let start = start.map(|start| arguments::open_square(&board, start)).transpose()?;
    let ties = ties.map_or(Ok(Ties::Random), read_ties)?;
    let seed = seed.map_or_else(|| Ok(fresh_seed()), read_seed)?;
    let run = Run::new(&board, start, ties, seed)?;
    let (run, ended, _) = PyLimits::default().drive(py, run)?;
    match (run, ended) {
        (Some(run), Ok(())) => Ok(PyWalk { board, squares: run.into_squares().into(), seed }),
        _ => Err(too_large(py, "a walk", &board, Run::bytes(&board))),
    }
}

/// Follow Warnsdorff's rule many times: (completed, lengths, seed); None if it was cancelled.
#[pyfunction(name = "_warnsdorff_trials")]
#[expect(clippy::too_many_arguments, reason = "the options of a public call")]
pub fn warnsdorff_trials<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    trials: &Bound<'py, PyAny>,
    start: Option<&Bound<'py, PyAny>>,
    ties: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    limits: &Bound<'py, PyLimits>,
    first: u64,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let board = board_or_side(board)?;
    let (given, count) = (trials, read_whole("trials", trials, 0)?);
    let start = start.map(|start| arguments::open_square(&board, start)).transpose()?;
    let seed = seed.map_or_else(|| Ok(fresh_seed()), read_seed)?;
    let threads = limits.get().threads()?;
    let trials = Trials::new(&board, count, start, read_ties(ties)?, seed, threads)?.numbered_from(first);
    let bytes = trials.bytes();
    let (run, ended, _) = limits.get().drive(py, trials)?;
    match (run, ended) {
        (Some(trials), Ok(())) => {
            let lengths = PyTuple::new(py, trials.lengths())?;
            (trials.completed(), lengths, seed).into_pyobject(py).map(Some)
        }
        (_, Err(halt)) if halt.limit() == Some(Limit::Cancelled) => Ok(None),
        _ => Err(too_large(py, &format!("a number of trials={}", quote(given)), &board, bytes)),
    }
}

/// Where each run of trials starts, in the order of the runs.
#[pyfunction(name = "_run_starts")]
pub fn run_starts(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    start: Option<&Bound<'_, PyAny>>,
    ties: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    runs: usize,
) -> PyResult<PySquares> {
    let board = given_board(board)?;
    let start = start.map(|start| arguments::open_square(&board, start)).transpose()?;
    let trials = Trials::new(&board, runs as u64, start, read_ties(ties)?, read_seed(seed)?, 1)?;
    let starts = detached(py, runs.max(board.len()), move || trials.starts())?;
    Ok(PySquares::of_path(&board, starts.into()))
}

/// The seed of run number ``run`` alone: `warnsdorff` with it makes the same run.
#[pyfunction(name = "_run_seed")]
pub fn run_seed(seed: &Bound<'_, PyAny>, run: u64) -> PyResult<u64> {
    Ok(Rng::seed_of_stream(read_seed(seed)?, run))
}

fn too_large(py: Python<'_>, what: &str, board: &Board, bytes: u64) -> PyErr {
    let (board, needs) = (board.describe(), errors::amount(bytes));
    errors::too_big(py, &format!("{what} over the {board} needs {needs}"))
}
