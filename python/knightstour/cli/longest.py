"""`knightstour longest`: the longest path of a board."""

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, EndsOptions, LimitOptions
from knightstour.cli.options import BoardArgument, JsonOption, QuietOption, examples
from knightstour.cli.output import complain, print_json, stats_object
from knightstour.cli.status import LIMIT, NO_TOUR
from knightstour.paths import Path
from knightstour.plain import request_object

EPILOG = examples(
    "longest 4x4",
    "longest 5x5 --start a2",
    "longest 7x7 --closed --time-limit 10 --json",
    keys="board, closed, start, end, symmetric, distinct, squares (names), length, is_optimal, upper_bound, stats",
)


def command(
    board: BoardArgument,
    *,
    on: BoardOptions,
    asked: EndsOptions,
    limits: LimitOptions,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find the longest path, or cycle, that visits no square twice; say whether it is proven to be the longest."""
    tours = asked.tours(on.board(board))
    options = limits.read()
    with Bar("searching", wanted=not quiet) as progress:
        longest = tours.board.longest_path(
            start=tours.start, end=tours.end, closed=asked.closed, progress=progress, **options
        )
    path = Path._of(tours.board, tuple(longest.squares), asked.closed)
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
    kind = "cycle" if asked.closed else "path"
    if longest.is_optimal:
        if not len(path):
            return complain(f"there is no such {kind}", NO_TOUR)
        return 0 if json else complain(f"{len(path)} squares: no {kind} has more", 0)
    return complain(
        f"{len(path)} squares. It is not known whether a {kind} has more, up to {longest.upper_bound}.", LIMIT
    )
