"""What comes back: a tour, a proof that there is none, or that a limit was reached; and counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knightstour._core import Tour
    from knightstour.square import Square


@dataclass(frozen=True, slots=True)
class Stats:
    """What was done for an answer. Two are equal if they differ in seconds and memory only.

    Attributes
    ----------
    method
        The engine that answered: ``"theorem"`` if no search was needed.
    seconds
        Wall-clock time.
    nodes
        Squares placed on the path, those that a look-ahead took back at once included.
    backtracks
        Squares taken back.
    greatest_depth
        The most squares that stood on the path at once.
    restarts
        Attempts after the first one.
    prunes
        Branches cut, by kind: ``"dead-ends"``, ``"forced"``, ``"pieces"``, ``"cuts"``, ``"colours"``.
    memory
        Bytes that the engine set aside, from above.
    """

    method: str
    seconds: float = field(compare=False)
    nodes: int = 0
    backtracks: int = 0
    greatest_depth: int = 0
    restarts: int = 0
    prunes: dict[str, int] = field(default_factory=dict, hash=False)
    memory: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no tour.

    Attributes
    ----------
    code
        One of a fixed list, tested in this order: ``too-small``, ``steps``, ``included-excluded``,
        ``too-many-included``, ``included-cycle``, ``ends-joined``, ``colour``, ``schwenk``,
        ``cull-de-curtins``, ``four-rows``, ``leaper``, ``too-few-moves``, ``pieces``, ``graph-colour``,
        ``cut``, ``forced``, ``shortage``, ``exhausted``.
    text
        A sentence.
    squares
        The squares concerned; of many, the first few.
    """

    code: str
    text: str
    squares: tuple[Square, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Found:
    """A tour. It was checked before it was returned."""

    tour: Tour
    stats: Stats


@dataclass(frozen=True, slots=True)
class Impossible:
    """There is no tour, and that is proven: ``reason`` says why."""

    reason: Reason
    stats: Stats


@dataclass(frozen=True, slots=True)
class Stopped:
    """A limit was reached: nothing is claimed. ``limit`` is "time", "nodes", "memory" or "cancelled"."""

    limit: str
    stats: Stats


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: what a ``progress`` function is called with.

    Attributes
    ----------
    done
        Units of work done.
    total
        All units of work; ``None`` if nobody knows.
    message
        What is being done, and in which units.
    """

    done: int
    total: int | None
    message: str


class Count:
    """A number of tours. ``int(count)`` is ``count.value``; it compares with numbers and serves as an index.

    Attributes
    ----------
    value
        Members of the collection.
    undirected
        Members up to reversal.
    directed
        Members with a direction. Open tours with free ends: ``value == directed``, and ``undirected`` is half
        of it (of the one-square tour, both are 1). With a start or an end given all three are equal.
        Closed tours: ``value == undirected``, and ``directed`` is twice it.
    method
        The engine that counted.
    stats
        What was done.
    """

    __slots__ = ("directed", "method", "stats", "undirected", "value")

    value: int
    undirected: int
    directed: int
    method: str
    stats: Stats

    def __init__(self, value: int, undirected: int, directed: int, stats: Stats) -> None:
        for name, given in (
            ("value", value),
            ("undirected", undirected),
            ("directed", directed),
            ("method", stats.method),
            ("stats", stats),
        ):
            object.__setattr__(self, name, given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Count does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Count does not change: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Count, (self.value, self.undirected, self.directed, self.stats))

    def __repr__(self) -> str:
        return (
            f"Count(value={self.value}, undirected={self.undirected}, directed={self.directed}, "
            f"method={self.method!r})"
        )

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value == number

    def __lt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value < number

    def __le__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value <= number

    def __gt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value > number

    def __ge__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value >= number


def _number(other: object) -> int | float | None:
    """The number that something is compared as."""
    if isinstance(other, Count):
        return other.value
    return other if isinstance(other, (int, float)) else None
