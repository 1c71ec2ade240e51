"""A memory limit holds for the process as the system sees it, and less memory gives the same answer."""

import subprocess
import sys
from pathlib import Path

import pytest

import knightstour as kt

if not Path("/proc/self/status").exists():
    pytest.skip("the system does not say what a process takes", allow_module_level=True)

#: Counts, as rows, columns, closed; and their values.
BOARDS = [
    (7, 8, True, 34_524_432_316),
    pytest.param((6, 8, False, 49_929_787_608), marks=pytest.mark.slow),
    pytest.param((7, 7, False, 165_575_218_320), marks=pytest.mark.slow),
]

MB = 1 << 20


def promise(limit: int) -> int:
    """What a process may take: the engine keeps to the limit; the allocator keeps some of what was freed."""
    return limit + max(limit // 4, 64 * MB)


#: What a process does with one count: its value or the memory it would take, what the engine says it took, and how much
#: more than before the system saw it take.
PROGRAM = """
import sys, knightstour as kt
def status(name):
    # Not ru_maxrss, which a child has from its parent.
    return int(dict(line.split(":") for line in open("/proc/self/status"))[name].split()[0]) * 1024
rows, cols, closed, limit, directory, threads = sys.argv[1:]
kt.Board(5, 6).tours(closed=True).count(method="frontier")
before = status("VmRSS")
tours = kt.Board(int(rows), int(cols)).tours(closed=closed == "True")
options = {"memory_limit": int(limit) or None, "spill_dir": directory or None, "threads": int(threads) or None}
try:
    count = tours.count(method="frontier", **options)
    value, stats = count.value, count.stats
except kt.MemoryLimitError as error:
    value, stats = None, error.stats
print(value, stats.memory, status("VmHWM") - before)
"""


def run(
    board: tuple[int, int, bool, int], limit: int = 0, directory: Path | None = None, threads: int = 0
) -> tuple[int | None, int, int]:
    """The value, or None; the memory by the engine's account; the growth of the process."""
    rows, cols, closed, _ = board
    asked = [str(value) for value in (rows, cols, closed, limit, directory or "", threads)]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *asked], check=True, capture_output=True, text=True)
    value, memory, grown = done.stdout.split()
    return (None if value == "None" else int(value)), int(memory), int(grown)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board[0]}x{board[1]}")
def test_a_third_of_the_memory_is_enough_with_a_directory(board: tuple[int, int, bool, int], tmp_path: Path) -> None:
    value, need, _ = run(board)
    assert value == board[3]
    third = need // 3
    # Without a directory it ends in time, and says what it would have taken.
    refused, wanted, grown = run(board, third)
    assert refused is None
    assert wanted > third
    assert grown <= promise(third)
    # With one a third is enough.
    value, memory, grown = run(board, third, tmp_path)
    assert value == board[3]
    assert memory <= third
    assert grown <= promise(third)
    assert list(tmp_path.iterdir()) == []


#: Boards as before, megabytes, whether there is a directory for what does not fit, and whether it can be counted so.
LIMITED = [
    ((6, 6, False, 6_637_920), 4, True, True),
    ((6, 8, False, 49_929_787_608), 4, False, False),
    ((6, 8, False, 49_929_787_608), 2, True, False),
    pytest.param((6, 8, False, 49_929_787_608), 6, True, True, marks=pytest.mark.slow),
    ((7, 8, True, 34_524_432_316), 4, False, False),
    ((7, 8, True, 34_524_432_316), 5, True, False),
    ((7, 8, True, 34_524_432_316), 8, False, False),
    pytest.param((7, 8, True, 34_524_432_316), 8, True, True, marks=pytest.mark.slow),
    ((7, 8, True, 34_524_432_316), 20, False, False),
    ((7, 8, True, 34_524_432_316), 40, False, True),
    pytest.param((7, 8, True, 34_524_432_316), 40, True, True, marks=pytest.mark.slow),
    pytest.param((7, 8, True, 34_524_432_316), 64, True, True, marks=pytest.mark.slow),
    ((9, 9, False, 0), 12, False, False),
    ((9, 9, False, 0), 40, False, False),
    pytest.param((9, 9, False, 0), 300, False, False, marks=pytest.mark.slow),
    pytest.param((8, 8, True, 13_267_364_410_532), 300, False, False, marks=pytest.mark.slow),
    pytest.param((8, 8, True, 13_267_364_410_532), 64, True, True, marks=pytest.mark.minutes),
    pytest.param((8, 8, True, 13_267_364_410_532), 640, False, True, marks=pytest.mark.minutes),
    pytest.param((8, 8, True, 13_267_364_410_532), 500, True, True, marks=pytest.mark.minutes),
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("board", "megabytes", "spill", "fits"), LIMITED)
def test_the_limit_is_kept(
    board: tuple[int, int, bool, int], megabytes: int, spill: bool, *, fits: bool, threads: int, tmp_path: Path
) -> None:
    limit = megabytes * MB
    value, memory, grown = run(board, limit, tmp_path if spill else None, threads)
    # It says what it took, or what it would have had to take.
    assert (value, memory <= limit) == ((board[3], True) if fits else (None, False))
    assert grown <= promise(limit)


@pytest.mark.parametrize("limit", [1, 100_000])
def test_less_than_anything_works_with_is_refused_at_once(limit: int) -> None:
    value, wanted, grown = run((7, 8, True, 0), limit)
    assert value is None
    assert wanted > limit
    # The pages of the program itself, by and large.
    assert grown <= MB


def test_small_limits(tmp_path: Path) -> None:
    board = kt.Board(6, 7).tours(closed=True)
    whole = board.count(method="frontier")
    for part in (2, 3):
        limit = whole.stats.memory * 2 // (part + 1)
        try:
            count = board.count(method="frontier", memory_limit=limit, spill_dir=tmp_path)
        except kt.MemoryLimitError as error:
            assert error.stats.memory > limit  # noqa: PT017
        else:
            assert count.value == 1_067_638
            assert count.stats.memory <= limit
            assert count.stats.transitions == whole.stats.transitions
