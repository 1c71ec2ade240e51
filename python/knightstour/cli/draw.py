"""`knightstour draw`: a tour as a picture or a page."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from knightstour._core import Board, Tour, _quote
from knightstour.cli import clues
from knightstour.cli.groups import BoardOptions
from knightstour.cli.options import GivenBoardOption, KindOption, QuietOption, argument, examples, offer, option
from knightstour.cli.output import print_bytes, print_json
from knightstour.cli.reading import MisuseError, read_number, read_text, tour_of

if TYPE_CHECKING:
    from knightstour.square import Square

EPILOG = examples(
    "draw tour.txt -o tour.svg",
    "draw tour.txt -o tour.html",
    "draw tour.txt -o tour.png --style rainbow --size 800",
    "solve 8x8 --closed | knightstour draw - -o tour.gif",
    "solve 5x5 | knightstour draw - > tour.svg",
    "puzzle 6x6 | knightstour draw - -o puzzle.png",
    keys="file, format, bytes",
)


def command(
    file: Annotated[
        str, argument("FILE", "The tour: a numbered grid, names, pairs or JSON; or a puzzle. - is standard input.")
    ],
    *,
    output: Annotated[
        str,
        option(
            "--output, -o FILE",
            "The file to write; its name ends in .svg .png .gif .html .txt .csv or .json. - is standard output.",
        ),
    ] = "-",
    form: Annotated[
        str | None,
        option(
            "--format NAME",
            "The format, if the name does not say it: svg, png, ...",
            offered=offer("svg", "png", "gif", "html", "txt", "csv", "json"),
        ),
    ] = None,
    style: Annotated[
        str | None,
        option(
            "--style NAME",
            "path, numbers, arrows or rainbow (.svg, .png).",
            offered=offer("path", "numbers", "arrows", "rainbow"),
        ),
    ] = None,
    size: Annotated[
        float | None, option("--size PIXELS", "The longer side (.svg, .png, .gif).", read=read_number)
    ] = None,
    title: Annotated[str | None, option("--title TEXT", "The title (.svg, .html).")] = None,
    plain: Annotated[bool, option("--no-coordinates", "Without the names of columns and rows.")] = False,
    seconds: Annotated[
        float | None, option("--seconds N", "How long the animation lasts (.gif).", read=read_number)
    ] = None,
    board: GivenBoardOption = None,
    on: BoardOptions,
    closed: KindOption = None,
    json: Annotated[bool, option("--json", "Print what was written, as JSON.")] = False,
    quiet: QuietOption = False,  # noqa: ARG001 - there is no bar
) -> int:
    """Draw a tour as SVG, PNG, animated GIF, a page that plays it, or text; or a puzzle as SVG or PNG."""
    known = on.known(board, file) | {"closed": closed}
    if json and output == "-":
        raise MisuseError("--json needs --output FILE: without it the picture goes to standard output")
    suffix = ".svg" if output == "-" else Path(output).suffix.lower()
    if form is not None:
        suffix = f".{form.lower().removeprefix('.')}"
    options: dict[str, Any] = {
        "style": style,
        "size": size,
        "title": title,
        "coordinates": False if plain else None,
        "seconds": seconds,
    }
    options = {name: value for name, value in options.items() if value is not None}
    text = read_text(file)
    puzzle = read_puzzle(text, known.get("board"))
    tour: Any = None if puzzle else tour_of(text, file, known)
    # Drawing takes longer to import than the rest of the command line.
    from knightstour.drawing import puzzle as puzzles  # noqa: PLC0415
    from knightstour.drawing.save import OPTIONS, encode  # noqa: PLC0415

    takes = puzzles.OPTIONS if puzzle else OPTIONS
    if puzzle and suffix not in takes:
        raise MisuseError(f"a puzzle can be drawn as {' or '.join(takes)}, not as {_quote(suffix)}")
    for name in options:
        if suffix in takes and name not in takes[suffix]:
            option = "--no-coordinates" if name == "coordinates" else f"--{name}"
            raise MisuseError(f"{option} cannot be used with {suffix}")
    try:
        data = puzzles.encode(*puzzle, suffix, options) if puzzle else encode(tour, suffix, options)
    except ImportError as error:
        raise MisuseError(str(error)) from None
    if output == "-":
        print_bytes(data)
        return 0
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise MisuseError(f"cannot write {_quote(output)}: {error.strerror}") from None
    if json:
        print_json({"file": output, "format": suffix.removeprefix("."), "bytes": len(data)})
    return 0


def several(count: int) -> str:
    """Why these puzzles are not drawn."""
    return f"draw takes 1 puzzle, but here are {count}: write one file per puzzle with puzzle -n {count} -o DIR"


def read_puzzle(text: str, board: Board | None) -> "tuple[Board, dict[Square, int], dict[Square, int] | None] | None":
    """The board of a puzzle, the given numbers and, if it is there, the solution; None if a text is not a puzzle."""
    if clues.is_json(text):
        if (count := len(re.findall('"clues"', text))) > 1:
            raise MisuseError(several(count))
        from knightstour.puzzles import Puzzle  # noqa: PLC0415 - few need it

        return (read := Puzzle.from_json(text)).board, *read._numbers(solution=False)
    if "." not in text:
        return None
    first, *others = re.split(r"\n\s*\n", text.strip("\n"))
    found = clues.read_puzzle(first, board)
    if found is None:
        return None
    solution = None
    if others:
        if len(others) > 1 or clues.read_puzzle(others[0], board):
            count = len(others) + 1
            raise MisuseError(several(count))
        solution = {square: step for step, square in enumerate(Tour.parse(others[0], found[0]).squares, 1)}
    return (*found, solution)
