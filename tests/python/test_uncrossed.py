"""`Board.longest_uncrossed` from Python; its answers are tried out in Rust (tests/rust/uncrossed.rs)."""

import itertools
import random
from typing import Any

import pytest

import knightstour as kt
from published import COUNTS


def published() -> list[tuple[int, int, bool, int]]:
    """Rows, columns, whether circuits, moves: OEIS A003192 and A157416."""
    kinds = {"longest_uncrossed_open": False, "longest_uncrossed_closed": True}
    return sorted({(row.rows, row.cols, kinds[row.kind], row.value) for row in COUNTS if row.kind in kinds})


def turn(o: kt.Square, a: kt.Square, b: kt.Square) -> int:
    """The sign of the turn from one square over another to a third."""
    area = (a.row - o.row) * (b.col - o.col) - (a.col - o.col) * (b.row - o.row)
    return (area > 0) - (area < 0)


def check(board: kt.Board, found: kt.LongestPath, closed: bool) -> int:
    """The moves of what was found, of which no two of a knight cross."""
    squares = list(found.squares)
    assert len(set(squares)) == len(squares)
    moves = list(itertools.pairwise(squares))
    if closed and squares:
        moves.append((squares[-1], squares[0]))
    assert all(to in board.moves(square) for square, to in moves)
    for (a, b), (c, d) in itertools.combinations(moves, 2):
        if len({a, b, c, d}) == 4:
            assert turn(a, b, c) == turn(a, b, d) or turn(c, d, a) == turn(c, d, b)
    return len(moves)


@pytest.mark.parametrize(("rows", "cols", "closed", "moves"), [case for case in published() if case[1] < 8])
def test_published_values(rows: int, cols: int, closed: bool, moves: int) -> None:
    for board in (kt.Board(rows, cols), kt.Board(cols, rows)):
        found = board.longest_uncrossed(closed=closed)
        assert (check(board, found, closed), found.upper_bound, found.is_optimal) == (moves, moves, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "closed", "moves"),
    [
        pytest.param(*case, marks=pytest.mark.minutes if case[0] == 10 else ())
        for case in published()
        if case[1] >= 8 and case[:3] != (9, 9, False)
    ],
)
def test_published_values_of_larger_boards(rows: int, cols: int, closed: bool, moves: int) -> None:
    board = kt.Board(rows, cols)
    found = board.longest_uncrossed(closed=closed)
    assert (check(board, found, closed), found.upper_bound, found.is_optimal) == (moves, moves, True)


def test_few_states_are_met() -> None:
    """All states of paths on 6x6 are 1.1 million, and those that forget what is connected half of that."""
    assert kt.Board(6).longest_uncrossed().stats.nodes < 300_000
    # Along a strip they are as many for each column.
    short, long = (kt.Board(4, cols).longest_uncrossed(closed=True).stats.nodes for cols in (20, 40))
    assert long < 4 * short


def test_other_boards() -> None:
    assert kt.Board(3, 3, leaper=(0, 1)).longest_uncrossed().upper_bound == 8
    ring = kt.Board(3, 3, blocked=["b2"])
    assert ring.longest_uncrossed().upper_bound == 2
    assert repr(ring.longest_uncrossed(closed=True)).startswith("LongestPath(squares=")


def greedy(board: kt.Board, closed: bool, steps: int) -> int:
    """The most moves of walks by chance that do not cross themselves; a given number of moves is looked at."""
    rng = random.Random(4)
    squares = list(board.squares)
    best = 0
    while steps > 0:
        path = [rng.choice(squares)]
        while True:
            at = path[-1]
            onward = []
            for to in board.moves(at):
                steps -= 1
                others = [(a, b) for a, b in itertools.pairwise(path) if not {a, b} & {at, to}]
                if any(turn(at, to, a) != turn(at, to, b) and turn(a, b, at) != turn(a, b, to) for a, b in others):
                    continue
                if closed and to == path[0] and len(path) > 2:
                    best = max(best, len(path))
                if to not in path:
                    onward.append(to)
            if not onward:
                break
            path.append(rng.choice(onward))
        if not closed:
            best = max(best, len(path) - 1)
    return best


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "board", [kt.Board(8), kt.Board(10), kt.Board(13, 9), kt.Board(10, blocked=["d4", "e5", "h8", "a1"])], ids=repr
)
def test_a_limit_leaves_more_than_a_greedy_walk_finds(board: kt.Board, closed: bool) -> None:
    least = greedy(board, closed, 20_000)
    given: list[dict[str, Any]] = [{"node_limit": 20_000}, {"node_limit": 20_000, "memory_limit": 1000}]
    for limits in given:
        found = board.longest_uncrossed(closed=closed, **limits)
        assert least <= check(board, found, closed) <= found.upper_bound
        assert found.limit in {"nodes", "memory"}
        again = board.longest_uncrossed(closed=closed, **limits)
        assert list(found.squares) == list(again.squares)


def test_ten_times_ten() -> None:
    """Greedy walks find 48 moves in seconds; 61 are the most that is known."""
    found = kt.Board(10).longest_uncrossed(node_limit=8_000_000)
    assert 52 <= check(kt.Board(10), found, False) <= found.upper_bound
    # However little time there is.
    for time_limit in (0, 1e-9, 0.01):
        found = kt.Board(10).longest_uncrossed(time_limit=time_limit)
        assert check(kt.Board(10), found, False) > 4
        assert found.limit == "time"


def test_limits_and_misuse() -> None:
    board = kt.Board(8)
    found = board.longest_uncrossed(time_limit=0.2)
    assert not found.is_optimal
    assert len(found.squares) - 1 < found.upper_bound
    assert not board.longest_uncrossed(node_limit=1000).is_optimal
    cancel = kt.Cancel()
    cancel.cancel()
    assert not board.longest_uncrossed(cancel=cancel).is_optimal
    seen: list[kt.Progress] = []
    board.longest_uncrossed(time_limit=0.6, progress=seen.append)
    assert seen
    with pytest.raises(kt.RequestError, match="joined edges"):
        kt.Board(5, wrap="both").longest_uncrossed()
    with pytest.raises(kt.RequestError, match="too wide"):
        kt.Board(50).longest_uncrossed()
    with pytest.raises(kt.RequestError, match="too large"):
        kt.Board(500).longest_uncrossed()
    with pytest.raises(kt.RequestError, match="closed must be"):
        board.longest_uncrossed(closed="yes")  # type: ignore[arg-type]
