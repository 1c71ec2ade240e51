"""`knightstour verify`: whether a text is a tour, and which."""

import re
from typing import Annotated, Any

import typer

from knightstour._core import Board, Tour
from knightstour.cli.options import BlockedOption, JsonOption, LeaperOption, WrapOption, examples
from knightstour.cli.output import board_object, print_json
from knightstour.cli.reading import read_given_board, read_text
from knightstour.cli.status import NO_TOUR
from knightstour.errors import InvalidTourError

EPILOG = examples(
    "verify tour.txt",
    "solve 8x8 | knightstour verify -",
    "list 5x5 --limit 3 | knightstour verify -",
    "verify tour.txt --board @board.txt --leaper 2,3",
    keys="(one object a tour) valid, message, board, closed, length, start, end, step, squares (the ones at fault)",
)


def command(
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
    """Verify tours: what kind of tour each is, or its first bad step.

    A tour is a numbered grid, a list of names or of pairs (row, column), a table, or JSON. Several may come one a
    line, as list prints them, or with blank lines between; a line is printed for each.
    """
    given = read_given_board(board, blocked, leaper, wrap, file)
    parts = split(read_text(file), given)
    valid = True
    for number, text in enumerate(parts, 1):
        answer = examine(text, given)
        valid = valid and answer["valid"]
        if json:
            print_json(answer)
        else:
            print(f"{number}: {answer['message']}" if len(parts) > 1 else answer["message"])
    return 0 if valid else NO_TOUR


def split(text: str, board: Board | None) -> list[str]:
    """The tours of a text that may hold several: one a line, as `list` prints them, or with blank lines between.

    What is a tour as a whole is one. It is several if one of the lines, or of the blocks, is a tour by itself.
    """
    if is_tour(text, board):
        return [text]
    lines = [line for line in text.splitlines() if not line.isspace() and line]
    # A single name is a tour of the 1x1 board.
    if len(lines) > 1 and any(len(line.split()) > 1 and is_tour(line, board) for line in lines):
        return lines
    blocks = [block for block in re.split(r"\n[ \t\r]*\n", text) if block.strip()]
    if len(blocks) > 1 and any(is_tour(block, board) for block in blocks):
        return blocks
    return [text]


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
    return {
        "valid": True,
        "message": f"{kind} tour of the {on.rows}x{on.cols} board: {len(tour)} squares, from {start} to {end}",
        "board": board_object(on),
        "closed": tour.is_closed,
        "length": len(tour),
        "start": start,
        "end": end,
        "step": None,
        "squares": [],
    }
