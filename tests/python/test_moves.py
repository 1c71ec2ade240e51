"""Use of moves: judged by listing."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

import knightstour as kt


def listed(tours: kt.Tours) -> tuple[int, Counter[tuple[kt.Square, kt.Square]]]:
    """How many tours there are, and how many use each move, one tour after another."""
    total, counts = 0, Counter[tuple[kt.Square, kt.Square]]()
    for tour in tours:
        total += 1
        squares = list(tour)
        counts.update(sorted_pair(*pair) for pair in pairwise([*squares, *squares[: tour.is_closed]]))
    return total, counts


def sorted_pair(a: kt.Square, b: kt.Square) -> tuple[kt.Square, kt.Square]:
    return (a, b) if a < b else (b, a)


SIX, CYLINDER = kt.Board(6), kt.Board(4, 5, wrap="cols")

ASKED = [
    SIX.tours(closed=True),
    SIX.tours(closed=True, start="a1"),
    SIX.tours(closed=True).symmetric("half-turn"),
    SIX.tours(closed=True).symmetric("quarter-turn"),
    SIX.tours(closed=True).including(("c3", "d5")).excluding(("a2", "b4")),
    kt.Board(5, 6).tours(closed=True),
    kt.Board(5, 6).tours(closed=True).symmetric("half-turn"),
    kt.Board(5).tours(),
    kt.Board(5).tours(start="a1"),
    kt.Board(5).tours().with_steps({"c3": 24}),
    kt.Board(3, 8).tours(),
    kt.Board(4, 5).tours(start="a1", end="b1"),
    kt.Board(1).tours(),
    kt.Board(2).tours(),
    kt.Board(4).tours(closed=True),
    kt.Board(4, leaper=(0, 1)).tours(closed=True),
    CYLINDER.tours(closed=True),
    CYLINDER.tours(closed=True).symmetric("half-turn"),
    kt.Board(4, wrap="both").tours(closed=True),
]


@pytest.mark.parametrize("tours", ASKED, ids=repr)
def test_they_are_those_of_all_tours(tours: kt.Tours) -> None:
    counts = tours.move_counts()
    total, expected = listed(tours)
    assert counts.total == total
    assert dict(counts) == {move: expected[move] for move in counts}
    assert expected.keys() <= counts.keys()
    board = tours.board
    assert [*counts] == sorted((a, b) for a in board for b in board.moves(a) if a < b)


def test_random_boards() -> None:
    rng, with_tours = random.Random(5), 0
    for _ in range(80):
        rows, cols = rng.randint(3, 4), rng.randint(3, 6)
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        blocked = rng.sample(cells, rng.randint(0, 2))
        board = kt.Board(rows, cols, blocked=blocked, wrap=None if rng.random() < 0.7 else "cols")
        tours = board.tours(closed=rng.random() < 0.5)
        if tours.count() > 3_000:
            continue
        counts, (total, expected) = tours.move_counts(), listed(tours)
        with_tours += total > 0
        assert (counts.total, dict(counts)) == (total, {move: expected[move] for move in counts}), tours
    assert with_tours > 15


def test_looking_up_and_drawing() -> None:
    counts = SIX.tours(closed=True).move_counts()
    # The corners have two moves, which all tours use.
    assert counts["a1", "b3"] == counts["b3", "a1"] == counts[(5, 0), (3, 1)] == 9862
    for square in SIX:
        assert sum(counts[square, other] for other in SIX.moves(square)) == 2 * 9862
    with pytest.raises(KeyError):
        counts["a1", "b1"]
    for wrong in ("a1", 5, ("a1",), ("a1", "b3", "c5")):
        with pytest.raises(kt.RequestError, match=r"^a move must be a pair of squares"):
            counts[wrong]
    with pytest.raises(kt.SquareError):
        counts["a1", "z9"]
    picture = counts.svg(size=300, title="Use of moves")
    widths = {float(width) for width in re.findall(r'class="move"[^>]*stroke-width="([^"]+)"', picture)}
    assert len(re.findall('class="move"', picture)) == sum(count > 0 for count in counts.values())
    assert len(widths) > 3
    assert "Use of moves" in picture
    assert repr(counts) == "<MoveCounts: 80 moves of the 6x6 board, 9,862 tours>"


def test_limits_and_misuse() -> None:
    with pytest.raises(
        kt.RequestError, match=r"^move_counts\(\) tells of tours; it cannot be combined with distinct\(\)$"
    ):
        SIX.tours(closed=True).distinct().move_counts()
    for limit in ({"time_limit": 0.0}, {"memory_limit": 1000}):
        with pytest.raises(kt.LimitReachedError):
            kt.Board(7, 8).tours(closed=True).move_counts(**limit)
    told: list[kt.Progress] = []
    kt.Board(5, 6).tours().including(("c3", "d5")).move_counts(progress=told.append, threads=1)
    assert all(p.message.startswith("move ") and p.total is not None and p.done <= p.total for p in told)
