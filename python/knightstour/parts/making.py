"""Making a plan: forecasts of parts, and the choice of a cut whose parts fit in memory."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from knightstour._core import Limits, _memory, _quote
from knightstour.errors import RequestError
from knightstour.parts.cuts import by_ends, by_rows, middle_moves
from knightstour.parts.forecast import forecast_of
from knightstour.parts.plan import Part, Plan, square, tours_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from knightstour._core import Cancel
    from knightstour.parts.forecast import Forecast
    from knightstour.tours import Tours

MOST_CUTS = 4096
"""Parts by moves, at most."""

MOST_DEEP = 24
"""Moves by which a part is cut, at most."""

FEW_GROUPS = 200_000
"""If a sweep without pairings finds more groups than this, samples estimate how many there are."""

MOST_SQUARES = 1 << 20
"""Boards with more of them are not cut."""

MOST_ENDS = 1024
"""Boards with more open squares are not cut into pairs of ends."""

SAMPLES = 64
"""Groups to be found for each number of ends in each layer, if there are few parts."""

MANY, FEWEST = 32, 4
"""If there are more parts than the first, each has fewer samples, but at least the second."""


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
    # Wrong ones are refused first.
    Limits(time_limit, None, memory_limit, threads, None, cancel)
    if tours.is_distinct or tours.symmetries:
        raise RequestError("symmetric() tours and distinct() classes cannot be counted in parts: use count()")
    if request.steps:
        raise RequestError("tours with given steps cannot be counted in parts: the sweep does not know the steps")
    if isinstance(parts, bool) or not (isinstance(parts, int) or parts in {"auto", "rows", "ends", "moves"}):
        raise RequestError(
            f"{{}} must be 'auto', 'rows', 'ends', 'moves' or a number, not {_quote(parts)}", [("parts", None)]
        )
    if isinstance(parts, int) and not 1 <= parts <= MOST_CUTS:
        raise RequestError(f"{{}} must be from 1 to {MOST_CUTS}, not {_quote(parts)}", [("parts", None)])
    if tours.closed and parts in {"rows", "ends"}:
        raise RequestError("closed tours have no ends; {} is for open tours", [("parts", parts)])
    if parts == "rows" and tours.start is not None and tours.end is not None:
        raise RequestError("both ends are given, so {} would make only one part", [("parts", parts)])
    squares = tours.board.rows * tours.board.cols
    if squares > MOST_SQUARES:
        described = f"{tours.board.rows}x{tours.board.cols} board"
        raise RequestError(
            f"the {described} is too large to be counted in parts: it has more than {MOST_SQUARES:,} squares"
        )
    if parts == "ends" and len(tours.board) > MOST_ENDS:
        raise RequestError(
            f"{{}} has too many pairs of squares on the {tours.board.rows}x{tours.board.cols} board: "
            f"it has {len(tours.board):,} squares, more than {MOST_ENDS:,}",
            [("parts", parts)],
        )
    look = Look(tours, memory_limit or _memory(), threads, time_limit, cancel)
    return automatic(look) if parts == "auto" else cut(look, parts)


def cut(look: Look, how: str | int) -> Plan:
    """The plan with this cut, or with at least this number of parts."""
    by, parts = "whole" if how == 1 else "moves" if isinstance(how, int) else how, [Part("all", 1)]
    match by:
        case "rows":
            parts = by_rows(look.tours)
        case "ends":
            parts = by_ends(look.tours)
        case "moves":
            return look.plan(by, by_moves(look, how if isinstance(how, int) else 2))
    return look.plan(by, look.at_all(parts))


def automatic(look: Look) -> Plan:
    """The coarsest of the plans whose parts fit the memory; if none does, the one with the smallest parts."""
    tours, plans = look.tours, list[Plan]()
    has_free_ends = not tours.closed and (tours.start is None or tours.end is None)
    cuts = ["whole", *(["rows", "ends"] if has_free_ends else ["moves"])]
    if len(tours.board) > MOST_ENDS and has_free_ends:
        cuts.remove("ends")
    for how in cuts:
        plans.append(cut(look, 1 if how == "whole" else how))
        if look.fits(plans[-1]):
            return plans[-1]
    return min(plans, key=lambda plan: float("inf") if plan.memory is None else plan.memory)


class Look:
    """Makes forecasts of parts, within a time limit for all of them."""

    def __init__(
        self, tours: Tours, memory: int, threads: int | None, time_limit: float | None, cancel: Cancel | None
    ) -> None:
        self.tours, self.memory, self.threads, self.cancel = tours, memory, threads, cancel
        self.until = float("inf") if time_limit is None else monotonic() + time_limit
        #: Whether a part was seen that has too many groups to find them all; the others will have, too.
        self.is_large = False
        self.samples = SAMPLES
        #: Seconds that the longest look has taken.
        self.longest = 0.0

    def plan(self, by: str, parts: Iterable[Part]) -> Plan:
        """The plan of these parts."""
        return Plan(self.tours, by, tuple(parts), self.memory)

    def fits(self, plan: Plan) -> bool:
        """Whether every part is expected to fit the memory."""
        return plan.memory is not None and plan.memory <= self.memory

    def left(self, share: int = 1) -> float | None:
        """Seconds for one of ``share`` parts, of the time that is left."""
        return None if self.until == float("inf") else max(self.until - monotonic(), 0.0) / share

    def is_late(self) -> bool:
        """Whether there may be no time for two more parts."""
        left = self.left()
        return left is not None and left < 3 * self.longest

    def at(self, part: Part, share: int = 1) -> Part:
        """The part with its forecast, made in one of ``share`` shares of the time that is left."""
        began = monotonic()
        known = self.exactly(part, share, FEW_GROUPS) if not self.is_large else None
        if known is None:
            self.is_large = True
            sampled = self.forecast(part, self.samples, self.left(), None)
            if sampled == "not two-coloured":
                known = self.exactly(part, share, None)
            elif not isinstance(sampled, str):
                known = sampled
        self.longest = max(self.longest, monotonic() - began)
        return part if known is None else replaced(part, known)

    def exactly(self, part: Part, share: int, most: int | None) -> Forecast | None:
        """The forecast of a part from all of its groups; None if there are more than ``most``."""
        known = self.forecast(part, None, self.left(share), most)
        return None if isinstance(known, str) else known

    def forecast(self, part: Part, samples: int | None, seconds: float | None, most: int | None) -> Forecast | str:
        """The forecast of a part, or why there is none."""
        request = tours_of(self.tours, part)._request
        between = None if part.between is None else (list(part.between[0]), list(part.between[1]))
        limits = Limits(seconds, most, self.memory, self.threads, None, self.cancel)
        return forecast_of(request, between, samples, limits)

    def at_all(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Each of the parts, with what it is expected to take."""
        todo = list(parts)
        self.samples = max(FEWEST, min(SAMPLES, SAMPLES * MANY // max(len(todo), 1)))
        for done, part in enumerate(todo):
            yield self.at(part, len(todo) - done)


def replaced(part: Part, forecast: Forecast) -> Part:
    """The part with a forecast."""
    values = {name: getattr(part, name) for name in part._fields}
    return Part(**(values | {"forecast": forecast}))


def by_moves(look: Look, count: int) -> list[Part]:
    """At least ``count`` parts, and more while a part is expected not to fit and there is time for forecasts.

    A part is cut in two by a move that is used or not.
    """
    look.samples = SAMPLES // 4
    parts = [look.at(Part("all", 1))]
    moves = middle_moves(look.tours)
    while len(parts) < MOST_CUTS:
        # The largest part is cut; among parts without a forecast, the one that was cut least.
        worst = max(parts, key=lambda part: (part.forecast is None, memory_of(part), -cuts_of(part)))
        is_enough = worst.forecast is None or worst.forecast.memory <= look.memory or look.is_late()
        if len(parts) >= count and is_enough:
            break
        used = {*worst.including, *worst.excluding}
        move = next((move for move in moves if move not in used), None)
        if move is None or cuts_of(worst) >= MOST_DEEP:
            break
        at = parts.index(worst)
        parts[at : at + 1] = [look.at(with_move(look.tours, worst, move, is_used)) for is_used in (True, False)]
    return parts


def memory_of(part: Part) -> int:
    """Bytes that a part is expected to take, if that is known."""
    return 0 if part.forecast is None else part.forecast.memory


def cuts_of(part: Part) -> int:
    """The number of moves by which a part was cut."""
    return len(part.including) + len(part.excluding)


def with_move(tours: Tours, part: Part, move: tuple[int, int], is_used: bool) -> Part:
    """The tours of a part that use a move, or those that do not."""
    name = "~".join(tours.board.name(square(tours.board, number)) for number in move)
    key = ("" if part.key == "all" else part.key) + ("+" if is_used else "-") + name
    if is_used:
        return Part(key, 1, including=(*part.including, move), excluding=part.excluding)
    return Part(key, 1, including=part.including, excluding=(*part.excluding, move))
