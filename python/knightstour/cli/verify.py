"""`knightstour verify`: whether a text is a tour, and which."""

import re
from typing import Annotated, Any

import typer

from knightstour._core import Board, Tour
from knightstour.cli.groups import BoardOptions
from knightstour.cli.options import GivenBoardOption, JsonOption, QuietOption, examples
from knightstour.cli.output import board_object, print_json
from knightstour.cli.reading import read_text
from knightstour.cli.status import NO_TOUR
from knightstour.errors import InvalidTourError

EPILOG = examples(
    "verify tour.txt",
    "solve 8x8 | knightstour verify -",
    "list 5x5 --limit 3 | knightstour verify -",
    "verify tour.txt --board @board.txt --leaper 2,3",
    keys="(one object a tour) valid, message, board, closed, length, start, end, step, squares (the ones at fault)",
)


LOOKED_AT = 1000
"""Lines, or blocks, that are tried as tours by themselves: a huge file that holds none is refused soon."""


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - is standard input.")],
    *,
    board: GivenBoardOption = None,
    on: BoardOptions,
    json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001 - there is no bar
) -> int:
    """Verify tours: what kind of tour each is, or its first bad step.

    A tour is a numbered grid, a list of names or of pairs (row, column), a table, or JSON. Several may come one a
    line, as list prints them, or with blank lines between; a line is printed for each.
    """
    given = on.given_board(board, file)
    text = read_text(file)
    answer = examine(text, given)
    # What is a tour as a whole is one.
    parts = [] if answer["valid"] else split(text, given)
    valid = True
    for number, part in enumerate(parts or [text], 1):
        if parts:
            answer = examine(part, given)
        valid = valid and answer["valid"]
        if json:
            print_json(answer)
        else:
            print(f"{number}: {answer['message']}" if parts else answer["message"])
    return 0 if valid else NO_TOUR


def split(text: str, board: Board | None) -> list[str]:
    """The tours of a text that holds several: one a line, as `list` prints them, or with blank lines between.

    It does if one of the first lines, or blocks, is a tour by itself.
    """
    for end in (r"[\r\n]+\s*", r"(?:\n|\r\n?)[ \t]*(?:\n|\r\n?)\s*"):
        first = re.split(end, text.lstrip("\ufeff"), maxsplit=LOOKED_AT)[:LOOKED_AT]
        # A single name is a tour of the 1x1 board.
        if len(first) > 1 and any(len(part.split()) > 1 and is_tour(part, board) for part in first):
            return [part for part in re.split(end, text) if part and not part.isspace()]
    return []


def is_tour(text: str, board: Board | None) -> bool:
    """Whether a text is a tour."""
    try:
        Tour.parse(text, board)
    except InvalidTourError:
        return False
    return True


def examine(text: str, given: Board | None) -> dict[str, Any]:
    """What there is to say of one tour, in JSON."""
    try:
        tour = Tour.parse(text, given)
    except InvalidTourError as error:
        return {
            "valid": False,
            "message": f"no tour: {error}",
            "board": given and board_object(given),
            **dict.fromkeys(["closed", "length", "start", "end"]),
            "step": error.step,
            "squares": [given.name(square) for square in error.squares] if given else [],
        }
    kind, on = "closed" if tour.is_closed else "open", tour.board
    start, end = on.name(tour.start), on.name(tour.end)
    squares = "1 square" if len(tour) == 1 else f"{len(tour)} squares"
    return {
        "valid": True,
        "message": f"{kind} tour of the {on.rows}x{on.cols} board: {squares}, from {start} to {end}",
        "board": board_object(on),
        "closed": tour.is_closed,
        "length": len(tour),
        "start": start,
        "end": end,
        "step": None,
        "squares": [],
    }
