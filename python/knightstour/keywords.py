"""Messages for unknown options of a call: the option that was meant, or the call that it belongs to.

Python's own message only says that it is unexpected, and names functions that no user has called.
"""

from __future__ import annotations

from knightstour._core import Batch, Board, Squares, Tour, Walk, _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, NoReturn, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])
    T = TypeVar("T", bound=type)

#: Other words for an option.
MEANT = {
    "time": "time_limit",
    "timeout": "time_limit",
    "seconds": "time_limit",
    "memory": "memory_limit",
    "nodes": "node_limit",
    "workers": "threads",
    "n_jobs": "threads",
    "random_state": "seed",
    "rng": "seed",
    "callback": "progress",
    "cyclic": "closed",
    "is_closed": "closed",
    "colour": "colors",
    "colours": "colors",
    "columns": "cols",
    "height": "rows",
    "width": "cols",
    "holes": "blocked",
    "obstacles": "blocked",
    "torus": "wrap",
    "finish": "end",
}

#: Options of boards, and of collections of tours.
BOARD = ("blocked", "leaper", "wrap")
TOURS = ("closed", "start", "end")

#: What refines a collection of tours.
REFINE = {
    "including": "including(...)",
    "excluding": "excluding(...)",
    "steps": "with_steps(...)",
    "with_steps": "with_steps(...)",
    "beginning": "beginning(...)",
    "path": "beginning(...)",
    "symmetric": "symmetric(...)",
    "symmetry": "symmetric(...)",
    "distinct": "distinct()",
}

#: Options of runs.
RUN = ("method", "seed", "time_limit", "node_limit", "memory_limit", "threads", "progress", "cancel", "order", "ties")

#: Functions that take a board or its size first.
SHORT_CUTS = ("solve", "count", "puzzle", "warnsdorff", "warnsdorff_trials")


def names_of(function: Any) -> tuple[str, ...]:
    """The names by which arguments may be given."""
    if not hasattr(getattr(function, "__wrapped__", function), "__code__"):
        from inspect import Parameter, signature  # noqa: PLC0415 - it is needed where something is wrong

        given = signature(function).parameters.items()
        return tuple(name for name, one in given if one.kind is not Parameter.POSITIONAL_ONLY and name != "self")
    code = getattr(function, "__wrapped__", function).__code__
    names = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return tuple(name for name in names if name not in {"self", "cls"})


def belongs(call: str, wrong: str) -> str | None:
    """The call that an option belongs to, if it is another one."""
    method = call.rpartition(".")[2]
    if wrong in BOARD:
        board = f"kt.Board(8, {wrong}=...)"
        return f"it belongs to the board: write {f'kt.{method}({board})' if call in SHORT_CUTS else board}"
    asks = "find" if method == "solve" or call == "Board.tours" else method
    if wrong in TOURS and call.startswith("Tours."):
        return f"it says which tours are meant: write board.tours({wrong}=...).{asks}()"
    if wrong in REFINE and call in {"solve", "count", "Board.tours"}:
        return f"it says which tours are meant: write board.tours().{REFINE[wrong]}.{asks}()"
    if wrong in RUN and call == "Board.tours":
        return f"tours() does not search yet: write board.tours().find({wrong}=...)"
    return None


def nearest(wrong: str, known: tuple[str, ...]) -> str | None:
    """The option that was probably meant."""
    if MEANT.get(wrong) in known:
        return MEANT[wrong]
    longer = [name for name in known if len(wrong) > 1 and (name.startswith(wrong) or wrong.startswith(name))]
    if longer:
        return longer[0]
    from difflib import get_close_matches  # noqa: PLC0415 - it is needed where something is wrong

    return next(iter(get_close_matches(wrong[:100], known, 1)), None)


def refuse(call: str, given: Iterable[str], known: Iterable[str]) -> NoReturn:
    """Raise a `TypeError` for the first option that a call does not have."""
    known = tuple(known)
    wrong = next(name for name in given if name not in known)
    said = f"{call}() has no option {_quote(wrong)}"
    meant = MEANT.get(wrong, wrong)
    if meant not in known and (where := belongs(call, meant)):
        raise TypeError(f"{said}: {where}")
    if near := nearest(wrong, known):
        raise TypeError(f"{said}; did you mean {near}?")
    raise TypeError(f"{said}; it has: {', '.join(known)}" if known else f"{said}; it has no options")


def check(call: str, given: Mapping[str, object], function: Any, more: tuple[str, ...] = ()) -> None:
    """Refuse options that are handed on to a function which does not have them."""
    known = names_of(function)
    if not given.keys() <= set(known):
        refuse(call, given, (*more, *known))


def helpful(function: F, call: str | None = None) -> F:
    """The function, with a message that helps for options that it does not have.

    It costs only one more call: options are looked at only when Python refuses them.
    """
    name: str = call or function.__qualname__

    def helped(*values: Any, **named: Any) -> Any:
        try:
            return function(*values, **named)
        except TypeError as error:
            # An error raised inside the function has one more frame.
            known = names_of(function)
            if getattr(error.__traceback__, "tb_next", None) is None and not named.keys() <= set(known):
                refuse(name, named, known)
            raise

    for attribute in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        if hasattr(function, attribute):
            setattr(helped, attribute, getattr(function, attribute))
    vars(helped)["__wrapped__"] = function
    return helped  # type: ignore[return-value]


def named(call: str) -> Callable[[F], F]:
    """The same for a function that is called by another name."""
    return lambda function: helpful(function, call)


def has_options(function: object) -> bool:
    """Whether a function of the core has options that it does not look at itself.

    What takes one value is left as it is: it is called in loops.
    """
    signature = getattr(function, "__text_signature__", None) or ""
    return "**" not in signature and ("*, " in signature or "=" in signature)


def helpful_methods(kind: T, owner: str | None = None) -> T:
    """The class, with such messages for all its public methods; ``owner`` is the class that users know."""
    for name, member in list(vars(kind).items()):
        function = member.__func__ if isinstance(member, staticmethod) else member
        if not name.startswith("_") and (hasattr(function, "__code__") or has_options(function)):
            better = helpful(function, f"{owner or kind.__name__}.{name}")
            setattr(kind, name, better if function is member else staticmethod(better))
    return kind


def methods_of(owner: str) -> Callable[[T], T]:
    """The same for a class that users know by another name."""
    return lambda kind: helpful_methods(kind, owner)


# The classes of the core have methods in Python's words from here on.
for _kind in (Batch, Board, Squares, Tour, Walk):
    helpful_methods(_kind)
