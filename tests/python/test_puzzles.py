"""Given steps, uniqueness and puzzles."""

import json
import pickle
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt
from commands import answer, answer_json, run

#: A board of the kind of Rosetta Code's "holy knight's tour", as a picture.
HOLY = """
.###....
.##....#
....#..#
###..#..
..#....#
#.......
##......
#......#
"""


@given(boards.boards().filter(lambda board: len(board) <= 14), st.data())
@settings(max_examples=100)
def test_unique_is_what_the_judge_counts(board: kt.Board, data: st.DataObject) -> None:
    tours = list(islice(bruteforce.open_tours(boards.graph(board)), 2000))
    if len(tours) == 2000:
        return
    assert board.tours().is_unique() == (len(tours) == 1)
    if tours:
        tour = data.draw(st.sampled_from(tours))
        given_steps = {square: step for step, square in enumerate(tour) if data.draw(st.booleans())}
        fitting = [t for t in tours if all(t[step] == square for square, step in given_steps.items())]
        assert board.tours().with_steps(given_steps).is_unique() == (len(fitting) == 1)


def check(puzzle: kt.Puzzle) -> None:
    """One solution; and without any of its clues another one."""
    assert list(puzzle.tours) == [puzzle.solution]
    assert puzzle.tours.is_unique()
    assert all(puzzle.solution.step_at(square) == step for square, step in puzzle.clues.items())
    assert list(puzzle.clues.values()) == sorted(puzzle.clues.values())
    for square in puzzle.clues:
        fewer = {other: step for other, step in puzzle.clues.items() if other != square}
        tours = puzzle.board.tours(closed=puzzle.solution.is_closed).with_steps(fewer)
        assert not tours.is_unique()


@pytest.mark.parametrize(
    ("board", "options"),
    [
        (kt.Board(1), {}),
        (kt.Board(3, 4), {}),
        (kt.Board(5), {}),
        (kt.Board(5), {"start": "a1"}),
        (kt.Board(6), {"closed": True}),
        (kt.Board(5, 6, blocked=["a1"]), {}),
        (kt.Board(6, 7), {}),
        (kt.Board(4, wrap="both"), {}),
    ],
)
def test_puzzles_have_one_solution_and_no_clue_to_spare(board: kt.Board, options: dict[str, Any]) -> None:
    for seed in (1, 2):
        puzzle = kt.puzzle(board, seed=seed, **options)
        check(puzzle)
        assert puzzle == kt.puzzle(board, seed=seed, **options)
        assert pickle.loads(pickle.dumps(puzzle)) == puzzle


def solutions(puzzle: kt.Puzzle, most: int = 2) -> list[list[tuple[int, int]]]:
    """Ways to write down the other numbers, up to a given number: by trying every move, and nothing of the package."""
    graph = boards.graph(puzzle.board)
    count, closed = len(graph), puzzle.solution.is_closed
    at = {step: (square.row, square.col) for square, step in puzzle.clues.items()}
    step_of = {square: step for step, square in at.items()}
    first = min(at, default=0)
    # From the first clue to the last step, then on from step 0 (a cycle) or back from the first clue (a path).
    order = [*range(first, count), *(range(first) if closed else range(first - 1, -1, -1))]
    far = distances(graph)
    found: list[list[tuple[int, int]]] = []
    square_at: dict[int, tuple[int, int]] = {}

    def fits(step: int, square: tuple[int, int]) -> bool:
        """Whether it leads to the next clues in time, on either side."""
        if at.get(step, square) != square or step_of.get(square, step) != step:
            return False
        for other, clue in at.items():
            apart = abs(other - step)
            if far[square].get(clue, count) > (min(apart, count - apart) if closed else apart):
                return False
        return True

    def strands(place: int) -> bool:
        """Whether a square that is left has too few squares to go to: one with a single one can only be an end."""
        used = set(square_at.values())
        heads = {square_at[order[place]]} | {square_at[first]}
        single = 0
        for square in graph:
            if square not in used:
                near = sum(1 for to in graph[square] if to not in used or to in heads)
                if (near == 0 and count > 1) or (near == 1 and closed):
                    return True
                single += near == 1
        return single > 2

    def go(place: int) -> None:
        if len(found) == most:
            return
        if place == count:
            if not closed or (count >= 3 and square_at[0] in graph[square_at[count - 1]]):
                found.append([square_at[step] for step in range(count)])
            return
        step = order[place]
        before = square_at.get(step - 1 if closed or step > first else step + 1)
        if closed and step == 0 and first > 0:
            before = square_at[count - 1]
        for square in graph[before] if before is not None else graph:
            if square not in square_at.values() and fits(step, square):
                square_at[step] = square
                if place + 1 == count or not strands(place):
                    go(place + 1)
                del square_at[step]

    go(0)
    return found


def distances(graph: dict[tuple[int, int], list[tuple[int, int]]]) -> dict[tuple[int, int], dict[tuple[int, int], int]]:
    """How many moves apart any two squares are."""
    far = {}
    for start in graph:
        reached, edge = {start: 0}, [start]
        while edge:
            edge = [
                to
                for square in edge
                for to in graph[square]
                if reached.setdefault(to, reached[square] + 1) > reached[square]
            ]
            edge = list(dict.fromkeys(edge))
        far[start] = reached
    return far


@pytest.mark.parametrize(
    ("board", "closed", "seeds"),
    [
        (kt.Board(3, 4), False, 30),
        (kt.Board(4, 5), False, 30),
        (kt.Board(5), False, 40),
        (kt.Board(5, blocked=["a1", "b3", "e5"]), False, 20),
        (kt.Board(3, 3, blocked=["b2"]), True, 10),
        (kt.Board(4, leaper=(0, 1)), True, 30),
        (kt.Board(4, 5, leaper=(0, 1)), True, 30),
        (kt.Board(4, wrap="both", blocked=["a1", "b3"]), True, 30),
        (kt.Board(5, 6), True, 20),
        (kt.Board(6, blocked=["a1", "a2"]), True, 5),
        (kt.Board(6), True, 12),
    ],
)
def test_a_plain_solver_finds_one_solution(board: kt.Board, closed: bool, seeds: int) -> None:
    for seed in range(seeds):
        puzzle = kt.puzzle(board, closed=closed, seed=seed)
        assert solutions(puzzle) == [[(row, col) for row, col in puzzle.solution.squares]], (board, seed)


def test_a_closed_puzzle_given_out_as_one_that_had_several_solutions() -> None:
    # Case 34 of tests/data/cases.csv, numbered from 1.
    clues = {"c1": 6, "b6": 10, "f3": 19, "a5": 22, "d6": 24, "e3": 26}
    steps = {square: number - 1 for square, number in clues.items()}
    assert not kt.Board(6).tours(closed=True).with_steps(steps).is_unique()


def test_a_number_short_there_is_another_solution() -> None:
    for board, closed in [(kt.Board(4, 5), False), (kt.Board(4, 5, leaper=(0, 1)), True), (kt.Board(5, 6), True)]:
        for seed in range(5):
            puzzle = kt.puzzle(board, closed=closed, seed=seed)
            for square in puzzle.clues:
                clues = {other: step for other, step in puzzle.clues.items() if other != square}
                assert len(solutions(kt.Puzzle(clues, puzzle.solution, seed, puzzle.stats))) == 2


def test_a_puzzle_shows_itself() -> None:
    puzzle = kt.puzzle(3, 4, seed=5)
    rows = str(puzzle).splitlines()
    assert [len(row.split()) for row in rows] == [4, 4, 4]
    numbers = [cell for row in puzzle.grid() for cell in row if cell is not None]
    assert sorted(numbers) == [step + 1 for step in puzzle.clues.values()]
    assert kt.puzzle(3, 4, seed=5, clues=len(puzzle.clues)) == puzzle


def test_few_clues() -> None:
    puzzle = kt.puzzle(6, clues=7, seed=3)
    assert len(puzzle.clues) <= 7
    check(puzzle)
    with pytest.raises(kt.RequestError, match="no puzzle of the open tours of the 5x5 board has only one number"):
        kt.puzzle(5, clues=1, seed=1)
    with pytest.raises(kt.RequestError, match="only one number"):
        kt.puzzle(6, clues=1, seed=1, closed=True)
    with pytest.raises(kt.LimitReachedError, match=r"each of 50 puzzles .* has more than 2 numbers; the fewest") as few:
        kt.puzzle(5, clues=2, seed=1)
    assert few.value.limit == "attempts"
    with pytest.raises(kt.LimitReachedError):
        kt.puzzle(8, seed=1, node_limit=100)
    with pytest.raises(kt.NoTourError):
        kt.puzzle(4)
    with pytest.raises(kt.RequestError, match="clues"):
        kt.puzzle(6, clues=0)


def test_8x8() -> None:
    puzzle = kt.puzzle(8, seed=1)
    assert puzzle.tours.is_unique()
    assert 8 <= len(puzzle.clues) <= 24
    # Ten numbers of a tour are enough to go on from, though not for one solution.
    solution = kt.solve(8, seed=4)
    some = {solution.squares[step]: step for step in range(0, 64, 7)}
    found = kt.Board(8).tours().with_steps(some).find(node_limit=2_000_000)
    assert isinstance(found, kt.Found)
    assert all(found.tour.step_at(square) == step for square, step in some.items())


def test_holy_tours() -> None:
    board = kt.Board.parse(HOLY)
    tours = board.tours()
    answer = tours.find(node_limit=5_000_000)
    assert not isinstance(answer, kt.Stopped)
    if isinstance(answer, kt.Found):
        puzzle = kt.puzzle(board, seed=1, start=answer.tour.start)
        check(puzzle)


PUZZLES: list[tuple[kt.Board, dict[str, Any]]] = [
    (kt.Board(6), {}),
    (kt.Board(6), {"closed": True}),
    (kt.Board(5, 6, blocked=["a1"]), {}),
    (kt.Board(4, wrap="both"), {}),
]


def texts(picture: str, kind: str) -> list[str]:
    """The texts of a class in a picture, in reading order of their places."""
    root = ET.fromstring(picture)
    found = [one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.get("class") == kind]
    found.sort(key=lambda one: (float(one.get("y", "")), float(one.get("x", ""))))
    return [one.text or "" for one in found]


@pytest.mark.parametrize(("board", "options"), PUZZLES)
def test_files(board: kt.Board, options: dict[str, Any], tmp_path: Path) -> None:
    from PIL import Image  # noqa: PLC0415

    puzzle = kt.puzzle(board, seed=3, **options)
    again = kt.Puzzle.from_json(puzzle.to_json())
    assert (again, again.seed) == (puzzle, puzzle.seed)
    told = json.loads(puzzle.to_json())
    assert told["clues"] == {board.name(square): step for square, step in puzzle.clues.items()}
    given = [str(number) for row in puzzle.grid() for number in row if number]
    everything = [str(number) for row in puzzle.solution.grid() for number in row if number]
    assert texts(puzzle.svg(), "mark") == given
    assert texts(puzzle.svg(solution=True), "mark") == everything
    assert puzzle.svg(solution=True).count('class="given"') == len(given)
    assert puzzle.svg().count('class="given"') == 0
    for name in ("a.svg", "a.png", "a.txt", "a.json"):
        puzzle.save(tmp_path / name)
        puzzle.save(tmp_path / f"solved-{name}", solution=True)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == f"{puzzle}\n"
    assert (tmp_path / "solved-a.txt").read_text(encoding="utf-8") == f"{puzzle}\n\n{puzzle.solution}\n"
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == puzzle.svg()
    assert kt.Puzzle.from_json((tmp_path / "a.json").read_text(encoding="utf-8")) == puzzle
    puzzle.save(tmp_path / "b.png", size=300, coordinates=False)
    assert max(Image.open(BytesIO((tmp_path / "b.png").read_bytes())).size) == 300
    pictures = [(tmp_path / name).read_bytes() for name in ("a.png", "solved-a.png")]
    assert pictures[0] != pictures[1]
    grid = np.asarray(puzzle)
    assert grid.tolist() == [
        [-1 if (row, col) in board.blocked else number or 0 for col, number in enumerate(numbers)]
        for row, numbers in enumerate(puzzle.grid())
    ]


def test_what_is_no_file_of_a_puzzle(tmp_path: Path) -> None:
    puzzle = kt.puzzle(5, seed=1)
    for name, options in (
        ("a.gif", {}),
        ("a", {}),
        ("a.txt", {"size": 100}),
        ("a.svg", {"style": "path"}),
        ("a.png", {"title": "x"}),
        ("a.png", {"size": 10}),
    ):
        # An option that the format does not have is no option, as of a tour.
        error = TypeError if name in {"a.txt", "a.svg"} or "title" in options else kt.RequestError
        with pytest.raises(error):
            puzzle.save(tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []
    told = json.loads(puzzle.to_json())
    clues = told["clues"]
    wrong: list[Any] = [
        *("", "[]", "{}", "[" * 100_000, "1" * 5000),
        told | {"clues": []},
        told | {"clues": {name: step + 1 for name, step in clues.items()}},
        told | {"clues": {"z9": 0}},
        told | {"clues": dict.fromkeys(clues, True)},
        told | {"solution": told["solution"][:-1]},
        told | {"solution": 7},
        told | {"seed": -1},
        told | {"seed": 2**64},
    ]
    for text in wrong:
        with pytest.raises(kt.KnightsTourError) as caught:
            kt.Puzzle.from_json(text if isinstance(text, str) else json.dumps(text))
        assert isinstance(caught.value, ValueError)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "arguments", [["6x6"], ["6x6", "--closed"], ["5x6", "--blocked", "a1"], ["6x6", "--json"], ["6x6", "--solution"]]
)
def test_a_puzzle_is_drawn(arguments: list[str]) -> None:
    drawn = answer("draw", "-", stdin=answer("puzzle", *arguments, "--seed", "4"))
    asked = [one for one in arguments if one not in {"--json", "--solution"}]
    puzzle = kt.Puzzle.from_json(answer("puzzle", *asked, "--seed", "4", "--json"))
    shown = puzzle.solution.grid() if "--solution" in arguments else puzzle.grid()
    assert texts(drawn, "mark") == [str(number) for row in shown for number in row if number]
    assert drawn.count('class="blocked') == ("--blocked" in arguments)
    assert 'class="path"' not in drawn


def test_what_of_a_puzzle_is_not_drawn() -> None:
    three = answer("puzzle", "5x5", "-n", "3", "--seed", "1")
    for arguments, text, said in (
        (["-"], three, "3"),
        (["-"], answer("puzzle", "5x5", "-n", "3", "--seed", "1", "--json"), "here are 3: write one file per puzzle"),
        (["-", "--format", "gif"], answer("puzzle", "5x5"), "'.gif'"),
        (["-", "--style", "arrows"], answer("puzzle", "5x5"), "--style"),
        (["-"], "1 . 3\n. 1 .\n", ""),
        (["-", "--board", "6x6"], answer("puzzle", "5x5"), ""),
    ):
        done = run("draw", *arguments, stdin=text)
        assert (done.returncode, done.stdout) in {(1, ""), (2, "")}
        assert said in done.stderr
        assert done.stderr.startswith("knightstour: ")


class TestMany:
    def test_seeds_follow_each_other(self, tmp_path: Path) -> None:
        answer("puzzle", "6x6", "-n", "4", "--seed", "7", "-o", str(tmp_path / "all.json"))
        made = [kt.Puzzle.from_json(json.dumps(one)) for one in json.loads((tmp_path / "all.json").read_bytes())]
        assert [one.seed for one in made] == [7, 8, 9, 10]
        assert made == [kt.puzzle(6, seed=seed) for seed in range(7, 11)]
        printed = answer("puzzle", "6x6", "-n", "4", "--seed", "7")
        assert printed == "\n".join(f"{one}\n" for one in made)
        answer("puzzle", "6x6", "-n", "4", "--seed", "7", "-o", str(tmp_path / "all.txt"))
        assert (tmp_path / "all.txt").read_text(encoding="utf-8") == printed
        lines = answer("puzzle", "6x6", "-n", "4", "--seed", "7", "--json").splitlines()
        assert [kt.Puzzle.from_json(line) for line in lines] == made

    def test_a_fresh_seed_is_said(self) -> None:
        done = run("puzzle", "5x5", "-n", "2", "--quiet")
        assert done.stderr == ""
        done = run("puzzle", "5x5", "-n", "2")
        word, seed = done.stderr.rsplit(maxsplit=1)
        assert word == "seeds from"
        assert answer("puzzle", "5x5", "-n", "2", "--seed", seed) == done.stdout

    @pytest.mark.parametrize("form", ["svg", "png", "txt", "json"])
    def test_a_folder(self, form: str, tmp_path: Path) -> None:
        folder = tmp_path / "new" / "puzzles"
        line = ["puzzle", "5x5", "-n", "3", "--seed", "2", "-o", str(folder), "--format", form, "--solution"]
        told = answer_json(*line)
        assert {Path(file) for file in told["files"]} == set(folder.iterdir())
        assert len(told["files"]) == (6 if form in {"svg", "png"} else 3)
        for seed in told["seeds"]:
            kt.puzzle(5, seed=seed).save(tmp_path / f"same.{form}", solution=form == "txt")
            assert (folder / f"puzzle-5x5-{seed}.{form}").read_bytes() == (tmp_path / f"same.{form}").read_bytes()
        done = run(*line)
        assert (done.returncode, done.stdout) == (2, "")
        assert "puzzle-5x5-2" in done.stderr
        assert "exists" in done.stderr

    def test_they_are_different(self) -> None:
        """Some of the seeds give the same puzzle of such a small board."""
        printed = answer("puzzle", "3x4", "-n", "20", "--seed", "1").split("\n\n")
        assert len(set(printed)) == len(printed) == 20
        assert len({str(kt.puzzle(3, 4, seed=seed)) for seed in range(1, 21)}) < 20
        done = run("puzzle", "1x1", "-n", "2", "--seed", "1")
        assert (done.returncode, done.stdout) == (3, ".\n")
        assert "1 different" in done.stderr

    @pytest.mark.parametrize(
        "arguments",
        [
            ["-n", "0"],
            ["-n", "x"],
            ["-n", "2", "-o", "a.svg"],
            ["-o", "a.gif"],
            ["-o", "a.txt", "--format", "svg"],
            ["--format", "svg"],
            ["-o", "there", "--format", "gif"],
            ["-o", "there.txt"],
        ],
        ids=" ".join,
    )
    def test_misuse(self, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "there.txt").touch()
        done = run("puzzle", "5x5", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert [file.name for file in tmp_path.iterdir()] == ["there.txt"]
