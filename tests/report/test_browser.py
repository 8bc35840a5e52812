"""The site of an experiment in a real browser: clicked through, by keyboard, wide and narrow, light and dark."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fake_experiment import (
    TASKS,
    make_journal,
    make_manifest,
    make_result,
    trouble,
    write_experiment,
    write_reading,
    write_store,
)
from rigorbench.base.points import JudgedPoint
from rigorbench.bench.experiment.compare import compare
from rigorbench.bench.experiment.records import RunResult
from rigorbench.bench.pages.experiment.site import ExperimentPage, write_site
from rigorbench.review.history.trends_view import render_trends
from rigorbench.review.pages.html import render
from rigorbench.review.pages.pages import render_index, render_session
from rigorbench.review.pages.summary import summarise

from .browser import NARROW, WIDE, Visit, barriers, browser, visit
from .conftest import make_report

__all__ = ["browser"]

ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script>"
JUDGED = "invented-hash--react--agent-rigor--acme-x--r1"
LOOKS = [(WIDE, False), (NARROW, True)]


def _change(result: RunResult) -> RunResult | None:
    changed = trouble(result)
    if changed is not None and changed.outcome is not None and changed.outcome.tests:
        changed.outcome.tests[0].id = f"tests/test_hidden.py::test[{ATTACK}]"
    return changed


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented experiment with a bit of everything: models and policies, trouble, a reading, captured states."""
    out = tmp_path_factory.mktemp("site")
    manifest = make_manifest(
        models=("acme/x", "scripted/reckless"), harnesses=("agent-rigor", "baseline"), tasks=TASKS[:4], repeats=2
    )
    for number, name in enumerate(manifest.tasks):
        requirements = {"R1": f"adds {ATTACK}", "R2": "keeps what was there"}
        category = ("plan-then-build", "verify-or-die")[number % 2]
        manifest.tasks[name].facts.update(category=category, title=f"Do it {ATTACK}", requirements=requirements)
    results = write_experiment(out, manifest, _change)
    result = next(r for r in results if r.cell.id == JUDGED)
    said = [[True, False, None], [True, True, False]]
    points = [JudgedPoint(f"plan1_single/{n}", "DQ", "Single?", f"{ATTACK} {n}", s) for n, s in enumerate(said, 1)]
    write_reading(out, result, *points)
    run = out / "runs" / JUDGED
    trees = write_store(run, {"src/a.py": b"a = 1\n"}, {"src/a.py": f"a = 2  # {ATTACK}\n".encode()})
    journal = [msgspec.json.encode(record) for record in make_journal(result, (trees[0], trees[1]))]
    (run / "journal.jsonl").write_bytes(b"\n".join(journal) + b"\n")
    return write_site(out, manifest, results).parent


def _quiet(seen: Visit) -> None:
    """Nothing went wrong, nothing was fetched but the pages, and no text of the experiment ran."""
    assert seen.errors == []
    assert seen.foreign() == []


def _first_runs(page: Any) -> list[str]:
    """Cell ids of the runs of models that are shown, in their order."""
    links = page.locator(".runs").first.locator("tbody tr:visible th a")
    return [href.rpartition("/")[2].removesuffix(".html") for href in links.evaluate_all("all => all.map(a => a.href)")]


@pytest.mark.parametrize(("width", "dark"), LOOKS)
def test_clicking_through(browser: Any, site: Path, width: int, dark: bool) -> None:
    with visit(browser, width=width, dark=dark) as seen:
        page = seen.page
        page.goto(f"file://{site}/index.html")
        assert page.get_by_role("heading", name="Suite invented suite").is_visible()
        assert page.get_by_text("Scripted policies are not models").first.is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(21, 23, 26)" if dark else "rgb(251, 250, 247)"
        )
        assert seen.sideways() == 0
        before = _first_runs(page)

        # Sort by RigorScore: by the head of the column, or where there is none by the choice.
        if width == WIDE:
            page.locator(".runs").first.get_by_role("button", name="RigorScore").click()
            assert (
                page.locator(".runs").first.locator('th[aria-sort="descending"]').inner_text().startswith("RigorScore")
            )
        else:
            page.get_by_label("Sort by").select_option("RigorScore, most first")
        values = page.locator(".runs").first.locator('tbody tr td[data-label="RigorScore"]')
        scores = [float(v) for v in values.evaluate_all("all => all.map(c => c.dataset.v).filter(v => v)")]
        assert len(scores) > 5
        assert scores == sorted(scores, reverse=True)
        assert _first_runs(page) != before

        # Filter, and find.
        page.locator("select[name=task]").select_option("invented-hash")
        page.get_by_label("Find").fill("AGENT-RIGOR")
        assert page.get_by_role("status").get_by_text("4 of 32").is_visible()
        assert JUDGED in _first_runs(page)
        assert all("invented-hash--react--agent-rigor" in name for name in _first_runs(page))
        kept = _first_runs(page)

        # The page of the task, from the heat map.
        page.locator(".heat").first.get_by_role("link", name="invented-hash").click()
        page.wait_for_url("**/tasks/invented-hash.html")
        assert page.get_by_role("heading", name="invented-hash").is_visible()
        assert page.get_by_text("Side by side").last.is_visible()
        assert page.get_by_text(ATTACK).first.is_visible()
        assert seen.sideways() == 0

        # A run, its judged values and its diff.
        page.locator(f'.side thead a[href$="{JUDGED}.html"]').first.click()
        page.wait_for_url(f"**/runs/{JUDGED}.html")
        assert page.get_by_role("heading", name="Judged values").is_visible()
        assert page.locator("table.judged").is_visible()
        assert page.locator("table.judged tbody tr").first.locator("td").last.inner_text().startswith("–")
        assert page.locator("table.judged td:visible", has_text=ATTACK).count() == 2
        page.locator("details.changes summary").first.click()
        assert page.locator("ins:visible", has_text=f"+a = 2  # {ATTACK}").is_visible()
        assert page.locator("del:visible", has_text="-a = 1").is_visible()
        assert seen.sideways() == 0

        # Back to the list as it was left.
        page.go_back()
        page.wait_for_url("**/tasks/invented-hash.html")
        page.go_back()
        page.wait_for_url("**/index.html")
        assert page.get_by_label("Find").input_value() == "AGENT-RIGOR"
        assert _first_runs(page) == kept
        page.get_by_label("Find").fill("")
        page.locator("select[name=task]").select_option("")
        assert len(_first_runs(page)) > len(kept)
        _quiet(seen)


@pytest.mark.parametrize(("width", "dark"), LOOKS)
@pytest.mark.parametrize("name", ["index.html", "tasks/invented-hash.html", f"runs/{JUDGED}.html", "runs/*broke*"])
def test_no_barriers(browser: Any, site: Path, name: str, width: int, dark: bool) -> None:
    """axe-core finds nothing against WCAG 2.1 A and AA, with everything on the page open."""
    if name == "runs/*broke*":
        broke = next(p for p in sorted((site / "runs").glob("*.html")) if "SandboxError" in p.read_text("utf-8"))
        name = f"runs/{broke.name}"
    with visit(browser, width=width, dark=dark, reduced_motion="reduce") as seen:
        seen.page.goto(f"file://{site}/{name}")
        seen.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert barriers(seen.page) == []
        assert seen.page.locator("main").count() == 1
        levels = seen.page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(h => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(below <= above + 1 for above, below in pairwise(levels))
        assert seen.sideways() == 0
        _quiet(seen)


def test_sessions_have_no_barriers(browser: Any, tmp_path: Path) -> None:
    """The pages of `rigor score`, `sessions` and `trends` share style and script with those of an experiment."""
    report = make_report()
    row = summarise(report)
    later = replace(row, date="2025-12-01T09:00:00Z", overall=80, project="other", cost=0.5)
    (tmp_path / "trends.html").write_text(render_trends([row, later]), encoding="utf-8")
    (tmp_path / "list.html").write_text(render_index([(row, None), (later, None)]), encoding="utf-8")
    (tmp_path / "index.html").write_text(render_index([(row, "session.html")] * 60), encoding="utf-8")
    (tmp_path / "session.html").write_text(render_session(report, "index.html"), encoding="utf-8")
    with visit(browser, width=NARROW, dark=True) as seen:
        for name in ("index.html", "session.html", "trends.html", "list.html"):
            seen.page.goto(f"file://{tmp_path}/{name}")
            seen.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
            assert barriers(seen.page) == []
            assert seen.sideways() == 0
        seen.page.goto(f"file://{tmp_path}/index.html")
        assert seen.page.locator("tbody tr:visible").count() == 50
        seen.page.get_by_role("button", name="Show 10 more").click()
        assert seen.page.locator("tbody tr:visible").count() == 60
        seen.page.goto(f"file://{tmp_path}/list.html")
        seen.page.get_by_label("All projects").select_option("other")
        assert seen.page.locator("tbody tr:visible").count() == 1
        _quiet(seen)


@pytest.mark.parametrize(("width", "dark"), LOOKS)
def test_a_session_is_searched_and_walked_through(browser: Any, tmp_path: Path, width: int, dark: bool) -> None:
    (tmp_path / "session.html").write_text(render_session(make_report()), encoding="utf-8")
    with visit(browser, width=width, dark=dark) as seen:
        page = seen.page
        page.goto(f"file://{tmp_path}/session.html")
        assert page.locator(".verdict").is_visible()
        assert barriers(page) == []

        # The log, by keys: / finds, j and k go from row to row, and none of them acts while something is typed.
        focused = "document.activeElement.closest('.row') && document.activeElement.closest('.row').id"
        rows = page.locator(".row").evaluate_all("all => all.map(row => row.id)")
        page.keyboard.press("/")
        page.keyboard.type("third try: jk")
        page.locator("#shown", has_text="0 of").wait_for()
        page.locator("#find").fill("THIRD TRY")
        page.locator("#shown", has_text="1 of").wait_for()
        assert page.locator(".row:visible").count() == 1
        page.locator("#find").fill("")
        page.locator("#shown", has_text=re.compile(f"^{len(rows)} rows")).wait_for()
        page.locator(".row summary").first.focus()
        page.keyboard.press("j")
        page.keyboard.press("j")
        assert page.evaluate(focused) == rows[2]
        page.keyboard.press("k")
        assert page.evaluate(focused) == rows[1]
        page.keyboard.press("Enter")
        assert page.locator(f"#{rows[1]} details").get_attribute("open") is not None

        # The axis of time moves the marks, and back.
        mark = page.locator("#timeline use[data-x]").nth(3)
        by_step = mark.get_attribute("x")
        page.get_by_role("button", name="By time").click()
        assert mark.get_attribute("x") == mark.get_attribute("data-x") != by_step
        assert page.locator("#timeline .by-step .tick").first.is_hidden()
        page.get_by_role("button", name="By step").click()
        assert mark.get_attribute("x") == by_step

        # A line is copied, or at least selected.
        page.locator(".changes .copy").first.click()
        page.locator(".changes .copy", has_text=re.compile("Copied|Selected")).wait_for()

        # A check in the fold is opened by a link to it.
        page.locator(".accused a", has_text="R-bent-tests").first.click()
        assert page.locator("#c-R-bent-tests").is_visible()
        assert seen.sideways() == 0
        _quiet(seen)


def test_by_keyboard_alone(browser: Any, site: Path) -> None:
    with visit(browser) as seen:
        page = seen.page
        page.goto(f"file://{site}/index.html")
        focused = "document.activeElement"
        page.keyboard.press("Tab")
        assert page.evaluate(f"{focused}.textContent") == "Skip to the results"
        assert page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash") == "#main"

        # One stop for the heat map; arrow keys go from cell to cell, and the note is told below it.
        heat = page.locator(".heat").first
        assert heat.locator('td[tabindex="0"]').count() == 1
        heat.locator('td[tabindex="0"]').focus()
        note = page.locator(".heat ~ .note, .wide:has(.heat) + .note").first
        assert note.inner_text().startswith("invented-gateway, ")
        assert "n = " in note.inner_text()
        told = note.inner_text()
        page.keyboard.press("ArrowDown")
        assert note.inner_text().startswith("invented-calendar, ")
        page.keyboard.press("ArrowUp")
        assert note.inner_text() == told

        # A head of a column is a button.
        head = page.locator(".runs").first.get_by_role("button", name="Tokens")
        head.focus()
        page.keyboard.press("Enter")
        assert page.locator('.runs th[aria-sort="descending"]').inner_text().startswith("Tokens")
        page.keyboard.press("Space")
        assert page.locator('.runs th[aria-sort="ascending"]').inner_text().startswith("Tokens")

        # Everything that acts can be reached.
        unreachable = page.locator("a[href], button, select, input, summary").evaluate_all(
            "all => all.filter(e => e.tabIndex < 0 && e.checkVisibility() && !e.closest('svg')).length"
        )
        assert unreachable == 0
        _quiet(seen)


def test_long_lists_are_shown_by_pages_and_printed_whole(browser: Any, tmp_path: Path) -> None:
    manifest = make_manifest(tasks=[f"task-{n}" for n in range(150)])
    results = [make_result(c) for c in manifest.cells]
    addresses = {r.cell.id: f"runs/{r.cell.id}.html" for r in results}
    page_text = render(ExperimentPage(manifest, compare(manifest, results), results, addresses))
    (tmp_path / "index.html").write_text(page_text, encoding="utf-8")
    with visit(browser, dark=True) as seen:
        page = seen.page
        page.goto(f"file://{tmp_path}/index.html")
        rows = page.locator(".runs tbody tr:visible")
        assert rows.count() == 200
        page.emulate_media(media="print")
        assert rows.count() == 300
        assert page.locator("#tools").is_hidden()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
        page.emulate_media(media="screen")
        page.get_by_label("Find").fill("task-149")
        assert rows.count() == 2
        page.get_by_label("Find").fill("")
        page.get_by_role("button", name="RigorScore").click()
        best = max(r.rigor_score or 0 for r in results)
        assert rows.first.locator('td[data-label="RigorScore"]').get_attribute("data-v") == str(best)
        page.get_by_role("button", name="Show 100 more").click()
        assert rows.count() == 300
        page.reload()
        assert rows.count() == 300
        _quiet(seen)


def test_a_table_that_goes_on_fades_until_it_is_scrolled_to_its_end(browser: Any, site: Path) -> None:
    with visit(browser, width=NARROW) as seen:
        page = seen.page
        page.goto(f"file://{site}/tasks/invented-hash.html")
        table = page.locator(".wide:has(.side)").first
        table.locator("xpath=self::*[contains(@class, 'goes-on')]").wait_for()
        table.evaluate("e => { e.scrollLeft = e.scrollWidth }")
        table.locator("xpath=self::*[not(contains(@class, 'goes-on'))]").wait_for()
        _quiet(seen)


def test_statistics_are_folded_and_a_link_leads_to_them(browser: Any, site: Path) -> None:
    with visit(browser) as seen:
        page = seen.page
        page.goto(f"file://{site}/index.html")
        assert page.locator(".verdict").first.is_visible()
        assert page.locator(".bars").first.is_visible()
        assert page.locator("table.lines:visible").count() == 0
        page.locator("nav").get_by_role("link", name="Statistics").click()
        page.locator("details.statistics summary").first.click()
        assert page.locator("table.lines:visible").count() > 0
        _quiet(seen)


def test_without_script_everything_is_there(browser: Any, site: Path) -> None:
    with visit(browser, java_script_enabled=False) as seen:
        seen.page.goto(f"file://{site}/index.html")
        assert seen.page.locator("#tools").is_hidden()
        assert seen.page.locator(".runs tbody tr").count() == 32
        assert seen.page.locator(".runs tbody tr").last.is_visible()
        seen.page.goto(f"file://{site}/runs/{JUDGED}.html")
        assert seen.page.locator("table.judged").is_visible()
        _quiet(seen)
