"""How soon Ctrl-C ends a count, whatever it is doing.

    python -m pytest tests/python/benchmarks/test_interrupted_counts.py

Each case is interrupted at some moments spread over the run, in a process of its own; the figure is the time from the
signal to the exception.
"""

import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")

PROGRAM = """
import os, signal, sys, threading, time
import knightstour as kt
import knightstour.tours
directory = sys.argv[1]
kt.Board(5, 6).tours(closed=True).count(method="frontier")
{setup}
for wait in {waits}:
    sent = []
    def send():
        time.sleep(wait)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    sender = threading.Thread(target=send)
    try:
        sender.start()
        {call}
        # Done before the signal, which comes now.
        time.sleep(60)
    except KeyboardInterrupt:
        print(time.perf_counter() - sent[0], flush=True)
"""

#: The setting up, the call, and the moments in seconds.
CASES: dict[str, tuple[str, str, list[float]]] = {
    "closed 8x8": ("", "kt.Board(8).tours(closed=True).count()", [0.01, 0.05, 0.2, 0.5, 1, 2, 4, 6, 8]),
    "open 7x7": ("", "kt.Board(7).tours().count()", [0.01, 0.05, 0.1, 0.3, 0.6, 1, 1.5, 2]),
    "spilled closed 7x8": (
        "",
        "kt.Board(7, 8).tours(closed=True).count(method='frontier', memory_limit=16 << 20, spill_dir=directory)",
        [0.01, 0.05, 0.2, 0.5, 1, 2, 3],
    ),
    # Written all the time.
    "writing a checkpoint of closed 8x8": (
        "kt.tours.CHECKPOINT_SECONDS = 0.0",
        "kt.Board(8).tours(closed=True).count(checkpoint=directory + '/written.kt')",
        [1, 2, 4, 6, 8],
    ),
    # About as large as that of a longer run: it is checked, then read.
    "reading a checkpoint of closed 8x8": (
        """try:
    kt.Board(8).tours(closed=True).count(checkpoint=directory + '/read.kt', time_limit=12)
except kt.TimeLimitError:
    pass
print(os.path.getsize(directory + '/read.kt') >> 20, 'MB', file=sys.stderr)""",
        "kt.Board(8).tours(closed=True).count(checkpoint=directory + '/read.kt')",
        [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_ctrl_c_in_a_count(benchmark: BenchmarkFixture, name: str, tmp_path: Path) -> None:
    setup, call, waits = CASES[name]
    program = PROGRAM.format(setup=setup, call=call, waits=waits)
    seconds: list[float] = []

    def run() -> None:
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, text=True
        )
        seconds.extend(map(float, done.stdout.split()))
        print(done.stderr, end="")

    benchmark.pedantic(run, rounds=1)  # type: ignore[no-untyped-call]
    print(f"  {name}: median {statistics.median(seconds):.3f} s, worst {max(seconds):.3f} s of {len(seconds)}")
    assert len(seconds) == len(waits)
    assert max(seconds) <= 0.3
