"""How fast tours are drawn, numbered and looked up, and what the index of 8x8 takes.

    python -m pytest tests/python/benchmarks/test_sampling.py

Every tour is checked by its number: there and back. The index of closed 8x8 takes 1.5 GB of disk for a while.
"""

import ctypes
import gc
import mmap
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import knightstour as kt

#: rows, columns, number of closed tours, tours a second at least.
TARGETS = [(6, 6, 9_862, 20_000), (7, 8, 34_524_432_316, 5_000)]


def best(work: Callable[[], object], count: int) -> float:
    """The best rate of three: things a second."""
    rates = []
    for _ in range(3):
        begun = time.perf_counter()
        work()
        rates.append(count / (time.perf_counter() - begun))
    return max(rates)


@pytest.mark.parametrize(("rows", "cols", "total", "rate"), TARGETS)
def test_rates(rows: int, cols: int, total: int, rate: int) -> None:
    """Draws, tours by number and numbers of tours, after preparing."""
    tours = kt.Board(rows, cols).tours(closed=True).prepare()
    assert tours[:].count() == total
    rng = random.Random(1)
    numbers = [rng.randrange(total) for _ in range(5000)]
    found = [tours[number] for number in numbers]
    assert [tours.index(tour) for tour in found] == numbers
    rates = {
        "sample": best(lambda: tours.sample(5000, seed=1), 5000),
        "sample of classes": best(lambda: tours.distinct().sample(5000, seed=1), 5000),
        "number to tour": best(lambda: [tours[number] for number in numbers], 5000),
        "tour to number": best(lambda: [tours.index(tour) for tour in found], 5000),
    }
    print(f"\n{rows}x{cols}", {name: f"{value:,.0f} a second" for name, value in rates.items()})
    assert min(rates.values()) >= rate, rates


def test_open_7x8_in_a_directory(tmp_path: Path) -> None:
    """41,332,850,120,656 tours, whose states do not stay in memory."""
    begun = time.perf_counter()
    tours = kt.Board(7, 8).tours().prepare(spill_dir=tmp_path, memory_limit=2**32)
    seconds = time.perf_counter() - begun
    total = tours[:].count()
    assert total == 41_332_850_120_656
    rng = random.Random(3)
    for number in (rng.randrange(total) for _ in range(200)):
        assert tours.index(tours[number]) == number
    rate = best(lambda: tours.sample(1000, seed=1), 1000)
    print(f"\n7x8: prepared in {seconds:.0f} s, {rate:,.0f} tours a second")
    assert rate >= 500


def test_index_of_8x8(tmp_path: Path) -> None:
    """Prepared in a process of its own: time, disk and memory; then tours from the disk, and from the page cache."""
    path = tmp_path / "8x8.tours"
    program = """
import sys, time
import knightstour as kt
begun = time.perf_counter()
kt.Board(8).tours(closed=True).prepare(sys.argv[1])
# Not ru_maxrss, which a child has from its parent; so this is for Linux. The file as mapped does not count.
status = dict(line.split(":") for line in open("/proc/self/status"))
print(time.perf_counter() - begun, int(status["VmHWM"].split()[0]) / 1024)
"""
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True)
    seconds, megabytes = map(float, done.stdout.split())
    gigabytes = path.stat().st_size / 1e9
    print(f"\n8x8: {seconds:.0f} s, {gigabytes:.2f} GB on disk, {megabytes:.0f} MB of memory")
    assert seconds <= 300
    assert gigabytes <= 20
    assert megabytes <= 4096
    drawn, many = from_cold_disk(path, lambda tours: tours.sample(300, seed=1, threads=1))
    first, some = from_cold_disk(path, lambda tours: tours.sample(100, seed=1, threads=1))
    singles, alone = from_cold_disk(path, lambda tours: [tours.sample(seed=seed)[0] for seed in range(300)])
    print(f"8x8 from a cold disk: {many:,.0f} tours a second of 300, {some:,.0f} of 100, {alone:,.0f} one by one")
    assert first == drawn[:100]
    tours = kt.open_tours(path)
    total = 13_267_364_410_532
    assert tours[:].count() == total
    # From the cache, and by another walk back, they are the same.
    assert [tours.sample(seed=seed)[0] for seed in range(300)] == singles
    assert tours.sample(300, seed=1) == drawn == [tours[tours.index(tour)] for tour in drawn]
    rng = random.Random(2)
    numbers = [rng.randrange(total) for _ in range(3000)]
    found = [tours[number] for number in numbers]
    rates = {
        "sample": best(lambda: tours.sample(3000, seed=1, threads=1), 3000),
        "number to tour": best(lambda: [tours[number] for number in numbers], 3000),
        "tour to number": best(lambda: [tours.index(tour) for tour in found], 3000),
    }
    classes = tours.distinct()
    assert all(tour.canonical() == tour for tour in classes.sample(10, seed=1))
    rates["sample of classes"] = best(lambda: classes.sample(1000, seed=2, threads=1), 1000)
    print("8x8", {name: f"{value:,.0f} a second" for name, value in rates.items()})
    assert [tours.index(tour) for tour in found] == numbers
    assert min(rates.values()) >= 1000, rates
    # Hundreds a second.
    assert min(many, some, alone) >= 200


def from_cold_disk(path: Path, draw: Callable[[kt.Tours], list[kt.Tour]]) -> tuple[list[kt.Tour], float]:
    """What is drawn from an index that is not in the page cache, and tours a second."""
    drop_from_cache(path)
    tours = kt.open_tours(path)
    begun = time.perf_counter()
    drawn = draw(tours)
    return drawn, len(drawn) / (time.perf_counter() - begun)


def drop_from_cache(path: Path) -> None:
    """Out of the page cache with a file, which nothing maps; for Linux."""
    gc.collect()
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        # Whether it is gone.
        size = path.stat().st_size
        pages = (ctypes.c_ubyte * (size // mmap.PAGESIZE + 1))()
        with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY) as mapped:
            first = ctypes.c_ubyte.from_buffer(mapped)
            libc = ctypes.CDLL(None, use_errno=True)
            assert libc.mincore(ctypes.c_void_p(ctypes.addressof(first)), ctypes.c_size_t(size), pages) == 0
            del first
    cached = sum(page & 1 for page in pages)
    assert cached < 1000, f"{cached} pages are in the cache: something has the file open"
