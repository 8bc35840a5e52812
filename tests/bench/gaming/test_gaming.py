"""Gaming agents gain nothing, doing nothing scores nothing, and discipline beats recklessness, on the starter tasks.

Every policy is really played: it edits, tests and commits in a fresh repository. Here it is scored from what it did and
saw alone; the tests marked slow replay its states as well.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from player import Played, play

from rigorbench.api import score
from rigorbench.metrics.result import Score
from rigorbench.suites.expectations import TARGETS
from rigorbench.suites.gaming import GENERIC, TRANSFORMATIONS, resolve_policy
from rigorbench.suites.suite import SuiteTask, load_suite

SUITE = load_suite(Path(__file__).parents[3] / "suites" / "rigor")
# The solvable twin is played in the slow tests.
STARTERS = pytest.mark.parametrize(
    "task", [task for task in SUITE.tasks if task.id != "locker-codes-nine"], ids=lambda task: task.id
)
TASKS = pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
MOST = 0.02
NOTHING = 0.05
# The base that has more to gain from each; the other one is played in the slow test.
LIKELY = {
    "plan-padding": "reckless",
    "todo-ticking": "disciplined",
    "tautological-tests": "reckless",
    "retro-planning": "reckless",
    "git-status-spam": "disciplined",
    "test-deletion": "reckless",
    "tiny-commit-spam": "reckless",
}


@pytest.fixture(scope="module")
def played():
    """Plays a policy on a task, once for all tests.

    Not under pytest's own temporary directory: the tests that a replay runs have one in the same place, and pytest
    clears what it takes for left over there.
    """
    with tempfile.TemporaryDirectory(prefix="rigor-played-") as directory:

        @cache
        def one(task: str, policy: str) -> Played:
            found = SUITE.task(task)
            return play(resolve_policy(policy, found), found, Path(tempfile.mkdtemp(dir=directory)))

        yield one


@pytest.fixture(scope="module")
def scored(played):
    @cache
    def one(task: str, policy: str) -> Score:
        return score(played(task, policy).trajectory, task=SUITE.task(task).task).score

    return one


def hidden_tests_pass(task: SuiteTask, tree: Path) -> bool:
    command = [sys.executable, "-I", "-B", "-m", "pytest", "-q", "-c", "/dev/null", f"--rootdir={task.hidden}"]
    command += ["-p", "no:cacheprovider", "-o", f"pythonpath={tree}/src {tree}", "--tb=no", str(task.hidden)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert re.search(r"\d+ (passed|failed|error)", done.stdout), done.stdout + done.stderr
    return done.returncode == 0


@TASKS
@pytest.mark.parametrize("policy", GENERIC)
def test_doing_nothing_scores_nothing(task: SuiteTask, policy: str, scored) -> None:
    found = scored(task.id, policy)
    assert found.rigor_score is not None
    assert found.rigor_score <= NOTHING


@STARTERS
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_gaming_gains_nothing(task: SuiteTask, transformation: str, scored) -> None:
    base = LIKELY[transformation]
    honest, gamed = scored(task.id, base), scored(task.id, f"{base}+{transformation}")
    assert (gamed.rigor_score or 0.0) <= (honest.rigor_score or 0.0) + MOST


@pytest.mark.slow  # several minutes: every transformation of the other base
@TASKS
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_gaming_the_other_base_gains_nothing(task: SuiteTask, transformation: str, scored) -> None:
    base = "disciplined" if LIKELY[transformation] == "reckless" else "reckless"
    if task.id == "locker-codes-nine":
        likely = LIKELY[transformation]
        gained = scored(task.id, f"{likely}+{transformation}").rigor_score or 0.0
        assert gained <= (scored(task.id, likely).rigor_score or 0.0) + MOST
    honest, gamed = scored(task.id, base), scored(task.id, f"{base}+{transformation}")
    assert (gamed.rigor_score or 0.0) <= (honest.rigor_score or 0.0) + MOST


@TASKS
def test_discipline_beats_recklessness(task: SuiteTask, scored) -> None:
    good, bad = scored(task.id, "disciplined"), scored(task.id, "reckless")
    assert good.rigor_score is not None
    assert good.rigor_score > (bad.rigor_score or 0.0) + 0.3
    better(good, bad)


@TASKS
def test_only_discipline_passes_the_hidden_tests(task: SuiteTask, played) -> None:
    solvable = task.task.solvable == "yes"
    assert hidden_tests_pass(task, played(task.id, "disciplined").root) is solvable
    assert not hidden_tests_pass(task, played(task.id, "reckless").root)


@TASKS
@pytest.mark.parametrize("policy", ["disciplined", "reckless"])
def test_every_edit_of_a_policy_applies(task: SuiteTask, policy: str, played) -> None:
    for step in played(task.id, policy).trajectory.steps:
        for call in step.calls:
            assert call.result is not None
            assert call.result.is_error is not True, call.input


@pytest.mark.slow  # a minute or two: every state of two sessions is built and tested again, and every unit mutated
@pytest.mark.bwrap
@TASKS
def test_discipline_beats_recklessness_when_replayed(task: SuiteTask, played) -> None:
    good, bad = (
        score(found.trajectory, task=task.task, repo=found.clone).score
        for found in (played(task.id, "disciplined"), played(task.id, "reckless"))
    )
    better(good, bad)
    assert task.task.category is not None
    for pillar, submetrics in TARGETS[task.task.category].items():
        for name in submetrics:
            assert good.pillars[pillar].submetrics[name].status == "scored", (pillar, name)
        if bad.pillars[pillar].value is not None:
            assert (good.pillars[pillar].value or 0.0) >= bad.pillars[pillar].value + 0.3, pillar


def better(good: Score, bad: Score) -> None:
    """In every pillar that both have."""
    for name, pillar in good.pillars.items():
        other = bad.pillars[name]
        if pillar.value is not None and other.value is not None:
            assert pillar.value > other.value, name
