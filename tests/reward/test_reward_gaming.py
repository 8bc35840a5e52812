"""Whoever games the score gains no reward, and the steps that game earn none."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

import pytest
from bases import BASES, TASKS
from mutate import Log
from player import Played, play
from test_goodhart import ATTACKS, MOST, RUNS_TESTS, one_green_run

from rigorbench import reward
from rigorbench.bench.rigorscore.reward.reward import Reward
from rigorbench.bench.tasks.policies.gaming import GENERIC, TRANSFORMATIONS, resolve_policy
from rigorbench.bench.tasks.suite import load_suite

# Attacks that leave a new state of the tree and a green check of it. BH and TS count every such state, so its steps
# share their credit; the total does not grow.
NEW_STATES = {"old tests written again", "toggled comments with green runs", "errors made to be repaired",
    "failing tests deleted"}  # fmt: skip
# Every edit in two steps, of which the second is the one that was there before: together they earn what it did.
HALVES = "edits in halves"
# The plan of this base is a file, so that a plan "before the first edit" comes before the plan, with the same items.
FIRST = {("real_disciplined", "the plan restated in another order")}


def tagged(base: str) -> Log:
    log = Log(BASES[base]())
    for number, step in enumerate(log.steps):
        step.message_id = f"base-{number}"
    return log


def added(found: Reward) -> dict[str, float]:
    """Credit of the steps that are not the base's, by sub-metric."""
    by: dict[str, float] = {}
    for row in found.steps:
        if not (row.message_id or "").startswith("base-"):
            for name, value in row.by.items():
                by[name] = by.get(name, 0.0) + value
    return by


@lru_cache
def honest(base: str, *, runs_tests: bool) -> Reward:
    log = tagged(base)
    if runs_tests:
        one_green_run(log)
    return reward(log.trajectory, task=TASKS["requirements"])


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("base", BASES)
def test_no_attack_is_rewarded(base: str, attack: str) -> None:
    before = honest(base, runs_tests=attack.startswith(RUNS_TESTS))
    log = tagged(base)
    ATTACKS[attack](log)
    found = reward(log.trajectory, task=TASKS["requirements"])
    gain = (found.total or 0.0) - (before.total or 0.0)
    assert gain <= MOST
    earned = added(found)
    if attack in NEW_STATES:
        # Only what those two say of the state, and the honest run that both sessions have.
        earned = {k: v for k, v in earned.items() if not k.startswith("ATI.")}
        assert sum(earned.values()) <= MOST
    elif attack == HALVES:
        had = {s.message_id: s.credit or 0.0 for s in before.steps}
        has = {s.message_id: s.credit or 0.0 for s in found.steps if s.message_id in had}
        assert all(value <= had[tag] + MOST for tag, value in has.items())
    elif (base, attack) not in FIRST:
        assert sum(earned.values()) - sum(added(before).values()) <= max(gain, 0.0) + MOST


@pytest.fixture(scope="module")
def task():
    return load_suite(Path(__file__).parents[2] / "suites" / "rigor").task("house-tab")


@pytest.fixture(scope="module")
def played(task):
    """Plays a policy; not under pytest's own directory, which the tests that it runs have as well."""
    with tempfile.TemporaryDirectory(prefix="rigor-played-") as directory:

        @lru_cache
        def one(policy: str) -> Played:
            return play(resolve_policy(policy, task), task, Path(tempfile.mkdtemp(dir=directory)))

        yield one


@pytest.mark.parametrize("policy", GENERIC)
def test_doing_nothing_earns_nothing(policy: str, task, played) -> None:
    found = reward(played(policy).trajectory, task=task.task)
    assert found.total <= 0.05
    assert sum(s.credit for s in found.steps) == found.total


@pytest.mark.slow  # scores every sample session with and without each policy
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_gaming_policies_earn_nothing(transformation: str, task, played) -> None:
    # A careless base does gain by a plan that comes first and is carried out, whatever its words (docs/tasks.md).
    start = "disciplined" if transformation == "commits-afterwards" else "reckless"
    base, gamed = (reward(played(p).trajectory, task=task.task) for p in (start, f"{start}+{transformation}"))
    assert (gamed.total or 0.0) <= (base.total or 0.0) + MOST
    assert sum(s.credit or 0.0 for s in gamed.steps) == (gamed.total or 0.0)
