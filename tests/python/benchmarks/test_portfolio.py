"""Odd boards beside a constraint solver (extra `bench`), and large ones alone.

    python -m pytest tests/python/benchmarks/test_portfolio.py

Beside the rival it takes one board in ten, with 10 seconds each; ``odd_boards.py`` prints the table of all.
"""

import contextlib
import random
import time
from typing import Any, Literal

import odd_boards
import pytest
from odd_boards import colours, ends, geometric_mean, shape
from pytest_benchmark.fixture import BenchmarkFixture

import knightstour as kt


def test_no_contradiction_and_ten_times_faster(benchmark: BenchmarkFixture) -> None:
    pytest.importorskip("ortools")
    cases = list(odd_boards.cases())
    assert len(cases) >= 200
    decided, others, ratios = 0, 0, []
    for case in cases[3::10]:
        answer, taken, _ = odd_boards.ours(case.tours, 10)
        other, other_taken = odd_boards.rival(case.tours, 10)
        decided += answer != "stopped"
        others += other != "stopped"
        if "stopped" not in (answer, other):
            assert answer == other, case.name
            ratios.append(other_taken / taken)
    mean = geometric_mean(ratios)
    print(f"  decided {decided}, the rival {others}; {mean:.0f} times faster in the geometric mean of {len(ratios)}")
    benchmark.extra_info.update(decided=decided, rival=others, times_faster=mean)
    assert decided >= others
    assert mean >= 10
    benchmark(cases[3].tours.find)


def balanced(size: int, share: float, seed: int) -> kt.Board:
    """So large a share of the squares blocked that colours balance and no square is left with one move."""
    rng = random.Random(seed)
    squares = [(row, col) for row in range(size) for col in range(size)]
    halves = [[square for square in squares if sum(square) % 2 == colour] for colour in (0, 1)]
    while True:
        blocked = [square for half in halves for square in rng.sample(half, round(share * len(squares) / 2))]
        board = kt.Board(size, blocked=blocked)
        if all(board.degree(square) >= 2 for square in board.squares):
            return board


@pytest.mark.parametrize("seed", range(5))
def test_closed_100x100_with_holes(benchmark: BenchmarkFixture, seed: int) -> None:
    board = balanced(100, 0.05, seed)
    assert len(board) == 9500
    found: Any = benchmark.pedantic(board.tours(closed=True).find, rounds=3)  # type: ignore[no-untyped-call]
    assert found.tour.is_closed
    print(f"  {found.stats.seconds:.2f} s by {found.stats.method}")
    assert benchmark.stats.stats.max <= 5  # type: ignore[union-attr]


def junction() -> kt.Tours:
    """Three rooms with as many squares of both colours, and two squares between them."""
    walls = {(row, col) for row in (19, 20) for col in range(40)} | {
        (row, col) for row in range(19) for col in (19, 20)
    }
    return kt.Board(40, blocked=[*walls - {(19, 19), (19, 20)}, (0, 0), (0, 39)]).tours(closed=True)


def impossible_boards() -> list[tuple[str, kt.Tours]]:
    """Boards of 40x40 without a tour for a local reason."""
    walls = [(row, col) for row in range(40) for col in (19, 20)]
    corner = kt.Board(40, blocked=["c2", "f6"])
    pockets = kt.Board(40, blocked=["c2", "an2", "c39", "h8"])
    return [
        ("two parts", kt.Board(40, blocked=walls).tours()),
        ("one square between two parts", kt.Board(40, blocked=[*walls[1:], (39, 38)]).tours(closed=True)),
        ("a corner with one move", corner.tours(closed=True)),
        ("three corners with one move", pockets.tours()),
        ("colours", kt.Board(40, blocked=["a1"]).tours(closed=True)),
        ("two squares between three rooms", junction()),
        ("a start of the wrong colour", kt.Board(40, blocked=["a1"]).tours(start="d4")),
    ]


@pytest.mark.parametrize("case", impossible_boards(), ids=lambda case: case[0])
def test_local_impossibility_of_40x40(benchmark: BenchmarkFixture, case: tuple[str, kt.Tours]) -> None:
    answer = benchmark(case[1].find)
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code != "exhausted"
    # The worst of thousands of rounds is the machine's.
    assert benchmark.stats.stats.median <= 0.05  # type: ignore[union-attr]


SHAPES = ("cross", "ring", "diamond", "H", "T", "L", "U", "E", "O")


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_of_60x60(benchmark: BenchmarkFixture, name: str) -> None:
    board = shape(name, 60)
    colour = colours(board)
    closed = colour is not None and 2 * sum(colour.values()) == len(colour)
    start, end = ends(random.Random(1), board)
    for tours in [board.tours(closed=closed), board.tours(), board.tours(start=start, end=end)]:
        began = time.perf_counter()
        assert isinstance(tours.find(time_limit=10), kt.Found)
        assert time.perf_counter() - began <= 5
    benchmark.pedantic(board.tours(closed=closed).find, rounds=1)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(("leaper", "size"), [((2, 3), 10), ((1, 4), 10), ((3, 4), 14), ((2, 3), 40), ((3, 4), 40)])
def test_other_leapers(benchmark: BenchmarkFixture, leaper: tuple[int, int], size: int) -> None:
    tours = kt.Board(size, leaper=leaper).tours(closed=True)
    found: Any = benchmark.pedantic(tours.find, kwargs={"time_limit": 20}, rounds=1)  # type: ignore[no-untyped-call]
    assert isinstance(found, kt.Found)
    print(f"  {found.stats.seconds:.3f} s by {found.stats.method}")


def test_cylinders_and_tori_of_every_size(benchmark: BenchmarkFixture) -> None:
    def every() -> list[tuple[str, int, int, bool]]:
        wraps: tuple[Literal["cols", "rows", "both"], ...] = ("cols", "rows", "both")
        return [
            (wrap, rows, cols, closed)
            for wrap in wraps
            for rows in range(1, 21)
            for cols in range(1, 21)
            for closed in (False, True)
            if isinstance(
                kt.Board(rows, cols, wrap=wrap).tours(closed=closed).find(time_limit=5),
                kt.Stopped,
            )
        ]

    undecided = benchmark.pedantic(every, rounds=1)  # type: ignore[no-untyped-call]
    assert not undecided


def test_time_limits_are_kept(benchmark: BenchmarkFixture) -> None:
    """What takes much longer than it may ends soon after: about 0.2 s, on boards of millions of squares as well."""
    large, holed = kt.Board(3000), kt.Board(3000, blocked=["c3", "d3"])
    calls: dict[str, Any] = {
        "find": lambda limit: holed.tours(closed=True).find(time_limit=limit),
        "look-ahead": lambda limit: (
            kt.Board(300).tours(start="a1", end="kn300").find(method="backtracking", lookahead="full", time_limit=limit)
        ),
        "start_squares": lambda limit: large.start_squares(time_limit=limit),
        "end_squares": lambda limit: holed.end_squares("a1", time_limit=limit),
        "longest_path": lambda limit: kt.Board(30, blocked=["c2", "f6"]).longest_path(closed=True, time_limit=limit),
        "paths": lambda limit: kt.Board(7).paths(30).count(time_limit=limit),
        "count": lambda limit: kt.Board(8).tours(closed=True).count(time_limit=limit),
    }

    def latest() -> float:
        late = {}
        for name, call in calls.items():
            for limit in (0.1, 0.3):
                began = time.perf_counter()
                with contextlib.suppress(kt.TimeLimitError):
                    call(limit)
                late[name, limit] = time.perf_counter() - began - limit
        print("  " + ", ".join(f"{name} {limit}: {more:+.3f} s" for (name, limit), more in late.items()))
        return max(late.values())

    assert benchmark.pedantic(latest, rounds=1) <= 0.25  # type: ignore[no-untyped-call]
