"""Pictures of pixels: PNG and animated GIF, by Pillow, an extra."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from knightstour._core import _quote
from knightstour.drawing import scene
from knightstour.errors import RequestError
from knightstour.keywords import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from PIL import Image, ImageDraw

    from knightstour._core import Board, Tour
    from knightstour.drawing.scene import Style

#: Squares that are drawn at most: more would take minutes, and could not be seen.
MOST_SQUARES = 1 << 24
#: The longest side of a picture, in pixels.
LONGEST = 16_384
#: Pixels of a picture while it is painted, three bytes each: finer than the result as far as this allows.
MOST_PIXELS = 1 << 26
FINE_PIXELS = 20_000_000
#: A square's side in pixels where there is room, and the longest side that is chosen without being asked.
SQUARE = 60
DEFAULT_SIZE = 2000
#: Animations: frames and their pixels together, which Pillow holds in memory, one byte each.
MOST_FRAMES = 240
FRAME_PIXELS = 100_000_000
#: Moves that are drawn by one call, so that Ctrl-C works between calls.
CHUNK = 50_000


def pillow(what: str) -> Any:
    """The module `PIL.Image`, or a message that says how to get it."""
    try:
        from PIL import Image  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(f"{what} needs Pillow: pip install 'knightstour[image]'") from error
    return Image


class Layout(NamedTuple):
    """Where the board stands in the picture, in pixels of the result."""

    width: int
    height: int
    left: int
    top: int
    cell: int
    labelled: bool


def lay_out(board: Board, size: float | None, *, coordinates: bool, default: int) -> Layout:
    """The largest whole number of pixels per square that fits."""
    rows, cols = board.rows, board.cols
    longest = max(rows, cols)
    if rows * cols > MOST_SQUARES:
        raise RequestError(f"pictures of pixels show boards of up to {MOST_SQUARES:,} squares, not of {rows}x{cols}")
    if size is None:
        size = max(min(round(SQUARE * (longest + 1.4)), default), longest)
    whole = int(size)
    if whole < longest or whole > LONGEST:
        raise RequestError(
            f"size must be from {longest} (one pixel per square of the {rows}x{cols} board) to {LONGEST} pixels, "
            f"not {size:g}"
        )
    cell = int(whole / (longest + 1.4))
    labelled = coordinates and cell >= 14
    if not labelled:
        cell = whole // longest
    spare = whole - cell * longest
    width, height = cell * cols + spare, cell * rows + spare
    if width * height > MOST_PIXELS:
        raise RequestError(f"a picture of {width}x{height} pixels is too large; it has at most {MOST_PIXELS:,} pixels")
    return Layout(width, height, spare // 2, spare // 2, cell, labelled)


class Painting:
    """A picture in the making: painted ``fine`` times as large as it will be, then scaled down."""

    def __init__(self, board: Board, layout: Layout, colors: Mapping[str, str]) -> None:
        self.image_module = pillow("a picture of pixels")
        self.board, self.layout = board, layout
        pixels = layout.width * layout.height
        self.fine = next((fine for fine in (3, 2) if pixels * fine * fine <= FINE_PIXELS), 1)
        self.cell = layout.cell * self.fine
        self.left, self.top = layout.left * self.fine, layout.top * self.fine
        self.colors = {name: rgb(color) for name, color in colors.items()}
        size = layout.width * self.fine, layout.height * self.fine
        self.image: Image.Image = self.image_module.new("RGB", size, self.colors["frame"])
        self.draw = draw_on(self.image)

    def finished(self) -> Image.Image:
        """The picture in its own size."""
        return self.image.reduce(self.fine) if self.fine > 1 else self.image

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point in pixels."""
        return self.left + x * self.cell, self.top + y * self.cell

    def squares(self, tour: Tour | None, *, squares: bool, rainbow: bool) -> None:
        """The squares: a picture of one pixel each, made larger."""
        board = self.board
        rows, cols = board.rows, board.cols
        colors = self.colors
        light, dark = (bytes(colors[name]) if squares else bytes(colors["frame"]) for name in ("light", "dark"))
        lines = [(pair * (cols // 2 + 1))[: 3 * cols] for pair in (dark + light, light + dark)]
        pixels = bytearray().join(lines[(rows - 1 - row) % 2] for row in range(rows))
        if rainbow and tour is not None:
            shades = {color: bytes.fromhex(color[1:]) for color in scene.shades(len(tour))}
            for number, color in zip(scene.numbers_of(tour), scene.rainbow_steps(len(tour)), strict=True):
                pixels[3 * number : 3 * number + 3] = shades[color]
        blocked = bytes(colors["blocked"])
        for row, col in scene.blocked_rows(board):
            at = 3 * (row * cols + col)
            pixels[at : at + 3] = blocked
        small = self.image_module.frombytes("RGB", (cols, rows), bytes(pixels))
        size = cols * self.cell, rows * self.cell
        self.image.paste(small.resize(size, self.image_module.Resampling.NEAREST), (self.left, self.top))

    def edges(self) -> None:
        """The board's edges, dashed where they are joined."""
        if self.layout.cell < 6:
            return
        wrap, (cols, rows) = self.board.wrap, (self.board.cols, self.board.rows)
        thin = max(round(self.cell * 0.04), 1)
        for joined, ends in (
            (wrap in {"rows", "both"}, [((0, at), (cols, at)) for at in (0, rows)]),
            (wrap in {"cols", "both"}, [((at, 0), (at, rows)) for at in (0, cols)]),
        ):
            for one, two in ends:
                dashes = 3 * max(cols, rows) if joined else 1
                for dash in range(dashes):
                    low, high = dash / dashes, (dash + 0.6) / dashes if joined else 1
                    line = [
                        self.point(*(a + (b - a) * share for a, b in zip(one, two, strict=True)))
                        for share in (low, high)
                    ]
                    self.draw.line(line, fill=self.colors["border"], width=thin * (2 if joined else 1))

    def labels(self) -> None:
        """The names of columns and rows."""
        if not self.layout.labelled:
            return
        rows, cols = self.board.rows, self.board.cols
        font = self.font(min(self.left * 0.55, self.cell * 0.4))
        for rank in scene.labels(rows):
            y = self.point(0, rows - rank - 0.5)[1]
            for x in (self.left / 2, self.image.width - self.left / 2):
                self.draw.text((x, y), str(rank + 1), self.colors["label"], font, anchor="mm")
        for col in scene.labels(cols):
            x = self.point(col + 0.5, 0)[0]
            for y in (self.top / 2, self.image.height - self.top / 2):
                self.draw.text((x, y), scene.letters(col), self.colors["label"], font, anchor="mm")

    def font(self, size: float) -> Any:
        """Pillow's own font."""
        from PIL import ImageFont  # noqa: PLC0415

        return ImageFont.load_default(size)

    def line(self, points: list[tuple[float, float]]) -> None:
        """A part of the path, with round ends and turns where that is seen."""
        width, color = max(round(self.cell * 0.075), 1), self.colors["path"]
        self.draw.line(points, fill=color, width=width)
        if width > 2:
            half = width / 2 - 0.5
            for x, y in points:
                self.draw.ellipse((x - half, y - half, x + half, y + half), fill=color)

    def lines(self, runs: list[scene.Run]) -> None:
        """The path."""
        left, top, cell = self.left, self.top, self.cell
        for run in runs:
            for first in range(0, max(len(run) - 1, 1), CHUNK):
                self.line([(left + x * cell, top + y * cell) for x, y in run[first : first + CHUNK + 1]])

    def whole_path(self, tour: Tour) -> None:
        """The path of a tour, in pieces."""
        board, numbers = self.board, scene.numbers_of(tour)
        if board.wrap is not None:
            self.lines(scene.runs(board, numbers, closed=tour.is_closed))
            return
        # Nothing but the points: boards are large here.
        across = [self.point(col + 0.5, 0)[0] for col in range(board.cols)]
        down = [self.point(0, row + 0.5)[1] for row in range(board.rows)]
        cols = board.cols
        for first in range(0, len(numbers), CHUNK):
            part = numbers[first : first + CHUNK + 1].tolist()
            if tour.is_closed and first + CHUNK >= len(numbers):
                part.append(numbers[0])
            self.line([(across[number % cols], down[number // cols]) for number in part])

    def arrows(self, runs: list[scene.Run]) -> None:
        """The arrowheads."""
        for run in runs:
            for pair in pairwise(run):
                head = scene.arrowhead(*pair)
                if head:
                    self.draw.polygon([self.point(*at) for at in head], fill=self.colors["path"])

    def disc(self, square: tuple[int, int], color: str, radius: float, *, boxed: bool = False) -> None:
        """A disc, or a square, in the middle of a square."""
        x, y = self.point(square[1] + 0.5, square[0] + 0.5)
        size = max(radius * self.cell, self.fine)
        box = (x - size, y - size, x + size, y + size)
        shape = self.draw.rectangle if boxed else self.draw.ellipse
        shape(box, fill=self.colors[color], outline=self.colors["light"], width=max(round(self.cell * 0.04), 1))

    def knight(self, square: tuple[int, int]) -> None:
        """A knight; where squares are small, a disc."""
        if self.layout.cell < 16 or self.board.leaper != (1, 2):
            self.disc(square, "number", max(0.3, 3 / self.layout.cell))
            return
        left, top = self.point(*reversed(square))

        def at(x: float, y: float) -> tuple[float, float]:
            return left + x / 40 * self.cell, top + y / 40 * self.cell

        outline = [at(*map(float, point.split(","))) for point in scene.KNIGHT.split()]
        light = self.colors["light"]
        self.draw.polygon(outline, fill=self.colors["number"], outline=light, width=max(round(self.cell * 0.04), 1))
        x, y, size = scene.EYE
        self.draw.ellipse((*at(x - size, y - size), *at(x + size, y + size)), fill=light)

    def ring(self, square: tuple[int, int], color: str, *, boxed: bool = False) -> None:
        """A ring, or a frame, around the content of a square."""
        x, y = self.point(square[1] + 0.5, square[0] + 0.5)
        size = 0.42 * self.cell
        shape = self.draw.rectangle if boxed else self.draw.ellipse
        shape((x - size, y - size, x + size, y + size), outline=self.colors[color], width=max(self.cell // 16, 1))

    def numbers(self, numbered: Iterable[tuple[int, int]], most: int) -> None:
        """Numbers, up to ``most``, each with the number of its square before it."""
        if self.layout.cell < 8:
            raise RequestError(
                f"numbers need squares of at least 8 pixels; these have {self.layout.cell}: give a larger size"
            )
        font = self.font(min(0.42, 1.5 / len(str(most))) * self.cell)
        cols = self.board.cols
        for square, number in numbered:
            at = self.point(square % cols + 0.5, square // cols + 0.5)
            self.draw.text(at, str(number), self.colors["number"], font, anchor="mm")


def draw_on(image: Image.Image) -> ImageDraw.ImageDraw:
    """What draws on a picture."""
    from PIL import ImageDraw  # noqa: PLC0415

    return ImageDraw.Draw(image)


def rgb(color: str) -> tuple[int, int, int]:
    """A colour as red, green and blue."""
    from PIL import ImageColor  # noqa: PLC0415

    try:
        red, green, blue = ImageColor.getrgb(color)[:3]
    except ValueError as error:
        raise RequestError(f"{_quote(color)} is not a colour that PNG and GIF pictures can use") from error
    return red, green, blue


@named("Tour.save")
def tour_png(
    tour: Tour,
    *,
    size: float | None = None,
    style: Style = "path",
    coordinates: bool = True,
    squares: bool = True,
    start_end: bool = True,
    colors: Mapping[str, str] | None = None,
) -> bytes:
    """A tour as a PNG picture; ``size`` is the longer side in pixels."""
    scene.check_style(style)
    scene.check_size(size)
    pillow("a .png picture")
    board = tour.board
    layout = lay_out(board, size, coordinates=coordinates, default=DEFAULT_SIZE)
    painting = Painting(board, layout, scene.palette(colors, style))
    painting.squares(tour, squares=squares, rainbow=style == "rainbow")
    painting.edges()
    painting.labels()
    if style != "numbers":
        painting.whole_path(tour)
    if style == "arrows":
        painting.arrows(scene.runs(board, scene.numbers_of(tour), closed=tour.is_closed))
    if start_end:
        ends = [("start", tour.start, False), ("end", tour.end, True)]
        for name, square, boxed in ends[: 1 if tour.is_closed or len(tour) == 1 else 2]:
            if style == "numbers":
                painting.ring(square, name, boxed=boxed)
            else:
                painting.disc(square, name, 0.2, boxed=boxed)
    if style == "numbers":
        painting.numbers(((square, step) for step, square in enumerate(scene.numbers_of(tour), 1)), len(tour))
    return encoded(painting.finished())


def bare(board: Board, size: float | None, *, coordinates: bool, colors: Mapping[str, str]) -> Painting:
    """A board without a tour; ``size`` is the longer side in pixels."""
    scene.check_size(size)
    pillow("a .png picture")
    painting = Painting(board, lay_out(board, size, coordinates=coordinates, default=DEFAULT_SIZE), colors)
    painting.squares(None, squares=True, rainbow=False)
    painting.edges()
    painting.labels()
    return painting


def encoded(image: Image.Image) -> bytes:
    """A picture as PNG bytes."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=6 if image.width * image.height < 1_000_000 else 2)
    return file.getvalue()


@named("Tour.save")
def tour_gif(
    tour: Tour,
    *,
    size: float | None = None,
    seconds: float | None = None,
    coordinates: bool = True,
    colors: Mapping[str, str] | None = None,
) -> bytes:
    """A tour as an animated GIF picture, which repeats; ``size`` is the longer side in pixels.

    Long tours make several moves a frame. The animation lasts ``seconds``, by default up to 24.
    """
    scene.check_size(size)
    if seconds is not None:
        scene.check_number("seconds", seconds, 0.1, 600)
    image_module = pillow("a .gif picture")
    layout = lay_out(tour.board, size, coordinates=coordinates, default=480)
    moves = len(tour) - (not tour.is_closed)
    count = max(min(MOST_FRAMES, moves, FRAME_PIXELS // (layout.width * layout.height)), 1)
    stops = sorted({moves * frame // count for frame in range(count + 1)})
    few = image_module.new("P", (1, 1))
    few.putpalette(mixed_colors(scene.palette(colors)))
    pace = round(1000 * seconds / len(stops)) if seconds else min(max(24_000 // len(stops), 40), 400)
    # Viewers slow frames of less than two hundredths of a second down.
    times = [max(pace, 20)] * (len(stops) - 1) + [max(pace, 2000)]
    rest = (
        picture.quantize(palette=few, dither=image_module.Dither.NONE)
        for picture in frames(tour, layout, colors, stops)
    )
    file = BytesIO()
    next(rest).save(file, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return file.getvalue()


def mixed_colors(colors: Mapping[str, str]) -> bytes:
    """The colours of an animation: each, and each mark fading into what it stands on."""
    found = {name: rgb(color) for name, color in colors.items()}
    mixed = list(found.values())
    for mark in ("path", "start", "number", "border", "label", "light", "blocked"):
        for ground in ("light", "dark", "frame", "path", "start", "blocked"):
            pairs = list(zip(found[mark], found[ground], strict=True))
            for part in (1, 2, 3):
                red, green, blue = ((a * part + b * (4 - part)) // 4 for a, b in pairs)
                mixed.append((red, green, blue))
    # In the order of their making, each once: a palette has 256 places.
    return b"".join(map(bytes, list(dict.fromkeys(mixed))[:256]))


def frames(tour: Tour, layout: Layout, colors: Mapping[str, str] | None, stops: list[int]) -> Iterator[Image.Image]:
    """The picture after each of these numbers of moves."""
    board, numbers = tour.board, scene.numbers_of(tour)
    painting = Painting(board, layout, scene.palette(colors))
    painting.squares(None, squares=True, rainbow=False)
    painting.edges()
    painting.labels()
    made = 0
    for stop in stops:
        part = [numbers[move % len(numbers)] for move in range(made, stop + 1)]
        made = stop
        painting.lines(scene.runs(board, part, closed=False))
        painting.disc(tour.start, "start", 0.2)
        clean = painting.image.copy()
        row, col = divmod(part[-1], board.cols)
        painting.knight((row, col))
        yield painting.finished()
        painting.image = clean
        painting.draw = draw_on(clean)
