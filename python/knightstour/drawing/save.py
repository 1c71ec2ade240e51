"""A tour as a file, in the format that its name ends with."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knightstour._core import _note, _quote
from knightstour.drawing import html, raster, svg
from knightstour.errors import RequestError
from knightstour.keywords import refuse

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from knightstour._core import Tour


def csv(tour: Tour) -> str:
    """The numbered board with commas; ``#`` is a blocked square. A line before it has what a grid cannot show."""
    return _note(tour) + "".join(f"{','.join(line.split())}\n" for line in str(tour).splitlines())


def text(tour: Tour) -> str:
    """The numbered board. A line before it has what a grid cannot show: another piece, joined edges, "open"."""
    return f"{_note(tour)}{tour}\n"


def json(tour: Tour) -> str:
    """JSON, as `Tour.from_json` reads it."""
    return f"{tour.to_json()}\n"


FORMATS: dict[str, Callable[..., str | bytes]] = {
    ".svg": svg.tour_svg,
    ".png": raster.tour_png,
    ".gif": raster.tour_gif,
    ".html": html.tour_html,
    ".txt": text,
    ".csv": csv,
    ".json": json,
}


#: What each of them takes.
OPTIONS = {suffix: frozenset(inspect.signature(make).parameters) - {"tour"} for suffix, make in FORMATS.items()}


def encode(tour: Tour, suffix: str, options: dict[str, Any]) -> bytes:
    """A tour in a format, named by its suffix."""
    make = FORMATS.get(suffix.lower())
    if make is None:
        raise RequestError(f"a tour can be saved as {', '.join(FORMATS)}, not as {_quote(suffix)}")
    if not options.keys() <= OPTIONS[suffix.lower()]:
        refuse("Tour.save", options, ["path", *sorted(OPTIONS[suffix.lower()])])
    made = make(tour, **options)
    return made if isinstance(made, bytes) else made.encode("utf-8")


def save(tour: Tour, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a tour to a file: see `Tour.save`."""
    file = Path(path)
    # Nothing is written before all of it is there.
    data = encode(tour, file.suffix, options)
    file.write_bytes(data)
