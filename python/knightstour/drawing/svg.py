"""Pictures as SVG text, for notebooks, pages and print.

The colours stand as attributes, which any style sheet overrides; the classes are ``frame``, ``square`` with
``light`` or ``dark`` and the square's name, ``blocked``, ``joined``, ``label``, ``path``, ``arrows``,
``number``, ``mark``, ``start`` and ``end``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import chain, islice, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from knightstour._core import Board, Tour
from knightstour.drawing import scene
from knightstour.errors import RequestError

if TYPE_CHECKING:
    from knightstour.drawing.scene import Style
    from knightstour.square import SquareLike

#: Colours of squares that are neither light nor dark, by (row, col).
Tints: TypeAlias = Mapping[tuple[int, int], str]
NO_TINTS: Tints = MappingProxyType({})

#: Length of a square's side in the picture's own units.
UNIT = 40
#: Boards of up to so many squares have an element for each square.
MOST_ELEMENTS = 4096
#: Tours of up to so many squares are shown whole in a notebook.
MOST_SHOWN = 10_000
#: Of longer ones, so many squares.
SAMPLE = 1000
#: Pictures on a sheet.
MOST_PICTURES = 10_000
#: Lines of the path have this width, in squares.
WIDTH = 0.075


class Svg(str):
    """A picture as SVG text: a `str` that notebooks show, and that a prompt does not spell out."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<SVG picture, {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


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
        Up to 10,000 tours, or boards without one, of any sizes; each is fitted into a place of its own.
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

    Raises `RequestError` for options that do not fit, and for no tours or too many.
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
            raise RequestError(f"columns must be a whole number of at least 1, not {scene.shown(columns)}")
        across = min(across, len(found))
    scene.check_style(style)
    chosen = scene.palette(colors, style)
    parts, boxes = [], []
    for one in found:
        if isinstance(one, Board):
            canvas = Canvas(one, coordinates=coordinates, colors=chosen, detailed=False)
            body = canvas.bare(squares=squares)
        elif isinstance(one, Tour):
            canvas = Canvas(one.board, coordinates=coordinates, colors=chosen, detailed=False)
            body = canvas.tour(one, style, squares=squares, start_end=start_end)
        else:
            raise RequestError(f"a sheet shows tours and boards, not {scene.shown(one)}")
        parts.append("".join(chain(canvas.background(), body)))
        boxes.append((canvas.width, canvas.height))
    gap = UNIT / 2
    width, height = max(box[0] for box in boxes), max(box[1] for box in boxes)
    places = []
    for index, (part, box) in enumerate(zip(parts, boxes, strict=True)):
        x, y = gap + index % across * (width + gap), gap + index // across * (height + gap)
        places.append(
            f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" viewBox="0 0 {box[0]:g} {box[1]:g}">'
            f"{part}</svg>\n"
        )
    rows = -(-len(found) // across)
    whole = gap + across * (width + gap), gap + rows * (height + gap)
    name = f"{len(found):,} tours" if all(isinstance(one, Tour) for one in found) else f"{len(found):,} boards"
    told = f"A sheet of {len(found):,} pictures, {across} in a row: {scene.kind(board_of(found[0]))} first."
    name = name if scene.check_title(title) is None else str(title)
    return document(places, whole, scene.check_size(size), name, told)


def notebook_svg(shown: Tour | Board) -> str:
    """What a notebook shows of a tour or a board: the whole picture, or an honest part of a big one."""
    board = board_of(shown)
    size = min(90 + 45 * max(board.rows, board.cols), 640)
    if board.rows * board.cols > MOST_SHOWN:
        return overview(shown, 640)
    return tour_svg(shown, size=size) if isinstance(shown, Tour) else board_svg(shown, size=size)


def overview(shown: Tour | Board, size: float) -> str:
    """A picture of bounded length, which says what it leaves out."""
    board = board_of(shown)
    sides = board.cols, board.rows
    # Very long strips are drawn thicker than they are.
    scale = 960 / max(sides)
    wide, high = (max(side * scale, 24) for side in sides)
    colors = scene.palette(None)
    parts = [
        (
            f'<rect class="square light" x="20" y="20" width="{wide:.1f}" height="{high:.1f}" fill="{colors["light"]}" '
            f'stroke="{colors["border"]}"/>'
        )
    ]
    if isinstance(shown, Tour):
        numbers = scene.numbers_of(shown)
        places = [step * (len(numbers) - 1) // (SAMPLE - 1) for step in range(SAMPLE)]
        points = []
        for at in places:
            row, col = divmod(numbers[at], board.cols)
            points.append(f"{20 + (col + 0.5) * wide / board.cols:.1f},{20 + (row + 0.5) * high / board.rows:.1f}")
        parts.append(
            f'<polyline class="path" points="{" ".join(points)}" fill="none" stroke="{colors["path"]}" '
            'stroke-width="1.5" stroke-linejoin="round"/>'
        )
        title = scene.tour_title(shown)
        caption = (
            f"{SAMPLE:,} of the tour's {len(numbers):,} squares, evenly spaced and joined in their order; "
            "its moves are left out"
        )
    else:
        title = kind = scene.kind(board)
        title = kind[0].upper() + kind[1:]
        caption = f"{len(board):,} open squares, which are left out"
    parts += [
        (
            f'<text class="label" x="20" y="{high + 44:.1f}" fill="{colors["label"]}" font-family="{FONT}" '
            f'font-size="18">{clean(title)}</text>'
        ),
        (
            f'<text class="label" x="20" y="{high + 68:.1f}" fill="{colors["label"]}" font-family="{FONT}" '
            f'font-size="15">{clean(caption)}</text>'
        ),
    ]
    box = max(wide, 800) + 40, high + 84
    frame = (
        f'<rect class="frame" x="0.5" y="0.5" width="{box[0] - 1:.1f}" height="{box[1] - 1:.1f}" rx="6" '
        f'fill="{colors["frame"]}" stroke="{colors["border"]}"/>'
    )
    return document([frame, *parts], box, size, title, f"{caption}.")


def board_of(shown: Tour | Board) -> Board:
    """The board of what is drawn."""
    return shown.board if isinstance(shown, Tour) else shown


def rainbow_tints(tour: Tour) -> dict[tuple[int, int], str]:
    """The colour of each square by its step."""
    numbers, cols = scene.numbers_of(tour), tour.board.cols
    colors = scene.rainbow_steps(len(numbers))
    return {divmod(number, cols): color for number, color in zip(numbers, colors, strict=True)}


FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"


def document(body: Iterable[str], box: tuple[float, float], size: float | None, title: str, text: str) -> Svg:
    """A whole picture: its head with title and description, and its body."""
    fixed = ""
    if size is not None:
        scale = size / max(box)
        fixed = f' width="{round(box[0] * scale, 2):g}" height="{round(box[1] * scale, 2):g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box[0]:g} {box[1]:g}"{fixed} role="img">\n'
        f"<title>{clean(title)}</title>\n<desc>{clean(text)}</desc>\n"
    )
    return Svg("".join(chain([head], body, ["</svg>\n"])))


def clean(text: str) -> str:
    """Text as XML has it: escaped, without what XML cannot hold."""
    allowed = (
        letter
        if letter >= " " and not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"
        else " "
        if letter in "\t\n\r"
        else "\ufffd"
        for letter in text
    )
    return escape("".join(allowed), quote=False).replace('"', "&quot;")


class Canvas:
    """A board's picture in the making. Each method gives the elements of one layer."""

    def __init__(self, board: Board, *, coordinates: bool, colors: Mapping[str, str], detailed: bool = True) -> None:
        self.board = board
        self.colors = {name: clean(color) for name, color in colors.items()}
        self.detailed = detailed and board.rows * board.cols <= MOST_ELEMENTS
        self.coordinates = coordinates
        digits = max(len(str(board.rows)), len(scene.letters(board.cols - 1)))
        self.margin = 12 + 10 * digits if coordinates else 8
        self.width = board.cols * UNIT + 2 * self.margin
        self.height = board.rows * UNIT + 2 * self.margin

    def document(self, body: Iterable[str], size: float | None, title: str, text: str) -> Svg:
        """The whole picture."""
        box = self.width, self.height
        return document(chain(self.background(), body), box, scene.check_size(size), title, text)

    def corner(self, row: int, col: int) -> tuple[int, int]:
        """The top left corner of a square."""
        return self.margin + col * UNIT, self.margin + row * UNIT

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """The middle of a square."""
        return self.margin + (col + 0.5) * UNIT, self.margin + (row + 0.5) * UNIT

    def background(self) -> Iterator[str]:
        """The frame and its labels."""
        yield (
            f'<rect class="frame" x="1" y="1" width="{self.width - 2}" height="{self.height - 2}" rx="5" '
            f'fill="{self.colors["frame"]}" stroke="{self.colors["border"]}" stroke-width="2"/>\n'
        )
        if not self.coordinates:
            return
        rows, cols = self.board.rows, self.board.cols
        middle = self.margin / 2
        yield (
            f'<g class="labels" fill="{self.colors["label"]}" font-family="{FONT}" font-size="15" '
            'text-anchor="middle" aria-hidden="true">\n'
        )
        for rank in scene.labels(rows):
            y = self.centre(rows - 1 - rank, 0)[1] + 5
            for x in (middle, self.width - middle):
                yield f'<text class="label" x="{x:g}" y="{y:g}">{rank + 1}</text>'
        for col in scene.labels(cols):
            x = self.centre(0, col)[0]
            for y in (middle, self.height - middle):
                yield f'<text class="label" x="{x:g}" y="{y + 5:g}">{scene.letters(col)}</text>'
        yield "\n</g>\n"

    def bare(self, tints: Tints = NO_TINTS, *, squares: bool = True) -> Iterator[str]:
        """The board without a tour."""
        if squares:
            yield from self.squares(tints)
        elif tints:
            yield from self.dots(tints)
        yield from self.blocked()
        yield from self.edges()

    def tour(self, tour: Tour, style: str, *, squares: bool, start_end: bool) -> Iterator[str]:
        """The board with a tour."""
        yield from self.bare(rainbow_tints(tour) if style == "rainbow" else NO_TINTS, squares=squares)
        if style != "numbers":
            yield from self.path(tour, arrows=style == "arrows")
        if start_end:
            yield from self.ends(tour, numbered=style == "numbers")
        if style == "numbers":
            yield from self.numbers(tour)

    def squares(self, tints: Tints) -> Iterator[str]:
        """The squares, each in its own element where there are not too many."""
        board, colors = self.board, self.colors
        if not self.detailed:
            yield from self.plain_squares(tints)
            return
        for shade, odd in (("light", 1), ("dark", 0)):
            yield f'<g class="squares" fill="{colors[shade]}">\n'
            for row in range(board.rows):
                for col in range(self.first_dark(row) ^ odd, board.cols, 2):
                    x, y = self.corner(row, col)
                    tint = f' fill="{tints[row, col]}"' if (row, col) in tints else ""
                    yield (
                        f'<rect class="square {shade} {board.name((row, col))}" x="{x}" y="{y}" width="{UNIT}" '
                        f'height="{UNIT}"{tint}/>'
                    )
            yield "\n</g>\n"

    def plain_squares(self, tints: Tints) -> Iterator[str]:
        """The squares of each colour in one element."""
        rows, cols = self.board.rows, self.board.cols
        x, y = self.corner(0, 0)
        yield (
            f'<rect class="square light" x="{x}" y="{y}" width="{cols * UNIT}" height="{rows * UNIT}" '
            f'fill="{self.colors["light"]}"/>\n'
        )
        # A row of dark squares is a dashed line.
        yield f'<path class="square dark" fill="none" stroke="{self.colors["dark"]}" stroke-width="{UNIT}" '
        yield f'stroke-dasharray="{UNIT}" d="'
        for row in range(rows):
            first = self.first_dark(row)
            if first < cols:
                yield f"M{x + first * UNIT} {y + row * UNIT + UNIT // 2}h{(cols - first) * UNIT}"
        yield '"/>\n'
        alike: dict[str, list[tuple[int, int]]] = {}
        for square, tint in tints.items():
            alike.setdefault(tint, []).append(square)
        for tint, found in alike.items():
            yield f'<path class="tint" fill="{tint}" d="{self.boxes(found)}"/>\n'

    def first_dark(self, row: int) -> int:
        """The first dark column of a row: a1 is dark, as on a chessboard."""
        return (self.board.rows - 1 - row) % 2

    def boxes(self, squares: Iterable[tuple[int, int]]) -> str:
        """Squares as one path."""
        corners = (self.corner(row, col) for row, col in squares)
        return "".join(f"M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in corners)

    def blocked(self) -> Iterator[str]:
        """The blocked squares."""
        found = scene.blocked_rows(self.board)
        fill = self.colors["blocked"]
        if found and self.detailed:
            yield f'<g fill="{fill}">\n'
            for row, col in found:
                x, y = self.corner(row, col)
                name = self.board.name((row, col))
                yield f'<rect class="blocked {name}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"/>'
            yield "\n</g>\n"
        elif found:
            yield f'<path class="blocked" fill="{fill}" d="{self.boxes(found)}"/>\n'

    def edges(self) -> Iterator[str]:
        """The edges of the board: a line, dashed where they are joined."""
        wrap = self.board.wrap
        x, y = self.corner(0, 0)
        right, low = self.corner(self.board.rows, self.board.cols)
        for joined, line in (
            (wrap in {"rows", "both"}, f"M{x} {y}H{right}M{x} {low}H{right}"),
            (wrap in {"cols", "both"}, f"M{x} {y}V{low}M{right} {y}V{low}"),
        ):
            look = 'class="edge joined" stroke-width="4" stroke-dasharray="8 6"'
            look = look if joined else 'class="edge" stroke-width="1.5"'
            yield f'<path {look} d="{line}" fill="none" stroke="{self.colors["border"]}"/>\n'

    def dots(self, tints: Tints) -> Iterator[str]:
        """A dot in each square's middle, where the squares themselves are not drawn."""
        yield '<g class="dots">\n'
        for (row, col), tint in tints.items():
            x, y = self.centre(row, col)
            yield f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="{UNIT * 0.3:g}" fill="{tint}"/>'
        yield "\n</g>\n"

    def path(self, tour: Tour, *, arrows: bool) -> Iterator[str]:
        """The path, one line for each of its runs, and the arrowheads on it."""
        color, margin = self.colors["path"], self.margin
        lines = scene.runs(tour.board, scene.numbers_of(tour), closed=tour.is_closed)
        yield (
            f'<g fill="none" stroke="{color}" stroke-width="{UNIT * WIDTH:g}" stroke-linecap="round" '
            'stroke-linejoin="round">\n'
        )
        for line in lines:
            points = " ".join(f"{margin + x * UNIT:.6g},{margin + y * UNIT:.6g}" for x, y in line)
            yield f'<polyline class="path" points="{points}"/>\n'
        yield "</g>\n"
        if arrows:
            heads = filter(None, (scene.arrowhead(*pair) for line in lines for pair in pairwise(line)))
            shapes = (
                "M" + "L".join(f"{margin + x * UNIT:.5g} {margin + y * UNIT:.5g}" for x, y in head) + "z"
                for head in heads
            )
            yield f'<path class="arrows" fill="{color}" d="{"".join(shapes)}"/>\n'

    def ends(self, tour: Tour, *, numbered: bool) -> Iterator[str]:
        """Where the tour starts, a disc, and where an open one ends, a square: rings where there are numbers."""
        size = UNIT * (0.42 if numbered else 0.2)
        x, y = self.centre(*tour.start)
        board = tour.board
        for name, at in (("start", tour.start), ("end", tour.end)):
            color = self.colors[name]
            x, y = self.centre(*at)
            look = (
                f'fill="none" stroke="{color}" stroke-width="2.5"'
                if numbered
                else f'fill="{color}" stroke="{self.colors["light"]}" stroke-width="2"'
            )
            told = f"<title>{name} {board.name(at)}</title>"
            if name == "start":
                yield f'<circle class="start" cx="{x:g}" cy="{y:g}" r="{size:g}" {look}>{told}</circle>\n'
            elif not tour.is_closed and len(tour) > 1:
                yield (
                    f'<rect class="end" x="{x - size * 0.9:g}" y="{y - size * 0.9:g}" width="{size * 1.8:g}" '
                    f'height="{size * 1.8:g}" {look}>{told}</rect>\n'
                )

    def numbers(self, tour: Tour) -> Iterator[str]:
        """The number of each square, from 1."""
        cols = tour.board.cols
        yield self.texts("numbers", "number", len(str(len(tour))))
        for step, number in enumerate(scene.numbers_of(tour), 1):
            x, y = self.centre(*divmod(number, cols))
            yield f'<text class="number" x="{x:g}" y="{y:g}" dy=".35em">{step}</text>'
        yield "\n</g>\n"

    def marks(self, marked: Mapping[tuple[int, int], str]) -> Iterator[str]:
        """The marks of squares: texts, and dots."""
        for (row, col), mark in marked.items():
            if not mark:
                x, y = self.centre(row, col)
                yield f'<circle class="mark" cx="{x:g}" cy="{y:g}" r="{UNIT * 0.22:g}" fill="{self.colors["mark"]}"/>\n'
        texts = {square: mark for square, mark in marked.items() if mark}
        if texts:
            yield self.texts("marks", "number", max(map(len, texts.values())))
            for (row, col), mark in texts.items():
                x, y = self.centre(row, col)
                yield f'<text class="mark" x="{x:g}" y="{y:g}" dy=".35em">{clean(mark)}</text>'
            yield "\n</g>\n"

    def texts(self, name: str, color: str, length: int) -> str:
        """The beginning of a group of texts that fit into squares."""
        size = min(17, 1.6 * (UNIT - 4) / max(length, 1))
        return (
            f'<g class="{name}" fill="{self.colors[color]}" font-family="{FONT}" font-size="{size:.3g}" '
            'text-anchor="middle">\n'
        )
