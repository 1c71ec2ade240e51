"""`knightstour gallery`: a small web page of tours of many boards."""

from pathlib import Path
from typing import Annotated

from knightstour._core import _quote
from knightstour.cli.bar import Bar
from knightstour.cli.options import QuietOption, TimeOption, argument, examples, option
from knightstour.cli.output import print_json
from knightstour.cli.reading import MisuseError
from knightstour.results import Progress

EPILOG = examples(
    "gallery tours",
    "gallery tours --time-limit 5 --quiet",
    keys="index, files, missing (titles of the tours that were not found in time)",
)


def command(
    folder: Annotated[str, argument("DIR", "The folder; it is made if it does not exist.")],
    *,
    time_limit: TimeOption = 10,
    json: Annotated[bool, option("--json", "Print the names of the files as JSON.")] = False,
    quiet: QuietOption = False,
) -> int:
    """Make a web page of tours of many boards: squares, strips, holes, joined edges, other leapers.

    Open index.html in a browser; a click on a picture plays its tour. The time limit is for each tour.
    """
    # Drawing takes longer to import than the rest of the command line.
    from knightstour.drawing.gallery import hang  # noqa: PLC0415

    with Bar("drawing", wanted=not quiet) as progress:

        def tell(done: int, total: int, title: str) -> None:
            if progress is not None:
                progress(Progress(done, total, f"drawing: {title}"))

        try:
            files, missing = hang(Path(folder), time_limit=time_limit, progress=tell)
        except OSError as error:
            raise MisuseError(f"cannot write into {_quote(folder)}: {error.strerror}") from None
    if json:
        print_json({"index": str(files[0]), "files": [str(file) for file in files], "missing": missing})
    else:
        print(files[0])
    return 0
