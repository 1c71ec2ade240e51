"""What the program says, in the words of the design: each sentence was one that needed to be read twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import knightstour as kt
from commands import run
from knightstour.limits import describe_work, duration, limit_error

if TYPE_CHECKING:
    from collections.abc import Callable


def wazir(*rows: str) -> kt.Board:
    return kt.Board.parse("\n".join(rows), leaper=(0, 1))


def reason(tours: kt.Tours) -> str:
    """Why there is no tour."""
    answer = tours.find()
    assert isinstance(answer, kt.Impossible)
    return answer.reason.text


SENTENCES: dict[str, tuple[Callable[[], kt.Tours], str]] = {
    "colour of the start": (
        lambda: kt.Board(8, blocked=["d4"]).tours(start="a1"),
        (
            "No tour starts at a1: 31 open squares have its colour, 32 the other. A knight changes colour with every "
            "move, so a tour of 63 squares must start on the colour with 32, such as a2."
        ),
    ),
    "colour of the end": (
        lambda: kt.Board(5).tours(end="a2"),
        (
            "No tour ends at a2: 12 open squares have its colour, 13 the other. A knight changes colour with every "
            "move, so a tour of 25 squares must end on the colour with 13, such as a3."
        ),
    ),
    "colour of a step": (
        lambda: kt.Board(5).tours().with_steps({"a1": 3}),
        (
            "No tour has step 3 on a1: 13 open squares have its colour, 12 the other. A knight changes colour with "
            "every move, so a tour of 25 squares must have step 3 on the colour with 12, such as a2."
        ),
    ),
    "uneven colours": (
        lambda: kt.Board(4, 5, blocked=["a1", "c1", "e1", "b2"]).tours(closed=True),
        (
            "10 open squares have one colour, 6 the other. A knight changes colour with every move, so "
            "a closed tour visits as many squares of one as of the other."
        ),
    ),
    "leaper": (
        lambda: kt.Board(4, leaper=(1, 3)).tours(),
        "a (1, 3)-leaper never changes colour, and this board has squares of both colours",
    ),
    "cut": (
        lambda: wazir("...#", "...#", "....", "##..").tours(start="c2"),
        "removing c2 splits the board, so an open tour must have one end on each side; the ends asked for do not",
    ),
    "colours of images": (
        lambda: kt.Board(8).tours(closed=True).symmetric("quarter-turn"),
        (
            "no closed tour of the 8x8 board has the symmetry quarter-turn: the symmetry would shift the tour along "
            "itself by a part of its length. A square and its image would then be that number of moves apart, and "
            "their colours do not allow it"
        ),
    ),
    "no such symmetries": (
        lambda: kt.Board(5, 6).tours().symmetric("half-turn").symmetric("flip-horizontal"),
        (
            "no open tour of the 5x6 board has the symmetries half-turn and flip-horizontal: a symmetry of an open "
            "tour reverses it. Done once, it leaves at most the middle square in place; done twice, all squares"
        ),
    ),
    "exhausted": (
        lambda: kt.Board(3, 7, blocked=["d2"]).tours(),
        "every possibility was tried (N steps): the 3x7 board with 1 blocked square has no open tour",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_reasons(name: str) -> None:
    tours, text = SENTENCES[name]
    said = reason(tours())
    assert re.sub(r"[0-9,]+ steps?", "N steps", said) == text if "N steps" in text else said == text
    assert not re.search(r"\b1 (squares|steps|pieces|moves)\b", said)


def test_a_shortage_of_moves() -> None:
    said = reason(kt.Board.parse(".....\n.#.##\n.....").tours())
    numbers = re.fullmatch(
        r"(\d+) squares \(([a-e][1-3](?:, [a-e][1-3])*)(, \.\.\.)?\) lead to only (\d+) (?:others|squares)\. "
        r"A tour needs (\d+) moves between them, where an end counts as a move; (\d+) squares can take only (\d+)\.",
        said,
    )
    assert numbers, said
    squares, names, more, others, need, again, room = numbers.groups()
    assert others == again
    assert int(need) > int(room)
    assert int(squares) >= len(names.split(", "))
    assert (more is not None) is (int(squares) > 6)


def test_limits() -> None:
    stats = kt.Stats("backtracking", seconds=3.11e-05, nodes=1)
    assert describe_work(stats) == "0.00003 s, 1 node"
    error = limit_error(kt.Stopped("time", stats), "counting the closed tours of the 8x8 board")
    text = "stopped by the time limit while counting the closed tours of the 8x8 board (0.00003 s, 1 node)"
    assert str(error) == text
    done = run(
        "solve", "8x8", "--start", "a1", "--end", "b1", "--method", "backtracking", "--node-limit", "5", "--quiet"
    )
    assert done.returncode == 3
    assert re.fullmatch(
        r"knightstour: stopped by the node limit \([0-9.]+ s, 5 nodes\)\. It is not known whether a tour exists\.\n",
        done.stderr,
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *[(0, "0 s"), (3.11e-05, "0.00003 s"), (0.29, "0.3 s"), (0.999, "1 s"), (0.96, "1 s"), (0.04, "0.04 s")],
        *[
            (1.04, "1 s"),
            (2.55, "2.5 s"),
            (9.97, "10 s"),
            (12.6, "13 s"),
            (1234.5, "1,234 s"),
            (1e-300, f"0.{'0' * 299}1 s"),
        ],
    ],
)
def test_seconds(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_symmetries_that_a_board_has_not() -> None:
    board = kt.Board(6, 7, blocked=["a1", "b1", "c1", "d1", "e1"])
    with pytest.raises(kt.RequestError) as caught:
        board.tours().symmetric("half-turn")
    text = "this board has no half-turn symmetry (its blocked squares break it); it has: identity"
    assert str(caught.value) == text
    with pytest.raises(kt.RequestError, match=r"^this board has no quarter-turn symmetry; it has: identity"):
        kt.Board(6, 7).tours().symmetric("quarter-turn")
    with pytest.raises(kt.RequestError) as caught:
        kt.Board(6).tours().symmetric("half-turn").find(order="fixed", method="backtracking")
    assert str(caught.value).startswith("symmetric tours cannot be combined with")
