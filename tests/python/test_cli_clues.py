"""What is given of a tour on the command line: numbers, a beginning, a grid with blanks, squares by row and column."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import boards
import bruteforce
import knightstour as kt
from commands import answer, answer_json, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Pair = tuple[int, int]


def all_tours(rows: int, cols: int) -> list[list[Pair]]:
    return list(bruteforce.open_tours(boards.graph(kt.Board(rows, cols))))


SMALL = all_tours(3, 4)


def grid(board: kt.Board, numbers: dict[Pair, int], blank: str = ".", between: str = " ") -> str:
    """A board with some numbers on it."""
    rows = [
        between.join(
            "#" if (row, col) in board.blocked else str(numbers.get((row, col), blank)) for col in range(board.cols)
        )
        for row in range(board.rows)
    ]
    return "\n".join(rows) + "\n"


def counted(*arguments: str, stdin: str = "") -> int:
    value = answer_json("count", *arguments, stdin=stdin)["value"]
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize(
    ("blank", "between"),
    [
        (".", " "),
        ("-", " "),
        ("--", " "),
        ("_", " "),
        ("0", " "),
        ("0", ","),
        ("", ","),
        ("", ";"),
        ("", "\t"),
        ("-1", " "),
    ],
)
def test_a_grid_with_blanks_is_counted_as_the_judge_counts(blank: str, between: str) -> None:
    board = kt.Board(3, 4)
    rng = random.Random(blank + between)
    for _ in range(12):
        tour = rng.choice(SMALL)
        given = {tour[step]: step + 1 for step in rng.sample(range(12), rng.randint(1, 6))}
        expected = sum(all(tour[number - 1] == square for square, number in given.items()) for tour in SMALL)
        text = grid(board, given, blank, between)
        assert counted("@-", stdin=text) == expected > 0, text
        solved = kt.Tour.parse(answer("solve", "@-", stdin=text))
        assert all(solved.squares[number - 1] == square for square, number in given.items())


@pytest.mark.parametrize(
    "text",
    [
        "| 1 |  |  |10 |\n|---|---|---|---|\n|  |11|  |  |\n| | | |12|\n",
        "+--+--+--+--+\n| 1|  |  |10|\n+--+--+--+--+\n|  |11|  |  |\n|  |  |  |12|\n+--+--+--+--+\n",
        "┌──┬──┬──┬──┐\n│ 1│  │  │10│\n├──┼──┼──┼──┤\n│  │11│  │  │\n│  │  │  │12│\n└──┴──┴──┴──┘\n",
        "[[1, 0, 0, 10],\n [0, 11, 0, 0],\n [0, 0, 0, 12]]\n",
        "1;;;10\r\n;11;;\r\n;;;12\r\n",
        "\n\n 1  .  . 10\n\n .  11  .  .\n .  .  .  12\n\n",
        "01 .. .. 10\n".replace("..", ".") + ". 11 . .\n. . . 012\n",
    ],
)
def test_other_spellings_of_a_grid(text: str) -> None:
    given = {(0, 0): 1, (0, 3): 10, (1, 1): 11, (2, 3): 12}
    expected = sum(all(tour[number - 1] == square for square, number in given.items()) for tour in SMALL)
    assert counted("@-", stdin=text) == expected > 0


def test_a_row_of_blanks_is_no_line_of_a_frame() -> None:
    rows = {"- - - -": "1 - - -", "-- -- -- --": "1 -- -- --", ",,,": "1,,,", "\t\t\t": "1\t\t\t"}
    rows |= {"| | | | |": "|1| | | |", "│ │ │ │ │": "│1│ │ │ │"}
    for row, first in rows.items():
        assert counted("@-", stdin=f"{first}\n{row}\n{row}\n") == sum(tour[0] == (0, 0) for tour in SMALL)


def test_puzzles_are_solved_by_the_pipe(tmp_path: Path) -> None:
    for seed in (1, 2):
        made = kt.puzzle(5, seed=seed)
        printed = answer("puzzle", "5x5", "--seed", str(seed))
        assert printed == f"{made}\n"
        assert answer("solve", "@-", stdin=printed) == f"{made.solution}\n"
        file = tmp_path / "clues.txt"
        file.write_text(printed, encoding="utf-8")
        assert counted(f"@{file}") == 1
        assert answer("list", f"@{file}").split() == made.solution.names()
    closed = kt.puzzle(6, closed=True, seed=1)
    printed = answer("puzzle", "6x6", "--closed", "--seed", "1")
    assert answer("solve", "@-", "--closed", stdin=printed) == f"{closed.solution}\n"
    holes = "puzzle", "5x6", "--blocked", "a1,f1", "--seed", "3"
    printed = answer(*holes)
    assert "#" in printed
    solved = kt.Tour.parse(answer("solve", "@-", stdin=printed))
    assert solved.board == kt.Board(5, 6, blocked=["a1", "f1"])
    assert printed.split() == [
        "#" if mark == "#" else "." if mark == "." else str(number)
        for mark, number in zip(printed.split(), (number or 0 for row in solved.grid() for number in row), strict=True)
    ]


def test_a_picture_of_a_board_stays_one() -> None:
    assert answer("count", "@-", stdin="....\n....\n....\n") == answer("count", "3x4") == "16\n"
    assert kt.Board.parse("..\n..") == kt.Board(2)
    with pytest.raises(kt.BoardError):
        kt.Board.parse("1 .\n. .")


@pytest.mark.parametrize("command", ["longest", "draw", "puzzle"])
def test_who_takes_no_numbers_says_so(command: str) -> None:
    done = run(command, "@-", stdin="1 . . .\n. . . .\n. . . .\n")
    assert done.returncode == 2
    if command != "draw":
        assert "has numbers: only solve, count, list and sample take a board with numbers" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 . .\n. .\n", "row 2 of the clues has 2 cells, row 1 has 3"),
        ("1 . ?\n. . .\n", "row 1 of the clues, cell 3: '?' is neither a number nor a blank"),
        ("1 . . .\n. 99 . .\n. . . .\n", "b2=99: the numbers on this 3x4 board are 1 to 12"),
        ("1 . . .\n. 1 . .\n. . . .\n", "number 1 is given to two squares, a3 and b2"),
        ("0 . . .\n. 5 . .\n. . . .\n", "0 and also other signs for a blank: numbers are counted from 1"),
        (f"{'9' * 50} . .\n. . .\n", "neither a number"),
        ("9" * 100_000, "neither a number"),
        ("1 " + "-" * 10**6 + "a\n", "neither a number"),
        ("-" * 10**6 + "1\n", "neither a number"),
        ("1 " * 3 + "\n" + "[" * 100_000, "row"),
    ],
)
def test_what_cannot_be_a_grid_is_explained(text: str, message: str) -> None:
    done = run("solve", "@-", stdin=text)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr) < 400


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (["--steps", "a3=1,c2=2"], {(0, 0): 1, (1, 2): 2}),
        (["--steps", "a3=1", "--steps", "d1=12"], {(0, 0): 1, (2, 3): 12}),
        (["--steps", "(0,0)=1, (1,2)=2 d1=12"], {(0, 0): 1, (1, 2): 2, (2, 3): 12}),
        (["--beginning", "a3,c2,a1"], {(0, 0): 1, (1, 2): 2, (2, 0): 3}),
        (["--beginning", "(0,0) c2 (2,0)"], {(0, 0): 1, (1, 2): 2, (2, 0): 3}),
        (["--beginning", "a3", "--steps", "d1=12"], {(0, 0): 1, (2, 3): 12}),
        (["--start", "0,0"], {(0, 0): 1}),
        (["--start", "(0, 0)", "--end", "2,3"], {(0, 0): 1, (2, 3): 12}),
    ],
)
def test_numbers_and_beginnings(options: list[str], given: dict[Pair, int]) -> None:
    fitting = [tour for tour in SMALL if all(tour[number - 1] == square for square, number in given.items())]
    assert counted("3x4", *options) == len(fitting) > 0
    solved = kt.Tour.parse(answer("solve", "3x4", *options))
    assert [(row, col) for row, col in solved.squares] in fitting
    listed = answer("list", "3x4", *options).splitlines()
    assert sorted(listed) == sorted(" ".join(kt.Tour(kt.Board(3, 4), tour).names()) for tour in fitting)
    assert set(answer("sample", "3x4", *options, "-k", "5", "--seed", "1", "--quiet").splitlines()) <= set(listed)


def test_a_grid_and_options_go_together() -> None:
    text = "1 . . .\n. . . .\n. . . .\n"
    assert counted("@-", "--steps", "c2=2", stdin=text) == counted("3x4", "--steps", "a3=1,c2=2")
    assert "a3 has number 1 on the board, not 2" in run("count", "@-", "--steps", "a3=2", stdin=text).stderr
    ring = "1 . .\n. # .\n. . .\n"
    assert counted("@-", "--closed", stdin=ring) == 1
    assert counted("3x3", "--blocked", "(1,1)", "--closed") == 1


def lines(arguments: Iterable[str]) -> str:
    return " ".join(arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--steps", "a1"], "--steps takes squares with their numbers, such as a1=1,c2=2, not 'a1'"),
        (["--steps", "a1=x"], "--steps takes squares"),
        (["--steps", "a1=0"], "a1=0: the numbers on this 5x5 board are 1 to 25"),
        (["--steps", "a1=26"], "are 1 to 25"),
        (["--steps", "a1=1,a1=2"], "two numbers, 1 and 2"),
        (["--steps", "a1=1,b3=1"], "number 1 is given to two squares, a1 and b3"),
        (["--steps", "z9=1"], "'z9' is not the name of a square"),
        (["--steps", "0,1=1"], "in parentheses, such as (0,1)"),
        (["--steps", "a1=1,,c2=2"], "something is missing next to a comma"),
        (["--beginning", "a1,b4"], "--beginning: number 2: from"),
        (["--beginning", "a1,b3,a1"], "visited before, at number 1"),
        (["--beginning", "7,0"], "in parentheses, such as (0,1)"),
        (["--beginning", "a1,b3", "--start", "b3"], "start at b3, the path begins at a1"),
        (["--start", "9,9"], "(9, 9) is not on the 5x5 board"),
        (["--start", "1,2,3"], "'1,2,3' is not the name"),
    ],
    ids=lambda given: lines(given) if isinstance(given, list) else None,
)
def test_misuse_is_explained(arguments: list[str], message: str) -> None:
    done = run("solve", "5x5", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_reasons_tell_numbers_from_1() -> None:
    done = run("solve", "5x5", "--steps", "a1=1,a2=3")
    assert done.returncode == 1
    assert "number 3" in done.stderr
    assert "step" not in done.stderr
    given = json.loads(run("solve", "5x5", "--steps", "a1=1,a2=3", "--json").stdout)
    assert given["outcome"] == "impossible"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "8", "8"], "unexpected argument 8: write the board as 8x8"),
        (["count", "6", "x", "7"], "unexpected arguments x 7: write the board as 6x7"),
        (["solve", "-3x3"], "-3x3 is not a board"),
        (["count", "-8"], "-8 is not a board"),
        (["solve", "8x8", "9"], "unexpected argument 9: see 'knightstour solve --help'"),
        (["solve", "8x8", "--nonsense"], "no such option: --nonsense"),
    ],
    ids=lines,
)
def test_boards_are_explained(arguments: list[Any], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_puzzle_in_json_is_no_grid() -> None:
    done = run("solve", "@-", stdin=answer("puzzle", "5x5", "--seed", "1", "--json"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("numbers are read from a grid: write it without --json\n")
