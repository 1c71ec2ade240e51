"""How fast it is. Every benchmark asserts its answer; run them on a release build:

python -m pytest tests/python/benchmarks
"""

import itertools
import os
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from typing import Any

import pytest
import tutorials
from pytest_benchmark.fixture import BenchmarkFixture

import knightstour as kt


def once_each(calls: list[Callable[[], Any]]) -> list[float]:
    """Seconds of each call: the best of five, since the machine does other things as well."""
    best = [float("inf")] * len(calls)
    for _ in range(5):
        for index, call in enumerate(calls):
            began = time.perf_counter()
            call()
            best[index] = min(best[index], time.perf_counter() - began)
    return best


def side_by_side(calls: list[Callable[[], Any]]) -> list[float]:
    """Seconds of each call, among others of its kind: medians of nine batches, in turns."""
    counts = [timeit.Timer(call).autorange()[0] // 8 + 1 for call in calls]
    batches: list[list[float]] = [[] for _ in calls]
    for _ in range(9):
        for call, count, seconds in zip(calls, counts, batches, strict=True):
            seconds.append(timeit.timeit(call, number=count) / count)
    return [statistics.median(seconds) for seconds in batches]


def report(benchmark: BenchmarkFixture, **figures: object) -> None:
    """Put figures beside the timing, and on the screen."""
    benchmark.extra_info.update(figures)
    print(" ", ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in figures.items()))


def pedantic(benchmark: Any, call: Callable[..., Any], **options: Any) -> Any:
    """Time few rounds of a long call."""
    return benchmark.pedantic(call, **options)


def median_of(benchmark: Any) -> float:
    """The median of what was timed, in seconds."""
    return float(benchmark.stats.stats.median)


# --- a tour ---------------------------------------------------------------------------------------------------


def test_open_tour_of_8x8_from_each_square(benchmark: BenchmarkFixture) -> None:
    board = kt.Board(8)
    squares = list(board.squares)
    assert all(kt.solve(8, start=square).start == square for square in squares)
    seconds = once_each([lambda s=square: kt.solve(8, start=s) for square in squares])  # type: ignore[misc]
    median, worst = statistics.median(seconds), max(seconds)
    report(benchmark, median_us=round(median * 1e6, 1), worst_us=round(worst * 1e6, 1))
    assert median <= 30e-6
    assert worst <= 2e-3
    tour = benchmark(kt.solve, 8, start="a1")
    assert len(tour) == 64


def test_closed_tour_of_8x8(benchmark: BenchmarkFixture) -> None:
    tour = benchmark(kt.solve, 8, closed=True)
    assert tour.is_closed
    (seconds,) = once_each([lambda: kt.solve(8, closed=True)])
    assert seconds <= 0.3e-3


def test_every_pair_of_ends_of_8x8(benchmark: BenchmarkFixture) -> None:
    board = kt.Board(8)
    ends = [(s, e) for s, e in itertools.product(board.squares, repeat=2) if sum(s) % 2 == 0 and sum(e) % 2 == 1]
    assert len(ends) == 1024
    for start, end in ends:
        tour = kt.solve(board, start=start, end=end)
        assert (tour.start, tour.end) == (start, end)
    seconds = once_each([lambda s=s, e=e: kt.solve(board, start=s, end=e) for s, e in ends])  # type: ignore[misc]
    median, worst = statistics.median(seconds), max(seconds)
    report(benchmark, median_us=round(median * 1e6, 1), worst_us=round(worst * 1e6, 1))
    assert median <= 1e-3
    assert worst <= 50e-3
    assert benchmark(kt.solve, board, start="a1", end="h7").start == (7, 0)


@pytest.mark.parametrize("size", [50, 200, 325])
def test_open_tour_of_a_large_board(benchmark: BenchmarkFixture, size: int) -> None:
    tour = benchmark(kt.solve, size, start=(0, 0))
    assert len(tour) == size * size


# --- counts ---------------------------------------------------------------------------------------------------


def test_count_5x5(benchmark: BenchmarkFixture) -> None:
    assert benchmark(kt.count, 5, method="backtracking") == 1728
    (seconds,) = once_each([lambda: kt.count(5, method="backtracking")])
    assert seconds <= 10e-3


def test_count_closed_6x6(benchmark: BenchmarkFixture) -> None:
    assert benchmark(kt.count, 6, closed=True, method="backtracking") == 9862
    (seconds,) = once_each([lambda: kt.count(6, closed=True, method="backtracking")])
    assert seconds <= 50e-3


def test_count_open_6x6(benchmark: BenchmarkFixture) -> None:
    count = pedantic(benchmark, kt.Board(6).tours().count, kwargs={"method": "backtracking"}, rounds=5)
    assert count == 6_637_920
    assert count.stats.seconds <= 8
    report(benchmark, nodes=count.stats.nodes)


def test_list_closed_6x6(benchmark: BenchmarkFixture) -> None:
    def listing() -> int:
        return sum(1 for _ in kt.Board(6).tours(closed=True))

    assert benchmark(listing) == 9862


def test_list_open_6x6(benchmark: BenchmarkFixture) -> None:
    """All of them, each a checked `Tour` object."""

    def listing() -> int:
        return sum(1 for _ in kt.Board(6).tours(start="a1"))

    assert pedantic(benchmark, listing, rounds=3) == 524_486
    report(benchmark, tours_a_second=round(524_486 / median_of(benchmark)))


# --- rivals ---------------------------------------------------------------------------------------------------


def test_against_the_tutorials_fixed_order_search(benchmark: BenchmarkFixture) -> None:
    """Counting 5x5 from a corner: 304 tours."""
    began = time.perf_counter()
    tours, nodes = tutorials.count_open(5, 0, 0)
    rival = time.perf_counter() - began
    assert tours == 304
    assert benchmark(kt.count, 5, start=(0, 0), method="backtracking") == 304
    own = median_of(benchmark)
    # The same plain search on the same engine, so that speed is told apart from look-ahead. Its tree is not
    # cut, so it visits as many nodes as the rival until the tour that it is asked for.
    plain = kt.Board(5).tours(start=(0, 0), end=(4, 3)).find(method="backtracking", order="fixed", lookahead="none")
    assert isinstance(plain, kt.Impossible)
    ratio = rival / own
    report(benchmark, rival_s=round(rival, 3), rival_nodes_a_second=round(nodes / rival), ratio_in_time=round(ratio))
    assert ratio >= 1000


def test_nodes_a_second_against_the_tutorials(benchmark: BenchmarkFixture) -> None:
    """The same plain search, same tree or nearly: nodes a second."""
    began = time.perf_counter()
    _, rival_nodes = tutorials.count_open(5, 0, 0)
    rival = rival_nodes / (time.perf_counter() - began)
    limit = 5_000_000

    def plain() -> Any:
        return (
            kt.Board(8)
            .tours(start=(0, 1))
            .find(method="backtracking", order="fixed", lookahead="none", node_limit=limit)
        )

    result = pedantic(benchmark, plain, rounds=5)
    assert isinstance(result, kt.Stopped)
    assert result.stats.nodes == limit
    own = limit / median_of(benchmark)
    report(benchmark, own=round(own), rival=round(rival), ratio_in_nodes_a_second=round(own / rival, 1))
    assert own >= 10 * rival


@pytest.mark.parametrize("size", [8, 50])
def test_against_the_tutorials_warnsdorff(benchmark: BenchmarkFixture, size: int) -> None:
    """Warnsdorff's rule with sorting and distance-from-centre ties: the rule alone, and a call of `solve`."""
    assert len(tutorials.warnsdorff(size, 0, 0)) == size * size
    board = kt.Board(size)
    walk = benchmark(kt.warnsdorff, board, (0, 0), ties="outward")
    assert walk.is_complete
    assert len(kt.solve(size, start=(0, 0))) == size * size
    rival, own, solve = side_by_side(
        [
            lambda: tutorials.warnsdorff(size, 0, 0),
            lambda: kt.warnsdorff(board, (0, 0), ties="outward"),
            lambda: kt.solve(size, start=(0, 0)),
        ]
    )
    report(
        benchmark,
        rival_us=round(rival * 1e6, 1),
        own_us=round(own * 1e6, 2),
        ratio=round(rival / own),
        ratio_of_solve=round(rival / solve),
    )
    assert rival / own >= 100


# --- import and interruption -------------------------------------------------------------------------------------


def test_import(benchmark: BenchmarkFixture) -> None:
    """Over an empty interpreter, run by run."""

    def run(program: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        return time.perf_counter() - began

    run("import knightstour")
    pairs = [run("import knightstour") - run("pass") for _ in range(21)]
    median = statistics.median(pairs)
    report(benchmark, median_ms_over_an_empty_interpreter=round(median * 1e3, 1))
    assert median <= 50e-3
    pedantic(benchmark, run, args=("import knightstour",), rounds=3)


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c(benchmark: BenchmarkFixture) -> None:
    """Seconds from the signal to the exception, by a thread of the process itself."""
    program = """
import os, signal, threading, time
import knightstour as kt
sent = []
def send():
    time.sleep(0.2)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    kt.Board(8).tours().count(method="backtracking")
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""

    def run() -> float:
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=os.environ
        )
        return float(done.stdout)

    seconds = [run() for _ in range(9)]
    report(benchmark, median_s=round(statistics.median(seconds), 3), worst_s=round(max(seconds), 3))
    assert statistics.median(seconds) <= 0.2
    pedantic(benchmark, run, rounds=1)
