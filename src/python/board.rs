//! `Board` as Python sees it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyString, PyTuple};

use super::arguments::Only;
use super::detach::{check_every, detached};
use super::errors::{self, BoardError, must_be};
use super::quote::quote;
use super::square::square_object;
use super::squares::{PySquares, SquaresIterator};
use super::{arguments, registry};
use crate::board::Board;
use crate::board::moves::{Leaper, Wrap};

/// The longest text that `str` makes of a board or a tour: printing by accident stays harmless.
pub const LONGEST_TEXT: u64 = 1 << 27;

/// The most symmetries that are listed.
const MOST_SYMMETRIES: u64 = 1 << 20;

/// A board: its size, its blocked squares, the piece that moves on it, and the edges that are joined.
///
/// Parameters
/// ----------
/// rows, cols
///     Numbers of rows and columns, each at least 1, with at most 2**31 squares; ``cols`` defaults to
///     ``rows``.
/// blocked
///     Squares that no tour visits, each a pair (row, col) or a name such as ``"d4"``. At least one
///     square must stay open. Costs one bit per square of the board.
/// leaper
///     ``(a, b)``: the piece moves ``a`` squares along either axis and ``b`` along the other. The knight
///     is the (1, 2)-leaper.
/// wrap
///     Edges that are joined: ``None``, ``"cols"`` (left and right: a cylinder), ``"rows"`` (top and
///     bottom) or ``"both"`` (a torus). Two moves that land on the same square count as one. A move that
///     comes back to its own square does not count.
///
/// Raises `BoardError` if there is no such board, `SquareError` if a blocked square is not on it.
///
/// Boards are immutable, comparable, hashable and picklable. ``len(board)`` is the number of open
/// squares, iteration goes over them in reading order, and ``square in board`` says whether a square
/// is open. ``str(board)`` is a picture with ``.`` for open and ``#`` for blocked squares, which `parse`
/// reads; it raises `MemoryLimitError` beyond 2**27 characters. ``repr(board)`` evaluates to the
/// board and lists all blocked squares. ``numpy.asarray(board)`` is the array of ``board.squares``.
#[pyclass(name = "Board", module = "knightstour", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyBoard {
    /// The board of the core.
    pub board: Board,
}

impl From<Board> for PyBoard {
    fn from(board: Board) -> PyBoard {
        PyBoard { board }
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(
        signature = (rows, cols=None, *, blocked=None, leaper=None, wrap=None, **others),
        text_signature = "(rows, cols=None, *, blocked=(), leaper=(1, 2), wrap=None)"
    )]
    fn new(
        rows: &Bound<'_, PyAny>,
        cols: Option<&Bound<'_, PyAny>>,
        blocked: Option<&Bound<'_, PyAny>>,
        leaper: Option<&Bound<'_, PyAny>>,
        wrap: Option<&Bound<'_, PyAny>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyBoard> {
        arguments::refuse_others("Board", others, &["rows", "cols", "blocked", "leaper", "wrap"])?;
        let leaper = leaper.map_or(Ok(Leaper::KNIGHT), arguments::leaper)?;
        let wrap = arguments::wrap(wrap)?;
        let rows_given = arguments::side("rows", rows)?;
        let cols_given = cols.map_or(Ok(rows_given), |cols| arguments::side("cols", cols))?;
        // Names of squares need the size, so the board without blocked squares comes first.
        let plain = Board::build(rows_given, cols_given, [], leaper, wrap)?;
        let Some(blocked) = blocked else { return Ok(plain.into()) };
        let numbers = blocked_numbers(&plain, blocked)?;
        if numbers.is_empty() {
            return Ok(plain.into());
        }
        Ok(Board::build(rows_given, cols_given, numbers, leaper, wrap)?.into())
    }

    /// Reads a picture, ``text``: one row per line, ``.`` for an open square, ``#`` for a blocked one.
    ///
    /// White space around lines is ignored, and so are empty lines before and after. Raises `BoardError`
    /// for lines of different lengths, other letters, or a picture without open squares.
    /// ``leaper`` and ``wrap`` are those of `Board`.
    #[staticmethod]
    #[pyo3(
        signature = (text, *, leaper=None, wrap=None),
        text_signature = "(text, *, leaper=(1, 2), wrap=None)"
    )]
    fn parse(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        leaper: Option<&Bound<'_, PyAny>>,
        wrap: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyBoard> {
        let leaper = leaper.map_or(Ok(Leaper::KNIGHT), arguments::leaper)?;
        let wrap = arguments::wrap(wrap)?;
        let Some(picture) = arguments::text(text) else {
            return Err(BoardError::new_err(format!("a picture is a text, not {}", quote(text))));
        };
        let picture = picture.into_owned();
        let board = detached(py, picture.len(), move || Board::parse(&picture, leaper, wrap))?;
        Ok(board?.into())
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> u32 {
        self.board.rows()
    }

    /// Number of columns.
    #[getter]
    fn cols(&self) -> u32 {
        self.board.cols()
    }

    /// The legs (a, b) of the piece that moves, the shorter first.
    #[getter]
    fn leaper(&self) -> (u32, u32) {
        (self.board.leaper().a, self.board.leaper().b)
    }

    /// The edges that are joined: ``None``, ``"cols"``, ``"rows"`` or ``"both"``.
    #[getter]
    fn wrap(&self) -> Option<&'static str> {
        self.board.wrap().name()
    }

    /// The blocked squares.
    #[getter]
    fn blocked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        let mut squares = Vec::new();
        for (index, number) in self.board.blocked_squares().enumerate() {
            check_every(py, index)?;
            squares.push(square_object(py, self.board.square(number))?);
        }
        PyFrozenSet::new(py, squares)
    }

    /// The open squares in reading order, a sequence that makes each square when it is asked for.
    #[getter]
    fn squares(&self) -> PySquares {
        PySquares::of_board(&self.board)
    }

    /// The names of the board's symmetries, ``"identity"`` first.
    ///
    /// These are the symmetries of the rectangle that map open squares to open squares and joined edges to joined
    /// edges. With joined edges there are also translations, such as ``"translation(rows,cols)"``, and products such
    /// as ``"half-turn+translation(1,2)"`` (the turn comes first). Together they form a group. Raises
    /// `MemoryLimitError` beyond 2**20 of them.
    #[getter]
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.check_symmetries(py)?;
        let board = self.board.clone();
        let symmetries = {
            // With joined edges the work goes with the number of translations that map holes to holes.
            let work = if board.wrap() == Wrap::None { board.len() } else { usize::MAX };
            detached(py, work, move || board.symmetries())?
        };
        PyTuple::new(py, symmetries.iter().map(ToString::to_string))
    }

    /// The squares one move away from an open square, in reading order. Raises `SquareError` for other squares.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        square: Only<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let square = &square.of("Board.moves", "square", others)?;
        let targets = self.board.moves(arguments::open_square(&self.board, square)?);
        let squares: PyResult<Vec<_>> =
            targets.as_slice().iter().map(|&n| square_object(py, self.board.square(n))).collect();
        PyTuple::new(py, squares?)
    }

    /// The number of squares one move away from an open square. Raises `SquareError` for other squares.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn degree<'py>(&self, square: Only<'py>, others: Option<&Bound<'py, PyDict>>) -> PyResult<usize> {
        let square = &square.of("Board.degree", "square", others)?;
        Ok(self.board.moves(arguments::open_square(&self.board, square)?).as_slice().len())
    }

    /// The name of a square of the board, blocked or not.
    ///
    /// It is the column's letters (``a`` to ``z``, ``aa``, ...), then the rank counted from the bottom. Raises
    /// `SquareError` for a square that is not on the board.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn name<'py>(&self, square: Only<'py>, others: Option<&Bound<'py, PyDict>>) -> PyResult<String> {
        let square = &square.of("Board.name", "square", others)?;
        Ok(self.board.name(arguments::square(&self.board, square)?))
    }

    /// The square that a name or a pair means, blocked or not. Raises `SquareError` if it is not on the board.
    #[pyo3(signature = (square=Only::Missing, **others), text_signature = "($self, square)")]
    fn square<'py>(
        &self,
        py: Python<'py>,
        square: Only<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let square = &square.of("Board.square", "square", others)?;
        square_object(py, self.board.square(arguments::square(&self.board, square)?))
    }

    fn __len__(&self) -> usize {
        self.board.len()
    }

    fn __iter__(&self) -> SquaresIterator {
        PySquares::of_board(&self.board).iterator()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.squares().array(py, dtype, copy)
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(arguments::find_open(&self.board, square)?.is_ok())
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let board = self.board.clone();
        let length = (u64::from(board.cols()) + 1) * u64::from(board.rows());
        if length > LONGEST_TEXT {
            let board = board.describe();
            return Err(errors::too_big(py, &format!("the picture of the {board} has {length} characters")));
        }
        Ok(PyString::new(py, &detached(py, length as usize, move || board.to_string())?))
    }

    fn __repr__(&self) -> String {
        let board = &self.board;
        let mut text = format!("Board({}, {}", board.rows(), board.cols());
        if !board.is_rectangle() {
            let names: Vec<String> = board.blocked_squares().map(|n| format!("'{}'", board.name(n))).collect();
            text += &format!(", blocked=[{}]", names.join(", "));
        }
        if board.leaper() != Leaper::KNIGHT {
            text += &format!(", leaper=({}, {})", board.leaper().a, board.leaper().b);
        }
        if let Some(wrap) = board.wrap().name() {
            text += &format!(", wrap='{wrap}'");
        }
        text + ")"
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let board = &self.board;
        let blocked: Vec<u8> = board.blocked_squares().flat_map(u32::to_le_bytes).collect();
        let restore = registry::restoring(py, "_restore_board")?;
        let blocked = pyo3::types::PyBytes::new(py, &blocked);
        (restore, (board.rows(), board.cols(), blocked, self.leaper(), self.wrap())).into_pyobject(py)
    }
}

impl PyBoard {
    /// Refuses boards whose symmetries are too many to list.
    pub fn check_symmetries(&self, py: Python<'_>) -> PyResult<()> {
        let board = &self.board;
        let downs = if board.wrap().joins_rows() { board.rows() } else { 1 };
        let rights = if board.wrap().joins_cols() { board.cols() } else { 1 };
        let count = 8 * u64::from(downs) * u64::from(rights);
        if board.is_rectangle() && count > MOST_SYMMETRIES {
            let board = board.describe();
            return Err(errors::too_big(py, &format!("the {board} has too many symmetries to list, about {count}")));
        }
        Ok(())
    }
}

/// A `Board`.
pub fn given_board(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    match value.cast::<PyBoard>() {
        Ok(board) => Ok(board.get().board.clone()),
        Err(_) => Err(BoardError::new_err(format!("a Board is needed, not {}", quote(value)))),
    }
}

/// A `Board`, or the side of a square one.
pub fn board_or_side(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    if value.cast::<PyBoard>().is_ok() || arguments::whole(value)?.is_none() {
        return given_board(value);
    }
    let side = arguments::side("rows", value)?;
    Ok(Board::new(side, side)?)
}

fn blocked_numbers(board: &Board, blocked: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let refuse = || must_be::<BoardError>("blocked", "squares, such as ['d4', (0, 7)]", blocked);
    if blocked.is_instance_of::<PyString>() {
        return Err(refuse());
    }
    let mut numbers = Vec::new();
    for (index, square) in blocked.try_iter().map_err(|_| refuse())?.enumerate() {
        check_every(blocked.py(), index)?;
        numbers.push(arguments::square(board, &square?)?);
    }
    Ok(numbers)
}

/// What a pickled board calls. Everything is checked again.
#[pyfunction(name = "_restore_board")]
pub fn restore_board(
    rows: &Bound<'_, PyAny>,
    cols: &Bound<'_, PyAny>,
    blocked: &[u8],
    leaper: &Bound<'_, PyAny>,
    wrap: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyBoard> {
    let (numbers, rest) = blocked.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(BoardError::new_err("the pickled board is damaged"));
    }
    let (rows, cols) = (arguments::side("rows", rows)?, arguments::side("cols", cols)?);
    let (leaper, wrap) = (arguments::leaper(leaper)?, arguments::wrap(wrap)?);
    let numbers = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes));
    Ok(Board::build(rows, cols, numbers, leaper, wrap)?.into())
}
