"""Puzzles: a few numbers of a tour that leave just one tour possible."""

from __future__ import annotations

from knightstour._core import _make_puzzle
from knightstour.errors import NoTourError
from knightstour.limits import limit_error
from knightstour.results import Reason, Record, Stats
from knightstour.square import Square
from knightstour.tours import _tours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import SupportsIndex

    from knightstour._core import Board, Cancel, Tour
    from knightstour.results import Progress
    from knightstour.square import SquareLike
    from knightstour.tours import Tours


class Puzzle(Record):
    """Some numbers of a tour. Just one tour has them, and with any of them fewer there is another.

    Attributes
    ----------
    clues
        The given squares with their steps, counted from 0, in the order of the steps: for `Tours.with_steps`.
    solution
        The tour.
    seed
        What makes the same puzzle again.
    stats
        What was done.
    """

    clues: dict[Square, int]
    solution: Tour
    seed: int
    stats: Stats
    _apart = frozenset(("seed", "stats"))

    @property
    def board(self) -> Board:
        """The board."""
        return self.solution.board

    @property
    def tours(self) -> Tours:
        """The tours with these numbers: the solution, and no other."""
        return self.board.tours(closed=self.solution.is_closed).with_steps(self.clues)

    def grid(self, first: int = 1) -> list[list[int | None]]:
        """The given numbers row by row, counted from ``first``; ``None`` elsewhere."""
        board = self.board
        squares = [[Square(row, col) for col in range(board.cols)] for row in range(board.rows)]
        steps = {square: step + first for square, step in self.clues.items()}
        return [[steps.get(square) for square in row] for row in squares]

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import puzzle_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return puzzle_table(self)

    def __str__(self) -> str:
        """The board with the given numbers from 1, ``.`` for a number to be found and ``#`` for a blocked square."""
        board, width = self.board, len(str(len(self.solution)))
        lines = []
        for row, numbers in enumerate(self.grid()):
            texts = [
                str(number if number is not None else "." if Square(row, col) in board else "#")
                for col, number in enumerate(numbers)
            ]
            lines.append(" ".join(text.rjust(width) for text in texts))
        return "\n".join(lines)


def puzzle(
    board: Board | SupportsIndex,
    cols: SupportsIndex | None = None,
    *,
    clues: int | None = None,
    closed: bool = False,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    seed: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Puzzle:
    """Make a puzzle: numbers of a tour that just one tour has, none of them to spare.

    Parameters
    ----------
    board, cols
        A `Board`, or the numbers of rows and columns.
    clues
        The most numbers that may be given; up to 50 solutions are tried for so few. By default as many as it takes:
        about 14 on 8x8, of which hardly any puzzle has fewer than 10.
    closed, start, end
        Which tours may be the solution. The solver is not told its ends but by numbers: they are among those that
        may be given.
    seed
        A whole number from 0 to 2**64 - 1; the same seed makes the same puzzle. Without one, puzzles vary.
    time_limit, node_limit, memory_limit, progress, cancel
        Those of `Tours.find`.

    Raises `NoTourError` if there is no tour, and `LimitReachedError` when a limit ran out or no puzzle with so few
    numbers was met. Cost: a second or a few for 8x8; boards beyond 10x10 may take long.
    """
    tours = _tours(board, cols, closed, start, end)
    limits = (time_limit, node_limit, memory_limit)
    kind, answer, report = _make_puzzle(tours._request, clues, seed, limits, progress, cancel)
    stats = Stats(*report)
    if kind == "stopped":
        raise limit_error(answer, stats, f"making a puzzle of the {tours._describe()}", memory_limit)
    if kind == "impossible":
        reason = Reason(*answer)
        raise NoTourError(reason.text, reason=reason)
    solution, given, used = answer
    return Puzzle(given, solution, used, stats)
