//! What a value looks like in a message.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

/// What a value looks like in a message: its `repr`, shortened.
pub fn quote(value: &Bound<'_, PyAny>) -> String {
    const LENGTH: usize = 60;
    let shorten = |text: &str| {
        if text.chars().nth(LENGTH).is_none() {
            return text.to_owned();
        }
        text.chars().take(LENGTH).chain("...".chars()).collect()
    };
    if let Ok(text) = value.cast::<PyString>() {
        // The repr of the beginning, for the text may be of any length.
        let beginning = PyString::new(value.py(), &shorten(&text.to_string_lossy()));
        return beginning.repr().map_or_else(|_| "a text".to_owned(), |text| text.to_string_lossy().into_owned());
    }
    if let Ok(number) = value.cast_exact::<PyInt>()
        && number.extract::<i128>().is_err()
    {
        let bits = number.call_method0("bit_length").and_then(|bits| bits.extract::<u64>());
        return bits.map_or_else(|_| "a huge number".to_owned(), |bits| format!("a number of {bits} bits"));
    }
    match value.repr() {
        Ok(text) => shorten(&text.to_string_lossy()),
        Err(_) => shorten(&format!("an object of type {}", type_name(value))),
    }
}

/// What a value looks like in a message, for messages made in Python.
#[pyfunction(name = "_quote")]
#[pyo3(signature = (value, /))]
pub fn quote_any(value: &Bound<'_, PyAny>) -> String {
    quote(value)
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}
