//! The Python object of a square.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::registry::Asked;
use crate::board::square::Square;

/// The Python object of a square: `knightstour.Square`.
pub fn square_object(py: Python<'_>, square: Square) -> PyResult<Bound<'_, PyAny>> {
    static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = Asked::Square.get(py)?;
    // `tuple.__new__` is what `Square(row, col)` ends in, without the Python function on the way.
    let new = NEW.get_or_try_init(py, || Ok::<_, PyErr>(py.get_type::<PyTuple>().getattr("__new__")?.unbind()))?;
    new.bind(py).call1((class, (square.row, square.col)))
}
