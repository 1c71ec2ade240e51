"""The ledger: an SQLite file with a plan and the result of each part that is done.

Several processes may use one ledger. A part that a process is counting is *leased*: the lease runs out unless the
process renews it, so the parts of a killed process are counted by others. A result is written once; if it comes twice,
both must be the same.

Each result has a checksum of itself and of the plan's fingerprint, and so have the plan and the notes of what was
counted again: a row that is damaged, has the name of another part, or comes from another plan is refused. Leases have
no checksum: a wrong lease at worst makes a part be counted twice.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from platform import node
from time import time
from typing import TYPE_CHECKING, Any

from knightstour._core import __version__
from knightstour.errors import StoreError
from knightstour.parts.plan import Part, Plan
from knightstour.plain import in_full
from knightstour.results import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from knightstour.results import Stats

FORMAT = 2
"""The version of the file. Format 1 had no checksums."""

APPLICATION = 0x6B6E7472
"""What SQLite keeps in the head of the file: "kntr"."""

LEASE = 60.0
"""Seconds after which a lease runs out if it is not renewed."""

WAIT = 60.0
"""Seconds that one process waits for another to finish writing."""

DAMAGED = (
    AttributeError,
    IndexError,
    KeyError,
    MemoryError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    sqlite3.Error,
)
"""Exceptions that SQLite and reading may raise if a file is damaged or was written by another program."""

TABLES = """
CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    part TEXT PRIMARY KEY, value TEXT NOT NULL, seconds REAL NOT NULL, memory INTEGER NOT NULL, states INTEGER NOT NULL,
    transitions INTEGER NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, finished REAL NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE leases (part TEXT PRIMARY KEY, holder TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE checks (
    part TEXT NOT NULL, value TEXT NOT NULL, said TEXT NOT NULL, finished REAL NOT NULL, checksum TEXT NOT NULL
);
"""


class Result(Record):
    """The result of a part.

    Attributes
    ----------
    part
        Its key.
    value
        Its number of tours, without the multiplicity.
    seconds, memory, states, transitions
        Its cost: wall-clock seconds, bytes and states at the peak, transitions.
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


def checksum(*values: object) -> str:
    """A checksum that shows whether values were changed."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def whole(digits: str) -> int:
    """A number that `in_full` wrote. Python's own conversion refuses some thousand digits."""
    try:
        return int(digits)
    except ValueError:
        from decimal import Decimal  # noqa: PLC0415 - few need it

        return int(Decimal(digits))


def shown(path: Path) -> str:
    """A path in a message; if it is long, only its end, which has the file's name."""
    text = str(path)
    return text if len(text) <= 200 else f"...{text[-200:]}"


class Ledger:
    """An open ledger. A context manager; it is closed at the end.

    All of its methods raise `StoreError` for a file that is damaged or cannot be written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        self.holder = f"{node()} {os.getpid()} {os.urandom(4).hex()}"
        #: The plan, once it was read, or the one asked for.
        self._plan: Plan | None = None

    @classmethod
    def open(cls, path: str | PathLike[str], plan: Plan | None = None) -> Self:
        """Open a ledger, or make one for a plan. A ledger of another plan or format is refused."""
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
            with suppress(sqlite3.Error):
                connection.close()
            raise
        return ledger

    def _begin(self, plan: Plan | None) -> None:
        with self._asking() as ask:
            ask("PRAGMA synchronous = FULL")
        with self._transaction("BEGIN IMMEDIATE" if plan is not None else "BEGIN") as ask:
            is_new = ask("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
            if is_new and plan is not None:
                self._make(plan)
            elif ask("PRAGMA application_id").fetchone()[0] != APPLICATION:
                raise self._error("this file is not a ledger of knightstour")
            said = self._said()
            if said.get("format") == "1":
                raise self._error(
                    f"this ledger was written by knightstour {said.get('version')} in format 1, without checksums: "
                    "damage would not be noticed. Finish it with that version, or count again with a new file"
                )
            if said.get("format") != str(FORMAT):
                raise self._error(f"this ledger has format {said.get('format')}; this version reads format {FORMAT}")
            if said.pop("checksum", None) != checksum(sorted(said.items())):
                raise self._error("the plan in it is damaged: its checksum is wrong")
            # What SQLite itself can find: rows that are lost, or are there twice.
            [*faults] = ask("PRAGMA quick_check(1)").fetchall()
            if faults != [("ok",)]:
                raise self._error(f"the file is damaged ({faults[0][0]})")
            if plan is not None and said["fingerprint"] != plan.fingerprint:
                raise self._error(
                    f"this ledger is of another plan ({said['asked']}), not of {len(plan.parts)} parts of "
                    f"{plan.tours!r}"
                )
        self._plan = plan

    def _make(self, plan: Plan) -> None:
        from knightstour.parts.request import request_object  # noqa: PLC0415

        said = {
            "format": str(FORMAT),
            "fingerprint": plan.fingerprint,
            "asked": f"{len(plan.parts)} parts of {plan.tours!r}",
            "request": json.dumps(request_object(plan.tours)),
            "plan": json.dumps(plan.spec()),
            "version": __version__,
        }
        said["checksum"] = checksum(sorted(said.items()))
        with self._asking() as ask:
            for statement in TABLES.split(";"):
                ask(statement)
            ask(f"PRAGMA application_id = {APPLICATION}")
            for name, value in said.items():
                ask("INSERT INTO plan VALUES (?, ?)", (name, value))

    def _error(self, why: str) -> StoreError:
        return StoreError(f"{shown(self.path)}: {why}")

    @contextmanager
    def _asking(self) -> Iterator[Any]:
        """Give a function that asks SQLite; its exceptions, and those of damaged data, become `StoreError`."""
        try:
            yield self._connection.execute
        except StoreError:
            raise
        except DAMAGED as error:
            raise self._error(str(error) or "the file is damaged") from error

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
                raise self._error(f"the plan in it is damaged ({error})") from error
            if not is_whole:
                raise self._error("the plan in it is damaged: its fingerprint is wrong")
            self._plan = plan
        return self._plan

    def results(self) -> dict[str, Result]:
        """The results so far, by part. Each is checked."""
        fingerprint, keys = self.plan().fingerprint, {part.key for part in self.plan().parts}
        found: dict[str, Result] = {}
        with self._asking() as ask:
            for part, *values, finished, check in ask("SELECT * FROM results").fetchall():
                if check != checksum(fingerprint, part, *values, finished):
                    raise self._error(f"the result of the part {part!r} is damaged, or belongs to another part or plan")
                value, seconds, memory, states, transitions, machine, version = values
                result = Result(part, whole(value), seconds, memory, states, transitions, machine, version)
                if part not in keys or found.setdefault(part, result) != result:
                    raise self._error(f"the result of the part {part!r} is there twice, or the plan has no such part")
        return found

    def add(self, result: Result) -> None:
        """Write a result, and give its lease back. If the part has a result already, it must have the same value."""
        value = in_full(result.value)
        with self._transaction() as ask:
            found = ask("SELECT value FROM results WHERE part = ?", (result.part,)).fetchone()
            if found is not None and found[0] != value:
                raise self._error(f"the part {result.part!r} was counted twice, as {found[0]} and as {value}")
            if found is None:
                row = (
                    result.part, value, float(result.seconds), result.memory, result.states, result.transitions,
                    result.machine, result.version, time(),
                )  # fmt: skip
                check = checksum(self.plan().fingerprint, *row)
                ask("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, check))
            ask("DELETE FROM leases WHERE part = ?", (result.part,))

    def note_check(self, result: Result, said: str) -> None:
        """Write that a part was counted again."""
        row = (result.part, in_full(result.value), said, time())
        with self._transaction() as ask:
            ask("INSERT INTO checks VALUES (?, ?, ?, ?, ?)", (*row, checksum(self.plan().fingerprint, *row)))

    def checks(self) -> list[tuple[str, str]]:
        """Parts that were counted again, and how."""
        fingerprint = self.plan().fingerprint
        with self._asking() as ask:
            rows = ask("SELECT * FROM checks").fetchall()
            if any(check != checksum(fingerprint, *row) for *row, check in rows):
                raise self._error("the note of a part that was counted again is damaged, or belongs to another plan")
            return [(part, said) for part, _, said, *_ in rows]

    def lease(self, parts: Sequence[str], most: int) -> list[str]:
        """Take up to ``most`` of the parts that are neither done nor taken."""
        now = time()
        with self._transaction() as ask:
            # A lease that ends later than is possible was taken before the clock was set back.
            still = ask("SELECT part FROM leases WHERE until BETWEEN ? AND ?", (now, now + LEASE)).fetchall()
            taken = {part for (part,) in still}
            taken |= {part for (part,) in ask("SELECT part FROM results").fetchall()}
            free = [part for part in parts if part not in taken][:most]
            for part in free:
                ask("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", (part, self.holder, now + LEASE))
        return free

    def renew(self) -> None:
        """Renew the leases of the parts that this process is counting."""
        with self._transaction() as ask:
            ask("UPDATE leases SET until = ? WHERE holder = ?", (time() + LEASE, self.holder))

    def release(self) -> None:
        """Give all leases back."""
        with self._transaction() as ask:
            ask("DELETE FROM leases WHERE holder = ?", (self.holder,))

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[Any]:
        with self._asking() as ask:
            ask(begin)
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
            cells = [""] * 7
            if result is not None:
                cells = [in_full(result.value), *(getattr(result, name) for name in Result._fields[2:])]
            writer.writerow([part.key, part.multiplicity, *cells])

    def close(self) -> None:
        """Give all leases back, and close the file."""
        try:
            self.release()
        except StoreError:
            pass  # They run out by themselves.
        finally:
            with suppress(sqlite3.Error):
                self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
