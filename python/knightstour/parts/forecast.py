"""How large a sweep over the frontier will be, before it is run.

The sweep without pairings tells the groups of states exactly, for about a tenth of the cost. How many states they hold
follows from them by powers that were fitted to 166 counts of boards from 4x6 to 7x8, closed and open, whole and by rows
of their ends. Held against open 7x8 by rows afterwards: states and memory at the peak within a factor of 2, the time
within 3. Where even the groups are too many to be found, they are extrapolated from narrower boards.
"""

from __future__ import annotations

from math import exp, log

from knightstour._core import Board, _forecast
from knightstour.results import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from knightstour._core import Cancel, Request

    Ends = tuple[list[int], list[int]] | None

KNOWN, GUESSED = 2.0, 5.0
"""The factors of uncertainty: from the groups, and extrapolated."""

SECONDS_A_TRANSITION, SECONDS_A_GROUP = 8e-9, 0.6e-6
"""On one core of a machine of 2024."""


class Forecast(Record):
    """What a count will take.

    Attributes
    ----------
    states
        States at the peak: of the largest layer.
    memory
        Bytes at the peak.
    seconds
        Core seconds: on n cores, about an n-th of it.
    factor
        The truth is between a ``factor``-th and a ``factor`` times of these.
    """

    states: int
    memory: int
    seconds: float
    factor: float


Sizes = tuple[float, float, float, float]
"""Groups, groups of two neighbouring layers at the peak, pairings they have room for, those at the peak."""


def from_sizes(sizes: Sizes, factor: float) -> Forecast:
    """What groups of such sizes will take."""
    groups, peak_groups, pairings, peak_pairings = (max(size, 1.0) for size in sizes)
    peak = 0.8 * exp(-2.927) * peak_groups**0.345 * peak_pairings**0.156 * groups**0.879
    states = exp(-1.348) * groups**1.041 * pairings**0.136 * peak_groups**0.173
    transitions = 0.759 * states**1.0946
    return Forecast(
        round(peak),
        round(1_000_000 + 15.4 * peak + 97 * peak_groups),
        SECONDS_A_TRANSITION * transitions + SECONDS_A_GROUP * groups,
        factor,
    )


def sizes_of(
    request: Request, between: Ends, limits: tuple[Any, Any, Any], threads: int | None, cancel: Cancel | None
) -> Sizes | str:
    """The sizes of the groups, or why they are not known: "too wide" or the limit."""
    known, *values = _forecast(request, between, limits, threads, cancel)
    if known != "known":
        return str(values[0] if values else known)
    groups, peak_groups, pairings, peak_pairings, _ = values
    return float(groups), float(peak_groups), pairings, peak_pairings


def extrapolated(narrower: list[Sizes]) -> Sizes:
    """The sizes for the next width, from those of three or more in a row: each grows as it did over the last two."""
    first, _, last = narrower[-3:]
    grown = [exp(log(max(b, 1.0)) + log(max(b, 1.0) / max(a, 1.0)) / 2) for a, b in zip(first, last, strict=True)]
    return grown[0], grown[1], grown[2], grown[3]


def narrowed(board: Board, by: int) -> Board | None:
    """The board with its shorter side shorter, if it is a plain rectangle."""
    if board.blocked or board.wrap is not None or board.leaper != (1, 2) or min(board.rows, board.cols) - by < 4:
        return None
    if board.rows < board.cols:
        return Board(board.rows - by, board.cols)
    return Board(board.rows, board.cols - by)
