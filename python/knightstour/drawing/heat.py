"""Heat maps: a number on each square of a board, and a colour for how large it is."""

from __future__ import annotations

from itertools import chain
from math import log
from typing import TYPE_CHECKING

from knightstour.drawing import scene
from knightstour.drawing.canvas import UNIT, Canvas, Svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knightstour._core import Board

LOW, HIGH = (255, 247, 214), (124, 29, 111)
"""From light to dark, so that it works in grey and for colour-blind readers."""


def heat_map(
    board: Board, values: Sequence[Sequence[int]], *, size: float | None = None, title: str | None = None
) -> Svg:
    """Draw a number on each square, laid out as the board is.

    The tints go with the logarithm: the darkest is the greatest number, the lightest the smallest above 0. Squares
    with 0 stay as the board has them.
    """
    found = {(row, col): values[row][col] for row, col in board.squares}
    positive = [value for value in found.values() if value > 0]
    least, most = (min(positive), max(positive)) if positive else (1, 1)
    span = (log(most) - log(least)) or 1.0
    tints = {
        at: "#{:02x}{:02x}{:02x}".format(
            *(round(low + (high - low) * (log(value) - log(least)) / span) for low, high in zip(LOW, HIGH, strict=True))
        )
        for at, value in found.items()
        if value > 0
    }
    canvas = Canvas(board, coordinates=True, colors=scene.palette(None))
    texts = []
    for at, value in found.items():
        x, y = canvas.centre(*at)
        text = short(value)
        dark = value > 0 and log(value) - log(least) > span / 2
        size_of_text = min(UNIT / 3, 1.6 * UNIT / len(text))
        texts.append(
            f'<text class="value" x="{x:g}" y="{y + 4:g}" text-anchor="middle" font-size="{size_of_text:g}" '
            f'fill="{"#ffffff" if dark else "#222222"}">{text}</text>'
        )
    name = f"Numbers on the {board.rows}x{board.cols} board" if title is None else title
    told = f"Numbers from {least:,} to {most:,}."
    return canvas.document(chain(canvas.bare(tints), texts), size, name, told)


def short(value: int) -> str:
    """A number in at most six letters."""
    if value < 100_000:
        return str(value)
    digits = str(value)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
