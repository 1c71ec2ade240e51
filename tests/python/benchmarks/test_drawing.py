"""How long pictures take."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytest_benchmark.fixture import BenchmarkFixture

import knightstour as kt


@pytest.mark.benchmark(group="pictures")
@pytest.mark.parametrize("wrap", [None, "both"], ids=["plain", "torus"])
def test_png_of_1000x1000(benchmark: BenchmarkFixture, wrap: Any, tmp_path: Path) -> None:
    tour = kt.solve(kt.Board(1000, wrap=wrap))
    file = tmp_path / "tour.png"
    benchmark.pedantic(tour.save, args=(file,), kwargs={"size": 2000}, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert Image.open(BytesIO(file.read_bytes())).size == (2000, 2000)
    assert benchmark.stats.stats.min < 2  # type: ignore[union-attr]


@pytest.mark.benchmark(group="pictures")
def test_gif_of_100x100(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    tour = kt.solve(100)
    file = tmp_path / "tour.gif"
    benchmark.pedantic(tour.save, args=(file,), rounds=3)  # type: ignore[no-untyped-call]
    assert file.read_bytes().startswith(b"GIF89a")


@pytest.mark.benchmark(group="pictures")
@pytest.mark.parametrize("style", ["path", "numbers", "arrows", "rainbow"])
def test_svg_of_8x8(benchmark: BenchmarkFixture, style: Any) -> None:
    tour = kt.solve(8)
    assert benchmark(lambda: tour.svg(style=style)).startswith("<svg")
