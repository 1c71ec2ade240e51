"""Pictures as SVG: well-formed, with what the tour has, drawn where it is, readable by everyone, harmless."""

import itertools
import math
import re
from io import BytesIO
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import resvg_py
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageColor

import boards
import knightstour as kt
from knightstour.drawing import scene
from knightstour.drawing.canvas import UNIT
from knightstour.drawing.notebook import SAMPLE

SVG = "{http://www.w3.org/2000/svg}"
OPEN = kt.solve(8, start="a1")
CLOSED = kt.solve(6, closed=True)
TORUS = kt.solve(kt.Board(5, 6, blocked=["c3"], wrap="both"))
STYLES: list[Any] = ["path", "numbers", "arrows", "rainbow"]


def parsed(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert re.fullmatch(r"0 0 [\d.]+ [\d.]+", root.attrib["viewBox"])
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    return root


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def polylines(root: ET.Element) -> list[list[tuple[float, float]]]:
    found = []
    for element in of_class(root, "path"):
        assert element.tag == f"{SVG}polyline"
        pairs = (point.split(",") for point in element.attrib["points"].split())
        found.append([(float(x), float(y)) for x, y in pairs])
    return found


def margin(root: ET.Element, board: kt.Board) -> float:
    return (float(root.attrib["viewBox"].split()[2]) - board.cols * UNIT) / 2


def middle(root: ET.Element, board: kt.Board, square: tuple[int, int]) -> tuple[float, float]:
    edge = margin(root, board)
    return edge + (square[1] + 0.5) * UNIT, edge + (square[0] + 0.5) * UNIT


def pixels(svg: str, width: int) -> Image.Image:
    return Image.open(BytesIO(resvg_py.svg_to_bytes(svg_string=svg, width=width))).convert("RGB")


# --- what is drawn


@pytest.mark.parametrize("tour", [OPEN, CLOSED], ids=["open", "closed"])
@pytest.mark.parametrize("style", ["path", "arrows", "rainbow"])
def test_the_path_is_one_polyline_through_the_squares(tour: kt.Tour, style: Any) -> None:
    root = parsed(tour.svg(style=style))
    (line,) = polylines(root)
    squares = [*tour, tour.start] if tour.is_closed else list(tour)
    assert line == [middle(root, tour.board, square) for square in squares]


def test_every_square_is_an_element_with_its_name() -> None:
    board = kt.Board(4, 5, blocked=["b2", "e4"])
    tour = kt.solve(board)
    root = parsed(tour.svg())
    squares = of_class(root, "square")
    assert len(squares) == 20
    assert len(of_class(root, "light")) == len(of_class(root, "dark")) == 10
    assert {element.attrib["class"].split()[2] for element in squares} == {
        f"{col}{row}" for col in "abcde" for row in range(1, 5)
    }
    # a1 is dark, as on a chessboard.
    assert of_class(root, "a1")[0].attrib["class"] == "square dark a1"
    assert {element.attrib["class"] for element in of_class(root, "blocked")} == {"blocked b2", "blocked e4"}


def test_options_leave_things_out() -> None:
    whole, bare = parsed(OPEN.svg()), parsed(OPEN.svg(coordinates=False, squares=False, start_end=False))
    for name, many in {"square": 64, "label": 32, "start": 1, "end": 1, "path": 1}.items():
        assert len(of_class(whole, name)) == many
        assert len(of_class(bare, name)) == (many if name == "path" else 0)
    assert len(of_class(parsed(CLOSED.svg()), "end")) == 0
    assert len(of_class(parsed(OPEN.svg(style="rainbow", squares=False)), "dot")) == 64
    assert len(of_class(parsed(TORUS.svg(squares=False)), "blocked")) == 1


def test_numbers() -> None:
    root = parsed(OPEN.svg(style="numbers"))
    texts = {
        element.text: (float(element.attrib["x"]), float(element.attrib["y"])) for element in of_class(root, "number")
    }
    assert texts == {str(step): middle(root, OPEN.board, square) for step, square in enumerate(OPEN, 1)}
    assert not of_class(root, "path")


def test_arrows() -> None:
    (heads,) = of_class(parsed(OPEN.svg(style="arrows")), "arrows")
    assert heads.attrib["d"].count("M") == 63
    (heads,) = of_class(parsed(CLOSED.svg(style="arrows")), "arrows")
    assert heads.attrib["d"].count("M") == 36


def test_rainbow_colours_follow_the_steps() -> None:
    root = parsed(OPEN.svg(style="rainbow"))
    fills = [of_class(root, OPEN.board.name(square))[0].attrib["fill"] for square in OPEN]
    assert len(set(fills)) == 64
    light = [luminance(fill) for fill in fills]
    assert light == sorted(light)


def test_size() -> None:
    assert "width" not in parsed(OPEN.svg()).attrib
    root = parsed(OPEN.svg(size=400))
    assert (root.attrib["width"], root.attrib["height"]) == ("400", "400")
    root = parsed(kt.solve(3, 10).svg(size=400))
    assert root.attrib["width"] == "400"
    assert float(root.attrib["height"]) < 200


def test_numbers_of_numpy() -> None:
    assert OPEN.svg(size=np.int64(400)) == OPEN.svg(size=np.float32(400)) == OPEN.svg(size=400)  # type: ignore[arg-type,unused-ignore]
    marks: dict[Any, Any] = {"a1": np.int8(5), "b1": kt.Board(5).tours().count()}
    assert [element.text for element in of_class(parsed(kt.Board(3).svg(marks=marks)), "mark")] == ["5", "1728"]


def test_it_is_text_that_notebooks_show() -> None:
    svg = OPEN.svg()
    assert isinstance(svg, str)
    assert svg._repr_svg_() == svg == str(svg)
    assert len(repr(svg)) < 100
    assert "Open knight's tour of the 8x8 board" in svg
    assert svg == OPEN.svg()


def test_description_for_screen_readers() -> None:
    root = parsed(CLOSED.svg())
    assert root.attrib["role"] == "img"
    assert root[0].text == "Closed knight's tour of the 6x6 board"
    text = root[1].text or ""
    assert " ".join(CLOSED.names()) in text
    assert "returns" in text
    assert parsed(TORUS.svg())[0].text == "Open knight's tour of the 5x6 torus with 1 blocked square"
    zebra = kt.solve(kt.Board(10, leaper=(2, 3)), closed=True)
    assert parsed(zebra.svg())[0].text == "Closed zebra's tour of the 10x10 board"
    assert len(parsed(kt.solve(30).svg())[1].text or "") < 800


# --- moves over joined edges


def unrolled(board: kt.Board, lines: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """The moves of a path, put together again from the parts that they were cut into."""
    wide, high = board.cols, board.rows
    moves: list[tuple[float, float]] = []
    here = lines[0][0]
    right = down = 0.0
    for number, line in enumerate(lines):
        if number:
            # It went on where the last line left the board, on the opposite edge or the same point again.
            x, y = line[0][0] - here[0], line[0][1] - here[1]
            assert math.isclose(x / wide, round(x / wide), abs_tol=1e-6)
            assert math.isclose(y / high, round(y / high), abs_tol=1e-6)
            assert x or y
            here = line[0]
        for point in line[1:]:
            right, down = right + point[0] - here[0], down + point[1] - here[1]
            here = point
            if point[0] % 1 == point[1] % 1 == 0.5:
                moves.append((round(right, 6), round(down, 6)))
                right = down = 0.0
    assert (right, down) == (0, 0)
    return moves


@given(st.sampled_from(boards.pool()))
def test_every_move_is_the_leapers(tour: kt.Tour) -> None:
    board = tour.board
    lines = scene.runs(board, scene.numbers_of(tour), closed=tour.is_closed)
    if board.wrap is None:
        assert len(lines) == 1
    for line in lines:
        assert all(0 <= x <= board.cols and 0 <= y <= board.rows for x, y in line)
    moves = unrolled(board, lines)
    assert len(moves) == len(tour) - (not tour.is_closed)
    a, b = board.leaper
    assert {tuple(sorted(map(abs, move))) for move in moves} <= {(a, b)}
    squares = [*tour, tour.start]
    for (one, two), (right, down) in zip(pairwise(squares), moves, strict=False):
        assert (one.row + down) % board.rows == two.row
        assert (one.col + right) % board.cols == two.col
        if not (one.row + down == two.row and one.col + right == two.col):
            # It crossed an edge only because no move on the board leads there.
            assert tuple(sorted((abs(two.row - one.row), abs(two.col - one.col)))) != (a, b)


def test_a_knight_leaves_one_edge_and_enters_the_other() -> None:
    # From a2 over the left edge: down one, left two, so across the edge a quarter of the way along.
    board = kt.Board(3, 4, wrap="cols")
    lines = scene.runs(board, [4, 10], closed=False)
    assert lines == [[(0.5, 1.5), (2.5, 2.5)]]
    board = kt.Board(3, 5, wrap="cols")
    assert scene.runs(board, [5, 13], closed=False) == [[(0.5, 1.5), (0.0, 1.75)], [(5.0, 1.75), (3.5, 2.5)]]
    board = kt.Board(5, 5, wrap="both")
    assert scene.runs(board, [0, 23], closed=False) == [
        [(0.5, 0.5), (0.0, 0.25)],
        [(5.0, 0.25), (4.5, 0.0)],
        [(4.5, 5.0), (3.5, 4.5)],
    ]


def test_a_leaper_that_runs_far_round_the_board() -> None:
    board = kt.Board(5, leaper=(1, 2**31 - 2), wrap="both")
    tour = board.tours().find(time_limit=5)
    assert isinstance(tour, kt.Found)
    root = parsed(tour.tour.svg())
    assert len(polylines(root)) <= 3 * 25


def test_torus_pictures() -> None:
    root = parsed(TORUS.svg())
    lines = polylines(root)
    assert len(lines) > 1
    edge = margin(root, TORUS.board)
    wide, high = edge + 6 * UNIT, edge + 5 * UNIT
    for one, two in pairwise(lines):
        for x, y in (one[-1], two[0]):
            assert x in {edge, wide} or y in {edge, high}
    assert len(of_class(root, "joined")) == 2
    assert len(of_class(parsed(kt.solve(kt.Board(5, wrap="cols")).svg()), "joined")) == 1
    assert not of_class(parsed(OPEN.svg()), "joined")


# --- pixels


def test_rendered_pixels() -> None:
    scale = 3
    tour = kt.solve(kt.Board(5, 6, blocked=["a5", "f5"]), start="a1")
    svg = tour.svg()
    root = parsed(svg)
    wide = float(root.attrib["viewBox"].split()[2])
    image = pixels(svg, round(wide * scale))

    def at(x: float, y: float) -> Any:
        return image.getpixel((round(x * scale), round(y * scale)))

    colors = {name: ImageColor.getrgb(color) for name, color in scene.COLORS.items()}
    for row, col in itertools.product(range(5), range(6)):
        x, y = middle(root, tour.board, (row, col))
        # Near a corner, where no line of a knight's path comes by.
        shade = "dark" if (4 - row + col) % 2 == 0 else "light"
        shade = "blocked" if (row, col) in tour.board.blocked else shade
        assert at(x - UNIT * 0.46, y - UNIT * 0.46) == colors[shade]
    ends = {tour.start: "start", tour.end: "end"}
    for square in tour:
        assert at(*middle(root, tour.board, square)) == colors[ends.get(square, "path")]
    for one, two in pairwise(tour):
        (x1, y1), (x2, y2) = middle(root, tour.board, one), middle(root, tour.board, two)
        assert at((x1 + x2) / 2, (y1 + y2) / 2) == colors["path"]
    assert at(4, 30) == colors["frame"]


def test_compact_squares_look_the_same() -> None:
    board = kt.Board(7, 6, blocked=["c3"])
    detailed = pixels(board.svg(coordinates=False), 512).convert("L")
    sheet = kt.svg_grid([board], coordinates=False)
    inner = pixels(re.sub(r'viewBox="[^"]*"', 'viewBox="20 20 256 296"', sheet, count=1), 512).convert("L")
    assert detailed.size == inner.size
    # Along the squares' sides the two may be smoothed in different ways.
    for row, col in itertools.product(range(7), range(6)):
        at = (round((8 + (col + 0.5) * UNIT) * 2), round((8 + (row + 0.5) * UNIT) * 2))
        assert detailed.getpixel(at) == inner.getpixel(at)


def test_large_boards_have_few_elements() -> None:
    svg = kt.solve(100).svg()
    root = parsed(svg)
    assert len(of_class(root, "square")) == 2
    (line,) = polylines(root)
    assert len(line) == 10_000
    assert len(svg) < 16 * 10_000
    assert len(of_class(root, "label")) <= 4 * scene.MOST_LABELS
    image = pixels(kt.Board(100).svg(coordinates=False), 1004)
    light, dark = (ImageColor.getrgb(scene.COLORS[name]) for name in ("light", "dark"))
    for row, col in itertools.product((0, 1, 50, 99), (0, 1, 50, 99)):
        assert image.getpixel((2 + col * 10 + 5, 2 + row * 10 + 5)) == (dark if (99 - row + col) % 2 == 0 else light)


def test_a_long_strip_is_drawn_to_the_square() -> None:
    tour = kt.solve(3, 40_000)
    root = parsed(tour.svg())
    (line,) = polylines(root)
    assert line == [middle(root, tour.board, square) for square in tour]
    (end,) = of_class(root, "end")
    x, y = middle(root, tour.board, tour.end)
    assert float(end.attrib["x"]) + float(end.attrib["width"]) / 2 == pytest.approx(x, abs=0.01)
    assert float(end.attrib["y"]) + float(end.attrib["height"]) / 2 == pytest.approx(y, abs=0.01)


def test_boards_that_are_too_large_for_text() -> None:
    tour, board = kt.solve(2049, 2048), kt.Board(1, 2**31)
    for refused in (tour.svg, board.svg):
        with pytest.raises(kt.RequestError, match=r"4,194,304.*\.png"):
            refused()
    with pytest.raises(kt.RequestError, match="2049x2048"):
        kt.svg_grid([tour])


# --- colours


def linear(color: str) -> list[float]:
    shares = [part / 255 for part in ImageColor.getrgb(color)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def luminance(color: str) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))


def contrast(one: float, two: float) -> float:
    low, high = sorted((one, two))
    return (high + 0.05) / (low + 0.05)


#: How colours look without one kind of cone: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
#: Simulation of Color Vision Deficiency", 2009, severity 1. Applied to linear red, green and blue.
VISION = {
    "full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def seen(color: str, vision: str) -> list[float]:
    parts = linear(color)
    mixed = (sum(a * b for a, b in zip(row, parts, strict=True)) for row in VISION[vision])
    return [min(max(part, 0.0), 1.0) for part in mixed]


def brightness(color: str, vision: str) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), seen(color, vision), strict=True))


@pytest.mark.parametrize("vision", VISION)
def test_colours_stand_out_for_every_eye(vision: str) -> None:
    bright = {name: brightness(color, vision) for name, color in scene.COLORS.items()}
    grounds = ("light", "dark", "frame")
    for name, least in {"path": 3, "start": 3, "end": 3, "mark": 3, "blocked": 3, "number": 4.5, "label": 4.5}.items():
        for ground in grounds:
            assert contrast(bright[name], bright[ground]) >= least, (name, ground)
    assert contrast(bright["border"], bright["frame"]) >= 3
    for shade in scene.shades(64):
        assert contrast(brightness(scene.INK, vision), brightness(shade, vision)) >= 4.5
        assert contrast(bright["number"], brightness(shade, vision)) >= 4.5
        assert contrast(bright["start"], brightness(shade, vision)) >= 1.5
    # The path and the marks on it differ in hue as well: the distance in linear red, green and blue.
    assert math.dist(seen(scene.COLORS["path"], vision), seen(scene.COLORS["start"], vision)) > 0.15


@pytest.mark.parametrize("page", ["#ffffff", "#1e1e1e", "#111111", "#000000"])
def test_the_picture_stands_out_on_light_and_dark_pages(page: str) -> None:
    # The frame hides the page, so that nothing is read against it; the frame's own border is seen.
    border, frame = luminance(scene.COLORS["border"]), luminance(scene.COLORS["frame"])
    assert max(contrast(luminance(page), border), contrast(luminance(page), frame)) >= 3
    root = parsed(OPEN.svg())
    (back,) = of_class(root, "frame")
    wide, high = map(float, root.attrib["viewBox"].split()[2:])
    assert (float(back.attrib["width"]), float(back.attrib["height"])) == (wide - 2, high - 2)


def test_the_order_of_a_rainbow_is_seen_by_every_eye() -> None:
    for vision in VISION:
        bright = [brightness(shade, vision) for shade in scene.shades(32)]
        assert bright == sorted(bright)


def test_colors() -> None:
    root = parsed(OPEN.svg(colors={"path": "crimson", "dark": "#123456"}))
    assert 'stroke="crimson"' in OPEN.svg(colors={"path": "crimson"})
    assert "#123456" in ET.tostring(root, encoding="unicode")
    assert scene.COLORS["dark"] not in ET.tostring(root, encoding="unicode")


# --- sheets and boards


def test_all_tours_of_5x5_from_a_corner_on_one_sheet() -> None:
    tours = list(kt.Board(5).tours(start="a1"))
    sheet = kt.svg_grid(tours, columns=19)
    root = parsed(sheet)
    assert len(tours) == 304
    assert len(root.findall(f"{SVG}svg")) == 304
    assert sum(len(line) - 1 for line in polylines(root)) == 304 * 24
    places = {(svg.attrib["x"], svg.attrib["y"]) for svg in root.findall(f"{SVG}svg")}
    assert len(places) == 304
    assert len({x for x, _ in places}) == 19
    assert len({y for _, y in places}) == 16
    assert len(sheet) < 400_000
    assert pixels(sheet, 800).size[0] == 800


def test_sheets_of_different_boards() -> None:
    sheet = kt.svg_grid([OPEN, TORUS, kt.Board(3, blocked=["b2"])], style="numbers", title="Three")
    root = parsed(sheet)
    assert root[0].text == "Three"
    assert len(root.findall(f"{SVG}svg")) == 3
    assert len(of_class(root, "number")) == 64 + 29
    assert len({svg.attrib["x"] for svg in root.findall(f"{SVG}svg")}) == 2


@pytest.mark.parametrize("columns", [0, -1, 1.5, "3", True])
def test_bad_columns(columns: Any) -> None:
    with pytest.raises(kt.RequestError, match="columns"):
        kt.svg_grid([OPEN], columns=columns)


def test_bad_sheets() -> None:
    with pytest.raises(kt.RequestError, match="at least one"):
        kt.svg_grid([])
    with pytest.raises(kt.RequestError, match="10000"):
        kt.svg_grid(itertools.repeat(OPEN))
    with pytest.raises(kt.RequestError, match="in all"):
        kt.svg_grid([kt.Board(2000), kt.Board(500)])
    with pytest.raises(kt.RequestError, match="'a1'"):
        kt.svg_grid(["a1"])  # type: ignore[list-item]


def test_board_pictures() -> None:
    board = kt.Board(5, blocked=["c3"])
    root = parsed(board.svg(marks=["a1", (0, 0)]))
    assert len(of_class(root, "square")) == 25
    assert len(of_class(root, "mark")) == 2
    root = parsed(board.svg(marks={"a1": "<&>", (0, 0): 12, "b1": None}))
    assert [element.text for element in of_class(root, "mark")] == [None, "<&>", "12"]
    assert "a1: <&>" in (root[1].text or "")
    starts = kt.Board(3, 7).tours().starts()
    root = parsed(kt.Board(3, 7).svg(marks=starts))
    assert sum(int(element.text or "") for element in of_class(root, "mark")) == sum(starts.values())
    for bad in ("a1", 5, {"a1": 1.5}, {"a1": True}):
        with pytest.raises(kt.RequestError, match="mark"):
            board.svg(marks=bad)  # type: ignore[arg-type]
    with pytest.raises(kt.SquareError, match="'f1'"):
        board.svg(marks=["f1"])


# --- harm


EVIL = "</title><script>alert(1)</script>&\"'<b \0\ud800\ufffe"


def test_nothing_that_is_given_becomes_markup() -> None:
    for svg in (
        OPEN.svg(title=EVIL),
        kt.svg_grid([OPEN], title=EVIL),
        kt.Board(3).svg(title=EVIL, marks={"a1": EVIL}),
        OPEN.svg(colors=dict.fromkeys(scene.COLORS, f'red" onload="alert(1){EVIL}')),
    ):
        assert "<script" not in svg
        svg.encode("utf-8")
        root = parsed(svg)
        assert not [element for element in root.iter() if element.tag == f"{SVG}script"]
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert parsed(OPEN.svg(title="a < b & c"))[0].text == "a < b & c"


@given(st.text())
def test_any_title_is_well_formed(title: str) -> None:
    parsed(kt.Board(1).svg(title=title))


@pytest.mark.parametrize(
    ("options", "quoted"),
    [
        ({"style": "spiral"}, "'spiral'"),
        ({"style": None}, "None"),
        ({"size": 0}, "size"),
        ({"size": "big"}, "'big'"),
        ({"size": float("nan")}, "nan"),
        ({"size": True}, "True"),
        ({"colors": "red"}, "'red'"),
        ({"colors": {"sky": "blue"}}, "'sky'"),
        ({"colors": {"path": 5}}, "5"),
        ({"colors": {"path": " "}}, "path"),
        ({"title": 5}, "5"),
    ],
)
def test_misuse(options: dict[str, Any], quoted: str) -> None:
    with pytest.raises(kt.RequestError) as caught:
        OPEN.svg(**options)
    assert quoted in str(caught.value)
    with pytest.raises(TypeError):
        OPEN.svg("path")  # type: ignore[call-arg,arg-type]


# --- notebooks


def test_small_tours_and_boards_are_shown_whole() -> None:
    for shown in (OPEN, TORUS):
        assert len(polylines(parsed(shown._repr_svg_()))) == len(polylines(parsed(shown.svg())))
    root = parsed(kt.Board(3, blocked=["b2"])._repr_svg_())
    assert len(of_class(root, "square")) == 9
    assert float(root.attrib["width"]) < 300


def test_a_huge_tour_is_shown_small_and_says_what_is_left_out() -> None:
    tour = kt.solve(3000)
    svg = tour._repr_svg_()
    assert len(svg) < 30_000
    root = parsed(svg)
    (line,) = polylines(root)
    assert len(line) == SAMPLE
    said = " ".join(element.text or "" for element in of_class(root, "label"))
    assert "1,000 of the tour's 9,000,000 squares" in said
    assert "not shown" in said
    assert len(repr(tour)) < 200
    board = kt.Board(2**16, 2**15)
    assert len(board._repr_svg_()) < 3000
    assert "not shown" in board._repr_svg_()
    assert len(kt.solve(3, 10_000)._repr_svg_()) < 30_000


@given(boards.boards())
def test_any_board_is_drawn(board: kt.Board) -> None:
    root = parsed(board.svg())
    assert len(of_class(root, "square")) == board.rows * board.cols
    assert len(of_class(root, "blocked")) == len(board.blocked)


@given(st.sampled_from(boards.pool()), st.sampled_from(STYLES), st.booleans(), st.booleans())
def test_any_tour_is_drawn(tour: kt.Tour, style: Any, squares: bool, coordinates: bool) -> None:
    root = parsed(tour.svg(style=style, squares=squares, coordinates=coordinates))
    lines = polylines(root)
    if style == "numbers":
        assert len(of_class(root, "number")) == len(tour)
    elif tour.board.wrap is None:
        assert sum(len(line) - 1 for line in lines) == len(tour) - (not tour.is_closed)
    assert len(of_class(root, "end")) == (not tour.is_closed and len(tour) > 1)
