"""Small faults that an outside tester found; each test failed when it was written."""

import knightstour as kt


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
