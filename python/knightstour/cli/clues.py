"""Given numbers of a tour, from 1 as printed: one by one, or on a board with blanks, as in a puzzle."""

import re

from knightstour._core import Board, _quote
from knightstour.cli.reading import MisuseError, Name, read_square, split
from knightstour.square import Square

Numbers = dict[Square, int]
"""The number that a square is given."""

BLANKS = frozenset((".", "-", "--", "-1", "_", "x", "X", ""))
"""Signs for a square without a number; 0 is one as well, if the numbers are counted from 1."""

UPRIGHT = frozenset("|│┃║")
"""Signs between the cells of a row."""

FRAME = frozenset(" \t\r-+=:") | UPRIGHT | {chr(sign) for sign in range(0x2500, 0x2580)}
"""Signs of the lines between rows."""


def is_frame(line: str) -> bool:
    """Whether a line is a part of a frame around the cells, and no row of them."""
    signs = set(line)
    return signs <= FRAME and ("---" in line or bool(signs - UPRIGHT - set(" \t\r-")))


def is_json(text: str) -> bool:
    """Whether a text is a puzzle in JSON, or a list of them."""
    return text.lstrip().startswith(("{", "[")) and '"clues"' in text


def is_clues(text: str) -> bool:
    """Whether a file holds numbers, and not just a picture of a board."""
    return re.search(r"[0-9]", text) is not None


def read_clues(text: str) -> tuple[list[list[str]], Numbers]:
    """The cells of a grid of numbers and blanks, row by row, and its numbers."""
    lines = [line for line in text.splitlines() if line.strip(" \r") and not is_frame(line)]
    rows = [cells(line) for line in lines]
    uneven = next((number for number, row in enumerate(rows, 1) if len(row) != len(rows[0])), None)
    if uneven is not None:
        found, first = len(rows[uneven - 1]), len(rows[0])
        raise MisuseError(
            f"row {uneven} of the clues has {found} cells, row 1 has {first}: write . for a blank and # for a blocked "
            "square"
        )
    numbers: Numbers = {}
    marks = set()
    for row, line in enumerate(rows):
        for col, cell in enumerate(line):
            if cell in BLANKS or cell == "#":
                marks.add(cell)
            elif re.fullmatch(r"[0-9]{1,18}", cell):
                numbers[Square(row, col)] = int(cell)
            else:
                raise MisuseError(
                    f"row {row + 1} of the clues, cell {col + 1}: {_quote(cell)} is neither a number nor a blank (.) "
                    "nor a blocked square (#)"
                )
    given = {square: number for square, number in numbers.items() if number > 0}
    if len(given) < len(numbers) and marks - {"#"}:
        raise MisuseError("the clues have 0 and also other signs for a blank: numbers are counted from 1")
    return rows, given


def read_puzzle(text: str, board: Board | None) -> tuple[Board, Numbers] | None:
    """The board of a printed puzzle and its numbers; None if a text is none, such as a tour without blanks."""
    try:
        rows, numbers = read_clues(text)
    except MisuseError:
        return None
    at = {Square(row, col): cell for row, line in enumerate(rows) for col, cell in enumerate(line)}
    blocked = frozenset(square for square, cell in at.items() if cell == "#")
    if "." not in at.values() or not numbers:
        return None
    board = board or Board(len(rows), len(rows[0]), blocked=blocked)
    fits = (board.rows, board.cols, board.blocked) == (len(rows), len(rows[0]), blocked)
    are_right = len(set(numbers.values())) == len(numbers) and max(numbers.values()) <= board.rows * board.cols
    return (board, numbers) if fits and are_right else None


def cells(line: str) -> list[str]:
    """The cells of a row. Between bars, commas, semicolons or tabs they may be empty."""
    inside = re.sub(r"[\[\](){}\"']", " ", line)
    if inside != line:
        inside = inside.strip().removesuffix(",")
    if mark := next((mark for mark in "|│┃║;,\t" if mark in inside), None):
        inside = inside.strip(" \r\n" if mark == "\t" else None)
        if mark in UPRIGHT:
            inside = inside.removeprefix(mark).removesuffix(mark)
        return [cell.strip() for cell in inside.split(mark)]
    return inside.split()


def read_steps(board: Board, parts: list[str]) -> Numbers:
    """Numbers such as a1=1,(0,2)=7."""
    numbers: Numbers = {}
    for item in split("--steps", parts):
        name, equals, number = item.rpartition("=")
        if item.isdecimal():
            square_of("--steps", item)
        if not equals or not re.fullmatch(r"\s*[0-9]{1,18}\s*", number):
            raise MisuseError(f"--steps takes squares with their numbers, such as a1=1,c2=2, not {_quote(item)}")
        square = board.square(square_of("--steps", name))
        if numbers.setdefault(square, int(number)) != int(number):
            raise MisuseError(f"--steps gives {board.name(square)} two numbers, {numbers[square]} and {int(number)}")
    return numbers


def read_beginning(parts: list[str]) -> list[Name]:
    """Squares such as a1,b3,(5,2)."""
    return [square_of("--beginning", item) for item in split("--beginning", parts)]


def square_of(option: str, item: str) -> Name:
    """A square of a list, in which a pair needs its parentheses."""
    if item.strip().isdecimal():
        raise MisuseError(f"{option}: write a square as a name, or as a row and a column in parentheses, such as (0,1)")
    return read_square(item)


def as_steps(board: Board, numbers: Numbers) -> dict[Square, int]:
    """The numbers as the library counts them, from 0."""
    squares: dict[int, Square] = {}
    for square, number in numbers.items():
        if not 1 <= number <= len(board):
            board_is = f"{board.rows}x{board.cols} board"
            raise MisuseError(f"{board.name(square)}={number}: the numbers on this {board_is} are 1 to {len(board)}")
        other = squares.setdefault(number, square)
        if other != square:
            raise MisuseError(f"number {number} is given to two squares, {board.name(other)} and {board.name(square)}")
    return {square: number - 1 for square, number in numbers.items()}
