"""The command line: it reads the request, forwards it to the library, and prints the answer.

Results go to standard output, progress and messages to standard error. Exit status: 0 answered with a tour or
a number (0 tours included); 1 for `solve`: proven that there is none, for `verify`: no tour; 2 misuse;
3 stopped by a limit; 130 interrupted; 141 nobody reads the output any more.

A command is a file: what it takes, the end of its help, and what it does. The other files are what commands share.
rich is imported when a table or a progress bar is drawn on a terminal, json when it is asked for: most calls
need neither.
"""

import os
import sys
from collections.abc import Sequence

from knightstour.cli.app import run
from knightstour.cli.output import complain
from knightstour.cli.status import BROKEN_PIPE, INTERRUPTED, MISUSE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # Numbers of tours have as many digits as they have.
    most_digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        try:
            status = run(sys.argv[1:] if arguments is None else arguments)
        except KeyboardInterrupt:
            status = complain("interrupted", INTERRUPTED)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        status = BROKEN_PIPE
    except OSError as error:
        status = complain(f"cannot write the answer: {error.strerror}", MISUSE)
    else:
        return status
    finally:
        sys.set_int_max_str_digits(most_digits)
    # What is left in the buffer has nowhere to go.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
