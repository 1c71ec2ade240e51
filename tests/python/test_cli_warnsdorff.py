"""`knightstour warnsdorff`, and what `Trials` says of its runs."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

import pytest

import knightstour as kt
from commands import answer, answer_json, run, run_process

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("completed", "trials", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(completed: int, trials: int, low: float, high: float) -> None:
    assert kt.Trials(trials, completed, (), 0).interval == pytest.approx((low, high), abs=5e-5)
    swapped = kt.Trials(trials, trials - completed, (), 0)
    assert swapped.interval == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_intervals_stay_inside() -> None:
    assert kt.Trials(10, 0, (), 0).interval[0] == 0.0
    assert kt.Trials(10, 10, (), 0).interval[1] == 1.0
    assert kt.Trials(0, 0, (), 0).interval == (0.0, 1.0)
    assert math.isnan(kt.Trials(0, 0, (), 0).share)


def test_quantiles() -> None:
    lengths = (64, 50, 60, 64, 64, 40, 64, 64, 64, 64)
    outcome = kt.Trials(10, 7, lengths, 0)
    assert outcome.quantiles(0, 0.1, 0.11, 0.2, 0.3, 0.31, 0.5, 1) == (40, 40, 50, 50, 60, 64, 64, 64)
    for fraction in (0.05, 0.25, 0.75, 0.95):
        (found,) = outcome.quantiles(fraction)
        least = min(length for length in lengths if sum(other <= length for other in lengths) >= fraction * 10)
        assert found == least
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(kt.RequestError, match="from 0 to 1"):
            outcome.quantiles(bad)
    with pytest.raises(kt.RequestError):
        kt.Trials(0, 0, (), 0).quantiles(0.5)


def test_one_number_is_a_square_board() -> None:
    assert kt.warnsdorff(8, seed=1) == kt.warnsdorff(kt.Board(8), seed=1)
    assert kt.warnsdorff_trials(8, 10, seed=1) == kt.warnsdorff_trials(kt.Board(8), 10, seed=1)
    assert len(kt.warnsdorff(1)) == 1
    for bad in (0, -1, True, 8.0, "8", 2**40):
        with pytest.raises(kt.BoardError):
            kt.warnsdorff(bad)  # type: ignore[arg-type]


class TestTable:
    HEADS = ("board", "completed", "share", "95% interval", "least", "5%", "25%", "median", "75%", "95%", "greatest")

    def test_as_asked(self) -> None:
        """The call that the documentation shows."""
        head, row, caption = answer("warnsdorff", "100x100", "--trials", "20", "--ties", "random").splitlines()
        assert tuple(re.split(r" {2,}", head.strip())) == self.HEADS
        assert row.split()[0] == "100x100"
        assert re.fullmatch(r"20 runs each, from random squares, ties random, seed \d+; .*Wilson's", caption)

    def test_is_what_the_library_says(self) -> None:
        _, row, _ = answer("warnsdorff", "7", "--trials", "500", "--seed", "5", "--start", "a1").splitlines()
        outcome = kt.warnsdorff_trials(kt.Board(7), 500, start="a1", seed=5)
        low, high = outcome.interval
        assert re.split(r" {2,}", row) == [
            "7x7",
            str(outcome.completed),
            f"{outcome.completed / 500:.2%}",
            f"{low:.2%} to {high:.2%}",
            *map(str, outcome.quantiles(0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)),
        ]

    def test_several_boards_beside_the_published_shares(self) -> None:
        """Random ties from random squares: 97.2% of 6x6 (exactly), 97.9% of 8x8; from a corner 74% of 7x7."""
        for arguments, shares in (
            (["6x6", "8x8"], {"6x6": 0.972, "8x8": 0.979}),
            (["7x7", "8x8", "--start", "a1"], {"7x7": 0.74, "8x8": 0.98}),
        ):
            result = answer_json("warnsdorff", *arguments, "--trials", "20000", "--seed", "1")
            found = {f"{one['board']['rows']}x{one['board']['cols']}": one for one in result["boards"]}
            assert found.keys() == shares.keys()
            for board, share in shares.items():
                # Five standard errors, and half a unit of the last digit that is published.
                assert abs(found[board]["share"] - share) < 5 * math.sqrt(share * (1 - share) / 20_000) + 0.005

    def test_threads_make_no_difference(self) -> None:
        once, again = (answer("warnsdorff", "9", "12x5", "--seed", "3", "--threads", threads) for threads in "12")
        assert once == again

    def test_boards_of_all_kinds(self) -> None:
        options = ["--blocked", "d4", "--wrap", "both", "--leaper", "1,4", "--trials", "3", "--ties", "pohl"]
        result = answer_json("warnsdorff", "10x10", "@-", *options, stdin="........\n" * 7)
        boards = [one["board"] for one in result["boards"]]
        assert [(board["rows"], board["cols"]) for board in boards] == [(10, 10), (7, 8)]
        assert all(board["blocked"] == ["d4"] and board["wrap"] == "both" for board in boards)
        assert (result["ties"], result["start"]) == ("pohl", None)

    def test_squirrel_says_what_it_fails_on(self) -> None:
        done = run("warnsdorff", "73", "74", "75", "--ties", "squirrel", "--trials", "1")
        assert [line.split()[1] for line in done.stdout.splitlines()[1:4]] == ["1", "0", "1"]
        assert re.fullmatch("knightstour: .*complete every side from 5 to 1000 except 74\n", done.stderr)
        assert run("warnsdorff", "73", "--ties", "squirrel", "--trials", "1").stderr == ""

    def test_json(self) -> None:
        result = answer_json("warnsdorff", "5x5", "--trials", "50", "--seed", "2", "--start", "a1")
        assert list(result) == ["ties", "start", "seed", "boards"]
        (one,) = result["boards"]
        assert list(one) == ["board", "trials", "completed", "share", "interval", "quantiles"]
        assert list(one["quantiles"]) == list(self.HEADS[4:])
        assert (result["seed"], one["trials"], one["share"]) == (2, 50, one["completed"] / 50)


class TestCsv:
    def read(self, text: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(text)))

    def test_one_line_a_run(self, tmp_path: Path) -> None:
        file = tmp_path / "runs.csv"
        arguments = ["warnsdorff", "7", "5x6", "--trials", "40", "--seed", "9"]
        table = answer(*arguments, "--csv", str(file))
        assert table == answer(*arguments)
        assert answer(*arguments, "--csv", "-") == file.read_text(encoding="utf-8")
        rows = self.read(file.read_text(encoding="utf-8"))
        assert len(rows) == 80
        for board, part in ((kt.Board(7), rows[:40]), (kt.Board(5, 6), rows[40:])):
            lengths = kt.warnsdorff_trials(board, 40, seed=9).lengths
            repeated = [kt.warnsdorff(board, row["start"], seed=int(row["seed"])) for row in part]
            assert [len(walk) for walk in repeated] == list(lengths)
            assert [int(row["run"]) for row in part] == list(range(40))
            assert [int(row["length"]) for row in part] == list(lengths)
            assert [row["completed"] == "1" for row in part] == [length == len(board) for length in lengths]
            assert {(row["rows"], row["cols"], row["blocked"]) for row in part} == {
                (str(board.rows), str(board.cols), "0")
            }

    def test_where_it_cannot_be_written(self, tmp_path: Path) -> None:
        for name in (tmp_path, tmp_path / "absent" / "runs.csv"):
            done = run("warnsdorff", "8", "--csv", str(name))
            assert (done.returncode, done.stdout) == (2, "")
            assert re.fullmatch("knightstour: cannot write .*\n", done.stderr)


MISUSE = [
    (["warnsdorff"], "BOARD"),
    (["warnsdorff", "8x8", "--trials", "0"], "--trials must be at least 1"),
    (["warnsdorff", "8x8", "--trials", "x"], "--trials must be a whole number"),
    (["warnsdorff", "8x8", "--trials", "1" + "0" * 15], "of memory"),
    (
        ["warnsdorff", "8x8", "--ties", "best"],
        "--ties must be one of first, random, outward, pohl, squirrel, not 'best'",
    ),
    (["warnsdorff", "8x8", "--start", "z9"], "z9"),
    (["warnsdorff", "8x8", "--seed", "-1"], r"--seed must be .* 64 bits"),
    (["warnsdorff", "5x6", "--ties", "squirrel"], "--ties squirrel|ties squirrel|squirrel"),
    (["warnsdorff", "8x8", "--csv", "-", "--json"], "standard output"),
]


@pytest.mark.parametrize(("arguments", "message"), MISUSE, ids=lambda value: str(value)[:50])
def test_misuse(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (3 if message == "of memory" else 2, "")
    assert re.search(message, done.stderr)
    assert done.stderr.count("\n") == 1


def test_as_a_process() -> None:
    done = run_process("warnsdorff", "8x8", "--trials", "10", "--seed", "1")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 3)
