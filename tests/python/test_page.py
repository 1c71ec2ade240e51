"""The page that plays a tour: what is in it, and, in a real browser, what it does."""

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import boards
import knightstour as kt

CLOSED = kt.solve(6, closed=True)
TORUS = kt.solve(kt.Board(5, 6, blocked=["c3"], wrap="both"))


class Elements(HTMLParser):
    """The start tags of a page, and what its scripts hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside = tag

    def handle_data(self, data: str) -> None:
        if self.inside in {"script", "style"} and data.strip():
            self.texts.append(data)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_holds_everything() -> None:
    page = CLOSED.html()
    assert isinstance(page, str)
    elements = Elements(page)
    for tag, attributes in elements.found:
        assert tag not in {"iframe", "object", "embed", "img", "base", "form"}
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,"
    # What names an address would be a way out; namespaces and the policy are none.
    assert not re.search(r"https?:|//[a-z]|@import|url\(|fetch|XMLHttp|WebSocket|import\(|eval|innerHTML", page)
    policy = next(a["content"] for t, a in elements.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert any(a.get("name") == "viewport" for _, a in elements.found)
    assert "prefers-reduced-motion" in page


def test_what_is_read_aloud() -> None:
    elements = Elements(CLOSED.html())
    for tag, attributes in elements.found:
        if tag == "button":
            assert attributes.get("aria-label")
    stage = next(a for _, a in elements.found if a.get("id") == "stage")
    assert " ".join(CLOSED.names()) in (stage["aria-label"] or "")


@given(st.sampled_from(boards.pool()))
def test_the_data_are_the_tours(tour: kt.Tour) -> None:
    data = data_of(tour.html())
    board = tour.board
    assert data["squares"] == [row * board.cols + col for row, col in tour]
    assert sorted(data["blocked"]) == sorted(row * board.cols + col for row, col in board.blocked)
    assert (data["rows"], data["cols"], data["closed"]) == (board.rows, board.cols, tour.is_closed)
    if board.wrap is None:
        assert data["jumps"] == {}


def test_options() -> None:
    data = data_of(CLOSED.html(speed=7, autoplay=True, coordinates=False, colors={"path": "black"}))
    assert (data["speed"], data["autoplay"], data["coordinates"], data["colors"]["path"]) == (7, True, False, "black")
    assert "<title>Mine</title>" in CLOSED.html(title="Mine")
    for options, said in [
        ({"speed": 0}, "speed"),
        ({"speed": "x"}, "'x'"),
        ({"colors": {"sky": "blue"}}, "'sky'"),
        ({"title": 5}, "5"),
    ]:
        with pytest.raises(kt.RequestError, match=said):
            CLOSED.html(**options)  # type: ignore[arg-type]


def test_nothing_that_is_given_becomes_markup() -> None:
    evil = "</title></script><script>alert(1)</script><!-- \" ' \ud800 \0"
    page = CLOSED.html(title=evil)
    page.encode("utf-8")
    assert page.count("<script") == 2
    for color in ("red;}</style><script>", 'red" onload="x', "url(x)//", "red;color:blue", "</script>"):
        with pytest.raises(kt.RequestError, match="colour"):
            CLOSED.html(colors={"start": color})
    kept = CLOSED.html(colors={"start": "rgb(10 20 30 / 50%)", "path": "#abc"})
    assert "rgb(10 20 30 / 50%)" in kept


def test_large_boards() -> None:
    assert len(kt.solve(200).html()) < 400_000
    with pytest.raises(kt.RequestError, match="1001x1001"):
        kt.solve(1001).html()


def test_notebooks_show_it_in_a_frame() -> None:
    frame = CLOSED.html()._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in frame
    assert frame.count("<") == 2


# --- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium that is on the machine."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "no Chromium on this machine"
    with sync_playwright() as player:
        # The sandbox wants a user that is not root.
        opened = player.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield opened
        opened.close()


class Player:
    """A page in the browser, with what went wrong in it."""

    def __init__(self, browser: Any, tour: kt.Tour, folder: Path, *, clock: bool = False, **options: Any) -> None:
        page_options = {name: options.pop(name) for name in ("viewport", "reduced_motion") if name in options}
        self.tour = tour
        self.names = tour.names() + (tour.names()[:1] if tour.is_closed else [])
        self.page = browser.new_page(**page_options)
        self.page.set_default_timeout(60_000)
        self.wrong: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        if clock:
            self.page.clock.install(time=0)
            self.page.clock.pause_at(1000)
        file = folder / "tour.html"
        tour.save(file, **options)
        self.page.goto(file.as_uri())
        self.address = file.as_uri()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.page.close()
        assert self.wrong == []
        assert [url for url in self.requests if not url.startswith("data:")] == [self.address]

    def state(self) -> tuple[int, str]:
        """The position, and the square that is highlighted."""
        position, square, text, scrub = self.page.evaluate(
            "() => [document.getElementById('here').dataset.position, document.getElementById('here').dataset.square,"
            " document.getElementById('counter').textContent, document.getElementById('scrub').value]"
        )
        assert position == scrub
        made = int(position)
        if self.tour.is_closed and made == len(self.tour):
            assert text == f"closed: back at {square}"
        else:
            assert text == f"{made + 1} of {len(self.tour)}: {square}"
        assert square == self.names[made]
        self.check_place(square)
        return made, square

    def check_place(self, square: str) -> None:
        """The highlight lies on the square, by its place on the screen."""
        box, stage = (self.page.locator(name).bounding_box() for name in ("#here", "#stage"))
        row, col = self.tour.board.square(square)
        # On squares that are too small to be seen it is larger than they are.
        cell = box["width"] if box["width"] > 8 else (stage["width"] - 8) / self.tour.board.cols
        margin = (stage["width"] - cell * self.tour.board.cols) / 2
        assert abs(box["x"] + box["width"] / 2 - stage["x"] - margin - (col + 0.5) * cell) < 1
        assert abs(box["y"] + box["height"] / 2 - stage["y"] - margin - (row + 0.5) * cell) < 1

    def scrub(self, position: int) -> None:
        """Drag the bar to a position."""
        self.page.locator("#scrub").evaluate(
            "(bar, to) => { bar.value = to; bar.dispatchEvent(new Event('input')); }", position
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def is_playing(self) -> bool:
        return bool(self.page.evaluate("document.body.dataset.playing") == "true")


TOURS = {"open": kt.solve(8, start="a1"), "closed": CLOSED, "torus": TORUS}


@pytest.mark.browser
@pytest.mark.parametrize("tour", TOURS.values(), ids=TOURS)
def test_it_plays_to_the_end(browser: Any, tour: kt.Tour, tmp_path: Path) -> None:
    # By a clock that the test moves on: ten squares a second.
    with Player(browser, tour, tmp_path, clock=True, speed=10) as player:
        assert player.state() == (0, player.names[0])
        assert not player.is_playing()
        player.page.click("#play")
        end = len(player.names) - 1
        seen = [player.state()[0]]
        for _ in range(end // 10 + 3):
            player.page.clock.run_for(1000)
            seen.append(player.state()[0])
        assert seen[-1] == end
        assert not player.is_playing()
        for one, two in pairwise(seen):
            assert two == end or 8 <= two - one <= 12
        # Once more from the beginning.
        player.page.click("#play")
        assert player.is_playing()
        player.page.clock.run_for(500)
        assert 3 <= player.state()[0] <= 7


@pytest.mark.browser
@pytest.mark.parametrize("tour", TOURS.values(), ids=TOURS)
def test_scrubbing(browser: Any, tour: kt.Tour, tmp_path: Path) -> None:
    with Player(browser, tour, tmp_path) as player:
        end = len(player.names) - 1
        places = [*range(0, end, 10), end]
        for position in [*places, *reversed(places)]:
            player.scrub(position)
            assert player.state()[0] == position


@pytest.mark.browser
def test_buttons_and_keys(browser: Any, tmp_path: Path) -> None:
    with Player(browser, CLOSED, tmp_path, speed=1) as player:
        for keys, position in [
            (["ArrowRight"], 1),
            (["ArrowRight", "ArrowRight"], 3),
            (["ArrowLeft"], 2),
            (["Shift+ArrowRight"], 12),
            (["Shift+ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"], 0),
            (["End"], 36),
            (["ArrowRight"], 36),
            (["Home"], 0),
        ]:
            player.press(*keys)
            assert player.state()[0] == position
        for button, position in [("#next", 1), ("#last", 36), ("#back", 35), ("#first", 0)]:
            player.page.click(button)
            assert player.state()[0] == position
        # The focus is on a button now, whose own key the space bar is.
        player.page.focus("#scrub")
        player.press("ArrowRight")
        assert player.state()[0] == 1
        player.press("Space")
        assert player.is_playing()
        player.press("Space")
        assert not player.is_playing()
        player.press("k", "k")
        assert not player.is_playing()
        before = player.page.inner_text("#pace")
        player.press("+")
        assert player.page.inner_text("#pace") != before
        player.press("-")
        assert player.page.inner_text("#pace") == before == "1.0 a second"
        player.press("n")
        assert player.page.is_checked("#numbers")
        player.page.focus("#play")
        player.press("Space")
        assert player.is_playing()
        player.press("Home")
        assert not player.is_playing()
        # A click on a square goes there.
        square = CLOSED.squares[20]
        box = player.page.locator("#stage").bounding_box()
        cell = player.page.locator("#here").bounding_box()["width"]
        margin = (box["width"] - 6 * cell) / 2
        spot = {"x": margin + (square.col + 0.5) * cell, "y": margin + (square.row + 0.5) * cell}
        player.page.click("#stage", position=spot)
        assert player.state()[0] == 20


@pytest.mark.browser
def test_speed(browser: Any, tmp_path: Path) -> None:
    with Player(browser, TOURS["open"], tmp_path, clock=True) as player:
        player.page.evaluate("() => { const bar = document.getElementById('speed'); bar.value = 100; bar.oninput(); }")
        assert player.page.inner_text("#pace") == "2000 a second"
        player.page.click("#play")
        player.page.clock.run_for(300)
        assert player.state()[0] == 63


@pytest.mark.browser
def test_reduced_motion(browser: Any, tmp_path: Path) -> None:
    def places(player: Player) -> set[str]:
        found = set()
        for _ in range(20):
            player.page.clock.run_for(50)
            found.add(player.page.evaluate("document.getElementById('piece').style.transform"))
        return found

    with Player(browser, CLOSED, tmp_path, clock=True, speed=2, autoplay=True, reduced_motion="reduce") as player:
        player.page.clock.run_for(2000)
        assert not player.is_playing()
        assert player.state()[0] == 0
        player.page.click("#play")
        # It jumps from square to square, where it glides otherwise.
        assert len(places(player)) <= 4
    with Player(browser, CLOSED, tmp_path, clock=True, speed=2, autoplay=True) as player:
        assert player.is_playing()
        assert len(places(player)) > 10


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1280, 900), (375, 667), (320, 568), (740, 360)], ids=str)
def test_screens(browser: Any, size: tuple[int, int], tmp_path: Path) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with Player(browser, TOURS["open"], tmp_path, viewport=viewport) as player:
        player.scrub(40)
        player.state()
        assert player.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for button in player.page.locator("button").all():
            box = button.bounding_box()
            assert box["width"] >= 44
            assert box["height"] >= 44
            assert 0 <= box["x"] <= size[0] - box["width"]
        stage = player.page.locator("#stage").screenshot()
        assert len(Image.open(BytesIO(stage)).convert("RGB").getcolors(1 << 20) or ()) > 20


@pytest.mark.browser
def test_the_path_is_drawn_as_far_as_it_is_played(browser: Any, tmp_path: Path) -> None:
    tour = TOURS["open"]
    with Player(browser, tour, tmp_path, colors={"path": "#ff00ff"}) as player:

        def painted() -> int:
            image = Image.open(BytesIO(player.page.locator("#stage").screenshot())).convert("RGB")
            data = image.tobytes()
            return sum(data[at : at + 3] == b"\xff\x00\xff" for at in range(0, len(data), 3))

        amounts = []
        for position in (0, 10, 30, 63):
            player.scrub(position)
            amounts.append(painted())
        assert amounts[0] == 0
        assert amounts == sorted(set(amounts))
        player.scrub(10)
        assert painted() == amounts[1]


@pytest.mark.browser
def test_a_large_board_plays(browser: Any, tmp_path: Path) -> None:
    with Player(browser, kt.solve(200), tmp_path, clock=True, speed=2000) as player:
        player.page.click("#play")
        for _ in range(5):
            player.page.clock.run_for(1000)
        made, _ = player.state()
        assert 9000 <= made <= 11_000
        player.scrub(39_999)
        assert player.state()[0] == 39_999
        player.scrub(20_000)
        assert player.state()[0] == 20_000


@pytest.mark.browser
def test_pictures_in_a_browser(browser: Any) -> None:
    """The browser draws an SVG picture as the other renderer does, and a style sheet restyles it."""
    tour = TOURS["open"]
    page = browser.new_page(viewport={"width": 364, "height": 364})
    page.set_content(
        "<style>body{margin:0;background:#111} .square.dark{fill:#00ff00} .path{stroke:#ff0000}</style>"
        + tour.svg(size=364, coordinates=False)
    )
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.close()
    cell = 364 / 8.4
    for row in range(8):
        for col in range(8):
            at = (round((0.2 + col + 0.04) * cell), round((0.2 + row + 0.04) * cell))
            assert (image.getpixel(at) == (0, 255, 0)) == ((row + col) % 2 == 1)
    one, two = tour.squares[10], tour.squares[11]
    at = (round((0.7 + (one.col + two.col) / 2) * cell), round((0.7 + (one.row + two.row) / 2) * cell))
    assert image.getpixel(at) == (255, 0, 0)
