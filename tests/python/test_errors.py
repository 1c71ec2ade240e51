"""The exceptions: what they are, what they carry, and that they survive pickling."""

import copy
import pickle

import pytest

import knightstour as kt
from knightstour import errors


@pytest.mark.parametrize(
    ("error", "bases"),
    [
        (kt.KnightsTourError, (Exception,)),
        (kt.BoardError, (ValueError,)),
        (kt.SquareError, (ValueError,)),
        (kt.RequestError, (ValueError,)),
        (kt.InvalidTourError, (ValueError,)),
        (errors.TourSquareError, (kt.InvalidTourError, kt.SquareError)),
        (kt.NoTourError, (LookupError,)),
        (kt.LimitReachedError, (Exception,)),
        (kt.TimeLimitError, (kt.LimitReachedError, TimeoutError)),
        (kt.MemoryLimitError, (kt.LimitReachedError, MemoryError)),
    ],
)
def test_bases(error: type[Exception], bases: tuple[type, ...]) -> None:
    assert issubclass(error, kt.KnightsTourError)
    assert issubclass(error, bases)
    assert all(issubclass(error, base) for base in bases)
    assert error.__doc__
    assert str(error("a sentence")) == "a sentence"


@pytest.mark.parametrize(
    ("error", "attributes"),
    [
        (kt.BoardError("b"), {}),
        (kt.SquareError("s"), {}),
        (kt.RequestError("r"), {}),
        (kt.InvalidTourError("i", step=3, squares=(kt.Square(0, 1),)), {"step": 3, "squares": ((0, 1),)}),
        (kt.InvalidTourError("i"), {"step": None, "squares": ()}),
        (errors.TourSquareError("t", step=0), {"step": 0, "squares": ()}),
        (kt.NoTourError("n", reason="schwenk"), {"reason": "schwenk"}),
        (
            kt.LimitReachedError("l", limit="nodes", stats={"nodes": 5}),
            {"limit": "nodes", "stats": {"nodes": 5}},
        ),
        (kt.TimeLimitError("t", limit="time", stats=1), {"limit": "time", "stats": 1}),
        (kt.MemoryLimitError("m", limit="memory"), {"limit": "memory", "stats": None}),
    ],
)
def test_pickling(error: Exception, attributes: dict[str, object]) -> None:
    for again in (error, copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert {name: getattr(again, name) for name in attributes} == attributes
    # As some executors make those that they were sent.
    assert isinstance(type(error).__new__(type(error)), type(error))


def test_raised_errors_are_picklable() -> None:
    board = kt.Board(5)
    for faulty in ([(0, 0), (1, 1)], [(0, 0), (9, 9)], []):
        with pytest.raises(kt.InvalidTourError) as caught:
            kt.Tour(board, faulty)
        error = caught.value
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.step, again.squares) == (
            type(error),
            str(error),
            error.step,
            error.squares,
        )


def test_a_memory_limit_is_told() -> None:
    with pytest.raises(MemoryError) as caught:
        str(kt.Board(2**31, 1))
    assert isinstance(caught.value, kt.MemoryLimitError)
    assert caught.value.limit == "memory"
