//! [`PyLimits`]: how far a run may go and who watches it, as one value from the public call to the task.

use std::time::Duration;

use pyo3::prelude::*;

use super::errors::{RequestError, must_be};
use super::options::{read_seconds, read_threads, read_whole};
use super::run::{PyCancel, Ran, drive};
use crate::run::{Budget, Cancel, Limits, Task};

/// How far a run may go: the limits, the number of threads, and the functions that watch and stop it.
///
/// They are the options of the same names of `Tours.find`, checked. Raises `RequestError` for values that do not fit.
#[pyclass(name = "Limits", module = "knightstour._core", frozen)]
#[derive(Default)]
pub struct PyLimits {
    limits: Limits,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    cancel: Option<Cancel>,
}

#[pymethods]
impl PyLimits {
    /// Checks the options of a run.
    #[new]
    #[pyo3(signature = (time_limit=None, node_limit=None, memory_limit=None, threads=None, progress=None, cancel=None))]
    pub fn new(
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
        memory_limit: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyLimits> {
        let limits = Limits {
            time: time_limit.map(|time| read_seconds("time_limit", time)).transpose()?,
            nodes: node_limit.map(|nodes| read_whole("node_limit", nodes, 0)).transpose()?,
            memory: memory_limit.map(|memory| read_whole("memory_limit", memory, 0)).transpose()?,
        };
        if let Some(progress) = progress.filter(|progress| !progress.is_callable()) {
            return Err(must_be::<RequestError>("progress", "callable", progress));
        }
        let cancel = cancel.map(|cancel| {
            let switch = cancel.cast::<PyCancel>().map(|cancel| cancel.get().0.clone());
            switch.map_err(|_| must_be::<RequestError>("cancel", "a Cancel object", cancel))
        });
        Ok(PyLimits {
            limits,
            threads: threads.map(|threads| read_threads(Some(threads))).transpose()?,
            progress: progress.map(|progress| progress.clone().unbind()),
            cancel: cancel.transpose()?,
        })
    }

    /// The memory limit in bytes, if one was given.
    #[getter]
    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }
}

impl PyLimits {
    /// The number of threads: by default that of the machine's cores.
    pub fn threads(&self) -> PyResult<usize> {
        self.threads.map_or_else(|| read_threads(None), Ok)
    }

    /// The number of threads, if one was given.
    pub fn given_threads(&self) -> Option<usize> {
        self.threads
    }

    /// The time limit.
    pub fn time(&self) -> Option<Duration> {
        self.limits.time
    }

    /// The progress function.
    pub fn progress(&self) -> Option<&Py<PyAny>> {
        self.progress.as_ref()
    }

    /// A budget whose clock begins now.
    pub fn budget(&self) -> Budget {
        Budget::new(self.limits).with_cancel(self.cancel.clone())
    }

    /// Runs a task to its answer, or to a limit.
    pub fn drive<T: Task>(&self, py: Python<'_>, task: T) -> PyResult<Ran<T>> {
        drive(py, task, self.budget(), self.progress.as_ref().map(|progress| progress.bind(py)))
    }
}
