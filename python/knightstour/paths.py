"""Paths that visit only some of the squares, the longest path, and where tours start and end."""

from __future__ import annotations

from knightstour._core import (
    Board,
    Limits,
    Request,
    Tour,
    _check_path,
    _count_paths,
    _find_path,
    _list_paths,
    _read_path,
)
from knightstour.collection import Collection, counted
from knightstour.keywords import helpful_methods, named
from knightstour.limits import limit_error
from knightstour.plain import alone, plain
from knightstour.results import Count, Found, Impossible, Stats, Stopped
from knightstour.square import Square

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, NoReturn

    from knightstour._core import Cancel, Walk
    from knightstour.results import Progress
    from knightstour.square import SquareLike


class Path:
    """A path that visits no square twice, or a cycle. `Paths` gives them, and `Tours.beginning` takes one.

    ``squares`` are squares or names in order, at least one. They are checked like those of a `Tour`, but need not be
    all squares of the board: `InvalidTourError` says which ``step`` is the first bad one. ``closed=True`` makes a
    cycle, of at least 3 squares; with ``None`` it is a cycle if its ends are a move apart.

    Attributes
    ----------
    board
        The board.
    squares
        Its squares in order. `Paths` gives a cycle from its smallest square, or from the given start, towards the
        smaller of the two neighbours.
    is_closed
        Whether it is a cycle.
    """

    __slots__ = ("board", "is_closed", "squares")

    board: Board
    squares: tuple[Square, ...]
    is_closed: bool

    @named("Path")
    def __init__(self, board: Board, squares: Iterable[SquareLike] | Walk | Path, closed: bool | None = False) -> None:
        self._set(board, *_read_path(board, squares, closed))

    @classmethod
    def _of(cls, board: Board, squares: tuple[Square, ...], is_closed: bool) -> Path:
        """A path that the core has found."""
        path = cls.__new__(cls)
        path._set(board, squares, is_closed)
        return path

    def _set(self, *values: object) -> None:
        for name, value in zip(("board", "squares", "is_closed"), values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Path does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Path does not change: cannot delete {name!r}")

    @property
    def start(self) -> Square:
        """The first square."""
        return self.squares[0]

    @property
    def end(self) -> Square:
        """The last square."""
        return self.squares[-1]

    @property
    def tour(self) -> Tour:
        """The path as a tour of the board on which all other squares are blocked, for example for a picture."""
        return alone(self.board, self.squares, closed=self.is_closed)

    def names(self) -> list[str]:
        """The names of its squares."""
        return [self.board.name(square) for square in self.squares]

    def __len__(self) -> int:
        return len(self.squares)

    def __iter__(self) -> Iterator[Square]:
        return iter(self.squares)

    def __getitem__(self, index: int) -> Square:
        return self.squares[index]

    def __str__(self) -> str:
        """The board with the numbers of the squares visited, ``.`` for one left out and ``#`` for a blocked one."""
        step = {square: number for number, square in enumerate(self.squares, 1)}
        width = len(str(len(self.squares)))
        board = self.board
        lines = []
        for row in range(board.rows):
            squares = [Square(row, col) for col in range(board.cols)]
            cells = [str(step.get(square, "." if square in board else "#")).rjust(width) for square in squares]
            lines.append(" ".join(cells))
        return "\n".join(lines)

    def __repr__(self) -> str:
        names = self.names()
        shown = names if len(names) <= 8 else [*names[:4], "...", names[-1]]
        kind = "cycle" if self.is_closed else "path"
        return f"<{kind} of {len(names)} squares of the {self.board.rows}x{self.board.cols} board: {' '.join(shown)}>"

    def _repr_svg_(self) -> str:
        from knightstour.drawing.notebook import notebook_svg  # noqa: PLC0415 - pictures are loaded when one is shown

        return notebook_svg(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        return (self.board, self.squares, self.is_closed) == (other.board, other.squares, other.is_closed)

    def __hash__(self) -> int:
        return hash((self.board, self.squares, self.is_closed))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path, (self.board, self.squares, self.is_closed))


class FoundPath(Found):
    """A path, where `Tours.find` has a tour: ``tour`` is a `Path`."""

    tour: Path  # type: ignore[assignment]
    stats: Stats

    def as_dict(self) -> dict[str, Any]:
        """As `Found.as_dict`; the path is a dict of ``board``, ``closed`` and ``squares`` (their names)."""
        path = self.tour
        named = {"board": plain(path.board), "closed": path.is_closed, "squares": path.names()}
        return {"tour": named, "stats": self.stats.as_dict()}


@helpful_methods
class Paths(Collection):
    """The paths, or cycles, of a given number of squares; made by `Board.paths`. It computes nothing until asked.

    An open path is a sequence of squares, and its reverse is another one. A closed one is a cycle of at least 3
    squares, with no start or direction. Iterating lists them lazily and in constant memory, in the lexicographic
    order of their squares.

    A collection has neither a length (counts overflow it; use `count`) nor a truth value.
    """

    __slots__ = ("_squares",)

    _things = "paths"

    def __init__(self, board: Board, request: Request, squares: int) -> None:
        self._ask(board, request)
        self._squares = _check_path(request, squares)

    @property
    def squares(self) -> int:
        """How many squares a path visits."""
        return self._squares

    def find(
        self,
        *,
        seed: int | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> FoundPath | Impossible | Stopped:
        """Look for one path: a `FoundPath`, whose ``tour`` is a `Path`, `Impossible` or `Stopped`.

        Backtracking, which is good for short paths, takes turns with searches for a tour of that many squares, which
        the ``seed`` chooses at random. Options and errors are those of `Tours.find`.
        """
        limits = Limits(time_limit, node_limit, memory_limit, None, progress, cancel)
        return _find_path(self._request, self._squares, seed, limits)

    def count(
        self,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Count:
        """Count the paths exactly: an open path and its reverse are two, a cycle counts once.

        They are counted one by one, some ten million squares per second. If that takes longer than a moment, a sweep
        over the board counts them; its cost grows exponentially with the shorter side (6x6 takes seconds). Limits and
        the rest are those of `Tours.find`. Raises `TimeLimitError`, `MemoryLimitError` or
        `LimitReachedError` when a limit ran out.
        """
        limits = Limits(time_limit, node_limit, memory_limit, None, progress, cancel)
        answer = _count_paths(self._request, self._squares, limits)
        if isinstance(answer, Stopped):
            raise limit_error(answer, f"counting the {self._describe()}", memory_limit)
        is_one_way = self.start is not None or self.end is not None or self._squares == 1
        return counted(*answer, closed=self.closed, one_way=is_one_way)

    def __iter__(self) -> Iterator[Path]:
        """List the paths one after another, lazily and in constant memory."""
        for squares in _list_paths(self._request, self._squares):
            yield Path._of(self._board, squares, self.closed)

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, Path) or path.board != self._board:
            return False
        squares = path.squares
        if len(squares) != self._squares or path.is_closed != self.closed:
            return False
        if self.closed:
            return self.start is None or self.start in squares
        return self.start in {None, squares[0]} and self.end in {None, squares[-1]}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Paths):
            return NotImplemented
        return (self._request, self._squares) == (other._request, other._squares)

    def __hash__(self) -> int:
        return hash((self._request, self._squares))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Paths, (self._board, self._request, self._squares))

    def __repr__(self) -> str:
        return f"{self._board!r}.paths({', '.join([f'squares={self._squares}', *self._given()])})"

    def _describe(self) -> str:
        kind = "cycles" if self.closed else "paths"
        return f"{kind} of {self._squares} squares of the {self._board.rows}x{self._board.cols} board"


def found_path(board: Board, squares: tuple[Square, ...], closed: bool, stats: Stats) -> FoundPath:
    """A path that the core found."""
    return FoundPath(Path._of(board, squares, closed), stats)
