"""What collections of tours and of paths have in common."""

from __future__ import annotations

from knightstour.errors import RequestError
from knightstour.results import Count, Impossible, Reason, Stats, Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    from knightstour._core import Board, Request
    from knightstour.square import Square

    F = TypeVar("F")


class Collection:
    """What is on a board and fits a request; it computes nothing until asked."""

    __slots__ = ("_board", "_request")

    #: What they are, in messages.
    _things = "tours"

    _board: Board
    _request: Request

    def _ask(self, board: Board, request: Request) -> None:
        """Take a board and what is asked of it. A pickle may have been made of two that do not belong together."""
        if request.board != board:
            raise RequestError(f"the request is about {request.board!r}, not about {board!r}")
        self._board, self._request = board, request

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    @property
    def closed(self) -> bool:
        """Whether these are closed: cycles."""
        return self._request.closed

    @property
    def start(self) -> Square | None:
        """The given start."""
        return self._request.start

    @property
    def end(self) -> Square | None:
        """The given end."""
        return self._request.end

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a collection of {self._things} has no truth value; use find() or count()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise TypeError(f"a collection of {self._things} is not an array: make one of some that it lists")

    def _given(self) -> list[str]:
        """What the method of `Board` was given, as arguments."""
        ends = {"start": self.start, "end": self.end}
        named = (f"{name}={self._board.name(end)!r}" for name, end in ends.items() if end is not None)
        return [*(["closed=True"] if self.closed else []), *named]


def answered(
    kind: str, answer: Any, report: tuple[Any, ...], found: Callable[[Any, Stats], F]
) -> F | Impossible | Stopped:
    """What a search came to, from what the core gave; ``found`` makes what was found of it."""
    stats = Stats(*report)
    if kind == "found":
        return found(answer, stats)
    if kind == "impossible":
        return Impossible(Reason(*answer), stats)
    return Stopped(answer, stats)


def counted(value: int, stats: Stats, *, closed: bool, one_way: bool) -> Count:
    """A count of cycles; or of sequences, the reverse of which is among them unless they go one way."""
    if closed:
        return Count(value, value, 2 * value, stats)
    return Count(value, value if one_way else value // 2, value, stats)
