"""Results as plain data that `json.dumps` can write.

A square is the pair ``[row, col]``. In boards and tours squares are names, as `Tour.to_json` writes them.
"""

from __future__ import annotations

from knightstour._core import Board, Request, Squares, Tour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from knightstour.square import Square
    from knightstour.tours import Tours


def plain(value: Any) -> Any:
    """A field of a result as dicts, lists, texts, numbers, booleans and None."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        # Python writes longer numbers only if its limit is raised.
        return in_full(value)
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | Squares):
        return [plain(one) for one in value]
    if isinstance(value, Tour | Board):
        return board_object(value) if isinstance(value, Board) else tour_object(value)
    if isinstance(getattr(value, "_request", None), Request):
        request = value._request
        edges = {"including": plain(request.included), "excluding": plain(request.excluded)}
        return request_object(value) | edges | {"steps": request.steps}
    return value.as_dict() if hasattr(value, "as_dict") else value


def in_full(number: int) -> str:
    """All digits of a number. Python's own conversion refuses more than some thousand digits, to protect servers."""
    try:
        return str(number)
    except ValueError:
        from decimal import Decimal  # noqa: PLC0415 - few need it

        return str(Decimal(number))


def board_object(board: Board) -> dict[str, Any]:
    """A board: its sides, the names of its blocked squares, the leaper, and the edges that are joined."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "blocked": [board.name(square) for square in sorted(board.blocked)],
        "leaper": list(board.leaper),
        "wrap": board.wrap,
    }


def tour_object(tour: Tour) -> dict[str, Any]:
    """A tour, as `Tour.to_json` writes it."""
    return {"version": 1, "board": board_object(tour.board), "closed": tour.is_closed, "tour": tour.names()}


def request_object(tours: Tours) -> dict[str, Any]:
    """Which tours are asked for."""
    board = tours.board
    ends = {"start": tours.start, "end": tours.end}
    named = {key: None if square is None else board.name(square) for key, square in ends.items()}
    classes = {"symmetric": list(tours.symmetries), "distinct": tours.is_distinct}
    return {"board": board_object(board), "closed": tours.closed, **named, **classes}


def alone(board: Board, squares: tuple[Square, ...], *, closed: bool) -> Tour:
    """A path as a tour of the board on which all other squares are blocked."""
    visited = set(squares)
    blocked = board.blocked | {square for square in board.squares if square not in visited}
    only = Board(board.rows, board.cols, blocked=blocked, leaper=board.leaper, wrap=board.wrap)
    return Tour(only, squares, closed=closed)
