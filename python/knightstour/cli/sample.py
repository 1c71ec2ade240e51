"""`knightstour sample`: tours picked at random, one per line."""

from typing import Annotated

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, LimitOptions, ToursOptions
from knightstour.cli.options import (
    CluesArgument,
    JsonOption,
    MemoryOption,
    QuietOption,
    ThreadsOption,
    TimeOption,
    examples,
    option,
)
from knightstour.cli.output import complain, print_json, say
from knightstour.cli.reading import read_file_name, read_whole
from knightstour.cli.status import NO_TOUR
from knightstour.errors import NoTourError
from knightstour.plain import board_object

EPILOG = examples(
    "sample 6x6 -k 3",
    "sample 6x6 --closed -k 100 --seed 7",
    "sample 8x8 --closed --index 8x8.tours --time-limit 900",
    keys="(one object per line) tour (names of squares), closed, seed, draw (from 0), board",
)


def command(
    board: CluesArgument,
    *,
    count: Annotated[int, option("-k, --count K", "How many tours.", read=read_whole)] = 1,
    seed: Annotated[
        int | None,
        option(
            "--seed N", "The same seed picks the same tours; without one, the seed used is printed.", read=read_whole
        ),
    ] = None,
    on: BoardOptions,
    asked: ToursOptions,
    index: Annotated[
        str | None,
        option("--index FILE", "Keep the tables in this file; if the file exists, use it.", read=read_file_name),
    ] = None,
    spill_dir: Annotated[str | None, option("--spill-dir DIR", "Put tables that do not fit in memory here.")] = None,
    time_limit: TimeOption = None,
    memory_limit: MemoryOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Pick tours at random, all equally likely, and print one per line."""
    tours = asked.tours_on(on, board)
    limits = LimitOptions(time_limit=time_limit, memory_limit=memory_limit).read() | {"threads": threads}
    try:
        with Bar("preparing", wanted=not quiet) as progress:
            tours.prepare(index, spill_dir=spill_dir, progress=progress, **limits)
            drawn = tours.sample(count, seed=seed, threads=limits["threads"], progress=progress)
    except NoTourError as error:
        return complain(str(error), NO_TOUR)
    for number, tour in enumerate(drawn):
        if json:
            names = {"tour": tour.names(), "closed": tour.is_closed}
            print_json(names | {"seed": drawn.seed, "draw": number, "board": board_object(tour.board)})
        else:
            print(" ".join(tour.names()))
    if seed is None and not quiet and not json:
        say(f"seed {drawn.seed}")
    return 0
