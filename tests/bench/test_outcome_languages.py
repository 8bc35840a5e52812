"""The outcome of tasks in other languages: hidden tests drive the program, visible ones are the project's own."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest
from tiny_languages import LANGUAGES, write_task

from rigorbench.base.cache import cache_directory
from rigorbench.bench.experiment.records import Outcome
from rigorbench.bench.outcome.hidden import FileReport, run_together, sandbox
from rigorbench.bench.outcome.measure import measure
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan
from rigorbench.bench.tasks.suite import load_suite
from rigorbench.sandbox.kit.languages import find_languages
from rigorbench.sandbox.kit.toolchain import toolchain
from sources import text_file

pytestmark = pytest.mark.bwrap


class Trees:
    """Final trees made from a starter."""

    def __init__(self, path: Path, starter: dict[str, str]) -> None:
        self.path, self.starter = path, starter
        path.mkdir()
        self.git("init", "-q")
        self.start = self.tree({})

    def git(self, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=self.path, capture_output=True, text=True, check=True).stdout.strip()

    def tree(self, changes: dict[str, str | None]) -> str:
        for path, text in {**self.starter, **changes}.items():
            target = self.path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                target.unlink(missing_ok=True)
            else:
                target.write_text(text, encoding="utf-8")
        self.git("add", "-A", "-f")
        return self.git("write-tree")


@pytest.mark.parametrize("name", ["node", "rust"])
def test_a_regression_is_a_test_that_the_output_no_longer_lists_as_passed(name: str, tmp_path: Path) -> None:
    reason = "; ".join(find_languages(LANGUAGES[name].tools).missing)
    if reason:
        pytest.skip(reason)
    language = LANGUAGES[name]
    write_task(tmp_path / "suite", name)
    task = load_suite(tmp_path / "suite").tasks[0]
    trees = Trees(tmp_path / "trees", language.starter)

    def result(changes: dict[str, str | None]) -> Outcome:
        return measure(task, trees.path / ".git", trees.tree(changes), trees.start)

    path, old, new = language.fix
    fixed = language.starter[path].replace(old, new)
    good = result({path: fixed})
    assert (good.pass_rate, good.regressions, good.solved, good.reason) == (1.0, [], True, None)
    start = result({})
    assert (start.pass_rate, start.regressions, start.solved) == (0.0, [], False)
    # The last page is wrong now, and the tests that would say so are gone: they are put back.
    broken = fixed.replace("count % size", "size % count")
    tests = next(p for p in language.starter if p.startswith("tests/"))
    worse = result({path: broken, tests: "" if name == "rust" else None})
    assert worse.pass_rate == 1.0
    assert worse.regressions == [language.names[1]]
    assert worse.solved is False


def test_a_task_whose_tools_are_missing_is_refused_with_the_remedy(tmp_path: Path) -> None:
    task = write_task(tmp_path / "suite", "node") / "task.toml"
    task.write_text(task.read_text(encoding="utf-8").replace('["node"]', '["no-such-tool"]'), encoding="utf-8")
    plan = make_plan(ExperimentRequest(str(tmp_path / "suite"), models=("scripted/careful",)))
    (line,) = [m for m in plan.missing if "no-such-tool" in m]
    assert line.startswith("pages-node: needs no-such-tool: the program no-such-tool is not installed: apt install")


# -- tests that share a name: nobody has replaced one of them by another


SAME_NAMES = text_file("outcome_languages.same_names.txt")


def together(directory: Path, tests: str, code: str) -> FileReport:
    (directory / "work").mkdir(parents=True)
    (directory / "work" / "test_names.py").write_text(tests)
    (directory / "work" / "code_of_them.py").write_text(code)

    async def work() -> FileReport:
        tools = toolchain(cache_directory())
        async with sandbox(directory, tools) as box:
            return await run_together(box, ["test_names.py"], 60, tests="/work")

    return asyncio.run(work())


def test_tests_of_one_name_are_not_tampered_with(tmp_path: Path) -> None:
    report = together(tmp_path, SAME_NAMES, "")
    assert (report.stopped, report.tampering) == (None, [])
    assert sorted(test.partition("::")[2] for test in report.outcomes) == [
        "TestOthers::test_two[1]",
        "TestOthers::test_two[2]",
        "TestThings::test_one",
        "test_one",
        "test_three",
        "test_two[1]",
        "test_two[2]",
    ]
    assert set(report.outcomes.values()) == {"passed"}


def test_a_test_that_the_code_replaces_is_noticed(tmp_path: Path) -> None:
    code = "def later(function):\n    function.__code__ = (lambda: None).__code__\n"
    tests = "from code_of_them import later\n\ndef test_one():\n    assert 0\n\nlater(test_one)\n"
    report = together(tmp_path, tests, code)
    assert any("test_one" in text for text in report.tampering)
