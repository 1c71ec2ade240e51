//! What answers look like in Python: numbers, reasons, and reports of what was done.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};

use super::square::square_object;
use crate::answers::Report;
use crate::board::Board;
use crate::engines::backtracking::Stats;
use crate::engines::frontier::Natural;
use crate::theorems::Reason;

/// A whole number of any size as Python's.
pub fn integer<'py>(py: Python<'py>, value: &Natural) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &value.to_le_bytes()), "little"))
}

/// (code, text, squares).
pub fn reason_object<'py>(py: Python<'py>, board: &Board, reason: &Reason) -> PyResult<Bound<'py, PyTuple>> {
    let squares: PyResult<Vec<_>> = reason.squares.iter().map(|&s| square_object(py, board.square(s))).collect();
    (reason.code.name(), &reason.text, PyTuple::new(py, squares?)?).into_pyobject(py)
}

/// (method, seconds, nodes, backtracks, greatest depth, restarts, prunes by kind, peak states,
/// transitions, bytes).
pub fn report_object<'py>(py: Python<'py>, report: &Report, elapsed: Duration) -> PyResult<Bound<'py, PyTuple>> {
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
    let seconds = elapsed.as_secs_f64();
    let Report { method, peak_states, transitions, memory, .. } = *report;
    (method, seconds, nodes, backtracks, greatest_depth, restarts, kinds, peak_states, transitions, memory)
        .into_pyobject(py)
}
