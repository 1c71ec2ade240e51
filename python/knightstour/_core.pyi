"""The core of knightstour, written in Rust. Its names are public in the package `knightstour`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, Literal, SupportsIndex, final, overload

import networkx as nx
import numpy as np
import numpy.typing as npt
from _typeshed import StrPath
from matplotlib.axes import Axes
from typing_extensions import Buffer

from knightstour.drawing.canvas import Svg
from knightstour.drawing.html import Html
from knightstour.drawing.scene import Style
from knightstour.options import LineFormat, Ties
from knightstour.paths import FoundPath, Path, Paths
from knightstour.puzzles import Puzzle
from knightstour.results import Found, Impossible, LongestPath, Progress, Stats, Stopped
from knightstour.square import Square, SquareLike
from knightstour.tours import Tours

__all__ = [
    "Batch",
    "BatchIterator",
    "Board",
    "Cancel",
    "Limits",
    "Numbering",
    "PathIterator",
    "Request",
    "RowIterator",
    "Squares",
    "SquaresIterator",
    "Tour",
    "TourIterator",
    "Walk",
    "__version__",
    "_check_path",
    "_count_between",
    "_count_paths",
    "_encode",
    "_find_path",
    "_first_colour",
    "_forecast",
    "_is_unique",
    "_list_paths",
    "_make_puzzle",
    "_measure",
    "_memory",
    "_note",
    "_note_of_lines",
    "_open_tours",
    "_prepare",
    "_quote",
    "_read_path",
    "_read_tour",
    "_restore_batch",
    "_restore_board",
    "_restore_request",
    "_restore_tour",
    "_restore_walk",
    "_run_seed",
    "_run_starts",
    "_split_tours",
    "_stabiliser",
    "_warnsdorff_trials",
    "warnsdorff",
]

__version__: Final[str]

@final
class Board:
    """A board: its size, its blocked squares, the piece that moves on it, and the edges that are joined.

    Parameters
    ----------
    rows, cols
        Numbers of rows and columns, each at least 1, with at most 2**31 squares; ``cols`` defaults to
        ``rows``.
    blocked
        Squares that no tour visits, each a pair (row, col) or a name such as ``"d4"``. At least one
        square must stay open. Costs one bit per square of the board.
    leaper
        ``(a, b)``: the piece moves ``a`` squares along either axis and ``b`` along the other. The knight
        is the (1, 2)-leaper.
    wrap
        Edges that are joined: ``None``, ``"cols"`` (left and right: a cylinder), ``"rows"`` (top and
        bottom) or ``"both"`` (a torus). Two moves that land on the same square count as one. A move that
        comes back to its own square does not count.

    Raises `BoardError` if there is no such board, `SquareError` if a blocked square is not on it.

    Boards are immutable, comparable, hashable and picklable. ``len(board)`` is the number of open
    squares, iteration goes over them in reading order, and ``square in board`` says whether a square
    is open. ``str(board)`` is a picture with ``.`` for open and ``#`` for blocked squares, which `parse`
    reads; it raises `MemoryLimitError` beyond 2**27 characters. ``repr(board)`` evaluates to the
    board and lists all blocked squares. ``numpy.asarray(board)`` is the array of ``board.squares``.
    """
    def __new__(
        cls,
        rows: SupportsIndex,
        cols: SupportsIndex | None = None,
        *,
        blocked: Iterable[SquareLike] = (),
        leaper: tuple[SupportsIndex, SupportsIndex] = (1, 2),
        wrap: Literal["cols", "rows", "both"] | None = None,
    ) -> Board: ...
    @staticmethod
    def parse(
        text: str,
        *,
        leaper: tuple[SupportsIndex, SupportsIndex] = (1, 2),
        wrap: Literal["cols", "rows", "both"] | None = None,
    ) -> Board:
        """Reads a picture, ``text``: one row per line, ``.`` for an open square, ``#`` for a blocked one.

        White space around lines is ignored, and so are empty lines before and after. Raises `BoardError`
        for lines of different lengths, other letters, or a picture without open squares.
        ``leaper`` and ``wrap`` are those of `Board`.
        """
    @property
    def rows(self) -> int:
        """Number of rows."""
    @property
    def cols(self) -> int:
        """Number of columns."""
    @property
    def leaper(self) -> tuple[int, int]:
        """The legs (a, b) of the piece that moves, the shorter first."""
    @property
    def wrap(self) -> Literal["cols", "rows", "both"] | None:
        """The edges that are joined: ``None``, ``"cols"``, ``"rows"`` or ``"both"``."""
    @property
    def blocked(self) -> frozenset[Square]:
        """The blocked squares."""
    @property
    def squares(self) -> Squares:
        """The open squares in reading order, a sequence that makes each square when it is asked for."""
    @property
    def symmetries(self) -> tuple[str, ...]:
        """The names of the board's symmetries, ``"identity"`` first.

        These are the symmetries of the rectangle that map open squares to open squares and joined edges to joined
        edges. With joined edges there are also translations, such as ``"translation(rows,cols)"``, and products such
        as ``"half-turn+translation(1,2)"`` (the turn comes first). Together they form a group. Raises
        `MemoryLimitError` beyond 2**20 of them.
        """
    def moves(self, square: SquareLike) -> tuple[Square, ...]:
        """The squares one move away from an open square, in reading order. Raises `SquareError` for other squares."""
    def degree(self, square: SquareLike) -> int:
        """The number of squares one move away from an open square. Raises `SquareError` for other squares."""
    def name(self, square: SquareLike) -> str:
        """The name of a square of the board, blocked or not.

        It is the column's letters (``a`` to ``z``, ``aa``, ...), then the rank counted from the bottom. Raises
        `SquareError` for a square that is not on the board.
        """
    def square(self, square: SquareLike) -> Square:
        """The square that a name or a pair means, blocked or not. Raises `SquareError` if it is not on the board."""
    def tours(self, *, closed: bool = False, start: SquareLike | None = None, end: SquareLike | None = None) -> Tours:
        """The tours of the board, a `Tours` collection; nothing is computed yet.

        ``closed=True`` asks for closed tours. They have no ends: ``start`` then only says where a listed tour
        begins. Raises `SquareError` for squares that are blocked or not on the board, `RequestError`
        for an ``end`` of closed tours and for equal ends.
        """
    @staticmethod
    def from_image(
        image: StrPath | bytes | BinaryIO,
        rows: SupportsIndex | None = None,
        cols: SupportsIndex | None = None,
        *,
        threshold: float = 0.5,
        leaper: tuple[SupportsIndex, SupportsIndex] = (1, 2),
        wrap: Literal["cols", "rows", "both"] | None = None,
    ) -> Board:
        """Reads a board from an image: dark squares are blocked.

        Parameters
        ----------
        image
            A path, a file opened in binary mode, or bytes: a PNG, GIF, JPEG, BMP, PPM or WebP picture.
        rows, cols
            Size of the board. The picture is divided evenly into rows and columns, at most one per pixel; by default
            every pixel is a square.
        threshold
            Squares whose mean brightness is below it are blocked, on a scale from 0, black, to 1, white. Transparent
            parts count as white.
        leaper, wrap
            As for `Board`.

        Needs Pillow (``pip install 'knightstour[image]'``), and raises `ImportError` without it. Raises `BoardError`
        for data that is not a picture, a file of more than 64 MiB, or more than 2**24 pixels; the size is checked
        before the picture is unpacked.
        """
    def svg(
        self,
        *,
        marks: Mapping[Any, str | int | None] | Iterable[SquareLike] | None = None,
        size: float | None = None,
        coordinates: bool = True,
        colors: Mapping[str, str] | None = None,
        title: str | None = None,
    ) -> Svg:
        """A picture of the board, as SVG text.

        Parameters
        ----------
        marks
            Squares to mark with a dot, or a mapping from squares to texts or numbers to write there, such as
            ``tours.starts()``.
        size, coordinates, colors, title
            As for `Tour.svg`.

        Returns a `str` that notebooks show.
        """
    def to_networkx(self) -> nx.Graph[Square]:
        """The board's moves as a ``networkx.Graph`` whose nodes are the open squares.

        Raises `ImportError` if NetworkX is not installed, `MemoryLimitError` beyond 2**20 squares: networkx
        takes some kilobytes for each.
        """
    def _repr_svg_(self) -> str: ...
    def longest_uncrossed(
        self,
        *,
        closed: bool = False,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> LongestPath:
        """Look for a longest path, or closed circuit, of moves that never cross each other.

        Two moves cross if the lines between the centres of their squares share a point that is not a common end.
        The answer is proven to be the longest unless a limit was reached (``is_optimal``, ``upper_bound``).
        After a limit, the answer is the longest path found so far: half of the work is a local search, half the
        proof. On 10x10 it finds 57 moves in a second; the longest known path there has 61.

        Parameters
        ----------
        closed
            Whether to look for a circuit. It need not visit all squares.
        time_limit, node_limit, memory_limit
            Seconds, states of the search, bytes.
        progress
            Called with a `Progress` a few times a second; raising in it stops the search.
        cancel
            A `Cancel` object that stops the search from another thread.

        Returns
        -------
        LongestPath
            The squares in order. A circuit does not repeat its first square. If there is no circuit, there are none.

        Values known for square boards: OEIS A003192 (paths) and A157416 (circuits). Cost: exponential in the shorter
        side, some 12 times as much with each further row: 30 million states for paths on 8x8, 4 million for circuits.
        Raises `RequestError` for joined edges, where crossings are not defined, and for boards that are too wide to
        search or have 65,536 squares or more.
        """
    def paths(
        self,
        squares: SupportsIndex,
        *,
        closed: bool = False,
        start: SquareLike | None = None,
        end: SquareLike | None = None,
    ) -> Paths:
        """The paths, or cycles, of a given number of squares, a `Paths` collection; nothing is computed yet.

        ``squares`` is the number of squares that a path visits, each once. Open paths are sequences of squares, from
        ``start`` and to ``end`` if these are given. ``closed=True`` asks for cycles of at least 3 squares, through
        ``start`` if that is given. Raises `SquareError` for squares that are blocked or not on the board,
        `RequestError` for a number below 1, an ``end`` of cycles and for equal ends.
        """
    def longest_path(
        self,
        *,
        start: SquareLike | None = None,
        end: SquareLike | None = None,
        closed: bool = False,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> LongestPath:
        """The longest path that visits no square twice, or the longest cycle, as a `LongestPath`.

        The result says whether it is proven to be the longest; if not, it gives an upper bound. ``start``,
        ``end`` and ``closed`` are those of `paths`, limits and the rest those of `Tours.find`. Without a limit the
        search ends with a proof or after a number of rounds. That takes fractions of a second on small boards and
        where the path is as long as the bound, and at worst minutes on boards of a hundred squares. After a limit,
        the result is the longest path found so far, on boards of a million squares as well. Raises `SquareError` and
        `RequestError` as `paths` does.
        """
    def start_squares(
        self,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> frozenset[Square]:
        """The squares on which an open tour can start, as a frozenset. An open tour can end on the same squares.

        Each square is tried by itself, unless a symmetry or a tour that was found before gives the answer. If there
        is a closed tour, an open tour can start on every square. Limits and the rest are those of `Tours.find`.
        Raises `LimitReachedError` when a limit ran out.
        """
    def end_squares(
        self,
        start: SquareLike,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> frozenset[Square]:
        """The squares on which an open tour from ``start`` can end, as a frozenset; empty if no tour starts there.

        Limits and the rest are those of `Tours.find`. Raises `SquareError` for a start that is blocked or not on
        the board, `LimitReachedError` when a limit ran out.
        """
    def __len__(self) -> int: ...
    def __iter__(self) -> SquaresIterator: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __contains__(self, square: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Squares(Sequence[Square]):
    """A read-only sequence of squares, each made when it is asked for.

    ``board.squares`` (in reading order) and ``tour.squares`` (in the tour's order) are such sequences.
    Indexing takes constant time and no memory; slices are views as well. It is equal to a tuple or list of
    the same squares and has the hash of that tuple; ``tuple(squares)`` makes one. ``numpy.asarray(squares)`` is
    an array of shape (len(squares), 2) and type int64: the row and the column of each square, 16 bytes per square.
    """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Square: ...
    @overload
    def __getitem__(self, index: slice, /) -> Squares: ...
    def __iter__(self) -> SquaresIterator: ...
    def __reversed__(self) -> SquaresIterator: ...
    def __contains__(self, square: object, /) -> bool: ...
    def index(self, square: SquareLike, start: int = 0, stop: int | None = None) -> int:
        """The index of a square (a pair or a name), looked for from index ``start`` up to ``stop``.

        Raises `ValueError` if it is not there.

        Cost on a tour: one pass over its squares. ``tour.step_at(square)`` is faster, since it keeps a table.
        """
    def count(self, square: SquareLike) -> int:
        """How often a square (a pair or a name) occurs: 1 or 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __copy__(self) -> Squares: ...
    def __deepcopy__(self, _memo: object, /) -> Squares: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SquaresIterator(Iterator[Square]):
    """Goes over squares. Threads that share one get each square once."""
    def __iter__(self) -> SquaresIterator: ...
    def __next__(self) -> Square: ...
    def __length_hint__(self) -> int: ...

@final
class Cancel:
    """``cancel=``: an object that stops the runs it was given to, from any thread."""

    def __new__(cls) -> Cancel: ...
    def cancel(self) -> None:
        """Stops the runs that this object was given to, now and later."""
    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""

@final
class Limits:
    """How far a run may go: the limits, the number of threads, and the functions that watch and stop it.

    They are the options of the same names of `Tours.find`, checked. Raises `RequestError` for values that do not fit.
    """

    def __new__(
        cls,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Limits: ...
    @property
    def memory_limit(self) -> int | None:
        """The memory limit in bytes, if one was given."""

@final
class Request:
    """What is asked: a board, open or closed, ends, moves to use and to avoid, steps. Immutable."""

    def plain(self) -> Request:
        """The same without symmetric tours and classes: all tours with the given ends, moves and steps."""

    def including(self, *edges: Sequence[SquareLike]) -> Request:
        """The same with moves to use, each a pair of squares."""
    def excluding(self, *edges: Sequence[SquareLike]) -> Request:
        """The same with moves to avoid, each a pair of squares."""
    def with_steps(self, steps: Mapping[Any, SupportsIndex]) -> Request:
        """The same with squares to visit at given steps, counted from 0."""
    def beginning(self, path: Iterable[SquareLike] | Walk | Path) -> Request:
        """The same with the squares to begin with, in order."""
    @property
    def board(self) -> Board:
        """The board."""
    @property
    def closed(self) -> bool:
        """Whether closed tours are asked for."""
    @property
    def start(self) -> Square | None:
        """The given start."""
    @property
    def end(self) -> Square | None:
        """The given end."""
    @property
    def included(self) -> list[tuple[str, str]]:
        """The moves to use, by the names of their squares."""
    @property
    def excluded(self) -> list[tuple[str, str]]:
        """The moves to avoid, by the names of their squares."""
    @property
    def steps(self) -> dict[str, int]:
        """The given steps by the names of their squares."""
    def symmetric(self, symmetry: str) -> Request:
        """The same, of the symmetric tours only."""
    def distinct(self) -> Request:
        """The same, one of each class."""
    @property
    def symmetries(self) -> list[str]:
        """The names of the symmetries that the tours must have."""
    @property
    def is_distinct(self) -> bool:
        """Whether one tour of each class is asked for."""
    def admits(self, tour: Tour) -> bool:
        """Whether a tour is one of those asked for."""
    def find(
        self,
        method: str,
        order: str | None,
        ties: str | None,
        lookahead: str | None,
        seed: int | None,
        limits: Limits,
    ) -> Found | Impossible | Stopped:
        """Looks for a tour: a `Found`, `Impossible` or `Stopped`."""
    def count(
        self,
        method: str,
        limits: Limits,
        by_start: bool,
        files: tuple[StrPath | None, StrPath | None, float],
        modulus: int | None,
    ) -> tuple[Any, Stats] | Stopped:
        """Counts: (value, stats), where the value may be a table of start squares, or a `Stopped`."""
    def list(
        self,
        limits: Limits,
        position: bytes | None,
    ) -> TourIterator:
        """The tours one after another, from a position on."""
    def batches(
        self,
        size: int,
        limits: Limits,
        position: bytes | None,
        wait: float | None,
    ) -> BatchIterator:
        """The same in batches of a size, each handed out after `wait` seconds at the latest if it is not empty."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Walk:
    """The walk that Warnsdorff's rule makes, followed to its end without taking a move back.

    ``squares`` are the squares visited, and ``is_complete`` says whether these are all open squares. If so,
    ``tour`` is the open tour; if not, it raises `InvalidTourError`. ``seed`` repeats the run. ``len(walk)`` is the
    number of squares visited, and ``numpy.asarray(walk)`` is the array of ``walk.squares``.
    """

    @property
    def board(self) -> Board:
        """The board."""
    @property
    def squares(self) -> Squares:
        """The squares visited, in order."""
    @property
    def is_complete(self) -> bool:
        """Whether every open square was visited."""
    @property
    def tour(self) -> Tour:
        """The tour, open; raises `InvalidTourError` if the walk is not complete."""
    @property
    def seed(self) -> int:
        """The seed that repeats the run."""
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def _restore_walk(board: Board, numbers: bytes, seed: int) -> Walk:
    """What a pickled walk calls. Everything is checked again."""

def warnsdorff(
    board: Board | SupportsIndex,
    start: SquareLike | None = None,
    *,
    ties: Ties = "random",
    seed: int | None = None,
) -> Walk:
    """Follow Warnsdorff's rule to its end, without taking a move back.

    Parameters
    ----------
    board
        Any `Board`, or the side of a square one: ``warnsdorff(8)``.
    start
        The first square; by default a random one (``"squirrel"``: the top left corner).
    ties
        Which square to take if several have equally few onward moves: ``"first"`` (topmost, then
        leftmost), ``"random"``, ``"outward"`` (farthest from the centre, then as ``"first"``), ``"pohl"``
        (smallest sum of onward moves one step further, then random), ``"squirrel"`` (the orderings of
        Squirrel and Cull 1996: square boards of side 5 or more, from a corner; they complete every side
        from 5 to 1000 except 74).
    seed
        A whole number from 0 to 2**64 - 1; by default a random one. ``walk.seed`` is the seed that was used.

    Cost: some twenty nanoseconds and five bytes per square. Raises `RequestError` or `SquareError` for
    arguments that do not fit, `MemoryLimitError` for a board that is too large for the machine.
    """

def _warnsdorff_trials(
    board: Board | SupportsIndex,
    trials: SupportsIndex,
    start: SquareLike | None,
    ties: str,
    seed: int | None,
    limits: Limits,
    first: int,
) -> tuple[int, tuple[int, ...], int] | None:
    """Follow Warnsdorff's rule many times: (outcome, completed, lengths, seed); None if it was cancelled."""

def _run_starts(board: Board, start: SquareLike | None, ties: str, seed: int, runs: int) -> Squares:
    """Where each run of trials starts, in the order of the runs."""

def _run_seed(seed: int, run: int) -> int:
    """The seed of run number ``run`` alone: `warnsdorff` with it makes the same run."""

def _measure(
    board: Board, closed: bool, squares: Buffer | npt.NDArray[Any], names: tuple[str, ...]
) -> list[tuple[str, int, bytes]]:
    """The measures of many tours: (name, numbers per tour, values as bytes) for each."""

@final
class TourIterator:
    """An iterator over tours. Threads may share it: each tour is handed out once."""

    @property
    def listed(self) -> int:
        """How many tours came before the next one, from the beginning of the collection."""
    @property
    def position(self) -> bytes:
        """The position of the listing, as bytes.

        With them, ``listing(position=...)`` and ``batches(size, position=...)`` resume with the next tour, in this
        process or another.
        """
    def __iter__(self) -> TourIterator: ...
    def __next__(self) -> Tour: ...

@final
class BatchIterator:
    """An iterator over batches of tours. Threads may share it: each tour is handed out once."""

    @property
    def listed(self) -> int:
        """How many tours came before the next batch, from the beginning of the collection."""
    @property
    def position(self) -> bytes | None:
        """The position of the listing, as bytes.

        With them, ``batches(size, position=...)`` and ``listing(position=...)`` resume with the next tour, in this
        process or another. ``None`` if several threads list.
        """
    def __iter__(self) -> BatchIterator: ...
    def __next__(self) -> Batch: ...

@final
class Batch:
    """Many tours of one board, one per row: what ``tours.batches(size)`` gives.

    ``len(batch)`` is the number of tours, ``batch[i]`` makes a `Tour` of one, a slice is another batch, and
    iterating goes over the tours. The buffer protocol gives the square numbers ``row * cols + col`` in
    two dimensions, so ``numpy.asarray(batch)`` is a read-only array of shape (len(batch), squares) and type
    uint32 that copies nothing. Batches are immutable, and picklable (checked again on loading).
    """

    @property
    def board(self) -> Board:
        """The board."""
    @property
    def closed(self) -> bool:
        """Whether these are closed tours."""
    @property
    def shape(self) -> tuple[int, int]:
        """The number of tours, and the squares of each."""
    def lines(self, format: LineFormat = "names") -> bytes:  # noqa: A002 - what it is called everywhere
        """The tours as text, one per line, as bytes.

        ``format`` is ``"names"`` (names of squares between blanks), ``"csv"`` (square numbers ``row * cols + col``
        between commas) or ``"json"`` (an object with the keys ``tour``, names, and ``closed``). Raises
        `RequestError` for other names.
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Tour: ...
    @overload
    def __getitem__(self, index: slice, /) -> Batch: ...
    def __iter__(self) -> RowIterator: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RowIterator:
    """Goes over the tours of a batch. Threads that share one get each tour once."""
    def __iter__(self) -> RowIterator: ...
    def __next__(self) -> Tour: ...

def _restore_batch(board: Board, numbers: bytes, closed: bool) -> Batch:
    """What a pickled batch calls. Everything is checked again."""

@final
class Tour:
    """A tour visits every open square of its board once; each is one move from the one before. Always valid.

    Parameters
    ----------
    board
        The `Board`.
    squares
        The squares in order: any iterable of pairs (row, col) and names, or a list or array of square
        numbers ``row * cols + col`` (read in place if it is a buffer of unsigned 32-bit numbers); or
        the numbered grid as nested lists or an array.
    closed
        ``True`` for a closed tour (a cycle), ``False`` for an open one. With ``None`` it is closed if the
        ends are one move apart and there are at least 3 squares.

    Raises `InvalidTourError`, which says which step is the first bad one; it is also a `SquareError` if a
    square is not on the board or blocked. Cost: one pass over the squares, and four bytes per square.

    Tours are immutable, comparable and hashable (by board, kind and sequence) and picklable (checked
    again on loading). ``len(tour)`` is the number of squares, iteration goes over them, ``str(tour)``
    is the board with its squares numbered from 1 (it raises `MemoryLimitError` beyond 2**27
    characters). The buffer protocol gives the square numbers, so ``numpy.asarray(tour)`` is a
    read-only array of shape (len(tour),) and type uint32 that copies nothing.
    """
    def __new__(
        cls,
        board: Board,
        squares: Iterable[SquareLike] | Iterable[SupportsIndex] | Iterable[Iterable[SupportsIndex | None]] | Buffer,
        closed: bool | None = None,
    ) -> Tour: ...
    @staticmethod
    def parse(what: object, board: Board | None = None, closed: bool | None = None) -> Tour:
        """Reads a tour from ``what``, written as people and programs write tours.

        - A numbered grid, from 0 or from 1, as text in any frame (Markdown, LaTeX, CSV, boxes, brackets), with or
          without labels of rows and columns. ``#`` is a blocked square. Other signs for "no number" (``.``, ``-``,
          ``x``, ``nan``, nothing between two commas) need a board on which these squares are blocked.
        - Names of squares: separated by anything or by nothing, numbered, with the piece (``Nb3``), or as moves
          (``a1-b3 b3-c5``).
        - Pairs (row, column), from 0 or from 1; (x, y) where a heading or a key says so.
        - Square numbers in reading order, from 0 or from 1.
        - JSON, as `to_json` writes it.
        - Nested lists, NumPy arrays or pandas frames of these; ``None``, ``nan`` and -1 mean "no number". A flat list
          of numbers holds square numbers; in a text it may be a grid whose lines were wrapped.

        Without ``board``, the board is that of the grid, or the rectangle that a list of squares fills. ``closed`` says
        whether the tour is meant as closed or open. By default it is closed if it returns to its first square, or if
        its ends are one move apart and it has at least 3 squares; JSON and files of this package say which it is.

        Raises `ReadError` if the text cannot be read, `InvalidTourError` if it was read and is not a tour: the message
        begins with how it was read. Cost: linear in the text; a grid of 1000x1000 squares takes about a tenth of a
        second.
        """

    @staticmethod
    def from_json(text: str, board: Board | None = None) -> Tour:
        """Reads JSON as `to_json` writes it; squares may also be pairs [row, column], from 0.

        All keys except ``tour`` may be left out, and other keys are skipped, so that the output of ``knightstour
        solve --json`` can be read as well. If the text names no board, the board is ``board`` or the smallest
        rectangle that the squares fill. If it has no ``closed``, the tour is closed if its ends are one move apart
        and it has at least 3 squares.

        Raises `ReadError`, with line and column, if the text cannot be read; `InvalidTourError` if it is not a tour.
        """

    def to_json(self) -> str:
        """The tour in JSON, on one line; `from_json` reads it, and later versions will.

        Keys: ``version`` (1); ``board``, with ``rows``, ``cols``, ``blocked`` (names of squares), ``leaper`` (two
        numbers) and ``wrap`` (null, ``"cols"``, ``"rows"`` or ``"both"``); ``closed`` (true for a cycle);
        ``tour`` (names of squares, in order). Raises `MemoryLimitError` beyond 2**27 characters.
        """
    @property
    def board(self) -> Board:
        """The board."""
    @property
    def squares(self) -> Squares:
        """The squares in order, a sequence that makes each `Square` when it is asked for."""
    @property
    def start(self) -> Square:
        """The first square."""
    @property
    def end(self) -> Square:
        """The last square."""
    @property
    def is_closed(self) -> bool:
        """Whether it is a closed tour: a cycle."""
    @property
    def is_reentrant(self) -> bool:
        """Whether its ends are one move apart, so that it is or could be closed."""
    @property
    def symmetry(self) -> tuple[str, ...]:
        """The names of the symmetries of the board that map the tour to itself, in the same direction or reversed.

        ``"identity"`` is always the first. Cost: at most one pass over the tour for each symmetry of the
        board.
        """
    @property
    def turns(self) -> int:
        """The number of squares on which the tour changes direction.

        A turn is a square whose two moves differ in direction (Besa, Johnson, Mamano, Osegueda and Williams
        2022, "Taming the Knight's Tour: Minimizing Turns and Crossings"). The ends of an open tour are not turns.

        Raises `RequestError` if a joined side is not longer than two of the leaper's longer legs, since
        moves have no definite direction there. Cost: a few nanoseconds per square.
        """
    @property
    def crossings(self) -> int:
        """The number of pairs of moves that cross.

        A move is a straight segment between the centres of its squares; a move over a joined edge runs over
        that edge. Two cross if the segments meet in one point inside both (Besa and others 2022). Moves that share a
        square or lie along one line do not cross.

        Raises `RequestError` as `turns` does. Cost: linear in the tour, about a hundred nanoseconds per square
        for the knight (it grows with the square of a leaper's legs), and one byte per square.
        """
    @property
    def angles(self) -> dict[float, int]:
        """How many squares have each of the possible angles between their two moves.

        A dict from angles in degrees, rounded to two decimals, to counts. The knight has 36.87, 53.13, 90,
        126.87, 143.13, and 180 for going straight on (Jelliss, "Knight's Tour Notes", volume 1, "Angles").
        Raises `RequestError` as `turns` does.
        """
    @property
    def slopes(self) -> dict[tuple[int, int], int]:
        """How many moves have each of the possible slopes.

        A dict from (rows down, columns to the right) to counts. A move and its reverse have the same slope, named
        by the one that leads down, or to the right (Jelliss, "Knight's Tour Notes": directions of moves). The
        move that closes a closed tour counts as well. Raises `RequestError` as `turns` does.
        """
    @property
    def row_sums(self) -> tuple[int, ...]:
        """The sum of the numbers in each row of the board, from the top.

        Numbers are counted from 1, and blocked squares have none.
        """
    @property
    def column_sums(self) -> tuple[int, ...]:
        """The sum of the numbers in each column of the board, from the left, as in `row_sums`."""
    @property
    def is_semimagic(self) -> bool:
        """Whether all rows have the same sum and all columns have the same sum.

        On a square board both sums are equal (Jelliss, "Knight's Tour Notes": semimagic tours). The answer depends
        on where a closed tour begins.
        """
    @property
    def is_magic(self) -> bool:
        """Whether the tour is semimagic, the board is square, and both long diagonals have the same sum as well."""
    def grid(self, first: SupportsIndex = 1) -> list[list[int | None]]:
        """The numbered board as a list of rows.

        Each row is the list of the numbers of its squares, counted from ``first``; None on blocked ones. Raises
        `RequestError` for a ``first`` below 0.
        """
    def grid_array(self, first: SupportsIndex = 1) -> npt.NDArray[np.int32 | np.int64]:
        """The numbered board as a NumPy array of shape (rows, cols).

        It holds the number of each square, counted from ``first``, and -1 on blocked squares. Its type
        is int32, or int64 if the numbers need it. Cost: about twelve bytes per square while it is made.

        Raises `ImportError` if NumPy is not installed, `RequestError` for a ``first`` below 0.
        """
    def step_at(self, square: SquareLike) -> int:
        """The step (from 0) at which a square is visited.

        The first call makes a table of four bytes per square. Raises `SquareError` for a square that is not open.
        """
    def names(self) -> list[str]:
        """The names of the squares in order."""
    def reversed(self) -> Tour:
        """The same tour from its other end. A closed tour keeps its first square and runs the other way."""
    def transformed(self, symmetry: str) -> Tour:
        """The image of the tour under a symmetry, on the image of its board.

        ``symmetry`` is one of the eight symmetries of a square, on any board (a quarter turn of 3 x 4 is a
        tour of 4 x 3), or a translation over joined edges, named as in ``board.symmetries``. Turns are
        clockwise as printed. Raises `RequestError` for other names. Cost: one pass over the tour.
        """
    def canonical(self) -> Tour:
        """The representative of all tours that the board's symmetries and reversal make from this one.

        It is the one whose listed form (a closed tour goes from its first square in reading order towards the
        smaller-numbered neighbour) has the smallest square numbers, compared from the first on.
        Cost: at most one pass over the tour for each symmetry of the board.
        """
    def is_equivalent(self, other: Tour) -> bool:
        """Whether a symmetry maps this tour to the other one, in the same direction or reversed.

        The symmetries are the eight of a square, which move the board as well (a tour of 3 x 4 and its quarter
        turn, a tour of 4 x 3, are equivalent), and the translations over joined edges. An open and a closed tour
        are never equivalent. Cost: that of `canonical` for both.
        """
    def svg(
        self,
        *,
        size: float | None = None,
        style: Style = "path",
        coordinates: bool = True,
        squares: bool = True,
        start_end: bool = True,
        colors: Mapping[str, str] | None = None,
        title: str | None = None,
    ) -> Svg:
        """A picture of the tour, as SVG text.

        Parameters
        ----------
        size
            Length of the longer side in pixels; by default the picture fills the place that it is shown in.
        style
            ``"path"``, ``"arrows"`` (the path with arrowheads), ``"rainbow"`` (the path on squares whose colour
            shows the step) or ``"numbers"`` (from 1, without the path).
        coordinates
            Whether columns and rows are named along the edges.
        squares
            Whether the squares are drawn; blocked squares always are.
        start_end
            Whether the start is marked, by a disc, and the end of an open tour, by a square.
        colors
            Other colours by name: ``light``, ``dark``, ``blocked``, ``frame``, ``border``, ``label``, ``path``,
            ``start``, ``end``, ``number``, ``mark``; each a colour as CSS writes it.
        title
            The picture's title, for screen readers and as a tooltip; by default the kind of tour and the board.

        Returns a `str` that notebooks show. The path is one polyline; on joined edges it is cut where it
        leaves one edge and enters another. Style sheets can restyle the classes ``frame``, ``square`` with
        ``light`` or ``dark``, ``blocked``, ``edge``, ``joined``, ``label``, ``path``, ``arrows``, ``number``,
        ``start`` and ``end``. On boards of up to 4096 squares each square is an element with its name as a
        class.

        Cost per square: a microsecond (arrows: ten) and, on large boards, ten to fifty bytes. Raises
        `RequestError` for options that do not fit, and beyond 4,194,304 squares.
        """
    def html(
        self,
        *,
        speed: float | None = None,
        autoplay: bool = False,
        coordinates: bool = True,
        colors: Mapping[str, str] | None = None,
        title: str | None = None,
    ) -> Html:
        """A page that plays the tour: one HTML file with everything in it, which loads nothing from the network.

        Parameters
        ----------
        speed
            Squares per second at the beginning, 1 to 2000; by default the whole tour takes half a minute.
        autoplay
            Whether it plays at once; it never does if the reader's system asks for reduced motion.
        coordinates, colors, title
            As for `svg`.

        Returns a `str` that notebooks show in a frame. The page has buttons, a scrub bar and keys (space,
        arrows, Home, End, + and -). Boards of 200x200 play smoothly; it raises `RequestError` beyond 1,000,000
        squares, and for options that do not fit.
        """
    def save(self, path: StrPath, **options: Any) -> None:
        """Writes the tour to the file ``path``, in the format that its name ends with.

        ``.svg`` and ``.html`` take the options of `svg` and `html`. ``.png`` takes those of `svg` except
        ``title``, and ``.gif``, an animation, takes ``size``, ``seconds``, ``coordinates`` and ``colors``. Both
        need Pillow (``pip install 'knightstour[image]'``) and show up to 16,777,216 squares; larger pictures are
        refused. ``.txt`` and ``.csv`` are the numbered board and ``.json`` is `to_json`, which `parse` reads.

        Raises `RequestError` for another ending or options that do not fit, `ImportError` without Pillow,
        `OSError` if the file cannot be written.
        """
    def plot(
        self,
        ax: Axes | None = None,
        *,
        style: Literal["path", "numbers"] = "path",
        colors: Mapping[str, str] | None = None,
    ) -> Axes:
        """Draws the tour with Matplotlib, on ``ax`` or on new axes, and returns the axes.

        ``style`` is ``"path"`` or ``"numbers"``, ``colors`` as for `svg`. Raises `ImportError` if Matplotlib is
        not installed.
        """
    def to_networkx(self) -> nx.Graph[Square]:
        """The tour as a ``networkx.Graph``: a path, or a cycle if it is closed.

        Its nodes are the squares, in the tour's order, each with the attribute ``step`` (from 0). Raises
        `ImportError` if NetworkX is not installed, `MemoryLimitError` beyond 2**22 squares: networkx takes
        about a kilobyte for each.
        """
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> SquaresIterator: ...
    def __contains__(self, square: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Tour: ...
    def __deepcopy__(self, _memo: object, /) -> Tour: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Numbering:
    """A collection as a list. Immutable; threads may share it."""

    @property
    def total(self) -> int:
        """How many tours there are."""
    @property
    def nbytes(self) -> int:
        """Bytes that it takes, in memory or on disk."""
    def tour(self, number: int) -> Tour | None:
        """The tour with a number from 0 to the total less 1."""
    def index(self, tour: Tour) -> int | None:
        """The number of a tour, or None if it is not one of these."""
    def sample(
        self,
        count: SupportsIndex,
        seed: int | None,
        classes: Request | None,
        limits: Limits,
        first: int = 0,
    ) -> tuple[list[Tour], int] | Stopped:
        """Picks tours, or classes of a request: (list of tours, seed) or a `Stopped`.

        `first` is the number of the first pick: other workers make those before it.
        """

def _prepare(
    request: Request, path: StrPath | None, spill_dir: StrPath | None, limits: Limits
) -> tuple[Board, Request, Numbering] | Stopped:
    """Numbers tours: (board, request, numbering) or a `Stopped`."""

def _open_tours(path: StrPath) -> tuple[Board, Request, Numbering] | Stopped:
    """Opens an index: (board, request, numbering) or a `Stopped`."""

def _restore_board(rows: int, cols: int, blocked: bytes, leaper: tuple[int, int], wrap: str | None) -> Board:
    """What a pickled board calls. Everything is checked again."""

def _restore_tour(board: Board, numbers: bytes, closed: bool) -> Tour:
    """What a pickled tour calls. Everything is checked again."""

def _restore_request(
    board: Board,
    closed: bool,
    start: SquareLike | None,
    end: SquareLike | None,
    included: tuple[Any, ...],
    excluded: tuple[Any, ...],
    steps: dict[Any, int],
    symmetries: tuple[str, ...] | None = None,
    distinct: bool = False,
) -> Request:
    """What a pickled request calls. Everything is checked again."""

@final
class PathIterator(Iterator[tuple[Square, ...]]):
    """An iterator over the paths of a given number of squares, each a tuple of squares. Threads may share it."""
    def __iter__(self) -> PathIterator: ...
    def __next__(self) -> tuple[Square, ...]: ...

def _check_path(
    request: Request,
    squares: SupportsIndex,
) -> int:
    """Checks the number of squares of a path; returns it."""

def _read_path(
    board: Board, squares: Iterable[SquareLike] | Walk | Path, closed: bool | None
) -> tuple[tuple[Square, ...], bool]:
    """Checks a path: (squares, whether it is a cycle); where `closed` is `None` its ends say so."""

def _find_path(
    request: Request, squares: SupportsIndex, seed: int | None, limits: Limits
) -> FoundPath | Impossible | Stopped:
    """Looks for a path of `squares` squares: a `FoundPath`, `Impossible` or `Stopped`."""

def _count_paths(request: Request, squares: SupportsIndex, limits: Limits) -> tuple[int, Stats] | Stopped:
    """Counts the paths of `squares` squares: (value, stats) or a `Stopped`."""

def _is_unique(request: Request, limits: Limits) -> bool | Stopped:
    """Whether a request has exactly one tour: a bool, or a `Stopped`."""

def _make_puzzle(
    request: Request, clues: SupportsIndex | None, seed: int | None, limits: Limits
) -> Puzzle | Impossible | Stopped | tuple[int, Stats] | None:
    """Makes a puzzle: a `Puzzle`, `Impossible` or `Stopped`; None if no puzzle has only one number.

    Or (number, stats), if all puzzles that were made have more numbers than asked for: the fewest of them.
    """

def _list_paths(
    request: Request,
    squares: SupportsIndex,
) -> PathIterator:
    """Lists the paths of `squares` squares."""

def _encode(request: Request) -> bytes:
    """The request as bytes that are stable across versions."""

def _read_tour(
    text: str,
    board: Board | None = None,
    closed: bool | None = None,
    leaper: tuple[int, int] | None = None,
    wrap: str | None = None,
    blocked: Sequence[str] | None = None,
) -> tuple[Tour, str, str | None, bool]:
    """A tour, how its text was read, a note on another reading, and whether its kind is said."""

def _split_tours(
    text: str,
    board: Board | None = None,
    closed: bool | None = None,
    leaper: tuple[int, int] | None = None,
    wrap: str | None = None,
    blocked: Sequence[str] | None = None,
) -> list[str]:
    """The parts of a text that holds several tours."""

def _note(tour: Tour) -> str:
    """The line that is put before a tour's grid in a file; empty where the grid says all."""

def _note_of_lines(board: Board, closed: bool) -> str:
    """The line that is put before tours as lines of names or square numbers."""

def _quote(value: object, /) -> str:
    """What a value looks like in a message, for messages made in Python."""

def _memory() -> int:
    """Bytes that a run may take if no limit is given."""

def _stabiliser(request: Request) -> list[list[int]]:
    """The symmetries that leave a request as it is: for each, where it takes each square number."""

def _first_colour(board: Board) -> set[int] | None:
    """The square numbers of the first colour, if moves change the colour and the board is connected."""

def _count_between(
    request: Request,
    between: tuple[Sequence[int], Sequence[int]] | None,
    another_order: bool,
    limits: Limits,
    files: tuple[StrPath | None, StrPath | None, float],
) -> tuple[int, Stats] | Stopped:
    """Counts the open tours that start and end on some squares: as the method `count` of a request."""

def _forecast(
    request: Request,
    between: tuple[Sequence[int], Sequence[int]] | None,
    samples: int | None,
    limits: Limits,
) -> dict[str, float] | str | Stopped | None:
    """What a sweep is expected to take, from `samples` samples of each kind of groups, or from all groups.

    It is a dict of the states at the peak, the groups, the transitions and the bytes at the peak; None where the
    board has no two colours; "too wide"; or a `Stopped`.
    """
