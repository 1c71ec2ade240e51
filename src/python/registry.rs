//! What the core asks of the Python package: its classes and functions, by name, in this file alone.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// Something of the package that the core calls. It is imported when it is first asked for.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// A tour that was found: `Found`.
    Found,
    /// A path that was found, of a board and its squares.
    FoundPath,
    /// A proof that there is no tour: `Impossible`.
    Impossible,
    /// The longest path, and what is known of longer ones: `LongestPath`.
    LongestPath,
    /// The collection of paths: `Paths`.
    Paths,
    /// How far a run is: `Progress`.
    Progress,
    /// A puzzle: `Puzzle`.
    Puzzle,
    /// Raises the error for a limit that was reached.
    RaiseLimit,
    /// Why there is no tour: `Reason`.
    Reason,
    /// Raises the error for options that a call does not have.
    Refuse,
    /// A square: `Square`.
    Square,
    /// The work done for an answer: `Stats`.
    Stats,
    /// A limit that was reached: `Stopped`.
    Stopped,
    /// The collection of tours: `Tours`.
    Tours,
}

impl Asked {
    const NUMBER: usize = Asked::Tours as usize + 1;

    const fn place(self) -> (&'static str, &'static str) {
        match self {
            Asked::Found => ("knightstour.results", "Found"),
            Asked::FoundPath => ("knightstour.paths", "found_path"),
            Asked::Impossible => ("knightstour.results", "Impossible"),
            Asked::LongestPath => ("knightstour.results", "LongestPath"),
            Asked::Paths => ("knightstour.paths", "Paths"),
            Asked::Progress => ("knightstour.results", "Progress"),
            Asked::Puzzle => ("knightstour.puzzles", "Puzzle"),
            Asked::RaiseLimit => ("knightstour.limits", "raise_limit"),
            Asked::Reason => ("knightstour.results", "Reason"),
            Asked::Refuse => ("knightstour.keywords", "refuse"),
            Asked::Square => ("knightstour.square", "Square"),
            Asked::Stats => ("knightstour.results", "Stats"),
            Asked::Stopped => ("knightstour.results", "Stopped"),
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

    /// An object of the class, its fields given by name.
    pub fn make<'py>(self, py: Python<'py>, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        self.get(py)?.call((), Some(fields))
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
