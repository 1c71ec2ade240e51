"""`knightstour verify`: whether a text is a tour, and which."""

from typing import Annotated, Any

import typer

from knightstour._core import Tour
from knightstour.cli.options import BlockedOption, JsonOption, LeaperOption, WrapOption, examples
from knightstour.cli.output import board_object, print_json
from knightstour.cli.reading import read_given_board, read_text
from knightstour.cli.status import NO_TOUR
from knightstour.errors import InvalidTourError

EPILOG = examples(
    "verify tour.txt",
    "solve 8x8 | knightstour verify -",
    "verify tour.txt --board @board.txt --leaper 2,3",
    keys="valid, message, board, closed, length, start, end, step, squares (the ones at fault)",
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
    """Verify a numbered grid or a list of square names: what kind of tour it is, or its first bad step."""
    given = read_given_board(board, blocked, leaper, wrap, file)
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
