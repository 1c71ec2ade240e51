"""The command line as tests call it: in this process, which is quick, or as one of its own."""

from __future__ import annotations

import io
import json
import os
import re
import select
import subprocess
import sys
import sysconfig
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from knightstour.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of every process that a test starts, too.
os.environ["PYTHONWARNINGS"] = "error"

PROGRAM = [sys.executable, "-m", "knightstour"]
SCRIPT = [str(Path(sysconfig.get_path("scripts")) / "knightstour")]
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {"NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"}
} | {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}

OWN_TERMINAL = """\
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(2, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""

PATIENCE = 120
"""Seconds after which a process counts as hanging."""


def run(*arguments: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """A command, run in this process as it would be in one of its own, with pipes around it."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    source, output, messages = (
        io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="") for data in (given, b"", b"")
    )
    with patch("sys.stdin", source), redirect_stdout(output), redirect_stderr(messages):
        status = main(arguments)
    written = []
    for stream in (output, messages):
        stream.seek(0)
        written.append(stream.read())
    return subprocess.CompletedProcess(["knightstour", *arguments], status, *written)


def run_process(
    *arguments: str, stdin: str | bytes = b"", program: Sequence[str] = PROGRAM
) -> subprocess.CompletedProcess[str]:
    """A command as a process."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*program, *arguments],
        input=given,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=ENVIRONMENT,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def answer(*arguments: str, stdin: str = "") -> str:
    """What is printed by a command that has to answer, and to say nothing else."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def answer_json(*arguments: str, stdin: str = "") -> Any:
    return json.loads(answer(*arguments, "--json", stdin=stdin))


class Terminal:
    """A process whose standard error, or standard output and input too, is a terminal.

    With ``piped`` it is the process's own, as that of a shell, and the text comes through standard input.
    """

    def __init__(
        self, *arguments: str, stdout: bool = False, stdin: bool = False, piped: str | None = None, **environment: str
    ) -> None:
        import pty  # noqa: PLC0415

        self.master, slave = pty.openpty()
        given = subprocess.DEVNULL if piped is None else subprocess.PIPE
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments] if piped is None else [sys.executable, "-c", OWN_TERMINAL, *PROGRAM, *arguments],
            stdin=slave if stdin else given,
            stdout=slave if stdout else subprocess.DEVNULL,
            stderr=slave,
            env=ENVIRONMENT | environment,
        )
        os.close(slave)
        self.text = ""
        if piped is not None:
            assert self.process.stdin is not None
            with self.process.stdin as pipe:
                pipe.write(piped.encode())

    def read_until(self, pattern: str | None) -> bool:
        """Read until a pattern appears, or to the end."""
        while pattern is None or not re.search(pattern, self.text):
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, f"nothing more came after {self.text!r}"
            try:
                part = os.read(self.master, 65536)
            except OSError:  # how Linux says that the other end is closed
                part = b""
            if not part:
                return False
            self.text += part.decode()
        return True

    def press(self, keys: str) -> None:
        """Type something."""
        os.write(self.master, keys.encode())

    def finish(self) -> int:
        self.read_until(None)
        return self.process.wait(timeout=PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def run_in(folder: Path, program: str, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
    """A program of its own, given the name of a ledger in a folder."""
    file = folder / "program.py"
    file.write_text(program)
    line = [sys.executable, str(file), str(folder / "run.db")]
    return subprocess.run(line, capture_output=True, text=True, timeout=patience, check=False)
