"""Measures of many tours, as NumPy arrays."""

from __future__ import annotations

from knightstour._core import Tour, _measure
from knightstour.errors import RequestError
from knightstour.keywords import helpful

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from knightstour._core import Board
    from knightstour.options import Measure

_ALL = ("turns", "angles", "slopes", "crossings", "row_sums", "column_sums", "is_semimagic", "is_magic")
_NUMBERS = ("turns", "crossings", "is_semimagic", "is_magic")


@helpful
def measures(
    tours: Buffer | npt.NDArray[Any] | Sequence[Tour],
    *names: Measure,
    board: Board | None = None,
    closed: bool | None = None,
) -> dict[str, npt.NDArray[np.int64 | np.bool_]]:
    """Measure many tours of one board at once.

    Parameters
    ----------
    tours
        A batch, a list of tours of one board and kind (such as ``tours.sample(100)``), or any array of shape
        (tours, squares) and type uint32 that holds the square numbers ``row * cols + col`` of one tour in each row.
    names
        Which measures; all of them by default. The properties of `Tour` with these names define them: ``"turns"``,
        ``"angles"``, ``"slopes"``, ``"crossings"``, ``"row_sums"``, ``"column_sums"``, ``"is_semimagic"``,
        ``"is_magic"``.
    board, closed
        The board of the tours and whether they are closed; a batch knows both, and so do tours.

    Returns
    -------
    dict of arrays
        By name, in the order asked for. ``"turns"`` and ``"crossings"`` have the shape (tours,) and the type int64,
        ``"is_semimagic"`` and ``"is_magic"`` the same shape and the type bool; ``"angles"`` and ``"slopes"`` have
        a column for each key of ``tour.angles`` and ``tour.slopes``, in their order, and ``"row_sums"`` and
        ``"column_sums"`` one for each row and column of the board.

    Raises `RequestError` for arguments that do not fit and where `Tour.turns` does, `InvalidTourError` for a row that
    is not a tour (all are checked), `MemoryLimitError` if it needs more memory than the machine has free,
    `ImportError` without NumPy.
    Cost: some three microseconds for a tour of 6x6, on one core; eight bytes for each number and four for each square.
    """
    try:
        import numpy as np  # noqa: PLC0415 -- only those who measure batches need it
    except ImportError as error:
        raise ImportError("measures needs NumPy: pip install numpy") from error
    held: Any = tours
    if isinstance(tours, (list, tuple)) and tours and all(isinstance(tour, Tour) for tour in tours):
        board = tours[0].board if board is None else board
        closed = tours[0].is_closed if closed is None else closed
        if any(tour.board != board or tour.is_closed is not closed for tour in tours):
            raise RequestError("tours that are measured together must be of one board, and all open or all closed")
        held = np.stack([np.asarray(tour) for tour in tours])
    board = getattr(tours, "board", None) if board is None else board
    closed = getattr(tours, "closed", None) if closed is None else closed
    if board is None or not isinstance(closed, bool):
        raise RequestError("an array of squares does not say which tours it holds: give board= and closed=")
    results: dict[str, npt.NDArray[np.int64 | np.bool_]] = {}
    for name, width, values in _measure(board, closed, held, names or _ALL):
        array = np.frombuffer(values, np.int64)
        if name not in _NUMBERS:
            array = array.reshape(-1, width)
        results[name] = array.astype(np.bool_) if name.startswith("is_") else array
    return results
