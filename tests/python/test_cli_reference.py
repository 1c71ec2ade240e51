"""docs/pages/cli.md says what the commands say."""

from __future__ import annotations

import re

import pytest

import reference
from commands import answer
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
