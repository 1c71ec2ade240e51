"""Where a count can be cut: by the lines of the ends, by both ends, and by moves."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from knightstour._core import _first_colour, _stabiliser
from knightstour.parts.plan import Part, square

if TYPE_CHECKING:
    from knightstour._core import Board
    from knightstour.tours import Tours


def numbers(board: Board) -> list[int]:
    """The numbers of the open squares."""
    return [row * board.cols + col for row, col in board.squares]


def line_of(board: Board, number: int) -> int:
    """The line across the sweep that a square is on: its row, or its column if columns are shorter."""
    row, col = divmod(number, board.cols)
    return row if board.rows >= board.cols else col


def orbits(images: list[list[Any]]) -> list[tuple[Any, int]]:
    """One thing of each class, and the size of the class. Each row of images begins with the thing itself."""
    seen: set[Any] = set()
    found = []
    for row in images:
        if row[0] not in seen:
            orbit = set(row)
            seen |= orbit
            found.append((row[0], len(orbit)))
    return found


def by_rows(tours: Tours) -> list[Part]:
    """Parts by the lines of the ends, one for each class under the symmetries that map lines to lines."""
    board, request = tours.board, tours._request
    lines: dict[int, list[int]] = {}
    for number in numbers(board):
        lines.setdefault(line_of(board, number), []).append(number)
    where = {frozenset(squares): line for line, squares in lines.items()}
    moved: list[dict[int, int]] = []
    for image in _stabiliser(request):
        sets = {line: frozenset(image[n] for n in squares) for line, squares in lines.items()}
        if all(moved_to in where for moved_to in sets.values()):
            moved.append({line: where[moved_to] for line, moved_to in sets.items()})
    word = "rows" if board.rows >= board.cols else "columns"
    if tours.start is None and tours.end is None:
        pairs = [
            [tuple(sorted((image[a], image[b]))) for image in moved]
            for a, b in combinations_with_replacement(sorted(lines), 2)
        ]
        return [
            Part(f"{word} {a}+{b}", times * (1 + (a != b)), between=(tuple(lines[a]), tuple(lines[b])))
            for (a, b), times in orbits(pairs)
        ]
    given = tours.start if tours.end is None else tours.end
    assert given is not None
    fixed = (given[0] * board.cols + given[1],)
    found = []
    for line, times in orbits([[image[line] for image in moved] for line in sorted(lines)]):
        free = tuple(number for number in lines[line] if number != fixed[0]) or fixed
        between = (fixed, free) if tours.end is None else (free, fixed)
        if free != fixed or len(board) == 1:
            found.append(Part(f"{word} {line}", times, between=between))
    return found


def by_ends(tours: Tours) -> list[Part]:
    """Parts by both ends, one for each class under the symmetries, without those that colours rule out."""
    board, images = tours.board, _stabiliser(tours._request)
    squares = numbers(board)
    starts = squares if tours.start is None else [tours.start[0] * board.cols + tours.start[1]]
    ends = squares if tours.end is None else [tours.end[0] * board.cols + tours.end[1]]
    first = _first_colour(board)
    reversible = tours.start is None and tours.end is None
    listed = []
    for a in starts:
        for b in ends:
            if (a == b) != (len(squares) == 1) or (
                first is not None and ((a in first) == (b in first)) != len(squares) % 2
            ):
                continue
            row = [(image[a], image[b]) for image in images]
            if reversible:
                row += [(there, here) for here, there in row]
            listed.append(row)
    return [
        Part(f"{board.name(square(board, a))}-{board.name(square(board, b))}", times, start=a, end=b)
        for (a, b), times in orbits(listed)
    ]


def middle_moves(tours: Tours) -> list[tuple[int, int]]:
    """The moves, those in the middle of the board first: cuts there make most layers smaller."""
    board = tours.board
    given = {
        tuple(sorted(row * board.cols + col for row, col in map(board.square, move)))
        for move in (*tours._request.included, *tours._request.excluded)
    }
    moves = set()
    for here in numbers(board):
        for row, col in board.moves(square(board, here)):
            moves.add((min(here, row * board.cols + col), max(here, row * board.cols + col)))

    def from_middle(move: tuple[int, int]) -> tuple[int, tuple[int, int]]:
        off = 0
        for number in move:
            row, col = divmod(number, board.cols)
            off += abs(2 * row + 1 - board.rows) + abs(2 * col + 1 - board.cols)
        return off, move

    return sorted(moves - given, key=from_middle)
