"""What a notebook shows, and a notebook that is run."""

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import knightstour as kt


def cells(shown: Any) -> dict[str, str]:
    """The rows of a table."""
    root = ET.fromstring(shown._repr_html_())
    return {(row[0].text or ""): (row[1].text or "") for row in root.iter("tr")}


def test_results_are_tables() -> None:
    found = kt.Board(6).tours(start="a1").find()
    assert "<svg" in found._repr_html_()
    assert cells(found)["method"] == found.stats.method
    impossible = kt.Board(4).tours().find()
    assert isinstance(impossible, kt.Impossible)
    assert cells(impossible)["code"] == impossible.reason.code
    assert cells(impossible.reason)["reason"] == impossible.reason.text
    stopped = kt.Board(20, blocked=["a1", "b3"]).tours(start="t20").find(node_limit=1, method="backtracking")
    assert isinstance(stopped, kt.Stopped)
    assert cells(stopped)["limit"] == "nodes"
    assert cells(stopped.stats)["method"] == stopped.stats.method


def test_counts_are_tables() -> None:
    count = kt.Board(6).tours().count()
    assert cells(count)["value"] == "6,637,920"
    assert cells(count)["undirected"] == "3,318,960"
    large = kt.Count(10**5000 + 1, None, None, count.stats)
    assert len(large._repr_html_()) < 3000
    assert cells(large)["value"] == "10000000000000000000...00000000000000000001 (5,001 digits)"
    assert len(repr(large)) < 200
    # In full, though Python itself refuses so many digits.
    assert str(large) == f"{large}" == f"1{'0' * 4999}1"
    parts = kt.Board(5).tours().plan("rows").run(verify=1)
    assert any("counted again" in value for value in cells(parts).values())


def test_trials_are_tables() -> None:
    trials = kt.warnsdorff_trials(kt.Board(8), 1000, seed=1)
    table = cells(trials)
    assert table["trials"] == "1,000"
    assert table["completed"] == f"{trials.completed}"
    assert table["64 squares"] == f"{trials.completed} runs"
    runs = [int(value.split()[0].replace(",", "")) for name, value in table.items() if name.endswith("squares")]
    assert sum(runs) == 1000


def views(shown: Any) -> list[str]:
    """What a notebook may choose from."""
    return [getattr(shown, name)() for name in ("_repr_svg_", "_repr_html_") if hasattr(shown, name)]


@cache
def results() -> list[Any]:
    """One of each class of results, and of what is too large to be shown whole."""
    board = kt.Board(6)
    impossible = kt.Board(4).tours().find()
    assert isinstance(impossible, kt.Impossible)
    holed = kt.Board(200, blocked=["a1", "b3", "c4"])
    return [
        board,
        kt.solve(6),
        kt.solve(150),
        board.tours().find(),
        impossible,
        impossible.reason,
        holed.tours().find(node_limit=1),
        board.tours().count(),
        board.tours().count().stats,
        kt.Board(5, 6).tours(closed=True).move_counts(),
        kt.warnsdorff(board, seed=1),
        kt.warnsdorff(kt.Board(300), seed=1),
        kt.warnsdorff(kt.Board(2), seed=1),
        kt.warnsdorff_trials(board, 20, seed=1),
        kt.puzzle(5, seed=1),
        kt.Board(4).longest_path(),
        kt.Board(2).longest_path(closed=True),
        board.longest_uncrossed(),
        board.paths(squares=5).find(),
        next(iter(board.paths(squares=4, closed=True))),
        next(iter(kt.Board(120, wrap="both").paths(squares=5))),
        kt.Board(5).tours().plan("rows"),
        kt.Board(5).tours().plan("ends").run(),
        kt.Board(5).tours().plan("ends").run().ends(),
        board.tours().sample(30, seed=1),
        board.tours().sample(0),
        kt.Board(1).tours().find(),
    ]


def test_every_result_has_a_view() -> None:
    for shown in results():
        found = views(shown)
        assert found, type(shown)
        for view in found:
            assert len(view) < 500_000
            if view:
                ET.fromstring(f"<div>{view}</div>")
        assert len(repr(shown)) < 1000
        assert not re.search(r" object at 0x", repr(shown))


def test_every_public_class_of_results_is_tried() -> None:
    tried = {type(shown).__name__ for shown in results()}
    classes = {name for name in kt.__all__ if isinstance(getattr(kt, name), type)}
    classes -= {name for name in classes if issubclass(getattr(kt, name), BaseException)}
    # What is asked, and what a result is made of.
    assert classes - tried == {"Batch", "Cancel", "Paths", "Progress", "Square", "Squares", "TourSlice", "Tours"}


def test_paths_are_drawn_on_their_board() -> None:
    """What a path leaves out is open; what is blocked is blocked."""
    board = kt.Board(5, blocked=["c3"])
    path = next(iter(board.paths(squares=4)))
    root = ET.fromstring(path._repr_svg_())
    [line] = [element for element in root.iter() if element.get("class") == "path"]
    assert len((line.get("points") or "").split()) == 4
    assert sum((element.get("class") or "").startswith("blocked") for element in root.iter()) == 1
    walk = kt.warnsdorff(kt.Board(8), "a1", seed=32)
    assert not walk.is_complete
    assert f"path of {len(walk)} of the 64 squares" in walk._repr_svg_().lower()


def test_a_puzzle_does_not_tell_its_solution() -> None:
    puzzle = kt.puzzle(5, seed=1)
    view = puzzle._repr_html_()
    assert [int(number) for number in re.findall(r">(\d+)</text>", view) if int(number) > 5] == [
        step + 1 for step in puzzle.clues.values() if step + 1 > 5
    ]
    assert "polyline" not in view


def test_long_lists_are_cut() -> None:
    plan = kt.Board(6, blocked=["c3"]).tours().plan("ends")
    assert len(plan.parts) > 60
    assert f"... and {len(plan.parts) - 60} more parts" in plan._repr_html_()
    drawn = kt.Board(6).tours().sample(30, seed=1)
    assert drawn._repr_svg_().count("<polyline") == 12
    assert "The first 12 of 30 tours" in drawn._repr_svg_()


@pytest.mark.browser
def test_a_notebook_runs() -> None:
    import nbformat  # noqa: PLC0415
    from nbclient import NotebookClient  # noqa: PLC0415

    sources = [
        "import knightstour as kt\ntour = kt.solve(8, closed=True)\ntour",
        "tour.board",
        "tour.svg(style='rainbow', size=300)",
        "kt.svg_grid(kt.Board(5).tours(start='a1'))",
        "tour.html()",
        "kt.Board(6).tours().count()",
        "kt.Board(6).tours().find()",
        "kt.warnsdorff_trials(kt.Board(8), 100, seed=1)",
        "kt.solve(1000)",
        "kt.warnsdorff(8, seed=1)",
        "next(iter(kt.Board(6).paths(squares=5)))",
        "kt.Board(6).paths(squares=5).find()",
        "kt.Board(4).longest_path()",
        "kt.puzzle(5, seed=1)",
        "kt.Board(5).tours().plan('rows')",
    ]
    new: Any = nbformat.v4
    notebook = new.new_notebook(cells=[new.new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    kinds = []
    for cell in notebook.cells:
        (output,) = cell.outputs
        assert output["output_type"] == "execute_result"
        kinds.append(next(kind for kind in ("image/svg+xml", "text/html") if kind in output["data"]))
        assert len(str(output["data"])) < 500_000
        assert len(output["data"]["text/plain"]) < 500
    picture, table = "image/svg+xml", "text/html"
    assert kinds == [picture] * 4 + [table] * 4 + [picture] * 3 + [table] * 4
