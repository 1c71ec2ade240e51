"""The ledger: an SQLite file with a plan and the result of each part that is done.

Several processes may use one ledger. A part that somebody is at work on is *leased*: the lease runs out unless its
holder renews it, so what a killed process held is taken up again. A result is written once; one that comes twice must
be the same.
"""

from __future__ import annotations

import csv
import json
import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from platform import node
from time import time
from typing import TYPE_CHECKING, Any

from knightstour._core import __version__
from knightstour.errors import StoreError
from knightstour.parts.plan import FORMAT, Part, Plan
from knightstour.results import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from knightstour.results import Stats

APPLICATION = 0x6B6E7472
"""What SQLite keeps in the head of the file: "kntr"."""

LEASE = 60.0
"""Seconds that a part stays taken without a sign of life."""

WAIT = 60.0
"""Seconds that one process waits for another to finish writing."""

DAMAGED = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""What reading may raise of a file that was not written here."""

TABLES = """
CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    part TEXT PRIMARY KEY, value TEXT NOT NULL, seconds REAL NOT NULL, memory INTEGER NOT NULL, states INTEGER NOT NULL,
    transitions INTEGER NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, finished REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE leases (part TEXT PRIMARY KEY, holder TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE checks (part TEXT NOT NULL, value TEXT NOT NULL, said TEXT NOT NULL, finished REAL NOT NULL);
"""


class Result(Record):
    """What a part came to.

    Attributes
    ----------
    part
        Its key.
    value
        Its number of tours, once: without the multiplicity.
    seconds, memory, states, transitions
        What it took: wall-clock seconds, bytes and states at the peak, transitions.
    machine, version
        Where it was counted, and by which version of the package.
    """

    _apart = frozenset({"seconds", "memory", "machine", "version"})

    part: str
    value: int
    seconds: float
    memory: int
    states: int
    transitions: int
    machine: str
    version: str


def result_of(part: str, value: int, stats: Stats) -> Result:
    """The result of a part that was counted here."""
    return Result(part, value, stats.seconds, stats.memory, stats.peak_states, stats.transitions, node(), __version__)


def shown(path: Path) -> str:
    """A path in a message. Of a long one, which nobody reads, the end with the file's name."""
    text = str(path)
    return text if len(text) <= 200 else f"...{text[-200:]}"


class Ledger:
    """An open ledger. A context manager; it is closed at the end.

    All of its methods raise `StoreError` for a file that is damaged or cannot be written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        self.holder = f"{node()} {os.getpid()} {os.urandom(4).hex()}"
        #: The plan, once it was read.
        self._plan: Plan | None = None

    @classmethod
    def open(cls, path: str | PathLike[str], plan: Plan | None = None) -> Self:
        """Open a ledger that is there; or make one for a plan. One of another plan, or format, is refused."""
        path = Path(path)
        if plan is None and not path.exists():
            raise StoreError(f"{shown(path)}: there is no such ledger")
        try:
            connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(f"{shown(path)}: {error}") from error
        ledger = cls(path, connection)
        try:
            ledger._begin(plan)
        except BaseException:
            connection.close()
            raise
        return ledger

    def _begin(self, plan: Plan | None) -> None:
        with self._asking() as ask:
            ask("PRAGMA synchronous = FULL")
            ask("BEGIN IMMEDIATE" if plan is not None else "BEGIN")
            try:
                is_new = ask("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
                if is_new and plan is not None:
                    self._make(plan)
                elif ask("PRAGMA application_id").fetchone()[0] != APPLICATION:
                    raise StoreError(f"{shown(self.path)}: not a ledger of knightstour")
                said = self._said()
                if said.get("format") != str(FORMAT):
                    found = said.get("format")
                    raise StoreError(
                        f"{shown(self.path)}: a ledger of format {found}; this version reads format {FORMAT}"
                    )
                if plan is not None and said.get("fingerprint") != plan.fingerprint:
                    raise StoreError(
                        f"{shown(self.path)}: a ledger of another plan ({said.get('asked')}), not of "
                        f"{len(plan.parts)} parts of {plan.tours!r}"
                    )
            except BaseException:
                ask("ROLLBACK")
                raise
            ask("COMMIT")

    def _make(self, plan: Plan) -> None:
        from knightstour.parts.request import request_object  # noqa: PLC0415

        with self._asking() as ask:
            for statement in TABLES.split(";"):
                ask(statement)
            ask(f"PRAGMA application_id = {APPLICATION}")
            for name, value in {
                "format": str(FORMAT),
                "fingerprint": plan.fingerprint,
                "asked": f"{len(plan.parts)} parts of {plan.tours!r}",
                "request": json.dumps(request_object(plan.tours)),
                "plan": json.dumps(plan.spec()),
                "version": __version__,
            }.items():
                ask("INSERT INTO plan VALUES (?, ?)", (name, value))

    @contextmanager
    def _asking(self) -> Iterator[Any]:
        """The way to ask SQLite; its errors become `StoreError`."""
        try:
            yield self._connection.execute
        except sqlite3.Error as error:
            raise StoreError(f"{shown(self.path)}: {error}") from error

    def _said(self) -> dict[str, str]:
        with self._asking() as ask:
            return dict(ask("SELECT name, value FROM plan").fetchall())

    def plan(self) -> Plan:
        """The plan. What is read is checked against its fingerprint."""
        from knightstour.parts.request import tours_of_object  # noqa: PLC0415

        if self._plan is None:
            said = self._said()
            try:
                spec = json.loads(said["plan"])
                parts = tuple(Part.of_spec(part) for part in spec["parts"])
                plan = Plan(tours_of_object(json.loads(said["request"])), str(spec["by"]), parts)
                is_whole = plan.fingerprint == said["fingerprint"]
            except DAMAGED as error:
                raise StoreError(f"{shown(self.path)}: the plan in it is damaged ({error})") from error
            if not is_whole:
                raise StoreError(f"{shown(self.path)}: the plan in it is damaged: its fingerprint is another")
            self._plan = plan
        return self._plan

    def results(self) -> dict[str, Result]:
        """The results so far, by part."""
        with self._asking() as ask:
            rows = ask(
                "SELECT part, value, seconds, memory, states, transitions, machine, version FROM results"
            ).fetchall()
        try:
            return {
                str(part): Result(
                    str(part), int(value), float(seconds), int(memory), int(states), int(transitions), *map(str, where)
                )
                for part, value, seconds, memory, states, transitions, *where in rows
            }
        except DAMAGED as error:
            raise StoreError(f"{shown(self.path)}: a result in it is damaged ({error})") from error

    def add(self, result: Result) -> None:
        """Write a result, and give its lease back. A part that is there already must have the same value."""
        with self._transaction() as ask:
            found = ask("SELECT value FROM results WHERE part = ?", (result.part,)).fetchone()
            if found is not None and found[0] != str(result.value):
                twice = f"the part {result.part!r} was counted twice, as {found[0]} and as {result.value}"
                raise StoreError(f"{shown(self.path)}: {twice}")
            if found is None:
                values = (result.part, str(result.value), result.seconds, result.memory, result.states)
                more = (result.transitions, result.machine, result.version, time())
                ask("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values + more)
            ask("DELETE FROM leases WHERE part = ?", (result.part,))

    def note_check(self, result: Result, said: str) -> None:
        """Write that a part was counted again."""
        with self._transaction() as ask:
            ask("INSERT INTO checks VALUES (?, ?, ?, ?)", (result.part, str(result.value), said, time()))

    def checks(self) -> list[tuple[str, str]]:
        """Parts that were counted again, and how."""
        with self._asking() as ask:
            return [tuple(row) for row in ask("SELECT part, said FROM checks").fetchall()]

    def lease(self, parts: Sequence[str], most: int) -> list[str]:
        """Take up to so many of the parts that are neither done nor taken."""
        now = time()
        with self._transaction() as ask:
            # One that ends later than any can was taken before the clock was set back.
            still = ask("SELECT part FROM leases WHERE until BETWEEN ? AND ?", (now, now + LEASE)).fetchall()
            taken = {part for (part,) in still}
            taken |= {part for (part,) in ask("SELECT part FROM results").fetchall()}
            free = [part for part in parts if part not in taken][:most]
            for part in free:
                ask("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", (part, self.holder, now + LEASE))
        return free

    def renew(self) -> None:
        """Say that the parts taken are still at work."""
        with self._transaction() as ask:
            ask("UPDATE leases SET until = ? WHERE holder = ?", (time() + LEASE, self.holder))

    def release(self) -> None:
        """Give all leases back."""
        with self._transaction() as ask:
            ask("DELETE FROM leases WHERE holder = ?", (self.holder,))

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._asking() as ask:
            ask("BEGIN IMMEDIATE")
            try:
                yield ask
                ask("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def export(self, to: Any) -> None:
        """Write the parts and their results as CSV to an open text file."""
        results = self.results()
        writer = csv.writer(to, lineterminator="\n")
        writer.writerow(["part", "multiplicity", *Result._fields[1:]])
        for part in self.plan().parts:
            result = results.get(part.key)
            cells = [""] * 7 if result is None else [getattr(result, name) for name in Result._fields[1:]]
            writer.writerow([part.key, part.multiplicity, *cells])

    def close(self) -> None:
        """Give all leases back, and close the file."""
        try:
            self.release()
        except StoreError:
            pass  # They run out by themselves.
        finally:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
