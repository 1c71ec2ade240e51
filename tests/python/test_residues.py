"""Counts modulo a number, and counts put together from several: judged by exact and published counts."""

from __future__ import annotations

import json
from math import gcd, prod
from typing import TYPE_CHECKING, Any

import pytest

import knightstour as kt
from commands import run

if TYPE_CHECKING:
    from pathlib import Path

TORUS = kt.Board(4, 5, wrap="cols")

#: Collections with their counts, published or listed.
KNOWN = [
    (kt.Board(6).tours(closed=True), 9862),
    (kt.Board(5).tours(), 1728),
    (kt.Board(6).tours(), 6_637_920),
    (kt.Board(5).tours(start="a1"), 304),
    (kt.Board(3, 10).tours(closed=True), 16),
    (kt.Board(7, 8).tours(closed=True), 34_524_432_316),
    (kt.Board(6).tours(closed=True).distinct(), 1245),
    (kt.Board(6).tours(closed=True).symmetric("quarter-turn"), 10),
    (TORUS.tours(closed=True), sum(1 for _ in TORUS.tours(closed=True))),
    (kt.Board(5).tours().with_steps({"c3": 24}), sum(1 for _ in kt.Board(5).tours().with_steps({"c3": 24}))),
    (kt.Board(4).tours(), 0),
    (kt.Board(1).tours(), 1),
]


@pytest.mark.parametrize("modulus", [2, 10, 97, 65521, 65536, 4294967291, 2**32])
@pytest.mark.parametrize(("tours", "expected"), KNOWN, ids=[repr(tours) for tours, _ in KNOWN])
def test_a_count_modulo_a_number(tours: kt.Tours, expected: int, modulus: int) -> None:
    count = tours.count(modulus=modulus)
    assert count == expected % modulus
    assert (count.undirected, count.directed) == (None, None)


def test_every_engine_counts_modulo_a_number() -> None:
    for method in ("auto", "backtracking", "frontier"):
        assert kt.count(5, method=method, modulus=100) == 28
    assert kt.Board(6).tours().count(modulus=97).stats.moduli == (97,)
    assert kt.Board(6).tours().count(method="frontier").stats.moduli == ()


@pytest.mark.parametrize("modulus", [0, 1, -7, 2**32 + 1, 10**30, True, 2.0, "97"])
def test_other_moduli_are_refused(modulus: Any) -> None:
    with pytest.raises(kt.RequestError, match=r"^modulus must be a whole number from 2 to 2\*\*32, not "):
        kt.count(5, modulus=modulus)


def test_it_works_with_files(tmp_path: Path) -> None:
    tours = kt.Board(6, 8).tours(closed=True)
    file = tmp_path / "count.kt"
    with pytest.raises(kt.LimitReachedError):
        tours.count(method="frontier", modulus=97, checkpoint=file, node_limit=20_000)
    with pytest.raises(kt.StoreError, match="another request"):
        tours.count(method="frontier", checkpoint=file)
    assert tours.count(method="frontier", modulus=97, checkpoint=file, spill_dir=tmp_path) == 55_488_142 % 97
    assert list(tmp_path.iterdir()) == []


def test_passes_are_put_together_where_exact_sums_do_not_fit() -> None:
    tours = kt.Board(6, 24).tours(closed=True)
    exact = tours.count(method="frontier", threads=1)
    assert exact.value.bit_length() > 110
    told: list[str] = []
    # The most memory, by steps, that exact sums do not fit.
    for share in range(95, 50, -3):
        limit = exact.stats.memory * share // 100
        passes = tours.count(
            method="frontier", memory_limit=limit, threads=1, progress=lambda p: told.append(p.message)
        )
        assert passes == exact
        assert passes.stats.memory <= limit
        if passes.stats.moduli:
            break
    # Enough for the count, and one as a check.
    *enough, check = passes.stats.moduli
    assert prod(enough) > exact.value
    assert gcd(check, prod(enough)) == 1
    assert any(message.startswith("counting: pass 2 of ") for message in told)


def test_the_command() -> None:
    done = run("count", "6x6", "--modulus", "65521")
    assert (done.returncode, done.stdout) == (0, f"{6_637_920 % 65521}\n")
    told = json.loads(run("count", "6x6", "--closed", "--modulus", "97", "--json").stdout)
    assert (told["value"], told["modulus"], told["directed"]) == (9862 % 97, 97, None)
    assert json.loads(run("count", "5x5", "--json").stdout)["modulus"] is None
    for wrong in ("1", "4294967297"):
        done = run("count", "5x5", "--modulus", wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--modulus must be a whole number from 2 to 2**32, not {wrong}" in done.stderr
    done = run("count", "5x5", "--modulus", "97", "--plan", "x.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--modulus cannot be used with --plan" in done.stderr
