"""The number of threads changes neither a count nor what its statistics say."""

import pytest

import knightstour as kt

#: Each is large enough for several tasks a step, with every kind of board and request.
COLLECTIONS = {
    "closed 6x8": kt.Board(6, 8).tours(closed=True),
    "closed 5x10, columns first": kt.Board(10, 5).tours(closed=True),
    "open 5x6": kt.Board(5, 6).tours(),
    "open 6x6 from a corner": kt.Board(6).tours(start="a1"),
    "open 6x6 between given ends": kt.Board(6).tours(start="a1", end="c2"),
    "open 6x6 with moves": kt.Board(6).tours(start="b1").including(("a1", "c2")).excluding(("d4", "f5")),
    "holes": kt.Board(6, 7, blocked=["a1", "c4"]).tours(closed=True),
    "symmetric holes": kt.Board(6, 7, blocked=["a1", "g1"]).tours(closed=True),
    "another leaper": kt.Board(6, 9, leaper=(2, 3)).tours(),
    "a cylinder": kt.Board(4, 6, wrap="cols").tours(closed=True),
    "a torus": kt.Board(4, wrap="both").tours(closed=True),
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_threads_change_nothing(name: str) -> None:
    tours = COLLECTIONS[name]
    for method in ("frontier", "auto"):
        counts = [tours.count(method=method, threads=threads) for threads in (1, 2, 3, 4)]
        # Statistics are equal if all but seconds and memory are.
        assert all(count == counts[0] and count.stats == counts[0].stats for count in counts)


def test_threads_change_no_table_of_starts() -> None:
    tours = kt.Board(5, 6).tours()
    tables = [tours.starts(method="frontier", threads=threads) for threads in (1, 2, 3, 4)]
    assert all(table == tables[0] for table in tables)
    assert sum(tables[0].values()) == tours.count()
