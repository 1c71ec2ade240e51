"""What the package itself makes for the site when it is built: the pictures, and the rest of the reference."""

import re
from typing import Any

from mkdocs.structure.files import File, Files

import knightstour as kt


def pictures() -> dict[str, str]:
    """Every picture by its file's name."""
    eight = kt.Board(8)
    closed = kt.solve(8, closed=True)
    stuck = kt.warnsdorff(eight, "a1", seed=32)
    end = stuck.squares[-1]
    left = set(eight.squares) - set(stuck.squares)
    first = kt.solve(5, start="a1")
    walked = first.squares[:14]
    # The sweep visits a 6x7 board square by square; the frontier is what visited squares still move to.
    visited = [square for square in kt.Board(6, 7).squares if (square.col, square.row) < (3, 2)]
    reached = {to for square in visited for to in kt.Board(6, 7).moves(square)} - set(visited)
    holed = kt.Board(8, blocked=["d4", "d5", "e4", "e5"])
    return {
        "first.svg": first.svg(size=300),
        "numbers.svg": first.svg(size=300, style="numbers"),
        "closed.svg": closed.svg(size=380, style="rainbow"),
        "arrows.svg": closed.svg(size=380, style="arrows"),
        "moves.svg": eight.svg(size=320, marks=eight.moves("d4")),
        "degrees.svg": eight.svg(size=320, marks={square: eight.degree(square) for square in eight}),
        "starts.svg": kt.Board(5).svg(size=300, marks=kt.Board(5).tours().starts()),
        "stuck.svg": eight.svg(
            size=380,
            marks={square: step for step, square in enumerate(stuck.squares, 1)} | dict.fromkeys(left),
            title=f"A run of Warnsdorff's rule that ends on {eight.name(end)} with {len(left)} squares left",
        ),
        "walked.svg": kt.Board(5).svg(size=300, marks={square: step for step, square in enumerate(walked, 1)}),
        "frontier.svg": kt.Board(6, 7).svg(size=340, marks=dict.fromkeys(visited, "·") | dict.fromkeys(reached)),
        "hole.svg": kt.solve(holed, closed=True).svg(size=380),
        "torus.svg": kt.solve(kt.Board(5, wrap="both"), closed=True).svg(size=300),
        "zebra.svg": kt.solve(kt.Board(10, leaper=(2, 3)), closed=True).svg(size=380),
        "large.svg": kt.solve(30, closed=True).svg(size=420, coordinates=False),
        "quarter.svg": kt.Board(6).tours(closed=True).symmetric("quarter-turn").find().tour.svg(size=300),
        "mirror.svg": kt.Board(6, 7).tours(closed=True).symmetric("flip-vertical").find().tour.svg(size=320),
        "tidy.svg": kt.Board(30).tours(closed=True).find(method="tidy").tour.svg(size=420, coordinates=False),
        "sample.svg": kt.svg_grid(kt.Board(6).tours(closed=True).sample(6, seed=7), columns=3, size=460),
        "sheet.svg": kt.svg_grid(kt.Board(5).tours(start="a1"), columns=19),
        "play.html": closed.html(speed=4),
    }


def on_files(files: Files, config: Any) -> Files:
    """Add the pictures to the site."""
    for name, text in pictures().items():
        files.append(File.generated(config, f"pictures/{name}", content=str(text)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Add to the reference the public names that it does not have in a place of their own."""
    if page.file.src_uri != "reference.md":
        return markdown
    rest = [name for name in kt.__all__ if not re.search(rf"^::: [\w.]+\.{name}$", markdown, re.MULTILINE)]
    rest = [name for name in rest if not name.endswith("Error") and not name.startswith("_")]
    more = "".join(f"::: knightstour.{name}\n\n" for name in rest)
    return markdown.replace("## Errors", f"## More\n\n{more}## Errors") if rest else markdown
