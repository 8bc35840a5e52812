"""What a project's submissions are worth beside their points: which is reviewed, and what was left unsubmitted."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sources import text_file

pytest.importorskip("yaml", reason="PyYAML is not installed")


from judged_answers import Scripted, by_rule, favourable
from rigorbench.base.files import write_json
from rigorbench.bench.experiment.records import Cell
from rigorbench.bench.experiment.store import FACTS_SCHEMA, RunFacts
from rigorbench.bench.projects.outcome import measure_project, review_again, unsubmitted
from rigorbench.bench.projects.submissions import FILES, INDEX, SUBMISSIONS, SubmissionIndex, Submitted
from rigorbench.bench.tasks.suite import SuiteTask, load_suite
from rigorbench.review.reader.ask import Readers
from rigorbench.review.reader.store import AnswerStore

SUM = Path(__file__).parent.parent / "judge" / "packages" / "sum"
REVIEW = text_file("project_review.review.toml")


@pytest.fixture
def task(tmp_path: Path) -> SuiteTask:
    problem = tmp_path / "suite" / "sum"
    shutil.copytree(SUM, problem)
    (problem / "review.toml").write_text(REVIEW, encoding="utf-8")
    return load_suite(tmp_path / "suite").task("sum")


def run_of(directory: Path, *verdicts: tuple[str, float]) -> RunFacts:
    """A run's directory with submissions that got these verdicts."""
    kept = []
    for number, (verdict, score) in enumerate(verdicts, 1):
        files = directory / SUBMISSIONS / str(number) / FILES
        files.mkdir(parents=True)
        (files / "main.cpp").write_text(f"int main() {{ return {number}; }}\n", encoding="utf-8")
        kept.append(
            Submitted(number, float(number), "cpp", "tree", True, "d" * 64, verdict, score, 100.0, judgement="x")
        )
    write_json(directory / SUBMISSIONS / INDEX, SubmissionIndex("sum", "p" * 64, 5, True, kept))
    return RunFacts(FACTS_SCHEMA, Cell("sum", "react", "baseline", "scripted/x"), "completed", 0.0, 1.0)


def test_of_equals_the_last_is_reviewed(task: SuiteTask, tmp_path: Path) -> None:
    facts = run_of(tmp_path / "run", ("wrong_answer", 40), ("wrong_answer", 40), ("wrong_answer", 10))
    project, _ = measure_project(task, tmp_path / "run", facts, None, [])
    assert (project.best, project.execution) == (2, 40)
    assert (tmp_path / "run" / SUBMISSIONS / "2" / "review.json").is_file()


def test_a_submission_that_breaks_a_rule_of_the_task_has_no_points(task: SuiteTask, tmp_path: Path) -> None:
    rule = '[[rule]]\nid = "own"\ntext = "Nothing is taken."\nkind = "files"\nforbid = ["taken"]\ndisqualifies = true\n'
    (task.directory / "review.toml").write_text(rule + REVIEW, encoding="utf-8")
    facts = run_of(tmp_path / "run", ("wrong_answer", 40), ("accepted", 100), ("wrong_answer", 10))
    for number in (2, 3):
        (tmp_path / "run" / SUBMISSIONS / str(number) / FILES / "taken").touch()
    project, _ = measure_project(task, tmp_path / "run", facts, None, [])
    assert (project.best, project.execution, project.execution_at[:2]) == (1, 40, [40, 40])
    assert [one.disqualified for one in project.submissions] == [[], ["own"], []]
    (tmp_path / "run" / SUBMISSIONS / "1" / FILES / "taken").touch()
    project, _ = measure_project(task, tmp_path / "run", facts, None, [])
    assert project.execution == 0


def test_what_does_not_compile_has_no_good_code(task: SuiteTask, tmp_path: Path) -> None:
    broken = run_of(tmp_path / "broken", ("compile_error", 0), ("compile_error", 0))
    project, _ = measure_project(task, tmp_path / "broken", broken, None, [])
    assert (project.review, project.final) == (0, 0)
    wrong = run_of(tmp_path / "wrong", ("wrong_answer", 0))
    project, _ = measure_project(task, tmp_path / "wrong", wrong, None, [])
    assert project.review > 0, "a program that is wrong still has code to review"


def test_readers_review_the_code(task: SuiteTask, tmp_path: Path) -> None:
    facts = run_of(tmp_path / "run", ("accepted", 100))
    project, _ = measure_project(task, tmp_path / "run", facts, None, [])
    backend = Scripted("r", lambda request: by_rule(request, favourable))
    readers = Readers(["r"], lambda _: backend, AnswerStore(tmp_path / "readings"))
    judged = review_again(task, tmp_path / "run", project, None, readers)
    assert project.review < 100
    assert (judged.review, judged.final) == (100, 100)
    assert judged.submissions == project.submissions
    assert len(backend.requests) == 1


def store_of(directory: Path, files: dict[str, str | bytes]) -> tuple[Path, str]:
    """A git store with a tree of these files."""
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(directory), *words], check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", "-A", "-f")
    return directory / ".git", git("write-tree").strip()


def test_build_products_are_no_unsubmitted_work(tmp_path: Path) -> None:
    submitted = {"main.cpp": "int main() {}\n", ".gitignore": "*.log\n/code\n", "README": "r\n"}
    for name, content in submitted.items():
        (tmp_path / "last").mkdir(exist_ok=True)
        (tmp_path / "last" / name).write_text(content, encoding="utf-8")
    built: dict[str, str | bytes] = {
        **submitted, "code": "x", "run.log": "x", "main.o": b"x", "check": b"\x7fELF\x02",
        "out/CMakeCache.txt": "x", "out/Makefile": "x", "out/probe.cpp": "x",
    }  # fmt: skip
    assert unsubmitted(*store_of(tmp_path / "a", built), tmp_path / "last") == []
    worked = {**built, "main.cpp": "int main() { return 1; }\n", "tests/check.sh": "true\n"}
    assert unsubmitted(*store_of(tmp_path / "b", worked), tmp_path / "last") == ["main.cpp", "tests/check.sh"]
    gone = {name: content for name, content in built.items() if name != "README"}
    assert unsubmitted(*store_of(tmp_path / "c", gone), tmp_path / "last") == ["README"]
    assert unsubmitted(tmp_path / "nowhere", "0" * 40, tmp_path / "last") is None
