"""The table of projects, on a terminal and for a page."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

from fake_projects import project_manifest, project_outcome, project_results
from rigorbench.bench.experiment.projects import ProjectMeans, project_means
from rigorbench.bench.experiment.records import ConditionKey, FailureMode, HintFact
from rigorbench.bench.pages.experiment import figures
from rigorbench.bench.pages.experiment import run as of_run
from rigorbench.bench.pages.experiment.site import BareRunPage
from rigorbench.bench.pages.experiment.terminal import print_projects
from rigorbench.review.pages.console import Printer
from rigorbench.review.pages.html import render

_FIGURES = {
    "projects": 1,
    "runs": 2,
    "execution_at": [20.0, 100.0],
    "submissions": 1.5,
    "turns": 10.0,
    "tokens": 22_300.0,
}


def _row(model: str, harness: str = "baseline", **changed: object) -> ProjectMeans:
    values = {"execution": 100.0, "review": 77.14, "final": 95.43, **_FIGURES, **changed}
    return ProjectMeans(key=ConditionKey("react", harness, model), **values)


def _printed(rows: list[ProjectMeans]) -> list[str]:
    text = io.StringIO()
    print_projects(rows, Printer(Console(file=text, width=100, highlight=False)))
    return text.getvalue().splitlines()


def test_a_row_has_its_points_and_what_they_took() -> None:
    lines = _printed([_row("scripted/one"), _row("scripted/two", review=None, final=None)])
    assert lines[3].split() == ["scripted/one", "2", "100.0", "77.1", "95.4", "1.5", "10.0", "22.3k"]
    assert "20.0, 100.0" in lines[4]
    assert lines[5].split() == ["scripted/two", "2", "100.0", "–", "–", "1.5", "10.0", "22.3k"]
    assert max(map(len, lines)) <= 100


def test_conditions_are_named_by_what_tells_them_apart() -> None:
    assert _printed([_row("openai/m"), _row("openai/m", "nudge")])[5].split()[0] == "nudge"


def test_long_names_stand_above_their_figures() -> None:
    lines = _printed([_row("provider/" + "m" * 50), _row("provider/short")])
    assert lines[3].strip() == "provider/" + "m" * 50
    assert lines[4].split()[1] == "100.0"
    assert max(map(len, lines)) <= 100


def test_without_projects_there_is_no_table() -> None:
    assert _printed([]) == []


def test_the_page_has_the_same_figures() -> None:
    row = _row("scripted/one", final=None)
    assert dict(zip(figures.HEADS, figures.of_projects(row), strict=True)) == {
        "execution": "100.0",
        "review": "77.1",
        "final": "–",
        "submitted": "1.5",
        "turns": "10.0",
        "tokens": "22.3k",
    }
    assert figures.best_of_first(row) == "20.0, 100.0"


def test_the_page_tells_how_the_runs_went_and_what_they_failed_by() -> None:
    manifest = project_manifest()
    results = project_results(manifest)
    rows = project_means(manifest, results)
    fast, slow = (figures.runs_of(row, results) for row in rows)
    assert [figures.first_pass(runs) for runs in (fast, slow)] == ["21.0 (1 run)", "–"]
    assert [figures.course(runs) for runs in (fast, slow)] == ["1 solved, 11 still rising", "12 still rising"]
    # All submissions were made on green tests of the agent's own; one is accepted.
    assert [figures.misled(runs) for runs in (fast, slow)] == ["23 of 24", "24 of 24"]
    [(title, runs, examples)] = figures.failures(rows, results, {results[1].cell.id: "runs/1.html"})
    assert (title, runs) == ("edge cases fail", [11, 12])
    assert examples[0][1:] == ("runs/1.html", "secret/2-edges: 3 of 4 points are right; not 4")


def test_the_page_of_a_run_has_its_curve_failures_and_hints() -> None:
    project = project_outcome(20, 60, 50, 60, 55, turns=(5, 10, 15, 30, 40))
    project.failures = [FailureMode("no-progress", None, "3 submissions without a gain")]
    project.hints = [HintFact(1, 70.0, 7, "2-large", None, "package", "use 64 bits", 20.0, 60.0)]
    manifest = project_manifest()
    run = replace(project_results(manifest)[0], project=project)
    page = render(BareRunPage(manifest, run, None, [], None, None, None, [], None, "index.html", "task.html", []))
    text = " ".join(re.sub(r"<[^>]+>", " ", page.split("<body>")[1]).split())
    for part in (
        "Exec@1, 2, ... (best of the first submissions) 20.0, 60.0, 60.0, 60.0, 60.0",
        "Turn of the first pass – Course a plateau",
        "own tests passed, but it is wrong",
        "long interaction without progress 3 submissions without a gain",
        "hint for 2-large use 64 bits turn 7; 20.0 points before, 60.0 after",
    ):
        assert part in text
    chart = of_run.chart(project, 50)
    line, dots, last = chart
    # The line rises at turns 5 and 10 of 50, and the last dot is lower than the line.
    xs = [x for x, _ in line]
    assert xs[1:3] == [xs[1]] * 2
    assert (xs[1] - xs[0]) * 10 == pytest.approx(xs[-1] - xs[0], abs=2)
    assert dots[-1][1] > line[-1][1]
    assert last == 50


def test_without_turns_there_is_no_curve() -> None:
    project = project_outcome(20, 60)
    project.submissions[0].turn = None
    assert of_run.chart(project, 50) is None
