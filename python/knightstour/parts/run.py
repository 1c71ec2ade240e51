"""Running a plan: here, or on the workers of an executor."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from operator import index
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from knightstour._core import Limits, _memory, _quote
from knightstour.errors import LimitReachedError, RequestError, StoreError
from knightstour.parts.checks import cuts_agree, divisor_of, sum_of_start
from knightstour.parts.ledger import LEASE, Ledger, Result, result_of
from knightstour.parts.making import Look
from knightstour.parts.many import check_executor
from knightstour.parts.tables import PlanCount
from knightstour.results import Progress, Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping
    from concurrent.futures import Executor
    from os import PathLike

    from knightstour._core import Cancel
    from knightstour.parts.plan import Part, Plan, Task

LONG = 1800.0
"""A part that takes more core seconds than this keeps its own checkpoint, if there is a ledger."""

LOOK = 0.5
"""Seconds between two checks while workers are busy."""

LOOK_AHEAD = 60.0
"""Seconds at most for the forecast of a check."""

CHEAP = 1.0
"""Core seconds that a check may take even if the count took less."""

AT_ONCE = 64
"""Parts that wait at an executor that does not say how many workers it has."""


def work(task: Task) -> Result:
    """Count a part: the task of a worker."""
    value, stats = task.count()
    return result_of(task.key, value, stats)


def run(  # noqa: PLR0917 - what `Plan.run` was given
    plan: Plan,
    executor: Executor | None,
    ledger: str | PathLike[str] | None,
    progress: Callable[[Progress], object] | None,
    options: dict[str, Any],
    verify: int,
    cancel: Cancel | None,
) -> PlanCount:
    """Count all parts of a plan; see `Plan.run`."""
    check_executor(executor)
    # Wrong ones are refused before anything is counted.
    Limits(options["time_limit"], None, options["memory_limit"], options["threads"], progress, cancel)
    if index(verify) < 0:
        raise RequestError(f"verify must be a whole number of parts, not {_quote(verify)}")
    with nullcontext() if ledger is None else Ledger.open(ledger, plan) as opened:
        runner = Runner(plan, executor, opened, progress, options, cancel)
        runner.run()
        return runner.answer(runner.check(verify) if verify else [])


class Runner:
    """A run of a plan: the parts that are done, and those under way."""

    def __init__(  # noqa: PLR0917 - what `Plan.run` was given
        self,
        plan: Plan,
        executor: Executor | None,
        ledger: Ledger | None,
        progress: Callable[[Progress], object] | None,
        options: dict[str, Any],
        cancel: Cancel | None,
    ) -> None:
        self.plan, self.executor, self.ledger, self.progress, self.cancel = plan, executor, ledger, progress, cancel
        self.options = options
        if executor is not None and options["threads"] is None:
            self.options = options | {"threads": 1}
        self.parts = {part.key: part for part in plan.parts}
        if len(self.parts) != len(plan.parts):
            raise ValueError("two parts of a plan have the same name")
        # The longest first, so that they do not keep one worker busy at the end.
        self.order = sorted(self.parts, key=self._expected, reverse=True)
        self.results: dict[str, Result] = {}
        self.renewed = monotonic()

    def _expected(self, key: str) -> float:
        forecast = self.parts[key].forecast
        return 0.0 if forecast is None else forecast.seconds

    def run(self) -> None:
        """Count what is not counted yet."""
        self._refresh()
        self._tell("")
        while len(self.results) < len(self.parts):
            self._check_cancel()
            is_any = self._count_one_here() if self.executor is None else self._count_there()
            if not is_any:
                # Other processes count the rest.
                sleep(LOOK)
                self._refresh()

    def take_known(self, results: Mapping[str, Result]) -> None:
        """Take over what is counted already; only such parts can be verified."""
        self.results.update(results)

    def _refresh(self) -> None:
        if self.ledger is not None:
            found = self.ledger.results()
            self.results.update({key: result for key, result in found.items() if key in self.parts})

    def _take(self, most: int, taken: Container[str] = ()) -> list[str]:
        todo = [key for key in self.order if key not in self.results and key not in taken]
        return todo[:most] if self.ledger is None else self.ledger.lease(todo, most)

    def _keep(self, result: Result) -> None:
        if self.ledger is not None:
            self.ledger.add(result)
        self.results[result.part] = result
        self._tell(result.part)

    def _renew(self) -> None:
        if self.ledger is not None and monotonic() - self.renewed > LEASE / 6:
            self.ledger.renew()
            self.renewed = monotonic()

    def _tell(self, part: str) -> None:
        if self.progress is not None:
            self.progress(Progress(len(self.results), len(self.parts), f"counting in parts{': ' * bool(part)}{part}"))

    def _check_cancel(self) -> None:
        if self.cancel is not None and self.cancel.is_cancelled:
            raise LimitReachedError(
                f"cancelled after {len(self.results)} of {len(self.parts)} parts", limit="cancelled", stats=None
            )

    def _task(self, part: Part, **options: Any) -> Task:
        return self.plan.task(part, **(self.options | options))

    def _count_one_here(self) -> bool:
        keys = self._take(1)
        if not keys:
            return False
        [key] = keys
        # With a ledger, a long part that is interrupted resumes from a checkpoint. For a short one, writing gigabytes
        # every two minutes is not worth it.
        is_long = self._expected(key) > LONG
        checkpoint = f"{self.ledger.path}.{self.order.index(key)}.part" if self.ledger is not None and is_long else None

        def look(_: Progress) -> None:
            self._renew()
            self._tell(key)

        task = self._task(self.parts[key], checkpoint=checkpoint)
        value, stats = task.count(look, self.cancel)
        self._keep(result_of(key, value, stats))
        return True

    def _count_there(self) -> bool:
        assert self.executor is not None
        workers = getattr(self.executor, "_max_workers", None)
        most = 2 * workers if isinstance(workers, int) else AT_ONCE
        running: dict[Future[Result], str] = {}
        taken: set[str] = set()
        try:
            while True:
                self._check_cancel()
                for key in self._take(most - len(running), taken):
                    taken.add(key)
                    running[self.executor.submit(work, self._task(self.parts[key]))] = key
                if not running:
                    return bool(taken)
                done, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
                # First the results that are done are kept, then a failure is raised.
                failed: BaseException | None = None
                for future in done:
                    del running[future]
                    try:
                        result = future.result()
                    except BaseException as error:
                        failed = failed or error
                    else:
                        self._keep(result)
                if failed is not None:
                    raise failed
                self._renew()
        finally:
            for future in running:
                future.cancel()

    def check(self, count: int) -> list[str]:
        """Check the count in other ways, and count some parts again; say what was found."""
        said = [cuts_agree(self.plan), self._check_start()]
        cheapest = sorted(self.results, key=lambda key: (self.results[key].transitions, key))
        again = self.verify(cheapest[:count])
        if again:
            said.append(f"counted again in another order and with other threads: {', '.join(again)}")
        return [sentence for sentence in said if sentence is not None]

    def _check_start(self) -> str | None:
        """Count the tours from one line or square together, if that takes no longer than the parts did."""
        found = sum_of_start(self.plan, {key: result.value for key, result in self.results.items()})
        if found is None:
            return None
        part, expected = found
        look = Look(self.plan.tours, self.options["memory_limit"] or _memory(), None, LOOK_AHEAD, self.cancel)
        forecast = look.at(part).forecast
        spent = sum(result.seconds for result in self.results.values())
        if forecast is None or forecast.memory > look.memory or forecast.seconds > max(spent, CHEAP):
            return None
        value, _ = self._task(part, spill_dir=None, time_limit=None).count(self.progress, self.cancel)
        if value != expected:
            raise StoreError(f"the tours {part.key} are {value}, but {expected} by the sum of the parts")
        return f"the parts with tours {part.key} add up to the same as counted together: {value}"

    def verify(self, keys: Iterable[str]) -> list[str]:
        """Count some parts again, in another order and with another number of threads."""
        done = []
        for key in keys:
            threads = 1 if self.options["threads"] != 1 else 2
            task = self._task(self.parts[key], another_order=True, threads=threads)
            value, stats = task.count(self.progress, self.cancel)
            result = result_of(key, value, stats)
            if value != self.results[key].value:
                raise StoreError(
                    f"the part {key!r} is {self.results[key].value}, but {value} when counted again in another order"
                )
            if self.ledger is not None:
                self.ledger.note_check(result, "in another order of the sweep")
            done.append(key)
        return done

    def answer(self, checked: list[str]) -> PlanCount:
        """The sum, and what was checked."""
        tours = self.plan.tours
        value = sum(part.multiplicity * self.results[part.key].value for part in self.plan.parts)
        results = self.results.values()
        stats = Stats(
            "frontier",
            sum(result.seconds for result in results),
            peak_states=max((result.states for result in results), default=0),
            transitions=sum(result.transitions for result in results),
            memory=max((result.memory for result in results), default=0),
        )
        checks = ["each part is there once"]
        divisor = divisor_of(tours)
        if divisor > 1:
            if value % divisor:
                raise StoreError(f"the sum {value} is not a multiple of {divisor}, which it must be by symmetry")
            checks.append(f"a multiple of {divisor}, as it must be by symmetry")
        checks += checked
        values = {part.key: self.results[part.key].value for part in self.plan.parts}
        has_ends = tours.start is not None or tours.end is not None or len(tours.board) == 1
        undirected = value if tours.closed or has_ends else value // 2
        directed = 2 * value if tours.closed else value
        return PlanCount(value, undirected, directed, stats, tuple(checks), self.plan, values)
