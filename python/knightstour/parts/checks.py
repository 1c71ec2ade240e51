"""Checks of a count in parts: facts that a wrong value would contradict."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from knightstour._core import Board, _first_colour, _stabiliser
from knightstour.errors import StoreError
from knightstour.parts.cuts import line_of, numbers
from knightstour.parts.making import make_plan
from knightstour.parts.plan import Part, square

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knightstour.parts.plan import Plan
    from knightstour.tours import Tours

    Image = Mapping[int, int]


def divisor_of(tours: Tours) -> int:
    """A number that divides the number of tours, by symmetry.

    The symmetries that keep the request (for open tours with free ends, each also together with reversal) form a group
    that sorts the tours into classes. The size of a class is the size of the group divided by the number of symmetries
    that one of its tours has. Few symmetries can keep a tour (see `may_keep_open` and `may_keep_closed`), and their
    number divides the size of the group.
    """
    board = tours.board
    squares = numbers(board)
    if len(squares) < 3:
        return 1
    maps = {tuple(image[number] for number in squares) for image in _stabiliser(tours._request)}
    images = [dict(zip(squares, row, strict=True)) for row in maps]
    near = {a: {r * board.cols + c for r, c in board.moves(square(board, a))} for a in squares}
    if tours.closed:
        size, most = len(images), sum(may_keep_closed(board, near, image) for image in images)
    elif tours.start is None and tours.end is None:
        # Run forwards it is the tour's own image only under the identity.
        size, most = 2 * len(images), 1 + sum(may_keep_open(near, image) for image in images)
        most = min(most, 2)
    else:
        size, most = len(images), 1
    divisor = size
    for kept in range(1, most + 1):
        if size % kept == 0:
            divisor = gcd(divisor, size // kept)
    return divisor


def fixed_and_turned(near: Mapping[int, set[int]], image: Image) -> tuple[int, int] | None:
    """For a map that is its own inverse, how many squares it fixes and how many moves it reverses; else None."""
    if any(image[image[a]] != a for a in image):
        return None
    return sum(image[a] == a for a in image), sum(image[a] in near[a] for a in image) // 2


def may_keep_open(near: Mapping[int, set[int]], image: Image) -> bool:
    """Whether an open tour may be the reverse of its image.

    The image swaps the squares before the middle with those after it: it fixes the square in the middle and no other,
    or reverses the move in the middle.
    """
    counts = fixed_and_turned(near, image)
    if counts is None:
        return False
    return counts[0] == 1 if len(image) % 2 else counts[0] == 0 and counts[1] > 0


def may_keep_closed(board: Board, near: Mapping[int, set[int]], image: Image) -> bool:
    """Whether a closed tour may be its own image: turned along itself, or reflected."""
    counts = fixed_and_turned(near, image)
    if counts is not None and (
        counts[0] == 2 or (counts[0] == 0 and counts[1] >= 2) or (counts[0] == 1 and counts[1] >= 1)
    ):
        return True
    # All squares come back after as many times; the tour moves on by an n-th of its length, or by several.
    orders = {order_of(image, a) for a in image}
    if len(orders) > 1:
        return False
    [order] = orders
    first = _first_colour(board)
    if order == 1 or first is None:
        return True
    changes = {(a in first) != (image[a] in first) for a in image}
    steps = [len(image) // order * times for times in range(1, order) if gcd(times, order) == 1]
    return len(changes) == 1 and any(step % 2 == changes.copy().pop() for step in steps)


def order_of(image: Image, a: int) -> int:
    """How many times the map must be applied until a square comes back to itself."""
    order, at = 1, image[a]
    while at != a:
        order, at = order + 1, image[at]
    return order


def cuts_agree(plan: Plan) -> str | None:
    """Count the same kind of tours on a small board, in parts cut in two ways and one by one; say what was found.

    None if there is no such tour.
    """
    board = plan.tours.board
    like = Board(min(board.rows, 5), min(board.cols, 6), leaper=board.leaper, wrap=board.wrap)
    tours = like.tours(closed=plan.tours.closed)
    value = tours.count(method="backtracking", threads=1).value
    if value == 0:
        return None
    ways = ("moves",) if tours.closed else (plan.by if plan.by in {"rows", "ends"} else "rows", "moves")
    for way in ways:
        found = make_plan(tours, way).run(threads=1)
        if found.value != value:
            raise StoreError(f"the count of {tours._describe()} is {value}, but {found.value} when counted by {way}")
    return f"{tours!r}: {value} by {', by '.join(ways)} and by backtracking"


def sum_of_start(plan: Plan, values: Mapping[str, int]) -> tuple[Part, int] | None:
    """The tours from the first line, or square, as one part, and their number according to the other parts.

    None for plans whose parts do not know both ends, and if ends are given.
    """
    tours, board = plan.tours, plan.tours.board
    if plan.by not in {"rows", "ends"} or tours.start is not None or tours.end is not None:
        return None
    squares = numbers(board)
    place: dict[int, int] = {n: line_of(board, n) if plan.by == "rows" else n for n in squares}
    first = place[squares[0]]
    pairs: dict[tuple[int, int], int] = {}
    for part in plan.parts:
        a, b = (part.start, part.end) if part.between is None else (part.between[0][0], part.between[1][0])
        assert a is not None
        assert b is not None
        ends = ((n for n in squares if place[n] == place[a]), (n for n in squares if place[n] == place[b]))
        first_ends, last_ends = map(list, ends)
        for image in _stabiliser(tours._request):
            # Symmetries that do not map lines to lines are not used by the plan.
            lines = [{place[image[n]] for n in some} for some in (first_ends, last_ends)]
            if all(len(line) == 1 for line in lines):
                here, there = lines[0].pop(), lines[1].pop()
                pairs[here, there] = pairs[there, here] = values[part.key]
    expected = sum(value for (here, _), value in pairs.items() if here == first)
    if plan.by == "ends":
        return Part(f"from {board.name(square(board, first))}", 1, start=first), expected
    from_line = tuple(n for n in squares if place[n] == first)
    return Part(f"from {plan.parts[0].key.split('+')[0]}", 1, between=(from_line, tuple(squares))), expected
