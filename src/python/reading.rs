//! What a tour is read from: text, bytes, and the lists and arrays that people have.

use std::borrow::Cow;
use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyList, PyTuple};

use super::arguments;
use super::detach::{check_every, detached};
use super::errors::{self, InvalidTourError, ReadError, RequestError, must_be};
use super::quote::quote;
use crate::board::tour::{Given, ParseTourError, Reading, Tour, UnreadableText};

/// Lists in lists, no deeper.
const DEEPEST: usize = 8;

/// The most items of something that does not know its length.
const MOST: usize = 1 << 26;

/// `True`, `False` or `None`.
pub fn kind(closed: Option<&Bound<'_, PyAny>>) -> PyResult<Option<bool>> {
    let Some(closed) = closed.filter(|closed| !closed.is_none()) else { return Ok(None) };
    closed.extract::<bool>().map(Some).map_err(|_| must_be::<RequestError>("closed", "True, False or None", closed))
}

/// Reads a text without holding the interpreter up.
pub fn read_text(
    py: Python<'_>,
    text: String,
    read: impl FnOnce(&str) -> Result<Reading, ParseTourError> + Send + 'static,
) -> PyResult<Reading> {
    detached(py, text.len() / 4, move || read(&text))?.map_err(|error| errors::parse_tour(py, &error))
}

/// Reads text, bytes or data.
pub fn read(py: Python<'_>, what: &Bound<'_, PyAny>, given: Given) -> PyResult<Reading> {
    if let Some(text) = text_of(what)? {
        return read_text(py, text, move |text| {
            Tour::read(text, &given).map_err(|error| match Tour::split(text, &given).len() {
                1 => error,
                several => ParseTourError::Unreadable(UnreadableText {
                    message: format!(
                        "the text holds {several} tours, but only one can be read here: give each one separately"
                    ),
                }),
            })
        });
    }
    let mut text = String::new();
    write(what, &mut text, 0)?;
    let given = Given { is_data: true, ..given };
    read_text(py, text, move |text| Tour::read(text, &given))
}

/// What cannot be read, of data that are meant as a tour: no tour.
pub fn as_invalid(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<ReadError>(py) { InvalidTourError::new_err(error.value(py).to_string()) } else { error }
}

/// A text, or bytes that are one.
fn text_of(what: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Some(text) = arguments::text(what) {
        return Ok(Some(text.into_owned()));
    }
    let bytes: Cow<'_, [u8]> = if let Ok(bytes) = what.cast::<PyBytes>() {
        bytes.as_bytes().into()
    } else if let Ok(bytes) = what.cast::<PyByteArray>() {
        bytes.to_vec().into()
    } else {
        return Ok(None);
    };
    let wide = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..].as_chunks::<2>().0.iter().map(|&unit| read(unit));
        char::decode_utf16(units).collect::<Result<String, _>>().ok()
    };
    let text = match bytes[..] {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8(bytes.to_vec()).ok(),
    };
    text.map(Some).ok_or_else(|| {
        let bytes = quote(what);
        ReadError::new_err(format!("cannot be read: {bytes} is not text in UTF-8 or UTF-16"))
    })
}

/// Writes lists, tuples, arrays and frames as a text of numbers and names in brackets.
fn write(value: &Bound<'_, PyAny>, text: &mut String, depth: usize) -> PyResult<()> {
    let refuse = || {
        let value = quote(value);
        let needed = "a tour is read from text, or from lists or arrays of numbers, names or pairs";
        ReadError::new_err(format!("cannot be read: {value} is neither a number nor a square; {needed}"))
    };
    if depth > 0 {
        if let Some(name) = arguments::text(value) {
            text.push_str(&name);
            text.push('\n');
            return Ok(());
        }
        if value.is_none() {
            text.push_str("None ");
            return Ok(());
        }
        if value.is_instance_of::<PyBool>() {
            return Err(refuse());
        }
        if let Some(number) = arguments::whole(value)? {
            // Writing to a string never fails.
            let _ = write!(text, "{number},");
            return Ok(());
        }
        if let Ok(number) = value.cast::<PyFloat>().map(|number| number.value()) {
            let _ = if number.is_nan() { write!(text, "nan,") } else { write!(text, "{number},") };
            return Ok(());
        }
    }
    if depth >= DEEPEST || value.is_none() || value.is_instance_of::<PyBool>() {
        return Err(refuse());
    }
    for method in ["to_numpy", "tolist"] {
        if !value.is_instance_of::<PyList>() && !value.is_instance_of::<PyTuple>() && value.hasattr(method)? {
            return write(&value.call_method0(method)?, text, depth);
        }
    }
    text.push('[');
    for (index, item) in value.try_iter().map_err(|_| refuse())?.enumerate() {
        check_every(value.py(), index)?;
        if index > MOST {
            return Err(refuse());
        }
        write(&item?, text, depth + 1)?;
    }
    text.push_str("]\n");
    Ok(())
}

/// Whether what should be the squares of a tour are square numbers or the rows of a grid.
pub fn is_numbered(board: &crate::board::Board, squares: &Bound<'_, PyAny>) -> PyResult<bool> {
    let known =
        squares.is_instance_of::<PyList>() || squares.is_instance_of::<PyTuple>() || squares.hasattr("tolist")?;
    let Ok(length) = squares.len() else { return Ok(false) };
    if !known || length == 0 {
        return Ok(false);
    }
    let first = squares.get_item(0)?;
    if arguments::whole(&first)?.is_some() || first.is_instance_of::<PyFloat>() {
        return Ok(true);
    }
    let row = first.len().is_ok_and(|cols| cols == board.cols() as usize) && arguments::text(&first).is_none();
    Ok(row && length == board.rows() as usize && !(board.cols() == 2 && length == board.len()))
}
