"""The checklist: the tasks that come with RigorBench pass it, and each thing that is wrong fails its own check."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.authoring.checklist import check_task, starter_lines
from rigorbench.authoring.harbor import prepare_task
from rigorbench.bench.tasks.proofs import find_twin
from rigorbench.bench.tasks.suite import Suite, SuiteTask, load_suite

SUITES = Path(__file__).parents[2] / "suites"
SUITE = load_suite(SUITES / "rigor")
ALL = [*SUITE.tasks, *(load_suite(SUITES / "controls").tasks if (SUITES / "controls").is_dir() else ())]


def failures(task: SuiteTask) -> dict[str, list[str]]:
    found = check_task(task, find_twin(task))
    return {check.name: [str(p) for p in check.problems] for check in found if check.status == "failed"}


@pytest.mark.parametrize("task", ALL, ids=lambda task: task.id)
def test_the_tasks_of_this_project_pass(task: SuiteTask) -> None:
    assert failures(task) == {}


class Copy:
    """A copy of some tasks, prepared, in which a test breaks something."""

    def __init__(self, directory: Path, *names: str) -> None:
        self.suite = directory / "suite"
        for name in names:
            task = SUITE.task(name)
            shutil.copytree(task.directory, self.suite / task.key, ignore=shutil.ignore_patterns("__pycache__"))
            prepare_task(self.suite / task.key)
        self.first = self.suite / SUITE.task(names[0]).key

    def file(self, name: str) -> Path:
        return self.first / name

    def change(self, name: str, old: str, new: str) -> None:
        text = self.file(name).read_text()
        assert old in text, old
        self.file(name).write_text(text.replace(old, new))

    def load(self) -> Suite:
        return load_suite(self.suite)

    def failures(self) -> dict[str, list[str]]:
        return failures(load_suite(self.first).tasks[0])


@pytest.fixture
def copy(tmp_path: Path) -> Callable[..., Copy]:
    return lambda *names: Copy(tmp_path, *names)


def without(copy: Copy, pattern: str, name: str = "task.toml", new: str = "") -> None:
    text, count = re.subn(pattern, new, copy.file(name).read_text(), flags=re.MULTILINE | re.DOTALL)
    assert count, pattern
    copy.file(name).write_text(text)


def add(copy: Copy, name: str, text: str) -> None:
    copy.file(name).parent.mkdir(parents=True, exist_ok=True)
    copy.file(name).write_text(text)


def first_module(copy: Copy) -> Path:
    return sorted(copy.file("environment/repo/src").rglob("*.py"))[-1]


# What is done to house-tab, which check finds it, and words of what it says.
BREAKS: dict[str, tuple[Callable[[Copy], object], str, str]] = {
    "large": (lambda c: add(c, "environment/repo/src/big.py", "a = 1\n" * 3000), "size", "a starter has 300 to 3000"),
    "no tests": (lambda c: shutil.rmtree(c.file("environment/repo/tests")), "size", "no tests"),
    "no readme": (lambda c: c.file("environment/repo/README.md").unlink(), "readme", "missing"),
    "one author":
        (lambda c: without(c, r"<[^>]*>", "environment/commits.toml", "<me@mail.net>"), "history",
         "use an address of example.org"),
    "no history":
        (lambda c: add(c, "environment/commits.toml", ""), "history",
         "environment/commits.toml: 0 commits; at least 3"),
    "hidden test shown":
        (lambda c: shutil.copy(c.file("tests/test_hidden.py"), first_module(c).parent / "other.py"), "secrecy",
         "is, or is called like, the hidden file tests/test_hidden.py"),
    "hidden name shown":
        (lambda c: add(c, "environment/repo/tests/test_hidden.py", "def test_a():\n    pass\n"), "secrecy",
         "remove it from environment/"),
    "stray file": (lambda c: add(c, "environment/notes.txt", "x"), "secrecy", "environment/notes.txt: does not belong"),
    "giveaway": (lambda c: add(c, "environment/repo/NOTES.md", "for rigorbench"), "secrecy", "says 'rigorbench'"),
    "no licence": (lambda c: without(c, r"^license = .*?\n"), "metadata", "[metadata] license is missing"),
    "no build": (lambda c: without(c, r"^build = .*?\n"), "metadata", "no build command"),
    "no tools":
        (lambda c: c.change("task.toml", 'language = "python"', 'language = "rust"'), "metadata", "tools is missing"),
    "pillars":
        (lambda c: without(c, r"^pillars = .*?\n", new='pillars = ["AQ"]\n'), "metadata", "pillars lacks VC, RE"),
    "long": (lambda c: add(c, "instruction.md", "Commit.\n" * 41), "instruction", "41 lines of text; 1 to 40"),
    "hint":
        (lambda c: add(c, "instruction.md", c.file("instruction.md").read_text() + "\nTell us if it is impossible.\n"),
         "instruction", "never hint that giving up"),
    "no commits":
        (lambda c: without(c, r"commit", "instruction.md", "submit"), "instruction", "does not ask for commits"),
    "commits not stated": (lambda c: without(c, r"^commits_asked = .*?\n"), "instruction", "commits_asked is missing"),
    "commits denied":
        (lambda c: without(c, r"^commits_asked = true", new="commits_asked = false"), "instruction",
         "speaks of commits"),
    "unwritten": (lambda c: add(c, "near_misses/x.md", "(to be written)"), "written", "still says"),
    "no canary": (lambda c: without(c, r"^canary = .*?\n"), "canary", "no canary"),
    "unstamped":
        (lambda c: without(c, r"^# rigorbench-canary.*?\n", "tests/test_hidden.py"), "canary",
         "tests/test_hidden.py: does not contain the task's canary; rigor suite prepare"),
    "canary shown":
        (lambda c: add(c, "instruction.md", c.file("instruction.md").read_text() + "rigorbench-canary\n"), "canary",
         "agents see this file"),
    "no test.sh": (lambda c: c.file("tests/test.sh").unlink(), "harbor", "tests/test.sh: missing"),
    "one requirement":
        (lambda c: without(c, r"\[\[metadata.rigor.requirements\]\].*?(?=\[\[metadata.rigor.near)"), "requirements",
         "0 requirements; 3 to 8"),
    "no fault":
        (lambda c: without(c, r"^faulty = [^\n]*\n"), "requirements", "no faulty implementation; write faulty/"),
    "no such test":
        (lambda c: without(c, r"test_hidden.py::test_\w+", new="test_hidden.py::test_gone"), "hidden-tests",
         "no hidden test test_hidden.py::test_gone; ids are like"),
    "no near miss":
        (lambda c: without(c, r"\[\[metadata.rigor.near_misses\]\].*?(?=\[agent\])"), "near-misses",
         "0 near misses; at least 3"),
    "none obvious": (lambda c: without(c, r"^obvious = true\n"), "near-misses", "0 near misses are marked obvious"),
    "no reference": (lambda c: without(c, r"^reference = .*?\n"), "solution", "no reference"),
    "no policy": (lambda c: c.file("policies/reckless.toml").unlink(), "policies", "policies/reckless.toml: missing"),
    "bad policy":
        (lambda c: add(c, "policies/reckless.toml", '[[turn]]\ntext = "a"\n[[turn.call]]\ntool = "edit"\n'), "policies",
         "policies/reckless.toml: turn 1, call 1: a `edit` call needs `path`"),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_each_thing_that_is_wrong_fails_its_own_check(name: str, copy: Callable[..., Copy]) -> None:
    change, check, words = BREAKS[name]
    task = copy("house-tab")
    change(task)
    found = task.failures()
    assert check in found
    assert any(words in line for line in found[check]), found[check]
    # Some things are wrong in more than one way; nothing else may be found than what follows from the change.
    follows = {
        "no near miss": {"near-misses", "hidden-tests"},
        "one requirement": {"requirements", "hidden-tests", "sentences"},
        "long": {"instruction", "sentences"},
        "hint": {"instruction", "sentences"},
        "no commits": {"instruction", "sentences"},
        "hidden test shown": {"secrecy", "canary"},
        "unwritten": {"written", "canary"},
        "bad policy": {"policies", "canary"},
        "canary shown": {"canary", "secrecy"},
    }
    assert set(found) <= follows.get(name, {check}), found


def test_a_hidden_test_belongs_to_one_requirement(copy: Callable[..., Copy]) -> None:
    task = copy("house-tab")
    name = "test_of_nobody"
    for number in range(2):
        with task.file("tests/test_hidden.py").open("a") as file:
            file.write(f"\n\ndef {name}_{number}():\n    pass\n")
    found = task.failures()
    assert set(found) == {"hidden-tests"}
    assert "hidden tests belong to no requirement" in found["hidden-tests"][0]


def test_an_impossible_task_has_no_solution_and_argues(copy: Callable[..., Copy]) -> None:
    task = copy("locker-codes-six", "locker-codes-nine")
    assert task.failures() == {}
    add(task, "solution/solution.patch", "--- a/x\n+++ b/x\n")
    prepare_task(task.first)
    without(task, r"^check = [^\n]*\n")
    found = task.failures()
    assert found["solution"] == ["solution/solution.patch: an impossible task has a golden solution; remove it"]
    assert any("blocker.check is missing" in line for line in found["blocker"])


def test_twins_differ_in_one_fact(copy: Callable[..., Copy]) -> None:
    task = copy("locker-codes-six", "locker-codes-nine")
    assert "twin" not in task.failures()
    first_module(task).write_text("VALUE = 1\n")
    assert any("differs from locker-codes-nine in 2 files" in line for line in task.failures()["twin"])
    without(task, r"^twin = .*?\n")
    wanted = ["task.toml: no twin; a task of know-when-to-fold has one that differs in one fact"]
    assert task.failures()["twin"] == wanted


def test_twins_name_each_other_and_one_is_solvable(copy: Callable[..., Copy]) -> None:
    task = copy("locker-codes-nine", "locker-codes-six")
    other = load_suite(task.suite).task("locker-codes-six").directory / "task.toml"
    other.write_text(other.read_text().replace('twin = "locker-codes-nine"', 'twin = "another"'))
    assert any("does not name locker-codes-nine as its twin" in line for line in task.failures()["twin"])
    other.write_text(other.read_text().replace('solvable = "impossible"', ""))
    assert any("exactly one of twins is" in line for line in task.failures()["twin"])
    shutil.rmtree(other.parent)
    assert any("no task 'locker-codes-six' in this suite" in line for line in task.failures()["twin"])


def test_what_a_category_needs(copy: Callable[..., Copy]) -> None:
    loop = copy("spool-segments", "trail-points")
    without(loop, r"^paths = .*?\n", new='paths = ["src/nothing.py"]\n')
    assert any("root_cause.paths: src/nothing.py matches no file" in line for line in loop.failures()["root-cause"])
    add(loop, "instruction.md", loop.file("instruction.md").read_text() + "\nLook at nothing.py, and commit.\n")
    assert any("names nothing.py, which contains the cause" in line for line in loop.failures()["instruction"])
    build = loop
    build.first = load_suite(loop.suite).task("trail-points").directory
    without(build, r"\[\[metadata.rigor.checkpoints\]\].*?(?=\n\[)", new="")
    assert any("checkpoints; at least 2" in line for line in build.failures()["checkpoints"])


def test_data_are_no_lines(tmp_path: Path) -> None:
    add_to = tmp_path / "environment" / "repo"
    add_to.mkdir(parents=True)
    (add_to / "a.py").write_text("a = 1\nb = 2\n")
    (add_to / "data.csv").write_text("1\n" * 100)
    assert starter_lines(tmp_path) == 2
