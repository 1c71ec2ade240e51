//! What the command line asks of the texts of tours: how one was read, the parts of one that holds several, and the
//! line that says what a grid or names cannot.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyList;

use super::arguments;
use super::board::{PyBoard, given_board};
use super::detach::detached;
use super::reading::{kind, read_text};
use super::tour::PyTour;
use crate::board::tour::{Given, Tour};

/// What is known of a tour beside its text.
fn given(
    board: Option<&Bound<'_, PyAny>>,
    closed: Option<&Bound<'_, PyAny>>,
    leaper: Option<&Bound<'_, PyAny>>,
    wrap: Option<&Bound<'_, PyAny>>,
    blocked: Option<Vec<String>>,
) -> PyResult<Given> {
    Ok(Given {
        board: board.map(given_board).transpose()?,
        leaper: leaper.map(arguments::leaper).transpose()?,
        wrap: wrap.map(|wrap| arguments::wrap(Some(wrap))).transpose()?,
        blocked: blocked.unwrap_or_default(),
        closed: kind(closed)?,
        is_data: false,
    })
}

/// A tour, how its text was read, a note on another reading, and whether its kind is said.
#[pyfunction(name = "_read_tour")]
#[pyo3(signature = (text, board=None, closed=None, leaper=None, wrap=None, blocked=None))]
pub fn read_tour(
    py: Python<'_>,
    text: &str,
    board: Option<&Bound<'_, PyAny>>,
    closed: Option<&Bound<'_, PyAny>>,
    leaper: Option<&Bound<'_, PyAny>>,
    wrap: Option<&Bound<'_, PyAny>>,
    blocked: Option<Vec<String>>,
) -> PyResult<(PyTour, String, Option<String>, bool)> {
    let given = given(board, closed, leaper, wrap, blocked)?;
    let reading = read_text(py, text.to_owned(), move |text| Tour::read(text, &given))?;
    Ok((reading.tour.into(), reading.read_as, reading.note, reading.kind_is_said))
}

/// The parts of a text that holds several tours.
#[pyfunction(name = "_split_tours")]
#[pyo3(signature = (text, board=None, closed=None, leaper=None, wrap=None, blocked=None))]
pub fn split_tours<'py>(
    py: Python<'py>,
    text: &str,
    board: Option<&Bound<'_, PyAny>>,
    closed: Option<&Bound<'_, PyAny>>,
    leaper: Option<&Bound<'_, PyAny>>,
    wrap: Option<&Bound<'_, PyAny>>,
    blocked: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyList>> {
    let given = given(board, closed, leaper, wrap, blocked)?;
    let whole = text.to_owned();
    let parts: Vec<String> =
        detached(py, text.len(), move || Tour::split(&whole, &given).into_iter().map(Cow::into_owned).collect())?;
    PyList::new(py, parts)
}

/// The line that is put before a tour's grid in a file; empty where the grid says all.
#[pyfunction(name = "_note")]
pub fn note(tour: &Bound<'_, PyTour>) -> String {
    tour.get().tour.note()
}

/// The line that is put before tours as lines of names or square numbers.
#[pyfunction(name = "_note_of_lines")]
pub fn note_of_lines(board: &Bound<'_, PyBoard>, closed: bool) -> String {
    Tour::note_of_lines(&board.get().board, closed)
}
