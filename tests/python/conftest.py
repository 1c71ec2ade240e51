"""Which tests run: those that need more than Python, pip and Rust only when asked for.

``python -m pytest --with=browser,valgrind`` adds the tests marked ``browser`` and those marked ``valgrind``.
"""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from commands import Terminal

EXTRA = {"browser", "minutes", "slow", "tmpfs", "valgrind"}

# How long an example takes is the machine's business.
settings.register_profile("knightstour", deadline=None)
settings.load_profile("knightstour")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--with",
        action="append",
        default=[],
        metavar="MARKS",
        help=f"run tests marked {', '.join(sorted(EXTRA))} too",
    )


def pytest_configure(config: pytest.Config) -> None:
    # A shell starts what it puts in the background without Ctrl-C, and tests of it would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = asked(config)
    if not wanted <= EXTRA:
        raise pytest.UsageError(f"--with takes {', '.join(sorted(EXTRA))}, not {', '.join(sorted(wanted - EXTRA))}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = EXTRA - asked(config)
    for item in items:
        marks = sorted(left_out & {mark.name for mark in item.iter_markers()})
        if marks:
            item.add_marker(pytest.mark.skip(reason=f"asked for by --with={','.join(marks)}"))


def asked(config: pytest.Config) -> set[str]:
    return {mark for marks in config.getoption("--with") for mark in marks.split(",")}


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    """Terminals that are closed after the test."""
    made = []

    class Closing(Terminal):
        def __init__(self, *arguments: str, **options: Any) -> None:
            super().__init__(*arguments, **options)
            made.append(self)

    yield Closing
    for one in made:
        one.close()
