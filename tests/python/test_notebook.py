"""What a notebook shows, and a notebook that is run."""

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
    large = kt.Count(10**5000, 10**5000, 2 * 10**5000, count.stats)
    assert len(large._repr_html_()) < 3000
    assert "digits" in cells(large)["value"]


def test_trials_are_tables() -> None:
    trials = kt.warnsdorff_trials(kt.Board(8), 1000, seed=1)
    table = cells(trials)
    assert table["trials"] == "1,000"
    assert table["completed"] == f"{trials.completed}"
    assert table["64 squares"] == f"{trials.completed} runs"
    runs = [int(value.split()[0].replace(",", "")) for name, value in table.items() if name.endswith("squares")]
    assert sum(runs) == 1000


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
    assert kinds == [picture] * 4 + [table] * 4 + [picture]
