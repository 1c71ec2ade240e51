"""docs/pages/cli.md says what the commands say."""

from __future__ import annotations

import re

import pytest

import reference
from commands import answer, run_process
from knightstour.cli.app import COMMANDS

PAGE = reference.PAGE.read_text(encoding="utf-8")


def test_the_reference_is_that_of_the_commands() -> None:
    _, mark, made = PAGE.partition(reference.MARK)
    assert mark + made == reference.reference(), "due: python tests/python/reference.py"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_all_that_the_page_has(command: str) -> None:
    section = PAGE.partition(f"\n## {command}\n")[2].partition("\n## ")[0]
    text = re.sub(r"\s+", " ", answer(command, "--help"))
    options = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    assert options
    for option in options:
        assert all(part in text for part in re.split(r"[, ]+", option)), option


def test_the_root_help_is_not_cut() -> None:
    text = answer("--help")
    assert "..." not in text.partition("Commands:")[2]
    for command in COMMANDS:
        assert re.search(rf"^  {command} +\S", text, re.MULTILINE)


def test_completion() -> None:
    """What bash is told could come next."""
    import os  # noqa: PLC0415
    from unittest.mock import patch  # noqa: PLC0415

    import commands  # noqa: PLC0415

    asked = {"_KNIGHTSTOUR_COMPLETE": "complete_bash", "COMP_CWORD": "1", "COMP_WORDS": "knightstour so"}
    with patch.dict(commands.ENVIRONMENT, asked), patch.dict(os.environ, asked):
        done = run_process()
    assert (done.returncode, done.stdout.split()) == (0, ["solve"])
