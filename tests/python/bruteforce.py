"""Knight's tours in the plainest Python: the judge, which shares nothing with the package."""

import itertools
from collections.abc import Iterator

Pair = tuple[int, int]


def moves(
    rows: int,
    cols: int,
    square: Pair,
    *,
    blocked: frozenset[Pair] = frozenset(),
    leaper: Pair = (1, 2),
    wrap: str | None = None,
) -> list[Pair]:
    """The squares one move away, in reading order; none from or to a blocked one."""
    a, b = leaper
    targets = set()
    for down, right in [(a, b), (b, a)]:
        for row in (square[0] - down, square[0] + down):
            for col in (square[1] - right, square[1] + right):
                to = (
                    row % rows if wrap in ("rows", "both") else row,
                    col % cols if wrap in ("cols", "both") else col,
                )
                if 0 <= to[0] < rows and 0 <= to[1] < cols and to != square:
                    targets.add(to)
    return [] if square in blocked else sorted(targets - blocked)


def open_tours(graph: dict[Pair, list[Pair]], start: Pair | None = None) -> Iterator[list[Pair]]:
    """All open tours, each in both directions, by trying every move."""
    for first in graph if start is None else [start]:
        path, seen = [first], {first}
        choices = [iter(graph[first])]
        while choices:
            if len(path) == len(graph):
                yield list(path)
            to = next((to for to in choices[-1] if to not in seen), None)
            if to is None:
                choices.pop()
                seen.discard(path.pop())
            else:
                path.append(to)
                seen.add(to)
                choices.append(iter(graph[to]))


def is_tour(graph: dict[Pair, list[Pair]], squares: list[Pair]) -> bool:
    """Whether these are all squares, once each, every one a move from the one before."""
    return sorted(squares) == sorted(graph) and all(b in graph[a] for a, b in itertools.pairwise(squares))
