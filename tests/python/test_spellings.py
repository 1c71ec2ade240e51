"""Every usual spelling of a tour is read as that tour, and with one fault as no tour: never as unreadable."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import boards
import bruteforce
import knightstour as kt
from commands import run
from knightstour.cli.reading import read_text
from spellings import Grid, grids, lists, order

TEXTS = Path(__file__).parent.parent / "data" / "texts"

GRIDS: dict[str, Grid] = {
    "3x4": [[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]],
    "5x5": [[1, 20, 9, 14, 3], [10, 15, 2, 19, 24], [21, 8, 25, 4, 13], [16, 11, 6, 23, 18], [7, 22, 17, 12, 5]],
    # The tour of texts/04_hyperskill.txt and others.
    "8x8": [
        [1, 48, 31, 50, 33, 16, 63, 18],
        [30, 51, 46, 3, 62, 19, 14, 35],
        [47, 2, 49, 32, 15, 34, 17, 64],
        [52, 29, 4, 45, 20, 61, 36, 13],
        [5, 44, 25, 56, 9, 40, 21, 60],
        [28, 53, 8, 41, 24, 57, 12, 37],
        [43, 6, 55, 26, 39, 10, 59, 22],
        [54, 27, 42, 7, 58, 23, 38, 11],
    ],
}
"""Tours, judged by a plain program below."""


@pytest.mark.parametrize("size", GRIDS)
def test_the_grids_are_tours(size: str) -> None:
    grid = GRIDS[size]
    assert bruteforce.is_tour(boards.graph(kt.Board(len(grid), len(grid[0]))), order(grid))


def right(size: str) -> dict[str, str]:
    grid = GRIDS[size]
    return grids(grid) | {f"list of {name}": text for name, text in lists(len(grid), len(grid[0]), order(grid)).items()}


def wrong(size: str) -> dict[str, str]:
    """One number, or one square, of the middle is that of step 2 again."""
    grid = [list(row) for row in GRIDS[size]]
    rows, cols, squares = len(grid), len(grid[0]), order(grid)
    (row, col), second = squares[len(squares) // 2], squares[2]
    grid[row][col] = grid[second[0]][second[1]]
    squares[len(squares) // 2] = second
    return grids(grid) | {f"list of {name}": text for name, text in lists(rows, cols, squares).items()}


@pytest.mark.parametrize(("size", "name"), [(size, name) for size in GRIDS for name in right(size)])
def test_every_spelling_is_read(size: str, name: str) -> None:
    text = right(size)[name]
    tour = kt.Tour.parse(text)
    assert list(tour.squares) == order(GRIDS[size]), text
    assert tour.board == kt.Board(len(GRIDS[size]), len(GRIDS[size][0]))
    assert kt.Tour.parse(text, tour.board) == tour
    assert kt.Tour.parse(text.encode("utf-16")) == tour


@pytest.mark.parametrize(("size", "name"), [(size, name) for size in GRIDS for name in wrong(size)])
def test_every_spelling_with_a_fault_is_no_tour(size: str, name: str) -> None:
    text = wrong(size)[name]
    with pytest.raises(kt.InvalidTourError, match=r"^read as ") as caught:
        kt.Tour.parse(text)
    assert len(str(caught.value)) < 400


EXPECTED = list(csv.DictReader((TEXTS / "expected.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row["file"])
def test_collected_texts(row: dict[str, str]) -> None:
    """What people pasted, and what is right."""
    done = run("verify", "--json", str(TEXTS / row["file"]))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    statuses = {"tour": 0, "not": 1, "mixed": 1, "unreadable": 2}
    assert done.returncode == statuses[row["verdict"]], done.stdout
    valid = {"tour": {True}, "not": {False}, "mixed": {True, False}, "unreadable": {None}}[row["verdict"]]
    assert {answer["valid"] for answer in answers} == valid
    if row["verdict"] == "tour":
        assert {f"{answer['board']['rows']}x{answer['board']['cols']}" for answer in answers} == {row["board"]}
    if row["first_squares"]:
        tour = kt.Tour.parse(read_text(str(TEXTS / row["file"])))
        assert tour.names()[:4] == row["first_squares"].split()


@pytest.mark.parametrize("mark", [".", "0", "-1", "-", "--", "_", "x", "o", "nan", "None", "null", "*", "?", "\u25a1"])
@pytest.mark.parametrize("form", [" ", ",", "\t", ";", " | ", "html", "latex"])
def test_a_row_or_column_without_numbers_is_no_frame(mark: str, form: str) -> None:
    """A walk that got stuck before it came to one: what is left is a tour of a smaller board, and the walk is none."""
    grid = [[str(n) for n in row] for row in GRIDS["3x4"]]
    boards_ = [[[*row[:at], mark, *row[at:]] for row in grid] for at in range(5)]
    boards_ += [[*grid[:at], [mark] * 4, *grid[at:]] for at in range(4)]
    if mark in ("--", "*"):
        # Before each line they may be signs of a comment.
        boards_ = boards_[1:]
    for board in boards_:
        if form == "html":
            text = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in board)
        elif form == "latex":
            text = " \\\\\n".join(" & ".join(row) for row in board)
        else:
            text = "\n".join(form.join(row) for row in board)
        with pytest.raises(kt.InvalidTourError):
            kt.Tour.parse(text)


@pytest.mark.parametrize("separator", [",", ";", " & "])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_empty_column_within_is_one_of_the_board(separator: str, at: int) -> None:
    rows = [[*map(str, row[:at]), "", *map(str, row[at:])] for row in GRIDS["3x4"]]
    with pytest.raises(kt.InvalidTourError, match="3 of the 15 squares have no number"):
        kt.Tour.parse("\n".join(separator.join(row) for row in rows))


@pytest.mark.parametrize(
    "text",
    [
        # Two of the numbers are at the wrong squares, whatever is left out.
        json.dumps({"a3": 1, "b3": 4, "c3": 7, "d3": 10, "a2": 8, "b2": 11, "c2": 2, "d1": 5, "a1": 3, "b1": 6}),
        "x 1 x 4 x 7 x 10\nx 8 x 11 x 2 x 5\nx 3 x 6 x 9 x 12",
        "Row 1 4 7 10 3\nRow 8 11 2 5 3\nRow 3 6 9 12 0",
    ],
)
def test_what_is_left_out_makes_no_tour(text: str) -> None:
    with pytest.raises((kt.InvalidTourError, kt.ReadError)):
        kt.Tour.parse(text)


def test_what_comes_again_with_each_line() -> None:
    names = kt.solve(5).names()
    assert kt.Tour.parse("\n".join(f"Move {n}/25: {name}" for n, name in enumerate(names, 1))) == kt.solve(5)
    pairs = [tuple(square) for square in kt.solve(5).squares]
    assert kt.Tour.parse("\n".join(f"Step {n} of 25: {pair}" for n, pair in enumerate(pairs, 1))) == kt.solve(5)


@pytest.mark.parametrize("sign", ['"."', '"-"', '"x"', "null", '""', "-1"])
def test_a_stuck_walk_in_json_with_a_whole_row_or_column_of_no_numbers(sign: str) -> None:
    rows = [["1", "4", "7", "10"], ["8", "11", "2", "5"], ["3", "6", "9", "12"]]
    below = [*rows, [sign] * 4]
    left = [[sign, *row] for row in rows]
    for quote in ("", '"'):
        for grid in (below, left):
            cells = [[cell if cell == sign else quote + cell + quote for cell in row] for row in grid]
            text = "[" + ", ".join(f"[{','.join(row)}]" for row in cells) + "]"
            with pytest.raises(kt.InvalidTourError, match="have no number"):
                kt.Tour.parse(text)
