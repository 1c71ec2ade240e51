"""How fast the sweep counts, beside `graphillion`, today's installable choice (extra `bench`).

    python -m pytest tests/python/benchmarks/test_counts.py

The rival takes some minutes. Every count asserts its answer, which is published.
"""

import subprocess
import sys
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import knightstour as kt

#: rows, columns, closed, value, seconds at most, megabytes at most (of the process).
TARGETS = [
    (6, 6, True, 9862, 0.01, 50),
    (6, 8, True, 55488142, 0.06, 60),
    (7, 8, True, 34524432316, 1, 150),
    (5, 5, False, 1728, 0.003, 50),
    (6, 6, False, 6637920, 0.1, 60),
    (6, 8, False, 49929787608, 1.2, 150),
    (7, 7, False, 165575218320, 8, 500),
    (3, 46, True, 10145938076107491328, 0.01, 100),
    (5, 40, True, 772473271844923268504474277422663237674924998, 0.1, 100),
    (6, 40, True, 377031597006006571424070743308269493020186682009428464253448495336, 3, 100),
    (8, 8, True, 13267364410532, 45, 2048),
    (8, 9, True, 7112881119092574, 120, 4096),
]


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: f"{t[0]}x{t[1]}-{'closed' if t[2] else 'open'}")
def test_count(benchmark: BenchmarkFixture, target: tuple[int, int, bool, int, float, float]) -> None:
    """The best of some rounds in time; the peak of a process of its own in memory."""
    rows, cols, closed, value, seconds, megabytes = target
    tours = kt.Board(rows, cols).tours(closed=closed)
    rounds = 20 if seconds < 0.2 else 3 if seconds < 10 else 1
    count: Any = benchmark.pedantic(tours.count, rounds=rounds)  # type: ignore[no-untyped-call]
    assert count == value
    program = f"""
import knightstour as kt
value = kt.count({rows}, {cols}, closed={closed})
# Not ru_maxrss, which a child has from its parent; so this is for Linux.
status = dict(line.split(":") for line in open("/proc/self/status"))
print(value, int(status["VmHWM"].split()[0]) / 1024)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    again, peak = done.stdout.split()
    assert int(again) == value
    best = benchmark.stats.stats.min  # type: ignore[union-attr]
    transitions = f"{count.stats.transitions:,} transitions"
    print(f"  {rows}x{cols} closed={closed}: {best:.4f} s, {float(peak):.0f} MB, {transitions}")
    assert best <= seconds
    assert float(peak) <= megabytes


#: rows, columns, symmetry, classes or all, value, seconds at most.
CLASSES = [
    (6, 6, None, True, 1245, 0.05),
    (7, 8, None, True, 8631113571, 3),
    (8, 8, None, True, 1658420855433, 50),
    (8, 8, "half-turn", False, 2432932, 2),
    (10, 10, "quarter-turn", True, 415902, 1),
    (10, 9, "flip-vertical", False, 56275825112, 2),
]


@pytest.mark.parametrize("target", CLASSES, ids=lambda t: f"{t[0]}x{t[1]}-{t[2] or 'all'}")
def test_classes(benchmark: BenchmarkFixture, target: tuple[int, int, str | None, bool, int, float]) -> None:
    """Closed tours, symmetric ones and classes: little beside the count of all."""
    rows, cols, name, distinct, value, seconds = target
    tours = kt.Board(rows, cols).tours(closed=True)
    if name is not None:
        tours = tours.symmetric(name)
    if distinct:
        tours = tours.distinct()
    rounds = 5 if seconds <= 2 else 1
    count: Any = benchmark.pedantic(tours.count, rounds=rounds)  # type: ignore[no-untyped-call]
    assert count == value
    best = benchmark.stats.stats.min  # type: ignore[union-attr]
    print(f"  {tours!r}: {best:.4f} s, {count.stats.transitions:,} transitions")
    assert best <= seconds


def graphillion(rows: int, cols: int, closed: bool) -> tuple[int, float]:
    """Count with the rival in a process of its own: (undirected tours, seconds)."""
    program = f"""
import time
from graphillion import GraphSet
moves = [(1, 2), (2, 1), (2, -1), (1, -2)]
edges = [
    (r * {cols} + c, (r + a) * {cols} + c + b)
    for r in range({rows}) for c in range({cols}) for a, b in moves
    if r + a < {rows} and 0 <= c + b < {cols}
]
GraphSet.set_universe(edges)
began = time.perf_counter()
if {closed}:
    found = GraphSet.cycles(is_hamilton=True).len()
else:
    # It makes paths between two given squares only; colours rule out half of the pairs.
    ends = [(a, b) for a in range({rows * cols}) for b in range(a)]
    ends = [(a, b) for a, b in ends if (a // {cols} + a + b // {cols} + b) % 2 == 1]
    found = sum(GraphSet.paths(a, b, is_hamilton=True).len() for a, b in ends)
print(found, time.perf_counter() - began)
"""
    return timed(program)


def own(rows: int, cols: int, closed: bool) -> tuple[int, float]:
    """The same of the sweep: as fresh a process, the median of some counts, the first among them."""
    program = f"""
import time, statistics
import knightstour as kt
tours = kt.Board({rows}, {cols}).tours(closed={closed})
seconds = []
for _ in range(11):
    began = time.perf_counter()
    count = tours.count()
    seconds.append(time.perf_counter() - began)
print(count.undirected, statistics.median(seconds))
"""
    return timed(program)


def timed(program: str) -> tuple[int, float]:
    """What a program prints: a number and the seconds it took."""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    value, seconds = done.stdout.split()
    return int(value), float(seconds)


@pytest.mark.parametrize(("rows", "cols", "closed", "undirected"), [(6, 7, True, 1067638), (6, 6, False, 3318960)])
def test_against_graphillion(benchmark: BenchmarkFixture, rows: int, cols: int, closed: bool, undirected: int) -> None:
    """The same counts in the same run: at least 500 times as fast."""
    value, rival = graphillion(rows, cols, closed)
    assert value == undirected
    value, seconds = own(rows, cols, closed)
    assert value == undirected
    tours = kt.Board(rows, cols).tours(closed=closed)
    count: Any = benchmark.pedantic(tours.count, rounds=10)  # type: ignore[no-untyped-call]
    assert count.undirected == undirected
    print(f"  {rows}x{cols} closed={closed}: rival {rival:.2f} s, own {seconds:.4f} s, ratio {rival / seconds:.0f}")
    assert rival / seconds >= 500
