"""What two runs of policies are worth as a proof, on results that are made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from provable_task import SOLVABLE, write
from rigorbench.authoring.proof.policies import PolicyRun, judge
from rigorbench.bench.experiment.records import Breach, Cell, Outcome, RunResult, TestOutcome
from rigorbench.bench.tasks.policies.policy import TARGETS
from rigorbench.bench.tasks.suite import SuiteTask


def ran(
    *,
    solved: bool | None,
    vc: float | None = 1.0,
    re: float | None = 1.0,
    rate: float | None = None,
    status: str = "scored",
    score: float = 0.9,
) -> PolicyRun:
    rate = rate if rate is not None else (1.0 if solved else 0.5)
    outcome = Outcome(rate, rate, [], solved, tests=[TestOutcome("t.py::test_a", "passed" if rate == 1 else "failed")])
    result = RunResult("rigor-run/1", Cell("pages", "react", "baseline", "scripted/x"), "completed", 0.0, 1.0)
    result.outcome, result.pillars, result.rigor_score = outcome, {"VC": vc, "RE": re}, score
    pillars: dict[str, Any] = {
        pillar: {"submetrics": {name: {"status": status, "value": 1.0, "reason": "why"} for name in names}}
        for pillar, names in TARGETS["verify-or-die"].items()
    }
    return PolicyRun(result, score={"pillars": pillars})


@pytest.fixture
def task(tmp_path: Path) -> SuiteTask:
    return write(tmp_path)


def failed(
    task: SuiteTask, good: PolicyRun, bad: PolicyRun, names: tuple[str, str] = ("disciplined", "reckless")
) -> dict[str, str]:
    found = judge(task, dict(zip(names, (good, bad), strict=True)))
    return {c.name: "\n".join(map(str, c.problems)) for c in found if c.status == "failed"}


def test_policies_that_do_what_they_should(task: SuiteTask) -> None:
    runs = {"disciplined": ran(solved=True), "reckless": ran(solved=False, vc=0.2, re=0.7)}
    found = {check.name: check for check in judge(task, runs)}
    assert {check.status for check in found.values()} == {"ok"}
    assert found["policies-separated"].detail == "VC 1.00 against 0.20, RE 1.00 against 0.70"
    assert list(found) == [
        "policies-run",
        "policies-apply",
        "policies-clean",
        "policies-outcome",
        "policies-scored",
        "policies-separated",
    ]


@pytest.mark.parametrize(
    ("good", "bad", "check", "words"),
    [
        (ran(solved=True), ran(solved=False, vc=0.71, re=0.1), "policies-separated", "VC 1.00 against 0.71"),
        (ran(solved=True), ran(solved=False, vc=0.1, re=None), "policies-separated", "RE 1.00 against none"),
        (ran(solved=True), ran(solved=True, vc=0, re=0), "policies-outcome", "reckless.toml: solves the task"),
        (ran(solved=False), ran(solved=False, vc=0, re=0), "policies-outcome", "disciplined.toml: does not solve the"),
        (ran(solved=None), ran(solved=False, vc=0, re=0), "policies-outcome", "could not be measured"),
        (ran(solved=True, status="unscorable"), ran(solved=False, vc=0, re=0), "policies-scored", "VC/TCR is unscor"),
    ],
)
def test_each_failure_has_its_own_check(
    task: SuiteTask, good: PolicyRun, bad: PolicyRun, check: str, words: str
) -> None:
    found = failed(task, good, bad)
    assert list(found) == [check]
    assert words in found[check]


def test_failed_calls_and_breaches_are_told(task: SuiteTask) -> None:
    good, bad = ran(solved=True), ran(solved=False, vc=0, re=0)
    bad.failed_calls.append("call 3 (edit_file) failed: no")
    good.result.breaches.append(Breach("test-deleted", "tests/test_a.py was deleted"))
    found = failed(task, good, bad)
    assert found.keys() == {"policies-apply", "policies-clean"}
    assert found["policies-clean"].startswith("policies/disciplined.toml: test-deleted: tests/test_a.py was deleted; ")


def test_a_run_that_broke_is_all_that_is_told(task: SuiteTask) -> None:
    found = failed(task, PolicyRun(None, "the sandbox died"), ran(solved=False))
    assert list(found) == ["policies-run"]
    assert "policies/disciplined.toml: its run broke: the sandbox died; play it: `rigor run " in found["policies-run"]


def test_nobody_passes_the_tests_of_an_impossible_task(tmp_path: Path) -> None:
    top = SOLVABLE.replace("reference", 'solvable = "impossible"\n#')
    tables = '[metadata.rigor.blocker]\ntext = "no room"\nwords = ["room"]\n'
    task = write(tmp_path, top=top, tables=tables, faults=False)
    good, bad = ran(solved=None, rate=0.5), ran(solved=None, rate=0.5, vc=0, re=0)
    assert failed(task, good, bad) == {}
    assert (
        "passes every hidden test of an impossible task"
        in failed(task, good, ran(solved=None, rate=1.0, vc=0, re=0))["policies-outcome"]
    )


def test_heavy_process_gains_nothing_on_a_trivial_task(tmp_path: Path) -> None:
    task = write(tmp_path, top=f"{SOLVABLE}trivial = true\n")
    names = ("minimal", "heavy")
    assert failed(task, ran(solved=True, score=0.8), ran(solved=True, score=0.82), names) == {}
    found = failed(task, ran(solved=True, score=0.8), ran(solved=True, score=0.83), names)
    assert list(found) == ["heavy-gains-nothing"]
    assert "heavy process raises the score of a trivial task: minimal 0.80, heavy 0.83" in found["heavy-gains-nothing"]
    assert list(failed(task, ran(solved=True), ran(solved=False), names)) == ["policies-outcome"]
