"""Checkpoints and spilled states of a count, from Python."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt

#: Closed tours of 6x8.
VALUE = 55_488_142


def test_a_count_that_was_stopped_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "count.kt"
    tours = kt.Board(6, 8).tours(closed=True)
    with pytest.raises(kt.LimitReachedError):
        tours.count(checkpoint=file, node_limit=20_000)
    assert file.exists()
    whole = tours.count(method="frontier").stats.transitions
    again = tours.count(checkpoint=str(file))
    assert again == VALUE
    assert again.stats.transitions == whole
    assert list(tmp_path.iterdir()) == []


def test_killed_and_begun_again(tmp_path: Path) -> None:
    file = tmp_path / "count.kt"
    program = f"""
import knightstour as kt, knightstour.tours as tours
tours.CHECKPOINT_SECONDS = 0.05
print(kt.Board(7, 8).tours(closed=True).count(checkpoint={str(file)!r}))
"""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    whole = time.monotonic() - began
    kills = 0
    for share in (0.4, 0.5, 0.6, 0.7):
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            time.sleep(share * whole)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() != 0
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert int(done.stdout) == 34_524_432_316
    assert kills > 0


def test_damaged_and_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "count.kt"
    tours = kt.Board(6, 8).tours(closed=True)
    with pytest.raises(kt.LimitReachedError):
        tours.count(checkpoint=file, node_limit=20_000)
    good = file.read_bytes()
    with pytest.raises(kt.StoreError, match="another request"):
        kt.Board(6, 8).tours().count(checkpoint=file)
    for damaged in (good[:-1], good[: len(good) // 2], good + b"x", good[:500] + bytes([good[500] ^ 1]) + good[501:]):
        file.write_bytes(damaged)
        with pytest.raises(kt.StoreError, match=r"count\.kt") as caught:
            tours.count(checkpoint=file)
        assert isinstance(caught.value, OSError)
        assert file.read_bytes() == damaged
    file.write_bytes(good)
    assert tours.count(checkpoint=file) == VALUE


def test_states_that_do_not_fit_go_to_a_directory(tmp_path: Path) -> None:
    tours = kt.Board(7, 8).tours(closed=True)
    limit = tours.count(method="frontier").stats.memory // 2
    with pytest.raises(kt.MemoryLimitError) as caught:
        tours.count(method="frontier", memory_limit=limit)
    assert caught.value.stats.memory > limit
    assert tours.count(method="frontier", memory_limit=limit, spill_dir=tmp_path) == 34_524_432_316
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("threads", [16, 64])
def test_fewer_threads_work_where_memory_is_short(threads: int, tmp_path: Path) -> None:
    """What each thread keeps for itself was all that was too much, by a hair."""
    tours = kt.Board(7, 8).tours(closed=True)
    assert tours.count(memory_limit=34 * 10**6, threads=threads, spill_dir=tmp_path) == 34_524_432_316
    assert list(tmp_path.iterdir()) == []


@pytest.mark.minutes
def test_states_of_one_task_that_are_too_many_go_to_the_disk(tmp_path: Path) -> None:
    tours = kt.Board(8).tours(closed=True)
    assert tours.count(memory_limit=64 << 20, spill_dir=tmp_path) == 13_267_364_410_532
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    tours = kt.Board(6, 8).tours(closed=True)
    with pytest.raises(kt.StoreError, match="nowhere"):
        tours.count(checkpoint=tmp_path / "nowhere" / "count.kt")
    with pytest.raises(kt.StoreError, match="nowhere"):
        tours.count(spill_dir=tmp_path / "nowhere")


def test_files_go_with_the_sweep(tmp_path: Path) -> None:
    anything: Any = kt
    with pytest.raises(kt.RequestError, match="checkpoint"):
        anything.Board(6).tours().count(method="backtracking", checkpoint=tmp_path / "file")
