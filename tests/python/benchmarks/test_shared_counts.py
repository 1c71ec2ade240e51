"""How well parts share the work, and how long planning takes."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from pytest_benchmark.fixture import BenchmarkFixture
from test_speed import pedantic, report

import knightstour as kt


def test_two_processes_and_the_engine(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Open 6x8 by rows: one process, two processes, and the parts alone; medians of three."""
    plan = kt.Board(6, 8).tours().plan("rows")
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one,
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as two,
    ):
        # The workers are there, and have the package loaded.
        kt.Board(5, 6).tours().plan("rows").run(one)
        kt.Board(5, 6).tours().plan("rows").run(two)
        single: list[float] = []
        double: list[float] = []
        engine: list[float] = []
        for attempt in range(3):
            for executor, seconds in ((one, single), (two, double)):
                began = time.perf_counter()
                assert plan.run(executor, tmp_path / f"{attempt}-{len(single)}-{len(double)}.db") == 49_929_787_608
                seconds.append(time.perf_counter() - began)
            began = time.perf_counter()
            value = sum(part.multiplicity * plan.task(part, threads=1).count()[0] for part in plan.parts)
            engine.append(time.perf_counter() - began)
            assert value == 49_929_787_608
    ratio = sorted(single)[1] / sorted(double)[1]
    over = sorted(single)[1] - sorted(engine)[1]
    report(
        benchmark,
        one_process_s=round(sorted(single)[1], 2),
        two_processes_times_faster=round(ratio, 2),
        milliseconds_a_part_beside_the_engine=round(1000 * over / len(plan.parts), 1),
    )
    # 2% of parts of 10 s.
    assert over / len(plan.parts) <= 0.2
    assert ratio >= 1.8
    pedantic(benchmark, plan.run, rounds=1)


def test_planning_open_8x8(benchmark: BenchmarkFixture) -> None:
    """Each part is looked at, or told from narrower boards, within a minute."""
    began = time.perf_counter()
    plan = pedantic(benchmark, lambda: kt.Board(8).tours().plan("rows", time_limit=50.0), rounds=1)
    seconds = time.perf_counter() - began
    assert len(plan.parts) == 20
    assert sum(part.multiplicity for part in plan.parts) == 64
    assert plan.seconds is not None
    report(benchmark, core_minutes=round(plan.seconds / 60), largest_gb=round((plan.memory or 0) / 1e9, 1))
    assert seconds <= 60
