"""Plans: a count as the sum of parts, each of which is counted by itself."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

from knightstour._core import Limits, _count_between, _encode
from knightstour.errors import check_file
from knightstour.keywords import helpful, helpful_methods
from knightstour.limits import DISK, limit_error, size
from knightstour.results import Record, Stats, Stopped
from knightstour.tours import CHECKPOINT_SECONDS, Tours

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from os import PathLike

    from knightstour._core import Board, Cancel
    from knightstour.parts.forecast import Forecast
    from knightstour.parts.tables import PlanCount
    from knightstour.results import Progress
    from knightstour.square import SquareLike

FORMAT = 1
"""The version of the data that a plan's fingerprint is made from."""


class Part(Record):
    """One part of a count.

    Attributes
    ----------
    key
        Its name in the plan.
    multiplicity
        How many parts it stands for, itself included, that are equal by symmetry.
    start, end
        The ends of its tours, if the part fixes them.
    between
        The numbers of the squares on which its tours may start, and of those on which they may end, if it limits them.
    including, excluding
        The moves its tours use and avoid, as pairs of square numbers.
    forecast
        What it is expected to take; None if not known.
    """

    key: str
    multiplicity: int
    start: int | None = None
    end: int | None = None
    between: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    including: tuple[tuple[int, int], ...] = ()
    excluding: tuple[tuple[int, int], ...] = ()
    forecast: Forecast | None = None

    def spec(self) -> dict[str, Any]:
        """The part as plain data, without its forecast."""
        values = {name: getattr(self, name) for name in self._fields if name != "forecast"}
        return {name: value for name, value in values.items() if value not in {None, ()}}

    @staticmethod
    def of_spec(spec: dict[str, Any]) -> Part:
        """The part that such data describes."""
        pairs = {name: tuple((int(a), int(b)) for a, b in spec.get(name, ())) for name in ("including", "excluding")}
        between = spec.get("between")
        return Part(
            key=str(spec["key"]),
            multiplicity=int(spec["multiplicity"]),
            start=None if spec.get("start") is None else int(spec["start"]),
            end=None if spec.get("end") is None else int(spec["end"]),
            between=None if between is None else (tuple(map(int, between[0])), tuple(map(int, between[1]))),
            including=pairs["including"],
            excluding=pairs["excluding"],
        )


def tours_of(tours: Tours, part: Part) -> Tours:
    """The collection of a part, its sets of ends aside."""
    board = tours.board
    if part.start is not None or part.end is not None:
        ends: list[SquareLike | None] = [tours.start, tours.end]
        for at, number in enumerate((part.start, part.end)):
            if number is not None:
                ends[at] = square(board, number)
        asked, tours = tours, board.tours(start=ends[0], end=ends[1])
        tours = tours.including(*asked._request.included).excluding(*asked._request.excluded)
    if part.including:
        tours = tours.including(*(squares_of(board, move) for move in part.including))
    if part.excluding:
        tours = tours.excluding(*(squares_of(board, move) for move in part.excluding))
    return tours


def square(board: Board, number: int) -> tuple[int, int]:
    """The square of a number."""
    return divmod(number, board.cols)


def squares_of(board: Board, move: tuple[int, int]) -> tuple[SquareLike, SquareLike]:
    """The two squares of a move."""
    return square(board, move[0]), square(board, move[1])


class Task(Record):
    """All that a worker needs to count a part; small, and picklable."""

    key: str
    tours: Tours
    between: tuple[tuple[int, ...], tuple[int, ...]] | None
    another_order: bool = False
    threads: int | None = None
    memory_limit: int | None = None
    time_limit: float | None = None
    spill_dir: str | None = None
    checkpoint: str | None = None

    def count(
        self, progress: Callable[[Progress], object] | None = None, cancel: Cancel | None = None
    ) -> tuple[int, Stats]:
        """Count: the value, and what was done. Raises as `Tours.count` does."""
        between = None if self.between is None else (list(self.between[0]), list(self.between[1]))
        limits = Limits(self.time_limit, None, self.memory_limit, self.threads, progress, cancel)
        files = (self.checkpoint, self.spill_dir, CHECKPOINT_SECONDS)
        answer = _count_between(self.tours._request, between, self.another_order, limits, files)
        if isinstance(answer, Stopped):
            doing = f"counting the part {self.key!r} of the {self.tours._describe()}"
            raise limit_error(answer, doing, self.memory_limit, *([] if self.spill_dir else [DISK]))
        return answer


@helpful_methods
class Plan(Record):
    """A count cut into parts: exact, independent, restartable. ``print(plan)`` is a table of them.

    Attributes
    ----------
    tours
        What is counted.
    by
        How it is cut: ``"whole"``, ``"rows"`` (by the rows, or columns, of the ends), ``"ends"`` or ``"moves"``.
    parts
        The parts. Their values, each times its multiplicity, add up to the count.
    memory_limit
        The most bytes that a part was meant to take, if the plan was made for a limit.
    """

    tours: Tours
    by: str
    parts: tuple[Part, ...]
    memory_limit: int | None = None
    _apart = frozenset({"memory_limit"})

    @property
    def fingerprint(self) -> str:
        """What is counted and how it is cut, as 64 hexadecimal digits; the same on every machine."""
        said = json.dumps(self.spec()["parts"], sort_keys=True).encode()
        return hashlib.sha256(b"knightstour plan %d\n" % FORMAT + _encode(self.tours._request) + said).hexdigest()

    def spec(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {"by": self.by, "parts": [part.spec() for part in self.parts]}

    @property
    def seconds(self) -> float | None:
        """Core seconds expected in all; None unless each part has a forecast."""
        known = [part.forecast.seconds for part in self.parts if part.forecast is not None]
        return sum(known) if len(known) == len(self.parts) else None

    @property
    def memory(self) -> int | None:
        """Bytes expected for the largest part; None unless each part has a forecast."""
        known = [part.forecast.memory for part in self.parts if part.forecast is not None]
        return max(known, default=0) if len(known) == len(self.parts) else None

    def task(self, part: Part, **options: Any) -> Task:
        """What a worker needs for a part."""
        return Task(part.key, tours_of(self.tours, part), part.between, **options)

    def run(
        self,
        executor: Executor | None = None,
        ledger: str | PathLike[str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        *,
        threads: int | None = None,
        memory_limit: int | None = None,
        time_limit: float | None = None,
        spill_dir: str | PathLike[str] | None = None,
        verify: int = 0,
        cancel: Cancel | None = None,
    ) -> PlanCount:
        """Count all parts, and add them up.

        Parameters
        ----------
        executor
            Any `concurrent.futures.Executor`: its workers count the parts, on one thread each unless ``threads`` says
            more. Without one, this process counts them one after another, on all cores.
        ledger
            A file (SQLite) that keeps the result of each part; it is made if it does not exist. Parts that it has are
            not counted again. Several processes may work on one ledger at the same time. A ledger of another plan is
            refused.
        progress
            Called with a `Progress` whenever a part is done, and without an executor also a few times a second;
            raising in it stops the run.
        threads, memory_limit, time_limit, spill_dir
            For each part, as for `Tours.count`.
        verify
            The number of parts, the cheapest ones, that are counted again in another order of the sweep, with another
            number of threads. If it is not 0, there are two more checks: the same kind of tours on a small board are
            counted in parts that are cut in two ways; and the tours from one line or square are counted together, if
            that takes no longer than the parts did. If two values differ, `StoreError` is raised.
        cancel
            A `Cancel` object that stops the run from another thread.

        Returns
        -------
        PlanCount
            A `Count` as `Tours.count` gives it. ``count.checks`` says what was checked, ``count.parts`` has the value
            of each part, and for plans by ends ``count.ends()`` is the table of all pairs of ends.

        If the run ends early (by a limit, Ctrl-C, a worker that died), the ledger has the parts that are done, and the
        next run resumes from there. Raises the errors of `Tours.count`, and `StoreError` for a ledger that cannot be
        trusted or written.
        """
        from knightstour.parts.run import run  # noqa: PLC0415 - brings sqlite3 and executors

        return run(
            self,
            executor,
            ledger,
            progress,
            {
                "threads": threads,
                "memory_limit": memory_limit,
                "time_limit": time_limit,
                "spill_dir": None if spill_dir is None else os.fspath(spill_dir),
            },
            verify,
            cancel,
        )

    def __str__(self) -> str:
        head = f"{len(self.parts)} parts of the {self.tours._describe()}, by {self.by}"
        rows = [("part", "times", "states", "memory", "core time", "within a factor of")]
        for part in self.parts:
            known = part.forecast
            cells = ("?", "?", "?", "") if known is None else (
                f"{known.states:,}", size(known.memory), duration(known.seconds), f"{known.factor:g}"
            )  # fmt: skip
            rows.append((part.key, str(part.multiplicity), *cells))
        total = "?" if self.seconds is None else duration(self.seconds)
        largest = "?" if self.memory is None else size(self.memory)
        rows.append(("all", "", "", largest, total, ""))
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]

        def line(row: tuple[str, ...]) -> str:
            cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            return "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()

        return "\n".join([head, *map(line, rows), *self._warning()])

    def _warning(self) -> list[str]:
        """A sentence on parts that are expected not to fit in memory."""
        most = self.memory_limit
        if most is None:
            return []
        many = sum(part.forecast is not None and part.forecast.memory > most for part in self.parts)
        if many == 0:
            return []
        said = f"{many} of {len(self.parts)} parts are expected to need more memory than {size(most)}"
        return [f"{said}; a spill directory puts on disk what does not fit"]

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import plan_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return plan_table(self)

    def __repr__(self) -> str:
        return f"<Plan: {len(self.parts)} parts of {self.tours!r}, by {self.by}>"


def duration(seconds: float) -> str:
    """A time, to two or three digits."""
    for unit, most in (("s", 120), ("min", 120), ("h", 72)):
        if seconds < most:
            return f"{seconds:.2g} {unit}" if seconds < 10 else f"{seconds:.0f} {unit}"
        seconds /= 60 if unit != "h" else 24
    return f"{seconds:.0f} days"


@helpful
def open_plan(ledger: str | PathLike[str]) -> Plan:
    """The plan in the file ``ledger``, to look at or to resume. Raises `StoreError` for a file that is not a ledger."""
    from knightstour.parts.ledger import Ledger  # noqa: PLC0415 - brings sqlite3

    check_file(ledger)
    with Ledger.open(ledger) as opened:
        return opened.plan()
