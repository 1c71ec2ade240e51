"""What a picture shows, whatever draws it: where the path runs, what is marked, in which colours.

Coordinates are in squares, from the board's top left corner: the square (row, col) has its centre at
x = col + 0.5, y = row + 0.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import sub
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from knightstour._core import Walk, _quote
from knightstour.errors import RequestError

if TYPE_CHECKING:
    from knightstour._core import Board, Tour
    from knightstour.paths import Path

Style: TypeAlias = Literal["path", "numbers", "arrows", "rainbow"]
Point: TypeAlias = tuple[float, float]
Run: TypeAlias = list[Point]

STYLES: tuple[str, ...] = get_args(Style)

#: The colours. Every mark stands out from both kinds of square by 3 to 1 and every text by 4.5 to 1, as the
#: Web Content Accessibility Guidelines ask; no two things differ by colour alone. The frame is opaque, so
#: that a page's own background, dark or light, changes none of this.
COLORS: dict[str, str] = {
    "light": "#f8f4ea",
    "dark": "#d9cdb6",
    "blocked": "#57534c",
    "frame": "#f1ebdd",
    "border": "#857a66",
    "label": "#4a453c",
    "path": "#0b4f8a",
    "start": "#b03a06",
    "end": "#b03a06",
    "number": "#1e2933",
    "mark": "#b03a06",
}

#: "rainbow": from the first step to the last. The lightness grows all the way, so that grey print and every
#: kind of colour vision show the order as well; the path on it is drawn in INK.
RAINBOW: tuple[tuple[int, int, int], ...] = (
    (179, 155, 201),
    (157, 180, 221),
    (143, 208, 207),
    (169, 226, 160),
    (246, 238, 139),
)
INK = "#1b1b2a"

#: The longest side that can be asked for, in pixels.
LONGEST = 1_000_000

#: A knight's head in a square of 40, and its eye.
KNIGHT = (
    "10.5,35 31,35 31,32.4 31.1,29.5 31.2,26.9 31.2,24.4 31.1,22 30.9,19.5 30.3,17 29.3,14.4 27.9,12.2 26.2,10.3 "
    "24.1,8.9 21.9,7.9 19.4,7.4 18.6,3.6 15.7,7.3 12.9,5.2 13,9.6 11.9,10.8 10.9,12.2 10,13.7 9.1,15.3 8.2,17.1 "
    "7.2,18.8 6.7,19.8 6.5,20.8 6.5,21.8 6.7,22.7 7.2,23.4 7.9,24 8.5,24.2 9.2,24.2 9.8,24 10.3,23.7 10.8,23.3 "
    "11.3,22.8 12.2,24.3 15,21.5 16.1,21.4 17.2,21.2 18.2,20.8 19,20.3 19.8,19.6 20.4,18.8 20.4,20.5 20.1,22.1 "
    "19.4,23.5 18.4,24.9 17.1,26.2 15.6,27.4 14.5,28.3 13.4,29.1 12.4,30 11.5,30.8 10.9,31.7 10.5,32.6"
)
EYE = (15.0, 13.5, 1.3)

#: Most labels along an edge; longer edges have every second, fifth, tenth, ... square labelled.
MOST_LABELS = 50


def palette(colors: Mapping[str, str] | None, style: str = "path") -> dict[str, str]:
    """All colours by name, with those that the caller chose."""
    found = dict(COLORS)
    if style == "rainbow":
        found["path"] = INK
    for name, color in read_mapping(colors):
        if not isinstance(name, str) or name not in COLORS:
            raise RequestError(f"colors has the names {', '.join(COLORS)}, not {_quote(name)}")
        if not isinstance(color, str) or not color.strip():
            raise RequestError(f"the colour of {name!r} must be text such as '#0b4f8a', not {_quote(color)}")
        found[name] = color
    return found


def read_mapping(colors: object) -> Iterable[tuple[object, object]]:
    """The items of a mapping, which may be missing."""
    if colors is None:
        return ()
    if not isinstance(colors, Mapping):
        raise RequestError(f"colors must map names to colours, not be {_quote(colors)}")
    return colors.items()


def check_style(style: object) -> str:
    """A style, or an error if there is no such style."""
    if style not in STYLES:
        raise RequestError(f"style must be one of {', '.join(STYLES)}, not {_quote(style)}")
    return str(style)


def check_number(name: str, value: Any, low: float, high: float, unit: str = "") -> float:
    """A number from a range."""
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high:
        unit = f" {unit}" if unit else ""
        raise RequestError(f"{name} must be a number from {low:,g} to {high:,g}{unit}, not {_quote(value)}")
    return number


def check_size(size: object) -> float | None:
    """A length in pixels, or None."""
    return None if size is None else check_number("size", size, 1, LONGEST, "pixels")


def check_title(title: object) -> str | None:
    """A title, or None."""
    if title is not None and not isinstance(title, str):
        raise RequestError(f"title must be text, not {_quote(title)}")
    return title


def rainbow(share: float) -> str:
    """The colour at a share of the way, 0 to 1."""
    at = share * (len(RAINBOW) - 1)
    low = min(int(at), len(RAINBOW) - 2)
    rest = at - low
    mixed = (round(a + (b - a) * rest) for a, b in zip(RAINBOW[low], RAINBOW[low + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def shades(length: int, most: int = 256) -> list[str]:
    """The colours of a number of steps, each once; if there are many, several steps share one."""
    count = min(length, most)
    return [rainbow(shade / max(count - 1, 1)) for shade in range(count)]


def rainbow_steps(length: int) -> list[str]:
    """The colour of each of a number of steps."""
    table = shades(length)
    return [table[step * len(table) // length] for step in range(length)]


def piece(board: Board) -> str:
    """What moves on the board, in the possessive: knight's, zebra's, (1,7)-leaper's."""
    names = {
        (0, 1): "wazir",
        (1, 1): "ferz",
        (0, 2): "dabbaba",
        (1, 2): "knight",
        (2, 2): "alfil",
        (1, 3): "camel",
        (2, 3): "zebra",
        (1, 4): "giraffe",
        (3, 4): "antelope",
    }
    a, b = board.leaper
    return names.get((a, b), f"({a},{b})-leaper") + "'s"


def kind(board: Board) -> str:
    """A short name of the board: 8x8 board, 5x5 torus with 2 blocked squares."""
    surface = {"both": "torus", None: "board"}.get(board.wrap, "cylinder")
    holes = board.rows * board.cols - len(board)
    blocked = f" with {holes} blocked square{'s' if holes > 1 else ''}" if holes else ""
    return f"{board.rows}x{board.cols} {surface}{blocked}"


def tour_title(tour: Tour) -> str:
    """A title for the picture of a tour."""
    return f"{'Closed' if tour.is_closed else 'Open'} {piece(tour.board)} tour of the {kind(tour.board)}"


def is_cycle(path: Walk | Path) -> bool:
    """Whether it is drawn as closed; a walk is not."""
    return not isinstance(path, Walk) and path.is_closed


def path_title(path: Walk | Path) -> str:
    """A title for the picture of a path: its length, and its board."""
    what = "cycle" if is_cycle(path) else "path"
    return f"{what} of {len(path):,} of the {len(path.board):,} squares of the {kind(path.board)}"


def tour_text(tour: Tour, most: int = 100) -> str:
    """What a picture of a tour shows, in words, with the names of up to ``most`` squares."""
    board = tour.board
    names = " ".join(board.name(square) for square in tour.squares[:most])
    more = f" and {len(tour) - most:,} more" if len(tour) > most else ""
    ends = f"starts at {board.name(tour.start)}"
    if not tour.is_closed:
        ends += f", ends at {board.name(tour.end)}"
    else:
        ends += " and returns there"
    return f"The tour {ends}. Its squares in order: {names}{more}."


def numbers_of(tour: Tour) -> memoryview[int]:
    """The square numbers, without a copy."""
    return memoryview(tour)


def blocked_rows(board: Board) -> list[tuple[int, int]]:
    """The blocked squares as pairs, in reading order."""
    if len(board) == board.rows * board.cols:
        return []
    return sorted((square.row, square.col) for square in board.blocked)


def letters(col: int) -> str:
    """The letters of a column."""
    name = ""
    while col >= 0:
        name = chr(ord("a") + col % 26) + name
        col = col // 26 - 1
    return name


def labels(count: int) -> range:
    """The lines that are labelled, counted from 0, of a number of lines."""
    steps = (times * 10**power for power in range(10) for times in (1, 2, 5))
    step = next(step for step in steps if count <= step * MOST_LABELS)
    return range(step - 1, count, step)


def runs(board: Board, numbers: Iterable[int], *, closed: bool) -> list[Run]:
    """The path as lines that can be drawn without lifting the pen: one, unless it runs over joined edges.

    A move over a joined edge ends one line on the edge that it leaves and begins another on the edge that it
    enters. A closed path ends where it began.
    """
    cols = board.cols
    path = list(numbers)
    if closed and path:
        path.append(path[0])
    across = [number % cols for number in path]
    centres = [(col + 0.5, number // cols + 0.5) for number, col in zip(path, across, strict=True)]
    if board.wrap is None or len(centres) < 2:
        return [centres]
    # Most moves run over no edge: the differences of numbers and columns show which.
    a, b = board.leaper
    legs = [(down, right) for x, y in ((a, b), (b, a)) for down in (x, -x) for right in (y, -y)]
    plain = {(down * cols + right, right) for down, right in legs}
    moves = zip(map(sub, path[1:], path), map(sub, across[1:], across), strict=False)
    over = [at for at, move in enumerate(moves) if move not in plain]
    lines: list[Run] = []
    line, begin = [], 0
    for at in over:
        line += centres[begin : at + 1]
        begin = at + 1
        first, *others = cut(board, centres[at], over_edges(board, centres[at], centres[begin]))
        lines += [[*line, first[1]], *map(list, others)]
        # The last part ends in the square's centre, but for rounding: it is where the next line goes on.
        line = lines.pop()[:-1]
    return [*lines, line + centres[begin:]]


def over_edges(board: Board, here: Point, there: Point) -> Point:
    """The leaper's move between two squares as (right, down), over as few joined edges as can be."""
    a, b = board.leaper
    rows, cols = board.rows, board.cols
    found = []
    for right, down in ((a, b), (b, a)):
        for x in {right, -right}:
            for y in {down, -down}:
                to = here[0] + x, here[1] + y
                ends = to[0] - there[0], to[1] - there[1]
                fits = (ends[0] % cols if board.wrap in {"cols", "both"} else ends[0]) == 0
                fits = fits and (ends[1] % rows if board.wrap in {"rows", "both"} else ends[1]) == 0
                if fits:
                    found.append((abs(to[0] // cols) + abs(to[1] // rows), x, y))
    crossings, x, y = min(found)
    if crossings > 4:
        # A leaper that runs round the board many times is drawn going round less than once each way.
        return math.fmod(x, cols), math.fmod(y, rows)
    return x, y


def cut(board: Board, start: Point, move: Point) -> list[tuple[Point, Point]]:
    """A move cut where it leaves the board, each part put where it enters again."""
    sides = board.cols, board.rows
    cuts = {0.0, 1.0}
    for at, way, side in zip(start, move, sides, strict=True):
        if way:
            low, high = sorted((at, at + way))
            cuts.update((k * side - at) / way for k in range(math.ceil(low / side), math.floor(high / side) + 1))
    parts = []
    for one, two in pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        if two - one > 1e-9:
            middle = [at + way * (one + two) / 2 for at, way in zip(start, move, strict=True)]
            off = [mid // side * side for mid, side in zip(middle, sides, strict=True)]
            ends = [(start[0] + move[0] * share - off[0], start[1] + move[1] * share - off[1]) for share in (one, two)]
            parts.append((ends[0], ends[1]))
    return parts


def arrowhead(one: Point, two: Point, length: float = 0.24) -> tuple[Point, Point, Point] | None:
    """A small triangle on a line, pointing along it: tip, left and right.

    It stands past the middle, where lines cross less often.
    """
    x, y = two[0] - one[0], two[1] - one[1]
    size = math.hypot(x, y)
    if size < 2 * length:
        return None
    x, y = x / size * length, y / size * length
    tip = one[0] + (two[0] - one[0]) * 0.68 + x / 2, one[1] + (two[1] - one[1]) * 0.68 + y / 2
    foot = tip[0] - x, tip[1] - y
    return tip, (foot[0] - y * 0.45, foot[1] + x * 0.45), (foot[0] + y * 0.45, foot[1] - x * 0.45)


def read_marks(board: Board, marks: Any) -> dict[tuple[int, int], str]:
    """The marks by square: a text, or nothing for a dot."""
    if marks is None:
        return {}
    if isinstance(marks, str) or not isinstance(marks, Iterable):
        raise RequestError(f"marks must be squares, or map squares to texts or numbers, not {_quote(marks)}")
    pairs = marks.items() if isinstance(marks, Mapping) else ((square, None) for square in marks)
    found = {}
    for at, mark in pairs:
        square = board.square(at)
        if mark is not None and (
            isinstance(mark, bool) or (not isinstance(mark, str) and not hasattr(mark, "__index__"))
        ):
            raise RequestError(f"the mark of {board.name(square)} must be text, a number or None, not {_quote(mark)}")
        found[square.row, square.col] = "" if mark is None else str(mark)
    return found
