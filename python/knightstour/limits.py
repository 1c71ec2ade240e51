"""What a run raises when a limit ran out."""

from __future__ import annotations

from knightstour.errors import LimitReachedError, MemoryLimitError, TimeLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from knightstour.results import Stats


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


def limit_error(limit: str, stats: Stats, doing: str) -> LimitReachedError:
    """The error for a limit that ran out."""
    after = describe_work(stats)
    needs = f"about {stats.memory:,} bytes" if stats.memory < 2**57 else "more memory than any machine has"
    if stats.memory == 0:
        needs = "memory"
    errors: dict[str, tuple[type[LimitReachedError], str]] = {
        "time": (TimeLimitError, f"stopped by the time limit while {doing} ({after})"),
        "nodes": (LimitReachedError, f"stopped by the node limit while {doing} ({after})"),
        "memory": (
            MemoryLimitError,
            (
                f"{doing} needs {needs}, more than the memory limit "
                "(by default three quarters of what the machine has free)"
            ),
        ),
        "cancelled": (LimitReachedError, f"cancelled while {doing} ({after})"),
    }
    error, message = errors[limit]
    return error(message, limit=limit, stats=stats)
