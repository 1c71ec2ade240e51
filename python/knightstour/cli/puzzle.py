"""`knightstour puzzle`: a puzzle with one solution."""

from typing import Annotated, Any

import typer

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, EndsOptions, LimitOptions
from knightstour.cli.options import BoardArgument, JsonOption, QuietOption, SeedOption, examples
from knightstour.cli.output import complain, print_json, request_object, stats_object
from knightstour.cli.reading import read_whole
from knightstour.cli.status import NO_TOUR
from knightstour.errors import NoTourError
from knightstour.puzzles import puzzle

EPILOG = examples(
    "puzzle 6x6 --seed 1",
    "puzzle 6x6 --closed --solution",
    "puzzle 8x8 --clues 12 --time-limit 60",
    "puzzle @board.txt --json",
    keys="board, closed, start, end, symmetric, distinct, clues (steps from 0, by square), solution (names of "
    "squares), seed, stats",
)

CluesOption = Annotated[str | None, typer.Option("--clues", metavar="N", help="The most numbers that may be given.")]
SolutionOption = Annotated[bool, typer.Option("--solution", help="Print the solution as well.")]


def command(
    board: BoardArgument,
    *,
    on: BoardOptions,
    asked: EndsOptions,
    clues: CluesOption = None,
    solution: SolutionOption = False,
    seed: SeedOption = None,
    limits: LimitOptions,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Make a puzzle: some numbers of a tour that just one tour has, none of them to spare."""
    tours = asked.tours(on.board(board))
    options: dict[str, Any] = limits.read() | {
        "clues": read_whole("--clues", clues),
        "seed": read_whole("--seed", seed),
    }
    try:
        with Bar("making a puzzle", wanted=not quiet) as progress:
            made = puzzle(
                tours.board, closed=asked.closed, start=tours.start, end=tours.end, progress=progress, **options
            )
    except NoTourError as error:
        return complain(str(error), NO_TOUR)
    if json:
        answer = {
            "clues": {tours.board.name(square): step for square, step in made.clues.items()},
            "solution": made.solution.names(),
            "seed": made.seed,
            "stats": stats_object(made.stats),
        }
        print_json(request_object(tours) | answer)
        return 0
    print(made)
    if solution:
        print()
        print(made.solution)
    return 0
