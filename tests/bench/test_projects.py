"""`rigor run` on a problem package: the agent submits to the judge from its sandbox; process and points both count."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")
pytest.importorskip("yaml", reason="PyYAML is not installed")

from rigorbench.base.agent_paths import CLIENT
from rigorbench.bench.experiment.model import RunResult
from rigorbench.bench.experiment.projects import project_means
from rigorbench.bench.replay import sandbox as replay_sandbox
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import PlanError, Request, make_plan
from rigorbench.bench.tasks.suite import load_suite
from rigorbench.bench.tasks.workspace import build_repository
from rigorbench.cli import main
from rigorbench.judge.model import Judgement

SUM = Path(__file__).parent.parent / "judge" / "packages" / "sum"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
SUBMIT = f"git push -q origin HEAD:main && python3 {CLIENT} submit --wait"
RIGHT = r"""#include <iostream>
int main() { long long n, x, s = 0; std::cin >> n; while (std::cin >> x) s += x; std::cout << s << "\n"; }
"""
POLICY = """\
description = "One wrong submission, one that does not compile, one that is right, and work that is never submitted."
[[turn]]
text = "First what there is."
[[turn.call]]
tool = "shell"
command = "ls; cat STATEMENT.md | head -3"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = "int main() {{ return 0; }}\\n"
[[turn.call]]
tool = "shell"
command = "git add -A && git commit -qm 'Answer nothing' && {submit}"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = "this is no program\\n"
[[turn.call]]
tool = "shell"
command = "git commit -qam 'Try something' && {submit}"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = '''{right}'''
[[turn.call]]
tool = "shell"
command = "git commit -qam 'Add the numbers' && {submit}; python3 {client} list; env | grep -c RIGOR_OJ"
[[turn]]
[[turn.call]]
tool = "write"
path = "later.txt"
content = "not submitted\\n"
[[turn]]
text = "Submitted, and accepted."
"""


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
        make_plan(Request(str(suite), models=("scripted/solve",)))


def test_projects_need_our_own_sandbox(suite: Path) -> None:
    plan = make_plan(Request(str(suite), models=("scripted/solve",), sandbox="local"))
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
    plan = make_plan(Request(str(suite), models=("scripted/solve",)))
    assert sorted(plan.tasks) == ["sum"]
    assert {cell.task for cell in plan.cells} == {"sum"}
    assert any(line.startswith("made: needs cmake") for line in plan.left_out)
    assert not any("needs" in line for line in plan.missing)
    alone = make_plan(Request(str(suite), models=("scripted/solve",), tasks=("made",)))
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
    if (reason := replay_sandbox.unavailable()) is not None:
        pytest.skip(reason)
    plan = make_plan(Request(str(suite), models=("scripted/solve", "scripted/do-nothing")))
    assert plan.missing == []
    summary = run_experiment(plan, tmp_path / "out", jobs=2, replay=False)
    assert summary.problems == []
    results = {result.cell.model: result for result in summary.results}
    _check_solved(results["scripted/solve"], tmp_path / "out")
    nothing = results["scripted/do-nothing"]
    assert nothing.project is not None
    assert nothing.project.submissions == []
    assert nothing.project.final == 0
    assert nothing.outcome is not None
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
    assert result.outcome is not None
    assert (result.outcome.solved, result.outcome.pass_rate) == (True, 1.0)
    assert result.breaches == []
    # No hidden file is in what the run kept, and what was submitted is.
    import msgspec

    run = out / "runs" / result.cell.id
    assert (run / "submissions" / "3" / "files" / "main.cpp").is_file()
    judgement = msgspec.json.decode((run / (project.submissions[2].judgement or "")).read_bytes(), type=Judgement)
    assert judgement.verdict == "accepted"
    assert judgement.package == project.package
