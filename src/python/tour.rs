//! `Tour` as Python sees it.

use std::collections::hash_map::DefaultHasher;
use std::ffi::c_int;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::arguments::Only;
use super::board::{LONGEST_TEXT, PyBoard, given_board};
use super::buffer::{self, Layout};
use super::detach::{check_every, detached};
use super::errors::{self, InvalidTourError, ReadError, RequestError, must_be};
use super::quote::quote;
use super::square::square_object;
use super::squares::{PySquares, SquaresIterator};
use super::{arguments, measures, reading, registry};
use crate::board::Board;
use crate::board::moves::Wrap;
use crate::board::tour::{Given, Tour, check_path};

/// A tour visits every open square of its board once; each is one move from the one before. Always valid.
///
/// Parameters
/// ----------
/// board
///     The `Board`.
/// squares
///     The squares in order: any iterable of pairs (row, col) and names, or a list or array of square
///     numbers ``row * cols + col`` (read in place if it is a buffer of unsigned 32-bit numbers); or
///     the numbered grid as nested lists or an array.
/// closed
///     ``True`` for a closed tour (a cycle), ``False`` for an open one. With ``None`` it is closed if the
///     ends are one move apart and there are at least 3 squares.
///
/// Raises `InvalidTourError`, which says which step is the first bad one; it is also a `SquareError` if a
/// square is not on the board or blocked. Cost: one pass over the squares, and four bytes per square.
///
/// Tours are immutable, comparable and hashable (by board, kind and sequence) and picklable (checked
/// again on loading). ``len(tour)`` is the number of squares, iteration goes over them, ``str(tour)``
/// is the board with its squares numbered from 1 (it raises `MemoryLimitError` beyond 2**27
/// characters). The buffer protocol gives the square numbers, so ``numpy.asarray(tour)`` is a
/// read-only array of shape (len(tour),) and type uint32 that copies nothing.
#[pyclass(name = "Tour", module = "knightstour", frozen)]
pub struct PyTour {
    /// The tour of the core.
    pub tour: Tour,
    layout: Layout,
    /// The step of each square, once asked for.
    steps: OnceLock<Arc<[u32]>>,
}

impl From<Tour> for PyTour {
    fn from(tour: Tour) -> PyTour {
        let layout = Layout::of(tour.squares());
        PyTour { tour, layout, steps: OnceLock::new() }
    }
}

impl PyTour {
    /// How long work with the board's symmetries may take, in squares: joined edges have many of them.
    fn work(&self) -> usize {
        match self.tour.board().wrap() {
            Wrap::None => self.size(),
            _ => self.size().saturating_mul(self.size()),
        }
    }

    fn size(&self) -> usize {
        self.tour.squares().len()
    }

    /// The step of each square of the board, `u32::MAX` on blocked ones.
    fn steps(&self, py: Python<'_>) -> PyResult<Arc<[u32]>> {
        if let Some(steps) = self.steps.get() {
            return Ok(steps.clone());
        }
        let tour = self.tour.clone();
        let steps: Arc<[u32]> = detached(py, self.size(), move || tour.steps().into())?;
        Ok(self.steps.get_or_init(|| steps).clone())
    }

    /// Another tour made from this one, by work that may take long.
    fn derived(&self, py: Python<'_>, work: impl FnOnce(&Tour) -> Tour + Send + 'static) -> PyResult<PyTour> {
        let tour = self.tour.clone();
        Ok(detached(py, self.work(), move || work(&tour))?.into())
    }
}

#[pymethods]
impl PyTour {
    #[new]
    #[pyo3(
        signature = (board, squares, closed=None, **others),
        text_signature = "(board, squares, closed=None)"
    )]
    fn new(
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        squares: &Bound<'_, PyAny>,
        closed: Option<&Bound<'_, PyAny>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyTour> {
        arguments::refuse_others("Tour", others, &["board", "squares", "closed"])?;
        let board = given_board(board)?;
        let closed = reading::kind(closed)?;
        if reading::is_numbered(&board, squares)? && !squares.is_instance_of::<PyTour>() {
            // A row of unsigned 32-bit numbers is read in place, below.
            let given = Given { board: Some(board.clone()), closed, ..Given::default() };
            if buffer(squares).is_none() {
                let read = reading::read(py, squares, given).map_err(|error| reading::as_invalid(py, error));
                return Ok(read?.tour.into());
            }
        }
        let numbers = read_squares(py, &board, squares)?;
        checked(py, board, numbers, closed)
    }

    /// Reads a tour from ``what``, written as people and programs write tours.
    ///
    /// - A numbered grid, from 0 or from 1, as text in any frame (Markdown, LaTeX, CSV, boxes, brackets), with or
    ///   without labels of rows and columns. ``#`` is a blocked square. Other signs for "no number" (``.``, ``-``,
    ///   ``x``, ``nan``, nothing between two commas) need a board on which these squares are blocked.
    /// - Names of squares: separated by anything or by nothing, numbered, with the piece (``Nb3``), or as moves
    ///   (``a1-b3 b3-c5``).
    /// - Pairs (row, column), from 0 or from 1; (x, y) where a heading or a key says so.
    /// - Square numbers in reading order, from 0 or from 1.
    /// - JSON, as `to_json` writes it.
    /// - Nested lists, NumPy arrays or pandas frames of these; ``None``, ``nan`` and -1 mean "no number". A flat list
    ///   of numbers holds square numbers; in a text it may be a grid whose lines were wrapped.
    ///
    /// Without ``board``, the board is that of the grid, or the rectangle that a list of squares fills. ``closed`` says
    /// whether the tour is meant as closed or open. By default it is closed if it returns to its first square, or if
    /// its ends are one move apart and it has at least 3 squares; JSON and files of this package say which it is.
    ///
    /// Raises `ReadError` if the text cannot be read, `InvalidTourError` if it was read and is not a tour: the message
    /// begins with how it was read. Cost: linear in the text; a grid of 1000x1000 squares takes about a tenth of a
    /// second.
    #[staticmethod]
    #[pyo3(signature = (what, board=None, closed=None))]
    fn parse(
        py: Python<'_>,
        what: &Bound<'_, PyAny>,
        board: Option<&Bound<'_, PyAny>>,
        closed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTour> {
        let given =
            Given { board: board.map(given_board).transpose()?, closed: reading::kind(closed)?, ..Given::default() };
        Ok(reading::read(py, what, given)?.tour.into())
    }

    /// Reads JSON as `to_json` writes it; squares may also be pairs [row, column], from 0.
    ///
    /// All keys except ``tour`` may be left out, and other keys are skipped, so that the output of ``knightstour
    /// solve --json`` can be read as well. If the text names no board, the board is ``board`` or the smallest
    /// rectangle that the squares fill. If it has no ``closed``, the tour is closed if its ends are one move apart
    /// and it has at least 3 squares.
    ///
    /// Raises `ReadError`, with line and column, if the text cannot be read; `InvalidTourError` if it is not a tour.
    #[staticmethod]
    #[pyo3(signature = (text, board=None))]
    fn from_json(py: Python<'_>, text: &Bound<'_, PyAny>, board: Option<&Bound<'_, PyAny>>) -> PyResult<PyTour> {
        let given = Given { board: board.map(given_board).transpose()?, ..Given::default() };
        let Some(text) = arguments::text(text) else {
            let message = format!("cannot be read: JSON is text, not {}", quote(text));
            return Err(ReadError::new_err(message));
        };
        let reading = reading::read_text(py, text.into_owned(), move |text| Tour::from_json(text, &given))?;
        Ok(reading.tour.into())
    }

    /// The tour in JSON, on one line; `from_json` reads it, and later versions will.
    ///
    /// Keys: ``version`` (1); ``board``, with ``rows``, ``cols``, ``blocked`` (names of squares), ``leaper`` (two
    /// numbers) and ``wrap`` (null, ``"cols"``, ``"rows"`` or ``"both"``); ``closed`` (true for a cycle);
    /// ``tour`` (names of squares, in order). Raises `MemoryLimitError` beyond 2**27 characters.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let tour = self.tour.clone();
        let board = tour.board();
        // Quotes, a comma and a space around the name of the top right corner.
        let longest = board.name(board.cols() - 1).len() as u64 + 4;
        let length = board.squares() * longest + 200;
        if length > LONGEST_TEXT {
            let board = board.describe();
            return Err(errors::too_big(py, &format!("the tour of the {board} has about {length} characters in JSON")));
        }
        Ok(PyString::new(py, &detached(py, self.size(), move || tour.to_json())?))
    }

    /// The board.
    #[getter]
    fn board(&self) -> PyBoard {
        self.tour.board().clone().into()
    }

    /// The squares in order, a sequence that makes each `Square` when it is asked for.
    #[getter]
    fn squares(&self) -> PySquares {
        PySquares::of_tour(&self.tour)
    }

    /// The first square.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_object(py, self.tour.board().square(self.tour.start()))
    }

    /// The last square.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_object(py, self.tour.board().square(self.tour.end()))
    }

    /// Whether it is a closed tour: a cycle.
    #[getter]
    fn is_closed(&self) -> bool {
        self.tour.is_closed()
    }

    /// Whether its ends are one move apart, so that it is or could be closed.
    #[getter]
    fn is_reentrant(&self) -> bool {
        self.tour.is_reentrant()
    }

    /// The names of the symmetries of the board that map the tour to itself, in the same direction or reversed.
    ///
    /// ``"identity"`` is always the first. Cost: at most one pass over the tour for each symmetry of the
    /// board.
    #[getter]
    fn symmetry<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.board().check_symmetries(py)?;
        let tour = self.tour.clone();
        let symmetries = detached(py, self.work(), move || tour.symmetry())?;
        PyTuple::new(py, symmetries.iter().map(ToString::to_string))
    }

    /// The number of squares on which the tour changes direction.
    ///
    /// A turn is a square whose two moves differ in direction (Besa, Johnson, Mamano, Osegueda and Williams
    /// 2022, "Taming the Knight's Tour: Minimizing Turns and Crossings"). The ends of an open tour are not turns.
    ///
    /// Raises `RequestError` if a joined side is not longer than two of the leaper's longer legs, since
    /// moves have no definite direction there. Cost: a few nanoseconds per square.
    #[getter]
    fn turns(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(measures::shape(py, &self.tour)?.1.turns)
    }

    /// The number of pairs of moves that cross.
    ///
    /// A move is a straight segment between the centres of its squares; a move over a joined edge runs over
    /// that edge. Two cross if the segments meet in one point inside both (Besa and others 2022). Moves that share a
    /// square or lie along one line do not cross.
    ///
    /// Raises `RequestError` as `turns` does. Cost: linear in the tour, about a hundred nanoseconds per square
    /// for the knight (it grows with the square of a leaper's legs), and one byte per square.
    #[getter]
    fn crossings(&self, py: Python<'_>) -> PyResult<u64> {
        measures::crossings(py, &self.tour)
    }

    /// How many squares have each of the possible angles between their two moves.
    ///
    /// A dict from angles in degrees, rounded to two decimals, to counts. The knight has 36.87, 53.13, 90,
    /// 126.87, 143.13, and 180 for going straight on (Jelliss, "Knight's Tour Notes", volume 1, "Angles").
    /// Raises `RequestError` as `turns` does.
    #[getter]
    fn angles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (geometry, shape) = measures::shape(py, &self.tour)?;
        measures::counts(py, geometry.angles(), &shape.angles)
    }

    /// How many moves have each of the possible slopes.
    ///
    /// A dict from (rows down, columns to the right) to counts. A move and its reverse have the same slope, named
    /// by the one that leads down, or to the right (Jelliss, "Knight's Tour Notes": directions of moves). The
    /// move that closes a closed tour counts as well. Raises `RequestError` as `turns` does.
    #[getter]
    fn slopes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (geometry, shape) = measures::shape(py, &self.tour)?;
        measures::counts(py, geometry.slopes(), &shape.slopes)
    }

    /// The sum of the numbers in each row of the board, from the top.
    ///
    /// Numbers are counted from 1, and blocked squares have none.
    #[getter]
    fn row_sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, measures::sums(py, &self.tour)?.rows)
    }

    /// The sum of the numbers in each column of the board, from the left, as in `row_sums`.
    #[getter]
    fn column_sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, measures::sums(py, &self.tour)?.cols)
    }

    /// Whether all rows have the same sum and all columns have the same sum.
    ///
    /// On a square board both sums are equal (Jelliss, "Knight's Tour Notes": semimagic tours). The answer depends
    /// on where a closed tour begins.
    #[getter]
    fn is_semimagic(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(measures::sums(py, &self.tour)?.is_semimagic())
    }

    /// Whether the tour is semimagic, the board is square, and both long diagonals have the same sum as well.
    #[getter]
    fn is_magic(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(measures::sums(py, &self.tour)?.is_magic())
    }

    /// The numbered board as a list of rows.
    ///
    /// Each row is the list of the numbers of its squares, counted from ``first``; None on blocked ones. Raises
    /// `RequestError` for a ``first`` below 0.
    #[pyo3(signature = (first=None), text_signature = "($self, first=1)")]
    fn grid<'py>(&self, py: Python<'py>, first: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyList>> {
        let first = first_number(first, self.size())?;
        let steps = self.steps(py)?;
        let rows = PyList::empty(py);
        let mut count = 0;
        for line in steps.chunks(self.tour.board().cols() as usize) {
            let row = PyList::empty(py);
            for &step in line {
                check_every(py, count)?;
                count += 1;
                row.append((step != u32::MAX).then(|| first + i64::from(step)))?;
            }
            rows.append(row)?;
        }
        Ok(rows)
    }

    /// The numbered board as a NumPy array of shape (rows, cols).
    ///
    /// It holds the number of each square, counted from ``first``, and -1 on blocked squares. Its type
    /// is int32, or int64 if the numbers need it. Cost: about twelve bytes per square while it is made.
    ///
    /// Raises `ImportError` if NumPy is not installed, `RequestError` for a ``first`` below 0.
    #[pyo3(signature = (first=None), text_signature = "($self, first=1)")]
    fn grid_array<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        first: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.get();
        let first = first_number(first, this.size())?;
        let numpy = py.import("numpy").map_err(|error| {
            let missing = PyImportError::new_err("grid_array needs NumPy: pip install numpy");
            missing.set_cause(py, Some(error));
            missing
        })?;
        let (after, board) = (first + this.size() as i64, this.tour.board());
        let kind = numpy.getattr(if after <= i64::from(i32::MAX) { "int32" } else { "int64" })?;
        let options = PyDict::new(py);
        options.set_item("dtype", kind)?;
        let numbers = numpy.call_method("arange", (first, after), Some(&options))?;
        let grid = numpy.call_method("full", (board.squares(), -1), Some(&options))?;
        grid.set_item(numpy.call_method1("asarray", (slf,))?, numbers)?;
        grid.call_method1("reshape", (board.rows(), board.cols()))
    }

    /// The step (from 0) at which a square is visited.
    ///
    /// The first call makes a table of four bytes per square. Raises `SquareError` for a square that is not open.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn step_at<'py>(&self, square: Only<'py>, others: Option<&Bound<'py, PyDict>>) -> PyResult<u32> {
        let square = &square.of("Tour.step_at", "square", others)?;
        let number = arguments::open_square(self.tour.board(), square)?;
        Ok(self.steps(square.py())?[number as usize])
    }

    /// The names of the squares in order.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = PyList::empty(py);
        for (step, &number) in self.tour.squares().iter().enumerate() {
            check_every(py, step)?;
            names.append(self.tour.board().name(number))?;
        }
        Ok(names)
    }

    /// The same tour from its other end. A closed tour keeps its first square and runs the other way.
    fn reversed(&self, py: Python<'_>) -> PyResult<PyTour> {
        self.derived(py, Tour::reversed)
    }

    /// The image of the tour under a symmetry, on the image of its board.
    ///
    /// ``symmetry`` is one of the eight symmetries of a square, on any board (a quarter turn of 3 x 4 is a
    /// tour of 4 x 3), or a translation over joined edges, named as in ``board.symmetries``. Turns are
    /// clockwise as printed. Raises `RequestError` for other names. Cost: one pass over the tour.
    #[pyo3(signature = (symmetry=Only::Missing, **others), text_signature = "($self, symmetry)")]
    fn transformed<'py>(
        &self,
        py: Python<'py>,
        symmetry: Only<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<PyTour> {
        let symmetry = &symmetry.of("Tour.transformed", "symmetry", others)?;
        let image = arguments::symmetry(symmetry)?;
        if !image.applies_to(self.tour.board()) {
            let (name, board) = (quote(symmetry), self.tour.board().describe());
            return Err(RequestError::new_err(format!(
                "{name} moves squares over edges that the {board} has not joined"
            )));
        }
        self.derived(py, move |tour| tour.transformed(&image))
    }

    /// The representative of all tours that the board's symmetries and reversal make from this one.
    ///
    /// It is the one whose listed form (a closed tour goes from its first square in reading order towards the
    /// smaller-numbered neighbour) has the smallest square numbers, compared from the first on.
    /// Cost: at most one pass over the tour for each symmetry of the board.
    fn canonical(&self, py: Python<'_>) -> PyResult<PyTour> {
        self.board().check_symmetries(py)?;
        self.derived(py, Tour::canonical)
    }

    /// Whether a symmetry maps this tour to the other one, in the same direction or reversed.
    ///
    /// The symmetries are the eight of a square, which move the board as well (a tour of 3 x 4 and its quarter
    /// turn, a tour of 4 x 3, are equivalent), and the translations over joined edges. An open and a closed tour
    /// are never equivalent. Cost: that of `canonical` for both.
    #[pyo3(signature = (other=Only::Missing, **others), text_signature = "($self, other)")]
    fn is_equivalent<'py>(
        &self,
        py: Python<'py>,
        other: Only<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        let other = &other.of("Tour.is_equivalent", "other", others)?;
        let other = other.cast::<PyTour>()?;
        self.board().check_symmetries(py)?;
        let (own, other) = (self.tour.clone(), other.get().tour.clone());
        let work = self.work();
        detached(py, work, move || own.is_equivalent(&other))
    }

    fn __len__(&self) -> usize {
        self.size()
    }

    fn __iter__(&self) -> SquaresIterator {
        PySquares::of_tour(&self.tour).iterator()
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(arguments::find_open(self.tour.board(), square)?.is_ok())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<PyTour>() else { return Ok(py.NotImplemented()) };
        let (one, two) = (self.tour.clone(), other.get().tour.clone());
        let equal = detached(py, self.size(), move || one == two)?;
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let tour = self.tour.clone();
        detached(py, self.size(), move || {
            let mut hasher = DefaultHasher::new();
            tour.hash(&mut hasher);
            hasher.finish()
        })
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let tour = self.tour.clone();
        let board = tour.board();
        let length = board.squares() * (self.size().to_string().len() as u64 + 1);
        if length > LONGEST_TEXT {
            let board = board.describe();
            return Err(errors::too_big(py, &format!("the numbered {board} has {length} characters")));
        }
        Ok(PyString::new(py, &detached(py, self.size(), move || tour.to_string())?))
    }

    fn __repr__(&self) -> String {
        let (tour, board) = (&self.tour, self.tour.board());
        let from = board.name(tour.start());
        if tour.is_closed() {
            return format!("<closed tour of the {} from {from}>", board.describe());
        }
        format!("<open tour of the {} from {from} to {}>", board.describe(), board.name(tour.end()))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let squares = self.tour.squares();
        let numbers = PyBytes::new_with(py, size_of_val(squares), |bytes| {
            for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(squares.iter()) {
                *place = number.to_le_bytes();
            }
            Ok(())
        })?;
        let restore = registry::restoring(py, "_restore_tour")?;
        (restore, (self.board(), numbers, self.is_closed())).into_pyobject(py)
    }

    #[allow(unsafe_code, reason = "Python's interface is a pointer; `buffer` says why it is sound")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let owner = slf.clone().into_any();
        let this = slf.get();
        // SAFETY: Python gives a view to fill. The tour is frozen, so numbers and layout stay where they are
        // for as long as it lives.
        unsafe { buffer::fill(owner, this.tour.squares(), &this.layout, view, flags) }
    }
}

/// Checks a tour while other threads run.
fn checked(py: Python<'_>, board: Board, numbers: Vec<u32>, closed: Option<bool>) -> PyResult<PyTour> {
    match detached(py, numbers.len(), move || Tour::new(board, numbers, closed))? {
        Ok(tour) => Ok(tour.into()),
        Err(error) => Err(errors::invalid_tour(py, &error)),
    }
}

/// The number of the first square, for grids: small enough for all of them to be written.
fn first_number(first: Option<&Bound<'_, PyAny>>, squares: usize) -> PyResult<i64> {
    let Some(given) = first else { return Ok(1) };
    let first = arguments::whole(given)?.filter(|first| (0..=i64::MAX - squares as i64).contains(first));
    first.ok_or_else(|| must_be::<RequestError>("first", "a whole number of at least 0 (and 64 bits)", given))
}

/// The square numbers that an object gives. What is wrong with the sequence as a tour is left to the
/// checker, unless something in it is no open square of the board.
fn read_squares(py: Python<'_>, board: &Board, squares: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let off_board = |numbers: &[u32], message: &str, pair| {
        // Whatever is wrong earlier is the first bad step.
        let step = numbers.len();
        if let Err(error) = check_path(board, numbers)
            && error.step.is_some_and(|earlier| earlier < step)
        {
            return errors::invalid_tour(py, &error);
        }
        let before = numbers.last().map(|&number| board.square(number));
        match before.into_iter().chain(pair).map(|square| square_object(py, square)).collect() {
            Ok(squares) => errors::not_a_tour(py, &format!("step {step}: {message}"), Some(step), squares, true),
            Err(error) => error,
        }
    };
    let view = match squares.cast::<PyTour>() {
        Ok(tour) => Some(PySquares::of_tour(&tour.get().tour)),
        Err(_) => squares.cast::<PySquares>().ok().map(|squares| squares.get().clone()),
    };
    if let Some(view) = view {
        let on = board.clone();
        return detached(py, view.size(), move || view.numbers_on(&on))?.map_err(|(numbers, square)| {
            off_board(&numbers, &format!("{square} is not on the {}", board.describe()), Some(square))
        });
    }
    let refuse = |why: &str| InvalidTourError::new_err(format!("squares must be {why}, not {}", quote(squares)));
    if squares.is_instance_of::<PyString>() {
        return Err(refuse("an iterable of squares (Tour.parse reads text)"));
    }
    if let Some(buffer) = buffer(squares) {
        return buffer.to_vec(py);
    }
    let mut numbers = Vec::new();
    for square in squares.try_iter().map_err(|_| refuse("an iterable of squares"))? {
        check_every(py, numbers.len())?;
        match arguments::find_open(board, &square?)? {
            Ok(number) => numbers.push(number),
            Err(fault) => return Err(off_board(&numbers, &fault.message, fault.pair)),
        }
        // One square too many is wrong already, and the iterable may have no end.
        if numbers.len() > board.len() {
            break;
        }
    }
    Ok(numbers)
}

/// The square numbers of a path that an object gives: of a part of a tour, which the checker of tours has checked.
pub fn read_path(py: Python<'_>, board: &Board, squares: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    // A walk and a path have them.
    let theirs = squares.getattr_opt("squares")?;
    let numbers = read_squares(py, board, theirs.as_ref().unwrap_or(squares))?;
    if numbers.is_empty() {
        return Err(errors::not_a_tour(py, "a path has at least 1 square, not 0", Some(0), Vec::new(), false));
    }
    let on = board.clone();
    let (numbers, fault) = detached(py, numbers.len(), move || {
        let fault = check_path(&on, &numbers).err().filter(|fault| fault.step != Some(numbers.len()));
        (numbers, fault)
    })?;
    fault.map_or(Ok(numbers), |fault| Err(errors::invalid_tour(py, &fault)))
}

/// A one-dimensional row of unsigned 32-bit numbers.
fn buffer(squares: &Bound<'_, PyAny>) -> Option<PyBuffer<u32>> {
    let is_list = squares.is_instance_of::<PyList>() || squares.is_instance_of::<PyTuple>();
    let buffer = if is_list { None } else { PyBuffer::<u32>::get(squares).ok() };
    buffer.filter(|buffer| buffer.dimensions() == 1)
}

/// What a pickled tour calls. Everything is checked again.
#[pyfunction(name = "_restore_tour")]
pub fn restore_tour(py: Python<'_>, board: &Bound<'_, PyAny>, numbers: &[u8], closed: bool) -> PyResult<PyTour> {
    let board = given_board(board)?;
    let (chunks, rest) = numbers.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(InvalidTourError::new_err("the pickled tour is damaged"));
    }
    let numbers = chunks.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    checked(py, board, numbers, Some(closed))
}
