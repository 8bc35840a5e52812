"""`rigor run` on a problem package: the agent submits to the judge from its sandbox; process and points both count."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from fake_projects import project_manifest, project_outcome, project_results
from rigorbench.base.files import read_json
from rigorbench.bench.projects.endpoint import JudgeEndpoint
from rigorbench.bench.projects.outcome import hint_facts
from rigorbench.bench.projects.submissions import HintGiven, SubmissionIndex
from rigorbench.bench.run.planning.plan import ExperimentRequest, PlanError, expanded, make_plan
from rigorbench.bench.tasks.suite import SuiteError, load_suite
from rigorbench.judge.client import CLIENT_FILE
from rigorbench.judge.judgement import Judgement
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import Hint
from sources import text_file

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")
pytest.importorskip("yaml", reason="PyYAML is not installed")

from rigorbench.base.agent_paths import CLIENT
from rigorbench.bench.experiment.projects import project_means
from rigorbench.bench.experiment.records import RunResult
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.tasks.workspace import build_repository
from rigorbench.cli import main

SUM = Path(__file__).parent.parent / "judge" / "packages" / "sum"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
SUBMIT = f"git push -q origin HEAD:main && python3 {CLIENT} submit --wait"
RIGHT = r"""#include <iostream>
int main() { long long n, x, s = 0; std::cin >> n; while (std::cin >> x) s += x; std::cout << s << "\n"; }
"""
POLICY = text_file("projects.policy.c")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    problem = tmp_path / "suite" / "sum"
    shutil.copytree(SUM, problem)
    (problem / "policies").mkdir()
    text = POLICY.format(submit=SUBMIT, client=CLIENT, right=RIGHT)
    (problem / "policies" / "solve.toml").write_text(text, encoding="utf-8")
    return tmp_path / "suite"


def test_a_package_is_a_task_and_shows_only_its_statement_and_attachments(suite: Path, tmp_path: Path) -> None:
    task = load_suite(suite).task("sum")
    assert task.project
    assert task.locator == str(suite / "sum")
    assert "submit" in (task.task.instruction or "")
    assert "5 times" in (task.task.instruction or "")
    repository = tmp_path / "repository"
    build_repository(task.directory, repository)
    assert {p.name for p in repository.iterdir()} == {".git", "STATEMENT.md", "main.cpp"}


def test_a_package_that_cannot_be_used_is_one_line(suite: Path) -> None:
    (suite / "sum" / "problem.yaml").write_text("name: [", encoding="utf-8")
    with pytest.raises(PlanError, match=r"problem\.yaml"):
        make_plan(ExperimentRequest(str(suite), models=("scripted/solve",)))


def test_projects_need_our_own_sandbox(suite: Path) -> None:
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/solve",), sandbox="local"))
    assert any("only --sandbox bwrap can reach" in line for line in plan.missing)


def remove_programs(monkeypatch: pytest.MonkeyPatch, *programs: str) -> None:
    """A machine without these programs."""
    from rigorbench.sandbox.kit import languages

    which = shutil.which
    monkeypatch.setattr(
        languages.shutil, "which", lambda name, path=None: None if name in programs else which(name, path=path)
    )
    languages._find.cache_clear()


def package(suite: Path, name: str, build: str) -> None:
    shutil.copytree(suite / "sum", suite / name)
    file = suite / name / "problem.yaml"
    file.write_text(file.read_text(encoding="utf-8") + f"build: {build}\n", encoding="utf-8")


def test_a_missing_compiler_stops_only_the_projects_that_need_it(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(suite, "made", "{kind: cmake, artefact: code}")
    remove_programs(monkeypatch, "cmake", "gcc", "g++", "rustc", "javac", "node", "go")
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/solve",)))
    assert sorted(plan.tasks) == ["sum"]
    assert {cell.task for cell in plan.cells} == {"sum"}
    assert any(line.startswith("made: needs cmake") for line in plan.left_out)
    assert not any("needs" in line for line in plan.missing)
    alone = make_plan(ExperimentRequest(str(suite), models=("scripted/solve",), tasks=("made",)))
    assert any("made: needs cmake" in line for line in alone.missing), "with nothing left to run it is an error"


def test_a_project_in_any_language_needs_one_of_them(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(suite, "either", "{kind: source, languages: [go, python]}")
    package(suite, "compiled", "{kind: source, languages: [go, rust]}")
    remove_programs(monkeypatch, "go", "rustc")
    tasks = {task.id: task.task for task in load_suite(suite).tasks}
    assert tasks["either"].tools == []
    assert "Not installed here: go." in (tasks["either"].instruction or "")
    assert tasks["compiled"].tools == ["go", "rustc"]


def test_the_suite_commands_know_packages(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "list", str(suite), "--json"]) == 0
    assert [t["id"] for t in json.loads(capsys.readouterr().out)["tasks"]] == ["sum"]
    assert main(["suite", "show", str(suite), "sum", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sum(group["points"] for group in shown["project"]["groups"]) == 100
    assert main(["suite", "validate", str(suite)]) == 2
    assert "rigor judge verify" in capsys.readouterr().err


@pytest.mark.bwrap
@needs_compiler
def test_an_agent_submits_from_its_sandbox(suite: Path, tmp_path: Path) -> None:
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/solve", "scripted/do-nothing")))
    assert plan.missing == []
    summary = run_experiment(plan, tmp_path / "out", jobs=2, replay=False)
    assert summary.problems == []
    results = {result.cell.model: result for result in summary.results}
    _check_solved(results["scripted/solve"], tmp_path / "out")
    nothing = results["scripted/do-nothing"]
    assert nothing.project.submissions == []
    assert nothing.project.final == 0
    assert nothing.outcome.solved is False
    means = {row.key.model: row for row in project_means(summary.manifest, summary.results)}
    assert means["scripted/solve"].execution == 100
    assert means["scripted/solve"].execution_at == [0, 0, 100]
    assert means["scripted/do-nothing"].final == 0


def _check_solved(result: RunResult, out: Path) -> None:
    project = result.project
    assert project is not None
    assert result.status == "completed"
    assert [s.verdict for s in project.submissions] == ["wrong_answer", "compile_error", "accepted"]
    assert [s.counted for s in project.submissions] == [True, True, True]
    assert project.budget == 5
    assert project.execution_at == [0, 0, 100]
    assert (project.execution, project.first, project.best) == (100, 0, 3)
    assert project.unsubmitted is True
    turns = [s.turn for s in project.submissions]
    assert turns == sorted(turns)
    assert len({*turns}) == 3
    assert result.model_calls is not None
    assert 0 < turns[0] < turns[-1] < result.model_calls
    assert result.metered is not None
    assert result.rigor_score is not None
    assert (result.outcome.solved, result.outcome.pass_rate) == (True, 1.0)
    assert result.breaches == []
    # No hidden file is in what the run kept, and what was submitted is.
    import msgspec

    run = out / "runs" / result.cell.id
    assert (run / "submissions" / "3" / "files" / "main.cpp").is_file()
    judgement = msgspec.json.decode((run / (project.submissions[2].judgement or "")).read_bytes(), type=Judgement)
    assert judgement.verdict == "accepted"
    assert judgement.package == project.package


# -- what a hint changed: the best points before it, and at the next hint or the end


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
    request = ExperimentRequest(
        suite="rigor", models=("scripted/disciplined",), tasks=("verify-or-die/*",), limits={"hints": 1}
    )
    with pytest.raises(PlanError, match="--hints: only projects have hints"):
        make_plan(request)


def test_the_instruction_says_how_to_ask() -> None:
    plain, hinted = (
        make_plan(
            ExperimentRequest("projdev", models=("scripted/disciplined",), tasks=("rain-barrels",), limits=limits)
        )
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
        endpoint = JudgeEndpoint(server, tmp_path, problem, "cell", hints=2)
        for arguments, status in ((["hint"], 0), (["hint", "--question", "Why?"], 0), (["hint"], 3)):
            environment = {**endpoint.environment(), "RIGOR_OJ_URL": f"unix:{tmp_path / 'judge.sock'}"}
            done = subprocess.run([sys.executable, str(CLIENT_FILE), *arguments], env=environment, check=False)
            assert done.returncode == status
        asyncio.run(endpoint.collect(tmp_path / "run"))
    kept = read_json(tmp_path / "run" / "submissions" / "index.json", SubmissionIndex)
    assert [(h.group, h.question, h.source, h.text) for h in kept.hints] == [
        ("1-small", None, "package", "read all numbers"),
        (None, "Why?", "person", None),
    ]
    assert kept.hints[0].answered is not None
    assert kept.hints[1].answered is None


# -- ``--tasks easiest:N``: by the difficulty that packages state, or by earlier results


# Stated: easy, medium, hard.
ORDER = ["rain-barrels", "mergeable-queue", "ice-library"]


def test_stated_difficulty_decides() -> None:
    suite = load_suite("projdev")
    ours = [name for name in expanded(suite, [f"easiest:{len(suite.tasks)}"]) if name in ORDER]
    assert ours == ORDER
    assert expanded(suite, ["ice-*", "easiest:1"])[0] == "ice-*"


def test_measured_execution_decides_where_results_are_given(tmp_path: Path) -> None:
    # In the invented experiment each task is harder than the one before it.
    manifest = project_manifest(tasks=("mergeable-queue", "ice-library", "rain-barrels"))
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    for run in project_results(manifest):
        directory = tmp_path / "runs" / run.cell.id
        directory.mkdir(parents=True)
        (directory / "result.json").write_bytes(msgspec.json.encode(run))
    assert expanded(load_suite("projdev"), [f"easiest:2={tmp_path}"]) == ["mergeable-queue", "ice-library"]


@pytest.mark.parametrize("pattern", ["easiest:0", "easiest:1000", "easiest:1=nowhere"])
def test_what_cannot_be_chosen_is_an_error(pattern: str) -> None:
    with pytest.raises(SuiteError, match=f"--tasks {pattern}: "):
        expanded(load_suite("projdev"), [pattern])


def test_other_suites_have_no_projects() -> None:
    with pytest.raises(SuiteError, match="rigor has no projects"):
        expanded(load_suite("rigor"), ["easiest:5"])
