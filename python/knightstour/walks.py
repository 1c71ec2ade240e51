"""Warnsdorff's rule, followed many times."""

from __future__ import annotations

from knightstour._core import _warnsdorff_trials
from knightstour.errors import LimitReachedError
from knightstour.results import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import SupportsIndex

    from knightstour._core import Board, Cancel
    from knightstour.options import Ties
    from knightstour.results import Progress
    from knightstour.square import SquareLike


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
        What repeats the trials.
    """

    trials: int
    completed: int
    lengths: tuple[int, ...]
    seed: int

    def __repr__(self) -> str:
        return f"Trials(trials={self.trials}, completed={self.completed}, seed={self.seed})"

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import trials_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return trials_table(self)


def warnsdorff_trials(
    board: Board,
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
    """Follow Warnsdorff's rule many times, each time from ``start`` or from a random square.

    Ties and seeds are those of `warnsdorff`; run number 0 is the run that `warnsdorff` gives for the same
    seed, and the outcome does not depend on the number of threads. Cost: some twenty nanoseconds a step,
    five bytes a square and thread, four bytes a trial. Raises `RequestError` or `SquareError` for what does
    not fit, `MemoryLimitError` for a board too large, `LimitReachedError` when cancelled.

    With an ``executor`` (any `concurrent.futures.Executor`) its workers share the runs; they are the same.
    """
    if executor is not None:
        from knightstour.parts.many import trials_by_workers  # noqa: PLC0415 - few need it

        return trials_by_workers(board, trials, start, ties, seed, threads, executor, progress, cancel)
    outcome, completed, lengths, used = _warnsdorff_trials(
        board, trials, start, ties, seed, threads, progress, cancel, 0
    )
    if outcome == "stopped":
        raise LimitReachedError("cancelled in the middle of the trials", limit="cancelled")
    return Trials(len(lengths), completed, lengths, used)
