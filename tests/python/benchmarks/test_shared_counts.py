"""How well parts share the work, how long planning takes, and how near forecasts are."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from test_speed import pedantic, report

import knightstour as kt
from knightstour.parts import Part, Plan


def test_two_processes_and_the_engine(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Sixteen equal parts of open 6x8: one process, two processes, and the parts alone; medians of three."""
    tours = kt.Board(6, 8).tours()
    whole = tours.plan("rows")
    part = next(part for part in whole.parts if part.key == "columns 0+7")
    value = whole.task(part).count()[0]
    plan = Plan(tours, "rows", tuple(Part(f"copy {number}", 1, between=part.between) for number in range(16)))
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one,
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as two,
    ):
        # The workers are there, and have the package loaded.
        for executor in (one, two):
            assert kt.Board(5, 6).tours().plan("rows").run(executor) == 37568
        single: list[float] = []
        double: list[float] = []
        engine: list[float] = []
        for attempt in range(3):
            for executor, seconds in ((one, single), (two, double)):
                began = time.perf_counter()
                ledger = tmp_path / f"{attempt}-{len(single)}-{len(double)}.db"
                assert plan.run(executor, ledger).value == 16 * value
                seconds.append(time.perf_counter() - began)
            began = time.perf_counter()
            assert all(plan.task(each, threads=1).count()[0] == value for each in plan.parts)
            engine.append(time.perf_counter() - began)
    ratio = sorted(single)[1] / sorted(double)[1]
    over = (sorted(single)[1] - sorted(engine)[1]) / len(plan.parts)
    report(
        benchmark,
        one_process_s=round(sorted(single)[1], 2),
        two_processes_times_faster=round(ratio, 2),
        milliseconds_a_part_beside_the_engine=round(1000 * over, 1),
        percent_of_parts_of_10_s=round(100 * over / 10, 2),
    )
    assert over <= 0.2
    assert ratio >= 1.8
    pedantic(benchmark, lambda: plan.task(part).count(), rounds=1)


@pytest.mark.parametrize(
    ("rows", "cols", "closed", "parts", "memory"),
    [
        (8, 8, False, "rows", 17_000_000_000),
        (9, 9, False, "ends", None),
        (9, 10, True, "auto", 16_000_000_000),
        (10, 10, True, "auto", 16_000_000_000),
    ],
)
def test_planning(  # noqa: PLR0917
    benchmark: BenchmarkFixture, rows: int, cols: int, closed: bool, parts: Any, memory: int | None
) -> None:
    """Each part is looked at within a minute in all."""
    tours = kt.Board(rows, cols).tours(closed=closed)
    began = time.perf_counter()
    plan = pedantic(benchmark, lambda: tours.plan(parts, memory_limit=memory), rounds=1)
    seconds = time.perf_counter() - began
    if parts == "rows":
        assert len(plan.parts) == 20
        assert sum(part.multiplicity for part in plan.parts) == 64
        assert "more than" not in str(plan)
    assert plan.seconds is not None
    assert plan.memory is not None
    report(benchmark, seconds=round(seconds, 1), parts=len(plan.parts), largest_gb=round(plan.memory / 1e9, 1))
    report(benchmark, core_hours=round(plan.seconds / 3600, 1))
    assert seconds <= 62


def test_forecasts(benchmark: BenchmarkFixture) -> None:
    """States and bytes at the peak, and core seconds, over what then happens: least and greatest, up to 7x8."""
    ratios: list[tuple[float, float, float]] = []
    cases: list[tuple[kt.Tours, Any]] = [
        *((kt.Board(rows, cols).tours(closed=True), 1) for rows, cols in ((6, 8), (6, 10), (7, 8))),
        *((kt.Board(rows, cols).tours(), 1) for rows, cols in ((6, 6), (6, 7), (6, 8), (7, 7))),
        *((kt.Board(rows, cols).tours(), "rows") for rows, cols in ((6, 7), (6, 8), (7, 7), (7, 8))),
    ]
    for tours, parts in cases:
        plan = tours.plan(parts)
        for part in plan.parts[:: 5 if len(tours.board) == 56 else 1]:
            began = time.process_time()
            _, stats = plan.task(part, threads=1).count()
            seconds = time.process_time() - began
            forecast = part.forecast
            assert forecast is not None
            if seconds > 0.02:
                ratios.append(
                    (forecast.states / stats.peak_states, forecast.memory / stats.memory, forecast.seconds / seconds)
                )
    spans = [(min(kind), max(kind)) for kind in zip(*ratios, strict=True)]
    names = ("states", "memory", "seconds")
    report(benchmark, counts=len(ratios))
    for name, (least, most) in zip(names, spans, strict=True):
        report(benchmark, **{name: f"{least:.2f} to {most:.2f}"})
    assert all(least >= 0.5 and most <= 2.0 for least, most in spans[:2]), spans
    # Time depends on the machine, too.
    assert spans[2][0] >= 0.4
    assert spans[2][1] <= 2.5
    pedantic(benchmark, lambda: kt.Board(7, 8).tours().plan("rows"), rounds=1)
