"""Tours read from what people and programs write, and JSON in and out."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from commands import PATIENCE, answer, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOUR = kt.solve(5, 6, seed=3)
RING = kt.Tour.parse("1 6 3\n4 # 8\n7 2 5")
BOARDS = [
    kt.Board(1),
    kt.Board(3, 4),
    kt.Board(5),
    kt.Board(3, blocked=["b2"]),
    kt.Board(5, 6, blocked=["a1"]),
    kt.Board(4, wrap="both"),
    kt.Board(3, 2, leaper=(0, 1)),
    kt.Board(2, 3, leaper=(0, 1)),
    kt.Board(10, leaper=(2, 3)),
]


def tours() -> list[kt.Tour]:
    """One of each board, a cycle where its ends meet, as what is read is."""
    return [kt.Tour(board, kt.solve(board).squares) for board in BOARDS]


def csv_text(rows: Any, **options: Any) -> str:
    file = io.StringIO()
    csv.writer(file, **options).writerows(rows)
    return file.getvalue()


def forms(tour: kt.Tour) -> dict[str, str]:
    """A tour as other programs would write it."""
    pairs = [tuple(square) for square in tour.squares]
    from_1 = [(row + 1, col + 1) for row, col in pairs]
    steps = list(enumerate(pairs))
    return {
        "grid": str(tour),
        "grid from 0": "\n".join(" ".join("#" if n is None else str(n) for n in row) for row in tour.grid(first=0)),
        "csv": csv_text(tour.grid()),
        "csv with #": csv_text([["#" if n is None else n for n in row] for row in tour.grid()]),
        "csv with semicolons": csv_text(tour.grid(), delimiter=";"),
        "quoted csv": csv_text([["#" if n is None else n for n in row] for row in tour.grid()], quoting=csv.QUOTE_ALL),
        "names": " ".join(tour.names()),
        "names one a line": "\n".join(tour.names()),
        "names as Python writes them": repr(tour.names()),
        "names as JSON": json.dumps(tour.names()),
        "pairs": " ".join(map(repr, pairs)),
        "pairs as Python writes them": repr(pairs),
        "pairs from 1": " ".join(map(repr, from_1)),
        "table": csv_text([("step", "row", "col"), *((step, *pair) for step, pair in steps)]),
        "table from 1": csv_text([("Step", "Row", "Column"), *((s + 1, r + 1, c + 1) for s, (r, c) in steps)]),
        "table without steps": csv_text([("row", "col"), *pairs]),
        "table in another order": csv_text([("col", "row", "step"), *((c, r, s) for s, (r, c) in reversed(steps))]),
        "table of names": csv_text([("step", "square"), *enumerate(tour.names(), 1)], delimiter="\t"),
        "json": tour.to_json(),
        "indented json": json.dumps(json.loads(tour.to_json()), indent=2),
        "json of pairs": json.dumps({"tour": [list(pair) for pair in pairs]}),
    }


@pytest.mark.parametrize("tour", tours(), ids=lambda tour: repr(tour.board)[6:-1])
def test_every_form_is_read(tour: kt.Tour) -> None:
    for name, text in forms(tour).items():
        for written in (text, text.replace("\n", "\r\n"), text.replace("\n", "\r"), f"\ufeff\n{text}\n\n"):
            assert kt.Tour.parse(written, tour.board) == tour, (name, written)


def test_every_form_without_a_board() -> None:
    for tour in (TOUR, kt.solve(3, 4), kt.solve(8, closed=True)):
        for name, text in forms(tour).items():
            assert kt.Tour.parse(text) == tour, (name, text)
            assert kt.Tour.parse(text.replace(" ", "\t"), tour.board) == tour, name


@pytest.mark.parametrize(
    "text",
    [
        "[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]",
        "((1, 4, 7, 10), (8, 11, 2, 5), (3, 6, 9, 12))",
        "1, 4, 7, 10,\n8, 11, 2, 5,\n3, 6, 9, 12\n",
        "1, 4, 7, 10,\n8, 11, 2, 5,\n3, 6, 9, 12,\n",
        "+----+----+\n|  1 |  4 |  7 | 10 |\n|---:|---:|\n|  8 | 11 |  2 |  5 |\n\n|  3 |  6 |  9 | 12 |\n+===+",
        "a3-c2-a1-b3-d2-b1-c3-a2-c1-d3-b2-d1",
        "0 0\n1 2\n2 0\n0 1\n1 3\n2 1\n0 2\n1 0\n2 2\n0 3\n1 1\n2 3",
        "[[1, 1], [2, 3], [3, 1], [1, 2], [2, 4], [3, 2], [1, 3], [2, 1], [3, 3], [1, 4], [2, 2], [3, 4]]",
    ],
)
def test_other_hands(text: str) -> None:
    assert str(kt.Tour.parse(text)) == " 1  4  7 10\n 8 11  2  5\n 3  6  9 12"


def test_nothing_between_commas_is_no_number() -> None:
    """It is a blocked square only of a board that is given."""
    with pytest.raises(kt.InvalidTourError, match=r"1 of the 9 squares has no number \(b2\)"):
        kt.Tour.parse("1,6,3\n4,,8\n7,2,5\n")
    assert kt.Tour.parse("1,6,3\n4,,8\n7,2,5\n", RING.board) == RING
    corner = kt.solve(kt.Board(5, blocked=["e1"]))
    text = csv_text(corner.grid())
    assert text.endswith(",\r\n")
    assert kt.Tour.parse(text, corner.board) == corner


@pytest.mark.parametrize("sign", [".", "-", "--", "-1", "_", "x", "X", "0", "nan", "None", "null", "?", "·", "□"])
def test_signs_for_no_number(sign: str) -> None:
    """A walk that got stuck is no tour (case 35)."""
    text = f"1 4 7 {sign}\n{sign} {sign} 2 5\n3 6 {sign} {sign}"
    for written in (text, text.replace(" ", ","), text.replace(" ", "\t"), text.replace(" ", " | ")):
        with pytest.raises(kt.InvalidTourError, match=r"5 of the 12 squares have no number \(d3, a2, b2, c1, d1\); if"):
            kt.Tour.parse(written)
        walk = kt.Tour.parse(written, kt.Board(3, 4, blocked=["d3", "a2", "b2", "c1", "d1"]))
        assert walk.names() == ["a3", "c2", "a1", "b3", "d2", "b1", "c3"]


NO_TOUR, UNREADABLE = kt.InvalidTourError, kt.ReadError

BAD = [
    ("1 4 7 10\n8 11 x 5\n3 6 9 12", NO_TOUR, "no number \\(c2\\)"),
    ("1 4 7 10\n8 11 2 5\n3 6 9 -12", NO_TOUR, "out of range -12; missing 12"),
    ("1 4 7 10\n8 11 2 5\n3 6 9 1.5", NO_TOUR, "out of range 1.5; missing 12"),
    ("1 4\r8 \u00e9", UNREADABLE, "line 2, column 3.*neither a number nor a square"),
    ("1 4 7\n8 11", UNREADABLE, "line 2, column 1: 2 numbers, but the first row has 3"),
    ("step,row,col\n0,0,0\n2,1,2", NO_TOUR, "2 of the 6"),
    ("step,square\n1,q", UNREADABLE, "line 1"),
    ("step,row,col", UNREADABLE, "line 1"),
    ('{"tour": ["a1", 5]}', UNREADABLE, "line 1, column.*a square is a name or a pair"),
    ('{"tour": [\n"a1",\n}', UNREADABLE, "line 3, column 1.*JSON"),
    ('{"board": {"rows": 3, "cols": 4}}', UNREADABLE, "line 1, column.*missing field `tour`"),
    ('{"tour": []}', UNREADABLE, "empty"),
    ('{"tour": ["a1", [0, 0]]}', UNREADABLE, "all squares must be names, or all must be pairs"),
    ('{"version": 2, "tour": ["a1"]}', UNREADABLE, "JSON of version 2; version 1 can be read"),
    ('{"board": {"rows": 0, "cols": 4}, "tour": ["a1"]}', NO_TOUR, "0"),
    ('{"board": {"rows": 99999, "cols": 99999}, "tour": ["a1"]}', NO_TOUR, "99999"),
    (
        '{"board": {"rows": 3, "cols": 4, "blocked": ["e1"]}, "tour": ["a1"]}',
        UNREADABLE,
        '"e1" is not on the 3x4 board',
    ),
    ('{"board": {"rows": 3, "cols": 4, "wrap": "up"}, "tour": ["a1"]}', UNREADABLE, '"up"'),
    ('{"board": {"rows": 3, "cols": 4, "leaper": [0, 0]}, "tour": ["a1"]}', UNREADABLE, "not a leaper"),
    ('{"board": {"rows": 3, "cols": 4}, "tour": ["a1", "b4"]}', NO_TOUR, "step 1: "),
    ('{"tour": "' + "x" * 10**5, UNREADABLE, "line 1, column.*JSON"),
    ("[" * 10**5, UNREADABLE, "no number"),
    ('{"a":' * 10**4, UNREADABLE, "line 1, column.*JSON"),
    ("(0, 0) (1, 9)", UNREADABLE, "line|numbers"),
    ("I have 3 dogs and 12 cats; in 1848 there were 64 of them. " * 3, UNREADABLE, 'line 1, column 1: "I"'),
]


@pytest.mark.parametrize(("text", "kind", "said"), BAD, ids=lambda value: repr(value)[:30])
def test_refused_with_what_is_wrong(text: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=said) as caught:
        kt.Tour.parse(text)
    assert isinstance(caught.value, kind)
    assert len(str(caught.value)) < 400


def test_the_first_bad_step_of_pairs() -> None:
    with pytest.raises(kt.InvalidTourError, match=r"step 1: .*\(9, 9\)") as caught:
        kt.Tour.parse("(0, 0) (9, 9)", kt.Board(3, 4))
    assert caught.value.step == 1
    assert isinstance(caught.value, kt.SquareError)
    with pytest.raises(kt.InvalidTourError) as caught:
        kt.Tour.parse("(0, 0) (1, 1) (9, 9)", kt.Board(3, 4))
    assert caught.value.step == 1


class TestJson:
    @pytest.mark.parametrize("tour", tours(), ids=lambda tour: repr(tour.board)[6:-1])
    def test_there_and_back(self, tour: kt.Tour) -> None:
        assert kt.Tour.from_json(tour.to_json()) == tour
        assert kt.Tour.from_json(tour.to_json(), tour.board) == tour
        for closed in {False, tour.is_closed}:
            same = kt.Tour(tour.board, tour.squares, closed=closed)
            assert kt.Tour.from_json(same.to_json()) == same

    def test_the_schema(self) -> None:
        """The keys are a contract."""
        tour = kt.solve(kt.Board(3, blocked=["b2"]), closed=True, start="a3")
        assert json.loads(tour.to_json()) == {
            "version": 1,
            "board": {"rows": 3, "cols": 3, "blocked": ["b2"], "leaper": [1, 2], "wrap": None},
            "closed": True,
            "tour": tour.names(),
        }
        assert list(json.loads(tour.to_json())) == ["version", "board", "closed", "tour"]

    def test_a_file_of_the_first_version(self) -> None:
        """What was written once is read for ever."""
        text = (
            '{"version": 1, "board": {"rows": 3, "cols": 4, "blocked": [], "leaper": [1, 2], "wrap": null}, '
            '"closed": false, "tour": '
            '["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]}'
        )
        tour = kt.Tour.from_json(text)
        assert tour.to_json() == text

    def test_what_the_command_line_prints(self) -> None:
        for arguments in (["5x5"], ["6x6", "--closed"], ["4x4", "--wrap", "both"], ["5x5", "--blocked", "a1,c3"]):
            text = answer("solve", *arguments, "--json")
            tour = kt.Tour.from_json(text)
            assert tour.names() == json.loads(text)["tour"]
            assert answer("verify", "-", stdin=text).count("tour of the") == 1

    def test_another_board(self) -> None:
        with pytest.raises(kt.InvalidTourError, match="5x6 board, not on the 6x5"):
            kt.Tour.from_json(TOUR.to_json(), kt.Board(6, 5))

    @pytest.mark.parametrize("text", ["", "[]", "5", '"a1"', "1 2", "null", "{}", "{", "\ud800", "NaN"])
    def test_no_tour(self, text: str) -> None:
        with pytest.raises(kt.ReadError):
            kt.Tour.from_json(text)

    def test_no_text(self) -> None:
        values: list[Any] = [None, b"{}", {}, 1]
        for value in values:
            with pytest.raises(kt.ReadError, match="JSON is text"):
                kt.Tour.from_json(value)

    def test_too_large(self) -> None:
        with pytest.raises(kt.MemoryLimitError, match="characters in JSON"):
            kt.solve(4000).to_json()


TEXTS = [text for tour in (kt.solve(3, 4), RING) for text in forms(tour).values()]
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1), st.integers(0, 3), st.text(alphabet="0123456789 \n\r\t,;#.-()[]{}\"'a|\0é\ufeff:", max_size=4)
    ),
    max_size=4,
)


@given(st.sampled_from(TEXTS), EDITS)
def test_damaged_texts_are_read_or_refused(text: str, edits: list[tuple[float, int, str]]) -> None:
    for where, length, put in edits:
        at = int(where * len(text))
        text = text[:at] + put + text[at + length :]
    for read in (kt.Tour.parse, kt.Tour.from_json):
        tour, message = attempt(read, text)
        if tour is None:
            assert len(message) < 500
            continue
        assert kt.Tour.parse(str(tour), tour.board) in {tour, kt.Tour(tour.board, tour.squares)}


def attempt(read: Callable[[str], kt.Tour], text: str) -> tuple[kt.Tour | None, str]:
    """A tour, or why there is none."""
    try:
        return read(text), ""
    except (kt.InvalidTourError, kt.ReadError) as error:
        return None, str(error)


class TestVerify:
    def test_several_tours_are_verified_each(self) -> None:
        lines = answer("list", "5x5", "--limit", "3")
        found = answer("verify", "-", stdin=lines).splitlines()
        assert [line.split(":")[0] for line in found] == ["1", "2", "3"]
        assert all(": open tour of the 5x5 board" in line for line in found)
        grids = answer("solve", "5x5") + "\n" + answer("solve", "6x6", "--closed")
        found = answer("verify", "-", stdin=grids).splitlines()
        assert [line.split(" of ")[0] for line in found] == ["1: open tour", "2: closed tour"]
        found = answer("verify", "-", stdin=answer("list", "3x10", "--closed", "--json")).splitlines()
        assert len(found) == 16

    def test_one_of_several_is_none(self) -> None:
        first, second, third = answer("list", "5x5", "--limit", "3").splitlines()
        swapped = " ".join([*second.split()[:2][::-1], *second.split()[2:]])
        done = run("verify", "-", stdin=f"{first}\n{swapped}\n{third}\n")
        assert done.returncode == 1
        assert [": not a tour: read as names of squares: step" in line for line in done.stdout.splitlines()] == [
            False,
            True,
            False,
        ]
        done = run("verify", "-", "--json", stdin=f"{first}\n{swapped}\n")
        assert [json.loads(line)["valid"] for line in done.stdout.splitlines()] == [True, False]

    def test_what_is_one_tour_stays_one(self) -> None:
        names = answer("list", "5x5", "--limit", "1").split()
        for text in ("\n".join(names), "\n\n".join(" ".join(names[i : i + 5]) for i in range(0, 25, 5))):
            assert answer("verify", "-", stdin=text).startswith("open tour of the 5x5 board")

    def test_utf_16(self) -> None:
        done = run("verify", "-", stdin=answer("solve", "5x5").encode("utf-16"))
        assert (done.returncode, done.stderr) == (0, "")

    def test_other_encodings_and_what_is_no_text(self) -> None:
        grid = answer("solve", "5x5")
        assert run("verify", "-", stdin=grid.encode("utf-8-sig")).returncode == 0
        for data, status, said in (
            (grid.encode("utf-16-le"), 2, "line 1, column"),
            (grid.encode("utf-32"), 2, "line 1, column"),
            (grid.replace(" ", "\0", 1).encode(), 2, "line 1, column"),
            (grid.encode() + b"\xe9", 2, "not text in UTF-8"),
        ):
            done = run("verify", "-", stdin=data)
            assert (done.returncode, said in done.stdout + done.stderr) == (status, True)

    def test_what_list_has_packed(self, tmp_path: Path) -> None:
        file = tmp_path / "tours.txt.gz"
        answer("list", "3x10", "--closed", "-o", str(file))
        assert answer("verify", str(file)) == answer("verify", "-", stdin=answer("list", "3x10", "--closed"))
        for data in (file.read_bytes()[:-9], file.read_bytes()[:20] + b"x" * 50, b"\x1f\x8b", b"\x1f\x8bnot packed"):
            done = run("verify", "-", stdin=data)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
            assert "gzip" in done.stderr

    def test_a_packed_bomb(self) -> None:
        """It would fill a gigabyte."""
        bomb = gzip.compress(bytes(1 << 20)) * 1024
        done = run("verify", "-", stdin=bomb)
        assert (done.returncode, done.stdout) == (2, "")
        assert "larger than 268,435,456 bytes" in done.stderr

    @pytest.mark.parametrize("line", ["1 2 3 4 5", "a1 b3", "(1, 2)", "{", "[[1,", "....", "\0", ""])
    def test_a_text_of_many_lines_that_holds_no_tour(self, line: str) -> None:
        """It gets one verdict, and soon."""
        done = run("verify", "-", stdin=f"{line}\n" * 200_000)
        assert (done.returncode, done.stdout.count("\n")) in {(1, 1), (2, 1)}

    @pytest.mark.slow
    @pytest.mark.parametrize("command", ["verify {}", "solve @{}", "draw {}", "play --tour {}"])
    def test_a_file_of_a_gigabyte(self, command: str, tmp_path: Path) -> None:
        """Read as far as a file may go, and no further."""
        file = tmp_path / "huge.txt"
        with file.open("wb") as huge:
            huge.truncate(1 << 30)
        code = (
            "import sys; from knightstour.cli import main; status = main(sys.argv[1:]); "
            # Not ru_maxrss, which a child has from its parent.
            "peak = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]; "
            "print(status, *peak)"
        )
        line = [sys.executable, "-c", code, *command.format(file).split()]
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=True)
        status, kilobytes = map(int, done.stdout.split())
        assert (status, "larger than 268,435,456 bytes" in done.stderr) == (2, True)
        assert kilobytes < 600_000

    def test_files_without_end_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("knightstour.cli.reading.LARGEST_FILE", 1 << 21)
        for command in (["verify", "/dev/zero"], ["solve", "@/dev/zero"]):
            done = run(*command)
            assert (done.returncode, done.stdout) == (2, "")
            assert re.search("larger than 2,097,152 bytes", done.stderr)
        assert run("verify", "-", stdin=b"1 " * (1 << 20)).stdout.startswith("cannot be read: ")
        assert run("verify", "-", stdin=b"1 " * (1 << 20) + b" ").returncode == 2
