"""Boards and tours for the tests: a few of each kind, and hypothesis strategies over them."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

import bruteforce
import knightstour as kt

Pair = tuple[int, int]

SIZES = st.integers(1, 7)
LEAPERS = st.sampled_from([(1, 2), (2, 1), (0, 1), (1, 1), (1, 3), (0, 2), (2, 3)])
WRAPS = st.sampled_from([None, "cols", "rows", "both"])


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """What `Board` is called with."""
    rows, cols = draw(SIZES), draw(SIZES)
    square = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    blocked = draw(st.frozensets(square, max_size=rows * cols - 1))
    return {"rows": rows, "cols": cols, "blocked": blocked, "leaper": draw(LEAPERS), "wrap": draw(WRAPS)}


def build(given: dict[str, Any]) -> kt.Board:
    """The board that the options ask for."""
    return kt.Board(**given)


def boards() -> st.SearchStrategy[kt.Board]:
    """Any small board."""
    return options().map(build)


def graph(board: kt.Board) -> dict[Pair, list[Pair]]:
    """The board's moves as the judge sees them."""
    blocked = frozenset((row, col) for row, col in board.blocked)
    return {
        (row, col): bruteforce.moves(
            board.rows, board.cols, (row, col), blocked=blocked, leaper=board.leaper, wrap=board.wrap
        )
        for row in range(board.rows)
        for col in range(board.cols)
        if (row, col) not in blocked
    }


@cache
def pool() -> list[kt.Tour]:
    """Tours of many kinds, found by the judge: open, closed, and open ones that could be closed."""
    tours = []
    for board in [
        kt.Board(1),
        kt.Board(3, 4),
        kt.Board(3, 3, blocked=["b2"]),
        kt.Board(5),
        kt.Board(4, 5),
        kt.Board(3, 7),
        kt.Board(5, 6),
        kt.Board(4, wrap="both"),
        kt.Board(3, 4, wrap="cols"),
        kt.Board(4, 3, wrap="rows", blocked=["a1"]),
        kt.Board(4, leaper=(0, 1)),
        kt.Board(2, 3, leaper=(0, 1), blocked=["c1"]),
        kt.Board(3, wrap="both"),
        kt.Board(3, 5, wrap="both", leaper=(1, 1)),
    ]:
        squares = graph(board)
        found = 0
        for number, path in enumerate(bruteforce.open_tours(squares)):
            if number % 7 == 0:
                tours += [kt.Tour(board, path), kt.Tour(board, path, closed=False)]
                found += 1
            if found == 4:
                break
        assert found, board
    assert {tour.is_closed for tour in tours} == {True, False}
    return tours


@st.composite
def tours(draw: st.DrawFn) -> kt.Tour:
    """A tour out of the pool, turned, reversed or begun elsewhere."""
    tour = draw(st.sampled_from(pool()))
    tour = tour.transformed(draw(st.sampled_from(EIGHT)))
    squares = list(tour.squares)
    if tour.is_closed:
        at = draw(st.integers(0, len(squares) - 1))
        squares = squares[at:] + squares[:at]
    if draw(st.booleans()):
        squares.reverse()
    return kt.Tour(tour.board, squares, closed=tour.is_closed)


EIGHT = [
    "identity",
    "half-turn",
    "quarter-turn",
    "three-quarter-turn",
    "flip-horizontal",
    "flip-vertical",
    "transpose",
    "anti-transpose",
]


def image(name: str, square: Pair, rows: int, cols: int) -> Pair:
    """Where a symmetry of the square takes a square of a rectangle: a turn is clockwise as printed."""
    row, col = square
    return {
        "identity": (row, col),
        "half-turn": (rows - 1 - row, cols - 1 - col),
        "quarter-turn": (col, rows - 1 - row),
        "three-quarter-turn": (cols - 1 - col, row),
        "flip-horizontal": (row, cols - 1 - col),
        "flip-vertical": (rows - 1 - row, col),
        "transpose": (col, row),
        "anti-transpose": (cols - 1 - col, rows - 1 - row),
    }[name]


def move(name: str, square: Pair, rows: int, cols: int) -> Pair:
    """Like `image`, with translations of joined edges: `half-turn+translation(1,2)` turns first."""
    point, _, shift = name.partition("+") if not name.startswith("translation") else ("identity", "+", name)
    row, col = image(point, square, rows, cols)
    if shift:
        down, right = shift.removeprefix("translation(").removesuffix(")").split(",")
        row, col = (row + int(down)) % rows, (col + int(right)) % cols
    return row, col
