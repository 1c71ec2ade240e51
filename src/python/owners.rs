//! Squares are pickled with the board, tour or walk whose they are.

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use super::board::PyBoard;
use super::squares::PySquares;
use super::tour::PyTour;
use super::view::Source;
use super::walks::PyWalk;

#[pymethods]
impl PySquares {
    /// Pickled as `owner.squares`, or as a slice of that.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let view = &self.0;
        let owner = match &view.source {
            Source::Board(board, _) => Bound::new(py, PyBoard::from(board.clone()))?.into_any(),
            Source::Tour(tour) => Bound::new(py, PyTour::from(tour.clone()))?.into_any(),
            Source::Path(board, squares) => Bound::new(py, PyWalk::new(board, squares, 0))?.into_any(),
        };
        if (view.start, view.step, view.len) == (0, 1, view.source.len()) {
            return (py.import("builtins")?.getattr("getattr")?, (owner, "squares")).into_pyobject(py);
        }
        let stop = view.start as isize + view.step * view.len as isize;
        let slice = py.get_type::<PySlice>().call1((view.start, (stop >= 0).then_some(stop), view.step))?;
        (py.import("operator")?.getattr("getitem")?, (owner.getattr("squares")?, slice)).into_pyobject(py)
    }
}
