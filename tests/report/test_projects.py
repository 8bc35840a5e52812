"""The table of projects, on a terminal and for a page."""

from __future__ import annotations

import io

from rich.console import Console

from rigorbench.experiment.conditions import Key
from rigorbench.experiment.projects import ProjectMeans
from rigorbench.report.experiment.projects import print_projects, project_table

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
    return ProjectMeans(key=Key("react", harness, model), **values)


def _printed(rows: list[ProjectMeans]) -> list[str]:
    text = io.StringIO()
    print_projects(rows, Console(file=text, width=100, highlight=False))
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
    assert project_table([]) is None


def test_the_page_has_the_same_figures() -> None:
    table = project_table([_row("scripted/one", final=None)])
    assert table is not None
    [row] = table.rows
    assert dict(zip(table.heads, row.figures, strict=True)) == {
        "execution": "100.0",
        "review": "77.1",
        "final": "–",
        "submitted": "1.5",
        "turns": "10.0",
        "tokens": "22.3k",
    }
    assert row.curve == "20.0, 100.0"
