"""Warnsdorff's rule, followed many times."""

from __future__ import annotations

from _operator import index

from knightstour._core import Board, Limits, _quote, _run_seed, _run_starts, _warnsdorff_trials, warnsdorff
from knightstour.errors import LimitReachedError, RequestError
from knightstour.keywords import helpful, helpful_methods
from knightstour.results import Record, array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import Any, SupportsIndex

    import numpy.typing as npt

    from knightstour._core import Cancel, Squares, Walk
    from knightstour.options import Ties
    from knightstour.results import Progress
    from knightstour.square import Square, SquareLike

#: 95% of a normal distribution lie within this many standard deviations.
_Z = 1.959963984540054


@helpful_methods
class Trials(Record):
    """The outcome of many runs of Warnsdorff's rule.

    Attributes
    ----------
    trials
        How many runs there were.
    completed
        How many of them visited every open square.
    lengths
        How many squares each run visited, in the order of the runs.
    seed
        The seed that repeats the trials.
    board
        The board; `run`, `starts` and `to_dict` need it.
    start
        The start that was given, if any; ``starts`` has the start of each run.
    ties
        How ties were broken.

    ``pandas.DataFrame(trials.to_dict())`` has a row for each run, and ``numpy.asarray(trials)`` is an array of the
    lengths, int64.
    """

    trials: int
    completed: int
    lengths: tuple[int, ...]
    seed: int
    board: Board | None = None
    start: Square | None = None
    ties: Ties = "random"

    @property
    def starts(self) -> Squares:
        """The first square of each run, in the order of the runs. Cost: some ten nanoseconds per run."""
        return _run_starts(self._known_board(), self.start, self.ties, self.seed, len(self.lengths))

    def run(self, number: SupportsIndex) -> Walk:
        """Repeat a run by its number, from 0; a negative number counts from the end.

        The walk is the one that `warnsdorff` gives for ``walk.seed`` and the options of these trials. Raises
        `IndexError` if there is no run with this number.
        """
        board, runs, given = self._known_board(), len(self.lengths), index(number)
        at = given + runs if given < 0 else given
        if not 0 <= at < runs:
            raise IndexError(f"there is no run {_quote(number)}: the {runs:,} runs are numbered from 0")
        return warnsdorff(board, self.start, ties=self.ties, seed=_run_seed(self.seed, at))

    def to_dict(self) -> dict[str, list[Any]]:
        """The runs as columns of equal length, which ``pandas.DataFrame`` takes, and `json.dumps`.

        ``run`` is the number of a run, ``start`` the name of its first square, ``seed`` its own seed, ``length`` how
        many squares it visited, ``is_complete`` whether these were all. ``warnsdorff(board, start, ties=ties,
        seed=seed)`` repeats it, and so does `run`. Cost: less than a microsecond per run.
        """
        board = self._known_board()
        names: dict[Square, str] = {}
        return {
            "run": list(range(len(self.lengths))),
            "start": [names.get(square) or names.setdefault(square, board.name(square)) for square in self.starts],
            "seed": [_run_seed(self.seed, number) for number in range(len(self.lengths))],
            "length": list(self.lengths),
            "is_complete": [length == len(board) for length in self.lengths],
        }

    def _known_board(self) -> Board:
        if self.board is None:
            raise RequestError("these trials do not know their board: make them by warnsdorff_trials")
        return self.board

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The lengths."""
        return array(self.lengths, dtype, copy)

    @property
    def share(self) -> float:
        """The share of the runs that were completed, from 0 to 1; ``nan`` if there were no runs."""
        return self.completed / self.trials if self.trials else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the share (Wilson's score interval, JASA 22, 1927).

        It is meant for runs that differ by chance: with random ties, or random starts.
        """
        if not self.trials:
            return (0.0, 1.0)
        runs, share, z = self.trials, self.share, _Z
        middle = share + z * z / (2 * runs)
        reach = z * (share * (1 - share) / runs + z * z / (4 * runs * runs)) ** 0.5
        low, high = ((middle + side) / (1 + z * z / runs) for side in (-reach, reach))
        # Rounding must not go below 0 or above 1; if all runs agree, the limit is exact.
        return (low if self.completed else 0.0, high if self.completed < runs else 1.0)

    def quantiles(self, *fractions: float) -> tuple[int, ...]:
        """For each of ``fractions`` from 0 to 1, the least length such that this share of the runs is no longer.

        ``quantiles(0, 0.5, 1)`` are the least, the median and the greatest length. Cost: one sort of the
        lengths. Raises `RequestError` for a fraction outside 0 to 1, and if there were no runs.
        """
        lengths = sorted(self.lengths)
        if not lengths or not all(0 <= fraction <= 1 for fraction in fractions):
            raise RequestError(f"quantiles are at fractions from 0 to 1 of at least one run, not {_quote(fractions)}")
        # Rounded up; what is no more than the error of a float is no part of a run.
        return tuple(lengths[max(0, -int(-(fraction * len(lengths) - 1e-9) // 1) - 1)] for fraction in fractions)

    def __repr__(self) -> str:
        return f"Trials(trials={self.trials}, completed={self.completed}, seed={self.seed})"

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import trials_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return trials_table(self)


@helpful
def warnsdorff_trials(
    board: Board | SupportsIndex,
    trials: SupportsIndex,
    *,
    start: SquareLike | None = None,
    ties: Ties = "random",
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Trials:
    """Follow Warnsdorff's rule ``trials`` times, each time from ``start`` or from a random square.

    ``board`` may be a number, the side of a square board. ``ties`` and ``seed`` are those of `warnsdorff`, ``progress``
    and ``cancel`` those of `Tours.find`; run number 0 is the run that `warnsdorff` gives for the same seed, and the
    outcome does not depend on the number of ``threads``. Cost: some twenty nanoseconds per step, five bytes per square
    and thread, four bytes per trial. Raises `RequestError` or `SquareError` for arguments that do not fit,
    `MemoryLimitError` for a board that is too large, `LimitReachedError` when cancelled.

    With an ``executor`` (any `concurrent.futures.Executor`) its workers share the runs; the outcome is the same.
    """
    if executor is not None:
        from knightstour.parts.many import trials_by_workers  # noqa: PLC0415 - few need it

        return trials_by_workers(board, trials, start, ties, seed, threads, executor, progress, cancel)
    limits = Limits(None, None, None, threads, progress, cancel)
    walked = _warnsdorff_trials(board, trials, start, ties, seed, limits, 0)
    if walked is None:
        raise LimitReachedError("cancelled during the trials", limit="cancelled")
    return trials_of(board, start, ties, *walked)


def trials_of(  # noqa: D103, PLR0917 - of what was given to `warnsdorff_trials` and what came of it
    board: Board | SupportsIndex,
    start: SquareLike | None,
    ties: Ties,
    completed: int,
    lengths: tuple[int, ...],
    seed: int,
) -> Trials:
    board = board if isinstance(board, Board) else Board(board)
    return Trials(len(lengths), completed, lengths, seed, board, None if start is None else board.square(start), ties)
