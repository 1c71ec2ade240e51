"""How fast tours are made where the final check is left out: figures of a Rust benchmark, which needs cargo.

python -m pytest tests/python/benchmarks/test_construct.py
"""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def figures() -> dict[str, tuple[int, float]]:
    """What was counted (squares, steps, pairs) and seconds, by name, all of one run."""
    command = ["cargo", "bench", "--quiet", "--bench", "construct"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    print(done.stdout)
    lines = (line.split(",") for line in done.stdout.splitlines())
    return {name: (int(count), float(seconds)) for name, count, seconds, *_ in lines}


def nanoseconds(figures: dict[str, tuple[int, float]], name: str) -> float:
    count, seconds = figures[name]
    return seconds / count * 1e9


@pytest.mark.parametrize("side", [1000, 5000])
def test_closed_and_open_tours(figures: dict[str, tuple[int, float]], side: int) -> None:
    closed, opened, walked = (nanoseconds(figures, f"{name} {side}") for name in ("closed", "open", "warnsdorff"))
    print(f"{side}x{side}: closed {closed:.2f}, open {opened:.2f} ns a square; Warnsdorff {walked:.1f} ns a step")
    assert figures[f"closed {side}"][0] == figures[f"open {side}"][0] == side**2
    assert closed <= 8
    assert closed <= walked / 2
    assert opened <= 1.5 * closed


@pytest.mark.parametrize("side", [1000, 5000])
def test_tidy_tours(figures: dict[str, tuple[int, float]], side: int) -> None:
    tidy = nanoseconds(figures, f"tidy {side}")
    print(f"{side}x{side}: tidy {tidy:.2f} ns a square")
    assert figures[f"tidy {side}"][0] == side**2
    assert tidy <= 20


def test_a_hundred_million_squares(figures: dict[str, tuple[int, float]]) -> None:
    count, seconds = figures["closed 10000"]
    assert count == 10**8
    assert seconds <= 2


def test_a_step_of_warnsdorffs_rule(figures: dict[str, tuple[int, float]]) -> None:
    assert nanoseconds(figures, "warnsdorff 1000") <= 20


def test_trials_on_two_threads(figures: dict[str, tuple[int, float]]) -> None:
    """They gain what two threads that share nothing gain on this machine at this time: near 2 if it is idle."""
    (steps, one), (same, two) = figures["trials 1"], figures["trials 2"]
    gain, spare = one / two, figures["spin 1"][1] / figures["spin 2"][1]
    print(f"trials on two threads: {gain:.2f} times as fast; of what shares nothing, {spare:.2f}")
    assert steps == same > 300 * 10_000
    assert gain > 0.85 * spare


def test_every_legal_pair_of_ends_of_small_squares(figures: dict[str, tuple[int, float]]) -> None:
    count, slowest = figures["pairs"]
    even = sum(side**4 // 2 for side in (6, 8, 10, 12))
    odd = sum((side**2 + 1) // 2 * ((side**2 + 1) // 2 - 1) for side in (7, 9, 11))
    assert count == even + odd
    assert slowest <= 1e-3


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_strips_are_linear(figures: dict[str, tuple[int, float]], rows: int) -> None:
    short, long = figures[f"strip {rows} 25000"], figures[f"strip {rows} 100000"]
    assert long[0] == 4 * short[0] == rows * 100_000
    assert long[1] < 1.6 * 4 * short[1]
    assert figures["strip ends"][0] == 500_000
    assert figures["strip ends"][1] <= 1
