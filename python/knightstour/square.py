"""A square of a board."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex


class Square(NamedTuple):
    """A square as the pair (row, col), counted from 0, row 0 at the top as printed.

    It is a tuple: it compares, sorts, hashes and unpacks as one. ``board.name(square)`` gives the chess
    player's name of it.
    """

    row: int
    """Rows from the top."""
    col: int
    """Columns from the left."""


SquareLike: TypeAlias = "Square | Sequence[SupportsIndex] | str"
"""What is accepted as a square: a pair (row, col), or a name such as ``"a1"``."""
