"""`knightstour warnsdorff`: how often Warnsdorff's rule alone makes a tour."""

from collections.abc import Iterable
from typing import Annotated, Any

from knightstour._core import Board, _quote
from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions
from knightstour.cli.options import (
    JsonOption,
    QuietOption,
    ThreadsOption,
    argument,
    choice,
    examples,
    offer_boards,
    option,
)
from knightstour.cli.output import print_json, print_table, say, written
from knightstour.cli.reading import MisuseError, read_square, read_whole
from knightstour.options import Ties
from knightstour.plain import board_object
from knightstour.walks import Trials, warnsdorff_trials

QUANTILES = {"least": 0.0, "5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95, "greatest": 1.0}
"""Quantiles of the number of squares visited."""

EPILOG = examples(
    "warnsdorff 1000x1000 --trials 20 --ties random",
    "warnsdorff 6x6 8x8 50x50 100x100 --trials 1000 --seed 2",
    "warnsdorff 200x200 --start a1 --trials 100",
    "warnsdorff 8x8 --trials 1000 --csv trials.csv",
    keys="ties, start, seed, boards (each: board, trials, completed, share, interval, quantiles)",
)


def command(
    boards: Annotated[
        list[str], argument("BOARD...", "Each ROWSxCOLS, N for NxN, or @FILE with a picture.", offer_boards)
    ],
    *,
    trials: Annotated[int, option("--trials N", "Runs on each board.", read=read_whole)] = 100,
    ties: Annotated[str, choice("--ties NAME", "How ties are broken", Ties)] = "random",
    start: Annotated[
        str | None, option("--start SQUARE", "Where each run starts; by default on a random square.")
    ] = None,
    seed: Annotated[
        int | None, option("--seed N", "The same seed gives the same runs; random by default.", read=read_whole)
    ] = None,
    on: BoardOptions,
    threads: ThreadsOption = None,
    csv: Annotated[
        str | None, option("--csv FILE", "One line per run; - is standard output, instead of the table.")
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Follow Warnsdorff's rule many times, without taking a move back, and print how often it makes a tour.

    The table has the share of completed runs with its 95% interval (Wilson's), and quantiles of the number of squares
    visited. Results do not depend on the number of threads.
    """
    if json and csv == "-":
        raise MisuseError("--json and --csv - cannot be combined: only one can go to standard output")
    if trials < 1:
        raise MisuseError(f"--trials must be at least 1, not {_quote(trials)}")
    options: dict[str, Any] = {
        "start": None if start is None else read_square(start),
        "ties": ties,
        "seed": seed,
        "threads": threads,
    }
    results: list[tuple[Board, Trials]] = []
    asked = [on.board(text) for text in boards]
    with written(csv) as lines, Bar("walking", wanted=not quiet) as progress:
        if lines:
            print("rows,cols,blocked,run,length,completed,start,seed", file=lines)
        for board in asked:
            outcome = warnsdorff_trials(board, trials, progress=progress, **options)
            # A random seed is picked once: one seed repeats the whole call.
            options["seed"] = outcome.seed
            results.append((board, outcome))
            if lines:
                lines.writelines(csv_lines(board, outcome))
    if ties == "squirrel" and any((board.rows, board.cols) == (74, 74) for board in asked):
        say("knightstour: the orderings of Squirrel and Cull complete every side from 5 to 1000 except 74")
    if json:
        named = {"ties": ties, "start": start, "seed": options["seed"]}
        print_json(named | {"boards": [trials_object(*result) for result in results]})
    elif csv != "-":
        print_trials(results)
        starts = f"from {start}" if start else "from the corner" if ties == "squirrel" else "from random squares"
        print(f"{trials} runs each, {starts}, ties {ties}, seed {options['seed']}; 95% interval: Wilson's")
    return 0


def csv_lines(board: Board, outcome: Trials) -> Iterable[str]:
    """A line for each run."""
    head = f"{board.rows},{board.cols},{len(board.blocked)}"
    return (
        f"{head},{run},{length},{int(is_complete)},{start},{seed}\n"
        for run, start, seed, length, is_complete in zip(*outcome.to_dict().values(), strict=True)
    )


def trials_object(board: Board, outcome: Trials) -> dict[str, Any]:
    """The outcome on one board, in JSON."""
    return {
        "board": board_object(board),
        "trials": outcome.trials,
        "completed": outcome.completed,
        "share": outcome.share,
        "interval": outcome.interval,
        "quantiles": dict(zip(QUANTILES, outcome.quantiles(*QUANTILES.values()), strict=True)),
    }


def print_trials(results: list[tuple[Board, Trials]]) -> None:
    """Print a line for each board."""
    heads = ["board", "completed", "share", "95% interval", *QUANTILES]
    rows = []
    for board, outcome in results:
        low, high = outcome.interval
        rows.append(
            [
                f"{board.rows}x{board.cols}",
                str(outcome.completed),
                f"{outcome.share:.2%}",
                f"{low:.2%} to {high:.2%}",
                *map(str, outcome.quantiles(*QUANTILES.values())),
            ]
        )
    print_table(heads, rows, left=1)
