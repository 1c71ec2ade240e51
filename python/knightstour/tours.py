"""The collection of a board's tours, and the short cuts `solve` and `count`."""

from __future__ import annotations

from knightstour._core import Board, Limits, Request, Tour, _is_unique, _open_tours, _quote
from knightstour.collection import counted
from knightstour.errors import MemoryLimitError, NoTourError, RequestError, check_file
from knightstour.keywords import check, helpful, helpful_methods
from knightstour.limits import DISK, PARTS, limit_error
from knightstour.numbered import Numbered
from knightstour.results import Count, Found, Impossible, Stats, Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Literal, SupportsIndex, TypeAlias

    from _typeshed import StrPath

    from knightstour._core import BatchIterator, Cancel, TourIterator, Walk
    from knightstour.moves import MoveCounts
    from knightstour.options import CountMethod, FindMethod, Lookahead, Order, Ties
    from knightstour.parts.plan import Plan
    from knightstour.paths import Path
    from knightstour.results import Progress
    from knightstour.square import Square, SquareLike

    Edge: TypeAlias = tuple[SquareLike, SquareLike] | list[SquareLike]


#: Seconds between two checkpoints of a count.
CHECKPOINT_SECONDS = 120.0

#: Arguments that the short cuts use themselves.
OF_BOARDS = ("rows", "cols", "closed", "start", "end")

#: The most squares of a board whose starts are counted: the table has an entry for each.
MOST_STARTS = 2**20


@helpful_methods
class Tours(Numbered):
    """The tours of a board that fit a request; made by `Board.tours`. It computes nothing until asked.

    An open tour is a sequence of squares, and its reverse is another one. A closed tour is a cycle of at
    least 3 squares, with no start or direction. Iterating lists the tours lazily and in constant memory,
    in a fixed order (see `__iter__`).

    It is also a list, but one that is not kept in memory: ``tours[i]`` is tour number i and ``tours.index(tour)`` the
    number of a tour. These numbers follow another order than iterating (see `prepare`).

    A collection has neither a length (counts overflow it; use `count`) nor a truth value.
    """

    __slots__ = ()

    def __init__(self, board: Board, request: Request) -> None:
        super().__init__()
        self._ask(board, request)

    @property
    def symmetries(self) -> tuple[str, ...]:
        """The names of the symmetries that the tours must have: see `symmetric`."""
        return tuple(self._request.symmetries)

    @property
    def is_distinct(self) -> bool:
        """Whether these are one tour of each class: see `distinct`."""
        return self._request.is_distinct

    def including(self, *edges: Edge) -> Tours:
        """The tours among these that use all of the given moves, ``edges``, each an unordered pair of squares.

        Raises `RequestError` for squares that are not one move apart.
        """
        return Tours(self._board, self._request.including(*edges))

    def excluding(self, *edges: Edge) -> Tours:
        """The tours among these that use none of the given moves, ``edges``, each an unordered pair of squares.

        Raises `RequestError` for squares that are not one move apart.
        """
        return Tours(self._board, self._request.excluding(*edges))

    def with_steps(self, steps: Mapping[Any, SupportsIndex]) -> Tours:
        """The tours among these that can be numbered so that given squares are at given steps, counted from 0.

        ``steps`` maps squares to steps. An open tour is numbered from its start. A closed tour fits if it can be
        numbered like this from some first square in some direction; if ``start`` is given, it is the first square.
        Tours are listed with the given numbers: ``tour.step_at(square)`` is the given step.

        Consecutive steps are cheap if they begin or end an open tour, or if a closed tour has no other given steps:
        they are moves to be used, and the tours are counted, numbered and sampled by the sweep. Other steps need a
        search (see `count` and `prepare`).

        Raises `RequestError` for steps out of range, and for two squares at one step.
        """
        given = dict(steps) if hasattr(steps, "keys") else steps
        return Tours(self._board, self._request.with_steps(given))

    def beginning(self, path: Iterable[SquareLike] | Path | Walk) -> Tours:
        """The tours among these that begin with the given squares.

        ``path`` is a `Path`, a `Walk`, or squares and names in order: at least one, each a move from the one before.
        `find` then says whether the beginning can be completed, and how; `count` says in how many ways. It is
        `with_steps` for steps 0, 1, 2 and so on, with the first square as the ``start``. A closed tour fits if it
        begins with them in one of its two directions, and is listed in that direction.

        Raises `InvalidTourError` for squares that are not a path, with the first bad ``step`` as in `Tour`; and
        `RequestError` if these tours have another start, or another square at one of the steps. Cost: a microsecond per
        square; `count` takes as long as for the squares that are left.
        """
        return Tours(self._board, self._request.beginning(path))

    def symmetric(self, name: str) -> Tours:
        """The tours among these that a symmetry of the board maps to themselves, in the same direction or reversed.

        ``name`` is one of ``board.symmetries``. These are the tours whose ``symmetry`` lists it. The symmetry reverses
        an open tour, so no open tour has a quarter-turn symmetry. A closed tour may keep its direction or be reversed.
        Given ends, moves and steps are those of each tour: a tour from ``a1`` with half-turn symmetry ends on the
        square to which a half turn moves ``a1``.

        Called twice, it asks for both symmetries. Symmetric tours are found, listed and counted on a smaller board:
        each of its squares stands for the squares that the symmetry maps to one another. The cost of counting is that
        of a sweep over the smaller board. (Some tours are counted by listing them: tours with two symmetries of which
        neither follows from the other; closed tours with given steps; and closed tours that are moved along themselves
        by a translation whose order has an odd factor.)

        Raises `RequestError` for a name that is not a symmetry of the board.

        Source: D. E. Knuth, The Art of Computer Programming, pre-fascicle 8A (2025), answers 137 to 139.
        """
        return Tours(self._board, self._request.symmetric(name))

    def distinct(self) -> Tours:
        """One tour of each class of these tours.

        Two tours are in the same class if a symmetry of the board maps one to the other and keeps the request: the
        given ends, moves and steps. An open tour and its reverse are in the same class if reversing keeps the request
        as well: with free ends, or with a symmetry that swaps the two given ends. (For closed tours ``start`` only
        says where they are listed from; it does not matter, unless steps are given.) For
        ``tours.symmetric(name)`` the classes are those under the symmetries that map the named one, or the group
        that it generates, to itself.

        Each class is represented by its tour with the smallest square numbers, compared from the first on (closed tours
        as listed from the first square in reading order). If all symmetries of the board keep the request, that is
        ``tour.canonical()``. Only these tours are ``in`` the collection. They are listed in the same order as the
        collection of all tours, in constant memory and at its pace; the others are skipped.

        `count` lists nothing: the number of classes is the mean of the numbers of tours that each symmetry
        keeps (Cauchy, Frobenius, "Burnside's lemma"), so it takes little longer than counting all tours.

        Source: Knuth, as for `symmetric`, page 18.
        """
        classes = Tours(self._board, self._request.distinct())
        if not self.is_distinct and not self.symmetries:
            # Classes use the tables of these tours, which may exist already.
            classes._all = self
        return classes

    def find(
        self,
        *,
        method: FindMethod = "auto",
        order: Order | None = None,
        ties: Ties | None = None,
        lookahead: Lookahead | None = None,
        seed: int | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Found | Impossible | Stopped:
        """Look for one tour.

        Parameters
        ----------
        method
            ``"auto"`` chooses the best engine. ``"backtracking"`` searches along the path. ``"construction"``
            puts tours of plain rectangles together from blocks, in linear time. ``"tidy"`` makes a closed tour
            with few turns and crossings (on n x n less than 9 n turns, and 10.75 n crossings plus a
            constant; after Besa, Johnson, Mamano, Osegueda and Williams 2022, "Taming the Knight's Tour"), in
            linear time, on plain rectangles with both sides at least 12. ``"frontier"`` sweeps over the board as
            `count` does, keeps the counts, and picks one of all tours: the first, or with a ``seed`` any of them, all
            equally likely (for boards that are narrow enough, without given steps; it can also prove that there is no
            tour). ``"warnsdorff"`` follows Warnsdorff's rule without taking a move back, and starts again up to 1000
            times before it gives ``Stopped("nodes")`` (for open tours without a given end or other constraints).
        order
            With backtracking: the order of moves, ``"warnsdorff"`` (fewest onward moves first) or ``"fixed"``
            (reading order of the squares moved to).
        ties
            With backtracking and ``"warnsdorff"``: how ties in Warnsdorff's rule are broken: ``"first"`` in reading
            order, ``"random"``, ``"outward"`` (farthest from the centre), ``"pohl"`` (smallest sum of onward moves
            one step further, then random);
            for ``"warnsdorff"`` also ``"squirrel"`` (see `warnsdorff`).
        lookahead
            With backtracking: ``"none"``; ``"dead-ends"`` (cut when an unvisited square has fewer than two
            usable moves); ``"forced"`` (also: a square with just two must use both); ``"full"`` (also: pieces,
            cut squares and the balance of colours behind them). Each of them includes the ones before it.
        seed
            A whole number from 0 to 2**64 - 1 for varied tours; the same seed gives the same tour. Without
            one the run is the same each time. It also works for symmetric tours. Only `sample` makes all tours
            equally likely.
        time_limit, node_limit, memory_limit
            Seconds, squares placed, and bytes. Without a memory limit, a run is refused if it needs more than three
            quarters of the machine's free memory.
        threads
            Number of threads; the answer does not depend on it.
        progress
            Called with a `Progress` a few times a second; raising in it stops the run.
        cancel
            A `Cancel` object that stops the run from another thread.

        Returns
        -------
        Found, Impossible or Stopped
            A tour that was checked; a proof that there is none, with its reason; or the limit that ran out: then it is
            not known whether there is a tour.

        Raises `RequestError` for options that do not fit. Cost: a few microseconds on small boards. Plain rectangles
        of any size are always decided, in some ten nanoseconds and five bytes per square. On other large boards the
        cost is linear if the search succeeds, but to prove by search that there is no tour may take years.
        (``python -m pytest tests/python/benchmarks`` measures these.)

        When none of ``order``, ``ties`` and ``lookahead`` is given, several engines take turns. They work in rounds of
        doubling length, measured in nodes and not in seconds, and from the second round on they work at the same time
        on all ``threads``: one that rotates and extends a path, one that forces edges, one that merges the cycles of a
        cover (for large boards), backtracking with restarts, and on narrow boards a sweep that can prove that there is
        no tour. Between rounds, pairs of squares that cut the board are looked for. The first round in which an engine
        answers decides; if several answer in it, the first one in this order. So a run gives the same answer on every
        machine. ``stats.method`` names the engine
        (``"rotation"``, ``"fragments"``, ``"merging"``, ``"backtracking"``, ``"frontier"``).
        """
        limits = Limits(time_limit, node_limit, memory_limit, threads, progress, cancel)
        return self._request.find(method, order, ties, lookahead, seed, limits)

    def count(
        self,
        *,
        method: CountMethod = "auto",
        modulus: int | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        spill_dir: StrPath | None = None,
        checkpoint: StrPath | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Count:
        """Count the tours exactly, as an integer of any size.

        ``method="frontier"`` sweeps over the board and counts without listing: its cost grows exponentially with
        the shorter side and linearly with the longer one (open 6x6 takes a tenth of a second, closed 8x8 some
        twelve seconds and 0.6 GB on two cores). ``"backtracking"`` visits every tour, once for each class of
        starts under the symmetries of the board, and places some eighty million squares per second and core.
        ``"auto"`` backtracks for a moment and then sweeps, if the board is narrow enough for that. Other
        parameters are those of `find`; a node of the sweep is a group of states. All cores are used unless
        ``threads`` says otherwise, and the result does not depend on their number.

        With a ``modulus``, a whole number from 2 to 2**32, the count is ``value % modulus``: what a sweep adds up then
        takes at most two or four bytes a state (``undirected`` and ``directed`` are None, and symmetric tours and
        classes are counted exactly first). Where exact sums do not fit the memory limit and residues may, a count
        without files takes several passes, each modulo another prime, and puts them together by the Chinese remainder
        theorem. There are as many primes as a proven bound on the count asks for (Brégman 1973), and one more, which
        checks the result; ``stats.moduli`` lists them.

        ``checkpoint`` names a file in which a sweep saves its state every two minutes, atomically, and when a limit
        ends it. Called again with the same file, the count resumes from there. The file is deleted when the count is
        done. A damaged file, or one of another count, is refused. Until it is complete it is named ``NAME.partial``, or
        ``NAME.2.partial`` and so on if several runs write at the same time; the last one to finish stays. Such files of
        a killed run are removed by the next run. ``spill_dir`` names a directory for states that do not fit the memory
        limit; it is empty afterwards. What the engine takes, by its own account (``stats.memory``), stays within the
        limit; the process may take a quarter or 64 MB more. Fewer threads work if that makes the states fit.

        Raises `RequestError` if the sweep is asked for and the board is too wide for it, `StoreError` for files that
        cannot be trusted or written, and `TimeLimitError`, `MemoryLimitError` or `LimitReachedError` when a limit ran
        out. `MemoryLimitError` is raised before the memory is taken, and within a second if the count needs ten times
        the limit; ``error.stats.memory`` is about what would be needed.
        """
        files = (checkpoint, spill_dir, CHECKPOINT_SECONDS)
        limits = Limits(time_limit, node_limit, memory_limit, threads, progress, cancel)
        value, stats = self._count(method, limits, False, files, modulus)
        if self._request.is_distinct or modulus is not None:
            return Count(value, None, None, stats)
        # The reverse of a tour has another square at each step except the middle one.
        last = len(self._board) - 1
        is_one_way = any(2 * step != last for step in self._request.steps.values())
        is_one_way = is_one_way or self.start is not None or self.end is not None or last == 0
        return counted(value, stats, closed=self.closed, one_way=is_one_way)

    def move_counts(
        self,
        *,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> MoveCounts:
        """Count for each move how many of the tours use it.

        Returns a mapping from pairs of squares to numbers; ``counts["a1", "b3"]`` looks a move up, and ``counts.svg()``
        draws each move as thick as its share. A closed tour uses two moves at each square, so that the numbers of the
        moves at a square add up to twice ``counts.total``.

        Limits and errors are those of `count`; classes (`distinct`) are refused with a `RequestError`. Cost: the tours
        that use a move are counted once for each class of moves under the symmetries, but for what follows from the
        sums at the squares: closed 6x6 takes some 0.2 s, closed 8x8 some minutes.
        """
        from knightstour.moves import move_counts  # noqa: PLC0415 - few need it

        return move_counts(self, time_limit, progress, memory_limit=memory_limit, threads=threads, cancel=cancel)

    def is_unique(
        self,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> bool:
        """Whether there is exactly one tour; it stops at the second.

        An open tour and its reverse are two, unless only one of them fits the given ends or steps. If steps are given,
        numberings are counted, because the solver of a puzzle writes numbers: a closed tour that fits in both
        directions counts as two. Limits and errors are those of `count`.
        """
        answer = _is_unique(self._request, Limits(time_limit, node_limit, memory_limit, None, progress, cancel))
        if isinstance(answer, Stopped):
            raise limit_error(answer, f"looking for a second tour among the {self._describe()}", memory_limit)
        return answer

    def plan(
        self,
        parts: Literal["auto", "rows", "ends", "moves"] | int = "auto",
        *,
        memory_limit: int | None = None,
        threads: int | None = None,
        time_limit: float | None = 60.0,
        cancel: Cancel | None = None,
    ) -> Plan:
        """Cut the count into parts that are exact, independent and restartable; nothing is counted yet.

        Parameters
        ----------
        parts
            ``"rows"``: by the rows of both ends (by the columns, if those are shorter), for open tours; ``"ends"``: by
            both ends; ``"moves"``, or the least number of parts: by moves that are used or not. Parts that a symmetry
            maps to each other are counted once. ``"auto"`` chooses the one with the fewest parts that are expected to
            fit in memory.
        memory_limit
            Bytes that a part may take; by default three quarters of the machine's free memory. With ``"moves"``, parts
            are cut until each is expected to fit. If no cut is fine enough, ``print(plan)`` says so.
        threads, time_limit, cancel
            For the forecast. It finds the groups of states of each part or, if there are many, a sample of them, and
            takes at most ``time_limit`` seconds in all. Parts that it does not reach have no forecast.

        Returns
        -------
        Plan
            ``print(plan)`` is a table of the parts and what each is expected to take; ``plan.run()`` counts them.

        Raises `RequestError` for cuts that do not fit.
        """
        from knightstour.parts.making import make_plan  # noqa: PLC0415 - few need it

        return make_plan(self, parts, memory_limit, threads=threads, time_limit=time_limit, cancel=cancel)

    def starts(
        self,
        *,
        method: CountMethod = "auto",
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        spill_dir: StrPath | None = None,
        checkpoint: StrPath | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> dict[Square, int]:
        """Count the open tours from each open square, in reading order; 0 if none starts there.

        Squares that a symmetry maps to each other are counted once. Parameters and errors are those of
        `count`; ``checkpoint`` holds the counts that are done, and a second file next to it, whose name ends in
        ``.sweep``, holds the state of the current one. Raises `RequestError` for closed tours, which have no start.
        Raises `MemoryLimitError` beyond 2**20 squares, since the result has an entry for each square.
        """
        if not self.closed and len(self._board) > MOST_STARTS:
            what = f"the {self._board.rows}x{self._board.cols} board has too many squares to count the starts"
            raise MemoryLimitError(
                f"{what}: {len(self._board):,}, more than {MOST_STARTS:,}", limit="memory", stats=None
            )
        limits = Limits(time_limit, node_limit, memory_limit, threads, progress, cancel)
        files = (checkpoint, spill_dir, CHECKPOINT_SECONDS)
        table, _ = self._count(method, limits, True, files)
        return dict(table)

    def _count(
        self,
        method: CountMethod,
        limits: Limits,
        by_start: bool,
        files: tuple[StrPath | None, StrPath | None, float],
        modulus: int | None = None,
    ) -> tuple[Any, Stats]:
        answer = self._request.count(method, limits, by_start, files, modulus)
        if isinstance(answer, Stopped):
            is_plain = not (self.symmetries or self.is_distinct or by_start)
            hints = [DISK] if files[1] is None and not self.symmetries else []
            hints += [PARTS] if is_plain else []
            raise limit_error(answer, f"counting the {self._describe()}", limits.memory_limit, *hints)
        return answer

    def __iter__(self) -> Iterator[Tour]:
        """List the tours one after another, lazily and in constant memory.

        The search grows all fragments of a tour at once and follows every move that is forced. Its order
        depends only on the collection and is the same in each version from 0.1 on. It branches on the square
        with the fewest moves that it can do without (among several, on the end of a fragment; then on the first
        in reading order). It first lists the tours that use the move it tries, then those that do not. With free
        ends each tour is followed by its reverse. Closed tours are written from the given start (by default the
        first square in reading order) towards the smaller-numbered of the two neighbours.

        Threads may share an iterator: each tour is handed out once.
        """
        return self._request.list(Limits(), None)

    def listing(
        self,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
        position: bytes | None = None,
    ) -> TourIterator:
        """List the tours as iterating does, with limits, or from the position of another listing.

        Parameters
        ----------
        time_limit, node_limit, memory_limit
            Seconds from this call on (including the time in which the tours are used), nodes of the search, bytes.
        progress
            Called with a `Progress` (tours listed) a few times a second while the next tour is asked for.
        cancel
            A `Cancel` object that stops the listing from another thread.
        position
            The ``position`` of an iterator over this collection: the listing resumes with the tour after it. That
            is fast, no matter how many tours came before.

        Returns
        -------
        TourIterator
            An iterator over tours with ``listed``, the number of tours before the next one, and ``position``, some
            hundred bytes from which a listing can resume. When a limit runs out it raises `TimeLimitError`,
            `MemoryLimitError` or `LimitReachedError`, and its position can still be used.

        Raises `RequestError` for a position that is damaged or of another collection.
        """
        limits = Limits(time_limit, node_limit, memory_limit, None, progress, cancel)
        return self._request.list(limits, position)

    def batches(
        self,
        size: int,
        *,
        threads: int | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
        position: bytes | None = None,
        wait: float | None = None,
    ) -> BatchIterator:
        """List the tours many at a time, in arrays that NumPy reads in place.

        Parameters
        ----------
        size
            Tours in a batch, at least 1. The last batch may be shorter, also if a limit ended the listing. About
            ten thousand is a good size.
        threads
            Number of threads, 1 by default. With one, the tours come in the order of iterating. With
            more, each tour comes once, but in no particular order, which differs each time.
        time_limit, node_limit, memory_limit, progress, cancel, position
            As for `listing`.
        wait
            Seconds after which a batch is returned even if it is not full, unless it is empty. By default batches are
            full.

        Returns
        -------
        BatchIterator
            An iterator over `Batch` objects with ``listed`` and ``position`` as those of `listing`
            (the position is ``None`` with several threads). ``numpy.asarray(batch)`` has the shape
            (tours, squares) and the type uint32 and copies nothing: square numbers ``row * cols + col``.

        Raises what `listing` raises, after the tours found so far were returned. Cost: 4 bytes per square and tour,
        and some 0.3 microseconds per tour on 6x6 (``python -m pytest tests/python/benchmarks`` measures it).
        """
        limits = Limits(time_limit, node_limit, memory_limit, threads, progress, cancel)
        return self._request.batches(size, limits, position, wait)

    def __contains__(self, tour: object) -> bool:
        return isinstance(tour, Tour) and self._request.admits(tour)

    def __eq__(self, other: object) -> bool:
        return self._request == other._request if isinstance(other, Tours) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._request)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Tours, (self._board, self._request))

    def __repr__(self) -> str:
        request = self._request
        text = f"{self._board!r}.tours({', '.join(self._given())})"
        if request.included:
            text += f".including({', '.join(map(repr, request.included))})"
        if request.excluded:
            text += f".excluding({', '.join(map(repr, request.excluded))})"
        if request.steps:
            text += f".with_steps({request.steps!r})"
        text += "".join(f".symmetric({name!r})" for name in request.symmetries)
        if request.is_distinct:
            text += ".distinct()"
        return text

    def _describe(self) -> str:
        kind = "closed" if self.closed else "open"
        if self._request.symmetries:
            kind = f"{' and '.join(self._request.symmetries)} symmetric {kind}"
        if self._request.is_distinct:
            kind = f"classes of {kind}"
        return f"{kind} tours of the {self._board.rows}x{self._board.cols} board"


def _tours(
    rows: Board | SupportsIndex,
    cols: SupportsIndex | None,
    closed: bool,
    start: SquareLike | None,
    end: SquareLike | None,
) -> Tours:
    """The collection that a short cut is about."""
    if isinstance(rows, Board):
        if cols is not None:
            raise RequestError(f"a Board has its own size: leave out {_quote(cols)}")
        board = rows
    else:
        board = Board(rows, cols)
    return board.tours(closed=closed, start=start, end=end)


@helpful
def open_tours(path: StrPath) -> Tours:
    """The collection whose index is in the file ``path``, as `Tours.prepare` wrote it, ready to pick and number tours.

    The file is mapped into memory and read where it is needed; it must not change while it is in use. Every part is
    checked before it is used. Raises `StoreError` for a file that is damaged, incomplete, of another version or not an
    index; if the file does not exist, the error is also a `FileNotFoundError`.
    """
    check_file(path)
    answer = _open_tours(path)
    if isinstance(answer, Stopped):
        raise limit_error(answer, "opening the index")
    board, request, numbering = answer
    tours = Tours(board, request)
    tours._numbering, tours._index = numbering, path
    return tours


def solve(
    rows: Board | SupportsIndex,
    cols: SupportsIndex | None = None,
    *,
    closed: bool = False,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    **options: Any,
) -> Tour:
    """Find a tour of a board: ``solve(8)``, ``solve(5, 8, closed=True)``, ``solve(board, start="a1")``.

    ``rows`` and ``cols`` are those of `Board`, or a board takes their place; ``closed``, ``start`` and ``end`` are
    those of `Board.tours`, and the other options are those of `Tours.find`. Raises `NoTourError`, which has the
    reason, if there is no tour, and `LimitReachedError` when a limit ran out.
    """
    check("solve", options, Tours.find, OF_BOARDS)
    tours = _tours(rows, cols, closed, start, end)
    match tours.find(**options):
        case Found(tour, _):
            return tour
        case Impossible(reason, _):
            raise NoTourError(reason.text, reason=reason)
        case Stopped() as stopped:
            raise limit_error(stopped, f"looking for {tours._describe()}", options.get("memory_limit"))


def count(
    rows: Board | SupportsIndex,
    cols: SupportsIndex | None = None,
    *,
    closed: bool = False,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    **options: Any,
) -> int:
    """Count the tours of a board: ``count(6)``, ``count(6, closed=True)``, ``count(board, start="a1")``.

    ``rows`` and ``cols`` are those of `Board`, or a board takes their place; ``closed``, ``start`` and ``end`` are
    those of `Board.tours`. An open tour and its reverse count as two, a closed tour counts once. The other options,
    and errors, are those of `Tours.count`.
    """
    check("count", options, Tours.count, OF_BOARDS)
    return _tours(rows, cols, closed, start, end).count(**options).value
