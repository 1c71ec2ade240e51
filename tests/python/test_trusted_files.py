"""Files and pickles that were damaged, cut off or made up: the answer is right, or there is a `StoreError`."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import commands
import knightstour as kt
import knightstour.tours
from knightstour.cli import main
from knightstour.cli.reading import MisuseError
from knightstour.cli.tourfile import TourFile
from knightstour.parts import Ledger
from knightstour.paths import Paths
from knightstour.tours import Tours

posix = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


def damages(good: bytes, flips: int, cuts: int) -> Iterator[bytes]:
    """A file with one bit flipped, of many spread over it; cut off at many lengths; and with more at its end."""
    bits = 8 * len(good)
    for bit in range(0, bits, max(1, bits // flips)):
        flipped = bytearray(good)
        # Not the same bit of each byte.
        at = (bit + bit // 97) % bits
        flipped[at // 8] ^= 1 << at % 8
        yield bytes(flipped)
    for length in range(0, len(good), max(1, len(good) // cuts)):
        yield good[:length]
    yield good + b"\0"


def outcomes(path: Path, flips: int, cuts: int, is_right: Callable[[Path], bool]) -> int:
    """How many of the damages of a file are refused; with the others all is right."""
    good, refused = path.read_bytes(), 0
    for number, damaged in enumerate(damages(good, flips, cuts)):
        # An index that is in use is never written to.
        other = path.with_name(f"{number}-{path.name}")
        other.write_bytes(damaged)
        try:
            assert is_right(other), f"damage {number}"
        except kt.StoreError:
            refused += 1
        finally:
            other.unlink(missing_ok=True)
    return refused


# --- damaged files ------------------------------------------------------------------------------------------------


def test_damaged_ledgers(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(4, 5).tours().plan("ends")
    assert plan.run(ledger=path) == 164
    with Ledger.open(path) as ledger:
        good = ledger.results()

    def is_right(other: Path) -> bool:
        with Ledger.open(other, plan) as ledger:
            found = ledger.results()
        with Ledger.open(other) as ledger:
            # What is missing is counted again.
            return ledger.plan().fingerprint == plan.fingerprint and found.items() <= good.items()

    assert outcomes(path, 800, 50, is_right) > 150


def test_damaged_indexes(tmp_path: Path) -> None:
    path = tmp_path / "tours.kti"
    tours = kt.Board(4, 5).tours()
    tours.prepare(path)
    good = list(tours[:])
    assert len(good) == 164
    # Each byte of an index is checked.
    damaged = len(list(damages(path.read_bytes(), 800, 100)))
    assert outcomes(path, 800, 100, lambda other: list(kt.open_tours(other)[:]) == good) == damaged


@pytest.mark.parametrize("what", ["count", "starts"])
def test_damaged_checkpoints(what: str, tmp_path: Path) -> None:
    path = tmp_path / "count.kt"
    tours = kt.Board(5, 6).tours()

    def ask(file: Path, **limits: Any) -> int:
        if what == "count":
            return int(tours.count(method="frontier", checkpoint=file, threads=1, **limits))
        return sum(tours.starts(method="frontier", checkpoint=file, threads=1, **limits).values())

    with pytest.raises(kt.LimitReachedError):
        ask(path, node_limit=6000 if what == "count" else 50_000)
    damaged = len(list(damages(path.read_bytes(), 800, 100)))
    assert outcomes(path, 800, 100, lambda other: ask(other) == 37568) == damaged
    assert ask(path) == 37568


def test_damaged_marks(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    assert main(["list", "6x6", "-o", str(path), "--time-limit", "0.05"]) == 3
    mark = Path(f"{path}.resume")
    good = mark.read_bytes()
    with TourFile(str(path), "names", resume=True) as file:
        expected = file.mark
        # It stays as it is.
        file._keeps_marks = False
    for damaged in damages(good, 700, 100):
        mark.write_bytes(damaged)
        try:
            file = TourFile(str(path), "names", resume=True)
        except MisuseError:
            continue
        assert file.mark == expected
        file.close()
    for damaged in damages(good, 20, 20):
        mark.write_bytes(damaged)
        said = commands.run("list", "6x6", "-o", str(path), "--resume", "--limit", "1")
        assert (said.returncode, "is damaged" in said.stderr) == (2, True), said.stderr


# --- made-up pickles ------------------------------------------------------------------------------------------------


class MadeUp:
    """Pickled as a call of something."""

    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> tuple[Any, ...]:
        return (self.call[0], self.call[1:])


def test_the_board_of_a_collection_is_that_of_its_request() -> None:
    five, six = kt.Board(5), kt.Board(6)
    tours, paths = six.tours(), six.paths(5)
    assert pickle.loads(pickle.dumps(MadeUp(Tours, six, tours._request))) == tours
    for made_up in (
        MadeUp(Tours, five, tours._request),
        MadeUp(Tours, kt.Board(6, blocked=["a1"]), tours._request),
        MadeUp(Tours, kt.Board(6, wrap="both"), tours._request),
        MadeUp(Paths, five, paths._request, 5),
    ):
        with pytest.raises(kt.RequestError, match="the request is about Board"):
            pickle.loads(pickle.dumps(made_up))


# --- names of files that are not whole ------------------------------------------------------------------------------


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, as the alarm clock sends it."""


@pytest.fixture
def alarm() -> Iterator[Callable[[float], object]]:
    """Raises `Interrupted` in the main thread after some seconds, as Ctrl-C would."""

    def ring(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def write_index(directory: Path, **options: Any) -> None:
    """Write an index; it takes seconds."""
    kt.Board(7, 8).tours(closed=True).prepare(directory / "tours.kti", **options)


def write_checkpoints(directory: Path, **options: Any) -> None:
    """Count with a checkpoint, all the time."""
    kt.Board(7, 8).tours(closed=True).count(checkpoint=directory / "count.kt", **options)


WRITE = [write_index, write_checkpoints]


def left(directory: Path) -> set[str]:
    """What is there, but for a whole checkpoint."""
    return {file.name for file in directory.iterdir()} - {"count.kt"}


@posix
@pytest.mark.parametrize("write", WRITE)
def test_ctrl_c_leaves_nothing_half_written(
    write: Callable[..., None], tmp_path: Path, alarm: Callable[[float], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knightstour.tours, "CHECKPOINT_SECONDS", 0.0)
    for moment in range(1, 26):
        directory = tmp_path / str(moment)
        directory.mkdir()
        alarm(0.01 * moment)
        with pytest.raises(Interrupted):
            write(directory)
        assert left(directory) == set(), moment


@pytest.mark.parametrize("write", WRITE)
def test_no_end_of_a_run_leaves_anything_half_written(
    write: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knightstour.tours, "CHECKPOINT_SECONDS", 0.0)

    def fail(_: kt.Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(tmp_path, progress=fail)
    assert left(tmp_path) == set()
    for moment in range(1, 10):
        with pytest.raises(kt.TimeLimitError):
            write(tmp_path, time_limit=0.02 * moment)
        assert left(tmp_path) == set()
        cancel = kt.Cancel()
        timer = threading.Timer(0.02 * moment, cancel.cancel)
        timer.start()
        with pytest.raises(kt.LimitReachedError, match="cancelled"):
            write(tmp_path, cancel=cancel)
        assert left(tmp_path) == set()
        timer.join()


def test_an_interrupted_mark_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a mark is made safe: the mark before stays, and nothing beside it."""
    monkeypatch.setattr("knightstour.cli.tourfile.MARK_EVERY", 0.0)
    path = tmp_path / "tours.txt"
    sync = os.fsync
    for moment in range(1, 12):
        calls = 0

        def interrupted(file: int, moment: int = moment) -> None:
            nonlocal calls
            calls += 1
            if calls == moment:
                raise KeyboardInterrupt
            sync(file)

        monkeypatch.setattr(os, "fsync", interrupted)
        status = commands.run("list", "5x5", "-o", str(path), "--resume", "--limit", "400").returncode
        monkeypatch.setattr(os, "fsync", sync)
        assert status in {0, 130}
        assert {file.name for file in tmp_path.iterdir()} <= {"tours.txt", "tours.txt.resume"}
    assert commands.run("list", "5x5", "-o", str(path), "--resume", "--limit", "400").returncode == 0
    assert path.read_text().count("\n") == 400
