"""A collection of tours as plain data, and back. A ledger keeps this data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knightstour._core import Board

if TYPE_CHECKING:
    from knightstour.tours import Tours


def request_object(tours: Tours) -> dict[str, Any]:
    """A collection as plain data."""
    board = tours.board
    return {
        "board": str(board).splitlines(),
        "leaper": list(board.leaper),
        "wrap": board.wrap,
        "closed": tours.closed,
        "start": None if tours.start is None else board.name(tours.start),
        "end": None if tours.end is None else board.name(tours.end),
        "including": [list(move) for move in tours._request.included],
        "excluding": [list(move) for move in tours._request.excluded],
    }


def tours_of_object(said: dict[str, Any]) -> Tours:
    """The collection that such data describes. Raises what `Board.parse` and `Board.tours` raise."""
    leaper = said["leaper"]
    board = Board.parse("\n".join(said["board"]), leaper=(leaper[0], leaper[1]), wrap=said["wrap"])
    tours = board.tours(closed=said["closed"], start=said["start"], end=said["end"])
    return tours.including(*map(tuple, said["including"])).excluding(*map(tuple, said["excluding"]))
