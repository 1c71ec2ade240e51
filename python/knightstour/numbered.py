"""Tours by number, and tours picked at random."""

from __future__ import annotations

from _operator import index as whole
from _thread import RLock

from knightstour._core import Limits, Tour, _prepare, _quote
from knightstour.collection import Collection
from knightstour.errors import NoTourError, RequestError
from knightstour.keywords import helpful_methods, methods_of
from knightstour.limits import DISK, limit_error
from knightstour.results import Stopped, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from typing import Any, Self, SupportsIndex, overload

    from _typeshed import StrPath

    from knightstour._core import Cancel, Numbering
    from knightstour.results import Progress


class Sample(list[Tour]):
    """Tours picked at random: a list with the ``seed`` that picks the same tours again."""

    __slots__ = ("seed",)

    seed: int

    def __init__(self, tours: list[Tour], seed: int) -> None:
        super().__init__(tours)
        self.seed = seed

    def __repr__(self) -> str:
        if len(self) <= 10:
            return super().__repr__()
        return f"<{len(self):,} tours picked with the seed {self.seed}: {', '.join(map(repr, self[:3]))}, ...>"

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
    #: For classes: the collection of all tours, from which they are picked.
    _all: Numbered | None

    def __init__(self) -> None:
        self._numbering = None
        self._index = None
        # A progress function may ask for tours during the run.
        self._lock = RLock()
        self._all = None

    def _drawn_from(self) -> Numbered:
        """The collection that tours are picked from: for classes, that of all tours."""
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
        """Make the tables that are used to pick and number tours, and return the collection itself.

        The tables are all layers of the sweep that counts the tours (see `count`), some four bytes per state. `sample`,
        ``tours[i]``, slices and `index` make them in memory when they are first needed, and this object keeps them.
        Call `prepare` first to choose where they are kept, to set limits, or to see progress.

        Parameters
        ----------
        path
            A file to keep them in: the index. It is written under another name and appears when it is complete. It is
            mapped into memory and must not change while it is in use; `open_tours` opens it later. If the file exists
            already, it is checked and used; it must be the index of this collection.
        spill_dir
            A directory for the tables if no ``path`` is given (they are deleted with this object), and for states of
            the sweep that do not fit the memory limit.
        time_limit, node_limit, memory_limit, threads, progress, cancel
            As for `count`. The result does not depend on the number of threads.

        Raises `StoreError` for files that cannot be trusted or written, and `MemoryLimitError`, `TimeLimitError` or
        `LimitReachedError` when a limit ran out.

        Symmetric tours have their own tables, of the smaller board that stands for them (see `symmetric`). These stay
        in memory and cannot be kept in files (`RequestError`). Some tours are listed into memory instead, with four
        bytes per square and tour: tours that cannot be counted that way (with two symmetries of which neither follows
        from the other, or under translations whose order has an odd factor), tours with squares at given steps
        (`with_steps`), and tours of boards that are too wide for the sweep.

        Classes (`distinct`) are picked with the tables of all tours: these are made here, and the file holds them.
        ``open_tours(path)`` gives all tours back, and ``open_tours(path).distinct()`` the classes, ready to be picked.
        To number classes (``tours.distinct()[i]``) they are listed into memory, four bytes per square and class: that
        is possible for the 1245 of closed 6x6, and for some millions, but not for the 1,658,420,855,433 of closed 8x8.

        Cost: that of the count, and of writing the tables. Closed 6x6 takes 0.2 MB and some milliseconds, closed 7x8
        65 MB, closed 8x8 1.5 GB in a file. After that, a tour takes ten to some hundred microseconds.

        The order of the numbers depends on the collection alone: not on limits, threads, files or machine. If a
        version of this package changes it, that version refuses older files, and its list of changes says so.
        """
        tours = self._drawn_from()
        with tours._lock:
            limits = Limits(time_limit, node_limit, memory_limit, threads, progress, cancel)
            tours._make((path, spill_dir), limits)
        return self

    def _make(
        self,
        files: tuple[StrPath | None, StrPath | None],
        limits: Limits,
    ) -> Numbering:
        if self._numbering is None or files[0] is not None:
            answer = _prepare(self._request, *files, limits)
            if isinstance(answer, Stopped):
                hints = [DISK] if files[1] is None and not self.symmetries and not self.is_distinct else []
                raise limit_error(answer, f"preparing the {self._describe()}", limits.memory_limit, *hints)
            self._numbering = answer[2]
            self._index = files[0]
        return self._numbering

    def _prepared(self, limits: Limits | None = None) -> Numbering:
        if self._numbering is not None:
            return self._numbering
        with self._lock:
            return self._make((None, None), limits or Limits())

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
            A whole number from 0 to 2**64 - 1; by default a random one. The same seed picks the same tours with any
            number of threads, and a larger ``k`` begins with the tours of a smaller one.
        executor
            Any `concurrent.futures.Executor`: its workers pick the tours, on one thread each unless ``threads`` says
            more. The tours are the same as without it. Workers in other processes open the index of ``prepare(path)``,
            which they must be able to read; without an index each worker makes the tables once and keeps them.
        threads, progress, cancel
            As for `count`, of the tables (`prepare`) as well.

        Returns
        -------
        Sample
            A list of k tours, with the ``seed`` that was used; closed tours in their listed form.

        Raises `NoTourError` if there is no tour, and the errors of `prepare`, which is called first if it has not been
        called yet. Probabilities are exact ratios of whole numbers of any size: all numbers are equally likely, and
        the tour is the one with that number (``tours[i]``).

        With `distinct`, all classes have the same probability, however many tours they have. First a symmetry is picked
        in proportion to the number of tours that it keeps, then one of these tours, all equally likely; the tour that
        stands for its class is returned (Burnside's lemma: every class is reached in as many ways as there are
        symmetries). The numbers are counted once, by sweeps over smaller boards. If the symmetry is not the identity,
        which is rare on larger boards, tours are listed up to the one picked. (If sweeps cannot count the tours that a
        symmetry keeps, such as with translations of an odd order, tours are picked until one stands for its class: on
        average as many picks as there are symmetries.)
        """
        if not _is_whole(k) or whole(k) < 0:
            raise RequestError(f"k must be a whole number of at least 0, not {_quote(k)}")
        if executor is None:
            return self._draw(whole(k), seed, Limits(None, None, None, threads, progress, cancel))
        from knightstour.parts.many import sample_by_workers  # noqa: PLC0415 - brings executors

        return sample_by_workers(self, whole(k), seed, threads, executor, progress, cancel)

    def _draw(self, k: int, seed: int | None, limits: Limits, first: int = 0) -> Sample:
        """Pick ``k`` tours, from pick number ``first`` on."""
        tours = self._drawn_from()
        numbering = tours._prepared(limits)
        if k > 0 and numbering.total == 0:
            raise NoTourError(f"there are no {self._describe()} to pick from")
        classes = None if tours is self else self._request
        answer = numbering.sample(k, seed, classes, limits, first)
        if isinstance(answer, Stopped):
            raise limit_error(answer, f"picking from the {self._describe()}")
        return Sample(*answer)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, number: SupportsIndex) -> Tour: ...
        @overload
        def __getitem__(self, number: slice) -> TourSlice: ...

    def __getitem__(self, number: SupportsIndex | slice) -> Tour | TourSlice:
        """The tour with a number, counted from 0; from the end if it is negative. Slices are lazy.

        Classes (`distinct`) and tours with squares at given steps are listed into memory to be numbered: see
        `prepare`. Raises `IndexError` beyond the last one, and the errors of `prepare`, which is called first if it
        has not been called yet.
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

        A closed tour may begin anywhere and run either way. Raises `ValueError` for a tour that is not in the
        collection, and the errors of `prepare`, which is called first if it has not been called yet.
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
