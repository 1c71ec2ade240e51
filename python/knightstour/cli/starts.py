"""`knightstour starts`: how many open tours begin on each square."""

from typing import Any, get_args

from knightstour.cli.bar import Bar
from knightstour.cli.options import (
    BlockedOption,
    BoardArgument,
    CountMethodOption,
    EndOption,
    ExcludingOption,
    IncludingOption,
    JsonOption,
    LeaperOption,
    MemoryOption,
    NodeOption,
    QuietOption,
    ThreadsOption,
    TimeOption,
    WrapOption,
    examples,
)
from knightstour.cli.output import print_json, request_object, stats_object
from knightstour.cli.reading import read_board, read_choice, read_limits, read_tours
from knightstour.errors import LimitReachedError
from knightstour.options import CountMethod
from knightstour.square import Square

EPILOG = examples(
    "starts 5x5",
    "starts 3x7 --blocked d2 --json",
    keys="board, closed, start, end, symmetric, distinct, outcome (counted, stopped), "
    "starts (a number for each square), limit (time, nodes, memory), stats (if stopped)",
)


def command(
    board: BoardArgument,
    *,
    blocked: BlockedOption = None,
    leaper: LeaperOption = None,
    wrap: WrapOption = None,
    end: EndOption = None,
    including: IncludingOption = None,
    excluding: ExcludingOption = None,
    method: CountMethodOption = "auto",
    time_limit: TimeOption = None,
    node_limit: NodeOption = None,
    memory_limit: MemoryOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Print the board with the number of open tours from each square."""
    tours = read_tours(read_board(board, blocked, leaper, wrap), end=end, including=including, excluding=excluding)
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit, threads) | {
        "method": read_choice("--method", method, get_args(CountMethod))
    }
    try:
        with Bar("counting", wanted=not quiet) as progress:
            table = tours.starts(progress=progress, **options)
    except LimitReachedError as error:
        if json:
            answer = {
                "outcome": "stopped",
                "starts": None,
                "limit": error.limit,
                "stats": stats_object(error.stats),
            }
            print_json(request_object(tours) | answer)
        raise
    on = tours.board
    if json:
        numbers = {on.name(square): number for square, number in table.items()}
        answer = {"outcome": "counted", "starts": numbers, "limit": None, "stats": None}
        print_json(request_object(tours) | answer)
        return 0
    width = max(len(str(number)) for number in table.values())
    for row in range(on.rows):
        cells = (str(table.get(Square(row, col), "#")).rjust(width) for col in range(on.cols))
        print(" ".join(cells))
    return 0
