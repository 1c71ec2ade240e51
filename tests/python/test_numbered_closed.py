"""Closed tours with squares at given steps: every answer against all numberings of all cycles."""

import itertools
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt

Pair = tuple[int, int]
Steps = dict[Pair, int]

BOARDS = [
    kt.Board(3, 3, blocked=["b2"]),
    kt.Board(2, 2, leaper=(0, 1)),
    kt.Board(3, wrap="both"),
    kt.Board(4, leaper=(0, 1)),
    kt.Board(4, 5, leaper=(0, 1)),
    kt.Board(5, leaper=(0, 1), blocked=["c3"]),
    kt.Board(3, 4, wrap="cols"),
    kt.Board(3, 4, wrap="both", blocked=["b2", "d1", "d3"]),
    kt.Board(4, 4, wrap="both", blocked=["a1", "b3"]),
    kt.Board(3, 6, wrap="cols", blocked=["a1", "d3"]),
    kt.Board(4, 6, leaper=(0, 1)),
]


@cache
def cycles(board: kt.Board) -> list[tuple[Pair, ...]]:
    """All cycles, each once, from the first square towards the smaller of its neighbours."""
    graph = boards.graph(board)
    first = min(graph)
    paths = bruteforce.open_tours(graph, first)
    return sorted(tuple(path) for path in paths if first in graph[path[-1]] and path[1] < path[-1])


def numberings(cycle: tuple[Pair, ...]) -> list[tuple[Pair, ...]]:
    """A cycle from each of its squares in both directions."""
    both = [cycle, cycle[::-1]]
    return [one[at:] + one[:at] for one in both for at in range(len(cycle))]


def fitting(board: kt.Board, start: Pair | None, steps: Steps) -> list[list[tuple[Pair, ...]]]:
    """Of each cycle that can be numbered as asked, the numberings that are."""
    first = {} if start is None else {start: 0}
    wanted = [*first.items(), *steps.items()]
    found = []
    for cycle in cycles(board):
        some = [one for one in numberings(cycle) if all(one[k] == square for square, k in wanted)]
        found += [some] if some else []
    return found


@st.composite
def requests(draw: st.DrawFn) -> tuple[kt.Board, Pair | None, Steps]:
    board = draw(st.sampled_from(BOARDS))
    squares = sorted(boards.graph(board))
    steps: Steps = {}
    if draw(st.integers(0, 4)):
        numbered = draw(st.sampled_from(numberings(draw(st.sampled_from(cycles(board))))))
        count = draw(st.sampled_from([1, 1, 2, 2, 2, 3, 4]))
        if draw(st.integers(0, 2)) == 0:
            # Squares one after another, as those of a tour that has been begun.
            at = draw(st.integers(0, len(squares) - 1))
            places = [(at + k) % len(squares) for k in range(min(count + 1, len(squares)))]
        else:
            places = draw(st.lists(st.integers(0, len(squares) - 1), min_size=1, max_size=count, unique=True))
        steps = {numbered[k]: k for k in places}
        start = draw(st.sampled_from([None, numbered[0]]))
    else:
        some = draw(st.lists(st.sampled_from(squares), min_size=1, max_size=3, unique=True))
        ks = draw(st.lists(st.integers(0, len(squares) - 1), min_size=3, max_size=3, unique=True))
        steps = dict(zip(some, ks, strict=False))
        start = draw(st.sampled_from([None, *squares]))
    return board, start, steps


def collection(board: kt.Board, start: Pair | None, steps: Steps) -> kt.Tours:
    return board.tours(closed=True, start=start).with_steps(steps)


def plain(tour: kt.Tour) -> tuple[Pair, ...]:
    assert tour.is_closed
    return tuple((row, col) for row, col in tour.squares)


@given(requests())
@settings(max_examples=250)
def test_every_answer_is_that_of_all_numberings(asked: tuple[kt.Board, Pair | None, Steps]) -> None:
    board, _, _ = asked
    expected = fitting(*asked)
    tours = collection(*asked)
    assert tours.count() == len(expected)
    for method in ("backtracking", "frontier"):
        try:
            assert tours.count(method=method) == len(expected)
        except kt.RequestError:
            assert method == "frontier"
    listed = [plain(tour) for tour in tours]
    assert len(listed) == len(expected)
    assert all(sum(squares in some for some in expected) == 1 for squares in listed)
    assert len({next(i for i, some in enumerate(expected) if squares in some) for squares in listed}) == len(listed)
    for options in ({}, {"seed": 5}, {"method": "backtracking"}, {"method": "backtracking", "order": "fixed"}):
        answer = tours.find(**options)
        if expected:
            assert isinstance(answer, kt.Found)
            assert any(plain(answer.tour) in some for some in expected)
        else:
            assert isinstance(answer, kt.Impossible)
    assert tours.is_unique() == (sum(map(len, expected)) == 1)
    for cycle in cycles(board)[:20]:
        is_member = any(cycle in map(tuple, numberings(some[0])) for some in expected)
        for numbered in (cycle, cycle[2:] + cycle[:2], cycle[::-1]):
            assert (kt.Tour(board, numbered, closed=True) in tours) == is_member
    if expected:
        assert len({plain(tours[i]) for i in range(min(len(expected), 40))}) == min(len(expected), 40)
        for i in range(0, len(expected), max(1, len(expected) // 5)):
            squares = plain(tours[i])
            assert squares in listed
            assert tours.index(kt.Tour(board, squares[3:] + squares[:3], closed=True)) == i
        assert {plain(tour) for tour in tours.sample(3, seed=1)} <= set(listed)


@given(requests(), st.data())
@settings(max_examples=150)
def test_symmetric_tours_and_classes(asked: tuple[kt.Board, Pair | None, Steps], data: st.DataObject) -> None:
    board, start, steps = asked
    expected = [frozenset(numberings(some[0])) for some in fitting(*asked)]
    tours = collection(*asked)

    def image(name: str, squares: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple(boards.move(name, square, board.rows, board.cols) for square in squares)

    name = data.draw(st.sampled_from(board.symmetries))
    symmetric = [some for some in expected if image(name, next(iter(some))) in some]
    assert tours.symmetric(name).count() == len(symmetric)
    assert sorted(plain(tour) for tour in tours.symmetric(name)) == sorted(
        plain(tour) for tour in tours if any(plain(tour) in some for some in symmetric)
    )
    # The symmetries that leave what is asked as it is, begun elsewhere or the other way round.
    placed = {**steps, **({} if start is None else {start: 0})}
    count = len(board)

    def keeps(name: str) -> bool:
        moved = {boards.move(name, square, board.rows, board.cols): step for square, step in placed.items()}
        turned = [{s: (sign * k + by) % count for s, k in moved.items()} for sign in (1, -1) for by in range(count)]
        return placed in turned or len(placed) == 1

    kept = [name for name in board.symmetries if keeps(name)]
    classes = {frozenset(frozenset(numberings(image(name, next(iter(some))))) for name in kept) for some in expected}
    distinct = tours.distinct()
    assert distinct.count() == len(classes)
    listed = [plain(tour) for tour in distinct]
    assert len(listed) == len(classes)
    for squares in listed:
        own = frozenset(numberings(squares))
        assert sum(own in some for some in classes) == 1
        assert squares in [plain(tour) for tour in tours]


@pytest.mark.parametrize(
    ("start", "steps"),
    [
        ("a1", {"a1": 0, "c2": 1}),
        ("a1", {"a1": 0, "b3": 1}),
        (None, {"d4": 0, "e6": 1}),
        (None, {"d4": 0, "e6": 1, "f8": 2}),
        (None, {"h8": 17}),
        (None, {"a1": 63, "c2": 0}),
        (None, {"a1": 3, "h8": 35}),
    ],
)
def test_some_first_square_and_direction(start: str | None, steps: dict[str, int]) -> None:
    tours = kt.Board(8).tours(closed=True, start=start).with_steps(steps)
    answer = tours.find()
    assert isinstance(answer, kt.Found)
    assert all(answer.tour.step_at(square) == step for square, step in steps.items())
    assert answer.tour in tours
    assert answer.tour.reversed() in tours


def test_a_path_that_a_tour_begins_with_is_counted_by_the_sweep() -> None:
    # Each tour visits a1 from b3 to c2 or the other way, and a closed tour is numbered in either.
    tours = kt.Board(6).tours(closed=True)
    assert tours.with_steps({"b3": 0, "a1": 1, "c2": 2}).count(method="frontier") == 9862
    for k in range(2, 6):
        some = list(itertools.islice(kt.solve(6, closed=True).squares, k))
        begun = tours.with_steps({square: step for step, square in enumerate(some)})
        assert begun.count(method="frontier") == begun.count(method="backtracking") > 0


def test_contradictions_are_refused_whatever_is_asked() -> None:
    tours = kt.Board(6).tours(closed=True, start="a1")
    for steps in ({"b3": 0}, {"a1": 5}, {"a1": 0, "b3": 1, "c2": 2}):
        never = tours.with_steps(steps)
        assert isinstance(never.find(), kt.Impossible)
        assert never.count() == 0
        assert never.distinct().count() == 0
        assert never.symmetric("half-turn").count() == 0
        assert list(never) == list(never.symmetric("half-turn")) == list(never.distinct()) == []
