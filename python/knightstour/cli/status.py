"""Exit statuses. 0 is an answer: a tour, or a number, which may be 0."""

NO_TOUR = 1
"""`solve` has proven that there is none, or `verify` has found a text that is not a tour."""

MISUSE = 2
"""An argument or an option makes no sense, or the answer cannot be written."""

LIMIT = 3
"""Stopped by a limit."""

INTERRUPTED = 130
"""By Ctrl-C."""

BROKEN_PIPE = 141
"""Nobody reads the output any more."""
