"""An exhaustive search in plain Python that shares nothing with the package: the judge of its answers."""

from collections.abc import Iterator

Pair = tuple[int, int]


def moves(board_rows: int, board_cols: int, blocked: set[Pair], leaper: Pair, wrap: str | None) -> dict[Pair, list[Pair]]:
    """The squares one move away from each open square, by definition."""
    a, b = leaper
    deltas = {(s * x, t * y) for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)}
    open_squares = [(r, c) for r in range(board_rows) for c in range(board_cols) if (r, c) not in blocked]
    table = {}
    for r, c in open_squares:
        targets = set()
        for dr, dc in deltas:
            row, col = r + dr, c + dc
            if wrap in ("rows", "both"):
                row %= board_rows
            if wrap in ("cols", "both"):
                col %= board_cols
            if (row, col) in set(open_squares) and (row, col) != (r, c):
                targets.add((row, col))
        table[r, c] = sorted(targets)
    return table


def paths(table: dict[Pair, list[Pair]], start: Pair) -> Iterator[list[Pair]]:
    """All ways to visit every square once from a start."""
    path = [start]
    visited = {start}

    def extend() -> Iterator[list[Pair]]:
        if len(path) == len(table):
            yield list(path)
        for to in table[path[-1]]:
            if to not in visited:
                path.append(to)
                visited.add(to)
                yield from extend()
                visited.discard(path.pop())

    yield from extend()


def open_tours(table: dict[Pair, list[Pair]], start: Pair | None = None, end: Pair | None = None) -> list[list[Pair]]:
    """All open tours."""
    starts = list(table) if start is None else [start]
    return [path for s in starts for path in paths(table, s) if end in (None, path[-1])]


def closed_tours(table: dict[Pair, list[Pair]]) -> list[list[Pair]]:
    """All closed tours in listed form."""
    first = min(table)
    return [
        path
        for path in paths(table, first)
        if len(path) >= 3 and first in table[path[-1]] and path[1] < path[-1]
    ]
