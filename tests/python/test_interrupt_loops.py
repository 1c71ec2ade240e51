"""Ctrl-C and limits where no Python code runs in between. An outside tester found each of these broken."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import knightstour as kt


def interrupted(setup: str, call: str, wait: float = 30.0) -> bool:
    """Whether Ctrl-C, a moment into the call, ends it with KeyboardInterrupt within `wait` seconds."""
    code = f"""
import knightstour as kt
{setup}
try:
    print("ready", flush=True)
    {call}
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=wait)
        except subprocess.TimeoutExpired:
            return False
        finally:
            process.kill()
    return out == "interrupted\n"


def test_ctrl_c_ends_a_loop_written_in_c_over_the_tours() -> None:
    """`list`, `tuple`, `max`, `deque` run no Python between two tours, so `__next__` has to look at signals."""
    assert interrupted("tours = kt.Board(7).tours()", "list(tours)")


@pytest.mark.parametrize("call", ["count", "starts"])
def test_ctrl_c_ends_the_start_of_a_big_count(call: str) -> None:
    """Symmetry orbits and splitting into parts are done before the first look at the budget."""
    assert interrupted("tours = kt.Board(300).tours()", f"tours.{call}()")


def test_ctrl_c_ends_the_start_of_a_big_listing() -> None:
    assert interrupted("tours = kt.Board(3000).tours()", "next(tours.listing(memory_limit=2**34))")


@pytest.mark.parametrize("call", ["t.canonical()", "t.symmetry"])
def test_ctrl_c_ends_the_comparison_of_many_images(call: str) -> None:
    """The work goes with squares times symmetries, not with squares."""
    setup = """
import numpy as np
n = 360
r, c = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
b = kt.Board(n, n, leaper=(0, 1), wrap="both")
t = kt.Tour(b, (r * n + (c - r) % n).astype(np.uint32).ravel(), True)
"""
    assert interrupted(setup, call)


def test_ctrl_c_ends_the_setting_up_of_many_trials() -> None:
    assert interrupted("b = kt.Board(5)", "kt.warnsdorff_trials(b, 3 * 10**8)")


def test_ctrl_c_ends_the_measuring_of_many_tours() -> None:
    setup = """
import numpy as np
b = kt.Board(6)
squares = np.tile(np.asarray(kt.solve(b)), (10**6, 1))
"""
    assert interrupted(setup, "kt.measures(squares, 'crossings', board=b, closed=False)")


def test_a_big_count_keeps_its_time_limit() -> None:
    """A board of 40,000 squares: some seconds pass before the first look at the clock."""
    answer: list[BaseException] = []

    def count() -> None:
        try:
            kt.Board(200).tours().count(time_limit=0.1)
        except kt.TimeLimitError as error:
            answer.append(error)

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    thread.join(60.0)
    assert answer, "still running after 60 s"
