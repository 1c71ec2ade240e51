//! Reading what a user gave: whole numbers, squares, boards, leapers. Whatever is given, the answer is
//! a value or an exception that quotes it.

use std::borrow::Cow;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};

use super::errors::{BoardError, SquareError, must_be};
use super::quote::quote;
use super::registry::Asked;
use crate::board::Board;
use crate::board::moves::{Leaper, Wrap};
use crate::board::square::Square;
use crate::symmetry::Symmetry;

/// The longest leg of a leaper: on any board a longer one reaches no further.
const LONGEST_LEG: i64 = 1 << 31;

/// Refuses options that a call does not have, in the words of the Python package.
pub fn refuse_others(call: &str, others: Option<&Bound<'_, PyDict>>, known: &[&str]) -> PyResult<()> {
    match others {
        Some(others) if !others.is_empty() => {
            Asked::Refuse.get(others.py())?.call1((call, others.keys(), known)).map(drop)
        }
        _ => Ok(()),
    }
}

/// What a call was given for the only value that it takes. Such calls stand in loops, so they look at unknown
/// options themselves, rather than through a function of Python's around them.
pub enum Only<'py> {
    /// The value.
    Given(Bound<'py, PyAny>),
    /// None was given by place, nor by its name.
    Missing,
}

impl<'py> FromPyObject<'_, 'py> for Only<'py> {
    type Error = PyErr;

    fn extract(value: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Only<'py>> {
        Ok(Only::Given(value.to_owned()))
    }
}

impl<'py> Only<'py> {
    /// The value, which users may name; a `TypeError` that helps if there is none, or more than that.
    pub fn of(self, call: &str, name: &str, others: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        refuse_others(call, others, &[name])?;
        match self {
            Only::Given(value) => Ok(value),
            Only::Missing => Err(PyTypeError::new_err(format!("{call}() is missing its argument '{name}'"))),
        }
    }
}

/// A whole number: anything with `__index__` but `bool`; `None` for anything else. Numbers beyond
/// `i64` come back as its greatest or its least.
pub fn whole(value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if value.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    match value.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(Some(if value.lt(0)? { i64::MIN } else { i64::MAX }))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A text, broken characters replaced; `None` if it is not a text.
pub fn text<'a>(value: &'a Bound<'_, PyAny>) -> Option<Cow<'a, str>> {
    value.cast::<PyString>().ok().map(|text| text.to_string_lossy())
}

/// One side of a board.
pub fn side(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let given = whole(value)?;
    let number = given.and_then(|number| u32::try_from(number).ok());
    number.filter(|&number| number > 0 && number <= 1 << 31).ok_or_else(|| {
        let quoted = quote(value);
        if given.is_some() {
            return BoardError::new_err(format!("{name} must be a whole number from 1 to 2147483648, not {quoted}"));
        }
        let hint = match text(value).as_deref() {
            None => String::new(),
            Some(text) => match size(text) {
                Some((rows, cols)) => format!(": write Board({rows}, {cols}), or Board.parse for a picture"),
                None => ": Board.parse reads a picture".to_owned(),
            },
        };
        BoardError::new_err(format!("{name} must be a whole number, not {quoted}{hint}"))
    })
}

/// A size such as `8x8`.
fn size(text: &str) -> Option<(u32, u32)> {
    let (rows, cols) = text.split_once(['x', 'X', '\u{d7}'])?;
    Some((rows.trim().parse().ok()?, cols.trim().parse().ok()?))
}

/// `(a, b)`, two whole numbers, not both 0.
pub fn leaper(value: &Bound<'_, PyAny>) -> PyResult<Leaper> {
    let leg = |value: &Bound<'_, PyAny>| {
        let number = whole(value)?.filter(|leg| (0..=LONGEST_LEG).contains(leg));
        Ok::<_, PyErr>(number.map(|leg| leg as u32))
    };
    if let Some((a, b)) = pair(value)?
        && let (Some(a), Some(b)) = (leg(&a)?, leg(&b)?)
        && (a, b) != (0, 0)
    {
        return Ok(Leaper::new(a, b));
    }
    let what = format!("a pair of whole numbers from 0 to {LONGEST_LEG}, not both 0, such as (1, 2)");
    Err(must_be::<BoardError>("leaper", what, value))
}

/// The edges that are joined.
pub fn wrap(value: Option<&Bound<'_, PyAny>>) -> PyResult<Wrap> {
    let Some(value) = value else { return Ok(Wrap::None) };
    let wrap = text(value).and_then(|name| Wrap::from_name(&name));
    wrap.ok_or_else(|| must_be::<BoardError>("wrap", "None, 'cols', 'rows' or 'both'", value))
}

/// A symmetry by name.
pub fn symmetry(value: &Bound<'_, PyAny>) -> PyResult<Symmetry> {
    text(value).and_then(|name| Symmetry::from_name(&name)).ok_or_else(|| {
        super::errors::RequestError::new_err(format!(
            "{} is not the name of a symmetry; there are identity, half-turn, quarter-turn, three-quarter-turn, \
             flip-horizontal, flip-vertical, transpose, anti-transpose and, on joined edges, translation(rows,cols) and \
             products such as half-turn+translation(1,2)",
            quote(value)
        ))
    })
}

/// The two parts of a pair: a tuple or list of two, or whatever else has a length of two and can be
/// indexed but is not a text, bytes or a dict (the row of an array, say).
fn pair<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return if tuple.len() == 2 { Ok(Some((tuple.get_item(0)?, tuple.get_item(1)?))) } else { Ok(None) };
    }
    if let Ok(list) = value.cast::<PyList>() {
        return if list.len() == 2 { Ok(Some((list.get_item(0)?, list.get_item(1)?))) } else { Ok(None) };
    }
    if value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyByteArray>()
        || value.is_instance_of::<PyDict>()
        || value.len().ok() != Some(2)
    {
        return Ok(None);
    }
    Ok(value.get_item(0).and_then(|first| Ok((first, value.get_item(1)?))).ok())
}

/// Why a value is not a square of the board.
pub struct NotASquare {
    /// A sentence that quotes it.
    pub message: String,
    /// The pair it is, if it is a pair that could be a square of a larger board.
    pub pair: Option<Square>,
}

/// The number of the square that a value names: a pair (row, col), or a name. It may be blocked.
/// The outer error is an exception that the value itself raised.
pub fn find_square(board: &Board, value: &Bound<'_, PyAny>) -> PyResult<Result<u32, NotASquare>> {
    let (rows, cols) = (board.rows(), board.cols());
    let fault = |why: String, pair| Ok(Err(NotASquare { message: format!("{} {why}", quote(value)), pair }));
    let extent =
        || format!("is not on the {}: rows are 0 to {}, columns 0 to {}", board.describe(), rows - 1, cols - 1);
    if let Some((row, col)) = pair(value)? {
        let (Some(row), Some(col)) = (whole(&row)?, whole(&col)?) else {
            let needed = "row and column must be whole numbers";
            return fault(format!("is not a square of the {}: {needed}", board.describe()), None);
        };
        let square = u32::try_from(row).ok().zip(u32::try_from(col).ok()).map(|(row, col)| Square::new(row, col));
        return match square {
            Some(square) if square.row < rows && square.col < cols => Ok(Ok(square.number(cols))),
            square => fault(extent(), square),
        };
    }
    match text(value) {
        Some(name) => match Square::from_name(&name, rows, cols) {
            Some(square) => Ok(Ok(square.number(cols))),
            None => fault(
                format!("is not the name of a square of the {}, whose names are a1 to {}", board.describe(), {
                    Square::new(0, cols - 1).name(rows)
                }),
                None,
            ),
        },
        None => {
            let needed = "write a pair (row, col) or a name such as 'a1'";
            fault(format!("is not a square of the {}: {needed}", board.describe()), None)
        }
    }
}

/// Like [`find_square`], for squares that must be open.
pub fn find_open(board: &Board, value: &Bound<'_, PyAny>) -> PyResult<Result<u32, NotASquare>> {
    Ok(find_square(board, value)?.and_then(|number| {
        if board.is_open(number) {
            return Ok(number);
        }
        let message = format!("{} is blocked on the {}", quote(value), board.describe());
        Err(NotASquare { message, pair: Some(board.square(number)) })
    }))
}

/// The number of a square of the board, blocked or not, or a `SquareError`.
pub fn square(board: &Board, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    find_square(board, value)?.map_err(|fault| SquareError::new_err(format!("square {}", fault.message)))
}

/// The number of an open square of the board, or a `SquareError`.
pub fn open_square(board: &Board, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    find_open(board, value)?.map_err(|fault| SquareError::new_err(format!("square {}", fault.message)))
}
