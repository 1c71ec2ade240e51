"""What a shell is told could come next: commands, options, and what options take."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from typing import TYPE_CHECKING, get_args

import pytest

import knightstour as kt
from commands import ENVIRONMENT, PATIENCE, PROGRAM, answer
from knightstour import options
from knightstour.cli.app import COMMANDS
from knightstour.drawing.save import FORMATS
from knightstour.drawing.scene import STYLES

if TYPE_CHECKING:
    from pathlib import Path

SHELLS = ("bash", "zsh", "fish", "powershell")


def asked(shell: str, line: str) -> str:
    """What the program tells a shell when Tab is pressed at the end of a line."""
    word = line.rpartition(" ")[2]
    at = word if shell == "fish" else str(len(line.split(" ")) - 1)
    given = {"_KNIGHTSTOUR_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": at}
    done = subprocess.run(
        PROGRAM, capture_output=True, text=True, env=ENVIRONMENT | given, timeout=PATIENCE, check=True
    )
    assert done.stderr == ""
    return done.stdout


def told(shell: str, line: str) -> list[str]:
    """The words among that."""
    lines = asked(shell, line).splitlines()
    if shell in {"bash", "fish"}:
        # The kind of each, a comma, the text, and for fish its help.
        return [line.partition(",")[2].partition("\t")[0] for line in lines if line]
    return lines[1::3]


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_options_and_what_they_take(shell: str) -> None:
    assert told(shell, "knightstour so") == ["solve"]
    assert "--lookahead" in told(shell, "knightstour solve 8x8 --look")
    assert told(shell, "knightstour solve 8x8 --ties ") == list(get_args(options.Ties))


CHOICES = {
    "solve --method": get_args(options.FindMethod),
    "solve --order": get_args(options.Order),
    "solve --ties": get_args(options.Ties),
    "solve --lookahead": get_args(options.Lookahead),
    "solve --wrap": ("cols", "rows", "both"),
    "solve --symmetric": kt.Board(8).symmetries[1:],
    "count --method": get_args(options.CountMethod),
    "count --parts": ("auto", "rows", "ends", "moves"),
    "starts --method": get_args(options.CountMethod),
    "compare --ties": get_args(options.Ties),
    "list --format": get_args(options.LineFormat),
    "warnsdorff --ties": get_args(options.Ties),
    "draw --style": STYLES,
    "draw --format": tuple(suffix.removeprefix(".") for suffix in FORMATS),
}


@pytest.mark.parametrize("option", CHOICES)
def test_all_that_an_option_takes_is_offered(option: str) -> None:
    command, name = option.split()
    assert sorted(told("bash", f"knightstour {command} 8x8 {name} ")) == sorted(CHOICES[option])


def test_every_option_that_takes_names_is_tried() -> None:
    found = set()
    for command in COMMANDS:
        text = answer(command, "--help")
        found |= {(command, name) for name in re.findall(r"(--[a-z]+) (?:NAME|EDGES|HOW)\b", text)}
    tried = {name for _, name in map(str.split, CHOICES)}
    assert {name for _, name in found} == tried


def test_leapers_are_leapers() -> None:
    found = told("bash", "knightstour solve 8 --leaper ")
    assert "2,3" in found
    assert all(kt.Board(8, leaper=(int(a), int(b))) for a, b in (text.split(",") for text in found))


def test_boards_and_their_files(tmp_path: Path) -> None:
    for name in ("ring.txt", "rest.txt", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert "8x8" in told("bash", "knightstour solve ")
    assert told("bash", f"knightstour count @{tmp_path}/r") == [f"@{tmp_path}/rest.txt", f"@{tmp_path}/ring.txt"]
    assert f"@{tmp_path}/folder/" in told("bash", f"knightstour verify - --board @{tmp_path}/")
    assert told("bash", "knightstour solve @/no/where/") == []


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("draw t", "file"),
        ("verify t", "file"),
        ("draw t.txt --output t", "file"),
        ("count 6 --checkpoint t", "file"),
        ("gallery t", "dir"),
        ("count 6 --spill-dir t", "dir"),
    ],
)
def test_the_shell_completes_names_of_files(shell: str, line: str, kind: str) -> None:
    answer = asked(shell, f"knightstour {line}")
    assert answer.startswith((f"{kind},t", f"{kind}\nt\n"))


def test_options_that_answer_at_once_stay_silent() -> None:
    assert told("bash", "knightstour --version so") == ["solve"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is missing")
def test_in_a_shell() -> None:
    """The script that the program hands out, in bash itself."""
    script = subprocess.run(
        [*PROGRAM, "--show-completion", "bash"], capture_output=True, text=True, env=ENVIRONMENT, check=True
    ).stdout
    assert "complete -o nosort -F _knightstour_completion knightstour" in script
    line = (
        "COMP_WORDS=(knightstour draw t.txt --style r); COMP_CWORD=4; _knightstour_completion knightstour; "
        'printf "%s\n" "${COMPREPLY[@]}"'
    )
    path = sysconfig.get_path("scripts") + os.pathsep + ENVIRONMENT["PATH"]
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{line}"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT | {"PATH": path},
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == "rainbow\n"
