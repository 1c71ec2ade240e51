"""The errors that a run raises when a limit ran out."""

from __future__ import annotations

from knightstour._core import _memory
from knightstour.errors import LimitReachedError, MemoryLimitError, TimeLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from knightstour.results import Stats, Stopped

NO_MACHINE = 2**57
"""More bytes than any machine has."""

DISK = ("{} puts on disk what does not fit", "spill_dir")
PARTS = ("{} cuts the count into parts that need less", "plan()")
"""What to do where the memory limit ran out: a sentence, and the option that it names."""


def duration(seconds: float) -> str:
    """Seconds as a person reads them: 1,234 s, 2.5 s, 0.3 s, 0.00003 s."""
    if seconds >= 10:
        return f"{seconds:,.0f} s"
    if seconds >= 1 or not seconds > 0:
        return f"{seconds:.1f} s".replace(".0 ", " ")
    # One digit; rounding may bring the one before it.
    digits = next(digits for digits in range(1, 400) if round(seconds, digits) > 0)
    return f"{seconds:.{digits}f} s".replace("1.0 ", "1 ")


def describe_work(stats: Stats) -> str:
    """How long a run took, and how much it did in the units of its engine."""
    done = ((stats.nodes, "node"), (stats.transitions, "transition"))
    units = [f"{number:,} {unit}{'s' * (number != 1)}" for number, unit in done if number]
    return ", ".join([duration(stats.seconds), *units])


def size(count: float) -> str:
    """Bytes, to two or three digits."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:,.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def describe_need(memory: int, limit: int | None) -> str:
    """How much memory something needs (0 if not known), which is more than the limit; ``None``: the default limit."""
    if memory >= NO_MACHINE:
        return "more memory than any machine has"
    allowed = _memory() if limit is None else limit
    # Two digits of a forecast are enough, unless the limit is as near as that.
    rounded = float(f"{memory:.1e}")
    is_near = rounded <= allowed or size(rounded) == size(allowed)
    need, most = (f"{memory:,} bytes", f"{allowed:,} bytes") if is_near else (size(rounded), size(allowed))
    told = f"the memory limit of {most}"
    if limit is None:
        # By now more may be free than when it was refused.
        figure = f" of {most}" if memory > allowed else ""
        told = f"the default memory limit{figure} (three quarters of what this machine has free)"
    # What was measured up to the refusal may be less than the limit.
    is_told = memory > allowed or (limit is None and memory > 0)
    return f"about {need} of memory, more than {told}" if is_told else f"more memory than {told}"


def limit_error(
    stopped: Stopped, doing: str, memory_limit: int | None = None, *hints: tuple[str, str]
) -> LimitReachedError:
    """The error for a limit that ran out; for the memory limit, the hints say what to do."""
    limit, stats = stopped.limit, stopped.stats
    after = describe_work(stats)
    if limit == "memory":
        told = f"{doing} needs {describe_need(stats.memory, memory_limit)}"
        if hints and stats.memory < NO_MACHINE:
            told += "; " + ", and ".join(sentence for sentence, _ in hints)
        return MemoryLimitError(told, [(option, None) for _, option in hints], limit=limit, stats=stats)
    errors: dict[str, tuple[type[LimitReachedError], str]] = {
        "time": (TimeLimitError, f"stopped by the time limit while {doing} ({after})"),
        "nodes": (LimitReachedError, f"stopped by the node limit while {doing} ({after})"),
        "cancelled": (LimitReachedError, f"cancelled while {doing} ({after})"),
    }
    error, message = errors[limit]
    return error(message, limit=limit, stats=stats)


def raise_limit(stopped: Stopped, doing: str, memory_limit: int | None) -> NoReturn:
    """Raise the error for a limit that ran out."""
    raise limit_error(stopped, doing, memory_limit)
