"""Counts whose files do not fit the disk."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import knightstour as kt

pytestmark = pytest.mark.tmpfs


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A directory with room for 1.5 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if done.returncode != 0:
        pytest.skip(f"mounting is refused: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_checkpoint_that_does_not_fit(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one stays, nothing else does, and with room the count goes on to the right answer."""
    tours = kt.Board(7, 8).tours(closed=True)
    file = small_disk / "count.kt"
    with pytest.raises(kt.LimitReachedError):
        tours.count(checkpoint=file, node_limit=2_000)
    good = file.read_bytes()
    monkeypatch.setattr("knightstour.tours.CHECKPOINT_SECONDS", 0.0)
    with pytest.raises(kt.StoreError, match=r"cannot write .*count\.kt") as caught:
        tours.count(checkpoint=file)
    assert isinstance(caught.value, OSError)
    names = [path.name for path in small_disk.iterdir()]
    assert names == ["count.kt"]
    assert len(file.read_bytes()) >= len(good)
    roomy = small_disk.parent / "count.kt"
    roomy.write_bytes(file.read_bytes())
    monkeypatch.undo()
    assert tours.count(checkpoint=roomy) == 34_524_432_316


def test_states_that_do_not_fit(small_disk: Path) -> None:
    tours = kt.Board(6, 8).tours()
    need = tours.count(method="frontier").stats.memory
    with pytest.raises(kt.StoreError, match=r"cannot write .*spill") as caught:
        tours.count(method="frontier", memory_limit=need // 2, spill_dir=small_disk)
    assert isinstance(caught.value, OSError)
    assert list(small_disk.iterdir()) == []
    assert tours.count(method="frontier", memory_limit=need // 2, spill_dir=small_disk.parent) == 49_929_787_608


def test_a_disk_that_is_read_only(small_disk: Path) -> None:
    """Refused before anything is counted, and by a name; a checkpoint that is there stays."""
    tours = kt.Board(7, 8).tours(closed=True)
    file = small_disk / "count.kt"
    with pytest.raises(kt.LimitReachedError):
        tours.count(checkpoint=file, node_limit=2_000)
    good = file.read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for spill_dir, checkpoint in ((small_disk, None), (None, file), (None, small_disk / "another.kt")):
        with pytest.raises(kt.StoreError, match=r"cannot write .*Read-only") as caught:
            tours.count(spill_dir=spill_dir, checkpoint=checkpoint)
        assert isinstance(caught.value, OSError)
    assert file.read_bytes() == good
