"""Tours: what is one, what is not and why, and everything a tour can be asked."""

import copy
import ctypes
import gc
import io
import itertools
import pickle
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
import bruteforce
import knightstour as kt
from knightstour.errors import TourSquareError

Pair = tuple[int, int]

OPEN_5X5 = """\
 1 20  9 14  3
10 15  2 19 24
21  8 25  4 13
16 11  6 23 18
 7 22 17 12  5"""
RING = "1 6 3\n4 # 8\n7 2 5"


def squares_of(grid: str) -> list[Pair]:
    cells = {
        int(number): (row, col)
        for row, line in enumerate(grid.splitlines())
        for col, number in enumerate(line.split())
        if number != "#"
    }
    return [cells[number] for number in sorted(cells)]


def refuse(board: kt.Board, squares: Any, closed: bool | None = None) -> kt.InvalidTourError:
    with pytest.raises(kt.InvalidTourError) as caught:
        kt.Tour(board, squares, closed)
    assert len(str(caught.value)) < 400
    return caught.value


def test_an_open_tour() -> None:
    squares = squares_of(OPEN_5X5)
    tour = kt.Tour(kt.Board(5), squares)
    assert tour == kt.Tour.parse(OPEN_5X5)
    assert str(tour) == OPEN_5X5
    assert list(tour) == list(tour.squares) == squares
    assert tour.squares == squares
    assert all(isinstance(square, kt.Square) for square in tour)
    assert (len(tour), tour.start, tour.end, tour.board) == (25, (0, 0), (2, 2), kt.Board(5))
    assert not tour.is_closed
    assert not tour.is_reentrant
    assert tour.names()[:3] == ["a5", "c4", "e5"]
    assert [tour.step_at(square) for square in squares] == list(range(25))
    assert tour.step_at("a5") == 0
    assert tour.grid() == [[int(n) for n in line.split()] for line in OPEN_5X5.splitlines()]
    assert tour.grid(0)[2][2] == 24
    assert tour.grid(first=100)[0][0] == 100
    assert repr(tour) == "<open tour of the 5x5 board from a5 to c3>"
    assert "a1" in tour
    assert (5, 0) not in tour


def test_a_closed_tour() -> None:
    tour = kt.Tour.parse(RING)
    assert tour.board == kt.Board(3, blocked=["b2"])
    assert tour.is_closed
    assert tour.is_reentrant
    assert tour.grid() == [[1, 6, 3], [4, None, 8], [7, 2, 5]]
    assert str(tour) == RING
    assert repr(tour) == "<closed tour of the 3x3 board with 1 blocked square from a3>"
    opened = kt.Tour(tour.board, tour.squares, closed=False)
    assert not opened.is_closed
    assert opened.is_reentrant
    assert opened != tour
    assert opened.squares == tour.squares
    assert kt.Tour(tour.board, opened, closed=True) == kt.Tour(tour.board, opened) == tour


def test_one_square() -> None:  # case 29
    tour = kt.Tour(kt.Board(1), ["a1"])
    assert len(tour) == 1
    assert tour.start == tour.end == (0, 0)
    assert not tour.is_closed
    assert not tour.is_reentrant
    assert str(tour) == "1"
    assert kt.Tour.parse("1") == kt.Tour.parse("0") == kt.Tour.parse("a1") == tour
    assert tour.canonical() == tour.reversed() == tour
    assert "at least 3 squares" in str(refuse(kt.Board(1), ["a1"], closed=True))


# --- what squares may be given as


def test_squares_in_any_form() -> None:
    squares = squares_of(OPEN_5X5)
    board = kt.Board(5)
    tour = kt.Tour(board, squares)
    numbers = np.array([5 * row + col for row, col in squares], dtype=np.uint32)
    for form in [
        tuple(squares),
        iter(squares),
        [list(square) for square in squares],
        [board.name(square) for square in squares],
        [square if n % 2 else board.name(square) for n, square in enumerate(squares)],
        dict.fromkeys(squares),
        np.array(squares),
        np.array(squares, dtype=np.uint32),
        numbers,
        np.repeat(numbers, 2)[::2],
        memoryview(numbers.tobytes()).cast("I"),
        tour,
        tour.squares,
    ]:
        assert kt.Tour(board, form) == tour  # type: ignore[arg-type,unused-ignore]


def test_tours_of_other_boards_are_taken_by_square() -> None:
    tour = kt.Tour.parse("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3", kt.Board(3, 4))
    wide = kt.Board(4, 5, blocked=[*((3, col) for col in range(5)), *((row, 4) for row in range(4))])
    assert kt.Tour(wide, tour).squares == tour.squares
    assert refuse(kt.Board(3), tour).step == 4
    assert isinstance(refuse(kt.Board(3), tour.squares), kt.SquareError)
    assert isinstance(refuse(kt.Board(3), tour.squares[4:]), TourSquareError)


def test_bad_arguments() -> None:
    board = kt.Board(5)
    squares = squares_of(OPEN_5X5)
    for not_a_board in (5, "5x5", None, (5, 5)):
        with pytest.raises(kt.BoardError, match="a Board is needed"):
            kt.Tour(not_a_board, squares)  # type: ignore[arg-type]
    not_closed: list[Any] = ["yes", 2, []]
    for closed in not_closed:
        with pytest.raises(kt.RequestError, match="closed must be True, False or None"):
            kt.Tour(board, squares, closed)
    for not_squares in (5, None, "a1 b3", object()):
        assert refuse(board, not_squares).step is None
    assert refuse(board, np.arange(25, dtype=np.int64)).step == 1

    def broken() -> Any:
        yield (0, 0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        kt.Tour(board, broken())


# --- what is wrong


def test_a_move_that_is_none() -> None:  # case 28
    tour = kt.Tour.parse(OPEN_5X5)
    squares: list[Pair] = list(tour.squares)
    squares[6:] = reversed(squares[6:])
    error = refuse(tour.board, squares)
    assert (error.step, error.squares) == (6, (squares[5], squares[6]))
    assert "step 6" in str(error)
    assert "is not a knight's move" in str(error)
    board = kt.Board(8)
    error = refuse(board, ["a1", "b3", "e4"])  # a move of (3, 1)
    assert (error.step, error.squares) == (2, (board.square("b3"), board.square("e4")))
    for part in ("step 2", "(5, 1) b3", "(4, 4) e4"):
        assert part in str(error)


def test_the_first_bad_step_comes_first() -> None:
    board = kt.Board(5)
    good: list[Any] = list(squares_of(OPEN_5X5))
    for bad, kind in [
        ((9, 9), TourSquareError),
        ("z1", TourSquareError),
        (None, TourSquareError),
        (good[0], kt.InvalidTourError),
        ((4, 4), kt.InvalidTourError),
    ]:
        error = refuse(board, [*good[:3], bad, *good[4:]])
        assert (type(error), error.step) == (kind, 3)
        # The same fault after an earlier one is not the first.
        error = refuse(board, [good[0], good[0], good[2], bad])
        assert (type(error), error.step) == (kt.InvalidTourError, 1)
    error = refuse(board, [*good[:3], (9, 9)])
    assert error.squares == (good[2], (9, 9))
    assert refuse(board, [*good[:3], "z1"]).squares == (good[2],)


def test_missing_and_superfluous_squares() -> None:
    board = kt.Board(5)
    squares = squares_of(OPEN_5X5)
    for length in range(25):
        error = refuse(board, squares[:length])
        assert error.step == length
        assert f"{length} of the 25" in str(error)
    assert refuse(board, squares + squares[:1]).step == 25
    assert refuse(board, itertools.cycle(squares)).step == 25
    assert refuse(board, [*squares, "z9"]).step == 25


def test_blocked_squares_are_no_squares() -> None:
    board = kt.Board(3, blocked=["b2"])
    error = refuse(board, [(0, 0), "b2"])
    assert isinstance(error, kt.SquareError)
    assert error.step == 1
    assert "'b2' is blocked" in str(error)
    assert isinstance(refuse(board, np.array([0, 4], dtype=np.uint32)), kt.SquareError)
    assert isinstance(refuse(board, np.array([0, 9], dtype=np.uint32)), kt.SquareError)


def test_ends_that_do_not_meet() -> None:
    error = refuse(kt.Board(5), squares_of(OPEN_5X5), closed=True)
    assert "not a move apart" in str(error)
    assert set(error.squares) == {(0, 0), (2, 2)}


@given(boards.boards(), st.data())
def test_no_sequence_fools_the_checker(board: kt.Board, data: st.DataObject) -> None:
    graph = boards.graph(board)
    walk = [data.draw(st.sampled_from(sorted(graph)))]
    while len(walk) < len(graph) + 1:
        onward = [to for to in graph[walk[-1]] if to not in walk] or sorted(graph)
        walk.append(data.draw(st.sampled_from(onward)))
    for squares in (walk[:-1], walk):
        if bruteforce.is_tour(graph, squares):
            assert kt.Tour(board, squares).squares == squares
            continue
        error = refuse(board, squares)
        step = error.step
        assert step is not None
        before = squares[:step]
        assert all(b in graph[a] for a, b in itertools.pairwise(before))
        assert len(set(before)) == len(before)
        assert step == len(squares) or squares[step] in before or squares[step] not in graph[before[-1]]


@given(boards.tours())
def test_is_reentrant(tour: kt.Tour) -> None:
    graph = boards.graph(tour.board)
    meets = len(tour) >= 3 and (tour.end.row, tour.end.col) in graph[tour.start.row, tour.start.col]
    assert tour.is_reentrant == meets
    assert kt.Tour(tour.board, tour.squares).is_closed == meets


# --- text


@given(boards.tours())
def test_round_trips(tour: kt.Tour) -> None:
    board = tour.board
    as_given = kt.Tour(board, tour.squares)
    assert kt.Tour.parse(str(tour), board) == as_given
    assert kt.Tour.parse(" ".join(tour.names()), board) == as_given
    for first in (0, 1):
        rows = [["#" if n is None else str(n) for n in row] for row in tour.grid(first)]
        assert kt.Tour.parse("\r\n".join("\t".join(row) for row in rows), board) == as_given
    if board == kt.Board(board.rows, board.cols, blocked=board.blocked):
        assert kt.Tour.parse(str(tour)) == as_given
        if not board.blocked:
            assert kt.Tour.parse("-".join(tour.names())) == as_given
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(tour, protocol)) == tour
    assert copy.copy(tour) == copy.deepcopy(tour) == tour
    assert pickle.loads(pickle.dumps(tour.squares[1::2])) == tour.squares[1::2]
    assert len(repr(tour)) < 200


def test_grids_of_other_hands() -> None:
    tour = kt.Tour.parse(OPEN_5X5)
    lines = OPEN_5X5.splitlines()
    for text in [
        "\n\n".join(lines),
        "\r\n".join(lines),
        "\ufeff" + OPEN_5X5,
        "\n".join("| " + " | ".join(line.split()) + " |" for line in lines),
        "\n".join(",".join(line.split()) for line in lines),
        "[" + "\n".join(str([int(n) for n in line.split()]) for line in lines) + "]",
        str(np.array(tour.grid())),
        ", ".join(tour.names()),
        "-".join(tour.names()).upper(),
    ]:
        assert kt.Tour.parse(text) == tour, text


UNREADABLE: list[tuple[Any, str]] = [
    ("", "empty"),
    (" \n", "empty"),
    ("1 2\n3", "line 2"),
    ("1 x", "'x'"),
    ("1.5", "'1.5'"),
    ("2", "1 number"),
    ("1 2 3", "3 numbers"),
    ("99999999999999999999999999 1", "99999999999999999999999999"),
    ("1 " + "9" * 10**6, "9999"),
    ("a1 " + "x" * 10**6, "xxx"),
    ("aaaaaaaaaaaaaaaa1", "nor a square"),
    ("#", "0 numbers"),
    ("\ud800", "neither a number"),
    ("hello", "line 1, column 1: 'hello'"),
    (b"\xff", "not text"),
    (1, "1 is neither a number nor a square"),
    (None, "None"),
    ([[1, True]], "True"),
    ([1, object], "object"),
]


@pytest.mark.parametrize(("text", "quoted"), UNREADABLE, ids=lambda value: ascii(value)[:20])
def test_what_cannot_be_read(text: Any, quoted: str) -> None:  # case 36
    with pytest.raises(kt.ReadError, match=r"^cannot be read: ") as caught:
        kt.Tour.parse(text)
    assert quoted.replace("'", '"') in str(caught.value).replace("'", '"')
    assert len(str(caught.value)) < 400
    assert not isinstance(caught.value, kt.InvalidTourError)


NO_TOURS = [
    ("11 8 5 0\n0 3 10 7\n9 6 1 4", "doubled 0; missing 2"),  # case 19
    ("[[11 8 5 0]\n [0 3 10 7]\n [9 6 1 4]]", "doubled 0; missing 2"),  # case 19
    ("1 4 7 10\n8 11 2 5\n3 6 9 99999999999999999999", "out of range 99999999999999999999; missing 12"),
    ("a1 b3", "2 of the 6 open squares of the 3x2 board are visited"),
    ("1 4 7 .\n. . 2 5\n3 6 . .", "5 of the 12 squares have no number (d3, a2, b2, c1, d1)"),  # case 35
    ("1 6 3\n4 . 8\n7 2 5", "1 of the 9 squares has no number (b2); if it is blocked, write # or give the board"),
]


@pytest.mark.parametrize(("text", "said"), NO_TOURS)
def test_what_is_no_tour(text: str, said: str) -> None:
    with pytest.raises(kt.InvalidTourError, match=r"^read as ") as caught:
        kt.Tour.parse(text)
    assert said in str(caught.value)
    assert caught.value.step == (2 if text == "a1 b3" else None)


def test_no_tour_of_3x3() -> None:  # case 20
    for numbers in itertools.islice(itertools.permutations(range(1, 10)), 0, None, 5000):
        grid = "\n".join(" ".join(map(str, numbers[row : row + 3])) for row in (0, 3, 6))
        with pytest.raises(kt.InvalidTourError, match="step") as caught:
            kt.Tour.parse(grid)
        error = caught.value
        assert error.step is not None
        assert f"step {error.step}:" in str(error)
        assert len(error.squares) == 2
        centre = numbers[4] - 1
        assert error.step <= (centre if centre > 0 else 1)


def test_two_printed_boards_that_are_no_tours() -> None:
    # 8x8: 19, 22 and 43 stand twice; 8, 9 and 21 are nowhere.
    numbers = [(5 * n) % 64 + 1 for n in range(64)]
    for missing, doubled in [(8, 19), (9, 22), (21, 43)]:
        numbers[numbers.index(missing)] = doubled
    grid = "\n".join(" ".join(map(str, numbers[row * 8 : row * 8 + 8])) for row in range(8))
    with pytest.raises(kt.InvalidTourError, match="doubled 19, 22, 43; missing 8, 9, 21") as caught:
        kt.Tour.parse(grid)
    assert caught.value.step is None
    # 5x5: all numbers are there, but from 5 to 6 is no move.
    lines = [line.split() for line in OPEN_5X5.splitlines()]
    (lines[3][2], lines[2][2]) = (lines[2][2], lines[3][2])
    with pytest.raises(kt.InvalidTourError, match=r"step 5: from \(4, 4\) e1 to \(2, 2\) c3") as caught:
        kt.Tour.parse("\n".join(" ".join(line) for line in lines))
    assert caught.value.step == 5
    assert caught.value.squares == ((4, 4), (2, 2))


def test_boards_that_do_not_fit_a_text() -> None:
    with pytest.raises(kt.InvalidTourError, match=r"5 rows and 5 columns.*8x8"):
        kt.Tour.parse(OPEN_5X5, kt.Board(8))
    with pytest.raises(kt.InvalidTourError, match="has a number, but is blocked"):
        kt.Tour.parse(OPEN_5X5, kt.Board(5, blocked=["c3"]))
    with pytest.raises(kt.InvalidTourError, match=r"1 of the 9 squares of the 3x3 board has no number \(b2\)"):
        kt.Tour.parse(RING, kt.Board(3))
    with pytest.raises(TourSquareError, match="step 1"):
        kt.Tour.parse("a1 b9", kt.Board(3))
    with pytest.raises(kt.BoardError, match="a Board is needed"):
        kt.Tour.parse(RING, 3)  # type: ignore[arg-type]


@given(st.text(alphabet="0123456789 \n\r\t#.abc-,;|[]x\ufeff\0é", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tour = kt.Tour.parse(text)
    except (kt.ReadError, kt.InvalidTourError):
        return
    assert kt.Tour.parse(str(tour)) == tour


@given(st.permutations(range(12)))
def test_permuted_grids(numbers: list[int]) -> None:
    grid = "\n".join(" ".join(map(str, numbers[row : row + 4])) for row in (0, 4, 8))
    squares = [divmod(numbers.index(step), 4) for step in range(12)]
    board = kt.Board(3, 4)
    if bruteforce.is_tour(boards.graph(board), squares):
        assert kt.Tour.parse(grid).squares == squares
    else:
        with pytest.raises(kt.InvalidTourError):
            kt.Tour.parse(grid)


def test_texts_too_long_to_print() -> None:
    # The (0, 1)-leaper walks along a row.
    assert str(kt.Tour(kt.Board(1, 10**5, leaper=(0, 1)), np.arange(10**5, dtype=np.uint32)))[-7:] == " 100000"
    long = kt.Tour(kt.Board(1, 15 * 10**6, leaper=(0, 1)), np.arange(15 * 10**6, dtype=np.uint32))
    with pytest.raises(kt.MemoryLimitError, match="1x15000000"):
        str(long)


# --- equality, hashing, pickles


@given(boards.tours(), boards.tours())
def test_equality_and_hash(one: kt.Tour, two: kt.Tour) -> None:
    again = kt.Tour(one.board, list(one.squares), closed=one.is_closed)
    assert one == again
    assert hash(one) == hash(again)
    same = (one.board, one.is_closed, list(one)) == (two.board, two.is_closed, list(two))
    assert (one == two) == same
    assert (one != two) == (not same)
    assert one != list(one)
    assert (one.squares == two.squares) == (list(one) == list(two))


def test_pickles_are_checked() -> None:
    tour = kt.Tour.parse(RING)
    restore, (board, numbers, closed) = tour.__reduce__()
    assert restore(board, numbers, closed) == tour
    for bad in (
        numbers[4:],
        numbers[::-1],
        numbers[:-1],
        numbers + numbers[:4],
        b"",
        numbers[:-4] + b"\xff" * 4,
    ):
        with pytest.raises(kt.InvalidTourError):
            restore(board, bad, closed)
    with pytest.raises(kt.InvalidTourError):
        restore(kt.Board(3), numbers, closed)
    with pytest.raises(kt.BoardError):
        restore(5, numbers, closed)


def test_immutable() -> None:
    tour = kt.Tour.parse(RING)
    for name in ("board", "is_closed", "anything"):
        with pytest.raises(AttributeError):
            setattr(tour, name, 5)


# --- arrays


@given(boards.tours(), st.integers(0, 2**40))
def test_grid_array(tour: kt.Tour, first: int) -> None:
    for start in (0, 1, first):
        array = tour.grid_array(start)
        assert array.shape == (tour.board.rows, tour.board.cols)
        assert array.dtype == (np.int32 if start + len(tour) < 2**31 else np.int64)
        assert array.tolist() == [[-1 if n is None else n for n in row] for row in tour.grid(start)]
    assert (tour.grid_array() == tour.grid_array(1)).all()


@pytest.mark.parametrize("first", [-1, 1.0, True, "1", 2**63, 2**70, [1]])
def test_bad_first_numbers(first: Any) -> None:
    tour = kt.Tour.parse(RING)
    for ask in (tour.grid, tour.grid_array):
        with pytest.raises(kt.RequestError, match="first must be a whole number"):
            ask(first)


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(ImportError, match="pip install numpy"):
        kt.Tour.parse(RING).grid_array()


@given(boards.tours())
def test_buffer(tour: kt.Tour) -> None:
    numbers = [row * tour.board.cols + col for row, col in tour]
    array = np.asarray(tour)
    assert array.dtype == np.uint32
    assert array.shape == (len(tour),)
    assert array.tolist() == numbers
    assert not array.flags.writeable
    assert not array.flags.owndata
    view = memoryview(tour)
    assert (view.format, view.itemsize, view.ndim, view.shape, view.strides) == (
        "I",
        4,
        1,
        (len(tour),),
        (4,),
    )
    assert view.readonly
    assert view.contiguous
    assert view.tolist() == numbers
    assert bytes(tour) == np.array(numbers, dtype=np.uint32).tobytes()
    assert kt.Tour(tour.board, array, closed=tour.is_closed) == tour


def test_the_buffer_copies_nothing_and_lives_as_long_as_a_view() -> None:
    tour = kt.Tour.parse(OPEN_5X5)
    one, two = np.asarray(tour), np.asarray(tour)
    assert np.shares_memory(one, two)
    expected = [5 * row + col for row, col in tour]
    del tour
    gc.collect()
    filler = [kt.Tour.parse(OPEN_5X5).reversed() for _ in range(1000)]
    assert one.tolist() == expected
    assert len(filler) == 1000


def test_the_buffer_is_read_only() -> None:
    tour = kt.Tour.parse(RING)
    with pytest.raises(TypeError):
        memoryview(tour)[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(tour)[0] = 1
    # Whoever asks for memory to write to gets none.
    with pytest.raises(TypeError, match="not writable"):
        ctypes.c_char.from_buffer(tour)  # type: ignore[arg-type,unused-ignore]
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(bytes(100)).readinto(tour)  # type: ignore[arg-type,unused-ignore]
    assert list(tour) == list(kt.Tour.parse(RING))


# --- symmetries


@given(boards.tours(), st.sampled_from(boards.EIGHT))
def test_transformed(tour: kt.Tour, name: str) -> None:
    board = tour.board
    rows, cols = board.rows, board.cols
    turned = tour.transformed(name)
    assert list(turned) == [boards.image(name, square, rows, cols) for square in tour]
    assert turned.board.blocked == {boards.image(name, square, rows, cols) for square in board.blocked}
    assert turned.is_closed == tour.is_closed
    swaps = name in ("quarter-turn", "three-quarter-turn", "transpose", "anti-transpose")
    other = {"cols": "rows", "rows": "cols"}
    assert turned.board.wrap == (other.get(board.wrap or "", board.wrap) if swaps else board.wrap)
    assert (turned.board.rows, turned.board.cols) == ((cols, rows) if swaps else (rows, cols))
    assert kt.Tour(turned.board, turned.squares, closed=turned.is_closed) == turned


@given(boards.tours(), st.sampled_from(boards.EIGHT), st.sampled_from(boards.EIGHT))
def test_products_of_symmetries(tour: kt.Tour, one: str, two: str) -> None:
    square = {name: boards.image(name, boards.image(one, (0, 1), 7, 5), *size) for name, size in [(two, (7, 5))]}
    del square
    # The product is one of the eight: the one that does the same to a square of no symmetry, (1, 0) of 4 x 4.
    product = boards.image(two, boards.image(one, (1, 0), 4, 4), 4, 4)
    (name,) = (name for name in boards.EIGHT if boards.image(name, (1, 0), 4, 4) == product)
    assert tour.transformed(one).transformed(two) == tour.transformed(name)


def test_turns_by_hand() -> None:
    tour = kt.Tour.parse("1 4 7 10\n8 11 2 5\n3 6 9 12")
    assert str(tour.transformed("quarter-turn")) == " 3  8  1\n 6 11  4\n 9  2  7\n12  5 10"
    assert str(tour.transformed("transpose")) == " 1  8  3\n 4 11  6\n 7  2  9\n10  5 12"


def test_translations() -> None:
    board = kt.Board(4, wrap="both")
    tour = next(tour for tour in boards.pool() if tour.board == board)
    moved = tour.transformed("half-turn+translation(1,2)")
    assert list(moved) == [((3 - row + 1) % 4, (3 - col + 2) % 4) for row, col in tour]
    assert tour.transformed("translation(4,8)") == tour
    cylinder = next(tour for tour in boards.pool() if tour.board.wrap == "cols")
    assert cylinder.transformed("translation(0,3)").board == cylinder.board
    turned = cylinder.transformed("quarter-turn+translation(3,0)")
    assert turned.board.wrap == "rows"
    for name in ("translation(1,0)", "quarter-turn+translation(0,1)"):
        with pytest.raises(kt.RequestError, match="has not joined"):
            cylinder.transformed(name)
    with pytest.raises(kt.RequestError, match=r"translation\(1,1\).*5x5"):
        kt.Tour.parse(OPEN_5X5).transformed("translation(1,1)")


@pytest.mark.parametrize(
    "name", ["", "turn", "Identity", "translation", "translation(1)", "translation(-1,0)", 5, None]
)
def test_bad_symmetries(name: Any) -> None:
    with pytest.raises(kt.RequestError, match="is not the name of a symmetry"):
        kt.Tour.parse(RING).transformed(name)


@given(boards.tours())
def test_reversed(tour: kt.Tour) -> None:
    back = tour.reversed()
    assert back.reversed() == tour
    squares = list(tour)
    assert list(back) == (squares[:1] + squares[:0:-1] if tour.is_closed else squares[::-1])


def listed_forms(tour: kt.Tour, squares: list[Pair]) -> list[list[Pair]]:
    if not tour.is_closed:
        return [squares, squares[::-1]]
    at = squares.index(min(squares))
    cycle = squares[at:] + squares[:at]
    return [min(cycle, cycle[:1] + cycle[:0:-1])]


@given(boards.tours())
def test_canonical_and_symmetry(tour: kt.Tour) -> None:
    rows, cols = tour.board.rows, tour.board.cols
    own = listed_forms(tour, [(row, col) for row, col in tour])[0]
    forms, fixing = [], []
    for name in tour.board.symmetries:
        image = listed_forms(tour, [boards.move(name, square, rows, cols) for square in tour])
        forms += image
        if own in image:
            fixing.append(name)
    assert tour.symmetry == tuple(fixing)
    canonical = tour.canonical()
    assert list(canonical) == min(forms)
    assert (canonical.board, canonical.is_closed) == (tour.board, tour.is_closed)
    assert tour.reversed().canonical() == canonical
    for name in tour.board.symmetries[:20]:
        assert tour.transformed(name).canonical() == canonical


def test_classes_of_the_open_tours_of_3x4() -> None:
    # 16 directed tours (OEIS A165134: 8 undirected), in 3 classes under symmetry and reversal.
    board = kt.Board(3, 4)
    tours = [kt.Tour(board, path) for path in bruteforce.open_tours(boards.graph(board))]
    assert len(tours) == 16
    classes = {tour.canonical() for tour in tours}
    group = len(board.symmetries) * 2
    assert sum(group // len_of_stabiliser(tour) for tour in classes) == 16


def len_of_stabiliser(tour: kt.Tour) -> int:
    """How many of the symmetries and their products with reversal give the very same sequence."""
    images = [tour.transformed(name) for name in tour.board.symmetries]
    return sum(image == tour for image in images) + sum(image.reversed() == tour for image in images)


# --- long tours


def long_tour() -> tuple[kt.Board, "np.ndarray[Any, np.dtype[np.uint32]]"]:
    """Row by row to and fro, for the (0, 1)-leaper."""
    size = 2000
    grid = np.arange(size * size, dtype=np.uint32).reshape(size, size)
    grid[1::2] = grid[1::2, ::-1]
    return kt.Board(size, leaper=(0, 1)), grid.ravel()


def test_four_million_squares() -> None:
    board, numbers = long_tour()
    tour = kt.Tour(board, numbers)
    assert len(tour) == len(tour.squares) == 4_000_000
    assert tour.squares[-1] == (1999, 0)
    assert tour.squares[2000:2003] == [(1, 1999), (1, 1998), (1, 1997)]
    assert tour.step_at((1, 1999)) == 2000
    assert tour.squares.index((1, 1999)) == 2000
    assert tour.reversed().reversed() == tour
    assert tour.symmetry == ("identity", "flip-vertical")
    assert hash(tour) == hash(kt.Tour(board, np.asarray(tour)))
    numbers[3_999_999] = 0
    assert refuse(board, numbers).step == 3_999_999


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_long_loops_can_be_interrupted() -> None:
    board, numbers = long_tour()
    tour = kt.Tour(board, numbers)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def soon_interrupted(work: Callable[[Any], object], squares: Any) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        work(squares)

    before = signal.signal(signal.SIGALRM, interrupt)
    # Where hypothesis looks at the garbage collector in Python code, an interrupt would be lost.
    gc.disable()
    try:
        for work in (list, lambda squares: kt.Tour(board, squares)):
            squares = iter(tour.squares)
            with pytest.raises(KeyboardInterrupt):
                soon_interrupted(work, squares)
            # Had it gone on to the end, none would be left.
            assert squares.__length_hint__() > 0
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_long_work_lets_other_threads_run() -> None:
    board, numbers = long_tour()
    tour = kt.Tour(board, numbers)
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        for work in (lambda: kt.Tour(board, numbers), tour.names):
            # A call that kept the lock would let the thread run a few times, before it and at its end. On a busy
            # machine the thread may get no turn in one that does not.
            for _ in range(50):
                before = ticks[0]
                assert len(work()) == len(tour)
                if ticks[0] > before + 8:
                    break
            else:
                pytest.fail("no other thread ran meanwhile")
    finally:
        done.set()
        thread.join()
