"""The progress bar."""

import sys
from collections.abc import Callable
from datetime import timedelta
from threading import Timer
from typing import TYPE_CHECKING

from knightstour.cli.output import is_terminal, terminal
from knightstour.results import Progress

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Display

BAR_AFTER = 1.0
"""Seconds after which a progress bar appears."""

SHORTEST_BAR, LONGEST_BAR = 6, 40
GAPS = 6
"""Columns between what is written."""


def short(count: int) -> str:
    """A number to two or three digits: 9,999, 12k, 2.5M, 310M, 12G."""
    if count < 10_000:
        return f"{count:,}"
    number, units = float(f"{count:.2e}"), "kMGT"
    at = min((len(str(round(number))) - 1) // 3, len(units))
    number /= 1000**at
    return f"{number:,.1f}{units[at - 1]}" if number < 10 else f"{number:,.0f}{units[at - 1]}"


def shortened(text: str, room: int) -> str:
    """A text cut to a number of characters."""
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"


class Bar:
    """A progress bar on standard error for work that lasts over a second, if standard error is a terminal.

    As a context it gives a function to call with a `Progress`, or None if no bar is wanted.
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
            done = (
                short(progress.done) if progress.total is None else f"{short(progress.done)} of {short(progress.total)}"
            )
            rate = self._rate(self._display)
            self._display.update(
                self._display.task_ids[0],
                completed=progress.done,
                total=progress.total,
                description=shortened(progress.message, self._room(self._display) - len(done) - len(rate)),
                done=done,
                rate=rate,
            )

    @staticmethod
    def _rate(display: "Display") -> str:
        """Units per second, once known."""
        speed = display.tasks[0].speed
        return f"{short(round(speed))}/s" if speed else ""

    @staticmethod
    def _room(display: "Display") -> int:
        """The columns of the terminal that are left for the message, the counts and the rate."""
        task = display.tasks[0]
        times = (str(timedelta(seconds=int(seconds or 0))) for seconds in (task.elapsed, task.time_remaining))
        return display.console.width - SHORTEST_BAR - sum(map(len, ("left:", *times))) - GAPS

    def _show(self) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415
        from rich.progress import Progress as Display  # noqa: PLC0415
        from rich.table import Column  # noqa: PLC0415

        display = Display(
            TextColumn("{task.description}", markup=False),
            # On a narrow terminal the bar gets shorter, not the times.
            BarColumn(None, table_column=Column(ratio=1, max_width=LONGEST_BAR)),
            TextColumn("{task.fields[done]}", markup=False),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeElapsedColumn(table_column=Column(no_wrap=True)),
            TextColumn("left:"),
            TimeRemainingColumn(table_column=Column(no_wrap=True)),
            console=terminal(stderr=True),
            transient=True,
            expand=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        display.add_task(self._latest.message, total=None, done="", rate="")
        display.start()
        self._display = display
        self._update(self._latest)
