"""Pictures of pixels, files of all kinds, boards read from images, and graphs for other libraries."""

import itertools
import struct
import subprocess
import sys
import zlib
from io import BytesIO, StringIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageColor

import boards
import knightstour as kt
from knightstour.drawing import raster, scene

mpl.use("Agg")

OPEN = kt.solve(8, start="a1")
CLOSED = kt.solve(6, closed=True)
HOLED = kt.solve(kt.Board(5, 6, blocked=["a5", "f5"]), start="a1")
COLORS = {name: ImageColor.getrgb(color) for name, color in scene.COLORS.items()}


def saved(tour: kt.Tour, file: Path, **options: Any) -> Image.Image:
    tour.save(file, **options)
    return Image.open(BytesIO(file.read_bytes()))


def place(image: Image.Image, board: kt.Board, square: tuple[float, float], cell: int) -> Any:
    """The colour in the middle of a square, or a part of a square away from it."""
    left, top = (image.width - cell * board.cols) // 2, (image.height - cell * board.rows) // 2
    return image.getpixel((int(left + (square[1] + 0.5) * cell), int(top + (square[0] + 0.5) * cell)))


def test_png_pixels(tmp_path: Path) -> None:
    image = saved(HOLED, tmp_path / "tour.png", size=740)
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", (740, 640))
    board = HOLED.board
    for row, col in itertools.product(range(5), range(6)):
        shade = "dark" if (4 - row + col) % 2 == 0 else "light"
        shade = "blocked" if (row, col) in board.blocked else shade
        assert place(image, board, (row - 0.4, col - 0.4), 100) == COLORS[shade]
    ends = {HOLED.start: "start", HOLED.end: "end"}
    for square in HOLED:
        assert place(image, board, square, 100) == COLORS[ends.get(square, "path")]
    for one, two in pairwise(HOLED):
        assert place(image, board, ((one.row + two.row) / 2, (one.col + two.col) / 2), 100) == COLORS["path"]
    assert image.getpixel((1, 1)) == COLORS["frame"]


@pytest.mark.parametrize("style", scene.STYLES)
def test_png_styles(tmp_path: Path, style: str) -> None:
    image = saved(OPEN, tmp_path / f"{style}.png", style=style, size=400, colors={"light": "white"})
    plain = saved(
        OPEN, tmp_path / "plain.png", style=style, size=400, start_end=False, coordinates=False, squares=False
    )
    assert image.size == plain.size == (400, 400)
    assert len(set(image.tobytes())) > 10
    assert image.tobytes() != plain.tobytes()
    if style == "rainbow":
        found = [ImageColor.getrgb(color) for color in scene.rainbow_steps(64)]
        image = saved(OPEN, tmp_path / "large.png", style=style, size=940)
        for square, color in zip(OPEN, found, strict=True):
            assert place(image, OPEN.board, (square.row - 0.4, square.col - 0.4), 100) == color


def test_torus_png(tmp_path: Path) -> None:
    tour = kt.solve(kt.Board(5, wrap="both"))
    image = saved(tour, tmp_path / "torus.png", size=640, start_end=False)
    lines = scene.runs(tour.board, scene.numbers_of(tour), closed=tour.is_closed)
    for line in lines:
        for (x1, y1), (x2, y2) in pairwise(line):
            assert place(image, tour.board, ((y1 + y2 - 1) / 2, (x1 + x2 - 1) / 2), 100) == COLORS["path"]


def test_large_png(tmp_path: Path) -> None:
    tour = kt.solve(1000)
    image = saved(tour, tmp_path / "large.png", size=2000)
    assert image.size == (2000, 2000)
    assert len(image.getcolors(1 << 20) or ()) > 3
    # Every part of the board is covered by the path.
    small = image.convert("L").reduce(50)
    assert max(small.tobytes()) < 225
    assert saved(tour, tmp_path / "default.png").size == (2000, 2000)


@pytest.mark.parametrize(
    ("rows", "cols", "options", "said"),
    [
        (8, 8, {"size": 7}, "8x8"),
        (8, 8, {"size": 20_000}, "16384"),
        (8, 8, {"size": 16_000}, "pixels"),
        (8, 8, {"size": "big"}, "'big'"),
        (8, 8, {"style": "spiral"}, "'spiral'"),
        (8, 8, {"colors": {"path": "var(--x)"}}, "var"),
        (50, 50, {"size": 60, "style": "numbers"}, "numbers"),
        (4097, 4097, {}, "4097x4097"),
    ],
)
def test_bad_pngs(tmp_path: Path, rows: int, cols: int, options: dict[str, Any], said: str) -> None:
    tour = kt.solve(rows, cols)
    with pytest.raises(kt.RequestError) as caught:
        tour.save(tmp_path / "tour.png", **options)
    assert said in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_strip_has_a_picture(tmp_path: Path) -> None:
    tour = kt.solve(3, 5000)
    assert saved(tour, tmp_path / "strip.png").size == (5000, 3)


# --- animations


def test_gif(tmp_path: Path) -> None:
    image: Any = saved(CLOSED, tmp_path / "tour.gif", size=444)
    assert (image.format, image.size, image.info["loop"]) == ("GIF", (444, 444), 0)
    assert image.n_frames == 37
    square = 60
    total = 0
    for frame in range(37):
        image.seek(frame)
        total += image.info["duration"]
        # The piece stands on the square of the step, and the path ends there.
        here = CLOSED.squares[frame % 36]
        knight = (here.row - 0.05, here.col + 0.15)
        assert near(place(image.convert("RGB"), CLOSED.board, knight, square), COLORS["number"])
        for step in range(1, frame):
            assert near(place(image.convert("RGB"), CLOSED.board, CLOSED.squares[step], square), COLORS["path"])
    assert 5000 < total < 30_000
    fast = saved(CLOSED, tmp_path / "fast.gif", size=200, seconds=2)
    assert fast.info["duration"] == 50
    with pytest.raises(kt.RequestError, match="seconds"):
        CLOSED.save(tmp_path / "bad.gif", seconds=0)


def near(one: Any, two: Any) -> bool:
    return all(abs(a - b) <= 40 for a, b in zip(one, two, strict=True))


def test_large_gif(tmp_path: Path) -> None:
    tour = kt.solve(100)
    image: Any = saved(tour, tmp_path / "large.gif")
    assert image.n_frames == raster.MOST_FRAMES + 1
    assert (tmp_path / "large.gif").stat().st_size < 4_000_000
    image.seek(image.n_frames - 1)
    assert image.info["duration"] >= 2000


def test_one_square(tmp_path: Path) -> None:
    for suffix in ("svg", "png", "gif", "html", "txt", "csv", "json"):
        kt.solve(1).save(tmp_path / f"one.{suffix}")


# --- files


@given(st.sampled_from(boards.pool()))
def test_every_kind_of_file_holds_the_tour(tour: kt.Tour) -> None:
    with TemporaryDirectory() as folder:
        for suffix in (".txt", ".csv", ".json"):
            file = Path(folder) / f"tour{suffix}"
            tour.save(file)
            again = kt.Tour.parse(file.read_text(encoding="utf-8"), tour.board)
            assert list(again) == list(tour)
        file = Path(folder) / "tour.json"
        tour.save(file)
        # JSON tells the board, and whether the tour is closed.
        assert kt.Tour.from_json(file.read_text(encoding="utf-8")) == tour


def test_files_by_suffix(tmp_path: Path) -> None:
    starts = {
        ".svg": b"<svg ",
        ".PNG": b"\x89PNG\r\n",
        ".gif": b"GIF89a",
        ".html": b"<!DOCTYPE html>",
        ".txt": b" 1",
        ".csv": b"",
        ".json": b'{"version": 1, ',
    }
    for suffix, start in starts.items():
        file = tmp_path / f"tour{suffix}"
        OPEN.save(file)
        OPEN.save(str(file))
        assert file.read_bytes().startswith(start) or suffix == ".txt"
    assert (tmp_path / "tour.svg").read_text(encoding="utf-8") == OPEN.svg()
    assert (tmp_path / "tour.txt").read_text(encoding="utf-8") == f"{OPEN}\n"
    OPEN.save(tmp_path / "other.svg", style="numbers", title="Äther")
    assert "Äther" in (tmp_path / "other.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["tour.bmp", "tour", ".svg", "tour.svg.gz"])
def test_unknown_suffixes(tmp_path: Path, name: str) -> None:
    with pytest.raises(kt.RequestError, match=r"\.svg, \.png"):
        OPEN.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        OPEN.save(tmp_path / "no" / "tour.svg")
    with pytest.raises(TypeError):
        OPEN.save(tmp_path / "tour.txt", style="path")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("module", "code", "said"),
    [
        ("PIL", "tour.save('x.png')", "knightstour[image]"),
        ("PIL", "tour.save('x.gif')", "knightstour[image]"),
        ("PIL", "kt.Board.from_image(b'')", "knightstour[image]"),
        ("networkx", "tour.to_networkx()", "pip install networkx"),
        ("networkx", "tour.board.to_networkx()", "pip install networkx"),
        ("matplotlib", "tour.plot()", "pip install matplotlib"),
    ],
)
def test_what_is_missing_is_told(tmp_path: Path, module: str, code: str, said: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None\nimport knightstour as kt; tour = kt.solve(5)\n{code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr.splitlines()[-1].startswith("ImportError: ")
    assert said in done.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_drawing_is_loaded_when_something_is_drawn() -> None:
    program = """
import sys, knightstour as kt
tour = kt.solve(5)
assert not [name for name in sys.modules if name.startswith("knightstour.drawing")]
tour.svg(), tour.html(), tour._repr_svg_(), tour.board.svg(), kt.svg_grid([tour])
assert not {"PIL", "networkx", "matplotlib", "numpy"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# --- boards from images


def picture(text: str, mode: str = "L", kind: str = "PNG", **options: Any) -> bytes:
    """A picture with a black pixel for each #, a white one for each dot."""
    lines = text.split()
    image = Image.new("L", (len(lines[0]), len(lines)))
    image.putdata([0 if mark == "#" else 255 for line in lines for mark in line])
    file = BytesIO()
    image.convert(mode).save(file, kind, **options)
    return file.getvalue()


HOLES = """
..#.
....
#...
"""


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "I;16"])
def test_modes(mode: str) -> None:
    if mode == "I;16":
        shades = {"#": b"\0\1", ".": b"\xff\0"}
        lines = (b"\0" + b"".join(shades[mark] for mark in line) for line in HOLES.split())
        data = png(4, 3, zlib.compress(b"".join(lines)), bits=16)
    else:
        data = picture(HOLES, mode)
    assert kt.Board.from_image(data) == kt.Board.parse(HOLES)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "PPM", "WEBP"])
def test_kinds(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    assert kt.Board.from_image(picture(HOLES, "RGB", kind, **options)) == kt.Board.parse(HOLES)


def test_where_images_come_from(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    file.write_bytes(picture(HOLES))
    board = kt.Board.parse(HOLES)
    assert kt.Board.from_image(file) == kt.Board.from_image(str(file)) == board
    with file.open("rb") as opened:
        assert kt.Board.from_image(opened) == board
    turned = kt.Board.from_image(file, leaper=(1, 3), wrap="both")
    assert turned == kt.Board.parse(HOLES, leaper=(1, 3), wrap="both")
    with pytest.raises(FileNotFoundError):
        kt.Board.from_image(tmp_path / "none.png")
    text: Any = StringIO("a picture")
    with pytest.raises(kt.BoardError, match="binary"):
        kt.Board.from_image(text)


def test_sizes_and_shades() -> None:
    image = Image.open(BytesIO(picture(HOLES))).resize((40, 30), Image.Resampling.NEAREST)
    file = BytesIO()
    image.save(file, "JPEG", quality=95)
    assert kt.Board.from_image(file.getvalue(), 3, 4) == kt.Board.parse(HOLES)
    assert len(kt.Board.from_image(file.getvalue(), rows=3)) == 3 * 40 - 20
    grey = BytesIO()
    Image.new("L", (3, 3), 100).save(grey, "PNG")
    assert len(kt.Board.from_image(grey.getvalue(), threshold=0.3)) == 9
    with pytest.raises(kt.BoardError, match="all 9"):
        kt.Board.from_image(grey.getvalue())
    clear = BytesIO()
    Image.new("RGBA", (3, 3), (0, 0, 0, 0)).save(clear, "PNG")
    assert len(kt.Board.from_image(clear.getvalue())) == 9


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rows": 0}, "0"),
        ({"rows": 5}, "5"),
        ({"cols": 2.5}, "2.5"),
        ({"cols": True}, "True"),
        ({"threshold": 2}, "threshold"),
        ({"threshold": "x"}, "'x'"),
        ({"wrap": "torus"}, "'torus'"),
    ],
)
def test_bad_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises((kt.BoardError, kt.RequestError)) as caught:
        kt.Board.from_image(picture(HOLES), **options)
    assert said in str(caught.value)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes, *more: bytes, bits: int = 8) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(2**31 - 1, 2**31 - 1), (60_000, 60_000), (5000, 5000)])
def test_bombs_are_refused_before_they_are_unpacked(size: tuple[int, int]) -> None:
    with pytest.raises(kt.BoardError):
        kt.Board.from_image(png(*size, zlib.compress(bytes(10**6))))
    gif = b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0)
    with pytest.raises(kt.BoardError):
        kt.Board.from_image(gif + b"," + struct.pack("<HHHHB", 0, 0, 65_535, 65_535, 0) + b"\x02\x00;")


def test_bombs_in_other_places() -> None:
    # More data than pixels, and a text of 200 MB in a few kilobytes.
    data = zlib.compress(bytes(2 * 10**8), 9)
    board = b"\x00\xff\xff\x00\xff\xff"
    for bomb in (png(2, 2, data), png(2, 2, zlib.compress(board), chunk(b"zTXt", b"a\0\0" + data))):
        try:
            found = kt.Board.from_image(bomb)
        except kt.BoardError:
            continue
        assert len(found) == 4


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", picture(HOLES)[:50], b"\x89PNG\r\n\x1a\n"],
)
def test_what_is_no_picture(data: bytes) -> None:
    with pytest.raises(kt.BoardError):
        kt.Board.from_image(data)


def test_a_huge_file(tmp_path: Path) -> None:
    file = tmp_path / "huge.png"
    with file.open("wb") as opened:
        opened.write(picture(HOLES))
        opened.truncate(2**30)
    with pytest.raises(kt.BoardError, match="bytes"):
        kt.Board.from_image(file)


@given(st.binary(max_size=60), st.integers(0, 200))
def test_damaged_pictures(noise: bytes, at: int) -> None:
    data = bytearray(picture(HOLES, "RGB"))
    data[at : at + len(noise)] = noise
    try:
        kt.Board.from_image(bytes(data))
    except kt.BoardError:
        return


@given(boards.boards())
def test_a_picture_of_any_board(board: kt.Board) -> None:
    read = kt.Board.from_image(picture(str(board)), leaper=board.leaper, wrap=board.wrap)
    assert read == board


# --- other libraries


@given(st.sampled_from(boards.pool()))
def test_tours_as_graphs(tour: kt.Tour) -> None:
    graph = tour.to_networkx()
    assert list(graph) == list(tour)
    assert [graph.nodes[square]["step"] for square in tour] == list(range(len(tour)))
    assert graph.number_of_edges() == len(tour) - (not tour.is_closed)
    assert all(graph.has_edge(*pair) for pair in pairwise(tour))
    assert tour.is_closed == graph.has_edge(tour.end, tour.start) or tour.is_reentrant
    assert nx.is_connected(graph)


@given(boards.boards())
def test_boards_as_graphs(board: kt.Board) -> None:
    graph = board.to_networkx()
    judged = boards.graph(board)
    assert sorted(graph) == sorted(judged)
    for square in graph:
        assert sorted(graph[square]) == judged[square[0], square[1]]


def test_graphs_that_are_too_large() -> None:
    with pytest.raises(kt.MemoryLimitError, match="2048x2048"):
        kt.Board(2048).to_networkx()
    with pytest.raises(kt.MemoryLimitError, match="3000x3000"):
        kt.solve(3000).to_networkx()


def test_plot() -> None:
    from matplotlib import pyplot as plt  # noqa: PLC0415

    _, ax = plt.subplots()
    assert CLOSED.plot(ax) is ax
    assert CLOSED.plot(ax=ax, colors={"path": "black"}) is ax
    path = ax.lines[0]
    squares = [*CLOSED, CLOSED.start]
    points: Any = path.get_xydata()
    assert points.tolist() == [[square.col, square.row] for square in squares]
    assert [label.get_text() for label in ax.get_xticklabels()] == list("abcdef")
    ax = OPEN.plot(style="numbers")
    assert sorted(int(text.get_text()) for text in ax.texts) == list(range(1, 65))
    with pytest.raises(kt.RequestError, match="'x'"):
        OPEN.plot(style="x")  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match=r"\.png"):
        kt.solve(1500).plot()
    assert len(kt.solve(kt.Board(5, wrap="both")).plot().lines) > 3
    plt.close("all")
