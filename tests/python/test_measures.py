"""Measures of tours against their definitions, taken at their word by a plain program."""

import math
import random
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest

import knightstour as kt


def moves(tour: kt.Tour) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each move begins and what it adds, the closing move included; on joined edges the short way."""
    squares = list(tour.squares)
    after = squares[1:] + (squares[:1] if tour.is_closed else [])
    board = tour.board

    def way(start: int, stop: int, side: int, joined: bool) -> int:
        ways = [stop - start + lap for lap in ((-side, 0, side) if joined else (0,))]
        return min(ways, key=abs)

    rows, cols = board.wrap in {"rows", "both"}, board.wrap in {"cols", "both"}
    return [
        ((a.row, a.col), (way(a.row, b.row, board.rows, rows), way(a.col, b.col, board.cols, cols)))
        for a, b in zip(squares, after, strict=False)
    ]


def crossings(tour: kt.Tour) -> int:
    """Every pair of moves, and where edges are joined every image of the second that could be near."""
    board = tour.board
    down = (-board.rows, 0, board.rows) if board.wrap in {"rows", "both"} else (0,)
    right = (-board.cols, 0, board.cols) if board.wrap in {"cols", "both"} else (0,)

    def side(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> int:
        area = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        return (area > 0) - (area < 0)

    def cross(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
        return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0

    found = 0
    for (a, by), (c, to) in combinations(moves(tour), 2):
        b = (a[0] + by[0], a[1] + by[1])
        for rows in down:
            for cols in right:
                image = (c[0] + rows, c[1] + cols)
                found += cross(a, b, image, (image[0] + to[0], image[1] + to[1]))
    return found


def angles(tour: kt.Tour) -> dict[float, int]:
    """By the law of cosines, in degrees to two decimals; angles that do not occur left out."""
    steps = [by for _, by in moves(tour)]
    pairs = zip(steps, steps[1:] + (steps[:1] if tour.is_closed else []), strict=False)
    found: dict[float, int] = {}
    for before, after in pairs:
        cosine = -(before[0] * after[0] + before[1] * after[1]) / math.hypot(*before) / math.hypot(*after)
        angle = round(math.degrees(math.acos(max(-1.0, min(1.0, cosine)))), 2)
        found[angle] = found.get(angle, 0) + 1
    return found


def check(tour: kt.Tour) -> None:
    steps = [by for _, by in moves(tour)]
    pairs = list(zip(steps, steps[1:] + (steps[:1] if tour.is_closed else []), strict=False))
    assert tour.turns == sum(a != b for a, b in pairs)
    assert {angle: count for angle, count in tour.angles.items() if count} == angles(tour)
    assert sum(tour.angles.values()) == len(pairs)
    assert sum(tour.slopes.values()) == len(steps)
    for (down, right), count in tour.slopes.items():
        assert count == sum(by in {(down, right), (-down, -right)} for by in steps)
    assert tour.crossings == crossings(tour)
    numbers = {square: step for step, square in enumerate(tour.squares, 1)}
    rows = [sum(n for s, n in numbers.items() if s.row == row) for row in range(tour.board.rows)]
    cols = [sum(n for s, n in numbers.items() if s.col == col) for col in range(tour.board.cols)]
    assert (list(tour.row_sums), list(tour.column_sums)) == (rows, cols)
    assert tour.is_semimagic == (len(set(rows)) == len(set(cols)) == 1)


BOARDS = [
    kt.Board(1),
    kt.Board(3, 4),
    kt.Board(5),
    kt.Board(6),
    kt.Board(12, 17),
    kt.Board.parse("...\n.#.\n..."),
    kt.Board(8, blocked=["d4", "e6", "h8", "a8"]),
    kt.Board(10, leaper=(2, 3)),
    kt.Board(5, 6, leaper=(0, 1)),
    kt.Board(5, 6, wrap="both"),
    kt.Board(6, 5, wrap="cols"),
    kt.Board(7, 8, leaper=(2, 3), wrap="both"),
]


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_every_measure_by_its_definition(board: kt.Board) -> None:
    for closed in (False, True):
        for tour in islice(board.tours(closed=closed), 5):
            check(tour)
        for seed in range(3):
            match board.tours(closed=closed).find(seed=seed, node_limit=100_000):
                case kt.Found(tour):
                    check(tour)


@pytest.mark.parametrize("seed", range(5))
def test_random_boards(seed: int) -> None:
    rng = random.Random(seed)
    checked = 0
    while checked < 3:
        rows, cols = rng.randint(3, 9), rng.randint(3, 9)
        holes = {(rng.randrange(rows), rng.randrange(cols)) for _ in range(rng.randint(0, 3))}
        leaper = rng.choice([(1, 2), (1, 2), (1, 4), (2, 3), (1, 1)])
        wrap: Any = rng.choice([None, None, "rows", "cols", "both"])
        board = kt.Board(rows, cols, blocked=holes, leaper=leaper, wrap=wrap)
        match board.tours(closed=rng.random() < 0.5).find(node_limit=20_000):
            case kt.Found(tour):
                if min(rows if wrap in {"rows", "both"} else 99, cols if wrap in {"cols", "both"} else 99) > 8:
                    check(tour)
                    checked += 1


def test_measures_do_not_depend_on_where_a_closed_tour_is_seen_from() -> None:
    tour = kt.solve(8, closed=True)
    for image in (tour.reversed(), tour.transformed("transpose"), tour.transformed("quarter-turn")):
        assert (image.turns, image.crossings, image.angles) == (tour.turns, tour.crossings, tour.angles)


def test_published_tours() -> None:
    # William Beverley 1848, the first semimagic tour; its diagonals sum to 210 and 282.
    text = """
        1 30 47 52  5 28 43 54
       48 51  2 29 44 53  6 27
       31 46 49  4 25  8 55 42
       50  3 32 45 56 41 26  7
       33 62 15 20  9 24 39 58
       16 19 34 61 40 57 10 23
       63 14 17 36 21 12 59 38
       18 35 64 13 60 37 22 11
    """
    tour = kt.Tour.parse(text)
    assert tour.row_sums == tour.column_sums == (260,) * 8
    assert tour.is_semimagic
    assert not tour.is_magic
    # An open path without crossings has at most 35 moves on 8x8, so that every tour has some.
    assert tour.crossings > 0


def test_short_joined_sides_are_refused() -> None:
    tour = kt.solve(kt.Board(4, wrap="both"), closed=True)
    for name in ("turns", "crossings", "angles", "slopes"):
        with pytest.raises(kt.RequestError, match=r"more than 4 squares.*4x4 board"):
            getattr(tour, name)
    assert sum(tour.row_sums) == 136


@pytest.mark.parametrize(("board", "closed"), [(kt.Board(6), True), (kt.Board(5), False), (BOARDS[6], False)])
def test_batches_are_measured_tour_by_tour(board: kt.Board, closed: bool) -> None:
    tours = list(islice(board.tours(closed=closed), 300))
    squares = np.array([np.asarray(tour) for tour in tours])
    table = kt.measures(squares, board=board, closed=closed)
    assert list(table) == [
        "turns", "angles", "slopes", "crossings", "row_sums", "column_sums", "is_semimagic", "is_magic",
    ]  # fmt: skip
    assert table["turns"].tolist() == [tour.turns for tour in tours]
    assert table["crossings"].tolist() == [tour.crossings for tour in tours]
    assert table["angles"].tolist() == [list(tour.angles.values()) for tour in tours]
    assert table["slopes"].tolist() == [list(tour.slopes.values()) for tour in tours]
    assert table["row_sums"].tolist() == [list(tour.row_sums) for tour in tours]
    assert table["column_sums"].tolist() == [list(tour.column_sums) for tour in tours]
    assert table["is_semimagic"].tolist() == [tour.is_semimagic for tour in tours]
    assert table["is_magic"].tolist() == [tour.is_magic for tour in tours]
    some = kt.measures(squares[:0], "is_magic", "crossings", board=board, closed=closed)
    assert {name: array.shape for name, array in some.items()} == {"is_magic": (0,), "crossings": (0,)}


def test_a_batch_knows_its_board() -> None:
    tours = kt.Board(5, 6).tours(closed=True)
    [batch] = tours.batches(100)
    table = kt.measures(batch, "crossings", "turns", "is_magic")
    assert list(table) == ["crossings", "turns", "is_magic"]
    assert table["crossings"].tolist() == [crossings(tour) for tour in batch]
    assert table["turns"].tolist() == [tour.turns for tour in tours]
    assert not table["is_magic"].any()


def test_what_is_no_batch_of_tours_is_refused() -> None:
    board = kt.Board(5)
    good = np.asarray(kt.solve(5)).reshape(1, -1)
    bad = np.repeat(good, 3, axis=0)
    bad[2, [3, 4]] = bad[2, [4, 3]]
    with pytest.raises(kt.InvalidTourError, match="tour 2: step 3") as error:
        kt.measures(bad, "turns", board=board, closed=False)
    assert error.value.step == 3
    bad[1, 0] = 2**32 - 1
    with pytest.raises(kt.SquareError, match="tour 1: step 0"):
        kt.measures(bad, board=board, closed=False)
    with pytest.raises(kt.RequestError, match=r"shape \(tours, 25\)"):
        kt.measures(good[:, :-1].copy(), board=board, closed=False)
    with pytest.raises(kt.RequestError, match="uint32"):
        kt.measures(good.astype(np.int64), board=board, closed=False)
    with pytest.raises(kt.RequestError, match="'loops'"):
        kt.measures(good, "loops", board=board, closed=False)  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match="board="):
        kt.measures(good)
    with pytest.raises(kt.InvalidTourError, match="not a closed tour"):
        kt.measures(good, board=board, closed=True)


def test_crossings_are_linear_and_exact_on_a_large_board() -> None:
    # Cut into strips, a tour's crossings can be found by the plain program near each seam only; so compare
    # the measure with the same tour turned and mirrored, and its order of growth with the squares.
    small, large = kt.solve(100, closed=True), kt.solve(400, closed=True)
    assert large.crossings == large.transformed("anti-transpose").crossings
    assert 14 < large.crossings / small.crossings < 18


@pytest.mark.parametrize("closed", [False, True])
def test_lists_of_tours(closed: bool) -> None:
    tours = kt.Board(5, 6).tours(closed=closed)
    drawn = tours.sample(5, seed=1)
    for some in (drawn, tuple(drawn), list(drawn[:1])):
        table = kt.measures(some, "turns", "row_sums")
        assert table["turns"].tolist() == [tour.turns for tour in some]
        assert table["row_sums"].tolist() == [list(tour.row_sums) for tour in some]
    other = kt.Board(6, 5).tours(closed=closed).sample(1, seed=1)
    mixed = kt.Board(5, 6).tours(closed=not closed).sample(1, seed=1)
    for wrong in (drawn + other, drawn + mixed):
        with pytest.raises(kt.RequestError, match="one board"):
            kt.measures(wrong, "turns")
