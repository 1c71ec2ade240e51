"""Published numbers of tours, and of what is like them: the rows of tests/data/counts.csv."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection

FILE = Path(__file__).parents[1] / "data" / "counts.csv"


class Row(NamedTuple):
    """A number, and what it is of; of shapes that are no rectangles ``cols`` is 0."""

    rows: int
    cols: int
    kind: str
    value: int
    source: str
    status: str


with FILE.open(encoding="utf-8", newline="") as lines:
    COUNTS = [
        Row(int(row["rows"]), int(row["cols"] or 0), row["kind"], int(row["value"]), row["source"], row["status"])
        for row in csv.DictReader(lines)
    ]


def published(
    kind: str, slow: Collection[tuple[int, int]] = (), minutes: Collection[tuple[int, int]] = ()
) -> list[Any]:
    """Rows, columns and value of a kind; those of the boards named only when asked for."""
    rows = [(row.rows, row.cols, row.value) for row in COUNTS if row.kind == kind]
    marks = dict.fromkeys(slow, pytest.mark.slow) | dict.fromkeys(minutes, pytest.mark.minutes)
    return [pytest.param(*row, marks=marks[row[:2]]) if row[:2] in marks else row for row in rows]
