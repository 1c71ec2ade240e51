//! `Squares`: the squares of a board or of a tour as a read-only sequence that makes each `Square` when
//! it is asked for, so that boards of 2^31 squares and tours of 10^8 cost nothing until then.
//!
//! A view is equal to a tuple or list of the same squares, and hashes as that tuple.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyByteArray, PyDict, PyList, PySlice, PyTuple};

use super::arguments::Only;
use super::detach::{check_every, detached};
use super::quote::quote;
use super::square::square_object;
use super::view::{Source, View};
use super::{arguments, errors};
use crate::board::Board;
use crate::board::square::Square;
use crate::board::tour::Tour;
use crate::run::{Budget, Limits};

// A view of the largest board has 2^31 squares, and hashes are Python's for 64 bits.
const _: () = assert!(usize::BITS == 64, "the Python package is for 64-bit machines");

/// A read-only sequence of squares, each made when it is asked for.
///
/// ``board.squares`` (in reading order) and ``tour.squares`` (in the tour's order) are such sequences.
/// Indexing takes constant time and no memory; slices are views as well. It is equal to a tuple or list of
/// the same squares and has the hash of that tuple; ``tuple(squares)`` makes one. ``numpy.asarray(squares)`` is
/// an array of shape (len(squares), 2) and type int64: the row and the column of each square, 16 bytes per square.
#[pyclass(name = "Squares", module = "knightstour", frozen)]
#[derive(Clone)]
pub struct PySquares(pub View);

impl PySquares {
    /// The open squares of a board.
    pub fn of_board(board: &Board) -> PySquares {
        PySquares(View::whole(Source::Board(board.clone(), Arc::default())))
    }

    /// The squares of a tour.
    pub fn of_tour(tour: &Tour) -> PySquares {
        PySquares(View::whole(Source::Tour(tour.clone())))
    }

    /// The squares of a walk.
    pub fn of_path(board: &Board, squares: Arc<[u32]>) -> PySquares {
        PySquares(View::whole(Source::Path(board.clone(), squares)))
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.0.len
    }

    /// The squares as numbers of another board; or those up to the first one that is off it, and that
    /// one.
    pub fn numbers_on(&self, board: &Board) -> Result<Vec<u32>, (Vec<u32>, Square)> {
        let mut numbers = Vec::new();
        for index in 0..self.0.len.min(board.len() + 1) {
            let square = self.0.square(index);
            if square.row >= board.rows() || square.col >= board.cols() {
                return Err((numbers, square));
            }
            numbers.push(square.number(board.cols()));
        }
        Ok(numbers)
    }

    /// Goes over them.
    pub fn iterator(&self) -> SquaresIterator {
        SquaresIterator { view: self.0.clone(), at: AtomicUsize::new(0) }
    }

    /// The rows and columns as NumPy's array of shape (squares, 2), by NumPy's protocol `__array__`.
    pub fn array<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("an array of squares is always a copy: give copy=None"));
        }
        let view = &self.0;
        let needs = 16 * view.len as u64;
        if Budget::new(Limits::default()).check_memory(needs).is_err() {
            let (squares, needs) = (view.len, errors::amount(needs));
            let text = format!("an array of {squares} squares needs {needs}");
            return Err(errors::too_big(py, &text));
        }
        let bytes = PyByteArray::new_with(py, view.len * 16, |bytes| {
            for (index, pair) in bytes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                check_every(py, index)?;
                let Square { row, col } = view.square(index);
                pair[..8].copy_from_slice(&i64::from(row).to_ne_bytes());
                pair[8..].copy_from_slice(&i64::from(col).to_ne_bytes());
            }
            Ok(())
        })?;
        let array = py.import("numpy")?.getattr("ndarray")?.call1(((view.len, 2), "int64", bytes))?;
        match dtype {
            Some(dtype) => array.call_method("astype", (dtype,), Some(&[("copy", false)].into_py_dict(py)?)),
            None => Ok(array),
        }
    }

    fn find(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        match arguments::find_square(self.0.source.board(), value)? {
            Ok(number) => {
                let view = self.0.clone();
                detached(py, self.0.len, move || view.position(number))
            }
            Err(_) => Ok(None),
        }
    }
}

#[pymethods]
impl PySquares {
    fn __len__(&self) -> usize {
        self.0.len
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let len = self.0.len as isize;
        if let Ok(slice) = index.cast::<PySlice>() {
            let part = slice.indices(len)?;
            let view = self.0.slice(part.start, part.step, part.slicelength);
            return Ok(Bound::new(py, PySquares(view))?.into_any());
        }
        let out_of_range = || PyIndexError::new_err(format!("index {} of {len} squares", quote(index)));
        let given = match index.extract::<isize>() {
            Ok(given) => given,
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => return Err(out_of_range()),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                let index = quote(index);
                return Err(PyTypeError::new_err(format!("indices are whole numbers or slices, not {index}")));
            }
            Err(error) => return Err(error),
        };
        let at = if given < 0 { given + len } else { given };
        if !(0..len).contains(&at) {
            return Err(out_of_range());
        }
        square_object(py, self.0.square(at as usize))
    }

    fn __iter__(&self) -> SquaresIterator {
        self.iterator()
    }

    fn __reversed__(&self) -> SquaresIterator {
        SquaresIterator { view: self.0.reversed(), at: AtomicUsize::new(0) }
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.find(square.py(), square)?.is_some())
    }

    /// The index of a square (a pair or a name), looked for from index ``start`` up to ``stop``.
    ///
    /// Raises `ValueError` if it is not there.
    ///
    /// Cost on a tour: one pass over its squares. ``tour.step_at(square)`` is faster, since it keeps a table.
    #[pyo3(signature = (square, start=None, stop=None), text_signature = "($self, square, start=0, stop=None)")]
    fn index(
        &self,
        square: &Bound<'_, PyAny>,
        start: Option<&Bound<'_, PyAny>>,
        stop: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let len = self.0.len as isize;
        let clip = |at: &Bound<'_, PyAny>| match arguments::whole(at)? {
            Some(at) if at < 0 => Ok((at as isize).saturating_add(len).max(0)),
            Some(at) => Ok((at as isize).min(len)),
            None => Err(PyTypeError::new_err("start and stop must be whole numbers")),
        };
        let asked = start.map_or(Ok(0), clip)?..stop.map_or(Ok(len), clip)?;
        let found = self.find(square.py(), square)?.filter(|&at| asked.contains(&(at as isize)));
        found.ok_or_else(|| {
            let square = quote(square);
            PyValueError::new_err(format!("{square} is not among these {len} squares"))
        })
    }

    /// How often a square (a pair or a name) occurs: 1 or 0.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn count<'py>(&self, square: Only<'py>, others: Option<&Bound<'py, PyDict>>) -> PyResult<usize> {
        let square = &square.of("Squares.count", "square", others)?;
        Ok(usize::from(self.find(square.py(), square)?.is_some()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let equal = if let Ok(squares) = other.cast::<PySquares>() {
            let (one, two) = (self.0.clone(), squares.get().0.clone());
            detached(py, self.0.len, move || one.same(&two))?
        } else if let Ok(tuple) = other.cast::<PyTuple>() {
            tuple.len() == self.0.len && self.same_items(py, tuple.iter())?
        } else if let Ok(list) = other.cast::<PyList>() {
            list.len() == self.0.len && self.same_items(py, list.iter())?
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let view = self.0.clone();
        detached(py, self.0.len, move || view.hash())
    }

    fn __repr__(&self) -> String {
        const SHOWN: usize = 8;
        let shown: Vec<String> = (0..self.0.len.min(SHOWN)).map(|index| self.0.square(index).to_string()).collect();
        let more = if self.0.len > SHOWN { ", ..." } else { "" };
        let plural = if self.0.len == 1 { "" } else { "s" };
        format!("<{} square{plural}: {}{more}>", self.0.len, shown.join(", "))
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, dtype, copy)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

impl PySquares {
    fn same_items<'py>(&self, py: Python<'py>, items: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<bool> {
        for (index, item) in items.enumerate() {
            check_every(py, index)?;
            // The list may have grown while an item compared itself.
            if index >= self.0.len || !square_object(py, self.0.square(index))?.eq(item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Goes over squares. Threads that share one get each square once.
#[pyclass(module = "knightstour._core", frozen)]
pub struct SquaresIterator {
    view: View,
    at: AtomicUsize,
}

#[pymethods]
impl SquaresIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let index = self.at.fetch_add(1, Ordering::Relaxed);
        check_every(py, index)?;
        (index < self.view.len).then(|| square_object(py, self.view.square(index))).transpose()
    }

    fn __length_hint__(&self) -> usize {
        self.view.len.saturating_sub(self.at.load(Ordering::Relaxed))
    }
}
