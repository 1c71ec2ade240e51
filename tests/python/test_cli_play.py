"""`knightstour play`, in a terminal of its own and in a pipe."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

import knightstour as kt
from commands import answer, answer_json, run, run_process

if TYPE_CHECKING:
    from pathlib import Path

    from commands import Terminal

unix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of Unix")

#: What brings back the screen, the cursor and the colours as they were.
RESTORED = "\x1b[0m\x1b[?25h\x1b[?1049l"


def test_in_a_pipe_it_prints_the_board() -> None:
    assert answer("play", "8x8") == answer("solve", "8x8")
    assert answer("play", "6", "--closed", "--seed", "4") == answer("solve", "6", "--closed", "--seed", "4")
    done = run_process("play", "5x5", "--speed", "0.1")
    assert (done.returncode, done.stdout, done.stderr) == (0, answer("solve", "5x5"), "")


def test_a_tour_from_a_file(tmp_path: Path) -> None:
    text = answer("solve", "6x6", "--seed", "3")
    (tmp_path / "tour.txt").write_text(text, encoding="utf-8")
    assert answer("play", "--tour", str(tmp_path / "tour.txt")) == text
    assert answer("play", "--tour", "-", stdin=text) == text
    torus = answer("solve", "4x4", "--wrap", "both")
    assert answer("play", "4x4", "--wrap", "both", "--tour", "-", stdin=torus) == torus


def test_no_tour() -> None:
    assert run("play", "4x4").returncode == 1
    assert run("play", "8x8", "--time-limit", "0").returncode == 3
    played, solved = answer_json("play", "5x5"), answer_json("solve", "5x5")
    assert list(played) == list(solved)
    assert played["tour"] == solved["tour"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["play"],
        ["play", "8x8", "--speed", "0"],
        ["play", "8x8", "--speed", "nan"],
        ["play", "8x8", "--speed", "fast"],
        ["play", "--tour", "-", "--closed"],
        ["play", "--tour", "/nonexistent"],
        ["play", "--tour", "-", "--blocked", "a1"],
    ],
    ids=" ".join,
)
def test_misuse(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def plain(text: str) -> str:
    """What a terminal shows of it, about."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


@unix
class TestTerminal:
    def test_it_plays_to_the_end(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "5x5", "--speed", "1000", stdout=True)
        assert shown.finish() == 0
        frames = shown.text.split("\x1b[H")[1:]
        assert len(frames) == 25
        tour = kt.solve(5)
        for step, frame in enumerate(frames):
            assert plain(frame).count("♞") == 1
            assert f"{tour.names()[step]}: {step + 1} of 25" in plain(frame)
            assert len(re.findall(r"\.(?=\s)", plain(frame).partition("\n\n")[0] + "\n")) == 24 - step
        assert RESTORED in shown.text
        assert plain(shown.text.partition(RESTORED)[2]).strip() == str(tour).strip()

    def test_keys(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "5x5", "--speed", "0.1", stdout=True, stdin=True)
        names = kt.solve(5).names()
        assert shown.read_until(f"{names[0]}: 1 of 25, 0.1 moves per second")
        shown.press("\x1b[C")
        assert shown.read_until(f"{names[1]}: 2 of 25, paused")
        shown.press("l")
        assert shown.read_until(f"{names[2]}: 3 of 25, paused")
        shown.press("\x1b[D")
        assert shown.read_until(f"3 of 25, paused(?s:.*){names[1]}: 2 of 25, paused")
        shown.press("\x1b[F")
        assert shown.read_until(f"{names[24]}: 25 of 25")
        shown.press("0")
        shown.press(" ")
        assert shown.read_until("25 of 25(?s:.*)1 of 25, 0.1 moves per second")
        shown.press("+")
        assert shown.read_until("0.15 moves per second")
        shown.press("l")
        assert shown.read_until(f"0.15 moves(?s:.*){names[1]}: 2 of 25, paused")
        shown.press("q")
        assert shown.finish() == 0
        self.check_what_stays(shown, kt.solve(5), 2)

    @staticmethod
    def check_what_stays(shown: Terminal, tour: kt.Tour, steps: int) -> None:
        """The last position, with its ranks and files: two squares are visited, and on the second one is the knight."""
        *rows, files, status = plain(shown.text.partition(RESTORED)[2]).splitlines()
        board = tour.board
        assert files.split() == [board.name((0, col)).rstrip("0123456789") for col in range(board.cols)]
        expected = [
            [str(board.rows - row), *("♞" if n == steps else str(n) if n and n < steps else "." for n in numbers)]
            for row, numbers in enumerate(tour.grid())
        ]
        assert [row.split() for row in rows] == expected
        assert status == f"{tour.names()[steps - 1]}: {steps} of {len(tour)}"

    def test_keys_while_a_tour_is_piped_in(self, terminal: type[Terminal]) -> None:
        tour = kt.solve(6, closed=True)
        names = tour.names()
        shown = terminal("play", "--tour", "-", "--speed", "0.1", stdout=True, piped=str(tour))
        assert shown.read_until(f"{names[0]}: 1 of 36, 0.1 moves per second")
        assert "q: quit" in shown.text
        shown.press(" l")
        assert shown.read_until(f"{names[1]}: 2 of 36, paused")
        shown.press("\x1b[C")
        assert shown.read_until(f"{names[2]}: 3 of 36, paused")
        shown.press("q")
        assert shown.finish() == 0
        self.check_what_stays(shown, tour, 3)

    @pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    def test_stopped(self, terminal: type[Terminal], number: signal.Signals, status: int) -> None:
        import termios  # noqa: PLC0415

        shown = terminal("play", "8x8", "--speed", "0.1", stdout=True, stdin=True)
        before = termios.tcgetattr(shown.master)
        assert shown.read_until("1 of 64")
        shown.process.send_signal(number)
        assert shown.finish() == status
        assert "Traceback" not in shown.text
        shown.text = shown.text.removesuffix("knightstour: interrupted\r\n")
        self.check_what_stays(shown, kt.solve(8), 1)
        after = termios.tcgetattr(shown.master)
        for flag in (termios.ECHO, termios.ICANON):
            assert after[3] & flag == before[3] & flag | after[3] & flag
            assert after[3] & flag

    def test_a_board_larger_than_the_screen(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "300x300", "--speed", "0.1", stdout=True, stdin=True, LINES="24", COLUMNS="80")
        assert shown.read_until("1 of 90000")
        shown.press("\x1b[F")
        assert shown.read_until("90000 of 90000")
        shown.press("q")
        assert shown.finish() == 0
        tour = kt.solve(300)
        frames = shown.text.partition(RESTORED)[0].split("\x1b[H")[1:]
        for frame, knight in ((frames[0], tour.start), (frames[-1], tour.end)):
            lines = plain(frame).split("\n")
            assert len(lines) == 24
            assert max(map(len, lines)) <= 80
            *rows, files, empty, _, _ = lines
            assert empty == ""
            # The ranks and files that are shown are those of the squares beside and above them.
            ranks = [int(row.split()[0]) for row in rows]
            assert ranks == list(range(ranks[0], ranks[0] - 20, -1))
            (row,) = (row for row in rows if "♞" in row)
            at = files.split()[row.split().index("♞") - 1] + row.split()[0]
            assert at == tour.board.name(knight)
            assert row.index("♞") == files.index(f" {files.split()[row.split().index('♞') - 1]}") + len(
                at.rstrip("0123456789")
            )
        stays = plain(shown.text.partition(RESTORED)[2]).splitlines()
        assert stays[-1] == f"{tour.names()[-1]}: 90000 of 90000"
        assert "♞" in "".join(stays)
        assert len(stays) < 24

    def test_a_window_that_holds_nothing(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "8x8", "--speed", "1000", stdout=True, LINES="1", COLUMNS="3")
        assert shown.finish() == 0
        assert all(plain(frame).count("\n") == 0 for frame in shown.text.partition(RESTORED)[0].split("\x1b[H")[1:])

    def test_without_colours(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "5x5", "--speed", "1000", stdout=True, NO_COLOR="1")
        assert shown.finish() == 0
        assert set(re.findall(r"\x1b\[[0-9;]*m", shown.text)) == {"\x1b[0m"}

    def test_without_the_sign_for_a_knight(self, terminal: type[Terminal]) -> None:
        shown = terminal("play", "5x5", "--speed", "1000", stdout=True, PYTHONIOENCODING="ascii")
        assert shown.finish() == 0
        assert plain(shown.text).count("N") == 25
