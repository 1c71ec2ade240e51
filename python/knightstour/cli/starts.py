"""`knightstour starts`: how many open tours begin on each square, or on which squares one can."""

from typing import TYPE_CHECKING, Annotated, Any

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, CountOptions, MovesOptions
from knightstour.cli.options import (
    BoardArgument,
    EndOption,
    ExcludingOption,
    IncludingOption,
    JsonOption,
    QuietOption,
    examples,
    option,
)
from knightstour.cli.output import print_json, stats_object
from knightstour.cli.reading import MisuseError, Name, read_square
from knightstour.errors import LimitReachedError
from knightstour.plain import request_object
from knightstour.square import Square

if TYPE_CHECKING:
    from knightstour._core import Board

EPILOG = examples(
    "starts 5x5",
    "starts 3x7 --blocked d2 --json",
    "starts 3x9 --map",
    "starts 30x30 --map --from a1",
    keys="board, closed, start, end, symmetric, distinct, outcome (counted, stopped), "
    "starts (a number for each square; with --map a list of squares), limit (time, nodes, memory), stats (if stopped)",
)


def command(
    board: BoardArgument,
    *,
    on: BoardOptions,
    end: EndOption = None,
    including: IncludingOption = None,
    excluding: ExcludingOption = None,
    how: CountOptions,
    map_: Annotated[
        bool, option("--map", "Do not count: print o where a tour can start, . where not. Any size.")
    ] = False,
    from_: Annotated[str | None, option("--from SQUARE", "With --map: where the tours from SQUARE can end.")] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Print the board with the number of open tours from each square, or a map of where tours can start."""
    if map_:
        if end is not None or including or excluding or how.method != "auto" or how.checkpoint or how.spill_dir:
            raise MisuseError("--map can be combined with a board, --from and limits only")
        limits = how.limits()
        start = None if from_ is None else read_square(from_)
        return draw_map(on.board(board), start, limits, json=json, quiet=quiet)
    if from_ is not None:
        raise MisuseError("--from needs --map")
    tours = MovesOptions(end=end, including=including, excluding=excluding).tours(on.board(board))
    options = how.options()
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
    given = tours.board
    if json:
        numbers = {given.name(square): number for square, number in table.items()}
        answer = {"outcome": "counted", "starts": numbers, "limit": None, "stats": None}
        print_json(request_object(tours) | answer)
        return 0
    width = max(len(str(number)) for number in table.values())
    for row in range(given.rows):
        cells = (str(table.get(Square(row, col), "#")).rjust(width) for col in range(given.cols))
        print(" ".join(cells))
    return 0


def draw_map(board: "Board", start: Name | None, limits: dict[str, Any], *, json: bool, quiet: bool) -> int:
    """Print where open tours can start, or where those from a square can end."""
    limits.pop("threads")
    with Bar("searching", wanted=not quiet) as progress:
        if start is None:
            squares = board.start_squares(progress=progress, **limits)
        else:
            squares = board.end_squares(start, progress=progress, **limits)
    if json:
        named = [board.name(square) for square in sorted(squares)]
        answer = {"outcome": "counted", "starts": named, "limit": None, "stats": None}
        print_json(request_object(board.tours(start=start)) | answer)
        return 0
    blocked = board.blocked
    for row in range(board.rows):
        here = [Square(row, col) for col in range(board.cols)]
        print("".join("#" if square in blocked else "o" if square in squares else "." for square in here))
    return 0
