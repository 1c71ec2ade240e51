"""Files that users keep, written by an earlier version: they open, or it is said which version wrote them."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import knightstour as kt

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = Path(__file__).parents[1] / "data" / "files"
TOURS = kt.Board(4, 5).tours()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Copies, since some are written to."""
    return Path(shutil.copytree(OLD, tmp_path / "files"))


@pytest.mark.parametrize(
    ("ask", "version"),
    [
        (lambda at: TOURS.count(method="frontier", checkpoint=at / "count.kt"), "engine 3, here 5"),
        (lambda at: TOURS.starts(method="frontier", checkpoint=at / "starts.kt"), "engine 3, here 5"),
        (lambda at: kt.open_tours(at / "index.tours"), "engine 2, here 3"),
        (lambda at: kt.Board(3, 10).tours(closed=True).prepare(at / "index.tours"), "engine 2, here 3"),
    ],
    ids=["checkpoint", "starts", "open", "prepare"],
)
def test_states_of_another_engine_are_refused_by_its_version(
    old: Path, ask: Callable[[Path], object], version: str
) -> None:
    before = {file.name: file.read_bytes() for file in old.iterdir()}
    with pytest.raises(kt.StoreError, match=f"written by another version of knightstour .{version}"):
        ask(old)
    assert {file.name: file.read_bytes() for file in old.iterdir()} == before


def test_a_table_of_starts_that_has_no_sweep_under_way_is_gone_on_with(old: Path) -> None:
    (old / "starts.kt.sweep").unlink()
    table = TOURS.starts(method="frontier", checkpoint=old / "starts.kt")
    # Both ends of each tour are in it.
    assert sum(table.values()) == 164


def test_a_ledger_is_complete(old: Path) -> None:
    plan = kt.open_plan(old / "ledger.db")
    assert plan.run(ledger=old / "ledger.db") == 164


def test_a_listing_goes_on_where_it_was(old: Path) -> None:
    rest = list(TOURS.listing(position=(old / "listing.position").read_bytes()))
    every = list(TOURS)
    assert len(every) == 164
    assert rest == every[100:]


def test_a_listing_with_steps_goes_on(old: Path) -> None:
    tours = TOURS.with_steps({"c1": 4})
    rest = list(tours.listing(position=(old / "steps.position").read_bytes()))
    every = list(tours)
    assert rest == every[1:]


def test_tours_and_puzzles_are_read() -> None:
    tour = kt.Tour.from_json((OLD / "tour.json").read_text())
    assert tour.is_closed
    assert kt.Tour.parse((OLD / "tour.txt").read_text()) == tour
    read: Any = pickle.loads((OLD / "tour.pickle").read_bytes())
    assert read == tour
    tours: Any = pickle.loads((OLD / "tours.pickle").read_bytes())
    assert tours == kt.Board(5, 6).tours(closed=True)
    assert tours.count() == 8
    puzzle = kt.Puzzle.from_json((OLD / "puzzle.json").read_text())
    assert puzzle.solution.board == kt.Board(5)
