"""Many searches at once, on the workers of an executor."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from knightstour._core import Board, Limits, _quote, _warnsdorff_trials
from knightstour.errors import LimitReachedError, RequestError, StoreError
from knightstour.keywords import check, helpful
from knightstour.numbered import Numbered, Sample
from knightstour.results import Found, Impossible, Progress, Stopped
from knightstour.tours import Tours, open_tours
from knightstour.walks import Trials, trials_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from typing import SupportsIndex

    from knightstour._core import Cancel
    from knightstour.options import Ties
    from knightstour.square import SquareLike

    Answer = Found | Impossible | Stopped

T = TypeVar("T")

TASKS = 64
"""Short searches are put together into this many tasks; this many are with an executor at a time."""

FEW = 16
"""Tours picked in a task, at least."""

LOOK = 0.2
"""Seconds between two checks while workers are busy."""


def check_executor(executor: Executor | None) -> None:
    """Raise `RequestError` for an object that is not an executor."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise RequestError(
            f"executor must have a submit method, like those of concurrent.futures, not {_quote(executor)}"
        )


def in_order(
    executor: Executor,
    calls: Iterable[tuple[Callable[..., T], Sequence[Any]]],
    cancel: Cancel | None,
    done: Callable[[int], object],
) -> list[T]:
    """The answers of many calls, in their order; a few at a time are with the executor."""
    answers: dict[int, T] = {}
    running: dict[Future[T], int] = {}
    todo = enumerate(calls)
    is_over = False
    try:
        while running or not is_over:
            while not is_over and len(running) < TASKS:
                task = next(todo, None)
                if task is None:
                    is_over = True
                else:
                    number, (call, values) = task
                    running[executor.submit(call, *values)] = number
            if cancel is not None and cancel.is_cancelled:
                raise LimitReachedError("cancelled while the workers were busy", limit="cancelled")
            ended, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in ended:
                answers[running.pop(future)] = future.result()
            if ended:
                done(len(answers))
    finally:
        for future in running:
            future.cancel()
    return [answers[number] for number in range(len(answers))]


def find_some(requests: list[Tours], options: dict[str, Any], seeds: list[int | None]) -> list[Answer]:
    """Look for a tour of each of some collections: what a worker is asked to do."""
    return [
        tours.find(**(options if seed is None else options | {"seed": seed}))
        for tours, seed in zip(requests, seeds, strict=True)
    ]


@helpful
def solve_many(
    requests: Iterable[Tours | Board],
    *,
    executor: Executor | None = None,
    seed: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
    **options: Any,
) -> list[Answer]:
    """Look for one tour of each of many collections, in their order.

    Parameters
    ----------
    requests
        Collections of tours; a `Board` stands for its open tours.
    executor
        Any `concurrent.futures.Executor` whose workers share the searches; without one, this thread does them.
    seed
        For varied tours: request number i gets the seed ``seed + i``, modulo 2**64, with any executor.
    progress
        Called with a `Progress` as searches end; raising in it stops the run.
    cancel
        A `Cancel` object that stops the run from another thread.
    options
        Others of `Tours.find`, for each search.

    Returns
    -------
    list of Found, Impossible or Stopped
        As `Tours.find` gives them. They do not depend on the executor.

    Raises `RequestError` for options that do not fit, `LimitReachedError` when cancelled.
    """
    check("solve_many", options, Tours.find, ("requests", "executor"))
    check_executor(executor)
    Limits(progress=progress, cancel=cancel)
    asked = [request.tours() if isinstance(request, Board) else request for request in requests]
    for request in asked:
        if not isinstance(request, Tours):
            raise RequestError(f"a request is a collection of tours or a Board, not {_quote(request)}")
    seeds = [None if seed is None else (index(seed) + number) % 2**64 for number in range(len(asked))]

    def tell(done: int) -> None:
        if progress is not None:
            progress(Progress(min(done, len(asked)), len(asked), "searching"))

    if executor is None:
        answers = []
        for request, own in zip(asked, seeds, strict=True):
            if cancel is not None and cancel.is_cancelled:
                raise LimitReachedError("cancelled between two searches", limit="cancelled")
            answers += find_some([request], options, [own])
            tell(len(answers))
        return answers
    size = max(1, len(asked) // TASKS)
    calls = [(find_some, (asked[at : at + size], options, seeds[at : at + size])) for at in range(0, len(asked), size)]
    found = in_order(executor, calls, cancel, lambda done: tell(done * size))
    return [answer for part in found for answer in part]


def trials_by_workers(  # noqa: PLR0917 - what `warnsdorff_trials` was given
    board: Board | SupportsIndex,
    trials: SupportsIndex,
    start: SquareLike | None,
    ties: Ties,
    seed: int | None,
    threads: int | None,
    executor: Executor,
    progress: Callable[[Progress], object] | None,
    cancel: Cancel | None,
) -> Trials:
    """Warnsdorff runs shared by workers; see `warnsdorff_trials`."""
    check_executor(executor)
    # Not a run: arguments that do not fit are refused here, and a random seed is picked once.
    Limits(progress=progress, cancel=cancel)
    _, _, used = walk_some(board, 0, start, ties, seed, threads)
    if isinstance(trials, bool) or not hasattr(trials, "__index__") or index(trials) < 0:
        raise RequestError(f"{{}} must be a whole number of at least 0, not {_quote(trials)}", [("trials", None)])
    total = index(trials)
    size = max(1, -(-total // TASKS))

    def calls() -> Iterator[tuple[Callable[..., Any], Sequence[Any]]]:
        for first in range(0, total, size):
            count = min(size, total - first)
            yield walk_some, (board, count, start, ties, used, threads or 1, first)

    def tell(done: int) -> None:
        if progress is not None:
            progress(Progress(min(done * size, total), total, "walking: trials"))

    parts = in_order(executor, calls(), cancel, tell)
    lengths = tuple(length for part in parts for length in part[1])
    return trials_of(board, start, ties, sum(part[0] for part in parts), lengths, used)


def walk_some(  # noqa: PLR0917 - what the core is asked
    board: Board | SupportsIndex,
    count: int,
    start: SquareLike | None,
    ties: Ties,
    seed: int | None,
    threads: int | None,
    first: int = 0,
) -> tuple[int, tuple[int, ...], int]:
    """Some of the trials, from number ``first`` on: the task of a worker."""
    answer = _warnsdorff_trials(board, count, start, ties, seed, Limits(threads=threads), first)
    assert answer is not None, "nobody can cancel it"
    return answer


class Source:
    """What workers pick from: in this process the collection itself, with its tables; in another one its copy there."""

    def __init__(self, tours: Numbered) -> None:
        self.tours = tours

    def draw(self, count: int, seed: int, first: int, threads: int) -> Sample:
        """Pick some tours, from pick number ``first`` on: the task of a worker."""
        return self.tours._draw(count, seed, Limits(threads=threads), first)

    def __reduce__(self) -> tuple[Any, ...]:
        index_file = self.tours._drawn_from()._index
        return (source, (self.tours, None if index_file is None else str(Path(index_file).absolute())))


@lru_cache(maxsize=1)
def source(tours: Numbered, index_file: str | None) -> Source:
    """What a worker in another process picks from. It is kept, so that its tables are made or opened once."""
    if index_file is not None:
        opened, drawn_from = open_tours(index_file), tours._drawn_from()
        if opened != drawn_from:
            raise StoreError(f"{index_file}: this is the index of {opened!r}, not of {drawn_from!r}")
        drawn_from._numbering, drawn_from._index = opened._numbering, index_file
    return Source(tours)


def sample_by_workers(  # noqa: PLR0917 - what `Tours.sample` was given
    tours: Numbered,
    k: int,
    seed: int | None,
    threads: int | None,
    executor: Executor,
    progress: Callable[[Progress], object] | None,
    cancel: Cancel | None,
) -> Sample:
    """Tours picked at random by workers; see `Tours.sample`."""
    check_executor(executor)
    # Not a run: a seed that does not fit is refused here, and a random one is picked once.
    _, _, used = walk_some(tours._board, 0, None, "random", seed, threads)
    drawn_from = Source(tours)
    size = max(FEW, -(-k // TASKS))

    def calls() -> Iterator[tuple[Callable[..., Sample], Sequence[Any]]]:
        for first in range(0, k, size):
            yield drawn_from.draw, (min(size, k - first), used, first, threads or 1)

    def tell(done: int) -> None:
        if progress is not None:
            progress(Progress(min(done * size, k), k, "picking: tours"))

    drawn = in_order(executor, calls(), cancel, tell)
    return Sample([tour for part in drawn for tour in part], used)
