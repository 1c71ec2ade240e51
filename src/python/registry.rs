//! What the core asks of the Python package: its classes and functions, by name, in this file alone.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Something of the package that the core calls. It is imported when it is first asked for.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// The squares on which tours can end, asked as a board is asked.
    EndSquares,
    /// The longest path of a board.
    LongestOf,
    /// The class of a path found or measured: `LongestPath`.
    LongestPath,
    /// The collection of paths: `Paths`.
    Paths,
    /// How far a run is: `Progress`.
    Progress,
    /// Raises the error for a limit that ended a listing.
    RaiseStopped,
    /// Raises the error for options that a call does not have.
    Refuse,
    /// A square: `Square`.
    Square,
    /// The work done for an answer: `Stats`.
    Stats,
    /// The collection of tours: `Tours`.
    Tours,
}

impl Asked {
    const NUMBER: usize = Asked::Tours as usize + 1;

    const fn place(self) -> (&'static str, &'static str) {
        match self {
            Asked::EndSquares => ("knightstour.paths", "end_squares"),
            Asked::LongestOf => ("knightstour.paths", "longest_path"),
            Asked::LongestPath => ("knightstour.results", "LongestPath"),
            Asked::Paths => ("knightstour.paths", "Paths"),
            Asked::Progress => ("knightstour.results", "Progress"),
            Asked::RaiseStopped => ("knightstour.tours", "raise_stopped"),
            Asked::Refuse => ("knightstour.keywords", "refuse"),
            Asked::Square => ("knightstour.square", "Square"),
            Asked::Stats => ("knightstour.results", "Stats"),
            Asked::Tours => ("knightstour.tours", "Tours"),
        }
    }

    /// The class or function.
    pub fn get(self, py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
        static FOUND: [PyOnceLock<Py<PyAny>>; Asked::NUMBER] = [const { PyOnceLock::new() }; Asked::NUMBER];
        let (module, name) = self.place();
        let import = || Ok::<_, PyErr>(py.import(module)?.getattr(name)?.unbind());
        Ok(FOUND[self as usize].get_or_try_init(py, import)?.bind(py))
    }
}

/// A function that draws. Drawing is imported with the first of them.
pub fn drawing<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("knightstour.drawing")?.getattr(name)
}

/// What makes an object of the core again from its pickle.
pub fn restoring<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("knightstour._core")?.getattr(name)
}
