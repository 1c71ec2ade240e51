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
from knightstour.measures import measures
from knightstour.numbered import Sample, TourSlice
from knightstour.results import Count, Found, Impossible, LongestPath, Progress, Reason, Stats, Stopped
from knightstour.square import Square
from knightstour.tours import Tours, count, open_tours, solve
from knightstour.walks import Trials, warnsdorff_trials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from knightstour.drawing.svg import svg_grid
    from knightstour.parts.many import solve_many
    from knightstour.parts.plan import Plan, open_plan
    from knightstour.paths import Path, Paths
    from knightstour.puzzles import Puzzle, puzzle
else:
    _LATER = {
        "Path": "knightstour.paths",
        "Paths": "knightstour.paths",
        "Plan": "knightstour.parts.plan",
        "Puzzle": "knightstour.puzzles",
        "open_plan": "knightstour.parts.plan",
        "puzzle": "knightstour.puzzles",
        "solve_many": "knightstour.parts.many",
        "svg_grid": "knightstour.drawing.svg",
    }

    def __getattr__(name: str) -> object:
        """What few need is imported when it is asked for."""
        if name in _LATER:
            from importlib import import_module  # noqa: PLC0415

            return getattr(import_module(_LATER[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "LongestPath",
    "MemoryLimitError",
    "NoTourError",
    "Path",
    "Paths",
    "Plan",
    "Progress",
    "Puzzle",
    "Reason",
    "RequestError",
    "Sample",
    "Square",
    "SquareError",
    "Squares",
    "Stats",
    "Stopped",
    "StoreError",
    "TimeLimitError",
    "Tour",
    "TourSlice",
    "Tours",
    "Trials",
    "Walk",
    "__version__",
    "count",
    "measures",
    "open_plan",
    "open_tours",
    "puzzle",
    "solve",
    "solve_many",
    "svg_grid",
    "warnsdorff",
    "warnsdorff_trials",
]
