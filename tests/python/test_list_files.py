"""`knightstour list` to a file: written whole, gone on with after any interruption, and counted again by a program
that knows nothing of the package.
"""

import contextlib
import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from knightstour._core import _quote
from knightstour.cli import main
from knightstour.cli.tourfile import TourFile, checksum

posix = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


def lines(path: Path) -> Iterator[str]:
    """The tours of a file, compressed or not; a first line may say which board and kind they are of."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        yield from (line for line in file if not line.startswith("# knightstour:"))


def numbers(line: str, form: str, rows: int, cols: int) -> list[int]:
    """The squares on a line, numbered in reading order from the top left."""
    if form == "csv":
        return [int(word) for word in line.split(",")]
    names = json.loads(line)["tour"] if form == "json" else line.split()
    return [(rows - int(name[1:])) * cols + "abcdefghijkl".index(name[0]) for name in names]


def count_tours(read: Iterable[str], form: str, rows: int, cols: int, closed: bool) -> int:
    """How many different tours the lines are; each line has to be one."""
    squares = list(range(rows * cols))
    moves = {
        here * len(squares) + there
        for here in squares
        for there in squares
        if abs(here // cols - there // cols) * abs(here % cols - there % cols) == 2
    }
    seen = set()
    for line in read:
        assert line.endswith("\n")
        tour = numbers(line, form, rows, cols)
        assert sorted(tour) == squares, line
        following = tour[1:] + tour[:1] if closed else tour[1:]
        pairs = zip(tour, following, strict=False)
        assert all(here * len(squares) + there in moves for here, there in pairs), line
        if closed:
            # The same cycle however it is written.
            at = tour.index(0)
            tour = tour[at:] + tour[:at]
            tour = min(tour, [0, *tour[:0:-1]])
        key = bytes(tour)
        assert key not in seen, line
        seen.add(key)
    return len(seen)


def call(*arguments: str) -> tuple[int, str]:
    """The exit status of a command and what it says on standard error."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        status = main(["list", *arguments])
    return status, said.getvalue()


def start(*arguments: str) -> subprocess.Popen[str]:
    """A command of its own, which marks where it is often."""
    program = "import sys, knightstour.cli.tourfile as f; f.MARK_EVERY = 0.02; from knightstour.cli import main; "
    command = [sys.executable, "-c", program + "sys.exit(main())", "list", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)


@pytest.mark.parametrize(
    ("name", "options", "form"),
    [
        ("tours.txt", [], "names"),
        ("tours.txt.gz", [], "names"),
        ("tours.csv", [], "csv"),
        ("tours.csv.gz", [], "csv"),
        ("tours.ndjson", [], "json"),
        ("tours.jsonl.gz", [], "json"),
        ("tours", ["--format", "csv"], "csv"),
        ("tours.csv", ["--format", "names"], "names"),
        ("tours.txt", ["--json"], "json"),
    ],
)
def test_all_closed_tours_of_6x6(tmp_path: Path, name: str, options: list[str], form: str) -> None:
    path = tmp_path / name
    assert call("6x6", "--closed", "-o", str(path), *options) == (0, "")
    assert count_tours(lines(path), form, 6, 6, closed=True) == 9862
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.minutes
@pytest.mark.parametrize("name", ["tours.csv", "tours.txt.gz"])
def test_all_open_tours_of_6x6(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert call("6x6", "-o", str(path)) == (0, "")
    assert count_tours(lines(path), "csv" if ".csv" in name else "names", 6, 6, closed=False) == 6_637_920


def test_limits_and_resuming(tmp_path: Path) -> None:
    """The same file, in however many pieces it is written."""
    whole = tmp_path / "whole.csv"
    assert call("5x5", "-o", str(whole), "--limit", "1700") == (0, "")
    assert whole.read_text().count("\n") == 1700
    path = tmp_path / "parts.csv"
    status, said = call("6x6", "-o", str(path), "--time-limit", "0.05")
    assert status == 3
    assert "time limit" in said
    written = len(list(lines(path)))
    assert f"; {written:,} tours are in " in said
    assert said.endswith("; --resume continues\n")
    assert written > 0
    assert call("6x6", "-o", str(path), "--resume", "--limit", str(written + 10_000)) == (0, "")
    again = tmp_path / "again.csv"
    assert call("6x6", "-o", str(again), "--limit", str(written + 10_000)) == (0, "")
    assert path.read_bytes() == again.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.csv", "parts.csv", "whole.csv"]


@posix
@pytest.mark.parametrize("name", ["tours.txt", "tours.csv.gz"])
def test_killed_at_any_moment(tmp_path: Path, name: str) -> None:
    """SIGKILL leaves a torn line or member behind; going on gives the whole list to the byte."""
    path = tmp_path / name
    whole = tmp_path / f"whole-{name}"
    limit = ["--limit", "150000"]
    assert call("6x6", "-o", str(whole), *limit) == (0, "")
    rng = random.Random(1)
    for attempt in range(3):
        with start("6x6", "-o", str(path), *limit, *(["--resume"] if attempt else [])) as process:
            deadline = time.monotonic() + rng.uniform(0.2, 0.6)
            while time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.01)
            process.kill()
    # What the system had not written yet, or only in part.
    with path.open("ab") as file:
        file.write(b"f3 d2 f1")
    if Path(f"{path}.resume").exists():
        assert call("6x6", "-o", str(path), *limit, "--resume") == (0, "")
        read, expected = list(lines(path)), list(lines(whole))
        assert len(read) == 150_000
        assert read == expected


def test_torn_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks after every batch, and a cut at any place after the last of them."""
    monkeypatch.setattr("knightstour.cli.tourfile.MARK_EVERY", 0.0)
    monkeypatch.setattr("knightstour.cli.list.MOST_TOURS", 200)
    put = TourFile._put
    for name in ("tours.txt", "tours.txt.gz"):
        whole = tmp_path / f"whole-{name}"
        assert call("5x5", "-o", str(whole)) == (0, "")
        expected = list(lines(whole))
        path = tmp_path / name
        for stop in (1, 2, 7):
            puts = 0

            def tear(self: TourFile, data: bytes, listed: int, position: bytes | None, stop: int = stop) -> None:
                nonlocal puts
                puts += 1
                if puts == stop:
                    # As if killed while it was being written: no more than that happens.
                    self._file.write(data[: len(data) // 2])
                    self._keeps_marks = False
                    raise InterruptedError
                put(self, data, listed, position)

            monkeypatch.setattr(TourFile, "_put", tear)
            with contextlib.suppress(InterruptedError):
                assert call("5x5", "-o", str(path))[0] == 2
            monkeypatch.setattr(TourFile, "_put", put)
            assert Path(f"{path}.resume").exists()
            assert call("5x5", "-o", str(path), "--resume") == (0, "")
            assert list(lines(path)) == expected
            assert not Path(f"{path}.resume").exists()


@posix
def test_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt.gz"
    with start("8x8", "-o", str(path)) as process:
        while not path.exists() or path.stat().st_size == 0:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "knightstour: interrupted; " in said
    read = list(lines(path))
    assert f"interrupted; {len(read):,} tours are in" in said
    assert call("8x8", "-o", str(path), "--resume", "--limit", str(len(read) + 100)) == (0, "")
    plain = tmp_path / "plain.txt"
    assert call("8x8", "-o", str(plain), "--limit", str(len(read) + 100)) == (0, "")
    assert list(lines(path)) == list(lines(plain))


def stopped(path: Path, *arguments: str) -> None:
    """A listing that has begun and is not done."""
    assert call("6x6", "-o", str(path), "--time-limit", "0.05", *arguments)[0] == 3


def test_what_cannot_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    stopped(path)
    before = path.read_bytes()
    for arguments, message in (
        (["6x6"], "is a listing that was interrupted: continue it with --resume, or remove"),
        (["6x6", "--closed", "--resume"], "another collection"),
        (["7x7", "--resume"], "another collection"),
        (["6x6", "--start", "a1", "--resume"], "another collection"),
        (["6x6", "--resume", "--format", "csv"], "is written as names, not as csv"),
    ):
        status, said = call(*arguments, "-o", str(path))
        assert (status, message in said) == (2, True), said
        assert path.read_bytes() == before
    status, said = call("6x6", "--resume")
    assert (status, "name it with -o" in said) == (2, True)
    # A file that was changed before the mark, or is shorter.
    for changed in (before[:-1], before[:-2] + b"x\n", b""):
        path.write_bytes(changed)
        status, said = call("6x6", "-o", str(path), "--resume")
        assert (status, "is not the file that" in said) == (2, True), said
        assert path.read_bytes() == changed
    path.write_bytes(before)
    mark = Path(f"{path}.resume")
    good = mark.read_text()
    for damaged in (
        "",
        "{}",
        good[:-5],
        good.replace('"listed": ', '"listed": 1'),
        "[]",
        good.replace('"form"', '"f"'),
    ):
        mark.write_text(damaged)
        status, said = call("6x6", "-o", str(path), "--resume")
        assert (status, "is damaged" in said) == (2, True), said
        assert path.read_bytes() == before
    # What is no number of bytes, with a check that is right.
    for offset in ("7", -1, 1.5):
        body = json.loads(good) | {"offset": offset}
        del body["check"]
        mark.write_text(json.dumps(body | {"check": checksum(body)}))
        status, said = call("6x6", "-o", str(path), "--resume")
        assert (status, "is damaged" in said) == (2, True), said
    mark.unlink()
    status, said = call("6x6", "-o", str(path), "--resume")
    assert (status, "is not a complete listing of these tours" in said) == (2, True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["tours.txt", "tours.csv.gz"])
def test_what_is_done(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To go on with it is no mistake, whenever after its last line the listing was killed."""
    path = tmp_path / name

    def killed(self: TourFile, *_: object) -> None:
        while self._waiting:
            self._put_oldest()
        self.close()

    with monkeypatch.context() as patch:
        patch.setattr(TourFile, "__exit__", killed)
        assert call("5x5", "-o", str(path)) == (0, "")
    # With its mark still there, and without.
    assert Path(f"{path}.resume").exists()
    assert call("5x5", "-o", str(path), "--resume") == (0, "")
    assert [file.name for file in tmp_path.iterdir()] == [name]
    whole = path.read_bytes()
    said = f"knightstour: {_quote(str(path))} is complete: all 1,728 tours are in it\n"
    assert call("5x5", "-o", str(path), "--resume") == (0, said)
    assert call("5x5", "-o", str(path), "--resume", "--limit", "2000") == (0, said)
    # What is not quite it is never called done.
    for changed in (whole[:-1], whole[:-60], whole[: len(whole) // 2], whole + b"\n", whole + whole, b"\n" + whole):
        path.write_bytes(changed)
        status, said = call("5x5", "-o", str(path), "--resume")
        assert (status, "is not a complete listing" in said) == (2, True)
        assert path.read_bytes() == changed
    path.write_bytes(whole)
    for other in (["5x5", "--closed"], ["5x5", "--limit", "1727"], ["6x6"], ["5x5", "--start", "a1"]):
        status, said = call(*other, "-o", str(path), "--resume")
        assert (status, "is not a complete listing" in said) == (2, True)
        assert path.read_bytes() == whole


def test_two_at_one_file(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    stopped(path)
    before, files = path.read_bytes(), sorted(tmp_path.iterdir())
    first = TourFile(str(path), "names", resume=True)
    for arguments in (["--resume"], []):
        status, said = call("6x6", "-o", str(path), *arguments)
        assert (status, "another run is listing to" in said) == (2, True), said
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == files
    first.close()
    assert call("6x6", "-o", str(path), "--resume", "--limit", "1")[0] == 0
    # And one that has just begun.
    with TourFile(str(tmp_path / "new.txt"), "names", resume=False) as new:
        new.write(b"a1 b3\n", 1, None)
        for arguments in (["--resume"], []):
            status, said = call("6x6", "-o", str(tmp_path / "new.txt"), *arguments)
            assert (status, "another run is listing to" in said) == (2, True), said
    assert (tmp_path / "new.txt").read_text() == "a1 b3\n"


def test_a_mark_whose_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    stopped(path)
    path.unlink()
    status, said = call("6x6", "-o", str(path), "--resume")
    assert (status, "is not the file that" in said) == (2, True), said
    assert [file.name for file in tmp_path.iterdir()] == ["tours.txt.resume"]


@posix
def test_two_processes_at_one_file(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    with start("8x8", "-o", str(path)) as process:
        while not path.exists() or path.stat().st_size == 0:
            assert process.poll() is None
        status, said = call("8x8", "-o", str(path), "--resume")
        assert (status, "another run is listing to" in said) == (2, True), said
        process.kill()
        process.wait()
    # The lock ends with the process.
    assert call("8x8", "-o", str(path), "--resume", "--limit", "1")[0] == 0


def test_resume_begins_what_has_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    assert call("5x5", "-o", str(path), "--resume") == (0, "")
    assert count_tours(lines(path), "names", 5, 5, closed=False) == 1728


def test_no_tours(tmp_path: Path) -> None:
    for name in ("none.txt", "none.txt.gz"):
        path = tmp_path / name
        status, said = call("3x3", "-o", str(path))
        assert status == 0
        assert said.startswith("knightstour: there is no tour: ")
        assert list(lines(path)) == []
        assert [file.name for file in tmp_path.iterdir()] == [name]
        path.unlink()


def test_misuse(tmp_path: Path) -> None:
    path = tmp_path / "tours.txt"
    for arguments, message in (
        (["--format", "xml"], "--format must be one of names, csv, json, not 'xml'"),
        (["--json", "--format", "csv"], "cannot be combined with --format csv"),
        (["--time-limit", "-1"], "--time-limit must be seconds of at least 0, not -1"),
        (["--time-limit", "soon"], "--time-limit must be a number of seconds"),
        (["--limit", "-1"], "--limit must be at least 0"),
    ):
        status, said = call("5x5", "-o", str(path), *arguments)
        assert (status, message in said) == (2, True), said
    assert list(tmp_path.iterdir()) == []
    status, said = call("5x5", "-o", str(tmp_path / "missing" / "tours.txt"))
    assert (status, "cannot write" in said, "No such file" in said) == (2, True, True)
    status, said = call("5x5", "-o", str(tmp_path))
    assert status == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk() -> None:
    status, said = call("5x5", "-o", "/dev/full")
    assert (status, "No space left on device; 0 tours are in '/dev/full'" in said) == (2, True), said
    assert "--resume" not in said


@pytest.mark.tmpfs
def test_a_disk_that_fills(tmp_path: Path) -> None:
    """What is there is whole, and goes on when there is room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
    try:
        path = disk / "tours.csv"
        status, said = call("6x6", "-o", str(path))
        assert (status, "No space left on device" in said) == (2, True), said
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        assert call("6x6", "-o", str(path), "--resume", "--limit", "30000") == (0, "")
        plain = tmp_path / "plain.csv"
        assert call("6x6", "-o", str(plain), "--limit", "30000") == (0, "")
        assert path.read_bytes() == plain.read_bytes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@posix
def test_a_reader_that_goes_away() -> None:
    for options in ([], ["--json"], ["-o", "/dev/stdout"]):
        command = [sys.executable, "-m", "knightstour", "list", "8x8", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline()
            process.stdout.close()
            said = process.stderr.read()
            assert (process.wait(60), said) == (141, "")


@pytest.mark.usefixtures("capfdbinary")
def test_standard_output_under_a_limit() -> None:
    with contextlib.redirect_stderr(io.StringIO()) as said:
        assert main(["list", "8x8", "--time-limit", "0.1", "--format", "csv"]) == 3
    assert "time limit" in said.getvalue()
    sys.stdout.flush()
