"""Faults that an outside tester found in limits and statistics; each test failed when it was written."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.limits import describe_need

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
    with pytest.raises(MemoryError, match="2147483647x1 board has too many squares"):
        kt.Board(2**31 - 1, 1).tours().starts(time_limit=0.1)


NINE = kt.Board(9).tours()
TEN = kt.Board(10).tours(closed=True)
#: Nodes of a sweep are groups: it has found these in a moment, open 9x9 has some hundred million.
FEW: Any = {"memory_limit": 10**9, "node_limit": 500_000}


FAR_TOO_LARGE: dict[str, tuple[Callable[[], object], float]] = {
    # The tables of docs/pages/how-to/parts.md.
    "open 9x9": (lambda: NINE.count(**FEW), 910e9),
    "closed 9x10": (lambda: kt.Board(9, 10).tours(closed=True).count(**FEW), 280e9),
    "closed 10x10": (lambda: TEN.count(**FEW), 8.4e12),
    "closed 10x10 by the sweep": (lambda: TEN.count(method="frontier", **FEW), 8.4e12),
    # Nobody has looked at all groups of these; they need no more than the tours from anywhere, and not far less.
    "starts": (lambda: NINE.starts(**FEW), 600e9),
    "both ends": (lambda: kt.Board(9).tours(start="a1", end="c1").count(**FEW), 300e9),
    # All tours are what takes most.
    "classes of open 9x9": (lambda: NINE.distinct().count(**FEW), 910e9),
    "classes of closed 10x10": (lambda: TEN.distinct().count(**FEW), 8.4e12),
    # The layers come on top.
    "tables": (lambda: NINE.prepare(**FEW), 2.5e12),
    "tables of classes": (lambda: NINE.distinct().prepare(**FEW), 2.5e12),
    # A quotient of half the squares, and a torus, whose moves keep the colour.
    "half-turn": (lambda: kt.Board(12).tours(closed=True).symmetric("half-turn").count(**FEW), 10e12),
    "torus": (lambda: kt.Board(5, 7, wrap="both").tours(closed=True).count(**FEW), 390e9),
}


@pytest.mark.parametrize(("ask", "recorded"), FAR_TOO_LARGE.values(), ids=FAR_TOO_LARGE)
def test_what_is_far_too_large_is_refused_before_it_begins(ask: Callable[[], object], recorded: float) -> None:
    """Half a minute of work told that open 9x9 needs 1.4 GB."""
    with pytest.raises(kt.MemoryLimitError) as caught:
        ask()
    assert 1 / 4 < caught.value.stats.memory / recorded < 4
    assert caught.value.stats.transitions == 0


OPEN_TEN = kt.Board(10).tours()


@pytest.mark.parametrize(
    "ask",
    [OPEN_TEN.sample, lambda: OPEN_TEN[0], lambda: OPEN_TEN[5:10], lambda: OPEN_TEN.index(kt.solve(10))],
    ids=["sample", "number", "slice", "index"],
)
def test_so_are_tables_that_are_made_on_the_way(ask: Callable[[], object]) -> None:
    """No machine that runs tests has a tenth of what they need."""
    with pytest.raises(
        kt.MemoryLimitError, match=r"TB of memory, more than the default memory limit of [\d.,]+ [MG]B "
    ):
        ask()


def test_a_disk_takes_states_but_not_the_groups_of_a_layer(tmp_path: Path) -> None:
    """All that must be in memory is two lists of groups: with room for them a sweep begins."""
    with pytest.raises(kt.MemoryLimitError, match=r"plan\(\) cuts the count") as caught:
        TEN.count(spill_dir=tmp_path, **FEW)
    assert 10**9 < caught.value.stats.memory < 10**10
    with pytest.raises(kt.LimitReachedError, match="the node limit"):
        TEN.count(spill_dir=tmp_path, memory_limit=8 * 10**9, node_limit=500_000)
    assert list(tmp_path.iterdir()) == []


def test_what_fits_is_not_refused() -> None:
    """With twice the memory that it took."""
    for tours in (
        kt.Board(6, 8).tours(closed=True),
        kt.Board(6).tours(),
        kt.Board(6, 7).tours(start="a1"),
        kt.Board(7, blocked=["d4"]).tours(closed=True),
        kt.Board(4, 5, wrap="both").tours(closed=True),
        kt.Board(8).tours(closed=True).symmetric("half-turn"),
        kt.Board(8, leaper=(2, 3)).tours(closed=True),
    ):
        known = tours.count()
        assert tours.count(memory_limit=2 * known.stats.memory) == known


def test_the_message_names_the_limit_that_was_given() -> None:
    with pytest.raises(kt.MemoryLimitError) as given:
        NINE.count(**FEW)
    message = str(given.value)
    assert re.fullmatch(
        r"counting the open tours of the 9x9 board needs about [\d.]+ [GT]B of memory, more than the memory limit of "
        r"1\.0 GB; spill_dir puts on disk what does not fit, and plan\(\) cuts the count into parts that need less",
        message,
    )
    # Rounded, it would be less than the limit.
    assert describe_need(104_900_000_000, 104_000_000_000) == (
        "about 104,900,000,000 bytes of memory, more than the memory limit of 104,000,000,000 bytes"
    )
    with pytest.raises(kt.MemoryLimitError, match=r"needs more memory than any machine has\Z"):
        kt.Board(20).tours().count(memory_limit=10**9)


@pytest.mark.parametrize("closed", [False, True])
def test_a_sweep_far_too_large_says_so_before_it_begins(closed: bool) -> None:
    """It listed groups until the memory was full, which took half a minute."""
    asked = kt.Board(20).tours(closed=closed)
    answer = asked.find(method="frontier", node_limit=1000, memory_limit=2**30)
    assert isinstance(answer, kt.Stopped)
    assert answer.limit == "memory"
    assert answer.stats.memory > 2**33
    with pytest.raises(MemoryError):
        asked.count(method="frontier", node_limit=1000, memory_limit=2**30)


def test_the_longest_path_says_which_limit_ended_it() -> None:
    board = kt.Board(9, 10, blocked=["e5"])
    cancel = kt.Cancel()
    cancel.cancel()
    assert board.longest_path(cancel=cancel).limit == "cancelled"
    stopped = board.longest_path(node_limit=3)
    assert (stopped.limit, stopped.is_optimal) == ("nodes", False)
    assert "limit='nodes'" in repr(stopped)
    assert kt.Board(4).longest_path().limit is None
    assert kt.Board(4).longest_uncrossed().limit is None
    assert kt.Board(6).longest_uncrossed(cancel=cancel).limit == "cancelled"


def test_a_bound_on_a_large_board_is_gone_on_with() -> None:
    """It began anew with every slice of time, and so never ended on large boards."""
    blocked = [(row, col) for row in range(0, 300, 7) for col in range(row % 5, 300, 9)]
    board = kt.Board(300, blocked=blocked)
    answer = board.paths(squares=len(board) // 2).find(node_limit=10)
    assert isinstance(answer, kt.Stopped)
    assert answer.limit == "nodes"


def test_squares_of_an_impossible_board_are_told_at_once() -> None:
    """Each square was asked for, with no look at the clock."""
    assert kt.Board(300, blocked=[(0, 0), (1, 1), (2, 0)]).start_squares() == frozenset()
