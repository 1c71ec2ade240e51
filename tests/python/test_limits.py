"""Faults that an outside tester found in limits and statistics; each test failed when it was written."""

from pathlib import Path
from typing import Any

import pytest

import knightstour as kt

#: The package without its types, so that it can be called wrongly.
anything: Any = kt


@pytest.mark.parametrize("limit", [1, 100, 1000])
def test_a_count_places_no_more_squares_than_its_node_limit(limit: int) -> None:
    with pytest.raises(kt.LimitReachedError) as caught:
        kt.Board(5, 6).tours().count(node_limit=limit)
    assert caught.value.stats.nodes <= limit


def test_a_search_places_no_more_squares_than_its_node_limit() -> None:
    """Says 9545 when it stops at 9541."""
    board = kt.Board(12, 8, leaper=(2, 3), wrap="cols")
    result = board.tours(start="a12", end="b12").find(method="backtracking", node_limit=9541)
    assert isinstance(result, kt.Stopped)
    assert result.stats.nodes <= 9541


@pytest.mark.parametrize("name", ["node_limit", "memory_limit"])
def test_no_negative_number_is_a_limit(name: str) -> None:
    """Beyond 64 bits negative numbers are taken for the greatest positive one."""
    with pytest.raises(kt.RequestError, match=name):
        anything.Board(8).tours().find(**{name: -(2**63) - 1})
    with pytest.raises(kt.RequestError, match=name):
        anything.Board(5).tours().count(**{name: -(10**30)})


def test_no_negative_number_counts_trials() -> None:
    with pytest.raises(kt.RequestError, match="trials"):
        kt.warnsdorff_trials(kt.Board(5), -(10**30))


def test_a_step_out_of_range_is_quoted_as_it_was_given() -> None:
    with pytest.raises(kt.RequestError, match=str(2**70)):
        kt.Board(8).tours().with_steps({"a1": 2**70})


def test_a_big_search_that_ran_out_of_time_says_what_it_did() -> None:
    """Above 2**17 squares the engine is left behind, and with it its statistics: method "", 3 microseconds."""
    result = kt.Board(3000, blocked=["c3", "d3"]).tours(closed=True).find(time_limit=0.3, memory_limit=2**34)
    assert isinstance(result, kt.Stopped)
    assert result.limit == "time"
    assert result.stats.seconds >= 0.3


@pytest.mark.parametrize("asked", [{"method": "frontier"}, {"checkpoint": "count.kt"}])
def test_a_board_too_wide_for_the_sweep_is_not_counted_in_another_way(asked: dict[str, str], tmp_path: Path) -> None:
    if "checkpoint" in asked:
        asked = {"checkpoint": str(tmp_path / asked["checkpoint"])}
    with pytest.raises(kt.RequestError, match="70x70 board: too wide for the frontier engine"):
        anything.Board(70, 70).tours().count(**asked)


def test_no_table_of_starts_of_a_huge_board() -> None:
    with pytest.raises(kt.MemoryLimitError, match="2147483647x1 board has too many squares"):
        kt.Board(2**31 - 1, 1).tours().starts(time_limit=0.1)
