"""`knightstour sample`: what it draws, and what it keeps."""

import json
from pathlib import Path

import knightstour as kt
from commands import answer, run


def test_draws_tours_of_the_board() -> None:
    lines = answer("sample", "6x6", "--closed", "-k", "3", "--seed", "7").splitlines()
    tours = kt.Board(6).tours(closed=True)
    assert [line.split() for line in lines] == [tour.names() for tour in tours.sample(3, seed=7)]


def test_tells_a_fresh_seed() -> None:
    done = run("sample", "5x5", "-k", "2")
    seed = done.stderr.split()[-1]
    assert done.returncode == 0
    assert answer("sample", "5x5", "-k", "2", "--seed", seed) == done.stdout


def test_json() -> None:
    rows = [json.loads(line) for line in answer("sample", "5x5", "-k", "2", "--seed", "1", "--json").splitlines()]
    assert [(row["seed"], row["draw"], row["closed"]) for row in rows] == [(1, 0, False), (1, 1, False)]


def test_keeps_an_index(tmp_path: Path) -> None:
    index = str(tmp_path / "5x6.tours")
    drawn = [answer("sample", "5x6", "--closed", "--seed", "1", "--index", index) for _ in range(2)]
    assert drawn[0] == drawn[1]
    # Classes are drawn by the same file.
    classes = kt.Board(5, 6).tours(closed=True).distinct().sample(3, seed=2)
    lines = answer("sample", "5x6", "--closed", "--distinct", "-k", "3", "--seed", "2", "--index", index).splitlines()
    assert [line.split() for line in lines] == [tour.names() for tour in classes]
    done = run("sample", "5x5", "--index", index)
    assert done.returncode == 2
    assert "another request" in done.stderr


def test_no_tour_and_misuse() -> None:
    assert run("sample", "5x5", "--closed").returncode == 1
    assert run("sample", "5x5", "-k", "-1").returncode == 2
    assert run("sample", "5x5", "-k", "x").returncode == 2
