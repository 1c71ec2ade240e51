//! `Board.longest_uncrossed`.

use pyo3::prelude::*;

use super::answers::report_object;
use super::options::{GivenLimits, read_budget, read_closed};
use super::registry::Asked;
use super::run;
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
    limits: &GivenLimits<'py>,
    progress: Option<&Bound<'py, PyAny>>,
    cancel: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let closed = read_closed(closed)?;
    let budget = read_budget(limits, progress, cancel)?;
    let search = Uncrossed::new(board, closed)?;
    let (_, found, elapsed) = run::drive(py, search, budget, progress)?;
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
    let stats = Asked::Stats.get(py)?.call1(report_object(py, &report, elapsed)?)?;
    let squares = PySquares::of_path(board, found.squares.into());
    let limit = found.stopped.map(Limit::name);
    Asked::LongestPath.get(py)?.call1((squares, found.stopped.is_none(), found.upper_bound, stats, limit))
}
