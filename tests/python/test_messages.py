"""Messages that quote what was given stay short, whatever was given: a text of a megabyte is no message."""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import knightstour as kt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: The longest message, in characters.
MOST = 1000

EXPECTED = (kt.KnightsTourError, TypeError, OSError, ImportError, LookupError)

LONG = "y" * 100_000


class Wordy:
    """An object that has much to say of itself."""

    def __repr__(self) -> str:
        return f"<Wordy {LONG}>"


class Mute:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("not now")


GIVEN: dict[str, Any] = {
    "text": LONG,
    "lines": f"{LONG}\n" * 3,
    "one name": "a1" * 50_000,
    "list": [LONG],
    "pairs": [(LONG, LONG)],
    "squares": [("a1", LONG)],
    "many": ["a1", "a1", "b3"] * 30_000,
    "keys": {LONG: LONG},
    "numbers": list(range(100_000)),
    "number": 10**9_999,
    "negative": -(10**9_999),
    "float": 1e308,
    "bytes": LONG.encode(),
    "object": Wordy(),
    "mute": Mute(),
    "class": type(LONG, (), {}),
}


@cache
def calls() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Every public function and method that takes something: how it is called right."""
    board = kt.Board(3, 4)
    tours = board.tours()
    tour = kt.solve(3, 4)
    batch = next(tours.batches(2))
    closed = kt.Board(3, blocked=["b2"])
    trials = kt.warnsdorff_trials(board, 3, seed=1)
    puzzle = kt.puzzle(3, 4, seed=1)
    plan, moves = tours.plan(), tours.move_counts()
    counted = tours.plan("ends").run()
    few = {"time_limit": 5.0, "node_limit": 10_000, "memory_limit": 10**9}
    run = {**few, "progress": None, "cancel": kt.Cancel()}
    board_options = {"blocked": ["a1"], "leaper": (1, 2), "wrap": "both"}
    ends = {"closed": False, "start": "a1", "end": None}
    pictured = {"size": 100, "coordinates": True, "colors": {"path": "red"}, "title": "x"}
    styled = {**pictured, "style": "path", "squares": True, "start_end": True}
    find = {"method": "auto", "order": None, "ties": None, "lookahead": None, "seed": 1, "threads": 1, **run}
    count = {"method": "auto", "threads": 1, "spill_dir": None, "checkpoint": None, **run}
    return {
        "Board": (kt.Board, (3, 4), board_options),
        "Board.parse": (kt.Board.parse, ("....\n....",), {"leaper": (1, 2), "wrap": None}),
        "Board.from_image": (kt.Board.from_image, (b"",), {"rows": 1, "cols": 1, "threshold": 0.5, **board_options}),
        "Board.moves": (board.moves, ("a1",), {}),
        "Board.degree": (board.degree, ("a1",), {}),
        "Board.name": (board.name, ("a1",), {}),
        "Board.square": (board.square, ("a1",), {}),
        "Board.tours": (board.tours, (), ends),
        "Board.svg": (board.svg, (), {"marks": ["a1"], **pictured}),
        "Board.longest_uncrossed": (
            board.longest_uncrossed,
            (),
            {"closed": False, **few, "threads": 1, "progress": None},
        ),
        "Board.paths": (board.paths, (3,), ends),
        "Board.longest_path": (board.longest_path, (), {**ends, **run}),
        "Board.start_squares": (board.start_squares, (), run),
        "Board.end_squares": (board.end_squares, ("a1",), run),
        "Squares.index": (board.squares.index, ("a1", 0, 5), {}),
        "Squares.count": (board.squares.count, ("a1",), {}),
        "Squares[]": (board.squares.__getitem__, (1,), {}),
        "Tour": (kt.Tour, (closed, tuple(kt.solve(closed))), {"closed": None}),
        "Tour.parse": (kt.Tour.parse, (str(tour), board), {}),
        "Tour.from_json": (kt.Tour.from_json, (tour.to_json(), board), {}),
        "Tour.grid": (tour.grid, (1,), {}),
        "Tour.grid_array": (tour.grid_array, (1,), {}),
        "Tour.step_at": (tour.step_at, ("a1",), {}),
        "Tour.transformed": (tour.transformed, ("half-turn",), {}),
        "Tour.is_equivalent": (tour.is_equivalent, (tour,), {}),
        "Tour.svg": (tour.svg, (), styled),
        "Tour.html": (
            tour.html,
            (),
            {"speed": 4, "autoplay": False, "coordinates": True, "colors": {}, "title": "x"},
        ),
        "Tour.save svg": (tour.save, ("tour.svg",), styled),
        "Tour.save png": (tour.save, ("tour.png",), {name: value for name, value in styled.items() if name != "title"}),
        "Tour.save gif": (tour.save, ("tour.gif",), {"size": 100, "seconds": 1, "coordinates": True, "colors": {}}),
        "Tour.plot": (tour.plot, (), {"style": "path", "colors": {}}),
        "Tours.including": (tours.including, (("a1", "b3"),), {}),
        "Tours.excluding": (tours.excluding, (("a1", "b3"),), {}),
        "Tours.with_steps": (tours.with_steps, ({"a1": 3},), {}),
        "Tours.beginning": (tours.beginning, (["a1", "b3"],), {}),
        "Tours.symmetric": (tours.symmetric, ("half-turn",), {}),
        "Tours.find": (tours.find, (), find),
        "Tours.count": (tours.count, (), {"modulus": 97, **count}),
        "Tours.move_counts": (
            tours.move_counts,
            (),
            {"time_limit": 5.0, "memory_limit": 10**9, "threads": 1, "progress": None, "cancel": kt.Cancel()},
        ),
        "MoveCounts[]": (moves.__getitem__, (("a1", "b3"),), {}),
        "MoveCounts.svg": (moves.svg, (), {"size": 100, "title": "x"}),
        "Tours.is_unique": (tours.is_unique, (), run),
        "Tours.plan": (
            tours.plan,
            ("ends",),
            {"memory_limit": 10**9, "threads": 1, "time_limit": 1.0, "cancel": None},
        ),
        "Tours.starts": (tours.starts, (), count),
        "Tours.listing": (tours.listing, (), {"time_limit": 5.0, "memory_limit": 10**9, "position": None}),
        "Tours.batches": (
            tours.batches,
            (2,),
            {"time_limit": 5.0, "memory_limit": 10**9, "position": None, "wait": 0.1, "threads": 1, "progress": None},
        ),
        "Tours.prepare": (
            tours.prepare,
            (None,),
            {"spill_dir": None, "time_limit": 5.0, "memory_limit": 10**9, "threads": 1, "progress": None},
        ),
        "Tours.sample": (tours.sample, (2,), {"seed": 1, "threads": 1, "executor": None, "progress": None}),
        "Tours[]": (tours.__getitem__, (1,), {}),
        "Tours.index": (tours.index, (tours[3],), {}),
        "TourSlice[]": (tours[2:5].__getitem__, (1,), {}),
        "TourSlice.index": (tours[2:5].index, (tours[3],), {}),
        "Batch.lines": (batch.lines, ("names",), {}),
        "Batch[]": (batch.__getitem__, (1,), {}),
        "Path": (kt.Path, (board, ("a1", "b3")), {"closed": None}),
        "Path[]": (next(iter(board.paths(3))).__getitem__, (1,), {}),
        "Paths.find": (board.paths(3).find, (), {"seed": 1, **run}),
        "Paths.count": (board.paths(3).count, (), run),
        "Plan.run": (
            plan.run,
            (None, None),
            {
                "progress": None,
                "threads": 1,
                "memory_limit": 10**9,
                "time_limit": 5.0,
                "spill_dir": None,
                "verify": 1,
                "cancel": None,
            },
        ),
        "EndsTable.svg": (counted.ends().svg, ("a1",), {}),
        "Puzzle.grid": (puzzle.grid, (1,), {}),
        "Puzzle.from_json": (kt.Puzzle.from_json, (puzzle.to_json(),), {}),
        "Puzzle.svg": (puzzle.svg, (), {"solution": True, "size": 100, "coordinates": True, "title": "a"}),
        "Puzzle.save": (puzzle.save, ("a.svg",), {"solution": True}),
        "Trials.quantiles": (trials.quantiles, (0.5, 1), {}),
        "Trials.run": (trials.run, (1,), {}),
        "Walk": (kt.warnsdorff, (board, "a1"), {"ties": "random", "seed": 1}),
        "warnsdorff_trials": (
            kt.warnsdorff_trials,
            (board, 3),
            {"start": "a1", "ties": "random", "seed": 1, "threads": 1, "progress": None, "cancel": None}
            | {"executor": None},
        ),
        "solve": (kt.solve, (3, 4), {**find, **ends}),
        "count": (kt.count, (3, 4), {**count, **ends}),
        "measures": (kt.measures, (batch, "turns"), {"board": board, "closed": False}),
        "open_plan": (kt.open_plan, ("none.db",), {}),
        "open_tours": (kt.open_tours, ("none.tours",), {}),
        "puzzle": (kt.puzzle, (3, 4), {"clues": 12, "seed": 1, **ends, **run}),
        "solve_many": (kt.solve_many, ([tours],), {"executor": None, "seed": 1, "progress": None, "cancel": None}),
        "svg_grid": (kt.svg_grid, ([tour],), {"columns": 1, **styled}),
    }


def attempts(
    positional: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """The call with one of its arguments replaced."""
    for what, value in GIVEN.items():
        for at in range(len(positional)):
            yield f"{at}: {what}", (*positional[:at], value, *positional[at + 1 :]), named
        for name in named:
            yield f"{name}: {what}", positional, named | {name: value}


@pytest.mark.parametrize("name", calls())
def test_messages_are_short(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, positional, named = calls()[name]
    wrong = []
    for told, given, options in attempts(positional, named):
        try:
            result = call(*given, **options)
            if name == "solve_many":
                list(result)
        except Exception as error:
            # What the system says of a file's name quotes all of it.
            is_short = len(str(error)) <= MOST or type(error) is OSError
            is_meant = isinstance(error, EXPECTED) or (name.endswith(".index") and " not " in str(error))
            if not is_short or not is_meant:
                wrong.append(f"{told}: {type(error).__name__}: {str(error)[:200]}")
    assert not wrong, "\n".join(wrong)


def public_calls() -> set[str]:
    """The names of the functions and methods that users call with something."""
    found = set()
    for name in kt.__all__:
        value = getattr(kt, name)
        if not inspect.isclass(value):
            found |= {name} if callable(value) else set()
            continue
        for method in (method for method in dir(value) if not method.startswith("_")):
            member = getattr(value, method)
            # What exceptions, dicts, lists and named tuples inherit is Python's.
            if callable(member) and not any(hasattr(kind, method) for kind in (BaseException, dict, list, tuple)):
                found |= {f"{name}.{method}"} if set(inspect.signature(member).parameters) - {"self"} else set()
    return found


def test_every_public_call_is_tried() -> None:
    tried = {name.partition(" ")[0] for name in calls()} | {"warnsdorff"}
    # That one takes parts of the plan, nothing from outside.
    tried.add("Plan.task")
    assert public_calls() - tried == set()
