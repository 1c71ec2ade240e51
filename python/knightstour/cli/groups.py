"""Groups of options that several commands share: each group is a class that knows what its options mean.

A command takes a group as one parameter; `flat` makes it into the options that click sees.
"""

import re
from collections.abc import Callable
from inspect import Parameter, get_annotations, signature
from typing import Any, get_args

import click

from knightstour._core import Board, _quote
from knightstour.cli.clues import (
    Numbers,
    as_steps,
    is_clues,
    is_json,
    read_beginning,
    read_clues,
    read_steps,
    square_of,
)
from knightstour.cli.options import (
    REQUIRED,
    BeginningOption,
    BlockedOption,
    CheckpointOption,
    ClosedOption,
    CountMethodOption,
    DistinctOption,
    EndOption,
    ExcludingOption,
    IncludingOption,
    LeaperOption,
    MemoryOption,
    NodeOption,
    SpillOption,
    StartOption,
    StepsOption,
    SymmetricOption,
    ThreadsOption,
    TimeOption,
    WrapOption,
)
from knightstour.cli.reading import (
    SIZE,
    MisuseError,
    read_moves,
    read_square,
    read_text,
    split,
)
from knightstour.cli.wording import in_numbers
from knightstour.errors import InvalidTourError
from knightstour.tours import Tours


class Group:
    """A group: each attribute is an option, with its default."""

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The options as parameters of a command."""
        kinds = {name: kind for base in reversed(cls.__mro__) for name, kind in get_annotations(base).items()}
        return {
            name: Parameter(name, Parameter.KEYWORD_ONLY, default=getattr(cls, name), annotation=kind)
            for name, kind in kinds.items()
        }


class BoardOptions(Group):
    """What a board has besides its size."""

    blocked: BlockedOption = None
    leaper: LeaperOption = None
    wrap: WrapOption = None

    def moves(self) -> dict[str, Any]:
        """The piece and the joined edges, if they are given."""
        options: dict[str, Any] = {}
        if self.leaper is not None:
            legs = re.fullmatch(r"\s*(-?[0-9]{1,18})\s*,\s*(-?[0-9]{1,18})\s*", self.leaper)
            if not legs:
                raise MisuseError(f"--leaper must be two whole numbers, such as 2,3, not {_quote(self.leaper)}")
            options["leaper"] = (int(legs[1]), int(legs[2]))
        if self.wrap is not None:
            options["wrap"] = self.wrap
        return options

    def board(self, text: str) -> Board:
        """The board that an argument means."""
        board, numbers = self.board_and_numbers(text)
        if numbers:
            raise MisuseError(f"{text} has numbers: only solve, count, list and sample take a board with numbers")
        return board

    def board_and_numbers(self, text: str) -> tuple[Board, Numbers]:
        """The board that an argument means, and the numbers on it."""
        options = self.moves()
        numbers: Numbers = {}
        if text.startswith("@"):
            picture = read_text(text[1:])
            if is_json(picture):
                raise MisuseError("this is a puzzle in JSON; numbers are read from a grid: write it without --json")
            if is_clues(picture):
                grid, numbers = read_clues(picture)
                picture = "\n".join("".join("#" if cell == "#" else "." for cell in row) for row in grid)
            board = Board.parse(picture, **options)
            rows, cols = board.rows, board.cols
        else:
            size = re.fullmatch(SIZE, text)
            if not size:
                raise MisuseError(
                    f"a board must be ROWSxCOLS, such as 8x8, or N for NxN, or @FILE with a picture, not {_quote(text)}"
                )
            rows, cols = int(size[1]), int(size[2] or size[1])
            board = Board(rows, cols, **options)
        more = [square_of("--blocked", item) for item in split("--blocked", self.blocked or [])]
        if more:
            board = Board(rows, cols, blocked=[*board.blocked, *more], **options)
        return board, numbers

    def known(self, text: str | None, file: str) -> dict[str, Any]:
        """What is known of the board of a tour in a file: the board, or all of it except the size."""
        if text is None:
            blocked = [square_of("--blocked", item) for item in split("--blocked", self.blocked or [])]
            return self.moves() | ({"blocked": blocked} if blocked else {})
        if file == "-" and text == "@-":
            raise MisuseError("the tour and the board cannot both come from standard input")
        return {"board": self.board(text)}


class EndsOptions(Group):
    """The kind of tours, and their ends."""

    closed: ClosedOption = False
    start: StartOption = None
    end: EndOption = None

    def tours(self, board: Board) -> Tours:
        """The collection of tours that the options mean."""
        ends = {"start": self.start, "end": self.end}
        given = {name: read_square(square) for name, square in ends.items() if square is not None}
        tours: Tours = board.tours(closed=self.closed, **given)
        return tours


class MovesOptions(EndsOptions):
    """The kind of tours, their ends, and the moves that they use or avoid."""

    including: IncludingOption = None
    excluding: ExcludingOption = None

    def tours(self, board: Board) -> Tours:
        """The collection of tours that the options mean."""
        tours = super().tours(board)
        if self.including:
            tours = tours.including(*read_moves("--including", self.including))
        if self.excluding:
            tours = tours.excluding(*read_moves("--excluding", self.excluding))
        return tours


class ToursOptions(MovesOptions):
    """All options that say which tours are meant."""

    steps: StepsOption = None
    beginning: BeginningOption = None
    symmetric: SymmetricOption = None
    distinct: DistinctOption = False

    def tours_on(self, on: BoardOptions, text: str) -> Tours:
        """The collection of tours that the options mean, on the board that an argument means, with its numbers."""
        board, numbers = on.board_and_numbers(text)
        tours = super().tours(board)
        if self.steps:
            given = read_steps(board, self.steps)
            for square, number in given.items():
                if numbers.get(square, number) != number:
                    raise MisuseError(f"{board.name(square)} has number {numbers[square]} on the board, not {number}")
            numbers |= given
        if numbers:
            tours = tours.with_steps(as_steps(board, numbers))
        if self.beginning:
            try:
                tours = tours.beginning(read_beginning(self.beginning))
            except InvalidTourError as error:
                raise MisuseError(f"--beginning: {in_numbers(str(error))}") from None
        for name in self.symmetric or ():
            tours = tours.symmetric(name)
        return tours.distinct() if self.distinct else tours


class LimitOptions(Group):
    """The limits of a run."""

    time_limit: TimeOption = None
    node_limit: NodeOption = None
    memory_limit: MemoryOption = None

    def read(self) -> dict[str, Any]:
        """The limits as the library takes them."""
        return {"time_limit": self.time_limit, "node_limit": self.node_limit, "memory_limit": self.memory_limit}


class CountOptions(LimitOptions):
    """How tours are counted."""

    method: CountMethodOption = "auto"
    checkpoint: CheckpointOption = None
    spill_dir: SpillOption = None
    threads: ThreadsOption = None

    def limits(self) -> dict[str, Any]:
        """The limits as the library takes them, and the number of threads."""
        return self.read() | {"threads": self.threads}

    def options(self) -> dict[str, Any]:
        """All options as `Tours.count` takes them."""
        return self.limits() | {"method": self.method, "checkpoint": self.checkpoint, "spill_dir": self.spill_dir}


def flat(command: Callable[..., int]) -> tuple[Callable[..., int], list[click.Parameter]]:
    """The command as click calls it, and its parameters: each option of a group is one of its own."""
    parameters: dict[str, Parameter] = {}
    groups: dict[str, type[Group]] = {}
    for name, parameter in signature(command).parameters.items():
        kind = parameter.annotation
        if isinstance(kind, type) and issubclass(kind, Group):
            groups[name] = kind
            parameters |= kind.parameters()
        else:
            parameters[name] = parameter

    def called(**given: Any) -> int:
        for name, group in groups.items():
            given[name] = group(**{option: given.pop(option) for option in group.parameters()})
        return command(**given)

    return called, [made(parameter) for parameter in parameters.values()]


def made(parameter: Parameter) -> click.Parameter:
    """What click knows a parameter as."""
    kind, make = get_args(parameter.annotation)
    default = REQUIRED if parameter.default is Parameter.empty else parameter.default
    option: click.Parameter = make(parameter.name, kind, default)
    return option
