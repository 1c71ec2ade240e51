//! `Board.longest_uncrossed`.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use super::answers::{longest_path, stats_object};
use super::limits::PyLimits;
use super::options::read_closed;
use super::squares::PySquares;
use crate::answers::Report;
use crate::board::Board;
use crate::engines::backtracking::Stats;
use crate::engines::uncrossed::{Longest, Uncrossed};
use crate::run::Limit;

/// A `LongestPath`.
pub fn longest<'py>(
    py: Python<'py>,
    board: &Board,
    closed: Option<&Bound<'py, PyAny>>,
    limits: &PyLimits,
) -> PyResult<Bound<'py, PyAny>> {
    let closed = read_closed(closed)?;
    let (_, found, elapsed) = limits.drive(py, Uncrossed::new(board, closed)?)?;
    let found = found.unwrap_or_else(|_| Longest {
        squares: if closed { Vec::new() } else { board.open_squares().take(1).collect() },
        upper_bound: board.len() as u32,
        stopped: Some(Limit::Time),
        nodes: 0,
        memory: 0,
    });
    let report = Report {
        method: "frontier",
        search: Stats { nodes: found.nodes, ..Stats::default() },
        memory: found.memory,
        ..Report::default()
    };
    let stats = stats_object(py, &report, elapsed)?;
    let squares = PySquares::of_path(board, found.squares.into()).into_bound_py_any(py)?;
    longest_path(py, squares, found.stopped.is_none(), found.upper_bound as usize, found.stopped, &stats)
}
