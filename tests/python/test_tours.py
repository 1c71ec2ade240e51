"""The collection of tours: found, counted, listed, proven impossible, stopped."""

import itertools
import math
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt
from published import COUNTS, Row, published

REASON_CODES = [
    "too-small",
    "steps",
    "included-excluded",
    "too-many-included",
    "included-cycle",
    "ends-joined",
    "colour",
    "schwenk",
    "cull-de-curtins",
    "four-rows",
    "leaper",
    "too-few-moves",
    "pieces",
    "graph-colour",
    "cut",
    "forced",
    "shortage",
    "symmetry",
    "exhausted",
]


def both_ways_round(kind: str) -> list[tuple[int, int, int]]:
    found = {(rows, cols): value for rows, cols, value in published(kind)}
    found |= {(cols, rows): value for (rows, cols), value in found.items()}
    return [(rows, cols, value) for (rows, cols), value in sorted(found.items())]


# --- counts ----------------------------------------------------------------------------------------------


def within_reach(rows: int, cols: int, value: int) -> bool:
    """What backtracking counts in a moment."""
    return value <= 2_000_000 and rows * cols <= 42


@pytest.mark.parametrize(("rows", "cols", "value"), both_ways_round("closed_undirected"))
def test_published_closed_counts(rows: int, cols: int, value: int) -> None:
    if not within_reach(rows, cols, value) and value != 0:
        # Beyond backtracking: at least one tour must be found.
        if rows * cols <= 400:
            assert isinstance(kt.Board(rows, cols).tours(closed=True).find(), kt.Found)
        return
    count = kt.Board(rows, cols).tours(closed=True).count()
    assert count == value
    assert (count.undirected, count.directed) == (value, 2 * value)


@pytest.mark.parametrize(("rows", "cols", "value"), both_ways_round("open_directed"))
def test_published_open_counts(rows: int, cols: int, value: int) -> None:
    if not within_reach(rows, cols, value):
        return
    count = kt.Board(rows, cols).tours().count(method="backtracking")
    assert count == value
    assert count.directed == value
    assert count.undirected == (value // 2 if rows * cols > 1 else 1)


@pytest.mark.parametrize(("rows", "cols", "value"), both_ways_round("open_undirected"))
def test_published_undirected_open_counts(rows: int, cols: int, value: int) -> None:
    if within_reach(rows, cols, value):
        assert kt.Board(rows, cols).tours().count().undirected == value


def test_all_of_6x6() -> None:
    assert kt.count(6) == 6_637_920
    assert kt.Board(6).tours().count(method="backtracking", threads=1).value == 6_637_920
    assert kt.count(6, closed=True) == 9862


@pytest.mark.parametrize("row", [row for row in COUNTS if row.kind.startswith("start_square_directed@")])
def test_published_counts_by_start(row: Row) -> None:
    square = tuple(int(part) for part in row.kind.partition("@")[2].split("_"))
    if row.rows * row.cols <= 36:
        assert kt.count(row.rows, row.cols, start=square) == row.value


def first_cells(row: Row) -> kt.Board:
    """The board of the first K cells of a board filled column by column."""
    rows, keep = row.rows, int(row.kind.partition(":")[2])
    cols = -(-keep // rows)
    return kt.Board(rows, cols, blocked=[(n % rows, n // rows) for n in range(keep, rows * cols)])


@pytest.mark.parametrize("row", [row for row in COUNTS if "first_cells_columnwise" in row.kind])
def test_published_shapes(row: Row) -> None:
    if row.value > 2_000_000 or int(row.kind.partition(":")[2]) > 40:
        return
    tours = first_cells(row).tours(closed=row.kind.startswith("closed"))
    assert tours.count().undirected == row.value


@pytest.mark.parametrize(("rows", "cols", "value"), published("torus_closed_undirected"))
def test_published_tori(rows: int, cols: int, value: int) -> None:
    board = kt.Board(rows, cols, wrap="both")
    if value <= 2_000_000:
        assert board.tours(closed=True).count() == value


def test_counts_by_start() -> None:
    table = kt.Board(5).tours().starts()
    orbits = {(0, 0): 304, (0, 2): 56, (1, 1): 56, (2, 2): 64, (0, 1): 0, (1, 2): 0}
    assert {square: table[kt.Square(*square)] for square in orbits} == orbits
    assert sum(table.values()) == 1728
    assert list(table) == list(kt.Board(5).squares)
    ending = kt.Board(5).tours(end="c3").starts()
    assert sum(ending.values()) == 64
    assert all(kt.count(5, start=square, end="c3") == tours for square, tours in ending.items() if square != (2, 2))
    assert ending[kt.Square(2, 2)] == 0
    with pytest.raises(kt.RequestError, match="closed"):
        kt.Board(5).tours(closed=True).starts()


def test_a_count_is_a_number() -> None:
    count = kt.Board(5).tours().count()
    assert count == 1728
    assert count != 1727
    assert 1727 < count <= 1728.0
    assert count >= kt.Board(5).tours().count()
    assert not count < 1728
    assert int(count) == 1728
    assert ("x" * 2000)[count:] == "x" * 272
    assert {1728: "here"}.get(anything.Board(5).tours().count()) == "here"
    assert f"{count:,} {count}" == "1,728 1728"
    assert repr(count) == "Count(value=1728, undirected=864, directed=1728, method='backtracking')"
    assert pickle.loads(pickle.dumps(count)).stats == count.stats
    with pytest.raises(AttributeError):
        count.value = 1
    with pytest.raises(TypeError):
        _ = count < "a"


def test_what_is_directed() -> None:
    tours = kt.Board(5).tours(start="a1")
    count = tours.count()
    assert (count.value, count.undirected, count.directed) == (304, 304, 304)
    one = kt.Board(1).tours().count()
    assert (one.value, one.undirected, one.directed) == (1, 1, 1)
    assert kt.Board(1).tours(closed=True).count() == 0


#: The package without its types, so that it can be called wrongly.
anything: Any = kt

#: Plain search, which gets lost on boards that have tours.
PLAIN: dict[str, Any] = {"method": "backtracking", "order": "fixed", "lookahead": "none"}

# --- found -----------------------------------------------------------------------------------------------


def test_every_start_of_the_chessboard() -> None:
    board = kt.Board(8)
    for square in board.squares:
        tour = kt.solve(board, start=square)
        assert tour.start == square
        assert sorted(tour.squares) == sorted(board.squares)


def test_every_pair_of_ends_of_opposite_colour() -> None:
    board = kt.Board(8)
    found = 0
    for start, end in itertools.product(board.squares, repeat=2):
        if sum(start) % 2 == 0 and sum(end) % 2 == 1:
            tour = kt.solve(board, start=start, end=end)
            assert (tour.start, tour.end, tour.is_closed) == (start, end, False)
            found += 1
    assert found == 1024


def test_closed_tours() -> None:
    tour = kt.solve(8, closed=True)
    assert tour.is_closed
    assert tour.start == (0, 0)
    assert kt.solve(8, closed=True, start="d4").start == kt.Board(8).square("d4")
    assert kt.solve(3, 10, closed=True).is_closed
    assert kt.solve(10, 3, closed=True).is_closed


def test_end_alone() -> None:
    tour = kt.solve(6, end="c3")
    assert kt.Board(6).name(tour.end) == "c3"


@pytest.mark.parametrize("size", [15, 26, 27, 32, 35, 50, 76, 200])
def test_corners_of_boards_that_stop_the_greedy_rule(size: int) -> None:
    assert len(kt.solve(size, start=(0, 0))) == size * size


def test_20_starts_of_325x325() -> None:
    board = kt.Board(325)
    for n in range(20):
        row, col = 17 * n % 325, 57 * n % 325
        assert kt.solve(board, start=(row, col - (row + col) % 2)).board == board


def test_the_49_squares_of_7x7() -> None:
    results = [kt.Board(7).tours(start=square).find() for square in kt.Board(7).squares]
    assert sum(isinstance(result, kt.Found) for result in results) == 25
    assert all(result.reason.code == "colour" for result in results if isinstance(result, kt.Impossible))


@pytest.mark.parametrize(
    ("rows", "cols", "starts"),
    [
        (3, 4, 6), (3, 7, 10), (3, 8, 22), (3, 9, 14), (3, 10, 30), (4, 5, 10), (4, 6, 12), (4, 7, 14), (5, 5, 13),
        (5, 6, 30), (6, 6, 36), (7, 3, 10), (8, 6, 48), (8, 8, 64),
    ],
)  # fmt: skip
def test_squares_on_which_a_tour_starts(rows: int, cols: int, starts: int) -> None:
    board = kt.Board(rows, cols)
    outcomes = [board.tours(start=square).find() for square in board.squares]
    assert sum(isinstance(outcome, kt.Found) for outcome in outcomes) == starts
    assert all(isinstance(outcome, (kt.Found, kt.Impossible)) for outcome in outcomes)


def test_a_seed_varies_and_repeats() -> None:
    tours = kt.Board(8).tours()
    found: list[Any] = [tours.find(seed=seed) for seed in range(20)]
    again: list[Any] = [tours.find(seed=seed, threads=2) for seed in range(20)]
    assert [f.tour for f in found] == [f.tour for f in again]
    assert [f.stats for f in found] == [f.stats for f in again]
    assert len({f.tour for f in found}) == 20
    assert len({f.tour.start for f in found}) > 10
    assert tours.find() == tours.find(threads=3)


def test_3x3_without_its_centre() -> None:
    board = kt.Board(3, blocked=["b2"])
    assert all(isinstance(board.tours(start=square).find(), kt.Found) for square in board.squares)
    assert board.tours(closed=True).count() == 1


# --- strategies ------------------------------------------------------------------------------------------

STRATEGIES: list[dict[str, Any]] = [
    {"order": order, "lookahead": lookahead, "ties": ties}
    for order in ("fixed", "warnsdorff")
    for lookahead in ("none", "dead-ends", "forced", "full")
    for ties in ((None,) if order == "fixed" else ("first", "random", "outward", "pohl"))
]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_what_there_is(strategy: dict[str, Any]) -> None:
    tours = kt.Board(5).tours(start=(0, 0))
    found = tours.find(method="backtracking", **strategy)
    assert isinstance(found, kt.Found)
    assert found.tour in tours
    # A pair of ends of 5x5 that the colours allow and that has no tour.
    none = kt.Board(5).tours(start=(0, 0), end=(0, 2)).find(method="backtracking", **strategy)
    assert (kt.count(5, start=(0, 0), end=(0, 2)) == 0) == isinstance(none, kt.Impossible)


def test_look_ahead_saves_nodes() -> None:
    """The classic lesson, in nodes: each look-ahead visits no more of the tree than the one before it."""
    nodes = []
    for lookahead in ("none", "dead-ends", "forced", "full"):
        found = (
            kt.Board(6)
            .tours(start=(0, 0))
            .find(method="backtracking", order="fixed", lookahead=lookahead, node_limit=30_000_000)
        )
        nodes.append(found.stats.nodes)
        assert found.stats.greatest_depth <= 36
        assert found.stats.backtracks <= found.stats.nodes
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[0] > 100 * nodes[2]


# --- impossible ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "asked", "code"),
    [
        (kt.Board(5), {"start": (0, 1)}, "colour"),
        (kt.Board(5), {"closed": True}, "colour"),
        (kt.Board(4), {}, "cull-de-curtins"),
        (kt.Board(4), {"closed": True}, "schwenk"),
        (kt.Board(3), {}, "cull-de-curtins"),
        (kt.Board(3, 5), {}, "cull-de-curtins"),
        (kt.Board(3, 6), {}, "cull-de-curtins"),
        (kt.Board(2, 8), {}, "cull-de-curtins"),
        (kt.Board(1, 5), {}, "cull-de-curtins"),
        (kt.Board(3, 8), {"closed": True}, "schwenk"),
        (kt.Board(4, 9), {"start": (1, 3)}, "four-rows"),
        (kt.Board(9, leaper=(1, 3)), {}, "colour"),
        (kt.Board(1), {"closed": True}, "too-small"),
        (kt.Board(2**15, 2**16 - 1), {"start": (0, 0), "end": (0, 2)}, "colour"),
        (kt.Board(2**15 - 1, 2**16 - 1), {"closed": True}, "colour"),
        (kt.Board(2, 2**30), {}, "cull-de-curtins"),
        (kt.Board(5, 5, blocked=["a1", "a3", "a5"]), {}, "colour"),
    ],
)
def test_reasons(board: kt.Board, asked: dict[str, Any], code: str) -> None:
    tours = board.tours(**asked)
    result = tours.find()
    assert isinstance(result, kt.Impossible)
    assert result.reason.code in REASON_CODES
    assert (result.reason.code == code) or (code == "colour" and result.reason.code in ("leaper", "colour"))
    assert result.reason.text
    assert result.stats.method == "theorem"
    assert tours.count() == 0
    assert next(iter(tours), None) is None
    with pytest.raises(kt.NoTourError) as caught:
        kt.solve(board, **asked)
    assert caught.value.reason == result.reason
    assert isinstance(caught.value, LookupError)


def test_every_square_of_4x4() -> None:
    for square in kt.Board(4).squares:
        assert isinstance(kt.Board(4).tours(start=square).find(), kt.Impossible)


def test_exhaustion_is_a_proof() -> None:
    """Colours allow all these ends of 3x7; what no theorem rules out, the search does, and plain search agrees."""
    board = kt.Board(3, 7)
    table = boards.graph(board)
    codes = set()
    for end in [(0, 0), (0, 2), (1, 3), (1, 5), (2, 6)]:
        result = board.tours(start=(1, 1), end=end).find()
        assert isinstance(result, kt.Impossible) == all(
            tour[-1] != end for tour in bruteforce.open_tours(table, (1, 1))
        )
        codes |= {result.reason.code} if isinstance(result, kt.Impossible) else {"found"}
    assert "exhausted" in codes


# --- stopped ---------------------------------------------------------------------------------------------

#: No tour is known to be absent here by theorem, and the search takes far longer than any test.
ENDLESS = kt.Board(8, 8).tours()


def test_a_limit_is_neither_found_nor_impossible() -> None:
    result = kt.Board(8).tours(start=(0, 1)).find(node_limit=1000, **PLAIN)
    assert isinstance(result, kt.Stopped)
    assert (result.limit, result.stats.nodes) == ("nodes", 1000)
    assert kt.Board(8).tours().find(node_limit=0) == kt.Stopped("nodes", kt.Stats("backtracking", 0.0))
    began = time.monotonic()
    result = kt.Board(20).tours(start=(3, 4)).find(time_limit=0.1, **PLAIN)
    assert isinstance(result, kt.Stopped)
    assert result.limit == "time"
    assert time.monotonic() - began < 30
    result = kt.Board(1000).tours().find(memory_limit=10**6, method="backtracking")
    assert isinstance(result, kt.Stopped)
    assert result.limit == "memory"


def test_counts_raise_when_a_limit_runs_out() -> None:
    with pytest.raises(kt.TimeLimitError) as caught:
        ENDLESS.count(method="backtracking", time_limit=0.05)
    assert isinstance(caught.value, TimeoutError)
    assert caught.value.limit == "time"
    assert caught.value.stats.nodes > 0
    with pytest.raises(kt.LimitReachedError) as stopped:
        ENDLESS.count(method="backtracking", node_limit=5000)
    assert (stopped.value.limit, stopped.value.stats.nodes) == ("nodes", 5000)
    with pytest.raises(kt.MemoryLimitError) as memory:
        kt.Board(100).tours().count(memory_limit=1000)
    assert isinstance(memory.value, MemoryError)
    with pytest.raises(kt.LimitReachedError):
        kt.solve(20, method="backtracking", order="fixed", lookahead="none", node_limit=100)


def test_a_board_too_large_for_the_machine_is_refused_before_it_is_made() -> None:
    tours = kt.Board(2**15, 2**16).tours(start=(0, 0), end=(0, 1)).excluding(((5, 5), (6, 7)))
    began = time.monotonic()
    result = tours.find(method="backtracking")
    assert isinstance(result, kt.Stopped)
    assert result.limit == "memory"
    assert time.monotonic() - began < 30


def test_cancelling_from_another_thread() -> None:
    cancel = kt.Cancel()
    assert repr(cancel) == "<Cancel>"
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    with pytest.raises(kt.LimitReachedError) as caught:
        ENDLESS.count(method="backtracking", cancel=cancel)
    timer.join()
    assert caught.value.limit == "cancelled"
    assert cancel.is_cancelled
    plain = kt.Board(20).tours().find(cancel=cancel, method="backtracking", order="fixed", lookahead="none")
    assert isinstance(plain, kt.Stopped)
    assert plain.limit == "cancelled"


def test_progress_is_reported_and_can_stop_a_run() -> None:
    seen: list[kt.Progress] = []

    class EnoughError(Exception):
        pass

    def enough(progress: kt.Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        ENDLESS.count(method="backtracking", progress=enough)
    assert len(seen) == 3
    assert all(p.total is not None and 0 <= p.done <= p.total and p.message for p in seen)
    seen.clear()
    with pytest.raises(EnoughError):
        kt.Board(20).tours().find(method="backtracking", order="fixed", lookahead="none", progress=enough)
    assert seen[-1].done > seen[0].done > 0


# --- misuse ----------------------------------------------------------------------------------------------


MISUSE: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: anything.Board(8).tours(start=(8, 0)), kt.SquareError, "8x8"),
    (lambda: anything.Board(8).tours(start="i1"), kt.SquareError, "i1"),
    (lambda: anything.Board(8).tours(start=(-1, 0)), kt.SquareError, "-1"),
    (lambda: anything.Board(8, blocked=["d4"]).tours(start="d4"), kt.SquareError, "d4"),
    (lambda: anything.Board(8).tours(start="a1", end="a1"), kt.RequestError, "a1"),
    (lambda: anything.Board(8).tours(closed=True, end="a1"), kt.RequestError, "end"),
    (lambda: anything.Board(8).tours(closed=2), kt.RequestError, "2"),
    (lambda: anything.Board(8).tours().including(("a1", "a2")), kt.RequestError, "a1 and a2"),
    (lambda: anything.Board(8).tours().including("a1"), kt.RequestError, "a1"),
    (lambda: anything.Board(8).tours().excluding(("a1", "z9")), kt.SquareError, "z9"),
    (lambda: anything.Board(8).tours().with_steps({"a1": 64}), kt.RequestError, "64"),
    (lambda: anything.Board(8).tours().with_steps({"a1": -1}), kt.RequestError, "-1"),
    (lambda: anything.Board(8).tours().with_steps({"a1": 3, "b1": 3}), kt.RequestError, "3"),
    (lambda: anything.Board(8).tours().with_steps([1]), kt.RequestError, "dict"),
    (lambda: anything.Board(8).tours().find(method="magic"), kt.RequestError, "magic"),
    (lambda: anything.Board(8).tours().find(order="fixed"), kt.RequestError, "backtracking"),
    (
        lambda: anything.Board(8).tours().find(method="backtracking", order="fixed", ties="first"),
        kt.RequestError,
        "fixed",
    ),
    (lambda: anything.Board(8).tours().find(method="backtracking", ties="best"), kt.RequestError, "best"),
    (lambda: anything.Board(8).tours().find(seed=-1), kt.RequestError, "-1"),
    (lambda: anything.Board(8).tours().find(seed=1.5), kt.RequestError, "1.5"),
    (lambda: anything.Board(8).tours().find(seed=2**64), kt.RequestError, "seed"),
    (lambda: anything.Board(8).tours().find(time_limit=-1), kt.RequestError, "-1"),
    (lambda: anything.Board(8).tours().find(time_limit=math.nan), kt.RequestError, "nan"),
    (lambda: anything.Board(8).tours().find(time_limit="1"), kt.RequestError, "'1'"),
    (lambda: anything.Board(8).tours().find(node_limit=1.0), kt.RequestError, "1.0"),
    (lambda: anything.Board(8).tours().find(memory_limit=-5), kt.RequestError, "-5"),
    (lambda: anything.Board(8).tours().find(threads=0), kt.RequestError, "0"),
    (lambda: anything.Board(8).tours().find(progress=3), kt.RequestError, "3"),
    (lambda: anything.Board(8).tours().find(cancel=3), kt.RequestError, "3"),
    (lambda: anything.Board(8).tours().count(threads=True), kt.RequestError, "True"),
    (lambda: anything.solve(kt.Board(8), 8), kt.RequestError, "8"),
    (lambda: anything.solve(0, 5), kt.BoardError, "0"),
    (lambda: anything.count("abc"), kt.BoardError, "abc"),
    (lambda: anything.count(2.5, 8), kt.BoardError, "2.5"),
    (lambda: anything.solve(-3, 8), kt.BoardError, "-3"),
]


@pytest.mark.parametrize("case", range(len(MISUSE)))
def test_misuse_is_an_error_that_quotes_it(case: int) -> None:
    call, error, quoted = MISUSE[case]
    with pytest.raises(error) as caught:
        call()
    assert quoted in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, kt.KnightsTourError)


def test_a_collection_has_no_length_and_no_truth() -> None:
    tours = anything.Board(5).tours()
    with pytest.raises(TypeError):
        len(tours)
    with pytest.raises(TypeError, match="truth"):
        bool(tours)


# --- collections -----------------------------------------------------------------------------------------


def test_included_and_excluded_moves_split_a_count() -> None:
    for closed in (False, True):
        tours = kt.Board(5, 6).tours(closed=closed)
        total = tours.count()
        for edge in [("a1", "b3"), ("c3", "d5"), ("c3", "e2")]:
            assert tours.including(edge).count().value + tours.excluding(edge).count().value == total
        both = tours.including(("a1", "b3")).excluding(("c3", "d5"))
        assert both == tours.excluding(("d5", "c3")).including(("b3", "a1"))
        assert sum(1 for _ in both) == both.count()
        uses = {frozenset(("a1", "b3"))}
        for tour in itertools.islice(both, 50):
            names = tour.names()
            edges = {frozenset(pair) for pair in itertools.pairwise(names + names[:1] * closed)}
            assert uses <= edges
            assert frozenset(("c3", "d5")) not in edges


def test_contradictions_are_impossible_and_not_misuse() -> None:
    tours = anything.Board(6).tours()
    both = tours.including(("a1", "b3")).excluding(("a1", "b3"))
    assert both.find().reason.code == "included-excluded"
    three = tours.including(("c3", "a2"), ("c3", "a4"), ("c3", "e4"))
    assert three.find().reason.code == "too-many-included"
    assert three.count() == 0


def test_steps() -> None:
    tours = kt.Board(5).tours().with_steps({"a1": 0, "c3": 12})
    listed = list(tours)
    assert 0 < len(listed) == tours.count()
    assert all(tour.names()[0] == "a1" and tour.names()[12] == "c3" for tour in listed)
    assert len(listed) == sum(tour.names()[12] == "c3" for tour in kt.Board(5).tours(start="a1"))


def test_listing_is_lazy_and_distinct() -> None:
    first = list(itertools.islice(kt.Board(8).tours(start=(0, 0)), 1000))
    assert len(set(first)) == 1000
    assert first == list(itertools.islice(kt.Board(8).tours(start=(0, 0)), 1000))
    listed = list(kt.Board(6).tours(closed=True))
    assert len(set(listed)) == len(listed) == 9862
    assert all(tour.is_closed and tour.start == (0, 0) and tour.squares[1] < tour.squares[-1] for tour in listed)
    everything = set(kt.Board(5).tours())
    assert len(everything) == 1728
    assert {tour.reversed() for tour in everything} == everything


def test_membership() -> None:
    every = list(kt.Board(5, 6).tours(closed=True))
    assert len(every) == 8
    edge = next(
        edge
        for edge in itertools.pairwise(every[0].squares)
        if kt.Board(5, 6).tours(closed=True).including(edge).count() < 8
    )
    tours = kt.Board(5, 6).tours(closed=True).excluding(edge)
    assert sum(tour in tours for tour in every) == tours.count() < 8
    member = next(iter(tours))
    turned = kt.Tour(member.board, list(member.squares[7:]) + list(member.squares[:7]), closed=True)
    assert turned in tours
    assert turned.reversed() in tours
    assert member not in kt.Board(6, 5).tours(closed=True)
    assert member not in kt.Board(5, 6).tours()
    assert "a1" not in tours
    given = kt.Board(5).tours(start="a1")
    assert all((tour in given) == (tour.names()[0] == "a1") for tour in kt.Board(5).tours())


def test_collections_compare_pickle_and_repr() -> None:
    board = kt.Board(6, 6, blocked=["c3"], leaper=(1, 3), wrap="both")
    tours = board.tours(start="a1", end="b1").including(("a1", "b4")).with_steps({"f6": 7})
    again = pickle.loads(pickle.dumps(tours))
    assert again == tours
    assert hash(again) == hash(tours)
    assert eval(repr(tours), {"Board": kt.Board}) == tours
    assert tours != board.tours(start="a1", end="b1")
    result = kt.Board(6).tours().find()
    assert pickle.loads(pickle.dumps(result)) == result
    nothing = kt.Board(4).tours().find()
    assert pickle.loads(pickle.dumps(nothing)) == nothing


def test_results_are_matched_and_frozen() -> None:
    match kt.Board(6).tours().find():
        case kt.Found(tour):
            assert len(tour) == 36
        case _:
            pytest.fail("a tour of 6x6 was not found")
    match kt.Board(4).tours().find():
        case kt.Impossible(reason):
            assert reason.text == str(reason)
        case _:
            pytest.fail("4x4 has no tour")
    stats = anything.Stats("backtracking", 1.0, 5)
    assert stats == kt.Stats("backtracking", 2.0, 5, memory=3) != kt.Stats("backtracking", 1.0, 6)
    with pytest.raises(AttributeError):
        stats.nodes = 6


# --- threads and signals ---------------------------------------------------------------------------------


def test_two_threads_share_an_iterator() -> None:
    tours = iter(kt.Board(5).tours())
    parts: list[list[kt.Tour]] = [[], [], []]

    def take(into: list[kt.Tour]) -> None:
        into.extend(tours)

    threads = [threading.Thread(target=take, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [tour for part in parts for tour in part]
    assert len(taken) == len(set(taken)) == 1728


def test_the_lock_is_released_while_searching() -> None:
    """Another Python thread makes progress while a search runs in this one."""
    steps = 0
    done = threading.Event()

    def count_up() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count_up)
    thread.start()
    with pytest.raises(kt.TimeLimitError):
        ENDLESS.count(method="backtracking", time_limit=0.5, threads=1)
    done.set()
    thread.join()
    assert steps > 5


def test_threads_change_nothing() -> None:
    counts = [kt.Board(5, 6).tours().count(method="backtracking", threads=n) for n in (1, 2, 3, 4)]
    assert len({count.value for count in counts}) == 1
    assert all(count.stats == counts[0].stats for count in counts)


# --- against brute force ---------------------------------------------------------------------------------


@st.composite
def few_tours(draw: st.DrawFn) -> kt.Board:
    """A board with few enough tours to list them in plain Python."""
    board = boards.build(draw(boards.options()))
    edges = sum(board.degree(square) for square in board.squares)
    if len(board) > 16 or edges > 60:
        keep = list(board.squares)[: 16 if edges <= 60 else 9]
        everything = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        blocked = [square for square in everything if square not in keep]
        board = kt.Board(board.rows, board.cols, blocked=blocked, leaper=board.leaper, wrap=board.wrap)
    return board


@settings(max_examples=400, deadline=None)
@given(few_tours(), st.data())
def test_answers_agree_with_plain_search(board: kt.Board, data: st.DataObject) -> None:
    table = boards.graph(board)
    every = list(bruteforce.open_tours(table))
    first = min(table)
    closed = [
        tour
        for tour in every
        if tour[0] == first and len(tour) >= 3 and first in table[tour[-1]] and tour[1] < tour[-1]
    ]
    assert sorted(list(tour.squares) for tour in board.tours(closed=True)) == sorted(closed)
    assert board.tours(closed=True).count() == len(closed)
    start = data.draw(st.none() | st.sampled_from(sorted(table)))
    end = data.draw(st.none() | st.sampled_from(sorted(table)))
    if start is not None and start == end and len(table) > 1:
        end = None
    expected = [tour for tour in every if start in (None, tour[0]) and end in (None, tour[-1])]
    tours = board.tours(start=start, end=end)
    assert sorted(list(tour.squares) for tour in tours) == sorted(expected)
    assert tours.count() == len(expected)
    assert isinstance(tours.find(), kt.Found if expected else kt.Impossible)
    by_start = board.tours(end=end).starts()
    assert by_start == {
        square: sum(tour[0] == square and end in (None, tour[-1]) for tour in every) for square in table
    }
