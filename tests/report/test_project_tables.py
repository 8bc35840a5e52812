"""The tables of projects, from an invented experiment whose harder problems take longer and end lower."""

from __future__ import annotations

import pytest

from fake_projects import write_projects

pytest.importorskip("scipy")

from rigorbench.bench.experiment.records import HintFact, RunResult
from rigorbench.bench.pages.tables.build import build
from rigorbench.bench.pages.tables.table import Table, TableCell


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    out = tmp_path_factory.mktemp("projects")

    def hinted(run: RunResult) -> None:
        # Of the fast model the first repeat was given a hint, between its submissions.
        if run.cell.model == "acme/fast" and run.cell.repeat == 1 and run.project is not None:
            half, top = run.project.execution_at
            run.project.hints = [HintFact(1, 70.0, 9, None, None, "package", "think", half, top)]

    write_projects(out, hinted)
    return {table.name: table for table in build([out]).tables if table.name.startswith("projects")}


def cell(table: Table, row: int, column: str) -> TableCell:
    return table.rows[row].entries[[c.name for c in table.columns].index(column)]


def test_points_and_effort_of_each_condition(tables: dict[str, Table]) -> None:
    table = tables["projects"]
    assert [row.labels for row in table.rows] == [["acme/fast"], ["acme/slow"]]
    assert cell(table, 0, "execution").value == pytest.approx(72.5)
    assert cell(table, 0, "final").value == pytest.approx(0.8 * 72.5 + 0.2 * 80)
    assert cell(table, 0, "at_1").value == pytest.approx(36.25)
    assert cell(table, 0, "at_3").value == pytest.approx(72.5), "a run that stopped keeps its points"
    assert cell(table, 0, "first_pass").value == 21
    assert cell(table, 1, "first_pass").value is None
    assert (cell(table, 0, "files").value, cell(table, 0, "lines").value) == (3, 200)


def test_points_within_turns_and_the_course(tables: dict[str, Table]) -> None:
    table = tables["projects-course"]
    assert [cell(table, 0, f"turns_{n}").value for n in (10, 320)] == [pytest.approx(36.25), pytest.approx(72.5)]
    assert cell(table, 0, "solved").value == pytest.approx(1 / 12, abs=1e-5)
    assert cell(table, 0, "improving").value == pytest.approx(11 / 12, abs=1e-5)


def test_verdicts_are_shares_of_submissions(tables: dict[str, Table]) -> None:
    table = tables["projects-verdicts"]
    assert cell(table, 0, "submissions").value == 24
    assert cell(table, 0, "accepted").value == pytest.approx(1 / 24)
    assert cell(table, 0, "wrong_answer").value == pytest.approx(23 / 24)


def test_failures_have_an_example(tables: dict[str, Table]) -> None:
    (fast, _) = tables["projects-failures"].rows
    assert fast.labels == ["acme/fast", "edge cases fail"]
    assert [entry.value for entry in fast.entries[:2]] == [11, 12]
    assert str(fast.entries[2].value).endswith("secret/2-edges: 3 of 4 points are right; not 4")


def test_effort_against_the_final_score_over_and_within_problems(tables: dict[str, Table]) -> None:
    table = tables["projects-relations"]
    names = [row.labels[0] for row in table.rows]
    turns = names.index("turns")
    assert cell(table, turns, "over").value == pytest.approx(-1)
    assert cell(table, turns, "problems").value == 6
    within = cell(table, turns, "within").value
    assert isinstance(within, float)
    assert within < 0
    assert cell(table, names.index("cyclomatic complexity"), "over").value is None, (
        "the same everywhere: no correlation"
    )


def test_hints_have_points_before_and_after_and_a_comparison(tables: dict[str, Table]) -> None:
    table = tables["projects-hints"]
    assert [cell(table, 0, name).value for name in ("asked", "given", "runs")] == [6, 6, 6]
    assert cell(table, 0, "before").value == pytest.approx(37.5)
    assert cell(table, 0, "after").value == pytest.approx(75)
    assert cell(table, 0, "with").value == pytest.approx(0.8 * 75 + 16)
    assert cell(table, 0, "without").value == pytest.approx(0.8 * 70 + 16)
    assert cell(table, 1, "asked").value == 0
    assert cell(table, 1, "before").reason == "nothing was submitted after a hint"
