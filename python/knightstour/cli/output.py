"""What the commands write: JSON, messages, and what a terminal can show of them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from knightstour._core import Board, _quote
from knightstour.cli.reading import MisuseError
from knightstour.results import Found, Impossible, Stats, Stopped


def stats_object(stats: Stats | None) -> dict[str, Any] | None:
    """What was done, in JSON."""
    return None if stats is None else stats.as_dict()


def answer_object(result: Found | Impossible | Stopped, board: Board) -> dict[str, Any]:
    """What a search answered, in JSON."""
    answer: dict[str, Any] = {"outcome": "", "tour": None, "reason": None, "limit": None}
    match result:
        case Found(tour, _):
            answer |= {"outcome": "found", "tour": tour.names()}
        case Impossible(reason, _):
            squares = [board.name(square) for square in reason.squares]
            answer |= {
                "outcome": "impossible",
                "reason": {"code": reason.code, "text": reason.text, "squares": squares},
            }
        case Stopped(limit, _):
            answer |= {"outcome": "stopped", "limit": limit}
    return answer | {"stats": stats_object(result.stats)}


def print_json(value: object) -> None:
    """Write one line of JSON."""
    import json  # noqa: PLC0415

    print(json.dumps(value), flush=True)


@contextmanager
def written(name: str | None) -> Iterator[TextIO | None]:
    """A file to write text to, opened now: ``-`` is standard output, None is none."""
    if name is None or name == "-":
        yield sys.stdout if name else None
        return
    try:
        with Path(name).open("w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise MisuseError(f"cannot write {_quote(name)}: {error.strerror}") from None


def print_bytes(data: bytes) -> None:
    """Write to standard output at once, unless it is closed."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    view = memoryview(data)
    while view:
        # Unbuffered, it may write a part only.
        view = view[sys.stdout.buffer.write(view) or 0 :]
    sys.stdout.flush()


def complain(message: str, status: int) -> int:
    """Write a message to standard error, as one line, and give the exit status back."""
    say("knightstour: " + " ".join(message.split()))
    return status


def say(text: str) -> None:
    """Write to standard error, unless it is closed."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def is_terminal(stream: Any) -> bool:
    """Whether a stream is a terminal; a closed stream is None."""
    return stream is not None and stream.isatty()


def terminal(*, stderr: bool) -> Any:
    """The terminal as rich sees it."""
    from rich.console import Console  # noqa: PLC0415

    # Without a colour system rich writes neither colours nor bold.
    color_system: Any = None if os.environ.get("NO_COLOR") else "auto"
    return Console(stderr=stderr, color_system=color_system, highlight=False)


def print_table(heads: list[str], rows: list[list[str]], *, left: int) -> None:
    """Print a table, the first ``left`` columns of words and the others of numbers.

    It is in a box on a terminal that is wide enough: a box that is cut loses digits.
    """
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    on = terminal(stderr=False) if is_terminal(sys.stdout) else None
    if on is not None and sum(width + 3 for width in widths) < on.width:
        from rich.table import Table  # noqa: PLC0415

        table = Table()
        for number, head in enumerate(heads):
            table.add_column(head, justify="left" if number < left else "right")
        for row in rows:
            table.add_row(*row)
        on.print(table)
        return
    for row in (heads, *rows):
        cells = zip(row, widths, strict=True)
        line = [cell.ljust(width) if number < left else cell.rjust(width) for number, (cell, width) in enumerate(cells)]
        print("  ".join(line))
