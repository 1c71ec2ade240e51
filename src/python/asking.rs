//! What a `Board` is asked for: its tours, paths, ends of tours, and longest paths.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::board::PyBoard;
use super::limits::PyLimits;
use super::registry::Asked;
use super::tours::PyRequest;
use super::{arguments, paths, uncrossed};
use crate::request::Request;

#[pymethods]
impl PyBoard {
    /// The tours of the board, a `Tours` collection; nothing is computed yet.
    ///
    /// ``closed=True`` asks for closed tours. They have no ends: ``start`` then only says where a listed tour
    /// begins. Raises `SquareError` for squares that are blocked or not on the board, `RequestError`
    /// for an ``end`` of closed tours and for equal ends.
    #[pyo3(
        signature = (*, closed=None, start=None, end=None, **others),
        text_signature = "($self, *, closed=False, start=None, end=None)"
    )]
    fn tours<'py>(
        slf: &Bound<'py, Self>,
        closed: Option<&Bound<'py, PyAny>>,
        start: Option<&Bound<'py, PyAny>>,
        end: Option<&Bound<'py, PyAny>>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arguments::refuse_others("Board.tours", others, &["closed", "start", "end"])?;
        let request = PyRequest::ask(slf.get().board.clone(), closed, start, end)?;
        Asked::Tours.get(slf.py())?.call1((slf, request))
    }

    /// The paths, or cycles, of a given number of squares, a `Paths` collection; nothing is computed yet.
    ///
    /// ``squares`` is the number of squares that a path visits, each once. Open paths are sequences of squares, from
    /// ``start`` and to ``end`` if these are given. ``closed=True`` asks for cycles of at least 3 squares, through
    /// ``start`` if that is given. Raises `SquareError` for squares that are blocked or not on the board,
    /// `RequestError` for a number below 1, an ``end`` of cycles and for equal ends.
    #[pyo3(
        signature = (squares, *, closed=None, start=None, end=None, **others),
        text_signature = "($self, squares, *, closed=False, start=None, end=None)"
    )]
    fn paths<'py>(
        slf: &Bound<'py, Self>,
        squares: &Bound<'py, PyAny>,
        closed: Option<&Bound<'py, PyAny>>,
        start: Option<&Bound<'py, PyAny>>,
        end: Option<&Bound<'py, PyAny>>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arguments::refuse_others("Board.paths", others, &["squares", "closed", "start", "end"])?;
        let request = PyRequest::ask(slf.get().board.clone(), closed, start, end)?;
        Asked::Paths.get(slf.py())?.call1((slf, request, squares))
    }

    /// The longest path that visits no square twice, or the longest cycle, as a `LongestPath`.
    ///
    /// The result says whether it is proven to be the longest; if not, it gives an upper bound. ``start``,
    /// ``end`` and ``closed`` are those of `paths`, limits and the rest those of `Tours.find`. Without a limit the
    /// search ends with a proof or after a number of rounds. That takes fractions of a second on small boards and
    /// where the path is as long as the bound, and at worst minutes on boards of a hundred squares. After a limit,
    /// the result is the longest path found so far, on boards of a million squares as well. Raises `SquareError` and
    /// `RequestError` as `paths` does.
    #[pyo3(
        signature = (
            *, start=None, end=None, closed=None, time_limit=None, node_limit=None, memory_limit=None, progress=None,
            cancel=None
        ),
        text_signature = "($self, *, start=None, end=None, closed=False, time_limit=None, node_limit=None, memory_limit=None, progress=None, cancel=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "the options of a public call")]
    fn longest_path<'py>(
        &self,
        py: Python<'py>,
        start: Option<&Bound<'py, PyAny>>,
        end: Option<&Bound<'py, PyAny>>,
        closed: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<&Bound<'py, PyAny>>,
        memory_limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        cancel: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = PyLimits::new(time_limit, node_limit, memory_limit, None, progress, cancel)?;
        let request = PyRequest::ask(self.board.clone(), closed, start, end)?;
        paths::longest(py, request.request, &limits)
    }

    /// The squares on which an open tour can start, as a frozenset. An open tour can end on the same squares.
    ///
    /// Each square is tried by itself, unless a symmetry or a tour that was found before gives the answer. If there
    /// is a closed tour, an open tour can start on every square. Limits and the rest are those of `Tours.find`.
    /// Raises `LimitReachedError` when a limit ran out.
    #[pyo3(signature = (*, time_limit=None, node_limit=None, memory_limit=None, progress=None, cancel=None))]
    fn start_squares<'py>(
        &self,
        py: Python<'py>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<&Bound<'py, PyAny>>,
        memory_limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        cancel: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = PyLimits::new(time_limit, node_limit, memory_limit, None, progress, cancel)?;
        paths::end_squares(py, Request::open(self.board.clone()), &limits)
    }

    /// The squares on which an open tour from ``start`` can end, as a frozenset; empty if no tour starts there.
    ///
    /// Limits and the rest are those of `Tours.find`. Raises `SquareError` for a start that is blocked or not on
    /// the board, `LimitReachedError` when a limit ran out.
    #[pyo3(signature = (start, *, time_limit=None, node_limit=None, memory_limit=None, progress=None, cancel=None))]
    #[expect(clippy::too_many_arguments, reason = "the options of a public call")]
    fn end_squares<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<&Bound<'py, PyAny>>,
        memory_limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        cancel: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = PyLimits::new(time_limit, node_limit, memory_limit, None, progress, cancel)?;
        paths::end_squares(py, PyRequest::ask(self.board.clone(), None, Some(start), None)?.request, &limits)
    }

    /// Look for a longest path, or closed circuit, of moves that never cross each other.
    ///
    /// Two moves cross if the lines between the centres of their squares share a point that is not a common end.
    /// The answer is proven to be the longest unless a limit was reached (``is_optimal``, ``upper_bound``).
    /// After a limit, the answer is the longest path found so far: half of the work is a local search, half the
    /// proof. On 10x10 it finds 57 moves in a second; the longest known path there has 61.
    ///
    /// Parameters
    /// ----------
    /// closed
    ///     Whether to look for a circuit. It need not visit all squares.
    /// time_limit, node_limit, memory_limit
    ///     Seconds, states of the search, bytes.
    /// progress
    ///     Called with a `Progress` a few times a second; raising in it stops the search.
    /// cancel
    ///     A `Cancel` object that stops the search from another thread.
    ///
    /// Returns
    /// -------
    /// LongestPath
    ///     The squares in order. A circuit does not repeat its first square. If there is no circuit, there are none.
    ///
    /// Values known for square boards: OEIS A003192 (paths) and A157416 (circuits). Cost: exponential in the shorter
    /// side, some 12 times as much with each further row: 30 million states for paths on 8x8, 4 million for circuits.
    /// Raises `RequestError` for joined edges, where crossings are not defined, and for boards that are too wide to
    /// search or have 65,536 squares or more.
    #[pyo3(
        signature = (*, closed=None, time_limit=None, node_limit=None, memory_limit=None, progress=None, cancel=None),
        text_signature = "($self, *, closed=False, time_limit=None, node_limit=None, memory_limit=None, \
            progress=None, cancel=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "the options of a public call")]
    fn longest_uncrossed<'py>(
        &self,
        py: Python<'py>,
        closed: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<&Bound<'py, PyAny>>,
        memory_limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        cancel: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = PyLimits::new(time_limit, node_limit, memory_limit, None, progress, cancel)?;
        uncrossed::longest(py, &self.board, closed, &limits)
    }
}
