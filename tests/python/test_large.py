"""Large boards: what they may cost, and what is never done by accident."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what a process takes")
def test_a_hundred_million_squares_fit_in_a_gigabyte_and_a_half() -> None:
    code = """
import knightstour as kt
import numpy as np
tour = kt.solve(10_000, closed=True)
squares = np.asarray(tour)
assert squares.shape == (10**8,) and squares.dtype == np.uint32
assert np.shares_memory(squares, np.asarray(tour)) and not squares.flags.writeable
assert tour.squares[12_345_678] == divmod(int(squares[12_345_678]), 10_000)
assert len(tour.squares[::7]) == -(-10**8 // 7) and len(repr(tour)) < 200 and len(repr(tour.squares)) < 300
assert tour.step_at(tour.squares[99]) == 99
assert tour.is_closed and len(tour) == 10**8
try:
    str(tour)
except kt.MemoryLimitError:
    # Not ru_maxrss, which a child has from its parent.
    print(dict(line.split(":") for line in open("/proc/self/status"))["VmHWM"].split()[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    kilobytes = int(done.stdout)
    print(f"peak: {kilobytes / 2**20:.2f} GiB")
    assert kilobytes * 1024 < 1.5e9


@pytest.mark.slow
def test_squirrel_and_cull_complete_every_side_but_74() -> None:
    failed = [n for n in range(5, 1001) if not kt.warnsdorff(kt.Board(n), ties="squirrel").is_complete]
    assert failed == [74]


def test_views_of_a_large_tour_copy_nothing() -> None:
    tour = kt.solve(1000, 1001)
    squares = tour.squares
    assert squares[999_999] == squares[-1_001]
    middle = squares[200_000:800_000:3]
    assert len(middle) == 200_000
    assert middle[1] == squares[200_003]
    assert np.shares_memory(np.asarray(tour), np.asarray(tour))
    assert tour.grid_array()[squares[77]] == 78
    assert len(repr(tour)) < 200
    assert len(repr(middle)) < 300
    with pytest.raises(kt.MemoryLimitError, match="characters"):
        str(kt.solve(5000, 5001))


@pytest.mark.parametrize(("rows", "cols"), [(40_000, 50_000), (3, 600_000_000)])
def test_more_than_the_memory_limit_is_refused_before_it_is_taken(rows: int, cols: int) -> None:
    for method in ("construction", "auto"):
        result = kt.Board(rows, cols).tours().find(method=method, memory_limit=10**9)
        match result:
            case kt.Stopped("memory"):
                pass
            case _:
                raise AssertionError(result)


# --- tidy tours --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [(12, 12), (12, 13), (13, 12), (20, 20), (31, 46), (46, 31), (100, 100), (12, 300)])
def test_tidy_tours_have_few_turns_and_crossings(sides: tuple[int, int]) -> None:
    result = kt.Board(*sides).tours(closed=True).find(method="tidy")
    assert isinstance(result, kt.Found)
    tour = result.tour
    assert result.stats.method == "tidy"
    assert tour.is_closed
    even, other = sorted(sides) if min(sides) % 2 == 0 else sorted(sides, reverse=True)
    assert tour.turns < 4 * other + 5 * even
    assert tour.crossings <= 5 * other + 5.75 * even + 40
    assert kt.Board(*sides).tours(closed=True).find(method="tidy") == result


def test_tidy_tours_are_for_some_boards_only() -> None:
    for tours, quoted in [
        (kt.Board(11, 12).tours(closed=True), "11x12"),
        (kt.Board(13).tours(closed=True), "13x13"),
        (kt.Board(20).tours(), "open tours of the 20x20"),
        (kt.Board(20, blocked=["a1"]).tours(closed=True), "1 blocked"),
        (kt.Board(20, leaper=(1, 4)).tours(closed=True), "leaper"),
        (kt.Board(20, wrap="cols").tours(closed=True), "joined"),
        (kt.Board(20).tours(closed=True).excluding(("a1", "b3")), "20x20"),
    ]:
        with pytest.raises(kt.RequestError, match=quoted):
            tours.find(method="tidy")
