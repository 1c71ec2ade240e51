"""Tours and boards for NetworkX and Matplotlib, which are imported when they are asked for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from knightstour._core import _quote
from knightstour.drawing import scene
from knightstour.errors import MemoryLimitError, RequestError
from knightstour.keywords import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx
    from matplotlib.axes import Axes

    from knightstour._core import Board, Tour
    from knightstour.square import Square

MOST_STEPS = 1 << 22
MOST_SQUARES = 1 << 20
MOST_PLOTTED = 1 << 20


def import_networkx() -> Any:
    """The module, or a message that says how to get it."""
    try:
        import networkx as nx  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to_networkx needs NetworkX: pip install networkx") from error
    return nx


def check_room(board: Board, most: int) -> None:
    """Refuse graphs that would fill the memory."""
    if len(board) > most:
        raise MemoryLimitError(
            f"the {scene.kind(board)} has {len(board):,} open squares; a networkx graph can have up to {most:,}",
            limit="memory",
        )


def tour_graph(tour: Tour) -> nx.Graph[Square]:
    """See `Tour.to_networkx`."""
    module = import_networkx()
    check_room(tour.board, MOST_STEPS)
    graph: nx.Graph[Square] = module.Graph()
    squares = list(tour)
    graph.add_nodes_from((square, {"step": step}) for step, square in enumerate(squares))
    graph.add_edges_from(pairwise(squares))
    if tour.is_closed:
        graph.add_edge(squares[-1], squares[0])
    return graph


def board_graph(board: Board) -> nx.Graph[Square]:
    """See `Board.to_networkx`."""
    module = import_networkx()
    check_room(board, MOST_SQUARES)
    graph: nx.Graph[Square] = module.Graph()
    graph.add_nodes_from(board)
    # Each move is found from both its ends, and is one edge.
    graph.add_edges_from((square, other) for square in board for other in board.moves(square) if square < other)
    return graph


@named("Tour.plot")
def plot(tour: Tour, ax: Axes | None = None, *, style: str = "path", colors: Mapping[str, str] | None = None) -> Axes:
    """See `Tour.plot`."""
    if style not in {"path", "numbers"}:
        raise RequestError(f"style must be path or numbers, not {_quote(style)}")
    board = tour.board
    if board.rows * board.cols > MOST_PLOTTED:
        raise RequestError(f"Matplotlib plots boards of up to {MOST_PLOTTED:,} squares; save a .png picture instead")
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415
        from matplotlib.colors import ListedColormap  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("plot needs Matplotlib: pip install matplotlib") from error
    found = scene.palette(colors)
    if ax is None:
        _, ax = plt.subplots()
    blocked = set(scene.blocked_rows(board))
    cells = [
        [2 if (row, col) in blocked else (board.rows - row + col) % 2 for col in range(board.cols)]
        for row in range(board.rows)
    ]
    # Squares are numbered as the tour's are: row 0 on top, centres at whole numbers.
    shades = ListedColormap([found["light"], found["dark"], found["blocked"]])
    ax.imshow(cells, cmap=shades, vmin=0, vmax=2, aspect="equal")
    if style == "numbers":
        for step, square in enumerate(tour, 1):
            ax.text(square.col, square.row, str(step), ha="center", va="center", color=found["number"])
    else:
        width = max(0.5, min(2.5, 60 / max(board.rows, board.cols)))
        for run in scene.runs(board, scene.numbers_of(tour), closed=tour.is_closed):
            across, down = zip(*((x - 0.5, y - 0.5) for x, y in run), strict=True)
            ax.plot(across, down, color=found["path"], linewidth=width, solid_joinstyle="round")
        ax.plot(tour.start.col, tour.start.row, "o", color=found["start"], zorder=3)
        if not tour.is_closed:
            ax.plot(tour.end.col, tour.end.row, "s", color=found["end"], zorder=3)
    ax.set_xticks(list(scene.labels(board.cols)), [scene.letters(col) for col in scene.labels(board.cols)])
    ranks = scene.labels(board.rows)
    ax.set_yticks([board.rows - 1 - rank for rank in ranks], [str(rank + 1) for rank in ranks])
    ax.set_title(scene.tour_title(tour))
    return ax
