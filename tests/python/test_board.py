"""Boards: what they take, what they refuse, and their squares, moves, names, pictures and symmetries."""

import copy
import itertools
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
import knightstour as kt


def refuse(error: type[Exception], quoted: str, *args: Any, **options: Any) -> None:
    with pytest.raises(error) as caught:
        kt.Board(*args, **options)
    assert quoted in str(caught.value)
    assert len(str(caught.value)) < 400


def test_plain_board() -> None:
    board = kt.Board(3, 4)
    assert (board.rows, board.cols, board.leaper, board.wrap) == (3, 4, (1, 2), None)
    assert len(board) == 12
    assert board.blocked == frozenset()
    assert list(board) == list(board.squares) == [(row, col) for row in range(3) for col in range(4)]
    assert kt.Board(8) == kt.Board(8, 8) == kt.Board(rows=8, cols=8)
    assert str(board) == "....\n....\n...."


def test_squares_come_back_as_named_tuples() -> None:
    square = kt.Board(8).square("a1")
    assert square == (7, 0)
    assert isinstance(square, kt.Square)
    assert (square.row, square.col) == (7, 0)
    assert all(isinstance(s, kt.Square) for s in kt.Board(5).moves("c3"))


@pytest.mark.parametrize(
    ("args", "quoted"),
    [
        ((0, 5), "0"),  # case 30
        ((-3, 8), "-3"),  # case 30
        ((2.5, 8), "2.5"),  # case 30
        (("abc",), "'abc'"),  # case 30
        ((8, 0), "0"),
        ((8, -1), "-1"),
        ((8, 8.0), "8.0"),
        ((8, "8"), "'8'"),
        ((True, 8), "True"),
        ((8, False), "False"),
        ((np.True_, 8), "True"),
        ((None,), "None"),
        (((8, 8),), "(8, 8)"),
        ((1j,), "1j"),
        ((float("nan"),), "nan"),
        ((float("inf"),), "inf"),
        ((2**31 + 1, 1), "2147483649"),
        ((2**70,), str(2**70)),
        ((-(2**70),), str(-(2**70))),
        ((1, 10**5000), "bits"),
        ((2**16, 2**16), "65536 x 65536"),
        ((2**31, 2), "2147483648 x 2"),
        (("x" * 10**6,), "'xxx"),
    ],
)
def test_bad_sizes(args: tuple[Any, ...], quoted: str) -> None:
    refuse(kt.BoardError, quoted, *args)


def test_sizes_may_be_anything_with_an_index() -> None:
    class Three:
        def __index__(self) -> int:
            return 3

    assert kt.Board(Three(), np.int8(4)) == kt.Board(np.uint64(3), np.array(4)) == kt.Board(3, 4)  # type: ignore[call-overload,unused-ignore]

    class Broken:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        kt.Board(Broken())


def test_unknown_words_are_type_errors() -> None:
    with pytest.raises(TypeError):
        kt.Board(8, holes=["a1"])  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        kt.Board()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "leaper",
    [
        (0, 0),
        (-1, 2),
        (1, -2),
        (1, 2, 3),
        (1,),
        (),
        5,
        "ab",
        (1.0, 2),
        (True, 2),
        (2**31 + 1, 1),
        {1, 2},
    ],
)
def test_bad_leapers(leaper: Any) -> None:
    refuse(kt.BoardError, "leaper must be a pair", 8, leaper=leaper)


def test_leapers() -> None:
    assert kt.Board(8, leaper=(2, 1)) == kt.Board(8) == kt.Board(8, leaper=[np.int64(1), 2])  # type: ignore[arg-type]
    assert kt.Board(8, leaper=(3, 1)).leaper == (1, 3)
    assert kt.Board(8, leaper=(0, 1)).moves((0, 0)) == ((0, 1), (1, 0))
    assert kt.Board(8, leaper=(2**31, 1)).moves("a1") == ()


@pytest.mark.parametrize("wrap", ["torus", "", "COLS", 1, True, b"cols", ("cols",)])
def test_bad_wraps(wrap: Any) -> None:
    refuse(kt.BoardError, "wrap must be None, 'cols', 'rows' or 'both'", 8, wrap=wrap)


def test_bad_blocked_squares() -> None:
    refuse(kt.SquareError, "(8, 0)", 8, blocked=[(8, 0)])
    refuse(kt.SquareError, "8x8", 8, blocked=[(8, 0)])
    refuse(kt.SquareError, "'i9'", 8, blocked=["a1", "i9"])
    refuse(kt.SquareError, "(-1, 0)", 8, blocked=[(-1, 0)])
    refuse(kt.SquareError, "0", 8, blocked=(0, 1))
    refuse(kt.BoardError, "'d4'", 8, blocked="d4")
    refuse(kt.BoardError, "5", 8, blocked=5)
    refuse(kt.BoardError, "at least one must be open", 1, blocked=["a1"])
    refuse(kt.BoardError, "all 6 squares", 2, 3, blocked=itertools.product(range(2), range(3)))


def test_blocked_squares() -> None:
    board = kt.Board(8, 8, blocked=["d4", (0, 1), (0, 1), np.array([1, 2])])  # type: ignore[list-item]
    assert board.blocked == {(4, 3), (0, 1), (1, 2)}
    assert all(isinstance(square, kt.Square) for square in board.blocked)
    assert len(board) == 61
    assert repr(board) == "Board(8, 8, blocked=['b8', 'c7', 'd4'])"
    assert board.moves((0, 0)) == ((2, 1),)
    assert "d4" not in board
    assert "d5" in board
    assert board.name((4, 3)) == "d4"
    assert (4, 3) not in board.squares
    assert kt.Board(8, blocked=[]) == kt.Board(8)


BAD_SQUARES: list[Any] = [
    (8, 0),
    (0, 8),
    (-1, 0),
    (0, -1),
    (2**70, 0),
    (1.0, 0),
    (True, 0),
    ("0", 0),
    (0,),
    (0, 0, 0),
    (),
    [0],
    5,
    None,
    "i1",
    "a9",
    "a0",
    "a",
    "",
    "a1 ",
    "ä1",
    "\ud800",
    "a" * 1000,
    "a" + "1" * 1000,
    b"a1",
    {0: 0, 1: 0},
    {0, 1},
    np.array([0, 1, 2]),
    np.array([0.0, 1.0]),
    object(),
]


@pytest.mark.parametrize("square", BAD_SQUARES, ids=lambda square: ascii(square)[:20])
def test_bad_squares(square: Any) -> None:
    board = kt.Board(8)
    for ask in (board.moves, board.degree, board.name, board.square):
        with pytest.raises(kt.SquareError) as caught:
            ask(square)
        assert "8x8" in str(caught.value)
        assert len(str(caught.value)) < 300
    assert square not in board
    assert square not in board.squares


def test_messages_quote_the_square() -> None:  # case 31
    with pytest.raises(kt.SquareError, match=r"\(8, 3\).*8x8.*rows are 0 to 7, columns 0 to 7"):
        kt.Board(8).moves((8, 3))
    with pytest.raises(kt.SquareError, match=r"'d4' is blocked on the 8x8 board with 1 blocked square"):
        kt.Board(8, blocked=["d4"]).moves("d4")
    with pytest.raises(kt.SquareError, match=r"'i1'.*8x8.*a1 to h8"):
        kt.Board(8).degree("i1")


def test_names() -> None:
    board = kt.Board(30, 800)
    for name, square in {
        "a1": (29, 0),
        "a30": (0, 0),
        "z1": (29, 25),
        "aa1": (29, 26),
        "zz2": (28, 701),
    }.items():
        assert board.square(name) == square
        assert board.square(name.upper()) == square
        assert board.name(square) == name
    assert all(board.square(board.name(square)) == square for square in board.squares[::97])


@given(boards.options())
def test_moves_are_those_of_the_judge(given: dict[str, Any]) -> None:
    board = boards.build(given)
    judged = boards.graph(board)
    assert list(board.squares) == sorted(judged)
    assert len(board) == len(judged)
    for square in judged:
        assert board.moves(square) == tuple(judged[square])
        assert board.degree(square) == len(judged[square])


@given(boards.options(), boards.options())
def test_equality_and_hash(one: dict[str, Any], two: dict[str, Any]) -> None:
    first, again, other = boards.build(one), boards.build(one), boards.build(two)
    assert first == again
    assert hash(first) == hash(again)

    def key(given: dict[str, Any]) -> dict[str, Any]:
        return given | {"leaper": tuple(sorted(given["leaper"]))}

    assert (first == other) == (key(one) == key(two))
    assert (first != other) == (key(one) != key(two))


def test_boards_differ_from_other_things() -> None:
    assert kt.Board(1) != 1
    assert kt.Board(8) != "Board(8, 8)"
    assert len({kt.Board(8), kt.Board(8, 8), kt.Board(8, 9)}) == 2


@given(boards.boards())
def test_round_trips(board: kt.Board) -> None:
    assert eval(repr(board), {"Board": kt.Board}) == board
    assert kt.Board.parse(str(board), leaper=board.leaper, wrap=board.wrap) == board
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(board, protocol)) == board
    assert copy.copy(board) == copy.deepcopy(board) == board


def test_pickles_are_checked() -> None:
    data = pickle.dumps(kt.Board(8, blocked=["a1"]))
    number = (56).to_bytes(4, "little")
    assert data.count(number) == 1
    with pytest.raises(kt.BoardError, match="64"):
        pickle.loads(data.replace(number, (64).to_bytes(4, "little")))
    restore, arguments = kt.Board(8).__reduce__()
    for bad in [
        (0, *arguments[1:]),
        (*arguments[:2], b"abc", *arguments[3:]),
        (*arguments[:3], (0, 0), None),
    ]:
        with pytest.raises(kt.BoardError):
            restore(*bad)


def test_immutable() -> None:
    board = kt.Board(8)
    for name in ("rows", "blocked", "anything"):
        with pytest.raises(AttributeError):
            setattr(board, name, 5)


def test_pictures() -> None:
    board = kt.Board.parse("\n\t..#. \r\n  ....\n\n\n", leaper=(1, 3), wrap="rows")
    assert board == kt.Board(2, 4, blocked=[(0, 2)], leaper=(1, 3), wrap="rows")
    assert str(board) == "..#.\n...."
    assert kt.Board.parse("\ufeff.") == kt.Board(1)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        ("..\n...", "line 2"),
        ("..\n\n..", "line 2"),
        ("..\n.x", "'x'"),
        ("..\n.\ud800", "line 2"),
        ("##\n##", "all 4 squares"),
        (b"..", "b'..'"),
        (5, "5"),
        (None, "None"),
    ],
)
def test_bad_pictures(text: Any, quoted: str) -> None:
    with pytest.raises(kt.BoardError) as caught:
        kt.Board.parse(text)
    assert quoted in str(caught.value)


@given(st.text(alphabet=".#\n\r\t x\ufeff\0", max_size=30))
def test_any_picture_is_read_or_refused(text: str) -> None:
    try:
        board = kt.Board.parse(text)
    except kt.BoardError:
        return
    assert kt.Board.parse(str(board)) == board


def test_the_largest_board() -> None:
    board = kt.Board(2**16, 2**15)
    squares = board.squares
    assert len(board) == len(squares) == 2**31
    assert squares[-1] == (2**16 - 1, 2**15 - 1)
    assert squares[2**30 : 0 : -(2**29)] == [(2**15, 0), (2**14, 0)]
    assert squares.index((5, 6)) == 5 * 2**15 + 6
    assert (2**16, 0) not in squares
    assert board.degree(squares[-1]) == 2
    assert len(repr(board) + repr(squares)) < 300
    with pytest.raises(kt.MemoryLimitError, match="65536x32768"):
        str(board)
    assert board == pickle.loads(pickle.dumps(board))
    with pytest.raises(kt.MemoryLimitError, match="symmetries"):
        kt.Board(2**16, 2**15, wrap="both").symmetries  # noqa: B018
    assert len(board.symmetries) == 4


# --- squares as a sequence


@given(boards.boards(), st.slices(30), st.slices(30))
def test_squares_are_a_sequence(board: kt.Board, one: slice, two: slice) -> None:
    expected = tuple(sorted(boards.graph(board)))
    for squares, items in [
        (board.squares, expected),
        (board.squares[one], expected[one]),
        (board.squares[one][two], expected[one][two]),
    ]:
        assert len(squares) == len(items)
        assert tuple(squares) == items
        assert tuple(reversed(squares)) == tuple(reversed(items))
        assert squares == items
        assert items == squares
        assert squares == list(items)
        assert hash(squares) == hash(items)
        assert squares != (*items, (0, 0))
        assert squares != [*items[:-1], (99, 99)]
        for index in range(-len(items), len(items)):
            assert squares[index] == items[index]
        for index in (len(items), -len(items) - 1, 2**70):
            with pytest.raises(IndexError):
                squares[index]
        for square in board.squares:
            assert (square in squares) == (square in items)
            assert squares.count(square) == items.count(square)
            if square in items:
                assert squares.index(square) == items.index(square)
        assert pickle.loads(pickle.dumps(squares)) == squares
        assert copy.copy(squares) == copy.deepcopy(squares) == squares


def test_squares_take_part_as_sequences() -> None:
    squares = kt.Board(2, 2).squares
    assert isinstance(squares, Sequence)
    match squares:
        case [kt.Square(0, 0), *rest]:
            assert len(rest) == 3
        case _:
            pytest.fail("a sequence pattern does not match")
    assert squares != 5
    assert squares != {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert squares == kt.Board(2, 2, wrap="both").squares
    assert squares != kt.Board(1, 4).squares
    with pytest.raises(TypeError):
        squares["a1"]  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        squares[0] = (1, 1)  # type: ignore[index]


def test_index_of_a_square() -> None:
    squares = kt.Board(3).squares
    assert squares.index("a1") == 6
    assert squares.index((1, 1), 2) == squares.index((1, 1), -6, 5) == 4
    for bounds in [(5,), (0, 4), (-2,)]:
        with pytest.raises(ValueError, match="not among"):
            squares.index((1, 1), *bounds)
    with pytest.raises(ValueError, match="z9"):
        squares.index("z9")
    assert squares.count("b2") == 1
    assert squares.count("z9") == 0


def test_iterating_and_the_length_left() -> None:
    squares = iter(kt.Board(2).squares)
    assert squares.__length_hint__() == 4
    assert next(squares) == (0, 0)
    assert squares.__length_hint__() == 3
    assert list(squares) == [(0, 1), (1, 0), (1, 1)]
    assert squares.__length_hint__() == 0
    with pytest.raises(StopIteration):
        next(squares)


# --- symmetries


def test_symmetries_by_name() -> None:
    assert kt.Board(8).symmetries == tuple(boards.EIGHT)
    assert kt.Board(3, 4).symmetries == ("identity", "half-turn", "flip-horizontal", "flip-vertical")
    assert kt.Board(3, blocked=["a3"]).symmetries == ("identity", "transpose")
    assert kt.Board(1, 2, wrap="cols").symmetries[-1] == "flip-vertical+translation(0,1)"
    assert len(kt.Board(5, wrap="both").symmetries) == 200


@given(boards.boards())
def test_symmetries_are_those_that_keep_the_board(board: kt.Board) -> None:
    judged = boards.graph(board)
    rows, cols = board.rows, board.cols
    downs = range(rows) if board.wrap in ("rows", "both") else [0]
    rights = range(cols) if board.wrap in ("cols", "both") else [0]
    expected = set()
    for point, down, right in itertools.product(boards.EIGHT, downs, rights):
        name = point if down == right == 0 else f"{point}+translation({down},{right})"
        name = name.removeprefix("identity+")
        # A cylinder on its side is another board, even where it is so small that its moves stay the same.
        if ("quarter" in point or "trans" in point) and (rows != cols or board.wrap in ("rows", "cols")):
            continue
        to = {square: boards.move(name, square, rows, cols) for square in judged}
        if {to[a]: sorted(to[b] for b in judged[a]) for a in judged} == judged:
            expected.add(name)
    assert len(set(board.symmetries)) == len(board.symmetries)
    assert set(board.symmetries) == expected
    maps = {tuple(boards.move(name, square, rows, cols) for square in board) for name in board.symmetries}
    at: dict[tuple[int, int], int] = {square: number for number, square in enumerate(board)}
    assert all(tuple(b[at[square]] for square in a) in maps for a in maps for b in maps)
    assert board.symmetries[0] == "identity"
