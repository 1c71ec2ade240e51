"""What the commands take, and the end of their help. What several commands take stands here, once.

A parameter of a command is annotated with its type and with what makes click's parameter of it: its names, its help,
what a shell offers for it, and how its text is read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_args

import click
from click.shell_completion import CompletionItem

from knightstour._core import Board
from knightstour.cli.reading import read_bytes_of_memory, read_choice, read_file_name, read_seconds, read_whole
from knightstour.options import CountMethod, FindMethod, Lookahead, Order, Ties, Wrap

Maker: TypeAlias = Callable[[str, Any, Any], click.Parameter]
"""Makes a parameter from its name, its type and its default."""

Offer: TypeAlias = Callable[[str], list[str]]
"""What a shell offers as the next word, from its beginning."""


def names(choices: Any) -> str:
    """The values of an option, for its help."""
    return ", ".join(get_args(choices))


def offer(*texts: str) -> Offer:
    """The texts that begin with what was typed."""
    return lambda incomplete: [text for text in texts if text.startswith(incomplete)]


def offer_boards(incomplete: str) -> list[str]:
    """The beginnings of boards; after @ the files."""
    if not incomplete.startswith("@"):
        return offer("5x5", "6x6", "8x8", "3x10", "@")(incomplete)
    folder, _, name = incomplete[1:].rpartition("/")
    there = Path(folder or ("/" if incomplete.startswith("@/") else "."))
    front = incomplete.removesuffix(name)
    try:
        files = [(file.name, file.is_dir()) for file in there.iterdir() if file.name.startswith(name)]
    except OSError:
        return []
    return sorted(f"{front}{file}{'/' * is_folder}" for file, is_folder in files if name or file[0] != ".")


FILES = {"FILE": "file", "DIR": "dir"}
"""What shells call what these words of the help stand for."""


def completed(offered: Offer | None, metavar: str | None) -> Any:
    """What shells are offered, as click asks for it; where a file is named, the shell completes names of files."""
    kind = FILES.get(metavar or "")
    if offered is None and kind is None:
        return None

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
        return offered(incomplete) if offered else [CompletionItem(incomplete, type=kind or "plain")]

    return complete


def argument(metavar: str, text: str, offered: Offer | None = None) -> Maker:
    """An argument with this name in the help, which is required unless it has a default."""

    def make(name: str, kind: Any, default: Any) -> click.Parameter:
        is_list = kind == list[str]
        return click.Argument(
            [name],
            type=str,
            metavar=metavar,
            help=text,
            required=default is REQUIRED,
            nargs=-1 if is_list else 1,
            shell_complete=completed(offered, metavar),
        )

    return make


def option(
    spelled: str, text: str, offered: Offer | None = None, read: Callable[[str, str], Any] | None = None
) -> Maker:
    """An option as its help spells it, such as ``"--output, -o FILE"``; one without a value is a flag.

    ``read`` says what the text of the value means.
    """
    flags = [word.removesuffix(",") for word in spelled.split() if word.startswith("-")]
    metavar = None if spelled.endswith(flags[-1]) else spelled.rsplit(maxsplit=1)[-1]

    def make(name: str, kind: Any, default: Any) -> click.Parameter:
        is_list = list[str] in get_args(kind)
        if metavar is None:
            return click.Option([name, *flags], is_flag=True, default=default, help=text)

        def value_of(_context: click.Context, _option: click.Parameter, given: Any) -> Any:
            if is_list:
                return list(given) or None
            return given if given is None or read is None else read(flags[0], given)

        return click.Option(
            [name, *flags],
            type=str,
            metavar=metavar,
            help=text,
            default=None if default is None else str(default),
            show_default=default is not None,
            multiple=is_list,
            shell_complete=completed(offered, metavar),
            callback=value_of,
        )

    return make


REQUIRED = object()
"""The default of what has none."""


def among(*choices: str) -> Callable[[str, str], str]:
    """How the text of an option is read that takes one of these names."""
    return lambda flag, given: read_choice(flag, given, choices)


def choice(spelled: str, meaning: str, choices: Any) -> Maker:
    """An option that takes one of some names; its help lists them, and shells offer them."""
    known = get_args(choices)
    return option(spelled, f"{meaning}: {names(choices)}.", offer(*known), among(*known))


def examples(*lines: str, keys: str) -> str:
    """The end of a command's help: examples, and the keys of its JSON."""
    return "\b\nExamples:\n" + "".join(f"  knightstour {line}\n" for line in lines) + f"\nKeys of the JSON: {keys}."


BoardArgument: TypeAlias = Annotated[
    str,
    argument(
        "BOARD",
        "ROWSxCOLS, N for NxN, or @FILE with a picture (. open, # blocked); @- is standard input.",
        offered=offer_boards,
    ),
]
CluesArgument: TypeAlias = Annotated[
    str,
    argument(
        "BOARD",
        "ROWSxCOLS, N for NxN, or @FILE with a picture (. open, # blocked) or a puzzle (also numbers from 1); "
        "@- is standard input.",
        offered=offer_boards,
    ),
]
GivenBoardOption: TypeAlias = Annotated[
    str | None,
    option(
        "--board BOARD",
        "The tour's board, ROWSxCOLS or @FILE; by default the tour's text says it.",
        offered=offer_boards,
    ),
]
BlockedOption: TypeAlias = Annotated[
    list[str] | None, option("--blocked SQUARES", "Squares to leave out, such as d4,e5.")
]
LeaperOption: TypeAlias = Annotated[
    str | None,
    option(
        "--leaper A,B",
        "The piece that moves; the knight is 1,2.",
        offered=offer("0,1", "1,1", "1,2", "1,3", "1,4", "2,3", "2,5", "3,4"),
    ),
]
WrapOption: TypeAlias = Annotated[
    str | None, choice("--wrap EDGES", "Edges that are joined (cols: left and right)", Wrap)
]
ClosedOption: TypeAlias = Annotated[bool, option("--closed", "Closed tours: cycles, with no start or direction.")]
StartOption: TypeAlias = Annotated[
    str | None, option("--start SQUARE", "Where the tour starts, such as a1, or 7,0 (row, column from the top left).")
]
KindOption: TypeAlias = Annotated[
    bool | None, option("--closed/--open", "Read the tour as closed or as open; by default its text decides.")
]
EndOption: TypeAlias = Annotated[str | None, option("--end SQUARE", "Where the tour ends (open tours).")]
StepsOption: TypeAlias = Annotated[
    list[str] | None,
    option("--steps SQUARE=N", "Numbers on the tour, from 1 as printed, such as a1=1,c2=2. (A pair is written (7,0).)"),
]
BeginningOption: TypeAlias = Annotated[
    list[str] | None, option("--beginning SQUARES", "The first squares of the tour in order, such as a1,b3.")
]
IncludingOption: TypeAlias = Annotated[
    list[str] | None, option("--including MOVES", "Moves to use, such as a1-b3,c2-e3.")
]
ExcludingOption: TypeAlias = Annotated[
    list[str] | None, option("--excluding MOVES", "Moves to avoid, such as a1-b3,c2-e3.")
]
SymmetricOption: TypeAlias = Annotated[
    list[str] | None,
    option(
        "--symmetric NAME",
        "Only tours with this symmetry, such as half-turn or flip-vertical.",
        offered=offer(*Board(5).symmetries[1:]),
    ),
]
DistinctOption: TypeAlias = Annotated[
    bool, option("--distinct", "Only one of the tours that symmetries of the board map to each other.")
]
FindMethodOption: TypeAlias = Annotated[str, choice("--method NAME", "The engine", FindMethod)]
CountMethodOption: TypeAlias = Annotated[str, choice("--method NAME", "The engine", CountMethod)]
OrderOption: TypeAlias = Annotated[
    str | None, choice("--order NAME", "The order of moves, with --method backtracking", Order)
]
TiesOption: TypeAlias = Annotated[
    str | None, choice("--ties NAME", "How ties are broken, with --method backtracking or warnsdorff", Ties)
]
LookaheadOption: TypeAlias = Annotated[
    str | None, choice("--lookahead NAME", "How far to look ahead, with --method backtracking", Lookahead)
]
SeedOption: TypeAlias = Annotated[
    int | None, option("--seed N", "For other tours; the same seed gives the same tour.", read=read_whole)
]
TimeOption: TypeAlias = Annotated[
    float | None, option("--time-limit SECONDS", "Stop after this time.", read=read_seconds)
]
NodeOption: TypeAlias = Annotated[
    int | None, option("--node-limit N", "Stop after placing this many squares.", read=read_whole)
]
MemoryOption: TypeAlias = Annotated[
    int | None,
    option("--memory-limit BYTES", "The most memory to use: 500MB, 2GiB, or bytes.", read=read_bytes_of_memory),
]
CheckpointOption: TypeAlias = Annotated[
    str | None,
    option("--checkpoint FILE", "Keep the state in a file; the same command resumes from it.", read=read_file_name),
]
SpillOption: TypeAlias = Annotated[
    str | None, option("--spill-dir DIR", "Put states that do not fit in memory into this directory.")
]
ThreadsOption: TypeAlias = Annotated[
    int | None, option("--threads N", "Number of threads; all cores by default.", read=read_whole)
]
JsonOption: TypeAlias = Annotated[bool, option("--json", "Print JSON.")]
QuietOption: TypeAlias = Annotated[bool, option("--quiet, -q", "No progress bar.")]
