"""`knightstour count`: how many tours there are."""

from typing import TYPE_CHECKING, Annotated, Any

from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, CountOptions, ToursOptions
from knightstour.cli.options import CluesArgument, JsonOption, QuietOption, examples, offer, option
from knightstour.cli.output import print_json, stats_object
from knightstour.cli.reading import MisuseError, read_file_name, read_whole
from knightstour.errors import LimitReachedError
from knightstour.plain import request_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from knightstour.results import Count, Progress
    from knightstour.tours import Tours

EPILOG = examples(
    "count 6x6",
    "count 6x6 --closed",
    "count 6x6 --closed --distinct",
    "count 8x8 --closed --symmetric half-turn",
    "count 5x6 --start a1 --excluding b3-d4",
    "count 8x8 --beginning a1,b3,c1,a2,b4,a6,b8,d7,f8,h7",
    "count 6x6 --wrap cols --time-limit 60 --json",
    "count 8x9 --closed --checkpoint count.kt --spill-dir /tmp",
    "count 7x7 --plan run.db --parts rows",
    keys="board, closed, start, end, symmetric, distinct, outcome (counted, stopped), value, undirected, directed, "
    "modulus, limit (time, nodes, memory), stats",
)


def command(
    board: CluesArgument,
    *,
    on: BoardOptions,
    asked: ToursOptions,
    how: CountOptions,
    plan: Annotated[
        str | None,
        option("--plan FILE", "Count in parts; FILE keeps the finished parts, to resume from.", read=read_file_name),
    ] = None,
    parts: Annotated[
        str | None,
        option(
            "--parts HOW",
            "With --plan: auto, rows, ends, moves, or a number of parts.",
            offered=offer("auto", "rows", "ends", "moves"),
        ),
    ] = None,
    modulus: Annotated[
        int | None, option("--modulus N", "Count modulo N: a sweep needs less memory for that.", read=read_whole)
    ] = None,
    workers: Annotated[
        int | None, option("--workers N", "With --plan: number of processes that count.", read=read_whole)
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Count the tours exactly.

    An open tour and its reverse are two tours; a closed tour, which has no direction, counts once.
    """
    tours = asked.tours_on(on, board)
    if plan is None and (parts is not None or workers is not None):
        raise MisuseError("--parts and --workers need --plan FILE")
    if workers is not None and workers < 1:
        raise MisuseError(f"--workers must be at least 1, not {workers}")
    options = how.options() | {"modulus": modulus}
    answer: dict[str, Any] = {
        "outcome": "stopped",
        "value": None,
        "undirected": None,
        "directed": None,
        "modulus": modulus,
    }
    try:
        with Bar("counting", wanted=not quiet) as progress:
            if plan is None:
                counted = tours.count(progress=progress, **options)
            else:
                counted = count_in_parts(tours, plan, parts, workers, progress, options)
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
            "modulus": modulus,
            "limit": None,
            "stats": stats_object(counted.stats),
        }
        print_json(request_object(tours) | answer)
    else:
        print(counted)
    return 0


def count_in_parts(  # noqa: PLR0917 - what the command was given
    tours: "Tours",
    file: str,
    parts: str | None,
    workers: int | None,
    progress: "Callable[[Progress], object] | None",
    options: dict[str, Any],
) -> "Count":
    """Count by the plan that a ledger holds, or by a new one."""
    from pathlib import Path  # noqa: PLC0415

    from knightstour.parts.plan import open_plan  # noqa: PLC0415

    for name in ("method", "node_limit", "checkpoint", "spill_dir", "modulus"):
        if options.pop(name) not in {None, "auto"}:
            raise MisuseError(f"--{name.replace('_', '-')} cannot be used with --plan")
    how: Any = int(parts) if parts is not None and parts.isdecimal() else parts or "auto"
    if Path(file).exists() and parts is None:
        plan = open_plan(file)
        if plan.tours != tours:
            raise MisuseError(f"{file} is a ledger of {plan.tours!r}, not of {tours!r}")
    else:
        plan = tours.plan(how, memory_limit=options["memory_limit"], threads=options["threads"])
    if not workers:
        return plan.run(None, file, progress, **options)
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
        return plan.run(executor, file, progress, **options)
