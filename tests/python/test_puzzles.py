"""Given steps, uniqueness and puzzles."""

import pickle
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt

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
    """Ways to write down the other numbers, as far as so many: by trying every move, and nothing of the package."""
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
    with pytest.raises(kt.RequestError, match="no puzzle of the open tours of the 5x5 board has one number only"):
        kt.puzzle(5, clues=1, seed=1)
    with pytest.raises(kt.RequestError, match="one number only"):
        kt.puzzle(6, clues=1, seed=1, closed=True)
    with pytest.raises(kt.LimitReachedError, match="each of 50 puzzles .* has more than 2 numbers; the fewest") as few:
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
