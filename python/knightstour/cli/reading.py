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
"""Of memory, in bytes."""


LARGEST_FILE = 1 << 28
"""In bytes: the numbered board of 5000x5000 fits."""


WRAPS = ("cols", "rows", "both")
"""Edges that are joined."""

SIZE = r"\s*([0-9]{1,18})(?:\s*[xX\u00d7]\s*([0-9]{1,18}))?\s*"
"""Of a board."""

PAIR = r"\s*([0-9]{1,18})\s*,\s*([0-9]{1,18})\s*"
"""Of row and column."""

Name: TypeAlias = str | tuple[int, int]
"""A square as it is given."""

GZIP = b"\x1f\x8b"
"""How gzip's files begin."""


class MisuseError(Exception):
    """What was given cannot be meant."""


def read_moves(option: str, parts: list[str]) -> list[tuple[Name, Name]]:
    """Moves such as a1-b3,c2-e3."""
    moves = []
    for move in split(option, parts):
        start, dash, end = move.partition("-")
        if not dash:
            raise MisuseError(f"{option} takes moves such as a1-b3,c2-e3, not {_quote(move)}")
        moves.append((read_square(start), read_square(end)))
    return moves


def read_seconds(option: str, text: str | None) -> float | None:
    """The seconds that an option gives."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise MisuseError(f"{option} is a number of seconds, not {_quote(text)}") from None


def read_bytes_of_memory(option: str, text: str | None) -> int | None:
    """The bytes that an option gives."""
    if text is None:
        return None
    amount = re.fullmatch(r"\s*([0-9]{1,18})\s*([A-Za-z]*)\s*", text)
    if not amount or amount[2].upper() not in UNITS:
        raise MisuseError(f"{option} is bytes, such as 500MB or 2GiB, not {_quote(text)}")
    return int(amount[1]) * UNITS[amount[2].upper()]


def read_choice(option: str, text: str | None, choices: tuple[str, ...]) -> str | None:
    """What an option chooses."""
    if text is not None and text not in choices:
        raise MisuseError(f"{option} is one of {', '.join(choices)}, not {_quote(text)}")
    return text


def read_file_name(option: str, name: str | None) -> str | None:
    """The name of a file that is read, written and read again, which standard output cannot be."""
    if name == "-":
        raise MisuseError(f"{option} is a file to go on from, which standard output is not: name one, not '-'")
    return name


def read_whole(option: str, text: str | None) -> int | None:
    """The whole number that an option gives."""
    if text is None:
        return None
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,40}\s*", text):
        raise MisuseError(f"{option} is a whole number, not {_quote(text)}")
    return int(text)


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
            raise MisuseError(f"{_quote(name)} holds {several} tours, and one is taken: give each by itself") from None
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
        hint = f" (a file, or - for what comes from knightstour solve {name} |)" if re.fullmatch(SIZE, name) else ""
        raise MisuseError(f"cannot read {_quote(name)}: {error.strerror}{hint}") from None
    except UnicodeDecodeError:
        raise MisuseError(f"cannot read {_quote(name)}: it is no text in UTF-8") from None


def read_bytes(stream: Any, name: str) -> bytes:
    """All there is, if it is not too much."""
    parts = []
    left = LARGEST_FILE
    while part := stream.read(1 << 20):
        left -= len(part)
        if left < 0:
            raise MisuseError(f"cannot read {_quote(name)}: it is larger than {LARGEST_FILE} bytes")
        parts.append(part)
    return b"".join(parts)


def unpacked(data: bytes, name: str) -> bytes:
    """What gzip packed, if it is not too much: nothing says how much it is but unpacking it."""
    import gzip  # noqa: PLC0415 - few need it
    import zlib  # noqa: PLC0415

    try:
        with gzip.open(BytesIO(data)) as stream:
            return read_bytes(stream, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise MisuseError(f"cannot read {_quote(name)}: its gzip data is damaged ({error})") from None


def split(option: str, parts: list[str]) -> list[str]:
    """What stands between commas or blanks in an option, given once or more often; a pair in parentheses is one."""
    for part in parts:
        if re.search(r"^\s*,|,\s*,|,\s*$", re.sub(r"\([^()]*\)", "()", part)):
            raise MisuseError(f"{option}: something is missing beside a comma of {_quote(part)}")
    return [item for part in parts for item in re.findall(r"(?:\([^()]*\)|[^\s,])+", part)]


def read_square(text: str) -> Name:
    """A square: its name, as a1, or its row and column counted from 0, as 7,0 or (7,0)."""
    pair = re.fullmatch(rf"\s*{PAIR}\s*|\s*\({PAIR}\)\s*", text)
    if not pair:
        return text.strip()
    row, col = (int(number) for number in pair.groups() if number)
    return row, col
