"""Small faults that an outside tester found; each test failed when it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import knightstour as kt

if TYPE_CHECKING:
    from collections.abc import Callable


def test_ranges_of_index_may_be_any_whole_numbers() -> None:
    """As those of `tuple.index`."""
    squares = kt.solve(8).squares
    assert squares.index("a1", -(2**70), 2**70) == tuple(squares).index((7, 0), -(2**70), 2**70)


def test_statistics_share_no_default_that_can_be_changed() -> None:
    try:
        kt.Stats("theorem").prunes.update(forced=1)
    except (AttributeError, TypeError):
        return
    try:
        assert kt.Stats("theorem").prunes == {}
    finally:
        kt.Stats("theorem").prunes.clear()


BOARD = kt.Board(5)
TOURS = BOARD.tours()

WHOLE: dict[str, tuple[Callable[[Any], object], type[Exception]]] = {
    "rows": (lambda n: kt.Board(n, 3), kt.BoardError),
    "cols": (lambda n: kt.Board(3, n), kt.BoardError),
    "leaper": (lambda n: kt.Board(5, leaper=(1, n)), kt.BoardError),
    "square": (lambda n: BOARD.name((0, n)), kt.SquareError),
    "blocked": (lambda n: kt.Board(5, blocked=[(n, 0)]), kt.SquareError),
    "step": (lambda n: TOURS.with_steps({"a1": n}), kt.RequestError),
    "threads": (lambda n: TOURS.count(threads=n), kt.RequestError),
    "seed": (lambda n: TOURS.find(seed=n), kt.RequestError),
    "first": (lambda n: kt.solve(5).grid(first=n), kt.RequestError),
    "paths": (lambda n: BOARD.paths(squares=n), kt.RequestError),
    "k": (TOURS.sample, kt.MemoryLimitError),
    "size": (TOURS.batches, kt.MemoryLimitError),
    "trials": (lambda n: kt.warnsdorff_trials(BOARD, n), kt.MemoryLimitError),
    "number": (lambda n: TOURS[n], IndexError),
    "index": (lambda n: BOARD.squares[n], IndexError),
}
"""Where one whole number is asked for, and the error for one that is too large."""


@pytest.mark.parametrize("number", [2**63, 2**64, 2**70, np.uint64(2**63)], ids=repr)
@pytest.mark.parametrize("name", WHOLE)
def test_numbers_too_large_for_a_word_are_quoted_as_they_were_given(name: str, number: Any) -> None:
    ask, error = WHOLE[name]
    if name == "seed" and number < 2**64:
        pytest.skip("it is a seed")
    with pytest.raises(error) as caught:
        ask(number)
    assert str(int(number)) in str(caught.value)
    assert str(2**63 - 1) not in str(caught.value)
    assert str(2**64 - 1) not in str(caught.value)


@pytest.mark.parametrize("given", [-(2**70), True, 1.0, np.float64(1), "2"], ids=repr)
@pytest.mark.parametrize("name", WHOLE)
def test_what_is_no_whole_number_is_quoted(name: str, given: Any) -> None:
    """Only where Python's own sequences say something else, the type will do."""
    ask, error = WHOLE[name]
    if name == "index" and given is True:
        pytest.skip("as in Python's sequences")
    if error is kt.MemoryLimitError:
        error = kt.RequestError
    with pytest.raises((error, TypeError)) as caught:
        ask(given)
    assert repr(given) in str(caught.value)


def test_tours_that_are_prepared_refuse_what_others_refuse() -> None:
    tours = BOARD.tours().prepare()
    for options in ({"threads": 0}, {"memory_limit": True}, {"time_limit": -1}, {"progress": 5}, {"cancel": 1}):
        with pytest.raises(kt.RequestError):
            tours.prepare(**options)


def test_who_is_told_of_the_progress_may_draw() -> None:
    """The tables are made under a lock, for which the same thread would wait for ever."""
    tours = BOARD.tours()
    with tours._lock:
        assert len(tours.sample(1)) == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda: BOARD.paths(squares=5).count(memory_limit=1),
        lambda: TOURS.is_unique(memory_limit=1),
        lambda: kt.puzzle(BOARD, memory_limit=1),
        lambda: TOURS.count(memory_limit=1),
    ],
    ids=["paths", "is_unique", "puzzle", "count"],
)
def test_a_memory_limit_says_what_is_needed(ask: Callable[[], object]) -> None:
    with pytest.raises(kt.MemoryLimitError, match=r"needs about [1-9]") as caught:
        ask()
    assert caught.value.stats is not None
    assert caught.value.stats.memory > 1
