"""`knightstour draw` and `knightstour gallery`."""

import json
import re
import shlex
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

import knightstour as kt
from commands import ENVIRONMENT, PROGRAM, run, run_process

GRID = f"{kt.solve(6, closed=True)}\n"


def draw(*arguments: str, stdin: str = GRID) -> None:
    done = run("draw", *arguments, stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_format(tmp_path: Path) -> None:
    tour = kt.Tour.parse(GRID)
    for suffix in ("svg", "png", "gif", "html", "txt", "csv", "json"):
        draw("-", "-o", str(tmp_path / f"tour.{suffix}"))
        tour.save(tmp_path / f"same.{suffix}")
        assert (tmp_path / f"tour.{suffix}").read_bytes() == (tmp_path / f"same.{suffix}").read_bytes()


def test_standard_output() -> None:
    done = run_process("draw", "-", stdin=GRID)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == kt.Tour.parse(GRID).svg()
    assert (
        run("draw", "-", "--format", "csv", stdin=GRID).stdout
        == re.sub(" +", ",", GRID.replace("\n ", "\n").strip()) + "\n"
    )


def test_options(tmp_path: Path) -> None:
    file = tmp_path / "tour.txt"
    file.write_text(GRID, encoding="utf-8")
    picture = tmp_path / "tour.png"
    draw(str(file), "-o", str(picture), "--style", "rainbow", "--size", "300", "--no-coordinates")
    assert Image.open(BytesIO(picture.read_bytes())).size == (300, 300)
    drawn = run("draw", str(file), "--style", "numbers", "--title", "a < b").stdout
    root = ET.fromstring(drawn)
    assert root[0].text == "a < b"
    done = run("draw", str(file), "-o", str(picture), "--json")
    assert json.loads(done.stdout) == {"file": str(picture), "format": "png", "bytes": picture.stat().st_size}


def test_boards() -> None:
    torus = kt.solve(kt.Board(5, wrap="both", blocked=["a1"]))
    done = run("draw", "-", "--board", "5x5", "--blocked", "a1", "--wrap", "both", stdin=str(torus))
    assert done.returncode == 0
    assert "5x5 torus with 1 blocked square" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "-o", "tour.bmp"], ".bmp"),
        (["-", "-o", "tour"], ".svg"),
        (["-", "-o", "/no/where.svg"], "/no/where.svg"),
        (["-", "--style", "spiral"], "'spiral'"),
        (["-", "--size", "big"], "'big'"),
        (["-", "--size", "0"], "size"),
        (["-", "--seconds", "3"], "--seconds"),
        (["-", "--format", "txt", "--style", "path"], "--style"),
        (["-", "--format", "gif", "--no-coordinates", "--title", "x"], "--title"),
        (["-", "--json"], "--json"),
        (["-", "--wrap", "up"], "--wrap"),
        (["no.txt"], "no.txt"),
    ],
)
def test_misuse(arguments: list[str], said: str) -> None:
    done = run("draw", *arguments, stdin=GRID)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_what_is_no_tour() -> None:
    done = run("draw", "-", stdin="1 2\n3 4\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a2" in done.stderr


@pytest.mark.parametrize("command", ["draw", "gallery"])
def test_the_examples_of_the_help(command: str, tmp_path: Path) -> None:
    (tmp_path / "tour.txt").write_text(GRID, encoding="utf-8")
    examples = re.findall(
        r"^ +(knightstour .*)$", run(command, "--help").stdout.partition("Examples:")[2], re.MULTILINE
    )
    assert len(examples) >= 2
    for example in examples:
        line = example.replace("knightstour ", f"{shlex.join(PROGRAM)} ")
        done = subprocess.run(line, shell=True, capture_output=True, cwd=tmp_path, env=ENVIRONMENT, check=False)
        assert (done.returncode, done.stderr) == (0, b""), example
    for file in re.findall(r" (?:-o|>) (\S+)", "\n".join(examples)):
        assert (tmp_path / file).stat().st_size > 500


def test_gallery(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "gallery"
    done = run("gallery", str(folder), "--json", "--time-limit", "60")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["missing"] == []
    assert {Path(file) for file in told["files"]} == set(folder.iterdir())
    assert len(told["files"]) > 40
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|<script", index)
    for link in re.findall(r'(?:href|src)="([^"]*)"', index):
        assert link == "data:," or (folder / link).is_file()
    for picture in folder.glob("*.svg"):
        ET.parse(picture)
    assert run("gallery", str(folder)).stdout == f"{folder / 'index.html'}\n"
    # A file that stands where the folder is to be.
    assert run("gallery", str(folder / "index.html")).returncode == 2


@pytest.mark.browser
def test_the_gallery_in_a_browser(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    assert run("gallery", str(tmp_path)).returncode == 0
    wrong: list[Any] = []
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((tmp_path / "index.html").as_uri())
        images = page.locator("img")
        for number in range(images.count()):
            images.nth(number).scroll_into_view_if_needed()
            # Pictures are loaded when they come into view.
            page.wait_for_function(
                "image => image.complete && image.naturalWidth > 0", arg=images.nth(number).element_handle()
            )
        page.locator("figcaption a").first.click()
        assert page.inner_text("#counter") == "1 of 25: a1"
        browser.close()
    assert wrong == []
