"""The page with all tables, in a browser: nothing is fetched, nothing is cut off, and it can be read by everyone."""

from __future__ import annotations

from typing import Any

import pytest

from rigorbench.bench.pages.tables.build import PAGE, TABLES, build, files, write

from .browser import NARROW, WIDE, barriers, browser, visit  # noqa: F401
from .test_tables import HOSTILE, lay


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = lay(tmp_path_factory.mktemp("page") / "out")
    write(out / "report", files(build([out]), pictures=False))
    return (out / "report" / PAGE).as_uri()


@pytest.mark.parametrize(("width", "dark"), [(WIDE, False), (WIDE, True), (NARROW, False)])
def test_the_page(browser: Any, address: str, width: int, dark: bool) -> None:  # noqa: F811
    with visit(browser, width=width, dark=dark) as window:
        page = window.page
        page.goto(address)
        assert window.errors == []
        assert window.foreign() == []
        assert window.sideways() == 0
        assert barriers(page) == []
        # Its tasks are no projects, and nobody voted.
        assert page.locator("table").count() == sum(not s.stem.startswith(("projects", "table-7")) for s in TABLES)
        # A name with markup in it is text: in tables of conditions, of categories, of sub-metrics and of departures.
        assert page.get_by_role("rowheader", name=" ".join(HOSTILE.split())).count() == 6 + 6 + 12 + 9
        # Text of the drawing has the colour of the page's text.
        ink = page.evaluate("getComputedStyle(document.body).color")
        assert page.evaluate("getComputedStyle(document.querySelector('figure svg text')).fill") == ink


def test_a_note_is_found_from_its_cell_and_points_tell_their_values(browser: Any, address: str) -> None:  # noqa: F811
    with visit(browser) as window:
        page = window.page
        page.goto(address)
        cell = page.locator("#table-3 tbody tr").first.locator("td").nth(9)
        assert len(cell.inner_text().strip()) == 1
        cell.get_by_role("link").click()
        note = page.locator(":target").inner_text().split("\n")[-1]
        assert note.startswith("better on 5 of 5 tasks; too few for a test")
        points = page.locator("figure svg [aria-label]")
        assert points.count() > 20
        label = points.first.get_attribute("aria-label")
        assert "RigorScore" in label
        assert points.first.locator("title").text_content() == label


def test_on_paper_no_table_is_cut_off(browser: Any, address: str) -> None:  # noqa: F811
    """Boxes that scroll on the screen do not on paper: A4 and US letter, both landscape, less the margins."""
    with visit(browser, width=979) as window:
        window.page.emulate_media(media="print")
        window.page.goto(address)
        right = "[...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().right)"
        assert max(window.page.evaluate(right)) <= 979
