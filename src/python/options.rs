//! What the options of a run mean: engines, threads, seeds, files.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use super::arguments;
use super::errors::{RequestError, must_be};
use crate::answers::Method;
use crate::engines::backtracking::Lookahead;
use crate::engines::frontier::{Files, Modulus};
use crate::engines::warnsdorff::Ties;

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
pub fn one_of<T: Copy>(what: &'static str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let name = value.cast::<PyString>().ok().map(|name| name.to_string_lossy());
    let chosen = name.and_then(|name| choices.iter().find(|(choice, _)| *choice == name));
    chosen.map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        must_be::<RequestError>(what, format!("one of {}", names.join(", ")), value)
    })
}

/// A whole number that is not below another, and of at most 64 bits.
pub fn read_whole(option: &'static str, value: &Bound<'_, PyAny>, least: i64) -> PyResult<u64> {
    match arguments::whole(value)? {
        Some(number) if number >= least => Ok(number as u64),
        _ => Err(must_be::<RequestError>(option, format!("a whole number of at least {least}"), value)),
    }
}

/// Whether closed tours are meant: no, if it is not said.
pub fn read_closed(value: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let Some(value) = value else { return Ok(false) };
    value.extract().map_err(|_| must_be::<RequestError>("closed", "True or False", value))
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
    seed.ok_or_else(|| must_be::<RequestError>("seed", "a whole number of at least 0 (and 64 bits)", value))
}

/// A number that a count is asked for modulo.
pub fn read_modulus(value: &Bound<'_, PyAny>) -> PyResult<Modulus> {
    let modulus = arguments::whole(value)?.and_then(|number| Modulus::new(number.try_into().ok()?));
    modulus.ok_or_else(|| must_be::<RequestError>("modulus", "a whole number from 2 to 2**32", value))
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
        _ => Err(must_be::<RequestError>("threads", format!("a whole number from 1 to {MOST_THREADS}"), value)),
    }
}

/// Seconds.
pub fn read_seconds(name: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = if value.is_instance_of::<PyBool>() { None } else { value.extract::<f64>().ok() };
    match seconds {
        // Longer than the clock can say is no limit.
        Some(seconds) if seconds >= 0.0 => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        _ => Err(must_be::<RequestError>(name, "seconds of at least 0", value)),
    }
}

/// Where a sweep may write.
pub fn read_files((checkpoint, spill_dir, interval): GivenFiles) -> Files {
    let interval = Duration::try_from_secs_f64(interval).unwrap_or(Duration::MAX);
    Files { checkpoint, spill_dir, interval, ..Files::default() }
}
