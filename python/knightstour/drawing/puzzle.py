"""Pictures of puzzles: a board with some numbers of a tour."""

from __future__ import annotations

import inspect
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from knightstour._core import _quote
from knightstour.drawing import raster, scene
from knightstour.drawing.canvas import Canvas, Svg
from knightstour.errors import RequestError
from knightstour.keywords import refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from knightstour._core import Board
    from knightstour.square import Square

    Numbers = Mapping[Square, int]


def puzzle_svg(
    board: Board,
    given: Numbers,
    solution: Numbers | None = None,
    *,
    size: float | None = None,
    coordinates: bool = True,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Svg:
    """Draw the given numbers; or all of them, with the given ones framed."""
    canvas = Canvas(board, coordinates=coordinates, colors=scene.palette(colors))
    shown = given if solution is None else solution
    frames = () if solution is None else canvas.frames(given)
    body = chain(canvas.bare(), frames, canvas.marks({(at.row, at.col): str(number) for at, number in shown.items()}))
    name = f"{scene.piece(board)} tour puzzle on the {scene.kind(board)}"
    name = name[0].upper() + name[1:] if scene.check_title(title) is None else str(title)
    told = ", ".join(f"{board.name(at)}: {number}" for at, number in islice(given.items(), 100))
    more = f" and {len(given) - 100:,} more" if len(given) > 100 else ""
    text = f"{len(given):,} of {len(board):,} numbers are given: {told}{more}."
    return canvas.document(body, size, name, text if solution is None else f"The solution. {text}")


def puzzle_png(
    board: Board,
    given: Numbers,
    solution: Numbers | None = None,
    *,
    size: float | None = None,
    coordinates: bool = True,
    colors: Mapping[str, str] | None = None,
) -> bytes:
    """The same as a PNG picture; ``size`` is the longer side in pixels."""
    painting = raster.bare(board, size, coordinates=coordinates, colors=scene.palette(colors))
    for square in given if solution is not None else ():
        painting.ring(square, "mark", boxed=True)
    shown = given if solution is None else solution
    painting.numbers(((at.row * board.cols + at.col, number) for at, number in shown.items()), len(board))
    return raster.encoded(painting.finished())


FORMATS: dict[str, Callable[..., str | bytes]] = {".svg": puzzle_svg, ".png": puzzle_png}

#: What each of them takes.
OPTIONS = {
    suffix: frozenset(inspect.signature(make).parameters) - {"board", "given", "solution"}
    for suffix, make in FORMATS.items()
}


def encode(board: Board, given: Numbers, solution: Numbers | None, suffix: str, options: dict[str, Any]) -> bytes:
    """A picture in a format, named by its suffix."""
    make = FORMATS.get(suffix.lower())
    if make is None:
        raise RequestError(f"a puzzle can be saved as .svg, .png, .txt or .json, not as {_quote(suffix)}")
    if not options.keys() <= OPTIONS[suffix.lower()]:
        refuse("Puzzle.save", options, ["path", "solution", *sorted(OPTIONS[suffix.lower()])])
    made = make(board, given, solution, **options)
    return made if isinstance(made, bytes) else made.encode("utf-8")
