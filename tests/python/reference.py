"""The reference of the command line in docs/pages/cli.md, made from the commands themselves.

``python tests/python/reference.py`` writes it anew; a test says when that is due.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from knightstour.cli.app import COMMANDS, program

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "cli.md"

MARK = "<!-- From here on: made by tests/python/reference.py -->\n"


def reference() -> str:
    """The part of the page that is made."""
    commands = program(COMMANDS).commands
    return MARK + "".join(section(name, commands[name]) for name in COMMANDS)


def section(name: str, command: Any) -> str:
    """What there is to say of a command."""
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = " ".join(["knightstour", name, *(argument.metavar for argument in arguments), "[OPTIONS]"])
    rows = "".join(row(parameter) for parameter in (*arguments, *options))
    examples, _, keys = command.epilog.partition("\nKeys of the JSON: ")
    shown = inspect.cleandoc(examples.removeprefix("\b\nExamples:\n"))
    return (
        f"\n## {name}\n\n`{usage}`\n\n{inspect.cleandoc(command.help)}\n\n"
        f"| | |\n|---|---|\n{rows}\n"
        f"```sh\n{shown}\n```\n\nKeys of the JSON: {keys}\n"
    )


def row(parameter: Any) -> str:
    """A line of the table of options."""
    named = parameter.param_type_name == "argument" or parameter.is_flag
    names = (
        parameter.metavar
        if parameter.param_type_name == "argument"
        else ", ".join(sorted(parameter.opts, reverse=True))
    )
    value = "" if named else f" {parameter.metavar}"
    default = parameter.default
    told = f" Default: {default}." if isinstance(default, str) else ""
    text = re.sub(r"\s+", " ", parameter.help) + told
    return f"| `{names}{value}` | {text.replace('|', chr(92) + '|')} |\n"


def main() -> None:
    """Write the page anew."""
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    PAGE.write_text(before + reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
