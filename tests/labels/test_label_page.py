"""`rigor label` as people use it: the program, its page in a real browser, and the files that come of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from label_builders import commit_sheet, episode_sheet, plan_sheet

from report.browser import barriers, browser, visit  # noqa: F401
from rigorbench.cli import main
from rigorbench.panel.labels.store import LabelFile, load


@contextmanager
def labelling(*words: str) -> Iterator[str]:
    """The program at work; yields the address it prints. Ctrl-C ends it, and it says where the labels are."""
    program = "import sys; from rigorbench.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "label", *words, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            process.stdout.readline()
            url = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", url), process.stderr.read()
            yield url
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
        assert process.wait(20) == 0
        assert "cases done; labels: " in rest
        assert "Traceback" not in rest


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A directory in which somebody has left three cases."""
    file = LabelFile(tmp_path, "before")
    for sheet in (plan_sheet(1, items=2), commit_sheet(2), episode_sheet(3)):
        file.keep(sheet)
    file.close()
    return tmp_path


def answers(out: Path) -> dict[str, dict[tuple[str, str | None], object]]:
    labels = load(out)
    return {labels.sheets[case].kind: dict(given) for case, given in labels.answers.get("ada", {}).items()}


def go_to(page: Any, url: str, title: str) -> None:
    page.goto(url + "list")
    page.get_by_role("row", name=title).get_by_role("link").click()
    page.wait_for_selector("fieldset")


def test_by_keyboard_alone(browser: Any, out: Path) -> None:  # noqa: F811
    with labelling("--out", str(out), "--labeller", "ada") as url, visit(browser) as seen:
        page = seen.page
        page.goto(url)
        for _ in range(3):
            asks = page.locator("fieldset:visible")
            for n in range(asks.count()):
                page.keyboard.press("1")
                page.locator(".ask.answered").nth(n).wait_for(state="attached")
            assert "done" in page.locator("#state").inner_text()
            before = page.url
            page.keyboard.press("n")
            page.wait_for_url(lambda address, before=before: address != before)
        assert page.locator("h1").inner_text() == "All 3 cases are done"
        assert seen.errors == []
        assert seen.foreign(url) == []
    found = answers(out)
    assert set(found) == {"plan", "commit_message", "episode"}
    assert set(found["plan"].values()) == {True}
    assert len(found["plan"]) == 2 * 4 + 3
    assert found["episode"] == {("error", None): True, ("resolved", None): "green", ("attempts", None): 1}


def test_by_mouse(browser: Any, out: Path) -> None:  # noqa: F811
    """Changing an answer, "cannot tell", coming back, questions that fall away, an answer that cannot be saved."""
    with labelling("--out", str(out), "--labeller", "ada") as url, visit(browser) as seen:
        page = seen.page
        go_to(page, url, "The message of a commit")
        first = page.get_by_role("group", name="Is the subject line in the imperative?")
        for choice in ("Yes", "No", "Cannot tell"):
            with page.expect_response("**/answer"):
                first.get_by_role("radio", name=choice, exact=True).check()
        page.get_by_text("Saved; 2 questions open").wait_for()
        page.reload()
        assert first.get_by_role("radio", name="Cannot tell").is_checked()
        page.keyboard.press("2")  # The marked question is the first without an answer.
        page.get_by_text("Saved; 1 question open").wait_for()
        page.get_by_role("checkbox").uncheck()  # Now keys do nothing.
        page.keyboard.press("1")
        page.keyboard.press("n")
        assert page.locator("input[type=radio]:checked").count() == 2
        assert seen.errors == []
        page.route("**/answer", lambda route: route.abort())
        third = page.get_by_role("group", name="Does the message claim something that the diff does not do?")
        third.get_by_role("radio", name="Yes").click()
        page.get_by_text("Not saved: the program does not answer").wait_for()
        assert third.locator("input:checked").count() == 0
        page.unroute("**/answer")
        page.get_by_role("link", name="All cases").click()
        page.get_by_text("1 question open").wait_for()
        go_to(page, url, "A failing check")
        assert page.locator("fieldset:visible").count() == 3
        error = page.get_by_role("group", name="Is this one error episode?")
        error.get_by_role("radio", name="No", exact=True).check()
        page.get_by_text("Saved; done").wait_for()
        assert page.locator("fieldset:visible").count() == 1
    found = answers(out)
    assert found["commit_message"] == {("imperative", None): None, ("describes", None): False}
    assert found["episode"] == {("error", None): False}


def test_nothing_stands_in_anybodys_way(browser: Any, out: Path) -> None:  # noqa: F811
    """Wide and narrow, light and dark: no finding of axe, nothing to scroll sideways, no message on the console."""
    with labelling("--out", str(out), "--labeller", "ada") as url:
        for width, dark in ((1400, False), (360, True)):
            with visit(browser, width=width, dark=dark) as seen:
                for place in ("list", "case/1", "case/2", "case/3"):
                    seen.page.goto(url + place)
                    assert barriers(seen.page) == []
                    assert seen.sideways() == 0
                assert seen.errors == []


def test_summary_and_export(out: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = LabelFile(out, "ada")
    sheet = commit_sheet(2)
    file.answer(sheet, "imperative", None, True)
    file.answer(sheet, "imperative", None, None)
    file.close()
    assert main(["label", "--out", str(out), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["labellers"] == {
        "ada": {"commit_message": {"cases": 1, "done": 0, "answers": 1, "cannot_tell": 1}}
    }
    assert main(["label", "--out", str(out), "--export"]) == 0
    assert [json.loads(line)["answer"] for line in capfd.readouterr().out.splitlines()] == [None]
    assert main(["label", "--out", str(out)]) == 0
    assert "commit_message" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "{out}", "--labeller", "../x"], "letters, digits"),
        (["--out", "{out}", "--labeller", "ada", "--kinds", "plan,poem"], "no kind 'poem'"),
        (["--out", "{out}/none", "--labeller", "ada"], "contains no cases yet"),
        (["--out", "{out}/none"], "no such directory"),
        (["log.jsonl", "--out", "{out}"], "give --labeller"),
        (["--out", "{out}", "--labeller", "ada", "--port", "70000"], "--port"),
    ],
)
def test_wrong_usage_is_one_line(out: Path, words: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["label", *(word.format(out=out) for word in words)]) == 2
    found = capfd.readouterr().err
    assert told in found
    assert len(found.splitlines()) == 1


def test_without_the_extras_there_is_one_line(
    out: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["label", "--out", str(out), "--labeller", "ada"]) == 2
    assert "pip install '.[panel]'" in capfd.readouterr().err
    assert main(["panel", "validate", "--labels", str(out)]) == 2
    assert "pip install '.[report]'" in capfd.readouterr().err
    # What is labelled can be seen without them.
    assert main(["label", "--out", str(out)]) == 0
