"""Pictures of tours and boards. Importing `knightstour` does not import this; drawing something does.

What is drawn is in `scene`; `svg`, `html` and `raster` draw it, `graph` hands it to other libraries, `tables` are
the results in notebooks, and `save` chooses by the name of a file.
"""

from knightstour.drawing.graph import board_graph, plot, tour_graph
from knightstour.drawing.html import tour_html
from knightstour.drawing.raster import board_from_image
from knightstour.drawing.save import save
from knightstour.drawing.svg import board_svg, notebook_svg, svg_grid, tour_svg

__all__ = [
    "board_from_image",
    "board_graph",
    "board_svg",
    "notebook_svg",
    "plot",
    "save",
    "svg_grid",
    "tour_graph",
    "tour_html",
    "tour_svg",
]
