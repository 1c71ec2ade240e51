"""The picture that a notebook shows of a tour or a board: all of it, or a part that says what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour._core import Board, Tour
from knightstour.drawing import scene
from knightstour.drawing.canvas import FONT, clean, document
from knightstour.drawing.svg import board_svg, path_svg, svg_grid, tour_svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knightstour._core import Walk
    from knightstour.paths import Path

#: Tours of up to this many squares are shown completely.
MOST_SHOWN = 10_000
#: Of a list of tours, the first ones are shown, up to this many.
MOST_TOURS = 12
#: Longer tours are shown with this many squares.
SAMPLE = 1000


def notebook_svg(shown: Tour | Board | Walk | Path) -> str:
    """The picture that stands for a tour, a board, a walk or a path."""
    board = shown if isinstance(shown, Board) else shown.board
    if board.rows * board.cols > MOST_SHOWN:
        return overview(shown, 640)
    size = min(90 + 45 * max(board.rows, board.cols), 640)
    if isinstance(shown, Board):
        return board_svg(shown, size=size)
    if isinstance(shown, Tour):
        return tour_svg(shown, size=size)
    return path_svg(shown, size=size)


def sample_svg(tours: Sequence[Tour]) -> str:
    """The picture that stands for a list of tours: the first of them."""
    few = tours[:MOST_TOURS]
    if not few or max(tour.board.rows * tour.board.cols for tour in few) * len(few) > MOST_SHOWN:
        return ""
    title = f"{len(tours):,} tours" if len(few) == len(tours) else f"The first {len(few)} of {len(tours):,} tours"
    return svg_grid(few, columns=min(len(few), 6), size=min(150 * len(few), 900), title=title)


def overview(shown: Tour | Board | Walk | Path, size: float) -> str:
    """A picture of bounded length, which says what it leaves out."""
    board = shown if isinstance(shown, Board) else shown.board
    sides = board.cols, board.rows
    # Very long strips are drawn thicker than they are.
    scale = 960 / max(sides)
    wide, high = (max(side * scale, 24) for side in sides)
    colors = scene.palette(None)
    parts = [
        (
            f'<rect class="square light" x="20" y="20" width="{wide:.1f}" height="{high:.1f}" fill="{colors["light"]}" '
            f'stroke="{colors["border"]}"/>'
        )
    ]
    if isinstance(shown, Board):
        title = kind = scene.kind(board)
        title = kind[0].upper() + kind[1:]
        caption = f"{len(board):,} open squares, which are not shown"
    else:
        squares = shown.squares
        most = min(SAMPLE, len(squares))
        places = [step * (len(squares) - 1) // max(most - 1, 1) for step in range(most)]
        points = []
        for row, col in (squares[at] for at in places):
            points.append(f"{20 + (col + 0.5) * wide / board.cols:.1f},{20 + (row + 0.5) * high / board.rows:.1f}")
        parts.append(
            f'<polyline class="path" points="{" ".join(points)}" fill="none" stroke="{colors["path"]}" '
            'stroke-width="1.5" stroke-linejoin="round"/>'
        )
        title = scene.tour_title(shown) if isinstance(shown, Tour) else scene.path_title(shown)
        what = "tour" if isinstance(shown, Tour) else "path"
        caption = (
            f"{most:,} of the {what}'s {len(squares):,} squares, evenly spaced and joined in their order; "
            "its moves are not shown"
        )
    parts += [
        (
            f'<text class="label" x="20" y="{high + 44:.1f}" fill="{colors["label"]}" font-family="{FONT}" '
            f'font-size="18">{clean(title)}</text>'
        ),
        (
            f'<text class="label" x="20" y="{high + 68:.1f}" fill="{colors["label"]}" font-family="{FONT}" '
            f'font-size="15">{clean(caption)}</text>'
        ),
    ]
    box = max(wide, 800) + 40, high + 84
    frame = (
        f'<rect class="frame" x="0.5" y="0.5" width="{box[0] - 1:.1f}" height="{box[1] - 1:.1f}" rx="6" '
        f'fill="{colors["frame"]}" stroke="{colors["border"]}"/>'
    )
    return document([frame, *parts], box, size, title, f"{caption}.")
