"""Knight's tours: found and verified, proven impossible with a reason, or counted exactly."""

from knightstour._core import Batch, Board, Cancel, Squares, Tour, Walk, __version__, warnsdorff
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

__all__ = [
    "Batch",
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
    "warnsdorff",
    "warnsdorff_trials",
]
