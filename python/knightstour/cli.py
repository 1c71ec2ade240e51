"""The command line: it reads what is asked, forwards it to the library, and writes down the answer.

Results go to standard output, progress and messages to standard error. Exit status: 0 answered with a tour or
a number (0 tours included); 1 for `solve`: proven that there is none, for `verify`: no tour; 2 misuse;
3 stopped by a limit; 130 interrupted; 141 nobody reads the output any more.

rich is imported when a table or a progress bar is drawn on a terminal, json when it is asked for: most calls
need neither.
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_args

import typer

from knightstour._core import Board, Tour, __version__
from knightstour.errors import InvalidTourError, KnightsTourError, LimitReachedError
from knightstour.options import Lookahead, Method, Order, Ties
from knightstour.results import Found, Impossible, Progress, Stats, Stopped
from knightstour.square import Square
from knightstour.tours import Tours

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Display

NO_TOUR, MISUSE, LIMIT, INTERRUPTED, BROKEN_PIPE = 1, 2, 3, 130, 141

BAR_AFTER = 1.0
"""Seconds after which a progress bar appears."""

STRATEGIES: dict[str, dict[str, str]] = {
    "plain": {"order": "fixed", "lookahead": "none"},
    "Warnsdorff": {"order": "warnsdorff", "lookahead": "none"},
    **{
        f"Warnsdorff + {lookahead}": {"order": "warnsdorff", "lookahead": lookahead}
        for lookahead in get_args(Lookahead)
        if lookahead != "none"
    },
}
"""What `compare` compares, and how the library is asked for it."""

UNITS = {"": 1, "B": 1} | {
    prefix + unit: base**power for unit, base in (("B", 1000), ("IB", 1024)) for power, prefix in enumerate("KMGT", 1)
}
"""Of memory, in bytes."""


class MisuseError(Exception):
    """What was given cannot be meant."""


def names(choices: Any) -> str:
    """The values of an option, for its help."""
    return ", ".join(get_args(choices))


# What the commands take. It stays text: typer's own messages do not quote what was given.

BoardArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="BOARD", help="ROWSxCOLS, or @FILE with a picture (. open, # blocked); @- is standard input."
    ),
]
BlockedOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--blocked", metavar="SQUARES", help="Squares to leave out, as d4,e5.")
]
LeaperOption: TypeAlias = Annotated[
    str | None, typer.Option("--leaper", metavar="A,B", help="The piece that moves; the knight is 1,2.")
]
WrapOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--wrap", metavar="EDGES", help="Edges that are joined: cols (left and right), rows, both."),
]
ClosedOption: TypeAlias = Annotated[
    bool, typer.Option("--closed", help="Closed tours: cycles, without start and direction.")
]
StartOption: TypeAlias = Annotated[str | None, typer.Option("--start", metavar="SQUARE", help="Where the tour starts.")]
EndOption: TypeAlias = Annotated[
    str | None, typer.Option("--end", metavar="SQUARE", help="Where the tour ends (open tours).")
]
IncludingOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--including", metavar="MOVES", help="Moves to use, as a1-b3,c2-e3.")
]
ExcludingOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--excluding", metavar="MOVES", help="Moves to avoid, as a1-b3,c2-e3.")
]
MethodOption: TypeAlias = Annotated[str, typer.Option("--method", metavar="NAME", help=f"The engine: {names(Method)}.")]
OrderOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--order", metavar="NAME", help=f"Of moves, with --method backtracking: {names(Order)}."),
]
TiesOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--ties", metavar="NAME", help=f"How Warnsdorff's ties are broken: {names(Ties)}."),
]
LookaheadOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--lookahead", metavar="NAME", help=f"When to cut, with --method backtracking: {names(Lookahead)}."),
]
SeedOption: TypeAlias = Annotated[
    str | None, typer.Option("--seed", metavar="N", help="For another tour; the same seed, the same tour.")
]
TimeOption: TypeAlias = Annotated[
    str | None, typer.Option("--time-limit", metavar="SECONDS", help="Stop after this time.")
]
NodeOption: TypeAlias = Annotated[
    str | None, typer.Option("--node-limit", metavar="N", help="Stop after this many squares were placed.")
]
MemoryOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--memory-limit", metavar="BYTES", help="Stop rather than take more: 500MB, 2GiB, or bytes."),
]
ThreadsOption: TypeAlias = Annotated[
    str | None, typer.Option("--threads", metavar="N", help="Number of threads; all cores by default.")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]


def read_board(text: str, blocked: list[str] | None, leaper: str | None, wrap: str | None) -> Board:
    """The board that an argument and its options mean."""
    options: dict[str, Any] = {}
    if leaper is not None:
        legs = re.fullmatch(r"\s*(-?[0-9]{1,18})\s*,\s*(-?[0-9]{1,18})\s*", leaper)
        if not legs:
            raise MisuseError(f"--leaper is two whole numbers, such as 2,3, not {quote(leaper)}")
        options["leaper"] = (int(legs[1]), int(legs[2]))
    if wrap is not None:
        options["wrap"] = wrap
    if text.startswith("@"):
        board = Board.parse(read_text(text[1:]), **options)
        rows, cols = board.rows, board.cols
    else:
        size = re.fullmatch(r"([0-9]{1,18})[xX]([0-9]{1,18})", text)
        if not size:
            raise MisuseError(f"a board is ROWSxCOLS, such as 8x8, or @FILE with a picture, not {quote(text)}")
        rows, cols = int(size[1]), int(size[2])
        board = Board(rows, cols, **options)
    more = [name for part in blocked or () for name in items(part)]
    return Board(rows, cols, blocked=[*board.blocked, *more], **options) if more else board


def read_tours(
    board: Board,
    *,
    closed: bool = False,
    start: str | None = None,
    end: str | None,
    including: list[str] | None,
    excluding: list[str] | None,
) -> Tours:
    """The collection of tours that the options mean."""
    tours: Tours = board.tours(closed=closed, start=start, end=end)
    if including:
        tours = tours.including(*read_moves("--including", including))
    if excluding:
        tours = tours.excluding(*read_moves("--excluding", excluding))
    return tours


def read_moves(option: str, parts: list[str]) -> list[tuple[str, str]]:
    """Moves such as a1-b3,c2-e3."""
    moves = []
    for move in (move for part in parts for move in items(part)):
        start, dash, end = move.partition("-")
        if not dash:
            raise MisuseError(f"{option} takes moves such as a1-b3,c2-e3, not {quote(move)}")
        moves.append((start.strip(), end.strip()))
    return moves


def read_limits(
    time_limit: str | None, node_limit: str | None, memory_limit: str | None, threads: str | None = None
) -> dict[str, Any]:
    """The limits as the library takes them."""
    seconds = None
    if time_limit is not None:
        try:
            seconds = float(time_limit)
        except ValueError:
            raise MisuseError(f"--time-limit is a number of seconds, not {quote(time_limit)}") from None
    memory = None
    if memory_limit is not None:
        amount = re.fullmatch(r"\s*([0-9]{1,18})\s*([A-Za-z]*)\s*", memory_limit)
        unit = UNITS.get(amount[2].upper()) if amount else None
        if not amount or unit is None:
            raise MisuseError(f"--memory-limit is bytes, such as 500MB or 2GiB, not {quote(memory_limit)}")
        memory = int(amount[1]) * unit
    return {
        "time_limit": seconds,
        "node_limit": read_whole("--node-limit", node_limit),
        "memory_limit": memory,
        "threads": read_whole("--threads", threads),
    }


def read_whole(option: str, text: str | None) -> int | None:
    """The whole number that an option gives."""
    if text is None:
        return None
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,40}\s*", text):
        raise MisuseError(f"{option} is a whole number, not {quote(text)}")
    return int(text)


def read_text(name: str) -> str:
    """What a file holds; ``-`` is standard input."""
    if name == "-" and sys.stdin is None:
        raise MisuseError("standard input is closed")
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise MisuseError(f"cannot read {quote(name)}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise MisuseError(f"cannot read {quote(name)}: it is no text in UTF-8") from None


def items(text: str) -> list[str]:
    """The parts between commas."""
    return [part.strip() for part in text.split(",")]


def quote(text: str) -> str:
    """Some text as it was given, cut if it is long."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}..."


# What the commands print.


def board_object(board: Board) -> dict[str, Any]:
    """A board in JSON."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "blocked": [board.name(square) for square in sorted(board.blocked)],
        "leaper": board.leaper,
        "wrap": board.wrap,
    }


def request_object(tours: Tours) -> dict[str, Any]:
    """What was asked, in JSON."""
    board = tours.board
    ends = {"start": tours.start, "end": tours.end}
    named = {key: None if square is None else board.name(square) for key, square in ends.items()}
    return {"board": board_object(board), "closed": tours.closed, **named}


def stats_object(stats: Stats | None) -> dict[str, Any] | None:
    """What was done, in JSON."""
    return None if stats is None else stats.as_dict()


def answer_object(result: Found | Impossible | Stopped, board: Board) -> dict[str, Any]:
    """What a search answered, in JSON."""
    answer: dict[str, Any] = {"outcome": "", "tour": None, "reason": None, "limit": None}
    match result:
        case Found(tour, _):
            answer |= {"outcome": "found", "tour": tour.names()}
        case Impossible(reason, _):
            squares = [board.name(square) for square in reason.squares]
            answer |= {
                "outcome": "impossible",
                "reason": {"code": reason.code, "text": reason.text, "squares": squares},
            }
        case Stopped(limit, _):
            answer |= {"outcome": "stopped", "limit": limit}
    return answer | {"stats": stats_object(result.stats)}


def print_json(value: object) -> None:
    """Write one line of JSON."""
    import json  # noqa: PLC0415

    print(json.dumps(value), flush=True)


def complain(message: str, status: int) -> int:
    """Write a message to standard error, as one line, and give the exit status back."""
    say("knightstour: " + " ".join(message.split()))
    return status


def say(text: str) -> None:
    """Write to standard error; if that is closed, to nobody."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def is_terminal(stream: Any) -> bool:
    """Whether somebody looks at it; a stream that is closed is None."""
    return stream is not None and stream.isatty()


def terminal(*, stderr: bool) -> Any:
    """The terminal as rich sees it."""
    from rich.console import Console  # noqa: PLC0415

    # Without a colour system rich writes neither colours nor bold.
    color_system: Any = None if os.environ.get("NO_COLOR") else "auto"
    return Console(stderr=stderr, color_system=color_system, highlight=False)


class Bar:
    """A progress bar on standard error for what lasts over a second, if somebody looks at it.

    As a context it gives itself, a function to call with a `Progress`, or None where no bar is wanted.
    """

    def __init__(self, message: str, *, wanted: bool) -> None:
        self._latest = Progress(0, None, message)
        self._wanted = wanted and is_terminal(sys.stderr)
        self._display: Display | None = None
        # A clock of its own: the first call from the library may come late.
        self._timer = Timer(BAR_AFTER, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Callable[[Progress], None] | None:
        if not self._wanted:
            return None
        self._timer.start()
        return self._update

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        if self._wanted:
            self._timer.cancel()
            self._timer.join()
        if self._display is not None:
            self._display.stop()

    def _update(self, progress: Progress) -> None:
        self._latest = progress
        if self._display is not None:
            done = f"{progress.done:,}" if progress.total is None else f"{progress.done:,} of {progress.total:,}"
            self._display.update(
                self._display.task_ids[0],
                completed=progress.done,
                total=progress.total,
                description=progress.message,
                done=done,
            )

    def _show(self) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
        from rich.progress import Progress as Display  # noqa: PLC0415

        display = Display(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[done]}", markup=False),
            TimeElapsedColumn(),
            console=terminal(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        display.add_task(self._latest.message, total=None, done="")
        display.start()
        self._display = display
        self._update(self._latest)


# The commands. What they return is the exit status.


def examples(*lines: str, keys: str) -> str:
    """The end of a command's help: examples, and the keys of its JSON."""
    return "\b\nExamples:\n" + "".join(f"  knightstour {line}\n" for line in lines) + f"\nKeys of the JSON: {keys}."


app = typer.Typer(
    help="Knight's tours: found and verified, proven impossible with a reason, or counted exactly.",
    epilog="\b\nExamples:\n"
    "  knightstour solve 8x8 --closed\n"
    "  knightstour count 6x6\n"
    "  knightstour list 5x5 --start a1 --limit 3\n"
    "  knightstour solve 5x5 | knightstour verify -\n\n"
    "Exit status: 0 answered; 1 no tour; 2 misuse; 3 stopped by a limit; 130 interrupted.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Answer --version."""
    if wanted:
        print("knightstour", __version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def no_command(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", is_eager=True, callback=print_version, help="Print the version.")
    ] = False,
) -> None:
    """Answer what comes without a command."""
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(MISUSE)


@app.command(
    epilog=examples(
        "solve 8x8",
        "solve 8x8 --start a1 --end h8        (there is none: exit status 1)",
        "solve 30x30 --closed --time-limit 5",
        "solve 8x8 --method backtracking --order fixed --lookahead forced",
        "solve @board.txt --leaper 2,3 --json",
        keys="board, closed, start, end, outcome (found, impossible, stopped), tour (names of squares), "
        "reason (code, text, squares), limit (time, nodes, memory), stats",
    ),
)
def solve(
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
    order: OrderOption = None,
    ties: TiesOption = None,
    lookahead: LookaheadOption = None,
    seed: SeedOption = None,
    time_limit: TimeOption = None,
    node_limit: NodeOption = None,
    memory_limit: MemoryOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find one tour and print it as the numbered board, or say why there is none."""
    tours = read_tours(
        read_board(board, blocked, leaper, wrap),
        closed=closed,
        start=start,
        end=end,
        including=including,
        excluding=excluding,
    )
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit, threads)
    options |= {
        "method": method,
        "order": order,
        "ties": ties,
        "lookahead": lookahead,
        "seed": read_whole("--seed", seed),
    }
    with Bar("searching", wanted=not quiet) as progress:
        result = tours.find(progress=progress, **options)
    if json:
        print_json(request_object(tours) | answer_object(result, tours.board))
    match result:
        case Found(tour, _):
            if not json:
                print(tour)
            return 0
        case Impossible(reason, _):
            return complain(reason.text, NO_TOUR)
        case Stopped(limit, stats):
            return complain(describe_stop(limit, stats), LIMIT)


def describe_stop(limit: str, stats: Stats) -> str:
    """That a search was stopped."""
    if limit == "memory":
        return f"stopped: the search needs about {stats.memory} bytes, more than the memory limit"
    limit = {"nodes": "node"}.get(limit, limit)
    return (
        f"stopped: the {limit} limit was reached after {stats.seconds:.3g} s and {stats.nodes} nodes; "
        "whether there is a tour is open"
    )


@app.command(
    epilog=examples(
        "count 6x6",
        "count 6x6 --closed",
        "count 5x6 --start a1 --excluding b3-d4",
        "count 6x6 --wrap cols --time-limit 60 --json",
        keys="board, closed, start, end, outcome (counted, stopped), value, undirected, directed, "
        "limit (time, nodes, memory), stats",
    ),
)
def count(
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


@app.command(
    "list",
    epilog=examples(
        "list 5x5 --limit 10",
        "list 6x6 --closed",
        "list 6x6 --start a1 | head -1",
        keys="(one object a line) tour (names of squares), closed",
    ),
)
def list_tours(
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
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="Stop listing after N tours.")] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """List the tours, one a line, as the names of their squares. Memory does not grow with their number."""
    tours = read_tours(
        read_board(board, blocked, leaper, wrap),
        closed=closed,
        start=start,
        end=end,
        including=including,
        excluding=excluding,
    )
    most = read_whole("--limit", limit)
    if most is not None and most < 0:
        raise MisuseError(f"--limit is at least 0, not {most}")
    if most is not None:
        most = min(most, sys.maxsize)
    # On the terminal that the tours go to, they are progress enough.
    with Bar("listing", wanted=not quiet and not is_terminal(sys.stdout)) as progress:
        for number, tour in enumerate(islice(tours, most), 1):
            if json:
                print_json({"tour": tour.names(), "closed": tour.is_closed})
            else:
                # At once: the next tour may take long to find.
                print(" ".join(tour.names()), flush=True)
            if progress is not None:
                progress(Progress(number, None, "listing: tours"))
    return 0


@app.command(
    epilog=examples(
        "verify tour.txt",
        "solve 8x8 | knightstour verify -",
        "verify tour.txt --board @board.txt --leaper 2,3",
        keys="valid, message, board, closed, length, start, end, step, squares (the ones at fault)",
    ),
)
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - is standard input.")],
    *,
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="BOARD", help="Its board, ROWSxCOLS or @FILE; else the rectangle it covers."),
    ] = None,
    blocked: BlockedOption = None,
    leaper: LeaperOption = None,
    wrap: WrapOption = None,
    json: JsonOption = False,
) -> int:
    """Verify a numbered grid or a list of square names: what kind of tour it is, or its first bad step."""
    given = None
    if board is not None:
        if file == "-" and board == "@-":
            raise MisuseError("the tour and the board cannot both come from standard input")
        given = read_board(board, blocked, leaper, wrap)
    else:
        for option, value in (("--blocked", blocked), ("--leaper", leaper), ("--wrap", wrap)):
            if value:
                raise MisuseError(f"{option} goes with --board")
    text = read_text(file)
    answer: dict[str, Any]
    try:
        tour = Tour.parse(text, given)
    except InvalidTourError as error:
        message = f"no tour: {error}"
        answer = {
            "valid": False,
            "message": message,
            "board": given and board_object(given),
            **dict.fromkeys(["closed", "length", "start", "end"]),
            "step": error.step,
            "squares": [given.name(square) for square in error.squares] if given else [],
        }
    else:
        kind, on = "closed" if tour.is_closed else "open", tour.board
        ends = {"start": on.name(tour.start), "end": on.name(tour.end)}
        message = (
            f"{kind} tour of the {on.rows}x{on.cols} board: {len(tour)} squares, from {ends['start']} to {ends['end']}"
        )
        answer = {
            "valid": True,
            "message": message,
            "board": board_object(on),
            "closed": tour.is_closed,
            "length": len(tour),
            **ends,
            "step": None,
            "squares": [],
        }
    if json:
        print_json(answer)
    else:
        print(message)
    return 0 if answer["valid"] else NO_TOUR


@app.command(
    epilog=examples(
        "compare 6x6 --start a1",
        "compare 7x7 --start a1 --node-limit 100000000",
        "compare 6x6 --closed --ties pohl",
        keys="board, closed, start, end, time_limit, node_limit, strategies (each: strategy, order, "
        "lookahead, outcome, tour, reason, limit, stats)",
    ),
)
def compare(
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
    ties: TiesOption = None,
    seed: SeedOption = None,
    time_limit: TimeOption = "10",
    node_limit: NodeOption = "10000000",
    memory_limit: MemoryOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Compare the strategies of backtracking on one board.

    They are the plain search, Warnsdorff's rule, and the rule with each look-ahead. Each runs until its first
    tour, a proof that there is none, or a limit.
    """
    tours = read_tours(
        read_board(board, blocked, leaper, wrap),
        closed=closed,
        start=start,
        end=end,
        including=including,
        excluding=excluding,
    )
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit) | {"seed": read_whole("--seed", seed)}
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
        limits = {key: options[key] for key in ("time_limit", "node_limit")}
        print_json(request_object(tours) | limits | {"strategies": rows})
    else:
        print_comparison(results)
    return 0


def named(name: str, progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The progress of one of several runs."""
    return lambda at: progress(Progress(at.done, at.total, f"{name}: {at.message}"))


def print_comparison(results: dict[str, Found | Impossible | Stopped]) -> None:
    """Print a table: for reading on a terminal, for programs otherwise."""
    heads = ["strategy", "outcome", "nodes", "backtracks", "seconds"]
    rows = [(name, describe_outcome(result), result.stats) for name, result in results.items()]
    if is_terminal(sys.stdout):
        from rich.table import Table  # noqa: PLC0415

        table = Table()
        for head in heads:
            table.add_column(head, justify="left" if head in heads[:2] else "right")
        for name, outcome, stats in rows:
            table.add_row(name, outcome, f"{stats.nodes:,}", f"{stats.backtracks:,}", f"{stats.seconds:.6f}")
        terminal(stderr=False).print(table)
        return
    cells = [heads] + [
        [name, outcome, str(stats.nodes), str(stats.backtracks), f"{stats.seconds:.6f}"]
        for name, outcome, stats in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        left = [cell.ljust(width) for cell, width in zip(line[:2], widths[:2], strict=True)]
        right = [cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True)]
        print("  ".join(left + right))


def describe_outcome(result: Found | Impossible | Stopped) -> str:
    """An outcome in a cell of a table."""
    match result:
        case Found():
            return "tour"
        case Impossible(reason, _):
            return f"no tour ({reason.code})"
        case Stopped(limit, _):
            return f"stopped ({limit})"


@app.command(
    epilog=examples(
        "starts 5x5",
        "starts 3x7 --blocked d2 --json",
        keys="board, closed, start, end, outcome (counted, stopped), starts (a number for each square), "
        "limit (time, nodes, memory), stats (if stopped)",
    ),
)
def starts(
    board: BoardArgument,
    *,
    blocked: BlockedOption = None,
    leaper: LeaperOption = None,
    wrap: WrapOption = None,
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
    """Print the board with the number of open tours from each square."""
    tours = read_tours(read_board(board, blocked, leaper, wrap), end=end, including=including, excluding=excluding)
    options: dict[str, Any] = read_limits(time_limit, node_limit, memory_limit, threads) | {"method": method}
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


# Where typer keeps click differs from version to version; this is click's ClickException, whose other
# descendants are click's ways to say misuse.
CLICK_ERROR: Any = typer.BadParameter.__mro__[2]


def run(arguments: Sequence[str]) -> int:
    """Run a command. typer's own way to do it would decide about exit statuses, messages and broken pipes."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("knightstour", list(arguments)) as context:
            return command.invoke(context) or 0
    except typer.Exit as error:
        return error.exit_code
    except CLICK_ERROR as error:
        path = error.ctx.command_path if error.ctx else "knightstour"
        return complain(f"{error.format_message().rstrip('.')} (try '{path} --help')", MISUSE)
    except LimitReachedError as error:
        return complain(str(error), LIMIT)
    except MemoryError:
        return complain("the machine's memory is not enough", LIMIT)
    except (KnightsTourError, MisuseError) as error:
        return complain(str(error), MISUSE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        try:
            status = run(sys.argv[1:] if arguments is None else arguments)
        except KeyboardInterrupt:
            status = complain("interrupted", INTERRUPTED)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        status = BROKEN_PIPE
    except OSError as error:
        status = complain(f"cannot write the answer: {error.strerror}", MISUSE)
    else:
        return status
    # What is left in the buffer has nowhere to go.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
