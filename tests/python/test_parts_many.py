"""Many searches at once, and draws shared by workers: the answers do not depend on who does them."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.parts.many import Source, source

anything: Any = kt


def test_many_searches_at_once() -> None:
    requests: list[Any] = [kt.Board(5, 5).tours(start=start) for start in kt.Board(5).squares]
    requests += [kt.Board(3, 3), kt.Board(6), kt.Board(8).tours(closed=True)]
    here = kt.solve_many(requests, seed=7)
    assert [type(answer).__name__ for answer in here].count("Impossible") == 13
    assert here[27] == kt.Board(8).tours(closed=True).find(seed=34)
    seen: list[kt.Progress] = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert kt.solve_many(requests, executor=threads, seed=7, progress=seen.append) == here
    assert (seen[-1].done, seen[-1].total) == (28, 28)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert kt.solve_many(requests, executor=processes, seed=7) == here
        trials = kt.warnsdorff_trials(kt.Board(8), 1000, seed=5)
        assert kt.warnsdorff_trials(kt.Board(8), 1000, seed=5, executor=processes) == trials
    with ThreadPoolExecutor(2) as threads:
        assert kt.warnsdorff_trials(kt.Board(8), 3, seed=5, executor=threads).lengths == trials.lengths[:3]
        fresh = kt.warnsdorff_trials(kt.Board(8), 10, executor=threads)
        assert kt.warnsdorff_trials(kt.Board(8), 10, seed=fresh.seed) == fresh
        with pytest.raises(kt.RequestError, match="-1"):
            kt.warnsdorff_trials(kt.Board(8), -1, executor=threads)
        cancel = kt.Cancel()
        cancel.cancel()
        with pytest.raises(kt.LimitReachedError):
            kt.solve_many(requests, executor=threads, cancel=cancel)
    with pytest.raises(kt.RequestError, match="collection"):
        anything.solve_many([5])
    assert kt.solve_many([]) == []


def test_trials_that_are_cancelled_before_they_begin_are_not_run() -> None:
    cancel = kt.Cancel()
    cancel.cancel()
    with ThreadPoolExecutor(2) as threads:
        with pytest.raises(kt.LimitReachedError, match="cancelled"):
            kt.warnsdorff_trials(8, 100, executor=threads, cancel=cancel)
        with pytest.raises(kt.RequestError, match="cancel must be"):
            kt.warnsdorff_trials(8, 100, executor=threads, cancel=5)  # type: ignore[arg-type]


def test_drawing_is_shared_by_workers(tmp_path: Path) -> None:
    """The same tours whoever draws them: threads, processes that make the tables, and those that open a file."""
    closed = kt.Board(6).tours(closed=True)
    here = closed.sample(1500, seed=7)
    kinds = [closed.distinct(), closed.symmetric("half-turn"), kt.Board(5).tours(start="a1", end="e5")]
    seen: list[kt.Progress] = []
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as threads:
            tours = kt.Board(6).tours(closed=True)
            assert tours.sample(1500, seed=7, executor=threads, progress=seen.append) == here
            assert tours.sample(5, seed=7, executor=threads, threads=2) == here[:5]
    assert (seen[-1].done, seen[-1].total) == (1500, 1500)
    index = tmp_path / "6x6.tours"
    prepared = kt.Board(6).tours(closed=True).prepare(index)
    assert len(pickle.dumps(Source(prepared).draw)) < 500
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        for tours in (kt.Board(6).tours(closed=True), prepared, kt.open_tours(index)):
            drawn = tours.sample(1500, seed=7, executor=processes)
            assert (drawn, drawn.seed) == (here, 7)
        for tours in kinds:
            assert tours.sample(70, seed=3, executor=processes) == tours.sample(70, seed=3)
        fresh = prepared.sample(3, executor=processes)
        assert prepared.sample(3, seed=fresh.seed) == fresh
        assert prepared.sample(0, executor=processes) == []
        with pytest.raises(kt.NoTourError, match="3x3"):
            kt.Board(3).tours().sample(2, executor=processes)
        index.write_bytes(index.read_bytes()[:-40])
        with pytest.raises(kt.StoreError):
            kt.open_tours(index)


def test_what_a_worker_draws_from(tmp_path: Path) -> None:
    """A file of other tours is refused; the like of a source is made once."""
    closed, index = kt.Board(6).tours(closed=True), str(tmp_path / "tours")
    kt.Board(5).tours().prepare(index)
    with pytest.raises(kt.StoreError, match=r"Board\(5, 5\)"):
        source(closed, index)
    assert pickle.loads(pickle.dumps(Source(closed))) is pickle.loads(pickle.dumps(Source(closed)))
    source.cache_clear()


def test_misuse_of_draws() -> None:
    closed = kt.Board(6).tours(closed=True)
    with ThreadPoolExecutor(1) as threads:
        for options in ({"seed": -1}, {"threads": 0}, {"k": -2}, {"k": 1.5}):
            with pytest.raises(kt.RequestError, match=str(next(iter(options.values())))):
                anything.Tours.sample(closed, executor=threads, **options)
        cancel = kt.Cancel()
        cancel.cancel()
        with pytest.raises(kt.LimitReachedError):
            closed.sample(100, executor=threads, cancel=cancel)
