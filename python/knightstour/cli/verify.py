"""`knightstour verify`: whether a text is a tour, and which."""

from typing import Annotated, Any

from knightstour._core import _read_tour, _split_tours
from knightstour.cli.groups import BoardOptions
from knightstour.cli.options import GivenBoardOption, JsonOption, KindOption, QuietOption, argument, examples
from knightstour.cli.output import print_json
from knightstour.cli.reading import read_text
from knightstour.cli.status import MISUSE, NO_TOUR
from knightstour.cli.wording import as_typed
from knightstour.errors import InvalidTourError, ReadError
from knightstour.plain import board_object

EPILOG = examples(
    "verify tour.txt",
    "solve 8x8 | knightstour verify -",
    "list 5x5 --limit 3 | knightstour verify -",
    "verify tour.txt --board @board.txt --leaper 2,3",
    keys="(one object per tour) valid (true, false, or null for a text that cannot be read), message, board, closed, "
    "length, start, end, step, squares (the ones at fault), reading, note",
)


def command(
    file: Annotated[str, argument("FILE", "The file; - is standard input.")],
    *,
    board: GivenBoardOption = None,
    on: BoardOptions,
    closed: KindOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,  # noqa: ARG001 - there is no bar
) -> int:
    """Verify tours: print what kind of tour each is, or its first bad step.

    A tour is a numbered grid, names of squares, pairs (row, column), square numbers or JSON, as people and programs
    write them. A file may hold several tours, one per line, as list prints them, or with blank lines between; one
    line is printed for each. Exit status: 0 all are tours, 1 one is not, 2 a text cannot be read.
    """
    known = on.known(board, file) | {"closed": closed}
    text = read_text(file)
    answers = [examine(text, known)]
    # A text that is a tour as a whole is one tour.
    parts = [text] if answers[0]["valid"] else _split_tours(text, **known)
    several = len(parts) > 1
    valid = {True}
    for number, part in enumerate(parts, 1):
        answer = examine(part, known) if several else answers[0]
        valid.add(answer["valid"])
        if json:
            print_json(answer)
        else:
            note = f" ({answer['note']})" if answer["note"] else ""
            print(f"{number}: {answer['message']}{note}" if several else f"{answer['message']}{note}")
    return NO_TOUR if False in valid else MISUSE if None in valid else 0


def examine(text: str, known: dict[str, Any]) -> dict[str, Any]:
    """The answer for one tour, in JSON."""
    given = known.get("board")
    answer: dict[str, Any] = {"valid": False, "message": ""}
    answer |= {"board": given and board_object(given)} | dict.fromkeys(["closed", "length", "start", "end", "step"])
    answer |= {"squares": [], "reading": None, "note": None}
    try:
        tour, reading, note, kind_is_said = _read_tour(text, **known)
    except ReadError as error:
        return answer | {"valid": None, "message": str(error)}
    except InvalidTourError as error:
        squares = [given.name(square) for square in error.squares] if given else []
        message = f"not a tour: {as_typed(error)}"
        return answer | {"message": message, "step": error.step, "squares": squares}
    kind, on = "closed" if tour.is_closed else "open", tour.board
    start, end = on.name(tour.start), on.name(tour.end)
    squares_text = "1 square" if len(tour) == 1 else f"{len(tour)} squares"
    notes = [] if note is None else [note]
    if not kind_is_said:
        notes.append("closed because its ends are a move apart; --open reads it as an open tour")
    return answer | {
        "valid": True,
        "message": f"{kind} tour of the {on.rows}x{on.cols} board: {squares_text}, from {start} to {end}",
        "reading": reading.removeprefix("read as "),
        "note": "; ".join(notes) or None,
        "board": board_object(on),
        "closed": tour.is_closed,
        "length": len(tour),
        "start": start,
        "end": end,
    }
