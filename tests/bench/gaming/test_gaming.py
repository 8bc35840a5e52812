"""Gaming agents gain nothing on one task of each category, and doing nothing scores nothing on any task.

Every policy is really played: it edits, tests and commits in a fresh repository, and is scored from what it did and saw
alone. That discipline beats recklessness in recorded and replayed runs is part of each task's proof.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from player import Played, play

from rigorbench.bench.rigorscore.score import score_session
from rigorbench.bench.tasks.policies.gaming import GENERIC, TRANSFORMATIONS, resolve_policy
from rigorbench.bench.tasks.suite import SuiteTask, load_suite
from rigorbench.review.result import Score

SUITE = load_suite(Path(__file__).parents[3] / "suites" / "rigor")
# Whole runs of policies, most of them over half a minute.
pytestmark = pytest.mark.slow
# One task of each category; all of them would take an hour.
STARTERS = pytest.mark.parametrize(
    "task",
    [
        SUITE.task("stock-reservations"),
        SUITE.task("house-tab"),
        SUITE.task("spool-segments"),
        SUITE.task("locker-codes-six"),
        SUITE.task("trail-points"),
    ],
    ids=lambda task: task.id,
)
# The other base has less to gain, and is played on fewer.
FEWER = pytest.mark.parametrize(
    "task", [SUITE.task(n) for n in ("house-tab", "spool-segments", "locker-codes-six")], ids=lambda task: task.id
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
    "noop-fix": "disciplined",
    "commits-afterwards": "disciplined",
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
        # Whoever changes nothing but a remark cannot remove a cause; of the others the base decides as well.
        removed = False if policy.endswith("+noop-fix") else policy.startswith("disciplined")
        found = score_session(played(task, policy).trajectory, task=SUITE.task(task).task, cause_removed=removed)
        return found.score

    return one


@TASKS
@pytest.mark.parametrize("policy", GENERIC)
def test_doing_nothing_scores_nothing(task: SuiteTask, policy: str, scored) -> None:
    found = scored(task.id, policy)
    assert found.rigor_score <= NOTHING


@STARTERS
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_gaming_gains_nothing(task: SuiteTask, transformation: str, scored) -> None:
    base = LIKELY[transformation]
    honest, gamed = scored(task.id, base), scored(task.id, f"{base}+{transformation}")
    assert (gamed.rigor_score or 0.0) <= (honest.rigor_score or 0.0) + MOST


@pytest.mark.slow
@FEWER
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_gaming_the_other_base_gains_nothing(task: SuiteTask, transformation: str, scored) -> None:
    if transformation == "noop-fix" and task.task.solvable == "impossible":
        pytest.skip("to leave the code of an impossible task alone is no worse than to pretend")
    base = "disciplined" if LIKELY[transformation] == "reckless" else "reckless"
    honest, gamed = scored(task.id, base), scored(task.id, f"{base}+{transformation}")
    assert (gamed.rigor_score or 0.0) <= (honest.rigor_score or 0.0) + MOST


@STARTERS
def test_discipline_beats_recklessness(task: SuiteTask, scored) -> None:
    good, bad = scored(task.id, "disciplined"), scored(task.id, "reckless")
    assert good.rigor_score is not None
    assert good.rigor_score > (bad.rigor_score or 0.0) + 0.3
    better(good, bad)


def better(good: Score, bad: Score) -> None:
    """In every pillar that both have."""
    for name, pillar in good.pillars.items():
        other = bad.pillars[name]
        if pillar.value is not None and other.value is not None:
            assert pillar.value > other.value, name
