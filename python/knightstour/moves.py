"""Use of moves: for each move of a board, how many of the tours use it."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from knightstour._core import Limits, _quote, _stabiliser
from knightstour.errors import RequestError
from knightstour.keywords import helpful_methods
from knightstour.results import Progress
from knightstour.square import Square

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from knightstour._core import Board
    from knightstour.drawing.canvas import Svg
    from knightstour.tours import Tours

    #: Two squares by their numbers, the smaller first.
    Move: TypeAlias = tuple[int, int]


@helpful_methods
class MoveCounts(Mapping[tuple[Square, Square], int]):
    """For each move of a board how many tours use it: a mapping from pairs of squares, in reading order.

    A move is looked up by its two squares in either order, as pairs or names: ``counts["a1", "b3"]``.

    Attributes
    ----------
    board
        The board.
    total
        How many tours there are.
    """

    __slots__ = ("_counts", "board", "total")

    def __init__(self, board: Board, total: int, counts: Mapping[Move, int]) -> None:
        self.board, self.total = board, total
        cols = board.cols
        named = {(Square(*divmod(a, cols)), Square(*divmod(b, cols))): count for (a, b), count in counts.items()}
        self._counts: dict[tuple[Square, Square], int] = dict(sorted(named.items()))

    def __getitem__(self, move: Any) -> int:
        if not isinstance(move, (tuple, list)) or len(move) != 2:
            raise RequestError(f"a move must be a pair of squares, such as ('a1', 'b3'), not {_quote(move)}")
        first, last = sorted(map(self.board.square, move))
        return self._counts[first, last]

    def __iter__(self) -> Iterator[tuple[Square, Square]]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return f"<MoveCounts: {len(self)} moves of the {self.board.rows}x{self.board.cols} board, {self.total:,} tours>"

    def svg(self, *, size: float | None = None, title: str | None = None) -> Svg:
        """Draw the moves, each as thick as the share of the tours that use it; those that none uses are left out.

        ``size`` is the longer side in pixels, ``title`` is for screen readers and a tooltip. Cost: linear in the moves.
        """
        from knightstour.drawing.moves import move_map  # noqa: PLC0415 - pictures are loaded when one is drawn

        shares = {move: count / (self.total or 1) for move, count in self.items()}
        return move_map(self.board, shares, size=size, title=title)

    def _repr_svg_(self) -> str:
        return self.svg()


def move_counts(
    tours: Tours,
    time_limit: float | None,
    progress: Callable[[Progress], object] | None,
    **limits: Any,
) -> MoveCounts:
    """See `Tours.move_counts`."""
    if tours.is_distinct:
        raise RequestError(
            "{} tells of tours; it cannot be combined with {}", [("move_counts()", None), ("distinct()", None)]
        )
    # Wrong ones are refused first.
    Limits(time_limit, None, limits["memory_limit"], limits["threads"], progress, limits["cancel"])
    until = None if time_limit is None else monotonic() + time_limit
    board, cols = tours.board, tours.board.cols
    near = {r * cols + c: sorted(a * cols + b for a, b in board.moves((r, c))) for r, c in board.squares}
    moves = [(a, b) for a in near for b in near[a] if a < b]
    class_of, classes = classes_of(moves, alike(tours))
    done = 0

    def count(asked: Tours) -> int:
        left = None if until is None else max(until - monotonic(), 0.0)
        tell = progress and (
            lambda p: progress(Progress(done, len(classes) + 1, f"move {done} of {len(classes)}: {p.message}"))
        )
        return asked.count(time_limit=left, progress=tell, **limits).value

    total = count(tours)
    known = {number: 0 for number in range(len(classes)) if total == 0}
    for kind, value in (("included", total), ("excluded", 0)):
        for a, b in getattr(tours._request, kind):
            first, last = sorted(row * cols + col for row, col in (board.square(a), board.square(b)))
            known[class_of[first, last]] = value
    # At a square that no tour ends on, each tour uses two moves.
    through = [square for square in near if tours.closed] if len(near) > 2 else []
    sums = {tuple(sorted(class_of[min(s, t), max(s, t)] for t in near[s])) for s in through}
    while True:
        settle(sums, known, 2 * total)
        unknown = [number for number in range(len(classes)) if number not in known]
        if not unknown:
            break
        # One that leaves the fewest unknown at some square.
        left = {number: min((len({*row} - {*known}) for row in sums if number in row), default=0) for number in unknown}
        done += 1
        number = min(unknown, key=lambda number: (left[number], -number))
        a, b = (board.square(divmod(square, cols)) for square in classes[number])
        known[number] = count(tours.including((a, b)))
    for row in sums:
        assert sum(known[number] for number in row) == 2 * total, "the counts at a square do not add up"
    return MoveCounts(board, total, {move: known[number] for move, number in class_of.items()})


def alike(tours: Tours) -> list[list[int]]:
    """Symmetries under which the tours stay what they are: for each, where it takes each square."""
    images = _stabiliser(tours._request)
    is_turned = all(name.endswith(("half-turn", "quarter-turn")) for name in tours.symmetries)
    if not tours.symmetries or (is_turned and tours.board.wrap is None):
        return images
    # One that does not keep the given symmetry as well takes some of the tours to others.
    return [list(range(tours.board.rows * tours.board.cols))]


def classes_of(moves: list[Move], symmetries: list[list[int]]) -> tuple[dict[Move, int], list[Move]]:
    """The class of each move under the symmetries, and the first move of each: all of it are used equally often."""
    class_of: dict[Move, int] = {}
    classes: list[Move] = []
    for move in moves:
        if move not in class_of:
            for image in symmetries:
                a, b = image[move[0]], image[move[1]]
                class_of[min(a, b), max(a, b)] = len(classes)
            classes.append(move)
    return class_of, classes


def settle(sums: set[tuple[int, ...]], known: dict[int, int], twice: int) -> None:
    """Find what follows from the sums at squares: of classes of which one is unknown."""
    changed = True
    while changed:
        changed = False
        for row in sums:
            missing = {*row} - {*known}
            if len(missing) == 1:
                number = missing.pop()
                known[number] = (twice - sum(known.get(other, 0) for other in row)) // row.count(number)
                changed = True
