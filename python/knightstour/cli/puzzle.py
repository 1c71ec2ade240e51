"""`knightstour puzzle`: puzzles with one solution."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from knightstour._core import Board, _quote
from knightstour.cli.bar import Bar
from knightstour.cli.groups import BoardOptions, EndsOptions, LimitOptions
from knightstour.cli.options import BoardArgument, JsonOption, QuietOption, among, examples, offer, option
from knightstour.cli.output import complain, print_bytes, print_json, say, stats_object
from knightstour.cli.reading import MisuseError, read_whole
from knightstour.cli.status import LIMIT, NO_TOUR
from knightstour.errors import NoTourError
from knightstour.plain import request_object
from knightstour.puzzles import Puzzle, puzzle

EPILOG = examples(
    "puzzle 6x6 --seed 1",
    "puzzle 6x6 --closed --solution",
    "puzzle 8x8 --clues 12 --time-limit 60",
    "puzzle @board.txt --json",
    "puzzle 6x6 -n 20 --seed 1 -o puzzles/ --solution",
    "puzzle 6x6 | knightstour draw - -o puzzle.svg",
    keys="(one object per line) board, closed, start, end, symmetric, distinct, clues (steps from 0, by square), "
    "solution (names of squares), seed, stats (with --output one object: files, seeds)",
)

FORMATS = ("svg", "png", "txt", "json")

TRIES = 200
"""After this many seeds in a row without a new puzzle, the command stops."""

CluesOption = Annotated[int | None, option("--clues N", "The largest number of clues.", read=read_whole)]
SolutionOption = Annotated[bool, option("--solution", "Write the solution as well.")]


def command(
    board: BoardArgument,
    *,
    on: BoardOptions,
    asked: EndsOptions,
    clues: CluesOption = None,
    solution: SolutionOption = False,
    count: Annotated[int, option("-n, --count N", "How many puzzles; all are different.", read=read_whole)] = 1,
    seed: Annotated[
        int | None,
        option(
            "--seed N",
            "The same seed makes the same puzzles. The first puzzle has seed N, the next one N + 1, and so on.",
            read=read_whole,
        ),
    ] = None,
    output: Annotated[
        str | None,
        option(
            "--output, -o FILE",
            "A new file, .txt or .json (for one puzzle also .svg or .png), or a folder for one file per puzzle.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        option(
            "--format NAME",
            "Format of the files in a folder: svg (the default), png, txt or json.",
            offered=offer(*FORMATS),
            read=among(*FORMATS),
        ),
    ] = None,
    limits: LimitOptions,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Make puzzles with one solution; leaving out any number would allow a second.

    Limits are for each puzzle. A seed that makes a puzzle a second time is skipped.
    """
    tours = asked.tours(on.board(board))
    options = limits.read() | {"clues": clues}
    if count < 1:
        raise MisuseError(f"-n must be at least 1, not {count}")
    size = f"{tours.board.rows}x{tours.board.cols}"
    target = Target(output, form, size, count, seed, solution=solution)
    made: list[Puzzle] = []
    try:
        with Bar("making a puzzle", wanted=not quiet) as progress:
            options |= {"closed": asked.closed, "start": tours.start, "end": tours.end, "progress": progress}
            for one in different(tours.board, count, seed, options):
                made.append(one)
                if output is not None:
                    target.write(one)
                elif json:
                    print_json(request_object(tours) | answer_object(one))
                else:
                    print_bytes(("\n" * (len(made) > 1) + one._text(solution=solution) + "\n").encode())
    except NoTourError as error:
        return complain(str(error), NO_TOUR)
    if output is not None:
        files = target.finish(made)
        if json:
            print_json({"files": files, "seeds": [one.seed for one in made]})
    elif count > 1 and seed is None and not json and not quiet:
        say(f"seeds from {made[0].seed}")
    if len(made) < count:
        return complain(f"{TRIES} seeds in a row made no new puzzle: {len(made)} different puzzles were made", LIMIT)
    return 0


def different(board: Board, wanted: int, seed: int | None, options: dict[str, Any]) -> Iterator[Puzzle]:
    """The wanted number of different puzzles, from one seed after another; fewer if no new ones are found."""
    seen: set[Puzzle] = set()
    failed = 0
    while len(seen) < wanted and failed < TRIES:
        one = puzzle(board, seed=seed, **options)
        seed = (one.seed + 1) % 2**64
        failed = failed + 1 if one in seen else 0
        if not failed:
            seen.add(one)
            yield one


def answer_object(made: Puzzle) -> dict[str, Any]:
    """A puzzle in JSON, without the request."""
    told = made.as_dict()
    stats = stats_object(made.stats)
    return {"clues": told["clues"], "solution": made.solution.names(), "seed": made.seed, "stats": stats}


class Target:
    """Where puzzles are written: a file, or a folder with one file per puzzle. No file is overwritten."""

    def __init__(
        self, name: str | None, form: str | None, size: str, count: int, seed: int | None, *, solution: bool
    ) -> None:
        self.name = name
        self.size = size
        self.solution = solution
        self.files: list[str] = []
        if form is not None and (name is None or not self.is_folder):
            raise MisuseError("--format needs a folder: -o DIR")
        if name is None:
            return
        if self.is_folder:
            self.suffix = f".{form or 'svg'}"
            # A random seed meets no file; and of thousands of puzzles, checking the first ones is enough.
            planned = [] if seed is None else [self.path(seed + number, "") for number in range(min(count, 1000))]
        else:
            self.suffix = Path(name).suffix.lower()
            planned = [Path(name)]
            several = (".txt", ".json")
            if self.suffix not in (*several, ".svg", ".png") or (count > 1 and self.suffix not in several):
                what = "puzzles go" if count > 1 else "a puzzle goes"
                more = "" if count > 1 else ", .svg or .png"
                raise MisuseError(
                    f"{what} into a file whose name ends in .txt or .json{more}, or into a folder: -o DIR"
                )
        for path in planned:
            if os.path.lexists(path):
                raise MisuseError(f"{path} already exists: choose another name, or delete it")

    @property
    def is_folder(self) -> bool:
        """Whether each puzzle gets a file: the folder exists, or its name has no ending."""
        assert self.name is not None
        return Path(self.name).is_dir() or self.name.endswith(("/", os.sep)) or not Path(self.name).suffix

    def path(self, seed: int, more: str) -> Path:
        """The file of a puzzle in the folder."""
        assert self.name is not None
        return Path(self.name) / f"puzzle-{self.size}-{seed}{more}{self.suffix}"

    def write(self, one: Puzzle) -> None:
        """Write a puzzle to its file in the folder; pictures of solutions have files of their own."""
        if not self.is_folder:
            return
        pictures = self.suffix in {".svg", ".png"}
        self.put(self.path(one.seed, ""), [one], solution=self.solution and not pictures)
        if self.solution and pictures:
            self.put(self.path(one.seed, "-solution"), [one], solution=True)

    def finish(self, made: list[Puzzle]) -> list[str]:
        """Write what goes into one file, and give the names of all."""
        if self.name is not None and not self.is_folder:
            self.put(Path(self.name), made, solution=self.solution)
        return self.files

    def put(self, path: Path, puzzles: list[Puzzle], *, solution: bool) -> None:
        """Write a new file."""
        try:
            parts = [one._encoded(self.suffix, solution, {}) for one in puzzles]
            data = b"\n".join(parts)
            if self.suffix == ".json" and len(parts) > 1:
                data = b"[%s]\n" % b",\n".join(part.rstrip() for part in parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
        except ImportError as error:
            raise MisuseError(str(error)) from None
        except OSError as error:
            raise MisuseError(f"cannot write {_quote(str(path))}: {error.strerror}") from None
        self.files.append(str(path))
