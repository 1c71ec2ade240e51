//! Numbered collections as Python's `Tours` uses them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyTuple};

use super::answers::{integer, report_object};
use super::board::PyBoard;
use super::detach::{detached, let_others_run};
use super::errors::{amount, limit_reached, too_big};
use super::options::{GivenLimits, read_budget, read_seed, read_threads, read_whole};
use super::quote::quote;
use super::run;
use super::tour::PyTour;
use super::tours::PyRequest;
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

    /// Picks tours, or classes of a request: ("drawn", list of tours, seed) or ("stopped", limit, seed).
    ///
    /// `first` is the number of the first pick: other workers make those before it.
    #[pyo3(signature = (count, seed, classes, limits, threads, progress, cancel, first = 0))]
    #[expect(clippy::too_many_arguments, reason = "the options of a public call")]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
        classes: Option<&Bound<'py, PyRequest>>,
        limits: GivenLimits<'py>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        cancel: Option<&Bound<'py, PyAny>>,
        first: u64,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (given, count) = (count, read_whole("k", count, 0)? as usize);
        let seed = seed.map_or_else(|| Ok(fresh_seed()), read_seed)?;
        let budget = read_budget(&limits, progress, cancel)?;
        let mut draw = Draw::new(Arc::clone(&self.numbering), count, seed, read_threads(threads)?).starting_at(first);
        if let Some(classes) = classes {
            draw = draw.of_classes(&classes.get().request)?;
        }
        let bytes = draw.bytes();
        let (draw, drawn, _) = run::drive(py, draw, budget, progress)?;
        match drawn {
            Ok(drawn) => {
                let list = PyList::empty(py);
                for (at, tour) in drawn.into_iter().enumerate() {
                    if at % 4096 == 4095 {
                        let_others_run(py)?;
                    }
                    list.append(PyTour::from(tour))?;
                }
                ("drawn", list, seed).into_pyobject(py)
            }
            Err(Halt::Pause(Pause::Limit(Limit::Memory))) if draw.is_some_and(|draw| draw.is_finding_classes()) => {
                Err(too_big(py, "counting the symmetric tours of the board needs more memory than the limit"))
            }
            Err(Halt::Pause(Pause::Limit(Limit::Memory))) => {
                let (k, needs) = (quote(given), amount(bytes));
                Err(too_big(py, &format!("k={k} tours need {needs}")))
            }
            Err(halt) => ("stopped", limit_reached(halt)?.name(), seed).into_pyobject(py),
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

/// Numbers tours: ("prepared", (Board, Request, Numbering), report) or ("stopped", limit, report).
#[pyfunction(name = "_prepare")]
#[pyo3(signature = (request, path, spill_dir, limits, threads, progress, cancel))]
#[expect(clippy::too_many_arguments, reason = "the options of a public call")]
pub fn prepare<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyRequest>,
    path: Option<PathBuf>,
    spill_dir: Option<PathBuf>,
    limits: GivenLimits<'py>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    cancel: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let files = Files { index: path, spill_dir, ..Files::default() };
    let budget = read_budget(&limits, progress, cancel)?;
    let prepare = Prepare::new(request.get().request.clone(), read_threads(threads)?, files)?;
    let (prepare, answer, elapsed) = run::drive(py, prepare, budget, progress)?;
    let report = prepare.as_ref().map(Prepare::report).unwrap_or_default();
    finish(py, answer, |py| report_object(py, &report, elapsed))
}

/// Opens an index: ("prepared", (Board, Request, Numbering), report) or ("stopped", limit, report).
#[pyfunction(name = "_open_tours")]
pub fn open_tours(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyTuple>> {
    let opened = detached(py, usize::MAX, move || Numbering::open(&path, &Budget::unlimited()))?;
    finish(py, opened, |py| report_object(py, &crate::answers::Report::default(), Duration::ZERO))
}

fn finish<'py>(
    py: Python<'py>,
    answer: Result<Numbering, Halt>,
    report: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyTuple>> {
    match answer {
        Ok(numbering) => {
            let request = numbering.request().clone();
            let board = PyBoard::from(request.board().clone());
            ("prepared", (board, PyRequest { request }, PyNumbering::new(numbering)), report(py)?).into_pyobject(py)
        }
        Err(halt) => ("stopped", limit_reached(halt)?.name(), report(py)?).into_pyobject(py),
    }
}
