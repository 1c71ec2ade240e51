//! The exceptions. Most have two bases, so they are Python classes (`knightstour.errors`), which are
//! imported here once.

use std::fmt::Display;

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::quote::quote;
use super::square::square_object;
use crate::board::moves::{Leaper, Wrap};
use crate::board::tour::{InvalidTour, ParseTourError};
use crate::run::{Halt, Limit, Misuse, NO_MACHINE, Named, Pause};

mod classes {
    //! The Python classes by name.
    #![allow(missing_docs, reason = "documented where they are written")]

    pyo3::import_exception!(knightstour.errors, BoardError);
    pyo3::import_exception!(knightstour.errors, InvalidTourError);
    pyo3::import_exception!(knightstour.errors, MemoryLimitError);
    pyo3::import_exception!(knightstour.errors, ReadError);
    pyo3::import_exception!(knightstour.errors, RequestError);
    pyo3::import_exception!(knightstour.errors, SquareError);
    pyo3::import_exception!(knightstour.errors, StoreError);
    pyo3::import_exception!(knightstour.errors, TourSquareError);
}

pub use classes::{BoardError, InvalidTourError, ReadError, RequestError, SquareError, StoreError, TourSquareError};

impl From<crate::board::BoardError> for PyErr {
    fn from(error: crate::board::BoardError) -> PyErr {
        BoardError::new_err(error.to_string())
    }
}

impl From<crate::board::measures::ShortJoin> for PyErr {
    fn from(error: crate::board::measures::ShortJoin) -> PyErr {
        RequestError::new_err(error.to_string())
    }
}

impl From<Misuse> for PyErr {
    fn from(error: Misuse) -> PyErr {
        match error {
            Misuse::Options { text, options } => {
                let named = options.into_iter().map(|option| match option {
                    Named::Option(name) => (name.replace('-', "_"), None),
                    Named::With(name, value) => (name.replace('-', "_"), Some(value)),
                    Named::Call(name) => (format!("{name}()"), None),
                });
                RequestError::new_err((text, named.collect::<Vec<_>>()))
            }
            other => RequestError::new_err(other.to_string()),
        }
    }
}

/// The exception, of the class `E`, for an option whose value is none of those that it takes.
pub fn must_be<E: PyTypeInfo>(option: &'static str, what: impl Display, given: &Bound<'_, PyAny>) -> PyErr {
    let options = [(option, None::<&str>)];
    PyErr::new::<E, _>((format!("{{}} must be {what}, not {}", quote(given)), options))
}

impl From<crate::store::StoreError> for PyErr {
    fn from(error: crate::store::StoreError) -> PyErr {
        StoreError::new_err(error.to_string())
    }
}

/// The limit that ended a run; what else did is raised.
pub fn limit_reached(halt: Halt) -> PyResult<Limit> {
    match halt {
        Halt::Pause(Pause::Limit(limit)) => Ok(limit),
        Halt::Pause(Pause::Slice) => unreachable!("a run is not ended by the end of a slice"),
        Halt::Store(error) => Err(error.into()),
        Halt::Misuse(error) => Err(error.into()),
        Halt::Unsuited(why) => Err(Misuse::from(why).into()),
    }
}

/// The exception for a sequence that is not a tour.
pub fn invalid_tour(py: Python<'_>, error: &InvalidTour) -> PyErr {
    match error.squares.iter().map(|&square| square_object(py, square)).collect() {
        Ok(squares) => {
            let (kind, board) = elsewhere(error);
            build_invalid(py, &format!("{}{kind}", error.message), error.step, squares, error.off_board, &board)
        }
        Err(error) => error,
    }
}

/// By which piece and on which joined edges it would be a tour, and the options of such a board.
fn elsewhere(error: &InvalidTour) -> (String, BoardOptions) {
    let Some((leaper, wrap)) = error.elsewhere else { return Default::default() };
    let edges = match wrap {
        Wrap::None => "",
        Wrap::Cols => " if left and right are joined",
        Wrap::Rows => " if top and bottom are joined",
        Wrap::Both => " if both pairs of edges are joined",
    };
    let legs = (leaper != Leaper::KNIGHT).then_some((leaper.a, leaper.b));
    let piece = legs.map_or("knight".to_owned(), |(a, b)| format!("({a}, {b})-leaper"));
    (format!("; each step is a move of the {piece}{edges}"), (legs, wrap.name()))
}

/// ``leaper`` and ``wrap`` of a board, where they are not those of the plain board and the knight.
type BoardOptions = (Option<(u32, u32)>, Option<&'static str>);

/// The exception for a sequence that is not a tour, with its attributes.
pub fn not_a_tour(
    py: Python<'_>,
    message: &str,
    step: Option<usize>,
    squares: Vec<Bound<'_, PyAny>>,
    off_board: bool,
) -> PyErr {
    build_invalid(py, message, step, squares, off_board, &BoardOptions::default())
}

fn build_invalid(
    py: Python<'_>,
    message: &str,
    step: Option<usize>,
    squares: Vec<Bound<'_, PyAny>>,
    off_board: bool,
    (leaper, wrap): &BoardOptions,
) -> PyErr {
    let build = || {
        let class = if off_board { py.get_type::<TourSquareError>() } else { py.get_type::<InvalidTourError>() };
        let (attributes, board) = (PyDict::new(py), PyDict::new(py));
        leaper.map(|leaper| board.set_item("leaper", leaper)).transpose()?;
        wrap.map(|wrap| board.set_item("wrap", wrap)).transpose()?;
        attributes.set_item("step", step)?;
        attributes.set_item("squares", PyTuple::new(py, squares)?)?;
        attributes.set_item("board", board)?;
        class.call((message,), Some(&attributes))
    };
    build().map_or_else(|error| error, PyErr::from_value)
}

/// The exception for a text that is not a tour.
pub fn parse_tour(py: Python<'_>, error: &ParseTourError) -> PyErr {
    match error {
        ParseTourError::Invalid(error) => invalid_tour(py, error),
        ParseTourError::Unreadable(error) => ReadError::new_err(error.to_string()),
        ParseTourError::Board(error) => not_a_tour(py, &error.to_string(), None, Vec::new(), false),
    }
}

/// How much memory something needs, which is more than there is.
pub fn amount(bytes: u64) -> String {
    if bytes >= NO_MACHINE {
        return "more memory than any machine has".to_owned();
    }
    let (size, unit) =
        [(1e12, "TB"), (1e9, "GB")].into_iter().find(|&(size, _)| bytes as f64 >= size).unwrap_or((1e6, "MB"));
    format!("about {:.1} {unit} of memory, more than there is", bytes as f64 / size)
}

/// The exception for something that would need too much memory.
pub fn too_big(py: Python<'_>, message: &str) -> PyErr {
    let build = || {
        let attributes = PyDict::new(py);
        attributes.set_item("limit", "memory")?;
        py.get_type::<classes::MemoryLimitError>().call((message,), Some(&attributes))
    };
    build().map_or_else(|error| error, PyErr::from_value)
}
