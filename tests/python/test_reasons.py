"""Each reason why there is no tour: a board that needs it and one that nearly does, both judged by plain search."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

import pytest

import boards
import bruteforce
import knightstour as kt

Pair = tuple[int, int]


class Asked(NamedTuple):
    """A request, told to the package and to the judge."""

    board: kt.Board
    closed: bool = False
    start: Pair | None = None
    end: Pair | None = None
    including: tuple[tuple[Pair, Pair], ...] = ()
    excluding: tuple[tuple[Pair, Pair], ...] = ()
    steps: tuple[tuple[Pair, int], ...] = ()

    @property
    def tours(self) -> kt.Tours:
        """What the package is asked."""
        given: dict[str, Any] = {} if self.closed else {"end": self.end}
        tours = self.board.tours(closed=self.closed, start=self.start, **given)
        tours = tours.including(*self.including).excluding(*self.excluding)
        return tours.with_steps(dict(self.steps)) if self.steps else tours

    def fits(self, path: list[Pair]) -> bool:
        """Whether an open tour of the board, in order, is asked for: closed ones as some square and direction number
        them.
        """
        moves = {frozenset(pair) for pair in pairwise(path)}
        if self.closed:
            if len(path) < 3 or path[-1] not in boards.graph(self.board)[path[0]]:
                return False
            moves.add(frozenset((path[-1], path[0])))
        return (
            (self.closed or self.end in (None, path[-1]))
            and all(frozenset(edge) in moves for edge in self.including)
            and not any(frozenset(edge) in moves for edge in self.excluding)
            and any(all(one[step] == square for square, step in self.steps) for one in self.numberings(path))
        )

    def numberings(self, path: list[Pair]) -> Iterator[list[Pair]]:
        """An open tour as it is; a closed one from each square, or the start, in both directions."""
        if not self.closed:
            yield path
            return
        for one in (path, path[::-1]) if self.steps else ():
            for at in range(len(one)):
                if self.start in (None, one[at]):
                    yield one[at:] + one[:at]
        if not self.steps:
            yield path

    def first(self, most: int | None = None) -> list[Pair] | None:
        """The judge: the first tour that fits, of a given number of open ones at most (then `TimeoutError`)."""
        number = 0
        for path in islice(self.candidates(), most):
            number += 1
            if self.fits(path):
                return path
        if number == most:
            raise TimeoutError
        return None

    def all_tours(self) -> Iterator[list[Pair]]:
        """All tours that fit, open ones in each direction, closed ones in one."""
        return (path for path in self.candidates() if self.fits(path) and not (self.closed and path[1] > path[-1]))

    def candidates(self) -> Iterator[list[Pair]]:
        """All open tours from the start; of closed ones, from any one square."""
        graph = boards.graph(self.board)
        start = self.start if not self.closed else self.start or next(iter(graph))
        return bruteforce.open_tours(graph, start)


def knight(*rows: str, leaper: Pair = (1, 2)) -> kt.Board:
    return kt.Board.parse("\n".join(rows), leaper=leaper)


def wazir(*rows: str) -> kt.Board:
    return knight(*rows, leaper=(0, 1))


def diagonals(hole: Pair) -> kt.Board:
    """A (1, 1)-leaper on the squares of one colour, and one of them blocked: its moves alternate between rows."""
    blocked = [(row, col) for row in range(5) for col in range(7) if (row + col) % 2 == 0 or (row, col) == hole]
    return kt.Board(5, 7, leaper=(1, 1), blocked=blocked)


STRIP = kt.Board(3, 4)
TOUR = [(0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (1, 0), (2, 2), (0, 3), (1, 1), (2, 3)]
GRID = kt.Board(4, leaper=(0, 1))
SQUARE = [(0, 0), (0, 1), (1, 1), (1, 0)]
LANE = kt.Board(2, 3, leaper=(0, 1))
RING = knight("...", ".#.", "...")

#: The code, a part of the text, what has no tour, and what is close to it and has one.
CASES: list[tuple[str, str, Asked, Asked]] = [
    (
        "too-small",
        "at least 3 squares",
        Asked(kt.Board(1, 2, leaper=(0, 1)), True),
        Asked(kt.Board(2, leaper=(0, 1)), True),
    ),
    (
        "steps",
        "cannot be on both",
        Asked(STRIP, start=TOUR[0], steps=((TOUR[1], 0),)),
        Asked(STRIP, start=TOUR[0], steps=((TOUR[1], 1),)),
    ),
    (
        "steps",
        "are not a move apart",
        Asked(STRIP, steps=((TOUR[4], 4), (TOUR[6], 5))),
        Asked(STRIP, steps=((TOUR[4], 4), (TOUR[5], 5))),
    ),
    (
        "steps",
        "too far apart for 2 moves",
        Asked(kt.Board(3, 7), steps=(((0, 0), 0), ((0, 6), 2))),
        Asked(kt.Board(3, 7), steps=(((0, 0), 0),)),
    ),
    (
        "steps",
        "is asked for, but these squares have steps",
        Asked(STRIP, including=((TOUR[2], TOUR[3]),), steps=((TOUR[2], 2), (TOUR[3], 5))),
        Asked(STRIP, including=((TOUR[2], TOUR[3]),), steps=((TOUR[2], 2), (TOUR[3], 3))),
    ),
    (
        "included-excluded",
        "both included and excluded",
        Asked(STRIP, including=((TOUR[0], TOUR[1]),), excluding=((TOUR[1], TOUR[0]),)),
        Asked(STRIP, including=((TOUR[0], TOUR[1]),)),
    ),
    (
        "too-many-included",
        "at most 2 at a square",
        Asked(kt.Board(5, 4), including=(((2, 1), (0, 0)), ((2, 1), (0, 2)), ((2, 1), (4, 0)))),
        Asked(kt.Board(5, 4), including=(((2, 1), (0, 0)), ((2, 1), (0, 2)))),
    ),
    (
        "too-many-included",
        "at most 1 at the end of an open tour",
        Asked(STRIP, start=TOUR[1], including=((TOUR[0], TOUR[1]), (TOUR[1], TOUR[2]))),
        Asked(STRIP, start=TOUR[0], including=((TOUR[0], TOUR[1]), (TOUR[1], TOUR[2]))),
    ),
    (
        "included-cycle",
        "make a cycle of 4 squares",
        Asked(GRID, including=tuple(zip(SQUARE, SQUARE[1:] + SQUARE[:1], strict=True))),
        Asked(GRID, including=tuple(pairwise(SQUARE))),
    ),
    (
        "included-cycle",
        "a closed tour visits all 16",
        Asked(GRID, True, including=tuple(zip(SQUARE, SQUARE[1:] + SQUARE[:1], strict=True))),
        Asked(GRID, True, including=(((0, 0), (0, 1)), ((1, 1), (1, 0)))),
    ),
    (
        "ends-joined",
        "through only 2 of 6 squares",
        Asked(LANE, start=(0, 0), end=(0, 1), including=(((0, 0), (0, 1)),)),
        Asked(LANE, start=(0, 0), end=(1, 0), including=(((0, 0), (0, 1)),)),
    ),
    (
        "colour",
        "No tour starts at b3: 10 open squares have its colour, 11 the other. A knight changes colour with every move",
        Asked(kt.Board(3, 7), start=(0, 1)),
        Asked(kt.Board(3, 7), start=(0, 0)),
    ),
    (
        "colour",
        "There is an odd number of open squares, 9. A knight changes colour with every move, so",
        Asked(kt.Board(3), True),
        Asked(RING, True),
    ),
    (
        "colour",
        "7. A (0, 1)-leaper changes colour with every move, so a closed tour visits as many squares of one colour",
        Asked(wazir("...", ".#.", "#.."), True),
        Asked(wazir("...", ".#.", "..."), True),
    ),
    (
        "colour",
        "at most 1 square more of one than of the other.",
        Asked(wazir(".#.", "...", ".#.")),
        Asked(wazir("...", "...", "...")),
    ),
    (
        "colour",
        "a knight changes colour with every move",
        Asked(kt.Board(3, 4), start=(0, 0), end=(0, 2)),
        Asked(kt.Board(3, 4), start=(0, 0), end=(2, 3)),
    ),
    ("schwenk", "exceptions 3x4, 3x6 and 3x8", Asked(kt.Board(3, 6), True), Asked(kt.Board(3, 10), True)),
    ("schwenk", "the shorter side is 4", Asked(kt.Board(4), True), Asked(kt.Board(4, wrap="both"), True)),
    ("cull-de-curtins", "or 7 and more, not 6", Asked(kt.Board(3, 6)), Asked(kt.Board(3, 7))),
    ("cull-de-curtins", "at least 5, not 4", Asked(kt.Board(4)), Asked(kt.Board(4, 5))),
    ("cull-de-curtins", "a shorter side of 2 has none", Asked(kt.Board(2, 7)), Asked(kt.Board(3, 4))),
    ("four-rows", "in one of the two inner rows", Asked(kt.Board(4, 5), end=(1, 1)), Asked(kt.Board(4, 5), end=(0, 1))),
    (
        "leaper",
        "a (1, 3)-leaper never changes colour, and this board has squares of both colours",
        Asked(kt.Board(4, leaper=(1, 3))),
        Asked(kt.Board(4, leaper=(0, 1))),
    ),
    ("leaper", "divides both", Asked(kt.Board(4, leaper=(0, 3))), Asked(kt.Board(4, leaper=(0, 1)))),
    ("leaper", "it needs sides of at least", Asked(kt.Board(4, leaper=(2, 3))), Asked(kt.Board(4, 5))),
    (
        "too-few-moves",
        "must be ends of the tour",
        Asked(knight("...", "##.", "#..")),
        Asked(knight("...", ".#.", "#..")),
    ),
    ("too-few-moves", "needs 2 at every square", Asked(knight("...", "##.", "#.."), True), Asked(RING, True)),
    ("too-few-moves", "no move that a tour could use", Asked(knight("...", "...", "..#")), Asked(RING)),
    (
        "pieces",
        "reach only",
        Asked(knight("#.##", "###.", ".##.", "#..#")),
        Asked(knight("#.##", "#.#.", ".##.", "#..#")),
    ),
    (
        "graph-colour",
        "can be coloured so that every usable move changes colour",
        Asked(diagonals((1, 0))),
        Asked(diagonals((0, 3))),
    ),
    (
        "cut",
        "only once: it visits at most 2 of them",
        Asked(knight("#.#.", ".##.", ".#.#", "##.#")),
        Asked(knight("#.##", ".##.", ".#.#", "##.#")),
    ),
    (
        "cut",
        "only once and cannot come back",
        Asked(knight("#.##.", "##..#", ".#..#", "#..#."), True),
        Asked(knight("####.", ".#..#", ".#..#", "#..#."), True),
    ),
    (
        "cut",
        "splits the board, so an open tour must have one end on each side; the ends asked for do not",
        Asked(wazir("...#", "...#", "....", "##.."), start=(2, 2)),
        Asked(wazir("...#", "...#", "....", "##.."), start=(2, 3)),
    ),
    (
        "cut",
        "removing c3, b2 and c2 splits the board into 5 pieces; an open tour passes through these 3 squares once each",
        Asked(knight("...#", ".#..", "....", "....")),
        Asked(knight("#..#", ".#..", "....", "....")),
    ),
    (
        "forced",
        "6 moves are forced, and b3 is left with too few",
        Asked(knight("....", ".##.", "#..#")),
        Asked(knight("#...", ".##.", "#..#")),
    ),
    (
        "forced",
        "7 moves are forced, and b4 is left with too few",
        Asked(knight("..##", "##..", "..##", "##.."), True),
        Asked(knight("####", "##..", "..##", "##.."), True),
    ),
    (
        "shortage",
        "can take only 16.",
        Asked(knight(".....", ".#.##", ".....")),
        Asked(knight(".....", "##.##", ".....")),
    ),
    (
        "shortage",
        "beside those that are forced",
        Asked(knight("#..#", "....", "...#", "....", "....", "...#"), True),
        Asked(knight("#.##", "#...", "...#", "....", "....", "...#"), True),
    ),
    (
        "exhausted",
        "every possibility was tried",
        Asked(knight(".......", "...#...", ".......")),
        Asked(knight(".......", "#..#...", ".......")),
    ),
]


@pytest.mark.parametrize(("code", "text", "none", "near"), CASES, ids=[f"{code}: {text}" for code, text, *_ in CASES])
def test_a_board_that_needs_it_and_one_that_nearly_does(code: str, text: str, none: Asked, near: Asked) -> None:
    answer = none.tours.find()
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code == code, answer.reason
    assert text in answer.reason.text, answer.reason
    assert all(square in none.board for square in answer.reason.squares)
    assert none.first() is None
    assert none.tours.count() == 0
    tour = near.first()
    assert tour is not None
    found = near.tours.find()
    assert isinstance(found, kt.Found), found
    assert near.fits([(row, col) for row, col in found.tour.squares])


def any_request(rng: random.Random) -> Asked:
    """A small board of any kind, and any request on it."""
    leaper = rng.choice([(1, 2), (1, 2), (1, 2), (0, 1), (0, 1), (1, 1), (1, 3), (2, 3), (0, 2)])
    rows, cols = rng.randint(1, 6), rng.randint(1, 6)
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    holes = max(len(squares) - rng.randint(4, 13), 0) or rng.randint(0, min(3, len(squares) - 1))
    wrap: Any = rng.choice([None, None, None, "cols", "rows", "both"])
    board = kt.Board(rows, cols, blocked=rng.sample(squares, holes), leaper=leaper, wrap=wrap)
    free = [(row, col) for row, col in board.squares]
    edges = [((a.row, a.col), (b.row, b.col)) for a in board.squares for b in board.moves(a) if a < b]

    def some() -> tuple[tuple[Pair, Pair], ...]:
        return tuple(rng.sample(edges, min(len(edges), rng.choice([0, 0, 0, 1, 2]))))

    closed = rng.random() < 0.4
    start = rng.choice([None, None, rng.choice(free)])
    end = None if closed else rng.choice([None, None, rng.choice(free)])
    if end == start and len(free) > 1:
        end = None
    number = rng.choice([0, 0, 0, 0, 1, 2]) if len(free) >= 2 else 0
    steps = tuple(zip(rng.sample(free, number), rng.sample(range(len(free)), number), strict=True))
    return Asked(board, closed, start, end, some(), some(), steps)


def test_every_answer_on_small_boards_is_judged() -> None:
    rng = random.Random(12)
    codes: Counter[str] = Counter()
    found = 0
    for _ in range(2000):
        asked = any_request(rng)
        answer = asked.tours.find()
        try:
            tour = asked.first(3000)
        except TimeoutError:
            continue
        if isinstance(answer, kt.Found):
            found += 1
            assert tour is not None
            assert asked.fits([(row, col) for row, col in answer.tour.squares])
        else:
            assert isinstance(answer, kt.Impossible)
            codes[answer.reason.code] += 1
            assert tour is None, (asked, answer)
    assert found > 200
    met = {"too-small", "steps", "included-excluded", "too-many-included", "colour", "too-few-moves"}
    assert met | {"leaper", "pieces", "cut", "forced", "exhausted"} <= set(codes), codes


def is_kept(asked: Asked, path: list[Pair], symmetry: str) -> bool:
    """Whether the moves of a tour are those of its image."""
    rows, cols = asked.board.rows, asked.board.cols
    images = {
        "half-turn": lambda row, col: (rows - 1 - row, cols - 1 - col),
        "flip-vertical": lambda row, col: (rows - 1 - row, col),
        "transpose": lambda row, col: (col, row),
    }
    image = [images[symmetry](*square) for square in path]

    def moves(path: list[Pair]) -> set[frozenset[Pair]]:
        return {frozenset(pair) for pair in pairwise([*path, path[0]] if asked.closed else path)}

    return moves(path) == moves(image)


#: The symmetry, a part of the text, what has no tour that has it, and what is close to it and has one.
SYMMETRIC: list[tuple[str, str, Asked, Asked]] = [
    (
        "flip-vertical",
        "at most two squares do",
        Asked(wazir("....", "....", "...."), True),
        Asked(wazir("....", ".##.", "...."), True),
    ),
    (
        "flip-vertical",
        "leaves at most the middle square in place",
        Asked(wazir("...", "...", "...")),
        Asked(wazir("...", "##.", "...")),
    ),
    (
        "transpose",
        "at most two squares do",
        Asked(wazir("....", "....", "....", "...."), True),
        Asked(wazir("....", ".##.", ".##.", "...."), True),
    ),
]


@pytest.mark.parametrize(
    ("symmetry", "text", "none", "near"), SYMMETRIC, ids=[f"{name}: {text}" for name, text, *_ in SYMMETRIC]
)
def test_a_symmetry_that_no_tour_has_and_a_board_that_nearly_does(
    symmetry: str, text: str, none: Asked, near: Asked
) -> None:
    answer = none.tours.symmetric(symmetry).find()
    assert isinstance(answer, kt.Impossible)
    assert answer.reason.code == "symmetry", answer.reason
    assert text in answer.reason.text, answer.reason
    # It has tours, but none that is its own image: one by one.
    tours = list(none.all_tours())
    assert tours
    assert not any(is_kept(none, tour, symmetry) for tour in tours)
    found = near.tours.symmetric(symmetry).find()
    assert isinstance(found, kt.Found)
    path = [(row, col) for row, col in found.tour.squares]
    assert near.fits(path)
    assert is_kept(near, path, symmetry)
    assert any(is_kept(near, tour, symmetry) for tour in near.all_tours())


def test_no_tour_has_the_symmetry() -> None:
    tours = kt.Board(6).tours(closed=True)
    assert isinstance(tours.symmetric("half-turn").find(), kt.Found)
    none = tours.symmetric("transpose").find()
    assert isinstance(none, kt.Impossible)
    assert none.reason.code == "symmetry"
    # By plain listing: none of all 9862 is its own image.
    assert not any(tour.transformed("transpose") == tour for tour in tours)


def pieces_without(board: kt.Board, removed: Iterable[Pair]) -> list[set[Pair]]:
    """What a board falls into without some squares, by flood fill."""
    graph = boards.graph(board)
    left = set(graph) - set(removed)
    pieces = []
    while left:
        piece, new = set(), {next(iter(left))}
        while new:
            piece |= new
            new = {to for square in new for to in graph[square] if to in left} - piece
        left -= piece
        pieces.append(piece)
    return pieces


def test_pieces_that_hang_on_few_squares_are_counted_again() -> None:
    """On random small boards, and on large ones with a small obstacle."""
    rng = random.Random(8)
    told = Counter[str]()
    for _ in range(6000):
        rows, cols = rng.randint(4, 7), rng.randint(4, 7)
        squares = [(row, col) for row in range(rows) for col in range(cols)]
        board = kt.Board(rows, cols, blocked=rng.sample(squares, rng.randint(1, len(squares) // 3)))
        closed = rng.random() < 0.5
        answer = board.tours(closed=closed).find(node_limit=2000)
        if isinstance(answer, kt.Impossible) and "splits the board into" in answer.reason.text:
            removed = [(row, col) for row, col in answer.reason.squares]
            pieces = pieces_without(board, removed)
            told[answer.reason.code] += 1
            if answer.reason.code == "cut":
                assert f"splits the board into {len(pieces)} pieces" in answer.reason.text
                assert len(pieces) > len(removed) + (not closed) or len(removed) <= 2
    assert told["cut"] >= 5, told


#: The obstacle of a large board: without four of its squares two pieces of six are left, and one of one.
OBSTACLE = """
..#.##.#..
.#.#######
#.#..#.#..
.##...##..
..##...###
.###.#..##
.....#.###
.#..#..##.
..####.##.
....####..
...#....#.
"""


def test_a_small_obstacle_on_a_large_board() -> None:
    def board(without: Pair | None = None) -> kt.Board:
        lines = enumerate(OBSTACLE.split())
        blocked = {(6 + row, 7 + col) for row, line in lines for col, mark in enumerate(line) if mark == "#"}
        blocked -= {without} if without else set()
        # As many of both colours, far away.
        surplus = [sum((row + col) % 2 == colour for row, col in blocked) for colour in (0, 1)]
        for at in range(abs(surplus[0] - surplus[1])):
            blocked.add((25, 4 * at + 3 + (surplus[0] > surplus[1])))
        return kt.Board(40, blocked=sorted(blocked))

    none = board()
    answer = none.tours(closed=True).find()
    assert isinstance(answer, kt.Impossible)
    assert answer.stats.method == "theorem"
    assert "splits the board into" in answer.reason.text
    pieces = pieces_without(none, [(row, col) for row, col in answer.reason.squares])
    # By moves that are forced there may be one more, or a square less to pass through.
    assert len(pieces) + (answer.reason.code == "forced") > len(answer.reason.squares) >= 3
    near = board(without=(12, 12))
    found = near.tours(closed=True).find()
    assert isinstance(found, kt.Found)
    assert found.tour.is_closed


#: A wazir's board with some walls.
WALLED = Asked(
    kt.Board(4, 5, blocked=[(0, 4)], leaper=(0, 1)),
    start=(0, 3),
    excluding=(((3, 2), (3, 3)), ((1, 2), (1, 3)), ((1, 1), (2, 1))),
)

#: One without a tour that no theorem tells of.
NARROW = Asked(kt.Board(3, 7, blocked=[(1, 3)]))

#: A kind of prune, the look-ahead that makes it, a board without a tour on which it is made, and one with a tour.
PRUNES: list[tuple[str, str, Asked, Asked]] = [
    (
        "dead-ends",
        "dead-ends",
        NARROW,
        Asked(kt.Board(4, blocked=[(0, 2), (1, 0), (3, 2), (3, 3)], wrap="cols"), True),
    ),
    (
        "forced",
        "forced",
        NARROW,
        Asked(kt.Board(4, blocked=[(0, 2), (0, 3), (1, 0), (3, 1)], wrap="cols"), start=(1, 1)),
    ),
    (
        "cuts",
        "full",
        NARROW,
        Asked(kt.Board(4, blocked=[(1, 1), (1, 2), (3, 0), (3, 1)], wrap="cols"), start=(0, 0)),
    ),
    (
        "pieces",
        "full",
        WALLED,
        Asked(kt.Board(4, blocked=[(0, 1), (0, 2), (1, 3), (2, 3)], wrap="cols"), start=(3, 1)),
    ),
    (
        "colours",
        "full",
        WALLED,
        Asked(kt.Board(5, 4, blocked=[(0, 2), (1, 3), (4, 1)], wrap="cols"), start=(1, 0)),
    ),
]


@pytest.mark.parametrize(("kind", "lookahead", "none", "near"), PRUNES, ids=[kind for kind, *_ in PRUNES])
def test_prunes_cut_no_tour(kind: str, lookahead: Any, none: Asked, near: Asked) -> None:
    weaker: Any = {"dead-ends": "none", "forced": "dead-ends", "full": "forced"}[lookahead]
    how: dict[str, Any] = {"method": "backtracking", "order": "fixed"}
    answer = none.tours.find(lookahead=lookahead, **how)
    assert isinstance(answer, kt.Impossible)
    assert answer.stats.prunes[kind] > 0
    # It is needed: without it the search takes longer.
    assert none.tours.find(lookahead=weaker, **how).stats.nodes > answer.stats.nodes
    assert none.first() is None
    found = near.tours.find(lookahead=lookahead, **how)
    assert isinstance(found, kt.Found)
    assert found.stats.prunes[kind] > 0
    assert near.fits([(row, col) for row, col in found.tour.squares])
    assert near.first() is not None
