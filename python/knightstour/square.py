"""A square of a board.

At run time it is made by `collections.namedtuple`, because importing `typing` takes four times as long as
importing all of this package.
"""

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple, SupportsIndex, TypeAlias

    class Square(NamedTuple):
        """A square as the pair (row, col), counted from 0, row 0 at the top as printed."""

        row: int
        col: int

    SquareLike: TypeAlias = Square | Sequence[SupportsIndex] | str
else:
    Square = namedtuple("Square", ("row", "col"), module=__name__)
    Square.__doc__ = """A square as the pair (row, col), counted from 0, row 0 at the top as printed.

    It is a tuple: it compares, sorts, hashes and unpacks like one. ``board.name(square)`` is its name in
    chess notation.
    """
    Square.row.__doc__ = "Rows from the top."
    Square.col.__doc__ = "Columns from the left."

    # What is accepted as a square: a pair (row, col), or a name such as "a1".
    SquareLike = "Square | Sequence[SupportsIndex] | str"
