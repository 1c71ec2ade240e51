"""Forecasts: how large a sweep over the frontier will be, before it is run.

The sweep without pairings finds the groups of states: exactly, for about a tenth of the cost of the count, or on larger
boards from samples of each layer, in a second (``src/frontier/sampled.rs``). ``src/frontier/forecast.rs`` explains what
follows from them, and how large the error may be. Seconds are those of this machine: a small count is timed once.
"""

from __future__ import annotations

from functools import lru_cache
from time import process_time

from knightstour._core import Board, Limits, _count_between, _forecast
from knightstour.results import Record, Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from knightstour._core import Request

    Ends = tuple[list[int], list[int]] | None

KNOWN, BEYOND = 2.0, 4.0
"""The factors of uncertainty: on boards like those that were measured, and on boards with more states than those."""

MOST_SEEN = 1_000_000_000
"""States at the peak, about, of the largest of them."""

SECONDS_A_GROUP, SECONDS_A_TRANSITION = 1.5e-6, 7.4e-9
"""On one core of a machine on which `SAMPLE` takes `SAMPLE_SECONDS`."""

FEW_STATES, GROWTH = 3e6, 0.15
"""With more states than these a transition takes longer: they do not fit the processor's caches."""

SAMPLE, SAMPLE_SECONDS = (6, 8), 0.06
"""The board whose closed tours are counted to see how fast this machine is."""


class Forecast(Record):
    """The memory and time that a count is expected to take.

    Attributes
    ----------
    states
        States at the peak: of the largest layer.
    memory
        Bytes at the peak.
    seconds
        Core seconds: on n cores, divide by n.
    factor
        The true values are between these divided by ``factor`` and these times ``factor``.
    """

    states: int
    memory: int
    seconds: float
    factor: float
    _apart = frozenset({"seconds"})


def forecast_of(request: Request, between: Ends, samples: int | None, limits: Limits) -> Forecast | str:
    """What a sweep is expected to take, or why that is not known: "too wide", "not two-coloured" or the limit."""
    expected = _forecast(request, between, samples, limits)
    match expected:
        case None:
            return "not two-coloured"
        case str():
            return expected
        case Stopped(limit, _):
            return limit
    states = expected["states"]
    transition = SECONDS_A_TRANSITION * max(1.0, states / FEW_STATES) ** GROWTH
    seconds = SECONDS_A_GROUP * expected["groups"] + transition * expected["transitions"]
    return Forecast(
        round(states), round(expected["memory"]), seconds * pace(), KNOWN if states <= MOST_SEEN else BEYOND
    )


@lru_cache(maxsize=1)
def pace() -> float:
    """How many times slower this machine is than the one on which the constants were measured."""
    request = Board(*SAMPLE).tours(closed=True)._request
    seconds = []
    for _ in range(3):
        began = process_time()
        _count_between(request, None, True, Limits(threads=1), (None, None, 60.0))
        seconds.append(process_time() - began)
    return min(max(min(seconds) / SAMPLE_SECONDS, 0.1), 20.0)
