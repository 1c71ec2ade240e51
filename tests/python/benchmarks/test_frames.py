"""How smoothly the page of a large tour plays, in a Chromium that is on the machine (extra `browser`).

python -m pytest tests/python/benchmarks/test_frames.py
"""

import shutil
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

import knightstour as kt

#: Milliseconds between two frames, for some seconds.
FRAMES = """
() => new Promise(done => {
    const times = [];
    const frame = now => { times.push(now); times.length > 240 ? done(times) : requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
})
"""


@pytest.mark.parametrize("speed", [10, 200])
@pytest.mark.parametrize("side", [8, 200])
def test_frames(tmp_path: Path, side: int, speed: int) -> None:
    """Most frames of the largest board that is meant to be smooth come in time for 30 a second, half of it drawn."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "no Chromium on this machine"
    file = tmp_path / "tour.html"
    kt.solve(side, closed=True).save(file, speed=speed)
    with playwright.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        to = "(bar, to) => { bar.value = to; bar.dispatchEvent(new Event('input')); }"
        page.locator("#scrub").evaluate(to, side * side // 2)
        page.click("#play")
        before = page.inner_text("body")
        times = page.evaluate(FRAMES)
        moved = page.inner_text("body") != before
        browser.close()
    gaps = sorted(there - here for here, there in pairwise(times))
    print(f"  {side}x{side}, {speed} moves a second: frames {median(gaps):.1f} ms, one in twenty {gaps[-12]:.1f} ms")
    assert moved
    assert median(gaps) <= 1000 / 30
    assert gaps[-12] <= 100
