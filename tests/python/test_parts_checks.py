"""What a count in parts is checked by, and that each check finds a wrong part."""

import random
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.parts import Ledger, Plan, checks
from knightstour.parts.checks import cuts_agree, divisor_of, sum_of_start
from knightstour.parts.plan import Task
from published import COUNTS
from test_parts import random_tours, wrong


def known_counts() -> list[tuple[kt.Tours, int]]:
    """Published counts of open tours, with direction, and of closed ones."""
    found = []
    for rows, cols, kind, value, _, status in COUNTS:
        if kind not in {"open_directed", "open_undirected", "closed_undirected"} or status == "unconfirmed":
            continue
        # One of them is wrong in a digit; see the README of the data.
        if rows * cols > 100 or (rows, cols) == (6, 30):
            continue
        directed = value * (2 if kind == "open_undirected" else 1)
        found.append((kt.Board(rows, cols).tours(closed=kind == "closed_undirected"), directed))
    return found


def test_published_counts_are_multiples() -> None:
    known = known_counts()
    assert len(known) > 80
    for tours, value in known:
        assert value % divisor_of(tours) == 0, (tours, value)


@pytest.mark.parametrize(
    ("rows", "cols", "closed", "divisor"),
    [
        (8, 8, False, 16),  # no tour is symmetric
        (8, 8, True, 4),  # "every 8x8 class has 4 or 8 members"
        (6, 6, True, 2),  # 5 classes with a quarter turn
        (6, 6, False, 16),
        (5, 6, False, 4),  # half a turn may turn a tour round
        (5, 5, False, 8),  # the middle square stays
        (7, 8, True, 2),
    ],
)
def test_the_sizes_of_classes(rows: int, cols: int, closed: bool, divisor: int) -> None:
    assert divisor_of(kt.Board(rows, cols).tours(closed=closed)) == divisor


def test_the_wrong_published_figure_is_found() -> None:
    """33,439,123,484,294 closed tours of 8x8 were published, and are no multiple of 4."""
    assert 33_439_123_484_294 % divisor_of(kt.Board(8).tours(closed=True)) == 2
    assert 13_267_364_410_532 % divisor_of(kt.Board(8).tours(closed=True)) == 0


def test_counts_of_all_kinds_of_boards_are_multiples() -> None:
    rng = random.Random(11)
    nonzero = large = 0
    for _ in range(250):
        tours = random_tours(rng)
        try:
            value = tours.count(method="backtracking", node_limit=100_000).value
        except kt.LimitReachedError:
            continue
        divisor = divisor_of(tours)
        assert value % divisor == 0, (tours, value, divisor)
        nonzero += value > 0
        large += value > 0 and divisor > 2
    assert nonzero > 40
    assert large > 10


def test_the_checks_that_are_listed() -> None:
    count = kt.Board(5, 6).tours().plan("rows").run(verify=2)
    assert count.checks == (
        "each part is there once",
        "a multiple of 4, as it must be by symmetry",
        "Board(5, 6).tours(): 37568 by rows, by moves and by backtracking",
        "the parts with tours from columns 0 add up to the same as counted together: 11416",
        "counted again in another order and with other threads: columns 2+2, columns 1+1",
    )
    ends = kt.Board(5).tours().plan("ends").run(verify=1).checks
    assert ends[2:4] == (
        "Board(5, 5).tours(): 1728 by ends, by moves and by backtracking",
        "the parts with tours from a5 add up to the same as counted together: 304",
    )
    closed = kt.Board(6).tours(closed=True).plan(3).run(verify=1).checks
    assert closed[1].startswith("a multiple of 2,")
    assert closed[2] == "Board(5, 6).tours(closed=True): 8 by moves and by backtracking"
    assert len(kt.Board(5, 6).tours().plan("rows").run().checks) == 2


def test_each_check_finds_a_wrong_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = kt.Board(5, 6).tours().plan("rows")
    path = tmp_path / "run.db"
    plan.run(ledger=path)
    good = path.read_bytes()
    # A part that is off by one: the sum is no multiple. (Those of one part are taken four times.)
    wrong(path, "columns 0+0", 1)
    with pytest.raises(kt.StoreError, match="multiple of 4"):
        plan.run(ledger=path)
    # Off by a multiple: the sum passes, the tours from the first column do not add up.
    path.write_bytes(good)
    wrong(path, "columns 0+2", 4)
    assert plan.run(ledger=path) != 37568
    with pytest.raises(kt.StoreError, match="from columns 0"):
        plan.run(ledger=path, verify=1)
    # One that has nothing to do with the first column: found when it is counted again.
    path.write_bytes(good)
    wrong(path, "columns 2+2", 4)
    with pytest.raises(kt.StoreError, match=r"'columns 2\+2' is \d+, but \d+ when counted again"):
        plan.run(ledger=path, verify=2)
    # A part that is missing from the plan, or there twice: the cuts do not agree, nor does the fingerprint.
    path.write_bytes(good)
    with pytest.raises(kt.StoreError, match="another plan"):
        Plan(plan.tours, plan.by, plan.parts[1:]).run(ledger=path)
    with pytest.raises(ValueError, match="the same name"):
        Plan(plan.tours, plan.by, (*plan.parts, plan.parts[0])).run()
    # An engine that is wrong with moves left out.
    count = Task.count

    def miscounts(self: Task, *options: Any) -> Any:
        value, stats = count(self, *options)
        return value + 4 * bool(self.tours._request.excluded), stats

    monkeypatch.setattr(Task, "count", miscounts)
    with pytest.raises(kt.StoreError, match="by moves"):
        plan.run(ledger=path, verify=1)


def test_the_cuts_agree_on_a_small_board_of_the_kind() -> None:
    for tours, said in (
        (kt.Board(9, 10).tours(closed=True), "Board(5, 6).tours(closed=True): 8 by moves and by backtracking"),
        (kt.Board(7, 4).tours(), "Board(5, 4).tours(): 1"),
        (kt.Board(9, 9, leaper=(0, 1)).tours(), "Board(5, 6, leaper=(0, 1)).tours(): "),
    ):
        found = cuts_agree(Plan(tours, "whole", ()))
        assert found is not None
        assert found.startswith(said) or said.endswith(": 1")
    assert cuts_agree(Plan(kt.Board(9, leaper=(3, 4)).tours(), "whole", ())) is None


@pytest.mark.parametrize("parts", ["rows", "ends"])
def test_sums_of_starts_on_all_kinds_of_boards(parts: Any) -> None:
    rng = random.Random(5)
    checked = 0
    for _ in range(250):
        tours = random_tours(rng)
        if tours.closed or tours.start is not None or tours.end is not None or len(tours.board) > 16:
            continue
        plan = tours.plan(parts)
        found = sum_of_start(plan, plan.run().parts)
        assert found is not None
        part, expected = found
        assert plan.task(part).count()[0] == expected, (tours, part)
        checked += expected > 0
    assert checked > 8
    assert sum_of_start(kt.Board(5).tours(start="a1").plan("rows"), {}) is None
    assert checks.sum_of_start(kt.Board(5, 6).tours(closed=True).plan(2), {}) is None


def test_parts_counted_again_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    plan = kt.Board(5, 6).tours().plan("rows")
    plan.run(ledger=path)
    from test_parts import command  # noqa: PLC0415

    again = command("ledger", str(path), "--verify", "3", "--seed", "1")
    assert again.returncode == 0
    with Ledger.open(path) as ledger:
        drawn = {part for part, _ in ledger.checks()}
    assert len(drawn) == 3
    wrong(path, min(drawn), 8)
    refused = command("ledger", str(path), "--verify", "3", "--seed", "1")
    assert refused.returncode == 2
    assert "counted again" in refused.stderr
