"""`knightstour list`: every tour, one per line."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from knightstour._core import _note_of_lines, _quote
from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, LimitOptions, ToursOptions
from knightstour.cli.options import (
    CluesArgument,
    JsonOption,
    MemoryOption,
    QuietOption,
    TimeOption,
    among,
    examples,
    names,
    offer,
    option,
)
from knightstour.cli.output import complain, is_terminal, print_bytes, say
from knightstour.cli.reading import MisuseError, read_whole
from knightstour.cli.status import INTERRUPTED, LIMIT, MISUSE
from knightstour.cli.wording import in_numbers
from knightstour.errors import LimitReachedError
from knightstour.options import LineFormat
from knightstour.results import Impossible, Progress
from knightstour.tours import Tours

if TYPE_CHECKING:
    from knightstour.cli.tourfile import Comparison, TourFile

EPILOG = examples(
    "list 5x5 --limit 10",
    "list 6x6 --closed --distinct --symmetric quarter-turn",
    "list 6x6 --closed -o tours.txt",
    "list 6x6 -o tours.txt.gz --time-limit 60",
    "list 6x6 -o tours.txt.gz --resume",
    "list 6x6 --start a1 | head -1",
    keys="(one object per line) tour (names of squares), closed, board",
)

SUFFIXES = {"": "names", ".txt": "names", ".csv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json"}
"""What a file's name says about its lines."""

MOST_TOURS, MOST_SQUARES = 1 << 14, 1 << 21
"""The most tours, and the most squares, of a batch."""

WHY_LIMIT = 2.0
"""Seconds to look for the reason why there is no tour."""


def command(
    board: CluesArgument,
    *,
    on: BoardOptions,
    asked: ToursOptions,
    limit: Annotated[int | None, option("--limit N", "Stop listing after N tours.", read=read_whole)] = None,
    output: Annotated[
        str, option("--output, -o FILE", "The file to write; it is compressed if its name ends in .gz.")
    ] = "-",
    form: Annotated[
        str | None,
        option(
            "--format NAME",
            f"Format of a line: {names(LineFormat)}; by default as the file's name says (.csv, .ndjson).",
            offered=offer(*get_args(LineFormat)),
            read=among(*get_args(LineFormat)),
        ),
    ] = None,
    resume: Annotated[
        bool, option("--resume", "Continue a file whose listing was interrupted or stopped by a limit.")
    ] = False,
    time_limit: TimeOption = None,
    memory_limit: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """List the tours, one per line, as the names of their squares.

    A long list needs no more memory than a short one.
    """
    tours = asked.tours_on(on, board)
    if limit is not None and limit < 0:
        raise MisuseError(f"--limit must be at least 0, not {limit}")
    limits = LimitOptions(time_limit=time_limit, memory_limit=memory_limit).read()
    if json and form not in (None, "json"):
        raise MisuseError(f"--json cannot be combined with --format {form}")
    line = "json" if json else form or line_format(output)
    if resume and output == "-":
        raise MisuseError("--resume needs a file: name it with -o")
    # Options that do not fit are refused before a file is touched.
    tours.batches(1, **limits)
    # On the terminal that the tours go to, they are progress enough.
    wanted = not quiet and (output != "-" or not is_terminal(sys.stdout))
    with Bar("listing", wanted=wanted) as progress:

        def write(target: "Standard | TourFile | Comparison") -> bool:
            return write_tours(tours, target, line, limit, limits, progress)

        if output == "-":
            exhausted, listed = write(standard := Standard()), standard.listed
        else:
            from knightstour.cli.tourfile import Comparison, TourFile  # noqa: PLC0415 - it takes long to import

            file = TourFile(output, line, resume=resume)
            if file.is_unmarked:
                with Comparison(file) as compared:
                    write(compared)
                    say(f"knightstour: {compared.end()}")
                return 0
            try:
                with file:
                    exhausted = write(file)
                listed = file.listed
            except LimitReachedError as error:
                return complain(f"{error}; {file.left()}", LIMIT)
            except BrokenPipeError:
                raise
            except OSError as error:
                return complain(f"cannot write {_quote(output)}: {error.strerror}; {file.left()}", MISUSE)
            except KeyboardInterrupt:
                return complain(f"interrupted; {file.left()}", INTERRUPTED)
    if exhausted and listed == 0:
        say_why(tours)
    return 0


class Standard:
    """Standard output. What is written goes out at once: the next tour may take long to find."""

    listed = 0
    position: bytes | None = None

    def write(self, lines: bytes, listed: int, position: bytes | None) -> None:
        """Write whole lines, up to that tour."""
        print_bytes(lines)
        self.listed, self.position = listed, position


def say_why(tours: Tours) -> None:
    """Say why there is no tour."""
    match tours.find(time_limit=WHY_LIMIT):
        case Impossible(reason, _):
            say(f"knightstour: there is no tour: {in_numbers(reason.text)}")
        case _:
            say("knightstour: there is no tour: every possibility was tried")


def line_format(output: str) -> str:
    """The format that a file's name asks for."""
    suffix = Path(output.removesuffix(".gz")).suffix.lower()
    if suffix not in SUFFIXES:
        endings = ", ".join(filter(None, SUFFIXES))
        raise MisuseError(f"a list of tours is text: its name must end in {endings} or .gz, not in {_quote(suffix)}")
    return SUFFIXES[suffix]


def write_tours(  # noqa: PLR0917
    tours: Tours,
    target: "Standard | TourFile | Comparison",
    form: Any,
    most: int | None,
    limits: dict[str, Any],
    progress: Callable[[Progress], None] | None,
) -> bool:
    """Write the tours that are left, `most` of them in all, and say whether there are no more."""
    size = max(1, min(MOST_TOURS, MOST_SQUARES // len(tours.board)))
    if most is not None:
        size = max(1, min(size, most))
    listed = target.listed
    # Names and square numbers in a file do not say what piece moves where, and whether the tours are open.
    is_file = not isinstance(target, Standard) and form != "json"
    note = _note_of_lines(tours.board, tours.closed).encode() if is_file and listed == 0 else b""
    batches = tours.batches(size, **limits, progress=progress, position=target.position, wait=0.0)
    while most is None or listed < most:
        batch = next(batches, None)
        if batch is None:
            return True
        listed, position = batches.listed, batches.position
        if most is not None and listed > most:
            batch, listed, position = batch[: len(batch) - (listed - most)], most, None
        target.write(note + batch.lines(form), listed, position)
        note = b""
        if progress is not None:
            progress(Progress(listed, None, "listing: tours"))
    return False
