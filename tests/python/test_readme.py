"""Every example and command of the README, as a reader would run it."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

#: The commands that set everything up. They end with what the other tests run; `.ci/run` runs the second one.
MAIN = "pip install . && "
TESTS = "pip install '.[test]' && "


def commands() -> list[tuple[str, str]]:
    """Each command of the README with the output shown below it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_python_examples() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, verbose=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_the_two_commands_that_set_everything_up() -> None:
    shown = [command for command, _ in commands()]
    assert sum(command.startswith(MAIN) for command in shown) == 1
    assert f"{TESTS}cargo test && python -m pytest -n auto tests/python" in shown


@pytest.mark.parametrize("command", [c for c, _ in commands() if not c.startswith(TESTS)])
def test_commands(command: str) -> None:
    output = dict(commands())[command]
    # The package is installed already, or this test would not run.
    line = command.removeprefix(MAIN)
    assert all(re.match("(knightstour|python) ", part.strip()) for part in line.split("|")), line
    line = line.replace("knightstour ", f"{shlex.quote(sys.executable)} -m knightstour ")
    line = re.sub("^python ", f"{shlex.quote(sys.executable)} ", line)
    # Not as a part of this run, if it has several processes.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=300, check=False, env=env)
    assert done.returncode in ((0, 3) if "--time-limit" in line else (0,)), done.stderr
    assert done.stdout.strip()
    if output:
        assert done.stdout == output


def test_figures_have_the_command_that_measures_them() -> None:
    speed = README.partition("## Speed")[2].partition("\n## ")[0]
    assert "python -m pytest tests/python/benchmarks" in speed
    assert (ROOT / "tests/python/benchmarks").is_dir()
