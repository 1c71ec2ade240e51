"""`Board.longest_uncrossed` from Python; its answers are tried out in Rust (tests/rust/uncrossed.rs)."""

import itertools

import pytest

import knightstour as kt


@pytest.mark.parametrize(("side", "path", "circuit"), [(1, 0, 0), (2, 0, 0), (3, 2, 0), (4, 5, 4), (5, 10, 8)])
def test_published_values(side: int, path: int, circuit: int) -> None:
    """OEIS A003192 and A157416."""
    board = kt.Board(side)
    for closed, moves in ((False, path), (True, circuit)):
        found = board.longest_uncrossed(closed=closed)
        assert found.is_optimal
        assert found.upper_bound == moves
        squares = list(found.squares)
        assert len(squares) == (moves if closed else moves + 1)
        assert all(to in board.moves(square) for square, to in itertools.pairwise(squares))
        assert not squares or not closed or squares[0] in board.moves(squares[-1])


def test_other_boards() -> None:
    assert kt.Board(3, 3, leaper=(0, 1)).longest_uncrossed().upper_bound == 8
    ring = kt.Board(3, 3, blocked=["b2"])
    assert ring.longest_uncrossed().upper_bound == 2
    assert repr(ring.longest_uncrossed(closed=True)).startswith("LongestPath(squares=")


def test_limits_and_misuse() -> None:
    board = kt.Board(8)
    found = board.longest_uncrossed(time_limit=0.2)
    assert not found.is_optimal
    assert len(found.squares) - 1 < found.upper_bound
    assert not board.longest_uncrossed(node_limit=1000).is_optimal
    cancel = kt.Cancel()
    cancel.cancel()
    assert not board.longest_uncrossed(cancel=cancel).is_optimal
    seen: list[kt.Progress] = []
    board.longest_uncrossed(time_limit=0.6, progress=seen.append)
    assert seen
    with pytest.raises(kt.RequestError, match="joined edges"):
        kt.Board(5, wrap="both").longest_uncrossed()
    with pytest.raises(kt.RequestError, match="too wide"):
        kt.Board(500).longest_uncrossed()
    with pytest.raises(kt.RequestError, match="closed must be"):
        board.longest_uncrossed(closed="yes")  # type: ignore[arg-type]
