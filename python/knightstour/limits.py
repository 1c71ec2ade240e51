"""What a run raises when a limit ran out."""

from __future__ import annotations

from knightstour.errors import LimitReachedError, MemoryLimitError, TimeLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from knightstour.results import Stats


def describe_work(stats: Stats) -> str:
    """How long a run took, and how much it did in the units of its engine."""
    done = ((stats.nodes, "nodes"), (stats.transitions, "transitions"))
    return " and ".join([f"{stats.seconds:.3g} s", *(f"{number:,} {unit}" for number, unit in done if number)])


def limit_error(limit: str, stats: Stats, doing: str) -> LimitReachedError:
    """The error for a limit that ran out."""
    after = f"after {describe_work(stats)}"
    needs = f"about {stats.memory:,} bytes" if stats.memory < 2**57 else "more bytes than any machine has"
    if stats.memory == 0:
        needs = "memory"
    errors: dict[str, tuple[type[LimitReachedError], str]] = {
        "time": (TimeLimitError, f"the time limit was reached {doing}, {after}"),
        "nodes": (LimitReachedError, f"the node limit was reached {doing}, {after}"),
        "memory": (
            MemoryLimitError,
            (
                f"{doing} needs {needs}, more than the memory limit "
                "(by default three quarters of what the machine has free)"
            ),
        ),
        "cancelled": (LimitReachedError, f"cancelled {doing}, {after}"),
    }
    error, message = errors[limit]
    return error(message, limit=limit, stats=stats)
