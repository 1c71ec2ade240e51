"""`knightstour count`: how many tours there are."""

from typing import Any

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
    MemoryOption,
    MethodOption,
    NodeOption,
    QuietOption,
    StartOption,
    ThreadsOption,
    TimeOption,
    WrapOption,
    examples,
)
from knightstour.cli.output import print_json, request_object, stats_object
from knightstour.cli.reading import read_board, read_limits, read_tours
from knightstour.errors import LimitReachedError

EPILOG = examples(
    "count 6x6",
    "count 6x6 --closed",
    "count 5x6 --start a1 --excluding b3-d4",
    "count 6x6 --wrap cols --time-limit 60 --json",
    keys="board, closed, start, end, outcome (counted, stopped), value, undirected, directed, "
    "limit (time, nodes, memory), stats",
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
    method: MethodOption = "auto",
    time_limit: TimeOption = None,
    node_limit: NodeOption = None,
    memory_limit: MemoryOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Count the tours exactly: open ones with direction, closed ones without."""
    tours = read_tours(
        read_board(board, blocked, leaper, wrap),
        closed=closed,
        start=start,
        end=end,
        including=including,
        excluding=excluding,
    )
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit, threads) | {"method": method}
    answer: dict[str, Any] = {"outcome": "stopped", "value": None, "undirected": None, "directed": None}
    try:
        with Bar("counting", wanted=not quiet) as progress:
            counted = tours.count(progress=progress, **options)
    except LimitReachedError as error:
        if json:
            answer |= {"limit": error.limit, "stats": stats_object(error.stats)}
            print_json(request_object(tours) | answer)
        raise
    if json:
        answer = {
            "outcome": "counted",
            "value": counted.value,
            "undirected": counted.undirected,
            "directed": counted.directed,
            "limit": None,
            "stats": stats_object(counted.stats),
        }
        print_json(request_object(tours) | answer)
    else:
        print(counted)
    return 0
