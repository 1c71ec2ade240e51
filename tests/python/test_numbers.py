"""Tours by number and tours drawn at random, against the judge and against the listing."""

import math
import os
import pickle
import random
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt

CLOSED = kt.Board(6).tours(closed=True)
"""9,862 tours; its tables are made once."""


def chi_square(counts: Counter[kt.Tour], draws: int, members: int) -> float:
    """How far from even the counts are, in standard deviations of what evenly drawn ones would be."""
    expected = draws / members
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    chi = seen + (members - len(counts)) * expected
    return (chi - (members - 1)) / math.sqrt(2 * (members - 1))


def test_all_closed_tours_of_6x6_have_a_number() -> None:
    tours = list(CLOSED[:])
    assert set(tours) == set(CLOSED)
    assert len(tours) == 9862
    assert [CLOSED.index(tour) for tour in tours] == list(range(9862))


def test_all_closed_tours_of_6x6_are_drawn_evenly() -> None:
    drawn = CLOSED.sample(10 * 9862, seed=2)
    assert drawn.seed == 2
    assert abs(chi_square(Counter(drawn), len(drawn), 9862)) < 3.5


@pytest.mark.parametrize(
    "tours",
    [
        kt.Board(5).tours(),
        kt.Board(5).tours(start="a1"),
        kt.Board(4, 5).tours(end="c1"),
        kt.Board(5).tours(start="a1").excluding(("a1", "b3")),
        kt.Board(5).tours(start="a1").with_steps({"c3": 12}),
        kt.Board(4, wrap="both").tours(closed=True),
        kt.Board(3, blocked=["b2"]).tours(),
        kt.Board(4, 3, leaper=(0, 1)).tours(),
    ],
    ids=repr,
)
def test_every_kind_of_collection_is_drawn_evenly_and_numbered(tours: kt.Tours) -> None:
    members = list(tours)
    assert members
    assert set(tours[:]) == set(members)
    assert sorted(map(tours.index, members)) == list(range(len(members)))
    draws = max(20 * len(members), 2000)
    assert abs(chi_square(Counter(tours.sample(draws, seed=5)), draws, len(members))) < 4


@settings(max_examples=60, deadline=None)
@given(boards.boards(), st.booleans(), st.data())
def test_small_boards_against_the_judge(board: kt.Board, closed: bool, data: st.DataObject) -> None:
    if len(board) > 9:
        squares = data.draw(st.permutations(list(board.squares)))
        board = kt.Board(
            board.rows,
            board.cols,
            blocked=[*board.blocked, *squares[9:]],
            leaper=board.leaper,
            wrap=board.wrap,
        )
    graph = boards.graph(board)
    expected = set()
    for path in bruteforce.open_tours(graph):
        if not closed:
            expected.add(kt.Tour(board, path, closed=False))
        elif len(path) >= 3 and path[0] in graph[path[-1]]:
            first = next(iter(graph))
            at = path.index(first)
            turned = path[at:] + path[:at]
            if turned[1] > turned[-1]:
                turned = [first, *reversed(turned[1:])]
            expected.add(kt.Tour(board, turned, closed=True))
    tours = board.tours(closed=closed)
    assert set(tours[:]) == expected
    assert [tours.index(tour) for tour in tours[:]] == list(range(len(expected)))


@pytest.mark.parametrize(
    ("tours", "classes"),
    [
        (CLOSED.distinct(), 1245),
        (kt.Board(5).tours().distinct(), None),
        (kt.Board(5).tours(start="a1", end="e5").distinct(), None),
        (kt.Board(5, 6, blocked=["a1"]).tours(end="b1").distinct(), None),
        (kt.Board(5, blocked=["a1", "e5"]).tours().distinct(), 1929),
        (kt.Board(4, 3, wrap="rows").tours().distinct(), None),
        # A translation of order 3: classes are drawn in another way.
        (kt.Board(3, 4, wrap="rows").tours(closed=True).distinct(), None),
        (kt.Board(4, wrap="both").tours(closed=True).distinct(), None),
        (CLOSED.symmetric("half-turn"), None),
        (CLOSED.symmetric("half-turn").distinct(), None),
    ],
    ids=repr,
)
def test_classes_and_symmetric_tours_are_drawn_evenly_and_numbered(tours: kt.Tours, classes: int | None) -> None:
    members = list(tours)
    assert members
    assert len(members) == tours.count() == (classes or len(members))
    assert set(tours[:]) == set(members)
    assert sorted(map(tours.index, members)) == list(range(len(members)))
    draws = max(12 * len(members), 1000)
    drawn = Counter(tours.sample(draws, seed=4))
    assert set(drawn) <= set(members)
    if len(members) > 1:
        assert abs(chi_square(drawn, draws, len(members))) < 4


def test_symmetric_classes_are_drawn_as_often_as_others() -> None:
    """Of the 1245 classes of closed 6x6 tours 22 have a symmetry besides the identity, and fewer tours each."""
    classes = CLOSED.distinct()
    drawn = Counter(classes.sample(100 * 1245, seed=9))
    assert abs(chi_square(drawn, 100 * 1245, 1245)) < 3.5
    few = [count for tour, count in drawn.items() if len(tour.symmetry) > 1]
    assert len(few) == 22
    # Each a hundred times, give or take.
    assert abs(sum(few) - 2200) < 4 * math.sqrt(2200)
    assert CLOSED.distinct().sample(40, seed=9) == classes.sample(100, seed=9)[:40]


def test_classes_of_large_boards_are_drawn(tmp_path: Path) -> None:
    classes = kt.Board(6, 8).tours(closed=True).distinct()
    assert classes.prepare(tmp_path / "index") is classes
    drawn = classes.sample(20, seed=1)
    assert all(tour in classes and tour.canonical() == tour for tour in drawn)
    # The file is that of all tours; their classes are drawn by it at once.
    opened = kt.open_tours(tmp_path / "index")
    assert opened == kt.Board(6, 8).tours(closed=True)
    assert opened.distinct() == classes
    assert opened.distinct().sample(20, seed=1, threads=2) == drawn
    seen: list[str] = []
    opened.distinct().prepare(progress=lambda progress: seen.append(progress.message))
    assert not seen


def test_numbers_beyond_64_bits() -> None:
    tours = kt.Board(4, 80).tours()
    total = tours.count().value
    assert total > 2**128
    rng = random.Random(1)
    for number in [0, 1, total - 1, *(rng.randrange(total) for _ in range(20))]:
        tour = tours[number]
        assert tours.index(tour) == number
        assert tours[number - total] == tour
    with pytest.raises(IndexError, match=str(total)):
        tours[total]
    part = tours[5 : 10**40 : 10**18 + 1]
    assert part.count() == (10**40 - 6) // (10**18 + 1) + 1
    assert part[10**20] == tours[5 + 10**20 * (10**18 + 1)]
    assert part.index(part[10**20]) == 10**20
    assert part[10**20] in part
    assert tours[0] not in part
    with pytest.raises(OverflowError):
        len(part)


def test_slices_are_sequences() -> None:
    tours = list(CLOSED[100:130])
    part = CLOSED[100:130:3]
    assert isinstance(part, kt.TourSlice)
    assert list(part) == tours[::3]
    assert list(reversed(part)) == tours[::3][::-1]
    assert list(part[2:8:2]) == tours[::3][2:8:2]
    assert list(part[::-1]) == tours[::3][::-1]
    assert (len(part), part.count(), bool(part), part.numbers) == (10, 10, True, range(100, 130, 3))
    assert (CLOSED[5:5].count(), bool(CLOSED[5:5]), list(CLOSED[9862:])) == (0, False, [])
    assert part[-1] == tours[27]
    assert part.index(tours[6]) == 2
    assert part == CLOSED[100:130:3] != CLOSED[100:130:4]
    assert hash(part) == hash(CLOSED[100:130:3])
    assert repr(part) == f"{CLOSED!r}[100:130:3]"
    assert eval(repr(part[::-1]), {"Board": kt.Board}) == part[::-1]
    with pytest.raises(ValueError, match="number 101"):
        part.index(tours[1])
    with pytest.raises(IndexError):
        part[10]
    with pytest.raises(TypeError):
        part["a1"]  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        CLOSED["a1":]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_slices_are_pickled(protocol: int) -> None:
    part = kt.Board(5).tours()[100:10:-7]
    assert pickle.loads(pickle.dumps(part, protocol)) == part


def test_numbers_as_a_sequence_takes_them() -> None:
    assert CLOSED[-1] == CLOSED[9861]
    assert CLOSED[-9862] == CLOSED[0]
    assert CLOSED[kt.Board(5, 6).tours(closed=True).count()] == CLOSED[8]
    for number in (9862, -9863, 10**30, -(10**30)):
        with pytest.raises(IndexError, match="9862 closed tours of the 6x6 board"):
            CLOSED[number]
    for wrong in ("1", 1.0, True, None, (1, 2)):
        with pytest.raises(TypeError, match="whole numbers"):
            CLOSED[wrong]  # type: ignore[index]
    with pytest.raises(TypeError):
        len(CLOSED)  # type: ignore[arg-type]


def test_a_closed_tour_is_looked_up_from_any_square_and_either_way() -> None:
    tour = CLOSED[4321]
    squares = list(tour.squares)
    for turn in range(0, 36, 5):
        turned = kt.Tour(tour.board, squares[turn:] + squares[:turn], closed=True)
        assert CLOSED.index(turned) == CLOSED.index(turned.reversed()) == 4321
    elsewhere = kt.Board(6).tours(closed=True, start="c3")
    number = elsewhere.index(tour)
    assert elsewhere[number].start == kt.Square(3, 2)
    assert CLOSED[CLOSED.index(elsewhere[number])] == tour


def test_foreign_tours_have_no_number() -> None:
    opened = kt.Tour(CLOSED.board, list(CLOSED[0].squares), closed=False)
    for foreign in (opened, kt.solve(5), kt.solve(6, 8, closed=True), "a1", None, 5):
        assert foreign not in CLOSED
        with pytest.raises(ValueError, match="is not one of the closed tours of the 6x6 board"):
            CLOSED.index(foreign)  # type: ignore[arg-type]
    without = CLOSED.excluding(("a1", "b3"))
    with pytest.raises(ValueError, match="not one of"):
        without.index(CLOSED[0])


def test_seeds() -> None:
    assert CLOSED.sample(5, seed=3) == CLOSED.sample(9, seed=3)[:5] == CLOSED.sample(5, seed=3, threads=4)
    assert CLOSED.sample(5, seed=3) != CLOSED.sample(5, seed=4)
    fresh = CLOSED.sample(5)
    assert isinstance(fresh, list)
    assert fresh == CLOSED.sample(5, seed=fresh.seed)
    assert CLOSED.sample(5).seed != fresh.seed
    copy = pickle.loads(pickle.dumps(fresh))
    assert (copy, copy.seed, type(copy)) == (fresh, fresh.seed, kt.Sample)
    assert CLOSED.sample(0) == []
    assert len(CLOSED.sample()) == 1
    for wrong in (-1, 1.5, True, "3", None):
        with pytest.raises(kt.RequestError, match="k must be a whole number"):
            CLOSED.sample(wrong)  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match="seed"):
        CLOSED.sample(1, seed=-1)
    with pytest.raises(kt.MemoryLimitError, match="tours need"):
        CLOSED.sample(10**17)


def test_where_there_is_no_tour() -> None:
    none = kt.Board(5).tours(closed=True)
    assert none.sample(0) == []
    assert list(none[:]) == []
    with pytest.raises(IndexError, match="there are 0 closed tours"):
        none[0]
    with pytest.raises(kt.NoTourError, match="no closed tours of the 5x5 board"):
        none.sample()
    large = kt.Board(101).tours(closed=True)
    with pytest.raises(kt.NoTourError):
        large.sample()


def test_one_square() -> None:
    tours = kt.Board(1).tours()
    assert list(tours[:]) == [tours[0]] == tours.sample(1)
    assert tours.index(tours[0]) == 0


def test_index_files(tmp_path: Path) -> None:
    path = tmp_path / "6x6.tours"
    tours = kt.Board(6).tours(closed=True)
    assert tours.prepare(path) is tours
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    opened = kt.open_tours(path)
    assert opened == tours
    assert (opened.board, opened.closed) == (tours.board, True)
    assert list(opened[::7]) == list(tours[::7]) == list(CLOSED[::7])
    assert opened.sample(20, seed=1) == CLOSED.sample(20, seed=1)
    # It is there already.
    before = path.stat().st_mtime_ns
    assert kt.Board(6).tours(closed=True).prepare(str(path))[99] == CLOSED[99]
    assert path.stat().st_mtime_ns == before
    with pytest.raises(kt.StoreError, match="another request"):
        kt.Board(5, 6).tours(closed=True).prepare(path)
    with pytest.raises(kt.StoreError, match="another request"):
        tours.excluding(("a1", "b3")).prepare(path)
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(kt.StoreError):
            kt.open_tours(missing)
    with pytest.raises(kt.StoreError):
        kt.Board(6).tours(closed=True).prepare(tmp_path / "none" / "file")
    # What has no tours has an index as well.
    none = tmp_path / "none.tours"
    kt.Board(5).tours(closed=True).prepare(none)
    assert kt.open_tours(none)[:].count() == 0


def test_files_do_not_go_with_lists(tmp_path: Path) -> None:
    stepped = kt.Board(5).tours().with_steps({"c3": 12})
    with pytest.raises(kt.RequestError, match="given steps"):
        stepped.prepare(tmp_path / "index")
    with pytest.raises(kt.RequestError, match="given steps"):
        stepped.prepare(spill_dir=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path, bad = tmp_path / "good", tmp_path / "bad"
    tours = kt.Board(4, 5).tours().prepare(path)
    expected = list(tours[:])
    good = path.read_bytes()
    rng = random.Random(1)

    def refused(content: bytes) -> bool:
        bad.unlink(missing_ok=True)
        bad.write_bytes(content)
        try:
            opened = kt.open_tours(bad)
            for number, tour in enumerate(expected):
                assert opened[number] == tour
                assert opened.index(tour) == number
        except kt.StoreError:
            return True
        return False

    assert not refused(good)
    places = [*range(96), *(rng.randrange(len(good)) for _ in range(60)), len(good) - 1]
    for place in places:
        damaged = bytearray(good)
        damaged[place] ^= 1 << rng.randrange(8)
        assert refused(bytes(damaged)), place
    for length in (0, 5, 95, 96, 200, len(good) // 2, len(good) - 1):
        assert refused(good[:length]), length
    assert refused(good + b"x")


def test_limits_of_preparing(tmp_path: Path) -> None:
    tours = kt.Board(6, 8).tours(closed=True)
    with pytest.raises(kt.MemoryLimitError, match="preparing the closed tours of the 6x8 board needs about"):
        tours.prepare(memory_limit=3_000_000)
    with pytest.raises(kt.TimeLimitError):
        tours.prepare(time_limit=0)
    with pytest.raises(kt.LimitReachedError):
        tours.prepare(tmp_path / "index", node_limit=1000)
    assert list(tmp_path.iterdir()) == []
    cancel = kt.Cancel()
    cancel.cancel()
    with pytest.raises(kt.LimitReachedError, match="cancelled"):
        tours.prepare(cancel=cancel)
    with pytest.raises(kt.LimitReachedError, match="cancelled"):
        CLOSED.sample(3, cancel=cancel)
    with pytest.raises(kt.RequestError):
        tours.prepare(threads=0)
    # After an error all is as it was.
    spilled = tours.prepare(spill_dir=tmp_path, memory_limit=7_000_000)
    assert os.name == "nt" or list(tmp_path.iterdir()) == []
    number = 12_345_678
    assert spilled.index(spilled[number]) == number
    with pytest.raises(kt.MemoryLimitError):
        kt.Board(20).tours().prepare(memory_limit=50_000_000)


class StopError(Exception):
    """What a progress function raises."""


def test_progress_stops_preparing_and_drawing() -> None:
    def stop(_: Any) -> None:
        raise StopError

    with pytest.raises(StopError):
        kt.Board(7, 8).tours().prepare(progress=stop, threads=1)
    # It told nothing until the tables were made.
    with pytest.raises(StopError):
        kt.Board(7, 8).tours().sample(progress=stop, threads=1)
    with pytest.raises(StopError):
        kt.Board(7, 8).tours().distinct().sample(progress=stop, threads=1)
    with pytest.raises(StopError):
        CLOSED.sample(10**6, progress=stop, threads=1)


def test_threads_share_a_collection() -> None:
    tours = kt.Board(5, 6).tours(start="a1")
    found: list[list[kt.Tour]] = []

    def look() -> None:
        found.append([tours[number] for number in range(40)])

    workers = [threading.Thread(target=look) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert all(list(tours[:40]) == part for part in found)


def test_a_collection_is_what_it_was() -> None:
    tours = kt.Board(5, 6).tours(closed=True)
    key = hash(tours)
    tours.prepare()
    assert hash(tours) == key
    assert tours == kt.Board(5, 6).tours(closed=True)
    copy = pickle.loads(pickle.dumps(tours))
    assert copy == tours
    assert list(copy[:]) == list(tours[:])


@pytest.mark.slow
def test_random_numbers_of_7x8() -> None:
    tours = kt.Board(7, 8).tours(closed=True)
    rng = random.Random(8)
    for number in (rng.randrange(34_524_432_316) for _ in range(2000)):
        assert tours.index(tours[number]) == number
    drawn = tours.sample(2000, seed=1)
    assert all(tours[tours.index(tour)] == tour for tour in drawn)
