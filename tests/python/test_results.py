"""Results as plain data for JSON, and as NumPy arrays."""

from __future__ import annotations

import importlib
import json
import pickle
import pkgutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import knightstour as kt
from knightstour.parts.forecast import Forecast
from knightstour.parts.ledger import Result
from knightstour.parts.plan import Part, Task
from knightstour.parts.tables import PlanCount
from knightstour.paths import FoundPath
from knightstour.results import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

BOARD = kt.Board(5, 6, blocked=["a1"])
TOURS = kt.Board(5).tours()


def results() -> dict[type[Any], Any]:
    """One of each class of results."""
    plan = TOURS.plan("ends")
    found = TOURS.find()
    hopeless = kt.Board(4).tours().find()
    return {
        kt.Count: TOURS.count(),
        kt.Found: found,
        FoundPath: kt.Board(5, wrap="both").paths(7, closed=True).find(),
        kt.Impossible: hopeless,
        kt.LongestPath: BOARD.longest_path(),
        kt.Plan: plan,
        kt.Progress: kt.Progress(1, None, "searching"),
        kt.Puzzle: kt.puzzle(BOARD, seed=1),
        kt.Reason: hopeless.reason if isinstance(hopeless, kt.Impossible) else None,
        kt.Stats: found.stats,
        kt.Stopped: kt.Board(30).tours().find(time_limit=0),
        kt.Trials: kt.warnsdorff_trials(BOARD, 20, seed=1),
        Forecast: Forecast(10, 1000, 0.5, 1.5),
        Part: plan.parts[0],
        PlanCount: plan.run(),
        Result: Result("a", 1, 0.5, 10, 2, 3, "here", "1.0"),
        Task: plan.task(plan.parts[0]),
    }


def kinds(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds(one)


def test_every_result_is_json() -> None:
    for module in pkgutil.walk_packages(kt.__path__, "knightstour."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    examples = results()
    of_package = {
        one for one in [kt.Count, *kinds(kt.Count), *kinds(Record)] if one.__module__.startswith("knightstour")
    }
    assert examples.keys() == of_package
    for kind, result in examples.items():
        assert type(result) is kind
        plain = result.as_dict()
        # Equal after a round trip: no tuples, no keys but texts, and no rounding.
        assert json.loads(json.dumps(plain)) == plain, kind
        assert pickle.loads(pickle.dumps(result)).as_dict() == plain


def test_what_the_plain_data_say() -> None:
    found = TOURS.find()
    assert isinstance(found, kt.Found)
    plain = found.as_dict()
    assert plain["tour"] == json.loads(found.tour.to_json())
    assert kt.Tour.from_json(json.dumps(plain["tour"])) == found.tour
    torus = kt.Board(4, 5, blocked=["b2"], leaper=(0, 1), wrap="cols").tours().find()
    assert isinstance(torus, kt.Found)
    assert torus.as_dict()["tour"] == json.loads(torus.tour.to_json())
    path = BOARD.paths(4, start="b1").find()
    assert isinstance(path, FoundPath)
    assert path.as_dict()["tour"]["squares"] == path.tour.names()
    reason = kt.Board(3).tours(start="b2").find()
    assert isinstance(reason, kt.Impossible)
    assert reason.as_dict()["reason"]["squares"] == [list(square) for square in reason.reason.squares]
    puzzle = kt.puzzle(BOARD, seed=1).as_dict()
    assert all(name in BOARD for name in puzzle["clues"])
    part = TOURS.including(("a1", "b3")).plan("ends").as_dict()
    assert (part["tours"]["including"], part["tours"]["excluding"]) == ([["b3", "a1"]], [])
    # Longer than what Python writes unasked, 4300 digits.
    long = kt.Count(10**5000 + 7, None, None, kt.Stats("frontier")).as_dict()
    assert json.loads(json.dumps(long))["value"] == "1" + "0" * 4999 + "7"


def test_squares_are_arrays() -> None:
    """Beside what the squares say one by one."""
    walk = kt.warnsdorff(BOARD, seed=3)
    tour = kt.solve(BOARD)
    path = BOARD.paths(6).find()
    assert isinstance(path, kt.Found)
    for squares in (
        *(tour.squares, tour.squares[3:20:4], tour.squares[::-1], tour.squares[:1], tour.squares[:0]),
        *(BOARD.squares, BOARD.squares[::-2], walk.squares, path.tour.squares),
        *(BOARD.longest_path().squares, BOARD.longest_uncrossed().squares),
    ):
        array = np.asarray(squares)
        assert (array.shape, array.dtype.kind) == ((len(squares), 2), "i")
        assert list(map(tuple, array.tolist())) == list(squares)
    for whole, squares in ((walk, walk.squares), (BOARD, BOARD.squares), (path.tour, path.tour.squares)):
        assert np.array_equal(np.asarray(whole), np.asarray(squares))
    longest = kt.Board(2).longest_uncrossed(closed=True)
    assert np.asarray(longest).shape == np.asarray(longest.squares).shape == (0, 2)
    assert np.asarray(tour.squares, dtype=np.float32).dtype == np.float32
    assert np.array(tour.squares, copy=True).flags.writeable
    with pytest.raises(ValueError, match="copy"):
        np.array(tour.squares, copy=False)
    # The flat numbers, not copied, stay what they are.
    assert np.asarray(tour).tolist() == [row * 6 + col for row, col in tour.squares]
    assert np.asarray(tour).dtype == np.uint32
    grid = np.zeros((5, 6), int)
    grid[tuple(np.asarray(tour.squares).T)] = np.arange(1, len(tour) + 1)
    assert [[number or None for number in row] for row in grid.tolist()] == tour.grid()


def test_large_tours_are_arrays() -> None:
    tour = kt.solve(1000)
    array = np.asarray(tour.squares)
    assert np.array_equal(array[:, 0] * 1000 + array[:, 1], np.asarray(tour))
    moves = np.abs(np.diff(array, axis=0))
    assert (moves.prod(axis=1) == 2).all()
    with pytest.raises(kt.MemoryLimitError):
        np.asarray(kt.Board(2**31, 1).squares)


def test_nothing_becomes_an_array_of_one_object() -> None:
    """Numbers become arrays; what is none says so."""
    count = TOURS.count()
    for result, shape in (
        (count, ()),
        (kt.warnsdorff_trials(BOARD, 20, seed=1), (20,)),
        (BOARD.longest_path(), (29, 2)),
        (kt.puzzle(BOARD, seed=1), (5, 6)),
        (TOURS.sample(3, seed=1), (3, 25)),
        (TOURS[5:9], (4, 25)),
        (next(TOURS.batches(7)), (7, 25)),
        (kt.Square(1, 2), (2,)),
    ):
        array = np.asarray(result)
        assert (array.shape, array.dtype.kind in "iu") == (shape, True)
    assert np.asarray([count, 1]).tolist() == [1728, 1]
    for huge in (2**63, 10**30):
        with pytest.raises(OverflowError):
            np.asarray(kt.Count(huge, None, None, kt.Stats("frontier")))
    nothing = [result for kind, result in results().items() if "__array__" not in vars(kind)]
    for result in [*(one for one in nothing if not isinstance(one, kt.Count)), TOURS, BOARD.paths(3)]:
        with pytest.raises(TypeError, match="is not an array"):
            np.asarray(result)


RUNS: list[tuple[kt.Board, dict[str, Any]]] = [
    (kt.Board(8), {}),
    (kt.Board(7), {"start": "a1"}),
    (BOARD, {"ties": "pohl"}),
    (kt.Board(9), {"ties": "squirrel"}),
    (kt.Board(20), {"ties": "outward"}),
    (kt.Board(5, wrap="both"), {"ties": "first"}),
]


@pytest.mark.parametrize(("board", "options"), RUNS, ids=repr)
def test_each_run_is_repeated(board: kt.Board, options: dict[str, Any]) -> None:
    for threads in (1, 3):
        trials = kt.warnsdorff_trials(board, 40, seed=11, threads=threads, **options)
        columns = trials.to_dict()
        assert json.loads(json.dumps(columns)) == columns
        assert list(columns) == ["run", "start", "seed", "length", "is_complete"]
        assert columns["run"] == list(range(40))
        assert {len(column) for column in columns.values()} == {40}
        assert len(set(columns["seed"])) == 40
        assert columns["seed"][0] == trials.seed
        for run, start, seed, length, is_complete in zip(*columns.values(), strict=True):
            walk = trials.run(run)
            assert (
                (len(walk), walk.is_complete) == (trials.lengths[run], is_complete) == (length, len(walk) == len(board))
            )
            assert (board.name(walk.squares[0]), walk.seed) == (start, seed)
            assert trials.starts[run] == walk.squares[0]
            # With the start that was given, or drawn: the rest of the run is the same.
            ties = options.get("ties", "random")
            assert walk == kt.warnsdorff(board, start, ties=ties, seed=seed)
            assert walk == kt.warnsdorff(board, options.get("start"), ties=ties, seed=seed)
        assert trials.run(-1) == trials.run(39)
        assert pickle.loads(pickle.dumps(trials)) == trials
        assert np.asarray(trials).tolist() == list(trials.lengths)
    assert trials.completed == sum(columns["is_complete"])


def test_runs_that_are_not_there() -> None:
    trials = kt.warnsdorff_trials(5, 3, seed=1)
    for number in (3, -4, 10**30):
        with pytest.raises(IndexError):
            trials.run(number)
    assert kt.warnsdorff_trials(5, 0, seed=1).to_dict()["start"] == []
    by_hand = kt.Trials(2, 1, (25, 24), 0)
    for ask in (by_hand.to_dict, lambda: by_hand.starts, lambda: by_hand.run(0)):
        with pytest.raises(kt.RequestError, match="board"):
            ask()
