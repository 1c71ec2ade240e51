"""The results: a tour, a proof that there is none, or a limit that was reached; and counts."""

from __future__ import annotations

from knightstour.plain import in_full, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, dataclass_transform

    import numpy.typing as npt

    from knightstour._core import Squares, Tour
    from knightstour.square import Square
else:

    def dataclass_transform(**_options: object) -> object:
        """What `typing` has for type checkers, without the cost of importing it."""
        return lambda record: record


@dataclass_transform(frozen_default=True)
class Record:
    """A frozen record: its annotations are its fields, in order.

    It does what a frozen dataclass does; importing `dataclasses` would take longer than the whole package.
    """

    _fields: tuple[str, ...] = ()
    #: Fields that are not compared.
    _apart: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        """Note the fields."""
        cls._fields = tuple(name for name in cls.__annotations__ if not name.startswith("_"))
        type.__setattr__(cls, "__match_args__", cls._fields)

    def __init__(self, *values: object, **named: object) -> None:
        names = self._fields
        if len(values) == len(names) and not named:
            self.__dict__.update(zip(names, values, strict=True))
            return
        if not values and tuple(named) == names:
            self.__dict__.update(named)
            return
        given = dict(zip(names, values, strict=False))
        if len(values) > len(names) or not named.keys().isdisjoint(given) or not named.keys() <= set(names):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(names)}")
        given |= named
        missing = [name for name in names if name not in given and not hasattr(type(self), name)]
        if missing:
            raise TypeError(f"{type(self).__name__} needs {', '.join(missing)}")
        # A field that is not given has the class's default; but records must not share a dict.
        for name in names:
            if name not in given and isinstance(getattr(type(self), name), dict):
                given[name] = {}
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name!r}")

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, as plain data that `json.dumps` takes.

        Records in them become dicts as well, sequences become lists, a square is ``[row, col]``, and a tour is what
        `Tour.to_json` writes. Numbers of more than three thousand digits become texts.
        """
        return {name: plain(getattr(self, name)) for name in self._fields}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        raise TypeError(f"{type(self).__name__} is not an array; its fields are {', '.join(self._fields)}")

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields if name not in self._apart)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Record)
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), *(_hashable(value) for value in self._compared())))

    def __repr__(self) -> str:
        # Fields with their default values are left out.
        told = (name for name in self._fields if not self._is_default(name))
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in told)
        return f"{type(self).__name__}({fields})"

    def _is_default(self, name: str) -> bool:
        return hasattr(type(self), name) and getattr(self, name) == getattr(type(self), name)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), tuple(getattr(self, name) for name in self._fields))


def _hashable(value: object) -> object:
    """A value that may be a dict, as something that can be hashed."""
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


def array(values: Any, dtype: Any, copy: bool | None) -> npt.NDArray[Any]:
    """Whole numbers as NumPy's array, by its protocol ``__array__``: int64 unless another type is asked for."""
    import numpy as np  # noqa: PLC0415 - who asks for an array has it

    if copy is False:
        raise ValueError("an array of a result is always a copy: give copy=None")
    return np.array(values, dtype=np.int64 if dtype is None else dtype)


class Stats(Record):
    """The work that was done for an answer. Seconds and memory are not compared by ``==``.

    Attributes
    ----------
    method
        The engine that answered: ``"theorem"`` if no search was needed.
    seconds
        Wall-clock time.
    nodes
        Squares placed on the path, including those that a look-ahead took back at once.
    backtracks
        Squares taken back.
    greatest_depth
        The most squares that stood on the path at once.
    restarts
        Attempts after the first one.
    prunes
        Branches cut, by kind: ``"dead-ends"``, ``"forced"``, ``"pieces"``, ``"cuts"``, ``"colours"``.
    peak_states
        For a sweep over the frontier: states of the largest layer.
    transitions
        For a sweep over the frontier: the number of steps from one state to a next one.
    memory
        Bytes that the engine used; after a memory limit, about how many it would have needed.
    moduli
        For a sweep that counts residues: the number that each pass over the board counted modulo, the last of several
        passes as a check.
    """

    method: str
    seconds: float = 0.0
    nodes: int = 0
    backtracks: int = 0
    greatest_depth: int = 0
    restarts: int = 0
    prunes: dict[str, int] = {}  # noqa: RUF012 - nothing changes it: a record is frozen
    peak_states: int = 0
    transitions: int = 0
    memory: int = 0
    moduli: tuple[int, ...] = ()
    _apart = frozenset(("seconds", "memory"))

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import stats_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return stats_table(self)


class Reason(Record):
    """Why there is no tour.

    Attributes
    ----------
    code
        One of a fixed list, tested in this order: ``too-small``, ``steps``, ``included-excluded``,
        ``too-many-included``, ``included-cycle``, ``ends-joined``, ``colour``, ``schwenk``,
        ``cull-de-curtins``, ``four-rows``, ``leaper``, ``too-few-moves``, ``pieces``, ``graph-colour``,
        ``cut``, ``forced``, ``shortage``, ``symmetry``, ``exhausted``.
    text
        A sentence.
    squares
        The squares concerned; if there are many, the first few.
    """

    code: str
    text: str
    squares: tuple[Square, ...] = ()

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import reason_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return reason_table(self)


class Found(Record):
    """A tour. It was checked before it was returned.

    Attributes
    ----------
    tour
        The tour.
    stats
        What was done.
    """

    tour: Tour
    stats: Stats

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import found_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return found_table(self)


class Impossible(Record):
    """There is no tour, and that is proven.

    Attributes
    ----------
    reason
        Why.
    stats
        What was done.
    """

    reason: Reason
    stats: Stats

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import impossible_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return impossible_table(self)


class Stopped(Record):
    """A limit was reached: it is not known whether there is a tour.

    Attributes
    ----------
    limit
        ``"time"``, ``"nodes"``, ``"memory"`` or ``"cancelled"``.
    stats
        What was done until then.
    """

    limit: str
    stats: Stats

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import stopped_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return stopped_table(self)


class LongestPath(Record):
    """The longest path, or circuit, that was found.

    Attributes
    ----------
    squares
        The squares in order; a circuit does not repeat its first square.
    is_optimal
        Whether it is proven that no path, or circuit, is longer.
    upper_bound
        It is proven that no path is longer than this: in squares for `Board.longest_path`, in moves for
        `Board.longest_uncrossed`.
    stats
        What was done.
    limit
        The limit that ended the search, as in `Stopped`; ``None`` if there was none.
    """

    squares: Squares | tuple[Square, ...]
    is_optimal: bool
    upper_bound: int
    stats: Stats
    limit: str | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The rows and columns of its squares, of shape (squares, 2)."""
        return array(self.squares, dtype, copy).reshape(-1, 2)

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f", limit={self.limit!r}"
        return (
            f"LongestPath(squares=<{len(self.squares)} squares>, is_optimal={self.is_optimal}, "
            f"upper_bound={self.upper_bound}, stats={self.stats!r}{limit})"
        )

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import longest_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return longest_table(self)


class Progress(Record):
    """How far a run is. A ``progress`` function is called with it.

    Attributes
    ----------
    done
        Units of work done.
    total
        All units of work; ``None`` if not known.
    message
        The work that is being done, and its units.
    """

    done: int
    total: int | None
    message: str


def brief(number: int) -> str:
    """A number; if it is long, its first and last digits, and how many digits it has."""
    if number.bit_length() < 333:
        return str(number)
    digits = in_full(number)
    return f"{digits[:20]}...{digits[-20:]} ({len(digits):,} digits)"


class Count:
    """A number of tours. ``int(count)`` is ``count.value``; it compares with numbers and serves as an index.

    Attributes
    ----------
    value
        The number of tours in the collection.
    undirected
        The number if a tour and its reverse count as one.
    directed
        The number if a tour and its reverse count as two. Open tours with free ends: ``value == directed``, and
        ``undirected`` is half of it (for the one-square tour, both are 1). If a start or an end is given, all three
        are equal. Closed tours: ``value == undirected``, and ``directed`` is twice it. For classes
        (``tours.distinct()``) and counts with a ``modulus`` both are None.
    method
        The engine that counted.
    stats
        What was done.
    """

    __slots__ = ("directed", "method", "stats", "undirected", "value")

    value: int
    undirected: int | None
    directed: int | None
    method: str
    stats: Stats

    def __init__(self, value: int, undirected: int | None, directed: int | None, stats: Stats) -> None:
        for name, given in (
            ("value", value),
            ("undirected", undirected),
            ("directed", directed),
            ("method", stats.method),
            ("stats", stats),
        ):
            object.__setattr__(self, name, given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Count does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Count does not change: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Count, (self.value, self.undirected, self.directed, self.stats))

    def as_dict(self) -> dict[str, Any]:
        """The numbers, the method and what was done, as plain data that `json.dumps` takes: see `Stats.as_dict`."""
        return {name: plain(getattr(self, name)) for name in ("value", "undirected", "directed", "method", "stats")}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The value as an int64. Raises `OverflowError` if it is too large and no other type is asked for."""
        return array(self.value, dtype, copy)

    def __repr__(self) -> str:
        numbers = (("value", self.value), ("undirected", self.undirected), ("directed", self.directed))
        told = (f"{name}={number if number is None else brief(number)}" for name, number in numbers)
        return f"Count({', '.join(told)}, method={self.method!r})"

    def __str__(self) -> str:
        return in_full(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else in_full(self.value)

    def _repr_html_(self) -> str:
        from knightstour.drawing.tables import count_table  # noqa: PLC0415 - pictures are loaded when one is shown

        return count_table(self)

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value == number

    def __lt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value < number

    def __le__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value <= number

    def __gt__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value > number

    def __ge__(self, other: object) -> bool:
        number = _number(other)
        return NotImplemented if number is None else self.value >= number


def _number(other: object) -> int | float | None:
    """The number that something is compared as."""
    if isinstance(other, Count):
        return other.value
    return other if isinstance(other, (int, float)) else None
