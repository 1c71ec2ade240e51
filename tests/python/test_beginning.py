"""The tours that begin with given squares, and paths that are checked: judged by the brute force of the tests."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import pairwise
from typing import Any

import pytest

import boards
import bruteforce
import knightstour as kt

Pair = tuple[int, int]


def random_board(rng: random.Random) -> kt.Board:
    """A board of up to 13 open squares, of any kind."""
    leaper = rng.choice([(1, 2), (1, 2), (0, 1), (0, 1), (1, 1), (2, 3)])
    rows, cols = rng.randint(1, 5), rng.randint(2, 5)
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    holes = rng.randint(max(0, len(squares) - 13), max(0, len(squares) - 4))
    wrap: Any = rng.choice([None, None, "cols", "both"])
    return kt.Board(rows, cols, blocked=rng.sample(squares, holes), leaper=leaper, wrap=wrap)


def random_path(rng: random.Random, graph: dict[Pair, list[Pair]]) -> list[Pair]:
    """A walk that visits no square twice."""
    path = [rng.choice(list(graph))]
    for _ in range(rng.choice([0, 1, 2, 3, 4, 6, 20])):
        further = [to for to in graph[path[-1]] if to not in path]
        if not further:
            break
        path.append(rng.choice(further))
    return path


def judged(seed: int) -> tuple[kt.Board, list[Pair], list[list[Pair]]] | None:
    """A board, a path on it, and all open tours from its first square; none where they are too many."""
    rng = random.Random(seed)
    board = random_board(rng)
    graph = boards.graph(board)
    tours = []
    path = random_path(rng, graph)
    for tour in bruteforce.open_tours(graph, path[0]):
        tours.append(tour)
        if len(tours) > 2000:
            return None
    if tours and rng.random() < 0.7:
        path = rng.choice(tours)[: rng.randint(1, len(graph))]
    return board, path, tours


def test_tours_that_begin_with_a_path_are_those_of_the_judge() -> None:
    met = set()
    for seed in range(400):
        case = judged(seed)
        if case is None:
            continue
        board, path, tours = case
        expected = {tuple(tour) for tour in tours if tour[: len(path)] == path}
        begun = board.tours().beginning(path)
        met.add((min(len(expected), 2), min(len(path), 3), len(path) == len(board)))
        assert begun.count() == len(expected), (board, path)
        assert {tuple(tour.squares) for tour in begun} == expected
        answer = begun.find()
        assert isinstance(answer, kt.Found if expected else kt.Impossible), (board, path)
        if isinstance(answer, kt.Found):
            assert tuple(answer.tour.squares) in expected
        for tour in tours[:5]:
            assert (kt.Tour(board, tour, closed=False) in begun) is (tuple(tour) in expected)
        if expected:
            sample = begun.sample(3, seed=1)
            assert {tuple(tour.squares) for tour in sample} <= expected
            assert {tuple(begun[number].squares) for number in range(len(expected))} == expected
            assert begun.index(begun[len(expected) - 1]) == len(expected) - 1
    assert len(met) >= 8, met


def test_it_goes_with_ends_moves_steps_and_classes() -> None:
    rng = random.Random(3)
    compared = 0
    for seed in range(300):
        case = judged(1000 + seed)
        if case is None or len(case[0]) < 5:
            continue
        board, path, tours = case
        fitting = [tour for tour in tours if tour[: len(path)] == path]
        other = rng.choice(fitting or tours or [[(row, col) for row, col in board.squares]])
        edge, step = rng.choice(list(pairwise(other))), rng.randrange(len(board))
        expected = [tour for tour in fitting if any({*pair} == {*edge} for pair in pairwise(tour))]
        if edge[1] in boards.graph(board)[edge[0]]:
            assert board.tours().including(edge).beginning(path).count() == len(expected)
            assert board.tours().beginning(path).excluding(edge).count() == len(fitting) - len(expected)
        expected = [tour for tour in fitting if tour[step] == other[step]]
        if len(path) <= step and other[step] not in path:
            begun = board.tours().beginning(path).with_steps({other[step]: step})
            assert begun.count() == len(expected)
            assert {tuple(tour.squares) for tour in begun} == set(map(tuple, expected))
            compared += 1
        if other[-1] != path[0]:
            expected = [tour for tour in fitting if tour[-1] == other[-1]]
            assert board.tours(end=other[-1]).beginning(path).count() == len(expected)
        classes = board.tours().beginning(path).distinct()
        assert classes.count() == sum(1 for _ in classes) <= len(fitting)
        assert sum(board.tours().beginning(path).starts().values()) == len(fitting)
    assert compared > 30


def test_symmetric_tours_that_begin_with_a_path() -> None:
    """A tour is its own image if the image of its moves are its moves."""
    compared = 0
    name = "half-turn"
    for board in (kt.Board(3, 4), kt.Board(5, 3, leaper=(0, 1)), kt.Board(4, 5)):
        tours = []
        for tour in bruteforce.open_tours(boards.graph(board)):
            moves = {frozenset(pair) for pair in pairwise(tour)}
            turned = [boards.image(name, square, board.rows, board.cols) for square in tour]
            if {frozenset(pair) for pair in pairwise(turned)} == moves:
                tours.append(tour)
        for length in (1, 2, 3, 5):
            for path in sorted({tuple(tour[:length]) for tour in tours})[:6]:
                expected = {tuple(tour) for tour in tours if tuple(tour[:length]) == path}
                begun = board.tours().symmetric(name).beginning(path)
                assert begun.count() == len(expected)
                assert {tuple(tour.squares) for tour in begun} == expected
                compared += 1
    assert compared > 20


def test_long_beginnings_cost_nothing() -> None:
    """By the numbers of squares placed: a count of all that may follow is the count of a small board."""
    tour = kt.solve(8)
    begun = kt.Board(8).tours().beginning(tour.squares[:40])
    found, counted = begun.find(), begun.count()
    assert isinstance(found, kt.Found)
    assert found.tour.squares[:40] == tour.squares[:40]
    # What is left as a board of its own.
    left = kt.Board(8, blocked=tour.squares[:39]).tours(start=tour.squares[39])
    assert counted == left.count()
    for board, squares in ((kt.Board(32), 1000), (kt.Board(100), 9970)):
        path = kt.solve(board).squares[:squares]
        begun = board.tours().beginning(path)
        assert begun.count(node_limit=10**7) >= 1
        assert isinstance(begun.find(node_limit=10**6), kt.Found)
    half = kt.Board(100).tours().beginning(kt.solve(100).squares[:5000])
    assert isinstance(half.find(node_limit=10**6), kt.Found)


def test_published_counts_by_the_first_squares() -> None:
    """The 304 tours of 5x5 from a corner, by their first move, and the 1728 by their start."""
    board = kt.Board(5)
    assert board.tours().beginning(["a1"]).count() == 304
    assert [board.tours().beginning(["a1", to]).count() for to in board.moves("a1")] == [152, 152]
    assert sum(board.tours().beginning([square]).count().value for square in board.squares) == 1728


def test_a_dead_beginning_has_a_reason() -> None:
    """Both squares beside the corner are passed: the theorems know moves, while a search would say nothing of use."""
    board = kt.Board(5)
    path = ["d4", "b3", "a5", "c4", "e3", "c2", "a3"]
    answer = board.tours().beginning(path).find()
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code == "too-few-moves"
    assert (4, 0) in answer.reason.squares
    squares = [board.square(name) for name in path]
    assert not any(tour[:7] == squares for tour in bruteforce.open_tours(boards.graph(board), squares[0]))
    answer = board.tours().beginning(["b1"]).find()
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code == "colour"


def test_what_is_taken_for_a_path() -> None:
    board = kt.Board(6)
    walk = kt.warnsdorff(board, "a1", seed=1)
    names = ["a1", "b3", "c5"]
    path = kt.Path(board, names)
    same = board.tours().beginning(names)
    several: tuple[Any, ...] = (path, path.squares, tuple(names), iter(names), [(5, 0), "b3", (1, 2)])
    for given in several:
        assert board.tours().beginning(given) == same
    assert board.tours().beginning(walk) == board.tours().beginning(walk.squares)
    assert board.tours(start="a1").beginning(names) == same
    assert same.beginning([*names, "d3"]) == board.tours().beginning([*names, "d3"])
    assert same.start == (5, 0)
    assert pickle.loads(pickle.dumps(same)) == copy.copy(same) == same
    assert hash(pickle.loads(pickle.dumps(same))) == hash(same)
    assert eval(repr(same), {"Board": kt.Board}) == same


@pytest.mark.parametrize(
    ("path", "step", "text"),
    [
        (["a1", "b3", "b4"], 2, "b3 to"),
        (["a1", "b3", "a1"], 2, "visited before"),
        (["a1", "b3", "z9"], 2, "z9"),
        (["a1", "b3", (9, 9)], 2, "(9, 9)"),
        (["a1", "a2", "z9"], 1, "a1 to"),
        ([], 0, "at least 1 square"),
    ],
)
def test_the_first_bad_step_is_named(path: Any, step: int, text: str) -> None:
    for ask in (kt.Board(5).tours().beginning, lambda squares: kt.Path(kt.Board(5), squares)):
        with pytest.raises(kt.InvalidTourError) as caught:
            ask(path)
        assert caught.value.step == step
        assert text in str(caught.value)


@pytest.mark.parametrize("path", [None, 5, "a1", ["a1", 7], [True], {"a1": 2.5}])
def test_what_is_no_path_is_refused(path: Any) -> None:
    if path == {"a1": 2.5}:
        # A dict is the sequence of its keys, as elsewhere.
        assert kt.Board(5).tours().beginning(path).start == (4, 0)
        return
    with pytest.raises(kt.InvalidTourError):
        kt.Board(5).tours().beginning(path)
    with pytest.raises(kt.InvalidTourError):
        kt.Path(kt.Board(5), path)


def test_other_starts_and_steps_contradict_it() -> None:
    board = kt.Board(5)
    with pytest.raises(kt.RequestError, match=r"start at a1, the path begins at b3"):
        board.tours(start="a1").beginning(["b3", "c5"])
    with pytest.raises(kt.RequestError):
        board.tours().beginning(["a1", "b3"]).beginning(["a1", "c2"])
    with pytest.raises(kt.RequestError):
        board.tours().with_steps({"c2": 1}).beginning(["a1", "b3"])
    with pytest.raises(kt.RequestError):
        board.tours(end="a1").beginning(["a1", "b3"])
    # The end comes too early: no mistake, but there is no such tour.
    assert board.tours(end="b3").beginning(["a1", "b3"]).count() == 0
    whole = next(iter(board.tours(start="a1")))
    assert list(board.tours().beginning(whole)) == [whole]
    assert list(board.tours(end=whole.end).beginning(whole.squares)) == [whole]
    assert board.tours(start="a1", end="e5").beginning(["a1"]).count() == board.tours(start="a1", end="e5").count()


def test_a_path_is_checked_and_checked_again_on_loading() -> None:
    board = kt.Board(5, blocked=["c3"])
    path = kt.Path(board, ["a1", (2, 1), "c5"])
    assert (path.names(), path.is_closed, len(path)) == (["a1", "b3", "c5"], False, 3)
    assert all(isinstance(square, kt.Square) for square in path.squares)
    again = pickle.loads(pickle.dumps(path))
    assert (again, hash(again), type(again)) == (path, hash(path), kt.Path)
    for damaged in (pickle.dumps(path).replace(b"K\x02", b"K\x01", 1),):
        with pytest.raises((kt.InvalidTourError, kt.KnightsTourError)):
            pickle.loads(damaged)
    assert kt.Path(board, path) == path
    assert kt.Path(board, ["a1"]).start == (4, 0)
    with pytest.raises(kt.InvalidTourError, match="blocked"):
        kt.Path(board, ["a2", "c3"])
    with pytest.raises(kt.BoardError):
        kt.Path(5, ["a1"])  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match="closed must be"):
        kt.Path(board, ["a1"], closed=2)  # type: ignore[arg-type]


def test_cycles_close() -> None:
    board = kt.Board(4)
    ring = ["a1", "b3", "d4", "c2"]
    assert kt.Path(board, ring) in board.paths(4)
    assert not kt.Path(board, ring).is_closed
    assert kt.Path(board, ring, closed=True).is_closed
    assert kt.Path(board, ring, closed=None).is_closed
    assert not kt.Path(board, ring[:3], closed=None).is_closed
    assert kt.Path(board, ring, closed=True) in board.paths(4, closed=True)
    with pytest.raises(kt.InvalidTourError, match=r"b3|d4") as caught:
        kt.Path(board, ring[:3], closed=True)
    assert caught.value.step == 0
    with pytest.raises(kt.InvalidTourError, match="at least 3"):
        kt.Path(board, ring[:2], closed=True)
    for squares in (4, 6):
        for path in list(board.paths(squares, closed=True))[:20]:
            assert kt.Path(board, path.squares, closed=True) == path
