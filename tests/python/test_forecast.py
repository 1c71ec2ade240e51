"""What plans expect: held against what happened, on small boards here and on open 8x8 from a record."""

import csv
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.parts import making

RECORD = Path(__file__).parent.parent / "data" / "open_8x8_parts.csv"


def record() -> list[dict[str, str]]:
    """The parts of open 8x8 by rows as they were counted: values, and what each took on two threads."""
    with RECORD.open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


@pytest.mark.parametrize("is_sampled", [False, True])
def test_within_a_factor_of_two(is_sampled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """States and bytes at the peak, from all groups and from samples of them."""
    if is_sampled:
        monkeypatch.setattr(making, "FEW_GROUPS", 1)
    cases: list[tuple[kt.Tours, Any]] = [
        (kt.Board(6, 7).tours(closed=True), 1),
        (kt.Board(6, 8).tours(closed=True), 1),
        (kt.Board(6).tours(), "rows"),
        (kt.Board(6).tours(), 1),
        (kt.Board(5, 8).tours(), "rows"),
    ]
    for tours, parts in cases:
        plan = tours.plan(parts, time_limit=None)
        for part in plan.parts:
            _, stats = plan.task(part).count()
            assert part.forecast is not None
            assert part.forecast.factor == 2.0
            # Small parts, and few samples, are as far off as this.
            allowed = 2.0 if stats.peak_states > 20_000 else 3.0
            for expected, found in ((part.forecast.states, stats.peak_states), (part.forecast.memory, stats.memory)):
                assert 1 / allowed < expected / found < allowed, (tours, part.key, expected, found)


def test_open_8x8_within_a_factor_of_two() -> None:
    """The formulas had not seen these."""
    known = {row["part"]: row for row in record()}
    plan = kt.Board(8).tours().plan("rows", time_limit=None)
    assert [part.key for part in plan.parts] == list(known)
    for part in plan.parts:
        row = known[part.key]
        assert part.multiplicity == int(row["multiplicity"])
        assert part.forecast is not None
        assert 1 / 2 < part.forecast.states / int(row["states"]) < 2, (part.key, part.forecast)
        assert 1 / 2 < part.forecast.memory / int(row["memory"]) < 2, (part.key, part.forecast)


def test_plans_fit_the_memory_if_they_can() -> None:
    tours = kt.Board(6, 7).tours()
    whole = tours.plan(1)
    assert whole.memory is not None
    assert tours.plan(memory_limit=2 * whole.memory).by == "whole"
    finer = tours.plan(memory_limit=whole.memory * 3 // 5)
    assert finer.by == "rows"
    assert finer.memory is not None
    assert finer.memory <= whole.memory * 3 // 5
    assert "expected to need more" not in str(finer)
    closed = kt.Board(6, 8).tours(closed=True)
    memory = closed.plan(1).memory
    assert memory is not None
    assert closed.plan(memory_limit=memory * 3 // 4).by == "moves"
    given = kt.Board(6, 8).tours(start="a1", end="b1")
    memory = given.plan(1).memory
    assert memory is not None
    assert given.plan(memory_limit=memory * 3 // 4).by == "moves"


def test_what_no_cut_brings_under_the_limit_is_said() -> None:
    plan = kt.Board(6).tours().plan("rows", memory_limit=1_000_000)
    too_large = sum(part.forecast is not None and part.forecast.memory > 1_000_000 for part in plan.parts)
    assert 0 < too_large <= 12
    assert str(plan).endswith(
        f"{too_large} of 12 parts are expected to need more memory than 1.0 MB; "
        "a spill directory puts on disk what does not fit"
    )
    assert plan.memory_limit == 1_000_000
    assert "expected to need more" not in str(kt.Plan(plan.tours, plan.by, plan.parts))


@pytest.mark.parametrize(("rows", "cols", "closed"), [(9, 9, False), (9, 10, True), (10, 10, True)])
def test_large_boards_are_sampled(rows: int, cols: int, closed: bool) -> None:
    plan = kt.Board(rows, cols).tours(closed=closed).plan(1, memory_limit=16_000_000_000, time_limit=None)
    for part in plan.parts:
        assert part.forecast is not None
        assert part.forecast.factor == 4.0
        assert 10**11 < part.forecast.memory < 10**14
    assert "need more memory than 16 GB" in str(plan)


def test_of_other_boards_nothing_is_made_up() -> None:
    plan = kt.Board(7, 9).tours(start=(3, 0)).plan("rows", time_limit=0.0)
    assert all(part.forecast is None for part in plan.parts)
    # Moves do not change the colour of the square there, and the groups are too many.
    odd = kt.Board(9, wrap="both").tours().plan("rows", time_limit=0.2)
    assert "?" in str(odd)
    assert (odd.seconds, odd.memory) == (None, None)
    assert kt.Board(4, 5, wrap="both").tours(closed=True).plan(1).memory is not None


def test_cutting_ends_when_the_time_does(monkeypatch: pytest.MonkeyPatch) -> None:
    tours = kt.Board(8, 7).tours(closed=True)
    asked: list[bool] = []

    def is_late(self: making.Look) -> bool:
        asked.append(self.left() is None)
        return len(asked) == 6

    monkeypatch.setattr(making.Look, "is_late", is_late)
    plan = tours.plan("moves", memory_limit=1_500_000, time_limit=None)
    assert len(plan.parts) == len(asked) == 6
    assert "need more memory than 1.5 MB" in str(plan)
    monkeypatch.undo()
    plan = tours.plan("moves", memory_limit=1_500_000, time_limit=0.0)
    assert len(plan.parts) == 2
    assert "?" in str(plan)


def test_forecasts_do_not_depend_on_chance() -> None:
    tours = kt.Board(8).tours(closed=True)
    assert tours.plan(1, time_limit=None) == tours.plan(1, time_limit=None)
