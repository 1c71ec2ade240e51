//! Numbered collections as Python's `Tours` uses them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};

use super::answers::{integer, stats_object, stopped};
use super::board::PyBoard;
use super::detach::{detached, let_others_run};
use super::errors::{amount, too_big};
use super::limits::PyLimits;
use super::options::{read_seed, read_whole};
use super::quote::quote;
use super::tour::PyTour;
use super::tours::PyRequest;
use crate::answers::Report;
use crate::answers::number::{Draw, Files, Numbering, Prepare};
use crate::engines::frontier::Natural;
use crate::run::rng::fresh_seed;
use crate::run::{Budget, Halt, Limit, Pause};

/// A collection as a list. Immutable; threads may share it.
#[pyclass(name = "Numbering", module = "knightstour._core", frozen)]
pub struct PyNumbering {
    numbering: Arc<Numbering>,
}

impl PyNumbering {
    fn new(numbering: Numbering) -> PyNumbering {
        PyNumbering { numbering: Arc::new(numbering) }
    }
}

#[pymethods]
impl PyNumbering {
    /// How many tours there are.
    #[getter]
    fn total<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer(py, &self.numbering.total())
    }

    /// The tour with a number from 0 to the total less 1.
    fn tour(&self, py: Python<'_>, number: &Bound<'_, PyInt>) -> PyResult<Option<PyTour>> {
        let number = natural(number)?;
        let tour = py.detach(|| self.numbering.tour(&number))?;
        Ok(tour.map(PyTour::from))
    }

    /// The number of a tour, or None if it is not one of these.
    fn index<'py>(&self, py: Python<'py>, tour: &Bound<'py, PyTour>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tour = &tour.get().tour;
        let number = py.detach(|| self.numbering.number(tour))?;
        number.map(|number| integer(py, &number)).transpose()
    }

    /// Picks tours, or classes of a request: (list of tours, seed) or a `Stopped`.
    ///
    /// `first` is the number of the first pick: other workers make those before it.
    #[pyo3(signature = (count, seed, classes, limits, first = 0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
        classes: Option<&Bound<'py, PyRequest>>,
        limits: &Bound<'py, PyLimits>,
        first: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (given, count) = (count, read_whole("k", count, 0)? as usize);
        let seed = seed.map_or_else(|| Ok(fresh_seed()), read_seed)?;
        let threads = limits.get().threads()?;
        let mut draw = Draw::new(Arc::clone(&self.numbering), count, seed, threads).starting_at(first);
        if let Some(classes) = classes {
            draw = draw.of_classes(&classes.get().request)?;
        }
        let bytes = draw.bytes();
        let (draw, drawn, elapsed) = limits.get().drive(py, draw)?;
        match drawn {
            Ok(drawn) => {
                let list = PyList::empty(py);
                for (at, tour) in drawn.into_iter().enumerate() {
                    if at % 4096 == 4095 {
                        let_others_run(py)?;
                    }
                    list.append(PyTour::from(tour))?;
                }
                (list, seed).into_bound_py_any(py)
            }
            Err(Halt::Pause(Pause::Limit(Limit::Memory))) if draw.is_some_and(|draw| draw.is_finding_classes()) => {
                Err(too_big(py, "counting the symmetric tours of the board needs more memory than the limit"))
            }
            Err(Halt::Pause(Pause::Limit(Limit::Memory))) => {
                let (k, needs) = (quote(given), amount(bytes));
                Err(too_big(py, &format!("k={k} tours need {needs}")))
            }
            Err(halt) => {
                let report = Report { method: "frontier", ..Report::default() };
                stopped(py, halt, &stats_object(py, &report, elapsed)?)
            }
        }
    }

    /// Bytes that it takes, in memory or on disk.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.numbering.bytes()
    }
}

#[pymethods]
impl PyRequest {
    /// The same without symmetric tours and classes: all tours with the given ends, moves and steps.
    fn plain(&self) -> PyRequest {
        PyRequest { request: self.request.plain() }
    }
}

/// A whole number that is not negative.
fn natural(number: &Bound<'_, PyInt>) -> PyResult<Natural> {
    if let Ok(number) = number.extract::<u64>() {
        return Ok(Natural::from(number));
    }
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    let bytes = number.call_method1("to_bytes", (bits / 8 + 1, "little"))?;
    Ok(Natural::from_le_bytes(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// Numbers tours: (board, request, numbering) or a `Stopped`.
#[pyfunction(name = "_prepare")]
#[pyo3(signature = (request, path, spill_dir, limits))]
pub fn prepare<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    path: Option<PathBuf>,
    spill_dir: Option<PathBuf>,
    limits: &Bound<'py, PyLimits>,
) -> PyResult<Bound<'py, PyAny>> {
    let files = Files { index: path, spill_dir, ..Files::default() };
    let prepare = Prepare::new(request.get().request.clone(), limits.get().threads()?, files)?;
    let (prepare, answer, elapsed) = limits.get().drive(py, prepare)?;
    prepared(py, answer, prepare.as_ref().map(Prepare::report).unwrap_or_default(), elapsed)
}

/// Opens an index: (board, request, numbering) or a `Stopped`.
#[pyfunction(name = "_open_tours")]
pub fn open_tours(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let opened = detached(py, usize::MAX, move || Numbering::open(&path, &Budget::unlimited()))?;
    prepared(py, opened, Report::default(), Duration::ZERO)
}

fn prepared<'py>(
    py: Python<'py>,
    answer: Result<Numbering, Halt>,
    report: Report,
    elapsed: Duration,
) -> PyResult<Bound<'py, PyAny>> {
    match answer {
        Ok(numbering) => {
            let request = numbering.request().clone();
            let board = PyBoard::from(request.board().clone());
            (board, PyRequest { request }, PyNumbering::new(numbering)).into_bound_py_any(py)
        }
        Err(halt) => stopped(py, halt, &stats_object(py, &report, elapsed)?),
    }
}
