"""Pictures of tours and boards. Importing `knightstour` does not import this; drawing something does.

What is drawn is in `scene`; `svg` (on a `canvas`), `html` and `raster` draw it, `graph` hands it to other libraries,
and `save` chooses by the name of a file. `notebook` and `tables` are what notebooks show, `gallery` a small web page,
and `from_image` reads boards.
"""

from knightstour.drawing.from_image import board_from_image
from knightstour.drawing.graph import board_graph, plot, tour_graph
from knightstour.drawing.html import tour_html
from knightstour.drawing.notebook import notebook_svg
from knightstour.drawing.save import save
from knightstour.drawing.svg import board_svg, svg_grid, tour_svg

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
