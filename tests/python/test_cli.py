"""The command line: answers, exit statuses, streams, interruption."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import knightstour as kt
from commands import ENVIRONMENT, PATIENCE, PROGRAM, SCRIPT, Terminal, answer, answer_json, run, run_process
from knightstour.cli.app import COMMANDS
from knightstour.cli.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence


def pair(name: str) -> tuple[int, int]:
    """A square's name as column and rank."""
    assert re.fullmatch(r"[a-z][0-9]+", name)
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def is_knights_move(one: str, other: str) -> bool:
    (a, b), (c, d) = pair(one), pair(other)
    return sorted((abs(a - c), abs(b - d))) == [1, 2]


def is_tour(names: list[str], rows: int, cols: int, blocked: Sequence[str] = ()) -> bool:
    squares = {f"{chr(ord('a') + col)}{row + 1}" for row in range(rows) for col in range(cols)} - set(blocked)
    return sorted(names) == sorted(squares) and all(is_knights_move(*move) for move in pairwise(names))


def names_of(grid: str) -> list[str]:
    """The names of the squares of a numbered board, in order."""
    rows = [line.split() for line in grid.splitlines()]
    numbered = {
        int(cell): f"{chr(ord('a') + col)}{len(rows) - row}"
        for row, cells in enumerate(rows)
        for col, cell in enumerate(cells)
        if cell != "#"
    }
    return [numbered[number] for number in range(1, len(numbered) + 1)]


@cache
def plain_search(rows: int, cols: int) -> list[list[str]]:
    """All open tours of a small board, the simple way."""
    squares = [f"{chr(ord('a') + col)}{rank}" for rank in range(rows, 0, -1) for col in range(cols)]
    moves = {square: [other for other in squares if is_knights_move(square, other)] for square in squares}
    tours = []
    paths = [[square] for square in squares]
    while paths:
        path = paths.pop()
        if len(path) == len(squares):
            tours.append(path)
        paths += [[*path, square] for square in moves[path[-1]] if square not in path]
    return tours


@pytest.mark.parametrize("program", [PROGRAM, SCRIPT], ids=["module", "script"])
class TestProgram:
    def test_version(self, program: list[str]) -> None:
        done = run_process("--version", program=program)
        assert (done.returncode, done.stdout, done.stderr) == (
            0,
            f"knightstour {kt.__version__}\n",
            "",
        )

    def test_answers(self, program: list[str]) -> None:
        done = run_process("count", "5x5", program=program)
        assert (done.returncode, done.stdout, done.stderr) == (0, "1728\n", "")

    def test_says_no(self, program: list[str]) -> None:
        assert run_process("solve", "4x4", program=program).returncode == 1

    def test_misuse(self, program: list[str]) -> None:
        assert run_process("solve", "8y8", program=program).returncode == 2


class TestHelp:
    def test_names_the_commands(self) -> None:
        text = answer("--help")
        assert all(f"\n  {command} " in text for command in COMMANDS)
        assert "Exit status" in text

    @pytest.mark.parametrize("command", COMMANDS)
    def test_what_all_commands_take(self, command: str) -> None:
        text = answer(command, "--help")
        assert all(
            re.search(rf"^ +(-., )?{option}\b", text, re.MULTILINE) for option in ("--json", "--quiet", "--help")
        )

    @pytest.mark.parametrize("command", COMMANDS)
    def test_shows_examples_that_run(self, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # Some of them write files.
        monkeypatch.chdir(tmp_path)
        text = answer(command, "--help")
        examples = re.findall(rf"^ +knightstour ({command} .*?)(?: {{2,}}.*)?$", text, re.MULTILINE)
        assert len(examples) >= 2
        for example in examples:
            if not re.search(r"[@|]|\.txt|\.db|time-limit|checkpoint|csv|100000000", example):
                assert run(*example.split()).returncode in {0, 1}, example

    @pytest.mark.parametrize("command", COMMANDS)
    def test_names_the_keys_of_the_json(self, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("tour.txt").write_text(answer("solve", "5x5"), encoding="utf-8")
        answer("count", "5x5", "--plan", "run.db")
        given = {
            "list": "5x5 --limit 1",
            "verify": "tour.txt",
            "ledger": "run.db",
            "draw": "tour.txt -o tour.svg",
            "gallery": "tours --time-limit 60",
            "puzzle": "5x5 --seed 1",
            "sample": "5x5 --seed 1",
        }
        text = answer(command, "--help").partition("Keys of the JSON: ")[2]
        done = run(command, *given.get(command, "5x5").split(), "--json", "--quiet")
        assert done.returncode == 0
        [line] = done.stdout.splitlines()
        result = json.loads(line)
        told = re.sub(r"\([^()]*\)|\s", "", text).rstrip(".")
        assert sorted(told.split(",")) == sorted(result) or (command, told) == ("play", "thoseofsolve")
        rows = [*result.get("strategies", []), *result.get("boards", [])]
        assert all(re.search(rf"\b{key}\b", text) for row in rows for key in row)

    def test_commands_stand_in_the_order_of_their_use(self) -> None:
        shown = re.findall(r"^  ([a-z]+)  ", answer("--help").partition("\nCommands:\n")[2], re.MULTILINE)
        assert shown[: len(COMMANDS)] == list(COMMANDS)
        assert shown[0] == "solve"

    def test_help_as_a_command(self) -> None:
        assert answer("help") == answer("--help")
        assert answer("help", "solve") == answer("solve", "--help")
        assert run("help", "bogus").returncode == 2

    def test_without_a_command(self) -> None:
        done = run()
        assert (done.returncode, done.stdout) == (2, "")
        assert "Usage: knightstour" in done.stderr

    def test_rich_is_not_imported_for_small_answers(self) -> None:
        code = (
            "import sys; from knightstour.cli import main; "
            "status = main(['solve', '5x5', '--blocked', 'b3', '--start', 'a2']); "
            "print(status, {name.partition('.')[0] for name in sys.modules} & {'rich', 'json', 'click'})"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        assert done.stdout.splitlines()[-1] == "1 {'click'}"


class TestSolve:
    def test_prints_the_numbered_board(self) -> None:
        assert is_tour(names_of(answer("solve", "8x8")), 8, 8)

    def test_closed(self) -> None:
        names = names_of(answer("solve", "5x6", "--closed"))
        assert is_tour(names, 5, 6)
        assert is_knights_move(names[-1], names[0])

    def test_ends(self) -> None:
        names = names_of(answer("solve", "8x8", "--start", "a1", "--end", "g8"))
        assert is_tour(names, 8, 8)
        assert (names[0], names[-1]) == ("a1", "g8")

    def test_moves_to_use_and_to_avoid(self) -> None:
        options = ["--including", "a1-b3,d4-e6", "--including", "h1-g3", "--excluding", "c5-d7, e4-f6"]
        names = names_of(answer("solve", "8x8", *options))
        used = {frozenset(move) for move in pairwise(names)}
        assert is_tour(names, 8, 8)
        assert {frozenset(("a1", "b3")), frozenset(("d4", "e6")), frozenset(("h1", "g3"))} <= used
        assert not {frozenset(("c5", "d7")), frozenset(("e4", "f6"))} & used

    def test_blocked_squares_and_pictures_are_the_same_board(self) -> None:
        named = answer("solve", "5x5", "--blocked", "a1, c3", "--blocked", "c3")
        pictured = answer("solve", "@-", "--blocked", "a1", stdin=".....\n.....\n..#..\n.....\n.....\n")
        assert named == pictured
        assert is_tour(names_of(named), 5, 5, ["a1", "c3"])

    def test_a_picture_from_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "board.txt").write_text("\n  #....\n  .....\n  ..#..\n  .....\n  .....\n\n", encoding="utf-8")
        tour = answer_json("solve", f"@{tmp_path / 'board.txt'}")
        assert tour["board"]["blocked"] == ["a5", "c3"]
        assert is_tour(tour["tour"], 5, 5, ["a5", "c3"])

    def test_leaper_and_joined_edges(self) -> None:
        tour = answer_json("solve", "10x10", "--leaper", "2,3")
        assert tour["board"]["leaper"] == [2, 3]
        steps = pairwise(tour["tour"])
        assert {tuple(sorted((abs(a - c), abs(b - d)))) for (a, b), (c, d) in (map(pair, step) for step in steps)} == {
            (2, 3)
        }
        torus = answer_json("solve", "4x4", "--wrap", "both", "--closed")
        assert (torus["outcome"], torus["board"]["wrap"]) == ("found", "both")

    def test_seed(self) -> None:
        once, again, other = (answer("solve", "8x8", "--seed", seed) for seed in ("1", "1", "2"))
        assert once == again != other

    @pytest.mark.parametrize("lookahead", ["none", "dead-ends", "forced", "full"])
    @pytest.mark.parametrize("order", ["fixed", "warnsdorff"])
    def test_backtracking_as_chosen(self, order: str, lookahead: str) -> None:
        options = ["--method", "backtracking", "--order", order, "--lookahead", lookahead, "--start", "a1"]
        if order == "warnsdorff":
            options += ["--ties", "outward"]
        assert is_tour(names_of(answer("solve", "6x6", *options)), 6, 6)

    def test_json_of_a_tour(self) -> None:
        result = answer_json("solve", "6x6", "--closed", "--start", "b1")
        assert list(result) == [
            *("board", "closed", "start", "end", "symmetric", "distinct"),
            *("outcome", "tour", "reason", "limit", "stats"),
        ]
        assert result["board"] == {"rows": 6, "cols": 6, "blocked": [], "leaper": [1, 2], "wrap": None}
        assert (result["closed"], result["start"], result["end"]) == (True, "b1", None)
        assert (result["outcome"], result["reason"], result["limit"]) == ("found", None, None)
        assert is_tour(result["tour"], 6, 6)
        assert result["tour"][0] == "b1"
        assert is_knights_move(result["tour"][-1], "b1")
        assert result["stats"]["nodes"] >= 36

    def test_no_tour_says_why(self) -> None:
        done = run("solve", "4x4")
        assert (done.returncode, done.stdout) == (1, "")
        assert "Cull and De Curtins" in done.stderr
        assert done.stderr.count("\n") == 1

    def test_no_tour_in_json(self) -> None:
        done = run("solve", "7x7", "--closed", "--json")
        result = json.loads(done.stdout)
        assert (done.returncode, result["outcome"], result["tour"]) == (1, "impossible", None)
        assert list(result["reason"]) == ["code", "text", "squares"]
        assert result["reason"]["text"] in done.stderr

    @pytest.mark.parametrize(
        ("limit", "name"),
        [("--node-limit=5", "nodes"), ("--time-limit=0", "time"), ("--memory-limit=1kB", "memory")],
    )
    def test_limits(self, limit: str, name: str) -> None:
        done = run("solve", "8x8", limit)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
        done = run("solve", "8x8", limit, "--json")
        result = json.loads(done.stdout)
        assert (done.returncode, result["outcome"], result["limit"]) == (3, "stopped", name)
        assert (result["tour"], result["reason"]) == (None, None)

    @pytest.mark.parametrize("amount", ["100000000", "500MB", "1GiB", "100000 kB", "1tib"])
    def test_memory_limits_that_suffice(self, amount: str) -> None:
        answer("solve", "5x5", "--memory-limit", amount)


class TestCount:
    @pytest.mark.parametrize(
        ("arguments", "value"),
        [
            (["5x5"], 1728),
            (["5x5", "--start", "a1"], 304),
            (["6x6", "--closed"], 9862),
            (["3x10", "--closed"], 16),
            (["10x3", "--closed", "--threads", "2"], 16),
            (["4x4"], 0),
            (["3x4"], 16),
            (["1x1"], 1),
        ],
    )
    def test_published_numbers(self, arguments: list[str], value: int) -> None:
        assert answer("count", *arguments) == f"{value}\n"

    def test_both_ends(self) -> None:
        ends = [end for start, *_, end in plain_search(3, 7) if start == "a1"]
        assert len(ends) == 8
        for end in {*ends, "b1"}:
            assert answer("count", "3x7", "--start", "a1", "--end", end) == f"{ends.count(end)}\n"

    def test_a_move_is_used_or_avoided(self) -> None:
        with_it, without_it = (
            int(answer("count", "5x5", option, "a1-b3")) for option in ("--including", "--excluding")
        )
        assert with_it > 0
        assert with_it + without_it == 1728

    def test_json(self) -> None:
        result = answer_json("count", "6x6", "--closed")
        assert list(result) == [
            *(
                "board",
                "closed",
                "start",
                "end",
                "symmetric",
                "distinct",
                "outcome",
                "value",
                "undirected",
                "directed",
                "modulus",
                "limit",
                "stats",
            ),
        ]
        assert result["outcome"] == "counted"
        assert (result["value"], result["undirected"], result["directed"]) == (9862, 9862, 19724)

    def test_a_number_of_more_digits_than_python_prints(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It took a minute to count, and then there was a traceback."""
        tours = kt.Board(5).tours()
        huge = kt.Count(10**5000, 10**5000 // 2, 10**5000, tours.count().stats)
        monkeypatch.setattr("knightstour.tours.Tours.count", lambda *_, **__: huge)
        assert answer("count", "5x5") == f"1{'0' * 5000}\n"
        assert f'"value": 1{"0" * 5000},' in answer("count", "5x5", "--json")

    def test_limit(self) -> None:
        done = run("count", "8x8", "--method", "backtracking", "--node-limit", "1000", "--json")
        result = json.loads(done.stdout)
        assert (done.returncode, result["outcome"], result["limit"]) == (3, "stopped", "nodes")
        assert (result["value"], done.stderr.count("\n")) == (None, 1)


class TestList:
    def test_all_tours_one_a_line(self) -> None:
        lines = answer("list", "5x5").splitlines()
        tours = [line.split() for line in lines]
        assert len(lines) == len(set(lines)) == 1728
        assert all(is_tour(tour, 5, 5) for tour in tours)

    def test_closed(self) -> None:
        tours = [line.split() for line in answer("list", "3x10", "--closed").splitlines()]
        assert all(is_tour(tour, 3, 10) and is_knights_move(tour[-1], tour[0]) for tour in tours)
        assert len({frozenset(map(frozenset, zip(tour, [*tour[1:], tour[0]], strict=True))) for tour in tours}) == 16

    @pytest.mark.parametrize(("limit", "lines"), [(0, 0), (3, 3), (400, 304), (10**30, 304)])
    def test_limit(self, limit: int, lines: int) -> None:
        assert answer("list", "5x5", "--start", "a1", "--limit", str(limit)).count("\n") == lines

    def test_none(self) -> None:
        done = run("list", "4x4")
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.startswith("knightstour: there is no tour: no open knight's tour by the theorem of Cull")
        assert done.stderr.count("\n") == 1
        # Nothing to say where none was wanted.
        assert answer("list", "4x4", "--limit", "0") == ""

    def test_json_lines(self) -> None:
        lines = answer("list", "5x5", "--limit", "4", "--json").splitlines()
        texts = answer("list", "5x5", "--limit", "4").splitlines()
        board = {"rows": 5, "cols": 5, "blocked": [], "leaper": [1, 2], "wrap": None}
        expected = [{"tour": text.split(), "closed": False, "board": board} for text in texts]
        assert [json.loads(line) for line in lines] == expected


class TestVerify:
    OPEN = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"

    def test_open(self) -> None:
        line = answer("verify", "-", stdin=self.OPEN)
        assert line == "open tour of the 3x4 board: 12 squares, from a3 to d1\n"

    @pytest.mark.parametrize("board", ["5x5", "6x6", "3x10"])
    def test_what_solve_and_list_print(self, board: str) -> None:
        closed = [] if board == "5x5" else ["--closed"]
        for text in (answer("solve", board, *closed), answer("list", board, *closed, "--limit", "1")):
            line = answer("verify", "-", stdin=text)
            assert line.startswith(f"{'closed' if closed else 'open'} tour of the {board} board: ")

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "tour.txt").write_text("\ufeff" + self.OPEN, encoding="utf-8")
        assert answer("verify", str(tmp_path / "tour.txt")).startswith("open tour")

    def test_json(self) -> None:
        keys = ["valid", "message", "board", "closed", "length", "start", "end", "step", "squares"]
        keys += ["reading", "note"]
        result = answer_json("verify", "-", stdin=self.OPEN)
        assert list(result) == keys
        assert (result["valid"], result["closed"], result["length"]) == (True, False, 12)
        assert (result["start"], result["end"], result["step"], result["squares"]) == ("a3", "d1", None, [])
        done = run("verify", "-", "--board", "3x4", "--json", stdin=self.OPEN.replace("12", "13"))
        assert done.returncode == 1
        assert list(json.loads(done.stdout)) == keys
        assert json.loads(done.stdout)["valid"] is False

    def test_the_first_bad_step(self) -> None:
        swapped = self.OPEN.replace("5", "x").replace("6", "5").replace("x", "6")
        done = run("verify", "-", "--board", "3x4", "--json", stdin=swapped)
        result = json.loads(done.stdout)
        assert (done.returncode, result["valid"], result["step"], result["squares"]) == (
            1,
            False,
            4,
            ["b3", "b1"],
        )
        done = run("verify", "-", stdin=swapped)
        assert (done.returncode, done.stderr) == (1, "")
        assert re.search(r"not a tour: .*\bstep 4\b.*\bb1\b", done.stdout)

    @pytest.mark.parametrize("text", ["1 2 3\n4 5 6\n", "1 4 7 10\n8 11 2 5\n3 6 9 9\n", "1 4 7 .\n. . 2 5\n3 6 . .\n"])
    def test_no_tour(self, text: str) -> None:
        done = run("verify", "-", stdin=text)
        assert (done.returncode, done.stdout.count("\n"), done.stderr) == (1, 1, "")
        assert done.stdout.startswith("not a tour: read as a ")

    @pytest.mark.parametrize("text", ["", "hello", "1 2\n3\n"])
    def test_what_cannot_be_read(self, text: str) -> None:  # case 36
        done = run("verify", "-", stdin=text)
        assert (done.returncode, done.stdout.count("\n"), done.stderr) == (2, 1, "")
        assert done.stdout.startswith("cannot be read: ")
        result = json.loads(run("verify", "-", "--json", stdin=text).stdout)
        assert (result["valid"], result["step"]) == (None, None)

    def test_a_board_with_more_moves(self, tmp_path: Path) -> None:
        (tmp_path / "board.txt").write_text("....\n" * 4, encoding="utf-8")
        tour = answer("solve", "4x4", "--wrap", "both")
        for board in ("4x4", f"@{tmp_path / 'board.txt'}"):
            line = answer("verify", "-", "--board", board, "--wrap", "both", stdin=tour)
            assert "tour of the 4x4 board: 16 squares" in line
        assert run("verify", "-", stdin=tour).returncode == 1

    def test_unreadable(self, tmp_path: Path) -> None:
        (tmp_path / "image").write_bytes(b"\x89PNG\xff\xfe")
        for name in (tmp_path / "absent", tmp_path, tmp_path / "image"):
            done = run("verify", str(name))
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
            assert str(name)[:20] in done.stderr
        assert run("verify", "-", stdin=b"\xff\xfe1").returncode == 2


class TestCompare:
    STRATEGIES = ("plain", "Warnsdorff", "Warnsdorff + dead-ends", "Warnsdorff + forced", "Warnsdorff + full")

    def test_table(self) -> None:
        head, *rows = answer("compare", "6x6", "--start", "a1").splitlines()
        assert head.split() == ["strategy", "outcome", "nodes", "backtracks", "seconds"]
        cells = [re.split(r" {2,}", row) for row in rows]
        assert tuple(row[0] for row in cells) == self.STRATEGIES
        assert {row[1] for row in cells} == {"tour"}
        assert all(int(row[2]) - int(row[3]) == 36 for row in cells)
        assert len({len(line) for line in (head, *rows)}) == 1

    def test_the_plain_search_is_the_plain_search(self) -> None:
        """The count of nodes is that of the search as the tutorials write it."""
        nodes = 0

        def search(at: tuple[int, int], visited: set[tuple[int, int]]) -> bool:
            nonlocal nodes
            nodes += 1
            if len(visited) == 25:
                return True
            row, col = at
            for dr, dc in ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)):
                to = (row + dr, col + dc)
                if to not in visited and 0 <= to[0] < 5 and 0 <= to[1] < 5 and search(to, visited | {to}):
                    return True
            return False

        assert search((4, 0), {(4, 0)})
        plain = answer_json("compare", "5x5", "--start", "a1")["strategies"][0]["stats"]
        assert (plain["nodes"], plain["backtracks"]) == (nodes, nodes - 25)

    def test_json(self) -> None:
        result = answer_json("compare", "5x6", "--closed", "--ties", "pohl", "--seed", "1", "--time-limit", "60")
        assert list(result) == [
            *("board", "closed", "start", "end", "symmetric", "distinct"),
            *("time_limit", "node_limit", "strategies"),
        ]
        assert (result["time_limit"], result["node_limit"]) == (60, 10_000_000)
        assert tuple(row["strategy"] for row in result["strategies"]) == self.STRATEGIES
        for row in result["strategies"]:
            assert list(row) == [
                *("strategy", "order", "lookahead", "outcome", "tour", "reason", "limit", "stats"),
            ]
            assert row["outcome"] == "found"
            assert is_tour(row["tour"], 5, 6)
            assert is_knights_move(row["tour"][-1], row["tour"][0])

    def test_limits_are_part_of_the_experiment(self) -> None:
        result = answer_json("compare", "8x8", "--start", "a1", "--node-limit", "1000")
        outcomes = {row["strategy"]: (row["outcome"], row["limit"]) for row in result["strategies"]}
        assert outcomes["plain"] == ("stopped", "nodes")
        assert outcomes["Warnsdorff + full"] == ("found", None)
        text = answer("compare", "8x8", "--start", "a1", "--node-limit", "1000")
        assert re.search(r"^plain +stopped \(nodes\) ", text, re.MULTILINE)

    def test_no_tour(self) -> None:
        text = answer("compare", "5x5", "--start", "b1")
        assert len(re.findall(r"no tour \(", text)) == 5

    def test_blocked_squares_and_ends(self) -> None:
        result = answer_json("compare", "5x5", "--blocked", "a1,c3", "--end", "e2")
        for row in result["strategies"]:
            assert is_tour(row["tour"], 5, 5, ["a1", "c3"])
            assert row["tour"][-1] == "e2"


class TestStarts:
    def test_board(self) -> None:
        rows = [[int(cell) for cell in line.split()] for line in answer("starts", "5x5").splitlines()]
        first = [304, 0, 56, 0, 304]
        second = [0, 56, 0, 56, 0]
        assert rows == [first, second, [56, 0, 64, 0, 56], second, first]

    def test_columns_are_aligned(self) -> None:
        starts = [start for start, *_ in plain_search(3, 4)]
        rows = [[starts.count(f"{col}{rank}") for col in "abcd"] for rank in (3, 2, 1)]
        assert answer("starts", "3x4") == "".join(" ".join(map(str, row)) + "\n" for row in rows)
        lines = answer("starts", "3x10").splitlines()
        assert len({len(line) for line in lines}) == 1
        assert sum(int(cell) for line in lines for cell in line.split()) == 6096

    def test_json(self) -> None:
        result = answer_json("starts", "3x7")
        assert list(result) == [
            *("board", "closed", "start", "end", "symmetric", "distinct"),
            *("outcome", "starts", "limit", "stats"),
        ]
        assert len(result["starts"]) == 21
        assert sum(result["starts"].values()) == int(answer("count", "3x7"))
        assert result["starts"]["a1"] == int(answer("count", "3x7", "--start", "a1"))

    def test_blocked(self) -> None:
        assert answer("starts", "3x3", "--blocked", "b2").splitlines() == ["2 2 2", "2 # 2", "2 2 2"]

    def test_map(self) -> None:
        """Published: on 3x7 a tour can start on 10 of the 21 squares, on 3x8 on 22 of 24."""
        assert answer("starts", "3x7", "--map").splitlines() == ["o.o.o.o", ".o...o.", "o.o.o.o"]
        assert answer("starts", "3x8", "--map").count("o") == 22
        counted = [
            ["o" if int(cell) else "." for cell in line.split()] for line in answer("starts", "4x5").splitlines()
        ]
        assert answer("starts", "4x5", "--map").splitlines() == ["".join(row) for row in counted]
        ends = answer("starts", "6x6", "--map", "--from", "a1", "--blocked", "f6,c4").splitlines()
        assert [line.count("#") for line in ends] == [1, 0, 1, 0, 0, 0]
        assert answer_json("starts", "3x7", "--map")["starts"][:3] == ["a3", "c3", "e3"]
        assert run("starts", "3x7", "--from", "a1").returncode == 2
        assert run("starts", "3x7", "--map", "--end", "a1").returncode == 2

    def test_checkpoint(self, tmp_path: Path) -> None:
        file = tmp_path / "starts.kt"
        assert answer("starts", "5x6", "--checkpoint", str(file)) == answer("starts", "5x6")
        assert not file.exists()

    def test_limit(self) -> None:
        done = run("starts", "8x8", "--node-limit", "1000", "--json")
        result = json.loads(done.stdout)
        assert (done.returncode, result["outcome"], result["limit"]) == (3, "stopped", "nodes")


MISUSE = [
    ["bogus"],
    ["--bogus"],
    ["solve"],
    ["solve", "8x8", "9"],
    ["solve", "8x8", "--bogus"],
    ["solve", "8x8", "--start"],
    ["solve", "8x"],
    ["solve", ""],
    ["solve", "x8"],
    ["solve", "0x8"],
    ["solve", "-3x8"],
    ["solve", "8x8x8"],
    ["solve", "8.0x8"],
    ["solve", "eightxeight"],
    ["solve", "99999999999x99999999999"],
    ["solve", "9" * 5000 + "x8"],
    ["solve", "@"],
    ["solve", "@/nonexistent/board"],
    ["solve", "8x8", "--start", "j1"],
    ["solve", "8x8", "--start", "a1", "--blocked", "a1"],
    ["solve", "8x8", "--start", "a1", "--end", "a1"],
    ["solve", "8x8", "--closed", "--end", "a1"],
    ["solve", "8x8", "--blocked", "d4,,e5"],
    ["solve", "8x8", "--leaper", "2"],
    ["solve", "8x8", "--leaper", "0,0"],
    ["solve", "8x8", "--wrap", "up"],
    ["solve", "8x8", "--including", "a1"],
    ["solve", "8x8", "--including", "a1-a2"],
    ["solve", "8x8", "--seed", "x"],
    ["solve", "8x8", "--seed", "-1"],
    ["solve", "8x8", "--time-limit", "soon"],
    ["solve", "8x8", "--time-limit", "nan"],
    ["solve", "8x8", "--time-limit", "-1"],
    ["solve", "8x8", "--node-limit", "1.5"],
    ["solve", "8x8", "--memory-limit", "2 elephants"],
    ["solve", "8x8", "--threads", "0"],
    ["solve", "8x8", "--method", "magic"],
    ["solve", "8x8", "--method", "backtracking", "--order", "random"],
    ["solve", "8x8", "--method", "backtracking", "--order", "fixed", "--ties", "pohl"],
    ["count", "8x8", "--lookahead", "full"],
    ["list", "8x8", "--limit", "-1"],
    ["list", "8x8", "--limit", "many"],
    ["starts", "8x8", "--closed"],
    ["verify"],
    ["verify", "-", "--leaper", "2"],
    ["verify", "-", "--board", "@-"],
    ["compare", "8x8", "--node-limit", "x"],
]


@pytest.mark.parametrize("arguments", MISUSE, ids=lambda arguments: " ".join(arguments)[:60])
def test_misuse(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"knightstour: .+\n", done.stderr)
    assert len(done.stderr) < 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "8", "--ties", "pohl"], "--ties needs --method backtracking or --method warnsdorff"),
        (["solve", "8", "--order", "fixed"], "--order and --lookahead need --method backtracking"),
        (["solve", "8", "--method", "magic"], "--method must be one of auto, .*, not 'magic'"),
        (["solve", "8", "--wrap", "up"], "--wrap must be one of cols, rows, both, not 'up'"),
        (["solve", "8", "--closed", "--end", "a1"], "--end goes with open tours"),
        (["solve", "8", "--time-limit", "-1"], "--time-limit must be seconds"),
        (["solve", "8", "--memory-limit", "-1"], "--memory-limit must be bytes"),
        (["solve", "8", "--node-limit", "-1"], "--node-limit must be"),
        (["solve", "8", "--threads", "0"], "--threads must be"),
        (["solve", "8", "--seed", "-1"], "--seed must be"),
        (["solve", "8", "--method", "warnsdorff", "--closed"], "--method warnsdorff cannot be combined"),
        (
            ["solve", "8", "--method", "backtracking", "--order", "fixed", "--ties", "pohl"],
            "--ties cannot .* --order fixed",
        ),
        (["solve", "8", "--method", "backtracking", "--ties", "squirrel"], "--ties squirrel"),
        (["count", "8", "--method", "construction"], "--method must be one of auto, backtracking, frontier"),
        (["count", "8", "--method", "backtracking", "--spill-dir", "."], "--checkpoint and --spill-dir"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_messages_name_the_options_as_they_are_typed(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(message, done.stderr)
    assert not re.search(r"_limit|spill_dir|=[\"']|None|`|\*\*", done.stderr)


def test_ways_to_write_a_board_and_squares() -> None:
    assert answer("solve", " 5 x 6 ") == answer("solve", "5\u00d76") == answer("solve", "5X6") == answer("solve", "5x6")
    for squares in ("a1,c3", "a1 c3", " a1 , c3 "):
        assert answer("count", "5x5", "--blocked", squares) == answer("count", "5x5", "--blocked", "a1,c3")


def test_a_board_where_a_file_belongs() -> None:
    for command in ("draw", "verify"):
        done = run(command, "8x8")
        assert (done.returncode, done.stdout) == (2, "")
        assert "the output of: knightstour solve 8x8" in done.stderr


def test_one_number_is_a_square_board() -> None:
    assert answer("solve", "8") == answer("solve", "8x8")
    assert answer("count", "5") == "1728\n"


def test_help_lists_the_engines_that_fit() -> None:
    """Each engine that the help of a command names is one that it takes, and there is no other."""
    with pytest.raises(kt.RequestError) as error:
        kt.solve(8, method="x")
    engines = re.findall(r"'([a-z]{2,})'", str(error.value))
    for command in ("solve", "count", "starts"):
        listed = re.search(r"The engine: ([a-z,\s]*)\.", answer(command, "--help"))
        assert listed
        ask = getattr(kt.Board(4).tours(), {"solve": "find"}.get(command, command))
        taken = [engine for engine in engines if takes(ask, engine)]
        assert sorted(re.split(r",\s+", listed[1])) == sorted(taken)


def takes(ask: Any, engine: str) -> bool:
    """Whether an engine can do what is asked, on this board or on others."""
    try:
        ask(method=engine)
    except kt.RequestError as error:
        return not re.search("cannot count|does not find", str(error))
    return True


class TestCheckpoint:
    def test_a_stopped_count_goes_on(self, tmp_path: Path) -> None:
        file = tmp_path / "count.kt"
        options = ["count", "6x6", "--method", "frontier", "--checkpoint", str(file)]
        assert run(*options, "--time-limit", "0").returncode == 3
        assert answer(*options, "--spill-dir", str(tmp_path)) == "6637920\n"

    def test_a_file_of_another_count(self, tmp_path: Path) -> None:
        file = tmp_path / "count.kt"
        file.write_text("something else", encoding="utf-8")
        done = run("count", "6x6", "--method", "frontier", "--checkpoint", str(file))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert file.read_text(encoding="utf-8") == "something else"


@pytest.mark.parametrize("picture", ["", "..\n...\n", "ab\ncd\n", "##\n##\n", b"\xff\xfe"])
def test_pictures_that_are_none(picture: str | bytes) -> None:
    done = run("solve", "@-", stdin=picture)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# What follows needs signals, pipes and terminals as Unix has them.
unix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and terminals of Unix")


@unix
def test_interrupted_while_listing() -> None:
    with subprocess.Popen(
        [*PROGRAM, "list", "8x8", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=PATIENCE)
    assert (process.returncode, messages) == (130, b"knightstour: interrupted\n")


@unix
def test_output_that_nobody_reads() -> None:
    with subprocess.Popen(
        [*PROGRAM, "list", "6x6"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert is_tour(process.stdout.readline().decode().split(), 6, 6)
        process.stdout.close()
        messages = process.stderr.read()
        process.wait(timeout=PATIENCE)
    assert (process.returncode, messages) == (141, b"")


@unix
@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("command", ["draw tour.txt", "solve 300x300", "solve 300x300 --json", "list 6x6"])
def test_a_large_output_that_nobody_reads(command: str, buffered: str, tmp_path: Path) -> None:
    """Unbuffered, a write that the reader cuts short is no error of its own."""
    (tmp_path / "tour.txt").write_text(answer("solve", "200x200"), encoding="utf-8")
    with subprocess.Popen(
        [*PROGRAM, *command.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT | {"PYTHONUNBUFFERED": buffered},
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10)
        process.stdout.close()
        messages = process.stderr.read()
        process.wait(timeout=PATIENCE)
    assert (process.returncode, messages) == (141, b"")


@unix
@pytest.mark.parametrize(
    "command", ["solve 5x5", "draw tour.txt", "verify tour.txt", "starts 5x5", "--help", "warnsdorff 5x5", "bogus é"]
)
def test_a_locale_that_knows_ascii_only(command: str, tmp_path: Path) -> None:
    (tmp_path / "tour.txt").write_text(answer("solve", "5x5"), encoding="utf-8")
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = subprocess.run(
        [*PROGRAM, *command.split()], capture_output=True, env=ENVIRONMENT | bare, cwd=tmp_path, check=False
    )
    assert done.returncode == (2 if "bogus" in command else 0)
    assert b"Traceback" not in done.stderr


@unix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_output_that_does_not_fit() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "solve", "8x8"], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, check=False
        )
    assert done.returncode == 2
    assert re.fullmatch(rb"knightstour: cannot write .+\n", done.stderr)


@unix
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("solve 8x8 >&-", 0),
        ("solve 4x4 2>&-", 1),
        ("bogus 2>&-", 2),
        ("solve @- <&-", 2),
        ("verify - <&-", 2),
    ],
)
def test_closed_streams(command: str, status: int) -> None:
    line = f"'{sys.executable}' -m knightstour {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (status, "")
    assert "Traceback" not in done.stderr


COLOURS = r"\x1b\[[0-9;]*m"
SHOW_CURSOR = "\x1b[?25h"


@unix
class TestTerminal:
    @pytest.mark.parametrize("command", ["count", "starts"])
    def test_progress_then_interrupted(self, terminal: type[Terminal], command: str) -> None:
        shown = terminal(command, "9x8", "--method", "backtracking")
        assert shown.read_until(r"parts of the search.* of ")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130
        assert re.search(COLOURS, shown.text)
        assert SHOW_CURSOR in shown.text
        assert shown.text.endswith("knightstour: interrupted\r\n")
        assert "Traceback" not in shown.text

    def test_progress_of_a_sweep(self, terminal: type[Terminal]) -> None:
        shown = terminal("count", "9x8")
        assert shown.read_until(r"counting: \w+ .*[0-9]")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130

    def test_progress_without_colours(self, terminal: type[Terminal]) -> None:
        shown = terminal("count", "9x8", "--method", "backtracking", NO_COLOR="1")
        assert shown.read_until("parts of the search")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130
        assert not re.search(COLOURS, shown.text)

    def test_progress_of_a_search(self, terminal: type[Terminal]) -> None:
        shown = terminal("solve", "20x20", "--method", "backtracking", "--order", "fixed", "--lookahead", "none")
        assert shown.read_until("squares placed")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130

    def test_progress_of_a_comparison(self, terminal: type[Terminal]) -> None:
        unlimited = ("--time-limit", "1e9", "--node-limit", "9" * 18)
        shown = terminal("compare", "20x20", "--start", "a1", *unlimited)
        assert shown.read_until("plain: .*squares placed")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130

    def test_progress_of_a_listing(self, terminal: type[Terminal]) -> None:
        shown = terminal("list", "8x8")
        assert shown.read_until("listing: tours")
        shown.process.send_signal(signal.SIGINT)
        assert shown.finish() == 130

    def test_short_answers_show_none(self, terminal: type[Terminal]) -> None:
        shown = terminal("count", "5x5")
        assert (shown.finish(), shown.text) == (0, "")

    def test_quiet(self, terminal: type[Terminal]) -> None:
        shown = terminal("count", "9x8", "--quiet", "--time-limit", "3")
        assert shown.finish() == 3
        assert re.fullmatch("knightstour: stopped by the time limit while counting .*\r\n", shown.text)

    def test_comparison_in_a_box(self, terminal: type[Terminal]) -> None:
        shown = terminal("compare", "6x6", stdout=True)
        assert shown.finish() == 0
        assert re.search(COLOURS, shown.text)
        assert all(f" {strategy} " in shown.text for strategy in TestCompare.STRATEGIES)
        assert "│" in shown.text

    def test_a_narrow_terminal_loses_no_digit(self, terminal: type[Terminal]) -> None:
        """A box that does not fit would be cut: the bare table is wrapped, as any text is."""
        for columns in ("1", "20", "80"):
            shown = terminal("warnsdorff", "6x6", "100x100", "--seed", "1", stdout=True, COLUMNS=columns)
            assert shown.finish() == 0
            assert shown.text.replace("\r", "") == answer("warnsdorff", "6x6", "100x100", "--seed", "1")

    def test_comparison_without_colours(self, terminal: type[Terminal]) -> None:
        shown = terminal("compare", "6x6", stdout=True, NO_COLOR="1")
        assert shown.finish() == 0
        assert not re.search(COLOURS, shown.text)


def test_a_bar_tells_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    for name, value in {"TERM": "xterm", "COLUMNS": "150", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    with (bar := Bar("walking", wanted=True)) as progress:
        assert progress is not None
        bar._show()
        for done in range(5):
            progress(kt.Progress(done * 1000, 5000, "walking: squares"))
            time.sleep(0.01)
        assert bar._display is not None
        bar._display.refresh()
    left = r"walking: squares \S+ +4,000 of 5,000 [0-9,.k]+/s [0-9:]+ left: [0-9:]+"
    assert re.search(left, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue()))


def test_a_bar_keeps_its_times_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name, value in {"TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    for message, total, told in (
        ("preparing: states", 12_345_678_901, "4.9G of 12G"),
        ("counting: start 3 of 10: states", 123_456_789_012, "49G of 123G"),
        ("searching: squares done, best so far 40 moves, at most 61", 99, "39 of 99"),
        ("walking: squares", 9_999_000, "4.0M of 10M"),
    ):
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        with (bar := Bar("counting", wanted=True)) as progress:
            assert progress is not None
            bar._show()
            for tenth in range(5):
                progress(kt.Progress(total * tenth // 10, total, message))
                time.sleep(0.01)
            assert bar._display is not None
            bar._display.refresh()
        lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue()))
        last = [line for line in lines if "━" in line][-1]
        assert len(last) <= 80
        start = re.escape(message[:12])
        assert re.match(rf"{start}.* ━*[╺╸]?━* {told} [\d.,]+[kMGT]?/s \d:\d\d:\d\d left: \d+:\d\d:\d\d$", last), last


@unix
def test_the_bar_of_a_sample_tells_how_the_tables_come() -> None:
    terminal = Terminal("sample", "7x8", "--threads", "1", TERM="xterm", COLUMNS="80", NO_COLOR="1")
    try:
        assert terminal.read_until(r"preparing: groups [━ ]+ [\d.,]+[kM] .*\d:\d\d:\d\d left: ")
    finally:
        terminal.close()


@unix
def test_no_progress_for_a_pipe() -> None:
    done = run("count", "9x8", "--time-limit", "3")
    assert done.returncode == 3
    assert re.fullmatch("knightstour: stopped by the time limit while counting .*\n", done.stderr)


class TestClasses:
    def test_counts_and_lists(self) -> None:
        assert run("count", "6x6", "--closed", "--distinct").stdout == "1245\n"
        assert run("count", "6x6", "--closed", "--symmetric", "half-turn").stdout == "78\n"
        listed = run("list", "6x6", "--closed", "--distinct", "--symmetric", "quarter-turn").stdout.splitlines()
        assert len(listed) == len(set(listed)) == 5
        counted = answer_json("count", "5x5", "--distinct")
        assert (counted["value"], counted["undirected"], counted["directed"]) == (112, None, None)
        assert (counted["symmetric"], counted["distinct"]) == ([], True)
        assert run("solve", "8x8", "--closed", "--symmetric", "quarter-turn").returncode == 1

    def test_what_is_no_symmetry(self) -> None:
        refused = run("count", "3x4", "--symmetric", "quarter-turn")
        assert refused.returncode == 2
        assert "half-turn, flip-horizontal" in refused.stderr


class TestLongest:
    def test_proves_and_says_so(self) -> None:
        done = run("longest", "4x4")
        assert done.returncode == 0
        assert len(re.findall(r"\d+", done.stdout)) == 15
        assert "no path has more" in done.stderr
        found = answer_json("longest", "3x6", "--closed")
        assert (found["length"], found["is_optimal"], found["upper_bound"]) == (14, True, 14)
        assert len(found["squares"]) == 14

    def test_none_and_limits(self) -> None:
        assert run("longest", "2x2", "--closed").returncode == 1
        stopped = run("longest", "7x7", "--leaper", "2,3", "--node-limit", "50")
        assert stopped.returncode == 3
        assert "It is not known whether" in stopped.stderr


class TestPuzzle:
    def test_has_one_solution(self) -> None:
        made = answer_json("puzzle", "5x5", "--seed", "1")
        assert run("puzzle", "5x5", "--seed", "1", "--solution").stdout.count("\n") == 11
        assert made["seed"] == 1
        assert all(made["solution"][step] == square for square, step in made["clues"].items())

    def test_none_and_misuse(self) -> None:
        assert run("puzzle", "4x4").returncode == 1
        assert run("puzzle", "5x5", "--clues", "none").returncode == 2
        assert run("puzzle", "5x5", "--clues", "1", "--seed", "1").returncode == 2
        assert run("puzzle", "5x5", "--clues", "2", "--seed", "1").returncode == 3
