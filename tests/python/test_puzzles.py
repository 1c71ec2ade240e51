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
    with pytest.raises(kt.LimitReachedError):
        kt.puzzle(5, clues=1, seed=1)
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
