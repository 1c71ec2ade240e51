"""Puzzles: a few numbers of a tour that can be completed in one way only."""

from __future__ import annotations

from knightstour._core import Board, Limits, Tour, _make_puzzle, _quote
from knightstour.errors import LimitReachedError, NoTourError, RequestError
from knightstour.keywords import helpful, helpful_methods, refuse
from knightstour.limits import limit_error
from knightstour.plain import tour_object
from knightstour.results import Impossible, Record, Stats, Stopped, array
from knightstour.square import Square
from knightstour.tours import _tours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, SupportsIndex

    import numpy.typing as npt
    from _typeshed import StrPath

    from knightstour._core import Cancel
    from knightstour.drawing.canvas import Svg
    from knightstour.results import Progress
    from knightstour.square import SquareLike
    from knightstour.tours import Tours


@helpful_methods
class Puzzle(Record):
    """Some numbers of a tour that can be completed in one way only. Without any one of them there is a second way.

    Attributes
    ----------
    clues
        The given squares with their steps, counted from 0, in the order of the steps: for `Tours.with_steps`.
    solution
        The tour.
    seed
        The seed that makes the same puzzle again.
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
        """The tours with the given numbers: only the solution."""
        return self.board.tours(closed=self.solution.is_closed).with_steps(self.clues)

    def grid(self, first: int = 1) -> list[list[int | None]]:
        """The given numbers row by row, counted from ``first``; ``None`` elsewhere."""
        board = self.board
        squares = [[Square(row, col) for col in range(board.cols)] for row in range(board.rows)]
        steps = {square: step + first for square, step in self.clues.items()}
        return [[steps.get(square) for square in row] for row in squares]

    def as_dict(self) -> dict[str, Any]:
        """As `Found.as_dict`; the clues are steps, from 0, by the names of their squares."""
        return super().as_dict() | {"clues": self._named_clues()}

    def to_json(self) -> str:
        """The puzzle in JSON, on one line; `from_json` reads it.

        Keys: ``version`` (1), ``board`` and ``closed`` as `Tour.to_json` has them, ``clues`` (the steps, from 0, by
        the names of the squares), ``solution`` (names of squares, in order) and ``seed``.
        """
        import json  # noqa: PLC0415 - few need it

        solution = tour_object(self.solution)
        squares = solution.pop("tour")
        return json.dumps(solution | {"clues": self._named_clues(), "solution": squares, "seed": self.seed})

    @staticmethod
    def from_json(text: str) -> Puzzle:
        """Read a puzzle as `to_json` and ``knightstour puzzle --json`` write it, from ``text``; other keys are skipped.

        It is checked that the solution has the given numbers, but not that it is the only one:
        ``puzzle.tours.is_unique()`` finds out. Raises `RequestError` for other texts, `InvalidTourError` for a solution
        that is not a tour, `SquareError` for a clue that is not on the board. The ``stats`` are empty.
        """
        import json  # noqa: PLC0415 - few need it

        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RequestError(f"a puzzle is read from JSON, but this is not JSON: {error}") from None
        if not isinstance(told, dict) or not isinstance(told.get("clues"), dict) or "solution" not in told:
            raise RequestError("a puzzle in JSON is an object with the keys board, closed, clues and solution")
        tour = {key: told[key] for key in ("board", "closed") if key in told}
        solution, clues = Tour.from_json(json.dumps(tour | {"tour": told["solution"]})), {}
        for name, step in told["clues"].items():
            square = solution.board.square(name)
            if type(step) is not int or step != solution.step_at(square):
                on, right = solution.board.name(square), solution.step_at(square)
                raise RequestError(f"the solution visits {on} at step {right}, but the clue there is {_quote(step)}")
            clues[square] = step
        seed = told.get("seed", 0)
        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise RequestError(
                f"the seed of a puzzle must be a whole number of at least 0 (and 64 bits), not {_quote(seed)}"
            )
        return Puzzle(dict(sorted(clues.items(), key=lambda clue: clue[1])), solution, seed, Stats("json"))

    def svg(
        self,
        *,
        solution: bool = False,
        size: float | None = None,
        coordinates: bool = True,
        colors: Mapping[str, str] | None = None,
        title: str | None = None,
    ) -> Svg:
        """A picture of the puzzle, as SVG text: the board with the given numbers, from 1.

        With ``solution`` it has all numbers, and the given ones are framed. ``size``, ``coordinates``, ``colors`` and
        ``title`` are those of `Tour.svg`. Returns a `str` that notebooks show. Raises `RequestError` for options that
        do not fit.
        """
        from knightstour.drawing.puzzle import puzzle_svg  # noqa: PLC0415 - pictures are loaded when one is drawn

        options: dict[str, Any] = {"size": size, "coordinates": coordinates, "colors": colors, "title": title}
        return puzzle_svg(self.board, *self._numbers(solution=solution), **options)

    def save(self, path: StrPath, *, solution: bool = False, **options: Any) -> None:
        """Write the puzzle to the file ``path``, in the format that its name ends with.

        ``.svg`` takes the other ``options`` of `svg`, and ``.png`` the same except ``title``; it needs Pillow
        (``pip install 'knightstour[image]'``). ``.txt`` is the board as printed, followed by the board of the
        ``solution`` if that is asked for. ``.json`` is `to_json`, which always has the solution.

        Raises `RequestError` for another ending, `TypeError` for options that the format does not have, `ImportError`
        without Pillow, `OSError` if the file cannot be written.
        """
        from pathlib import Path  # noqa: PLC0415 - few need it

        # The file is written only once all of its content is made.
        data = self._encoded(Path(path).suffix, solution, options)
        Path(path).write_bytes(data)

    def _encoded(self, suffix: str, solution: bool, options: dict[str, Any]) -> bytes:
        """The puzzle in a format, named by its suffix."""
        if suffix.lower() in {".txt", ".json"}:
            if options:
                refuse("Puzzle.save", options, ["path", "solution"])
            text = self.to_json() if suffix.lower() == ".json" else self._text(solution=solution)
            return f"{text}\n".encode()
        from knightstour.drawing.puzzle import encode  # noqa: PLC0415 - pictures are loaded when one is drawn

        return encode(self.board, *self._numbers(solution=solution), suffix, options)

    def _text(self, *, solution: bool) -> str:
        return f"{self}\n\n{self.solution}" if solution else str(self)

    def _numbers(self, *, solution: bool) -> tuple[dict[Square, int], dict[Square, int] | None]:
        """The given numbers, from 1, by square; and all of them, if the solution is asked for."""
        given = {square: step + 1 for square, step in self.clues.items()}
        return given, {square: step for step, square in enumerate(self.solution.squares, 1)} if solution else None

    def _named_clues(self) -> dict[str, int]:
        return {self.board.name(square): step for square, step in self.clues.items()}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The given numbers, from 1, of shape (rows, cols): 0 is a number to be found, -1 a blocked square."""
        blocked = self.board.blocked
        rows = [[number or 0 for number in row] for row in self.grid()]
        for square in blocked:
            rows[square.row][square.col] = -1
        return array(rows, dtype, copy)

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


@helpful
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
    """Make a puzzle with one solution; leaving out any of its numbers would allow a second.

    Parameters
    ----------
    board, cols
        A `Board`, or the numbers of rows and columns.
    clues
        The largest number of given numbers: puzzles of up to 50 solutions are made until one has no more. By default
        as many as are needed: about 14 on 8x8, where hardly any puzzle has fewer than 10.
    closed, start, end
        Which tours may be the solution. The solver of the puzzle does not know the ends unless their numbers are
        given. In a closed puzzle the last number is one move from the first, but the first may be anywhere.
    seed
        A whole number from 0 to 2**64 - 1; the same seed makes the same puzzle. Without one, puzzles vary.
    time_limit, node_limit, memory_limit, progress, cancel
        Those of `Tours.find`.

    Raises `NoTourError` if there is no tour, `RequestError` for ``clues=1`` if no puzzle has only one number,
    and `LimitReachedError` when a limit ran out, or when all 50 puzzles had more than ``clues`` numbers (its ``limit``
    is ``"attempts"`` then). Cost: one or a few seconds for 8x8; boards larger than 10x10 may take long.
    """
    tours = _tours(board, cols, closed, start, end)
    limits = Limits(time_limit, node_limit, memory_limit, None, progress, cancel)
    match _make_puzzle(tours._request, clues, seed, limits):
        case Puzzle() as made:
            return made
        case Impossible(reason, _):
            raise NoTourError(reason.text, reason=reason)
        case Stopped() as stopped:
            raise limit_error(stopped, f"making a puzzle of the {tours._describe()}", memory_limit)
        case fewest, stats:
            raise LimitReachedError(
                f"each of 50 puzzles of the {tours._describe()} has more than {clues} numbers; "
                f"the fewest were {fewest}. Allow more clues, or try another seed",
                limit="attempts",
                stats=stats,
            )
    raise RequestError(f"no puzzle of the {tours._describe()} has only one number: allow more clues")
