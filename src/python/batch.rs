//! `Batch`: many tours of a board, row by row in one piece of memory.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyTuple};

use super::board::{PyBoard, given_board};
use super::buffer::{self, Layout};
use super::detach::{check_every, detached};
use super::errors::{self, InvalidTourError};
use super::options::one_of;
use super::quote::quote;
use super::tour::PyTour;
use super::{arguments, registry};
use crate::board::Board;
use crate::board::lines::{self, Format};
use crate::board::tour::Tour;

/// Many tours of one board, one per row: what ``tours.batches(size)`` gives.
///
/// ``len(batch)`` is the number of tours, ``batch[i]`` makes a `Tour` of one, a slice is another batch, and
/// iterating goes over the tours. The buffer protocol gives the square numbers ``row * cols + col`` in
/// two dimensions, so ``numpy.asarray(batch)`` is a read-only array of shape (len(batch), squares) and type
/// uint32 that copies nothing. Batches are immutable, and picklable (checked again on loading).
#[pyclass(name = "Batch", module = "knightstour", frozen, sequence)]
pub struct PyBatch {
    board: Board,
    closed: bool,
    rows: Arc<Vec<u32>>,
    /// The tours of a slice: the first row, and how many rows.
    first: usize,
    len: usize,
    layout: Layout,
}

impl PyBatch {
    /// Of tours that were checked, or are images of such.
    pub fn new(board: Board, closed: bool, rows: Vec<u32>) -> PyBatch {
        let len = rows.len() / board.len();
        PyBatch::part(board, closed, Arc::new(rows), 0, len)
    }

    fn part(board: Board, closed: bool, rows: Arc<Vec<u32>>, first: usize, len: usize) -> PyBatch {
        let layout = Layout::of_rows(len, board.len());
        PyBatch { board, closed, rows, first, len, layout }
    }

    /// The board of the core.
    pub fn core_board(&self) -> &Board {
        &self.board
    }

    /// The squares of all tours, one tour after another.
    pub fn numbers(&self) -> &[u32] {
        let width = self.board.len();
        &self.rows[self.first * width..][..self.len * width]
    }

    /// The squares of each tour.
    pub fn tours(&self) -> std::slice::ChunksExact<'_, u32> {
        self.numbers().chunks_exact(self.board.len())
    }

    fn tour(&self, index: usize) -> PyTour {
        let width = self.board.len();
        let squares = self.numbers()[index * width..][..width].to_vec();
        Tour::trusted(self.board.clone(), squares, self.closed).into()
    }
}

#[pymethods]
impl PyBatch {
    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        self.board.clone().into()
    }

    /// Whether these are closed tours.
    #[getter]
    fn closed(&self) -> bool {
        self.closed
    }

    /// The number of tours, and the squares of each.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.len, self.board.len())
    }

    fn __len__(&self) -> usize {
        self.len
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(self.len as isize)?;
            let (board, closed, len) = (self.board.clone(), self.closed, slice.slicelength);
            if slice.step == 1 || len <= 1 {
                let first = self.first + if len == 0 { 0 } else { slice.start as usize };
                let part = PyBatch::part(board, closed, Arc::clone(&self.rows), first, len);
                return Ok(Bound::new(py, part)?.into_any());
            }
            let width = board.len();
            let mut rows = Vec::with_capacity(len * width);
            for step in 0..len {
                check_every(py, step)?;
                let at = (slice.start + slice.step * step as isize) as usize;
                rows.extend_from_slice(&self.numbers()[at * width..][..width]);
            }
            return Ok(Bound::new(py, PyBatch::new(board, closed, rows))?.into_any());
        }
        let Some(index) = arguments::whole(index)? else {
            let index = quote(index);
            return Err(PyTypeError::new_err(format!("an index must be a whole number or a slice, not {index}")));
        };
        let len = self.len as i64;
        let at = if index < 0 { index.saturating_add(len) } else { index };
        if !(0..len).contains(&at) {
            return Err(PyIndexError::new_err(format!("index {index} is out of range: the batch has {len} tours")));
        }
        Ok(Bound::new(py, self.tour(at as usize))?.into_any())
    }

    fn __iter__(slf: Py<Self>) -> RowIterator {
        RowIterator { batch: slf, next: AtomicUsize::new(0) }
    }

    /// The tours as text, one per line, as bytes.
    ///
    /// ``format`` is ``"names"`` (names of squares between blanks), ``"csv"`` (square numbers ``row * cols + col``
    /// between commas) or ``"json"`` (an object with the keys ``tour``, names, and ``closed``). Raises
    /// `RequestError` for other names.
    #[pyo3(signature = (format=None), text_signature = "($self, format='names')")]
    fn lines<'py>(&self, py: Python<'py>, format: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyBytes>> {
        let choices = Format::ALL.map(|format| (format.name(), format));
        let known = format.map_or(Ok(Format::Names), |format| one_of("format", format, &choices))?;
        let (board, closed, rows, first, len) =
            (self.board.clone(), self.closed, Arc::clone(&self.rows), self.first, self.len);
        let text = detached(py, self.numbers().len(), move || {
            let width = board.len();
            lines::write(&board, closed, &rows[first * width..][..len * width], known)
        })?;
        Ok(PyBytes::new(py, &text))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyBatch>() else { return false };
        let other = other.get();
        self.closed == other.closed && self.board == other.board && self.numbers() == other.numbers()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.closed, self.numbers()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers = self.numbers();
        let bytes = PyBytes::new_with(py, size_of_val(numbers), |bytes| {
            for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
                *place = number.to_le_bytes();
            }
            Ok(())
        })?;
        let restore = registry::restoring(py, "_restore_batch")?;
        (restore, (self.board(), bytes, self.closed)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let kind = if self.closed { "closed" } else { "open" };
        format!("<Batch: {} {kind} tours of the {}>", self.len, self.board.describe())
    }

    #[allow(unsafe_code, reason = "Python's interface is a pointer; `buffer` says why it is sound")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let owner = slf.clone().into_any();
        let this = slf.get();
        // SAFETY: Python gives a view to fill. The batch is frozen, so numbers and layout stay where they are
        // for as long as it lives.
        unsafe { buffer::fill(owner, this.numbers(), &this.layout, view, flags) }
    }
}

/// Goes over the tours of a batch. Threads that share one get each tour once.
#[pyclass(name = "RowIterator", module = "knightstour._core", frozen)]
pub struct RowIterator {
    batch: Py<PyBatch>,
    next: AtomicUsize,
}

#[pymethods]
impl RowIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyTour>> {
        let batch = self.batch.bind(py).get();
        let next = |next: usize| (next < batch.len).then_some(next + 1);
        let Ok(at) = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) else { return Ok(None) };
        check_every(py, at)?;
        Ok(Some(batch.tour(at)))
    }
}

/// What a pickled batch calls. Everything is checked again.
#[pyfunction(name = "_restore_batch")]
pub fn restore_batch(py: Python<'_>, board: &Bound<'_, PyAny>, numbers: &[u8], closed: bool) -> PyResult<PyBatch> {
    let board = given_board(board)?;
    let (chunks, rest) = numbers.as_chunks::<4>();
    if !rest.is_empty() || !chunks.len().is_multiple_of(board.len()) {
        return Err(InvalidTourError::new_err("the pickled batch is damaged"));
    }
    let rows: Vec<u32> = chunks.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let checked = detached(py, rows.len(), move || {
        let fault = rows.chunks_exact(board.len()).find_map(|row| {
            // An open tour whose ends meet may be either.
            Tour::new(board.clone(), row.to_vec(), Some(closed)).err()
        });
        match fault {
            Some(fault) => Err(fault),
            None => Ok((board, rows)),
        }
    })?;
    let (board, rows) = checked.map_err(|fault| errors::invalid_tour(py, &fault))?;
    Ok(PyBatch::new(board, closed, rows))
}
