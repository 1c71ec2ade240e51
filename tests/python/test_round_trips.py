"""What the package prints or saves it reads back: an equal tour, its board and its kind with it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
import knightstour as kt
from commands import answer, run
from knightstour.drawing.save import encode

if TYPE_CHECKING:
    from pathlib import Path


def kinds(tour: kt.Tour) -> list[kt.Tour]:
    """The tour, and as an open one."""
    return [tour, kt.Tour(tour.board, tour.squares, closed=False)] if tour.is_closed else [tour]


@given(boards.tours())
def test_files_are_read_back(drawn: kt.Tour) -> None:
    for tour in kinds(kt.Tour(drawn.board, drawn.squares)):
        for suffix in (".txt", ".csv", ".json"):
            text = encode(tour, suffix, {}).decode()
            assert kt.Tour.parse(text) == tour, text
            assert kt.Tour.parse(text.encode()) == tour
            assert kt.Tour.parse(text, tour.board) == tour


@given(boards.tours())
def test_data_is_read_back(drawn: kt.Tour) -> None:
    """With the board and the kind, which data does not tell."""
    for tour in kinds(kt.Tour(drawn.board, drawn.squares)):
        board, closed = tour.board, tour.is_closed
        numbers = np.asarray(tour)
        for data in (
            str(tour),
            " ".join(tour.names()),
            tour.names(),
            list(tour.squares),
            [list(square) for square in tour.squares],
            np.array([tuple(square) for square in tour.squares]),
            numbers,
            numbers.tolist(),
            numbers.astype(np.int64),
            numbers.astype(float),
            tour.grid(),
            tour.grid(first=0),
            tour.grid_array(),
            tour.grid_array().astype(np.int16),
            tour.grid_array().astype(float),
        ):
            made: Any = data
            assert kt.Tour.parse(made, board, closed) == tour, data
            if not isinstance(data, str):
                assert kt.Tour(board, made, closed) == tour, data


@given(boards.tours(), st.sampled_from(["names", "csv"]))
def test_lines_in_a_file_are_read_back(drawn: kt.Tour, form: Any) -> None:
    from knightstour._core import _note_of_lines  # noqa: PLC0415

    for tour in kinds(kt.Tour(drawn.board, drawn.squares)):
        cells = tour.names() if form == "names" else [str(number) for number in np.asarray(tour)]
        line = (" " if form == "names" else ",").join(cells)
        assert kt.Tour.parse(_note_of_lines(tour.board, tour.is_closed) + line) == tour, line


BOARDS = [
    (["1x1"], False),
    (["5x5", "--start", "a1"], False),
    (["6x6"], False),
    (["6x6"], True),
    (["3x3", "--blocked", "b2"], False),
    (["3x3", "--blocked", "b2"], True),
    (["4x4", "--wrap", "both"], False),
    (["4x4", "--wrap", "both"], True),
    (["4x5", "--wrap", "cols"], False),
    (["3x4", "--leaper", "0,1"], False),
    (["1x5", "--leaper", "0,1"], False),
    (["4x4", "--leaper", "0,1"], True),
    (["4x4", "--wrap", "both", "--blocked", "b2"], False),
]


@pytest.mark.parametrize(("board", "closed"), BOARDS, ids=str)
def test_listings_are_read_back(board: list[str], closed: bool, tmp_path: Path) -> None:
    """Each file that `list` writes, whatever the board and the kind."""
    asked = ["list", *board, *["--closed"] * closed, "--limit", "5"]
    names = [line.split() for line in answer(*asked).splitlines()]
    for ending in ("", ".txt", ".csv", ".ndjson", ".txt.gz"):
        file = str(tmp_path / f"tours{ending}")
        assert answer(*asked, "-o", file) == ""
        done = run("verify", "--json", file)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [(a["valid"], a["closed"], a["length"]) for a in answers] == [(True, closed, len(names[0]))] * len(names)
        assert [a["start"] for a in answers] == [tour[0] for tour in names]


@pytest.mark.parametrize(("board", "closed"), BOARDS, ids=str)
def test_json_goes_through_every_pipe(board: list[str], closed: bool) -> None:
    kind = ["--closed"] * closed
    for asked in (["solve"], ["list", "--limit", "1"], ["sample", "--seed", "1", "-q"]):
        command, *options = asked
        text = answer(command, *board, *kind, *options, "--json")
        tour = kt.Tour.parse(text)
        assert tour.is_closed == closed
        result = json.loads(answer("verify", "-", "--json", stdin=text))
        assert (result["valid"], result["closed"]) == (True, closed)
        assert answer("play", "--tour", "-", stdin=text) == f"{tour}\n"
        assert kt.Tour.parse(answer("draw", "-", "--format", "json", stdin=text)) == tour
        assert "<svg" in answer("draw", "-", stdin=text)


@pytest.mark.parametrize(("board", "closed"), BOARDS, ids=str)
def test_bare_text_goes_with_the_options_of_the_board(board: list[str], closed: bool) -> None:
    """A grid tells its size, so that only the piece, the edges and the kind are to be said."""
    size, *options = board
    text = answer("solve", size, *options, *["--closed"] * closed)
    said = {"--leaper", "--wrap"}
    moves = [part for at in range(0, len(options), 2) if options[at] in said for part in options[at : at + 2]]
    kind = "--closed" if closed else "--open"
    result = json.loads(answer("verify", "-", "--json", kind, *moves, stdin=text))
    assert (result["valid"], result["closed"]) == (True, closed)


def test_a_message_says_what_bare_text_leaves_out() -> None:
    torus = run("verify", "-", stdin=answer("solve", "4x4", "--wrap", "both"))
    assert torus.returncode == 1
    assert re.search(r"each step is a move of the knight if .* joined: give --wrap (cols|rows|both)\n", torus.stdout)
    zebra = run("verify", "-", stdin=answer("solve", "10x10", "--leaper", "2,3"))
    assert zebra.returncode == 1
    assert "each step is a move of the (2, 3)-leaper: give --leaper 2,3" in zebra.stdout
    with pytest.raises(kt.InvalidTourError, match=r"\(2, 3\)-leaper: give a board with leaper=\(2, 3\)"):
        kt.Tour.parse(str(kt.solve(kt.Board(10, leaper=(2, 3)))))
    closed = answer("verify", "-", stdin=answer("solve", "6x6", "--closed"))
    assert "--open reads it as an open tour" in closed
    assert answer("verify", "-", "--open", stdin=answer("solve", "6x6", "--closed")).startswith("open tour")


def test_a_listing_is_text(tmp_path: Path) -> None:  # case 44
    for name in ("x.pdf", "x.svg", "x.pdf.gz", "x.tours"):
        file = tmp_path / name
        done = run("list", "6x6", "-o", str(file))
        assert (done.returncode, done.stdout, file.exists()) == (2, "", False)
        assert "its name must end in .txt, .csv" in done.stderr
    assert run("list", "3x4", "--format", "names", "-o", str(tmp_path / "x.pdf")).returncode == 0


def test_a_closed_tour_may_repeat_its_start() -> None:  # case 38
    ring = "a1 b3 c1 a2 c3 b1 a3 c2 a1"
    tour = kt.Tour.parse(ring, kt.Board(3, blocked=["b2"]))
    assert tour.is_closed
    assert len(tour) == 8
    closed = kt.solve(6, closed=True)
    for text in (
        " ".join([*closed.names(), closed.names()[0]]),
        " ".join(f"({row}, {col})" for row, col in [*closed.squares, closed.start]),
        ",".join(map(str, [*np.asarray(closed).tolist(), int(np.asarray(closed)[0])])),
        " ".join(f"{a}-{b}" for a, b in zip(closed.names(), [*closed.names()[1:], closed.names()[0]], strict=True)),
    ):
        assert kt.Tour.parse(text) == closed
        assert kt.Tour.parse(text, closed.board) == closed
        assert not kt.Tour.parse(str(closed), closed=False).is_closed
    with pytest.raises(kt.InvalidTourError, match="visited before"):
        kt.Tour.parse(" ".join([*closed.names(), closed.names()[0]]), closed=False)


def test_square_numbers_on_a_board() -> None:  # case 37
    text = "0 7 4 13 16 5 2 9 18 11 8 1 10 17 14 3 6 15 12 19"
    tour = kt.Tour.parse(text, kt.Board(4, 5))
    assert np.asarray(tour).tolist() == [int(number) for number in text.split()]
    assert not tour.is_closed


def test_several_tours_in_one_text() -> None:  # case 43
    grid = "[[1,4,7,10],[8,11,2,5],[3,6,9,12]]"
    bad = "[[1,4,7,10],[8,11,2,5],[3,6,12,9]]"
    for text, valid in (
        (f"{grid}\n{bad}\n", [True, False]),
        (f"{bad}\n{bad}\n{grid}\n", [False, False, True]),
        (f"{bad}\n{bad}\n", [False, False]),
        ("1 4 7 10\n8 11 2 5\n3 6 9 9\n\n1 4 7 10\n8 11 2 5\n3 6 12 9\n", [False, False]),
        ("Solution 1\n1 4 7 10\n8 11 2 5\n3 6 9 12\nSolution 2\n1 4 7 10\n8 11 2 5\n3 6 12 9\n", [True, False]),
        ("1 4 7 10\n8 11 2 5\n3 6 9 12\na3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1\n", [True, True]),
    ):
        done = run("verify", "-", "--json", stdin=text)
        assert [json.loads(line)["valid"] for line in done.stdout.splitlines()] == valid
        assert done.returncode == (0 if all(valid) else 1)
