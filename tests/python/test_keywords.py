"""Options that a call does not have: the nearest is named, or where they belong; and every public name is listed."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import knightstour as kt
from knightstour import keywords
from test_messages import calls

if TYPE_CHECKING:
    from collections.abc import Callable

K: Any = kt
BOARD: Any = kt.Board(5)
TOURS: Any = BOARD.tours()
"""What is called wrong, of which type checkers would complain."""


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: K.solve(8, time=3), "solve() has no option 'time'; did you mean time_limit?"),
        (lambda: K.count(5, nodes=3), "count() has no option 'nodes'; did you mean node_limit?"),
        (lambda: K.solve(8, close=True), "solve() has no option 'close'; did you mean closed?"),
        (
            lambda: K.solve(8, blocked=["d4"]),
            "solve() has no option 'blocked': it belongs to the board: write kt.solve(kt.Board(8, blocked=...))",
        ),
        (lambda: K.count(5, leaper=(2, 3)), "write kt.count(kt.Board(8, leaper=...))"),
        (lambda: K.puzzle(5, wrap="both"), "write kt.puzzle(kt.Board(8, wrap=...))"),
        (lambda: K.warnsdorff(5, blocked=[]), "write kt.warnsdorff(kt.Board(8, blocked=...))"),
        (lambda: K.warnsdorff_trials(5, 3, holes=[]), "write kt.warnsdorff_trials(kt.Board(8, blocked=...))"),
        (lambda: K.solve(8, including=[]), "write board.tours().including(...).find()"),
        (lambda: K.count(8, steps={}), "write board.tours().with_steps(...).count()"),
        (lambda: K.solve(8, symmetry="half-turn"), "write board.tours().symmetric(...).find()"),
        (lambda: TOURS.find(closed=True), "Tours.find() has no option 'closed': it says which tours are meant"),
        (lambda: TOURS.find(closed=True), "write board.tours(closed=...).find()"),
        (lambda: TOURS.count(start="a1"), "write board.tours(start=...).count()"),
        (lambda: TOURS.sample(end="a1"), "write board.tours(end=...).sample()"),
        (lambda: TOURS.find(blocked=[]), "it belongs to the board: write kt.Board(8, blocked=...)"),
        (lambda: TOURS.find(timelimit=3), "did you mean time_limit?"),
        (lambda: TOURS.sample(2, random_state=3), "did you mean seed?"),
        (lambda: TOURS.prepare(memory=3), "did you mean memory_limit?"),
        (lambda: TOURS.starts(workers=3), "did you mean threads?"),
        (lambda: BOARD.tours(time_limit=3), "tours() does not search yet: write board.tours().find(time_limit=...)"),
        (lambda: BOARD.tours(cyclic=True), "did you mean closed?"),
        (
            lambda: BOARD.tours(blocked=[]),
            "Board.tours() has no option 'blocked': it belongs to the board: write kt.Board(8, blocked=...)",
        ),
        (lambda: BOARD.tours(including=[]), "write board.tours().including(...)"),
        (lambda: BOARD.paths(3, begin="a1"), "Board.paths() has no option 'begin'"),
        (lambda: BOARD.paths(3).find(time=1), "Paths.find() has no option 'time'; did you mean time_limit?"),
        (lambda: K.Board(8, holes=["d4"]), "Board() has no option 'holes'; did you mean blocked?"),
        (lambda: K.Board(8, columns=3), "did you mean cols?"),
        (lambda: K.Board(rows=8, cols=8, xyz=1), "it has: rows, cols, blocked, leaper, wrap"),
        (lambda: K.solve(5).svg(color="red"), "Tour.svg() has no option 'color'; did you mean colors?"),
        (lambda: BOARD.svg(colour={}), "Board.svg() has no option 'colour'; did you mean colors?"),
        (lambda: K.solve(5).html(fast=3), "Tour.html() has no option 'fast'"),
        (lambda: K.solve(5).save("x.png", colour={}), "Tour.save() has no option 'colour'; did you mean colors?"),
        (lambda: K.svg_grid([], colum=3), "svg_grid() has no option 'colum'; did you mean columns?"),
        (lambda: K.solve_many([], time=3), "solve_many() has no option 'time'; did you mean time_limit?"),
        (lambda: K.measures([], size=3), "measures() has no option 'size'"),
        (lambda: BOARD.longest_path(time=3), "Board.longest_path() has no option 'time'; did you mean time_limit?"),
        (
            lambda: BOARD.longest_uncrossed(close=1),
            "Board.longest_uncrossed() has no option 'close'; did you mean closed?",
        ),
        (lambda: BOARD.start_squares(time=1), "Board.start_squares() has no option 'time'; did you mean time_limit?"),
        (lambda: K.Board.parse("..", holes=[]), "Board.parse() has no option 'holes'"),
        (lambda: K.Tour.parse("1", boards=5), "Tour.parse() has no option 'boards'; did you mean board?"),
        (lambda: K.Tour(BOARD, [], cyclic=True), "Tour() has no option 'cyclic'; did you mean closed?"),
        (lambda: TOURS.plan(part="ends"), "did you mean parts?"),
        (lambda: TOURS.plan("ends").run(limit=3), "Plan.run() has no option 'limit'"),
    ],
)
def test_the_option_that_was_meant_is_named(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        ask()
    assert message in str(caught.value)
    assert "_svg" not in str(caught.value)


def test_other_faults_are_told_as_ever() -> None:
    with pytest.raises(TypeError, match="missing"):
        TOURS.batches()
    with pytest.raises(TypeError, match="positional"):
        TOURS.find(3)

    def progress(_: object) -> None:
        raise TypeError("unexpected keyword argument 'x'")

    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        kt.Board(8).tours().count(progress=progress, time_limit=20.0)
    # What an option's value does is no fault of its name.
    with pytest.raises(kt.RequestError):
        K.solve(5, time_limit="x")


#: What brackets ask for has no names; this call of the messages' has options that are none.
NAMED = [name for name in calls() if not name.endswith("[]") and name != "Board.longest_uncrossed"]


NAMEABLE = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def call_of(name: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The call, and what it is given in the messages' tests."""
    call, positional, named = calls()[name]
    if name == "Board.from_image":
        # It takes no list of blocked squares: the picture has them.
        named = {option: value for option, value in named.items() if option != "blocked"}
    return call, positional, named


@pytest.mark.parametrize("name", NAMED)
def test_no_call_names_what_no_user_called(name: str) -> None:
    """The option is quoted, and the function by its public name."""
    call, positional, named = call_of(name)
    public = {"Walk": "warnsdorff"}.get(name, name.split(" ", maxsplit=1)[0])
    for wrong in ("quite_other", "x" * 5000):
        with pytest.raises(TypeError) as caught:
            call(*positional, **named, **{wrong: 1})
        message = str(caught.value)
        assert message.startswith(f"{public}() has no option")
        assert wrong[:20] in message
        assert len(message) < 500


def misspelt(name: str) -> str:
    """The name with the letter in its middle written twice."""
    middle = len(name) // 2
    return name[:middle] + name[middle] + name[middle:]


@pytest.mark.parametrize("name", NAMED)
def test_every_misspelt_option_of_every_call_has_its_nearest_named(name: str) -> None:
    call, positional, named = call_of(name)
    known = [one for one in inspect.signature(call).parameters.values() if one.kind in NAMEABLE]
    for option in known:
        wrong = misspelt(option.name)
        with pytest.raises(TypeError) as caught:
            call(*positional, **named, **{wrong: 1})
        assert str(caught.value).endswith(f"has no option '{wrong}'; did you mean {option.name}?")


def test_signatures_and_docstrings_stay() -> None:
    assert list(inspect.signature(kt.Tours.find).parameters)[:3] == ["self", "method", "order"]
    assert kt.Tours.find.__qualname__ == "Tours.find"
    assert kt.solve.__module__ == "knightstour.tours"
    assert (inspect.getdoc(kt.solve) or "").startswith("Find a tour")
    assert keywords.names_of(kt.puzzle)[:3] == ("board", "cols", "clues")


def test_dir_knows_every_public_name() -> None:
    """In a process that has used nothing yet."""
    program = "import knightstour as kt; print(*dir(kt)); import rlcompleter; c = rlcompleter.Completer({'kt': kt}); "
    program += "print(*c.attr_matches('kt.p'), *c.attr_matches('kt.P'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names, completed = done.stdout.splitlines()
    assert set(kt.__all__) <= set(names.split())
    assert {"kt.puzzle(", "kt.Path(", "kt.Paths(", "kt.Plan(", "kt.Puzzle("} <= set(completed.split())


@pytest.mark.parametrize("ask", [kt.open_tours, kt.open_plan])
def test_a_file_that_is_not_there(ask: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for error in (FileNotFoundError, kt.StoreError):
        with pytest.raises(error) as caught:
            ask("none.tours")
        assert str(caught.value) == "No such file: 'none.tours'"
    with pytest.raises(FileNotFoundError):
        ask(tmp_path / "none.db")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("8x8", "rows must be a whole number, not '8x8': write Board(8, 8), or Board.parse for a picture"),
        ("5 X 7", "write Board(5, 7), or Board.parse for a picture"),
        ("...\n...", "Board.parse reads a picture"),
        (2.5, "rows must be a whole number, not 2.5"),
        (0, "rows must be a whole number from 1 to 2147483648, not 0"),
    ],
)
def test_sizes_that_are_none(given: Any, message: str) -> None:
    with pytest.raises(kt.BoardError) as caught:
        kt.Board(given)
    assert message in str(caught.value)
    assert str(caught.value).endswith(message)
