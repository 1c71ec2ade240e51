"""How large a sweep over the frontier will be, before it is run.

The sweep without pairings tells the groups of states: exactly, for about a tenth of the cost of the count, or on larger
boards from samples of each layer, in a second (``src/frontier/sampled.rs``). Of k ends there are (k - 1)!! pairings, of
which a layer reaches more the further the sweep has come. Which power of them that is, was fitted to the layers of 158
counts of boards from 5x7 to 8x8, closed and open, whole and by rows of their ends (only closed 8x8 that large);
so were transitions and memory. On all of them up to 7x8 the states and bytes at the peak and the transitions are
within a factor of 2; and so they were on the parts of open 8x8 by rows, counted afterwards. Seconds are those of this
machine: a small count is timed once.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import exp, log
from time import process_time

from knightstour._core import Board, _count_between, _forecast
from knightstour.results import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from knightstour._core import Cancel, Request

    Ends = tuple[list[int], list[int]] | None
    Layer = tuple[int, int, int, int, int, list[tuple[int, float]]]

KNOWN, BEYOND = 2.0, 4.0
"""The factors of uncertainty: on boards like those that were looked at, and with more states than any of them had."""

MOST_SEEN = 1_000_000_000
"""States at the peak, about, of the largest of them."""

FREE_ENDS = 1.6
"""So many times more states than the formula says have tours of which any square may be an end."""

SECONDS_A_GROUP, SECONDS_A_TRANSITION = 1.5e-6, 7.4e-9
"""On one core of a machine on which `SAMPLE` takes `SAMPLE_SECONDS`."""

FEW_STATES, GROWTH = 3e6, 0.15
"""With more states than these a transition takes longer: they do not fit the processor's caches."""

SAMPLE, SAMPLE_SECONDS = (6, 8), 0.06
"""The board whose closed tours are counted to see how fast this machine is."""


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
    _apart = frozenset({"seconds"})


def layers_of(  # noqa: PLR0917 - what the core is asked
    request: Request,
    between: Ends,
    samples: int | None,
    limits: tuple[Any, Any, Any],
    threads: int | None,
    cancel: Cancel | None,
) -> list[Layer] | str:
    """The layers with their groups, or why they are not known: "too wide", "not two-coloured" or the limit."""
    known, *values = _forecast(request, between, samples, limits, threads, cancel)
    if known != "known":
        return str(values[0] if values else known)
    layers: list[Layer] = values[0]
    return layers


def from_layers(layers: list[Layer], squares: int, has_free_ends: bool) -> Forecast:
    """What a sweep with such layers will take on a board of so many squares."""
    groups = [sum(number for _, number in layer[5]) for layer in layers] or [1.0]
    more = FREE_ENDS if has_free_ends else 1.0
    states = [states_of(layer, squares) * more for layer in layers] or [1.0]
    peak = 0.77 * max(states) ** 1.016
    two = [max(map(sum, pairwise(sizes)), default=1.0) for sizes in (states, groups)]
    transitions = 0.297 * sum(states) ** 0.507 * sum(groups) ** 0.836
    transition = SECONDS_A_TRANSITION * max(1.0, peak / FEW_STATES) ** GROWTH
    seconds = SECONDS_A_GROUP * sum(groups) + transition * transitions
    return Forecast(
        round(peak),
        round(381_000 + 8.57 * two[0] + 125 * two[1]),
        seconds * pace(),
        KNOWN if peak <= MOST_SEEN else BEYOND,
    )


def states_of(layer: Layer, squares: int) -> float:
    """About how many states the groups of a layer hold."""
    swept, width, fresh, apexes, spent, groups = layer
    if swept >= squares or width < 4:
        return sum(number for _, number in groups)
    before, after, young = log(swept / width), log((squares - swept) / width), fresh / width
    states = 0.0
    for ends, number in groups:
        pairs = ends / width
        reach = (
            8.352 - 1.994 * before - 3.527 * before**2 - 13.882 * pairs + 13.58 * pairs * before - 1.854 * young
            - 0.743 * after - 1.16 * after**2 + 2.851 * before * after
            + apexes * (0.555 - 0.972 * before + 0.152 * pairs) + 0.341 * spent
        )  # fmt: skip
        states += number * exp(log_pairings(ends) * (1 - exp(-min(max(reach, 0.0), 9.0))))
    return states


def log_pairings(ends: int) -> float:
    """The logarithm of the number of pairings of so many ends."""
    return sum(log(k) for k in range(ends - 1, 1, -2))


@lru_cache(maxsize=1)
def pace() -> float:
    """How many times slower this machine is than the one of the constants."""
    request = Board(*SAMPLE).tours(closed=True)._request
    seconds = []
    for _ in range(3):
        began = process_time()
        _count_between(request, None, True, (None, None, None), 1, None, None, (None, None, 60.0))
        seconds.append(process_time() - began)
    return min(max(min(seconds) / SAMPLE_SECONDS, 0.1), 20.0)
