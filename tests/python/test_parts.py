"""Counts in parts: the parts add up, whoever counts them, and whatever happens on the way."""

import json
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import commands
import knightstour as kt
from knightstour.parts import Ledger, Part, Plan, open_plan
from knightstour.parts import ledger as ledgers
from knightstour.parts.ledger import Result

anything: Any = kt


def random_tours(rng: random.Random) -> kt.Tours:
    """A collection on a small board of any kind, with constraints."""
    rows, cols = rng.choice([(3, 4), (4, 5), (5, 4), (5, 5), (3, 7), (4, 4), (3, 5)])
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    blocked = rng.sample(squares, rng.choice([0, 0, 1, 2, 3]))
    leaper = rng.choice([(1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (1, 3), (2, 3)])
    board = kt.Board(rows, cols, blocked=blocked, leaper=leaper, wrap=rng.choice([None, None, "cols", "rows", "both"]))
    kind: dict[str, Any] = {"closed": rng.random() < 0.3}
    if not kind["closed"]:
        ends = rng.sample(list(board.squares), 2)
        if rng.random() < 0.3:
            kind["start"] = ends[0]
        if rng.random() < 0.3:
            kind["end"] = ends[1]
    tours = board.tours(**kind)
    moves = sorted({(min(a, b), max(a, b)) for a in board.squares for b in board.moves(a)})
    if moves and rng.random() < 0.3:
        tours = tours.excluding(rng.choice(moves))
    if moves and rng.random() < 0.2:
        tours = tours.including(rng.choice(moves))
    return tours


def test_the_parts_add_up_on_every_kind_of_board() -> None:
    rng = random.Random(1)
    cuts: dict[Any, int] = dict.fromkeys(("rows", "ends", "moves", 5, "auto"), 0)
    nonzero = 0
    for _ in range(80):
        tours = random_tours(rng)
        try:
            whole = tours.count(method="backtracking", node_limit=200_000)
        except kt.LimitReachedError:
            continue
        nonzero += whole.value > 0
        for parts in cuts:
            if parts == "ends" and len(tours.board) > 14:
                continue
            try:
                plan = tours.plan(parts)
            except kt.RequestError:
                assert parts in {"rows", "ends"}
                assert tours.closed or (tours.start is not None and tours.end is not None)
                continue
            count = plan.run()
            assert (count.value, count.undirected, count.directed) == (whole.value, whole.undirected, whole.directed), (
                tours,
                parts,
            )
            cuts[parts] += 1
    assert nonzero > 10
    assert min(cuts.values()) > 10, cuts


@pytest.mark.parametrize(
    ("rows", "cols", "parts", "known"),
    [
        (5, 5, "ends", 1728),
        (5, 6, "rows", 37568),
        (6, 6, "rows", 6_637_920),
        (6, 5, "ends", 37568),
        (4, 7, "rows", 12756),
    ],
)
def test_published_counts(rows: int, cols: int, parts: Any, known: int) -> None:
    plan = kt.Board(rows, cols).tours().plan(parts)
    count = plan.run(verify=3)
    assert count == known
    assert sum(part.multiplicity * count.parts[part.key] for part in plan.parts) == known
    assert [check.split()[0].split("(")[0] for check in count.checks] == ["each", "a", "Board", "the", "counted"]
    # As many tours as symmetry promises: fewer parts than pairs of rows or ends.
    lines = max(rows, cols)
    assert len(plan.parts) <= (lines * (lines + 1) // 2 * 0.6 if parts == "rows" else rows * cols * rows * cols / 8)


def test_the_table_of_ends() -> None:
    board = kt.Board(5, 6)
    count = board.tours().plan("ends").run()
    table = count.ends()
    rows = np.asarray(table.rows)
    assert rows.shape == (30, 30)
    assert (rows == rows.T).all()
    assert int(rows.sum()) == 37568
    starts = board.tours().starts()
    assert np.asarray(table.starts()).tolist() == [
        [starts[kt.Square(row, col)] for col in range(6)] for row in range(5)
    ]
    some = board.tours(start="a1", end="b1").count()
    assert table.from_start("a1")[4][1] == some.value
    assert "<svg" in table.svg()
    assert f">{table.from_start('a1')[4][1]}<" in table.svg("a1")
    with pytest.raises(kt.RequestError, match="rows"):
        board.tours().plan("rows").run().ends()


def test_plans_are_the_same_everywhere() -> None:
    tours = kt.Board(5, 6).tours()
    plan = tours.plan("rows")
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert plan.fingerprint == tours.plan("rows").fingerprint
    assert len(plan.fingerprint) == 64
    for other in (tours.plan("ends"), kt.Board(6, 5).tours().plan("rows"), tours.excluding(("a1", "b3")).plan("rows")):
        assert other.fingerprint != plan.fingerprint
    task = plan.task(plan.parts[0])
    assert len(pickle.dumps(task)) < 1000


MISUSE: list[tuple[Any, str]] = [
    (lambda: anything.Board(5).tours().plan("halves"), "halves"),
    (lambda: anything.Board(5).tours().plan(0), "0"),
    (lambda: anything.Board(5).tours().plan(True), "True"),
    (lambda: anything.Board(5).tours(closed=True).plan("ends"), "no ends"),
    (lambda: anything.Board(5).tours(start="a1", end="b1").plan("rows"), "given"),
    (lambda: anything.Board(5).tours().with_steps({"a1": 3}).plan(), "steps"),
]


@pytest.mark.parametrize("case", range(len(MISUSE)))
def test_misuse(case: int) -> None:
    call, quoted = MISUSE[case]
    with pytest.raises(kt.RequestError, match=quoted):
        call()


# --- executors -----------------------------------------------------------------------------------------------


def test_a_plan_without_parts(tmp_path: Path) -> None:
    tours = kt.Board(3, 4).tours(start="a1", end="c1")  # of one colour: no pair of ends is left
    plan = tours.plan("ends")
    assert plan.parts == ()
    assert (plan.memory, plan.seconds) == (0, 0)
    assert "0 parts" in str(plan)
    assert plan.run() == tours.count() == 0
    assert plan.run(ledger=tmp_path / "run.db", verify=1) == 0
    assert kt.open_plan(tmp_path / "run.db").run(ledger=tmp_path / "run.db").value == 0


def test_on_threads_and_processes(tmp_path: Path) -> None:
    plan = kt.Board(5, 6).tours().plan("rows")
    with ThreadPoolExecutor(3) as threads:
        assert plan.run(threads) == 37568
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert plan.run(processes, tmp_path / "run.db") == 37568
    machines = {result.machine for result in read(tmp_path / "run.db").values()}
    assert len(machines) == 1
    assert all(machines)


class OneAtATime(Executor):
    """Ends one call when four wait, whichever came last, and the rest when all have come."""

    _max_workers = 2

    def __init__(self, calls: int) -> None:
        self.calls, self.waiting = calls, list[tuple[Future[Any], Any]]()

    def submit(self, call: Any, /, *values: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: call(*values, **named)))
        self.calls -= 1
        while self.waiting and (len(self.waiting) == 4 or self.calls == 0):
            ended, work = self.waiting.pop()
            ended.set_result(work())
        return future


@pytest.mark.parametrize("has_ledger", [False, True])
def test_what_ends_makes_room_for_the_next(has_ledger: bool, tmp_path: Path) -> None:
    """Without a ledger the next part was handed out only when all of those before had ended."""
    plan = kt.Board(5, 6).tours().plan("rows")
    cancel = kt.Cancel()
    timer = threading.Timer(60, cancel.cancel)
    timer.start()
    executor = OneAtATime(len(plan.parts))
    assert plan.run(executor, tmp_path / "run.db" if has_ledger else None, cancel=cancel) == 37568
    timer.cancel()


DASK = """
import sys
from distributed import Client, LocalCluster
import knightstour as kt
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with Client(cluster) as client:
            plan = kt.Board(5, 6).tours().plan("rows")
            print(int(plan.run(client.get_executor(), sys.argv[1], verify=1)))
            tours = kt.Board(6).tours(closed=True)
            print(tours.sample(40, seed=7, executor=client.get_executor()) == tours.sample(40, seed=7))
            boards = [kt.Board(5), kt.Board(3), kt.Board(6)]
            print(kt.solve_many(boards, seed=1, executor=client.get_executor()) == kt.solve_many(boards, seed=1))
"""


def test_on_dask(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    done = commands.run_in(tmp_path, DASK)
    assert done.stdout == "37568\nTrue\nTrue\n", done.stderr[-2000:]
    assert len(read(tmp_path / "run.db")) == 12


def test_cancelling_and_progress() -> None:
    plan = kt.Board(6).tours().plan("rows")
    seen: list[kt.Progress] = []
    assert plan.run(progress=seen.append) == 6_637_920
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (0, 12, 12)
    cancel = kt.Cancel()
    cancel.cancel()
    with pytest.raises(kt.LimitReachedError) as caught:
        plan.run(cancel=cancel)
    assert caught.value.limit == "cancelled"
    with ThreadPoolExecutor(1) as threads, pytest.raises(kt.LimitReachedError):
        plan.run(threads, cancel=cancel)
    with pytest.raises(kt.MemoryLimitError, match="rows"):
        plan.run(memory_limit=1000)


# --- the command line ----------------------------------------------------------------------------------------


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "knightstour", *arguments], capture_output=True, text=True, check=False
    )


def test_the_command_line(tmp_path: Path) -> None:
    path = str(tmp_path / "run.db")
    assert command("count", "5x6", "--plan", path, "--parts", "rows").stdout == "37568\n"
    assert command("count", "5x6", "--plan", path).stdout == "37568\n"
    again = command("ledger", path, "--verify", "2")
    assert again.returncode == 0
    assert again.stdout.splitlines()[0] == "12 of 12 parts by rows of Board(5, 6).tours()"
    assert again.stdout.endswith("\n37568\n")
    said = json.loads(command("ledger", path, "--json").stdout)
    assert (said["done"], said["value"], len(said["checks"])) == (12, 37568, 2)
    assert command("ledger", path, "--csv", "-").stdout.count("\n") == 13
    for misuse in (
        ["count", "5x7", "--plan", path],
        ["count", "5x6", "--plan", path, "--parts", "ends"],
        ["count", "5x6", "--parts", "ends"],
        ["count", "5x6", "--plan", path, "--method", "backtracking"],
        ["count", "5x6", "--plan", str(tmp_path / "new.db"), "--parts", "halves"],
        ["ledger", str(tmp_path / "nothing.db")],
    ):
        refused = command(*misuse)
        assert (refused.returncode, refused.stdout) == (2, ""), misuse
        assert refused.stderr
    workers = command("count", "6x6", "--closed", "--plan", str(tmp_path / "w.db"), "--parts", "3", "--workers", "2")
    assert workers.stdout == "9862\n"


def test_tables_of_ends_on_the_command_line(tmp_path: Path) -> None:
    path, table, picture = (str(tmp_path / name) for name in ("run.db", "ends.csv", "starts.svg"))
    assert command("ledger", path, "--ends", table).returncode == 2
    assert command("count", "5x5", "--plan", path, "--parts", "ends").stdout == "1728\n"
    assert command("ledger", path, "--ends", table).returncode == 0
    assert command("ledger", path, "--ends", picture).returncode == 0
    lines = [line.split(",") for line in Path(table).read_text().splitlines()]
    assert lines[0][:3] == ["start", "a5", "b5"]
    assert sum(int(cell) for line in lines[1:] for cell in line[1:]) == 1728
    assert sum(map(int, lines[1][1:])) == 304
    assert Path(picture).read_text().startswith("<svg")
    assert ">304<" in Path(picture).read_text()
    other = str(tmp_path / "rows.db")
    assert command("count", "5x5", "--plan", other, "--parts", "rows").returncode == 0
    refused = command("ledger", other, "--ends", table)
    assert refused.returncode == 2
    assert "by rows" in refused.stderr


def test_boards_too_large_for_parts_are_refused_before_anything_is_made_of_them() -> None:
    for board in (kt.Board(46340), kt.Board(1, 2**31)):
        for parts in ("auto", "rows", "ends", 3):
            with pytest.raises(kt.RequestError, match="too large to be counted in parts"):
                board.tours().plan(parts, time_limit=1)
    with pytest.raises(kt.RequestError, match="40x40 board: it has 1,600 squares"):
        kt.Board(40).tours().plan("ends")


def test_a_dash_is_standard_output_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, table = "run.db", Path("ends.csv")
    assert commands.run("count", "5x5", "--plan", path, "--parts", "ends").stdout == "1728\n"
    assert commands.run("ledger", path, "--ends", str(table)).returncode == 0
    printed = commands.run("ledger", path, "--ends", "-", "--verify", "1")
    assert (printed.returncode, printed.stdout) == (0, table.read_text())
    before = Path(path).read_bytes()
    for misuse, said in (
        (
            ["ledger", path, "--ends", "-", "--csv", "-"],
            "--csv - and --ends - cannot be combined: only one can go to standard output",
        ),
        (["ledger", path, "--json", "--csv", "-"], "standard output"),
        (["ledger", path, "--csv", "run.db"], "--csv would overwrite the ledger"),
        (["ledger", path, "--csv", "nowhere/x.csv"], "cannot write"),
        (["count", "5x5", "--plan", "-"], "--plan"),
        (["count", "5x5", "--checkpoint", "-"], "--checkpoint"),
        (["starts", "5x5", "--checkpoint", "-"], "--checkpoint"),
        (["sample", "5x5", "--index", "-"], "--index"),
    ):
        refused = commands.run(*misuse)
        assert (refused.returncode, refused.stdout) == (2, ""), misuse
        assert said in refused.stderr, refused.stderr
    assert Path(path).read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir() if file.name != "run.db") == ["ends.csv"]


# --- the ledger ----------------------------------------------------------------------------------------------


def read(path: Path) -> dict[str, Result]:
    with Ledger.open(path) as ledger:
        return ledger.results()


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(5, 6).tours().plan("rows")

    def stop(progress: kt.Progress) -> None:
        if progress.done == 5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        plan.run(ledger=path, progress=stop)
    before = read(path)
    assert len(before) == 5
    seen: list[kt.Progress] = []
    count = plan.run(ledger=path, progress=seen.append, verify=2)
    assert count == 37568
    assert seen[0].done == 5
    with Ledger.open(path) as ledger:
        assert {key: ledger.results()[key] for key in before} == before
        assert len(ledger.checks()) == 2
        text = tmp_path / "out.csv"
        with text.open("w") as file:
            ledger.export(file)
    lines = text.read_text().splitlines()
    assert lines[0] == "part,multiplicity,value,seconds,memory,states,transitions,machine,version"
    assert sum(int(line.split(",")[1]) * int(line.split(",")[2]) for line in lines[1:]) == 37568
    assert open_plan(path) == plan_without_forecast(plan)
    assert open_plan(path).run(ledger=path).parts == count.parts


def plan_without_forecast(plan: Plan) -> Plan:
    return Plan(plan.tours, plan.by, tuple(Part.of_spec(json.loads(json.dumps(part.spec()))) for part in plan.parts))


def test_ledgers_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    tours = kt.Board(5, 6).tours()
    tours.plan("rows").run(ledger=path)
    good = path.read_bytes()
    for other in (tours.plan("ends"), kt.Board(6, 5).tours().plan("rows"), kt.Board(5, 7).tours().plan("rows")):
        with pytest.raises(kt.StoreError, match="another plan"):
            other.run(ledger=path)
    assert path.read_bytes() == good
    with pytest.raises(kt.StoreError, match=r"^No such file: '.*nothing\.db'"):
        open_plan(tmp_path / "nothing.db")
    for damaged in (b"hello", good[:1000], b"SQLite format 3\0" + bytes(200), b"x" * 5000):
        path.write_bytes(damaged)
        with pytest.raises(kt.StoreError, match=r"run\.db"):
            open_plan(path)
        with pytest.raises(kt.StoreError, match=r"run\.db"):
            tours.plan("rows").run(ledger=path)

    def tampered(statement: str) -> None:
        path.write_bytes(good)
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()

    tampered("UPDATE plan SET value = '7' WHERE name = 'format'")
    with pytest.raises(kt.StoreError, match="format 7"):
        open_plan(path)
    tampered("UPDATE plan SET value = replace(value, '0, 6', '0, 7') WHERE name = 'plan'")
    with pytest.raises(kt.StoreError, match="damaged"):
        open_plan(path)
    tampered("UPDATE results SET value = 'many'")
    with pytest.raises(kt.StoreError, match="damaged"):
        tours.plan("rows").run(ledger=path)
    tampered("UPDATE results SET seconds = 'long'")
    with pytest.raises(kt.StoreError, match="damaged"):
        tours.plan("rows").run(ledger=path)
    for plan in (
        '{"by": "rows", "parts": ["all"]}',
        '{"by": "rows", "parts": [{"key": "a", "multiplicity": 1e999}]}',
        "[" * 10**5,
    ):
        tampered(f"UPDATE plan SET value = '{plan}' WHERE name = 'plan'")
        with pytest.raises(kt.StoreError, match="damaged"):
            open_plan(path)
    other_file = tmp_path / "other.db"
    connection = sqlite3.connect(other_file)
    connection.execute("CREATE TABLE plan (name TEXT)")
    connection.close()
    with pytest.raises(kt.StoreError, match="not a ledger"):
        open_plan(other_file)


def wrong(path: Path, part: str, more: int) -> None:
    """Make a result in a ledger wrong, with a checksum that is right: as if it had been miscounted, and quickly."""
    connection = sqlite3.connect(path, isolation_level=None)
    [row] = connection.execute("SELECT * FROM results WHERE part = ?", (part,))
    row = (part, str(int(row[1]) + more), *row[2:5], 0, *row[6:9])
    row = (*row, ledgers.checksum(open_plan(path).fingerprint, *row))
    connection.execute("REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()


def test_a_wrong_value_is_found(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(5, 6).tours().plan("rows")
    plan.run(ledger=path)
    wrong(path, "columns 1+1", 1)
    with pytest.raises(kt.StoreError, match="counted again"):
        plan.run(ledger=path, verify=1)
    with pytest.raises(kt.StoreError, match="multiple of 4"):
        plan.run(ledger=path)
    with Ledger.open(path, plan) as ledger, pytest.raises(kt.StoreError, match="twice"):
        ledger.add(Result("columns 0+0", 5, 0.0, 0, 0, 0, "here", "0"))


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(5, 6).tours().plan("rows")
    with Ledger.open(path, plan):
        pass
    begin = Ledger._begin

    def full(self: Ledger, plan: Plan | None) -> None:
        begin(self, plan)
        pages = self._connection.execute("PRAGMA page_count").fetchone()[0]
        self._connection.execute(f"PRAGMA max_page_count = {pages + 5}")

    monkeypatch.setattr(Ledger, "_begin", full)
    monkeypatch.setattr(ledgers, "node", lambda: "m" * 3000)
    with pytest.raises(kt.StoreError, match="full"):
        plan.run(ledger=path)
    monkeypatch.undo()
    done = len(read(path))
    assert 0 < done < 12
    assert plan.run(ledger=path) == 37568


def test_two_coordinators_share_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(6).tours().plan("rows")
    answers: list[int] = []

    def run() -> None:
        answers.append(int(plan.run(ledger=path, threads=1)))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [6_637_920] * 3
    assert len(read(path)) == 12


def test_what_a_dead_process_held_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(5, 6).tours().plan("rows")
    monkeypatch.setattr(ledgers, "LEASE", 2.0)
    with Ledger.open(path, plan) as ledger:
        keys = [part.key for part in plan.parts]
        assert ledger.lease(keys, 3) == keys[:3]
        with Ledger.open(path, plan) as other:
            assert other.lease(keys, 100) == keys[3:]
        # The other gave its leases back when it was closed; those of the first run out.
        assert plan.run(ledger=path) == 37568


PROGRAM = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import knightstour as kt
from knightstour.parts import ledger
ledger.LEASE = 0.5
if __name__ == "__main__":
    plan = kt.Board(5, 6).tours().plan("rows")
    executor = ProcessPoolExecutor(2, mp_context=get_context("fork")) if sys.argv[2] == "workers" else None
    print(int(plan.run(executor, sys.argv[1])), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_killed_at_random_fifty_times(tmp_path: Path) -> None:
    """The coordinator, or all of its workers with it: nothing is lost, nothing counted twice."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    rng = random.Random(3)
    kills = finished = 0
    path = tmp_path / "0.db"
    began = time.monotonic()
    subprocess.run([sys.executable, str(program), str(tmp_path / "whole.db"), "here"], check=True, capture_output=True)
    whole = time.monotonic() - began
    for attempt in range(50):
        how = rng.choice(["here", "here", "workers"])
        process = subprocess.Popen(
            [sys.executable, str(program), str(path), how],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            out, _ = process.communicate(timeout=rng.uniform(0.3, 1.2) * whole)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
            kills += 1
        if out:
            assert out == "37568\n"
            finished += 1
            path = tmp_path / f"{attempt + 1}.db"
    assert kills > 10
    time.sleep(0.6)
    assert kt.Board(5, 6).tours().plan("rows").run(ledger=path) == 37568
    for file in tmp_path.glob("*.db"):
        plan = open_plan(file)
        results = read(file)
        assert sum(part.multiplicity * results[part.key].value for part in plan.parts) == 37568
