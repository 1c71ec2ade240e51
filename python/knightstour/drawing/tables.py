"""Results as tables, for notebooks."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from knightstour.drawing.notebook import notebook_svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from knightstour.results import Count, Found, Impossible, Reason, Stats, Stopped
    from knightstour.walks import Trials

#: Rows of a table of lengths.
MOST_ROWS = 12


def table(rows: Iterable[tuple[str, Any]], caption: str = "", picture: str = "") -> str:
    """A table of names and values."""
    lines = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:right">{value_text(value)}</td></tr>'
        for name, value in rows
    )
    head = f'<caption style="text-align:left;font-weight:bold">{escape(caption)}</caption>' if caption else ""
    body = f"<table>{head}<tbody>{lines}</tbody></table>"
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">{picture}{body}</div>'


def value_text(value: Any) -> str:
    """A value in a cell; long numbers are told by their first digits and their length."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 400:
            digits = len(hex(value)) - 2
            return f"a number of {digits:,} hexadecimal digits"
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(str(value))


def stats_rows(stats: Stats) -> list[tuple[str, Any]]:
    """What was done, but for what was not."""
    rows: list[tuple[str, Any]] = []
    for name, value in stats.as_dict().items():
        if isinstance(value, dict):
            rows += [(f"prunes: {kind}", number) for kind, number in value.items() if number]
        elif value or name in {"method", "seconds"}:
            rows.append((name.replace("_", " "), value))
    return rows


def stats_table(stats: Stats) -> str:
    """The table of `Stats`."""
    return table(stats_rows(stats), "Stats")


def reason_table(reason: Reason) -> str:
    """The table of a `Reason`."""
    return table([("code", reason.code), ("reason", reason.text)], "Reason")


def found_table(found: Found) -> str:
    """The picture and the table of `Found`."""
    return table(stats_rows(found.stats), "Found", f"<div>{notebook_svg(found.tour)}</div>")


def impossible_table(impossible: Impossible) -> str:
    """The table of `Impossible`."""
    reason = impossible.reason
    return table(
        [("code", reason.code), ("reason", reason.text), *stats_rows(impossible.stats)], "Impossible: there is no tour"
    )


def stopped_table(stopped: Stopped) -> str:
    """The table of `Stopped`."""
    return table([("limit", stopped.limit), *stats_rows(stopped.stats)], "Stopped: nothing is claimed")


def count_table(count: Count) -> str:
    """The table of a `Count`."""
    rows = [(name, getattr(count, name)) for name in ("value", "undirected", "directed")]
    return table([*((name, value) for name, value in rows if value is not None), *stats_rows(count.stats)], "Count")


def trials_table(trials: Trials) -> str:
    """The table of `Trials`: how many runs got how far."""
    share = trials.completed / trials.trials if trials.trials else 0.0
    rows: list[tuple[str, Any]] = [
        ("trials", trials.trials),
        ("completed", trials.completed),
        ("share completed", share),
        ("seed", str(trials.seed)),
    ]
    lengths = sorted(Counter(trials.lengths).items(), reverse=True)
    rows += [(f"{length:,} squares", f"{runs:,} runs") for length, runs in lengths[:MOST_ROWS]]
    if len(lengths) > MOST_ROWS:
        rows.append(("fewer squares", f"{sum(runs for _, runs in lengths[MOST_ROWS:]):,} runs"))
    return table(rows, "Warnsdorff's rule, trials")
