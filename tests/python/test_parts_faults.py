"""Whatever fails while a plan runs: what is done is kept, and nothing is counted twice."""

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import commands
import knightstour as kt
from knightstour.parts import Ledger, Plan
from knightstour.parts import ledger as ledgers
from knightstour.parts.ledger import Result, result_of


def plan_5x6() -> Plan:
    """Open 5x6 by columns: 12 parts, 37568 tours."""
    return kt.Board(5, 6).tours().plan("rows")


def read(path: Path) -> dict[str, Result]:
    """What a ledger holds."""
    with Ledger.open(path) as ledger:
        return ledger.results()


# --- executors --------------------------------------------------------------------------------------------------


class Odd(Executor):
    """Does each call at once, but some of them in its own way."""

    def __init__(self, treat: Callable[[int, Future[Any], Callable[[], Any]], None]) -> None:
        self.treat, self.calls = treat, 0

    def submit(self, call: Any, /, *values: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls += 1
        self.treat(self.calls, future, lambda: call(*values, **named))
        return future


def test_a_worker_that_raises(tmp_path: Path) -> None:
    path = tmp_path / "run.db"

    def treat(number: int, future: Future[Any], work: Callable[[], Any]) -> None:
        if number == 4:
            future.set_exception(ZeroDivisionError("in a worker"))
        else:
            future.set_result(work())

    with pytest.raises(ZeroDivisionError, match="in a worker"):
        plan_5x6().run(Odd(treat), path)
    # All the others that had been handed out are kept.
    assert len(read(path)) == 11
    assert plan_5x6().run(ledger=path) == 37568


def test_a_call_that_is_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "run.db"

    def treat(number: int, future: Future[Any], work: Callable[[], Any]) -> None:
        if number == 2:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(work())

    with pytest.raises(CancelledError):
        plan_5x6().run(Odd(treat), path)
    assert len(read(path)) == 11
    assert plan_5x6().run(ledger=path) == 37568


def test_an_executor_that_takes_no_more(tmp_path: Path) -> None:
    path = tmp_path / "run.db"

    def treat(number: int, future: Future[Any], work: Callable[[], Any]) -> None:
        if number == 6:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future.set_result(work())

    with pytest.raises(RuntimeError, match="after shutdown"):
        plan_5x6().run(Odd(treat), path)
    with Ledger.open(path) as ledger:
        # The leases were given back.
        keys = [part.key for part in plan_5x6().parts if part.key not in ledger.results()]
        assert ledger.lease(keys, 100) == keys
    assert plan_5x6().run(ledger=path) == 37568


class Deadly:
    """In place of a task: it kills its worker."""

    key = "columns 2+2"

    def count(self) -> None:
        """Count nothing."""
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_a_killed_worker_of_a_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.db"
    plan = plan_5x6()
    task = Plan.task

    def deadly(self: Plan, part: Any, **options: Any) -> Any:
        return Deadly() if part.key == Deadly.key else task(self, part, **options)

    monkeypatch.setattr(Plan, "task", deadly)
    with (
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes,
        pytest.raises(BrokenProcessPool),
    ):
        plan.run(processes, path)
    monkeypatch.undo()
    assert Deadly.key not in read(path)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert plan.run(processes, path) == 37568


DASK = """
import os, signal, sys, threading, time
from distributed import Client, LocalCluster
import knightstour as kt

def pid(dask_worker=None):
    return os.getpid()

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with Client(cluster) as client:
            pids = list(client.run(pid).values())
            plan = kt.Board(6).tours().plan("rows")

            def kill(progress):
                if progress.done == 3 and pids:
                    os.kill(pids.pop(), signal.SIGKILL)

            print(int(plan.run(client.get_executor(), sys.argv[1], kill)), len(pids))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_a_killed_worker_of_dask(tmp_path: Path) -> None:
    """The scheduler gives its parts to another worker."""
    pytest.importorskip("distributed")
    done = commands.run_in(tmp_path, DASK, 2 * commands.PATIENCE)
    assert done.stdout == "6637920 1\n", done.stderr[-3000:]
    assert len(read(tmp_path / "run.db")) == 12


# --- the ledger -------------------------------------------------------------------------------------------------


def test_a_ledger_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = plan_5x6()
    plan.run(ledger=path)
    if os.geteuid() != 0:
        path.chmod(0o400)
        with pytest.raises(kt.StoreError, match="readonly"):
            plan.run(ledger=path)
        path.chmod(0o600)
    for unfit in (tmp_path, tmp_path / "no such directory" / "run.db"):
        with pytest.raises(kt.StoreError, match="unable to open"):
            plan.run(ledger=unfit)


def test_a_ledger_of_which_writing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system that is read-only, whoever runs the test."""
    path = tmp_path / "run.db"
    plan = plan_5x6()
    begin = Ledger._begin

    def read_only(self: Ledger, plan: Plan | None) -> None:
        begin(self, plan)
        self._connection.execute("PRAGMA query_only = ON")

    monkeypatch.setattr(Ledger, "_begin", read_only)
    with pytest.raises(kt.StoreError, match="readonly"):
        plan.run(ledger=path)
    monkeypatch.undo()
    assert plan.run(ledger=path) == 37568


def test_a_ledger_that_somebody_else_keeps_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.db"
    plan = plan_5x6()
    plan.run(ledger=path)
    monkeypatch.setattr(ledgers, "WAIT", 0.01)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(kt.StoreError, match="locked"):
        plan.run(ledger=path)
    # It waits for one who is soon done.
    monkeypatch.setattr(ledgers, "WAIT", 60.0)
    timer = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
    other.close()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    timer.start()
    assert plan.run(ledger=path) == 37568
    timer.join()
    other.close()


def test_results_of_another_version_of_the_package(tmp_path: Path) -> None:
    """Are used, and said; a ledger of another format is refused."""
    path = tmp_path / "run.db"
    plan = plan_5x6()
    plan.run(ledger=path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE results SET version = '0.0.9' WHERE part = 'columns 0+0'")
    connection.execute("DELETE FROM results WHERE part = 'columns 1+1'")
    connection.commit()
    assert plan.run(ledger=path) == 37568
    assert {result.version for result in read(path).values()} == {"0.0.9", kt.__version__}
    connection.execute("UPDATE plan SET value = '0' WHERE name = 'format'")
    connection.commit()
    connection.close()
    with pytest.raises(kt.StoreError, match="format 0; this version reads format 1"):
        plan.run(ledger=path)


def test_a_part_that_comes_twice(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = plan_5x6()
    with Ledger.open(path, plan) as one, Ledger.open(path, plan) as other:
        value, stats = plan.task(plan.parts[0]).count()
        one.add(result_of(plan.parts[0].key, value, stats))
        other.add(result_of(plan.parts[0].key, value, stats))
        assert len(one.results()) == 1
        with pytest.raises(kt.StoreError, match="counted twice"):
            other.add(result_of(plan.parts[0].key, value + 1, stats))
        assert one.results()[plan.parts[0].key].value == value


def test_a_clock_that_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a dead process had taken is not taken for as long as the clock went back."""
    path = tmp_path / "run.db"
    plan = plan_5x6()
    keys = [part.key for part in plan.parts]
    now = [1_000_000.0]
    monkeypatch.setattr(ledgers, "time", lambda: now[0])
    with Ledger.open(path, plan) as dead, Ledger.open(path, plan) as other:
        assert dead.lease(keys, 4) == keys[:4]
        now[0] += 30
        assert other.lease(keys, 100) == keys[4:]
        now[0] -= 100_000
        assert other.lease(keys, 4) == keys[:4]
        assert other.lease(keys, 100) == keys[4:]
        now[0] += 100_000
        assert dead.lease(keys, 100) == keys


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["lease", "add", "renew", "release", "wait", "back", "reopen", "wrong"]),
        st.integers(0, 2),
        st.integers(1, 5),
    ),
    max_size=30,
)


@settings(max_examples=25, deadline=None)
@given(operations=OPERATIONS)
def test_nothing_is_lost_and_nothing_changes(  # noqa: PLR0912 - one branch for each operation
    operations: list[tuple[str, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Three coordinators do as they like with one ledger, and the clock as well."""
    path = tmp_path_factory.mktemp("ledger") / "run.db"
    plan = PLAN
    keys = [part.key for part in plan.parts]
    now, known = [1_000_000.0], dict[str, int]()
    taken: dict[str, tuple[int, float]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledgers, "time", lambda: now[0])
        open_ones = [Ledger.open(path, plan) for _ in range(3)]
        for what, who, many in operations:
            ledger = open_ones[who]
            mine = [key for key, (holder, _) in taken.items() if holder == who]
            match what:
                case "lease":
                    for key in ledger.lease(keys, many):
                        assert key not in known
                        # Nobody else has it, as far as the clock can be trusted.
                        assert key not in taken or not now[0] <= taken[key][1] <= now[0] + ledgers.LEASE
                        taken[key] = (who, now[0] + ledgers.LEASE)
                case "add":
                    for key in mine[:many]:
                        ledger.add(Result(key, len(key) * 1000, 0.1, 1, 1, 1, "here", "0"))
                        known[key] = len(key) * 1000
                        del taken[key]
                case "wrong" if known:
                    with pytest.raises(kt.StoreError, match="counted twice"):
                        ledger.add(Result(next(iter(known)), 7, 0.1, 1, 1, 1, "here", "0"))
                case "renew":
                    ledger.renew()
                    for key in mine:
                        taken[key] = (who, now[0] + ledgers.LEASE)
                case "release" | "reopen":
                    if what == "reopen":
                        ledger.close()
                        open_ones[who] = Ledger.open(path, plan)
                    else:
                        ledger.release()
                    for key in mine:
                        del taken[key]
                case "wait":
                    now[0] += 20.0 * many
                case "back":
                    now[0] -= 1000.0 * many
            assert {key: result.value for key, result in open_ones[0].results().items()} == known
        for ledger in open_ones:
            ledger.close()


PLAN = plan_5x6()
