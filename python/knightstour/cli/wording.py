"""The library's messages in the words of the command line."""

import re

OPTIONS = "method|order|ties|lookahead|seed|threads|trials|leaper|wrap|blocked|checkpoint|start|end"
"""Options with the same name in Python and on the command line."""

RULES = (
    # give a board with leaper=(2, 3) and wrap='both'
    (r"give a board with (?=leaper=|wrap=)", "give "),
    (r"\bleaper=\((\d+), (\d+)\)", r"--leaper \1,\2"),
    # method="construction"
    (rf"\b({OPTIONS})=[\"']([^\"']*)[\"']", r"--\1 \2"),
    # time_limit must be ..., checkpoint and spill_dir go with ...
    (r"\b(time|node|memory)_limit\b", r"--\1-limit"),
    (r"\bspill_dir\b", "--spill-dir"),
    (r"\bplan\(\)", "--plan FILE"),
    (rf"^({OPTIONS}) (?=must be\b|go with\b|needs?\b|cannot be\b|[\"'])", r"--\1 "),
    (rf"^({OPTIONS}) and (?=--)", r"--\1 and "),
    (rf"^({OPTIONS}) and ({OPTIONS})\b", r"--\1 and --\2"),
    (r"`end`", "--end"),
    # '8x8' stays as it was given; the names among which to choose are plain words here.
    (r"\b2\*\*", "2^"),
)


def in_numbers(message: str) -> str:
    """A message with the numbers as they are printed, from 1, for steps, from 0."""
    return re.sub(r"\b(step|steps) ([0-9]{1,18})\b", lambda step: f"number {int(step[2]) + 1}", message)


def as_options(message: str) -> str:
    """A message with the options spelled as they are typed."""
    for pattern, replacement in RULES:
        message = re.sub(pattern, replacement, message)
    return message
