"""`knightstour play`: a tour, move by move, in the terminal."""

import os
import re
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn

from knightstour._core import Tour, _quote
from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, EndsOptions
from knightstour.cli.options import (
    JsonOption,
    QuietOption,
    SeedOption,
    TimeOption,
    argument,
    examples,
    offer_boards,
    option,
)
from knightstour.cli.output import is_terminal
from knightstour.cli.reading import MisuseError, read_tour
from knightstour.cli.solve import answer_search
from knightstour.results import Found
from knightstour.square import Square

EPILOG = examples(
    "play 8x8",
    "play 8x8 --closed --seed 3 --speed 10",
    "play --tour tour.txt",
    "play 5x5                   (in a pipe: prints the numbered board)",
    keys="those of solve",
)

KEYS = {
    " ": "pause",
    "\x1b[C": "forward",
    "l": "forward",
    "\x1b[D": "back",
    "h": "back",
    "\x1b[H": "first",
    "0": "first",
    "\x1b[F": "last",
    "$": "last",
    "+": "faster",
    "=": "faster",
    "-": "slower",
    "q": "quit",
    "\x1b": "quit",
}

KEY = re.compile(r"\x1b[\[O][A-Z]|.", re.DOTALL)
"""A key that is no character comes as one piece."""

HELP = "space: pause   left, right: step   +, -: speed   home, end   q: quit"

SLOWEST, FASTEST = 0.1, 1000.0
"""Moves per second."""


def read_speed(option: str, text: str) -> float:
    """The moves a second."""
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not SLOWEST <= speed <= FASTEST:
        raise MisuseError(f"{option} must be a number of moves per second from 0.1 to 1000, not {_quote(text)}")
    return speed


def command(
    board: Annotated[
        str | None, argument("[BOARD]", "ROWSxCOLS, N for NxN, or @FILE with a picture.", offer_boards)
    ] = None,
    *,
    tour: Annotated[str | None, option("--tour FILE", "Play the tour in this file; - is standard input.")] = None,
    as_open: Annotated[bool, option("--open", "Read the tour in the file as open, even if its ends meet.")] = False,
    speed: Annotated[float, option("--speed N", "Moves per second, 0.1 to 1000.", read=read_speed)] = 5,
    on: BoardOptions,
    asked: EndsOptions,
    seed: SeedOption = None,
    time_limit: TimeOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find a tour and play it in the terminal; if the output is not a terminal, print the numbered board.

    Keys: space pauses, the arrows (or h and l) step, + and - change the speed, Home and End (or 0 and $) go to
    the first and the last square, q ends. The last position stays on the screen.
    """
    if tour is not None:
        search = {"--start": asked.start, "--end": asked.end, "--seed": seed, "--json": json}
        for option in (option for option, value in search.items() if value):
            raise MisuseError(f"{option} cannot be used with --tour FILE, which is played as it is")
        kind = True if asked.closed else False if as_open else None
        played = read_tour(tour, on.known(board, tour) | {"closed": kind})
    else:
        if as_open:
            raise MisuseError("--open needs --tour FILE: a tour that is searched is open unless --closed is given")
        if board is None:
            raise MisuseError("play takes a board, such as 8x8, or --tour FILE")
        tours = asked.tours(on.board(board))
        with Bar("searching", wanted=not quiet) as progress:
            result = tours.find(seed=seed, progress=progress, time_limit=time_limit)
        if json or not isinstance(result, Found):
            return answer_search(tours, result, json=json)
        played = result.tour
    if is_terminal(sys.stdout):
        Player(played, speed, is_piped=tour == "-" or board == "@-").run()
    else:
        print(played)
    return 0


class Player:
    """A tour on the screen: its current step, and its speed."""

    def __init__(self, tour: Tour, speed: float, *, is_piped: bool) -> None:
        self.tour = tour
        self.speed = speed
        self.step = 0
        self.paused = False
        self.keyboard = keyboard(is_piped=is_piped)
        board = tour.board
        self.blocked = board.blocked
        self.files = [board.name((0, col)).rstrip("0123456789") for col in range(board.cols)]
        self.width = max(len(str(len(tour))), len(self.files[-1]))
        self.colours = not os.environ.get("NO_COLOR")
        self.knight = "♞" if can_print("♞") else "N"

    def run(self) -> None:
        """Play to the end, or until a key stops it, and leave the last position on the screen."""
        try:
            with screen(), keys(self.keyboard) as pressed:
                self.play(pressed)
        finally:
            # The screen that it played on is gone.
            print(self.position())

    def play(self, pressed: Any) -> None:
        """Play, and do what the keys ask for."""
        due = time.monotonic()
        while True:
            self.draw()
            due = max(due + 1 / self.speed, time.monotonic())
            if self.at_end and self.keyboard is None:
                time.sleep(min(1.0, 1 / self.speed))
                return
            # At rest, a look now and then finds a window of another size.
            wait = 0.5 if self.paused or self.at_end else due - time.monotonic()
            key = pressed(wait)
            if key is None:
                if not self.paused and not self.at_end:
                    self.step += 1
            elif KEYS.get(key) == "quit":
                return
            else:
                self.press(KEYS.get(key, ""))

    @property
    def at_end(self) -> bool:
        """Whether the last square is reached."""
        return self.step == len(self.tour) - 1

    def press(self, action: str) -> None:
        """Do what a key asks for."""
        last = len(self.tour) - 1
        if action == "pause":
            self.paused = not self.paused
        elif action in {"forward", "back"}:
            self.paused = True
            self.step = min(last, max(0, self.step + (1 if action == "forward" else -1)))
        elif action in {"first", "last"}:
            self.step = 0 if action == "first" else last
        elif action in {"faster", "slower"}:
            self.speed = min(FASTEST, max(SLOWEST, self.speed * (1.5 if action == "faster" else 1 / 1.5)))

    def draw(self) -> None:
        """Draw as much of the board as the screen holds, around the knight."""
        columns, lines = shutil.get_terminal_size()
        state = "paused" if self.paused else "the end" if self.at_end else f"{self.speed:.3g} moves per second"
        text = [*self.board(columns, lines - 3), "", f"{self.place()}, {state}"[: columns - 1]]
        text.append(HELP[: columns - 1] if self.keyboard is not None else "")
        text = text[: max(1, lines)]
        sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\r\n" for line in text[:-1]) + text[-1] + "\x1b[J")
        sys.stdout.flush()

    def position(self) -> str:
        """What stays: the numbered board at the end, if it fits; else what was on the screen."""
        columns, lines = shutil.get_terminal_size()
        board = self.tour.board
        if self.at_end and board.rows < lines and board.cols * (self.width + 1) <= columns:
            return str(self.tour)
        return "\n".join([*self.board(columns, lines - 3), self.place()])

    def place(self) -> str:
        """Where the knight is."""
        return f"{self.tour.board.name(self.tour.squares[self.step])}: {self.step + 1} of {len(self.tour)}"

    def board(self, columns: int, lines: int) -> list[str]:
        """The part of the board around the knight that fits, with its ranks and files."""
        board, here = self.tour.board, self.tour.squares[self.step]
        margin = len(str(board.rows))
        rows = window(here.row, board.rows, lines - 1)
        cols = window(here.col, board.cols, (columns - margin) // (self.width + 1))
        text = []
        for row in rows:
            cells = " ".join(self.cell(Square(row, col), here) for col in cols)
            text.append(f"{self.styled(str(board.rows - row).rjust(margin), '2')} {cells}")
        files = " ".join(self.files[col].rjust(self.width) for col in cols)
        return [*text, self.styled(f"{'':{margin}} {files}", "2")]

    def cell(self, square: Square, here: Square) -> str:
        """A square: the knight, the number of a square that was visited, or what is not visited yet."""
        if square == here:
            return self.styled(self.knight.rjust(self.width), "1;7")
        if square in self.blocked:
            return "#".rjust(self.width)
        step = self.tour.step_at(square)
        if step > self.step:
            return self.styled(".".rjust(self.width), "2")
        return self.styled(str(step + 1).rjust(self.width), "32")

    def styled(self, text: str, style: str) -> str:
        """Text in a style, if colours are wanted."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.colours else text


def window(centre: int, size: int, room: int) -> range:
    """The part of a side that is shown: all of it, or what fits around the centre."""
    room = max(1, room)
    first = min(max(0, centre - room // 2), max(0, size - room))
    return range(first, min(size, first + room))


def can_print(text: str) -> bool:
    """Whether standard output knows these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True


@contextmanager
def screen() -> Iterator[None]:
    """The terminal's second screen, without a cursor; the first one comes back whatever happens."""

    def end(*_signal: object) -> NoReturn:
        raise SystemExit(143)

    before = signal.signal(signal.SIGTERM, end)
    sys.stdout.write("\x1b[?1049h\x1b[?25l\x1b[2J")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[0m\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        signal.signal(signal.SIGTERM, before)


def keyboard(*, is_piped: bool) -> int | None:
    """Where keys come from: standard input; if a tour came through it, the terminal that this runs in; or nowhere."""
    if is_terminal(sys.stdin):
        return sys.stdin.fileno()
    try:
        # Only from the terminal that shows the tour, and only if no other program reads from it.
        is_ours = is_piped and os.tcgetpgrp(sys.stdout.fileno()) == os.getpgrp()
        return os.open("/dev/tty", os.O_RDONLY) if is_ours else None
    except (AttributeError, OSError):
        return None


@contextmanager
def keys(file: int | None) -> Iterator[Any]:
    """A function that waits some seconds for a key, and gives it or None."""

    def sleep(seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    try:
        import termios  # noqa: PLC0415 - Unix has it
        import tty  # noqa: PLC0415
    except ImportError:
        file = None
    if file is None:
        yield sleep
        return
    waiting: list[str] = []

    def pressed(seconds: float) -> str | None:
        if not waiting:
            ready, _, _ = select.select([file], [], [], max(0.0, seconds))
            if not ready:
                return None
            # Nothing at all is the end of the input.
            waiting.extend(KEY.findall(os.read(file, 64).decode(errors="replace")) or "q")
        return waiting.pop(0).replace("\x1bO", "\x1b[")

    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file)
        yield pressed
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
