"""How fast tours are listed: in Rust, in Python, to a file. Every benchmark asserts its answer."""

import itertools
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import knightstour as kt
from knightstour.cli import main

ROOT = Path(__file__).parents[3]


def rate(list_all: Callable[[], int], tours: int) -> float:
    """Tours a second: the best of three, since the machine does other things as well."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        assert list_all() == tours
        best = max(best, tours / (time.perf_counter() - began))
    return best


def report(benchmark: BenchmarkFixture, **figures: object) -> None:
    """Put figures beside the timing, and on the screen."""
    benchmark.extra_info.update(figures)
    print(" ", ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in figures.items()))


@pytest.mark.skipif(shutil.which("cargo") is None, reason="there is no cargo")
def test_in_rust(benchmark: BenchmarkFixture) -> None:
    """Closed 6x6 in 4 ms; closed 6x8 at 2 million a second; open 6x6, each tour one way, in 2 s; on one core."""
    command = ["cargo", "bench", "--quiet", "--bench", "listing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    benchmark(lambda: None)
    measured = {}
    for line in done.stdout.splitlines():
        name, tours, seconds = line.split("\t")
        measured[name] = (int(tours), float(seconds))
    report(benchmark, **{name: seconds for name, (_, seconds) in measured.items()})
    assert {name: tours for name, (tours, _) in measured.items()} == {
        "closed 6x6": 9862,
        "first closed 6x8": 10_000_000,
        "open 6x6, undirected": 3_318_960,
        "open 6x6 in batches, each checked": 6_637_920,
    }
    assert measured["closed 6x6"][1] <= 4e-3
    assert measured["first closed 6x8"][1] <= 5.0
    assert measured["open 6x6, undirected"][1] <= 2.0


def test_one_by_one(benchmark: BenchmarkFixture) -> None:
    tours = kt.Board(6).tours()
    speed = rate(lambda: sum(1 for _ in itertools.islice(tours, 1_000_000)), 1_000_000)
    report(benchmark, tours_a_second=round(speed))
    assert speed >= 300_000
    assert benchmark(next, iter(tours)).board == tours.board


@pytest.mark.parametrize(("closed", "tours"), [(False, 6_637_920), (True, 9862)])
def test_batches(benchmark: BenchmarkFixture, closed: bool, tours: int) -> None:
    collection = kt.Board(6).tours(closed=closed)
    speed = rate(lambda: sum(len(batch) for batch in collection.batches(20_000)), tours)
    report(benchmark, tours_a_second=round(speed))
    assert speed >= 1_000_000
    assert len(next(benchmark(collection.batches, 10))) == 10


@pytest.mark.parametrize("name", ["tours.txt", "tours.csv", "tours.ndjson", "tours.csv.gz"])
def test_to_a_file(benchmark: BenchmarkFixture, tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    def write() -> int:
        assert main(["list", "6x6", "--limit", "1000000", "-o", str(path)]) == 0
        return 1_000_000

    speed = rate(write, 1_000_000)
    report(benchmark, tours_a_second=round(speed), megabytes=round(path.stat().st_size / 1e6))
    assert speed >= (50_000 if name.endswith(".gz") else 300_000)
    benchmark(lambda: None)


@pytest.mark.parametrize(
    ("side", "closed", "moves", "limit"),
    [(7, False, 24, 5), (8, False, 35, 30), (8, True, 32, 10), (9, True, 42, 60), (9, False, 47, 300)],
)
def test_uncrossed(benchmark: BenchmarkFixture, side: int, closed: bool, moves: int, limit: float) -> None:
    """Longest uncrossed paths and circuits, proven."""
    began = time.perf_counter()
    found = kt.Board(side).longest_uncrossed(closed=closed)
    seconds = time.perf_counter() - began
    report(benchmark, seconds=round(seconds, 1), megabytes=round(found.stats.memory / 1e6))
    assert (len(found.squares) - (not closed), found.is_optimal) == (moves, True)
    assert seconds <= limit
    benchmark(lambda: None)
