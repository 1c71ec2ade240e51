"""Whatever fails while a plan runs: what is done is kept, and nothing is counted twice."""

import os
import re
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

DATA = Path(__file__).parents[1] / "data"


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
    tamper(path, "DELETE FROM results WHERE part IN ('columns 0+0', 'columns 1+1')")
    value, stats = plan.task(plan.parts[0]).count()
    with Ledger.open(path, plan) as ledger:
        ledger.add(Result("columns 0+0", value, 0.1, 1, 1, stats.transitions, "elsewhere", "0.0.9"))
    assert plan.run(ledger=path) == 37568
    assert {result.version for result in read(path).values()} == {"0.0.9", kt.__version__}
    tamper(path, "UPDATE plan SET value = '0' WHERE name = 'format'")
    with pytest.raises(kt.StoreError, match="format 0; this version reads format 2"):
        plan.run(ledger=path)


def tamper(path: Path, *statements: str) -> None:
    """Change a ledger behind its back."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def refuses(path: Path, plan: Plan) -> bool:
    """Whether a ledger is refused, by those who read it and by those who go on with it."""
    with pytest.raises(kt.StoreError, match=re.escape(path.name)):
        plan.run(ledger=path)
    with pytest.raises(kt.StoreError, match=re.escape(path.name)):
        read(path)
    return commands.run("ledger", str(path)).returncode == 2


#: Open tours of 4x5, published: 164.
PLAN_4X5 = kt.Board(4, 5).tours().plan("ends")


def test_every_flipped_bit_of_a_value(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    assert PLAN_4X5.run(ledger=path) == 164
    values = {key: str(result.value).encode() for key, result in read(path).items()}
    ledger = Ledger.open(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    flips = 0
    for key, value in values.items():
        for at in range(len(value)):
            for bit in range(8):
                flipped = bytearray(value)
                flipped[at] ^= 1 << bit
                change = "UPDATE results SET value = CAST(? AS TEXT) WHERE part = ?"
                connection.execute(change, (bytes(flipped), key))
                with pytest.raises(kt.StoreError, match=r"run\.db"):
                    ledger.results()
                connection.execute(change, (value, key))
                flips += 1
    connection.close()
    ledger.close()
    assert flips >= 31 * 8
    assert PLAN_4X5.run(ledger=path) == 164


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE results SET value = '0'"],
        ["UPDATE results SET value = '4' WHERE part = 'a3-a2'"],
        ["UPDATE results SET value = 9" + 5000 * "9" + " WHERE part = 'a3-a2'"],
        ["UPDATE results SET transitions = transitions + 1 WHERE part = 'a3-a2'"],
        ["UPDATE results SET seconds = seconds / 2 WHERE part = 'a3-a2'"],
        ["UPDATE results SET machine = x'ff' WHERE part = 'a3-a2'"],
        ["UPDATE results SET version = CAST(x'ff' AS TEXT) WHERE part = 'a3-a2'"],
        # Two results change places, and one comes under a name that the plan does not have.
        ["UPDATE results SET part = 'x' WHERE part = 'a4-b4'", "UPDATE results SET part = 'a4-b4' WHERE part = 'a3-a2'",
         "UPDATE results SET part = 'a3-a2' WHERE part = 'x'"],
        ["UPDATE results SET part = 'x' WHERE part = 'a4-b4'"],
        ["DELETE FROM plan WHERE name = 'by'", "UPDATE plan SET value = replace(value, 'ends', 'rows')"],
        ["DROP TABLE results"],
        ["DROP TABLE leases"],
    ],
)  # fmt: skip
def test_results_that_were_changed(statements: list[str], tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    assert PLAN_4X5.run(ledger=path) == 164
    tamper(path, *statements)
    if statements == ["DROP TABLE leases"]:
        # All is counted: none is needed.
        assert sum(part.multiplicity * read(path)[part.key].value for part in PLAN_4X5.parts) == 164
    else:
        assert refuses(path, PLAN_4X5)


def test_a_result_of_another_plan(tmp_path: Path) -> None:
    """Of parts with the same names, of which some have other values."""
    path, other = tmp_path / "run.db", tmp_path / "other.db"
    assert PLAN_4X5.run(ledger=path) == 164
    kt.Board(4, 5).tours().excluding(("a1", "b3")).plan("ends").run(ledger=other)
    keys = set(read(path)) & set(read(other))
    assert keys
    key = min(keys)
    tamper(
        path,
        f"ATTACH '{other}' AS other",
        f"DELETE FROM results WHERE part = '{key}'",
        f"INSERT INTO results SELECT * FROM other.results WHERE part = '{key}'",
    )
    assert refuses(path, PLAN_4X5)


def test_results_that_are_missing_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    assert PLAN_4X5.run(ledger=path) == 164
    tamper(path, "DELETE FROM results WHERE value != '0'")
    said = commands.run("ledger", str(path))
    assert said.returncode == 0
    assert " of 31 parts by ends" in said.stdout
    # No sum of what is there.
    assert len(said.stdout.splitlines()) == 2
    assert PLAN_4X5.run(ledger=path) == 164


def test_a_false_note_of_a_check(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    PLAN_4X5.run(ledger=path, verify=1)
    with Ledger.open(path) as ledger:
        assert len(ledger.checks()) == 1
    tamper(path, "UPDATE checks SET part = 'a4-b4'")
    with Ledger.open(path) as ledger, pytest.raises(kt.StoreError, match="counted again is damaged"):
        ledger.checks()


def test_a_ledger_without_checksums_is_refused(tmp_path: Path) -> None:
    """One that was written before there were any; the refusal says by which version."""
    path = tmp_path / "run.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript((DATA / "ledger_format_1.sql").read_text())
    assert connection.execute("SELECT count(*) FROM results").fetchone() == (31,)
    connection.close()
    for read_it in (lambda: kt.open_plan(path), lambda: PLAN_4X5.run(ledger=path)):
        with pytest.raises(kt.StoreError, match=r"written by knightstour 0\.1\.0 in format 1, without checksums"):
            read_it()
    assert commands.run("ledger", str(path)).returncode == 2


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
