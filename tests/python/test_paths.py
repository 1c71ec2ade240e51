"""Paths that visit some of the squares, the longest one, and where tours start and end."""

import pickle
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt
from knightstour.paths import FoundPath
from published import COUNTS

Pair = tuple[int, int]


def all_paths(graph: dict[Pair, list[Pair]], most: int) -> dict[int, list[tuple[Pair, ...]]]:
    """The judge: open paths by their number of squares, each in both directions."""
    paths: dict[int, list[tuple[Pair, ...]]] = {1: [(square,) for square in graph]}
    for length in range(2, most + 1):
        paths[length] = [(*path, to) for path in paths[length - 1] for to in graph[path[-1]] if to not in path]
    return paths


def small(most: int) -> st.SearchStrategy[kt.Board]:
    return boards.boards().filter(lambda board: len(board) <= most)


@given(small(11), st.data())
@settings(max_examples=150)
def test_paths_are_those_of_the_judge(board: kt.Board, data: st.DataObject) -> None:
    paths = all_paths(boards.graph(board), min(len(board), 7))
    squares = data.draw(st.sampled_from(sorted(paths)))
    expected = [path for path in paths[squares] if len(path) == squares]
    listed = [tuple(map(tuple, path.squares)) for path in board.paths(squares)]
    assert listed == sorted(expected)
    count = board.paths(squares=squares).count()
    assert count == len(expected)
    assert count.undirected == (len(expected) // 2 if squares > 1 else len(expected))
    ends = Counter((path[0], path[-1]) for path in expected)
    start = data.draw(st.sampled_from(list(board.squares)))
    end = data.draw(st.sampled_from(list(board.squares)))
    from_start = board.paths(squares, start=start)
    assert from_start.count() == sum(n for (a, _), n in ends.items() if a == start)
    if start != end or len(board) == 1:
        both = board.paths(squares, start=start, end=end)
        assert both.count() == ends[start, end] == sum(1 for _ in both)
        answer = both.find(node_limit=200_000)
        assert isinstance(answer, kt.Found if ends[start, end] else kt.Impossible)
        if isinstance(answer, kt.Found):
            assert answer.tour in both


def test_short_cycles_of_a_large_board() -> None:
    """Each is looked for near its first square: a pass over the board for each square would take minutes."""
    # Four moves a, b, -a, -b in four places each; those of 3x3, 2x4, 4x2 and such boxes are counted on small boards.
    small, large = (kt.Board(size).paths(4, closed=True).count().value for size in (12, 300))
    steps = [kt.Board(size).paths(4, closed=True).count().value for size in (13, 14)]
    first, second = steps[0] - small, steps[1] - steps[0]
    assert large == small + 288 * first + (second - first) * 288 * 287 // 2


@given(small(11), st.data())
@settings(max_examples=100)
def test_cycles_are_those_of_the_judge(board: kt.Board, data: st.DataObject) -> None:
    graph = boards.graph(board)
    paths = all_paths(graph, min(len(board), 8))
    squares = data.draw(st.sampled_from(sorted(paths)))
    cycles = {
        frozenset(map(frozenset, pairwise((*path, path[0])))) for path in paths[squares] if path[0] in graph[path[-1]]
    }
    if squares < 3:
        cycles = set()
    listed = list(board.paths(squares, closed=True))
    assert {frozenset(map(frozenset, pairwise((*path, path[0])))) for path in listed} == cycles
    assert len(listed) == len(cycles) == board.paths(squares, closed=True).count()
    for path in listed:
        assert path.squares[0] == min(path.squares)
        assert path in board.paths(squares, closed=True)
    start = data.draw(st.sampled_from(list(board.squares)))
    through = board.paths(squares, closed=True, start=start)
    number = sum(any(start in edge for edge in cycle) for cycle in cycles)
    assert through.count() == number == sum(path.start == start for path in through)
    answer = board.paths(squares, closed=True).find(node_limit=200_000)
    assert isinstance(answer, kt.Found if cycles else kt.Impossible)


def published() -> list[tuple[int, int, int]]:
    """Side, squares of a path, and how many paths there are."""
    rows = (row for row in COUNTS if row.kind.startswith("directed_paths_with_k_vertices"))
    return [(row.rows, int(row.kind.partition(":")[2]), row.value) for row in rows]


@pytest.mark.parametrize(("size", "squares", "value"), published())
def test_counts_by_the_number_of_squares_are_the_published_ones(size: int, squares: int, value: int) -> None:
    assert kt.Board(size).paths(squares=squares).count() == value


def test_paths_of_all_squares_are_tours() -> None:
    board = kt.Board(3, 4)
    assert board.paths(12).count() == kt.count(board) == 16
    assert {tuple(path) for path in board.paths(12)} == {tuple(tour.squares) for tour in board.tours()}


def test_long_paths_of_large_boards_are_found() -> None:
    for squares in (2, 50, 150, 199, 200):
        answer = kt.Board(10, 20).paths(squares=squares, start="a1").find()
        assert isinstance(answer, kt.Found)
        assert len(answer.tour) == squares
        assert answer.tour in kt.Board(10, 20).paths(squares=squares, start="a1")
    found = kt.Board(16).paths(squares=200, closed=True).find(seed=3)
    assert isinstance(found, FoundPath)
    assert found.tour.tour.is_closed
    assert found == kt.Board(16).paths(squares=200, closed=True).find(seed=3)


def test_a_path_shows_itself() -> None:
    path = next(iter(kt.Board(3, 4).paths(squares=5, start="a1")))
    assert isinstance(path, kt.Path)
    assert str(path).replace("\n", " ").split().count(".") == 7
    assert [len(row.split()) for row in str(path).splitlines()] == [4, 4, 4]
    assert path.start == path[0] == (2, 0)
    assert (len(path), list(path)) == (5, list(path.squares))
    assert path.tour.names() == path.names()
    assert pickle.loads(pickle.dumps(path)) == path
    paths = kt.Board(3, 4).paths(squares=5, start="a1")
    assert pickle.loads(pickle.dumps(paths)) == paths
    assert repr(paths) == "Board(3, 4).paths(squares=5, start='a1')"
    with pytest.raises(AttributeError):
        path.is_closed = True
    with pytest.raises(TypeError):
        bool(paths)


@pytest.mark.parametrize("squares", [0, -1, True, 2.5, "3", None])
def test_misuse(squares: Any) -> None:
    with pytest.raises(kt.RequestError, match="at least 1"):
        kt.Board(5).paths(squares)


def test_more_misuse() -> None:
    board = kt.Board(5)
    with pytest.raises(kt.RequestError):
        board.paths(5, closed=True, end="a1")
    with pytest.raises(kt.RequestError):
        board.paths(5, start="a1", end="a1")
    with pytest.raises(kt.SquareError):
        board.longest_path(start="h8")
    assert board.paths(26).count() == 0
    assert isinstance(board.paths(26).find(), kt.Impossible)


# --- the longest path -----------------------------------------------------------------------------------------


def test_4x4_has_a_path_of_15_squares() -> None:
    longest = kt.Board(4).longest_path()
    assert (len(longest.squares), longest.is_optimal, longest.upper_bound) == (15, True, 15)
    assert all(b in kt.Board(4).moves(a) for a, b in pairwise(longest.squares))


@given(small(10), st.data())
@settings(max_examples=60)
def test_the_longest_path_is_that_of_the_judge(board: kt.Board, data: st.DataObject) -> None:
    graph = boards.graph(board)
    best = dict.fromkeys(["free", "start", "both", "closed"], 0)
    start, end = (data.draw(st.sampled_from(list(board.squares))) for _ in "ab")
    stack: list[tuple[Pair, ...]] = [(square,) for square in graph]
    while stack and len(stack) < 200_000:
        path = stack.pop()
        best["free"] = max(best["free"], len(path))
        if path[0] == start:
            best["start"] = max(best["start"], len(path))
            if path[-1] == end:
                best["both"] = max(best["both"], len(path))
        if len(path) >= 3 and path[0] in graph[path[-1]]:
            best["closed"] = max(best["closed"], len(path))
        stack += [(*path, to) for to in graph[path[-1]] if to not in path]
    cases: list[tuple[str, dict[str, Any]]] = [("free", {}), ("start", {"start": start}), ("closed", {"closed": True})]
    if start != end:
        cases.append(("both", {"start": start, "end": end}))
    for name, options in cases:
        longest = board.longest_path(**options)
        assert longest.is_optimal, (board, options)
        assert len(longest.squares) == longest.upper_bound == best[name], (board, options)
        squares = longest.squares
        assert len(set(squares)) == len(squares)
        assert all(b in graph[a] for a, b in pairwise(squares))
        if "start" in options and squares:
            assert squares[0] == start
        if "end" in options and squares:
            assert squares[-1] == end


def test_longest_paths_of_large_boards() -> None:
    board = kt.Board(20, blocked=["a1", "c3", "e5", "b2", "d4", "h8"])
    longest = board.longest_path()
    # One colour has 6 squares fewer.
    assert (len(longest.squares), longest.is_optimal) == (389, True)
    closed = board.longest_path(closed=True)
    assert (len(closed.squares), closed.is_optimal) == (388, True)
    stopped = kt.Board(9).longest_path(start="a2", end="a1", node_limit=10)
    assert len(stopped.squares) <= stopped.upper_bound
    assert not stopped.is_optimal or len(stopped.squares) == stopped.upper_bound
    # More than any limit allows is not begun.
    vast = kt.Board(2**15, 2**16).longest_path(memory_limit=10**6)
    assert (len(vast.squares), vast.is_optimal, vast.upper_bound) == (1, False, 2**31)


# --- where tours start and end --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "starts"),
    [
        *[(3, 4, 6), (3, 7, 10), (3, 8, 22), (3, 9, 14), (3, 10, 30), (4, 5, 10), (4, 6, 12), (4, 7, 14), (5, 5, 13)],
        *[(5, 6, 30), (6, 6, 36), (6, 8, 48), (8, 8, 64), (1, 1, 1)],
        *[(3, 3, 0), (2, 5, 0), (4, 4, 0), (3, 5, 0), (3, 6, 0)],
    ],
)
def test_starts_of_rectangles(rows: int, cols: int, starts: int) -> None:
    for board in (kt.Board(rows, cols), kt.Board(cols, rows)):
        assert len(board.start_squares()) == starts
    if rows * cols <= 25:
        table = kt.Board(rows, cols).tours().starts()
        assert kt.Board(rows, cols).start_squares() == {square for square, number in table.items() if number}
    if (rows, cols) == (3, 4):
        assert kt.Board(3, 4).start_squares() == {(row, col) for row in range(3) for col in (0, 3)}


@given(small(13), st.data())
@settings(max_examples=60)
def test_ends_are_those_of_the_judge(board: kt.Board, data: st.DataObject) -> None:
    pairs = set()
    for number, tour in enumerate(bruteforce.open_tours(boards.graph(board))):
        pairs.add((tour[0], tour[-1]))
        if number == 3000:
            return
    assert board.start_squares() == {start for start, _ in pairs}
    start = data.draw(st.sampled_from(list(board.squares)))
    assert board.end_squares(start) == {end for first, end in pairs if first == start}


@pytest.mark.parametrize(("cols", "legal", "fail"), [(5, 60, 32), (6, 135, 36), (7, 102, 0), (8, 240, 28), (9, 176, 0)])
def test_ends_of_boards_with_a_side_of_5(cols: int, legal: int, fail: int) -> None:
    """Published: of the pairs of ends that the colours allow, with a start in one quadrant, these have no tour."""
    board = kt.Board(5, cols)
    pairs = none = 0
    for start in [(row, col) for row in range(3) for col in range((cols + 1) // 2)]:
        if len(board) % 2 and sum(start) % 2:
            assert not board.end_squares(start)
            continue
        fitting = {end for end in board.squares if end != start and (sum(end) - sum(start) + len(board)) % 2}
        ends = board.end_squares(start)
        assert ends <= fitting
        pairs += len(fitting)
        none += len(fitting - ends)
    assert (pairs, none) == (legal, fail)


def test_ends_of_large_boards() -> None:
    board = kt.Board(24, blocked=["a1", "b1"])
    assert board.start_squares() == frozenset(board.squares)
    with pytest.raises(kt.LimitReachedError):
        kt.Board(5, 12).start_squares(node_limit=1)
    with pytest.raises(kt.SquareError):
        board.end_squares("a1")


def test_the_longest_path_of_a_large_rectangle_is_a_tour() -> None:
    """The bound on the length was sought first, which took minutes."""
    longest = kt.Board(600).longest_path(node_limit=10_000_000)
    assert longest.is_optimal
    assert len(kt.Tour(kt.Board(600), longest.squares)) == longest.upper_bound == 360_000


def greedy_walk(board: kt.Board, asked: dict[str, Any], steps: int) -> int:
    """The most squares of walks by Warnsdorff's rule, ties by chance; a given number of moves is made."""
    rng = random.Random(2)
    squares = list(board.squares)
    moves = {square: list(board.moves(square)) for square in squares}
    best = 0
    while steps > 0:
        path = [asked.get("start") or rng.choice(squares)]
        visited = {path[0], asked.get("end")}
        while onward := [to for to in moves[path[-1]] if to not in visited]:
            steps -= 1
            path.append(min(onward, key=lambda to: (sum(one not in visited for one in moves[to]), rng.random())))
            visited.add(path[-1])
        steps -= 1
        if asked.get("closed"):
            ends = [place + 1 for place in range(2, len(path)) if path[0] in moves[path[place]]]
        elif asked.get("end") is not None:
            ends = [place + 2 for place in range(len(path)) if asked["end"] in moves[path[place]]]
        else:
            ends = [len(path)]
        best = max(best, *ends, 0)
    return best


def holed(rows: int, cols: int, share: float, **options: Any) -> kt.Board:
    rng = random.Random(rows)
    blocked = [(row, col) for row in range(rows) for col in range(cols) if rng.random() < share]
    return kt.Board(rows, cols, blocked=blocked, **options)


@pytest.mark.parametrize(
    ("board", "asked"),
    [
        (holed(200, 200, 0.05), {}),
        (holed(200, 200, 0.05), {"closed": True}),
        (holed(30, 30, 0.2), {}),
        (holed(30, 30, 0.2), {"closed": True}),
        (holed(40, 40, 0.1), {"start": 7}),
        (holed(40, 40, 0.1), {"end": 7}),
        (holed(40, 40, 0.1), {"start": 3, "end": 99}),
        (holed(12, 12, 0.3), {"closed": True, "start": 20}),
        (holed(15, 15, 0, leaper=(2, 5)), {}),
        (holed(50, 50, 0.04, leaper=(2, 3)), {"closed": True}),
        (holed(20, 20, 0.1, wrap="both", leaper=(1, 3)), {}),
        (holed(20, 20, 0.1, leaper=(1, 1)), {"closed": True}),
    ],
    ids=[
        "200",
        "200 closed",
        "30",
        "30 closed",
        "start",
        "end",
        "both ends",
        "closed from",
        "leaper",
        "closed leaper",
        "torus",
        "bishop",
    ],
)
def test_a_limit_leaves_more_than_greedy_walks_find(board: kt.Board, asked: dict[str, Any]) -> None:
    squares = list(board.squares)
    asked = {name: value if name == "closed" else squares[value] for name, value in asked.items()}
    least = greedy_walk(board, asked, 20_000)
    nodes = max(20_000, 100 * len(board))
    limited: list[dict[str, Any]] = [{"node_limit": nodes}, {"node_limit": nodes, "memory_limit": 250 * len(board)}]
    for limits in limited:
        longest = board.longest_path(**asked, **limits)
        path = longest.squares
        assert least <= len(path) <= longest.upper_bound, (least, len(path))
        assert len(set(path)) == len(path)
        assert all(b in board.moves(a) for a, b in pairwise(path))
        if asked.get("closed"):
            assert not path or path[0] in board.moves(path[-1])
            assert asked.get("start") in {None, *path}
        else:
            assert asked.get("start") in {None, path[0]}
            assert asked.get("end") in {None, path[-1]}


def test_a_memory_limit_leaves_a_long_path() -> None:
    board = holed(60, 60, 0.05)
    found = board.longest_path(memory_limit=300 * len(board))
    assert (found.limit, found.is_optimal) == ("memory", False)
    assert len(found.squares) > 0.9 * len(board)
