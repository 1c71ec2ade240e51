"""Results as tables, for notebooks."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from knightstour.drawing.notebook import notebook_svg
from knightstour.results import brief

if TYPE_CHECKING:
    from collections.abc import Iterable

    from knightstour.parts.plan import Plan
    from knightstour.puzzles import Puzzle
    from knightstour.results import Count, Found, Impossible, LongestPath, Reason, Stats, Stopped
    from knightstour.walks import Trials

#: Rows of a table of lengths.
MOST_ROWS = 12
#: Parts of a plan.
MOST_PARTS = 60


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
    """A value in a cell; a long number is shown by its first digits and its length."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if value.bit_length() < 400 else brief(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(str(value))


def stats_rows(stats: Stats) -> list[tuple[str, Any]]:
    """The work that was done, without rows that are zero."""
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
    """The picture and the table of `Found`; its tour may be a path."""
    return table(stats_rows(found.stats), "Found", f"<div>{notebook_svg(found.tour)}</div>")


def impossible_table(impossible: Impossible) -> str:
    """The table of `Impossible`."""
    reason = impossible.reason
    return table(
        [("code", reason.code), ("reason", reason.text), *stats_rows(impossible.stats)], "Impossible: there is no tour"
    )


def stopped_table(stopped: Stopped) -> str:
    """The table of `Stopped`."""
    return table(
        [("limit", stopped.limit), *stats_rows(stopped.stats)], "Stopped: it is not known whether there is a tour"
    )


def count_table(count: Count) -> str:
    """The table of a `Count`."""
    rows = [(name, getattr(count, name)) for name in ("value", "undirected", "directed")]
    known = [(name, value) for name, value in rows if value is not None]
    checks = [("checked", check) for check in getattr(count, "checks", ())]
    return table([*known, *checks, *stats_rows(count.stats)], "Count")


def longest_table(longest: LongestPath) -> str:
    """The table of a `LongestPath`."""
    rows = [
        ("squares", len(longest.squares)),
        ("proven to be the longest", longest.is_optimal),
        ("upper bound", longest.upper_bound),
        *([("limit", longest.limit)] if longest.limit else []),
    ]
    return table([*rows, *stats_rows(longest.stats)], "Longest path")


def puzzle_table(puzzle: Puzzle) -> str:
    """The board with the given numbers, and the table of a `Puzzle`. The solution is not shown."""
    size = min(90 + 45 * max(puzzle.board.rows, puzzle.board.cols), 640)
    picture = puzzle.svg(size=size)
    rows = [("numbers given", len(puzzle.clues)), ("squares", len(puzzle.solution)), ("seed", str(puzzle.seed))]
    return table(rows, "Puzzle with one solution", f"<div>{picture}</div>")


def plan_table(plan: Plan) -> str:
    """The table of a `Plan`, as it is printed; of many parts, the first."""
    head, names, *parts, total = (escape(line) for line in str(plan).split("\n"))
    few = parts[:MOST_PARTS]
    more = [f"... and {len(parts) - len(few):,} more parts"] if len(few) < len(parts) else []
    return f"<p>{head}</p><pre>{chr(10).join([names, *few, *more, total])}</pre>"


def trials_table(trials: Trials) -> str:
    """The table of `Trials`: how many runs had which length."""
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
