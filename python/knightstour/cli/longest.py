"""`knightstour longest`: the longest path of a board."""

from typing import Any

from knightstour.cli.bar import Bar
from knightstour.cli.options import (
    BlockedOption,
    BoardArgument,
    ClosedOption,
    EndOption,
    JsonOption,
    LeaperOption,
    MemoryOption,
    NodeOption,
    QuietOption,
    StartOption,
    TimeOption,
    WrapOption,
    examples,
)
from knightstour.cli.output import complain, print_json, request_object, stats_object
from knightstour.cli.reading import read_board, read_limits, read_tours
from knightstour.cli.status import LIMIT, NO_TOUR
from knightstour.paths import Path

EPILOG = examples(
    "longest 4x4",
    "longest 5x5 --start a2",
    "longest 7x7 --closed --time-limit 10 --json",
    keys="board, closed, start, end, symmetric, distinct, squares (names), length, is_optimal, upper_bound, stats",
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
    time_limit: TimeOption = None,
    node_limit: NodeOption = None,
    memory_limit: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find the longest path, or cycle, that visits no square twice, and say whether it is proven to be."""
    on = read_board(board, blocked, leaper, wrap)
    tours = read_tours(on, closed=closed, start=start, end=end, including=None, excluding=None)
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit)
    # One thread does it.
    del options["threads"]
    with Bar("searching", wanted=not quiet) as progress:
        longest = on.longest_path(start=start, end=end, closed=closed, progress=progress, **options)
    path = Path(on, tuple(longest.squares), closed)
    if json:
        answer = {
            "squares": path.names(),
            "length": len(path),
            "is_optimal": longest.is_optimal,
            "upper_bound": longest.upper_bound,
            "stats": stats_object(longest.stats),
        }
        print_json(request_object(tours) | answer)
    elif len(path):
        print(path)
    kind = "cycle" if closed else "path"
    if longest.is_optimal:
        if not len(path):
            return complain(f"there is no {kind} as asked for", NO_TOUR)
        return 0 if json else complain(f"{len(path)} squares: no {kind} has more", 0)
    return complain(f"{len(path)} squares; whether a {kind} has up to {longest.upper_bound} is open", LIMIT)
