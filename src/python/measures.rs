//! The measures of tours as Python sees them; those of one tour are properties of `Tour`.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use super::board::given_board;
use super::detach::detached;
use super::errors::{self, RequestError};
use super::quote::quote;
use super::run;
use crate::board::Board;
use crate::board::measures::{Column, CountCrossings, Geometry, Shape, Sums, Table};
use crate::board::tour::Tour;
use crate::run::Budget;

/// Turns, angles and slopes of a tour, and what the counts stand for.
pub fn shape(py: Python<'_>, tour: &Tour) -> PyResult<(Geometry, Shape)> {
    let geometry = Geometry::new(tour.board())?;
    let tour = tour.clone();
    detached(py, tour.squares().len(), move || {
        let shape = geometry.shape(tour.squares(), tour.is_closed());
        (geometry, shape)
    })
}

/// Sums of rows and columns of a tour.
pub fn sums(py: Python<'_>, tour: &Tour) -> PyResult<Sums> {
    let tour = tour.clone();
    detached(py, tour.squares().len(), move || Sums::new(tour.board(), tour.squares()))
}

/// How many crossings a tour has.
pub fn crossings(py: Python<'_>, tour: &Tour) -> PyResult<u64> {
    let count = CountCrossings::new(tour.clone())?;
    let bytes = count.bytes();
    let (_, answer, _) = run::drive(py, count, Budget::unlimited(), None)?;
    answer.map_err(|_| too_large(py, tour.board(), bytes))
}

fn too_large(py: Python<'_>, board: &Board, bytes: u64) -> PyErr {
    let board = board.describe();
    let needs = errors::amount(bytes);
    errors::too_big(py, &format!("measuring on the {board} needs {needs}"))
}

/// The measures of many tours: (name, numbers per tour, values as bytes) for each.
#[pyfunction(name = "_measure")]
pub fn measure<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    closed: bool,
    squares: &Bound<'py, PyAny>,
    names: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyList>> {
    let board = given_board(board)?;
    let columns = names.iter().map(|name| {
        let column = Column::ALL.into_iter().find(|column| name.eq(column.name()).unwrap_or(false));
        column.ok_or_else(|| {
            let known: Vec<String> = Column::ALL.iter().map(|column| format!("'{}'", column.name())).collect();
            let name = quote(&name);
            RequestError::new_err(format!("a measure must be one of {}, not {name}", known.join(", ")))
        })
    });
    let columns = columns.collect::<PyResult<Vec<Column>>>()?;
    let refuse = |found: String| {
        RequestError::new_err(format!(
            "tours to measure come as an array of shape (tours, {}) and type uint32 for the {}, not {found}",
            board.len(),
            board.describe()
        ))
    };
    let buffer = PyBuffer::<u32>::get(squares).map_err(|_| refuse(quote(squares)))?;
    if buffer.dimensions() != 2 || buffer.shape()[1] != board.len() {
        return Err(refuse(format!("of shape {:?}", buffer.shape())));
    }
    let table = Table::new(&board, closed, buffer.to_vec(py)?, columns)?;
    let bytes = table.bytes();
    let (table, answer, _) = run::drive(py, table, Budget::unlimited(), None)?;
    match (table, answer) {
        (Some(table), Ok(Ok(()))) => {
            let list = PyList::empty(py);
            for (column, width, values) in table.into_values() {
                let bytes = PyBytes::new_with(py, 8 * values.len(), |bytes| {
                    for (place, value) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(&values) {
                        *place = value.to_ne_bytes();
                    }
                    Ok(())
                })?;
                list.append((column.name(), width, bytes))?;
            }
            Ok(list)
        }
        (_, Ok(Err(fault))) => {
            let mut fault = fault;
            fault.fault.message = format!("tour {}: {}", fault.row, fault.fault.message);
            Err(errors::invalid_tour(py, &fault.fault))
        }
        _ => Err(too_large(py, &board, bytes)),
    }
}

/// A dict from what was counted to how often it occurs.
pub fn counts<'py, K: IntoPyObject<'py> + Copy>(
    py: Python<'py>,
    what: &[K],
    counts: &[u64],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (&what, &count) in what.iter().zip(counts) {
        dict.set_item(what, count)?;
    }
    Ok(dict)
}
