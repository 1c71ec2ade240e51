"""Tours by number, and tours drawn at random."""

from __future__ import annotations

from _operator import index as whole
from _thread import RLock

from knightstour._core import Tour, _check_limits, _prepare, _quote
from knightstour.collection import Collection
from knightstour.errors import NoTourError, RequestError
from knightstour.keywords import helpful_methods, methods_of
from knightstour.limits import DISK, limit_error
from knightstour.results import Stats, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from typing import Any, Self, SupportsIndex, overload

    from _typeshed import StrPath

    from knightstour._core import Cancel, Numbering
    from knightstour.results import Progress


class Sample(list[Tour]):
    """Tours drawn at random: a list that knows its ``seed``, which draws the same tours again."""

    __slots__ = ("seed",)

    seed: int

    def __init__(self, tours: list[Tour], seed: int) -> None:
        super().__init__(tours)
        self.seed = seed

    def __repr__(self) -> str:
        if len(self) <= 10:
            return super().__repr__()
        return f"<{len(self):,} tours drawn with the seed {self.seed}: {', '.join(map(repr, self[:3]))}, ...>"

    def _repr_svg_(self) -> str:
        from knightstour.drawing.notebook import sample_svg  # noqa: PLC0415 - pictures are loaded when one is shown

        return sample_svg(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sample, (list(self), self.seed))


@methods_of("Tours")
class Numbered(Collection):
    """What a collection of tours does as a list: `prepare`, `sample`, ``tours[i]`` and `index`."""

    __slots__ = ("_all", "_index", "_lock", "_numbering")

    if TYPE_CHECKING:

        @property
        def is_distinct(self) -> bool: ...  # noqa: D102
        @property
        def symmetries(self) -> tuple[str, ...]: ...  # noqa: D102
        def __contains__(self, tour: object) -> bool: ...
        def _describe(self) -> str: ...

    _numbering: Numbering | None
    _lock: RLock
    #: The file of the tables, if they are in one.
    _index: StrPath | None
    #: Of classes: all tours, of which they are drawn.
    _all: Numbered | None

    def __init__(self) -> None:
        self._numbering = None
        self._index = None
        # Who is told how far it is may ask for tours meanwhile.
        self._lock = RLock()
        self._all = None

    def _drawn_from(self) -> Numbered:
        """The collection that is drawn from: where one of each class is asked for, that of all tours."""
        if not self.is_distinct or self.symmetries or self._request.steps:
            return self
        if self._all is None:
            alike: Any = type(self)
            self._all = alike(self._board, self._request.plain())
        return self._all

    def prepare(
        self,
        path: StrPath | None = None,
        *,
        spill_dir: StrPath | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Self:
        """Make the tables by which tours are drawn and numbered, and return the collection itself.

        They are all layers of the sweep that counts the tours (see `count`), some four bytes a state. `sample`,
        ``tours[i]``, slices and `index` make them in memory when they are first needed, and this object keeps them;
        call this before to say where they go, with which limits, or to see how far it is.

        Parameters
        ----------
        path
            A file to keep them in: the index. It is written under another name and appears when it is whole; it is
            mapped into memory and must stay as it is while it is in use; `open_tours` opens it later. If it is there
            already it is checked and used; it must be that of this collection.
        spill_dir
            A directory for tables that go with this object, where no ``path`` is given, and for states of the sweep
            that do not fit the memory limit meanwhile.
        time_limit, node_limit, memory_limit, threads, progress, cancel
            As for `count`. The result does not depend on the number of threads.

        Raises `StoreError` for files that cannot be trusted or written, and `MemoryLimitError`, `TimeLimitError` or
        `LimitReachedError` when a limit ran out.

        Symmetric tours have tables of their own, of the smaller board that stands for them (see `symmetric`); they stay
        in memory, and files do not go with them (`RequestError`). Listed into memory instead, four bytes a square and
        tour, are the tours that cannot be counted that way (with two symmetries of which neither follows from the
        other, or under translations whose order has an odd factor), tours with squares at given steps (`with_steps`),
        and those of boards too wide for the sweep.

        Classes (`distinct`) are drawn by the tables of all tours: that is what is made here, and what the file holds.
        ``open_tours(path)`` gives all tours back, and ``open_tours(path).distinct()`` the classes, which are drawn at
        once. To number classes (``tours.distinct()[i]``) they are listed into memory, four bytes a square and class:
        that suits the 1245 of closed 6x6, and some millions, but not the 1,658,420,855,433 of closed 8x8.

        Cost: that of the count, and the writing. Closed 6x6 takes 0.2 MB and some milliseconds, closed 7x8 65 MB,
        closed 8x8 1.5 GB in a file; then a tour takes some ten to some hundred microseconds.

        The order of the numbers depends on the collection alone: not on limits, threads, files or machine. A
        version of this package that changes it refuses older files, and says so in its changes.
        """
        tours = self._drawn_from()
        with tours._lock:
            tours._make((path, spill_dir), (time_limit, node_limit, memory_limit), threads, progress, cancel)
        return self

    def _make(
        self,
        files: tuple[StrPath | None, StrPath | None],
        limits: tuple[float | None, int | None, int | None] = (None, None, None),
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Numbering:
        if self._numbering is not None:
            # What is wrong is so although there is nothing left to do.
            _check_limits(limits, threads, progress, cancel)
        if self._numbering is None or files[0] is not None:
            kind, answer, report = _prepare(self._request, *files, limits, threads, progress, cancel)
            if kind == "stopped":
                hint = DISK if files[1] is None and not self.symmetries and not self.is_distinct else ""
                raise limit_error(answer, Stats(*report), f"preparing the {self._describe()}", limits[2], hint)
            self._numbering = answer[2]
            self._index = files[0]
        return self._numbering

    def _prepared(
        self,
        threads: int | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Numbering:
        if self._numbering is not None:
            return self._numbering
        with self._lock:
            return self._make((None, None), (None, None, None), threads, progress, cancel)

    def sample(
        self,
        k: SupportsIndex = 1,
        *,
        seed: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Sample:
        """Pick tours at random, all equally likely and independent of one another.

        Parameters
        ----------
        k
            How many; a tour may come more than once.
        seed
            A whole number from 0 to 2**64 - 1. The same seed draws the same tours whatever the number of threads, and
            the first of many are those of a draw of fewer. Without one it is a fresh one from the system.
        executor
            Any `concurrent.futures.Executor`: its workers draw, on one thread each unless ``threads`` says more, the
            tours that are drawn without it. Those that are other processes open the index of ``prepare(path)``, which
            they must be able to read, or where there is none each makes the tables once and keeps them.
        threads, progress, cancel
            As for `count`, of the tables (`prepare`) as well.

        Returns
        -------
        Sample
            A list of k tours, with the ``seed`` that was used; closed tours in their listed form.

        Raises `NoTourError` if there is no tour to draw, and the errors of `prepare`, which it does first where that
        has not been done. Probabilities are ratios of exact whole numbers of any size: the number of a tour is drawn
        evenly, and the tour is that of the number (``tours[i]``).

        Of `distinct` tours each class has the same probability, however many tours it has: a symmetry is drawn in
        proportion to the number of tours that it keeps, one of these tours evenly, and what stands for its class is
        returned (Burnside's lemma: every class comes up as often as there are symmetries). The numbers are counted
        once, by sweeps over smaller boards; of tours kept by more than the identity, which come up rarely on larger
        boards, as many are listed as it takes to reach the one drawn. (Where sweeps cannot count what a symmetry
        keeps, as with translations of an odd order, tours are drawn until one comes that stands for its class: as
        many draws as there are symmetries.)
        """
        if not _is_whole(k) or whole(k) < 0:
            raise RequestError(f"k must be a whole number of at least 0, not {_quote(k)}")
        if executor is None:
            return self._draw(whole(k), seed, threads, progress, cancel)
        from knightstour.parts.many import sample_by_workers  # noqa: PLC0415 - brings executors

        return sample_by_workers(self, whole(k), seed, threads, executor, progress, cancel)

    def _draw(  # noqa: PLR0917 - what `sample` was given
        self,
        k: int,
        seed: int | None,
        threads: int | None,
        progress: Callable[[Progress], object] | None,
        cancel: Cancel | None,
        first: int = 0,
    ) -> Sample:
        """Draw so many tours, from draw number ``first`` on."""
        tours = self._drawn_from()
        numbering = tours._prepared(threads, progress, cancel)
        if k > 0 and numbering.total == 0:
            raise NoTourError(f"there are no {self._describe()} to draw from")
        classes = None if tours is self else self._request
        kind, answer, used = numbering.sample(k, seed, classes, (None, None, None), threads, progress, cancel, first)
        if kind == "stopped":
            stats = Stats("frontier", 0.0, 0, 0, 0, 0, {}, 0, 0, 0)
            raise limit_error(answer, stats, f"drawing from the {self._describe()}")
        return Sample(answer, used)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, number: SupportsIndex) -> Tour: ...
        @overload
        def __getitem__(self, number: slice) -> TourSlice: ...

    def __getitem__(self, number: SupportsIndex | slice) -> Tour | TourSlice:
        """The tour with a number, counted from 0; from the end if it is negative. Slices are lazy.

        Classes (`distinct`) and tours with squares at given steps are listed into memory to be numbered: see
        `prepare`. Raises `IndexError` beyond the last one, and the errors of `prepare`, which it does first where
        that has not been done.
        """
        if isinstance(number, slice):
            return TourSlice(self, range(self._prepared().total)[number])
        at = _whole_number(number)
        numbering = self._prepared()
        tour = numbering.tour(at + numbering.total if at < 0 else at) if at >= -numbering.total else None
        if tour is None:
            raise IndexError(f"number {_quote(at)}: there are {brief(numbering.total)} {self._describe()}")
        return tour

    def index(self, tour: Tour) -> int:
        """The number of a tour: ``tours[tours.index(tour)] == tour``, closed tours in their listed form.

        A closed tour may begin anywhere and run either way. Raises `ValueError` for what is not in the collection, and
        the errors of `prepare`, which it does first where that has not been done.
        """
        number = self._prepared().index(tour) if tour in self else None
        if number is None:
            raise ValueError(f"{_quote(tour)} is not one of the {self._describe()}")
        return number


@helpful_methods
class TourSlice:
    """Some tours of a collection by their numbers, such as ``tours[10:10**20:7]``. Each is made when it is asked for.

    It can be indexed, sliced, iterated, reversed and asked for `index` and membership, as a sequence can. ``len`` works
    up to `sys.maxsize`; `count` always does.
    """

    __slots__ = ("_numbers", "_tours")

    def __init__(self, tours: Numbered, numbers: range) -> None:
        self._tours = tours
        self._numbers = numbers

    @property
    def numbers(self) -> range:
        """The numbers of the tours in the collection."""
        return self._numbers

    def count(self) -> int:
        """How many tours there are."""
        if not self._numbers:
            return 0
        return (self._numbers[-1] - self._numbers[0]) // self._numbers.step + 1

    def __len__(self) -> int:
        return len(self._numbers)

    def __bool__(self) -> bool:
        return bool(self._numbers)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, number: SupportsIndex) -> Tour: ...
        @overload
        def __getitem__(self, number: slice) -> TourSlice: ...

    def __getitem__(self, number: SupportsIndex | slice) -> Tour | TourSlice:
        if isinstance(number, slice):
            return TourSlice(self._tours, self._numbers[number])
        return self._tours[self._numbers[_whole_number(number)]]

    def __iter__(self) -> Iterator[Tour]:
        return map(self._tours.__getitem__, self._numbers)

    def __reversed__(self) -> Iterator[Tour]:
        return map(self._tours.__getitem__, reversed(self._numbers))

    def __contains__(self, tour: object) -> bool:
        return isinstance(tour, Tour) and tour in self._tours and self._tours.index(tour) in self._numbers

    def index(self, tour: Tour) -> int:
        """The place of a tour among these. Raises `ValueError` if it is not one of them."""
        number = self._tours.index(tour)
        if number not in self._numbers:
            raise ValueError(f"{_quote(tour)} is number {number}, which is not in {self!r}")
        return self._numbers.index(number)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TourSlice):
            return NotImplemented
        return self._tours == other._tours and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash((self._tours, self._numbers))

    def __reduce__(self) -> tuple[Any, ...]:
        return (TourSlice, (self._tours, self._numbers))

    def __repr__(self) -> str:
        numbers = self._numbers
        stop = "" if numbers.stop < 0 else numbers.stop
        return f"{self._tours!r}[{numbers.start}:{stop}:{numbers.step}]"


def _is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _whole_number(number: SupportsIndex) -> int:
    if not _is_whole(number):
        raise TypeError(f"tours are numbered by whole numbers, not {_quote(number)}")
    return whole(number)
