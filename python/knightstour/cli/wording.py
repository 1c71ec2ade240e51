"""The library's messages in the words of the command line."""

import re

from knightstour.errors import InvalidTourError, OptionsError


def flag(option: str, value: object = None) -> str:
    """An option of the library, and a value of it, as they are typed."""
    name = "--" + option.removesuffix("()").replace("_", "-")
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    return name if value is None else f"{name} {value}"


def as_typed(error: Exception) -> str:
    """The message of an error, with the options as they are typed."""
    if isinstance(error, InvalidTourError):
        return error._worded(flag, board="")
    return error._worded(flag) if isinstance(error, OptionsError) else str(error)


def in_numbers(message: str) -> str:
    """A message with the numbers as they are printed, from 1, for steps, from 0."""
    return re.sub(r"\b(step|steps) ([0-9]{1,18})\b", lambda step: f"number {int(step[2]) + 1}", message)
