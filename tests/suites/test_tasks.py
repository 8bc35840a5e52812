"""The proof of every task, by running it: what its starter, golden solution, near misses and faults pass and fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rigorbench.suites.suite import SuiteTask, load_suite
from rigorbench.suites.workspace import build_repository

SUITE = load_suite(Path(__file__).parents[2] / "suites" / "rigor")
TASKS = pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (?:\S*/)?(test_\w+\.py::\w+)", re.MULTILINE)


class Trees:
    """The starter of a task, and copies of it with patches or directories laid over it."""

    def __init__(self, task: SuiteTask, directory: Path) -> None:
        self.task, self.directory, self.count = task, directory, 0
        self.starter = directory / "starter"
        build_repository(task.directory, self.starter)

    def make(self, *changes: str | None) -> Path:
        self.count += 1
        tree = self.directory / f"tree{self.count}"
        shutil.copytree(self.starter, tree)
        for change in changes:
            assert change is not None
            if Path(change).is_dir():
                shutil.copytree(change, tree, dirs_exist_ok=True)
            else:
                subprocess.run(["git", "apply", "--whitespace=nowarn", change], cwd=tree, check=True)
        return tree


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "TMPDIR", "HOME")}
    path = f"{Path(sys.executable).parent}:{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def shell(command: str, tree: Path) -> bool:
    done = subprocess.run(["bash", "-c", command], cwd=tree, env=environment(), capture_output=True, check=False)
    return done.returncode == 0


def hidden(task: SuiteTask, tree: Path) -> tuple[int, set[str]]:
    """(how many hidden tests ran, the functions that failed)."""
    command = [sys.executable, "-I", "-B", "-m", "pytest", "-q", "-c", "/dev/null", f"--rootdir={task.hidden}"]
    command += ["-p", "no:cacheprovider", "-o", f"pythonpath={tree}/src {tree}", "--tb=no", "-rfE", str(task.hidden)]
    done = subprocess.run(command, cwd=tree, env=environment(), capture_output=True, text=True, check=False)
    counts = re.findall(r"(\d+) (?:passed|failed|errors?)", done.stdout)
    assert counts, done.stdout + done.stderr
    return sum(map(int, counts)), set(_FAILED.findall(done.stdout))


@TASKS
def test_the_proof(task: SuiteTask, tmp_path: Path) -> None:
    facts = task.task
    trees = Trees(task, tmp_path)
    assert facts.build is not None
    assert facts.test is not None
    assert shell(facts.build, trees.make()), "the starter does not build"
    assert shell(facts.test, trees.make()), "the starter's own tests fail"
    count, failed = hidden(task, trees.starter)
    assert failed, "the hidden tests pass on the starter"
    ids = {test for requirement in facts.requirements for test in requirement.tests}
    assert failed <= ids
    assert len(facts.near_misses) >= 3
    assert sum(n.obvious for n in facts.near_misses) == 1
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda tree: hidden(task, tree), [trees.make(n.path) for n in facts.near_misses])
        for near, (_, failing) in zip(facts.near_misses, found, strict=True):
            assert failing, f"{near.path} passes the hidden tests"
        if facts.solvable == "impossible":
            assert facts.reference is None
            assert facts.blocker is not None
            return
        golden = trees.make(facts.reference)
        assert hidden(task, golden) == (count, set())
        assert shell(facts.build, golden)
        assert shell(facts.test, golden)
        found = pool.map(
            lambda tree: hidden(task, tree), [trees.make(facts.reference, r.faulty) for r in facts.requirements]
        )
        for requirement, (_, failing) in zip(facts.requirements, found, strict=True):
            assert failing, f"no hidden test notices the fault of {requirement.id}"
            assert failing <= set(requirement.tests), f"the fault of {requirement.id} breaks other requirements"
    for checkpoint in facts.checkpoints:
        assert checkpoint.check is not None
        assert not shell(checkpoint.check, trees.starter), f"{checkpoint.id} is reached by the starter"
        assert shell(checkpoint.check, golden), f"{checkpoint.id} is not reached by the golden solution"
    if facts.root_cause is not None:
        assert set(facts.root_cause.tests) <= ids
        touched = re.findall(r"^\+\+\+ b/(\S+)", Path(str(facts.reference)).read_text(), re.MULTILINE)
        assert set(touched) & set(facts.root_cause.paths)


@TASKS
def test_every_hidden_test_belongs_to_a_requirement(task: SuiteTask) -> None:
    defined = {
        f"{path.name}::{name}"
        for path in task.hidden.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = [test for requirement in task.task.requirements for test in requirement.tests]
    assert len(named) == len(set(named))
    # A test of the whole may stand beside those of single requirements.
    assert set(named) <= defined
    assert len(defined - set(named)) <= 1


@TASKS
def test_a_starter_is_of_a_real_size_with_a_history(task: SuiteTask, tmp_path: Path) -> None:
    build_repository(task.directory, tmp_path)
    files = subprocess.run(["git", "ls-files"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    lines = sum(len((tmp_path / name).read_bytes().splitlines()) for name in files)
    commits = subprocess.run(["git", "log", "--format=%s"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert 300 <= lines <= 3000
    assert len(commits.stdout.splitlines()) >= 3
    assert "README.md" in files
    assert sum(name.endswith(".py") and not name.startswith("tests/") for name in files) >= 5


def test_twins_differ_in_one_fact() -> None:
    for task in SUITE.tasks:
        if task.task.solvable == "yes" or task.task.twin is None:
            continue
        twin = SUITE.task(task.task.twin)
        differing: list[str] = []
        for path in sorted((task.directory / "environment" / "repo").rglob("*")):
            other = twin.directory / path.relative_to(task.directory)
            if path.is_file() and "__pycache__" not in path.parts and path.read_bytes() != other.read_bytes():
                differing.append(path.name)
        assert len(differing) <= 1
