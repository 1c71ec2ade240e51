"""A page that plays a tour: one file with everything in it, which loads nothing from the network."""

from __future__ import annotations

import json
import re
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from knightstour._core import _quote
from knightstour.drawing import scene
from knightstour.errors import RequestError
from knightstour.keywords import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knightstour._core import Tour

#: The most squares of a board that is played: a browser holds them all.
MOST_SQUARES = 1_000_000

#: Colours that end no rule, attribute or element early, and load nothing.
COLOR = re.compile(
    r"\s*(#[0-9a-f]{3,8}|[a-z]+|(rgb|hsl)a?\([\d\s.,%/a-z+-]*\)|[a-z]*(lab|lch|wb)\([\d\s.%/a-z+-]*\))\s*",
    re.IGNORECASE,
)


class Html(str):
    """A page as text: a `str` that notebooks show in a frame, with a short `repr`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<HTML page, {len(self):,} characters>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts" title="A knight\'s tour that plays" '
            'style="width:100%;height:640px;border:0"></iframe>'
        )


@named("Tour.html")
def tour_html(
    tour: Tour,
    *,
    speed: float | None = None,
    autoplay: bool = False,
    coordinates: bool = True,
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
) -> Html:
    """Make a page that plays a tour: see `Tour.html`."""
    board = tour.board
    if board.rows * board.cols > MOST_SQUARES:
        raise RequestError(
            f"a page plays boards of up to {MOST_SQUARES:,} squares, not of {board.rows}x{board.cols}; "
            "save a picture of it instead"
        )
    if speed is None:
        # Half a minute, but so that the eye can follow a small one.
        speed = min(max(len(tour) / 30, 3), 2000)
    else:
        speed = scene.check_number("speed", speed, 1, 2000, "squares per second")
    chosen = {name: css(color) for name, color in scene.palette(colors).items()}
    heading = scene.tour_title(tour) if scene.check_title(title) is None else str(title)
    numbers = scene.numbers_of(tour)
    data = {
        "rows": board.rows,
        "cols": board.cols,
        "wrap": board.wrap,
        "closed": tour.is_closed,
        "squares": numbers.tolist(),
        "blocked": [row * board.cols + col for row, col in scene.blocked_rows(board)],
        "jumps": jumps(tour),
        "colors": chosen,
        "coordinates": bool(coordinates),
        "speed": speed,
        "autoplay": bool(autoplay),
    }
    parts = {
        "TITLE": escape(heading),
        "TEXT": escape(scene.tour_text(tour)),
        "START": chosen["start"],
        "PIECE": figure(board.leaper == (1, 2), chosen),
        # A script element ends at the first "</script", whatever the JSON means by it.
        "DATA": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = Path(__file__).with_name("player.html").read_text(encoding="utf-8")
    return Html(re.sub("@([A-Z]+)@", lambda found: parts[found[1]], page).encode("utf-8", "replace").decode())


def css(color: str) -> str:
    """A colour as it can stand in the page."""
    if not COLOR.fullmatch(color):
        raise RequestError(f"{_quote(color)} is not a colour")
    return color


def figure(knight: bool, colors: Mapping[str, str]) -> str:
    """The piece that moves: a knight, or a disc for other leapers."""
    shape = (
        f'<polygon points="{scene.KNIGHT}"/><circle cx="{scene.EYE[0]}" cy="{scene.EYE[1]}" r="{scene.EYE[2]}" '
        f'fill="{colors["light"]}"/>'
        if knight
        else '<circle cx="20" cy="20" r="13"/>'
    )
    return (
        f'<svg id="piece" viewBox="0 0 40 40" aria-hidden="true"><g fill="{colors["number"]}" '
        f'stroke="{colors["light"]}" stroke-width="1.5" stroke-linejoin="round">{shape}</g></svg>'
    )


def jumps(tour: Tour) -> dict[int, list[list[float]]]:
    """The moves over joined edges by the number of moves made with them: each as its lines, in squares."""
    board = tour.board
    if board.wrap is None:
        return {}
    found: dict[int, list[list[float]]] = {}
    numbers = scene.numbers_of(tour).tolist()
    for move, pair in enumerate(pairwise(numbers + numbers[:1] if tour.is_closed else numbers), 1):
        lines = scene.runs(board, pair, closed=False)
        if len(lines) > 1:
            found[move] = [[round(part, 3) for end in line for part in end] for line in lines]
    return found
