"""What a notebook shows of a tour or a board: the whole picture, or an honest part of a big one."""

from __future__ import annotations

from knightstour._core import Board, Tour
from knightstour.drawing import scene
from knightstour.drawing.canvas import FONT, clean, document
from knightstour.drawing.svg import board_svg, tour_svg

#: Tours of up to so many squares are shown whole.
MOST_SHOWN = 10_000
#: Of longer ones, so many squares.
SAMPLE = 1000


def notebook_svg(shown: Tour | Board) -> str:
    """The picture that stands for a tour or a board."""
    board = board_of(shown)
    size = min(90 + 45 * max(board.rows, board.cols), 640)
    if board.rows * board.cols > MOST_SHOWN:
        return overview(shown, 640)
    return tour_svg(shown, size=size) if isinstance(shown, Tour) else board_svg(shown, size=size)


def overview(shown: Tour | Board, size: float) -> str:
    """A picture of bounded length, which says what it leaves out."""
    board = board_of(shown)
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
    if isinstance(shown, Tour):
        numbers = scene.numbers_of(shown)
        places = [step * (len(numbers) - 1) // (SAMPLE - 1) for step in range(SAMPLE)]
        points = []
        for at in places:
            row, col = divmod(numbers[at], board.cols)
            points.append(f"{20 + (col + 0.5) * wide / board.cols:.1f},{20 + (row + 0.5) * high / board.rows:.1f}")
        parts.append(
            f'<polyline class="path" points="{" ".join(points)}" fill="none" stroke="{colors["path"]}" '
            'stroke-width="1.5" stroke-linejoin="round"/>'
        )
        title = scene.tour_title(shown)
        caption = (
            f"{SAMPLE:,} of the tour's {len(numbers):,} squares, evenly spaced and joined in their order; "
            "its moves are left out"
        )
    else:
        title = kind = scene.kind(board)
        title = kind[0].upper() + kind[1:]
        caption = f"{len(board):,} open squares, which are left out"
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


def board_of(shown: Tour | Board) -> Board:
    """The board of what is drawn."""
    return shown.board if isinstance(shown, Tour) else shown
