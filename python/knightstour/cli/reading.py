"""What the texts of the command line mean: moves, numbers, limits, files."""

import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from knightstour._core import Tour, _quote, _read_tour, _split_tours
from knightstour.errors import InvalidTourError, ReadError

UNITS: dict[str, int] = {"": 1, "B": 1} | {
    prefix + unit: base**power for unit, base in (("B", 1000), ("IB", 1024)) for power, prefix in enumerate("KMGT", 1)
}
"""Units of memory, in bytes."""


LARGEST_FILE = 1 << 28
"""In bytes: the numbered board of 5000x5000 fits."""

SIZE = r"\s*([0-9]{1,18})(?:\s*[xX\u00d7]\s*([0-9]{1,18}))?\s*"
"""The size of a board."""

PAIR = r"\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*"
"""A pair of row and column."""

Name: TypeAlias = str | tuple[int, int]
"""A square as it was typed."""

GZIP = b"\x1f\x8b"
"""How gzip's files begin."""


class MisuseError(Exception):
    """An argument or an option makes no sense."""


def read_moves(option: str, parts: list[str]) -> list[tuple[Name, Name]]:
    """Moves such as a1-b3,c2-e3."""
    moves = []
    for move in split(option, parts):
        start, dash, end = move.partition("-")
        if not dash:
            raise MisuseError(f"{option} takes moves such as a1-b3,c2-e3, not {_quote(move)}")
        moves.append((read_square(start), read_square(end)))
    return moves


def read_seconds(option: str, text: str) -> float:
    """The seconds that an option gives."""
    try:
        return float(text)
    except ValueError:
        raise MisuseError(f"{option} must be a number of seconds, not {_quote(text)}") from None


def read_bytes_of_memory(option: str, text: str) -> int:
    """The bytes that an option gives."""
    amount = re.fullmatch(r"\s*([0-9]{1,18})\s*([A-Za-z]*)\s*", text)
    if not amount or amount[2].upper() not in UNITS:
        raise MisuseError(f"{option} must be bytes, such as 500MB or 2GiB, not {_quote(text)}")
    return int(amount[1]) * UNITS[amount[2].upper()]


def read_choice(option: str, text: str, choices: tuple[str, ...]) -> str:
    """What an option chooses."""
    if text not in choices:
        raise MisuseError(f"{option} must be one of {', '.join(choices)}, not {_quote(text)}")
    return text


def read_file_name(option: str, name: str) -> str:
    """The name of a file that is read, written and read again, which standard output cannot be."""
    if name == "-":
        raise MisuseError(f"{option} needs the name of a file, not '-': standard output cannot be read again")
    return name


def read_whole(option: str, text: str) -> int:
    """The whole number that an option gives."""
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,40}\s*", text):
        raise MisuseError(f"{option} must be a whole number, not {_quote(text)}")
    return int(text)


def read_number(option: str, text: str) -> float:
    """The number that an option gives."""
    try:
        return float(text)
    except ValueError:
        raise MisuseError(f"{option} must be a number, not {_quote(text)}") from None


def read_tour(name: str, known: dict[str, Any]) -> Tour:
    """The tour in a file, given what is known of its board and its kind."""
    return tour_of(read_text(name), name, known)


def tour_of(text: str, name: str, known: dict[str, Any]) -> Tour:
    """The tour of a text from a file."""
    try:
        tour, *_ = _read_tour(text, **known)
    except (InvalidTourError, ReadError):
        several = len(_split_tours(text, **known))
        if several > 1:
            said = f"{_quote(name)} holds {several} tours, but only one can be read here: give each one separately"
            raise MisuseError(said) from None
        raise
    return tour


def read_text(name: str) -> str:
    """What a file holds; ``-`` is standard input.

    It is UTF-8, or UTF-16 with its mark as PowerShell writes it; either may be packed by gzip, as `list` does.
    """
    if name == "-" and sys.stdin is None:
        raise MisuseError("standard input is closed")
    try:
        if name == "-":
            data = read_bytes(sys.stdin.buffer, name)
        else:
            with Path(name).open("rb") as file:
                data = read_bytes(file, name)
        if data[:2] == GZIP:
            data = unpacked(data, name)
        return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except OSError as error:
        hint = f" (give a file, or - for the output of: knightstour solve {name})" if re.fullmatch(SIZE, name) else ""
        raise MisuseError(f"cannot read {_quote(name)}: {error.strerror}{hint}") from None
    except UnicodeDecodeError:
        raise MisuseError(f"cannot read {_quote(name)}: it is not text in UTF-8") from None


def read_bytes(stream: Any, name: str) -> bytes:
    """All there is, if it is not too much."""
    parts = []
    left = LARGEST_FILE
    while part := stream.read(1 << 20):
        left -= len(part)
        if left < 0:
            raise MisuseError(f"cannot read {_quote(name)}: it is larger than {LARGEST_FILE:,} bytes")
        parts.append(part)
    return b"".join(parts)


def unpacked(data: bytes, name: str) -> bytes:
    """The data that gzip packed, if it is not too large: only unpacking shows how large it is."""
    import gzip  # noqa: PLC0415 - few need it
    import zlib  # noqa: PLC0415

    try:
        with gzip.open(BytesIO(data)) as stream:
            return read_bytes(stream, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise MisuseError(f"cannot read {_quote(name)}: its gzip data is damaged ({error})") from None


def split(option: str, parts: list[str]) -> list[str]:
    """The items between commas or blanks in an option, given once or more; a pair in parentheses is one item."""
    for part in parts:
        if re.search(r"^\s*,|,\s*,|,\s*$", re.sub(r"\([^()]*\)", "()", part)):
            raise MisuseError(f"{option}: something is missing next to a comma in {_quote(part)}")
    return [item for part in parts for item in re.findall(r"(?:\([^()]*\)|[^\s,])+", part)]


def read_square(text: str) -> Name:
    """A square: its name, such as a1, or its row and column counted from 0, such as 7,0 or (7,0)."""
    pair = re.fullmatch(rf"\s*{PAIR}\s*|\s*\({PAIR}\)\s*", text)
    if not pair:
        return text.strip()
    row, col = (int(number) for number in pair.groups() if number)
    return row, col
