"""SVG text in the making: the layers of a board's picture, and the document around them.

The colours stand as attributes, which any style sheet overrides; the classes are ``frame``, ``square`` with
``light`` or ``dark`` and the square's name, ``blocked``, ``edge`` and ``joined``, ``label``, ``path``, ``arrows``,
``number``, ``mark``, ``given``, ``start`` and ``end``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import chain, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from knightstour.drawing import scene
from knightstour.errors import RequestError

if TYPE_CHECKING:
    from knightstour._core import Board, Tour

#: Colours of squares that are neither light nor dark, by (row, col).
Tints: TypeAlias = Mapping[tuple[int, int], str]
NO_TINTS: Tints = MappingProxyType({})

#: Length of a square's side in the picture's own units.
UNIT = 40
#: Squares that are drawn: a million of them make some fifteen megabytes of text.
MOST_SQUARES = 1 << 22
#: Boards of up to this many squares have an element for each square.
MOST_ELEMENTS = 4096
#: Lines of the path have this width, in squares.
WIDTH = 0.075
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"


class Svg(str):
    """A picture as SVG text: a `str` that notebooks show, with a short `repr`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<SVG picture, {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


def rainbow_tints(tour: Tour) -> dict[tuple[int, int], str]:
    """The colour of each square by its step."""
    numbers, cols = scene.numbers_of(tour), tour.board.cols
    colors = scene.rainbow_steps(len(numbers))
    return {divmod(number, cols): color for number, color in zip(numbers, colors, strict=True)}


def document(body: Iterable[str], box: tuple[float, float], size: float | None, title: str, text: str) -> Svg:
    """A whole picture: its head with title and description, and its body."""
    fixed = ""
    if size is not None:
        scale = size / max(box)
        fixed = f' width="{short(box[0] * scale)}" height="{short(box[1] * scale)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {short(box[0])} {short(box[1])}"{fixed} role="img">\n'
        f"<title>{clean(title)}</title>\n<desc>{clean(text)}</desc>\n"
    )
    return Svg("".join(chain([head], body, ["</svg>\n"])))


def short(number: float) -> str:
    """A number as a picture has it: to a hundredth of a unit."""
    return f"{round(number, 2):.12g}"


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
        if board.rows * board.cols > MOST_SQUARES:
            raise RequestError(
                f"SVG pictures show boards of up to {MOST_SQUARES:,} squares, not of {board.rows}x{board.cols}; "
                "save a .png picture instead"
            )
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
                yield f'<text class="label" x="{short(x)}" y="{short(y)}">{rank + 1}</text>'
        for col in scene.labels(cols):
            x = self.centre(0, col)[0]
            for y in (middle, self.height - middle):
                yield f'<text class="label" x="{short(x)}" y="{short(y + 5)}">{scene.letters(col)}</text>'
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
            yield f'<circle class="dot" cx="{short(x)}" cy="{short(y)}" r="{short(UNIT * 0.3)}" fill="{tint}"/>'
        yield "\n</g>\n"

    def path(self, tour: Tour, *, arrows: bool) -> Iterator[str]:
        """The path, one line for each of its runs, and the arrowheads on it."""
        color, margin = self.colors["path"], self.margin
        lines = [] if tour.board.wrap is None and not arrows else self.lines(tour)
        yield (
            f'<g fill="none" stroke="{color}" stroke-width="{short(UNIT * WIDTH)}" stroke-linecap="round" '
            'stroke-linejoin="round">\n'
        )
        for line in lines:
            points = " ".join(f"{short(margin + x * UNIT)},{short(margin + y * UNIT)}" for x, y in line)
            yield f'<polyline class="path" points="{points}"/>\n'
        if not lines:
            yield f'<polyline class="path" points="{" ".join(self.stops(tour))}"/>\n'
        yield "</g>\n"
        if arrows:
            heads = filter(None, (scene.arrowhead(*pair) for line in lines for pair in pairwise(line)))
            shapes = (
                "M" + "L".join(f"{short(margin + x * UNIT)} {short(margin + y * UNIT)}" for x, y in head) + "z"
                for head in heads
            )
            yield f'<path class="arrows" fill="{color}" d="{"".join(shapes)}"/>\n'

    def lines(self, tour: Tour) -> list[scene.Run]:
        """The path as lines."""
        return scene.runs(tour.board, scene.numbers_of(tour), closed=tour.is_closed)

    def stops(self, tour: Tour) -> Iterator[str]:
        """The middles of a path's squares: enough for a path that does not run over joined edges."""
        numbers, cols = scene.numbers_of(tour), self.board.cols
        half = self.margin + UNIT // 2
        across = [str(half + col * UNIT) for col in range(cols)]
        down = [f",{half + row * UNIT}" for row in range(self.board.rows)]
        for number in chain(numbers, numbers[:1] if tour.is_closed else ()):
            yield across[number % cols] + down[number // cols]

    def ends(self, tour: Tour, *, numbered: bool) -> Iterator[str]:
        """Where the tour starts, a disc, and where an open one ends, a square: rings where there are numbers."""
        size = UNIT * (0.42 if numbered else 0.2)
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
                place = f'cx="{short(x)}" cy="{short(y)}" r="{short(size)}"'
                yield f'<circle class="start" {place} {look}>{told}</circle>\n'
            elif not tour.is_closed and len(tour) > 1:
                side = short(size * 1.8)
                place = f'x="{short(x - size * 0.9)}" y="{short(y - size * 0.9)}" width="{side}" height="{side}"'
                yield f'<rect class="end" {place} {look}>{told}</rect>\n'

    def numbers(self, tour: Tour) -> Iterator[str]:
        """The number of each square, from 1."""
        cols = tour.board.cols
        yield self.texts("numbers", "number", len(str(len(tour))))
        for step, number in enumerate(scene.numbers_of(tour), 1):
            x, y = self.centre(*divmod(number, cols))
            yield f'<text class="number" x="{short(x)}" y="{short(y)}" dy=".35em">{step}</text>'
        yield "\n</g>\n"

    def frames(self, squares: Iterable[tuple[int, int]]) -> Iterator[str]:
        """A frame in each of some squares."""
        for row, col in squares:
            x, y = self.corner(row, col)
            yield (
                f'<rect class="given" x="{x + 3}" y="{y + 3}" width="{UNIT - 6}" height="{UNIT - 6}" fill="none" '
                f'stroke="{self.colors["mark"]}" stroke-width="2"/>\n'
            )

    def marks(self, marked: Mapping[tuple[int, int], str]) -> Iterator[str]:
        """The marks of squares: texts, and dots."""
        for (row, col), mark in marked.items():
            if not mark:
                x, y = self.centre(row, col)
                look = f'r="{short(UNIT * 0.22)}" fill="{self.colors["mark"]}"'
                yield f'<circle class="mark" cx="{short(x)}" cy="{short(y)}" {look}/>\n'
        texts = {square: mark for square, mark in marked.items() if mark}
        if texts:
            yield self.texts("marks", "number", max(map(len, texts.values())))
            for (row, col), mark in texts.items():
                x, y = self.centre(row, col)
                yield f'<text class="mark" x="{short(x)}" y="{short(y)}" dy=".35em">{clean(mark)}</text>'
            yield "\n</g>\n"

    def texts(self, name: str, color: str, length: int) -> str:
        """The beginning of a group of texts that fit into squares."""
        size = min(17, 1.6 * (UNIT - 4) / max(length, 1))
        return (
            f'<g class="{name}" fill="{self.colors[color]}" font-family="{FONT}" font-size="{size:.3g}" '
            'text-anchor="middle">\n'
        )
