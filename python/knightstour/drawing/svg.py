"""Pictures as SVG text, for notebooks, pages and print."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, SupportsIndex

from knightstour._core import Board, Tour, _quote
from knightstour.drawing import scene
from knightstour.drawing.canvas import MOST_SQUARES, UNIT, Canvas, Svg, document, short
from knightstour.errors import RequestError
from knightstour.keywords import helpful, named
from knightstour.plain import alone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from knightstour._core import Walk
    from knightstour.drawing.scene import Style
    from knightstour.paths import Path
    from knightstour.square import SquareLike

#: Pictures on a sheet.
MOST_PICTURES = 10_000


@named("Tour.svg")
def tour_svg(
    tour: Tour,
    *,
    size: float | None = None,
    style: Style = "path",
    coordinates: bool = True,
    squares: bool = True,
    start_end: bool = True,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Svg:
    """Draw a tour: see `Tour.svg`."""
    scene.check_style(style)
    canvas = Canvas(tour.board, coordinates=coordinates, colors=scene.palette(colors, style))
    body = canvas.tour(tour, style, squares=squares, start_end=start_end)
    title = scene.tour_title(tour) if scene.check_title(title) is None else title
    return canvas.document(body, size, str(title), scene.tour_text(tour))


@named("Board.svg")
def board_svg(
    board: Board,
    *,
    marks: Mapping[Any, str | int | None] | Iterable[SquareLike] | None = None,
    size: float | None = None,
    coordinates: bool = True,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Svg:
    """Draw a board: see `Board.svg`."""
    canvas = Canvas(board, coordinates=coordinates, colors=scene.palette(colors))
    marked = scene.read_marks(board, marks)
    body = chain(canvas.bare(), canvas.marks(marked))
    kind = scene.kind(board)
    title = kind[0].upper() + kind[1:] if scene.check_title(title) is None else title
    text = f"A board of {board.rows} rows and {board.cols} columns; {len(board):,} squares are open."
    if marked:
        told = [f"{board.name(at)}{f': {mark}' if mark else ''}" for at, mark in islice(marked.items(), 100)]
        more = f" and {len(marked) - 100:,} more" if len(marked) > 100 else ""
        text += f" Marked: {', '.join(told)}{more}."
    return canvas.document(body, size, str(title), text)


def path_svg(path: Walk | Path, *, size: float | None = None) -> Svg:
    """Draw a path on its board; the squares that it does not visit are not blocked."""
    board, squares = path.board, tuple(path.squares)
    if not squares:
        return board_svg(board, size=size)
    canvas = Canvas(board, coordinates=True, colors=scene.palette(None))
    line = alone(board, squares, closed=scene.is_cycle(path))
    body = chain(canvas.bare(), canvas.path(line, arrows=False), canvas.ends(line, numbered=False))
    title = scene.path_title(path)
    return canvas.document(
        body, size, title[0].upper() + title[1:], f"From {board.name(squares[0])} to {board.name(squares[-1])}."
    )


@helpful
def svg_grid(
    tours: Iterable[Tour | Board],
    *,
    columns: SupportsIndex | None = None,
    size: float | None = None,
    style: Style = "path",
    coordinates: bool = False,
    squares: bool = True,
    start_end: bool = True,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Svg:
    """Draw many tours on one sheet.

    Parameters
    ----------
    tours
        Up to 10,000 tours, or boards without one, of any sizes; each is scaled to fit its place.
    columns
        Pictures side by side; by default, as many as make the sheet about square.
    size
        The sheet's longer side in pixels; by default it fills the place that it is shown in.
    style, coordinates, squares, start_end, colors
        As for `Tour.svg`.
    title
        The sheet's title, for screen readers and as a tooltip.

    Returns
    -------
    A `str` of SVG text that notebooks show.

    Raises `RequestError` for options that do not fit, and if there are no tours or too many.
    """
    found = list(islice(tours, MOST_PICTURES + 1))
    if not found:
        raise RequestError("a sheet needs at least one tour")
    if len(found) > MOST_PICTURES:
        raise RequestError(f"a sheet holds up to {MOST_PICTURES} tours; take some of them with itertools.islice")
    if columns is None:
        across = next(side for side in range(1, len(found) + 1) if side * side >= len(found))
    else:
        across = -1 if isinstance(columns, bool) or not hasattr(columns, "__index__") else columns.__index__()
        if across < 1:
            raise RequestError(f"columns must be a whole number of at least 1, not {_quote(columns)}")
        across = min(across, len(found))
    scene.check_style(style)
    chosen = scene.palette(colors, style)
    parts, boxes, squares_left = [], [], MOST_SQUARES
    for one in found:
        if isinstance(one, Board):
            canvas = Canvas(one, coordinates=coordinates, colors=chosen, detailed=False)
            body = canvas.bare(squares=squares)
        elif isinstance(one, Tour):
            canvas = Canvas(one.board, coordinates=coordinates, colors=chosen, detailed=False)
            body = canvas.tour(one, style, squares=squares, start_end=start_end)
        else:
            raise RequestError(f"a sheet shows tours and boards, not {_quote(one)}")
        squares_left -= canvas.board.rows * canvas.board.cols
        if squares_left < 0:
            raise RequestError(f"a sheet shows up to {MOST_SQUARES:,} squares in all")
        parts.append("".join(chain(canvas.background(), body)))
        boxes.append((canvas.width, canvas.height))
    gap = UNIT / 2
    width, height = max(box[0] for box in boxes), max(box[1] for box in boxes)
    places = []
    for index, (part, box) in enumerate(zip(parts, boxes, strict=True)):
        x, y = gap + index % across * (width + gap), gap + index // across * (height + gap)
        inner = f'viewBox="0 0 {short(box[0])} {short(box[1])}"'
        outer = f'x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}"'
        places.append(f"<svg {outer} {inner}>{part}</svg>\n")
    rows = -(-len(found) // across)
    whole = gap + across * (width + gap), gap + rows * (height + gap)
    name = f"{len(found):,} tours" if all(isinstance(one, Tour) for one in found) else f"{len(found):,} boards"
    told = f"A sheet of {len(found):,} pictures, {across} per row."
    name = name if scene.check_title(title) is None else str(title)
    return document(places, whole, scene.check_size(size), name, told)
