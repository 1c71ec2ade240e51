"""The progress bar."""

import sys
from collections.abc import Callable
from threading import Timer
from typing import TYPE_CHECKING

from knightstour.cli.output import is_terminal, terminal
from knightstour.results import Progress

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Display

BAR_AFTER = 1.0
"""Seconds after which a progress bar appears."""


class Bar:
    """A progress bar on standard error for what lasts over a second, if somebody looks at it.

    As a context it gives itself, a function to call with a `Progress`, or None where no bar is wanted.
    """

    def __init__(self, message: str, *, wanted: bool) -> None:
        self._latest = Progress(0, None, message)
        self._wanted = wanted and is_terminal(sys.stderr)
        self._display: Display | None = None
        # A clock of its own: the first call from the library may come late.
        self._timer = Timer(BAR_AFTER, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Callable[[Progress], None] | None:
        if not self._wanted:
            return None
        self._timer.start()
        return self._update

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        if self._wanted:
            self._timer.cancel()
            self._timer.join()
        if self._display is not None:
            self._display.stop()

    def _update(self, progress: Progress) -> None:
        self._latest = progress
        if self._display is not None:
            done = f"{progress.done:,}" if progress.total is None else f"{progress.done:,} of {progress.total:,}"
            self._display.update(
                self._display.task_ids[0],
                completed=progress.done,
                total=progress.total,
                description=progress.message,
                done=done,
                rate=self._rate(self._display),
            )

    @staticmethod
    def _rate(display: "Display") -> str:
        """Units a second, once known."""
        speed = display.tasks[0].speed
        return f"{speed:,.0f}/s" if speed else ""

    def _show(self) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415
        from rich.progress import Progress as Display  # noqa: PLC0415

        display = Display(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[done]}", markup=False),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=terminal(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        display.add_task(self._latest.message, total=None, done="", rate="")
        display.start()
        self._display = display
        self._update(self._latest)
