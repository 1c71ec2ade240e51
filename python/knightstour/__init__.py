"""Knight's tours: found and verified, proven impossible with a reason, or counted exactly."""

from knightstour._core import Board, Squares, Tour, __version__
from knightstour.errors import (
    BoardError,
    InvalidTourError,
    KnightsTourError,
    LimitReachedError,
    MemoryLimitError,
    NoTourError,
    RequestError,
    SquareError,
    TimeLimitError,
)
from knightstour.square import Square

__all__ = [
    "Board",
    "BoardError",
    "InvalidTourError",
    "KnightsTourError",
    "LimitReachedError",
    "MemoryLimitError",
    "NoTourError",
    "RequestError",
    "Square",
    "SquareError",
    "Squares",
    "TimeLimitError",
    "Tour",
    "__version__",
]
