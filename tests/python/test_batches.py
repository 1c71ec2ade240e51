"""Listings: batches, limits, positions, and the order. Every tour is checked by rules that are not the package's."""

import itertools
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt

Array = npt.NDArray[np.uint32]


def arrays(tours: kt.Tours, size: int = 1000, **options: Any) -> Array:
    """All tours, a row each."""
    rows = [np.asarray(batch) for batch in tours.batches(size, **options)]
    return np.concatenate(rows) if rows else np.empty((0, len(tours.board)), dtype=np.uint32)


def check_rows(rows: Array, size: int, cols: int, closed: bool) -> None:
    """Each row a knight's tour of a whole board, and no two the same tour."""
    # Some at a time: what is computed of all 6,637,920 would take gigabytes.
    for part in np.array_split(rows, len(rows) // 100_000 + 1):
        assert (np.sort(part, axis=1) == np.arange(size)).all()
        following = np.roll(part, -1, axis=1).astype(int)
        here = part.astype(int)
        steps = np.sort([abs(here // cols - following // cols), abs(here % cols - following % cols)], axis=0)
        is_move = (steps[0] == 1) & (steps[1] == 2)
        assert is_move.all() if closed else is_move[:, :-1].all()
        if closed:
            assert (part[:, 0] == 0).all()
            assert (part[:, 1] < part[:, -1]).all()
    whole = np.ascontiguousarray(rows)
    assert len(np.unique(whole.view(f"V{whole.itemsize * size}"))) == len(rows)


@st.composite
def collections(draw: st.DrawFn) -> kt.Tours:
    """Any small collection: holes, leapers, joined edges, ends, moves to use or avoid, steps."""
    board = draw(boards.boards().filter(lambda board: len(board) <= 9))
    closed = draw(st.booleans())
    squares = st.sampled_from(list(board.squares))
    start = draw(st.none() | squares)
    end = None if closed else draw(st.none() | squares.filter(lambda square: square != start))
    if len(board) == 1:
        end = None
    tours = board.tours(closed=closed, start=start, end=end)
    edges = [(square, to) for square in board.squares for to in board.moves(square) if square < to]
    if edges:
        tours = tours.including(*draw(st.lists(st.sampled_from(edges), max_size=1)))
        tours = tours.excluding(*draw(st.lists(st.sampled_from(edges), max_size=2)))
    if draw(st.booleans()):
        tours = tours.with_steps({draw(squares): draw(st.integers(0, len(board) - 1))})
    return tours


# --- the order ------------------------------------------------------------------------------------------------


def test_the_order_is_the_documented_one() -> None:
    """Golden: the first tours of each, as every version lists them."""
    lines = (line for line in GOLDEN.splitlines() if line)
    for name, tours in golden():
        listed = [shortened(" ".join(tour.names())) for tour in itertools.islice(tours, 3)]
        assert [f"{name}: {tour}" for tour in listed] == [next(lines) for _ in listed]
    assert next(lines, None) is None


def shortened(text: str) -> str:
    """A long tour by its first squares and a checksum."""
    words = text.split()
    return text if len(words) <= 36 else f"{' '.join(words[:20])} ... {zlib.crc32(text.encode()):08x}"


def golden() -> Iterator[tuple[str, kt.Tours]]:
    """Collections of each kind."""
    board = kt.Board(5)
    yield "5x5", board.tours()
    yield "5x5 a1", board.tours(start="a1")
    yield "5x5 to c3", board.tours(end="c3")
    yield "5x5 a1 e1", board.tours(start="a1", end="e1")
    yield "5x6 closed", kt.Board(5, 6).tours(closed=True)
    yield "5x6 closed c3", kt.Board(5, 6).tours(closed=True, start="c3")
    yield "6x6 closed with", kt.Board(6).tours(closed=True).including(("c4", "d2")).excluding(("a6", "c5"))
    yield "5x5 step", board.tours().with_steps({"c3": 12, "a5": 24})
    yield "holes", kt.Board(5, 6, blocked=["c3", "d3"]).tours()
    yield "torus", kt.Board(3, 4, wrap="both").tours(closed=True)
    yield "8x9", kt.Board(8, 9).tours(start="a1")
    yield "12x12", kt.Board(12).tours(closed=True)


GOLDEN = """
5x5: e3 d5 b4 a2 c3 d1 b2 a4 c5 e4 d2 b1 a3 b5 d4 e2 c1 d3 e5 c4 a5 b3 a1 c2 e1
5x5: e1 c2 a1 b3 a5 c4 e5 d3 c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 c3 a2 b4 d5 e3
5x5: c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 c3 a2 b4 d5 e3 c2 a1 b3 a5 c4 e5 d3 e1
5x5 a1: a1 b3 a5 c4 e5 d3 c1 a2 c3 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 c2 e1
5x5 a1: a1 b3 a5 c4 e5 d3 e1 c2 b4 d5 e3 d1 b2 a4 c5 e4 d2 b1 a3 b5 d4 e2 c3 a2 c1
5x5 a1: a1 b3 a5 c4 e5 d3 b2 a4 c5 e4 d2 b1 a3 b5 d4 e2 c1 a2 c3 d1 e3 d5 b4 c2 e1
5x5 to c3: e1 c2 a1 b3 a5 c4 e5 d3 c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c3
5x5 to c3: a1 c2 e1 d3 e5 c4 a5 b3 c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c3
5x5 to c3: a1 c2 e1 d3 e5 c4 a5 b3 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c1 e2 c3
5x5 a1 e1: a1 b3 a5 c4 e5 d3 c1 a2 c3 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 c2 e1
5x5 a1 e1: a1 b3 a5 c4 e5 d3 c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 c3 a2 b4 c2 e1
5x5 a1 e1: a1 b3 a5 c4 e5 d3 c1 e2 d4 b5 a3 b1 d2 e4 c5 a4 b2 d1 c3 a2 b4 d5 e3 c2 e1
5x6 closed: a5 c4 e5 f3 e1 d3 f2 d1 b2 a4 c5 e4 d2 f1 e3 f5 d4 b5 a3 b1 c3 a2 c1 e2 f4 d5 b4 c2 a1 b3
5x6 closed: a5 c4 e5 f3 e1 d3 f2 d1 b2 a4 c5 e4 d2 f1 e3 f5 d4 b5 a3 b1 c3 d5 f4 e2 c1 a2 b4 c2 a1 b3
5x6 closed: a5 c4 e5 f3 e1 d3 c5 a4 b2 d1 f2 e4 d2 f1 e3 f5 d4 b5 a3 b1 c3 a2 c1 e2 f4 d5 b4 c2 a1 b3
5x6 closed c3: c3 a2 c1 e2 f4 d5 b4 c2 a1 b3 a5 c4 e5 f3 e1 d3 f2 d1 b2 a4 c5 e4 d2 f1 e3 f5 d4 b5 a3 b1
5x6 closed c3: c3 d5 f4 e2 c1 a2 b4 c2 a1 b3 a5 c4 e5 f3 e1 d3 f2 d1 b2 a4 c5 e4 d2 f1 e3 f5 d4 b5 a3 b1
5x6 closed c3: c3 a2 c1 e2 f4 d5 b4 c2 a1 b3 a5 c4 e5 f3 e1 d3 c5 a4 b2 d1 f2 e4 d2 f1 e3 f5 d4 b5 a3 b1
5x5 step: e3 d5 b4 a2 c1 e2 d4 b5 a3 b1 d2 e4 c3 d1 b2 a4 c5 b3 a1 c2 e1 d3 e5 c4 a5
5x5 step: a3 b5 d4 e2 c1 a2 b4 d5 e3 d1 b2 a4 c3 b1 d2 e4 c5 b3 a1 c2 e1 d3 e5 c4 a5
5x5 step: d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c1 e2 c3 b1 a3 b5 d4 b3 a1 c2 e1 d3 e5 c4 a5
torus: a3 b2 d1 a2 c3 b1 d2 c1 b3 a1 d3 c2
torus: a3 b2 d3 a1 b3 c1 d2 b1 c3 a2 d1 c2
torus: a3 b2 a1 d3 c1 d2 b1 c3 a2 d1 b3 c2
8x9: a1 b3 c1 a2 b4 c6 a5 b7 d8 f7 h8 i6 h4 i2 g1 e2 d4 c2 e1 g2 ... 29c15d57
8x9: a1 b3 c1 a2 b4 c6 a5 b7 d8 f7 h8 i6 h4 i2 g1 e2 d4 c2 e1 g2 ... 21a392e2
8x9: a1 b3 c1 a2 b4 c6 a5 b7 d8 f7 h8 i6 h4 i2 g1 e2 d4 c2 e1 g2 ... e026dc7f
12x12: a12 c11 a10 b12 d11 f12 h11 f10 d9 b8 a6 b4 a2 c1 b3 a1 c2 a3 b1 d2 ... 5a482291
12x12: a12 c11 a10 b12 d11 f12 h11 f10 d9 b8 a6 b4 a2 c1 b3 a1 c2 a3 b1 d2 ... cd140ac1
12x12: a12 c11 a10 b12 d11 f12 h11 f10 d9 b8 a6 b4 a2 c1 b3 a1 c2 a3 b1 d2 ... fa8210b1
"""


@pytest.mark.parametrize("closed", [False, True])
def test_batches_come_in_the_order_of_iterating(closed: bool) -> None:
    board = kt.Board(5) if not closed else kt.Board(6)
    tours = board.tours(closed=closed)
    listed = list(tours)
    for size in (1, 7, 1000, 10**6):
        batches = list(tours.batches(size))
        assert [tour for batch in batches for tour in batch] == listed
        assert {len(batch) for batch in batches[:-1]} <= {size}
        assert 1 <= len(batches[-1]) <= size


def test_the_first_thousand_of_8x8() -> None:
    """Lazily: there are some 10^16."""
    first = list(itertools.islice(kt.Board(8).tours(), 1000))
    assert len(set(first)) == 1000
    assert all(again == tour.reversed() for tour, again in zip(first[::2], first[1::2], strict=True))
    batch = next(kt.Board(8).tours().batches(1000))
    assert list(batch) == first
    check_rows(np.asarray(batch), 64, 8, closed=False)


# --- whole collections ----------------------------------------------------------------------------------------


def test_all_closed_tours_of_6x6() -> None:
    rows = arrays(kt.Board(6).tours(closed=True))
    assert len(rows) == 9862
    check_rows(rows, 36, 6, closed=True)


@pytest.mark.minutes
def test_all_open_tours_of_6x6() -> None:
    rows = np.concatenate([np.asarray(batch).astype(np.uint8) for batch in kt.Board(6).tours().batches(1 << 16)])
    assert len(rows) == 6_637_920
    check_rows(rows, 36, 6, closed=False)


@settings(max_examples=60)
@given(collections(), st.integers(1, 50), st.integers(1, 3))
def test_batches_against_brute_force(tours: kt.Tours, size: int, threads: int) -> None:
    board = tours.board
    table = boards.graph(board)
    every: set[tuple[tuple[int, ...], ...]] = set()
    for path in bruteforce.open_tours(table):
        tour = kt.Tour(board, path, False)
        if tours.closed:
            if len(path) < 3 or path[0] not in table[path[-1]]:
                continue
            tour = kt.Tour(board, path, True)
        if tour in tours:
            every.add(tuple(tuple(square) for square in listed_form(tour, tours)))
    rows = arrays(tours, size, threads=threads)
    listed = [tuple(divmod(int(number), board.cols) for number in row) for row in rows]
    assert sorted(listed) == sorted(every)
    if threads == 1:
        assert listed == [tuple(tour.squares) for tour in tours]


def listed_form(tour: kt.Tour, tours: kt.Tours) -> list[kt.Square]:
    """How a tour is written; a closed one as the steps ask, else towards the smaller neighbour of its first square."""
    squares = list(tour.squares)
    if not tour.is_closed:
        return squares
    steps = {tours.board.square(square): step for square, step in tours._request.steps.items()}
    start = tours.start
    first, step = (start, 0) if start is not None else next(iter(steps.items()), (min(squares), 0))
    at = squares.index(first)
    forth = squares[at:] + squares[:at]
    ways = [forth, forth[:1] + forth[:0:-1]]
    fitting = []
    for way in sorted(ways, key=lambda way: way[1]):
        numbered = way[len(way) - step :] + way[: len(way) - step]
        if all(numbered[step] == square for square, step in steps.items()):
            fitting.append(numbered)
    return fitting[0]


# --- threads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 100, 5000, 10**5])
def test_threads_lose_no_tour(threads: int, size: int) -> None:
    if size == 1 and threads > 2:
        size = 3
    rows = arrays(kt.Board(5).tours() if size < 100 else kt.Board(6).tours(closed=True), size, threads=threads)
    if size < 100:
        assert len(rows) == 1728
        check_rows(rows, 25, 5, closed=False)
    else:
        assert len(rows) == 9862
        check_rows(rows, 36, 6, closed=True)


def test_threads_and_few_tours() -> None:
    """Where tours are rare, threads wait for each other."""
    for threads in (2, 4):
        assert len(arrays(kt.Board(5, 6).tours(closed=True), threads=threads)) == 8
        assert len(arrays(kt.Board(4, 10).tours(closed=True), threads=threads)) == 0
        assert len(arrays(kt.Board(1).tours(), threads=threads)) == 1


def test_node_limits_hold_for_threads() -> None:
    for threads in (1, 2, 3):
        batches = kt.Board(8).tours().batches(10**6, threads=threads, node_limit=30_000)
        assert 0 < len(next(batches)) <= 60_000
        with pytest.raises(kt.LimitReachedError, match="node limit") as caught:
            next(batches)
        assert caught.value.stats is not None
        assert caught.value.stats.nodes == 30_000


# --- the batch ------------------------------------------------------------------------------------------------


def test_a_batch_is_an_array_without_a_copy() -> None:
    batch = next(kt.Board(6).tours(closed=True).batches(500))
    rows = np.asarray(batch)
    assert rows.shape == batch.shape == (500, 36)
    assert rows.dtype == np.uint32
    assert not rows.flags.owndata
    assert not rows.flags.writeable
    assert np.shares_memory(rows, np.asarray(batch))
    part = batch[100:200]
    assert np.shares_memory(np.asarray(part), rows)
    assert (np.asarray(part) == rows[100:200]).all()
    view = memoryview(batch)
    assert (view.shape, view.strides, view.format, view.readonly) == ((500, 36), (144, 4), "I", True)
    assert bytes(view) == rows.tobytes()
    del batch, part
    assert rows[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 1


def test_a_batch_is_a_sequence_of_tours() -> None:
    tours = kt.Board(5).tours(start="a1")
    batch = next(tours.batches(100))
    listed = list(itertools.islice(tours, 100))
    assert len(batch) == 100
    assert list(batch) == listed == [batch[i] for i in range(100)]
    assert batch[-1] == listed[-1]
    for cut in (slice(3, 50), slice(None), slice(50, 3), slice(None, None, -1), slice(90, 5, -7), slice(200, 300)):
        assert list(batch[cut]) == listed[cut]
        assert list(batch[cut][1:][::-1]) == listed[cut][1:][::-1]
    assert batch[:10] == next(tours.batches(10))
    assert hash(batch[:10]) == hash(next(tours.batches(10)))
    assert batch[:10] != batch[1:11]
    assert batch != listed
    assert (batch.board, batch.closed) == (tours.board, False)
    assert repr(batch) == "<Batch: 100 open tours of the 5x5 board>"
    assert pickle.loads(pickle.dumps(batch[5:20])) == batch[5:20]
    for index in (100, -101, 10**30):
        with pytest.raises(IndexError, match="100 tours"):
            batch[index]
    with pytest.raises(TypeError, match="'x'"):
        batch["x"]  # type: ignore[call-overload]


def test_a_pickled_batch_is_checked() -> None:
    batch = next(kt.Board(5).tours().batches(10))
    restore, (board, numbers, closed) = batch.__reduce__()
    assert restore(board, numbers, closed) == batch
    with pytest.raises(kt.InvalidTourError):
        restore(board, numbers[:-4], closed)
    with pytest.raises(kt.InvalidTourError):
        restore(board, numbers[:4] + numbers[:4] + numbers[8:], closed)
    with pytest.raises(kt.InvalidTourError):
        restore(board, numbers, True)


def test_lines() -> None:
    batch = next(kt.Board(5, 6).tours(closed=True).batches(10))
    names = [" ".join(tour.names()) for tour in batch]
    assert batch.lines().decode() == "".join(f"{line}\n" for line in names)
    rows = np.asarray(batch)
    assert batch.lines("csv").decode() == "".join(",".join(map(str, row)) + "\n" for row in rows.tolist())
    listed = ", ".join(f'"{name}"' for name in names[0].split())
    assert batch[:1].lines("json").decode().startswith(f'{{"tour": [{listed}], "closed": true, "board": {{')
    assert batch[:0].lines() == b""
    with pytest.raises(kt.RequestError, match=r"names.*'xml'"):
        batch.lines("xml")  # type: ignore[arg-type]


# --- limits ---------------------------------------------------------------------------------------------------


def test_misuse_of_batches() -> None:
    tours = kt.Board(6).tours()
    for size in (0, -1, True, 1.5, "10", None):
        with pytest.raises(kt.RequestError, match="size must be"):
            tours.batches(size)  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match="threads"):
        tours.batches(10, threads=0)
    with pytest.raises(kt.MemoryLimitError, match="needs about 14,000 TB of memory"):
        tours.batches(10**14)
    with pytest.raises(kt.RequestError, match="wait must be"):
        tours.batches(10, wait=-1)
    with pytest.raises(kt.MemoryLimitError, match="listing the tours of the 6x6 board"):
        tours.batches(1000, memory_limit=1000)
    with pytest.raises(kt.RequestError, match="time_limit"):
        tours.listing(time_limit=-1)
    with pytest.raises(kt.RequestError, match="cancel"):
        tours.listing(cancel=True)  # type: ignore[arg-type]


def test_time_limits() -> None:
    listing = kt.Board(8).tours().listing(time_limit=0.05)
    with pytest.raises(kt.TimeLimitError, match="listing the tours of the 8x8 board"):
        for _ in listing:
            pass
    with pytest.raises(kt.TimeLimitError):
        next(listing)
    batches = kt.Board(8).tours().batches(10**5, time_limit=0.05)
    with pytest.raises(kt.TimeLimitError):
        for _ in batches:
            pass


def test_what_was_found_before_a_limit_is_handed_out() -> None:
    tours = kt.Board(8).tours()
    batches = tours.batches(10**6, node_limit=1000)
    batch = next(batches)
    assert list(batch) == list(itertools.islice(tours, len(batch)))
    with pytest.raises(kt.LimitReachedError):
        next(batches)
    rest = tours.batches(10, position=batches.position)
    assert list(next(rest)) == list(itertools.islice(tours, len(batch), len(batch) + 10))


def test_cancelling() -> None:
    cancel = kt.Cancel()
    listing = kt.Board(8).tours().listing(cancel=cancel)
    next(listing)
    cancel.cancel()
    with pytest.raises(kt.LimitReachedError, match="cancelled"):
        for _ in listing:
            pass
    other = kt.Cancel()
    timer = threading.Timer(0.05, other.cancel)
    timer.start()
    # A collection in which the first tour is far away.
    hard = kt.Board(8).tours(start=(0, 0), end=(3, 0)).including(((1, 0), (3, 1))).batches(2**20, cancel=other)
    with pytest.raises(kt.LimitReachedError, match="cancelled"):
        for _ in hard:
            pass
    timer.join()


def test_progress() -> None:
    seen: list[kt.Progress] = []
    batches = kt.Board(8).tours().batches(10**7, time_limit=1.0, progress=seen.append)
    next(batches)
    assert seen
    assert all(progress.total is None and progress.message == "listing: tours" for progress in seen)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)

    class Enough(Exception):  # noqa: N818
        pass

    def enough(_: kt.Progress) -> None:
        raise Enough

    batches = kt.Board(8).tours().batches(10**7, progress=enough)
    with pytest.raises(Enough):
        next(batches)


# --- positions ------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(collections(), st.data())
def test_a_listing_goes_on_from_any_position(tours: kt.Tours, data: st.DataObject) -> None:
    listed = list(tours)
    at = data.draw(st.integers(0, len(listed)))
    listing = tours.listing()
    assert list(itertools.islice(listing, at)) == listed[:at]
    assert listing.listed == at
    position = listing.position
    resumed = tours.listing(position=position)
    assert (resumed.listed, resumed.position) == (at, position)
    assert list(resumed) == listed[at:]
    assert resumed.listed == len(listed)
    batches = tours.batches(3, position=position)
    assert [tour for batch in batches for tour in batch] == listed[at:]
    assert list(tours.listing(position=batches.position)) == []


@pytest.mark.parametrize("board", [kt.Board(6), kt.Board(8), kt.Board(10), kt.Board(8, 8, wrap="cols"), kt.Board(12)])
def test_positions_on_words_of_each_size(board: kt.Board) -> None:
    rng = random.Random(5)
    for tours in (board.tours(), board.tours(closed=True), board.tours(start=(0, 0))):
        listing = tours.listing()
        for _ in range(20):
            for _ in range(rng.randrange(100)):
                next(listing)
            resumed = tours.listing(position=listing.position)
            assert list(itertools.islice(resumed, 3)) == [next(listing) for _ in range(3)]


def test_positions_are_of_one_collection() -> None:
    listing = kt.Board(6).tours(closed=True).listing()
    next(listing)
    position = listing.position
    assert len(position) < 1000
    for tours in (kt.Board(6).tours(), kt.Board(6, 8).tours(closed=True), kt.Board(6).tours(closed=True, start="c3")):
        with pytest.raises(kt.RequestError, match="another collection"):
            tours.listing(position=position)
    tours = kt.Board(6).tours(closed=True)
    for damaged in (b"", b"x", position[:-1], position + b"\0", bytes([position[0] ^ 1]) + position[1:]):
        with pytest.raises(kt.RequestError, match="not a position of a listing, or it is damaged"):
            tours.batches(5, position=damaged)
    for at in range(len(position)):
        with pytest.raises(kt.RequestError):
            tours.listing(position=position[:at] + bytes([position[at] ^ 0x40]) + position[at + 1 :])
    with pytest.raises(kt.RequestError, match="position must be bytes"):
        tours.listing(position="here")  # type: ignore[arg-type]
    with pytest.raises(kt.RequestError, match="needs threads=1"):
        tours.batches(5, threads=2, position=position)
    assert tours.batches(5, threads=2).position is None


# --- Ctrl-C ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_in_the_middle_of_a_batch_loses_nothing(threads: int) -> None:
    program = f"""
import knightstour as kt
hard = kt.Board(8).tours().batches(10**7, threads={threads}, wait=60)
print("ready", flush=True)
try:
    next(hard)
except KeyboardInterrupt:
    print("interrupted", hard.listed, flush=True)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted 0\n"
        assert process.wait(20) == 0


def test_iterators_are_shared_by_threads() -> None:
    tours = kt.Board(6).tours(closed=True)
    batches = tours.batches(17)
    parts: list[list[kt.Batch]] = [[] for _ in range(4)]
    threads = [threading.Thread(target=part.extend, args=[batches]) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {tour for part in parts for batch in part for tour in batch} == set(tours)
    assert sum(len(batch) for part in parts for batch in part) == 9862
