"""`knightstour list`: every tour, one a line."""

import sys
from itertools import islice
from typing import Annotated

import typer

from knightstour.cli.bar import Bar
from knightstour.cli.options import (
    BlockedOption,
    BoardArgument,
    ClosedOption,
    EndOption,
    ExcludingOption,
    IncludingOption,
    JsonOption,
    LeaperOption,
    QuietOption,
    StartOption,
    WrapOption,
    examples,
)
from knightstour.cli.output import is_terminal, print_json
from knightstour.cli.reading import MisuseError, read_board, read_tours, read_whole
from knightstour.results import Progress

EPILOG = examples(
    "list 5x5 --limit 10",
    "list 6x6 --closed",
    "list 6x6 --start a1 | head -1",
    keys="(one object a line) tour (names of squares), closed",
)


def command(
    board: BoardArgument,
    *,
    blocked: BlockedOption = None,
    leaper: LeaperOption = None,
    wrap: WrapOption = None,
    closed: ClosedOption = False,
    start: StartOption = None,
    end: EndOption = None,
    including: IncludingOption = None,
    excluding: ExcludingOption = None,
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="Stop listing after N tours.")] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """List the tours, one a line, as the names of their squares. Memory does not grow with their number."""
    tours = read_tours(
        read_board(board, blocked, leaper, wrap),
        closed=closed,
        start=start,
        end=end,
        including=including,
        excluding=excluding,
    )
    most = read_whole("--limit", limit)
    if most is not None and most < 0:
        raise MisuseError(f"--limit is at least 0, not {most}")
    if most is not None:
        most = min(most, sys.maxsize)
    # On the terminal that the tours go to, they are progress enough.
    with Bar("listing", wanted=not quiet and not is_terminal(sys.stdout)) as progress:
        for number, tour in enumerate(islice(tours, most), 1):
            if json:
                print_json({"tour": tour.names(), "closed": tour.is_closed})
            else:
                # At once: the next tour may take long to find.
                print(" ".join(tour.names()), flush=True)
            if progress is not None:
                progress(Progress(number, None, "listing: tours"))
    return 0
