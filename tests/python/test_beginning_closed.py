"""Closed tours that begin with given squares, in one direction or the other."""

from __future__ import annotations

import random

import pytest

import boards
import bruteforce
import knightstour as kt
from test_beginning import Pair, random_board, random_path


def cycles(graph: dict[Pair, list[Pair]], most: int = 4000) -> list[list[Pair]] | None:
    """All closed tours, from the first square, in one direction each; none where they are too many."""
    first = min(graph)
    found = []
    for number, tour in enumerate(bruteforce.open_tours(graph, first)):
        if number == most:
            return None
        if len(tour) >= 3 and first in graph[tour[-1]] and tour[1] < tour[-1]:
            found.append(tour)
    return found


def begins(cycle: list[Pair], path: list[Pair]) -> bool:
    """Whether it can be numbered so that it begins with the path."""
    at = cycle.index(path[0])
    turned = cycle[at:] + cycle[:at]
    return path in (turned[: len(path)], [turned[0], *turned[:0:-1]][: len(path)])


def test_they_are_those_of_the_judge() -> None:
    rng = random.Random(8)
    met = set()
    for _ in range(500):
        board = random_board(rng)
        graph = boards.graph(board)
        tours = cycles(graph)
        if tours is None:
            continue
        path = random_path(rng, graph)
        if tours and rng.random() < 0.8:
            tour = rng.choice(tours)
            at = rng.randrange(len(tour))
            path = (tour[at:] + tour[:at])[: rng.randint(1, len(tour))]
            if rng.random() < 0.5:
                path = path[::-1]
        expected = [tour for tour in tours if begins(tour, path)]
        begun = board.tours(closed=True).beginning(path)
        met.add((min(len(expected), 2), min(len(path), 3), len(path) == len(graph)))
        assert begun.count() == len(expected), (board, path)
        answer = begun.find()
        assert isinstance(answer, kt.Found if expected else kt.Impossible), (board, path)
        wanted = {kt.Tour(board, tour, closed=True).canonical() for tour in expected}
        if isinstance(answer, kt.Found):
            assert answer.tour.canonical() in wanted
            assert answer.tour in begun
            assert list(answer.tour.squares[: len(path)]) == path
        listed = list(begun)
        assert len(listed) == len(expected)
        assert all(list(tour.squares[: len(path)]) == path for tour in listed)
        assert {tour.canonical() for tour in listed} == wanted
        for tour in tours[:5]:
            assert (kt.Tour(board, tour, closed=True) in begun) is (tour in expected)
        if expected:
            assert {begun.index(begun[number]) for number in range(len(expected))} == set(range(len(expected)))
    assert len(met) >= 7, met


def test_either_direction_fits() -> None:
    """Of the 9862 closed tours of 6x6, each uses both moves at the corner."""
    board = kt.Board(6)
    for path in (["a1"], ["a1", "b3"], ["a1", "c2"], ["b3", "a1", "c2"], ["c2", "a1", "b3"]):
        assert board.tours(closed=True).beginning(path).count() == 9862
    with pytest.raises(kt.RequestError):
        board.tours(closed=True, start="a2").beginning(["a1", "b3"])


def test_long_beginnings_cost_nothing() -> None:
    for size, squares in ((8, 40), (32, 1000), (100, 9960)):
        board = kt.Board(size)
        path = kt.solve(board, closed=True).squares[:squares]
        begun = board.tours(closed=True).beginning(path)
        assert isinstance(begun.find(node_limit=10**6), kt.Found)
        assert begun.count(node_limit=10**7) >= 1
