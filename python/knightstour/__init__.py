"""Knight's tours: found and verified, proven impossible with a reason, or counted exactly."""

from knightstour._core import Board, Cancel, Squares, Tour, Walk, __version__, warnsdorff
from knightstour.errors import (
    BoardError,
    InvalidTourError,
    KnightsTourError,
    LimitReachedError,
    MemoryLimitError,
    NoTourError,
    RequestError,
    SquareError,
    StoreError,
    TimeLimitError,
)
from knightstour.results import Count, Found, Impossible, Progress, Reason, Stats, Stopped
from knightstour.square import Square
from knightstour.tours import Tours, count, solve
from knightstour.walks import Trials, warnsdorff_trials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from knightstour.drawing.svg import svg_grid
else:

    def __getattr__(name: str) -> object:
        """What draws is imported when it is asked for."""
        if name == "svg_grid":
            from knightstour.drawing.svg import svg_grid  # noqa: PLC0415

            return svg_grid
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Board",
    "BoardError",
    "Cancel",
    "Count",
    "Found",
    "Impossible",
    "InvalidTourError",
    "KnightsTourError",
    "LimitReachedError",
    "MemoryLimitError",
    "NoTourError",
    "Progress",
    "Reason",
    "RequestError",
    "Square",
    "SquareError",
    "Squares",
    "Stats",
    "Stopped",
    "StoreError",
    "TimeLimitError",
    "Tour",
    "Tours",
    "Trials",
    "Walk",
    "__version__",
    "count",
    "solve",
    "svg_grid",
    "warnsdorff",
    "warnsdorff_trials",
]
