"""Symmetric tours and classes: against published counts, and against plain Python on small boards."""

import copy
import itertools
import math
import pickle
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt
from published import published

# --- published counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "value"), published("closed_up_to_symmetry", slow={(8, 8)}, minutes={(8, 11)})
)
def test_published_classes_of_closed_tours(rows: int, cols: int, value: int) -> None:
    assert kt.Board(rows, cols).tours(closed=True).distinct().count() == value


@pytest.mark.parametrize(("rows", "cols", "value"), published("open_up_to_symmetry"))
def test_published_classes_of_open_tours(rows: int, cols: int, value: int) -> None:
    for sides in ((rows, cols), (cols, rows)):
        assert kt.Board(*sides).tours().distinct().count() == value


@pytest.mark.parametrize(("rows", "cols", "value"), published("open_symmetric_180_up_to_symmetry"))
def test_published_classes_of_open_half_turn_tours(rows: int, cols: int, value: int) -> None:
    assert kt.Board(rows, cols).tours().symmetric("half-turn").distinct().count() == value


@pytest.mark.parametrize(("rows", "cols", "value"), published("closed_symmetric_up_to_symmetry"))
def test_published_classes_of_symmetric_closed_tours(rows: int, cols: int, value: int) -> None:
    """On three rows a closed tour has one symmetry at most beside the identity."""
    tours = kt.Board(rows, cols).tours(closed=True)
    names = tours.board.symmetries[1:]
    assert sum(tours.symmetric(name).distinct().count().value for name in names) == value
    for one, other in itertools.combinations(names, 2):
        assert tours.symmetric(one).symmetric(other).count() == 0


@pytest.mark.parametrize(("rows", "cols", "value"), published("closed_symmetric_reflection_of_even_side"))
def test_published_closed_tours_with_a_mirror(rows: int, cols: int, value: int) -> None:
    tours = kt.Board(rows, cols).tours(closed=True)
    assert tours.symmetric("flip-vertical").count() == value
    assert tours.symmetric("flip-horizontal").count() == 0


EULERIAN = {(rows, cols): value for rows, cols, value in published("closed_symmetric_180_eulerian")}
BERGHOLTIAN = {(rows, cols): value for rows, cols, value in published("closed_symmetric_180_bergholtian")}

MARKS = {(8, 11): pytest.mark.slow, (10, 9): pytest.mark.minutes}


@pytest.mark.parametrize(
    ("rows", "cols"),
    [pytest.param(*sides, marks=MARKS.get(sides, ())) for sides in sorted(EULERIAN.keys() | BERGHOLTIAN.keys())],
)
def test_published_closed_tours_with_half_turn_symmetry(rows: int, cols: int) -> None:
    """Knuth's two kinds, of which one alone may be known: the half turn keeps the direction, or turns it round."""
    eulerian, bergholtian = EULERIAN.get((rows, cols)), BERGHOLTIAN.get((rows, cols))
    if rows % 4 == 0:
        # A square and its image have two colours, and are half of the tour apart: an even number of moves.
        assert eulerian is None
        eulerian = 0
    tours = kt.Board(rows, cols).tours(closed=True).symmetric("half-turn")
    count = tours.count().value
    if eulerian is not None and bergholtian is not None:
        assert count == eulerian + bergholtian
    assert count >= (eulerian or 0) + (bergholtian or 0)
    if count <= 30_000:
        keep = 0
        for tour in tours:
            image = tour.transformed("half-turn").squares
            at = tour.squares.index(image[0])
            keep += tour.squares[(at + 1) % len(tour)] == image[1]
        assert eulerian in {None, keep}
        assert bergholtian in {None, count - keep}


def test_six_by_six() -> None:
    closed = kt.Board(6).tours(closed=True)
    assert closed.distinct().count() == 1245
    assert closed.symmetric("half-turn").count() == 78
    assert closed.symmetric("quarter-turn").distinct().count() == 5
    # Half a turn only: not those with a quarter turn.
    half = list(closed.symmetric("half-turn").distinct())
    assert len(half) == 5 + 17
    assert sum("quarter-turn" not in tour.symmetry for tour in half) == 17
    listed = list(closed.distinct())
    assert len(listed) == len(set(listed)) == 1245
    assert all(tour.canonical() == tour for tour in listed)
    assert {tour.canonical() for tour in closed} == set(listed)


@pytest.mark.slow
def test_ten_by_ten_with_quarter_turns() -> None:
    tours = kt.Board(10).tours(closed=True).symmetric("quarter-turn").distinct()
    assert tours.count() == 415902
    assert sum(1 for _ in tours) == 415902


def test_giraffes_and_half_turns_of_8x8() -> None:
    assert kt.Board(10, leaper=(1, 4)).tours(closed=True).symmetric("quarter-turn").count() == 100
    tours = kt.Board(8).tours(closed=True).symmetric("half-turn")
    assert tours.count() == 2432932
    found = tours.find().tour  # type: ignore[union-attr]
    assert "half-turn" in found.symmetry
    assert found in tours


# --- plain Python -------------------------------------------------------------------------------------------


def images(board: kt.Board, tour: kt.Tour, names: list[tuple[str, bool]]) -> set[kt.Tour]:
    """The listed forms of a tour under symmetries, each with or without running backwards."""
    found = set()
    for name, backwards in names:
        image = tour.transformed(name)
        squares = list(image.squares)[:: -1 if backwards else 1]
        if tour.is_closed:
            at = squares.index(min(squares))
            squares = squares[at:] + squares[:at]
            if squares[1] > squares[-1]:
                squares[1:] = squares[:0:-1]
        found.add(kt.Tour(board, squares, closed=tour.is_closed))
    return found


SIZES = [(rows, cols) for rows in range(1, 6) for cols in range(1, 6) if rows * cols <= 16]


@st.composite
def small_boards(draw: st.DrawFn) -> kt.Board:
    rows, cols = draw(st.sampled_from(SIZES))
    leaper = draw(st.sampled_from([(1, 2), (1, 2), (1, 1), (0, 1), (1, 3), (2, 3)]))
    wrap: Any = draw(st.sampled_from([None, None, "cols", "rows", "both"]))
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    blocked = set(draw(st.lists(st.sampled_from(squares), max_size=4, unique=True)))
    if draw(st.booleans()):
        # Holes that leave symmetries.
        blocked |= {(rows - 1 - row, cols - 1 - col) for row, col in blocked}
    if len(blocked) == len(squares):
        blocked = set()
    return kt.Board(rows, cols, blocked=blocked, leaper=leaper, wrap=wrap)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_boards(), st.booleans(), st.data())
def test_small_boards(board: kt.Board, closed: bool, data: st.DataObject) -> None:
    graph = boards.graph(board)
    tours = board.tours(closed=closed)
    kinds: set[kt.Tour] = set()
    paths = list(itertools.islice(bruteforce.open_tours(graph), 2001))
    if len(paths) > 2000:
        return
    for path in paths:
        if not closed:
            kinds.add(kt.Tour(board, path, closed=False))
        elif path[0] == min(graph) and len(path) >= 3 and path[0] in graph[path[-1]] and path[1] < path[-1]:
            kinds.add(kt.Tour(board, path, closed=True))
    assert tours.count() == len(kinds)
    ways = [(name, backwards) for name in board.symmetries for backwards in ([False] if closed else [False, True])]
    classes = {frozenset(images(board, tour, ways)) for tour in kinds}
    assert tours.distinct().count() == len(classes)
    listed = list(tours.distinct())
    assert len(listed) == len(classes) == len({frozenset(images(board, tour, ways)) for tour in listed})
    for tour in listed:
        assert tour in tours.distinct()
        assert tour == min(images(board, tour, ways), key=lambda tour: list(tour.squares))
    name = data.draw(st.sampled_from(board.symmetries))
    kept = {tour for tour in kinds if tour in images(board, tour, [(name, False)] + [(name, True)] * (not closed))}
    symmetric = tours.symmetric(name)
    assert symmetric.count() == len(kept)
    assert set(symmetric) == kept
    assert kept == {tour for tour in kinds if name in tour.symmetry}
    assert kept == {tour for tour in kinds if tour in symmetric}
    found = symmetric.find()
    assert found.tour in kept if isinstance(found, kt.Found) else not kept


# --- requests ---------------------------------------------------------------------------------------------------


def test_ends_and_moves_leave_fewer_symmetries() -> None:
    board = kt.Board(5)
    # From a corner: the diagonal stays.
    from_corner = board.tours(start="a1")
    assert from_corner.count() == 304
    assert from_corner.distinct().count() == 152
    # From a corner to the opposite one: backwards by half a turn, too.
    across = board.tours(start="a1", end="e5")
    group = [("identity", False), ("anti-transpose", False), ("half-turn", True), ("transpose", True)]
    assert across.distinct().count() == len({frozenset(images(board, tour, group)) for tour in across})
    with_move = board.tours().including(("a1", "b3"))
    pairs = {frozenset((tour, tour.reversed())) for tour in with_move}
    assert with_move.distinct().count() == len(pairs) == len(list(with_move.distinct()))
    without_corner_moves = board.tours().excluding(("a1", "b3"), ("a1", "c2"), ("e5", "d3"), ("e5", "c4"))
    assert without_corner_moves.distinct().count() == len(list(without_corner_moves.distinct()))


def test_a_symmetric_tour_has_the_images_of_what_is_asked_for() -> None:
    board = kt.Board(6)
    closed = board.tours(closed=True).symmetric("half-turn")
    some = closed.including(("c4", "d6"))
    assert set(some) == {tour for tour in closed if tour in board.tours(closed=True).including(("c4", "d6"))}
    assert some.count() == len(list(some)) > 0
    open_tours = kt.Board(3, 8).tours().symmetric("half-turn")
    starts = {tour.start for tour in open_tours}
    for start in starts:
        begun = kt.Board(3, 8).tours(start=start).symmetric("half-turn")
        assert set(begun) == {tour for tour in open_tours if tour.start == start}
        assert begun.count() == len(set(begun))
        assert begun.count().directed == begun.count().undirected
    assert kt.Board(3, 8).tours(start="a1", end="a3").symmetric("half-turn").count() == 0
    steps = {tour: tour.squares[5] for tour in open_tours}
    for square in set(steps.values()):
        narrowed = kt.Board(3, 8).tours().with_steps({square: 5}).symmetric("half-turn")
        assert set(narrowed) == {tour for tour, at in steps.items() if at == square}
        assert narrowed.count() == len(set(narrowed))


def test_closed_tours_are_listed_from_their_start() -> None:
    board = kt.Board(6)
    here, there = board.tours(closed=True).distinct(), board.tours(closed=True, start="c3").distinct()
    assert there.count() == 1245
    first = next(iter(there))
    assert first.start == board.square("c3")
    assert first in there
    assert first in here
    assert {tour.canonical() for tour in there} == set(here)


def test_two_symmetries() -> None:
    tours = kt.Board(6).tours(closed=True)
    quarter = tours.symmetric("quarter-turn")
    assert quarter.symmetric("half-turn").count() == quarter.count() == 10
    assert set(quarter.symmetric("half-turn")) == set(quarter)
    assert quarter.symmetric("flip-vertical").count() == 0
    ring = kt.Board.parse("...\n.#.\n...").tours(closed=True)
    assert ring.symmetric("quarter-turn").symmetric("transpose").count() == 1
    assert ring.distinct().count() == 1


def test_they_compose_in_any_order() -> None:
    board = kt.Board(6)
    one = board.tours(closed=True).distinct().excluding(("a1", "b3")).symmetric("half-turn")
    other = board.tours(closed=True).symmetric("half-turn").excluding(("a1", "b3")).distinct()
    assert one == other
    assert hash(one) == hash(other)
    assert one != board.tours(closed=True).distinct()
    for tours in (
        one,
        other,
        pickle.loads(pickle.dumps(one)),
        copy.deepcopy(one),
        eval(repr(one), vars(kt) | {"Board": kt.Board}),
    ):
        assert tours == one
        assert repr(tours).endswith(".symmetric('half-turn').distinct()")
    assert board.tours().distinct().distinct() == board.tours().distinct()


def test_counts_of_classes_have_no_direction() -> None:
    counted = kt.Board(5).tours().distinct().count()
    assert (counted.value, counted.undirected, counted.directed) == (112, None, None)
    assert counted == 112
    assert "undirected=None" in repr(counted)
    symmetric = kt.Board(5).tours().symmetric("half-turn").count()
    assert (symmetric.directed, symmetric.undirected) == (symmetric.value, symmetric.value // 2)
    assert kt.Board(1).tours().distinct().count() == 1
    assert kt.Board(1).tours().symmetric("half-turn").count().undirected == 1


def test_what_cannot_be_has_a_reason() -> None:
    for rows, name, kind in [(8, "quarter-turn", "colours"), (8, "transpose", "two"), (6, "half-turn", "")]:
        answer = kt.Board(rows).tours(closed=True).symmetric(name).find()
        if isinstance(answer, kt.Impossible):
            assert answer.reason.code == "symmetry"
            assert kind in answer.reason.text
            assert name in answer.reason.text
            assert f"{rows}x{rows}" in answer.reason.text
        else:
            assert not kind
    answer = kt.Board(6).tours().symmetric("flip-horizontal").symmetric("half-turn").find()
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code == "symmetry"
    # Theorems about the board come first; and a search may be what tells.
    assert kt.Board(5).tours(closed=True).symmetric("half-turn").find().reason.code != "symmetry"  # type: ignore[union-attr]
    answer = kt.Board(6, 9).tours(closed=True).symmetric("flip-horizontal").find()
    assert isinstance(answer, kt.Impossible)


def test_misuse() -> None:
    tours = kt.Board(3, 4).tours()
    for name in ("quarter-turn", "translation(0,1)", "sideways", "", 3, None):
        with pytest.raises(kt.RequestError) as caught:
            tours.symmetric(name)  # type: ignore[arg-type]
        assert str(name) in str(caught.value)
    with pytest.raises(kt.RequestError, match=r"no quarter-turn symmetry; it has: identity, half-turn, flip-"):
        tours.symmetric("quarter-turn")
    half = tours.symmetric("half-turn")
    refused: list[dict[str, Any]] = [
        {"ties": "random"},
        {"method": "warnsdorff"},
        {"method": "frontier"},
        {"order": "fixed"},
    ]
    for options in refused:
        with pytest.raises(kt.RequestError, match="symmetric tours cannot be combined with"):
            half.find(**options)
    for call in (
        half.starts,
        tours.distinct().starts,
        lambda: half.count(checkpoint="nowhere"),
        lambda: half.count(method="backtracking"),
        half.plan,
        tours.distinct().plan,
        lambda: half.count(method="warnsdorff"),  # type: ignore[arg-type]
    ):
        with pytest.raises(kt.RequestError):
            call()
    assert tours.distinct().count(method="backtracking") == tours.distinct().count(method="frontier") == 3


def test_limits() -> None:
    board = kt.Board(8)
    with pytest.raises(kt.LimitReachedError) as caught:
        board.tours(closed=True).distinct().count(node_limit=1000)
    assert "classes of closed tours" in str(caught.value)
    with pytest.raises(kt.MemoryLimitError) as caught:
        board.tours(closed=True).distinct().count(memory_limit=1 << 20)
    assert caught.value.stats.memory > 1 << 20
    with pytest.raises(kt.LimitReachedError):
        board.tours(closed=True).symmetric("half-turn").count(node_limit=1000)
    answer = kt.Board(14).tours(closed=True).symmetric("half-turn").find(node_limit=3)
    assert isinstance(answer, kt.Stopped | kt.Found)
    # More symmetries than fit.
    with pytest.raises(kt.MemoryLimitError):
        kt.Board(300, wrap="both").tours().distinct().count(memory_limit=1 << 30)


def test_large_boards() -> None:
    answer = kt.Board(20).tours(closed=True).symmetric("half-turn").find(time_limit=60)
    assert isinstance(answer, kt.Found)
    assert "half-turn" in answer.tour.symmetry
    distinct = kt.Board(50).tours(closed=True).distinct().find()
    assert isinstance(distinct, kt.Found)
    assert distinct.tour.canonical() == distinct.tour


# --- tours ------------------------------------------------------------------------------------------------------


def test_equivalent_tours() -> None:
    tours = list(itertools.islice(kt.Board(5, 6).tours(), 40))
    for one, other in itertools.combinations(tours, 2):
        assert one.is_equivalent(other) == (one.canonical() == other.canonical())
    tour = kt.solve(5, 6)
    for name in ("identity", "half-turn", "quarter-turn", "three-quarter-turn", "transpose", "anti-transpose"):
        image = tour.transformed(name)
        assert tour.is_equivalent(image)
        assert image.reversed().is_equivalent(tour)
    assert not tour.is_equivalent(kt.solve(6, 6))
    closed = kt.solve(6, closed=True)
    opened = kt.Tour(closed.board, closed.squares, closed=False)
    assert not closed.is_equivalent(opened)
    torus = kt.Board(4, 5, wrap="both", blocked=[(1, 2), (2, 4)])
    holed = torus.tours().find()
    if isinstance(holed, kt.Found):
        moved = holed.tour.transformed("half-turn+translation(1,3)")
        assert moved.board != torus
        assert moved.is_equivalent(holed.tour)
    with pytest.raises(TypeError):
        tour.is_equivalent("a1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "tours",
    [
        # A square and its image are as far from the middle of an open tour: no move joins them.
        kt.Board(1, 5, leaper=(2, 3), wrap="both").tours().including(("b1", "d1")),
        kt.Board(3, 1, leaper=(1, 3), wrap="both").tours().including(("a3", "a1")),
        # A cycle that crosses its axis on two squares crosses it on no move.
        kt.Board(2, 3, leaper=(0, 1), wrap="both").tours(closed=True).including(("a1", "c1")),
        # A step in the middle leaves the direction free.
        kt.Board(3, leaper=(0, 1)).tours().with_steps({"b2": 4}),
        kt.Board(5).tours().with_steps({"c3": 12}),
    ],
)
def test_moves_across_the_axis_and_steps_in_the_middle(tours: kt.Tours) -> None:
    for name in tours.board.symmetries:
        symmetric = tours.symmetric(name)
        kept = [tour.names() for tour in tours if name in tour.symmetry]
        assert sorted(tour.names() for tour in symmetric) == sorted(kept)
        assert symmetric.count() == len(kept)
    assert tours.distinct().count() == sum(1 for _ in tours.distinct())


def test_a_step_in_the_middle_and_direction() -> None:
    count = kt.Board(5).tours().with_steps({"c3": 12}).count()
    assert count.undirected is not None
    assert 0 < count.value == 2 * count.undirected
    assert kt.Board(5).tours().with_steps({"c3": 24}).count().undirected == 64


def test_the_memory_for_symmetries_is_named() -> None:
    tours = kt.Board(200, wrap="both").tours(closed=True).distinct()
    with pytest.raises(kt.MemoryLimitError, match="needs about 51 GB of memory, more than the memory limit") as caught:
        next(iter(tours.listing(memory_limit=1 << 30)))
    assert caught.value.stats.memory > 50 * 10**9


def test_symmetries_that_no_cycle_has_together() -> None:
    """Shifts both ways of a torus make a group of 3,600, which took seconds and half a gigabyte to make."""
    board = kt.Board(60, wrap="both")
    tours = board.tours(closed=True).symmetric("translation(1,0)").symmetric("translation(0,1)")
    found = tours.find(memory_limit=50_000_000)
    assert isinstance(found, kt.Impossible)
    assert found.reason.code == "symmetry"
    assert tours.count(memory_limit=50_000_000) == 0
    assert list(tours) == []
    assert kt.solve(board, closed=True) not in tours


@pytest.mark.parametrize(("rows", "cols", "wrap"), [(3, 4, "both"), (2, 5, "both"), (4, 3, "cols"), (3, 3, "both")])
def test_two_and_three_symmetries_of_small_tori(rows: int, cols: int, wrap: Any) -> None:
    """Against the moves of every tour, mapped."""
    board = kt.Board(rows, cols, wrap=wrap)
    closed = board.tours(closed=True)

    def moves(tour: kt.Tour) -> set[frozenset[kt.Square]]:
        squares = list(tour.squares)
        return {frozenset(pair) for pair in zip(squares, squares[1:] + squares[:1], strict=True)}

    keeping = {name: set[int]() for name in board.symmetries}
    for number, tour in enumerate(closed):
        own = moves(tour)
        for name in board.symmetries:
            if moves(tour.transformed(name)) == own:
                keeping[name].add(number)
    rng = random.Random(rows * 10 + cols)
    for _ in range(40):
        names = rng.choices(board.symmetries, k=rng.choice([2, 2, 3]))
        tours = closed
        for name in names:
            tours = tours.symmetric(name)
        expected = set.intersection(*(keeping[name] for name in names))
        assert tours.count() == len(expected), names
        assert tours.distinct().count() == len(list(tours.distinct()))


@pytest.mark.parametrize("symmetry", ["half-turn", "translation(3,0)"])
def test_squares_at_two_steps_of_a_symmetric_tour_of_a_board_without_colours(symmetry: str) -> None:
    tours = kt.Board(6, 1, leaper=(2, 3), wrap="both").tours(start="a6").symmetric(symmetry)
    listed = list(tours)
    for step, square in itertools.product(range(1, 6), tours.board.squares):
        expected = sum(tour.squares[step] == square for tour in listed)
        assert tours.with_steps({square: step}).count() == expected


def test_classes_do_not_depend_on_how_ends_are_given() -> None:
    board = kt.Board(1, 5, wrap="both")
    expected = set(board.tours(start="e1", end="c1").distinct())
    assert len(expected) == 4
    for tours in (
        board.tours(start="e1").with_steps({"c1": 4}),
        board.tours(end="c1").with_steps({"e1": 0}),
        board.tours().with_steps({"e1": 0, "c1": 4}),
        board.tours(start="e1").with_steps({"e1": 0, "c1": 4}),
    ):
        assert set(tours.distinct()) == expected
        assert tours.distinct().count() == 4


# --- seeds, samples and numbers of symmetric tours --------------------------------------------------------------


def test_a_seed_varies_the_symmetric_tour_that_is_found() -> None:
    tours = kt.Board(8).tours(closed=True).symmetric("half-turn")
    found = [tours.find(seed=seed) for seed in (*range(12), *range(12))]
    assert found[:12] == found[12:]
    assert all(answer.tour in tours and "half-turn" in answer.tour.symmetry for answer in found)  # type: ignore[union-attr]
    assert len({answer.tour for answer in found}) > 6  # type: ignore[union-attr]
    assert kt.Board(7).tours(closed=True).symmetric("half-turn").find(seed=1).reason.code  # type: ignore[union-attr]


def test_symmetric_tours_are_sampled_without_listing_them() -> None:
    """All half-turn symmetric closed tours of 8x8 would take 620 MB in a list."""
    tours = kt.Board(8).tours(closed=True).symmetric("half-turn")
    tours.prepare(memory_limit=100_000_000)
    drawn = tours.sample(3, seed=7)
    assert drawn == tours.sample(3, seed=7) != tours.sample(3, seed=8)
    assert all(tour in tours and "half-turn" in tour.symmetry for tour in drawn)
    total = tours.count().value
    assert tours[0] != tours[total - 1]
    assert [tours.index(tours[number]) for number in range(0, total, total // 50)] == list(range(0, total, total // 50))
    with pytest.raises(IndexError):
        tours[total]


@pytest.mark.parametrize(
    "tours",
    [
        kt.Board(6).tours(closed=True).symmetric("half-turn"),
        kt.Board(6).tours(closed=True).symmetric("quarter-turn"),
        kt.Board(5).tours().symmetric("half-turn"),
        kt.Board(3, 8).tours(start="a1").symmetric("half-turn"),
        kt.Board(3, 8).tours().symmetric("half-turn").excluding(("a1", "b3")),
        kt.Board(6, 5).tours(closed=True).symmetric("flip-horizontal"),
        kt.Board(6, blocked=["a1", "f6"]).tours(closed=True).symmetric("half-turn"),
        kt.Board(4, wrap="both").tours(closed=True).symmetric("half-turn"),
        kt.Board(4, 4, leaper=(0, 1)).tours(closed=True).symmetric("half-turn"),
        kt.Board(3, blocked=["b2"]).tours(closed=True).symmetric("quarter-turn").symmetric("transpose"),
    ],
    ids=repr,
)
def test_symmetric_tours_are_numbered_and_drawn_evenly(tours: kt.Tours) -> None:
    plain = kt.Board.tours(tours.board, closed=tours.closed, start=tours.start)
    members = set(tours)
    if tours.board.rows * tours.board.cols <= 25 and tours.board.wrap is None:
        assert members == {tour for tour in plain if tour in tours}
    assert len(members) == tours.count()
    assert set(tours[:]) == members
    assert sorted(map(tours.index, members)) == list(range(len(members)))
    if len(members) > 1:
        draws = max(20 * len(members), 2000)
        expected = draws / len(members)
        counts = dict.fromkeys(members, 0)
        for tour in tours.sample(draws, seed=3):
            counts[tour] += 1
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        assert abs(chi - (len(members) - 1)) < 4.5 * math.sqrt(2 * (len(members) - 1))


def test_what_must_be_listed_obeys_limits() -> None:
    tours = kt.Board(6).tours(closed=True).symmetric("half-turn").distinct()
    with pytest.raises(kt.LimitReachedError):
        tours.prepare(node_limit=3)
    with pytest.raises(kt.MemoryLimitError):
        kt.Board(10).tours(closed=True).symmetric("half-turn").prepare(memory_limit=1_000_000)
    with pytest.raises(kt.RequestError, match="kept in memory"):
        kt.Board(6).tours(closed=True).symmetric("half-turn").prepare("a.tours")
