"""The site: its examples run, its pictures are there."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "pages").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, verbose=False)
    assert result.failed == 0


def test_there_are_pages() -> None:
    assert len(PAGES) >= 8
    parser = doctest.DocTestParser()
    assert sum(len(parser.get_examples(page.read_text(encoding="utf-8"))) for page in PAGES) > 60


def test_pages_are_in_the_contents() -> None:
    contents = (DOCS / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:")[2]
    named = re.findall(r": (\S+\.md)$", contents, re.MULTILINE)
    assert sorted(named) == sorted(str(page.relative_to(DOCS / "pages")) for page in PAGES)


def test_links_lead_to_pages() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).is_file(), (page, link)


def test_pictures_are_made() -> None:
    made = set(re.findall(r'"(\w+\.(?:svg|html))":', (DOCS / "hooks.py").read_text(encoding="utf-8")))
    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"pictures/(\w+\.\w+)", page.read_text(encoding="utf-8")))
        # What cannot be seen is told.
        assert "![](" not in page.read_text(encoding="utf-8")
    assert shown <= made


def test_the_parts_of_open_8x8_add_up() -> None:
    """To the published count (OEIS A165134), each pair of rows standing for its images under mirrors and reversal."""
    text = (DOCS / "pages" / "how-to" / "parts.md").read_text(encoding="utf-8")
    parts = re.findall(r"^\| rows (\d)\+(\d) \| (\d) \| ([\d,]+) \|", text, re.MULTILINE)
    total = 0
    pairs: set[tuple[int, int]] = set()
    for first, second, times, tours in parts:
        here = (int(first), int(second))
        images = {here, here[::-1], (7 - here[0], 7 - here[1]), (7 - here[1], 7 - here[0])}
        assert not images & pairs
        assert len(images) == int(times)
        pairs |= images
        total += int(times) * int(tours.replace(",", ""))
    assert len(pairs) == 64
    assert total == 19_591_828_170_979_904
