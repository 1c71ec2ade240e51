"""Knight's tours: found and verified, proven impossible with a reason, or counted exactly.

A *board* has *tours*. ``board.tours(...)`` names a collection and computes nothing; then you ask it.

    import knightstour as kt

    print(kt.solve(8))                          # a Tour, printed as the numbered board
    kt.count(6, closed=True)                    # 9862

    board = kt.Board(8, 8, blocked=["d4"])      # or Board.parse(picture), leaper=(2, 3), wrap="both"
    tours = board.tours(start="a2")             # or closed=True, end=..., .including(...), .excluding(...)
    tours.find(time_limit=2.0)                  # Found(tour), Impossible(reason) or Stopped(limit)
    tours.count()                               # exactly, or an error that says which limit was reached
    for tour in tours: ...                      # lazily, in constant memory
    tour in tours                               # whether it is one of them

A square is a pair (row, col) from the top left, or a chess name such as "a1" from the bottom left.

- Boards and tours: `Board`, `Tour`, `Tours`, `Square`, `Squares`.
- Short cuts: `solve`, `count`. Warnsdorff's rule alone: `warnsdorff`, `warnsdorff_trials`, `Walk`, `Trials`.
- Results: `Found`, `Impossible` with a `Reason`, `Stopped`; `Count`; each with `Stats`. During a run:
  `Progress`, `Cancel`.
- Errors: all are a `KnightsTourError`; errors in what was given are also a `ValueError`.

On the command line: ``knightstour --help``.
"""

from knightstour._core import Batch, Board, Cancel, Squares, Tour, Walk, __version__, warnsdorff
from knightstour.errors import (
    BoardError,
    InvalidTourError,
    KnightsTourError,
    LimitReachedError,
    MemoryLimitError,
    NoTourError,
    ReadError,
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
    from knightstour.moves import MoveCounts
    from knightstour.parts.many import solve_many
    from knightstour.parts.plan import Plan, open_plan
    from knightstour.paths import Path, Paths
    from knightstour.puzzles import Puzzle, puzzle
else:
    _LATER = {
        "MoveCounts": "knightstour.moves",
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
        """Import rarely used names when they are asked for."""
        if name in _LATER:
            from importlib import import_module  # noqa: PLC0415

            return getattr(import_module(_LATER[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """All names, also those that are imported when they are asked for."""
        return sorted({*globals(), *_LATER})


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
    "MoveCounts",
    "NoTourError",
    "Path",
    "Paths",
    "Plan",
    "Progress",
    "Puzzle",
    "ReadError",
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
