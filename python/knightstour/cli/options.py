"""What the commands take, and the end of their help.

It stays text: typer's own messages do not quote what was given.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_args

import typer

from knightstour._core import Board
from knightstour.cli.reading import WRAPS
from knightstour.options import CountMethod, FindMethod, Lookahead, Order, Ties


def names(choices: Any) -> str:
    """The values of an option, for its help."""
    return ", ".join(get_args(choices))


def offer(*texts: str) -> Callable[[str], list[str]]:
    """What a shell offers as the next word: the texts that begin with what was typed."""
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


def choice(option: str, meaning: str, choices: Any) -> Any:
    """An option that takes one of some names; its help lists them, and shells offer them."""
    return typer.Option(
        option, metavar="NAME", help=f"{meaning}: {names(choices)}.", autocompletion=offer(*get_args(choices))
    )


def examples(*lines: str, keys: str) -> str:
    """The end of a command's help: examples, and the keys of its JSON."""
    return "\b\nExamples:\n" + "".join(f"  knightstour {line}\n" for line in lines) + f"\nKeys of the JSON: {keys}."


BoardArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLS, N for NxN, or @FILE with a picture (. open, # blocked); @- is standard input.",
        autocompletion=offer_boards,
    ),
]
CluesArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLS, N for NxN, or @FILE with a picture (. open, # blocked) or a puzzle (also numbers from 1); "
        "@- is standard input.",
        autocompletion=offer_boards,
    ),
]
GivenBoardOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="BOARD",
        help="The tour's board, ROWSxCOLS or @FILE; by default the tour's text says it.",
        autocompletion=offer_boards,
    ),
]
BlockedOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--blocked", metavar="SQUARES", help="Squares to leave out, such as d4,e5.")
]
LeaperOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--leaper",
        metavar="A,B",
        help="The piece that moves; the knight is 1,2.",
        autocompletion=offer("0,1", "1,1", "1,2", "1,3", "1,4", "2,3", "2,5", "3,4"),
    ),
]
WrapOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--wrap",
        metavar="EDGES",
        help="Edges that are joined: cols (left and right), rows, both.",
        autocompletion=offer(*WRAPS),
    ),
]
ClosedOption: TypeAlias = Annotated[
    bool, typer.Option("--closed", help="Closed tours: cycles, with no start or direction.")
]
StartOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--start", metavar="SQUARE", help="Where the tour starts, such as a1, or 7,0 (row, column from the top left)."
    ),
]
KindOption: TypeAlias = Annotated[
    bool | None,
    typer.Option("--closed/--open", help="Read the tour as closed or as open; by default its text decides."),
]
EndOption: TypeAlias = Annotated[
    str | None, typer.Option("--end", metavar="SQUARE", help="Where the tour ends (open tours).")
]
StepsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--steps",
        metavar="SQUARE=N",
        help="Numbers on the tour, from 1 as printed, such as a1=1,c2=2. (A pair is written (7,0).)",
    ),
]
BeginningOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--beginning", metavar="SQUARES", help="The first squares of the tour in order, such as a1,b3."),
]
IncludingOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--including", metavar="MOVES", help="Moves to use, such as a1-b3,c2-e3.")
]
ExcludingOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--excluding", metavar="MOVES", help="Moves to avoid, such as a1-b3,c2-e3.")
]
SymmetricOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--symmetric",
        metavar="NAME",
        help="Only tours with this symmetry, such as half-turn or flip-vertical.",
        autocompletion=offer(*Board(5).symmetries[1:]),
    ),
]
DistinctOption: TypeAlias = Annotated[
    bool, typer.Option("--distinct", help="Only one of the tours that symmetries of the board map to each other.")
]
FindMethodOption: TypeAlias = Annotated[
    str,
    choice("--method", "The engine", FindMethod),
]
CountMethodOption: TypeAlias = Annotated[
    str,
    choice("--method", "The engine", CountMethod),
]
OrderOption: TypeAlias = Annotated[
    str | None,
    choice("--order", "The order of moves, with --method backtracking", Order),
]
TiesOption: TypeAlias = Annotated[
    str | None,
    choice("--ties", "How ties are broken, with --method backtracking or warnsdorff", Ties),
]
LookaheadOption: TypeAlias = Annotated[
    str | None,
    choice("--lookahead", "How far to look ahead, with --method backtracking", Lookahead),
]
SeedOption: TypeAlias = Annotated[
    str | None, typer.Option("--seed", metavar="N", help="For other tours; the same seed gives the same tour.")
]
TimeOption: TypeAlias = Annotated[
    str | None, typer.Option("--time-limit", metavar="SECONDS", help="Stop after this time.")
]
NodeOption: TypeAlias = Annotated[
    str | None, typer.Option("--node-limit", metavar="N", help="Stop after placing this many squares.")
]
MemoryOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--memory-limit", metavar="BYTES", help="The most memory to use: 500MB, 2GiB, or bytes."),
]
CheckpointOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--checkpoint", metavar="FILE", help="Keep the state in a file; the same command resumes from it."),
]
SpillOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--spill-dir", metavar="DIR", help="Put states that do not fit in memory into this directory."),
]
ThreadsOption: TypeAlias = Annotated[
    str | None, typer.Option("--threads", metavar="N", help="Number of threads; all cores by default.")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]
