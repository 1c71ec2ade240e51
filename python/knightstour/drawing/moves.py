"""Moves of a board, each as thick as its share."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from knightstour.drawing import scene
from knightstour.drawing.canvas import UNIT, Canvas, Svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knightstour._core import Board
    from knightstour.square import Square


def move_map(
    board: Board, shares: Mapping[tuple[Square, Square], float], *, size: float | None = None, title: str | None = None
) -> Svg:
    """Draw moves as lines, the thinnest first, as thick as their shares from 0 to 1; those with 0 are left out."""
    palette = scene.palette(None)
    canvas = Canvas(board, coordinates=True, colors=palette)
    lines = []
    for (first, last), share in sorted(shares.items(), key=lambda item: item[1]):
        if share > 0:
            (x, y), (u, v) = canvas.centre(*first), canvas.centre(*last)
            lines.append(
                f'<line class="move" x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}" stroke="{palette["path"]}" '
                f'stroke-width="{max(share * UNIT / 4, 0.3):.3g}" stroke-linecap="round" opacity="0.85"/>'
            )
    name = f"Moves on the {board.rows}x{board.cols} board" if title is None else title
    told = f"{len(lines):,} of {len(shares):,} moves are used."
    return canvas.document(chain(canvas.bare(), lines), size, name, told)
