"""What a hint changed: the best points before it, and at the next hint or the end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from fake_projects import project_outcome
from rigorbench.base.files import read_json
from rigorbench.bench.projects.endpoint import JudgeEndpoints
from rigorbench.bench.projects.outcome import hint_facts
from rigorbench.bench.projects.submissions import HintGiven, Submissions
from rigorbench.bench.run.planning.plan import PlanError, Request, make_plan
from rigorbench.judge.client import CLIENT_FILE
from rigorbench.judge.model import Judgement
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.model import Hint

PACKAGE = Path(__file__).parents[1] / "judge" / "packages" / "sum"

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


def test_what_a_run_asked_for_is_kept_with_its_submissions(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="needs the extra judge")
    from rigorbench.judge.server import JudgeServer

    problem = structs.replace(load_problem(PACKAGE), hints=(Hint("1-small", "read all numbers"),))

    def judge(*_: object) -> Judgement:
        raise AssertionError("nothing is submitted")

    with JudgeServer(tmp_path / "judge", [problem], unix=tmp_path / "judge.sock", judge=judge) as server:
        endpoint = JudgeEndpoints(server, tmp_path, {"task": problem}).open("cell", "task", hints=2)
        for arguments, status in ((["hint"], 0), (["hint", "--question", "Why?"], 0), (["hint"], 3)):
            environment = {**endpoint.environment(), "RIGOR_OJ_URL": f"unix:{tmp_path / 'judge.sock'}"}
            done = subprocess.run([sys.executable, str(CLIENT_FILE), *arguments], env=environment, check=False)
            assert done.returncode == status
        asyncio.run(endpoint.collect(tmp_path / "run"))
    kept = read_json(tmp_path / "run" / "submissions" / "index.json", Submissions)
    assert kept is not None
    assert [(h.group, h.question, h.source, h.text) for h in kept.hints] == [
        ("1-small", None, "package", "read all numbers"),
        (None, "Why?", "person", None),
    ]
    assert kept.hints[0].answered is not None
    assert kept.hints[1].answered is None
