"""What a hint changed: the best points before it, and at the next hint or the end."""

from __future__ import annotations

import pytest

from fake_projects import project_outcome
from rigorbench.bench.planning.plan import PlanError, Request, make_plan
from rigorbench.bench.projects.hints import hint_facts
from rigorbench.bench.projects.submissions import HintGiven

START = 1000.0


def hint(asked: float, answered: float | None, text: str | None = "use 64 bits") -> HintGiven:
    source = "package" if answered == asked else "person"
    return HintGiven(START + asked, None if answered is None else START + answered, "2-large", None, source, text)  # type: ignore[arg-type]


def test_points_before_and_after_each_hint() -> None:
    # Submissions at 60, 120, 180 and 240 s.
    project = project_outcome(30, 20, 70, 80)
    given = [hint(10, 10), hint(100, 150), hint(200, 200), hint(300, 300)]
    found = hint_facts(given, project.submissions, project.execution_at, START, [START + t for t in range(0, 400, 20)])
    assert [(h.before, h.after) for h in found] == [(0, 30), (30, 70), (70, 80), (80, None)]
    assert [(h.time, h.turn) for h in found] == [(10, 1), (150, 8), (200, 11), (300, 16)]


def test_a_question_without_an_answer_has_its_time() -> None:
    (found,) = hint_facts([hint(100, None, None)], [], [], START, [])
    assert (found.time, found.text, found.before, found.after) == (100, None, 0, None)


def test_only_projects_have_hints() -> None:
    request = Request(suite="rigor", models=("scripted/disciplined",), tasks=("verify-or-die/*",), limits={"hints": 1})
    with pytest.raises(PlanError, match="--hints: only projects have hints"):
        make_plan(request)


def test_the_instruction_says_how_to_ask() -> None:
    plain, hinted = (
        make_plan(Request("projdev", models=("scripted/disciplined",), tasks=("rain-barrels",), limits=limits))
        for limits in ({}, {"hints": 2})
    )
    assert "hint" not in (plain.tasks["rain-barrels"].task.instruction or "").rpartition("## Working")[2]
    assert "You may ask for 2 hints" in (hinted.tasks["rain-barrels"].task.instruction or "")
