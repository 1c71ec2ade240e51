//! What the options of a run mean: engines, limits, threads, seeds, files.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use super::arguments;
use super::errors::RequestError;
use super::run::PyCancel;
use crate::answers::Method;
use crate::engines::backtracking::Lookahead;
use crate::engines::frontier::Files;
use crate::engines::warnsdorff::Ties;
use crate::run::{Budget, Limits};

/// `time_limit`, `node_limit` and `memory_limit` as they were given.
pub type GivenLimits<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// The checkpoint, the directory for what does not fit the memory, and the seconds between two saves.
pub type GivenFiles = (Option<PathBuf>, Option<PathBuf>, f64);

/// The most threads that may be asked for.
const MOST_THREADS: i64 = 1024;

/// How far to look ahead, by name.
pub const LOOKAHEADS: [(&str, Lookahead); 4] = [
    ("none", Lookahead::None),
    ("dead-ends", Lookahead::DeadEnds),
    ("forced", Lookahead::Forced),
    ("full", Lookahead::Full),
];

/// One of some names.
pub fn one_of<T: Copy>(what: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let name = value.cast::<PyString>().ok().map(|name| name.to_string_lossy());
    let chosen = name.and_then(|name| choices.iter().find(|(choice, _)| *choice == name));
    chosen.map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        let value = arguments::quote(value);
        RequestError::new_err(format!("{what} must be one of {}, not {value}", names.join(", ")))
    })
}

/// An engine.
pub fn read_method(value: &Bound<'_, PyAny>) -> PyResult<Method> {
    one_of("method", value, &Method::ALL.map(|method| (method.name(), method)))
}

/// A rule for ties.
pub fn read_ties(value: &Bound<'_, PyAny>) -> PyResult<Ties> {
    one_of("ties", value, &Ties::ALL.map(|ties| (ties.name(), ties)))
}

/// A seed.
pub fn read_seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let seed = if value.is_instance_of::<PyBool>() { None } else { value.extract::<u64>().ok() };
    seed.ok_or_else(|| {
        let value = arguments::quote(value);
        RequestError::new_err(format!("seed must be a whole number from 0 to 2**64 - 1, not {value}"))
    })
}

/// Number of threads; by default the number of the machine's cores.
pub fn read_threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    // Asking the system takes longer than many a count.
    static CORES: OnceLock<usize> = OnceLock::new();
    let Some(value) = value else {
        return Ok(*CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get)));
    };
    match arguments::whole(value)? {
        Some(threads @ 1..=MOST_THREADS) => Ok(threads as usize),
        _ => {
            let value = arguments::quote(value);
            Err(RequestError::new_err(format!("threads must be a whole number from 1 to {MOST_THREADS}, not {value}")))
        }
    }
}

/// Seconds.
pub fn read_seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = if value.is_instance_of::<PyBool>() { None } else { value.extract::<f64>().ok() };
    match seconds {
        // Longer than the clock can say is no limit.
        Some(seconds) if seconds >= 0.0 => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        _ => {
            let value = arguments::quote(value);
            Err(RequestError::new_err(format!("{name} must be seconds of at least 0, not {value}")))
        }
    }
}

/// Where a sweep may write.
pub fn read_files((checkpoint, spill_dir, interval): GivenFiles) -> Files {
    let interval = Duration::try_from_secs_f64(interval).unwrap_or(Duration::MAX);
    Files { checkpoint, spill_dir, interval, ..Files::default() }
}

/// Limits, and the switch that stops a run.
pub fn read_budget(
    (time, nodes, memory): &GivenLimits<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyAny>>,
) -> PyResult<Budget> {
    let amount = |name: &str, value: &Bound<'_, PyAny>| match arguments::whole(value)? {
        Some(amount @ 0..) => Ok(amount as u64),
        _ => {
            let value = arguments::quote(value);
            Err(RequestError::new_err(format!("{name} must be a whole number of at least 0, not {value}")))
        }
    };
    let time = time.as_ref().map(|value| read_seconds("time_limit", value)).transpose()?;
    let limits = Limits {
        time,
        nodes: nodes.as_ref().map(|nodes| amount("node_limit", nodes)).transpose()?,
        memory: memory.as_ref().map(|memory| amount("memory_limit", memory)).transpose()?,
    };
    if let Some(progress) = progress
        && !progress.is_callable()
    {
        let progress = arguments::quote(progress);
        return Err(RequestError::new_err(format!("progress must be callable, not {progress}")));
    }
    let cancel = match cancel {
        None => None,
        Some(cancel) => Some(cancel.cast::<PyCancel>().map_err(|_| {
            RequestError::new_err(format!("cancel must be a Cancel object, not {}", arguments::quote(cancel)))
        })?),
    };
    Ok(Budget::new(limits).with_cancel(cancel.map(|cancel| cancel.get().0.clone())))
}
