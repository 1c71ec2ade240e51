"""Plans: a count as parts, each a count of its own, whose sum it is."""

from __future__ import annotations

import hashlib
import json
import os
from itertools import combinations_with_replacement
from time import monotonic
from typing import TYPE_CHECKING, Any

from knightstour._core import _check_limits, _count_between, _encode, _memory, _quote, _stabiliser
from knightstour.errors import RequestError
from knightstour.limits import limit_error
from knightstour.parts import forecast as forecasts
from knightstour.results import Record, Stats
from knightstour.tours import CHECKPOINT_SECONDS, Tours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor
    from os import PathLike

    from knightstour._core import Board, Cancel
    from knightstour.parts.forecast import Forecast
    from knightstour.parts.tables import PlanCount
    from knightstour.results import Progress
    from knightstour.square import SquareLike

FORMAT = 1
"""The version of what a plan says in a ledger."""

MOST_CUTS = 4096
"""Parts by moves, at most."""

WIDEST, NARROW_GROUPS = 7, 1_000_000
"""The widest boards from which wider ones are told, and the groups looked at there."""


class Part(Record):
    """One part of a count.

    Attributes
    ----------
    key
        Its name in the plan.
    multiplicity
        How many parts, equal to it by symmetry, it stands for.
    start, end
        The ends, if the part has them given.
    between
        The squares (by their numbers) on which its tours may start and those on which they may end, if it has such.
    including, excluding
        The moves its tours use and avoid, as pairs of square numbers.
    forecast
        What it is expected to take; None where it is not known.
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
        """The part as plain data; what is expected of it left out."""
        values = {name: getattr(self, name) for name in self._fields if name != "forecast"}
        return {name: value for name, value in values.items() if value not in {None, ()}}

    @staticmethod
    def of_spec(spec: dict[str, Any]) -> Part:
        """The part that such data tells of."""
        pairs = {name: tuple((int(a), int(b)) for a, b in spec.get(name, ())) for name in ("including", "excluding")}
        between = spec.get("between")
        return Part(
            key=str(spec["key"]),
            multiplicity=int(spec["multiplicity"]),
            start=spec.get("start"),
            end=spec.get("end"),
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
        limits = (self.time_limit, None, self.memory_limit)
        files = (self.checkpoint, self.spill_dir, CHECKPOINT_SECONDS)
        kind, answer, report = _count_between(
            self.tours._request, between, self.another_order, limits, self.threads, progress, cancel, files
        )
        stats = Stats(*report)
        if kind == "stopped":
            raise limit_error(answer, stats, f"counting the part {self.key!r} of the {self.tours._describe()}")
        return answer, stats


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
    """

    tours: Tours
    by: str
    parts: tuple[Part, ...]

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
        """Core seconds expected in all; None if they are not known of each part."""
        known = [part.forecast.seconds for part in self.parts if part.forecast is not None]
        return sum(known) if len(known) == len(self.parts) else None

    @property
    def memory(self) -> int | None:
        """Bytes expected of the largest part; None if they are not known of each part."""
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
            Any `concurrent.futures.Executor`: the parts are counted by its workers, on one thread each unless
            ``threads`` says more. Without one they are counted here one after another, on all cores.
        ledger
            A file (SQLite) that keeps the result of each part, made if it is not there. What it has is not counted
            again; several processes may work on one ledger at a time. One of another plan is refused.
        progress
            Called with a `Progress` whenever a part is done, and a few times a second in between where the parts are
            counted here; raising in it stops the run.
        threads, memory_limit, time_limit, spill_dir
            Of each part, as for `Tours.count`.
        verify
            So many parts, the cheapest, are counted again in another order of the sweep, with another number of
            threads; another value raises `StoreError`.
        cancel
            A `Cancel` object that stops the run from another thread.

        Returns
        -------
        PlanCount
            As `Tours.count` gives it; ``count.checks`` says what was checked, ``count.parts`` has the value of each
            part, and for plans by ends ``count.ends()`` is the table of all pairs of ends.

        Whatever ends the run early (a limit, Ctrl-C, a worker that died), the parts that are done are in the ledger,
        and the next run goes on from there.
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

        return "\n".join([head, *map(line, rows)])

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import plan_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return plan_table(self)

    def __repr__(self) -> str:
        return f"<Plan: {len(self.parts)} parts of {self.tours!r}, by {self.by}>"


def size(count: float) -> str:
    """Bytes, to two or three digits."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def duration(seconds: float) -> str:
    """A time, to two or three digits."""
    for unit, most in (("s", 120), ("min", 120), ("h", 72)):
        if seconds < most:
            return f"{seconds:.2g} {unit}" if seconds < 10 else f"{seconds:.0f} {unit}"
        seconds /= 60 if unit != "h" else 24
    return f"{seconds:.0f} days"


# --- making plans ------------------------------------------------------------------------------------------------


def make_plan(
    tours: Tours,
    parts: str | int = "auto",
    memory_limit: int | None = None,
    *,
    threads: int | None = None,
    time_limit: float | None = 60.0,
    cancel: Cancel | None = None,
) -> Plan:
    """Cut a count into parts; see `Tours.plan`."""
    request = tours._request
    _check_limits((time_limit, None, memory_limit), threads, None, cancel)
    if tours.is_distinct or tours.symmetries:
        raise RequestError(
            "symmetric() tours and distinct() classes are not counted in parts: count() takes them as one"
        )
    if request.steps:
        raise RequestError("tours with given steps are not counted in parts: the sweep does not know the steps")
    if isinstance(parts, bool) or not (isinstance(parts, int) or parts in {"auto", "rows", "ends", "moves"}):
        raise RequestError(f"parts must be 'auto', 'rows', 'ends', 'moves' or a number, not {_quote(parts)}")
    if isinstance(parts, int) and not 1 <= parts <= MOST_CUTS:
        raise RequestError(f"parts must be from 1 to {MOST_CUTS}, not {_quote(parts)}")
    if tours.closed and parts in {"rows", "ends"}:
        raise RequestError(f"closed tours have no ends; parts={parts!r} goes with open ones")
    if parts == "rows" and tours.start is not None and tours.end is not None:
        raise RequestError("both ends are given; parts='rows' has nothing to choose")
    look = Look(tours, memory_limit or _memory(), threads, time_limit, cancel)
    if parts == 1:
        return Plan(tours, "whole", (look.at(Part("all", 1)),))
    if isinstance(parts, int):
        return Plan(tours, "moves", tuple(by_moves(look, parts)))
    if parts == "rows":
        return Plan(tours, parts, tuple(look.at_all(by_rows(tours))))
    if parts == "ends":
        return Plan(tours, parts, tuple(look.at_all(by_ends(tours))))
    if parts == "moves":
        return Plan(tours, parts, tuple(by_moves(look, 2)))
    return automatic(look)


def automatic(look: Look) -> Plan:
    """The coarsest of the plans whose parts fit the memory; if none does, the one with the smallest parts."""
    tours = look.tours
    plans = [Plan(tours, "whole", (look.at(Part("all", 1)),))]
    if not look.fits(plans[0]) and not tours.closed:
        if tours.start is None or tours.end is None:
            plans.append(Plan(tours, "rows", tuple(look.at_all(by_rows(tours)))))
        if not look.fits(plans[-1]) and (tours.start is None or tours.end is None):
            plans.append(Plan(tours, "ends", tuple(look.at_all(by_ends(tours)))))
    elif not look.fits(plans[0]):
        plans.append(Plan(tours, "moves", tuple(by_moves(look, 2))))
    fitting = [plan for plan in plans if look.fits(plan)]
    return fitting[0] if fitting else min(plans, key=lambda plan: plan.memory or float("inf"))


class Look:
    """Looks ahead at parts, within a time for all of them."""

    def __init__(
        self, tours: Tours, memory: int, threads: int | None, time_limit: float | None, cancel: Cancel | None
    ) -> None:
        self.tours, self.memory, self.threads, self.cancel = tours, memory, threads, cancel
        self.until = None if time_limit is None else monotonic() + time_limit
        #: After that narrower boards are asked, for as long again.
        self.narrower_until = float("inf") if time_limit is None else monotonic() + 2 * time_limit

    def fits(self, plan: Plan) -> bool:
        """Whether every part is expected to fit the memory."""
        return plan.memory is not None and plan.memory <= self.memory

    def at(self, part: Part, share: int = 1) -> Part:
        """The part, with what it is expected to take, in one of so many shares of the time that is left."""
        tours = tours_of(self.tours, part)
        between = None if part.between is None else (list(part.between[0]), list(part.between[1]))
        left = None if self.until is None else max(self.until - monotonic(), 0.0) / share
        sizes = forecasts.sizes_of(tours._request, between, (left, None, self.memory), self.threads, self.cancel)
        if not isinstance(sizes, str):
            return replaced(part, forecasts.from_sizes(sizes, forecasts.KNOWN))
        known = self.from_narrower(part)
        return part if known is None else replaced(part, known)

    def at_all(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Each of the parts, with what it is expected to take."""
        todo = list(parts)
        for done, part in enumerate(todo):
            yield self.at(part, len(todo) - done)

    def from_narrower(self, part: Part) -> Forecast | None:
        """What a part is expected to take, from the like parts of narrower boards."""
        tours, board = self.tours, self.tours.board
        request = tours._request
        if request.included or request.excluded or part.including or part.excluding:
            return None
        if tours.start is not None or tours.end is not None or part.start is not None:
            return None
        lines = None if part.between is None else [line_of(board, squares[0]) for squares in part.between]
        # A closed tour wants an even number of squares: with an odd side every second width has none.
        stride = 2 if tours.closed and max(board.rows, board.cols) % 2 else 1
        sizes: list[forecasts.Sizes] = []
        widest = 0
        for by in range(stride * 6, 0, -stride):
            smaller = forecasts.narrowed(board, by)
            if smaller is None or min(smaller.rows, smaller.cols) > WIDEST:
                continue
            between = None
            if lines is not None:
                between = [[n for n in numbers(smaller) if line_of(smaller, n) == line] for line in lines]
            found = forecasts.sizes_of(
                smaller.tours(closed=tours.closed)._request,
                None if between is None else (between[0], between[1]),
                (max(self.narrower_until - monotonic(), 0.0), NARROW_GROUPS, None),
                self.threads,
                self.cancel,
            )
            if isinstance(found, str):
                break
            sizes.append(found)
            widest = min(smaller.rows, smaller.cols)
        if len(sizes) < 3:
            return None
        steps = (min(board.rows, board.cols) - widest) // stride
        for _ in range(steps):
            sizes.append(forecasts.extrapolated(sizes))
        return forecasts.from_sizes(sizes[-1], forecasts.GUESSED * 2.0 ** (steps - 1))


def replaced(part: Part, forecast: Forecast) -> Part:
    """The part with a forecast."""
    values = {name: getattr(part, name) for name in part._fields}
    return Part(**(values | {"forecast": forecast}))


def numbers(board: Board) -> list[int]:
    """The numbers of the open squares."""
    return [row * board.cols + col for row, col in board.squares]


def line_of(board: Board, number: int) -> int:
    """Which of the lines across the sweep a square is on: rows, or columns if those are shorter."""
    row, col = divmod(number, board.cols)
    return row if board.rows >= board.cols else col


def colours(board: Board) -> dict[int, int] | None:
    """A colour, 0 or 1, for each open square, if moves change the colour and all squares hang together."""
    todo = numbers(board)[:1]
    colour = {todo[0]: 0}
    while todo:
        here = todo.pop()
        for row, col in board.moves(square(board, here)):
            there = row * board.cols + col
            if there not in colour:
                colour[there] = 1 - colour[here]
                todo.append(there)
            elif colour[there] == colour[here]:
                return None
    return colour if len(colour) == len(board) else None


def orbits(images: list[list[Any]]) -> list[tuple[Any, int]]:
    """Of things and their images (each first among its own), one of each class, and how many the class has."""
    seen: set[Any] = set()
    found = []
    for row in images:
        if row[0] not in seen:
            orbit = set(row)
            seen |= orbit
            found.append((row[0], len(orbit)))
    return found


def by_rows(tours: Tours) -> list[Part]:
    """Parts by the lines of the ends, one for each class under the symmetries that map lines to lines."""
    board, request = tours.board, tours._request
    lines: dict[int, list[int]] = {}
    for number in numbers(board):
        lines.setdefault(line_of(board, number), []).append(number)
    where = {frozenset(squares): line for line, squares in lines.items()}
    moved: list[dict[int, int]] = []
    for image in _stabiliser(request):
        sets = {line: frozenset(image[n] for n in squares) for line, squares in lines.items()}
        if all(moved_to in where for moved_to in sets.values()):
            moved.append({line: where[moved_to] for line, moved_to in sets.items()})
    word = "rows" if board.rows >= board.cols else "columns"
    if tours.start is None and tours.end is None:
        pairs = [
            [
                tuple(
                    sorted(
                        (image[a], image[b]),
                    )
                )
                for image in moved
            ]
            for a, b in combinations_with_replacement(sorted(lines), 2)
        ]
        return [
            Part(f"{word} {a}+{b}", times * (1 + (a != b)), between=(tuple(lines[a]), tuple(lines[b])))
            for (a, b), times in orbits(pairs)
        ]
    given = tours.start if tours.end is None else tours.end
    assert given is not None
    fixed = (given[0] * board.cols + given[1],)
    found = []
    for line, times in orbits([[image[line] for image in moved] for line in sorted(lines)]):
        free = tuple(number for number in lines[line] if number != fixed[0]) or fixed
        between = (fixed, free) if tours.end is None else (free, fixed)
        if free != fixed or len(board) == 1:
            found.append(Part(f"{word} {line}", times, between=between))
    return found


def by_ends(tours: Tours) -> list[Part]:
    """Parts by both ends, one for each class under the symmetries, and those that colours rule out left away."""
    board, images = tours.board, _stabiliser(tours._request)
    squares = numbers(board)
    starts = squares if tours.start is None else [tours.start[0] * board.cols + tours.start[1]]
    ends = squares if tours.end is None else [tours.end[0] * board.cols + tours.end[1]]
    colour = colours(board)
    reversible = tours.start is None and tours.end is None
    listed = []
    for a in starts:
        for b in ends:
            if (a == b) != (len(squares) == 1) or (colour is not None and (colour[a] == colour[b]) != len(squares) % 2):
                continue
            row = [(image[a], image[b]) for image in images]
            if reversible:
                row += [(there, here) for here, there in row]
            listed.append(row)
    return [
        Part(f"{board.name(square(board, a))}-{board.name(square(board, b))}", times, start=a, end=b)
        for (a, b), times in orbits(listed)
    ]


def by_moves(look: Look, count: int) -> list[Part]:
    """At least so many parts, and more while one is expected not to fit: each cut in two by a move, used or not."""
    parts = [look.at(Part("all", 1))]
    moves = middle_moves(look.tours)

    def expected(part: Part) -> float:
        return float("inf") if part.forecast is None else part.forecast.memory

    while len(parts) < MOST_CUTS:
        worst = max(parts, key=lambda part: (expected(part), -len(part.key)))
        known = worst.forecast is not None
        if len(parts) >= count and not (known and expected(worst) > look.memory):
            break
        used = {*worst.including, *worst.excluding}
        move = next((move for move in moves if move not in used), None)
        if move is None or len(used) >= 24:
            break
        name = "" if worst.key == "all" else worst.key
        at = parts.index(worst)
        parts[at : at + 1] = [
            look.at(Part(f"{name}{sign}{'~'.join(look.tours.board.name(square(look.tours.board, n)) for n in move)}", 1,
                         including=worst.including + ((move,) if sign == "+" else ()),
                         excluding=worst.excluding + ((move,) if sign == "-" else ())))
            for sign in "+-"
        ]  # fmt: skip
    return parts


def middle_moves(tours: Tours) -> list[tuple[int, int]]:
    """The moves, those of the middle of the board first, where a cut is felt by most layers."""
    board = tours.board
    given = {
        tuple(sorted(row * board.cols + col for row, col in map(board.square, move)))
        for move in (*tours._request.included, *tours._request.excluded)
    }
    moves = set()
    for here in numbers(board):
        for row, col in board.moves(square(board, here)):
            moves.add((min(here, row * board.cols + col), max(here, row * board.cols + col)))

    def from_middle(move: tuple[int, int]) -> tuple[int, tuple[int, int]]:
        off = 0
        for number in move:
            row, col = divmod(number, board.cols)
            off += abs(2 * row + 1 - board.rows) + abs(2 * col + 1 - board.cols)
        return off, move

    return sorted(moves - given, key=from_middle)


def open_plan(ledger: str | PathLike[str]) -> Plan:
    """The plan that a ledger holds, to look at or to go on with. Raises `StoreError` for what is no ledger."""
    from knightstour.parts.ledger import Ledger  # noqa: PLC0415 - brings sqlite3

    with Ledger.open(ledger) as opened:
        return opened.plan()
