"""Whole replays of small sessions whose truth is known."""

from __future__ import annotations

import os
import pwd
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from rigorbench.bench.replay import sandbox
from rigorbench.bench.replay.run import replay
from rigorbench.bench.replay.runner import ReplayRunner, find_environment
from rigorbench.bench.replay.sandbox import CommandLimits, Mounts
from rigorbench.bench.replay.session import HiddenTests
from rigorbench.bench.replay.store import ObjectStore
from rigorbench.bench.rigorscore.replayed import build_health, coverage_delta, test_creation_rate, test_stability
from rigorbench.evidence.replayed import ReplayResult
from rigorbench.review.result import SubMetric
from rigorbench.sandbox.kit import bwrap
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.sandbox.kit.mount import Mount
from rigorbench.session.task import Task
from sources import text_file

from .conftest import Session, git, record, write

pytestmark = pytest.mark.bwrap
MakeRepo = Callable[[dict[str, str]], Path]
CALC = "def total(items):\n    return sum(items)\n\n\ndef largest(items):\n    return max(items)\n"
TESTS = "from calc import core\n\n\ndef test_total():\n    assert core.total([1, 2]) == 3\n"
FILES = {"calc/__init__.py": "", "calc/core.py": CALC, "tests/test_core.py": TESTS,
    "pyproject.toml": "[project]\nname = 'calc'\n"}  # fmt: skip
MEAN = "\n\ndef mean(items):\n    if not items:\n        return None\n    return total(items) / len(items)\n"
MEAN_TEST = "\n\ndef test_mean():\n    assert core.mean([2, 4]) == 3\n"


@pytest.fixture
def play(make_repo: MakeRepo, tmp_path: Path, bwrap: None) -> Callable[..., ReplayResult]:
    def run(
        session: Session,
        files: dict[str, str] = FILES,
        task: Task | None = None,
        jobs: int = 2,
        timeout: float = 60,
        hidden: HiddenTests | None = None,
    ) -> ReplayResult:
        repo = tmp_path / "repo"
        if not repo.exists():
            make_repo(files)
        record(session, repo)
        given = {"cache_dir": tmp_path / "cache", "jobs": jobs, "timeout": timeout, "hidden": hidden}
        result = replay(session.trajectory, session.events, task, **given)
        assert result.unavailable is None
        return result

    return run


def scores(result: ReplayResult) -> dict[str, float | str | None]:
    """Each sub-metric's value, or its status where it has none."""
    found: dict[str, SubMetric] = {
        "BH": build_health(result),
        "TS": test_stability(result),
        "TCR": test_creation_rate(result),
        "dC": coverage_delta(result),
    }
    for metric in found.values():
        assert metric.reason
        assert (metric.value is not None) == (metric.status == "scored") == (metric.method == "replayed")
    return {name: m.status if m.value is None else round(m.value, 3) for name, m in found.items()}


Play = Callable[..., ReplayResult]


def test_a_disciplined_session_gets_full_marks_and_is_replayed_from_the_cache(play: Play) -> None:
    session = Session().edit("tests/test_core.py", TESTS, TESTS + MEAN_TEST).run("pytest", "1 failed", 1)
    session.edit("calc/core.py", "    return max(items)\n", "    return max(items)\n" + MEAN).run("pytest", "2 passed")
    more = "\n\ndef test_mean_of_nothing():\n    assert core.mean([]) is None\n"
    session.edit("tests/test_core.py", MEAN_TEST, MEAN_TEST + more).run("pytest", "3 passed")
    result = play(session)
    assert scores(result) == {"BH": 1.0, "TS": 1.0, "TCR": 1.0, "dC": 1.0}
    assert sorted(result.agent_tests) == ["tests/test_core.py::test_mean", "tests/test_core.py::test_mean_of_nothing"]
    assert [u.unit for u in result.units or []] == ["mean"]
    assert build_health(result).n == 3
    edits = [e.id for e in session.events if e.__class__.__name__ == "EditEvent"]
    assert build_health(result).evidence == edits
    assert result.executed > 0
    again = play(session)
    assert (again.executed, scores(again)) == (0, scores(result))


def test_breaking_states_deletions_and_tests_that_check_nothing_show(play: Play) -> None:
    session = Session().edit("calc/core.py", "return sum(items)", "return sum(items").run("pytest", "", 1)
    session.edit("calc/core.py", "return sum(items", "return 2 * sum(items)").run("pytest", "1 failed", 1)
    empty = "from calc import core\n\n\ndef test_runs():\n    core.total([1])\n    assert True\n"
    session.write("tests/test_core.py", empty).run("pytest", "1 passed")
    result = play(session)
    assert scores(result) == {"BH": 0.667, "TS": 0.0, "TCR": 0.0, "dC": "not_applicable"}
    kinds = [[r.kind for r in c.regressions] for c in result.checked if not c.is_start]
    assert kinds == [["failed"], ["failed"], ["deleted"]]
    broken = build_health(result)
    assert "calc/core.py" in broken.reason
    assert "SyntaxError" in broken.reason
    assert len(broken.evidence) == 1


def test_excluding_the_new_code_from_coverage_gains_nothing(play: Play) -> None:
    hidden = MEAN.replace("def mean(items):", "def mean(items):  # pragma: no cover")
    session = Session().edit("calc/core.py", "    return max(items)\n", "    return max(items)\n" + hidden)
    session.write(".coveragerc", "[run]\nomit =\n    calc/*\n").read("x")
    session.edit("calc/core.py", "return max(items)", "return max(list(items))")
    session.edit("tests/test_core.py", TESTS, TESTS + "\n\ndef test_largest():\n    assert core.largest([1, 2]) == 2\n")
    result = play(session)
    found = scores(result)
    # Seven points: the changed line of `largest`, `def mean`, three statements in it and its two branches.
    assert (result.coverage.points, result.coverage.start_tests, result.coverage.all_tests) == (7, 1, 2)
    assert found["dC"] == round(1 / 6, 3)
    # Reverting `largest` is noticed by no test (the results are the same), and nothing tests `mean`.
    assert found["TCR"] == 0.0


def test_a_broken_start_counts_from_the_first_state_that_builds(play: Play) -> None:
    broken = {**FILES, "calc/core.py": CALC.replace("return max(items)", "return max(items")}
    session = Session().edit("calc/core.py", "return sum(items)", "return sum(list(items))").run("pytest")
    session.edit("calc/core.py", "return max(items", "return max(items)").run("pytest").write("notes.md", "done\n")
    result = play(session, broken)
    health = build_health(result)
    assert (health.value, health.n) == (1.0, 2)
    assert "because the start tree does not" in health.reason
    assert "weak evidence" in health.reason
    assert test_stability(result).value == 1.0


FLAKY = text_file("replay.flaky.txt")


def test_flaky_tests_are_set_apart_and_a_regression_must_reproduce(play: Play) -> None:
    # One job, one sandbox: the counters go on from run to run. Runs 1, 4 (start: 2 more) are in this order.
    session = Session().edit("calc/core.py", "return max(items)", "return max(list(items))").read("x")
    result = play(session, {**FILES, "tests/test_core.py": FLAKY}, jobs=1)
    assert result.flaky == ["tests/test_core.py::test_fails_once", "tests/test_core.py::test_unsteady"]
    assert scores(result)["TS"] == 1.0


@pytest.mark.slow  # waits for a limit of time
def test_code_that_never_ends_is_a_regression_and_not_a_hang(play: Play) -> None:
    session = Session().edit("calc/core.py", "return sum(items)", "while True: pass").read("x")
    result = play(session, timeout=3)
    assert scores(result)["TS"] == 0.0
    assert [r.kind for r in result.checked[-1].regressions] == ["failed"]


def test_classes_methods_and_unittest_cases(play: Play) -> None:
    files = {
        "bank/__init__.py": "class Account:\n    fee = 1\n\n    def __init__(self):\n        self.sum = 0\n\n"
        "    def pay(self, n):\n        self.sum += n - self.fee\n",
        "tests/__init__.py": "",
        "tests/test_bank.py": "import unittest\nimport bank\n\n\nclass T(unittest.TestCase):\n    def test_new(self):\n"
        "        self.assertEqual(bank.Account().sum, 0)\n",
    }
    session = Session().edit("bank/__init__.py", "self.sum += n - self.fee", "self.sum = self.sum + n - self.fee")
    session.edit("bank/__init__.py", "fee = 1", "fee = 2")
    vault = "\n\nclass Vault(Account):\n    def open(self, key):\n        return key == 'k'\n"
    session.edit("bank/__init__.py", "- self.fee\n", "- self.fee\n" + vault).read("x")
    added = (
        "\n    def test_pay(self):\n        a = bank.Account()\n        a.pay(5)\n        self.assertEqual(a.sum, 3)\n"
    )
    added += "\n    def test_vault(self):\n        self.assertTrue(bank.Vault().open('k'))\n"
    session.edit("tests/test_bank.py", ".sum, 0)\n", ".sum, 0)\n" + added).read("x")
    result = play(session, files)
    noticed = {u.unit: u.killed_by is not None for u in result.units or []}
    # `pay` was only rewritten: no test can tell it from what it was.
    assert noticed == {"Account": True, "Account.pay": False, "Vault": True, "Vault.open": True}
    assert scores(result)["TCR"] == 0.75
    # If no hidden test can either, its change does nothing, and nobody had to test it.
    blind = play(session, files, hidden=lambda store, tree: frozenset(("a",)))
    assert (scores(blind)["TCR"], "Account.pay" in {u.unit for u in blind.units or []}) == (1.0, False)
    assert scores(play(session, files, hidden=lambda store, tree: frozenset((tree,))))["TCR"] == 0.75


TMP_TEST = """\
import os

def test_tmp(tmp_path):
    (tmp_path / "f").write_text("x")
    assert os.path.dirname(os.getcwd()) not in map(str, tmp_path.parents)
"""


def test_a_clone_in_the_place_of_pytests_temporary_directories(tmp_path: Path, bwrap: None) -> None:
    """pytest cleans that place up and cares who owns it: its own directories stand elsewhere in the sandbox."""
    with tempfile.TemporaryDirectory(prefix="pytest-of-", dir="/tmp") as place:
        user = pwd.getpwuid(os.getuid()).pw_name
        repo = Path(place) / "repo"
        write(repo, {**FILES, "tests/test_tmp.py": TMP_TEST})
        git(repo, "init", "-q", "-b", "main")
        git(repo, "add", "-A")
        git(repo, "commit", "-q", "-m", "start")
        mounts = Mounts(repo, Path(f"/tmp/pytest-of-{user}/repo"), [Mount(sys.prefix), Mount(sys.base_prefix)])
        command = f"{sys.executable} -m pytest -q -p no:cacheprovider tests/test_tmp.py"
        done = sandbox.run(command, mounts, {}, CommandLimits())
        assert "1 passed" in done.output


def test_a_python_that_does_not_start_says_why(make_repo: MakeRepo, tmp_path: Path, bwrap: None) -> None:
    repo = make_repo(FILES)
    (tmp_path / "runner").mkdir()
    environment = find_environment([])
    environment.binds = ()
    with ObjectStore(repo / ".git", repo, tmp_path) as store:
        runner = ReplayRunner(store, environment, tmp_path / "runner", CommandLimits(timeout=60))
        with pytest.raises(SandboxError, match=r"does not start: .*/opt/rigor/bin/python.*not found"):
            runner.start()


def test_a_request_that_fails_in_the_child_ends_no_server(make_repo: MakeRepo, tmp_path: Path, bwrap: None) -> None:
    repo = make_repo(FILES)
    (tmp_path / "runner").mkdir()
    with ObjectStore(repo / ".git", repo, tmp_path) as store, ExitStack() as stack:
        runner = ReplayRunner(store, find_environment([]), tmp_path / "runner", CommandLimits(timeout=60))
        stack.callback(runner.stop)
        runner.tree.switch(git(repo, "rev-parse", "HEAD^{tree}"))
        assert runner.request({"op": "test", "root": "/nowhere"}, 60) == 70
        assert "FileNotFoundError" in (tmp_path / "runner/out/log").read_text()
        assert runner.pytest([], 60).run.outcomes == {"tests/test_core.py::test_total": "passed"}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_another_language_by_its_own_commands(play: Play) -> None:
    files = {
        "package.json": '{"name": "n", "scripts": {"test": "node --test", "build": "node --check core.js"}}',
        "core.js": "exports.total = (xs) => xs.reduce((a, b) => a + b, 0);\n",
        "core.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\n"
        "const core = require('./core.js');\ntest('total', () => { assert.equal(core.total([1, 2]), 3); });\n",
    }
    session = Session().edit("core.js", "a + b, 0", "a + b, 1").run("npm test")
    session.edit("core.js", "a + b, 1", "a + b, 0.0").run("npm test")
    session.edit("core.js", "exports.total =", "exports.total = (").run("npm test")
    result = play(session, files)
    assert scores(result) == {"BH": 0.667, "TS": 0.333, "TCR": "unscorable", "dC": "unscorable"}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
@pytest.mark.parametrize(("looks_at", "rate"), [("double(3), 6", 1.0), ("double.toString().length, 44", 0.0)])
def test_in_a_script_too_a_test_of_the_text_shows_nothing_of_a_unit(play: Play, looks_at: str, rate: float) -> None:
    names = (("test", "node:test"), ("assert", "node:assert"), ("core", "./core.js"))
    head = "".join(f"const {name} = require('{path}');\n" for name, path in names)
    total = "exports.total = (xs) => xs.reduce((a, b) => a + b, 0);\n"
    files = {
        "package.json": '{"name": "n", "scripts": {"test": "node --test"}}',
        "core.js": total,
        "core.test.js": f"{head}test('total', () => {{ assert.equal(core.total([1, 2]), 3); }});\n",
    }
    session = Session()
    session.edit("core.js", total, total + "function double(x) { return 2 * Number(x); }\nexports.double = double;\n")
    session.write("double.test.js", f"{head}test('double', () => {{ assert.equal(core.{looks_at}); }});\n")
    session.run("npm test")
    assert scores(play(session, files, task=Task(test="node --test")))["TCR"] == rate


def test_the_tasks_own_coverage_command(play: Play) -> None:
    files = {"core.x": "one\n", "a.test.x": "1\n", "Makefile": "check:\n\t@true\n", "core.c": "int one;\n"}
    session = Session().edit("core.c", "one;", "one;\nint two;\nint three;").write("tests/b.test.x", "2\n").read("x")
    # Lines that the tests name count as executed.
    command = "(echo SF:core.c; for n in 1 2 3; do echo DA:$n,$(cat *.test.x tests/*.x | grep -c $n); done) > lcov.info"
    result = play(session, files, task=Task(test="make check", coverage=command))
    assert (result.coverage.points, result.coverage.start_tests, result.coverage.all_tests) == (2, 0, 1)
    assert scores(result)["dC"] == 0.5


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sort < /dev/null > lcov.info", "the coverage command leaves no lcov.info"),
        ("true; merge-the-profile out && cp out lcov.info", "coverage tool merge-the-profile is missing"),
        ('"$PWD/no/llvm-cov" export > lcov.info', "coverage tool llvm-cov is missing"),
        ("echo no profile can be merged; false", "the coverage command leaves no lcov.info: no profile can be merged"),
    ],
)
def test_a_coverage_command_that_cannot_work_here_is_no_zero(play: Play, command: str, reason: str) -> None:
    files = {"Makefile": "check:\n\t@true\n", "core.c": "int one;\n"}
    # A report that was committed is no report.
    forged = "SF:core.c\nDA:2,1\nend_of_record\n"
    session = Session().edit("core.c", "one;", "one;\nint two;").write("tests/b.test.x", "2\n").read("x")
    result = play(session.write("lcov.info", forged).read("x"), files, task=Task(test="make check", coverage=command))
    found = coverage_delta(result)
    assert (found.status, found.value, found.reason) == ("unscorable", None, reason)


def test_no_tests_no_edits_and_a_task_that_asks_for_a_change(play: Play) -> None:
    files = {k: v for k, v in FILES.items() if not k.startswith("tests/")}
    session = Session().edit("calc/core.py", "return max(items)", "return max(list(items))").read("x")
    assert scores(play(session, files)) == {"BH": 1.0, "TS": "not_applicable", "TCR": 0.0, "dC": 0.0}
    idle = Session().read("calc/core.py")
    na = "not_applicable"
    assert scores(play(idle)) == {"BH": na, "TS": na, "TCR": na, "dC": na}
    asked = play(idle, task=Task(id="t"))
    assert scores(asked) == {"BH": na, "TS": na, "TCR": 0.0, "dC": 0.0}


def test_no_bubblewrap_names_its_remedy(make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "unavailable", lambda: bwrap.REMEDY)
    session = Session().edit("calc/core.py", "return max(items)", "return 1").read("x")
    record(session, make_repo(FILES))
    result = replay(session.trajectory, session.events, cache_dir=tmp_path / "cache")
    assert set(scores(result).values()) == {"unscorable"}
    assert "apt install bubblewrap" in test_stability(result).reason
