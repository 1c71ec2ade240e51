"""What collections of tours and of paths have in common."""

from __future__ import annotations

from knightstour.errors import RequestError
from knightstour.results import Count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from knightstour._core import Board, Request
    from knightstour.results import Stats
    from knightstour.square import Square


class Collection:
    """The tours or paths of a board that fit a request; nothing is computed until asked."""

    __slots__ = ("_board", "_request")

    #: What they are, in messages.
    _things = "tours"

    _board: Board
    _request: Request

    def _ask(self, board: Board, request: Request) -> None:
        """Take a board and a request about it. A damaged pickle may hold two that do not belong together."""
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
        raise TypeError(f"a collection of {self._things} is not an array: list some of them and make an array of those")

    def _given(self) -> list[str]:
        """The arguments that the method of `Board` was given."""
        ends = {"start": self.start, "end": self.end}
        named = (f"{name}={self._board.name(end)!r}" for name, end in ends.items() if end is not None)
        return [*(["closed=True"] if self.closed else []), *named]


def counted(value: int, stats: Stats, *, closed: bool, one_way: bool) -> Count:
    """A count of cycles; or of sequences, whose reverses are counted as well unless ``one_way``."""
    if closed:
        return Count(value, value, 2 * value, stats)
    return Count(value, value if one_way else value // 2, value, stats)
