"""`knightstour solve`: one tour, or why there is none."""

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, LimitOptions, ToursOptions
from knightstour.cli.options import (
    CluesArgument,
    FindMethodOption,
    JsonOption,
    LookaheadOption,
    OrderOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    TiesOption,
    examples,
)
from knightstour.cli.output import answer_object, complain, print_json
from knightstour.cli.status import LIMIT, NO_TOUR
from knightstour.cli.wording import in_numbers
from knightstour.limits import describe_need, describe_work
from knightstour.plain import request_object
from knightstour.results import Found, Impossible, Stats, Stopped
from knightstour.tours import Tours

EPILOG = examples(
    "solve 8x8",
    "solve 8x8 --start a1 --end h8        (no such tour: exit status 1)",
    "solve 30x30 --closed --time-limit 5",
    "solve 6x6 --beginning a1,b3 --steps f6=36",
    "solve 8x8 --method backtracking --order fixed --lookahead forced",
    "solve @board.txt --leaper 2,3 --json",
    "puzzle 6x6 | knightstour solve @-",
    keys="board, closed, start, end, symmetric, distinct, outcome (found, impossible, stopped), "
    "tour (names of squares), reason (code, text, squares), limit (time, nodes, memory), stats",
)


def command(
    board: CluesArgument,
    *,
    on: BoardOptions,
    asked: ToursOptions,
    method: FindMethodOption = "auto",
    order: OrderOption = None,
    ties: TiesOption = None,
    lookahead: LookaheadOption = None,
    seed: SeedOption = None,
    limits: LimitOptions,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find one tour and print it as the numbered board, or say why there is none."""
    tours = asked.tours_on(on, board)
    options = limits.read() | {"method": method, "order": order, "ties": ties, "lookahead": lookahead}
    options |= {"seed": seed, "threads": threads}
    with Bar("searching", wanted=not quiet) as progress:
        result = tours.find(progress=progress, **options)
    return answer_search(tours, result, json=json, memory_limit=options["memory_limit"])


def answer_search(
    tours: Tours, result: Found | Impossible | Stopped, *, json: bool, memory_limit: int | None = None
) -> int:
    """Print the answer of a search, and give the exit status."""
    if json:
        print_json(request_object(tours) | answer_object(result, tours.board))
    match result:
        case Found(tour, _):
            if not json:
                print(tour)
            return 0
        case Impossible(reason, _):
            return complain(in_numbers(reason.text), NO_TOUR)
        case Stopped(limit, stats):
            return complain(describe_stop(limit, stats, memory_limit), LIMIT)


def describe_stop(limit: str, stats: Stats, memory_limit: int | None) -> str:
    """That a search was stopped."""
    if limit == "memory":
        return f"stopped: the search needs {describe_need(stats.memory, memory_limit)}"
    limit = {"nodes": "node"}.get(limit, limit)
    return f"stopped by the {limit} limit ({describe_work(stats)}). It is not known whether a tour exists."
