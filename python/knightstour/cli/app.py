"""The commands together: root help, version, and how a call becomes an exit status."""

import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from knightstour._core import __version__
from knightstour.cli.groups import flat
from knightstour.cli.output import complain, say
from knightstour.cli.reading import MisuseError
from knightstour.cli.status import LIMIT, MISUSE
from knightstour.cli.wording import as_typed
from knightstour.errors import KnightsTourError, LimitReachedError

COMMANDS = (
    *("solve", "count", "list", "sample", "starts", "verify"),
    *("longest", "puzzle"),
    *("compare", "warnsdorff", "ledger"),
    *("draw", "play", "gallery"),
)
"""In the order of the help. Each is a module of this package with its `command` and its `EPILOG`."""


def print_version(wanted: bool) -> None:
    """Answer --version."""
    if wanted:
        print("knightstour", __version__)
        raise typer.Exit


def no_command(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", is_eager=True, callback=print_version, help="Print the version.")
    ] = False,
) -> None:
    """Answer what comes without a command."""
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(MISUSE)


class AsGiven:
    """What typer, from 0.29 on, is to make of a value: nothing but the text that was given.

    It would import pydantic for it, which takes longer than most answers.
    """

    def coerce(self, value: Any, **_context: Any) -> Any:
        """The value itself."""
        return value


class Plain:
    """A command or group whose values stay as they are given."""

    def get_params(self, context: Any) -> Any:
        """The parameters, the help option with them."""
        parameters = super().get_params(context)  # type: ignore[misc]
        for parameter in parameters:
            if hasattr(parameter, "_runtime_param"):
                parameter._runtime_param = AsGiven()
        return parameters


class Command(Plain, TyperCommand):
    """A command."""


class Group(Plain, TyperGroup):
    """The commands."""


def program(names: Sequence[str]) -> Any:
    """The command line with some of its commands."""
    app = typer.Typer(
        cls=Group,
        help="Knight's tours: found and verified, proven impossible with a reason, or counted exactly.",
        epilog="\b\nExamples:\n"
        "  knightstour solve 8x8 --closed\n"
        "  knightstour count 6x6\n"
        "  knightstour list 5x5 --start a1 --limit 3\n"
        "  knightstour solve 5x5 | knightstour verify -\n\n"
        "Exit status: 0 answered; 1 no tour; 2 misuse; 3 stopped by a limit; 130 interrupted.",
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(no_command)
    for name in names:
        module = import_module(f"knightstour.cli.{name}")
        # The whole first line: click would cut the summary that it takes from the docstring.
        summary = module.command.__doc__.partition("\n")[0]
        app.command(name, cls=Command, short_help=summary, epilog=module.EPILOG)(flat(module.command))
    return typer.main.get_command(app)


def wanted(arguments: Sequence[str]) -> Sequence[str]:
    """The commands that a call needs: to build them all takes longer than most answers."""
    if list(arguments) == ["--version"]:
        return ()
    first = arguments[0] if arguments else ""
    return (first,) if first in COMMANDS else COMMANDS


# Where typer keeps click differs from version to version; this is click's ClickException, whose other
# descendants are click's ways to say misuse.
CLICK_ERROR: Any = typer.BadParameter.__mro__[2]


def explain(message: str, arguments: Sequence[str]) -> str | None:
    """What to write instead, if it is clear what was meant."""
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", message)
    if extra:
        # The two sides of a board.
        sides = re.findall(r"[0-9]{1,9}", " ".join([*arguments[1:2], extra[1]]))
        are_sides = re.fullmatch(r"[0-9]{1,9} *([xX*,] *)?[0-9]{1,9}", " ".join([*arguments[1:2], extra[1]]))
        hint = f"write the board as {sides[0]}x{sides[1]}" if are_sides else f"see '{command_of(arguments)} --help'"
        return f"unexpected argument{'s' * (' ' in extra[1])} {extra[1]}: {hint}"
    minus = next((text for text in arguments[1:] if re.fullmatch(r"-[0-9]+([xX]-?[0-9]+)?", text)), None)
    if minus and "such option" in message:
        board = minus.replace("-", "")
        return f"{minus} is not a board: rows and columns are numbers of at least 1, such as {board}"
    return None


def command_of(arguments: Sequence[str]) -> str:
    """The command that was called, as it is typed."""
    return " ".join(["knightstour", *(name for name in arguments[:1] if name in COMMANDS)])


def run(arguments: Sequence[str]) -> int:
    """Run a command. typer's own function would decide on exit statuses, messages and broken pipes."""
    try:
        if "_KNIGHTSTOUR_COMPLETE" in os.environ:
            # A shell asks what could come next: typer answers it, and ends the process.
            program(COMMANDS)(prog_name="knightstour")
        if arguments and arguments[0] == "help":
            arguments = [*arguments[1:], "--help"]
        group = program(wanted(arguments))
        with group.make_context("knightstour", list(arguments)) as context:
            return group.invoke(context) or 0
    except (typer.Exit, SystemExit) as error:
        status = error.code if isinstance(error, SystemExit) else error.exit_code
        return status if isinstance(status, int) else 0
    except CLICK_ERROR as error:
        message = error.format_message().rstrip(".")
        path = error.ctx.command_path if error.ctx else "knightstour"
        return complain(explain(message, arguments) or f"{message} (try '{path} --help')", MISUSE)
    except LimitReachedError as error:
        return complain(as_typed(error), LIMIT)
    except MemoryError:
        return complain("this machine does not have enough memory", LIMIT)
    except (KnightsTourError, MisuseError) as error:
        return complain(as_typed(error), MISUSE)
