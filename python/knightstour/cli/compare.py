"""`knightstour compare`: the strategies of backtracking side by side."""

from collections.abc import Callable
from typing import Any, get_args

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, LimitOptions, MovesOptions
from knightstour.cli.options import (
    BoardArgument,
    JsonOption,
    MemoryOption,
    NodeOption,
    QuietOption,
    SeedOption,
    TiesOption,
    TimeOption,
    examples,
)
from knightstour.cli.output import answer_object, print_json, print_table
from knightstour.options import Lookahead
from knightstour.plain import request_object
from knightstour.results import Found, Impossible, Progress, Stopped

STRATEGIES: dict[str, dict[str, str]] = {
    "plain": {"order": "fixed", "lookahead": "none"},
    "Warnsdorff": {"order": "warnsdorff", "lookahead": "none"},
    **{
        f"Warnsdorff + {lookahead}": {"order": "warnsdorff", "lookahead": lookahead}
        for lookahead in get_args(Lookahead)
        if lookahead != "none"
    },
}
"""What is compared, and how the library is asked for it."""

EPILOG = examples(
    "compare 6x6 --start a1",
    "compare 7x7 --start a1 --node-limit 100000000",
    "compare 6x6 --closed --ties pohl",
    keys="board, closed, start, end, symmetric, distinct, time_limit, node_limit, strategies (each: strategy, order, "
    "lookahead, outcome, tour, reason, limit, stats)",
)


def command(
    board: BoardArgument,
    *,
    on: BoardOptions,
    asked: MovesOptions,
    ties: TiesOption = None,
    seed: SeedOption = None,
    time_limit: TimeOption = 10,
    node_limit: NodeOption = 10_000_000,
    memory_limit: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Compare the strategies of backtracking on one board.

    They are the plain search, Warnsdorff's rule, and the rule with each look-ahead. Each runs until its first
    tour, a proof that there is none, or a limit.
    """
    tours = asked.tours(on.board(board))
    limits = LimitOptions(time_limit=time_limit, node_limit=node_limit, memory_limit=memory_limit)
    options = limits.read() | {"seed": seed}
    results: dict[str, Found | Impossible | Stopped] = {}
    with Bar("comparing", wanted=not quiet) as progress:
        for name, strategy in STRATEGIES.items():
            chosen: dict[str, Any] = {"method": "backtracking", **strategy, **options}
            if strategy["order"] == "warnsdorff":
                chosen["ties"] = ties
            results[name] = tours.find(progress=progress and named(name, progress), **chosen)
    if json:
        rows = [
            {"strategy": name, **STRATEGIES[name], **answer_object(result, tours.board)}
            for name, result in results.items()
        ]
        told = {key: options[key] for key in ("time_limit", "node_limit")}
        print_json(request_object(tours) | told | {"strategies": rows})
    else:
        print_comparison(results)
    return 0


def named(name: str, progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The progress of one of several runs."""
    return lambda at: progress(Progress(at.done, at.total, f"{name}: {at.message}"))


def print_comparison(results: dict[str, Found | Impossible | Stopped]) -> None:
    """Print a line for each strategy."""
    heads = ["strategy", "outcome", "nodes", "backtracks", "seconds"]
    rows = []
    for name, result in results.items():
        stats = result.stats
        rows.append([name, describe_outcome(result), str(stats.nodes), str(stats.backtracks), f"{stats.seconds:.6f}"])
    print_table(heads, rows, left=2)


def describe_outcome(result: Found | Impossible | Stopped) -> str:
    """An outcome in a cell of a table."""
    match result:
        case Found():
            return "tour"
        case Impossible(reason, _):
            return f"no tour ({reason.code})"
        case Stopped(limit, _):
            return f"stopped ({limit})"
