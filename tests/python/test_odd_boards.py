"""Boards that people bring: puzzles from elsewhere, other leapers, joined edges, shapes, and pairs that cut a board."""

import random
from typing import Any

import pytest

import boards
import bruteforce
import knightstour as kt

Pair = tuple[int, int]

#: "Solve a Holy Knight's tour" of Rosetta Code: the board of the task, and that of the extra credit, with their starts.
HOLY = [
    (
        """
.xxx....
.x.xx...
.xxxxxxx
xxx..x.x
x.x..xxx
sxxxxxx.
..xx.x..
...xxx..
""",
        36,
    ),
    (
        """
.....s.x.....
.....x.x.....
....xxxxx....
.....xxx.....
..x..x.x..x..
xxxxx...xxxxx
..xx.....xx..
xxxxx...xxxxx
..x..x.x..x..
.....xxx.....
....xxxxx....
.....x.x.....
.....x.x.....
""",
        56,
    ),
]


@pytest.mark.parametrize(("picture", "squares"), HOLY)
def test_holy_tours_of_rosetta_code(picture: str, squares: int) -> None:
    rows = picture.split()
    start = next((row, line.index("s")) for row, line in enumerate(rows) if "s" in line)
    board = kt.Board.parse("\n".join(rows).replace(".", "#").replace("x", ".").replace("s", "."))
    assert len(board) == squares
    for tours in (board.tours(start=start), board.tours()):
        # A few ten thousand steps of search: milliseconds.
        answer = tours.find(node_limit=200_000)
        assert isinstance(answer, kt.Found)
        tour = [(row, col) for row, col in answer.tour.squares]
        assert bruteforce.is_tour(boards.graph(board), tour)
    puzzle = kt.puzzle(board, seed=1, start=start)
    assert list(puzzle.tours) == [puzzle.solution]


#: The second example of "Solve a Numbrix puzzle" of Rosetta Code, a tour of the wazir, and its solution.
NUMBRIX = """
 0  0  0  0  0  0  0  0  0
 0 11 12 15 18 21 62 61  0
 0  6  0  0  0  0  0 60  0
 0 33  0  0  0  0  0 57  0
 0 32  0  0  0  0  0 56  0
 0 37  0  1  0  0  0 73  0
 0 38  0  0  0  0  0 72  0
 0 43 44 47 48 51 76 77  0
 0  0  0  0  0  0  0  0  0
"""
SOLVED = """
 9 10 13 14 19 20 63 64 65
 8 11 12 15 18 21 62 61 66
 7  6  5 16 17 22 59 60 67
34 33  4  3 24 23 58 57 68
35 32 31  2 25 54 55 56 69
36 37 30  1 26 53 74 73 70
39 38 29 28 27 52 75 72 71
40 43 44 47 48 51 76 77 78
41 42 45 46 49 50 81 80 79
"""


def test_numbrix_of_rosetta_code() -> None:
    clues = {
        (row, col): int(number) - 1
        for row, line in enumerate(NUMBRIX.split("\n")[1:-1])
        for col, number in enumerate(line.split())
        if number != "0"
    }
    tours = kt.Board(9, leaper=(0, 1)).tours().with_steps(clues)
    answer = tours.find(node_limit=1_000_000)
    assert isinstance(answer, kt.Found)
    expected = [[int(number) for number in line.split()] for line in SOLVED.strip().split("\n")]
    assert [list(row) for row in answer.tour.grid()] == expected
    assert tours.is_unique()


@pytest.mark.parametrize(
    ("leaper", "size"), [((2, 3), 10), ((1, 4), 10), ((3, 4), 14), ((2, 3), 20), ((1, 4), 21), ((3, 4), 22)]
)
def test_leapers_where_they_have_tours(leaper: Pair, size: int) -> None:
    """Zebra, giraffe and antelope: closed tours from their first square board on, and open ones of odd boards."""
    board = kt.Board(size, leaper=leaper)
    answer = board.tours(closed=size % 2 == 0).find(node_limit=20_000_000)
    assert isinstance(answer, kt.Found)
    tour = [(row, col) for row, col in answer.tour.squares]
    assert bruteforce.is_tour(boards.graph(board), tour)
    assert size % 2 or tour[0] in boards.graph(board)[tour[-1]]


@pytest.mark.parametrize(("leaper", "first"), [((2, 3), 10), ((1, 4), 10), ((3, 4), 14)])
def test_smaller_squares_have_no_closed_tour_of_these_leapers(leaper: Pair, first: int) -> None:
    for size in range(2, first):
        answer = kt.Board(size, leaper=leaper).tours(closed=True).find(node_limit=20_000_000)
        assert isinstance(answer, kt.Impossible), size


@pytest.mark.parametrize("wrap", ["cols", "rows", "both"])
def test_small_cylinders_and_tori_are_judged(wrap: Any) -> None:
    decided = 0
    for rows in range(1, 7):
        for cols in range(1, 7):
            if rows * cols > 12 and (rows, cols) not in {(3, 5), (5, 3), (4, 4)}:
                continue
            board = kt.Board(rows, cols, wrap=wrap)
            graph = boards.graph(board)
            first = next(bruteforce.open_tours(graph), None)
            assert isinstance(board.tours().find(), kt.Found if first else kt.Impossible), board
            home = next(iter(graph))
            closed = any(home in graph[path[-1]] for path in bruteforce.open_tours(graph, home) if len(path) >= 3)
            assert isinstance(board.tours(closed=True).find(), kt.Found if closed else kt.Impossible), board
            decided += 1
    assert decided >= 25


@pytest.mark.parametrize("wrap", ["cols", "rows", "both"])
def test_larger_cylinders_and_tori_are_decided(wrap: Any) -> None:
    found = 0
    for rows in range(1, 13):
        for cols in range(1, 13):
            for closed in (False, True):
                answer = kt.Board(rows, cols, wrap=wrap).tours(closed=closed).find(node_limit=5_000_000)
                assert not isinstance(answer, kt.Stopped), (rows, cols, closed)
                if isinstance(answer, kt.Found):
                    found += 1
                    assert answer.tour in kt.Board(rows, cols, wrap=wrap).tours(closed=closed)
                # Joined edges only add moves.
                plain = kt.Board(rows, cols).tours(closed=closed).find()
                assert not (isinstance(plain, kt.Found) and isinstance(answer, kt.Impossible)), (rows, cols, closed)
    assert found > 200


def test_the_sweep_finds_tours() -> None:
    rng = random.Random(3)
    found = none = 0
    for _ in range(100):
        rows, cols = rng.randint(1, 4), rng.randint(1, 5)
        squares = [(row, col) for row in range(rows) for col in range(cols)]
        blocked = rng.sample(squares, rng.randint(0, min(3, len(squares) - 1)))
        board = kt.Board(rows, cols, blocked=blocked, wrap=rng.choice([None, None, "cols"]))
        closed = rng.random() < 0.5
        given: dict[str, Any] = {} if closed or rng.random() < 0.5 else {"start": rng.choice(list(board.squares))}
        tours = board.tours(closed=closed, **given)
        answer = tours.find(method="frontier")
        number = tours.count()
        if isinstance(answer, kt.Found):
            found += 1
            assert answer.tour in tours
            assert answer.tour == tours[0] or len(board) == 1
            seeds = {tours.find(method="frontier", seed=seed).tour for seed in range(4)}  # type: ignore[union-attr]
            assert all(tour in tours for tour in seeds)
            assert len(seeds) > 1 or int(number) < 30
        else:
            none += 1
            assert isinstance(answer, kt.Impossible)
            assert number == 0
    assert found > 10
    assert none > 20


def test_the_sweep_refuses_what_it_does_not_know() -> None:
    with pytest.raises(kt.RequestError, match="70x70 board: too wide for the frontier engine"):
        kt.Board(70).tours().find(method="frontier")
    with pytest.raises(kt.RequestError, match="cannot find tours with squares at given steps"):
        kt.Board(5).tours().with_steps({"c3": 5}).find(method="frontier")
    with pytest.raises(kt.RequestError, match="order and lookahead"):
        kt.Board(5).tours().find(method="frontier", order="fixed")
    stopped = kt.Board(6, 7).tours().find(method="frontier", node_limit=10)
    assert isinstance(stopped, kt.Stopped)
    answer = kt.Board(4, 5).tours(start="b2").find(method="frontier")
    assert isinstance(answer, kt.Impossible)


def test_only_documented_methods_are_taken() -> None:
    for method in ("rotation", "merging", "fragments", "pairs", "Frontier", "", None):
        with pytest.raises(kt.RequestError, match="method must be one of"):
            kt.Board(6).tours().find(method=method)  # type: ignore[arg-type]


def junction(passages: list[Pair]) -> kt.Board:
    """Three rooms with as many squares of both colours each, and walls that are jumped at some passages only."""
    walls = {(row, col) for row in (19, 20) for col in range(40)} | {
        (row, col) for row in range(19) for col in (19, 20)
    }
    return kt.Board(40, blocked=[*walls.difference(passages), (0, 0), (0, 39)])


def test_two_squares_between_three_rooms() -> None:
    two = junction([(19, 19), (19, 20)])
    answer = two.tours(closed=True).find(node_limit=1_000_000)
    assert isinstance(answer, kt.Impossible)
    assert (answer.reason.code, answer.stats.method) == ("cut", "theorem")
    assert set(answer.reason.squares) == {(19, 19), (19, 20)}
    # An open tour need not come back, and with four squares a closed one can.
    assert isinstance(two.tours().find(node_limit=1_000_000), kt.Found)
    four = junction([(19, 19), (19, 20), (20, 19), (20, 20)])
    assert isinstance(four.tours(closed=True).find(node_limit=1_000_000), kt.Found)
