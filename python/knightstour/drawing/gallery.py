"""A small web page of tours of many boards: pictures, each with a page that plays its tour."""

from __future__ import annotations

from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from knightstour._core import Board
from knightstour.drawing import scene
from knightstour.drawing.html import tour_html
from knightstour.drawing.svg import svg_grid, tour_svg
from knightstour.results import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knightstour._core import Tour
    from knightstour.drawing.scene import Style
    from knightstour.options import FindMethod

HEART = """
##..####..##
#....##....#
............
............
............
............
#..........#
##........##
###......###
####....####
#####..#####
"""


class Piece(NamedTuple):
    """A picture of the gallery: its title, a sentence about it, and the tour to look for."""

    room: str
    title: str
    text: str
    board: Board
    options: dict[str, Any] = {}  # noqa: RUF012 - nothing changes it
    style: Style = "path"
    method: FindMethod = "auto"
    symmetry: str | None = None


def shape(side: int, keep: Callable[[int, int], bool]) -> Board:
    """A square board without some of its squares: ``keep`` is given twice the way from the middle."""
    at = range(1 - side, side, 2)
    return Board(side, blocked=[(r, c) for r, y in enumerate(at) for c, x in enumerate(at) if not keep(y, x)])


def pieces() -> list[Piece]:
    """What the gallery shows, room by room."""
    closed: dict[str, Any] = {"closed": True}
    camel = [(row, col) for row in range(10) for col in range(10) if (row + col) % 2]
    return [
        Piece("Squares", "5x5", "The smallest square with a tour. It has 1728.", Board(5), {"start": "a1"}, "arrows"),
        Piece("Squares", "6x6, closed", "The smallest square with a closed tour. It has 9862.", Board(6), closed),
        Piece("Squares", "8x8, closed", "The chessboard: 13,267,364,410,532 closed tours.", Board(8), closed),
        Piece("Squares", "8x8, numbered", "The same board, from corner a1.", Board(8), {"start": "a1"}, "numbers"),
        Piece("Squares", "16x16", "Colours show the order, from violet to yellow.", Board(16), closed, "rainbow"),
        Piece("Squares", "30x30", "Put together from small blocks, in linear time.", Board(30), closed),
        Piece("Strips", "3x10, closed", "The shortest strip of three rows with a closed tour.", Board(3, 10), closed),
        Piece("Strips", "4x20", "Four rows have open tours, but no closed one.", Board(4, 20)),
        Piece("Strips", "3x26, closed", "Colours show the order.", Board(3, 26), closed, "rainbow"),
        Piece("Holes", "Four squares left out", "", Board(8, blocked=["d4", "d5", "e4", "e5"]), closed),
        Piece("Holes", "A frame", "", shape(10, lambda y, x: max(abs(x), abs(y)) > 3), closed),
        Piece("Holes", "A disc", "", shape(12, lambda y, x: x * x + y * y <= 150), closed),
        Piece("Holes", "A cross", "", shape(12, lambda y, x: min(abs(x), abs(y)) <= 3), closed),
        Piece("Holes", "A diamond", "", shape(14, lambda y, x: abs(x) + abs(y) <= 14), closed),
        Piece("Holes", "A ring", "", shape(14, lambda y, x: 30 < x * x + y * y <= 200), closed),
        Piece("Holes", "A heart", "", Board.parse(HEART), closed, "rainbow"),
        Piece("Joined edges", "A cylinder", "Left and right meet.", Board(4, 9, wrap="cols"), closed),
        Piece("Joined edges", "A torus", "Left and right meet, top and bottom too.", Board(5, wrap="both"), closed),
        Piece(
            "Joined edges",
            "A 3x3 torus",
            "A small one: most moves go over an edge.",
            Board(3, wrap="both"),
            closed,
            "arrows",
        ),
        Piece(
            "Other leapers",
            "Zebra",
            "It moves two squares one way and three the other.",
            Board(10, leaper=(2, 3)),
            closed,
        ),
        Piece(
            "Other leapers",
            "Giraffe",
            "It moves one square one way and four the other.",
            Board(10, leaper=(1, 4)),
            closed,
        ),
        Piece(
            "Other leapers",
            "Camel",
            "It moves one square one way and three the other, always on the same colour.",
            Board(10, blocked=camel, leaper=(1, 3)),
            closed,
        ),
        Piece("Other leapers", "Wazir", "It steps to the next square.", Board(8, leaper=(0, 1)), closed),
        Piece("Few turns", "16x16, tidy", "Long straight runs.", Board(16), closed, method="tidy"),
        Piece("Few turns", "30x30, tidy", "Long straight runs.", Board(30), closed, method="tidy"),
        Piece("Symmetric", "A half-turn", "It looks the same upside down.", Board(8), closed, symmetry="half-turn"),
        Piece(
            "Symmetric",
            "A quarter-turn",
            "Squares of side 6, 10, 14, ... have such tours.",
            Board(6),
            closed,
            symmetry="quarter-turn",
        ),
        Piece("Symmetric", "A quarter-turn of 10x10", "", Board(10), closed, symmetry="quarter-turn"),
        Piece(
            "Symmetric", "A mirror", "The upper half mirrors the lower.", Board(6, 7), closed, symmetry="flip-vertical"
        ),
    ]


def hang(
    folder: Path, *, time_limit: float | None, progress: Callable[[int, int, str], object] | None = None
) -> tuple[list[Path], list[str]]:
    """Write the gallery into a folder. The files, ``index.html`` first, and the titles of what was not found."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pieces()
    files, missing = [], []
    rooms: dict[str, list[str]] = {}
    for number, piece in enumerate(wanted):
        if progress is not None:
            progress(number, len(wanted), piece.title)
        tour = find(piece, time_limit)
        if tour is None:
            missing.append(piece.title)
            continue
        name = f"{number + 1:02d}-{slug(piece.title)}"
        title = f"{piece.title}: {scene.tour_title(tour)}"
        picture = tour_svg(
            tour, style=piece.style, coordinates=max(tour.board.rows, tour.board.cols) <= 12, title=title
        )
        for file, text in ((f"{name}.svg", picture), (f"{name}.html", tour_html(tour, title=title))):
            (folder / file).write_text(text, encoding="utf-8")
            files.append(folder / file)
        rooms.setdefault(piece.room, []).append(card(piece, tour, name))
    sheet = svg_grid(islice(Board(5).tours(start="a1"), 304), columns=19, title="The 304 tours of 5x5 from a corner")
    (folder / "sheet.svg").write_text(sheet, encoding="utf-8")
    files.append(folder / "sheet.svg")
    index = folder / "index.html"
    page = Path(__file__).with_name("gallery.html").read_text(encoding="utf-8")
    index.write_text(page.replace("@ROOMS@", "".join(halls(rooms))), encoding="utf-8")
    return [index, *files], missing


def find(piece: Piece, time_limit: float | None) -> Tour | None:
    """The tour of a piece, if there is one in the time."""
    tours = piece.board.tours(**piece.options)
    if piece.symmetry is not None:
        tours = tours.symmetric(piece.symmetry)
    found = tours.find(method=piece.method, time_limit=time_limit)
    return found.tour if isinstance(found, Found) else None


def slug(title: str) -> str:
    """A title as a part of a file's name."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title.lower()).split())


def card(piece: Piece, tour: Tour, name: str) -> str:
    """A picture with its title, which leads to the page that plays it."""
    told = escape(" ".join(part for part in (scene.tour_title(tour) + ".", piece.text) if part))
    wide = " wide" if tour.board.cols >= 2 * tour.board.rows else ""
    return (
        f'<figure class="card{wide}"><a href="{name}.html"><img src="{name}.svg" alt="" loading="lazy"></a>'
        f'<figcaption><a href="{name}.html">{escape(piece.title)}</a><p>{told}</p></figcaption></figure>\n'
    )


def halls(rooms: dict[str, list[str]]) -> Iterator[str]:
    """The rooms, each with its pictures."""
    for room, cards in rooms.items():
        yield f'<section><h2>{escape(room)}</h2><div class="wall">\n{"".join(cards)}</div></section>\n'
    yield (
        '<section><h2>All of them</h2><figure class="card sheet"><a href="sheet.svg">'
        '<img src="sheet.svg" alt="" loading="lazy"></a><figcaption><a href="sheet.svg">5x5 from a corner</a>'
        "<p>All 304 tours that start at a1.</p></figcaption></figure></section>\n"
    )
