"""The commands together: root help, version, and how a call becomes an exit status."""

import inspect
import os
import re
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import get_completion_class, shell_complete

from knightstour._core import __version__, _quote
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

COMPLETE = "_KNIGHTSTOUR_COMPLETE"
"""What a shell sets to ask what could come next."""


def print_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Answer --version."""
    if asked and not context.resilient_parsing:
        print("knightstour", __version__)
        context.exit()


def print_completion(context: click.Context, _option: click.Parameter, shell: str | None) -> None:
    """Answer --show-completion."""
    if shell is None or context.resilient_parsing:
        return
    known = get_completion_class(shell)
    if known is None:
        raise MisuseError(f"--show-completion takes bash, zsh, fish or powershell, not {_quote(shell)}")
    print(known(context.command, {}, "knightstour", COMPLETE).source())
    context.exit()


ROOT_OPTIONS = (
    click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=print_version,
        help="Print the version.",
    ),
    click.Option(
        ["--show-completion"],
        metavar="SHELL",
        is_eager=True,
        expose_value=False,
        callback=print_completion,
        help="Print what makes bash, zsh, fish or powershell complete commands and options.",
    ),
)


def no_command() -> None:
    """Answer what comes without a command."""
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        say(context.get_help())
        context.exit(MISUSE)


class Program(click.Group):
    """The commands in the order in which they were added: click's own group lists them by the alphabet."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self.commands)


def program(names: Sequence[str]) -> click.Group:
    """The command line with some of its commands."""
    group = Program(
        help="Knight's tours: found and verified, proven impossible with a reason, or counted exactly.",
        epilog="\b\nExamples:\n"
        "  knightstour solve 8x8 --closed\n"
        "  knightstour count 6x6\n"
        "  knightstour list 5x5 --start a1 --limit 3\n"
        "  knightstour solve 5x5 | knightstour verify -\n\n"
        "Exit status: 0 answered; 1 no tour; 2 misuse; 3 stopped by a limit; 130 interrupted.",
        callback=no_command,
        invoke_without_command=True,
        params=list(ROOT_OPTIONS),
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name in names:
        module = import_module(f"knightstour.cli.{name}")
        called, parameters = flat(module.command)
        text = inspect.cleandoc(module.command.__doc__)
        # The whole first line: click would cut the summary that it takes from the help.
        summary = text.partition("\n")[0]
        group.add_command(
            click.Command(name, callback=called, params=parameters, help=text, short_help=summary, epilog=module.EPILOG)
        )
    return group


def wanted(arguments: Sequence[str]) -> Sequence[str]:
    """The commands that a call needs: to build them all takes longer than most answers."""
    if list(arguments) == ["--version"]:
        return ()
    first = arguments[0] if arguments else ""
    return (first,) if first in COMMANDS else COMMANDS


def explain(error: click.ClickException, arguments: Sequence[str]) -> str:
    """A misuse that click found, with what to write instead."""
    message = error.format_message().rstrip(".")
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", message)
    if extra:
        # The two sides of a board.
        sides = re.findall(r"[0-9]{1,9}", " ".join([*arguments[1:2], extra[1]]))
        are_sides = re.fullmatch(r"[0-9]{1,9} *([xX*,] *)?[0-9]{1,9}", " ".join([*arguments[1:2], extra[1]]))
        hint = f"write the board as {sides[0]}x{sides[1]}" if are_sides else f"see '{command_of(arguments)} --help'"
        return f"unexpected argument{'s' * (' ' in extra[1])} {extra[1]}: {hint}"
    minus = next((text for text in arguments[1:] if re.fullmatch(r"-[0-9]+([xX]-?[0-9]+)?", text)), None)
    if isinstance(error, click.NoSuchOption):
        if minus:
            board = minus.replace("-", "")
            return f"{minus} is not a board: rows and columns are numbers of at least 1, such as {board}"
        message = f"no such option: {error.option_name}"
        if error.possibilities:
            message += f"; did you mean {' or '.join(error.possibilities)}?"
    return f"{message} (try '{command_of(arguments)} --help')"


def command_of(arguments: Sequence[str]) -> str:
    """The command that was called, as it is typed."""
    return " ".join(["knightstour", *(name for name in arguments[:1] if name in COMMANDS)])


def run(arguments: Sequence[str]) -> int:
    """Run a command. click's own function would decide on exit statuses, messages and broken pipes."""
    try:
        if COMPLETE in os.environ:
            # A shell asks what could come next.
            return shell_complete(program(COMMANDS), {}, "knightstour", COMPLETE, os.environ[COMPLETE])
        if arguments and arguments[0] == "help":
            arguments = [*arguments[1:], "--help"]
        group = program(wanted(arguments))
        with group.make_context("knightstour", list(arguments)) as context:
            return group.invoke(context) or 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return complain(explain(error, arguments), MISUSE)
    except (KnightsTourError, MisuseError) as error:
        return complain(as_typed(error), LIMIT if isinstance(error, LimitReachedError) else MISUSE)
    except MemoryError:
        return complain("this machine does not have enough memory", LIMIT)
