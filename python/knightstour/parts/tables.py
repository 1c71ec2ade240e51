"""The results of a plan: the count, and tables by start and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knightstour._core import _stabiliser
from knightstour.errors import RequestError
from knightstour.keywords import helpful_methods
from knightstour.results import Count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knightstour._core import Board
    from knightstour.parts.plan import Plan
    from knightstour.results import Stats


@helpful_methods
class PlanCount(Count):
    """A count that was put together from parts.

    Attributes
    ----------
    checks
        What was checked, as sentences.
    parts
        The value of each part, by its key; in the sum each is multiplied by its multiplicity.
    """

    __slots__ = ("_plan", "checks", "parts")

    checks: tuple[str, ...]
    parts: Mapping[str, int]
    _plan: Plan

    def __init__(  # noqa: PLR0917 - the fields
        self,
        value: int,
        undirected: int,
        directed: int,
        stats: Stats,
        checks: tuple[str, ...],
        plan: Plan,
        parts: Mapping[str, int],
    ) -> None:
        super().__init__(value, undirected, directed, stats)
        object.__setattr__(self, "checks", checks)
        object.__setattr__(self, "parts", dict(parts))
        object.__setattr__(self, "_plan", plan)

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.value, self.undirected, self.directed, self.stats, self.checks, self._plan, self.parts)
        return (PlanCount, given)

    def ends(self) -> EndsTable:
        """The table of all pairs of ends, for plans by ends. Raises `RequestError` for other plans."""
        if self._plan.by != "ends":
            raise RequestError(
                f"a plan by {self._plan.by} has no counts by ends; make the plan with {{}}", [("parts", "ends")]
            )
        tours = self._plan.tours
        board = tours.board
        images = _stabiliser(tours._request)
        is_reversible = tours.start is None and tours.end is None
        count = board.rows * board.cols
        rows = [[0] * count for _ in range(count)]
        for part in self._plan.parts:
            assert part.start is not None
            assert part.end is not None
            for image in images:
                a, b = image[part.start], image[part.end]
                rows[a][b] = self.parts[part.key]
                if is_reversible:
                    rows[b][a] = self.parts[part.key]
        return EndsTable(board, tuple(map(tuple, rows)))


@helpful_methods
class EndsTable:
    """The number of open tours from each square to each. ``numpy.asarray(table.rows)`` has one row per start.

    Attributes
    ----------
    board
        The board.
    rows
        ``rows[a][b]`` tours start on square number ``a`` (``row * cols + col``) and end on square number ``b``.
    """

    def __init__(self, board: Board, rows: tuple[tuple[int, ...], ...]) -> None:
        self.board, self.rows = board, rows

    def starts(self) -> list[list[int]]:
        """The number of tours from each square, laid out as the board is."""
        sums = [sum(row) for row in self.rows]
        return [sums[at : at + self.board.cols] for at in range(0, len(sums), self.board.cols)]

    def from_start(self, start: Any) -> list[list[int]]:
        """The number of tours from one square to each, laid out as the board is."""
        row, col = self.board.square(start)
        ends = self.rows[row * self.board.cols + col]
        return [list(ends[at : at + self.board.cols]) for at in range(0, len(ends), self.board.cols)]

    def __repr__(self) -> str:
        return f"<EndsTable of the {self.board.rows}x{self.board.cols} board, {sum(map(sum, self.rows)):,} tours>"

    def _repr_svg_(self) -> str:
        return str(self.svg())

    def svg(self, start: Any = None) -> str:
        """A heat map: of the starts, or of the ends of the tours from one start."""
        from knightstour.drawing.heat import heat_map  # noqa: PLC0415

        return heat_map(self.board, self.starts() if start is None else self.from_start(start))
