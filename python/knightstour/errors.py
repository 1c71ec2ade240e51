"""The errors.

Misuse raises one of the errors that are also a `ValueError`; their messages quote what was given. If a board has no
tour, or a limit was reached, that is a result; only calls that cannot return it (`solve`, counts and listings) raise
an error.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Self

    from knightstour.square import Square


class KnightsTourError(Exception):
    """The base class of all errors that this package raises on purpose."""


def keyword(option: str, value: object = None) -> str:
    """An option, and a value of it, as they are written in Python."""
    return option if value is None else f"{option}={value!r}"


class OptionsError(KnightsTourError):
    """An error whose message names options: each face spells them as its users write them.

    Attributes
    ----------
    message
        The message, with ``{}`` where an option is named.
    options
        Those options in order, each with a value of it, or None. What is called ends with ``()``.
    """

    def __init__(self, message: str = "", options: Sequence[tuple[str, object]] = ()) -> None:
        self.message = message
        self.options = tuple(options)
        super().__init__(self._worded(keyword))

    def _worded(self, spell: Callable[[str, object], str]) -> str:
        """The message, with each option as ``spell(option, value)`` has it."""
        text = self.message
        for option in self.options:
            text = text.replace("{}", spell(*option), 1)
        return text


class BoardError(OptionsError, ValueError):
    """There is no such board: its size, its leaper, its joined edges or its picture is at fault."""


class SquareError(KnightsTourError, ValueError):
    """Not a square, not a square of the board, or a blocked one."""


class RequestError(OptionsError, ValueError):
    """A question that contradicts itself, or an option or a method that does not apply to it."""


class ReadError(KnightsTourError, ValueError):
    """A text or data that cannot be read as a tour. It may or may not be one.

    The message says what was found, where reading stopped, and what can be read.
    """


class InvalidTourError(OptionsError, ValueError):
    """A sequence of squares, a grid or a text that was read, and is not a tour.

    Attributes
    ----------
    step
        Index of the first square that cannot follow the squares before it; the number of squares if
        some are missing; ``None`` if numbers of a grid are missing or occur twice.
    squares
        The squares concerned: usually the one before the fault and the one at fault.
    board
        Options of a board on which it is a tour, if they are not those it was read with.
    """

    def __init__(
        self,
        message: str = "",
        *,
        step: int | None = None,
        squares: tuple[Square, ...] = (),
        board: Mapping[str, object] | None = None,
    ) -> None:
        self.board = dict(board or {})
        super().__init__(message)
        self.step = step
        self.squares = squares

    def _worded(self, spell: Callable[[str, object], str], board: str = "a board with ") -> str:
        """The message, with the options of a board on which it is a tour."""
        given = " and ".join(spell(*option) for option in self.board.items())
        return f"{self.message}: give {board}{given}" if given else self.message


class TourSquareError(InvalidTourError, SquareError):
    """A sequence that is not a tour because one of its squares is blocked or not on the board."""


class StoreError(KnightsTourError, OSError):
    """A checkpoint, index, ledger or spill file is damaged, belongs to another request, or cannot be used."""


class MissingFileError(StoreError, FileNotFoundError):
    """There is no such file."""


def check_file(path: object) -> None:
    """Raise an error if a file that is to be read does not exist."""
    import os  # noqa: PLC0415 - few need it
    from errno import ENOENT  # noqa: PLC0415

    from knightstour._core import _quote  # noqa: PLC0415 - the core imports this module

    if isinstance(path, str | bytes | os.PathLike) and not os.path.lexists(path):
        # The whole name, unless it is very long: its end is the important part.
        name = repr(given) if len(given := os.fspath(path)) <= 300 else _quote(given)
        error = MissingFileError(f"No such file: {name}")
        error.errno = ENOENT
        raise error


class NoTourError(KnightsTourError, LookupError):
    """There is no tour, and that is proven.

    Attributes
    ----------
    reason
        The reason: its ``code`` is one of a documented list, its ``text`` is a sentence.
    """

    def __init__(self, message: str = "", *, reason: Any = None) -> None:
        super().__init__(message)
        self.reason = reason


class LimitReachedError(OptionsError):
    """A limit was reached before the answer was found: nothing is known about the answer.

    Attributes
    ----------
    limit
        ``"time"``, ``"nodes"``, ``"memory"`` or ``"cancelled"``; ``"attempts"`` if `puzzle` found no puzzle with at
        most ``clues`` numbers.
    stats
        The `Stats` of the run until then, or None.
    """

    def __init__(
        self, message: str = "", options: Sequence[tuple[str, object]] = (), *, limit: str = "", stats: Any = None
    ) -> None:
        super().__init__(message, options)
        self.limit = limit
        self.stats = stats


class TimeLimitError(LimitReachedError, TimeoutError):
    """The time limit was reached."""


class MemoryLimitError(LimitReachedError, MemoryError):
    """The answer needs more memory than the limit allows."""

    def __new__(cls, *args: object, **_: object) -> Self:
        """Make one without `MemoryError.__new__`, which fails for a class with other bases when executors call it."""
        return Exception.__new__(cls, *args)
