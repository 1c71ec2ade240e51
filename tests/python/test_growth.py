"""The sweep's work grows linearly with the length of the board at a fixed width: transitions, and instructions."""

import re
import subprocess
import sys

import pytest

import knightstour as kt


@pytest.mark.parametrize(
    ("width", "lengths"), [(3, (20, 30, 40)), (4, (21, 31, 41)), (5, (20, 30, 40)), (6, (12, 16, 20))]
)
def test_transitions(width: int, lengths: tuple[int, int, int]) -> None:
    """Once the board is longer than its width and four, each column costs the same."""
    tours = [kt.Board(width, length).tours(closed=width != 4) for length in lengths]
    first, second, third = (tour.count(method="frontier").stats.transitions for tour in tours)
    assert second - first > 0
    assert third - second == pytest.approx(second - first, rel=0.01)


def instructions(length: int) -> int:
    """Instructions of a process that counts the closed tours of 5 x length."""
    program = f"import knightstour as kt; kt.Board(5, {length}).tours(closed=True).count(method='frontier', threads=1)"
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr[-1000:]
    return int(found[1])


@pytest.mark.valgrind
def test_instructions() -> None:
    first, second, third = (instructions(length) for length in (20, 30, 40))
    print(f"instructions a column of 5xn: {(second - first) / 10:,.0f}, {(third - second) / 10:,.0f}")
    # The numbers themselves grow longer.
    assert third - second == pytest.approx(second - first, rel=0.2)
