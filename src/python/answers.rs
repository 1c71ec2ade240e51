//! What answers look like in Python: numbers, and the result objects, whose fields are given by name.

use std::time::Duration;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};

use super::errors::limit_reached;
use super::registry::Asked;
use super::square::square_object;
use super::tour::PyTour;
use crate::answers::Report;
use crate::board::Board;
use crate::board::tour::Tour;
use crate::engines::backtracking::Stats;
use crate::engines::frontier::{Modulus, Natural};
use crate::run::{Halt, Limit};
use crate::theorems::Reason;

/// A whole number of any size as Python's.
pub fn integer<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &value.to_le_bytes()), "little"))
}

/// A `Reason`.
fn reason_object<'py>(py: Python<'py>, board: &Board, reason: &Reason) -> PyResult<Bound<'py, PyAny>> {
    let squares: PyResult<Vec<_>> = reason.squares.iter().map(|&s| square_object(py, board.square(s))).collect();
    let fields = PyDict::new(py);
    fields.set_item("code", reason.code.name())?;
    fields.set_item("text", &reason.text)?;
    fields.set_item("squares", PyTuple::new(py, squares?)?)?;
    Asked::Reason.make(py, &fields)
}

/// A `Stats`.
pub fn stats_object<'py>(py: Python<'py>, report: &Report, elapsed: Duration) -> PyResult<Bound<'py, PyAny>> {
    stats_of_passes(py, report, elapsed, &[])
}

/// The same of a sweep in passes, each modulo another number.
pub fn stats_of_passes<'py>(
    py: Python<'py>,
    report: &Report,
    elapsed: Duration,
    moduli: &[Modulus],
) -> PyResult<Bound<'py, PyAny>> {
    let Stats { nodes, backtracks, greatest_depth, restarts, prunes } = report.search;
    let kinds = PyDict::new(py);
    for (kind, count) in [
        ("dead-ends", prunes.dead_ends),
        ("forced", prunes.forced),
        ("pieces", prunes.pieces),
        ("cuts", prunes.cuts),
        ("colours", prunes.colours),
    ] {
        if count > 0 {
            kinds.set_item(kind, count)?;
        }
    }
    let fields = PyDict::new(py);
    fields.set_item(intern!(py, "method"), report.method)?;
    fields.set_item(intern!(py, "seconds"), elapsed.as_secs_f64())?;
    fields.set_item(intern!(py, "nodes"), nodes)?;
    fields.set_item(intern!(py, "backtracks"), backtracks)?;
    fields.set_item(intern!(py, "greatest_depth"), greatest_depth)?;
    fields.set_item(intern!(py, "restarts"), restarts)?;
    fields.set_item(intern!(py, "prunes"), kinds)?;
    fields.set_item(intern!(py, "peak_states"), report.peak_states)?;
    fields.set_item(intern!(py, "transitions"), report.transitions)?;
    fields.set_item(intern!(py, "memory"), report.memory)?;
    fields.set_item(intern!(py, "moduli"), PyTuple::new(py, moduli.iter().map(|modulus| modulus.number()))?)?;
    Asked::Stats.make(py, &fields)
}

/// A `Found`.
pub fn found<'py>(py: Python<'py>, tour: Tour, stats: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item(intern!(py, "tour"), PyTour::from(tour))?;
    fields.set_item(intern!(py, "stats"), stats)?;
    Asked::Found.make(py, &fields)
}

/// An `Impossible`.
pub fn impossible<'py>(
    py: Python<'py>,
    board: &Board,
    reason: &Reason,
    stats: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item(intern!(py, "reason"), reason_object(py, board, reason)?)?;
    fields.set_item(intern!(py, "stats"), stats)?;
    Asked::Impossible.make(py, &fields)
}

/// A `Stopped`; what else ended the run is raised.
pub fn stopped<'py>(py: Python<'py>, halt: Halt, stats: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item(intern!(py, "limit"), limit_reached(halt)?.name())?;
    fields.set_item(intern!(py, "stats"), stats)?;
    Asked::Stopped.make(py, &fields)
}

/// A `LongestPath`.
pub fn longest_path<'py>(
    py: Python<'py>,
    squares: Bound<'py, PyAny>,
    is_optimal: bool,
    upper_bound: usize,
    limit: Option<Limit>,
    stats: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("squares", squares)?;
    fields.set_item("is_optimal", is_optimal)?;
    fields.set_item("upper_bound", upper_bound)?;
    fields.set_item("stats", stats)?;
    fields.set_item("limit", limit.map(Limit::name))?;
    Asked::LongestPath.make(py, &fields)
}
